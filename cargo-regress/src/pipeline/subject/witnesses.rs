//! Inputs on which the versions differ: what is told of them, and which are shown.

use regress_core::ir::{KnownType, Program};
use regress_core::value::{Outcome, Value};
use regress_core::verdict::{Class, Confirmation, Input, Witness, WitnessOrigin};

use super::Work;
use crate::pipeline::invariants::{differ_in_private_alone, guarded_types};
use crate::pipeline::naming::parameter_name;

/// Witnesses shown for one class.
const WITNESSES_PER_CLASS: usize = 2;

pub(super) fn witness(
    work: &Work<'_>,
    inputs: Vec<Value>,
    (old, new): (Outcome, Outcome),
    confirmation: Confirmation,
    origin: WitnessOrigin,
) -> Witness {
    let name = |index| parameter_name(&work.loaded.new.program, work.new, index);
    let inputs =
        inputs.into_iter().enumerate().map(|(index, value)| Input { name: name(index), value }).collect();
    Witness { inputs, old, new, confirmation, origin }
}

/// The call as the report has it.
pub(super) fn describe(work: &Work<'_>, inputs: &[Value]) -> String {
    let args: Vec<String> = inputs.iter().map(ToString::to_string).collect();
    format!("{}({})", work.loaded.new.program.functions[work.new].path, args.join(", "))
}

/// Whether an input was built from fields although the crate has functions that make such values.
pub(super) fn is_on_fields(work: &Work<'_>, witness: &Witness) -> bool {
    let inputs = witness.inputs.iter().map(|input| &input.value);
    let guarded = guarded_types(&work.loaded.new.program, inputs);
    guarded.iter().any(|ty| work.harnesses.makers().has_some_of(ty))
}

pub(super) fn inputs_of(witness: &Witness) -> Vec<Value> {
    witness.inputs.iter().map(|input| input.value.clone()).collect()
}

pub(super) fn hangs(witness: &Witness) -> bool {
    witness.old == Outcome::Hung || witness.new == Outcome::Hung
}

/// Worst class first, and of each class what tells most, then the shortest.
pub(super) fn in_order(program: &Program, mut witnesses: Vec<Witness>) -> Vec<Witness> {
    let class = |witness: &Witness| Class::of(&witness.old, &witness.new);
    let len =
        |witness: &Witness| witness.inputs.iter().map(|input| input.value.to_string().len()).sum::<usize>();
    witnesses
        .sort_by_key(|witness| (class(witness), !tells(program, &witness.old, &witness.new), len(witness)));
    witnesses.dedup_by(|a, b| a.inputs == b.inputs);
    witnesses
}

/// Whether the difference shows more than that something about the function is another than before.
pub(super) fn tells(program: &Program, old: &Outcome, new: &Outcome) -> bool {
    !is_faint(old, new) && !differ_in_private_alone(program, old, new)
}

/// Whether two results are nearly the same: another error, or the last digits of a float. Such a difference may be seen nearly everywhere and hide what
/// else a change does.
pub(super) fn is_faint(old: &Outcome, new: &Outcome) -> bool {
    let (Outcome::Returned { value: a, mutated: a_left }, Outcome::Returned { value: b, mutated: b_left }) =
        (old, new)
    else {
        return false;
    };
    let left = a_left.len() == b_left.len() && a_left.iter().zip(b_left).all(|(a, b)| is_near(&a.1, &b.1));
    left && is_near(a, b)
}

fn is_near(a: &Value, b: &Value) -> bool {
    /// Of the larger one.
    const LAST_DIGITS: f64 = 1e-9;
    let close = |a: f64, b: f64| (a - b).abs() <= LAST_DIGITS * a.abs().max(b.abs());
    let are_parts_near = || {
        let (a, b) = (a.parts(), b.parts());
        a.len() == b.len() && a.into_iter().zip(b).all(|(a, b)| is_near(a, b))
    };
    match (a, b) {
        _ if a == b => true,
        (Value::F64(a), Value::F64(b)) => close(f64::from_bits(*a), f64::from_bits(*b)),
        (Value::Ref(_), Value::Ref(_))
        | (Value::Tuple(_), Value::Tuple(_))
        | (Value::Seq(_), Value::Seq(_)) => are_parts_near(),
        (Value::Adt { path, variant, .. }, Value::Adt { path: b_path, variant: b_variant, .. })
            if path == b_path && variant == b_variant =>
        {
            let is_error =
                *path == KnownType::Result && variant.as_ref().is_some_and(|name| name.as_str() == "Err");
            is_error || are_parts_near()
        }
        _ => false,
    }
}

/// The first witnesses of each class, and the others.
pub(super) fn choose(witnesses: Vec<Witness>) -> (Vec<Witness>, Vec<Witness>) {
    let class = |witness: &Witness| Class::of(&witness.old, &witness.new);
    let (mut chosen, mut others): (Vec<Witness>, Vec<Witness>) = (Vec::new(), Vec::new());
    for witness in witnesses {
        let alike = chosen.iter().filter(|known| class(known) == class(&witness)).count();
        if alike < WITNESSES_PER_CLASS { chosen.push(witness) } else { others.push(witness) }
    }
    (chosen, others)
}

pub(super) fn display_len(inputs: &[Value]) -> usize {
    inputs.iter().map(|input| input.to_string().len()).sum()
}

#[cfg(test)]
mod tests {
    use regress_core::ir::{CtorKind, Name};

    use super::*;

    #[track_caller]
    fn check(a: Value, b: Value, faint: bool) {
        let returned = |value| Outcome::Returned { value, mutated: Vec::new() };
        assert_eq!(is_faint(&returned(a), &returned(b)), faint);
    }

    fn result(variant: &str, value: Value) -> Value {
        Value::Adt {
            path: KnownType::Result.path().into(),
            variant: Some(Name::new(variant)),
            ctor: CtorKind::Tuple,
            fields: vec![(Name::new("0"), value)],
        }
    }

    #[test]
    fn other_errors_and_last_digits_are_faint() {
        let float = |value: f64| Value::F64(value.to_bits());
        check(float(0.577_777_777_777_777_7), float(0.577_777_777_777_777_8), true);
        check(float(0.5), float(0.6), false);
        check(float(f64::NAN), float(0.6), false);
        let (a, b) = (Value::Char('a'), Value::Char('b'));
        check(result("Err", a.clone()), result("Err", b.clone()), true);
        check(result("Ok", a.clone()), result("Ok", b.clone()), false);
        check(result("Ok", a.clone()), result("Err", a.clone()), false);
        check(Value::Tuple(vec![float(1.0), a]), Value::Tuple(vec![float(1.0), b]), false);
    }
}
