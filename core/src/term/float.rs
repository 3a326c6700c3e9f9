//! IEEE floats as bit vectors of 32 or 64 bits.
//!
//! Every float here is *canonical*: all NaNs are the one of [`FloatTy::nan`], as Rust does not define which one an
//! operation gives. So equal bits mean equal values, with the two zeros apart. Comparisons, sign and zero tests are
//! ordinary bit-vector terms; what rounds is a [`Term::Float`], evaluated by the machine's own floats.
//!
//! Sums, products and quotients have one form where that is exact for all operands ([`TermPool::float`]): signs stand outside of products, what is subtracted
//! is not negative, and a quotient by a power of two is a product. Nothing is reordered that rounds otherwise.

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

    pub(crate) fn other(self) -> FloatTy {
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

/// The float by which to multiply is to divide by this one, on all operands: there is one for powers of two.
fn exact_inverse(ty: FloatTy, bits: u128) -> Option<u128> {
    let fraction = match ty {
        FloatTy::F32 => (1 << 23) - 1,
        FloatTy::F64 => (1 << 52) - 1,
    };
    let one = match ty {
        FloatTy::F32 => 1f32.to_bits().into(),
        FloatTy::F64 => 1f64.to_bits().into(),
    };
    let magnitude = bits & ty.magnitude_mask();
    let is_power = magnitude & fraction == 0 && magnitude != 0 && magnitude != ty.infinity();
    let inverse = apply(FloatOp::Div, ty, &[one, bits], ty.bits());
    (is_power && inverse & ty.magnitude_mask() != ty.infinity()).then_some(inverse)
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
        if let Some(values) = args.iter().map(|arg| self.as_const(*arg)).collect::<Option<Vec<_>>>() {
            let value = apply(op, ty, &values, self.width(args[0]));
            return self.bv_const(value, op.result_bits(ty));
        }
        match (op, args) {
            (FloatOp::Add, [a, b]) => self.float_sum(ty, *a, *b),
            (FloatOp::Sub, [a, b]) => {
                let b = self.float_neg(ty, *b);
                self.float_sum(ty, *a, b)
            }
            (FloatOp::Mul, [a, b]) => self.float_product(ty, *a, *b),
            (FloatOp::Div, [a, b]) => self.float_quotient(ty, *a, *b),
            _ => self.rounded(op, ty, args),
        }
    }

    fn rounded(&mut self, op: FloatOp, ty: FloatTy, args: &[TermId]) -> TermId {
        let mut args: Vec<TermId> = args.to_vec();
        if op.commutes() {
            args.sort_unstable();
        }
        self.intern(Term::Float(op, ty, Arc::from(args)), Sort::Bv(op.result_bits(ty)))
    }

    /// `a - b` is `a + -b` to the bit, so only what is negated tells them apart; `a + a` is `2a`.
    fn float_sum(&mut self, ty: FloatTy, a: TermId, b: TermId) -> TermId {
        if self.is_nan_const(ty, a) || self.is_nan_const(ty, b) {
            return self.bv_const(ty.nan(), ty.bits());
        }
        // Nothing changes by adding the zero that is negative.
        for (zero, other) in [(a, b), (b, a)] {
            if self.as_const(zero) == Some(ty.sign_bit()) {
                return other;
            }
        }
        // By adding the other one, only the negative zero does.
        for (zero, other) in [(a, b), (b, a)] {
            if self.as_const(zero) == Some(0) {
                let minus_zero = self.bv_const(ty.sign_bit(), ty.bits());
                let is_negative = self.eq(other, minus_zero);
                return self.ite(is_negative, zero, other);
            }
        }
        if a == b {
            let two = self.float_const(ty, 2.0);
            return self.rounded(FloatOp::Mul, ty, &[two, a]);
        }
        match (self.float_negated(ty, a), self.float_negated(ty, b)) {
            (None, None) => self.rounded(FloatOp::Add, ty, &[a, b]),
            (None, Some(less)) => self.rounded(FloatOp::Sub, ty, &[a, less]),
            (Some(less), None) => self.rounded(FloatOp::Sub, ty, &[b, less]),
            (Some(first), Some(second)) if first < second => self.rounded(FloatOp::Sub, ty, &[a, second]),
            (Some(first), Some(_)) => self.rounded(FloatOp::Sub, ty, &[b, first]),
        }
    }

    fn float_product(&mut self, ty: FloatTy, a: TermId, b: TermId) -> TermId {
        if self.is_nan_const(ty, a) || self.is_nan_const(ty, b) {
            return self.bv_const(ty.nan(), ty.bits());
        }
        let ((a, a_sign), (b, b_sign)) = (self.float_unsigned(ty, a), self.float_unsigned(ty, b));
        let one = self.float_const(ty, 1.0);
        let product = match (a == one, b == one) {
            (true, _) => b,
            (_, true) => a,
            _ => self.rounded(FloatOp::Mul, ty, &[a, b]),
        };
        self.float_signed(ty, product, a_sign ^ b_sign)
    }

    fn float_quotient(&mut self, ty: FloatTy, a: TermId, b: TermId) -> TermId {
        if self.is_nan_const(ty, a) || self.is_nan_const(ty, b) {
            return self.bv_const(ty.nan(), ty.bits());
        }
        let ((a, a_sign), (b, b_sign)) = (self.float_unsigned(ty, a), self.float_unsigned(ty, b));
        let inverse = self.as_const(b).and_then(|b| exact_inverse(ty, b));
        let quotient = match inverse {
            Some(inverse) => {
                let inverse = self.bv_const(inverse, ty.bits());
                self.float_product(ty, a, inverse)
            }
            None => self.rounded(FloatOp::Div, ty, &[a, b]),
        };
        self.float_signed(ty, quotient, a_sign ^ b_sign)
    }

    fn float_const(&mut self, ty: FloatTy, value: f32) -> TermId {
        let bits = match ty {
            FloatTy::F32 => value.to_bits().into(),
            FloatTy::F64 => f64::from(value).to_bits().into(),
        };
        self.bv_const(bits, ty.bits())
    }

    fn is_nan_const(&self, ty: FloatTy, a: TermId) -> bool {
        self.as_const(a).is_some_and(|bits| ty.is_nan(bits))
    }

    /// What the term negates; a negative constant negates a positive one.
    fn float_negated(&mut self, ty: FloatTy, t: TermId) -> Option<TermId> {
        if let Some(bits) = self.as_const(t) {
            let is_negative = bits & ty.sign_bit() != 0 && !ty.is_nan(bits);
            return is_negative.then(|| self.bv_const(bits ^ ty.sign_bit(), ty.bits()));
        }
        self.float_negation_of(ty, t)
    }

    /// The term that this one is the negation of, as [`TermPool::float_neg`] builds it.
    fn float_negation_of(&mut self, ty: FloatTy, t: TermId) -> Option<TermId> {
        let Term::Ite(_, then, otherwise) = *self.term(t) else { return None };
        // The other arm is what a NaN becomes.
        let flipped = if self.is_nan_const(ty, then) { otherwise } else { then };
        let sign = self.bv_const(ty.sign_bit(), ty.bits());
        let inner = self.bvxor(flipped, sign);
        (self.float_flipped(ty, inner) == t).then_some(inner)
    }

    /// The term without its sign, and whether it had one.
    fn float_unsigned(&mut self, ty: FloatTy, t: TermId) -> (TermId, bool) {
        self.float_negated(ty, t).map_or((t, false), |inner| (inner, true))
    }

    fn float_signed(&mut self, ty: FloatTy, t: TermId, is_negative: bool) -> TermId {
        if is_negative { self.float_neg(ty, t) } else { t }
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
        let (a, _) = self.float_unsigned(ty, a);
        // Differences the other way round differ in sign alone.
        let a = match self.term(a) {
            Term::Float(FloatOp::Sub, _, args) if args[0] > args[1] => {
                let args = [args[1], args[0]];
                self.rounded(FloatOp::Sub, ty, &args)
            }
            _ => a,
        };
        // The canonical NaN is positive and stays as it is.
        self.magnitude(ty, a)
    }

    pub fn float_neg(&mut self, ty: FloatTy, a: TermId) -> TermId {
        if let Some(bits) = self.as_const(a) {
            let negated = if ty.is_nan(bits) { bits } else { bits ^ ty.sign_bit() };
            return self.bv_const(negated, ty.bits());
        }
        // Of a negated term the one that it negates.
        if let Some(inner) = self.float_negation_of(ty, a) {
            return inner;
        }
        self.float_flipped(ty, a)
    }

    fn float_flipped(&mut self, ty: FloatTy, a: TermId) -> TermId {
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

    /// Each operation on terms of these shapes has the value that the machine's floats give.
    #[test]
    fn one_form_is_exact() {
        for ty in [FloatTy::F32, FloatTy::F64] {
            let mut pool = TermPool::new();
            let (a, b) = (pool.var("a", Sort::Bv(ty.bits())), pool.var("b", Sort::Bv(ty.bits())));
            let vars = [pool.var_of(a).unwrap(), pool.var_of(b).unwrap()];
            type Meaning = Box<dyn Fn(f64, f64) -> u128>;
            let same = move |value: f64| bits(ty, value);
            let mut shapes: Vec<(TermId, Meaning)> =
                vec![(a, Box::new(move |a, _| same(a))), (b, Box::new(move |_, b| same(b)))];
            for special in SPECIAL.into_iter().chain([2.0, 4.0, 0.25, -8.0]) {
                let constant = pool.bv_const(same(special), ty.bits());
                shapes.push((constant, Box::new(move |_, _| same(special))));
            }
            let basic: Vec<TermId> = shapes.iter().map(|(term, _)| *term).collect();
            for (term, negated) in
                basic.iter().map(|term| (*term, pool.float_neg(ty, *term))).collect::<Vec<_>>()
            {
                let position = basic.iter().position(|other| *other == term).unwrap();
                let meaning: fn(FloatTy, u128) -> u128 =
                    |ty, bits| ty.canonical(if ty.is_nan(bits) { bits } else { bits ^ ty.sign_bit() });
                let inner = match position {
                    0 => Box::new(move |a, _| same(a)) as Meaning,
                    1 => Box::new(move |_, b| same(b)),
                    constant => {
                        let bits = pool.as_const(basic[constant]).unwrap();
                        Box::new(move |_, _| bits)
                    }
                };
                shapes.push((negated, Box::new(move |a, b| meaning(ty, inner(a, b)))));
            }
            let ops = [FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div];
            for (x, x_meaning) in &shapes {
                for (y, y_meaning) in &shapes {
                    for op in ops {
                        let found = pool.float(op, ty, &[*x, *y]);
                        let magnitude = pool.float_abs(ty, found);
                        for (left, right) in SPECIAL.into_iter().flat_map(|v| SPECIAL.map(|w| (v, w))) {
                            let model: Model =
                                [(vars[0], same(left)), (vars[1], same(right))].into_iter().collect();
                            let (v, w) = (x_meaning(left, right), y_meaning(left, right));
                            let expected = apply(op, ty, &[v, w], ty.bits());
                            let shown = || format!("{op:?} of {} at {left:?} {right:?}", pool.display(found));
                            assert_eq!(pool.eval(found, &model), expected, "{}", shown());
                            let expected = expected & ty.magnitude_mask();
                            assert_eq!(pool.eval(magnitude, &model), expected, "size: {}", shown());
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_the_same_on_all_floats_is_one_term() {
        let ty = FloatTy::F64;
        let mut pool = TermPool::new();
        let (a, b) = (pool.var("a", Sort::Bv(64)), pool.var("b", Sort::Bv(64)));
        let constant = |pool: &mut TermPool, value: f64| pool.bv_const(value.to_bits().into(), 64);
        let two = constant(&mut pool, 2.0);
        let half = constant(&mut pool, 0.5);
        let minus_half = constant(&mut pool, -0.5);
        let minus_b = pool.float_neg(ty, b);
        let mut op = |op: FloatOp, x: TermId, y: TermId| pool.float(op, ty, &[x, y]);
        assert_eq!(op(FloatOp::Add, a, a), op(FloatOp::Mul, two, a));
        assert_eq!(op(FloatOp::Div, a, two), op(FloatOp::Mul, half, a));
        assert_eq!(op(FloatOp::Add, minus_b, a), op(FloatOp::Sub, a, b));
        assert_eq!(op(FloatOp::Sub, a, minus_b), op(FloatOp::Add, b, a));
        let (product, negative) = (op(FloatOp::Mul, half, b), op(FloatOp::Mul, minus_half, b));
        assert_eq!(op(FloatOp::Add, a, negative), op(FloatOp::Sub, a, product));
        // The zeros go apart.
        let (difference, reverse) = (op(FloatOp::Sub, a, b), op(FloatOp::Sub, b, a));
        assert_ne!(pool.float_neg(ty, reverse), difference);
        assert_eq!(pool.float_abs(ty, reverse), pool.float_abs(ty, difference));
        // Nor does it matter what is known of the sign.
        let size = pool.float_abs(ty, a);
        let minus_size = pool.float_neg(ty, size);
        let (square, negative) =
            (pool.float(FloatOp::Mul, ty, &[size, size]), pool.float(FloatOp::Mul, ty, &[minus_size, size]));
        assert_eq!(pool.float_neg(ty, square), negative);
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
