//! Calls with values that a function that changed leaves.
//!
//! *Idea.* A witness of the function that changed says how a value is made that is another one in each version. Calls with just these values come first, then
//! random inputs, of which the function may make some too.

use regress_core::evidence::Replay;
use regress_core::exec::Maker;
use regress_core::ir::{Path, Ty, TyKind};
use regress_core::value::Value;
use regress_core::verdict::{Confirmation, Witness, WitnessOrigin};

use super::evidence::Native;
use super::{Work, evidence, search, witnesses};
use crate::harness::{Asked, Care, RandomPlan};
use crate::stats::Stage;

/// Random inputs from which the other arguments of such calls are.
const OTHER_ARGUMENTS: u64 = 12;
/// Calls that are asked about at once; those that differ share the processes in which they are confirmed.
const TOGETHER: usize = 8;
/// Differences that are looked for.
const MOST_DIFFERENCES: usize = 3;
/// So many times as many random runs as others have: few of the values are led to by the function that changed.
const MORE_RUNS: u64 = 4;

/// A value of a type that is another one in each version.
pub(in crate::pipeline) struct LeftValue {
    pub ty: Path,
    pub value: Value,
}

impl LeftValue {
    /// What the maker leaves or returns of these inputs.
    pub fn of(maker: &Maker, inputs: Vec<Value>) -> Option<LeftValue> {
        let TyKind::Adt(path, _) = maker.makes.kind() else { return None };
        let by_value = |ty: &Ty| !matches!(ty.kind(), TyKind::Ref(..));
        let mut args = inputs;
        if let Some(begins) = maker.begins_with()
            && let (Some(it), Some(input)) = (args.get_mut(begins), maker.inputs.get(begins))
            && by_value(input)
            && let Value::Ref(inner) = it
        {
            *it = Value::clone(inner);
        }
        let value = Value::Made { callee: maker.callee.clone(), args, success: maker.success };
        Some(LeftValue { ty: path.clone(), value })
    }
}

/// The worst of the calls that show in their results how values differ which are left, or made by functions that changed.
pub(super) fn seen(work: &Work<'_>, left: &[LeftValue]) -> Option<Witness> {
    let mut native = evidence::native(work).ok()?;
    let program = &work.loaded.new.program;
    let tells = |seen: &Witness| witnesses::tells(program, &seen.old, &seen.new);
    let mut found = on_left(work, &mut native, left);
    if !found.iter().any(tells) {
        let runs = 0..MORE_RUNS * work.session.options.search.random_runs;
        found = evidence::test_at_random(work, &mut native, runs, &WitnessOrigin::Random).confirmed;
    }
    found.retain(tells);
    witnesses::in_order(program, found).into_iter().next()
}

fn on_left(work: &Work<'_>, native: &mut Native, left: &[LeftValue]) -> Vec<Witness> {
    let mut found = Vec::new();
    let (worker, subject) = &mut native.both.new;
    let plan = RandomPlan {
        max_len: work.session.options.search.max_len,
        literals: native.literals.clone(),
        ..RandomPlan::new(work.session.options.search.seed, OTHER_ARGUMENTS)
    };
    let Ok(others) = worker.random(*subject, &plan) else { return found };
    let inputs = &work.loaded.new.program.functions[work.new].inputs;
    let mut calls: Vec<Vec<Value>> = Vec::new();
    for (other, value) in others.iter().flat_map(|other| left.iter().map(move |value| (other, value))) {
        for (number, input) in inputs.iter().enumerate() {
            if let Some(given) = given(input, value) {
                let mut call = other.inputs.clone();
                call[number] = given;
                if !calls.contains(&call) {
                    calls.push(call);
                }
            }
        }
    }
    for together in calls.chunks(TOGETHER) {
        if search::budget(work).is_zero() || found.len() >= MOST_DIFFERENCES {
            break;
        }
        let asked: Vec<Asked<'_>> = together.iter().map(|call| Asked::of(call)).collect();
        let clock = &work.session.clock;
        let told = clock.time(Stage::Replay, || native.both.replay_all(&asked, Care::Finding));
        for (call, replay) in together.iter().zip(told) {
            // What one version cannot be given is no input.
            if let Ok(Replay::Differs { old, new }) = replay {
                found.push(witnesses::witness(
                    work,
                    call.clone(),
                    (old, new),
                    Confirmation::Native,
                    WitnessOrigin::Random,
                ));
            }
        }
    }
    found
}

/// The value as an argument for such a parameter.
fn given(input: &Ty, LeftValue { ty, value }: &LeftValue) -> Option<Value> {
    match input.kind() {
        TyKind::Adt(path, _) if path == ty => Some(value.clone()),
        TyKind::Ref(_, inner) => matches!(inner.kind(), TyKind::Adt(path, _) if path == ty)
            .then(|| Value::Ref(Box::new(value.clone()))),
        _ => None,
    }
}
