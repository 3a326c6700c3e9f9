//! Differences that come of how inputs are made.
//!
//! *Idea.* A function that changed may make inputs of another one: `show(&parse("1m").unwrap())`, where `parse` gives other values than before. Then
//! each version of `show` is given another value, and what comes of that is a difference of `parse`. It is one of `show` only if
//! the versions differ on one and the same value too. So both values are given to both versions, put together from their fields.
//!
//! What is put together stands for the value only as far as the function shows it: a pointer is shared no more, a capacity is another one. So each version must do with it
//! what it was seen to do with the value as it makes it.
//!
//! *Limits.* What cannot be put together from fields counts as a difference of the function.

use regress_core::evidence::Replay;
use regress_core::ir::{FnId, Path};
use regress_core::value::{Outcome, Success, Value};
use regress_core::verdict::ChangeKind;

use super::Work;
use super::evidence::Native;
use crate::harness::{Asked, Care};

/// What a difference is that comes of how inputs are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MadeOtherwise {
    /// One of the function that makes them, and none of the function that is given them.
    IsOfMakers,
    /// One of the function that is given them, which is run to show it.
    Counts,
}

/// Whether the versions, which were seen to do this, differ on the call only as their inputs are made otherwise.
pub(super) fn is_of_makers(
    work: &Work<'_>,
    native: &mut Native,
    inputs: &[Value],
    seen: [&Outcome; 2],
) -> bool {
    if work.made_otherwise == MadeOtherwise::Counts {
        return false;
    }
    if !inputs.iter().any(|input| is_made_by_changed(work, input)) {
        return false;
    }
    let Some(made) = inputs.iter().map(|input| made(work, input)).collect::<Option<Vec<Made>>>() else {
        return false;
    };
    if made.iter().all(|made| made.old == made.new) {
        return false;
    }
    let (of_old, of_new): (Vec<Value>, Vec<Value>) =
        made.into_iter().map(|made| (made.old, made.new)).unzip();
    let mut replay = |inputs| native.both.replay(&Asked::of(inputs), Care::Finding);
    let [seen_in_old, seen_in_new] = seen;
    matches!(replay(&of_old), Ok(Replay::Same { old, .. }) if old == *seen_in_old)
        && matches!(replay(&of_new), Ok(Replay::Same { new, .. }) if new == *seen_in_new)
}

/// A value as either version makes it. Both are the expression itself where they make the same.
struct Made {
    old: Value,
    new: Value,
}

fn is_made_by_changed(work: &Work<'_>, value: &Value) -> bool {
    let is_it = matches!(value, Value::Made { callee, .. } if changed(work, callee).is_some());
    is_it || value.parts().into_iter().any(|part| is_made_by_changed(work, part))
}

/// Both versions of a function that makes values and may not make the same in both; none if it is the subject itself.
fn changed(work: &Work<'_>, callee: &Path) -> Option<(FnId, FnId)> {
    let program = &work.loaded.new.program;
    let own = program.functions_at(callee).iter().copied().find(|id| *id != work.new)?;
    let pair = work.alignment.pairs.iter().find(|pair| pair.new == Some(own))?;
    matches!(pair.kind, ChangeKind::Changed | ChangeKind::Affected).then_some((pair.old?, own))
}

/// None if that cannot be told.
fn made(work: &Work<'_>, value: &Value) -> Option<Made> {
    let same = || Made { old: value.clone(), new: value.clone() };
    match value {
        Value::Ref(inner) => {
            let Made { old, new } = made(work, inner)?;
            Some(Made { old: Value::Ref(Box::new(old)), new: Value::Ref(Box::new(new)) })
        }
        Value::Made { callee, args, success: success @ Success::After(changed) } => {
            let Made { old, new } = made(work, args.get(*changed)?)?;
            let after = |it: Value| {
                let mut args = args.clone();
                args[*changed] = it;
                Value::Made { callee: callee.clone(), args, success: *success }
            };
            Some(Made { old: after(old), new: after(new) })
        }
        Value::Made { callee, args, success } => {
            let Some(functions) = changed(work, callee) else { return Some(same()) };
            let limits = work.session.options.search.call_limits();
            let mut both = work.harnesses.both(functions, limits, work.session.patience(work.left)).ok()?;
            match both.replay(&Asked::of(args), Care::Finding).ok()? {
                Replay::Same { .. } => Some(same()),
                Replay::Differs { old, new } => {
                    Some(Made { old: made_of(old, *success)?, new: made_of(new, *success)? })
                }
                Replay::Doubtful(_) => None,
            }
        }
        _ => Some(same()),
    }
}

/// The value that an outcome of a function that makes values stands for.
fn made_of(outcome: Outcome, success: Success) -> Option<Value> {
    let Outcome::Returned { value, .. } = outcome else { return None };
    match (success, value) {
        (Success::Always, value) => Some(value),
        (Success::Some | Success::Ok, Value::Adt { variant: Some(variant), fields, .. })
            if ["Some", "Ok"].contains(&variant.as_str()) =>
        {
            fields.into_iter().next().map(|(_, value)| value)
        }
        _ => None,
    }
}
