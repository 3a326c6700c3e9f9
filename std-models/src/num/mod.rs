//! `std::num`: error types of integer conversions and parsing; the methods of the integer types.
//!
//! * `common`: what all twelve types have
//! * `signed`, `unsigned`: what only one kind has
//! * `mixed`: operands of the other signedness, unchecked arithmetic
//! * `nonzero`: `NonZero`
//! * `wrapping`: `Wrapping`, `Saturating`
//! * `float`: `f32` and `f64`
//! * `parse`: `from_str_radix` and `FromStr` of integers
//! * `parse_float`: `FromStr` of `f32` and `f64`

mod common;
mod float;
mod mixed;
mod nonzero;
mod parse;
mod parse_float;
mod signed;
mod unsigned;
mod wrapping;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NonZero<T>(pub(crate) T);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TryFromIntError(pub(crate) ());

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseIntError {
    pub(crate) kind: IntErrorKind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IntErrorKind {
    Empty,
    InvalidDigit,
    PosOverflow,
    NegOverflow,
    Zero,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseFloatError {
    pub(crate) kind: FloatErrorKind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FloatErrorKind {
    Empty,
    Invalid,
}

impl ParseIntError {
    pub fn kind(&self) -> &IntErrorKind {
        &self.kind
    }
}

impl crate::convert::From<std::convert::Infallible> for TryFromIntError {
    fn from(never: std::convert::Infallible) -> TryFromIntError {
        match never {}
    }
}
