//! Exhaustive testing: every input that there is, through both versions.
//!
//! *Idea.* Where the parameters have few values (`bool`, numbers of 8 and 16 bits, `char`, enums without fields, and what is put together of these), all inputs are
//! run. Each worker goes through them in the same order by itself and answers with digests, one for many runs; where these differ, it is one for each, and where these
//! differ, the runs are told in full. How many inputs there are is known from the types beforehand, so that none was left out is a matter of counting.
//!
//! What is a difference is for [`super::confirm`] to say, and what is a proof for [`regress_core::evidence::conclude_listed`], which asks for more: that all there is to see
//! of a call is in its outcome.
//!
//! *Limits.* Inputs are counted up to 2²⁴. Values of types with private fields are all that fields can hold, whether the crate makes them or not.
//! Outcomes are told apart by digests of 64 bits: rows of outcomes that differ in one place have different digests, others with a chance of one in 2⁶⁴ have not.
//!
//! Goodenough and Gerhart, "Toward a theory of test data selection", IEEE TSE 1975: a test of all inputs is a proof.

use std::time::{Duration, Instant};

use regress_core::evidence::{Listed, Replay, Shown};
use regress_core::observable::same_in_both;
use regress_core::value::{Outcome, Value};

use super::confirm::{Asked, Both, Care};
use super::random_differential_test::{Difference, Unstable, at_once};
use super::request::{Availability, HarnessError};
use super::wire;
use super::worker::{Decisions, Went};

/// What running every input found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exhaustive {
    pub listed: Listed,
    /// Some of the differences, the shortest ones: confirmed.
    pub differences: Vec<Difference>,
    /// Inputs on which something differed that may be no difference.
    pub unstable: Vec<Unstable>,
    pub end: ListEnd,
}

/// Why no more inputs were run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListEnd {
    All,
    /// There was too little time, or would have been.
    OutOfTime,
    /// A call does not come back.
    Lost,
}

/// Inputs for which there is one digest.
const BLOCK: u64 = 64;
/// Inputs of one answer.
const MOST_AT_ONCE: u64 = 1 << 16;
/// Inputs that are told in full at once.
const MOST_TOLD: usize = 1024;
/// Differences that are confirmed.
const MOST_CONFIRMED: usize = 6;
/// Values that are lent live as long as the process.
const RUNS_OF_A_PROCESS: u64 = 500_000;
/// After so long it is known how long all will take.
const FIRST_LOOK: Duration = Duration::from_millis(150);

/// How many inputs both versions have; none if they are many, or not the same.
pub fn inputs_in_common(both: &Both) -> Option<u64> {
    let [old, new] = [&both.old, &both.new].map(|(worker, id)| worker.availability(*id));
    match new {
        Availability::Ready { inputs, .. } if old == new => *inputs,
        _ => None,
    }
}

/// Runs both versions on all of so many inputs.
pub fn run_every_input(both: &mut Both, inputs: u64, budget: Duration) -> Result<Exhaustive, HarnessError> {
    both.restart();
    let mut run = Run {
        both,
        until: Instant::now() + budget,
        listed: Listed { inputs, run: 0, differing: 0, panicking: 0, shown: Shown::Whole },
        missed: 0,
        suspected: Vec::new(),
    };
    let end = run.all()?;
    let (differences, unstable) = run.confirmed()?;
    let Run { listed, missed, .. } = run;
    // Calls that were not made tell nothing.
    let listed = Listed { run: listed.run.saturating_sub(missed), ..listed };
    both.restart();
    Ok(Exhaustive { listed, differences, unstable, end })
}

struct Run<'r> {
    both: &'r mut Both,
    until: Instant,
    listed: Listed,
    /// Inputs that could not be made.
    missed: u64,
    /// Some of the inputs on which the versions ended otherwise, the shortest.
    suspected: Vec<(Vec<Value>, (Outcome, Outcome))>,
}

/// What both versions say of the same inputs, as far as both came.
struct Stretch {
    old: Vec<u64>,
    new: Vec<u64>,
    went: Went,
}

impl Run<'_> {
    fn all(&mut self) -> Result<ListEnd, HarnessError> {
        let began = Instant::now();
        let mut place = Decisions::default();
        let mut block = BLOCK;
        let mut of_process = 0;
        loop {
            let (old, new) = at_once(self.both, |worker, id| worker.list(id, (block, MOST_AT_ONCE), &place))?;
            let (Some(old), Some(new)) = (old, new) else { return Ok(ListEnd::Lost) };
            let stretch = shorter(old, new);
            if stretch.old != stretch.new && block > 1 {
                block = 1;
                continue;
            }
            self.compare(&place, &stretch)?;
            let Stretch { went, .. } = stretch;
            self.listed.run += went.done;
            self.listed.panicking += went.panicked;
            self.missed += went.missed;
            of_process += went.done;
            if went.is_opaque {
                self.listed.shown = Shown::InPart;
            }
            match went.next {
                None => return Ok(ListEnd::All),
                // More than there should be is no count to go by.
                Some(_) if self.listed.run >= self.listed.inputs => return Ok(ListEnd::Lost),
                Some(next) => place = next,
            }
            if Instant::now() > self.until || self.will_be_late(began) {
                return Ok(ListEnd::OutOfTime);
            }
            if of_process > RUNS_OF_A_PROCESS {
                self.both.restart();
                of_process = 0;
            }
        }
    }

    /// Whether what is left would take longer than there is time, if it goes on like this.
    fn will_be_late(&self, began: Instant) -> bool {
        let took = began.elapsed();
        let share = self.listed.inputs as f64 / self.listed.run.max(1) as f64;
        took > FIRST_LOOK && Instant::now() + took.mul_f64((share - 1.0).max(0.0)) > self.until
    }

    /// Has runs told in full whose digests differ.
    fn compare(&mut self, place: &Decisions, stretch: &Stretch) -> Result<(), HarnessError> {
        let digests = stretch.old.iter().zip(&stretch.new).enumerate();
        let differing: Vec<u64> =
            digests.filter(|(_, (old, new))| old != new).map(|(at, _)| at as u64).collect();
        for wanted in differing.chunks(MOST_TOLD) {
            let (old, new) = at_once(self.both, |worker, id| worker.tell_listed(id, place, wanted))?;
            for index in wanted {
                let of =
                    |runs: &Option<std::collections::HashMap<u64, _>>| runs.as_ref()?.get(index).cloned();
                let (Some(old), Some(new)) = (of(&old), of(&new)) else {
                    self.missed += 1;
                    continue;
                };
                if old.inputs != new.inputs {
                    return Err(HarnessError::InputsDiverge { old: old.inputs, new: new.inputs });
                }
                self.suspect(wire::values(&old.inputs)?, (old.outcome()?, new.outcome()?));
            }
        }
        Ok(())
    }

    fn suspect(&mut self, inputs: Vec<Value>, outcomes: (Outcome, Outcome)) {
        if same_in_both(&self.both.common, &outcomes.0, &outcomes.1) {
            if !agrees_whole(&outcomes) {
                self.listed.shown = Shown::InPart;
            }
            return;
        }
        self.listed.differing += 1;
        self.suspected.push((inputs, outcomes));
        if self.suspected.len() >= 2 * MOST_TOLD {
            self.keep_shortest();
        }
    }

    fn keep_shortest(&mut self) {
        self.suspected
            .sort_by_key(|(inputs, _)| inputs.iter().map(|input| input.to_string().len()).sum::<usize>());
        self.suspected.truncate(MOST_CONFIRMED);
    }

    /// Asks whether what differed makes a difference.
    fn confirmed(&mut self) -> Result<(Vec<Difference>, Vec<Unstable>), HarnessError> {
        self.keep_shortest();
        let asked: Vec<Asked<'_>> =
            self.suspected.iter().map(|(inputs, first)| Asked::seen(inputs, first.clone())).collect();
        let told = self.both.replay_all(&asked, Care::Finding);
        let (mut differences, mut unstable) = (Vec::new(), Vec::new());
        for ((inputs, _), told) in self.suspected.iter().zip(told) {
            let inputs = inputs.clone();
            match told? {
                Replay::Differs { old, new } => differences.push(Difference { index: 0, inputs, old, new }),
                Replay::Same { .. } => {}
                Replay::Doubtful(doubt) => unstable.push(Unstable { inputs, doubt }),
            }
        }
        Ok((differences, unstable))
    }
}

/// Whether outcomes that count as the same are it in all their parts: no field is there in one alone.
fn agrees_whole((old, new): &(Outcome, Outcome)) -> bool {
    match (old, new) {
        (Outcome::Panicked(old), Outcome::Panicked(new)) => old.kind == new.kind,
        _ => old == new,
    }
}

/// As far as both came. Each answers after whole blocks, so it is the end of a block in both.
fn shorter(mut old: (Vec<u64>, Went), mut new: (Vec<u64>, Went)) -> Stretch {
    let blocks = old.0.len().min(new.0.len());
    let is_opaque = old.1.is_opaque || new.1.is_opaque;
    let went = Went { is_opaque, ..if old.1.done < new.1.done { old.1 } else { new.1 } };
    old.0.truncate(blocks);
    new.0.truncate(blocks);
    Stretch { old: old.0, new: new.0, went }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn went(done: u64, next: &[u64]) -> Went {
        let numbers: Vec<u64> = [done, 0, 0, 0, 1].into_iter().chain(next.iter().copied()).collect();
        Went::of(&numbers).expect("numbers of a line")
    }

    #[test]
    fn both_are_compared_as_far_as_the_slower_came() {
        let stretch = shorter((vec![1, 2, 3], went(192, &[3])), (vec![1, 2], went(128, &[2])));
        assert_eq!((stretch.old, stretch.new), (vec![1, 2], vec![1, 2]));
        assert_eq!(stretch.went, went(128, &[2]));
    }
}
