//! Keys of dumps, and files that are either whole or not there.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::time::{Duration, SystemTime};

use camino::{Utf8Path, Utf8PathBuf};
use git2::{ObjectType, Oid};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::ExtractError;
use crate::progress::Progress;
use crate::standing::Standing;

/// Raised whenever the recipe of the dumps or the shape of the metadata changes.
const DUMP_FORMAT: u32 = 4;

/// Environment that changes what cargo and rustc do with the same tree.
const RELEVANT_VARIABLES: &[&str] = &["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "RUSTC_BOOTSTRAP"];
const RELEVANT_PREFIXES: &[&str] = &["CARGO_BUILD_", "CARGO_PROFILE_", "CARGO_TARGET_", "CARGO_UNSTABLE_"];

/// Collects what a dump depends on. A collision would show the dumps of one version as those of another, hence a
/// cryptographic hash over parts that are delimited by their lengths.
pub(crate) struct Key(String);

impl Key {
    pub(crate) fn new(kind: &str) -> Key {
        Key(String::new()).with(kind).with(env!("CARGO_PKG_VERSION")).with(&DUMP_FORMAT.to_string())
    }

    pub(crate) fn with(mut self, part: &str) -> Key {
        self.0.push_str(&format!("{}:{part};", part.len()));
        self
    }

    pub(crate) fn with_json(self, part: &impl Serialize) -> Key {
        // Our own structs of strings, numbers and enums always serialise.
        let text = serde_json::to_string(part).unwrap_or_else(|error| format!("unserialisable: {error}"));
        self.with(&text)
    }

    /// Adds the environment and the configuration files by which cargo is steered from outside of the tree.
    pub(crate) fn with_surroundings(mut self, root: &Utf8Path, above: Option<&Utf8Path>) -> Key {
        let mut variables: Vec<(String, String)> = std::env::vars_os()
            .map(|(name, value)| (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned()))
            .filter(|(name, _)| is_relevant(name))
            .collect();
        variables.sort();
        for (name, value) in variables {
            self = self.with(&name).with(&value);
        }
        let home = std::env::var("CARGO_HOME").map(Utf8PathBuf::from).ok();
        let home =
            home.or_else(|| std::env::var("HOME").map(|home| Utf8PathBuf::from(home).join(".cargo")).ok());
        let above = Standing::looked_at(root, above).map(|folder| folder.join(".cargo"));
        for folder in above.chain(home) {
            for name in ["config", "config.toml"] {
                self = self.with_configuration(&folder.join(name), INCLUDED_WITHIN);
            }
        }
        self
    }

    /// Adds a file of cargo's configuration, if it is there, and what it includes.
    fn with_configuration(self, file: &Utf8Path, depth: usize) -> Key {
        let Ok(text) = fs::read_to_string(file) else { return self };
        let folder = file.parent().unwrap_or(file);
        let key = self.with(folder.as_str()).with(&text);
        let included = if depth == 0 { Vec::new() } else { included_by(&text) };
        included.iter().fold(key, |key, path| key.with_configuration(&folder.join(path), depth - 1))
    }

    pub(crate) fn finish(self) -> String {
        match Oid::hash_object(ObjectType::Blob, self.0.as_bytes()) {
            Ok(oid) => oid.to_string(),
            // Only if libgit2 cannot allocate; a key that never matches is safe.
            Err(_) => {
                format!("{}-{:?}", std::process::id(), std::time::SystemTime::now()).replace([' ', ':'], "")
            }
        }
    }
}

/// How deep files of the configuration may include one another; cargo refuses those that never end.
const INCLUDED_WITHIN: usize = 16;

/// The files that a file of cargo's configuration includes: `include = "FILE"`, a list of such, or of tables with a `path`.
fn included_by(text: &str) -> Vec<String> {
    let Ok(Some(included)) = text.parse::<toml::Table>().map(|mut table| table.remove("include")) else {
        return Vec::new();
    };
    let all = match included {
        toml::Value::Array(all) => all,
        one => vec![one],
    };
    let path = |one: toml::Value| match one {
        toml::Value::String(path) => Some(path),
        other => other.get("path").and_then(toml::Value::as_str).map(str::to_owned),
    };
    all.into_iter().filter_map(path).collect()
}

fn is_relevant(name: &str) -> bool {
    RELEVANT_VARIABLES.contains(&name)
        || (RELEVANT_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
            && !["CARGO_TARGET_DIR", "CARGO_TARGET_TMPDIR"].contains(&name))
}

/// Tells files of one name apart that were written at different times. None if there is no such file.
pub(crate) fn file_stamp(file: &Utf8Path) -> Option<String> {
    let metadata = fs::metadata(file).ok()?;
    let written = metadata.modified().ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    Some(format!("{} {}", metadata.len(), written.as_nanos()))
}

/// The right to fill one folder of the cache or one target directory. It ends with the value, or with the process.
pub(super) struct FolderLock(#[expect(dead_code, reason = "holds the lock")] File);

/// The lock, if no other thread or process fills the folder now.
pub(super) fn try_lock_folder(folder: &Utf8Path) -> Option<FolderLock> {
    let file = File::create(lock_file(folder)).ok()?;
    file.try_lock().is_ok().then(|| FolderLock(file))
}

fn lock_file(folder: &Utf8Path) -> Utf8PathBuf {
    Utf8PathBuf::from(format!("{folder}.lock"))
}

/// Waits until no other thread or process fills the folder.
pub(super) fn lock_folder(folder: &Utf8Path, progress: &dyn Progress) -> Result<FolderLock, ExtractError> {
    let path = lock_file(folder);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(ExtractError::file("create", parent))?;
    }
    let file = File::create(&path).map_err(ExtractError::file("create", &path))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            progress.step("waiting for another `cargo regress` to finish");
            file.lock().map_err(ExtractError::file("lock", &path))?;
        }
        Err(TryLockError::Error(source)) => return Err(ExtractError::file("lock", &path)(source)),
    }
    Ok(FolderLock(file))
}

/// A folder of the cache that is filled under another name and appears when all is written.
///
/// Dropped before [`PendingFolder::publish`], it is removed. A killed process leaves one behind, under a name that is
/// never read; the next one for the same key removes it. Only the holder of the folder's lock may have one.
pub(super) struct PendingFolder {
    pub(super) path: Utf8PathBuf,
    destination: Utf8PathBuf,
}

impl PendingFolder {
    pub(super) fn create(destination: &Utf8Path) -> Result<PendingFolder, ExtractError> {
        let parent = destination.parent().unwrap_or(Utf8Path::new("."));
        let name = destination.file_name().unwrap_or("dump");
        fs::create_dir_all(parent).map_err(ExtractError::file("create", parent))?;
        let path = parent.join(format!(".{name}.tmp"));
        remove_folder(&path)?;
        fs::create_dir(&path).map_err(ExtractError::file("create", &path))?;
        Ok(PendingFolder { path, destination: destination.to_owned() })
    }

    /// Makes the folder visible, in place of what is there.
    pub(super) fn publish(self) -> Result<(), ExtractError> {
        write_json(&self.path.join(LENGTHS_FILE), &lengths_in(&self.path))?;
        remove_folder(&self.destination)?;
        fs::rename(&self.path, &self.destination).map_err(ExtractError::file("rename", &self.path))
    }
}

/// The lengths of the files in a folder when it became visible. A file of another length was cut, by a full disk or the end of the power.
const LENGTHS_FILE: &str = "lengths.json";

fn lengths_in(folder: &Utf8Path) -> BTreeMap<String, u64> {
    let entries = folder.read_dir_utf8().into_iter().flatten().flatten();
    let length = |entry: camino::Utf8DirEntry| {
        let metadata = entry.metadata().ok().filter(fs::Metadata::is_file)?;
        Some((entry.file_name().to_owned(), metadata.len()))
    };
    entries.filter_map(length).collect()
}

/// Whether the files of a folder that was published are as long as they were.
pub(super) fn is_whole(folder: &Utf8Path) -> bool {
    let Ok(Some(lengths)) = read_json::<BTreeMap<String, u64>>(&folder.join(LENGTHS_FILE)) else {
        return false;
    };
    let is_as_it_was = |(file, length): (&String, &u64)| {
        fs::metadata(folder.join(file)).is_ok_and(|file| file.len() == *length)
    };
    lengths.iter().all(is_as_it_was)
}

impl Drop for PendingFolder {
    fn drop(&mut self) {
        // Already renamed, or of no use to anybody.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// What a folder of the cache holds: as `load` finds it there, or as `fill` writes it into another folder, which then takes its name. `file`
/// completes the folder; folders beside it that were not used for long are removed.
pub(super) fn load_or_fill<T>(
    folder: &Utf8Path,
    file: &str,
    progress: &dyn Progress,
    load: impl Fn() -> Option<T>,
    fill: impl FnOnce(&Utf8Path) -> Result<T, ExtractError>,
) -> Result<T, ExtractError> {
    let found = || is_whole(folder).then(&load).flatten().inspect(|_| touch(&folder.join(file)));
    if let Some(found) = found() {
        return Ok(found);
    }
    let _filling = lock_folder(folder, progress)?;
    // Another process may have done it while this one waited for the lock.
    if let Some(found) = found() {
        return Ok(found);
    }
    let pending = PendingFolder::create(folder)?;
    let filled = fill(&pending.path)?;
    pending.publish()?;
    if let Some(parent) = folder.parent() {
        prune(parent, file);
    }
    Ok(filled)
}

/// How many folders of dumps are kept whatever their age: every edit of the working tree makes one.
const KEPT_FOLDERS: usize = 24;
/// Younger folders are kept in any case; another process may be reading them.
const KEPT_FOR: Duration = Duration::from_secs(3 * 24 * 60 * 60);

/// Notes that the folder completed by `file` was used.
pub(crate) fn touch(file: &Utf8Path) {
    // Without the note the folder only looks older than it is.
    if let Ok(file) = File::options().write(true).open(file) {
        let _ = file.set_modified(SystemTime::now());
    }
}

/// Removes the folders below `parent` that were not used for long, going by the age of the file that completes them.
pub(super) fn prune(parent: &Utf8Path, file: &str) {
    let now = SystemTime::now();
    let age = |folder: &Utf8Path| {
        let used = fs::metadata(folder.join(file)).and_then(|metadata| metadata.modified()).ok()?;
        now.duration_since(used).ok()
    };
    let entries = parent.read_dir_utf8().into_iter().flatten().flatten();
    let mut folders: Vec<(Duration, Utf8PathBuf)> =
        entries.filter_map(|entry| Some((age(entry.path())?, entry.into_path()))).collect();
    folders.sort();
    for (age, folder) in folders.into_iter().skip(KEPT_FOLDERS) {
        if age > KEPT_FOR {
            // What cannot be removed now is tried again next time. The file goes first, so that nobody takes a folder
            // for complete of which half is gone.
            let _ = fs::remove_file(folder.join(file));
            let _ = fs::remove_dir_all(&folder);
            let _ = fs::remove_file(lock_file(&folder));
        }
    }
}

/// Removes all but the `kept` files of a folder that were used last.
pub(crate) fn prune_files(folder: &Utf8Path, kept: usize) {
    let entries = folder.read_dir_utf8().into_iter().flatten().flatten();
    let mut files: Vec<(SystemTime, Utf8PathBuf)> = entries
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.into_path())))
        .collect();
    files.sort();
    let surplus = files.len().saturating_sub(kept);
    for (_, file) in files.into_iter().take(surplus) {
        // Another process may have removed it; what cannot be removed now is tried again next time.
        let _ = fs::remove_file(file);
    }
}

pub(super) fn remove_folder(path: &Utf8Path) -> Result<(), ExtractError> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        result => result.map_err(ExtractError::file("remove", path)),
    }
}

/// Writes a file under another name first, so that it is either whole or as it was.
pub(crate) fn write_atomically(path: &Utf8Path, contents: &[u8]) -> Result<(), ExtractError> {
    let pending = Utf8PathBuf::from(format!("{path}.{}.tmp", std::process::id()));
    fs::write(&pending, contents).map_err(ExtractError::file("write", &pending))?;
    fs::rename(&pending, path).map_err(ExtractError::file("rename", &pending))
}

pub(crate) fn write_json(path: &Utf8Path, value: &impl Serialize) -> Result<(), ExtractError> {
    let text = serde_json::to_vec(value)
        .map_err(|error| ExtractError::Malformed { path: path.to_owned(), message: error.to_string() })?;
    write_atomically(path, &text)
}

/// Reads JSON written by [`write_json`]; `None` if there is no such file.
pub(crate) fn read_json<T: DeserializeOwned>(path: &Utf8Path) -> Result<Option<T>, ExtractError> {
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(ExtractError::file("read", path)(source)),
    };
    serde_json::from_slice(&text)
        .map(Some)
        .map_err(|error| ExtractError::Malformed { path: path.to_owned(), message: error.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_key_do_not_run_together() {
        let key = |parts: [&str; 2]| Key::new("test").with(parts[0]).with(parts[1]).finish();
        assert_eq!(key(["a", "b"]), key(["a", "b"]));
        assert_ne!(key(["ab", ""]), key(["a", "b"]));
        assert_ne!(key(["a;1:b", ""]), key(["a", "b"]));
    }

    #[test]
    fn what_a_configuration_includes_is_part_of_it() {
        let home = tempfile::tempdir().unwrap();
        let home = Utf8Path::from_path(home.path()).unwrap();
        let key = || Key::new("test").with_configuration(&home.join("config.toml"), 2).finish();
        fs::write(
            home.join("config.toml"),
            "include = [\"a.toml\", { path = \"b.toml\", optional = true }]\n",
        )
        .unwrap();
        let mut keys = vec![key()];
        for (name, text) in
            [("a.toml", "include = \"c.toml\"\n"), ("b.toml", "x = 1\n"), ("c.toml", "x = 2\n")]
        {
            fs::write(home.join(name), text).unwrap();
            keys.push(key());
        }
        keys.dedup();
        assert_eq!(keys.len(), 4);
        fs::write(home.join("unseen.toml"), "").unwrap();
        assert_eq!(keys.last(), Some(&key()));
    }

    #[test]
    fn old_folders_beyond_the_newest_are_removed() {
        let parent = tempfile::tempdir().unwrap();
        let parent = Utf8Path::from_path(parent.path()).unwrap();
        let make = |name: &str, age: Duration| {
            fs::create_dir(parent.join(name)).unwrap();
            let file = File::create(parent.join(name).join("whole")).unwrap();
            file.set_modified(SystemTime::now() - age).unwrap();
        };
        let day = Duration::from_secs(24 * 60 * 60);
        (0..KEPT_FOLDERS - 1).for_each(|number| make(&format!("young{number}"), day));
        make("old-but-among-the-newest", day * 5);
        make("old", day * 6);
        make("older-but-used", day * 7);
        touch(&parent.join("older-but-used/whole"));
        fs::create_dir(parent.join("not-a-dump")).unwrap();
        prune(parent, "whole");
        assert!(!parent.join("old").exists());
        // The one in use pushed another out of the newest.
        assert!(!parent.join("old-but-among-the-newest").exists());
        assert!(parent.join("older-but-used").exists() && parent.join("not-a-dump").exists());
        assert!((0..KEPT_FOLDERS - 1).all(|number| parent.join(format!("young{number}")).exists()));
    }

    #[test]
    fn files_beyond_a_number_go_and_the_last_used_stay() {
        let folder = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(folder.path()).unwrap();
        for (name, age) in [("a", 5), ("b", 1), ("c", 9), ("d", 3)] {
            let file = File::create(folder.join(name)).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
        }
        touch(&folder.join("c"));
        prune_files(folder, 2);
        let left = ["a", "b", "c", "d"].map(|name| folder.join(name).exists());
        assert_eq!(left, [false, true, true, false]);
    }

    #[test]
    fn pending_folder_replaces_and_cleans_up() {
        let parent = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(parent.path()).unwrap().join("dump");
        let fill = |text: &str| {
            let pending = PendingFolder::create(&folder).unwrap();
            fs::write(pending.path.join("file"), text).unwrap();
            pending
        };
        drop(fill("given up"));
        assert!(!folder.exists());
        fill("first").publish().unwrap();
        fill("second").publish().unwrap();
        assert_eq!(fs::read_to_string(folder.join("file")).unwrap(), "second");
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 1);
    }
}
