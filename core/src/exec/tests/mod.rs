//! The rules of the machine, one small program for each. What is expected is what Rust says of the program, written down by hand.
//!
//! Every check runs the first function of a program text (see [`crate::ir::parse`]) and also asks whether terms and
//! bits agree. [`check_everywhere`] goes further: terms of one run are held against what Rust computes on other inputs of
//! its partition, so a condition too few in a slice shows as a wrong value.

mod arith;
mod calls;
mod casts;
mod cells;
mod drops;
mod floats;
mod gaps;
mod inputs;
mod intrinsics;
mod layout;
mod makers;
mod memory;
mod pointers;
mod slices;
mod statics;

use super::resolve::Resolved;
use super::{Image, Limits, PanicPolicy};
use crate::explore::{Options, Strategy};
use crate::idx::Idx;
use crate::ir::parse;
use crate::ir::{Const, FloatTy, FnId, IntTy, Program, Subst, TyKind};
use crate::signature::{Ending, Function, OutputOf, Partition, SymbolicOutput};
use crate::term::Model;
use crate::value::{PanicKind, Value};

pub(super) fn program(text: &str) -> Program {
    parse::program(text).unwrap_or_else(|error| panic!("{error}"))
}

/// The value that a constant's text is, as it is written in Rust: a reference is `&`, a struct is `k::S { 1_u8 }`.
fn value(program: &Program, constant: &Const) -> Value {
    let all = |items: &[Const]| items.iter().map(|item| value(program, item)).collect::<Vec<_>>();
    match constant {
        Const::Bool(value) => Value::Bool(*value),
        Const::Char(value) => Value::Char(*value),
        Const::Int(bits, ty) => Value::Int { ty: *ty, bits: *bits },
        Const::Float(bits, FloatTy::F32) => Value::F32(*bits as u32),
        Const::Float(bits, FloatTy::F64) => Value::F64(*bits),
        Const::Str(text) => Value::Str(text.clone()),
        Const::Tuple(items) => Value::Tuple(all(items)),
        Const::Array(items) => Value::Seq(all(items)),
        Const::Ref(inner) => Value::Ref(Box::new(value(program, inner))),
        Const::Adt { ty, variant, fields } => {
            let TyKind::Adt(path, _) = ty.kind() else { panic!("{ty} is no struct or enum") };
            let adt = program.adt(path).unwrap_or_else(|| panic!("{path} is not declared"));
            let index = variant.as_ref().map_or(Some(0), |name| adt.variant_named(name)).expect("a variant");
            let names = adt.variants[index].fields.iter().map(|field| field.name.clone());
            Value::Adt {
                path: path.clone(),
                variant: variant.clone(),
                ctor: adt.variants[index].ctor,
                fields: names.zip(all(fields)).collect(),
            }
        }
        other => panic!("{other} is no input"),
    }
}

/// The arguments of a call, from `1_u8, true`.
fn arguments(program: &Program, text: &str) -> Vec<Value> {
    match parse::constant(&format!("({text})")).unwrap_or_else(|error| panic!("{error}")) {
        Const::Tuple(items) => items.iter().map(|item| value(program, item)).collect(),
        other => panic!("{other} are no arguments"),
    }
}

fn options(panics: PanicPolicy) -> Options {
    Options { limits: Limits { panics, ..Limits::default() }, ..Options::default() }
}

/// What one run of the first function shows.
struct Ran {
    ending: Ending,
    /// The relevant slice condition, as text.
    conditions: Vec<String>,
}

#[track_caller]
fn run_with(text: &str, input: &str, panics: PanicPolicy) -> Ran {
    let program = program(text);
    let image = Image::new(&program, panics);
    let callee = Resolved { function: FnId::from_usize(0), subst: Subst::default() };
    let mut function = Function::new(&image, callee, options(panics)).expect("it can be run");
    let model = function.inputs.model(&arguments(&program, input)).expect("these are arguments");
    let partition = visit(&mut function, model);
    let conditions = partition.relevant.iter().map(|term| function.inputs.pool.display(*term).to_string());
    Ran { conditions: conditions.collect(), ending: partition.ending }
}

#[track_caller]
fn run(text: &str, input: &str) -> Ran {
    run_with(text, input, PanicPolicy::Outcomes)
}

/// The result, and behind it what `&mut` parameters refer to afterwards: `3; _1 = 4`.
fn shown(ending: &Ending) -> String {
    match ending {
        Ending::Returned(outputs) => {
            let one = |output: &SymbolicOutput| match output.of {
                OutputOf::Return => output.value.to_string(),
                OutputOf::Argument(index) => format!("_{} = {}", index + 1, output.value),
            };
            outputs.iter().map(one).collect::<Vec<_>>().join("; ")
        }
        Ending::Panicked { kind, .. } => format!("panic: {kind:?}"),
        Ending::Stopped(stop) => format!("stopped: {stop:?}"),
    }
}

/// What the call gives.
#[track_caller]
fn check(text: &str, input: &str, expected: &str) {
    assert_eq!(shown(&run(text, input).ending), expected, "on {input}");
}

#[track_caller]
fn check_panic(text: &str, input: &str, expected: PanicKind) {
    check(text, input, &format!("panic: {expected:?}"));
}

/// The run stops as one that is not understood, for whatever reason.
#[track_caller]
fn check_unsupported(text: &str, input: &str) {
    let ending = run(text, input).ending;
    assert!(
        matches!(ending, Ending::Stopped(super::Stop::Unsupported(..))),
        "on {input}: {}",
        shown(&ending)
    );
}

/// The conditions on which the output depends; `argN` is parameter `_N+1`.
#[track_caller]
fn check_slice(text: &str, input: &str, expected: &[&str]) {
    let mut found = run(text, input).conditions;
    let mut expected: Vec<String> = expected.iter().map(|condition| condition.to_string()).collect();
    found.sort();
    expected.sort();
    assert_eq!(found, expected, "on {input}");
}

/// What Rust computes: the bits of all leaves of the output, or a panic.
type Computed = Result<Vec<u128>, PanicKind>;

/// Holds the terms of the partitions that are met against what Rust computes, on all of the inputs; gives the number of
/// partitions. One run is made for each, on the first input that lies in none of those before.
#[track_caller]
fn check_everywhere(
    text: &str,
    inputs: impl IntoIterator<Item = Vec<Value>>,
    expected: impl Fn(&[Value]) -> Computed,
) -> usize {
    let program = program(text);
    let image = Image::new(&program, PanicPolicy::Outcomes);
    let callee = Resolved { function: FnId::from_usize(0), subst: Subst::default() };
    let mut function = Function::new(&image, callee, options(PanicPolicy::Outcomes)).expect("it can be run");
    let mut partitions: Vec<Partition> = Vec::new();
    for input in inputs {
        let mut model = function.inputs.model(&input).expect("these are arguments");
        let is_in = |partition: &Partition, model: &Model| {
            partition.relevant.iter().all(|condition| function.inputs.pool.eval(*condition, model) != 0)
        };
        let known = partitions.iter().position(|partition| is_in(partition, &model));
        let index = known.unwrap_or_else(|| {
            partitions.push(visit(&mut function, model.clone()));
            partitions.len() - 1
        });
        if known.is_none() {
            // The first run has made the variables that the model was to have.
            model = function.inputs.model(&input).expect("these are arguments");
        }
        let found: Computed = match &partitions[index].ending {
            Ending::Returned(outputs) => {
                let leaves = outputs.iter().flat_map(|output| &output.leaves);
                Ok(leaves.map(|leaf| function.inputs.pool.eval(*leaf, &model)).collect())
            }
            Ending::Panicked { kind, .. } => Err(*kind),
            stopped @ Ending::Stopped(_) => panic!("on {input:?}: {}", shown(stopped)),
        };
        assert_eq!(found, expected(&input), "on {input:?}");
    }
    partitions.len()
}

/// One run, on which terms and bits have to agree.
#[track_caller]
fn visit(function: &mut Function<'_, '_>, model: Model) -> Partition {
    let partition = function.visit(model, Strategy::Rsc).expect("its types can be inputs");
    let pool = &function.inputs.pool;
    let conditions = &partition.relevant;
    let is_false = conditions.iter().find(|term| pool.eval(**term, &partition.model) == 0);
    assert!(is_false.is_none(), "a condition of the run is false on its input");
    if let Ending::Returned(outputs) = &partition.ending {
        let (mut by_terms, mut by_bits) = (Vec::new(), Vec::new());
        for output in outputs {
            by_terms.extend(output.leaves.iter().map(|leaf| pool.eval(*leaf, &partition.model)));
            leaves_of(&output.value, &mut by_bits);
        }
        // What is shown as something else has leaves that no value is made of.
        if by_bits.len() == by_terms.len() {
            assert_eq!(by_terms, by_bits, "terms and bits of one run differ");
        }
    }
    partition
}

fn leaves_of(value: &Value, found: &mut Vec<u128>) {
    match value {
        Value::Bool(value) => found.push((*value).into()),
        Value::Char(value) => found.push(u32::from(*value).into()),
        Value::Int { bits, .. } => found.push(*bits),
        Value::F32(bits) => found.push((*bits).into()),
        Value::F64(bits) => found.push((*bits).into()),
        Value::Str(text) => found.extend(text.bytes().map(u128::from)),
        value => value.parts().into_iter().for_each(|part| leaves_of(part, found)),
    }
}

/// The arguments as numbers.
fn bits(input: &[Value]) -> Vec<u128> {
    let mut found = Vec::new();
    input.iter().for_each(|value| leaves_of(value, &mut found));
    found
}

fn int(ty: IntTy, value: i128) -> Value {
    Value::int(ty, value)
}

/// Pairs of numbers of a type: small ones, those at the ends, and powers of two with their neighbours.
fn pairs(ty: IntTy) -> Vec<Vec<Value>> {
    let width = ty.bits();
    let powers = (0..width)
        .step_by(if width > 16 { 7 } else { 1 })
        .chain([width - 1])
        .map(|bit| 1i128.wrapping_shl(bit));
    let mut numbers: Vec<i128> =
        powers.flat_map(|power| [power.wrapping_sub(1), power, power.wrapping_neg()]).collect();
    numbers.extend([0, 3, 5, 7, 10, 100, 127, 200, -3, -7, i128::MAX, i128::MIN]);
    let mut numbers: Vec<Value> = numbers.into_iter().map(|number| int(ty, number)).collect();
    numbers.sort_by_key(|number| bits(std::slice::from_ref(number)));
    numbers.dedup();
    numbers.iter().flat_map(|a| numbers.iter().map(|b| vec![a.clone(), b.clone()])).collect()
}
