//! States at a pair of blocks where paths meet: which are covered by which, and what covers two of them.
//!
//! *Definition.* A state says that there are values for its numbers (equal operations on equal values giving equal values) such that each place of both
//! versions holds the value of its number and all facts hold. State `S` covers state `A` if that follows for `S` from `A`.
//!
//! *Idea.* Numbers of [`Node::Phi`] made at the pair itself are free in `S`. `S` covers `A` if there are numbers for the free ones such that, these put in their places, each
//! place has in `S` the number that it has in `A`, and the facts of `S` follow from those of `A`. What covers both has the same number where they have; aggregates are
//! taken apart, and for each pair of different numbers there is a new free one. Integers that differ by the same in both, or that add up to the same, become one
//! free number, so counters that begin elsewhere or go down instead of up stay related.
//!
//! *Source.* B. Alpern, M. Wegman, F. K. Zadeck: Detecting equality of variables in programs, POPL 1988: the partition of values, here of two
//! programs at once, refined until it holds. G. Plotkin: A note on inductive generalization, 1970, for what covers two terms; relations between two
//! integers as in M. Karr: Affine relationships among variables of a program, Acta Informatica 1976.

use std::collections::{BTreeSet, HashMap};

use rustc_hash::FxHashMap;

use super::numbers::{JoinId, Node, Number, Numbers};
use super::side::{Cause, State};
use crate::ir::{AggregateKind, BlockId};
use crate::term::{Sort, TermId};

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

    fn set_places(&mut self, numbers: &[Number]) {
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

/// Whether the stored state covers the one that arrives, as far as values go: what has to follow from the facts of the latter, if so.
pub fn covers(numbers: &mut Numbers, at: JoinId, stored: &Both, arriving: &Both) -> Option<Vec<TermId>> {
    let has_escaped = stored.old.escaped.is_superset(&arriving.old.escaped)
        && stored.new.escaped.is_superset(&arriving.new.escaped);
    if !has_escaped || !stored.is_alike(arriving) {
        return None;
    }
    let mut matching = Matching {
        numbers,
        at,
        stands_for: HashMap::new(),
        terms: FxHashMap::default(),
        computed: Vec::new(),
        itself: BTreeSet::new(),
    };
    for (place, value) in stored.places().into_iter().zip(arriving.places()) {
        if !matching.matches(place, value) {
            return None;
        }
    }
    for (term, value) in std::mem::take(&mut matching.computed) {
        if matching.put_in(term) != value {
            return None;
        }
    }
    let required = stored.facts.iter().map(|fact| matching.put_in(*fact)).collect();
    matching.is_consistent().then_some(required)
}

/// What the free numbers of a stored state stand for in one that arrives.
struct Matching<'m> {
    numbers: &'m mut Numbers,
    at: JoinId,
    /// By the free number: the number that it stands in, be it as it is or as a scalar, and what arrives there.
    stands_for: HashMap<Number, (Number, Number)>,
    /// The same of those that are scalars.
    terms: FxHashMap<TermId, TermId>,
    /// Terms over free numbers, and what arrives in their places.
    computed: Vec<(TermId, TermId)>,
    /// Free numbers that have to stand for themselves, as something is the same in both states that depends on them.
    itself: BTreeSet<Number>,
}

impl Matching<'_> {
    fn matches(&mut self, stored: Number, arriving: Number) -> bool {
        if !self.numbers.joins_in(stored).contains(&self.at) {
            return stored == arriving;
        }
        if let Some(free) = free_at(self.numbers, self.at, stored) {
            // A scalar that is free can only be a scalar.
            let scalars = self.numbers.scalars(stored, arriving);
            if stored != free && scalars.is_none() {
                return false;
            }
            self.terms.extend(scalars);
            return *self.stands_for.entry(free).or_insert((stored, arriving)) == (stored, arriving);
        }
        if let Some((_, pairs)) = self.numbers.alike_aggregates(stored, arriving) {
            return pairs.into_iter().all(|(stored, arriving)| self.matches(stored, arriving));
        }
        let scalars = self.numbers.scalars(stored, arriving);
        self.computed.extend(scalars);
        if scalars.is_none() && stored == arriving {
            self.keep(stored);
            return true;
        }
        scalars.is_some()
    }

    /// The number stays as it is, and so does all that it depends on.
    fn keep(&mut self, number: Number) {
        let (mut open, mut seen) = (vec![number], BTreeSet::new());
        while let Some(number) = open.pop() {
            if !seen.insert(number) || !self.numbers.joins_in(number).contains(&self.at) {
                continue;
            }
            match self.numbers.node(number) {
                Node::Phi { .. } => {
                    self.itself.insert(number);
                }
                _ => open.extend(self.numbers.operands(number)),
            }
        }
    }

    fn is_consistent(&self) -> bool {
        let stands_for_itself = |free: &Number| self.stands_for.get(free).is_none_or(|(a, b)| a == b);
        self.itself.iter().all(stands_for_itself)
    }

    /// The term with what free numbers stand for, if it is told; else they stand for themselves.
    fn put_in(&mut self, term: TermId) -> TermId {
        for var in self.numbers.pool.vars_in(term).iter() {
            let var = self.numbers.pool.var_term(*var);
            if !self.terms.contains_key(&var) {
                let number = self.numbers.term(var);
                self.keep(number);
            }
        }
        self.numbers.pool.substitute(term, &self.terms)
    }
}

/// A state that covers both.
pub fn join(numbers: &mut Numbers, at: JoinId, stored: &Both, arriving: &Both) -> Both {
    let mut joined = stored.clone();
    joined.old.escaped.extend(&arriving.old.escaped);
    joined.new.escaped.extend(&arriving.new.escaped);
    let mut joining = Joining { numbers, at, scalars: Vec::new() };
    let places = stored.places().into_iter().zip(arriving.places());
    let places: Vec<Number> = places.map(|(before, after)| joining.joined(before, after)).collect();
    joined.set_places(&places);
    joined.facts = stored.facts.intersection(&arriving.facts).copied().collect();
    joined.facts.retain(|fact| !numbers.joins_in_term(*fact).contains(&at));
    joined
}

/// Numbers that stand for two each.
struct Joining<'j> {
    numbers: &'j mut Numbers,
    at: JoinId,
    /// Scalars that have become a free one, and that one.
    scalars: Vec<(TermId, TermId, TermId)>,
}

impl Joining<'_> {
    fn joined(&mut self, before: Number, after: Number) -> Number {
        if before == after && !self.numbers.joins_in(before).contains(&self.at) {
            return before;
        }
        if let Some((kind, pairs)) = self.numbers.alike_aggregates(before, after) {
            let operands = pairs.into_iter().map(|(before, after)| self.joined(before, after)).collect();
            return self.numbers.of(Node::Aggregate(Box::new(kind), operands));
        }
        match self.numbers.scalars(before, after) {
            Some((before, after)) => {
                let term = self.scalar(before, after);
                self.numbers.term(term)
            }
            None => self.numbers.of(Node::Phi { at: self.at, before, after }),
        }
    }

    fn scalar(&mut self, before: TermId, after: TermId) -> TermId {
        let known = self.scalars.iter().find(|(b, a, _)| (*b, *a) == (before, after));
        if let Some((_, _, term)) = known {
            return *term;
        }
        if let Some(term) = self.related(before, after) {
            return term;
        }
        let [first, second] = [before, after].map(|term| self.numbers.term(term));
        let phi = self.numbers.of(Node::Phi { at: self.at, before: first, after: second });
        let sort = self.numbers.pool.sort(before);
        let Some(term) = self.numbers.as_term(phi, sort) else { unreachable!("no scalar of another sort") };
        self.scalars.push((before, after, term));
        term
    }

    /// What differs from a free number by the same in both states, or adds up with it to the same.
    fn related(&mut self, before: TermId, after: TermId) -> Option<TermId> {
        let sort = self.numbers.pool.sort(before);
        if sort == Sort::Bool {
            return None;
        }
        for (other_before, other_after, free) in self.scalars.clone() {
            let pool = &mut self.numbers.pool;
            if pool.sort(other_before) != sort {
                continue;
            }
            let difference = pool.sub(before, other_before);
            if difference == pool.sub(after, other_after)
                && !self.numbers.joins_in_term(difference).contains(&self.at)
            {
                return Some(self.numbers.pool.add(free, difference));
            }
            let pool = &mut self.numbers.pool;
            let sum = pool.add(before, other_before);
            if sum == pool.add(after, other_after) && !self.numbers.joins_in_term(sum).contains(&self.at) {
                return Some(self.numbers.pool.sub(sum, free));
            }
        }
        None
    }
}

/// The number that is free at this join, if the place's number is one.
pub fn free_at(numbers: &Numbers, at: JoinId, number: Number) -> Option<Number> {
    let origin = numbers.origin(number);
    matches!(numbers.node(origin), Node::Phi { at: of, .. } if *of == at).then_some(origin)
}

impl Numbers {
    /// Both as terms, if they are scalars of one sort.
    fn scalars(&self, a: Number, b: Number) -> Option<(TermId, TermId)> {
        match (self.node(a), self.node(b)) {
            (Node::Scalar(a), Node::Scalar(b)) if self.pool.sort(*a) == self.pool.sort(*b) => Some((*a, *b)),
            _ => None,
        }
    }

    /// What two aggregates of one kind are made of.
    fn alike_aggregates(&self, a: Number, b: Number) -> Option<(AggregateKind, Vec<(Number, Number)>)> {
        match (self.node(a), self.node(b)) {
            (Node::Aggregate(kind, a), Node::Aggregate(other, b)) if kind == other && a.len() == b.len() => {
                Some(((**kind).clone(), a.iter().copied().zip(b.iter().copied()).collect()))
            }
            _ => None,
        }
    }

    fn modes(&self, number: Number, on: &mut dyn FnMut(Mode)) {
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
