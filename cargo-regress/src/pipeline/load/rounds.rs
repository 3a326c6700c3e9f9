//! What is read on demand, in rounds, until nothing more is led to.
//!
//! The selected crates and what they use of the tree are read at once, where spans are dear without them; spans are for people,
//! so only where there is something to show they are read; captures of closures once more where the usual view drops them. Foreign crates are read when a function that has to
//! be run may come to use them: one may lead to the next.

use std::collections::BTreeSet;
use std::time::Instant;

use mir_frontend::rustc::lacks_captures;
use rayon::prelude::*;
use regress_core::align::{
    Alignment, Items, Reassigned, add_adapters, align_items, compare_re_exports, crates_to_read, moved,
};
use regress_core::ir::{FnId, Name, Origin, Path, Program};
use regress_core::verdict::ChangeKind;

use super::dependencies::Dependencies;
use super::foundation::Foundation;
use super::texts::{Captures, Texts, drop_lone_documentation};
use super::version::{DefinedOtherwise, VersionTexts, crate_names, handing_on, programs};
use super::{Loaded, Running};
use crate::args::Frontend;
use crate::budget::Deadline;
use crate::extract::{self, Charon, CrateDumpFiles, DumpFile, Extraction, Spans, Targets};
use crate::pipeline::built::Builds;
use crate::pipeline::declared::{foreign_types, printed_otherwise};
use crate::pipeline::front_end::{FrontEnd, library, translate};
use crate::pipeline::{Session, needs_work};
use crate::stats::Stage;

/// Reading may take one of so many parts of the time for the whole run before it is cut short: the compiler takes seconds for each dependency, and native runs need none
/// of them to be read.
const PARTS: u64 = 4;

/// Both versions while they are read.
pub(super) struct Reading<'s> {
    session: &'s Session<'s>,
    running: Running,
    old: VersionTexts<'s>,
    new: VersionTexts<'s>,
    foundation: Foundation<'s>,
    builds: Builds,
    dependencies: Dependencies,
    /// Dependencies that the next round reads.
    wanted: BTreeSet<String>,
    /// What is to be run of the old and of the new version, once that is known.
    to_run: Option<[BTreeSet<Path>; 2]>,
    /// Selected crates of whose types nothing is known.
    undocumented: BTreeSet<Name>,
    /// What could not be read although it is needed, as the user is told.
    unread: BTreeSet<String>,
    /// Dependencies that there was no time to read.
    left_unread: BTreeSet<String>,
}

/// The program of the old and that of the new version.
pub(super) struct Programs {
    old: Program,
    new: Program,
}

/// Both programs, and what has become of the functions.
pub(super) struct AlignedPrograms {
    programs: Programs,
    alignment: Alignment,
}

impl<'s> Reading<'s> {
    /// Reads the selected crates. What they use of the tree is for the first round.
    pub fn of_selected(
        session: &'s Session<'s>,
        old: Extraction,
        new: Extraction,
        running: Running,
    ) -> anyhow::Result<Reading<'s>> {
        let builds = Builds::of(&old, &new, &session.toolchain);
        let dependencies = Dependencies::of(&old, &new);
        let foundation = Foundation::new(session, running)?;
        let (old, new) = rayon::join(
            || VersionTexts::read(&session.versions.old, old),
            || VersionTexts::read(&session.versions.new, new),
        );
        let (mut old, mut new) = (old?, new?);
        drop_lone_documentation(&mut old.selected, &mut new.selected);
        // What the last run was led to, this one most likely needs as well.
        let last = foundation.read_last().into_keys();
        let is_there =
            |name: &String| dependencies.is_common(name) && dependencies.why_unreadable(name).is_none();
        let wanted = dependencies.in_tree().into_iter().chain(last.filter(is_there)).collect();
        // Of types that nobody knows it is not known that they are the same, unless all is.
        let undocumented = match session.versions.are_identical() {
            true => BTreeSet::new(),
            false => old.undocumented().chain(new.undocumented()).collect(),
        };
        Ok(Reading {
            session,
            running,
            old,
            new,
            foundation,
            builds,
            wanted,
            dependencies,
            to_run: None,
            undocumented,
            unread: BTreeSet::new(),
            left_unread: BTreeSet::new(),
        })
    }

    /// Has Charon translate the libraries if it is the front end. Gives the one that reads them in the end.
    pub fn translate(&mut self, front_end: FrontEnd) -> anyhow::Result<FrontEnd> {
        let FrontEnd::Charon(tool) = &front_end else { return Ok(front_end) };
        match (self.translate_both(tool), self.session.options.frontend.frontend) {
            (Ok(()), _) => {
                for (name, version) in [("old", &self.old), ("new", &self.new)] {
                    if version.document.as_ref().is_some_and(|document| document.has_errors) {
                        self.unread.insert(format!(
                            "{name} version: Charon could not translate all of the crate; functions may be missing"
                        ));
                    }
                }
                Ok(front_end)
            }
            // Nobody asked for Charon, so that it does not do is no reason to stop.
            (Err(error), Frontend::Auto) => {
                (self.old.document, self.new.document) = (None, None);
                let detail = format!("{error:#}");
                let detail = detail.lines().next().unwrap_or_default();
                self.unread.insert(format!("read by rustc, since Charon failed: {detail}"));
                Ok(FrontEnd::Rustc)
            }
            (Err(error), _) => Err(error),
        }
    }

    fn translate_both(&mut self, tool: &Charon) -> anyhow::Result<()> {
        for version in [&mut self.old, &mut self.new] {
            let request = self.session.request(version.tree)?;
            let library = library(&version.extraction)?;
            version.document = Some(translate(tool, &request, library, self.session)?);
        }
        Ok(())
    }

    /// Reads what is wanted, and makes the programs of all that is read so far, without declarations.
    pub fn link(&mut self) -> anyhow::Result<Programs> {
        let session = self.session;
        // Each is read once: what is found out about it afterwards must not be forgotten.
        session.clock.time(Stage::Dependencies, || self.read_dependencies())?;
        session.progress.step("Reading both versions");
        let (mut old, mut new) = session.clock.time(Stage::Linking, || {
            programs(&mut self.old, &mut self.new, &mut self.foundation, &mut self.dependencies)
        })?;
        old.direct_crates = self.old.direct_crates();
        new.direct_crates = self.new.direct_crates();
        Ok(Programs { old, new })
    }

    /// Whether what is to be run leads to more, now that more is read: asked before the versions are aligned anew, which takes longer
    /// than all else.
    pub fn leads_to_more(&mut self, programs: &Programs) -> bool {
        let Some([of_old, of_new]) = &self.to_run else { return false };
        let others = self.dependencies.without(&self.names_read());
        // Where all that was read is the same, both lead to the same but for a little, and what is missing is found when they are aligned.
        let asks_old = !self.old.dependencies.is_empty();
        let (of_old, of_new) = rayon::join(
            || match asks_old {
                true => {
                    let items = &mut Items::new(&programs.old);
                    crates_to_read(items, &functions_at(&programs.old, of_old), &others)
                }
                false => BTreeSet::new(),
            },
            || {
                let items = &mut Items::new(&programs.new);
                crates_to_read(items, &functions_at(&programs.new, of_new), &others)
            },
        );
        self.wanted.extend(readable(of_old.into_iter().chain(of_new), &self.dependencies));
        self.has_time_to_read()
    }

    /// Enters what is declared, and how both are built. None if captures of closures had to be read first.
    pub fn declare_in(&mut self, programs: Programs) -> anyhow::Result<Option<Programs>> {
        let session = self.session;
        let Programs { mut old, mut new } = programs;
        session.clock.time(Stage::Linking, || {
            let below = self.foundation.program();
            rayon::join(|| self.old.declare_in(&mut old, below), || self.new.declare_in(&mut new, below))
        });
        let dumps = self.old.dumps_read().chain(self.new.dumps_read());
        self.builds.note_crates(dumps.chain(self.foundation.dumps()));
        if session.versions.are_identical() {
            old.declared.frames.clear();
            new.declared.frames.clear();
        } else {
            moved(&old, &new).apply_to(&mut old);
        }
        self.builds.apply(&mut old, &mut new);
        let has_more = read_captures(session, &mut self.old, &old)?
            | read_captures(session, &mut self.new, &new)?
            | self.read_captures_of_common(&new)?;
        Ok((!has_more).then_some(Programs { old, new }))
    }

    /// Aligns the versions, and finds what their functions refer to that is not read yet.
    pub fn align(&mut self, programs: Programs) -> AlignedPrograms {
        let session = self.session;
        session.progress.step("Aligning the versions");
        let aligning = Instant::now();
        let Programs { mut old, mut new } = programs;
        let read = self.names_read();
        let mut changed = self.dependencies.changed(&read);
        changed.extend(self.undocumented.iter().cloned());
        if session.targets == Targets::Tests && !session.versions.are_identical() {
            // A name that leads nowhere then counts as changed, should another crate be taken for a module.
            changed.insert(Name::new("?"));
        }
        let handing_on = handing_on(&self.old, &self.new, &self.dependencies);
        let surroundings = self.builds.surroundings(changed, handing_on, self.dependencies.elsewhere());
        self.unread.extend(compare_re_exports(&mut old, &mut new).iter().map(reassigned));
        add_adapters(&mut old, &mut new);
        let (mut old_items, mut new_items) = (Items::new(&old), Items::new(&new));
        let alignment = align_items(&mut old_items, &mut new_items, &surroundings);
        let others = self.dependencies.without(&read);
        let (old_run, new_run) = functions_to_run(&alignment, self.running);
        let (mut needed, of_new) = rayon::join(
            || crates_to_read(&mut old_items, &old_run, &others),
            || crates_to_read(&mut new_items, &new_run, &others),
        );
        needed.extend(of_new);
        let is_first = self.to_run.is_none();
        self.to_run = Some([paths_of(&old, &old_run), paths_of(&new, &new_run)]);
        session.clock.add(Stage::Aligning, aligning.elapsed());
        self.wanted.extend(readable(needed.iter().cloned(), &self.dependencies));
        for name in needed.iter().filter(|name| !self.left_unread.contains(name.as_str())) {
            let reason = self.dependencies.why_unreadable(name.as_str());
            self.unread
                .extend(reason.map(|reason| format!("the dependency `{name}` is not executed: {reason}")));
        }
        // What the functions themselves refer to is read in any case: nothing else tells of the types that they take.
        if !is_first {
            self.has_time_to_read();
        }
        AlignedPrograms { programs: Programs { old, new }, alignment }
    }

    /// Whether there is more to read: dependencies, or the places of statements where there is something to show.
    pub fn is_unfinished(&mut self, aligned: &AlignedPrograms) -> anyhow::Result<bool> {
        let mut pairs = aligned.alignment.pairs.iter();
        let must_show = self.running == Running::All || pairs.any(|pair| pair.kind != ChangeKind::Unchanged);
        let session = self.session;
        let has_more = must_show && read_spans(session, &mut self.old)? | read_spans(session, &mut self.new)?;
        Ok(has_more || !self.wanted.is_empty())
    }

    /// As [`read_captures`], of the dependencies that both versions have in common.
    fn read_captures_of_common(&mut self, program: &Program) -> anyhow::Result<bool> {
        let lacking = with_lacking_captures(program);
        let mut has_more = false;
        for (name, dependency) in self.foundation.dependencies_mut() {
            if dependency.captures == Captures::AsPrinted && lacking.iter().any(|path| may_be_of(path, name))
            {
                dependency.read_captures(self.session)?;
                has_more = true;
            }
        }
        Ok(has_more)
    }

    pub fn loaded(self, aligned: AlignedPrograms, front_end: String) -> (Loaded, Alignment) {
        self.foundation.keep();
        let AlignedPrograms { programs, alignment } = aligned;
        let mut types: BTreeSet<Path> = alignment.common.paths().cloned().collect();
        types.extend(printed_otherwise(&programs.new, &alignment));
        let otherwise = DefinedOtherwise { types, completed: alignment.common.completed.clone() };
        let own = self.old.own_crates().chain(self.new.own_crates()).collect();
        let is_common = |name: &Name| self.dependencies.is_common(name.as_str());
        let of_tree = self.dependencies.in_tree();
        let is_in_tree = |name: &Name| of_tree.contains(name.as_str());
        let foreign = foreign_types([&programs.old, &programs.new], &own, is_common, is_in_tree);
        let is_cut_short = !self.left_unread.is_empty();
        let unread = self.unread.iter().cloned().chain(self.note_on_left_unread()).collect();
        let foundation = &self.foundation;
        let old = self.old.loaded(programs.old, otherwise.clone(), foreign.clone(), foundation);
        let new = self.new.loaded(programs.new, otherwise, foreign, foundation);
        (Loaded { old, new, unread, is_cut_short, front_end, builds: self.builds }, alignment)
    }

    fn names_read(&self) -> BTreeSet<String> {
        let names = self.old.names_read().chain(self.new.names_read());
        names.chain(self.foundation.names()).cloned().collect()
    }

    /// Whether something is wanted and there is time to read it; if not it is given up. What calls functions of a dependency can be run natively all the same, and
    /// nobody waits for the bodies of all that it leads to before anything is compared.
    fn has_time_to_read(&mut self) -> bool {
        let is_late = |deadline: Deadline| deadline.elapsed().as_secs() * PARTS > deadline.seconds();
        if !self.session.options.budget.deadline.is_some_and(is_late) {
            return !self.wanted.is_empty();
        }
        for name in std::mem::take(&mut self.wanted) {
            self.dependencies.give_up(&name, "there was no time to read it".to_owned());
            self.left_unread.insert(name);
        }
        false
    }

    fn note_on_left_unread(&self) -> Option<String> {
        let names = &self.left_unread;
        let deadline = self.session.options.budget.deadline.filter(|_| !names.is_empty())?;
        let listed: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let dependencies = if names.len() == 1 { "the dependency" } else { "the dependencies" };
        Some(format!(
            "{dependencies} {} {} not executed: to read more than was read in a quarter of {} would leave too little for the functions; the next run goes on from there",
            listed.join(", "),
            if names.len() == 1 { "is" } else { "are" },
            deadline.name()
        ))
    }

    /// Reads the dependencies that are wanted: those that are the same in both versions once, others in both. What fails in one is read in
    /// neither, so that it is not taken for something that came or went.
    fn read_dependencies(&mut self) -> anyhow::Result<()> {
        let names = std::mem::take(&mut self.wanted);
        let (common, others): (BTreeSet<_>, BTreeSet<_>) =
            names.into_iter().partition(|name| self.dependencies.is_common(name));
        let dumps = dumps_of(self.session, &self.new, &common, &mut self.dependencies)?;
        self.foundation.add(dumps, &self.new.extraction.source_root)?;
        for version in [&mut self.old, &mut self.new] {
            let dumps = dumps_of(self.session, version, &others, &mut self.dependencies)?;
            let root = &version.extraction.source_root;
            let read = |(name, dump): (String, CrateDumpFiles)| {
                Ok((name.clone(), Texts::read(&dump, name, Origin::Dependency, root)?))
            };
            let read: Vec<(String, Texts)> =
                dumps.into_par_iter().map(read).collect::<anyhow::Result<_>>()?;
            version.dependencies.extend(read);
        }
        for version in [&mut self.old, &mut self.new] {
            version.dependencies.retain(|name, _| self.dependencies.why_unreadable(name).is_none());
        }
        Ok(())
    }
}

/// The dumps of dependencies of a version, by their names. What fails is given up.
fn dumps_of(
    session: &Session<'_>,
    version: &VersionTexts<'_>,
    names: &BTreeSet<String>,
    dependencies: &mut Dependencies,
) -> anyhow::Result<Vec<(String, CrateDumpFiles)>> {
    let request = session.request(version.tree)?;
    let all = version.extraction.dependencies.iter();
    let wanted: Vec<_> = all.filter(|dependency| names.contains(&dependency.crate_name)).collect();
    let mut dumps = Vec::new();
    for dump in extract::dump_dependencies(&request, &wanted, session.progress)? {
        let failed = dump.dumps().into_iter().find_map(|dump| match dump {
            DumpFile::Written(_) => None,
            DumpFile::Failed { summary, .. } => Some(summary.clone()),
        });
        match failed {
            Some(summary) => dependencies.give_up(&dump.crate_name, summary),
            None => dumps.push((dump.crate_name.clone(), dump)),
        }
    }
    Ok(dumps)
}

/// Reads the places of statements of the selected crates that were read without. Tells whether there were any.
fn read_spans(session: &Session<'_>, version: &mut VersionTexts<'_>) -> anyhow::Result<bool> {
    let request = session.request(version.tree)?;
    let mut has_more = false;
    let others = crate_names(&version.extraction);
    let source_root = version.extraction.source_root.clone();
    for (dump, texts) in version.extraction.crates.iter_mut().zip(&mut version.selected) {
        if dump.spans == Spans::Included {
            continue;
        }
        dump.mir = extract::dump_spans(&request, dump, session.progress)?;
        dump.spans = Spans::Included;
        let captures = std::mem::replace(&mut texts.captures, Captures::AsPrinted);
        *texts = Texts::of_selected(dump, texts.name.clone(), &source_root, &others)?;
        texts.captures = captures;
        has_more = true;
    }
    Ok(has_more)
}

/// Reads the view that names all captures of closures, of crates of which the usual one dropped some. Tells whether
/// there were any.
fn read_captures(
    session: &Session<'_>,
    version: &mut VersionTexts<'_>,
    program: &Program,
) -> anyhow::Result<bool> {
    let lacking = with_lacking_captures(program);
    let request = session.request(version.tree)?;
    let mut has_more = false;
    for texts in version.selected.iter_mut().chain(version.dependencies.values_mut()) {
        if texts.captures == Captures::AsPrinted && lacking.iter().any(|path| may_be_of(path, &texts.name)) {
            let view = extract::dump_stable_mir(&request, &texts.files, session.progress)?;
            texts.captures = Captures::read(&view)?;
            has_more = true;
        }
    }
    Ok(has_more)
}

fn with_lacking_captures(program: &Program) -> Vec<&Path> {
    program.functions.iter().filter(|item| lacks_captures(item)).map(|item| &item.path).collect()
}

/// Whether a function is one of the crate, as far as its path tells.
fn may_be_of(path: &Path, crate_name: &str) -> bool {
    path.as_str().contains(&format!("{crate_name}::"))
}

/// The paths of functions, by which they can be found again when more of the program is read. Adapters stand for what they call.
fn reassigned(Reassigned { name, old, new }: &Reassigned) -> String {
    format!(
        "`{name}` stands for `{new}`, where it stood for `{old}`: what this changes for its users is not compared"
    )
}

fn paths_of(program: &Program, functions: &[FnId]) -> BTreeSet<Path> {
    let path = |function: &FnId| {
        let function = program.in_sources(*function);
        Path::new(program.moved.source_name(program.functions[function].path.as_str()))
    };
    functions.iter().map(path).collect()
}

fn functions_at(program: &Program, paths: &BTreeSet<Path>) -> Vec<FnId> {
    paths.iter().flat_map(|path| program.functions_at(path)).copied().collect()
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
