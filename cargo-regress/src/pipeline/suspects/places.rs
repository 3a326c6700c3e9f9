//! Lines of the two versions that stand in each other's place.

use std::collections::BTreeMap;

use regress_core::ir::{FileId, Span};
use regress_core::verdict::Version;
use similar::{DiffTag, TextDiff};

use crate::pipeline::load::Loaded;

pub(in crate::pipeline) fn file_name(loaded: &Loaded, version: Version, file: FileId) -> Option<&str> {
    let files = match version {
        Version::Old => &loaded.old.files,
        Version::New => &loaded.new.files,
    };
    files.get(file).map(|file| file.path.as_str())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Text {
    Changed,
    Same,
}

/// A place in both versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    file: String,
    pub at: At,
}

/// A line by the operation of the diff that it is part of, and by its number in it, where both versions have as many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct At {
    operation: usize,
    line: Option<usize>,
    pub text: Text,
}

/// How the lines of the files correspond.
pub(super) struct Texts<'l> {
    loaded: &'l Loaded,
    maps: BTreeMap<String, Option<TextMap>>,
}

/// By line of either version.
struct TextMap {
    old: Vec<At>,
    new: Vec<At>,
}

impl TextMap {
    fn of(old: &str, new: &str) -> TextMap {
        let diff = TextDiff::from_lines(old, new);
        let mut map = TextMap { old: Vec::new(), new: Vec::new() };
        for (operation, op) in diff.ops().iter().enumerate() {
            let text = if op.tag() == DiffTag::Equal { Text::Same } else { Text::Changed };
            let (old, new) = (op.old_range().len(), op.new_range().len());
            let at = |line| At { operation, line: (old == new).then_some(line), text };
            map.old.extend((0..old).map(at));
            map.new.extend((0..new).map(at));
        }
        map
    }

    /// Where a line, counted from 1, is.
    fn at(&self, version: Version, line: u32) -> Option<At> {
        let lines = match version {
            Version::Old => &self.old,
            Version::New => &self.new,
        };
        lines.get((line as usize).checked_sub(1)?).copied()
    }
}

impl<'l> Texts<'l> {
    pub fn new(loaded: &'l Loaded) -> Texts<'l> {
        Texts { loaded, maps: BTreeMap::new() }
    }

    pub fn place(&mut self, version: Version, span: Span) -> Option<Place> {
        let file = file_name(self.loaded, version, span.file)?.to_owned();
        let loaded = self.loaded;
        let map = self.maps.entry(file.clone()).or_insert_with(|| {
            let read = |directory: &camino::Utf8Path| std::fs::read_to_string(directory.join(&file)).ok();
            Some(TextMap::of(&read(&loaded.old.directory)?, &read(&loaded.new.directory)?))
        });
        let at = match map {
            Some(map) => map.at(version, span.line_start)?,
            // A file of one version only is new or gone as a whole.
            None => At { operation: 0, line: Some(span.line_start as usize), text: Text::Changed },
        };
        Some(Place { file, at })
    }

    pub fn text(&mut self, version: Version, span: Span) -> Text {
        self.place(version, span).map_or(Text::Same, |place| place.at.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replaced_line_is_one_place_in_both_versions() {
        let map = TextMap::of("a\nb\nc\n", "a\nx\nc\nd\n");
        let text = |version, line| map.at(version, line).map(|at| at.text);
        assert_eq!(map.at(Version::Old, 2), map.at(Version::New, 2));
        assert_eq!(map.at(Version::Old, 3), map.at(Version::New, 3));
        assert_eq!((text(Version::Old, 2), text(Version::Old, 3)), (Some(Text::Changed), Some(Text::Same)));
        assert_eq!((text(Version::New, 4), text(Version::New, 5)), (Some(Text::Changed), None));
        assert_eq!(map.at(Version::New, 0), None);
        let pair = TextMap::of("a\nb\n", "x\ny\n");
        assert_eq!(pair.at(Version::Old, 2), pair.at(Version::New, 2));
        assert!(pair.at(Version::Old, 1) != pair.at(Version::New, 2));
    }
}
