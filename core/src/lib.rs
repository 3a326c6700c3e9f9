//! Comparison of two versions of a Rust program by meaning. No I/O happens in this crate.

pub mod align;
pub mod cfg;
pub mod compare;
pub mod difference;
pub mod evidence;
pub mod exec;
pub mod explore;
pub mod idx;
pub mod ir;
pub mod localize;
pub mod observable;
#[cfg(test)]
mod random_programs;
pub mod signature;
pub mod smt;
pub mod term;
pub mod value;
pub mod verdict;
