//! Whether the outputs of one partition can differ.

use crate::exec::tree::{Scalar, ScalarTy};
use crate::exec::{Output, Run};
use crate::explore::call::{End, Ended, Returned};
use crate::ir::{CommonShapes, IntTy, Path, ResultTypes, Signedness};
use crate::observable::{self, Alike, Silent, Told, scalars};
use crate::term::TermId;
use crate::verdict::{Approximation, LeftOut};

/// What the outputs of a partition say before any solver is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Both outputs are the same terms.
    Same,
    /// They differ on this very input.
    DifferHere,
    /// They agree here; elsewhere in the partition they differ iff this term holds.
    DifferIf(TermId),
    /// They differ, but no native run would show it.
    NotTold,
    /// One of the runs was given up: nothing can be said.
    Incomparable,
    /// An argument could not be made: in neither version, or in one of them only. There is no input to compare on.
    NoInput(NoInput),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoInput {
    InBoth,
    /// The function that makes the argument succeeds in the other version.
    InOne {
        maker: Path,
    },
}

/// Relates the ends of both versions on one run. `common` says whether the results are of one type.
pub fn relate(run: &mut Run<'_>, common: &CommonShapes, old: &Ended, new: &Ended) -> Relation {
    match (&old.end, &new.end) {
        (End::Stopped(_), _) | (_, End::Stopped(_)) => Relation::Incomparable,
        (End::NotMade { .. }, End::NotMade { .. }) => Relation::NoInput(NoInput::InBoth),
        (End::NotMade { maker }, _) | (_, End::NotMade { maker }) => {
            Relation::NoInput(NoInput::InOne { maker: maker.clone() })
        }
        (
            End::Panicked { kind: old, said: old_said, .. },
            End::Panicked { kind: new, said: new_said, .. },
        ) => match observable::panics((*old, *old_said), (*new, *new_said)) {
            Alike::Same => Relation::Same,
            Alike::Different => Relation::DifferHere,
            Alike::NotTold => Relation::NotTold,
        },
        // A type that is defined otherwise has cells in one version alone.
        (End::Returned(old), End::Returned(new))
            if common.any_defined_otherwise() && old.arguments().ne(new.arguments()) =>
        {
            Relation::Incomparable
        }
        (End::Returned(old), End::Returned(new)) => match common.results {
            ResultTypes::Same => relate_outputs(run, old.outputs(), new.outputs()),
            ResultTypes::Other => relate_results_of_two_types(run, common, old, new),
        },
        _ => Relation::DifferHere,
    }
}

fn relate_outputs<'o>(
    run: &mut Run<'_>,
    old: impl Iterator<Item = &'o Output>,
    new: impl Iterator<Item = &'o Output>,
) -> Relation {
    let old: Vec<&Output> = old.collect();
    let new: Vec<&Output> = new.collect();
    // Equal concrete values have equal shape, so their leaves are in the same places; and no leaf is left out of a value.
    let same = |old: &Output, new: &Output| old.value == new.value && old.hidden == new.hidden;
    if old.len() != new.len() || old.iter().zip(&new).any(|(old, new)| !same(old, new)) {
        return Relation::DifferHere;
    }
    let mut differences = Vec::new();
    for (old, new) in old.iter().zip(&new) {
        if old.leaves.len() != new.leaves.len() {
            return Relation::DifferHere;
        }
        for (a, b) in old.leaves.iter().zip(&new.leaves) {
            if a.ty != b.ty || a.bits != b.bits {
                return Relation::DifferHere;
            }
            let (x, y) = (run.term(a), run.term(b));
            if x != y {
                let equal = run.pool.eq(x, y);
                differences.push(run.pool.not(equal));
            }
        }
    }
    if_any(run, &differences)
}

fn if_any(run: &mut Run<'_>, differences: &[TermId]) -> Relation {
    let differs = run.pool.or_all(differences);
    match run.pool.as_bool(differs) {
        Some(false) => Relation::Same,
        _ => Relation::DifferIf(differs),
    }
}

/// What is written through references is of one type in both; of the results all that both tell is compared, and what was left out is noted.
fn relate_results_of_two_types(
    run: &mut Run<'_>,
    common: &CommonShapes,
    old: &Returned,
    new: &Returned,
) -> Relation {
    let (old_result, new_result) = (&old.value, &new.value);
    let is_whole =
        |output: &Output| output.hidden.is_empty() && scalars(&output.value) == output.leaves.len();
    let Some(told) = Told::by_both(common, &old_result.value, &new_result.value) else {
        return Relation::DifferHere;
    };
    if !is_whole(old_result) || !is_whole(new_result) {
        return Relation::Incomparable;
    }
    run.approximations.push(match told.silent {
        Silent::Nothing => Approximation::InputAlphabet { what: LeftOut::TypesOfResults },
        Silent::Parts => Approximation::ResultsPartlyCompared,
    });
    let mut differences = match relate_outputs(run, old.outputs().skip(1), new.outputs().skip(1)) {
        Relation::Same => Vec::new(),
        Relation::DifferIf(differs) => vec![differs],
        other => return other,
    };
    for (a, b) in told.pairs {
        match numbers_differ(run, &old_result.leaves[a], &new_result.leaves[b]) {
            Some(differs) => differences.push(differs),
            None => return Relation::Incomparable,
        }
    }
    if_any(run, &differences)
}

/// Whether two scalars are not the same number; none if that has no term here.
fn numbers_differ(run: &mut Run<'_>, a: &Scalar, b: &Scalar) -> Option<TermId> {
    let (mut x, mut y) = (run.term(a), run.term(b));
    match (a.ty, b.ty) {
        (ScalarTy::Int(a), ScalarTy::Int(b)) if a != b => {
            let room = u32::from(a.signedness() != b.signedness());
            let width = u16::try_from(a.bits().max(b.bits()) + room).ok().filter(|width| *width <= 128)?;
            let mut widened = |term, ty: IntTy| match ty.signedness() {
                Signedness::Signed => run.pool.sext(term, width),
                Signedness::Unsigned => run.pool.zext(term, width),
            };
            (x, y) = (widened(x, a), widened(y, b));
        }
        (a, b) if a != b => return None,
        _ => {}
    }
    let equal = run.pool.eq(x, y);
    Some(run.pool.not(equal))
}
