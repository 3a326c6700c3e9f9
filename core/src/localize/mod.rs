//! One given call of both versions, executed and localized.
//!
//! *Idea.* A call is known on which the versions differ. Each version's run on it is a list of decisions. Where the one
//! version may still decide otherwise on inputs that are all alike to the other, it asks something that the other does not
//! ask: the branch is a suspect, and the input on its other side says why.
//!
//! *Definition.* With g = RSC_old(t) and RSC_new(t) = ψ₁ ∧ … ∧ ψₘ, the branch behind ψᵢ is a suspect iff g ∧ ψ₁ ∧ … ∧ ψᵢ₋₁ ∧ ¬ψᵢ
//! is satisfiable; the model is the *other side*, on which both versions are run as well. The same with the roles exchanged.
//! With [`Method::Pc`] the whole path conditions stand in the place of the RSC, as in the paper of 2009.
//!
//! *Limits.* Of assignment errors (the conditions agree, the outputs do not) only the two output terms are told, not their
//! lines: values carry the branches that they depend on, no statements. What a run that was given up decided after the
//! point where it was is not known, and said to be so in the ledger.
//!
//! [`dependence`] tells instead on which changes a difference depends.
//!
//! *Source.* D. Qi, A. Roychoudhury, Z. Liang, K. Vaswani: DARWIN, ESEC/FSE 2009; with relevant slice conditions in
//! D. Qi, H. Nguyen, A. Roychoudhury: Path exploration based on symbolic output, ESEC/FSE 2011.

mod dependence;
mod localizer;
#[cfg(test)]
mod tests;

use std::time::Duration;

use crate::exec::BranchKind;
use crate::explore::NotAnInput;
use crate::ir::{FnId, Span, Ty};
use crate::value::{Outcome, Value};
use crate::verdict::not_analysed::Refused;
use crate::verdict::suspicion::{Decision, OutputsPart};
use crate::verdict::{Ledger, Version};

pub use dependence::{Dependence, dependence};
pub use localizer::{localize, types};

/// Which conditions of a run are held against those of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Those that the output depends on.
    Rsc,
    /// All of them.
    Pc,
}

/// Why a call is not localized. Strings are values, types and names of functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotLocalized {
    Refused(Refused),
    /// It takes so many arguments, and was given others.
    Count {
        taken: usize,
        given: usize,
    },
    /// The argument is not among the values of its type that are executed symbolically.
    Argument {
        value: String,
        ty: String,
    },
    /// The arguments together are not among those.
    OutsideInputs,
    /// Terms and concrete values of a run do not agree.
    Contradiction,
    /// The function that was to make an argument made none.
    NotMade {
        maker: String,
    },
}

impl NotLocalized {
    /// Of arguments that are no input of a function with parameters of these types.
    fn of_input(error: NotAnInput, types: &[Ty], arguments: &[Value]) -> NotLocalized {
        match error {
            NotAnInput::Count => NotLocalized::Count { taken: types.len(), given: arguments.len() },
            NotAnInput::Argument(index) => {
                NotLocalized::Argument { value: arguments[index].to_string(), ty: types[index].to_string() }
            }
        }
    }
}

/// What localizing one call gave.
#[derive(Clone, Debug)]
pub struct Blame {
    /// The outcomes as the engine sees them; none where a run was given up.
    pub old: Option<Outcome>,
    pub new: Option<Outcome>,
    /// In the order in which they were found: those of the new version first, each in the order of its conditions.
    pub branches: Vec<SuspectBranch>,
    /// Branches of either version that the other one implies: they decide nothing by themselves.
    pub implied: Vec<(Version, Span)>,
    /// How the outputs are computed on inputs like this, where both calls return: the first thing in which they differ.
    pub outputs: Option<OutputsPart>,
    pub ledger: Ledger,
    pub effort: Effort,
}

/// A branch that one version decides and the other does not.
#[derive(Clone, Debug)]
pub struct SuspectBranch {
    pub version: Version,
    pub function: FnId,
    pub span: Span,
    pub kind: BranchKind,
    pub decision: Decision,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Conditions of each version's run.
    pub old_conditions: usize,
    pub new_conditions: usize,
    /// Formulas that the solver was asked.
    pub formulas: u64,
    /// Of these, those that it left undecided.
    pub undecided: u64,
    pub solving: Duration,
    pub total: Duration,
}
