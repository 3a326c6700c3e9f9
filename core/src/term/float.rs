//! IEEE floats as bit vectors of 32 or 64 bits.
//!
//! Every float here is *canonical*: all NaNs are the one of [`FloatTy::nan`], as Rust does not define which one an
//! operation gives. So equal bits mean equal values, with the two zeros apart. Comparisons, sign and zero tests are
//! ordinary bit-vector terms; what rounds is a [`Term::Float`], evaluated by the machine's own floats.
//!
//! Limit: nothing is simplified but constants and the order of commuting operands.

use std::sync::Arc;

use super::libm::{self, LibmFn};
use super::{Sort, Term, TermId, TermPool};
use crate::ir::{FloatTy, Signedness};

/// What rounds. Operands and result are of the format that stands beside it in the term, unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    /// Truncated, as Rust's `%`.
    Rem,
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    /// To the nearest integer, halves away from zero.
    Round,
    /// To the nearest integer, halves to the even one.
    RoundTiesEven,
    /// To the other format.
    Convert,
    /// From an integer of any width.
    FromInt(Signedness),
    /// To an integer of so many bits: truncated, saturating, 0 of a NaN.
    ToInt(Signedness, u16),
    /// `a * b + c`, rounded once.
    MulAdd,
    /// Of no fixed precision.
    Libm(LibmFn),
}

impl FloatTy {
    pub fn bits(self) -> u16 {
        match self {
            FloatTy::F32 => 32,
            FloatTy::F64 => 64,
        }
    }

    /// The one NaN of this program.
    pub fn nan(self) -> u128 {
        match self {
            FloatTy::F32 => 0x7fc0_0000,
            FloatTy::F64 => 0x7ff8_0000_0000_0000,
        }
    }

    pub fn infinity(self) -> u128 {
        match self {
            FloatTy::F32 => f32::INFINITY.to_bits().into(),
            FloatTy::F64 => f64::INFINITY.to_bits().into(),
        }
    }

    /// All bits but the sign.
    pub fn magnitude_mask(self) -> u128 {
        (1 << (self.bits() - 1)) - 1
    }

    pub fn sign_bit(self) -> u128 {
        1 << (self.bits() - 1)
    }

    pub fn is_nan(self, bits: u128) -> bool {
        bits & self.magnitude_mask() > self.infinity()
    }

    pub fn canonical(self, bits: u128) -> u128 {
        if self.is_nan(bits) { self.nan() } else { bits }
    }

    fn other(self) -> FloatTy {
        match self {
            FloatTy::F32 => FloatTy::F64,
            FloatTy::F64 => FloatTy::F32,
        }
    }
}

impl FloatOp {
    /// Of the result, where operands are of the format `ty`.
    pub fn result_bits(self, ty: FloatTy) -> u16 {
        match self {
            FloatOp::Convert => ty.other().bits(),
            FloatOp::ToInt(_, width) => width,
            _ => ty.bits(),
        }
    }

    /// As terms are shown.
    pub fn name(self) -> String {
        match self {
            FloatOp::Libm(function) => function.name().to_owned(),
            other => format!("{other:?}").to_lowercase(),
        }
    }

    fn commutes(self) -> bool {
        matches!(self, FloatOp::Add | FloatOp::Mul)
    }
}

/// The value of an operation; `width` is that of the first operand, for conversions from integers.
pub fn apply(op: FloatOp, ty: FloatTy, args: &[u128], width: u16) -> u128 {
    let first = args.first().copied().unwrap_or(0);
    if let FloatOp::FromInt(signedness) = op {
        let signed = super::bits::to_signed(first, width);
        return match (ty, signedness) {
            (FloatTy::F32, Signedness::Signed) => (signed as f32).to_bits().into(),
            (FloatTy::F32, Signedness::Unsigned) => (first as f32).to_bits().into(),
            (FloatTy::F64, Signedness::Signed) => (signed as f64).to_bits().into(),
            (FloatTy::F64, Signedness::Unsigned) => (first as f64).to_bits().into(),
        };
    }
    if let FloatOp::ToInt(signedness, width) = op {
        let value = match ty {
            FloatTy::F32 => f64::from(f32::from_bits(first as u32)),
            FloatTy::F64 => f64::from_bits(first as u64),
        };
        return match signedness {
            Signedness::Signed => {
                let (min, max) = (super::bits::signed_min(width), super::bits::signed_max(width));
                super::bits::from_signed((value as i128).clamp(min, max), width)
            }
            Signedness::Unsigned => (value as u128).min(super::bits::mask(width)),
        };
    }
    if let FloatOp::Libm(function) = op {
        return libm::apply(function, ty, args);
    }
    let [second, third] = [1, 2].map(|index| args.get(index).copied().unwrap_or(0));
    macro_rules! native {
        ($float:ident $raw:ident $other:ident) => {{
            let [a, b, c] = [first, second, third].map(|bits| $float::from_bits(bits as $raw));
            let value = match op {
                FloatOp::Add => a + b,
                FloatOp::Sub => a - b,
                FloatOp::Mul => a * b,
                FloatOp::Div => a / b,
                FloatOp::Rem => a % b,
                FloatOp::Sqrt => a.sqrt(),
                FloatOp::Floor => a.floor(),
                FloatOp::Ceil => a.ceil(),
                FloatOp::Trunc => a.trunc(),
                FloatOp::Round => a.round(),
                FloatOp::RoundTiesEven => a.round_ties_even(),
                FloatOp::MulAdd => a.mul_add(b, c),
                FloatOp::Convert => return ty.other().canonical((a as $other).to_bits().into()),
                FloatOp::FromInt(_) | FloatOp::ToInt(..) | FloatOp::Libm(_) => unreachable!("done above"),
            };
            ty.canonical(value.to_bits().into())
        }};
    }
    match ty {
        FloatTy::F32 => native!(f32 u32 f64),
        FloatTy::F64 => native!(f64 u64 f32),
    }
}

impl TermPool {
    /// An operation that rounds.
    pub fn float(&mut self, op: FloatOp, ty: FloatTy, args: &[TermId]) -> TermId {
        let width = op.result_bits(ty);
        if let Some(values) = args.iter().map(|arg| self.as_const(*arg)).collect::<Option<Vec<_>>>() {
            let value = apply(op, ty, &values, self.width(args[0]));
            return self.bv_const(value, width);
        }
        let mut args: Vec<TermId> = args.to_vec();
        if op.commutes() {
            args.sort_unstable();
        }
        self.intern(Term::Float(op, ty, Arc::from(args)), Sort::Bv(width))
    }

    pub fn float_is_nan(&mut self, ty: FloatTy, a: TermId) -> TermId {
        let magnitude = self.magnitude(ty, a);
        let infinity = self.bv_const(ty.infinity(), ty.bits());
        self.ult(infinity, magnitude)
    }

    fn magnitude(&mut self, ty: FloatTy, a: TermId) -> TermId {
        let mask = self.bv_const(ty.magnitude_mask(), ty.bits());
        self.bvand(a, mask)
    }

    pub fn float_abs(&mut self, ty: FloatTy, a: TermId) -> TermId {
        // The canonical NaN is positive and stays as it is.
        self.magnitude(ty, a)
    }

    pub fn float_neg(&mut self, ty: FloatTy, a: TermId) -> TermId {
        let sign = self.bv_const(ty.sign_bit(), ty.bits());
        let flipped = self.bvxor(a, sign);
        self.float_canonical_or(ty, a, flipped)
    }

    /// The float that has these bits.
    pub fn float_of_bits(&mut self, ty: FloatTy, bits: TermId) -> TermId {
        self.float_canonical_or(ty, bits, bits)
    }

    fn float_canonical_or(&mut self, ty: FloatTy, a: TermId, otherwise: TermId) -> TermId {
        let is_nan = self.float_is_nan(ty, a);
        let nan = self.bv_const(ty.nan(), ty.bits());
        self.ite(is_nan, nan, otherwise)
    }

    /// A signed integer that is ordered as the float is, the zeros being one. Means nothing for a NaN.
    fn float_key(&mut self, ty: FloatTy, a: TermId) -> TermId {
        let magnitude = self.magnitude(ty, a);
        let negated = self.neg(magnitude);
        let zero = self.bv_const(0, ty.bits());
        let negative = self.slt(a, zero);
        self.ite(negative, negated, magnitude)
    }

    fn neither_is_nan(&mut self, ty: FloatTy, a: TermId, b: TermId) -> TermId {
        let (x, y) = (self.float_is_nan(ty, a), self.float_is_nan(ty, b));
        let either = self.or(x, y);
        self.not(either)
    }

    pub fn float_lt(&mut self, ty: FloatTy, a: TermId, b: TermId) -> TermId {
        let numbers = self.neither_is_nan(ty, a, b);
        let (x, y) = (self.float_key(ty, a), self.float_key(ty, b));
        let less = self.slt(x, y);
        self.and(numbers, less)
    }

    pub fn float_le(&mut self, ty: FloatTy, a: TermId, b: TermId) -> TermId {
        let numbers = self.neither_is_nan(ty, a, b);
        let (x, y) = (self.float_key(ty, a), self.float_key(ty, b));
        let at_most = self.sle(x, y);
        self.and(numbers, at_most)
    }

    pub fn float_eq(&mut self, ty: FloatTy, a: TermId, b: TermId) -> TermId {
        let numbers = self.neither_is_nan(ty, a, b);
        let (x, y) = (self.float_key(ty, a), self.float_key(ty, b));
        let equal = self.eq(x, y);
        self.and(numbers, equal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Model;

    const SPECIAL: [f64; 22] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        1.5,
        2.5,
        -2.5,
        0.1,
        3.0,
        1e300,
        -1e300,
        5e-324,
        f64::MIN_POSITIVE,
        f64::MAX,
        f64::MIN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        4294967296.5,
        9.3e18,
        -129.7,
    ];

    fn bits(ty: FloatTy, value: f64) -> u128 {
        ty.canonical(match ty {
            FloatTy::F32 => (value as f32).to_bits().into(),
            FloatTy::F64 => value.to_bits().into(),
        })
    }

    fn value(ty: FloatTy, bits: u128) -> f64 {
        match ty {
            FloatTy::F32 => f32::from_bits(bits as u32).into(),
            FloatTy::F64 => f64::from_bits(bits as u64),
        }
    }

    #[test]
    fn comparisons_are_those_of_ieee() {
        for ty in [FloatTy::F32, FloatTy::F64] {
            let mut pool = TermPool::new();
            let (a, b) = (pool.var("a", Sort::Bv(ty.bits())), pool.var("b", Sort::Bv(ty.bits())));
            let terms = [
                pool.float_lt(ty, a, b),
                pool.float_le(ty, a, b),
                pool.float_eq(ty, a, b),
                pool.float_is_nan(ty, a),
                pool.float_neg(ty, a),
                pool.float_abs(ty, a),
            ];
            for left in SPECIAL {
                for right in SPECIAL {
                    let (x, y) = (bits(ty, left), bits(ty, right));
                    let (v, w) = (value(ty, x), value(ty, y));
                    let vars = [pool.var_of(a).unwrap(), pool.var_of(b).unwrap()];
                    let model: Model = [(vars[0], x), (vars[1], y)].into_iter().collect();
                    let found = terms.map(|term| pool.eval(term, &model));
                    let expected = [
                        u128::from(v < w),
                        u128::from(v <= w),
                        u128::from(v == w),
                        u128::from(v.is_nan()),
                        bits(ty, -v),
                        bits(ty, v.abs()),
                    ];
                    assert_eq!(found, expected, "{ty:?} {v:?} {w:?}");
                }
            }
        }
    }

    #[test]
    fn integers_saturate() {
        let convert = |value: f64, signedness, width| {
            apply(FloatOp::ToInt(signedness, width), FloatTy::F64, &[bits(FloatTy::F64, value)], 64)
        };
        for value in SPECIAL {
            assert_eq!(convert(value, Signedness::Signed, 8) as u8 as i8, value as i8, "{value}");
            assert_eq!(convert(value, Signedness::Unsigned, 8) as u8, value as u8, "{value}");
            assert_eq!(convert(value, Signedness::Signed, 32) as u32 as i32, value as i32, "{value}");
            assert_eq!(convert(value, Signedness::Unsigned, 64) as u64, value as u64, "{value}");
            assert_eq!(convert(value, Signedness::Signed, 128) as i128, value as i128, "{value}");
            assert_eq!(convert(value, Signedness::Unsigned, 128), value as u128, "{value}");
        }
    }

    #[test]
    fn sums_in_either_order_are_one_term() {
        let mut pool = TermPool::new();
        let (a, b) = (pool.var("a", Sort::Bv(32)), pool.var("b", Sort::Bv(32)));
        let sum = pool.float(FloatOp::Add, FloatTy::F32, &[a, b]);
        assert_eq!(sum, pool.float(FloatOp::Add, FloatTy::F32, &[b, a]));
        assert_ne!(
            pool.float(FloatOp::Sub, FloatTy::F32, &[a, b]),
            pool.float(FloatOp::Sub, FloatTy::F32, &[b, a])
        );
    }
}
