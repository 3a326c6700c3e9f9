//! Functions that are neither shown to differ nor proved equal on every input, fuzzed.
//!
//! Instrumented workers are built when the first such function is there, so a run in which all is decided does without. The inputs of the search's
//! partitions are the first of the corpus, and what fuzzing leaves behind seeds the search of a later turn (Driller; HyDiff); that a search ended within bounds says nothing of longer inputs, which fuzzing has.

use std::time::{Duration, Instant};

use regress_core::evidence::{Doubtful, NativeEnd, NativeEvidence, conclude_again};
use regress_core::value::Value;
use regress_core::verdict::not_analysed::NotAnalysed;
use regress_core::verdict::{Approximation, ChangeKind, Confirmation, Ledger, Verdict, WitnessOrigin};

use super::super::Session;
use super::super::native::Harnesses;
use super::{Work, evidence, made_otherwise, search, witnesses};
use crate::args::Fuzz;
use crate::budget::Deadline;
use crate::harness::{self, FuzzEnd, FuzzPatience, FuzzPlan, HarnessError, RandomPlan};
use crate::stats::{Count, Stage};

/// Inputs of the search that the corpus begins with.
const MOST_SEEDS: usize = 64;
/// Inputs that are kept for later turns.
const MOST_LEFT: usize = 8;
/// Differences that are looked for.
const MOST_DIFFERENCES: usize = 3;
/// Functions of which nothing or little is proved get this part of what a function may take, and others that are equal within bounds that part.
const OPEN: u32 = 4;
const WITHIN_BOUNDS: u32 = 8;
/// Sequences of so many elements are short.
const SHORT: u64 = 4;
/// Where the run has no time to keep.
const LEAST_EXECUTIONS: u64 = 16_000;
/// Where a run has a time to keep, less than this is better spent otherwise: while instrumented workers are built, nothing else is done.
const LEAST_LEFT: Duration = Duration::from_secs(2);
const LEAST_LEFT_TO_BUILD: Duration = Duration::from_secs(20);
/// The same where fuzzing has turns of its own: nothing else would be done.
const LEAST_LEFT_AT_THE_END: Duration = Duration::from_secs(6);
/// Fuzzing that is shorter says nothing.
const LEAST_BUDGET: Duration = Duration::from_millis(50);

/// More than any function has.
const AFTER_ALL_TURNS: u64 = 1 << 32;

/// What fuzzing of a function left behind, for later turns.
#[derive(Clone, Debug, Default)]
pub(super) struct Left {
    turns: u64,
    /// Inputs that brought something new last.
    pub inputs: Vec<Vec<Value>>,
    /// Inputs of partitions of the last search.
    searched: Vec<Vec<Value>>,
}

impl Left {
    /// Keeps some inputs of a search for fuzzing.
    pub fn keep_searched(&mut self, inputs: &[Vec<Value>]) {
        self.searched = inputs.iter().take(MOST_SEEDS).cloned().collect();
    }
}

/// What is said of a function after fuzzing; none if that is what was said before.
pub(super) fn fuzz(
    work: &Work<'_>,
    said: &Verdict,
    random: &mut NativeEvidence,
    seeds: Vec<Vec<Value>>,
    left: &mut Left,
) -> Option<Verdict> {
    fuzz_for(budget(work, said)?, work, said, random, seeds, left)
}

/// The same in a turn that is for fuzzing alone, and takes as long.
pub(super) fn fuzz_for(
    budget: Duration,
    work: &Work<'_>,
    said: &Verdict,
    random: &mut NativeEvidence,
    seeds: Vec<Vec<Value>>,
    left: &mut Left,
) -> Option<Verdict> {
    let found = evidence_within((budget, FuzzPatience::Usual), work, random, seeds, left)?;
    // A later search makes no proof against it.
    random.unstable.extend(found.unstable.iter().cloned());
    Some(conclude_again(said, &found))
}

/// Whether fuzzing may show what neither random runs nor a search did.
pub(super) fn is_open(said: &Verdict) -> bool {
    match said {
        Verdict::EqualWithin { bounds, .. } => says_little(bounds),
        Verdict::NoDifferenceFound { .. } => true,
        Verdict::NotAnalysed { reason } => {
            matches!(reason, NotAnalysed::Refused(_) | NotAnalysed::Stopped(_))
        }
        _ => false,
    }
}

/// What so much fuzzing shows that it is not known before: it begins where no turn has.
pub(super) fn further_evidence(
    budget: Duration,
    work: &Work<'_>,
    random: &NativeEvidence,
    seeds: Vec<Vec<Value>>,
) -> Option<NativeEvidence> {
    if !is_possible(work, LEAST_LEFT_AT_THE_END) {
        return None;
    }
    let mut left = Left { turns: AFTER_ALL_TURNS, ..Left::default() };
    evidence_within((budget, FuzzPatience::Long), work, random, seeds, &mut left)
}

fn evidence_within(
    (budget, patience): (Duration, FuzzPatience),
    work: &Work<'_>,
    random: &NativeEvidence,
    mut seeds: Vec<Vec<Value>>,
    left: &mut Left,
) -> Option<NativeEvidence> {
    if !is_worth_it(random) {
        return None;
    }
    let clock = &work.session.clock;
    clock.time(Stage::Fuzzing, || {
        let mut native = evidence::native(work).ok()?;
        let asked = Instant::now();
        let guided = work.session.both_guided(work.loaded, work.harnesses, (work.old, work.new));
        work.waited.set(work.waited.get() + asked.elapsed());
        let mut guided = guided?;
        seeds.extend(left.searched.iter().cloned());
        seeds.truncate(MOST_SEEDS);
        seeds.extend(left.inputs.iter().cloned());
        let options = &work.session.options.search;
        let program = &work.loaded.new.program;
        let plan = FuzzPlan {
            random: RandomPlan {
                max_len: options.max_len,
                literals: native.literals.clone(),
                ..RandomPlan::new(seed(options.seed, &work.path(), left.turns), 0)
            },
            seeds,
            most_differences: MOST_DIFFERENCES,
            tells: &|old, new| witnesses::tells(program, old, new),
            budget,
            least: match (work.session.options.budget.deadline, work.kind) {
                (Some(_), _) => 0,
                (None, ChangeKind::Changed) => LEAST_EXECUTIONS,
                (None, _) => LEAST_EXECUTIONS / 4,
            },
            patience,
        };
        let mut fuzzed = match harness::fuzz(&mut native.both, &mut guided, &plan) {
            Ok(fuzzed) => fuzzed,
            Err(error @ HarnessError::NoWorker(_)) => {
                work.harnesses.report_trouble(&error.to_string());
                return None;
            }
            // What it found so far is lost, and nothing is said of it.
            Err(_) => return None,
        };
        if fuzzed.end == FuzzEnd::NotInstrumented {
            work.harnesses.report_trouble("the compiler takes no instrumentation");
        }
        clock.count(Count::Executions, fuzzed.executions);
        left.turns += 1;
        let known = std::mem::take(&mut left.inputs);
        left.inputs = fuzzed.latest;
        left.inputs.extend(known);
        left.inputs.truncate(MOST_LEFT);
        fuzzed.differences.retain(|seen| {
            !made_otherwise::is_of_makers(work, &mut native, &seen.inputs, [&seen.old, &seen.new])
        });
        let confirmed = fuzzed.differences.into_iter().map(|difference| {
            let outcomes = (difference.old, difference.new);
            witnesses::witness(
                work,
                difference.inputs,
                outcomes,
                Confirmation::Native,
                WitnessOrigin::Fuzzing,
            )
        });
        let unstable = fuzzed
            .unstable
            .into_iter()
            .map(|seen| Doubtful { call: witnesses::describe(work, &seen.inputs), doubt: seen.doubt });
        Some(NativeEvidence {
            runs: fuzzed.executions,
            confirmed: witnesses::in_order(program, confirmed.collect()),
            unstable: unstable.collect(),
            ..NativeEvidence::default()
        })
    })
}

/// Of a function's turn: the same in each run with the same option, and another one in each turn.
fn seed(option: u64, path: &str, turn: u64) -> u64 {
    let mixed = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    path.bytes()
        .fold(0xcbf2_9ce4_8422_2325 ^ option, mixed)
        .wrapping_add(turn.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// Whether random runs were made, and all was well with them.
fn is_worth_it(random: &NativeEvidence) -> bool {
    random.why_none.is_none()
        && random.unstable.is_empty()
        && matches!(random.end, NativeEnd::Completed | NativeEnd::EnoughDifferences | NativeEnd::OutOfTime)
}

/// What it may take; none if there is nothing to be found.
fn budget(work: &Work<'_>, said: &Verdict) -> Option<Duration> {
    let part = match said {
        said if is_open(said) => OPEN,
        Verdict::EqualWithin { .. } => WITHIN_BOUNDS,
        _ => return None,
    };
    let budget = search::budget(work).min(work.most / (part * for_kind(work)));
    (is_possible(work, LEAST_LEFT_TO_BUILD) && budget >= LEAST_BUDGET).then_some(budget)
}

/// Whether the inputs of a proof may be too short for what the function looks for.
fn says_little(bounds: &Ledger) -> bool {
    let is_short =
        |entry: &Approximation| matches!(entry, Approximation::InputLength { max_len } if *max_len <= SHORT);
    bounds.entries().iter().any(is_short)
}

/// Whether turns for fuzzing alone are possible now. Where instrumented workers have to be built, that takes as long as it took for the others, and as much is to be left.
pub(super) fn has_turns(session: &Session<'_>, harnesses: &Harnesses) -> bool {
    // Two versions, at once.
    let built = session.clock.stats().time(Stage::WorkerBuild) / 2;
    is_possible_in(session, harnesses, LEAST_LEFT_AT_THE_END.max(2 * built))
}

/// Whether it is asked for, and there is time; so much at least, if instrumented workers have to be built.
fn is_possible(work: &Work<'_>, least_to_build: Duration) -> bool {
    is_possible_in(work.session, work.harnesses, least_to_build)
}

fn is_possible_in(session: &Session<'_>, harnesses: &Harnesses, least_to_build: Duration) -> bool {
    let is_asked = session.options.search.fuzz == Fuzz::On;
    let left = session.options.budget.deadline.map(Deadline::remaining);
    let least = if harnesses.is_guided() { LEAST_LEFT } else { least_to_build };
    // Builds by which others are run at all come first.
    is_asked && harnesses.is_whole() && left.is_none_or(|left| left > least)
}

/// What a search of the function leaves, lest nothing be left where it is open in the end.
pub(super) fn reserved(work: &Work<'_>) -> Duration {
    let part = search::budget(work) / (OPEN * for_kind(work));
    if is_possible(work, LEAST_LEFT_TO_BUILD) && part >= LEAST_BUDGET { part } else { Duration::ZERO }
}

/// What changed gets more than what is affected.
fn for_kind(work: &Work<'_>) -> u32 {
    if work.kind == ChangeKind::Changed { 1 } else { 4 }
}

#[cfg(test)]
mod tests {
    use regress_core::evidence::{Doubt, WhyNone};

    use super::*;

    #[test]
    fn the_same_function_is_fuzzed_alike_and_each_turn_otherwise() {
        assert_eq!(seed(1, "k::f", 0), seed(1, "k::f", 0));
        let others = [seed(1, "k::g", 0), seed(2, "k::f", 0), seed(1, "k::f", 1)];
        assert!(!others.contains(&seed(1, "k::f", 0)));
    }

    #[test]
    fn what_ends_otherwise_from_run_to_run_is_not_fuzzed() {
        let runs = |end| NativeEvidence { end, ..NativeEvidence::default() };
        assert!(is_worth_it(&runs(NativeEnd::Completed)));
        // They were differences of what makes the inputs, else nobody would ask.
        assert!(is_worth_it(&runs(NativeEnd::EnoughDifferences)));
        assert!(!is_worth_it(&runs(NativeEnd::TooManyHangs)));
        let asked = NativeEvidence { why_none: Some(WhyNone::NotAsked), ..NativeEvidence::default() };
        assert!(!is_worth_it(&asked));
        let doubtful = Doubtful { call: "f(1)".into(), doubt: Doubt::DifferedOnce { runs: 16 } };
        assert!(!is_worth_it(&NativeEvidence { unstable: vec![doubtful], ..NativeEvidence::default() }));
    }
}
