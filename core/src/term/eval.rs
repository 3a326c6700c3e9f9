//! Models, and the value of a term under one.

use crate::idx::Idx;
use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::{Sort, Term, TermId, TermPool, VarId, bits, float};

/// A value for each variable; one that is not mentioned is 0. Booleans are 0 or 1.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Model {
    values: BTreeMap<VarId, u128>,
}

impl Model {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn get(&self, var: VarId) -> u128 {
        self.values.get(&var).copied().unwrap_or(0)
    }

    pub fn set(&mut self, var: VarId, bits: u128) {
        self.values.insert(var, bits);
    }

    /// Whether a value was given, 0 included.
    pub fn mentions(&self, var: VarId) -> bool {
        self.values.contains_key(&var)
    }

    /// Takes over all values of `other`.
    pub fn extend_from(&mut self, other: &Model) {
        self.values.extend(other.iter());
    }

    /// In the order of the variables.
    pub fn iter(&self) -> impl Iterator<Item = (VarId, u128)> + '_ {
        self.values.iter().map(|(var, bits)| (*var, *bits))
    }
}

impl FromIterator<(VarId, u128)> for Model {
    fn from_iter<I: IntoIterator<Item = (VarId, u128)>>(iter: I) -> Self {
        Model { values: iter.into_iter().collect() }
    }
}

/// Evaluates several terms under one model without doing shared parts twice.
pub struct Evaluator<'a> {
    pool: &'a TermPool,
    model: &'a Model,
    memo: FxHashMap<TermId, u128>,
}

impl<'a> Evaluator<'a> {
    pub fn new(pool: &'a TermPool, model: &'a Model) -> Self {
        Evaluator { pool, model, memo: FxHashMap::default() }
    }

    /// Bits of `t`; 0 or 1 for a Boolean.
    pub fn eval(&mut self, t: TermId) -> u128 {
        let mut stack = vec![t];
        while let Some(&term) = stack.last() {
            if self.memo.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            // Of an if-then-else only the arm that is taken is evaluated.
            match *self.pool.term(term) {
                Term::Ite(condition, then, otherwise) => match self.memo.get(&condition) {
                    None => stack.push(condition),
                    Some(condition) => {
                        let arm = if *condition != 0 { then } else { otherwise };
                        if !self.memo.contains_key(&arm) {
                            stack.push(arm);
                        }
                    }
                },
                ref node => node.for_each_child(|child| {
                    if !self.memo.contains_key(&child) {
                        stack.push(child);
                    }
                }),
            }
            if stack.len() == before {
                let value = self.step(term);
                self.memo.insert(term, value);
                stack.pop();
            }
        }
        self.memo[&t]
    }

    pub fn eval_bool(&mut self, t: TermId) -> bool {
        self.eval(t) != 0
    }

    /// The value of a term whose needed operands are in the memo.
    fn step(&self, t: TermId) -> u128 {
        value_of(self.pool, t, |var| self.model.get(var), |term| self.memo[&term])
    }
}

/// The value of one node from those of its operands.
pub(crate) fn value_of(
    pool: &TermPool,
    t: TermId,
    var: impl Fn(VarId) -> u128,
    get: impl Fn(TermId) -> u128,
) -> u128 {
    let width = pool.width(t);
    let signed = |term: TermId| bits::to_signed(get(term), pool.width(term));
    match pool.term(t) {
        Term::Bool(value) => u128::from(*value),
        Term::Bv { bits, .. } => *bits,
        Term::Var(id) => var(*id) & bits::mask(pool.var_info(*id).sort.bits()),
        Term::Not(a) => get(*a) ^ 1,
        Term::And(a, b) => get(*a) & get(*b),
        Term::Ite(c, a, b) => {
            if get(*c) != 0 {
                get(*a)
            } else {
                get(*b)
            }
        }
        Term::Eq(a, b) => u128::from(get(*a) == get(*b)),
        Term::Ult(a, b) => u128::from(get(*a) < get(*b)),
        Term::Slt(a, b) => u128::from(signed(*a) < signed(*b)),
        Term::Overflow(op, a, b) => u128::from(bits::overflows(*op, get(*a), get(*b), pool.width(*a))),
        Term::Sum(linear) => {
            linear.monomials.iter().fold(linear.constant, |sum, (term, coefficient)| {
                sum.wrapping_add(coefficient.wrapping_mul(get(*term)))
            }) & bits::mask(width)
        }
        Term::Product(factors) => {
            factors.iter().fold(1u128, |product, factor| product.wrapping_mul(get(*factor)))
                & bits::mask(width)
        }
        Term::Bin(op, a, b) => bits::apply(*op, get(*a), get(*b), width),
        Term::Extract { of, hi, lo } => (get(*of) >> lo) & bits::mask(hi - lo + 1),
        Term::Zext { of, .. } => get(*of),
        Term::Sext { of, width } => bits::from_signed(signed(*of), *width),
        Term::Float(op, ty, args) => {
            let values: Vec<u128> = args.iter().map(|arg| get(*arg)).collect();
            float::apply(*op, *ty, &values, pool.width(args[0]))
        }
    }
}

/// Evaluates the same terms under very many models: every node once per model, in an order fixed beforehand.
pub struct Sweep<'a> {
    pool: &'a TermPool,
    order: Vec<TermId>,
    /// By term index; only those in `order` mean anything.
    values: Vec<u128>,
}

impl<'a> Sweep<'a> {
    pub fn new(pool: &'a TermPool, roots: &[TermId]) -> Self {
        let mut order = Vec::new();
        let mut seen = vec![false; pool.len()];
        let mut stack: Vec<(TermId, Visit)> = roots.iter().map(|root| (*root, Visit::Enter)).collect();
        while let Some((term, visit)) = stack.pop() {
            match visit {
                Visit::Leave => order.push(term),
                Visit::Enter if seen[term.index()] => {}
                Visit::Enter => {
                    seen[term.index()] = true;
                    stack.push((term, Visit::Leave));
                    pool.term(term).for_each_child(|child| stack.push((child, Visit::Enter)));
                }
            }
        }
        Sweep { pool, order, values: vec![0; pool.len()] }
    }

    /// Number of nodes evaluated per model.
    pub fn nodes(&self) -> usize {
        self.order.len()
    }

    /// Evaluates all terms under the values that `var` gives.
    pub fn evaluate(&mut self, var: impl Fn(VarId) -> u128) {
        for &term in &self.order {
            self.values[term.index()] =
                value_of(self.pool, term, &var, |operand| self.values[operand.index()]);
        }
    }

    /// The value of a root, or of a term below one, at the last evaluation.
    pub fn value(&self, term: TermId) -> u128 {
        self.values[term.index()]
    }
}

enum Visit {
    Enter,
    Leave,
}

impl TermPool {
    /// The value of `t` under `model`: its bits, 0 or 1 for a Boolean.
    pub fn eval(&self, t: TermId, model: &Model) -> u128 {
        Evaluator::new(self, model).eval(t)
    }

    /// The truth of a Boolean term under `model`.
    pub fn eval_bool(&self, t: TermId, model: &Model) -> bool {
        debug_assert!(self.sort(t) == Sort::Bool);
        self.eval(t, model) != 0
    }
}
