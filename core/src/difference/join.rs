//! What covers two states where paths meet ([`super::cover`]).
//!
//! *Idea.* It has the same number where both have; aggregates are taken apart, and for each pair of different numbers there is a new free one. What is computed alike from
//! others in both states stays so: a scalar that differs from another one by the same in both, adds up with it to the same or grows some times as fast, and whatever becomes
//! the value in both if what was there is put in the place of free numbers. So counters that begin elsewhere, go down instead of up or are wider stay related, and
//! so do values that one version computes a round earlier. Facts are kept likewise.
//!
//! What is taken for related here is a guess: whether it is covers what arrives is asked anew each time.
//!
//! *Source.* B. Alpern, M. Wegman, F. K. Zadeck: Detecting equality of variables in programs, POPL 1988: the partition of values, here of two
//! programs at once, refined until it holds. G. Plotkin: A note on inductive generalization, 1970, for what covers two terms; relations between two
//! integers as in M. Karr: Affine relationships among variables of a program, Acta Informatica 1976.

use std::collections::{BTreeSet, HashMap};

use rustc_hash::FxHashMap;

use super::both::Both;
use super::numbers::{JoinId, Node, Number, Numbers};
use super::replace::Replacing;
use crate::term::{Sort, Term, TermId};

/// A state that covers both.
pub fn join(numbers: &mut Numbers, at: JoinId, (stored, arriving): (&Both, &Both), guesses: Guesses) -> Both {
    let mut joined = stored.clone();
    joined.old.escaped.extend(&arriving.old.escaped);
    joined.new.escaped.extend(&arriving.new.escaped);
    let mut joining = Joining { numbers, at, guesses, free: Vec::new(), others: Vec::new() };
    let places: Vec<(Number, Number)> = stored.places().into_iter().zip(arriving.places()).collect();
    joining.join_scalars_first(&places);
    let places: Vec<Number> =
        places.into_iter().map(|(before, after)| joining.joined(before, after)).collect();
    joined.set_places(&places);
    joined.facts = joining.facts(&stored.facts, &arriving.facts);
    joined
}

/// Whether scalars of several widths are taken for the same as long as their low bits are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guesses {
    Made,
    Dropped,
}

/// What has become a free number: what it was in both states, and that number.
#[derive(Clone, Copy, Debug)]
struct Free<T> {
    before: T,
    after: T,
    free: T,
}

/// Factors by which one counter may grow faster than another one.
const MOST_TIMES_FASTER: i128 = 64;

/// Numbers that stand for two each.
struct Joining<'j> {
    numbers: &'j mut Numbers,
    at: JoinId,
    guesses: Guesses,
    free: Vec<Free<TermId>>,
    /// The same of what is no scalar.
    others: Vec<Free<Number>>,
}

impl Joining<'_> {
    fn joined(&mut self, before: Number, after: Number) -> Number {
        if before == after && !self.is_own(before) {
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
            None => match self.computed(before, after) {
                Some(number) => number,
                None => {
                    let phi = self.numbers.of(Node::Phi { at: self.at, before, after });
                    self.others.push(Free { before, after, free: phi });
                    phi
                }
            },
        }
    }

    /// Whether the number depends on what is free here.
    fn is_own(&mut self, number: Number) -> bool {
        self.numbers.joins_in(number).contains(&self.at)
    }

    /// Joins the narrow and small scalars before those that may be computed from them.
    fn join_scalars_first(&mut self, places: &[(Number, Number)]) {
        let (mut open, mut found) = (places.to_vec(), Vec::new());
        while let Some((before, after)) = open.pop() {
            if before == after && !self.is_own(before) {
                continue;
            }
            if let Some((_, pairs)) = self.numbers.alike_aggregates(before, after) {
                open.extend(pairs);
            }
            found.extend(self.numbers.scalars(before, after));
        }
        found.reverse();
        let pool = &self.numbers.pool;
        let width = |term: TermId| if pool.sort(term) == Sort::Bool { 1 } else { pool.width(term) };
        found.sort_by_cached_key(|(before, after)| (width(*before), pool.size(*before) + pool.size(*after)));
        for (before, after) in found {
            self.scalar(before, after);
        }
    }

    fn scalar(&mut self, before: TermId, after: TermId) -> TermId {
        let known = self.free.iter().find(|free| (free.before, free.after) == (before, after));
        if let Some(free) = known {
            return free.free;
        }
        let [first, second] = [before, after].map(|term| self.numbers.term(term));
        if let Some(number) = self.computed(first, second)
            && let Node::Scalar(term) = self.numbers.node(number)
        {
            return *term;
        }
        if let Some(term) = self.related(before, after) {
            return term;
        }
        let phi = self.numbers.of(Node::Phi { at: self.at, before: first, after: second });
        let sort = self.numbers.pool.sort(before);
        let Some(term) = self.numbers.as_term(phi, sort) else { unreachable!("no scalar of another sort") };
        self.free.push(Free { before, after, free: term });
        term
    }

    /// What differs from a free number by the same in both states, adds up with it to the same, or is a multiple of it and the same.
    fn related(&mut self, before: TermId, after: TermId) -> Option<TermId> {
        let Sort::Bv(width) = self.numbers.pool.sort(before) else { return None };
        for narrow in self.free.clone() {
            for other in widened(self.numbers, narrow, width) {
                let pool = &mut self.numbers.pool;
                let difference = pool.sub(before, other.before);
                let is_same = difference == pool.sub(after, other.after);
                if (is_same || self.is_guess(Relation::Difference, (before, after), &narrow))
                    && !self.is_own_term(difference)
                {
                    return Some(self.numbers.pool.add(other.free, difference));
                }
                let pool = &mut self.numbers.pool;
                let sum = pool.add(before, other.before);
                let is_same = sum == pool.add(after, other.after);
                if (is_same || self.is_guess(Relation::Sum, (before, after), &narrow))
                    && !self.is_own_term(sum)
                {
                    return Some(self.numbers.pool.sub(sum, other.free));
                }
                if let Some(factor) = self.times_faster(before, after, &other) {
                    let pool = &mut self.numbers.pool;
                    let begin = pool.mul(factor, other.before);
                    let offset = pool.sub(before, begin);
                    if !self.is_own_term(offset) {
                        let pool = &mut self.numbers.pool;
                        let multiple = pool.mul(factor, other.free);
                        return Some(pool.add(multiple, offset));
                    }
                }
            }
        }
        None
    }

    /// Whether a scalar may differ from a narrower one by the same, or add up with it to the same, as the low bits of both do.
    fn is_guess(
        &mut self,
        relation: Relation,
        (before, after): (TermId, TermId),
        narrow: &Free<TermId>,
    ) -> bool {
        let pool = &mut self.numbers.pool;
        let Sort::Bv(width) = pool.sort(narrow.free) else { return false };
        if self.guesses == Guesses::Dropped || width >= pool.width(before) {
            return false;
        }
        let [before, after] = [(before, narrow.before), (after, narrow.after)].map(|(wide, narrow)| {
            let low = pool.extract(wide, width - 1, 0);
            match relation {
                Relation::Difference => pool.sub(low, narrow),
                Relation::Sum => pool.add(low, narrow),
            }
        });
        before == after
    }

    /// How many times what the free number grows by the other one does, both growing by constants.
    fn times_faster(&mut self, before: TermId, after: TermId, free: &Free<TermId>) -> Option<TermId> {
        let pool = &mut self.numbers.pool;
        let width = pool.width(before);
        let mut growth = |before, after| {
            let step = pool.sub(after, before);
            pool.as_const(step).map(|bits| crate::term::bits::to_signed(bits, width))
        };
        let (step, unit) = (growth(before, after)?, growth(free.before, free.after)?);
        let factor = step.checked_div(unit).filter(|factor| factor.checked_mul(unit) == Some(step))?;
        let is_small = factor != 0 && factor.abs() <= MOST_TIMES_FASTER;
        is_small.then(|| pool.bv_const(crate::term::bits::from_signed(factor, width), width))
    }

    /// What is computed from free numbers alike in both states.
    fn computed(&mut self, before: Number, after: Number) -> Option<Number> {
        [(before, State::Before), (after, State::After)].into_iter().find_map(|(number, state)| {
            let candidate = self.generalized(number, state)?;
            let is_both = self.instance(candidate, State::Before) == before
                && self.instance(candidate, State::After) == after;
            is_both.then_some(candidate)
        })
    }

    /// What holds in both states: facts of other values as they are, and those that say the same in both of what is free now.
    fn facts(&mut self, stored: &BTreeSet<TermId>, arriving: &BTreeSet<TermId>) -> BTreeSet<TermId> {
        let mut facts: BTreeSet<TermId> = stored.intersection(arriving).copied().collect();
        facts.retain(|fact| !self.is_own_term(*fact));
        for (known, state) in [(stored, State::Before), (arriving, State::After)] {
            for fact in known {
                let number = self.numbers.term(*fact);
                let mut candidates: Vec<Number> = self.generalized(number, state).into_iter().collect();
                candidates.extend(self.with_free_operand(*fact, state));
                for candidate in candidates {
                    if self.holds_in(candidate, State::Before, stored)
                        && self.holds_in(candidate, State::After, arriving)
                        && let Node::Scalar(fact) = *self.numbers.node(candidate)
                        && self.numbers.pool.as_bool(fact).is_none()
                    {
                        facts.insert(fact);
                    }
                }
            }
        }
        facts
    }

    /// Whether what the fact says of a state is among its facts.
    fn holds_in(&mut self, fact: Number, state: State, facts: &BTreeSet<TermId>) -> bool {
        let instance = self.instance(fact, state);
        let Node::Scalar(instance) = *self.numbers.node(instance) else { return false };
        self.numbers.pool.as_bool(instance).unwrap_or_else(|| facts.contains(&instance))
    }

    /// The comparison with a free number in the place of an operand that is what this number was, a constant; or with one more than both, as `1 < n` is `n >= 2`.
    fn with_free_operand(&mut self, fact: TermId, state: State) -> Vec<Number> {
        let pool = &mut self.numbers.pool;
        let inner = if let Term::Not(inner) = *pool.term(fact) { inner } else { fact };
        let (Term::Ult(a, b) | Term::Slt(a, b) | Term::Eq(a, b)) = *pool.term(inner) else {
            return Vec::new();
        };
        if pool.sort(a) == Sort::Bool {
            return Vec::new();
        }
        let mut found = Vec::new();
        for free in &self.free {
            let was = free.in_state(state);
            if pool.sort(was) != pool.sort(a) || pool.as_const(was).is_none() {
                continue;
            }
            for more in [0, 1] {
                let more = pool.bv_const(more, pool.width(was));
                let (operand, replacement) = (pool.add(was, more), pool.add(free.free, more));
                if operand == a || operand == b {
                    let replaced = FxHashMap::from_iter([(operand, replacement)]);
                    found.push(pool.substitute(fact, &replaced));
                }
            }
        }
        let found: Vec<Number> = found.into_iter().map(|fact| self.numbers.term(fact)).collect();
        found.into_iter().filter(|number| self.is_of_free(*number)).collect()
    }

    /// The value with free numbers in the place of what they were in this state, if that is no constant; none if nothing of it was, or it depends on what was
    /// free before.
    fn generalized(&mut self, number: Number, state: State) -> Option<Number> {
        let (mut terms, mut others) = (FxHashMap::default(), HashMap::new());
        for free in &self.free {
            let (pool, term) = (&self.numbers.pool, free.in_state(state));
            if pool.as_const(term).is_some() || pool.as_bool(term).is_some() {
                continue;
            }
            // Comparisons of what was extended by zeros are of what it was before.
            if let Term::Zext { of: inner, .. } = *pool.term(term) {
                let high = pool.width(inner) - 1;
                let low = self.numbers.pool.extract(free.free, high, 0);
                terms.entry(inner).or_insert(low);
            }
            terms.entry(term).or_insert(free.free);
        }
        for other in &self.others {
            others.entry(other.in_state(state)).or_insert(other.free);
        }
        let mut replacing = Replacing::new(self.numbers, &terms, &others);
        let candidate = replacing.in_number(number);
        (candidate != number && self.is_of_free(candidate)).then_some(candidate)
    }

    /// The value with what free numbers were in this state.
    fn instance(&mut self, number: Number, state: State) -> Number {
        let terms = self.free.iter().map(|free| (free.free, free.in_state(state))).collect();
        let others = self.others.iter().map(|other| (other.free, other.in_state(state))).collect();
        Replacing::new(self.numbers, &terms, &others).in_number(number)
    }

    fn is_own_term(&mut self, term: TermId) -> bool {
        self.numbers.joins_in_term(term).contains(&self.at)
    }

    /// Whether the value has nothing of what was free in one of the states.
    fn is_of_free(&mut self, number: Number) -> bool {
        let (mut open, mut seen) = (vec![number], BTreeSet::new());
        while let Some(number) = open.pop() {
            if !seen.insert(number) || !self.is_own(number) {
                continue;
            }
            let number = self.numbers.origin(number);
            match self.numbers.node(number) {
                Node::Phi { .. } => {
                    let is_scalar = self.free.iter().any(|free| {
                        let var = self.numbers.pool.var_of(free.free);
                        var.is_some_and(|var| self.numbers.origin_of(var) == Some(number))
                    });
                    if !is_scalar && !self.others.iter().any(|other| other.free == number) {
                        return false;
                    }
                }
                _ => open.extend(self.numbers.operands(number)),
            }
        }
        true
    }
}

/// How two scalars may be related.
#[derive(Clone, Copy, Debug)]
enum Relation {
    Difference,
    Sum,
}

/// Which of two states that are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Before,
    After,
}

impl<T: Copy> Free<T> {
    fn in_state(&self, state: State) -> T {
        match state {
            State::Before => self.before,
            State::After => self.after,
        }
    }
}

/// The free number as one of this width: itself, or extended by zeros or by its sign.
fn widened(numbers: &mut Numbers, free: Free<TermId>, width: u16) -> Vec<Free<TermId>> {
    let pool = &mut numbers.pool;
    let of = |Free { before, after, free }: Free<TermId>, widen: &mut dyn FnMut(TermId) -> TermId| Free {
        before: widen(before),
        after: widen(after),
        free: widen(free),
    };
    match pool.sort(free.free) {
        Sort::Bv(other) if other == width => vec![free],
        Sort::Bv(other) if other < width => {
            vec![of(free, &mut |term| pool.zext(term, width)), of(free, &mut |term| pool.sext(term, width))]
        }
        _ => Vec::new(),
    }
}
