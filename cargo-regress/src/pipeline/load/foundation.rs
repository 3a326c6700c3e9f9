//! What is below both programs: the models of the standard library, and the dependencies that both versions have in common. These use no others.
//!
//! *Idea.* They are the same in both versions and from run to run, and larger than all that is compared. So they are linked once, kept as bytes, and found
//! again by what they were linked of. Which of them a run came to read is kept as well: the next run reads them at once, instead of being led from one to the next.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::UNIX_EPOCH;

use camino::{Utf8Path, Utf8PathBuf};
use mir_frontend::rustc::{CrateDump, FrontendError, Library};
use rayon::prelude::*;
use regress_core::ir::{Origin, Program};

use super::Running;
use super::texts::{Captures, Texts, says_where_it_lies};
use crate::extract::{self, CrateDumpFiles, DumpFile, Key, read_json, write_json};
use crate::harness::target_of;
use crate::pipeline::Session;
use crate::pipeline::models::{keep_library, kept_library, program_stamp};

/// Linked foundations that are kept for each target directory.
const KEPT: usize = 4;
/// Lists of what was read last, one for each selection of packages and features.
const KEPT_LISTS: usize = 16;

pub(super) struct Foundation<'s> {
    session: &'s Session<'s>,
    models: Library,
    dependencies: BTreeMap<String, CommonDependency>,
    /// What the library was linked of.
    linked: BTreeMap<String, String>,
    library: Library,
    /// Whether the library came from a file.
    is_kept: bool,
    running: Running,
}

/// A dependency that is the same in both versions.
pub(super) struct CommonDependency {
    pub files: CrateDumpFiles,
    pub captures: Captures,
    /// The folder of the version that was asked.
    root: Utf8PathBuf,
    /// Whether its texts say where it lies.
    names_a_place: bool,
    /// Tells its texts from all others.
    stamp: String,
    /// Read when it is linked.
    texts: Option<Texts>,
}

impl CommonDependency {
    fn new(files: CrateDumpFiles, root: &Utf8Path) -> anyhow::Result<CommonDependency> {
        let names_a_place = says_where_it_lies(&files, root)?;
        let mut stamp = format!("{} {:?}", files.package_id, files.origin);
        for file in files.dumps() {
            stamp.push_str(&stamp_of(file)?);
        }
        if names_a_place {
            // Only these folders are renamed in it.
            let _ = write!(stamp, "\n{root} {}", target_of(&files.invocation));
        }
        let root = root.to_owned();
        let captures = Captures::AsPrinted;
        Ok(CommonDependency { files, captures, root, names_a_place, stamp, texts: None })
    }

    /// Reads the view that names all captures of closures.
    pub fn read_captures(&mut self, session: &Session<'_>) -> anyhow::Result<()> {
        let request = session.request(&session.versions.new)?;
        let view = extract::dump_stable_mir(&request, &self.files, session.progress)?;
        self.stamp.push_str(&stamp_of(&view)?);
        self.captures = Captures::read(&view)?;
        Ok(())
    }

    fn read_texts(&mut self, name: &str) -> anyhow::Result<()> {
        if self.texts.is_none() {
            self.texts =
                Some(Texts::read(&self.files, name.to_owned(), Origin::CommonDependency, &self.root)?);
        }
        Ok(())
    }

    fn dump(&self) -> Option<CrateDump<'_>> {
        let dump = self.texts.as_ref()?.dump();
        Some(CrateDump { stable_mir: self.captures.stable_mir(), ..dump })
    }
}

/// Dumps lie under the key of what they depend on, and are not written again.
fn stamp_of(file: &DumpFile) -> anyhow::Result<String> {
    Ok(match file {
        DumpFile::Written(path) => {
            let metadata = path.metadata()?;
            let written = metadata.modified()?.duration_since(UNIX_EPOCH)?.as_nanos();
            format!("\n{path} {} {written}", metadata.len())
        }
        DumpFile::Failed { summary, .. } => format!("\nfailed: {summary}"),
    })
}

impl<'s> Foundation<'s> {
    pub fn new(session: &'s Session<'s>, running: Running) -> anyhow::Result<Foundation<'s>> {
        let models = session.models()?;
        Ok(Foundation {
            session,
            library: models.clone(),
            models,
            dependencies: BTreeMap::new(),
            linked: BTreeMap::new(),
            is_kept: true,
            running,
        })
    }

    pub fn program(&self) -> &Program {
        self.library.program()
    }

    pub fn library(&self) -> &Library {
        &self.library
    }

    pub fn names(&self) -> impl Iterator<Item = &String> {
        self.dependencies.keys()
    }

    pub fn dumps(&self) -> impl Iterator<Item = &CrateDumpFiles> {
        self.dependencies.values().map(|dependency| &dependency.files)
    }

    pub fn dependencies_mut(&mut self) -> impl Iterator<Item = (&String, &mut CommonDependency)> {
        self.dependencies.iter_mut()
    }

    /// Whether a text of a dependency says where it lies.
    pub fn names_a_place(&self) -> bool {
        self.dependencies.values().any(|dependency| dependency.names_a_place)
    }

    /// Adds dumps of dependencies, by their names, as the version at `root` has them.
    pub fn add(&mut self, dumps: Vec<(String, CrateDumpFiles)>, root: &Utf8Path) -> anyhow::Result<()> {
        let (session, last) = (self.session, self.read_last());
        let read = |(name, dump): (String, CrateDumpFiles)| -> anyhow::Result<_> {
            let mut dependency = CommonDependency::new(dump, root)?;
            if last.get(&name) == Some(&ReadAs::WithCaptures) {
                dependency.read_captures(session)?;
            }
            Ok((name, dependency))
        };
        let read: Vec<_> = dumps.into_par_iter().map(read).collect::<anyhow::Result<_>>()?;
        self.dependencies.extend(read);
        Ok(())
    }

    pub fn remove(&mut self, name: &str) -> bool {
        self.dependencies.remove(name).is_some()
    }

    /// Links these dependencies, unless that is what was linked last, or in an earlier run.
    pub fn link(&mut self) -> Result<(), LinkError> {
        let wanted: BTreeMap<_, _> = self
            .dependencies
            .iter()
            .map(|(name, dependency)| (name.clone(), dependency.stamp.clone()))
            .collect();
        if self.linked == wanted {
            return Ok(());
        }
        let kept = self.file(&wanted).and_then(|file| kept_library(&file));
        self.is_kept = kept.is_some();
        self.library = match kept {
            Some(library) => library,
            None => {
                self.dependencies
                    .par_iter_mut()
                    .try_for_each(|(name, dependency)| dependency.read_texts(name))
                    .map_err(LinkError::Unread)?;
                let dumps: Vec<_> = self.dependencies.values().filter_map(CommonDependency::dump).collect();
                self.models.with(&dumps).map_err(LinkError::Refused)?
            }
        };
        self.linked = wanted;
        Ok(())
    }

    /// Where what is linked of this is kept. None if nobody knows which build of this program would read it.
    fn file(&self, linked: &BTreeMap<String, String>) -> Option<Utf8PathBuf> {
        let key = Key::new("foundation").with_json(&self.session.toolchain).with(&program_stamp()?);
        Some(self.folder().join(key.with_json(linked).finish()))
    }

    fn folder(&self) -> Utf8PathBuf {
        self.session.home.join("cache").join("foundations")
    }

    /// Keeps what was linked and which dependencies were read, for the next run. What cannot be kept is made anew.
    pub fn keep(&self) {
        let list: BTreeMap<&str, ReadAs> = self
            .dependencies
            .iter()
            .map(|(name, dependency)| (name.as_str(), ReadAs::of(&dependency.captures)))
            .collect();
        let file = self.list_file();
        if file.parent().is_some_and(|folder| std::fs::create_dir_all(folder).is_ok()) {
            let _ = write_json(&file, &list);
            let _ = file.parent().map(|folder| extract::prune_files(folder, KEPT_LISTS));
        }
        if let Some(file) = self.file(&self.linked).filter(|_| !self.is_kept) {
            let _ = keep_library(&self.library, &file, KEPT);
        }
    }

    /// What the last run with this selection came to read.
    pub fn read_last(&self) -> BTreeMap<String, ReadAs> {
        // What cannot be read is found out anew.
        read_json(&self.list_file()).ok().flatten().unwrap_or_default()
    }

    fn list_file(&self) -> Utf8PathBuf {
        let tree = &self.session.versions.new;
        let package = tree.package_root.strip_prefix(&tree.root).unwrap_or(&tree.package_root);
        let key = Key::new("read last").with(package.as_str()).with_json(&self.session.selection());
        let key = key.with(&format!("{:?}", self.running)).finish();
        self.session.home.join("cache").join("read_last").join(key)
    }
}

/// How a dependency was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) enum ReadAs {
    Printed,
    /// With all captures of its closures.
    WithCaptures,
}

impl ReadAs {
    fn of(captures: &Captures) -> ReadAs {
        match captures {
            Captures::AsPrinted => ReadAs::Printed,
            Captures::Restored { .. } | Captures::Lost => ReadAs::WithCaptures,
        }
    }
}

/// Why the foundation could not be linked.
pub(super) enum LinkError {
    Unread(anyhow::Error),
    Refused(FrontendError),
}
