//! The command `cargo regress`: arguments, versions, processes, files, reports and exit codes.

pub mod args;
pub mod command;
pub mod error;
pub mod extract;
pub mod harness;
pub mod pipeline;
pub mod progress;
pub mod report;
pub mod stats;
pub mod versions;
