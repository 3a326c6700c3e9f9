//! The little that has to be read from `Cargo.toml` before cargo can be asked: where the package and its workspace
//! root are, and whether what it needs belongs to the version at all.
//!
//! Text that is not a manifest yields nothing here: cargo will say better what is wrong with it.

use std::collections::BTreeSet;

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use git2::Repository;
use toml::{Table, Value};

use super::VersionsError;
use super::listing::Listing;

const MANIFEST: &str = "Cargo.toml";

/// The nearest directory with a manifest, from `start` upward, within the version.
pub fn nearest_package(listing: &Listing, start: &Utf8Path) -> Option<Utf8PathBuf> {
    start.ancestors().find(|directory| listing.holds(&directory.join(MANIFEST))).map(Utf8Path::to_owned)
}

/// The directory of the workspace that the package belongs to; its own if it stands alone.
pub fn workspace_root(listing: &Listing, repository: Option<&Repository>, package: &Utf8Path) -> Utf8PathBuf {
    let mut chain = package.ancestors();
    chain
        .find(|directory| {
            parse(listing, repository, directory).is_some_and(|manifest| manifest.contains_key("workspace"))
        })
        .unwrap_or(package)
        .to_owned()
}

/// The names of all packages of the version.
pub fn package_names(listing: &Listing, repository: Option<&Repository>) -> BTreeSet<String> {
    let manifests = listing.files.keys().filter(|path| path.file_name() == Some(MANIFEST));
    manifests
        .filter_map(|path| {
            let manifest = parse(listing, repository, path.parent()?)?;
            Some(manifest.get("package")?.get("name")?.as_str()?.to_owned())
        })
        .collect()
}

/// Fails if the package, or something it needs by path, is not part of the version. Yields the directories needed.
pub fn check_within(
    listing: &Listing,
    repository: Option<&Repository>,
    package: &Utf8Path,
    version: &str,
) -> Result<BTreeSet<Utf8PathBuf>, VersionsError> {
    if let Some(submodule) = listing.submodule_around(package) {
        return Err(VersionsError::PackageInSubmodule {
            place: package.to_owned(),
            submodule: submodule.clone(),
            version: version.to_owned(),
        });
    }
    let mut needed = BTreeSet::new();
    let mut open = vec![package.to_owned(), workspace_root(listing, repository, package)];
    while let Some(directory) = open.pop() {
        if !needed.insert(directory.clone()) {
            continue;
        }
        let Some(manifest) = parse(listing, repository, &directory) else { continue };
        for path in references(&manifest) {
            if Utf8Path::new(&path).is_absolute() {
                continue;
            }
            let at = directory.join(MANIFEST);
            let Some(target) = normalize(&directory.join(&path)) else {
                return Err(VersionsError::DependencyOutside {
                    version: version.to_owned(),
                    manifest: at,
                    dependency: path,
                });
            };
            if let Some(submodule) = listing.submodule_around(&target) {
                return Err(VersionsError::DependencyInSubmodule {
                    version: version.to_owned(),
                    manifest: at,
                    dependency: target,
                    submodule: submodule.clone(),
                });
            }
            open.push(target);
        }
    }
    let beneath = |path: &str| {
        needed
            .iter()
            .any(|directory| directory.as_str().is_empty() || Utf8Path::new(path).starts_with(directory))
    };
    match listing.unreadable.iter().find(|path| beneath(path)) {
        Some(path) => Err(VersionsError::NonUtf8Path { version: version.to_owned(), path: path.clone() }),
        None => Ok(needed),
    }
}

fn parse(listing: &Listing, repository: Option<&Repository>, directory: &Utf8Path) -> Option<Table> {
    listing.text(repository, &directory.join(MANIFEST))?.parse().ok()
}

/// Paths to other packages that a manifest names: dependencies of every kind, patches and plain workspace members.
fn references(manifest: &Table) -> Vec<String> {
    let mut found = Vec::new();
    dependencies(manifest, &mut found);
    for target in inner_tables(manifest, "target") {
        dependencies(target, &mut found);
    }
    for patched in inner_tables(manifest, "patch") {
        paths(patched, &mut found);
    }
    if let Some(workspace) = manifest.get("workspace").and_then(Value::as_table) {
        dependencies(workspace, &mut found);
        let members = workspace.get("members").and_then(Value::as_array);
        let plain = members.into_iter().flatten().filter_map(Value::as_str).filter(|member| !is_glob(member));
        found.extend(plain.map(str::to_owned));
    }
    found
}

fn dependencies(table: &Table, found: &mut Vec<String>) {
    for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
        if let Some(entries) = table.get(kind).and_then(Value::as_table) {
            paths(entries, found);
        }
    }
}

fn paths(entries: &Table, found: &mut Vec<String>) {
    found.extend(entries.values().filter_map(|entry| Some(entry.get("path")?.as_str()?.to_owned())));
}

fn inner_tables<'a>(table: &'a Table, key: &str) -> impl Iterator<Item = &'a Table> {
    table.get(key).and_then(Value::as_table).into_iter().flat_map(Table::values).filter_map(Value::as_table)
}

fn is_glob(member: &str) -> bool {
    member.contains(['*', '?', '['])
}

/// Resolves `.` and `..`; none if the path leaves the root.
pub fn normalize(path: &Utf8Path) -> Option<Utf8PathBuf> {
    let mut result = Utf8PathBuf::new();
    for component in path.components() {
        match component {
            Utf8Component::CurDir => {}
            Utf8Component::Normal(name) => result.push(name),
            Utf8Component::ParentDir => {
                if !result.pop() {
                    return None;
                }
            }
            Utf8Component::RootDir | Utf8Component::Prefix(_) => return None,
        }
    }
    Some(result)
}
