//! Comparison of two versions of one function as a single exploration.
//!
//! *Idea.* The subject is the little program `old(t) == new(t)`. Both versions run on the same input over one shared
//! term DAG; the relevant slice of the comparison is the union of both outputs' slices. Per partition one query decides
//! whether the outputs can differ in it, and none is needed where they are the same term.
//!
//! *Definition.* A partition is the set of inputs that satisfy the relevant slice condition of one run. Equality is
//! proved when the frontier is empty, **and** a solver refutes that any input lies outside the explored partitions, **and**
//! in each partition the outputs were refuted to differ, **and** the ledger holds nothing that weakens a proof.
//!
//! *Not handled.* Effects other than the return value, `&mut` parameters and panics.
//!
//! [`instantiate`] chooses types for generic functions; [`pair`] says what is called of either version; [`difference`] decides
//! one partition; [`search`] is the subject of `explore`'s loop; [`deepening`] asks about shorter inputs where all take too long; [`closed`] tells which values of a type there can be. [`concrete`] runs one
//! version on given inputs, to be held against what the compiler made.

mod closed;
mod concrete;
mod deepening;
pub(crate) mod difference;
mod instantiate;
pub(crate) mod pair;
mod search;
#[cfg(test)]
mod tests;

use crate::explore::Completeness;
use crate::explore::direction::Leads;
use crate::smt::Statistics;
use crate::value::{Outcome, Value};
use crate::verdict::not_analysed::{NotAnalysed, Refused, StoppedBy};
use crate::verdict::{Approximation, Class, Explored, Ledger, PartitionCount, Proof, ProofStrength, Verdict};

pub use closed::only_made;
pub use concrete::{Concrete, Runner};
pub use deepening::compare;
pub use instantiate::{Chooser, Instantiation, choose as choose_instantiation};
pub use pair::FunctionPair;

/// What the exploration of one subject established.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Inputs on which the engine sees the versions differ; nobody has run them natively yet.
    pub candidates: Vec<Candidate>,
    pub partitions: PartitionCount,
    /// Evidence of equality so far: partitions without a difference.
    pub syntactic: u64,
    pub solved: u64,
    /// Partitions in which both versions panic.
    pub panicking: u64,
    pub runs: u64,
    pub solver_queries: u64,
    /// Who answered, and what.
    pub answers: Statistics,
    pub completeness: Completeness,
    /// One input of each partition, of so many as are kept, to hold the engine against native runs.
    pub samples: Vec<Sample>,
    pub ledger: Ledger,
    /// Whether more time may say more.
    pub short_of_time: bool,
    /// Why nothing could be run at all.
    pub refused: Option<Refused>,
}

/// What the engine says of one input.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    pub inputs: Vec<Value>,
    pub old: Outcome,
    pub new: Outcome,
}

/// An input on which the engine sees the versions differ.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub inputs: Vec<Value>,
    pub old: Outcome,
    pub new: Outcome,
    /// The same outcomes with what is in each `MaybeUninit`, where they differ in nothing else.
    pub contents: Option<Box<Contents>>,
    /// Runs of the exploration until it was found.
    pub runs: u64,
    /// Where the run led that found it.
    pub leads: Leads,
}

/// Outcomes that show what is in each `MaybeUninit`, which a caller may look at only if it knows that there is something.
#[derive(Clone, Debug)]
pub struct Contents {
    pub old: Outcome,
    pub new: Outcome,
}

impl Comparison {
    /// Nothing could be run.
    pub fn refused(reason: Refused) -> Comparison {
        Comparison { refused: Some(reason), ..Comparison::empty() }
    }

    /// Nothing was run yet.
    pub(crate) fn empty() -> Comparison {
        Comparison {
            candidates: Vec::new(),
            partitions: PartitionCount::default(),
            syntactic: 0,
            solved: 0,
            panicking: 0,
            runs: 0,
            solver_queries: 0,
            answers: Statistics::default(),
            completeness: Completeness::Partial,
            samples: Vec::new(),
            ledger: Ledger::default(),
            short_of_time: false,
            refused: None,
        }
    }

    /// The verdict if no candidate is confirmed natively: an equality proof where the evidence makes one.
    pub fn verdict_without_difference(&self) -> Verdict {
        self.verdict_given(self.ledger.clone())
    }

    /// The same with the ledger that is known by now.
    pub(crate) fn verdict_given(&self, ledger: Ledger) -> Verdict {
        if let Some(reason) = &self.refused {
            return Verdict::NotAnalysed { reason: NotAnalysed::Refused(reason.clone()) };
        }
        // Where no run reached an end there is nothing that is equal, however well the frontier is known.
        let proved = self.completeness == Completeness::Proved
            && self.partitions.explored > 0
            && self.partitions.differing == 0
            && self.syntactic + self.solved == self.partitions.explored;
        let proof = Explored {
            partitions: self.partitions,
            syntactic: self.syntactic,
            solved: self.solved,
            panicking: self.panicking,
        };
        match (proved, ledger.strength()) {
            (true, None) => Verdict::Equal { proof: Proof::Explored(proof) },
            (true, Some(ProofStrength::Bounded)) => Verdict::EqualWithin { proof, bounds: ledger },
            _ => match self.stopped_everywhere() {
                Some(by) => Verdict::NotAnalysed { reason: NotAnalysed::Stopped(by) },
                None => Verdict::NoDifferenceFound { runs: self.runs, ledger },
            },
        }
    }

    /// What ended them if no run at all reached an end that could be compared.
    fn stopped_everywhere(&self) -> Option<StoppedBy> {
        if self.partitions.explored > 0 {
            return None;
        }
        self.ledger.entries().iter().find_map(stopped_by)
    }
}

/// What ended runs before they came to an end that could be compared.
fn stopped_by(entry: &Approximation) -> Option<StoppedBy> {
    match entry.clone() {
        Approximation::OpaqueCall { callee } => Some(StoppedBy::OpaqueCall { callee }),
        Approximation::RestrictedModel { on } => Some(StoppedBy::RestrictedModel { on }),
        Approximation::Unsupported { what } => Some(StoppedBy::Unsupported(what)),
        Approximation::StepBudget { limit } => Some(StoppedBy::StepBudget { limit }),
        Approximation::LoopBound { location, of, limit } => {
            Some(StoppedBy::LoopBound { location, of, limit })
        }
        Approximation::CallDepth { function, limit } => Some(StoppedBy::CallDepth { function, limit }),
        Approximation::TimeBudget { seconds } => Some(StoppedBy::TimeBudget { seconds }),
        _ => None,
    }
}

/// The class of a set of witnesses: the worst among them.
pub fn worst_class<'w>(outcomes: impl IntoIterator<Item = (&'w Outcome, &'w Outcome)>) -> Option<Class> {
    outcomes.into_iter().map(|(old, new)| Class::of(old, new)).min()
}
