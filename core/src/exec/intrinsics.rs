//! What the machine does itself instead of running a body: arithmetic that has no simpler form, lengths, memory moves,
//! panics.
//!
//! Everything else of the standard library is Rust, in the models. Intrinsics are total unless said otherwise.

use std::rc::Rc;

use super::eval::expect_scalar;
use super::machine::Machine;
use super::memory::Location;
use super::run::Stop;
use super::tree::{Scalar, ScalarTy, Tree};
use crate::ir::{BinOp, FnRef, GenericArg, IntTy, Mutability, Ty, TyKind, UnOp};
use crate::value::PanicKind;

/// A callee that the machine knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Intrinsic {
    /// Ends in a panic; the kind is read off the message if none is given.
    Panic(Option<PanicKind>),
    Int(IntTy, IntOp),
    SliceLen,
    /// A pointer that is passed through with another type.
    SamePointer,
    /// The argument itself.
    Identity,
    Swap,
    Replace,
    CloneOf,
    /// `fmt::Arguments` from a literal: kept for the message of a panic.
    FormatLiteral,
    /// Formatting machinery whose result only a panic may use.
    FormatPieces,
    BoxNew,
    Subslice(Mutability),
    SizeOf,
    Forget,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntOp {
    Wrapping(BinOp),
    WrappingNeg,
    Overflowing(BinOp),
    LeadingZeros,
    TrailingZeros,
    CountOnes,
}

/// Recognises a callee.
pub fn classify(fn_ref: &FnRef) -> Option<Intrinsic> {
    match fn_ref {
        FnRef::Inherent { path, .. } => {
            let (owner, method) = path.as_str().rsplit_once("::")?;
            if let Some(ty) = IntTy::from_name(owner) {
                return int_op(method).map(|op| Intrinsic::Int(ty, op));
            }
            match (owner, method) {
                ("[T]" | "str", "len") => Some(Intrinsic::SliceLen),
                ("str", "as_bytes" | "as_bytes_mut") => Some(Intrinsic::SamePointer),
                ("std::fmt::Arguments", "from_str" | "new_const") => Some(Intrinsic::FormatLiteral),
                ("std::fmt::Arguments", _) | ("std::fmt::rt::Argument" | "std::fmt::rt::Placeholder", _) => {
                    Some(Intrinsic::FormatPieces)
                }
                ("std::boxed::Box", "new") => Some(Intrinsic::BoxNew),
                _ => None,
            }
        }
        FnRef::Free { path, .. } => match path.as_str() {
            "std::mem::swap" => Some(Intrinsic::Swap),
            "std::mem::replace" => Some(Intrinsic::Replace),
            "std::mem::forget" => Some(Intrinsic::Forget),
            "std::mem::size_of" => Some(Intrinsic::SizeOf),
            "std::intrinsics::subslice" => Some(Intrinsic::Subslice(Mutability::Shared)),
            "std::intrinsics::subslice_mut" => Some(Intrinsic::Subslice(Mutability::Mut)),
            "std::hint::black_box" | "std::hint::must_use" => Some(Intrinsic::Identity),
            "std::str::from_utf8_unchecked" => Some(Intrinsic::SamePointer),
            "std::rt::panic_fmt" | "std::rt::begin_panic" => Some(Intrinsic::Panic(None)),
            "std::option::unwrap_failed" | "std::result::unwrap_failed" => {
                Some(Intrinsic::Panic(Some(PanicKind::Unwrap)))
            }
            "std::option::expect_failed" => Some(Intrinsic::Panic(None)),
            other if other.starts_with("std::panicking::assert_failed") => {
                Some(Intrinsic::Panic(Some(PanicKind::Explicit)))
            }
            other if other.starts_with("std::panicking::panic_const::") => Some(Intrinsic::Panic(None)),
            "std::panicking::panic_bounds_check" => Some(Intrinsic::Panic(Some(PanicKind::IndexOutOfBounds))),
            other if other.starts_with("std::panicking::") => Some(Intrinsic::Panic(None)),
            _ => None,
        },
        FnRef::Trait { trait_ref, method, .. } => match (trait_ref.path.as_str(), method.as_str()) {
            ("std::clone::Clone", "clone") if is_copy(&trait_ref.self_ty) => Some(Intrinsic::CloneOf),
            _ => None,
        },
    }
}

/// Whether the callee is an intrinsic that always returns.
pub fn is_total(fn_ref: &FnRef) -> bool {
    !matches!(classify(fn_ref), None | Some(Intrinsic::Panic(_)))
}

fn int_op(method: &str) -> Option<IntOp> {
    Some(match method {
        "wrapping_add" => IntOp::Wrapping(BinOp::Add),
        "wrapping_sub" => IntOp::Wrapping(BinOp::Sub),
        "wrapping_mul" => IntOp::Wrapping(BinOp::Mul),
        "wrapping_shl" => IntOp::Wrapping(BinOp::Shl),
        "wrapping_shr" => IntOp::Wrapping(BinOp::Shr),
        "wrapping_neg" => IntOp::WrappingNeg,
        "overflowing_add" => IntOp::Overflowing(BinOp::Add),
        "overflowing_sub" => IntOp::Overflowing(BinOp::Sub),
        "overflowing_mul" => IntOp::Overflowing(BinOp::Mul),
        "leading_zeros" => IntOp::LeadingZeros,
        "trailing_zeros" => IntOp::TrailingZeros,
        "count_ones" => IntOp::CountOnes,
        _ => return None,
    })
}

fn is_copy(ty: &Ty) -> bool {
    match ty.kind() {
        TyKind::Bool
        | TyKind::Char
        | TyKind::Int(_)
        | TyKind::Float(_)
        | TyKind::Ref(Mutability::Shared, _)
        | TyKind::RawPtr(..)
        | TyKind::FnDef(_)
        | TyKind::FnPtr { .. }
        | TyKind::Never => true,
        TyKind::Tuple(tys) => tys.iter().all(is_copy),
        TyKind::Array(ty, _) => is_copy(ty),
        _ => false,
    }
}

/// Carries out an intrinsic; none if it cannot on these arguments and a body should be looked for.
pub fn evaluate(
    machine: &mut Machine<'_, '_, '_>,
    intrinsic: &Intrinsic,
    fn_ref: &FnRef,
    args: &[Tree],
) -> Result<Option<Tree>, Stop> {
    let value = match (intrinsic, args) {
        (Intrinsic::Int(ty, op), _) => int_intrinsic(machine, *ty, *op, args)?,
        (Intrinsic::SliceLen, [Tree::Pointer(pointer)]) => machine.length(&Location::of(pointer))?.into(),
        (Intrinsic::SamePointer | Intrinsic::Identity, [value]) => value.clone(),
        (Intrinsic::Swap, [Tree::Pointer(a), Tree::Pointer(b)]) => {
            let (left, right) = (machine.read(Location::of(a))?, machine.read(Location::of(b))?);
            machine.write(Location::of(a), right)?;
            machine.write(Location::of(b), left)?;
            Tree::unit()
        }
        (Intrinsic::Replace, [Tree::Pointer(place), value]) => {
            let old = machine.read(Location::of(place))?;
            machine.write(Location::of(place), value.clone())?;
            old
        }
        (Intrinsic::CloneOf, [Tree::Pointer(place)]) => machine.read(Location::of(place))?,
        (Intrinsic::FormatLiteral, [text]) => arguments(vec![text.clone()]),
        (Intrinsic::FormatPieces, _) => arguments(Vec::new()),
        (Intrinsic::BoxNew, [value]) => {
            let alloc = machine.memory.allocate(value.clone());
            Tree::Pointer(Location::root(alloc).pointer(Mutability::Mut))
        }
        (Intrinsic::Subslice(mutability), [Tree::Pointer(pointer), from, to]) => {
            let (from, to) = (expect_scalar(from.clone())?, expect_scalar(to.clone())?);
            let location = Location::of(pointer);
            let part = machine.subslice(location, from, to)?;
            Tree::Pointer(part.pointer(*mutability))
        }
        (Intrinsic::SizeOf, []) => match fn_ref {
            FnRef::Free { args, .. } => match args.first() {
                Some(GenericArg::Ty(ty)) => Scalar::usize(machine.size_of(ty)?).into(),
                _ => return Ok(None),
            },
            _ => return Ok(None),
        },
        (Intrinsic::Forget, [_]) => Tree::unit(),
        _ => return Ok(None),
    };
    Ok(Some(value))
}

/// A `fmt::Arguments` that knows at most its literal.
fn arguments(fields: Vec<Tree>) -> Tree {
    Tree::Struct { ty: Ty::adt("std::fmt::Arguments", Vec::new()), fields: Rc::new(fields) }
}

fn int_intrinsic(
    machine: &mut Machine<'_, '_, '_>,
    ty: IntTy,
    op: IntOp,
    args: &[Tree],
) -> Result<Tree, Stop> {
    let operands = args.iter().cloned().map(expect_scalar).collect::<Result<Vec<Scalar>, _>>()?;
    match (op, operands.as_slice()) {
        (IntOp::Wrapping(op), [a, b]) => Ok(machine.run.binary(op, *a, *b)?.into()),
        (IntOp::WrappingNeg, [a]) => Ok(machine.unary_scalar(UnOp::Neg, *a)?.into()),
        (IntOp::Overflowing(op), [a, b]) => {
            let (value, overflowed) = machine.run.checked_binary(op, *a, *b)?;
            Ok(Tree::tuple(vec![value.into(), overflowed.into()]))
        }
        (IntOp::LeadingZeros | IntOp::TrailingZeros | IntOp::CountOnes, [a]) => {
            Ok(count_bits(machine, ty, op, *a).into())
        }
        _ => Err(Stop::Unsupported(format!("{ty}: {op:?} with {} arguments", operands.len()))),
    }
}

/// Bit counts as sums and selections over the bits, so that they are terms.
fn count_bits(machine: &mut Machine<'_, '_, '_>, ty: IntTy, op: IntOp, a: Scalar) -> Scalar {
    let width = ty.bits();
    let result_ty = ScalarTy::Int(IntTy::U32);
    let concrete = match op {
        IntOp::CountOnes => a.bits.count_ones(),
        IntOp::LeadingZeros => a.bits.leading_zeros() - (128 - width),
        _ => a.bits.trailing_zeros().min(width),
    };
    let Some(term) = a.term else {
        return Scalar { slice: a.slice, ..Scalar::concrete(result_ty, concrete.into()) };
    };
    let pool = &mut *machine.run.pool;
    let one_bit = pool.bv_const(1, 1);
    let mut count = match op {
        IntOp::CountOnes => pool.bv_const(0, 32),
        _ => pool.bv_const(width.into(), 32),
    };
    for position in 0..width {
        // Leading zeros: a higher set bit overrides a lower one, so go upwards; trailing zeros the other way round.
        let index = if op == IntOp::TrailingZeros { width - 1 - position } else { position };
        let bit = pool.extract(term, index as u16, index as u16);
        count = match op {
            IntOp::CountOnes => {
                let bit = pool.zext(bit, 32);
                pool.add(count, bit)
            }
            _ => {
                let set = pool.eq(bit, one_bit);
                let zeros = if op == IntOp::LeadingZeros { width - 1 - index } else { index };
                let zeros = pool.bv_const(zeros.into(), 32);
                pool.ite(set, zeros, count)
            }
        };
    }
    machine.run.scalar(result_ty, concrete.into(), count, a.slice)
}
