//! One call in mixtures of two versions: a harness is built for each mixture, and the call is made in it.

use std::collections::BTreeMap;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use regress_core::evidence::Replay;
use regress_core::idx::Idx;
use regress_core::verdict::Version;
use similar::{DiffOp, TextDiff};

use super::call::Call;
use super::case::Bench;
use super::hunks::{self, Change, Shown};
use crate::harness::testing;
use crate::harness::{
    self, Asked, Availability, Both, Care, HarnessError, HarnessRequest, SubjectId, Worker,
};
use crate::pipeline::makers;
use crate::report::localize::Hunks;

/// The least set of hunks with which the call ends as it does in the new version.
pub(super) fn hunks_of_call(
    bench: &Bench<'_>,
    call: &Call,
    both: &mut Both,
) -> anyhow::Result<Option<Hunks>> {
    let budget = Duration::from_secs(bench.options.hunk_time);
    if budget.is_zero() {
        return Ok(None);
    }
    bench.session.progress.step("Telling the hunks apart");
    let (session, loaded, subject) = (bench.session, bench.loaded, &call.functions);
    let of_new = [(subject.new, &subject.instantiation.new)];
    let makers = makers::common(loaded, bench.alignment, &of_new);
    let versions = session.versions;
    let wanted =
        ((subject.old, subject.instantiation.old.clone()), (subject.new, subject.instantiation.new.clone()));
    let old = session.request_for(&versions.old, &loaded.old, &wanted.0, &makers)?;
    let new = session.request_for(&versions.new, &loaded.new, &wanted.1, &makers)?;
    let texts = |request: &HarnessRequest| testing::texts_below(&request.source_root, Utf8Path::new(""));
    let mut trier = Trier {
        home: session.home.join("localize").join("mixed-calls"),
        files: (texts(&old)?, texts(&new)?),
        request: &old,
        new_line: new.subjects[SubjectId::from_usize(0)].line,
        call,
        both,
        limits: bench.options.search.call_limits(),
    };
    let change = Change::between(&trier.files.0, &trier.files.1);
    let all: Vec<usize> = (0..change.len()).collect();
    hunks::least(&change, &all, &old.workspace_dir, budget, &mut |mixture| trier.try_mixture(mixture))
}

struct Trier<'t> {
    home: Utf8PathBuf,
    /// Of the old version and the new one.
    files: (BTreeMap<Utf8PathBuf, String>, BTreeMap<Utf8PathBuf, String>),
    /// For the old version.
    request: &'t HarnessRequest,
    /// Where the function begins in the new version.
    new_line: u32,
    call: &'t Call,
    /// The versions themselves.
    both: &'t mut Both,
    limits: harness::Limits,
}

impl Trier<'_> {
    /// Whether the call ends in the mixture as it does in one of the versions. The mixture stands in for the other one.
    fn is_like(&mut self, version: Version, mixed: &mut (Worker, SubjectId)) -> bool {
        let other = match version {
            Version::Old => &mut self.both.new,
            Version::New => &mut self.both.old,
        };
        std::mem::swap(other, mixed);
        let replayed = self.both.replay(&Asked::of(&self.call.inputs), Care::Sample);
        let other = match version {
            Version::Old => &mut self.both.new,
            Version::New => &mut self.both.old,
        };
        std::mem::swap(other, mixed);
        matches!(replayed, Ok(Replay::Same { .. }))
    }

    fn try_mixture(&mut self, mixture: &BTreeMap<Utf8PathBuf, String>) -> anyhow::Result<Shown> {
        let source_root = self.home.join("tree");
        testing::lay_mixture(&self.request.source_root, &source_root, mixture)?;
        let mut request = HarnessRequest {
            source_root,
            out_dir: self.home.join("harness"),
            seed: None,
            compared: None,
            ..self.request.clone()
        };
        let id = SubjectId::from_usize(0);
        let subject = &mut request.subjects[id];
        let path = request.workspace_dir.join(&subject.file);
        if let Some(mixed) = mixture.get(&path) {
            let follow =
                |line, files: &BTreeMap<Utf8PathBuf, String>| followed(line, files.get(&path)?, mixed);
            let line = follow(subject.line, &self.files.0).or_else(|| follow(self.new_line, &self.files.1));
            let Some(line) = line else { return Ok(Shown::Otherwise) };
            subject.line = line;
        }
        let harness = match harness::build(&request) {
            Ok(harness) => harness,
            Err(HarnessError::DoesNotCompile { .. } | HarnessError::TooManyRounds { .. }) => {
                return Ok(Shown::Otherwise);
            }
            Err(HarnessError::Source { .. }) => return Ok(Shown::Otherwise),
            Err(error) => return Err(error.into()),
        };
        if !matches!(harness.availability(id), Availability::Ready { .. }) {
            return Ok(Shown::Otherwise);
        }
        let mut mixed = (harness.worker(self.limits), id);
        Ok(match (self.is_like(Version::New, &mut mixed), self.is_like(Version::Old, &mut mixed)) {
            (true, _) => Shown::Fails,
            (false, true) => Shown::Passes,
            (false, false) => Shown::Otherwise,
        })
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
