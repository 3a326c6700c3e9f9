//! Obtains a [`regress_core::ir::Program`] from a Rust package.

pub mod charon;
pub mod rustc;
pub mod std_models;
