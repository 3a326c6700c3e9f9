//! Inputs on which the versions differ: what is told of them, and which are shown.

use regress_core::value::{Outcome, Value};
use regress_core::verdict::{Class, Confirmation, Input, Witness, WitnessOrigin};

use super::Work;
use crate::pipeline::invariants::guarded_types;
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

/// Worst class first, and the shortest of each class.
pub(super) fn in_order(mut witnesses: Vec<Witness>) -> Vec<Witness> {
    let class = |witness: &Witness| Class::of(&witness.old, &witness.new);
    let len =
        |witness: &Witness| witness.inputs.iter().map(|input| input.value.to_string().len()).sum::<usize>();
    witnesses.sort_by_key(|witness| (class(witness), len(witness)));
    witnesses.dedup_by(|a, b| a.inputs == b.inputs);
    witnesses
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
