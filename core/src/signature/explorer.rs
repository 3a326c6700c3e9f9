//! The exploration loop over one function (Algorithm 1 of the paper).

use std::time::{Duration, Instant};

use rustc_hash::FxHashSet;

use super::coverage::{self, Coverage};
use super::{
    Completeness, Economy, Effort, Ending, Exploration, Milestone, OutputOf, Partition, SymbolicOutput,
};
use crate::compare::Options;
use crate::compare::pair::{End, Ended, consistent, fresh_run, parameter_name, parameter_types, run_version};
use crate::exec::resolve::Resolved;
use crate::exec::run::PanicPolicy;
use crate::exec::{Image, InputError, InputSpace, Makers, Run, Stop};
use crate::explore::frontier::{Frontier, Prefix};
use crate::explore::{Condition, Strategy, conditions};
use crate::ir::{FnBody, Ty};
use crate::smt::{Answer, Layered, Solver, SolverLimits, Z3Solver};
use crate::term::{Model, TermId, TermPool};
use crate::value::Value;
use crate::verdict::{Approximation, Ledger, Version};

/// Beyond this many partitions the question whether they are all is not asked any more.
const MAX_COVERED: usize = 600;

/// One function, ready to be explored. Explorations one after the other share terms and variables, so that what they
/// find can be compared.
pub struct Explorer<'i, 'p> {
    image: &'i Image<'p>,
    callee: Resolved,
    types: Vec<Ty>,
    options: Options,
    /// What is not used, to measure what it gains.
    pub left_out: Vec<Economy>,
    pub pool: TermPool,
    pub space: InputSpace,
}

/// One exploration under way.
struct Search<'e, 'i, 'p> {
    explorer: &'e mut Explorer<'i, 'p>,
    strategy: Strategy,
    /// Each exploration has its own: answers kept from another one would make it look cheap.
    solver: Layered<Z3Solver>,
    frontier: Frontier,
    /// Prefixes that no input satisfies.
    refuted: FxHashSet<Vec<TermId>>,
    known: FxHashSet<Vec<TermId>>,
    relevant: FxHashSet<Vec<TermId>>,
    started: Instant,
    undecided: bool,
    result: Exploration,
}

impl<'i, 'p> Explorer<'i, 'p> {
    /// The error tells why nothing can be run.
    pub fn new(image: &'i Image<'p>, callee: Resolved, options: Options) -> Result<Self, String> {
        match &image.program.functions[callee.function].body {
            FnBody::Present(_) => {}
            FnBody::Unreadable { reason, .. } => return Err(format!("its MIR cannot be read: {reason}")),
            FnBody::Missing => return Err("it has no body".into()),
        }
        let types = parameter_types(image, &callee)?;
        let space = InputSpace::new(options.bounds, Makers::default());
        Ok(Explorer { image, callee, types, options, left_out: Vec::new(), pool: TermPool::new(), space })
    }

    pub fn image(&self) -> &'i Image<'p> {
        self.image
    }

    /// The types of the parameters, closed.
    pub fn types(&self) -> &[Ty] {
        &self.types
    }

    /// All partitions, from the seeds on; without any seed from the smallest input.
    pub fn explore(&mut self, strategy: Strategy, seeds: &[Vec<Value>]) -> Result<Exploration, InputError> {
        let mut ledger = Ledger::default();
        if self.options.limits.panics == PanicPolicy::AssumeNone {
            ledger.note(Approximation::NoPanicAssumed);
        }
        let result = Exploration {
            strategy,
            partitions: Vec::new(),
            completeness: Completeness::Partial,
            ledger,
            effort: Effort::default(),
            timeline: Vec::new(),
        };
        let layer = |economy: &Economy| match economy {
            Economy::Layer(layer) => Some(*layer),
            Economy::Coverage => None,
        };
        let left_out: Vec<_> = self.left_out.iter().filter_map(layer).collect();
        let solver = Layered::without(Z3Solver::new(), &left_out);
        let mut search = Search {
            explorer: self,
            strategy,
            solver,
            frontier: Frontier::default(),
            refuted: FxHashSet::default(),
            known: FxHashSet::default(),
            relevant: FxHashSet::default(),
            started: Instant::now(),
            undecided: false,
            result,
        };
        search.run(seeds)?;
        Ok(search.conclude())
    }

    /// The model of these arguments; none if they are outside of the input space.
    pub fn model(&mut self, inputs: &[Value]) -> Option<Model> {
        let mut model = Model::new();
        let types = self.types.clone();
        let fits = inputs.len() == types.len()
            && inputs.iter().zip(&types).enumerate().all(|(index, (value, ty))| {
                let name = parameter_name(index);
                self.space.seed(self.image.program, &mut self.pool, &mut model, &name, ty, value)
            });
        fits.then_some(model)
    }

    /// Runs the function on the model's input, which is completed where it leaves variables open.
    pub fn visit(&mut self, mut model: Model, strategy: Strategy) -> Result<Visited, InputError> {
        let mut run = fresh_run(&mut self.pool, self.options.limits);
        let ended = run_version(
            self.image,
            Version::New,
            &self.callee,
            &self.types,
            &mut self.space,
            &mut run,
            &mut model,
        )?;
        // The slice of a run that was given up is not known; its path is.
        let strategy = match ended.end {
            End::Stopped(_) => Strategy::Dart,
            _ => strategy,
        };
        let conditions = conditions(&run, ended.slice, strategy);
        let mut relevant: Vec<TermId> = match ended.end {
            End::Stopped(_) => conditions.iter().map(|condition| condition.holds).collect(),
            _ => {
                let branches = run.slices.get(ended.slice).iter().map(|branch| &run.branches[*branch]);
                let decided = branches.filter(|branch| !branch.alternatives.is_empty());
                decided.map(|branch| branch.condition).collect()
            }
        };
        relevant.sort_unstable();
        relevant.dedup();
        let ending = ending(&mut run, &ended);
        let (branches, steps) = (run.branches.as_slice().to_vec(), run.steps);
        drop(run);
        let trust = match consistent(&self.pool, &model, &branches, &[&ended]) {
            true => Trust::Consistent,
            false => Trust::Contradiction,
        };
        let inputs = self.inputs(&model);
        Ok(Visited { partition: Partition { conditions, relevant, model, inputs, ending }, steps, trust })
    }

    fn inputs(&self, model: &Model) -> Vec<Value> {
        let value = |(index, ty): (usize, &Ty)| {
            self.space.value(self.image.program, &self.pool, model, &parameter_name(index), ty)
        };
        self.types.iter().enumerate().map(value).collect()
    }

    /// An input outside of the partitions.
    pub fn outside(&mut self, partitions: &[Partition]) -> Vec<TermId> {
        let mut assertions = self.space.constraints.clone();
        for partition in partitions {
            let conditions: Vec<TermId> =
                partition.conditions.iter().map(|condition| condition.holds).collect();
            let inside = self.pool.and_all(&conditions);
            assertions.push(self.pool.not(inside));
        }
        assertions
    }
}

/// One run, reduced to what outlives it.
#[derive(Clone, Debug)]
pub struct Visited {
    pub partition: Partition,
    pub steps: u64,
    pub trust: Trust,
}

/// Whether the terms of a run agree with its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    Consistent,
    /// A defect of the engine.
    Contradiction,
}

pub(crate) fn ending(run: &mut Run<'_>, ended: &Ended) -> Ending {
    match &ended.end {
        End::Returned(returned) => {
            let outputs = std::iter::once((OutputOf::Return, &returned.value))
                .chain(returned.mutated.iter().map(|(index, output)| (OutputOf::Argument(*index), output)));
            let symbolic = outputs.map(|(of, output)| SymbolicOutput {
                of,
                value: output.value.clone(),
                leaves: output.leaves.iter().map(|leaf| run.term(leaf)).collect(),
            });
            Ending::Returned(symbolic.collect())
        }
        End::Panicked { said, message, location, .. } => {
            Ending::Panicked { kind: *said, message: message.clone(), location: location.clone() }
        }
        End::NotMade { maker } => {
            Ending::Stopped(Stop::Unsupported(format!("an argument that `{maker}` makes")))
        }
        End::Stopped(stop) => Ending::Stopped(stop.clone()),
    }
}

impl Search<'_, '_, '_> {
    fn run(&mut self, seeds: &[Vec<Value>]) -> Result<(), InputError> {
        let mut models: Vec<Model> = seeds.iter().filter_map(|seed| self.explorer.model(seed)).collect();
        if models.is_empty() {
            models.push(Model::new());
        }
        for model in models {
            self.visit(model, &[])?;
        }
        loop {
            while let Some(prefix) = self.frontier.pop() {
                if self.started.elapsed() > self.explorer.options.timeout {
                    let seconds = self.explorer.options.timeout.as_secs();
                    self.result.ledger.note(Approximation::TimeBudget { seconds });
                    return Ok(());
                }
                self.follow(&prefix)?;
            }
            // The frontier is empty. That nothing was missed is not taken from the algorithm but asked.
            self.result.completeness =
                if self.undecided { Completeness::Partial } else { Completeness::Followed };
            if self.leaves_nothing_out() {
                self.result.completeness = Completeness::Proved;
                return Ok(());
            }
            match self.uncovered() {
                Some(model) => {
                    let before = self.result.partitions.len();
                    self.visit(model, &[])?;
                    self.result.effort.found_last += 1;
                    self.result.completeness = Completeness::Partial;
                    if self.result.partitions.len() == before {
                        return Ok(());
                    }
                }
                None => return Ok(()),
            }
        }
    }

    fn follow(&mut self, prefix: &Prefix) -> Result<(), InputError> {
        let mut assertions = self.explorer.space.constraints.clone();
        assertions.extend(&prefix.conditions);
        match self.ask(&assertions) {
            Answer::Sat(model) => self.visit(model, &prefix.conditions),
            Answer::Unsat => {
                self.refuted.insert(prefix.conditions.clone());
                Ok(())
            }
            Answer::Unknown(reason) => {
                self.undecided = true;
                self.result.ledger.note(Approximation::SolverUnknown { reason: reason.to_string() });
                Ok(())
            }
        }
    }

    fn ask(&mut self, assertions: &[TermId]) -> Answer {
        let options = &self.explorer.options;
        let left = options.timeout.saturating_sub(self.started.elapsed()).max(Duration::from_millis(10));
        let limits = SolverLimits::within(left.min(options.query_timeout));
        self.result.effort.questions += 1;
        self.result.effort.formula_nodes += self.explorer.pool.below(assertions).len() as u64;
        let asked = Instant::now();
        let answer = self.solver.check(&self.explorer.pool, assertions, &limits);
        self.result.effort.solving += asked.elapsed();
        answer
    }

    fn visit(&mut self, model: Model, prefix: &[TermId]) -> Result<(), InputError> {
        let begun = Instant::now();
        let Visited { partition, steps, trust } = self.explorer.visit(model, self.strategy)?;
        self.result.effort.executing += begun.elapsed();
        self.result.effort.runs += 1;
        self.result.effort.steps += steps;
        if trust == Trust::Contradiction {
            let path = &self.explorer.image.program.functions[self.explorer.callee.function].path;
            let args: Vec<String> = partition.inputs.iter().map(ToString::to_string).collect();
            let call = format!("{path}({})", args.join(", "));
            self.result.ledger.note(Approximation::EngineMismatch { call });
        }
        self.frontier.extend(&partition.conditions, prefix);
        self.solver.suggest(&self.explorer.pool, partition.model.clone());
        self.relevant.insert(partition.relevant.clone());
        self.result.timeline.push(Milestone {
            at: self.started.elapsed(),
            runs: self.result.effort.runs,
            relevant: self.relevant.len(),
        });
        let mut key: Vec<TermId> = partition.conditions.iter().map(|condition| condition.holds).collect();
        key.sort_unstable();
        if self.known.insert(key) {
            self.note_stop(&partition.ending);
            self.result.partitions.push(partition);
        }
        Ok(())
    }

    fn note_stop(&mut self, ending: &Ending) {
        if let Ending::Stopped(stop) = ending
            && let Some(approximation) = stop.approximation()
        {
            self.result.ledger.note(approximation);
        }
    }

    /// Whether the answers to the prefixes show that there is no input outside of all partitions.
    fn leaves_nothing_out(&mut self) -> bool {
        if self.explorer.left_out.contains(&Economy::Coverage) {
            return false;
        }
        let begun = Instant::now();
        let limits = SolverLimits::within(self.explorer.options.query_timeout);
        let (pool, solver) = (&mut self.explorer.pool, &mut self.solver);
        let mut asked = 0;
        let mut exhaustive = |branch: &Condition| {
            let all: Vec<TermId> = [branch.holds].into_iter().chain(branch.alternatives.clone()).collect();
            let some = pool.or_all(&all);
            let none = pool.not(some);
            if pool.as_bool(none) == Some(false) {
                return true;
            }
            asked += 1;
            matches!(solver.check(pool, &[none], &limits), Answer::Unsat)
        };
        let covered = coverage::coverage(&self.result.partitions, &self.refuted, &mut exhaustive);
        self.result.effort.questions += asked;
        self.result.effort.solving += begun.elapsed();
        covered == Coverage::Whole
    }

    /// An input outside of all explored partitions; none if there is none, or none could be found in time.
    fn uncovered(&mut self) -> Option<Model> {
        if self.result.partitions.len() > MAX_COVERED {
            return None;
        }
        let assertions = self.explorer.outside(&self.result.partitions);
        match self.ask(&assertions) {
            Answer::Sat(model) => Some(model),
            Answer::Unsat => {
                if self.result.completeness == Completeness::Followed {
                    self.result.completeness = Completeness::Proved;
                }
                None
            }
            Answer::Unknown(_) => None,
        }
    }

    fn conclude(mut self) -> Exploration {
        self.result.effort.total = self.started.elapsed();
        let statistics = self.solver.statistics();
        self.result.effort.solver_calls = statistics.solved;
        self.result.effort.in_solver = statistics.solver_time;
        self.result.effort.answers = statistics.clone();
        self.result.ledger.merge(&self.explorer.space.ledger);
        self.result
    }
}
