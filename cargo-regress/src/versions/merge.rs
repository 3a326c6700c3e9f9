//! The four versions of a merge.
//!
//! *Definition.* A merge has two **sides**, each a commit, their merge **base**, and what was made of both, the **merge**: that of the merge
//! commit, of the working tree while a merge is in progress, or what git makes of both sides without a conflict. The last is made in memory: what has
//! to be written for it is kept beside the repository's objects and forgotten with it.
//!
//! A branch that ends at a merge commit is merged with HEAD, unless HEAD holds it already: then that commit is judged, as any merge commit that is
//! named otherwise.
//!
//! *Limits.* Two sides only. Where sides have several merge bases the first that git names is taken for the base; the merge itself is made
//! from all of them, as git does. Drivers that `.gitattributes` names are not run.

use std::collections::BTreeSet;

use git2::{BranchType, Commit, ErrorCode, Index, MergeOptions, Oid, Repository, RepositoryState};

use super::choose::{Choice, Chosen, Finder, Found, MergedFile, Origin, check_workspace};
use super::place::Place;
use super::repository::{self, Checkout, describe, short};
use super::{Versions, VersionsError, lay_out};
use crate::args::{ComparisonArgs, Merged};
use crate::progress::Progress;

/// The steps between the versions of a merge, each laid out. Two of them share each version.
#[derive(Clone, Debug)]
pub struct MergeVersions {
    pub base_ours: Versions,
    pub base_theirs: Versions,
    pub ours_merge: Versions,
    pub theirs_merge: Versions,
    /// What was left out or taken in that the user may not expect.
    pub notes: Vec<String>,
}

/// Objects in memory are asked for before those on disk, and new ones are written there.
const FIRST: i32 = 1000;

/// Finds the four versions of the merge and lays them out under the target directory.
pub fn resolve_merge(
    place: &Place,
    merged: Merged<'_>,
    comparison: &ComparisonArgs,
    packages: &[String],
    progress: &dyn Progress,
) -> Result<MergeVersions, VersionsError> {
    let Some(mut checkout) = repository::open(place.start.directory())? else {
        return Err(VersionsError::NotARepository { start: place.start.directory().to_owned() });
    };
    check_workspace(&checkout, place)?;
    let Four { base, ours, theirs, merge, note } = choose(&mut checkout, merged, comparison, progress)?;
    let mut notes: Vec<String> = note.into_iter().collect();
    if merge.origin != Origin::WorkingTree && checkout.has_uncommitted_changes(&place.target_dir)? {
        notes.push("uncommitted changes are left out, for the merge is one of commits".to_owned());
    }
    progress.step("Reading four versions");
    let root = checkout.root.clone();
    let pair = |old: &Chosen, new: &Chosen| {
        let choice = Choice { old: old.clone(), new: new.clone(), base: root.clone() };
        lay_out(&choice, Some(&checkout), Some(&checkout.repository), place, packages)
    };
    let versions = MergeVersions {
        base_ours: pair(&base, &ours)?,
        base_theirs: pair(&base, &theirs)?,
        ours_merge: pair(&ours, &merge)?,
        theirs_merge: pair(&theirs, &merge)?,
        notes,
    };
    Ok(versions.with_notes_of_all())
}

impl MergeVersions {
    fn with_notes_of_all(mut self) -> MergeVersions {
        let steps = [&self.base_ours, &self.base_theirs, &self.ours_merge, &self.theirs_merge];
        let notes: BTreeSet<String> = steps.iter().flat_map(|step| step.notes.iter().cloned()).collect();
        self.notes.extend(notes);
        self
    }
}

/// The four versions, not yet read.
struct Four {
    base: Chosen,
    ours: Chosen,
    theirs: Chosen,
    merge: Chosen,
    note: Option<String>,
}

/// A commit and what it is called.
struct Side {
    id: Oid,
    rev: String,
}

impl Side {
    fn chosen(&self, repository: &Repository) -> Result<Chosen, VersionsError> {
        let incomplete = |source| VersionsError::IncompleteCommit { commit: self.rev.clone(), source };
        let commit = repository.find_commit(self.id).map_err(incomplete)?;
        Ok(Found::of(&commit).named(&self.rev))
    }
}

fn choose(
    checkout: &mut Checkout,
    merged: Merged<'_>,
    comparison: &ComparisonArgs,
    progress: &dyn Progress,
) -> Result<Four, VersionsError> {
    let mut finder = Finder { checkout, comparison, progress };
    let head = finder.commit("HEAD")?.id;
    let named = match merged {
        Merged::Here => None,
        Merged::Named(revision) => Some((revision, finder.commit(revision)?.id)),
    };
    let commit_id = named.map_or(head, |(_, id)| id);
    let in_progress = match named {
        None if finder.checkout.repository.state() == RepositoryState::Merge => {
            merge_heads(&mut finder.checkout.repository)?
        }
        _ => Vec::new(),
    };
    let repository = &finder.checkout.repository;
    let commit = find(repository, commit_id)?;
    let is_itself = match named {
        Some((revision, id)) => is_judged_itself(repository, (revision, id), head),
        None => true,
    };
    let parents: Vec<Oid> = if is_itself { commit.parent_ids().collect() } else { Vec::new() };
    let here = Side { id: head, rev: head_name(repository) };
    let (ours, theirs, made) = match (in_progress.as_slice(), parents.as_slice(), named) {
        ([theirs], ..) => {
            let theirs = Side { id: *theirs, rev: name_of(repository, *theirs) };
            (here, theirs, Made::WorkingTree)
        }
        ([_, _, ..], ..) => {
            let commit = "the merge in progress".to_owned();
            return Err(VersionsError::ManyParents { commit, parents: in_progress.len() + 1 });
        }
        ([], [ours, theirs], _) => {
            let side = |id: &Oid| Side { id: *id, rev: name_of(repository, *id) };
            (side(ours), side(theirs), Made::Commit)
        }
        ([], [_, _, _, ..], _) => {
            let commit = describe(&commit);
            return Err(VersionsError::ManyParents { commit, parents: parents.len() });
        }
        ([], _, None) => return Err(VersionsError::NoMerge { head: describe(&commit) }),
        ([], _, Some((revision, id))) => (here, Side { id, rev: revision.to_owned() }, Made::InMemory),
    };
    let rev = named.map_or("HEAD", |(revision, _)| revision);
    let merge_commit = Found::of(&commit).named(rev);
    drop(commit);
    let base = finder.merge_base((&ours.rev, ours.id), (&theirs.rev, theirs.id))?;
    let repository = &finder.checkout.repository;
    let (ours_chosen, theirs_chosen) = (ours.chosen(repository)?, theirs.chosen(repository)?);
    if base.id == theirs.id {
        return Err(VersionsError::NothingToMerge { ours: ours_chosen.label, theirs: theirs_chosen.label });
    }
    if base.id == ours.id {
        return Err(VersionsError::FastForward {
            ours: ours_chosen.label,
            theirs: theirs_chosen.label,
            base: short(ours.id),
            tip: short(theirs.id),
        });
    }
    let bases = repository.merge_bases(ours.id, theirs.id).map_or(1, |bases| bases.len());
    let note = (bases > 1)
        .then(|| format!("the branches have {bases} merge bases; {} is taken for the base", short(base.id)));
    let labels = (ours_chosen.label.clone(), theirs_chosen.label.clone());
    let merge = match made {
        Made::Commit => merge_commit,
        Made::WorkingTree => {
            check_resolved(repository)?;
            Chosen {
                origin: Origin::WorkingTree,
                rev: "working tree".to_owned(),
                label: format!("the merge in progress of {} into {}", theirs.rev, ours.rev),
            }
        }
        Made::InMemory => Chosen {
            origin: Origin::Merged(merged_files(repository, (ours.id, theirs.id), labels)?),
            rev: format!("merge of {} and {}", ours.rev, theirs.rev),
            label: format!("the merge of {} into {}", theirs.rev, ours.rev),
        },
    };
    let base = base.named(&format!("merge base of {} and {}", ours.rev, theirs.rev));
    Ok(Four { base, ours: ours_chosen, theirs: theirs_chosen, merge, note })
}

/// Whether what was named, if it is a merge commit, is the merge that is judged. A branch may end at a merge commit and be meant to be merged all the
/// same, but not into what holds all of it.
fn is_judged_itself(repository: &Repository, (revision, id): (&str, Oid), head: Oid) -> bool {
    let is_in_head = id == head || repository.graph_descendant_of(head, id).unwrap_or(false);
    let is_branch = repository
        .resolve_reference_from_short_name(revision)
        .is_ok_and(|reference| reference.is_branch() || reference.is_remote());
    is_in_head || !is_branch
}

/// Where the merge comes from.
enum Made {
    Commit,
    WorkingTree,
    InMemory,
}

fn find(repository: &Repository, id: Oid) -> Result<Commit<'_>, VersionsError> {
    let incomplete = |source| VersionsError::IncompleteCommit { commit: id.to_string(), source };
    repository.find_commit(id).map_err(incomplete)
}

/// What a merge in progress merges into HEAD.
fn merge_heads(repository: &mut Repository) -> Result<Vec<Oid>, VersionsError> {
    let mut heads = Vec::new();
    let listed = repository.mergehead_foreach(|id| {
        heads.push(*id);
        true
    });
    match listed {
        Ok(()) => Ok(heads),
        Err(error) if error.code() == ErrorCode::NotFound => Ok(Vec::new()),
        Err(source) => Err(VersionsError::IncompleteCommit { commit: "MERGE_HEAD".to_owned(), source }),
    }
}

/// The branch that HEAD is on, or `HEAD`.
fn head_name(repository: &Repository) -> String {
    let head = repository.head().ok().filter(git2::Reference::is_branch);
    head.and_then(|head| head.shorthand().map(str::to_owned).ok()).unwrap_or_else(|| "HEAD".to_owned())
}

/// A branch that ends at the commit, one of this repository rather than a remote's; or the commit's short id.
fn name_of(repository: &Repository, id: Oid) -> String {
    let named = |kind: BranchType| {
        let branches = repository.branches(Some(kind)).into_iter().flatten().flatten();
        let ending = branches.filter(|(branch, _)| branch.get().target() == Some(id));
        let mut names = ending.filter_map(|(branch, _)| branch.get().shorthand().map(str::to_owned).ok());
        names.next()
    };
    named(BranchType::Local).or_else(|| named(BranchType::Remote)).unwrap_or_else(|| short(id))
}

/// What git makes of both sides. Objects that are new are kept in memory.
fn merged_files(
    repository: &Repository,
    (ours, theirs): (Oid, Oid),
    labels: (String, String),
) -> Result<Vec<MergedFile>, VersionsError> {
    let failed =
        |source| VersionsError::Unmergeable { ours: labels.0.clone(), theirs: labels.1.clone(), source };
    let objects = repository.odb().map_err(failed)?;
    objects.add_new_mempack_backend(FIRST).map_err(failed)?;
    let (ours, theirs) = (find(repository, ours)?, find(repository, theirs)?);
    let index = repository.merge_commits(&ours, &theirs, Some(&MergeOptions::new())).map_err(failed)?;
    let files = conflicts(&index).map_err(failed)?;
    if !files.is_empty() {
        return Err(VersionsError::Conflicts { ours: labels.0, theirs: labels.1, files });
    }
    let file = |entry: git2::IndexEntry| MergedFile { path: entry.path, mode: entry.mode, id: entry.id };
    Ok(index.iter().map(file).collect())
}

/// A merge in progress is a version once nobody has to choose any more.
fn check_resolved(repository: &Repository) -> Result<(), VersionsError> {
    let files = repository.index().and_then(|index| conflicts(&index));
    match files {
        Ok(files) if files.is_empty() => Ok(()),
        Ok(files) => Err(VersionsError::Unresolved { files }),
        Err(source) => Err(VersionsError::Status { path: ".".into(), source }),
    }
}

/// The files that git could not merge, each once.
fn conflicts(index: &Index) -> Result<Vec<String>, git2::Error> {
    let mut files = BTreeSet::new();
    for conflict in index.conflicts()? {
        let conflict = conflict?;
        let sides = [conflict.our, conflict.their, conflict.ancestor];
        if let Some(entry) = sides.into_iter().flatten().next() {
            files.insert(format!("`{}`", String::from_utf8_lossy(&entry.path)));
        }
    }
    Ok(files.into_iter().collect())
}
