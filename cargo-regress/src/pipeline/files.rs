//! `--from-llbc`: two of Charon's files, without sources to build.
//!
//! Nothing can be run natively then. What the engine finds is shown all the same, as what it is: an unconfirmed difference. The
//! standard library's models are those of the installed toolchain.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use anyhow::Context;
use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use mir_frontend::charon::{self, Document};
use regress_core::align::{Alignment, Surroundings, align_with, moved};
use regress_core::ir::{Name, Program};
use regress_core::verdict::Version;

use super::Session;
use super::declared::ForeignTypes;
use super::front_end::read_document;
use super::load::{Loaded, LoadedVersion, side_name};
use crate::extract::{Elsewhere, Extraction};

impl Session<'_> {
    /// Reads and aligns two files.
    pub(super) fn load_files(&self, old: &Utf8Path, new: &Utf8Path) -> anyhow::Result<(Loaded, Alignment)> {
        self.progress.step("Reading both files");
        let models = self.models()?;
        let models = models.program();
        let (old, new) = (read_document(old)?, read_document(new)?);
        let mut notes = Vec::new();
        if old.version != new.version {
            notes.push(format!(
                "the files were written by different versions of Charon ({} and {}), whose standard libraries may differ",
                old.version, new.version
            ));
        }
        for (name, document) in [("old", &old), ("new", &new)] {
            if document.has_errors {
                notes.push(format!(
                    "{name} version: Charon could not translate all of the crate; functions may be missing"
                ));
            }
        }
        let changed: BTreeSet<Name> =
            old.foreign_crates().chain(new.foreign_crates()).map(Name::from).collect();
        let (mut old, new) =
            (self.loaded_file(Version::Old, &old, models)?, self.loaded_file(Version::New, &new, models)?);
        moved(&old.program, &new.program).apply_to(&mut old.program);
        self.progress.step("Aligning the versions");
        // Nothing tells whether the crates that these depend on are the same.
        let surroundings = Surroundings { changed_crates: changed, ..Surroundings::default() };
        let alignment = align_with(&old.program, &new.program, &surroundings);
        Ok((Loaded::of_files(old, new, notes), alignment))
    }

    fn loaded_file(
        &self,
        version: Version,
        document: &Document,
        models: &Program,
    ) -> anyhow::Result<LoadedVersion> {
        let program = charon::lower(document, models)?.program;
        let directory = self.home.join("files").join(side_name(version));
        write_sources(document, &directory)?;
        let extraction = Extraction {
            elsewhere: Elsewhere::default(),
            source_root: directory.clone(),
            crates: Vec::new(),
            dependencies: Vec::new(),
            skipped: Vec::new(),
            test_targets: Vec::new(),
        };
        let files = Arc::new(program.files.clone());
        Ok(LoadedVersion {
            program,
            extraction,
            files,
            directory,
            placed: HashSet::new(),
            defined_otherwise: BTreeSet::new(),
            completed: BTreeMap::new(),
            foreign_types: ForeignTypes::default(),
        })
    }
}

/// Writes the source texts that a file holds, to show lines of them.
fn write_sources(document: &Document, directory: &Utf8Path) -> anyhow::Result<()> {
    if directory.exists() {
        std::fs::remove_dir_all(directory).with_context(|| format!("cannot remove {directory}"))?;
    }
    for (name, text) in document.sources() {
        let inside = Utf8Path::new(name).components().all(|part| matches!(part, Utf8Component::Normal(_)));
        if !inside {
            continue;
        }
        let path: Utf8PathBuf = directory.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).with_context(|| format!("cannot create {parent}"))?;
        }
        std::fs::write(&path, text).with_context(|| format!("cannot write {path}"))?;
    }
    Ok(())
}
