//! The native harnesses of both versions, one per crate, and where each subject is found in them.

mod requests;

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use camino::Utf8PathBuf;
use rayon::prelude::*;
use regress_core::align::{Alignment, Pair, functions_reached};
use regress_core::compare::{Chooser, Instantiation};
use regress_core::exec::Makers;
use regress_core::idx::IdxVec;
use regress_core::ir::{CommonShapes, FnId, Owner, Program, ResultTypes, Subst, Ty};
use regress_core::verdict::{ChangeKind, Version};

use self::requests::{declarations_of, maker_requests};
pub(super) use self::requests::{is_in_crate, subject_request};
use super::load::{Loaded, LoadedVersion, program_name};
use super::{Session, makers, needs_work, schedule};
use crate::harness::{
    Availability, Both, Harness, HarnessRequest, Known, Limits, Literals, Patience, Refusals, RefusedGlue,
    SubjectId, SubjectRequest, Told, WorkerKind, build_telling, confine,
};
use crate::versions::VersionTree;
use regress_core::verdict::not_analysed::{NotRun, Refused};

/// Changed functions of which the constants are tried elsewhere.
const MOST_CHANGED: usize = 16;

/// Where functions can be run natively; by default nowhere.
#[derive(Default)]
pub(super) struct Harnesses {
    old: Side,
    new: Side,
    /// What is built while functions of the first part are compared.
    later: Option<Later>,
    /// Instrumented workers.
    guided: Guided,
    /// What generic parameters stand for, by functions of the old and new version; or why nothing does.
    instantiations: HashMap<(FnId, FnId), Result<Instantiation, Refused>>,
    /// Functions that make values of the types that parameters consist of, in both versions.
    makers: Makers,
    /// What types that differ between the versions have in common.
    common: CommonShapes,
    /// Functions of the new version whose results are of another type than in the old one.
    other_results: HashSet<FnId>,
    pub notes: Vec<String>,
}

/// Functions that are built after the others, where a run has a time to keep: those farthest from what changed.
#[derive(Default)]
struct Later {
    /// By functions of the old and new version.
    pairs: HashSet<(FnId, FnId)>,
    old_wanted: Vec<(FnId, Subst)>,
    new_wanted: Vec<(FnId, Subst)>,
    built: OnceLock<[Side; 2]>,
}

/// Workers for fuzzing, built when they are first asked for: of what changed, and of some functions next to it.
#[derive(Default)]
struct Guided {
    /// By functions of the old and new version.
    pairs: HashSet<(FnId, FnId)>,
    old_wanted: Vec<(FnId, Subst)>,
    new_wanted: Vec<(FnId, Subst)>,
    built: OnceLock<[Side; 2]>,
    /// What keeps them from being instrumented.
    trouble: OnceLock<String>,
}

/// Which of the builds of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    First,
    Later,
    Guided,
    /// Of functions at other types than the chosen ones, by the number of the choice.
    OtherTypes(usize),
    Observers,
}

/// So many functions have instrumented workers, and all that changed.
const MOST_GUIDED: usize = 24;

/// So many functions are built first, and all that changed: cargo takes some ten seconds for them.
const MOST_FIRST: usize = 120;

/// A function that makes values, and of which type.
type MakerOf = (FnId, Ty);

#[derive(Default)]
struct Side {
    /// Functions of this version by which its harness can make values.
    can_make: HashSet<MakerOf>,
    built: Vec<Harness>,
    subjects: HashMap<FnId, (usize, SubjectId)>,
    /// What rustc refused of the glue, by program name.
    refused: HashMap<String, RefusedGlue>,
    /// Crates whose harness could not be built, and why: by program name.
    failed: HashMap<String, String>,
    crate_of: HashMap<FnId, String>,
    /// Functions that may come to say where the crate lies.
    placed: HashSet<FnId>,
}

/// What a build begins with, whom it tells what it found out and whom it asks, by the program names of crates.
struct Exchange<'e> {
    began: &'e (dyn Fn(&str) -> RefusedGlue + Sync),
    tell: &'e (dyn Fn(&str, RefusedGlue, Known) + Sync),
    other: &'e (dyn Fn(&str, Known) -> RefusedGlue + Sync),
}

impl<'e> Exchange<'e> {
    fn beginning_with(began: &'e (dyn Fn(&str) -> RefusedGlue + Sync)) -> Exchange<'e> {
        Exchange { began, tell: &|_, _, _| (), other: &|_, _| RefusedGlue::default() }
    }
}

/// A function that can be run natively, or the reason why not.
pub(super) enum Runnable<'h> {
    Yes { harness: &'h Harness, subject: SubjectId },
    No { reason: NotRun },
}

impl Harnesses {
    /// With what the results of both versions have in common.
    pub fn for_results_of(self, alignment: &Alignment) -> Harnesses {
        let functions = alignment.pairs.iter().filter_map(|pair| pair.new);
        let other_results = functions.filter(|id| alignment.results(*id) == ResultTypes::Other).collect();
        Harnesses { common: alignment.common.clone(), other_results, ..self }
    }

    /// What the generic parameters of both functions stand for, or why the functions cannot be run.
    pub fn instantiation(&self, old: FnId, new: FnId) -> Result<Instantiation, Refused> {
        self.chosen(old, new).unwrap_or_else(|| Ok(Instantiation::default()))
    }

    /// The same, if something was chosen for these functions.
    pub fn chosen(&self, old: FnId, new: FnId) -> Option<Result<Instantiation, Refused>> {
        self.instantiations.get(&(old, new)).cloned()
    }

    /// What rustc refused of a crate's glue, so that it is not tried again.
    pub fn refused(&self, version: Version, crate_name: &str) -> RefusedGlue {
        let side = if version == Version::Old { &self.old } else { &self.new };
        side.refused.get(crate_name).cloned().unwrap_or_default()
    }

    /// What makes values of the types that parameters consist of.
    pub fn makers(&self) -> &Makers {
        &self.makers
    }

    pub fn runnable(&self, version: Version, function: FnId) -> Runnable<'_> {
        let side = self.side(version, function);
        if side.placed.contains(&function) {
            return Runnable::No { reason: NotRun::PlaceSeen };
        }
        let Some((index, subject)) = side.subjects.get(&function).copied() else {
            let failed = side.crate_of.get(&function).and_then(|name| side.failed.get(name));
            let reason = failed.cloned().map_or(NotRun::NoPlace, NotRun::Said);
            return Runnable::No { reason };
        };
        let harness = &side.built[index];
        match harness.availability(subject) {
            Availability::Ready { .. } => Runnable::Yes { harness, subject },
            Availability::Unavailable { reason } => Runnable::No { reason: NotRun::Said(reason.clone()) },
        }
    }
}

impl Harnesses {
    /// Where the function is built, if it is.
    fn side(&self, version: Version, function: FnId) -> &Side {
        let (first, index) = match version {
            Version::Old => (&self.old, 0),
            Version::New => (&self.new, 1),
        };
        let later = self.later.as_ref().and_then(|later| later.built.get()).map(|sides| &sides[index]);
        later.filter(|later| !first.has(function) && later.has(function)).unwrap_or(first)
    }

    /// Whether the functions are built with those that come later.
    pub fn comes_later(&self, old: FnId, new: FnId) -> bool {
        self.later.as_ref().is_some_and(|later| later.pairs.contains(&(old, new)))
    }

    /// Whether those that come later can be run by now, or there are none.
    pub fn is_whole(&self) -> bool {
        self.later.as_ref().is_none_or(|later| later.built.get().is_some())
    }

    /// Both versions of a function, able to run; or why one of them is not.
    pub fn both(&self, (old, new): (FnId, FnId), limits: Limits, patience: Patience) -> Result<Both, NotRun> {
        let side = |version, function| match self.runnable(version, function) {
            Runnable::Yes { harness, subject } => Ok((harness.worker(limits), subject)),
            Runnable::No { reason } => Err(reason),
        };
        let common = self.common_of(new);
        let (old, new) = (side(Version::Old, old)?, side(Version::New, new)?);
        Ok(Both { old, new, patience, common })
    }

    /// What both versions of a function have in common.
    fn common_of(&self, new: FnId) -> CommonShapes {
        let results = match self.other_results.contains(&new) {
            true => ResultTypes::Other,
            false => ResultTypes::Same,
        };
        self.common.clone().with_results(results)
    }

    /// The same with instrumented workers, if there are any for these functions. The first to ask has them built by `build`.
    fn both_guided(
        &self,
        (old, new): (FnId, FnId),
        limits: Limits,
        build: impl FnOnce() -> (Side, Side),
    ) -> Option<Both> {
        if !self.guided.pairs.contains(&(old, new)) || self.guided.trouble.get().is_some() {
            return None;
        }
        let [old_side, new_side] = self.guided.built.get_or_init(|| build().into());
        for side in [old_side, new_side] {
            if let Some(reason) = side.failed.values().next() {
                self.report_trouble(reason);
            }
        }
        let of = |side: &Side, function| {
            let (index, subject) = side.subjects.get(&function)?;
            Some((side.built[*index].worker(limits), *subject))
        };
        let common = self.common_of(new);
        let (old, new) = (of(old_side, old)?, of(new_side, new)?);
        Some(Both { old, new, patience: Patience::new(None), common })
    }

    /// Whether instrumented workers are there.
    pub fn is_guided(&self) -> bool {
        self.guided.built.get().is_some()
    }

    /// Nothing more is fuzzed.
    pub fn report_trouble(&self, reason: &str) {
        // The first reason is as good as another.
        let _ = self.guided.trouble.set(reason.to_owned());
    }

    /// That nothing was fuzzed, if that was for lack of instrumented workers.
    pub fn note_on_fuzzing(&self) -> Option<String> {
        let reason = self.guided.trouble.get()?;
        Some(format!("functions are not fuzzed, as their coverage is not known: {reason}"))
    }

    /// Constants and texts of both versions that are worth trying.
    pub fn literals(&self, old: FnId, new: FnId) -> Literals {
        let of = |version, function| match self.runnable(version, function) {
            Runnable::Yes { harness, subject } => harness.literals(subject).clone(),
            Runnable::No { .. } => Literals::default(),
        };
        Literals::of_both(&of(Version::Old, old), &of(Version::New, new))
    }

    /// Those of functions that changed, of not too many: by the names in its source, a function does not lead to what it calls by a trait.
    pub fn literals_of_changed(&self, alignment: &Alignment) -> Literals {
        let mut found = Literals::default();
        let changed = alignment.pairs.iter().filter(|pair| pair.kind == ChangeKind::Changed);
        for (old, new) in changed.filter_map(|pair| pair.old.zip(pair.new)).take(MOST_CHANGED) {
            found.add_of_changed(&self.literals(old, new));
        }
        found
    }
}

/// The types of which a method changed.
pub(super) fn types_that_changed(program: &Program, alignment: &Alignment) -> Vec<Ty> {
    let mut types = Vec::new();
    let changed = alignment.pairs.iter().filter(|pair| pair.kind == ChangeKind::Changed);
    for function in changed.filter_map(|pair| pair.new) {
        let ty = match &program.functions[function].owner {
            Owner::Inherent { self_ty, .. } => self_ty,
            Owner::TraitImpl(id) => &program.impls[*id].trait_ref.self_ty,
            _ => continue,
        };
        if !types.contains(ty) {
            types.push(ty.clone());
        }
    }
    types
}

impl Side {
    fn has(&self, function: FnId) -> bool {
        self.crate_of.contains_key(&function) || self.placed.contains(&function)
    }
}

impl Session<'_> {
    /// Builds the harnesses of both versions for the functions that will be executed; where the run has a time to keep, of many functions those
    /// that come first in the order of turns. [`Session::build_later`] builds the others.
    pub(super) fn build_harnesses(
        &self,
        loaded: &Loaded,
        alignment: &Alignment,
    ) -> anyhow::Result<Harnesses> {
        self.build_harnesses_of(loaded, alignment, needs_work)
    }

    /// Builds what was left for later. It is over by the end of the run: then cargo is ended, and nothing is built.
    pub(super) fn build_later(&self, loaded: &Loaded, harnesses: &Harnesses) {
        let Some(later) = &harnesses.later else { return };
        let wanted = [later.old_wanted.as_slice(), later.new_wanted.as_slice()];
        let found_out = [&harnesses.old, &harnesses.new].map(|side| &side.refused);
        let sides = self.build_sides(loaded, wanted, &harnesses.makers, Part::Later, found_out);
        let is_over = self.options.budget.is_over();
        if !is_over {
            // It is built once.
            let _ = later.built.set(sides.into());
        }
    }

    /// Both versions of a function in instrumented workers; none if there are none.
    pub(super) fn both_guided(
        &self,
        loaded: &Loaded,
        harnesses: &Harnesses,
        functions: (FnId, FnId),
    ) -> Option<Both> {
        let Guided { old_wanted, new_wanted, .. } = &harnesses.guided;
        // What was refused of plain workers is refused of these.
        let side = |tree, version, wanted, known: &HashMap<String, RefusedGlue>| {
            let began = |name: &str| known.get(name).cloned().unwrap_or_default();
            let exchange = Exchange::beginning_with(&began);
            self.build_side(tree, version, wanted, &harnesses.makers, Part::Guided, &exchange)
        };
        // Threads of their own: those of the pool may all be waiting for this.
        let build = || {
            std::thread::scope(|scope| {
                let of_old = || side(&self.versions.old, &loaded.old, old_wanted, &harnesses.old.refused);
                let old = scope.spawn(of_old);
                let new = side(&self.versions.new, &loaded.new, new_wanted, &harnesses.new.refused);
                let failed = |_| Side {
                    failed: HashMap::from([(String::new(), "the build panicked".to_owned())]),
                    ..Side::default()
                };
                (old.join().unwrap_or_else(failed), new)
            })
        };
        harnesses.both_guided(functions, self.options.search.call_limits(), build)
    }

    /// Builds the harnesses of both versions for the functions of these pairs.
    pub(super) fn build_harnesses_of(
        &self,
        loaded: &Loaded,
        alignment: &Alignment,
        is_wanted: impl Fn(&Pair) -> bool,
    ) -> anyhow::Result<Harnesses> {
        let changed_types = types_that_changed(&loaded.new.program, alignment);
        let preferred = |kind: ChangeKind| match kind {
            ChangeKind::Affected => changed_types.as_slice(),
            _ => &[],
        };
        self.build_harnesses_at(loaded, alignment, is_wanted, preferred)
    }

    /// The same at types of which those come first that are preferred for functions that changed so.
    pub(super) fn build_harnesses_at<'t>(
        &self,
        loaded: &Loaded,
        alignment: &Alignment,
        is_wanted: impl Fn(&Pair) -> bool,
        preferred: impl Fn(ChangeKind) -> &'t [Ty] + Sync,
    ) -> anyhow::Result<Harnesses> {
        let deadline = self.options.budget.deadline;
        let mut pairs = self.own_pairs(loaded, alignment)?;
        pairs.retain(|pair| is_wanted(pair));
        let order = schedule::in_order(&loaded.new.program, &pairs, deadline).into_iter();
        let ids = |number: usize| Some((pairs[number].old?, pairs[number].new?, pairs[number].kind));
        let ordered: Vec<(FnId, FnId, ChangeKind)> = order.filter_map(ids).collect();
        let chooser = || Chooser::new(&loaded.old.program, &loaded.new.program);
        let choose = |chooser: &mut Chooser<'_>, &(old, new, kind): &(FnId, FnId, ChangeKind)| {
            chooser.choose(old, new, preferred(kind))
        };
        // What is not chosen before the end of the run has no turn.
        let in_time = |chooser: &mut Chooser<'_>, pair: &_| {
            (!self.options.budget.is_over()).then(|| choose(chooser, pair))
        };
        let chosen: Vec<Option<Result<Instantiation, Refused>>> =
            ordered.par_iter().map_init(chooser, in_time).collect();
        let (mut old_wanted, mut new_wanted) = (Vec::new(), Vec::new());
        let (mut later, mut guided) = (Later::default(), Guided::default());
        let mut subjects: Vec<(FnId, &Subst)> = Vec::new();
        for ((old, new, kind), chosen) in ordered.iter().zip(&chosen) {
            let Some(Ok(chosen)) = chosen else { continue };
            subjects.push((*new, &chosen.new));
            let is_later =
                deadline.is_some() && *kind != ChangeKind::Changed && new_wanted.len() >= MOST_FIRST;
            let (old_wanted, new_wanted) = match is_later {
                true => {
                    later.pairs.insert((*old, *new));
                    (&mut later.old_wanted, &mut later.new_wanted)
                }
                false => (&mut old_wanted, &mut new_wanted),
            };
            old_wanted.push((*old, chosen.old.clone()));
            new_wanted.push((*new, chosen.new.clone()));
            if *kind == ChangeKind::Changed || guided.pairs.len() < MOST_GUIDED {
                guided.pairs.insert((*old, *new));
                guided.old_wanted.push((*old, chosen.old.clone()));
                guided.new_wanted.push((*new, chosen.new.clone()));
            }
        }
        let makers = makers::common(loaded, alignment, &subjects);
        let mut harnesses = self.build_harnesses_for(loaded, &old_wanted, &new_wanted, makers)?;
        let of_pair = |((old, new, _), chosen): (&_, Option<_>)| Some(((*old, *new), chosen?));
        harnesses.instantiations = ordered.iter().zip(chosen).filter_map(of_pair).collect();
        harnesses.later = Some(later).filter(|later| !later.pairs.is_empty());
        harnesses.guided = guided;
        Ok(harnesses.for_results_of(alignment))
    }

    /// Builds the harnesses for these functions of the old and of the new version, at these types.
    pub(super) fn build_harnesses_for(
        &self,
        loaded: &Loaded,
        old_wanted: &[(FnId, Subst)],
        new_wanted: &[(FnId, Subst)],
        makers: Makers,
    ) -> anyhow::Result<Harnesses> {
        if !old_wanted.is_empty() || !new_wanted.is_empty() {
            self.progress.step("Building the native harness");
        }
        self.build_part(loaded, [old_wanted, new_wanted], makers, Part::First)
    }

    /// Builds harnesses for these functions of both versions at other types than the chosen ones.
    pub(super) fn build_harnesses_at_other_types(
        &self,
        loaded: &Loaded,
        alignment: &Alignment,
        subjects: &[(FnId, FnId, Instantiation)],
        number: usize,
    ) -> anyhow::Result<Harnesses> {
        let makers = makers::common(loaded, alignment, &of_new(subjects));
        self.build_at(loaded, alignment, subjects, makers, Part::OtherTypes(number))
    }

    /// Builds harnesses for functions that are given values which steps that changed lead to.
    pub(super) fn build_harnesses_of_observers(
        &self,
        loaded: &Loaded,
        alignment: &Alignment,
        subjects: &[(FnId, FnId, Instantiation)],
    ) -> anyhow::Result<Harnesses> {
        let makers = makers::common_with_changed_steps(loaded, alignment, &of_new(subjects));
        self.build_at(loaded, alignment, subjects, makers, Part::Observers)
    }

    /// Builds harnesses for these functions at these types.
    fn build_at(
        &self,
        loaded: &Loaded,
        alignment: &Alignment,
        subjects: &[(FnId, FnId, Instantiation)],
        makers: Makers,
        part: Part,
    ) -> anyhow::Result<Harnesses> {
        let old_wanted: Vec<(FnId, Subst)> =
            subjects.iter().map(|(old, _, at)| (*old, at.old.clone())).collect();
        let new_wanted: Vec<(FnId, Subst)> =
            subjects.iter().map(|(_, new, at)| (*new, at.new.clone())).collect();
        let mut harnesses = self.build_part(loaded, [&old_wanted, &new_wanted], makers, part)?;
        let chosen = subjects.iter().map(|(old, new, at)| ((*old, *new), Ok(at.clone())));
        harnesses.instantiations = chosen.collect();
        Ok(harnesses.for_results_of(alignment))
    }

    fn build_part(
        &self,
        loaded: &Loaded,
        wanted: [&[(FnId, Subst)]; 2],
        mut makers: Makers,
        part: Part,
    ) -> anyhow::Result<Harnesses> {
        let nothing = HashMap::new();
        let (old, new) = self.build_sides(loaded, wanted, &makers, part, [&nothing; 2]);
        // One version alone is run by the harness of the new side.
        let alone = self.versions.old == self.versions.new;
        makers.retain(|maker| {
            let can_make = |side: &Side, id| side.can_make.contains(&(id, maker.makes.clone()));
            (alone || can_make(&old, maker.old)) && can_make(&new, maker.new)
        });
        let mut notes = Vec::new();
        for (name, side) in [("old", &old), ("new", &new)] {
            for (crate_name, reason) in &side.failed {
                notes.push(format!(
                    "the functions of `{crate_name}` ({name} version) cannot be run natively: {reason}"
                ));
            }
        }
        notes.sort();
        if [&old, &new].iter().any(|side| !side.built.is_empty()) {
            notes.extend(confine::statement(confine::here()).map(str::to_owned));
        }
        Ok(Harnesses { old, new, makers, notes, ..Harnesses::default() })
    }

    fn build_sides(
        &self,
        loaded: &Loaded,
        [old_wanted, new_wanted]: [&[(FnId, Subst)]; 2],
        makers: &Makers,
        part: Part,
        found_out: [&HashMap<String, RefusedGlue>; 2],
    ) -> (Side, Side) {
        let known = |index: usize, name: &str| -> RefusedGlue {
            found_out[index].get(name).cloned().unwrap_or_default()
        };
        let by_old = Refusals::default();
        let home = self.home.join("harness");
        let one_after_the_other = self.builds_foreign_once(&home, &home);
        // What the old version has refused the new one does not try. So it begins when a first pass over the old one is through.
        let build_old = || {
            let _ending = by_old.ending();
            let tell = |name: &str, refused, known| by_old.tell(name, refused, known);
            let began = |name: &str| known(0, name);
            let exchange = Exchange { tell: &tell, ..Exchange::beginning_with(&began) };
            self.build_side(&self.versions.old, &loaded.old, old_wanted, makers, part, &exchange)
        };
        let build_new = || {
            let began = |name: &str| known(1, name);
            let other = |name: &str, least| by_old.wait(name, least);
            let exchange = Exchange { other: &other, ..Exchange::beginning_with(&began) };
            self.build_side(&self.versions.new, &loaded.new, new_wanted, makers, part, &exchange)
        };
        match one_after_the_other {
            true => (build_old(), build_new()),
            false => rayon::join(build_old, build_new),
        }
    }

    fn build_side(
        &self,
        tree: &VersionTree,
        version: &LoadedVersion,
        wanted: &[(FnId, Subst)],
        makers: &Makers,
        part: Part,
        exchange: &Exchange<'_>,
    ) -> Side {
        if self.options.budget.is_over() {
            return Side::default();
        }
        let mut side = Side { placed: reaching_places(version, wanted), ..Side::default() };
        let is_wanted = |(function, _): &&(FnId, Subst)| !side.placed.contains(function);
        let wanted: Vec<(FnId, Subst)> = wanted.iter().filter(is_wanted).cloned().collect();
        let declarations =
            declarations_of(tree.version, version, wanted.iter().map(|(function, _)| *function), makers);
        for dump in &version.extraction.crates {
            let name = program_name(dump, &version.extraction.crates);
            let functions: Vec<&(FnId, Subst)> =
                wanted.iter().filter(|(function, _)| is_in_crate(version, *function, &name)).collect();
            if functions.is_empty() {
                continue;
            }
            let mut placed = Vec::new();
            let mut subjects: IdxVec<SubjectId, SubjectRequest> = IdxVec::new();
            for (function, subst) in functions {
                let function = *function;
                side.crate_of.insert(function, name.clone());
                if let Some(request) = subject_request(version, &declarations, function, subst) {
                    placed.push((function, subjects.push(request)));
                }
            }
            let (making, requests) = maker_requests(tree.version, version, &declarations, &name, makers);
            let request = self.harness_request(tree, version, dump, &name, subjects);
            let refused = (exchange.began)(&name);
            let request =
                request.map(|request| in_part(part, HarnessRequest { makers: requests, refused, ..request }));
            let found_out = |refused, known| (exchange.tell)(&name, refused, known);
            let other = |least| (exchange.other)(&name, least);
            let told = Told { clock: &self.clock, found_out: &found_out, other: &other };
            match request.and_then(|request| Ok(build_telling(&request, &told)?)) {
                Ok(harness) => {
                    side.refused.insert(name.clone(), harness.refused().clone());
                    (exchange.tell)(&name, harness.refused().clone(), Known::Whole);
                    let made = making.into_iter().filter(|(_, id)| harness.can_make(*id));
                    side.can_make.extend(made.map(|(maker, _)| maker));
                    let index = side.built.len();
                    side.built.push(harness);
                    for (function, subject) in placed {
                        let ready =
                            matches!(side.built[index].availability(subject), Availability::Ready { .. });
                        if ready || !side.subjects.contains_key(&function) {
                            side.subjects.insert(function, (index, subject));
                        }
                    }
                }
                Err(error) => {
                    side.failed.insert(name, first_line(&error.to_string()));
                }
            }
        }
        side
    }
}

/// The functions of the new version, with what stands for their parameters.
fn of_new(subjects: &[(FnId, FnId, Instantiation)]) -> Vec<(FnId, &Subst)> {
    subjects.iter().map(|(_, new, at)| (*new, &at.new)).collect()
}

/// What is built later lies beside what is built first, and begins with the dependencies that are built there.
fn in_part(part: Part, request: HarnessRequest) -> HarnessRequest {
    match part {
        Part::First => request,
        Part::Later => HarnessRequest {
            out_dir: Utf8PathBuf::from(format!("{}-later", request.out_dir)),
            seed: Some(request.out_dir),
            ..request
        },
        Part::OtherTypes(number) => HarnessRequest {
            out_dir: Utf8PathBuf::from(format!("{}-types-{number}", request.out_dir)),
            seed: Some(request.out_dir),
            ..request
        },
        Part::Observers => HarnessRequest {
            out_dir: Utf8PathBuf::from(format!("{}-observers", request.out_dir)),
            seed: Some(request.out_dir),
            ..request
        },
        Part::Guided => HarnessRequest {
            out_dir: Utf8PathBuf::from(format!("{}-guided", request.out_dir)),
            seed: Some(request.out_dir),
            worker: WorkerKind::Instrumented,
            ..request
        },
    }
}

/// Those of the functions that may come to run one that says where the crate lies.
fn reaching_places(version: &LoadedVersion, wanted: &[(FnId, Subst)]) -> HashSet<FnId> {
    if version.placed.is_empty() {
        return HashSet::new();
    }
    let functions: Vec<FnId> = wanted.iter().map(|(function, _)| *function).collect();
    let reached = functions_reached(&version.program, &functions);
    let pairs = functions.into_iter().zip(reached);
    pairs.filter(|(_, reached)| !reached.is_disjoint(&version.placed)).map(|(function, _)| function).collect()
}

/// The first line, and if that only announces what follows, the first error after it.
fn first_line(text: &str) -> String {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or(text);
    if !first.ends_with(':') {
        return first.to_string();
    }
    let rest: Vec<&str> = lines.collect();
    let told = rest.iter().find(|line| line.starts_with("error")).or(rest.first());
    told.map_or_else(|| first.to_string(), |told| format!("{first} {told}"))
}

#[cfg(test)]
mod tests {
    use super::first_line;

    #[test]
    fn an_announcement_is_told_with_what_it_announces() {
        assert_eq!(first_line("no such file\nmore"), "no such file");
        let refused =
            "the copy does not compile:\nwarning: unused\nerror[E0308]: mismatched types\n --> a.rs";
        assert_eq!(first_line(refused), "the copy does not compile: error[E0308]: mismatched types");
        assert_eq!(first_line("refused:\n\n  because\n"), "refused: because");
    }
}
