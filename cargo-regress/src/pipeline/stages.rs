//! What is known of each function, stage by stage.
//!
//! * [`Judged`]: each function by itself (`subject`, in the order of `schedule`), or as runs of parts found it (`sharding`);
//! * [`Settled`]: in the light of the others: proofs that follow, what the build takes back, calls of tests, texts carried to public
//!   callers, which changes differences take, and what the time that is left shows;
//! * [`FunctionReport`]s: with what the crate's own functions and its public callers tell of each difference.
//!
//! **Invariant:** each stage takes the one before, and behind [`Settled`] no verdict changes.

use std::collections::BTreeSet;

use regress_core::align::{Alignment, Pair};
use regress_core::ir::{FileId, FnId, Origin, Program};
use regress_core::verdict::ChangeKind;

use super::aligned::Aligned;
use super::load::Loaded;
use super::naming::{display_path, function_span};
use super::subject::Judgement;
use super::{
    Session, carried, congruent, interaction, invariants, leftover, observers, outside, schedule, test_calls,
};
use crate::report::{Acceptance, ChangedLines, Files, FunctionReport, SeenFromOutside};
use crate::stats::Stage;

/// Pairs with what was found of each by itself: all of the alignment in its order, or those of a part.
pub(super) struct Judged<'a> {
    pub aligned: &'a Aligned,
    pub functions: Vec<(&'a Pair, Judgement)>,
}

/// Pairs with what is found of each in the end.
pub(super) struct Settled<'a> {
    aligned: &'a Aligned,
    functions: Vec<(&'a Pair, Judgement)>,
}

impl Aligned {
    /// Judges these pairs, which come out in the same order.
    pub fn judge<'a>(&'a self, session: &Session<'_>, pairs: &[&'a Pair]) -> Judged<'a> {
        Judged { aligned: self, functions: schedule::judge_all(session, self, pairs) }
    }
}

impl<'a> Judged<'a> {
    /// Puts in what follows from the proofs of other functions.
    pub fn with_what_follows(mut self) -> Judged<'a> {
        let Aligned { loaded, alignment, discharged, .. } = self.aligned;
        discharged.conclude(loaded, &mut self.functions);
        congruent::conclude(loaded, alignment, &mut self.functions);
        self
    }

    /// What is found of a part in the end.
    pub fn settled_in_part(self) -> Settled<'a> {
        let mut judged = self.with_what_follows();
        let Aligned { loaded, .. } = judged.aligned;
        loaded.builds.qualify(loaded, &mut judged.functions);
        Settled { aligned: judged.aligned, functions: judged.functions }
    }

    /// What is found in the end of functions that are compared without the others.
    pub fn settled_alone(self, session: &Session<'_>) -> Settled<'a> {
        let mut settled = self.settled_in_part();
        if !session.options.budget.is_over() {
            test_calls::run_calls(session, settled.aligned, &mut settled.functions);
            leftover::run_more(session, settled.aligned, &mut settled.functions);
        }
        settled
    }

    /// What is found of all in the end.
    pub fn settled(self, session: &Session<'_>) -> Settled<'a> {
        let mut settled = self.settled_in_part();
        if !session.options.budget.is_over() {
            test_calls::run_calls(session, settled.aligned, &mut settled.functions);
            observers::look(session, settled.aligned, &mut settled.functions);
            settled.carry_inputs(session);
            session.clock.time(Stage::Interaction, || {
                interaction::note_interactions(session, settled.aligned, &mut settled.functions);
            });
            let known = settled.differing();
            leftover::run_more(session, settled.aligned, &mut settled.functions);
            if settled.differing() > known {
                settled.carry_inputs(session);
            }
        }
        settled
    }
}

impl Settled<'_> {
    fn carry_inputs(&mut self, session: &Session<'_>) {
        session.clock.time(Stage::Carrying, || {
            carried::carry_inputs(session, self.aligned, &mut self.functions);
        });
    }

    /// How many functions were seen to differ.
    fn differing(&self) -> usize {
        self.functions.iter().filter(|(_, judgement)| judgement.differs()).count()
    }

    /// The reports on a part: what others tell of a difference is not known.
    pub fn reports_in_part(self) -> Vec<FunctionReport> {
        let Settled { aligned: Aligned { loaded, alignment, discharged, .. }, mut functions } = self;
        discharged.note_no_new_panics(loaded, &mut functions);
        discharged.unaffected.note(loaded, &mut functions);
        functions.into_iter().map(|(pair, judgement)| report(loaded, alignment, pair, judgement)).collect()
    }

    /// The reports on all.
    pub fn reports(self) -> Vec<FunctionReport> {
        let Aligned { loaded, alignment, .. } = self.aligned;
        let mut reports = self.reports_in_part();
        invariants::note_on_makers(&loaded.new.program, alignment, &mut reports);
        outside::look_from_outside(loaded, alignment, &mut reports);
        reports
    }
}

/// The report on one pair, as far as others do not bear on it.
fn report(loaded: &Loaded, alignment: &Alignment, pair: &Pair, judgement: Judgement) -> FunctionReport {
    let (program, function) = match (pair.new, pair.old) {
        (Some(new), _) => (&loaded.new.program, new),
        (None, Some(old)) => (&loaded.old.program, old),
        (None, None) => unreachable!("a pair has a side"),
    };
    let span = |program: &Program, function: Option<FnId>| function.and_then(|id| function_span(program, id));
    let Judgement { verdict, notes, unshown, reach, searched: _ } = judgement;
    FunctionReport {
        path: display_path(program, function, loaded.only_crate()),
        canonical: program.functions[function].path.to_string(),
        unshown,
        acceptance: Acceptance::Not,
        kind: pair.kind,
        notes,
        verdict,
        old_span: span(&loaded.old.program, pair.old),
        new_span: span(&loaded.new.program, pair.new),
        changed_lines: changed_lines(loaded, alignment, pair),
        files: Files { old: loaded.old.files.clone(), new: loaded.new.files.clone() },
        outside: SeenFromOutside::Open,
        reach,
    }
}

fn changed_lines(loaded: &Loaded, alignment: &Alignment, pair: &Pair) -> ChangedLines {
    let (Some(old), Some(new), ChangeKind::Changed) = (pair.old, pair.new, pair.kind) else {
        return ChangedLines::default();
    };
    let diff =
        alignment.statements((&loaded.old.program, old), (&loaded.new.program, new)).unwrap_or_default();
    let lines = |(program, id): (&Program, FnId), changed: &BTreeSet<(FileId, u32)>| {
        let function = &program.functions[program.in_sources(id)];
        // What has the trait's own method may have it from another crate, whose lines are not shown.
        let own = function.span.filter(|_| function.origin == Origin::Subject);
        // Nor are those of macros from other files.
        let is_shown = |file: FileId| own.is_some_and(|span| span.file == file);
        changed.iter().filter(|(file, _)| is_shown(*file)).map(|(_, line)| *line).collect()
    };
    ChangedLines {
        old: lines((&loaded.old.program, old), &diff.old_lines),
        new: lines((&loaded.new.program, new), &diff.new_lines),
    }
}
