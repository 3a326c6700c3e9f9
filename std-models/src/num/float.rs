//! Methods of `f32` and `f64`, upon what the executor does itself: arithmetic, comparisons, casts, `sqrt`, `abs`,
//! rounding to integers, `mul_add`, powers, logarithms, trigonometry, `to_bits`, `from_bits`. It stops at the bits of a NaN, as nothing says which NaN it is.
//!
//! Limits: no text of a number; and `max` and `min` of zeros of both signs, for which
//! std leaves open what they give.

use std::num::FpCategory;

use crate::cmp::{Eq, PartialEq};
use crate::convert::FloatToInt;
use crate::inherent::FloatMethods;
use crate::intrinsics;

impl PartialEq for FpCategory {
    fn eq(&self, other: &FpCategory) -> bool {
        (*self as u8) == (*other as u8)
    }
}

impl Eq for FpCategory {}

macro_rules! floats {
    ($($ty:ident $bits:ident $int:ident $last:literal $degrees:expr;)*) => {$(
        impl FloatMethods for $ty {
            fn is_nan(self) -> bool {
                self != self
            }
            fn is_infinite(self) -> bool {
                self == $ty::INFINITY || self == $ty::NEG_INFINITY
            }
            fn is_finite(self) -> bool {
                self.abs() < $ty::INFINITY
            }
            fn is_normal(self) -> bool {
                let magnitude = self.abs();
                magnitude >= $ty::MIN_POSITIVE && magnitude < $ty::INFINITY
            }
            fn is_subnormal(self) -> bool {
                let magnitude = self.abs();
                magnitude > 0.0 && magnitude < $ty::MIN_POSITIVE
            }
            fn classify(self) -> FpCategory {
                let magnitude = self.abs();
                if self != self {
                    FpCategory::Nan
                } else if magnitude == $ty::INFINITY {
                    FpCategory::Infinite
                } else if magnitude == 0.0 {
                    FpCategory::Zero
                } else if magnitude < $ty::MIN_POSITIVE {
                    FpCategory::Subnormal
                } else {
                    FpCategory::Normal
                }
            }
            fn to_degrees(self) -> $ty {
                self * $degrees
            }
            fn to_radians(self) -> $ty {
                self * (std::$ty::consts::PI / 180.0)
            }
            fn sin_cos(self) -> ($ty, $ty) {
                (self.sin(), self.cos())
            }
            fn next_up(self) -> $ty {
                if self != self || self == $ty::INFINITY {
                    self
                } else if self == 0.0 {
                    $ty::from_bits(1)
                } else if self > 0.0 {
                    $ty::from_bits(self.to_bits() + 1)
                } else {
                    $ty::from_bits(self.to_bits() - 1)
                }
            }
            fn next_down(self) -> $ty {
                -FloatMethods::next_up(-self)
            }
            fn is_sign_negative(self) -> bool {
                self.to_bits() >> $last != 0
            }
            fn is_sign_positive(self) -> bool {
                self.to_bits() >> $last == 0
            }
            fn max(self, other: $ty) -> $ty {
                if self != self || self < other {
                    other
                } else if self == other && self.to_bits() != other.to_bits() {
                    intrinsics::unmodelled("the greater of two zeros")
                } else {
                    self
                }
            }
            fn min(self, other: $ty) -> $ty {
                if self != self || other < self {
                    other
                } else if self == other && self.to_bits() != other.to_bits() {
                    intrinsics::unmodelled("the lesser of two zeros")
                } else {
                    self
                }
            }
            fn clamp(self, min: $ty, max: $ty) -> $ty {
                if !(min <= max) {
                    panic!("min > max, or either was NaN");
                }
                if self < min {
                    min
                } else if self > max {
                    max
                } else {
                    self
                }
            }
            fn copysign(self, sign: $ty) -> $ty {
                let sign = sign.to_bits() & (1 << $last);
                if self != self {
                    return self;
                }
                $ty::from_bits(self.abs().to_bits() | sign)
            }
            fn signum(self) -> $ty {
                if self != self {
                    return self;
                }
                $ty::from_bits((1.0 as $ty).to_bits() | (self.to_bits() & (1 << $last)))
            }
            fn fract(self) -> $ty {
                self - self.trunc()
            }
            fn recip(self) -> $ty {
                1.0 / self
            }
            fn rem_euclid(self, rhs: $ty) -> $ty {
                let rest = self % rhs;
                if rest < 0.0 { rest + rhs.abs() } else { rest }
            }
            fn div_euclid(self, rhs: $ty) -> $ty {
                let quotient = (self / rhs).trunc();
                if self % rhs < 0.0 {
                    return if rhs > 0.0 { quotient - 1.0 } else { quotient + 1.0 };
                }
                quotient
            }
            fn total_cmp(&self, other: &$ty) -> std::cmp::Ordering {
                let ordered = |float: $ty| {
                    let bits = float.to_bits() as $int;
                    // All but the sign are flipped in negative ones.
                    bits ^ (((bits >> $last) as $bits) >> 1) as $int
                };
                let (left, right) = (ordered(*self), ordered(*other));
                if left < right {
                    std::cmp::Ordering::Less
                } else if left == right {
                    std::cmp::Ordering::Equal
                } else {
                    std::cmp::Ordering::Greater
                }
            }
            unsafe fn to_int_unchecked<Int>(self) -> Int
            where
                $ty: FloatToInt<Int>,
            {
                self.to_int()
            }
        }
    )*};
}

/// `$power` is what is one more than the greatest number.
macro_rules! to_int {
    ($($float:ident: $($int:ident $power:expr,)*;)*) => {$($(
        impl FloatToInt<$int> for $float {
            fn to_int(self) -> $int {
                let whole = self.trunc();
                // False of a NaN.
                if whole >= $int::MIN as $float && whole < $power {
                    self as $int
                } else {
                    intrinsics::unmodelled("an integer for a float that is beyond it")
                }
            }
        }
    )*)*};
}

to_int! {
    f32:
        u8 256.0, u16 65_536.0, u32 u32::MAX as f32, u64 u64::MAX as f32, u128 f32::INFINITY, usize usize::MAX as f32,
        i8 128.0, i16 32_768.0, i32 i32::MAX as f32, i64 i64::MAX as f32, i128 i128::MAX as f32, isize isize::MAX as f32,;
    f64:
        u8 256.0, u16 65_536.0, u32 4_294_967_296.0, u64 u64::MAX as f64, u128 u128::MAX as f64, usize usize::MAX as f64,
        i8 128.0, i16 32_768.0, i32 2_147_483_648.0, i64 i64::MAX as f64, i128 i128::MAX as f64, isize isize::MAX as f64,;
}

floats! {
    f32 u32 i32 31 57.295_78_f32;
    f64 u64 i64 63 180.0f64 / std::f64::consts::PI;
}
