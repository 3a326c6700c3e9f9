//! What is observable of a value and of a call, and which of it is compared.
//!
//! *Idea.* "Equal" is said of *values* and of *how calls end*. A value in Rust has more to it than what it is equal by: where it lies, how much
//! room there is beyond it, which pointers share it, which bits a NaN has. Code can look at most of this. So what a proof leaves out is
//! written down here once, as [`Aspect`]s, and whoever relies on a proof asks here what else there is to see.
//!
//! | aspect | of | compared? | where that is told |
//! |---|---|---|---|
//! | what a value is made of, its order, lengths, variants | all types | yes | `exec::output`, [`same_outcome`] |
//! | what is behind `&mut` and in cells afterwards | parameters | yes | `exec::output`, [`same_outcome`] |
//! | elements, contents, what is left of an iterator | types of std | as [`crate::ir::known`] says | `exec::output`, the harness's glue |
//! | that a call panics, never ends, or kills the process; [kind](crate::value::PanicKind) of panic | calls | yes | [`panics`], [`same_outcome`] |
//! | [`Aspect::Address`] | references, boxes, `Vec`, `String` | no | `congruence` |
//! | [`Aspect::Capacity`] | `Vec`, `String` | no | `congruence` |
//! | [`Aspect::Sharing`] | `Rc`, `Arc` | no | the ledger (`compare::pair`), `congruence` |
//! | [`Aspect::NanBits`] | floats | no | `congruence`; reading them stops a run of the engine |
//! | [`Aspect::Order`] of what has none | hash maps and sets | no | `congruence`; iterating stops a run of the engine |
//! | [`Aspect::Written`] through a reference that is given back | `&mut` in results | no | the ledger, `congruence` |
//! | [`Aspect::Code`] | closures, `fn`, `dyn`, parameters | by what it is made of | `congruence` |
//! | padding | structs | no | reading it is undefined |
//! | message and place of a panic, what is left behind when unwinding | calls | no | `congruence` |
//! | when values are dropped | destructors of the crate | by what they write | `exec` |
//!
//! So `equal` of a function that gives a `Vec` says that the elements are, in their order, and nothing of the room behind them. Whoever calls that function
//! and can look at the room is not equal because of it ([`looks`], [`given`]): that is what [`crate::align`]'s congruence asks for everything that a
//! function reaches, and for the code that it is given.
//!
//! [`crate::ir::known`] is asked by the engine's outputs and inputs, and the code that shows values natively is written from it or held against it by a test. So how a
//! kind of value is shown, and what is left out of it, is decided in one place.
//!
//! *Limits.* Aspects are of types, not of values: an empty `Vec` has an address here.

mod aspects;
pub mod given;
pub mod looks;
mod outcomes;

pub use crate::ir::known::shown::Aspect;
pub use aspects::uncompared;
pub use outcomes::{Alike, Silent, Told, bears_out, panics, same_in_both, same_outcome, scalars};
