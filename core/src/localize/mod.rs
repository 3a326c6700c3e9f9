//! Root-cause localization by relevant slice conditions (DESIGN §8).
//!
//! *Idea.* On an input where the versions differ, a condition of the new version that the old version's partition does
//! not imply is a place where the new version decides otherwise than the old one.
//!
//! *Definition.* With g = RSC_old(t) and RSC_new(t) = ψ₁ ∧ … ∧ ψₘ, the branch behind ψᵢ is a suspect iff
//! g ∧ ψ₁ ∧ … ∧ ψᵢ₋₁ ∧ ¬ψᵢ is satisfiable; the same with the roles exchanged finds branches that only the old version has.
//!
//! *Not handled here.* Assignment errors (equal conditions, different output terms) are left to the statement diff, and
//! hunks to delta debugging.
//!
//! *Source.* D. Qi, A. Roychoudhury, Z. Liang, K. Vaswani: DARWIN, ESEC/FSE 2009; with relevant slice conditions in
//! D. Qi, H. Nguyen, A. Roychoudhury: Path exploration based on symbolic output, ESEC/FSE 2011.

use crate::exec::{Branch, BranchKind};
use crate::smt::{Answer, Solver, SolverLimits};
use crate::term::{TermId, TermPool};
use crate::verdict::{Suspect, Version};

/// The conditions of one version's run on the differing input, reordered.
#[derive(Clone, Debug)]
pub struct VersionConditions {
    pub version: Version,
    pub branches: Vec<Branch>,
}

/// Suspect branches of both versions, those of the new one first.
pub fn suspects(
    pool: &TermPool,
    solver: &mut dyn Solver,
    limits: &SolverLimits,
    constraints: &[TermId],
    old: &VersionConditions,
    new: &VersionConditions,
) -> Vec<Suspect> {
    let mut found: Vec<Suspect> = Vec::new();
    for (given, of) in [(old, new), (new, old)] {
        let mut assertions = constraints.to_vec();
        assertions.extend(given.branches.iter().map(|branch| branch.condition));
        for branch in &of.branches {
            // A condition that stands on both sides is implied; no solver is needed to see it.
            let shared = given.branches.iter().any(|other| other.condition == branch.condition);
            if !shared && is_violable(pool, solver, limits, &assertions, branch) {
                add(&mut found, of.version, branch);
            }
            assertions.push(branch.condition);
        }
    }
    for (rank, suspect) in found.iter_mut().enumerate() {
        suspect.rank = rank as u32 + 1;
    }
    found
}

fn is_violable(
    pool: &TermPool,
    solver: &mut dyn Solver,
    limits: &SolverLimits,
    given: &[TermId],
    branch: &Branch,
) -> bool {
    branch.alternatives.iter().any(|alternative| {
        let mut assertions = given.to_vec();
        assertions.push(*alternative);
        matches!(solver.check(pool, &assertions, limits), Answer::Sat(_))
    })
}

fn add(found: &mut Vec<Suspect>, version: Version, branch: &Branch) {
    let Some(span) = branch.span else { return };
    if branch.kind == BranchKind::Concretization
        || found.iter().any(|known| known.version == version && known.span.line_start == span.line_start)
    {
        return;
    }
    let reason = match (version, branch.kind) {
        (Version::New, BranchKind::Check) => "the new version checks here what the old one does not imply",
        (Version::New, _) => "the new version decides here what the old one does not",
        (Version::Old, BranchKind::Check) => "the old version checked here what the new one does not imply",
        (Version::Old, _) => "the old version decided here what the new one does not",
    };
    found.push(Suspect { version, span, rank: 0, reason: reason.into() });
}
