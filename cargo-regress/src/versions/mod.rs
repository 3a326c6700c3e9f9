//! Which two versions are compared, and where their files are.
//!
//! * [`choose`]: from what the user wrote to two commits, the working tree or a directory
//! * [`merge`]: the four versions of a merge, one of which may be in no commit
//! * [`history`](mod@history): the commits between two others
//! * [`repository`]: the repository, revisions, whether anything is uncommitted
//! * [`fetch`]: brings commits that are missing (`--fetch`)
//! * [`listing`]: the files of a version and the key of their content
//! * [`manifest`]: where the package is and whether all it needs is part of the version
//! * [`layout`]: writes a version to its own directory under `<target>/regress/trees/`
//! * [`place`]: where the user stands and where cargo builds
//!
//! Both versions are laid out as private copies, the working tree too, so that nothing that is done to them reaches
//! what the user works on. Invariant: the index, the working tree and `Cargo.lock` of the user are only read; the
//! repository is only written by `--fetch`.
//!
//! Limits: submodules are left out, with an error if the package needs one. Filters (line endings, large file storage)
//! are not applied: a commit's files are as they are stored.

mod checkout;
mod choose;
mod error;
mod fetch;
mod history;
mod layout;
mod listing;
mod manifest;
mod merge;
mod place;
mod repository;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};
use git2::Repository;
use regress_core::verdict::Version;

use crate::args::ComparisonArgs;
use crate::progress::Progress;
use choose::{Choice, Chosen, Origin};
pub use error::VersionsError;
pub(crate) use fetch::fetch;
pub use history::{Commit, History, history};
use listing::{Entry, Listing, Mode, Source};
pub use merge::{MergeVersions, resolve_merge};
pub use place::{Place, Start, locate, locate_at};
use repository::Checkout;
pub use repository::open_repository;

/// The two versions, ready to be built.
#[derive(Clone, Debug)]
pub struct Versions {
    pub old: VersionTree,
    pub new: VersionTree,
    /// What was left out or taken in that the user may not expect.
    pub notes: Vec<String>,
}

/// One version, laid out on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionTree {
    pub version: Version,
    /// For people: `HEAD~1 (1a2b3c4 subject)`.
    pub label: String,
    /// As the user named it, or the name of the default.
    pub rev: String,
    /// The commit, unless files are compared that are in none.
    pub oid: Option<String>,
    /// Names the content: equal keys, equal files.
    pub tree_key: String,
    /// The root of the repository in the copy.
    pub root: Utf8PathBuf,
    /// The folder in which the repository lies, or the directory that is no repository.
    pub above: Option<Utf8PathBuf>,
    /// The directory of the package, or of the workspace, that is compared.
    pub package_root: Utf8PathBuf,
}

/// Two files that stand for versions of which there are no sources, and where the results are kept.
pub fn of_files(
    old: &Utf8Path,
    new: &Utf8Path,
    target_dir: Option<&Utf8Path>,
) -> Result<(Place, Versions), VersionsError> {
    let here = camino::absolute_utf8(".").map_err(|source| VersionsError::Io {
        action: "find",
        path: ".".into(),
        source,
    })?;
    let side = |version: Version, file: &Utf8Path| VersionTree {
        version,
        label: file.to_string(),
        rev: file.to_string(),
        oid: None,
        tree_key: file.to_string(),
        root: here.clone(),
        above: here.parent().map(Utf8Path::to_owned),
        package_root: here.clone(),
    };
    let target_dir = target_dir.map_or_else(|| here.join("target"), |given| here.join(given));
    let start = Start::SearchFrom(here.clone());
    let place = Place { start, workspace_root: None, packages: Vec::new(), target_dir };
    let versions = Versions { old: side(Version::Old, old), new: side(Version::New, new), notes: Vec::new() };
    Ok((place, versions))
}

impl Versions {
    /// The first line of every report.
    pub fn headline(&self) -> String {
        format!("comparing {} with {}", self.old.label, self.new.label)
    }

    /// Both versions hold the same files, so nothing can differ.
    pub fn are_identical(&self) -> bool {
        self.old.tree_key == self.new.tree_key && self.old.package_root == self.new.package_root
    }
}

/// Finds both versions and lays them out under the target directory.
pub fn resolve(
    place: &Place,
    comparison: &ComparisonArgs,
    packages: &[String],
    progress: &dyn Progress,
) -> Result<Versions, VersionsError> {
    let mut checkout = repository::open(place.start.directory())?;
    let chosen = choose::choose(checkout.as_mut(), place, comparison, progress)?;
    let repository = checkout.as_ref().map(|checkout| &checkout.repository);

    progress.step("Reading both versions");
    lay_out(&chosen, checkout.as_ref(), repository, place, packages)
}

/// What is there now, laid out once: both versions are the same tree, for what looks at one version only.
pub fn current(
    place: &Place,
    packages: &[String],
    progress: &dyn Progress,
) -> Result<Versions, VersionsError> {
    let checkout = repository::open(place.start.directory())?;
    let repository = checkout.as_ref().map(|checkout| &checkout.repository);
    let (new, _) = choose::current(checkout.as_ref(), place)?;
    let (old, base) = choose::current(checkout.as_ref(), place)?;
    progress.step("Reading the package");
    let chosen = Choice { old, new, base };
    let mut versions = lay_out(&chosen, checkout.as_ref(), repository, place, packages)?;
    versions.old = versions.new.clone();
    Ok(versions)
}

fn lay_out(
    chosen: &Choice,
    checkout: Option<&Checkout>,
    repository: Option<&Repository>,
    place: &Place,
    packages: &[String],
) -> Result<Versions, VersionsError> {
    let mut old = Side::read(&chosen.old, checkout, place)?;
    let mut new = Side::read(&chosen.new, checkout, place)?;
    find_package(&mut old, &mut new, place, &chosen.base)?;
    check_packages(&old, &new, repository, packages)?;
    let mut notes = Notes::default();
    for side in [&mut old, &mut new] {
        let needed = manifest::check_within(&side.listing, repository, &side.package, &side.chosen.label)?;
        note_omissions(side, &needed, &mut notes);
        take_lock_file(side, &chosen.base, repository, &mut notes);
    }
    let above = chosen.base.parent();
    let old = old.lay_out(Version::Old, repository, place, above)?;
    let new = new.lay_out(Version::New, repository, place, above)?;
    let notes = notes.texts(chosen);
    Ok(Versions { old, new, notes })
}

/// What to say about one version or both, each only once.
#[derive(Default)]
struct Notes {
    by_text: BTreeMap<String, BTreeSet<String>>,
}

impl Notes {
    fn add(&mut self, text: String, side: &Side<'_>) {
        self.by_text.entry(text).or_default().insert(side.chosen.label.clone());
    }

    fn texts(self, chosen: &Choice) -> Vec<String> {
        let in_version = |(text, labels): (String, BTreeSet<String>)| match labels.first() {
            Some(label) if labels.len() == 1 && chosen.old.label != chosen.new.label => {
                format!("{text} (in {label})")
            }
            _ => text,
        };
        self.by_text.into_iter().map(in_version).collect()
    }
}

/// A version on its way to disk.
struct Side<'a> {
    chosen: &'a Chosen,
    listing: Listing,
    /// Relative to the root of the listing.
    package: Utf8PathBuf,
    /// Files of which it is not known what a checkout makes of them, and why.
    left_out: Vec<(Utf8PathBuf, String)>,
}

impl<'a> Side<'a> {
    fn read(chosen: &'a Chosen, checkout: Option<&Checkout>, place: &Place) -> Result<Self, VersionsError> {
        let incomplete = |source| VersionsError::IncompleteCommit { commit: chosen.label.clone(), source };
        let mut listing = match (&chosen.origin, checkout) {
            (Origin::Commit(id), Some(Checkout { repository, .. })) => {
                let tree =
                    repository.find_commit(*id).and_then(|commit| commit.tree()).map_err(incomplete)?;
                Listing::of_tree(repository, &tree, &chosen.label)?
            }
            (Origin::WorkingTree, Some(Checkout { repository, root, .. })) => {
                Listing::of_working_tree(repository, root, &place.target_dir)?
            }
            (Origin::Merged(index), Some(_)) => Listing::of_merged(index, &chosen.label)?,
            (Origin::Directory(root), _) => Listing::of_directory(root, &place.target_dir, &chosen.label)?,
            (Origin::Commit(_) | Origin::WorkingTree | Origin::Merged(_), None) => {
                return Err(VersionsError::NotARepository { start: place.start.directory().to_owned() });
            }
        };
        let left_out = match checkout {
            Some(Checkout { repository, .. }) => checkout::convert(repository, &mut listing)?,
            None => Vec::new(),
        };
        Ok(Side { chosen, listing, package: Utf8PathBuf::new(), left_out })
    }

    fn lay_out(
        self,
        version: Version,
        repository: Option<&Repository>,
        place: &Place,
        above: Option<&Utf8Path>,
    ) -> Result<VersionTree, VersionsError> {
        let laid_out = layout::lay_out(repository, &self.listing, &place.target_dir)?;
        let oid = match &self.chosen.origin {
            Origin::Commit(id) => Some(id.to_string()),
            Origin::WorkingTree | Origin::Directory(_) | Origin::Merged(_) => None,
        };
        Ok(VersionTree {
            version,
            label: self.chosen.label.clone(),
            rev: self.chosen.rev.clone(),
            oid,
            tree_key: laid_out.key,
            package_root: join(&laid_out.root, &self.package),
            root: laid_out.root,
            above: above.map(Utf8Path::to_owned),
        })
    }
}

/// `base.join("")` would add a slash.
fn join(base: &Utf8Path, relative: &Utf8Path) -> Utf8PathBuf {
    if relative.as_str().is_empty() { base.to_owned() } else { base.join(relative) }
}

/// Settles which directory is compared: the same one in both versions.
fn find_package(
    old: &mut Side<'_>,
    new: &mut Side<'_>,
    place: &Place,
    base: &Utf8Path,
) -> Result<(), VersionsError> {
    let start = place.start.directory().strip_prefix(base).unwrap_or(Utf8Path::new("")).to_owned();
    let find = |side: &Side<'_>| match &place.start {
        Start::SearchFrom(_) => manifest::nearest_package(&side.listing, &start),
        Start::Package(_) => side.listing.holds(&start.join("Cargo.toml")).then(|| start.clone()),
    };
    // An uninitialised or foreign submodule has no files here, so its own message comes before "no package".
    for side in [&*new, &*old] {
        if let Some(submodule) = side.listing.submodule_around(&start) {
            return Err(VersionsError::PackageInSubmodule {
                place: start.clone(),
                submodule: submodule.clone(),
                version: side.chosen.label.clone(),
            });
        }
    }
    let (in_old, in_new) = (find(old), find(new));
    let (present, absent, package) = match (in_old, in_new) {
        (_, Some(package)) => (&*new, &*old, package),
        (Some(package), None) => (&*old, &*new, package),
        (None, None) => {
            let (old, new) = (old.chosen.label.clone(), new.chosen.label.clone());
            return Err(match &place.start {
                Start::SearchFrom(here) => VersionsError::NoPackage { place: here.clone(), old, new },
                Start::Package(directory) => {
                    VersionsError::NoManifest { manifest: directory.join("Cargo.toml"), old, new }
                }
            });
        }
    };
    if absent.listing.holds(&package.join("Cargo.toml")) {
        old.package = package.clone();
        new.package = package;
        return Ok(());
    }
    // A plain directory need not mirror the repository: it may be the package itself.
    let plain = matches!(old.chosen.origin, Origin::Directory(_));
    if plain && std::ptr::eq(absent, &*old) && old.listing.holds("Cargo.toml".into()) {
        old.package = Utf8PathBuf::new();
        new.package = package;
        return Ok(());
    }
    Err(VersionsError::PackageInOneVersion {
        place: if package.as_str().is_empty() { Utf8PathBuf::from(".") } else { package },
        present: present.chosen.label.clone(),
        absent: absent.chosen.label.clone(),
    })
}

/// Packages that were asked for by name have to be in both versions.
fn check_packages(
    old: &Side<'_>,
    new: &Side<'_>,
    repository: Option<&Repository>,
    packages: &[String],
) -> Result<(), VersionsError> {
    // Package ids and patterns are left to cargo.
    let is_plain = |spec: &str| !spec.contains(['/', '#', ':', '*', '?', '[']);
    let plain: Vec<&str> = packages
        .iter()
        .filter(|spec| is_plain(spec))
        .map(|spec| spec.split('@').next().unwrap_or(spec))
        .collect();
    if plain.is_empty() {
        return Ok(());
    }
    let in_old = manifest::package_names(&old.listing, repository);
    let in_new = manifest::package_names(&new.listing, repository);
    for name in plain {
        let (present, absent) = match (in_old.contains(name), in_new.contains(name)) {
            (true, true) => continue,
            (true, false) => (old, new),
            (false, true) => (new, old),
            (false, false) => {
                return Err(VersionsError::NoSuchPackage {
                    name: name.to_owned(),
                    old: old.chosen.label.clone(),
                    new: new.chosen.label.clone(),
                });
            }
        };
        return Err(VersionsError::NamedPackageInOneVersion {
            name: name.to_owned(),
            present: present.chosen.label.clone(),
            absent: absent.chosen.label.clone(),
        });
    }
    Ok(())
}

fn note_omissions(side: &Side<'_>, needed: &BTreeSet<Utf8PathBuf>, notes: &mut Notes) {
    for path in &side.listing.unreadable {
        notes.add(format!("`{path}` is left out: its name is not valid UTF-8"), side);
    }
    let beneath_package = |path: &&Utf8PathBuf| {
        needed.iter().any(|directory| directory.as_str().is_empty() || path.starts_with(directory))
    };
    for (path, reason) in side.left_out.iter().filter(|(path, _)| beneath_package(&path)) {
        notes.add(format!("`{path}` is left out: {reason}"), side);
    }
    for path in side.listing.submodules.iter().filter(beneath_package) {
        notes.add(format!("the submodule `{path}` is left out"), side);
    }
    for path in side.listing.nested.iter().filter(beneath_package) {
        notes.add(format!("`{path}` is left out: it is a git repository of its own"), side);
    }
}

/// Where the repository does not hold `Cargo.lock`, the one of the working tree serves both versions, so that both are
/// built with the same dependencies, and offline.
fn take_lock_file(side: &mut Side<'_>, base: &Utf8Path, repository: Option<&Repository>, notes: &mut Notes) {
    let workspace = manifest::workspace_root(&side.listing, repository, &side.package);
    let lock = workspace.join("Cargo.lock");
    let on_disk = base.join(&lock);
    if side.listing.holds(&lock) || !on_disk.is_file() {
        return;
    }
    notes.add(format!("`{lock}` is not committed, so the one in the working tree is used"), side);
    side.listing.files.insert(lock, Entry { mode: Mode::Regular, source: Source::Disk(on_disk) });
}
