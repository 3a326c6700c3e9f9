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
use crate::ir::{FnRef, GenericArg, KnownType, Mutability, Ty, TyKind};
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
    ReadUnaligned,
    Write,
    WriteUnaligned,
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
        | MemoryOp::ReadUnaligned
        | MemoryOp::Write
        | MemoryOp::WriteUnaligned
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
        (MemoryOp::ReadUnaligned, [pointer]) => machine.read_unaligned(&type_argument(fn_ref)?, pointer)?,
        (MemoryOp::WriteUnaligned, [pointer, value]) => {
            machine.write_unaligned(&type_argument(fn_ref)?, pointer, value.clone())?;
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
            machine.copy_elements(&type_argument(fn_ref)?, [from, to], count, overlap)?;
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
            if layout::is_wrapper(path) {
                return Some(false);
            }
            if matches!(path.known_type(), Some(KnownType::Box | KnownType::Vec | KnownType::String)) {
                return Some(true);
            }
            let by_models = path.is_of_std() && path != KnownType::Option;
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
