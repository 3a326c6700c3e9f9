//! Which sets of changes make a difference, found by asking how a call ends with some of them.
//!
//! *Idea.* What is known is a map from sets to ends. [`next`] either finds in it all it needs, or names the set to be tried next. So the
//! questions of many calls can be asked in one build.
//!
//! *Definition.* A set *shows* the difference if the call ends as in the new version with these changes and without the other candidates.
//! The family is all sets that show it while none of their subsets does, as far as there are at most [`MOST_SETS`]: delta debugging finds one,
//! and each change of it left out leads to the others (a hitting-set tree). Up to [`ALL_TRIED`] candidates every set is tried, which shows
//! changes that hide what others do.
//!
//! *Limits.* Delta debugging takes it that more changes show what fewer do; where they do not, sets may be missing from the family.
//!
//! *Source.* A. Zeller, R. Hildebrandt: Simplifying and isolating failure-inducing input, TSE 2002. R. Reiter: A theory of diagnosis from
//! first principles, AI 1987.

use std::collections::{HashMap, HashSet};

use regress_core::value::Outcome;

use crate::pipeline::mixtures::{MixedEnd, minimize};
use crate::report::localize::HunkStatus;

/// Sets of a family.
const MOST_SETS: usize = 4;
/// So many sets are tried if nothing is known of any.
const MOST_UNKNOWN: usize = 3;
/// Of so many candidates every set is tried.
const ALL_TRIED: usize = 3;

/// Candidates, by their numbers from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Set(u32);

impl Set {
    pub const EMPTY: Set = Set(0);
    /// Numbers that a set can hold.
    pub const MOST: usize = 32;

    pub fn all(count: usize) -> Set {
        (0..count).collect()
    }

    pub fn members(self) -> impl Iterator<Item = usize> {
        (0..Set::MOST).filter(move |member| self.0 >> member & 1 == 1)
    }

    pub fn contains(self, member: usize) -> bool {
        self.0 >> member & 1 == 1
    }

    fn without(self, member: usize) -> Set {
        Set(self.0 & !(1 << member))
    }

    fn is_within(self, other: Set) -> bool {
        self.0 & !other.0 == 0
    }
}

impl FromIterator<usize> for Set {
    fn from_iter<T: IntoIterator<Item = usize>>(members: T) -> Set {
        Set(members.into_iter().fold(0, |set, member| set | 1 << member))
    }
}

pub(super) type Known = HashMap<Set, MixedEnd>;

/// What is known of the candidates, or what has to be.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    Ask(Set),
    Told(Told),
}

/// Which candidates make the difference.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Told {
    /// This one.
    Alone(usize),
    /// All of them, and how the call ends without each.
    Together(Vec<(usize, Option<Outcome>)>),
    Either(Vec<Set>),
    Masked {
        shows: Set,
        hides: Set,
    },
    /// None of them can be said to.
    Nothing,
}

impl Told {
    /// A set that makes the difference.
    pub fn shows(&self) -> Option<Set> {
        match self {
            Told::Alone(member) => Some(std::iter::once(*member).collect()),
            Told::Together(without) => Some(without.iter().map(|(member, _)| *member).collect()),
            Told::Either(sets) => sets.first().copied(),
            Told::Masked { shows, .. } => Some(*shows),
            Told::Nothing => None,
        }
    }
}

/// The next question, or the answer. With all candidates the call ends as in the new version. `before` is how it ends in the old one.
pub(super) fn next(count: usize, known: &Known, before: &Outcome) -> Step {
    match told(count, known, before) {
        Ok(told) => Step::Told(told),
        Err(set) => Step::Ask(set),
    }
}

/// The error is a set that is not known.
fn told(count: usize, known: &Known, before: &Outcome) -> Result<Told, Set> {
    let all = Set::all(count);
    let end = |set: Set| match set {
        set if set == all => Ok(&MixedEnd::New),
        set => known.get(&set).ok_or(set),
    };
    // Changes that only build all together are not told apart by trying more.
    if known.len() >= MOST_UNKNOWN && known.values().all(|end| *end == MixedEnd::NotKnown) {
        return Ok(Told::Nothing);
    }
    // Otherwise changes that are no candidates have a part in it.
    if matches!(end(Set::EMPTY)?, MixedEnd::New | MixedEnd::Other(_)) {
        return Ok(Told::Nothing);
    }
    let mut family = Family { end: &end, found: Vec::new(), seen: HashSet::new() };
    family.find(all)?;
    let found = family.found;
    if count <= ALL_TRIED {
        let sets = (0..1 << count).map(Set);
        for shows in sets.clone().filter(|set| set.members().next().is_some()) {
            if *end(shows)? != MixedEnd::New {
                continue;
            }
            let hidden = sets.clone().filter(|more| shows.is_within(*more));
            for more in hidden {
                if *end(more)? == MixedEnd::Old {
                    let hides = more.members().filter(|member| !shows.contains(*member)).collect();
                    return Ok(Told::Masked { shows, hides });
                }
            }
        }
    }
    let [one] = found.as_slice() else { return Ok(Told::Either(found)) };
    let without = one.members().map(|member| {
        Ok((
            member,
            match end(all.without(member))? {
                MixedEnd::Old => Some(before.clone()),
                MixedEnd::Other(outcome) => Some(outcome.clone()),
                MixedEnd::New | MixedEnd::NotKnown => None,
            },
        ))
    });
    let without: Vec<(usize, Option<Outcome>)> = without.collect::<Result<_, Set>>()?;
    let members: Vec<usize> = one.members().collect();
    Ok(match (members.as_slice(), without.iter().filter(|(_, end)| end.is_some()).count()) {
        ([member], _) => Told::Alone(*member),
        // Of changes that only build together nothing is known one by one.
        (_, 0) => Told::Nothing,
        _ => Told::Together(without),
    })
}

struct Family<'f> {
    end: &'f dyn Fn(Set) -> Result<&'f MixedEnd, Set>,
    found: Vec<Set>,
    seen: HashSet<Set>,
}

impl Family<'_> {
    fn shows(&self, set: Set) -> Result<bool, Set> {
        Ok(*(self.end)(set)? == MixedEnd::New)
    }

    /// Finds the least sets among these candidates.
    fn find(&mut self, candidates: Set) -> Result<(), Set> {
        if self.found.len() >= MOST_SETS || !self.seen.insert(candidates) {
            return Ok(());
        }
        let known = self.found.iter().copied().find(|set| set.is_within(candidates));
        let least = match known {
            Some(known) => known,
            None if !self.shows(candidates)? => return Ok(()),
            None => {
                let least = self.least(candidates)?;
                self.found.push(least);
                least
            }
        };
        least.members().try_for_each(|member| self.find(candidates.without(member)))
    }

    /// A set that shows it, of candidates that do, without one that does among its subsets.
    fn least(&self, candidates: Set) -> Result<Set, Set> {
        let mut missing = None;
        let units = candidates.members().map(|member| vec![member]).collect();
        let (least, status) = minimize(units, &mut |taken| {
            self.shows(taken.iter().copied().collect()).map_err(|set| missing = Some(set)).ok()
        });
        match (status, missing) {
            (HunkStatus::TimeOut, Some(set)) => Err(set),
            _ => Ok(least.concat().into_iter().collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use regress_core::ir::IntTy;
    use regress_core::value::Value;

    use super::*;

    fn outcome(number: i128) -> Outcome {
        Outcome::Returned { value: Value::int(IntTy::I32, number), mutated: Vec::new() }
    }

    fn set(members: &[usize]) -> Set {
        members.iter().copied().collect()
    }

    /// Asks `end` of set after set. What is told, and how many were asked.
    fn ask(count: usize, end: impl Fn(Set) -> MixedEnd) -> (Told, usize) {
        let mut known = Known::new();
        loop {
            match next(count, &known, &outcome(1)) {
                Step::Told(told) => return (told, known.len()),
                Step::Ask(set) => {
                    assert!(known.insert(set, end(set)).is_none(), "{set:?} is asked twice");
                }
            }
        }
    }

    /// The difference shows where one of these sets is in.
    #[track_caller]
    fn check(count: usize, shows: &[&[usize]], expected: Told) {
        let shown = |taken: Set| shows.iter().any(|one| set(one).is_within(taken));
        let (told, asked) = ask(count, |set| if shown(set) { MixedEnd::New } else { MixedEnd::Old });
        assert_eq!(told, expected, "{asked} asked");
    }

    #[test]
    fn one_change_is_enough() {
        check(2, &[&[1]], Told::Alone(1));
        check(8, &[&[5]], Told::Alone(5));
    }

    #[test]
    fn changes_are_needed_together() {
        let both = |a, b| Told::Together(vec![(a, Some(outcome(1))), (b, Some(outcome(1)))]);
        check(2, &[&[0, 1]], both(0, 1));
        check(8, &[&[2, 6]], both(2, 6));
    }

    #[test]
    fn several_sets_are_enough() {
        check(2, &[&[0], &[1]], Told::Either(vec![set(&[0]), set(&[1])]));
        let (told, _) =
            ask(5, |taken| match [&[0, 1], &[0, 2]].iter().any(|one| set(*one).is_within(taken)) {
                true => MixedEnd::New,
                false => MixedEnd::Old,
            });
        let Told::Either(mut sets) = told else { panic!("{told:?}") };
        sets.sort();
        assert_eq!(sets, [set(&[0, 1]), set(&[0, 2])]);
    }

    #[test]
    fn a_change_hides_what_another_does() {
        // The third undoes what the second does to the first.
        let (told, _) = ask(3, |taken| match (taken.contains(0), taken.contains(1), taken.contains(2)) {
            (true, false, _) | (true, true, true) => MixedEnd::New,
            _ => MixedEnd::Old,
        });
        assert_eq!(told, Told::Masked { shows: set(&[0]), hides: set(&[1]) });
    }

    #[test]
    fn what_does_not_build_without_the_other_is_not_told_apart() {
        let (told, _) = ask(2, |taken| match taken.members().count() {
            0 => MixedEnd::Old,
            _ => MixedEnd::NotKnown,
        });
        assert_eq!(told, Told::Nothing);
    }

    #[test]
    fn an_end_of_its_own_is_told() {
        let (told, _) = ask(2, |taken| match (taken.contains(0), taken.contains(1)) {
            (true, false) => MixedEnd::Other(outcome(7)),
            _ => MixedEnd::Old,
        });
        assert_eq!(told, Told::Together(vec![(0, Some(outcome(1))), (1, Some(outcome(7)))]));
    }

    #[test]
    fn what_other_changes_do_is_not_told() {
        assert_eq!(ask(2, |_| MixedEnd::New).0, Told::Nothing);
    }

    #[test]
    fn few_are_asked() {
        let asked = |needed: &[usize]| {
            ask(8, |taken| match set(needed).is_within(taken) {
                true => MixedEnd::New,
                false => MixedEnd::Old,
            })
            .1
        };
        assert!(asked(&[0]) <= 6, "{}", asked(&[0]));
        assert!(asked(&[2, 6]) <= 20, "{}", asked(&[2, 6]));
    }
}
