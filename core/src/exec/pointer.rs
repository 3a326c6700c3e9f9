//! Raw pointers: arithmetic within one sequence, casts, comparison, and what has to hold before one is used.
//!
//! A pointer to an element of an array, slice or vector is a way that ends in an index, and arithmetic changes that
//! index. So pointers stay typed and within one allocation; an address is not a number here. What the language leaves
//! undefined stops the run with a reason: an index out of bounds, an access through a pointer to another type, a
//! comparison of pointers into different allocations, a write through what came from a shared reference. That some
//! other input of the partition might do such a thing is a branch like any other, so that it is explored.

use super::layout;
use super::machine::Machine;
use super::memory::{Location, Mark, add_mark};
use super::memory_ops::Overlap;
use super::run::{BranchKind, Stop};
use super::tree::{Bounds, Pointer, Scalar, ScalarTy, SeenAs, Step, Tree, Window};
use crate::ir::{BinOp, CastKind, Const, IntTy, Mutability, Operand, Ty, TyKind};
use crate::verdict::unsupported::{Bounded, PointerUse, Positions, UndefinedBehaviour, Unsupported, Use};

/// Whether arithmetic may leave the allocation on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// `add`, `sub`, `offset`: undefined outside of the allocation.
    InBounds,
    /// `wrapping_add` and the like: undefined only when used there.
    Wrapping,
}

fn undefined(what: UndefinedBehaviour) -> Stop {
    Stop::Unsupported(Unsupported::UndefinedBehaviour(what))
}

/// Whether a value takes no room in memory, as far as can be seen: an empty sequence may be an array.
fn takes_no_room(tree: &Tree) -> bool {
    match tree {
        Tree::Tuple(fields) | Tree::Struct { fields, .. } => fields.iter().all(takes_no_room),
        Tree::Seq { elems, .. } => elems.iter().all(takes_no_room),
        Tree::Closure { captures, .. } => captures.iter().all(takes_no_room),
        Tree::Enum { fields, .. } => fields.iter().all(takes_no_room),
        Tree::Uninit | Tree::Fn(..) => true,
        Tree::Scalar(_) | Tree::Pointer(_) | Tree::Address(_) => false,
    }
}

/// The sequence that the last step of the way leads into, and the index there.
fn element_of(pointer: &Pointer) -> Option<(Location, Scalar)> {
    let [way @ .., Step::Index(index)] = &*pointer.target.path else { return None };
    if pointer.target.window.is_some() {
        return None;
    }
    let sequence = Location {
        path: way.to_vec(),
        bounds: Bounds::Known,
        seen_as: SeenAs::Declared,
        ..Location::of(pointer)
    };
    Some((sequence, *index))
}

impl Machine<'_, '_, '_> {
    /// The place behind a pointer that is about to be used.
    pub(super) fn behind(&mut self, pointer: &Pointer) -> Result<Location, Stop> {
        let mut location = Location::of(pointer);
        // Not even a part of it may be pointed to: where that lies in the other type is not known.
        location.accessible()?;
        if location.bounds == Bounds::Known {
            return Ok(location);
        }
        if let Some((sequence, index)) = element_of(pointer) {
            self.require_part(&sequence, index, Scalar::usize(1), Bounded::Pointer)?;
        }
        location.bounds = Bounds::Known;
        Ok(location)
    }

    /// The place behind a pointer that is about to be written through.
    pub(super) fn writable(&mut self, pointer: &Pointer) -> Result<Location, Stop> {
        if pointer.target.mutability == Mutability::Shared {
            return Err(undefined(UndefinedBehaviour::WriteThroughShared));
        }
        self.behind(pointer)
    }

    /// `count` elements from `index` on must lie within the sequence. Inputs on which they do not are another branch.
    fn require_part(
        &mut self,
        sequence: &Location,
        index: Scalar,
        count: Scalar,
        what: Bounded,
    ) -> Result<(), Stop> {
        let len = self.length(sequence)?;
        let starts = self.run.binary(BinOp::Le, index, len)?;
        let rest = self.run.binary(BinOp::Sub, len, index)?;
        let fits = self.run.binary(BinOp::Le, count, rest)?;
        let inside = self.run.binary(BinOp::BitAnd, starts, fits)?;
        self.require(inside, inside.bits != 0, BranchKind::Concretization, None)?;
        if inside.bits == 0 { Err(undefined(UndefinedBehaviour::OutOfBounds(what))) } else { Ok(()) }
    }

    /// The pointer moved by `delta` elements.
    pub(super) fn offset(
        &mut self,
        pointer: &Tree,
        delta: Scalar,
        arithmetic: Arithmetic,
    ) -> Result<Tree, Stop> {
        let delta = self.run.int_to_int(delta, ScalarTy::Int(IntTy::Usize));
        let stays = delta.term.is_none() && delta.bits == 0;
        let pointer = match pointer {
            Tree::Pointer(pointer) => pointer,
            Tree::Address(_) if stays => return Ok(pointer.clone()),
            other => return Err(other.misused(Use::PointerArithmetic)),
        };
        if let SeenAs::Foreign(ty) = &pointer.target.seen_as
            && !stays
        {
            return Err(Stop::Unsupported(Unsupported::Pointer(PointerUse::ArithmeticOnCast {
                ty: ty.to_string(),
            })));
        }
        let Some((sequence, index)) = element_of(pointer) else {
            return match stays {
                true => Ok(Tree::Pointer(pointer.clone())),
                false => Err(Stop::Unsupported(Unsupported::Pointer(PointerUse::ArithmeticOnLone))),
            };
        };
        let index = self.run.binary(BinOp::Add, index, delta)?;
        if arithmetic == Arithmetic::InBounds {
            self.require_part(&sequence, index, Scalar::usize(0), Bounded::PointerArithmetic)?;
        }
        let moved = Location { bounds: Bounds::Unchecked, ..sequence.step(Step::Index(index)) };
        Ok(Tree::Pointer(moved.pointer(pointer.target.mutability)))
    }

    /// How many elements lie between two pointers into one sequence.
    pub(super) fn distance(&mut self, to: &Pointer, from: &Pointer) -> Result<Scalar, Stop> {
        let (a, b) = self.positions(to, from, Positions::Distance)?;
        let distance = self.run.binary(BinOp::Sub, a, b)?;
        Ok(self.run.int_to_int(distance, ScalarTy::Int(IntTy::Isize)))
    }

    /// The indices of two pointers into one sequence, with what the pointers depend on.
    fn positions(&mut self, a: &Pointer, b: &Pointer, asked: Positions) -> Result<(Scalar, Scalar), Stop> {
        let plain = |pointer: &Pointer| pointer.target.seen_as == SeenAs::Declared;
        let (first, second) = (element_of(a), element_of(b));
        if let (Some((s, mut i)), Some((t, mut j))) = (first, second)
            && plain(a)
            && plain(b)
            && self.same_way(&s, &t)
        {
            // Then they are all at one place.
            if self.may_take_no_room(&s) {
                return Err(Stop::Unsupported(Unsupported::Pointer(PointerUse::NoRoom(asked))));
            }
            i.slice = self.run.union(i.slice, a.slice);
            j.slice = self.run.union(j.slice, b.slice);
            return Ok((i, j));
        }
        Err(Stop::Unsupported(Unsupported::Pointer(PointerUse::Apart(asked))))
    }

    fn may_take_no_room(&mut self, sequence: &Location) -> bool {
        match self.memory.read(self.run, sequence) {
            // Its elements are of one type, and those that were never written do not tell.
            Ok(Tree::Seq { elems, .. }) => !elems.is_empty() && elems.iter().all(takes_no_room),
            _ => true,
        }
    }

    fn same_way(&mut self, a: &Location, b: &Location) -> bool {
        a.alloc == b.alloc
            && a.path.len() == b.path.len()
            && a.path.iter().zip(&b.path).all(|pair| match pair {
                (Step::Field(x), Step::Field(y)) => x == y,
                (Step::Index(x), Step::Index(y)) => self.run.term(x) == self.run.term(y),
                _ => false,
            })
    }

    /// `a op b` on raw pointers.
    pub(super) fn compare_pointers(&mut self, op: BinOp, a: &Tree, b: &Tree) -> Result<Scalar, Stop> {
        match (a, b) {
            (Tree::Address(a), Tree::Address(b)) => self.run.binary(op, *a, *b),
            (Tree::Pointer(pointer), Tree::Address(address))
            | (Tree::Address(address), Tree::Pointer(pointer))
                if matches!(op, BinOp::Eq | BinOp::Ne) =>
            {
                // Nothing is said of where things lie, except that it is not at null.
                let null = self.is_null_address(*address)?;
                if null.bits == 0 {
                    return Err(Stop::Unsupported(Unsupported::Pointer(PointerUse::AddressWithPointer)));
                }
                self.require(null, null.bits != 0, BranchKind::Concretization, None)?;
                let slice = self.run.union(pointer.slice, address.slice);
                Ok(Scalar { slice, ..Scalar::bool(op == BinOp::Ne) })
            }
            (Tree::Pointer(a), Tree::Pointer(_)) if self.viewed.contains(&Location::of(a).alloc) => {
                Err(Stop::Unsupported(Unsupported::Pointer(PointerUse::MayHaveMoved)))
            }
            (Tree::Pointer(a), Tree::Pointer(b)) => {
                if matches!(op, BinOp::Eq | BinOp::Ne)
                    && a.target.window.is_none()
                    && b.target.window.is_none()
                    && self.same_way(&Location::of(a), &Location::of(b))
                {
                    let slice = self.run.union(a.slice, b.slice);
                    return Ok(Scalar { slice, ..Scalar::bool(op == BinOp::Eq) });
                }
                let (i, j) = self.positions(a, b, Positions::Comparison)?;
                self.run.binary(op, i, j)
            }
            (other, _) => Err(other.misused(Use::Operator(op))),
        }
    }

    pub(super) fn is_null(&mut self, pointer: &Tree) -> Result<Scalar, Stop> {
        match pointer {
            Tree::Pointer(pointer) => Ok(Scalar { slice: pointer.slice, ..Scalar::bool(false) }),
            Tree::Address(address) => self.is_null_address(*address),
            other => Err(other.misused(Use::NullTest)),
        }
    }

    fn is_null_address(&mut self, address: Scalar) -> Result<Scalar, Stop> {
        Ok(self.run.equals_const(address, 0))
    }

    /// The slice of `len` elements from the pointer on.
    pub(super) fn slice_from(&mut self, pointer: &Tree, len: Scalar) -> Result<Tree, Stop> {
        match pointer {
            Tree::Pointer(pointer) if pointer.target.seen_as == SeenAs::Declared => {
                let Some((sequence, index)) = element_of(pointer) else {
                    return Err(Stop::Unsupported(Unsupported::Pointer(PointerUse::SliceFromLone)));
                };
                self.require_part(&sequence, index, len, Bounded::Slice)?;
                let window = Some(Window { start: index, len });
                let slice = Location { window, ..sequence };
                Ok(Tree::Pointer(slice.pointer(pointer.target.mutability)))
            }
            Tree::Address(address) => {
                let empty = self.run.equals_const(len, 0);
                self.require(empty, empty.bits != 0, BranchKind::Concretization, None)?;
                if empty.bits == 0 {
                    return Err(undefined(UndefinedBehaviour::OutOfBounds(Bounded::Slice)));
                }
                let alloc = self.memory.allocate(Tree::array(Vec::new()));
                let mark = Mark::data(address.slice);
                let window = Some(Window { start: Scalar::usize(0), len });
                let slice = Location { window, ..Location::root(alloc) };
                Ok(add_mark(self.run, Tree::Pointer(slice.pointer(Mutability::Mut)), mark))
            }
            other => Err(other.misused(Use::SliceStart)),
        }
    }

    pub(super) fn read_through(&mut self, pointer: &Tree) -> Result<Tree, Stop> {
        match pointer {
            Tree::Pointer(pointer) => {
                let location = self.behind(pointer)?;
                self.read(location)
            }
            other => Err(undefined(UndefinedBehaviour::ReadThrough(other.kind()))),
        }
    }

    pub(super) fn write_through(&mut self, pointer: &Tree, value: Tree) -> Result<(), Stop> {
        match pointer {
            Tree::Pointer(pointer) => {
                let location = self.writable(pointer)?;
                self.write(location, value)
            }
            other => Err(undefined(UndefinedBehaviour::WriteThrough(other.kind()))),
        }
    }

    /// `count` elements of a type from one place to another.
    pub(super) fn copy_elements(
        &mut self,
        elem: &Ty,
        [from, to]: [&Tree; 2],
        count: Scalar,
        overlap: Overlap,
    ) -> Result<(), Stop> {
        if overlap == Overlap::Undefined {
            self.require_apart(from, to, count)?;
        }
        let count = self.concretize(count)?.as_usize();
        let values = self.elements_behind(elem, from, count)?;
        if let Some((number, ty)) = number_of_bytes(elem, to, count) {
            let value = self.cast(CastKind::Transmute, Tree::array(values), &ty)?;
            return self.write_through(&number, value);
        }
        self.write_elements(to, values)
    }

    /// A number that lies among bytes, wherever it begins.
    pub(super) fn read_unaligned(&mut self, ty: &Ty, pointer: &Tree) -> Result<Tree, Stop> {
        let Some((bytes, count)) = bytes_of_number(ty, pointer) else { return self.read_through(pointer) };
        let values = self.elements_behind(&Ty::int(IntTy::U8), &bytes, count)?;
        self.cast(CastKind::Transmute, Tree::array(values), ty)
    }

    /// A number into the place of bytes, wherever it begins.
    pub(super) fn write_unaligned(&mut self, ty: &Ty, pointer: &Tree, value: Tree) -> Result<(), Stop> {
        let Some((bytes, count)) = bytes_of_number(ty, pointer) else {
            return self.write_through(pointer, value);
        };
        let values = self.transmuted_elements(value, &array_of_bytes(count))?;
        self.write_elements(&bytes, values)
    }

    fn write_elements(&mut self, to: &Tree, values: Vec<Tree>) -> Result<(), Stop> {
        for (index, value) in values.into_iter().enumerate() {
            let element = self.offset(to, Scalar::usize(index), Arithmetic::InBounds)?;
            self.write_through(&element, value)?;
        }
        Ok(())
    }

    fn transmuted_elements(&mut self, value: Tree, array: &Ty) -> Result<Vec<Tree>, Stop> {
        match self.cast(CastKind::Transmute, value, array)? {
            Tree::Seq { elems, .. } => Ok(elems.to_vec()),
            other => Err(undefined(UndefinedBehaviour::ReadThrough(other.kind()))),
        }
    }

    fn elements_behind(&mut self, elem: &Ty, from: &Tree, count: usize) -> Result<Vec<Tree>, Stop> {
        if let Some((number, _)) = number_of_bytes(elem, from, count) {
            let value = self.read_through(&number)?;
            return self.transmuted_elements(value, &array_of_bytes(count));
        }
        let mut values = Vec::new();
        for index in 0..count {
            let element = self.offset(from, Scalar::usize(index), Arithmetic::InBounds)?;
            values.push(self.read_through(&element)?);
        }
        Ok(values)
    }

    /// `count` elements at one place must not overlap `count` elements at another.
    fn require_apart(&mut self, from: &Tree, to: &Tree, count: Scalar) -> Result<(), Stop> {
        let (Tree::Pointer(a), Tree::Pointer(b)) = (from, to) else { return Ok(()) };
        // Different allocations lie apart.
        if a.target.alloc != b.target.alloc {
            return Ok(());
        }
        let (i, j) = self.positions(a, b, Positions::Copy)?;
        let (up, down) = (self.run.binary(BinOp::Sub, i, j)?, self.run.binary(BinOp::Sub, j, i)?);
        let above = self.run.binary(BinOp::Ge, up, count)?;
        let below = self.run.binary(BinOp::Ge, down, count)?;
        // Of the two differences one is negative, which is more than any count.
        let apart = self.run.binary(BinOp::BitAnd, above, below)?;
        self.require(apart, apart.bits != 0, BranchKind::Concretization, None)?;
        if apart.bits == 0 { Err(undefined(UndefinedBehaviour::OverlappingCopy)) } else { Ok(()) }
    }

    /// The pointer to the first element of the array or slice behind a pointer.
    fn first_element(&mut self, pointer: &Pointer) -> Result<Pointer, Stop> {
        let start = pointer.target.window.map_or(Scalar::usize(0), |window| window.start);
        let element = self.behind(pointer)?.step(Step::Index(start));
        Ok(Location { bounds: Bounds::Unchecked, ..element }.pointer(pointer.target.mutability))
    }

    /// A number that is taken for a `char` must be one.
    pub(super) fn require_character(&mut self, code: Scalar) -> Result<(), Stop> {
        let limit = |bits| Scalar::concrete(code.ty, bits);
        let low = self.run.binary(BinOp::Lt, code, limit(0xd800))?;
        let above = self.run.binary(BinOp::Ge, code, limit(0xe000))?;
        let below = self.run.binary(BinOp::Lt, code, limit(0x11_0000))?;
        let high = self.run.binary(BinOp::BitAnd, above, below)?;
        let valid = self.run.binary(BinOp::BitOr, low, high)?;
        self.require(valid, valid.bits != 0, BranchKind::Concretization, None)?;
        if valid.bits == 0 { Err(undefined(UndefinedBehaviour::NoCharacter)) } else { Ok(()) }
    }

    /// The closed type of an operand, as far as it is declared.
    pub(super) fn operand_ty(&self, operand: &Operand) -> Option<Ty> {
        match operand {
            Operand::Copy(place) | Operand::Move(place) => self.place_ty(place),
            Operand::Const(Const::Str(_)) => {
                Some(Ty::new(TyKind::Ref(Mutability::Shared, Ty::new(TyKind::Str))))
            }
            Operand::Const(Const::Item { path, .. }) => match self.image.program.functions_at(path) {
                [only] => Some(self.close_ty(&self.image.program.functions[*only].output)),
                _ => None,
            },
            Operand::Const(_) => None,
        }
    }

    /// The pointer as one to `to`, where it is declared as one to `from`.
    pub(super) fn cast_pointer(&mut self, pointer: Pointer, from: &Ty, to: &Ty) -> Result<Pointer, Stop> {
        let (declared, to) = (layout::without_wrappers(from), layout::without_wrappers(to));
        if declared == to {
            return Ok(pointer);
        }
        if let SeenAs::Foreign(real) = &pointer.target.seen_as {
            return match *real == to {
                true => Ok(seen_as(pointer, SeenAs::Declared)),
                false => Ok(pointer),
            };
        }
        if let (TyKind::Dyn(_), SeenAs::Dyn(real)) = (declared.kind(), &pointer.target.seen_as) {
            return match (to.kind(), *real == to) {
                // `dyn A + Send` and the like.
                (TyKind::Dyn(_), _) => Ok(pointer),
                (_, true) => Ok(seen_as(pointer, SeenAs::Declared)),
                _ => {
                    let real = real.clone();
                    Ok(seen_as(pointer, SeenAs::Foreign(real)))
                }
            };
        }
        match (declared.kind(), to.kind()) {
            // To the first element.
            (TyKind::Array(elem, _) | TyKind::Slice(elem), _) if *elem == to => self.first_element(&pointer),
            (TyKind::Str, TyKind::Int(IntTy::U8)) => self.first_element(&pointer),
            (TyKind::Str, TyKind::Slice(elem)) | (TyKind::Slice(elem), TyKind::Str)
                if *elem == Ty::int(IntTy::U8) =>
            {
                Ok(pointer)
            }
            // To an array that begins at the element.
            (_, TyKind::Array(elem, len)) if *elem == declared => {
                match (element_of(&pointer), len.as_index()) {
                    (Some((sequence, index)), Some(len)) => {
                        let len = Scalar::usize(len as usize);
                        self.require_part(&sequence, index, len, Bounded::Array)?;
                        let window = Some(Window { start: index, len });
                        Ok(Location { window, ..sequence }.pointer(pointer.target.mutability))
                    }
                    _ => Ok(seen_as(pointer, SeenAs::Foreign(declared))),
                }
            }
            _ => Ok(seen_as(pointer, SeenAs::Foreign(declared))),
        }
    }
}

/// The pointer to a number, and the number's type, of a pointer to its bytes, all of which are so many.
fn number_of_bytes(elem: &Ty, pointer: &Tree, count: usize) -> Option<(Tree, Ty)> {
    let Tree::Pointer(pointer) = pointer else { return None };
    let SeenAs::Foreign(real) = &pointer.target.seen_as else { return None };
    let TyKind::Int(int) = real.kind() else { return None };
    let is_whole = *elem == Ty::int(IntTy::U8) && count.checked_mul(8) == usize::try_from(int.bits()).ok();
    is_whole.then(|| (Tree::Pointer(seen_as(pointer.clone(), SeenAs::Declared)), real.clone()))
}

fn array_of_bytes(count: usize) -> Ty {
    Ty::new(TyKind::Array(Ty::int(IntTy::U8), Const::int(count as i128, IntTy::Usize)))
}

/// The pointer to the first byte, and how many there are, of a pointer to a number that lies among bytes.
fn bytes_of_number(ty: &Ty, pointer: &Tree) -> Option<(Tree, usize)> {
    let Tree::Pointer(pointer) = pointer else { return None };
    let SeenAs::Foreign(real) = &pointer.target.seen_as else { return None };
    let TyKind::Int(int) = ty.kind() else { return None };
    (*real == Ty::int(IntTy::U8))
        .then(|| (Tree::Pointer(seen_as(pointer.clone(), SeenAs::Declared)), int.bits() as usize / 8))
}

fn seen_as(mut pointer: Pointer, seen_as: SeenAs) -> Pointer {
    pointer.target.seen_as = seen_as;
    pointer
}

/// A `dyn Trait` pointer to what was a `ty`.
pub(super) fn dynamic(pointer: Pointer, ty: &Ty) -> Pointer {
    match (&pointer.target.seen_as, ty.kind()) {
        // From one trait to another.
        (SeenAs::Dyn(_), _) | (SeenAs::Foreign(_), _) | (_, TyKind::Dyn(_)) => pointer,
        _ => seen_as(pointer, SeenAs::Dyn(ty.clone())),
    }
}
