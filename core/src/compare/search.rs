//! The exploration of a pair.

use std::time::Instant;

use super::difference::{NoInput, Relation, relate};
use super::pair::{Callees, FunctionPair};
use super::{Candidate, Comparison, Contents, Sample};
use crate::exec::{Image, InputError, Stop};
use crate::explore::call::{End, Ended, consistent, fresh_run};
use crate::explore::{
    Context, Explorer, Finished, Inputs, Novelty, Options, Strategy, Subject, Visited, conditions,
};
use crate::smt::Answer;
use crate::term::Model;
use crate::value::{Outcome, Value};
use crate::verdict::Approximation;
use crate::verdict::not_analysed::Refused;
use crate::verdict::unsupported::Unsupported;

/// Differences kept with their inputs; more of them are counted only.
const MAX_CANDIDATES: usize = 6;
/// Partitions of which one input is kept.
const MOST_SAMPLES: usize = 256;
/// Once a difference is known, this share of the time is spent on finding more.
const SHARE_AFTER_DIFFERENCE: u32 = 5;

/// Compares two functions; `seeds` are inputs to start from (native random runs found them interesting).
pub fn compare(
    old: &Image<'_>,
    new: &Image<'_>,
    pair: FunctionPair,
    options: &Options,
    seeds: &[Vec<Value>],
) -> Comparison {
    let callees = Callees::of(&pair, old, new);
    let types = match callees.types() {
        Ok(types) => types,
        Err(reason) => return Comparison::refused(reason),
    };
    let mut inputs = Inputs::new(new.program, types, options.bounds, pair.makers);
    let mut context = Context::new(*options);
    if !pair.instantiation.is_empty() {
        let types = pair.instantiation.to_string();
        context.ledger.note(Approximation::Instantiated { types });
    }
    let seeds = seeds.iter().filter_map(|seed| inputs.model(seed).ok());
    let first = std::iter::once(Model::new()).chain(seeds).collect();
    let search = Search { callees, first_difference: None, result: Comparison::empty() };
    match Explorer::new(&mut inputs, context, search).explore(first) {
        Ok(finished) => conclude(finished),
        Err(error) => Comparison::refused(Refused::Input(error)),
    }
}

fn conclude(finished: Finished<Search<'_, '_>>) -> Comparison {
    let Finished { subject: Search { mut result, .. }, context, completeness } = finished;
    result.completeness = completeness;
    result.runs = context.effort.runs;
    result.solver_queries = context.effort.questions;
    result.ledger = context.ledger;
    result
}

struct Search<'i, 'p> {
    callees: Callees<'i, 'p>,
    first_difference: Option<Instant>,
    result: Comparison,
}

/// One run of both versions.
struct Visit {
    relation: Relation,
    old: Ended,
    new: Ended,
}

impl Subject for Search<'_, '_> {
    type Visit = Visit;

    fn run(
        &mut self,
        inputs: &mut Inputs<'_>,
        context: &mut Context,
        model: &mut Model,
    ) -> Result<Visited<Visit>, InputError> {
        let Inputs { types, pool, space, .. } = &mut *inputs;
        let mut run = fresh_run(pool, context.options.limits);
        let old = self.callees.old.run(types, space, &mut run, model)?;
        // Each version has the whole budget of steps.
        context.effort.steps += std::mem::take(&mut run.steps);
        let new = self.callees.new.run(types, space, &mut run, model)?;
        context.effort.steps += run.steps;
        let relation = relate(&mut run, &old, &new);
        let output = run.union(old.slice, new.slice);
        // The slice of a run that was given up is not known; its path is.
        let strategy = match relation {
            Relation::Incomparable => Strategy::Dart,
            _ => context.options.strategy,
        };
        let conditions = conditions(&run, output, strategy);
        let branches = run.branches.as_slice().to_vec();
        for approximation in std::mem::take(&mut run.approximations) {
            context.ledger.note(approximation);
        }
        drop(run);
        if !consistent(&inputs.pool, model, &branches, &[&old, &new]) {
            self.note_mismatch(inputs, context, model);
        }
        Ok(Visited { conditions, visit: Visit { relation, old, new } })
    }

    fn file(
        &mut self,
        inputs: &mut Inputs<'_>,
        context: &mut Context,
        visited: Visited<Visit>,
        model: Model,
        novelty: Novelty,
    ) -> Result<(), InputError> {
        match novelty {
            Novelty::New => self.judge(inputs, context, visited, model),
            Novelty::Known => {
                // A partition in which one input differs and another was judged not to: a slice was too small. The
                // difference counts all the same.
                if visited.visit.relation == Relation::DifferHere && self.result.partitions.differing == 0 {
                    self.differs(inputs, &model, &visited.visit);
                }
                Ok(())
            }
        }
    }

    fn is_enough(&self, context: &Context) -> bool {
        let most = context.options.timeout / SHARE_AFTER_DIFFERENCE;
        self.first_difference.is_some_and(|first| first.elapsed() > most)
    }
}

impl Search<'_, '_> {
    fn judge(
        &mut self,
        inputs: &mut Inputs<'_>,
        context: &mut Context,
        visited: Visited<Visit>,
        model: Model,
    ) -> Result<(), InputError> {
        let Visited { conditions, visit } = visited;
        self.keep_sample(inputs, &visit, &model);
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
                self.differs(inputs, &model, &visit);
            }
            Relation::DifferIf(term) => {
                self.result.partitions.explored += 1;
                let mut assertions = inputs.space.constraints.clone();
                assertions.extend(conditions.iter().map(|condition| condition.holds));
                assertions.push(term);
                match context.ask(&inputs.pool, &assertions) {
                    Answer::Unsat => self.result.solved += 1,
                    Answer::Unknown(reason) => context.note_unknown(&reason),
                    Answer::Sat(mut model) => {
                        let witness = self.run(inputs, context, &mut model)?.visit;
                        context.effort.runs += 1;
                        if witness.relation == Relation::DifferHere {
                            self.differs(inputs, &model, &witness);
                        } else {
                            self.note_mismatch(inputs, context, &model);
                        }
                    }
                }
            }
            Relation::NotTold => {
                context.ledger.note(Approximation::Unsupported { what: Unsupported::PanicsOfTheLanguage });
            }
            Relation::NoInput(which) => {
                // Nothing is called here, so nothing differs; but nothing is compared either.
                if let NoInput::InOne { maker } = which {
                    context.ledger.note(Approximation::MakersDiffer { maker: maker.to_string() });
                }
            }
            Relation::Incomparable => {
                for ended in [&visit.old, &visit.new] {
                    if let End::Stopped(stop) = &ended.end {
                        context.note_stop(stop);
                    }
                }
                self.suspect_endless_loop(inputs, &model, &visit);
            }
        }
        Ok(())
    }

    /// Keeps an input of a partition in which both versions came to an end.
    fn keep_sample(&mut self, inputs: &Inputs<'_>, visit: &Visit, model: &Model) {
        let both_end = matches!(visit.relation, Relation::Same | Relation::DifferIf(_));
        if !both_end || self.result.samples.len() >= MOST_SAMPLES {
            return;
        }
        if let (Some(old), Some(new)) = (visit.old.outcome(), visit.new.outcome()) {
            self.result.samples.push(Sample { inputs: inputs.values(model), old, new });
        }
    }

    /// A loop that only one version failed to leave is worth a native try.
    fn suspect_endless_loop(&mut self, inputs: &Inputs<'_>, model: &Model, visit: &Visit) {
        let endless =
            |end: &End| matches!(end, End::Stopped(Stop::LoopBound { .. } | Stop::StepBudget { .. }));
        let ended = |end: &End| !matches!(end, End::Stopped(_));
        let (old, new) = (&visit.old.end, &visit.new.end);
        if (endless(old) && ended(new)) || (ended(old) && endless(new)) {
            self.candidate(inputs, model, visit);
        }
    }

    fn differs(&mut self, inputs: &Inputs<'_>, model: &Model, visit: &Visit) {
        self.result.partitions.differing += 1;
        self.first_difference.get_or_insert_with(Instant::now);
        self.candidate(inputs, model, visit);
    }

    fn candidate(&mut self, inputs: &Inputs<'_>, model: &Model, visit: &Visit) {
        if self.result.candidates.len() >= MAX_CANDIDATES {
            return;
        }
        let outcome = |ended: &Ended| ended.outcome().unwrap_or(Outcome::Hung);
        let (old, new) = (outcome(&visit.old), outcome(&visit.new));
        let contents = match (visit.old.outcome_with_contents(), visit.new.outcome_with_contents()) {
            (Some(old_contents), Some(new_contents)) if old == new => {
                Some(Box::new(Contents { old: old_contents, new: new_contents }))
            }
            _ => None,
        };
        self.result.candidates.push(Candidate { inputs: inputs.values(model), old, new, contents });
    }

    /// The engine contradicts itself on this input.
    fn note_mismatch(&self, inputs: &Inputs<'_>, context: &mut Context, model: &Model) {
        let call = self.callees.new.call_text(&inputs.values(model));
        context.ledger.note(Approximation::EngineMismatch { call });
    }
}
