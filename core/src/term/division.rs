//! Division and remainder.
//!
//! Digits are made by dividing again and again, and how many there are is a question about quotients. So quotients of
//! quotients are joined, and what is asked of a quotient by a constant is asked of the dividend instead: `x / 10 < 5` is
//! `x < 50`, which needs no division. What depends on nothing but a remainder is tried for all remainders: that `r - r / 100 *
//! 100` does not wrap is seen in no other way as cheaply.

use super::eval::value_of;
use super::{BvOp, Sort, Term, TermId, TermPool, bits};

/// A quotient or remainder is tried out if it has at most so many values,
const MAX_VALUES: u128 = 1 << 14;
/// and what is asked of it has at most so many parts.
const MAX_PARTS: usize = 48;

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

    /// Whether `test` says the same of `a` and `b` whatever the one quotient or remainder is that they depend on; none
    /// if it does not, or if they depend on anything else.
    pub(super) fn settled(&self, a: TermId, b: TermId, test: impl Fn(u128, u128) -> bool) -> Option<bool> {
        let mut found = Parts::default();
        self.parts_above_division(a, &mut found)?;
        self.parts_above_division(b, &mut found)?;
        let Parts { parts, cut, .. } = found;
        let facts = *self.facts(cut?);
        let mut values = vec![0; parts.len()];
        let mut settled = None;
        for value in facts.min..=facts.max {
            for (index, part) in parts.iter().enumerate() {
                let of =
                    |term: TermId| parts.iter().position(|part| *part == term).map_or(0, |at| values[at]);
                values[index] = if Some(*part) == cut { value } else { value_of(self, *part, |_| 0, of) };
            }
            let of = |term: TermId| parts.iter().position(|part| *part == term).map_or(0, |at| values[at]);
            let answer = test(of(a), of(b));
            if *settled.get_or_insert(answer) != answer {
                return None;
            }
        }
        settled
    }

    /// Collects what `t` consists of, operands first, down to the one division by a constant in it. None if there is
    /// another one or a variable, or if there is too much of it.
    fn parts_above_division(&self, t: TermId, found: &mut Parts) -> Option<()> {
        if found.parts.contains(&t) {
            return Some(());
        }
        // Counted on the way down, so that this bounds the depth of the recursion, too.
        found.visits += 1;
        if found.visits > MAX_PARTS {
            return None;
        }
        match self.term(t) {
            Term::Var(_) | Term::Float(..) => return None,
            Term::Bin(BvOp::Udiv | BvOp::Urem, _, by) if self.as_const(*by).is_some_and(|by| by != 0) => {
                let facts = self.facts(t);
                if facts.max - facts.min >= MAX_VALUES || found.cut.is_some_and(|other| other != t) {
                    return None;
                }
                found.cut = Some(t);
            }
            node => {
                let mut children = Vec::new();
                node.for_each_child(|child| children.push(child));
                for child in children {
                    self.parts_above_division(child, found)?;
                }
            }
        }
        found.parts.push(t);
        Some(())
    }
}

/// What a comparison consists of, down to a division.
#[derive(Default)]
struct Parts {
    parts: Vec<TermId>,
    cut: Option<TermId>,
    visits: usize,
}
