//! One call: native runs of both versions, symbolic runs of both versions, and the lines that these blame.

use std::time::Duration;

use regress_core::align::Alignment;
use regress_core::blame::{self, Blame};
use regress_core::compare::{Options as CoreOptions, Subject};
use regress_core::evidence::Replay;
use regress_core::exec::{Image, Makers, PanicPolicy};
use regress_core::ir::{FnBody, FnId, Program};
use regress_core::observable::same_outcome;
use regress_core::value::{Outcome, Value};
use regress_core::verdict::Version;

use super::call::{self, Call};
use super::{emit, mixture, rank};
use crate::args::{LocalizeOptions, With};
use crate::harness::{Asked, Both, Care};
use crate::pipeline::Session;
use crate::pipeline::explore::search_options;
use crate::pipeline::load::Loaded;
use crate::pipeline::naming::display_path;
use crate::pipeline::native::Harnesses;
use crate::report::TreeSources;
use crate::report::localize::{
    Captured, Case, Effort, Finding, Hunks, Located, Method, Shown, Subject as ReportSubject,
};
use crate::report::wording;

/// What every call is judged with.
pub(super) struct Bench<'b> {
    pub session: &'b Session<'b>,
    pub loaded: &'b Loaded,
    pub alignment: &'b Alignment,
    pub options: &'b LocalizeOptions,
}

impl Bench<'_> {
    /// The call that the user names.
    pub fn given_call(&self, text: &str) -> anyhow::Result<Case> {
        let call = call::parse(self.loaded, self.alignment, text)?;
        let harnesses = self.harnesses(std::slice::from_ref(&call.subject))?;
        let not_run = |reason: String| anyhow::anyhow!("`{text}` cannot be run natively: {reason}");
        let mut both = self.both(&harnesses, &call).map_err(not_run)?;
        let replayed = run(&mut both, &call).map_err(not_run)?;
        let finding = match replayed {
            Replay::Same { new, .. } => {
                Finding::Nothing { reason: format!("it {} in both versions", wording::present(&new)) }
            }
            Replay::Doubtful(doubt) => Finding::Nothing {
                reason: format!("{}, so nothing can be held against the change", wording::doubt(&doubt)),
            },
            Replay::Differs { old, new } => {
                let mut located = self.locate(&call, old, new, Captured::Given);
                let hunks = mixture::hunks_of_call(self, &call, &mut both);
                self.add_hunks(&mut located, hunks, "");
                if self.options.emit_bisect {
                    located.bisect = Some(emit::bisect_call(self.session.versions, text.trim()));
                }
                Finding::Located(Box::new(located))
            }
        };
        Ok(Case { subject: ReportSubject::Call(text.trim().to_owned()), finding })
    }

    /// Native harnesses for these functions, with what makes their arguments.
    pub fn harnesses(&self, subjects: &[Subject]) -> anyhow::Result<Harnesses> {
        let of = |version| {
            let wanted = subjects.iter().map(move |subject| match version {
                Version::Old => (subject.old, subject.instantiation.old.clone()),
                Version::New => (subject.new, subject.instantiation.new.clone()),
            });
            wanted.collect::<Vec<_>>()
        };
        let pairs: Vec<(FnId, FnId)> = subjects.iter().map(|subject| (subject.old, subject.new)).collect();
        let makers = Makers::common(&self.loaded.old.program, &self.loaded.new.program, &pairs);
        self.session.build_harnesses_for(self.loaded, &of(Version::Old), &of(Version::New), makers)
    }

    /// Both versions of the function that is called, able to run.
    pub fn both(&self, harnesses: &Harnesses, call: &Call) -> Result<Both, String> {
        let functions = (call.subject.old, call.subject.new);
        harnesses.both(functions, self.options.search.call_limits(), self.session.patience())
    }

    /// The lines behind a call that was seen to end differently.
    pub fn locate(&self, call: &Call, old: Outcome, new: Outcome, captured: Captured) -> Located {
        let with = match self.options.with {
            With::Rsc => "rsc",
            With::Pc => "pc",
        };
        let (blame, method) = match self.blame(call, &old, &new) {
            Ok(blame) => (Some(blame), Method::Conditions { with, captured }),
            Err(reason) => (None, Method::Changes { reason }),
        };
        let outputs = blame.as_ref().and_then(|blame| blame.outputs.as_ref());
        let computed = match outputs {
            Some(part) => {
                format!("on such a call the old version computes `{}`, the new one `{}`", part.old, part.new)
            }
            None => {
                format!("the old version {}, the new one {}", wording::past(&old), wording::present(&new))
            }
        };
        let pair = (call.subject.old, call.subject.new);
        let lines = rank::lines(self.loaded, self.alignment, pair, blame.as_ref(), &computed);
        let effort = blame.as_ref().map(|blame| effort(&blame.effort)).unwrap_or_default();
        let test = self.options.emit_test.is_some().then(|| emit::test(self.loaded, call, &old));
        let limits = blame.iter().flat_map(|blame| blame.ledger.entries());
        Located {
            call: Some(Shown { call: self.describe(call), old, new }),
            method,
            lines,
            hunks: None,
            test,
            bisect: None,
            effort,
            limits: limits.map(wording::approximation).collect(),
        }
    }

    /// Orders the lines by the hunks that the failure needs. `failure` is what there is to say if no call shows it.
    pub fn add_hunks(&self, located: &mut Located, hunks: anyhow::Result<Option<Hunks>>, failure: &str) {
        match hunks {
            Ok(hunks) => located.hunks = hunks,
            // That hunks cannot be told apart is no reason to tell nothing.
            Err(error) => located.limits.push(format!("the hunks were not told apart: {error:#}")),
        }
        if let Some(hunks) = &located.hunks {
            let computed = match &located.call {
                Some(shown) => format!(
                    "`{}` {} in the old version and {} in the new one",
                    shown.call,
                    wording::present(&shown.old),
                    wording::present(&shown.new)
                ),
                None => failure.to_owned(),
            };
            let directories = (&self.loaded.old.directory, &self.loaded.new.directory);
            let sources = TreeSources::new(directories.0.clone(), directories.1.clone());
            rank::with_needed_hunks(&mut located.lines, hunks, &sources, &computed);
        }
        located.lines.truncate(rank::MOST);
    }

    /// What the conditions of both runs blame; or why they cannot be held against each other. What the engine sees counts
    /// only where it is what happens natively.
    fn blame(&self, call: &Call, old: &Outcome, new: &Outcome) -> Result<Blame, String> {
        let options = core_options(self.options, &call.inputs, (old, new));
        let images = (
            Image::new(&self.loaded.old.program, options.limits.panics).with_common(&self.alignment.common),
            Image::new(&self.loaded.new.program, options.limits.panics).with_common(&self.alignment.common),
        );
        let method = match self.options.with {
            With::Rsc => blame::Method::Rsc,
            With::Pc => blame::Method::Pc,
        };
        let names = parameter_names(&self.loaded.new.program, call.subject.new);
        let subject = &call.subject;
        let blame = blame::localize(&images.0, &images.1, subject, &options, method, &call.inputs, &names)?;
        for (version, engine, native) in [("old", &blame.old, old), ("new", &blame.new, new)] {
            match engine {
                Some(engine) if !same_outcome(engine, native) => {
                    return Err(format!(
                        "the {version} version {} natively, but the engine says that it {}",
                        wording::present(native),
                        wording::present(engine)
                    ));
                }
                _ => {}
            }
        }
        if blame.old.is_none() && blame.new.is_none() && blame.branches.is_empty() {
            let reasons: Vec<String> = blame.ledger.entries().iter().map(wording::approximation).collect();
            return Err(format!("neither run could be followed to its end: {}", reasons.join("; ")));
        }
        Ok(blame)
    }

    fn describe(&self, call: &Call) -> String {
        let only_crate = match self.loaded.new.extraction.crates.as_slice() {
            [only] => Some(only.crate_name.as_str()),
            _ => None,
        };
        let path = display_path(&self.loaded.new.program, call.subject.new, only_crate);
        let arguments: Vec<String> = call.inputs.iter().map(ToString::to_string).collect();
        format!("{path}({})", arguments.join(", "))
    }
}

/// The call in both versions, as the compiler made them. A difference counts if it comes out again and again.
pub(super) fn run(both: &mut Both, call: &Call) -> Result<Replay, String> {
    both.replay(&Asked::of(&call.inputs), Care::Finding).map_err(|error| error.to_string())
}

fn effort(effort: &blame::Effort) -> Effort {
    Effort {
        old_conditions: effort.old_conditions,
        new_conditions: effort.new_conditions,
        formulas: effort.formulas,
        seconds: effort.total.as_secs_f64(),
    }
}

/// Statements of one run: a call that ended natively is followed to its end, however long that takes a search.
const MOST_STEPS: u64 = 10_000_000;
/// Rounds of one loop of it.
const MOST_ROUNDS: u64 = 100_000;

/// The given call has to be among the inputs, whatever the usual bounds are. Where both versions return, what differs is no panic:
/// checks of the language are taken to hold, as in the papers, lest everything depend on all that might have panicked.
fn core_options(options: &LocalizeOptions, inputs: &[Value], native: (&Outcome, &Outcome)) -> CoreOptions {
    let mut core = search_options(&options.search);
    if matches!(native, (Outcome::Returned { .. }, Outcome::Returned { .. })) {
        core.limits.panics = PanicPolicy::AssumeNone;
    }
    core.limits.max_steps = core.limits.max_steps.max(MOST_STEPS);
    core.limits.max_unwind = core.limits.max_unwind.max(MOST_ROUNDS);
    core.bounds.max_len = core.bounds.max_len.max(longest(inputs));
    core.query_timeout = core.query_timeout.max(Duration::from_secs(1));
    core
}

/// The length of the longest sequence.
fn longest(inputs: &[Value]) -> u64 {
    let mut longest = 0;
    let mut open: Vec<&Value> = inputs.iter().collect();
    while let Some(value) = open.pop() {
        match value {
            Value::Str(text) => longest = longest.max(text.len() as u64),
            Value::Seq(items) => longest = longest.max(items.len() as u64),
            _ => {}
        }
        open.extend(value.parts());
    }
    longest
}

/// Parameters that are patterns are told by position.
fn parameter_names(program: &Program, function: FnId) -> Vec<String> {
    let FnBody::Present(body) = &program.functions[function].body else { return Vec::new() };
    let name = |(index, local)| {
        let known: &Option<regress_core::ir::Name> = &body.locals[local].name;
        known.as_ref().map_or_else(|| format!("argument {}", index + 1), ToString::to_string)
    };
    body.args().enumerate().map(name).collect()
}
