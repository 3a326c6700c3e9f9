//! Obtains a [`regress_core::ir::Program`] from a Rust package.

pub mod rustc;
