//! What MIR's operators on scalars are as terms.
//!
//! A `bool` is a Boolean term, every other scalar the bit vector of its bits.

use super::tree::ScalarTy;
use crate::ir::{BinOp, FloatTy, Signedness, UnOp};
use crate::term::{FloatOp, TermId, TermPool};

/// `x op y` of two scalars that are no floats; arithmetic wraps, and the amount of a shift is one that [`shift_amount`] made.
pub fn binary(pool: &mut TermPool, op: BinOp, ty: ScalarTy, x: TermId, y: TermId) -> TermId {
    let signed = ty.signedness() == Signedness::Signed;
    if ty == ScalarTy::Bool {
        return match op {
            BinOp::Eq => pool.eq(x, y),
            BinOp::Ne | BinOp::BitXor => pool.xor_bool(x, y),
            BinOp::BitAnd => pool.and(x, y),
            BinOp::BitOr => pool.or(x, y),
            BinOp::Lt => {
                let not_x = pool.not(x);
                pool.and(not_x, y)
            }
            BinOp::Le => pool.implies(x, y),
            BinOp::Gt => {
                let not_y = pool.not(y);
                pool.and(x, not_y)
            }
            BinOp::Ge => pool.implies(y, x),
            _ => unreachable!("no arithmetic on bool"),
        };
    }
    match op {
        BinOp::Add => pool.add(x, y),
        BinOp::Sub => pool.sub(x, y),
        BinOp::Mul => pool.mul(x, y),
        BinOp::Div if signed => pool.sdiv(x, y),
        BinOp::Div => pool.udiv(x, y),
        BinOp::Rem if signed => pool.srem(x, y),
        BinOp::Rem => pool.urem(x, y),
        BinOp::BitXor => pool.bvxor(x, y),
        BinOp::BitAnd => pool.bvand(x, y),
        BinOp::BitOr => pool.bvor(x, y),
        BinOp::Shl => pool.shl(x, y),
        BinOp::Shr if signed => pool.ashr(x, y),
        BinOp::Shr => pool.lshr(x, y),
        BinOp::Eq => pool.eq(x, y),
        BinOp::Ne => pool.ne(x, y),
        BinOp::Lt if signed => pool.slt(x, y),
        BinOp::Lt => pool.ult(x, y),
        BinOp::Le if signed => pool.sle(x, y),
        BinOp::Le => pool.ule(x, y),
        BinOp::Gt if signed => pool.sgt(x, y),
        BinOp::Gt => pool.ugt(x, y),
        BinOp::Ge if signed => pool.sge(x, y),
        BinOp::Ge => pool.uge(x, y),
        BinOp::Cmp | BinOp::Offset => unreachable!("does not give a scalar"),
    }
}

/// The amount of a shift of a value of type `ty`: masked to its width, in its width.
pub fn shift_amount(pool: &mut TermPool, ty: ScalarTy, amount_ty: ScalarTy, amount: TermId) -> TermId {
    let bits = ty.bits();
    let narrowed = resize(pool, amount, amount_ty.bits(), bits, Signedness::Unsigned);
    let mask = pool.bv_const(u128::from(bits - 1), bits as u16);
    pool.bvand(narrowed, mask)
}

/// Whether `x op y` overflows; none for another operator than `Add`, `Sub` and `Mul`.
pub fn overflow(pool: &mut TermPool, op: BinOp, ty: ScalarTy, x: TermId, y: TermId) -> Option<TermId> {
    let signedness = ty.signedness();
    match op {
        BinOp::Add => Some(pool.add_overflows(x, y, signedness)),
        BinOp::Sub => Some(pool.sub_overflows(x, y, signedness)),
        BinOp::Mul => Some(pool.mul_overflows(x, y, signedness)),
        _ => None,
    }
}

/// `op x` of a scalar that is no float.
pub fn unary(pool: &mut TermPool, op: UnOp, ty: ScalarTy, x: TermId) -> TermId {
    match (op, ty) {
        (UnOp::Not, ScalarTy::Bool) => pool.not(x),
        (UnOp::Not, _) => pool.bvnot(x),
        (UnOp::Neg, _) => pool.neg(x),
    }
}

/// A cast between integers, `char` and `bool`: truncates, or extends by the signedness of the source.
pub fn int_to_int(pool: &mut TermPool, from: ScalarTy, to: ScalarTy, x: TermId) -> TermId {
    match (from, to) {
        (ScalarTy::Bool, ScalarTy::Bool) => x,
        (ScalarTy::Bool, _) => {
            let width = to.bits() as u16;
            let (one, zero) = (pool.bv_const(1, width), pool.bv_const(0, width));
            pool.ite(x, one, zero)
        }
        (_, ScalarTy::Bool) => {
            let zero = pool.bv_const(0, from.bits() as u16);
            pool.ne(x, zero)
        }
        _ => resize(pool, x, from.bits(), to.bits(), from.signedness()),
    }
}

fn resize(pool: &mut TermPool, term: TermId, from: u32, to: u32, signedness: Signedness) -> TermId {
    match (to.cmp(&from), signedness) {
        (std::cmp::Ordering::Equal, _) => term,
        (std::cmp::Ordering::Less, _) => pool.extract(term, to as u16 - 1, 0),
        (std::cmp::Ordering::Greater, Signedness::Signed) => pool.sext(term, to as u16),
        (std::cmp::Ordering::Greater, Signedness::Unsigned) => pool.zext(term, to as u16),
    }
}

/// Arithmetic on floats; none for a comparison.
pub fn float_operation(op: BinOp) -> Option<FloatOp> {
    Some(match op {
        BinOp::Add => FloatOp::Add,
        BinOp::Sub => FloatOp::Sub,
        BinOp::Mul => FloatOp::Mul,
        BinOp::Div => FloatOp::Div,
        BinOp::Rem => FloatOp::Rem,
        _ => return None,
    })
}

/// A comparison of floats; none for another operator.
pub fn float_comparison(pool: &mut TermPool, op: BinOp, ty: FloatTy, x: TermId, y: TermId) -> Option<TermId> {
    Some(match op {
        BinOp::Eq => pool.float_eq(ty, x, y),
        BinOp::Ne => {
            let equal = pool.float_eq(ty, x, y);
            pool.not(equal)
        }
        BinOp::Lt => pool.float_lt(ty, x, y),
        BinOp::Le => pool.float_le(ty, x, y),
        BinOp::Gt => pool.float_lt(ty, y, x),
        BinOp::Ge => pool.float_le(ty, y, x),
        _ => return None,
    })
}
