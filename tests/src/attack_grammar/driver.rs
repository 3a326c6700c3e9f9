//! The program that tells the truth about a crate: an example target, compiled once with each version under that version's own profile, that calls every function on
//! special, boundary and random inputs and writes what came of each call.
//!
//! It shares nothing with the product's harness. A line of its output is `probe run beyond hash` (tab-separated), where `beyond` is 1 if an input leaves the product's default bounds (more than eight elements, or
//! text that is not ASCII). `driver PROBE RUN` prints one call in full. Messages of panics are no part of an outcome.

use std::fmt::Write as _;

use super::snippet::{By, Probe};

/// A probe with the path of what it calls.
#[derive(Clone, Debug)]
pub struct Placed<'a> {
    /// `krate::k3`
    pub module: String,
    pub function: String,
    pub probe: &'a Probe,
}

pub fn source(probes: &[Placed], items: &str) -> String {
    let mut text = String::from(PRELUDE);
    text.push_str(items);
    text.push_str("\nfn probes() -> Vec<fn(&mut Gen) -> String> {\n    vec![\n");
    for placed in probes {
        let _ = writeln!(text, "        {},", closure(placed));
    }
    text.push_str("    ]\n}\n");
    text
}

fn closure(placed: &Placed) -> String {
    let Placed { module, function, probe } = placed;
    let mut body = String::new();
    let mut passed = Vec::new();
    let mut after = Vec::new();
    for (index, param) in probe.params.iter().enumerate() {
        let _ = write!(
            body,
            "let mut a{index}: {} = g.pick(vec![{}]); g.note(&a{index}); ",
            param.ty.replace("M::", &format!("{module}::")),
            param.special.join(", ").replace("M::", &format!("{module}::"))
        );
        passed.push(match param.by {
            By::Value => format!("a{index}"),
            By::Ref => format!("&a{index}"),
            By::Mut => format!("&mut a{index}"),
        });
        if param.by == By::Mut {
            after.push(format!("a{index}"));
        }
    }
    let call = match &probe.call {
        Some(call) => call.replace("M::", &format!("{module}::")),
        None => format!("{module}::{function}({})", passed.join(", ")),
    };
    let _ = write!(body, "let result = {call}; format!(\"{{:?}}\", (result, {}))", after.join(", "));
    format!("|g| {{ {body} }}")
}

const PRELUDE: &str = r#"#![allow(warnings)]
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

pub struct Gen { state: u64, beyond: bool, inputs: String, show: bool, long: bool }
impl Gen {
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e3779b97f4a7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
        z ^ (z >> 31)
    }
    fn below(&mut self, end: u64) -> u64 { self.next() % end }
    fn length(&mut self) -> usize {
        if self.long && self.below(8) == 0 { self.beyond = true; return self.below(200) as usize }
        self.below(9) as usize
    }
    fn pick<T: Make>(&mut self, mut special: Vec<T>) -> T {
        if !special.is_empty() && self.below(3) == 0 { let at = self.below(special.len() as u64) as usize; return special.swap_remove(at) }
        T::make(self)
    }
    fn note<T: Debug>(&mut self, value: &T) { if self.show { self.inputs.push_str(&format!("{value:?}; ")) } }
}
pub trait Make { fn make(g: &mut Gen) -> Self; }
macro_rules! ints { ($($t:ty)*) => { $(impl Make for $t { fn make(g: &mut Gen) -> $t {
    let bits = <$t>::BITS as u64;
    match g.below(8) {
        0 => [<$t>::MIN, <$t>::MAX, 0, 1, (0 as $t).wrapping_sub(1), <$t>::MAX - 1, <$t>::MIN + 1, <$t>::MAX / 2][g.below(8) as usize],
        1 => ((1 as $t) << (g.below(bits) as u32)).wrapping_add(g.below(3) as $t).wrapping_sub(1),
        2 => (0 as $t).wrapping_sub(g.below(20) as $t),
        3 | 4 => g.below(20) as $t,
        5 => g.below(300) as $t,
        _ => (((g.next() as u128) << 64) | g.next() as u128) as $t,
    }
} })* } }
ints!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
macro_rules! floats { ($($t:ident)*) => { $(impl Make for $t { fn make(g: &mut Gen) -> $t {
    match g.below(4) {
        0 => [0.0, -0.0, 1.0, -1.0, $t::NAN, -$t::NAN, $t::INFINITY, $t::NEG_INFINITY, $t::MAX, $t::MIN, $t::MIN_POSITIVE, $t::EPSILON, 0.5, 1e-40][g.below(14) as usize],
        1 => (g.below(40) as $t - 20.0) / 2.0,
        2 => (g.next() as i64 as $t) / 1e9,
        _ => <$t>::from_bits(g.next() as _),
    }
} })* } }
floats!(f32 f64);
impl Make for () { fn make(_: &mut Gen) {} }
impl Make for bool { fn make(g: &mut Gen) -> bool { g.below(2) == 0 } }
impl Make for char { fn make(g: &mut Gen) -> char {
    if g.long && g.below(8) == 0 { g.beyond = true; return ['é', 'ß', '💡', '\u{301}', 'İ'][g.below(5) as usize] }
    (if g.below(2) == 0 { b"aAzZ09 -_.,:;/x\n"[g.below(16) as usize] } else { g.below(128) as u8 }) as char
} }
impl<T: Make> Make for Option<T> { fn make(g: &mut Gen) -> Self { if g.below(4) == 0 { None } else { Some(T::make(g)) } } }
impl<T: Make, E: Make> Make for Result<T, E> { fn make(g: &mut Gen) -> Self { if g.below(3) == 0 { Err(E::make(g)) } else { Ok(T::make(g)) } } }
impl<T: Make> Make for Box<T> { fn make(g: &mut Gen) -> Self { Box::new(T::make(g)) } }
impl<T: Make> Make for Vec<T> { fn make(g: &mut Gen) -> Self { let n = g.length(); (0..n).map(|_| T::make(g)).collect() } }
impl Make for String { fn make(g: &mut Gen) -> Self { let n = g.length(); (0..n).map(|_| char::make(g)).collect() } }
impl<T: Make, const N: usize> Make for [T; N] { fn make(g: &mut Gen) -> Self { std::array::from_fn(|_| T::make(g)) } }
impl<A: Make, B: Make> Make for (A, B) { fn make(g: &mut Gen) -> Self { (A::make(g), B::make(g)) } }
impl<A: Make, B: Make, C: Make> Make for (A, B, C) { fn make(g: &mut Gen) -> Self { (A::make(g), B::make(g), C::make(g)) } }

const RUNS: u64 = 3000;

fn outcome(probe: usize, run: u64, show: bool) -> (bool, String, String) {
    let state = (probe as u64 + 1).wrapping_mul(0x2545f4914f6cdd1d) ^ run.wrapping_mul(0xd6e8feb86659fd93);
    let mut g = Gen { state, beyond: false, inputs: String::new(), show, long: run % 4 == 3 };
    let call = probes()[probe];
    let ended = catch_unwind(AssertUnwindSafe(|| call(&mut g)));
    (g.beyond, g.inputs, ended.unwrap_or_else(|_| String::from("panicked")))
}

fn main() {
    std::panic::set_hook(Box::new(|_| ()));
    let args: Vec<u64> = std::env::args().skip(1).map(|arg| arg.parse().unwrap()).collect();
    if let [probe, run] = args[..] {
        let (_, inputs, outcome) = outcome(probe as usize, run, true);
        println!("({inputs}) -> {outcome}");
        return;
    }
    let (first, end) = match args[..] { [only] => (only as usize, only as usize + 1), _ => (0, probes().len()) };
    use std::io::Write;
    let mut out = std::io::BufWriter::new(std::io::stdout());
    for probe in first..end {
        let started = std::time::Instant::now();
        for run in 0..RUNS {
            let (beyond, _, text) = outcome(probe, run, false);
            let mut hash = 0xcbf29ce484222325u64;
            for byte in text.bytes() { hash = (hash ^ byte as u64).wrapping_mul(0x100000001b3) }
            writeln!(out, "{probe}\t{run}\t{}\t{hash:x}", beyond as u8).unwrap();
        }
        // So that what is written before a process dies is known.
        out.flush().unwrap();
    }
}
"#;
