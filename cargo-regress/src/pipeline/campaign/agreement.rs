//! The two front ends side by side: one version, read from rustc's text and from Charon's file.
//!
//! Idea: both say what the same source does, so they must have the same functions, with the same canonical signature, and
//! the executor must come to the same outcome on either program. Programs are aligned as two versions are; inputs are
//! those of the native harness.
//!
//! Limits: what does not run natively has no inputs here. A function that is read, but that the executor gives up on
//! in one of the programs, counts as a gap of that front end, with the reason, not as a disagreement.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use regress_core::align::align;
use regress_core::compare::{Concrete, Instantiation, Runner, choose_instantiation};
use regress_core::exec::resolve::Resolved;
use regress_core::exec::{Image, InputBounds, Makers, PanicPolicy};
use regress_core::ir::canonical::{CanonicalSignature, Renames};
use regress_core::ir::{FnId, Program, Subst};
use regress_core::observable::same_outcome;
use regress_core::value::{Outcome, Value};
use regress_core::verdict::Version;

use super::super::Session;
use super::super::load::{Loaded, Running};
use super::super::native::{Harnesses, Runnable};
use super::conformance::{limits, panic_message, reason, show};
use super::{Campaign, Reasons, batches, count};
use crate::args::{Frontend, Options};
use crate::harness::{self, RandomPlan};
use crate::progress::Progress;
use crate::report::reasons;
use crate::versions::{Place, VersionTree, Versions};
use regress_core::verdict::not_analysed::Refused;

/// What both front ends say of one function.
#[derive(Clone, Debug)]
pub struct FunctionAgreement {
    pub path: String,
    pub reading: Reading,
    /// Inputs on which the executor had an outcome from either program.
    pub runs: u64,
    /// How many of these outcomes were panics.
    pub panics: u64,
    pub disagreements: Vec<Disagreement>,
    /// Inputs on which only the program of rustc's text had an outcome, by why the other had none.
    pub only_rustc_runs: Reasons,
    /// The same the other way round.
    pub only_charon_runs: Reasons,
    /// Inputs on which neither had an outcome, or why there was no input at all.
    pub not_run: Reasons,
}

/// How a function came out of reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    OnlyRustc,
    OnlyCharon,
    /// Paths or signatures are not the same.
    Signatures {
        rustc: String,
        charon: String,
    },
    /// Both have it, with one signature.
    Both,
}

/// An input on which the executor parts from itself.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// As a call.
    pub call: String,
    pub rustc: String,
    pub charon: String,
}

/// For one function, looked at after each input.
const BUDGET: Duration = Duration::from_secs(40);
/// After so many disagreements a function has been seen enough of.
const MOST_DISAGREEMENTS: usize = 5;
/// So many inputs without a single outcome: further ones will not help.
const HOPELESS: u64 = 100;

/// Reads each of the versions, or the one if they are the same, both ways. `options` ask for Charon.
pub fn agreement(
    options: &Options,
    place: &Place,
    versions: &Versions,
    progress: &dyn Progress,
    campaign: Campaign,
) -> anyhow::Result<Vec<FunctionAgreement>> {
    let mut trees = vec![&versions.old, &versions.new];
    if versions.old == versions.new {
        trees.pop();
    }
    let mut all = Vec::new();
    for tree in trees {
        all.extend(of_version(options, place, &alone(tree), progress, campaign)?);
    }
    Ok(all)
}

/// The version as both sides of a comparison.
fn alone(tree: &VersionTree) -> Versions {
    let tree = VersionTree { version: Version::New, ..tree.clone() };
    Versions { old: tree.clone(), new: tree, notes: Vec::new() }
}

fn of_version(
    options: &Options,
    place: &Place,
    versions: &Versions,
    progress: &dyn Progress,
    campaign: Campaign,
) -> anyhow::Result<Vec<FunctionAgreement>> {
    let mut by_rustc = options.clone();
    by_rustc.frontend.frontend = Frontend::Rustc;
    let (by_rustc, _) = Session::with(&by_rustc, place, versions, progress, |s| s.load(Running::All))?;
    Session::with(options, place, versions, progress, |session| {
        let (by_charon, _) = session.load(Running::All)?;
        let notes = by_charon.notes();
        let loaded = Loaded::of_files(by_rustc.new, by_charon.new, notes);
        check_version(session, &loaded, campaign)
    })
}

/// `old` is what rustc's text says, `new` what Charon's file does.
fn check_version(
    session: &Session<'_>,
    loaded: &Loaded,
    campaign: Campaign,
) -> anyhow::Result<Vec<FunctionAgreement>> {
    let (rustc, charon) = (&loaded.old.program, &loaded.new.program);
    let alignment = align(rustc, charon);
    let mut lonely = Vec::new();
    let mut subjects: Vec<(FnId, FnId, Reading, Result<Instantiation, Refused>)> = Vec::new();
    for pair in &alignment.pairs {
        match (pair.old, pair.new) {
            (Some(old), Some(new)) => {
                let reading = reading((rustc, old), (charon, new));
                subjects.push((old, new, reading, choose_instantiation((rustc, old), (charon, new))));
            }
            (Some(old), None) => lonely.push(unmatched(rustc, old, Reading::OnlyRustc)),
            (None, Some(new)) => lonely.push(unmatched(charon, new, Reading::OnlyCharon)),
            (None, None) => {}
        }
    }
    let chosen =
        subjects.iter().filter_map(|(_, new, _, types)| Some((*new, types.as_ref().ok()?.new.clone())));
    let wanted: Vec<_> = chosen.collect();
    let of_new: Vec<(FnId, &Subst)> = wanted.iter().map(|(id, subst)| (*id, subst)).collect();
    let makers = Makers::common(rustc, charon, &of_new, &|_, _| None);
    let harnesses = session.build_harnesses_for(loaded, &[], &wanted, makers)?;
    let check = Check { options: session.options, loaded, harnesses: &harnesses, campaign };
    let compared = subjects.into_par_iter().map(|(old, new, reading, types)| {
        let mut seen = unmatched(charon, new, reading);
        if let Err(reason) = types
            .map_err(|reason| reasons::refused(&reason))
            .and_then(|types| check.run(old, new, types, &mut seen))
        {
            count(&mut seen.not_run, reason);
        }
        seen
    });
    let mut all: Vec<FunctionAgreement> = compared.collect();
    all.extend(lonely);
    Ok(all)
}

fn unmatched(program: &Program, function: FnId, reading: Reading) -> FunctionAgreement {
    FunctionAgreement {
        path: program.functions[function].path.to_string(),
        reading,
        runs: 0,
        panics: 0,
        disagreements: Vec::new(),
        only_rustc_runs: Reasons::new(),
        only_charon_runs: Reasons::new(),
        not_run: Reasons::new(),
    }
}

fn reading(rustc: (&Program, FnId), charon: (&Program, FnId)) -> Reading {
    let form = |(program, function)| CanonicalSignature::of(program, function, &Renames::default());
    let path = |(program, function): (&Program, FnId)| program.functions[function].path.clone();
    match path(rustc) == path(charon) && form(rustc) == form(charon) {
        true => Reading::Both,
        false => Reading::Signatures { rustc: signature(rustc), charon: signature(charon) },
    }
}

fn signature((program, function): (&Program, FnId)) -> String {
    let item = &program.functions[function];
    let inputs: Vec<String> = item.inputs.iter().map(ToString::to_string).collect();
    let generics: Vec<String> =
        program.generics_in_scope(function).iter().map(|param| param.name.to_string()).collect();
    format!("{}<{}>({}) -> {}", item.path, generics.join(", "), inputs.join(", "), item.output)
}

struct Check<'c> {
    options: &'c Options,
    loaded: &'c Loaded,
    harnesses: &'c Harnesses,
    campaign: Campaign,
}

/// What one of the programs says of an input.
enum Said {
    Outcome(Outcome),
    /// The engine contradicts itself or panicked: never the same as anything.
    Defect(String),
    Nothing(String),
}

impl Check<'_> {
    fn run(
        &self,
        old: FnId,
        new: FnId,
        types: Instantiation,
        seen: &mut FunctionAgreement,
    ) -> Result<(), String> {
        let (harness, subject) = match self.harnesses.runnable(Version::New, new) {
            Runnable::Yes { harness, subject } => (harness, subject),
            Runnable::No { reason } => return Err(format!("native: {}", reasons::not_run(&reason))),
        };
        let bounds = InputBounds { max_len: self.options.search.max_len, ..InputBounds::default() };
        let makers = self.harnesses.makers();
        let rustc = Image::new(&self.loaded.old.program, PanicPolicy::Outcomes);
        let charon = Image::new(&self.loaded.new.program, PanicPolicy::Outcomes);
        let callee = Resolved { function: old, subst: types.old };
        let by_rustc = Runner::new((&rustc, Version::Old), callee, limits(), bounds, makers.clone());
        let callee = Resolved { function: new, subst: types.new };
        let by_charon = Runner::new((&charon, Version::New), callee, limits(), bounds, makers.clone());
        let (by_rustc, by_charon) = match (by_rustc, by_charon) {
            (Ok(rustc), Ok(charon)) => (rustc, charon),
            (Ok(_), Err(reason)) => {
                count(&mut seen.only_rustc_runs, reasons::refused(&reason));
                return Ok(());
            }
            (Err(reason), Ok(_)) => {
                count(&mut seen.only_charon_runs, reasons::refused(&reason));
                return Ok(());
            }
            (Err(reason), Err(_)) => return Err(reasons::refused(&reason)),
        };
        let mut worker = harness.worker(harness::Limits::default());
        let plan = RandomPlan {
            max_len: bounds.max_len,
            max_depth: bounds.max_depth,
            literals: harness.literals(subject).clone(),
            ..RandomPlan::new(self.campaign.seed, 0)
        };
        let started = Instant::now();
        let mut tried = 0;
        for batch in batches(&plan, self.campaign.runs) {
            let runs = worker.random(subject, &batch).map_err(|error| format!("native: {error}"))?;
            for run in runs {
                let hopeless = seen.runs == 0 && tried >= HOPELESS;
                let enough = seen.runs >= self.campaign.runs;
                if enough || hopeless || seen.disagreements.len() >= MOST_DISAGREEMENTS {
                    return Ok(());
                }
                if started.elapsed() > BUDGET {
                    return Err("out of time".into());
                }
                tried += 1;
                // Endless loops and deaths of the process are no outcomes of the executor either.
                if !matches!(run.outcome, Outcome::Hung | Outcome::Aborted(_)) {
                    hold(said(&by_rustc, &run.inputs)?, said(&by_charon, &run.inputs)?, &run.inputs, seen);
                }
            }
        }
        Ok(())
    }
}

fn said(runner: &Runner<'_, '_>, inputs: &[Value]) -> Result<Said, String> {
    Ok(match catch_unwind(AssertUnwindSafe(|| runner.run(inputs))) {
        Ok(concrete) => match concrete.map_err(|reason| reasons::refused(&reason))? {
            Concrete::Ended(outcome) => Said::Outcome(outcome),
            Concrete::Inconsistent { outcome } => {
                let outcome = outcome.as_ref().map_or_else(|| "nothing".to_string(), show);
                Said::Defect(format!("{outcome}, but its terms say otherwise"))
            }
            Concrete::OutsideInputs => Said::Nothing("inputs outside of the engine's".into()),
            Concrete::Stopped(stop) => Said::Nothing(reason(&stop)),
        },
        Err(panic) => Said::Defect(format!("the engine panicked: {}", panic_message(panic.as_ref()))),
    })
}

/// Counts what was said of one input.
fn hold(rustc: Said, charon: Said, inputs: &[Value], seen: &mut FunctionAgreement) {
    let (by_rustc, by_charon) = match (rustc, charon) {
        (Said::Nothing(reason), Said::Nothing(_)) => return count(&mut seen.not_run, reason),
        (Said::Nothing(reason), Said::Outcome(_)) => {
            return count(&mut seen.only_charon_runs, reason);
        }
        (Said::Outcome(_), Said::Nothing(reason)) => {
            return count(&mut seen.only_rustc_runs, reason);
        }
        (Said::Outcome(rustc), Said::Outcome(charon)) => {
            seen.runs += 1;
            seen.panics += u64::from(matches!(rustc, Outcome::Panicked(_)));
            if same_outcome(&rustc, &charon) {
                return;
            }
            (show(&rustc), show(&charon))
        }
        (rustc, charon) => {
            seen.runs += 1;
            (told(&rustc), told(&charon))
        }
    };
    let args: Vec<String> = inputs.iter().map(ToString::to_string).collect();
    let call = format!("{}({})", seen.path, args.join(", "));
    seen.disagreements.push(Disagreement { call, rustc: by_rustc, charon: by_charon });
}

fn told(said: &Said) -> String {
    match said {
        Said::Outcome(outcome) => show(outcome),
        Said::Defect(text) | Said::Nothing(text) => text.clone(),
    }
}
