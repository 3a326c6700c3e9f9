//! What is known on a path: whether two numbers are one value, and whether facts hold. The solver is asked where the numbers do not tell.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use super::both::Both;
use super::numbers::{Effect, Node, Number, Numbers};
use super::product::Product;
use crate::smt::{Answer, SolverLimits};
use crate::term::{Term, TermId, TermPool, VarId};

/// Pairs of operations on floats of which it is told that equal operands give equal results.
const MOST_CONGRUENT: usize = 24;

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
                let differ = self.numbers.pool.ne(a, b);
                self.is_refuted(both, Some(differ))
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
        let assertions = self.without_floats(&assertions);
        let limits = SolverLimits::within(self.limits.question);
        self.solver.check(&self.numbers.pool, &assertions, &limits) == Answer::Unsat
    }

    /// The same with a variable in the place of each operation on floats: fewer follow from each other, and none takes long. Of these it is still known that
    /// equal operands give equal results.
    fn without_floats(&mut self, terms: &[TermId]) -> Vec<TermId> {
        let Numbers { pool, .. } = &mut self.numbers;
        let mut operations = Vec::new();
        for term in pool.below(terms) {
            if let Term::Float(op, ty, args) = pool.term(term) {
                operations.push((term, (*op, *ty), args.clone()));
            }
        }
        for (term, ..) in &operations {
            let sort = pool.sort(*term);
            self.hidden.entry(*term).or_insert_with(|| pool.var("rounded", sort));
        }
        let mut hidden = |term: TermId| pool.substitute(term, &self.hidden);
        let mut found: Vec<TermId> = terms.iter().map(|term| hidden(*term)).collect();
        let mut congruent = Vec::new();
        for (index, (a, op, of_a)) in operations.iter().enumerate() {
            let alike =
                operations[..index].iter().filter(|(_, other, args)| other == op && args.len() == of_a.len());
            for (b, _, of_b) in alike.take(MOST_CONGRUENT - congruent.len()) {
                let args: Vec<(TermId, TermId)> =
                    of_a.iter().zip(of_b.iter()).map(|(a, b)| (hidden(*a), hidden(*b))).collect();
                congruent.push(((hidden(*a), hidden(*b)), args));
            }
        }
        for ((a, b), args) in congruent {
            let args: Vec<TermId> = args.into_iter().map(|(a, b)| pool.eq(a, b)).collect();
            let (equal, same) = (pool.and_all(&args), pool.eq(a, b));
            found.push(pool.implies(equal, same));
        }
        found
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
