//! The kinds of findings: one table of stable ids, used by every rendering and by `--explain`.
//!
//! An id never changes its meaning and is never given again. What is said of a function is one finding: that of the call
//! that will be shown for it.

use regress_core::value::Outcome;
use regress_core::verdict::{ChangeKind, Class, Confirmation, Verdict, Version, Witness};

use super::{FunctionReport, ReportSpan, Standing, wording};

/// What there may be to say of a function. Unchanged, equal, added and removed functions are no findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Finding {
    PanicAdded,
    AbortAdded,
    HangAdded,
    OutputChanged,
    FailureChanged,
    PanicRemoved,
    AbortRemoved,
    HangRemoved,
    Unconfirmed,
    NotAnalysed,
    SignatureChanged,
    NoDifferenceFound,
    EqualWithin,
    Accepted,
    /// Of a merge, not of a function of two versions.
    Interaction,
}

/// How much a finding asks to be looked at, as editors and CI services grade it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    Error,
    Warning,
    Note,
}

/// What is the same for all findings of one kind.
struct Kind {
    id: &'static str,
    /// For tools that show names beside ids.
    name: &'static str,
    summary: &'static str,
    explanation: &'static str,
}

impl Finding {
    pub const ALL: [Finding; 15] = [
        Finding::PanicAdded,
        Finding::AbortAdded,
        Finding::HangAdded,
        Finding::OutputChanged,
        Finding::FailureChanged,
        Finding::PanicRemoved,
        Finding::AbortRemoved,
        Finding::HangRemoved,
        Finding::Unconfirmed,
        Finding::NotAnalysed,
        Finding::SignatureChanged,
        Finding::NoDifferenceFound,
        Finding::EqualWithin,
        Finding::Accepted,
        Finding::Interaction,
    ];

    fn kind(self) -> Kind {
        let kind = |id, name, summary, explanation| Kind { id, name, summary, explanation };
        match self {
            Finding::PanicAdded => kind(
                "REG0001",
                "PanicAdded",
                "The new version panics on an input on which the old one returned.",
                include_str!("explanations/REG0001.md"),
            ),
            Finding::AbortAdded => kind(
                "REG0002",
                "AbortAdded",
                "The new version ends the process on an input on which the old one returned.",
                include_str!("explanations/REG0002.md"),
            ),
            Finding::HangAdded => kind(
                "REG0003",
                "HangAdded",
                "The new version does not end on an input on which the old one returned.",
                include_str!("explanations/REG0003.md"),
            ),
            Finding::OutputChanged => kind(
                "REG0004",
                "OutputChanged",
                "Both versions return, with different values.",
                include_str!("explanations/REG0004.md"),
            ),
            Finding::FailureChanged => kind(
                "REG0005",
                "FailureChanged",
                "Both versions fail on an input, in different ways.",
                include_str!("explanations/REG0005.md"),
            ),
            Finding::PanicRemoved => kind(
                "REG0006",
                "PanicRemoved",
                "The new version returns on an input on which the old one panicked.",
                include_str!("explanations/REG0006.md"),
            ),
            Finding::AbortRemoved => kind(
                "REG0007",
                "AbortRemoved",
                "The new version returns on an input on which the old one ended the process.",
                include_str!("explanations/REG0007.md"),
            ),
            Finding::HangRemoved => kind(
                "REG0008",
                "HangRemoved",
                "The new version returns on an input on which the old one did not end.",
                include_str!("explanations/REG0008.md"),
            ),
            Finding::Unconfirmed => kind(
                "REG0009",
                "Unconfirmed",
                "The analysis sees a difference that no native run has shown.",
                include_str!("explanations/REG0009.md"),
            ),
            Finding::NotAnalysed => kind(
                "REG0010",
                "NotAnalysed",
                "The function may have changed its meaning, and nothing could be run.",
                include_str!("explanations/REG0010.md"),
            ),
            Finding::SignatureChanged => kind(
                "REG0011",
                "SignatureChanged",
                "Parameters have other types, so the versions have no inputs in common.",
                include_str!("explanations/REG0011.md"),
            ),
            Finding::NoDifferenceFound => kind(
                "REG0012",
                "NoDifferenceFound",
                "No difference was found, and none is excluded.",
                include_str!("explanations/REG0012.md"),
            ),
            Finding::EqualWithin => kind(
                "REG0013",
                "EqualWithin",
                "The versions are proved equal on inputs within bounds.",
                include_str!("explanations/REG0013.md"),
            ),
            Finding::Accepted => kind(
                "REG0014",
                "Accepted",
                "The versions differ, and it is written down that this is meant.",
                include_str!("explanations/REG0014.md"),
            ),
            Finding::Interaction => kind(
                "REG0015",
                "Interaction",
                "A merge does something else than its branches let one expect.",
                include_str!("explanations/REG0015.md"),
            ),
        }
    }

    /// `REG0001`.
    pub fn id(self) -> &'static str {
        self.kind().id
    }

    /// `PanicAdded`.
    pub fn name(self) -> &'static str {
        self.kind().name
    }

    /// One sentence.
    pub fn summary(self) -> &'static str {
        self.kind().summary
    }

    /// What it means, what to do, an example; in Markdown.
    pub fn explanation(self) -> &'static str {
        self.kind().explanation
    }

    /// The finding with this id or name, in whatever case.
    pub fn named(text: &str) -> Option<Finding> {
        let is_it = |finding: &Finding| {
            finding.id().eq_ignore_ascii_case(text) || finding.name().eq_ignore_ascii_case(text)
        };
        Finding::ALL.into_iter().find(is_it)
    }

    pub fn severity(self) -> Severity {
        match self {
            Finding::PanicAdded | Finding::AbortAdded | Finding::HangAdded | Finding::Interaction => {
                Severity::Error
            }
            Finding::OutputChanged | Finding::FailureChanged | Finding::Unconfirmed => Severity::Warning,
            Finding::PanicRemoved
            | Finding::AbortRemoved
            | Finding::HangRemoved
            | Finding::NotAnalysed
            | Finding::SignatureChanged
            | Finding::NoDifferenceFound
            | Finding::EqualWithin
            | Finding::Accepted => Severity::Note,
        }
    }

    /// Whether versions were seen to differ, by native runs or by the analysis alone, and nobody said that this is meant.
    pub fn is_difference(self) -> bool {
        match self {
            Finding::PanicAdded
            | Finding::AbortAdded
            | Finding::HangAdded
            | Finding::OutputChanged
            | Finding::FailureChanged
            | Finding::PanicRemoved
            | Finding::AbortRemoved
            | Finding::HangRemoved
            | Finding::Unconfirmed
            | Finding::Accepted
            | Finding::Interaction => true,
            Finding::NotAnalysed
            | Finding::SignatureChanged
            | Finding::NoDifferenceFound
            | Finding::EqualWithin => false,
        }
    }

    /// What is to be said of the function; none where there is nothing.
    pub fn of(function: &FunctionReport) -> Option<Finding> {
        match function.standing() {
            Standing::Unconfirmed => Some(Finding::Unconfirmed),
            Standing::Regression | Standing::Behaviour | Standing::Fix => {
                function.new_failure_of_others().or_else(|| example(function)).map(change)
            }
            Standing::NotAnalysed if function.kind == ChangeKind::SignatureChanged => {
                Some(Finding::SignatureChanged)
            }
            Standing::NotAnalysed => Some(Finding::NotAnalysed),
            Standing::NoDifferenceFound => Some(Finding::NoDifferenceFound),
            Standing::EqualWithin => Some(Finding::EqualWithin),
            Standing::Accepted => Some(Finding::Accepted),
            Standing::Equal | Standing::Removed | Standing::Added | Standing::Unchanged => None,
        }
    }
}

/// How the outcomes of one call differ.
fn change(witness: &Witness) -> Finding {
    match (&witness.old, &witness.new) {
        (Outcome::Returned { .. }, Outcome::Returned { .. }) => Finding::OutputChanged,
        (Outcome::Returned { .. }, Outcome::Panicked(_)) => Finding::PanicAdded,
        (Outcome::Returned { .. }, Outcome::Aborted(_)) => Finding::AbortAdded,
        (Outcome::Returned { .. }, Outcome::Hung) => Finding::HangAdded,
        (Outcome::Panicked(_), Outcome::Returned { .. }) => Finding::PanicRemoved,
        (Outcome::Aborted(_), Outcome::Returned { .. }) => Finding::AbortRemoved,
        (Outcome::Hung, Outcome::Returned { .. }) => Finding::HangRemoved,
        _ => Finding::FailureChanged,
    }
}

/// The witness that a function is reported by: of the worst class, one that was seen natively first.
pub fn example(function: &FunctionReport) -> Option<&Witness> {
    let Verdict::Differs { class, witnesses, .. } = &function.verdict else { return None };
    let class = super::standing::confirmed_class(witnesses).unwrap_or(*class);
    let is_native = |witness: &Witness| witness.confirmation == Confirmation::Native;
    let of_class = |native: bool| {
        let fits = move |witness: &Witness| {
            Class::of(&witness.old, &witness.new) == class && is_native(witness) == native
        };
        witnesses.iter().find(|witness| fits(witness))
    };
    of_class(true).or_else(|| of_class(false)).or_else(|| witnesses.first())
}

/// What a difference is called, as the first word of its report.
pub fn title(standing: Standing) -> &'static str {
    match standing {
        Standing::Regression => "regression",
        Standing::Behaviour => "behaviour change",
        Standing::Fix => "fix",
        Standing::Unconfirmed => "unconfirmed",
        Standing::NotAnalysed => "not analysed",
        Standing::NoDifferenceFound => "inconclusive: no difference found",
        Standing::Accepted => "accepted",
        Standing::EqualWithin => "equal within bounds",
        Standing::Equal => "proved equal",
        Standing::Removed => "removed",
        Standing::Added => "added",
        Standing::Unchanged => "unchanged",
    }
}

/// What is claimed of a function that differs: "panics on inputs it could take before".
pub fn claim(function: &FunctionReport) -> String {
    if let Some(seen) = function.new_failure_of_others() {
        let fail = match change(seen) {
            Finding::HangAdded => "do not end",
            Finding::AbortAdded => "abort",
            _ => "panic",
        };
        return format!("leaves or returns a value on which other functions {fail} that did not before");
    }
    let example = example(function);
    let claim = match example.map(change) {
        Some(Finding::PanicAdded) => "panics on inputs it could take before",
        Some(Finding::HangAdded) => "does not end on inputs it could take before",
        Some(Finding::AbortAdded) => "aborts on inputs it could take before",
        Some(Finding::PanicRemoved) => "no longer panics on inputs it panicked on before",
        Some(Finding::HangRemoved) => "now ends on inputs on which it did not end before",
        Some(Finding::AbortRemoved) => "no longer aborts on inputs it aborted on before",
        Some(Finding::FailureChanged) => "fails in another way than before",
        _ => return perhaps(function, &changed_output(function, example)),
    };
    perhaps(function, claim)
}

/// What is claimed of calls that return in both versions.
fn changed_output(function: &FunctionReport, example: Option<&Witness>) -> String {
    if let Some(witness) = example
        && let (
            Outcome::Returned { value: old, mutated: left_by_old },
            Outcome::Returned { value: new, mutated: left_by_new },
        ) = (&witness.old, &witness.new)
        && old == new
        && let [place, ..] = wording::differing_places(left_by_old, left_by_new)[..]
    {
        return match function.path.ends_with("::fmt") {
            true => "prints something else".to_owned(),
            false => format!("leaves a different value in {}", wording::parameter(witness, place)),
        };
    }
    "returns a different result".to_owned()
}

fn perhaps(function: &FunctionReport, claim: &str) -> String {
    // What only the engine believes is not stated as a fact.
    match function.verdict_standing() {
        Standing::Unconfirmed => format!("perhaps {claim}"),
        _ => claim.to_owned(),
    }
}

/// A place in the new version that a finding is shown at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub file: String,
    pub line_start: u32,
    pub line_end: u32,
    /// Characters counted from 1, the end exclusive, where a part of a line is meant.
    pub columns: Option<(u32, u32)>,
}

/// The most suspect place of the new version, else the first changed line, else the function. None if the new version
/// does not have it.
pub fn place(function: &FunctionReport) -> Option<Place> {
    let span = function.new_span.as_ref()?;
    let suspects = match &function.verdict {
        Verdict::Differs { suspects, .. } => suspects.as_slice(),
        _ => &[],
    };
    let most_suspect = suspects
        .iter()
        .filter(|suspect| suspect.version == Version::New && suspect.span.line_start > 0)
        .min_by_key(|suspect| suspect.rank);
    if let Some(suspect) = most_suspect
        && let Some(file) = function.files.name(Version::New, suspect.span.file)
    {
        let at = suspect.span;
        let is_within = at.line_start == at.line_end && 0 < at.col_start && at.col_start < at.col_end;
        return Some(Place {
            file: file.to_owned(),
            line_start: at.line_start,
            line_end: at.line_end.max(at.line_start),
            columns: is_within.then_some((at.col_start, at.col_end)),
        });
    }
    let ReportSpan { file, line_start, line_end } = span.clone();
    let changed = function.changed_lines.new.iter().find(|line| (line_start..=line_end).contains(line));
    let (line_start, line_end) = changed.map_or((line_start, line_end), |line| (*line, *line));
    Some(Place {
        file,
        line_start: line_start.max(1),
        line_end: line_end.max(line_start).max(1),
        columns: None,
    })
}
