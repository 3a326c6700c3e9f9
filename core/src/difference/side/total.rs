//! Calls that neither write, panic nor read anything but their arguments: operations like any other.

use super::*;
use crate::exec::float::{self, FloatMethod};

impl Side<'_, '_> {
    /// What a call gives that neither writes, panics nor reads anything but its arguments; none for any other.
    pub(super) fn total(
        &mut self,
        callee: &FnRef,
        args: &[Operand],
        operands: &[Number],
    ) -> Result<Option<Number>, Obstacle> {
        let FnRef::Inherent { path, .. } = callee else { return Ok(None) };
        let Some((owner, name)) = path.as_str().rsplit_once("::") else { return Ok(None) };
        let is_scalar = |arg: &Operand| self.operand_ty(arg).is_some_and(|ty| scalar_of(&ty).is_some());
        if !args.iter().all(is_scalar) {
            return Ok(None);
        }
        let is_int = IntTy::from_name(owner).is_some();
        if let (Some(op), true, [a, b]) = (wrapping(name), is_int, args) {
            return self.binary(op, a, b).map(Some);
        }
        if let (Some(ty), Some(method)) = (float::float_ty(owner), FloatMethod::named(name))
            && let Some(value) = self.float_method(ty, method, operands)
        {
            return Ok(Some(value));
        }
        let is_total = match owner {
            "f32" | "f64" => TOTAL_ON_FLOATS.contains(&name),
            _ if is_int => TOTAL_ON_INTS.iter().any(|start| name.starts_with(start)),
            "char" => TOTAL_ON_CHARS.contains(&name),
            _ => false,
        };
        if !is_total {
            return Ok(None);
        }
        Ok(Some(self.apply(Operator::Total(callee.clone()), operands.to_vec())))
    }
}

impl Side<'_, '_> {
    /// What rounds as IEEE says, as a term; none where its bits are not known.
    fn float_method(&mut self, ty: FloatTy, method: FloatMethod, operands: &[Number]) -> Option<Number> {
        if self.code.floats == Floats::ToTheBit || operands.len() != method.arity() {
            return None;
        }
        let sort = ScalarTy::Float(ty).sort();
        let operands: Vec<TermId> =
            operands.iter().map(|operand| self.numbers.as_term(*operand, sort)).collect::<Option<_>>()?;
        let pool = &mut self.numbers.pool;
        let term = match method {
            FloatMethod::Abs => pool.float_abs(ty, operands[0]),
            // Of no fixed precision: the same for the same arguments, and no more.
            FloatMethod::Round(FloatOp::Libm(_)) | FloatMethod::ToBits | FloatMethod::FromBits => {
                return None;
            }
            FloatMethod::Round(op) => pool.float(op, ty, &operands),
        };
        Some(self.numbers.term(term))
    }
}

/// Methods of floats that give a result for all arguments.
const TOTAL_ON_FLOATS: &[&str] = &[
    "abs",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "exp",
    "exp2",
    "exp_m1",
    "floor",
    "fract",
    "hypot",
    "is_finite",
    "is_infinite",
    "is_nan",
    "is_normal",
    "is_sign_negative",
    "is_sign_positive",
    "ln",
    "ln_1p",
    "log",
    "log10",
    "log2",
    "max",
    "min",
    "mul_add",
    "powf",
    "powi",
    "recip",
    "round",
    "signum",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "to_degrees",
    "to_radians",
    "trunc",
];

/// Starts of the names of methods of integers that give a result for all arguments.
const TOTAL_ON_INTS: &[&str] = &[
    "checked_",
    "count_ones",
    "count_zeros",
    "leading_",
    "overflowing_add",
    "overflowing_mul",
    "overflowing_neg",
    "overflowing_sub",
    "reverse_bits",
    "rotate_",
    "saturating_add",
    "saturating_mul",
    "saturating_sub",
    "signum",
    "swap_bytes",
    "to_be",
    "to_le",
    "trailing_",
    "unsigned_abs",
    "wrapping_abs",
    "wrapping_neg",
];

const TOTAL_ON_CHARS: &[&str] = &[
    "is_alphabetic",
    "is_alphanumeric",
    "is_ascii",
    "is_control",
    "is_lowercase",
    "is_numeric",
    "is_uppercase",
    "is_whitespace",
    "len_utf16",
    "len_utf8",
    "to_ascii_lowercase",
    "to_ascii_uppercase",
];

fn wrapping(name: &str) -> Option<BinOp> {
    Some(match name {
        "wrapping_add" => BinOp::Add,
        "wrapping_sub" => BinOp::Sub,
        "wrapping_mul" => BinOp::Mul,
        _ => return None,
    })
}
