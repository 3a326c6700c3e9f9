//! Foreign dependencies are built once for both versions.
//!
//! Each version has a build directory of its own, for cargo would take a workspace member of one for that of the other. What comes from
//! registries and git is the same in both, so a directory that is not there yet begins as a copy of its seed, in which the packages of the
//! tree are then forgotten. Cargo's own notes tell whether the rest is as this version needs it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::symlink;

use camino::Utf8Path;
use serde::Deserialize;

/// With fewer foreign packages than this, building both versions at the same time takes less than building one after the other.
const WORTH_WAITING: usize = 8;

/// Whether the version whose lock file this is has so many foreign packages that the other one should wait for them.
pub fn is_worth_waiting(lock_file: &Utf8Path) -> bool {
    foreign_packages(lock_file).len() >= WORTH_WAITING
}

#[derive(Deserialize)]
struct Lock {
    #[serde(default)]
    package: Vec<Locked>,
}

#[derive(Deserialize)]
struct Locked {
    name: String,
    source: Option<String>,
}

/// The names that stand in a lock file for foreign packages only; none if it cannot be read.
pub fn foreign_packages(lock_file: &Utf8Path) -> BTreeSet<String> {
    let lock = fs::read_to_string(lock_file).ok().and_then(|text| toml::from_str::<Lock>(&text).ok());
    let mut is_foreign: BTreeMap<String, bool> = BTreeMap::new();
    for Locked { name, source } in lock.into_iter().flat_map(|lock| lock.package) {
        *is_foreign.entry(name).or_insert(true) &= source.is_some();
    }
    is_foreign.into_iter().filter(|(_, foreign)| *foreign).map(|(name, _)| name).collect()
}

/// Copies what is in a folder of a build, with the times of its files, by which cargo tells old from new. `is_wanted` is asked for each
/// folder within.
pub fn copy_build(from: &Utf8Path, to: &Utf8Path, is_wanted: &dyn Fn(&Utf8Path) -> bool) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in from.read_dir_utf8()? {
        let entry = entry?;
        let (path, kind) = (entry.path(), entry.file_type()?);
        let copy = to.join(entry.file_name());
        if kind.is_symlink() {
            symlink(path.read_link_utf8()?, &copy)?;
        } else if kind.is_dir() {
            if is_wanted(path) {
                copy_build(path, &copy, is_wanted)?;
            }
        } else {
            fs::copy(path, &copy)?;
            let modified = entry.metadata()?.modified()?;
            File::options().append(true).open(&copy)?.set_modified(modified)?;
        }
    }
    Ok(())
}

/// Folders beside each other in which cargo has a folder for each unit: for what it knows of it, and for what build scripts write.
pub const OF_UNITS: [&str; 2] = [".fingerprint", "build"];

/// Is this the name of the folder in which cargo keeps what it knows of a unit of the package: `PACKAGE-HASH`?
pub fn is_unit_of(folder: &str, package: &str) -> bool {
    let hash = folder.strip_prefix(package).and_then(|rest| rest.strip_prefix('-'));
    hash.is_some_and(|hash| hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::*;

    #[test]
    fn folder_of_a_unit() {
        assert!(is_unit_of("foo-0123456789abcdef", "foo"));
        assert!(!is_unit_of("foo-bar-0123456789abcdef", "foo"));
        assert!(is_unit_of("foo-bar-0123456789abcdef", "foo-bar"));
        assert!(!is_unit_of("foobar-0123456789abcdef", "foo"));
        assert!(!is_unit_of("foo", "foo"));
    }

    #[test]
    fn a_name_that_a_member_has_too_is_not_foreign() {
        let folder = tempfile::tempdir().unwrap();
        let lock = Utf8Path::from_path(folder.path()).unwrap().join("Cargo.lock");
        let text = "version = 4\n\
            [[package]]\nname = \"member\"\nversion = \"0.1.0\"\n\
            [[package]]\nname = \"far\"\nversion = \"1.0.0\"\nsource = \"registry+https://example.org\"\n\
            [[package]]\nname = \"both\"\nversion = \"1.0.0\"\nsource = \"registry+https://example.org\"\n\
            [[package]]\nname = \"both\"\nversion = \"0.1.0\"\n";
        fs::write(&lock, text).unwrap();
        assert_eq!(foreign_packages(&lock).into_iter().collect::<Vec<_>>(), ["far"]);
        assert!(foreign_packages(&lock.join("not there")).is_empty());
    }

    #[test]
    fn copies_keep_times_and_leave_out_what_is_not_wanted() {
        let folder = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(folder.path()).unwrap();
        let (from, to) = (folder.join("from"), folder.join("to"));
        fs::create_dir_all(from.join("kept")).unwrap();
        fs::create_dir_all(from.join("left")).unwrap();
        fs::write(from.join("kept/file"), "text").unwrap();
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        File::options().append(true).open(from.join("kept/file")).unwrap().set_modified(time).unwrap();
        copy_build(&from, &to, &|folder| folder.file_name() != Some("left")).unwrap();
        assert_eq!(fs::read_to_string(to.join("kept/file")).unwrap(), "text");
        assert_eq!(fs::metadata(to.join("kept/file")).unwrap().modified().unwrap(), time);
        assert!(!to.join("left").exists());
    }
}
