//! Satisfiability of terms.
//!
//! * `z3_solver`: Z3 behind the [`Solver`] trait, asked through a `helper` that does the work of the `z3_engine` and can be given up
//! * `integers`: the attempt before it at questions with divisions
//! * [`sat`]: a SAT solver behind the same trait, in Rust alone
//! * [`backend`]: which of the two it is; what belongs to Z3 is built with the feature `z3` alone
//! * [`layered`]: cheap layers in front of any solver
//! * [`refine`]: the layer that refutes by intervals and known bits
//! * [`unrounded`]: questions with variables in the place of operations on floats
//! * [`search`]: the layers that guess and that enumerate models
//!
//! Trust: a model is evaluated on the terms that were asked about before it is returned, whoever found it; one that
//! does not satisfy them turns the answer into [`Answer::Unknown`]. `Unsat` cannot be checked that way: it rests on
//! the solver, on the translation to integers, or on the refinement rules, which the tests compare with the solver and with all values.

mod backend;
#[cfg(all(test, feature = "z3"))]
mod float_tests;
#[cfg(feature = "z3")]
mod helper;
#[cfg(feature = "z3")]
mod integers;
pub mod layered;
mod refine;
mod sat;
mod search;
#[cfg(all(test, feature = "z3"))]
mod tests;
mod unrounded;
#[cfg(feature = "z3")]
mod z3_engine;
#[cfg(feature = "z3")]
pub mod z3_float;
#[cfg(feature = "z3")]
mod z3_solver;

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::term::{Evaluator, Model, TermId, TermPool};

pub use backend::{AnySolver, Backend};
pub use layered::{Layer, Layered, Statistics};
pub use sat::SatSolver;
pub(crate) use unrounded::Unrounded;
#[cfg(all(test, feature = "z3"))]
pub(crate) use z3_solver::testing::with_a_stuck_solver;
#[cfg(feature = "z3")]
pub use z3_solver::{Z3Solver, stuck_threads};

/// Decides conjunctions.
pub trait Solver {
    /// Whether all `assertions`, Boolean terms of `pool`, can hold at once. None at all always hold.
    fn check(&mut self, pool: &TermPool, assertions: &[TermId], limits: &SolverLimits) -> Answer;
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Under this model all assertions hold; it has been tried. It mentions all of their variables.
    Sat(Model),
    Unsat,
    Unknown(UnknownReason),
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnknownReason {
    /// The solver spent its resource limit: the same question meets the same fate on any machine.
    ResourceLimit,
    /// The solver ran into the clock.
    Timeout,
    /// The solver came to more memory than it is given. What else is asked at the same time counts as well.
    Memory,
    /// The solver did not even answer an interrupt. Nothing more is asked by whoever asked.
    GivenUp,
    /// The solver gave a model that does not satisfy the assertion shown: a defect of the solver or of the translation.
    WrongModel { assertion: String },
    /// What the solver itself says.
    Other(String),
}

/// How much one question may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SolverLimits {
    /// The solver's own count of work, the same on every run with one version of the solver; 0 is no limit.
    pub resources: u32,
    /// Wall-clock time, a guard for work that is not counted. It should be generous: when it strikes, results depend
    /// on the machine and its load.
    pub time: Duration,
}

impl SolverLimits {
    /// As much work as fits into this time.
    pub fn within(time: Duration) -> Self {
        SolverLimits { time, ..SolverLimits::default() }
    }

    /// One of so many parts, for an attempt that may gain nothing.
    #[cfg(feature = "z3")]
    fn share(&self, parts: u32) -> Self {
        SolverLimits { resources: self.resources.div_ceil(parts), time: self.time / parts }
    }
}

impl Default for SolverLimits {
    fn default() -> Self {
        SolverLimits { resources: 20_000_000, time: Duration::from_secs(20) }
    }
}

/// `Sat` if the model does satisfy the assertions. It then mentions all of their variables: whoever gives those that are
/// missing another value than 0, as inputs are made from seeds, would leave what was asked for.
pub(crate) fn tried(pool: &TermPool, assertions: &[TermId], mut model: Model) -> Answer {
    let mut evaluator = Evaluator::new(pool, &model);
    match assertions.iter().find(|assertion| !evaluator.eval_bool(**assertion)) {
        None => {
            for var in assertions.iter().flat_map(|assertion| pool.vars_in(*assertion).to_vec()) {
                if !model.mentions(var) {
                    model.set(var, 0);
                }
            }
            Answer::Sat(model)
        }
        Some(broken) => {
            let assertion = pool.display(*broken).to_string();
            Answer::Unknown(UnknownReason::WrongModel { assertion })
        }
    }
}
