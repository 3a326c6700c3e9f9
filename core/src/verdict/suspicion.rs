//! What speaks against a line. The words are made where reports are.

use serde::{Deserialize, Serialize};

use crate::value::{Outcome, Value};

/// Why a line may be to blame for a call on which the versions differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Suspicion {
    /// Only the version that has the line decides this there.
    Decides(Decision),
    /// The line is part of the change.
    Changed { what: Changed, effect: Option<Effect> },
}

impl Suspicion {
    /// With what came of the change, if it is one.
    pub fn with_effect(self, effect: &Effect) -> Suspicion {
        match self {
            Suspicion::Changed { what, .. } => Suspicion::Changed { what, effect: Some(effect.clone()) },
            decides @ Suspicion::Decides(_) => decides,
        }
    }
}

/// A branch of one version that the other does not imply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// What the branch found, as Rust over the parameters.
    pub condition: String,
    /// The parameters that are not the same on the other side of the branch.
    pub moved: Vec<Moved>,
    pub across: Across,
}

/// A parameter by its name: its value in the call, and on the other side of a branch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moved {
    pub name: String,
    pub here: Value,
    pub there: Value,
}

/// What the versions do on the other side of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Across {
    /// They agree: passing the branch makes the difference vanish.
    Agree,
    Differ,
    /// A run was given up.
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Changed {
    /// A statement of the new version.
    Statement,
    /// A statement of the old version, in whose place there is none.
    FormerStatement,
    /// The text.
    Line,
}

/// What came of a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Both calls return, and compute an output by other expressions.
    Outputs(OutputsPart),
    Outcomes {
        old: Outcome,
        new: Outcome,
    },
    /// A test fails with these words.
    Test {
        says: String,
    },
}

/// Two expressions for one output, over the parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputsPart {
    pub old: String,
    pub new: String,
}
