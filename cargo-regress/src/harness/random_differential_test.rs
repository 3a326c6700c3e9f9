//! The random differential test: the same random inputs through both versions, until enough of them make a difference.
//!
//! Both versions are asked for digests of many runs at once; where these differ, the runs are repeated and told in full. A difference only
//! counts if [`super::confirm`] says so; what it doubts is kept as well.

use std::time::{Duration, Instant};

use regress_core::evidence::{Doubt, NativeEnd, Replay};
use regress_core::observable::same_in_both;
use regress_core::value::{Outcome, Value};

use super::confirm::{Asked, Both, Care};
use super::request::{Availability, HarnessError, SubjectId};
use super::shrink::{OF_A_LONG_ONE, OF_ANY, TellsMuch, by_fewer_calls, shrunk};
use super::wire;
use super::worker::{Digests, Lengths, Numbers, RandomPlan, RawEnd, RawRun, Worker};

#[derive(Clone)]
pub struct RandomTestPlan<'a> {
    pub random: RandomPlan,
    /// So many that tell much are enough, and of those that do not so many are kept.
    pub most_differences: usize,
    /// Whether outcomes that differ tell more than that something is another than before.
    pub tells: TellsMuch<'a>,
    /// For both versions together, without what it takes to confirm differences.
    pub budget: Duration,
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

/// An input on which the versions ended otherwise when each was run once.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Suspected {
    index: u64,
    inputs: Vec<Value>,
    first: (Outcome, Outcome),
    tells: Tells,
}

/// What it would tell that the outcomes differ; see [`RandomTestPlan::tells`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tells {
    Much,
    Little,
}

/// What the random runs found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RandomTest {
    /// Inputs that were run through both versions.
    pub runs: u64,
    pub differences: Vec<Difference>,
    /// Inputs on which something differed that may be no difference.
    pub unstable: Vec<Unstable>,
    pub end: NativeEnd,
    /// How many of the differences tell much, and how many little.
    telling: usize,
    faint: usize,
    /// To be confirmed: together, as the new processes are what takes time.
    suspected: Vec<Suspected>,
}

/// Runs that are told in full at once, at least and at most.
const CLOSE: (u64, u64) = (16, 256);
/// Runs that are told by digests at once, at least and at most.
const SKIMMED: (u64, u64) = (32, 4096);

/// One in so many runs that are told in full ends the process: it is not worth it to go on.
const CRASHES: usize = 3;

/// Inputs on which a function ends otherwise from run to run; more of them tell nothing, but smaller ones do: the order of a hash table shows only
/// where that has two entries.
const MOST_UNSTABLE: usize = 8;
/// The same with those that are smaller than all before.
const MOST_UNSTABLE_SMALLER: usize = 24;

/// Runs both versions of a function on the same inputs. The subject may have different numbers in the two harnesses.
pub fn random_differential_test(
    both: &mut Both,
    plan: &RandomTestPlan<'_>,
) -> Result<RandomTest, HarnessError> {
    for (worker, id) in [&both.old, &both.new] {
        if let Availability::Unavailable { reason } = worker.availability(*id) {
            return Err(HarnessError::Unavailable { subject: *id, reason: reason.clone() });
        }
    }
    if both.old.0.availability(both.old.1) != both.new.0.availability(both.new.1) {
        return match both.common.is_empty() {
            true => Err(HarnessError::ShapesDiffer { subject: both.new.1 }),
            false => random_test_one_by_one(both, plan),
        };
    }
    let mut found = RandomTest::default();
    let begun = Instant::now();
    run_few_small_ones(both, plan, &mut found)?;
    let first = RandomTestPlan { budget: plan.budget * PART_OF_ANY.0 / PART_OF_ANY.1, ..plan.clone() };
    found.end = run_in_batches(both, &first, &mut found)?;
    found.confirm(both)?;
    if !found.is_enough(plan) {
        found.end = run_small_ones(both, plan, begun, &mut found)?;
    }
    if !found.is_enough(plan) && found.end == NativeEnd::Completed {
        run_long_ones(both, plan, begun, &mut found)?;
    }
    found.differences.sort_by_key(|seen| !(plan.tells)(&seen.old, &seen.new));
    let mut differences: Vec<Difference> = Vec::new();
    for (number, difference) in std::mem::take(&mut found.differences).into_iter().enumerate() {
        let shorter = match number {
            0..MOST_SHRUNK => shrunk(both, difference, plan.tells, OF_ANY),
            MOST_SHRUNK..MOST_MADE_SHORTER => by_fewer_calls(both, difference, plan.tells),
            _ => difference,
        };
        if !differences.iter().any(|known| known.inputs == shorter.inputs) {
            differences.push(shorter);
        }
    }
    found.differences = differences;
    Ok(found)
}

/// Differences that are shown on small inputs, and on such as are made by as few calls as can be.
const MOST_SHRUNK: usize = 2;
const MOST_MADE_SHORTER: usize = 4;

/// Inputs with numbers of any size have this part of the time, if they need it.
const PART_OF_ANY: (u32, u32) = (2, 3);

/// So many inputs with small numbers come before all others, where numbers may be large.
const FIRST_SMALL: u64 = 32;

/// Where numbers are taken for lengths, one call may take all the time; and what differs on small ones is shown by them best.
fn run_few_small_ones(
    both: &mut Both,
    plan: &RandomTestPlan<'_>,
    found: &mut RandomTest,
) -> Result<(), HarnessError> {
    let Availability::Ready { shape, .. } = both.new.0.availability(both.new.1) else { return Ok(()) };
    let RandomPlan { first, count, .. } = plan.random;
    if first > 0 || count < FIRST_SMALL || !may_have_wide_integers(shape) {
        return Ok(());
    }
    // Numbers of inputs that are no one else's: each known input is tried once.
    let random =
        RandomPlan { numbers: Numbers::Small, first: 2 * count, count: FIRST_SMALL, ..plan.random.clone() };
    run_in_batches(both, &RandomTestPlan { random, ..plan.clone() }, found)?;
    found.confirm(both)
}

/// A call that takes longer than this does as much as its numbers say.
const LONG_CALL: Duration = Duration::from_millis(2);

/// Where most calls take long, or end the process, as numbers are taken for lengths or counts: inputs with small numbers in the place of those that
/// were not run, or as many again. Why all runs end.
fn run_small_ones(
    both: &mut Both,
    plan: &RandomTestPlan<'_>,
    begun: Instant,
    found: &mut RandomTest,
) -> Result<NativeEnd, HarnessError> {
    let end = found.end.clone();
    let is_cut = matches!(end, NativeEnd::OutOfTime | NativeEnd::TooManyHangs | NativeEnd::TooManyCrashes);
    let is_slow = u32::try_from(found.runs).is_ok_and(|runs| begun.elapsed() > LONG_CALL * runs);
    let Availability::Ready { shape, .. } = both.new.0.availability(both.new.1) else { return Ok(end) };
    if !(is_cut || is_slow) || !may_have_wide_integers(shape) {
        return Ok(end);
    }
    let RandomPlan { first, count, .. } = plan.random;
    let left = count.saturating_sub(found.runs);
    let (first, count) = if is_cut { (first + count - left, left) } else { (first + 3 * count, count) };
    let random = RandomPlan { numbers: Numbers::Small, first, count, ..plan.random.clone() };
    let budget = plan.budget.saturating_sub(begun.elapsed());
    let small = RandomTestPlan { random, budget, ..plan.clone() };
    run_in_batches(both, &small, found)?;
    found.confirm(both)?;
    // What was cut short stays so.
    Ok(if found.is_enough(plan) { found.end.clone() } else { end })
}

/// Whether parameters are made of integers that may be large, or by functions (`+`) that may take some.
fn may_have_wide_integers(shape: &str) -> bool {
    let wide = ["u16", "u32", "u64", "u128", "usize", "i16", "i32", "i64", "i128", "isize"];
    shape.contains('+') || wide.iter().any(|name| shape.contains(name))
}

/// So many inputs have one with longer sequences.
const LONG_ONES: u64 = 4;

/// Differences that are kept of these.
const MOST_LONG: usize = 3;

/// Runs inputs beyond the bound of lengths. Calls on them may take long, so what goes wrong here ends these runs, and nothing is said of calls that do
/// not end.
fn run_long_ones(
    both: &mut Both,
    plan: &RandomTestPlan<'_>,
    begun: Instant,
    found: &mut RandomTest,
) -> Result<(), HarnessError> {
    let RandomPlan { first, count, .. } = plan.random;
    let random = RandomPlan {
        lengths: Lengths::Long,
        first: first + count,
        count: count / LONG_ONES,
        most_hangs: 1,
        ..plan.random.clone()
    };
    let budget = plan.budget.saturating_sub(begun.elapsed());
    let plan = RandomTestPlan { random, budget, ..plan.clone() };
    let known = found.differences.len();
    run_in_batches(both, &plan, found)?;
    found.confirm(both)?;
    found.is_enough(&plan);
    // All would be shrunk to much the same.
    found.differences.truncate(known + MOST_LONG);
    for long in found.differences.split_off(known) {
        let short = shrunk(both, long, plan.tells, OF_A_LONG_ONE);
        if !found.differences.iter().any(|known| known.inputs == short.inputs) {
            found.differences.push(short);
        }
    }
    Ok(())
}

/// Runs both versions batch by batch; why it ends. What is suspected then is still to be confirmed.
fn run_in_batches(
    both: &mut Both,
    plan: &RandomTestPlan<'_>,
    found: &mut RandomTest,
) -> Result<NativeEnd, HarnessError> {
    let mut until = Instant::now() + plan.budget;
    let last = plan.random.first + plan.random.count;
    let mut first = plan.random.first;
    let mut close = CLOSE.0;
    // None where calls do not end: digests tell nothing of these.
    let mut skimmed = Some(SKIMMED.1);
    let (mut told, mut crashed) = (0, 0);
    while first < last {
        if let Some(most) = skimmed {
            let batch = RandomPlan { first, count: most.min(last - first), ..plan.random.clone() };
            let Skimmed { alike, runs, then } = skim(both, &batch)?;
            found.runs += runs;
            first += alike;
            // Where digests differ again and again although nothing else does, there is little to skim.
            close = if alike > close { CLOSE.0 } else { (4 * close).min(CLOSE.1) };
            match then {
                Then::More => {
                    skimmed = Some((2 * most).min(SKIMMED.1));
                    if Instant::now() > until && first < last {
                        return Ok(NativeEnd::OutOfTime);
                    }
                    continue;
                }
                Then::Differing => {}
                // The process ends now and then: fewer runs are lost of smaller batches.
                Then::Died if most > SKIMMED.0 => {
                    skimmed = Some((most / 8).max(SKIMMED.0));
                    continue;
                }
                Then::Died => close = SKIMMED.0,
                Then::Silent => (skimmed, close) = (None, CLOSE.1),
            }
        }
        let batch = RandomPlan { first, count: close.min(last - first), ..plan.random.clone() };
        let (old_runs, new_runs) = at_once(both, |worker, id| worker.random_raw(id, &batch, Some(until)))?;
        let (mut hung, mut ended) = (0, 0);
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
            if same_in_both(&both.common, &first.0, &first.1) || found.has_hang_like(&first) {
                continue;
            }
            let hangs = [&first.0, &first.1].contains(&&Outcome::Hung);
            if hangs && plan.random.lengths == Lengths::Long {
                continue;
            }
            let Some(tells) = found.tells_something(&first, plan) else { continue };
            let inputs = wire::values(&old_run.inputs)?;
            if found.is_as_unstable(&inputs) {
                continue;
            }
            found.suspected.push(Suspected { index: old_run.index, inputs, first, tells });
            // Whether one does not end bears on those that come after it.
            if hangs || found.may_be_enough(plan) {
                let asked = Instant::now();
                found.confirm(both)?;
                until += asked.elapsed();
                until = both.patience.until().map_or(until, |end| until.min(end));
            }
            if found.is_enough(plan) {
                return Ok(found.end.clone());
            }
        }
        for runs in [&old_runs, &new_runs] {
            hung = runs.iter().filter(|run| is_hang(run)).count().max(hung);
            ended = runs.iter().filter(|run| is_crash(run)).count().max(ended);
        }
        told += old_runs.len().max(new_runs.len());
        crashed += ended;
        if crashed >= plan.random.most_crashes as usize && CRASHES * crashed > told {
            return Ok(NativeEnd::TooManyCrashes);
        }
        if hung >= plan.random.most_hangs as usize {
            return Ok(NativeEnd::TooManyHangs);
        }
        first += batch.count;
        if Instant::now() > until && first < last {
            return Ok(NativeEnd::OutOfTime);
        }
    }
    found.confirm(both)?;
    Ok(if found.unstable.len() >= MOST_UNSTABLE { NativeEnd::TooManyUnstable } else { NativeEnd::default() })
}

/// Asks the workers of both versions at the same time.
pub(super) fn at_once<T: Send>(
    both: &mut Both,
    ask: impl Fn(&mut Worker, SubjectId) -> Result<T, HarnessError> + Sync,
) -> Result<(T, T), HarnessError> {
    let ((old, old_id), (new, new_id)) = (&mut both.old, &mut both.new);
    let (old, new) = std::thread::scope(|scope| {
        let other = scope.spawn(|| ask(old, *old_id));
        let new = ask(new, *new_id);
        (other.join(), new)
    });
    let old = old.map_err(|_| HarnessError::Protocol("the reader of the old version panicked".into()))??;
    Ok((old, new?))
}

/// What digests of the first runs of a batch tell.
struct Skimmed {
    /// Inputs on which both versions do the same.
    alike: u64,
    /// Those of them that could be made.
    runs: u64,
    then: Then,
}

/// What comes after runs that are alike.
enum Then {
    /// More of the batch, or its end.
    More,
    /// A run in which something differs, if only in how it is told.
    Differing,
    /// A call that ended the process, somewhere in the batch.
    Died,
    /// A call that does not end, somewhere in the batch.
    Silent,
}

/// Runs both versions and compares digests.
fn skim(both: &mut Both, batch: &RandomPlan) -> Result<Skimmed, HarnessError> {
    let (old, new) = at_once(both, |worker, id| worker.digests(id, batch))?;
    let (old, new) = match (old, new) {
        (Digests::Told(old), Digests::Told(new)) => (old, new),
        (old, new) => {
            both.restart();
            let then = if [old, new].contains(&Digests::Silent) { Then::Silent } else { Then::Died };
            return Ok(Skimmed { alike: 0, runs: 0, then });
        }
    };
    let alike: Vec<u64> =
        old.iter().zip(&new).take_while(|(old, new)| old == new).map(|(digest, _)| *digest).collect();
    let then = if alike.len() == old.len().min(new.len()) { Then::More } else { Then::Differing };
    // What calls leave behind in the process must be the same in both versions.
    if old.len() != new.len() {
        both.restart();
    }
    let runs = alike.iter().filter(|digest| **digest != wire::NO_RUN).count() as u64;
    Ok(Skimmed { alike: alike.len() as u64, runs, then })
}

impl RandomTest {
    /// Whether a version was seen not to end, and does not here either: that takes long to see, and says nothing new.
    fn has_hang_like(&self, first: &(Outcome, Outcome)) -> bool {
        let hangs = (first.0 == Outcome::Hung, first.1 == Outcome::Hung);
        let known = |seen: &Difference| (seen.old == Outcome::Hung, seen.new == Outcome::Hung) == hangs;
        hangs != (false, false) && self.differences.iter().any(known)
    }

    /// What it would tell that the outcomes differ; none if enough is known that tells no more.
    fn tells_something(&self, (old, new): &(Outcome, Outcome), plan: &RandomTestPlan<'_>) -> Option<Tells> {
        match (plan.tells)(old, new) {
            true => Some(Tells::Much),
            false => {
                let known = self.faint + self.suspected_to_tell(Tells::Little);
                (known < plan.most_differences).then_some(Tells::Little)
            }
        }
    }

    fn suspected_to_tell(&self, tells: Tells) -> usize {
        self.suspected.iter().filter(|seen| seen.tells == tells).count()
    }

    /// Asks whether what differed makes a difference.
    fn confirm(&mut self, both: &mut Both) -> Result<(), HarnessError> {
        let suspected = std::mem::take(&mut self.suspected);
        let asked: Vec<Asked<'_>> =
            suspected.iter().map(|seen| Asked::seen(&seen.inputs, seen.first.clone())).collect();
        let told = both.replay_all(&asked, Care::Finding);
        suspected.into_iter().zip(told).try_for_each(|(seen, told)| self.add(seen, told))
    }

    /// Whether further inputs tell nothing new if all that is suspected makes a difference.
    fn may_be_enough(&self, plan: &RandomTestPlan<'_>) -> bool {
        self.telling + self.suspected_to_tell(Tells::Much) >= plan.most_differences
    }

    /// Whether inputs no larger than these were seen to be unstable, often enough.
    fn is_as_unstable(&self, inputs: &[Value]) -> bool {
        self.unstable.len() >= MOST_UNSTABLE
            && self.least_unstable().is_some_and(|least| size(inputs) >= least)
    }

    fn least_unstable(&self) -> Option<usize> {
        self.unstable.iter().map(|seen| size(&seen.inputs)).min()
    }

    /// Whether further inputs tell nothing new; notes why.
    fn is_enough(&mut self, plan: &RandomTestPlan<'_>) -> bool {
        let none_is_smaller = |seen: &Unstable| size(&seen.inputs) <= seen.inputs.len();
        self.end = match () {
            () if self.unstable.len() >= MOST_UNSTABLE_SMALLER
                || self.unstable.len() >= MOST_UNSTABLE && self.unstable.iter().any(none_is_smaller) =>
            {
                NativeEnd::TooManyUnstable
            }
            () if self.telling >= plan.most_differences => NativeEnd::EnoughDifferences,
            () => return false,
        };
        true
    }

    fn add(
        &mut self,
        Suspected { index, inputs, tells, .. }: Suspected,
        replay: Result<Replay, HarnessError>,
    ) -> Result<(), HarnessError> {
        match replay {
            Ok(Replay::Differs { old, new }) => {
                *(if tells == Tells::Much { &mut self.telling } else { &mut self.faint }) += 1;
                self.differences.push(Difference { index, inputs, old, new });
            }
            // It was slow.
            Ok(Replay::Same { .. }) => {}
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
fn random_test_one_by_one(both: &mut Both, plan: &RandomTestPlan<'_>) -> Result<RandomTest, HarnessError> {
    let started = Instant::now();
    let mut found = RandomTest::default();
    let (mut hung, mut crashed) = (0, 0);
    let (old, new) = (both.old.1, both.new.1);
    for run in both.old.0.random(old, &plan.random)? {
        if started.elapsed() > plan.budget {
            found.end = NativeEnd::OutOfTime;
            break;
        }
        if !run.inputs.iter().all(|input| both.common.has(input)) {
            continue;
        }
        let outcome = match both.new.0.call(new, &run.inputs) {
            Ok(outcome) => outcome,
            // The new version has no such value, or it cannot be given again.
            Err(HarnessError::Misfit { .. } | HarnessError::NotBuildable(_)) => continue,
            Err(error) => return Err(error),
        };
        found.runs += 1;
        hung += u32::from(outcome == Outcome::Hung);
        crashed += u32::from(matches!(outcome, Outcome::Aborted(_) | Outcome::OutOfMemory));
        let first = (run.outcome, outcome);
        let differs = !same_in_both(&both.common, &first.0, &first.1) && !found.has_hang_like(&first);
        if differs && let Some(tells) = found.tells_something(&first, plan) {
            let hangs = [&first.0, &first.1].contains(&&Outcome::Hung);
            found.suspected.push(Suspected { index: run.index, inputs: run.inputs, first, tells });
            if hangs || found.may_be_enough(plan) {
                found.confirm(both)?;
            }
        }
        if found.is_enough(plan) {
            break;
        }
        found.end = match () {
            () if hung >= plan.random.most_hangs => NativeEnd::TooManyHangs,
            () if crashed >= plan.random.most_crashes => NativeEnd::TooManyCrashes,
            () => continue,
        };
        break;
    }
    found.confirm(both)?;
    found.is_enough(plan);
    Ok(found)
}

/// Of how many values inputs consist, references apart. A text is one: in what it is long decides nothing about the order of others.
fn size(inputs: &[Value]) -> usize {
    fn of(value: &Value) -> usize {
        let itself = usize::from(!matches!(value, Value::Ref(_)));
        itself + value.parts().into_iter().map(of).sum::<usize>()
    }
    inputs.iter().map(of).sum()
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
    matches!(run.end, RawEnd::Seen(Outcome::Aborted(_) | Outcome::OutOfMemory))
}

#[cfg(test)]
mod tests {
    use super::may_have_wide_integers;

    #[test]
    fn what_is_made_may_be_made_of_large_numbers() {
        assert!(may_have_wide_integers("&usize;"));
        assert!(may_have_wide_integers("&demo::Bits{+demo::Bits::with_capacity}"));
        assert!(!may_have_wide_integers("&str;u8"));
    }
}
