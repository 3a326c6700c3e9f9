//! Whether a merge does what either branch does.
//!
//! *Idea.* Git merges text. Two changes that touch other lines are merged without a conflict, whatever they mean together. But a merge has
//! what a change has not: an oracle. Of the merge base, both sides and the merge, run on one input, three say what the fourth should do.
//!
//! * [`functions`]: how each function stands between any two of the four versions
//! * [`judge`](mod@judge): what is expected of the merge on one input
//! * [`runs`]: one function on all four, natively
//! * [`told`]: what the report has of it
//! * [`changes`]: what either side changed of what it reaches
//!
//! *Definition.* On an input on which base, sides and merge end as `o`, `a`, `b` and `m`, the merge is **expected** to end as the side that differs
//! from the base, if one does; as both, if both differ in the same way; as the base, if neither does. If both differ and not in the same way, nothing is
//! expected. Another end than the expected one is an **interaction** of the two branches. A side **bears** on a function if it changes
//! something that the function may run or use, between the base and the side or between the other side and the merge. Functions on which both bear are
//! judged: on all others the merge is, by alignment, what one side is.
//!
//! The inputs are random ones, and for functions that these do not tell of, the witnesses and the partitions of four comparisons (base and each
//! side, each side and the merge). A merge that does not compile although both sides do is an interaction too.
//!
//! *Limits.* What is found was seen natively; that nothing was found is no proof. A function is judged if all four versions have it with
//! parameters of the same types. One that a side adds, or gives other parameters, is compared between that side and the merge, and told apart from
//! interactions, as nobody says what it should do. The base is the first that git names.
//!
//! *Source.* The interaction of changes is from M. Böhme, B. C. d. S. Oliveira and A. Roychoudhury, "Regression tests to expose change
//! interaction errors", ESEC/FSE 2013; what is expected of a merge is ours.

mod changes;
mod functions;
mod judge;
mod runs;
mod told;

use std::collections::HashSet;
use std::time::Instant;

use rayon::prelude::*;
use regress_core::align::{Alignment, Pair, functions_reached};
use regress_core::ir::{FnId, Ty};
use regress_core::value::Value;
use regress_core::verdict::not_analysed::NotRun;
use regress_core::verdict::{Confirmation, Verdict, Witness};

use self::functions::{Function, Link, Steps, borne_on_by_both};
use self::judge::Step;
use self::runs::{End, Inputs, Ran};
use self::told::{Told, What};
use super::aligned::Aligned;
use super::invariants::guarded_types;
use super::load::{Loaded, Running, label_of};
use super::naming::{display_call, display_path};
use super::native::types_that_changed;
use super::subject::Judgement;
use super::{Session, discharge};
use crate::args::{Fuzz, Options, TestCalls as AskedCalls};
use crate::budget::Deadline;
use crate::extract::ExtractError;
use crate::progress::Progress;
use crate::report::VersionInfo;
use crate::report::merge::{Four, MergeReport, Open, Side, Unexpected};
use crate::versions::{MergeVersions, Place, Versions};

/// Inputs that one function is run on, beside random ones.
const MOST_INPUTS: usize = 600;

/// Judges a merge.
///
/// # Errors
///
/// If the base or a side cannot be read; if the merge cannot for another reason than that it does not compile.
pub fn merge(
    options: &Options,
    place: &Place,
    versions: &MergeVersions,
    progress: &dyn Progress,
) -> anyhow::Result<MergeReport> {
    Session::with(options, place, &versions.base_ours, progress, |session| {
        Merge { session, versions }.judge()
    })
}

struct Merge<'m> {
    session: &'m Session<'m>,
    versions: &'m MergeVersions,
}

impl Merge<'_> {
    fn judge(&self) -> anyhow::Result<MergeReport> {
        let mut report = self.report();
        // Sides are read first: that the merge does not compile says something only if they do.
        let base_ours = self.load(Step::BaseOurs)?;
        let base_theirs = self.load(Step::BaseTheirs)?;
        let theirs_merge = match self.load(Step::TheirsMerge) {
            Ok(loaded) => loaded,
            Err(error) => {
                report.broken = Some(self.first_error_of_merge(error)?);
                return Ok(report);
            }
        };
        let ours_merge = self.load(Step::OursMerge)?;
        report.front_end = Some(ours_merge.0.front_end.clone());
        report.notes.extend(ours_merge.0.notes());
        let aligned = Steps { base_ours, base_theirs, ours_merge, theirs_merge };
        let functions = borne_on_by_both(&aligned);
        report.functions = functions.len() as u64;
        if functions.is_empty() {
            return Ok(report);
        }
        self.compare(aligned, &functions, &mut report)?;
        Ok(report)
    }

    fn report(&self) -> MergeReport {
        let MergeVersions { base_ours, base_theirs, ours_merge, notes, .. } = self.versions;
        MergeReport {
            versions: Four {
                base: VersionInfo::from(&base_ours.old),
                ours: VersionInfo::from(&base_ours.new),
                theirs: VersionInfo::from(&base_theirs.new),
                merge: VersionInfo::from(&ours_merge.new),
            },
            front_end: None,
            broken: None,
            interactions: Vec::new(),
            apart: Vec::new(),
            open: Vec::new(),
            functions: 0,
            inputs: 0,
            notes: notes.clone(),
            duration: std::time::Duration::ZERO,
        }
    }

    fn versions_of(&self, step: Step) -> &Versions {
        match step {
            Step::BaseOurs => &self.versions.base_ours,
            Step::BaseTheirs => &self.versions.base_theirs,
            Step::OursMerge => &self.versions.ours_merge,
            Step::TheirsMerge => &self.versions.theirs_merge,
        }
    }

    fn load(&self, step: Step) -> anyhow::Result<(Loaded, Alignment)> {
        self.session.on(self.versions_of(step), self.session.options).load(Running::Compared)
    }

    /// What the compiler says first of the merge, if that is what went wrong.
    fn first_error_of_merge(&self, error: anyhow::Error) -> anyhow::Result<String> {
        match error.downcast_ref::<ExtractError>() {
            Some(ExtractError::DoesNotCompile { label, diagnostics })
                if *label == label_of(&self.versions.theirs_merge.new) =>
            {
                Ok(first_error(diagnostics))
            }
            _ => Err(error),
        }
    }

    /// Compares the versions of each step, then runs what that gave on all four.
    fn compare(
        &self,
        loaded: Steps<(Loaded, Alignment)>,
        functions: &[Function],
        report: &mut MergeReport,
    ) -> anyhow::Result<()> {
        let preferred: Vec<Ty> = [&loaded.base_ours, &loaded.base_theirs]
            .into_iter()
            .flat_map(|(loaded, alignment)| types_that_changed(&loaded.new.program, alignment))
            .collect();
        let Steps { base_ours, base_theirs, ours_merge, theirs_merge } = loaded;
        // Each takes its part of the time; what is left is for searches and for runs of what they find.
        let aligned = Steps {
            base_ours: self.built(Step::BaseOurs, base_ours, (functions, &preferred), 8)?,
            base_theirs: self.built(Step::BaseTheirs, base_theirs, (functions, &preferred), 7)?,
            theirs_merge: self.built(Step::TheirsMerge, theirs_merge, (functions, &preferred), 6)?,
            ours_merge: self.built(Step::OursMerge, ours_merge, (functions, &preferred), 5)?,
        };
        report.notes.extend(aligned.ours_merge.harnesses.notes.iter().cloned());
        let drawn = self.run_all(&aligned, functions.iter().map(|function| (function, Inputs::Drawn)));
        let both = || functions.iter().zip(&drawn).filter(|(function, drawn)| is_searched(function, drawn));
        let open: Vec<&Function> = both().map(|(function, _)| function).collect();
        let judged = Steps {
            base_ours: self.judged(Step::BaseOurs, &aligned, &open, 5),
            base_theirs: self.judged(Step::BaseTheirs, &aligned, &open, 4),
            theirs_merge: self.judged(Step::TheirsMerge, &aligned, &open, 3),
            ours_merge: self.judged(Step::OursMerge, &aligned, &open, 2),
        };
        let again = both().map(|(function, drawn)| {
            let known = inputs_of(&aligned, &judged, function);
            // What is built last could not be run before.
            (function, if drawn.is_ok() { Inputs::Known(known) } else { Inputs::KnownAndDrawn(known) })
        });
        let mut again = self.run_all(&aligned, again).into_iter();
        let told: Vec<Told> = functions
            .iter()
            .zip(drawn)
            .map(|(function, drawn)| {
                let is_again = is_searched(function, &drawn);
                let ran = if is_again { runs::both(drawn, again.next()) } else { drawn };
                self.tell(&aligned, &judged, function, ran)
            })
            .collect();
        let interacting: Vec<FnId> = functions
            .iter()
            .zip(&told)
            .filter(|(_, told)| matches!(told.what, What::Interaction(_)))
            .map(|(function, _)| function.merge)
            .collect();
        told.into_iter().for_each(|told| told.into_report(report));
        let loaded = &aligned.ours_merge.loaded;
        let reached = functions_reached(&loaded.new.program, &interacting);
        for (interaction, innermost) in report.interactions.iter_mut().zip(innermost(&interacting, &reached))
        {
            let path = |id| display_path(&loaded.new.program, id, loaded.only_crate());
            interaction.through = innermost.map(path);
        }
        Ok(())
    }

    /// Runs functions on all four versions, as many at a time as there are threads.
    fn run_all<'f>(
        &self,
        aligned: &Steps<Aligned>,
        functions: impl Iterator<Item = (&'f Function, Inputs)>,
    ) -> Vec<Result<Ran, Open>> {
        let functions: Vec<(&Function, Inputs)> = functions.collect();
        self.session.progress.step("Running all four versions");
        self.session.progress.set_total(functions.len() as u64);
        let run = |(function, inputs): (&Function, Inputs)| {
            let _token = self.session.jobserver.token();
            let ran = match self.session.options.budget.is_over() {
                true => Err(Open::OutOfTime),
                false => runs::run(self.session, aligned, function, inputs),
            };
            self.session.progress.advance();
            ran
        };
        functions.into_par_iter().map(run).collect()
    }

    /// The options of one step, which takes one of so many parts of the time that is left. A function is searched in four steps, so each has
    /// a part of its time.
    fn options_of(&self, step: Step, parts: u32) -> Options {
        let mut options = self.session.options.clone();
        if let Some(deadline) = &mut options.budget.deadline {
            let share = (deadline.remaining() / parts).as_secs().max(1);
            *deadline = Deadline::after(Instant::now(), share.min(deadline.remaining().as_secs()));
        }
        options.search.timeout = (options.search.timeout / Step::ALL.len() as u64).max(1);
        // Witnesses of the other steps are what inputs are made of.
        options.search.test_calls = AskedCalls::Off;
        if matches!(step, Step::BaseOurs | Step::BaseTheirs) {
            options.search.fuzz = Fuzz::Off;
        }
        options
    }

    /// What runs the functions that differ in a step. Generic ones are run at the same types in all steps, as far as all versions have these.
    fn built(
        &self,
        step: Step,
        (loaded, alignment): (Loaded, Alignment),
        (functions, preferred): (&[Function], &[Ty]),
        parts: u32,
    ) -> anyhow::Result<Aligned> {
        let options = self.options_of(step, parts);
        let session = self.session.on(self.versions_of(step), &options);
        let wanted = differing(step, functions);
        let is_wanted = |pair: &Pair| pair.new.is_some_and(|new| wanted.contains(&new));
        let build = || session.build_harnesses_at(&loaded, &alignment, is_wanted, |_| preferred);
        let discharge = || discharge::discharge(&session, &loaded, &alignment);
        let (harnesses, discharged) = rayon::join(build, discharge);
        Ok(Aligned::new(loaded, alignment, harnesses?, discharged))
    }

    /// What a comparison finds of the functions that differ in a step.
    fn judged(
        &self,
        step: Step,
        aligned: &Steps<Aligned>,
        functions: &[&Function],
        parts: u32,
    ) -> Vec<(FnId, Judgement)> {
        let options = self.options_of(step, parts);
        let session = self.session.on(self.versions_of(step), &options);
        let wanted = differing(step, functions.iter().copied());
        let is_wanted = |pair: &&Pair| pair.new.is_some_and(|new| wanted.contains(&new));
        let aligned = aligned.of(step);
        let pairs: Vec<&Pair> = aligned.alignment.pairs.iter().filter(is_wanted).collect();
        let judged = aligned.judge(&session, &pairs).functions.into_iter();
        judged.filter_map(|(pair, judgement)| Some((pair.new?, judgement))).collect()
    }

    fn tell(
        &self,
        aligned: &Steps<Aligned>,
        judged: &Steps<Vec<(FnId, Judgement)>>,
        function: &Function,
        ran: Result<Ran, Open>,
    ) -> Told {
        let loaded = &aligned.ours_merge.loaded;
        let call =
            |inputs: &[Value]| display_call(&loaded.new.program, function.merge, loaded.only_crate(), inputs);
        let (inputs, what) = match (of_one_side(function), ran) {
            (Some(side), _) => {
                let witness = self.tell_of_one_side(judged, function, side);
                let only_on = witness.map(|witness| Unexpected::OnlyOn {
                    side,
                    call: call(&values_of(witness)),
                    there: witness.old.clone(),
                    merge: witness.new.clone(),
                });
                (0, only_on.map_or(What::Nothing, |only_on| What::Apart(Box::new(only_on))))
            }
            (None, Ok(Ran { inputs, end })) => (inputs, told::what_of(end, call)),
            (None, Err(why)) => (0, What::Open(why)),
        };
        Told::of(aligned, function, inputs, what)
    }

    /// A call on which the only side that has the function like this does something else than the merge.
    fn tell_of_one_side<'j>(
        &self,
        judged: &'j Steps<Vec<(FnId, Judgement)>>,
        function: &Function,
        side: Side,
    ) -> Option<&'j Witness> {
        let judgement = judgement_of(judged, function, Step::to_merge(side))?;
        witnesses(judgement).find(|witness| witness.confirmation == Confirmation::Native)
    }
}

/// Those of the functions that differ in a step, by its new version.
fn differing<'f>(step: Step, functions: impl IntoIterator<Item = &'f Function>) -> HashSet<FnId> {
    let new = |function: &Function| match *function.links.of(step) {
        Link::Differs { new, .. } => Some(new),
        Link::Same { .. } | Link::Other | Link::Absent => None,
    };
    functions.into_iter().filter_map(new).collect()
}

/// Whether the function is searched after random runs. What interacts needs no search, and what cannot be run gains nothing by one, unless it is built
/// later.
fn is_searched(function: &Function, drawn: &Result<Ran, Open>) -> bool {
    match drawn {
        Ok(Ran { end: End::Interaction(_), .. }) => false,
        Ok(_) | Err(Open::NotRun(NotRun::NoPlace) | Open::NoCommonInput | Open::OutOfTime) => true,
        Err(Open::NotRun(_) | Open::OtherInstances | Open::NotInAll | Open::Doubtful { .. }) => {
            of_one_side(function).is_some()
        }
    }
}

/// The side that alone has the function in the form that the merge has, if the merge differs from it.
fn of_one_side(function: &Function) -> Option<Side> {
    let is_apart = |link: &Link| matches!(link, Link::Other | Link::Absent);
    Side::BOTH.into_iter().find(|side| {
        let links = &function.links;
        matches!(links.of(Step::to_merge(*side)), Link::Differs { .. })
            && is_apart(links.of(Step::from_base(*side)))
            && is_apart(links.of(Step::to_merge(side.other())))
    })
}

fn judgement_of<'j>(
    judged: &'j Steps<Vec<(FnId, Judgement)>>,
    function: &Function,
    step: Step,
) -> Option<&'j Judgement> {
    let Link::Differs { new, .. } = *function.links.of(step) else { return None };
    judged.of(step).iter().find(|(id, _)| *id == new).map(|(_, judgement)| judgement)
}

fn witnesses(judgement: &Judgement) -> impl Iterator<Item = &Witness> {
    let shown = match &judgement.verdict {
        Verdict::Differs { witnesses, .. } => witnesses.as_slice(),
        _ => &[],
    };
    shown.iter().chain(&judgement.unshown)
}

fn values_of(witness: &Witness) -> Vec<Value> {
    witness.inputs.iter().map(|input| input.value.clone()).collect()
}

/// The inputs that the comparisons of all steps came upon, each once. Where the crate has functions that make the values of a type with private fields,
/// values that are put together from fields are left out: whether there are such values is not known.
fn inputs_of(
    aligned: &Steps<Aligned>,
    judged: &Steps<Vec<(FnId, Judgement)>>,
    function: &Function,
) -> Vec<Vec<Value>> {
    let Aligned { loaded, harnesses, .. } = &aligned.ours_merge;
    let is_known = |inputs: &Vec<Value>| {
        let guarded = guarded_types(&loaded.new.program, inputs.iter());
        !guarded.iter().any(|ty| harnesses.makers().has_some_of(ty))
    };
    let judgements: Vec<&Judgement> =
        Step::ALL.into_iter().filter_map(|step| judgement_of(judged, function, step)).collect();
    let shown = judgements.iter().flat_map(|judgement| witnesses(judgement)).map(values_of);
    let searched = judgements.iter().flat_map(|judgement| judgement.searched.iter().cloned());
    let mut seen = HashSet::new();
    let is_new = |inputs: &Vec<Value>| seen.insert(inputs.clone());
    shown.chain(searched).filter(is_known).filter(is_new).take(MOST_INPUTS).collect()
}

/// For each function one of them that it may run, and that may run none of them in turn; none for those that are such themselves. Of functions
/// that may run each other the first is taken for the inner one.
fn innermost(functions: &[FnId], reached: &[HashSet<FnId>]) -> Vec<Option<FnId>> {
    let is_inside = |outer: usize, inner: usize| {
        outer != inner
            && reached[outer].contains(&functions[inner])
            && (!reached[inner].contains(&functions[outer]) || inner < outer)
    };
    let all = 0..functions.len();
    let is_innermost = |one: usize| !all.clone().any(|inner| is_inside(one, inner));
    all.clone()
        .map(|outer| {
            let inner = all.clone().find(|inner| is_inside(outer, *inner) && is_innermost(*inner));
            inner.map(|inner| functions[inner])
        })
        .collect()
}

/// The first error of a compiler's diagnostics, up to the blank line behind it.
fn first_error(diagnostics: &str) -> String {
    let lines = diagnostics.lines().skip_while(|line| !line.starts_with("error"));
    let first: Vec<&str> = lines.take_while(|line| !line.trim().is_empty()).collect();
    if first.is_empty() { diagnostics.trim().to_owned() } else { first.join("\n") }
}

#[cfg(test)]
mod tests {
    use regress_core::idx::Idx;

    use super::*;

    /// Functions are numbers; `runs` says which ones each may run.
    #[track_caller]
    fn check(runs: &[&[usize]], expected: &[Option<usize>]) {
        let id = |number: usize| FnId::from_usize(number);
        let functions: Vec<FnId> = (0..runs.len()).map(id).collect();
        let reached: Vec<HashSet<FnId>> =
            runs.iter().map(|runs| runs.iter().map(|number| id(*number)).collect()).collect();
        let expected: Vec<Option<FnId>> = expected.iter().map(|number| number.map(id)).collect();
        assert_eq!(innermost(&functions, &reached), expected);
    }

    #[test]
    fn callers_are_told_with_what_they_may_run() {
        check(&[&[], &[]], &[None, None]);
        check(&[&[1, 2], &[2], &[]], &[Some(2), Some(2), None]);
        check(&[&[0, 1], &[0, 1], &[0, 1]], &[None, Some(0), Some(0)]);
    }

    #[test]
    fn the_first_error_is_told_whole_and_alone() {
        let said =
            "warning: unused\n --> a.rs\n\nerror[E0061]: missing\n --> b.rs:1:1\n  |\n\nerror: other\n";
        assert_eq!(first_error(said), "error[E0061]: missing\n --> b.rs:1:1\n  |");
        assert_eq!(first_error("cargo said this\n"), "cargo said this");
    }
}
