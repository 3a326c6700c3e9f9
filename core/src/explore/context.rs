//! What the loop of an exploration and its subject share: the solver, the time, what is noted and what it cost.

use std::time::{Duration, Instant};

use super::Options;
use super::direction::Leads;
use crate::exec::Stop;
use crate::exec::run::{PanicPolicy, TimeLimit, whole_seconds};
use crate::smt::{Answer, AnySolver, Layer, Layered, Solver, SolverLimits, Statistics, UnknownReason};
use crate::term::{Model, TermId, TermPool};
use crate::verdict::{Approximation, Ledger};

/// Below this a question is not worth being asked.
const SHORTEST_QUESTION: Duration = Duration::from_millis(10);

/// The state of one exploration that is not its inputs.
pub struct Context {
    pub options: Options,
    pub ledger: Ledger,
    pub effort: Effort,
    /// What is not used, to measure what it gains.
    pub(super) left_out: Vec<Economy>,
    /// Each exploration has its own: answers kept from another one would make it look cheap.
    solver: Layered<AnySolver>,
    started: Instant,
    news: News,
    /// Where the prefix leads that is followed.
    pub(crate) leads: Leads,
}

/// When a run last went a side of a branch that none had gone.
#[derive(Clone, Copy, Debug, Default)]
struct News {
    at: Duration,
    runs: u64,
}

/// What an exploration cost.
#[derive(Clone, Debug, Default)]
pub struct Effort {
    pub runs: u64,
    /// Statements and terminators that were executed.
    pub steps: u64,
    /// Questions of the algorithm: one for each prefix, and, where the answers to these do not show that there is none,
    /// those for an input outside of all partitions; what the subject asks besides.
    pub questions: u64,
    /// Runs on inputs that only the last question found: the prefixes had not led to their partitions.
    pub found_last: u64,
    /// Questions, or parts of them, that no cheaper layer answered.
    pub solver_calls: u64,
    /// Nodes of the formulas asked, all questions together.
    pub formula_nodes: u64,
    pub total: Duration,
    pub executing: Duration,
    pub solving: Duration,
    /// Of `solving`, what was spent inside of the solver.
    pub in_solver: Duration,
    /// Who answered.
    pub answers: Statistics,
}

/// What makes an exploration cheaper. It can be left out, to measure what it gains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Economy {
    Layer(Layer),
    /// That nothing was left out is seen by the answers to the prefixes, where it can be.
    Coverage,
}

impl Economy {
    pub const ALL: [Economy; 7] = [
        Economy::Layer(Layer::Independence),
        Economy::Layer(Layer::Cache),
        Economy::Layer(Layer::Models),
        Economy::Layer(Layer::Intervals),
        Economy::Layer(Layer::Enumeration),
        Economy::Layer(Layer::Guessing),
        Economy::Coverage,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Economy::Layer(layer) => layer.name(),
            Economy::Coverage => "coverage",
        }
    }
}

impl Context {
    pub fn new(options: Options) -> Context {
        Context::without(options, Vec::new())
    }

    /// A context that does without some economies.
    pub fn without(mut options: Options, left_out: Vec<Economy>) -> Context {
        let started = Instant::now();
        options.limits.end = TimeLimit::after(started, options.timeout);
        let layers = left_out.iter().filter_map(|economy| match economy {
            Economy::Layer(layer) => Some(*layer),
            Economy::Coverage => None,
        });
        let layers: Vec<Layer> = layers.collect();
        let mut ledger = Ledger::default();
        if options.limits.panics == PanicPolicy::AssumeNone {
            ledger.note(Approximation::NoPanicAssumed);
        }
        Context {
            options,
            ledger,
            effort: Effort::default(),
            left_out,
            solver: Layered::without(AnySolver::of(options.solver), &layers)
                .first_without_rounding(AnySolver::of(options.solver)),
            started,
            leads: Leads::Other,
            news: News::default(),
        }
    }

    pub(super) fn note_news(&mut self) {
        self.news = News { at: self.elapsed(), runs: self.effort.runs };
    }

    /// How long no run has gone a side of a branch that none had gone before.
    pub fn quiet_time(&self) -> Duration {
        self.elapsed().saturating_sub(self.news.at)
    }

    /// So many runs went no such side.
    pub fn quiet_runs(&self) -> u64 {
        self.effort.runs - self.news.runs
    }

    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    pub fn is_over(&self) -> bool {
        self.elapsed() > self.options.timeout
    }

    /// Asks the solver, within the time of a query and of what is left of the whole.
    pub fn ask(&mut self, pool: &TermPool, assertions: &[TermId]) -> Answer {
        let left = self.options.timeout.saturating_sub(self.elapsed()).max(SHORTEST_QUESTION);
        let limits = SolverLimits::within(left.min(self.options.query_timeout));
        self.effort.questions += 1;
        self.effort.formula_nodes += pool.below(assertions).len() as u64;
        let asked = Instant::now();
        let answer = self.solver.check(pool, assertions, &limits);
        self.effort.solving += asked.elapsed();
        answer
    }

    /// Tells the solver of an input that may answer a question.
    pub fn suggest(&mut self, pool: &TermPool, model: &Model) {
        self.solver.suggest(pool, model.clone());
    }

    /// That the exploration ended before it was complete, after what it took.
    pub fn note_time_out(&mut self) {
        let seconds = whole_seconds(self.elapsed().min(self.options.timeout));
        self.ledger.note(Approximation::TimeBudget { seconds });
    }

    pub fn note_unknown(&mut self, reason: &UnknownReason) {
        self.ledger.note(Approximation::SolverUnknown { reason: reason.clone() });
    }

    /// A run that was given up.
    pub fn note_stop(&mut self, stop: &Stop) {
        if let Some(approximation) = stop.approximation() {
            self.ledger.note(approximation);
        }
    }

    /// The sums of what was done, as it is at the end.
    pub(super) fn close(&mut self) {
        let statistics = self.solver.statistics();
        self.effort.solver_calls = statistics.solved;
        self.effort.in_solver = statistics.solver_time;
        self.effort.answers = statistics.clone();
        self.effort.total = self.started.elapsed();
    }
}
