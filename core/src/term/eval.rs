//! Models, and the value of a term under one.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::{Sort, Term, TermId, TermPool, VarId, bits};

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
        let width = self.pool.width(t);
        let get = |term: &TermId| self.memo[term];
        let signed = |term: &TermId| bits::to_signed(get(term), self.pool.width(*term));
        match self.pool.term(t) {
            Term::Bool(value) => u128::from(*value),
            Term::Bv { bits, .. } => *bits,
            Term::Var(var) => self.model.get(*var) & bits::mask(self.pool.var_info(*var).sort.bits()),
            Term::Not(a) => get(a) ^ 1,
            Term::And(a, b) => get(a) & get(b),
            Term::Ite(c, a, b) => {
                if get(c) != 0 {
                    get(a)
                } else {
                    get(b)
                }
            }
            Term::Eq(a, b) => u128::from(get(a) == get(b)),
            Term::Ult(a, b) => u128::from(get(a) < get(b)),
            Term::Slt(a, b) => u128::from(signed(a) < signed(b)),
            Term::Overflow(op, a, b) => u128::from(bits::overflows(*op, get(a), get(b), self.pool.width(*a))),
            Term::Sum(linear) => {
                linear.monomials.iter().fold(linear.constant, |sum, (term, coefficient)| {
                    sum.wrapping_add(coefficient.wrapping_mul(get(term)))
                }) & bits::mask(width)
            }
            Term::Product(factors) => {
                factors.iter().fold(1u128, |product, factor| product.wrapping_mul(get(factor)))
                    & bits::mask(width)
            }
            Term::Bin(op, a, b) => bits::apply(*op, get(a), get(b), width),
            Term::Extract { of, hi, lo } => (get(of) >> lo) & bits::mask(hi - lo + 1),
            Term::Zext { of, .. } => get(of),
            Term::Sext { of, width } => bits::from_signed(signed(of), *width),
        }
    }
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
