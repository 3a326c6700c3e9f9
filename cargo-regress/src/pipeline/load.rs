//! The programs of both versions.
//!
//! The selected crates and what they use of the tree are read at once, where spans are dear without them; spans are for people,
//! so only where there is something to show they are read; captures of closures once more where the usual view drops them. Foreign crates are read when a function that has to
//! be run may come to use them, in rounds, as one may lead to the next.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use camino::{Utf8Path, Utf8PathBuf};
use mir_frontend::charon::{self, Document};
use mir_frontend::rustc::replay::extern_names;
use mir_frontend::rustc::{
    CrateDeclarations, CrateDump, Declarations, Docs, FrontendError, Library, Rustdoc,
    bodies_without_harness, build_program_on, declare, graphs_without_harness, lacks_captures, names_a_place,
    read_expanded, read_rustdoc, split_tests, with_places_hidden,
};
use rayon::prelude::*;
use regress_core::align::{Alignment, add_adapters, align_with, crates_to_read, moved};
use regress_core::idx::IdxVec;
use regress_core::ir::{FileId, FnBody, FnId, Name, Origin as IrOrigin, Path, Program, SourceFile};
use regress_core::verdict::{ChangeKind, Version};

use super::built::Builds;
use super::declared::{ForeignTypes, foreign_types, printed_otherwise};
use super::dependencies::Dependencies;
use super::front_end::{FrontEnd, library, translate, with_relative_files};
use super::lines::lines_of;
use super::{Session, needs_work};
use crate::args::{Frontend, Options};
use crate::budget::Deadline;
use crate::dependency_seed;
use crate::extract::{
    self, BaseFeatures, Charon, CrateDumpFiles, DumpFile, ExtractRequest, Extraction, FeatureChoice,
    LockPolicy, PackageChoice, Profile, Selection, Spans, TargetKind, Targets,
};
use crate::harness::target_of;
use crate::stats::Stage;
use crate::versions::VersionTree;

/// Reading may take one of so many parts of the time for the whole run before it is cut short.
const PARTS: u64 = 2;

/// Both versions, ready to be compared.
pub(super) struct Loaded {
    pub old: LoadedVersion,
    pub new: LoadedVersion,
    /// What could not be read of dependencies although it is needed.
    unread: Vec<String>,
    /// Whether dependencies were left unread because it took too long.
    pub is_cut_short: bool,
    /// What read the programs.
    pub front_end: String,
    pub builds: Builds,
}

/// Which functions will be run, and so need what they call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Running {
    /// Those that may have changed.
    Compared,
    /// All functions of the package, in either version.
    All,
}

pub(super) struct LoadedVersion {
    pub program: Program,
    pub extraction: Extraction,
    /// The program's file table, shared with every function's report.
    pub files: Arc<IdxVec<FileId, SourceFile>>,
    /// What file names in spans are relative to.
    pub directory: Utf8PathBuf,
    /// Functions whose own text says where the crate lies, which is elsewhere in a harness.
    pub placed: HashSet<FnId>,
    /// Types that the other version defines or prints otherwise.
    pub defined_otherwise: BTreeSet<Path>,
    /// Types of dependencies of which values are made in both versions.
    pub foreign_types: ForeignTypes,
}

impl Loaded {
    /// Two files of Charon's, with what is to be said of them.
    pub fn of_files(old: LoadedVersion, new: LoadedVersion, notes: Vec<String>) -> Loaded {
        Loaded {
            old,
            new,
            unread: notes,
            is_cut_short: false,
            front_end: "Charon, from two files".into(),
            builds: Builds::default(),
        }
    }

    /// The name of the crate, where only one is compared; then it says nothing.
    pub fn only_crate(&self) -> Option<&str> {
        match self.new.extraction.crates.as_slice() {
            [only] => Some(only.crate_name.as_str()),
            _ => None,
        }
    }

    /// What the user should know about targets and dumps that are missing.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = self.unread.clone();
        notes.extend(self.builds.all_notes());
        for (name, version) in [("old", &self.old), ("new", &self.new)] {
            for skipped in &version.extraction.skipped {
                notes.push(format!(
                    "{name} version: target `{}` of `{}` is not compared ({})",
                    skipped.target,
                    skipped.package,
                    skip_reason(&skipped.reason)
                ));
            }
            for crate_dump in &version.extraction.crates {
                for dump in crate_dump.dumps() {
                    if let DumpFile::Failed { summary, .. } = dump {
                        notes.push(format!(
                            "{name} version: part of what the compiler says about `{}` is missing: {summary}",
                            crate_dump.crate_name
                        ));
                    }
                }
            }
        }
        notes.dedup();
        notes
    }
}

fn skip_reason(reason: &extract::SkipReason) -> String {
    match reason {
        extract::SkipReason::ProcMacro => "a procedural macro runs in the compiler".into(),
        extract::SkipReason::RequiredFeatures(features) => {
            format!("it needs the features {} that are not enabled", features.join(", "))
        }
        extract::SkipReason::NotCompiled => "cargo did not compile it".into(),
    }
}

/// The name under which a crate's items stand in the program. A binary, or a file of tests, of the same name as the library would collide
/// with it; a hyphen cannot occur in a real crate name.
pub(super) fn program_name(dump: &CrateDumpFiles, all: &[CrateDumpFiles]) -> String {
    let collides = dump.target != TargetKind::Library
        && all.iter().any(|other| other.target == TargetKind::Library && other.crate_name == dump.crate_name);
    if collides { format!("{}-bin", dump.crate_name) } else { dump.crate_name.clone() }
}

impl Session<'_> {
    /// Extracts, reads and aligns both versions.
    pub(super) fn load(&self, running: Running) -> anyhow::Result<(Loaded, Alignment)> {
        if let Some((old, new)) = self.options.frontend.files() {
            return self.load_files(old, new);
        }
        let front_end = self.choose_front_end()?;
        let extract = |tree: &VersionTree| -> anyhow::Result<Extraction> {
            Ok(extract::extract(&self.request(tree)?, self.progress)?)
        };
        let (old, new) = self.clock.time(Stage::Extraction, || -> anyhow::Result<_> {
            if self.versions.old == self.versions.new {
                self.progress.step("Building the package");
                let only = extract(&self.versions.new)?;
                return Ok((only.clone(), only));
            }
            self.progress.step("Building both versions");
            if self.builds_foreign_once(&self.build_dir(Version::Old), &self.build_dir(Version::New)) {
                let old = extract(&self.versions.old)?;
                return Ok((old, extract(&self.versions.new)?));
            }
            let (old, new) = rayon::join(|| extract(&self.versions.old), || extract(&self.versions.new));
            Ok((old?, new?))
        })?;
        self.clock.time(Stage::Reading, || self.read_and_align(old, new, front_end, running))
    }

    pub(super) fn read_and_align(
        &self,
        old: Extraction,
        new: Extraction,
        front_end: FrontEnd,
        running: Running,
    ) -> anyhow::Result<(Loaded, Alignment)> {
        let mut builds = Builds::of(&old, &new, &self.toolchain);
        let mut dependencies = Dependencies::of(&old, &new);
        let models = self.models()?;
        let (old, new) = rayon::join(
            || VersionTexts::read(&self.versions.old, old),
            || VersionTexts::read(&self.versions.new, new),
        );
        let (mut old, mut new) = (old?, new?);
        drop_lone_documentation(&mut old.selected, &mut new.selected);
        // Of types that nobody knows it is not known that they are the same, unless all is.
        let unknown_types: BTreeSet<Name> = match self.versions.are_identical() {
            true => BTreeSet::new(),
            false => old.undocumented().chain(new.undocumented()).collect(),
        };
        let mut unread = BTreeSet::new();
        let mut front_end = front_end;
        if let FrontEnd::Charon(tool) = &front_end {
            let done = self.translate_both(tool, &mut old, &mut new);
            match (done, self.options.frontend.frontend) {
                (Ok(()), _) => {
                    for (name, version) in [("old", &old), ("new", &new)] {
                        if version.document.as_ref().is_some_and(|document| document.has_errors) {
                            unread.insert(format!(
                                "{name} version: Charon could not translate all of the crate; functions may be missing"
                            ));
                        }
                    }
                }
                // Nobody asked for Charon, so that it does not do is no reason to stop.
                (Err(error), Frontend::Auto) => {
                    (old.document, new.document) = (None, None);
                    let detail = format!("{error:#}");
                    let detail = detail.lines().next().unwrap_or_default();
                    unread.insert(format!("read by rustc, since Charon failed: {detail}"));
                    front_end = FrontEnd::Rustc;
                }
                (Err(error), _) => return Err(error),
            }
        }
        let mut wanted = dependencies.in_tree();
        let mut to_run: Option<[Vec<Named>; 2]> = None;
        let mut left_unread: BTreeSet<String> = BTreeSet::new();
        loop {
            // Each is read once: what is found out about it afterwards must not be forgotten.
            self.clock.time(Stage::Dependencies, || {
                self.read_dependencies(&mut old, &mut new, &std::mem::take(&mut wanted), &mut dependencies)
            })?;
            self.progress.step("Reading both versions");
            let (mut old_program, mut new_program) = (self.clock)
                .time(Stage::Linking, || programs(&mut old, &mut new, &models, &mut dependencies))?;
            old_program.direct_crates = old.direct_crates();
            new_program.direct_crates = new.direct_crates();
            let read: BTreeSet<String> = old.names_read().chain(new.names_read()).cloned().collect();
            let others = dependencies.without(&read);
            // What was to be run when this was last asked leads to more, now that more is read. To align what is not read
            // to its end each time would take longer than all else.
            if let Some([of_old, of_new]) = &to_run {
                let (of_old, of_new) = rayon::join(
                    || crates_to_read(&old_program, &named(&old_program, of_old), &others),
                    || crates_to_read(&new_program, &named(&new_program, of_new), &others),
                );
                wanted.extend(readable(of_old.into_iter().chain(of_new), &dependencies));
                if self.has_time_to_read(&mut wanted, &mut left_unread, &mut dependencies) {
                    continue;
                }
            }
            self.clock.time(Stage::Linking, || {
                rayon::join(|| old.declare_in(&mut old_program), || new.declare_in(&mut new_program))
            });
            builds.note_crates(old.dumps_read().chain(new.dumps_read()));
            if self.versions.are_identical() {
                old_program.declared.frames.clear();
                new_program.declared.frames.clear();
            } else {
                moved(&old_program, &new_program).apply_to(&mut old_program);
            }
            builds.apply(&mut old_program, &mut new_program);
            if self.read_captures(&mut old, &old_program)? | self.read_captures(&mut new, &new_program)? {
                continue;
            }
            self.progress.step("Aligning the versions");
            let mut changed = dependencies.changed(&read);
            changed.extend(unknown_types.iter().cloned());
            if self.targets == Targets::Tests && !self.versions.are_identical() {
                // A name that leads nowhere then counts as changed, should another crate be taken for a module.
                changed.insert(Name::new("?"));
            }
            let surroundings = builds.surroundings(changed, handing_on(&old, &new, &dependencies));
            let aligning = Instant::now();
            add_adapters(&mut old_program, &mut new_program);
            let alignment = align_with(&old_program, &new_program, &surroundings);
            let (old_run, new_run) = functions_to_run(&alignment, running);
            let mut needed = crates_to_read(&old_program, &old_run, &others);
            needed.extend(crates_to_read(&new_program, &new_run, &others));
            let is_first_look = to_run.is_none();
            to_run = Some([names_of(&old_program, &old_run), names_of(&new_program, &new_run)]);
            self.clock.add(Stage::Aligning, aligning.elapsed());
            wanted.extend(readable(needed.iter().cloned(), &dependencies));
            for name in needed.iter().filter(|name| !left_unread.contains(name.as_str())) {
                let reason = dependencies.why_unreadable(name.as_str());
                unread.extend(
                    reason.map(|reason| format!("the dependency `{name}` is not executed: {reason}")),
                );
            }
            // What the functions themselves refer to is read in any case: nothing else tells of the types that they take.
            if !is_first_look {
                self.has_time_to_read(&mut wanted, &mut left_unread, &mut dependencies);
            }
            let must_show = running == Running::All
                || alignment.pairs.iter().any(|pair| pair.kind != ChangeKind::Unchanged);
            let has_more = must_show && self.read_spans(&mut old)? | self.read_spans(&mut new)?;
            if wanted.is_empty() && !has_more {
                let mut otherwise: BTreeSet<Path> = alignment.common.paths().cloned().collect();
                otherwise.extend(printed_otherwise(&new_program, &alignment));
                let own = old.own_crates().chain(new.own_crates()).collect();
                let is_common = |name: &Name| dependencies.is_common(name.as_str());
                let foreign = foreign_types([&old_program, &new_program], &own, is_common);
                let old = old.loaded(old_program, otherwise.clone(), foreign.clone());
                let new = new.loaded(new_program, otherwise, foreign);
                let front_end = front_end.describe(self);
                unread.extend(self.note_on_left_unread(&left_unread));
                let unread = unread.into_iter().collect();
                let is_cut_short = !left_unread.is_empty();
                let loaded = Loaded { old, new, unread, is_cut_short, front_end, builds };
                return Ok((loaded, alignment));
            }
        }
    }

    /// Whether there is time to read these; if not they are given up. What calls functions of a dependency can be run natively all the same, and
    /// nobody waits for the bodies of all that it leads to before anything is compared.
    fn has_time_to_read(
        &self,
        wanted: &mut BTreeSet<String>,
        left_unread: &mut BTreeSet<String>,
        dependencies: &mut Dependencies,
    ) -> bool {
        let is_late = |deadline: Deadline| deadline.elapsed().as_secs() * PARTS > deadline.seconds();
        if !self.options.budget.deadline.is_some_and(is_late) {
            return !wanted.is_empty();
        }
        for name in std::mem::take(wanted) {
            dependencies.give_up(&name, "there was no time to read it".to_owned());
            left_unread.insert(name);
        }
        false
    }

    fn note_on_left_unread(&self, names: &BTreeSet<String>) -> Option<String> {
        let deadline = self.options.budget.deadline.filter(|_| !names.is_empty())?;
        let listed: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let dependencies = if names.len() == 1 { "the dependency" } else { "the dependencies" };
        Some(format!(
            "{dependencies} {} {} not executed: to read more than was read in half of {} would leave too little for the functions; the next run goes on from there",
            listed.join(", "),
            if names.len() == 1 { "is" } else { "are" },
            deadline.name()
        ))
    }

    /// Has Charon translate the library of both versions.
    fn translate_both<'v>(
        &self,
        tool: &Charon,
        old: &mut VersionTexts<'v>,
        new: &mut VersionTexts<'v>,
    ) -> anyhow::Result<()> {
        for version in [&mut *old, &mut *new] {
            let request = self.request(version.tree)?;
            let library = library(&version.extraction)?;
            version.document = Some(translate(tool, &request, library, self)?);
        }
        Ok(())
    }

    /// Reads the places of statements of the selected crates that were read without. Tells whether there were any.
    fn read_spans(&self, version: &mut VersionTexts<'_>) -> anyhow::Result<bool> {
        let request = self.request(version.tree)?;
        let mut has_more = false;
        let others = crate_names(&version.extraction);
        let source_root = version.extraction.source_root.clone();
        for (dump, texts) in version.extraction.crates.iter_mut().zip(&mut version.selected) {
            if dump.spans == Spans::Included {
                continue;
            }
            dump.mir = extract::dump_spans(&request, dump, self.progress)?;
            dump.spans = Spans::Included;
            let captures = std::mem::replace(&mut texts.captures, Captures::AsPrinted);
            *texts =
                Texts { captures, ..Texts::of_selected(dump, texts.name.clone(), &source_root, &others)? };
            has_more = true;
        }
        Ok(has_more)
    }

    /// Reads the view that names all captures of closures, of crates of which the usual one dropped some. Tells whether
    /// there were any.
    fn read_captures(&self, version: &mut VersionTexts<'_>, program: &Program) -> anyhow::Result<bool> {
        let lacking: Vec<&Path> =
            program.functions.iter().filter(|item| lacks_captures(item)).map(|item| &item.path).collect();
        let request = self.request(version.tree)?;
        let mut has_more = false;
        for texts in version.selected.iter_mut().chain(version.dependencies.values_mut()) {
            let is_of_crate = |path: &&Path| path.as_str().contains(&format!("{}::", texts.name));
            if texts.captures != Captures::AsPrinted || !lacking.iter().any(is_of_crate) {
                continue;
            }
            has_more = true;
            texts.captures = match extract::dump_stable_mir(&request, &texts.files, self.progress)? {
                DumpFile::Written(path) => Captures::Restored { stable_mir: read(&path)? },
                DumpFile::Failed { .. } => Captures::Lost,
            };
        }
        Ok(has_more)
    }

    /// Reads the dependencies of these names in both versions. What fails in one is read in neither, so that it is
    /// not taken for something that came or went.
    fn read_dependencies<'v>(
        &self,
        old: &mut VersionTexts<'v>,
        new: &mut VersionTexts<'v>,
        names: &BTreeSet<String>,
        dependencies: &mut Dependencies,
    ) -> anyhow::Result<()> {
        for version in [&mut *old, &mut *new] {
            let request = self.request(version.tree)?;
            let wanted: Vec<_> = version
                .extraction
                .dependencies
                .iter()
                .filter(|dependency| names.contains(&dependency.crate_name))
                .collect();
            let mut dumps = Vec::new();
            for dump in extract::dump_dependencies(&request, &wanted, self.progress)? {
                let name = dump.crate_name.clone();
                let failed = dump.dumps().into_iter().find_map(|dump| match dump {
                    DumpFile::Written(_) => None,
                    DumpFile::Failed { summary, .. } => Some(summary.clone()),
                });
                if let Some(summary) = failed {
                    dependencies.give_up(&name, summary);
                    continue;
                }
                let origin = if dependencies.is_common(&name) {
                    IrOrigin::CommonDependency
                } else {
                    IrOrigin::Dependency
                };
                dumps.push((name, origin, dump));
            }
            let root = &version.extraction.source_root;
            let read = |(name, origin, dump): (String, IrOrigin, CrateDumpFiles)| {
                Ok((name.clone(), Texts::read(&dump, name, origin, root)?))
            };
            let read: Vec<(String, Texts)> =
                dumps.into_par_iter().map(read).collect::<anyhow::Result<_>>()?;
            version.dependencies.extend(read);
        }
        for version in [old, new] {
            version.dependencies.retain(|name, _| dependencies.why_unreadable(name).is_none());
        }
        Ok(())
    }

    fn build_dir(&self, version: Version) -> Utf8PathBuf {
        self.home.join("build").join(side_name(version))
    }

    /// Whether to build one version after the other, so that the second finds the foreign dependencies of the first. Only the first time
    /// is there anything to gain.
    pub(super) fn builds_foreign_once(&self, old: &Utf8Path, new: &Utf8Path) -> bool {
        let lock_files = || [&self.versions.old, &self.versions.new].map(|tree| tree.root.join("Cargo.lock"));
        !old.exists()
            && !new.exists()
            && lock_files().iter().all(|file| dependency_seed::is_worth_waiting(file))
    }

    pub(super) fn request(&self, tree: &VersionTree) -> anyhow::Result<ExtractRequest> {
        Ok(ExtractRequest {
            label: label_of(tree),
            root: tree.root.clone(),
            tree_key: tree.tree_key.clone(),
            manifest_path: tree.package_root.join("Cargo.toml"),
            target_dir: self.build_dir(tree.version),
            seed: Some(self.build_dir(tree.version.other())),
            cache_dir: self.home.join("cache"),
            selection: Selection { targets: self.targets, ..selection(self.options) },
            lock: lock_policy(self.options),
            jobs: self.options.build.jobs,
            toolchain: self.toolchain.clone(),
            wrapper_program: wrapper_program()?,
        })
    }
}

/// This program, which cargo is told to call in place of the compiler.
pub(super) fn wrapper_program() -> anyhow::Result<Utf8PathBuf> {
    let program = std::env::current_exe().context("cannot find the program's own file")?;
    Utf8PathBuf::try_from(program).context("the program's own path is not UTF-8")
}

/// What a version is called where it cannot be read.
pub(super) fn label_of(tree: &VersionTree) -> String {
    format!("the {} version [{}]", side_name(tree.version), tree.label)
}

pub(super) fn side_name(version: Version) -> &'static str {
    match version {
        Version::Old => "old",
        Version::New => "new",
    }
}

pub(super) fn selection(options: &Options) -> Selection {
    let workspace = &options.packages.workspace;
    let packages = if workspace.workspace || workspace.all {
        PackageChoice::Workspace { exclude: workspace.exclude.clone() }
    } else if workspace.package.is_empty() {
        PackageChoice::Default
    } else {
        PackageChoice::Named(workspace.package.clone())
    };
    let features = &options.packages.features;
    let base = match (features.all_features, features.no_default_features) {
        (true, _) => BaseFeatures::All,
        (false, true) => BaseFeatures::None,
        (false, false) => BaseFeatures::Default,
    };
    let profile = if options.build.release { Profile::Release } else { Profile::Dev };
    let features = FeatureChoice { base, named: features.features.clone() };
    Selection { packages, features, profile, targets: Targets::Program }
}

fn lock_policy(options: &Options) -> LockPolicy {
    let build = &options.build;
    match (build.frozen, build.locked, build.offline) {
        (true, _, _) | (_, true, true) => LockPolicy::Frozen,
        (_, true, false) => LockPolicy::Locked,
        (_, false, true) => LockPolicy::Offline,
        (false, false, false) => LockPolicy::Free,
    }
}

/// The text of one crate's dumps.
pub(super) struct Texts {
    name: String,
    origin: IrOrigin,
    mir: String,
    cfg: String,
    rustdoc: Option<Documentation>,
    /// None if the compiler did not show them, or not as tokens of Rust.
    declarations: Option<Declarations>,
    captures: Captures,
    /// Where the texts come from.
    files: CrateDumpFiles,
}

/// What rustdoc wrote of a crate. It is read once, as a crate is linked in several rounds into two programs.
enum Documentation {
    Read(Box<Docs>),
    /// Linking says what is wrong with it.
    Unreadable(String),
}

impl Documentation {
    fn read(path: &Utf8Path, name: &str) -> anyhow::Result<Documentation> {
        let json = read(path)?;
        Ok(match read_rustdoc(name, &json) {
            Ok(docs) => Documentation::Read(Box::new(docs)),
            Err(_) => Documentation::Unreadable(json),
        })
    }
}

/// What rustdoc knows of one version only (it may refuse the other) must not make both look different: types and bounds are then
/// those that the compiler's text has of both.
fn drop_lone_documentation(old: &mut [Texts], new: &mut [Texts]) {
    for old in old {
        if let Some(new) = new.iter_mut().find(|new| new.name == old.name)
            && old.rustdoc.is_none() != new.rustdoc.is_none()
        {
            old.rustdoc = None;
            new.rustdoc = None;
        }
    }
}

/// What is known of the captures of closures that the usual view drops.
#[derive(PartialEq, Eq)]
enum Captures {
    /// Nothing more was needed so far.
    AsPrinted,
    Restored {
        stable_mir: String,
    },
    /// The compiler does not give that view.
    Lost,
}

impl Texts {
    /// `root` is the folder of the version.
    fn read(dump: &CrateDumpFiles, name: String, origin: IrOrigin, root: &Utf8Path) -> anyhow::Result<Texts> {
        let target = target_of(&dump.invocation);
        let read = |path: &Utf8Path| -> anyhow::Result<String> {
            let text = read(path)?;
            Ok(with_places_hidden(&text, root.as_str(), target.as_str()).unwrap_or(text))
        };
        let required = |file: &DumpFile, what: &str| match file {
            DumpFile::Written(path) => read(path),
            DumpFile::Failed { summary, report } => Err(anyhow::anyhow!(
                "the compiler gave no {what} of `{}`: {summary}; the whole message is in {report}",
                dump.crate_name
            )),
        };
        let rustdoc = dump.rustdoc.path().map(|path| Documentation::read(path, &name)).transpose()?;
        let has_harness = dump.target == TargetKind::Tests;
        let declarations = match dump.expanded.path() {
            Some(path) if has_harness => {
                split_tests(&read(path)?).and_then(|(_, expanded)| read_expanded(&expanded))
            }
            Some(path) => read_expanded(&read(path)?),
            None => None,
        };
        let (mut mir, mut cfg) = (required(&dump.mir, "MIR")?, required(&dump.cfg, "MIR headers")?);
        if has_harness {
            (mir, cfg) = (bodies_without_harness(&mir), graphs_without_harness(&cfg));
        }
        Ok(Texts {
            name,
            declarations,
            origin,
            mir,
            cfg,
            rustdoc,
            captures: Captures::AsPrinted,
            files: dump.clone(),
        })
    }

    /// A selected crate. `others` are the names of all crates.
    ///
    /// rustdoc leaves tests out, and with them the crates that nothing else names. What begins with the name of such a crate would be read as
    /// an item of this one.
    fn of_selected(
        dump: &CrateDumpFiles,
        name: String,
        root: &Utf8Path,
        others: &BTreeSet<String>,
    ) -> anyhow::Result<Texts> {
        let mut texts = Texts::read(dump, name, IrOrigin::Subject, root)?;
        if dump.target == TargetKind::Tests {
            match &mut texts.rustdoc {
                Some(Documentation::Read(docs)) => {
                    docs.externs.extend(others.iter().cloned());
                    docs.externs.extend(extern_names(&dump.invocation.arguments));
                }
                _ => anyhow::bail!("rustdoc does not describe `{}`", dump.crate_name),
            }
        }
        Ok(texts)
    }

    pub(super) fn of_models(dump: &CrateDumpFiles) -> anyhow::Result<Texts> {
        Texts::read(dump, dump.crate_name.clone(), IrOrigin::StdModel, Utf8Path::new(""))
    }

    fn declarations(&self) -> CrateDeclarations<'_> {
        CrateDeclarations { crate_name: &self.name, declarations: self.declarations.as_ref() }
    }

    pub(super) fn dump(&self) -> CrateDump<'_> {
        CrateDump {
            crate_name: &self.name,
            origin: self.origin,
            mir: &self.mir,
            cfg: &self.cfg,
            rustdoc: self.rustdoc.as_ref().map(|rustdoc| match rustdoc {
                Documentation::Read(docs) => Rustdoc::Read(docs),
                Documentation::Unreadable(json) => Rustdoc::Json(json),
            }),
            stable_mir: match &self.captures {
                Captures::Restored { stable_mir } => Some(stable_mir),
                Captures::AsPrinted | Captures::Lost => None,
            },
            declarations: self.declarations.as_ref(),
        }
    }
}

/// The names of all crates.
fn crate_names(extraction: &Extraction) -> BTreeSet<String> {
    let selected = extraction.crates.iter().map(|dump| &dump.crate_name);
    selected.chain(extraction.dependencies.iter().map(|dependency| &dependency.crate_name)).cloned().collect()
}

fn read(path: &Utf8Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read {path}"))
}

/// The text of what is read of one version.
struct VersionTexts<'v> {
    tree: &'v VersionTree,
    extraction: Extraction,
    selected: Vec<Texts>,
    dependencies: BTreeMap<String, Texts>,
    /// The library as Charon translated it, if it did.
    document: Option<Document>,
}

impl<'v> VersionTexts<'v> {
    /// Selected crates of which no types are known, as rustdoc refuses them or their other version.
    fn undocumented(&self) -> impl Iterator<Item = Name> {
        self.selected.iter().filter(|texts| texts.rustdoc.is_none()).map(|texts| Name::new(&texts.name))
    }

    fn read(tree: &'v VersionTree, extraction: Extraction) -> anyhow::Result<VersionTexts<'v>> {
        let (crates, others) = (&extraction.crates, crate_names(&extraction));
        let selected = crates
            .iter()
            .map(|dump| {
                Texts::of_selected(dump, program_name(dump, crates), &extraction.source_root, &others)
            })
            .collect::<anyhow::Result<Vec<_>>>()?;
        Ok(VersionTexts { tree, extraction, selected, dependencies: BTreeMap::new(), document: None })
    }

    /// Dumps of all that is read.
    fn dumps_read(&self) -> impl Iterator<Item = &CrateDumpFiles> {
        self.selected.iter().chain(self.dependencies.values()).map(|texts| &texts.files)
    }

    fn names_read(&self) -> impl Iterator<Item = &String> {
        self.dependencies.keys()
    }

    /// The program of the version, but for what is declared in it. What Charon translated stands on top of what the compiler's text says of the rest.
    fn program(&self, models: &Library) -> Result<Program, ProgramError> {
        let translated = match &self.document {
            Some(_) => self.extraction.crates.iter().position(|dump| dump.target == TargetKind::Library),
            None => None,
        };
        let others = self.selected.iter().enumerate().filter(|(index, _)| Some(*index) != translated);
        let texts = others.map(|(_, texts)| texts).chain(self.dependencies.values());
        let program = build_program_on(models, &texts.map(Texts::dump).collect::<Vec<_>>())
            .map_err(ProgramError::Rustc)?;
        Ok(match (&self.document, translated) {
            (Some(document), Some(library)) => {
                let lowered = charon::lower(document, &program).map_err(ProgramError::Charon)?;
                with_relative_files(lowered.program, &self.extraction.crates[library].directory)
            }
            _ => program,
        })
    }

    /// Enters what is declared, and the lines of its files.
    fn declare_in(&self, program: &mut Program) {
        let texts = self.selected.iter().chain(self.dependencies.values());
        // What both versions have in common is the same, whatever it declares.
        let texts =
            texts.filter(|texts| texts.origin != IrOrigin::CommonDependency || texts.declarations.is_some());
        declare(program, &texts.map(Texts::declarations).collect::<Vec<_>>());
        program.lines = lines_of(program, self.directory());
    }

    /// Where the files lie that the compiler names.
    fn directory(&self) -> &Utf8Path {
        let first = self.extraction.crates.first();
        first.map_or(&self.extraction.source_root, |dump| &dump.directory)
    }

    /// The names of the crates that are compared.
    fn own_crates(&self) -> impl Iterator<Item = Name> {
        let crates = &self.extraction.crates;
        crates.iter().map(|dump| Name::from(program_name(dump, crates)))
    }

    /// The names of the crates that sources of those can name.
    fn direct_crates(&self) -> BTreeSet<Name> {
        let given = self.extraction.crates.iter().flat_map(|dump| extern_names(&dump.invocation.arguments));
        self.own_crates().chain(given.map(Name::from)).collect()
    }

    fn loaded(
        self,
        program: Program,
        defined_otherwise: BTreeSet<Path>,
        foreign_types: ForeignTypes,
    ) -> LoadedVersion {
        let directory = self.directory().to_owned();
        let extraction = self.extraction;
        let files = Arc::new(program.files.clone());
        let texts = self.selected.iter().chain(self.dependencies.values());
        let placed = match texts.clone().any(|texts| names_a_place(&texts.mir)) {
            true => with_places(&program),
            false => HashSet::new(),
        };
        LoadedVersion { program, extraction, files, directory, placed, defined_otherwise, foreign_types }
    }
}

/// Functions, and constants and statics, whose own bodies say where the crate lies.
fn with_places(program: &Program) -> HashSet<FnId> {
    let functions = program.functions.iter_enumerated();
    let is_placed = |body: &FnBody| match body {
        FnBody::Present(body) => names_a_place(&format!("{:?}", **body)),
        FnBody::Unreadable { .. } | FnBody::Missing => false,
    };
    let own = functions.filter(|(_, function)| function.origin != IrOrigin::StdModel);
    own.filter(|(_, function)| is_placed(&function.body)).map(|(id, _)| id).collect()
}

/// Which of the front ends failed.
enum ProgramError {
    Rustc(FrontendError),
    Charon(charon::CharonError),
}

/// The programs of both versions. A dependency whose dump is not understood is left out of both.
fn programs(
    old: &mut VersionTexts<'_>,
    new: &mut VersionTexts<'_>,
    models: &Library,
    dependencies: &mut Dependencies,
) -> anyhow::Result<(Program, Program)> {
    loop {
        let error = match rayon::join(|| old.program(models), || new.program(models)) {
            (Ok(old), Ok(new)) => return Ok((old, new)),
            (Err(ProgramError::Charon(error)), _) | (_, Err(ProgramError::Charon(error))) => {
                return Err(error.into());
            }
            (Err(ProgramError::Rustc(error)), _) | (_, Err(ProgramError::Rustc(error))) => error,
        };
        let name = error.crate_name().to_owned();
        let removed = (old.dependencies.remove(&name), new.dependencies.remove(&name));
        if removed.0.is_none() && removed.1.is_none() {
            return Err(error.into());
        }
        dependencies.give_up(&name, error.to_string());
    }
}

/// Crates that may hand on what another crate defines, another one in each version. Within a crate the compiler names what it uses by its own path; only
/// who sees another crate through one of these has but the name that it has there.
fn handing_on(old: &VersionTexts<'_>, new: &VersionTexts<'_>, dependencies: &Dependencies) -> BTreeSet<Name> {
    let mut found: BTreeSet<Name> = dependencies.in_tree().iter().map(Name::new).collect();
    for version in [old, new].into_iter().filter(|version| version.selected.len() > 1) {
        found.extend(version.own_crates());
    }
    found
}

/// A function and its path.
type Named = (FnId, Path);

/// Functions as they can be found again when more of the program is read. Adapters, which come last, stand for what they call.
fn names_of(program: &Program, functions: &[FnId]) -> Vec<Named> {
    let named = functions.iter().map(|function| {
        let function = program.in_sources(*function);
        let path = program.moved.source_name(program.functions[function].path.as_str());
        (function, Path::new(path))
    });
    named.collect()
}

fn named(program: &Program, functions: &[Named]) -> Vec<FnId> {
    let is_same = |(id, path): &&Named| program.functions.get(*id).is_some_and(|item| item.path == *path);
    functions.iter().filter(is_same).map(|(id, _)| *id).collect()
}

fn readable(names: impl Iterator<Item = Name>, dependencies: &Dependencies) -> Vec<String> {
    let is_readable = |name: &Name| dependencies.why_unreadable(name.as_str()).is_none();
    names.filter(is_readable).map(|name| name.to_string()).collect()
}

/// The functions of the old and of the new version that will be run.
fn functions_to_run(alignment: &Alignment, running: Running) -> (Vec<FnId>, Vec<FnId>) {
    let pairs = alignment.pairs.iter().filter(|pair| running == Running::All || needs_work(pair));
    let (old, new): (Vec<_>, Vec<_>) = pairs.map(|pair| (pair.old, pair.new)).unzip();
    (old.into_iter().flatten().collect(), new.into_iter().flatten().collect())
}
