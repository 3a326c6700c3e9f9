//! A folder in which nothing was built yet begins with the foreign dependencies that were built for the other version.

use std::fs;
use std::io;

use camino::{Utf8Path, Utf8PathBuf};

use super::executable;
use super::request::{HarnessError, HarnessRequest};
use crate::twin::{copy_build, foreign_packages, is_unit_of};

/// The copy of the source tree in the folder of a request.
pub(super) fn source_in(out_dir: &Utf8Path) -> Utf8PathBuf {
    out_dir.join("source")
}

/// Where cargo builds it.
pub(super) fn target_in(out_dir: &Utf8Path) -> Utf8PathBuf {
    out_dir.join("target")
}

/// Copies what was built in the twin, if this folder is new. What cargo knows of packages is copied for foreign ones alone, so that
/// it builds all others.
pub(super) fn begin_with_twin(request: &HarnessRequest) -> Result<(), HarnessError> {
    let target = target_in(&request.out_dir);
    let Some(twin) = request.twin.as_ref().filter(|_| !target.exists()) else { return Ok(()) };
    let copies = [&request.out_dir, twin].map(|folder| source_in(folder));
    let foreign = foreign_packages(&copies[1].join(&request.workspace_dir).join("Cargo.lock"));
    let may_hold_them = copies.iter().any(|copy| replaces_sources(copy, &request.workspace_dir));
    if foreign.is_empty() || may_hold_them || !target_in(twin).is_dir() {
        return Ok(());
    }
    // If it is being built in, there is nothing to begin with.
    let Some(_lock) = executable::try_lock(twin) else { return Ok(()) };
    // It appears when it is whole.
    let pending = request.out_dir.join("target.tmp");
    let removed = match fs::remove_dir_all(&pending) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    };
    removed.map_err(HarnessError::io("remove", &pending))?;
    let is_wanted = |folder: &Utf8Path| {
        let name = folder.file_name().unwrap_or_default();
        match folder.parent() {
            Some(parent) if parent.file_name() == Some(".fingerprint") => {
                foreign.iter().any(|package| is_unit_of(name, package))
            }
            // What cargo keeps there is of packages of the tree.
            Some(parent) => name != "incremental" || !parent.join(".fingerprint").is_dir(),
            None => true,
        }
    };
    copy_build(&target_in(twin), &pending, &is_wanted)
        .map_err(HarnessError::io("copy what was built to", &pending))?;
    fs::rename(&pending, &target).map_err(HarnessError::io("rename", &pending))
}

/// Whether the tree itself says where foreign packages are to be taken from: then they may be in the tree, and another version has
/// others under the same names.
fn replaces_sources(copy: &Utf8Path, workspace_dir: &Utf8Path) -> bool {
    let workspace = copy.join(workspace_dir);
    let folders = workspace.ancestors().take_while(|folder| folder.starts_with(copy));
    folders
        .flat_map(|folder| ["config.toml", "config"].map(|name| folder.join(".cargo").join(name)))
        .any(|file| may_replace_sources(fs::read_to_string(file)))
}

/// What cannot be read or is no TOML may say anything; cargo will tell what is wrong with it.
fn may_replace_sources(text: io::Result<String>) -> bool {
    /// Tables and keys by which foreign packages come from elsewhere, or by which another file may say so.
    const KEYS: [&str; 4] = ["source", "paths", "patch", "include"];
    match text {
        Ok(text) => {
            text.parse::<toml::Table>().map_or(true, |table| KEYS.iter().any(|key| table.contains_key(*key)))
        }
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_read_may_replace_sources() {
        let check = |text: io::Result<&str>, expected: bool| {
            assert_eq!(may_replace_sources(text.map(str::to_owned)), expected);
        };
        check(Err(io::ErrorKind::NotFound.into()), false);
        check(Err(io::ErrorKind::PermissionDenied.into()), true);
        check(Err(io::ErrorKind::InvalidData.into()), true);
        check(Ok(""), false);
        check(Ok("[build]\njobs = 2\n"), false);
        check(Ok("[build\n"), true);
        check(Ok("[source.crates-io]\nreplace-with = \"here\"\n"), true);
        check(Ok("[ source . crates-io ]\nreplace-with = \"here\"\n"), true);
        check(Ok("paths = [\"vendored\"]\n"), true);
        check(Ok("[patch.crates-io]\nhex = { path = \"hex\" }\n"), true);
    }
}
