//! What a harness is asked for, what it offers, and what can go wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use camino::Utf8PathBuf;
use regress_core::idx::IdxVec;
use regress_core::ir::{AdtKind, ConversionStep, CtorKind, GenericParam, GivenFields, Moved, Name, Path};
use regress_core::value::Success;

use super::alike::CrateBuild;
use super::commands::Stop;
use super::path_set::PathSet;
use super::refused::RefusedGlue;

regress_core::define_ids! {
    /// A function that is to be run natively; the caller's numbering.
    SubjectId = "subject";
    /// A function by which the crate makes values of one of its types.
    MakerId = "maker";
}

/// One version of one target of a package, and the functions wanted from it.
#[derive(Clone, Debug)]
pub struct HarnessRequest {
    /// The directory to copy: the root of the version's source tree, path dependencies included.
    pub source_root: Utf8PathBuf,
    /// The cargo workspace's root, relative to `source_root`; empty if they are the same.
    pub workspace_dir: Utf8PathBuf,
    /// The package's `Cargo.toml`, relative to `source_root`.
    pub manifest: Utf8PathBuf,
    pub package: String,
    pub target: Target,
    /// The target's root source file, relative to the workspace's root (`src/lib.rs`).
    pub root_file: Utf8PathBuf,
    /// The crate's name as paths have it (`my_crate`).
    pub crate_name: String,
    /// A directory of its own for this version and target; reused by the next build of the same.
    pub out_dir: Utf8PathBuf,
    /// That of the other version. If nothing was built in `out_dir` yet, it begins with the foreign dependencies that are built there.
    pub seed: Option<Utf8PathBuf>,
    /// What the workspace is to have for its `Cargo.lock` if the tree has none.
    pub lock_file: Option<Utf8PathBuf>,
    pub cargo: CargoCommand,
    /// How cargo was asked for what was read; none if that is another program.
    pub compared: Option<AsCompared>,
    pub profile: Profile,
    pub worker: WorkerKind,
    pub subjects: IdxVec<SubjectId, SubjectRequest>,
    pub makers: IdxVec<MakerId, MakerRequest>,
    /// The types of the crate, for those whose definition its sources do not show.
    pub types: Vec<DeclaredType>,
    /// Types that the versions define or print otherwise: what their `Debug` prints is not compared.
    pub defined_otherwise: BTreeSet<Path>,
    /// Structs of which both versions are given the values that have these fields, and `Default` for others.
    pub completed: BTreeMap<Path, GivenFields>,
    /// Items that the other version has by other names, by which this one tells of them too.
    pub moved: Moved,
    /// What rustc refused of the glue of the other version or of another part: it is not tried here.
    pub refused: RefusedGlue,
}

/// What a worker is built for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerKind {
    /// Evidence: the crate as cargo builds it, with glue.
    Plain,
    /// Fuzzing: the crate tells its coverage. What it finds is evidence if a plain worker has it too.
    Instrumented,
}

/// The build that was read, of which native runs have to be.
#[derive(Clone, Debug)]
pub struct AsCompared {
    /// This program, which is called in place of the compiler to record what cargo builds.
    pub wrapper_program: Utf8PathBuf,
    /// The manifest that cargo was started with, relative to `source_root`.
    pub manifest: Utf8PathBuf,
    /// `--package NAME`, `--workspace` …: features hang on what is selected together.
    pub packages: Vec<String>,
    pub crates: Vec<CrateBuild>,
    /// All that the compiler says of its version.
    pub compiler: String,
    /// Where what is linked into workers is kept, compiled.
    pub linked_dir: Utf8PathBuf,
}

/// A function that makes values of a type which are not to be put together from fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MakerRequest {
    /// Where it is, and how it is declared.
    pub function: SubjectRequest,
    /// The canonical path of the type.
    pub makes: String,
    pub success: Success,
    pub begins: Begins,
    pub gives: Gives,
}

/// Whose inputs a maker makes at random.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    ToAll,
    /// Those of the subject that it is itself.
    ToItself,
}

/// What a maker begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begins {
    WithNone,
    /// With a value of the type that it makes.
    WithAnother,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    Lib,
    Bin(String),
    /// Can only be called by the compiler.
    ProcMacro,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// As the manifest and cargo's configuration say.
    Dev,
    Release,
}

/// How cargo is called.
#[derive(Clone, Debug, Default)]
pub struct CargoCommand {
    /// `cargo` from the search path if none.
    pub program: Option<Utf8PathBuf>,
    /// Flags handed through: `--offline`, `--locked`, `--features …`.
    pub args: Vec<String>,
    pub env: Vec<(String, String)>,
    /// The folder in which the user's repository lies: cargo's configuration there, and above, counts.
    pub above: Option<Utf8PathBuf>,
    /// When a build is ended that is still going on.
    pub until: Option<Instant>,
    /// By which a build is ended of which it turns out that it is not needed.
    pub stop: Option<Stop>,
}

/// A function by its canonical path and where it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubjectRequest {
    pub path: Path,
    /// As the compiler names it: relative to the workspace's root.
    pub file: Utf8PathBuf,
    /// First line of the function's span; counts from 1.
    pub line: u32,
    /// What to take for the generic parameters in scope, `Self` of a trait among them: canonical types without
    /// lifetimes (`u8`, `demo::Point`, `std::vec::Vec<u8>`) or constants.
    pub instantiation: BTreeMap<Name, String>,
    /// What the compiler knows of the function, for what its source text does not say.
    pub declared: Option<Declared>,
}

/// A function as the compiler has it: all there is to call one by that a macro or a derive made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// With all generic arguments and canonical paths: `<demo::Point as std::clone::Clone>::clone`.
    pub callee: String,
    /// The path of the function, or of the type or trait that it belongs to, if that is of the crate.
    pub home: Option<String>,
    pub params: Vec<Parameter>,
    /// What the function is handed, where that is not just its parameters: it is called as the other version's is.
    pub handed: Option<Vec<Handed>>,
    /// Paths of the types of which its arguments are made.
    pub takes: BTreeSet<String>,
    /// Paths of the types of which trait objects in its arguments are made, which it may do without.
    pub holds: BTreeSet<String>,
    /// The first parameter that is a listener, or holds one: what it heard is shown for that.
    pub listens: Option<usize>,
    pub returns: Returns,
    /// Paths that occur in its body or in one that it may come to run, by the names in the version's own sources.
    pub mentions: PathSet,
}

impl Declared {
    /// With the names that the version's own sources have, where it was declared by those of the other version.
    pub fn by_source_names(mut self, moved: &Moved) -> Declared {
        if moved.is_empty() {
            return self;
        }
        self.callee = moved.source_name(&self.callee);
        self.home = self.home.map(|home| moved.source_name(&home));
        for paths in [&mut self.takes, &mut self.holds] {
            *paths = paths.iter().map(|path| moved.source_name(path)).collect();
        }
        for handed in self.handed.iter_mut().flatten() {
            if let Handed::Fixed(value) = handed {
                *value = moved.source_name(value);
            }
        }
        for param in &mut self.params {
            param.ty = param.ty.take().map(|ty| moved.source_name(&ty));
        }
        self
    }
}

/// A struct, enum or union of the crate, or of one that it depends on, as the compiler knows it, under the names of the version's own sources.
#[derive(Clone, Debug)]
pub struct DeclaredType {
    /// With the crate's name.
    pub path: String,
    /// The name by which other crates write it; of types of dependencies alone.
    pub foreign: Option<String>,
    pub kind: AdtKind,
    pub lifetimes: usize,
    /// Without lifetimes.
    pub generics: Vec<GenericParam>,
    /// What stands behind `where`, each predicate followed by a comma.
    pub predicates: String,
    /// A struct has one.
    pub variants: Vec<DeclaredVariant>,
    pub has_debug: bool,
    /// Whether glue cannot see its fields: values are made by calls, and shown as `Debug` shows them.
    pub hides_fields: bool,
}

#[derive(Clone, Debug)]
pub struct DeclaredVariant {
    pub name: String,
    pub ctor: CtorKind,
    pub fields: Vec<DeclaredField>,
}

#[derive(Clone, Debug)]
pub struct DeclaredField {
    pub name: String,
    /// With canonical paths.
    pub ty: String,
}

/// An argument of a function that is called as the other version's is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Handed {
    /// The parameter at this place, after these steps.
    Parameter(usize, Vec<ConversionStep>),
    /// The same at each call: an expression with canonical paths.
    Fixed(String),
}

/// A parameter, and the type of what is made for it if the call does not say it (`impl Trait`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub kind: Param,
    pub ty: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Param {
    Value,
    /// `&mut T`
    MutRef,
    /// `&mut [T]`
    MutSlice,
    /// `&mut fmt::Formatter`
    Formatter,
    /// A closure with so many parameters, made of `std::stand_ins::Function`.
    Function {
        arity: usize,
    },
    /// The same, made of `std::stand_ins::Listener`.
    Listener {
        arity: usize,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returns {
    Value,
    Never,
}

/// Whether a function can be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Availability {
    /// Two functions of equal shape get equal random inputs from equal seeds.
    Ready {
        shape: String,
        /// How many inputs there are, if they are few and can all be made.
        inputs: Option<u64>,
    },
    Unavailable {
        reason: String,
    },
}

#[derive(Debug, thiserror::Error)]
pub enum HarnessError {
    #[error("cannot {action} `{path}`: {source}")]
    Io { action: &'static str, path: Utf8PathBuf, source: std::io::Error },
    #[error("cannot start `{program}`: {source}; is it installed and on the search path?")]
    Spawn { program: String, source: std::io::Error },
    #[error("`{path}` is not a manifest that cargo would take: {reason}")]
    Manifest { path: Utf8PathBuf, reason: String },
    #[error("cannot read the Rust source `{path}`, line {line}: {reason}")]
    Source { path: Utf8PathBuf, line: usize, reason: String },
    #[error("the source tree has no file `{path}`, which is the root of the crate `{crate_name}`")]
    NoRoot { path: Utf8PathBuf, crate_name: String },
    #[error("the copy of `{package}` with the native harness does not compile:\n{errors}")]
    DoesNotCompile { package: String, errors: String },
    #[error("the native harness of `{package}` still did not compile after {rounds} attempts:\n{errors}")]
    TooManyRounds { package: String, rounds: usize, errors: String },
    #[error("the time was over before the native harness of `{package}` was built")]
    OutOfTime { package: String },
    #[error("{subject} cannot be run natively: {reason}")]
    Unavailable { subject: SubjectId, reason: String },
    /// Inputs that do not fit the parameters. The reason is in words of the glue.
    #[error("an input that cannot be built natively")]
    Misfit { subject: SubjectId, reason: String },
    #[error("a value that cannot be built natively: {0}")]
    NotBuildable(String),
    #[error("the worker process did not start: {0}")]
    NoWorker(String),
    #[error("the worker process said something that makes no sense: {0}")]
    Protocol(String),
    #[error("the same seed gave the two versions different inputs:\n  old: {old}\n  new: {new}")]
    InputsDiverge { old: String, new: String },
    #[error("the parameters of {subject} differ between the versions, so they have no inputs in common")]
    ShapesDiffer { subject: SubjectId },
}

impl HarnessRequest {
    /// Fails if the time for building is over.
    pub(super) fn in_time(&self) -> Result<(), HarnessError> {
        match self.cargo.until.is_some_and(|until| Instant::now() >= until) {
            true => Err(HarnessError::OutOfTime { package: self.package.clone() }),
            false => Ok(()),
        }
    }
}

impl HarnessError {
    pub(super) fn io(
        action: &'static str,
        path: impl Into<Utf8PathBuf>,
    ) -> impl FnOnce(std::io::Error) -> HarnessError {
        let path = path.into();
        move |source| HarnessError::Io { action, path, source }
    }
}
