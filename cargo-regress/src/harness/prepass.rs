//! The random pre-pass: the same random inputs through both versions, until enough of them make a difference.
//!
//! A difference only counts if both versions give the same outcomes again on the same input: what depends on time,
//! addresses or the order of hash tables is not held against the change.

use std::time::{Duration, Instant};

use regress_core::ir::{CommonShapes, Name};
use regress_core::value::{Outcome, Value};

use super::request::{Availability, HarnessError, SubjectId};
use super::wire;
use super::worker::{RandomPlan, RawEnd, RawRun, Worker};

#[derive(Clone, Debug)]
pub struct PrepassPlan {
    pub random: RandomPlan,
    /// Enough is enough.
    pub most_differences: usize,
    /// For both versions together; looked at between batches.
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

/// What a pre-pass found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prepass {
    /// Inputs that were run through both versions.
    pub runs: u64,
    pub differences: Vec<Difference>,
    /// Runs that differed once and not again, or on an input that cannot be given again.
    pub unstable: u64,
    pub end: PrepassEnd,
}

/// Why a pre-pass ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrepassEnd {
    Completed,
    EnoughDifferences,
    OutOfTime,
    TooManyHangs,
    TooManyCrashes,
}

const BATCH: u64 = 256;

/// How often an outcome that makes a difference has to come out again.
const CONFIRMATIONS: u32 = 16;

/// Runs both versions of a function on the same inputs. The subject may have different numbers in the two harnesses.
pub fn prepass(
    old: (&mut Worker, SubjectId),
    new: (&mut Worker, SubjectId),
    plan: &PrepassPlan,
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
            false => prepass_one_by_one((old, old_id), (new, new_id), plan),
        };
    }
    let started = Instant::now();
    let mut found = Prepass { runs: 0, differences: Vec::new(), unstable: 0, end: PrepassEnd::Completed };
    let last = plan.random.first + plan.random.count;
    let mut first = plan.random.first;
    while first < last {
        let batch = RandomPlan { first, count: BATCH.min(last - first), ..plan.random.clone() };
        let (old_runs, new_runs) = std::thread::scope(|scope| {
            let other = scope.spawn(|| old.random_raw(old_id, &batch));
            let new_runs = new.random_raw(new_id, &batch);
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
            if old_run.end == new_run.end || same_outcome(&old_run.outcome()?, &new_run.outcome()?) {
                continue;
            }
            let inputs = wire::values(&old_run.inputs)?;
            match confirm(&mut *old, old_id, old_run, &inputs)?
                .zip(confirm(&mut *new, new_id, new_run, &inputs)?)
            {
                Some((old, new)) => {
                    found.differences.push(Difference { index: old_run.index, inputs, old, new });
                }
                None => found.unstable += 1,
            }
            if found.differences.len() >= plan.most_differences {
                found.end = PrepassEnd::EnoughDifferences;
                return Ok(found);
            }
        }
        for runs in [&old_runs, &new_runs] {
            hung = runs.iter().filter(|run| is_hang(run)).count().max(hung);
            crashed = runs.iter().filter(|run| is_crash(run)).count().max(crashed);
        }
        if crashed >= plan.random.most_crashes as usize {
            found.end = PrepassEnd::TooManyCrashes;
            return Ok(found);
        }
        if hung >= plan.random.most_hangs as usize {
            found.end = PrepassEnd::TooManyHangs;
            return Ok(found);
        }
        first += batch.count;
        if started.elapsed() > plan.budget && first < last {
            found.end = PrepassEnd::OutOfTime;
            return Ok(found);
        }
    }
    Ok(found)
}

/// Runs the new version on the random inputs of the old one, as far as they are values in both. Slower than drawing the same
/// inputs on both sides, which types of different shape do not allow.
fn prepass_one_by_one(
    (old, old_id): (&mut Worker, SubjectId),
    (new, new_id): (&mut Worker, SubjectId),
    plan: &PrepassPlan,
) -> Result<Prepass, HarnessError> {
    let started = Instant::now();
    let mut found = Prepass { runs: 0, differences: Vec::new(), unstable: 0, end: PrepassEnd::Completed };
    let (mut hung, mut crashed) = (0, 0);
    for run in old.random(old_id, &plan.random)? {
        if started.elapsed() > plan.budget {
            found.end = PrepassEnd::OutOfTime;
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
        if !same_outcome(&run.outcome, &outcome) {
            match replay((&mut *old, old_id), (&mut *new, new_id), &run.inputs)? {
                Replay::Differs { old, new } => {
                    found.differences.push(Difference { index: run.index, inputs: run.inputs, old, new });
                }
                Replay::Same(_) | Replay::Unstable => found.unstable += 1,
            }
        }
        hung += u32::from(outcome == Outcome::Hung);
        crashed += u32::from(matches!(outcome, Outcome::Aborted(_)));
        found.end = match () {
            () if found.differences.len() >= plan.most_differences => PrepassEnd::EnoughDifferences,
            () if hung >= plan.random.most_hangs => PrepassEnd::TooManyHangs,
            () if crashed >= plan.random.most_crashes => PrepassEnd::TooManyCrashes,
            () => continue,
        };
        break;
    }
    Ok(found)
}

/// What one input gives in both versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replay {
    Same(Outcome),
    Differs {
        old: Outcome,
        new: Outcome,
    },
    /// A version gave two different outcomes for the same input.
    Unstable,
}

/// Runs one input through both versions; if they differ, again in new processes.
pub fn replay(
    old: (&mut Worker, SubjectId),
    new: (&mut Worker, SubjectId),
    inputs: &[Value],
) -> Result<Replay, HarnessError> {
    let ((old, old_id), (new, new_id)) = (old, new);
    let first = (old.call(old_id, inputs)?, new.call(new_id, inputs)?);
    if same_outcome(&first.0, &first.1) {
        return Ok(Replay::Same(first.0));
    }
    let stable =
        comes_out_again(old, old_id, &first.0, inputs)? && comes_out_again(new, new_id, &first.1, inputs)?;
    Ok(if stable { Replay::Differs { old: first.0, new: first.1 } } else { Replay::Unstable })
}

/// Whether the outcome comes out again and again in new processes, where nothing is left of earlier calls. Hash tables
/// have another order in each, and of two entries the same one comes first every other time.
fn comes_out_again(
    worker: &mut Worker,
    subject: SubjectId,
    first: &Outcome,
    inputs: &[Value],
) -> Result<bool, HarnessError> {
    let confirmations = match first {
        Outcome::Hung | Outcome::Aborted(_) => 1,
        Outcome::Returned { .. } | Outcome::Panicked(_) => CONFIRMATIONS,
    };
    for _ in 0..confirmations {
        worker.restart();
        if !same_outcome(first, &worker.call(subject, inputs)?) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether two outcomes count as the same: panics by their kind, deaths as such, values by what they are.
pub fn same_outcome(a: &Outcome, b: &Outcome) -> bool {
    match (a, b) {
        (Outcome::Panicked(a), Outcome::Panicked(b)) => a.kind == b.kind,
        (
            Outcome::Returned { value: a, mutated: a_mutated },
            Outcome::Returned { value: b, mutated: b_mutated },
        ) => {
            same_value(a, b)
                && a_mutated.len() == b_mutated.len()
                && a_mutated.iter().zip(b_mutated).all(|(a, b)| a.0 == b.0 && same_value(&a.1, &b.1))
        }
        _ => a == b,
    }
}

/// A value that one version shows as mere text (its type came out of a macro, say) and the other in its parts is not
/// known to differ. Fields that one version alone has are not compared.
fn same_value(a: &Value, b: &Value) -> bool {
    let all = |a: &[Value], b: &[Value]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_value(a, b));
    match (a, b) {
        (Value::Opaque(a), Value::Opaque(b)) => a == b,
        (Value::Opaque(_), _) | (_, Value::Opaque(_)) => true,
        (Value::Tuple(a), Value::Tuple(b)) | (Value::Seq(a), Value::Seq(b)) => all(a, b),
        (Value::Ref(a), Value::Ref(b)) => same_value(a, b),
        (
            Value::Adt { path, variant, ctor, fields },
            Value::Adt { path: b_path, variant: b_variant, ctor: b_ctor, fields: b_fields },
        ) => {
            (path, variant, ctor) == (b_path, b_variant, b_ctor)
                && in_both(fields, b_fields).all(|(a, b)| same_value(a, b))
        }
        _ => a == b,
    }
}

/// The values of fields that both have.
fn in_both<'v>(
    a: &'v [(Name, Value)],
    b: &'v [(Name, Value)],
) -> impl Iterator<Item = (&'v Value, &'v Value)> {
    let in_b = |name: &Name, at: usize| {
        // Nearly always they stand in the same place.
        let same_place = b.get(at).filter(|(other, _)| other == name);
        same_place.or_else(|| b.iter().find(|(other, _)| other == name)).map(|(_, value)| value)
    };
    a.iter().enumerate().filter_map(move |(at, (name, value))| Some((value, in_b(name, at)?)))
}

/// Whether a native outcome has everything that the engine says of it, apart from what the engine says to be opaque:
/// memory that is not initialised, say.
pub fn bears_out(said: &Outcome, native: &Outcome) -> bool {
    fn is_shown(said: &Value, native: &Value) -> bool {
        match (said, native) {
            (Value::Opaque(_), _) => true,
            (_, Value::Opaque(_)) => false,
            (Value::Adt { fields: said, .. }, Value::Adt { fields: native, .. }) => {
                in_both(said, native).all(|(said, native)| is_shown(said, native))
            }
            _ => said.parts().into_iter().zip(native.parts()).all(|(said, native)| is_shown(said, native)),
        }
    }
    let values = |outcome: &Outcome| match outcome {
        Outcome::Returned { value, mutated } => {
            let mutated = mutated.iter().map(|(_, value)| value.clone());
            std::iter::once(value.clone()).chain(mutated).collect()
        }
        _ => Vec::new(),
    };
    same_outcome(said, native)
        && values(said).iter().zip(&values(native)).all(|(said, native)| is_shown(said, native))
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

/// The outcome of a run if it comes out again in a new process, without what earlier calls left behind.
fn confirm(
    worker: &mut Worker,
    subject: SubjectId,
    run: &RawRun,
    inputs: &[Value],
) -> Result<Option<Outcome>, HarnessError> {
    let first = run.outcome()?;
    match comes_out_again(worker, subject, &first, inputs) {
        Ok(stable) => Ok(stable.then_some(first)),
        // An input that can be drawn but not told.
        Err(HarnessError::NotBuildable(_) | HarnessError::Misfit { .. }) => Ok(None),
        Err(error) => Err(error),
    }
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
