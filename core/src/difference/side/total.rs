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
        let path = match callee {
            FnRef::Inherent { path, .. } => path,
            FnRef::Trait { trait_ref, method, .. } => {
                return Ok(self.total_of_trait(trait_ref, method.as_str(), operands));
            }
            FnRef::Free { .. } => return Ok(None),
        };
        let Some((owner, name)) = path.as_str().rsplit_once("::") else { return Ok(None) };
        if let [pointer] = operands
            && let Some(value) = self.total_of_sequence(owner, name, *pointer)
        {
            return Ok(Some(value));
        }
        let is_scalar = |arg: &Operand| self.operand_ty(arg).is_some_and(|ty| scalar_of(&ty).is_some());
        if !args.iter().all(is_scalar) {
            return Ok(None);
        }
        let is_int = IntTy::from_name(owner).is_some();
        if let (Some(op), true, [a, b]) = (wrapping(name), is_int, args) {
            return self.binary(op, a, b).map(Some);
        }
        if let (Some(ty), "is_nan", [value]) = (float::float_ty(owner), name, operands) {
            let value = self.numbers.as_term(*value, ScalarTy::Float(ty).sort());
            let is_nan = value.map(|value| self.numbers.pool.float_is_nan(ty, value));
            return Ok(is_nan.map(|is_nan| self.numbers.term(is_nan)));
        }
        if let (Some(ty), Some(method)) = (float::float_ty(owner), FloatMethod::named(name))
            && let Some(value) = self.float_method(ty, method, operands)
        {
            return Ok(Some(value));
        }
        if let (true, "wrapping_neg", [a]) = (is_int, name, args) {
            return self.unary(UnOp::Neg, a).map(Some);
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
    /// The same of a method of one of the library's traits: conversions, comparisons and copies of scalars, and iterators as iterators.
    fn total_of_trait(&mut self, of: &TraitRef, method: &str, operands: &[Number]) -> Option<Number> {
        let scalar_arg = || match of.args.first() {
            Some(GenericArg::Ty(ty)) => scalar_of(ty),
            _ => None,
        };
        let this = scalar_of(&of.self_ty);
        match (of.path.as_str(), method, this, operands) {
            // Each type is made of itself as it is.
            ("std::convert::From", "from", _, [value]) | ("std::convert::Into", "into", _, [value])
                if of.args == [GenericArg::Ty(of.self_ty.clone())] =>
            {
                Some(*value)
            }
            ("std::convert::From", "from", Some(to), [value]) => self.converted(scalar_arg()?, to, *value),
            ("std::convert::Into", "into", Some(from), [value]) => {
                self.converted(from, scalar_arg()?, *value)
            }
            ("std::ops::Deref", "deref", None, [pointer]) => self.contents(&of.self_ty, *pointer),
            ("std::clone::Clone", "clone", Some(ty), [pointer]) => self.scalar_behind(*pointer, ty),
            ("std::cmp::PartialEq" | "std::cmp::PartialOrd", _, Some(ty), [a, b]) => {
                let is_of_same = of.args.is_empty() || scalar_arg() == Some(ty);
                let op = comparison(method).filter(|_| is_of_same)?;
                self.compared(op, ty, *a, *b)
            }
            ("std::cmp::Ord", "min" | "max", Some(ty), [a, b]) => {
                let (x, y) = (self.numbers.as_term(*a, ty.sort())?, self.numbers.as_term(*b, ty.sort())?);
                let pool = &mut self.numbers.pool;
                let is_less = terms::binary(pool, BinOp::Le, ty, x, y);
                let term = if method == "min" { pool.ite(is_less, x, y) } else { pool.ite(is_less, y, x) };
                Some(self.numbers.term(term))
            }
            ("std::iter::IntoIterator", "into_iter", None, [value]) => {
                is_std_iterator(&of.self_ty).then_some(*value)
            }
            _ => None,
        }
    }

    /// Lengths of slices and texts, and the elements that a `Vec` or `String` owns.
    fn total_of_sequence(&mut self, owner: &str, name: &str, pointer: Number) -> Option<Number> {
        let elements = match owner {
            "[T]" | "str" => pointer,
            "std::vec::Vec" | "std::string::String" => self.contents_behind(pointer)?,
            _ => return None,
        };
        if matches!((owner, name), ("std::vec::Vec", "as_slice") | ("std::string::String", "as_str")) {
            return Some(elements);
        }
        let length = self.apply(Operator::Metadata, vec![elements]);
        let ty = ScalarTy::Int(IntTy::Usize);
        let term = self.numbers.as_term(length, ty.sort())?;
        let pool = &mut self.numbers.pool;
        let term = match name {
            "len" => term,
            "is_empty" => {
                let zero = pool.bv_const(0, ty.bits() as u16);
                pool.eq(term, zero)
            }
            _ => return None,
        };
        Some(self.numbers.term(term))
    }

    /// The pointer to the elements of what the pointer of this type leads to.
    fn contents(&mut self, ty: &Ty, pointer: Number) -> Option<Number> {
        match ty.kind() {
            TyKind::Adt(path, _) if ["std::vec::Vec", "std::string::String"].contains(&path.as_str()) => {
                self.contents_behind(pointer)
            }
            _ => None,
        }
    }

    fn contents_behind(&mut self, pointer: Number) -> Option<Number> {
        let location = self.behind(pointer).ok()?;
        let value = self.read(&location).ok()?;
        Some(self.apply(Operator::Contents, vec![value]))
    }

    /// A conversion that loses nothing; none where the bits of a NaN may change.
    fn converted(&mut self, from: ScalarTy, to: ScalarTy, value: Number) -> Option<Number> {
        if from == to {
            return Some(value);
        }
        let x = self.numbers.as_term(value, from.sort())?;
        let pool = &mut self.numbers.pool;
        let term = match (from, to) {
            (ScalarTy::Float(from), ScalarTy::Float(_)) if self.code.floats == Floats::UpToNan => {
                pool.float(FloatOp::Convert, from, &[x])
            }
            (ScalarTy::Int(_), ScalarTy::Float(to)) => {
                pool.float(FloatOp::FromInt(from.signedness()), to, &[x])
            }
            (ScalarTy::Float(_), _) | (_, ScalarTy::Float(_)) => return None,
            _ => terms::int_to_int(pool, from, to, x),
        };
        Some(self.numbers.term(term))
    }

    fn scalar_behind(&mut self, pointer: Number, ty: ScalarTy) -> Option<Number> {
        let location = self.behind(pointer).ok()?;
        let value = self.read(&location).ok()?;
        Some(self.numbers.typed(value, Some(ty)))
    }

    fn compared(&mut self, op: BinOp, ty: ScalarTy, a: Number, b: Number) -> Option<Number> {
        let (a, b) = (self.scalar_behind(a, ty)?, self.scalar_behind(b, ty)?);
        let (x, y) = (self.numbers.as_term(a, ty.sort())?, self.numbers.as_term(b, ty.sort())?);
        let pool = &mut self.numbers.pool;
        let term = match ty {
            ScalarTy::Float(ty) => terms::float_comparison(pool, op, ty, x, y),
            _ => Some(terms::binary(pool, op, ty, x, y)),
        };
        term.map(|term| self.numbers.term(term))
    }

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

fn comparison(method: &str) -> Option<BinOp> {
    Some(match method {
        "eq" => BinOp::Eq,
        "ne" => BinOp::Ne,
        "lt" => BinOp::Lt,
        "le" => BinOp::Le,
        "gt" => BinOp::Gt,
        "ge" => BinOp::Ge,
        _ => return None,
    })
}

/// Iterators of the library, which are what they are turned into.
fn is_std_iterator(ty: &Ty) -> bool {
    const STARTS: &[&str] = &[
        "std::iter::",
        "std::ops::Range",
        "std::slice::Iter",
        "std::str::Bytes",
        "std::str::CharIndices",
        "std::str::Chars",
        "std::vec::IntoIter",
    ];
    let path = match ty.kind() {
        TyKind::Adt(path, _) => path.as_str(),
        _ => return false,
    };
    // A range without a beginning is no iterator.
    STARTS.iter().any(|start| path.starts_with(start))
        && !path.contains("RangeTo")
        && !path.contains("RangeFull")
}

fn wrapping(name: &str) -> Option<BinOp> {
    Some(match name {
        "wrapping_add" => BinOp::Add,
        "wrapping_sub" => BinOp::Sub,
        "wrapping_mul" => BinOp::Mul,
        _ => return None,
    })
}
