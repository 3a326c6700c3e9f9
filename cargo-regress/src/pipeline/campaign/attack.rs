//! Proofs of equality against native random inputs.
//!
//! A proof within bounds speaks of some inputs only. Whether a difference lies within them is asked of the engine:
//! if it gives both versions an outcome on that input, within the limits that the proof was found with, the input
//! is one of those.

use std::collections::HashSet;
use std::time::Duration;

use rayon::prelude::*;
use regress_core::align::{Alignment, Pair};
use regress_core::compare::{Concrete, Runner};
use regress_core::evidence::NativeEnd;
use regress_core::exec::resolve::Resolved;
use regress_core::exec::{Image, InputBounds, Limits, PanicPolicy};
use regress_core::ir::{FnId, Program};
use regress_core::value::Value;
use regress_core::verdict::{ChangeKind, Verdict, Version};

use super::super::Session;
use super::super::aligned::{Aligned, needs_work};
use super::super::load::{Loaded, Running};
use super::super::native::Harnesses;
use super::{Campaign, Reasons, count};
use crate::args::Options;
use crate::harness::{self, Patience, RandomPlan, RandomTestPlan};
use crate::progress::Progress;
use crate::report::reasons;
use crate::report::wording;
use crate::versions::{Place, Versions};

/// A function that was proved equal, and what became of the proof.
#[derive(Clone, Debug)]
pub struct AttackedFunction {
    pub path: String,
    pub proof: AttackedProof,
    pub runs: u64,
    pub falls: Vec<Fall>,
    /// Differences on inputs that the proof does not speak of.
    pub outside: u64,
    /// Why fewer inputs were run than wanted.
    pub not_run: Reasons,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttackedProof {
    Equal,
    EqualWithin,
    /// Not even compared, as nothing that it may run was found to differ.
    Unchanged,
}

/// An input on which versions differ that were proved equal.
#[derive(Clone, Debug)]
pub struct Fall {
    pub call: String,
    pub old: String,
    pub new: String,
}

/// Differences outside of the bounds are looked through until one lies within, but not for ever.
const MOST_DIFFERENCES: usize = 2_000;
/// Functions of one crate that are said to be unchanged.
const MOST_UNCHANGED: usize = 60;
const BUDGET: Duration = Duration::from_secs(120);

/// Compares the versions, and attacks every proof.
pub fn attack(
    options: &Options,
    place: &Place,
    versions: &Versions,
    progress: &dyn Progress,
    campaign: Campaign,
) -> anyhow::Result<Vec<AttackedFunction>> {
    Session::with(options, place, versions, progress, |session| {
        let (loaded, alignment) = session.load(Running::Compared)?;
        let unchanged = sample_of_unchanged(&alignment, campaign.seed);
        let is_sampled = |pair: &Pair| pair.new.is_some_and(|new| unchanged.contains(&new));
        let harnesses =
            session.build_harnesses_of(&loaded, &alignment, |pair| needs_work(pair) || is_sampled(pair))?;
        let discharged = crate::pipeline::discharge::discharge(session, &loaded, &alignment);
        let aligned = Aligned::new(loaded, alignment, harnesses, discharged);
        let Aligned { loaded, alignment, harnesses, .. } = &aligned;
        let pairs: Vec<&Pair> = alignment.pairs.iter().collect();
        let judged = aligned.judge(session, &pairs).with_what_follows();
        let attacked = judged.functions.par_iter().filter_map(|(pair, judgement)| {
            let (Some(old), Some(new)) = (pair.old, pair.new) else { return None };
            let proof = match pair.kind {
                ChangeKind::Unchanged => is_sampled(pair).then_some(AttackedProof::Unchanged)?,
                _ => proof_of(&judgement.verdict)?,
            };
            let assault = Assault { options, loaded, harnesses, old, new, proof };
            Some(assault.run(campaign))
        });
        Ok(attacked.collect())
    })
}

/// Functions that are said to be unchanged, evenly among all, beginning somewhere.
fn sample_of_unchanged(alignment: &Alignment, seed: u64) -> HashSet<FnId> {
    let unchanged: Vec<FnId> = alignment
        .pairs
        .iter()
        .filter(|pair| pair.kind == ChangeKind::Unchanged)
        .filter_map(|pair| pair.new)
        .collect();
    let step = unchanged.len().div_ceil(MOST_UNCHANGED).max(1);
    unchanged.iter().copied().skip(seed as usize % step).step_by(step).collect()
}

fn proof_of(verdict: &Verdict) -> Option<AttackedProof> {
    match verdict {
        Verdict::Equal { .. } => Some(AttackedProof::Equal),
        Verdict::EqualWithin { .. } => Some(AttackedProof::EqualWithin),
        _ => None,
    }
}

struct Assault<'a> {
    options: &'a Options,
    loaded: &'a Loaded,
    harnesses: &'a Harnesses,
    old: FnId,
    new: FnId,
    proof: AttackedProof,
}

impl Assault<'_> {
    fn run(&self, campaign: Campaign) -> AttackedFunction {
        let mut attacked = AttackedFunction {
            path: self.loaded.new.program.functions[self.new].path.to_string(),
            proof: self.proof,
            runs: 0,
            falls: Vec::new(),
            outside: 0,
            not_run: Reasons::new(),
        };
        if let Err(reason) = self.attack(campaign, &mut attacked) {
            count(&mut attacked.not_run, reason);
        }
        attacked
    }

    fn attack(&self, campaign: Campaign, attacked: &mut AttackedFunction) -> Result<(), String> {
        let functions = (self.old, self.new);
        let both = self.harnesses.both(functions, harness::Limits::default(), Patience::new(None));
        let mut both = both.map_err(|reason| reasons::not_run(&reason))?;
        let literals = self.harnesses.literals(self.old, self.new);
        let plan = RandomTestPlan {
            tells: &|_, _| true,
            random: RandomPlan {
                max_len: self.options.search.max_len,
                literals,
                ..RandomPlan::new(campaign.seed, campaign.runs)
            },
            most_differences: MOST_DIFFERENCES,
            budget: BUDGET,
        };
        let found = harness::random_differential_test(&mut both, &plan).map_err(|error| error.to_string())?;
        attacked.runs = found.runs;
        match found.end {
            NativeEnd::Completed => {}
            NativeEnd::EnoughDifferences => count(&mut attacked.not_run, "too many differences"),
            NativeEnd::TooManyUnstable => count(&mut attacked.not_run, "other outcomes from run to run"),
            NativeEnd::BrokeOff { reason } => count(&mut attacked.not_run, reason),
            NativeEnd::OutOfTime => count(&mut attacked.not_run, "out of time"),
            NativeEnd::TooManyHangs => count(&mut attacked.not_run, "endless loops"),
            NativeEnd::TooManyCrashes => count(&mut attacked.not_run, "too many aborts"),
        }
        for unstable in &found.unstable {
            count(&mut attacked.not_run, wording::doubt(&unstable.doubt));
        }
        for difference in found.differences {
            if self.proof == AttackedProof::EqualWithin && !self.is_within(&difference.inputs) {
                attacked.outside += 1;
                continue;
            }
            let args: Vec<String> = difference.inputs.iter().map(ToString::to_string).collect();
            attacked.falls.push(Fall {
                call: format!("{}({})", attacked.path, args.join(", ")),
                old: super::conformance::show(&difference.old),
                new: super::conformance::show(&difference.new),
            });
        }
        Ok(())
    }

    /// Whether the input is one of those that were compared.
    fn is_within(&self, inputs: &[Value]) -> bool {
        let Ok(types) = self.harnesses.instantiation(self.old, self.new) else { return true };
        let sides = [
            (&self.loaded.old.program, Resolved { function: self.old, subst: types.old }),
            (&self.loaded.new.program, Resolved { function: self.new, subst: types.new }),
        ];
        let versions = [Version::Old, Version::New];
        versions
            .into_iter()
            .zip(sides)
            .all(|(version, (program, callee))| self.engine_answers((program, version), callee, inputs))
    }

    fn engine_answers(
        &self,
        (program, version): (&Program, Version),
        callee: Resolved,
        inputs: &[Value],
    ) -> bool {
        let search = &self.options.search;
        let panics = if search.assume_no_panic { PanicPolicy::AssumeNone } else { PanicPolicy::Outcomes };
        let limits = Limits { max_unwind: search.unwind, panics, ..Limits::default() };
        let bounds = InputBounds { max_len: search.max_len, ..InputBounds::default() };
        let image = Image::new(program, panics);
        let makers = self.harnesses.makers().clone();
        match Runner::new((&image, version), callee, limits, bounds, makers)
            .and_then(|runner| runner.run(inputs))
        {
            Ok(Concrete::Ended(_) | Concrete::Inconsistent { .. }) => true,
            Ok(Concrete::OutsideInputs | Concrete::Stopped(_)) => false,
            // What the engine cannot run it cannot have proved anything about: that is a fall too.
            Err(_) => true,
        }
    }
}
