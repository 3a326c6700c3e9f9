//! The programs of both versions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use anyhow::Context;
use camino::{Utf8Path, Utf8PathBuf};
use mir_frontend::rustc::{CrateDump, build_program};
use mir_frontend::std_models;
use regress_core::idx::IdxVec;
use regress_core::ir::{FileId, Name, Origin as IrOrigin, Program, SourceFile};
use regress_core::verdict::Version;

use super::Session;
use crate::args::Options;
use crate::extract::{
    self, BaseFeatures, CrateDumpFiles, DumpFile, ExtractRequest, Extraction, FeatureChoice, LockPolicy,
    Origin, PackageChoice, Profile, Selection, TargetKind,
};
use crate::progress::Progress;
use crate::versions::VersionTree;

/// Both versions, ready to be compared.
pub(super) struct Loaded {
    pub old: LoadedVersion,
    pub new: LoadedVersion,
}

pub(super) struct LoadedVersion {
    pub program: Program,
    pub extraction: Extraction,
    /// The program's file table, shared with every function's report.
    pub files: Arc<IdxVec<FileId, SourceFile>>,
    /// What file names in spans are relative to.
    pub directory: Utf8PathBuf,
}

impl Loaded {
    /// Crates from outside of the tree of which the versions do not use the same release: whatever reaches into them may
    /// have changed.
    pub fn updated_crates(&self) -> BTreeSet<Name> {
        let releases = |extraction: &Extraction| {
            let mut releases: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
            for dependency in extraction.dependencies.iter().filter(|found| found.origin != Origin::Path) {
                releases
                    .entry(dependency.crate_name.clone())
                    .or_default()
                    .insert(dependency.package_id.clone());
            }
            releases
        };
        let (old, new) = (releases(&self.old.extraction), releases(&self.new.extraction));
        let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        names.into_iter().filter(|name| old.get(*name) != new.get(*name)).map(Name::new).collect()
    }

    /// What the user should know about targets and dumps that are missing.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
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

/// The name under which a crate's items stand in the program. A binary of the same name as its library would collide
/// with it; a hyphen cannot occur in a real crate name.
pub(super) fn program_name(dump: &CrateDumpFiles, all: &[CrateDumpFiles]) -> String {
    let collides = dump.target == TargetKind::Binary
        && all.iter().any(|other| other.target == TargetKind::Library && other.crate_name == dump.crate_name);
    if collides { format!("{}-bin", dump.crate_name) } else { dump.crate_name.clone() }
}

impl Session<'_> {
    /// Extracts and reads both versions side by side.
    pub(super) fn load(&self) -> anyhow::Result<Loaded> {
        self.progress.step("Building both versions");
        let steps = Steps(self.progress);
        let (old, new) = rayon::join(
            || extract::extract(&self.request(&self.versions.old)?, &steps).map_err(anyhow::Error::from),
            || extract::extract(&self.request(&self.versions.new)?, &steps).map_err(anyhow::Error::from),
        );
        let (old, new) = (old?, new?);
        let old_reached = self.reached(&self.versions.old, &old, &steps)?;
        let new_reached = self.reached(&self.versions.new, &new, &steps)?;
        let models =
            extract::std_models_dump(std_models::SOURCES, &self.toolchain, &self.home.join("cache"), &steps)?;
        self.progress.step("Reading both versions");
        let (old, new) = rayon::join(
            || read_version(old, &old_reached, &models),
            || read_version(new, &new_reached, &models),
        );
        Ok(Loaded { old: old?, new: new? })
    }

    /// The dumps of dependencies that lie in the version's own tree: they may have changed with it.
    fn reached(
        &self,
        tree: &VersionTree,
        extraction: &Extraction,
        steps: &Steps<'_>,
    ) -> anyhow::Result<Vec<CrateDumpFiles>> {
        let request = self.request(tree)?;
        let in_tree = extraction.dependencies.iter().filter(|dependency| dependency.origin == Origin::Path);
        in_tree.map(|dependency| Ok(extract::dump_dependency(&request, dependency, steps)?)).collect()
    }

    fn request(&self, tree: &VersionTree) -> anyhow::Result<ExtractRequest> {
        let program = std::env::current_exe().context("cannot find the program's own file")?;
        let wrapper_program =
            Utf8PathBuf::try_from(program).context("the program's own path is not UTF-8")?;
        Ok(ExtractRequest {
            label: format!("the {} version [{}]", side_name(tree.version), tree.label),
            root: tree.root.clone(),
            tree_key: tree.tree_key.clone(),
            manifest_path: tree.package_root.join("Cargo.toml"),
            target_dir: self.home.join("build").join(side_name(tree.version)),
            cache_dir: self.home.join("cache"),
            selection: selection(self.options),
            lock: lock_policy(self.options),
            jobs: self.options.build.jobs,
            toolchain: self.toolchain.clone(),
            wrapper_program,
        })
    }
}

pub(super) fn side_name(version: Version) -> &'static str {
    match version {
        Version::Old => "old",
        Version::New => "new",
    }
}

/// Hands the steps of the extraction on.
struct Steps<'a>(&'a dyn Progress);

impl extract::Progress for Steps<'_> {
    fn step(&self, message: &str) {
        self.0.step(message);
    }
}

fn selection(options: &Options) -> Selection {
    let workspace = &options.workspace;
    let packages = if workspace.workspace || workspace.all {
        PackageChoice::Workspace { exclude: workspace.exclude.clone() }
    } else if workspace.package.is_empty() {
        PackageChoice::Default
    } else {
        PackageChoice::Named(workspace.package.clone())
    };
    let features = &options.features;
    let base = match (features.all_features, features.no_default_features) {
        (true, _) => BaseFeatures::All,
        (false, true) => BaseFeatures::None,
        (false, false) => BaseFeatures::Default,
    };
    let profile = if options.build.release { Profile::Release } else { Profile::Dev };
    Selection { packages, features: FeatureChoice { base, named: features.features.clone() }, profile }
}

fn lock_policy(options: &Options) -> LockPolicy {
    let build = &options.build;
    match (build.frozen, build.locked, build.offline) {
        (true, _, _) | (_, true, true) => LockPolicy::Frozen,
        (_, true, false) => LockPolicy::Locked,
        (_, false, true) => LockPolicy::Offline,
        (false, false, false) => LockPolicy::Free,
    }
}

/// The text of one crate's dumps.
struct Texts {
    name: String,
    origin: IrOrigin,
    mir: String,
    cfg: String,
    rustdoc: Option<String>,
}

impl Texts {
    fn read(dump: &CrateDumpFiles, name: String) -> anyhow::Result<Texts> {
        let origin = match dump.origin {
            Origin::Selected => IrOrigin::Subject,
            Origin::StdModels => IrOrigin::StdModel,
            Origin::Path | Origin::Registry | Origin::Git => IrOrigin::Dependency,
        };
        let required = |file: &DumpFile, what: &str| match file {
            DumpFile::Written(path) => read(path),
            DumpFile::Failed { summary, report } => Err(anyhow::anyhow!(
                "the compiler gave no {what} of `{}`: {summary}; the whole message is in {report}",
                dump.crate_name
            )),
        };
        Ok(Texts {
            name,
            origin,
            mir: required(&dump.mir, "MIR")?,
            cfg: required(&dump.cfg, "MIR headers")?,
            rustdoc: dump.rustdoc.path().map(|path| read(path)).transpose()?,
        })
    }

    fn dump(&self) -> CrateDump<'_> {
        CrateDump {
            crate_name: &self.name,
            origin: self.origin,
            mir: &self.mir,
            cfg: &self.cfg,
            rustdoc: self.rustdoc.as_deref(),
            stable_mir: None,
        }
    }
}

fn read(path: &Utf8Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read {path}"))
}

fn read_version(
    extraction: Extraction,
    reached: &[CrateDumpFiles],
    models: &CrateDumpFiles,
) -> anyhow::Result<LoadedVersion> {
    let texts = extraction
        .crates
        .iter()
        .map(|dump| Texts::read(dump, program_name(dump, &extraction.crates)))
        .chain(reached.iter().chain([models]).map(|dump| Texts::read(dump, dump.crate_name.clone())))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let dumps: Vec<CrateDump<'_>> = texts.iter().map(Texts::dump).collect();
    let program = build_program(&dumps)?;
    let directory = extraction
        .crates
        .first()
        .map_or_else(|| extraction.source_root.clone(), |dump| dump.directory.clone());
    let files = Arc::new(program.files.clone());
    Ok(LoadedVersion { program, extraction, files, directory })
}
