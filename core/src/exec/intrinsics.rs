//! What the machine does itself instead of running a body: arithmetic that has no simpler form, lengths, memory moves,
//! panics.
//!
//! Everything else of the standard library is Rust, in the models. Intrinsics are total unless said otherwise.

use std::fmt;
use std::rc::Rc;

use super::builtins;
use super::eval::expect_scalar;
use super::float::FloatMethod;
use super::machine::Machine;
use super::memory::{Location, add_slice};
use super::memory_ops::{self, MemoryOp};
use super::questions::{self, Question};
use super::run::Stop;
use super::slice::SliceId;
use super::tree::{Pointer, Scalar, ScalarTy, SeenAs, Tree, Window};
use super::unicode;
use crate::ir::{BinOp, FloatTy, FnRef, GenericArg, IntTy, KnownType, Mutability, Ty, TyKind, UnOp};
use crate::value::PanicKind;
use crate::verdict::unsupported::{CallTrouble, OnNumbers, Unsupported, Use};

/// A callee that the machine knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Intrinsic {
    /// Ends in a panic; the kind is read off the message if none is given.
    Panic(Option<PanicKind>),
    Int(IntTy, IntOp),
    Float(FloatTy, FloatMethod),
    SliceLen,
    /// `u32 -> char`, known to be one.
    CharOf,
    /// `&str -> f64`, known to be one: of the text of this run, which other inputs need not have.
    FloatOfText(FloatTy),
    /// Whether a trait object is a `String`.
    IsText,
    /// `(f64, notation, precision) -> &str`: as the number of this run is shown.
    DigitsOfFloat(FloatTy),
    /// Whether `{:?}` shows a character as it is.
    ShownAsItIs,
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
    /// `(&mut [T], mid) -> (&mut [T], &mut [T])`
    SplitMut,
    /// `&T -> &[T]`
    SliceOfOne,
    /// `[T; N] -> [Option<T>; N]`, or the same of a `Vec`.
    SeqToOptions,
    /// The inverse; every element is `Some`.
    SeqFromOptions,
    /// `() -> [None; N]`
    ArrayOfNone,
    /// The end of what the models cover.
    Unmodelled,
    Seq(SeqOp),
    SizeOf,
    /// What a model asks about its types.
    Asks(Question),
    Forget,
    Memory(MemoryOp),
}

/// Operations on `Vec` and `String`, both sequences here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeqOp {
    New,
    Push,
    Pop,
    Len,
    /// A slice or `str` of all of it.
    View(Mutability),
    PushStr,
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

/// Whether the machine has a meaning of its own for the callee.
pub fn knows(fn_ref: &FnRef) -> bool {
    !matches!(builtins::classify(fn_ref), None | Some(Intrinsic::Unmodelled))
}

/// Whether the callee is an intrinsic that calls nothing: of its types it runs no more than `Drop`.
pub fn calls_nothing(fn_ref: &FnRef) -> bool {
    !matches!(builtins::classify(fn_ref), None | Some(Intrinsic::Unmodelled | Intrinsic::Panic(_)))
}

/// Whether the callee is an intrinsic that always returns.
pub fn is_total(fn_ref: &FnRef) -> bool {
    match builtins::classify(fn_ref) {
        None | Some(Intrinsic::Panic(_) | Intrinsic::Unmodelled) => false,
        Some(Intrinsic::Memory(op)) => memory_ops::is_total(op),
        Some(_) => true,
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
        (Intrinsic::Float(ty, method), _) if args.len() == method.arity() => {
            let args: Vec<Scalar> = args.iter().cloned().map(expect_scalar).collect::<Result<_, _>>()?;
            machine.float_method(*ty, *method, &args)?.into()
        }
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
        (Intrinsic::SplitMut, [Tree::Pointer(pointer), mid]) => {
            let mid = expect_scalar(mid.clone())?;
            let location = Location::of(pointer);
            let len = machine.length(&location)?;
            let left = machine.subslice(location.clone(), Scalar::usize(0), mid)?;
            let right = machine.subslice(location, mid, len)?;
            Tree::tuple(vec![
                Tree::Pointer(left.pointer(Mutability::Mut)),
                Tree::Pointer(right.pointer(Mutability::Mut)),
            ])
        }
        (Intrinsic::SliceOfOne, [Tree::Pointer(pointer)]) => {
            // A copy will do: nothing is written through a shared reference.
            let value = machine.read(Location::of(pointer))?;
            let alloc = machine.memory.allocate(Tree::array(vec![value]));
            let mut location = Location::root(alloc);
            location.window = Some(Window { start: Scalar::usize(0), len: Scalar::usize(1) });
            Tree::Pointer(location.pointer(Mutability::Shared))
        }
        (Intrinsic::CharOf, [Tree::Scalar(code)]) => Scalar { ty: ScalarTy::Char, ..*code }.into(),
        (Intrinsic::FloatOfText(ty), [text]) => float_of_text(machine, *ty, text)?.into(),
        (Intrinsic::IsText, [Tree::Pointer(pointer)]) => {
            let is_string = |ty: &Ty| matches!(ty.kind(), TyKind::Adt(path, _) if path == KnownType::String);
            Scalar::bool(matches!(&pointer.target.seen_as, SeenAs::Dyn(ty) if is_string(ty))).into()
        }
        (Intrinsic::DigitsOfFloat(ty), [number, notation, precision]) => {
            digits_of_float(machine, *ty, [number, notation, precision])?
        }
        (Intrinsic::ShownAsItIs, [Tree::Scalar(c)]) => unicode::shown_as_it_is(machine.run, *c).into(),
        (Intrinsic::SeqToOptions, [Tree::Seq { elems, len }]) => {
            let ty = option_of(fn_ref)?;
            let some = |elem: &Tree| Tree::Enum {
                ty: ty.clone(),
                tag: Scalar::concrete(ScalarTy::Tag, 1),
                fields: Rc::new(vec![elem.clone()]),
            };
            Tree::Seq { elems: Rc::new(elems.iter().map(some).collect()), len: *len }
        }
        (Intrinsic::SeqFromOptions, [Tree::Seq { elems, len }]) => {
            let inner = |elem: &Tree| match elem {
                Tree::Enum { tag: Scalar { term: None, bits: 1, slice, .. }, fields, .. }
                    if fields.len() == 1 =>
                {
                    Ok(add_slice(machine.run, fields[0].clone(), *slice))
                }
                _ => Err(Stop::Unsupported(Unsupported::PartialSequence)),
            };
            let elems = elems.iter().map(inner).collect::<Result<Vec<_>, _>>()?;
            Tree::Seq { elems: Rc::new(elems), len: *len }
        }
        (Intrinsic::ArrayOfNone, []) => {
            let FnRef::Free { args, .. } = fn_ref else { return Ok(None) };
            let Some(GenericArg::Const(count)) = args.get(1) else { return Ok(None) };
            let Some(count) = count.as_index().filter(|count| *count <= 1 << 12) else { return Ok(None) };
            let none = Tree::Enum {
                ty: option_of(fn_ref)?,
                tag: Scalar::concrete(ScalarTy::Tag, 0),
                fields: Rc::default(),
            };
            Tree::array(vec![none; count as usize])
        }
        (Intrinsic::Unmodelled, _) => {
            let is_told = matches!(fn_ref, FnRef::Free { path, .. } if path == "std::intrinsics::unmodelled");
            return Err(match args.first().filter(|_| is_told).and_then(|on| machine.text(on)) {
                Some(on) => Stop::RestrictedModel { on },
                None => Stop::OpaqueCall { callee: fn_ref.to_string() },
            });
        }
        (Intrinsic::Seq(op), _) => match seq_intrinsic(machine, *op, fn_ref, args)? {
            Some(value) => value,
            None => return Ok(None),
        },
        (Intrinsic::SizeOf, []) => match fn_ref {
            FnRef::Free { args, .. } => match args.first() {
                Some(GenericArg::Ty(ty)) => Scalar::usize(machine.size_of(ty)?).into(),
                _ => return Ok(None),
            },
            _ => return Ok(None),
        },
        (Intrinsic::Asks(question), []) => {
            let FnRef::Free { args, .. } = fn_ref else { return Ok(None) };
            let types: Vec<&Ty> = args
                .iter()
                .filter_map(|arg| match arg {
                    GenericArg::Ty(ty) => Some(ty),
                    GenericArg::Const(_) => None,
                })
                .collect();
            match questions::answer(machine.image.program, *question, &types) {
                Some(answer) => Scalar::concrete(ScalarTy::Bool, answer.into()).into(),
                None => return Err(Stop::OpaqueCall { callee: machine.model_that_asks() }),
            }
        }
        (Intrinsic::Forget, [_]) => Tree::unit(),
        (Intrinsic::Memory(op), _) => return memory_ops::evaluate(machine, *op, fn_ref, args),
        _ => return Ok(None),
    };
    Ok(Some(value))
}

/// The number that a text of this run is.
fn float_of_text(machine: &mut Machine<'_, '_, '_>, ty: FloatTy, text: &Tree) -> Result<Scalar, Stop> {
    let Tree::Pointer(pointer) = text else { return Err(text.misused(Use::Sequence)) };
    let location = Location::of(pointer);
    let len = machine.length(&location)?;
    machine.concretize(len)?;
    // Other inputs may have another part of the same bytes.
    if let Some(window) = location.window {
        machine.concretize(window.start)?;
    }
    let sequence = machine.read(location)?;
    let Tree::Seq { elems, .. } = &sequence else { return Err(sequence.misused(Use::Sequence)) };
    let mut bytes = Vec::new();
    for elem in elems.iter() {
        let byte = machine.concretize(expect_scalar(elem.clone())?)?;
        bytes.push(byte.bits as u8);
    }
    let text = String::from_utf8_lossy(&bytes);
    // The model lets nothing through that is no number.
    let bits = match ty {
        FloatTy::F32 => {
            text.parse::<f32>().map(|it| if it.is_nan() { ty.nan() } else { it.to_bits().into() })
        }
        FloatTy::F64 => {
            text.parse::<f64>().map(|it| if it.is_nan() { ty.nan() } else { it.to_bits().into() })
        }
    };
    Ok(Scalar::concrete(ScalarTy::Float(ty), bits.unwrap_or(ty.nan())))
}

/// How a float of this run is shown: by `{}`, `{:?}`, `{:e}` or `{:E}`, with so many digits behind the point unless that is the largest number.
fn digits_of_float(machine: &mut Machine<'_, '_, '_>, ty: FloatTy, args: [&Tree; 3]) -> Result<Tree, Stop> {
    let mut fixed = |tree: &Tree| machine.concretize(expect_scalar(tree.clone())?);
    let (number, notation, precision) = (fixed(args[0])?, fixed(args[1])?, fixed(args[2])?);
    let precision = Some(precision.as_usize()).filter(|precision| *precision != usize::MAX);
    let text = match ty {
        FloatTy::F32 => shown_float(f32::from_bits(number.bits as u32), notation.bits, precision),
        FloatTy::F64 => shown_float(f64::from_bits(number.bits as u64), notation.bits, precision),
    };
    Ok(machine.string(text.as_bytes()))
}

fn shown_float<T>(number: T, notation: u128, precision: Option<usize>) -> String
where
    T: fmt::Display + fmt::Debug + fmt::LowerExp + fmt::UpperExp,
{
    match (notation, precision) {
        (0, None) => format!("{number}"),
        (0, Some(precision)) => format!("{number:.precision$}"),
        (1, None) => format!("{number:?}"),
        (1, Some(precision)) => format!("{number:.precision$?}"),
        (2, None) => format!("{number:e}"),
        (2, Some(precision)) => format!("{number:.precision$e}"),
        (_, None) => format!("{number:E}"),
        (_, Some(precision)) => format!("{number:.precision$E}"),
    }
}

/// A `fmt::Arguments` that knows at most its literal.
fn arguments(fields: Vec<Tree>) -> Tree {
    Tree::Struct { ty: Ty::adt(KnownType::Arguments, Vec::new()), fields: Rc::new(fields) }
}

/// `Option<T>` for an intrinsic's first type argument.
fn option_of(fn_ref: &FnRef) -> Result<Ty, Stop> {
    match fn_ref {
        FnRef::Free { args, .. } if !args.is_empty() => Ok(Ty::adt(KnownType::Option, vec![args[0].clone()])),
        _ => Err(Stop::of_call(fn_ref, CallTrouble::NoType)),
    }
}

/// Operations on `Vec` and `String`. Where the length of the sequence matters for its shape it is made concrete.
fn seq_intrinsic(
    machine: &mut Machine<'_, '_, '_>,
    op: SeqOp,
    fn_ref: &FnRef,
    args: &[Tree],
) -> Result<Option<Tree>, Stop> {
    let value = match (op, args) {
        (SeqOp::New, []) => Tree::array(Vec::new()),
        (SeqOp::Len, [Tree::Pointer(pointer)]) => machine.length(&Location::of(pointer))?.into(),
        (SeqOp::View(mutability), [Tree::Pointer(pointer)]) => {
            let mut location = Location::of(pointer);
            let len = machine.length(&location)?;
            machine.viewed.insert(location.alloc);
            location.window = Some(Window { start: Scalar::usize(0), len });
            Tree::Pointer(location.pointer(mutability))
        }
        (SeqOp::Push, [Tree::Pointer(pointer), item]) => {
            let (mut elems, len) = elements_of_this_run(machine, pointer)?;
            elems.push(item.clone());
            put_elements(machine, pointer, elems, len.slice)?;
            Tree::unit()
        }
        (SeqOp::PushStr, [Tree::Pointer(pointer), Tree::Pointer(text)]) => {
            let (mut elems, len) = elements_of_this_run(machine, pointer)?;
            let (tail, more) = elements_of_this_run(machine, text)?;
            elems.extend(tail);
            let lengths = machine.run.union(len.slice, more.slice);
            put_elements(machine, pointer, elems, lengths)?;
            Tree::unit()
        }
        (SeqOp::Pop, [Tree::Pointer(pointer)]) => {
            let FnRef::Inherent { self_ty, .. } = fn_ref else { return Ok(None) };
            let TyKind::Adt(_, type_args) = self_ty.kind() else { return Ok(None) };
            let ty = Ty::adt(KnownType::Option, type_args.first().cloned().into_iter().collect());
            let (mut elems, len) = elements_of_this_run(machine, pointer)?;
            let last = elems.pop();
            put_elements(machine, pointer, elems, len.slice)?;
            let tag = Scalar::concrete(ScalarTy::Tag, last.is_some().into());
            // At another length it would be another element.
            let popped = Tree::Enum { ty, tag, fields: Rc::new(last.into_iter().collect()) };
            add_slice(machine.run, popped, len.slice)
        }
        _ => return Ok(None),
    };
    Ok(Some(value))
}

/// The elements of the sequence behind a pointer, as many as there are on this run. What comes of them depends on the
/// slice of the length.
fn elements_of_this_run(
    machine: &mut Machine<'_, '_, '_>,
    pointer: &Pointer,
) -> Result<(Vec<Tree>, Scalar), Stop> {
    let location = Location::of(pointer);
    let len = machine.length(&location)?;
    let len = machine.settle(len);
    match machine.read(location)? {
        Tree::Seq { elems, .. } => Ok((elems.iter().take(len.as_usize()).cloned().collect(), len)),
        other => Err(other.misused(Use::Sequence)),
    }
}

/// Gives the sequence behind a pointer these elements; at other lengths it would have others.
fn put_elements(
    machine: &mut Machine<'_, '_, '_>,
    pointer: &Pointer,
    elems: Vec<Tree>,
    lengths: SliceId,
) -> Result<(), Stop> {
    let sequence = add_slice(machine.run, Tree::array(elems), lengths);
    machine.write(Location::of(pointer), sequence)
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
        _ => Err(Stop::Unsupported(Unsupported::Numbers(OnNumbers::Arguments {
            ty: ty.to_string(),
            op: format!("{op:?}"),
            given: operands.len() as u32,
        }))),
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
