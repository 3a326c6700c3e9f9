//! Types of the standard library whose private fields are in a relation that only the library knows, as inputs and
//! outputs.
//!
//! *Idea.* An iterator over a sequence is what it will still yield. As an input it stands for any list within the
//! bounds and is made as its constructor makes it; every state that it can be in behaves like a fresh one over
//! the rest. As an output it is the list of what is left, however far the positions are. Numbers that are not zero
//! and ranges that were not iterated are built from their parts, and so are times ([`super::parts`]).
//!
//! Not handled: iterators that tell how far they are (`CharIndices`), those that lend (`IterMut`), hash tables.

use super::parts::{Part, parts_of};
use super::tree::Tree;
use crate::ir::{GenericArg, GenericArgs, IntTy, Mutability, Ty, TyKind};
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
                Ty::new(TyKind::Adt("std::vec::Vec".into(), args))
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
    let rest = |field, list| Some(View::Rest(Rest { field, list }));
    match path.as_str() {
        "std::slice::Iter" => rest("slice", List::Slice(elem()?)),
        "std::str::Chars" => rest("text", List::Text),
        "std::str::Bytes" => rest("bytes", List::Bytes),
        "std::vec::IntoIter" => rest("items", List::Owned(elem()?)),
        "std::num::NonZero" => match elem()?.kind() {
            TyKind::Int(int) => Some(View::NonZero(*int)),
            _ => None,
        },
        "std::ops::RangeInclusive" => Some(View::Inclusive(elem()?)),
        path => parts_of(path).map(View::Parts),
    }
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
