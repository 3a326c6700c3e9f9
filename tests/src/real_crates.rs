//! Published crates of which two successive versions are compared: small, mostly pure ones, without dependencies
//! by default. Their sources come through cargo itself, so a mirror, a cache or `--offline` work as they do for users.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;
use thiserror::Error;

/// Two successive published versions of a crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RealCrate {
    pub name: &'static str,
    pub old: &'static str,
    pub new: &'static str,
    /// What it exercises.
    pub about: &'static str,
}

pub const REAL_CRATES: [RealCrate; 5] = [
    RealCrate { name: "semver", old: "1.0.27", new: "1.0.28", about: "parsing, comparison, unsafe storage" },
    RealCrate {
        name: "itoa",
        old: "1.0.17",
        new: "1.0.18",
        about: "integer arithmetic, traits by macro, buffers",
    },
    RealCrate { name: "hex", old: "0.4.2", new: "0.4.3", about: "tables, iterators, generics, errors" },
    RealCrate {
        name: "strsim",
        old: "0.11.0",
        new: "0.11.1",
        about: "nested loops over strings and vectors",
    },
    RealCrate { name: "fnv", old: "1.0.6", new: "1.0.7", about: "wrapping arithmetic behind a trait" },
];

#[derive(Debug, Error)]
pub enum SourceError {
    #[error("cannot write the package that asks for the sources: {0}")]
    Write(#[from] io::Error),
    #[error("cargo cannot get the sources (is the registry within reach, or the cache filled?):\n{0}")]
    Cargo(String),
    #[error("cargo's metadata cannot be read: {0}")]
    Metadata(#[from] serde_json::Error),
    #[error("cargo's metadata do not tell where {0} lies")]
    Missing(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Old,
    New,
}

/// Where the sources of that side of each crate lie, in cargo's registry cache, by name. They must not be written to.
pub fn sources(side: Side) -> Result<BTreeMap<&'static str, PathBuf>, SourceError> {
    let directory = TempDir::new()?;
    fs::create_dir(directory.path().join("src"))?;
    fs::write(directory.path().join("src/lib.rs"), "")?;
    fs::write(directory.path().join("Cargo.toml"), manifest(side))?;
    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["metadata", "--format-version", "1"])
        .current_dir(directory.path())
        .output()?;
    if !output.status.success() {
        return Err(SourceError::Cargo(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    REAL_CRATES
        .iter()
        .map(|real| {
            let place = place(&metadata, real.name, version(real, side));
            let place = place.ok_or_else(|| SourceError::Missing(real.name.to_string()))?;
            Ok((real.name, place))
        })
        .collect()
}

fn version(real: &RealCrate, side: Side) -> &'static str {
    match side {
        Side::Old => real.old,
        Side::New => real.new,
    }
}

/// A package that depends on exactly these versions.
fn manifest(side: Side) -> String {
    let mut text = String::from(
        "[package]\nname = \"sources\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[workspace]\n\n[dependencies]\n",
    );
    for real in &REAL_CRATES {
        text.push_str(&format!("{} = \"={}\"\n", real.name, version(real, side)));
    }
    text
}

fn place(metadata: &Value, name: &str, version: &str) -> Option<PathBuf> {
    let packages = metadata["packages"].as_array()?;
    let package = packages.iter().find(|package| package["name"] == name && package["version"] == version)?;
    PathBuf::from(package["manifest_path"].as_str()?).parent().map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_pins_each_version() {
        let manifest = manifest(Side::Old);
        assert!(
            manifest.ends_with("hex = \"=0.4.2\"\nstrsim = \"=0.11.0\"\nfnv = \"=1.0.6\"\n"),
            "{manifest}"
        );
    }

    #[test]
    fn the_place_is_the_manifests_directory_of_that_version() {
        let metadata = serde_json::json!({"packages": [
            {"name": "hex", "version": "0.4.3", "manifest_path": "/new/Cargo.toml"},
            {"name": "hex", "version": "0.4.2", "manifest_path": "/old/Cargo.toml"},
        ]});
        assert_eq!(place(&metadata, "hex", "0.4.2"), Some(PathBuf::from("/old")));
        assert_eq!(place(&metadata, "hex", "0.4.1"), None);
    }
}
