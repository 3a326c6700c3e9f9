//! The hunks between two trees, and the versions between them that some of the hunks make.

use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

use camino::{Utf8Path, Utf8PathBuf};
use regress_core::verdict::Version;
use similar::{DiffOp, DiffTag, TextDiff};

use crate::report::localize::Hunk;

/// Hunks with so many equal lines between them are tried as one at first.
const CLOSE: usize = 6;
/// What replaces more lines is one hunk.
const MOST_REPLACED: usize = 12;
/// How much of two lines has to be the same for one to be what became of the other.
const LEAST_ALIKE: f32 = 0.5;

/// Texts of files, by path relative to the root of the source tree.
pub(in crate::pipeline) type Texts = BTreeMap<Utf8PathBuf, String>;

/// What counts as one change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pipeline) enum Grain {
    /// Changed lines next to each other.
    Hunks,
    /// Of these, each line that another one became.
    Lines,
}

/// The hunks between two trees.
pub(in crate::pipeline) struct Change {
    files: Vec<FileChange>,
    /// File and operation of each hunk.
    hunks: Vec<(usize, usize)>,
    /// Hunks that stand close together.
    pub(super) groups: Vec<Vec<usize>>,
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
    pub fn between(old: &Texts, new: &Texts, grain: Grain) -> Change {
        let mut change = Change { files: Vec::new(), hunks: Vec::new(), groups: Vec::new() };
        for (path, new) in new.iter().filter(|(path, _)| path.extension() == Some("rs")) {
            let old = old.get(path);
            if old == Some(new) {
                continue;
            }
            let diff = TextDiff::from_lines(old.map_or("", String::as_str), new);
            let finer = |op: &DiffOp| match grain {
                Grain::Hunks => vec![*op],
                Grain::Lines => finer(*op, diff.old_slices(), diff.new_slices()),
            };
            change.files.push(FileChange {
                path: path.clone(),
                old: old.cloned(),
                new: new.clone(),
                operations: diff.ops().iter().flat_map(finer).collect(),
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

    /// The hunks with some of these lines of a version, counted from 1, in a file of its tree.
    pub fn at<'c>(
        &'c self,
        version: Version,
        file: &'c Utf8Path,
        lines: &'c RangeInclusive<u32>,
    ) -> impl Iterator<Item = usize> + 'c {
        let is_there = move |hunk: &usize| {
            let (of, operation) = self.hunks[*hunk];
            let op = &self.files[of].operations[operation];
            let range = if version == Version::Old { op.old_range() } else { op.new_range() };
            let (first, last) = (range.start as u32 + 1, range.end as u32);
            self.files[of].path == file
                && !range.is_empty()
                && first <= *lines.end()
                && *lines.start() <= last
        };
        (0..self.len()).filter(is_there)
    }

    /// Whether the new version has nothing in the place of what the old one has.
    pub fn only_takes_out(&self, hunk: usize) -> bool {
        let (file, operation) = self.hunks[hunk];
        self.files[file].operations[operation].tag() == DiffTag::Delete
    }

    /// The changed files with these hunks and no others.
    pub fn mixture(&self, taken: &[usize]) -> Texts {
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
    pub fn told(&self, hunk: usize, base: &Utf8Path, vanishes_without: Option<bool>) -> Hunk {
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

/// Takes apart what replaces lines by others, where lines are alike: each pair is a hunk, and so is what lies between two pairs. Changes on lines
/// next to each other are told apart so.
fn finer(op: DiffOp, old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let (old_range, new_range) = (op.old_range(), op.new_range());
    let sizes = [old_range.len(), new_range.len()];
    if op.tag() != DiffTag::Replace || sizes == [1, 1] || sizes.iter().any(|lines| *lines > MOST_REPLACED) {
        return vec![op];
    }
    let mut operations = Vec::new();
    let (mut old_at, mut new_at) = (old_range.start, new_range.start);
    for (i, j) in alike(&old[old_range.clone()], &new[new_range.clone()]) {
        let (i, j) = (old_range.start + i, new_range.start + j);
        operations.extend(between(old_at..i, new_at..j));
        operations.extend(between(i..i + 1, j..j + 1));
        (old_at, new_at) = (i + 1, j + 1);
    }
    operations.extend(between(old_at..old_range.end, new_at..new_range.end));
    operations
}

fn between(old: Range<usize>, new: Range<usize>) -> Option<DiffOp> {
    let (old_index, old_len, new_index, new_len) = (old.start, old.len(), new.start, new.len());
    match (old_len, new_len) {
        (0, 0) => None,
        (0, _) => Some(DiffOp::Insert { old_index, new_index, new_len }),
        (_, 0) => Some(DiffOp::Delete { old_index, old_len, new_index }),
        _ => Some(DiffOp::Replace { old_index, old_len, new_index, new_len }),
    }
}

/// Pairs of lines that are alike, in order, of all such choices the one in which they are most alike.
fn alike(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    let likeness = |i: usize, j: usize| {
        let ratio = TextDiff::from_chars(old[i].trim(), new[j].trim()).ratio();
        if ratio >= LEAST_ALIKE { ratio } else { 0.0 }
    };
    // best[i][j]: of the lines behind the first i and j.
    let mut best = vec![vec![0.0_f32; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            let paired = likeness(i, j);
            let together = if paired > 0.0 { paired + best[i + 1][j + 1] } else { 0.0 };
            best[i][j] = together.max(best[i + 1][j]).max(best[i][j + 1]);
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < old.len() && j < new.len() {
        if best[i][j] == best[i + 1][j] {
            i += 1;
        } else if best[i][j] == best[i][j + 1] {
            j += 1;
        } else {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(entries: &[(&str, &str)]) -> Texts {
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
        let change = Change::between(&old, &new, Grain::Lines);
        assert_eq!(change.len(), 4);
        assert_eq!(change.mixture(&[0, 1, 2, 3]), files(&[("a.rs", "one\n2\n4\nfive\n"), ("b.rs", "b\n")]));
        assert_eq!(change.mixture(&[]), files(&[("a.rs", "1\n2\n3\n4\n")]));
        assert_eq!(change.mixture(&[1]), files(&[("a.rs", "1\n2\n4\n")]));
        let told = change.told(1, Utf8Path::new(""), None);
        assert_eq!((told.new_lines, told.old_lines), (None, Some((3, 3))));
    }

    #[test]
    fn changes_that_stand_close_together_are_tried_together() {
        let line = |marked: &[usize]| -> String {
            (0..40).map(|at| format!("{at}{}\n", if marked.contains(&at) { "!" } else { "" })).collect()
        };
        let (old, new) = (line(&[]), line(&[2, 4, 8, 30]));
        let change = Change::between(&files(&[("a.rs", &old)]), &files(&[("a.rs", &new)]), Grain::Lines);
        assert_eq!(change.groups, [vec![0, 1, 2], vec![3]]);
    }

    #[test]
    fn changes_on_lines_next_to_each_other_are_several() {
        let old = "    let mut end = 1;\n    if end < open {\n        end = open;\n    }\n    let size = end + 1;\n    if delimiter && open != 0 {\n";
        let new = "    let mut end = 1;\n    let size = if end != 0 { end + 1 } else { 0 };\n    if delimiter && end != 0 && open != 0 {\n";
        let change = Change::between(&files(&[("a.rs", old)]), &files(&[("a.rs", new)]), Grain::Lines);
        let lines: Vec<_> = (0..change.len())
            .map(|hunk| change.told(hunk, Utf8Path::new(""), None))
            .map(|hunk| (hunk.old_lines, hunk.new_lines))
            .collect();
        assert_eq!(lines, [(Some((2, 4)), None), (Some((5, 5)), Some((2, 2))), (Some((6, 6)), Some((3, 3)))]);
        let all: Vec<usize> = (0..change.len()).collect();
        assert_eq!(change.mixture(&all), files(&[("a.rs", new)]));
        assert_eq!(change.mixture(&[]), files(&[("a.rs", old)]));
    }

    #[test]
    fn what_is_written_anew_is_one_change() {
        let (old, new) = ("let a = f(x);\nreturn a;\n", "for item in list {\n    total += item;\n}\n");
        let change = Change::between(&files(&[("a.rs", old)]), &files(&[("a.rs", new)]), Grain::Lines);
        assert_eq!(change.len(), 1);
    }
}
