//! How a commit stands to a good and a bad one: what a search for the first bad commit asks.
//!
//! A call that runs or uses nothing that differs from the good or from the bad commit ends as it does there: by alignment, without a build of what
//! runs it. Any other is run, at the good commit and at this one. A test is that of the bad commit and is run on both.

use regress_core::evidence::Replay;
use regress_core::verdict::ChangeKind;

use super::call;
use super::case::{self, Bench};
use super::trial::{Trials, Verdict, said_of};
use crate::args::LocalizeOptions;
use crate::pipeline::Session;
use crate::pipeline::load::Running;
use crate::progress::Progress;
use crate::report::bisect::{CommitStanding, Ends};
use crate::report::wording;
use crate::versions::{Place, Versions};

/// How the call or test ends at both ends of the history.
///
/// # Errors
///
/// If it cannot be run there.
pub fn history_ends(
    options: &LocalizeOptions,
    place: &Place,
    versions: &Versions,
    progress: &dyn Progress,
) -> anyhow::Result<Ends> {
    let common = options.options();
    Session::with(&common, place, versions, progress, |session| {
        if options.call.is_some() {
            return run(session, options);
        }
        match verdicts(session, options)? {
            (Verdict::Passes, new @ Verdict::Fails(_)) => {
                Ok(Ends::Differ { old: "passes".to_owned(), new: shown(&new) })
            }
            (old @ Verdict::Passes, Verdict::Passes) | (old @ Verdict::Fails(_), Verdict::Fails(_)) => {
                Ok(Ends::Alike { how: shown(&old) })
            }
            (old, new) => anyhow::bail!("{}", said_of(&old, &new)),
        }
    })
}

/// How a commit stands, given the versions from the good commit to it and from it to the bad one.
///
/// # Errors
///
/// If it does not build, or cannot make the call.
pub fn commit_standing(
    options: &LocalizeOptions,
    place: &Place,
    (since_good, until_bad): (&Versions, &Versions),
    progress: &dyn Progress,
) -> anyhow::Result<CommitStanding> {
    let common = options.options();
    Session::with(&common, place, since_good, progress, |session| {
        let of_bad = session.on(until_bad, &common);
        if let Some(text) = &options.call {
            if is_unaffected(session, text)? {
                return Ok(CommitStanding::UnaffectedSinceGood);
            }
            if is_unaffected(&of_bad, text)? {
                return Ok(CommitStanding::UnaffectedUntilBad);
            }
            return run(session, options).map(|ends| match ends {
                Ends::Alike { how } => CommitStanding::Good { how },
                Ends::Differ { new, .. } => CommitStanding::Bad { how: new },
            });
        }
        match verdicts(&of_bad, options)? {
            (Verdict::Passes, Verdict::Fails(_)) => Ok(CommitStanding::Good { how: "passes".to_owned() }),
            (old @ Verdict::Fails(_), Verdict::Fails(_)) => Ok(CommitStanding::Bad { how: shown(&old) }),
            (old, new) => anyhow::bail!("{}", said_of(&old, &new)),
        }
    })
}

/// Whether nothing differs that the call may run or use.
fn is_unaffected(session: &Session<'_>, text: &str) -> anyhow::Result<bool> {
    let (loaded, alignment) = session.load(Running::Compared)?;
    let call = call::parse(&loaded, &alignment, text)?;
    // What makes the arguments may differ.
    let is_made = call.inputs.iter().any(regress_core::value::Value::holds_made);
    let of_call = alignment.pairs.iter().find(|pair| pair.new == Some(call.functions.new));
    Ok(!is_made && of_call.is_some_and(|pair| pair.kind == ChangeKind::Unchanged))
}

/// Runs the test on both versions.
fn verdicts(session: &Session<'_>, options: &LocalizeOptions) -> anyhow::Result<(Verdict, Verdict)> {
    let (loaded, alignment) = session.load(Running::Compared)?;
    let bench = Bench { session, loaded: &loaded, alignment: &alignment, options };
    Trials::prepare(&bench)?.verdicts(options.test.as_deref().unwrap_or_default())
}

fn shown(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Fails(failure) => format!("fails: {}", failure.message),
        _ => "passes".to_owned(),
    }
}

/// Runs the call on both versions.
fn run(session: &Session<'_>, options: &LocalizeOptions) -> anyhow::Result<Ends> {
    let (loaded, alignment) = session.load(Running::Compared)?;
    let bench = Bench { session, loaded: &loaded, alignment: &alignment, options };
    let text = options.call.as_deref().unwrap_or_default();
    let (call, mut both) = bench.callable(text)?;
    match case::run(&mut both, &call).map_err(|reason| case::not_run(text, &reason))? {
        Replay::Same { new, .. } => Ok(Ends::Alike { how: wording::present(&new) }),
        Replay::Differs { old, new } => {
            Ok(Ends::Differ { old: wording::present(&old), new: wording::present(&new) })
        }
        Replay::Doubtful(doubt) => anyhow::bail!("{}", wording::doubt(&doubt)),
    }
}
