//! The standard library, restated in simple Rust that the executor can run.
//!
//! The front end compiles this crate like any other and then reads its prefix `std_models` as `std`: the trait
//! [`iter::Iterator`] here *is* `std::iter::Iterator` to the executor, [`slice::Iter`] *is* `std::slice::Iter`.
//!
//! Conventions
//! * Items are *defined* at the path by which users name them; only their implementations may live in
//!   submodules (rustc prints local items by definition path).
//! * Types whose structure is public in std (`Option`, `Range`, `Ordering`, …) are the real ones; types with
//!   private fields are declared here.
//! * Inherent methods of real types are traits in [`inherent`], implemented beside the other models of the type.
//! * Order and number of generic parameters are those of std, because calls bind them by position.
//! * A bound may name the real trait (`T: Clone`) where the model merely calls it: the executor sees one trait.
//! * A model may call the real std, which the executor resolves to the models again. It must therefore never
//!   call itself that way, nor reach itself through an operator on references or a `for` loop.
//! * Arithmetic that cannot overflow is written `wrapping_*`, so that no check is added that std has not;
//!   arithmetic that panics in std's callers' profile is written with the plain operator.
//! * Panic messages begin like std's, as the kind of a panic is read off its message.
//! * What is not covered calls [`intrinsics::unmodelled`]; nothing answers wrong in silence.

// Models restate exactly what the lints would have them call instead, and mirror std's names and signatures.
#![allow(clippy::all)]

pub mod alloc;
pub mod arch;
pub mod array;
pub mod ascii;
mod boolean;
pub mod borrow;
pub mod boxed;
pub mod cell;
pub mod char;
pub mod clone;
pub mod cmp;
pub mod collections;
pub mod convert;
mod counted;
pub mod default;
pub mod documented;
pub mod error;
pub mod fmt;
pub mod hash;
pub mod hint;
pub mod inherent;
pub mod intrinsics;
pub mod io;
pub mod iter;
pub mod mem;
pub mod net;
pub mod num;
pub mod ops;
pub mod option;
pub mod path;
pub mod ptr;
pub mod rc;
pub mod result;
pub mod slice;
#[cfg(any(test, feature = "sources"))]
pub mod sources;
pub mod stand_ins;
pub mod str;
pub mod string;
pub mod sync;
pub mod time;
pub mod vec;
