//! Values with others in the place of what they are made of.
//!
//! References are left as they are: to which of several equal values one is may change from round to round of a loop, and an effect that is handed it may tell
//! ([`Numbers::hand_over`]).

use std::collections::HashMap;

use rustc_hash::FxHashMap;

use super::numbers::{Node, Number, Numbers, Step};
use crate::term::TermId;

/// Puts terms and numbers in the place of others, wherever values are only computed from them.
pub struct Replacing<'n> {
    numbers: &'n mut Numbers,
    terms: &'n FxHashMap<TermId, TermId>,
    /// The same of what is no scalar.
    others: &'n HashMap<Number, Number>,
    done: HashMap<Number, Number>,
    /// What was not looked into: it stays as it is, whatever it depends on.
    pub left: Vec<Number>,
}

impl<'n> Replacing<'n> {
    pub fn new(
        numbers: &'n mut Numbers,
        terms: &'n FxHashMap<TermId, TermId>,
        others: &'n HashMap<Number, Number>,
    ) -> Self {
        Replacing { numbers, terms, others, done: HashMap::new(), left: Vec::new() }
    }

    fn in_term(&mut self, term: TermId) -> TermId {
        let mut computed = FxHashMap::default();
        for var in self.numbers.pool.vars_in(term).iter() {
            let var = self.numbers.pool.var_term(*var);
            if self.terms.contains_key(&var) {
                continue;
            }
            let number = self.numbers.term(var);
            let origin = self.numbers.origin(number);
            if origin == number {
                continue;
            }
            let replaced = self.in_number(origin);
            if replaced == origin {
                continue;
            }
            let sort = self.numbers.pool.sort(var);
            match self.numbers.as_term(replaced, sort) {
                Some(replaced) => {
                    computed.insert(var, replaced);
                }
                None => self.left.push(origin),
            }
        }
        if computed.is_empty() {
            return self.numbers.pool.substitute(term, self.terms);
        }
        computed.extend(self.terms);
        self.numbers.pool.substitute(term, &computed)
    }

    pub fn in_number(&mut self, number: Number) -> Number {
        if let Some(known) = self.others.get(&number).or_else(|| self.done.get(&number)) {
            return *known;
        }
        let replaced = match self.numbers.node(number).clone() {
            Node::Scalar(term) => {
                let term = self.in_term(term);
                self.numbers.term(term)
            }
            Node::Aggregate(kind, operands) => {
                let operands = self.in_all(&operands);
                self.numbers.of(Node::Aggregate(kind, operands))
            }
            Node::Apply(operator, operands) => {
                let operands = self.in_all(&operands);
                self.numbers.of(Node::Apply(operator, operands))
            }
            Node::Part(of, step) => {
                let (of, step) = (self.in_number(of), self.in_step(step));
                self.numbers.part(of, &step)
            }
            _ => {
                self.left.push(number);
                number
            }
        };
        self.done.insert(number, replaced);
        replaced
    }

    fn in_all(&mut self, numbers: &[Number]) -> Vec<Number> {
        numbers.iter().map(|number| self.in_number(*number)).collect()
    }

    fn in_step(&mut self, step: Step) -> Step {
        match step {
            Step::Index(index) => Step::Index(self.in_number(index)),
            other => other,
        }
    }
}
