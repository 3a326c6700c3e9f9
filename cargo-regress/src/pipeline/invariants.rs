//! Inputs that the crate itself may never make.
//!
//! Where the crate has no function that makes them, values are built field by field. A type with private fields may keep
//! something true of them, so a difference shown by such values alone may be one that nobody can meet. Whether it is
//! cannot be told here; the reader is told what to look at. Where the crate has a function that gives such values, which cannot be called here
//! (`fn drain(&mut self) -> Drain<'_>`), the difference counts as one that no value of the crate's shows.

use std::collections::BTreeSet;

use regress_core::align::Alignment;
use regress_core::exec::hides_fields;
use regress_core::ir::{Adt, Function, FunctionKind, Mutability, Name, Origin, Path, Program, Ty, TyKind};
use regress_core::value::{Outcome, Value};
use regress_core::verdict::{Verdict, WitnessOrigin};

use crate::report::{FunctionReport, Note};

/// What to say of a difference of which every witness needs a value with private fields.
pub(super) fn notes_on_fields(program: &Program, verdict: &Verdict) -> Vec<Note> {
    let Verdict::Differs { witnesses, .. } = verdict else { return Vec::new() };
    let mut guarded = BTreeSet::new();
    let mut are_given = true;
    for witness in witnesses {
        if let WitnessOrigin::Test { .. } = witness.origin {
            return Vec::new();
        }
        let types = guarded_types(program, witness.inputs.iter().map(|input| &input.value));
        if types.is_empty() {
            return Vec::new();
        }
        are_given &= types.iter().any(|ty| is_given(program, ty));
        guarded.extend(types);
    }
    if guarded.is_empty() {
        return Vec::new();
    }
    let not_as_made = are_given.then_some(Note::NotAsMade);
    [Note::FieldByField { types: names(&guarded) }].into_iter().chain(not_as_made).collect()
}

/// Whether a function of the crate gives values of the type that takes none.
fn is_given(program: &Program, path: &Path) -> bool {
    let holds = |ty: &Ty| ty.has_part(|part| matches!(part, TyKind::Adt(other, _) if other == path));
    let gives = |function: &Function| {
        function.kind == FunctionKind::Fn
            && function.origin == Origin::Subject
            && holds(&function.output)
            && !function.inputs.iter().any(holds)
    };
    program.functions.iter().any(gives)
}

/// What to say of a difference that all witnesses show in private fields of what comes out alone: others see those by what methods do with them.
pub(super) fn note_on_private_results(program: &Program, verdict: &Verdict) -> Option<Note> {
    let differing = private_results(program, verdict)?;
    Some(Note::PrivateFieldsDiffer { types: names(&differing) })
}

/// The types in whose private fields alone all witnesses of a difference show it; none if one shows more.
pub(super) fn private_results(program: &Program, verdict: &Verdict) -> Option<BTreeSet<Path>> {
    let Verdict::Differs { witnesses, .. } = verdict else { return None };
    let mut differing = BTreeSet::new();
    let all = witnesses
        .iter()
        .all(|witness| note_private_in_outcomes(program, &witness.old, &witness.new, &mut differing));
    (all && !differing.is_empty()).then_some(differing)
}

/// Whether outcomes differ in private fields of what comes out alone.
pub(super) fn differ_in_private_alone(program: &Program, old: &Outcome, new: &Outcome) -> bool {
    note_private_in_outcomes(program, old, new, &mut BTreeSet::new())
}

fn note_private_in_outcomes(
    program: &Program,
    old: &Outcome,
    new: &Outcome,
    differing: &mut BTreeSet<Path>,
) -> bool {
    let (
        Outcome::Returned { value: old, mutated: old_left },
        Outcome::Returned { value: new, mutated: new_left },
    ) = (old, new)
    else {
        return false;
    };
    let left = old_left.iter().zip(new_left).map(|(old, new)| (&old.1, &new.1));
    std::iter::once((old, new)).chain(left).all(|(old, new)| note_private(program, old, new, differing))
}

/// Whether values differ in private fields alone, whose types are noted.
fn note_private(program: &Program, old: &Value, new: &Value, differing: &mut BTreeSet<Path>) -> bool {
    if old == new {
        return true;
    }
    if let (Value::Adt { path, .. }, Value::Adt { path: other, .. }) = (old, new)
        && path == other
        && !path.is_of_std()
        && let Some(adt) = program.adt(path)
        && hides_fields(adt)
    {
        differing.insert(path.clone());
        return !differ_in_what_is_lent(adt, old, new);
    }
    let (of_old, of_new) = (old.parts(), new.parts());
    let is_one_kind = std::mem::discriminant(old) == std::mem::discriminant(new)
        && match (old, new) {
            (Value::Adt { path, variant, .. }, Value::Adt { path: other, variant: other_variant, .. }) => {
                path == other && variant == other_variant
            }
            _ => !of_old.is_empty(),
        };
    is_one_kind
        && of_old.len() == of_new.len()
        && of_old.into_iter().zip(of_new).all(|(old, new)| note_private(program, old, new, differing))
}

/// Whether values differ in fields that refer to what a caller has lent to be written to: the caller sees it, though the fields are private.
fn differ_in_what_is_lent(adt: &Adt, old: &Value, new: &Value) -> bool {
    let (Value::Adt { fields: of_old, .. }, Value::Adt { fields: of_new, .. }) = (old, new) else {
        return false;
    };
    let declared = adt.variants.iter().flat_map(|variant| &variant.fields);
    let mut lent = declared.filter(|field| matches!(field.ty.kind(), TyKind::Ref(Mutability::Mut, _)));
    lent.any(|field| {
        let place = |fields: &[(Name, Value)]| fields.iter().position(|(name, _)| *name == field.name);
        let places = place(of_old).zip(place(of_new));
        places.is_some_and(|(old, new)| of_old[old].1 != of_new[new].1)
    })
}

/// The last names of the paths.
fn names(paths: &BTreeSet<Path>) -> Vec<String> {
    let last = |path: &Path| path.as_str().rsplit("::").next().unwrap_or_default().to_owned();
    paths.iter().map(last).collect::<BTreeSet<String>>().into_iter().collect()
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
pub(super) fn callees<'v>(inputs: impl Iterator<Item = &'v Value>) -> BTreeSet<Path> {
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
    use regress_core::ir::{AdtKind, CtorKind, Field, FnBody, IntTy, Owner, Variant, Visibility};
    use regress_core::verdict::{Class, Confirmation, Input, Ledger, PartitionCount, Witness, WitnessOrigin};

    use super::*;

    /// `k::Open` has a public field, `k::Guarded` a private one, and `k::Lent` a private one that refers to what was lent.
    fn program() -> Program {
        let mut program = Program::default();
        let byte = || Ty::int(IntTy::U8);
        let lent = Ty::reference(Mutability::Mut, byte());
        for (path, ty, visibility) in [
            ("k::Open", byte(), Visibility::Public),
            ("k::Guarded", byte(), Visibility::Private),
            ("k::Lent", lent, Visibility::Private),
        ] {
            let field = Field { name: "0".into(), ty, visibility };
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

    /// A function of the crate that takes a `u8` and gives such a value.
    fn giving(path: &str) -> Function {
        Function {
            path: Path::new("k::give"),
            kind: FunctionKind::Fn,
            owner: Owner::Free,
            generics: Vec::new(),
            bounds: Vec::new(),
            inputs: vec![Ty::int(IntTy::U8)],
            output: Ty::adt(path, Vec::new()),
            visibility: Visibility::Public,
            origin: Origin::Subject,
            span: None,
            body: FnBody::Missing,
        }
    }

    #[track_caller]
    fn check(inputs: Vec<Value>, expected: Option<&str>) {
        check_in(&program(), inputs, &expected.into_iter().collect::<Vec<&str>>());
    }

    #[track_caller]
    fn check_in(program: &Program, inputs: Vec<Value>, expected: &[&str]) {
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
        let said: Vec<String> =
            notes_on_fields(program, &verdict).iter().map(|note| note.sentence()).collect();
        assert_eq!(said, expected);
    }

    #[track_caller]
    fn check_results(old: Value, new: Value, expected: Option<&str>) {
        let returned = |value| Outcome::Returned { value, mutated: Vec::new() };
        let witness = Witness {
            inputs: Vec::new(),
            old: returned(old),
            new: returned(new),
            confirmation: Confirmation::Native,
            origin: WitnessOrigin::Random,
        };
        let verdict = Verdict::Differs {
            class: Class::Behaviour,
            witnesses: vec![witness],
            suspects: Vec::new(),
            partitions: PartitionCount::default(),
            ledger: Ledger::default(),
        };
        let said = note_on_private_results(&program(), &verdict).map(|note| note.sentence());
        assert_eq!(said.as_deref(), expected);
    }

    #[test]
    fn results_that_differ_in_private_fields_alone() {
        let with = |path: &str, value: u8| match of(path) {
            Value::Adt { path, variant, ctor, .. } => {
                let value = Value::Int { ty: IntTy::U8, bits: value.into() };
                Value::Adt { path, variant, ctor, fields: vec![("0".into(), value)] }
            }
            other => other,
        };
        let note = Some(
            "what differs is in private fields of `Guarded`: others see it by what methods do with them",
        );
        let pair = |first: bool, second: Value| Value::Tuple(vec![Value::Bool(first), second]);
        check_results(with("k::Guarded", 1), with("k::Guarded", 2), note);
        check_results(pair(true, with("k::Guarded", 1)), pair(true, with("k::Guarded", 2)), note);
        check_results(pair(true, with("k::Guarded", 1)), pair(false, with("k::Guarded", 2)), None);
        check_results(with("k::Open", 1), with("k::Open", 2), None);
        check_results(Value::Seq(vec![with("k::Guarded", 1)]), Value::Seq(Vec::new()), None);
        // Who has lent it sees it.
        check_results(with("k::Lent", 1), with("k::Lent", 2), None);
    }

    #[test]
    fn only_what_every_witness_needs_is_worth_a_note() {
        let note = "values of `Guarded` were built field by field: check that the crate can make them";
        check(vec![of("k::Guarded")], Some(note));
        check(vec![Value::Seq(vec![Value::Ref(Box::new(of("k::Guarded")))])], Some(note));
        check(vec![of("k::Guarded"), of("k::Open")], None);
        check(vec![of("k::Open")], None);
    }

    #[test]
    fn values_that_the_crate_gives_otherwise_count_as_unconfirmed() {
        let built = "values of `Guarded` were built field by field: check that the crate can make them";
        let not_as_made = Note::NotAsMade.sentence();
        let mut program = program();
        program.functions.push(giving("k::Open"));
        check_in(&program, vec![of("k::Guarded")], &[built]);
        program.functions.push(giving("k::Guarded"));
        check_in(&program, vec![of("k::Guarded")], &[built, not_as_made.as_str()]);
    }
}
