//! Inputs that the crate itself may never make.
//!
//! Where the crate has no function that makes them, values are built field by field. A type with private fields may keep
//! something true of them, so a difference shown by such values alone may be one that nobody can meet. Whether it is
//! cannot be told here; the reader is told what to look at.

use std::collections::BTreeSet;

use regress_core::align::Alignment;
use regress_core::exec::hides_fields;
use regress_core::ir::{Path, Program};
use regress_core::value::Value;
use regress_core::verdict::{Verdict, WitnessOrigin};

use crate::report::{FunctionReport, Note};

/// What to say of a difference of which every witness needs a value with private fields.
pub(super) fn note_on_fields(program: &Program, verdict: &Verdict) -> Option<Note> {
    let Verdict::Differs { witnesses, .. } = verdict else { return None };
    let mut guarded = BTreeSet::new();
    for witness in witnesses {
        if let WitnessOrigin::Test { .. } = witness.origin {
            return None;
        }
        let types = guarded_types(program, witness.inputs.iter().map(|input| &input.value));
        if types.is_empty() {
            return None;
        }
        guarded.extend(types);
    }
    let last = |path: &Path| path.as_str().rsplit("::").next().unwrap_or_default().to_owned();
    let names: BTreeSet<String> = guarded.iter().map(last).collect();
    (!names.is_empty()).then(|| Note::FieldByField { types: names.into_iter().collect() })
}

/// Says of each difference whether a function that made its inputs differs itself. The reports are parallel to the pairs
/// of the alignment.
pub(super) fn note_on_makers(program: &Program, alignment: &Alignment, reports: &mut [FunctionReport]) {
    let differing: BTreeSet<&Path> = alignment
        .pairs
        .iter()
        .zip(&*reports)
        .filter(|(_, report)| matches!(report.verdict, Verdict::Differs { .. }))
        .filter_map(|(pair, _)| pair.new.map(|id| &program.functions[id].path))
        .collect();
    for report in reports {
        let Verdict::Differs { witnesses, .. } = &report.verdict else { continue };
        let inputs = witnesses.iter().flat_map(|witness| &witness.inputs).map(|input| &input.value);
        for callee in callees(inputs) {
            if differing.contains(&callee) {
                report.notes.push(Note::MakerDiffers { callee: callee.to_string() });
            }
        }
    }
}

/// The functions that made values in the inputs.
fn callees<'v>(inputs: impl Iterator<Item = &'v Value>) -> BTreeSet<Path> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&Value> = inputs.collect();
    while let Some(value) = open.pop() {
        if let Value::Made { callee, .. } = value {
            found.insert(callee.clone());
        }
        open.extend(value.parts());
    }
    found
}

/// The types of values in the inputs that only their own module can build, and that were built from fields.
pub(super) fn guarded_types<'v>(
    program: &Program,
    inputs: impl Iterator<Item = &'v Value>,
) -> BTreeSet<Path> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&Value> = inputs.collect();
    while let Some(value) = open.pop() {
        if let Value::Adt { path, .. } = value
            && !path.is_of_std()
            && program.adt(path).is_some_and(hides_fields)
        {
            found.insert(path.clone());
        }
        open.extend(value.parts());
    }
    found
}

#[cfg(test)]
mod tests {
    use regress_core::ir::{Adt, AdtKind, CtorKind, Field, IntTy, Ty, Variant, Visibility};
    use regress_core::value::Outcome;
    use regress_core::verdict::{Class, Confirmation, Input, Ledger, PartitionCount, Witness, WitnessOrigin};

    use super::*;

    /// `k::Open` has a public field, `k::Guarded` a private one.
    fn program() -> Program {
        let mut program = Program::default();
        for (path, visibility) in [("k::Open", Visibility::Public), ("k::Guarded", Visibility::Private)] {
            let field = Field { name: "0".into(), ty: Ty::int(IntTy::U8), visibility };
            program.adts.push(Adt {
                path: Path::new(path),
                kind: AdtKind::Struct,
                generics: Vec::new(),
                bounds: Vec::new(),
                variants: vec![Variant {
                    name: "V".into(),
                    ctor: CtorKind::Tuple,
                    fields: vec![field],
                    discriminant: 0,
                }],
                discriminant_ty: IntTy::Isize,
                visibility: Visibility::Public,
                origin_crate: "k".into(),
                span: None,
            });
        }
        program.build_index();
        program
    }

    fn of(path: &str) -> Value {
        let value = Value::Int { ty: IntTy::U8, bits: 1 };
        Value::Adt {
            path: Path::new(path),
            variant: None,
            ctor: CtorKind::Tuple,
            fields: vec![("0".into(), value)],
        }
    }

    #[track_caller]
    fn check(inputs: Vec<Value>, expected: Option<&str>) {
        let end = Outcome::Returned { value: Value::Bool(true), mutated: Vec::new() };
        let witness = |value| Witness {
            inputs: vec![Input { name: "x".into(), value }],
            old: end.clone(),
            new: Outcome::Hung,
            confirmation: Confirmation::Native,
            origin: WitnessOrigin::Random,
        };
        let verdict = Verdict::Differs {
            class: Class::Regression,
            witnesses: inputs.into_iter().map(witness).collect(),
            suspects: Vec::new(),
            partitions: PartitionCount::default(),
            ledger: Ledger::default(),
        };
        let said = note_on_fields(&program(), &verdict).map(|note| note.sentence());
        assert_eq!(said.as_deref(), expected);
    }

    #[test]
    fn only_what_every_witness_needs_is_worth_a_note() {
        let note = "values of `Guarded` were built field by field: check that the crate can make them";
        check(vec![of("k::Guarded")], Some(note));
        check(vec![Value::Seq(vec![Value::Ref(Box::new(of("k::Guarded")))])], Some(note));
        check(vec![of("k::Guarded"), of("k::Open")], None);
        check(vec![of("k::Open")], None);
    }
}
