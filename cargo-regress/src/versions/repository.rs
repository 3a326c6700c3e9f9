//! The repository, and what a revision names in it. Read only.

use camino::{Utf8Path, Utf8PathBuf};
use git2::{Commit, ErrorCode, Object, ObjectType, Oid, Repository, RepositoryOpenFlags};

use super::VersionsError;

/// What is written for this program.
const OURS: [&str; 2] = [crate::config::FILE, crate::accepted::FILE];

/// How new files end that cargo or the compiler reads without being told.
const READ: [&str; 6] =
    [".rs", "Cargo.toml", ".cargo/config.toml", ".cargo/config", "rust-toolchain", "rust-toolchain.toml"];

/// A repository with a working tree.
pub struct Checkout {
    pub repository: Repository,
    /// The working tree, without symbolic links in its path.
    pub root: Utf8PathBuf,
    /// Where the search for the repository began.
    start: Utf8PathBuf,
}

/// Opens the repository around the directory, as git would: `GIT_DIR` and its like are honoured. None if there is none.
pub fn open(start: &Utf8Path) -> Result<Option<Checkout>, VersionsError> {
    // What does not exist in the working tree may exist in a commit.
    let existing = start.ancestors().find(|path| path.is_dir()).unwrap_or(start);
    let repository = match open_repository(existing) {
        Ok(repository) => repository,
        Err(error) if error.code() == ErrorCode::NotFound => match std::env::var_os("GIT_DIR") {
            Some(path) if !path.is_empty() => {
                return Err(VersionsError::NoRepositoryInGitDir {
                    path: path.to_string_lossy().into_owned(),
                });
            }
            _ => return Ok(None),
        },
        Err(error) if error.code() == ErrorCode::Owner => {
            return Err(VersionsError::ForeignOwner { start: start.to_owned() });
        }
        Err(source) => return Err(VersionsError::Unopenable { start: start.to_owned(), source }),
    };
    let Some(workdir) = repository.workdir() else {
        return Err(VersionsError::BareRepository { path: lossy(repository.path()) });
    };
    let Some(workdir) = Utf8Path::from_path(workdir) else {
        return Err(VersionsError::NonUtf8Location { path: workdir.display().to_string() });
    };
    let root = workdir.canonicalize_utf8().map_err(VersionsError::io("find the working tree at", workdir))?;
    Ok(Some(Checkout { repository, root, start: existing.to_owned() }))
}

/// The repository that `GIT_DIR` names, else the one around the directory, below `GIT_CEILING_DIRECTORIES`. libgit2 looks at neither
/// when it is given a directory and ceilings.
pub fn open_repository(start: &Utf8Path) -> Result<Repository, git2::Error> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    if variable("GIT_DIR").is_some() {
        return Repository::open_from_env();
    }
    let ceilings = variable("GIT_CEILING_DIRECTORIES").unwrap_or_default();
    let ceilings = std::env::split_paths(&ceilings).filter(|path| path.is_absolute());
    Repository::open_ext(start, RepositoryOpenFlags::FROM_ENV, ceilings.collect::<Vec<_>>())
}

impl Checkout {
    /// Forgets what has been read. An open repository does not notice that it is no longer shallow.
    pub fn reopen(&mut self) -> Result<(), VersionsError> {
        let start = &self.start;
        self.repository = open_repository(start)
            .map_err(|source| VersionsError::Unopenable { start: start.clone(), source })?;
        Ok(())
    }

    pub fn head(&self) -> Result<Commit<'_>, VersionsError> {
        match self.repository.head() {
            Ok(head) => head
                .peel_to_commit()
                .map_err(|source| VersionsError::IncompleteCommit { commit: "HEAD".to_owned(), source }),
            Err(error) if matches!(error.code(), ErrorCode::UnbornBranch | ErrorCode::NotFound) => {
                Err(VersionsError::UnbornHead { path: self.root.clone() })
            }
            Err(source) => Err(VersionsError::Unopenable { start: self.root.clone(), source }),
        }
    }

    /// The commit that the revision names.
    pub fn commit(&self, revision: &str) -> Result<Commit<'_>, VersionsError> {
        let object = self.repository.revparse_single(revision).map_err(|source| match source.code() {
            ErrorCode::NotFound if self.repository.is_shallow() => {
                VersionsError::ShallowClone { revision: revision.to_owned() }
            }
            ErrorCode::NotFound | ErrorCode::UnbornBranch => {
                VersionsError::UnknownRevision { revision: revision.to_owned(), path: self.root.clone() }
            }
            ErrorCode::Ambiguous => {
                VersionsError::AmbiguousRevision { revision: revision.to_owned(), source }
            }
            _ => VersionsError::InvalidRevision { revision: revision.to_owned(), source },
        })?;
        peel(&object, revision)
    }

    pub fn merge_base(&self, one: (&str, Oid), other: (&str, Oid)) -> Result<Commit<'_>, VersionsError> {
        match self.repository.merge_base(one.1, other.1) {
            Ok(base) => self
                .repository
                .find_commit(base)
                .map_err(|source| VersionsError::IncompleteCommit { commit: base.to_string(), source }),
            Err(_) if self.repository.is_shallow() => Err(VersionsError::ShallowClone {
                revision: format!("the merge base of {} and {}", one.0, other.0),
            }),
            Err(_) => Err(VersionsError::NoMergeBase { one: one.0.to_owned(), other: other.0.to_owned() }),
        }
    }

    /// Whether the working tree holds a change that can matter: to a file that git tracks, or a new Rust source,
    /// manifest, configuration of cargo or toolchain file. A note that lies about does not make the tree a version of its own, and what is set or accepted for this
    /// program is no part of the crate.
    pub fn has_uncommitted_changes(&self, excluded: &Utf8Path) -> Result<bool, VersionsError> {
        let mut options = git2::StatusOptions::new();
        options
            .include_untracked(true)
            .recurse_untracked_dirs(true)
            .include_ignored(false)
            .exclude_submodules(true)
            .update_index(false);
        let statuses = self
            .repository
            .statuses(Some(&mut options))
            .map_err(|source| VersionsError::Status { path: self.root.clone(), source })?;
        Ok(statuses.iter().any(|entry| {
            let path = entry.path_bytes();
            let is_new = entry.status() == git2::Status::WT_NEW;
            let is_output =
                std::str::from_utf8(path).is_ok_and(|path| self.root.join(path).starts_with(excluded));
            let is_ours = OURS.iter().any(|file| path.ends_with(file.as_bytes()));
            let is_read = READ.iter().any(|end| path.ends_with(end.as_bytes()));
            !is_output && !is_ours && (!is_new || is_read)
        }))
    }
}

fn peel<'a>(object: &Object<'a>, revision: &str) -> Result<Commit<'a>, VersionsError> {
    object.peel_to_commit().map_err(|_| VersionsError::NotACommit {
        revision: revision.to_owned(),
        kind: match object.kind() {
            Some(ObjectType::Tree) => "directory".to_owned(),
            Some(ObjectType::Blob) => "file".to_owned(),
            Some(kind) => kind.to_string(),
            None => "object".to_owned(),
        },
    })
}

/// `1a2b3c4 subject of the commit`, so that a person recognises it.
pub fn describe(commit: &Commit<'_>) -> String {
    let id = short(commit.id());
    let subject = commit.summary_bytes().map(|summary| String::from_utf8_lossy(summary).into_owned());
    match subject {
        Some(subject) if !subject.trim().is_empty() => format!("{id} {}", shorten(subject.trim())),
        _ => id,
    }
}

pub fn short(id: Oid) -> String {
    id.to_string().chars().take(7).collect()
}

fn shorten(subject: &str) -> String {
    const LONGEST: usize = 60;
    if subject.chars().count() <= LONGEST {
        return subject.to_owned();
    }
    let cut: String = subject.chars().take(LONGEST).collect();
    format!("{}…", cut.trim_end())
}

pub fn lossy(path: &std::path::Path) -> Utf8PathBuf {
    Utf8PathBuf::from(path.to_string_lossy().into_owned())
}
