//! What a verdict amounts to.
//!
//! A difference counts as one only if a witness of it was seen natively. What the engine believes without that is
//! `Unconfirmed`: shown, but no regression, because it may be a defect of the engine.

use regress_core::verdict::{ChangeKind, Class, Confirmation, Verdict, Witness};

use serde::{Deserialize, Serialize};

use crate::args::FailOn;

/// From worst to best; the order of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Standing {
    Regression,
    Behaviour,
    Fix,
    Unconfirmed,
    NotAnalysed,
    NoDifferenceFound,
    /// It differs, and somebody has said that this is meant.
    Accepted,
    EqualWithin,
    Equal,
    Removed,
    Added,
    Unchanged,
}

impl Standing {
    pub const ALL: [Standing; 12] = [
        Standing::Regression,
        Standing::Behaviour,
        Standing::Fix,
        Standing::Unconfirmed,
        Standing::NotAnalysed,
        Standing::NoDifferenceFound,
        Standing::Accepted,
        Standing::EqualWithin,
        Standing::Equal,
        Standing::Removed,
        Standing::Added,
        Standing::Unchanged,
    ];

    pub fn of(kind: ChangeKind, verdict: &Verdict) -> Standing {
        match verdict {
            Verdict::Differs { witnesses, .. } => match confirmed_class(witnesses) {
                None => Standing::Unconfirmed,
                Some(class) => Standing::from(class),
            },
            Verdict::NotAnalysed { .. } => Standing::NotAnalysed,
            Verdict::NoDifferenceFound { .. } => Standing::NoDifferenceFound,
            Verdict::EqualWithin { .. } => Standing::EqualWithin,
            Verdict::Equal { .. } => Standing::Equal,
            Verdict::Added => Standing::Added,
            Verdict::Removed => Standing::Removed,
            // A verdict that the kind of change contradicts is not taken at its word.
            Verdict::Unchanged if kind == ChangeKind::Unchanged => Standing::Unchanged,
            Verdict::Unchanged => Standing::NotAnalysed,
        }
    }

    /// Whether versions were seen to differ natively.
    pub fn is_difference(self) -> bool {
        matches!(self, Standing::Regression | Standing::Behaviour | Standing::Fix)
    }

    /// Whether this makes the run fail.
    pub fn fails(self, fail_on: FailOn) -> bool {
        self.fails_from().is_some_and(|level| fail_on >= level)
    }

    /// The least level of `--fail-on` at which this makes the run fail; none if none does.
    fn fails_from(self) -> Option<FailOn> {
        match self {
            Standing::Regression => Some(FailOn::Regression),
            Standing::Behaviour | Standing::Fix => Some(FailOn::Difference),
            Standing::Unconfirmed | Standing::NotAnalysed | Standing::NoDifferenceFound => {
                Some(FailOn::Unknown)
            }
            Standing::Accepted
            | Standing::EqualWithin
            | Standing::Equal
            | Standing::Removed
            | Standing::Added
            | Standing::Unchanged => None,
        }
    }
}

impl From<Class> for Standing {
    fn from(class: Class) -> Standing {
        match class {
            Class::Regression => Standing::Regression,
            Class::Behaviour => Standing::Behaviour,
            Class::Fix => Standing::Fix,
        }
    }
}

/// The worst class among the witnesses that were seen natively; none if there is no such witness.
pub fn confirmed_class(witnesses: &[Witness]) -> Option<Class> {
    let seen = witnesses.iter().filter(|witness| witness.confirmation == Confirmation::Native);
    seen.map(|witness| Class::of(&witness.old, &witness.new)).min()
}

/// How many functions have each standing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    by_standing: [u64; Standing::ALL.len()],
}

impl Counts {
    pub fn of(standings: impl IntoIterator<Item = Standing>) -> Counts {
        let mut counts = Counts::default();
        for standing in standings {
            counts.by_standing[standing as usize] += 1;
        }
        counts
    }

    pub fn get(&self, standing: Standing) -> u64 {
        self.by_standing[standing as usize]
    }

    pub fn total(&self) -> u64 {
        self.by_standing.iter().sum()
    }

    /// `1 regression`, `2 fixes`: each standing that there is, but for unchanged functions.
    pub fn in_words(&self) -> Vec<String> {
        let wordings = [
            (Standing::Regression, "regression", "regressions"),
            (Standing::Behaviour, "behaviour change", "behaviour changes"),
            (Standing::Fix, "fix", "fixes"),
            (Standing::Unconfirmed, "unconfirmed difference", "unconfirmed differences"),
            (Standing::Accepted, "accepted difference", "accepted differences"),
            (Standing::Equal, "proved equal", "proved equal"),
            (Standing::EqualWithin, "equal within bounds", "equal within bounds"),
            (Standing::NoDifferenceFound, "without a difference found", "without a difference found"),
            (Standing::NotAnalysed, "not analysed", "not analysed"),
            (Standing::Added, "added", "added"),
            (Standing::Removed, "removed", "removed"),
        ];
        let present = wordings.into_iter().filter(|(standing, ..)| self.get(*standing) > 0);
        present.map(|(standing, one, many)| super::wording::count(self.get(standing), one, many)).collect()
    }
}

/// 0 or 100, by what was found and by what the user wants to fail on.
pub fn exit_code(standings: impl IntoIterator<Item = Standing>, fail_on: FailOn) -> u8 {
    if standings.into_iter().any(|standing| standing.fails(fail_on)) { 100 } else { 0 }
}
