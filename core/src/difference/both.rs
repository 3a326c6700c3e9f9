//! Both versions on their way: what a state says.
//!
//! *Definition.* A state says that there are values for its numbers (equal operations on equal values giving equal values) such that each place of both
//! versions holds the value of its number and all facts hold.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::numbers::{JoinId, Node, Number, Numbers};
use super::side::{Cause, State};
use crate::ir::{AggregateKind, BlockId};
use crate::term::{Term, TermId, TermPool};

/// Both versions on their way.
#[derive(Clone, Debug, PartialEq)]
pub struct Both {
    pub old: State,
    pub new: State,
    /// What holds on this path.
    pub facts: BTreeSet<TermId>,
    pub alone: Alone,
    /// The state at the head of a loop that it comes from. It says nothing of values.
    pub since: Option<Since>,
}

/// A state at the head of a loop, as it was once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Since {
    pub at: (BlockId, BlockId),
    pub state: usize,
    pub generation: usize,
}

/// How far one version has gone while the other one waits. It says nothing of values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Alone {
    /// Rounds of loops under conditions that are not constant.
    pub rounds: usize,
    /// Facts at the beginning of the last round.
    pub facts: usize,
}

impl Both {
    /// The numbers of all places, always in one order.
    pub fn places(&self) -> Vec<Number> {
        let of = |state: &State| -> Vec<Number> {
            let locals = state.locals.iter().copied();
            let cause = state.cause.iter().flat_map(|cause| cause.numbers().iter().copied());
            locals.chain(state.slots.values().copied()).chain([state.memory]).chain(cause).collect()
        };
        [of(&self.old), of(&self.new)].concat()
    }

    /// How many of [`Both::places`] are the old version's.
    pub fn places_of_old(&self) -> usize {
        let cause = self.old.cause.as_ref().map_or(0, |cause| cause.numbers().len());
        self.old.locals.len() + self.old.slots.len() + 1 + cause
    }

    pub fn set_places(&mut self, numbers: &[Number]) {
        let mut numbers = numbers.iter().copied();
        let mut next = || numbers.next().unwrap_or_else(|| unreachable!("one for each place"));
        for state in [&mut self.old, &mut self.new] {
            state.locals.iter_mut().for_each(|number| *number = next());
            state.slots.values_mut().for_each(|number| *number = next());
            state.memory = next();
            state.cause.iter_mut().flat_map(Cause::numbers_mut).for_each(|number| *number = next());
        }
    }

    /// Whether what is no value is the same, so that one state can stand for both.
    pub fn is_alike(&self, other: &Both) -> bool {
        let same_cause = |a: &State, b: &State| match (&a.cause, &b.cause) {
            (None, None) => true,
            (Some(a), Some(b)) => a.is_alike(b),
            _ => false,
        };
        let alike = |a: &State, b: &State| a.stop == b.stop && same_cause(a, b);
        alike(&self.old, &other.old) && alike(&self.new, &other.new)
    }

    /// What tells the arms apart that a state comes from: the flags and variants that are known, place by place.
    pub fn modes(&self, numbers: &Numbers) -> Vec<(usize, Mode)> {
        let mut found = Vec::new();
        for (place, number) in self.places().into_iter().enumerate() {
            numbers.modes(number, &mut |mode| found.push((place, mode)));
        }
        found
    }
}

/// A flag or a variant that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mode {
    Flag(bool),
    Variant(AggregateKind),
}

/// Puts what the facts say in the place of scalars that one version only holds, where that is what the other one holds, or a constant that a stored state has there.
///
/// So a flag that one version sets in an arm of a branch and the other one compares is the same in both.
pub fn evaluate_where_it_agrees(numbers: &mut Numbers, both: &mut Both, stored: &[Both]) {
    let mut known = FxHashMap::default();
    for fact in &both.facts {
        values_of(&mut numbers.pool, *fact, &mut known);
    }
    if known.is_empty() {
        return;
    }
    let places = both.places();
    let of_old = both.places_of_old();
    let held: [BTreeSet<TermId>; 2] = [&places[of_old..], &places[..of_old]]
        .map(|places| places.iter().flat_map(|number| numbers.scalars_in(*number)).collect());
    let stored: Vec<Vec<Number>> = stored.iter().map(Both::places).collect();
    let mut changed = places.clone();
    for (index, number) in places.iter().enumerate() {
        let held = &held[usize::from(index >= of_old)];
        let constants: BTreeSet<TermId> = stored
            .iter()
            .filter_map(|places| places.get(index))
            .flat_map(|number| numbers.scalars_in(*number))
            .filter(|term| numbers.pool.as_bool(*term).is_some() || numbers.pool.as_const(*term).is_some())
            .collect();
        changed[index] = numbers.map_scalars(*number, &mut |pool, term| {
            if held.contains(&term) {
                return term;
            }
            let value = pool.substitute(term, &known);
            if held.contains(&value) || constants.contains(&value) { value } else { term }
        });
    }
    both.set_places(&changed);
}

/// What follows at once from a condition that holds: of its parts that they hold, and of terms that are equal to constants what they are.
fn values_of(pool: &mut TermPool, condition: TermId, found: &mut FxHashMap<TermId, TermId>) {
    let mut open = vec![(condition, true)];
    while let Some((term, holds)) = open.pop() {
        match *pool.term(term) {
            Term::Not(a) => open.push((a, !holds)),
            Term::And(a, b) if holds => open.extend([(a, true), (b, true)]),
            Term::Bool(_) => {}
            _ => {
                if let Some((term, bits)) = pool.as_equality_with_const(term).filter(|_| holds) {
                    let constant = pool.bv_const(bits, pool.width(term));
                    found.insert(term, constant);
                }
                found.insert(term, pool.bool_const(holds));
            }
        }
    }
}

/// The number that is free at this join, if the place's number is one.
pub fn free_at(numbers: &Numbers, at: JoinId, number: Number) -> Option<Number> {
    let origin = numbers.origin(number);
    matches!(numbers.node(origin), Node::Phi { at: of, .. } if *of == at).then_some(origin)
}

impl Numbers {
    /// Both as terms, if they are scalars of one sort.
    pub fn scalars(&self, a: Number, b: Number) -> Option<(TermId, TermId)> {
        match (self.node(a), self.node(b)) {
            (Node::Scalar(a), Node::Scalar(b)) if self.pool.sort(*a) == self.pool.sort(*b) => Some((*a, *b)),
            _ => None,
        }
    }

    /// What two aggregates of one kind are made of.
    pub fn alike_aggregates(&self, a: Number, b: Number) -> Option<(AggregateKind, Vec<(Number, Number)>)> {
        match (self.node(a), self.node(b)) {
            (Node::Aggregate(kind, a), Node::Aggregate(other, b)) if kind == other && a.len() == b.len() => {
                Some(((**kind).clone(), a.iter().copied().zip(b.iter().copied()).collect()))
            }
            _ => None,
        }
    }

    /// The scalars that a value is made of.
    pub fn scalars_in(&self, number: Number) -> Vec<TermId> {
        match self.node(number) {
            Node::Scalar(term) => vec![*term],
            Node::Aggregate(_, operands) => {
                operands.iter().flat_map(|operand| self.scalars_in(*operand)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The value with other scalars in it.
    pub fn map_scalars(
        &mut self,
        number: Number,
        of: &mut dyn FnMut(&mut TermPool, TermId) -> TermId,
    ) -> Number {
        match self.node(number).clone() {
            Node::Scalar(term) => {
                let mapped = of(&mut self.pool, term);
                self.term(mapped)
            }
            Node::Aggregate(kind, operands) => {
                let operands = operands.into_iter().map(|operand| self.map_scalars(operand, of)).collect();
                self.of(Node::Aggregate(kind, operands))
            }
            _ => number,
        }
    }

    pub fn modes(&self, number: Number, on: &mut dyn FnMut(Mode)) {
        match self.node(number) {
            Node::Scalar(term) => {
                if let Some(value) = self.pool.as_bool(*term) {
                    on(Mode::Flag(value));
                }
            }
            Node::Aggregate(kind, operands) => {
                if let AggregateKind::Adt { variant: Some(_), .. } = &**kind {
                    on(Mode::Variant((**kind).clone()));
                }
                operands.iter().for_each(|operand| self.modes(*operand, on));
            }
            _ => {}
        }
    }
}
