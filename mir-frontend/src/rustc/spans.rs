//! Source positions: the comments behind statements, and the files they name.

use std::collections::HashMap;

use regress_core::idx::IdxVec;
use regress_core::ir::{FileId, SourceFile, Span};

/// All source files of a program; every file has one id.
#[derive(Debug, Default)]
pub struct Files {
    files: IdxVec<FileId, SourceFile>,
    ids: HashMap<String, FileId>,
    /// Neighbouring statements mostly stand in the same file.
    last: Option<(String, FileId)>,
}

impl From<IdxVec<FileId, SourceFile>> for Files {
    fn from(files: IdxVec<FileId, SourceFile>) -> Files {
        let ids = files.iter_enumerated().map(|(id, file)| (file.path.clone(), id)).collect();
        Files { files, ids, last: None }
    }
}

impl Files {
    pub fn id(&mut self, path: &str) -> FileId {
        if let Some((last, id)) = &self.last
            && last == path
        {
            return *id;
        }
        let id = match self.ids.get(path) {
            Some(id) => *id,
            None => {
                let id = self.files.push(SourceFile { path: path.to_owned() });
                self.ids.insert(path.to_owned(), id);
                id
            }
        };
        self.last = Some((path.to_owned(), id));
        id
    }

    pub fn into_files(self) -> IdxVec<FileId, SourceFile> {
        self.files
    }

    /// The span in a comment `// [in | return place in] scope 1 at src/lib.rs:6:21: 6:30`.
    pub fn span_of_comment(&mut self, comment: &str) -> Option<Span> {
        let text = comment.trim_start().strip_prefix("//")?;
        let (_, place) = text.split_once(" at ")?;
        let (file, [line_start, col_start, line_end, col_end]) = position(place)?;
        Some(Span { file: self.id(file), line_start, col_start, line_end, col_end })
    }
}

/// `file:1:2: 3:4`, perhaps with a syntax context ` (#5)` behind it.
pub fn position(text: &str) -> Option<(&str, [u32; 4])> {
    let text = match text.rfind(" (#") {
        Some(at) => &text[..at],
        None => text,
    };
    let (start, end) = text.trim_end().rsplit_once(": ")?;
    let (line_end, col_end) = end.split_once(':')?;
    let mut parts = start.rsplitn(3, ':');
    let col_start = parts.next()?;
    let line_start = parts.next()?;
    let file = parts.next()?;
    let number = |text: &str| text.parse::<u32>().ok();
    Some((file, [number(line_start)?, number(col_start)?, number(line_end)?, number(col_end)?]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_read_from_the_right() {
        let check = |text: &str, expected: Option<(&str, [u32; 4])>| assert_eq!(position(text), expected);
        check("src/lib.rs:6:21: 6:30", Some(("src/lib.rs", [6, 21, 6, 30])));
        check("/a b: c/l.rs:1:2: 33:4 (#7)", Some(("/a b: c/l.rs", [1, 2, 33, 4])));
        check("src/lib.rs", None);
        check("x:1:2: 3:", None);
    }

    #[test]
    fn comments_of_all_kinds() {
        let mut files = Files::default();
        let lines: Vec<Option<u32>> = [
            "// scope 0 at a.rs:1:1: 1:2",
            "    // return place in scope 0 at a.rs:2:1: 2:2",
            "// in scope 3 at b.rs:3:1: 3:2",
            "// mir::ConstOperand",
        ]
        .iter()
        .map(|comment| files.span_of_comment(comment).map(|span| span.line_start))
        .collect();
        assert_eq!(lines, [Some(1), Some(2), Some(3), None]);
        assert_eq!(files.into_files().len(), 2);
    }
}
