//! What depends on the toolchain and on this program alone: the models of the standard library, dumped and linked.
//!
//! It takes seconds to make, so it is kept once for a user, not in each target directory. Its keys name all that it depends on.

use std::env;

use camino::{Utf8Path, Utf8PathBuf};
use etcetera::BaseStrategy;

/// Names another folder.
pub const VARIABLE: &str = "CARGO_REGRESS_CACHE_DIR";

/// The folder that all target directories share: what [`VARIABLE`] names, or `cargo-regress` where the system has caches of programs. None if
/// there is no such place.
pub fn folder() -> Option<Utf8PathBuf> {
    let named = env::var(VARIABLE).ok().filter(|name| !name.is_empty()).map(Utf8PathBuf::from);
    named.or_else(usual).and_then(|folder| camino::absolute_utf8(folder).ok())
}

fn usual() -> Option<Utf8PathBuf> {
    let caches = etcetera::choose_base_strategy().ok()?.cache_dir();
    Some(Utf8PathBuf::from_path_buf(caches).ok()?.join("cargo-regress"))
}

/// That folder, or `otherwise` if nothing can be written to it.
pub fn folder_or(otherwise: &Utf8Path) -> Utf8PathBuf {
    folder().filter(|folder| is_usable(folder)).unwrap_or_else(|| otherwise.to_owned())
}

/// Whether files can be made there, and locked, which not every file system can.
fn is_usable(folder: &Utf8Path) -> bool {
    let made = std::fs::create_dir_all(folder).and_then(|()| tempfile::tempfile_in(folder));
    made.is_ok_and(|file| file.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_cannot_be_made_is_not_used() {
        let place = tempfile::tempdir().unwrap();
        let place = Utf8Path::from_path(place.path()).unwrap();
        assert!(is_usable(&place.join("new/folder")));
        std::fs::write(place.join("file"), "").unwrap();
        assert!(!is_usable(&place.join("file")));
        assert!(!is_usable(&place.join("file/folder")));
    }

    #[test]
    fn a_user_has_a_folder() {
        assert!(folder().is_none_or(|folder| folder.is_absolute()));
    }
}
