//! Sums and products modulo 2^width.
//!
//! A [`Linear`] is a constant plus monomials with coefficients, sorted and without zeros. Subtraction, negation,
//! complement (`-1 - x`), multiplication by constants, left shifts by constants and concatenation all end here, so
//! that `x + 1 + 1`, `x + 2` and `x - !1` are one node. Products are flat and sorted; small ones are multiplied out.
//! Long sums nest instead of growing: beyond [`MAX_MONOMIALS`] the operands become monomials themselves.

use std::sync::Arc;

use super::{Sort, Term, TermId, TermPool, bits};

/// Sums stay shorter than this; nesting keeps the cost of `n` additions in a row linear.
const MAX_MONOMIALS: usize = 48;
/// A product of two sums is multiplied out if it has at most so many parts.
const MAX_EXPANSION: usize = 4;
/// Products stay flat up to so many factors.
const MAX_FACTORS: usize = 8;

/// `constant + Σ coefficient · term`, modulo 2^width.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Linear {
    pub width: u16,
    pub constant: u128,
    /// Sorted by term; no coefficient is 0.
    pub monomials: Vec<(TermId, u128)>,
}

impl Linear {
    fn constant(constant: u128, width: u16) -> Linear {
        Linear { width, constant: constant & bits::mask(width), monomials: Vec::new() }
    }

    pub(super) fn scaled(mut self, factor: u128) -> Linear {
        let all = bits::mask(self.width);
        self.constant = self.constant.wrapping_mul(factor) & all;
        for (_, coefficient) in &mut self.monomials {
            *coefficient = coefficient.wrapping_mul(factor) & all;
        }
        self.monomials.retain(|(_, coefficient)| *coefficient != 0);
        self
    }

    pub(super) fn plus(&self, other: &Linear) -> Linear {
        debug_assert_eq!(self.width, other.width);
        let all = bits::mask(self.width);
        let mut monomials = Vec::with_capacity(self.monomials.len() + other.monomials.len());
        let (mut left, mut right) = (self.monomials.iter().peekable(), other.monomials.iter().peekable());
        loop {
            let next = match (left.peek(), right.peek()) {
                (Some((a, x)), Some((b, y))) if a == b => {
                    let sum = (*a, x.wrapping_add(*y) & all);
                    left.next();
                    right.next();
                    sum
                }
                (Some((a, _)), Some((b, _))) if a > b => *right.next().expect("peeked"),
                (Some(_), _) => *left.next().expect("peeked"),
                (None, Some(_)) => *right.next().expect("peeked"),
                (None, None) => break,
            };
            if next.1 != 0 {
                monomials.push(next);
            }
        }
        Linear { width: self.width, constant: self.constant.wrapping_add(other.constant) & all, monomials }
    }
}

impl TermPool {
    /// `t` as a sum; a sum of itself alone if it is none.
    pub fn as_linear(&self, t: TermId) -> Linear {
        match self.term(t) {
            Term::Bv { bits, width } => Linear::constant(*bits, *width),
            Term::Sum(linear) => (**linear).clone(),
            _ => Linear { width: self.width(t), constant: 0, monomials: vec![(t, 1)] },
        }
    }

    pub(super) fn linear_term(&mut self, linear: Linear) -> TermId {
        let width = linear.width;
        match linear.monomials.as_slice() {
            [] => self.bv_const(linear.constant, width),
            [(term, 1)] if linear.constant == 0 => *term,
            _ => self.intern(Term::Sum(Arc::new(linear)), Sort::Bv(width)),
        }
    }

    /// A term of a sum, its coefficient included.
    pub(super) fn monomial(&mut self, term: TermId, coefficient: u128) -> TermId {
        let linear = self.as_linear(term).scaled(coefficient);
        self.linear_term(linear)
    }

    fn sum(&mut self, a: TermId, b: TermId, b_factor: u128) -> TermId {
        self.assert_bv(a, b);
        let left = self.as_linear(a);
        let right = self.as_linear(b).scaled(b_factor);
        let mut sum = left.plus(&right);
        if sum.monomials.len() > MAX_MONOMIALS {
            let width = left.width;
            let atom = |term, factor| Linear { width, constant: 0, monomials: vec![(term, factor)] };
            // The longer operand becomes one monomial of the result.
            sum = if left.monomials.len() >= right.monomials.len() {
                atom(a, 1).plus(&right)
            } else {
                left.plus(&atom(b, b_factor & bits::mask(width)))
            };
        }
        self.linear_term(sum)
    }

    pub fn add(&mut self, a: TermId, b: TermId) -> TermId {
        self.sum(a, b, 1)
    }

    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        self.sum(a, b, u128::MAX)
    }

    pub fn neg(&mut self, a: TermId) -> TermId {
        self.scale(a, u128::MAX)
    }

    pub fn bvnot(&mut self, a: TermId) -> TermId {
        let linear = self.as_linear(a).scaled(u128::MAX);
        let minus_one = Linear::constant(u128::MAX, linear.width);
        self.linear_term(linear.plus(&minus_one))
    }

    pub(super) fn scale(&mut self, a: TermId, factor: u128) -> TermId {
        debug_assert!(self.sort(a) != Sort::Bool);
        let linear = self.as_linear(a).scaled(factor);
        self.linear_term(linear)
    }

    pub fn mul(&mut self, a: TermId, b: TermId) -> TermId {
        self.assert_bv(a, b);
        if let Some(factor) = self.as_const(a) {
            return self.scale(b, factor);
        }
        if let Some(factor) = self.as_const(b) {
            return self.scale(a, factor);
        }
        let (left, right) = (self.parts_of(a), self.parts_of(b));
        if left.len() * right.len() > MAX_EXPANSION {
            return self.product(a, b);
        }
        let width = self.width(a);
        let mut sum = Linear::constant(0, width);
        for (x, p) in &left {
            for (y, q) in &right {
                let coefficient = p.wrapping_mul(*q);
                let part = match (x, y) {
                    (None, None) => Linear::constant(coefficient, width),
                    (Some(x), None) | (None, Some(x)) => self.as_linear(*x).scaled(coefficient),
                    (Some(x), Some(y)) => {
                        let product = self.product(*x, *y);
                        self.as_linear(product).scaled(coefficient)
                    }
                };
                sum = sum.plus(&part);
            }
        }
        self.linear_term(sum)
    }

    /// The summands of `t`; the constant one has no term.
    fn parts_of(&self, t: TermId) -> Vec<(Option<TermId>, u128)> {
        let linear = self.as_linear(t);
        let mut parts: Vec<_> =
            linear.monomials.iter().map(|(term, factor)| (Some(*term), *factor)).collect();
        if linear.constant != 0 {
            parts.push((None, linear.constant));
        }
        parts
    }

    /// `a · b`, both taken as they are. A product that cannot fill its width is formed in the bits it can fill, so that it
    /// is the same term in whatever width it was written.
    fn product(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let (mut factors, more) = (self.factors_of(a), self.factors_of(b));
        if factors.len() + more.len() > MAX_FACTORS {
            factors = vec![a, b];
        } else {
            factors.extend(more);
        }
        let needed = match self.most_of(&factors) {
            Some(most) => (128 - most.leading_zeros()).max(1) as u16,
            None => width,
        };
        if needed < width {
            factors = factors.into_iter().map(|factor| self.extract(factor, needed - 1, 0)).collect();
        }
        factors.sort_unstable();
        let product = self.intern(Term::Product(factors.into()), Sort::Bv(needed.min(width)));
        if needed < width { self.zext(product, width) } else { product }
    }

    /// The factors of a product in its own width; a product in fewer bits is looked through where nothing was cut off.
    fn factors_of(&mut self, t: TermId) -> Vec<TermId> {
        let width = self.width(t);
        match self.term(t).clone() {
            Term::Product(factors) => factors.to_vec(),
            Term::Zext { of, .. } => match self.term(of).clone() {
                Term::Product(factors)
                    if self.most_of(&factors).is_some_and(|most| most <= bits::mask(self.width(of))) =>
                {
                    factors.iter().map(|factor| self.zext(*factor, width)).collect()
                }
                _ => vec![t],
            },
            _ => vec![t],
        }
    }

    /// The product of the largest values that the factors can have, if it fits into 128 bits.
    fn most_of(&self, factors: &[TermId]) -> Option<u128> {
        factors.iter().try_fold(1u128, |most, factor| most.checked_mul(self.facts(*factor).max))
    }

    /// Whether no two monomials (nor the constant) can have a 1 in the same place, so that the sum is a disjunction.
    pub fn is_disjoint(&self, linear: &Linear) -> bool {
        let mut taken = linear.constant;
        for (term, coefficient) in &linear.monomials {
            if !coefficient.is_power_of_two() {
                return false;
            }
            let possible = self.possible_bits(*term, *coefficient, linear.width);
            if taken & possible != 0 {
                return false;
            }
            taken |= possible;
        }
        true
    }

    /// Bits that `term · coefficient` can have, the coefficient being a power of two.
    pub(super) fn possible_bits(&self, term: TermId, coefficient: u128, width: u16) -> u128 {
        (self.facts(term).possible(width) << coefficient.trailing_zeros()) & bits::mask(width)
    }
}
