//! One push: each range of commits is compared, within a time that is fixed for all of them.

use std::ffi::OsString;
use std::io::{IsTerminal, Read};
use std::time::Instant;

use anyhow::Context;

use super::directory;
use super::pushed::{self, Plan, Update};
use crate::args::{FailOn, HookRunOptions, Options, TestCalls};
use crate::budget::Deadline;
use crate::comparison::{Analyse, code_of, compare};
use crate::config;
use crate::delivery::{self, say};
use crate::error::Error;
use crate::exit::{FINDING, INCOMPLETE};
use crate::report::{FunctionReport, Report, wording};

/// Names shown of what is unfinished.
const NAMES: usize = 8;

/// Compares what is pushed; what is returned is the exit code, of which git stops the push for all but 0.
pub fn run(options: &HookRunOptions, analyse: &mut Analyse<'_>) -> Result<u8, Error> {
    let deadline = Deadline::after(Instant::now(), options.total_timeout);
    let updates = updates()?;
    let repository = directory::open()?;
    if repository.workdir().is_none() {
        say(
            "this push is not checked: the repository is bare, without a working tree to find the package in",
        );
        return Ok(if options.strict { INCOMPLETE } else { 0 });
    }
    let plans = pushed::plans(&repository, &updates, options.remote.as_deref())?;
    if plans.is_empty() {
        say("nothing is pushed, so nothing is compared");
    }
    let mut end = End::default();
    for (name, plan) in &plans {
        match plan {
            Plan::Nothing(reason) => say(&format!("`{name}` is not compared: {reason}")),
            Plan::Compare { .. } if deadline.is_over() => {
                end.open.push(format!("{} was over before `{name}` was compared", deadline.name()));
            }
            Plan::Compare { base, tip } => {
                let options = comparison(&format!("{base}..{tip}"), options, deadline)?;
                end.compare(name, &options, deadline, analyse)?;
            }
        }
    }
    Ok(end.conclude(options))
}

/// What pre-commit says is pushed, or git on standard input.
fn updates() -> Result<Vec<Update>, Error> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    if let Some(update) = pushed::of_pre_commit(variable) {
        return Ok(vec![update]);
    }
    let mut input = std::io::stdin();
    if input.is_terminal() {
        return Err(anyhow::anyhow!(
            "git tells a pre-push hook on standard input what is pushed, and this is a terminal; `git push` runs the hook, \
             and `cargo regress A..B` compares two commits"
        )
        .into());
    }
    let mut text = String::new();
    input.read_to_string(&mut text).context("what git says of the push cannot be read")?;
    Ok(pushed::read_lines(&text)?)
}

/// The options of one comparison. Without a manifest the package at the root of the working tree is compared, where git runs
/// hooks.
fn comparison(range: &str, hook: &HookRunOptions, deadline: Deadline) -> Result<Options, Error> {
    let mut words: Vec<OsString> = ["cargo-regress", range].map(OsString::from).into();
    words.extend(hook.no_config.then(|| OsString::from("--no-config")));
    words.extend(hook.comparison.iter().cloned());
    let mut options = config::comparison(words)?;
    options.budget.deadline = Some(deadline);
    // A push waits for verdicts, not for what explains them.
    options.budget.interaction_time = 0;
    if options.search.test_calls == TestCalls::On {
        options.search.test_calls = TestCalls::Known;
    }
    Ok(options)
}

/// The functions that could still have what stops a push.
fn unfinished(report: &Report, fail_on: FailOn) -> Vec<&String> {
    let may_have_it = |path: &&String| {
        let function = report.functions.iter().find(|function| function.path == **path);
        fail_on != FailOn::Regression || !function.is_some_and(FunctionReport::has_no_new_panic)
    };
    report.unfinished.iter().filter(may_have_it).collect()
}

/// What came of all comparisons.
#[derive(Default)]
struct End {
    findings: u64,
    /// Why something is not known, in sentences.
    open: Vec<String>,
}

impl End {
    fn compare(
        &mut self,
        name: &str,
        options: &Options,
        deadline: Deadline,
        analyse: &mut Analyse<'_>,
    ) -> Result<(), Error> {
        let (compared, place) = match compare(options, analyse) {
            Ok(compared) => compared,
            Err(error @ (Error::Output(_) | Error::Json(_) | Error::Usage(_))) => return Err(error),
            Err(error) => {
                self.open.push(format!("`{name}` could not be compared: {error}"));
                return Ok(());
            }
        };
        delivery::deliver(options, &place, &compared.report, compared.sources.as_ref())?;
        if code_of(&compared, &options.output) == FINDING {
            self.findings += 1;
        }
        let unfinished = unfinished(&compared.report, options.output.fail_on);
        if !unfinished.is_empty() {
            let shown: Vec<String> = unfinished.iter().take(NAMES).map(|path| format!("`{path}`")).collect();
            let more = unfinished.len().saturating_sub(NAMES);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let functions = wording::count(unfinished.len() as u64, "function is", "functions are");
            self.open.push(format!(
                "{functions} not compared to the end, for {} was over: {}{more}",
                deadline.name(),
                shown.join(", ")
            ));
        }
        Ok(())
    }

    fn conclude(self, options: &HookRunOptions) -> u8 {
        for open in &self.open {
            say(open);
        }
        if self.findings > 0 {
            say(
                "the push is stopped: see above what differs; `cargo regress accept` writes down that it is meant, \
                 `git push --no-verify` pushes unchecked",
            );
            return FINDING;
        }
        match (self.open.is_empty(), options.strict) {
            (true, _) => 0,
            (false, true) => {
                say(
                    "the push is stopped, for that is what --strict asks for; `--total-timeout` gives more time",
                );
                INCOMPLETE
            }
            (false, false) => {
                say("the push is not stopped for that; `--strict` would");
                0
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use regress_core::verdict::{ChangeKind, Ledger, Verdict};

    use super::*;
    use crate::report::Note;
    use crate::report::testing::{function, report};

    #[test]
    fn what_panics_nowhere_new_is_no_reason_to_wait_for_regressions() {
        let open = Verdict::NoDifferenceFound { ledger: Ledger::default(), runs: 0 };
        let mut proved = function("proved", ChangeKind::Changed, open.clone());
        proved.notes.push(Note::NoNewPanic { rests_on: Vec::new() });
        let mut report = report(vec![proved, function("open", ChangeKind::Changed, open)]);
        report.unfinished = vec!["proved".into(), "open".into()];
        assert_eq!(unfinished(&report, FailOn::Regression), ["open"]);
        assert_eq!(unfinished(&report, FailOn::Difference), ["proved", "open"]);
    }
}
