//! The search for the first bad commit in a history with branches, by halving.
//!
//! *Definition.* A commit is *suspect* if it is an ancestor of a commit that is known to be bad, or that commit itself, and no commit that is known to be
//! good has it among its ancestors. The next commit to be judged is the one that leaves the fewest suspects in the worse case. A commit that cannot be judged
//! is passed over; if such commits are all that is left, the first bad one is among them and the bad commit that they lead to.
//!
//! *Limits.* As with `git bisect`, a commit whose ancestors have one that is bad is taken to be bad: what was repaired in between is found by chance.

use std::collections::BTreeSet;

/// A commit of a [`History`](crate::versions::History), by its place.
pub type At = usize;

/// What is known of a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    Good,
    Bad,
    /// It does not build, or cannot make the call.
    Nothing,
}

/// What the search is at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// This commit is to be judged; so many are suspect.
    Judge { next: At, suspects: usize },
    /// The first bad commit.
    Found(At),
    /// One of these is the first bad commit, and no other can be judged.
    OneOf(Vec<At>),
}

/// A search that has begun.
#[derive(Clone, Debug)]
pub struct Search {
    /// The parents of each commit, without those that the good commit leads to.
    parents: Vec<Vec<At>>,
    /// The newest commit that is known to be bad: all suspects are its ancestors, or it itself.
    bad: At,
    suspects: BTreeSet<At>,
    passed_over: BTreeSet<At>,
}

impl Search {
    /// `bad` is known to be bad, and what is before all commits to be good.
    pub fn new(parents: Vec<Vec<At>>, bad: At) -> Search {
        let mut search = Search { parents, bad, suspects: BTreeSet::new(), passed_over: BTreeSet::new() };
        search.suspects = search.with_ancestors(bad);
        search
    }

    /// Learns of a suspect.
    pub fn learn(&mut self, at: At, known: Known) {
        match known {
            Known::Good => {
                let good = self.with_ancestors(at);
                self.suspects.retain(|suspect| !good.contains(suspect));
            }
            Known::Bad => {
                let ancestors = self.with_ancestors(at);
                self.suspects.retain(|suspect| ancestors.contains(suspect));
                self.bad = at;
            }
            Known::Nothing => {
                self.passed_over.insert(at);
            }
        }
    }

    pub fn state(&self) -> State {
        let all = self.suspects.len();
        let left_in_worse_case = |at: &At| {
            let before = self.with_ancestors(*at).intersection(&self.suspects).count();
            before.max(all - before)
        };
        let open = self.suspects.iter().filter(|at| **at != self.bad && !self.passed_over.contains(at));
        match open.min_by_key(|at| left_in_worse_case(at)) {
            Some(next) => State::Judge { next: *next, suspects: all },
            None if all == 1 => State::Found(self.bad),
            None => State::OneOf(self.suspects.iter().copied().collect()),
        }
    }

    /// A commit and its ancestors among those that are searched.
    fn with_ancestors(&self, at: At) -> BTreeSet<At> {
        let mut seen = BTreeSet::from([at]);
        let mut open = vec![at];
        while let Some(at) = open.pop() {
            open.extend(self.parents[at].iter().filter(|parent| seen.insert(**parent)));
        }
        seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Commit 0 is the newest; each has parents behind it.
    fn line(commits: usize) -> Vec<Vec<At>> {
        (0..commits).map(|at| if at + 1 < commits { vec![at + 1] } else { Vec::new() }).collect()
    }

    /// Searches where `known` says what a commit is; what was found, and how many commits were judged.
    fn search(parents: Vec<Vec<At>>, known: impl Fn(At) -> Known) -> (State, usize) {
        let mut search = Search::new(parents, 0);
        let mut judged = 0;
        while let State::Judge { next, .. } = search.state() {
            search.learn(next, known(next));
            judged += 1;
        }
        (search.state(), judged)
    }

    #[test]
    fn a_line_is_halved() {
        for first_bad in 0..100 {
            let known = |at| if at <= first_bad { Known::Bad } else { Known::Good };
            let (found, judged) = search(line(100), known);
            assert_eq!(found, State::Found(first_bad));
            assert!(judged <= 7, "{judged}");
        }
    }

    #[test]
    fn the_only_commit_is_found_without_a_look() {
        assert_eq!(search(line(1), |_| Known::Nothing), (State::Found(0), 0));
    }

    #[test]
    fn commits_that_cannot_be_judged_are_named_with_the_bad_one_behind_them() {
        let known = |at| match at {
            0..=2 => Known::Bad,
            3..=4 => Known::Nothing,
            _ => Known::Good,
        };
        assert_eq!(search(line(9), known).0, State::OneOf(vec![2, 3, 4]));
    }

    #[test]
    fn one_branch_of_a_merge_is_bad() {
        // 0 merges 1, 2 and 3, 4; both begin at 5.
        let parents = vec![vec![1, 3], vec![2], vec![5], vec![4], vec![5], vec![]];
        let known = |at| if at <= 1 { Known::Bad } else { Known::Good };
        assert_eq!(search(parents.clone(), known).0, State::Found(1));
        // Neither branch is bad: the merge is.
        assert_eq!(search(parents, |_| Known::Good).0, State::Found(0));
    }

    /// All histories of so many commits in which each but the last has parents.
    fn histories(commits: usize) -> Vec<Vec<Vec<At>>> {
        let mut all = vec![vec![Vec::new()]];
        for at in (0..commits - 1).rev() {
            let chosen = |subset: u32| {
                let behind = at + 1..commits;
                behind.filter(|parent| subset >> (parent - at - 1) & 1 == 1).collect::<Vec<At>>()
            };
            let subsets = 1..1u32 << (commits - 1 - at);
            all = subsets
                .flat_map(|subset| {
                    all.iter().map(move |known| [vec![chosen(subset)], known.clone()].concat())
                })
                .collect();
        }
        all
    }

    /// Whatever leads to the culprit is bad, all else is good.
    #[test]
    fn the_culprit_is_found_in_every_small_history() {
        let mut searched = 0;
        for parents in histories(5) {
            let bad = |at: At, culprit: At| Search::new(parents.clone(), at).suspects.contains(&culprit);
            for culprit in (0..5).filter(|culprit| bad(0, *culprit)) {
                let known = |at| if bad(at, culprit) { Known::Bad } else { Known::Good };
                assert_eq!(search(parents.clone(), known).0, State::Found(culprit), "{parents:?}");
                searched += 1;
            }
        }
        assert!(searched > 315, "{searched}");
    }
}
