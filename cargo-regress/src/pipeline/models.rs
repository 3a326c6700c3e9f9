//! The models of the standard library, linked once for each toolchain and each build of this program, for all target directories.

use anyhow::Context;
use camino::{Utf8Path, Utf8PathBuf};
use mir_frontend::rustc::Library;
use mir_frontend::std_models::SOURCES;

use super::Session;
use super::load::Texts;
use crate::extract::{Key, file_stamp, prune_files, std_models_dump, touch, write_atomically};
use crate::user_cache;

/// Linked models that are kept, of other toolchains and other builds of this program.
const KEPT_LIBRARIES: usize = 4;

impl Session<'_> {
    /// The models, ready to be put below the crates of a version.
    pub(super) fn models(&self) -> anyhow::Result<Library> {
        let cache = user_cache::folder_or(&self.home.join("cache"));
        let dump = std_models_dump(SOURCES, &self.toolchain, &cache, self.progress)?;
        let kept = program_stamp().map(|stamp| {
            let key = Key::new("library").with(dump.manifest_dir.as_str()).with(&stamp).finish();
            cache.join("libraries").join(key)
        });
        if let Some(library) = kept.as_deref().and_then(kept_library) {
            return Ok(library);
        }
        let texts = Texts::of_models(&dump)?;
        let library = Library::link(&[texts.dump()])?;
        if let Some(path) = kept {
            // What cannot be kept is linked anew in the next run.
            let _ = keep_library(&library, &path, KEPT_LIBRARIES);
        }
        Ok(library)
    }
}

/// None if there is none, or none that can be used: it will be written anew.
pub(super) fn kept_library(path: &Utf8Path) -> Option<Library> {
    let library = Library::from_bytes(std::fs::read(path).ok()?).ok()?;
    touch(path);
    Some(library)
}

/// Keeps so many libraries beside each other, those that were used last.
pub(super) fn keep_library(library: &Library, path: &Utf8Path, count: usize) -> anyhow::Result<()> {
    let folder = path.parent().context("a file lies in a folder")?;
    std::fs::create_dir_all(folder)?;
    write_atomically(path, &library.to_bytes()?)?;
    prune_files(folder, count);
    Ok(())
}

/// Tells builds of this program apart. None if that cannot be found out.
pub(super) fn program_stamp() -> Option<String> {
    file_stamp(&Utf8PathBuf::try_from(std::env::current_exe().ok()?).ok()?)
}
