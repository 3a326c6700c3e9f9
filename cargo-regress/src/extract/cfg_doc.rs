//! Whether a crate asks if it is being documented (`cfg(doc)`).
//!
//! *Idea.* Types are known from what rustdoc says of them, and rustdoc sets `doc`. Whether the types of the build may be others is seen by expanding each crate once more
//! with `doc` set: it must have the same types ([`is_same_but_for_documentation`]). Sources are not searched for the word: a macro of another crate may write it,
//! and files may lie anywhere.

use std::fs;

use camino::Utf8Path;
use mir_frontend::rustc::is_same_but_for_documentation;

use super::error::ExtractError;
use super::request::DumpFile;

/// Whether the crate is another one where `doc` is set, by its source after macros without it and with it. The latter is removed.
pub(super) fn is_another_for_doc(expanded: &DumpFile, for_doc: &DumpFile) -> Result<bool, ExtractError> {
    let read = |path: &Utf8Path| fs::read_to_string(path).map_err(ExtractError::file("read", path));
    let same = match (expanded, for_doc) {
        (DumpFile::Written(expanded), DumpFile::Written(for_doc)) => {
            is_same_but_for_documentation(&read(expanded)?, &read(for_doc)?)
        }
        _ => false,
    };
    let (DumpFile::Written(kept) | DumpFile::Failed { report: kept, .. }) = for_doc;
    fs::remove_file(kept).map_err(ExtractError::file("remove", kept))?;
    Ok(!same)
}
