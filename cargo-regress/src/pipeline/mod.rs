//! From two laid-out versions to a report.
//!
//! * [`load`], [`dependencies`]: dumps and programs of both versions
//! * [`front_end`], [`files`]: rustc's text or Charon's files, and such files without sources
//! * [`built`]: how both are built, as far as no body says it
//! * [`native`]: the native harnesses, and which subject runs where
//! * [`subject`]: one function, from pre-pass to verdict
//! * [`kept`], [`parts`]: reports of earlier runs, and of runs that share the work
//! * [`congruent`]: proofs that follow from proofs of other functions
//! * [`suspects`]: lines that changed, behind those that conditions name
//! * [`carried`]: texts of witnesses as inputs of public callers
//! * [`emit_tests`]: a test for each difference
//! * [`outside`]: what public callers show of a difference in a private function
//! * [`pictures`]: for the page: native runs along numeric inputs, and which functions may run which
//! * [`states`]: inputs that the crate itself may never make
//! * [`naming`]: how functions are called in the report
//! * [`list`](mod@list): functions and how each changed, without executing any
//! * [`explore`]: what one function does, from the working tree
//! * [`localize`](mod@localize): from a failing call or test to the lines that may be to blame
//! * [`campaign`]: the engine and its proofs against native runs, in bulk
//!
//! Invariant: every function of either version appears in the report, and a difference only with a witness that was run
//! natively on both versions.

mod built;
pub mod campaign;
mod carried;
mod congruent;
mod declared;
mod dependencies;
mod emit_tests;
mod explore;
mod files;
mod front_end;
mod kept;
mod list;
mod load;
mod localize;
mod models;
mod naming;
mod native;
mod outside;
mod parts;
mod pictures;
mod states;
mod subject;
mod suspects;

pub use explore::explore;
pub use list::list;
pub use localize::localize;

use std::collections::HashSet;

use camino::Utf8PathBuf;
use rayon::prelude::*;
use regress_core::align::{Alignment, Pair};
use regress_core::ir::FnId;
use regress_core::verdict::ChangeKind;

use crate::args::Options;
use crate::budget::Deadline;
use crate::command::Analysed;
use crate::extract::Toolchain;
use crate::harness::Patience;
use crate::jobserver::Jobserver;
use crate::progress::Progress;
use crate::report::{FunctionReport, Reach, Report, TreeSources, wording};
use crate::stats::{Clock, Stage};
use crate::versions::{Place, Versions};
use kept::Shelf;
use load::{Loaded, Running};
use native::Harnesses;
use subject::Effort;

/// What all steps of a run share.
pub(crate) struct Session<'a> {
    pub options: &'a Options,
    pub versions: &'a Versions,
    pub progress: &'a dyn Progress,
    pub toolchain: Toolchain,
    /// `<target>/regress`
    pub home: Utf8PathBuf,
    pub clock: Clock,
    pub jobserver: Jobserver,
}

/// Executing deeply nested calls of drop glue and constants needs more than the default.
const ANALYSIS_STACK: usize = 256 << 20;

/// Compares the versions and reports on every function.
pub fn analyse(
    options: &Options,
    place: &Place,
    versions: &Versions,
    progress: &dyn Progress,
) -> anyhow::Result<Analysed> {
    Session::with(options, place, versions, progress, |session| session.analyse())
}

impl<'a> Session<'a> {
    /// Sets up what a run needs, and runs `work` on threads with enough stack.
    fn with<T: Send>(
        options: &'a Options,
        place: &Place,
        versions: &'a Versions,
        progress: &'a dyn Progress,
        work: impl FnOnce(&Session<'a>) -> anyhow::Result<T> + Send,
    ) -> anyhow::Result<T> {
        let home = place.target_dir.join("regress");
        let toolchain = crate::extract::find_toolchain(&versions.new.package_root)?;
        let session = Session {
            options,
            versions,
            progress,
            toolchain,
            home,
            clock: Clock::default(),
            jobserver: Jobserver::from_env(),
        };
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(options.build.jobs.map_or(0, |jobs| jobs.get() as usize))
            .stack_size(ANALYSIS_STACK)
            .build()?;
        pool.install(|| work(&session))
    }
}

impl Session<'_> {
    fn analyse(&self) -> anyhow::Result<Analysed> {
        let shelf = Shelf::of(self);
        if !self.options.artefacts.fresh
            && let Some(kept) = shelf.as_ref().and_then(|shelf| shelf.read(self))
        {
            self.progress.step("Nothing has changed since an earlier run, whose findings these are");
            return Ok(kept);
        }
        let (loaded, alignment) = self.load(Running::Compared)?;
        let late = self.late_for_comparing();
        let harnesses = match late {
            Some(_) => Harnesses::default(),
            None => self.clock.time(Stage::Harness, || self.build_harnesses(&loaded, &alignment))?,
        };
        let late = late.or_else(|| self.late_for_comparing());
        let mut report = Report::on(self.versions);
        report.front_end = Some(loaded.front_end.clone());
        report.notes.extend(loaded.notes());
        report.notes.extend(harnesses.notes.iter().cloned());
        let directory = loaded.new.directory.strip_prefix(&self.versions.new.root);
        report.directory = directory.map(|inside| inside.as_str().replace('\\', "/")).unwrap_or_default();
        report.functions = match self.options.parts.found.as_slice() {
            [] => self.clock.time(Stage::Comparing, || self.judge(&loaded, &alignment, &harnesses)),
            files => parts::read(self, files)?.reports(&loaded, &alignment)?,
        };
        let sources = TreeSources::new(loaded.old.directory.clone(), loaded.new.directory.clone());
        if let Some(file) = &self.options.parts.findings {
            parts::write(self, file, &report.functions)?;
        }
        let pairs: Vec<&Pair> = self.own_pairs(&loaded, &alignment).map(|(_, pair)| pair).collect();
        congruent::conclude(&loaded, &alignment, &pairs, &mut report.functions);
        loaded.builds.qualify(&loaded, &pairs, &mut report.functions);
        if let Some(part) = self.options.parts.partition {
            let (judged, all) = (report.functions.len(), alignment.pairs.len());
            report.notes.push(format!(
                "only {part} was compared, {judged} of {all} functions; `cargo regress merge` puts parts together"
            ));
            report.unfinished = unfinished(&report.functions);
            report.notes.extend(late.or_else(|| self.note_on_unfinished(&report.unfinished)));
            report.stats = self.clock.stats();
            return Ok(Analysed { report, sources: Box::new(sources) });
        }
        if !self.options.budget.is_over() {
            self.clock.time(Stage::Carrying, || {
                carried::carry_texts(self, &loaded, &alignment, &harnesses, &mut report.functions);
            });
        }
        report.unfinished = unfinished(&report.functions);
        if !report.unfinished.is_empty() {
            report.notes.extend(late.or_else(|| self.note_on_unfinished(&report.unfinished)));
        }
        states::note_on_makers(&loaded.new.program, &alignment, &mut report.functions);
        outside::look_from_outside(&loaded, &alignment, &mut report.functions);
        if self.options.artefacts.html.is_some() && !self.options.budget.is_over() {
            report.pictures = self.clock.time(Stage::Pictures, || {
                pictures::pictures(self, &loaded, &alignment, &harnesses, &report.functions)
            });
        }
        report.tests = emit_tests::tests(&loaded, &alignment, &harnesses, &report.functions);
        report.stats = self.clock.stats();
        if let Some(shelf) = shelf.filter(|_| !self.options.budget.is_over()) {
            shelf.write(self, &loaded, &report);
        }
        Ok(Analysed { report, sources: Box::new(sources) })
    }

    /// How long calls of one function may be waited for.
    fn patience(&self) -> Patience {
        Patience::new(self.options.budget.deadline.map(Deadline::end))
    }

    /// What to say if the time for the whole run is over although nothing has been compared yet.
    fn late_for_comparing(&self) -> Option<String> {
        let deadline = self.options.budget.deadline.filter(|deadline| deadline.is_over())?;
        Some(format!(
            "{} was over before the comparison began, for building took {:.0} s; the next run finds the versions built",
            deadline.name(),
            deadline.elapsed().as_secs_f64()
        ))
    }

    fn note_on_unfinished(&self, unfinished: &[String]) -> Option<String> {
        let deadline = self.options.budget.deadline?;
        let functions = wording::count(unfinished.len() as u64, "function", "functions");
        Some(format!("{} was over before {functions} could be compared to the end", deadline.name()))
    }

    /// The pairs that this run judges, in the order of its reports: all, unless it is a run of a part.
    fn own_pairs<'a>(
        &self,
        loaded: &'a Loaded,
        alignment: &'a Alignment,
    ) -> impl Iterator<Item = Numbered<'a>> {
        let part = self.options.parts.partition;
        let is_own = move |pair: &Pair| parts::is_in(part, parts::path_of(loaded, pair.old, pair.new));
        alignment.pairs.iter().enumerate().filter(move |(_, pair)| is_own(pair))
    }

    /// Functions whose own body changed come first: the time may be over before all had their turn, and of others there may be nothing
    /// left to show.
    fn judge(&self, loaded: &Loaded, alignment: &Alignment, harnesses: &Harnesses) -> Vec<FunctionReport> {
        self.progress.step("Comparing");
        self.progress.set_total(alignment.pairs.iter().filter(|pair| needs_work(pair)).count() as u64);
        let work = Judging { session: self, loaded, alignment, harnesses };
        let (changed, others): (Vec<Numbered<'_>>, Vec<Numbered<'_>>) =
            self.own_pairs(loaded, alignment).partition(|(_, pair)| pair.kind == ChangeKind::Changed);
        let mut reports = work.reports(&changed, &HashSet::new());
        let judged = reports.iter().map(|(index, report)| (&alignment.pairs[*index], report));
        let following = congruent::of_changed(loaded, alignment, judged);
        reports.extend(work.reports(&others, &following));
        reports.sort_by_key(|(index, _)| *index);
        reports.into_iter().map(|(_, report)| report).collect()
    }
}

/// A pair with its place in the alignment.
type Numbered<'a> = (usize, &'a Pair);

/// What judging any function takes.
struct Judging<'j> {
    session: &'j Session<'j>,
    loaded: &'j Loaded,
    alignment: &'j Alignment,
    harnesses: &'j Harnesses,
}

impl Judging<'_> {
    /// Of functions that are `following` from what is known only native runs are made.
    fn reports(&self, pairs: &[Numbered<'_>], following: &HashSet<FnId>) -> Vec<(usize, FunctionReport)> {
        let one = |(index, pair): &Numbered<'_>| {
            let _token = needs_work(pair).then(|| self.session.jobserver.token());
            let effort = match pair.new.is_some_and(|new| following.contains(&new)) {
                true => Effort::NativeRuns,
                false => Effort::Whole,
            };
            let report =
                subject::report(self.session, self.loaded, self.alignment, self.harnesses, pair, effort);
            if needs_work(pair) {
                self.session.progress.advance();
            }
            (*index, report)
        };
        pairs.par_iter().map(one).collect()
    }
}

/// The functions of which more would be known had there been more time.
fn unfinished(functions: &[FunctionReport]) -> Vec<String> {
    let late = functions.iter().filter(|function| function.reach == Reach::OutOfTime);
    late.map(|function| function.path.clone()).collect()
}

/// Whether the function is executed, natively or symbolically.
fn needs_work(pair: &Pair) -> bool {
    matches!(pair.kind, ChangeKind::Changed | ChangeKind::Affected)
}
