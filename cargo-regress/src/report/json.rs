//! The report as one JSON document, for programs. Its fields are described in `docs/book/src/report-json.md`.
//!
//! The types here are the document: whatever is renamed, removed or given another meaning in them raises
//! [`SCHEMA_VERSION`]; new fields do not. They are read as well as written, so that reports can be merged.

use std::collections::BTreeMap;

use regress_core::value::{Outcome, Panic, PanicKind, Value};
use regress_core::verdict::{
    Approximation, ChangeKind, Class, Confirmation, Explored, Ledger, PartitionCount, Proof, Verdict,
    Version, Witness,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::interaction::{InteractionKind, NumberedChange};
use super::reasons;
use super::standing::confirmed_class;
use super::wording;
use super::{
    Acceptance, AcceptedBy, Finding, FunctionReport, Note, PublicCaller, Report, ReportSpan, SeenFromOutside,
    StaleEntry, Standing, VersionInfo,
};

use crate::stats::{Count, FunctionCost, Stage};

pub const SCHEMA_VERSION: u32 = 1;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Document {
    pub schema_version: u32,
    pub tool_version: String,
    pub old: VersionRecord,
    pub new: VersionRecord,
    pub functions: Vec<FunctionRecord>,
    pub notes: Vec<String>,
    /// Paths of functions of which more would be known had the time for the whole run sufficed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unfinished: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stale: Vec<StaleRecord>,
    pub summary: Summary,
    /// Only where `--stats` asks for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stats: Option<StatsRecord>,
}

/// Seconds by stage, and numbers by what was counted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StatsRecord {
    pub seconds: BTreeMap<String, f64>,
    pub counts: BTreeMap<String, u64>,
    /// Changed bodies by what came of aligning both versions' steps.
    #[serde(default)]
    pub same_steps: BTreeMap<String, u64>,
    /// By path.
    #[serde(default)]
    pub functions: BTreeMap<String, FunctionCostRecord>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FunctionCostRecord {
    pub seconds: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs_to_first_difference: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VersionRecord {
    pub rev: String,
    pub oid: Option<String>,
    pub label: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FunctionRecord {
    pub path: String,
    #[schemars(with = "String")]
    pub kind: ChangeKind,
    pub verdict: VerdictName,
    /// The kind of finding: `REG0001`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub class: Option<Class>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// In the new version; in the old one for what was removed.
    pub span: Option<SpanRecord>,
    pub old_span: Option<SpanRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<BTreeMap<String, u64>>")]
    pub partitions: Option<PartitionCount>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<ProofRecord>,
    /// Runs behind `no_difference_found`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<u64>,
    pub witnesses: Vec<WitnessRecord>,
    pub suspects: Vec<SuspectRecord>,
    pub ledger: Vec<LedgerRecord>,
    /// For a difference in a private function: the public functions that may run it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub public_callers: Option<Vec<PublicCallerRecord>>,
    /// For a difference that is meant: who says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted: Option<Vec<AcceptedRecord>>,
    /// `none` if it is proved to panic on no input on which it did not before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_panics: Option<NewPanics>,
    /// A condition over the parameters, in Rust, outside of which both versions are proved to do the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub affected_when: Option<String>,
    /// Which of several changes the first witness takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interaction: Option<InteractionRecord>,
    pub notes: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NewPanics {
    None,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InteractionRecord {
    pub kind: InteractionName,
    pub verified: Verified,
    pub changes: Vec<NumberedChange>,
    /// How many changes there are between the versions.
    pub of: usize,
    /// Numbers of changes: each set makes the difference without the others, and not with a change less.
    pub sets: Vec<Vec<usize>>,
    /// Mixtures of both versions that were built and run.
    pub builds: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum InteractionName {
    Alone,
    Together,
    Either,
    Masked,
    Depends,
}

/// What the sets of changes rest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verified {
    /// The call was made in versions that have some of the changes.
    Native,
    /// The slices of both versions' runs.
    Slice,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AcceptedRecord {
    pub reason: String,
    /// Where the entry stands.
    pub entry: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
}

/// An entry for an expected difference that covers nothing, or cannot any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StaleRecord {
    pub function: String,
    pub entry: String,
    pub why: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PublicCallerRecord {
    pub path: String,
    pub differs: bool,
    /// The call of a confirmed witness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum VerdictName {
    Unchanged,
    Equal,
    EqualWithin,
    NoDifferenceFound,
    Differs,
    NotAnalysed,
    Added,
    Removed,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SpanRecord {
    pub file: String,
    pub line_start: u32,
    pub line_end: u32,
}

/// How equality was established.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ProofRecord {
    /// Partitions whose outputs were the same term, and those the solver decided.
    Explored { syntactic: u64, solved: u64 },
    /// So many inputs are all that there are, and each was run natively in both versions.
    Exhaustive { exhaustive: u64 },
    /// It follows from the proofs of these functions.
    Congruent { by: Vec<String> },
    /// Both versions take the same steps if these functions do, of which the same was shown.
    Aligned { rests_on: Vec<String> },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WitnessRecord {
    pub call: String,
    pub inputs: Vec<InputRecord>,
    pub old: OutcomeRecord,
    pub new: OutcomeRecord,
    pub confirmed: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unconfirmed_reason: Option<String>,
    /// Where the input is from: `random`, `exhaustive`, `corpus`, `test:NAME`, `fuzzing`, `divergence` or `search`.
    #[serde(default)]
    pub origin: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InputRecord {
    pub name: String,
    /// As a Rust expression.
    pub value: String,
    /// The same, in parts.
    #[schemars(with = "serde_json::Value")]
    pub structure: Value,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OutcomeRecord {
    pub outcome: OutcomeName,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mutated: Vec<MutatedRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub panic: Option<PanicRecord>,
    /// What killed the process, for `aborted`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeName {
    Returned,
    Panicked,
    Hung,
    OutOfMemory,
    Aborted,
}

/// What a `&mut` parameter refers to after the call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MutatedRecord {
    /// Counted from 0.
    pub parameter: usize,
    pub value: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PanicRecord {
    #[schemars(with = "String")]
    pub kind: PanicKind,
    pub message: Option<String>,
    pub location: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SuspectRecord {
    #[schemars(with = "String")]
    pub version: Version,
    pub file: String,
    pub line: u32,
    pub rank: u32,
    pub reason: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LedgerRecord {
    /// By the names of the variants of [`Approximation`].
    pub kind: String,
    /// The evidence by its names, reasons in words.
    #[serde(flatten)]
    pub evidence: BTreeMap<String, serde_json::Value>,
    /// The same in words.
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    pub functions: u64,
    pub unchanged: u64,
    pub equal: u64,
    pub equal_within: u64,
    pub no_difference_found: u64,
    pub regressions: u64,
    pub behaviour_changes: u64,
    pub fixes: u64,
    /// Differences that no native run has shown; in none of the three above.
    pub unconfirmed: u64,
    /// Differences that are meant; in none of the four above.
    #[serde(default)]
    pub accepted: u64,
    pub not_analysed: u64,
    pub added: u64,
    pub removed: u64,
    pub duration_seconds: f64,
}

/// The document of a report.
pub fn document(report: &Report) -> Document {
    Document {
        schema_version: SCHEMA_VERSION,
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        old: version(&report.old),
        new: version(&report.new),
        functions: report.functions.iter().map(function).collect(),
        notes: report.notes.clone(),
        unfinished: report.unfinished.clone(),
        stale: report.stale.iter().map(stale).collect(),
        summary: summary(report),
        stats: None,
    }
}

/// The document as text, with a line feed at its end.
pub fn render(report: &Report) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string_pretty(&document(report))? + "\n")
}

/// The same with where the time went.
pub fn render_with_stats(report: &Report) -> Result<String, serde_json::Error> {
    let seconds =
        Stage::ALL.iter().map(|stage| (stage.key().to_owned(), report.stats.time(*stage).as_secs_f64()));
    let counts = Count::ALL.iter().map(|count| (count.key().to_owned(), report.stats.counted(*count)));
    let functions = report.stats.functions().iter().map(|(path, cost)| {
        let FunctionCost { time, runs_to_first_difference } = *cost;
        (path.clone(), FunctionCostRecord { seconds: time.as_secs_f64(), runs_to_first_difference })
    });
    let same_steps = report.stats.same_steps();
    let stats = StatsRecord {
        seconds: seconds.collect(),
        counts: counts.collect(),
        same_steps: same_steps.iter().map(|(outcome, number)| ((*outcome).to_owned(), *number)).collect(),
        functions: functions.collect(),
    };
    let document = Document { stats: Some(stats), ..document(report) };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

pub(super) fn version(info: &VersionInfo) -> VersionRecord {
    VersionRecord { rev: info.rev.clone(), oid: info.oid.clone(), label: info.label.clone() }
}

fn explored(proof: &Explored) -> ProofRecord {
    ProofRecord::Explored { syntactic: proof.syntactic, solved: proof.solved }
}

fn interaction(note: &Note) -> Option<InteractionRecord> {
    let Note::Changes(told) = note else { return None };
    let (kind, verified) = match told.kind {
        InteractionKind::Alone { .. } => (InteractionName::Alone, Verified::Native),
        InteractionKind::Together { .. } => (InteractionName::Together, Verified::Native),
        InteractionKind::Either { .. } => (InteractionName::Either, Verified::Native),
        InteractionKind::Masked { .. } => (InteractionName::Masked, Verified::Native),
        InteractionKind::Depends => (InteractionName::Depends, Verified::Slice),
    };
    let (changes, sets) = (told.changes.clone(), told.sets());
    Some(InteractionRecord { kind, verified, changes, of: told.of, sets, builds: told.builds })
}

fn function(function: &FunctionReport) -> FunctionRecord {
    let mut record = FunctionRecord {
        path: function.path.clone(),
        kind: function.kind,
        verdict: VerdictName::Unchanged,
        id: Finding::of(function).map(|finding| finding.id().to_owned()),
        class: None,
        reason: None,
        span: function.span().map(|(_, place)| span(place)),
        old_span: function.old_span.as_ref().map(span),
        partitions: None,
        proof: None,
        runs: None,
        witnesses: Vec::new(),
        suspects: Vec::new(),
        ledger: Vec::new(),
        public_callers: public_callers(&function.outside),
        accepted: accepted(&function.acceptance),
        new_panics: function
            .notes
            .iter()
            .any(|note| matches!(note, Note::NoNewPanic { .. }))
            .then_some(NewPanics::None),
        affected_when: function.notes.iter().find_map(|note| match note {
            Note::AffectedWhen { condition, .. } => Some(condition.clone()),
            _ => None,
        }),
        interaction: function.notes.iter().find_map(interaction),
        notes: function.sentences().collect(),
    };
    match &function.verdict {
        Verdict::Unchanged => record.verdict = VerdictName::Unchanged,
        Verdict::Added => record.verdict = VerdictName::Added,
        Verdict::Removed => record.verdict = VerdictName::Removed,
        Verdict::Equal { proof } => {
            record.verdict = VerdictName::Equal;
            match proof {
                Proof::Explored(proof) => {
                    record.partitions = Some(proof.partitions);
                    record.proof = Some(explored(proof));
                }
                Proof::Exhaustive(proof) => {
                    record.proof = Some(ProofRecord::Exhaustive { exhaustive: proof.inputs });
                }
                Proof::Congruent { by } => record.proof = Some(ProofRecord::Congruent { by: by.clone() }),
                Proof::Aligned { rests_on } => {
                    record.proof = Some(ProofRecord::Aligned { rests_on: rests_on.clone() });
                }
            }
        }
        Verdict::EqualWithin { proof, bounds } => {
            record.verdict = VerdictName::EqualWithin;
            record.partitions = Some(proof.partitions);
            record.proof = Some(explored(proof));
            record.ledger = ledger(bounds);
        }
        Verdict::NoDifferenceFound { runs, ledger: entries } => {
            record.verdict = VerdictName::NoDifferenceFound;
            record.runs = Some(*runs);
            record.ledger = ledger(entries);
        }
        Verdict::NotAnalysed { reason } => {
            record.verdict = VerdictName::NotAnalysed;
            record.reason = Some(reasons::not_analysed(reason));
        }
        Verdict::Differs { class, witnesses, suspects, partitions, ledger: entries } => {
            record.verdict = VerdictName::Differs;
            record.class = Some(match function.new_failure_of_others() {
                Some(_) => Class::Regression,
                None => confirmed_class(witnesses).unwrap_or(*class),
            });
            record.partitions = Some(*partitions);
            record.witnesses = witnesses.iter().map(|shown| witness(function.call(shown), shown)).collect();
            record.suspects = suspects
                .iter()
                .map(|suspect| SuspectRecord {
                    version: suspect.version,
                    file: function
                        .files
                        .name(suspect.version, suspect.span.file)
                        .unwrap_or_default()
                        .to_owned(),
                    line: suspect.span.line_start,
                    rank: suspect.rank,
                    reason: reasons::suspicion(suspect),
                })
                .collect();
            record.ledger = ledger(entries);
        }
    }
    record
}

fn accepted(acceptance: &Acceptance) -> Option<Vec<AcceptedRecord>> {
    let Acceptance::By(entries) = acceptance else { return None };
    let record = |by: &AcceptedBy| AcceptedRecord {
        reason: by.reason.clone(),
        entry: by.place.clone(),
        when: by.condition.clone(),
    };
    Some(entries.iter().map(record).collect())
}

fn stale(stale: &StaleEntry) -> StaleRecord {
    StaleRecord { function: stale.function.clone(), entry: stale.place.clone(), why: stale.why.clone() }
}

fn public_callers(outside: &SeenFromOutside) -> Option<Vec<PublicCallerRecord>> {
    let callers = match outside {
        SeenFromOutside::Open => return None,
        SeenFromOutside::Unreached => &[],
        SeenFromOutside::Through(callers) => callers.as_slice(),
    };
    let record = |caller: &PublicCaller| PublicCallerRecord {
        path: caller.path.clone(),
        differs: caller.standing.is_difference(),
        witness: caller.witness.clone().filter(|_| caller.standing.is_difference()),
    };
    Some(callers.iter().map(record).collect())
}

fn span(span: &ReportSpan) -> SpanRecord {
    SpanRecord { file: span.file.clone(), line_start: span.line_start, line_end: span.line_end }
}

fn witness(call: String, witness: &Witness) -> WitnessRecord {
    let unconfirmed_reason = match &witness.confirmation {
        Confirmation::Native => None,
        Confirmation::Unconfirmed { reason } => Some(reasons::not_run(reason)),
    };
    WitnessRecord {
        call,
        inputs: witness
            .inputs
            .iter()
            .map(|input| InputRecord {
                name: input.name.clone(),
                value: input.value.to_string(),
                structure: input.value.clone(),
            })
            .collect(),
        old: outcome(&witness.old),
        new: outcome(&witness.new),
        confirmed: unconfirmed_reason.is_none(),
        unconfirmed_reason,
        origin: wording::origin(&witness.origin),
    }
}

pub(super) fn outcome(outcome: &Outcome) -> OutcomeRecord {
    let bare =
        |outcome| OutcomeRecord { outcome, value: None, mutated: Vec::new(), panic: None, cause: None };
    match outcome {
        Outcome::Returned { value, mutated } => OutcomeRecord {
            value: Some(value.to_string()),
            mutated: mutated
                .iter()
                .map(|(parameter, value)| MutatedRecord { parameter: *parameter, value: value.to_string() })
                .collect(),
            ..bare(OutcomeName::Returned)
        },
        Outcome::Panicked(Panic { kind, message, location }) => OutcomeRecord {
            panic: Some(PanicRecord { kind: *kind, message: message.clone(), location: location.clone() }),
            ..bare(OutcomeName::Panicked)
        },
        Outcome::Hung => bare(OutcomeName::Hung),
        Outcome::OutOfMemory => bare(OutcomeName::OutOfMemory),
        Outcome::Aborted(cause) => OutcomeRecord { cause: Some(cause.clone()), ..bare(OutcomeName::Aborted) },
    }
}

fn ledger(ledger: &Ledger) -> Vec<LedgerRecord> {
    ledger.entries().iter().map(approximation).collect()
}

fn approximation(entry: &Approximation) -> LedgerRecord {
    let mut evidence: BTreeMap<String, serde_json::Value> = serde_json::to_value(entry)
        .and_then(serde_json::from_value)
        .expect("an approximation is an object by its attributes");
    let in_words = match entry {
        Approximation::Unsupported { what } => Some(("what", reasons::unsupported(what))),
        Approximation::Unconfirmed { reason, .. } => Some(("reason", reasons::not_run(reason))),
        Approximation::SolverUnknown { reason } => Some(("reason", reasons::unknown(reason))),
        Approximation::ProofContradicted { rests_on, .. } => Some(("rests_on", reasons::rests_on(rests_on))),
        _ => None,
    };
    if let Some((name, words)) = in_words {
        evidence.insert(name.to_owned(), words.into());
    }
    let kind = evidence.remove("kind").and_then(|kind| kind.as_str().map(str::to_owned)).unwrap_or_default();
    LedgerRecord { kind, evidence, text: super::wording::approximation(entry) }
}

fn summary(report: &Report) -> Summary {
    let counts = report.counts();
    Summary {
        functions: counts.total(),
        unchanged: counts.get(Standing::Unchanged),
        equal: counts.get(Standing::Equal),
        equal_within: counts.get(Standing::EqualWithin),
        no_difference_found: counts.get(Standing::NoDifferenceFound),
        regressions: counts.get(Standing::Regression),
        behaviour_changes: counts.get(Standing::Behaviour),
        fixes: counts.get(Standing::Fix),
        unconfirmed: counts.get(Standing::Unconfirmed),
        accepted: counts.get(Standing::Accepted),
        not_analysed: counts.get(Standing::NotAnalysed),
        added: counts.get(Standing::Added),
        removed: counts.get(Standing::Removed),
        duration_seconds: report.duration.as_secs_f64(),
    }
}
