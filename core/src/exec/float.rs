//! Arithmetic on floats. All NaNs are one here (see [`crate::term::float`]): what would read the bits or the sign of a
//! NaN makes being one a branch of its own, and stops there.

use super::machine::Machine;
use super::run::{Run, Stop};
use super::terms;
use super::tree::{Scalar, ScalarTy};
use crate::ir::{BinOp, FloatTy, IntTy, Ty, TyKind, UnOp};
use crate::term::{FloatOp, LibmFn, TermId, float};
use crate::verdict::Approximation;
use crate::verdict::unsupported::{OnNumbers, Unsupported};

/// What the machine does itself of the methods of `f32` and `f64`; the others are models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatMethod {
    Round(FloatOp),
    Abs,
    ToBits,
    FromBits,
}

impl FloatMethod {
    pub fn named(method: &str) -> Option<FloatMethod> {
        Some(match method {
            "sqrt" => FloatMethod::Round(FloatOp::Sqrt),
            "floor" => FloatMethod::Round(FloatOp::Floor),
            "ceil" => FloatMethod::Round(FloatOp::Ceil),
            "trunc" => FloatMethod::Round(FloatOp::Trunc),
            "round" => FloatMethod::Round(FloatOp::Round),
            "round_ties_even" => FloatMethod::Round(FloatOp::RoundTiesEven),
            "abs" => FloatMethod::Abs,
            "to_bits" => FloatMethod::ToBits,
            "from_bits" => FloatMethod::FromBits,
            "mul_add" => FloatMethod::Round(FloatOp::MulAdd),
            _ => FloatMethod::Round(FloatOp::Libm(LibmFn::named(method)?)),
        })
    }

    /// How many arguments it takes, all of them scalars.
    pub fn arity(self) -> usize {
        match self {
            FloatMethod::Round(FloatOp::MulAdd) => 3,
            FloatMethod::Round(FloatOp::Libm(function)) => function.arity(),
            _ => 1,
        }
    }
}

pub fn float_ty(name: &str) -> Option<FloatTy> {
    match name {
        "f32" => Some(FloatTy::F32),
        "f64" => Some(FloatTy::F64),
        _ => None,
    }
}

impl Run<'_> {
    /// A scalar whose bits on this run are those of its term.
    fn float_scalar(&mut self, ty: ScalarTy, args: &[Scalar], concrete: u128, term: TermId) -> Scalar {
        let slice = args.iter().fold(args[0].slice, |slice, arg| self.union(slice, arg.slice));
        self.scalar(ty, concrete, term, slice)
    }

    pub fn float_operation(&mut self, op: FloatOp, ty: FloatTy, to: ScalarTy, args: &[Scalar]) -> Scalar {
        let bits: Vec<u128> = args.iter().map(|arg| arg.bits).collect();
        let concrete = float::apply(op, ty, &bits, args[0].ty.bits() as u16);
        let terms: Vec<TermId> = args.iter().map(|arg| self.term(arg)).collect();
        let term = self.pool.float(op, ty, &terms);
        self.float_scalar(to, args, concrete, term)
    }

    pub fn float_binary(&mut self, op: BinOp, ty: FloatTy, a: Scalar, b: Scalar) -> Result<Scalar, Stop> {
        let Some(operation) = terms::float_operation(op) else {
            return self.float_comparison(op, ty, a, b);
        };
        Ok(self.float_operation(operation, ty, ScalarTy::Float(ty), &[a, b]))
    }

    fn float_comparison(&mut self, op: BinOp, ty: FloatTy, a: Scalar, b: Scalar) -> Result<Scalar, Stop> {
        let (x, y) = (self.term(&a), self.term(&b));
        let (v, w) = (value(ty, a.bits), value(ty, b.bits));
        let concrete = match op {
            BinOp::Eq => v == w,
            BinOp::Ne => v != w,
            BinOp::Lt => v < w,
            BinOp::Le => v <= w,
            BinOp::Gt => v > w,
            _ => v >= w,
        };
        let Some(term) = terms::float_comparison(self.pool, op, ty, x, y) else {
            return Err(Stop::Unsupported(Unsupported::Numbers(OnNumbers::OnFloats(op))));
        };
        Ok(self.float_scalar(ScalarTy::Bool, &[a, b], concrete.into(), term))
    }

    pub fn float_unary(&mut self, op: UnOp, ty: FloatTy, a: Scalar) -> Result<Scalar, Stop> {
        let UnOp::Neg = op else {
            return Err(Stop::Unsupported(Unsupported::Numbers(OnNumbers::OfFloat(op))));
        };
        let term = self.term(&a);
        let negated = self.pool.float_neg(ty, term);
        Ok(self.float_scalar(a.ty, &[a], ty.canonical(a.bits ^ ty.sign_bit()), negated))
    }

    /// The float with the bits of an integer.
    pub fn float_of_bits(&mut self, ty: FloatTy, a: Scalar) -> Scalar {
        let term = self.term(&a);
        let made = self.pool.float_of_bits(ty, term);
        self.float_scalar(ScalarTy::Float(ty), &[a], ty.canonical(a.bits), made)
    }
}

fn value(ty: FloatTy, bits: u128) -> f64 {
    match ty {
        FloatTy::F32 => f32::from_bits(bits as u32).into(),
        FloatTy::F64 => f64::from_bits(bits as u64),
    }
}

impl Machine<'_, '_, '_> {
    /// The bits of a float that is a number; which NaN another one is, is not known.
    pub(super) fn float_bits(&mut self, ty: FloatTy, a: Scalar, to: ScalarTy) -> Result<Scalar, Stop> {
        let term = self.run.term(&a);
        let is_nan = self.run.pool.float_is_nan(ty, term);
        let is_nan = self.run.float_scalar(ScalarTy::Bool, &[a], ty.is_nan(a.bits).into(), is_nan);
        if self.concretize(is_nan)?.bits != 0 {
            return Err(Stop::Unsupported(Unsupported::Numbers(OnNumbers::BitsOfNan)));
        }
        Ok(Scalar { ty: to, ..a })
    }

    /// Carries out a method on as many arguments as it takes.
    pub(super) fn float_method(
        &mut self,
        ty: FloatTy,
        method: FloatMethod,
        args: &[Scalar],
    ) -> Result<Scalar, Stop> {
        let int = match ty {
            FloatTy::F32 => IntTy::U32,
            FloatTy::F64 => IntTy::U64,
        };
        let a = args[0];
        Ok(match method {
            FloatMethod::Round(op) => {
                if let FloatOp::Libm(function) = op {
                    let function = format!("{}::{}", Ty::new(TyKind::Float(ty)), function.name());
                    self.run.approximations.push(Approximation::UnspecifiedPrecision { function });
                }
                self.run.float_operation(op, ty, ScalarTy::Float(ty), args)
            }
            FloatMethod::Abs => {
                let term = self.run.term(&a);
                let magnitude = self.run.pool.float_abs(ty, term);
                self.run.float_scalar(a.ty, &[a], a.bits & ty.magnitude_mask(), magnitude)
            }
            FloatMethod::ToBits => self.float_bits(ty, a, ScalarTy::Int(int))?,
            FloatMethod::FromBits => self.run.float_of_bits(ty, a),
        })
    }
}
