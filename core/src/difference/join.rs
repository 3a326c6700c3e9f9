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
use super::replace::Replacing;
use super::side;
use super::side::Cause;
use crate::ir::{AggregateKind, BlockId};
use crate::term::{Sort, Term, TermId, TermPool};

/// Both versions on their way.
#[derive(Clone, Debug, PartialEq)]
pub struct Both {
    pub old: side::State,
    pub new: side::State,
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
        let of = |state: &side::State| -> Vec<Number> {
            let locals = state.locals.iter().copied();
            let cause = state.cause.iter().flat_map(|cause| cause.numbers().iter().copied());
            locals.chain(state.slots.values().copied()).chain([state.memory]).chain(cause).collect()
        };
        [of(&self.old), of(&self.new)].concat()
    }

    /// How many of [`Both::places`] are the old version's.
    fn places_of_old(&self) -> usize {
        let cause = self.old.cause.as_ref().map_or(0, |cause| cause.numbers().len());
        self.old.locals.len() + self.old.slots.len() + 1 + cause
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
        let same_cause = |a: &side::State, b: &side::State| match (&a.cause, &b.cause) {
            (None, None) => true,
            (Some(a), Some(b)) => a.is_alike(b),
            _ => false,
        };
        let alike = |a: &side::State, b: &side::State| a.stop == b.stop && same_cause(a, b);
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

/// A state that covers both.
pub fn join(numbers: &mut Numbers, at: JoinId, stored: &Both, arriving: &Both) -> Both {
    let mut joined = stored.clone();
    joined.old.escaped.extend(&arriving.old.escaped);
    joined.new.escaped.extend(&arriving.new.escaped);
    let mut joining = Joining { numbers, at, free: Vec::new(), others: Vec::new() };
    let places: Vec<(Number, Number)> = stored.places().into_iter().zip(arriving.places()).collect();
    joining.join_scalars_first(&places);
    let places: Vec<Number> =
        places.into_iter().map(|(before, after)| joining.joined(before, after)).collect();
    joined.set_places(&places);
    joined.facts = joining.facts(&stored.facts, &arriving.facts);
    joined
}

/// A scalar that has become a free number: what it was in both states, and that number.
#[derive(Clone, Copy, Debug)]
struct Free {
    before: TermId,
    after: TermId,
    term: TermId,
}

/// Factors by which one counter may grow faster than another one.
const MOST_TIMES_FASTER: i128 = 64;

/// Numbers that stand for two each.
struct Joining<'j> {
    numbers: &'j mut Numbers,
    at: JoinId,
    free: Vec<Free>,
    /// What is no scalar and has become a free number: what it was in both states, and that number.
    others: Vec<[Number; 3]>,
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
                    self.others.push([before, after, phi]);
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
            return free.term;
        }
        if let Some(term) = self.related(before, after) {
            return term;
        }
        let [first, second] = [before, after].map(|term| self.numbers.term(term));
        if let Some(number) = self.computed(first, second)
            && let Node::Scalar(term) = self.numbers.node(number)
        {
            return *term;
        }
        let phi = self.numbers.of(Node::Phi { at: self.at, before: first, after: second });
        let sort = self.numbers.pool.sort(before);
        let Some(term) = self.numbers.as_term(phi, sort) else { unreachable!("no scalar of another sort") };
        self.free.push(Free { before, after, term });
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
                if (is_same || self.is_guess(Sum::Difference, (before, after), &narrow))
                    && !self.is_own_term(difference)
                {
                    return Some(self.numbers.pool.add(other.term, difference));
                }
                let pool = &mut self.numbers.pool;
                let sum = pool.add(before, other.before);
                let is_same = sum == pool.add(after, other.after);
                if (is_same || self.is_guess(Sum::Sum, (before, after), &narrow)) && !self.is_own_term(sum) {
                    return Some(self.numbers.pool.sub(sum, other.term));
                }
                if let Some(factor) = self.times_faster(before, after, &other) {
                    let pool = &mut self.numbers.pool;
                    let begin = pool.mul(factor, other.before);
                    let offset = pool.sub(before, begin);
                    if !self.is_own_term(offset) {
                        let pool = &mut self.numbers.pool;
                        let multiple = pool.mul(factor, other.term);
                        return Some(pool.add(multiple, offset));
                    }
                }
            }
        }
        None
    }

    /// Whether a scalar may differ from a narrower one by the same, or add up with it to the same, as the low bits of both do. It is guessed where states are joined for
    /// the first time only, as it will be told.
    fn is_guess(&mut self, sum: Sum, (before, after): (TermId, TermId), narrow: &Free) -> bool {
        let pool = &mut self.numbers.pool;
        let Sort::Bv(width) = pool.sort(narrow.term) else { return false };
        if width >= pool.width(before) || self.is_own_term(before) || self.is_own_term(narrow.before) {
            return false;
        }
        let pool = &mut self.numbers.pool;
        let [before, after] = [(before, narrow.before), (after, narrow.after)].map(|(wide, narrow)| {
            let low = pool.extract(wide, width - 1, 0);
            match sum {
                Sum::Difference => pool.sub(low, narrow),
                Sum::Sum => pool.add(low, narrow),
            }
        });
        before == after
    }

    /// How many times what the free number grows by the other one does, both growing by constants.
    fn times_faster(&mut self, before: TermId, after: TermId, free: &Free) -> Option<TermId> {
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
                let Some(candidate) = self.generalized(number, state) else { continue };
                let holds_in = |joining: &mut Self, state, facts: &BTreeSet<TermId>| {
                    let instance = joining.instance(candidate, state);
                    let Node::Scalar(instance) = *joining.numbers.node(instance) else { return false };
                    let known = joining.numbers.pool.as_bool(instance);
                    known.unwrap_or_else(|| facts.contains(&instance))
                };
                let holds = holds_in(self, State::Before, stored) && holds_in(self, State::After, arriving);
                if let Node::Scalar(fact) = *self.numbers.node(candidate)
                    && holds
                    && self.numbers.pool.as_bool(fact).is_none()
                {
                    facts.insert(fact);
                }
            }
        }
        facts
    }

    /// The value with free numbers in the place of what they were in this state, if that is no constant; none if nothing of it was, or it depends on what was
    /// free before.
    fn generalized(&mut self, number: Number, state: State) -> Option<Number> {
        let (mut terms, mut others) = (FxHashMap::default(), HashMap::new());
        for free in &self.free {
            let (pool, term) = (&self.numbers.pool, free.in_state(state));
            if pool.as_const(term).is_none() && pool.as_bool(term).is_none() {
                terms.entry(term).or_insert(free.term);
            }
        }
        for [before, after, phi] in &self.others {
            let number = if state == State::Before { before } else { after };
            others.entry(*number).or_insert(*phi);
        }
        let mut replacing = Replacing::new(self.numbers, &terms, &others);
        let candidate = replacing.in_number(number);
        (candidate != number && self.is_of_free(candidate)).then_some(candidate)
    }

    /// The value with what free numbers were in this state.
    fn instance(&mut self, number: Number, state: State) -> Number {
        let terms = self.free.iter().map(|free| (free.term, free.in_state(state))).collect();
        let of = |[before, after, phi]: &[Number; 3]| {
            (*phi, if state == State::Before { *before } else { *after })
        };
        let others = self.others.iter().map(of).collect();
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
                        let var = self.numbers.pool.var_of(free.term);
                        var.is_some_and(|var| self.numbers.origin_of(var) == Some(number))
                    });
                    if !is_scalar && !self.others.iter().any(|[_, _, phi]| *phi == number) {
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
enum Sum {
    Difference,
    Sum,
}

/// Which of two states that are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Before,
    After,
}

impl Free {
    fn in_state(&self, state: State) -> TermId {
        match state {
            State::Before => self.before,
            State::After => self.after,
        }
    }
}

/// The free number as one of this width: itself, or extended by zeros or by its sign.
fn widened(numbers: &mut Numbers, free: Free, width: u16) -> Vec<Free> {
    let pool = &mut numbers.pool;
    let of = |Free { before, after, term }: Free, widen: &mut dyn FnMut(TermId) -> TermId| Free {
        before: widen(before),
        after: widen(after),
        term: widen(term),
    };
    match pool.sort(free.term) {
        Sort::Bv(other) if other == width => vec![free],
        Sort::Bv(other) if other < width => {
            vec![of(free, &mut |term| pool.zext(term, width)), of(free, &mut |term| pool.sext(term, width))]
        }
        _ => Vec::new(),
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

    /// The scalars that a value is made of.
    fn scalars_in(&self, number: Number) -> Vec<TermId> {
        match self.node(number) {
            Node::Scalar(term) => vec![*term],
            Node::Aggregate(_, operands) => {
                operands.iter().flat_map(|operand| self.scalars_in(*operand)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The value with other scalars in it.
    fn map_scalars(&mut self, number: Number, of: &mut dyn FnMut(&mut TermPool, TermId) -> TermId) -> Number {
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
