//! Values in memory: typed trees whose leaves carry concrete bits, a term and a slice.

use std::rc::Rc;

use super::slice::SliceId;
use crate::ir::{FloatTy, FnRef, GenericArgs, IntTy, Mutability, Path, Signedness, Ty};
use crate::term::{Sort, TermId};
use crate::verdict::unsupported::ValueKind;

crate::define_ids! {
    /// One allocation of a run: a local, a static, a promoted constant, the target of an input reference.
    AllocId = "a";
}

/// The type of a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScalarTy {
    Bool,
    Char,
    Int(IntTy),
    Float(FloatTy),
    /// The index of the variant an enum is of.
    Tag,
}

/// A leaf: its bits on this run, the term that gives them on every input of the partition (none if the bits do
/// not depend on the input there), and the branch instances in its relevant slice.
#[derive(Clone, Copy, Debug)]
pub struct Scalar {
    pub ty: ScalarTy,
    pub bits: u128,
    pub term: Option<TermId>,
    pub slice: SliceId,
}

#[derive(Clone, Debug)]
pub enum Tree {
    /// Never written, or moved out of.
    Uninit,
    Scalar(Scalar),
    Pointer(Pointer),
    /// A raw pointer made of a number: null, or one that points to nothing.
    Address(Scalar),
    Tuple(Rc<Vec<Tree>>),
    Struct {
        ty: Ty,
        fields: Rc<Vec<Tree>>,
    },
    /// `fields` are those of the variant that `tag` has on this run.
    Enum {
        ty: Ty,
        tag: Scalar,
        fields: Rc<Vec<Tree>>,
    },
    /// An array, or what a slice or `str` pointer points to. On other inputs of the partition the length may
    /// differ, so `elems` goes up to the longest possible one; `len` says how many there are.
    Seq {
        elems: Rc<Vec<Tree>>,
        len: Scalar,
    },
    Closure {
        path: Path,
        args: GenericArgs,
        captures: Rc<Vec<Tree>>,
        /// The types of the captures, as far as they are known.
        types: Rc<Vec<Option<Ty>>>,
        /// Of which closure it is: it may have been chosen as a function pointer.
        slice: SliceId,
    },
    /// A function item or pointer, closed, and the slice of which function it is.
    Fn(Rc<FnRef>, SliceId),
}

/// A reference, raw pointer or box.
#[derive(Clone, Debug)]
pub struct Pointer {
    pub target: Target,
    pub slice: SliceId,
    /// Which branches decide where it points to. One whose arm is still being executed when the pointer is used is
    /// known by its token alone; of the others, and of data, it is the slice.
    pub chosen: SliceId,
}

/// A place in memory: an allocation and the way down from its root.
#[derive(Clone, Debug)]
pub struct Target {
    pub alloc: AllocId,
    pub path: Rc<[Step]>,
    /// For pointers to slices and `str`: which part of the sequence at the end of the path.
    pub window: Option<Window>,
    pub mutability: Mutability,
    pub bounds: Bounds,
    pub seen_as: SeenAs,
}

/// Whether a pointer is known to point to something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bounds {
    Known,
    /// A raw pointer to an element of a sequence, or behind its last one: to be looked at when it is used.
    Unchecked,
}

/// The type of the memory behind a pointer, where the type of the pointer does not say it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeenAs {
    Declared,
    /// `dyn Trait`: what was made into it.
    Dyn(Ty),
    /// The pointer was cast to one of another type, of which there is nothing there: it can be cast back only.
    Foreign(Ty),
}

#[derive(Clone, Copy, Debug)]
pub enum Step {
    Field(usize),
    Index(Scalar),
}

/// `len` elements from `start`; both `usize` scalars.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    pub start: Scalar,
    pub len: Scalar,
}

impl ScalarTy {
    pub fn bits(self) -> u32 {
        match self {
            ScalarTy::Bool => 1,
            ScalarTy::Char => 32,
            ScalarTy::Int(ty) => ty.bits(),
            ScalarTy::Float(ty) => ty.bits().into(),
            ScalarTy::Tag => 16,
        }
    }

    pub fn sort(self) -> Sort {
        match self {
            ScalarTy::Bool => Sort::Bool,
            other => Sort::Bv(other.bits() as u16),
        }
    }

    pub fn signedness(self) -> Signedness {
        match self {
            ScalarTy::Int(ty) => ty.signedness(),
            _ => Signedness::Unsigned,
        }
    }

    pub fn truncate(self, bits: u128) -> u128 {
        match self.bits() {
            128 => bits,
            width => bits & ((1u128 << width) - 1),
        }
    }
}

impl Scalar {
    /// A value that is the same on every input.
    pub fn concrete(ty: ScalarTy, bits: u128) -> Scalar {
        Scalar { ty, bits: ty.truncate(bits), term: None, slice: SliceId::empty() }
    }

    pub fn bool(value: bool) -> Scalar {
        Scalar::concrete(ScalarTy::Bool, value.into())
    }

    pub fn usize(value: usize) -> Scalar {
        Scalar::concrete(ScalarTy::Int(IntTy::Usize), value as u128)
    }

    pub fn as_usize(&self) -> usize {
        usize::try_from(self.bits).unwrap_or(usize::MAX)
    }
}

impl Tree {
    /// What it is, for reasons.
    pub fn kind(&self) -> ValueKind {
        match self {
            Tree::Uninit => ValueKind::Uninitialised,
            Tree::Scalar(scalar) => ValueKind::Scalar(match scalar.ty {
                ScalarTy::Int(ty) => ty.to_string(),
                other => format!("{other:?}").to_lowercase(),
            }),
            Tree::Pointer(_) => ValueKind::Pointer,
            Tree::Address(_) => ValueKind::Address,
            Tree::Tuple(_) => ValueKind::Tuple,
            Tree::Struct { ty, .. } | Tree::Enum { ty, .. } => ValueKind::Adt(ty.to_string()),
            Tree::Seq { .. } => ValueKind::Array,
            Tree::Closure { .. } => ValueKind::Closure,
            Tree::Fn(..) => ValueKind::Function,
        }
    }

    pub fn unit() -> Tree {
        Tree::Tuple(Rc::new(Vec::new()))
    }

    pub fn tuple(fields: Vec<Tree>) -> Tree {
        Tree::Tuple(Rc::new(fields))
    }

    /// An array: its length is the same on every input.
    pub fn array(elems: Vec<Tree>) -> Tree {
        let len = Scalar::usize(elems.len());
        Tree::Seq { elems: Rc::new(elems), len }
    }

    pub fn children(&self) -> &[Tree] {
        match self {
            Tree::Tuple(fields)
            | Tree::Struct { fields, .. }
            | Tree::Enum { fields, .. }
            | Tree::Closure { captures: fields, .. }
            | Tree::Seq { elems: fields, .. } => fields,
            Tree::Uninit | Tree::Scalar(_) | Tree::Pointer(_) | Tree::Address(_) | Tree::Fn(..) => &[],
        }
    }

    /// The children for writing; shared trees are copied first.
    pub fn children_mut(&mut self) -> &mut [Tree] {
        match self {
            Tree::Tuple(fields)
            | Tree::Struct { fields, .. }
            | Tree::Enum { fields, .. }
            | Tree::Closure { captures: fields, .. }
            | Tree::Seq { elems: fields, .. } => Rc::make_mut(fields).as_mut_slice(),
            Tree::Uninit | Tree::Scalar(_) | Tree::Pointer(_) | Tree::Address(_) | Tree::Fn(..) => &mut [],
        }
    }
}

impl From<Scalar> for Tree {
    fn from(scalar: Scalar) -> Tree {
        Tree::Scalar(scalar)
    }
}
