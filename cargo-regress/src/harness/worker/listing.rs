//! What workers are asked of every input that there is (`glue/listing.rs`).

use std::collections::HashMap;
use std::time::Duration;

use regress_core::idx::Idx;

use super::{Heard, MOST_AT_ONCE, RawEnd, RawRun, Worker};
use crate::harness::request::{HarnessError, SubjectId};
use crate::harness::wire::Reply;

/// The decisions that make an input. Equal ones make equal inputs of functions of equal shape; none make the first of all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decisions(Vec<u32>);

/// How far a worker came through all inputs, and what it saw on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Went {
    pub done: u64,
    pub panicked: u64,
    /// Inputs that could not be made.
    pub missed: u64,
    /// Whether something of an input or outcome was shown as mere text, or a panic had words of the language.
    pub is_opaque: bool,
    /// The next input; none after the last.
    pub next: Option<Decisions>,
}

impl Went {
    /// From the numbers of the line.
    pub fn of(numbers: &[u64]) -> Option<Went> {
        let [done, panicked, missed, opaque, more, digits @ ..] = numbers else { return None };
        let digits: Option<Vec<u32>> = digits.iter().map(|digit| u32::try_from(*digit).ok()).collect();
        let next = Decisions(digits?);
        Some(Went {
            done: *done,
            panicked: *panicked,
            missed: *missed,
            is_opaque: *opaque == 1,
            next: (*more == 1).then_some(next),
        })
    }
}

impl Worker {
    /// Runs up to `count` inputs in their order; a digest for each `block` of them. The worker says when it has done enough at once, which is a number of
    /// whole blocks. None if a call did not come back.
    pub fn list(
        &mut self,
        subject: SubjectId,
        (block, count): (u64, u64),
        from: &Decisions,
    ) -> Result<Option<(Vec<u64>, Went)>, HarnessError> {
        self.require(subject)?;
        self.say(&format!("list {} {block} {count}{}", subject.index(), words(from)))?;
        let mut digests = Vec::new();
        let mut went = None;
        let most = self.limits.call + MOST_AT_ONCE;
        loop {
            match self.hear_within(most)? {
                Heard::Reply(Reply::Digests(told)) => digests = told,
                Heard::Reply(Reply::Went(told)) => went = Some(told),
                Heard::Reply(Reply::Done) => {
                    let went =
                        went.ok_or_else(|| HarnessError::Protocol("nothing was listed".to_string()))?;
                    return Ok(Some((digests, went)));
                }
                Heard::Reply(other) => return Err(HarnessError::Protocol(format!("{other:?}"))),
                Heard::Silence | Heard::Death => {
                    self.kill();
                    return Ok(None);
                }
            }
        }
    }

    /// Runs the inputs that are so far behind one, in rising order; how each ends. None if one does not come back.
    pub(in crate::harness) fn tell_listed(
        &mut self,
        subject: SubjectId,
        from: &Decisions,
        wanted: &[u64],
    ) -> Result<Option<HashMap<u64, RawRun>>, HarnessError> {
        self.require(subject)?;
        let numbers: String = wanted.iter().map(|index| format!(" {index}")).collect();
        self.say(&format!("listed {}{numbers} |{}", subject.index(), words(from)))?;
        let mut begun = None;
        let mut runs = HashMap::new();
        // Others are passed over in between.
        let most = self.limits.call + Duration::from_secs(2);
        loop {
            match self.hear_within(most)? {
                Heard::Reply(Reply::Begin { index, inputs }) => begun = Some((index, inputs)),
                Heard::Reply(Reply::Outcome(json)) => {
                    let (index, inputs) = begun.take().ok_or_else(|| HarnessError::Protocol(json.clone()))?;
                    runs.insert(index, RawRun { index, inputs, end: RawEnd::Told(json) });
                }
                Heard::Reply(Reply::Misfit(_)) => {}
                Heard::Reply(Reply::Done) => return Ok(Some(runs)),
                Heard::Reply(other) => return Err(HarnessError::Protocol(format!("{other:?}"))),
                Heard::Silence | Heard::Death => {
                    self.kill();
                    return Ok(None);
                }
            }
        }
    }
}

fn words(decisions: &Decisions) -> String {
    decisions.0.iter().map(|digit| format!(" {digit}")).collect()
}
