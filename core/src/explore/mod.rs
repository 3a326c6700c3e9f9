//! Path exploration by relevant slice conditions, and by path conditions as the baseline.
//!
//! *Idea.* A run has a list of conditions; every negated prefix of it leads to inputs that behave otherwise. With path
//! conditions this is directed random testing; with *reordered* relevant slice conditions it visits one input per
//! symbolic output instead of one per path.
//!
//! *Definition.* Algorithms 1 and 2 of the paper: [`frontier`] holds the stack of prefixes, [`reorder`] puts a branch
//! before those whose slice contains it, so that a prefix of one run's list is a prefix of the list of every run that
//! satisfies it. In the end [`coverage`], and else the solver, is asked whether any input was left out.
//!
//! Prefixes may be followed in any order; [`direction`] says which of a pair of functions promise most.
//!
//! [`Explorer`] is the loop. What it explores is a [`Subject`]: one function (`signature`) or a pair of them (`compare`). [`Inputs`] are the
//! variables and terms of its inputs, [`Context`] is what the loop and the subject share: solver, time, ledger. [`call`] runs one version on
//! one input, which `localize` does too.
//!
//! *Source.* D. Qi, H. Nguyen, A. Roychoudhury: Path exploration based on symbolic output, ESEC/FSE 2011.

pub mod call;
mod context;
mod coverage;
pub mod direction;
mod explorer;
pub mod frontier;
mod inputs;
pub mod reorder;

use std::time::Duration;

use self::direction::{Order, Outlook, outlooks};
use crate::exec::{InputBounds, InstanceId, Limits, Run, SliceId};
use crate::smt::Backend;
use crate::term::TermId;

pub use context::{Context, Economy, Effort};
pub use explorer::{Completeness, Explorer, Finished, Novelty, Patience, Subject, Visited};
pub use inputs::{Inputs, NotAnInput, parameter_name};

/// Which conditions of a run direct the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Those in the relevant slice of the output.
    Rsc,
    /// All of them, in execution order.
    Dart,
}

/// How far an exploration goes.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub strategy: Strategy,
    pub order: Order,
    pub limits: Limits,
    pub bounds: InputBounds,
    pub timeout: Duration,
    /// Per solver query.
    pub query_timeout: Duration,
    pub solver: Backend,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            strategy: Strategy::Rsc,
            order: Order::LastFirst,
            limits: Limits::default(),
            bounds: InputBounds::default(),
            timeout: Duration::from_secs(10),
            query_timeout: Duration::from_secs(2),
            solver: Backend::default(),
        }
    }
}

/// One condition of a run, with the other ways its branch could have gone.
#[derive(Clone, Debug)]
pub struct Condition {
    pub instance: InstanceId,
    pub holds: TermId,
    pub alternatives: Vec<TermId>,
    /// What is known of the other ways before they are gone.
    pub outlook: Outlook,
}

/// The conditions of a run that direct the search, in the order in which they are negated. A condition that an earlier
/// one repeats is left out. Branches without alternatives take part in the order: without them a run whose earlier branch
/// goes another way could have its later branches in another order, and the prefix would not be one of its own.
pub fn conditions(run: &Run<'_>, output: SliceId, strategy: Strategy) -> Vec<Condition> {
    let all = || (0..run.branches.len()).map(crate::idx::Idx::from_usize);
    let ordered: Vec<InstanceId> = match strategy {
        Strategy::Dart => all().collect(),
        Strategy::Rsc => reorder::reorder(run.slices.get(output).to_vec(), &|instance, of| {
            run.slices.contains(run.branches[of].slice, instance)
        }),
    };
    let mut seen = rustc_hash::FxHashSet::default();
    let decided: Vec<InstanceId> =
        ordered.into_iter().filter(|instance| !run.branches[*instance].alternatives.is_empty()).collect();
    let outlooks = outlooks(run, &decided);
    decided
        .into_iter()
        .filter(|instance| seen.insert(run.branches[*instance].condition))
        .map(|instance| {
            let branch = &run.branches[instance];
            Condition {
                instance,
                holds: branch.condition,
                alternatives: branch.alternatives.clone(),
                outlook: outlooks[&branch.condition],
            }
        })
        .collect()
}
