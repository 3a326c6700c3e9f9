//! `f32` and `f64` from text. The grammar tells what is a number; which one it is the executor asks the real `parse`, for a text that it
//! fixes to the one of the run.

use super::{FloatErrorKind, ParseFloatError};
use crate::intrinsics;
use crate::str::FromStr;

fn after_sign(bytes: &[u8], at: usize) -> usize {
    if at < bytes.len() && (bytes[at] == b'+' || bytes[at] == b'-') { at.wrapping_add(1) } else { at }
}

/// Where the digits end that begin here.
fn after_digits(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while at < bytes.len() && bytes[at] >= b'0' && bytes[at] <= b'9' {
        at = at.wrapping_add(1);
    }
    at
}

fn is_number(bytes: &[u8]) -> bool {
    let start = after_sign(bytes, 0);
    let mut at = after_digits(bytes, start);
    let mut digits = at.wrapping_sub(start);
    if at < bytes.len() && bytes[at] == b'.' {
        let fraction = at.wrapping_add(1);
        at = after_digits(bytes, fraction);
        digits = digits.wrapping_add(at.wrapping_sub(fraction));
    }
    if digits == 0 {
        return false;
    }
    if at < bytes.len() && (bytes[at] == b'e' || bytes[at] == b'E') {
        let exponent = after_sign(bytes, at.wrapping_add(1));
        at = after_digits(bytes, exponent);
        if at == exponent {
            return false;
        }
    }
    at == bytes.len()
}

/// Whether the rest of the text is this word of small letters, whatever the case.
fn is_word(bytes: &[u8], start: usize, word: &[u8]) -> bool {
    if bytes.len().wrapping_sub(start) != word.len() {
        return false;
    }
    let mut index = 0;
    while index < word.len() {
        if bytes[start.wrapping_add(index)] | 0x20 != word[index] {
            return false;
        }
        index = index.wrapping_add(1);
    }
    true
}

fn is_named(bytes: &[u8]) -> bool {
    let start = after_sign(bytes, 0);
    is_word(bytes, start, b"inf") || is_word(bytes, start, b"nan") || is_word(bytes, start, b"infinity")
}

macro_rules! floats_from_text {
    ($($ty:ident $value:ident;)*) => {$(
        impl FromStr for $ty {
            type Err = ParseFloatError;
            fn from_str(src: &str) -> Result<$ty, ParseFloatError> {
                let bytes = src.as_bytes();
                if bytes.len() == 0 {
                    Err(ParseFloatError { kind: FloatErrorKind::Empty })
                } else if is_number(bytes) || is_named(bytes) {
                    Ok(intrinsics::$value(src))
                } else {
                    Err(ParseFloatError { kind: FloatErrorKind::Invalid })
                }
            }
        }
    )*};
}

floats_from_text! {
    f32 f32_of_text;
    f64 f64_of_text;
}
