//! The copy of a source tree. Files that are already as they should be are not touched, so that cargo sees what
//! changed since the last build and nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use git2::{ObjectType, Oid};

use super::request::HarnessError;

/// What the copy of a tree consists of.
#[derive(Debug, Default)]
pub struct Tree {
    /// Relative to the root.
    pub files: BTreeSet<Utf8PathBuf>,
    /// Symbolic links with what they point to.
    pub links: BTreeMap<Utf8PathBuf, Utf8PathBuf>,
}

/// Lists a source tree without version control and build output. Names that are not UTF-8 are left out: neither
/// cargo nor rustc would find them by name.
pub fn list(root: &Utf8Path, excluded: &Utf8Path) -> Result<Tree, HarnessError> {
    let mut tree = Tree::default();
    let mut open = vec![Utf8PathBuf::new()];
    while let Some(dir) = open.pop() {
        let absolute = root.join(&dir);
        let entries = fs::read_dir(&absolute).map_err(HarnessError::io("read the directory", &absolute))?;
        for entry in entries {
            let entry = entry.map_err(HarnessError::io("read the directory", &absolute))?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            let path = dir.join(&name);
            let absolute = root.join(&path);
            let kind = entry.file_type().map_err(HarnessError::io("look at", &absolute))?;
            if kind.is_symlink() {
                let to = absolute.read_link_utf8().map_err(HarnessError::io("read the link", &absolute))?;
                tree.links.insert(path, to);
            } else if kind.is_dir() {
                let output = absolute.join("CACHEDIR.TAG").exists();
                if name != ".git" && !output && absolute != excluded && !excluded_target(&dir, &name) {
                    open.push(path);
                }
            } else if kind.is_file() {
                tree.files.insert(path);
            }
        }
    }
    Ok(tree)
}

/// `target` next to a manifest is cargo's, even before cargo marked it.
fn excluded_target(dir: &Utf8Path, name: &str) -> bool {
    name == "target" && dir.as_str().is_empty()
}

/// Makes `to` a copy of `from`, with some files replaced or added. What is in `to` and not in the copy is removed.
pub fn write(
    from: &Utf8Path,
    to: &Utf8Path,
    tree: &Tree,
    replaced: &BTreeMap<Utf8PathBuf, String>,
) -> Result<(), HarnessError> {
    fs::create_dir_all(to).map_err(HarnessError::io("create the directory", to))?;
    let mut digest = Digest::default();
    let stale = list(to, Utf8Path::new(""))?;
    for path in stale.files.iter().chain(stale.links.keys()) {
        // A lock file that cargo made here would only have to be made again.
        let made = path.file_name() == Some("Cargo.lock");
        let kept =
            made || tree.files.contains(path) || replaced.contains_key(path) || tree.links.contains_key(path);
        if !kept {
            let path = to.join(path);
            fs::remove_file(&path).map_err(HarnessError::io("remove", &path))?;
        }
    }
    for path in &tree.files {
        let source = from.join(path);
        let bytes = fs::read(&source).map_err(HarnessError::io("read", &source))?;
        digest.add(path, &bytes);
        if !replaced.contains_key(path) {
            let copy = to.join(path);
            update(&copy, &bytes)?;
            allow_alike(&source, &copy)?;
        }
    }
    for (path, text) in replaced {
        update(&to.join(path), text.as_bytes())?;
    }
    for (path, target) in &tree.links {
        digest.add(path, target.as_str().as_bytes());
        link(from, &to.join(path), path, target)?;
    }
    update(&content_note(to), digest.text().as_bytes())
}

/// The note beside a copy that says what it is a copy of, whatever was replaced in it.
pub fn content_note(copy: &Utf8Path) -> Utf8PathBuf {
    copy.with_extension("content")
}

/// Tells trees apart.
#[derive(Default)]
struct Digest(Vec<String>);

impl Digest {
    fn add(&mut self, path: &Utf8Path, bytes: &[u8]) {
        // Without memory nothing is the same.
        let id = Oid::hash_object(ObjectType::Blob, bytes)
            .map_or_else(|error| format!("{error} {bytes:p}"), |id| id.to_string());
        self.0.push(format!("{id} {path}"));
    }

    fn text(&self) -> String {
        self.0.join("\n")
    }
}

/// Build scripts may run what lies in the tree.
fn allow_alike(source: &Utf8Path, copy: &Utf8Path) -> Result<(), HarnessError> {
    let permissions = |path: &Utf8Path| fs::metadata(path).map(|metadata| metadata.permissions());
    let wanted = permissions(source).map_err(HarnessError::io("look at", source))?;
    if permissions(copy).map_err(HarnessError::io("look at", copy))? == wanted {
        return Ok(());
    }
    fs::set_permissions(copy, wanted).map_err(HarnessError::io("set the permissions of", copy))
}

/// A link that leaves the tree is made absolute.
fn link(from: &Utf8Path, at: &Utf8Path, path: &Utf8Path, target: &Utf8Path) -> Result<(), HarnessError> {
    let dir = path.parent().unwrap_or(Utf8Path::new(""));
    let within = super::syntax::lexical(&dir.join(target));
    let target = if target.is_relative() && within.starts_with("..") {
        from.join(dir).join(target)
    } else {
        target.to_owned()
    };
    if at.read_link_utf8().is_ok_and(|present| present == target) {
        return Ok(());
    }
    if at.symlink_metadata().is_ok() {
        fs::remove_file(at).map_err(HarnessError::io("remove", at))?;
    }
    if let Some(parent) = at.parent() {
        fs::create_dir_all(parent).map_err(HarnessError::io("create the directory", parent))?;
    }
    std::os::unix::fs::symlink(&target, at).map_err(HarnessError::io("create the link", at))
}

/// Writes a file unless it already has that content.
pub fn update(path: &Utf8Path, bytes: &[u8]) -> Result<(), HarnessError> {
    if path.symlink_metadata().is_ok_and(|meta| meta.is_file())
        && fs::read(path).is_ok_and(|present| present == bytes)
    {
        return Ok(());
    }
    if path.symlink_metadata().is_ok_and(|meta| !meta.is_file()) {
        let removed = if path.is_dir() && !path.is_symlink() {
            fs::remove_dir_all(path)
        } else {
            fs::remove_file(path)
        };
        removed.map_err(HarnessError::io("replace", path))?;
    }
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(HarnessError::io("create the directory", parent))?;
    }
    fs::write(path, bytes).map_err(HarnessError::io("write", path))
}
