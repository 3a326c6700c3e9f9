//! Repositories made for one test.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use camino::{Utf8Path, Utf8PathBuf};
use git2::{Oid, Repository, Signature, Time};
use tempfile::TempDir;

use crate::args::ComparisonArgs;
use crate::progress::Silent;
use crate::versions::{Place, Start, VersionTree, Versions, VersionsError, resolve};

pub const PACKAGE: &str = "[package]\nname = \"one\"\nversion = \"0.1.0\"\n";

/// A repository in a temporary directory, with a working tree.
pub struct Scratch {
    _home: TempDir,
    pub root: Utf8PathBuf,
    pub repository: Repository,
}

impl Scratch {
    /// Without a commit.
    pub fn unborn() -> Scratch {
        let home = TempDir::new().expect("a temporary directory");
        let root = Utf8Path::from_path(home.path()).expect("UTF-8").canonicalize_utf8().expect("exists");
        let repository = Repository::init(root.join("repo")).expect("a new repository");
        Scratch { _home: home, root: root.join("repo"), repository }
    }

    /// With one package at its root and one commit, `fn f() { 1 }`; build output is ignored.
    pub fn with_package() -> Scratch {
        let scratch = Scratch::unborn();
        scratch
            .write("Cargo.toml", PACKAGE)
            .write("src/lib.rs", "fn f() { 1 }")
            .write(".gitignore", "/target\n");
        scratch.commit("first");
        scratch
    }

    pub fn write(&self, path: &str, content: &str) -> &Self {
        let place = self.root.join(path);
        fs::create_dir_all(place.parent().expect("below the root")).expect("writable");
        fs::write(place, content).expect("writable");
        self
    }

    pub fn remove(&self, path: &str) -> &Self {
        fs::remove_file(self.root.join(path)).expect("it is there");
        self
    }

    /// Commits everything that is not ignored, on top of HEAD.
    pub fn commit(&self, message: &str) -> Oid {
        let mut index = self.repository.index().expect("an index");
        index.add_all(["*"], git2::IndexAddOption::DEFAULT, None).expect("addable");
        index.update_all(["*"], None).expect("updatable");
        index.write().expect("writable");
        let tree = index.write_tree().expect("writable");
        self.commit_tree(message, tree)
    }

    pub fn commit_tree(&self, message: &str, tree: Oid) -> Oid {
        let tree = self.repository.find_tree(tree).expect("just written");
        let parent = self.repository.head().ok().map(|head| head.peel_to_commit().expect("a commit"));
        let parents: Vec<_> = parent.iter().collect();
        let author = Signature::new("A", "a@example.org", &Time::new(1_700_000_000, 0)).expect("valid");
        self.repository.commit(Some("HEAD"), &author, &author, message, &tree, &parents).expect("committable")
    }

    pub fn branch(&self, name: &str, at: Oid) -> &Self {
        let commit = self.repository.find_commit(at).expect("there");
        self.repository.branch(name, &commit, true).expect("a valid name");
        self
    }

    /// Makes HEAD and the working tree that commit or branch.
    pub fn check_out(&self, reference: &str) -> &Self {
        self.repository.set_head(reference).expect("there");
        self.repository
            .checkout_head(Some(git2::build::CheckoutBuilder::new().force().remove_untracked(true)))
            .expect("checkout");
        self
    }

    pub fn place(&self, directory: &str) -> Place {
        Place {
            start: Start::SearchFrom(if directory.is_empty() {
                self.root.clone()
            } else {
                self.root.join(directory)
            }),
            workspace_root: None,
            packages: Vec::new(),
            target_dir: self.root.join("target"),
        }
    }

    pub fn resolve(&self, comparison: &ComparisonArgs) -> Result<Versions, VersionsError> {
        resolve(&self.place(""), comparison, &[], &Silent)
    }

    pub fn versions(&self, comparison: &ComparisonArgs) -> Versions {
        self.resolve(comparison).unwrap_or_else(|error| panic!("{error}"))
    }

    pub fn failure(&self, comparison: &ComparisonArgs) -> VersionsError {
        self.resolve(comparison).expect_err("an error")
    }
}

pub fn defaults() -> ComparisonArgs {
    ComparisonArgs::default()
}

pub fn revision(text: &str) -> ComparisonArgs {
    ComparisonArgs { revision: Some(text.to_owned()), ..defaults() }
}

pub fn fetching(text: &str) -> ComparisonArgs {
    ComparisonArgs { fetch: true, ..revision(text) }
}

/// The text of a file of a version; none if the version does not have it.
pub fn text(tree: &VersionTree, path: &str) -> Option<String> {
    fs::read_to_string(tree.root.join(path)).ok()
}

/// Every file below the directory with its content, except below the names left out.
pub fn snapshot(directory: &Utf8Path, without: &[&str]) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    collect(directory.as_std_path(), directory.as_std_path(), without, &mut found);
    found
}

fn collect(root: &Path, directory: &Path, without: &[&str], found: &mut BTreeMap<String, Vec<u8>>) {
    for item in fs::read_dir(directory).expect("readable") {
        let path = item.expect("readable").path();
        let name = path.strip_prefix(root).expect("below").to_string_lossy().into_owned();
        if without.contains(&name.as_str()) {
            continue;
        }
        if path.is_dir() && !path.is_symlink() {
            collect(root, &path, without, found);
        } else {
            found.insert(name, fs::read(&path).unwrap_or_default());
        }
    }
}
