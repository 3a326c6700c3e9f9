//! All combinations of what native runs and an exploration can say.

use super::*;
use crate::compare::{Candidate, Sample};
use crate::explore::Completeness;
use crate::explore::direction::Leads;
use crate::smt::UnknownReason;
use crate::verdict::not_analysed::Refused;
use crate::verdict::{Class, Confirmation, Input, LoopOf, PartitionCount, WitnessOrigin};

fn returned(value: bool) -> Outcome {
    Outcome::Returned { value: Value::Bool(value), mutated: Vec::new() }
}

fn witness() -> Witness {
    let inputs = vec![Input { name: "x".into(), value: Value::Bool(true) }];
    Witness {
        inputs,
        old: returned(true),
        new: returned(false),
        confirmation: Confirmation::Native,
        origin: WitnessOrigin::Random,
    }
}

fn believed() -> Witness {
    let confirmation = Confirmation::Unconfirmed { reason: NotRun::NoSources };
    Witness { confirmation, ..witness() }
}

fn doubtful(doubt: Doubt) -> Doubtful {
    Doubtful { call: "f(true)".into(), doubt }
}

fn all_doubts() -> Vec<Doubt> {
    vec![
        Doubt::DifferedOnce { runs: 16 },
        Doubt::NotDeterministic { version: Version::New },
        Doubt::TooSlow { version: Version::Old, limit_ms: 20_000 },
        Doubt::NotRepeatable { reason: "opaque".into() },
    ]
}

/// What the exploration alone says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Explored {
    Equal,
    Within,
    /// A proof but for an entry that voids it.
    Void,
    Incomplete,
    /// A partition that differs, with its candidate.
    Differing,
    /// One version was given up at a bound where the other ended: a candidate beside a proof within bounds.
    Guess,
    Refused,
    StoppedEverywhere,
}

const EXPLORED: [Explored; 8] = [
    Explored::Equal,
    Explored::Within,
    Explored::Void,
    Explored::Incomplete,
    Explored::Differing,
    Explored::Guess,
    Explored::Refused,
    Explored::StoppedEverywhere,
];

fn comparison(explored: Explored) -> Comparison {
    let mut made = Comparison::refused(Refused::NoBody);
    if explored == Explored::Refused {
        return made;
    }
    made.refused = None;
    made.runs = 3;
    if explored == Explored::StoppedEverywhere {
        made.ledger.note(Approximation::OpaqueCall { callee: "f".into() });
        return made;
    }
    made.partitions = PartitionCount { explored: 2, differing: 0 };
    (made.syntactic, made.solved) = (1, 1);
    made.completeness = Completeness::Proved;
    made.samples = vec![Sample { inputs: Vec::new(), old: returned(true), new: returned(true) }];
    let candidate = |old, new| Candidate {
        inputs: vec![Value::Bool(true)],
        old,
        new,
        contents: None,
        runs: 1,
        leads: Leads::Other,
    };
    match explored {
        Explored::Within => made.ledger.note(Approximation::InputLength { max_len: 8 }),
        Explored::Void => made.ledger.note(Approximation::SolverUnknown { reason: UnknownReason::Timeout }),
        Explored::Incomplete => made.completeness = Completeness::Partial,
        Explored::Differing => {
            made.partitions = PartitionCount { explored: 3, differing: 1 };
            made.candidates.push(candidate(returned(true), returned(false)));
        }
        Explored::Guess => {
            made.ledger.note(Approximation::LoopBound {
                location: "here".into(),
                of: LoopOf::Program,
                limit: 64,
            });
            made.candidates.push(candidate(returned(true), Outcome::Hung));
        }
        Explored::Equal | Explored::Refused | Explored::StoppedEverywhere => {}
    }
    made
}

fn all_fates() -> Vec<Fate> {
    let mut fates = vec![
        Fate::Confirmed(witness()),
        Fate::Believed(believed()),
        Fate::GuessedWrong,
        Fate::Refuted { call: "f(true)".into() },
        Fate::NotSeen { call: "f(true)".into(), reason: NotRun::Said("dead".into()) },
        Fate::NotShown { reason: NotRun::Said("no harness".into()) },
    ];
    fates.extend(all_doubts().into_iter().map(|doubt| Fate::Doubtful(doubtful(doubt))));
    fates
}

fn all_evidence() -> Vec<NativeEvidence> {
    let ends = [
        NativeEnd::Completed,
        NativeEnd::EnoughDifferences,
        NativeEnd::TooManyUnstable,
        NativeEnd::OutOfTime,
        NativeEnd::TooManyHangs,
        NativeEnd::TooManyCrashes,
        NativeEnd::BrokeOff { reason: "a pipe".into() },
    ];
    let nothing_run = [
        None,
        Some(WhyNone::NotAsked),
        Some(WhyNone::ShapesDiffer),
        Some(WhyNone::Unavailable { reason: NotRun::Said("it reads files".into()) }),
    ];
    let mut unstable: Vec<Vec<Doubtful>> = vec![Vec::new()];
    unstable.extend(all_doubts().into_iter().map(|doubt| vec![doubtful(doubt)]));
    unstable.push(all_doubts().into_iter().map(doubtful).collect());
    let mut all = Vec::new();
    for end in &ends {
        for why_none in &nothing_run {
            for unstable in &unstable {
                for confirmed in [Vec::new(), vec![witness()]] {
                    for runs in [0, 1000] {
                        let (unstable, end) = (unstable.clone(), end.clone());
                        let why_none = why_none.clone();
                        all.push(NativeEvidence {
                            runs,
                            confirmed: confirmed.clone(),
                            unstable,
                            end,
                            why_none,
                            listed: None,
                        });
                    }
                }
            }
        }
    }
    all
}

/// The table: the first line that fits holds.
fn expected(native: &NativeEvidence, explored: Explored, fate: Option<&Fate>) -> &'static str {
    let seen = !native.confirmed.is_empty();
    let doubt = !native.unstable.is_empty() || matches!(fate, Some(Fate::Doubtful(_)));
    let void = matches!(
        fate,
        Some(Fate::Refuted { .. } | Fate::NotSeen { .. } | Fate::NotShown { .. } | Fate::Doubtful(_))
    );
    let has_candidate = matches!(explored, Explored::Differing | Explored::Guess);
    match explored {
        _ if seen || matches!(fate, Some(Fate::Confirmed(_) | Fate::Believed(_))) => "differs",
        Explored::Refused | Explored::StoppedEverywhere if native.runs > 0 || doubt => "nothing found",
        Explored::Refused | Explored::StoppedEverywhere => "not analysed",
        Explored::Void | Explored::Incomplete | Explored::Differing => "nothing found",
        _ if doubt || void || has_candidate && fate.is_none() => "nothing found",
        Explored::Within | Explored::Guess => "equal within",
        Explored::Equal => "equal",
    }
}

fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Equal { .. } => "equal",
        Verdict::EqualWithin { .. } => "equal within",
        Verdict::NoDifferenceFound { .. } => "nothing found",
        Verdict::Differs { .. } => "differs",
        Verdict::NotAnalysed { .. } => "not analysed",
        Verdict::Unchanged | Verdict::Added | Verdict::Removed => "something else",
    }
}

fn ledger_of(verdict: &Verdict) -> Option<&Ledger> {
    match verdict {
        Verdict::EqualWithin { bounds: ledger, .. }
        | Verdict::NoDifferenceFound { ledger, .. }
        | Verdict::Differs { ledger, .. } => Some(ledger),
        _ => None,
    }
}

#[test]
fn all_combinations() {
    let mut rows = 0;
    for explored in EXPLORED {
        let comparison = comparison(explored);
        let mut fates = vec![None];
        if !comparison.candidates.is_empty() {
            fates.extend(all_fates().into_iter().map(Some));
        }
        for native in all_evidence() {
            for fate in &fates {
                let tried: Vec<Fate> = fate.iter().cloned().collect();
                let verdict = conclude(&native, &comparison, &tried);
                let row = || format!("{explored:?} {fate:?} {native:?}");
                assert_eq!(word(&verdict), expected(&native, explored, fate.as_ref()), "{}", row());
                check_nothing_is_lost(&native, fate.as_ref(), &verdict, &row);
                rows += 1;
            }
        }
    }
    assert_eq!(rows, 672 * (6 + 2 * 11));
}

/// Every doubt, and that the harness failed, is in what is printed.
fn check_nothing_is_lost(
    native: &NativeEvidence,
    fate: Option<&Fate>,
    verdict: &Verdict,
    row: &dyn Fn() -> String,
) {
    let noted =
        |entry: &Approximation| ledger_of(verdict).is_some_and(|ledger| ledger.entries().contains(entry));
    for doubtful in &native.unstable {
        assert!(noted(&doubtful.approximation()), "{}", row());
        assert!(speaks_against_proof(verdict), "{}", row());
    }
    let of_fate = match fate {
        Some(Fate::Refuted { call }) => Some(Approximation::EngineMismatch { call: call.clone() }),
        Some(Fate::Doubtful(doubtful)) => Some(doubtful.approximation()),
        Some(Fate::NotSeen { call, reason }) => {
            Some(Approximation::Unconfirmed { call: call.clone(), reason: reason.clone() })
        }
        _ => None,
    };
    assert!(of_fate.is_none_or(|entry| noted(&entry)), "{}", row());
    if let (NativeEnd::BrokeOff { reason }, Verdict::NoDifferenceFound { .. }) = (&native.end, verdict) {
        assert!(noted(&Approximation::NativeFailure { reason: reason.clone() }), "{}", row());
    }
    if let Verdict::Differs { witnesses, .. } = verdict {
        assert!(native.confirmed.iter().all(|seen| witnesses.contains(seen)), "{}", row());
    }
}

#[test]
fn a_difference_against_a_proof_is_called_a_defect() {
    let native = NativeEvidence { runs: 1, confirmed: vec![witness()], ..NativeEvidence::default() };
    let verdict = conclude(&native, &comparison(Explored::Equal), &[]);
    let Verdict::Differs { class: Class::Behaviour, ledger, .. } = &verdict else { panic!("{verdict:?}") };
    assert!(matches!(ledger.entries(), [Approximation::ProofContradicted { .. }]), "{ledger:?}");
    // Within bounds the input may lie outside of them.
    let verdict = conclude(&native, &comparison(Explored::Within), &[]);
    let contradicted = |entry: &Approximation| matches!(entry, Approximation::ProofContradicted { .. });
    assert!(ledger_of(&verdict).is_some_and(|ledger| !ledger.entries().iter().any(contradicted)));
}

#[test]
fn one_doubt_of_each_kind_is_told() {
    let unstable: Vec<Doubtful> = (0..50)
        .map(|index| Doubtful { call: format!("f({index})"), doubt: Doubt::DifferedOnce { runs: 16 } })
        .collect();
    let native = NativeEvidence { runs: 1000, unstable, ..NativeEvidence::default() };
    let verdict = conclude_native(&native);
    assert_eq!(ledger_of(&verdict).map(|ledger| ledger.entries().len()), Some(1), "{verdict:?}");
}

#[test]
fn later_runs_drop_nothing_that_earlier_ones_showed() {
    for earlier in all_evidence() {
        for later in all_evidence() {
            let both = later.clone().with_earlier(earlier.clone());
            for seen in [&earlier, &later] {
                assert!(seen.confirmed.iter().all(|witness| both.confirmed.contains(witness)));
                assert!(seen.unstable.iter().all(|doubtful| both.unstable.contains(doubtful)));
                assert!(both.runs >= seen.runs);
            }
            assert!(both.confirmed.len() <= 1, "one input is one witness");
            assert_eq!((both.end, both.why_none), (later.end.clone(), later.why_none));
        }
    }
}

#[test]
fn what_further_runs_show_stands_against_what_was_said() {
    for explored in EXPLORED {
        let said = conclude(&NativeEvidence::default(), &comparison(explored), &[]);
        if matches!(said, Verdict::Differs { .. }) {
            continue;
        }
        let differs = NativeEvidence { runs: 5, confirmed: vec![witness()], ..NativeEvidence::default() };
        let verdict = conclude_again(&said, &differs);
        let Verdict::Differs { witnesses, ledger, .. } = &verdict else {
            panic!("{explored:?}: {verdict:?}")
        };
        assert_eq!(witnesses, &[witness()]);
        let is_defect =
            ledger.entries().iter().any(|entry| matches!(entry, Approximation::ProofContradicted { .. }));
        assert_eq!(is_defect, matches!(said, Verdict::Equal { .. }), "{explored:?}");
        for doubt in all_doubts() {
            let doubts =
                NativeEvidence { runs: 5, unstable: vec![doubtful(doubt)], ..NativeEvidence::default() };
            let verdict = conclude_again(&said, &doubts);
            assert!(matches!(verdict, Verdict::NoDifferenceFound { .. }), "{explored:?}: {verdict:?}");
            assert!(speaks_against_proof(&verdict), "{explored:?}");
        }
        let nothing = NativeEvidence { runs: 5, ..NativeEvidence::default() };
        assert_eq!(word(&conclude_again(&said, &nothing)), word(&said));
    }
}

#[test]
fn runs_on_every_input_are_a_proof_if_nothing_speaks_against_it() {
    let all = Listed { inputs: 256, run: 256, differing: 0, panicking: 3, shown: Shown::Whole };
    let quiet = NativeEvidence { runs: 1000, ..NativeEvidence::default() };
    let both = [Pure::assumed(); 2];
    let proof = Proof::Exhaustive(Exhausted { inputs: 256, panicking: 3 });
    assert_eq!(conclude_listed(&quiet, &all, both), Some(Verdict::Equal { proof }));
    let check_none = |native: &NativeEvidence, listed: Listed| {
        assert_eq!(conclude_listed(native, &listed, both), None, "{native:?} {listed:?}");
    };
    check_none(&quiet, Listed { run: 255, ..all });
    check_none(&quiet, Listed { differing: 1, ..all });
    check_none(&quiet, Listed { shown: Shown::InPart, ..all });
    // No inputs at all: nothing was run.
    check_none(&quiet, Listed { inputs: 0, run: 0, ..all });
    check_none(&NativeEvidence { confirmed: vec![witness()], ..quiet.clone() }, all);
    for doubt in all_doubts() {
        check_none(&NativeEvidence { unstable: vec![doubtful(doubt)], ..quiet.clone() }, all);
    }
    let broke_off = NativeEnd::BrokeOff { reason: "gone".into() };
    for end in [NativeEnd::TooManyHangs, NativeEnd::TooManyCrashes, NativeEnd::TooManyUnstable, broke_off] {
        check_none(&NativeEvidence { end, ..quiet.clone() }, all);
    }
}

#[test]
fn what_is_too_slow_in_one_version_does_not_speak_against_the_same_steps() {
    let with = |approximation: Approximation| {
        let mut ledger = Ledger::default();
        ledger.note(approximation);
        Verdict::NoDifferenceFound { runs: 1, ledger }
    };
    let slow = with(Approximation::TooSlow { call: "f(9)".to_owned(), version: Version::Old, limit_ms: 500 });
    assert!(speaks_against_proof(&slow) && !speaks_against_same_steps(&slow));
    let contradicted = with(Approximation::ProofContradicted {
        call: "f(9)".to_owned(),
        rests_on: RestsOn::Proofs { of: Vec::new() },
    });
    assert!(speaks_against_same_steps(&contradicted));
}
