//! What is asked for, and what comes back.

use std::num::NonZeroU32;

use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

use super::brought::Brought;
use super::elsewhere::Elsewhere;
use super::record::RecordedUnit;
use super::toolchain::Toolchain;

/// One version of a package, to be dumped.
#[derive(Clone, Debug)]
pub struct ExtractRequest {
    /// How this version is called in messages, as in `HEAD~1 (1a2b3c4)`.
    pub label: String,
    /// The tree of this version: a private copy, in which cargo may write a `Cargo.lock`.
    pub root: Utf8PathBuf,
    /// The folder in which the user's repository lies: cargo's configuration there, and above, holds for all versions.
    pub above: Option<Utf8PathBuf>,
    /// Names the contents of the tree; equal keys mean equal contents.
    pub tree_key: String,
    pub manifest_path: Utf8PathBuf,
    /// Build directory of this version. Two versions must never share one; the same version may come back to it, and a
    /// later version may take it over.
    pub target_dir: Utf8PathBuf,
    /// Build directory of the other version. If that of this version is not there yet, it begins with the foreign dependencies of this
    /// one.
    pub seed: Option<Utf8PathBuf>,
    /// Where dumps are kept, for all versions.
    pub cache_dir: Utf8PathBuf,
    pub selection: Selection,
    pub lock: LockPolicy,
    /// Number of jobs for cargo; its default if none.
    pub jobs: Option<NonZeroU32>,
    pub toolchain: Toolchain,
    /// The executable of this program, which cargo calls as compiler wrapper.
    pub wrapper_program: Utf8PathBuf,
}

/// Which part of the program, and compiled how.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Selection {
    pub packages: PackageChoice,
    pub features: FeatureChoice,
    pub profile: Profile,
    pub targets: Targets,
}

/// Which targets of the packages are dumped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Targets {
    /// Libraries and binaries.
    #[default]
    Program,
    /// All that `cargo test` runs, compiled with `--test`, and the libraries.
    Tests,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PackageChoice {
    /// What `cargo check` takes at the manifest.
    #[default]
    Default,
    /// `--package`, with names, `name@version` or patterns.
    Named(Vec<String>),
    Workspace {
        exclude: Vec<String>,
    },
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeatureChoice {
    pub base: BaseFeatures,
    pub named: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BaseFeatures {
    #[default]
    Default,
    None,
    All,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    #[default]
    Dev,
    Release,
}

/// What cargo may do to find the dependencies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LockPolicy {
    #[default]
    Free,
    Locked,
    Offline,
    Frozen,
}

/// The dumps of a version.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Extraction {
    pub source_root: Utf8PathBuf,
    /// Selected library and binary targets, dumped; in order of package and target.
    pub crates: Vec<CrateDumpFiles>,
    /// What they depend on, to be dumped on demand.
    pub dependencies: Vec<DependencyInvocation>,
    /// Selected targets that are not dumped, and why.
    pub skipped: Vec<SkippedTarget>,
    /// What `cargo test` runs of the selected packages, if that was selected.
    #[serde(default)]
    pub test_targets: Vec<TestTarget>,
    /// What was read that is no part of the tree.
    pub elsewhere: Elsewhere,
}

/// The dumps of one crate.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CrateDumpFiles {
    pub crate_name: String,
    pub package_name: String,
    pub package_version: String,
    /// Cargo's package id.
    pub package_id: String,
    pub target: TargetKind,
    pub origin: Origin,
    pub manifest_dir: Utf8PathBuf,
    /// The folder in which the compiler ran: relative paths in spans start here.
    pub directory: Utf8PathBuf,
    /// Whether `mir` says where each statement stands.
    pub spans: Spans,
    pub mir: DumpFile,
    pub cfg: DumpFile,
    pub rustdoc: DumpFile,
    /// The source after `cfg` and macros.
    pub expanded: DumpFile,
    /// Whether the sources ask if they are being documented, so that `rustdoc` may tell of other types than those of the build.
    pub asks_for_doc: bool,
    pub invocation: RecordedUnit,
    pub brought: Brought,
}

/// A dump, or the reason why there is none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DumpFile {
    Written(Utf8PathBuf),
    /// The replay failed. `report` holds the command and all it said, `summary` the first error.
    Failed {
        report: Utf8PathBuf,
        summary: String,
    },
}

impl DumpFile {
    pub fn path(&self) -> Option<&Utf8PathBuf> {
        match self {
            DumpFile::Written(path) => Some(path),
            DumpFile::Failed { .. } => None,
        }
    }
}

impl CrateDumpFiles {
    pub fn dumps(&self) -> [&DumpFile; 4] {
        [&self.mir, &self.cfg, &self.rustdoc, &self.expanded]
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TargetKind {
    Library,
    Binary,
    /// A target that was compiled with `--test`.
    Tests,
}

/// A target that `cargo test` runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestTarget {
    pub package: String,
    pub kind: TestTargetKind,
    pub name: String,
    /// The dump of its tests, by [`Unit::stem`](mir_frontend::rustc::replay::Unit::stem). None if it was not compiled with `--test`: it has a
    /// harness of its own.
    pub stem: Option<String>,
}

#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum TestTargetKind {
    Library,
    Binary,
    /// Below `tests/`.
    Integration,
    Example,
    Benchmark,
    /// The examples in the documentation of the library; never compiled by `cargo check`.
    Documentation,
}

/// Whether a dump of bodies says where each statement stands in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Spans {
    Included,
    /// They can be had with [`super::dump_spans`].
    Left,
}

/// Where a crate comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// A target of a selected package.
    Selected,
    /// A dependency by path, or a workspace member that was not selected.
    Path,
    /// A registry.
    Registry,
    /// A git repository.
    Git,
    /// The models of the standard library.
    StdModels,
}

/// A dependency that can be dumped with [`super::dump_dependencies`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DependencyInvocation {
    pub crate_name: String,
    pub package_name: String,
    pub package_version: String,
    pub package_id: String,
    pub origin: Origin,
    pub sharing: Sharing,
    /// Tells apart what build scripts wrote for this package and for those that it was compiled with.
    #[serde(default)]
    pub generated: String,
    pub invocation: RecordedUnit,
    pub brought: Brought,
}

/// For which versions the dump of a dependency holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sharing {
    /// It is a foreign package, as are all that it was compiled with: what its id names never changes, and what build scripts wrote is known.
    AllVersions,
    /// It lies in the tree, its build script wrote files that tell where it lies, or it was compiled with something of which this holds.
    ThisVersion,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkippedTarget {
    pub package: String,
    pub target: String,
    pub reason: SkipReason,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// A procedural macro runs in the compiler, not in the program.
    ProcMacro,
    /// The target needs features that are not enabled.
    RequiredFeatures(Vec<String>),
    /// Cargo did not compile the target, and did not say why.
    NotCompiled,
}
