//! Writes a version to a private directory, once.
//!
//! A tree is written beside its final place and renamed into it, so a tree that is there under its key is whole. A
//! marker beside it tells a tree that was renamed into place from one that was later deleted in part. Modification
//! times are all the same: the directory's name stands for the content, so cargo may take an old build of the same
//! directory for fresh, even after the tree has been deleted and written again.

use std::fs;
use std::time::{Duration, SystemTime};

use camino::{Utf8Path, Utf8PathBuf};
use git2::{Oid, Repository};

use super::VersionsError;
use super::listing::{self, Listing, Mode, Source};

/// Cargo looks for a workspace root in all directories above a package, except that it stops at `target/package`,
/// where `cargo package` unpacks what it verifies. Trees lie below a directory of that name, so that the workspace of
/// the user, which is further up, never claims them.
const TREES: &str = "regress/trees/target/package";
const TREE: &str = "tree";
const COMPLETE: &str = "complete";
/// Changes whenever trees are laid out differently.
const LAYOUT: &str = "1\n";
const TEMPORARY: &str = ".tmp-";
const LOCK: &str = ".lock";
/// A temporary directory of that age belongs to a run that was killed.
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);
/// In September 2001: earlier than any build.
const MODIFIED: Duration = Duration::from_secs(1_000_000_000);

/// A version on disk.
#[derive(Debug)]
pub struct LaidOut {
    pub key: String,
    pub root: Utf8PathBuf,
}

/// Lays out the listing below the target directory, or finds it there.
pub fn lay_out(
    repository: Option<&Repository>,
    listing: &Listing,
    target_dir: &Utf8Path,
) -> Result<LaidOut, VersionsError> {
    let trees = target_dir.join(TREES);
    prepare(target_dir, &trees)?;
    let mut moving = None;
    for _attempt in 0..3 {
        let (id, ids) = listing.key()?;
        let key = id.to_string();
        let home = trees.join(&key);
        let root = home.join(TREE);
        if is_complete(&home) {
            return Ok(LaidOut { key, root });
        }
        let temporary = temporary_in(&trees)?;
        let Some(beside) = Utf8Path::from_path(temporary.path()) else {
            return Err(VersionsError::NonUtf8Location { path: temporary.path().display().to_string() });
        };
        match write(repository, listing, &ids, &beside.join(TREE))? {
            Written::Whole => {
                publish(beside, &home)?;
                return Ok(LaidOut { key, root });
            }
            Written::Changed(path) => moving = Some(path),
        }
    }
    Err(VersionsError::Moving { path: moving.unwrap_or_default() })
}

/// A directory of our own, which goes when it is dropped.
fn temporary_in(trees: &Utf8Path) -> Result<tempfile::TempDir, VersionsError> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY).tempdir_in(trees).map_err(VersionsError::io("create a directory in", trees))
}

fn is_complete(home: &Utf8Path) -> bool {
    home.join(TREE).is_dir() && fs::read(home.join(COMPLETE)).is_ok_and(|marker| marker == LAYOUT.as_bytes())
}

/// Makes the directory, hides it from git, and removes what killed runs have left.
fn prepare(target_dir: &Utf8Path, trees: &Utf8Path) -> Result<(), VersionsError> {
    let unusable = |path: &Utf8Path, source| VersionsError::TargetDirectory { path: path.to_owned(), source };
    fs::create_dir_all(trees).map_err(|source| unusable(trees, source))?;
    // The target directory is usually ignored by the repository, but need not be.
    let ignore = target_dir.join("regress/.gitignore");
    if !ignore.exists() {
        fs::write(&ignore, "*\n").map_err(|source| unusable(&ignore, source))?;
    }
    let Ok(items) = trees.read_dir_utf8() else { return Ok(()) };
    for item in items.flatten().filter(|item| item.file_name().starts_with(TEMPORARY)) {
        let age =
            item.metadata().and_then(|metadata| metadata.modified()).ok().and_then(|t| t.elapsed().ok());
        if age.is_some_and(|age| age > ABANDONED) {
            // Another run may be removing it at this moment; that is as good.
            let _ = fs::remove_dir_all(item.path());
        }
    }
    Ok(())
}

enum Written {
    Whole,
    /// This file is no longer what it was when the key was computed.
    Changed(Utf8PathBuf),
}

fn write(
    repository: Option<&Repository>,
    listing: &Listing,
    ids: &std::collections::BTreeMap<Utf8PathBuf, Oid>,
    root: &Utf8Path,
) -> Result<Written, VersionsError> {
    fs::create_dir_all(root).map_err(VersionsError::io("create", root))?;
    for (path, entry) in &listing.files {
        // A link that is also a directory would lead the files below it out of the tree.
        if path.ancestors().skip(1).any(|above| listing.holds(above)) {
            return Err(VersionsError::UnsafePath {
                version: "a version".to_owned(),
                path: path.to_string(),
            });
        }
        let content = listing::read(repository, entry, path)?;
        let read_twice = matches!(entry.source, Source::Disk(_));
        if read_twice && Some(&listing::blob_id(&content, path)?) != ids.get(path) {
            return Ok(Written::Changed(path.clone()));
        }
        let place = root.join(path);
        if let Some(parent) = place.parent() {
            fs::create_dir_all(parent).map_err(VersionsError::io("create", parent))?;
        }
        write_entry(&place, entry.mode, &content)?;
    }
    Ok(Written::Whole)
}

fn write_entry(place: &Utf8Path, mode: Mode, content: &[u8]) -> Result<(), VersionsError> {
    match mode {
        Mode::Symlink => {
            make_symlink(content, place).map_err(VersionsError::io("create the symbolic link", place))
        }
        Mode::Regular | Mode::Executable => {
            let write = || {
                fs::write(place, content)?;
                if mode == Mode::Executable {
                    make_executable(place)?;
                }
                fs::File::options().append(true).open(place)?.set_modified(SystemTime::UNIX_EPOCH + MODIFIED)
            };
            write().map_err(VersionsError::io("write", place))
        }
    }
}

/// Moves a finished tree to its place. Another run may have been faster; then there is nothing left to do.
fn publish(beside: &Utf8Path, home: &Utf8Path) -> Result<(), VersionsError> {
    let marker = beside.join(COMPLETE);
    fs::write(&marker, LAYOUT).map_err(VersionsError::io("write", &marker))?;
    if fs::rename(beside, home).is_ok() || is_complete(home) {
        return Ok(());
    }
    // What stands in the way was deleted in part, or was laid out by another version of this program. Of several runs
    // that see this, one removes it: the others would remove what that one puts in its place.
    let lock = home.with_file_name(LOCK);
    let lock_file = fs::File::create(&lock).map_err(VersionsError::io("create", &lock))?;
    lock_file.lock().map_err(VersionsError::io("lock", &lock))?;
    if is_complete(home) {
        return Ok(());
    }
    // Moved away in one step, then deleted: while a directory is being emptied, another run may put its tree there.
    let trees = home.parent().unwrap_or(home);
    let discarded = temporary_in(trees)?;
    match fs::rename(home, discarded.path().join(TREE)) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(VersionsError::io("move away", home)(error));
        }
        _ => {}
    }
    match fs::rename(beside, home) {
        Err(error) if !is_complete(home) => Err(VersionsError::io("rename a finished tree to", home)(error)),
        _ => Ok(()),
    }
}

#[cfg(unix)]
fn make_symlink(target: &[u8], place: &Utf8Path) -> std::io::Result<()> {
    use std::os::unix::ffi::OsStrExt;
    std::os::unix::fs::symlink(std::ffi::OsStr::from_bytes(target), place)
}

/// Where links need a privilege, git writes a file with the target in it; so do we.
#[cfg(not(unix))]
fn make_symlink(target: &[u8], place: &Utf8Path) -> std::io::Result<()> {
    fs::write(place, target)
}

#[cfg(unix)]
fn make_executable(place: &Utf8Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(place, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_place: &Utf8Path) -> std::io::Result<()> {
    Ok(())
}
