//! A harness of both versions, as it is handed on to where it is written.

use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

use crate::extract::FeatureChoice;

/// The sources of the crates that call both versions, and what they depend on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EmittedHarness {
    /// None if no functions were compared, or there are no sources.
    pub trees: Option<HarnessTrees>,
    pub libraries: Vec<HarnessLibrary>,
    pub features: FeatureChoice,
    /// The source for proptest.
    pub proptest: String,
    /// The source for Kani.
    pub kani: String,
}

/// Where both versions lie.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HarnessTrees {
    pub old: Utf8PathBuf,
    pub new: Utf8PathBuf,
    /// For people, of the old and the new version.
    pub labels: [String; 2],
    /// Which releases of dependencies the new version has, if the file is there.
    pub lock: Utf8PathBuf,
}

/// A library that both versions have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HarnessLibrary {
    pub crate_name: String,
    /// What the old and the new version are called.
    pub aliases: [String; 2],
    /// In each version the package, and its folder in the tree.
    pub packages: [(String, Utf8PathBuf); 2],
}
