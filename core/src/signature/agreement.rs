//! Whether the partitions of both strategies say the same, by the solver's word.
//!
//! Every path condition has to imply the relevant slice condition of the partition that its example lies in, and under
//! it both outputs have to be equal. Then, as the paths cover all inputs, both signatures are the same function.

use super::{Ending, Exploration, Function, Partition};
use crate::smt::{Answer, AnySolver, Layered, Solver, SolverLimits};
use crate::term::{Evaluator, TermId};
use crate::value::Value;

/// What holding paths against partitions came to.
#[derive(Clone, Debug, Default)]
pub struct Agreement {
    pub paths: u64,
    /// Paths whose condition holds all conditions of the partition and whose outputs are the same terms.
    pub by_terms: u64,
    /// Paths for which the solver refuted a difference.
    pub by_solver: u64,
    pub undecided: u64,
    pub disagreements: Vec<Disagreement>,
}

/// A path that the partitions do not account for, by its example.
#[derive(Clone, Debug, PartialEq)]
pub enum Disagreement {
    /// No partition holds the example.
    Uncovered(Vec<Value>),
    /// Some input of the path lies in another partition.
    Divided(Vec<Value>),
    /// The outputs differ for some input of the path.
    Output(Vec<Value>),
}

enum Held {
    ByTerms,
    BySolver,
    Undecided,
    Against(Disagreement),
}

impl Function<'_, '_> {
    /// Holds each path of `dart` against the partitions of `rsc`; both must come from here.
    pub fn agreement(&mut self, rsc: &Exploration, dart: &Exploration, limits: &SolverLimits) -> Agreement {
        let mut solver = Layered::new(AnySolver::new());
        let mut agreement = Agreement::default();
        for path in &dart.partitions {
            agreement.paths += 1;
            match self.hold(&rsc.partitions, path, &mut solver, limits) {
                Held::ByTerms => agreement.by_terms += 1,
                Held::BySolver => agreement.by_solver += 1,
                Held::Undecided => agreement.undecided += 1,
                Held::Against(disagreement) => agreement.disagreements.push(disagreement),
            }
        }
        agreement
    }

    fn hold(
        &mut self,
        partitions: &[Partition],
        path: &Partition,
        solver: &mut Layered<AnySolver>,
        limits: &SolverLimits,
    ) -> Held {
        let mut evaluator = Evaluator::new(&self.inputs.pool, &path.model);
        let holding = partitions.iter().find(|partition| {
            partition.conditions.iter().all(|condition| evaluator.eval_bool(condition.holds))
        });
        let Some(partition) = holding else {
            return Held::Against(Disagreement::Uncovered(path.inputs.clone()));
        };
        let of_path: Vec<TermId> = path.conditions.iter().map(|condition| condition.holds).collect();
        let missing: Vec<TermId> = partition
            .conditions
            .iter()
            .map(|condition| condition.holds)
            .filter(|condition| !of_path.contains(condition))
            .collect();
        let mut how = Held::ByTerms;
        let mut given = self.inputs.space.constraints.clone();
        given.extend(&of_path);
        if !missing.is_empty() {
            let all = self.inputs.pool.and_all(&missing);
            let outside = self.inputs.pool.not(all);
            match ask(self, solver, &given, outside, limits) {
                Answer::Unsat => how = Held::BySolver,
                Answer::Sat(_) => return Held::Against(Disagreement::Divided(path.inputs.clone())),
                Answer::Unknown(_) => return Held::Undecided,
            }
        }
        let Some(differ) = self.difference(&partition.ending, &path.ending) else {
            return Held::Against(Disagreement::Output(path.inputs.clone()));
        };
        if self.inputs.pool.as_bool(differ) == Some(false) {
            return how;
        }
        match ask(self, solver, &given, differ, limits) {
            Answer::Unsat => Held::BySolver,
            Answer::Sat(_) => Held::Against(Disagreement::Output(path.inputs.clone())),
            Answer::Unknown(_) => Held::Undecided,
        }
    }

    /// Under which condition two endings differ; none if they differ on every input.
    pub fn difference(&mut self, a: &Ending, b: &Ending) -> Option<TermId> {
        match (a, b) {
            (Ending::Returned(a), Ending::Returned(b)) => {
                if a.len() != b.len() || a.iter().zip(b).any(|(a, b)| !a.has_shape_of(b)) {
                    return None;
                }
                let leaves = a.iter().flat_map(|output| &output.leaves);
                let others = b.iter().flat_map(|output| &output.leaves);
                let mut differences = Vec::new();
                for (a, b) in leaves.zip(others) {
                    let equal = self.inputs.pool.eq(*a, *b);
                    differences.push(self.inputs.pool.not(equal));
                }
                Some(self.inputs.pool.or_all(&differences))
            }
            (Ending::Panicked { kind: a, .. }, Ending::Panicked { kind: b, .. }) => {
                (a == b).then(|| self.inputs.pool.bool_const(false))
            }
            // A run that was given up says nothing about how the call ends.
            (Ending::Stopped(_), Ending::Stopped(_)) => Some(self.inputs.pool.bool_const(false)),
            _ => None,
        }
    }
}

fn ask(
    function: &Function<'_, '_>,
    solver: &mut Layered<AnySolver>,
    given: &[TermId],
    question: TermId,
    limits: &SolverLimits,
) -> Answer {
    let mut assertions = given.to_vec();
    assertions.push(question);
    solver.check(&function.inputs.pool, &assertions, limits)
}
