//! What native runs of both versions at random show.

use std::collections::BTreeSet;
use std::ops::Range;

use regress_core::evidence::{Doubtful, NativeEnd, NativeEvidence, WhyNone};
use regress_core::value::Outcome;
use regress_core::verdict::not_analysed::NotRun;
use regress_core::verdict::{ChangeKind, Confirmation, Verdict, Witness, WitnessOrigin};

use super::{Work, made_otherwise, search, witnesses};
use crate::harness::{self, Both, HarnessError, Literals, RandomPlan, RandomTest, RandomTestPlan};
use crate::report::Note;
use crate::report::reasons;
use crate::stats::{Count, Stage};

/// Differences looked for natively before the search takes over.
const MOST_NATIVE_DIFFERENCES: usize = 8;
/// Where none of these tells much, so often more are looked for.
const MOST_FURTHER: usize = 6;

/// Both versions of a subject, able to run natively, and what is written in them.
pub(in crate::pipeline) struct Native {
    pub both: Both,
    pub literals: Literals,
}

impl Native {
    /// Numbers in the bodies of both versions.
    pub fn integers(&self) -> BTreeSet<u128> {
        self.literals.ints.clone()
    }
}

/// Both versions, able to run.
pub(super) fn native(work: &Work<'_>) -> Result<Native, NotRun> {
    let limits = work.session.options.search.call_limits();
    let both = work.harnesses.both((work.old, work.new), limits, work.session.patience(work.left))?;
    let mut literals = work.harnesses.literals(work.old, work.new);
    if work.kind != ChangeKind::Changed {
        literals.add_of_changed(&work.at_chosen.literals_of_changed(work.alignment));
    }
    if !work.suspected.is_empty() {
        literals.written = literals.written.beginning_with(work.suspected);
    }
    Ok(Native { both, literals })
}

/// Runs both versions on these inputs, and leaves out differences that come of how inputs are made. Where none of those that are found
/// tells much, it goes on behind them.
fn random_runs(
    work: &Work<'_>,
    native: &mut Native,
    Range { start: first, end }: Range<u64>,
) -> Result<RandomTest, HarnessError> {
    let search = &work.session.options.search;
    let program = &work.loaded.new.program;
    let (mut found, mut next) = (RandomTest::default(), first);
    for _ in 0..=MOST_FURTHER {
        let plan = RandomTestPlan {
            random: RandomPlan {
                max_len: search.max_len,
                literals: native.literals.clone(),
                first: next,
                ..RandomPlan::new(search.seed, end - next)
            },
            most_differences: MOST_NATIVE_DIFFERENCES,
            tells: &|old, new| witnesses::tells(program, old, new),
            budget: search::budget(work) / 2,
        };
        let mut more = match harness::random_differential_test(&mut native.both, &plan) {
            Ok(more) => more,
            Err(error) if next == first => return Err(error),
            // What was found before stays.
            Err(error) => {
                found.end = NativeEnd::BrokeOff { reason: error.to_string() };
                break;
            }
        };
        let last = more.differences.iter().map(|difference| difference.index).max();
        more.differences
            .retain(|seen| !made_otherwise::is_of_makers(work, native, &seen.inputs, [&seen.old, &seen.new]));
        let is_told = more.differences.iter().any(|seen| witnesses::tells(program, &seen.old, &seen.new));
        let is_enough = more.end != NativeEnd::EnoughDifferences || is_told;
        found.runs += more.runs;
        found.end = more.end;
        found.differences.extend(more.differences);
        found.unstable.extend(more.unstable);
        match last.map(|last| last + 1) {
            Some(behind) if !is_enough && behind < end => next = behind,
            _ => break,
        }
    }
    Ok(found)
}

/// So many random and boundary inputs through both versions.
pub(super) fn test_at_random(
    work: &Work<'_>,
    native: &mut Native,
    Range { start: first, end }: Range<u64>,
    origin: &WitnessOrigin,
) -> NativeEvidence {
    let mut evidence = NativeEvidence::default();
    if end <= first {
        evidence.why_none = Some(WhyNone::NotAsked);
        return evidence;
    }
    let found = match work.session.clock.time(Stage::RandomTest, || random_runs(work, native, first..end)) {
        Ok(found) => found,
        // Functions whose parameters differ in shape, or that cannot be run, are left to the search.
        Err(HarnessError::ShapesDiffer { .. }) => {
            evidence.why_none = Some(WhyNone::ShapesDiffer);
            return evidence;
        }
        Err(HarnessError::Unavailable { reason, .. }) => {
            evidence.why_none = Some(WhyNone::Unavailable { reason: NotRun::Said(reason) });
            return evidence;
        }
        Err(error) => {
            evidence.end = NativeEnd::BrokeOff { reason: error.to_string() };
            return evidence;
        }
    };
    evidence.runs = found.runs;
    evidence.end = found.end;
    work.session.clock.count(Count::RandomRuns, found.runs);
    evidence.unstable = found
        .unstable
        .into_iter()
        .map(|seen| Doubtful { call: witnesses::describe(work, &seen.inputs), doubt: seen.doubt })
        .collect();
    let mut differences = found.differences;
    differences.sort_by_key(|difference| witnesses::display_len(&difference.inputs));
    evidence.confirmed = differences
        .into_iter()
        .map(|difference| {
            let outcomes = (difference.old, difference.new);
            witnesses::witness(work, difference.inputs, outcomes, Confirmation::Native, origin.clone())
        })
        .collect();
    evidence
}

/// Keeps what a search found and native runs confirmed for later turns. Values that are put together from fields stay with the search that
/// made them.
pub(super) fn keep_confirmed(work: &Work<'_>, evidence: &mut NativeEvidence, witnesses: &[Witness]) {
    let is_kept = |witness: &&Witness| {
        witness.confirmation == Confirmation::Native && !witnesses::is_on_fields(work, witness)
    };
    let confirmed = witnesses.iter().filter(is_kept).cloned().collect();
    let found = NativeEvidence { confirmed, ..NativeEvidence::default() };
    *evidence = std::mem::take(evidence).with_earlier(found);
}

/// That less stands behind a proof than should. Where nothing is proved, the ledger says so.
pub(super) fn note_on_break(evidence: &NativeEvidence, verdict: &Verdict) -> Option<Note> {
    match (&evidence.end, verdict) {
        (NativeEnd::BrokeOff { reason }, Verdict::Equal { .. } | Verdict::EqualWithin { .. }) => {
            Some(Note::BrokeOff { reason: reason.clone() })
        }
        _ => None,
    }
}

/// Runs by which it is seen whether all of the result is shown.
const LOOKS: u64 = 8;

/// Whether native runs know no way to show some part of the outcome.
pub(super) fn hides_some(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Returned { value, mutated } => {
            value.hides_some() || mutated.iter().any(|(_, value)| value.hides_some())
        }
        _ => false,
    }
}

/// Whether native runs tell of some part of the outcome by a hash alone.
pub(super) fn is_hashed(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Returned { value, mutated } => {
            value.is_digest() || mutated.iter().any(|(_, value)| value.is_digest())
        }
        _ => false,
    }
}

/// That not all of the result is compared natively, in case no difference is found.
pub(super) fn note_on_hidden(
    work: &Work<'_>,
    native: &mut Result<Native, NotRun>,
    evidence: &NativeEvidence,
) -> Option<Note> {
    let native = native.as_mut().ok()?;
    if evidence.runs == 0 || evidence.end != NativeEnd::Completed {
        return None;
    }
    let search = &work.session.options.search;
    let plan = RandomPlan { max_len: search.max_len, ..RandomPlan::new(search.seed, LOOKS) };
    // What one version alone shows is not compared either.
    let Both { old, new, .. } = &mut native.both;
    let hidden = [new, old].into_iter().any(|(worker, subject)| {
        let runs = worker.random(*subject, &plan);
        runs.is_ok_and(|runs| runs.iter().any(|run| hides_some(&run.outcome)))
    });
    hidden.then_some(Note::PartlyShown)
}

/// That nothing was run natively, where the harness as a whole is there.
pub(super) fn note_on_no_runs(work: &Work<'_>, evidence: &NativeEvidence) -> Option<Note> {
    match evidence.why_none.as_ref()? {
        _ if work.session.options.frontend.files().is_some() => None,
        WhyNone::NotAsked => None,
        WhyNone::ShapesDiffer => Some(Note::ShapesDiffer),
        // No harness asks for what no types were found for, and the verdict says so.
        WhyNone::Unavailable { reason: NotRun::NoPlace }
            if work.harnesses.instantiation(work.old, work.new).is_err() =>
        {
            None
        }
        // Said once for the whole crate.
        WhyNone::Unavailable { reason }
            if work.harnesses.notes.iter().any(|note| note.contains(&reasons::not_run(reason))) =>
        {
            None
        }
        WhyNone::Unavailable { reason } => Some(Note::NotRun { reason: reason.clone() }),
    }
}

#[cfg(test)]
mod tests {
    use regress_core::verdict::not_analysed::NotAnalysed;
    use regress_core::verdict::{Explored, PartitionCount, Proof};

    use super::*;

    #[test]
    fn a_proof_tells_that_native_runs_broke_off() {
        let partitions = PartitionCount { explored: 1, differing: 0 };
        let proof = Explored { partitions, syntactic: 1, solved: 0, panicking: 0 };
        let equal = Verdict::Equal { proof: Proof::Explored(proof) };
        let broke_off = NativeEvidence {
            end: NativeEnd::BrokeOff { reason: "the harness is gone".into() },
            ..NativeEvidence::default()
        };
        let note = note_on_break(&broke_off, &equal);
        assert!(matches!(note, Some(Note::BrokeOff { reason }) if reason == "the harness is gone"));
        assert!(note_on_break(&NativeEvidence::default(), &equal).is_none());
        let nothing = Verdict::NotAnalysed { reason: NotAnalysed::InOneVersionOnly };
        assert!(note_on_break(&broke_off, &nothing).is_none());
    }
}
