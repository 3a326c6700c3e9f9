//! Expected differences: those that somebody has said are meant.
//!
//! An entry of the file `.config/regress-accepted.toml` covers a call that was seen to differ if all of this holds:
//!
//! * the function has the path that it names,
//! * the difference has its class, and the call ended in both versions in the ways it names ([`ending`]),
//! * the arguments meet its condition, if it has one ([`condition`]),
//! * **the old version does not have the entry itself**: an entry that it has speaks of a difference that came before it.
//!
//! A function's difference is accepted if every call that was seen to differ natively is covered, those that the report does not
//! show too. What was not seen cannot be covered: where the search was not completed, `--fail-on unknown` still fails. Entries
//! that cover nothing, or cannot any more, are stale, and the report says so.
//!
//! * [`entry`]: the file
//! * [`apply`](mod@apply): the file against a report
//! * [`command`]: `cargo regress accept`

mod apply;
pub mod command;
mod condition;
mod ending;
mod entry;

use camino::{Utf8Path, Utf8PathBuf};

pub use entry::{Entry, EntryError, FILE};

use crate::report::Report;
use crate::versions::{Place, VersionTree, Versions};

/// What is accepted in both versions.
#[derive(Clone, Debug, Default)]
pub struct Accepted {
    pub old: Vec<Entry>,
    pub new: Vec<Entry>,
}

impl Accepted {
    /// Marks in the report what is accepted, and names entries that are stale.
    pub fn mark(&self, report: &mut Report) {
        apply::apply(report, self);
    }

    pub fn read(place: &Place, versions: &Versions) -> Result<Accepted, EntryError> {
        let of = |file: Option<Utf8PathBuf>, root: &Utf8Path| match file {
            Some(file) => entry::read(&file, file.strip_prefix(root).unwrap_or(&file).as_str()),
            None => Ok(Vec::new()),
        };
        let old = of(in_tree(&versions.old), &versions.old.root)?;
        let new = match is_at_hand(&versions.new) {
            true => of(at_hand(place), place.workspace_root.as_deref().unwrap_or(place.start.directory()))?,
            false => of(in_tree(&versions.new), &versions.new.root)?,
        };
        Ok(Accepted { old, new })
    }
}

/// Whether the new version is what the user has, in which case the file may have been written a moment ago.
fn is_at_hand(tree: &VersionTree) -> bool {
    tree.oid.is_none() || tree.rev == "HEAD"
}

/// The file of a version: the nearest one from the package upward.
fn in_tree(tree: &VersionTree) -> Option<Utf8PathBuf> {
    let within = tree.package_root.ancestors().take_while(|directory| directory.starts_with(&tree.root));
    within.map(|directory| directory.join(FILE)).find(|file| file.is_file())
}

/// The file that the user has.
fn at_hand(place: &Place) -> Option<Utf8PathBuf> {
    let found = crate::config::nearest_upward(place.start.directory().as_std_path(), FILE)?;
    Utf8PathBuf::from_path_buf(found).ok()
}
