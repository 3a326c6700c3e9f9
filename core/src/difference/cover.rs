//! Which states cover which at a pair of blocks where paths meet.
//!
//! *Definition.* State `S` covers state `A` if what `S` says ([`super::both`]) follows from what `A` says.
//!
//! *Idea.* Numbers of [`Node::Phi`] made at the pair itself are free in `S`. `S` covers `A` if there are numbers for the free ones such that, these put in their places, each
//! place has in `S` the number that it has in `A`, or a scalar that is equal by the facts of `A`, and the facts of `S` follow from those of `A`.

use std::collections::{BTreeSet, HashMap};

use rustc_hash::FxHashMap;

use super::both::{Both, free_at};
use super::numbers::{JoinId, Node, Number, Numbers};
use super::replace::Replacing;
use crate::term::TermId;

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
        others: HashMap::new(),
        computed: Vec::new(),
        itself: BTreeSet::new(),
    };
    for (place, value) in stored.places().into_iter().zip(arriving.places()) {
        if !matching.matches(place, value) {
            return None;
        }
    }
    let mut required: Vec<TermId> = stored.facts.iter().map(|fact| matching.put_in(*fact)).collect();
    for (number, value) in std::mem::take(&mut matching.computed) {
        let number = matching.put_in_number(number);
        if number != value {
            let (term, value) = matching.numbers.scalars(number, value)?;
            required.push(matching.numbers.pool.eq(term, value));
        }
    }
    if required.iter().any(|fact| matching.numbers.pool.as_bool(*fact) == Some(false)) {
        return None;
    }
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
    /// The same of those that are none.
    others: HashMap<Number, Number>,
    /// Values computed from free numbers, and what arrives in their places.
    computed: Vec<(Number, Number)>,
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
            match scalars {
                Some((stored, arriving)) => {
                    self.terms.insert(stored, arriving);
                }
                None => {
                    self.others.insert(free, arriving);
                }
            }
            return *self.stands_for.entry(free).or_insert((stored, arriving)) == (stored, arriving);
        }
        if let Some((_, pairs)) = self.numbers.alike_aggregates(stored, arriving) {
            return pairs.into_iter().all(|(stored, arriving)| self.matches(stored, arriving));
        }
        self.computed.push((stored, arriving));
        true
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
        let number = self.numbers.term(term);
        let number = self.put_in_number(number);
        match self.numbers.node(number) {
            Node::Scalar(term) => *term,
            _ => unreachable!("a scalar stays one"),
        }
    }

    fn put_in_number(&mut self, number: Number) -> Number {
        let mut replacing = Replacing::new(self.numbers, &self.terms, &self.others);
        let replaced = replacing.in_number(number);
        for left in replacing.left {
            self.keep(left);
        }
        replaced
    }
}
