//! The harness over real builds of tiny crates. What each function must give is written down by hand.

mod captures;
mod crates;
mod exhaustive;
mod foreign;
mod fuzzing;
mod look;
mod makers;
mod outcomes;
mod pure;
mod table;
mod versions;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use regress_core::idx::IdxVec;
use regress_core::ir::{CommonShapes, CtorKind, IntTy, Moved, Name, Path, ResultTypes};
use regress_core::value::{Outcome, PanicKind, Value};

use super::*;
use crate::stats::{Clock, Count};

/// A crate on disk with its harness.
struct Built {
    harness: Harness,
    subjects: IdxVec<SubjectId, SubjectRequest>,
    _dir: tempfile::TempDir,
}

/// Builds a crate `demo` from its files; all functions named in `wanted` (by path without the crate's name) are
/// subjects, found by the line that contains `fn name`; `f{T=u8,N=3}` says what to take for generic parameters.
fn build_demo(files: &[(&str, &str)], wanted: &[&str]) -> Built {
    try_build(files, wanted, Target::Lib).unwrap_or_else(|error| panic!("{error}"))
}

fn try_build(files: &[(&str, &str)], wanted: &[&str], target: Target) -> Result<Built, HarnessError> {
    build_subjects(files, wanted.iter().map(|path| locate(files, path)).collect(), target)
}

fn build_subjects(
    files: &[(&str, &str)],
    subjects: IdxVec<SubjectId, SubjectRequest>,
    target: Target,
) -> Result<Built, HarnessError> {
    build_with_makers(files, subjects, IdxVec::new(), target)
}

fn build_with_makers(
    files: &[(&str, &str)],
    subjects: IdxVec<SubjectId, SubjectRequest>,
    makers: IdxVec<MakerId, MakerRequest>,
    target: Target,
) -> Result<Built, HarnessError> {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let root = Utf8PathBuf::from_path_buf(dir.path().to_path_buf()).expect("a UTF-8 path");
    for (path, text) in files {
        tree::update(&root.join("source").join(path), text.as_bytes()).expect("a written file");
    }
    if !files.iter().any(|(path, _)| *path == "Cargo.toml") {
        let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
        tree::update(&root.join("source/Cargo.toml"), manifest.as_bytes()).expect("a written file");
    }
    let root_file = if target == Target::Lib { "src/lib.rs" } else { "src/main.rs" };
    let harness = build(&HarnessRequest {
        target,
        root_file: root_file.into(),
        makers,
        ..request_for_demo(&root, "source", subjects.clone())
    })?;
    Ok(Built { harness, subjects, _dir: dir })
}

/// The library of a crate `demo` in a folder below the root, to be built in `out`.
fn request_for_demo(
    root: &Utf8Path,
    source: &str,
    subjects: IdxVec<SubjectId, SubjectRequest>,
) -> HarnessRequest {
    HarnessRequest {
        source_root: root.join(source),
        workspace_dir: Utf8PathBuf::new(),
        manifest: "Cargo.toml".into(),
        package: "demo".to_string(),
        target: Target::Lib,
        root_file: "src/lib.rs".into(),
        crate_name: "demo".to_string(),
        out_dir: root.join("out"),
        seed: None,
        lock_file: None,
        cargo: CargoCommand { args: vec!["--offline".to_string()], ..CargoCommand::default() },
        compared: wrapped(),
        profile: Profile::Dev,
        worker: WorkerKind::Plain,
        makers: IdxVec::new(),
        types: Vec::new(),
        defined_otherwise: BTreeSet::new(),
        completed: BTreeMap::new(),
        moved: Moved::default(),
        subjects,
        refused: RefusedGlue::default(),
    }
}

/// Has the runtime linked by the command as wrapper, where that is known to be built (as `cargo xtask test` does): that takes a tenth of the
/// time. Else the runtime is a module.
fn wrapped() -> Option<AsCompared> {
    std::env::var_os("REGRESS_TESTS_BUILT")?;
    let here = Utf8PathBuf::try_from(std::env::current_exe().ok()?).ok()?;
    let built = here.parent()?.parent()?;
    let version = std::process::Command::new("rustc").arg("-vV").output().ok()?;
    Some(AsCompared {
        wrapper_program: built.join("cargo-regress"),
        manifest: "Cargo.toml".into(),
        packages: Vec::new(),
        crates: Vec::new(),
        compiler: String::from_utf8(version.stdout).ok()?,
        linked_dir: built.join("linked-for-tests"),
    })
}

fn locate(files: &[(&str, &str)], path: &str) -> SubjectRequest {
    let (path, arguments) = path.split_once('{').unwrap_or((path, ""));
    let arguments =
        arguments.trim_end_matches('}').split(',').filter_map(|argument| argument.split_once('='));
    let instantiation = arguments.map(|(name, ty)| (Name::new(name), ty.to_string())).collect();
    let name = path.rsplit("::").next().expect("a name");
    let needle = format!("fn {name}");
    let found = files.iter().filter(|(file, _)| file.ends_with(".rs")).find_map(|(file, text)| {
        let is_it = |line: &str| {
            line.find(&needle).is_some_and(|at| line[at + needle.len()..].starts_with(['(', '<', ' ']))
        };
        text.lines().position(is_it).map(|index| (*file, index as u32 + 1))
    });
    let (file, line) = found.unwrap_or_else(|| panic!("no `{needle}` in the sources"));
    SubjectRequest {
        path: Path::new(format!("demo::{path}")),
        file: file.into(),
        line,
        instantiation,
        declared: None,
    }
}

/// What a call may take where nothing is said of it.
const CALL: Duration = Duration::from_millis(1500);

impl Built {
    /// By path without the crate's name, or by the whole path after a `=`.
    fn id(&self, path: &str) -> SubjectId {
        let wanted = match path.strip_prefix('=') {
            Some(whole) => whole.to_string(),
            None => format!("demo::{path}"),
        };
        self.subjects
            .iter_enumerated()
            .find(|(_, subject)| subject.path == wanted.as_str())
            .map(|(id, _)| id)
            .unwrap_or_else(|| panic!("{path} is no subject"))
    }

    fn worker(&self) -> Worker {
        self.worker_within(CALL)
    }

    fn worker_within(&self, call: Duration) -> Worker {
        self.harness.worker(Limits { call, ..Limits::default() })
    }

    fn call(&self, path: &str, inputs: &[Value]) -> Outcome {
        if let Availability::Unavailable { reason } = self.harness.availability(self.id(path)) {
            panic!("{path} is not available: {reason}");
        }
        self.worker().call(self.id(path), inputs).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    fn reason(&self, path: &str) -> String {
        match self.harness.availability(self.id(path)) {
            Availability::Ready { .. } => panic!("{path} is available"),
            Availability::Unavailable { reason } => reason.clone(),
        }
    }
}

fn bytes(items: &[u8]) -> Value {
    Value::Seq(items.iter().map(|item| u8v(*item)).collect())
}

fn returned(value: Value) -> Outcome {
    Outcome::Returned { value, mutated: Vec::new() }
}

fn u8v(value: u8) -> Value {
    Value::int(IntTy::U8, value.into())
}

fn u32v(value: u32) -> Value {
    Value::int(IntTy::U32, value.into())
}

fn i32v(value: i32) -> Value {
    Value::int(IntTy::I32, value.into())
}

fn text(value: &str) -> Value {
    Value::Str(value.to_string())
}

fn refer(value: Value) -> Value {
    Value::Ref(Box::new(value))
}

fn adt(path: &str, variant: Option<&str>, ctor: CtorKind, fields: &[(&str, Value)]) -> Value {
    Value::Adt {
        path: Path::new(path),
        variant: variant.map(Name::new),
        ctor,
        fields: fields.iter().map(|(name, value)| (Name::new(name), value.clone())).collect(),
    }
}

fn some(value: Value) -> Value {
    adt("std::option::Option", Some("Some"), CtorKind::Tuple, &[("0", value)])
}

fn none() -> Value {
    adt("std::option::Option", Some("None"), CtorKind::Unit, &[])
}

fn panic_kind(outcome: &Outcome) -> PanicKind {
    match outcome {
        Outcome::Panicked(panic) => panic.kind,
        other => panic!("no panic: {other:?}"),
    }
}
