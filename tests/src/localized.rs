//! What localization is measured on: the fixtures of `fixtures/localize/`, slips seeded in published crates, and regressions between
//! published versions.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use regress_core::verdict::Version;
use similar::{ChangeTag, TextDiff};

use crate::cases::{LOCALIZED, fixtures_root};
use crate::historical::{HISTORICAL, Historical};
use crate::real_crates::{lay_with_tests, published};
use crate::repository::Repository;
use crate::seeded::{SEEDED, Seeded};

/// A regression with what shows it and the lines that are to blame.
pub struct Subject {
    pub name: String,
    pub origin: Origin,
    /// Two commits, the old version and the new one.
    pub repository: Repository,
    /// What is asked for: `--call …` or `--test …`.
    pub words: Vec<String>,
    pub causes: Vec<Cause>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    Fixture,
    Seeded,
    Historical,
}

/// A line that is to blame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    pub version: Version,
    pub file: String,
    /// Counted from 1.
    pub line: u32,
}

/// Where a subject comes from; it is laid out when it is its turn.
#[derive(Clone, Debug)]
pub enum Source {
    Fixture(PathBuf),
    Seeded(Seeded),
    Historical(Historical),
}

/// All subjects whose name contains one of the texts; all if there is no text.
pub fn sources(only: &[String]) -> anyhow::Result<Vec<Source>> {
    let mut all = Vec::new();
    for root in directories(&fixtures_root().join(LOCALIZED))? {
        all.push(Source::Fixture(root));
    }
    all.extend(SEEDED.iter().copied().map(Source::Seeded));
    all.extend(HISTORICAL.iter().copied().map(Source::Historical));
    all.retain(|source| only.is_empty() || only.iter().any(|text| source.name().contains(text.as_str())));
    Ok(all)
}

impl Source {
    pub fn name(&self) -> String {
        match self {
            Source::Fixture(root) => {
                root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
            }
            Source::Seeded(seeded) => seeded.name.to_owned(),
            Source::Historical(step) => format!("{} {} to {}", step.package, step.old, step.new),
        }
    }

    pub fn lay(&self) -> anyhow::Result<Subject> {
        let laid = match self {
            Source::Fixture(root) => fixture(root),
            Source::Seeded(seeded) => seed(seeded),
            Source::Historical(step) => historical(step),
        };
        laid.with_context(|| self.name())
    }
}

fn fixture(root: &Path) -> anyhow::Result<Subject> {
    let repository = Repository::new()?;
    repository.commit_directory(&root.join("old"), "old")?;
    repository.commit_directory(&root.join("new"), "new")?;
    let asked = |file: &str| std::fs::read_to_string(root.join(file)).ok().map(|text| text.trim().to_owned());
    let words = match (asked("call"), asked("test")) {
        (Some(call), _) => vec!["--call".to_owned(), call],
        (None, Some(test)) => vec!["--test".to_owned(), test],
        (None, None) => anyhow::bail!("a subject has a file `call` or a file `test`"),
    };
    let mut causes = marked(&root.join("old"), Version::Old)?;
    causes.extend(marked(&root.join("new"), Version::New)?);
    let name = root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    subject(name, Origin::Fixture, repository, words, causes)
}

const CAUSE: &str = "//~ CAUSE";

/// The marked lines below `src/`.
fn marked(version_root: &Path, version: Version) -> anyhow::Result<Vec<Cause>> {
    let mut causes = Vec::new();
    for entry in std::fs::read_dir(version_root.join("src"))? {
        let path = entry?.path();
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let file = format!("src/{}", path.file_name().unwrap_or_default().to_string_lossy());
        let lines = text.lines().zip(1..).filter(|(line, _)| line.contains(CAUSE));
        causes.extend(lines.map(|(_, line)| Cause { version, file: file.clone(), line }));
    }
    Ok(causes)
}

fn seed(seeded: &Seeded) -> anyhow::Result<Subject> {
    let places = published(&[(seeded.package, seeded.version)])?;
    let repository = Repository::new()?;
    lay_with_tests(&repository, &places[seeded.package])?;
    if let Some((file, text)) = seeded.added {
        repository.write(file, text)?;
    }
    repository.commit_all("the published version")?;
    let read = |file: &str| std::fs::read_to_string(repository.root().join(file)).context(file.to_owned());
    let mut before = BTreeMap::new();
    let mut after: BTreeMap<&str, String> = BTreeMap::new();
    for edit in seeded.edits {
        if !after.contains_key(edit.file) {
            let text = read(edit.file)?;
            before.insert(edit.file, text.clone());
            after.insert(edit.file, text);
        }
        let text = after.get_mut(edit.file).context("it was read")?;
        anyhow::ensure!(text.matches(edit.old).count() == 1, "{} has not once: {}", edit.file, edit.old);
        *text = text.replacen(edit.old, edit.new, 1);
    }
    for (file, text) in &after {
        repository.write(file, text)?;
    }
    repository.commit_all("with the slip")?;
    let slip = seeded.edits.first().context("a regression has an edit")?;
    let causes = changed_lines(slip.file, (slip.old, &before[slip.file]), (slip.new, &after[slip.file]))?;
    let words = vec!["--test".to_owned(), seeded.test.to_owned()];
    subject(seeded.name.to_owned(), Origin::Seeded, repository, words, causes)
}

/// The lines that differ between two pieces of text, each with the text that it stands in.
fn changed_lines(file: &str, old: (&str, &str), new: (&str, &str)) -> anyhow::Result<Vec<Cause>> {
    let first_line = |(piece, whole): (&str, &str)| -> anyhow::Result<u32> {
        if piece.is_empty() {
            return Ok(0);
        }
        let at = whole.find(piece).context("the piece stands in the text")?;
        anyhow::ensure!(whole.matches(piece).count() == 1, "{file} has several times: {piece}");
        Ok(whole[..at].matches('\n').count() as u32 + 1)
    };
    let (old_first, new_first) = (first_line(old)?, first_line(new)?);
    let diff = TextDiff::from_lines(old.0, new.0);
    let mut causes = Vec::new();
    for change in diff.iter_all_changes() {
        let (version, first, index) = match change.tag() {
            ChangeTag::Equal => continue,
            ChangeTag::Delete => (Version::Old, old_first, change.old_index()),
            ChangeTag::Insert => (Version::New, new_first, change.new_index()),
        };
        let line = first + index.context("a changed line has an index")? as u32;
        causes.push(Cause { version, file: file.to_owned(), line });
    }
    Ok(causes)
}

fn historical(step: &Historical) -> anyhow::Result<Subject> {
    let repository = Repository::new()?;
    let mut causes = Vec::new();
    for (version, release) in [(Version::Old, step.old), (Version::New, step.new)] {
        let places = published(&[(step.package, release)])?;
        lay_with_tests(&repository, &places[step.package])?;
        repository.write(step.file, step.text)?;
        repository.commit_all(release)?;
        for (of, file, line) in step.causes.iter().filter(|(of, _, _)| *of == version) {
            let text = std::fs::read_to_string(repository.root().join(file))?;
            let found = text.lines().zip(1..).filter(|(text, _)| text.trim() == *line);
            let found: Vec<u32> = found.map(|(_, number)| number).collect();
            anyhow::ensure!(found.len() == 1, "{release}: {file} has not once: {line}");
            causes.push(Cause { version: *of, file: (*file).to_owned(), line: found[0] });
        }
    }
    let name = format!("{} {} to {}", step.package, step.old, step.new);
    subject(name, Origin::Historical, repository, vec!["--test".to_owned(), step.test.to_owned()], causes)
}

fn subject(
    name: String,
    origin: Origin,
    repository: Repository,
    words: Vec<String>,
    causes: Vec<Cause>,
) -> anyhow::Result<Subject> {
    anyhow::ensure!(!causes.is_empty(), "no line is to blame");
    Ok(Subject { name, origin, repository, words, causes })
}

fn directories(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(path).with_context(|| path.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_a_slip_are_those_that_it_changed() {
        let old = ("b\nc\n", "a\nb\nc\nd\n");
        let new = ("b\nx\ny\n", "first\na\nb\nx\ny\nd\n");
        let cause = |version, line| Cause { version, file: "f".into(), line };
        let lines = changed_lines("f", old, new).expect("the pieces are there");
        assert_eq!(lines, [cause(Version::Old, 3), cause(Version::New, 4), cause(Version::New, 5)]);
        assert_eq!(changed_lines("f", old, ("", "a\nd\n")).expect("taken out").len(), 2);
        assert!(changed_lines("f", ("z", "a\n"), new).is_err());
    }

    #[test]
    fn each_subject_has_a_name_of_its_own() {
        let mut names: Vec<String> = sources(&[]).expect("readable").iter().map(Source::name).collect();
        names.sort();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(SEEDED.len() >= 20);
    }
}
