//! Changed generic functions at further choices of types.
//!
//! *Idea.* A generic function is compared at one choice of types, which leaves out what others do: `a == a` holds of all `i32` and not of all `f64`, and each
//! implementor of a trait is a case of its own. So functions that changed, and of which nothing was seen to differ at the chosen types, are run natively
//! at a few others ([`Chooser::others`]), one choice after the other. A difference there is a witness like any other, and its types are told with it.
//!
//! Affected functions that come first in the order of turns are run so at types of the crate and other constants, and at all where a trait of another crate is asked for:
//! what an implementor makes visible of a change below may be seen at no other.
//!
//! *Limits.* Random inputs alone are run. A proof at the chosen types stays one at these types.

use std::sync::OnceLock;
use std::time::Duration;

use regress_core::align::Pair;
use regress_core::compare::{Chooser, Instantiation};
use regress_core::ir::{FnId, Function, TyKind};
use regress_core::verdict::ChangeKind;

use super::aligned::Aligned;
use super::subject::{self, Judgement};
use super::{Session, schedule};

/// With less time left, nothing is built.
const LEAST_TIME: Duration = Duration::from_secs(8);
/// So many affected functions.
const MOST_AFFECTED: usize = 12;

/// What was found at other types than the chosen ones, once that was looked for.
#[derive(Default)]
pub(super) struct OtherTypes(OnceLock<Vec<Found>>);

/// A difference of a function, by its number in the new version, at these types.
struct Found {
    new: FnId,
    at: Instantiation,
    judgement: Judgement,
}

impl OtherTypes {
    /// At which types the reported difference of a function was seen, if not at the chosen ones.
    pub fn of(&self, new: FnId) -> Option<&Instantiation> {
        self.0.get()?.iter().find(|found| found.new == new).map(|found| &found.at)
    }
}

/// Looks for differences of these pairs, of which none has been seen, unless that was done.
pub(super) fn look(session: &Session<'_>, aligned: &Aligned, pairs: &[&Pair]) {
    aligned.other_types.0.get_or_init(|| found(session, aligned, pairs));
}

/// Puts the differences that were found in the place of judgements that have none.
pub(super) fn put_in(aligned: &Aligned, functions: &mut [(&Pair, Judgement)]) {
    for Found { new, judgement, .. } in aligned.other_types.0.get().into_iter().flatten() {
        let of_it = functions.iter_mut().find(|(pair, before)| pair.new == Some(*new) && !before.differs());
        if let Some((_, before)) = of_it {
            *before = judgement.clone();
        }
    }
}

/// Whether one of the parameters stands for a type from outside of the standard library.
fn has_type_of_crate(at: &Instantiation) -> bool {
    at.types().any(|ty| matches!(ty.kind(), TyKind::Adt(path, _) if !path.is_of_std()))
}

/// Whether its parameters have a trait of another crate, by which each kind of value takes a way of its own through the crate: `T: Deserialize`.
fn is_bound_by_dependency(function: &Function) -> bool {
    function.bounds.iter().any(|bound| {
        let of = &bound.trait_ref.path;
        !of.is_of_std() && of.crate_name() != function.path.crate_name()
    })
}

fn found(session: &Session<'_>, aligned: &Aligned, pairs: &[&Pair]) -> Vec<Found> {
    let Aligned { loaded, alignment, harnesses, .. } = aligned;
    // All steps of a merge are run at the same types.
    if session.options.search.random_runs == 0 || session.options.merged.asked().is_some() {
        return Vec::new();
    }
    let chooser = Chooser::new(&loaded.old.program, &loaded.new.program);
    let mut open: Vec<(&Pair, Vec<Instantiation>)> = Vec::new();
    let mut affected = 0;
    for number in schedule::in_order(&loaded.new.program, pairs, session.options.budget.deadline) {
        let pair = pairs[number];
        let (Some(old), Some(new)) = (pair.old, pair.new) else { continue };
        let Ok(chosen) = harnesses.instantiation(old, new) else { continue };
        if chosen.is_empty() || (pair.kind != ChangeKind::Changed && affected >= MOST_AFFECTED) {
            continue;
        }
        let mut others = chooser.others(old, new, &chosen);
        if pair.kind != ChangeKind::Changed && !is_bound_by_dependency(&loaded.new.program.functions[new]) {
            others.retain(|other| has_type_of_crate(other) || other.has_other_constants(&chosen));
        }
        affected += usize::from(pair.kind != ChangeKind::Changed && !others.is_empty());
        open.push((pair, others));
    }
    let mut found: Vec<Found> = Vec::new();
    for turn in 0.. {
        open.retain(|(pair, others)| turn < others.len() && !found.iter().any(|it| Some(it.new) == pair.new));
        let is_late =
            session.options.budget.deadline.is_some_and(|deadline| deadline.remaining() < LEAST_TIME);
        if open.is_empty() || is_late {
            break;
        }
        let subjects: Vec<(FnId, FnId, Instantiation)> = open
            .iter()
            .filter_map(|(pair, others)| Some((pair.old?, pair.new?, others[turn].clone())))
            .collect();
        let Ok(built) = session.build_harnesses_at_other_types(loaded, alignment, &subjects, turn) else {
            break;
        };
        for (pair, others) in &open {
            let _token = session.jobserver.token();
            let judged = subject::judge_at_other_types(session, aligned, &built, pair, &others[turn]);
            if let (Some(new), Some(judgement)) = (pair.new, judged) {
                found.push(Found { new, at: others[turn].clone(), judgement });
            }
        }
    }
    found
}
