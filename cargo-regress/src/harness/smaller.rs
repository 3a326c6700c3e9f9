//! The same input with smaller numbers, to see whether a call that does not end has merely so much to do.
//!
//! `"x".repeat(n)` takes as long as `n` is large. It ends, though nobody waits for it: with a number for which it does, it takes noticeable time. A loop that
//! never ends does not end for small numbers either, or it ends at once for all but a few.

use regress_core::ir::Signedness;
use regress_core::value::Value;

/// What is not larger is done so often in no time.
const LARGE: u32 = 1 << 12;
/// Digits of a number in a text that is not large.
const DIGITS: usize = 4;
/// After so many levels no number is large.
const MOST_LEVELS: u32 = 32;

/// How many levels there are: at the last one no number is large.
pub(super) fn levels(inputs: &[Value]) -> u32 {
    let least = smaller(inputs, MOST_LEVELS);
    (0..MOST_LEVELS).find(|levels| smaller(inputs, *levels) == least).unwrap_or(MOST_LEVELS)
}

/// The inputs with smaller numbers, also those that are written in texts: each is a sixteenth at every level, down to what is not large. Of a number in a text
/// it is a digit less.
pub(super) fn smaller(inputs: &[Value], levels: u32) -> Vec<Value> {
    inputs.iter().map(|value| with_smaller(value, levels)).collect()
}

fn with_smaller(value: &Value, levels: u32) -> Value {
    match value {
        Value::Int { ty, bits } => match ty.signedness() {
            // Of negative numbers those near 0 are small.
            Signedness::Signed => {
                let number = ty.sign_extend(*bits);
                let magnitude = smaller_number(number.unsigned_abs(), levels) as i128;
                Value::int(*ty, number.signum() * magnitude)
            }
            Signedness::Unsigned => Value::Int { ty: *ty, bits: smaller_number(*bits, levels) },
        },
        Value::F64(bits) => Value::F64(smaller_float(f64::from_bits(*bits), levels).to_bits()),
        Value::F32(bits) => {
            Value::F32((smaller_float(f32::from_bits(*bits).into(), levels) as f32).to_bits())
        }
        Value::Str(text) => Value::Str(with_shorter_numbers(text, levels)),
        whole => {
            let mut changed = whole.clone();
            for part in changed.parts_mut() {
                *part = with_smaller(part, levels);
            }
            changed
        }
    }
}

fn smaller_number(number: u128, levels: u32) -> u128 {
    let large = u128::from(LARGE);
    if number <= large { number } else { number.checked_shr(4 * levels).unwrap_or(0).max(large) }
}

fn smaller_float(number: f64, levels: u32) -> f64 {
    let large = f64::from(LARGE);
    if !number.is_finite() || number.abs() <= large {
        return number;
    }
    number.signum() * (number.abs() / 16f64.powi(levels as i32)).max(large)
}

fn with_shorter_numbers(text: &str, levels: u32) -> String {
    let mut shorter = String::with_capacity(text.len());
    let mut digits = String::new();
    for character in text.chars().map(Some).chain([None]) {
        match character {
            Some(digit) if digit.is_ascii_digit() => digits.push(digit),
            other => {
                let fewer = digits.len().saturating_sub(levels as usize);
                shorter.push_str(&digits[..fewer.max(digits.len().min(DIGITS))]);
                shorter.extend(other);
                digits.clear();
            }
        }
    }
    shorter
}

#[cfg(test)]
mod tests {
    use regress_core::ir::IntTy;

    use super::*;

    /// The value at the first level and at the last, and how many levels there are.
    #[track_caller]
    fn check(value: Value, first: Value, last: Value, expected: u32) {
        let inputs = [value];
        assert_eq!(smaller(&inputs, 0), inputs);
        assert_eq!(smaller(&inputs, 1), [first]);
        assert_eq!(smaller(&inputs, expected), [last]);
        assert_eq!(levels(&inputs), expected);
    }

    fn text(text: &str) -> Value {
        Value::Str(text.to_owned())
    }

    #[test]
    fn large_numbers_are_made_smaller() {
        let int = Value::int;
        check(int(IntTy::U64, 1 << 40), int(IntTy::U64, 1 << 36), int(IntTy::U64, 4096), 7);
        check(int(IntTy::I32, -65536), int(IntTy::I32, -4096), int(IntTy::I32, -4096), 1);
        let all = Value::Int { ty: IntTy::U128, bits: u128::MAX };
        check(all, Value::Int { ty: IntTy::U128, bits: u128::MAX / 16 }, int(IntTy::U128, 4096), 29);
        check(Value::F64(1e6f64.to_bits()), Value::F64(62500f64.to_bits()), Value::F64(4096f64.to_bits()), 2);
        check(text("a12345b:99"), text("a1234b:99"), text("a1234b:99"), 1);
        check(text("1000000"), text("100000"), text("1000"), 3);
        let nested =
            |number| Value::Seq(vec![Value::Ref(Box::new(int(IntTy::Usize, number))), Value::Bool(true)]);
        check(nested(160_000), nested(10_000), nested(4096), 2);
    }

    #[test]
    fn without_large_numbers_there_is_nothing_smaller() {
        let inputs = [Value::int(IntTy::I64, -4096), Value::F64(f64::NAN.to_bits()), text("0123 x")];
        assert_eq!(levels(&inputs), 0);
    }
}
