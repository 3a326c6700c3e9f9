//! Tests on both versions, and the calls that they make.
//!
//! A test is run natively, three times on either version. Passing on the old one and failing on the new one is the case;
//! everything else is said and left. Then the test is run once more in a copy of the new version in which the functions that the
//! change may affect write their arguments down. The first of these calls that ends differently in both versions, natively
//! and by itself, is localized in the place of the test. If there is none, what the test executes of the change is told.
//!
//! The integration tests of the new version are run on both: what a test was changed to expect is its expectation. Examples in
//! documentation are run where both versions have them word for word.
//!
//! *Not handled.* The body of the test itself is not executed symbolically, so what is varied is the arguments of the call.
//! Calls that write to the outside are not run by themselves.

use std::collections::BTreeMap;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use regress_core::compare::FunctionPair;
use regress_core::evidence::Replay;
use regress_core::idx::IdxVec;
use regress_core::ir::{FnBody, FnId, FunctionKind, Subst};
use regress_core::verdict::{ChangeKind, Version};

use super::call::Call;
use super::case::{self, Bench};
use super::mixture::Trier;
use super::{emit, rank};
use crate::extract::TargetKind;
use crate::harness::testing::{self, BuiltTests, Test, TestEnd};
use crate::harness::{CapturedCall, Coverage, HarnessRequest, SubjectId, capture, coverage, examples};
use crate::pipeline::declared::Declarations;
use crate::pipeline::given_types;
use crate::pipeline::load::{LoadedVersion, program_name, side_name};
use crate::pipeline::mixtures::{Change, Grain, least};
use crate::pipeline::native::subject_request;
use crate::pipeline::needs_work;
use crate::pipeline::suspects::{Behind, none_seen, ranked};
use crate::report::localize::{
    Captured, Case, Effort, Evidence, Finding, Hunks, Line, LineText, Located, Method,
    Subject as ReportSubject,
};
use crate::report::reasons;
use crate::report::wording;
use crate::versions::VersionTree;
use regress_core::verdict::suspicion::Effect;

/// A test that takes longer does not end.
const LIMIT: Duration = Duration::from_secs(60);
/// All examples of a documentation are given so long together.
const EXAMPLES_LIMIT: Duration = Duration::from_secs(300);
/// Runs of a test, to see whether it is flaky.
const RUNS: usize = 3;
/// Captured calls that are run by themselves.
const MOST_CALLS: usize = 200;
/// Choices of types at which generic functions are called.
const MOST_CHOICES: usize = 3;

/// The tests of both versions, built.
pub(super) struct Trials<'b> {
    bench: &'b Bench<'b>,
    old: Side,
    new: Side,
    /// The integration tests, which both versions are tried with.
    tests: BTreeMap<Utf8PathBuf, String>,
}

/// The tests of one version.
struct Side {
    request: HarnessRequest,
    built: BuiltTests,
    /// Where it was built.
    copy: Utf8PathBuf,
}

/// Which functions' calls are captured.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    All,
    /// Those without generic parameters.
    Concrete,
}

/// What a test executes, where that was found out.
#[derive(Default)]
struct Executed {
    old: Option<Coverage>,
    new: Option<Coverage>,
}

impl Executed {
    fn of(&self, version: Version) -> Option<&Coverage> {
        match version {
            Version::Old => self.old.as_ref(),
            Version::New => self.new.as_ref(),
        }
    }
}

/// How a test ended on one version, in all runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Passes,
    Fails(Failure),
    Flaky,
    Absent,
    DoesNotBuild { error: String },
}

/// How a test fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    /// What it says.
    pub message: String,
    /// File and line of its panic.
    pub place: Option<(String, u32)>,
    /// Whether it says so in each run; messages may tell times and addresses.
    pub steady: bool,
}

impl Failure {
    pub fn of(end: &TestEnd) -> Option<Failure> {
        let (message, place) = match end {
            TestEnd::Failed { message, place } => (message.clone(), place.clone()),
            TestEnd::Hung => (format!("it did not end within {} s", LIMIT.as_secs()), None),
            TestEnd::Passed | TestEnd::Absent => return None,
        };
        Some(Failure { message, place, steady: true })
    }

    /// Whether another version fails in this way.
    pub fn is_shown_by(&self, other: &Failure) -> bool {
        !self.steady || self.message == other.message
    }
}

impl<'b> Trials<'b> {
    pub fn prepare(bench: &'b Bench<'b>) -> anyhow::Result<Trials<'b>> {
        bench.session.progress.step("Building the tests of both versions");
        let versions = bench.session.versions;
        let new = Side::request(bench, &versions.new, &bench.loaded.new)?;
        let old = Side::request(bench, &versions.old, &bench.loaded.old)?;
        let tests = new.manifest.parent().map(|dir| dir.join("tests")).unwrap_or_default();
        let theirs = testing::texts_below(&new.source_root, &tests)?;
        let old = Side::build(old, &theirs)?;
        let new = Side::build(new, &BTreeMap::new())?;
        Ok(Trials { bench, old, new, tests: theirs })
    }

    /// The named test, or all that pass on the old version and fail on the new one. What of all was left out is noted.
    pub fn cases(&self, name: Option<&str>, notes: &mut Vec<String>) -> anyhow::Result<Vec<Case>> {
        self.bench.session.progress.step("Running the tests");
        let found = match name {
            Some(name) => self.named(name)?,
            None => self.failing(notes)?,
        };
        let mut cases = Vec::new();
        for test in found {
            let (old, new) = (self.old.run(&test, RUNS)?, self.new.run(&test, RUNS)?);
            let finding = match (&old, &new) {
                (Verdict::Passes, Verdict::Fails(failure)) => {
                    Finding::Located(Box::new(self.locate(&test, failure)?))
                }
                _ => Finding::Nothing { reason: said_of(&old, &new) },
            };
            cases.push(Case { subject: ReportSubject::Test(test.name().to_owned()), finding });
        }
        Ok(cases)
    }

    /// How the named test ends on both versions, the first of that name.
    pub fn verdicts(&self, name: &str) -> anyhow::Result<(Verdict, Verdict)> {
        let found = self.named(name)?;
        Ok((self.old.run(&found[0], RUNS)?, self.new.run(&found[0], RUNS)?))
    }

    /// The tests of this name; several files may have one.
    fn named(&self, name: &str) -> anyhow::Result<Vec<Test>> {
        let mut found = self.compiled()?;
        found.retain(|test| test.name() == name);
        // Listing examples takes another build.
        if found.is_empty() {
            let listed = examples::list(&self.new.request, &self.new.copy)?;
            let of_name = listed.into_iter().flatten().filter(|(listed, _)| listed == name);
            found.extend(of_name.map(|(name, example)| Test::Example { name, example }));
        }
        match (found.is_empty(), self.new.built.error()) {
            (false, _) => Ok(found),
            (true, Some(error)) => {
                anyhow::bail!("there is no test `{name}` among those that build: {error}")
            }
            (true, None) => anyhow::bail!("there is no test `{name}` in the new version"),
        }
    }

    /// All that do not pass on the new version.
    fn failing(&self, notes: &mut Vec<String>) -> anyhow::Result<Vec<Test>> {
        for (side, tests) in [("old", &self.old), ("new", &self.new)] {
            let error = tests.built.error().into_iter();
            notes
                .extend(error.map(|error| format!("some tests of the {side} version do not build: {error}")));
        }
        let mut found = Vec::new();
        for test in self.compiled()? {
            if self.new.run(&test, 1)? != Verdict::Passes {
                found.push(test);
            }
        }
        let Some(failing) = examples::failing(&self.new.request, &self.new.copy, EXAMPLES_LIMIT)? else {
            let seconds = EXAMPLES_LIMIT.as_secs();
            notes.push(format!(
                "examples in the documentation were left out: they took more than {seconds} s"
            ));
            return Ok(found);
        };
        if !failing.is_empty() {
            let listed = examples::list(&self.new.request, &self.new.copy)?;
            let failed = listed.into_iter().flatten().filter(|(name, _)| failing.contains(name));
            found.extend(failed.map(|(name, example)| Test::Example { name, example }));
        }
        Ok(found)
    }

    fn compiled(&self) -> anyhow::Result<Vec<Test>> {
        let mut found = Vec::new();
        let directory = testing::package_directory(&self.new.request, &self.new.copy);
        for (binary, program) in &self.new.built.programs {
            let names = testing::list(program, &directory)?;
            found.extend(names.into_iter().map(|name| Test::Compiled { binary: binary.clone(), name }));
        }
        Ok(found)
    }

    /// The lines behind a test that fails.
    fn locate(&self, test: &Test, failure: &Failure) -> anyhow::Result<Located> {
        let message = &failure.message;
        let mut executed = Executed::default();
        let mut located = match self.first_difference(test)? {
            Ok(located) => located,
            Err(reason) => {
                executed = self.executed(test);
                let (lines, method) = self.lines_without_call(failure, &executed, reason);
                Located {
                    call: None,
                    method,
                    lines,
                    hunks: None,
                    test: self
                        .bench
                        .options
                        .emit_test
                        .is_some()
                        .then(|| Err("no call shows the failure".into())),
                    bisect: None,
                    effort: Effort::default(),
                    limits: Vec::new(),
                }
            }
        };
        let hunks = self.hunks(test, failure, &executed);
        self.bench.add_hunks(&mut located, hunks, &format!("the test says: {message}"));
        if self.bench.options.emit_bisect {
            let (versions, package) = (self.bench.session.versions, &self.new.request.package);
            located.bisect = Some(emit::bisect_test(versions, package, test));
        }
        Ok(located)
    }

    /// The least set of hunks with which the test fails.
    fn hunks(&self, test: &Test, failure: &Failure, executed: &Executed) -> anyhow::Result<Option<Hunks>> {
        let budget = Duration::from_secs(self.bench.options.hunk_time);
        if budget.is_zero() {
            return Ok(None);
        }
        self.bench.session.progress.step("Telling the hunks apart");
        let below = |request: &HarnessRequest| testing::texts_below(&request.source_root, Utf8Path::new(""));
        let (mut old, mut new) = (below(&self.old.request)?, below(&self.new.request)?);
        for files in [&mut old, &mut new] {
            files.extend(self.tests.iter().map(|(path, text)| (path.clone(), text.clone())));
        }
        // The old code is tried with the manifest of the new version if that is another one: mostly only dependencies were added.
        let manifests = |files: &BTreeMap<Utf8PathBuf, String>| -> Vec<(Utf8PathBuf, String)> {
            let all = files.iter().filter(|(path, _)| path.file_name() == Some("Cargo.toml"));
            all.map(|(path, text)| (path.clone(), text.clone())).collect()
        };
        let mut common = self.tests.clone();
        let base = match manifests(&old) == manifests(&new) {
            true => &self.old.request,
            false => {
                let gone =
                    old.iter().filter(|(path, _)| path.extension() == Some("rs") && !new.contains_key(*path));
                common.extend(gone.map(|(path, text)| (path.clone(), text.clone())));
                &self.new.request
            }
        };
        let request = HarnessRequest {
            out_dir: self.bench.session.home.join("localize").join("mixtures"),
            seed: Some(base.out_dir.clone()),
            ..base.clone()
        };
        let change = Change::between(&old, &new, Grain::Hunks);
        let trier = Trier { request: &request, common: &common, test, failure, limit: LIMIT };
        let base = &request.workspace_dir;
        let likely = change.without(&|version, file, line| {
            executed.of(version)?.is_executed(file.strip_prefix(base).unwrap_or(file), line)
        });
        least(&change, &likely, base, budget, &mut |mixture| trier.try_mixture(mixture))
    }

    /// The first call that the test makes and that ends differently, localized; or why there is none.
    fn first_difference(&self, test: &Test) -> anyhow::Result<Result<Located, String>> {
        let request = HarnessRequest {
            out_dir: self.bench.session.home.join("localize").join("captures"),
            seed: Some(self.new.request.out_dir.clone()),
            ..self.new.request.clone()
        };
        let (all, subjects) = self.affected(Wanted::All);
        let found = self.first_difference_of(&all, &HarnessRequest { subjects, ..request.clone() }, test)?;
        let (concrete, subjects) = self.affected(Wanted::Concrete);
        if found.is_ok() || concrete.len() == all.len() {
            return Ok(found);
        }
        // A generic function that cannot be called by itself hides the calls that it makes.
        self.first_difference_of(&concrete, &HarnessRequest { subjects, ..request }, test)
    }

    /// The same among the calls of these functions.
    fn first_difference_of(
        &self,
        subjects: &IdxVec<SubjectId, (FnId, FnId)>,
        request: &HarnessRequest,
        test: &Test,
    ) -> anyhow::Result<Result<Located, String>> {
        let captured = match capture(request, test, LIMIT) {
            Ok(captured) => captured,
            Err(error) => return Ok(Err(format!("the arguments of its calls were not captured: {error}"))),
        };
        if captured.is_empty() {
            return Ok(Err("it was not seen to call any function that the change may affect".into()));
        }
        let mut calls: Vec<Call> = Vec::new();
        for CapturedCall { subject, types, inputs, test: _ } in captured {
            let Some(subject) = given_types::subject(self.bench.loaded, subjects[subject], &types) else {
                continue;
            };
            let is_known = calls.iter().any(|call| {
                let known = &call.functions;
                (&call.inputs, known.new, &known.instantiation)
                    == (&inputs, subject.new, &subject.instantiation)
            });
            if !is_known && calls.len() < MOST_CALLS {
                calls.push(Call { functions: subject, inputs });
            }
        }
        let mut refused = None;
        for _ in 0..MOST_CHOICES {
            // A harness has a function at one choice of types: the first that is left.
            let mut chosen: Vec<FunctionPair> = Vec::new();
            let (now, later): (Vec<Call>, Vec<Call>) = calls.into_iter().partition(|call| {
                match chosen.iter().find(|known| known.new == call.functions.new) {
                    Some(known) => known.instantiation == call.functions.instantiation,
                    None => {
                        chosen.push(call.functions.clone());
                        true
                    }
                }
            });
            let harnesses = self.bench.harnesses(&chosen)?;
            for call in &now {
                let replayed =
                    self.bench.both(&harnesses, call).and_then(|mut both| case::run(&mut both, call));
                match replayed {
                    Ok(Replay::Differs { old, new }) => {
                        return Ok(Ok(self.bench.locate(call, old, new, Captured::DuringTest)));
                    }
                    Ok(Replay::Same { .. }) => {}
                    Ok(Replay::Doubtful(doubt)) => refused = refused.or(Some(wording::doubt(&doubt))),
                    Err(reason) => refused = refused.or(Some(reason)),
                }
            }
            if later.is_empty() {
                break;
            }
            calls = later;
        }
        Ok(Err(match refused {
            Some(reason) => format!("some calls that it makes cannot be run by themselves: {reason}"),
            None => {
                "every call that it makes of functions that the change may affect ends alike by itself".into()
            }
        }))
    }

    /// The functions that the change may affect and that can be called with given arguments: old, new.
    fn affected(
        &self,
        wanted: Wanted,
    ) -> (IdxVec<SubjectId, (FnId, FnId)>, IdxVec<SubjectId, crate::harness::SubjectRequest>) {
        let loaded = self.bench.loaded;
        let program = &loaded.new.program;
        let functions = self.bench.alignment.pairs.iter().filter(|pair| needs_work(pair));
        let declarations = Declarations::new(program, functions.filter_map(|pair| pair.new));
        let (mut subjects, mut requests) = (IdxVec::new(), IdxVec::new());
        for pair in self.bench.alignment.pairs.iter().filter(|pair| needs_work(pair)) {
            let (Some(old), Some(new)) = (pair.old, pair.new) else { continue };
            let item = &program.functions[new];
            let is_wanted = wanted == Wanted::All || program.generics_in_scope(new).is_empty();
            if is_wanted
                && item.kind == FunctionKind::Fn
                && !matches!(item.body, FnBody::Missing)
                && let Some(request) = subject_request(&loaded.new, &declarations, new, &Subst::new())
            {
                subjects.push((old, new));
                requests.push(request);
            }
        }
        (subjects, requests)
    }

    /// The statements that the test executes, where this can be found out.
    fn executed(&self, test: &Test) -> Executed {
        self.bench.session.progress.step("Looking at what the test executes");
        let of = |side: &Side, replaced: &BTreeMap<Utf8PathBuf, String>| {
            let folder = self.bench.session.home.join("localize").join("coverage");
            let request = HarnessRequest {
                out_dir: folder.join(side.request.out_dir.file_name().unwrap_or_default()),
                seed: Some(side.request.out_dir.clone()),
                ..side.request.clone()
            };
            coverage(&request, replaced, test, LIMIT).ok().flatten()
        };
        Executed { old: of(&self.old, &self.tests), new: of(&self.new, &BTreeMap::new()) }
    }

    /// Where no call shows the failure: the line at which the crate itself panics, and of what changed that which is executed.
    fn lines_without_call(
        &self,
        failure: &Failure,
        executed: &Executed,
        reason: String,
    ) -> (Vec<Line>, Method) {
        let effect = Effect::Test { says: failure.message.clone() };
        let program = &self.bench.loaded.new.program;
        // What only tests have is not part of the program.
        let is_of_crate = |file: &str, line: u32| {
            program.functions.iter().filter_map(|function| function.span).any(|span| {
                program.files.get(span.file).is_some_and(|known| known.path == file)
                    && (span.line_start..=span.line_end).contains(&line)
            })
        };
        let place = failure.place.as_ref().filter(|(file, line)| is_of_crate(file, *line));
        let panics = place.map(|(file, line)| Line {
            version: Version::New,
            file: file.clone(),
            from: (*line, 1),
            to: (*line, u32::MAX),
            evidence: Evidence::Panics,
            text: LineText::Same,
            reason: format!(
                "the new version panics here, the old one does not; {}",
                reasons::effect(&effect)
            ),
        });
        let is_other = |line: &Line| {
            !place.is_some_and(|(file, at)| {
                line.version == Version::New && (&line.file, line.from.0) == (file, *at)
            })
        };
        let is_executed =
            |line: &Line| executed.of(line.version)?.is_executed(Utf8Path::new(&line.file), line.from.0);
        let mut lines: Vec<Line> = panics.into_iter().collect();
        for line in self.changed_lines(&effect).into_iter().filter(is_other) {
            let place = |line: &Line| (line.version, line.file.clone(), line.from.0);
            // Several functions may come from one line: those that are derived.
            if !lines.iter().any(|told| place(told) == place(&line)) {
                lines.push(line);
            }
        }
        let passed = lines.iter().filter(|line| is_executed(line) == Some(true)).count();
        if passed == 0 {
            return (lines, Method::Changes { reason });
        }
        lines.retain(|line| is_executed(line) != Some(false));
        // What is not known to be executed stands in what macros make.
        lines.sort_by_key(|line| (line.evidence != Evidence::Panics, is_executed(line) != Some(true)));
        (lines, Method::Coverage { reason })
    }

    /// What changed, in all functions.
    fn changed_lines(&self, effect: &Effect) -> Vec<Line> {
        let (loaded, alignment) = (self.bench.loaded, self.bench.alignment);
        let changed = alignment.pairs.iter().filter(|pair| pair.kind == ChangeKind::Changed);
        let pairs = changed.filter_map(|pair| Some((pair.old?, pair.new?)));
        pairs
            .flat_map(|pair| {
                let behind = Behind::of(alignment, pair);
                rank::lines(loaded, ranked(loaded, alignment, &behind, None, effect, none_seen))
            })
            .collect()
    }
}

impl Side {
    fn request(
        bench: &Bench<'_>,
        tree: &VersionTree,
        version: &LoadedVersion,
    ) -> anyhow::Result<HarnessRequest> {
        let crates = &version.extraction.crates;
        let library = crates.iter().find(|dump| dump.target == TargetKind::Library).or(crates.first());
        let dump = library.ok_or_else(|| anyhow::anyhow!("there is no crate whose tests could be run"))?;
        let name = program_name(dump, crates);
        let request = bench.session.harness_request(tree, version, dump, &name, IdxVec::new())?;
        let folder = |version| bench.session.home.join("localize").join(side_name(version));
        let (out_dir, seed) = (folder(tree.version), Some(folder(tree.version.other())));
        // Tests are those of one package.
        Ok(HarnessRequest { out_dir, seed, compared: None, ..request })
    }

    fn build(request: HarnessRequest, replaced: &BTreeMap<Utf8PathBuf, String>) -> anyhow::Result<Side> {
        let copy = testing::lay_out(&request, replaced)?;
        let built = testing::build(&request, &copy)?;
        Ok(Side { request, built, copy })
    }

    fn run(&self, test: &Test, runs: usize) -> anyhow::Result<Verdict> {
        let mut verdict = None;
        for _ in 0..runs {
            let end = testing::run(&self.request, &self.copy, &self.built, test, &[], LIMIT)?;
            let Some(end) = end else {
                let error = self.built.error().unwrap_or_else(|| "there is no such file of tests".into());
                return Ok(Verdict::DoesNotBuild { error });
            };
            let this = match (&end, Failure::of(&end)) {
                (_, Some(failure)) => Verdict::Fails(failure),
                (TestEnd::Passed, None) => Verdict::Passes,
                (_, None) => Verdict::Absent,
            };
            verdict = match (verdict, this) {
                (None, this) => Some(this),
                (Some(Verdict::Fails(known)), Verdict::Fails(failure)) => {
                    let steady = known.steady && known.message == failure.message;
                    Some(Verdict::Fails(Failure { steady, ..known }))
                }
                (Some(known), this) if known == this => Some(known),
                _ => return Ok(Verdict::Flaky),
            };
        }
        Ok(verdict.unwrap_or(Verdict::Absent))
    }
}

impl BuiltTests {
    /// The first thing that kept tests from being built.
    pub fn error(&self) -> Option<String> {
        let told = self.errors.first().map(|error| error.message.clone());
        told.or_else(|| self.refused.lines().find(|line| line.starts_with("error")).map(str::to_owned))
    }
}

/// Why there is nothing to localize.
pub(super) fn said_of(old: &Verdict, new: &Verdict) -> String {
    let side = |verdict: &Verdict, version: Version| match verdict {
        Verdict::Flaky => Some(format!(
            "it is flaky: on the {} version it passes in some of {RUNS} runs and fails in others",
            side_name(version)
        )),
        Verdict::DoesNotBuild { error } => {
            Some(format!("it does not build against the {} version: {error}", side_name(version)))
        }
        Verdict::Absent => {
            Some(format!("the {} version has no such test, or ignores it", side_name(version)))
        }
        Verdict::Passes | Verdict::Fails(_) => None,
    };
    let said = side(old, Version::Old).or_else(|| side(new, Version::New));
    said.unwrap_or_else(|| {
        match (old, new) {
            (Verdict::Passes, Verdict::Passes) => "it passes on both versions",
            (Verdict::Passes, _) => "it passes on the old version and fails on the new one",
            (_, Verdict::Passes) => "it fails on the old version and passes on the new one",
            (_, _) => "it fails on both versions",
        }
        .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(old: Verdict, new: Verdict, expected: &str) {
        assert!(said_of(&old, &new).starts_with(expected), "{}", said_of(&old, &new));
    }

    #[test]
    fn what_is_no_regression_is_said_plainly() {
        let fails = || Verdict::Fails(Failure { message: "no".into(), place: None, steady: true });
        check(fails(), fails(), "it fails on both versions");
        check(Verdict::Passes, Verdict::Passes, "it passes on both versions");
        check(fails(), Verdict::Passes, "it fails on the old version and passes");
        check(Verdict::Flaky, fails(), "it is flaky: on the old version");
        check(Verdict::Passes, Verdict::Flaky, "it is flaky: on the new version");
        check(Verdict::Absent, fails(), "the old version has no such test");
        let broken = Verdict::DoesNotBuild { error: "cannot find `f`".into() };
        check(broken, fails(), "it does not build against the old version: cannot find `f`");
    }
}
