//! One function, from the native pre-pass to its verdict (DESIGN §6).

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use regress_core::align::{Alignment, Pair, functions_reached};
use regress_core::compare::{self, Candidate, Comparison, Contents, Subject};
use regress_core::evidence::{
    Doubtful, Fate, NativeEnd, NativeEvidence, Replay, WhyNone, conclude, conclude_native,
};
use regress_core::exec::{Image, InputBounds, Limits, Makers, PanicPolicy};
use regress_core::explore;
use regress_core::ir::{FileId, FnBody, FnId, Origin, Program};
use regress_core::value::{Outcome, Value};
use regress_core::verdict::{
    Approximation, ChangeKind, Class, Confirmation, Input, Suspect, Verdict, Version, Witness,
};

use super::Session;
use super::load::Loaded;
use super::naming::{display_path, report_span};
use super::native::{Harnesses, Runnable};
use super::replay::{Native, Struck};
use super::states::{guarded_types, note_on_states};
use super::suspects;
use crate::args::Strategy;
use crate::budget::Deadline;
use crate::harness::{self, Care, HarnessError, PrepassPlan, RandomPlan, same_outcome};
use crate::report::{Acceptance, ChangedLines, Files, FunctionReport, Reach, SeenFromOutside};
use crate::stats::{Count, Stage};

/// Differences looked for natively before the search takes over.
const MOST_NATIVE_DIFFERENCES: usize = 8;
/// Inputs handed from the pre-pass to the search.
const MOST_SEEDS: usize = 3;
/// What a search that has begun is given in any case; less says nothing.
const LEAST_BUDGET: Duration = Duration::from_millis(100);
/// Witnesses shown for one class.
const WITNESSES_PER_CLASS: usize = 2;

/// An attack on a proof goes on so long, and over so many inputs in any case.
const ATTACK: Duration = Duration::from_millis(200);
const LEAST_SAMPLES: usize = 32;
/// Models named where a proof fell.
const SHOWN_MODELS: usize = 6;

/// What is done to judge a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    Whole,
    /// Random inputs alone; if they show a difference, the rest as well.
    NativeRuns,
}

/// The report on one aligned pair.
pub(super) fn report(
    session: &Session<'_>,
    loaded: &Loaded,
    alignment: &Alignment,
    harnesses: &Harnesses,
    pair: &Pair,
    effort: Effort,
) -> FunctionReport {
    let only_crate = loaded.only_crate();
    let (program, function) = match (pair.new, pair.old) {
        (Some(new), _) => (&loaded.new.program, new),
        (None, Some(old)) => (&loaded.old.program, old),
        (None, None) => unreachable!("a pair has a side"),
    };
    let span = |program: &Program, function: Option<FnId>| {
        report_span(&program.files, function.and_then(|id| program.functions[id].span))
    };
    let judged = verdict(session, loaded, alignment, harnesses, pair, effort);
    let reach = judged.reach;
    let (judged, unshown) = judged.shortened();
    let (verdict, notes) = judged.with_notes(loaded);
    FunctionReport {
        path: display_path(program, function, only_crate),
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
        calls: Vec::new(),
        outside: SeenFromOutside::Open,
        reach,
    }
}

fn verdict(
    session: &Session<'_>,
    loaded: &Loaded,
    alignment: &Alignment,
    harnesses: &Harnesses,
    pair: &Pair,
    effort: Effort,
) -> Judged {
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
                return Judged { reach: Reach::OutOfTime, ..Verdict::NotAnalysed { reason }.into() };
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
) -> Option<JudgedAgain> {
    let work = Work { session, loaded, alignment, harnesses, old: pair.old?, new: pair.new? };
    // What was said before does not stand if the engine fails on the pair: it was a proof within bounds, or that nothing was found.
    let judged = unless_it_panics(|| work.judge_on_texts(texts)).unwrap_or_else(|message| {
        Some(Verdict::NotAnalysed { reason: format!("internal error: {message}") }.into())
    })?;
    let (judged, unshown) = judged.shortened();
    let (verdict, notes) = judged.with_notes(loaded);
    Some(JudgedAgain { verdict, notes, unshown })
}

/// What takes the place of an earlier verdict.
pub(super) struct JudgedAgain {
    pub verdict: Verdict,
    pub notes: Vec<String>,
    pub unshown: Vec<Witness>,
}

/// Both versions of a pair, able to run natively; none if one of them is not.
pub(super) fn native(
    session: &Session<'_>,
    loaded: &Loaded,
    alignment: &Alignment,
    harnesses: &Harnesses,
    pair: &Pair,
) -> Option<Native> {
    Work { session, loaded, alignment, harnesses, old: pair.old?, new: pair.new? }.native().ok()
}

/// A defect of the engine must not take the report on other functions with it.
fn unless_it_panics<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".into())
    })
}

/// A verdict and what limits its scope.
struct Judged {
    verdict: Verdict,
    notes: Vec<String>,
    reach: Reach,
}

impl Judged {
    /// What is shown of a difference, and the calls that are not.
    fn shortened(mut self) -> (Judged, Vec<Witness>) {
        let mut unshown = Vec::new();
        if let Verdict::Differs { witnesses, .. } = &mut self.verdict {
            (*witnesses, unshown) = choose(std::mem::take(witnesses));
        }
        (self, unshown)
    }

    fn with_notes(self, loaded: &Loaded) -> (Verdict, Vec<String>) {
        let Judged { verdict, mut notes, reach: _ } = self;
        notes.extend(note_on_states(&loaded.new.program, &verdict));
        (verdict, notes)
    }
}

impl Judged {
    /// What was still searched when the time for the whole run was over had less than its own time.
    fn seen_at_the_end_of(mut self, deadline: Option<Deadline>) -> Judged {
        let open = matches!(self.verdict, Verdict::NoDifferenceFound { .. } | Verdict::NotAnalysed { .. });
        if let Some(deadline) = deadline.filter(|deadline| open && deadline.is_over()) {
            self.notes.push(format!("{} was over during its turn", deadline.name()));
            self.reach = Reach::OutOfTime;
        }
        self
    }
}

impl From<Verdict> for Judged {
    fn from(verdict: Verdict) -> Self {
        Judged { verdict, notes: Vec::new(), reach: Reach::Through }
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
    fn judge(&self, effort: Effort) -> Judged {
        let mut native = self.native();
        let evidence = match &mut native {
            Ok(native) => self.prepass(native, self.session.options.search.random_runs),
            Err(reason) => NativeEvidence {
                why_none: Some(WhyNone::Unavailable { reason: reason.clone() }),
                ..NativeEvidence::default()
            },
        };
        if effort == Effort::NativeRuns && evidence.confirmed.is_empty() {
            return conclude_native(&evidence).into();
        }
        let note = self.note_on_no_runs(&evidence);
        let mut judged = self.judge_from(native, evidence);
        judged.notes.extend(note.filter(|_| !matches!(judged.verdict, Verdict::Differs { .. })));
        judged
    }

    fn judge_on_texts(&self, texts: impl FnOnce(&BTreeSet<String>) -> BTreeSet<String>) -> Option<Judged> {
        let mut native = self.native().ok()?;
        native.literals.corpus = texts(&native.literals.corpus);
        // Every other run begins with the next of the texts.
        let runs = 2 * native.literals.corpus.len() as u64;
        let evidence = self.prepass(&mut native, runs);
        // What is doubtful speaks against a proof that was made before.
        let tells = !evidence.confirmed.is_empty() || !evidence.unstable.is_empty();
        tells.then(|| self.judge_from(Ok(native), evidence))
    }

    /// That nothing was run natively, where the harness as a whole is there.
    fn note_on_no_runs(&self, evidence: &NativeEvidence) -> Option<String> {
        match evidence.why_none.as_ref()? {
            _ if self.session.options.frontend.files().is_some() => None,
            WhyNone::NotAsked => None,
            WhyNone::ShapesDiffer => {
                Some("nothing was run natively: the parameters of both versions are not alike".into())
            }
            // Said once for the whole crate.
            WhyNone::Unavailable { reason }
                if self.harnesses.notes.iter().any(|note| note.contains(reason.as_str())) =>
            {
                None
            }
            WhyNone::Unavailable { reason } => Some(format!("nothing was run natively: {reason}")),
        }
    }

    fn judge_from(&self, mut native: Result<Native, String>, mut evidence: NativeEvidence) -> Judged {
        let any_fields = self.compare(&native, &evidence, Makers::default());
        if self.makers().is_empty() {
            return self.conclude(&mut native, &mut evidence, any_fields).into();
        }
        let seen_on_made = !evidence.confirmed.is_empty();
        let is_refused = any_fields.refused.is_some();
        if !is_refused && seen_on_made {
            return self.conclude(&mut native, &mut evidence, any_fields).into();
        }
        let on_fields = (!is_refused).then(|| self.conclude(&mut native, &mut evidence, any_fields));
        if let Some(verdict @ (Verdict::Equal { .. } | Verdict::EqualWithin { .. })) = on_fields {
            return verdict.into();
        }
        let as_made = self.compare(&native, &evidence, self.makers().clone());
        let as_made = self.conclude(&mut native, &mut evidence, as_made);
        match (on_fields, as_made) {
            (Some(Verdict::Differs { .. }), made @ Verdict::Differs { .. }) | (None, made) => made.into(),
            (Some(on_fields @ Verdict::Differs { .. }), made) => self.weigh(on_fields, made),
            (_, made @ (Verdict::Differs { .. } | Verdict::EqualWithin { .. })) => made.into(),
            (Some(on_fields), _) => on_fields.into(),
        }
    }

    /// What the function may take: what is asked for, or what is left for the whole run.
    fn budget(&self) -> Duration {
        let own = self.session.options.search.function_budget();
        let left = self.session.options.budget.deadline.map(Deadline::remaining);
        left.map_or(own, |left| own.min(left.max(LEAST_BUDGET)))
    }

    fn makers(&self) -> &Makers {
        self.harnesses.makers()
    }

    /// A difference that was seen on values built field by field only.
    fn weigh(&self, on_fields: Verdict, as_made: Verdict) -> Judged {
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
            self.describe(&witness.inputs.iter().map(|input| input.value.clone()).collect::<Vec<_>>())
        });
        let note = format!(
            "the versions differ on `{}`, which nothing in the crate was found to make",
            call.unwrap_or_default()
        );
        Judged { notes: vec![note], ..as_made.into() }
    }

    fn native(&self) -> Result<Native, String> {
        let old = self.harnesses.runnable(Version::Old, self.old);
        let new = self.harnesses.runnable(Version::New, self.new);
        match (old, new) {
            (
                Runnable::Yes { harness: old, subject: old_id },
                Runnable::Yes { harness: new, subject: new_id },
            ) => {
                let limits = self.session.options.search.call_limits();
                let mut literals = old.literals(old_id).clone();
                literals.add(new.literals(new_id));
                let patience = self.session.patience();
                let (old, new) = (old.worker(limits), new.worker(limits));
                Ok(Native { old, new, old_id, new_id, literals, patience })
            }
            (Runnable::No { reason }, _) | (_, Runnable::No { reason }) => Err(reason),
        }
    }

    /// So many random and boundary inputs through both versions.
    fn prepass(&self, native: &mut Native, runs: u64) -> NativeEvidence {
        let search = &self.session.options.search;
        let mut evidence = NativeEvidence::default();
        if runs == 0 {
            evidence.why_none = Some(WhyNone::NotAsked);
            return evidence;
        }
        let plan = PrepassPlan {
            random: RandomPlan {
                max_len: search.max_len,
                literals: native.literals.clone(),
                ..RandomPlan::new(search.seed, runs)
            },
            most_differences: MOST_NATIVE_DIFFERENCES,
            budget: self.budget() / 2,
            common: self.alignment.common.clone(),
        };
        let done = self.session.clock.time(Stage::Prepass, || {
            let (old, new) = ((&mut native.old, native.old_id), (&mut native.new, native.new_id));
            harness::prepass(old, new, &plan, &mut native.patience)
        });
        let prepass = match done {
            Ok(prepass) => prepass,
            // Functions whose parameters differ in shape, or that cannot be run, are left to the search.
            Err(HarnessError::ShapesDiffer { .. }) => {
                evidence.why_none = Some(WhyNone::ShapesDiffer);
                return evidence;
            }
            Err(HarnessError::Unavailable { reason, .. }) => {
                evidence.why_none = Some(WhyNone::Unavailable { reason });
                return evidence;
            }
            Err(error) => {
                evidence.end = NativeEnd::BrokeOff { reason: error.to_string() };
                return evidence;
            }
        };
        evidence.runs = prepass.runs;
        evidence.end = prepass.end;
        self.session.clock.count(Count::RandomRuns, prepass.runs);
        evidence.unstable = prepass
            .unstable
            .into_iter()
            .map(|seen| Doubtful { call: self.describe(&seen.inputs), doubt: seen.doubt })
            .collect();
        let mut differences = prepass.differences;
        differences.sort_by_key(|difference| display_len(&difference.inputs));
        evidence.confirmed = differences
            .into_iter()
            .map(|difference| {
                self.witness(difference.inputs, difference.old, difference.new, Confirmation::Native)
            })
            .collect();
        evidence
    }

    fn compare(
        &self,
        native: &Result<Native, String>,
        evidence: &NativeEvidence,
        makers: Makers,
    ) -> Comparison {
        let search = &self.session.options.search;
        let panics = if search.assume_no_panic { PanicPolicy::AssumeNone } else { PanicPolicy::Outcomes };
        let budget = self.budget();
        let options = compare::Options {
            strategy: match search.strategy {
                Strategy::Rsc => explore::Strategy::Rsc,
                Strategy::Dart => explore::Strategy::Dart,
            },
            limits: Limits { max_unwind: search.unwind, panics, ..Limits::default() },
            bounds: InputBounds { max_len: search.max_len, ..InputBounds::default() },
            // What random inputs found already needs only its partitions and suspects.
            timeout: if evidence.confirmed.is_empty() { budget } else { budget / 3 },
            query_timeout: (budget / 4).max(Duration::from_millis(500)),
        };
        let common = &self.alignment.common;
        let old = Image::new(&self.loaded.old.program, panics).with_common(common);
        let new = Image::new(&self.loaded.new.program, panics).with_common(common);
        for (program, function) in
            [(&self.loaded.old.program, self.old), (&self.loaded.new.program, self.new)]
        {
            match &program.functions[function].body {
                FnBody::Present(_) => {}
                FnBody::Unreadable { reason, line } => {
                    let line = line.map(|line| format!(" (line {line} of the dump)")).unwrap_or_default();
                    return Comparison::refused(format!("its MIR cannot be read{line}: {reason}"));
                }
                FnBody::Missing => return Comparison::refused("it has no body".into()),
            }
        }
        let instantiation = match self.harnesses.instantiation(self.old, self.new) {
            Ok(instantiation) => instantiation,
            Err(reason) => return Comparison::refused(reason),
        };
        // Charon states all bounds; and what is found there is not confirmed anyway.
        let bounds_are_known = self.session.options.frontend.files().is_some();
        if let (false, false, Err(reason)) = (instantiation.is_empty(), bounds_are_known, native) {
            // Only the compiler knows all bounds: runs at types that it refuses, or was not asked about, mean nothing.
            return Comparison::refused(format!(
                "it is generic, and whether it may be called with {instantiation} is not known: {reason}"
            ));
        }
        let subject = Subject { old: self.old, new: self.new, instantiation, makers };
        let seeds: Vec<Vec<Value>> = evidence.confirmed.iter().take(MOST_SEEDS).map(inputs_of).collect();
        let clock = &self.session.clock;
        let comparison =
            clock.time(Stage::Search, || compare::compare(&old, &new, subject, &options, &seeds));
        clock.count(Count::Searches, 1);
        clock.count(Count::SymbolicRuns, comparison.runs);
        clock.count(Count::Partitions, comparison.partitions.explored);
        clock.count(Count::SolverQueries, comparison.solver_queries);
        comparison
    }

    /// Tries the candidates natively, attacks what would be a proof, and weighs all evidence. Doubts are kept in it, for whatever else is
    /// made of the function.
    fn conclude(
        &self,
        native: &mut Result<Native, String>,
        evidence: &mut NativeEvidence,
        mut comparison: Comparison,
    ) -> Verdict {
        let mut fates = Vec::new();
        let mut suspects: Vec<Suspect> = Vec::new();
        for candidate in &comparison.candidates {
            // To see once more that a version does not end takes long and says nothing new.
            let fate = match is_guess(candidate) && evidence.confirmed.iter().any(hangs) {
                true => Fate::GuessedWrong,
                false => self.fate(native, candidate),
            };
            match &fate {
                Fate::Confirmed(_) | Fate::Believed(_) if suspects.is_empty() => {
                    suspects = candidate.suspects.clone();
                }
                Fate::Doubtful(doubtful) => evidence.unstable.push(doubtful.clone()),
                _ => {}
            }
            fates.push(fate);
        }
        let mut seen = evidence.clone();
        if let Ok(native) = native {
            self.attack(native, &mut comparison, &mut seen);
            evidence.unstable.clone_from(&seen.unstable);
        }
        // What the crate makes is believed first; what only fields can hold adds nothing to it.
        let of_fates = fates.iter().filter_map(|fate| match fate {
            Fate::Confirmed(witness) | Fate::Believed(witness) => Some(witness),
            _ => None,
        });
        if seen.confirmed.iter().chain(of_fates).any(|witness| !self.is_on_fields(witness)) {
            seen.confirmed.retain(|witness| !self.is_on_fields(witness));
            fates.iter_mut().for_each(|fate| match fate {
                Fate::Confirmed(witness) | Fate::Believed(witness) if self.is_on_fields(witness) => {
                    *fate = Fate::GuessedWrong;
                }
                _ => {}
            });
        }
        let mut verdict = conclude(&seen, &comparison, &fates, suspects);
        if let Verdict::Differs { witnesses, suspects, .. } = &mut verdict {
            suspects::add_changes(suspects, self.loaded, self.alignment, (self.old, self.new));
            *witnesses = in_order(std::mem::take(witnesses));
        }
        verdict
    }

    /// What native runs say of an input on which the engine sees the versions differ.
    fn fate(&self, native: &mut Result<Native, String>, candidate: &Candidate) -> Fate {
        let call = self.describe(&candidate.inputs);
        let inputs = || candidate.inputs.clone();
        let looks_alike = same_outcome(&candidate.old, &candidate.new);
        let native = match native {
            Ok(native) => native,
            // Without sources nothing can be confirmed: what the engine found is shown as such.
            Err(_) if self.session.options.frontend.files().is_some() => {
                let confirmation = Confirmation::Unconfirmed { reason: super::files::NOT_RUN.into() };
                let (old, new) = (candidate.old.clone(), candidate.new.clone());
                return Fate::Believed(self.witness(inputs(), old, new, confirmation));
            }
            // The engine tells the outcomes apart by what nobody sees.
            Err(reason) if looks_alike => return Fate::NotShown { reason: reason.clone() },
            Err(reason) => return Fate::NotSeen { call, reason: reason.clone() },
        };
        match self.replay(native, &candidate.inputs) {
            Ok(Replay::Differs { old, new }) => {
                Fate::Confirmed(self.witness(inputs(), old, new, Confirmation::Native))
            }
            Ok(Replay::Doubtful(doubt)) => Fate::Doubtful(Doubtful { call, doubt }),
            // That a loop did not end within the engine's bound was a guess, and it is in the ledger.
            Ok(Replay::Same(_)) if is_guess(candidate) => Fate::GuessedWrong,
            // The engine tells the outcomes apart by what it must not show.
            Ok(Replay::Same(_)) if looks_alike => match native.contents_differ(candidate) {
                Some(Contents { old, new }) => {
                    Fate::Confirmed(self.witness(inputs(), old, new, Confirmation::Native))
                }
                None => {
                    Fate::NotSeen { call, reason: "only the contents of `MaybeUninit` differ".to_owned() }
                }
            },
            Ok(Replay::Same(_)) => Fate::Refuted { call },
            Err(reason) => Fate::NotSeen { call, reason },
        }
    }

    /// Runs an input of each partition natively before a proof is believed. Where the versions differ there, they differ, and
    /// where the engine's outcome is not the native one, it says nothing about this function.
    fn attack(&self, native: &mut Native, comparison: &mut Comparison, evidence: &mut NativeEvidence) {
        let is_proof = matches!(
            comparison.verdict_without_difference(),
            Verdict::Equal { .. } | Verdict::EqualWithin { .. }
        );
        if !is_proof || !evidence.confirmed.is_empty() {
            return;
        }
        let clock = &self.session.clock;
        clock.time(Stage::Replay, || {
            let started = Instant::now();
            for (done, sample) in comparison.samples.iter().enumerate() {
                let is_late = self.session.options.budget.is_over();
                if is_late || done >= LEAST_SAMPLES && started.elapsed() > ATTACK {
                    break;
                }
                clock.count(Count::Replays, 1);
                let call = || self.describe(&sample.inputs);
                // An input that cannot be told natively is none that can be held against the proof.
                let Ok(struck) = native.strike(sample) else { continue };
                match struck {
                    Struck::AsSaid => evidence.runs += 1,
                    Struck::Slow => break,
                    Struck::Differs { old, new } => {
                        let inputs = sample.inputs.clone();
                        evidence.confirmed.push(self.witness(inputs, old, new, Confirmation::Native));
                        let rests_on = self.models_reached();
                        comparison.ledger.note(Approximation::ProofContradicted { call: call(), rests_on });
                        break;
                    }
                    Struck::Doubtful(doubt) => {
                        evidence.unstable.push(Doubtful { call: call(), doubt });
                        break;
                    }
                    Struck::Otherwise => {
                        comparison.ledger.note(Approximation::EngineMismatch { call: call() });
                        break;
                    }
                }
            }
        });
    }

    /// What an exploration of the function rests on beside the engine: the models of the standard library that it may run.
    fn models_reached(&self) -> String {
        let program = &self.loaded.new.program;
        let reached = functions_reached(program, &[self.new]);
        let mut models: Vec<String> = reached
            .iter()
            .flatten()
            .filter(|id| program.functions[**id].origin == Origin::StdModel)
            .map(|id| program.functions[*id].path.to_string())
            .collect();
        models.sort();
        match models.len() {
            0 => "the exploration".into(),
            more if more > SHOWN_MODELS => {
                format!(
                    "the exploration, with {} and {} other models",
                    models[..SHOWN_MODELS].join(", "),
                    more - SHOWN_MODELS
                )
            }
            _ => format!("the exploration, with the models {}", models.join(", ")),
        }
    }

    fn replay(&self, native: &mut Native, inputs: &[Value]) -> Result<Replay, String> {
        self.session.clock.count(Count::Replays, 1);
        self.session.clock.time(Stage::Replay, || native.replay(inputs, Care::Finding))
    }

    /// Whether an input was built from fields although the crate has functions that make such values.
    fn is_on_fields(&self, witness: &Witness) -> bool {
        let inputs = witness.inputs.iter().map(|input| &input.value);
        let guarded = guarded_types(&self.loaded.new.program, inputs);
        guarded.iter().any(|ty| !self.makers().of(ty).is_empty())
    }

    fn witness(&self, inputs: Vec<Value>, old: Outcome, new: Outcome, confirmation: Confirmation) -> Witness {
        let names = parameter_names(&self.loaded.new.program, self.new);
        let inputs = inputs
            .into_iter()
            .enumerate()
            .map(|(index, value)| Input {
                name: names
                    .get(index)
                    .cloned()
                    .flatten()
                    .unwrap_or_else(|| format!("argument {}", index + 1)),
                value,
            })
            .collect();
        Witness { inputs, old, new, confirmation }
    }

    fn describe(&self, inputs: &[Value]) -> String {
        let args: Vec<String> = inputs.iter().map(ToString::to_string).collect();
        format!("{}({})", self.loaded.new.program.functions[self.new].path, args.join(", "))
    }
}

fn inputs_of(witness: &Witness) -> Vec<Value> {
    witness.inputs.iter().map(|input| input.value.clone()).collect()
}

fn hangs(witness: &Witness) -> bool {
    witness.old == Outcome::Hung || witness.new == Outcome::Hung
}

/// A candidate that rests on a bound of the engine, not on two outcomes.
fn is_guess(candidate: &Candidate) -> bool {
    candidate.old == Outcome::Hung || candidate.new == Outcome::Hung
}

fn parameter_names(program: &Program, function: FnId) -> Vec<Option<String>> {
    match &program.functions[function].body {
        FnBody::Present(body) => {
            body.args().map(|local| body.locals[local].name.as_ref().map(ToString::to_string)).collect()
        }
        _ => Vec::new(),
    }
}

/// Worst class first, and the shortest of each class.
fn in_order(mut witnesses: Vec<Witness>) -> Vec<Witness> {
    let class = |witness: &Witness| Class::of(&witness.old, &witness.new);
    let len =
        |witness: &Witness| witness.inputs.iter().map(|input| input.value.to_string().len()).sum::<usize>();
    witnesses.sort_by_key(|witness| (class(witness), len(witness)));
    witnesses.dedup_by(|a, b| a.inputs == b.inputs);
    witnesses
}

/// The first witnesses of each class, and the others.
fn choose(witnesses: Vec<Witness>) -> (Vec<Witness>, Vec<Witness>) {
    let class = |witness: &Witness| Class::of(&witness.old, &witness.new);
    let (mut chosen, mut others): (Vec<Witness>, Vec<Witness>) = (Vec::new(), Vec::new());
    for witness in witnesses {
        let alike = chosen.iter().filter(|known| class(known) == class(&witness)).count();
        if alike < WITNESSES_PER_CLASS { chosen.push(witness) } else { others.push(witness) }
    }
    (chosen, others)
}

fn display_len(inputs: &[Value]) -> usize {
    inputs.iter().map(|input| input.to_string().len()).sum()
}

fn changed_lines(loaded: &Loaded, alignment: &Alignment, pair: &Pair) -> ChangedLines {
    let (Some(old), Some(new), ChangeKind::Changed) = (pair.old, pair.new, pair.kind) else {
        return ChangedLines::default();
    };
    let diff =
        alignment.statements((&loaded.old.program, old), (&loaded.new.program, new)).unwrap_or_default();
    let lines = |changed: &BTreeSet<(FileId, u32)>| changed.iter().map(|(_, line)| *line).collect();
    ChangedLines { old: lines(&diff.old_lines), new: lines(&diff.new_lines) }
}
