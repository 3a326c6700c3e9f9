//! Which commits of this clone a job is about.
//!
//! Services clone shallowly by default. In a shallow clone a commit that is there is what it is, but where two branches part cannot be
//! told: so such questions are refused there, with the lines that make the service clone the history.

use camino::Utf8Path;
use git2::{Oid, Repository};
use thiserror::Error;

use super::decide::{Base, Service, Task};
use super::short;
use crate::error::Error;
use crate::versions::{self, VersionsError};

/// The clone that the job runs in.
pub struct Commits {
    repository: Repository,
    service: Option<Service>,
}

/// What is compared.
#[derive(Debug, PartialEq, Eq)]
pub enum Range {
    Of {
        old: String,
        new: String,
        /// What the old version is to the new one.
        why: String,
    },
    Nothing(String),
}

#[derive(Debug, Error)]
pub enum CommitsError {
    #[error("this clone is shallow, and {what} needs the history{}", remedy(*.service))]
    Shallow { what: String, service: Option<Service> },

    #[error("{what} is not in this clone, and nothing tells what else to compare with; `--base REV` does{}", remedy(*.service))]
    Absent { what: String, service: Option<Service> },

    #[error(
        "`{one}` and HEAD have no commit in common, so there is no older version; `--base REV` names one"
    )]
    Unrelated { one: String },

    #[error(
        "this repository has no commit yet, so there is nothing to compare; `ci` runs where a commit is checked out"
    )]
    Unborn,
}

/// The lines that make a service clone everything.
fn remedy(service: Option<Service>) -> &'static str {
    match service {
        Some(Service::GitHub) => {
            ".\nMake the step that checks out fetch everything:\n\n    - uses: actions/checkout@v4\n      with:\n        fetch-depth: 0\n"
        }
        Some(Service::GitLab) => {
            ".\nMake the job fetch everything:\n\n    variables:\n      GIT_DEPTH: \"0\"\n"
        }
        None => "; `git fetch --unshallow` fetches everything",
    }
}

impl Commits {
    /// The repository around a directory.
    pub fn open(start: &Utf8Path, service: Option<Service>) -> Result<Commits, Error> {
        let repository = versions::open_repository(start).map_err(|source| match source.code() {
            git2::ErrorCode::NotFound => VersionsError::NotARepository { start: start.to_owned() },
            git2::ErrorCode::Owner => VersionsError::ForeignOwner { start: start.to_owned() },
            _ => VersionsError::Unopenable { start: start.to_owned(), source },
        })?;
        Ok(Commits { repository, service })
    }

    /// The same with what its clone lacks of the history, which is fetched.
    pub fn with_history(start: &Utf8Path, service: Option<Service>) -> Result<Commits, Error> {
        let commits = Commits::open(start, service)?;
        if !commits.repository.is_shallow() {
            return Ok(commits);
        }
        versions::fetch(&commits.repository, "HEAD")?;
        // An open repository does not notice that it is no longer shallow.
        Commits::open(start, service)
    }

    pub fn range(&self, task: &Task) -> anyhow::Result<Range> {
        let head = self.repository.head().map_err(|source| match source.code() {
            git2::ErrorCode::UnbornBranch | git2::ErrorCode::NotFound => CommitsError::Unborn.into(),
            _ => anyhow::Error::from(source),
        })?;
        let head = head.peel_to_commit()?.id();
        let (old, why) = match task {
            Task::Nothing(reason) => return Ok(Range::Nothing(reason.clone())),
            Task::Proposal { base, head: tip } => self.proposed(head, base, tip.as_deref())?,
            Task::Pushed { before, trunk } => self.pushed(head, before.as_deref(), trunk.as_deref())?,
        };
        if old == head {
            return Ok(Range::Nothing(format!(
                "{} is what it would be compared with: {why}",
                short(&head.to_string())
            )));
        }
        Ok(Range::Of { old: old.to_string(), new: head.to_string(), why })
    }

    fn proposed(&self, head: Oid, base: &Base, tip: Option<&str>) -> anyhow::Result<(Oid, String)> {
        // Services check out what merging would make.
        let commit = self.repository.find_commit(head)?;
        let parents: Vec<Oid> = commit.parent_ids().collect();
        if let ([onto, merged], Some(tip)) = (&parents[..], tip)
            && merged.to_string() == tip
            && self.commit(&onto.to_string()).is_some()
        {
            return Ok((*onto, format!("HEAD is {} merged onto it", short(tip))));
        }
        match base {
            Base::Commit(id) => match self.commit(id) {
                Some(base) => Ok((base, "the proposed change goes out from it".to_owned())),
                None => Err(self.absent(format!("commit {}", short(id)))),
            },
            Base::Tip(id) => self.left(head, self.commit(id), &format!("commit {}", short(id))),
            Base::Branch(name) => self.left(head, self.branch(name), name),
        }
    }

    fn pushed(&self, head: Oid, before: Option<&str>, trunk: Option<&str>) -> anyhow::Result<(Oid, String)> {
        let there = before.and_then(|id| self.commit(id));
        let goes_on = match there {
            Some(there) => there == head || self.repository.graph_descendant_of(head, there)?,
            None => false,
        };
        match (there, before, trunk) {
            (Some(there), ..) if goes_on => Ok((there, "the branch was at it before".to_owned())),
            // Whether the branch was rewritten, or only its history is missing.
            (_, Some(id), _) if self.repository.is_shallow() => {
                Err(self.shallow(format!("what was pushed on top of {}", short(id))))
            }
            (_, _, Some(trunk)) => self.left(head, self.branch(trunk), trunk),
            (Some(there), ..) => Ok((there, "the branch was at it before, and was rewritten".to_owned())),
            (None, before, None) => {
                let id = before.unwrap_or_default();
                Err(self.absent(format!(
                    "commit {}, at which the branch was before it was rewritten,",
                    short(id)
                )))
            }
        }
    }

    /// Where HEAD left what is at `other`.
    fn left(&self, head: Oid, other: Option<Oid>, name: &str) -> anyhow::Result<(Oid, String)> {
        if self.repository.is_shallow() {
            return Err(self.shallow(format!("where HEAD left `{name}`")));
        }
        let Some(other) = other else { return Err(self.absent(format!("`{name}`"))) };
        match self.repository.merge_base(head, other) {
            Ok(base) => Ok((base, format!("HEAD left `{name}` at it"))),
            Err(error) if error.code() == git2::ErrorCode::NotFound => {
                Err(CommitsError::Unrelated { one: name.to_owned() }.into())
            }
            Err(error) => Err(error.into()),
        }
    }

    fn commit(&self, id: &str) -> Option<Oid> {
        let object = self.repository.revparse_single(id).ok()?;
        object.peel_to_commit().ok().map(|commit| commit.id())
    }

    /// As the remote has it, if it has, for a local branch of that name may be old.
    fn branch(&self, name: &str) -> Option<Oid> {
        let remotes = self.repository.remotes().ok();
        let remotes: Vec<&str> =
            remotes.iter().flat_map(|names| names.iter()).filter_map(|name| name.ok().flatten()).collect();
        let origin_first = remotes.iter().filter(|name| **name == "origin").chain(&remotes);
        let of_remote = |remote: &&str| self.commit(&format!("refs/remotes/{remote}/{name}"));
        origin_first.into_iter().find_map(of_remote).or_else(|| self.commit(name))
    }

    fn shallow(&self, what: String) -> anyhow::Error {
        CommitsError::Shallow { what, service: self.service }.into()
    }

    fn absent(&self, what: String) -> anyhow::Error {
        match self.repository.is_shallow() {
            true => self.shallow(what),
            false => CommitsError::Absent { what, service: self.service }.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Scratch {
        home: tempfile::TempDir,
        commits: Commits,
    }

    impl Scratch {
        fn new() -> Scratch {
            let home = tempfile::TempDir::new().expect("a temporary directory");
            let repository = Repository::init(home.path()).expect("a repository");
            repository.remote("origin", "https://example.org/x.git").expect("a remote");
            Scratch { home, commits: Commits { repository, service: Some(Service::GitHub) } }
        }

        /// A commit on top of others.
        fn commit(&self, text: &str, parents: &[Oid]) -> Oid {
            let git = &self.commits.repository;
            let tree = git.treebuilder(None).expect("a tree").write().expect("writable");
            let tree = git.find_tree(tree).expect("written");
            let author = git2::Signature::now("A", "a@example.org").expect("valid");
            let parents: Vec<_> = parents.iter().map(|id| git.find_commit(*id).expect("there")).collect();
            let parents: Vec<_> = parents.iter().collect();
            git.commit(None, &author, &author, text, &tree, &parents).expect("committable")
        }

        fn branch(&self, name: &str, at: Oid) {
            self.commits.repository.reference(name, at, true, "").expect("settable");
        }

        /// What is compared with this commit, which is checked out.
        fn old(&self, head: Oid, task: Task) -> anyhow::Result<Range> {
            self.commits.repository.set_head_detached(head)?;
            self.commits.range(&task)
        }

        #[track_caller]
        fn check(&self, head: Oid, task: Task, expected: Result<Oid, &str>) {
            match (self.old(head, task), expected) {
                (Ok(Range::Of { old, new, .. }), Ok(expected)) => {
                    assert_eq!((old, new), (expected.to_string(), head.to_string()));
                }
                (Ok(Range::Nothing(reason)), Err(words)) => assert!(reason.contains(words), "{reason}"),
                (Err(error), Err(words)) => assert!(error.to_string().contains(words), "{error}"),
                (old, _) => panic!("{old:?}"),
            }
        }

        /// Makes the clone one that was cut below this commit.
        fn cut_below(&mut self, commit: Oid) {
            let git = self.home.path().join(".git");
            std::fs::write(git.join("shallow"), format!("{commit}\n")).expect("writable");
            self.commits.repository = Repository::open(self.home.path()).expect("a repository");
        }
    }

    const UNKNOWN: &str = "1234567890123456789012345678901234567890";

    fn proposal(base: Base, head: Option<Oid>) -> Task {
        Task::Proposal { base, head: head.map(|id| id.to_string()) }
    }

    fn pushed(before: Option<Oid>, trunk: Option<&str>) -> Task {
        Task::Pushed { before: before.map(|id| id.to_string()), trunk: trunk.map(str::to_owned) }
    }

    #[test]
    fn a_proposed_change_is_compared_with_what_it_is_merged_onto() {
        let git = Scratch::new();
        let one = git.commit("1", &[]);
        let old_main = git.commit("main", &[one]);
        let new_main = git.commit("main again", &[old_main]);
        let topic = git.commit("topic", &[one]);
        let merged = git.commit("merged", &[new_main, topic]);
        // The event may be older than what the service merged onto.
        git.check(merged, proposal(Base::Tip(old_main.to_string()), Some(topic)), Ok(new_main));
        git.check(merged, proposal(Base::Commit(one.to_string()), Some(topic)), Ok(new_main));
        // The branch itself is checked out, or a merge that the author made.
        git.check(topic, proposal(Base::Tip(old_main.to_string()), Some(topic)), Ok(one));
        git.check(merged, proposal(Base::Tip(old_main.to_string()), Some(merged)), Ok(old_main));
        git.check(topic, proposal(Base::Commit(one.to_string()), None), Ok(one));
        git.branch("refs/remotes/origin/main", new_main);
        git.branch("refs/heads/main", topic);
        git.check(topic, proposal(Base::Branch("main".into()), None), Ok(one));
        git.check(topic, proposal(Base::Branch("origin/main".into()), None), Ok(one));
        git.check(one, proposal(Base::Branch("main".into()), None), Err("is what it would be compared with"));
        git.check(topic, proposal(Base::Commit(UNKNOWN.into()), None), Err("1234567 is not in this clone"));
        git.check(topic, proposal(Base::Branch("trunk".into()), None), Err("fetch-depth: 0"));
        let other = git.commit("other", &[]);
        git.check(other, proposal(Base::Branch("main".into()), None), Err("no commit in common"));
    }

    #[test]
    fn a_push_is_compared_with_what_was_there() {
        let git = Scratch::new();
        let one = git.commit("1", &[]);
        let two = git.commit("2", &[one]);
        let three = git.commit("3", &[two]);
        let main = git.commit("main", &[one]);
        git.branch("refs/remotes/origin/main", main);
        git.check(three, pushed(Some(two), Some("main")), Ok(two));
        git.check(three, pushed(Some(one), None), Ok(one));
        git.check(three, pushed(None, Some("main")), Ok(one));
        git.check(three, pushed(Some(three), None), Err("is what it would be compared with"));
        // Rewritten: what was there may be gone.
        let other = git.commit("other", &[one]);
        git.check(three, pushed(Some(other), Some("main")), Ok(one));
        git.check(three, pushed(Some(other), None), Ok(other));
        let gone = Oid::from_str(UNKNOWN).expect("an id");
        git.check(three, pushed(Some(gone), Some("main")), Ok(one));
        git.check(three, pushed(Some(gone), None), Err("before it was rewritten, is not in this clone"));
        git.check(three, pushed(None, Some("trunk")), Err("`trunk` is not in this clone"));
        git.check(three, Task::Nothing("it is a tag".into()), Err("it is a tag"));
    }

    #[test]
    fn a_repository_without_a_commit_is_told_as_such() {
        let home = tempfile::TempDir::new().expect("a temporary directory");
        let repository = Repository::init(home.path()).expect("a repository");
        let commits = Commits { repository, service: None };
        let error = commits.range(&pushed(None, Some("main"))).expect_err("nothing is there");
        assert!(error.to_string().contains("no commit yet"), "{error}");
    }

    #[test]
    fn a_shallow_clone_is_only_asked_what_it_knows() {
        let mut git = Scratch::new();
        let one = git.commit("1", &[]);
        let main = git.commit("main", &[one]);
        let topic = git.commit("topic", &[one]);
        let merged = git.commit("merged", &[main, topic]);
        let next = git.commit("next", &[topic]);
        git.branch("refs/remotes/origin/main", main);
        git.cut_below(main);
        git.check(merged, proposal(Base::Tip(main.to_string()), Some(topic)), Ok(main));
        git.check(topic, proposal(Base::Commit(one.to_string()), None), Ok(one));
        git.check(topic, proposal(Base::Tip(main.to_string()), Some(topic)), Err("fetch-depth: 0"));
        git.check(next, pushed(Some(topic), Some("main")), Ok(topic));
        git.check(next, pushed(None, Some("main")), Err("this clone is shallow"));
        let gone = Oid::from_str(UNKNOWN).expect("an id");
        git.check(
            next,
            pushed(Some(gone), Some("main")),
            Err("what was pushed on top of 1234567 needs the history"),
        );
        git.commits.service = Some(Service::GitLab);
        git.check(topic, proposal(Base::Commit(UNKNOWN.into()), None), Err("GIT_DEPTH: \"0\""));
        git.cut_below(merged);
        // Nothing but the merge was fetched.
        git.check(merged, proposal(Base::Tip(UNKNOWN.into()), Some(topic)), Err("this clone is shallow"));
    }
}
