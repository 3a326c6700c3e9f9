//! Refutation by intervals and known bits.
//!
//! Each conjunct of the form `term < constant` or `term == constant`, plain or negated, narrows what its term can be.
//! The facts of all terms are then computed again from the bottom, the narrowed ones included, and again each
//! conjunct is looked at: one that cannot hold any more refutes the whole. Only one pass goes upward; nothing is
//! propagated from results down to operands.

use rustc_hash::FxHashMap;

use crate::term::{Facts, Sort, Term, TermId, TermPool, bits};

/// Larger questions are left to the other layers.
const MAX_NODES: usize = 4000;

pub(super) enum Refined {
    /// No model satisfies the conjuncts.
    Impossible,
    /// What the terms of the conjuncts can be; nothing for a term that is missing.
    Possible(FxHashMap<TermId, Facts>),
}

pub(super) fn refine(pool: &TermPool, conjuncts: &[TermId]) -> Refined {
    let mut known: FxHashMap<TermId, Facts> = FxHashMap::default();
    for conjunct in conjuncts {
        let Some((term, narrow)) = bound(pool, *conjunct) else { continue };
        let facts = known.entry(term).or_insert(*pool.facts(term));
        match narrowed(facts, narrow, pool.width(term)) {
            Some(sharper) => *facts = sharper,
            None => return Refined::Impossible,
        }
    }
    if known.is_empty() {
        return Refined::Possible(known);
    }
    let Some(order) = bottom_up(pool, conjuncts) else { return Refined::Possible(known) };
    for term in order {
        if !is_bit_vector(pool, term) {
            continue;
        }
        let computed = {
            let lookup = |child: TermId| *known.get(&child).unwrap_or(pool.facts(child));
            Facts::of_bit_vector(pool, term, lookup)
        };
        // Both the facts of the pool and those that a conjunct added still hold.
        let met =
            computed.and_then(|facts| facts.meet(pool.facts(term), pool.width(term))).and_then(|facts| {
                match known.get(&term) {
                    Some(narrowed) => facts.meet(narrowed, pool.width(term)),
                    None => Some(facts),
                }
            });
        match met {
            Some(facts) if &facts == pool.facts(term) => {}
            Some(facts) => {
                known.insert(term, facts);
            }
            None => return Refined::Impossible,
        }
    }
    let lookup = |term: TermId| *known.get(&term).unwrap_or(pool.facts(term));
    if conjuncts.iter().any(|conjunct| cannot_hold(pool, *conjunct, &lookup)) {
        return Refined::Impossible;
    }
    Refined::Possible(known)
}

fn is_bit_vector(pool: &TermPool, term: TermId) -> bool {
    matches!(pool.sort(term), Sort::Bv(_))
}

#[derive(Clone, Copy)]
enum Narrow {
    Below(u128),
    AtLeast(u128),
    SignedBelow(i128),
    SignedAtLeast(i128),
    Is(u128),
    IsNot(u128),
}

/// What a conjunct says of one term by itself.
fn bound(pool: &TermPool, conjunct: TermId) -> Option<(TermId, Narrow)> {
    let (atom, holds) = match *pool.term(conjunct) {
        Term::Not(inner) => (inner, false),
        _ => (conjunct, true),
    };
    match *pool.term(atom) {
        Term::Ult(x, c) => {
            let c = pool.as_const(c)?;
            Some((x, if holds { Narrow::Below(c) } else { Narrow::AtLeast(c) }))
        }
        Term::Slt(x, c) => {
            let c = bits::to_signed(pool.as_const(c)?, pool.width(x));
            Some((x, if holds { Narrow::SignedBelow(c) } else { Narrow::SignedAtLeast(c) }))
        }
        Term::Eq(x, _) if is_bit_vector(pool, x) => {
            let (x, c) = pool.as_equality_with_const(atom)?;
            Some((x, if holds { Narrow::Is(c) } else { Narrow::IsNot(c) }))
        }
        _ => None,
    }
}

/// None if nothing is left.
fn narrowed(facts: &Facts, narrow: Narrow, width: u16) -> Option<Facts> {
    let mut facts = *facts;
    match narrow {
        Narrow::Below(c) => facts.max = facts.max.min(c.checked_sub(1)?),
        Narrow::AtLeast(c) => facts.min = facts.min.max(c),
        Narrow::SignedBelow(c) => facts.smax = facts.smax.min(c.checked_sub(1)?),
        Narrow::SignedAtLeast(c) => facts.smin = facts.smin.max(c),
        Narrow::Is(c) => return facts.meet(&Facts::exactly(c, width), width),
        // Only the ends of an interval can be cut off.
        Narrow::IsNot(c) => {
            let signed = bits::to_signed(c, width);
            if facts.single() == Some(c) {
                return None;
            }
            if facts.min == c {
                facts.min += 1;
            }
            if facts.max == c {
                facts.max -= 1;
            }
            if facts.smin == signed && facts.smin < facts.smax {
                facts.smin += 1;
            }
            if facts.smax == signed && facts.smin < facts.smax {
                facts.smax -= 1;
            }
        }
    }
    facts.meet(&Facts::top(width), width)
}

fn cannot_hold(pool: &TermPool, conjunct: TermId, facts: &impl Fn(TermId) -> Facts) -> bool {
    match *pool.term(conjunct) {
        Term::Not(inner) => match *pool.term(inner) {
            Term::Ult(a, b) => facts(a).max < facts(b).min,
            Term::Slt(a, b) => facts(a).smax < facts(b).smin,
            Term::Eq(a, b) if is_bit_vector(pool, a) => {
                facts(a).single().is_some_and(|value| facts(b).single() == Some(value))
            }
            _ => false,
        },
        Term::Ult(a, b) => facts(a).min >= facts(b).max,
        Term::Slt(a, b) => facts(a).smin >= facts(b).smax,
        Term::Eq(a, b) if is_bit_vector(pool, a) => facts(a).excludes(&facts(b)),
        _ => false,
    }
}

/// The terms below the conjuncts, operands first. None if they are too many.
fn bottom_up(pool: &TermPool, conjuncts: &[TermId]) -> Option<Vec<TermId>> {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut stack = conjuncts.to_vec();
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            if seen.len() > MAX_NODES {
                return None;
            }
            pool.term(term).for_each_child(|child| stack.push(child));
        }
    }
    // Operands are older than what is made of them, so the order of creation will do.
    let mut order: Vec<TermId> = seen.into_iter().collect();
    order.sort_unstable();
    Some(order)
}
