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

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use regress_core::verdict::Version;
use similar::{DiffOp, DiffTag, TextDiff};

use super::trial::Failure;
use crate::harness::HarnessRequest;
use crate::harness::testing::{self, Test, TestEnd};
use crate::report::localize::{Hunk, HunkStatus, Hunks};

/// Hunks with so many equal lines between them are tried as one at first.
const CLOSE: usize = 6;

/// The hunks between two trees.
pub(super) struct Change {
    files: Vec<FileChange>,
    /// File and operation of each hunk.
    hunks: Vec<(usize, usize)>,
    /// Hunks that stand close together.
    groups: Vec<Vec<usize>>,
}

struct FileChange {
    /// Relative to the root of the source tree.
    path: Utf8PathBuf,
    old: Option<String>,
    new: String,
    operations: Vec<DiffOp>,
}

impl Change {
    /// The change between two sets of Rust files.
    pub fn between(old: &BTreeMap<Utf8PathBuf, String>, new: &BTreeMap<Utf8PathBuf, String>) -> Change {
        let mut change = Change { files: Vec::new(), hunks: Vec::new(), groups: Vec::new() };
        for (path, new) in new.iter().filter(|(path, _)| path.extension() == Some("rs")) {
            let old = old.get(path);
            if old == Some(new) {
                continue;
            }
            let diff = TextDiff::from_lines(old.map_or("", String::as_str), new);
            change.files.push(FileChange {
                path: path.clone(),
                old: old.cloned(),
                new: new.clone(),
                operations: diff.ops().to_vec(),
            });
            change.add_hunks(change.files.len() - 1);
        }
        change
    }

    fn add_hunks(&mut self, file: usize) {
        let operations = &self.files[file].operations;
        let (mut between, mut is_first) = (0, true);
        for (index, op) in operations.iter().enumerate() {
            if op.tag() == DiffTag::Equal {
                between = op.new_range().len();
                continue;
            }
            self.hunks.push((file, index));
            let hunk = self.hunks.len() - 1;
            match self.groups.last_mut() {
                Some(group) if !is_first && between <= CLOSE => group.push(hunk),
                _ => self.groups.push(vec![hunk]),
            }
            (between, is_first) = (0, false);
        }
    }

    /// The hunks of which no line is known not to matter. `matters` is asked of lines of a version, counted from 1, in a file.
    pub fn without(&self, matters: &dyn Fn(Version, &Utf8Path, u32) -> Option<bool>) -> Vec<usize> {
        let is_left = |hunk: &usize| {
            let (file, operation) = self.hunks[*hunk];
            let (path, op) = (&self.files[file].path, &self.files[file].operations[operation]);
            let lines = [(Version::Old, op.old_range()), (Version::New, op.new_range())];
            let mut known = lines
                .into_iter()
                .flat_map(|(version, range)| range.map(move |line| matters(version, path, line as u32 + 1)));
            known.any(|known| known != Some(false))
        };
        (0..self.len()).filter(is_left).collect()
    }

    pub fn len(&self) -> usize {
        self.hunks.len()
    }

    /// The changed files with these hunks and no others.
    fn mixture(&self, taken: &[usize]) -> BTreeMap<Utf8PathBuf, String> {
        let mut files = BTreeMap::new();
        for (index, file) in self.files.iter().enumerate() {
            let is_taken = |operation| taken.iter().any(|hunk| self.hunks[*hunk] == (index, operation));
            let (old, new): (Vec<&str>, Vec<&str>) = (
                file.old.as_deref().unwrap_or_default().split_inclusive('\n').collect(),
                file.new.split_inclusive('\n').collect(),
            );
            let mut text = String::new();
            for (operation, op) in file.operations.iter().enumerate() {
                match is_taken(operation) {
                    true => text.extend(new[op.new_range()].iter().copied()),
                    false => text.extend(old[op.old_range()].iter().copied()),
                }
            }
            if file.old.is_some() || !text.is_empty() {
                files.insert(file.path.clone(), text);
            }
        }
        files
    }

    /// A hunk as it is told; paths relative to this directory.
    fn told(&self, hunk: usize, base: &Utf8Path, vanishes_without: Option<bool>) -> Hunk {
        let (file, operation) = self.hunks[hunk];
        let file = &self.files[file];
        let op = &file.operations[operation];
        let lines =
            |range: Range<usize>| (!range.is_empty()).then(|| (range.start as u32 + 1, range.end as u32));
        Hunk {
            file: file.path.strip_prefix(base).unwrap_or(&file.path).to_string(),
            new_lines: lines(op.new_range()),
            old_lines: lines(op.old_range()),
            vanishes_without,
        }
    }
}

/// What a mixture of two versions does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    /// It fails as the new version does.
    Fails,
    Passes,
    /// It does not build, or fails otherwise.
    Otherwise,
}

/// Reduces the units to some that show the failure together and do not if any one is left out. All together have to show it.
fn minimize(
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
pub(super) fn least(
    change: &Change,
    likely: &[usize],
    base: &Utf8Path,
    budget: Duration,
    try_mixture: &mut dyn FnMut(&BTreeMap<Utf8PathBuf, String>) -> anyhow::Result<Shown>,
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

/// Runs a test in mixtures of two versions.
pub(super) struct Trier<'t> {
    /// The old version, with a folder of its own.
    pub request: &'t HarnessRequest,
    /// Files that every mixture has: the integration tests.
    pub common: &'t BTreeMap<Utf8PathBuf, String>,
    pub test: &'t Test,
    pub failure: &'t Failure,
    pub limit: Duration,
}

impl Trier<'_> {
    /// What the test does in a mixture.
    pub fn try_mixture(&self, mixture: &BTreeMap<Utf8PathBuf, String>) -> anyhow::Result<Shown> {
        let mut files = mixture.clone();
        files.extend(self.common.iter().map(|(path, text)| (path.clone(), text.clone())));
        let copy = testing::lay_out(self.request, &files)?;
        let built = testing::build_one(self.request, &copy, self.test)?;
        let Some(end) = testing::run(self.request, &copy, &built, self.test, &[], self.limit)? else {
            return Ok(Shown::Otherwise);
        };
        Ok(match Failure::of(&end) {
            Some(failure) if self.failure.is_shown_by(&failure) => Shown::Fails,
            None if end == TestEnd::Passed => Shown::Passes,
            _ => Shown::Otherwise,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(entries: &[(&str, &str)]) -> BTreeMap<Utf8PathBuf, String> {
        entries.iter().map(|(path, text)| (Utf8PathBuf::from(path), (*text).to_owned())).collect()
    }

    #[test]
    fn mixtures_lie_between_the_versions() {
        let old = files(&[("a.rs", "1\n2\n3\n4\n"), ("same.rs", "x\n"), ("Cargo.toml", "old")]);
        let new = files(&[
            ("a.rs", "one\n2\n4\nfive\n"),
            ("b.rs", "b\n"),
            ("same.rs", "x\n"),
            ("Cargo.toml", "new"),
        ]);
        let change = Change::between(&old, &new);
        assert_eq!(change.len(), 4);
        assert_eq!(change.mixture(&[0, 1, 2, 3]), files(&[("a.rs", "one\n2\n4\nfive\n"), ("b.rs", "b\n")]));
        assert_eq!(change.mixture(&[]), files(&[("a.rs", "1\n2\n3\n4\n")]));
        assert_eq!(change.mixture(&[1]), files(&[("a.rs", "1\n2\n4\n")]));
        let told = change.told(1, Utf8Path::new(""), None);
        assert_eq!((told.new_lines, told.old_lines), (None, Some((3, 3))));
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
    fn changes_that_stand_close_together_are_tried_together() {
        let line = |marked: &[usize]| -> String {
            (0..40).map(|at| format!("{at}{}\n", if marked.contains(&at) { "!" } else { "" })).collect()
        };
        let (old, new) = (line(&[]), line(&[2, 4, 8, 30]));
        let change = Change::between(&files(&[("a.rs", &old)]), &files(&[("a.rs", &new)]));
        assert_eq!(change.groups, [vec![0, 1, 2], vec![3]]);
    }

    #[test]
    fn what_does_not_build_does_not_vanish() {
        let (old, new) = ("a\n1\n2\n3\nb\n4\n5\n6\nc\n", "A\n1\n2\n3\nB\n4\n5\n6\nC\n");
        let change = Change::between(&files(&[("a.rs", old)]), &files(&[("a.rs", new)]));
        // `A` cannot be without `B`, and `C` does no harm.
        let mut try_mixture = |files: &BTreeMap<Utf8PathBuf, String>| {
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
