//! What the wrapper writes down about one call of the compiler.
//!
//! Of the environment only what cargo adds is written, never the user's own variables: tokens must not end up in files.
//! To tell the two apart, the session hands the wrapper a table of hashes of its own environment.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::hash::{DefaultHasher, Hash, Hasher};

use camino::{Utf8Path, Utf8PathBuf};
use mir_frontend::rustc::replay::Unit;
use serde::{Deserialize, Serialize};

use super::linked::LinkedCrate;

/// Names the file with the [`WrapperConfig`]; its presence turns this program into the wrapper.
pub(super) const WRAPPER_VARIABLE: &str = "CARGO_REGRESS_WRAPPER";

/// Variables that belong to one build session (its job server, its wrappers), not to the unit.
pub(super) const SESSION_VARIABLES: &[&str] = &[
    "CARGO_MAKEFLAGS",
    "MAKEFLAGS",
    "MFLAGS",
    "RUSTC_WRAPPER",
    "RUSTC_WORKSPACE_WRAPPER",
    "RUST_RECURSION_COUNT",
    WRAPPER_VARIABLE,
];

/// Handed from the session to its wrapper processes.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct WrapperConfig {
    /// Where units are recorded, as `STEM.json`.
    pub units_dir: Utf8PathBuf,
    /// Artifacts outside of this folder belong to other builds, as those that build scripts start.
    pub target_dir: Utf8PathBuf,
    /// The user's own wrapper, called in between.
    pub inner_wrapper: Option<String>,
    /// What is linked into some of the crates.
    pub linked: Option<LinkedCrate>,
    /// Hash of each variable of the session's environment.
    pub baseline: BTreeMap<String, u64>,
}

/// A call of the compiler, enough to repeat it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedUnit {
    pub unit: Unit,
    /// The user's own wrappers, each called with the next one, or the compiler, as its first argument.
    #[serde(default)]
    pub wrappers: Vec<String>,
    /// Arguments without the programs.
    pub arguments: Vec<String>,
    pub directory: Utf8PathBuf,
    pub environment: RecordedEnvironment,
    /// `CARGO_PKG_NAME`.
    pub package_name: String,
    pub package_version: String,
    /// `CARGO_MANIFEST_DIR`.
    pub manifest_dir: Utf8PathBuf,
}

/// All calls that are recorded in the folder.
pub fn recorded_units(units_dir: &Utf8Path) -> std::io::Result<Vec<RecordedUnit>> {
    let mut units = Vec::new();
    for entry in units_dir.read_dir_utf8()? {
        let path = entry?.into_path();
        if path.extension() == Some("json") {
            units.push(serde_json::from_slice(&std::fs::read(&path)?)?);
        }
    }
    Ok(units)
}

/// How the environment of the call differs from the one that cargo was started in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedEnvironment {
    pub set: BTreeMap<String, String>,
    pub removed: Vec<String>,
    /// Variables that were set to something that is not UTF-8. A unit that has any cannot be repeated.
    pub unreadable: Vec<String>,
}

pub(super) fn hash_value(value: &OsStr) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

pub(super) fn baseline_of(variables: impl Iterator<Item = (OsString, OsString)>) -> BTreeMap<String, u64> {
    variables.map(|(name, value)| (name.to_string_lossy().into_owned(), hash_value(&value))).collect()
}

/// What cargo did to the environment `baseline`.
pub(super) fn record_environment(
    baseline: &BTreeMap<String, u64>,
    variables: impl Iterator<Item = (OsString, OsString)>,
) -> RecordedEnvironment {
    let mut recorded = RecordedEnvironment::default();
    let mut present = Vec::new();
    for (name, value) in variables {
        let name = name.to_string_lossy().into_owned();
        let as_before = baseline.get(&name) == Some(&hash_value(&value));
        present.push(name.clone());
        if SESSION_VARIABLES.contains(&name.as_str()) || (as_before && !is_set_by_cargo(&name)) {
            continue;
        }
        match value.into_string() {
            Ok(value) => {
                recorded.set.insert(name, value);
            }
            Err(_) => recorded.unreadable.push(name),
        }
    }
    recorded.removed = baseline
        .keys()
        .filter(|name| !present.contains(name) && !SESSION_VARIABLES.contains(&name.as_str()))
        .cloned()
        .collect();
    recorded
}

/// Cargo may set these to what they were before, when it was itself started by cargo.
fn is_set_by_cargo(name: &str) -> bool {
    let secret = ["TOKEN", "SECRET", "PASSWORD", "CREDENTIAL"].iter().any(|word| name.contains(word));
    name == "OUT_DIR" || (name.starts_with("CARGO_") && !secret)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables(list: &[(&str, &str)]) -> std::vec::IntoIter<(OsString, OsString)> {
        list.iter().map(|(n, v)| (OsString::from(n), OsString::from(v))).collect::<Vec<_>>().into_iter()
    }

    #[test]
    fn only_what_cargo_did_is_recorded() {
        let before = [
            ("PATH", "/bin"),
            ("MY_TOKEN", "secret"),
            ("CARGO_REGISTRY_TOKEN", "secret"),
            ("CARGO_PKG_NAME", "same"),
            ("GONE", "1"),
        ];
        let after = [
            ("PATH", "/bin"),
            ("MY_TOKEN", "secret"),
            ("CARGO_REGISTRY_TOKEN", "secret"),
            ("CARGO_PKG_NAME", "same"),
            ("OUT_DIR", "/out"),
            ("FROM_BUILD_SCRIPT", "x"),
            ("CARGO_MAKEFLAGS", "--jobserver-fds=3,4"),
        ];
        let recorded = record_environment(&baseline_of(variables(&before)), variables(&after));
        let names: Vec<&str> = recorded.set.keys().map(String::as_str).collect();
        assert_eq!(names, ["CARGO_PKG_NAME", "FROM_BUILD_SCRIPT", "OUT_DIR"]);
        assert_eq!(recorded.set["OUT_DIR"], "/out");
        assert_eq!(recorded.removed, ["GONE"]);
        assert!(recorded.unreadable.is_empty());
    }

    #[test]
    #[cfg(unix)]
    fn unreadable_values_are_named() {
        use std::os::unix::ffi::OsStringExt;
        let value = OsString::from_vec(vec![b'a', 0xff]);
        let recorded = record_environment(&BTreeMap::new(), [(OsString::from("X"), value)].into_iter());
        assert_eq!(recorded.unreadable, ["X"]);
    }
}
