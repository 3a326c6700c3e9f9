//! Models without a solver: by trying all values of few bits, and by a short local search.

use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;

use crate::idx::Idx;
use crate::term::{Evaluator, Facts, Model, Sort, Sweep, Term, TermId, TermPool, VarId, bits};

/// All values are tried of so many bits at most.
const MAX_FREE_BITS: u32 = 8;
/// The last resort goes this far, and no longer than its time.
const MAX_EXHAUSTED_BITS: u32 = 24;
/// Bound on nodes times evaluations, for either search.
const MAX_WORK: usize = 60_000;
/// Variables changed one after the other in one search.
const MAX_ROUNDS: usize = 4;
/// Variables of one conjunct that are tried.
const MAX_TRIED_VARS: usize = 6;

/// Tries every model, if there are few. The inner option is the model found, none if there is none.
pub(super) fn enumerate(pool: &TermPool, conjuncts: &[TermId], vars: &[VarId]) -> Option<Option<Model>> {
    let free: u32 = vars.iter().map(|var| u32::from(pool.var_info(*var).sort.bits())).sum();
    if free > MAX_FREE_BITS || size(pool, conjuncts) << free > MAX_WORK {
        return None;
    }
    for number in 0..1u128 << free {
        let mut rest = number;
        let model: Model = vars
            .iter()
            .map(|var| {
                let width = pool.var_info(*var).sort.bits();
                let value = rest & bits::mask(width);
                rest >>= width;
                (*var, value)
            })
            .collect();
        if satisfied(pool, conjuncts, &model) == conjuncts.len() {
            return Some(Some(model));
        }
    }
    Some(None)
}

/// Tries every model of as many bits as can be done in `limit`; the last resort where a solver gave up, and exact.
pub(super) fn exhaust(
    pool: &TermPool,
    conjuncts: &[TermId],
    vars: &[VarId],
    limit: Duration,
) -> Option<Option<Model>> {
    let widths: Vec<u16> = vars.iter().map(|var| pool.var_info(*var).sort.bits()).collect();
    let free: u32 = widths.iter().copied().map(u32::from).sum();
    if free > MAX_EXHAUSTED_BITS {
        return None;
    }
    let started = Instant::now();
    let mut sweep = Sweep::new(pool, conjuncts);
    let mut values = vec![0u128; pool.vars().len()];
    for number in 0..1u128 << free {
        if number % 1024 == 0 && started.elapsed() > limit {
            return None;
        }
        let mut rest = number;
        for (var, width) in vars.iter().zip(&widths) {
            values[var.index()] = rest & bits::mask(*width);
            rest >>= width;
        }
        sweep.evaluate(|var| values[var.index()]);
        if conjuncts.iter().all(|conjunct| sweep.value(*conjunct) != 0) {
            return Some(Some(vars.iter().map(|var| (*var, values[var.index()])).collect()));
        }
    }
    Some(None)
}

/// Changes one variable at a time, towards constants that the conjuncts mention, values of the other
/// variables and the ends of what is possible.
/// Finds easy models only.
pub(super) fn guess(
    pool: &TermPool,
    conjuncts: &[TermId],
    vars: &[VarId],
    ranges: &FxHashMap<TermId, Facts>,
    start: Model,
) -> Option<Model> {
    let size = size(pool, conjuncts).max(1);
    let mut budget = MAX_WORK / size;
    let mut model = start;
    // Values outside their variable's range cannot be part of a model.
    for var in vars {
        if let Some(facts) = ranges.get(&pool.var_term(*var)) {
            let value = model.get(*var);
            if !(facts.min..=facts.max).contains(&value) || value & facts.zeros != 0 {
                model.set(*var, facts.min);
            }
        }
    }
    let mut reached = satisfied(pool, conjuncts, &model);
    for _ in 0..MAX_ROUNDS {
        if reached == conjuncts.len() {
            return Some(model);
        }
        let broken: Vec<TermId> = {
            let mut evaluator = Evaluator::new(pool, &model);
            conjuncts.iter().copied().filter(|conjunct| !evaluator.eval_bool(*conjunct)).collect()
        };
        let mut best = None;
        'search: for conjunct in broken.iter().take(2) {
            let constants = constants_in(pool, *conjunct);
            let all = pool.vars_in(*conjunct);
            let tried = &all[..all.len().min(MAX_TRIED_VARS)];
            // Comparisons of variables hold from one's value on.
            let values: Vec<u128> = tried.iter().map(|var| model.get(*var)).collect();
            for var in tried {
                for value in candidates(pool, *var, (&constants, &values), ranges, &model) {
                    if budget == 0 {
                        break 'search;
                    }
                    budget -= 1;
                    let mut next = model.clone();
                    next.set(*var, value);
                    let count = satisfied(pool, conjuncts, &next);
                    if count == conjuncts.len() {
                        return Some(next);
                    }
                    if count > reached {
                        reached = count;
                        best = Some(next);
                    }
                }
            }
        }
        model = best?;
    }
    None
}

fn satisfied(pool: &TermPool, conjuncts: &[TermId], model: &Model) -> usize {
    let mut evaluator = Evaluator::new(pool, model);
    conjuncts.iter().filter(|conjunct| evaluator.eval_bool(**conjunct)).count()
}

fn candidates(
    pool: &TermPool,
    var: VarId,
    (constants, of_others): (&[u128], &[u128]),
    ranges: &FxHashMap<TermId, Facts>,
    model: &Model,
) -> Vec<u128> {
    let sort = pool.var_info(var).sort;
    let Sort::Bv(width) = sort else { return vec![model.get(var) ^ 1] };
    let all = bits::mask(width);
    let term = pool.var_term(var);
    let facts = ranges.get(&term).unwrap_or(pool.facts(term));
    let mut values = vec![facts.min, facts.max, facts.smin as u128 & all, facts.smax as u128 & all];
    for constant in constants {
        let nearby = [*constant, constant.wrapping_add(1), constant.wrapping_sub(1), constant.wrapping_neg()];
        values.extend(nearby.map(|value| value & all));
    }
    values.extend([0, 1, all]);
    for value in of_others {
        values.extend([*value, value.wrapping_add(1), value.wrapping_sub(1)].map(|value| value & all));
    }
    let mut seen = rustc_hash::FxHashSet::default();
    values.retain(|value| {
        *value != model.get(var)
            && (facts.min..=facts.max).contains(value)
            && value & facts.zeros == 0
            && value & facts.ones == facts.ones
            && seen.insert(*value)
    });
    values
}

/// Constants of the conjunct, those near its root first.
fn constants_in(pool: &TermPool, conjunct: TermId) -> Vec<u128> {
    const MAX_CONSTANTS: usize = 12;
    let mut found = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    let mut queue = std::collections::VecDeque::from([conjunct]);
    while let Some(term) = queue.pop_front() {
        if found.len() >= MAX_CONSTANTS || seen.len() > 500 {
            break;
        }
        if !seen.insert(term) {
            continue;
        }
        match pool.term(term) {
            Term::Bv { bits, .. } => found.push(*bits),
            Term::Sum(linear) if linear.constant != 0 => found.push(linear.constant),
            _ => {}
        }
        pool.term(term).for_each_child(|child| queue.push_back(child));
    }
    found
}

/// Distinct nodes of all conjuncts together, counted up to a bound only.
fn size(pool: &TermPool, conjuncts: &[TermId]) -> usize {
    let mut seen = vec![false; conjuncts.iter().map(|term| term.index() + 1).max().unwrap_or(0)];
    let mut count = 0;
    let mut stack = conjuncts.to_vec();
    while let Some(term) = stack.pop() {
        if std::mem::replace(&mut seen[term.index()], true) {
            continue;
        }
        count += 1;
        if count > MAX_WORK {
            break;
        }
        pool.term(term).for_each_child(|child| stack.push(child));
    }
    count
}
