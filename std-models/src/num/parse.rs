//! Integers from text.

use super::{IntErrorKind, ParseIntError};
use crate::inherent::ParseMethods;
use crate::str::FromStr;

/// What stands before the digits.
enum Sign {
    Plus,
    Minus,
}

/// What both ways to parse an integer share.
trait FromDigits: Sized {
    fn from_digits(src: &str, radix: u32) -> Result<Self, ParseIntError>;
}

fn error<T>(kind: IntErrorKind) -> Result<T, ParseIntError> {
    Err(ParseIntError { kind })
}

/// The value of a digit, or `radix` or more if it is none.
fn digit_of(byte: u8) -> u32 {
    if byte >= b'0' && byte <= b'9' {
        byte.wrapping_sub(b'0') as u32
    } else if byte >= b'a' && byte <= b'z' {
        (byte.wrapping_sub(b'a') as u32).wrapping_add(10)
    } else if byte >= b'A' && byte <= b'Z' {
        (byte.wrapping_sub(b'A') as u32).wrapping_add(10)
    } else {
        u32::MAX
    }
}

macro_rules! parse_methods {
    ($signed:literal: $($ty:ident)*) => {$(
        impl ParseMethods for $ty {
            fn from_str_radix(src: &str, radix: u32) -> Result<$ty, ParseIntError> {
                <$ty as FromDigits>::from_digits(src, radix)
            }
        }

        impl FromStr for $ty {
            type Err = ParseIntError;
            fn from_str(src: &str) -> Result<$ty, ParseIntError> {
                <$ty as FromDigits>::from_digits(src, 10)
            }
        }

        impl FromDigits for $ty {
            fn from_digits(src: &str, radix: u32) -> Result<$ty, ParseIntError> {
                if radix < 2 || radix > 36 {
                    panic!("from_ascii_radix: radix must lie in the range `[2, 36]`");
                }
                let bytes = src.as_bytes();
                let len = bytes.len();
                if len == 0 {
                    return error(IntErrorKind::Empty);
                }
                let mut sign = Sign::Plus;
                let mut index: usize = 0;
                if bytes[0] == b'+' || ($signed && bytes[0] == b'-') {
                    if bytes[0] == b'-' {
                        sign = Sign::Minus;
                    }
                    index = 1;
                    if len == 1 {
                        return error(IntErrorKind::InvalidDigit);
                    }
                }
                let mut value: $ty = 0;
                while index < len {
                    let digit = digit_of(bytes[index]);
                    if digit >= radix {
                        return error(IntErrorKind::InvalidDigit);
                    }
                    // A radix of at most 36 fits every integer type.
                    let (scaled, over_mul) = value.overflowing_mul(radix as $ty);
                    match sign {
                        Sign::Plus => {
                            let (next, over_add) = scaled.overflowing_add(digit as $ty);
                            if over_mul || over_add {
                                return error(IntErrorKind::PosOverflow);
                            }
                            value = next;
                        }
                        Sign::Minus => {
                            let (next, over_sub) = scaled.overflowing_sub(digit as $ty);
                            if over_mul || over_sub {
                                return error(IntErrorKind::NegOverflow);
                            }
                            value = next;
                        }
                    }
                    index = index.wrapping_add(1);
                }
                Ok(value)
            }
        }
    )*};
}

parse_methods!(true: i8 i16 i32 i64 i128 isize);
parse_methods!(false: u8 u16 u32 u64 u128 usize);
