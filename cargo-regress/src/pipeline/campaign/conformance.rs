//! Executor and native run side by side.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use regress_core::align::Pair;
use regress_core::compare::{Concrete, Runner, choose_instantiation};
use regress_core::exec::resolve::Resolved;
use regress_core::exec::{Image, InputBounds, Limits, Makers, PanicPolicy, Stop};
use regress_core::ir::{FnId, Program, Subst};
use regress_core::observable::same_outcome;
use regress_core::value::{Outcome, Value};
use regress_core::verdict::{ChangeKind, Version};

use super::super::Session;
use super::super::load::{Loaded, LoadedVersion, Running};
use super::super::native::{Harnesses, Runnable};
use super::{Campaign, Reasons, batches, count};
use crate::args::Options;
use crate::harness::{self, RandomPlan};
use crate::progress::Progress;
use crate::report::reasons;
use crate::versions::{Place, Versions};

/// What was seen of one function of one version.
#[derive(Clone, Debug)]
pub struct FunctionConformance {
    pub version: Version,
    pub path: String,
    /// Inputs on which both had an outcome.
    pub runs: u64,
    /// How many of these outcomes were panics.
    pub panics: u64,
    pub mismatches: Vec<ConformanceMismatch>,
    /// Runs without an answer of the executor, by reason; or why there is no run at all.
    pub not_run: Reasons,
}

/// An input on which executor and native run part.
#[derive(Clone, Debug)]
pub struct ConformanceMismatch {
    /// As a call.
    pub call: String,
    pub native: String,
    pub engine: String,
}

/// Rounds of a loop: more than a comparison follows, fewer than would make the slices of one run fill the memory.
const MAX_UNWIND: u64 = 500;
/// Steps of one run: nearly all calls on inputs of these lengths need far fewer.
const MAX_STEPS: u64 = 40_000;
/// For one function, looked at after each input.
const BUDGET: Duration = Duration::from_secs(40);
/// Endless loops and aborts each take a native time limit or a new process; so many of them are enough.
const MOST_DEATHS: u64 = 6;
const NATIVE_DEATH: &str = "the native run did not live to tell";
/// After so many mismatches a function has been seen enough of.
const MOST_MISMATCHES: usize = 5;
/// The same reason this often without a single answer: further inputs will not help.
const HOPELESS: u64 = 100;

/// What one run may take.
pub(super) fn limits() -> Limits {
    Limits {
        max_steps: MAX_STEPS,
        max_unwind: MAX_UNWIND,
        panics: PanicPolicy::Outcomes,
        ..Limits::default()
    }
}

/// Runs every function of the new version, and of the old one those that are not the same there.
pub fn conformance(
    options: &Options,
    place: &Place,
    versions: &Versions,
    progress: &dyn Progress,
    campaign: Campaign,
) -> anyhow::Result<Vec<FunctionConformance>> {
    Session::with(options, place, versions, progress, |session| {
        let (loaded, alignment) = session.load(Running::All)?;
        let at_some_types = |program: &Program, functions: Vec<FnId>| -> Vec<(FnId, Subst)> {
            let types = |function| choose_instantiation((program, function), (program, function));
            functions
                .into_iter()
                .map(|function| (function, types(function).unwrap_or_default().new))
                .collect()
        };
        let is_other = |pair: &&Pair| pair.kind != ChangeKind::Unchanged;
        let old = alignment.pairs.iter().filter(is_other).filter_map(|pair| pair.old).collect();
        let new = alignment.pairs.iter().filter_map(|pair| pair.new).collect();
        let old = at_some_types(&loaded.old.program, old);
        let new = at_some_types(&loaded.new.program, new);
        let of_new: Vec<(FnId, &Subst)> = new.iter().map(|(id, subst)| (*id, subst)).collect();
        let makers = Makers::common(&loaded.old.program, &loaded.new.program, &of_new, &|_, _| None);
        let harnesses = session.build_harnesses_for(&loaded, &old, &new, makers)?;
        let subjects: Vec<(Version, Resolved)> = [(Version::Old, old), (Version::New, new)]
            .into_iter()
            .flat_map(|(version, functions)| {
                functions.into_iter().map(move |(function, subst)| (version, Resolved { function, subst }))
            })
            .collect();
        let check = Check { options, loaded: &loaded, harnesses: &harnesses, campaign };
        Ok(subjects.into_par_iter().map(|(version, callee)| check.function(version, callee)).collect())
    })
}

struct Check<'c> {
    options: &'c Options,
    loaded: &'c Loaded,
    harnesses: &'c Harnesses,
    campaign: Campaign,
}

impl Check<'_> {
    fn function(&self, version: Version, callee: Resolved) -> FunctionConformance {
        let loaded = match version {
            Version::Old => &self.loaded.old,
            Version::New => &self.loaded.new,
        };
        let mut seen = FunctionConformance {
            version,
            path: loaded.program.functions[callee.function].path.to_string(),
            runs: 0,
            panics: 0,
            mismatches: Vec::new(),
            not_run: Reasons::new(),
        };
        if let Err(reason) = self.run(loaded, version, callee, &mut seen) {
            count(&mut seen.not_run, reason);
        }
        seen
    }

    fn run(
        &self,
        loaded: &LoadedVersion,
        version: Version,
        callee: Resolved,
        seen: &mut FunctionConformance,
    ) -> Result<(), String> {
        let (harness, subject) = match self.harnesses.runnable(version, callee.function) {
            Runnable::Yes { harness, subject } => (harness, subject),
            Runnable::No { reason } => return Err(format!("native: {}", reasons::not_run(&reason))),
        };
        let bounds = InputBounds { max_len: self.options.search.max_len, ..InputBounds::default() };
        let image = Image::new(&loaded.program, PanicPolicy::Outcomes);
        let makers = self.harnesses.makers().clone();
        let runner = Runner::new((&image, version), callee, limits(), bounds, makers)
            .map_err(|reason| reasons::refused(&reason))?;
        let mut worker = harness.worker(harness::Limits::default());
        let plan = RandomPlan {
            max_len: bounds.max_len,
            max_depth: bounds.max_depth,
            literals: harness.literals(subject).clone(),
            ..RandomPlan::new(self.campaign.seed, 0)
        };
        let started = Instant::now();
        for batch in batches(&plan, self.campaign.runs) {
            let runs = worker.random(subject, &batch).map_err(|error| format!("native: {error}"))?;
            for run in runs {
                if seen.runs >= self.campaign.runs || seen.mismatches.len() >= MOST_MISMATCHES {
                    return Ok(());
                }
                if started.elapsed() > BUDGET {
                    return Err("out of time".into());
                }
                one(&runner, &run.inputs, &run.outcome, seen)?;
            }
            if seen.not_run.get(NATIVE_DEATH).is_some_and(|times| *times >= MOST_DEATHS) {
                return Ok(());
            }
            if seen.runs == 0 && seen.not_run.values().any(|times| *times >= HOPELESS) {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// One input: counted as run, as mismatch, or as not run with the reason.
fn one(
    runner: &Runner<'_, '_>,
    inputs: &[Value],
    native: &Outcome,
    seen: &mut FunctionConformance,
) -> Result<(), String> {
    if let Outcome::Hung | Outcome::OutOfMemory | Outcome::Aborted(_) = native {
        count(&mut seen.not_run, NATIVE_DEATH);
        return Ok(());
    }
    if is_text(native) {
        count(&mut seen.not_run, "part of the native outcome is known as text only");
        return Ok(());
    }
    // A panic of the engine is a defect like any other wrong answer.
    let concrete = match catch_unwind(AssertUnwindSafe(|| runner.run(inputs))) {
        Ok(concrete) => concrete.map_err(|reason| reasons::refused(&reason))?,
        Err(panic) => {
            seen.runs += 1;
            let message = panic_message(panic.as_ref());
            mismatch(seen, inputs, native, format!("the engine panicked: {message}"));
            return Ok(());
        }
    };
    match concrete {
        Concrete::Ended(outcome) => {
            seen.runs += 1;
            seen.panics += u64::from(matches!(native, Outcome::Panicked(_)));
            if !same_outcome(native, &outcome) {
                mismatch(seen, inputs, native, show(&outcome));
            }
        }
        Concrete::Inconsistent { outcome } => {
            seen.runs += 1;
            let outcome = outcome.as_ref().map_or_else(|| "nothing".to_string(), show);
            mismatch(seen, inputs, native, format!("{outcome}, but its terms say otherwise"));
        }
        Concrete::OutsideInputs => count(&mut seen.not_run, "inputs outside of the engine's"),
        Concrete::Stopped(stop) => count(&mut seen.not_run, reason(&stop)),
    }
    Ok(())
}

/// Whether the outcome has a part that nothing can be held against.
fn is_text(outcome: &Outcome) -> bool {
    fn value_is_text(value: &Value) -> bool {
        match value {
            Value::Opaque(_) => true,
            Value::Tuple(items) | Value::Seq(items) => items.iter().any(value_is_text),
            Value::Adt { fields, .. } => fields.iter().any(|(_, field)| value_is_text(field)),
            Value::Ref(inner) => value_is_text(inner),
            Value::Made { args, .. } => args.iter().any(value_is_text),
            Value::Bool(_)
            | Value::Char(_)
            | Value::Int { .. }
            | Value::F32(_)
            | Value::F64(_)
            | Value::Str(_) => false,
        }
    }
    match outcome {
        Outcome::Returned { value, mutated } => {
            value_is_text(value) || mutated.iter().any(|(_, value)| value_is_text(value))
        }
        Outcome::Panicked(_) | Outcome::Hung | Outcome::OutOfMemory | Outcome::Aborted(_) => false,
    }
}

fn mismatch(seen: &mut FunctionConformance, inputs: &[Value], native: &Outcome, engine: String) {
    let args: Vec<String> = inputs.iter().map(ToString::to_string).collect();
    let call = format!("{}({})", seen.path, args.join(", "));
    seen.mismatches.push(ConformanceMismatch { call, native: show(native), engine });
}

pub(super) fn reason(stop: &Stop) -> String {
    match stop {
        Stop::LoopBound { limit, .. } => format!("more than {limit} rounds of a loop"),
        Stop::Panic { message, .. } => format!("a panic without an outcome: {message:?}"),
        other => reasons::stop(other),
    }
}

pub(super) fn show(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Returned { value, mutated } if mutated.is_empty() => value.to_string(),
        Outcome::Returned { value, mutated } => {
            let mutated: Vec<String> =
                mutated.iter().map(|(index, value)| format!("argument {}: {value}", index + 1)).collect();
            format!("{value}; afterwards {}", mutated.join(", "))
        }
        Outcome::Panicked(panic) => {
            format!("panic {:?}: {}", panic.kind, panic.message.as_deref().unwrap_or("no message"))
        }
        Outcome::Hung => "no end".into(),
        Outcome::OutOfMemory => "too much memory".into(),
        Outcome::Aborted(how) => format!("aborted: {how}"),
    }
}

pub(super) fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message").to_string()
}
