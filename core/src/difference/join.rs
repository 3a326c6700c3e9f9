//! States at a pair of blocks where paths meet: which are covered by which, and what covers two of them.
//!
//! *Definition.* A state says that there are values for its numbers (equal operations on equal values giving equal values) such that each place of both
//! versions holds the value of its number and all facts hold. State `S` covers state `A` if that follows for `S` from `A`.
//!
//! *Idea.* Numbers of [`Node::Phi`] made at the pair itself are free in `S`: `S` covers `A` if each of them stands for one number of `A`, wherever it
//! stands, and all other numbers, none of which depends on such a one, are the same. What covers both has the same number where they have, and for each pair of
//! different ones a new free number. So what is equal in both versions in `S` and in `A` is equal in what covers them.
//!
//! *Source.* B. Alpern, M. Wegman, F. K. Zadeck: Detecting equality of variables in programs, POPL 1988: the partition of values, here of two
//! programs at once, refined until it holds.

use std::collections::{BTreeSet, HashMap};

use super::numbers::{JoinId, Node, Number, Numbers};
use super::side::State;
use crate::term::TermId;

/// Both versions on their way.
#[derive(Clone, Debug, PartialEq)]
pub struct Both {
    pub old: State,
    pub new: State,
    /// What holds on this path.
    pub facts: BTreeSet<TermId>,
}

impl Both {
    /// The numbers of all places, always in one order.
    pub fn places(&self) -> Vec<Number> {
        let of = |state: &State| -> Vec<Number> {
            let locals = state.locals.iter().copied();
            locals.chain(state.slots.values().copied()).chain([state.memory]).collect()
        };
        [of(&self.old), of(&self.new)].concat()
    }

    fn set_places(&mut self, numbers: &[Number]) {
        let mut numbers = numbers.iter().copied();
        let mut next = || numbers.next().unwrap_or_else(|| unreachable!("one for each place"));
        for state in [&mut self.old, &mut self.new] {
            state.locals.iter_mut().for_each(|number| *number = next());
            state.slots.values_mut().for_each(|number| *number = next());
            state.memory = next();
        }
    }

    /// Whether what is no value is the same, so that one state can stand for both.
    pub fn is_alike(&self, other: &Both) -> bool {
        let alike = |a: &State, b: &State| a.stop == b.stop && a.cause == b.cause;
        alike(&self.old, &other.old) && alike(&self.new, &other.new)
    }
}

/// The number that is free at this join, if the place's number is one.
fn free_at(numbers: &Numbers, at: JoinId, number: Number) -> Option<Number> {
    let origin = numbers.origin(number);
    matches!(numbers.node(origin), Node::Phi { at: of, .. } if *of == at).then_some(origin)
}

/// Whether the stored state covers the one that arrives.
pub fn covers(numbers: &mut Numbers, at: JoinId, stored: &Both, arriving: &Both) -> bool {
    let has_escaped = stored.old.escaped.is_superset(&arriving.old.escaped)
        && stored.new.escaped.is_superset(&arriving.new.escaped);
    if !has_escaped || !stored.facts.is_subset(&arriving.facts) || !stored.is_alike(arriving) {
        return false;
    }
    // By the free number: the place that it stands in, be it as it is or as a scalar, and what arrives there.
    let mut stands_for: HashMap<Number, (Number, Number)> = HashMap::new();
    for (place, value) in stored.places().into_iter().zip(arriving.places()) {
        let covered = match free_at(numbers, at, place) {
            // A scalar that is free can only be a scalar.
            Some(free) => {
                let same_kind = place == free || numbers.is_scalar_like(place, value);
                same_kind && *stands_for.entry(free).or_insert((place, value)) == (place, value)
            }
            None => place == value && !numbers.joins_in(place).contains(&at),
        };
        if !covered {
            return false;
        }
    }
    stored.facts.iter().all(|fact| !numbers.joins_in_term(*fact).contains(&at))
}

/// A state that covers both.
pub fn join(numbers: &mut Numbers, at: JoinId, stored: &Both, arriving: &Both) -> Both {
    let mut joined = stored.clone();
    joined.old.escaped.extend(&arriving.old.escaped);
    joined.new.escaped.extend(&arriving.new.escaped);
    let mut places = Vec::new();
    for (before, after) in stored.places().into_iter().zip(arriving.places()) {
        if before == after && !numbers.joins_in(before).contains(&at) {
            places.push(before);
            continue;
        }
        let phi = numbers.of(Node::Phi { at, before, after });
        places.push(numbers.like(phi, before, after));
    }
    joined.set_places(&places);
    joined.facts = stored.facts.intersection(&arriving.facts).copied().collect();
    joined.facts.retain(|fact| !numbers.joins_in_term(*fact).contains(&at));
    joined
}

impl Numbers {
    /// Whether both are scalars of one sort.
    fn is_scalar_like(&self, a: Number, b: Number) -> bool {
        match (self.node(a), self.node(b)) {
            (Node::Scalar(a), Node::Scalar(b)) => self.pool.sort(*a) == self.pool.sort(*b),
            _ => false,
        }
    }

    /// The number as a scalar, if both of the others are scalars of one sort.
    fn like(&mut self, number: Number, a: Number, b: Number) -> Number {
        match (self.node(a), self.node(b)) {
            (Node::Scalar(a), Node::Scalar(b)) if self.pool.sort(*a) == self.pool.sort(*b) => {
                let sort = self.pool.sort(*a);
                let term = self.as_term(number, sort);
                term.map_or(number, |term| self.term(term))
            }
            _ => number,
        }
    }
}
