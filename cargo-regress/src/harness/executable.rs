//! The folder of a harness among several processes, and the programs built in it.
//!
//! One build at a time may write to the folder. A program is linked to under a name of its own before the folder is
//! free for the next build, whose functions have other numbers; so a worker that is started again is always the one it was.

use std::fs::{self, File};
use std::sync::atomic::{AtomicU64, Ordering};

use camino::{Utf8Path, Utf8PathBuf};

use super::request::HarnessError;

/// The right to write to the folder. It ends with the value, or with the process.
pub struct FolderLock(#[expect(dead_code, reason = "holds the lock")] File);

/// The right, if no other thread or process builds in the folder now.
pub fn try_lock(folder: &Utf8Path) -> Option<FolderLock> {
    let file = File::create(lock_file(folder)).ok()?;
    file.try_lock().is_ok().then(|| FolderLock(file))
}

fn lock_file(folder: &Utf8Path) -> Utf8PathBuf {
    folder.join("build.lock")
}

/// Waits until no other thread or process builds in the folder.
pub fn lock(folder: &Utf8Path) -> Result<FolderLock, HarnessError> {
    fs::create_dir_all(folder).map_err(HarnessError::io("create", folder))?;
    let path = lock_file(folder);
    let file = File::create(&path).map_err(HarnessError::io("create", &path))?;
    file.lock().map_err(HarnessError::io("lock", &path))?;
    Ok(FolderLock(file))
}

/// A program that stays what it is until nobody needs it.
#[derive(Debug)]
pub struct Executable {
    path: Utf8PathBuf,
    /// Tells other processes that it is needed.
    _needed: File,
}

impl Executable {
    /// Keeps what was built; to be called with the folder locked.
    pub fn keep(built: &Utf8Path, folder: &Utf8Path) -> Result<Executable, HarnessError> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let kept = folder.join("workers");
        fs::create_dir_all(&kept).map_err(HarnessError::io("create", &kept))?;
        remove_abandoned(&kept);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = kept.join(format!("worker-{}-{number}", std::process::id()));
        let _ = fs::remove_file(&path);
        // The linker writes the next program to a new file, so a second name is enough. Where there are none, it is copied.
        if fs::hard_link(built, &path).is_err() {
            fs::copy(built, &path).map_err(HarnessError::io("write", &path))?;
        }
        let needed_path = path.with_extension("needed");
        let needed = File::create(&needed_path).map_err(HarnessError::io("create", &needed_path))?;
        needed.lock().map_err(HarnessError::io("lock", &needed_path))?;
        Ok(Executable { path, _needed: needed })
    }

    pub fn path(&self) -> &Utf8Path {
        &self.path
    }
}

impl Drop for Executable {
    fn drop(&mut self) {
        // What is left behind is removed by the next build.
        let _ = fs::remove_file(&self.path);
        let _ = fs::remove_file(self.path.with_extension("needed"));
    }
}

/// Removes what processes left behind that did not end by themselves.
fn remove_abandoned(kept: &Utf8Path) {
    let Ok(entries) = kept.read_dir_utf8() else { return };
    for entry in entries.filter_map(Result::ok) {
        let path = entry.path();
        if path.extension() == Some("needed") && File::open(path).is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = fs::remove_file(path.with_extension(""));
            let _ = fs::remove_file(path);
        }
    }
}
