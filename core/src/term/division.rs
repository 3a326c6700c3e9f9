//! Division and remainder.
//!
//! Digits are made by dividing again and again, and how many there are is a question about quotients. So quotients of
//! quotients are joined, and what is asked of a quotient by a constant is asked of the dividend instead: `x / 10 < 5` is
//! `x < 50`, which needs no division.

use super::{BvOp, Sort, Term, TermId, TermPool, bits};

impl TermPool {
    pub fn udiv(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(divisor) = self.as_const(b)
            && divisor.is_power_of_two()
        {
            return self.shift_right(a, divisor.trailing_zeros() as u16, super::bitwise::Fill::Zero);
        }
        if let Some(divisor) = self.as_const(b).filter(|divisor| *divisor != 0)
            && let Some(quotient) = self.quotient_by(a, divisor)
        {
            return quotient;
        }
        self.division(BvOp::Udiv, a, b)
    }

    /// `a / divisor`, where that is simpler than it looks.
    fn quotient_by(&mut self, a: TermId, divisor: u128) -> Option<TermId> {
        let width = self.width(a);
        if self.facts(a).max < divisor {
            return Some(self.bv_const(0, width));
        }
        match *self.term(a) {
            // Not smaller than the divisor everywhere, so the divisor fits into as many bits.
            Term::Zext { of, .. } => {
                let narrow = self.bv_const(divisor, self.width(of));
                let quotient = self.udiv(of, narrow);
                Some(self.zext(quotient, width))
            }
            Term::Bin(BvOp::Udiv, x, by) => {
                let by = self.as_const(by).filter(|by| *by != 0)?;
                match by.checked_mul(divisor).filter(|both| *both <= bits::mask(width)) {
                    Some(both) => {
                        let both = self.bv_const(both, width);
                        Some(self.udiv(x, both))
                    }
                    None => Some(self.bv_const(0, width)),
                }
            }
            _ => None,
        }
    }

    /// The dividend and the divisor of an unsigned quotient by a constant.
    fn as_quotient(&self, t: TermId) -> Option<(TermId, u128)> {
        match *self.term(t) {
            Term::Bin(BvOp::Udiv, x, by) => self.as_const(by).filter(|by| *by != 0).map(|by| (x, by)),
            _ => None,
        }
    }

    /// `t < bound` of a quotient by a constant, asked of the dividend.
    pub(super) fn quotient_below(&mut self, t: TermId, bound: u128) -> Option<TermId> {
        let (x, by) = self.as_quotient(t)?;
        let width = self.width(t);
        match by.checked_mul(bound).filter(|limit| *limit <= bits::mask(width)) {
            Some(limit) => {
                let limit = self.bv_const(limit, width);
                Some(self.ult(x, limit))
            }
            None => Some(self.bool_const(true)),
        }
    }

    /// `t == value` of a quotient by a constant, asked of the dividend.
    pub(super) fn quotient_is(&mut self, t: TermId, value: u128) -> Option<TermId> {
        self.as_quotient(t)?;
        let below = self.quotient_below(t, value)?;
        let not_above = match value == bits::mask(self.width(t)) {
            true => self.bool_const(true),
            false => self.quotient_below(t, value + 1)?,
        };
        let not_below = self.not(below);
        Some(self.and(not_below, not_above))
    }

    pub fn urem(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        match self.as_const(b) {
            Some(0) => return a,
            Some(divisor) if divisor.is_power_of_two() => {
                let mask = self.bv_const(divisor - 1, width);
                return self.bvand(a, mask);
            }
            _ => {}
        }
        if a == b {
            return self.bv_const(0, width);
        }
        if self.facts(a).max < self.facts(b).min {
            return a;
        }
        if let Some(divisor) = self.as_const(b) {
            match *self.term(a) {
                // The divisor fits into as many bits, or the dividend were smaller everywhere.
                Term::Zext { of, .. } => {
                    let narrow = self.bv_const(divisor, self.width(of));
                    let rest = self.urem(of, narrow);
                    return self.zext(rest, width);
                }
                // What was taken off first is a multiple of the divisor.
                Term::Bin(BvOp::Urem, x, by)
                    if self.as_const(by).is_some_and(|by| by != 0 && by % divisor == 0) =>
                {
                    return self.urem(x, b);
                }
                _ => {}
            }
        }
        self.division(BvOp::Urem, a, b)
    }

    pub fn sdiv(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if width > 1 && self.as_const(b) == Some(1) {
            return a;
        }
        if self.as_const(b) == Some(bits::mask(width)) {
            return self.neg(a);
        }
        if self.facts(a).never_negative() && self.facts(b).never_negative() {
            return self.udiv(a, b);
        }
        self.division(BvOp::Sdiv, a, b)
    }

    pub fn srem(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        match self.as_const(b) {
            Some(0) => return a,
            Some(1) => return self.bv_const(0, width),
            Some(divisor) if divisor == bits::mask(width) => return self.bv_const(0, width),
            _ => {}
        }
        if a == b {
            return self.bv_const(0, width);
        }
        if self.facts(a).never_negative() && self.facts(b).never_negative() {
            return self.urem(a, b);
        }
        self.division(BvOp::Srem, a, b)
    }

    fn division(&mut self, op: BvOp, a: TermId, b: TermId) -> TermId {
        self.assert_bv(a, b);
        let width = self.width(a);
        match (self.as_const(a), self.as_const(b)) {
            (Some(x), Some(y)) => self.bv_const(bits::apply(op, x, y, width), width),
            _ => self.intern(Term::Bin(op, a, b), Sort::Bv(width)),
        }
    }
}
