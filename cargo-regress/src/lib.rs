//! The command `cargo regress`.

pub mod extract;
