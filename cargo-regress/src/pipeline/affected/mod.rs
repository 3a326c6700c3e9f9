//! Which tests a change can affect.
//!
//! *Idea.* A test is a function without arguments, and whether it passes is how its call ends. So the programs of the tests (crates compiled with
//! `--test`, with what they are linked with) are aligned like any others: a test is not affected if nothing differs that it may come to run or use. Its own
//! body, its helpers, constants, types, implementations and macros are part of that program, so nothing has to be known of what kind of code changed. What
//! may be reached by types is a lot; so tests that reach a difference are run once in the new version, and what they do not enter is passed over.
//!
//! * [`binaries`]: the programs of the tests in both versions, aligned
//! * [`runs`]: which functions tests do not enter when they run
//! * [`proofs`]: which functions of such a program are proved equal by the comparison of the package
//! * [`files`]: which files differ, and what tests may use besides code
//!
//! *Definition.* A test of the new version is **affected** unless the old version has it under this name with the same settings (`#[ignore]`, `#[should_panic]`), and
//!
//! * it is [`ChangeKind::Unchanged`], or nothing differs that it reaches without functions that its run does not enter and functions that are proved
//!   equal (`Alignment::same_in_run`), and
//! * it cannot read files or start programs, or no file of the tree differs.
//!
//! If a manifest, lock file, build script, toolchain file or configuration of cargo differs, all tests are affected. So are those of a binary with a harness of its
//! own or of which a version cannot be read, and the examples in documentation, which rustdoc compiles, once any file differs.
//!
//! *Limits.* Tests are taken to be independent of each other, of addresses, and of what lies outside of the tree. Proofs do not tell of messages, so none counts for
//! `#[should_panic(expected = …)]`.
//!
//! *Source.* Safe regression test selection: G. Rothermel, M. J. Harrold: A safe, efficient regression test selection technique, TOSEM 1997; by types:
//! D. Kung et al.: Class firewall, test order, and regression testing of object-oriented programs, JOOP 1995. Proofs in it are ours.

mod binaries;
mod files;
mod proofs;
mod runs;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use camino::Utf8PathBuf;
use mir_frontend::rustc::TestDescriptor;
use regress_core::ir::FnId;
use regress_core::verdict::ChangeKind;

use self::binaries::{Aligned, Read};
use self::files::Uses;
use self::proofs::Proved;
use self::runs::Runs;
use super::Session;
use super::list::describe;
use crate::args::Options;
use crate::extract::{Targets, TestTarget};
use crate::jobserver::Jobserver;
use crate::progress::Progress;
use crate::report::VersionInfo;
use crate::report::affected::{AffectedTests, BinaryOfTests, Reason, SelectedTest, Tests};
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
        let mut evidence = Evidence::default();
        for target in extracted.targets() {
            let judged = match &all {
                Some(affected) => match extracted.tests_of(target) {
                    Ok((_, tests)) => listed(tests, affected.clone()),
                    Err(_) => Tests::Unlisted { affected: affected.clone() },
                },
                None => {
                    session.judge(target, tests.read_binary(target, &extracted), &differing, &mut evidence)?
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
            clock: Arc::default(),
            jobserver: Jobserver::from_env(),
            begun: self.begun,
            targets: Targets::Tests,
        }
    }
}

impl Session<'_> {
    /// The tests of a binary, each with why it is affected. `evidence` is found out as it is needed.
    fn judge(
        &self,
        target: &TestTarget,
        read: Read,
        differing: &[Utf8PathBuf],
        evidence: &mut Evidence,
    ) -> anyhow::Result<Tests> {
        let aligned = match read {
            Read::Aligned(aligned) => aligned,
            Read::Listed { tests, reason } => return Ok(listed(tests, Some(reason))),
            Read::Unlisted { reason } => return Ok(Tests::Unlisted { affected: Some(reason) }),
        };
        self.progress.step(&format!("Looking at the tests of `{}`", target.name));
        let found: Vec<(Option<FnId>, Option<Reason>)> =
            aligned.tests.iter().map(|test| by_alignment(&aligned, target, test)).collect();
        let functions: Vec<FnId> = found.iter().filter_map(|(id, _)| *id).collect();
        let uses = Uses::of(&functions, &aligned.loaded, &aligned.extraction);
        let mut reasons: Vec<Option<Reason>> = found
            .iter()
            .map(|(id, reason)| {
                let by = id.and_then(|id| uses.files.get(&id));
                let file = || differing[0].clone();
                by.map(|by| Reason::Files { by: by.clone(), file: file() }).or_else(|| reason.clone())
            })
            .collect();
        self.look_closer(target, &aligned, &found, &uses, &mut reasons, evidence)?;
        let tests = aligned.tests.iter().zip(reasons);
        let tests = tests.map(|(test, affected)| SelectedTest { name: test.name.clone(), affected });
        Ok(Tests::Listed(tests.collect()))
    }

    /// Takes reasons back: of tests that do not enter what differs when they run, and of those that only enter what is proved equal.
    fn look_closer(
        &self,
        target: &TestTarget,
        aligned: &Aligned,
        found: &[(Option<FnId>, Option<Reason>)],
        uses: &Uses,
        reasons: &mut [Option<Reason>],
        evidence: &mut Evidence,
    ) -> anyhow::Result<()> {
        let (old, new) = (&aligned.loaded.old.program, &aligned.loaded.new.program);
        let reaches = |reason: &Option<Reason>| matches!(reason, Some(Reason::Reaches { .. }));
        let open = |reasons: &[Option<Reason>]| -> Vec<(usize, FnId)> {
            let open = reasons.iter().enumerate().filter(|(_, reason)| reaches(reason));
            open.filter_map(|(index, _)| Some((index, found[index].0?))).collect()
        };
        let candidates = open(reasons);
        let names: Vec<&str> =
            candidates.iter().map(|(index, _)| aligned.tests[*index].name.as_str()).collect();
        if candidates.is_empty() {
            return Ok(());
        }
        let mut not_entered: HashMap<FnId, HashSet<FnId>> = HashMap::new();
        let runs = self.not_entered(target, aligned, &names, &mut evidence.runs)?;
        for ((_, id), run) in candidates.iter().zip(runs) {
            not_entered.extend(run.filter(|_| !uses.chance.contains(id)).map(|run| (*id, run)));
        }
        let take_back = |proved: &HashMap<FnId, u64>, reasons: &mut [Option<Reason>]| {
            let open = open(reasons);
            let run = |(_, id): &(usize, FnId)| (*id, not_entered.get(id).cloned().unwrap_or_default());
            let same =
                aligned.alignment.same_in_run(old, new, proved, &open.iter().map(run).collect::<Vec<_>>());
            let mut any = false;
            for ((index, _), same) in open.into_iter().zip(same) {
                let reads_proof = !proved.is_empty() && aligned.tests[index].reads_panic();
                if same && !reads_proof {
                    reasons[index] = None;
                    any = true;
                }
            }
            any
        };
        take_back(&HashMap::new(), reasons);
        // Comparing takes long. Not even if all that changed were proved equal may a test be left out.
        let changed = aligned.alignment.pairs.iter().filter(|pair| pair.kind == ChangeKind::Changed);
        let hoped: HashMap<FnId, u64> = changed.filter_map(|pair| Some((pair.new?, 0))).collect();
        if hoped.is_empty() || !take_back(&hoped, &mut reasons.to_vec()) {
            return Ok(());
        }
        if evidence.proved.is_none() {
            evidence.proved = Some(self.proved()?);
        }
        if let Some(proved) = &evidence.proved {
            let proved = proved.among(&aligned.loaded, &aligned.alignment);
            if !proved.is_empty() {
                take_back(&proved, reasons);
            }
        }
        Ok(())
    }
}

/// What tells that a test that may reach what differs is not affected all the same.
#[derive(Default)]
struct Evidence {
    runs: Runs,
    /// None before it was needed.
    proved: Option<Proved>,
}

/// All tests of a binary, for one reason.
fn listed(tests: Vec<TestDescriptor>, affected: Option<Reason>) -> Tests {
    let test = |test: TestDescriptor| SelectedTest { name: test.name, affected: affected.clone() };
    Tests::Listed(tests.into_iter().map(test).collect())
}

/// The function of a test, and what makes it another in the new version.
fn by_alignment(
    aligned: &Aligned,
    target: &TestTarget,
    test: &TestDescriptor,
) -> (Option<FnId>, Option<Reason>) {
    let program = &aligned.loaded.new.program;
    let Some(before) = aligned.old_tests.iter().find(|old| old.name == test.name) else {
        return (None, Some(Reason::New));
    };
    if before.settings != test.settings {
        return (None, Some(Reason::Settings));
    }
    let unknown = |why: String| (None, Some(Reason::Unknown { why }));
    // Two functions of one path cannot be told apart.
    let [id] = program.functions_at(&aligned.path_of(test)) else {
        return unknown(format!("the function of the test is not found in `{}`", target.name));
    };
    let Some(pair) = aligned.alignment.pairs.iter().find(|pair| pair.new == Some(*id)) else {
        return unknown("the test is no function of the crate".into());
    };
    match pair.kind {
        ChangeKind::Unchanged => (Some(*id), None),
        ChangeKind::Affected => {
            let cause = aligned.alignment.cause(*id);
            let item = cause.map(|cause| describe(&aligned.loaded, cause)).unwrap_or_default();
            (Some(*id), Some(Reason::Reaches { item }))
        }
        ChangeKind::Changed | ChangeKind::SignatureChanged => (None, Some(Reason::Itself)),
        ChangeKind::Added | ChangeKind::Removed => (None, Some(Reason::New)),
    }
}
