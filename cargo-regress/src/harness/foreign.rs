//! What was built in the folder of a harness, and for which tree.
//!
//! A folder in which nothing was built yet begins with the foreign dependencies that were built for the other version. Where another tree was
//! built before, cargo is made to forget the packages that lie in it: to cargo it is one tree that was edited, and it runs no build script again that says
//! that it read another file, nor one whose file in `OUT_DIR` is there already, nor a macro that reads files unseen.

use std::collections::BTreeSet;
use std::fs;
use std::io;

use camino::{Utf8Path, Utf8PathBuf};

use super::request::{HarnessError, HarnessRequest};
use super::{executable, tree};
use crate::dependency_seed::{OF_UNITS, copy_build, foreign_packages, is_unit_of};

/// The copy of the source tree in the folder of a request.
pub(super) fn source_in(out_dir: &Utf8Path) -> Utf8PathBuf {
    out_dir.join("source")
}

/// Where cargo builds it.
pub(super) fn target_in(out_dir: &Utf8Path) -> Utf8PathBuf {
    out_dir.join("target")
}

/// Has cargo build what lies in the tree, unless this very tree was built here last.
pub(super) fn forget_other_trees(request: &HarnessRequest) -> Result<(), HarnessError> {
    let copy = source_in(&request.out_dir);
    let (built, text) = notes(&copy)?;
    if fs::read(&built).is_ok_and(|built| built == text) {
        return Ok(());
    }
    let foreign = match replaces_sources(&copy, &request.workspace_dir) {
        true => BTreeSet::new(),
        false => foreign_packages(&copy.join(&request.workspace_dir).join("Cargo.lock")),
    };
    let is_foreign = |folder: &Utf8Path| is_of_one(folder.file_name().unwrap_or_default(), &foreign);
    for profile in profile_folders(&target_in(&request.out_dir)) {
        for folder in OF_UNITS.iter().flat_map(|place| folders(&profile.join(place))) {
            if !is_foreign(&folder) {
                fs::remove_dir_all(&folder).map_err(HarnessError::io("remove", &folder))?;
            }
        }
    }
    tree::update(&built, &text)
}

/// Where it is noted which tree was built, and what has to stand there for the present one.
fn notes(copy: &Utf8Path) -> Result<(Utf8PathBuf, Vec<u8>), HarnessError> {
    let content = tree::content_note(copy);
    let text = fs::read(&content).map_err(HarnessError::io("read", &content))?;
    Ok((content.with_extension("built"), text))
}

/// `target/debug` and, when compiling for a named platform, `target/PLATFORM/debug`.
fn profile_folders(target: &Utf8Path) -> Vec<Utf8PathBuf> {
    let mut found = folders(target);
    let within: Vec<Utf8PathBuf> = found.iter().flat_map(|folder| folders(folder)).collect();
    found.extend(within);
    found.retain(|folder| folder.join(OF_UNITS[0]).is_dir());
    found
}

/// None if there is no such folder.
fn folders(parent: &Utf8Path) -> Vec<Utf8PathBuf> {
    let entries = parent.read_dir_utf8().into_iter().flatten().flatten();
    entries.map(|entry| entry.into_path()).filter(|path| path.is_dir()).collect()
}

fn is_of_one(folder: &str, packages: &BTreeSet<String>) -> bool {
    packages.iter().any(|package| is_unit_of(folder, package))
}

/// Copies what was built in the seed, if this folder is new. What cargo knows of packages is copied for foreign ones alone, so that
/// it builds all others.
pub(super) fn begin_with_seed(request: &HarnessRequest) -> Result<(), HarnessError> {
    let target = target_in(&request.out_dir);
    let Some(seed) = request.seed.as_ref().filter(|_| !target.exists()) else { return Ok(()) };
    let copies = [&request.out_dir, seed].map(|folder| source_in(folder));
    let foreign = foreign_packages(&copies[1].join(&request.workspace_dir).join("Cargo.lock"));
    let may_hold_them = copies.iter().any(|copy| replaces_sources(copy, &request.workspace_dir));
    if foreign.is_empty() || may_hold_them || !target_in(seed).is_dir() {
        return Ok(());
    }
    // If it is being built in, there is nothing to begin with.
    let Some(_lock) = executable::try_lock(seed) else { return Ok(()) };
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
            Some(parent) if is_for_units(parent) => is_of_one(name, &foreign),
            // What cargo keeps there is of packages of the tree.
            Some(parent) => name != "incremental" || !parent.join(".fingerprint").is_dir(),
            None => true,
        }
    };
    copy_build(&target_in(seed), &pending, &is_wanted)
        .map_err(HarnessError::io("copy what was built to", &pending))?;
    fs::rename(&pending, &target).map_err(HarnessError::io("rename", &pending))?;
    // Nothing of any tree is in it.
    let (built, text) = notes(&copies[0])?;
    tree::update(&built, &text)
}

/// Whether the folder has one for each unit: what cargo knows of it, or what its build script wrote.
fn is_for_units(folder: &Utf8Path) -> bool {
    let beside = folder.parent().is_some_and(|profile| profile.join(OF_UNITS[0]).is_dir());
    beside && folder.file_name().is_some_and(|name| OF_UNITS.contains(&name))
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
