//! Conditions that say no more than the others do.
//!
//! A loop leaves `0 < n`, `1 < n` and `n <= 2` behind, of which `n == 2` is all there is to tell.

use crate::smt::{Answer, Solver, SolverLimits};
use crate::term::{Term, TermId, TermPool};

/// Of more conditions than this none is looked at: it would take too long.
const MAX_CONDITIONS: usize = 120;

/// The conjuncts of the conditions, without those that the others and the constraints imply.
pub fn simplified(
    pool: &mut TermPool,
    solver: &mut dyn Solver,
    limits: &SolverLimits,
    constraints: &[TermId],
    conditions: &[TermId],
) -> Vec<TermId> {
    let mut kept: Vec<TermId> = Vec::new();
    for condition in conditions {
        add_conjuncts(pool, *condition, &mut kept);
    }
    if kept.len() > MAX_CONDITIONS {
        return kept;
    }
    let mut index = 0;
    while index < kept.len() {
        let mut assertions = constraints.to_vec();
        assertions
            .extend(kept.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, term)| *term));
        assertions.push(pool.not(kept[index]));
        match solver.check(pool, &assertions, limits) {
            Answer::Unsat => {
                kept.remove(index);
            }
            Answer::Sat(_) | Answer::Unknown(_) => index += 1,
        }
    }
    join_bounds(pool, kept)
}

fn add_conjuncts(pool: &TermPool, condition: TermId, to: &mut Vec<TermId>) {
    let mut left = vec![condition];
    while let Some(term) = left.pop() {
        match pool.term(term) {
            Term::And(a, b) => left.extend([*b, *a]),
            Term::Bool(true) => {}
            _ if to.contains(&term) => {}
            _ => to.push(term),
        }
    }
}

/// `n >= 2` and `n < 3` are `n == 2`.
fn join_bounds(pool: &mut TermPool, mut conditions: Vec<TermId>) -> Vec<TermId> {
    let upper = |pool: &TermPool, term: TermId| match *pool.term(term) {
        Term::Ult(a, b) => pool.as_const(b).map(|bound| (a, bound)),
        _ => None,
    };
    let lower = |pool: &TermPool, term: TermId| match *pool.term(term) {
        Term::Not(inner) => upper(pool, inner),
        _ => None,
    };
    let mut index = 0;
    while index < conditions.len() {
        let Some((of, least)) = lower(pool, conditions[index]) else {
            index += 1;
            continue;
        };
        let met =
            conditions.iter().position(|other| upper(pool, *other) == Some((of, least.wrapping_add(1))));
        if let Some(met) = met {
            let constant = pool.bv_const(least, pool.width(of));
            conditions[index.min(met)] = pool.eq(of, constant);
            conditions.remove(index.max(met));
        } else {
            index += 1;
        }
    }
    conditions
}
