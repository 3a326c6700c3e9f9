//! What the compiler is asked of a version: which packages, targets, features and profile, and where it builds.

use anyhow::Context;
use camino::{Utf8Path, Utf8PathBuf};
use regress_core::verdict::Version;

use crate::args::Options;
use crate::dependency_seed;
use crate::extract::{
    BaseFeatures, ExtractRequest, FeatureChoice, LockPolicy, PackageChoice, Profile, Selection, Targets,
};
use crate::pipeline::Session;
use crate::versions::VersionTree;

impl Session<'_> {
    pub(super) fn build_dir(&self, version: Version) -> Utf8PathBuf {
        self.home.join("build").join(side_name(version))
    }

    /// Whether to build one version after the other, so that the second finds the foreign dependencies of the first. Only the first time
    /// is there anything to gain.
    pub(in crate::pipeline) fn builds_foreign_once(&self, old: &Utf8Path, new: &Utf8Path) -> bool {
        let lock_files = || [&self.versions.old, &self.versions.new].map(|tree| tree.root.join("Cargo.lock"));
        !old.exists()
            && !new.exists()
            && lock_files().iter().all(|file| dependency_seed::is_worth_waiting(file))
    }

    /// What is selected of each version.
    pub(super) fn selection(&self) -> Selection {
        Selection { targets: self.targets, ..selection(self.options) }
    }

    pub(in crate::pipeline) fn request(&self, tree: &VersionTree) -> anyhow::Result<ExtractRequest> {
        Ok(ExtractRequest {
            label: label_of(tree),
            root: tree.root.clone(),
            above: tree.above.clone(),
            tree_key: tree.tree_key.clone(),
            manifest_path: tree.package_root.join("Cargo.toml"),
            target_dir: self.build_dir(tree.version),
            seed: Some(self.build_dir(tree.version.other())),
            cache_dir: self.home.join("cache"),
            selection: self.selection(),
            lock: lock_policy(self.options),
            jobs: self.options.build.jobs,
            toolchain: self.toolchain.clone(),
            wrapper_program: wrapper_program()?,
        })
    }
}

/// This program, which cargo is told to call in place of the compiler.
pub(in crate::pipeline) fn wrapper_program() -> anyhow::Result<Utf8PathBuf> {
    let program = std::env::current_exe().context("cannot find the program's own file")?;
    Utf8PathBuf::try_from(program).context("the program's own path is not UTF-8")
}

/// What a version is called where it cannot be read.
pub(in crate::pipeline) fn label_of(tree: &VersionTree) -> String {
    format!("the {} version [{}]", side_name(tree.version), tree.label)
}

pub(in crate::pipeline) fn side_name(version: Version) -> &'static str {
    match version {
        Version::Old => "old",
        Version::New => "new",
    }
}

pub(in crate::pipeline) fn selection(options: &Options) -> Selection {
    let workspace = &options.packages.workspace;
    let packages = if workspace.workspace || workspace.all {
        PackageChoice::Workspace { exclude: workspace.exclude.clone() }
    } else if workspace.package.is_empty() {
        PackageChoice::Default
    } else {
        PackageChoice::Named(workspace.package.clone())
    };
    let features = &options.packages.features;
    let base = match (features.all_features, features.no_default_features) {
        (true, _) => BaseFeatures::All,
        (false, true) => BaseFeatures::None,
        (false, false) => BaseFeatures::Default,
    };
    let profile = if options.build.release { Profile::Release } else { Profile::Dev };
    let features = FeatureChoice { base, named: features.features.clone() };
    Selection { packages, features, profile, targets: Targets::Program }
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
