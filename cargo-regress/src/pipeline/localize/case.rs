//! One call: native runs of both versions, symbolic runs of both versions, and the lines that these blame.

use regress_core::align::Alignment;
use regress_core::compare::FunctionPair;
use regress_core::evidence::Replay;
use regress_core::ir::{FnId, Subst};
use regress_core::localize;
use regress_core::value::Outcome;
use regress_core::verdict::Version;

use super::call::{self, Call};
use super::{emit, mixture, rank};
use crate::args::{LocalizeOptions, With};
use crate::harness::{Asked, Both, Care};
use crate::pipeline::Session;
use crate::pipeline::explore::search_options;
use crate::pipeline::load::Loaded;
use crate::pipeline::makers;
use crate::pipeline::naming::display_call;
use crate::pipeline::native::Harnesses;
use crate::pipeline::suspects::{DifferingCall, RunLimits, suspects};
use crate::report::TreeSources;
use crate::report::localize::{
    Captured, Case, Effort, Finding, Hunks, Located, Method, Shown, Subject as ReportSubject,
};
use crate::report::reasons;
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
        let (call, mut both) = self.callable(text)?;
        let replayed = run(&mut both, &call).map_err(|reason| not_run(text, &reason))?;
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

    /// The call that the user names, with both versions of its function able to run.
    pub fn callable(&self, text: &str) -> anyhow::Result<(Call, Both)> {
        let call = call::parse(self.loaded, self.alignment, text)?;
        let harnesses = self.harnesses(std::slice::from_ref(&call.functions))?;
        let both = self.both(&harnesses, &call).map_err(|reason| not_run(text, &reason))?;
        Ok((call, both))
    }

    /// Native harnesses for these functions, with what makes their arguments.
    pub fn harnesses(&self, subjects: &[FunctionPair]) -> anyhow::Result<Harnesses> {
        let of = |version| {
            let wanted = subjects.iter().map(move |subject| match version {
                Version::Old => (subject.old, subject.instantiation.old.clone()),
                Version::New => (subject.new, subject.instantiation.new.clone()),
            });
            wanted.collect::<Vec<_>>()
        };
        let of_new: Vec<(FnId, &Subst)> =
            subjects.iter().map(|subject| (subject.new, &subject.instantiation.new)).collect();
        let makers = makers::common(self.loaded, self.alignment, &of_new);
        let harnesses =
            self.session.build_harnesses_for(self.loaded, &of(Version::Old), &of(Version::New), makers)?;
        Ok(harnesses.for_results_of(self.alignment))
    }

    /// Both versions of the function that is called, able to run.
    pub fn both(&self, harnesses: &Harnesses, call: &Call) -> Result<Both, String> {
        let functions = (call.functions.old, call.functions.new);
        harnesses
            .both(
                functions,
                self.options.search.call_limits(),
                self.session.patience(self.options.search.function_budget()),
            )
            .map_err(|reason| reasons::not_run(&reason))
    }

    /// The lines behind a call that was seen to end differently.
    pub fn locate(&self, call: &Call, old: Outcome, new: Outcome, captured: Captured) -> Located {
        let with = match self.options.with {
            With::Rsc => "rsc",
            With::Pc => "pc",
        };
        let (functions, arguments) = (&call.functions, &call.inputs);
        let differing = DifferingCall { functions, arguments, old: &old, new: &new, discharged: None };
        let options = search_options(&self.options.search, self.options.search.function_budget());
        let of_core = match self.options.with {
            With::Rsc => localize::Method::Rsc,
            With::Pc => localize::Method::Pc,
        };
        let found = suspects(self.loaded, self.alignment, differing, options, RUN_LIMITS, of_core);
        let lines = rank::lines(self.loaded, found.lines);
        let (blame, method) = match found.blame {
            Ok(blame) => (Some(blame), Method::Conditions { with, captured }),
            Err(reason) => (None, Method::Changes { reason }),
        };
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

    fn describe(&self, call: &Call) -> String {
        let Loaded { new, .. } = self.loaded;
        display_call(&new.program, call.functions.new, self.loaded.only_crate(), &call.inputs)
    }
}

/// The call in both versions, as the compiler made them. A difference counts if it comes out again and again.
pub(super) fn run(both: &mut Both, call: &Call) -> Result<Replay, String> {
    both.replay(&Asked::of(&call.inputs), Care::Finding).map_err(|error| error.to_string())
}

pub(super) fn not_run(call: &str, reason: &str) -> anyhow::Error {
    anyhow::anyhow!("`{call}` cannot be run natively: {reason}")
}

fn effort(effort: &localize::Effort) -> Effort {
    Effort {
        old_conditions: effort.old_conditions,
        new_conditions: effort.new_conditions,
        formulas: effort.formulas,
        seconds: effort.total.as_secs_f64(),
    }
}

/// A call that the user asks about is followed to its end, however long that takes a search.
const RUN_LIMITS: RunLimits = RunLimits { steps: 10_000_000, rounds: 100_000 };
