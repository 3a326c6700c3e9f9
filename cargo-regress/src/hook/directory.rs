//! Where git looks for hooks: `core.hooksPath`, else `hooks/` of the repository that all its worktrees share.

use std::path::Path;

use anyhow::Context;
use camino::{Utf8Path, Utf8PathBuf};
use git2::{ErrorCode, Repository};

use crate::versions::open_repository;

/// The folder with hooks, and what the hook has to know of the package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directory {
    pub path: Utf8PathBuf,
    pub reach: Reach,
    /// Of the package, relative to where git runs the hook; none if it is there itself.
    pub manifest: Option<Utf8PathBuf>,
}

/// Whose hooks lie in the folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// This repository's, which nobody else has.
    Repository,
    /// Those in the working tree, which `core.hooksPath` names: they are committed or written by a hook manager.
    WorkingTree,
    /// Those of other repositories too: `core.hooksPath` names a folder outside of this one.
    Shared,
}

/// The repository around the current directory, as git finds it: `GIT_DIR` and its like are honoured.
pub fn open() -> anyhow::Result<Repository> {
    open_repository(".".into()).map_err(|error| match error.code() {
        ErrorCode::NotFound => {
            anyhow::anyhow!("this is not inside a git repository, so there are no hooks")
        }
        _ => anyhow::anyhow!("the git repository cannot be opened: {}", error.message()),
    })
}

/// The folder, whichever package the hook is for.
pub fn find() -> anyhow::Result<Directory> {
    let (path, reach) = of_repository(&open()?)?;
    Ok(Directory { path, reach, manifest: None })
}

/// The folder for a hook that compares this package, or the one around the current directory.
pub fn find_for(manifest_path: Option<&Path>) -> anyhow::Result<Directory> {
    let repository = open()?;
    let manifest = match repository.workdir() {
        Some(root) => manifest_below(utf8(root)?, manifest_path)?,
        None => anyhow::bail!(
            "the repository at `{}` is bare, without a working tree to find the package in",
            repository.path().display()
        ),
    };
    Ok(Directory { manifest, ..find()? })
}

fn of_repository(repository: &Repository) -> anyhow::Result<(Utf8PathBuf, Reach)> {
    let common = utf8(repository.commondir())?;
    let configured = match repository.config().and_then(|config| config.get_path("core.hooksPath")) {
        Ok(path) => path,
        Err(error) if error.code() == ErrorCode::NotFound => {
            return Ok((common.join("hooks"), Reach::Repository));
        }
        Err(error) => anyhow::bail!("git's configuration cannot be read: {}", error.message()),
    };
    let configured = utf8(&configured)?.to_owned();
    // Relative to where hooks run.
    let base = utf8(repository.workdir().unwrap_or(repository.path()))?;
    let path = base.join(configured);
    let (real_path, real_common) = (real(&path), real(common));
    let reach = if real_path.starts_with(&real_common) {
        Reach::Repository
    } else if repository.workdir().is_some() && real_path.starts_with(real(base)) {
        Reach::WorkingTree
    } else {
        Reach::Shared
    };
    Ok((path, reach))
}

/// What `--manifest-path` has to be where git runs the hook, at the root of the working tree: the manifest that is named,
/// or else the nearest one if the root has none.
fn manifest_below(root: &Utf8Path, named: Option<&Path>) -> anyhow::Result<Option<Utf8PathBuf>> {
    let here = std::env::current_dir().context("the current directory cannot be found")?;
    let here = here.canonicalize().unwrap_or(here);
    let root = real(root);
    let manifest = match named {
        Some(named) => real(utf8(&here.join(named))?),
        None if root.join("Cargo.toml").is_file() => return Ok(None),
        None => {
            let above = utf8(&here)?.ancestors().take_while(|directory| directory.starts_with(&root));
            let mut manifests = above.map(|directory| directory.join("Cargo.toml"));
            let Some(manifest) = manifests.find(|manifest| manifest.is_file()) else {
                anyhow::bail!(
                    "there is no Cargo.toml at `{root}`, where git runs hooks; run this in the package that is to be \
                     compared, or name it by `--manifest-path`"
                );
            };
            manifest
        }
    };
    let relative = manifest
        .strip_prefix(&root)
        .map_err(|_| anyhow::anyhow!("`{manifest}` is not in the working tree at `{root}`"))?;
    anyhow::ensure!(manifest.is_file(), "there is no `{manifest}`");
    Ok((relative != "Cargo.toml").then(|| relative.to_owned()))
}

/// Without symbolic links as far as it exists.
fn real(path: &Utf8Path) -> Utf8PathBuf {
    for existing in path.ancestors() {
        if let Ok(resolved) = existing.canonicalize_utf8() {
            let rest = path.strip_prefix(existing).unwrap_or(Utf8Path::new(""));
            return if rest.as_str().is_empty() { resolved } else { resolved.join(rest) };
        }
    }
    path.to_owned()
}

fn utf8(path: &Path) -> anyhow::Result<&Utf8Path> {
    Utf8Path::from_path(path).with_context(|| format!("the path `{}` is not valid UTF-8", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The folder and whose hooks are in it, for this value of `core.hooksPath`.
    #[track_caller]
    fn check(configured: Option<&str>, expected: &str, reach: Reach) {
        let home = tempfile::TempDir::new().expect("a temporary directory");
        let repository = Repository::init(home.path()).expect("a repository");
        let mut config = repository.config().and_then(|config| config.open_level(git2::ConfigLevel::Local));
        if let (Some(path), Ok(config)) = (configured, &mut config) {
            config.set_str("core.hooksPath", path).expect("settable");
        } else if repository.config().is_ok_and(|config| config.get_path("core.hooksPath").is_ok()) {
            // Who runs the test has set one for all repositories.
            return;
        }
        let (path, found) = of_repository(&repository).expect("found");
        let root = utf8(home.path()).expect("UTF-8");
        let path = real(&path);
        let shown = path.strip_prefix(real(root)).map_or(path.as_str(), Utf8Path::as_str);
        assert_eq!((shown, found), (expected, reach));
    }

    #[test]
    fn where_git_looks() {
        check(None, ".git/hooks", Reach::Repository);
        check(Some("tools/hooks"), "tools/hooks", Reach::WorkingTree);
        check(Some(".git/other"), ".git/other", Reach::Repository);
        check(Some("/nowhere/hooks"), "/nowhere/hooks", Reach::Shared);
    }

    #[test]
    fn worktrees_share_their_hooks() {
        let home = tempfile::TempDir::new().expect("a temporary directory");
        let main = Repository::init(home.path().join("main")).expect("a repository");
        if main.config().is_ok_and(|config| config.get_path("core.hooksPath").is_ok()) {
            return;
        }
        let author = git2::Signature::now("A", "a@example.org").expect("valid");
        let tree = main.treebuilder(None).and_then(|builder| builder.write()).expect("writable");
        let tree = main.find_tree(tree).expect("written");
        main.commit(Some("HEAD"), &author, &author, "first", &tree, &[]).expect("committable");
        main.worktree("side", &home.path().join("side"), None).expect("a worktree");
        let side = Repository::open(home.path().join("side")).expect("opens");
        let (in_main, in_side) = (of_repository(&main), of_repository(&side));
        let real_paths = [in_main, in_side].map(|found| real(&found.expect("found").0));
        assert_eq!(real_paths[0], real_paths[1]);
        assert!(real_paths[0].ends_with("main/.git/hooks"), "{real_paths:?}");
    }
}
