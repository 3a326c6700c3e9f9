//! Equality, order and overflow.
//!
//! Order is `<` only, with a constant on the right where there is one: `a ≤ b` is `¬(b < a)` and `c < a` is
//! `¬(a < c + 1)`. An equality of sums is solved for a monomial with coefficient ±1.

use super::{BvOp, Overflow, Sort, Term, TermId, TermPool, bits, facts};
use crate::ir::Signedness;

/// An if-then-else over constants is compared arm by arm up to this many arms.
const MAX_ARMS: usize = 16;

#[derive(Clone, Copy)]
enum Order {
    Unsigned,
    Signed,
}

impl TermPool {
    /// Equality of two terms of one sort.
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        self.assert_same_sort(a, b);
        if a == b {
            return self.bool_const(true);
        }
        match self.sort(a) {
            Sort::Bool => self.eq_bool(a, b),
            Sort::Bv(_) => self.eq_bv(a, b),
        }
    }

    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    fn eq_bool(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.as_bool(a), self.as_bool(b)) {
            (Some(true), _) => return b,
            (_, Some(true)) => return a,
            (Some(false), _) => return self.not(b),
            (_, Some(false)) => return self.not(a),
            (None, None) => {}
        }
        // Negations move out, and two of them cancel.
        match (self.term(a), self.term(b)) {
            (Term::Not(x), Term::Not(y)) => {
                let (x, y) = (*x, *y);
                self.eq(x, y)
            }
            (Term::Not(x), _) => {
                let x = *x;
                let same = self.eq(x, b);
                self.not(same)
            }
            (_, Term::Not(y)) => {
                let y = *y;
                let same = self.eq(a, y);
                self.not(same)
            }
            _ => self.intern(Term::Eq(a.min(b), a.max(b)), Sort::Bool),
        }
    }

    fn eq_bv(&mut self, a: TermId, b: TermId) -> TermId {
        let (mut a, mut b) = (a, b);
        // Each round makes the pair narrower or solves it for one monomial; the bound is a guard only.
        for _ in 0..8 {
            if a == b {
                return self.bool_const(true);
            }
            if self.facts(a).excludes(self.facts(b)) {
                return self.bool_const(false);
            }
            if self.as_const(a).is_some() {
                (a, b) = (b, a);
            }
            if let Some(result) = self.eq_by_arms(a, b).or_else(|| self.eq_by_arms(b, a)) {
                return result;
            }
            if let Some(value) = self.as_const(b)
                && let Some(result) = self.quotient_is(a, value)
            {
                return result;
            }
            if let Some((x, y)) = self.narrowed_eq(a, b).or_else(|| self.narrowed_eq(b, a)) {
                (a, b) = (x, y);
                continue;
            }
            // A signed remainder by 2^k is 0 iff the k lowest bits are.
            if let Term::Bin(BvOp::Srem, x, divisor) = *self.term(a)
                && let (Some(divisor), Some(0)) = (self.as_const(divisor), self.as_const(b))
                && divisor.is_power_of_two()
                && divisor > 1
            {
                let places = divisor.trailing_zeros() as u16;
                (a, b) = (self.extract(x, places - 1, 0), self.bv_const(0, places));
                continue;
            }
            if let Some(result) = self.eq_by_parts(a, b) {
                return result;
            }
            match self.solved_eq(a, b) {
                Solved::Never => return self.bool_const(false),
                Solved::Pair(x, y) if (x, y) == (a, b) || (x, y) == (b, a) => break,
                Solved::Pair(x, y) => (a, b) = (x, y),
            }
        }
        if a == b {
            return self.bool_const(true);
        }
        // One bit is compared with 1 only.
        if self.width(a) == 1
            && let Some(bit) = self.as_const(b)
            && bit == 0
        {
            let one = self.bv_const(1, 1);
            let set = self.intern_eq(a, one);
            return self.not(set);
        }
        self.intern_eq(a, b)
    }

    fn intern_eq(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.ordered(a, b);
        self.intern(Term::Eq(a, b), Sort::Bool)
    }

    /// `ite(c, x, y) == b` taken arm by arm, where that leaves simple conditions.
    fn eq_by_arms(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let Term::Ite(condition, x, y) = *self.term(a) else { return None };
        if self.as_const(b).is_none() {
            let excluded = |arm: TermId| self.facts(arm).excludes(self.facts(b));
            // ite(c, b, y) == b is c where y cannot be b.
            return match () {
                () if x == b && excluded(y) => Some(condition),
                () if y == b && excluded(x) => Some(self.not(condition)),
                () => None,
            };
        }
        self.by_arms(a, |pool, arm| pool.eq(arm, b))
    }

    /// `f` of an if-then-else chain, one arm of each link being a constant; none for anything else. The chain is
    /// measured first, so that the recursion is bounded.
    fn by_arms(
        &mut self,
        chain: TermId,
        mut f: impl FnMut(&mut TermPool, TermId) -> TermId,
    ) -> Option<TermId> {
        let mut links = Vec::new();
        let mut rest = chain;
        while let Term::Ite(condition, x, y) = *self.term(rest) {
            if links.len() == MAX_ARMS {
                return None;
            }
            if self.as_const(x).is_some() {
                links.push((condition, x));
                rest = y;
            } else if self.as_const(y).is_some() {
                let condition = self.not(condition);
                links.push((condition, y));
                rest = x;
            } else {
                break;
            }
        }
        if links.is_empty() {
            return None;
        }
        let mut result = f(self, rest);
        for (condition, constant) in links.into_iter().rev() {
            let arm = f(self, constant);
            result = self.ite(condition, arm, result);
        }
        Some(result)
    }

    /// The same question about fewer bits.
    fn narrowed_eq(&mut self, a: TermId, b: TermId) -> Option<(TermId, TermId)> {
        match (self.term(a).clone(), self.term(b).clone()) {
            (Term::Zext { of, .. }, Term::Bv { bits, .. }) if bits <= bits::mask(self.width(of)) => {
                let width = self.width(of);
                Some((of, self.bv_const(bits, width)))
            }
            (Term::Sext { of, width }, Term::Bv { bits, .. }) => {
                let inner = self.width(of);
                let fits = bits::from_signed(bits::to_signed(bits & bits::mask(inner), inner), width) == bits;
                fits.then(|| (of, self.bv_const(bits, inner)))
            }
            (Term::Zext { of: x, .. }, Term::Zext { of: y, .. }) => {
                let width = self.width(x).max(self.width(y));
                Some((self.zext(x, width), self.zext(y, width)))
            }
            (Term::Sext { of: x, .. }, Term::Sext { of: y, .. }) => {
                let width = self.width(x).max(self.width(y));
                Some((self.sext(x, width), self.sext(y, width)))
            }
            _ => None,
        }
    }

    /// A sum of parts without common bits equals a constant if each part does.
    fn eq_by_parts(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let value = self.as_const(b)?;
        let Term::Sum(linear) = self.term(a) else { return None };
        let linear = linear.clone();
        if linear.monomials.len() + usize::from(linear.constant != 0) < 2 || !self.is_disjoint(&linear) {
            return None;
        }
        let mut rest = value;
        let mut conditions = Vec::new();
        for (term, coefficient) in &linear.monomials {
            let possible = self.possible_bits(*term, *coefficient, linear.width);
            rest &= !possible;
            let part = self.monomial(*term, *coefficient);
            let wanted = self.bv_const(value & possible, linear.width);
            conditions.push(self.eq(part, wanted));
        }
        if rest != linear.constant {
            return Some(self.bool_const(false));
        }
        Some(self.and_all(&conditions))
    }

    /// `a == b` as `monomial == rest`, where a coefficient allows it.
    fn solved_eq(&mut self, a: TermId, b: TermId) -> Solved {
        if !matches!(self.term(a), Term::Sum(_)) && !matches!(self.term(b), Term::Sum(_)) {
            return Solved::Pair(a, b);
        }
        let minus_b = self.as_linear(b).scaled(u128::MAX);
        let mut difference = self.as_linear(a).plus(&minus_b);
        let width = difference.width;
        let all = bits::mask(width);
        let constant = difference.constant;
        if difference.monomials.is_empty() {
            // Equal sums are equal nodes unless one of them is nested.
            if constant != 0 {
                return Solved::Never;
            }
            let zero = self.bv_const(0, width);
            return Solved::Pair(zero, zero);
        }
        // An equation whose coefficients share 2^k says nothing about the k highest bits, and the constant must share it.
        let shared = difference.monomials.iter().map(|(_, c)| c.trailing_zeros()).min().unwrap_or(0);
        if shared > 0 {
            if constant.trailing_zeros() < shared && constant != 0 {
                return Solved::Never;
            }
            let mut halved = super::Linear {
                width: width - shared as u16,
                constant: constant >> shared,
                monomials: Vec::new(),
            };
            for (term, coefficient) in &difference.monomials {
                let part = self.extract(*term, width - 1 - shared as u16, 0);
                halved = halved.plus(&self.as_linear(part).scaled(coefficient >> shared));
            }
            let left = self.linear_term(halved);
            let right = self.bv_const(0, width - shared as u16);
            return Solved::Pair(left, right);
        }
        let unit = |coefficient: u128| coefficient == 1 || coefficient == all;
        let position = difference.monomials.iter().position(|(_, c)| unit(*c));
        let position = match (position, difference.monomials.as_slice()) {
            (Some(position), _) => Some(position),
            (None, [(_, coefficient)]) => {
                difference = difference.clone().scaled(bits::inverse_of_odd(*coefficient));
                Some(0)
            }
            (None, _) => None,
        };
        match position {
            Some(position) => {
                let (term, coefficient) = difference.monomials.remove(position);
                let rest = difference.scaled(coefficient.wrapping_neg());
                let rest = self.linear_term(rest);
                Solved::Pair(term, rest)
            }
            None => {
                // No unit: monomials to the left, constant to the right, the first coefficient not negative.
                if difference.monomials[0].1 > all / 2 {
                    difference = difference.scaled(u128::MAX);
                }
                let constant = difference.constant;
                difference.constant = 0;
                let left = self.linear_term(difference);
                let right = self.bv_const(constant.wrapping_neg(), width);
                Solved::Pair(left, right)
            }
        }
    }

    pub fn ult(&mut self, a: TermId, b: TermId) -> TermId {
        self.less(Order::Unsigned, a, b)
    }

    pub fn ule(&mut self, a: TermId, b: TermId) -> TermId {
        let greater = self.ult(b, a);
        self.not(greater)
    }

    pub fn ugt(&mut self, a: TermId, b: TermId) -> TermId {
        self.ult(b, a)
    }

    pub fn uge(&mut self, a: TermId, b: TermId) -> TermId {
        self.ule(b, a)
    }

    pub fn slt(&mut self, a: TermId, b: TermId) -> TermId {
        self.less(Order::Signed, a, b)
    }

    pub fn sle(&mut self, a: TermId, b: TermId) -> TermId {
        let greater = self.slt(b, a);
        self.not(greater)
    }

    pub fn sgt(&mut self, a: TermId, b: TermId) -> TermId {
        self.slt(b, a)
    }

    pub fn sge(&mut self, a: TermId, b: TermId) -> TermId {
        self.sle(b, a)
    }

    fn less(&mut self, order: Order, a: TermId, b: TermId) -> TermId {
        self.assert_bv(a, b);
        if a == b {
            return self.bool_const(false);
        }
        let width = self.width(a);
        let (x, y) = (*self.facts(a), *self.facts(b));
        // Of two values with the same sign both orders say the same.
        let order = match order {
            Order::Signed if x.never_negative() && y.never_negative() => Order::Unsigned,
            Order::Signed if x.always_negative() && y.always_negative() => Order::Unsigned,
            order => order,
        };
        let (always, never) = match order {
            Order::Unsigned => (x.max < y.min, x.min >= y.max),
            Order::Signed => (x.smax < y.smin, x.smin >= y.smax),
        };
        if always || never {
            return self.bool_const(always);
        }
        if let Some((a, b)) = self.narrowed_less(order, a, b) {
            return self.less(order, a, b);
        }
        match (self.as_const(a), self.as_const(b)) {
            (Some(low), None) => {
                if let Some(result) = self.by_arms(b, |pool, arm| pool.less(order, a, arm)) {
                    return result;
                }
                // `low` is not the greatest value, or nothing could be greater.
                let next = self.bv_const(low.wrapping_add(1), width);
                let not_greater = self.less(order, b, next);
                self.not(not_greater)
            }
            (None, Some(bound)) => {
                if let Some(result) = self.by_arms(a, |pool, arm| pool.less(order, arm, b)) {
                    return result;
                }
                if let Order::Unsigned = order
                    && let Some(result) = self.quotient_below(a, bound)
                {
                    return result;
                }
                let (least, last) = match order {
                    Order::Unsigned => (x.min, bound == x.max),
                    Order::Signed => {
                        (bits::from_signed(x.smin, width), bits::to_signed(bound, width) == x.smax)
                    }
                };
                // At either end of what is possible an order is an equality.
                if bound == least.wrapping_add(1) & bits::mask(width) {
                    let least = self.bv_const(least, width);
                    return self.eq(a, least);
                }
                if last {
                    return self.ne(a, b);
                }
                self.intern_less(order, a, b)
            }
            _ => self.intern_less(order, a, b),
        }
    }

    fn intern_less(&mut self, order: Order, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let settled = self.settled(a, b, |a, b| match order {
            Order::Unsigned => a < b,
            Order::Signed => bits::to_signed(a, width) < bits::to_signed(b, width),
        });
        if let Some(answer) = settled {
            return self.bool_const(answer);
        }
        match order {
            Order::Unsigned => self.intern(Term::Ult(a, b), Sort::Bool),
            Order::Signed => self.intern(Term::Slt(a, b), Sort::Bool),
        }
    }

    /// The same comparison of fewer bits.
    fn narrowed_less(&mut self, order: Order, a: TermId, b: TermId) -> Option<(TermId, TermId)> {
        let whole = self.width(a);
        // The width that an operand needs, seen through its extension; signed operands keep room for a sign.
        let needs = |pool: &TermPool, t: TermId| match (order, pool.term(t)) {
            (Order::Unsigned, Term::Zext { of, .. }) | (Order::Signed, Term::Sext { of, .. }) => {
                Some(pool.width(*of))
            }
            (Order::Signed, Term::Zext { of, .. }) => Some(pool.width(*of) + 1),
            (Order::Unsigned, Term::Bv { bits, .. }) => Some((128 - bits.leading_zeros()).max(1) as u16),
            (Order::Signed, Term::Bv { bits, width }) => {
                let value = bits::to_signed(*bits, *width);
                let used = if value < 0 { 128 - value.leading_ones() } else { 128 - value.leading_zeros() };
                Some(used as u16 + 1)
            }
            _ => None,
        };
        let width = needs(self, a)?.max(needs(self, b)?);
        if width >= whole {
            return None;
        }
        Some((self.extract(a, width - 1, 0), self.extract(b, width - 1, 0)))
    }

    /// Whether `a + b` does not fit.
    pub fn add_overflows(&mut self, a: TermId, b: TermId, signedness: Signedness) -> TermId {
        self.assert_bv(a, b);
        let (a, b) = self.ordered(a, b);
        let width = self.width(a);
        match signedness {
            Signedness::Unsigned => match self.as_const(b) {
                // a + c > MAX iff a > MAX - c
                Some(addend) => {
                    let limit = self.bv_const(bits::mask(width) - addend, width);
                    self.ugt(a, limit)
                }
                None => {
                    let (x, y) = (self.facts(a), self.facts(b));
                    match x.max.checked_add(y.max) {
                        Some(most) if most <= bits::mask(width) => self.bool_const(false),
                        _ => self.overflow(Overflow::AddUnsigned, a, b),
                    }
                }
            },
            Signedness::Signed => match self.as_const(b) {
                Some(addend) => {
                    let addend = bits::to_signed(addend, width);
                    if addend >= 0 {
                        let limit = self.signed_const(bits::signed_max(width) - addend, width);
                        self.sgt(a, limit)
                    } else {
                        let limit = self.signed_const(bits::signed_min(width) - addend, width);
                        self.slt(a, limit)
                    }
                }
                None => {
                    let (x, y) = (self.facts(a), self.facts(b));
                    let range = x.smin.checked_add(y.smin).zip(x.smax.checked_add(y.smax));
                    self.signed_overflow(Overflow::AddSigned, a, b, range)
                }
            },
        }
    }

    /// Whether `a - b` does not fit.
    pub fn sub_overflows(&mut self, a: TermId, b: TermId, signedness: Signedness) -> TermId {
        self.assert_bv(a, b);
        let width = self.width(a);
        if let Signedness::Unsigned = signedness {
            return self.ult(a, b);
        }
        let (least, most) = (bits::signed_min(width), bits::signed_max(width));
        if let Some(subtrahend) = self.as_const(b) {
            let subtrahend = bits::to_signed(subtrahend, width);
            return if subtrahend >= 0 {
                let limit = self.signed_const(least + subtrahend, width);
                self.slt(a, limit)
            } else {
                let limit = self.signed_const(most + subtrahend, width);
                self.sgt(a, limit)
            };
        }
        if let Some(minuend) = self.as_const(a) {
            let minuend = bits::to_signed(minuend, width);
            return if minuend >= 0 {
                // c - b > MAX iff b < c - MAX
                let limit = self.signed_const(minuend - most, width);
                self.slt(b, limit)
            } else {
                // c - b < MIN iff b > c - MIN
                let limit = self.signed_const(minuend - least, width);
                self.sgt(b, limit)
            };
        }
        if a == b {
            return self.bool_const(false);
        }
        let (x, y) = (self.facts(a), self.facts(b));
        let range = x.smin.checked_sub(y.smax).zip(x.smax.checked_sub(y.smin));
        self.signed_overflow(Overflow::SubSigned, a, b, range)
    }

    /// Whether `a * b` does not fit.
    pub fn mul_overflows(&mut self, a: TermId, b: TermId, signedness: Signedness) -> TermId {
        self.assert_bv(a, b);
        let width = self.width(a);
        let (a, b) = self.ordered(a, b);
        match (signedness, self.as_const(b)) {
            (Signedness::Unsigned, Some(0)) => self.bool_const(false),
            (Signedness::Unsigned, Some(factor)) => {
                let limit = self.bv_const(bits::mask(width) / factor, width);
                self.ugt(a, limit)
            }
            (Signedness::Signed, Some(factor)) => self.mul_overflows_by(a, bits::to_signed(factor, width)),
            (Signedness::Unsigned, None) => match self.facts(a).max.checked_mul(self.facts(b).max) {
                Some(most) if most <= bits::mask(width) => self.bool_const(false),
                _ => self.overflow(Overflow::MulUnsigned, a, b),
            },
            (Signedness::Signed, None) => {
                let (x, y) = (self.facts(a), self.facts(b));
                let range = facts::signed_product((x.smin, x.smax), (y.smin, y.smax));
                self.signed_overflow(Overflow::MulSigned, a, b, range)
            }
        }
    }

    fn mul_overflows_by(&mut self, a: TermId, factor: i128) -> TermId {
        let width = self.width(a);
        let (least, most) = (bits::signed_min(width), bits::signed_max(width));
        match factor {
            0 | 1 => self.bool_const(false),
            -1 => self.neg_overflows(a),
            // Division rounds towards 0, which is the right way for both limits.
            _ => {
                let (low, high) = if factor > 0 {
                    (least / factor, most / factor)
                } else {
                    (most / factor, least / factor)
                };
                let low = self.signed_const(low, width);
                let high = self.signed_const(high, width);
                let below = self.slt(a, low);
                let above = self.sgt(a, high);
                self.or(below, above)
            }
        }
    }

    /// Whether `-a` does not fit, for a signed `a`: it is the least value.
    pub fn neg_overflows(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        let least = self.signed_const(bits::signed_min(width), width);
        self.eq(a, least)
    }

    fn signed_const(&mut self, value: i128, width: u16) -> TermId {
        self.bv_const(bits::from_signed(value, width), width)
    }

    fn signed_overflow(&mut self, op: Overflow, a: TermId, b: TermId, range: Option<(i128, i128)>) -> TermId {
        let width = self.width(a);
        match range {
            Some((least, most)) if least >= bits::signed_min(width) && most <= bits::signed_max(width) => {
                self.bool_const(false)
            }
            Some((least, most)) if least > bits::signed_max(width) || most < bits::signed_min(width) => {
                self.bool_const(true)
            }
            _ => self.overflow(op, a, b),
        }
    }

    fn overflow(&mut self, op: Overflow, a: TermId, b: TermId) -> TermId {
        self.intern(Term::Overflow(op, a, b), Sort::Bool)
    }
}

enum Solved {
    /// No values make it hold.
    Never,
    Pair(TermId, TermId),
}
