//! `NonZero` of integers.

use super::NonZero;
use crate::convert::From;

macro_rules! nonzero {
    ($($ty:ident)*) => {$(
        impl NonZero<$ty> {
            pub fn new(n: $ty) -> Option<NonZero<$ty>> {
                if n != 0 { Some(NonZero(n)) } else { None }
            }
            pub unsafe fn new_unchecked(n: $ty) -> NonZero<$ty> {
                if n == 0 {
                    return crate::intrinsics::unmodelled("undefined behaviour: `NonZero::new_unchecked` of zero");
                }
                NonZero(n)
            }
            pub fn get(self) -> $ty {
                self.0
            }
            pub fn checked_pow(self, exp: u32) -> Option<NonZero<$ty>> {
                match self.0.checked_pow(exp) {
                    Some(power) => Some(NonZero(power)),
                    None => None,
                }
            }
            pub fn saturating_mul(self, other: NonZero<$ty>) -> NonZero<$ty> {
                NonZero(self.0.saturating_mul(other.0))
            }
            pub fn leading_zeros(self) -> u32 {
                self.0.leading_zeros()
            }
            pub fn trailing_zeros(self) -> u32 {
                self.0.trailing_zeros()
            }
            pub fn checked_mul(self, other: NonZero<$ty>) -> Option<NonZero<$ty>> {
                match self.0.checked_mul(other.0) {
                    Some(product) => Some(NonZero(product)),
                    None => None,
                }
            }
        }

        impl From<NonZero<$ty>> for $ty {
            fn from(n: NonZero<$ty>) -> $ty {
                n.0
            }
        }

        impl crate::convert::TryFrom<$ty> for NonZero<$ty> {
            type Error = super::TryFromIntError;
            fn try_from(n: $ty) -> Result<NonZero<$ty>, super::TryFromIntError> {
                if n != 0 { Ok(NonZero(n)) } else { Err(super::TryFromIntError(())) }
            }
        }
    )*};
}

nonzero!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

macro_rules! unsigned_nonzero {
    ($($ty:ident)*) => {$(
        impl NonZero<$ty> {
            pub fn checked_add(self, other: $ty) -> Option<NonZero<$ty>> {
                match self.0.checked_add(other) {
                    Some(sum) => Some(NonZero(sum)),
                    None => None,
                }
            }
            pub fn saturating_add(self, other: $ty) -> NonZero<$ty> {
                NonZero(self.0.saturating_add(other))
            }
            pub fn is_power_of_two(self) -> bool {
                self.0.is_power_of_two()
            }
            pub fn ilog2(self) -> u32 {
                self.0.ilog2()
            }
            pub fn ilog10(self) -> u32 {
                self.0.ilog10()
            }
        }
    )*};
}

unsigned_nonzero!(u8 u16 u32 u64 u128 usize);

/// Shown as the number, in all ways.
macro_rules! shown_nonzero {
    ($($which:ident)*) => {$(
        impl<T: crate::fmt::$which> crate::fmt::$which for NonZero<T> {
            fn fmt(&self, f: &mut crate::fmt::Formatter<'_>) -> crate::fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

shown_nonzero!(Debug Display Binary Octal LowerHex UpperHex);
