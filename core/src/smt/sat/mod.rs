//! A SAT solver as a [`Solver`], in Rust alone: what answers where Z3 is not built in.
//!
//! * [`gates`]: logic gates as clauses, each made once
//! * [`circuits`]: arithmetic on words of literals
//! * [`bit_blast`]: terms as such words, and what is left open of them at first
//!
//! *Idea.* The terms of a question become clauses that hold if and only if the terms can; BatSat, a descendant of MiniSat, decides them. Products, divisions and
//! floats are left open at first, and told as far as models show that they matter.
//!
//! *Limits.* Each question is asked from the start: nothing that was learnt is kept for the next one. There is no arithmetic of integers as the one in front of Z3, so questions that hang on
//! products or divisions of wide words end as unknown. What rounds is known of floats only at single operands.

mod bit_blast;
mod circuits;
mod gates;
#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use self::bit_blast::{Blaster, Sharpened};
use self::gates::{Gates, Outcome, Spent};
use super::{Answer, Solver, SolverLimits, UnknownReason, layered, refine, tried};
use crate::term::{Evaluator, TermId, TermPool};

/// Less time than this is none.
const LEAST_TIME: Duration = Duration::from_millis(1);
/// What a model costs that had to be excluded, in clauses.
const WORK_OF_MODEL: u64 = 1_000;

/// BatSat behind a translation to clauses; see the module's text.
#[derive(Default)]
pub struct SatSolver;

impl SatSolver {
    pub fn new() -> Self {
        SatSolver
    }
}

impl Solver for SatSolver {
    fn check(&mut self, pool: &TermPool, assertions: &[TermId], limits: &SolverLimits) -> Answer {
        if limits.time < LEAST_TIME {
            return Answer::Unknown(UnknownReason::Timeout);
        }
        let Some(conjuncts) = layered::conjuncts(pool, assertions) else { return Answer::Unsat };
        let ranges = match refine::refine(pool, &conjuncts) {
            refine::Refined::Impossible => return Answer::Unsat,
            refine::Refined::Possible(ranges) => ranges,
        };
        let work = if limits.resources == 0 { u64::MAX } else { limits.resources.into() };
        let gates = Gates::new(work, Instant::now().checked_add(limits.time));
        decide(Blaster::new(pool, gates, ranges), pool, &conjuncts)
    }
}

fn decide(mut blaster: Blaster<'_>, pool: &TermPool, conjuncts: &[TermId]) -> Answer {
    let vars = layered::vars_of(pool, conjuncts);
    blaster.assert(conjuncts);
    loop {
        match blaster.gates.solve() {
            Outcome::Unsat => return Answer::Unsat,
            Outcome::Spent(Spent::Work) => return Answer::Unknown(UnknownReason::ResourceLimit),
            Outcome::Spent(Spent::Time) => return Answer::Unknown(UnknownReason::Timeout),
            Outcome::Sat => {}
        }
        let model = blaster.model(&vars);
        let holds = {
            let mut evaluator = Evaluator::new(pool, &model);
            conjuncts.iter().all(|conjunct| evaluator.eval_bool(*conjunct))
        };
        if holds {
            return tried(pool, conjuncts, model);
        }
        blaster.gates.charge(WORK_OF_MODEL);
        match blaster.sharpen() {
            Sharpened::Excluded => {}
            Sharpened::Floats => {
                let text = "the SAT solver is not told all operations on floats";
                return Answer::Unknown(UnknownReason::Other(text.to_string()));
            }
            // The model is what the translation says, and the terms do not hold: `tried` says which.
            Sharpened::Faithful => return tried(pool, conjuncts, model),
        }
    }
}
