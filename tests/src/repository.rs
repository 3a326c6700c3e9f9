//! Git repositories made from directories, and what the command must leave as it was in them.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use git2::{IndexAddOption, Signature, StatusOptions};
use tempfile::TempDir;
use thiserror::Error;

/// A git repository in a directory of its own.
pub struct Repository {
    home: Home,
    git: git2::Repository,
}

enum Home {
    /// Gone when dropped.
    Temporary(TempDir),
    Kept(PathBuf),
}

#[derive(Debug, Error)]
pub enum RepositoryError {
    #[error("{}: {source}", path.display())]
    File { path: PathBuf, source: io::Error },
    #[error("cannot make a temporary directory: {0}")]
    Temporary(io::Error),
    #[error("git: {0}")]
    Git(#[from] git2::Error),
}

/// All that belongs to the user: nothing of it may change when the command runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// What `git status` would show, ignored files left out.
    pub status: BTreeMap<String, u32>,
    pub head: Option<String>,
    pub index: Option<Vec<u8>>,
    /// Every file of the working tree outside of `.git/` and `target/`, `Cargo.lock` among them.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
}

impl Repository {
    /// An empty repository without a commit, in a temporary directory; gone when dropped.
    pub fn new() -> Result<Repository, RepositoryError> {
        let directory = TempDir::new().map_err(RepositoryError::Temporary)?;
        let git = git2::Repository::init(directory.path())?;
        Ok(Repository { home: Home::Temporary(directory), git })
    }

    /// An empty repository without a commit, in a directory that stays. A repository that is there already is thrown
    /// away with its history; its `target/` is kept, so that what was built before need not be built again.
    pub fn anew_at(directory: &Path) -> Result<Repository, RepositoryError> {
        let fail = |source| RepositoryError::File { path: directory.to_path_buf(), source };
        fs::create_dir_all(directory).map_err(fail)?;
        let history = directory.join(".git");
        if history.exists() {
            fs::remove_dir_all(&history).map_err(fail)?;
        }
        let git = git2::Repository::init(directory)?;
        Ok(Repository { home: Home::Kept(directory.to_path_buf()), git })
    }

    pub fn root(&self) -> &Path {
        match &self.home {
            Home::Temporary(directory) => directory.path(),
            Home::Kept(directory) => directory,
        }
    }

    /// The underlying repository, for tests that bring it into an unusual state.
    pub fn git(&self) -> &git2::Repository {
        &self.git
    }

    /// Makes the working tree what `from` holds, and commits it. Build products and lock files in `from` are left
    /// out; every commit ignores `target/` and, for a package without dependencies, has a lock file.
    pub fn commit_directory(&self, from: &Path, message: &str) -> Result<git2::Oid, RepositoryError> {
        self.lay(from)?;
        self.commit_all(message)
    }

    /// Makes the working tree what `from` holds, without a commit.
    pub fn lay(&self, from: &Path) -> Result<(), RepositoryError> {
        for entry in entries(self.root())? {
            if entry.file_name().is_some_and(|name| name != ".git" && name != "target") {
                let removed =
                    if entry.is_dir() { fs::remove_dir_all(&entry) } else { fs::remove_file(&entry) };
                removed.map_err(|source| RepositoryError::File { path: entry, source })?;
            }
        }
        copy(from, self.root())?;
        self.write(".gitignore", "/target\n")?;
        if let Some(name) = package_name(&self.root().join("Cargo.toml")) {
            self.write("Cargo.lock", &lock_file(&name))?;
        }
        Ok(())
    }

    /// Writes one file of the working tree.
    pub fn write(&self, path: &str, text: &str) -> Result<(), RepositoryError> {
        let path = self.root().join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)
                .map_err(|source| RepositoryError::File { path: parent.to_path_buf(), source })?;
        }
        fs::write(&path, text).map_err(|source| RepositoryError::File { path, source })
    }

    /// Commits the working tree as it stands.
    pub fn commit_all(&self, message: &str) -> Result<git2::Oid, RepositoryError> {
        let mut index = self.git.index()?;
        index.add_all(["*"], IndexAddOption::DEFAULT, None)?;
        index.update_all(["*"], None)?;
        index.write()?;
        let tree = self.git.find_tree(index.write_tree()?)?;
        let author = Signature::now("A. Tester", "tester@example.org")?;
        let parent = match self.git.head() {
            Ok(head) => Some(head.peel_to_commit()?),
            Err(_) => None,
        };
        let parents: Vec<&git2::Commit<'_>> = parent.iter().collect();
        Ok(self.git.commit(Some("HEAD"), &author, &author, message, &tree, &parents)?)
    }

    /// Puts a branch at the commit, and HEAD and the working tree on it.
    pub fn begin_branch(&self, name: &str, at: git2::Oid) -> Result<(), RepositoryError> {
        let reference = format!("refs/heads/{name}");
        self.git.reference(&reference, at, true, "begun")?;
        self.git.set_head(&reference)?;
        self.git.checkout_head(Some(git2::build::CheckoutBuilder::new().force()))?;
        Ok(())
    }

    pub fn snapshot(&self) -> Result<Snapshot, RepositoryError> {
        // The index is read before git looks at the tree, lest looking at it refresh it.
        let index_file = self.git.path().join("index");
        let index = if index_file.is_file() { Some(read(&index_file)?) } else { None };
        let mut files = BTreeMap::new();
        collect(self.root(), self.root(), &mut files)?;
        let mut options = StatusOptions::new();
        options.include_untracked(true).recurse_untracked_dirs(true);
        let status = self
            .git
            .statuses(Some(&mut options))?
            .iter()
            .map(|entry| (String::from_utf8_lossy(entry.path_bytes()).into_owned(), entry.status().bits()))
            .collect();
        let head = self.git.head().ok().and_then(|head| head.target()).map(|oid| oid.to_string());
        Ok(Snapshot { status, head, index, files })
    }
}

/// A lock file for a package without dependencies.
fn lock_file(name: &str) -> String {
    format!(
        "# This file is automatically @generated by Cargo.\n# It is not intended for manual editing.\nversion = 4\n\n\
         [[package]]\nname = \"{name}\"\nversion = \"0.1.0\"\n"
    )
}

/// The name in a manifest that has no dependencies; none for others, which need a real lock file.
fn package_name(manifest: &Path) -> Option<String> {
    let text = fs::read_to_string(manifest).ok()?;
    if text.contains("dependencies") {
        return None;
    }
    let name = text.lines().find_map(|line| line.strip_prefix("name = "))?;
    Some(name.trim().trim_matches('"').to_string())
}

fn copy(from: &Path, to: &Path) -> Result<(), RepositoryError> {
    fs::create_dir_all(to).map_err(|source| RepositoryError::File { path: to.to_path_buf(), source })?;
    for entry in entries(from)? {
        let Some(name) = entry.file_name() else { continue };
        let target = to.join(name);
        if entry.is_dir() {
            if name != "target" && name != ".git" {
                copy(&entry, &target)?;
            }
        } else if name != "Cargo.lock" {
            fs::copy(&entry, &target).map_err(|source| RepositoryError::File { path: entry, source })?;
        }
    }
    Ok(())
}

fn collect(
    root: &Path,
    directory: &Path,
    files: &mut BTreeMap<PathBuf, Vec<u8>>,
) -> Result<(), RepositoryError> {
    for entry in entries(directory)? {
        if entry.is_dir() && !entry.is_symlink() {
            let own = directory == root && (entry.ends_with(".git") || entry.ends_with("target"));
            if !own {
                collect(root, &entry, files)?;
            }
        } else {
            let bytes = read(&entry)?;
            files.insert(entry.strip_prefix(root).unwrap_or(&entry).to_path_buf(), bytes);
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>, RepositoryError> {
    fs::read(path).map_err(|source| RepositoryError::File { path: path.to_path_buf(), source })
}

fn entries(directory: &Path) -> Result<Vec<PathBuf>, RepositoryError> {
    let fail = |source| RepositoryError::File { path: directory.to_path_buf(), source };
    let mut paths = Vec::new();
    for entry in fs::read_dir(directory).map_err(fail)? {
        paths.push(entry.map_err(fail)?.path());
    }
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::fixtures_root;

    #[test]
    fn two_versions_are_two_commits_and_the_tree_is_clean() {
        let case = fixtures_root().join("unchanged/signatures");
        let repository = Repository::new().unwrap();
        let old = repository.commit_directory(&case.join("old"), "old").unwrap();
        let new = repository.commit_directory(&case.join("new"), "new").unwrap();
        let head = repository.git().head().unwrap().peel_to_commit().unwrap();
        assert_eq!((head.id(), head.parent_id(0).unwrap()), (new, old));
        let snapshot = repository.snapshot().unwrap();
        assert_eq!(snapshot.status, BTreeMap::new());
        assert_eq!(snapshot.files[Path::new("src/lib.rs")], fs::read(case.join("new/src/lib.rs")).unwrap());
        assert!(snapshot.files.contains_key(Path::new("Cargo.lock")));
    }

    #[test]
    fn a_repository_made_anew_has_lost_its_history_but_not_its_build_products() {
        let directory = TempDir::new().unwrap();
        let place = directory.path().join("nested/place");
        let from = fixtures_root().join("unchanged/moved");
        let first = Repository::anew_at(&place).unwrap();
        first.commit_directory(&from.join("old"), "first").unwrap();
        first.write("target/regress/cache", "x").unwrap();
        drop(first);
        let second = Repository::anew_at(&place).unwrap();
        second.commit_directory(&from.join("new"), "second").unwrap();
        let head = second.git().head().unwrap().peel_to_commit().unwrap();
        assert_eq!((head.message(), head.parent_count()), (Ok("second"), 0));
        assert_eq!(fs::read_to_string(place.join("target/regress/cache")).unwrap(), "x");
    }

    #[test]
    fn a_snapshot_sees_every_kind_of_change_but_not_the_target_directory() {
        let repository = Repository::new().unwrap();
        repository.commit_directory(&fixtures_root().join("unchanged/moved/old"), "old").unwrap();
        let before = repository.snapshot().unwrap();
        repository.write("target/regress/cache", "x").unwrap();
        assert_eq!(repository.snapshot().unwrap(), before);
        repository.write("notes.txt", "x").unwrap();
        let untracked = repository.snapshot().unwrap();
        assert_ne!((&untracked.status, &untracked.files), (&before.status, &before.files));
        assert_eq!(untracked.index, before.index);
        repository.commit_all("notes").unwrap();
        let committed = repository.snapshot().unwrap();
        assert!(committed.index != before.index && committed.head != before.head);
    }
}
