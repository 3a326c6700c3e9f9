//! Integers with operands of the other signedness, and arithmetic whose caller vouches for it.

use crate::inherent::numbers::{SignedMixedMethods, UncheckedMethods, UnsignedMixedMethods};

// An overflow is undefined behaviour: a checked build aborts there, and no other is bound to anything.
macro_rules! unchecked {
    ($($ty:ident)*) => {$(
        impl UncheckedMethods for $ty {
            unsafe fn unchecked_add(self, rhs: $ty) -> $ty {
                match self.checked_add(rhs) {
                    Some(result) => result,
                    None => crate::intrinsics::unmodelled("undefined behaviour: `unchecked_add` that overflows"),
                }
            }
            unsafe fn unchecked_sub(self, rhs: $ty) -> $ty {
                match self.checked_sub(rhs) {
                    Some(result) => result,
                    None => crate::intrinsics::unmodelled("undefined behaviour: `unchecked_sub` that overflows"),
                }
            }
            unsafe fn unchecked_mul(self, rhs: $ty) -> $ty {
                match self.checked_mul(rhs) {
                    Some(result) => result,
                    None => crate::intrinsics::unmodelled("undefined behaviour: `unchecked_mul` that overflows"),
                }
            }
        }
    )*};
}

unchecked!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

macro_rules! mixed {
    ($($signed:ident $unsigned:ident;)*) => {$(
        impl SignedMixedMethods<$unsigned> for $signed {
            fn overflowing_add_unsigned(self, rhs: $unsigned) -> ($signed, bool) {
                // As a signed number the operand is less by 2^n if its highest bit is set.
                let rhs = rhs as $signed;
                let (sum, overflowed) = self.overflowing_add(rhs);
                (sum, overflowed != (rhs < 0))
            }
            fn overflowing_sub_unsigned(self, rhs: $unsigned) -> ($signed, bool) {
                let rhs = rhs as $signed;
                let (difference, overflowed) = self.overflowing_sub(rhs);
                (difference, overflowed != (rhs < 0))
            }
            fn midpoint(self, rhs: $signed) -> $signed {
                // The average rounded down, and up again towards zero if it was negative and not whole.
                let floor = (self & rhs).wrapping_add((self ^ rhs).wrapping_shr(1));
                if floor < 0 && (self ^ rhs) & 1 == 1 { floor.wrapping_add(1) } else { floor }
            }
        }

        impl UnsignedMixedMethods<$signed> for $unsigned {
            fn checked_sub_signed(self, rhs: $signed) -> Option<$unsigned> {
                let (difference, overflowed) = self.overflowing_sub_signed(rhs);
                if overflowed { None } else { Some(difference) }
            }
            fn saturating_sub_signed(self, rhs: $signed) -> $unsigned {
                let (difference, overflowed) = self.overflowing_sub_signed(rhs);
                if !overflowed {
                    difference
                } else if rhs < 0 {
                    <$unsigned>::MAX
                } else {
                    0
                }
            }
            fn wrapping_sub_signed(self, rhs: $signed) -> $unsigned {
                self.wrapping_sub(rhs as $unsigned)
            }
            fn overflowing_sub_signed(self, rhs: $signed) -> ($unsigned, bool) {
                let (difference, overflowed) = self.overflowing_sub(rhs as $unsigned);
                (difference, overflowed != (rhs < 0))
            }
        }
    )*};
}

mixed! {
    i8 u8;
    i16 u16;
    i32 u32;
    i64 u64;
    i128 u128;
    isize usize;
}
