//! `std::char`: conversion and classification of characters; the ASCII methods of `u8`.
//!
//! Limit: of Unicode's properties only white space and control characters are known here; the others are exact
//! for ASCII and call [`crate::intrinsics::unmodelled`] beyond it.

mod ascii;
mod escapes;
mod methods;

use crate::iter::{DoubleEndedIterator, ExactSizeIterator, Iterator};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CharTryFromError(pub(crate) ());

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TryFromCharError(pub(crate) ());

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseCharError {
    pub(crate) kind: CharErrorKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CharErrorKind {
    EmptyString,
    TooManyChars,
}

/// The characters of an escape that are left.
#[derive(Clone)]
pub struct EscapeUnicode {
    pub(crate) left: escapes::Left,
}

#[derive(Clone)]
pub struct EscapeDebug {
    pub(crate) left: escapes::Left,
}

#[derive(Clone)]
pub struct EscapeDefault {
    pub(crate) left: escapes::Left,
}

/// The upper-case form of a character; one character, as more than that is not modelled.
#[derive(Clone)]
pub struct ToUppercase {
    pub(crate) item: Option<char>,
}

/// The lower-case form of a character; one character, as more than that is not modelled.
#[derive(Clone)]
pub struct ToLowercase {
    pub(crate) item: Option<char>,
}

macro_rules! case_iterator {
    ($($ty:ident)*) => {$(
        impl Iterator for $ty {
            type Item = char;
            fn next(&mut self) -> Option<char> {
                std::mem::replace(&mut self.item, None)
            }
            fn size_hint(&self) -> (usize, Option<usize>) {
                match self.item {
                    Some(_) => (1, Some(1)),
                    None => (0, Some(0)),
                }
            }
        }
        impl DoubleEndedIterator for $ty {
            fn next_back(&mut self) -> Option<char> {
                std::mem::replace(&mut self.item, None)
            }
        }
        impl ExactSizeIterator for $ty {}
    )*};
}

case_iterator!(ToUppercase ToLowercase);

pub fn from_u32(i: u32) -> Option<char> {
    if i > 0x10FFFF || (i >= 0xD800 && i <= 0xDFFF) { None } else { Some(crate::intrinsics::char_of(i)) }
}

pub fn from_digit(num: u32, radix: u32) -> Option<char> {
    if radix > 36 {
        panic!("from_digit: radix is too high (maximum 36)");
    }
    if num < radix {
        let byte = num as u8;
        if byte < 10 {
            Some(b'0'.wrapping_add(byte) as char)
        } else {
            Some(b'a'.wrapping_add(byte).wrapping_sub(10) as char)
        }
    } else {
        None
    }
}

pub fn from_u32_unchecked(i: u32) -> char {
    <char as crate::inherent::text::CharEncodeMethods>::from_u32_unchecked(i)
}
