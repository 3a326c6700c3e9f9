//! What is to be said of a function beside its verdict.

use super::interaction::Interaction;
use super::wording::{self, grouped};
use regress_core::verdict::not_analysed::{NotRun, Signatures};
use regress_core::verdict::{Class, Version, Witness};
use serde::{Deserialize, Serialize};

/// A sentence on a function, with what it rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Note {
    /// A time, by its name, was over while the function was searched.
    CutShort {
        time: String,
    },
    /// The harness had nothing to run: parameters have no values in common.
    ShapesDiffer,
    NotRun {
        reason: NotRun,
    },
    /// Of the results a part was not compared natively.
    PartlyShown,
    /// The harness failed before all was run that should have been.
    BrokeOff {
        reason: String,
    },
    /// The versions differ on a call with values that nothing in the crate makes.
    NeverMade {
        call: String,
    },
    /// Values of these types were put together from private fields.
    FieldByField {
        types: Vec<String>,
    },
    /// They were although the crate has functions that make such values, and no value that those were seen to make shows the difference.
    NotAsMade,
    /// Results differ in private fields of these types alone.
    PrivateFieldsDiffer {
        types: Vec<String>,
    },
    /// A function by which inputs of the witnesses are made is not the same in both versions.
    MakerDiffers {
        callee: String,
    },
    /// A call of another function with a value that this one leaves or returns, which shows how that differs.
    SeenBy {
        /// `Args::word(&{ let mut it = Args::new(&["-x"]); it.next_flag(); it })`
        call: String,
        witness: Box<Witness>,
    },
    /// Every input was run: the versions end otherwise on so many.
    DiffersOn {
        differing: u64,
        inputs: u64,
    },
    /// The function has another path in the old version.
    Moved {
        from: String,
    },
    /// It was seen with other types for the parameters of the function than those that were chosen for it.
    AtTypes {
        types: String,
    },
    /// Values that show it leave out fields that one version alone has.
    Completed,
    /// The name of the function stands for another one than in the old version.
    ReExported {
        old: String,
        new: String,
    },
    /// One version has the trait's own method, of this path, where the other's implementation has one itself.
    Inherited {
        version: Version,
        of_trait: String,
    },
    /// One version has the method from an implementation for more types.
    OfWiderImpl {
        version: Version,
        /// `<T as k::Tr>::f`
        method: String,
    },
    /// The signature changed, and each version is called with what the narrower one takes.
    SignatureChanged(Signatures),
    /// Suspect lines come from the change alone. The command takes the change apart as well.
    NoConditions {
        reason: String,
        command: Option<String>,
    },
    /// Which of several changes the first witness takes.
    Changes(Interaction),
    /// It is proved to panic on no input on which it did not before, by the bodies and proofs of these functions.
    NoNewPanic {
        rests_on: Vec<String>,
    },
    /// It is proved to do the same in both versions on all inputs of which this does not hold, in Rust.
    AffectedWhen {
        condition: String,
        arithmetic: Arithmetic,
    },
}

/// How the arithmetic in a condition is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Arithmetic {
    Exact,
    /// As that of the types is without checks.
    Wraps,
}

/// What a note is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// The search or the witnesses that the verdict came from: it goes with them.
    Verdict,
    /// What native runs showed, that there were none, or what both functions are: it holds whatever else is found.
    NativeRuns,
}

impl Note {
    pub fn about(&self) -> About {
        match self {
            Note::CutShort { .. }
            | Note::FieldByField { .. }
            | Note::NotAsMade
            | Note::PrivateFieldsDiffer { .. }
            | Note::DiffersOn { .. }
            | Note::MakerDiffers { .. }
            | Note::SeenBy { .. }
            | Note::NoConditions { .. }
            | Note::AtTypes { .. }
            | Note::Changes(_) => About::Verdict,
            Note::ShapesDiffer
            | Note::NotRun { .. }
            | Note::PartlyShown
            | Note::BrokeOff { .. }
            | Note::NeverMade { .. }
            | Note::SignatureChanged(_)
            | Note::Inherited { .. }
            | Note::OfWiderImpl { .. }
            | Note::ReExported { .. }
            | Note::Completed
            | Note::NoNewPanic { .. }
            | Note::AffectedWhen { .. }
            | Note::Moved { .. } => About::NativeRuns,
        }
    }

    /// The call of another function that panics, aborts or does not end on what this one leaves, where it returned before.
    pub fn new_failure_of_others(&self) -> Option<&Witness> {
        let Note::SeenBy { witness, .. } = self else { return None };
        (Class::of(&witness.old, &witness.new) == Class::Regression).then_some(witness)
    }

    pub fn sentence(&self) -> String {
        match self {
            Note::CutShort { time } => format!("{time} was over during its turn"),
            Note::ShapesDiffer => {
                "nothing was run natively: the parameters of both versions are not alike".to_owned()
            }
            Note::NotRun { reason } => {
                format!("nothing was run natively: {}", super::reasons::not_run(reason))
            }
            Note::PartlyShown => {
                "native runs do not compare all of the result: a part of it has no `Debug`, and its fields cannot be shown".to_owned()
            }
            Note::BrokeOff { reason } => format!("native runs broke off: {reason}"),
            Note::NeverMade { call } => {
                format!("the versions differ on `{call}`, which nothing in the crate was found to make")
            }
            Note::FieldByField { types } => {
                let names: Vec<String> = types.iter().map(|name| format!("`{name}`")).collect();
                format!(
                    "values of {} were built field by field: check that the crate can make them",
                    names.join(", ")
                )
            }
            Note::PrivateFieldsDiffer { types } => {
                let names: Vec<String> = types.iter().map(|name| format!("`{name}`")).collect();
                format!(
                    "what differs is in private fields of {}: others see it by what methods do with them",
                    names.join(", ")
                )
            }
            Note::NotAsMade => {
                "no value that the crate's own functions were seen to make shows it, so it counts as unconfirmed for the exit code".to_owned()
            }
            Note::DiffersOn { differing, inputs } => format!(
                "they differ on {} of {} inputs, all of which were run",
                grouped(*differing),
                grouped(*inputs)
            ),
            Note::Moved { from } => format!("it is `{from}` in the old version"),
            Note::AtTypes { types } => format!("seen with {types}"),
            Note::Completed => {
                "`..` stands for fields that one version alone has, as `Default` makes them".to_owned()
            }
            Note::ReExported { old, new } => format!("the name stands for `{new}`, where it stood for `{old}`"),
            Note::Inherited { version, of_trait } => format!(
                "the implementation of the {} version does not have it, so it is the trait's own: `{of_trait}`",
                wording::version(*version)
            ),
            Note::OfWiderImpl { version, method } => format!(
                "the {} version has it from an implementation for more types: `{method}`",
                wording::version(*version)
            ),
            Note::SignatureChanged(Signatures { old, new }) => format!(
                "its signature changed from `{old}` to `{new}`: compared on arguments that both take"
            ),
            Note::NoConditions { reason, command } => {
                let more =
                    command.as_ref().map(|command| format!("; `{command}` tries its hunks one by one"));
                format!("suspect lines are told by the change alone: {reason}{}", more.unwrap_or_default())
            }
            Note::Changes(interaction) => interaction.sentence(),
            Note::NoNewPanic { .. } => "it panics on no input on which it did not before (proved)".to_owned(),
            Note::AffectedWhen { condition, arithmetic } => {
                let wraps = if *arithmetic == Arithmetic::Wraps { " (arithmetic wraps)" } else { "" };
                format!("inputs outside of `{condition}`{wraps} are unaffected (proved)")
            }
            Note::SeenBy { call, witness } => format!("so `{call}` {}", wording::change(witness)),
            Note::MakerDiffers { callee } => format!(
                "`{callee}`, by which inputs are made, differs itself: they may be other values in each version"
            ),
        }
    }
}
