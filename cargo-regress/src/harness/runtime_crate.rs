//! The runtime of the glue as a crate of its own: compiled once, linked into the workers of all versions and packages.
//!
//! The glue implements the traits of the runtime for types of the crate, and for `__regress::Here`, which is the crate's own too, so that
//! they may stand in another crate. Cargo knows nothing of it: the compiler wrapper adds it to the calls that need it
//! ([`LinkedCrate`]). What cargo builds without the wrapper (tests, documentation) has the runtime as a module.
//!
//! Limits: where the compiler takes no crate of ours (a standard library of its own, a linker that wants all crates built alike), the
//! worker is built again with the runtime as a module.

use std::hash::{DefaultHasher, Hash, Hasher};

use camino::Utf8Path;

use super::glue::{Runtime, runtime_root};
use super::instrument::WORKER_FILE;
use super::request::{AsCompared, HarnessRequest};
use crate::extract::LinkedCrate;

pub const NAME: &str = "__regress_runtime";

/// Where workers have the runtime from, in the order in which it is tried.
pub fn ways(request: &HarnessRequest) -> &'static [Runtime] {
    match &request.compared {
        Some(_) => &[Runtime::Linked, Runtime::Module],
        None => &[Runtime::Module],
    }
}

/// What the wrapper is told, for the crate that is built in `copy`.
pub fn linked(request: &HarnessRequest, compared: &AsCompared, copy: &Utf8Path) -> LinkedCrate {
    let root = copy.join(&request.workspace_dir).join(&request.root_file);
    LinkedCrate {
        name: NAME.to_owned(),
        text: runtime_root(),
        compiler: compared.compiler.clone(),
        cache_dir: compared.linked_dir.clone(),
        linked_into: vec![root.with_file_name(WORKER_FILE), root],
    }
}

/// Tells one runtime from another. It stands in the sources, as cargo does not see that what is linked has changed.
pub fn stamp() -> u64 {
    let mut hasher = DefaultHasher::new();
    runtime_root().hash(&mut hasher);
    hasher.finish()
}
