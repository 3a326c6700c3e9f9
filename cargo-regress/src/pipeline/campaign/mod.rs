//! The engine and its proofs against what the compiler made, in bulk.
//!
//! * [`conformance`]: each function of both versions on random inputs, in the executor and natively; the outcomes
//!   must be the same.
//! * [`attack`]: each proof of equality, also those that follow from others, and a sample of what is unchanged, against native random
//!   inputs to both versions; none may fall.
//! * [`identity`]: each function against itself; how many get a verdict, and what stands in the way of the others.
//! * [`agreement`]: each function as rustc's text and as Charon's file has it, on random inputs.
//! * [`gaps_of`]: what the functions of a package lead to that has no meaning here.
//! * [`contrast`]: functions explored by relevant slice conditions and by paths.
//! * [`solvers`]: the same search with each solver that is built in.
//!
//! All count what they could not do, with the reasons: a campaign that ran nothing proves nothing.

mod agreement;
mod attack;
mod conformance;
mod contrast;
mod gaps;
mod identity;
mod solvers;

use std::collections::BTreeMap;

pub use agreement::{Disagreement, FunctionAgreement, Reading, agreement};
pub use attack::{AttackedFunction, AttackedProof, Fall, attack};
pub use conformance::{ConformanceMismatch, FunctionConformance, conformance};
pub use contrast::{Contrast, Explorable, contrast, explorable};
pub use gaps::{Found, Gaps, gaps_of};
pub use identity::{SelfEnd, SelfVerdict, identity};
pub use solvers::{BySolvers, SearchEnd, SolverSearch, solvers};

use crate::harness::RandomPlan;

/// How much to run.
#[derive(Clone, Copy, Debug)]
pub struct Campaign {
    /// Inputs for each function that count.
    pub runs: u64,
    /// Of the random inputs.
    pub seed: u64,
}

/// Reasons, and how often each came up.
pub type Reasons = BTreeMap<String, u64>;

/// Native inputs that are tried for each one wanted, as some lie outside of what the engine considers.
const ATTEMPTS_PER_RUN: u64 = 6;

fn count(reasons: &mut Reasons, reason: impl Into<String>) {
    *reasons.entry(reason.into()).or_default() += 1;
}

/// Batches of random inputs, up to as many as may be tried.
fn batches(plan: &RandomPlan, runs: u64) -> impl Iterator<Item = RandomPlan> + '_ {
    const BATCH: u64 = 250;
    let size = BATCH.min(runs.max(1));
    (0..(runs * ATTEMPTS_PER_RUN).div_ceil(size)).map(move |number| RandomPlan {
        first: number * size,
        count: size,
        ..plan.clone()
    })
}
