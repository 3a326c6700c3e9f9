//! What native runs of both versions of one function showed, and what follows from it together with an exploration.
//!
//! *Idea.* Native runs are facts, so nothing that they showed is dropped: an input on which the versions were confirmed to
//! differ makes a difference whatever the exploration says; an outcome that was different once and not again makes none, but
//! then nothing is proved either. [`conclude`] is the only place where both kinds of evidence meet.

#[cfg(test)]
mod tests;

use crate::align::purity::Pure;
use crate::compare::{Comparison, worst_class};
use crate::value::{Outcome, Value};
use crate::verdict::not_analysed::NotRun;
use crate::verdict::unsupported::Unsupported;
use crate::verdict::{
    Approximation, Exhausted, Ledger, PartitionCount, Proof, RestsOn, Verdict, Version, Witness,
};

/// What native runs of both versions on the same inputs showed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NativeEvidence {
    /// Inputs that were run through both versions.
    pub runs: u64,
    /// Differences that came out again and again in new processes.
    pub confirmed: Vec<Witness>,
    /// Inputs on which something differed that did not come out again, or cannot be told.
    pub unstable: Vec<Doubtful>,
    pub end: NativeEnd,
    /// Why nothing was run at random, if nothing was.
    pub why_none: Option<WhyNone>,
    /// What runs on every input showed, if these are few and were begun.
    pub listed: Option<Listed>,
}

impl NativeEvidence {
    /// Together with what was seen before: no fact is dropped.
    pub fn with_earlier(mut self, earlier: NativeEvidence) -> NativeEvidence {
        let inputs = |witness: &Witness| -> Vec<Value> {
            witness.inputs.iter().map(|input| input.value.clone()).collect()
        };
        for witness in earlier.confirmed {
            if self.confirmed.iter().all(|known| inputs(known) != inputs(&witness)) {
                self.confirmed.push(witness);
            }
        }
        for doubtful in earlier.unstable {
            if !self.unstable.contains(&doubtful) {
                self.unstable.push(doubtful);
            }
        }
        self.runs = self.runs.max(earlier.runs);
        self.listed = self.listed.or(earlier.listed);
        self
    }
}

/// What both versions gave on every input that there is, each run once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// So many there are, by the types of the parameters.
    pub inputs: u64,
    /// So many were run through both versions.
    pub run: u64,
    /// On so many the versions ended otherwise.
    pub differing: u64,
    /// On so many the new version panicked.
    pub panicking: u64,
    pub shown: Shown,
}

impl Listed {
    /// Whether all inputs were run.
    pub fn is_complete(&self) -> bool {
        self.inputs > 0 && self.run == self.inputs
    }
}

/// How much of the outcomes was held against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    Whole,
    /// What both versions have of it, or some of it as mere text; or there was a panic in words of the language, which any code may use.
    InPart,
}

/// Why native runs at random ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum NativeEnd {
    #[default]
    Completed,
    EnoughDifferences,
    /// So many inputs gave one outcome and then another that more of them tell nothing.
    TooManyUnstable,
    OutOfTime,
    TooManyHangs,
    TooManyCrashes,
    /// The harness failed.
    BrokeOff {
        reason: String,
    },
}

/// Why no function was run at random.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhyNone {
    /// By `--random-runs 0`.
    NotAsked,
    /// The parameters of both versions have no values in common that the harness can draw.
    ShapesDiffer,
    /// One of the versions cannot be run.
    Unavailable { reason: NotRun },
}

/// A call of which native runs cannot tell whether the versions differ on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubtful {
    pub call: String,
    pub doubt: Doubt,
}

/// Why an outcome that was different makes no difference of the versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// The versions differed, and did not in so many further runs of each.
    DifferedOnce { runs: u32 },
    /// The version gave two outcomes for this input.
    NotDeterministic { version: Version },
    /// The version took more than the limit of a call, of so many milliseconds; it may end or not.
    TooSlow { version: Version, limit_ms: u64 },
    /// The version asked for more than the memory of a run; with more it may end in the same way.
    TooLarge { version: Version },
    /// The input was drawn, but cannot be given again.
    NotRepeatable { reason: String },
}

impl Doubtful {
    pub fn approximation(&self) -> Approximation {
        let call = self.call.clone();
        match &self.doubt {
            Doubt::DifferedOnce { runs } => Approximation::DifferedOnce { call, runs: *runs },
            Doubt::NotDeterministic { version } => {
                Approximation::NotDeterministic { call, version: *version }
            }
            Doubt::TooSlow { version, limit_ms } => {
                Approximation::TooSlow { call, version: *version, limit_ms: *limit_ms }
            }
            Doubt::TooLarge { version } => Approximation::TooLarge { call, version: *version },
            Doubt::NotRepeatable { reason } => Approximation::NotRepeatable { call, reason: reason.clone() },
        }
    }
}

/// What one input gives in both versions, after as many runs as it took to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replay {
    Same { old: Outcome, new: Outcome },
    Differs { old: Outcome, new: Outcome },
    Doubtful(Doubt),
}

/// What became of a call on which the engine sees the versions differ.
#[derive(Clone, Debug, PartialEq)]
pub enum Fate {
    /// The versions differ natively.
    Confirmed(Witness),
    /// There are no sources to run; the engine's word is all there is.
    Believed(Witness),
    /// The engine gave one version up, which natively ends as the other does, or was seen before not to end. Its bound is in the ledger.
    GuessedWrong,
    /// Natively the versions do not differ.
    Refuted {
        call: String,
    },
    /// It could not be run, or what differs in it is seen by nobody.
    NotSeen {
        call: String,
        reason: NotRun,
    },
    /// The engine sees a difference in what it must not show, and nothing can be run.
    NotShown {
        reason: NotRun,
    },
    Doubtful(Doubtful),
}

/// The verdict on a function, from all that is known of it.
///
/// `fates` are those of the comparison's candidates; one that has none was not tried.
///
/// * What was confirmed natively differs. If the exploration has a proof of the contrary, that is a defect, and in the ledger.
/// * A doubt leaves neither a proof nor a verdict that says nothing was run.
pub fn conclude(native: &NativeEvidence, comparison: &Comparison, fates: &[Fate]) -> Verdict {
    let mut ledger = comparison.ledger.clone();
    let mut witnesses = native.confirmed.clone();
    let mut doubts: Vec<&Doubtful> = native.unstable.iter().collect();
    for fate in fates {
        match fate {
            Fate::Confirmed(witness) | Fate::Believed(witness) => witnesses.push(witness.clone()),
            Fate::GuessedWrong => {}
            Fate::Refuted { call } => ledger.note(Approximation::EngineMismatch { call: call.clone() }),
            Fate::NotSeen { call, reason } => {
                ledger.note(Approximation::Unconfirmed { call: call.clone(), reason: reason.clone() });
            }
            Fate::NotShown { reason } => {
                ledger.note(Approximation::Unsupported { what: Unsupported::NotShown(reason.clone()) })
            }
            Fate::Doubtful(doubtful) => doubts.push(doubtful),
        }
    }
    // Where a version was seen not to end, that it is slow elsewhere is no news.
    let hangs = |version: Version| {
        witnesses.iter().any(|witness| match version {
            Version::Old => witness.old == Outcome::Hung,
            Version::New => witness.new == Outcome::Hung,
        })
    };
    doubts.retain(|doubtful| !matches!(doubtful.doubt, Doubt::TooSlow { version, .. } if hangs(version)));
    note_doubts(&mut ledger, &doubts);
    for untried in comparison.candidates.iter().skip(fates.len()) {
        let (call, reason) = (call_of(&untried.inputs), NotRun::NotTried);
        ledger.note(Approximation::Unconfirmed { call, reason });
    }
    let broke_off = match &native.end {
        NativeEnd::BrokeOff { reason } => Some(Approximation::NativeFailure { reason: reason.clone() }),
        _ => None,
    };
    if let Some(class) = worst_class(witnesses.iter().map(|witness| (&witness.old, &witness.new))) {
        if let (Verdict::Equal { .. }, Some(first)) =
            (comparison.verdict_without_difference(), native.confirmed.first())
        {
            let values: Vec<Value> = first.inputs.iter().map(|input| input.value.clone()).collect();
            let call = call_of(&values);
            ledger.note(Approximation::ProofContradicted {
                call,
                rests_on: RestsOn::Exploration { models: Vec::new() },
            });
        }
        let (suspects, partitions) = (Vec::new(), comparison.partitions);
        return Verdict::Differs { class, witnesses, suspects, partitions, ledger };
    }
    match comparison.verdict_given(ledger.clone()) {
        Verdict::NoDifferenceFound { runs, mut ledger } => {
            broke_off.into_iter().for_each(|entry| ledger.note(entry));
            Verdict::NoDifferenceFound { runs: runs + native.runs, ledger }
        }
        // Runs that found nothing are worth telling where the search could not even start, and so is what they left open.
        Verdict::NotAnalysed { .. } if native.runs > 0 || !doubts.is_empty() => {
            if let Some(refused) = &comparison.refused {
                ledger.note(Approximation::Unsupported { what: Unsupported::Refused(refused.clone()) });
            }
            broke_off.into_iter().for_each(|entry| ledger.note(entry));
            Verdict::NoDifferenceFound { runs: native.runs, ledger }
        }
        other => other,
    }
}

/// The verdict where only native runs were made.
pub fn conclude_native(native: &NativeEvidence) -> Verdict {
    conclude(native, &Comparison::empty(), &[])
}

/// The verdict after further native runs of a function of which something was said that is no difference. What these
/// runs found stands against it, as in [`conclude`].
pub fn conclude_again(said: &Verdict, more: &NativeEvidence) -> Verdict {
    let mut ledger = match said {
        Verdict::EqualWithin { bounds: ledger, .. }
        | Verdict::NoDifferenceFound { ledger, .. }
        | Verdict::Differs { ledger, .. } => ledger.clone(),
        _ => Ledger::default(),
    };
    note_doubts(&mut ledger, &more.unstable.iter().collect::<Vec<_>>());
    let classes = more.confirmed.iter().map(|witness| (&witness.old, &witness.new));
    if let Some(class) = worst_class(classes) {
        let partitions = match said {
            Verdict::EqualWithin { proof, .. } => proof.partitions,
            _ => PartitionCount::default(),
        };
        if let (Verdict::Equal { .. }, Some(first)) = (said, more.confirmed.first()) {
            let values: Vec<Value> = first.inputs.iter().map(|input| input.value.clone()).collect();
            let rests_on = RestsOn::Exploration { models: Vec::new() };
            ledger.note(Approximation::ProofContradicted { call: call_of(&values), rests_on });
        }
        let (witnesses, suspects) = (more.confirmed.clone(), Vec::new());
        return Verdict::Differs { class, witnesses, suspects, partitions, ledger };
    }
    let doubts = !more.unstable.is_empty();
    match said {
        Verdict::EqualWithin { proof, .. } if doubts => {
            Verdict::NoDifferenceFound { runs: proof.partitions.explored + more.runs, ledger }
        }
        Verdict::Equal { .. } | Verdict::NotAnalysed { .. } if doubts => {
            Verdict::NoDifferenceFound { runs: more.runs, ledger }
        }
        Verdict::NoDifferenceFound { runs, .. } => {
            Verdict::NoDifferenceFound { runs: runs + more.runs, ledger }
        }
        other => other.clone(),
    }
}

/// The proof that runs on every input make, of two pure functions; none if they make none, or other native runs leave a doubt.
pub fn conclude_listed(native: &NativeEvidence, listed: &Listed, _both: [Pure; 2]) -> Option<Verdict> {
    let all_agree = listed.is_complete() && listed.differing == 0;
    let is_doubted = !native.confirmed.is_empty()
        || !native.unstable.is_empty()
        || !matches!(native.end, NativeEnd::Completed | NativeEnd::OutOfTime);
    let is_proof = all_agree && !is_doubted && listed.shown == Shown::Whole;
    let proof = Exhausted { inputs: listed.inputs, panicking: listed.panicking };
    is_proof.then_some(Verdict::Equal { proof: Proof::Exhaustive(proof) })
}

/// Notes one doubt of each kind: a function that ends otherwise from run to run does so on most inputs.
fn note_doubts(ledger: &mut Ledger, doubts: &[&Doubtful]) {
    let mut noted = Vec::new();
    for doubtful in doubts {
        let kind = std::mem::discriminant(&doubtful.doubt);
        if !noted.contains(&kind) {
            noted.push(kind);
            ledger.note(doubtful.approximation());
        }
    }
}

/// Arguments as a call of no name.
fn call_of(values: &[Value]) -> String {
    let args: Vec<String> = values.iter().map(ToString::to_string).collect();
    format!("({})", args.join(", "))
}

/// Whether native runs speak against a proof, so that none may take the place of what was said.
pub fn speaks_against_proof(verdict: &Verdict) -> bool {
    native_doubts(verdict).is_none_or(|mut doubts| doubts.next().is_some())
}

/// The same of a proof that both versions take the same steps: where one of them is too slow to tell, the other one is as well.
pub fn speaks_against_same_steps(verdict: &Verdict) -> bool {
    let is_slow = |doubt: &&Approximation| {
        matches!(doubt, Approximation::TooSlow { .. } | Approximation::TooLarge { .. })
    };
    native_doubts(verdict).is_none_or(|mut doubts| doubts.any(|doubt| !is_slow(&doubt)))
}

/// What native runs leave in doubt; none if they differ.
fn native_doubts(verdict: &Verdict) -> Option<impl Iterator<Item = &Approximation>> {
    let entries = match verdict {
        Verdict::Differs { .. } => return None,
        Verdict::EqualWithin { bounds: ledger, .. } | Verdict::NoDifferenceFound { ledger, .. } => {
            ledger.entries()
        }
        Verdict::Unchanged
        | Verdict::Equal { .. }
        | Verdict::NotAnalysed { .. }
        | Verdict::Added
        | Verdict::Removed => &[],
    };
    Some(entries.iter().filter(|entry| entry.is_native_doubt()))
}
