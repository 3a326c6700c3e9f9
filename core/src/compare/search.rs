//! The exploration loop of a comparison.

use std::time::Instant;

use super::difference::{NoInput, Relation, relate};
use super::pair::{End, Ended, consistent, fresh_run, parameter_name, parameter_types, run_version};
use super::{Candidate, Comparison, Contents, Coverage, Options, Sample, Subject};
use crate::exec::resolve::Resolved;
use crate::exec::run::PanicPolicy;
use crate::exec::{Image, InputError, InputSpace, Makers, Stop};
use crate::explore::frontier::Frontier;
use crate::explore::{Condition, Strategy, conditions};
use crate::ir::Ty;
use crate::localize::{self, VersionConditions};
use crate::smt::{Answer, Layered, Solver, SolverLimits, Z3Solver};
use crate::term::{Model, TermId, TermPool};
use crate::value::Value;
use crate::verdict::{Approximation, Suspect, Version};

/// Differences kept with their inputs; more of them are counted only.
const MAX_CANDIDATES: usize = 6;
/// Beyond this many partitions the question whether they are all is not asked any more.
const MAX_COVERED: usize = 600;
/// Partitions of which one input is kept.
const MOST_SAMPLES: usize = 256;
/// Once a difference is known, this share of the time is spent on finding more.
const SHARE_AFTER_DIFFERENCE: u32 = 5;

/// Compares two functions; `seeds` are inputs to start from (the native pre-pass found them interesting).
pub fn compare(
    old: &Image<'_>,
    new: &Image<'_>,
    subject: Subject,
    options: &Options,
    seeds: &[Vec<Value>],
) -> Comparison {
    let callees = Callees {
        old: Resolved { function: subject.old, subst: subject.instantiation.old.clone() },
        new: Resolved { function: subject.new, subst: subject.instantiation.new.clone() },
    };
    let types = match (parameter_types(old, &callees.old), parameter_types(new, &callees.new)) {
        (Ok(old_types), Ok(new_types)) if old_types == new_types => new_types,
        (Ok(_), Ok(_)) => return Comparison::refused("the parameter types differ".into()),
        (Err(reason), _) | (_, Err(reason)) => return Comparison::refused(reason),
    };
    let mut search = Search::new(old, new, callees, options, types, subject.makers.clone());
    if !subject.instantiation.is_empty() {
        let types = subject.instantiation.to_string();
        search.result.ledger.note(Approximation::Instantiated { types });
    }
    match search.run(seeds) {
        Ok(()) => search.conclude(),
        Err(error) => Comparison::refused(error.to_string()),
    }
}

/// What is called in each version.
struct Callees {
    old: Resolved,
    new: Resolved,
}

struct Search<'s, 'p> {
    old: &'s Image<'p>,
    new: &'s Image<'p>,
    callees: Callees,
    options: &'s Options,
    types: Vec<Ty>,
    pool: TermPool,
    space: InputSpace,
    solver: Layered<Z3Solver>,
    frontier: Frontier,
    /// The conditions of each partition explored.
    explored: Vec<Vec<TermId>>,
    started: Instant,
    first_difference: Option<Instant>,
    result: Comparison,
}

/// One run of both versions, reduced to what outlives it.
struct Visit {
    conditions: Vec<Condition>,
    relation: Relation,
    old: Ended,
    new: Ended,
}

impl<'s, 'p> Search<'s, 'p> {
    fn new(
        old: &'s Image<'p>,
        new: &'s Image<'p>,
        callees: Callees,
        options: &'s Options,
        types: Vec<Ty>,
        makers: Makers,
    ) -> Self {
        let mut result = Comparison::refused(String::new());
        result.refused = None;
        if options.limits.panics == PanicPolicy::AssumeNone {
            result.ledger.note(Approximation::NoPanicAssumed);
        }
        Search {
            old,
            new,
            callees,
            options,
            types,
            pool: TermPool::new(),
            space: InputSpace::new(options.bounds, makers),
            solver: Layered::new(Z3Solver::new()),
            frontier: Frontier::default(),
            explored: Vec::new(),
            started: Instant::now(),
            first_difference: None,
            result,
        }
    }

    fn run(&mut self, seeds: &[Vec<Value>]) -> Result<(), InputError> {
        self.visit_and_record(Model::new(), &[])?;
        for seed in seeds {
            if let Some(model) = self.seed(seed) {
                self.visit_and_record(model, &[])?;
            }
        }
        loop {
            while let Some(prefix) = self.frontier.pop() {
                if self.out_of_time() {
                    let seconds = self.options.timeout.as_secs();
                    self.result.ledger.note(Approximation::TimeBudget { seconds });
                    return Ok(());
                }
                let mut assertions = self.space.constraints.clone();
                assertions.extend(&prefix.conditions);
                match self.ask(&assertions) {
                    Answer::Sat(model) => self.visit_and_record(model, &prefix.conditions)?,
                    Answer::Unsat => {}
                    Answer::Unknown(reason) => {
                        self.result.ledger.note(Approximation::SolverUnknown { reason: reason.to_string() })
                    }
                }
            }
            // The frontier is empty. That nothing was missed is not taken from the algorithm but asked.
            match self.uncovered() {
                Some(model) => {
                    let before = self.explored.len();
                    self.visit_and_record(model, &[])?;
                    if self.explored.len() == before {
                        return Ok(());
                    }
                }
                None => return Ok(()),
            }
        }
    }

    fn out_of_time(&self) -> bool {
        let total = self.options.timeout;
        self.started.elapsed() > total
            || self.first_difference.is_some_and(|first| first.elapsed() > total / SHARE_AFTER_DIFFERENCE)
    }

    fn ask(&mut self, assertions: &[TermId]) -> Answer {
        self.result.solver_queries += 1;
        let left = self.options.timeout.saturating_sub(self.started.elapsed());
        let limits = SolverLimits::within(left.min(self.options.query_timeout));
        self.solver.check(&self.pool, assertions, &limits)
    }

    fn seed(&mut self, values: &[Value]) -> Option<Model> {
        let mut model = Model::new();
        let types = self.types.clone();
        let fits = values.len() == types.len()
            && values.iter().zip(&types).enumerate().all(|(index, (value, ty))| {
                let name = parameter_name(index);
                self.space.seed(self.new.program, &mut self.pool, &mut model, &name, ty, value)
            });
        fits.then_some(model)
    }

    /// Runs both versions on the model's input, files the partition, and extends the frontier.
    fn visit_and_record(&mut self, mut model: Model, prefix: &[TermId]) -> Result<(), InputError> {
        let visit = self.visit(&mut model)?;
        self.result.runs += 1;
        let key: Vec<TermId> = visit.conditions.iter().map(|condition| condition.holds).collect();
        self.frontier.extend(&visit.conditions, prefix);
        let mut sorted = key.clone();
        sorted.sort_unstable();
        if self.explored.contains(&sorted) {
            // A partition in which one input differs and another was judged not to: a slice was too small. The
            // difference counts all the same.
            if visit.relation == Relation::DifferHere && self.result.partitions.differing == 0 {
                self.differs(&model, &visit)?;
            }
            return Ok(());
        }
        self.explored.push(sorted);
        self.judge(visit, key, model)
    }

    fn visit(&mut self, model: &mut Model) -> Result<Visit, InputError> {
        let mut run = fresh_run(&mut self.pool, self.options.limits);
        let old = run_version(
            self.old,
            Version::Old,
            &self.callees.old,
            &self.types,
            &mut self.space,
            &mut run,
            model,
        )?;
        // Each version has the whole budget of steps.
        run.steps = 0;
        let new = run_version(
            self.new,
            Version::New,
            &self.callees.new,
            &self.types,
            &mut self.space,
            &mut run,
            model,
        )?;
        let relation = relate(&mut run, &old, &new);
        let output = run.union(old.slice, new.slice);
        // The slice of a run that was given up is not known; its path is.
        let strategy = match relation {
            Relation::Incomparable => Strategy::Dart,
            _ => self.options.strategy,
        };
        let conditions = conditions(&run, output, strategy);
        let branches = run.branches.as_slice().to_vec();
        for approximation in std::mem::take(&mut run.approximations) {
            self.result.ledger.note(approximation);
        }
        drop(run);
        if !consistent(&self.pool, model, &branches, &[&old, &new]) {
            let call = self.describe_call(model);
            self.result.ledger.note(Approximation::EngineMismatch { call });
        }
        Ok(Visit { conditions, relation, old, new })
    }

    fn judge(&mut self, visit: Visit, key: Vec<TermId>, model: Model) -> Result<(), InputError> {
        self.keep_sample(&visit, &model);
        match visit.relation {
            Relation::Same => {
                self.result.partitions.explored += 1;
                self.result.syntactic += 1;
                if matches!(visit.old.end, End::Panicked { .. }) {
                    self.result.panicking += 1;
                }
            }
            Relation::DifferHere => {
                self.result.partitions.explored += 1;
                self.differs(&model, &visit)?;
            }
            Relation::DifferIf(term) => {
                self.result.partitions.explored += 1;
                let mut assertions = self.space.constraints.clone();
                assertions.extend(key);
                assertions.push(term);
                match self.ask(&assertions) {
                    Answer::Unsat => self.result.solved += 1,
                    Answer::Unknown(reason) => {
                        self.result.ledger.note(Approximation::SolverUnknown { reason: reason.to_string() })
                    }
                    Answer::Sat(mut model) => {
                        let witness = self.visit(&mut model)?;
                        self.result.runs += 1;
                        if witness.relation == Relation::DifferHere {
                            self.differs(&model, &witness)?;
                        } else {
                            let call = self.describe_call(&model);
                            self.result.ledger.note(Approximation::EngineMismatch { call });
                        }
                    }
                }
            }
            Relation::NotTold => {
                let what = "panics in the words of the language, which only what raised them tells apart";
                self.result.ledger.note(Approximation::Unsupported { what: what.into() });
            }
            Relation::NoInput(which) => {
                // Nothing is called here, so nothing differs; but nothing is compared either.
                if let NoInput::InOne { maker } = which {
                    self.result.ledger.note(Approximation::MakersDiffer { maker: maker.to_string() });
                }
            }
            Relation::Incomparable => {
                self.note_stop(&visit.old.end);
                self.note_stop(&visit.new.end);
                self.suspect_endless_loop(&model, &visit)?;
            }
        }
        Ok(())
    }

    /// Keeps an input of a partition in which both versions came to an end.
    fn keep_sample(&mut self, visit: &Visit, model: &Model) {
        let both_end = matches!(visit.relation, Relation::Same | Relation::DifferIf(_));
        if !both_end || self.result.samples.len() >= MOST_SAMPLES {
            return;
        }
        if let (Some(old), Some(new)) = (visit.old.outcome(), visit.new.outcome()) {
            let inputs = self.inputs(model);
            self.result.samples.push(Sample { inputs, old, new });
        }
    }

    fn note_stop(&mut self, end: &End) {
        if let End::Stopped(stop) = end
            && let Some(approximation) = stop.approximation()
        {
            self.result.ledger.note(approximation);
        }
    }

    /// A loop that only one version failed to leave is worth a native try.
    fn suspect_endless_loop(&mut self, model: &Model, visit: &Visit) -> Result<(), InputError> {
        let endless =
            |end: &End| matches!(end, End::Stopped(Stop::LoopBound { .. } | Stop::StepBudget { .. }));
        let ended = |end: &End| !matches!(end, End::Stopped(_));
        let (old, new) = (&visit.old.end, &visit.new.end);
        if (endless(old) && ended(new)) || (ended(old) && endless(new)) {
            self.candidate(model, visit, Vec::new());
        }
        Ok(())
    }

    fn differs(&mut self, model: &Model, visit: &Visit) -> Result<(), InputError> {
        self.result.partitions.differing += 1;
        self.first_difference.get_or_insert_with(Instant::now);
        let suspects =
            if self.result.candidates.len() < MAX_CANDIDATES { self.suspects(model)? } else { Vec::new() };
        self.candidate(model, visit, suspects);
        Ok(())
    }

    fn candidate(&mut self, model: &Model, visit: &Visit, suspects: Vec<Suspect>) {
        use crate::value::Outcome;
        if self.result.candidates.len() >= MAX_CANDIDATES {
            return;
        }
        let inputs = self.inputs(model);
        let outcome = |ended: &Ended| ended.outcome().unwrap_or(Outcome::Hung);
        let (old, new) = (outcome(&visit.old), outcome(&visit.new));
        let contents = match (visit.old.outcome_with_contents(), visit.new.outcome_with_contents()) {
            (Some(old_contents), Some(new_contents)) if old == new => {
                Some(Box::new(Contents { old: old_contents, new: new_contents }))
            }
            _ => None,
        };
        self.result.candidates.push(Candidate { inputs, old, new, contents, suspects });
    }

    fn inputs(&self, model: &Model) -> Vec<Value> {
        self.types
            .iter()
            .enumerate()
            .map(|(index, ty)| {
                self.space.value(self.new.program, &self.pool, model, &parameter_name(index), ty)
            })
            .collect()
    }

    fn describe_call(&self, model: &Model) -> String {
        let args: Vec<String> = self.inputs(model).iter().map(ToString::to_string).collect();
        format!("{}({})", self.new.program.functions[self.callees.new.function].path, args.join(", "))
    }

    /// DARWIN on one differing input: the conditions of each version alone, against the other's.
    fn suspects(&mut self, model: &Model) -> Result<Vec<Suspect>, InputError> {
        let old = self.version_conditions(Version::Old, model)?;
        let new = self.version_conditions(Version::New, model)?;
        let constraints = self.space.constraints.clone();
        let limits = SolverLimits::within(self.options.query_timeout / 4);
        Ok(localize::suspects(&self.pool, &mut self.solver, &limits, &constraints, &old, &new))
    }

    fn version_conditions(
        &mut self,
        version: Version,
        model: &Model,
    ) -> Result<VersionConditions, InputError> {
        let (image, callee) = match version {
            Version::Old => (self.old, self.callees.old.clone()),
            Version::New => (self.new, self.callees.new.clone()),
        };
        let mut run = fresh_run(&mut self.pool, self.options.limits);
        let mut model = model.clone();
        let ended = run_version(image, version, &callee, &self.types, &mut self.space, &mut run, &mut model)?;
        let conditions = conditions(&run, ended.slice, self.options.strategy);
        let branches =
            conditions.into_iter().map(|condition| run.branches[condition.instance].clone()).collect();
        Ok(VersionConditions { version, branches })
    }

    /// An input outside of all explored partitions; none if there is none, or none could be found in time.
    fn uncovered(&mut self) -> Option<Model> {
        if self.explored.len() > MAX_COVERED {
            let reason = format!("{} partitions are too many to show that they are all", self.explored.len());
            self.result.ledger.note(Approximation::SolverUnknown { reason });
            return None;
        }
        let mut assertions = self.space.constraints.clone();
        for partition in &self.explored {
            let inside = self.pool.and_all(partition);
            assertions.push(self.pool.not(inside));
        }
        match self.ask(&assertions) {
            Answer::Sat(model) => Some(model),
            Answer::Unsat => {
                self.result.coverage = Coverage::Complete;
                None
            }
            Answer::Unknown(reason) => {
                self.result.ledger.note(Approximation::SolverUnknown { reason: reason.to_string() });
                None
            }
        }
    }

    fn conclude(mut self) -> Comparison {
        let space_ledger = self.space.ledger.clone();
        self.result.ledger.merge(&space_ledger);
        self.result
    }
}
