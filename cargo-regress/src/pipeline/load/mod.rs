//! The programs of both versions.
//!
//! * [`request`]: what the compiler is asked of a version
//! * [`texts`], [`version`]: the texts of one crate, and of one version with the program that they make
//! * [`foundation`]: what is below both programs, and kept from run to run
//! * [`dependencies`]: which dependencies may differ, and which cannot be told apart by name
//! * [`rounds`]: what is read on demand, until nothing more is led to

mod ahead;
mod dependencies;
mod foundation;
mod request;
mod rounds;
mod texts;
mod version;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use camino::Utf8PathBuf;
use regress_core::align::Alignment;
use regress_core::idx::IdxVec;
use regress_core::ir::{FileId, FnId, GivenFields, Path, Program, SourceFile};
use regress_core::verdict::Version;

use super::Session;
use super::built::Builds;
use super::declared::ForeignTypes;
use super::front_end::FrontEnd;
use crate::extract::{self, DumpFile, Extraction};
use crate::stats::Stage;
use crate::versions::VersionTree;
use rounds::Reading;

pub(super) use ahead::Ahead;
pub(super) use request::{label_of, selection, side_name, wrapper_program};
pub(super) use texts::Texts;
pub(super) use version::program_name;

/// Both versions, ready to be compared.
pub(super) struct Loaded {
    pub old: LoadedVersion,
    pub new: LoadedVersion,
    /// What could not be read of dependencies although it is needed.
    unread: Vec<String>,
    /// Whether dependencies were left unread because it took too long.
    pub is_cut_short: bool,
    /// What read the programs.
    pub front_end: String,
    pub builds: Builds,
}

/// Which functions will be run, and so need what they call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Running {
    /// Those that may have changed.
    Compared,
    /// All functions of the package, in either version.
    All,
}

pub(super) struct LoadedVersion {
    pub program: Program,
    pub extraction: Extraction,
    /// The program's file table, shared with every function's report.
    pub files: Arc<IdxVec<FileId, SourceFile>>,
    /// What file names in spans are relative to.
    pub directory: Utf8PathBuf,
    /// Functions whose own text says where the crate lies, which is elsewhere in a harness.
    pub placed: HashSet<FnId>,
    /// Types that the other version defines or prints otherwise.
    pub defined_otherwise: BTreeSet<Path>,
    /// Structs that `Default` completes, with the fields that both versions have.
    pub completed: BTreeMap<Path, GivenFields>,
    /// Types of dependencies of which values are made in both versions.
    pub foreign_types: ForeignTypes,
}

impl Loaded {
    /// Two files of Charon's, with what is to be said of them.
    pub fn of_files(old: LoadedVersion, new: LoadedVersion, notes: Vec<String>) -> Loaded {
        Loaded {
            old,
            new,
            unread: notes,
            is_cut_short: false,
            front_end: "Charon, from two files".into(),
            builds: Builds::default(),
        }
    }

    /// The name of the crate, where only one is compared; then it says nothing.
    pub fn only_crate(&self) -> Option<&str> {
        match self.new.extraction.crates.as_slice() {
            [only] => Some(only.crate_name.as_str()),
            _ => None,
        }
    }

    /// What the user should know about targets and dumps that are missing.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = self.unread.clone();
        notes.extend(self.builds.all_notes());
        for (name, version) in [("old", &self.old), ("new", &self.new)] {
            for skipped in &version.extraction.skipped {
                notes.push(format!(
                    "{name} version: target `{}` of `{}` is not compared ({})",
                    skipped.target,
                    skipped.package,
                    skip_reason(&skipped.reason)
                ));
            }
            for crate_dump in &version.extraction.crates {
                for dump in crate_dump.dumps() {
                    if let DumpFile::Failed { summary, .. } = dump {
                        notes.push(format!(
                            "{name} version: part of what the compiler says about `{}` is missing: {summary}",
                            crate_dump.crate_name
                        ));
                    }
                }
            }
        }
        notes.dedup();
        notes
    }
}

fn skip_reason(reason: &extract::SkipReason) -> String {
    match reason {
        extract::SkipReason::ProcMacro => "a procedural macro runs in the compiler".into(),
        extract::SkipReason::RequiredFeatures(features) => {
            format!("it needs the features {} that are not enabled", features.join(", "))
        }
        extract::SkipReason::NotCompiled => "cargo did not compile it".into(),
    }
}

impl Session<'_> {
    /// Extracts, reads and aligns both versions.
    pub(super) fn load(&self, running: Running) -> anyhow::Result<(Loaded, Alignment)> {
        if let Some((old, new)) = self.options.frontend.files() {
            return self.load_files(old, new);
        }
        let front_end = self.choose_front_end()?;
        let (old, new) = self.extract()?;
        self.clock.time(Stage::Reading, || self.read_and_align(old, new, front_end, running))
    }

    /// The same of what is compared, while cargo builds what its native runs need.
    pub(super) fn load_to_run(&self) -> anyhow::Result<(Loaded, Alignment, Option<Ahead>)> {
        if let Some((old, new)) = self.options.frontend.files() {
            return self.load_files(old, new).map(|(loaded, alignment)| (loaded, alignment, None));
        }
        let front_end = self.choose_front_end()?;
        let (old, new) = self.extract()?;
        let ahead = self.build_ahead(&new);
        let read = || self.read_and_align(old, new, front_end, Running::Compared);
        let (loaded, alignment) = self.clock.time(Stage::Reading, read)?;
        Ok((loaded, alignment, ahead))
    }

    /// Has cargo check both versions, and the compiler print what it knows of them.
    fn extract(&self) -> anyhow::Result<(Extraction, Extraction)> {
        let extract = |tree: &VersionTree| -> anyhow::Result<Extraction> {
            Ok(extract::extract(&self.request(tree)?, self.progress)?)
        };
        self.clock.time(Stage::Extraction, || -> anyhow::Result<_> {
            if self.versions.old == self.versions.new {
                self.progress.step("Building the package");
                let only = extract(&self.versions.new)?;
                return Ok((only.clone(), only));
            }
            self.progress.step("Building both versions");
            if self.builds_foreign_once(&self.build_dir(Version::Old), &self.build_dir(Version::New)) {
                let old = extract(&self.versions.old)?;
                return Ok((old, extract(&self.versions.new)?));
            }
            let (old, new) = rayon::join(|| extract(&self.versions.old), || extract(&self.versions.new));
            Ok((old?, new?))
        })
    }

    pub(super) fn read_and_align(
        &self,
        old: Extraction,
        new: Extraction,
        front_end: FrontEnd,
        running: Running,
    ) -> anyhow::Result<(Loaded, Alignment)> {
        let mut reading = Reading::of_selected(self, old, new, running)?;
        let front_end = reading.translate(front_end)?;
        loop {
            let programs = reading.link()?;
            if reading.leads_to_more(&programs) {
                continue;
            }
            let Some(programs) = reading.declare_in(programs)? else { continue };
            let aligned = reading.align(programs);
            if !reading.is_unfinished(&aligned)? {
                return Ok(reading.loaded(aligned, front_end.describe(self)));
            }
        }
    }
}
