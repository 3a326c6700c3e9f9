//! Integers in all bases; the digits of floats are asked of the executor, which fixes the number to that of the run.

use super::{Binary, Debug, Display, Formatter, LowerExp, LowerHex, Octal, Result, UpperExp, UpperHex};
use crate::intrinsics;

const LOWER: &[u8; 16] = b"0123456789abcdef";
const UPPER: &[u8; 16] = b"0123456789ABCDEF";

macro_rules! in_base {
    ($ty:ident $unsigned:ident: $($which:ident $shift:literal $digits:ident $prefix:literal;)*) => {$(
        impl $which for $ty {
            fn fmt(&self, f: &mut Formatter<'_>) -> Result {
                let mut left = *self as $unsigned;
                // 128 binary digits are the most there are; the last one comes first.
                let mut digits = [0u8; 128];
                let mut at: usize = 128;
                loop {
                    at = at.wrapping_sub(1);
                    // From a table: choosing by branches would make a case of each digit.
                    digits[at] = $digits[(left & ((1 << $shift) - 1)) as usize];
                    left >>= $shift;
                    if left == 0 {
                        break;
                    }
                }
                f.pad_integral(true, $prefix, intrinsics::str_of_bytes(intrinsics::subslice(&digits, at, 128)))
            }
        }
    )*};
}

macro_rules! integers {
    ($($ty:ident $unsigned:ident;)*) => {$(
        impl Display for $ty {
            #[allow(unused_comparisons)]
            fn fmt(&self, f: &mut Formatter<'_>) -> Result {
                let negative = *self < 0;
                let mut left = if negative { (*self as $unsigned).wrapping_neg() } else { *self as $unsigned };
                // 39 digits are the most that 128 bits have.
                let mut digits = [0u8; 39];
                let mut at: usize = 39;
                loop {
                    at = at.wrapping_sub(1);
                    digits[at] = ((left % 10) as u8).wrapping_add(b'0');
                    left /= 10;
                    if left == 0 {
                        break;
                    }
                }
                f.pad_integral(!negative, "", intrinsics::str_of_bytes(intrinsics::subslice(&digits, at, 39)))
            }
        }
        impl Debug for $ty {
            fn fmt(&self, f: &mut Formatter<'_>) -> Result {
                if f.debug_lower_hex() {
                    LowerHex::fmt(self, f)
                } else if f.debug_upper_hex() {
                    UpperHex::fmt(self, f)
                } else {
                    Display::fmt(self, f)
                }
            }
        }
        impl LowerExp for $ty {
            fn fmt(&self, _: &mut Formatter<'_>) -> Result {
                intrinsics::unmodelled("an integer with an exponent")
            }
        }
        impl UpperExp for $ty {
            fn fmt(&self, _: &mut Formatter<'_>) -> Result {
                intrinsics::unmodelled("an integer with an exponent")
            }
        }
        in_base! {
            $ty $unsigned:
            LowerHex 4 LOWER "0x";
            UpperHex 4 UPPER "0x";
            Octal 3 LOWER "0o";
            Binary 1 LOWER "0b";
        }
    )*};
}

integers! {
    u8 u8; u16 u16; u32 u32; u64 u64; u128 u128; usize usize;
    i8 u8; i16 u16; i32 u32; i64 u64; i128 u128; isize usize;
}

macro_rules! floats {
    ($($ty:ident $digits:ident { $($which:ident $notation:literal),* })*) => {$($(
        impl $which for $ty {
            fn fmt(&self, f: &mut Formatter<'_>) -> Result {
                // Std writes sign, digits and point one after the other, which a text does not show.
                if !intrinsics::is_text(&*f.buf) {
                    return intrinsics::unmodelled("the pieces in which a floating-point number is written");
                }
                let precision = match f.precision() {
                    Some(precision) => precision,
                    None => usize::MAX,
                };
                let text = intrinsics::$digits(*self, $notation, precision);
                let bytes = text.as_bytes();
                if bytes[0] == b'-' {
                    let digits = intrinsics::str_of_bytes(intrinsics::subslice(bytes, 1, bytes.len()));
                    return f.pad_integral(false, "", digits);
                }
                // What is no number has no sign, whatever is asked for.
                if bytes[0] == b'N' && f.sign_plus() {
                    return intrinsics::unmodelled("the text of what is no number with a sign");
                }
                f.pad_integral(true, "", text)
            }
        }
    )*)*};
}

floats! {
    f32 digits_of_f32 { Display 0, Debug 1, LowerExp 2, UpperExp 3 }
    f64 digits_of_f64 { Display 0, Debug 1, LowerExp 2, UpperExp 3 }
}
