//! The same input with smaller numbers, to see whether a call that does not end has merely so much to do.
//!
//! `"x".repeat(n)` takes as long as `n` is large. It ends, though nobody waits for it; a loop that never ends does not end for small numbers either, or
//! ends at once for all but a few.

use regress_core::ir::Signedness;
use regress_core::value::Value;

/// Which numbers an input has instead of large ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Smaller {
    /// None is large.
    Small,
    /// About a sixteenth of each.
    Sixteenth,
}

/// What is not larger is done so often in no time.
const LARGE: u32 = 1 << 12;
/// Digits of a number in a text that is not large.
const DIGITS: usize = 4;

/// The inputs with smaller numbers, also those that are written in texts. None if no number is large.
pub(super) fn smaller(inputs: &[Value], by: Smaller) -> Option<Vec<Value>> {
    let smaller: Vec<Value> = inputs.iter().map(|value| with_smaller(value, by)).collect();
    (smaller != inputs).then_some(smaller)
}

fn with_smaller(value: &Value, by: Smaller) -> Value {
    match value {
        Value::Int { ty, bits } => match ty.signedness() {
            // Of negative numbers those near 0 are small.
            Signedness::Signed => {
                let number = ty.sign_extend(*bits);
                let magnitude = smaller_number(number.unsigned_abs(), by) as i128;
                Value::int(*ty, number.signum() * magnitude)
            }
            Signedness::Unsigned => Value::Int { ty: *ty, bits: smaller_number(*bits, by) },
        },
        Value::F64(bits) => Value::F64(smaller_float(f64::from_bits(*bits), by).to_bits()),
        Value::F32(bits) => Value::F32((smaller_float(f32::from_bits(*bits).into(), by) as f32).to_bits()),
        Value::Str(text) => Value::Str(with_shorter_numbers(text, by)),
        whole => {
            let mut changed = whole.clone();
            for part in changed.parts_mut() {
                *part = with_smaller(part, by);
            }
            changed
        }
    }
}

fn smaller_number(number: u128, by: Smaller) -> u128 {
    match by {
        _ if number <= u128::from(LARGE) => number,
        Smaller::Small => u128::from(LARGE),
        Smaller::Sixteenth => number / 16,
    }
}

fn smaller_float(number: f64, by: Smaller) -> f64 {
    if !number.is_finite() || number.abs() <= f64::from(LARGE) {
        return number;
    }
    match by {
        Smaller::Small => number.signum() * f64::from(LARGE),
        Smaller::Sixteenth => number / 16.0,
    }
}

fn with_shorter_numbers(text: &str, by: Smaller) -> String {
    let mut shorter = String::with_capacity(text.len());
    let mut digits = String::new();
    for character in text.chars().map(Some).chain([None]) {
        match character {
            Some(digit) if digit.is_ascii_digit() => digits.push(digit),
            other => {
                let kept = match by {
                    _ if digits.len() <= DIGITS => digits.len(),
                    Smaller::Small => DIGITS,
                    Smaller::Sixteenth => digits.len() - 1,
                };
                shorter.push_str(&digits[..kept]);
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

    #[track_caller]
    fn check(value: Value, small: Value, sixteenth: Value) {
        assert_eq!(smaller(std::slice::from_ref(&value), Smaller::Small), Some(vec![small]));
        assert_eq!(smaller(&[value], Smaller::Sixteenth), Some(vec![sixteenth]));
    }

    fn text(text: &str) -> Value {
        Value::Str(text.to_owned())
    }

    #[test]
    fn large_numbers_are_made_smaller() {
        let int = Value::int;
        check(int(IntTy::U64, 1 << 40), int(IntTy::U64, 4096), int(IntTy::U64, 1 << 36));
        check(int(IntTy::I32, -65536), int(IntTy::I32, -4096), int(IntTy::I32, -4096));
        let all = Value::Int { ty: IntTy::U128, bits: u128::MAX };
        check(all, int(IntTy::U128, 4096), Value::Int { ty: IntTy::U128, bits: u128::MAX / 16 });
        check(Value::F64(1e6f64.to_bits()), Value::F64(4096f64.to_bits()), Value::F64(62500f64.to_bits()));
        check(text("a12345b:99"), text("a1234b:99"), text("a1234b:99"));
        check(text("1000000"), text("1000"), text("100000"));
        let nested =
            |number| Value::Seq(vec![Value::Ref(Box::new(int(IntTy::Usize, number))), Value::Bool(true)]);
        check(nested(160_000), nested(4096), nested(10_000));
    }

    #[test]
    fn without_large_numbers_there_is_nothing_smaller() {
        let inputs = [Value::int(IntTy::I64, -4096), Value::F64(f64::NAN.to_bits()), text("0123 x")];
        assert_eq!(smaller(&inputs, Smaller::Small), None);
        assert_eq!(smaller(&inputs, Smaller::Sixteenth), None);
    }
}
