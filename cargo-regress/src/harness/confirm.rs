//! Whether an outcome that was different makes a difference of the versions.
//!
//! It does if both versions, called alternately in new processes, give the same outcomes again and again, each agrees with itself, also
//! when it is called twice in one process, and the versions do not agree with each other. What depends on time, addresses, the
//! order of hash tables or earlier calls is not held against the change, and what is merely slow is not taken for endless.
//! To start a process takes longer than most calls, so several inputs share the new processes.

use std::time::{Duration, Instant};

use regress_core::evidence::{Doubt, Replay};
use regress_core::ir::CommonShapes;
use regress_core::observable::{bears_out, same_in_both, same_outcome};
use regress_core::value::{Outcome, Value};
use regress_core::verdict::Version;

use super::request::{HarnessError, SubjectId};
use super::smaller::{levels, smaller};
use super::worker::Worker;

/// How often an outcome that makes a difference has to come out again.
const CONFIRMATIONS: usize = 16;
/// Inputs that share new processes: each is the first in one of each version at least twice.
const MOST_TOGETHER: usize = CONFIRMATIONS / 2;
/// So many times the limit of a call are given to one before it is said not to end.
const LONG: u32 = 10;
/// A call that has a sixteenth to do of what takes longer than the limit takes longer.
const NOTICEABLE: Duration = Duration::from_millis(20);
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
    /// Versions that do not end on some input that makes a difference. On another that says nothing new, and takes as long to see.
    endless: Vec<Version>,
    /// When all has to be over.
    until: Option<Instant>,
}

impl Patience {
    pub fn new(until: Option<Instant>) -> Patience {
        Patience { waits: LONG_WAITS, endless: Vec::new(), until }
    }

    /// How many long waits are left.
    pub fn left(&self) -> u32 {
        self.waits
    }

    /// When all has to be over.
    pub(super) fn until(&self) -> Option<Instant> {
        self.until
    }

    /// Takes one long wait for a version; none if none is left, the time would be over before, or it is known not to end.
    fn take(&mut self, version: Version, wait: Duration) -> bool {
        let in_time = self.until.is_none_or(|until| Instant::now() + wait <= until);
        let granted = in_time && self.waits > 0 && !self.endless.contains(&version);
        self.waits -= u32::from(granted);
        granted
    }

    /// Remembers which version does not end where that makes a difference.
    fn note(&mut self, replay: &Replay) {
        if let Replay::Differs { old, new } = replay {
            let ends = [(Version::Old, old), (Version::New, new)];
            self.endless
                .extend(ends.iter().filter(|(_, end)| **end == Outcome::Hung).map(|(version, _)| *version));
        }
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
    /// At which level of smaller numbers; 0 is the input that was asked for.
    level: u32,
}

/// Both versions of one function, as processes.
#[derive(Debug)]
pub struct Both {
    pub old: (Worker, SubjectId),
    pub new: (Worker, SubjectId),
    pub patience: Patience,
    /// What types that differ between the versions have in common.
    pub common: CommonShapes,
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
    pub fn replay(&mut self, asked: &Asked<'_>, care: Care) -> Result<Replay, HarnessError> {
        self.replay_all(std::slice::from_ref(asked), care).pop().expect("one was asked and one is told")
    }

    /// The same for several inputs, which share their new processes. One that is doubtful in the company of others is asked once
    /// more alone: an earlier call may have left something behind.
    ///
    /// This is the one place where outcomes of two versions are held against each other.
    pub fn replay_all(&mut self, asked: &[Asked<'_>], care: Care) -> Vec<Result<Replay, HarnessError>> {
        asked.chunks(MOST_TOGETHER).flat_map(|together| self.replay_together(together, care)).collect()
    }

    fn replay_together(&mut self, asked: &[Asked<'_>], care: Care) -> Vec<Result<Replay, HarnessError>> {
        let mut told = self.ask(asked, care);
        if asked.len() > 1 {
            for (asked, told) in asked.iter().zip(&mut told) {
                if let Ok(Replay::Doubtful(Doubt::NotDeterministic { .. } | Doubt::DifferedOnce { .. })) =
                    told
                {
                    *told = self.ask(std::slice::from_ref(asked), care).remove(0);
                }
            }
        }
        told
    }

    fn ask(&mut self, asked: &[Asked<'_>], care: Care) -> Vec<Result<Replay, HarnessError>> {
        let limit = self.old.0.call_limit();
        let ((old, old_id), (new, new_id)) = (&mut self.old, &mut self.new);
        let mut run = |input: usize, run: Run| {
            let (worker, id) = match run.version {
                Version::Old => (&mut *old, *old_id),
                Version::New => (&mut *new, *new_id),
            };
            if run.process == Process::New {
                worker.restart();
            }
            let Asked { inputs, shows, .. } = asked[input];
            if run.level > 0 {
                return match worker.call_within(id, &smaller(inputs, run.level), run.limit) {
                    // That there is no such input says nothing of how long calls take.
                    Err(HarnessError::Misfit { .. } | HarnessError::NotBuildable(_)) => Ok(Outcome::Hung),
                    ended => ended,
                };
            }
            match shows {
                Shows::Outcome => worker.call_within(id, inputs, run.limit),
                Shows::Contents { old, new } => {
                    let said = if run.version == Version::Old { old } else { new };
                    let seen = worker.look_within(id, inputs, run.limit)?;
                    Ok(if bears_out(said, &seen) { said.clone() } else { seen })
                }
            }
        };
        let first: Vec<Result<(Outcome, Outcome), HarnessError>> = (0..asked.len())
            .map(|input| match &asked[input].first {
                Some(first) => Ok(first.clone()),
                None => {
                    let mut once =
                        |version| run(input, Run { version, process: Process::Same, limit, level: 0 });
                    Ok((once(Version::Old)?, once(Version::New)?))
                }
            })
            .collect();
        let levels = |input: usize| levels(asked[input].inputs);
        let by = Decision { limit, care, common: &self.common, levels: &levels };
        confirm(first, &by, &mut self.patience, run)
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

    /// Whether it is run in this round.
    fn comes_again(&self, round: usize) -> bool {
        match self.first {
            // It was waited for.
            Outcome::Hung => false,
            // To die takes long, and nobody dies of the order of a hash table.
            Outcome::Aborted(_) | Outcome::OutOfMemory => round == 0,
            Outcome::Returned { .. } | Outcome::Panicked(_) => true,
        }
    }
}

/// How it stands with one input.
enum Case<E> {
    Open(Box<[Side; 2]>),
    Told(Result<Replay, E>),
}

fn too_slow(version: Version, limit: Duration) -> Replay {
    Replay::Doubtful(Doubt::TooSlow { version, limit_ms: limit.as_millis() as u64 })
}

/// What a decision goes by.
struct Decision<'a> {
    /// The usual one of a call.
    limit: Duration,
    care: Care,
    common: &'a CommonShapes,
    /// How many levels of smaller numbers there are for the input with that number.
    levels: &'a dyn Fn(usize) -> u32,
}

/// Decides by calls that `run` makes, of the input with that number. `first` is what each version, old and new, gave once.
fn confirm<E>(
    first: Vec<Result<(Outcome, Outcome), E>>,
    by: &Decision<'_>,
    patience: &mut Patience,
    mut run: impl FnMut(usize, Run) -> Result<Outcome, E>,
) -> Vec<Result<Replay, E>> {
    let mut cases: Vec<Case<E>> = first
        .into_iter()
        .enumerate()
        .map(|(input, first)| {
            let run = |of: Run| run(input, of);
            let levels = || (by.levels)(input);
            first
                .and_then(|first| begin(first, &levels, by, patience, run))
                .unwrap_or_else(|e| Case::Told(Err(e)))
        })
        .collect();
    let rounds = match by.care {
        Care::Finding => CONFIRMATIONS,
        Care::Sample => 0,
    };
    for round in 0..rounds {
        let open: Vec<usize> =
            (0..cases.len()).filter(|input| matches!(cases[*input], Case::Open(_))).collect();
        for side in 0..2 {
            let mut process = Process::New;
            // Each is now and then the first in its process.
            let turn = round % open.len().max(1);
            for input in open[turn..].iter().chain(&open[..turn]).copied() {
                let Case::Open(sides) = &mut cases[input] else { continue };
                if sides[side].comes_again(round) {
                    let told = once_more(&mut sides[side], (round, process), by.limit, |of| run(input, of));
                    process = Process::Same;
                    if let Some(told) = told.transpose() {
                        cases[input] = Case::Told(told);
                    }
                }
            }
        }
    }
    cases
        .into_iter()
        .map(|case| match case {
            Case::Open(sides) => {
                let replay = concluded(*sides, rounds, by.common);
                patience.note(&replay);
                Ok(replay)
            }
            Case::Told(told) => told,
        })
        .collect()
}

/// What is told without new processes: that the versions end alike or too late, or in a sample that one disagrees with itself.
fn begin<E>(
    first: (Outcome, Outcome),
    levels: &dyn Fn() -> u32,
    &Decision { limit, care, common, .. }: &Decision<'_>,
    patience: &mut Patience,
    mut run: impl FnMut(Run) -> Result<Outcome, E>,
) -> Result<Case<E>, E> {
    let told = |replay| Ok(Case::Told(Ok(replay)));
    if same_in_both(common, &first.0, &first.1) {
        return told(Replay::Same { old: first.0, new: first.1 });
    }
    let mut sides = [Side::new(Version::Old, first.0), Side::new(Version::New, first.1)];
    if let Some(slow) = sides.iter().position(|side| side.first == Outcome::Hung) {
        let version = sides[slow].version;
        let long = limit * LONG;
        let is_waited_for = care == Care::Finding && patience.take(version, long);
        if !is_waited_for || has_merely_much_to_do(version, levels(), limit, &mut run)? {
            return told(too_slow(version, limit));
        }
        match run(Run { version, process: Process::New, limit: long, level: 0 })? {
            Outcome::Hung => {}
            late if same_in_both(common, &late, &sides[1 - slow].first) => {
                sides[slow].first = late;
                let [old, new] = sides;
                return told(Replay::Same { old: old.first, new: new.first });
            }
            // To see it come out again takes longer than anybody waits.
            _ => return told(too_slow(version, limit)),
        }
    }
    if let Some(large) = sides.iter().position(|side| side.first == Outcome::OutOfMemory) {
        let version = sides[large].version;
        // Earlier calls may have left memory taken.
        let alone = run(Run { version, process: Process::New, limit, level: 0 })?;
        if alone == Outcome::OutOfMemory {
            // With the memory that callers have it may end as the other one does.
            return told(Replay::Doubtful(Doubt::TooLarge { version }));
        }
        if same_in_both(common, &alone, &sides[1 - large].first) {
            sides[large].first = alone;
            let [old, new] = sides;
            return told(Replay::Same { old: old.first, new: new.first });
        }
        sides[large] = Side::new(version, alone);
    }
    if care == Care::Sample {
        for side in &mut sides {
            let again = run(Run { version: side.version, process: Process::Same, limit, level: 0 })?;
            if !same_outcome(&side.first, &again) {
                return told(side.doubt());
            }
        }
    }
    Ok(Case::Open(Box::new(sides)))
}

/// Whether a version that does not end within the limit does so with smaller numbers, and takes noticeable time with the largest of these: a loop as
/// long as a number is large. What never ends from some number on is over at once below it.
fn has_merely_much_to_do<E>(
    version: Version,
    levels: u32,
    limit: Duration,
    run: &mut impl FnMut(Run) -> Result<Outcome, E>,
) -> Result<bool, E> {
    let mut ends_at = |level| {
        let ended = run(Run { version, process: Process::Same, limit, level })?;
        Ok(ended != Outcome::Hung)
    };
    if levels == 0 || !ends_at(levels)? {
        return Ok(false);
    }
    let (mut hangs, mut ends) = (0, levels);
    while ends - hangs > 1 {
        let middle = hangs + (ends - hangs) / 2;
        if ends_at(middle)? {
            ends = middle;
        } else {
            hangs = middle;
        }
    }
    // The first call may have to start the process.
    ends_at(ends)?;
    let started = Instant::now();
    ends_at(ends)?;
    Ok(started.elapsed() >= NOTICEABLE)
}

/// One round of one version; what it settles, if it does.
fn once_more<E>(
    side: &mut Side,
    (round, process): (usize, Process),
    limit: Duration,
    mut run: impl FnMut(Run) -> Result<Outcome, E>,
) -> Result<Option<Replay>, E> {
    let outcome = run(Run { version: side.version, process, limit, level: 0 })?;
    if outcome == Outcome::Hung {
        return Ok(Some(too_slow(side.version, limit)));
    }
    let ended = !matches!(outcome, Outcome::Aborted(_) | Outcome::OutOfMemory);
    side.add(outcome);
    // A counter that the function keeps shows in the second call.
    if round == 0 && ended {
        side.add(run(Run { version: side.version, process: Process::Same, limit, level: 0 })?);
    }
    Ok((!side.is_stable).then(|| side.doubt()))
}

/// What all rounds together tell.
fn concluded([old, new]: [Side; 2], rounds: usize, common: &CommonShapes) -> Replay {
    if old.agrees && new.agrees {
        return Replay::Differs { old: old.first, new: new.first };
    }
    // Each agrees with itself in new processes, but not with what was seen first.
    let now = (old.again.as_ref().unwrap_or(&old.first), new.again.as_ref().unwrap_or(&new.first));
    match same_in_both(common, now.0, now.1) {
        true => Replay::Doubtful(Doubt::DifferedOnce { runs: rounds as u32 }),
        false if old.agrees => new.doubt(),
        false => old.doubt(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;
    use Version::{New, Old};

    const LIMIT: Duration = Duration::from_secs(2);

    fn by(care: Care) -> Decision<'static> {
        static SAME: LazyLock<CommonShapes> = LazyLock::new(CommonShapes::default);
        Decision { limit: LIMIT, care, common: &SAME, levels: &|_| 0 }
    }

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
        let found = confirm(vec![Ok(first)], &by(care), &mut patience, |_, run| {
            let before = runs.iter().filter(|other| other.version == run.version).count() as u32;
            runs.push(run);
            Ok::<_, ()>(versions(run, before))
        });
        assert_eq!(found, [Ok(expected)]);
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
        assert_eq!(fresh, [Old, New].repeat(CONFIRMATIONS));
        let runs = check((returned(1), returned(1)), Care::Finding, constant(1, 2), same(1));
        assert!(runs.is_empty());
    }

    #[test]
    fn what_differed_once_is_told() {
        let expected = Replay::Doubtful(Doubt::DifferedOnce { runs: CONFIRMATIONS as u32 });
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
    fn memory_that_runs_are_not_given_makes_no_difference() {
        let first = || (returned(1), Outcome::OutOfMemory);
        let large = |run: Run, _: u32| if run.version == Old { returned(1) } else { Outcome::OutOfMemory };
        check(first(), Care::Finding, large, Replay::Doubtful(Doubt::TooLarge { version: New }));
        // What earlier calls had taken was missing.
        check(first(), Care::Finding, constant(1, 1), same(1));
        let expected = Replay::Differs { old: returned(1), new: returned(2) };
        check(first(), Care::Finding, constant(1, 2), expected);
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
    fn a_loop_as_long_as_a_number_is_large_is_not_endless() {
        // Four levels; how long it takes at each, if it ends.
        let check = |takes: fn(u32) -> Option<Duration>, expected: Replay| {
            let mut waited = Vec::new();
            let by = Decision { levels: &|_| 4, ..by(Care::Finding) };
            let first = vec![Ok((returned(1), Outcome::Hung))];
            let found = confirm(first, &by, &mut Patience::new(None), |_, run| {
                waited.push(run.limit);
                if run.version == New {
                    let Some(time) = takes(run.level) else { return Ok::<_, ()>(Outcome::Hung) };
                    std::thread::sleep(time);
                }
                Ok(returned(1))
            });
            assert_eq!(found, [Ok(expected)]);
            waited.contains(&(LIMIT * LONG))
        };
        let too_slow = Replay::Doubtful(Doubt::TooSlow { version: New, limit_ms: 2000 });
        assert!(!check(|level| (level > 2).then(|| Duration::from_millis(30)), too_slow.clone()));
        assert!(!check(|level| (level > 0).then(|| Duration::from_millis(30)), too_slow));
        let endless = || Replay::Differs { old: returned(1), new: Outcome::Hung };
        // With no number at all, from some number on, and with these numbers alone.
        assert!(check(|_| None, endless()));
        assert!(check(|level| (level > 2).then_some(Duration::ZERO), endless()));
        assert!(check(|level| (level > 0).then_some(Duration::ZERO), endless()));
    }

    #[test]
    fn patience_ends() {
        let mut patience = Patience::new(None);
        assert!((0..LONG_WAITS).all(|_| patience.take(New, LIMIT)) && !patience.take(New, LIMIT));
        let soon = Instant::now() + Duration::from_secs(1);
        assert!(!Patience::new(Some(soon)).take(New, LIMIT));
        let endless = |_, _: Run| -> Result<Outcome, ()> { Ok(Outcome::Hung) };
        let first = vec![Ok((returned(1), Outcome::Hung))];
        let found = confirm(first, &by(Care::Finding), &mut patience, endless);
        assert_eq!(found, [Ok(Replay::Doubtful(Doubt::TooSlow { version: New, limit_ms: 2000 }))]);
    }

    #[test]
    fn what_is_known_not_to_end_is_not_waited_for_again() {
        let mut patience = Patience::new(None);
        let endless = |_, run: Run| -> Result<Outcome, ()> {
            Ok(if run.version == New { Outcome::Hung } else { returned(1) })
        };
        let first = || vec![Ok((returned(1), Outcome::Hung))];
        let found = confirm(first(), &by(Care::Finding), &mut patience, endless);
        assert_eq!(found, [Ok(Replay::Differs { old: returned(1), new: Outcome::Hung })]);
        let again = confirm(first(), &by(Care::Finding), &mut patience, endless);
        assert_eq!(again, [Ok(Replay::Doubtful(Doubt::TooSlow { version: New, limit_ms: 2000 }))]);
        // The other version is another matter.
        assert!(patience.take(Old, LIMIT));
    }

    #[test]
    fn a_sample_is_asked_once_more() {
        let expected = Replay::Differs { old: returned(1), new: returned(2) };
        let runs = check((returned(1), returned(2)), Care::Sample, constant(1, 2), expected);
        assert!(runs.iter().all(|run| run.process == Process::Same) && runs.len() == 2);
        check((returned(1), returned(2)), Care::Sample, constant(1, 3), not_deterministic(New));
    }

    #[test]
    fn several_inputs_share_their_processes_and_each_is_judged_by_itself() {
        let first = |old, new| Ok((returned(old), returned(new)));
        // The second does not come out again, the third is alike, the last cannot be run.
        let firsts = vec![first(1, 2), first(3, 9), first(5, 5), Err("no such value"), first(1, 7)];
        let mut runs: Vec<(usize, Run)> = Vec::new();
        let found = confirm(firsts, &by(Care::Finding), &mut Patience::new(None), |input, run| {
            runs.push((input, run));
            Ok(match (input, run.version) {
                (1, _) => returned(3),
                (_, Old) => returned(1),
                (0, New) => returned(2),
                (_, New) => returned(7),
            })
        });
        let differs = |new| Ok(Replay::Differs { old: returned(1), new: returned(new) });
        let once = Ok(Replay::Doubtful(Doubt::DifferedOnce { runs: CONFIRMATIONS as u32 }));
        assert_eq!(found, [differs(2), once, Ok(same(5)), Err("no such value"), differs(7)]);
        let fresh = runs.iter().filter(|(_, run)| run.process == Process::New);
        assert_eq!(fresh.clone().count(), 2 * CONFIRMATIONS);
        assert!([0, 1, 4].iter().all(|input| fresh.clone().any(|(first, _)| first == input)));
    }
}
