//! The lines that may be to blame for a call on which the versions differ, best first.
//!
//! * [`blame`]: what the conditions of both runs of the call blame (DARWIN);
//! * [`changes`]: what changed on the way, for differences that no condition tells;
//! * [`rank`]: which line comes first.
//!
//! A default run asks this of the first witness of each difference, `cargo regress localize` of the calls it is given or finds in tests; it
//! knows more of them by the hunks of the change.

mod blame;
mod changes;
mod rank;

use regress_core::align::Alignment;
use regress_core::compare::FunctionPair;
use regress_core::explore::Options;
use regress_core::localize::{Blame, Method};
use regress_core::value::{Outcome, Value};

use self::blame::blame;
pub(super) use self::rank::{FEW, Ranked, file_name, ranked};
use super::load::Loaded;
use crate::report::wording;

/// A call of both versions, and how it ends natively in either.
#[derive(Clone, Copy)]
pub(super) struct DifferingCall<'c> {
    pub functions: &'c FunctionPair,
    pub arguments: &'c [Value],
    pub old: &'c Outcome,
    pub new: &'c Outcome,
}

/// What is known of the lines behind a call.
pub(super) struct Suspects {
    pub lines: Vec<Ranked>,
    /// The conditions of both runs; or why they cannot be held against each other.
    pub blame: Result<Blame, String>,
}

/// The lines behind a call that was seen to end differently.
pub(super) fn suspects(
    loaded: &Loaded,
    alignment: &Alignment,
    call: DifferingCall<'_>,
    options: &Options,
    method: Method,
) -> Suspects {
    let blame = blame(loaded, alignment, call, options, method);
    let outputs = blame.as_ref().ok().and_then(|blame| blame.outputs.as_ref());
    let computed = match outputs {
        Some(part) => {
            format!("on such a call the old version computes `{}`, the new one `{}`", part.old, part.new)
        }
        None => {
            format!("the old version {}, the new one {}", wording::past(call.old), wording::present(call.new))
        }
    };
    let pair = (call.functions.old, call.functions.new);
    let lines = ranked(loaded, alignment, pair, blame.as_ref().ok(), &computed);
    Suspects { lines, blame }
}
