//! Operations on memory that have no body: through raw pointers, on memory that was never written, on boxes, and on the
//! size of things.
//!
//! Those through raw pointers are not total: some inputs may make them undefined behaviour, which stops a run.

use std::rc::Rc;

use super::cells::Cells;
use super::eval::expect_scalar;
use super::layout;
use super::machine::Machine;
use super::memory::Location;
use super::pointer::Arithmetic;
use super::resolve;
use super::run::Stop;
use super::tree::{Scalar, SeenAs, Step, Tree, Window};
use crate::ir::{FnRef, GenericArg, Mutability, Path, Ty, TyKind};
use crate::verdict::unsupported::{CallTrouble, TypeQuestion, Unsupported};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryOp {
    /// The argument itself, as a value of a wrapper type or out of one.
    Wrap,
    /// A pointer that is passed through: wrappers are what they wrap.
    SamePlace,
    /// `MaybeUninit::uninit`
    Uninit,
    Zeroed,
    /// `MaybeUninit::write`: the place again.
    WriteInto,
    Read,
    Write,
    Offset(Arithmetic),
    Distance,
    IsNull,
    Copy(Overlap),
    SliceFrom,
    DropInPlace,
    BoxUninit,
    BoxIntoVec,
    BoxedSlice,
    AlignOf,
    NeedsDrop,
    /// What compiled code does with a box whose content was moved out.
    FreeBox,
    /// `UnsafeCell::new`
    CellNew,
    /// A pointer to what is in a cell.
    CellContent,
    /// What was in a cell.
    CellInto,
    /// The pointer of a box once more.
    SameBox,
    /// Whether two boxes that were not freed are one.
    SameAllocation,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlap {
    Allowed,
    Undefined,
}

/// Recognises a callee.
pub fn classify(fn_ref: &FnRef) -> Option<MemoryOp> {
    match fn_ref {
        FnRef::Inherent { path, .. } => {
            let (owner, method) = path.as_str().rsplit_once("::")?;
            match (owner, method) {
                ("std::mem::MaybeUninit", "new" | "assume_init")
                | ("std::mem::ManuallyDrop", "new" | "into_inner")
                | ("std::boxed::Box", "into_raw" | "from_raw" | "leak" | "assume_init") => {
                    Some(MemoryOp::Wrap)
                }
                ("std::mem::MaybeUninit", "uninit") => Some(MemoryOp::Uninit),
                ("std::mem::MaybeUninit", "zeroed") => Some(MemoryOp::Zeroed),
                ("std::mem::MaybeUninit", "write") => Some(MemoryOp::WriteInto),
                (
                    "std::mem::MaybeUninit",
                    "as_ptr" | "as_mut_ptr" | "assume_init_ref" | "assume_init_mut",
                ) => Some(MemoryOp::SamePlace),
                ("std::mem::MaybeUninit", "assume_init_read") | ("std::mem::ManuallyDrop", "take") => {
                    Some(MemoryOp::Read)
                }
                ("std::mem::MaybeUninit", "assume_init_drop") | ("std::mem::ManuallyDrop", "drop") => {
                    Some(MemoryOp::DropInPlace)
                }
                ("std::boxed::Box", "new_uninit") => Some(MemoryOp::BoxUninit),
                ("std::vec::Vec", "into_boxed_slice") | ("std::string::String", "into_boxed_str") => {
                    Some(MemoryOp::BoxedSlice)
                }
                ("std::cell::UnsafeCell", "new") => Some(MemoryOp::CellNew),
                ("std::cell::UnsafeCell", "get" | "get_mut" | "raw_get") => Some(MemoryOp::CellContent),
                ("std::cell::UnsafeCell", "into_inner") => Some(MemoryOp::CellInto),
                ("[T]", "into_vec") | ("str", "into_string") => Some(MemoryOp::BoxIntoVec),
                _ => None,
            }
        }
        FnRef::Free { path, .. } => match path.as_str() {
            "std::boxed::box_assume_init_into_vec_unsafe" => Some(MemoryOp::BoxIntoVec),
            "std::intrinsics::same_box" => Some(MemoryOp::SameBox),
            "std::intrinsics::same_allocation" => Some(MemoryOp::SameAllocation),
            "std::intrinsics::cell_mut" => Some(MemoryOp::CellContent),
            "std::mem::zeroed" => Some(MemoryOp::Zeroed),
            "std::mem::align_of" => Some(MemoryOp::AlignOf),
            "std::mem::needs_drop" => Some(MemoryOp::NeedsDrop),
            "std::intrinsics::ptr_offset" => Some(MemoryOp::Offset(Arithmetic::InBounds)),
            "std::intrinsics::ptr_wrapping_offset" => Some(MemoryOp::Offset(Arithmetic::Wrapping)),
            "std::intrinsics::ptr_distance" => Some(MemoryOp::Distance),
            "std::intrinsics::ptr_is_null" => Some(MemoryOp::IsNull),
            "std::intrinsics::ptr_read" => Some(MemoryOp::Read),
            "std::intrinsics::ptr_write" => Some(MemoryOp::Write),
            "std::intrinsics::ptr_copy" => Some(MemoryOp::Copy(Overlap::Allowed)),
            "std::intrinsics::ptr_copy_nonoverlapping" => Some(MemoryOp::Copy(Overlap::Undefined)),
            "std::intrinsics::ptr_drop" => Some(MemoryOp::DropInPlace),
            "std::intrinsics::slice_of_raw" | "std::intrinsics::slice_of_raw_mut" => {
                Some(MemoryOp::SliceFrom)
            }
            _ => None,
        },
        FnRef::Trait { trait_ref, method, .. } => {
            let of_wrapper = layout::wrapped(&trait_ref.self_ty).is_some();
            match (trait_ref.path.as_str(), method.as_str()) {
                ("std::ops::Deref", "deref") | ("std::ops::DerefMut", "deref_mut") if of_wrapper => {
                    Some(MemoryOp::SamePlace)
                }
                // `Box` frees its memory so; its content is dropped apart from that.
                ("std::ops::Drop", "drop") if matches!(trait_ref.self_ty.kind(), TyKind::Adt(path, _) if path == "std::boxed::Box") => {
                    Some(MemoryOp::FreeBox)
                }
                // Only what is `Copy` can be cloned while it may be uninitialised.
                ("std::clone::Clone", "clone") if matches!(trait_ref.self_ty.kind(), TyKind::Adt(path, _) if path == "std::mem::MaybeUninit") => {
                    Some(MemoryOp::Read)
                }
                _ => None,
            }
        }
    }
}

/// Whether the operation always comes back.
pub fn is_total(op: MemoryOp) -> bool {
    match op {
        MemoryOp::Wrap
        | MemoryOp::SamePlace
        | MemoryOp::Uninit
        | MemoryOp::WriteInto
        | MemoryOp::IsNull
        | MemoryOp::BoxUninit
        | MemoryOp::BoxIntoVec
        | MemoryOp::BoxedSlice
        | MemoryOp::AlignOf
        | MemoryOp::NeedsDrop
        | MemoryOp::FreeBox
        | MemoryOp::CellNew
        | MemoryOp::CellContent
        | MemoryOp::CellInto
        | MemoryOp::SameBox
        | MemoryOp::SameAllocation
        | MemoryOp::Zeroed => true,
        MemoryOp::Read
        | MemoryOp::Write
        | MemoryOp::Offset(_)
        | MemoryOp::Distance
        | MemoryOp::Copy(_)
        | MemoryOp::SliceFrom
        | MemoryOp::DropInPlace => false,
    }
}

/// Carries out an operation; none if the arguments are not what it takes.
pub fn evaluate(
    machine: &mut Machine<'_, '_, '_>,
    op: MemoryOp,
    fn_ref: &FnRef,
    args: &[Tree],
) -> Result<Option<Tree>, Stop> {
    let value = match (op, args) {
        (MemoryOp::Wrap | MemoryOp::SamePlace, [value]) => value.clone(),
        (MemoryOp::Uninit, []) => uninitialised(machine, &type_argument(fn_ref)?)?,
        (MemoryOp::Zeroed, []) => {
            let ty = type_argument(fn_ref)?;
            let zeroed = layout::zeroed(machine.image.program, &ty)
                .ok_or_else(|| Stop::of_type(&ty, TypeQuestion::Zeroed))?;
            machine.memory.note_cells(&zeroed);
            zeroed
        }
        (MemoryOp::WriteInto, [place @ Tree::Pointer(pointer), value]) => {
            machine.write(Location::of(pointer), value.clone())?;
            place.clone()
        }
        (MemoryOp::Read, [pointer]) => machine.read_through(pointer)?,
        (MemoryOp::Write, [pointer, value]) => {
            machine.write_through(pointer, value.clone())?;
            Tree::unit()
        }
        (MemoryOp::Offset(arithmetic), [pointer, delta]) => {
            let delta = expect_scalar(delta.clone())?;
            machine.offset(pointer, delta, arithmetic)?
        }
        (MemoryOp::Distance, [Tree::Pointer(to), Tree::Pointer(from)]) => machine.distance(to, from)?.into(),
        (MemoryOp::IsNull, [pointer]) => machine.is_null(pointer)?.into(),
        (MemoryOp::Copy(overlap), [from, to, count]) => {
            let count = expect_scalar(count.clone())?;
            machine.copy_elements(from, to, count, overlap)?;
            Tree::unit()
        }
        (MemoryOp::SliceFrom, [pointer, len]) => {
            let len = expect_scalar(len.clone())?;
            machine.slice_from(pointer, len)?
        }
        (MemoryOp::DropInPlace, [Tree::Pointer(pointer)]) => {
            let location = machine.behind(pointer)?;
            let ty = type_argument(fn_ref)?;
            machine.drop_at(&ty, location)?;
            Tree::unit()
        }
        (MemoryOp::BoxUninit, []) => {
            let content = uninitialised(machine, &type_argument(fn_ref)?)?;
            let alloc = machine.memory.allocate(content);
            Tree::Pointer(Location::root(alloc).pointer(Mutability::Mut))
        }
        (MemoryOp::BoxIntoVec, [Tree::Pointer(pointer)]) if pointer.target.seen_as == SeenAs::Declared => {
            match machine.read(Location::of(pointer))? {
                sequence @ Tree::Seq { .. } => sequence,
                _ => return Err(Stop::Unsupported(Unsupported::BoxOfNoSequence)),
            }
        }
        (MemoryOp::BoxedSlice, [sequence @ Tree::Seq { len, .. }]) => {
            let alloc = machine.memory.allocate(sequence.clone());
            let mut location = Location::root(alloc);
            location.window = Some(Window { start: Scalar::usize(0), len: *len });
            Tree::Pointer(location.pointer(Mutability::Mut))
        }
        (MemoryOp::FreeBox, [_]) => Tree::unit(),
        (MemoryOp::CellNew, [value]) => {
            machine.memory.cells = Cells::Some;
            let FnRef::Inherent { self_ty, .. } = fn_ref else { return Ok(None) };
            Tree::Struct { ty: self_ty.clone(), fields: Rc::new(vec![value.clone()]) }
        }
        (MemoryOp::CellContent, [Tree::Pointer(pointer)]) => {
            let content = Location::of(pointer).step(Step::Field(0));
            Tree::Pointer(content.pointer(Mutability::Mut))
        }
        (MemoryOp::CellInto, [Tree::Struct { fields, .. }]) if fields.len() == 1 => fields[0].clone(),
        (MemoryOp::SameBox, [Tree::Pointer(place)]) => machine.read(Location::of(place))?,
        (MemoryOp::SameAllocation, [Tree::Pointer(left), Tree::Pointer(right)]) => {
            match (machine.read(Location::of(left))?, machine.read(Location::of(right))?) {
                (Tree::Pointer(left), Tree::Pointer(right)) => {
                    let slice = machine.run.union(left.slice, right.slice);
                    Scalar { slice, ..Scalar::bool(left.target.alloc == right.target.alloc) }.into()
                }
                _ => return Ok(None),
            }
        }
        (MemoryOp::AlignOf, []) => Scalar::usize(machine.align_of(&type_argument(fn_ref)?)?).into(),
        (MemoryOp::NeedsDrop, []) => {
            let ty = type_argument(fn_ref)?;
            let needs =
                needs_drop(machine, &ty).ok_or_else(|| Stop::of_type(&ty, TypeQuestion::NeedsDrop))?;
            Scalar::bool(needs).into()
        }
        _ => return Ok(None),
    };
    Ok(Some(value))
}

/// The type that a function is called at: its own argument, or that of the type it belongs to.
fn type_argument(fn_ref: &FnRef) -> Result<Ty, Stop> {
    let args = match fn_ref {
        FnRef::Free { args, .. } => args.as_slice(),
        FnRef::Inherent { self_ty, .. } => match self_ty.kind() {
            TyKind::Adt(_, args) => args.as_slice(),
            _ => &[],
        },
        FnRef::Trait { .. } => &[],
    };
    match args.first() {
        Some(GenericArg::Ty(ty)) => Ok(ty.clone()),
        _ => Err(Stop::of_call(fn_ref, CallTrouble::NoType)),
    }
}

fn uninitialised(machine: &mut Machine<'_, '_, '_>, ty: &Ty) -> Result<Tree, Stop> {
    let tree = layout::uninitialised(machine.image.program, ty)
        .ok_or_else(|| Stop::of_type(ty, TypeQuestion::UninitialisedMemory))?;
    machine.memory.note_cells(&tree);
    Ok(tree)
}

/// `mem::needs_drop`, where it is certain. A type that owns memory needs it even if no code of the program is run.
fn needs_drop(machine: &Machine<'_, '_, '_>, ty: &Ty) -> Option<bool> {
    let program = machine.image.program;
    let any = |tys: &[Ty]| {
        let known: Vec<Option<bool>> = tys.iter().map(|ty| needs_drop(machine, ty)).collect();
        if known.contains(&Some(true)) {
            return Some(true);
        }
        known.iter().all(Option::is_some).then_some(false)
    };
    match ty.kind() {
        TyKind::Bool
        | TyKind::Char
        | TyKind::Int(_)
        | TyKind::Float(_)
        | TyKind::Ref(..)
        | TyKind::RawPtr(..)
        | TyKind::FnPtr { .. }
        | TyKind::FnDef(_) => Some(false),
        TyKind::Tuple(tys) => any(tys),
        TyKind::Array(_, len) if len.as_index() == Some(0) => Some(false),
        TyKind::Array(elem, _) => needs_drop(machine, elem),
        TyKind::Adt(path, args) => {
            if layout::is_wrapper(path.as_str()) {
                return Some(false);
            }
            if matches!(path.as_str(), "std::boxed::Box" | "std::vec::Vec" | "std::string::String") {
                return Some(true);
            }
            let by_models = path.as_str().starts_with("std::") && path != &Path::new("std::option::Option");
            if by_models || program.is_ambiguous_adt(path) {
                return None;
            }
            if !matches!(resolve::destructor(program, ty), resolve::Destructor::None) {
                return Some(true);
            }
            let adt = program.adt(path)?;
            let fields: Vec<Ty> = (0..adt.variants.len())
                .flat_map(|variant| adt.field_types(variant, args))
                .map(|ty| resolve::normalize(program, &ty))
                .collect();
            any(&fields)
        }
        _ => None,
    }
}
