//! Types of the standard library: how a value of each is shown, and what there is to it beside that.
//!
//! One row for each type. The engine flattens its outputs by it (`exec::output`, `exec::std_abstractions`), the code that is added for native runs is
//! written from it or held against it by a test (the harness's `tests/table`), and [`super::uncompared`] reads its last column.

use super::Aspect::{self, *};
use crate::ir::{IntTy, Ty, TyKind};

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
    const fn any(field: &'static str, int: IntTy) -> Part {
        Part { field, int, last: u128::MAX }
    }

    /// Whether every number of its type will do.
    pub fn is_free(&self) -> bool {
        self.last == u128::MAX
    }
}

const NANOS: Part = Part { field: "nanos", int: IntTy::U32, last: 999_999_999 };

/// What the comparison leaves out of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    /// These, and what its arguments have.
    Aspects(&'static [Aspect]),
    /// Nobody has looked.
    Unjudged,
}

pub struct Row {
    pub path: &'static str,
    pub shown: Shown,
    pub beside: Beside,
}

const fn row(path: &'static str, shown: Shown, beside: Beside) -> Row {
    Row { path, shown, beside }
}

const PLAIN: Beside = Beside::Aspects(&[]);
const UNJUDGED: Beside = Beside::Unjudged;
const MEMORY: Beside = Beside::Aspects(&[Address, Capacity]);
const TABLE: Beside = Beside::Aspects(&[Address, Capacity, Order]);
const SHARED: Beside = Beside::Aspects(&[Address, Sharing]);

const fn cell(path: &'static str, content: Content, state: State, users: Users, beside: Beside) -> Row {
    row(path, Shown::Cell(content, state, users), beside)
}

const fn atomic(path: &'static str, int: IntTy) -> Row {
    cell(path, Content::Int(int), State::None, Users::AnyThread, UNJUDGED)
}

const fn debug(path: &'static str) -> Row {
    row(path, Shown::Debug, UNJUDGED)
}

pub const ROWS: &[Row] = &[
    row("std::cmp::Ordering", Shown::Fields, PLAIN),
    row("std::cmp::Reverse", Shown::Fields, PLAIN),
    row("std::num::Wrapping", Shown::Fields, PLAIN),
    row("std::ops::Bound", Shown::Fields, PLAIN),
    row("std::ops::ControlFlow", Shown::Fields, PLAIN),
    row("std::ops::Range", Shown::Fields, PLAIN),
    row("std::ops::RangeFrom", Shown::Fields, PLAIN),
    row("std::ops::RangeInclusive", Shown::Ends, PLAIN),
    row("std::ops::RangeTo", Shown::Fields, PLAIN),
    row("std::option::Option", Shown::Fields, PLAIN),
    row("std::result::Result", Shown::Fields, PLAIN),
    row("std::ops::RangeFull", Shown::Fields, UNJUDGED),
    row("std::ops::RangeToInclusive", Shown::Fields, UNJUDGED),
    row("std::borrow::Cow", Shown::Fields, UNJUDGED),
    row("std::marker::PhantomData", Shown::Fields, UNJUDGED),
    row("std::stand_ins::Function", Shown::Fields, UNJUDGED),
    row("std::stand_ins::Recorder", Shown::Fields, UNJUDGED),
    row("std::time::SystemTimeError", Shown::Fields, UNJUDGED),
    row("std::path::Path", Shown::Fields, UNJUDGED),
    row("std::path::PathBuf", Shown::Fields, UNJUDGED),
    row("std::ffi::OsStr", Shown::Fields, UNJUDGED),
    row("std::ffi::OsString", Shown::Fields, UNJUDGED),
    row("std::net::IpAddr", Shown::Fields, UNJUDGED),
    row("std::net::Ipv4Addr", Shown::Fields, UNJUDGED),
    row("std::net::Ipv6Addr", Shown::Fields, UNJUDGED),
    row("std::num::NonZero", Shown::NonZero, UNJUDGED),
    row("std::string::String", Shown::Text, MEMORY),
    row("std::vec::Vec", Shown::Elements, MEMORY),
    row("std::collections::VecDeque", Shown::Elements, UNJUDGED),
    row("std::collections::BTreeMap", Shown::Elements, UNJUDGED),
    row("std::collections::BTreeSet", Shown::Elements, UNJUDGED),
    row("std::collections::HashMap", Shown::Unordered, TABLE),
    row("std::collections::HashSet", Shown::Unordered, TABLE),
    row("std::boxed::Box", Shown::Behind(Behind::Owned), Beside::Aspects(&[Address])),
    row("std::rc::Rc", Shown::Behind(Behind::Counted), SHARED),
    row("std::sync::Arc", Shown::Behind(Behind::Counted), SHARED),
    row("std::rc::Weak", Shown::Never, SHARED),
    row("std::sync::Weak", Shown::Never, SHARED),
    row("std::cell::Ref", Shown::Behind(Behind::Guard), UNJUDGED),
    row("std::cell::RefMut", Shown::Behind(Behind::Guard), UNJUDGED),
    row("std::sync::MutexGuard", Shown::Behind(Behind::Guard), UNJUDGED),
    row("std::sync::RwLockReadGuard", Shown::Behind(Behind::Guard), UNJUDGED),
    row("std::sync::RwLockWriteGuard", Shown::Behind(Behind::Guard), UNJUDGED),
    cell("std::cell::Cell", Content::Value, State::None, Users::OneThread, Beside::Aspects(&[Written])),
    cell("std::cell::RefCell", Content::Value, State::Borrows, Users::OneThread, Beside::Aspects(&[Written])),
    cell("std::cell::OnceCell", Content::Option, State::None, Users::OneThread, UNJUDGED),
    cell("std::sync::OnceLock", Content::Option, State::None, Users::AnyThread, UNJUDGED),
    cell("std::sync::Mutex", Content::Value, State::Borrows, Users::AnyThread, UNJUDGED),
    cell("std::sync::RwLock", Content::Value, State::Borrows, Users::AnyThread, UNJUDGED),
    cell("std::sync::atomic::AtomicBool", Content::Bool, State::None, Users::AnyThread, UNJUDGED),
    atomic("std::sync::atomic::AtomicU8", IntTy::U8),
    atomic("std::sync::atomic::AtomicU16", IntTy::U16),
    atomic("std::sync::atomic::AtomicU32", IntTy::U32),
    atomic("std::sync::atomic::AtomicU64", IntTy::U64),
    atomic("std::sync::atomic::AtomicUsize", IntTy::Usize),
    atomic("std::sync::atomic::AtomicI8", IntTy::I8),
    atomic("std::sync::atomic::AtomicI16", IntTy::I16),
    atomic("std::sync::atomic::AtomicI32", IntTy::I32),
    atomic("std::sync::atomic::AtomicI64", IntTy::I64),
    atomic("std::sync::atomic::AtomicIsize", IntTy::Isize),
    row("std::slice::Iter", Shown::Left("slice", List::Slice), UNJUDGED),
    row("std::str::Chars", Shown::Left("text", List::Text), UNJUDGED),
    row("std::str::Bytes", Shown::Left("bytes", List::Bytes), UNJUDGED),
    row("std::vec::IntoIter", Shown::Left("items", List::Owned), UNJUDGED),
    row("std::time::Duration", Shown::Parts(&[Part::any("secs", IntTy::U64), NANOS]), UNJUDGED),
    row("std::time::SystemTime", Shown::Parts(&[Part::any("secs", IntTy::I64), NANOS]), UNJUDGED),
    row("std::mem::MaybeUninit", Shown::Hidden, UNJUDGED),
    row("std::fmt::Formatter", Shown::Written, UNJUDGED),
    debug("std::fmt::Error"),
    debug("std::convert::Infallible"),
    debug("std::num::ParseIntError"),
    debug("std::num::ParseFloatError"),
    debug("std::num::TryFromIntError"),
    debug("std::str::ParseBoolError"),
    debug("std::str::Utf8Error"),
    debug("std::string::FromUtf8Error"),
    debug("std::string::FromUtf16Error"),
    debug("std::char::CharTryFromError"),
    debug("std::char::ParseCharError"),
    debug("std::char::DecodeUtf16Error"),
    debug("std::array::TryFromSliceError"),
    debug("std::io::ErrorKind"),
    debug("std::io::Error"),
];

/// How values of a type are shown; none if the table does not have it.
pub fn shown(path: &str) -> Option<Shown> {
    row_of(path).map(|row| row.shown)
}

/// The same of a type that may be anything.
pub fn shown_type(ty: &Ty) -> Option<Shown> {
    match ty.kind() {
        TyKind::Adt(path, _) => shown(path.as_str()),
        _ => None,
    }
}

/// Whether several pointers of the type may lead to one content.
pub fn is_shared(path: &str) -> bool {
    matches!(row_of(path).map(|row| row.beside), Some(Beside::Aspects(aspects)) if aspects.contains(&Sharing))
}

pub(super) fn row_of(path: &str) -> Option<&'static Row> {
    // Most types are those of crates.
    path.starts_with("std::").then(|| ROWS.iter().find(|row| row.path == path))?
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_type_has_one_row() {
        let paths: BTreeSet<&str> = ROWS.iter().map(|row| row.path).collect();
        assert_eq!(paths.len(), ROWS.len());
    }

    #[test]
    fn what_cannot_be_shown_whole_says_so() {
        for row in ROWS {
            let has = |aspect| matches!(row.beside, Beside::Aspects(aspects) if aspects.contains(&aspect));
            let is_unjudged = row.beside == Beside::Unjudged;
            match row.shown {
                Shown::Unordered => assert!(has(Order), "{}", row.path),
                Shown::Cell(..) => assert!(is_unjudged || has(Written), "{}", row.path),
                Shown::Behind(Behind::Counted) => assert!(has(Sharing), "{}", row.path),
                Shown::Behind(_) | Shown::Text => assert!(is_unjudged || has(Address), "{}", row.path),
                Shown::Elements => assert!(is_unjudged || has(Capacity), "{}", row.path),
                Shown::Hidden | Shown::Debug | Shown::Left(..) | Shown::Written => {
                    assert!(is_unjudged, "{}", row.path);
                }
                Shown::Fields | Shown::NonZero | Shown::Ends | Shown::Parts(_) | Shown::Never => {}
            }
        }
    }
}
