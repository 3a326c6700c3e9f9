//! Calls that tests make, made in both versions.

use std::time::Duration;

use regress_core::evidence::{Doubtful, NativeEvidence, Replay};
use regress_core::value::Value;
use regress_core::verdict::{Confirmation, WitnessOrigin};

use super::evidence::Native;
use super::{Work, search, witnesses};
use crate::harness::{Asked, Care};
use crate::pipeline::invariants::guarded_types;
use crate::pipeline::test_calls::TestCall;
use crate::stats::{Count, Stage};

/// Calls that are asked about at once; those that differ share the processes in which they are confirmed.
const TOGETHER: usize = 8;
/// Differences that are looked for.
const MOST_DIFFERENCES: usize = 3;
/// With no more time left, no further calls are made.
const LEAST_LEFT: Duration = Duration::from_millis(100);
/// Calls that a search begins with, and those that fuzzing does, the shortest ones: what the search found is to have a place beside them.
const MOST_SEEDS: usize = 6;
const MOST_FUZZED: usize = 32;

/// What the calls show.
pub(super) fn run(work: &Work<'_>, native: &mut Native) -> NativeEvidence {
    let calls = work.test_calls.of(work.new);
    let mut found = NativeEvidence::default();
    let possible: Vec<&TestCall> = calls.iter().filter(|call| is_possible(work, &call.inputs)).collect();
    for together in possible.chunks(TOGETHER) {
        let is_over = search::budget(work) <= LEAST_LEFT || found.confirmed.len() >= MOST_DIFFERENCES;
        if is_over {
            break;
        }
        let asked: Vec<Asked<'_>> = together.iter().map(|call| Asked::of(&call.inputs)).collect();
        let clock = &work.session.clock;
        let told = clock.time(Stage::Replay, || native.both.replay_all(&asked, Care::Finding));
        for (call, replay) in together.iter().zip(told) {
            // What one version cannot be given is no input.
            let Ok(replay) = replay else { continue };
            found.runs += 1;
            match replay {
                Replay::Differs { old, new } => found.confirmed.push(witnesses::witness(
                    work,
                    call.inputs.clone(),
                    (old, new),
                    Confirmation::Native,
                    WitnessOrigin::Test { name: call.test.clone().unwrap_or_default() },
                )),
                Replay::Doubtful(doubt) => {
                    let call = witnesses::describe(work, &call.inputs);
                    found.unstable.push(Doubtful { call, doubt });
                }
                Replay::Same { .. } => {}
            }
        }
    }
    work.session.clock.count(Count::TestCalls, found.runs);
    found.confirmed = witnesses::in_order(&work.loaded.new.program, found.confirmed);
    found
}

/// Whether the old version may make these values too. What nothing is known to make is put together from fields at random as well.
fn is_possible(work: &Work<'_>, inputs: &[Value]) -> bool {
    let guarded = guarded_types(&work.loaded.new.program, inputs.iter());
    guarded.iter().all(|ty| {
        !work.harnesses.makers().has_some_of(ty)
            || work.test_calls.is_made_alike(work.loaded, work.alignment, ty, work.new)
    })
}

/// Inputs that fuzzing begins with.
pub(super) fn seeds(work: &Work<'_>) -> Vec<Vec<Value>> {
    let calls = work.test_calls.of(work.new).iter().map(|call| &call.inputs);
    let mut inputs: Vec<&Vec<Value>> = calls.filter(|inputs| is_possible(work, inputs)).collect();
    inputs.sort_by_key(|inputs| witnesses::display_len(inputs));
    inputs.into_iter().take(MOST_FUZZED).cloned().collect()
}

/// Of those, what a search begins with.
pub(super) fn first_of(seeds: &[Vec<Value>]) -> &[Vec<Value>] {
    &seeds[..seeds.len().min(MOST_SEEDS)]
}
