//! The native harness: runs a function of one version of a package on given or random inputs, as the compiler made it.
//!
//! Idea: a copy of the version's source tree gets *glue* appended to its modules, so that private functions and
//! private fields are within reach; the copy is built with cargo into a *worker*, a process that builds inputs, calls
//! one function at a time and tells the outcome. Each version has its own worker, so versions share no state and a
//! crash, an endless loop or a memory bomb takes down a process that is merely started again.
//!
//! * [`request`]: what is asked for and what can go wrong.
//! * [`scan`]: the items of the sources, with `syn` ([`syntax`] has the small questions).
//! * [`callee`]: how each subject is called.
//! * [`effects`]: which functions must not be run on arbitrary inputs.
//! * [`glue`]: the code that is added for a type or a function; [`instrument`]: where it goes; [`runtime_crate`]: what it uses, compiled once.
//! * [`tree`], [`manifest`]: the copy of the source tree and its manifests.
//! * [`build`](mod@build): cargo, and what is dropped when glue does not compile, [`follow`](mod@follow) with it; [`commands`]: how long it may take.
//! * [`executable`]: several processes and one folder; [`foreign`]: what is built once for both versions.
//! * [`alike`]: whether that is what was compared.
//! * [`fuzzing`](mod@fuzzing): inputs made of those that brought new coverage; [`shrink`]: smaller ones that do the same.
//! * [`exhaustive`]: every input that there is, where they are few.
//! * [`random_differential_test`]: random inputs through both versions; [`confirm`]: whether what differed there, or anywhere, makes a difference.
//! * [`wire`], [`worker`]: the protocol and the process at its other end; [`confine`]: what that process may do to the machine,
//!   [`bounded`]: how much of it it may take.
//! * [`testing`]: the tests of a version, [`examples`]: those in documentation; [`capture`](mod@capture): the arguments with which tests
//!   call functions, [`tests_with_glue`] builds these; [`coverage`](mod@coverage): the statements that it executes.
//!
//! Limits: no functions that stand inside of other functions; generic ones at types that are given;
//! values of types that no function of the crate makes are built field by field, so unwritten invariants may not hold
//! for them; only Unix.

mod alike;
mod bounded;
mod build;
mod callee;
mod calls;
mod capture;
mod commands;
pub mod confine;
mod confirm;
mod coverage;
mod effects;
mod entered;
pub mod examples;
mod executable;
mod exhaustive;
mod follow;
mod foreign;
mod fuzzing;
mod glue;
mod instrument;
mod literals;
mod manifest;
mod path_set;
mod random_differential_test;
mod refused;
mod request;
mod runtime_crate;
mod scan;
mod shrink;
mod smaller;
mod syntax;
pub mod testing;
mod tests_with_glue;
mod tree;
mod wire;
mod worker;

#[cfg(test)]
mod tests;

pub use alike::{CrateBuild, target_of};
pub use build::{Harness, Told, build, build_telling};
pub use capture::{CapturedCall, capture, capture_all};
pub use confirm::{Asked, Both, Care, Patience};
pub use coverage::{Coverage, coverage};
pub use entered::{Entry, ProbedTests};
pub use exhaustive::{Exhaustive, ListEnd, inputs_in_common, run_every_input};
pub use fuzzing::{FuzzEnd, FuzzPatience, FuzzPlan, Fuzzed, fuzz};
pub use instrument::{Instrumented, Owner, Segment, instrument};
pub use random_differential_test::{
    Difference, RandomTest, RandomTestPlan, Unstable, random_differential_test,
};

pub use commands::Stop;
pub use literals::{Literals, Row, Written, shape, text_of};
pub use path_set::PathSet;
pub use refused::{Known, Refusals, RefusedGlue};
pub use request::{
    AsCompared, Availability, Begins, CargoCommand, Declared, DeclaredField, DeclaredType, DeclaredVariant,
    Gives, Handed, HarnessError, HarnessRequest, MakerId, MakerRequest, Param, Parameter, Profile, Returns,
    SubjectId, SubjectRequest, Target, WorkerKind,
};
pub use shrink::smaller_where;
pub use tree::list as list_tree;
#[cfg(test)]
use wire::tokens;
pub use worker::{Lengths, Limits, Numbers, RandomPlan, RandomRun, States, Worker};
