//! Coverage-guided differential fuzzing: inputs made of those that brought something new, through both versions.
//!
//! *Idea.* An input is the list of choices that the typed random source made, so a changed choice is an input of the same types (Hypothesis). Both versions'
//! workers are instrumented and have the same corpus; each makes the same batch of changed inputs by itself and answers with digests of inputs and outcomes, and with
//! the inputs on which an edge was taken, or a constant came close, as never before. What is new to either version joins both
//! corpora (differential fuzzing, NEZHA). Operands of comparisons in which an input takes part are put into it in place of
//! what they were compared with (RedQueen): keywords, sums and lengths need no luck.
//!
//! Where digests differ, the input is told in full and handed to [`super::confirm`] with *plain* workers, the crate without instrumentation:
//! only what comes out there is a difference. Of the inputs of a batch those come first on which something else is returned: states that differ with
//! each call, a counter say, are soon known, and behind them nothing else would be seen.
//!
//! *Limits.* Only the crate of the function itself is instrumented, with what generic code of others it uses. A corpus lives as long as the search.
//!
//! Petsios, Tang, Stolfo, Keromytis and Jana, "NEZHA: Efficient domain-independent differential testing", S&P 2017. Aschermann, Schumilo, Blazytko, Gawlik
//! and Holz, "REDQUEEN: Fuzzing with input-to-state correspondence", NDSS 2019. MacIver and Donaldson, "Test-case reduction via test-case generation", ECOOP 2020.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use regress_core::evidence::{Doubt, Replay};
use regress_core::observable::same_in_both;
use regress_core::value::{Outcome, Value};

use super::confirm::{Asked, Both, Care};
use super::random_differential_test::{Difference, Unstable, at_once};
use super::request::{Availability, HarnessError};
use super::shrink::{OF_A_LONG_ONE, TellsMuch, shrunk};
use super::wire;
use super::worker::{Batch, RandomPlan, RawEnd};

#[derive(Clone)]
pub struct FuzzPlan<'a> {
    /// Seed, bounds and literals; how many runs is for `budget` to say.
    pub random: RandomPlan,
    /// Inputs to begin with.
    pub seeds: Vec<Vec<Value>>,
    /// Enough is enough.
    pub most_differences: usize,
    /// As in random tests: so many that tell little are known by themselves, and end nothing.
    pub tells: TellsMuch<'a>,
    /// So long, and longer until there were `least` executions: on a busy machine time alone says little.
    pub budget: Duration,
    pub least: u64,
    pub patience: FuzzPatience,
}

/// How long fuzzing goes on without anything new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FuzzPatience {
    /// Others need the time.
    Usual,
    /// Nothing else would be done. What a table tells apart, coverage does not: it takes luck.
    Long,
}

/// So many times as long.
const LONG_PATIENCE: u64 = 4;

/// What fuzzing found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fuzzed {
    /// Inputs that were run through both versions.
    pub executions: u64,
    /// Inputs in the corpus at the end.
    pub corpus: usize,
    /// Those of them that brought something new last, the latest first.
    pub latest: Vec<Vec<Value>>,
    pub differences: Vec<Difference>,
    pub unstable: Vec<Unstable>,
    pub end: FuzzEnd,
}

/// Why fuzzing ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FuzzEnd {
    EnoughDifferences,
    /// Nothing new came up for as long as all before.
    Saturated,
    OutOfTime,
    /// The parameters are not the same types in both versions.
    ShapesDiffer,
    /// The compiler takes no instrumentation.
    NotInstrumented,
    /// Calls do not come back, or end otherwise from run to run, again and again.
    NoProgress,
}

/// Batches take about so long: less is all talk, and of more the corpus learns late.
const BATCH: (Duration, Duration) = (Duration::from_millis(8), Duration::from_millis(24));
/// So many times the budget are given to a few executions.
const LONGER: u32 = 4;
/// Inputs of one batch.
const INPUTS: (u64, u64) = (64, 4096);
/// So many executions for each input of the corpus bring something new, or there is nothing to be had: few suffice where inputs decide on nothing.
const QUIET: u64 = 1500;
const MOST_QUIET: u64 = 24_000;
/// Of one entry, from both versions.
const MOST_OPERANDS: usize = 96;
const MOST_ENTRIES: usize = 4096;
/// Inputs that are added to the corpus at once: a worker has to answer in time.
const MOST_AT_ONCE: usize = 64;
/// Inputs that are handed on in the end.
const MOST_LATEST: usize = 8;
/// Inputs told in full of one batch.
const MOST_TOLD: usize = 4;
/// Inputs on which digests differ and nothing that anybody sees.
const MOST_FUTILE: usize = 48;
/// Calls that do not come back.
const MOST_LOST: usize = 4;
/// Values that are lent live as long as the process.
const EXECUTIONS_OF_A_PROCESS: u64 = 400_000;

/// Fuzzes both versions in `guided`, the instrumented workers. What it finds is confirmed in `plain`.
pub fn fuzz(plain: &mut Both, guided: &mut Both, plan: &FuzzPlan<'_>) -> Result<Fuzzed, HarnessError> {
    let mut fuzzing = Fuzzing {
        plain,
        guided,
        plan,
        entries: Vec::new(),
        last_new: 0,
        of_process: 0,
        lost: 0,
        futile: 0,
        confirmed: 0,
        faint: 0,
        alike: Alike::default(),
        found: Fuzzed {
            executions: 0,
            corpus: 0,
            latest: Vec::new(),
            differences: Vec::new(),
            unstable: Vec::new(),
            end: FuzzEnd::OutOfTime,
        },
    };
    fuzzing.found.end = fuzzing.run()?;
    fuzzing.found.corpus = fuzzing.entries.len();
    if fuzzing.found.differences.is_empty() {
        fuzzing.found.latest = fuzzing.latest()?;
    }
    Ok(fuzzing.found)
}

/// An input of the corpus, as both workers have it.
struct Entry {
    choices: String,
    operands: Vec<String>,
}

struct Fuzzing<'f> {
    plain: &'f mut Both,
    guided: &'f mut Both,
    plan: &'f FuzzPlan<'f>,
    entries: Vec<Entry>,
    /// Executions when something new came up last.
    last_new: u64,
    /// Executions since the workers were started.
    of_process: u64,
    lost: usize,
    futile: usize,
    /// Differences, those that are one when they are made smaller among them.
    confirmed: usize,
    /// Differences that tell little.
    faint: usize,
    alike: Alike,
    found: Fuzzed,
}

/// Digests of results that differ although nothing that anybody sees does: those of an error whose type has another name in each version, say.
#[derive(Default)]
struct Alike {
    /// Of the old and the new version.
    pairs: HashSet<(u64, u64)>,
    /// Whether a call left something behind besides its result, of which these digests say nothing.
    is_more_left: bool,
}

impl Alike {
    /// Takes in that these outcomes are the same, and the digests of their results.
    fn note(&mut self, results: (u64, u64), outcomes: (&Outcome, &Outcome)) {
        let leaves_more =
            |outcome: &Outcome| matches!(outcome, Outcome::Returned { mutated, .. } if !mutated.is_empty());
        self.is_more_left |= leaves_more(outcomes.0) || leaves_more(outcomes.1);
        self.pairs.insert(results);
    }

    fn knows(&self, results: (u64, u64)) -> bool {
        !self.is_more_left && self.pairs.contains(&results)
    }
}

impl Fuzzing<'_> {
    fn run(&mut self) -> Result<FuzzEnd, HarnessError> {
        let Both { old: (old, old_id), new: (new, new_id), .. } = &*self.guided;
        let shapes = (old.availability(*old_id), new.availability(*new_id));
        if shapes.0 != shapes.1 || !matches!(shapes.0, Availability::Ready { .. }) {
            return Ok(FuzzEnd::ShapesDiffer);
        }
        let until = Instant::now() + self.plan.budget;
        if self.begin()? == 0 {
            return Ok(FuzzEnd::NotInstrumented);
        }
        for seed in &self.plan.seeds {
            self.add_seed(seed)?;
        }
        let mut count = INPUTS.0;
        for number in 1.. {
            let began = Instant::now();
            let is_late = began > until && self.found.executions >= self.plan.least;
            if is_late || began > until + LONGER * self.plan.budget {
                break;
            }
            let seed = self.plan.random.seed.wrapping_add(number) ^ 0x5851_f42d_4c95_7f2d;
            let (old, new) = at_once(self.guided, |worker, _| worker.fuzz(seed, count))?;
            let (Some(old), Some(new)) = (old, new) else {
                self.find_lost(seed, count, until)?;
                if let Some(end) = self.why_enough() {
                    return Ok(end);
                }
                continue;
            };
            self.take_in(seed, &old, &new)?;
            if let Some(end) = self.why_enough() {
                return Ok(end);
            }
            let took = began.elapsed();
            count = match () {
                () if took < BATCH.0 => (2 * count).min(INPUTS.1),
                () if took > BATCH.1 => (count / 2).max(INPUTS.0),
                () => count,
            };
            if self.of_process > EXECUTIONS_OF_A_PROCESS {
                self.begin()?;
            }
        }
        Ok(FuzzEnd::OutOfTime)
    }

    /// The inputs that brought something new last, those that were there at the start left out.
    fn latest(&mut self) -> Result<Vec<Vec<Value>>, HarnessError> {
        let found = self.plan.seeds.len().min(self.entries.len())..self.entries.len();
        let mut latest = Vec::new();
        for number in found.rev().take(MOST_LATEST) {
            // One that does not come back ends the worker, and the corpus with it.
            let Some(run) = self.guided.new.0.tell_entry(number as u64)? else { break };
            if !matches!(run.end, RawEnd::Told(_)) {
                break;
            }
            latest.push(wire::values(&run.inputs)?);
        }
        Ok(latest)
    }

    fn why_enough(&self) -> Option<FuzzEnd> {
        let quiet = self.found.executions - self.last_new;
        let usual = MOST_QUIET.min(QUIET * (1 + self.entries.len() as u64));
        let patience = match self.plan.patience {
            FuzzPatience::Usual => usual,
            FuzzPatience::Long => LONG_PATIENCE * usual,
        };
        match () {
            () if self.confirmed >= self.plan.most_differences => Some(FuzzEnd::EnoughDifferences),
            () if self.futile >= MOST_FUTILE || self.lost >= MOST_LOST => Some(FuzzEnd::NoProgress),
            () if quiet > patience.max(self.last_new) => Some(FuzzEnd::Saturated),
            () => None,
        }
    }

    /// Starts both workers with the corpus that there is; the least number of sets of counters.
    fn begin(&mut self) -> Result<u64, HarnessError> {
        self.of_process = 0;
        let random = &self.plan.random;
        let (old, new) = at_once(self.guided, |worker, id| worker.begin_fuzzing(id, random))?;
        for entries in self.entries.chunks(MOST_AT_ONCE) {
            let choices: Vec<String> = entries.iter().map(|entry| entry.choices.clone()).collect();
            let operands: Vec<Vec<String>> = entries.iter().map(|entry| entry.operands.clone()).collect();
            let added = at_once(self.guided, |worker, _| match worker.add_entries(&choices)? {
                Some(_) => worker.set_operands(&operands).map(Some),
                None => Ok(None),
            })?;
            if added.0.is_none() || added.1.is_none() {
                // Go on with a new corpus.
                self.lost += 1;
                self.entries.clear();
                return self.begin_unless_lost();
            }
        }
        Ok(old.min(new))
    }

    fn begin_unless_lost(&mut self) -> Result<u64, HarnessError> {
        if self.lost < MOST_LOST { self.begin() } else { Ok(1) }
    }

    /// What both versions say of a batch.
    fn take_in(&mut self, seed: u64, old: &Batch, new: &Batch) -> Result<(), HarnessError> {
        let digests = old.digests.iter().zip(&new.digests);
        let run = digests.clone().filter(|(old, new)| **old != wire::NO_RUN && **new != wire::NO_RUN).count();
        let differing =
            digests.enumerate().filter(|(_, (old, new))| old != new).map(|(index, _)| index as u64);
        let returns_alike =
            |index: &u64| old.results.get(*index as usize) == new.results.get(*index as usize);
        let (of_state, of_result): (Vec<u64>, Vec<u64>) = differing.partition(returns_alike);
        let of_state = of_state.into_iter().filter(|_| self.faint < self.plan.most_differences);
        let results =
            |index: u64| Some((*old.results.get(index as usize)?, *new.results.get(index as usize)?));
        let differing = of_result.into_iter().chain(of_state).map(|index| (index, results(index)));
        let is_news = |(_, results): &(u64, Option<(u64, u64)>)| {
            !results.is_some_and(|results| self.alike.knows(results))
        };
        let differing: Vec<_> = differing.filter(is_news).take(MOST_TOLD).collect();
        self.found.executions += run as u64;
        self.of_process += run as u64;
        self.suspect(seed, &differing)?;
        let mut kept: Vec<&(u64, String)> = old.kept.iter().chain(&new.kept).collect();
        kept.sort();
        kept.dedup_by_key(|(index, _)| *index);
        let room = MOST_ENTRIES.saturating_sub(self.entries.len());
        let kept: Vec<String> = kept.into_iter().take(room).map(|(_, choices)| choices.clone()).collect();
        if !kept.is_empty() {
            self.last_new = self.found.executions;
        }
        kept.chunks(MOST_AT_ONCE).try_for_each(|choices| self.add(choices))
    }

    fn add(&mut self, choices: &[String]) -> Result<(), HarnessError> {
        let (old, new) = at_once(self.guided, |worker, _| worker.add_entries(choices))?;
        let (Some(old), Some(new)) = (old, new) else {
            self.lost += 1;
            self.begin_unless_lost()?;
            return Ok(());
        };
        self.add_with(choices, old, new)
    }

    /// An input that is given as values. One that cannot be told to a worker is left out.
    fn add_seed(&mut self, inputs: &[Value]) -> Result<(), HarnessError> {
        let (old, new) = match at_once(self.guided, |worker, _| worker.add_seed(inputs)) {
            Ok((Some(old), Some(new))) => (old, new),
            Ok(_) => {
                self.lost += 1;
                self.begin_unless_lost()?;
                return Ok(());
            }
            Err(HarnessError::NotBuildable(_)) => return Ok(()),
            Err(error) => return Err(error),
        };
        let choices: Vec<String> = new.kept.iter().map(|(_, choices)| choices.clone()).collect();
        self.add_with(&choices, old, new)
    }

    fn add_with(&mut self, choices: &[String], old: Batch, new: Batch) -> Result<(), HarnessError> {
        let of_both = old.operands.into_iter().zip(new.operands).map(|(mut operands, new)| {
            operands.extend(new);
            operands.sort();
            operands.dedup();
            operands.truncate(MOST_OPERANDS);
            operands
        });
        let operands: Vec<Vec<String>> = of_both.collect();
        at_once(self.guided, |worker, _| worker.set_operands(&operands))?;
        let entries = choices.iter().cloned().zip(operands);
        self.entries.extend(entries.map(|(choices, operands)| Entry { choices, operands }));
        Ok(())
    }

    /// Whether nothing is looked for that differs so.
    fn is_known(&self, (old, new): (&Outcome, &Outcome)) -> bool {
        self.faint >= self.plan.most_differences && !(self.plan.tells)(old, new)
    }

    /// Has inputs told on which digests differ (those of their results stand with them), and asks plain workers whether that makes a difference.
    fn suspect(&mut self, seed: u64, indices: &[(u64, Option<(u64, u64)>)]) -> Result<(), HarnessError> {
        for (index, results) in indices {
            let (old, new) = at_once(self.guided, |worker, _| worker.tell(seed, *index))?;
            let (Some(old), Some(new)) = (old, new) else { continue };
            // Other values were made where a function that makes them succeeds in one version only.
            let outcomes = (old.outcome()?, new.outcome()?);
            let is_on_same = old.inputs == new.inputs;
            let is_same = !is_on_same || same_in_both(&self.guided.common, &outcomes.0, &outcomes.1);
            if let (true, true, Some(results)) = (is_same, is_on_same, results) {
                self.alike.note(*results, (&outcomes.0, &outcomes.1));
            }
            if !is_same && self.is_known((&outcomes.0, &outcomes.1)) {
                continue;
            }
            if is_same {
                self.futile += 1;
                continue;
            }
            self.confirm(*index, wire::values(&new.inputs)?)?;
        }
        Ok(())
    }

    fn confirm(&mut self, index: u64, inputs: Vec<Value>) -> Result<(), HarnessError> {
        if self.found.differences.iter().any(|known| known.inputs == inputs) {
            return Ok(());
        }
        match self.plain.replay(&Asked::of(&inputs), Care::Finding) {
            Ok(Replay::Differs { old, new }) => {
                let counted = match (self.plan.tells)(&old, &new) {
                    true => &mut self.confirmed,
                    false => &mut self.faint,
                };
                *counted += 1;
                let found = Difference { index, inputs, old, new };
                let found = shrunk(self.plain, found, self.plan.tells, OF_A_LONG_ONE);
                if !self.found.differences.iter().any(|known| known.inputs == found.inputs) {
                    self.found.differences.push(found);
                }
            }
            Ok(Replay::Same { .. }) => self.futile += 1,
            Ok(Replay::Doubtful(doubt)) => {
                self.futile += MOST_FUTILE / 8;
                self.found.unstable.push(Unstable { inputs, doubt });
            }
            Err(error @ (HarnessError::NotBuildable(_) | HarnessError::Misfit { .. })) => {
                self.futile += MOST_FUTILE / 8;
                let doubt = Doubt::NotRepeatable { reason: error.to_string() };
                self.found.unstable.push(Unstable { inputs, doubt });
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// A call of the batch did not come back in one version: which it was, and whether that makes a difference.
    fn find_lost(&mut self, seed: u64, count: u64, until: Instant) -> Result<(), HarnessError> {
        self.lost += 1;
        self.begin()?;
        for index in 0..count {
            if Instant::now() > until {
                return Ok(());
            }
            let (old, new) = at_once(self.guided, |worker, _| worker.tell(seed, index))?;
            let (Some(old), Some(new)) = (old, new) else { continue };
            let outcomes = (old.outcome()?, new.outcome()?);
            let is_lost = |outcome: &Outcome| {
                matches!(outcome, Outcome::Hung | Outcome::OutOfMemory | Outcome::Aborted(_))
            };
            if !is_lost(&outcomes.0) && !is_lost(&outcomes.1) {
                continue;
            }
            // How long calls on long inputs take says little.
            let hangs = [&outcomes.0, &outcomes.1].contains(&&Outcome::Hung);
            if !hangs && old.inputs == new.inputs && outcomes.0 != outcomes.1 {
                self.confirm(index, wire::values(&new.inputs)?)?;
            }
            self.begin()?;
            return Ok(());
        }
        Ok(())
    }
}
