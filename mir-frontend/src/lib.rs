//! Obtains a [`regress_core::ir::Program`] from a Rust package.

pub mod charon;
pub mod rustc;
/// The sources of the models of the standard library, carried in the program.
pub use ::std_models::sources as std_models;
