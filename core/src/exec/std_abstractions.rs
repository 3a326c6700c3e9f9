//! Types of the standard library whose private fields are in a relation that only the library knows, as inputs and
//! outputs.
//!
//! *Idea.* An iterator over a sequence is what it will still yield. As an input it stands for any list within the
//! bounds and is made as its constructor makes it; every state that it can be in behaves like a fresh one over
//! the rest. As an output it is the list of what is left, however far the positions are. Numbers that are not zero
//! and ranges that were not iterated are built from their parts, and so are times ([`super::parts`]).
//!
//! Cells and locks are what is in them, and whether that is borrowed. As inputs they are not.
//!
//! Not handled: iterators that tell how far they are (`CharIndices`), those that lend (`IterMut`), hash tables.

use std::rc::Rc;

use super::tree::{Scalar, Tree};
use crate::ir::known::shown::{self, Behind, Content, Part, Shown, State, Users};
use crate::ir::{CtorKind, GenericArg, GenericArgs, IntTy, KnownType, Mutability, Path, Ty, TyKind};
use crate::value::Value;

/// How values of a type are made and shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum View {
    /// An iterator: what is left of a list.
    Rest(Rest),
    /// `NonZero<int>`
    NonZero(IntTy),
    /// `RangeInclusive<T>`, not exhausted.
    Inclusive(Ty),
    /// Made by a call from numbers within limits.
    Parts(&'static [Part]),
    Cell(CellView),
    /// A guard is shown as what it guards, and is no input.
    Guard,
    /// A reference-counted pointer to this is shown as a reference to it.
    Counted(Ty),
}

/// A type with interior mutability: its content, in a cell, and perhaps by whom that is borrowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CellView {
    pub content: Ty,
    pub state: State,
    pub users: Users,
}

/// The model's struct has this field, which holds the list, and besides it `front` and `back`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rest {
    pub field: &'static str,
    pub list: List,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum List {
    /// `&[T]`
    Slice(Ty),
    /// `&str`
    Text,
    /// The bytes of a `&str`, as a `&[u8]`.
    Bytes,
    /// `Vec<Option<T>>`, where what was handed out is `None`.
    Owned(Ty),
}

impl List {
    /// The type of the list as a value.
    pub fn ty(&self) -> Ty {
        let shared = |ty| Ty::new(TyKind::Ref(Mutability::Shared, ty));
        match self {
            List::Slice(elem) => shared(Ty::new(TyKind::Slice(elem.clone()))),
            List::Text => shared(Ty::new(TyKind::Str)),
            List::Bytes => shared(Ty::new(TyKind::Slice(Ty::int(IntTy::U8)))),
            List::Owned(elem) => {
                let args: GenericArgs = [GenericArg::Ty(elem.clone())].into_iter().collect();
                Ty::new(TyKind::Adt(KnownType::Vec.into(), args))
            }
        }
    }

    /// Whether a value can be what the list is made of: strings are ASCII.
    pub fn allows(&self, value: &Value) -> bool {
        let (List::Bytes, Value::Ref(bytes)) = (self, value) else { return true };
        let Value::Seq(bytes) = &**bytes else { return true };
        bytes.iter().all(|byte| matches!(byte, Value::Int { bits, .. } if *bits < 0x80))
    }
}

pub(super) fn view(ty: &Ty) -> Option<View> {
    let TyKind::Adt(path, args) = ty.kind() else { return None };
    let elem = || match args.first() {
        Some(GenericArg::Ty(elem)) => Some(elem.clone()),
        _ => None,
    };
    Some(match path.known_type()?.shown()? {
        Shown::Left(field, list) => {
            let list = match list {
                shown::List::Slice => List::Slice(elem()?),
                shown::List::Text => List::Text,
                shown::List::Bytes => List::Bytes,
                shown::List::Owned => List::Owned(elem()?),
            };
            View::Rest(Rest { field, list })
        }
        Shown::NonZero => match elem()?.kind() {
            TyKind::Int(int) => View::NonZero(*int),
            _ => return None,
        },
        Shown::Ends => View::Inclusive(elem()?),
        Shown::Behind(Behind::Guard) => View::Guard,
        Shown::Behind(Behind::Counted) => View::Counted(elem()?),
        Shown::Parts(parts) => View::Parts(parts),
        Shown::Cell(content, state, users) => {
            let content = match content {
                Content::Value => elem()?,
                Content::Option => Ty::adt(KnownType::Option, vec![GenericArg::Ty(elem()?)]),
                Content::Bool => Ty::new(TyKind::Bool),
                Content::Int(int) => Ty::int(int),
            };
            View::Cell(CellView { content, state, users })
        }
        Shown::Natively
        | Shown::Fields
        | Shown::Text
        | Shown::Elements
        | Shown::Unordered
        | Shown::Behind(Behind::Owned)
        | Shown::Debug
        | Shown::Written
        | Shown::Hidden
        | Shown::Never => return None,
    })
}

impl CellView {
    /// How one is shown.
    pub fn value(&self, path: &Path, content: Value, borrowed: Value) -> Value {
        let mut fields = vec![("value".into(), content)];
        if self.state == State::Borrows {
            fields.push(("borrowed".into(), borrowed));
        }
        Value::Adt { path: path.clone(), variant: None, ctor: CtorKind::Struct, fields }
    }
}

/// The counts of a pointer that is one of so many.
pub(super) fn counts(strong: usize) -> Tree {
    let usize_ty = || Ty::int(IntTy::Usize);
    let count = |count| cell_of(usize_ty(), Scalar::usize(count).into());
    let ty = Ty::adt(KnownType::Counts, Vec::new());
    Tree::Struct { ty, fields: Rc::new(vec![count(strong), count(0)]) }
}

pub(super) fn boxed(content: Ty) -> Ty {
    Ty::adt(KnownType::Box, vec![GenericArg::Ty(content)])
}

pub(super) fn unsafe_cell_of(ty: Ty, content: Tree) -> Tree {
    let ty = Ty::adt(KnownType::UnsafeCell, vec![GenericArg::Ty(ty)]);
    Tree::Struct { ty, fields: Rc::new(vec![content]) }
}

pub(super) fn cell_of(ty: Ty, content: Tree) -> Tree {
    let cell = Ty::adt(KnownType::Cell, vec![GenericArg::Ty(ty.clone())]);
    Tree::Struct { ty: cell, fields: Rc::new(vec![unsafe_cell_of(ty, content)]) }
}

/// What is inside of structs of one field each.
pub(super) fn innermost(tree: &Tree) -> Option<Scalar> {
    match tree {
        Tree::Scalar(scalar) => Some(*scalar),
        Tree::Struct { fields, .. } if fields.len() == 1 => innermost(&fields[0]),
        _ => None,
    }
}

/// Whether the models declare the type with other fields than the standard library has.
pub(super) fn has_own_fields(path: &Path) -> bool {
    path.begins_in_std(&["cell::", "sync::", "rc::"]) && path != KnownType::AtomicOrdering
}

/// What is inside of a `Some`, if that is what it is on every input of the partition.
pub(super) fn inside_some(tree: &Tree) -> Option<Tree> {
    match tree {
        Tree::Enum { tag, fields, .. } if tag.term.is_none() && tag.as_usize() == SOME => {
            fields.first().cloned()
        }
        _ => None,
    }
}

/// The index of `Some` among the variants of `Option`.
pub(super) const SOME: usize = 1;
