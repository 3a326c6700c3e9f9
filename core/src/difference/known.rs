//! What is known on a path: whether two numbers are one value, and whether facts hold. The solver is asked where the numbers do not tell.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use super::both::Both;
use super::numbers::{Effect, Node, Number};
use super::product::Product;
use crate::smt::{Answer, SolverLimits};
use crate::term::{Term, TermId, TermPool, VarId};

impl Product<'_, '_> {
    /// Whether two numbers are one value on this path.
    pub fn is_same(&mut self, both: &Both, a: Number, b: Number) -> bool {
        if a == b {
            return true;
        }
        match (self.numbers.node(a).clone(), self.numbers.node(b).clone()) {
            (Node::Scalar(a), Node::Scalar(b)) => {
                if self.numbers.pool.sort(a) != self.numbers.pool.sort(b) {
                    return false;
                }
                self.is_same_rounded(both, a, b) || {
                    let differ = self.numbers.pool.ne(a, b);
                    self.is_refuted(both, Some(differ))
                }
            }
            (Node::Aggregate(kind, a), Node::Aggregate(other, b)) => {
                kind == other && self.are_same(both, &a, &b)
            }
            (Node::Apply(operator, a), Node::Apply(other, b)) => {
                operator == other && self.are_same(both, &a, &b)
            }
            (Node::Reference(a), Node::Reference(b)) | (Node::Result(a), Node::Result(b)) => {
                self.is_same(both, a, b)
            }
            (Node::With(a, path, value), Node::With(b, other, other_value)) => {
                path == other && self.are_same(both, &[a, value], &[b, other_value])
            }
            (Node::After(effect, a), Node::After(other, b)) => {
                *effect == Effect::Store && effect == other && self.are_same(both, &a, &b)
            }
            _ => false,
        }
    }

    /// Whether both are one operation on floats, of operands that are the same. Of operations within each other the solver is asked about what they are of in the end alone.
    fn is_same_rounded(&mut self, both: &Both, a: TermId, b: TermId) -> bool {
        let pool = &self.numbers.pool;
        let (Term::Float(op, ty, of_a), Term::Float(other, format, of_b)) = (pool.term(a), pool.term(b))
        else {
            return false;
        };
        let is_one = op == other && ty == format && of_a.len() == of_b.len();
        let pairs: Vec<(TermId, TermId)> = of_a.iter().copied().zip(of_b.iter().copied()).collect();
        is_one && pairs.into_iter().all(|(a, b)| a == b || self.is_same_operand(both, a, b))
    }

    fn is_same_operand(&mut self, both: &Both, a: TermId, b: TermId) -> bool {
        let pool = &mut self.numbers.pool;
        let is_float = |term: TermId| matches!(pool.term(term), Term::Float(..));
        if is_float(a) || is_float(b) {
            return self.is_same_rounded(both, a, b);
        }
        let is_of_one_sort = pool.sort(a) == pool.sort(b);
        let differ = is_of_one_sort.then(|| pool.ne(a, b));
        differ.is_some_and(|differ| self.is_refuted(both, Some(differ)))
    }

    pub fn are_same(&mut self, both: &Both, a: &[Number], b: &[Number]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.is_same(both, *a, *b))
    }

    pub fn is_impossible(&mut self, both: &Both) -> bool {
        self.is_refuted(both, None)
    }

    /// Whether a fact follows on this path.
    pub fn holds(&mut self, both: &Both, fact: TermId) -> bool {
        match self.numbers.pool.as_bool(fact) {
            Some(holds) => holds,
            None if both.facts.contains(&fact) => true,
            None => {
                let fails = self.numbers.pool.not(fact);
                self.is_refuted(both, Some(fails))
            }
        }
    }

    /// Whether the facts, and one more, cannot hold at once.
    fn is_refuted(&mut self, both: &Both, also: Option<TermId>) -> bool {
        self.questions += 1;
        if self.questions > self.limits.questions {
            return false;
        }
        let assertions = match also {
            Some(also) => concerning(&self.numbers.pool, also, &both.facts),
            None => both.facts.iter().copied().collect(),
        };
        // Fewer follow from each other without rounding, and none takes long.
        let asked = self.unrounded.question(&self.numbers.pool, &assertions);
        let limits = SolverLimits::within(self.limits.question);
        self.solver.check(self.unrounded.pool(), &asked, &limits) == Answer::Unsat
    }
}

/// The condition, and the facts that have to do with its variables. That the others hold at once is for [`Product::is_impossible`] to ask.
fn concerning(pool: &TermPool, condition: TermId, facts: &BTreeSet<TermId>) -> Vec<TermId> {
    let (mut found, mut left) = (vec![condition], facts.iter().copied().collect::<Vec<_>>());
    let mut vars: FxHashSet<VarId> = pool.vars_in(condition).iter().copied().collect();
    loop {
        let (more, rest): (Vec<TermId>, Vec<TermId>) =
            left.into_iter().partition(|fact| pool.vars_in(*fact).iter().any(|var| vars.contains(var)));
        if more.is_empty() {
            return found;
        }
        vars.extend(more.iter().flat_map(|fact| pool.vars_in(*fact).to_vec()));
        found.extend(more);
        left = rest;
    }
}
