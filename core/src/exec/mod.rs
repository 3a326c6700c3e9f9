//! Concolic execution with the relevant slice carried on the values.
//!
//! *Idea.* A function runs on one concrete input. Each scalar in memory is concrete bits, a term over the input
//! variables, and the set of branch instances its value depends on by data, control and *potential* dependence: its
//! relevant slice. All slices come out of this one forward pass.
//!
//! *Definition.* The relevant slice condition of a run is the conjunction of the conditions of the branch instances in
//! the slice of the output: return value, memory behind `&mut` parameters, and how the call ended.
//!
//! *Not handled.* The text of floats, mutable statics, interior mutability, addresses as
//! numbers, reinterpreted memory, threads, inline assembly; each stops the run with a reason. Clean-up after a panic is not run, only looked at.
//!
//! *Source.* D. Qi, H. Nguyen, A. Roychoudhury: Path exploration based on symbolic output, ESEC/FSE 2011.
//!
//! Bottom-up: [`slice`] sets of branch instances, and of [`changes`] where these are asked for; [`tree`] values; [`run`] what a run shares; [`arith`] operations on
//! leaves; [`memory`] reads, writes, marking; [`layout`] sizes; [`pointer`] raw pointers; [`resolve`] calls to bodies, [`overrides`] which of them models do not know when to make; [`image`] static facts, of which [`writes`] what blocks may write and
//! [`exposed`] which locals they use as they were; [`machine`] the step loop and branches; [`eval`] places and rvalues, of which [`cast`] casts; [`call`] calls and drops, [`unwinding`] whether a panic gets out; [`builtins`] callees without a body, [`intrinsics`] what they do, of which [`memory_ops`] those on memory; [`gaps`] what has no meaning here; [`input`] and [`output`].

mod arith;
mod builtins;
mod call;
mod cast;
pub mod cells;
pub mod changes;
mod eval;
mod exposed;
pub mod float;
pub mod gaps;
pub mod image;
pub mod input;
pub(crate) mod intrinsics;
pub mod layout;
pub mod lent;
pub mod machine;
pub mod makers;
mod memory;
mod memory_ops;
pub mod output;
mod overrides;
mod parts;
mod pointer;
pub(crate) mod questions;
mod raw;
pub mod resolve;
pub mod run;
pub mod slice;
mod statics;
mod std_abstractions;
pub(crate) mod terms;
#[cfg(test)]
mod tests;
pub mod tree;
mod unicode;
mod unwinding;
mod writes;

pub use changes::{ChangeId, Changes};
pub use image::Image;
pub use input::{InputBounds, InputError, InputSpace, Unbuilt};
pub use intrinsics::knows;
pub use machine::Machine;
pub use makers::{Maker, Makers, hides_fields, made_by_dependencies};
pub use output::{NotCompared, Output};
pub use run::{Branch, BranchKind, Limits, OtherWays, PanicPolicy, Run, Side, Stop};
pub use slice::{InstanceId, SliceId};
