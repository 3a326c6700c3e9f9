//! Target directories that runs of the command share, one run at a time each: what is compiled for all workers is compiled once, not
//! once for every test. Only that outlasts the test's process.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::command::target_directory;

/// A directory that no other run uses until this is dropped.
#[derive(Debug)]
pub struct SharedTarget {
    path: PathBuf,
    _lock: File,
}

impl SharedTarget {
    /// The first directory that is free.
    pub fn take() -> SharedTarget {
        let home = target_directory().join("regress-tests");
        fs::create_dir_all(&home).unwrap_or_else(|error| panic!("{}: {error}", home.display()));
        (0u32..).find_map(|number| try_take(&home, number)).expect("some number is free")
    }

    /// As an argument of the command.
    pub fn text(&self) -> &str {
        self.path.to_str().expect("the target directory's path is UTF-8")
    }
}

fn try_take(home: &Path, number: u32) -> Option<SharedTarget> {
    let lock_file = home.join(format!("{number}.lock"));
    let lock = File::create(&lock_file).unwrap_or_else(|error| panic!("{}: {error}", lock_file.display()));
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return None,
        Err(TryLockError::Error(error)) => panic!("{}: {error}", lock_file.display()),
    }
    let path = home.join(number.to_string());
    if is_first_use(number) {
        // What an earlier process built belongs to repositories that are gone.
        forget_runs(&path);
    }
    Some(SharedTarget { path, _lock: lock })
}

fn is_first_use(number: u32) -> bool {
    static USED: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());
    // A test that panicked with the lock held left the set whole.
    USED.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(number)
}

/// Removes what runs have left in a target directory, but for what does not depend on the versions.
pub fn forget_runs(path: &Path) {
    for folder in ["build", "harness", "localize", "reports", "test-calls", "trees", "cache/dumps"] {
        let folder = path.join("regress").join(folder);
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_runs_have_one_directory_at_the_same_time() {
        let (first, second) = (SharedTarget::take(), SharedTarget::take());
        assert_ne!(first.text(), second.text());
    }
}
