//! `NonZero` of integers.

use super::NonZero;
use crate::convert::From;

macro_rules! nonzero {
    ($($ty:ident)*) => {$(
        impl NonZero<$ty> {
            pub fn new(n: $ty) -> Option<NonZero<$ty>> {
                if n != 0 { Some(NonZero(n)) } else { None }
            }
            pub fn new_unchecked(n: $ty) -> NonZero<$ty> {
                NonZero(n)
            }
            pub fn get(self) -> $ty {
                self.0
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
