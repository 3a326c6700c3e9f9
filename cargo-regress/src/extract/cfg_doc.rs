//! Whether a crate asks if it is being documented (`cfg(doc)`).
//!
//! *Idea.* Types are known from what rustdoc says of them, and rustdoc sets `doc`. Whether the types of the build may be others is seen by expanding the crate once more
//! with `doc` set: it must have the same types ([`is_same_but_for_documentation`]).
//!
//! That is done where the word stands in a file of the package at all, or a procedural macro might write it.

use std::fs;
use std::io;

use camino::Utf8Path;
use mir_frontend::rustc::is_same_but_for_documentation;
use mir_frontend::rustc::replay::MirView;

use super::dump::{Replay, View, dump};
use super::error::ExtractError;
use super::request::DumpFile;
use super::toolchain::Toolchain;

/// Folders that hold no sources of the library.
const OTHERS: [&str; 2] = ["target", ".git"];
/// Folders nested deeper than this are not looked into, and taken to hold the word.
const MAX_DEPTH: usize = 16;

/// Whether the crate is another one where `doc` is set. `expanded` is its source without that; `folder` is for files that are not kept.
pub(super) fn asks_for_doc(
    replay: &Replay<'_>,
    expanded: &DumpFile,
    toolchain: &Toolchain,
    folder: &Utf8Path,
) -> Result<bool, ExtractError> {
    if !uses_procedural_macros(replay.arguments) && !may_ask_within(replay.package, 0) {
        return Ok(false);
    }
    let DumpFile::Written(expanded) = expanded else { return Ok(true) };
    let other = dump(replay, View::Mir(MirView::ExpandedForDoc), toolchain, folder)?;
    let same = match &other {
        DumpFile::Written(other) => {
            let read = |path: &Utf8Path| fs::read_to_string(path).map_err(ExtractError::file("read", path));
            is_same_but_for_documentation(&read(expanded)?, &read(other)?)
        }
        DumpFile::Failed { .. } => false,
    };
    let (DumpFile::Written(kept) | DumpFile::Failed { report: kept, .. }) = &other;
    fs::remove_file(kept).map_err(ExtractError::file("remove", kept))?;
    Ok(!same)
}

fn uses_procedural_macros(arguments: &[String]) -> bool {
    let libraries = [".so", ".dylib", ".dll"];
    arguments.iter().any(|argument| libraries.iter().any(|end| argument.ends_with(end)))
}

/// What cannot be read may hold anything.
fn may_ask_within(folder: &Utf8Path, depth: usize) -> bool {
    let Ok(entries) = folder.read_dir_utf8() else { return true };
    entries.flatten().any(|entry| match entry.file_type() {
        Ok(kind) if kind.is_dir() => {
            !OTHERS.contains(&entry.file_name())
                && (depth >= MAX_DEPTH || may_ask_within(entry.path(), depth + 1))
        }
        Ok(_) => match fs::read_to_string(entry.path()) {
            Ok(text) => may_ask(&text),
            Err(error) => error.kind() != io::ErrorKind::InvalidData,
        },
        Err(_) => true,
    })
}

/// Whether the text has the word by itself, on a line that is no comment, and not as the attribute (`doc = "…"`, `doc(…)`).
fn may_ask(text: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let mut words =
        lines.flat_map(|line| line.match_indices("doc").map(move |(at, word)| (line, at, word.len())));
    words.any(|(line, at, len)| {
        let rest = &line[at + len..];
        let is_attribute = || ['(', '='].iter().any(|c| rest.trim_start().starts_with(*c));
        !line[..at].ends_with(is_name) && !rest.starts_with(is_name) && !is_attribute()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: bool) {
        assert_eq!(may_ask(text), expected, "{text}");
    }

    #[test]
    fn the_word_by_itself_may_be_a_condition() {
        check("#[cfg(doc)] type W = u8;", true);
        check("#[cfg( any(unix, doc) )]", true);
        check("if cfg!(doc) { 1 }", true);
        check("only_if!(doc, type W = u8;);", true);
        check("#[cfg(r#doc)]", true);
        check("#[cfg_attr(doc, path = \"other.rs\")]", true);
        check("#[cfg(docsrs)] #[cfg(doctest)] #[doc(hidden)] #[doc = \"text\"]", false);
        check("// cfg(doc)\n/// doc\nfn document() {}", false);
    }
}
