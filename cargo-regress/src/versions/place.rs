//! Where the user stands: the directory or manifest, the workspace around it and cargo's target directory.
//!
//! Cargo itself is asked, because its configuration and the environment decide on the target directory. It is asked for
//! the workspace's own packages only, which neither resolves dependencies nor writes a lock file. Where it cannot
//! answer (the package may exist in another commit only), the default is taken.

use camino::{Utf8Path, Utf8PathBuf};
use cargo_metadata::{Metadata, MetadataCommand, Package};

use super::VersionsError;
use super::manifest::normalize;
use crate::args::Options;

#[derive(Clone, Debug)]
pub struct Place {
    pub start: Start,
    /// The workspace in the working tree, if cargo finds one.
    pub workspace_root: Option<Utf8PathBuf>,
    /// The packages of that workspace.
    pub packages: Vec<Package>,
    pub target_dir: Utf8PathBuf,
}

/// Absolute, without symbolic links as far as it exists.
#[derive(Clone, Debug)]
pub enum Start {
    /// The package around this directory.
    SearchFrom(Utf8PathBuf),
    /// The package in this directory.
    Package(Utf8PathBuf),
}

impl Start {
    pub fn directory(&self) -> &Utf8Path {
        match self {
            Start::SearchFrom(directory) | Start::Package(directory) => directory,
        }
    }
}

/// Finds the place that the options and the current directory name.
pub fn locate(options: &Options) -> Result<Place, VersionsError> {
    let manifest = options.packages.manifest.manifest_path.as_deref();
    locate_at(manifest, options.build.target_dir.as_deref())
}

/// Finds the place of a manifest, or of the current directory, where cargo builds in `target_dir` if that is given.
pub fn locate_at(
    manifest_path: Option<&std::path::Path>,
    target_dir: Option<&Utf8Path>,
) -> Result<Place, VersionsError> {
    let here = std::env::current_dir().map_err(VersionsError::io("find the current directory", "."))?;
    let here = utf8(here)?;
    let start = match manifest_path {
        None => Start::SearchFrom(real(&here)),
        Some(manifest) => {
            let manifest = here.join(utf8(manifest.to_owned())?);
            // Cargo takes a directory here only in recent versions; the meaning is plain.
            let directory = if manifest.file_name() == Some("Cargo.toml") {
                manifest.parent().unwrap_or(&manifest)
            } else {
                &manifest
            };
            Start::Package(real(directory))
        }
    };
    let metadata = ask_cargo(&start, &here);
    let target_dir = match (target_dir, &metadata) {
        (Some(directory), _) => here.join(directory),
        (None, Some(metadata)) => metadata.target_directory.clone(),
        (None, None) => default_target(&start, &here),
    };
    Ok(Place {
        workspace_root: metadata.as_ref().map(|metadata| real(&metadata.workspace_root)),
        packages: metadata.map(|metadata| metadata.packages).unwrap_or_default(),
        target_dir: real(&target_dir),
        start,
    })
}

fn ask_cargo(start: &Start, here: &Utf8Path) -> Option<Metadata> {
    let mut command = MetadataCommand::new();
    command.no_deps();
    match start {
        Start::SearchFrom(directory) => command.current_dir(directory),
        // The configuration is that of the current directory, as for cargo itself.
        Start::Package(directory) => command.current_dir(here).manifest_path(directory.join("Cargo.toml")),
    };
    command.exec().ok()
}

/// `target` in the repository, as cargo would have it for the package at its root.
fn default_target(start: &Start, here: &Utf8Path) -> Utf8PathBuf {
    if let Some(directory) = std::env::var("CARGO_TARGET_DIR").ok().filter(|value| !value.is_empty()) {
        return here.join(directory);
    }
    let root = start.directory().ancestors().find(|directory| directory.join(".git").exists());
    root.unwrap_or(start.directory()).join("target")
}

/// Resolves symbolic links in the part of the path that exists.
fn real(path: &Utf8Path) -> Utf8PathBuf {
    let Some((existing, resolved)) =
        path.ancestors().find_map(|above| Some((above, above.canonicalize_utf8().ok()?)))
    else {
        return path.to_owned();
    };
    let rest = path.strip_prefix(existing).unwrap_or(Utf8Path::new(""));
    match normalize(rest) {
        Some(rest) if rest.as_str().is_empty() => resolved,
        Some(rest) => resolved.join(rest),
        None => path.to_owned(),
    }
}

fn utf8(path: std::path::PathBuf) -> Result<Utf8PathBuf, VersionsError> {
    Utf8PathBuf::from_path_buf(path)
        .map_err(|path| VersionsError::NonUtf8Location { path: path.display().to_string() })
}
