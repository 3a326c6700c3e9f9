//! The lines of the source files of a program, by number.

use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};

use camino::Utf8Path;
use regress_core::ir::{FileId, Program};

/// What [`Program::lines`] holds: of all files that are named relative to this directory.
pub(super) fn lines_of(program: &Program, directory: &Utf8Path) -> BTreeMap<FileId, Vec<u64>> {
    let files = program.files.iter_enumerated();
    let relative = files.filter(|(_, file)| Utf8Path::new(&file.path).is_relative());
    let read = relative.filter_map(|(id, file)| {
        let text = fs::read(directory.join(&file.path)).ok()?;
        Some((id, text.split(|byte| *byte == b'\n').map(number).collect()))
    });
    read.collect()
}

fn number(line: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    line.hash(&mut hasher);
    hasher.finish()
}
