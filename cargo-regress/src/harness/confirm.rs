//! Whether an outcome that was different makes a difference of the versions.
//!
//! It does if both versions, called alternately in new processes, give the same outcomes again and again, each agrees with itself, also
//! when it is called twice in one process, and the versions do not agree with each other. What depends on time, addresses, the
//! order of hash tables or earlier calls is not held against the change, and what is merely slow is not taken for endless.

use std::time::{Duration, Instant};

use regress_core::evidence::{Doubt, Replay};
use regress_core::observable::{bears_out, same_outcome};
use regress_core::value::{Outcome, Value};
use regress_core::verdict::Version;

use super::request::{HarnessError, SubjectId};
use super::worker::Worker;

/// How often an outcome that makes a difference has to come out again.
const CONFIRMATIONS: u32 = 16;
/// So many times the limit of a call are given to one before it is said not to end.
const LONG: u32 = 10;
/// Calls of one function that are waited for so long.
const LONG_WAITS: u32 = 2;

/// How sure to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Care {
    /// What is reported as a difference.
    Finding,
    /// One of many points of a function that is known to differ: asked once more in the same process.
    Sample,
}

/// How long calls of one function may be waited for beyond the usual limit.
#[derive(Clone, Debug)]
pub struct Patience {
    waits: u32,
    /// When all has to be over.
    until: Option<Instant>,
}

impl Patience {
    pub fn new(until: Option<Instant>) -> Patience {
        Patience { waits: LONG_WAITS, until }
    }

    /// How many long waits are left.
    pub fn left(&self) -> u32 {
        self.waits
    }

    /// Takes one long wait; none if none is left or the time would be over before.
    fn take(&mut self, wait: Duration) -> bool {
        let in_time = self.until.is_none_or(|until| Instant::now() + wait <= until);
        let granted = in_time && self.waits > 0;
        self.waits -= u32::from(granted);
        granted
    }
}

/// Where a call happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Process {
    /// One in which nothing is left of earlier calls.
    New,
    /// That of the last call of this version.
    Same,
}

/// One call that a decision asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    version: Version,
    process: Process,
    limit: Duration,
}

/// Both versions of one function, as processes.
#[derive(Debug)]
pub struct Both {
    pub old: (Worker, SubjectId),
    pub new: (Worker, SubjectId),
    pub patience: Patience,
}

/// One input for both versions, and what of the outcomes is compared.
#[derive(Clone, Debug)]
pub struct Asked<'a> {
    inputs: &'a [Value],
    shows: Shows<'a>,
    /// How each version ended when it was run once.
    first: Option<(Outcome, Outcome)>,
}

/// What is shown of an outcome.
#[derive(Clone, Copy, Debug)]
enum Shows<'a> {
    /// What a caller can see.
    Outcome,
    /// The numbers in `MaybeUninit`s as well, as far as these are initialised in what is said of the versions.
    Contents { old: &'a Outcome, new: &'a Outcome },
}

impl<'a> Asked<'a> {
    pub fn of(inputs: &'a [Value]) -> Asked<'a> {
        Asked { inputs, shows: Shows::Outcome, first: None }
    }

    /// An input that has been run once in each.
    pub(super) fn seen(inputs: &'a [Value], first: (Outcome, Outcome)) -> Asked<'a> {
        Asked { inputs, shows: Shows::Outcome, first: Some(first) }
    }

    /// With the numbers in `MaybeUninit`s: an outcome that has those that are said of its version is shown as what is said.
    pub fn contents(inputs: &'a [Value], (old, new): (&'a Outcome, &'a Outcome)) -> Asked<'a> {
        Asked { inputs, shows: Shows::Contents { old, new }, first: None }
    }
}

impl Both {
    /// How both versions end on an input. If they do not end alike, they are run as often as it takes to know.
    ///
    /// This is the one place where outcomes of two versions are held against each other.
    pub fn replay(&mut self, asked: &Asked<'_>, care: Care) -> Result<Replay, HarnessError> {
        let limit = self.old.0.call_limit();
        let ((old, old_id), (new, new_id)) = (&mut self.old, &mut self.new);
        let mut run = |run: Run| {
            let (worker, id) = match run.version {
                Version::Old => (&mut *old, *old_id),
                Version::New => (&mut *new, *new_id),
            };
            if run.process == Process::New {
                worker.restart();
            }
            match asked.shows {
                Shows::Outcome => worker.call_within(id, asked.inputs, run.limit),
                Shows::Contents { old, new } => {
                    let said = if run.version == Version::Old { old } else { new };
                    let seen = worker.look_within(id, asked.inputs, run.limit)?;
                    Ok(if bears_out(said, &seen) { said.clone() } else { seen })
                }
            }
        };
        let first = match &asked.first {
            Some(first) => first.clone(),
            None => {
                let mut once = |version| run(Run { version, process: Process::Same, limit });
                (once(Version::Old)?, once(Version::New)?)
            }
        };
        confirm(first, limit, care, &mut self.patience, run)
    }

    /// Ends both processes, so that the next calls are in new ones.
    pub fn restart(&mut self) {
        self.old.0.restart();
        self.new.0.restart();
    }
}

/// What one version gave so far.
struct Side {
    version: Version,
    first: Outcome,
    /// Whether it gave that in all of the runs since.
    agrees: bool,
    /// What it gave in the first of the new processes, and whether it gave that in all of them.
    again: Option<Outcome>,
    is_stable: bool,
}

impl Side {
    fn new(version: Version, first: Outcome) -> Side {
        Side { version, first, agrees: true, again: None, is_stable: true }
    }

    fn add(&mut self, outcome: Outcome) {
        self.agrees &= same_outcome(&self.first, &outcome);
        match &self.again {
            Some(again) => self.is_stable &= same_outcome(again, &outcome),
            None => self.again = Some(outcome),
        }
    }

    fn doubt(&self) -> Replay {
        Replay::Doubtful(Doubt::NotDeterministic { version: self.version })
    }
}

/// Decides by calls that `run` makes. `first` is what each version, old and new, gave once; `limit` is the usual one of a call.
fn confirm<E>(
    first: (Outcome, Outcome),
    limit: Duration,
    care: Care,
    patience: &mut Patience,
    mut run: impl FnMut(Run) -> Result<Outcome, E>,
) -> Result<Replay, E> {
    if same_outcome(&first.0, &first.1) {
        return Ok(Replay::Same { old: first.0, new: first.1 });
    }
    let mut sides = [Side::new(Version::Old, first.0), Side::new(Version::New, first.1)];
    let too_slow = |version: Version, limit: Duration| {
        Replay::Doubtful(Doubt::TooSlow { version, limit_ms: limit.as_millis() as u64 })
    };
    if let Some(slow) = sides.iter().position(|side| side.first == Outcome::Hung) {
        let version = sides[slow].version;
        let long = limit * LONG;
        if care == Care::Sample || !patience.take(long) {
            return Ok(too_slow(version, limit));
        }
        match run(Run { version, process: Process::New, limit: long })? {
            Outcome::Hung => {}
            late if same_outcome(&late, &sides[1 - slow].first) => {
                sides[slow].first = late;
                let [old, new] = sides;
                return Ok(Replay::Same { old: old.first, new: new.first });
            }
            // To see it come out again takes longer than anybody waits.
            _ => return Ok(too_slow(version, limit)),
        }
    }
    if care == Care::Sample {
        for side in &mut sides {
            let again = run(Run { version: side.version, process: Process::Same, limit })?;
            if !same_outcome(&side.first, &again) {
                return Ok(side.doubt());
            }
        }
    }
    let rounds = match care {
        Care::Finding => CONFIRMATIONS,
        Care::Sample => 0,
    };
    for round in 0..rounds {
        for side in &mut sides {
            let comes_again = match side.first {
                // It was waited for.
                Outcome::Hung => false,
                // To die takes long, and nobody dies of the order of a hash table.
                Outcome::Aborted(_) => round == 0,
                Outcome::Returned { .. } | Outcome::Panicked(_) => true,
            };
            if !comes_again {
                continue;
            }
            let outcome = run(Run { version: side.version, process: Process::New, limit })?;
            if outcome == Outcome::Hung {
                return Ok(too_slow(side.version, limit));
            }
            let ended = !matches!(outcome, Outcome::Aborted(_));
            side.add(outcome);
            // A counter that the function keeps shows in the second call.
            if round == 0 && ended {
                side.add(run(Run { version: side.version, process: Process::Same, limit })?);
            }
            if !side.is_stable {
                return Ok(side.doubt());
            }
        }
    }
    let [old, new] = sides;
    if old.agrees && new.agrees {
        return Ok(Replay::Differs { old: old.first, new: new.first });
    }
    // Each agrees with itself in new processes, but not with what was seen first.
    let now = (old.again.as_ref().unwrap_or(&old.first), new.again.as_ref().unwrap_or(&new.first));
    Ok(match same_outcome(now.0, now.1) {
        true => Replay::Doubtful(Doubt::DifferedOnce { runs: rounds }),
        false if old.agrees => new.doubt(),
        false => old.doubt(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use Version::{New, Old};

    const LIMIT: Duration = Duration::from_secs(2);

    fn returned(number: u64) -> Outcome {
        let value = Value::Int { ty: regress_core::ir::IntTy::U64, bits: number.into() };
        Outcome::Returned { value, mutated: Vec::new() }
    }

    /// Decides with versions that are functions of the call: its version, process, limit and how many of this version there were.
    #[track_caller]
    fn check(
        first: (Outcome, Outcome),
        care: Care,
        versions: impl Fn(Run, u32) -> Outcome,
        expected: Replay,
    ) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        let mut patience = Patience::new(None);
        let found = confirm(first, LIMIT, care, &mut patience, |run| {
            let before = runs.iter().filter(|other| other.version == run.version).count() as u32;
            runs.push(run);
            Ok::<_, ()>(versions(run, before))
        });
        assert_eq!(found, Ok(expected));
        runs
    }

    fn constant(old: u64, new: u64) -> impl Fn(Run, u32) -> Outcome {
        move |run, _| returned(if run.version == Old { old } else { new })
    }

    fn same(number: u64) -> Replay {
        Replay::Same { old: returned(number), new: returned(number) }
    }

    fn not_deterministic(version: Version) -> Replay {
        Replay::Doubtful(Doubt::NotDeterministic { version })
    }

    #[test]
    fn a_difference_comes_out_in_new_processes_alternately() {
        let expected = Replay::Differs { old: returned(1), new: returned(2) };
        let runs = check((returned(1), returned(2)), Care::Finding, constant(1, 2), expected);
        let fresh: Vec<Version> =
            runs.iter().filter(|run| run.process == Process::New).map(|run| run.version).collect();
        assert_eq!(fresh, [Old, New].repeat(CONFIRMATIONS as usize));
        let runs = check((returned(1), returned(1)), Care::Finding, constant(1, 2), same(1));
        assert!(runs.is_empty());
    }

    #[test]
    fn what_differed_once_is_told() {
        let expected = Replay::Doubtful(Doubt::DifferedOnce { runs: CONFIRMATIONS });
        check((returned(1), returned(2)), Care::Finding, constant(1, 1), expected);
    }

    #[test]
    fn a_version_that_disagrees_with_itself_makes_no_difference() {
        // Time, addresses: another outcome each time.
        let random = |of: Version| {
            move |run: Run, before| {
                if run.version == of { returned(100 + u64::from(before)) } else { returned(7) }
            }
        };
        check((returned(1), returned(7)), Care::Finding, random(Old), not_deterministic(Old));
        check((returned(7), returned(1)), Care::Finding, random(New), not_deterministic(New));
        // A counter: the same in each new process, and more in the second call.
        let counter = |run: Run, _| match (run.version, run.process) {
            (Old, _) => returned(7),
            (New, Process::New) => returned(0),
            (New, Process::Same) => returned(1),
        };
        check((returned(7), returned(0)), Care::Finding, counter, not_deterministic(New));
        // The order of a hash table: every other time the same.
        let order =
            |run: Run, before: u32| returned(if run.version == Old { 0 } else { u64::from(before > 9) });
        check((returned(0), returned(1)), Care::Finding, order, not_deterministic(New));
        // What earlier calls left behind.
        check((returned(5), returned(7)), Care::Finding, constant(1, 7), not_deterministic(Old));
        check((returned(7), returned(5)), Care::Finding, constant(7, 1), not_deterministic(New));
    }

    #[test]
    fn a_call_that_ends_late_is_not_endless() {
        let first = || (returned(1), Outcome::Hung);
        let late = |outcome: u64| {
            move |run: Run, _| match run.version {
                Old => returned(1),
                New if run.limit > LIMIT => returned(outcome),
                New => Outcome::Hung,
            }
        };
        check(first(), Care::Finding, late(1), same(1));
        let too_slow = Replay::Doubtful(Doubt::TooSlow { version: New, limit_ms: 2000 });
        check(first(), Care::Finding, late(2), too_slow.clone());
        let runs = check(first(), Care::Sample, late(1), too_slow);
        assert!(runs.is_empty());
        // 1.9 s, and sometimes 2.1 s.
        let sometimes = |run: Run, before| match run.version {
            Old if before == 3 => Outcome::Hung,
            Old => returned(1),
            New => returned(2),
        };
        let too_slow = Replay::Doubtful(Doubt::TooSlow { version: Old, limit_ms: 2000 });
        check((returned(1), returned(2)), Care::Finding, sometimes, too_slow);
    }

    #[test]
    fn what_does_not_end_in_ten_times_the_limit_hangs() {
        let endless = |run: Run, _| if run.version == Old { Outcome::Hung } else { returned(1) };
        let expected = Replay::Differs { old: Outcome::Hung, new: returned(1) };
        let runs = check((Outcome::Hung, returned(1)), Care::Finding, endless, expected);
        let waited: Vec<Duration> =
            runs.iter().filter(|run| run.version == Old).map(|run| run.limit).collect();
        assert_eq!(waited, [LIMIT * LONG]);
        // The other version has to agree with itself all the same.
        let other = |run: Run, before: u32| {
            if run.version == Old { Outcome::Hung } else { returned(before.into()) }
        };
        check((Outcome::Hung, returned(0)), Care::Finding, other, not_deterministic(New));
    }

    #[test]
    fn patience_ends() {
        let mut patience = Patience::new(None);
        assert!((0..LONG_WAITS).all(|_| patience.take(LIMIT)) && !patience.take(LIMIT));
        let soon = Instant::now() + Duration::from_secs(1);
        assert!(!Patience::new(Some(soon)).take(LIMIT));
        let endless = |_: Run| -> Result<Outcome, ()> { Ok(Outcome::Hung) };
        let found = confirm((returned(1), Outcome::Hung), LIMIT, Care::Finding, &mut patience, endless);
        assert_eq!(found, Ok(Replay::Doubtful(Doubt::TooSlow { version: New, limit_ms: 2000 })));
    }

    #[test]
    fn a_sample_is_asked_once_more() {
        let expected = Replay::Differs { old: returned(1), new: returned(2) };
        let runs = check((returned(1), returned(2)), Care::Sample, constant(1, 2), expected);
        assert!(runs.iter().all(|run| run.process == Process::Same) && runs.len() == 2);
        check((returned(1), returned(2)), Care::Sample, constant(1, 3), not_deterministic(New));
    }
}
