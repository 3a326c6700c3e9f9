//! Which tests a change can affect.
//!
//! *Idea.* A test is a function without arguments, and whether it passes is how its call ends. So the programs of the tests (crates compiled with
//! `--test`, with what they are linked with) are aligned like any others: a test is not affected if nothing differs that it may come to run or use, or
//! only functions that are proved equal on every input. Its own body, its helpers, constants, types, implementations and macros are part of
//! that program, so nothing has to be known of what kind of code changed. No test is run.
//!
//! * [`binaries`]: the programs of the tests in both versions, aligned
//! * [`proofs`]: which functions of such a program are proved equal by the comparison of the package
//! * [`files`]: which files differ, and which tests may read files
//!
//! *Definition.* A test of the new version is **affected** unless the old version has it under this name with the same settings (`#[ignore]`, `#[should_panic]`), and
//!
//! * it is [`ChangeKind::Unchanged`], or congruent by functions that are proved equal (`regress_core::align`), and
//! * it cannot read files or start programs, or no file of the tree differs.
//!
//! If a manifest, lock file, build script, toolchain file or configuration of cargo differs, all tests are affected. So are those of a binary with a harness of its
//! own or of which a version cannot be read, and the examples in documentation, which rustdoc compiles, once any file differs.
//!
//! *Limits.* What a test runs is over-approximated by types, not observed. Tests are taken to be independent of each other, and of time, chance and what lies outside of
//! the tree. A function with `#[should_panic(expected = …)]` is only left out if it is unchanged, as proofs do not tell of messages.
//!
//! *Source.* Safe regression test selection: G. Rothermel, M. J. Harrold: A safe, efficient regression test selection technique, TOSEM 1997; by types:
//! D. Kung et al.: Class firewall, test order, and regression testing of object-oriented programs, JOOP 1995. Proofs in it are ours.

mod binaries;
mod files;
mod proofs;

use camino::Utf8PathBuf;
use mir_frontend::rustc::TestDescriptor;
use regress_core::ir::FnId;
use regress_core::verdict::ChangeKind;

use self::binaries::{Aligned, Read};
use self::files::Readers;
use self::proofs::Proved;
use super::Session;
use super::list::describe;
use crate::args::Options;
use crate::extract::{Targets, TestTarget};
use crate::jobserver::Jobserver;
use crate::progress::Progress;
use crate::report::VersionInfo;
use crate::report::affected::{AffectedTests, BinaryOfTests, Reason, SelectedTest, Tests};
use crate::stats::Clock;
use crate::versions::{Place, Versions};

/// Tells of each test of the new version whether the change can affect it.
pub fn affected_tests(
    options: &Options,
    place: &Place,
    versions: &Versions,
    progress: &dyn Progress,
) -> anyhow::Result<AffectedTests> {
    Session::with(options, place, versions, progress, |session| {
        let tests = session.for_tests();
        let mut report = AffectedTests {
            old: VersionInfo::from(&versions.old),
            new: VersionInfo::from(&versions.new),
            binaries: Vec::new(),
            notes: versions.notes.clone(),
        };
        let differing = files::differing(versions)?;
        let everything = differing.iter().find(|file| files::bears_on_everything(file));
        let all = match (differing.is_empty(), everything) {
            (true, _) => Some(None),
            (false, Some(file)) => Some(Some(Reason::Everything { file: file.clone() })),
            (false, None) => None,
        };
        let extracted = match &all {
            Some(_) => tests.tests_of_new_version()?,
            None => {
                let (extracted, error) = tests.tests_of_both_versions()?;
                report.notes.extend(error);
                extracted
            }
        };
        let mut proved = None;
        for target in extracted.targets() {
            let judged = match &all {
                Some(affected) => match extracted.tests_of(target) {
                    Ok((_, tests)) => listed(tests, affected.clone()),
                    Err(_) => Tests::Unlisted { affected: affected.clone() },
                },
                None => {
                    session.judge(target, tests.read_binary(target, &extracted), &differing, &mut proved)?
                }
            };
            report.binaries.push(BinaryOfTests {
                package: target.package.clone(),
                kind: target.kind,
                name: target.name.clone(),
                tests: judged,
            });
        }
        Ok(report)
    })
}

impl<'a> Session<'a> {
    /// The same with the targets that `cargo test` runs.
    fn for_tests(&self) -> Session<'a> {
        Session {
            options: self.options,
            versions: self.versions,
            progress: self.progress,
            toolchain: self.toolchain.clone(),
            home: self.home.clone(),
            clock: Clock::default(),
            jobserver: Jobserver::from_env(),
            targets: Targets::Tests,
        }
    }
}

impl Session<'_> {
    /// The tests of a binary, each with why it is affected. `proved` is found out when the first test may rest on it.
    fn judge(
        &self,
        target: &TestTarget,
        read: Read,
        differing: &[Utf8PathBuf],
        proved: &mut Option<Proved>,
    ) -> anyhow::Result<Tests> {
        let aligned = match read {
            Read::Aligned(aligned) => aligned,
            Read::Listed { tests, reason } => return Ok(listed(tests, Some(reason))),
            Read::Unlisted { reason } => return Ok(Tests::Unlisted { affected: Some(reason) }),
        };
        self.progress.step(&format!("Looking at the tests of `{}`", target.name));
        let mut by_alignment: Vec<Result<FnId, Reason>> =
            aligned.tests.iter().map(|test| by_alignment(&aligned, target, test)).collect();
        let may_rest = |reason: &Reason| matches!(reason, Reason::Reaches { .. });
        if by_alignment.iter().any(|found| found.as_ref().is_err_and(may_rest)) {
            let proved = match proved {
                Some(proved) => proved,
                None => proved.insert(self.proved()?),
            };
            let congruent = proved.congruent(&aligned.loaded, &aligned.alignment);
            for (test, found) in aligned.tests.iter().zip(&mut by_alignment) {
                let path = aligned.path_of(test);
                if found.as_ref().is_err_and(may_rest)
                    && !test.reads_panic()
                    && let [id] = aligned.loaded.new.program.functions_at(&path)
                    && congruent.contains_key(id)
                {
                    *found = Ok(*id);
                }
            }
        }
        let left: Vec<FnId> = by_alignment.iter().filter_map(|found| found.as_ref().ok().copied()).collect();
        let readers = Readers::among(&left, &aligned.loaded, &aligned.extraction);
        let of_file = |by: &String| Reason::Files { by: by.clone(), file: differing[0].clone() };
        let tests = aligned.tests.iter().zip(by_alignment).map(|(test, found)| {
            let affected = match found {
                Ok(id) => readers.by(id).map(of_file),
                Err(reason) => Some(reason),
            };
            SelectedTest { name: test.name.clone(), affected }
        });
        Ok(Tests::Listed(tests.collect()))
    }
}

/// All tests of a binary, for one reason.
fn listed(tests: Vec<TestDescriptor>, affected: Option<Reason>) -> Tests {
    let test = |test: TestDescriptor| SelectedTest { name: test.name, affected: affected.clone() };
    Tests::Listed(tests.into_iter().map(test).collect())
}

/// The function of a test that is the same in both versions, or what makes it another.
fn by_alignment(aligned: &Aligned, target: &TestTarget, test: &TestDescriptor) -> Result<FnId, Reason> {
    let program = &aligned.loaded.new.program;
    let Some(before) = aligned.old_tests.iter().find(|old| old.name == test.name) else {
        return Err(Reason::New);
    };
    if before.settings != test.settings {
        return Err(Reason::Settings);
    }
    // Two functions of one path cannot be told apart.
    let [id] = program.functions_at(&aligned.path_of(test)) else {
        return Err(Reason::Unknown {
            why: format!("the function of the test is not found in `{}`", target.name),
        });
    };
    let Some(pair) = aligned.alignment.pairs.iter().find(|pair| pair.new == Some(*id)) else {
        return Err(Reason::Unknown { why: "the test is no function of the crate".into() });
    };
    match pair.kind {
        ChangeKind::Unchanged => Ok(*id),
        ChangeKind::Affected => {
            let cause = aligned.alignment.cause(*id);
            let item = cause.map(|cause| describe(&aligned.loaded, cause)).unwrap_or_default();
            Err(Reason::Reaches { item })
        }
        ChangeKind::Changed | ChangeKind::SignatureChanged => Err(Reason::Itself),
        ChangeKind::Added | ChangeKind::Removed => Err(Reason::New),
    }
}
