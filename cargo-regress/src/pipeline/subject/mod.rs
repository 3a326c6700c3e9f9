//! One function, from native random runs to its verdict.
//!
//! * [`evidence`]: random inputs through both versions as native code;
//! * [`search`]: the symbolic search;
//! * [`conclude`]: its candidates tried natively, and everything weighed;
//! * [`attack`]: what would be a proof, tried natively at an input of each partition;
//! * [`blamed`]: the suspect lines of a difference;
//! * [`witnesses`]: inputs on which the versions differ, as they are shown.

mod attack;
mod blamed;
mod conclude;
mod evidence;
mod search;
mod witnesses;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use regress_core::align::{Alignment, Pair};
use regress_core::compare;
use regress_core::evidence::{NativeEvidence, WhyNone, conclude_native};
use regress_core::exec::Makers;
use regress_core::ir::FnId;
use regress_core::verdict::{ChangeKind, Verdict, Witness};
use serde::{Deserialize, Serialize};

pub(super) use self::evidence::Native;
use super::Session;
use super::invariants::{guarded_types, note_on_fields};
use super::load::Loaded;
use super::native::Harnesses;
use crate::budget::Deadline;
use crate::report::{Note, Reach};

/// What is done to judge a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    Whole,
    /// Random inputs alone; if they show a difference, the rest as well.
    NativeRuns,
}

/// What is found of one aligned pair by itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Judgement {
    pub verdict: Verdict,
    /// What limits the scope of the verdict.
    pub notes: Vec<Note>,
    /// Calls on which the versions were seen to differ too, beyond those in the verdict.
    pub unshown: Vec<Witness>,
    pub reach: Reach,
}

/// Judges one aligned pair.
pub(super) fn judge(
    session: &Session<'_>,
    loaded: &Loaded,
    alignment: &Alignment,
    harnesses: &Harnesses,
    pair: &Pair,
    effort: Effort,
) -> Judgement {
    by_kind(session, loaded, alignment, harnesses, pair, effort).shown(loaded)
}

fn by_kind(
    session: &Session<'_>,
    loaded: &Loaded,
    alignment: &Alignment,
    harnesses: &Harnesses,
    pair: &Pair,
    effort: Effort,
) -> Judgement {
    let verdict = match (pair.kind, pair.old, pair.new) {
        (ChangeKind::Unchanged, ..) => Verdict::Unchanged,
        (ChangeKind::Added, ..) => Verdict::Added,
        (ChangeKind::Removed, ..) => Verdict::Removed,
        (ChangeKind::SignatureChanged, ..) => Verdict::NotAnalysed {
            reason: "its signature changed, so the versions have no inputs in common".into(),
        },
        (ChangeKind::Changed | ChangeKind::Affected, Some(old), Some(new)) => {
            let deadline = session.options.budget.deadline;
            if let Some(deadline) = deadline.filter(|deadline| deadline.is_over()) {
                let reason = format!("{} was over before its turn", deadline.name());
                return Judgement { reach: Reach::OutOfTime, ..Verdict::NotAnalysed { reason }.into() };
            }
            let work = Work { session, loaded, alignment, harnesses, old, new };
            let judged = unless_it_panics(|| work.judge(effort)).unwrap_or_else(|message| {
                Verdict::NotAnalysed { reason: format!("internal error: {message}") }.into()
            });
            return judged.seen_at_the_end_of(deadline);
        }
        (ChangeKind::Changed | ChangeKind::Affected, ..) => {
            Verdict::NotAnalysed { reason: "it exists in one version only".into() }
        }
    };
    verdict.into()
}

/// Judges a pair by what native runs on texts show, which are made of those in the crate's sources; none if they show
/// nothing.
pub(super) fn judge_on_texts(
    session: &Session<'_>,
    loaded: &Loaded,
    alignment: &Alignment,
    harnesses: &Harnesses,
    pair: &Pair,
    texts: impl FnOnce(&BTreeSet<String>) -> BTreeSet<String>,
) -> Option<Judgement> {
    let work = Work { session, loaded, alignment, harnesses, old: pair.old?, new: pair.new? };
    // What was said before does not stand if the engine fails on the pair: it was a proof within bounds, or that nothing was found.
    let judged = unless_it_panics(|| work.judge_on_texts(texts)).unwrap_or_else(|message| {
        Some(Verdict::NotAnalysed { reason: format!("internal error: {message}") }.into())
    })?;
    Some(judged.shown(loaded))
}

/// Both versions of a pair, able to run natively; none if one of them is not.
pub(super) fn native(
    session: &Session<'_>,
    loaded: &Loaded,
    alignment: &Alignment,
    harnesses: &Harnesses,
    pair: &Pair,
) -> Option<Native> {
    let work = Work { session, loaded, alignment, harnesses, old: pair.old?, new: pair.new? };
    evidence::native(&work).ok()
}

/// A defect of the engine must not take the report on other functions with it.
fn unless_it_panics<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".into())
    })
}

impl Judgement {
    /// With the witnesses that are shown apart from the others, and what there is to say of those.
    fn shown(mut self, loaded: &Loaded) -> Judgement {
        if let Verdict::Differs { witnesses, .. } = &mut self.verdict {
            (*witnesses, self.unshown) = witnesses::choose(std::mem::take(witnesses));
        }
        self.notes.extend(note_on_fields(&loaded.new.program, &self.verdict));
        self
    }

    /// What was still searched when the time for the whole run was over had less than its own time.
    fn seen_at_the_end_of(mut self, deadline: Option<Deadline>) -> Judgement {
        let open = matches!(self.verdict, Verdict::NoDifferenceFound { .. } | Verdict::NotAnalysed { .. });
        if let Some(deadline) = deadline.filter(|deadline| open && deadline.is_over()) {
            self.notes.push(Note::CutShort { time: deadline.name() });
            self.reach = Reach::OutOfTime;
        }
        self
    }
}

impl From<Verdict> for Judgement {
    fn from(verdict: Verdict) -> Self {
        Judgement { verdict, notes: Vec::new(), unshown: Vec::new(), reach: Reach::Through }
    }
}

/// One pair that has to be executed.
struct Work<'w> {
    session: &'w Session<'w>,
    loaded: &'w Loaded,
    alignment: &'w Alignment,
    harnesses: &'w Harnesses,
    old: FnId,
    new: FnId,
}

impl Work<'_> {
    /// Values of types with private fields are first put together from fields: equality on all that the fields can hold
    /// is the stronger statement. A difference, however, counts only on values that the crate can make.
    fn judge(&self, effort: Effort) -> Judgement {
        let mut native = evidence::native(self);
        let mut evidence = match &mut native {
            Ok(native) => evidence::test_at_random(self, native, self.session.options.search.random_runs),
            Err(reason) => NativeEvidence {
                why_none: Some(WhyNone::Unavailable { reason: reason.clone() }),
                ..NativeEvidence::default()
            },
        };
        if effort == Effort::NativeRuns && evidence.confirmed.is_empty() {
            return conclude_native(&evidence).into();
        }
        let note = evidence::note_on_no_runs(self, &evidence);
        let mut judged = self.judge_from(native, &mut evidence);
        judged.notes.extend(note.filter(|_| !matches!(judged.verdict, Verdict::Differs { .. })));
        judged.notes.extend(evidence::note_on_break(&evidence, &judged.verdict));
        judged
    }

    fn judge_on_texts(&self, texts: impl FnOnce(&BTreeSet<String>) -> BTreeSet<String>) -> Option<Judgement> {
        let mut native = evidence::native(self).ok()?;
        native.literals.corpus = texts(&native.literals.corpus);
        // Every other run begins with the next of the texts.
        let runs = 2 * native.literals.corpus.len() as u64;
        let mut evidence = evidence::test_at_random(self, &mut native, runs);
        // What is doubtful speaks against a proof that was made before.
        let tells = !evidence.confirmed.is_empty() || !evidence.unstable.is_empty();
        tells.then(|| self.judge_from(Ok(native), &mut evidence))
    }

    fn judge_from(&self, native: Result<Native, String>, evidence: &mut NativeEvidence) -> Judgement {
        let mut judged = self.searched(native, evidence);
        judged.notes.extend(blamed::add_suspects(self, &mut judged.verdict));
        judged
    }

    fn searched(&self, mut native: Result<Native, String>, evidence: &mut NativeEvidence) -> Judgement {
        let any_fields = search::compare(self, &native, evidence, Makers::default());
        if self.makers().is_empty() {
            return conclude::conclude(self, &mut native, evidence, any_fields).into();
        }
        let seen_on_made = !evidence.confirmed.is_empty();
        let is_refused = any_fields.refused.is_some();
        if !is_refused && seen_on_made {
            return conclude::conclude(self, &mut native, evidence, any_fields).into();
        }
        let on_fields = (!is_refused).then(|| conclude::conclude(self, &mut native, evidence, any_fields));
        if let Some(verdict @ (Verdict::Equal { .. } | Verdict::EqualWithin { .. })) = on_fields {
            return verdict.into();
        }
        let as_made = search::compare(self, &native, evidence, self.makers().clone());
        let as_made = conclude::conclude(self, &mut native, evidence, as_made);
        match (on_fields, as_made) {
            (Some(Verdict::Differs { .. }), made @ Verdict::Differs { .. }) | (None, made) => made.into(),
            (Some(on_fields @ Verdict::Differs { .. }), made) => self.weigh(on_fields, made),
            (_, made @ (Verdict::Differs { .. } | Verdict::EqualWithin { .. })) => made.into(),
            (Some(on_fields), _) => on_fields.into(),
        }
    }

    fn makers(&self) -> &Makers {
        self.harnesses.makers()
    }

    /// A difference that was seen on values built field by field only.
    fn weigh(&self, on_fields: Verdict, as_made: Verdict) -> Judgement {
        let programs = (&self.loaded.old.program, &self.loaded.new.program);
        let Verdict::Differs { witnesses, .. } = &on_fields else { return on_fields.into() };
        let cannot_be = |witness: &Witness| {
            let inputs = witness.inputs.iter().map(|input| &input.value);
            guarded_types(programs.1, inputs)
                .iter()
                .any(|ty| compare::only_made(programs.0, programs.1, self.makers(), ty))
        };
        if !witnesses.iter().all(cannot_be) {
            return on_fields.into();
        }
        let call = witnesses.first().map(|witness| {
            witnesses::describe(
                self,
                &witness.inputs.iter().map(|input| input.value.clone()).collect::<Vec<_>>(),
            )
        });
        let note = Note::NeverMade { call: call.unwrap_or_default() };
        Judgement { notes: vec![note], ..as_made.into() }
    }
}
