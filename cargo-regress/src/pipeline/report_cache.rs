//! Reports of earlier runs.
//!
//! *Idea.* What a comparison finds is a function of both trees, of the compiler, of what steers cargo from outside of the trees, of the
//! options that bear on the search, and of this program. The report is kept under a key of all these, so a run on versions that
//! were compared before ends as soon as they are known.
//!
//! What is cached is what was found, not how the versions are called, what is accepted, or how long it took: these are of the present run. A report
//! that the time for the whole run cut short is not cached.
//!
//! *Limits.* What ran out of the time for one function, perhaps on a busy machine, stays as it was found: `--fresh` compares anew.
//! What build scripts and macros read outside of the tree without saying so is not seen, as it is not by cargo.

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use regress_core::idx::IdxVec;
use regress_core::ir::{FileId, SourceFile};
use regress_core::smt::Backend;
use serde::{Deserialize, Serialize};

use super::Session;
use super::load::{Loaded, selection};
use crate::extract::{Elsewhere, Key, prune_files, read_json, write_json};
use crate::report::harness::EmittedHarness;
use crate::report::pictures::Pictures;
use crate::report::{EmittedTests, Files, FunctionReport, Report, TreeSources, WithSources};

/// Reports beyond so many go, those first that were not used for longest.
const MOST_REPORTS: usize = 64;

/// Where the report of this run's comparison is, or will be.
pub(super) struct ReportCache {
    path: Utf8PathBuf,
}

#[derive(Serialize, Deserialize)]
struct CachedReport {
    functions: Vec<FunctionReport>,
    front_end: Option<String>,
    /// Those that are not about how the versions were found.
    notes: Vec<String>,
    directory: String,
    pictures: Pictures,
    tests: Vec<EmittedTests>,
    harness: EmittedHarness,
    old: CachedSide,
    new: CachedSide,
    /// What building both versions read that is in no tree.
    elsewhere: Elsewhere,
}

#[derive(Serialize, Deserialize)]
struct CachedSide {
    files: IdxVec<FileId, SourceFile>,
    /// What file names in spans are relative to.
    directory: Utf8PathBuf,
}

/// Names a comparison by what bears on its findings and is the same on another machine.
pub(super) fn comparison_key(session: &Session<'_>, kind: &str) -> anyhow::Result<Key> {
    let key = Key::new(kind)
        .with(&session.toolchain.version_text)
        .with(&session.choose_front_end()?.describe(session))
        .with_json(&selection(session.options))
        .with(&format!("{:?}", session.options.search))
        .with(Backend::default().name())
        .with(&format!("{:?}", session.options.budget.search));
    Ok([&session.versions.old, &session.versions.new].into_iter().fold(key, |key, tree| {
        let package = tree.package_root.strip_prefix(&tree.root).unwrap_or(&tree.package_root);
        key.with(&tree.tree_key).with(package.as_str())
    }))
}

impl ReportCache {
    /// None for files of Charon's, whose content has no key, for a comparison in parts, and where something that belongs to the key cannot be found out.
    pub fn of(session: &Session<'_>) -> Option<ReportCache> {
        let options = session.options;
        if options.frontend.files().is_some() || options.parts.is_any() {
            return None;
        }
        let key = comparison_key(session, "report")
            .ok()?
            .with(&super::models::program_stamp()?)
            .with(if options.artefacts.html.is_some() { "with pictures" } else { "" });
        let key = [&session.versions.old, &session.versions.new]
            .into_iter()
            .fold(key, |key, tree| key.with_surroundings(&tree.root, tree.above.as_deref()));
        Some(ReportCache { path: session.home.join("reports").join(format!("{}.json", key.finish())) })
    }

    /// The report, as one of the present run; none if there is none that can be used.
    pub fn read(&self, session: &Session<'_>) -> Option<WithSources<Report>> {
        // A file that cannot be read is as good as none: it will be written anew.
        let cached: CachedReport = read_json(&self.path).ok()??;
        if ![&cached.old.directory, &cached.new.directory].into_iter().all(|directory| directory.is_dir()) {
            return None;
        }
        if !cached.elsewhere.is_as_it_was() {
            return None;
        }
        crate::extract::touch(&self.path);
        let files = Files { old: Arc::new(cached.old.files), new: Arc::new(cached.new.files) };
        let mut report = Report::on(session.versions);
        report.functions = cached.functions;
        for function in &mut report.functions {
            function.files = files.clone();
        }
        report.front_end = cached.front_end;
        report.notes.extend(cached.notes);
        report.directory = cached.directory;
        report.pictures = cached.pictures;
        report.tests = cached.tests;
        report.harness = cached.harness;
        let sources = TreeSources::new(cached.old.directory, cached.new.directory);
        Some(WithSources { report, sources: Box::new(sources) })
    }

    /// Keeps the report. That it cannot be kept is no reason for a run to fail.
    pub fn write(&self, session: &Session<'_>, loaded: &Loaded, report: &Report) {
        let side = |files: &IdxVec<FileId, SourceFile>, directory: &Utf8Path| CachedSide {
            files: files.clone(),
            directory: directory.to_owned(),
        };
        let mut elsewhere = loaded.old.extraction.elsewhere.clone();
        elsewhere.add(loaded.new.extraction.elsewhere.clone());
        let cached = CachedReport {
            elsewhere,
            functions: report.functions.clone(),
            front_end: report.front_end.clone(),
            notes: report.notes.iter().skip(session.versions.notes.len()).cloned().collect(),
            directory: report.directory.clone(),
            pictures: report.pictures.clone(),
            tests: report.tests.clone(),
            harness: report.harness.clone(),
            old: side(&loaded.old.files, &loaded.old.directory),
            new: side(&loaded.new.files, &loaded.new.directory),
        };
        let Some(folder) = self.path.parent() else { return };
        if std::fs::create_dir_all(folder).is_ok() && write_json(&self.path, &cached).is_ok() {
            prune_files(folder, MOST_REPORTS);
        }
    }
}
