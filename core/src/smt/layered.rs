//! Cheap layers in front of a solver.
//!
//! A question is taken apart into groups of conjuncts that share no variables; each group goes through the layers
//! until one answers it: folding, an exact cache, the models found so far, refutation by intervals, guessing, trying
//! all values of few bits, refutation without rounding, and last the solver. The answer is unsatisfiable as soon as one group is; the models of
//! satisfiable groups are put together.
//!
//! Invariant: what is remembered belongs to one pool; another pool empties everything.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Answer, Solver, SolverLimits, UnknownReason, Unrounded, refine, search, tried};
use crate::term::{Evaluator, Model, Term, TermId, TermPool, VarId};

/// How many models are tried again.
const MAX_MODELS: usize = 24;
/// The cache is emptied when it has grown to so many groups.
const MAX_CACHED: usize = 100_000;
/// The share of the time of a question, and the most, that it may take without rounding; and how much more may be spent in vain than the solver takes.
const SHARE_UNROUNDED: u32 = 4;
const LONGEST_UNROUNDED: Duration = Duration::from_millis(500);
const SPENT_IN_VAIN: Duration = Duration::from_millis(500);

/// What was asked and who answered. Layers count groups, of which a question can have several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    pub queries: u64,
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
    /// Questions settled by folding: a conjunct is false, or two contradict each other, or none is left.
    pub folded: u64,
    pub groups: u64,
    pub cached: u64,
    pub reused_model: u64,
    pub refuted: u64,
    pub guessed: u64,
    pub enumerated: u64,
    /// Refuted without rounding: see [`super::unrounded`]; and what was spent where that did not refute.
    pub unrounded: u64,
    pub unrounded_in_vain: Duration,
    pub solved: u64,
    pub wrong_models: u64,
    /// Spent in the solver, all of it and the longest single call.
    pub solver_time: Duration,
    pub longest: Duration,
}

impl Statistics {
    /// Adds what another worker counted.
    pub fn merge(&mut self, other: &Statistics) {
        self.queries += other.queries;
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.unknown += other.unknown;
        self.folded += other.folded;
        self.groups += other.groups;
        self.cached += other.cached;
        self.reused_model += other.reused_model;
        self.refuted += other.refuted;
        self.guessed += other.guessed;
        self.enumerated += other.enumerated;
        self.unrounded += other.unrounded;
        self.unrounded_in_vain += other.unrounded_in_vain;
        self.solved += other.solved;
        self.wrong_models += other.wrong_models;
        self.solver_time += other.solver_time;
        self.longest = self.longest.max(other.longest);
    }
}

/// What can be left out, so that it can be measured what it gains. Folding and the solver always stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layer {
    /// Questions are taken apart into groups that share no variables.
    Independence,
    /// Answers to equal groups are kept.
    Cache,
    /// Models found so far are tried.
    Models,
    /// Intervals and known bits refute.
    Intervals,
    /// All values of few bits are tried.
    Enumeration,
    /// A model is guessed.
    Guessing,
}

impl Layer {
    pub fn name(self) -> &'static str {
        match self {
            Layer::Independence => "independence",
            Layer::Cache => "cache",
            Layer::Models => "models",
            Layer::Intervals => "intervals",
            Layer::Enumeration => "enumeration",
            Layer::Guessing => "guessing",
        }
    }
}

/// An answer that is remembered. What was not answered is remembered for the limits it was asked with.
enum Cached {
    Sat(Model),
    Unsat,
    Unknown(SolverLimits, UnknownReason),
}

/// See the module's text.
pub struct Layered<S> {
    inner: S,
    /// What is asked first where something rounds. It is another solver, as solvers keep what they know of one pool.
    without_rounding: Option<(Unrounded, S)>,
    pool: Option<u64>,
    cache: FxHashMap<Box<[TermId]>, Cached>,
    /// Latest first.
    models: VecDeque<Model>,
    left_out: Vec<Layer>,
    statistics: Statistics,
}

impl<S: Solver> Layered<S> {
    pub fn new(inner: S) -> Self {
        Self::without(inner, &[])
    }

    /// Some layers are left out.
    pub fn without(inner: S, layers: &[Layer]) -> Self {
        Layered {
            inner,
            without_rounding: None,
            left_out: layers.to_vec(),
            pool: None,
            cache: FxHashMap::default(),
            models: VecDeque::new(),
            statistics: Statistics::default(),
        }
    }

    /// The same, where questions in which something rounds are asked of this one first without that.
    pub fn first_without_rounding(self, solver: S) -> Self {
        Layered { without_rounding: Some((Unrounded::default(), solver)), ..self }
    }

    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// Tells of a model that was found elsewhere: the input of a run, say. Questions near it are answered sooner.
    pub fn suggest(&mut self, pool: &TermPool, model: Model) {
        self.belong_to(pool);
        self.remember_model(model);
    }

    fn has(&self, layer: Layer) -> bool {
        !self.left_out.contains(&layer)
    }

    fn belong_to(&mut self, pool: &TermPool) {
        if self.pool != Some(pool.identity()) {
            self.pool = Some(pool.identity());
            self.cache.clear();
            self.models.clear();
        }
    }

    fn remember_model(&mut self, model: Model) {
        if !self.has(Layer::Models) || self.models.contains(&model) {
            return;
        }
        self.models.push_front(model);
        self.models.truncate(MAX_MODELS);
    }

    fn decide(&mut self, pool: &TermPool, assertions: &[TermId], limits: &SolverLimits) -> Answer {
        let Some(conjuncts) = conjuncts(pool, assertions) else {
            self.statistics.folded += 1;
            return Answer::Unsat;
        };
        if conjuncts.is_empty() {
            self.statistics.folded += 1;
            return Answer::Sat(Model::new());
        }
        let mut merged = Model::new();
        let mut hard = Vec::new();
        let groups = match self.has(Layer::Independence) {
            true => groups(pool, &conjuncts),
            false => vec![conjuncts],
        };
        for group in groups {
            self.statistics.groups += 1;
            match self.without_solver(pool, &group, limits) {
                Some(Answer::Unsat) => return Answer::Unsat,
                Some(Answer::Sat(model)) => merged.extend_from(&model),
                Some(Answer::Unknown(_)) | None => hard.push(group),
            }
        }
        // One group that cannot hold settles the question whatever became of the others.
        let mut unknown = None;
        for group in hard {
            match self.with_solver(pool, &group, limits) {
                Answer::Unsat => return Answer::Unsat,
                Answer::Sat(model) => merged.extend_from(&model),
                Answer::Unknown(reason) => unknown = Some(reason),
            }
        }
        match unknown {
            Some(reason) => Answer::Unknown(reason),
            None => tried(pool, assertions, merged),
        }
    }

    /// All layers but the last. None if they do not know.
    fn without_solver(&mut self, pool: &TermPool, group: &[TermId], limits: &SolverLimits) -> Option<Answer> {
        match self.cache.get(group) {
            Some(Cached::Sat(model)) => {
                self.statistics.cached += 1;
                return Some(Answer::Sat(model.clone()));
            }
            Some(Cached::Unsat) => {
                self.statistics.cached += 1;
                return Some(Answer::Unsat);
            }
            // Asked again with the same limits the solver would fail again.
            Some(Cached::Unknown(asked, reason)) if asked == limits => {
                return Some(Answer::Unknown(reason.clone()));
            }
            Some(Cached::Unknown(..)) | None => {}
        }
        let vars = vars_of(pool, group);
        let answer = self.cheap_layers(pool, group, &vars)?;
        self.store(group, &answer, limits);
        Some(answer)
    }

    fn cheap_layers(&mut self, pool: &TermPool, group: &[TermId], vars: &[VarId]) -> Option<Answer> {
        for model in &self.models {
            let mut evaluator = Evaluator::new(pool, model);
            if group.iter().all(|conjunct| evaluator.eval_bool(*conjunct)) {
                self.statistics.reused_model += 1;
                return Some(Answer::Sat(restricted(model, vars)));
            }
        }
        let mut ranges = FxHashMap::default();
        if self.has(Layer::Intervals) {
            match refine::refine(pool, group) {
                refine::Refined::Impossible => {
                    self.statistics.refuted += 1;
                    return Some(Answer::Unsat);
                }
                refine::Refined::Possible(found) => ranges = found,
            }
        }
        if self.has(Layer::Enumeration)
            && let Some(outcome) = search::enumerate(pool, group, vars)
        {
            self.statistics.enumerated += 1;
            return Some(outcome.map_or(Answer::Unsat, Answer::Sat));
        }
        if !self.has(Layer::Guessing) {
            return None;
        }
        let start = self.models.front().map(|model| restricted(model, vars)).unwrap_or_default();
        let model = search::guess(pool, group, vars, &ranges, start)?;
        self.statistics.guessed += 1;
        Some(Answer::Sat(model))
    }

    fn with_solver(&mut self, pool: &TermPool, group: &[TermId], limits: &SolverLimits) -> Answer {
        if let Some(Cached::Unknown(asked, reason)) = self.cache.get(group)
            && asked == limits
        {
            self.statistics.cached += 1;
            return Answer::Unknown(reason.clone());
        }
        if self.is_refuted_without_rounding(pool, group, limits) {
            self.store(group, &Answer::Unsat, limits);
            return Answer::Unsat;
        }
        let start = Instant::now();
        let answer = self.inner.check(pool, group, limits);
        let spent = start.elapsed();
        self.statistics.solved += 1;
        self.statistics.solver_time += spent;
        self.statistics.longest = self.statistics.longest.max(spent);
        let answer = match answer {
            Answer::Sat(model) => tried(pool, group, model),
            answer => answer,
        };
        if let Answer::Unknown(UnknownReason::WrongModel { .. }) = answer {
            self.statistics.wrong_models += 1;
        }
        let answer = match answer {
            Answer::Unknown(_) => match search::exhaust(pool, group, &vars_of(pool, group), limits.time) {
                Some(found) => {
                    self.statistics.enumerated += 1;
                    found.map_or(Answer::Unsat, Answer::Sat)
                }
                None => answer,
            },
            answer => answer,
        };
        self.store(group, &answer, limits);
        answer
    }

    fn is_refuted_without_rounding(
        &mut self,
        pool: &TermPool,
        group: &[TermId],
        limits: &SolverLimits,
    ) -> bool {
        let Some((unrounded, solver)) = &mut self.without_rounding else { return false };
        if !pool.below(group).iter().any(|term| matches!(pool.term(*term), Term::Float(..))) {
            return false;
        }
        if self.statistics.unrounded_in_vain > self.statistics.solver_time + SPENT_IN_VAIN {
            return false;
        }
        let start = Instant::now();
        let asked = unrounded.question(pool, group);
        let time = (limits.time / SHARE_UNROUNDED).min(LONGEST_UNROUNDED);
        let is_refuted = solver.check(unrounded.pool(), &asked, &SolverLimits::within(time)) == Answer::Unsat;
        match is_refuted {
            true => self.statistics.unrounded += 1,
            false => self.statistics.unrounded_in_vain += start.elapsed(),
        }
        is_refuted
    }

    fn store(&mut self, group: &[TermId], answer: &Answer, limits: &SolverLimits) {
        if !self.has(Layer::Cache) {
            return;
        }
        if self.cache.len() >= MAX_CACHED {
            self.cache.clear();
        }
        let cached = match answer {
            Answer::Sat(model) => Cached::Sat(model.clone()),
            Answer::Unsat => Cached::Unsat,
            Answer::Unknown(reason) => Cached::Unknown(*limits, reason.clone()),
        };
        self.cache.insert(group.into(), cached);
    }
}

impl<S: Solver> Solver for Layered<S> {
    fn check(&mut self, pool: &TermPool, assertions: &[TermId], limits: &SolverLimits) -> Answer {
        self.belong_to(pool);
        self.statistics.queries += 1;
        let answer = self.decide(pool, assertions, limits);
        match &answer {
            Answer::Sat(model) => {
                self.statistics.sat += 1;
                self.remember_model(model.clone());
            }
            Answer::Unsat => self.statistics.unsat += 1,
            Answer::Unknown(_) => self.statistics.unknown += 1,
        }
        answer
    }
}

/// The conjuncts of all assertions, sorted and without constants. None if they contradict each other on sight.
pub(super) fn conjuncts(pool: &TermPool, assertions: &[TermId]) -> Option<Vec<TermId>> {
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    let mut stack = assertions.to_vec();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        match *pool.term(term) {
            Term::And(a, b) => stack.extend([a, b]),
            Term::Bool(true) => {}
            Term::Bool(false) => return None,
            _ => found.push(term),
        }
    }
    let contradicts = |term: &TermId| matches!(*pool.term(*term), Term::Not(inner) if seen.contains(&inner));
    if found.iter().any(contradicts) {
        return None;
    }
    found.sort_unstable();
    Some(found)
}

/// Classes of conjuncts that are connected by variables, in the order of their first conjuncts.
fn groups(pool: &TermPool, conjuncts: &[TermId]) -> Vec<Vec<TermId>> {
    let mut parents: Vec<usize> = (0..conjuncts.len()).collect();
    fn root(parents: &mut [usize], mut index: usize) -> usize {
        while parents[index] != index {
            parents[index] = parents[parents[index]];
            index = parents[index];
        }
        index
    }
    let mut first_user: FxHashMap<VarId, usize> = FxHashMap::default();
    for (index, conjunct) in conjuncts.iter().enumerate() {
        for var in pool.vars_in(*conjunct).iter() {
            let other = *first_user.entry(*var).or_insert(index);
            let (a, b) = (root(&mut parents, index), root(&mut parents, other));
            parents[a.max(b)] = a.min(b);
        }
    }
    let mut groups: Vec<Vec<TermId>> = Vec::new();
    let mut position: FxHashMap<usize, usize> = FxHashMap::default();
    for (index, conjunct) in conjuncts.iter().enumerate() {
        let class = root(&mut parents, index);
        let at = *position.entry(class).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[at].push(*conjunct);
    }
    groups
}

pub(super) fn vars_of(pool: &TermPool, group: &[TermId]) -> Vec<VarId> {
    let mut vars: Vec<VarId> = group.iter().flat_map(|term| pool.vars_in(*term).to_vec()).collect();
    vars.sort_unstable();
    vars.dedup();
    vars
}

fn restricted(model: &Model, vars: &[VarId]) -> Model {
    vars.iter().map(|var| (*var, model.get(*var))).collect()
}
