//! What builds read that is no part of the tree: variables of the user's environment, and files that lie elsewhere.
//!
//! *Idea.* The compiler lists the files and variables that it read, for cargo to compile again when they change; build scripts say what to
//! watch. A dump made with other values is one of another program, so the values are put on record with it, and whoever finds the dump
//! again looks whether they are as they were.
//!
//! *Limits.* Those of cargo: what a macro or a build script reads without saying so is not known. Of variables only hashes are written, for they may
//! be secrets.

use std::collections::BTreeMap;
use std::fs;

use camino::{Utf8DirEntry, Utf8Path, Utf8PathBuf};
use git2::{ObjectType, Oid};
use serde::{Deserialize, Serialize};

use super::messages::Artifact;
use super::record::{RecordedUnit, hash_value};
use super::request::Origin;

/// What was read, with a digest of what it was; none where there was nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Elsewhere {
    variables: BTreeMap<String, Option<u64>>,
    files: BTreeMap<Utf8PathBuf, Option<String>>,
}

impl Elsewhere {
    pub(crate) fn is_as_it_was(&self) -> bool {
        let variables = self.variables.iter().all(|(name, hash)| hash_of_variable(name) == *hash);
        variables && self.files.iter().all(|(path, digest)| digest_of(path) == *digest)
    }

    pub(crate) fn add(&mut self, other: Elsewhere) {
        self.variables.extend(other.variables);
        self.files.extend(other.files);
    }
}

/// Places whose files need no record.
#[derive(Clone, Copy, Debug)]
pub struct KnownPlaces<'p> {
    /// The tree, which has a key of its own.
    pub root: &'p Utf8Path,
    /// What lies here is made by builds.
    pub target_dir: &'p Utf8Path,
    /// Where the unit's package comes from: sources in a folder of the user's may change.
    pub origin: Origin,
}

impl KnownPlaces<'_> {
    /// Whether the package's files stay as they are.
    fn is_published(&self) -> bool {
        matches!(self.origin, Origin::Registry | Origin::Git)
    }

    fn hold(&self, path: &Utf8Path) -> bool {
        path.starts_with(self.root) || path.starts_with(self.target_dir)
    }
}

/// The sources of a build script, of the lists that the compiler left in its folder.
pub(super) fn sources_of_script(artifact: &Artifact, known: KnownPlaces<'_>) -> Elsewhere {
    if known.is_published() {
        return Elsewhere::default();
    }
    let lists = artifact.folder.read_dir_utf8().into_iter().flatten().flatten();
    let lists = lists.filter(|entry| entry.path().extension() == Some("d"));
    let mut read = Read::default();
    for list in lists {
        let mut listed = of_compiler(&fs::read_to_string(list.path()).unwrap_or_default());
        read.variables.append(&mut listed.variables);
        read.files.extend(listed.files.iter().map(|file| artifact.manifest_dir.join(file)));
    }
    digests(read, |path| known.hold(path))
}

/// What one unit and its build script read, as it is now.
pub(super) fn elsewhere(recorded: &RecordedUnit, known: KnownPlaces<'_>) -> Elsewhere {
    let mut read = of_compiler(&fs::read_to_string(list_of(recorded)).unwrap_or_default());
    // What cargo and build scripts set is in the record of the call.
    read.variables.retain(|name| !recorded.environment.set.contains_key(name));
    read.files.iter_mut().for_each(|file| *file = recorded.directory.join(&*file));
    if let Some(package) =
        recorded.environment.set.get("OUT_DIR").map(Utf8Path::new).and_then(Utf8Path::parent)
    {
        let mut said = of_script(&fs::read_to_string(package.join("output")).unwrap_or_default());
        said.files.iter_mut().for_each(|file| *file = recorded.manifest_dir.join(&*file));
        read.variables.append(&mut said.variables);
        read.files.append(&mut said.files);
    }
    let lies_here = |path: &Utf8Path| {
        known.hold(path) || (known.is_published() && path.starts_with(&recorded.manifest_dir))
    };
    digests(read, lies_here)
}

fn digests(read: Read, lies_here: impl Fn(&Utf8Path) -> bool) -> Elsewhere {
    // A path within the tree may lead out of it, by a link or by `..`.
    let is_elsewhere = |path: &Utf8PathBuf| {
        let real = path.canonicalize_utf8();
        !lies_here(real.as_deref().unwrap_or(path))
    };
    Elsewhere {
        variables: read.variables.into_iter().map(|name| (name.clone(), hash_of_variable(&name))).collect(),
        files: read
            .files
            .into_iter()
            .filter(is_elsewhere)
            .map(|path| (path.clone(), digest_of(&path)))
            .collect(),
    }
}

/// The sources and included files of a unit.
pub fn files_read(recorded: &RecordedUnit) -> Vec<Utf8PathBuf> {
    let list = fs::read_to_string(list_of(recorded)).unwrap_or_default();
    of_compiler(&list).files.iter().map(|file| recorded.directory.join(file)).collect()
}

/// What the compiler writes for cargo.
fn list_of(recorded: &RecordedUnit) -> Utf8PathBuf {
    Utf8Path::new(&recorded.unit.out_dir).join(format!("{}.d", recorded.unit.stem))
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Read {
    variables: Vec<String>,
    files: Vec<Utf8PathBuf>,
}

/// What stands in the list that the compiler writes for cargo.
fn of_compiler(list: &str) -> Read {
    let mut read = Read::default();
    for line in list.lines() {
        if let Some(variable) = line.strip_prefix("# env-dep:") {
            let name = variable.split_once('=').map_or(variable, |(name, _)| name);
            read.variables.push(name.to_owned());
        } else if let Some(file) = line.strip_suffix(':') {
            // Each file stands on a line of its own.
            read.files.push(file.replace("\\ ", " ").into());
        }
    }
    read
}

/// What a build script asks cargo to watch.
fn of_script(output: &str) -> Read {
    let mut read = Read::default();
    for line in output.lines() {
        let Some(said) = line.strip_prefix("cargo::").or_else(|| line.strip_prefix("cargo:")) else {
            continue;
        };
        if let Some(name) = said.strip_prefix("rerun-if-env-changed=") {
            read.variables.push(name.trim().to_owned());
        } else if let Some(file) = said.strip_prefix("rerun-if-changed=") {
            read.files.push(file.trim().into());
        }
    }
    read
}

fn hash_of_variable(name: &str) -> Option<u64> {
    std::env::var_os(name).map(|value| hash_value(&value))
}

/// Of a file its content, of a folder all that is in it. What stands for neither, as a device does, has none.
fn digest_of(path: &Utf8Path) -> Option<String> {
    digest_of_kind(path, fs::metadata(path).ok()?.file_type())
}

/// Links below the top count as where they lead: following them may go round.
fn digest_of_kind(path: &Utf8Path, kind: fs::FileType) -> Option<String> {
    let content = if kind.is_dir() {
        let mut entries: Vec<_> = path.read_dir_utf8().ok()?.flatten().collect();
        entries.sort_by(|a, b| a.path().cmp(b.path()));
        let digest = |entry: &Utf8DirEntry| digest_of_kind(entry.path(), entry.file_type().ok()?);
        let digests = entries.iter().map(|entry| format!("{} {:?}\n", entry.path(), digest(entry)));
        digests.collect::<String>().into_bytes()
    } else if kind.is_symlink() {
        path.read_link_utf8().ok()?.into_string().into_bytes()
    } else if kind.is_file() {
        fs::read(path).ok()?
    } else {
        return None;
    };
    Oid::hash_object(ObjectType::Blob, &content).ok().map(|id| id.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_compiler_lists() {
        let list = "/t/k-1.d: src/lib.rs /else/a\\ b.txt\n\nsrc/lib.rs:\n/else/a\\ b.txt:\n\n\
                    # env-dep:MODE=1\n# env-dep:UNSET\n# checksum:x file_len:1 src/lib.rs\n";
        let read = of_compiler(list);
        assert_eq!(read.variables, ["MODE", "UNSET"]);
        assert_eq!(read.files, ["src/lib.rs", "/else/a b.txt"]);
    }

    #[test]
    fn what_a_build_script_asks_to_watch() {
        let output = "text\ncargo:rerun-if-env-changed=A\ncargo::rerun-if-env-changed=B\ncargo::rerun-if-changed=/else\n\
                      cargo::rustc-env=C=1\n";
        let files = vec![Utf8PathBuf::from("/else")];
        assert_eq!(of_script(output), Read { variables: vec!["A".into(), "B".into()], files });
    }

    #[test]
    fn a_changed_file_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(folder.path()).unwrap();
        let (file, gone) = (folder.join("in/file"), folder.join("gone"));
        fs::create_dir(folder.join("in")).unwrap();
        fs::write(&file, "1").unwrap();
        let files = [folder.join("in"), gone.clone()].map(|path| (path.clone(), digest_of(&path)));
        let read = Elsewhere { variables: BTreeMap::new(), files: files.into() };
        assert!(read.is_as_it_was());
        fs::write(&file, "2").unwrap();
        assert!(!read.is_as_it_was());
        fs::write(&file, "1").unwrap();
        assert!(read.is_as_it_was());
        fs::write(&gone, "").unwrap();
        assert!(!read.is_as_it_was());
    }

    #[cfg(unix)]
    #[test]
    fn links_that_go_round_and_devices_have_an_end() {
        let folder = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(folder.path()).unwrap();
        std::os::unix::fs::symlink(folder, folder.join("round")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", folder.join("zeros")).unwrap();
        let was = digest_of(folder).unwrap();
        fs::remove_file(folder.join("zeros")).unwrap();
        std::os::unix::fs::symlink("/dev/null", folder.join("zeros")).unwrap();
        assert_ne!(digest_of(folder).unwrap(), was);
        assert_eq!(digest_of("/dev/zero".into()), None);
    }

    #[test]
    fn a_variable_that_is_set_now_is_noticed() {
        let was = |hash| Elsewhere { variables: [("PATH".to_owned(), hash)].into(), files: BTreeMap::new() };
        assert!(was(hash_of_variable("PATH")).is_as_it_was());
        assert!(!was(None).is_as_it_was() && !was(Some(1)).is_as_it_was());
    }
}
