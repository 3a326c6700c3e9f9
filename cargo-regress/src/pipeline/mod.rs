//! From two laid-out versions to a report.
//!
//! * [`load`]: dumps and programs of both versions
//! * [`front_end`], [`files`]: rustc's text or Charon's files, and such files without sources
//! * [`built`]: how both are built, as far as no body says it
//! * [`native`]: the native harnesses, and which subject runs where
//! * [`stages`]: what is known of each function: by itself, in the light of the others, and in the report
//! * [`schedule`]: the order of work, in rounds where the run has a time to keep
//! * [`subject`]: one function, from random runs to the verdict
//! * [`report_cache`], [`sharding`]: reports of earlier runs, and of runs that share the work
//! * [`chosen`]: functions that are named, where not all are compared
//! * [`congruent`]: proofs that follow from proofs of other functions
//! * [`suspects`]: lines that changed, behind those that conditions name
//! * [`carried`]: texts of witnesses as inputs of public callers
//! * [`test_calls`], [`given_types`]: calls of tests as inputs, and at which types they are
//! * [`observers`]: what other functions show of a difference in private fields
//! * [`other_types`]: changed generic functions at further choices of types
//! * [`emit_harness`]: what calls both versions, for proptest and Kani
//! * [`emit_tests`]: a test for each difference
//! * [`outside`]: what public callers show of a difference in a private function
//! * [`pictures`]: for the page: native runs along numeric inputs, and which functions may run which
//! * [`makers`]: which functions of the crate make inputs
//! * [`declared`], [`mentioned`]: how functions are declared, and what they may come to name
//! * [`invariants`]: inputs that the crate itself may never make
//! * [`naming`]: how functions are called in the report
//! * [`list`](mod@list): functions and how each changed, without executing any
//! * [`explore`]: what one function does, from the working tree
//! * [`affected`]: which tests a change can affect
//! * [`merge`](mod@merge): whether a merge does what either branch does
//! * [`localize`](mod@localize): from a failing call or test to the lines that may be to blame
//! * [`interaction`]: which changes a difference takes
//! * [`mixtures`]: versions that have some of the hunks of the change
//! * [`campaign`]: the engine and its proofs against native runs, in bulk
//!
//! Invariant: every function of either version appears in the report, and a difference only with a witness that was run
//! natively on both versions.

mod affected;
mod aligned;
mod built;
pub mod campaign;
mod carried;
mod chosen;
mod congruent;
mod declared;
mod discharge;
mod emit_harness;
mod emit_tests;
mod explore;
mod files;
mod front_end;
mod given_types;
mod interaction;
mod invariants;
mod leftover;
mod lines;
mod list;
mod load;
mod localize;
mod makers;
mod mentioned;
mod merge;
mod mixtures;
mod models;
mod naming;
mod native;
mod observers;
mod other_types;
mod outside;
mod pictures;
mod report_cache;
mod schedule;
mod sharding;
mod stages;
mod subject;
mod suspects;
mod test_calls;
mod unaffected;

pub use affected::affected_tests;
pub use explore::explore;
pub use list::list;
pub use localize::{commit_standing, history_ends, localize};
pub use merge::merge;

use std::sync::Arc;
use std::time::{Duration, Instant};

use camino::Utf8PathBuf;
use regress_core::align::{Alignment, Pair};
use regress_core::smt::Backend;

use crate::args::Options;
use crate::budget::Deadline;
use crate::extract::{Targets, Toolchain};
use crate::harness::Patience;
use crate::jobserver::Jobserver;
use crate::progress::Progress;
use crate::report::{FunctionReport, Reach, Report, TreeSources, WithSources, wording};
use crate::stats::{Clock, Stage};
use crate::versions::{Place, Versions};
use aligned::{Aligned, needs_work};
use load::Loaded;
use native::Harnesses;
use report_cache::ReportCache;

/// What all steps of a run share.
pub(crate) struct Session<'a> {
    pub options: &'a Options,
    pub versions: &'a Versions,
    pub progress: &'a dyn Progress,
    pub toolchain: Toolchain,
    /// `<target>/regress`
    pub home: Utf8PathBuf,
    pub clock: Arc<Clock>,
    pub jobserver: Jobserver,
    pub begun: Instant,
    /// Which targets of the packages are built and read.
    pub targets: Targets,
}

/// Executing deeply nested calls of drop glue and constants needs more than the default.
const ANALYSIS_STACK: usize = 256 << 20;

/// Compares the versions and reports on every function.
pub fn analyse(
    options: &Options,
    place: &Place,
    versions: &Versions,
    progress: &dyn Progress,
) -> anyhow::Result<WithSources<Report>> {
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
        let home = crate::extract::folder_for_variables(&place.target_dir.join("regress"));
        let toolchain = crate::extract::find_toolchain(&versions.new.package_root)?;
        let session = Session {
            options,
            versions,
            progress,
            toolchain,
            home,
            clock: Arc::default(),
            jobserver: Jobserver::from_env(),
            begun: Instant::now(),
            targets: Targets::Program,
        };
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(options.build.jobs.map_or(0, |jobs| jobs.get() as usize))
            .stack_size(ANALYSIS_STACK)
            .build()?;
        pool.install(|| work(&session))
    }
}

impl Session<'_> {
    /// The same for other versions and options.
    fn on<'b>(&'b self, versions: &'b Versions, options: &'b Options) -> Session<'b> {
        Session {
            options,
            versions,
            progress: self.progress,
            toolchain: self.toolchain.clone(),
            home: self.home.clone(),
            clock: Arc::default(),
            jobserver: Jobserver::from_env(),
            begun: self.begun,
            targets: self.targets,
        }
    }

    /// The same run with other options.
    fn with_options<'b>(&'b self, options: &'b Options) -> Session<'b> {
        Session { clock: Arc::clone(&self.clock), ..self.on(self.versions, options) }
    }

    fn analyse(&self) -> anyhow::Result<WithSources<Report>> {
        let cache = ReportCache::of(self);
        if !self.options.artefacts.fresh
            && let Some(mut kept) = cache.as_ref().and_then(|cache| cache.read(self))
        {
            chosen::keep(&self.options.parts.function, &mut kept.report)?;
            self.progress.step("Nothing has changed since an earlier run: reusing its results");
            return Ok(kept);
        }
        let (aligned, late) = self.aligned()?;
        let Aligned { loaded, alignment, harnesses, .. } = &aligned;
        let mut report = self.report_on(&aligned);
        let judged = match self.options.parts.found.as_slice() {
            [] => {
                let own = self.own_pairs(loaded, alignment)?;
                let mut options = self.options.clone();
                if let Some(deadline) = &mut options.budget.deadline {
                    *deadline = deadline.for_all_but(carried::share(*deadline));
                }
                let before_that = self.with_options(&options);
                self.clock.time(Stage::Comparing, || aligned.judge(&before_that, &own))
            }
            files => sharding::read(self, files)?.judged(&aligned)?,
        };
        if let Some(file) = &self.options.parts.findings {
            sharding::write(self, file, &judged)?;
        }
        let sources = TreeSources::new(loaded.old.directory.clone(), loaded.new.directory.clone());
        let sources = Box::new(sources);
        if let Some(part) = self.options.parts.partition {
            report.functions = judged.settled_in_part().reports_in_part();
            let (judged, all) = (report.functions.len(), alignment.pairs.len());
            report.notes.push(format!(
                "only {part} was compared, {judged} of {all} functions; `cargo regress merge` puts parts together"
            ));
            self.close(&mut report, late);
            return Ok(WithSources { report, sources });
        }
        if !self.options.parts.function.is_empty() {
            report.functions = judged.settled_alone(self).reports_in_part();
            report.notes.push(chosen::note(&report.functions, alignment.pairs.len()));
            report.tests = emit_tests::tests(&aligned, &report.functions);
            report.harness = emit_harness::harness(self, &aligned, &report.functions);
            self.close(&mut report, late);
            return Ok(WithSources { report, sources });
        }
        report.functions = judged.settled(self).reports();
        report.notes.extend(harnesses.note_on_fuzzing());
        if self.options.artefacts.html.is_some() && !self.options.budget.is_over() {
            report.pictures =
                self.clock.time(Stage::Pictures, || pictures::pictures(self, &aligned, &report.functions));
        }
        report.tests = emit_tests::tests(&aligned, &report.functions);
        report.harness = emit_harness::harness(self, &aligned, &report.functions);
        self.close(&mut report, late);
        // What compares functions ends before the time does, so that it is not over where some had no turn.
        let is_whole = report.unfinished.is_empty() && !self.options.budget.is_over() && !loaded.is_cut_short;
        if let Some(cache) = cache.filter(|_| is_whole) {
            cache.write(self, loaded, &report);
        }
        Ok(WithSources { report, sources })
    }

    /// Both versions, read, aligned and able to run, unless the time is over before; and what there is to say if it is.
    fn aligned(&self) -> anyhow::Result<(Aligned, Option<String>)> {
        let (loaded, alignment, ahead) = self.load_to_run()?;
        let read = self.options.budget.deadline.map(Deadline::elapsed).unwrap_or_default();
        let late = self.late_for_comparing(read);
        let build = || match late {
            Some(_) => Ok(Harnesses::default()),
            None => self.clock.time(Stage::Harness, || {
                match ahead {
                    Some(ahead) if alignment.pairs.iter().any(needs_work) => ahead.finish(),
                    _ => {}
                }
                self.build_harnesses(&loaded, &alignment)
            }),
        };
        // Cargo builds in processes of its own.
        let discharge =
            || self.clock.time(Stage::Discharge, || discharge::discharge(self, &loaded, &alignment));
        let (harnesses, discharged) = rayon::join(build, discharge);
        let harnesses = harnesses?;
        let late = late.or_else(|| self.late_for_comparing(read));
        Ok((Aligned::new(loaded, alignment, harnesses, discharged), late))
    }

    /// A report without functions, with what holds for all of them.
    fn report_on(&self, Aligned { loaded, harnesses, .. }: &Aligned) -> Report {
        let mut report = Report::on(self.versions);
        report.front_end = Some(loaded.front_end.clone());
        report.notes.extend(loaded.notes());
        report.notes.extend(Backend::default().note().map(str::to_owned));
        report.notes.extend(harnesses.notes.iter().cloned());
        let directory = loaded.new.directory.strip_prefix(&self.versions.new.root);
        report.directory = directory.map(|inside| inside.as_str().replace('\\', "/")).unwrap_or_default();
        report
    }

    /// Says what there was no time for, and how long the steps took.
    fn close(&self, report: &mut Report, late: Option<String>) {
        report.unfinished = unfinished(&report.functions);
        if !report.unfinished.is_empty() {
            report.notes.extend(late.or_else(|| self.note_on_unfinished(&report.unfinished)));
        }
        report.stats = self.clock.stats();
    }

    /// How long calls of one function, which has so much time left, may be waited for.
    fn patience(&self, left: Duration) -> Patience {
        let end = Instant::now() + left;
        Patience::new(Some(self.options.budget.deadline.map_or(end, |deadline| deadline.end().min(end))))
    }

    /// What to say if the time for the whole run is over although nothing has been compared yet. Until the versions were read, so much had passed.
    fn late_for_comparing(&self, read: Duration) -> Option<String> {
        let deadline = self.options.budget.deadline.filter(|deadline| deadline.is_over())?;
        let built = deadline.elapsed().saturating_sub(read).as_secs_f64();
        let built = if built < 1.0 { String::new() } else { format!(" and building {built:.0} s") };
        Some(format!(
            "{} was over before the comparison began, for reading both versions took {:.0} s{built}; the next run goes on from there",
            deadline.name(),
            read.as_secs_f64()
        ))
    }

    fn note_on_unfinished(&self, unfinished: &[String]) -> Option<String> {
        let deadline = self.options.budget.deadline?;
        let functions = wording::count(unfinished.len() as u64, "function", "functions");
        Some(format!("{} was over before {functions} could be compared to the end", deadline.name()))
    }

    /// The pairs that this run judges, in the order of its reports: all, unless it is a run of a part, or of functions that are named.
    fn own_pairs<'a>(&self, loaded: &Loaded, alignment: &'a Alignment) -> anyhow::Result<Vec<&'a Pair>> {
        let parts = &self.options.parts;
        if !parts.function.is_empty() {
            return chosen::pairs(&parts.function, loaded, alignment);
        }
        let is_own = |pair: &&Pair| sharding::is_in(parts.partition, sharding::path_of(loaded, pair));
        Ok(alignment.pairs.iter().filter(is_own).collect())
    }
}

/// The functions of which more would be known had there been more time.
fn unfinished(functions: &[FunctionReport]) -> Vec<String> {
    let late = functions.iter().filter(|function| function.reach == Reach::OutOfTime);
    late.map(|function| function.path.clone()).collect()
}
