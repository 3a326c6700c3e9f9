//! The text that spans refer to.

use std::collections::HashMap;
use std::sync::Mutex;

use camino::Utf8PathBuf;
use regress_core::verdict::Version;

/// Gives the text of source files; none if a file is not there or is not text.
pub trait Sources: Send {
    fn text(&self, version: Version, file: &str) -> Option<String>;
}

/// A report, and where its spans are to be read.
pub struct WithSources<R> {
    pub report: R,
    pub sources: Box<dyn Sources>,
}

/// Reads from the two trees on disk, each file once.
pub struct TreeSources {
    old: Utf8PathBuf,
    new: Utf8PathBuf,
    seen: Mutex<HashMap<(Version, String), Option<String>>>,
}

impl TreeSources {
    /// The directories that the file names of spans are relative to.
    pub fn new(old: Utf8PathBuf, new: Utf8PathBuf) -> Self {
        TreeSources { old, new, seen: Mutex::default() }
    }
}

impl Sources for TreeSources {
    fn text(&self, version: Version, file: &str) -> Option<String> {
        let base = match version {
            Version::Old => &self.old,
            Version::New => &self.new,
        };
        let mut seen = self.seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        seen.entry((version, file.to_owned()))
            .or_insert_with(|| std::fs::read_to_string(base.join(file)).ok())
            .clone()
    }
}
