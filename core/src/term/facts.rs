//! What holds of a bit-vector term under every model: known bits and the unsigned and signed interval.
//!
//! Computed once from the facts of the operands as a term is built. The rules are those of LLVM's known bits and
//! of interval arithmetic without wrap-around: where an operation may wrap, the interval is given up.

use super::{BvOp, Linear, Sort, Term, TermId, TermPool, bits};

/// Bits above the width are in neither `zeros` nor `ones`. A Boolean is taken for one bit without any knowledge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Bits that are always 0.
    pub zeros: u128,
    /// Bits that are always 1.
    pub ones: u128,
    /// Least value, read as unsigned.
    pub min: u128,
    pub max: u128,
    /// Least value, read as signed.
    pub smin: i128,
    pub smax: i128,
}

impl Facts {
    /// Nothing is known.
    pub fn top(width: u16) -> Facts {
        Facts {
            zeros: 0,
            ones: 0,
            min: 0,
            max: bits::mask(width),
            smin: bits::signed_min(width),
            smax: bits::signed_max(width),
        }
    }

    pub(crate) fn exactly(value: u128, width: u16) -> Facts {
        let signed = bits::to_signed(value, width);
        Facts {
            zeros: !value & bits::mask(width),
            ones: value,
            min: value,
            max: value,
            smin: signed,
            smax: signed,
        }
    }

    /// The only value possible, if there is but one.
    pub fn single(&self) -> Option<u128> {
        (self.min == self.max).then_some(self.min)
    }

    /// Bits that can be 1.
    pub fn possible(&self, width: u16) -> u128 {
        !self.zeros & bits::mask(width)
    }

    pub fn never_negative(&self) -> bool {
        self.smin >= 0
    }

    pub fn always_negative(&self) -> bool {
        self.smax < 0
    }

    /// No value is possible for both.
    pub fn excludes(&self, other: &Facts) -> bool {
        self.max < other.min
            || other.max < self.min
            || self.smax < other.smin
            || other.smax < self.smin
            || self.ones & other.zeros != 0
            || self.zeros & other.ones != 0
    }

    /// What holds when either holds.
    fn join(&self, other: &Facts) -> Facts {
        Facts {
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
            min: self.min.min(other.min),
            max: self.max.max(other.max),
            smin: self.smin.min(other.smin),
            smax: self.smax.max(other.smax),
        }
    }

    /// What holds when both hold, each part sharpened by the others; none if nothing does.
    pub(crate) fn meet(&self, other: &Facts, width: u16) -> Option<Facts> {
        Facts {
            zeros: self.zeros | other.zeros,
            ones: self.ones | other.ones,
            min: self.min.max(other.min),
            max: self.max.min(other.max),
            smin: self.smin.max(other.smin),
            smax: self.smax.min(other.smax),
        }
        .tightened(width)
    }

    /// Lets known bits, unsigned and signed interval sharpen each other. None if they contradict each other.
    fn tightened(mut self, width: u16) -> Option<Facts> {
        let all = bits::mask(width);
        let sign = 1u128 << (width - 1);
        // Two rounds reach all that one part can tell another in practice; more would be sound as well.
        for _ in 0..2 {
            self.min = self.min.max(self.ones);
            self.max = self.max.min(!self.zeros & all);
            if self.min > self.max || self.smin > self.smax || self.zeros & self.ones != 0 {
                return None;
            }
            let differing = self.min ^ self.max;
            let prefix = match differing {
                0 => all,
                _ => all & !(u128::MAX >> differing.leading_zeros()),
            };
            self.ones |= self.min & prefix;
            self.zeros |= !self.min & prefix;
            if (self.min ^ self.max) & sign == 0 {
                self.smin = self.smin.max(bits::to_signed(self.min, width));
                self.smax = self.smax.min(bits::to_signed(self.max, width));
            }
            if (self.smin < 0) == (self.smax < 0) {
                self.min = self.min.max(bits::from_signed(self.smin, width));
                self.max = self.max.min(bits::from_signed(self.smax, width));
            }
        }
        let possible = self.min <= self.max && self.smin <= self.smax && self.zeros & self.ones == 0;
        possible.then_some(self)
    }

    /// The facts of a term that is about to enter the pool.
    pub(super) fn of(pool: &TermPool, term: &Term, sort: Sort) -> Facts {
        let Sort::Bv(width) = sort else { return Facts::top(1) };
        let facts = transfer(pool, term, width, &|child| *pool.facts(child)).tightened(width);
        // Every term has a value under every model, so the facts of a term never contradict each other.
        debug_assert!(facts.is_some(), "contradicting facts of {term:?}");
        facts.unwrap_or(Facts::top(width))
    }

    /// The facts of a bit vector when its operands have the facts of `lookup`; none if these contradict each other.
    pub(crate) fn of_bit_vector(
        pool: &TermPool,
        t: TermId,
        lookup: impl Fn(TermId) -> Facts,
    ) -> Option<Facts> {
        let width = pool.width(t);
        transfer(pool, pool.term(t), width, &lookup).tightened(width)
    }
}

/// What the operands' facts say of the result.
fn transfer(pool: &TermPool, term: &Term, width: u16, lookup: &dyn Fn(TermId) -> Facts) -> Facts {
    let top = Facts::top(width);
    match term {
        Term::Bv { bits, .. } => Facts::exactly(*bits, width),
        Term::Var(_)
        | Term::Bool(_)
        | Term::Not(_)
        | Term::And(..)
        | Term::Eq(..)
        | Term::Ult(..)
        | Term::Slt(..)
        | Term::Overflow(..)
        | Term::Float(..) => top,
        Term::Ite(_, a, b) => lookup(*a).join(&lookup(*b)),
        Term::Sum(linear) => sum(linear, lookup),
        Term::Product(factors) => product(factors, width, lookup),
        Term::Bin(op, a, b) => binary(*op, &lookup(*a), &lookup(*b), width),
        Term::Extract { of, hi, lo } => extract(&lookup(*of), *hi, *lo),
        Term::Zext { of, .. } => {
            let inner = lookup(*of);
            let above = bits::mask(width) & !bits::mask(pool.width(*of));
            Facts { zeros: inner.zeros | above, ones: inner.ones, min: inner.min, max: inner.max, ..top }
        }
        Term::Sext { of, .. } => {
            let inner = lookup(*of);
            let inner_width = pool.width(*of);
            let spread = |known: u128| bits::from_signed(bits::to_signed(known, inner_width), width);
            let (zeros, ones) = (spread(inner.zeros), spread(inner.ones));
            Facts { zeros, ones, smin: inner.smin, smax: inner.smax, ..top }
        }
    }
}

/// Known bits of `a + b + carry`, carry being 0 or 1.
fn add_known(a: (u128, u128), b: (u128, u128), carry: u128, all: u128) -> (u128, u128) {
    let (a_zeros, a_ones) = a;
    let (b_zeros, b_ones) = b;
    let most = (!a_zeros & all).wrapping_add(!b_zeros & all).wrapping_add(carry) & all;
    let least = a_ones.wrapping_add(b_ones).wrapping_add(carry) & all;
    let carry_zero = !(most ^ a_zeros ^ b_zeros);
    let carry_one = least ^ a_ones ^ b_ones;
    let known = (a_zeros | a_ones) & (b_zeros | b_ones) & (carry_zero | carry_one) & all;
    (!most & known, least & known)
}

/// How many low bits are known to be 0.
fn trailing_zeros(facts: &Facts) -> u32 {
    facts.zeros.trailing_ones()
}

fn low_mask(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1u128 << bits) - 1 }
}

fn sum(linear: &Linear, lookup: &dyn Fn(TermId) -> Facts) -> Facts {
    let width = linear.width;
    let all = bits::mask(width);
    let mut known = (!linear.constant & all, linear.constant);
    // The true sums, over unsigned and signed operands, with coefficients read as signed; none once they leave i128.
    let constant = bits::to_signed(linear.constant, width);
    let mut unsigned = Some((constant, constant));
    let mut signed = Some((constant, constant));
    for (term, coefficient) in &linear.monomials {
        let facts = lookup(*term);
        let factor = bits::to_signed(*coefficient, width);
        known = if *coefficient == all {
            add_known(known, (facts.ones, facts.zeros), 1, all)
        } else if coefficient.is_power_of_two() {
            let shift = coefficient.trailing_zeros();
            let zeros = ((facts.zeros << shift) | low_mask(shift)) & all;
            add_known(known, (zeros, (facts.ones << shift) & all), 0, all)
        } else {
            let zeros = low_mask(coefficient.trailing_zeros() + trailing_zeros(&facts)) & all;
            add_known(known, (zeros, 0), 0, all)
        };
        let operand = i128::try_from(facts.min).ok().zip(i128::try_from(facts.max).ok());
        unsigned = unsigned.zip(operand).and_then(|(sum, operand)| add_scaled(sum, factor, operand));
        signed = signed.and_then(|sum| add_scaled(sum, factor, (facts.smin, facts.smax)));
    }
    let mut facts = Facts { zeros: known.0, ones: known.1, ..Facts::top(width) };
    if let Some((min, max)) = unsigned
        && min >= 0
        && max as u128 <= all
    {
        (facts.min, facts.max) = (min as u128, max as u128);
    }
    for (min, max) in [unsigned, signed].into_iter().flatten() {
        if min >= bits::signed_min(width) && max <= bits::signed_max(width) {
            facts.smin = facts.smin.max(min);
            facts.smax = facts.smax.min(max);
        }
    }
    facts
}

fn add_scaled(sum: (i128, i128), factor: i128, operand: (i128, i128)) -> Option<(i128, i128)> {
    let (x, y) = (factor.checked_mul(operand.0)?, factor.checked_mul(operand.1)?);
    Some((sum.0.checked_add(x.min(y))?, sum.1.checked_add(x.max(y))?))
}

fn product(factors: &[TermId], width: u16, lookup: &dyn Fn(TermId) -> Facts) -> Facts {
    let all = bits::mask(width);
    let mut zeros = 0;
    let mut unsigned = Some((1u128, 1u128));
    let mut signed = Some((1i128, 1i128));
    for factor in factors {
        let facts = lookup(*factor);
        zeros += trailing_zeros(&facts);
        unsigned =
            unsigned.and_then(|(min, max)| Some((min.checked_mul(facts.min)?, max.checked_mul(facts.max)?)));
        signed = signed.and_then(|product| signed_product(product, (facts.smin, facts.smax)));
    }
    let mut facts = Facts { zeros: low_mask(zeros) & all, ..Facts::top(width) };
    if let Some((min, max)) = unsigned
        && max <= all
    {
        (facts.min, facts.max) = (min, max);
    }
    if let Some((min, max)) = signed
        && min >= bits::signed_min(width)
        && max <= bits::signed_max(width)
    {
        (facts.smin, facts.smax) = (min, max);
    }
    facts
}

/// The interval of the true product, if it stays within `i128`.
pub(super) fn signed_product(a: (i128, i128), b: (i128, i128)) -> Option<(i128, i128)> {
    let corners =
        [a.0.checked_mul(b.0)?, a.0.checked_mul(b.1)?, a.1.checked_mul(b.0)?, a.1.checked_mul(b.1)?];
    Some((corners.into_iter().min()?, corners.into_iter().max()?))
}

fn binary(op: BvOp, a: &Facts, b: &Facts, width: u16) -> Facts {
    let top = Facts::top(width);
    let all = bits::mask(width);
    match op {
        BvOp::Udiv if b.min > 0 => Facts { min: a.min / b.max, max: a.max / b.min, ..top },
        BvOp::Udiv => top,
        BvOp::Urem if b.min > 0 => Facts { max: a.max.min(b.max - 1), ..top },
        BvOp::Urem => Facts { max: a.max, ..top },
        BvOp::Sdiv if b.smin > 0 => {
            // Division by something positive shrinks towards 0 and keeps order.
            let corner = |x: i128| [x / b.smin, x / b.smax];
            let [p, q] = corner(a.smin);
            let [r, s] = corner(a.smax);
            Facts { smin: p.min(q), smax: r.max(s), ..top }
        }
        BvOp::Sdiv => top,
        BvOp::Srem => {
            let mut facts = top;
            if b.smin > bits::signed_min(width) && !(b.smin <= 0 && b.smax >= 0) {
                let most = b.smin.abs().max(b.smax.abs()) - 1;
                facts.smin = -most;
                facts.smax = most;
            }
            // The remainder has the sign of the dividend and is no larger, by zero too.
            facts.smin = facts.smin.max(a.smin.min(0));
            facts.smax = facts.smax.min(a.smax.max(0));
            facts
        }
        BvOp::And => Facts { zeros: a.zeros | b.zeros, ones: a.ones & b.ones, max: a.max.min(b.max), ..top },
        BvOp::Or => Facts { zeros: a.zeros & b.zeros, ones: a.ones | b.ones, min: a.min.max(b.min), ..top },
        BvOp::Xor => Facts {
            zeros: (a.zeros & b.zeros) | (a.ones & b.ones),
            ones: (a.zeros & b.ones) | (a.ones & b.zeros),
            ..top
        },
        BvOp::Shl => Facts { zeros: low_mask(trailing_zeros(a)) & all, ..top },
        BvOp::Lshr => Facts {
            min: bits::apply(BvOp::Lshr, a.min, b.max, width),
            max: bits::apply(BvOp::Lshr, a.max, b.min, width),
            ..top
        },
        BvOp::Ashr => Facts { smin: a.smin.min(0), smax: a.smax.max(-1), ..top },
    }
}

fn extract(of: &Facts, hi: u16, lo: u16) -> Facts {
    let width = hi - lo + 1;
    let all = bits::mask(width);
    let mut facts = Facts { zeros: (of.zeros >> lo) & all, ones: (of.ones >> lo) & all, ..Facts::top(width) };
    if of.max >> lo <= all {
        (facts.min, facts.max) = (of.min >> lo, of.max >> lo);
    }
    let (smin, smax) = (of.smin >> lo, of.smax >> lo);
    if smin >= bits::signed_min(width) && smax <= bits::signed_max(width) {
        (facts.smin, facts.smax) = (smin, smax);
    }
    facts
}
