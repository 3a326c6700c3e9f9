//! The exploration of one function.

use rustc_hash::FxHashSet;

use super::{Ending, Exploration, Milestone, OutputOf, Partition, SymbolicOutput};
use crate::exec::resolve::Resolved;
use crate::exec::{Image, InputError, Makers, Run, Stop};
use crate::explore::call::{Callee, End, Ended, consistent, fresh_run};
use crate::explore::{
    Context, Economy, Explorer, Finished, Inputs, Novelty, Options, Patience, Strategy, Subject, Visited,
    conditions,
};
use crate::ir::Ty;
use crate::term::{Model, TermId};
use crate::value::Value;
use crate::verdict::not_analysed::Refused;
use crate::verdict::unsupported::CallTrouble;
use crate::verdict::{Approximation, Version};

/// One function, ready to be explored. Explorations one after the other share terms and variables, so that what they
/// find can be compared.
pub struct Function<'i, 'p> {
    callee: Callee<'i, 'p>,
    options: Options,
    /// What is not used, to measure what it gains.
    pub left_out: Vec<Economy>,
    pub inputs: Inputs<'p>,
}

impl<'i, 'p> Function<'i, 'p> {
    /// The error tells why nothing can be run.
    pub fn new(image: &'i Image<'p>, resolved: Resolved, options: Options) -> Result<Self, Refused> {
        let callee = Callee { version: Version::New, image, resolved };
        callee.has_body()?;
        let inputs = Inputs::new(image.program, callee.types()?, options.bounds, Makers::default());
        Ok(Function { callee, options, left_out: Vec::new(), inputs })
    }

    pub fn image(&self) -> &'i Image<'p> {
        self.callee.image
    }

    /// The types of the parameters, closed.
    pub fn types(&self) -> &[Ty] {
        &self.inputs.types
    }

    /// All partitions, from the seeds on; without any seed from the smallest input.
    pub fn explore(&mut self, strategy: Strategy, seeds: &[Vec<Value>]) -> Result<Exploration, InputError> {
        let mut first: Vec<Model> = seeds.iter().filter_map(|seed| self.inputs.model(seed).ok()).collect();
        if first.is_empty() {
            first.push(Model::new());
        }
        let context = Context::without(self.options, self.left_out.clone());
        let search = Search {
            callee: &self.callee,
            strategy,
            relevant: FxHashSet::default(),
            partitions: Vec::new(),
            timeline: Vec::new(),
        };
        let Finished { subject, context, completeness } =
            Explorer::new(&mut self.inputs, context, search).explore(first)?;
        Ok(Exploration {
            strategy,
            partitions: subject.partitions,
            completeness,
            ledger: context.ledger,
            effort: context.effort,
            timeline: subject.timeline,
        })
    }

    /// The partition of one input.
    pub fn visit(&mut self, mut model: Model, strategy: Strategy) -> Result<Partition, InputError> {
        let mut context = Context::without(self.options, self.left_out.clone());
        let Visited { conditions, visit } =
            run(&self.callee, strategy, &mut self.inputs, &mut context, &mut model)?;
        Ok(visit.partition(conditions, &self.inputs, model))
    }
}

/// One exploration under way.
struct Search<'f, 'i, 'p> {
    callee: &'f Callee<'i, 'p>,
    strategy: Strategy,
    relevant: FxHashSet<Vec<TermId>>,
    partitions: Vec<Partition>,
    timeline: Vec<Milestone>,
}

/// What outlives a run.
struct Visit {
    relevant: Vec<TermId>,
    ending: Ending,
    steps: u64,
}

impl Visit {
    fn partition(
        self,
        conditions: Vec<crate::explore::Condition>,
        inputs: &Inputs<'_>,
        model: Model,
    ) -> Partition {
        let arguments = inputs.values(&model);
        let Visit { relevant, ending, steps } = self;
        Partition { conditions, relevant, model, inputs: arguments, ending, steps }
    }
}

impl Subject for Search<'_, '_, '_> {
    type Visit = Visit;

    fn run(
        &mut self,
        inputs: &mut Inputs<'_>,
        context: &mut Context,
        model: &mut Model,
    ) -> Result<Visited<Visit>, InputError> {
        run(self.callee, self.strategy, inputs, context, model)
    }

    fn file(
        &mut self,
        inputs: &mut Inputs<'_>,
        context: &mut Context,
        visited: Visited<Visit>,
        model: Model,
        novelty: Novelty,
    ) -> Result<(), InputError> {
        self.relevant.insert(visited.visit.relevant.clone());
        self.timeline.push(Milestone {
            at: context.elapsed(),
            runs: context.effort.runs,
            relevant: self.relevant.len(),
        });
        if novelty == Novelty::New {
            if let Ending::Stopped(stop) = &visited.visit.ending {
                context.note_stop(stop);
            }
            self.partitions.push(visited.visit.partition(visited.conditions, inputs, model));
        }
        Ok(())
    }

    fn patience(&self, _: &Context) -> Patience {
        Patience::GoesOn
    }
}

fn run(
    callee: &Callee<'_, '_>,
    strategy: Strategy,
    inputs: &mut Inputs<'_>,
    context: &mut Context,
    model: &mut Model,
) -> Result<Visited<Visit>, InputError> {
    let mut run = fresh_run(&mut inputs.pool, context.options.limits);
    let ended = callee.run(&inputs.types, &mut inputs.space, &mut run, model)?;
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
    context.effort.steps += steps;
    drop(run);
    if !consistent(&inputs.pool, model, &branches, &[&ended]) {
        let call = callee.call_text(&inputs.values(model));
        context.ledger.note(Approximation::EngineMismatch { call });
    }
    Ok(Visited { conditions, visit: Visit { relevant, ending, steps } })
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
        End::NotMade { maker } => Ending::Stopped(Stop::of_call(maker, CallTrouble::MadeNone)),
        End::Stopped(stop) => Ending::Stopped(stop.clone()),
    }
}
