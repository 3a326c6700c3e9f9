//! Calls in mixtures of two versions: a harness is built for each mixture, and the calls are made in it.

use camino::Utf8PathBuf;
use regress_core::evidence::Replay;
use regress_core::idx::IdxVec;
use regress_core::value::{Outcome, Value};
use regress_core::verdict::Version;
use similar::{DiffOp, TextDiff};

use super::Texts;
use crate::harness::{
    self, Asked, Availability, Both, Care, Harness, HarnessError, HarnessRequest, SubjectId, testing,
};

/// How a call ends in a mixture.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::pipeline) enum MixedEnd {
    Old,
    New,
    /// Otherwise than in either version.
    Other(Outcome),
    /// The mixture does not build, the function is not in it, or what it does changes from run to run.
    NotKnown,
}

/// What it takes to make calls in mixtures.
pub(in crate::pipeline) struct MixedCalls<'m> {
    /// A folder of their own.
    pub home: Utf8PathBuf,
    /// The version whose tree and declarations all mixtures begin with.
    pub base: Version,
    /// For the functions of all calls, in that version.
    pub request: HarnessRequest,
    /// Where each function begins in the other version.
    pub lines_of_other: IdxVec<SubjectId, u32>,
    /// The old version's and the new one's.
    pub texts: &'m (Texts, Texts),
    pub limits: harness::Limits,
}

/// A call that ends otherwise in both versions.
pub(in crate::pipeline) struct MixedCall<'c> {
    pub subject: SubjectId,
    pub inputs: &'c [Value],
    pub both: &'c mut Both,
}

impl MixedCalls<'_> {
    /// How each of the calls ends in the mixture. None of them is known if it does not build.
    pub fn make(&self, mixture: &Texts, calls: &mut [MixedCall<'_>]) -> anyhow::Result<Vec<MixedEnd>> {
        let mut request = HarnessRequest {
            source_root: self.home.join("tree"),
            out_dir: self.home.join("harness"),
            compared: None,
            subjects: IdxVec::new(),
            ..self.request.clone()
        };
        testing::lay_mixture(&self.request.source_root, &request.source_root, mixture)?;
        let mut placed = Vec::new();
        for call in calls.iter() {
            let line = self.line(call.subject, mixture);
            let subject = &self.request.subjects[call.subject];
            let of_mixture = |line| harness::SubjectRequest { line, ..subject.clone() };
            placed.push(line.map(|line| request.subjects.push(of_mixture(line))));
        }
        let harness = match harness::build(&request) {
            Ok(harness) => harness,
            Err(
                HarnessError::DoesNotCompile { .. }
                | HarnessError::TooManyRounds { .. }
                | HarnessError::Source { .. },
            ) => return Ok(vec![MixedEnd::NotKnown; calls.len()]),
            Err(error) => return Err(error.into()),
        };
        let end = |(call, id): (&mut MixedCall<'_>, Option<SubjectId>)| {
            id.map_or(MixedEnd::NotKnown, |id| self.end(&harness, id, call))
        };
        Ok(calls.iter_mut().zip(placed).map(end).collect())
    }

    fn end(&self, harness: &Harness, id: SubjectId, call: &mut MixedCall<'_>) -> MixedEnd {
        if !matches!(harness.availability(id), Availability::Ready { .. }) {
            return MixedEnd::NotKnown;
        }
        // The mixture stands in for one version after the other.
        let mut mixed = (harness.worker(self.limits), id);
        std::mem::swap(&mut call.both.old, &mut mixed);
        let beside_new = call.both.replay(&Asked::of(call.inputs), Care::Sample);
        std::mem::swap(&mut call.both.old, &mut mixed);
        if let Ok(Replay::Same { .. }) = beside_new {
            return MixedEnd::New;
        }
        std::mem::swap(&mut call.both.new, &mut mixed);
        let beside_old = call.both.replay(&Asked::of(call.inputs), Care::Sample);
        std::mem::swap(&mut call.both.new, &mut mixed);
        match beside_old {
            Ok(Replay::Same { .. }) => MixedEnd::Old,
            Ok(Replay::Differs { new, .. }) if matches!(beside_new, Ok(Replay::Differs { .. })) => {
                MixedEnd::Other(new)
            }
            _ => MixedEnd::NotKnown,
        }
    }

    /// Where a function begins in the mixture.
    fn line(&self, id: SubjectId, mixture: &Texts) -> Option<u32> {
        let subject = &self.request.subjects[id];
        let path = self.request.workspace_dir.join(&subject.file);
        let Some(mixed) = mixture.get(&path) else { return Some(subject.line) };
        let (own, other) = match self.base {
            Version::Old => (&self.texts.0, &self.texts.1),
            Version::New => (&self.texts.1, &self.texts.0),
        };
        let follow = |line, texts: &Texts| followed(line, texts.get(&path)?, mixed);
        follow(subject.line, own).or_else(|| follow(self.lines_of_other[id], other))
    }
}

/// The number of a line, counted from 1, in another version of the text; none if the line is not the same there.
fn followed(line: u32, from: &str, to: &str) -> Option<u32> {
    let index = (line as usize).checked_sub(1)?;
    TextDiff::from_lines(from, to).ops().iter().find_map(|op| match op {
        DiffOp::Equal { old_index, new_index, len } if (*old_index..old_index + len).contains(&index) => {
            Some((new_index + (index - old_index)) as u32 + 1)
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::followed;

    #[test]
    fn lines_are_followed_where_they_are_the_same() {
        let (from, to) = ("a\nb\nc\nd\n", "x\na\nb\ny\nd\n");
        assert_eq!(followed(2, from, to), Some(3));
        assert_eq!(followed(3, from, to), None);
        assert_eq!(followed(4, from, to), Some(5));
        assert_eq!(followed(0, from, to), None);
    }
}
