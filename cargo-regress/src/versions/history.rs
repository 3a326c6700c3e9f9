//! The commits between two others.

use git2::{Oid, Sort};

use super::VersionsError;
use super::choose::{Finder, Range, check_workspace, split_range};
use super::place::Place;
use super::repository;
use crate::args::ComparisonArgs;
use crate::progress::Progress;

/// The commits that lead from one that is taken to be good to another.
#[derive(Clone, Debug)]
pub struct History {
    pub good: Commit,
    /// What the last one leads to and the good one does not, the newest first. Not empty.
    pub commits: Vec<Commit>,
}

#[derive(Clone, Debug)]
pub struct Commit {
    pub oid: String,
    /// The abbreviated id, which names no other object.
    pub rev: String,
    /// For people: `1a2b3c4 subject`.
    pub label: String,
    pub author: String,
    /// The parents' places among the commits; others are ancestors of the good one.
    pub parents: Vec<usize>,
    /// The first parent, in or outside of the history.
    pub first_parent: Option<String>,
}

/// The commits of a range: `GOOD..BAD`, `GOOD` up to HEAD, `A...B` from the merge base on.
pub fn history(
    place: &Place,
    range: &str,
    comparison: &ComparisonArgs,
    progress: &dyn Progress,
) -> Result<History, VersionsError> {
    let Some(mut checkout) = repository::open(place.start.directory())? else {
        return Err(VersionsError::NotARepository { start: place.start.directory().to_owned() });
    };
    check_workspace(&checkout, place)?;
    let mut finder = Finder { checkout: &mut checkout, comparison, progress };
    let (from, to) = match split_range(range) {
        Range::Commits { from, to } | Range::SinceMergeBase { from, to } => (from, to),
        Range::Single(from) => (from, "HEAD"),
    };
    let (good, bad) = (finder.commit(from)?.id, finder.commit(to)?.id);
    let good = match split_range(range) {
        Range::SinceMergeBase { .. } => finder.merge_base((from, good), (to, bad))?.id,
        Range::Commits { .. } | Range::Single(_) => good,
    };
    let repository = &checkout.repository;
    let incomplete =
        |source| VersionsError::IncompleteCommit { commit: format!("the history of {to}"), source };
    if good != bad && !repository.graph_descendant_of(bad, good).map_err(incomplete)? {
        return Err(VersionsError::NotAnAncestor { good: from.to_owned(), bad: to.to_owned() });
    }
    let mut walk = repository.revwalk().map_err(incomplete)?;
    walk.set_sorting(Sort::TOPOLOGICAL).map_err(incomplete)?;
    walk.push(bad).and_then(|()| walk.hide(good)).map_err(incomplete)?;
    let ids = walk.collect::<Result<Vec<Oid>, _>>().map_err(incomplete)?;
    if ids.is_empty() {
        return Err(VersionsError::NothingBetween { good: from.to_owned(), bad: to.to_owned() });
    }
    let commits = ids.iter().map(|id| commit(repository, *id, &ids)).collect::<Result<_, _>>();
    Ok(History {
        good: commit(repository, good, &[]).map_err(incomplete)?,
        commits: commits.map_err(incomplete)?,
    })
}

fn commit(repository: &git2::Repository, id: Oid, among: &[Oid]) -> Result<Commit, git2::Error> {
    let commit = repository.find_commit(id)?;
    Ok(Commit {
        oid: id.to_string(),
        rev: String::from_utf8_lossy(&commit.as_object().short_id()?).into_owned(),
        label: repository::describe(&commit),
        author: String::from_utf8_lossy(commit.author().name_bytes()).into_owned(),
        parents: commit
            .parent_ids()
            .filter_map(|parent| among.iter().position(|known| *known == parent))
            .collect(),
        first_parent: commit.parent_ids().next().map(|id| id.to_string()),
    })
}
