//! The random pre-pass: the same random inputs through both versions, until enough of them make a difference.
//!
//! A difference only counts if [`super::confirm`] says so; what it doubts is kept as well.

use std::time::{Duration, Instant};

use regress_core::evidence::{Doubt, NativeEnd, Replay};
use regress_core::ir::CommonShapes;
pub use regress_core::observable::{bears_out, same_outcome};
use regress_core::value::{Outcome, Value};

use super::confirm::{Care, Patience, confirm_seen};
use super::request::{Availability, HarnessError, SubjectId};
use super::wire;
use super::worker::{RandomPlan, RawEnd, RawRun, Worker};

#[derive(Clone, Debug)]
pub struct PrepassPlan {
    pub random: RandomPlan,
    /// Enough is enough.
    pub most_differences: usize,
    /// For both versions together, without what it takes to confirm differences.
    pub budget: Duration,
    /// What types that differ between the versions have in common: only such values are given to both.
    pub common: CommonShapes,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub index: u64,
    pub inputs: Vec<Value>,
    pub old: Outcome,
    pub new: Outcome,
}

/// An input, and why what differed on it makes no difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unstable {
    pub inputs: Vec<Value>,
    pub doubt: Doubt,
}

/// What a pre-pass found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prepass {
    /// Inputs that were run through both versions.
    pub runs: u64,
    pub differences: Vec<Difference>,
    /// Inputs on which something differed that may be no difference.
    pub unstable: Vec<Unstable>,
    pub end: NativeEnd,
}

const BATCH: u64 = 256;

/// Inputs on which a function ends otherwise from run to run; more of them tell nothing.
const MOST_UNSTABLE: usize = 8;

/// Runs both versions of a function on the same inputs. The subject may have different numbers in the two harnesses.
pub fn prepass(
    old: (&mut Worker, SubjectId),
    new: (&mut Worker, SubjectId),
    plan: &PrepassPlan,
    patience: &mut Patience,
) -> Result<Prepass, HarnessError> {
    let ((old, old_id), (new, new_id)) = (old, new);
    for (worker, id) in [(&*old, old_id), (&*new, new_id)] {
        if let Availability::Unavailable { reason } = worker.availability(id) {
            return Err(HarnessError::Unavailable { subject: id, reason: reason.clone() });
        }
    }
    if old.availability(old_id) != new.availability(new_id) {
        return match plan.common.is_empty() {
            true => Err(HarnessError::ShapesDiffer { subject: new_id }),
            false => prepass_one_by_one((old, old_id), (new, new_id), plan, patience),
        };
    }
    let mut found = Prepass::default();
    let mut until = Instant::now() + plan.budget;
    let last = plan.random.first + plan.random.count;
    let mut first = plan.random.first;
    while first < last {
        let batch = RandomPlan { first, count: BATCH.min(last - first), ..plan.random.clone() };
        let (old_runs, new_runs) = std::thread::scope(|scope| {
            let other = scope.spawn(|| old.random_raw(old_id, &batch, Some(until)));
            let new_runs = new.random_raw(new_id, &batch, Some(until));
            (other.join(), new_runs)
        });
        let old_runs = old_runs
            .map_err(|_| HarnessError::Protocol("the reader of the old version panicked".into()))??;
        let new_runs = new_runs?;
        let (mut hung, mut crashed) = (0, 0);
        for (old_run, new_run) in common(&old_runs, &new_runs) {
            if old_run.inputs != new_run.inputs {
                // Where a function that makes values succeeds in one version only, other values are drawn in its place.
                if [old_run, new_run].iter().any(|run| run.inputs.contains("{\"made\":")) {
                    continue;
                }
                return Err(HarnessError::InputsDiverge {
                    old: old_run.inputs.clone(),
                    new: new_run.inputs.clone(),
                });
            }
            found.runs += 1;
            if old_run.end == new_run.end {
                continue;
            }
            let first = (old_run.outcome()?, new_run.outcome()?);
            if same_outcome(&first.0, &first.1) || found.has_hang_like(&first) {
                continue;
            }
            let inputs = wire::values(&old_run.inputs)?;
            let sides = ((&mut *old, old_id), (&mut *new, new_id));
            let care = (Care::Finding, &mut *patience);
            let asked = Instant::now();
            let replay = confirm_seen(sides.0, sides.1, &inputs, first, care);
            until += asked.elapsed();
            found.add(old_run.index, inputs, replay)?;
            if found.unstable.len() >= MOST_UNSTABLE {
                found.end = NativeEnd::TooManyUnstable;
                return Ok(found);
            }
            if found.differences.len() >= plan.most_differences {
                found.end = NativeEnd::EnoughDifferences;
                return Ok(found);
            }
        }
        for runs in [&old_runs, &new_runs] {
            hung = runs.iter().filter(|run| is_hang(run)).count().max(hung);
            crashed = runs.iter().filter(|run| is_crash(run)).count().max(crashed);
        }
        if crashed >= plan.random.most_crashes as usize {
            found.end = NativeEnd::TooManyCrashes;
            return Ok(found);
        }
        if hung >= plan.random.most_hangs as usize {
            found.end = NativeEnd::TooManyHangs;
            return Ok(found);
        }
        first += batch.count;
        if Instant::now() > until && first < last {
            found.end = NativeEnd::OutOfTime;
            return Ok(found);
        }
    }
    Ok(found)
}

impl Prepass {
    /// Whether a version was seen not to end, and does not here either: that takes long to see, and says nothing new.
    fn has_hang_like(&self, first: &(Outcome, Outcome)) -> bool {
        let hangs = (first.0 == Outcome::Hung, first.1 == Outcome::Hung);
        let known = |seen: &Difference| (seen.old == Outcome::Hung, seen.new == Outcome::Hung) == hangs;
        hangs != (false, false) && self.differences.iter().any(known)
    }

    fn add(
        &mut self,
        index: u64,
        inputs: Vec<Value>,
        replay: Result<Replay, HarnessError>,
    ) -> Result<(), HarnessError> {
        match replay {
            Ok(Replay::Differs { old, new }) => {
                self.differences.push(Difference { index, inputs, old, new });
            }
            // It was slow.
            Ok(Replay::Same(_)) => {}
            Ok(Replay::Doubtful(doubt)) => self.unstable.push(Unstable { inputs, doubt }),
            // An input that can be drawn but not told.
            Err(error @ (HarnessError::NotBuildable(_) | HarnessError::Misfit { .. })) => {
                let doubt = Doubt::NotRepeatable { reason: error.to_string() };
                self.unstable.push(Unstable { inputs, doubt });
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

/// Runs the new version on the random inputs of the old one, as far as they are values in both. Slower than drawing the same
/// inputs on both sides, which types of different shape do not allow.
fn prepass_one_by_one(
    (old, old_id): (&mut Worker, SubjectId),
    (new, new_id): (&mut Worker, SubjectId),
    plan: &PrepassPlan,
    patience: &mut Patience,
) -> Result<Prepass, HarnessError> {
    let started = Instant::now();
    let mut found = Prepass::default();
    let (mut hung, mut crashed) = (0, 0);
    for run in old.random(old_id, &plan.random)? {
        if started.elapsed() > plan.budget {
            found.end = NativeEnd::OutOfTime;
            break;
        }
        if !run.inputs.iter().all(|input| plan.common.has(input)) {
            continue;
        }
        let outcome = match new.call(new_id, &run.inputs) {
            Ok(outcome) => outcome,
            // The new version has no such value, or it cannot be given again.
            Err(HarnessError::Misfit { .. } | HarnessError::NotBuildable(_)) => continue,
            Err(error) => return Err(error),
        };
        found.runs += 1;
        hung += u32::from(outcome == Outcome::Hung);
        crashed += u32::from(matches!(outcome, Outcome::Aborted(_)));
        let first = (run.outcome, outcome);
        if !same_outcome(&first.0, &first.1) && !found.has_hang_like(&first) {
            let sides = ((&mut *old, old_id), (&mut *new, new_id));
            let care = (Care::Finding, &mut *patience);
            let replay = confirm_seen(sides.0, sides.1, &run.inputs, first, care);
            found.add(run.index, run.inputs, replay)?;
        }
        found.end = match () {
            () if found.differences.len() >= plan.most_differences => NativeEnd::EnoughDifferences,
            () if found.unstable.len() >= MOST_UNSTABLE => NativeEnd::TooManyUnstable,
            () if hung >= plan.random.most_hangs => NativeEnd::TooManyHangs,
            () if crashed >= plan.random.most_crashes => NativeEnd::TooManyCrashes,
            () => continue,
        };
        break;
    }
    Ok(found)
}

/// Runs of both with the same number.
fn common<'a>(old: &'a [RawRun], new: &'a [RawRun]) -> Vec<(&'a RawRun, &'a RawRun)> {
    let mut new = new.iter().peekable();
    let mut pairs = Vec::new();
    for old_run in old {
        while new.next_if(|run| run.index < old_run.index).is_some() {}
        if let Some(new_run) = new.next_if(|run| run.index == old_run.index) {
            pairs.push((old_run, new_run));
        }
    }
    pairs
}

fn is_hang(run: &RawRun) -> bool {
    matches!(run.end, RawEnd::Seen(Outcome::Hung))
}

fn is_crash(run: &RawRun) -> bool {
    matches!(run.end, RawEnd::Seen(Outcome::Aborted(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn returned(value: Value) -> Outcome {
        Outcome::Returned { value, mutated: Vec::new() }
    }

    #[track_caller]
    fn check(a: Value, b: Value, same: bool) {
        assert_eq!(same_outcome(&returned(a.clone()), &returned(b.clone())), same);
        assert_eq!(same_outcome(&returned(b), &returned(a)), same);
    }

    #[test]
    fn what_one_side_shows_as_text_only_is_no_difference() {
        let text = |text: &str| Value::Opaque(text.into());
        check(text("Err(Bad)"), Value::Bool(true), true);
        check(text("Err(Bad)"), text("Err(Worse)"), false);
        check(Value::Ref(Box::new(text("x"))), Value::Ref(Box::new(Value::Bool(true))), true);
    }

    #[test]
    fn the_rest_of_the_value_still_counts() {
        let pair = |first: bool, second: Value| Value::Tuple(vec![Value::Bool(first), second]);
        let text = Value::Opaque("x".into());
        check(pair(true, text.clone()), pair(true, Value::Char('x')), true);
        check(pair(true, text.clone()), pair(false, Value::Char('x')), false);
        check(Value::Seq(vec![text]), Value::Seq(Vec::new()), false);
    }

    #[test]
    fn what_is_behind_mutable_references_counts() {
        let outcome = |value| Outcome::Returned { value: Value::unit(), mutated: vec![(0, value)] };
        assert!(!same_outcome(&outcome(Value::Bool(true)), &outcome(Value::Bool(false))));
        assert!(same_outcome(&outcome(Value::Bool(true)), &outcome(Value::Opaque("x".into()))));
    }

    #[test]
    fn only_what_is_shown_is_borne_out() {
        let outcome = |items: &[Value]| Outcome::Returned {
            value: Value::unit(),
            mutated: vec![(0, Value::Seq(items.to_vec()))],
        };
        let (nothing, seven, eight) =
            (Value::Opaque("uninitialised".into()), Value::Bool(false), Value::Bool(true));
        let said = outcome(&[nothing.clone(), seven.clone()]);
        assert!(bears_out(&said, &outcome(&[eight.clone(), seven.clone()])));
        assert!(!bears_out(&said, &outcome(&[eight.clone(), eight])));
        assert!(!bears_out(&said, &outcome(&[seven, nothing])));
    }
}
