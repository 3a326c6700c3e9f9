//! `Wrapping` and `Saturating`: integers whose operators do not overflow.

use std::num::{Saturating, Wrapping};

use crate::hash::{Hash, Hasher};
use crate::ops::*;

/// What the operators of both rest on, for all integer types.
pub trait Unbounded: Copy {
    fn wrap_add(self, rhs: Self) -> Self;
    fn wrap_sub(self, rhs: Self) -> Self;
    fn wrap_mul(self, rhs: Self) -> Self;
    fn wrap_div(self, rhs: Self) -> Self;
    fn wrap_rem(self, rhs: Self) -> Self;
    fn wrap_neg(self) -> Self;
    fn and(self, rhs: Self) -> Self;
    fn or(self, rhs: Self) -> Self;
    fn xor(self, rhs: Self) -> Self;
    fn complement(self) -> Self;
    fn wrap_shl(self, rhs: u32) -> Self;
    fn wrap_shr(self, rhs: u32) -> Self;
    fn clamp_add(self, rhs: Self) -> Self;
    fn clamp_sub(self, rhs: Self) -> Self;
    fn clamp_mul(self, rhs: Self) -> Self;
}

macro_rules! unbounded {
    ($($ty:ident)*) => {$(
        impl Unbounded for $ty {
            fn wrap_add(self, rhs: $ty) -> $ty {
                self.wrapping_add(rhs)
            }
            fn wrap_sub(self, rhs: $ty) -> $ty {
                self.wrapping_sub(rhs)
            }
            fn wrap_mul(self, rhs: $ty) -> $ty {
                self.wrapping_mul(rhs)
            }
            fn wrap_div(self, rhs: $ty) -> $ty {
                self.wrapping_div(rhs)
            }
            fn wrap_rem(self, rhs: $ty) -> $ty {
                self.wrapping_rem(rhs)
            }
            fn wrap_neg(self) -> $ty {
                self.wrapping_neg()
            }
            fn and(self, rhs: $ty) -> $ty {
                self & rhs
            }
            fn or(self, rhs: $ty) -> $ty {
                self | rhs
            }
            fn xor(self, rhs: $ty) -> $ty {
                self ^ rhs
            }
            fn complement(self) -> $ty {
                !self
            }
            fn wrap_shl(self, rhs: u32) -> $ty {
                self.wrapping_shl(rhs)
            }
            fn wrap_shr(self, rhs: u32) -> $ty {
                self.wrapping_shr(rhs)
            }
            fn clamp_add(self, rhs: $ty) -> $ty {
                self.saturating_add(rhs)
            }
            fn clamp_sub(self, rhs: $ty) -> $ty {
                self.saturating_sub(rhs)
            }
            fn clamp_mul(self, rhs: $ty) -> $ty {
                self.saturating_mul(rhs)
            }
        }
    )*};
}

unbounded!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

macro_rules! operators {
    ($($of:ident: $trait:ident $method:ident $assign:ident $assign_method:ident $by:ident;)*) => {$(
        impl<T: Unbounded> $trait for $of<T> {
            type Output = $of<T>;
            fn $method(self, rhs: $of<T>) -> $of<T> {
                $of(self.0.$by(rhs.0))
            }
        }
        impl<'a, T: Unbounded> $trait<&'a $of<T>> for $of<T> {
            type Output = $of<T>;
            fn $method(self, rhs: &'a $of<T>) -> $of<T> {
                $of(self.0.$by(rhs.0))
            }
        }
        impl<T: Unbounded> $assign for $of<T> {
            fn $assign_method(&mut self, rhs: $of<T>) {
                *self = $of(self.0.$by(rhs.0));
            }
        }
        impl<T: Unbounded> $assign<T> for $of<T> {
            fn $assign_method(&mut self, rhs: T) {
                *self = $of(self.0.$by(rhs));
            }
        }
    )*};
}

operators! {
    Wrapping: Add add AddAssign add_assign wrap_add;
    Wrapping: Sub sub SubAssign sub_assign wrap_sub;
    Wrapping: Mul mul MulAssign mul_assign wrap_mul;
    Wrapping: Div div DivAssign div_assign wrap_div;
    Wrapping: Rem rem RemAssign rem_assign wrap_rem;
    Wrapping: BitAnd bitand BitAndAssign bitand_assign and;
    Wrapping: BitOr bitor BitOrAssign bitor_assign or;
    Wrapping: BitXor bitxor BitXorAssign bitxor_assign xor;
    Saturating: Add add AddAssign add_assign clamp_add;
    Saturating: Sub sub SubAssign sub_assign clamp_sub;
    Saturating: Mul mul MulAssign mul_assign clamp_mul;
}

macro_rules! shifts {
    ($($trait:ident $method:ident $assign:ident $assign_method:ident $by:ident;)*) => {$(
        impl<T: Unbounded> $trait<usize> for Wrapping<T> {
            type Output = Wrapping<T>;
            fn $method(self, rhs: usize) -> Wrapping<T> {
                Wrapping(self.0.$by(rhs as u32))
            }
        }
        impl<T: Unbounded> $assign<usize> for Wrapping<T> {
            fn $assign_method(&mut self, rhs: usize) {
                *self = Wrapping(self.0.$by(rhs as u32));
            }
        }
    )*};
}

shifts! {
    Shl shl ShlAssign shl_assign wrap_shl;
    Shr shr ShrAssign shr_assign wrap_shr;
}

impl<T: Unbounded> Neg for Wrapping<T> {
    type Output = Wrapping<T>;
    fn neg(self) -> Wrapping<T> {
        Wrapping(self.0.wrap_neg())
    }
}

impl<T: Unbounded> Not for Wrapping<T> {
    type Output = Wrapping<T>;
    fn not(self) -> Wrapping<T> {
        Wrapping(self.0.complement())
    }
}

/// What is said of them as of the number inside.
macro_rules! transparent {
    ($($of:ident)*) => {$(
        impl<T: std::clone::Clone> crate::clone::Clone for $of<T> {
            fn clone(&self) -> $of<T> {
                $of(self.0.clone())
            }
        }
        impl<T: std::default::Default> crate::default::Default for $of<T> {
            fn default() -> $of<T> {
                $of(T::default())
            }
        }
        impl<T: std::cmp::PartialEq> crate::cmp::PartialEq for $of<T> {
            fn eq(&self, other: &$of<T>) -> bool {
                self.0 == other.0
            }
        }
        impl<T: std::cmp::Eq> crate::cmp::Eq for $of<T> {}
        impl<T: std::cmp::PartialOrd> crate::cmp::PartialOrd for $of<T> {
            fn partial_cmp(&self, other: &$of<T>) -> Option<std::cmp::Ordering> {
                self.0.partial_cmp(&other.0)
            }
        }
        impl<T: std::cmp::Ord> crate::cmp::Ord for $of<T> {
            fn cmp(&self, other: &$of<T>) -> std::cmp::Ordering {
                self.0.cmp(&other.0)
            }
        }
        impl<T: Hash> Hash for $of<T> {
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.0.hash(state);
            }
        }
    )*};
}

transparent!(Wrapping Saturating);
