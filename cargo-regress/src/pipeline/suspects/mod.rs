//! The lines that may be to blame for a call on which the versions differ, best first.
//!
//! * [`blame`]: what the conditions of both runs of the call blame (DARWIN);
//! * [`changes`]: what changed on the way, for differences that no condition tells;
//! * [`depends`]: on which lines of that the difference depends;
//! * [`rank`]: which line comes first.
//!
//! A default run asks this of the first witness of each difference, `cargo regress localize` of the calls it is given or finds in tests; it
//! knows more of them by the hunks of the change.

mod blame;
mod changes;
mod depends;
mod places;
mod rank;

use std::time::Duration;

use regress_core::align::Alignment;
use regress_core::compare::FunctionPair;
use regress_core::exec::PanicPolicy;
use regress_core::explore::Options;
use regress_core::localize::{Blame, Method};
use regress_core::value::{Outcome, Value};
use regress_core::verdict::Suspect;

use self::blame::blame;
pub(super) use self::changes::{Behind, add_changes};
pub(super) use self::depends::{Asked, none_seen, positions, span_at};
pub(super) use self::places::file_name;
pub(super) use self::rank::{FEW, Ranked, ranked};
use super::discharge::Discharged;
use super::load::Loaded;
use regress_core::verdict::suspicion::Effect;

/// What a question is given at least: few are asked.
const SHORTEST_QUESTION: Duration = Duration::from_secs(1);

/// A call of both versions, and how it ends natively in either.
#[derive(Clone, Copy)]
pub(super) struct DifferingCall<'c> {
    pub functions: &'c FunctionPair,
    pub arguments: &'c [Value],
    pub old: &'c Outcome,
    pub new: &'c Outcome,
    /// What is proved of both versions, if that was asked.
    pub discharged: Option<&'c Discharged>,
}

/// How far the engine follows a call that ended natively.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunLimits {
    /// Statements of one run.
    pub steps: u64,
    /// Rounds of one loop.
    pub rounds: u64,
}

/// A witness is mostly short.
pub(super) const OF_WITNESS: RunLimits = RunLimits { steps: 400_000, rounds: 1000 };

impl DifferingCall<'_> {
    /// The given call has to be among the inputs, whatever the usual bounds are. Where both versions return, what differs is no panic:
    /// checks of the language are taken to hold, as in the papers, lest everything depend on all that might have panicked. A call that
    /// does not end is not worth being followed farther than a search does.
    pub fn options(&self, mut options: Options, run_limits: RunLimits) -> Options {
        if matches!((self.old, self.new), (Outcome::Returned { .. }, Outcome::Returned { .. })) {
            options.limits.panics = PanicPolicy::AssumeNone;
        }
        if ![self.old, self.new].contains(&&Outcome::Hung) {
            options.limits.max_steps = options.limits.max_steps.max(run_limits.steps);
            options.limits.max_unwind = options.limits.max_unwind.max(run_limits.rounds);
        }
        options.bounds.max_len = options.bounds.max_len.max(longest(self.arguments));
        options.query_timeout = options.query_timeout.max(SHORTEST_QUESTION);
        options
    }
}

/// What is known of the lines behind a call.
pub(super) struct Suspects {
    pub lines: Vec<Ranked>,
    /// The conditions of both runs; or why they cannot be held against each other.
    pub blame: Result<Blame, String>,
    pub behind: Behind,
}

/// The lines behind a call that was seen to end differently.
pub(super) fn suspects(
    loaded: &Loaded,
    alignment: &Alignment,
    call: DifferingCall<'_>,
    options: Options,
    run_limits: RunLimits,
    method: Method,
) -> Suspects {
    let blame = blame(loaded, alignment, call, call.options(options, run_limits), method);
    let outputs = blame.as_ref().ok().and_then(|blame| blame.outputs.as_ref());
    let effect = match outputs {
        Some(part) => Effect::Outputs(part.clone()),
        None => Effect::Outcomes { old: call.old.clone(), new: call.new.clone() },
    };
    let behind = Behind::at_types(loaded, alignment, call.functions);
    let asked = Asked { loaded, alignment, call, options: call.options(options, run_limits) };
    let depends = |lines: &[Suspect]| asked.on_lines(lines);
    let lines = ranked(loaded, alignment, &behind, blame.as_ref().ok(), &effect, depends);
    Suspects { lines, blame, behind }
}

/// The length of the longest sequence.
fn longest(inputs: &[Value]) -> u64 {
    let mut longest = 0;
    let mut open: Vec<&Value> = inputs.iter().collect();
    while let Some(value) = open.pop() {
        match value {
            Value::Str(text) => longest = longest.max(text.len() as u64),
            Value::Seq(items) => longest = longest.max(items.len() as u64),
            _ => {}
        }
        open.extend(value.parts());
    }
    longest
}
