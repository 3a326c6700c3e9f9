//! The runtime of the glue as a crate of its own: compiled once, linked into the workers of all versions and packages.
//!
//! The glue implements the traits of the runtime for types of the crate, and for `__regress::Here`, which is the crate's own too, so that
//! they may stand in another crate. Cargo knows nothing of it: the compiler wrapper adds it to the calls that need it
//! ([`LinkedCrate`]). What cargo builds without the wrapper (tests, documentation) has the runtime as a module.
//!
//! What the glue implements for types of dependencies may stand only beside the traits: there the worker has the runtime as a module, and
//! an instrumented one goes without.
//!
//! Limits: where the compiler takes no crate of ours (a standard library of its own, a linker that wants all crates built alike), the
//! worker is built again with the runtime as a module.

use std::hash::{DefaultHasher, Hash, Hasher};

use camino::Utf8Path;

use super::glue::{Runtime, runtime_root};
use super::instrument::WORKER_FILE;
use super::request::{AsCompared, HarnessRequest, WorkerKind};
use crate::extract::LinkedCrate;

pub const NAME: &str = "__regress_runtime";

/// Where workers have the runtime from, in the order in which it is tried.
pub fn ways(request: &HarnessRequest) -> &'static [Runtime] {
    let has_foreign = request.types.iter().any(|declared| declared.foreign.is_some());
    match (&request.compared, request.worker) {
        (_, WorkerKind::Plain) if has_foreign => &[Runtime::Module],
        (Some(_), WorkerKind::Plain) => &[Runtime::Linked(WorkerKind::Plain), Runtime::Module],
        // As a module the runtime would be instrumented itself.
        (Some(_), WorkerKind::Instrumented) => &[Runtime::Linked(WorkerKind::Instrumented)],
        (None, _) => &[Runtime::Module],
    }
}

/// What the wrapper is told, for the crate that is built in `copy`.
pub fn linked(request: &HarnessRequest, compared: &AsCompared, copy: &Utf8Path) -> LinkedCrate {
    let root = copy.join(&request.workspace_dir).join(&request.root_file);
    LinkedCrate {
        name: NAME.to_owned(),
        text: runtime_root(request.worker),
        compiler: compared.compiler.clone(),
        cache_dir: compared.linked_dir.clone(),
        linked_into: vec![root.with_file_name(WORKER_FILE), root],
        options: match request.worker {
            WorkerKind::Plain => Vec::new(),
            WorkerKind::Instrumented => instrumentation(),
        },
    }
}

/// Coverage of edges and operands of comparisons, as stock compilers give them: <https://clang.llvm.org/docs/SanitizerCoverage.html>.
fn instrumentation() -> Vec<String> {
    let pass = ["-Cpasses=sancov-module"];
    let settings = ["level=3", "inline-8bit-counters", "trace-compares"];
    let settings = settings.iter().map(|setting| format!("-Cllvm-args=-sanitizer-coverage-{setting}"));
    // Texts are compared by functions of the C library, which are not instrumented.
    let compared: &[&str] = match cfg!(target_os = "linux") {
        true => &["-Clink-arg=-Wl,--wrap=memcmp,--wrap=bcmp"],
        false => &[],
    };
    let texts = pass.iter().chain(compared).map(|option| (*option).to_owned());
    texts.chain(settings).collect()
}

/// Tells one runtime from another. It stands in the sources, as cargo does not see that what is linked has changed.
pub fn stamp(worker: WorkerKind) -> u64 {
    let mut hasher = DefaultHasher::new();
    runtime_root(worker).hash(&mut hasher);
    hasher.finish()
}
