//! Functions of which both versions take the same steps (`regress_core::difference`): equal on every input, without a search.
//!
//! This is found while cargo builds what runs the functions natively. They are run like all others, so native runs attack each such proof.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use regress_core::align::{Alignment, Pair, UpTo};
use regress_core::difference::{self, Limits};
use regress_core::evidence::speaks_against_same_steps;
use regress_core::ir::FnId;
use regress_core::smt::{Layered, Z3Solver};
use regress_core::verdict::{Proof, Verdict};

use super::Session;
use super::congruent::{Congruent, put};
use super::load::Loaded;
use super::subject::Judgement;
use crate::args::Discharge;

/// What one function may take.
const MOST_OF_FUNCTION: Duration = Duration::from_secs(1);
/// All of them together get this part of what is left of the run.
const SHARE: u32 = 8;

/// Functions of the new version that do the same as in the old one, each with those on which that rests.
#[derive(Clone, Debug, Default)]
pub(super) struct Discharged {
    functions: Congruent,
}

pub(super) fn discharge(session: &Session<'_>, loaded: &Loaded, alignment: &Alignment) -> Discharged {
    if session.options.search.discharge == Discharge::Off {
        return Discharged::default();
    }
    let (old, new) = (&loaded.old.program, &loaded.new.program);
    let candidates = alignment.with_other_bodies(old, new);
    let begun = Instant::now();
    let until = session.options.budget.deadline.map(|deadline| begun + deadline.remaining() / SHARE);
    let is_aligned = |(old_id, new_id): (FnId, FnId), solver: &mut Layered<Z3Solver>| {
        let end = Instant::now() + MOST_OF_FUNCTION;
        let limits = Limits { until: Some(until.map_or(end, |until| until.min(end))), ..Limits::default() };
        let pair = difference::Pair { alignment, old: (old, old_id), new: (new, new_id) };
        let found = difference::aligned(pair, solver, limits);
        session.clock.count_same_steps(found.as_ref().map_or_else(|obstacle| obstacle.key(), |_| "aligned"));
        found
    };
    let aligned: BTreeMap<FnId, UpTo> = candidates
        .into_par_iter()
        .map_init(
            || Layered::new(Z3Solver::new()),
            |solver, pair| Some((pair.1, is_aligned(pair, solver).ok()?.up_to())),
        )
        .flatten()
        .collect();
    Discharged { functions: alignment.hold_jointly(old, new, &aligned) }
}

impl Discharged {
    pub fn functions(&self) -> impl Iterator<Item = FnId> + '_ {
        self.functions.keys().copied()
    }

    /// Puts these proofs in the place of what was said before.
    pub fn conclude(&self, loaded: &Loaded, functions: &mut [(&Pair, Judgement)]) {
        let proof = |rests_on| Proof::Aligned { rests_on };
        put(loaded, functions, &self.functions, proof, |verdict| {
            !matches!(verdict, Verdict::Equal { .. }) && !speaks_against_same_steps(verdict)
        });
    }
}
