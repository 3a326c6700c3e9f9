//! Where something stands in the source.

use serde::{Deserialize, Serialize};

crate::define_ids! {
    /// A source file of a [`super::Program`].
    FileId = "file";
}

/// A source file, named as the compiler named it (relative to the package's workspace root where it lies below it).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SourceFile {
    pub path: String,
}

/// A range of source text. Lines and columns count from 1; the end column is exclusive, as rustc prints them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Span {
    pub file: FileId,
    pub line_start: u32,
    pub col_start: u32,
    pub line_end: u32,
    pub col_end: u32,
}
