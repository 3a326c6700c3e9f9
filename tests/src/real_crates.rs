//! Published crates of which two successive versions are compared: small, mostly pure ones, without dependencies
//! by default. Their sources come through cargo itself, so a mirror, a cache or `--offline` work as they do for users.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;
use thiserror::Error;

use crate::repository::{Repository, RepositoryError};

/// Two successive published versions of a crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RealCrate {
    pub name: &'static str,
    pub old: &'static str,
    pub new: &'static str,
    /// What it exercises.
    pub about: &'static str,
    /// Some of the functions that both versions have, of every kind there is: methods, implementations by macro,
    /// private functions.
    pub functions: &'static [&'static str],
}

pub const REAL_CRATES: [RealCrate; 5] = [
    RealCrate {
        name: "semver",
        old: "1.0.27",
        new: "1.0.28",
        about: "parsing, comparison, unsafe storage",
        functions: &[
            "Version::parse",
            "VersionReq::matches",
            "eval::matches_caret",
            "identifier::inline_len",
            "parse::numeric_identifier",
            "display::pad",
            "<Prerelease as std::cmp::Ord>::cmp",
            "<Version as std::str::FromStr>::from_str",
        ],
    },
    RealCrate {
        name: "itoa",
        old: "1.0.17",
        new: "1.0.18",
        about: "integer arithmetic, traits by macro, buffers",
        functions: &[
            "Buffer::new",
            "Buffer::format",
            "enc_16lsd",
            "divmod100",
            "u128_ext::mulhi",
            "<i8 as private::Sealed>::write",
            "<u64 as private::Sealed>::write",
        ],
    },
    RealCrate {
        name: "hex",
        old: "0.4.2",
        new: "0.4.3",
        about: "tables, iterators, generics, errors",
        functions: &[
            "encode",
            "decode",
            "val",
            "byte2hex",
            "generate_iter",
            "decode_to_slice",
            "<BytesToHexChars as std::iter::Iterator>::next",
            "<[u8; 32] as FromHex>::from_hex",
        ],
    },
    RealCrate {
        name: "strsim",
        old: "0.11.0",
        new: "0.11.1",
        about: "nested loops over strings and vectors",
        functions: &[
            "hamming",
            "generic_levenshtein",
            "osa_distance",
            "flat_index",
            "HybridGrowingHashmapChar::get_mut",
            "bigrams",
            "sorensen_dice",
            "<StrSimError as std::fmt::Display>::fmt",
        ],
    },
    RealCrate {
        name: "fnv",
        old: "1.0.6",
        new: "1.0.7",
        about: "wrapping arithmetic behind a trait",
        functions: &[
            "FnvHasher::with_key",
            "<FnvHasher as std::default::Default>::default",
            "<FnvHasher as std::hash::Hasher>::write",
            "<FnvHasher as std::hash::Hasher>::finish",
        ],
    },
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
    #[error(transparent)]
    Repository(#[from] RepositoryError),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Old,
    New,
}

/// Where the sources of that side of each crate lie, in cargo's registry cache, by name. They must not be written to.
pub fn sources(side: Side) -> Result<BTreeMap<&'static str, PathBuf>, SourceError> {
    let wanted: Vec<_> = REAL_CRATES.iter().map(|real| (real.name, version(real, side))).collect();
    published(&wanted)
}

/// Where the sources of published packages lie, by name: one version of each. They must not be written to.
pub fn published<'a>(wanted: &[(&'a str, &str)]) -> Result<BTreeMap<&'a str, PathBuf>, SourceError> {
    let directory = TempDir::new()?;
    fs::create_dir(directory.path().join("src"))?;
    fs::write(directory.path().join("src/lib.rs"), "")?;
    fs::write(directory.path().join("Cargo.toml"), manifest(wanted))?;
    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["metadata", "--format-version", "1"])
        .current_dir(directory.path())
        .output()?;
    if !output.status.success() {
        return Err(SourceError::Cargo(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    wanted
        .iter()
        .map(|&(name, version)| {
            let place = place(&metadata, name, version);
            Ok((name, place.ok_or_else(|| SourceError::Missing(format!("{name} {version}")))?))
        })
        .collect()
}

/// Makes the repository's working tree the published crate at `place`, with a lock file, without its tests and
/// benchmarks (and so without what only these depend on).
pub fn lay(repository: &Repository, place: &Path) -> Result<(), SourceError> {
    lay_without(repository, place, &["tests", "benches", "examples"], &LIBRARY_ONLY)
}

/// The same with its tests, as far as they need no other package.
pub fn lay_with_tests(repository: &Repository, place: &Path) -> Result<(), SourceError> {
    lay_without(repository, place, &["benches", "examples"], &LIBRARY_AND_TESTS)
}

const LIBRARY_ONLY: [&str; 5] = [
    "[dev-dependencies",
    "[target.\"cfg(not(miri))\".dev-dependencies",
    "[[test]]",
    "[[bench]]",
    "[[example]]",
];
/// Without the tables of tests cargo finds these by itself, those that were added too.
const LIBRARY_AND_TESTS: [&str; 6] = [
    "[dev-dependencies",
    "[target.\"cfg(not(miri))\".dev-dependencies",
    "[[test]]",
    "[[bench]]",
    "[[example]]",
    "autotests",
];

fn lay_without(
    repository: &Repository,
    place: &Path,
    directories: &[&str],
    tables: &[&str],
) -> Result<(), SourceError> {
    repository.lay(place)?;
    let root = repository.root();
    for directory in directories {
        if root.join(directory).is_dir() {
            fs::remove_dir_all(root.join(directory))?;
        }
    }
    let manifest = fs::read_to_string(root.join("Cargo.toml"))?;
    fs::write(root.join("Cargo.toml"), without_tables(&manifest, tables))?;
    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .arg("generate-lockfile")
        .current_dir(root)
        .output()?;
    if !output.status.success() {
        return Err(SourceError::Cargo(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    Ok(())
}

/// The manifest, as cargo normalises it for publication, without the tables and the keys that begin so.
fn without_tables(manifest: &str, tables: &[&str]) -> String {
    let mut kept = String::new();
    let mut keep = true;
    for line in manifest.lines() {
        if line.starts_with('[') {
            keep = !tables.iter().any(|table| line.starts_with(table));
        }
        let is_dropped = tables.iter().any(|key| !key.starts_with('[') && line.starts_with(key));
        if keep && !is_dropped {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    // The package stands alone, wherever the temporary directory lies.
    if !manifest.contains("[workspace]") {
        kept.push_str("\n[workspace]\n");
    }
    kept
}

fn version(real: &RealCrate, side: Side) -> &'static str {
    match side {
        Side::Old => real.old,
        Side::New => real.new,
    }
}

/// A package that depends on exactly these versions.
fn manifest(wanted: &[(&str, &str)]) -> String {
    let mut text = String::from(
        "[package]\nname = \"sources\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[workspace]\n\n[dependencies]\n",
    );
    for (name, version) in wanted {
        text.push_str(&format!("{name} = \"={version}\"\n"));
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
        let manifest = manifest(&[("hex", "0.4.2"), ("fnv", "1.0.6")]);
        assert!(manifest.ends_with("\n[dependencies]\nhex = \"=0.4.2\"\nfnv = \"=1.0.6\"\n"), "{manifest}");
    }

    #[test]
    fn tables_that_only_tests_need_are_left_out() {
        let manifest = "[package]\nname = \"x\"\n[dev-dependencies.y]\nversion = \"1\"\n[features]\nstd = []\n[[bench]]\n\
                        name = \"b\"\n";
        let expected = "[package]\nname = \"x\"\n[features]\nstd = []\n\n[workspace]\n";
        assert_eq!(without_tables(manifest, &LIBRARY_ONLY), expected);
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
