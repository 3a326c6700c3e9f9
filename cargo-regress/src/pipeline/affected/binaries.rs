//! The programs of the tests in both versions, aligned.

use mir_frontend::rustc::{TestDescriptor, split_tests};
use regress_core::align::Alignment;
use regress_core::ir::Path;

use crate::extract::{
    self, CrateDumpFiles, DependencyInvocation, DumpFile, Extraction, Origin, Sharing, TargetKind,
    TestTarget, TestTargetKind,
};
use crate::pipeline::Session;
use crate::pipeline::front_end::FrontEnd;
use crate::pipeline::load::{Loaded, Running, program_name};
use crate::report::affected::Reason;
use crate::versions::VersionTree;
use mir_frontend::rustc::replay::extern_stems;

/// The tests of both versions, as the compiler sees them.
pub(super) struct Extracted {
    /// None if they do not build.
    old: Option<Extraction>,
    new: Extraction,
}

/// What is known of the tests of a target.
pub(super) enum Read {
    Aligned(Box<Aligned>),
    /// Both versions cannot be compared.
    Listed {
        tests: Vec<TestDescriptor>,
        reason: Reason,
    },
    /// Nor is it known which tests there are.
    Unlisted {
        reason: Reason,
    },
}

/// A target in both versions.
pub(super) struct Aligned {
    pub tests: Vec<TestDescriptor>,
    pub old_tests: Vec<TestDescriptor>,
    pub loaded: Loaded,
    pub alignment: Alignment,
    /// Of the new version.
    pub extraction: Extraction,
    /// The name of the crate in the programs.
    crate_name: String,
}

impl Aligned {
    /// Where the function of a test stands.
    pub fn path_of(&self, test: &TestDescriptor) -> Path {
        Path::new(format!("{}::{}", self.crate_name, test.name))
    }
}

impl Session<'_> {
    fn extract_tests(&self, tree: &VersionTree) -> anyhow::Result<Extraction> {
        Ok(extract::extract(&self.request(tree)?, self.progress)?)
    }

    /// The tests of the new version alone.
    pub(super) fn tests_of_new_version(&self) -> anyhow::Result<Extracted> {
        self.progress.step("Checking the tests");
        Ok(Extracted { old: None, new: self.extract_tests(&self.versions.new)? })
    }

    /// Those of both versions, and why the old one has none, if it does not build.
    pub(super) fn tests_of_both_versions(&self) -> anyhow::Result<(Extracted, Option<String>)> {
        self.progress.step("Checking the tests of both versions");
        let new = self.extract_tests(&self.versions.new)?;
        let (old, error) = match self.extract_tests(&self.versions.old) {
            Ok(old) => (Some(old), None),
            Err(error) => (None, Some(format!("all tests count as affected: {error:#}"))),
        };
        Ok((Extracted { old, new }, error))
    }

    pub(super) fn read_binary(&self, target: &TestTarget, extracted: &Extracted) -> Read {
        let new = &extracted.new;
        let (dump, tests) = match extracted.tests_of(target) {
            Ok(found) => found,
            Err(reason) => return Read::Unlisted { reason },
        };
        let Some(old) = &extracted.old else {
            let why = "the tests of the old version do not build".to_owned();
            return Read::Listed { tests, reason: Reason::Unknown { why } };
        };
        let same = |other: &&TestTarget| {
            (&other.package, other.kind, &other.name) == (&target.package, target.kind, &target.name)
        };
        let Some(old_dump) = old.test_targets.iter().find(same).and_then(|target| dump_of(old, target))
        else {
            return Read::Listed { tests, reason: Reason::New };
        };
        match self.align_binary(tests.clone(), target.kind, (old, old_dump), (new, dump)) {
            Ok(aligned) => Read::Aligned(Box::new(aligned)),
            Err(error) => Read::Listed { tests, reason: Reason::Unknown { why: format!("{error:#}") } },
        }
    }

    fn align_binary(
        &self,
        tests: Vec<TestDescriptor>,
        kind: TestTargetKind,
        (old, old_dump): (&Extraction, &CrateDumpFiles),
        (new, dump): (&Extraction, &CrateDumpFiles),
    ) -> anyhow::Result<Aligned> {
        let old_tests = tests_of(old_dump).map_err(anyhow::Error::msg)?;
        let (old, new) = (linked_with(old, old_dump, kind), linked_with(new, dump, kind));
        let crate_name = program_name(dump, &new.crates);
        let extraction = new.clone();
        let (loaded, alignment) = self.read_and_align(old, new, FrontEnd::Rustc, Running::Compared)?;
        Ok(Aligned { tests, old_tests, loaded, alignment, extraction, crate_name })
    }
}

impl Extracted {
    /// What `cargo test` runs of the new version.
    pub fn targets(&self) -> &[TestTarget] {
        &self.new.test_targets
    }

    /// The tests of a target of the new version with the dump of the target, or why they are not known.
    pub fn tests_of(&self, target: &TestTarget) -> Result<(&CrateDumpFiles, Vec<TestDescriptor>), Reason> {
        if target.kind == TestTargetKind::Documentation {
            return Err(Reason::Documentation);
        }
        let dump = dump_of(&self.new, target).ok_or(Reason::OwnHarness)?;
        Ok((dump, tests_of(dump).map_err(|why| Reason::Unknown { why })?))
    }
}

fn dump_of<'e>(extraction: &'e Extraction, target: &TestTarget) -> Option<&'e CrateDumpFiles> {
    let stem = target.stem.as_ref()?;
    extraction.crates.iter().find(|dump| dump.invocation.unit.stem == *stem)
}

/// The tests in a crate, or why they are not known.
fn tests_of(dump: &CrateDumpFiles) -> Result<Vec<TestDescriptor>, String> {
    let path = match &dump.expanded {
        DumpFile::Written(path) => path,
        DumpFile::Failed { summary, .. } => {
            return Err(format!("the compiler does not list its tests: {summary}"));
        }
    };
    let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read {path}: {error}"))?;
    let (tests, _) = split_tests(&text).ok_or("the expanded source is not understood")?;
    Ok(tests)
}

/// What one crate of tests is linked with: its own library beside it, the other crates as dependencies. Unit tests have the library in themselves.
fn linked_with(all: &Extraction, tests: &CrateDumpFiles, kind: TestTargetKind) -> Extraction {
    let libraries = || all.crates.iter().filter(|dump| dump.target == TargetKind::Library);
    let is_own = |dump: &CrateDumpFiles| dump.package_id == tests.package_id;
    let mut crates = vec![tests.clone()];
    if kind != TestTargetKind::Library {
        crates.extend(libraries().filter(|dump| is_own(dump)).cloned());
    }
    let mut dependencies = all.dependencies.clone();
    let is_used = |dump: &CrateDumpFiles| {
        let stem = &dump.invocation.unit.stem;
        let calls = all.dependencies.iter().map(|dependency| &dependency.invocation);
        let calls = calls.chain(libraries().map(|dump| &dump.invocation));
        calls.into_iter().any(|call| extern_stems(&call.arguments).contains(stem))
    };
    let others = libraries()
        .filter(|dump| if is_own(dump) { kind == TestTargetKind::Library && is_used(dump) } else { true });
    dependencies.extend(others.map(as_dependency));
    Extraction { crates, dependencies, ..all.clone() }
}

fn as_dependency(dump: &CrateDumpFiles) -> DependencyInvocation {
    DependencyInvocation {
        crate_name: dump.crate_name.clone(),
        package_name: dump.package_name.clone(),
        package_version: dump.package_version.clone(),
        package_id: dump.package_id.clone(),
        origin: Origin::Path,
        sharing: Sharing::ThisVersion,
        generated: String::new(),
        invocation: dump.invocation.clone(),
        brought: dump.brought.clone(),
    }
}
