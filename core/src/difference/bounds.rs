//! Bounds on counters, guessed where a first attempt fails and kept where they hold in each round.
//!
//! *Idea.* One loop runs while `i < n`, the other one until `i == n`, or down from `n`: both agree only because `i` is never above `n`. At the head of a loop
//! a counter is a free number ([`super::both`]) that comes back as itself and a constant. What it is compared with on the way is guessed to bound it, perhaps once it has moved, and
//! so is what it begins with.
//!
//! *Trust.* A bound is a fact of a state like any other: it is kept if it holds where paths meet for the first time and follows in each state that arrives.
//!
//! *Source.* C. Flanagan, K. R. M. Leino: Houdini, an annotation assistant for ESC/Java, FME 2001: guess many, drop what is not inductive.

use std::collections::BTreeSet;

use super::both::{Both, free_at};
use super::numbers::{JoinId, Node, Number, Numbers};
use crate::term::{Sort, Term, TermId, TermPool};

/// What a scalar in some place may be bounded by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bound {
    pub part: Part,
    relation: Relation,
    limit: TermId,
    /// What the scalar begins with, if it need not be within the limit then.
    unless: Option<TermId>,
}

/// A place of a state, by its index in [`Both::places`], or an operand of the aggregate that it holds, and so on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part {
    place: usize,
    operands: Vec<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Relation {
    SignedAtMost,
    UnsignedAtMost,
    SignedAtLeast,
    UnsignedAtLeast,
}

/// Guesses for one state that comes round.
const MOST_GUESSES: usize = 80;

impl Bound {
    /// What it says of a term.
    pub fn of(&self, pool: &mut TermPool, term: TermId) -> TermId {
        let is_within = match self.relation {
            Relation::SignedAtMost => pool.sle(term, self.limit),
            Relation::UnsignedAtMost => pool.ule(term, self.limit),
            Relation::SignedAtLeast => pool.sge(term, self.limit),
            Relation::UnsignedAtLeast => pool.uge(term, self.limit),
        };
        match self.unless {
            Some(begin) => {
                let begins = pool.eq(term, begin);
                pool.or(begins, is_within)
            }
            None => is_within,
        }
    }

    pub fn sort(&self, pool: &TermPool) -> Sort {
        pool.sort(self.limit)
    }
}

impl Part {
    /// The scalar there, if there is one.
    pub fn scalar(&self, numbers: &Numbers, places: &[Number]) -> Option<TermId> {
        let mut number = *places.get(self.place)?;
        for index in &self.operands {
            let Node::Aggregate(_, operands) = numbers.node(number) else { return None };
            number = *operands.get(*index)?;
        }
        match numbers.node(number) {
            Node::Scalar(term) => Some(*term),
            _ => None,
        }
    }
}

/// Guesses for the counters of a state that comes round to the stored one.
pub fn guesses(numbers: &mut Numbers, at: JoinId, stored: &Both, arriving: &Both) -> BTreeSet<Bound> {
    let mut found = BTreeSet::new();
    let (places, arrived) = (stored.places(), arriving.places());
    for (place, number) in places.iter().enumerate() {
        for part in parts(numbers, Part { place, operands: Vec::new() }, *number) {
            let scalars = part.scalar(numbers, &places).zip(part.scalar(numbers, &arrived));
            let Some((counter, next)) = scalars else { continue };
            guess(numbers, at, (counter, next), &arriving.facts, &part, &mut found);
            if found.len() > MOST_GUESSES {
                return found;
            }
        }
    }
    found
}

/// The part itself, and what it is made of.
fn parts(numbers: &Numbers, part: Part, number: Number) -> Vec<Part> {
    let Node::Aggregate(_, operands) = numbers.node(number) else { return vec![part] };
    let of = |(index, operand): (usize, &Number)| {
        let operands = part.operands.iter().copied().chain([index]).collect();
        parts(numbers, Part { place: part.place, operands }, *operand)
    };
    operands.iter().enumerate().flat_map(of).collect()
}

fn guess(
    numbers: &mut Numbers,
    at: JoinId,
    (counter, next): (TermId, TermId),
    facts: &BTreeSet<TermId>,
    part: &Part,
    found: &mut BTreeSet<Bound>,
) {
    let Sort::Bv(width) = numbers.pool.sort(counter) else { return };
    let number = numbers.term(counter);
    let Some(free) = free_at(numbers, at, number) else { return };
    let step = numbers.pool.sub(next, counter);
    let Some(step) = numbers.pool.as_const(step).filter(|step| *step != 0) else { return };
    let goes_up = step >> (width - 1) == 0;
    let (towards, from) = match goes_up {
        true => (
            [Relation::SignedAtMost, Relation::UnsignedAtMost],
            [Relation::SignedAtLeast, Relation::UnsignedAtLeast],
        ),
        false => (
            [Relation::SignedAtLeast, Relation::UnsignedAtLeast],
            [Relation::SignedAtMost, Relation::UnsignedAtMost],
        ),
    };
    let mut add = |relations: [Relation; 2], limit: TermId, unless: Option<TermId>| {
        found.extend(relations.map(|relation| Bound { part: part.clone(), relation, limit, unless }));
    };
    let begin = beginnings(numbers, at, free);
    begin.iter().for_each(|begin| add(from, *begin, None));
    let mut atoms = Vec::new();
    facts.iter().for_each(|fact| comparisons(&numbers.pool, *fact, &mut atoms));
    for (a, b) in atoms {
        let Some(limit) = solved_for(&mut numbers.pool, counter, a, b) else { continue };
        if numbers.joins_in_term(limit).contains(&at) {
            continue;
        }
        for offset in [0, 1, crate::term::bits::mask(width)] {
            let offset = numbers.pool.bv_const(offset, width);
            add(towards, numbers.pool.add(limit, offset), None);
        }
        begin.iter().for_each(|begin| add(towards, limit, Some(*begin)));
    }
}

/// What a free number has been made of, by joining states again and again, that comes from elsewhere.
fn beginnings(numbers: &mut Numbers, at: JoinId, free: Number) -> Vec<TermId> {
    let (mut found, mut open, mut seen) = (Vec::new(), vec![free], BTreeSet::new());
    while let Some(number) = open.pop() {
        let Node::Phi { before, after, .. } = *numbers.node(number) else { continue };
        for number in [before, after] {
            match (free_at(numbers, at, number), numbers.node(number)) {
                (Some(free), _) if seen.insert(free) => open.push(free),
                (None, Node::Scalar(term)) => {
                    let term = *term;
                    if !numbers.joins_in_term(term).contains(&at) {
                        found.push(term);
                    }
                }
                _ => {}
            }
        }
    }
    found
}

/// The operands of all comparisons of numbers in a condition.
fn comparisons(pool: &TermPool, condition: TermId, found: &mut Vec<(TermId, TermId)>) {
    let mut open = vec![condition];
    while let Some(term) = open.pop() {
        match pool.term(term) {
            Term::Not(a) => open.push(*a),
            Term::And(a, b) => open.extend([*a, *b]),
            Term::Eq(a, b) | Term::Ult(a, b) | Term::Slt(a, b) if pool.sort(*a) != Sort::Bool => {
                found.push((*a, *b));
            }
            _ => {}
        }
    }
}

/// The value of the counter at which both are the same, if they differ by it, once.
fn solved_for(pool: &mut TermPool, counter: TermId, a: TermId, b: TermId) -> Option<TermId> {
    if pool.sort(a) != pool.sort(counter) {
        return None;
    }
    let all = crate::term::bits::mask(pool.width(counter));
    let difference = pool.sub(a, b);
    let linear = pool.as_linear(difference);
    let (_, coefficient) = *linear.monomials.iter().find(|(term, _)| *term == counter)?;
    if coefficient == 1 {
        Some(pool.sub(counter, difference))
    } else if coefficient == all {
        Some(pool.add(counter, difference))
    } else {
        None
    }
}
