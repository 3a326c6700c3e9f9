//! A call or a test in mixtures of two versions.

use std::time::Duration;

use camino::Utf8Path;
use regress_core::idx::Idx;
use regress_core::verdict::Version;

use super::call::Call;
use super::case::Bench;
use super::trial::Failure;
use crate::harness::testing::{self, Test, TestEnd};
use crate::harness::{Both, HarnessRequest, SubjectId};
use crate::pipeline::makers;
use crate::pipeline::mixtures::{Change, Grain, MixedCall, MixedCalls, MixedEnd, Shown, Texts, least};
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
    let old = session.request_for(&versions.old, &loaded.old, &[wanted.0], &makers)?;
    let new = session.request_for(&versions.new, &loaded.new, &[wanted.1], &makers)?;
    let texts = |request: &HarnessRequest| testing::texts_below(&request.source_root, Utf8Path::new(""));
    let texts = (texts(&old)?, texts(&new)?);
    let change = Change::between(&texts.0, &texts.1, Grain::Hunks);
    let workspace_dir = old.workspace_dir.clone();
    let calls = MixedCalls {
        home: session.home.join("localize").join("mixed-calls"),
        base: Version::Old,
        request: HarnessRequest { seed: None, ..old },
        lines_of_other: new.subjects.iter().map(|subject| subject.line).collect(),
        texts: &texts,
        limits: bench.options.search.call_limits(),
    };
    let all: Vec<usize> = (0..change.len()).collect();
    least(&change, &all, &workspace_dir, budget, &mut |mixture| {
        let call = MixedCall { subject: SubjectId::from_usize(0), inputs: &call.inputs, both };
        Ok(match calls.make(mixture, &mut [call])?.as_slice() {
            [MixedEnd::New] => Shown::Fails,
            [MixedEnd::Old] => Shown::Passes,
            _ => Shown::Otherwise,
        })
    })
}

/// Runs a test in mixtures of two versions.
pub(super) struct Trier<'t> {
    /// The old version, with a folder of its own.
    pub request: &'t HarnessRequest,
    /// Files that every mixture has: the integration tests.
    pub common: &'t Texts,
    pub test: &'t Test,
    pub failure: &'t Failure,
    pub limit: Duration,
}

impl Trier<'_> {
    /// What the test does in a mixture.
    pub fn try_mixture(&self, mixture: &Texts) -> anyhow::Result<Shown> {
        let mut files = mixture.clone();
        files.extend(self.common.iter().map(|(path, text)| (path.clone(), text.clone())));
        let copy = testing::lay_out(self.request, &files)?;
        let built = testing::build_one(self.request, &copy, self.test)?;
        let Some(end) = testing::run(self.request, &copy, &built, self.test, &[], self.limit)? else {
            return Ok(Shown::Otherwise);
        };
        Ok(match Failure::of(&end) {
            Some(failure) if self.failure.is_shown_by(&failure) => Shown::Fails,
            None if end == TestEnd::Passed => Shown::Passes,
            _ => Shown::Otherwise,
        })
    }
}
