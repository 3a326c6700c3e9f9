//! What std's errors say.

use super::{Display, Formatter, Result};
use crate::array::TryFromSliceError;
use crate::char::{CharErrorKind, CharTryFromError, ParseCharError, TryFromCharError};
use crate::num::{FloatErrorKind, IntErrorKind, ParseFloatError, ParseIntError, TryFromIntError};
use crate::str::{ParseBoolError, Utf8Error};
use crate::string::FromUtf8Error;

macro_rules! told {
    ($($ty:ty: |$error:ident| $text:expr;)*) => {$(
        impl Display for $ty {
            fn fmt(&self, f: &mut Formatter<'_>) -> Result {
                let $error = self;
                f.pad($text)
            }
        }
    )*};
}

told! {
    ParseIntError: |error| match &error.kind {
        IntErrorKind::Empty => "cannot parse integer from empty string",
        IntErrorKind::InvalidDigit => "invalid digit found in string",
        IntErrorKind::PosOverflow => "number too large to fit in target type",
        IntErrorKind::NegOverflow => "number too small to fit in target type",
        IntErrorKind::Zero => "number would be zero for non-zero type",
    };
    ParseFloatError: |error| match &error.kind {
        FloatErrorKind::Empty => "cannot parse float from empty string",
        FloatErrorKind::Invalid => "invalid float literal",
    };
    TryFromIntError: |_error| "out of range integral type conversion attempted";
    ParseBoolError: |_error| "provided string was not `true` or `false`";
    CharTryFromError: |_error| "converted integer out of range for `char`";
    TryFromCharError: |_error| "unicode code point out of range";
    ParseCharError: |error| match &error.kind {
        CharErrorKind::EmptyString => "cannot parse char from empty string",
        CharErrorKind::TooManyChars => "too many characters in string",
    };
    TryFromSliceError: |_error| "could not convert slice to array";
}

/// Whatever the options are, they hold for no part of it.
impl Display for Utf8Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self.error_len {
            Some(len) => {
                f.write_str("invalid utf-8 sequence of ")?;
                Display::fmt(&len, &mut Formatter::plain(&mut *f.buf))?;
                f.write_str(" bytes from index ")?;
            }
            None => f.write_str("incomplete utf-8 byte sequence from index ")?,
        }
        Display::fmt(&self.valid_up_to, &mut Formatter::plain(&mut *f.buf))
    }
}

impl Display for FromUtf8Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        Display::fmt(&self.error, f)
    }
}
