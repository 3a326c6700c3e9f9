//! Running Charon on a version.
//!
//! Charon is a compiler driver with a toolchain of its own: `charon cargo` builds the package with it, and writes one file for
//! the selected library. Functions stay generic and the standard library stays calls by path (neither
//! `--monomorphize` nor `--extract-opaque-bodies`), as the models are found by path and the engine chooses types itself. Files are kept
//! in the cache beside the compiler's dumps.

use std::fs;
use std::process::Command;

use camino::{Utf8Path, Utf8PathBuf};
use mir_frontend::charon::version::{self, Known};
use thiserror::Error;

use super::cache::{Key, PendingFolder, lock_folder};
use super::error::ExtractError;
use super::request::{BaseFeatures, CrateDumpFiles, ExtractRequest, LockPolicy, Profile};
use crate::progress::Progress;

const FILE: &str = "crate.ullbc";

/// An installed Charon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Charon {
    pub program: Utf8PathBuf,
    pub version: String,
}

#[derive(Debug, Error)]
pub enum CharonError {
    #[error(
        "Charon is not installed: there is no `charon` on the PATH and CHARON is not set\n\
         Build it from https://github.com/AeneasVerif/charon (versions {oldest} to {newest} are known to work), put \
         `bin/charon` on the PATH or name it by CHARON or `--charon`; or leave out `--frontend charon`, and stock rustc is used",
        oldest = version::OLDEST, newest = version::NEWEST
    )]
    NotInstalled,
    #[error(
        "`{program} version` does not work ({detail}); is that AeneasVerif's Charon?\n\
         Name another by CHARON or `--charon`, or have stock rustc read the crate: `--frontend rustc`"
    )]
    NoVersion { program: Utf8PathBuf, detail: String },
    #[error(
        "Charon could not translate {label}: `{command}` in {directory} says\n\n{diagnostics}\n\n\
         Charon brings a toolchain of its own, which may not take what yours takes; `--frontend rustc` uses yours"
    )]
    Failed { label: String, command: String, directory: Utf8PathBuf, diagnostics: String },
    #[error(
        "Charon said that it translated {label}, but wrote no file: `{command}` in {directory}\n\
         `--frontend rustc` does without it"
    )]
    NoFile { label: String, command: String, directory: Utf8PathBuf },
    #[error(transparent)]
    Extract(#[from] ExtractError),
}

impl Charon {
    /// Whether its output was seen and is known to be read.
    pub fn is_supported(&self) -> bool {
        version::known(&self.version) == Known::Supported
    }
}

/// The Charon of that name, or the one on the path.
pub fn find_charon(named: Option<&Utf8Path>) -> Result<Charon, CharonError> {
    let named = named.filter(|name| !name.as_str().is_empty());
    let program = named.unwrap_or(Utf8Path::new("charon")).to_owned();
    let output = match Command::new(&program).arg("version").output() {
        Ok(output) => output,
        Err(error) if named.is_none() && error.kind() == std::io::ErrorKind::NotFound => {
            return Err(CharonError::NotInstalled);
        }
        Err(error) => return Err(CharonError::NoVersion { program, detail: error.to_string() }),
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let found = text.split_whitespace().find(|word| word.starts_with(|first: char| first.is_ascii_digit()));
    match (output.status.success(), found) {
        (true, Some(found)) => Ok(Charon { program, version: found.trim_start_matches('v').to_owned() }),
        _ => {
            let said = String::from_utf8_lossy(&output.stderr);
            let detail = said.lines().chain(text.lines()).next().unwrap_or("it says nothing").to_owned();
            Err(CharonError::NoVersion { program, detail })
        }
    }
}

/// Translates the library of a package, or finds what was translated before.
pub fn run_charon(
    charon: &Charon,
    request: &ExtractRequest,
    library: &CrateDumpFiles,
    progress: &dyn Progress,
) -> Result<Utf8PathBuf, CharonError> {
    let arguments = arguments(request, library);
    let cache = camino::absolute_utf8(&request.cache_dir)
        .map_err(ExtractError::file("find", request.cache_dir.clone()))?;
    let key = Key::new("charon")
        .with(charon.program.as_str())
        .with(&charon.version)
        .with(&request.tree_key)
        .with_json(&arguments)
        .with_surroundings(&request.root, request.above.as_deref())
        .finish();
    let folder = cache.join("charon").join(key);
    let file = folder.join(FILE);
    if file.is_file() {
        return Ok(file);
    }
    let _filling = lock_folder(&folder, progress)?;
    if file.is_file() {
        return Ok(file);
    }
    progress.step(&format!("running Charon on {}", request.label));
    let pending = PendingFolder::create(&folder)?;
    let build = pending.path.join("build");
    let mut command = Command::new(&charon.program);
    command.arg("cargo").args(flags(charon)).arg("--dest-file").arg(pending.path.join(FILE));
    command.arg("--").args(&arguments).current_dir(&library.manifest_dir);
    // What cargo takes for fresh Charon does not see, so each run has a folder of its own.
    command.env("CARGO_TARGET_DIR", &build).env_remove("RUSTC_WRAPPER").env_remove("RUSTC_WORKSPACE_WRAPPER");
    // Charon chooses its toolchain by itself.
    command.env_remove("RUSTUP_TOOLCHAIN").env_remove("RUSTC");
    let output =
        command.output().map_err(|source| ExtractError::Spawn { program: charon.program.clone(), source })?;
    let label = request.label.clone();
    let directory = library.manifest_dir.clone();
    let words = std::iter::once(charon.program.as_str()).chain(["cargo"]).chain(flags(charon));
    let words = words.chain(["--"]).chain(arguments.iter().map(String::as_str));
    let told = words.collect::<Vec<_>>().join(" ");
    if !output.status.success() {
        let diagnostics = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
        let diagnostics =
            if diagnostics.is_empty() { format!("it ended with {}", output.status) } else { diagnostics };
        return Err(CharonError::Failed { label, command: told, directory, diagnostics });
    }
    if !pending.path.join(FILE).is_file() {
        return Err(CharonError::NoFile { label, command: told, directory });
    }
    if build.exists() {
        fs::remove_dir_all(&build).map_err(ExtractError::file("remove", &build))?;
    }
    pending.publish()?;
    Ok(file)
}

/// Charon's own flags. Drops are made precise by the compiler; constants are evaluated where Charon can do so.
fn flags(charon: &Charon) -> Vec<&'static str> {
    let mut flags = vec!["--ullbc", "--precise-drops", "--hide-marker-traits"];
    if version::evaluates_constants(&charon.version) {
        flags.extend(["--consts", "values"]);
    }
    flags
}

/// What is handed on to cargo.
fn arguments(request: &ExtractRequest, library: &CrateDumpFiles) -> Vec<String> {
    let mut arguments = vec!["--lib".to_owned(), "--package".to_owned(), library.package_name.clone()];
    if request.selection.profile == Profile::Release {
        arguments.push("--release".into());
    }
    match request.selection.features.base {
        BaseFeatures::Default => {}
        BaseFeatures::None => arguments.push("--no-default-features".into()),
        BaseFeatures::All => arguments.push("--all-features".into()),
    }
    if !request.selection.features.named.is_empty() {
        arguments.push("--features".into());
        arguments.push(request.selection.features.named.join(","));
    }
    match request.lock {
        LockPolicy::Free => {}
        LockPolicy::Locked => arguments.push("--locked".into()),
        LockPolicy::Offline => arguments.push("--offline".into()),
        LockPolicy::Frozen => arguments.push("--frozen".into()),
    }
    if let Some(jobs) = request.jobs {
        arguments.extend(["--jobs".into(), jobs.to_string()]);
    }
    arguments
}

/// Where Charon's file names that lie in the version begin: they are told relative to it.
pub fn relative_name(name: &str, directory: &Utf8Path) -> Option<String> {
    Utf8Path::new(name).strip_prefix(directory).ok().map(|relative| relative.as_str().to_owned())
}
