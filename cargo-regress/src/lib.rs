//! The command `cargo regress`: arguments, versions, processes, files, reports and exit codes.

pub mod accepted;
mod affected;
pub mod args;
pub mod budget;
mod ci;
pub mod clean;
pub mod command;
mod comparison;
pub mod config;
pub mod delivery;
mod dependency_seed;
pub mod error;
mod exit;
pub mod extract;
pub mod harness;
pub mod hook;
pub mod jobserver;
mod merge;
pub mod pipeline;
pub mod progress;
pub mod report;
mod rustfmt;
pub mod setup;
mod standing;
pub mod stats;
pub mod user_cache;
pub mod versions;
