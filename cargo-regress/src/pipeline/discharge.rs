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
use regress_core::ir::{FnId, Program};
use regress_core::smt::{AnySolver, Layered};
use regress_core::verdict::{Class, Confirmation, Proof, Verdict, Witness};

use super::Session;
use super::congruent::{Congruent, note_contradicted, put};
use super::load::Loaded;
use super::naming::display_path;
use super::subject::Judgement;
use super::unaffected::Unaffected;
use crate::args::Discharge;
use crate::harness::Row;
use crate::report::Note;

/// What one function may take before all others had their turn.
const FIRST_LOOK: Duration = Duration::from_millis(100);
/// What it may take then.
const SECOND_LOOK: Duration = Duration::from_secs(3);
/// What one function that does not take the same steps may take for each other claim.
const MOST_OF_CLAIM: Duration = Duration::from_secs(1);
/// Inputs for each alternative of a condition on which they may differ.
const MOST_EXAMPLES: usize = 4;
/// All of them together get this part of what is left of the run.
const SHARE: u32 = 8;

/// Functions of the new version that do the same as in the old one, or panic nowhere where that does not, each with those on which it rests.
#[derive(Debug, Default)]
pub(super) struct Discharged {
    functions: Congruent,
    no_new_panics: Congruent,
    pub unaffected: Unaffected,
}

/// A function of the old version and one of the new.
type Both = (FnId, FnId);

/// Two bodies that are not known to be aligned.
struct Differing {
    new: FnId,
    no_new_panic: Option<UpTo>,
    affected_when: Option<AffectedWhen>,
    /// Inputs on which they may differ.
    suspected: Vec<Row>,
}

pub(super) fn discharge(session: &Session<'_>, loaded: &Loaded, alignment: &Alignment) -> Discharged {
    if session.options.search.discharge == Discharge::Off {
        return Discharged::default();
    }
    let (old, new) = (&loaded.old.program, &loaded.new.program);
    let begun = Instant::now();
    let until = session.options.budget.deadline.map(|deadline| begun + deadline.remaining() / SHARE);
    let bodies = Bodies { alignment, old, new, until };
    let (mut aligned, mut others) = (BTreeMap::new(), Vec::new());
    for (both, found) in bodies.aligned(alignment.with_other_bodies(old, new)) {
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
    let (mut without_new_panics, mut conditions) = (BTreeMap::new(), BTreeMap::new());
    let mut suspected = BTreeMap::new();
    for differing in bodies.differing(others) {
        without_new_panics.extend(differing.no_new_panic.map(|up_to| (differing.new, up_to)));
        conditions.extend(differing.affected_when.map(|condition| (differing.new, condition)));
        suspected.insert(differing.new, differing.suspected);
    }
    let alike_on_some = conditions.iter().map(|(id, condition)| (*id, condition.up_to)).collect();
    let Holding { equal, no_new_panics, alike_on_some } =
        alignment.hold_jointly(old, new, &aligned, [&without_new_panics, &alike_on_some]);
    let unaffected = Unaffected::new(conditions, alike_on_some, suspected);
    Discharged { functions: equal, no_new_panics, unaffected }
}

/// What is asked of pairs of bodies, on several threads.
struct Bodies<'p> {
    alignment: &'p Alignment,
    old: &'p Program,
    new: &'p Program,
    until: Option<Instant>,
}

impl<'p> Bodies<'p> {
    /// Which of them take the same steps. One that takes long keeps none from its turn.
    fn aligned(&self, bodies: Vec<Both>) -> Vec<(Both, Result<Aligned, Obstacle>)> {
        let within = |bodies: Vec<Both>, most: Duration| -> Vec<(Both, Result<Aligned, Obstacle>)> {
            let align = |solver: &mut Layered<AnySolver>, both| {
                (both, difference::aligned(self.pair(both), solver, self.limits(most)))
            };
            bodies.into_par_iter().map_init(solver, align).collect()
        };
        let (late, mut found): (Vec<_>, Vec<_>) =
            within(bodies, FIRST_LOOK).into_iter().partition(|(_, found)| *found == Err(Obstacle::OutOfTime));
        found.extend(within(late.into_iter().map(|(both, _)| both).collect(), SECOND_LOOK));
        found
    }

    /// What is known of those that do not.
    fn differing(&self, bodies: Vec<Both>) -> Vec<Differing> {
        let tools = || (solver(), Image::new(self.new, PanicPolicy::Outcomes));
        let limits = || self.limits(MOST_OF_CLAIM);
        let differing = |(solver, image): &mut (Layered<AnySolver>, Image<'p>), both: Both| {
            let (pair, new) = (self.pair(both), both.1);
            let no_new_panic = difference::no_new_panic(pair, image, solver, limits()).ok();
            let mut affected_when = difference::affected_when(pair, solver, limits()).ok().flatten();
            let types = &self.new.functions[new].inputs;
            let examples = affected_when
                .as_mut()
                .map(|condition| condition.examples(types, solver, limits(), MOST_EXAMPLES));
            let suspected = examples.unwrap_or_default().iter().filter_map(Row::of_values).collect();
            Differing { new, no_new_panic: no_new_panic.map(NoNewPanic::up_to), affected_when, suspected }
        };
        bodies.into_par_iter().map_init(tools, differing).collect()
    }

    fn pair(&self, (old, new): Both) -> difference::Pair<'p> {
        difference::Pair { alignment: self.alignment, old: (self.old, old), new: (self.new, new) }
    }

    fn limits(&self, most: Duration) -> Limits {
        let end = Instant::now() + most;
        Limits { until: Some(self.until.map_or(end, |until| until.min(end))), ..Limits::default() }
    }
}

fn solver() -> Layered<AnySolver> {
    Layered::new(AnySolver::new())
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
            // It is one with what it leaves, whoever panics.
            if judgement.notes.iter().any(|note| note.new_failure_of_others().is_some()) {
                continue;
            }
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
