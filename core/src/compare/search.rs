//! The exploration of a pair.

use std::time::Duration;

use super::difference::{NoInput, Relation, relate};
use super::pair::{Callees, FunctionPair};
use super::{Candidate, Comparison, Contents, Sample, stopped_by};
use crate::exec::{Image, InputError, Stop};
use crate::explore::call::{End, Ended, consistent, fresh_run};
use crate::explore::{
    Completeness, Context, Explorer, Finished, Inputs, Novelty, Options, Patience, Strategy, Subject,
    Visited, conditions,
};
use crate::ir::{Ty, TyKind};
use crate::smt::Answer;
use crate::term::Model;
use crate::value::{Outcome, Value};
use crate::verdict::not_analysed::Refused;
use crate::verdict::unsupported::Unsupported;
use crate::verdict::{Approximation, Class};

/// Differences of one class kept with their inputs; more of them are counted only.
const MAX_CANDIDATES: usize = 6;
/// After this share of the time, and so many runs, without a new side of a branch the search leaves the rest to other functions: it goes
/// round in what it knows.
const SHARE_WITHOUT_NEWS: (u32, u64) = (2, 50);
/// Runs in a row that were given up and showed nothing new, after which no more are made where none led to an end.
const MOST_GIVEN_UP: u64 = 100;
/// Partitions of which one input is kept.
pub(super) const MOST_SAMPLES: usize = 256;
/// Once a difference is known, this share of the time is spent on finding more: from the first regression on, or, as long as none is
/// known, after each new side of a branch.
const SHARE_AFTER_DIFFERENCE: u32 = 5;
/// The same by counts, which do not depend on how fast runs are: so many partitions that differ, and, as long as no regression is known, so many
/// runs without a new side of a branch.
const ENOUGH_DIFFERING: u64 = 256;

/// Compares two functions on the inputs within these bounds. Where the bounds on lengths are what makes them few, and no difference is known, it takes no longer than
/// `most_if_bounded`.
pub(super) fn compare_within(
    old: &Image<'_>,
    new: &Image<'_>,
    pair: FunctionPair,
    options: &Options,
    most_if_bounded: Duration,
    seeds: &[Vec<Value>],
) -> Comparison {
    let output = new.program.functions[pair.new].output.clone();
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
    let result = Comparison::empty();
    let search = Search { callees, worst: None, given_up: 0, is_bounded: false, most_if_bounded, result };
    match Explorer::new(&mut inputs, context, search).explore(first) {
        Ok(finished) => conclude(finished, &output),
        Err(error) => Comparison::refused(Refused::Input(error)),
    }
}

fn conclude(finished: Finished<Search<'_, '_>>, output: &Ty) -> Comparison {
    let Finished { subject: Search { mut result, .. }, mut context, completeness } = finished;
    // Longer inputs, other types, or values that are made otherwise, may get past what panics here.
    let is_of_inputs = |entry: &Approximation| {
        matches!(
            entry,
            Approximation::InputLength { .. }
                | Approximation::InputDepth { .. }
                | Approximation::Instantiated { .. }
                | Approximation::AsMade { .. }
                | Approximation::CallSequence { .. }
        )
    };
    let is_bounded = context.ledger.entries().iter().any(is_of_inputs);
    let only_panics = result.panicking > 0 && result.panicking == result.partitions.explored;
    // Those that were not followed to the end may return.
    let is_stopped = context.ledger.entries().iter().any(|entry| stopped_by(entry).is_some());
    let is_all = completeness != Completeness::Partial && !is_stopped;
    if is_all && is_bounded && only_panics && *output.kind() != TyKind::Never {
        context.ledger.note(Approximation::OnlyPanics);
    }
    result.completeness = completeness;
    result.runs = context.effort.runs;
    result.solver_queries = context.effort.questions;
    result.answers = context.effort.answers.clone();
    result.short_of_time = context.ledger.is_short_of_time();
    result.ledger = context.ledger;
    result
}

struct Search<'i, 'p> {
    callees: Callees<'i, 'p>,
    /// The worst class of the differences that are more than guesses, and when it was first seen.
    worst: Option<(Class, Duration)>,
    /// Runs in a row that were given up.
    given_up: u64,
    /// Whether a bound on lengths leaves inputs out.
    is_bounded: bool,
    most_if_bounded: Duration,
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
        let relation = relate(&mut run, self.callees.new.image.common(), &old, &new);
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
        self.is_bounded = inputs.space.ledger.bounds_lengths();
        self.given_up = match visited.visit.is_given_up() {
            true => self.given_up + 1,
            false => 0,
        };
        match novelty {
            Novelty::New => self.judge(inputs, context, visited, model),
            Novelty::Known => {
                // A partition in which one input differs and another was judged not to: a slice was too small. The
                // difference counts all the same.
                let is_news = |class| self.worst.is_none_or(|(worst, _)| class < worst);
                if visited.visit.relation == Relation::DifferHere
                    && visited.visit.class().is_some_and(is_news)
                {
                    self.differs(inputs, context, &model, &visited.visit);
                }
                Ok(())
            }
        }
    }

    fn patience(&self, context: &Context) -> Patience {
        let given_up = self.given_up.min(context.quiet_runs());
        if self.result.partitions.explored == 0 && given_up >= MOST_GIVEN_UP {
            return Patience::IsOver;
        }
        let share = context.options.timeout / SHARE_AFTER_DIFFERENCE;
        let is_enough = self.worst.is_some_and(|(worst, at)| {
            let is_regression = worst == Class::Regression;
            let since = context.elapsed().saturating_sub(at);
            // A milder difference hides no regression.
            let is_long = since > share && (is_regression || context.quiet_time() > share);
            let is_often = self.result.partitions.differing >= ENOUGH_DIFFERING
                && (is_regression || context.quiet_runs() > ENOUGH_DIFFERING);
            is_long || is_often
        });
        let (part, runs) = SHARE_WITHOUT_NEWS;
        let is_at_a_loss =
            context.quiet_time() > context.options.timeout / part && context.quiet_runs() > runs;
        let is_for_lesser_bounds =
            self.is_bounded && self.worst.is_none() && context.elapsed() > self.most_if_bounded;
        if is_enough || is_at_a_loss || is_for_lesser_bounds {
            Patience::SparesTime
        } else {
            Patience::GoesOn
        }
    }
}

impl Visit {
    /// Whether a version came to no end, for a reason that more time does not mend.
    fn is_given_up(&self) -> bool {
        let is_refused = |ended: &Ended| {
            matches!(
                ended.end,
                End::Stopped(Stop::Unsupported(_) | Stop::OpaqueCall { .. } | Stop::RestrictedModel { .. })
            )
        };
        is_refused(&self.old) || is_refused(&self.new)
    }

    /// Of the difference between the ends; none if one of them was given up.
    fn class(&self) -> Option<Class> {
        Some(Class::of(&self.old.outcome()?, &self.new.outcome()?))
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
                self.differs(inputs, context, &model, &visit);
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
                            self.differs(inputs, context, &model, &witness);
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
                self.suspect_endless_loop(inputs, context, &model, &visit);
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
    fn suspect_endless_loop(&mut self, inputs: &Inputs<'_>, context: &Context, model: &Model, visit: &Visit) {
        let endless = |end: &End| {
            matches!(
                end,
                End::Stopped(Stop::LoopBound { .. } | Stop::CallDepth { .. } | Stop::StepBudget { .. })
            )
        };
        let ended = |end: &End| !matches!(end, End::Stopped(_));
        let (old, new) = (&visit.old.end, &visit.new.end);
        if (endless(old) && ended(new)) || (ended(old) && endless(new)) {
            self.candidate(inputs, context, model, visit);
        }
    }

    fn differs(&mut self, inputs: &Inputs<'_>, context: &Context, model: &Model, visit: &Visit) {
        self.result.partitions.differing += 1;
        if let Some(class) = visit.class()
            && self.worst.is_none_or(|(worst, _)| class < worst)
        {
            self.worst = Some((class, context.elapsed()));
        }
        self.candidate(inputs, context, model, visit);
    }

    /// Keeps an input on which the versions differ, as many of each class.
    fn candidate(&mut self, inputs: &Inputs<'_>, context: &Context, model: &Model, visit: &Visit) {
        let outcome = |ended: &Ended| ended.outcome().unwrap_or(Outcome::Hung);
        let (old, new) = (outcome(&visit.old), outcome(&visit.new));
        // That a loop does not end is a guess, and stands in no fact's place.
        let kind = |old: &Outcome, new: &Outcome| {
            (Class::of(old, new), *old == Outcome::Hung || *new == Outcome::Hung)
        };
        let is_alike = |known: &&Candidate| kind(&known.old, &known.new) == kind(&old, &new);
        if self.result.candidates.iter().filter(is_alike).count() >= MAX_CANDIDATES {
            return;
        }
        let contents = match (visit.old.outcome_with_contents(), visit.new.outcome_with_contents()) {
            (Some(old_contents), Some(new_contents)) if old == new => {
                Some(Box::new(Contents { old: old_contents, new: new_contents }))
            }
            _ => None,
        };
        let (runs, leads) = (context.effort.runs, context.leads);
        let inputs = inputs.values(model);
        self.result.candidates.push(Candidate { inputs, old, new, contents, runs, leads });
    }

    /// The engine contradicts itself on this input.
    fn note_mismatch(&self, inputs: &Inputs<'_>, context: &mut Context, model: &Model) {
        let call = self.callees.new.call_text(&inputs.values(model));
        context.ledger.note(Approximation::EngineMismatch { call });
    }
}
