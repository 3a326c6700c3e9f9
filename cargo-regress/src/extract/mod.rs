//! Getting the dumps of a version out of cargo.
//!
//! **Idea.** `cargo check` runs with this very program as compiler wrapper. The wrapper runs the real compiler and
//! writes down each call: arguments, folder, and what cargo put into the environment. Afterwards the calls that matter
//! are replayed with other output options, and print their MIR and their items. A dependency is replayed only when
//! somebody reaches into it.
//!
//! Replaying after the check, not inside it, keeps the build as the user knows it: a failed dump cannot fail the build,
//! `RUSTC_BOOTSTRAP` is never in the environment of cargo or of a build script, and a unit that cargo calls fresh is
//! dumped like any other, because its call is still on record.
//!
//! **Limits.** A compiler wrapper named in a cargo configuration file (not in the environment) is not chained, and `build.rustc` of such a file gives way to the compiler
//! that `rustc` means in the package. Where the versions have such settings and not the same ones, all of both counts as changed.
//!
//! | file | holds |
//! |---|---|
//! | `request` | what is asked for and what comes back |
//! | `run` | the way through, as prose |
//! | `toolchain` | which cargo, rustc and rustdoc |
//! | `wrapper`, `record` | the wrapper process and what it writes |
//! | `cargo`, `messages` | selecting packages, running `cargo check`, reading what it says |
//! | `target_dir_owner` | whose build a target directory holds |
//! | `brought` | what is linked and what build scripts wrote |
//! | `elsewhere` | what builds read that is no part of the tree |
//! | `linked` | a crate of ours that the wrapper links into others |
//! | `dump` | replaying one recorded call |
//! | `replaced_compiler` | compiler wrappers, and other compilers |
//! | `cache` | keys, atomic writes |
//! | `charon` | running Charon in place of all that |
//! | `std_models` | the models of the standard library, without cargo |

mod brought;
mod cache;
mod cargo;
mod cfg_doc;
pub mod charon;
mod dump;
mod elsewhere;
mod error;
mod linked;
mod messages;
mod record;
mod replaced_compiler;
mod request;
mod run;
pub mod std_models;
mod target_dir_owner;
pub mod toolchain;
mod wrapper;

pub use brought::{Brought, brought};
pub(crate) use cache::{Key, file_stamp, prune_files, read_json, touch, write_atomically, write_json};
pub use cargo::recording;
pub use charon::{Charon, CharonError, find_charon, run_charon};
pub use elsewhere::{Elsewhere, KnownPlaces, files_read};
pub use error::ExtractError;
pub use linked::LinkedCrate;
pub use record::{RecordedEnvironment, RecordedUnit, recorded_units};
pub use replaced_compiler::{folder_for_variables, replaced_by_configuration};
pub use request::{
    BaseFeatures, CrateDumpFiles, DependencyInvocation, DumpFile, ExtractRequest, Extraction, FeatureChoice,
    LockPolicy, Origin, PackageChoice, Profile, Selection, Sharing, SkipReason, SkippedTarget, Spans,
    TargetKind, Targets, TestTarget, TestTargetKind,
};
pub use run::{dump_dependencies, dump_spans, dump_stable_mir, extract};
pub use std_models::std_models_dump;
pub use toolchain::{Toolchain, ToolchainError, asked_release, find_toolchain};
pub use wrapper::{accepted_in, run_as_wrapper_if_asked};
