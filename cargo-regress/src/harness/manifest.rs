//! The manifests of the copy.
//!
//! * No `[lints]`: glue must not be refused for its style.
//! * With or without development dependencies: old ones often no longer exist, but without them a lock file changes.
//! * The root has a `[workspace]`, so that cargo does not look for one above the copy.
//! * The package gets the worker as a binary of its own; a library is built as `rlib` whatever else it may be.

use std::collections::BTreeSet;

use camino::Utf8Path;
use toml_edit::{ArrayOfTables, DocumentMut, InlineTable, Item, Table, TableLike, Value};

use super::instrument::WORKER_FILE;
use super::request::HarnessError;

/// The name of the worker among the package's binaries.
pub const WORKER_BIN: &str = "__regress_worker";

/// What is done with development dependencies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DevDependencies {
    Keep,
    Remove,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    WorkspaceRoot,
    Member,
}

/// What a manifest is in the tree.
#[derive(Clone, Debug)]
pub struct Role<'a> {
    pub position: Position,
    /// It gets a worker whose source is beside this file (relative to the manifest).
    pub worker_beside: Option<&'a Utf8Path>,
}

pub fn adapt(
    path: &Utf8Path,
    text: &str,
    role: &Role<'_>,
    dev: DevDependencies,
) -> Result<String, HarnessError> {
    let bad = |reason: String| HarnessError::Manifest { path: path.to_owned(), reason };
    let mut document: DocumentMut =
        text.parse().map_err(|error: toml_edit::TomlError| bad(error.to_string()))?;
    document.remove("lints");
    if let Some(workspace) = document.get_mut("workspace").and_then(Item::as_table_like_mut) {
        workspace.remove("lints");
    }
    if dev == DevDependencies::Remove {
        remove_dev_dependencies(&mut document);
    }
    if role.position == Position::WorkspaceRoot && !document.contains_key("workspace") {
        document.insert("workspace", Item::Table(Table::new()));
    }
    if let Some(root_file) = role.worker_beside {
        let dir = root_file.parent().unwrap_or(Utf8Path::new(""));
        add_worker(&mut document, dir.join(WORKER_FILE).as_str()).map_err(bad)?;
        if let Some(lib) = document.get_mut("lib").and_then(Item::as_table_like_mut) {
            for key in ["crate-type", "crate_type"] {
                lib.remove(key);
            }
        }
    }
    Ok(document.to_string())
}

/// Removes development dependencies and what features ask of those that are nothing else.
fn remove_dev_dependencies(document: &mut DocumentMut) {
    let mut removed = BTreeSet::new();
    let mut kept = BTreeSet::new();
    dependencies(document.as_table_mut(), &mut removed, &mut kept);
    if let Some(targets) = document.get_mut("target").and_then(Item::as_table_like_mut) {
        for (_, target) in targets.iter_mut() {
            if let Some(target) = target.as_table_like_mut() {
                dependencies(target, &mut removed, &mut kept);
            }
        }
    }
    if let Some(features) = document.get_mut("features").and_then(Item::as_table_like_mut) {
        for (_, feature) in features.iter_mut() {
            if let Some(parts) = feature.as_array_mut() {
                parts.retain(|part| {
                    let asked = part.as_str().and_then(|part| part.split_once('/'));
                    let name = asked.map(|(name, _)| name.trim_end_matches('?'));
                    name.is_none_or(|name| kept.contains(name) || !removed.contains(name))
                });
            }
        }
    }
}

/// Takes the development dependencies out of a table and notes their names and those of the others.
fn dependencies(table: &mut dyn TableLike, removed: &mut BTreeSet<String>, kept: &mut BTreeSet<String>) {
    let names = |item: &Item| -> Vec<String> {
        item.as_table_like()
            .map(|table| table.iter().map(|(name, _)| name.to_string()).collect())
            .unwrap_or_default()
    };
    for key in ["dev-dependencies", "dev_dependencies"] {
        removed.extend(table.remove(key).iter().flat_map(names));
    }
    for key in ["dependencies", "build-dependencies", "build_dependencies"] {
        kept.extend(table.get(key).into_iter().flat_map(names));
    }
}

fn add_worker(document: &mut DocumentMut, path: &str) -> Result<(), String> {
    match document.get_mut("bin") {
        None => {
            let mut bins = ArrayOfTables::new();
            bins.push(worker_table(path));
            document.insert("bin", Item::ArrayOfTables(bins));
        }
        Some(Item::ArrayOfTables(bins)) => bins.push(worker_table(path)),
        Some(Item::Value(Value::Array(bins))) => {
            let mut table = InlineTable::new();
            table.insert("name", WORKER_BIN.into());
            table.insert("path", path.into());
            bins.push(table);
        }
        Some(_) => return Err("`bin` is not a list".to_string()),
    }
    Ok(())
}

fn worker_table(path: &str) -> Table {
    let mut table = Table::new();
    table.insert("name", toml_edit::value(WORKER_BIN));
    table.insert("path", toml_edit::value(path));
    table
}
