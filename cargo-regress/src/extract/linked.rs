//! A crate of ours that the wrapper links into some crates of a build: compiled once for all builds with the same compiler for the
//! same machine, and unknown to cargo.
//!
//! Invariant: calls are recorded without it, so a build with it is held to be the one that was compared.

use std::ffi::OsString;
use std::fs;
use std::process::Command;

use camino::{Utf8Path, Utf8PathBuf};
use mir_frontend::rustc::replay::{shared_arguments, source_of};
use serde::{Deserialize, Serialize};

use super::cache::{Key, load_or_fill, touch};
use super::error::ExtractError;
use crate::progress::Silent;

/// A crate without dependencies.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LinkedCrate {
    pub name: String,
    pub text: String,
    /// All that the compiler says of its version.
    pub compiler: String,
    /// Where it is kept, compiled.
    pub cache_dir: Utf8PathBuf,
    /// The root files of the crates that name it.
    pub linked_into: Vec<Utf8PathBuf>,
    /// With what options those are compiled.
    pub options: Vec<String>,
}

const EDITION: &str = "2021";

impl LinkedCrate {
    /// What is added to a call of the compiler `rustc` from `directory`; nothing if the crate is not to be linked into what it compiles.
    pub(super) fn arguments(
        &self,
        rustc: &OsString,
        call: &[String],
        directory: &Utf8Path,
    ) -> Result<Vec<String>, ExtractError> {
        let source = source_of(call).map(|source| directory.join(source));
        let same_file = |root: &Utf8PathBuf| match (&source, root.canonicalize_utf8()) {
            (Some(source), Ok(root)) => source.canonicalize_utf8().is_ok_and(|source| source == root),
            _ => false,
        };
        if !self.linked_into.iter().any(same_file) {
            return Ok(Vec::new());
        }
        let folder = self.compiled(rustc, &shared_arguments(call))?;
        let library = folder.join(self.file_name());
        // The second for crates that have it through another.
        let mut arguments =
            vec![format!("--extern={}={library}", self.name), format!("-Ldependency={folder}")];
        arguments.extend(self.options.iter().cloned());
        Ok(arguments)
    }

    fn file_name(&self) -> String {
        format!("lib{}.rlib", self.name)
    }

    /// The folder with the library.
    fn compiled(&self, rustc: &OsString, shared: &[String]) -> Result<Utf8PathBuf, ExtractError> {
        let key =
            Key::new("linked").with(&self.compiler).with(&self.name).with(&self.text).with_json(&shared);
        let folder = self.cache_dir.join(key.finish());
        let library = self.file_name();
        let load = || {
            let file = folder.join(&library);
            touch(&file);
            file.is_file().then_some(())
        };
        load_or_fill(&folder, &library, &Silent, load, |pending| self.compile(rustc, shared, pending))?;
        Ok(folder)
    }

    /// Compiles it into that folder.
    fn compile(&self, rustc: &OsString, shared: &[String], folder: &Utf8Path) -> Result<(), ExtractError> {
        // A relative name: places in the file are the same on every machine.
        let source = format!("{}.rs", self.name);
        let path = folder.join(&source);
        fs::write(&path, &self.text).map_err(ExtractError::file("write", &path))?;
        let output = Command::new(rustc)
            .args([
                "--crate-name",
                &self.name,
                "--crate-type=rlib",
                "--edition",
                EDITION,
                "--cap-lints=allow",
            ])
            // It catches panics. What it does itself is not what anybody compares, and shall be fast.
            .args(["-Cpanic=unwind", "-Copt-level=2", "-Cdebuginfo=0", "--emit=link", "--out-dir=."])
            .args(shared)
            .arg(&source)
            .current_dir(folder)
            .output()
            .map_err(ExtractError::file("run the compiler in", folder))?;
        if !output.status.success() {
            let diagnostics = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(ExtractError::LinkedCrate { name: self.name.clone(), diagnostics });
        }
        Ok(())
    }
}
