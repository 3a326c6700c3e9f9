//! What is said at the end of a run.
//!
//! * this file: the [`Report`], every function with its verdict, in one order
//! * [`outside`]: what public callers show of a difference in a private function
//! * [`acceptance`]: whether a difference is meant
//! * [`finding`]: kinds of findings, with stable ids
//! * [`human`]: for people, in the look of rustc, where one cause is shown once ([`one_cause`]); [`short`]: a line for each finding
//! * [`json`]: for programs, one versioned document
//! * [`sarif`], [`junit`]: for tools that read these formats
//! * [`cargo_json`]: for editors and watchers that read what cargo writes
//! * [`github`], [`markdown`]: annotations and a summary for GitHub Actions
//! * [`html`]: a page for the browser, with [`pictures`] of where functions differ and which run which
//! * [`harness`]: what calls both versions, for other tools
//! * [`list`](mod@list): functions and how each changed, before any is executed
//! * [`affected`]: the tests that a change can affect
//! * [`localize`](mod@localize): the lines behind a failing call or test
//! * [`merge`]: what a merge does that neither branch does
//! * [`standing`]: what a verdict amounts to, from which order, counts and exit code follow
//! * [`paths`]: how functions are named
//! * [`wording`]: values of the analysis in words; [`reasons`]: why something was not done
//! * [`sources`]: the text that spans refer to
//!
//! Invariant: rendering is a function of the report and the sources; nothing is decided anew.

pub mod acceptance;
pub mod affected;
pub mod bisect;
pub mod cargo_json;
pub mod finding;
mod first_difference;
pub mod github;
pub mod harness;
pub mod html;
pub mod human;
pub mod interaction;
pub mod json;
pub mod junit;
pub mod list;
pub mod localize;
pub mod markdown;
pub mod merge;
mod note;
mod one_cause;
pub mod outside;
pub mod paths;
pub mod pictures;
pub mod reasons;
pub mod sarif;
pub mod short;
pub mod signature;
pub mod sources;
pub mod standing;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
pub mod wording;

use std::sync::Arc;
use std::time::Duration;

use regress_core::idx::IdxVec;
use regress_core::ir::{FileId, SourceFile, Span};
use regress_core::verdict::{ChangeKind, ProofStrength, Verdict, Version, Witness};

use serde::{Deserialize, Serialize};

use crate::stats::Stats;
use crate::versions::{VersionTree, Versions};
pub use acceptance::{Acceptance, AcceptedBy, StaleEntry};
pub use finding::Finding;
use harness::EmittedHarness;
pub use note::{About, Arithmetic, Note};
pub use outside::{Cause, PublicCaller, SeenFromOutside};
use pictures::Pictures;
pub use sources::{Sources, TreeSources, WithSources};
pub use standing::{Counts, Standing, exit_code};

/// The outcome of a run.
#[derive(Clone, Debug)]
pub struct Report {
    pub old: VersionInfo,
    pub new: VersionInfo,
    /// Every function of either version; see [`Report::sort`].
    pub functions: Vec<FunctionReport>,
    /// What read the programs: `rustc 1.95.0`, `Charon 0.1.240`.
    pub front_end: Option<String>,
    /// What holds for the whole run: files left out, features missing, ….
    pub notes: Vec<String>,
    /// Functions of which more would be known had the time for the whole run sufficed.
    pub unfinished: Vec<String>,
    /// Entries for expected differences that cover nothing, or cannot any more.
    pub stale: Vec<StaleEntry>,
    pub duration: Duration,
    /// Where the directory that file names are relative to is in the repository; empty if it is the repository's own.
    pub directory: String,
    /// For the page; empty if none is asked for.
    pub pictures: Pictures,
    pub stats: Stats,
    /// Tests of the differences; empty if none are asked for.
    pub tests: Vec<EmittedTests>,
    /// What calls both versions.
    pub harness: EmittedHarness,
}

/// The tests of one function that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EmittedTests {
    /// An identifier; no two are the same.
    pub name: String,
    /// A module of tests as Rust source.
    pub text: String,
    /// How many tests are in it.
    pub tests: usize,
    /// Inputs as a fuzzer takes them.
    pub corpus: Vec<Vec<u8>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionInfo {
    /// As the user named it.
    pub rev: String,
    /// The commit, if it is one.
    pub oid: Option<String>,
    /// For people: revision, id and subject.
    pub label: String,
}

impl From<&VersionTree> for VersionInfo {
    fn from(tree: &VersionTree) -> Self {
        VersionInfo { rev: tree.rev.clone(), oid: tree.oid.clone(), label: tree.label.clone() }
    }
}

/// One function, matched between the versions.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FunctionReport {
    /// Canonical, without the crate's name where only one crate is compared.
    pub path: String,
    /// The same with the crate's name in any case.
    pub canonical: String,
    pub kind: ChangeKind,
    pub verdict: Verdict,
    /// Calls on which the versions were seen to differ too, beyond those in the verdict.
    pub unshown: Vec<Witness>,
    /// Whether the difference is meant.
    #[serde(skip)]
    pub acceptance: Acceptance,
    pub old_span: Option<ReportSpan>,
    pub new_span: Option<ReportSpan>,
    /// Lines of changed statements.
    pub changed_lines: ChangedLines,
    /// Files that spans within the verdict refer to.
    #[serde(skip)]
    pub files: Files,
    /// For a difference in a private function: what its public callers show of it.
    pub outside: SeenFromOutside,
    /// Whether the time for the whole run sufficed for it.
    pub reach: Reach,
    /// What else there is to say.
    pub notes: Vec<Note>,
}

/// How far a run came with a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reach {
    /// As far as it could.
    #[default]
    Through,
    /// The time for the whole run was over before its turn, or before the search for a difference had ended.
    OutOfTime,
}

/// Whole lines of a file, counted from 1, both ends included. `file` is relative to the directory that sources are
/// read from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportSpan {
    pub file: String,
    pub line_start: u32,
    pub line_end: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedLines {
    pub old: Vec<u32>,
    pub new: Vec<u32>,
}

impl ChangedLines {
    pub fn of(&self, version: Version) -> &[u32] {
        match version {
            Version::Old => &self.old,
            Version::New => &self.new,
        }
    }
}

/// The file tables of the two programs.
#[derive(Clone, Debug, Default)]
pub struct Files {
    pub old: Arc<IdxVec<FileId, SourceFile>>,
    pub new: Arc<IdxVec<FileId, SourceFile>>,
}

impl Files {
    pub fn name(&self, version: Version, file: FileId) -> Option<&str> {
        let files = match version {
            Version::Old => &self.old,
            Version::New => &self.new,
        };
        files.get(file).map(|file| file.path.as_str())
    }

    /// The lines of a span; none if its file is not known.
    pub fn lines(&self, version: Version, span: Span) -> Option<ReportSpan> {
        let file = self.name(version, span.file)?.to_owned();
        Some(ReportSpan { file, line_start: span.line_start, line_end: span.line_end })
    }
}

impl Report {
    /// A report on these versions, without functions yet.
    pub fn on(versions: &Versions) -> Report {
        Report {
            old: VersionInfo::from(&versions.old),
            new: VersionInfo::from(&versions.new),
            functions: Vec::new(),
            front_end: None,
            notes: versions.notes.clone(),
            unfinished: Vec::new(),
            stale: Vec::new(),
            duration: Duration::ZERO,
            directory: String::new(),
            pictures: Pictures::default(),
            stats: Stats::default(),
            tests: Vec::new(),
            harness: EmittedHarness::default(),
        }
    }

    /// Puts the worst first; among equals, source order. All renderings expect this order.
    pub fn sort(&mut self) {
        self.functions.sort_by(|a, b| a.rank().cmp(&b.rank()));
    }

    pub fn version(&self, version: Version) -> &VersionInfo {
        match version {
            Version::Old => &self.old,
            Version::New => &self.new,
        }
    }

    pub fn counts(&self) -> Counts {
        Counts::of(self.functions.iter().map(FunctionReport::standing))
    }

    /// What holds for the whole run, stale entries among it.
    pub fn all_notes(&self) -> Vec<String> {
        self.notes.iter().cloned().chain(self.stale.iter().map(StaleEntry::sentence)).collect()
    }

    /// A file by its way from the root of the repository.
    pub fn in_repository(&self, file: &str) -> String {
        match self.directory.as_str() {
            "" => file.to_owned(),
            directory => format!("{directory}/{file}"),
        }
    }

    pub fn headline(&self) -> String {
        let versions = format!("comparing {} with {}", self.old.label, self.new.label);
        match &self.front_end {
            Some(front_end) => format!("{versions}, as read by {front_end}"),
            None => versions,
        }
    }
}

/// How paths of implementations of `Debug` end.
const OF_DEBUG: &str = " as std::fmt::Debug>::fmt";

impl FunctionReport {
    /// What is to be said of it beside the verdict.
    pub fn sentences(&self) -> impl Iterator<Item = String> {
        self.notes.iter().map(Note::sentence)
    }

    /// Whether it is proved to panic on no input on which it did not before.
    pub fn has_no_new_panic(&self) -> bool {
        matches!(self.verdict, Verdict::Equal { .. } | Verdict::Unchanged)
            || self.notes.iter().any(|note| matches!(note, Note::NoNewPanic { .. }))
    }

    pub fn standing(&self) -> Standing {
        match self.acceptance {
            Acceptance::By(_) => Standing::Accepted,
            Acceptance::Not | Acceptance::NotAll { .. } => self.verdict_standing(),
        }
    }

    /// What was found, whether it is meant or not.
    pub fn verdict_standing(&self) -> Standing {
        match self.new_failure_of_others() {
            Some(_) => Standing::Regression,
            None => Standing::of(self.kind, &self.verdict),
        }
    }

    /// A call of another function that panics, aborts or does not end on what this one leaves, where it returned before.
    pub fn new_failure_of_others(&self) -> Option<&Witness> {
        let is_difference = Standing::of(self.kind, &self.verdict).is_difference();
        self.notes.iter().find_map(Note::new_failure_of_others).filter(|_| is_difference)
    }

    /// What decides on the exit code. What was not seen cannot have been meant: where the search for more was not completed, an
    /// accepted difference is no better than finding nothing. A difference on states that the crate may never make, or in a private function of which
    /// public ones that run it show nothing, is no better than one that the analysis alone sees.
    pub fn counts_as(&self) -> Standing {
        match (self.standing(), &self.verdict) {
            (standing, _)
                if standing.is_difference()
                    && (self.notes.contains(&Note::NotAsMade) || self.outside.was_tried_in_vain()) =>
            {
                Standing::Unconfirmed
            }
            (Standing::Accepted, Verdict::Differs { ledger, .. })
                if ledger.strength() == Some(ProofStrength::Void) =>
            {
                Standing::NoDifferenceFound
            }
            (standing, _) => standing,
        }
    }

    /// The calls in the verdict on which the versions differ.
    pub fn witnesses(&self) -> &[Witness] {
        match &self.verdict {
            Verdict::Differs { witnesses, .. } => witnesses,
            _ => &[],
        }
    }

    /// Where the function is: in the new version, or where it was.
    pub fn span(&self) -> Option<(Version, &ReportSpan)> {
        let new = self.new_span.as_ref().map(|span| (Version::New, span));
        new.or(self.old_span.as_ref().map(|span| (Version::Old, span)))
    }

    pub fn span_in(&self, version: Version) -> Option<&ReportSpan> {
        match version {
            Version::Old => self.old_span.as_ref(),
            Version::New => self.new_span.as_ref(),
        }
    }

    /// The call of a witness as a Rust expression.
    pub fn call(&self, witness: &Witness) -> String {
        let inputs: Vec<String> = witness.inputs.iter().map(|input| input.value.to_string()).collect();
        format!("{}({})", self.path, inputs.join(", "))
    }

    /// What callers of the crate can see comes before what a private function does with arguments that none may ever give it, and that before what none of
    /// those that were tried shows. What `Debug` shows, which any private field changes, comes behind what else differs.
    fn rank(&self) -> (Standing, bool, bool, &str, u32, &str) {
        let (file, line) = self.span().map_or(("", 0), |(_, span)| (span.file.as_str(), span.line_start));
        let standing = match self.counts_as() {
            Standing::Unconfirmed => Standing::Unconfirmed,
            _ => self.standing(),
        };
        (standing, !self.outside.shows(), self.path.ends_with(OF_DEBUG), file, line, &self.path)
    }
}
