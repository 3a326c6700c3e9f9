//! Arithmetic and bit operators of primitives as trait methods, on values and on references.
//!
//! Operators on primitive values are MIR operations; these bodies are for generic code and for references.
//! Limit: shifts by another type than the shifted one are here for `u8`, `i32`, `u32` and `usize` only.

use super::*;

macro_rules! binary {
    ($trait:ident $method:ident $assign:ident $assign_method:ident $op:tt : $($ty:ident)*) => {$(
        binary!(@one $trait $method $assign $assign_method $op $ty $ty);
    )*};
    (@one $trait:ident $method:ident $assign:ident $assign_method:ident $op:tt $ty:ident $rhs:ident) => {
        impl $trait<$rhs> for $ty {
            type Output = $ty;
            fn $method(self, rhs: $rhs) -> $ty {
                self $op rhs
            }
        }
        impl<'a> $trait<&'a $rhs> for $ty {
            type Output = $ty;
            fn $method(self, rhs: &'a $rhs) -> $ty {
                self $op *rhs
            }
        }
        impl<'a> $trait<$rhs> for &'a $ty {
            type Output = $ty;
            fn $method(self, rhs: $rhs) -> $ty {
                *self $op rhs
            }
        }
        impl<'a, 'b> $trait<&'a $rhs> for &'b $ty {
            type Output = $ty;
            fn $method(self, rhs: &'a $rhs) -> $ty {
                *self $op *rhs
            }
        }
        impl $assign<$rhs> for $ty {
            fn $assign_method(&mut self, rhs: $rhs) {
                *self = *self $op rhs;
            }
        }
        impl<'a> $assign<&'a $rhs> for $ty {
            fn $assign_method(&mut self, rhs: &'a $rhs) {
                *self = *self $op *rhs;
            }
        }
    };
}

binary!(Add add AddAssign add_assign + : i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64);
binary!(Sub sub SubAssign sub_assign - : i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64);
binary!(Mul mul MulAssign mul_assign * : i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64);
binary!(Div div DivAssign div_assign / : i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64);
binary!(Rem rem RemAssign rem_assign % : i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64);
binary!(BitAnd bitand BitAndAssign bitand_assign & : i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize bool);
binary!(BitOr bitor BitOrAssign bitor_assign | : i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize bool);
binary!(BitXor bitxor BitXorAssign bitxor_assign ^ : i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize bool);

macro_rules! shifts {
    ($($ty:ident: $($rhs:ident)*;)*) => {$($(
        binary!(@one Shl shl ShlAssign shl_assign << $ty $rhs);
        binary!(@one Shr shr ShrAssign shr_assign >> $ty $rhs);
    )*)*};
}

shifts! {
    i8: i8 u8 i32 u32 usize;
    i16: i16 u8 i32 u32 usize;
    i32: u8 i32 u32 usize;
    i64: i64 u8 i32 u32 usize;
    i128: i128 u8 i32 u32 usize;
    isize: isize u8 i32 u32 usize;
    u8: u8 i32 u32 usize;
    u16: u16 u8 i32 u32 usize;
    u32: u8 i32 u32 usize;
    u64: u64 u8 i32 u32 usize;
    u128: u128 u8 i32 u32 usize;
    usize: u8 i32 u32 usize;
}

macro_rules! unary {
    ($trait:ident $method:ident $op:tt : $($ty:ident)*) => {$(
        impl $trait for $ty {
            type Output = $ty;
            fn $method(self) -> $ty {
                $op self
            }
        }
        impl<'a> $trait for &'a $ty {
            type Output = $ty;
            fn $method(self) -> $ty {
                $op *self
            }
        }
    )*};
}

unary!(Neg neg - : i8 i16 i32 i64 i128 isize f32 f64);
unary!(Not not ! : i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize bool);
