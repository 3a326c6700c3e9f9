//! Concrete meaning of the operations: what SMT-LIB says of bit vectors of 1 to 128 bits, on `u128`.
//!
//! Invariant: operands and results hold no bit above their width.

/// Operations on two bit vectors of one width that are neither sums nor products.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BvOp {
    Udiv,
    Sdiv,
    Urem,
    Srem,
    And,
    Or,
    Xor,
    Shl,
    Lshr,
    Ashr,
}

/// "This operation does not fit its type." Unsigned subtraction is missing: there it is `a < b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Overflow {
    AddUnsigned,
    AddSigned,
    SubSigned,
    MulUnsigned,
    MulSigned,
}

/// The bits a vector of this width can have.
pub fn mask(width: u16) -> u128 {
    debug_assert!((1..=128).contains(&width));
    u128::MAX >> (128 - u32::from(width))
}

/// Two's complement reading of `bits`.
pub fn to_signed(bits: u128, width: u16) -> i128 {
    let shift = 128 - u32::from(width);
    ((bits << shift) as i128) >> shift
}

/// The bits of `value` that fit the width.
pub fn from_signed(value: i128, width: u16) -> u128 {
    value as u128 & mask(width)
}

pub fn signed_min(width: u16) -> i128 {
    i128::MIN >> (128 - u32::from(width))
}

pub fn signed_max(width: u16) -> i128 {
    i128::MAX >> (128 - u32::from(width))
}

/// The inverse of an odd number modulo 2^128.
pub fn inverse_of_odd(odd: u128) -> u128 {
    debug_assert!(odd & 1 == 1);
    // Newton's iteration doubles the number of right bits each time: 3, 6, …, 192.
    let mut inverse = odd;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

/// Total, as SMT-LIB has it: `x / 0` is all ones, `x % 0` is `x`, shifts by the width or more run empty.
pub fn apply(op: BvOp, a: u128, b: u128, width: u16) -> u128 {
    let all = mask(width);
    let shift = if b >= u128::from(width) { None } else { Some(b as u32) };
    let bits = match op {
        BvOp::Udiv => a.checked_div(b).unwrap_or(all),
        BvOp::Urem => a.checked_rem(b).unwrap_or(a),
        BvOp::Sdiv => {
            let (x, y) = (to_signed(a, width), to_signed(b, width));
            match y {
                0 if x >= 0 => all,
                0 => 1,
                _ => x.wrapping_div(y) as u128,
            }
        }
        BvOp::Srem => {
            let (x, y) = (to_signed(a, width), to_signed(b, width));
            if y == 0 { a } else { x.wrapping_rem(y) as u128 }
        }
        BvOp::And => a & b,
        BvOp::Or => a | b,
        BvOp::Xor => a ^ b,
        BvOp::Shl => shift.map_or(0, |shift| a << shift),
        BvOp::Lshr => shift.map_or(0, |shift| a >> shift),
        BvOp::Ashr => (to_signed(a, width) >> shift.unwrap_or(127)) as u128,
    };
    bits & all
}

pub fn overflows(op: Overflow, a: u128, b: u128, width: u16) -> bool {
    let signed =
        |result: fn(i128, i128) -> Option<i128>| match result(to_signed(a, width), to_signed(b, width)) {
            Some(result) => result < signed_min(width) || result > signed_max(width),
            None => true,
        };
    let unsigned = |result: Option<u128>| result.is_none_or(|result| result > mask(width));
    match op {
        Overflow::AddUnsigned => unsigned(a.checked_add(b)),
        Overflow::MulUnsigned => unsigned(a.checked_mul(b)),
        Overflow::AddSigned => signed(i128::checked_add),
        Overflow::SubSigned => signed(i128::checked_sub),
        Overflow::MulSigned => signed(i128::checked_mul),
    }
}
