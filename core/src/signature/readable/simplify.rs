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

/// `n >= 2` and `n < 3` are `n == 2`; with `n < 9` they are a range, and with `n != 2` they are `n >= 3`.
fn join_bounds(pool: &mut TermPool, mut conditions: Vec<TermId>) -> Vec<TermId> {
    let mut index = 0;
    while index < conditions.len() {
        let Some((of, least)) = lower(pool, conditions[index]) else {
            index += 1;
            continue;
        };
        let rest = || conditions.iter().enumerate().filter(|(other, _)| *other != index);
        let excluded = rest().find(|(_, other)| unequal(pool, **other) == Some((of, least)));
        if let Some((excluded, _)) = excluded {
            let next = pool.bv_const(least.wrapping_add(1), pool.width(of));
            let below = pool.ult(of, next);
            conditions[index] = pool.not(below);
            conditions.remove(excluded);
            index = 0;
            continue;
        }
        let above = rest().find_map(|(at, other)| match upper(pool, *other) {
            Some((same, bound)) if same == of && bound > least && least > 0 => Some((at, bound)),
            _ => None,
        });
        let Some((met, bound)) = above else {
            index += 1;
            continue;
        };
        let width = pool.width(of);
        let (low, length) = (pool.bv_const(least, width), pool.bv_const(bound - least, width));
        let offset = pool.sub(of, low);
        conditions[index.min(met)] =
            if bound == least + 1 { pool.eq(of, low) } else { pool.ult(offset, length) };
        conditions.remove(index.max(met));
    }
    conditions
}

/// `t < bound`.
fn upper(pool: &TermPool, condition: TermId) -> Option<(TermId, u128)> {
    match *pool.term(condition) {
        Term::Ult(a, b) => pool.as_const(b).map(|bound| (a, bound)),
        _ => None,
    }
}

/// `t >= bound`.
fn lower(pool: &TermPool, condition: TermId) -> Option<(TermId, u128)> {
    match *pool.term(condition) {
        Term::Not(inner) => upper(pool, inner),
        _ => None,
    }
}

/// `t != number`.
fn unequal(pool: &TermPool, condition: TermId) -> Option<(TermId, u128)> {
    let Term::Not(inner) = *pool.term(condition) else { return None };
    match *pool.term(inner) {
        Term::Eq(a, b) => match (pool.as_const(a), pool.as_const(b)) {
            (Some(number), None) => Some((b, number)),
            (None, Some(number)) => Some((a, number)),
            _ => None,
        },
        _ => None,
    }
}
