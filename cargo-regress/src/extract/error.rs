//! Why a version could not be dumped.

use std::io;

use camino::Utf8PathBuf;
use thiserror::Error;

use super::toolchain::ToolchainError;

#[derive(Debug, Error)]
pub enum ExtractError {
    #[error("{label} does not compile:\n\n{diagnostics}")]
    DoesNotCompile {
        label: String,
        /// As rendered by rustc, errors only.
        diagnostics: String,
    },
    #[error("cargo could not check {label}:\n\n{message}")]
    CargoFailed { label: String, message: String },
    #[error("cargo said something about {label} that is not understood: {message}")]
    UnknownCargoOutput { label: String, message: String },
    #[error("{label} has no package `{spec}`; its packages are: {available}")]
    NoSuchPackage { label: String, spec: String, available: String },
    #[error(
        "{label} has neither a library nor a binary among the selected packages ({packages}), so there is nothing to compare; `-p` names others"
    )]
    NoTargets { label: String, packages: String },
    #[error("cannot run `{program}`: {source}")]
    Spawn { program: Utf8PathBuf, source: io::Error },
    #[error("cannot {action} {path}: {source}")]
    File { action: &'static str, path: Utf8PathBuf, source: io::Error },
    #[error("{path} is not in the expected form ({message}); delete it and run again")]
    Malformed { path: Utf8PathBuf, message: String },
    #[error(
        "cargo takes {packages} of {label} for compiled, but how they were compiled is not on record; \
         delete {target_dir} and run again"
    )]
    NotRecorded { label: String, packages: String, target_dir: Utf8PathBuf },
    #[error("{path} holds the build of something else; name an empty folder, or delete it and run again")]
    ForeignTargetDirectory { path: Utf8PathBuf },
    #[error("the compiler does not accept the models of the standard library:\n\n{diagnostics}")]
    StdModels { diagnostics: String },
    #[error("the compiler does not accept `{name}`:\n\n{diagnostics}")]
    LinkedCrate { name: String, diagnostics: String },
    #[error(transparent)]
    Toolchain(#[from] ToolchainError),
}

impl ExtractError {
    pub(super) fn file(
        action: &'static str,
        path: impl Into<Utf8PathBuf>,
    ) -> impl FnOnce(io::Error) -> ExtractError {
        let path = path.into();
        move |source| ExtractError::File { action, path, source }
    }
}
