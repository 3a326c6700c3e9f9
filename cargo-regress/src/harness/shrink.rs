//! Smaller inputs on which the versions still differ in the same way.
//!
//! *Idea (delta debugging).* Calls by which values are made are left out, and parts of sequences and texts, half of one first, and numbers brought near to
//! 0, as long as one run of each version ends as differently as before, and tells as much. What is left is confirmed as any other input, or else the
//! first stays.
//!
//! Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", TSE 2002.

use std::time::{Duration, Instant};

use regress_core::evidence::Replay;
use regress_core::observable::same_in_both;
use regress_core::value::{Outcome, Success, Value};
use regress_core::verdict::Class;

use super::confirm::{Asked, Both, Care};
use super::random_differential_test::Difference;

/// What one input may take: one that is long, or was found by fuzzing, and one of many.
pub const OF_A_LONG_ONE: Duration = Duration::from_millis(400);
pub const OF_ANY: Duration = Duration::from_millis(100);
const MOST_TRIES: usize = 3000;

/// Whether it tells a user much that the outcomes differ.
pub type TellsMuch<'a> = &'a (dyn Fn(&Outcome, &Outcome) -> bool + Sync);

/// The difference on a smaller input, or as it is.
pub fn shrunk(both: &mut Both, difference: Difference, tells: TellsMuch<'_>, budget: Duration) -> Difference {
    shrunk_by(both, difference, tells, budget, smaller)
}

/// The difference on an input that is made by fewer calls, or as it is.
pub fn by_fewer_calls(both: &mut Both, difference: Difference, tells: TellsMuch<'_>) -> Difference {
    if !difference.inputs.iter().any(Value::holds_made) {
        return difference;
    }
    shrunk_by(both, difference, tells, OF_ANY, |inputs, test| {
        let mut best = inputs;
        // Over or not, the best is the best.
        let _ = leave_out_calls(&mut best, test);
        best
    })
}

fn shrunk_by(
    both: &mut Both,
    difference: Difference,
    tells: TellsMuch<'_>,
    budget: Duration,
    shrink: impl FnOnce(Vec<Value>, &mut Test<'_>) -> Vec<Value>,
) -> Difference {
    let told = tells(&difference.old, &difference.new);
    let class = Class::of(&difference.old, &difference.new);
    let is_hang = |outcome: &Outcome| *outcome == Outcome::Hung;
    if is_hang(&difference.old) || is_hang(&difference.new) {
        return difference;
    }
    let differs = |inputs: &[Value]| {
        let ((old, old_id), (new, new_id)) = (&mut both.old, &mut both.new);
        let (Ok(old), Ok(new)) = (old.call(*old_id, inputs), new.call(*new_id, inputs)) else { return false };
        !is_hang(&old)
            && !is_hang(&new)
            && !same_in_both(&both.common, &old, &new)
            && Class::of(&old, &new) == class
            && (!told || tells(&old, &new))
    };
    let inputs = within(budget, difference.inputs.clone(), differs, shrink);
    if inputs == difference.inputs {
        return difference;
    }
    match both.replay(&Asked::of(&inputs), Care::Finding) {
        Ok(Replay::Differs { old, new }) => Difference { inputs, old, new, ..difference },
        _ => difference,
    }
}

/// Whether inputs pass; none when it is over.
type Test<'t> = dyn FnMut(&[Value]) -> Option<bool> + 't;

/// The smallest inputs that pass the test, of those that there is time for; `inputs` pass.
pub fn smaller_where(inputs: Vec<Value>, passes: impl FnMut(&[Value]) -> bool) -> Vec<Value> {
    within(OF_A_LONG_ONE, inputs, passes, smaller)
}

fn within(
    budget: Duration,
    inputs: Vec<Value>,
    mut passes: impl FnMut(&[Value]) -> bool,
    shrink: impl FnOnce(Vec<Value>, &mut Test<'_>) -> Vec<Value>,
) -> Vec<Value> {
    let until = Instant::now() + budget;
    let mut tries = 0;
    shrink(inputs, &mut |inputs| {
        tries += 1;
        (tries <= MOST_TRIES && Instant::now() < until).then(|| passes(inputs))
    })
}

/// The smallest of the inputs that pass.
fn smaller(mut best: Vec<Value>, test: &mut Test<'_>) -> Vec<Value> {
    if leave_out_calls(&mut best, test).is_none() {
        return best;
    }
    loop {
        let before = best.clone();
        let mut at = 0;
        while at < count(&best) {
            if shrink_at(&mut best, at, test).is_none() {
                return best;
            }
            at += 1;
        }
        if best == before {
            return best;
        }
    }
}

/// Leaves out calls that values are made by, one after the other, until none can be; none if the test is over.
fn leave_out_calls(best: &mut Vec<Value>, test: &mut Test<'_>) -> Option<()> {
    loop {
        let mut candidates = Vec::new();
        candidates.extend(last_call_instead(best));
        for at in 0..count(best) {
            let mut of_other = best.clone();
            let Some(value) = find(&mut of_other, at) else { break };
            for shorter in with_fewer_calls(value) {
                let mut other = best.clone();
                if let Some(place) = find(&mut other, at) {
                    *place = shorter;
                    candidates.push(other);
                }
            }
        }
        let mut found = None;
        for candidate in candidates {
            if test(&candidate)? {
                found = Some(candidate);
                break;
            }
        }
        match found {
            Some(shorter) => *best = shorter,
            None => return Some(()),
        }
    }
}

/// The last call that made the receiver as the call itself: what it does may be what differs. Whether it is one of the same function the worker sees.
fn last_call_instead(inputs: &[Value]) -> Option<Vec<Value>> {
    let (Value::Ref(receiver), others) = inputs.split_first()? else { return None };
    let Value::Made { args, success: Success::After(0), .. } = receiver.as_ref() else { return None };
    let (before, arguments) = args.split_first()?;
    let receiver = Value::Ref(Box::new(before.clone()));
    (arguments.len() == others.len()).then(|| [&[receiver], arguments].concat())
}

/// The value before its last step, or made by the first of several calls of one function.
fn with_fewer_calls(value: &Value) -> Vec<Value> {
    match value {
        Value::Made { args, success: Success::After(changed), .. } => {
            args.get(*changed).cloned().into_iter().collect()
        }
        Value::Made { callee, args, success } => {
            let mut within = Vec::new();
            let mut look = |part: &Value| {
                if matches!(part, Value::Made { callee: other, success: also, .. } if other == callee && also == success)
                {
                    within.push(part.clone());
                }
            };
            args.iter().for_each(|arg| each_within(arg, &mut look));
            within.reverse();
            within
        }
        _ => Vec::new(),
    }
}

fn each_within(value: &Value, look: &mut impl FnMut(&Value)) {
    look(value);
    value.parts().into_iter().for_each(|part| each_within(part, look));
}

/// Makes the value with that number smaller; none if the test is over.
fn shrink_at(best: &mut Vec<Value>, at: usize, test: &mut Test<'_>) -> Option<()> {
    let Some(value) = find(best, at).cloned() else { return Some(()) };
    let mut attempt = |best: &mut Vec<Value>, value: Value| -> Option<bool> {
        let mut changed = best.clone();
        *find(&mut changed, at)? = value;
        let passes = test(&changed)?;
        if passes {
            *best = changed;
        }
        Some(passes)
    };
    match value {
        Value::Seq(items) => {
            shrink_list(best, items, Value::Seq, &mut attempt)?;
        }
        Value::Str(text) => {
            let of = |chars: Vec<char>| Value::Str(chars.into_iter().collect());
            let mut chars = shrink_list(best, text.chars().collect(), of, &mut attempt)?;
            for at in 0..chars.len() {
                for simple in ['a', '0', ' '] {
                    if chars[at] == simple {
                        break;
                    }
                    let mut other = chars.clone();
                    other[at] = simple;
                    if attempt(best, of(other.clone()))? {
                        chars = other;
                        break;
                    }
                }
            }
        }
        Value::Int { ty, mut bits } => {
            for simple in [0, 1] {
                if bits > simple && attempt(best, Value::Int { ty, bits: simple })? {
                    return Some(());
                }
            }
            while bits > 1 && attempt(best, Value::Int { ty, bits: bits / 2 })? {
                bits /= 2;
            }
            for _ in 0..4 {
                if bits < 2 || !attempt(best, Value::Int { ty, bits: bits - 1 })? {
                    break;
                }
                bits -= 1;
            }
        }
        Value::Char(c) if c != 'a' => {
            attempt(best, Value::Char('a'))?;
        }
        _ => {}
    }
    Some(())
}

/// Leaves out parts of a list, large ones first; what is left of it.
fn shrink_list<T: Clone>(
    best: &mut Vec<Value>,
    mut items: Vec<T>,
    of: impl Fn(Vec<T>) -> Value,
    attempt: &mut impl FnMut(&mut Vec<Value>, Value) -> Option<bool>,
) -> Option<Vec<T>> {
    let mut size = items.len();
    while size > 0 {
        // From the end, where what comes before does not move.
        let mut end = items.len();
        while end > 0 {
            let start = end.saturating_sub(size);
            let mut rest = items.clone();
            rest.drain(start..end);
            if attempt(best, of(rest.clone()))? {
                items = rest;
            }
            end = start;
        }
        size /= 2;
    }
    Some(items)
}

/// How many values there are, parts of others among them.
fn count(values: &[Value]) -> usize {
    values.iter().map(|value| 1 + count_parts(value)).sum()
}

fn count_parts(value: &Value) -> usize {
    match value {
        Value::Tuple(items) | Value::Seq(items) | Value::Made { args: items, .. } => count(items),
        Value::Adt { fields, .. } => fields.iter().map(|(_, field)| 1 + count_parts(field)).sum(),
        Value::Ref(inner) => 1 + count_parts(inner),
        _ => 0,
    }
}

/// The value with that number, each before its parts.
fn find(values: &mut [Value], at: usize) -> Option<&mut Value> {
    find_in(values.iter_mut(), at)
}

fn find_in<'v>(values: impl Iterator<Item = &'v mut Value>, mut at: usize) -> Option<&'v mut Value> {
    for value in values {
        if at == 0 {
            return Some(value);
        }
        let parts = count_parts(value);
        if at <= parts {
            return match value {
                Value::Tuple(items) | Value::Seq(items) | Value::Made { args: items, .. } => {
                    find(items, at - 1)
                }
                Value::Adt { fields, .. } => {
                    // A trait object, as the type of the iterator would contain itself.
                    let fields: Box<dyn Iterator<Item = &mut Value>> =
                        Box::new(fields.iter_mut().map(|(_, field)| field));
                    find_in(fields, at - 1)
                }
                Value::Ref(inner) => find(std::slice::from_mut(inner), at - 1),
                _ => None,
            };
        }
        at -= 1 + parts;
    }
    None
}

#[cfg(test)]
mod tests {
    use regress_core::ir::{IntTy, Path};

    use super::*;

    fn bytes(bytes: &[u8]) -> Value {
        let items = bytes.iter().map(|byte| Value::int(IntTy::U8, (*byte).into())).collect();
        Value::Ref(Box::new(Value::Seq(items)))
    }

    #[track_caller]
    fn check(inputs: &[Value], differs: impl Fn(&[Value]) -> bool, expected: &str) {
        let found = smaller(inputs.to_vec(), &mut |inputs| Some(differs(inputs)));
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(found.join(", "), expected);
    }

    #[test]
    fn what_does_not_matter_is_left_out() {
        let has = |text: &'static str| move |inputs: &[Value]| inputs[0].to_string().contains(text);
        check(&[Value::Str("we say: hello, world".into())], has("lo"), r#""lo""#);
        let length = |inputs: &[Value]| matches!(&inputs[0], Value::Str(text) if text.len() > 2);
        check(&[Value::Str("a long text".into())], length, r#""aaa""#);
        let large = |inputs: &[Value]| match &inputs[0] {
            Value::Ref(inner) => match inner.as_ref() {
                Value::Seq(items) => items.iter().any(|item| *item == Value::int(IntTy::U8, 7)),
                _ => false,
            },
            _ => false,
        };
        check(&[bytes(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10])], large, "&[7]");
    }

    #[test]
    fn calls_that_do_not_matter_are_left_out() {
        let made = |callee: &str, args: Vec<Value>, success| Value::Made {
            callee: Path::new(callee),
            args,
            success,
        };
        let new = || made("k::Map::new", Vec::new(), Success::Always);
        let put = |map: Value, key: u8| {
            made("k::Map::put", vec![map, Value::int(IntTy::U8, key.into())], Success::After(0))
        };
        let of = |map: Value, key: u8| [Value::Ref(Box::new(map)), Value::int(IntTy::U8, key.into())];
        let texts = |inputs: &[Value]| inputs.iter().map(ToString::to_string).collect::<Vec<_>>();
        let has_seven = |inputs: &[Value]| texts(inputs)[0].contains("put(7)");
        check(&of(put(put(put(new(), 3), 7), 0), 0), has_seven, &texts(&of(put(new(), 7), 0)).join(", "));
        // What differs is what the last call did.
        let any_seven = |inputs: &[Value]| texts(inputs).join(" ").contains('7');
        check(&of(put(put(new(), 3), 7), 0), any_seven, &texts(&of(new(), 7)).join(", "));
        // `from(back(&from(1)))`
        let from = |value: Value| made("k::Text::from", vec![value], Success::Always);
        let back = |value: Value| made("k::Text::back", vec![Value::Ref(Box::new(value))], Success::Some);
        let deep = from(back(from(back(from(Value::int(IntTy::U8, 1))))));
        check(&[deep], |inputs| texts(inputs)[0].contains('1'), &from(Value::int(IntTy::U8, 1)).to_string());
    }

    #[test]
    fn the_first_stays_when_there_is_no_time() {
        let inputs = vec![Value::Str("abc".into())];
        assert_eq!(smaller(inputs.clone(), &mut |_| None), inputs);
    }

    #[test]
    fn values_within_others_are_numbered() {
        let mut values = vec![Value::Tuple(vec![Value::Bool(true), bytes(&[5])]), Value::Bool(false)];
        assert_eq!(count(&values), 6);
        assert_eq!(find(&mut values, 4), Some(&mut Value::int(IntTy::U8, 5)));
        assert_eq!(find(&mut values, 5), Some(&mut Value::Bool(false)));
        assert_eq!(find(&mut values, 6), None);
    }
}
