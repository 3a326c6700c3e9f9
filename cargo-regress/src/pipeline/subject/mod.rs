//! One function, from native random runs to its verdict.
//!
//! * [`evidence`]: random inputs through both versions as native code;
//! * [`calls_of_tests`]: calls that tests make;
//! * [`exhaustive`]: every input, where there are few;
//! * [`search`]: the symbolic search;
//! * [`conclude`]: its candidates tried natively, and everything weighed;
//! * [`fuzzing`]: what neither shows to differ nor proves equal, fuzzed;
//! * [`attack`]: what would be a proof, tried natively at an input of each partition;
//! * [`made_otherwise`]: differences that come of how inputs are made;
//! * [`observed`]: calls with values that another function leaves;
//! * [`blamed`]: the suspect lines of a difference;
//! * [`witnesses`]: inputs on which the versions differ, as they are shown.

mod attack;
mod blamed;
mod calls_of_tests;
mod conclude;
mod evidence;
mod exhaustive;
mod fuzzing;
mod made_otherwise;
mod observed;
mod search;
mod witnesses;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use regress_core::align::{Alignment, Pair};
use regress_core::compare::{self, Comparison, Instantiation};
use regress_core::evidence::{NativeEnd, NativeEvidence, WhyNone, conclude_native};
use regress_core::exec::Makers;
use regress_core::ir::{Adapter, AdapterKind, FnId, Namespace, Owner, Program, Ty};
use regress_core::value::Value;
use regress_core::verdict::{ChangeKind, Class, Verdict, Version, Witness, WitnessOrigin};
use serde::{Deserialize, Serialize};

pub(super) use self::evidence::Native;
use self::made_otherwise::MadeOtherwise;
pub(super) use self::observed::LeftValue;
use super::Session;
use super::aligned::Aligned;
use super::discharge::Discharged;
use super::invariants::{guarded_types, note_on_private_results, notes_on_fields};
use super::load::{Loaded, LoadedVersion};
use super::makers::by_fields;
use super::naming::{display_path, path_in_sources};
use super::native::Harnesses;
use super::test_calls::TestCalls;
use crate::budget::Deadline;
use crate::harness::{Row, Written};
use crate::report::paths::without_crate;
use crate::report::standing::confirmed_class;
use crate::report::{Note, Reach};
use crate::stats::FunctionCost;
use regress_core::verdict::not_analysed::{NotAnalysed, NotRun, Signatures};

/// Inputs of partitions that are kept of one function.
const MOST_SEARCHED: usize = 200;
/// Random runs by which a function shows that it ends, and alike from run to run.
const FEW_RUNS: u64 = 64;

/// What is done for a function at one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    pub effort: Effort,
    /// What it may take, if the run has that much time left.
    pub most: Duration,
    /// What this turn and all later ones may take together.
    pub left: Duration,
}

/// How much is done to judge a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    /// Random inputs, and a search for what they did not show.
    Whole,
    /// Random inputs alone.
    NativeRuns,
}

/// What is known of a pair after its turns so far.
pub(super) struct Begun {
    /// What its turns have taken.
    pub spent: Duration,
    pub judgement: Judgement,
    pub evidence: NativeEvidence,
    left: fuzzing::Left,
    pub more: More,
}

/// Whether another turn may say more of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum More {
    /// There is nothing left to do.
    Nothing,
    /// It was run natively and not searched.
    Search,
    /// The search ended for lack of time.
    Time,
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
    /// Inputs of the search's partitions, where a merge is judged: others are run on them too.
    #[serde(skip)]
    pub searched: Vec<Vec<Value>>,
}

/// Judges one aligned pair, with what earlier turns found of it.
pub(super) fn judge(
    session: &Session<'_>,
    aligned: &Aligned,
    pair: &Pair,
    turn: Turn,
    earlier: Option<Begun>,
) -> Begun {
    let (old, new) = match (pair.kind, pair.old, pair.new) {
        (ChangeKind::Changed | ChangeKind::Affected, Some(old), Some(new)) => (old, new),
        _ => return Begun::done(without_work(&aligned.loaded, pair).into()),
    };
    let work =
        Work { kind: pair.kind, left: turn.left, ..Work::new(session, aligned, (old, new), turn.most) };
    let spent_before = earlier.as_ref().map_or(Duration::ZERO, |begun| begun.spent);
    let (before, found) = earlier.map(|begun| (begun.judgement, (begun.evidence, begun.left))).unzip();
    let mut judged = unless_it_panics(|| work.judge(turn, found)).unwrap_or_else(|panic| {
        Begun::done(Verdict::NotAnalysed { reason: NotAnalysed::InternalError { panic } }.into())
    });
    judged.spent += spent_before;
    session.clock.add_turn(&work.path(), FunctionCost { time: work.spent(), ..FunctionCost::default() });
    let judgement = judged.judgement.told(&aligned.loaded, old, new);
    match before {
        // A difference that was seen natively stands, also where there was too little time to see it again.
        Some(before) if before.differs() && !judgement.differs() => Begun { judgement: before, ..judged },
        _ => Begun { judgement, ..judged },
    }
}

/// Whether there is time for turns that are for fuzzing alone.
pub(super) fn can_fuzz(session: &Session<'_>, aligned: &Aligned) -> bool {
    fuzzing::has_turns(session, &aligned.harnesses)
}

/// Fuzzes a pair of which earlier turns show too little.
pub(super) fn fuzz(
    session: &Session<'_>,
    aligned: &Aligned,
    pair: &Pair,
    budget: Duration,
    mut begun: Begun,
) -> Begun {
    let (Some(old), Some(new)) = (pair.old, pair.new) else { return begun };
    let work = Work { kind: pair.kind, ..Work::new(session, aligned, (old, new), budget) };
    let fuzzed = unless_it_panics(|| {
        let Begun { judgement, evidence, left, .. } = &mut begun;
        let seeds = calls_of_tests::seeds(&work);
        let mut verdict = fuzzing::fuzz_for(budget, &work, &judgement.verdict, evidence, seeds, left)?;
        if let Verdict::Differs { witnesses, .. } = &verdict {
            evidence::keep_confirmed(&work, evidence, witnesses);
        }
        let notes = blamed::add_suspects(&work, &mut verdict);
        Some(Judgement { notes: notes.into_iter().collect(), ..verdict.into() })
    });
    begun.spent += work.spent();
    session.clock.add_turn(&work.path(), FunctionCost { time: work.spent(), ..FunctionCost::default() });
    match fuzzed {
        Ok(Some(judged)) if judged.differs() => {
            begun.judgement = judged.told(&aligned.loaded, old, new);
        }
        Ok(Some(judged)) => begun.judgement.verdict = judged.verdict,
        // What was confirmed before the engine failed on suspects is in the evidence.
        Ok(None) | Err(_) => {}
    }
    begun
}

fn note_on_move(loaded: &Loaded, old: FnId, new: FnId) -> Option<Note> {
    let only_crate = loaded.only_crate();
    let from = path_in_sources(&loaded.old.program, old, only_crate);
    (from != display_path(&loaded.new.program, new, only_crate)).then_some(Note::Moved { from })
}

fn note_on_signature(loaded: &Loaded, old: FnId, new: FnId) -> Option<Note> {
    let sides = [(&loaded.old.program, old), (&loaded.new.program, new)];
    let is_signature = |adapter: &Adapter| adapter.kind == AdapterKind::Signature;
    let is_adapted = sides.iter().any(|(program, id)| program.adapters.get(id).is_some_and(is_signature));
    let [old, new] = sides.map(|(program, id)| signature(program, id));
    is_adapted.then_some(Note::SignatureChanged(Signatures { old, new }))
}

fn note_on_completed(verdict: &Verdict) -> Option<Note> {
    let Verdict::Differs { witnesses, .. } = verdict else { return None };
    let leaves_out = |witness: &Witness| witness.inputs.iter().any(|input| input.value.leaves_fields_out());
    witnesses.iter().any(leaves_out).then_some(Note::Completed)
}

fn note_on_re_export(loaded: &Loaded, old: FnId, new: FnId) -> Option<Note> {
    let only_crate = loaded.only_crate();
    let [old, new] = [(&loaded.old.program, old), (&loaded.new.program, new)].map(|(program, id)| {
        let path = &program.functions[id].path;
        let item = program.re_exports.get(&(Namespace::Values, path.clone()));
        let defined = item.map_or(path, |item| &item.definition);
        only_crate.map_or_else(|| defined.to_string(), |name| without_crate(defined.as_str(), name))
    });
    (old != new).then_some(Note::ReExported { old, new })
}

fn note_on_inherited(loaded: &Loaded, old: FnId, new: FnId) -> Option<Note> {
    let sides = [(Version::Old, &loaded.old.program, old), (Version::New, &loaded.new.program, new)];
    sides.into_iter().find_map(|(version, program, id)| {
        let adapter = program.adapters.get(&id).filter(|adapter| adapter.kind == AdapterKind::Inherited)?;
        let called = &program.functions[adapter.function];
        let method = called.path.to_string();
        Some(match called.owner {
            Owner::TraitImpl(_) => Note::OfWiderImpl { version, method },
            _ => Note::Inherited { version, of_trait: method },
        })
    })
}

/// What is said of a pair that is not executed.
pub(super) fn without_work(loaded: &Loaded, pair: &Pair) -> Verdict {
    let of = |version: &LoadedVersion, id: Option<FnId>| {
        id.map(|id| signature(&version.program, id)).unwrap_or_default()
    };
    match pair.kind {
        ChangeKind::Unchanged => Verdict::Unchanged,
        ChangeKind::Added => Verdict::Added,
        ChangeKind::Removed => Verdict::Removed,
        ChangeKind::SignatureChanged => {
            let (old, new) = (of(&loaded.old, pair.old), of(&loaded.new, pair.new));
            Verdict::NotAnalysed { reason: NotAnalysed::SignatureChanged(Signatures { old, new }) }
        }
        ChangeKind::Changed | ChangeKind::Affected => {
            Verdict::NotAnalysed { reason: NotAnalysed::InOneVersionOnly }
        }
    }
}

/// `(u8, &str) -> bool`.
fn signature(program: &Program, function: FnId) -> String {
    let function = &program.functions[program.in_sources(function)];
    let inputs: Vec<String> = function.inputs.iter().map(Ty::to_string).collect();
    format!("({}) -> {}", inputs.join(", "), function.output)
}

/// Judges a pair by what native runs show that begin with the rows, which are made of the texts in the crate's sources; none if they show
/// nothing.
pub(super) fn judge_on_rows(
    session: &Session<'_>,
    aligned: &Aligned,
    pair: &Pair,
    rows: impl FnOnce(&BTreeSet<String>) -> Vec<Row>,
) -> Option<Judgement> {
    judge_anew(session, aligned, pair, |work| work.judge_on_rows(rows))
}

/// Judges a pair by what native runs on random inputs show that no turn has had; none if they show no difference.
pub(super) fn judge_on_more_inputs(
    session: &Session<'_>,
    aligned: &Aligned,
    pair: &Pair,
    inputs: Range<u64>,
) -> Option<Judgement> {
    judge_anew(session, aligned, pair, |work| work.judge_on_more_inputs(inputs))
}

/// Whether all differences tell little more than that something is another than before.
pub(super) fn is_faint(aligned: &Aligned, verdict: &Verdict) -> bool {
    let tells = |witness: &Witness| witnesses::tells(&aligned.loaded.new.program, &witness.old, &witness.new);
    matches!(verdict, Verdict::Differs { witnesses, .. } if !witnesses.iter().any(tells))
}

/// Judges a pair by what so much more fuzzing shows; none if it shows nothing.
pub(super) fn judge_by_more_fuzzing(
    session: &Session<'_>,
    aligned: &Aligned,
    pair: &Pair,
    budget: Duration,
) -> Option<Judgement> {
    judge_anew(session, aligned, pair, |work| work.judge_by_more_fuzzing(budget))
}

/// Judges a pair by calls that tests make; none if they show nothing that is not known of it.
pub(super) fn judge_on_calls(session: &Session<'_>, aligned: &Aligned, pair: &Pair) -> Option<Judgement> {
    judge_anew(session, aligned, pair, |work| {
        let mut native = evidence::native(work).ok()?;
        let mut evidence = calls_of_tests::run(work, &mut native);
        // What is doubtful speaks against a proof that was made before.
        let tells = !evidence.confirmed.is_empty() || !evidence.unstable.is_empty();
        tells.then(|| work.judge_from(Ok(native), &mut evidence, &[]).judgement)
    })
}

/// Judges a changed generic function by what native runs show at other types, for which these harnesses are; none if they show no difference.
pub(super) fn judge_at_other_types(
    session: &Session<'_>,
    aligned: &Aligned,
    harnesses: &Harnesses,
    pair: &Pair,
    at: &Instantiation,
) -> Option<Judgement> {
    let most = session.options.search.function_budget();
    let work = Work { harnesses, ..Work::new(session, aligned, (pair.old?, pair.new?), most) };
    let native = evidence::native(&work).ok()?;
    let mut judged = work.judge_on_random_inputs(native)?;
    if let Verdict::Differs { ledger, .. } = &mut judged.verdict {
        ledger.leave_out_types();
    }
    judged.notes.push(Note::AtTypes { types: at.to_string() });
    Some(judged.shown(&aligned.loaded))
}

/// A call of the function that shows how values differ which others leave or make, natively, by these harnesses; none if no result is another one.
pub(super) fn seen_by_observer(
    session: &Session<'_>,
    aligned: &Aligned,
    harnesses: &Harnesses,
    pair: &Pair,
    left: &[LeftValue],
) -> Option<Witness> {
    let most = session.options.search.function_budget();
    let work = Work {
        harnesses,
        kind: ChangeKind::Affected,
        made_otherwise: MadeOtherwise::Counts,
        ..Work::new(session, aligned, (pair.old?, pair.new?), most)
    };
    observed::seen(&work, left)
}

fn judge_anew(
    session: &Session<'_>,
    aligned: &Aligned,
    pair: &Pair,
    judge: impl FnOnce(&Work<'_>) -> Option<Judgement>,
) -> Option<Judgement> {
    let most = session.options.search.function_budget();
    let work = Work::new(session, aligned, (pair.old?, pair.new?), most);
    // What was said before does not stand if the engine fails on the pair: it was a proof within bounds, or that nothing was found.
    let judged = unless_it_panics(|| judge(&work)).unwrap_or_else(|panic| {
        Some(Verdict::NotAnalysed { reason: NotAnalysed::InternalError { panic } }.into())
    })?;
    Some(judged.shown(&aligned.loaded))
}

/// Both versions of a pair, able to run natively; none if one of them is not.
pub(super) fn native(session: &Session<'_>, aligned: &Aligned, pair: &Pair) -> Option<Native> {
    let most = session.options.search.function_budget();
    evidence::native(&Work::new(session, aligned, (pair.old?, pair.new?), most)).ok()
}

/// A defect of the engine must not take the report on other functions with it.
fn unless_it_panics<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".into())
    })
}

impl More {
    fn after(search: &Comparison) -> More {
        if search.short_of_time { More::Time } else { More::Nothing }
    }

    fn or(self, other: More) -> More {
        if self == More::Nothing { other } else { self }
    }
}

impl Begun {
    /// Whether fuzzing may show what its turns so far did not.
    pub fn is_worth_fuzzing(&self) -> bool {
        fuzzing::is_open(&self.judgement.verdict)
    }

    fn done(judgement: Judgement) -> Begun {
        let (evidence, left) = Default::default();
        Begun { spent: Duration::ZERO, judgement, evidence, left, more: More::Nothing }
    }
}

impl Judgement {
    pub fn differs(&self) -> bool {
        matches!(self.verdict, Verdict::Differs { .. })
    }

    /// The worst class of difference that was seen natively.
    pub fn confirmed_class(&self) -> Option<Class> {
        match &self.verdict {
            Verdict::Differs { witnesses, .. } => confirmed_class(witnesses),
            _ => None,
        }
    }

    /// With the witnesses that are shown apart from the others, and what there is to say of those.
    fn shown(mut self, loaded: &Loaded) -> Judgement {
        if let Verdict::Differs { witnesses, .. } = &mut self.verdict {
            (*witnesses, self.unshown) = witnesses::choose(std::mem::take(witnesses));
        }
        for note in notes_on_fields(&loaded.new.program, &self.verdict) {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        self.notes.extend(note_on_private_results(&loaded.new.program, &self.verdict));
        self
    }

    /// The same with what there is to say of the functions themselves.
    fn told(self, loaded: &Loaded, old: FnId, new: FnId) -> Judgement {
        let mut judgement = self.shown(loaded);
        judgement.notes.extend(note_on_move(loaded, old, new));
        judgement.notes.extend(note_on_signature(loaded, old, new));
        judgement.notes.extend(note_on_inherited(loaded, old, new));
        judgement.notes.extend(note_on_re_export(loaded, old, new));
        judgement.notes.extend(note_on_completed(&judgement.verdict));
        judgement
    }

    /// What was still searched when the time for the whole run was over had less than its own time.
    pub fn seen_at_the_end_of(mut self, deadline: Option<Deadline>) -> Judgement {
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
        Judgement {
            verdict,
            notes: Vec::new(),
            unshown: Vec::new(),
            reach: Reach::Through,
            searched: Vec::new(),
        }
    }
}

/// One pair that has to be executed.
struct Work<'w> {
    session: &'w Session<'w>,
    loaded: &'w Loaded,
    alignment: &'w Alignment,
    harnesses: &'w Harnesses,
    /// Those at the types that were chosen for all functions.
    at_chosen: &'w Harnesses,
    test_calls: &'w TestCalls,
    /// Inputs on which the versions may differ, if that is known.
    suspected: &'w [Row],
    discharged: &'w Discharged,
    old: FnId,
    new: FnId,
    kind: ChangeKind,
    made_otherwise: MadeOtherwise,
    begun: Instant,
    /// What it may take.
    most: Duration,
    /// What it and later turns may take.
    left: Duration,
    /// How long it has waited for what is built for others too, which is no time of its own.
    waited: Cell<Duration>,
}

/// How many times as many random inputs are run where there is no search.
const MORE_RUNS_AT_OTHER_TYPES: u64 = 10;

/// What a search found of a function, and whether it ended for lack of time.
struct Searched {
    judgement: Judgement,
    more: More,
    /// Inputs of the search's partitions.
    inputs: Vec<Vec<Value>>,
}

impl<'w> Work<'w> {
    fn new(
        session: &'w Session<'w>,
        aligned: &'w Aligned,
        (old, new): (FnId, FnId),
        most: Duration,
    ) -> Work<'w> {
        let Aligned { loaded, alignment, harnesses, discharged, test_calls, other_types: _ } = aligned;
        let suspected = discharged.unaffected.suspected(new);
        Work {
            session,
            loaded,
            alignment,
            harnesses,
            at_chosen: harnesses,
            test_calls,
            suspected,
            discharged,
            old,
            new,
            kind: ChangeKind::Changed,
            made_otherwise: MadeOtherwise::IsOfMakers,
            begun: Instant::now(),
            most,
            left: most,
            waited: Cell::default(),
        }
    }

    /// What is given for parameters that one version alone has, if there are such.
    fn fixed_arguments(&self) -> Option<String> {
        let sides = [(&self.loaded.old.program, self.old), (&self.loaded.new.program, self.new)];
        let adapters = sides.iter().filter_map(|(program, id)| program.adapters.get(id));
        let fixed = adapters.flat_map(|adapter| adapter.fixed()).map(|(name, value)| match name {
            Some(name) => format!("{name} = {value}"),
            None => value.to_string(),
        });
        let all: Vec<String> = fixed.collect();
        (!all.is_empty()).then(|| all.join(", "))
    }

    /// What it has taken so far.
    fn spent(&self) -> Duration {
        self.begun.elapsed().saturating_sub(self.waited.get())
    }

    /// As the report has it.
    fn path(&self) -> String {
        display_path(&self.loaded.new.program, self.new, self.loaded.only_crate())
    }

    fn judge(&self, turn: Turn, earlier: Option<(NativeEvidence, fuzzing::Left)>) -> Begun {
        let (earlier, left) = earlier.unzip();
        let mut left = left.unwrap_or_default();
        let mut native = evidence::native(self);
        let mut evidence = self.native_runs(&mut native, turn, earlier);
        if let Ok(native) = &mut native
            && let Some(proof) = exhaustive::prove(self, native, &mut evidence, turn.effort)
        {
            return Begun {
                spent: self.spent(),
                judgement: proof.into(),
                evidence,
                left,
                more: More::Nothing,
            };
        }
        let hidden = evidence::note_on_hidden(self, &mut native, &evidence);
        let is_open = |verdict: &Verdict| matches!(verdict, Verdict::NoDifferenceFound { .. });
        if turn.effort == Effort::NativeRuns {
            let mut judgement: Judgement = conclude_native(&evidence).into();
            judgement.notes.extend(exhaustive::note_on_count(self, &evidence, &judgement.verdict));
            judgement.notes.extend(hidden.filter(|_| is_open(&judgement.verdict)));
            return Begun { spent: self.spent(), judgement, evidence, left, more: More::Search };
        }
        let note = evidence::note_on_no_runs(self, &evidence);
        let of_tests = calls_of_tests::seeds(self);
        let seeds = [left.inputs.as_slice(), calls_of_tests::first_of(&of_tests)].concat();
        let Searched { judgement: mut judged, more, inputs } = self.judge_from(native, &mut evidence, &seeds);
        if self.session.options.merged.asked().is_some() {
            judged.searched = inputs.iter().take(MOST_SEARCHED).cloned().collect();
        }
        left.keep_searched(&inputs);
        if let Some(verdict) = fuzzing::fuzz(self, &judged.verdict, &mut evidence, of_tests, &mut left) {
            judged.verdict = verdict;
            judged.notes.extend(blamed::add_suspects(self, &mut judged.verdict));
        }
        judged.notes.extend(note.filter(|_| !judged.differs()));
        judged.notes.extend(hidden.filter(|_| is_open(&judged.verdict)));
        judged.notes.extend(exhaustive::note_on_count(self, &evidence, &judged.verdict));
        judged.notes.extend(evidence::note_on_break(&evidence, &judged.verdict));
        if let Verdict::Differs { witnesses, .. } = &judged.verdict {
            evidence::keep_confirmed(self, &mut evidence, witnesses);
        }
        let more = if evidence.end == NativeEnd::OutOfTime { More::Time } else { more };
        Begun { spent: self.spent(), judgement: judged, evidence, left, more }
    }

    /// Native runs of calls that tests make, as far as these are known, and at random, unless earlier turns made them all.
    fn native_runs(
        &self,
        native: &mut Result<Native, NotRun>,
        turn: Turn,
        earlier: Option<NativeEvidence>,
    ) -> NativeEvidence {
        let was_cut = |earlier: &NativeEvidence| earlier.end == NativeEnd::OutOfTime;
        let earlier = match earlier {
            Some(earlier) if turn.effort == Effort::Whole && !was_cut(&earlier) => return earlier,
            other => other.unwrap_or_default(),
        };
        match native {
            Ok(native) => {
                let of_tests = calls_of_tests::run(self, native);
                let runs = 0..self.session.options.search.random_runs;
                evidence::test_at_random(self, native, runs, &WitnessOrigin::Random)
                    .with_earlier(of_tests)
                    .with_earlier(earlier)
            }
            Err(reason) => NativeEvidence {
                why_none: Some(WhyNone::Unavailable { reason: reason.clone() }),
                ..NativeEvidence::default()
            },
        }
    }

    fn judge_on_rows(&self, rows: impl FnOnce(&BTreeSet<String>) -> Vec<Row>) -> Option<Judgement> {
        let mut native = evidence::native(self).ok()?;
        let rows = rows(&native.literals.written.texts());
        // Three of eight runs begin with the next of the rows.
        let runs = 8 * (rows.len() as u64).div_ceil(3);
        native.literals.written = Written::of_rows(rows);
        let mut evidence = evidence::test_at_random(self, &mut native, 0..runs, &WitnessOrigin::Corpus);
        // What is doubtful speaks against a proof that was made before.
        let tells = !evidence.confirmed.is_empty() || !evidence.unstable.is_empty();
        tells.then(|| self.judge_from(Ok(native), &mut evidence, &[]).judgement)
    }

    fn judge_on_more_inputs(&self, inputs: Range<u64>) -> Option<Judgement> {
        let mut native = evidence::native(self).ok()?;
        let mut evidence = evidence::test_at_random(self, &mut native, inputs, &WitnessOrigin::Random);
        let found = !evidence.confirmed.is_empty();
        found.then(|| self.judge_from(Ok(native), &mut evidence, &[]).judgement)
    }

    /// What was seen natively stands, also if the engine fails on it.
    fn judge_on_random_inputs(&self, mut native: Native) -> Option<Judgement> {
        // Nothing but them looks at these types.
        let runs = 0..self.session.options.search.random_runs.saturating_mul(MORE_RUNS_AT_OTHER_TYPES);
        let evidence = evidence::test_at_random(self, &mut native, runs, &WitnessOrigin::Random);
        if evidence.confirmed.is_empty() {
            return None;
        }
        let judge = || self.judge_from(Ok(native), &mut evidence.clone(), &[]).judgement;
        let judged = unless_it_panics(judge).ok().filter(Judgement::differs);
        Some(judged.unwrap_or_else(|| conclude_native(&evidence).into()))
    }

    fn judge_by_more_fuzzing(&self, budget: Duration) -> Option<Judgement> {
        let mut native = evidence::native(self).ok()?;
        // Whether it ends, and alike from run to run.
        let random = evidence::test_at_random(self, &mut native, 0..FEW_RUNS, &WitnessOrigin::Random);
        let seeds = calls_of_tests::seeds(self);
        let mut evidence = fuzzing::further_evidence(budget, self, &random, seeds)?;
        // What is doubtful speaks against a proof that was made before.
        let tells = !evidence.confirmed.is_empty() || !evidence.unstable.is_empty();
        tells.then(|| self.judge_from(Ok(native), &mut evidence, &[]).judgement)
    }

    fn judge_from(
        &self,
        native: Result<Native, NotRun>,
        evidence: &mut NativeEvidence,
        fuzzed: &[Vec<Value>],
    ) -> Searched {
        let mut searched = self.searched(native, evidence, fuzzed);
        searched.judgement.notes.extend(blamed::add_suspects(self, &mut searched.judgement.verdict));
        searched
    }

    /// Values of types with private fields are first put together from fields: equality on all that the fields can hold
    /// is the stronger statement. A difference, however, counts only on values that the crate can make.
    fn searched(
        &self,
        mut native: Result<Native, NotRun>,
        evidence: &mut NativeEvidence,
        fuzzed: &[Vec<Value>],
    ) -> Searched {
        let any_fields = search::compare(self, &native, (evidence, fuzzed), by_fields(self.alignment));
        let more = More::after(&any_fields);
        let inputs = |search: &Comparison| -> Vec<Vec<Value>> {
            search.samples.iter().map(|sample| sample.inputs.clone()).collect()
        };
        let mut seen = inputs(&any_fields);
        let ended = |judgement: Judgement, more, inputs| Searched { judgement, more, inputs };
        let makers = self.makers();
        if makers.is_empty() {
            return ended(conclude::conclude(self, &mut native, evidence, any_fields).into(), more, seen);
        }
        let seen_on_made = !evidence.confirmed.is_empty();
        let is_refused = any_fields.refused.is_some();
        if !is_refused && seen_on_made {
            return ended(conclude::conclude(self, &mut native, evidence, any_fields).into(), more, seen);
        }
        let on_fields = (!is_refused).then(|| conclude::conclude(self, &mut native, evidence, any_fields));
        if let Some(verdict @ (Verdict::Equal { .. } | Verdict::EqualWithin { .. })) = on_fields {
            return ended(verdict.into(), more, seen);
        }
        let as_made = search::compare(self, &native, (evidence, fuzzed), makers);
        let more = more.or(More::after(&as_made));
        seen.extend(inputs(&as_made));
        let as_made = conclude::conclude(self, &mut native, evidence, as_made);
        let judgement = match (on_fields, as_made) {
            (Some(Verdict::Differs { .. }), made @ Verdict::Differs { .. }) | (None, made) => made.into(),
            (Some(on_fields @ Verdict::Differs { .. }), made) => self.weigh(on_fields, made),
            (_, made @ (Verdict::Differs { .. } | Verdict::EqualWithin { .. })) => made.into(),
            (Some(on_fields), _) => on_fields.into(),
        };
        ended(judgement, more, seen)
    }

    fn makers(&self) -> Makers {
        self.harnesses.makers().of_subject(self.new)
    }

    /// A difference that was seen on values built field by field only.
    fn weigh(&self, on_fields: Verdict, as_made: Verdict) -> Judgement {
        let programs = (&self.loaded.old.program, &self.loaded.new.program);
        let Verdict::Differs { witnesses, .. } = &on_fields else { return on_fields.into() };
        // The search makes no values by the others.
        let makers = self.harnesses.makers().of_all().of_data();
        let cannot_be = |witness: &Witness| {
            let inputs = witness.inputs.iter().map(|input| &input.value);
            guarded_types(programs.1, inputs)
                .iter()
                .any(|ty| compare::only_made(programs.0, programs.1, &makers, ty))
        };
        if !witnesses.iter().all(cannot_be) {
            let could_be_made = witnesses.iter().all(|witness| witnesses::is_on_fields(self, witness));
            let notes = could_be_made.then_some(Note::NotAsMade).into_iter().collect();
            return Judgement { notes, ..on_fields.into() };
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
