//! What files a version consists of, before anything is written.
//!
//! A [`Listing`] is read from a commit, from the working tree or from a plain directory. Its key is the id of the git
//! tree that holds exactly these files, so the same content has the same key wherever it came from. Nothing is written
//! to the repository to compute it.
//!
//! Limits: submodules are named, not entered. Paths that are not UTF-8 are set aside; whether they matter is decided by
//! whoever knows which package is compared.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use git2::{ObjectType, Oid, Repository, Tree};

use super::VersionsError;
use super::choose::MergedFile;

#[derive(Debug, Default)]
pub struct Listing {
    /// By path relative to the root, `/` between components.
    pub files: BTreeMap<Utf8PathBuf, Entry>,
    pub submodules: BTreeSet<Utf8PathBuf>,
    /// Paths that are not UTF-8, in lossy spelling.
    pub unreadable: Vec<String>,
    /// Git repositories inside the working tree that are not submodules.
    pub nested: Vec<Utf8PathBuf>,
}

#[derive(Clone, Debug)]
pub struct Entry {
    pub mode: Mode,
    pub source: Source,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Regular,
    Executable,
    Symlink,
}

/// Where the content of a file comes from.
#[derive(Clone, Debug)]
pub enum Source {
    Blob(Oid),
    Disk(Utf8PathBuf),
    /// What a checkout makes of a blob.
    Made(Vec<u8>),
}

impl Mode {
    fn of_git(mode: u32) -> Mode {
        match mode {
            0o120000 => Mode::Symlink,
            mode if mode & 0o111 != 0 => Mode::Executable,
            _ => Mode::Regular,
        }
    }

    fn of_metadata(metadata: &fs::Metadata) -> Mode {
        if metadata.is_symlink() {
            Mode::Symlink
        } else if is_executable(metadata) {
            Mode::Executable
        } else {
            Mode::Regular
        }
    }

    fn git(self) -> &'static str {
        match self {
            Mode::Regular => "100644",
            Mode::Executable => "100755",
            Mode::Symlink => "120000",
        }
    }
}

#[cfg(unix)]
fn is_executable(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o100 != 0
}

#[cfg(not(unix))]
fn is_executable(_metadata: &fs::Metadata) -> bool {
    false
}

impl Listing {
    /// The files of a commit.
    pub fn of_tree(
        repository: &Repository,
        tree: &Tree<'_>,
        version: &str,
    ) -> Result<Listing, VersionsError> {
        let mut listing = Listing::default();
        listing.add_tree(repository, tree, Utf8Path::new(""), version)?;
        Ok(listing)
    }

    fn add_tree(
        &mut self,
        repository: &Repository,
        tree: &Tree<'_>,
        prefix: &Utf8Path,
        version: &str,
    ) -> Result<(), VersionsError> {
        for entry in tree {
            let Ok(name) = std::str::from_utf8(entry.name_bytes()) else {
                self.unreadable.push(join_lossy(prefix, entry.name_bytes()));
                continue;
            };
            let path = join(prefix, name);
            check_component(name, &path, version)?;
            match entry.kind() {
                Some(ObjectType::Tree) => {
                    let subtree = repository.find_tree(entry.id()).map_err(|source| {
                        VersionsError::IncompleteCommit { commit: version.to_owned(), source }
                    })?;
                    self.add_tree(repository, &subtree, &path, version)?;
                }
                Some(ObjectType::Commit) => {
                    self.submodules.insert(path);
                }
                _ => {
                    let mode = Mode::of_git(entry.filemode().cast_unsigned());
                    self.files.insert(path, Entry { mode, source: Source::Blob(entry.id()) });
                }
            }
        }
        Ok(())
    }

    /// The files of a merge that is in no commit.
    pub fn of_merged(files: &[MergedFile], version: &str) -> Result<Listing, VersionsError> {
        const SUBMODULE: u32 = 0o160000;
        let mut listing = Listing::default();
        for file in files {
            let Ok(path) = std::str::from_utf8(&file.path) else {
                listing.unreadable.push(String::from_utf8_lossy(&file.path).into_owned());
                continue;
            };
            let path = Utf8PathBuf::from(path);
            check_path(&path, version)?;
            if file.mode == SUBMODULE {
                listing.submodules.insert(path);
            } else {
                let mode = Mode::of_git(file.mode);
                listing.files.insert(path, Entry { mode, source: Source::Blob(file.id) });
            }
        }
        Ok(listing)
    }

    /// The files of the working tree: those that git tracks, as they are on disk, and new ones that it does not ignore.
    /// `excluded` is left out: build output, ignored or not.
    pub fn of_working_tree(
        repository: &Repository,
        root: &Utf8Path,
        excluded: &Utf8Path,
    ) -> Result<Listing, VersionsError> {
        let status = |source| VersionsError::Status { path: root.to_owned(), source };
        let mut listing = Listing::default();
        let index = repository.index().map_err(status)?;
        for entry in index.iter() {
            let Ok(path) = std::str::from_utf8(&entry.path) else {
                listing.unreadable.push(String::from_utf8_lossy(&entry.path).into_owned());
                continue;
            };
            let path = Utf8PathBuf::from(path);
            check_path(&path, "the working tree")?;
            let on_disk = root.join(&path);
            if on_disk.starts_with(excluded) {
                continue;
            }
            let skip_worktree = git2::IndexEntryExtendedFlag::from_bits_truncate(entry.flags_extended)
                .contains(git2::IndexEntryExtendedFlag::SKIP_WORKTREE);
            if entry.mode == 0o160000 {
                listing.submodules.insert(path);
            } else if let Some(mode) = mode_on_disk(&on_disk)? {
                listing.files.insert(path, Entry { mode, source: Source::Disk(on_disk) });
            } else if skip_worktree {
                // A sparse checkout leaves the file out on purpose; it has not been deleted.
                let mode = Mode::of_git(entry.mode);
                listing.files.insert(path, Entry { mode, source: Source::Blob(entry.id) });
            }
        }
        let mut caches = CacheDirectories::default();
        for path in untracked(repository).map_err(status)? {
            let Ok(path) = String::from_utf8(path.clone()) else {
                listing.unreadable.push(String::from_utf8_lossy(&path).into_owned());
                continue;
            };
            let path = Utf8PathBuf::from(path);
            check_path(&path, "the working tree")?;
            let on_disk = root.join(&path);
            if on_disk.starts_with(excluded) || caches.hold(root, &path) {
                continue;
            }
            if path.as_str().ends_with('/') {
                listing.nested.push(Utf8PathBuf::from(path.as_str().trim_end_matches('/')));
            } else if let Some(mode) = mode_on_disk(&on_disk)? {
                listing.files.insert(path, Entry { mode, source: Source::Disk(on_disk) });
            }
        }
        // Where a directory was replaced by a link, the files that git still tracks below it are deleted ones.
        let taken: BTreeSet<Utf8PathBuf> = listing.files.keys().cloned().collect();
        listing.files.retain(|path, _| !path.ancestors().skip(1).any(|above| taken.contains(above)));
        Ok(listing)
    }

    /// All files below a directory, without `.git` and without cache directories such as cargo's `target`.
    pub fn of_directory(
        root: &Utf8Path,
        excluded: &Utf8Path,
        version: &str,
    ) -> Result<Listing, VersionsError> {
        let mut listing = Listing::default();
        listing.add_directory(root, Utf8Path::new(""), excluded, version)?;
        Ok(listing)
    }

    fn add_directory(
        &mut self,
        root: &Utf8Path,
        prefix: &Utf8Path,
        excluded: &Utf8Path,
        version: &str,
    ) -> Result<(), VersionsError> {
        let directory = root.join(prefix);
        let failed = || VersionsError::io("read the directory", &directory);
        for item in fs::read_dir(&directory).map_err(failed())? {
            let name = item.map_err(failed())?.file_name();
            let Some(name) = name.to_str() else {
                self.unreadable.push(join_lossy(prefix, name.as_encoded_bytes()));
                continue;
            };
            let path = join(prefix, name);
            let on_disk = root.join(&path);
            if name == ".git" || on_disk.starts_with(excluded) {
                continue;
            }
            check_component(name, &path, version)?;
            let metadata =
                on_disk.symlink_metadata().map_err(VersionsError::io("read the state of", &on_disk))?;
            if metadata.is_dir() {
                if !is_cache_directory(&on_disk) {
                    self.add_directory(root, &path, excluded, version)?;
                }
            } else if metadata.is_file() || metadata.is_symlink() {
                let mode = Mode::of_metadata(&metadata);
                self.files.insert(path, Entry { mode, source: Source::Disk(on_disk) });
            }
        }
        Ok(())
    }

    /// The id of the git tree that holds exactly the files of this listing, and the content id of each.
    pub fn key(&self) -> Result<(Oid, BTreeMap<Utf8PathBuf, Oid>), VersionsError> {
        let mut ids = BTreeMap::new();
        for (path, entry) in &self.files {
            let id = match &entry.source {
                Source::Blob(id) => *id,
                Source::Made(content) => blob_id(content, path)?,
                Source::Disk(on_disk) => blob_id(&read_disk(on_disk, entry.mode)?, on_disk)?,
            };
            ids.insert(path.clone(), id);
        }
        let mut root = Directory::default();
        for (path, id) in &ids {
            root.insert(path, self.files[path].mode, *id);
        }
        Ok((root.id()?, ids))
    }

    pub fn holds(&self, path: &Utf8Path) -> bool {
        self.files.contains_key(path)
    }

    /// The content of a file as text, if it is there and is text.
    pub fn text(&self, repository: Option<&Repository>, path: &Utf8Path) -> Option<String> {
        let entry = self.files.get(path)?;
        String::from_utf8(read(repository, entry, path).ok()?).ok()
    }

    /// The submodule that the path lies in.
    pub fn submodule_around(&self, path: &Utf8Path) -> Option<&Utf8PathBuf> {
        self.submodules.iter().chain(&self.nested).find(|submodule| path.starts_with(submodule))
    }
}

/// The content of a file: of a symbolic link, what it points to.
pub fn read(
    repository: Option<&Repository>,
    entry: &Entry,
    path: &Utf8Path,
) -> Result<Vec<u8>, VersionsError> {
    match (&entry.source, repository) {
        (Source::Made(content), _) => Ok(content.clone()),
        (Source::Disk(on_disk), _) => read_disk(on_disk, entry.mode),
        (Source::Blob(id), Some(repository)) => repository
            .find_blob(*id)
            .map(|blob| blob.content().to_vec())
            .map_err(|source| VersionsError::IncompleteCommit { commit: format!("with `{path}`"), source }),
        (Source::Blob(id), None) => Err(VersionsError::IncompleteCommit {
            commit: format!("with `{path}`"),
            source: git2::Error::from_str(&format!("no repository to read {id} from")),
        }),
    }
}

pub fn blob_id(content: &[u8], path: &Utf8Path) -> Result<Oid, VersionsError> {
    Oid::hash_object(ObjectType::Blob, content)
        .map_err(|source| VersionsError::Status { path: path.to_owned(), source })
}

fn read_disk(path: &Utf8Path, mode: Mode) -> Result<Vec<u8>, VersionsError> {
    match mode {
        Mode::Symlink => match path.read_link() {
            Ok(target) => Ok(target.into_os_string().into_encoded_bytes()),
            Err(error) => Err(VersionsError::io("read the symbolic link", path)(error)),
        },
        Mode::Regular | Mode::Executable => fs::read(path).map_err(VersionsError::io("read", path)),
    }
}

/// None if there is no file or link at that place.
fn mode_on_disk(path: &Utf8Path) -> Result<Option<Mode>, VersionsError> {
    match path.symlink_metadata() {
        Ok(metadata) if metadata.is_file() || metadata.is_symlink() => Ok(Some(Mode::of_metadata(&metadata))),
        Ok(_) => Ok(None),
        Err(error)
            if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) =>
        {
            Ok(None)
        }
        Err(error) => Err(VersionsError::io("read the state of", path)(error)),
    }
}

/// Paths of files that git neither tracks nor ignores; of nested repositories, their directory with a slash.
fn untracked(repository: &Repository) -> Result<Vec<Vec<u8>>, git2::Error> {
    let mut options = git2::StatusOptions::new();
    options
        .include_untracked(true)
        .recurse_untracked_dirs(true)
        .include_ignored(false)
        .exclude_submodules(true)
        .update_index(false);
    let statuses = repository.statuses(Some(&mut options))?;
    let new = statuses.iter().filter(|entry| entry.status().contains(git2::Status::WT_NEW));
    Ok(new.map(|entry| entry.path_bytes().to_vec()).collect())
}

/// Remembers which directories carry a cache tag.
#[derive(Default)]
struct CacheDirectories {
    known: BTreeMap<Utf8PathBuf, bool>,
}

impl CacheDirectories {
    fn hold(&mut self, root: &Utf8Path, path: &Utf8Path) -> bool {
        path.ancestors().skip(1).filter(|directory| !directory.as_str().is_empty()).any(|directory| {
            *self
                .known
                .entry(directory.to_owned())
                .or_insert_with(|| is_cache_directory(&root.join(directory)))
        })
    }
}

/// Cargo marks its target directories by the cache directory tagging convention.
fn is_cache_directory(directory: &Utf8Path) -> bool {
    fs::read(directory.join("CACHEDIR.TAG"))
        .is_ok_and(|tag| tag.starts_with(b"Signature: 8a477f597d28d172789f06886806bc55"))
}

fn check_path(path: &Utf8Path, version: &str) -> Result<(), VersionsError> {
    for component in path.components() {
        match component {
            Utf8Component::Normal(name) => check_component(name, path, version)?,
            _ => {
                return Err(VersionsError::UnsafePath {
                    version: version.to_owned(),
                    path: path.to_string(),
                });
            }
        }
    }
    Ok(())
}

/// A hand-made tree may hold names that lead elsewhere; git refuses them too.
fn check_component(name: &str, path: &Utf8Path, version: &str) -> Result<(), VersionsError> {
    let leads_elsewhere = matches!(name, "" | "." | "..")
        || name.contains('/')
        || (cfg!(windows) && name.contains(['\\', ':']))
        || name.eq_ignore_ascii_case(".git");
    if leads_elsewhere {
        return Err(VersionsError::UnsafePath { version: version.to_owned(), path: path.to_string() });
    }
    Ok(())
}

fn join(prefix: &Utf8Path, name: &str) -> Utf8PathBuf {
    if prefix.as_str().is_empty() {
        Utf8PathBuf::from(name)
    } else {
        Utf8PathBuf::from(format!("{prefix}/{name}"))
    }
}

fn join_lossy(prefix: &Utf8Path, name: &[u8]) -> String {
    join(prefix, &String::from_utf8_lossy(name)).into_string()
}

/// A git tree in the making.
#[derive(Default)]
struct Directory<'a> {
    files: BTreeMap<&'a str, (Mode, Oid)>,
    directories: BTreeMap<&'a str, Directory<'a>>,
}

impl<'a> Directory<'a> {
    fn insert(&mut self, path: &'a Utf8Path, mode: Mode, id: Oid) {
        match path.as_str().split_once('/') {
            None => {
                self.files.insert(path.as_str(), (mode, id));
            }
            Some((first, rest)) => {
                self.directories.entry(first).or_default().insert(Utf8Path::new(rest), mode, id);
            }
        }
    }

    fn id(&self) -> Result<Oid, VersionsError> {
        // Git orders a directory as if its name ended in a slash.
        let mut rows: BTreeMap<String, (&str, &str, Oid)> = BTreeMap::new();
        for (name, (mode, id)) in &self.files {
            rows.insert((*name).to_owned(), (mode.git(), name, *id));
        }
        for (name, directory) in &self.directories {
            rows.insert(format!("{name}/"), ("40000", name, directory.id()?));
        }
        let mut bytes = Vec::new();
        for (mode, name, id) in rows.values() {
            bytes.extend_from_slice(format!("{mode} {name}\0").as_bytes());
            bytes.extend_from_slice(id.as_bytes());
        }
        Oid::hash_object(ObjectType::Tree, &bytes)
            .map_err(|source| VersionsError::Status { path: Utf8PathBuf::from("."), source })
    }
}
