//! Methods of signed integers, and those that signed and unsigned ones do not compute alike.

use crate::inherent::{DivisionMethods, SignedMethods};

macro_rules! signed_methods {
    ($($ty:ident $unsigned:ident $bits:literal;)*) => {$(
        impl DivisionMethods for $ty {
            fn checked_div(self, rhs: $ty) -> Option<$ty> {
                if rhs == 0 || (self == <$ty>::MIN && rhs == -1) { None } else { Some(self / rhs) }
            }
            fn checked_rem(self, rhs: $ty) -> Option<$ty> {
                if rhs == 0 || (self == <$ty>::MIN && rhs == -1) { None } else { Some(self % rhs) }
            }
            fn wrapping_div(self, rhs: $ty) -> $ty {
                self.overflowing_div(rhs).0
            }
            fn wrapping_rem(self, rhs: $ty) -> $ty {
                self.overflowing_rem(rhs).0
            }
            fn overflowing_div(self, rhs: $ty) -> ($ty, bool) {
                if self == <$ty>::MIN && rhs == -1 { (self, true) } else { (self / rhs, false) }
            }
            fn overflowing_rem(self, rhs: $ty) -> ($ty, bool) {
                if rhs == -1 { (0, self == <$ty>::MIN) } else { (self % rhs, false) }
            }
            fn div_euclid(self, rhs: $ty) -> $ty {
                let quotient = self / rhs;
                if self % rhs < 0 {
                    if rhs > 0 { quotient.wrapping_sub(1) } else { quotient.wrapping_add(1) }
                } else {
                    quotient
                }
            }
            fn rem_euclid(self, rhs: $ty) -> $ty {
                let remainder = self % rhs;
                if remainder < 0 {
                    // The magnitude of the divisor, which wraps for `MIN` and then still gives the right sum.
                    if rhs < 0 { remainder.wrapping_sub(rhs) } else { remainder.wrapping_add(rhs) }
                } else {
                    remainder
                }
            }
            fn checked_div_euclid(self, rhs: $ty) -> Option<$ty> {
                if rhs == 0 || (self == <$ty>::MIN && rhs == -1) {
                    None
                } else {
                    Some(self.div_euclid(rhs))
                }
            }
            fn checked_rem_euclid(self, rhs: $ty) -> Option<$ty> {
                if rhs == 0 || (self == <$ty>::MIN && rhs == -1) {
                    None
                } else {
                    Some(self.rem_euclid(rhs))
                }
            }
            fn wrapping_div_euclid(self, rhs: $ty) -> $ty {
                self.overflowing_div_euclid(rhs).0
            }
            fn wrapping_rem_euclid(self, rhs: $ty) -> $ty {
                self.overflowing_rem_euclid(rhs).0
            }
            fn overflowing_div_euclid(self, rhs: $ty) -> ($ty, bool) {
                if self == <$ty>::MIN && rhs == -1 {
                    (self, true)
                } else {
                    (self.div_euclid(rhs), false)
                }
            }
            fn overflowing_rem_euclid(self, rhs: $ty) -> ($ty, bool) {
                if rhs == -1 {
                    (0, self == <$ty>::MIN)
                } else {
                    (self.rem_euclid(rhs), false)
                }
            }
            fn saturating_add(self, rhs: $ty) -> $ty {
                let (value, overflowed) = self.overflowing_add(rhs);
                if !overflowed {
                    value
                } else if rhs < 0 {
                    <$ty>::MIN
                } else {
                    <$ty>::MAX
                }
            }
            fn saturating_sub(self, rhs: $ty) -> $ty {
                let (value, overflowed) = self.overflowing_sub(rhs);
                if !overflowed {
                    value
                } else if rhs < 0 {
                    <$ty>::MAX
                } else {
                    <$ty>::MIN
                }
            }
            fn saturating_mul(self, rhs: $ty) -> $ty {
                let (value, overflowed) = self.overflowing_mul(rhs);
                if !overflowed {
                    value
                } else if (self < 0) == (rhs < 0) {
                    <$ty>::MAX
                } else {
                    <$ty>::MIN
                }
            }
            fn saturating_div(self, rhs: $ty) -> $ty {
                if self == <$ty>::MIN && rhs == -1 { <$ty>::MAX } else { self / rhs }
            }
            fn saturating_pow(self, exp: u32) -> $ty {
                match self.checked_pow(exp) {
                    Some(value) => value,
                    None => {
                        if self < 0 && exp % 2 == 1 {
                            <$ty>::MIN
                        } else {
                            <$ty>::MAX
                        }
                    }
                }
            }
            fn checked_neg(self) -> Option<$ty> {
                if self == <$ty>::MIN { None } else { Some(self.wrapping_neg()) }
            }
            fn overflowing_neg(self) -> ($ty, bool) {
                (self.wrapping_neg(), self == <$ty>::MIN)
            }
            fn unbounded_shr(self, rhs: u32) -> $ty {
                if rhs < $bits { self.wrapping_shr(rhs) } else { self.wrapping_shr($bits - 1) }
            }
        }

        impl SignedMethods<$unsigned> for $ty {
            fn abs(self) -> $ty {
                if self < 0 { -self } else { self }
            }
            fn checked_abs(self) -> Option<$ty> {
                if self == <$ty>::MIN {
                    None
                } else if self < 0 {
                    Some(self.wrapping_neg())
                } else {
                    Some(self)
                }
            }
            fn wrapping_abs(self) -> $ty {
                if self < 0 { self.wrapping_neg() } else { self }
            }
            fn overflowing_abs(self) -> ($ty, bool) {
                (self.wrapping_abs(), self == <$ty>::MIN)
            }
            fn saturating_abs(self) -> $ty {
                if self == <$ty>::MIN {
                    <$ty>::MAX
                } else if self < 0 {
                    self.wrapping_neg()
                } else {
                    self
                }
            }
            fn saturating_neg(self) -> $ty {
                if self == <$ty>::MIN { <$ty>::MAX } else { self.wrapping_neg() }
            }
            fn unsigned_abs(self) -> $unsigned {
                self.wrapping_abs() as $unsigned
            }
            fn cast_unsigned(self) -> $unsigned {
                self as $unsigned
            }
            fn abs_diff(self, other: $ty) -> $unsigned {
                if self < other {
                    (other as $unsigned).wrapping_sub(self as $unsigned)
                } else {
                    (self as $unsigned).wrapping_sub(other as $unsigned)
                }
            }
            fn signum(self) -> $ty {
                if self < 0 {
                    -1
                } else if self == 0 {
                    0
                } else {
                    1
                }
            }
            fn is_positive(self) -> bool {
                self > 0
            }
            fn is_negative(self) -> bool {
                self < 0
            }
            fn checked_isqrt(self) -> Option<$ty> {
                if self < 0 { None } else { Some(self.isqrt()) }
            }
            fn checked_add_unsigned(self, rhs: $unsigned) -> Option<$ty> {
                let value = self.wrapping_add(rhs as $ty);
                if value < self { None } else { Some(value) }
            }
            fn checked_sub_unsigned(self, rhs: $unsigned) -> Option<$ty> {
                let value = self.wrapping_sub(rhs as $ty);
                if value > self { None } else { Some(value) }
            }
            fn saturating_add_unsigned(self, rhs: $unsigned) -> $ty {
                let value = self.wrapping_add(rhs as $ty);
                if value < self { <$ty>::MAX } else { value }
            }
            fn saturating_sub_unsigned(self, rhs: $unsigned) -> $ty {
                let value = self.wrapping_sub(rhs as $ty);
                if value > self { <$ty>::MIN } else { value }
            }
            fn wrapping_add_unsigned(self, rhs: $unsigned) -> $ty {
                self.wrapping_add(rhs as $ty)
            }
            fn wrapping_sub_unsigned(self, rhs: $unsigned) -> $ty {
                self.wrapping_sub(rhs as $ty)
            }
        }
    )*};
}

signed_methods! {
    i8 u8 8;
    i16 u16 16;
    i32 u32 32;
    i64 u64 64;
    i128 u128 128;
    isize usize 64;
}
