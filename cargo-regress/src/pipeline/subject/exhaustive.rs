//! Every input run natively, where there are few: the search is spared if that is a proof.
//!
//! First what takes no time at all, in the turn that has native runs alone; more of it when the search would begin.

use std::time::Duration;

use regress_core::align::purity::{Pure, pure_function};
use regress_core::evidence::{Doubtful, Listed, NativeEvidence, conclude_listed};
use regress_core::ir::ResultTypes;
use regress_core::verdict::{Confirmation, Verdict, WitnessOrigin};

use super::evidence::Native;
use super::{Effort, Work, search, witnesses};
use crate::harness;
use crate::report::Note;
use crate::stats::{Count, Stage};

/// So many inputs are run whether or not a proof can come of it, and in the turn of native runs already if these have the time.
const QUICK: u64 = 1 << 16;

/// So few are run even where time is scarce: there are as many random runs.
const SCARCE: u64 = 1 << 10;
/// With less time for native runs, random ones are all that is made: others wait.
const WORTH_LISTING: Duration = Duration::from_millis(250);

/// Runs every input of a function that has few. The proof that this makes, if it makes one; differences are left in `evidence`.
pub(super) fn prove(
    work: &Work<'_>,
    native: &mut Native,
    evidence: &mut NativeEvidence,
    effort: Effort,
) -> Option<Verdict> {
    if evidence.why_none.is_some() || evidence.listed.is_some() {
        return None;
    }
    let inputs = harness::inputs_in_common(&native.both)?;
    if inputs > QUICK && (effort == Effort::NativeRuns || both_pure(work).is_none()) {
        return None;
    }
    if inputs > SCARCE && effort == Effort::NativeRuns && work.most < WORTH_LISTING {
        return None;
    }
    let clock = &work.session.clock;
    let budget = search::budget(work) / 2;
    let ran = clock.time(Stage::RandomTest, || harness::run_every_input(&mut native.both, inputs, budget));
    // A harness that fails here fails in what comes next as well, which tells.
    let ran = ran.ok()?;
    clock.count(Count::ExhaustiveRuns, ran.listed.run);
    evidence.listed = Some(ran.listed);
    evidence.runs += ran.listed.run;
    evidence.unstable.extend(
        ran.unstable
            .into_iter()
            .map(|seen| Doubtful { call: witnesses::describe(work, &seen.inputs), doubt: seen.doubt }),
    );
    let found = ran.differences.into_iter().map(|difference| {
        let outcomes = (difference.old, difference.new);
        witnesses::witness(work, difference.inputs, outcomes, Confirmation::Native, WitnessOrigin::Exhaustive)
    });
    // Whether the crate makes such values is for the search to say.
    let confirmed = found.filter(|witness| !witnesses::is_on_fields(work, witness)).collect();
    let found = NativeEvidence { confirmed, ..NativeEvidence::default() };
    *evidence = std::mem::take(evidence).with_earlier(found);
    if ran.listed.differing > 0 {
        return None;
    }
    conclude_listed(evidence, &ran.listed, both_pure(work)?)
}

/// Both versions are pure, give values of one type, and are given all that they take.
fn both_pure(work: &Work<'_>) -> Option<[Pure; 2]> {
    let is_whole = work.alignment.results(work.new) == ResultTypes::Same && work.fixed_arguments().is_none();
    let old = || pure_function(&work.loaded.old.program, work.old).ok();
    let new = || pure_function(&work.loaded.new.program, work.new).ok();
    is_whole.then(|| Some([old()?, new()?]))?
}

/// On how many of all inputs the versions differ, if each was run and nothing came out now so and then otherwise.
pub(super) fn note_on_count(work: &Work<'_>, evidence: &NativeEvidence, verdict: &Verdict) -> Option<Note> {
    let Verdict::Differs { witnesses, .. } = verdict else { return None };
    let Listed { inputs, differing, .. } = evidence.listed.filter(Listed::is_complete)?;
    let is_told = differing > 0
        && evidence.unstable.is_empty()
        && !witnesses.iter().any(|witness| witnesses::is_on_fields(work, witness));
    is_told.then_some(Note::DiffersOn { differing, inputs })
}
