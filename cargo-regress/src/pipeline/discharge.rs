//! Functions of which both versions take the same steps (`regress_core::difference`): equal on every input, without a search.
//!
//! Of the others it is found whether they panic on no new input, and on which inputs alone they may differ ([`super::unaffected`]).
//!
//! This is found while cargo builds what runs the functions natively. They are run like all others, so native runs attack each such proof.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use regress_core::align::{Alignment, Holding, Pair, UpTo};
use regress_core::difference::{self, AffectedWhen, Aligned, Limits, NoNewPanic, Obstacle};
use regress_core::evidence::speaks_against_same_steps;
use regress_core::exec::{Image, PanicPolicy};
use regress_core::ir::FnId;
use regress_core::smt::{Layered, Z3Solver};
use regress_core::verdict::{Class, Confirmation, Proof, Verdict, Witness};

use super::Session;
use super::congruent::{Congruent, note_contradicted, put};
use super::load::Loaded;
use super::naming::display_path;
use super::subject::Judgement;
use super::unaffected::Unaffected;
use crate::args::Discharge;
use crate::report::Note;

/// What one function may take before all others had their turn.
const FIRST_LOOK: Duration = Duration::from_millis(100);
/// What one function may take for each claim.
const MOST_OF_FUNCTION: Duration = Duration::from_secs(1);
/// All of them together get this part of what is left of the run.
const SHARE: u32 = 8;

/// Functions of the new version that do the same as in the old one, or panic nowhere where that does not, each with those on which it rests.
#[derive(Debug, Default)]
pub(super) struct Discharged {
    functions: Congruent,
    no_new_panics: Congruent,
    pub unaffected: Unaffected,
}

/// Two bodies that are not known to be aligned.
struct Differing {
    new: FnId,
    no_new_panic: Option<UpTo>,
    affected_when: Option<AffectedWhen>,
}

/// What one thread works with.
type Tools<'p> = (Layered<Z3Solver>, Image<'p>);

/// A function of the old version and one of the new.
type Both = (FnId, FnId);

pub(super) fn discharge(session: &Session<'_>, loaded: &Loaded, alignment: &Alignment) -> Discharged {
    if session.options.search.discharge == Discharge::Off {
        return Discharged::default();
    }
    let (old, new) = (&loaded.old.program, &loaded.new.program);
    let begun = Instant::now();
    let until = session.options.budget.deadline.map(|deadline| begun + deadline.remaining() / SHARE);
    let limits = |most: Duration| {
        let end = Instant::now() + most;
        Limits { until: Some(until.map_or(end, |until| until.min(end))), ..Limits::default() }
    };
    let tools = || (Layered::new(Z3Solver::new()), Image::new(new, PanicPolicy::Outcomes));
    let pair_of = |(old_id, new_id)| difference::Pair { alignment, old: (old, old_id), new: (new, new_id) };

    // One that takes long keeps none from its turn.
    let align = |bodies: Vec<Both>, most: Duration| -> Vec<(Both, Result<Aligned, Obstacle>)> {
        let align = |(solver, _): &mut Tools<'_>, both| {
            (both, difference::aligned(pair_of(both), solver, limits(most)))
        };
        bodies.into_par_iter().map_init(tools, align).collect()
    };
    let first = align(alignment.with_other_bodies(old, new), FIRST_LOOK);
    let (late, mut found): (Vec<_>, Vec<_>) =
        first.into_iter().partition(|(_, found)| *found == Err(Obstacle::OutOfTime));
    found.extend(align(late.into_iter().map(|(both, _)| both).collect(), MOST_OF_FUNCTION));

    let (mut aligned, mut others) = (BTreeMap::new(), Vec::new());
    for (both, found) in found {
        session.clock.count_same_steps(found.as_ref().map_or_else(|obstacle| obstacle.key(), |_| "aligned"));
        match found {
            Ok(found) => {
                aligned.insert(both.1, found.up_to());
            }
            // Where checks are taken to hold nothing is said of panics.
            Err(_) if session.options.search.assume_no_panic => {}
            Err(_) => others.push(both),
        }
    }
    let differing = |(solver, image): &mut Tools<'_>, both: Both| {
        let pair = pair_of(both);
        let no_new_panic = difference::no_new_panic(pair, image, solver, limits(MOST_OF_FUNCTION)).ok();
        let affected_when = difference::affected_when(pair, solver, limits(MOST_OF_FUNCTION)).ok().flatten();
        Differing { new: both.1, no_new_panic: no_new_panic.map(NoNewPanic::up_to), affected_when }
    };
    let differing: Vec<Differing> = others.into_par_iter().map_init(tools, differing).collect();
    let (mut without_new_panics, mut conditions) = (BTreeMap::new(), BTreeMap::new());
    for Differing { new, no_new_panic, affected_when } in differing {
        without_new_panics.extend(no_new_panic.map(|up_to| (new, up_to)));
        conditions.extend(affected_when.map(|condition| (new, condition)));
    }
    let alike_on_some = conditions.iter().map(|(id, condition)| (*id, condition.up_to)).collect();
    let Holding { equal, no_new_panics, alike_on_some } =
        alignment.hold_jointly(old, new, &aligned, [&without_new_panics, &alike_on_some]);
    let unaffected = Unaffected::new(new, conditions, alike_on_some);
    Discharged { functions: equal, no_new_panics, unaffected }
}

impl Discharged {
    pub fn functions(&self) -> impl Iterator<Item = FnId> + '_ {
        self.functions.keys().copied()
    }

    /// Puts these proofs in the place of what was said before.
    pub fn conclude(&self, loaded: &Loaded, functions: &mut [(&Pair, Judgement)]) {
        let proof = |rests_on| Proof::Aligned { rests_on };
        put(loaded, functions, &self.functions, proof, |verdict| {
            !matches!(verdict, Verdict::Equal { .. }) && !speaks_against_same_steps(verdict)
        });
    }

    /// Notes which functions are proved to panic on no new input.
    pub fn note_no_new_panics(&self, loaded: &Loaded, functions: &mut [(&Pair, Judgement)]) {
        for (pair, judgement) in functions {
            let Some((new, by)) = pair.new.and_then(|new| self.no_new_panics.get_key_value(&new)) else {
                continue;
            };
            let name = |id: &FnId| display_path(&loaded.new.program, *id, loaded.only_crate());
            let rests_on: Vec<String> = by.iter().map(name).collect();
            // What a step that changed made is another value in each version.
            let own = &loaded.new.program.functions[*new].path;
            let is_regression = |witness: &Witness| {
                Class::of(&witness.old, &witness.new) == Class::Regression
                    && !witness.inputs.iter().any(|input| input.value.holds_made_by(own))
            };
            let note = || Some(Note::NoNewPanic { rests_on: rests_on.clone() });
            note_proved(judgement, (&name(new), &rests_on), is_regression, note);
        }
    }
}

/// Notes what is proved of a function that is not proved equal, unless native runs speak against it: a witness that does is told as a contradiction, and of what is in doubt nothing is said.
pub(super) fn note_proved(
    judgement: &mut Judgement,
    (path, rests_on): (&str, &[String]),
    is_against: impl Fn(&Witness) -> bool,
    note: impl FnOnce() -> Option<Note>,
) {
    let seen = match &judgement.verdict {
        Verdict::Differs { witnesses, .. } => witnesses.as_slice(),
        Verdict::EqualWithin { .. } | Verdict::NoDifferenceFound { .. } | Verdict::NotAnalysed { .. } => &[],
        Verdict::Unchanged | Verdict::Equal { .. } | Verdict::Added | Verdict::Removed => return,
    };
    let speaks_against =
        |witness: &&Witness| witness.confirmation == Confirmation::Native && is_against(witness);
    let against = seen.iter().chain(&judgement.unshown).find(speaks_against).cloned();
    let is_in_doubt = !matches!(judgement.verdict, Verdict::Differs { .. } | Verdict::NotAnalysed { .. })
        && speaks_against_same_steps(&judgement.verdict);
    match (against, &mut judgement.verdict) {
        (Some(witness), Verdict::Differs { ledger, .. }) => {
            note_contradicted(ledger, path, &witness, rests_on);
        }
        (None, _) if !is_in_doubt => judgement.notes.extend(note()),
        _ => {}
    }
}
