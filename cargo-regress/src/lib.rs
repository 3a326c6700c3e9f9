//! The command `cargo regress`: everything that touches processes, files and git.

pub mod harness;
