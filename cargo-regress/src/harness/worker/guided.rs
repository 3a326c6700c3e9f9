//! What instrumented workers are asked: batches of inputs that they make of a corpus (`glue/fuzzing.rs`).

use regress_core::idx::Idx;
use regress_core::value::{Outcome, Value};

use super::{Heard, MOST_AT_ONCE, PATIENCE, RandomPlan, RawEnd, RawRun, States, Worker};
use crate::harness::request::{HarnessError, SubjectId};
use crate::harness::wire::{self, Reply};

/// What a worker tells of inputs that it ran.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// As those of random runs.
    pub digests: Vec<u64>,
    /// The same of what the runs returned alone.
    pub results: Vec<u64>,
    /// Inputs that brought new coverage, by number, as choices.
    pub kept: Vec<(u64, String)>,
    /// Of the comparisons on inputs that were added to the corpus, for each.
    pub operands: Vec<Vec<String>>,
}

impl Worker {
    /// Begins anew with an empty corpus. How many sets of counters there are: none if the crate is not instrumented.
    pub fn begin_fuzzing(&mut self, subject: SubjectId, plan: &RandomPlan) -> Result<u64, HarnessError> {
        self.require(subject)?;
        self.restart();
        self.say(&wire::dictionary(&plan.literals))?;
        self.until_done()?;
        let as_made = u8::from(plan.states == States::AsMade);
        self.say(&format!("fuzz {} {} {} {as_made}", subject.index(), plan.max_len, plan.max_depth))?;
        let mut counters = 0;
        loop {
            match self.hear_within(PATIENCE)? {
                Heard::Reply(Reply::Counters(told)) => counters = told,
                Heard::Reply(Reply::Done) => return Ok(counters),
                Heard::Reply(other) => return Err(HarnessError::Protocol(format!("{other:?}"))),
                Heard::Silence | Heard::Death => return Err(HarnessError::NoWorker(self.post_mortem())),
            }
        }
    }

    /// Adds inputs to the corpus, and runs them; none if one does not come back.
    pub fn add_entries(&mut self, entries: &[String]) -> Result<Option<Batch>, HarnessError> {
        self.batch_of(&format!("entries {}", entries.join(" | ")))
    }

    /// Adds an input that is given as values.
    pub fn add_seed(&mut self, inputs: &[Value]) -> Result<Option<Batch>, HarnessError> {
        let tokens = wire::tokens(inputs)?;
        self.batch_of(&format!("seed{tokens}"))
    }

    /// What operands of the last entries are replaced with, in their order.
    pub fn set_operands(&mut self, operands: &[Vec<String>]) -> Result<(), HarnessError> {
        let operands: Vec<String> = operands.iter().map(|operands| operands.join(" ")).collect();
        self.say(&format!("pairs {}", operands.join(" | ")))?;
        self.until_done()
    }

    /// Runs inputs that are made of the corpus; none if one does not come back.
    pub fn fuzz(&mut self, seed: u64, count: u64) -> Result<Option<Batch>, HarnessError> {
        self.batch_of(&format!("batch {seed} 0 {count}"))
    }

    /// One of these inputs, and how the call on it ends; none if it could not be made.
    pub(in crate::harness) fn tell(&mut self, seed: u64, index: u64) -> Result<Option<RawRun>, HarnessError> {
        self.told(&format!("tell {seed} {index}"), index)
    }

    /// The same of the entry of the corpus with this number.
    pub(in crate::harness) fn tell_entry(&mut self, number: u64) -> Result<Option<RawRun>, HarnessError> {
        self.told(&format!("entry {number}"), number)
    }

    fn told(&mut self, command: &str, index: u64) -> Result<Option<RawRun>, HarnessError> {
        self.say(command)?;
        let (mut begun, mut end) = (None, None);
        let end = loop {
            match self.hear()? {
                Heard::Reply(Reply::Begin { inputs, .. }) => begun = Some(inputs),
                Heard::Reply(Reply::Outcome(json)) => end = Some(RawEnd::Told(json)),
                Heard::Reply(Reply::Misfit(_)) => begun = None,
                Heard::Reply(Reply::Done) => break end,
                Heard::Reply(other) => return Err(HarnessError::Protocol(format!("{other:?}"))),
                Heard::Silence => {
                    self.kill();
                    break Some(RawEnd::Seen(Outcome::Hung));
                }
                Heard::Death => break Some(RawEnd::Seen(self.ending())),
            }
        };
        Ok(begun.zip(end).map(|(inputs, end)| RawRun { index, inputs, end }))
    }

    fn batch_of(&mut self, command: &str) -> Result<Option<Batch>, HarnessError> {
        self.say(command)?;
        let mut batch = Batch::default();
        loop {
            match self.hear_within(MOST_AT_ONCE)? {
                Heard::Reply(Reply::Digests(told)) => batch.digests = told,
                Heard::Reply(Reply::Results(told)) => batch.results = told,
                Heard::Reply(Reply::Kept { index, choices }) => batch.kept.push((index, choices)),
                Heard::Reply(Reply::Operands(told)) => batch.operands.push(told),
                Heard::Reply(Reply::Done) => return Ok(Some(batch)),
                Heard::Reply(other) => return Err(HarnessError::Protocol(format!("{other:?}"))),
                Heard::Silence | Heard::Death => {
                    self.kill();
                    return Ok(None);
                }
            }
        }
    }
}
