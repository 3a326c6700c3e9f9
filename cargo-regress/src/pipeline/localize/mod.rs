//! From a failing call or test to the lines that may be to blame.
//!
//! * [`call`]: the function and the arguments that the user names; [`literal`]: Rust expressions as values
//! * [`case`]: one call: run natively, run symbolically on both versions, lines
//! * [`rank`]: which line comes first
//! * [`mixture`]: what a call or a test does with some of the hunks
//! * [`emit`]: what is handed on: tests, git's search for the commit
//! * [`standing`]: how a commit stands to a good and a bad one
//! * [`trial`]: tests on both versions, and the calls that they make
//!
//! Invariant: a difference is only told of a call that was run natively on both versions and ended differently.

mod call;
mod case;
mod emit;
mod literal;
mod mixture;
mod rank;
mod standing;
mod trial;

pub(super) use self::emit::localize_command;
pub use self::standing::{commit_standing, history_ends};
use super::Session;
use super::load::Running;
use crate::args::LocalizeOptions;
use crate::progress::Progress;
use crate::report::localize::LocalizeReport;
use crate::report::{TreeSources, VersionInfo, WithSources};
use crate::versions::{Place, Versions};

/// Localizes what the options name.
pub fn localize(
    options: &LocalizeOptions,
    place: &Place,
    versions: &Versions,
    progress: &dyn Progress,
) -> anyhow::Result<WithSources<LocalizeReport>> {
    let common = options.options();
    Session::with(&common, place, versions, progress, |session| {
        let (loaded, alignment) = session.load(Running::Compared)?;
        let mut report = LocalizeReport {
            old: VersionInfo::from(&versions.old),
            new: VersionInfo::from(&versions.new),
            front_end: Some(loaded.front_end.clone()),
            cases: Vec::new(),
            notes: versions.notes.clone(),
            duration: std::time::Duration::ZERO,
        };
        let bench = case::Bench { session, loaded: &loaded, alignment: &alignment, options };
        match &options.call {
            Some(text) => report.cases.push(bench.given_call(text)?),
            None => {
                let trials = trial::Trials::prepare(&bench)?;
                report.cases = trials.cases(options.test.as_deref(), &mut report.notes)?;
                if options.test.is_none() && report.exit_code() == 0 {
                    report.notes.push("no test passes on the old version and fails on the new one".into());
                }
            }
        }
        let sources = TreeSources::new(loaded.old.directory.clone(), loaded.new.directory.clone());
        Ok(WithSources { report, sources: Box::new(sources) })
    })
}
