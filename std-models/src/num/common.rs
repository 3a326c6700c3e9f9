//! Methods that all integer types have. `wrapping_{add,sub,mul,neg,shl,shr}`, `overflowing_{add,sub,mul}`,
//! `leading_zeros`, `trailing_zeros` and `count_ones` are the executor's own.

use crate::inherent::{IntBytes, IntMethods};

macro_rules! int_methods {
    ($($ty:ident $unsigned:ident $bits:literal;)*) => {$(
        impl IntMethods for $ty {
            fn checked_add(self, rhs: $ty) -> Option<$ty> {
                let (value, overflowed) = self.overflowing_add(rhs);
                if overflowed { None } else { Some(value) }
            }
            fn checked_sub(self, rhs: $ty) -> Option<$ty> {
                let (value, overflowed) = self.overflowing_sub(rhs);
                if overflowed { None } else { Some(value) }
            }
            fn checked_mul(self, rhs: $ty) -> Option<$ty> {
                let (value, overflowed) = self.overflowing_mul(rhs);
                if overflowed { None } else { Some(value) }
            }
            fn checked_shl(self, rhs: u32) -> Option<$ty> {
                if rhs < $bits { Some(self.wrapping_shl(rhs)) } else { None }
            }
            fn checked_shr(self, rhs: u32) -> Option<$ty> {
                if rhs < $bits { Some(self.wrapping_shr(rhs)) } else { None }
            }
            fn overflowing_shl(self, rhs: u32) -> ($ty, bool) {
                (self.wrapping_shl(rhs), rhs >= $bits)
            }
            fn overflowing_shr(self, rhs: u32) -> ($ty, bool) {
                (self.wrapping_shr(rhs), rhs >= $bits)
            }
            fn unbounded_shl(self, rhs: u32) -> $ty {
                if rhs < $bits { self.wrapping_shl(rhs) } else { 0 }
            }
            fn pow(self, exp: u32) -> $ty {
                if exp == 0 {
                    return 1;
                }
                let mut left = exp;
                let mut base = self;
                let mut acc: $ty = 1;
                loop {
                    if (left & 1) == 1 {
                        acc = acc * base;
                        if left == 1 {
                            return acc;
                        }
                    }
                    left /= 2;
                    base = base * base;
                }
            }
            fn checked_pow(self, exp: u32) -> Option<$ty> {
                let (value, overflowed) = self.overflowing_pow(exp);
                if overflowed { None } else { Some(value) }
            }
            fn wrapping_pow(self, exp: u32) -> $ty {
                self.overflowing_pow(exp).0
            }
            fn overflowing_pow(self, exp: u32) -> ($ty, bool) {
                if exp == 0 {
                    return (1, false);
                }
                let mut left = exp;
                let mut base = self;
                let mut acc: $ty = 1;
                let mut overflowed = false;
                loop {
                    if (left & 1) == 1 {
                        let (product, over) = acc.overflowing_mul(base);
                        acc = product;
                        overflowed = overflowed | over;
                        if left == 1 {
                            return (acc, overflowed);
                        }
                    }
                    left /= 2;
                    let (square, over) = base.overflowing_mul(base);
                    base = square;
                    overflowed = overflowed | over;
                }
            }
            fn count_zeros(self) -> u32 {
                (!self).count_ones()
            }
            fn leading_ones(self) -> u32 {
                (!self).leading_zeros()
            }
            fn trailing_ones(self) -> u32 {
                (!self).trailing_zeros()
            }
            fn rotate_left(self, n: u32) -> $ty {
                let n = n % $bits;
                if n == 0 {
                    return self;
                }
                let bits = self as $unsigned;
                (bits.wrapping_shl(n) | bits.wrapping_shr(($bits as u32).wrapping_sub(n))) as $ty
            }
            fn rotate_right(self, n: u32) -> $ty {
                let n = n % $bits;
                if n == 0 {
                    return self;
                }
                let bits = self as $unsigned;
                (bits.wrapping_shr(n) | bits.wrapping_shl(($bits as u32).wrapping_sub(n))) as $ty
            }
            fn swap_bytes(self) -> $ty {
                let bits = self as $unsigned;
                let mut swapped: $unsigned = 0;
                let mut shift: u32 = 0;
                while shift < $bits {
                    let byte = bits.wrapping_shr(shift) & 0xFF;
                    swapped = swapped | byte.wrapping_shl(($bits as u32).wrapping_sub(8).wrapping_sub(shift));
                    shift = shift.wrapping_add(8);
                }
                swapped as $ty
            }
            fn reverse_bits(self) -> $ty {
                let bits = self as $unsigned;
                let mut reversed: $unsigned = 0;
                let mut shift: u32 = 0;
                while shift < $bits {
                    let bit = bits.wrapping_shr(shift) & 1;
                    reversed = reversed | bit.wrapping_shl(($bits as u32).wrapping_sub(1).wrapping_sub(shift));
                    shift = shift.wrapping_add(1);
                }
                reversed as $ty
            }
            fn to_be(self) -> $ty {
                self.swap_bytes()
            }
            fn to_le(self) -> $ty {
                self
            }
            fn from_be(x: $ty) -> $ty {
                x.swap_bytes()
            }
            fn from_le(x: $ty) -> $ty {
                x
            }
            fn min_value() -> $ty {
                <$ty>::MIN
            }
            fn max_value() -> $ty {
                <$ty>::MAX
            }
            fn checked_ilog2(self) -> Option<u32> {
                if self <= 0 {
                    None
                } else {
                    Some(($bits as u32).wrapping_sub(1).wrapping_sub(self.leading_zeros()))
                }
            }
            fn checked_ilog10(self) -> Option<u32> {
                if self <= 0 {
                    return None;
                }
                let mut left = self;
                let mut log: u32 = 0;
                while left >= 10 {
                    left /= 10;
                    log = log.wrapping_add(1);
                }
                Some(log)
            }
            fn checked_ilog(self, base: $ty) -> Option<u32> {
                if self <= 0 || base <= 1 {
                    return None;
                }
                let mut left = self;
                let mut log: u32 = 0;
                while left >= base {
                    left /= base;
                    log = log.wrapping_add(1);
                }
                Some(log)
            }
            fn ilog2(self) -> u32 {
                match self.checked_ilog2() {
                    Some(log) => log,
                    None => panic!("argument of integer logarithm must be positive"),
                }
            }
            fn ilog10(self) -> u32 {
                match self.checked_ilog10() {
                    Some(log) => log,
                    None => panic!("argument of integer logarithm must be positive"),
                }
            }
            fn ilog(self, base: $ty) -> u32 {
                if base < 2 {
                    panic!("base of integer logarithm must be at least 2");
                }
                match self.checked_ilog(base) {
                    Some(log) => log,
                    None => panic!("argument of integer logarithm must be positive"),
                }
            }
            // An unsigned type has no negative values to refuse.
            #[allow(unused_comparisons)]
            fn isqrt(self) -> $ty {
                if self < 0 {
                    panic!("argument of integer square root cannot be negative");
                }
                // Digit by digit in base four: `bit` runs down the even powers of two.
                let mut rest = self as $unsigned;
                let mut root: $unsigned = 0;
                let mut bit: $unsigned = (1 as $unsigned).wrapping_shl($bits - 2);
                while bit > rest {
                    bit = bit.wrapping_shr(2);
                }
                while bit != 0 {
                    let trial = root.wrapping_add(bit);
                    root = root.wrapping_shr(1);
                    if rest >= trial {
                        rest = rest.wrapping_sub(trial);
                        root = root.wrapping_add(bit);
                    }
                    bit = bit.wrapping_shr(2);
                }
                root as $ty
            }
        }
    )*};
}

int_methods! {
    i8 u8 8;
    i16 u16 16;
    i32 u32 32;
    i64 u64 64;
    i128 u128 128;
    isize usize 64;
    u8 u8 8;
    u16 u16 16;
    u32 u32 32;
    u64 u64 64;
    u128 u128 128;
    usize usize 64;
}

macro_rules! int_bytes {
    ($($ty:ident $unsigned:ident $len:literal;)*) => {$(
        impl IntBytes<$len> for $ty {
            fn to_le_bytes(self) -> [u8; $len] {
                let bits = self as $unsigned;
                let mut bytes = [0u8; $len];
                let mut index: usize = 0;
                while index < $len {
                    bytes[index] = bits.wrapping_shr((index as u32).wrapping_mul(8)) as u8;
                    index = index.wrapping_add(1);
                }
                bytes
            }
            fn to_be_bytes(self) -> [u8; $len] {
                let bits = self as $unsigned;
                let mut bytes = [0u8; $len];
                let mut index: usize = 0;
                while index < $len {
                    let place = ($len as usize).wrapping_sub(1).wrapping_sub(index);
                    bytes[place] = bits.wrapping_shr((index as u32).wrapping_mul(8)) as u8;
                    index = index.wrapping_add(1);
                }
                bytes
            }
            fn to_ne_bytes(self) -> [u8; $len] {
                self.to_le_bytes()
            }
            fn from_le_bytes(bytes: [u8; $len]) -> $ty {
                let mut bits: $unsigned = 0;
                let mut index: usize = 0;
                while index < $len {
                    let byte = bytes[index] as $unsigned;
                    bits = bits | byte.wrapping_shl((index as u32).wrapping_mul(8));
                    index = index.wrapping_add(1);
                }
                bits as $ty
            }
            fn from_be_bytes(bytes: [u8; $len]) -> $ty {
                let mut bits: $unsigned = 0;
                let mut index: usize = 0;
                while index < $len {
                    let place = ($len as usize).wrapping_sub(1).wrapping_sub(index);
                    let byte = bytes[place] as $unsigned;
                    bits = bits | byte.wrapping_shl((index as u32).wrapping_mul(8));
                    index = index.wrapping_add(1);
                }
                bits as $ty
            }
            fn from_ne_bytes(bytes: [u8; $len]) -> $ty {
                <$ty>::from_le_bytes(bytes)
            }
        }
    )*};
}

int_bytes! {
    i8 u8 1;
    i16 u16 2;
    i32 u32 4;
    i64 u64 8;
    i128 u128 16;
    isize usize 8;
    u8 u8 1;
    u16 u16 2;
    u32 u32 4;
    u64 u64 8;
    u128 u128 16;
    usize usize 8;
}
