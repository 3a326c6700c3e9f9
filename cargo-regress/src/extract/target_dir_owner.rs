//! Whose build a target directory holds.
//!
//! Cargo names the artifacts of a workspace member relative to the workspace, so another tree in the same target
//! directory can count as fresh, and the comparison would compare a version with itself. A note in the directory says
//! which tree was built there last. Before another tree moves in, cargo is made to forget the packages of the former
//! one; the artifacts of foreign dependencies stay. Afterwards it is verified that nothing of the tree was fresh.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use super::cache::{FolderLock, lock_folder, read_json, remove_folder, try_lock_folder, write_json};
use super::error::ExtractError;
use super::record::RecordedUnit;
use super::request::ExtractRequest;
use crate::dependency_seed::{OF_UNITS, copy_build, is_unit_of};
use crate::progress::Progress;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Tree {
    root: Utf8PathBuf,
    key: String,
}

/// Where units are recorded in a target directory.
const UNITS: &str = "regress-units";
/// The name of the note, which stands there too.
const OCCUPANT: &str = "occupant";

/// The note in the target directory.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Occupant {
    Settled(Tree),
    /// A tree was moving in, and artifacts of the trees with these roots may be there.
    Moving {
        roots: Vec<Utf8PathBuf>,
    },
}

/// What the artifacts of the tree in the target directory are worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Residence {
    /// This very tree was built here last.
    Resident,
    /// Nothing of the tree may be taken for compiled.
    MovingIn,
}

/// A target directory, locked for one request. The lock ends with the value.
pub(super) struct BuildFolder<'a> {
    request: &'a ExtractRequest,
    _lock: FolderLock,
}

impl<'a> BuildFolder<'a> {
    /// Waits until no other process uses the directory.
    pub(super) fn lock(
        request: &'a ExtractRequest,
        progress: &dyn Progress,
    ) -> Result<BuildFolder<'a>, ExtractError> {
        let lock = lock_folder(&request.target_dir, progress)?;
        Ok(BuildFolder { request, _lock: lock })
    }

    pub(super) fn units_dir(&self) -> Utf8PathBuf {
        BuildFolder::units_of(&self.request.target_dir)
    }

    fn units_of(target_dir: &Utf8Path) -> Utf8PathBuf {
        target_dir.join(UNITS)
    }

    fn note(&self) -> Utf8PathBuf {
        self.units_dir().join(OCCUPANT)
    }

    fn tree(&self) -> Tree {
        Tree { root: self.request.root.clone(), key: self.request.tree_key.clone() }
    }

    /// Prepares the directory for the tree of the request.
    pub(super) fn move_in(&self) -> Result<Residence, ExtractError> {
        let units = self.units_dir();
        if !units.is_dir() && !folders(&self.request.target_dir)?.is_empty() {
            return Err(ExtractError::ForeignTargetDirectory { path: self.request.target_dir.clone() });
        }
        if !units.is_dir()
            && let Some(seed) = &self.request.seed
        {
            self.begin_as(seed)?;
        }
        fs::create_dir_all(&units).map_err(ExtractError::file("create", &units))?;
        // A damaged note tells as much as none.
        let occupant = read_json::<Occupant>(&self.note()).unwrap_or(None);
        let mut roots = match occupant {
            Some(Occupant::Settled(tree)) if tree == self.tree() => return Ok(Residence::Resident),
            Some(Occupant::Settled(tree)) => vec![tree.root],
            Some(Occupant::Moving { roots }) => roots,
            None => {
                self.clear()?;
                Vec::new()
            }
        };
        if !roots.contains(&self.request.root) {
            roots.push(self.request.root.clone());
        }
        self.forget_packages(&self.packages_below(&roots)?)?;
        write_json(&self.note(), &Occupant::Moving { roots })?;
        Ok(Residence::MovingIn)
    }

    /// Makes a directory that is not there yet a copy of its seed, as if the tree of that one had been built here. If this is broken
    /// off, there is no note, and what is there is thrown away.
    fn begin_as(&self, seed: &Utf8Path) -> Result<(), ExtractError> {
        let Some(_lock) = try_lock_folder(seed) else { return Ok(()) };
        let of_seed = BuildFolder::units_of(seed);
        let note = of_seed.join(OCCUPANT);
        let Ok(Some(occupant @ Occupant::Settled(_))) = read_json::<Occupant>(&note) else { return Ok(()) };
        let units = self.units_dir();
        fs::create_dir_all(&units).map_err(ExtractError::file("create", &units))?;
        for folder in folders(seed)?.into_iter().filter(|folder| *folder != of_seed) {
            let copy = self.request.target_dir.join(folder.file_name().unwrap_or_default());
            copy_build(&folder, &copy, &|_| true).map_err(ExtractError::file("copy", &folder))?;
        }
        // Records name the directory that they are about.
        let (from, to) = (seed.as_str(), self.request.target_dir.as_str());
        for record in records(&of_seed)? {
            let text = fs::read_to_string(&record).map_err(ExtractError::file("read", &record))?;
            let copy = units.join(record.file_name().unwrap_or_default());
            fs::write(&copy, renamed(&text, from, to)).map_err(ExtractError::file("write", &copy))?;
        }
        write_json(&self.note(), &occupant)
    }

    /// Notes that the artifacts are those of the tree.
    pub(super) fn settled(&self) -> Result<(), ExtractError> {
        write_json(&self.note(), &Occupant::Settled(self.tree()))
    }

    pub(super) fn recorded_unit(&self, stem: &str) -> Result<Option<RecordedUnit>, ExtractError> {
        read_json(&self.units_dir().join(format!("{stem}.json")))
    }

    /// Removes all artifacts, but not the records.
    pub(super) fn clear(&self) -> Result<(), ExtractError> {
        for folder in folders(&self.request.target_dir)? {
            if folder.file_name() != Some(UNITS) {
                remove_folder(&folder)?;
            }
        }
        Ok(())
    }

    fn packages_below(&self, roots: &[Utf8PathBuf]) -> Result<Vec<String>, ExtractError> {
        let mut names = Vec::new();
        for record in records(&self.units_dir())? {
            // A record that cannot be read is of no use to the new tree either; the check afterwards finds artifacts
            // that were overlooked.
            if let Ok(Some(recorded)) = read_json::<RecordedUnit>(&record)
                && roots.iter().any(|root| recorded.manifest_dir.starts_with(root))
            {
                names.push(recorded.package_name);
            }
        }
        names.sort();
        names.dedup();
        Ok(names)
    }

    /// Makes cargo compile these packages anew, by removing what it knows of them and what their build scripts wrote: a script that finds
    /// its file there may leave it as it is.
    pub(super) fn forget_packages(&self, names: &[String]) -> Result<(), ExtractError> {
        for profile in self.profile_folders()? {
            for place in OF_UNITS {
                for folder in folders(&profile.join(place))? {
                    if folder
                        .file_name()
                        .is_some_and(|name| names.iter().any(|package| is_unit_of(name, package)))
                    {
                        remove_folder(&folder)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// `target/debug` and, when compiling for a named platform, `target/PLATFORM/debug`.
    fn profile_folders(&self) -> Result<Vec<Utf8PathBuf>, ExtractError> {
        let mut found = folders(&self.request.target_dir)?;
        for folder in found.clone() {
            found.extend(folders(&folder)?);
        }
        found.retain(|folder| folder.join(".fingerprint").is_dir());
        Ok(found)
    }
}

fn records(units: &Utf8Path) -> Result<Vec<Utf8PathBuf>, ExtractError> {
    let mut found = Vec::new();
    for entry in units.read_dir_utf8().map_err(ExtractError::file("read", units))? {
        let path = entry.map_err(ExtractError::file("read", units))?.into_path();
        if path.extension() == Some("json") {
            found.push(path);
        }
    }
    Ok(found)
}

/// The text with one folder named in the place of another. Names of others that only begin like it stay.
fn renamed(text: &str, from: &str, to: &str) -> String {
    let mut pieces = text.split(from);
    let mut renamed = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let is_whole = piece.starts_with(['/', '"', '\\', ':']);
        renamed.push_str(if is_whole { to } else { from });
        renamed.push_str(piece);
    }
    renamed
}

fn folders(parent: &Utf8Path) -> Result<Vec<Utf8PathBuf>, ExtractError> {
    let entries = match parent.read_dir_utf8() {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(ExtractError::file("read", parent)(source)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.map_err(ExtractError::file("read", parent))?;
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            found.push(entry.into_path());
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::renamed;

    #[test]
    fn only_whole_folders_are_renamed() {
        let text = r#"["--out-dir","/t/old/debug","/t/older/x","/t/old","-L=/t/old/y"]"#;
        let expected = r#"["--out-dir","/t/new/debug","/t/older/x","/t/new","-L=/t/new/y"]"#;
        assert_eq!(renamed(text, "/t/old", "/t/new"), expected);
        assert_eq!(renamed("", "/t/old", "/t/new"), "");
    }
}
