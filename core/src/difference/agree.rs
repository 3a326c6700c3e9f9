//! What both versions hold alike where paths meet, though they have computed it otherwise; and which of them goes on first, so that they come to the same branches.
//!
//! *Idea.* `e /= 2` and `e >>= 1` are not one term, but one value as long as `e > 0`. Where two places held one number in a state that was there before, and now hold two
//! that are equal by what is known on the path, both get one of them: else nothing would relate what becomes of them in the rounds that follow.
//!
//! A branch that one version has alone is taken before those that both have. The other way round, the paths through these are told apart before they can be taken at once.

use std::collections::BTreeSet;

use super::both::Both;
use super::numbers::Number;
use super::product::{Product, Which};
use super::side::{State, Stop};
use crate::term::TermId;

/// Questions for one state that arrives.
const MOST_QUESTIONS: usize = 4;
/// States that are looked at to see whether a version comes to a branch.
const MOST_AHEAD: usize = 8;

impl Product<'_, '_> {
    /// Puts what the old version holds in the places of the new one where that is equal on this path, and was the same in a state that is stored.
    pub fn hold_alike(&mut self, both: &mut Both, stored: &[Both]) {
        let mut places = both.places();
        let mut asked: BTreeSet<(Number, Number)> = BTreeSet::new();
        for (old, new) in held_alike(both, stored) {
            let (a, b) = (places[old], places[new]);
            if !self.are_different_scalars(a, b) || asked.contains(&(a, b)) {
                continue;
            }
            if asked.len() == MOST_QUESTIONS {
                break;
            }
            asked.insert((a, b));
            if self.is_same(both, a, b) {
                places[new] = a;
            }
        }
        both.set_places(&places);
    }

    fn are_different_scalars(&self, a: Number, b: Number) -> bool {
        let pool = &self.numbers.pool;
        let is_constant = |term: TermId| pool.as_const(term).is_some() || pool.as_bool(term).is_some();
        match self.numbers.scalars(a, b) {
            Some((a, b)) => a != b && !(is_constant(a) && is_constant(b)),
            None => false,
        }
    }

    /// Which version goes on where both are at branches that are not the same: the new one if it comes to the branch of the old one, else the old one.
    pub fn first_to_go(&mut self, both: &Both) -> Which {
        match conditions(&both.old.stop) {
            Some(wanted) if self.comes_to(Which::New, &both.new, &wanted) => Which::New,
            _ => Which::Old,
        }
    }

    /// Whether the version comes to a branch with these conditions, over few others.
    fn comes_to(&mut self, which: Which, state: &State, wanted: &BTreeSet<TermId>) -> bool {
        let mut open = vec![state.clone()];
        for _ in 0..MOST_AHEAD {
            let Some(state) = open.pop() else { return false };
            let Stop::Branch(arms) = &state.stop else { continue };
            for (_, way) in arms {
                let mut side = self.side(which, state.clone());
                if side.go(way).is_err() {
                    continue;
                }
                let gone = side.state;
                let Some(next) = self.until_branch(which, gone) else { continue };
                if conditions(&next.stop).as_ref() == Some(wanted) {
                    return true;
                }
                open.insert(0, next);
            }
        }
        false
    }
}

/// Places of both versions in which one number is in a state that is stored, and others are now.
fn held_alike(both: &Both, stored: &[Both]) -> BTreeSet<(usize, usize)> {
    let (places, of_old) = (both.places(), both.places_of_old());
    let mut found = BTreeSet::new();
    for before in stored.iter().filter(|state| state.is_alike(both)) {
        let before = before.places();
        let has_changed = |place: &usize| places[*place] != before[*place];
        for new in (of_old..before.len()).filter(has_changed) {
            let held = (0..of_old).filter(|old| before[*old] == before[new]).filter(has_changed);
            found.extend(held.map(|old| (old, new)));
        }
    }
    found
}

fn conditions(stop: &Stop) -> Option<BTreeSet<TermId>> {
    match stop {
        Stop::Branch(arms) => Some(arms.iter().map(|(condition, _)| *condition).collect()),
        _ => None,
    }
}
