//! The two runs, the formulas, and the runs on the other side.

use std::collections::HashMap;

use rustc_hash::FxHashSet;

use super::{Blame, Effort, Method, NotLocalized, SuspectBranch};
use crate::compare::FunctionPair;
use crate::compare::difference::{Relation, relate};
use crate::compare::pair::Callees;
use crate::exec::{Branch, BranchKind, Image};
use crate::explore::call::{End, Ended, consistent, fresh_run};
use crate::explore::{Context, Inputs, Options, Strategy, conditions, parameter_name};
use crate::ir::{FileId, Span, Ty};
use crate::signature::readable::{Names, Printer};
use crate::signature::{Ending, function};
use crate::smt::Answer;
use crate::term::{Model, TermId};
use crate::value::Value;
use crate::verdict::Version;
use crate::verdict::not_analysed::Refused;
use crate::verdict::suspicion::{Across, Decision, Moved, OutputsPart};

/// Variables that are moved back towards the call.
const MOST_MOVED: usize = 400;
/// Branches of one line that are asked about: loops pass a line again and again.
const MOST_OF_ONE_LINE: usize = 12;

/// The types of the parameters, which both versions have to share; or why the call cannot be made.
pub fn types(old: &Image<'_>, new: &Image<'_>, pair: &FunctionPair) -> Result<Vec<Ty>, Refused> {
    let callees = Callees::of(pair, old, new);
    callees.old.has_body()?;
    callees.new.has_body()?;
    callees.types()
}

/// Runs both versions on the arguments and finds the branches that one decides and the other does not. `names` are those of
/// the parameters. The error tells why there is nothing to tell.
pub fn localize(
    old: &Image<'_>,
    new: &Image<'_>,
    pair: &FunctionPair,
    options: &Options,
    method: Method,
    arguments: &[Value],
    names: &[String],
) -> Result<Blame, NotLocalized> {
    let types = types(old, new, pair).map_err(NotLocalized::Refused)?;
    let mut localizer = Localizer {
        callees: Callees::of(pair, old, new),
        inputs: Inputs::new(new.program, types, options.bounds, pair.makers.clone()),
        context: Context::new(*options),
        undecided: 0,
        implied: Vec::new(),
    };
    let mut model = localizer.model(arguments)?;
    let old_run = localizer.run(Version::Old, &mut model, method)?;
    let new_run = localizer.run(Version::New, &mut model, method)?;
    if !localizer.inputs.allows(&model) {
        return Err(NotLocalized::OutsideInputs);
    }
    localizer.context.suggest(&localizer.inputs.pool, &model);
    for traced in [&old_run, &new_run] {
        localizer.note(&traced.ended.end)?;
    }
    let mut found = Vec::new();
    for (given, of) in [(&old_run, &new_run), (&new_run, &old_run)] {
        localizer.add_suspects(given, of, &model, &mut found);
    }
    Ok(localizer.conclude(&model, (old_run, new_run), found, names))
}

struct Localizer<'l, 'p> {
    callees: Callees<'l, 'p>,
    inputs: Inputs<'p>,
    context: Context,
    /// Questions that the solver left open.
    undecided: u64,
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
    fn model(&mut self, arguments: &[Value]) -> Result<Model, NotLocalized> {
        let model = self.inputs.model(arguments);
        model.map_err(|error| NotLocalized::of_input(error, &self.inputs.types, arguments))
    }

    fn run(&mut self, version: Version, model: &mut Model, method: Method) -> Result<Traced, NotLocalized> {
        let Inputs { types, pool, space, .. } = &mut self.inputs;
        let mut run = fresh_run(pool, self.context.options.limits);
        let callee = self.callees.of_version(version);
        let ended = callee
            .run(types, space, &mut run, model)
            .map_err(|error| NotLocalized::Refused(Refused::Input(error)))?;
        // The slice of a run that was given up is not known; its path is.
        let strategy = match (&ended.end, method) {
            (End::Stopped(_), _) | (_, Method::Pc) => Strategy::Dart,
            (_, Method::Rsc) => Strategy::Rsc,
        };
        let conditions = conditions(&run, ended.slice, strategy);
        let branches: Vec<Branch> =
            conditions.into_iter().map(|condition| run.branches[condition.instance].clone()).collect();
        let ending = function::ending(&mut run, &ended);
        let all = run.branches.as_slice().to_vec();
        for approximation in std::mem::take(&mut run.approximations) {
            self.context.ledger.note(approximation);
        }
        drop(run);
        if !consistent(&self.inputs.pool, model, &all, &[&ended]) {
            return Err(NotLocalized::Contradiction);
        }
        Ok(Traced { version, ended, ending, branches })
    }

    fn note(&mut self, end: &End) -> Result<(), NotLocalized> {
        match end {
            End::Stopped(stop) => {
                self.context.note_stop(stop);
                Ok(())
            }
            End::NotMade { maker } => Err(NotLocalized::NotMade { maker: maker.to_string() }),
            End::Returned(_) | End::Panicked { .. } => Ok(()),
        }
    }

    /// DARWIN in one direction: the conditions of `of` that those of `given` do not imply.
    fn add_suspects(&mut self, given: &Traced, of: &Traced, model: &Model, found: &mut Vec<Found>) {
        let mut assertions = self.inputs.space.constraints.clone();
        assertions.extend(given.branches.iter().map(|branch| branch.condition));
        let mut asked: HashMap<(FileId, u32), usize> = HashMap::new();
        let given: FxHashSet<TermId> = given.branches.iter().map(|branch| branch.condition).collect();
        for branch in &of.branches {
            if self.context.is_over() {
                self.context.note_time_out();
                return;
            }
            let shared = given.contains(&branch.condition);
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
            assertions.iter().all(|condition| self.inputs.pool.eval(*condition, model) != 0),
            "the call satisfies its own conditions"
        );
    }

    /// An input that goes another way at the branch, as near to the call as is found without further questions.
    fn violation(&mut self, given: &[TermId], branch: &Branch, here: &Model) -> Option<Model> {
        for alternative in &branch.alternatives {
            let mut assertions = given.to_vec();
            assertions.push(*alternative);
            match self.context.ask(&self.inputs.pool, &assertions) {
                Answer::Sat(model) => return Some(self.nearest(&assertions, model, here)),
                Answer::Unsat => {}
                Answer::Unknown(reason) => {
                    self.undecided += 1;
                    self.context.note_unknown(&reason);
                }
            }
        }
        None
    }

    /// Gives variables the values that they have in the call, or ones next to these, as long as all assertions hold.
    fn nearest(&self, assertions: &[TermId], mut model: Model, here: &Model) -> Model {
        let holds = |model: &Model| assertions.iter().all(|term| self.inputs.pool.eval(*term, model) != 0);
        let vars: Vec<_> = self.inputs.pool.vars().map(|(var, info)| (var, info.sort.bits())).collect();
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
        self.inputs.pool.vars().filter(|(var, _)| there.get(*var) != here.get(*var)).count()
    }

    /// What both versions do on another input. Variables that the solver left open get the values that the runs give them.
    fn across(&mut self, model: &mut Model) -> Across {
        let Inputs { types, pool, space, .. } = &mut self.inputs;
        let limits = self.context.options.limits;
        let mut one = |version| {
            let mut run = fresh_run(pool, limits);
            self.callees.of_version(version).run(types, space, &mut run, model).ok()
        };
        let (Some(old), Some(new)) = (one(Version::Old), one(Version::New)) else { return Across::Unknown };
        let mut run = fresh_run(pool, limits);
        match relate(&mut run, self.callees.new.image.common(), &old, &new) {
            Relation::Same | Relation::DifferIf(_) => Across::Agree,
            Relation::DifferHere => Across::Differ,
            Relation::Incomparable | Relation::NotTold | Relation::NoInput(_) => Across::Unknown,
        }
    }

    fn conclude(
        mut self,
        model: &Model,
        (old, new): (Traced, Traced),
        found: Vec<Found>,
        names: &[String],
    ) -> Blame {
        let here = self.inputs.values(model);
        let name = |index: usize| names.get(index).cloned().unwrap_or_else(|| parameter_name(index));
        let parameters: Vec<(String, Ty)> =
            self.inputs.types.iter().enumerate().map(|(index, ty)| (name(index), ty.clone())).collect();
        let printed = Names::new(self.inputs.program, &self.inputs.pool, &parameters);
        let printer = Printer { pool: &self.inputs.pool, names: &printed, program: self.inputs.program };
        let branches: Vec<SuspectBranch> = found
            .into_iter()
            .filter_map(|found| {
                let there = self.inputs.values(&found.other_side);
                let pairs = here.iter().zip(&there).enumerate();
                let moved = pairs.filter(|(_, (here, there))| here != there);
                Some(SuspectBranch {
                    version: found.version,
                    function: found.branch.function,
                    span: found.branch.span?,
                    kind: found.branch.kind,
                    decision: Decision {
                        condition: printer.condition(found.branch.condition),
                        moved: moved
                            .map(|(index, (here, there))| Moved {
                                name: name(index),
                                here: here.clone(),
                                there: there.clone(),
                            })
                            .collect(),
                        across: found.across,
                    },
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
        let outputs = match (&old.ending, &new.ending) {
            (Ending::Returned(_), Ending::Returned(_)) => {
                printer.ending(&old.ending).ok().zip(printer.ending(&new.ending).ok())
            }
            _ => None,
        };
        let outputs = outputs.and_then(|(old, new)| outputs_part(&old, &new));
        self.context.ledger.merge(&self.inputs.space.ledger);
        let spent = &self.context.effort;
        let effort = Effort {
            old_conditions: old.branches.len(),
            new_conditions: new.branches.len(),
            formulas: spent.questions,
            undecided: self.undecided,
            solving: spent.solving,
            total: self.context.elapsed(),
        };
        Blame {
            old: old.ended.outcome(),
            new: new.ended.outcome(),
            implied: self.implied,
            branches,
            outputs,
            ledger: self.context.ledger,
            effort,
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
