//! The theorems of the 2011 paper on random programs, its counter-example, and the slices of the one forward pass
//! against those of a slicer that walks a stored trace backward.

mod slices;
mod theorems;
mod trace;
mod trace_slicer;

use crate::exec::resolve::Resolved;
use crate::exec::{Image, PanicPolicy};
use crate::explore::Options;
use crate::idx::Idx;
use crate::ir::{FnId, IntTy, Program, Subst};
use crate::random_programs::Random;
use crate::signature::Function;
use crate::value::Value;

fn image(program: &Program) -> Image<'_> {
    Image::new(program, PanicPolicy::Outcomes)
}

fn function<'i, 'p>(image: &'i Image<'p>) -> Function<'i, 'p> {
    let callee = Resolved { function: FnId::from_usize(0), subst: Subst::default() };
    Function::new(image, callee, Options::default()).expect("the program can be run")
}

/// The arguments of a random program: two bytes and a reference to one.
fn arguments([x, y, z]: [u8; 3]) -> Vec<Value> {
    let byte = |value: u8| Value::int(IntTy::U8, value.into());
    vec![byte(x), byte(y), Value::Ref(Box::new(byte(z)))]
}

/// Bytes that the constants of random programs tell apart, and others.
const BYTES: [u8; 12] = [0, 1, 2, 3, 4, 76, 77, 78, 79, 128, 254, 255];

fn random_input(random: &mut Random) -> [u8; 3] {
    std::array::from_fn(|_| BYTES[random.below(BYTES.len())])
}

/// How many programs a long hunt looks at, and from which on.
fn hunt() -> std::ops::Range<u64> {
    let number = |name: &str, default: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let (start, count) = (number("REGRESS_SEED", 1), number("REGRESS_PROGRAMS", 10_000));
    start..start + count
}

/// Neighbouring numbers make seeds that have nothing in common.
fn seed_of(index: u64) -> u64 {
    index.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
