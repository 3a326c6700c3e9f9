//! The loop (Algorithm 1 of the paper), for whatever can be run on an input.

use std::time::Instant;

use rustc_hash::FxHashSet;

use super::coverage::{Coverage, coverage};
use super::direction::Leads;
use super::frontier::{Frontier, Learned, Prefix};
use super::{Condition, Context, Economy, Inputs};
use crate::exec::InputError;
use crate::smt::{Answer, UnknownReason};
use crate::term::{Model, TermId};

/// What is explored: how it is run on one input, and what becomes of a run.
pub trait Subject {
    /// What outlives a run, apart from its conditions.
    type Visit;

    /// Runs the subject on the model's input, which is completed where it leaves variables open.
    fn run(
        &mut self,
        inputs: &mut Inputs<'_>,
        context: &mut Context,
        model: &mut Model,
    ) -> Result<Visited<Self::Visit>, InputError>;

    /// Takes over a run.
    fn file(
        &mut self,
        inputs: &mut Inputs<'_>,
        context: &mut Context,
        visited: Visited<Self::Visit>,
        model: Model,
        novelty: Novelty,
    ) -> Result<(), InputError>;

    /// Whether the exploration may stop before its time is up. It is not complete then.
    fn patience(&self, context: &Context) -> Patience;
}

/// Whether it is worth to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    GoesOn,
    /// What the time is for was found, or others need it more: more time may show more.
    SparesTime,
    /// No run leads to an end, for reasons that more time does not mend. They are in the ledger.
    IsOver,
}

/// One run, reduced to what outlives it.
#[derive(Clone, Debug)]
pub struct Visited<V> {
    /// In the order in which they are negated.
    pub conditions: Vec<Condition>,
    pub visit: V,
}

/// Whether a run is the first of its partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Novelty {
    New,
    Known,
}

/// Whether the partitions are all there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completeness {
    /// The solver refuted that an input lies outside of them, branch by branch or in one question.
    Proved,
    /// Every prefix was followed. Whether that is all was not answered.
    Followed,
    /// Time ran out, or the solver left a prefix undecided.
    Partial,
}

/// One exploration under way.
pub struct Explorer<'e, 'p, S> {
    inputs: &'e mut Inputs<'p>,
    context: Context,
    subject: S,
    frontier: Frontier,
    /// Prefixes that no input satisfies.
    refuted: FxHashSet<Vec<TermId>>,
    /// The conditions of each partition.
    partitions: Vec<Vec<Condition>>,
    known: FxHashSet<Vec<TermId>>,
    /// Why the solver left prefixes undecided.
    undecided: Vec<UnknownReason>,
}

/// What there is after the last run.
pub struct Finished<S> {
    pub subject: S,
    pub context: Context,
    pub completeness: Completeness,
}

impl<'e, 'p, S: Subject> Explorer<'e, 'p, S> {
    pub fn new(inputs: &'e mut Inputs<'p>, context: Context, subject: S) -> Self {
        let frontier = Frontier::new(context.options.order);
        Explorer {
            inputs,
            context,
            subject,
            frontier,
            refuted: FxHashSet::default(),
            partitions: Vec::new(),
            known: FxHashSet::default(),
            undecided: Vec::new(),
        }
    }

    /// Visits these inputs, and from them all partitions that there is time for.
    pub fn explore(mut self, first: Vec<Model>) -> Result<Finished<S>, InputError> {
        for model in first {
            self.visit(model, &[])?;
        }
        let completeness = self.follow_all()?;
        // Once it is shown that no input is left out, it does not matter who left the answer to a prefix open.
        if completeness != Completeness::Proved {
            self.undecided.iter().for_each(|reason| self.context.note_unknown(reason));
        }
        self.context.ledger.merge(&self.inputs.space.ledger);
        self.context.close();
        Ok(Finished { subject: self.subject, context: self.context, completeness })
    }

    fn follow_all(&mut self) -> Result<Completeness, InputError> {
        loop {
            while let Some(prefix) = self.frontier.pop() {
                let patience = match self.context.is_over() {
                    true => Patience::SparesTime,
                    false => self.subject.patience(&self.context),
                };
                match patience {
                    Patience::GoesOn => {}
                    Patience::SparesTime => {
                        self.context.note_time_out();
                        return Ok(Completeness::Partial);
                    }
                    Patience::IsOver => return Ok(Completeness::Partial),
                }
                self.follow(&prefix)?;
            }
            // The frontier is empty. That nothing was missed is not taken from the algorithm but asked.
            if self.leaves_nothing_out() {
                return Ok(Completeness::Proved);
            }
            self.context.leads = Leads::Other;
            match self.outside() {
                Answer::Sat(model) => {
                    let before = self.partitions.len();
                    self.visit(model, &[])?;
                    self.context.effort.found_last += 1;
                    if self.partitions.len() == before {
                        return Ok(Completeness::Partial);
                    }
                }
                Answer::Unsat => return Ok(Completeness::Proved),
                Answer::Unknown(reason) => {
                    let followed = self.undecided.is_empty();
                    self.undecided.push(reason);
                    return Ok(if followed { Completeness::Followed } else { Completeness::Partial });
                }
            }
        }
    }

    fn follow(&mut self, prefix: &Prefix) -> Result<(), InputError> {
        let mut assertions = self.inputs.space.constraints.clone();
        assertions.extend(&prefix.conditions);
        self.context.leads = if prefix.is_divergence() { Leads::Divergence } else { Leads::Other };
        match self.context.ask(&self.inputs.pool, &assertions) {
            Answer::Sat(model) => return self.visit(model, &prefix.conditions),
            Answer::Unsat => {
                self.refuted.insert(prefix.conditions.clone());
            }
            Answer::Unknown(reason) => self.undecided.push(reason),
        }
        Ok(())
    }

    fn visit(&mut self, mut model: Model, prefix: &[TermId]) -> Result<(), InputError> {
        let begun = Instant::now();
        let visited = self.subject.run(self.inputs, &mut self.context, &mut model)?;
        self.context.effort.executing += begun.elapsed();
        self.context.effort.runs += 1;
        if self.frontier.extend(&visited.conditions, prefix) == Learned::NewSide {
            self.context.note_news();
        }
        self.context.suggest(&self.inputs.pool, &model);
        let mut key: Vec<TermId> = visited.conditions.iter().map(|condition| condition.holds).collect();
        key.sort_unstable();
        let novelty = match self.known.insert(key) {
            true => {
                self.partitions.push(visited.conditions.clone());
                Novelty::New
            }
            false => Novelty::Known,
        };
        self.subject.file(self.inputs, &mut self.context, visited, model, novelty)
    }

    /// Whether the answers to the prefixes show that there is no input outside of all partitions.
    fn leaves_nothing_out(&mut self) -> bool {
        if self.context.left_out.contains(&Economy::Coverage) {
            return false;
        }
        let (pool, context) = (&mut self.inputs.pool, &mut self.context);
        let mut exhaustive = |branch: &Condition| {
            let all: Vec<TermId> = [branch.holds].into_iter().chain(branch.alternatives.clone()).collect();
            let some = pool.or_all(&all);
            let none = pool.not(some);
            pool.as_bool(none) == Some(false) || matches!(context.ask(pool, &[none]), Answer::Unsat)
        };
        coverage(&self.partitions, &self.refuted, &mut exhaustive) == Coverage::Whole
    }

    /// Asks for an input outside of all partitions.
    fn outside(&mut self) -> Answer {
        let assertions = self.inputs.outside(self.partitions.iter().map(Vec::as_slice));
        self.context.ask(&self.inputs.pool, &assertions)
    }
}
