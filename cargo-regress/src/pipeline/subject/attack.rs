//! Proofs attacked before they are believed: an input of each partition is run natively, and what the engine said of it held
//! against that.

use std::time::{Duration, Instant};

use regress_core::align::functions_reached;
use regress_core::compare::{Comparison, Sample};
use regress_core::evidence::{Doubt, Doubtful, NativeEnd, NativeEvidence, Replay};
use regress_core::ir::CommonShapes;
use regress_core::ir::Origin;
use regress_core::observable::{same_in_both, same_outcome};
use regress_core::value::Outcome;
use regress_core::verdict::{Approximation, Confirmation, Verdict, Version, WitnessOrigin};

use super::evidence::Native;
use super::{Work, witnesses};
use crate::harness::{Asked, Care, HarnessError};
use crate::stats::{Count, Stage};
use regress_core::verdict::RestsOn;

/// An attack on a proof goes on so long, and over so many inputs in any case.
const ATTACK: Duration = Duration::from_millis(200);
const LEAST_SAMPLES: usize = 32;

/// Runs an input of each partition natively before a proof is believed. Where the versions differ there, they differ, and
/// where the engine's outcome is not the native one, it says nothing about this function.
pub(super) fn attack(
    work: &Work<'_>,
    native: &mut Native,
    comparison: &mut Comparison,
    evidence: &mut NativeEvidence,
) {
    let is_proof = matches!(
        comparison.verdict_without_difference(),
        Verdict::Equal { .. } | Verdict::EqualWithin { .. }
    );
    if !is_proof || !evidence.confirmed.is_empty() {
        return;
    }
    let clock = &work.session.clock;
    let common = work.alignment.common_for(work.new);
    clock.time(Stage::Attack, || {
        let started = Instant::now();
        for (done, sample) in comparison.samples.iter().enumerate() {
            let is_late = work.session.options.budget.is_over();
            if is_late || done >= LEAST_SAMPLES && started.elapsed() > ATTACK {
                break;
            }
            clock.count(Count::Replays, 1);
            let call = || witnesses::describe(work, &sample.inputs);
            let waits = native.both.patience.left();
            let struck = strike(sample, &common, &mut |start| {
                if start == Start::Anew {
                    native.both.restart();
                }
                native.both.replay(&Asked::of(&sample.inputs), Care::Finding)
            });
            let struck = match struck {
                Ok(struck) => struck,
                // An input that cannot be told natively is none that can be held against the proof.
                Err(HarnessError::NotBuildable(_) | HarnessError::Misfit { .. }) => continue,
                Err(error) => {
                    evidence.end = NativeEnd::BrokeOff { reason: error.to_string() };
                    break;
                }
            };
            let is_slow = native.both.patience.left() < waits;
            match struck {
                Struck::AsSaid => {
                    evidence.runs += 1;
                    if is_slow {
                        break;
                    }
                }
                Struck::Slow => break,
                Struck::Differs { old, new } => {
                    let inputs = sample.inputs.clone();
                    evidence.confirmed.push(witnesses::witness(
                        work,
                        inputs,
                        (old, new),
                        Confirmation::Native,
                        WitnessOrigin::Search,
                    ));
                    let rests_on = RestsOn::Exploration { models: models_reached(work) };
                    comparison.ledger.note(Approximation::ProofContradicted { call: call(), rests_on });
                    break;
                }
                Struck::Doubtful(doubt) => {
                    evidence.unstable.push(Doubtful { call: call(), doubt });
                    break;
                }
                Struck::Otherwise => {
                    comparison.ledger.note(Approximation::EngineMismatch { call: call() });
                    break;
                }
            }
        }
    });
}

/// What an exploration of the function rests on beside the engine: the models of the standard library that it may run.
fn models_reached(work: &Work<'_>) -> Vec<String> {
    let program = &work.loaded.new.program;
    let reached = functions_reached(program, &[work.new]);
    let mut models: Vec<String> = reached
        .iter()
        .flatten()
        .filter(|id| program.functions[**id].origin == Origin::StdModel)
        .map(|id| program.functions[*id].path.to_string())
        .collect();
    models.sort();
    models
}

/// What an attack on a proof showed at one input.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Struck {
    AsSaid,
    /// No version ended within time and memory.
    Slow,
    Differs {
        old: Outcome,
        new: Outcome,
    },
    Doubtful(Doubt),
    /// Both versions end alike, and otherwise than the engine says.
    Otherwise,
}

/// Which processes an input is run in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    /// Those that there are.
    AsItIs,
    Anew,
}

/// Holds what the engine says of an input against native runs, which `replay` makes.
fn strike<E>(
    sample: &Sample,
    common: &CommonShapes,
    replay: &mut impl FnMut(Start) -> Result<Replay, E>,
) -> Result<Struck, E> {
    let (old, new) = match replay(Start::AsItIs)? {
        Replay::Same { old: Outcome::Hung | Outcome::OutOfMemory, .. } => return Ok(Struck::Slow),
        Replay::Same { old, new } => (old, new),
        Replay::Differs { old, new } => return Ok(Struck::Differs { old, new }),
        Replay::Doubtful(doubt) => return Ok(Struck::Doubtful(doubt)),
    };
    if same_in_both(common, &sample.old, &old) && same_in_both(common, &sample.new, &new) {
        return Ok(Struck::AsSaid);
    }
    // Earlier calls may have left something behind.
    let (old_again, new_again) = match replay(Start::Anew)? {
        Replay::Same { old, new } => (old, new),
        Replay::Differs { old, new } => return Ok(Struck::Differs { old, new }),
        Replay::Doubtful(doubt) => return Ok(Struck::Doubtful(doubt)),
    };
    for (version, first, again) in [(Version::Old, &old, &old_again), (Version::New, &new, &new_again)] {
        if !same_outcome(first, again) {
            return Ok(Struck::Doubtful(Doubt::NotDeterministic { version }));
        }
    }
    Ok(Struck::Otherwise)
}

#[cfg(test)]
mod tests {
    use regress_core::ir::IntTy;
    use regress_core::value::Value;

    use super::*;

    fn returned(number: u8) -> Outcome {
        Outcome::Returned { value: Value::int(IntTy::U8, number.into()), mutated: Vec::new() }
    }

    /// What the engine says, what a replay tells, and another in new processes.
    #[track_caller]
    fn check(said: (u8, u8), first: Replay, anew: Replay, expected: Struck) {
        let sample = Sample { inputs: Vec::new(), old: returned(said.0), new: returned(said.1) };
        let mut replay = |start| {
            Ok::<_, ()>(match start {
                Start::AsItIs => first.clone(),
                Start::Anew => anew.clone(),
            })
        };
        assert_eq!(strike(&sample, &CommonShapes::default(), &mut replay), Ok(expected));
    }

    fn same(number: u8) -> Replay {
        Replay::Same { old: returned(number), new: returned(number) }
    }

    #[test]
    fn a_proof_falls_at_a_native_difference() {
        check((1, 1), same(1), same(1), Struck::AsSaid);
        let (old, new) = (returned(1), returned(2));
        let differs = || Replay::Differs { old: old.clone(), new: new.clone() };
        let struck = || Struck::Differs { old: old.clone(), new: new.clone() };
        check((1, 1), differs(), differs(), struck());
        check((2, 2), same(1), differs(), struck());
        // Alike, and not as the engine says.
        check((1, 1), same(2), same(2), Struck::Otherwise);
        check((1, 2), same(1), same(1), Struck::Otherwise);
    }

    #[test]
    fn what_comes_and_goes_leaves_a_doubt() {
        let doubt = Doubt::DifferedOnce { runs: 16 };
        let told = || Replay::Doubtful(doubt.clone());
        check((1, 1), told(), same(1), Struck::Doubtful(doubt.clone()));
        check((1, 1), same(2), told(), Struck::Doubtful(doubt.clone()));
        let otherwise = Replay::Same { old: returned(2), new: returned(3) };
        check(
            (1, 1),
            same(2),
            otherwise,
            Struck::Doubtful(Doubt::NotDeterministic { version: Version::New }),
        );
        // What the engine says is no way out for what changed from run to run.
        check((1, 1), same(2), same(1), Struck::Doubtful(Doubt::NotDeterministic { version: Version::Old }));
    }

    #[test]
    fn what_is_slow_in_both_tells_nothing() {
        let slow = || Replay::Same { old: Outcome::Hung, new: Outcome::Hung };
        check((1, 1), slow(), slow(), Struck::Slow);
        check((1, 1), same(2), slow(), Struck::Doubtful(Doubt::NotDeterministic { version: Version::Old }));
    }
}
