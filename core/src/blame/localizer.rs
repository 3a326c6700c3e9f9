//! The two runs, the formulas, and the runs on the other side.

use std::collections::HashMap;
use std::time::Instant;

use super::{Across, Blame, Effort, Method, Moved, OutputsPart, SuspectBranch};
use crate::compare::difference::{Relation, relate};
use crate::compare::pair::{End, Ended, consistent, fresh_run, parameter_name, parameter_types, run_version};
use crate::compare::{Options, Subject};
use crate::exec::resolve::Resolved;
use crate::exec::{Branch, BranchKind, Image, InputSpace};
use crate::explore::{Strategy, conditions};
use crate::ir::{FileId, FnBody, Span, Ty};
use crate::signature::readable::{Names, Printer};
use crate::signature::{Ending, explorer};
use crate::smt::{Answer, Layered, Solver, SolverLimits, Z3Solver};
use crate::term::{Model, TermId, TermPool};
use crate::value::Value;
use crate::verdict::{Approximation, Ledger, Version};

/// Variables that are moved back towards the call.
const MOST_MOVED: usize = 400;
/// Branches of one line that are asked about: loops pass a line again and again.
const MOST_OF_ONE_LINE: usize = 12;

/// The types of the parameters, which both versions have to share; or why the call cannot be made.
pub fn types(old: &Image<'_>, new: &Image<'_>, subject: &Subject) -> Result<Vec<Ty>, String> {
    let callees = Callees::of(subject);
    for (image, callee) in [(old, &callees.old), (new, &callees.new)] {
        match &image.program.functions[callee.function].body {
            FnBody::Present(_) => {}
            FnBody::Unreadable { reason, .. } => return Err(format!("its MIR cannot be read: {reason}")),
            FnBody::Missing => return Err("it has no body".into()),
        }
    }
    let (old_types, new_types) = (parameter_types(old, &callees.old)?, parameter_types(new, &callees.new)?);
    if old_types != new_types {
        return Err("its parameter types differ between the versions".into());
    }
    Ok(new_types)
}

/// Runs both versions on the inputs and finds the branches that one decides and the other does not. `names` are those of
/// the parameters. The error tells why there is nothing to tell.
pub fn localize(
    old: &Image<'_>,
    new: &Image<'_>,
    subject: &Subject,
    options: &Options,
    method: Method,
    inputs: &[Value],
    names: &[String],
) -> Result<Blame, String> {
    let types = types(old, new, subject)?;
    if inputs.len() != types.len() {
        return Err(format!("it takes {} arguments, not {}", types.len(), inputs.len()));
    }
    let mut localizer = Localizer {
        old,
        new,
        callees: Callees::of(subject),
        options,
        types,
        pool: TermPool::new(),
        space: InputSpace::new(options.bounds, subject.makers.clone()),
        solver: Layered::new(Z3Solver::new()),
        started: Instant::now(),
        ledger: Ledger::default(),
        effort: Effort::default(),
        implied: Vec::new(),
    };
    let mut model = localizer.model(inputs)?;
    let old_run = localizer.run(Version::Old, &mut model, method)?;
    let new_run = localizer.run(Version::New, &mut model, method)?;
    if localizer.space.constraints.iter().any(|constraint| localizer.pool.eval(*constraint, &model) == 0) {
        return Err("the arguments are not among those that are executed symbolically".into());
    }
    localizer.solver.suggest(&localizer.pool, model.clone());
    for traced in [&old_run, &new_run] {
        localizer.note(&traced.ended.end)?;
    }
    let mut found = Vec::new();
    for (given, of) in [(&old_run, &new_run), (&new_run, &old_run)] {
        localizer.add_suspects(given, of, &model, &mut found)?;
    }
    Ok(localizer.conclude(&model, (old_run, new_run), found, names))
}

/// What is called in each version.
struct Callees {
    old: Resolved,
    new: Resolved,
}

impl Callees {
    fn of(subject: &Subject) -> Callees {
        Callees {
            old: Resolved { function: subject.old, subst: subject.instantiation.old.clone() },
            new: Resolved { function: subject.new, subst: subject.instantiation.new.clone() },
        }
    }
}

struct Localizer<'l, 'p> {
    old: &'l Image<'p>,
    new: &'l Image<'p>,
    callees: Callees,
    options: &'l Options,
    types: Vec<Ty>,
    pool: TermPool,
    space: InputSpace,
    solver: Layered<Z3Solver>,
    started: Instant,
    ledger: Ledger,
    effort: Effort,
    implied: Vec<(Version, Span)>,
}

/// One version's run, reduced to what outlives it.
struct Traced {
    version: Version,
    ended: Ended,
    /// How the outputs are computed.
    ending: Ending,
    /// The branches behind the conditions, in the order in which they are negated.
    branches: Vec<Branch>,
}

/// A suspect with the input on its other side.
struct Found {
    version: Version,
    branch: Branch,
    other_side: Model,
    across: Across,
    /// Variables that have another value on the other side.
    moved: usize,
}

impl Localizer<'_, '_> {
    fn model(&mut self, inputs: &[Value]) -> Result<Model, String> {
        let mut model = Model::new();
        let types = self.types.clone();
        for (index, (value, ty)) in inputs.iter().zip(&types).enumerate() {
            let name = parameter_name(index);
            if !self.space.seed(self.new.program, &mut self.pool, &mut model, &name, ty, value) {
                return Err(format!(
                    "`{value}` is not among the values of `{ty}` that are executed symbolically"
                ));
            }
        }
        Ok(model)
    }

    fn run(&mut self, version: Version, model: &mut Model, method: Method) -> Result<Traced, String> {
        let (image, callee) = match version {
            Version::Old => (self.old, self.callees.old.clone()),
            Version::New => (self.new, self.callees.new.clone()),
        };
        let mut run = fresh_run(&mut self.pool, self.options.limits);
        let ended = run_version(image, version, &callee, &self.types, &mut self.space, &mut run, model)
            .map_err(|error| error.to_string())?;
        // The slice of a run that was given up is not known; its path is.
        let strategy = match (&ended.end, method) {
            (End::Stopped(_), _) | (_, Method::Pc) => Strategy::Dart,
            (_, Method::Rsc) => Strategy::Rsc,
        };
        let conditions = conditions(&run, ended.slice, strategy);
        let branches: Vec<Branch> =
            conditions.into_iter().map(|condition| run.branches[condition.instance].clone()).collect();
        let ending = explorer::ending(&mut run, &ended);
        let all = run.branches.as_slice().to_vec();
        for approximation in std::mem::take(&mut run.approximations) {
            self.ledger.note(approximation);
        }
        drop(run);
        if !consistent(&self.pool, model, &all, &[&ended]) {
            return Err("the engine contradicts itself on this call".into());
        }
        Ok(Traced { version, ended, ending, branches })
    }

    fn note(&mut self, end: &End) -> Result<(), String> {
        match end {
            End::Stopped(stop) => {
                if let Some(approximation) = stop.approximation() {
                    self.ledger.note(approximation);
                }
                Ok(())
            }
            End::NotMade { maker } => Err(format!("`{maker}` makes no value of these arguments")),
            End::Returned(_) | End::Panicked { .. } => Ok(()),
        }
    }

    /// DARWIN in one direction: the conditions of `of` that those of `given` do not imply.
    fn add_suspects(
        &mut self,
        given: &Traced,
        of: &Traced,
        model: &Model,
        found: &mut Vec<Found>,
    ) -> Result<(), String> {
        let mut assertions = self.space.constraints.clone();
        assertions.extend(given.branches.iter().map(|branch| branch.condition));
        let mut asked: HashMap<(FileId, u32), usize> = HashMap::new();
        for branch in &of.branches {
            let shared = given.branches.iter().any(|other| other.condition == branch.condition);
            let here = found.iter().position(|known| known.is_at(of.version, branch));
            // One line is told once; only that passing it makes the difference vanish is worth another question.
            let settled = here.is_some_and(|index| found[index].across == Across::Agree);
            let line = branch.span.map(|span| (span.file, span.line_start));
            let of_line = line.map_or(0, |line| asked.get(&line).copied().unwrap_or(0));
            let is_asked = line.is_some() && of_line < MOST_OF_ONE_LINE;
            if !shared && !settled && is_asked && branch.kind != BranchKind::Concretization {
                if let Some(line) = line {
                    *asked.entry(line).or_default() += 1;
                }
                if self.started.elapsed() > self.options.timeout {
                    let seconds = self.options.timeout.as_secs();
                    self.ledger.note(Approximation::TimeBudget { seconds });
                    return Ok(());
                }
                if let Some(mut other_side) = self.violation(&assertions, branch, model) {
                    let across = self.across(&mut other_side);
                    let moved = self.moved(&other_side, model);
                    let suspect =
                        Found { version: of.version, branch: branch.clone(), other_side, across, moved };
                    match here {
                        None => found.push(suspect),
                        // That which says most: where the versions agree, else where the least has to be otherwise.
                        Some(index) if across == Across::Agree || moved < found[index].moved => {
                            found[index] = suspect;
                        }
                        Some(_) => {}
                    }
                }
            }
            // A line is exonerated only as a whole.
            if let (Some(span), false) =
                (branch.span, found.iter().any(|known| known.is_at(of.version, branch)))
            {
                self.implied.push((of.version, span));
            }
            assertions.push(branch.condition);
        }
        debug_assert!(
            assertions.iter().all(|condition| self.pool.eval(*condition, model) != 0),
            "the call satisfies its own conditions"
        );
        Ok(())
    }

    /// An input that goes another way at the branch, as near to the call as is found without further questions.
    fn violation(&mut self, given: &[TermId], branch: &Branch, here: &Model) -> Option<Model> {
        for alternative in &branch.alternatives {
            let mut assertions = given.to_vec();
            assertions.push(*alternative);
            let left = self.options.timeout.saturating_sub(self.started.elapsed());
            let limits = SolverLimits::within(left.min(self.options.query_timeout));
            self.effort.formulas += 1;
            let asked = Instant::now();
            let answer = self.solver.check(&self.pool, &assertions, &limits);
            self.effort.solving += asked.elapsed();
            match answer {
                Answer::Sat(model) => return Some(self.nearest(&assertions, model, here)),
                Answer::Unsat => {}
                Answer::Unknown(reason) => {
                    self.effort.undecided += 1;
                    self.ledger.note(Approximation::SolverUnknown { reason: reason.to_string() });
                }
            }
        }
        None
    }

    /// Gives variables the values that they have in the call, or ones next to these, as long as all assertions hold.
    fn nearest(&self, assertions: &[TermId], mut model: Model, here: &Model) -> Model {
        let holds = |model: &Model| assertions.iter().all(|term| self.pool.eval(*term, model) != 0);
        let vars: Vec<_> = self.pool.vars().map(|(var, info)| (var, info.sort.bits())).collect();
        // Mostly one variable alone does; and others may only be moved together.
        let differ: Vec<_> =
            vars.iter().filter(|(var, _)| model.get(*var) != here.get(*var)).take(MOST_MOVED).collect();
        for (var, _) in &differ {
            let mut alone = here.clone();
            alone.set(*var, model.get(*var));
            if holds(&alone) {
                model = alone;
                break;
            }
        }
        for (var, bits) in vars.into_iter().take(MOST_MOVED) {
            let (own, found) = (here.get(var), model.get(var));
            let mask = if bits >= 128 { u128::MAX } else { (1 << bits) - 1 };
            for nearer in [own, own.wrapping_add(1) & mask, own.wrapping_sub(1) & mask] {
                model.set(var, nearer);
                if holds(&model) {
                    break;
                }
                model.set(var, found);
            }
        }
        model
    }

    fn moved(&self, there: &Model, here: &Model) -> usize {
        self.pool.vars().filter(|(var, _)| there.get(*var) != here.get(*var)).count()
    }

    /// What both versions do on another input. Variables that the solver left open get the values that the runs give them.
    fn across(&mut self, model: &mut Model) -> Across {
        let mut one = |version| {
            let (image, callee) = match version {
                Version::Old => (self.old, &self.callees.old),
                Version::New => (self.new, &self.callees.new),
            };
            let mut run = fresh_run(&mut self.pool, self.options.limits);
            run_version(image, version, callee, &self.types, &mut self.space, &mut run, model).ok()
        };
        let (Some(old), Some(new)) = (one(Version::Old), one(Version::New)) else { return Across::Unknown };
        let mut run = fresh_run(&mut self.pool, self.options.limits);
        match relate(&mut run, &old, &new) {
            Relation::Same | Relation::DifferIf(_) => Across::Agree,
            Relation::DifferHere => Across::Differ,
            Relation::Incomparable | Relation::NotTold | Relation::NoInput(_) => Across::Unknown,
        }
    }

    fn inputs(&self, model: &Model) -> Vec<Value> {
        let value = |(index, ty): (usize, &Ty)| {
            self.space.value(self.new.program, &self.pool, model, &parameter_name(index), ty)
        };
        self.types.iter().enumerate().map(value).collect()
    }

    fn conclude(
        mut self,
        model: &Model,
        (old, new): (Traced, Traced),
        found: Vec<Found>,
        names: &[String],
    ) -> Blame {
        let here = self.inputs(model);
        let name = |index: usize| names.get(index).cloned().unwrap_or_else(|| parameter_name(index));
        let parameters: Vec<(String, Ty)> =
            self.types.iter().enumerate().map(|(index, ty)| (name(index), ty.clone())).collect();
        let printed = Names::new(self.new.program, &self.pool, &parameters);
        let printer = Printer { pool: &self.pool, names: &printed, program: self.new.program };
        let branches: Vec<SuspectBranch> = found
            .into_iter()
            .filter_map(|found| {
                let there = self.inputs(&found.other_side);
                let pairs = here.iter().zip(&there).enumerate();
                let moved = pairs.filter(|(_, (here, there))| here != there);
                Some(SuspectBranch {
                    version: found.version,
                    function: found.branch.function,
                    span: found.branch.span?,
                    kind: found.branch.kind,
                    condition: printer.condition(found.branch.condition),
                    moved: moved
                        .map(|(index, (here, there))| Moved {
                            name: name(index),
                            here: here.clone(),
                            there: there.clone(),
                        })
                        .collect(),
                    across: found.across,
                })
            })
            .collect();
        self.implied.retain(|(version, span)| {
            let is_suspect = |suspect: &SuspectBranch| {
                let (a, b) = (suspect.span, *span);
                suspect.version == *version && (a.file, a.line_start) == (b.file, b.line_start)
            };
            !branches.iter().any(is_suspect)
        });
        let outputs = outputs_part(&printer.ending_of(&old.ending), &printer.ending_of(&new.ending))
            .filter(|_| matches!((&old.ending, &new.ending), (Ending::Returned(_), Ending::Returned(_))));
        self.effort.old_conditions = old.branches.len();
        self.effort.new_conditions = new.branches.len();
        self.effort.total = self.started.elapsed();
        self.ledger.merge(&self.space.ledger);
        Blame {
            old: old.ended.outcome(),
            new: new.ended.outcome(),
            implied: self.implied,
            branches,
            outputs,
            ledger: self.ledger,
            effort: self.effort,
        }
    }
}

impl Found {
    fn is_at(&self, version: Version, branch: &Branch) -> bool {
        let line = |branch: &Branch| branch.span.map(|span| (span.file, span.line_start));
        self.version == version && line(&self.branch) == line(branch)
    }
}

/// The first output that the versions write differently.
fn outputs_part(old: &[String], new: &[String]) -> Option<OutputsPart> {
    let mut pairs = old.iter().zip(new);
    let (old, new) = pairs.find(|(old, new)| old != new)?;
    Some(OutputsPart { old: old.clone(), new: new.clone() })
}
