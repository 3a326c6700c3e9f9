//! Arithmetic on leaves: concrete bits and terms side by side.

use super::run::{Run, Stop};
use super::terms;
use super::tree::{Scalar, ScalarTy};
use crate::ir::{BinOp, IntTy, Signedness, UnOp};
use crate::verdict::unsupported::{OnNumbers, Unsupported};

impl Run<'_> {
    /// `a op b` for every operator that gives a scalar; arithmetic wraps. Shift amounts may have another width and are
    /// masked to the width of `a`, as MIR's `Shl` and `Shr` do.
    pub fn binary(&mut self, op: BinOp, a: Scalar, b: Scalar) -> Result<Scalar, Stop> {
        if let (ScalarTy::Float(ty), ScalarTy::Float(_)) = (a.ty, b.ty) {
            return self.float_binary(op, ty, a, b);
        }
        let slice = self.union(a.slice, b.slice);
        let ty = match op {
            BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => ScalarTy::Bool,
            _ => a.ty,
        };
        if matches!(op, BinOp::Div | BinOp::Rem) && b.bits == 0 {
            return Err(Stop::Unsupported(Unsupported::Numbers(OnNumbers::DivisionByUncheckedZero)));
        }
        let bits = ty.truncate(concrete_binary(op, a, b));
        if a.term.is_none() && b.term.is_none() {
            return Ok(Scalar { ty, bits, term: None, slice });
        }
        let b = match op {
            BinOp::Shl | BinOp::Shr => self.shift_amount(a.ty, b),
            _ => b,
        };
        let (x, y) = (self.term(&a), self.term(&b));
        let term = terms::binary(self.pool, op, a.ty, x, y);
        Ok(self.scalar(ty, bits, term, slice))
    }

    /// The amount of a shift of a value of type `ty`: masked to its width, in its width.
    fn shift_amount(&mut self, ty: ScalarTy, amount: Scalar) -> Scalar {
        let bits = ty.bits();
        let mask = u128::from(bits - 1);
        let unsigned = ScalarTy::Int(unsigned_of_width(bits));
        let Some(term) = amount.term else {
            return Scalar { ty: unsigned, bits: amount.bits & mask, ..amount };
        };
        let masked = terms::shift_amount(self.pool, ty, amount.ty, term);
        self.scalar(unsigned, amount.bits & mask, masked, amount.slice)
    }

    /// `(wrapped, overflowed)` for `Add`, `Sub`, `Mul`.
    pub fn checked_binary(&mut self, op: BinOp, a: Scalar, b: Scalar) -> Result<(Scalar, Scalar), Stop> {
        let value = self.binary(op, a, b)?;
        let overflowed = overflows(op, a, b);
        if a.term.is_none() && b.term.is_none() {
            return Ok((value, Scalar { slice: value.slice, ..Scalar::bool(overflowed) }));
        }
        let (x, y) = (self.term(&a), self.term(&b));
        let Some(term) = terms::overflow(self.pool, op, a.ty, x, y) else {
            return Err(Stop::Unsupported(Unsupported::Numbers(OnNumbers::Checked(op))));
        };
        let slice = value.slice;
        Ok((value, self.scalar(ScalarTy::Bool, overflowed.into(), term, slice)))
    }

    pub fn unary(&mut self, op: UnOp, a: Scalar) -> Result<Scalar, Stop> {
        if let ScalarTy::Float(ty) = a.ty {
            return self.float_unary(op, ty, a);
        }
        let bits = match op {
            UnOp::Not => a.ty.truncate(!a.bits),
            UnOp::Neg => a.ty.truncate(a.bits.wrapping_neg()),
        };
        let Some(term) = a.term else {
            return Ok(Scalar { bits, ..a });
        };
        let term = terms::unary(self.pool, op, a.ty, term);
        Ok(self.scalar(a.ty, bits, term, a.slice))
    }

    /// A cast between integers, `char` and `bool`: truncates, or extends by the signedness of the source.
    pub fn int_to_int(&mut self, a: Scalar, to: ScalarTy) -> Scalar {
        let value = match a.ty {
            ScalarTy::Int(ty) => ty.sign_extend(a.bits) as u128,
            _ => a.bits,
        };
        let bits = to.truncate(value);
        let Some(term) = a.term else {
            return Scalar { ty: to, bits, ..a };
        };
        let term = terms::int_to_int(self.pool, a.ty, to, term);
        self.scalar(to, bits, term, a.slice)
    }

    /// `if condition { a } else { b }` on leaves of one type.
    pub fn select(&mut self, condition: Scalar, a: Scalar, b: Scalar) -> Scalar {
        let bits = if condition.bits != 0 { a.bits } else { b.bits };
        let slice = self.union(a.slice, b.slice);
        let slice = self.union(slice, condition.slice);
        let (c, x, y) = (self.term(&condition), self.term(&a), self.term(&b));
        let term = self.pool.ite(c, x, y);
        self.scalar(a.ty, bits, term, slice)
    }

    /// Whether the scalar has these bits.
    pub fn equals_const(&mut self, a: Scalar, bits: u128) -> Scalar {
        let a = match a.ty {
            // Zeros are told apart, and NaN is equal to itself.
            ScalarTy::Float(_) => Scalar { ty: ScalarTy::Int(unsigned_of_width(a.ty.bits())), ..a },
            _ => a,
        };
        let constant = Scalar::concrete(a.ty, bits);
        self.binary(BinOp::Eq, a, constant).expect("comparison of integers never stops a run")
    }
}

fn unsigned_of_width(bits: u32) -> IntTy {
    match bits {
        8 => IntTy::U8,
        16 => IntTy::U16,
        32 => IntTy::U32,
        64 => IntTy::U64,
        _ => IntTy::U128,
    }
}

/// The mathematical value of a signed leaf; only meaningful for signed types.
fn signed(a: Scalar) -> i128 {
    match a.ty {
        ScalarTy::Int(ty) => ty.sign_extend(a.bits),
        _ => a.bits as i128,
    }
}

fn concrete_binary(op: BinOp, a: Scalar, b: Scalar) -> u128 {
    let is_signed = a.ty.signedness() == Signedness::Signed;
    let (x, y) = (a.bits, b.bits);
    let amount = (y & u128::from(a.ty.bits().wrapping_sub(1))) as u32;
    let ordering = if is_signed { signed(a).cmp(&signed(b)) } else { x.cmp(&y) };
    match op {
        BinOp::Add => x.wrapping_add(y),
        BinOp::Sub => x.wrapping_sub(y),
        BinOp::Mul => x.wrapping_mul(y),
        BinOp::Div if is_signed => signed(a).wrapping_div(signed(b)) as u128,
        BinOp::Div => x / y,
        BinOp::Rem if is_signed => signed(a).wrapping_rem(signed(b)) as u128,
        BinOp::Rem => x % y,
        BinOp::BitXor => x ^ y,
        BinOp::BitAnd => x & y,
        BinOp::BitOr => x | y,
        BinOp::Shl => x << amount,
        BinOp::Shr if is_signed => (signed(a) >> amount) as u128,
        BinOp::Shr => x >> amount,
        BinOp::Eq => (x == y).into(),
        BinOp::Ne => (x != y).into(),
        BinOp::Lt => ordering.is_lt().into(),
        BinOp::Le => ordering.is_le().into(),
        BinOp::Gt => ordering.is_gt().into(),
        BinOp::Ge => ordering.is_ge().into(),
        BinOp::Cmp | BinOp::Offset => unreachable!("does not give a scalar"),
    }
}

fn overflows(op: BinOp, a: Scalar, b: Scalar) -> bool {
    let bits = a.ty.bits();
    match a.ty.signedness() {
        Signedness::Signed => {
            let (x, y) = (signed(a), signed(b));
            let exact = match op {
                BinOp::Add => x.checked_add(y),
                BinOp::Sub => x.checked_sub(y),
                _ => x.checked_mul(y),
            };
            exact.is_none_or(|value| bits < 128 && (value << (128 - bits)) >> (128 - bits) != value)
        }
        Signedness::Unsigned => {
            let exact = match op {
                BinOp::Add => a.bits.checked_add(b.bits),
                BinOp::Sub => a.bits.checked_sub(b.bits),
                _ => a.bits.checked_mul(b.bits),
            };
            exact.is_none_or(|value| bits < 128 && value >> bits != 0)
        }
    }
}
