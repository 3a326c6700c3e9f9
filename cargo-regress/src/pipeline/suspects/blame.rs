//! What the conditions of both runs of a call blame.

use std::time::Duration;

use regress_core::align::Alignment;
use regress_core::exec::{Image, PanicPolicy};
use regress_core::explore::Options;
use regress_core::ir::{FnBody, FnId, Program};
use regress_core::localize::{self, Blame, Method};
use regress_core::observable::same_outcome;
use regress_core::value::{Outcome, Value};

use super::DifferingCall;
use crate::pipeline::load::Loaded;
use crate::report::wording;

/// What the conditions of both runs blame; or why they cannot be held against each other. What the engine sees counts
/// only where it is what happens natively.
pub(in crate::pipeline) fn blame(
    loaded: &Loaded,
    alignment: &Alignment,
    call: DifferingCall<'_>,
    options: &Options,
    method: Method,
) -> Result<Blame, String> {
    let options = options_for(*options, call);
    let image = |program| Image::new(program, options.limits.panics).with_common(&alignment.common);
    let images = (image(&loaded.old.program), image(&loaded.new.program));
    let names = parameter_names(&loaded.new.program, call.functions.new);
    let blame =
        localize::localize(&images.0, &images.1, call.functions, &options, method, call.arguments, &names)?;
    for (version, engine, native) in [("old", &blame.old, call.old), ("new", &blame.new, call.new)] {
        match engine {
            Some(engine) if !same_outcome(engine, native) => {
                return Err(format!(
                    "the {version} version {} natively, but the engine says that it {}",
                    wording::present(native),
                    wording::present(engine)
                ));
            }
            _ => {}
        }
    }
    if blame.old.is_none() && blame.new.is_none() && blame.branches.is_empty() {
        let reasons: Vec<String> = blame.ledger.entries().iter().map(wording::approximation).collect();
        return Err(format!("neither run could be followed to its end: {}", reasons.join("; ")));
    }
    Ok(blame)
}

/// Rounds of one loop of a call that ended natively.
const MOST_ROUNDS: u64 = 100_000;

/// The given call has to be among the inputs, whatever the usual bounds are. Where both versions return, what differs is no panic:
/// checks of the language are taken to hold, as in the papers, lest everything depend on all that might have panicked.
fn options_for(mut options: Options, call: DifferingCall<'_>) -> Options {
    if matches!((call.old, call.new), (Outcome::Returned { .. }, Outcome::Returned { .. })) {
        options.limits.panics = PanicPolicy::AssumeNone;
    }
    options.limits.max_unwind = options.limits.max_unwind.max(MOST_ROUNDS);
    options.bounds.max_len = options.bounds.max_len.max(longest(call.arguments));
    options.query_timeout = options.query_timeout.max(Duration::from_secs(1));
    options
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

/// Parameters that are patterns are told by position.
fn parameter_names(program: &Program, function: FnId) -> Vec<String> {
    let FnBody::Present(body) = &program.functions[function].body else { return Vec::new() };
    let name = |(index, local)| {
        let known: &Option<regress_core::ir::Name> = &body.locals[local].name;
        known.as_ref().map_or_else(|| format!("argument {}", index + 1), ToString::to_string)
    };
    body.args().enumerate().map(name).collect()
}
