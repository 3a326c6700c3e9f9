//! The least set of hunks that still shows a failure.
//!
//! Idea: versions between the old and the new one, each the old one with some of the hunks, are built and run; delta debugging halves
//! the set of hunks as long as the failure still shows: first hunks that stand close together as one, then each by itself. What is
//! left is 1-minimal: without any one of its hunks the failure does not show.
//!
//! *Definition.* A mixture *shows* the failure if it fails with the words with which the new version fails. What does not build
//! or fails otherwise neither shows it nor is it gone: such a mixture is no reason to leave a hunk out, and none to say that it vanishes.
//!
//! *Not handled.* Manifests and files that are not Rust stay as they are in one version (of a test: in the new one if the manifests
//! differ); Rust files that the new version lacks stay. If all hunks together do not show the failure then, nothing is said.
//!
//! *Source.* A. Zeller, R. Hildebrandt: Simplifying and isolating failure-inducing input, TSE 2002.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use camino::Utf8Path;

use super::change::{Change, Texts};
use crate::report::localize::{Hunk, HunkStatus, Hunks};

/// What a mixture of two versions does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pipeline) enum Shown {
    /// It fails as the new version does.
    Fails,
    Passes,
    /// It does not build, or fails otherwise.
    Otherwise,
}

/// Reduces the units to some that show the failure together and do not if any one is left out. All together have to show it.
pub(in crate::pipeline) fn minimize(
    units: Vec<Vec<usize>>,
    shows: &mut dyn FnMut(&[usize]) -> Option<bool>,
) -> (Vec<Vec<usize>>, HunkStatus) {
    let mut set = units;
    let mut parts = 2;
    while set.len() > 1 {
        let size = set.len().div_ceil(parts);
        let chunks: Vec<Vec<Vec<usize>>> = set.chunks(size).map(<[Vec<usize>]>::to_vec).collect();
        let complements = chunks.iter().map(|chunk| -> Vec<Vec<usize>> {
            set.iter().filter(|unit| !chunk.contains(unit)).cloned().collect()
        });
        // With two parts each is the other's complement.
        let complements: Vec<Vec<Vec<usize>>> = if parts > 2 { complements.collect() } else { Vec::new() };
        let mut reduced = None;
        for (candidate, next) in
            chunks.iter().map(|chunk| (chunk, 2)).chain(complements.iter().map(|rest| (rest, parts - 1)))
        {
            match shows(&candidate.concat()) {
                Some(true) => {
                    reduced = Some((candidate.clone(), next.max(2)));
                    break;
                }
                Some(false) => {}
                None => return (set, HunkStatus::TimeOut),
            }
        }
        match reduced {
            Some((smaller, next)) => (set, parts) = (smaller, next),
            None if size == 1 => break,
            None => parts = (2 * parts).min(set.len()),
        }
    }
    (set, HunkStatus::Minimal)
}

/// The least set of hunks with which the mixtures show the failure; the likely ones are tried before others. None if all hunks together
/// do not show it, or time does not allow to say anything.
pub(in crate::pipeline) fn least(
    change: &Change,
    likely: &[usize],
    base: &Utf8Path,
    budget: Duration,
    try_mixture: &mut dyn FnMut(&Texts) -> anyhow::Result<Shown>,
) -> anyhow::Result<Option<Hunks>> {
    let started = Instant::now();
    let mut known: HashMap<Vec<usize>, Shown> = HashMap::new();
    let mut trouble = None;
    let mut what = |taken: &[usize]| -> Option<Shown> {
        if let Some(known) = known.get(taken) {
            return Some(*known);
        }
        if started.elapsed() > budget || trouble.is_some() {
            return None;
        }
        match try_mixture(&change.mixture(taken)) {
            Ok(shown) => {
                known.insert(taken.to_vec(), shown);
                Some(shown)
            }
            Err(error) => {
                trouble = Some(error);
                None
            }
        }
    };
    let all: Vec<usize> = (0..change.len()).collect();
    if all.is_empty() || what(&all) != Some(Shown::Fails) {
        return trouble.map_or(Ok(None), Err);
    }
    let mut shows = |taken: &[usize]| what(taken).map(|shown| shown == Shown::Fails);
    let mut groups = change.groups.clone();
    if likely.len() < all.len() && shows(likely) == Some(true) {
        groups.iter_mut().for_each(|group| group.retain(|hunk| likely.contains(hunk)));
        groups.retain(|group| !group.is_empty());
    }
    let (groups, mut status) = minimize(groups, &mut shows);
    let mut needed: Vec<usize> = groups.concat();
    if status == HunkStatus::Minimal {
        let single = needed.iter().map(|hunk| vec![*hunk]).collect();
        let (hunks, refined) = minimize(single, &mut shows);
        (needed, status) = (hunks.concat(), refined);
    }
    let told = needed.iter().map(|hunk| {
        let others: Vec<usize> = all.iter().copied().filter(|other| other != hunk).collect();
        let vanishes = match what(&others) {
            Some(Shown::Passes) => Some(true),
            Some(Shown::Fails) => Some(false),
            Some(Shown::Otherwise) | None => None,
        };
        change.told(*hunk, base, vanishes)
    });
    let needed: Vec<Hunk> = told.collect();
    match trouble {
        Some(error) => Err(error),
        None => Ok(Some(Hunks { all: change.len(), needed, status, runs: known.len() as u64 })),
    }
}

#[cfg(test)]
mod tests {
    use camino::Utf8PathBuf;

    use super::super::change::Grain;
    use super::*;

    fn files(entries: &[(&str, &str)]) -> Texts {
        entries.iter().map(|(path, text)| (Utf8PathBuf::from(path), (*text).to_owned())).collect()
    }

    fn single(count: usize) -> Vec<Vec<usize>> {
        (0..count).map(|hunk| vec![hunk]).collect()
    }

    /// The hunks that the failure needs, all of them, are what is left of `count`.
    #[track_caller]
    fn check(count: usize, needs: &[usize]) {
        let mut asked = 0;
        let (left, status) = minimize(single(count), &mut |taken| {
            asked += 1;
            Some(needs.iter().all(|hunk| taken.contains(hunk)))
        });
        assert_eq!((left.concat().as_slice(), status), (needs, HunkStatus::Minimal), "{asked} asked");
    }

    #[test]
    fn what_does_not_build_does_not_vanish() {
        let (old, new) = ("a\n1\n2\n3\nb\n4\n5\n6\nc\n", "A\n1\n2\n3\nB\n4\n5\n6\nC\n");
        let change = Change::between(&files(&[("a.rs", old)]), &files(&[("a.rs", new)]), Grain::Hunks);
        // `A` cannot be without `B`, and `C` does no harm.
        let mut try_mixture = |files: &Texts| {
            let text = &files[Utf8Path::new("a.rs")];
            Ok(match (text.contains('A'), text.contains('B')) {
                (true, true) => Shown::Fails,
                (true, false) => Shown::Otherwise,
                (false, _) => Shown::Passes,
            })
        };
        let told = least(&change, &[0, 1, 2], Utf8Path::new(""), Duration::from_secs(60), &mut try_mixture);
        let hunks = told.expect("no trouble").expect("all hunks show it");
        let needed: Vec<_> =
            hunks.needed.iter().map(|hunk| (hunk.new_lines, hunk.vanishes_without)).collect();
        assert_eq!(needed, [(Some((1, 1)), Some(true)), (Some((5, 5)), None)]);
        assert_eq!((hunks.all, hunks.status), (3, HunkStatus::Minimal));
    }

    #[test]
    fn what_is_needed_is_left() {
        check(1, &[0]);
        check(2, &[1]);
        check(8, &[5]);
        check(8, &[0, 7]);
        check(9, &[1, 4, 8]);
        check(5, &[0, 1, 2, 3, 4]);
    }

    #[test]
    fn one_of_two_causes_is_enough() {
        let (left, status) = minimize(single(6), &mut |taken| Some(taken.contains(&2) || taken.contains(&4)));
        assert_eq!((left.len(), status), (1, HunkStatus::Minimal));
    }

    #[test]
    fn without_time_nothing_is_left_out() {
        let (left, status) = minimize(single(3), &mut |_| None);
        assert_eq!((left, status), (single(3), HunkStatus::TimeOut));
    }
}
