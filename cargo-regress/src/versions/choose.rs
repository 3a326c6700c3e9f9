//! From what the user wrote to what is compared.

use camino::{Utf8Path, Utf8PathBuf};
use git2::{Commit, Oid};

use super::VersionsError;
use super::fetch;
use super::place::Place;
use super::repository::{Checkout, describe};
use crate::args::ComparisonArgs;
use crate::progress::Progress;

/// Both versions, not yet read.
#[derive(Debug)]
pub struct Choice {
    pub old: Chosen,
    pub new: Chosen,
    /// The directory that paths of the new version are relative to: the repository's, or that of the workspace.
    pub base: Utf8PathBuf,
}

#[derive(Clone, Debug)]
pub struct Chosen {
    pub origin: Origin,
    pub rev: String,
    pub label: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    Commit(Oid),
    WorkingTree,
    Directory(Utf8PathBuf),
    /// What two commits merged are, in no commit.
    Merged(Vec<MergedFile>),
}

/// A file of a merge that was made in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergedFile {
    pub path: Vec<u8>,
    /// As git writes it.
    pub mode: u32,
    pub id: Oid,
}

pub fn choose(
    checkout: Option<&mut Checkout>,
    place: &Place,
    comparison: &ComparisonArgs,
    progress: &dyn Progress,
) -> Result<Choice, VersionsError> {
    if let Some(directory) = &comparison.baseline_root {
        return against_directory(checkout.as_deref(), place, directory);
    }
    let Some(checkout) = checkout else {
        return Err(VersionsError::NotARepository { start: place.start.directory().to_owned() });
    };
    check_workspace(checkout, place)?;
    let mut finder = Finder { checkout, comparison, progress };
    let (old, new) = match (&comparison.revision, &comparison.merge_base) {
        (_, Some(branch)) => {
            let head = finder.commit("HEAD")?;
            let tip = finder.commit(branch)?;
            let base = finder.merge_base(("HEAD", head.id), (branch, tip.id))?;
            (base.named(&format!("merge base of HEAD and {branch}")), newest(finder.checkout, place)?)
        }
        (Some(range), None) => match split_range(range) {
            Range::Commits { from, to } => (finder.commit(from)?.named(from), finder.commit(to)?.named(to)),
            Range::SinceMergeBase { from, to } => {
                let (one, other) = (finder.commit(from)?, finder.commit(to)?);
                let base = finder.merge_base((from, one.id), (to, other.id))?;
                (base.named(&format!("merge base of {from} and {to}")), other.named(to))
            }
            Range::Single(revision) => {
                (finder.commit(revision)?.named(revision), newest(finder.checkout, place)?)
            }
        },
        (None, None) => {
            let new = newest(finder.checkout, place)?;
            let old = match new.origin {
                Origin::WorkingTree => finder.commit("HEAD")?.named("HEAD"),
                _ => finder.parent_of_head()?.named("HEAD~1"),
            };
            (old, new)
        }
    };
    let base = finder.checkout.root.clone();
    Ok(Choice { old, new, base })
}

/// The working tree if anything in it is uncommitted, else HEAD.
fn newest(checkout: &Checkout, place: &Place) -> Result<Chosen, VersionsError> {
    let head = checkout.head()?;
    if !checkout.has_uncommitted_changes(&place.target_dir)? {
        return Ok(Found::of(&head).named("HEAD"));
    }
    Ok(Chosen {
        origin: Origin::WorkingTree,
        rev: "working tree".to_owned(),
        label: format!("the working tree (uncommitted changes on {})", describe(&head)),
    })
}

fn against_directory(
    checkout: Option<&Checkout>,
    place: &Place,
    directory: &Utf8Path,
) -> Result<Choice, VersionsError> {
    let root = directory
        .canonicalize_utf8()
        .ok()
        .filter(|root| root.is_dir())
        .ok_or_else(|| VersionsError::BaselineRoot { path: directory.to_owned() })?;
    let old = Chosen {
        origin: Origin::Directory(root),
        rev: directory.to_string(),
        label: format!("the directory {directory}"),
    };
    let (new, base) = current(checkout, place)?;
    Ok(Choice { old, new, base })
}

/// What is there now, in a repository or not, and the directory that its paths are relative to.
pub fn current(checkout: Option<&Checkout>, place: &Place) -> Result<(Chosen, Utf8PathBuf), VersionsError> {
    // A repository without a commit has a working tree all the same.
    if let Some(checkout) = checkout {
        check_workspace(checkout, place)?;
        let new = match newest(checkout, place) {
            Err(VersionsError::UnbornHead { .. }) => Chosen {
                origin: Origin::WorkingTree,
                rev: "working tree".to_owned(),
                label: "the working tree (nothing committed yet)".to_owned(),
            },
            other => other?,
        };
        return Ok((new, checkout.root.clone()));
    }
    let base = place.workspace_root.clone().unwrap_or_else(|| place.start.directory().to_owned());
    let new = Chosen {
        origin: Origin::Directory(base.clone()),
        rev: base.to_string(),
        label: format!("the directory {base}"),
    };
    Ok((new, base))
}

/// A commit of this repository has to hold the whole workspace.
pub(super) fn check_workspace(checkout: &Checkout, place: &Place) -> Result<(), VersionsError> {
    match &place.workspace_root {
        Some(workspace_root) if !workspace_root.starts_with(&checkout.root) => {
            Err(VersionsError::WorkspaceOutside {
                workspace_root: workspace_root.clone(),
                repository: checkout.root.clone(),
            })
        }
        _ => Ok(()),
    }
}

/// A commit, without a hold on the repository.
pub(super) struct Found {
    pub id: Oid,
    description: String,
}

impl Found {
    pub fn of(commit: &Commit<'_>) -> Found {
        Found { id: commit.id(), description: describe(commit) }
    }

    pub fn named(self, rev: &str) -> Chosen {
        // An id need not be said twice.
        let label = match self.description.split_once(' ') {
            Some((short, subject)) if rev.len() >= 4 && self.id.to_string().starts_with(rev) => {
                format!("{short} ({subject})")
            }
            _ => format!("{rev} ({})", self.description),
        };
        Chosen { origin: Origin::Commit(self.id), rev: rev.to_owned(), label }
    }
}

pub(super) enum Range<'a> {
    Single(&'a str),
    Commits { from: &'a str, to: &'a str },
    SinceMergeBase { from: &'a str, to: &'a str },
}

/// As git reads ranges: a side that is left out is HEAD.
pub(super) fn split_range(text: &str) -> Range<'_> {
    fn or_head(side: &str) -> &str {
        if side.is_empty() { "HEAD" } else { side }
    }
    if let Some((from, to)) = text.split_once("...") {
        Range::SinceMergeBase { from: or_head(from), to: or_head(to) }
    } else if let Some((from, to)) = text.split_once("..") {
        Range::Commits { from: or_head(from), to: or_head(to) }
    } else {
        Range::Single(text)
    }
}

/// Finds commits, and fetches what is missing if the user allows it.
pub(super) struct Finder<'a> {
    pub checkout: &'a mut Checkout,
    pub comparison: &'a ComparisonArgs,
    pub progress: &'a dyn Progress,
}

impl Finder<'_> {
    pub fn commit(&mut self, revision: &str) -> Result<Found, VersionsError> {
        // HEAD first: without any commit, that is what is wrong with every revision.
        self.checkout.head()?;
        let missing = match self.checkout.commit(revision) {
            Err(error @ (VersionsError::UnknownRevision { .. } | VersionsError::ShallowClone { .. })) => {
                error
            }
            found => return found.map(|commit| Found::of(&commit)),
        };
        if !self.comparison.fetch {
            return Err(missing);
        }
        let remote = self.fetch(revision)?;
        let fetched = self.checkout.commit(revision);
        let fetched = fetched.or_else(|_| self.checkout.commit(&format!("{remote}/{revision}")));
        fetched.map(|commit| Found::of(&commit)).map_err(|error| match error {
            VersionsError::UnknownRevision { .. } => {
                VersionsError::UnknownAfterFetch { revision: revision.to_owned(), remote }
            }
            other => other,
        })
    }

    pub fn merge_base(&mut self, one: (&str, Oid), other: (&str, Oid)) -> Result<Found, VersionsError> {
        let missing = match self.checkout.merge_base(one, other) {
            Err(VersionsError::ShallowClone { revision }) if self.comparison.fetch => revision,
            found => return found.map(|commit| Found::of(&commit)),
        };
        self.fetch(&missing)?;
        self.checkout.merge_base(one, other).map(|commit| Found::of(&commit))
    }

    fn parent_of_head(&mut self) -> Result<Found, VersionsError> {
        let head = self.checkout.head()?;
        if head.parent_count() == 0 && !self.checkout.repository.is_shallow() {
            return Err(VersionsError::FirstCommit { head: describe(&head) });
        }
        drop(head);
        self.commit("HEAD~1")
    }

    fn fetch(&mut self, revision: &str) -> Result<String, VersionsError> {
        self.progress.step(&format!("Fetching {revision}"));
        let remote = fetch::fetch(&self.checkout.repository, revision)?;
        self.checkout.reopen()?;
        Ok(remote)
    }
}
