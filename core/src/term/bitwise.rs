//! Bit operations, shifts, slices and extensions.
//!
//! Constant left shifts and concatenation become sums, constant right shifts and contiguous masks become
//! extractions that are extended again; a disjunction of terms without common bits is a sum.

use super::{BvOp, Linear, Sort, Term, TermId, TermPool, bits};

/// Extractions move down through so many operations, then they stay where they are.
const MAX_SLICE_DEPTH: u32 = 24;

/// Bit operations of so many operands are sorted; longer ones stay as they were put together.
const MAX_SORTED: usize = 8;

/// What comes in from the left when bits move right.
#[derive(Clone, Copy)]
pub(super) enum Fill {
    Zero,
    Sign,
}

impl TermPool {
    fn bin(&mut self, op: BvOp, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        match (self.as_const(a), self.as_const(b)) {
            (Some(x), Some(y)) => self.bv_const(bits::apply(op, x, y, width), width),
            _ => self.intern(Term::Bin(op, a, b), Sort::Bv(width)),
        }
    }

    /// Puts a constant to the right, otherwise the older term to the left.
    pub(super) fn ordered(&self, a: TermId, b: TermId) -> (TermId, TermId) {
        match (self.as_const(a), self.as_const(b)) {
            (Some(_), None) => (b, a),
            (None, Some(_)) => (a, b),
            _ => (a.min(b), a.max(b)),
        }
    }

    fn are_complements(&mut self, a: TermId, b: TermId) -> bool {
        let is_sum = |t| matches!(self.term(t), Term::Sum(_));
        (is_sum(a) || is_sum(b)) && {
            let sum = self.as_linear(a).plus(&self.as_linear(b));
            sum.monomials.is_empty() && sum.constant == bits::mask(sum.width)
        }
    }

    pub fn bvand(&mut self, a: TermId, b: TermId) -> TermId {
        self.assert_bv(a, b);
        let (a, b) = self.ordered(a, b);
        let width = self.width(a);
        if a == b {
            return a;
        }
        if let Some(mask) = self.as_const(b) {
            return self.mask_bits(a, mask);
        }
        if self.are_complements(a, b) {
            return self.bv_const(0, width);
        }
        self.sorted_bin(BvOp::And, a, b)
    }

    fn mask_bits(&mut self, a: TermId, mask: u128) -> TermId {
        let width = self.width(a);
        if let Some(value) = self.as_const(a) {
            return self.bv_const(value & mask, width);
        }
        if let Term::Bin(BvOp::And, x, y) = *self.term(a)
            && let Some(inner) = self.as_const(y)
        {
            return self.mask_bits(x, inner & mask);
        }
        let possible = self.facts(a).possible(width);
        let mask = mask & possible;
        if mask == possible {
            return a;
        }
        if mask == 0 {
            return self.bv_const(0, width);
        }
        let lo = mask.trailing_zeros();
        if (mask >> lo).checked_add(1).is_none_or(u128::is_power_of_two) {
            let hi = 127 - mask.leading_zeros();
            let slice = self.extract(a, hi as u16, lo as u16);
            let slice = self.zext(slice, width);
            return self.scale(slice, 1 << lo);
        }
        // A sum of parts without common bits is masked part by part.
        if let Term::Sum(linear) = self.term(a) {
            let linear = linear.clone();
            if self.is_disjoint(&linear) {
                let mut sum = self.bv_const(linear.constant & mask, width);
                for (term, coefficient) in &linear.monomials {
                    let shift = coefficient.trailing_zeros();
                    let part = self.mask_bits(*term, mask >> shift);
                    let part = self.scale(part, *coefficient);
                    sum = self.add(sum, part);
                }
                return sum;
            }
        }
        let mask = self.bv_const(mask, width);
        self.bin(BvOp::And, a, mask)
    }

    pub fn bvor(&mut self, a: TermId, b: TermId) -> TermId {
        self.assert_bv(a, b);
        let (a, b) = self.ordered(a, b);
        let width = self.width(a);
        if a == b {
            return a;
        }
        if self.facts(a).possible(width) & self.facts(b).possible(width) == 0 {
            return self.add(a, b);
        }
        if let Some(set) = self.as_const(b) {
            let rest = self.mask_bits(a, !set & bits::mask(width));
            return self.add(rest, b);
        }
        if self.are_complements(a, b) {
            return self.bv_const(u128::MAX, width);
        }
        self.sorted_bin(BvOp::Or, a, b)
    }

    pub fn bvxor(&mut self, a: TermId, b: TermId) -> TermId {
        self.assert_bv(a, b);
        let (a, b) = self.ordered(a, b);
        let width = self.width(a);
        if a == b {
            return self.bv_const(0, width);
        }
        if self.facts(a).possible(width) & self.facts(b).possible(width) == 0 {
            return self.add(a, b);
        }
        // Bits that are set for certain are taken away, so that what was put in by addition goes as it came.
        if self.as_const(b).is_some_and(|set| self.facts(a).ones & set == set) {
            return self.sub(a, b);
        }
        if self.as_const(b) == Some(bits::mask(width)) {
            return self.bvnot(a);
        }
        if self.are_complements(a, b) {
            return self.bv_const(u128::MAX, width);
        }
        self.sorted_bin(BvOp::Xor, a, b)
    }

    /// `and`, `or` or `xor` of all that the operands consist of, sorted, so that it does not matter how it was put
    /// together. Constants are merged and come last; of equal operands one remains, or none of two for `xor`.
    fn sorted_bin(&mut self, op: BvOp, a: TermId, b: TermId) -> TermId {
        let is_same = |t| matches!(self.term(t), Term::Bin(other, ..) if *other == op);
        if !is_same(a) && !is_same(b) {
            return self.bin(op, a, b);
        }
        let width = self.width(a);
        let mut parts = Vec::new();
        let mut constant: Option<u128> = None;
        let mut stack = vec![a, b];
        while let Some(term) = stack.pop() {
            match *self.term(term) {
                Term::Bin(other, x, y) if other == op => stack.extend([x, y]),
                Term::Bv { bits, .. } => {
                    constant = Some(constant.map_or(bits, |known| bits::apply(op, known, bits, width)));
                }
                _ => parts.push(term),
            }
            if parts.len() + stack.len() > MAX_SORTED {
                return self.bin(op, a, b);
            }
        }
        parts.sort_unstable();
        match op {
            BvOp::Xor => parts = remove_pairs(&parts),
            _ => parts.dedup(),
        }
        let mut parts = parts.into_iter();
        let Some(first) = parts.next() else {
            // Only `xor` can cancel everything.
            return self.bv_const(constant.unwrap_or(0), width);
        };
        let all = parts.fold(first, |all, part| {
            let (x, y) = self.ordered(all, part);
            self.bin(op, x, y)
        });
        match constant {
            None => all,
            Some(bits) => {
                let constant = self.bv_const(bits, width);
                match op {
                    BvOp::And => self.mask_bits(all, bits),
                    BvOp::Xor if bits == 0 => all,
                    BvOp::Xor if bits == bits::mask(width) => self.bvnot(all),
                    _ => self.bin(op, all, constant),
                }
            }
        }
    }

    /// The amount has the width of `a`; at the width or more the result is 0.
    pub fn shl(&mut self, a: TermId, amount: TermId) -> TermId {
        self.assert_bv(a, amount);
        let width = self.width(a);
        match self.as_const(amount) {
            Some(amount) if amount >= u128::from(width) => self.bv_const(0, width),
            Some(amount) => self.scale(a, 1 << amount),
            None if self.facts(amount).min >= u128::from(width) => self.bv_const(0, width),
            None => self.bin(BvOp::Shl, a, amount),
        }
    }

    /// The amount has the width of `a`; at the width or more the result is 0.
    pub fn lshr(&mut self, a: TermId, amount: TermId) -> TermId {
        self.assert_bv(a, amount);
        let width = self.width(a);
        match self.as_const(amount) {
            Some(amount) => self.shift_right(a, clamp_shift(amount, width), Fill::Zero),
            None if self.facts(amount).min >= u128::from(width) => self.bv_const(0, width),
            None => self.bin(BvOp::Lshr, a, amount),
        }
    }

    /// The amount has the width of `a`; at the width or more the result is all sign.
    pub fn ashr(&mut self, a: TermId, amount: TermId) -> TermId {
        self.assert_bv(a, amount);
        if self.facts(a).never_negative() {
            return self.lshr(a, amount);
        }
        let width = self.width(a);
        match self.as_const(amount) {
            Some(amount) => self.shift_right(a, clamp_shift(amount, width), Fill::Sign),
            None => self.bin(BvOp::Ashr, a, amount),
        }
    }

    /// `a` moved right by `amount ≤ width` places.
    pub(super) fn shift_right(&mut self, a: TermId, amount: u16, fill: Fill) -> TermId {
        let width = self.width(a);
        match fill {
            Fill::Zero if amount >= width => self.bv_const(0, width),
            Fill::Zero => {
                let slice = self.extract(a, width - 1, amount);
                self.zext(slice, width)
            }
            Fill::Sign => {
                let slice = self.extract(a, width - 1, amount.min(width - 1));
                self.sext(slice, width)
            }
        }
    }

    /// `high` above `low`.
    pub fn concat(&mut self, high: TermId, low: TermId) -> TermId {
        debug_assert!(self.sort(high) != Sort::Bool && self.sort(low) != Sort::Bool);
        let shift = self.width(low);
        let width = self.width(high) + shift;
        debug_assert!(width <= 128, "concatenation of more than 128 bits");
        let high = self.zext(high, width);
        let high = self.scale(high, 1 << shift);
        let low = self.zext(low, width);
        self.add(high, low)
    }

    /// Bits `hi` down to `lo`, both included.
    pub fn extract(&mut self, t: TermId, hi: u16, lo: u16) -> TermId {
        let Sort::Bv(width) = self.sort(t) else {
            debug_assert!(false, "extraction from the Boolean {}", self.display(t));
            return t;
        };
        debug_assert!(lo <= hi && hi < width, "bits {hi} to {lo} of {width}");
        if lo == 0 && hi + 1 == width {
            return t;
        }
        if let Some(slice) = self.slices.get(&(t, hi, lo)) {
            return *slice;
        }
        let slice = if self.slice_depth < MAX_SLICE_DEPTH {
            self.slice_depth += 1;
            let slice = self.slice(t, hi, lo);
            self.slice_depth -= 1;
            slice
        } else {
            self.intern(Term::Extract { of: t, hi, lo }, Sort::Bv(hi - lo + 1))
        };
        self.slices.insert((t, hi, lo), slice);
        slice
    }

    /// Pushes an extraction towards the variables. Depth is bounded and results are remembered by the caller.
    fn slice(&mut self, t: TermId, hi: u16, lo: u16) -> TermId {
        let width = self.width(t);
        let result = hi - lo + 1;
        match self.term(t).clone() {
            Term::Bv { bits, .. } => self.bv_const(bits >> lo, result),
            Term::Extract { of, lo: below, .. } => self.extract(of, hi + below, lo + below),
            Term::Zext { of, .. } => {
                let inner = self.width(of);
                if lo >= inner {
                    return self.bv_const(0, result);
                }
                let slice = self.extract(of, hi.min(inner - 1), lo);
                self.zext(slice, result)
            }
            Term::Sext { of, .. } => {
                let inner = self.width(of);
                let slice = self.extract(of, hi.min(inner - 1), lo.min(inner - 1));
                self.sext(slice, result)
            }
            Term::Sum(linear) if lo == 0 => {
                let mut sum = Linear {
                    width: result,
                    constant: linear.constant & bits::mask(result),
                    monomials: Vec::new(),
                };
                for (term, coefficient) in &linear.monomials {
                    if coefficient & bits::mask(result) == 0 {
                        continue;
                    }
                    // Nested sums are taken as they are: going into them could go deep.
                    let part = match self.term(*term) {
                        Term::Sum(_) => self.intern(Term::Extract { of: *term, hi, lo }, Sort::Bv(result)),
                        _ => self.extract(*term, hi, 0),
                    };
                    sum = sum.plus(&self.as_linear(part).scaled(*coefficient));
                }
                self.linear_term(sum)
            }
            Term::Sum(linear) if self.is_disjoint(&linear) => {
                let mut sum = self.bv_const(linear.constant >> lo, result);
                for (term, coefficient) in &linear.monomials {
                    if self.possible_bits(*term, *coefficient, width) & (bits::mask(result) << lo) == 0 {
                        continue;
                    }
                    let shift = coefficient.trailing_zeros() as u16;
                    let part = self.extract_shifted(*term, shift, hi, lo);
                    sum = self.add(sum, part);
                }
                sum
            }
            Term::Bin(op @ (BvOp::And | BvOp::Or | BvOp::Xor), a, b) if self.as_const(b).is_some() => {
                let a = self.extract(a, hi, lo);
                let b = self.extract(b, hi, lo);
                match op {
                    BvOp::And => self.bvand(a, b),
                    BvOp::Or => self.bvor(a, b),
                    _ => self.bvxor(a, b),
                }
            }
            Term::Ite(c, a, b) if self.as_const(a).is_some() && self.as_const(b).is_some() => {
                let a = self.extract(a, hi, lo);
                let b = self.extract(b, hi, lo);
                self.ite(c, a, b)
            }
            // Truncation is a homomorphism; it pays where the factors were only extended.
            Term::Product(factors) if lo == 0 && factors.iter().any(|f| self.is_extension(*f)) => {
                let mut product = self.bv_const(1, result);
                for factor in factors.iter() {
                    let factor = self.extract(*factor, hi, 0);
                    product = self.mul(product, factor);
                }
                product
            }
            _ => self.intern(Term::Extract { of: t, hi, lo }, Sort::Bv(result)),
        }
    }

    fn is_extension(&self, t: TermId) -> bool {
        matches!(self.term(t), Term::Zext { .. } | Term::Sext { .. })
    }

    /// Bits `hi` to `lo` of `t << shift`.
    fn extract_shifted(&mut self, t: TermId, shift: u16, hi: u16, lo: u16) -> TermId {
        let result = hi - lo + 1;
        if hi < shift {
            return self.bv_const(0, result);
        }
        if lo >= shift {
            return self.extract(t, hi - shift, lo - shift);
        }
        let slice = self.extract(t, hi - shift, 0);
        let slice = self.zext(slice, result);
        self.scale(slice, 1 << (shift - lo))
    }

    /// `t` with zeros in front, `width` bits in all.
    pub fn zext(&mut self, t: TermId, width: u16) -> TermId {
        let inner = self.width(t);
        debug_assert!(self.sort(t) != Sort::Bool && inner <= width, "extension of {inner} bits to {width}");
        if inner == width {
            return t;
        }
        match self.term(t).clone() {
            Term::Bv { bits, .. } => return self.bv_const(bits, width),
            Term::Zext { of, .. } => return self.zext(of, width),
            // The bits that were cut off come back as zeros: where they were zeros nothing was cut off.
            Term::Extract { of, lo: 0, .. } => {
                let whole = self.width(of);
                if self.facts(of).possible(whole) & !bits::mask(inner) == 0 {
                    return match whole.cmp(&width) {
                        std::cmp::Ordering::Less | std::cmp::Ordering::Equal => self.zext(of, width),
                        std::cmp::Ordering::Greater => self.extract(of, width - 1, 0),
                    };
                }
            }
            Term::Ite(c, a, b) if self.as_const(a).is_some() && self.as_const(b).is_some() => {
                let a = self.zext(a, width);
                let b = self.zext(b, width);
                return self.ite(c, a, b);
            }
            Term::Sum(linear) if self.never_wraps(&linear) => {
                let mut sum = Linear { width, constant: linear.constant, monomials: Vec::new() };
                for (term, coefficient) in &linear.monomials {
                    let part = match self.term(*term) {
                        Term::Sum(_) => self.intern(Term::Zext { of: *term, width }, Sort::Bv(width)),
                        _ => self.zext(*term, width),
                    };
                    sum = sum.plus(&self.as_linear(part).scaled(*coefficient));
                }
                return self.linear_term(sum);
            }
            _ => {}
        }
        self.intern(Term::Zext { of: t, width }, Sort::Bv(width))
    }

    /// Whether the sum over unsigned operands and coefficients stays below 2^width.
    fn never_wraps(&self, linear: &Linear) -> bool {
        let most = linear.monomials.iter().try_fold(linear.constant, |sum, (term, coefficient)| {
            sum.checked_add(coefficient.checked_mul(self.facts(*term).max)?)
        });
        most.is_some_and(|most| most <= bits::mask(linear.width))
    }

    /// `t` with copies of its sign in front, `width` bits in all.
    pub fn sext(&mut self, t: TermId, width: u16) -> TermId {
        let inner = self.width(t);
        debug_assert!(self.sort(t) != Sort::Bool && inner <= width, "extension of {inner} bits to {width}");
        if inner == width {
            return t;
        }
        if self.facts(t).never_negative() {
            return self.zext(t, width);
        }
        match self.term(t).clone() {
            Term::Bv { bits, .. } => {
                return self.bv_const(bits::from_signed(bits::to_signed(bits, inner), width), width);
            }
            Term::Sext { of, .. } => return self.sext(of, width),
            Term::Ite(c, a, b) if self.as_const(a).is_some() && self.as_const(b).is_some() => {
                let a = self.sext(a, width);
                let b = self.sext(b, width);
                return self.ite(c, a, b);
            }
            _ => {}
        }
        self.intern(Term::Sext { of: t, width }, Sort::Bv(width))
    }

    /// 1 if the condition holds, else 0.
    pub fn bool_to_bv(&mut self, condition: TermId, width: u16) -> TermId {
        let one = self.bv_const(1, width);
        let zero = self.bv_const(0, width);
        self.ite(condition, one, zero)
    }

    /// Number of ones, in the width of `t`.
    pub fn count_ones(&mut self, t: TermId) -> TermId {
        let width = self.width(t);
        let mut count = self.bv_const(0, width);
        for index in 0..width {
            let bit = self.extract(t, index, index);
            let bit = self.zext(bit, width);
            count = self.add(count, bit);
        }
        count
    }

    /// Number of zeros above the highest one, in the width of `t`; the width for 0.
    pub fn leading_zeros(&mut self, t: TermId) -> TermId {
        let width = self.width(t);
        self.first_one(t, (0..width).rev())
    }

    /// Number of zeros below the lowest one, in the width of `t`; the width for 0.
    pub fn trailing_zeros(&mut self, t: TermId) -> TermId {
        let width = self.width(t);
        self.first_one(t, 0..width)
    }

    /// The position within `order` of the first bit that is set, the width if there is none. The width does not
    /// fit its own number of bits at widths 1 and 2 only, where the result wraps.
    fn first_one(
        &mut self,
        t: TermId,
        order: impl DoubleEndedIterator<Item = u16> + ExactSizeIterator,
    ) -> TermId {
        let width = self.width(t);
        let mut result = self.bv_const(u128::from(width), width);
        let one = self.bv_const(1, 1);
        let order: Vec<u16> = order.collect();
        for (position, index) in order.into_iter().enumerate().rev() {
            let bit = self.extract(t, index, index);
            let set = self.eq(bit, one);
            let position = self.bv_const(position as u128, width);
            result = self.ite(set, position, result);
        }
        result
    }
}

/// Of each run of equal terms one remains if the run is odd.
fn remove_pairs(sorted: &[TermId]) -> Vec<TermId> {
    sorted.chunk_by(|x, y| x == y).filter(|run| run.len() % 2 == 1).map(|run| run[0]).collect()
}

fn clamp_shift(amount: u128, width: u16) -> u16 {
    u16::try_from(amount).unwrap_or(width).min(width)
}
