//! The least set of hunks that still makes a test fail.
//!
//! Idea: versions between the old and the new one, each the old one with some of the hunks, are built and the test is run in them;
//! delta debugging halves the set of hunks as long as the test still fails. What is left is 1-minimal: without any one of
//! its hunks the test does not fail. Whether a mixture passes or does not build, it does not show the failure.
//!
//! *Not handled.* Manifests and files that are not Rust stay as they are in the old version; files that the new version lacks stay. If
//! all hunks together do not show the failure then, nothing is said.
//!
//! *Source.* A. Zeller, R. Hildebrandt: Simplifying and isolating failure-inducing input, TSE 2002.

use std::collections::{BTreeMap, HashMap};
use std::process::Command;
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use similar::{DiffOp, DiffTag, TextDiff};

use crate::harness::HarnessRequest;
use crate::harness::testing::{self, TestBinary, TestEnd};
use crate::report::localize::{Hunk, HunkStatus, Hunks};

/// The hunks between two trees.
pub(super) struct Change {
    files: Vec<FileChange>,
    /// File and operation of each hunk.
    hunks: Vec<(usize, usize)>,
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
        let mut change = Change { files: Vec::new(), hunks: Vec::new() };
        for (path, new) in new.iter().filter(|(path, _)| path.extension() == Some("rs")) {
            let old = old.get(path);
            if old == Some(new) {
                continue;
            }
            let diff = TextDiff::from_lines(old.map_or("", String::as_str), new);
            let operations = diff.ops().to_vec();
            let changed = operations.iter().enumerate().filter(|(_, op)| op.tag() != DiffTag::Equal);
            let file = change.files.len();
            change.hunks.extend(changed.map(|(index, _)| (file, index)));
            change.files.push(FileChange {
                path: path.clone(),
                old: old.cloned(),
                new: new.clone(),
                operations,
            });
        }
        change
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
        let lines = |range: std::ops::Range<usize>| {
            (!range.is_empty()).then(|| (range.start as u32 + 1, range.end as u32))
        };
        Hunk {
            file: file.path.strip_prefix(base).unwrap_or(&file.path).to_string(),
            new_lines: lines(op.new_range()),
            old_lines: lines(op.old_range()),
            vanishes_without,
        }
    }
}

/// Reduces `0..count` to a set on which `fails` holds and holds no more if any one is left out. It has to hold for all.
fn minimize(count: usize, fails: &mut dyn FnMut(&[usize]) -> Option<bool>) -> (Vec<usize>, HunkStatus) {
    let mut set: Vec<usize> = (0..count).collect();
    let mut parts = 2;
    while set.len() > 1 {
        let size = set.len().div_ceil(parts);
        let chunks: Vec<Vec<usize>> = set.chunks(size).map(<[usize]>::to_vec).collect();
        let complements = chunks.iter().map(|chunk| -> Vec<usize> {
            set.iter().copied().filter(|hunk| !chunk.contains(hunk)).collect()
        });
        // With two parts each is the other's complement.
        let complements: Vec<Vec<usize>> = if parts > 2 { complements.collect() } else { Vec::new() };
        let mut reduced = None;
        for (candidate, next) in
            chunks.iter().map(|chunk| (chunk, 2)).chain(complements.iter().map(|rest| (rest, parts - 1)))
        {
            match fails(candidate) {
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

/// What a test does in mixtures of two versions.
pub(super) struct Trier<'t> {
    /// The old version, with a folder of its own.
    pub request: &'t HarnessRequest,
    /// Files that every mixture has: the integration tests.
    pub common: &'t BTreeMap<Utf8PathBuf, String>,
    pub binary: &'t TestBinary,
    pub test: &'t str,
    pub budget: Duration,
    pub limit: Duration,
}

impl Trier<'_> {
    /// The least set of hunks with which the test fails. None if the hunks alone do not make it fail, or time does not allow to
    /// say anything.
    pub fn least(&self, change: &Change) -> anyhow::Result<Option<Hunks>> {
        let started = Instant::now();
        let mut known: HashMap<Vec<usize>, bool> = HashMap::new();
        let mut runs = 0u64;
        let mut trouble = None;
        let mut fails = |taken: &[usize]| -> Option<bool> {
            if let Some(known) = known.get(taken) {
                return Some(*known);
            }
            if started.elapsed() > self.budget || trouble.is_some() {
                return None;
            }
            runs += 1;
            match self.fails(change, taken) {
                Ok(answer) => {
                    known.insert(taken.to_vec(), answer);
                    Some(answer)
                }
                Err(error) => {
                    trouble = Some(error);
                    None
                }
            }
        };
        let all: Vec<usize> = (0..change.len()).collect();
        if all.is_empty() || fails(&all) != Some(true) {
            return trouble.map_or(Ok(None), Err);
        }
        let (needed, status) = minimize(change.len(), &mut fails);
        let base = &self.request.workspace_dir;
        let told = needed.iter().map(|hunk| {
            let others: Vec<usize> = all.iter().copied().filter(|other| other != hunk).collect();
            let vanishes = fails(&others).map(|fails| !fails);
            change.told(*hunk, base, vanishes)
        });
        let needed: Vec<Hunk> = told.collect();
        match trouble {
            Some(error) => Err(error),
            None => Ok(Some(Hunks { all: change.len(), needed, status, runs })),
        }
    }

    fn fails(&self, change: &Change, taken: &[usize]) -> anyhow::Result<bool> {
        let mut files = change.mixture(taken);
        files.extend(self.common.iter().map(|(path, text)| (path.clone(), text.clone())));
        let copy = testing::lay_out(self.request, &files)?;
        let built = testing::build(self.request, &copy)?;
        let Some(program) = built.programs.get(self.binary) else { return Ok(false) };
        let directory = testing::package_directory(self.request, &copy);
        let end = testing::run_one(Command::new(program), &directory, self.test, self.limit)?;
        Ok(matches!(end, TestEnd::Failed { .. } | TestEnd::Hung))
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

    /// The hunks that the failure needs, all of them, are what is left of `count`.
    #[track_caller]
    fn check(count: usize, needs: &[usize]) {
        let mut asked = 0;
        let (left, status) = minimize(count, &mut |taken| {
            asked += 1;
            Some(needs.iter().all(|hunk| taken.contains(hunk)))
        });
        assert_eq!((left.as_slice(), status), (needs, HunkStatus::Minimal), "{asked} asked");
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
        let (left, status) = minimize(6, &mut |taken| Some(taken.contains(&2) || taken.contains(&4)));
        assert_eq!((left.len(), status), (1, HunkStatus::Minimal));
    }

    #[test]
    fn without_time_nothing_is_left_out() {
        let (left, status) = minimize(3, &mut |_| None);
        assert_eq!((left, status), (vec![0, 1, 2], HunkStatus::TimeOut));
    }
}
