//! Who reads the programs: stock rustc's text, or Charon's files.

use anyhow::{Context, bail};
use camino::Utf8Path;
use mir_frontend::charon::{self, Document};
use regress_core::idx::IdxVec;
use regress_core::ir::{FileId, Program, SourceFile};

use super::Session;
use crate::args::Frontend;
use crate::extract::{
    self, Charon, CharonError, CrateDumpFiles, ExtractRequest, Extraction, TargetKind, find_charon,
    run_charon,
};

/// The front end that a run uses.
#[derive(Clone, Debug)]
pub(super) enum FrontEnd {
    Rustc,
    Charon(Charon),
}

impl FrontEnd {
    /// For the first line of the report.
    pub fn describe(&self, session: &Session<'_>) -> String {
        match self {
            FrontEnd::Rustc => format!("rustc {}", session.toolchain.release.text),
            FrontEnd::Charon(charon) => format!("Charon {}", charon.version),
        }
    }
}

impl Session<'_> {
    /// The front end that was asked for. Charon is not taken unasked if its version is not known, or if it does not work.
    pub(super) fn choose_front_end(&self) -> anyhow::Result<FrontEnd> {
        let named = self.options.frontend.charon.as_deref();
        match self.options.frontend.frontend {
            Frontend::Rustc => Ok(FrontEnd::Rustc),
            Frontend::Charon => Ok(FrontEnd::Charon(find_charon(named)?)),
            Frontend::Auto => match find_charon(named) {
                Ok(charon) if charon.is_supported() => Ok(FrontEnd::Charon(charon)),
                Ok(_) | Err(_) => Ok(FrontEnd::Rustc),
            },
        }
    }
}

/// The one library among the selected targets: one file of Charon's holds one crate.
pub(super) fn library(extraction: &Extraction) -> anyhow::Result<&CrateDumpFiles> {
    let mut libraries = extraction.crates.iter().filter(|dump| dump.target == TargetKind::Library);
    match (libraries.next(), libraries.next()) {
        (Some(library), None) => Ok(library),
        (None, _) => bail!("Charon is used for libraries, and none is selected; use `--frontend rustc`"),
        (Some(first), Some(second)) => bail!(
            "Charon is used for one library at a time, and `{}` and `{}` are selected; choose one with `-p`, or use \
             `--frontend rustc`",
            first.package_name,
            second.package_name
        ),
    }
}

/// Has Charon translate a version's library, and reads the file.
pub(super) fn translate(
    charon: &Charon,
    request: &ExtractRequest,
    library: &CrateDumpFiles,
    session: &Session<'_>,
) -> anyhow::Result<Document> {
    let file = run_charon(charon, request, library, session.progress).map_err(|error: CharonError| error)?;
    let document = read_document(&file)?;
    if document.krate_name() != library.crate_name {
        bail!("Charon translated the crate `{}` in place of `{}`", document.krate_name(), library.crate_name);
    }
    Ok(document)
}

pub(super) fn read_document(file: &Utf8Path) -> anyhow::Result<Document> {
    let bytes = std::fs::read(file).with_context(|| format!("cannot read {file}"))?;
    charon::read(&bytes).with_context(|| format!("cannot read {file}"))
}

/// File names as rustc writes them: relative to the folder in which the compiler ran.
pub(super) fn with_relative_files(mut program: Program, directory: &Utf8Path) -> Program {
    let files = program.files.iter().map(|file| SourceFile {
        path: extract::charon::relative_name(&file.path, directory).unwrap_or_else(|| file.path.clone()),
    });
    program.files = IdxVec::<FileId, SourceFile>::from(files.collect::<Vec<_>>());
    program
}
