//! Why a run ended without a report.

use thiserror::Error;

use crate::versions::VersionsError;

#[derive(Debug, Error)]
pub enum Error {
    #[error(transparent)]
    Versions(#[from] VersionsError),

    /// The file with expected differences.
    #[error(transparent)]
    Accepted(#[from] crate::accepted::EntryError),

    #[error(transparent)]
    Config(#[from] crate::config::ConfigError),

    /// Options that were handed on are wrong.
    #[error("{0}")]
    Usage(clap::Error),

    /// Extraction, harness or analysis failed as a whole.
    #[error("{0:#}")]
    Analysis(#[from] anyhow::Error),

    #[error("the report cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),

    #[error("standard output cannot be written to: {0}")]
    Output(#[source] std::io::Error),
}
