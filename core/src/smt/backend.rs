//! Which solver answers where the layers in front of it do not.
//!
//! Z3 where it is built in, which the feature `z3` says; else the SAT solver, which always is. This module and the list of modules in [`super`] are
//! the only places that ask for the feature; all others say [`AnySolver`].

use super::sat::SatSolver;
#[cfg(feature = "z3")]
use super::z3_solver::Z3Solver;
use super::{Answer, Solver, SolverLimits};
use crate::term::{TermId, TermPool};

/// A solver that is built in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Backend {
    #[cfg(feature = "z3")]
    Z3,
    Sat,
}

impl Backend {
    /// All that are built in, the best one first.
    pub const ALL: &'static [Backend] = &[
        #[cfg(feature = "z3")]
        Backend::Z3,
        Backend::Sat,
    ];

    pub fn name(self) -> &'static str {
        match self {
            #[cfg(feature = "z3")]
            Backend::Z3 => "z3",
            Backend::Sat => "batsat",
        }
    }

    /// What is to be known of a run that had this solver; nothing of the usual one.
    pub fn note(self) -> Option<&'static str> {
        match self {
            #[cfg(feature = "z3")]
            Backend::Z3 => None,
            Backend::Sat => Some(
                "this program was built without Z3: a SAT solver, BatSat, decides what is asked, and fewer functions are proved equal",
            ),
        }
    }
}

impl Default for Backend {
    fn default() -> Self {
        Backend::ALL[0]
    }
}

/// The solver of a [`Backend`].
pub enum AnySolver {
    #[cfg(feature = "z3")]
    Z3(Z3Solver),
    Sat(SatSolver),
}

impl Default for AnySolver {
    fn default() -> Self {
        Self::new()
    }
}

impl AnySolver {
    /// The best one that is built in.
    pub fn new() -> Self {
        Self::of(Backend::default())
    }

    pub fn of(backend: Backend) -> Self {
        match backend {
            #[cfg(feature = "z3")]
            Backend::Z3 => AnySolver::Z3(Z3Solver::new()),
            Backend::Sat => AnySolver::Sat(SatSolver::new()),
        }
    }
}

impl Solver for AnySolver {
    fn check(&mut self, pool: &TermPool, assertions: &[TermId], limits: &SolverLimits) -> Answer {
        match self {
            #[cfg(feature = "z3")]
            AnySolver::Z3(solver) => solver.check(pool, assertions, limits),
            AnySolver::Sat(solver) => solver.check(pool, assertions, limits),
        }
    }
}
