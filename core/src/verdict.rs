//! What is known of one function after comparison. Variants carry the evidence they rest on.
//!
//! Invariant: [`Verdict::Equal`] is only built from a finished exploration whose [`Ledger`] holds nothing that
//! weakens a proof, from runs of a pure function on every input that there is, from bodies that take the same steps
//! ([`crate::difference::Aligned`]), or from such proofs.

pub mod not_analysed;
pub mod suspicion;
pub mod unsupported;

use serde::{Deserialize, Serialize};

use crate::ir::Span;
use crate::smt::UnknownReason;
use crate::value::{Outcome, Value};
use not_analysed::{NotAnalysed, NotRun};
use suspicion::Suspicion;
use unsupported::Unsupported;

/// How a function of the old version relates to one of the new version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// Same canonical body, and so are all functions it reaches.
    Unchanged,
    /// Its own body changed.
    Changed,
    /// Its own body did not change, that of a function it reaches did.
    Affected,
    Added,
    Removed,
    /// Parameter types changed, so there is no common input to compare on.
    SignatureChanged,
}

impl ChangeKind {
    /// Whether both versions are run to compare them.
    pub fn is_compared(self) -> bool {
        matches!(self, ChangeKind::Changed | ChangeKind::Affected)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Unchanged,
    /// The same outcome on every input.
    Equal {
        proof: Proof,
    },
    /// The same outcome on every input that stays within the bounds.
    EqualWithin {
        proof: Explored,
        bounds: Ledger,
    },
    /// Nothing found, nothing proved.
    NoDifferenceFound {
        runs: u64,
        ledger: Ledger,
    },
    Differs {
        class: Class,
        witnesses: Vec<Witness>,
        suspects: Vec<Suspect>,
        partitions: PartitionCount,
        ledger: Ledger,
    },
    NotAnalysed {
        reason: NotAnalysed,
    },
    Added,
    Removed,
}

/// What a difference means to the user. Ordered from bad to harmless.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// A panic, abort or endless loop that only the new version has.
    Regression,
    /// Both return, with different results.
    Behaviour,
    /// A panic, abort or endless loop that only the old version had.
    Fix,
}

impl Class {
    /// The class of one pair of different outcomes.
    pub fn of(old: &Outcome, new: &Outcome) -> Class {
        let good = |outcome: &Outcome| matches!(outcome, Outcome::Returned { .. });
        match (good(old), good(new)) {
            (true, false) => Class::Regression,
            (false, true) => Class::Fix,
            _ => Class::Behaviour,
        }
    }
}

/// How equality on every input was established.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Proof {
    Explored(Explored),
    /// Every input was run natively in both versions, with the same outcome.
    Exhaustive(Exhausted),
    /// Nothing of what it may run differs but these functions, each of which is proved equal; see `crate::align`.
    Congruent {
        by: Vec<String>,
    },
    /// Both versions take the same steps, on every input of every type, if these functions do, of which the same was shown; see `crate::difference`.
    Aligned {
        rests_on: Vec<String>,
    },
}

/// What an exploration found in all partitions that there are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explored {
    pub partitions: PartitionCount,
    /// Partitions in which both outputs were the same term, so no solver was asked.
    pub syntactic: u64,
    /// Partitions in which the solver refuted a difference.
    pub solved: u64,
    /// Partitions in which both versions panic.
    pub panicking: u64,
}

/// What runs on all inputs that there are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exhausted {
    pub inputs: u64,
    /// Those on which both versions panic.
    pub panicking: u64,
}

impl Proof {
    /// How many partitions or inputs there are on which both versions panic; none if that rests on proofs of others. Where both take the same steps it is not
    /// known whether there are any, so it is one.
    pub fn panicking(&self) -> Option<u64> {
        match self {
            Proof::Explored(Explored { panicking, .. }) | Proof::Exhaustive(Exhausted { panicking, .. }) => {
                Some(*panicking)
            }
            Proof::Aligned { .. } => Some(1),
            Proof::Congruent { .. } => None,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartitionCount {
    pub explored: u64,
    pub differing: u64,
}

/// An input on which the versions differ, or were believed to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Witness {
    /// In parameter order.
    pub inputs: Vec<Input>,
    pub old: Outcome,
    pub new: Outcome,
    pub confirmation: Confirmation,
    pub origin: WitnessOrigin,
}

/// What an input came from on which the versions differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WitnessOrigin {
    /// Drawn at random.
    Random,
    /// All inputs were run.
    Exhaustive,
    /// Made of texts of the crate and of witnesses of other functions.
    Corpus,
    /// A test of the crate makes this call.
    Test {
        name: String,
    },
    Fuzzing,
    /// The search, where it followed the other side of a branch that one version alone decides by.
    Divergence,
    /// The search, elsewhere.
    Search,
    /// The user named the call.
    Given,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// The parameter's name in the new version.
    pub name: String,
    pub value: Value,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confirmation {
    /// Run natively on both versions; the outcomes in the witness are the native ones.
    Native,
    /// Found by the engine, not (or not yet) seen natively.
    Unconfirmed { reason: NotRun },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suspect {
    pub version: Version,
    pub span: Span,
    /// 1 is the most suspect.
    pub rank: u32,
    pub reason: Suspicion,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Version {
    Old,
    New,
}

impl Version {
    pub fn other(self) -> Version {
        match self {
            Version::Old => Version::New,
            Version::New => Version::Old,
        }
    }
}

/// The approximations made on the way to a verdict, without duplicates, in the order they came up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ledger {
    entries: Vec<Approximation>,
}

/// Something that was done short of the full meaning.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Approximation {
    /// Sequences in the input have at most this many elements.
    InputLength {
        max_len: u64,
    },
    /// Values of recursive input types are nested in values of their own type to this depth only.
    InputDepth {
        max_depth: u64,
    },
    /// Values of the type were made by these functions of the crate only.
    AsMade {
        ty: String,
        by: Vec<String>,
    },
    /// Values of the type that this function makes were not considered: it is given code.
    MakerLeftOut {
        ty: String,
        maker: String,
    },
    /// Values of the type were made by a function and at most so many calls on the value.
    CallSequence {
        ty: String,
        most: u64,
    },
    /// A result holds a value of the type, and the versions represent it otherwise: what it is was not compared.
    StateNotCompared {
        ty: String,
    },
    /// The results are of two types, and not all parts of one stand for a part of the other: only what both tell was compared.
    ResultsPartlyCompared,
    /// In each partition of the inputs within the bounds both versions panic: how they go on when they do not was not compared.
    OnlyPanics,
    /// This function, which makes inputs, succeeds on other arguments in one version than in the other; there nothing was
    /// compared.
    MakersDiffer {
        maker: String,
    },
    /// Some inputs were not considered, or part of the results was not compared.
    InputAlphabet {
        what: LeftOut,
    },
    /// Rust leaves open how exact this function of floats is; it is taken to give the same for the same arguments in both versions, and on those of a run what it
    /// gives on this machine.
    UnspecifiedPrecision {
        function: String,
    },
    /// A run was given up after so many statements, or a loop after so many rounds.
    LoopBound {
        /// For a loop of std the call that led there.
        location: String,
        #[serde(default)]
        of: LoopOf,
        limit: u64,
    },
    /// A run was given up where so many functions were being called, those of the models included.
    CallDepth {
        function: String,
        limit: u64,
    },
    StepBudget {
        limit: u64,
    },
    TimeBudget {
        seconds: u64,
    },
    SolverUnknown {
        reason: UnknownReason,
    },
    /// A call whose meaning is not known.
    OpaqueCall {
        callee: String,
    },
    /// A model of a function of the standard library leaves this open, in its own words.
    RestrictedModel {
        on: String,
    },
    /// Something the executor does not do.
    Unsupported {
        what: Unsupported,
    },
    /// `--assume-no-panic`: checks are taken to hold.
    NoPanicAssumed,
    /// A generic function was run at these types only.
    Instantiated {
        types: String,
    },
    /// The engine sees the versions differ on this input, but it could not be run natively.
    Unconfirmed {
        call: String,
        reason: NotRun,
    },
    /// Native runs broke off, so nothing was tried at random.
    NativeFailure {
        reason: String,
    },
    /// The engine and the native run disagreed on this input.
    EngineMismatch {
        call: String,
    },
    /// Native runs differed on this input, and did not in so many further runs of each version in new processes.
    DifferedOnce {
        call: String,
        runs: u32,
    },
    /// Natively the version gave two outcomes for this input.
    NotDeterministic {
        call: String,
        version: Version,
    },
    /// The version took more than so many milliseconds for this call, and whether it ends is not known.
    TooSlow {
        call: String,
        version: Version,
        limit_ms: u64,
    },
    /// The version asked for more memory than a run is given, and what it does with more is not known.
    TooLarge {
        call: String,
        version: Version,
    },
    /// Native runs differed on an input that was drawn and cannot be given again.
    NotRepeatable {
        call: String,
        reason: String,
    },
    /// The versions differ natively on an input on which they were proved equal: a defect of what the proof rests on.
    ProofContradicted {
        call: String,
        rests_on: RestsOn,
    },
}

/// What a proof rests on that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RestsOn {
    /// The exploration, and these models of the standard library that it may have run.
    Exploration { models: Vec<String> },
    /// What follows from the proofs of these functions.
    Proofs { of: Vec<String> },
}

/// Inputs that are not considered, and parts of results that are not compared.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeftOut {
    /// Strings with other characters than ASCII's.
    OtherThanAscii,
    /// Characters that are not in this release of Unicode.
    NewerUnicode { release: (u8, u8, u8) },
    /// `MaybeUninit` of a number that holds none.
    UninitialisedNumbers,
    /// `MaybeUninit` of anything else that holds something.
    InitialisedOthers,
    /// Formatting options but those of `{}`.
    FormattingOptions,
    /// A variant that holds function pointers.
    FunctionPointers { variant: String },
    /// A variant that holds a value of a type that the engine cannot build.
    Unbuilt { variant: String, ty: String },
    /// Values of the type that only one version has.
    OfOneVersion { ty: String },
    /// A field of a result that only one version has, or of a type with nothing in common.
    FieldOfOneVersion { field: String },
    /// Of which types results are that are not of one type, and of which widths numbers.
    TypesOfResults,
    /// What other threads do to atomics and locks meanwhile.
    OtherThreads,
    /// Cells that are borrowed and locks that are poisoned when the call begins.
    BorrowedCells,
    /// Different references that lead to the same cell.
    SharedCells,
    /// Other reference-counted pointers to what an argument points to, but for one that the caller keeps.
    OtherOwners,
    /// Which reference-counted pointers of a result are the same.
    IdentityOfCounted,
    /// Where references of a result lead, beyond what is there.
    IdentityOfReferences,
}

/// Where a loop is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LoopOf {
    #[default]
    Program,
    /// In what a model stands for.
    Std,
}

/// What an approximation leaves of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProofStrength {
    /// Equality holds within a bound that can be stated.
    Bounded,
    /// Equality was not established.
    Void,
}

impl Approximation {
    pub fn leaves(&self) -> ProofStrength {
        match self {
            Approximation::InputLength { .. }
            | Approximation::InputDepth { .. }
            | Approximation::InputAlphabet { .. }
            | Approximation::AsMade { .. }
            | Approximation::CallSequence { .. }
            | Approximation::MakersDiffer { .. }
            | Approximation::UnspecifiedPrecision { .. }
            | Approximation::LoopBound { .. }
            | Approximation::CallDepth { .. }
            | Approximation::NoPanicAssumed
            | Approximation::NativeFailure { .. }
            | Approximation::Instantiated { .. } => ProofStrength::Bounded,
            Approximation::StateNotCompared { .. }
            | Approximation::MakerLeftOut { .. }
            | Approximation::OnlyPanics
            | Approximation::ResultsPartlyCompared
            | Approximation::StepBudget { .. }
            | Approximation::TimeBudget { .. }
            | Approximation::SolverUnknown { .. }
            | Approximation::OpaqueCall { .. }
            | Approximation::RestrictedModel { .. }
            | Approximation::Unsupported { .. }
            | Approximation::Unconfirmed { .. }
            | Approximation::EngineMismatch { .. }
            | Approximation::DifferedOnce { .. }
            | Approximation::NotDeterministic { .. }
            | Approximation::TooSlow { .. }
            | Approximation::TooLarge { .. }
            | Approximation::NotRepeatable { .. }
            | Approximation::ProofContradicted { .. } => ProofStrength::Void,
        }
    }

    /// Whether native runs say so: no proof by other means takes its place.
    pub fn is_native_doubt(&self) -> bool {
        matches!(
            self,
            Approximation::DifferedOnce { .. }
                | Approximation::NotDeterministic { .. }
                | Approximation::TooSlow { .. }
                | Approximation::TooLarge { .. }
                | Approximation::NotRepeatable { .. }
                | Approximation::ProofContradicted { .. }
        )
    }
}

impl Ledger {
    pub fn note(&mut self, approximation: Approximation) {
        // The depth that all inputs may have is the least.
        if let Approximation::InputDepth { max_depth: depth } = &approximation
            && let Some(known) = self.entries.iter_mut().find_map(|entry| match entry {
                Approximation::InputDepth { max_depth } => Some(max_depth),
                _ => None,
            })
        {
            *known = (*known).min(*depth);
            return;
        }
        if !self.entries.contains(&approximation) {
            self.entries.push(approximation);
        }
    }

    /// Leaves out the types that a generic function was run at, where they are told beside the verdict.
    pub fn leave_out_types(&mut self) {
        self.entries.retain(|entry| !matches!(entry, Approximation::Instantiated { .. }));
    }

    pub fn merge(&mut self, other: &Ledger) {
        for entry in &other.entries {
            self.note(entry.clone());
        }
    }

    pub fn entries(&self) -> &[Approximation] {
        &self.entries
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether more time may say more.
    pub fn is_short_of_time(&self) -> bool {
        let hangs_on_time = |entry: &Approximation| {
            matches!(entry, Approximation::TimeBudget { .. } | Approximation::SolverUnknown { .. })
        };
        self.entries.iter().any(hangs_on_time)
    }

    /// Whether longer inputs than those looked at are left out.
    pub fn bounds_lengths(&self) -> bool {
        self.entries.iter().any(|entry| matches!(entry, Approximation::InputLength { .. }))
    }

    /// The worst that any entry leaves of a proof; none if the ledger is empty.
    pub fn strength(&self) -> Option<ProofStrength> {
        self.entries.iter().map(Approximation::leaves).max()
    }
}
