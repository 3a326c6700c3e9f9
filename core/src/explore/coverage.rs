//! Whether what was asked on the way shows that the partitions hold every input.
//!
//! *Idea.* The lists of conditions of all runs make a tree: where two lists part, they go different ways of one branch.
//! An input that takes part in none of the partitions would leave the tree somewhere, by a way of a branch that no run
//! went. If the solver has refuted each of these, there is no such input, and nothing is left to be asked.
//!
//! *Definition.* The inputs of a prefix are covered if it is all of a run's conditions; or if the ways of the branch that
//! follows it in some run are exhaustive, and each of them either was refuted behind the prefix or, added to it, makes a
//! prefix whose inputs are covered. All inputs are covered if those of the empty prefix are.
//!
//! Nothing is taken from the theorems of the paper: had a slice left out a branch, so that some run behind a prefix does not
//! begin with it, the tree has a gap and the answer is [`Coverage::Unclear`].
//!
//! *Not handled.* Prefixes that begin with other branches than the runs do; then the whole question is asked instead.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Condition;
use crate::term::TermId;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coverage {
    /// Every input is in a partition.
    Whole,
    /// It has to be asked.
    Unclear,
}

/// Runs that share their first conditions, and how many.
struct Open {
    runs: Vec<usize>,
    shared: usize,
}

/// `partitions` are the conditions of the runs, `refuted` are prefixes that no input satisfies; `exhaustive` says whether every input goes one of a branch's ways.
pub(super) fn coverage(
    partitions: &[Vec<Condition>],
    refuted: &FxHashSet<Vec<TermId>>,
    exhaustive: &mut dyn FnMut(&Condition) -> bool,
) -> Coverage {
    let mut known: FxHashMap<Vec<TermId>, bool> = FxHashMap::default();
    let mut open = vec![Open { runs: (0..partitions.len()).collect(), shared: 0 }];
    while let Some(Open { runs, shared }) = open.pop() {
        if runs.iter().any(|run| partitions[*run].len() == shared) {
            continue;
        }
        let Some(first) = runs.first() else { return Coverage::Unclear };
        let conditions = &partitions[*first];
        let branch = &conditions[shared];
        let ways: Vec<TermId> = [branch.holds].into_iter().chain(branch.alternatives.clone()).collect();
        if !*known.entry(ways.clone()).or_insert_with(|| exhaustive(branch)) {
            return Coverage::Unclear;
        }
        for way in ways {
            let follows = |run: &usize| partitions[*run][shared].holds == way;
            let following: Vec<usize> = runs.iter().copied().filter(follows).collect();
            if !following.is_empty() {
                open.push(Open { runs: following, shared: shared + 1 });
                continue;
            }
            let mut prefix: Vec<TermId> =
                conditions[..shared].iter().map(|condition| condition.holds).collect();
            prefix.push(way);
            if !refuted.contains(&prefix) {
                return Coverage::Unclear;
            }
        }
    }
    Coverage::Whole
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::InstanceId;
    use crate::explore::direction::{Decided, Failing, Outlook};
    use crate::idx::Idx;
    use crate::term::{Sort, TermPool};

    /// Conditions over two Booleans, `a` and `b`, and what denies them.
    struct Terms {
        a: TermId,
        not_a: TermId,
        b: TermId,
        not_b: TermId,
    }

    fn terms() -> Terms {
        let mut pool = TermPool::new();
        let mut both = |name: &str| {
            let yes = pool.var(name, Sort::Bool);
            (yes, pool.not(yes))
        };
        let ((a, not_a), (b, not_b)) = (both("a"), both("b"));
        Terms { a, not_a, b, not_b }
    }

    fn run(ways: &[(TermId, TermId)]) -> Vec<Condition> {
        let condition = |(holds, other): &(TermId, TermId)| Condition {
            instance: InstanceId::from_usize(0),
            holds: *holds,
            alternatives: vec![*other],
            outlook: Outlook { place: None, decided: Decided::ByOne, failing: Failing::Otherwise },
        };
        ways.iter().map(condition).collect()
    }

    #[track_caller]
    fn check(runs: &[Vec<Condition>], refuted: &[&[TermId]], expected: Coverage) {
        let refuted = refuted.iter().map(|prefix| prefix.to_vec()).collect();
        assert_eq!(coverage(runs, &refuted, &mut |_| true), expected);
    }

    #[test]
    fn every_way_has_a_run_or_was_refuted() {
        let Terms { a, not_a, b, not_b } = terms();
        let runs = [run(&[(a, not_a), (b, not_b)]), run(&[(not_a, a)])];
        check(&runs, &[&[a, not_b]], Coverage::Whole);
        check(&runs, &[], Coverage::Unclear);
        // Refuted elsewhere says nothing.
        check(&runs, &[&[not_b], &[not_a, not_b]], Coverage::Unclear);
    }

    #[test]
    fn a_run_that_begins_with_another_branch_fills_no_gap() {
        let Terms { a, not_a, b, not_b } = terms();
        let all = [(a, not_a), (b, not_b)];
        check(&[run(&all), run(&[(b, not_b), (not_a, a)])], &[], Coverage::Unclear);
        check(&[run(&[]), run(&all)], &[], Coverage::Whole);
        check(&[], &[], Coverage::Unclear);
    }

    #[test]
    fn ways_that_are_not_all_there_are_leave_a_gap() {
        let Terms { a, not_a, .. } = terms();
        let runs = [run(&[(a, not_a)]), run(&[(not_a, a)])];
        assert_eq!(coverage(&runs, &FxHashSet::default(), &mut |_| false), Coverage::Unclear);
        check(&runs, &[], Coverage::Whole);
    }
}
