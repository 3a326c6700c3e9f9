//! Layout as far as the language, or every compiler so far, fixes it: sizes, alignments, wrappers without a layout of
//! their own, values that are all zero or were never written.

use std::rc::Rc;

use super::eval::scalar_ty;
use super::resolve::normalize;
use super::tree::{Scalar, ScalarTy, Tree};
use crate::ir::{AdtId, AdtKind, GenericArg, IntTy, KnownType, Path, Program, Ty, TyKind};

/// The longest array that is made element by element.
const MAX_ARRAY: u64 = 1 << 16;

/// Structs within each other of which the last field is looked at.
const MOST_TAILS: usize = 16;

/// `MaybeUninit<T>` and `ManuallyDrop<T>` are in memory what `T` is. A `MaybeUninit` may also hold nothing, which
/// memory has for every type.
pub fn is_wrapper(path: &Path) -> bool {
    matches!(
        path.known_type(),
        Some(KnownType::MaybeUninit | KnownType::ManuallyDrop | KnownType::MaybeDangling)
    )
}

/// The content of a wrapper type.
pub fn wrapped(ty: &Ty) -> Option<&Ty> {
    match ty.kind() {
        TyKind::Adt(path, args) if is_wrapper(path) => match args.first() {
            Some(GenericArg::Ty(inner)) => Some(inner),
            _ => None,
        },
        _ => None,
    }
}

/// The type with all wrappers in it replaced by their contents. Not below pointers: what a function is called on does
/// matter there.
pub fn without_wrappers(ty: &Ty) -> Ty {
    if let Some(inner) = wrapped(ty) {
        return without_wrappers(inner);
    }
    match ty.kind() {
        TyKind::Array(elem, len) => Ty::new(TyKind::Array(without_wrappers(elem), len.clone())),
        TyKind::Slice(elem) => Ty::new(TyKind::Slice(without_wrappers(elem))),
        TyKind::Tuple(tys) => Ty::new(TyKind::Tuple(tys.iter().map(without_wrappers).collect())),
        _ => ty.clone(),
    }
}

/// Size and alignment in bytes; none where they are the compiler's choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    pub size: u64,
    pub align: u64,
}

pub fn layout(program: &Program, ty: &Ty) -> Option<Layout> {
    layout_at(program, ty, 0)
}

fn layout_at(program: &Program, ty: &Ty, depth: usize) -> Option<Layout> {
    // A type that contains itself does so behind pointers, of which the size does not matter here.
    if depth > 32 {
        return None;
    }
    if let Some(scalar) = scalar_ty(ty) {
        let size = u64::from(scalar.bits().div_ceil(8));
        return Some(Layout { size, align: size });
    }
    if let Some(inner) = wrapped(ty) {
        return layout_at(program, inner, depth + 1);
    }
    match ty.kind() {
        TyKind::Tuple(tys) if tys.is_empty() => Some(Layout { size: 0, align: 1 }),
        TyKind::Tuple(tys) => product(program, tys, depth),
        TyKind::Array(elem, len) => {
            let elem = layout_at(program, elem, depth + 1)?;
            Some(Layout { size: elem.size.checked_mul(len.as_index()?)?, ..elem })
        }
        TyKind::Ref(_, pointee) | TyKind::RawPtr(_, pointee) => pointer_to(program, pointee),
        TyKind::FnPtr { .. } => Some(Layout { size: 8, align: 8 }),
        TyKind::FnDef(_) => Some(Layout { size: 0, align: 1 }),
        TyKind::Adt(path, args) => match (path.known_type(), args.as_slice()) {
            (Some(KnownType::Box | KnownType::NonNull), [GenericArg::Ty(pointee), ..]) => {
                pointer_to(program, pointee)
            }
            (Some(KnownType::Vec | KnownType::String), _) => Some(Layout { size: 24, align: 8 }),
            (Some(KnownType::PhantomData), _) => Some(Layout { size: 0, align: 1 }),
            (Some(KnownType::Option), [GenericArg::Ty(inner)]) if is_never_null(inner) => {
                layout_at(program, inner, depth + 1)
            }
            _ if program.is_ambiguous_adt(path) => None,
            _ => adt(program, program.adt_id(path)?, args, depth),
        },
        _ => None,
    }
}

/// Whether it is a pointer that is an address and nothing more, whatever the layout of what it points to.
pub fn is_thin_pointer(program: &Program, ty: &Ty) -> bool {
    let size_of_address = |layout: Layout| layout.size == 8;
    ty.pointee().is_some() && layout(program, ty).is_some_and(size_of_address)
}

/// Structs that no attribute says how to lay out: known ones of the standard library, and those of which the declaration is known.
fn adt(program: &Program, id: AdtId, args: &[GenericArg], depth: usize) -> Option<Layout> {
    let adt = &program.adts[id];
    let is_left_to_compiler =
        program.declared.without_repr.contains(&id) || adt.path.begins_in_std(&["num::"]);
    if adt.kind != AdtKind::Struct || !is_left_to_compiler {
        return None;
    }
    let fields: Vec<Ty> = adt.field_types(0, args).iter().map(|ty| normalize(program, ty)).collect();
    product(program, &fields, depth)
}

/// Several fields in an order of the compiler's choice. Where they all are of one alignment no order needs padding;
/// otherwise the size is not known to be the same everywhere.
fn product(program: &Program, tys: &[Ty], depth: usize) -> Option<Layout> {
    let layouts = tys.iter().map(|ty| layout_at(program, ty, depth + 1)).collect::<Option<Vec<_>>>()?;
    let align = layouts.iter().map(|layout| layout.align).max().unwrap_or(1);
    let even = layouts.iter().all(|layout| layout.align == align || layout.size == 0);
    let size = layouts.iter().map(|layout| layout.size).sum();
    even.then_some(Layout { size, align })
}

fn pointer_to(program: &Program, pointee: &Ty) -> Option<Layout> {
    let size = match pointee.kind() {
        TyKind::Slice(_) | TyKind::Str | TyKind::Dyn(_) => 16,
        TyKind::Param(_) | TyKind::Projection { .. } | TyKind::Unsupported(_) => return None,
        TyKind::Adt(path, _) if wrapped(pointee).is_none() => {
            program.adt(path)?;
            match tail(program, pointee).kind() {
                TyKind::Slice(_)
                | TyKind::Str
                | TyKind::Dyn(_)
                | TyKind::Param(_)
                | TyKind::Projection { .. } => return None,
                _ => 8,
            }
        }
        _ => 8,
    };
    Some(Layout { size, align: 8 })
}

/// The type of the last field, and of the last field of that: what may be unsized.
pub fn tail(program: &Program, ty: &Ty) -> Ty {
    let last = |ty: &Ty| {
        let TyKind::Adt(path, args) = ty.kind() else { return None };
        let adt = program.adt(path).filter(|adt| adt.kind == AdtKind::Struct && !adt.variants.is_empty())?;
        adt.field_types(0, args).last().cloned()
    };
    std::iter::successors(Some(ty.clone()), last).take(MOST_TAILS).last().unwrap_or_else(|| ty.clone())
}

/// Types for which the language promises that `Option` of them is as large.
fn is_never_null(ty: &Ty) -> bool {
    match ty.kind() {
        TyKind::Ref(..) | TyKind::FnPtr { .. } => true,
        TyKind::Adt(path, _) => matches!(path.known_type(), Some(KnownType::Box | KnownType::NonNull)),
        _ => false,
    }
}

/// A value of the type that was never written: as much of its shape as can be written piece by piece.
pub fn uninitialised(program: &Program, ty: &Ty) -> Option<Tree> {
    let ty = normalize(program, ty);
    if let Some(inner) = wrapped(&ty) {
        return uninitialised(program, inner);
    }
    let of_all = |tys: &[Ty]| tys.iter().map(|ty| uninitialised(program, ty)).collect::<Option<Vec<_>>>();
    match ty.kind() {
        TyKind::Array(elem, len) => {
            let len = len.as_index().filter(|len| *len <= MAX_ARRAY)?;
            Some(Tree::array(vec![uninitialised(program, elem)?; len as usize]))
        }
        TyKind::Tuple(tys) => Some(Tree::tuple(of_all(tys)?)),
        TyKind::Adt(path, args) => match program.adt(path) {
            Some(adt) if adt.kind == AdtKind::Struct && !program.is_ambiguous_adt(path) => {
                // A box, a vector and a string are not made of their fields here.
                if matches!(path.known_type(), Some(KnownType::Box | KnownType::Vec | KnownType::String)) {
                    return Some(Tree::Uninit);
                }
                let fields = of_all(&adt.field_types(0, args))?;
                Some(Tree::Struct { ty: ty.clone(), fields: Rc::new(fields) })
            }
            _ => Some(Tree::Uninit),
        },
        _ => Some(Tree::Uninit),
    }
}

/// A value of the type all of whose bytes are zero, for types of which that is one.
pub fn zeroed(program: &Program, ty: &Ty) -> Option<Tree> {
    let ty = normalize(program, ty);
    if let Some(scalar) = scalar_ty(&ty) {
        return Some(Scalar::concrete(scalar, 0).into());
    }
    if let Some(inner) = wrapped(&ty) {
        return zeroed(program, inner);
    }
    let of_all = |tys: &[Ty]| tys.iter().map(|ty| zeroed(program, ty)).collect::<Option<Vec<_>>>();
    match ty.kind() {
        TyKind::Array(elem, len) => {
            let len = len.as_index().filter(|len| *len <= MAX_ARRAY)?;
            Some(Tree::array(vec![zeroed(program, elem)?; len as usize]))
        }
        TyKind::Tuple(tys) => Some(Tree::tuple(of_all(tys)?)),
        TyKind::RawPtr(_, pointee) if pointer_to(program, pointee)?.size == 8 => {
            Some(Tree::Address(Scalar::concrete(ScalarTy::Int(IntTy::Usize), 0)))
        }
        TyKind::Adt(path, args) if !path.is_of_std() && !program.is_ambiguous_adt(path) => {
            let adt = program.adt(path).filter(|adt| adt.kind == AdtKind::Struct)?;
            let fields = of_all(&adt.field_types(0, args))?;
            Some(Tree::Struct { ty: ty.clone(), fields: Rc::new(fields) })
        }
        _ => None,
    }
}
