//! Whether the outputs of one partition can differ.

use crate::exec::{Output, Run};
use crate::explore::call::{End, Ended, Returned};
use crate::ir::Path;
use crate::observable::{self, Alike};
use crate::term::TermId;

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

/// Relates the ends of both versions on one run.
pub fn relate(run: &mut Run<'_>, old: &Ended, new: &Ended) -> Relation {
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
        (End::Returned(old), End::Returned(new)) => relate_outputs(run, old, new),
        _ => Relation::DifferHere,
    }
}

fn relate_outputs(run: &mut Run<'_>, old: &Returned, new: &Returned) -> Relation {
    let old: Vec<&Output> = old.outputs().collect();
    let new: Vec<&Output> = new.outputs().collect();
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
    let differs = run.pool.or_all(&differences);
    match run.pool.as_bool(differs) {
        Some(false) => Relation::Same,
        _ => Relation::DifferIf(differs),
    }
}
