//! Methods of unsigned integers, and those that signed and unsigned ones do not compute alike.

use crate::inherent::{DivisionMethods, UnsignedMethods};

macro_rules! unsigned_methods {
    ($($ty:ident $signed:ident $bits:literal;)*) => {$(
        impl DivisionMethods for $ty {
            fn checked_div(self, rhs: $ty) -> Option<$ty> {
                if rhs == 0 { None } else { Some(self / rhs) }
            }
            fn checked_rem(self, rhs: $ty) -> Option<$ty> {
                if rhs == 0 { None } else { Some(self % rhs) }
            }
            fn wrapping_div(self, rhs: $ty) -> $ty {
                self / rhs
            }
            fn wrapping_rem(self, rhs: $ty) -> $ty {
                self % rhs
            }
            fn overflowing_div(self, rhs: $ty) -> ($ty, bool) {
                (self / rhs, false)
            }
            fn overflowing_rem(self, rhs: $ty) -> ($ty, bool) {
                (self % rhs, false)
            }
            fn div_euclid(self, rhs: $ty) -> $ty {
                self / rhs
            }
            fn rem_euclid(self, rhs: $ty) -> $ty {
                self % rhs
            }
            fn checked_div_euclid(self, rhs: $ty) -> Option<$ty> {
                if rhs == 0 { None } else { Some(self / rhs) }
            }
            fn checked_rem_euclid(self, rhs: $ty) -> Option<$ty> {
                if rhs == 0 { None } else { Some(self % rhs) }
            }
            fn wrapping_div_euclid(self, rhs: $ty) -> $ty {
                self / rhs
            }
            fn wrapping_rem_euclid(self, rhs: $ty) -> $ty {
                self % rhs
            }
            fn overflowing_div_euclid(self, rhs: $ty) -> ($ty, bool) {
                (self / rhs, false)
            }
            fn overflowing_rem_euclid(self, rhs: $ty) -> ($ty, bool) {
                (self % rhs, false)
            }
            fn saturating_add(self, rhs: $ty) -> $ty {
                let (value, overflowed) = self.overflowing_add(rhs);
                if overflowed { <$ty>::MAX } else { value }
            }
            fn saturating_sub(self, rhs: $ty) -> $ty {
                if self < rhs { 0 } else { self.wrapping_sub(rhs) }
            }
            fn saturating_mul(self, rhs: $ty) -> $ty {
                let (value, overflowed) = self.overflowing_mul(rhs);
                if overflowed { <$ty>::MAX } else { value }
            }
            fn saturating_div(self, rhs: $ty) -> $ty {
                self / rhs
            }
            fn saturating_pow(self, exp: u32) -> $ty {
                match self.checked_pow(exp) {
                    Some(value) => value,
                    None => <$ty>::MAX,
                }
            }
            fn checked_neg(self) -> Option<$ty> {
                if self == 0 { Some(0) } else { None }
            }
            fn overflowing_neg(self) -> ($ty, bool) {
                (self.wrapping_neg(), self != 0)
            }
            fn unbounded_shr(self, rhs: u32) -> $ty {
                if rhs < $bits { self.wrapping_shr(rhs) } else { 0 }
            }
        }

        impl UnsignedMethods<$signed> for $ty {
            fn abs_diff(self, other: $ty) -> $ty {
                if self < other { other.wrapping_sub(self) } else { self.wrapping_sub(other) }
            }
            fn is_power_of_two(self) -> bool {
                self.count_ones() == 1
            }
            fn next_power_of_two(self) -> $ty {
                if self <= 1 {
                    return 1;
                }
                let below = <$ty>::MAX.wrapping_shr(self.wrapping_sub(1).leading_zeros());
                below + 1
            }
            fn checked_next_power_of_two(self) -> Option<$ty> {
                if self <= 1 {
                    return Some(1);
                }
                let below = <$ty>::MAX.wrapping_shr(self.wrapping_sub(1).leading_zeros());
                if below == <$ty>::MAX { None } else { Some(below.wrapping_add(1)) }
            }
            fn div_ceil(self, rhs: $ty) -> $ty {
                let quotient = self / rhs;
                if self % rhs > 0 { quotient.wrapping_add(1) } else { quotient }
            }
            fn next_multiple_of(self, rhs: $ty) -> $ty {
                let remainder = self % rhs;
                if remainder == 0 { self } else { self + rhs.wrapping_sub(remainder) }
            }
            fn checked_next_multiple_of(self, rhs: $ty) -> Option<$ty> {
                if rhs == 0 {
                    return None;
                }
                let remainder = self % rhs;
                if remainder == 0 { Some(self) } else { self.checked_add(rhs.wrapping_sub(remainder)) }
            }
            fn is_multiple_of(self, rhs: $ty) -> bool {
                if rhs == 0 { self == 0 } else { self % rhs == 0 }
            }
            fn midpoint(self, rhs: $ty) -> $ty {
                (self & rhs).wrapping_add((self ^ rhs).wrapping_shr(1))
            }
            fn cast_signed(self) -> $signed {
                self as $signed
            }
            fn checked_add_signed(self, rhs: $signed) -> Option<$ty> {
                let value = self.wrapping_add(rhs as $ty);
                if rhs < 0 {
                    if value > self { None } else { Some(value) }
                } else {
                    if value < self { None } else { Some(value) }
                }
            }
            fn saturating_add_signed(self, rhs: $signed) -> $ty {
                let value = self.wrapping_add(rhs as $ty);
                if rhs < 0 {
                    if value > self { 0 } else { value }
                } else {
                    if value < self { <$ty>::MAX } else { value }
                }
            }
            fn wrapping_add_signed(self, rhs: $signed) -> $ty {
                self.wrapping_add(rhs as $ty)
            }
            fn overflowing_add_signed(self, rhs: $signed) -> ($ty, bool) {
                let value = self.wrapping_add(rhs as $ty);
                (value, if rhs < 0 { value > self } else { value < self })
            }
            fn checked_signed_diff(self, rhs: $ty) -> Option<$signed> {
                let value = self.wrapping_sub(rhs) as $signed;
                if (self >= rhs) == (value < 0) { None } else { Some(value) }
            }
        }
    )*};
}

unsigned_methods! {
    u8 i8 8;
    u16 i16 16;
    u32 i32 32;
    u64 i64 64;
    u128 i128 128;
    usize isize 64;
}
