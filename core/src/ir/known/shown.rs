//! How values of a type are shown, and what there is to them beside that: columns of [`super::types`].
//!
//! The engine flattens its outputs by them (`exec::output`, `exec::std_abstractions`), the code that is added for native runs is written from
//! them or held against them by a test (the harness's `tests/table`), and [`crate::observable::uncompared`] reads what is beside.

use crate::ir::IntTy;

/// How a value is shown, by the engine as by a native run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// By its fields, public or not, as the standard library names them.
    Fields,
    Text,
    /// By its elements, in their order.
    Elements,
    /// By its elements, in an order that says nothing.
    Unordered,
    /// As a reference to its content.
    Behind(Behind),
    /// An iterator, by what it has left: a struct with this field.
    Left(&'static str, List),
    /// In native runs alone, by parts that nobody else names so: the engine has no inputs of the type. An iterator over another one is
    /// told by what that has left.
    Natively,
    /// By what is in it, and whether that is borrowed.
    Cell(Content, State, Users),
    /// By the number that it is.
    NonZero,
    /// A range with both ends, by these, and whether it was iterated to its end.
    Ends,
    /// By numbers that a public call makes it of.
    Parts(&'static [Part]),
    /// By what `Debug` says, natively; the engine shows the fields of the model. Texts are held against nothing.
    Debug,
    /// A formatter, by what was written to it.
    Written,
    /// Not at all: whether there is anything to be seen, nobody knows.
    Hidden,
    /// It is no output.
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behind {
    Owned,
    Counted,
    /// The guard of a cell or lock.
    Guard,
}

/// What an iterator's list is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// `&[T]`
    Slice,
    /// `&str`
    Text,
    /// The bytes of a `&str`, as a `&[u8]`.
    Bytes,
    /// `Vec<T>`
    Owned,
}

/// What is in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    Value,
    /// A value or, before it was written, none.
    Option,
    Bool,
    Int(IntTy),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    None,
    /// Whether it is borrowed is shown; the model counts borrows in a field `state` in front of the content.
    Borrows,
}

/// Who else may use a cell at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Users {
    OneThread,
    AnyThread,
}

/// One number that a value is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The field of the model's struct.
    pub field: &'static str,
    pub int: IntTy,
    /// The largest one, as bits of an unsigned number.
    pub last: u128,
}

impl Part {
    pub const fn any(field: &'static str, int: IntTy) -> Part {
        Part { field, int, last: u128::MAX }
    }

    /// Whether every number of its type will do.
    pub fn is_free(&self) -> bool {
        self.last == u128::MAX
    }
}

pub(super) const NANOS: Part = Part { field: "nanos", int: IntTy::U32, last: 999_999_999 };

/// Something about a value that the comparison leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Aspect {
    /// It has a place in memory that can be told from others.
    Address,
    /// There is room beyond what is used.
    Capacity,
    /// It holds a shared reference; what it refers to is compared.
    Lent,
    /// It leads to what can be written.
    Written,
    /// Which pointers lead to one content.
    Sharing,
    NanBits,
    /// It has no order, but shows one.
    Order,
    /// It can be called, or does what its type says at run time or at a choice of types.
    Code,
    /// The type is not known well enough.
    Unknown,
}

/// What the comparison leaves out of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    /// These, and what its arguments have.
    Aspects(&'static [Aspect]),
    /// Nobody has looked.
    Unjudged,
}
