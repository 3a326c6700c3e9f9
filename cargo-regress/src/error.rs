//! Why a run ended without a report.

use std::io;

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
    #[error("{}", in_full(.0))]
    Analysis(#[from] anyhow::Error),

    #[error("the report cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),

    #[error("standard output cannot be written to: {0}")]
    Output(#[source] std::io::Error),
}

/// An error with what it comes from, each said once: many messages hold their cause already.
pub fn in_full(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text.push_str(": ");
            text.push_str(&cause);
        }
    }
    text
}

/// What to do about a disk that is full; none if no full disk is the reason.
pub fn remedy(error: &(dyn std::error::Error + 'static)) -> Option<&'static str> {
    if matches!(error.downcast_ref(), Some(Error::Output(_))) {
        // No folder changes where standard output goes.
        return None;
    }
    let mut causes = std::iter::successors(Some(error), |error| error.source());
    let is_full = |cause: &(dyn std::error::Error + 'static)| {
        let kind = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        matches!(kind, Some(io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded))
    };
    causes.any(is_full).then_some(
        "free some space (`cargo regress clean` removes what is kept here), or name a folder on another disk by \
         `--target-dir DIR`",
    )
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::*;
    use crate::extract::ExtractError;

    fn full() -> io::Error {
        io::Error::from(io::ErrorKind::StorageFull)
    }

    #[test]
    fn a_cause_is_said_once() {
        let error = ExtractError::File { action: "write", path: "/a".into(), source: full() };
        let error = Error::from(anyhow::Error::from(error).context("the old version"));
        assert_eq!(error.to_string(), "the old version: cannot write /a: no storage space");
    }

    #[test]
    fn a_full_disk_has_a_remedy_wherever_it_was_met() {
        let versions = VersionsError::Io { action: "write", path: "/a".into(), source: full() };
        let nested = Err::<(), _>(full()).context("the models").context("all").expect_err("an error");
        for error in [Error::from(versions), Error::from(nested)] {
            assert!(remedy(&error).is_some_and(|remedy| remedy.contains("--target-dir")), "{error}");
        }
        let other = Error::from(anyhow::anyhow!("something else"));
        assert_eq!(remedy(&other), None);
        // Standard output is on no disk that could be named.
        assert_eq!(remedy(&Error::Output(full())), None);
    }
}
