//! Whether a merge does what either branch does.
//!
//! *Idea.* Git merges text. Two changes that touch other lines are merged without a conflict, whatever they mean together. But a merge has
//! what a change has not: an oracle. Of the merge base, both sides and the merge, run on one input, three say what the fourth should do.
//!
//! * [`functions`]: how each function stands between any two of the four versions
//! * [`judge`](mod@judge): what is expected of the merge on one input
//! * [`runs`]: one function on all four, natively
//! * [`changes`]: what either side changed of what it reaches
//!
//! *Definition.* On an input on which base, sides and merge end as `o`, `a`, `b` and `m`, the merge is **expected** to end as the side that differs
//! from the base, if one does; as both, if both differ in the same way; as the base, if neither does. If both differ and not in the same way, nothing is
//! expected. Another end than the expected one is an **interaction** of the two branches. A side **bears** on a function if it changes
//! something that the function may run or use, between the base and the side or between the other side and the merge. Functions on which both bear are
//! judged: on all others the merge is, by alignment, what one side is.
//!
//! The inputs are the witnesses and the partitions of four comparisons (base and each side, each side and the merge), and random ones. A merge
//! that does not compile although both sides do is an interaction too.
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

use std::collections::HashSet;
use std::time::Instant;

use rayon::prelude::*;
use regress_core::align::{Alignment, Pair, functions_reached};
use regress_core::ir::FnId;
use regress_core::value::Value;
use regress_core::verdict::{Confirmation, Verdict, Witness};

use self::changes::changes;
use self::functions::{Function, Link, Steps, borne_on_by_both};
use self::judge::Step;
use self::runs::{End, Ran};
use super::aligned::Aligned;
use super::load::{Loaded, Running, label_of};
use super::naming::{display_call, display_path, report_span};
use super::subject::Judgement;
use super::{Session, discharge};
use crate::args::{Fuzz, Options};
use crate::budget::Deadline;
use crate::extract::ExtractError;
use crate::progress::Progress;
use crate::report::merge::{
    Apart, Call, Change, Expected, Four, Interaction, MergeReport, Open, Side, Unexpected,
};
use crate::report::{ReportSpan, VersionInfo};
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

/// A comparison that was made for its inputs.
struct Compared {
    aligned: Aligned,
    judged: Vec<(FnId, Judgement)>,
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
        let Steps { base_ours, base_theirs, ours_merge, theirs_merge } = loaded;
        // Each takes its part of the time; one is left for the runs on all four.
        let base_ours = self.compared(Step::BaseOurs, base_ours, functions, 5)?;
        let base_theirs = self.compared(Step::BaseTheirs, base_theirs, functions, 4)?;
        let theirs_merge = self.compared(Step::TheirsMerge, theirs_merge, functions, 3)?;
        let ours_merge = self.compared(Step::OursMerge, ours_merge, functions, 2)?;
        let (judged, aligned) = apart(Steps { base_ours, base_theirs, ours_merge, theirs_merge });
        report.notes.extend(aligned.ours_merge.harnesses.notes.iter().cloned());
        self.session.progress.step("Running all four versions");
        self.session.progress.set_total(functions.len() as u64);
        let told: Vec<Told> = functions
            .par_iter()
            .map(|function| {
                let _token = self.session.jobserver.token();
                let told = self.tell(&aligned, &judged, function);
                self.session.progress.advance();
                told
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

    /// One step's harnesses and judgements, of the functions that differ in it. It takes one of so many parts of the time that is left.
    fn compared(
        &self,
        step: Step,
        (loaded, alignment): (Loaded, Alignment),
        functions: &[Function],
        parts: u32,
    ) -> anyhow::Result<Compared> {
        let mut options = self.session.options.clone();
        if let Some(deadline) = &mut options.budget.deadline {
            let share = (deadline.remaining() / parts).as_secs().max(1);
            let now = Instant::now();
            *deadline = Deadline::after(now, share.min(deadline.remaining().as_secs()));
        }
        if matches!(step, Step::BaseOurs | Step::BaseTheirs) {
            options.search.fuzz = Fuzz::Off;
        }
        let session = self.session.on(self.versions_of(step), &options);
        let wanted: HashSet<FnId> = functions
            .iter()
            .filter_map(|function| match *function.links.of(step) {
                Link::Differs { new, .. } => Some(new),
                Link::Same { .. } | Link::Other | Link::Absent => None,
            })
            .collect();
        let is_wanted = |pair: &Pair| pair.new.is_some_and(|new| wanted.contains(&new));
        let build = || session.build_harnesses_of(&loaded, &alignment, is_wanted);
        let discharge = || discharge::discharge(&session, &loaded, &alignment);
        let (harnesses, discharged) = rayon::join(build, discharge);
        let aligned = Aligned { loaded, alignment, harnesses: harnesses?, discharged };
        let pairs: Vec<&Pair> = aligned.alignment.pairs.iter().filter(|pair| is_wanted(pair)).collect();
        let judged = aligned.judge(&session, &pairs).functions;
        let judged =
            judged.into_iter().filter_map(|(pair, judgement)| Some((pair.new?, judgement))).collect();
        Ok(Compared { aligned, judged })
    }

    fn tell(
        &self,
        aligned: &Steps<Aligned>,
        judged: &Steps<Vec<(FnId, Judgement)>>,
        function: &Function,
    ) -> Told {
        let loaded = &aligned.ours_merge.loaded;
        let call =
            |inputs: &[Value]| display_call(&loaded.new.program, function.merge, loaded.only_crate(), inputs);
        let (inputs, what) = match of_one_side(function) {
            Some(side) => {
                let witness = self.tell_of_one_side(judged, function, side);
                let only_on = witness.map(|witness| Unexpected::OnlyOn {
                    side,
                    call: call(&values_of(witness)),
                    there: witness.old.clone(),
                    merge: witness.new.clone(),
                });
                (0, only_on.map_or(What::Nothing, |only_on| What::Apart(Box::new(only_on))))
            }
            None if self.session.options.budget.is_over() => (0, What::Open(Open::OutOfTime)),
            None => match runs::run(self.session, aligned, function, inputs_of(judged, function)) {
                Ok(Ran { inputs, end }) => (inputs, what_of(end, call)),
                Err(why) => (0, What::Open(why)),
            },
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

/// The comparisons, and what was found in each.
fn apart(compared: Steps<Compared>) -> (Steps<Vec<(FnId, Judgement)>>, Steps<Aligned>) {
    let Steps { base_ours, base_theirs, ours_merge, theirs_merge } = compared;
    let judged = Steps {
        base_ours: base_ours.judged,
        base_theirs: base_theirs.judged,
        ours_merge: ours_merge.judged,
        theirs_merge: theirs_merge.judged,
    };
    let aligned = Steps {
        base_ours: base_ours.aligned,
        base_theirs: base_theirs.aligned,
        ours_merge: ours_merge.aligned,
        theirs_merge: theirs_merge.aligned,
    };
    (judged, aligned)
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

/// The inputs that the comparisons of all steps came upon, each once.
fn inputs_of(judged: &Steps<Vec<(FnId, Judgement)>>, function: &Function) -> Vec<Vec<Value>> {
    let mut seen = HashSet::new();
    let mut all = Vec::new();
    let judgements: Vec<&Judgement> =
        Step::ALL.into_iter().filter_map(|step| judgement_of(judged, function, step)).collect();
    let shown = judgements.iter().flat_map(|judgement| witnesses(judgement));
    let shown = shown.map(values_of);
    let searched = judgements.iter().flat_map(|judgement| judgement.searched.iter().cloned());
    for inputs in shown.chain(searched) {
        if all.len() < MOST_INPUTS && seen.insert(inputs.clone()) {
            all.push(inputs);
        }
    }
    all
}

/// What is told of one function.
struct Told {
    path: String,
    span: Option<ReportSpan>,
    inputs: u64,
    what: What,
    changes: Vec<Change>,
}

enum What {
    Nothing,
    Interaction(Vec<Call<Expected>>),
    Apart(Box<Unexpected>),
    Open(Open),
}

fn what_of(end: End, text: impl Fn(&[Value]) -> String) -> What {
    match end {
        End::AsExpected => What::Nothing,
        End::Interaction(calls) => What::Interaction(
            calls
                .into_iter()
                .map(|(inputs, outcomes, expected)| Call { text: text(&inputs), outcomes, expected })
                .collect(),
        ),
        End::NoExpectation(shown) => {
            let (inputs, outcomes) = *shown;
            let call = Call { text: text(&inputs), outcomes, expected: () };
            What::Apart(Box::new(Unexpected::SidesDiffer { call }))
        }
        End::Doubtful(inputs, doubt) => What::Open(Open::Doubtful { call: text(&inputs), doubt }),
    }
}

impl Told {
    fn of(aligned: &Steps<Aligned>, function: &Function, inputs: u64, what: What) -> Told {
        let loaded = &aligned.ours_merge.loaded;
        let program = &loaded.new.program;
        let changes = match &what {
            What::Interaction(_) | What::Apart(_) => changes(aligned, function),
            What::Nothing | What::Open(_) => Vec::new(),
        };
        Told {
            path: display_path(program, function.merge, loaded.only_crate()),
            span: report_span(&program.files, program.functions[function.merge].span),
            inputs,
            what,
            changes,
        }
    }

    fn into_report(self, report: &mut MergeReport) {
        let Told { path, span, inputs, what, changes } = self;
        report.inputs += inputs;
        match what {
            What::Nothing => {}
            What::Interaction(calls) => {
                report.interactions.push(Interaction { path, span, calls, changes, through: None })
            }
            What::Apart(what) => report.apart.push(Apart { path, span, what: *what, changes }),
            What::Open(why) => report.open.push((path, why)),
        }
    }
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
