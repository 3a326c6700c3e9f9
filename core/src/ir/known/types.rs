//! Types of the standard library: what is needed to know of each.
//!
//! *How to add one.* A row, with the columns that hold of it; what a column is left out of a row says the least. Values are made natively by
//! `impl Build` in the harness's `glue/`, and by the executor by a model in `std-models`.

use super::iterates::{Fused, Iterates, Keeps, Source};
use super::shown::Aspect::{Address, Capacity, Order, Sharing, Written};
use super::shown::Shown::{Debug, Elements, Fields, Left, Never, Parts, Text, Unordered};
use super::shown::{Behind, Beside, Content, List, NANOS, Part, Shown, State, Users};
use crate::ir::IntTy;

pub struct TypeRow {
    pub path: &'static str,
    /// None: nobody has looked, or there are no values of it in inputs and outputs.
    pub shown: Option<Shown>,
    pub beside: Beside,
    pub copied: Copied,
    pub compared: Compared,
    pub iterates: Iterates,
    /// Its definition, for types that programs build or take apart by field although no dump has them.
    pub declared: Option<Declaration>,
}

/// Whether a type is `Copy`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copied {
    Never,
    /// If its arguments are.
    ByParts,
    Always,
}

/// How much is known of comparing, cloning and dropping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compared {
    Unknown,
    /// Lawful, without effects, and all of it returns, if the same is true of its arguments.
    Plainly,
}

/// A definition in a notation close to Rust's, with full paths. Allocator parameters are left out, as rustc leaves them out in its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// `enum`, `struct` or `union`.
    pub keyword: &'static str,
    /// What stands behind the path: parameters, then variants or fields.
    pub rest: &'static str,
}

impl TypeRow {
    const fn shown(self, shown: Shown) -> TypeRow {
        TypeRow { shown: Some(shown), ..self }
    }

    /// Nothing is left out of a comparison of its values but what its arguments leave out.
    const fn whole(self) -> TypeRow {
        self.beside(&[])
    }

    const fn beside(self, aspects: &'static [super::shown::Aspect]) -> TypeRow {
        TypeRow { beside: Beside::Aspects(aspects), ..self }
    }

    const fn copied(self, copied: Copied) -> TypeRow {
        TypeRow { copied, ..self }
    }

    const fn plain(self) -> TypeRow {
        TypeRow { compared: Compared::Plainly, ..self }
    }

    const fn source(self, source: Source) -> TypeRow {
        TypeRow { iterates: Iterates::Source(source), ..self }
    }

    const fn adapts(self, of: usize, keeps: Keeps, fused: Fused) -> TypeRow {
        TypeRow { iterates: Iterates::Adaptor { of, keeps, fused }, ..self }
    }

    const fn declared(self, keyword: &'static str, rest: &'static str) -> TypeRow {
        TypeRow { declared: Some(Declaration { keyword, rest }), ..self }
    }
}

const fn row(path: &'static str) -> TypeRow {
    TypeRow {
        path,
        shown: None,
        beside: Beside::Unjudged,
        copied: Copied::Never,
        compared: Compared::Unknown,
        iterates: Iterates::Unknown,
        declared: None,
    }
}

const fn fields(path: &'static str) -> TypeRow {
    row(path).shown(Fields)
}

const fn behind(path: &'static str, behind: Behind) -> TypeRow {
    row(path).shown(Shown::Behind(behind))
}

const fn cell(path: &'static str, content: Content, state: State, users: Users) -> TypeRow {
    row(path).shown(Shown::Cell(content, state, users))
}

const fn atomic(path: &'static str, int: IntTy) -> TypeRow {
    cell(path, Content::Int(int), State::None, Users::AnyThread)
}

const fn debug(path: &'static str) -> TypeRow {
    row(path).shown(Debug)
}

const fn by_position(path: &'static str) -> TypeRow {
    row(path).source(Source::ByPosition)
}

const fn counted(path: &'static str) -> TypeRow {
    row(path).source(Source::Counted)
}

/// An adaptor of one iterator.
const fn adaptor(path: &'static str, keeps: Keeps, fused: Fused) -> TypeRow {
    row(path).adapts(1, keeps, fused)
}

const MEMORY: &[super::shown::Aspect] = &[Address, Capacity];
const TABLE: &[super::shown::Aspect] = &[Address, Capacity, Order];
const SHARED: &[super::shown::Aspect] = &[Address, Sharing];

const OCTETS: &[Part] = &[
    Part::any("0", IntTy::U8),
    Part::any("1", IntTy::U8),
    Part::any("2", IntTy::U8),
    Part::any("3", IntTy::U8),
];

const SEGMENTS: &[Part] = &[
    Part::any("0", IntTy::U16),
    Part::any("1", IntTy::U16),
    Part::any("2", IntTy::U16),
    Part::any("3", IntTy::U16),
    Part::any("4", IntTy::U16),
    Part::any("5", IntTy::U16),
    Part::any("6", IntTy::U16),
    Part::any("7", IntTy::U16),
];

super::table! {
    /// A type of the standard library that has a row.
    KnownType of TypeRow:

    // Programs build these and take them apart by field.
    Option: fields("std::option::Option").whole().copied(Copied::ByParts).plain().declared("enum", "<T> { None, Some(T) }");
    Result: fields("std::result::Result").whole().copied(Copied::ByParts).plain().declared("enum", "<T, E> { Ok(T), Err(E) }");
    Ordering: fields("std::cmp::Ordering").whole().copied(Copied::Always).plain()
        .declared("enum", " { Less = -1, Equal = 0, Greater = 1 }");
    ControlFlow: fields("std::ops::ControlFlow").whole().copied(Copied::ByParts)
        .declared("enum", "<B, C> { Continue(C), Break(B) }");
    Bound: fields("std::ops::Bound").whole().copied(Copied::ByParts)
        .declared("enum", "<T> { Included(T), Excluded(T), Unbounded }");
    Cow: fields("std::borrow::Cow").plain()
        .declared("enum", "<B> { Borrowed(&B), Owned(<B as std::borrow::ToOwned>::Owned) }");
    Poll: row("std::task::Poll").copied(Copied::ByParts).declared("enum", "<T> { Ready(T), Pending }");
    Infallible: debug("std::convert::Infallible").copied(Copied::Always).declared("enum", " { }");
    AtomicOrdering: row("std::sync::atomic::Ordering").declared("enum", " { Relaxed, Release, Acquire, AcqRel, SeqCst }");
    FpCategory: row("std::num::FpCategory").declared("enum", " { Nan, Infinite, Zero, Subnormal, Normal }");
    IntErrorKind: fields("std::num::IntErrorKind")
        .declared("enum", " { Empty, InvalidDigit, PosOverflow, NegOverflow, Zero, NotAPowerOfTwo }");
    Alignment: row("std::fmt::Alignment").declared("enum", " { Left, Right, Center }");
    AssertKind: row("std::panicking::AssertKind").declared("enum", " { Eq, Ne, Match }");
    Range: fields("std::ops::Range").whole().plain().source(Source::ByPosition)
        .declared("struct", "<Idx> { start: Idx, end: Idx }");
    RangeInclusive: row("std::ops::RangeInclusive").shown(Shown::Ends).whole().source(Source::Counted)
        .declared("struct", "<Idx> { start: Idx, end: Idx, exhausted: bool }");
    RangeFrom: fields("std::ops::RangeFrom").whole().source(Source::Counted).declared("struct", "<Idx> { start: Idx }");
    RangeTo: fields("std::ops::RangeTo").whole().declared("struct", "<Idx> { end: Idx }");
    RangeToInclusive: fields("std::ops::RangeToInclusive").declared("struct", "<Idx> { end: Idx }");
    RangeFull: fields("std::ops::RangeFull").declared("struct", "");
    Box: behind("std::boxed::Box", Behind::Owned).beside(&[Address]).plain().adapts(1, Keeps::Nothing, Fused::AsInside)
        .declared("struct", "<T> ( std::ptr::Unique<T> )");
    Unique: row("std::ptr::Unique")
        .declared("struct", "<T> { pointer: std::ptr::NonNull<T>, _marker: std::marker::PhantomData<T> }");
    NonNull: row("std::ptr::NonNull").declared("struct", "<T> { pointer: *const T }");
    Wrapping: fields("std::num::Wrapping").whole().copied(Copied::ByParts).plain().declared("struct", "<T> ( T )");
    Saturating: row("std::num::Saturating").declared("struct", "<T> ( T )");
    Reverse: fields("std::cmp::Reverse").whole().copied(Copied::ByParts).plain().declared("struct", "<T> ( T )");
    PhantomData: fields("std::marker::PhantomData").copied(Copied::Always).declared("struct", "<T>");
    PhantomPinned: row("std::marker::PhantomPinned").declared("struct", "");
    FmtError: fields("std::fmt::Error").declared("struct", "");
    Pin: row("std::pin::Pin").declared("struct", "<Ptr> { pointer: Ptr }");
    ManuallyDrop: row("std::mem::ManuallyDrop").copied(Copied::ByParts).shown(Shown::Natively)
        .declared("struct", "<T> { value: std::mem::MaybeDangling<T> }");
    MaybeDangling: row("std::mem::MaybeDangling").declared("struct", "<T> ( T )");
    MaybeUninit: row("std::mem::MaybeUninit").shown(Shown::Hidden)
        .declared("union", "<T> { uninit: (), value: std::mem::ManuallyDrop<T> }");
    AssertUnwindSafe: row("std::panic::AssertUnwindSafe").declared("struct", "<T> ( T )");
    UnsafeCell: row("std::cell::UnsafeCell").declared("struct", "<T> { value: T }");

    // Texts, collections, numbers.
    String: row("std::string::String").shown(Text).beside(MEMORY).plain();
    Vec: row("std::vec::Vec").shown(Elements).beside(MEMORY).plain();
    VecDeque: row("std::collections::VecDeque").shown(Elements).plain();
    BTreeMap: row("std::collections::BTreeMap").shown(Elements).plain();
    LinkedList: row("std::collections::LinkedList").shown(Shown::Natively);
    BinaryHeap: row("std::collections::BinaryHeap").shown(Shown::Natively);
    BTreeSet: row("std::collections::BTreeSet").shown(Elements).plain();
    HashMap: row("std::collections::HashMap").shown(Unordered).beside(TABLE);
    HashSet: row("std::collections::HashSet").shown(Unordered).beside(TABLE);
    NonZero: row("std::num::NonZero").shown(Shown::NonZero).copied(Copied::ByParts).plain();
    Duration: row("std::time::Duration").shown(Parts(&[Part::any("secs", IntTy::U64), NANOS])).copied(Copied::Always).plain();
    SystemTime: row("std::time::SystemTime").shown(Parts(&[Part::any("secs", IntTy::I64), NANOS]));
    // Since a point in time of each process.
    Instant: row("std::time::Instant").shown(Parts(&[Part::any("secs", IntTy::I64), NANOS])).copied(Copied::Always);
    // Each is another one.
    RandomState: row("std::hash::RandomState").shown(Parts(&[]));
    SystemTimeError: fields("std::time::SystemTimeError");
    BufReader: row("std::io::BufReader").shown(Shown::Natively);
    BufWriter: row("std::io::BufWriter").shown(Shown::Natively);
    Cursor: fields("std::io::Cursor").whole();
    Path: fields("std::path::Path");
    PathBuf: fields("std::path::PathBuf");
    CStr: row("std::ffi::CStr").shown(Shown::Natively);
    CString: row("std::ffi::CString").shown(Shown::Natively);
    OsStr: fields("std::ffi::OsStr");
    OsString: fields("std::ffi::OsString");
    SocketAddr: row("std::net::SocketAddr").shown(Shown::Natively);
    IpAddr: fields("std::net::IpAddr");
    Ipv4Addr: row("std::net::Ipv4Addr").shown(Parts(OCTETS)).copied(Copied::Always).plain();
    Ipv6Addr: row("std::net::Ipv6Addr").shown(Parts(SEGMENTS)).copied(Copied::Always).plain();

    // Pointers and guards.
    Rc: behind("std::rc::Rc", Behind::Counted).beside(SHARED);
    Arc: behind("std::sync::Arc", Behind::Counted).beside(SHARED);
    RcWeak: row("std::rc::Weak").shown(Never).beside(SHARED);
    ArcWeak: row("std::sync::Weak").shown(Never).beside(SHARED);
    Counts: row("std::counted::Counts");
    Ref: behind("std::cell::Ref", Behind::Guard);
    RefMut: behind("std::cell::RefMut", Behind::Guard);
    MutexGuard: behind("std::sync::MutexGuard", Behind::Guard);
    RwLockReadGuard: behind("std::sync::RwLockReadGuard", Behind::Guard);
    RwLockWriteGuard: behind("std::sync::RwLockWriteGuard", Behind::Guard);

    // Cells and locks.
    Cell: cell("std::cell::Cell", Content::Value, State::None, Users::OneThread).beside(&[Written]);
    RefCell: cell("std::cell::RefCell", Content::Value, State::Borrows, Users::OneThread).beside(&[Written]);
    OnceCell: cell("std::cell::OnceCell", Content::Option, State::None, Users::OneThread);
    OnceLock: cell("std::sync::OnceLock", Content::Option, State::None, Users::AnyThread);
    LazyLock: row("std::sync::LazyLock");
    Mutex: cell("std::sync::Mutex", Content::Value, State::Borrows, Users::AnyThread);
    RwLock: cell("std::sync::RwLock", Content::Value, State::Borrows, Users::AnyThread);
    AtomicBool: cell("std::sync::atomic::AtomicBool", Content::Bool, State::None, Users::AnyThread);
    AtomicU8: atomic("std::sync::atomic::AtomicU8", IntTy::U8);
    AtomicU16: atomic("std::sync::atomic::AtomicU16", IntTy::U16);
    AtomicU32: atomic("std::sync::atomic::AtomicU32", IntTy::U32);
    AtomicU64: atomic("std::sync::atomic::AtomicU64", IntTy::U64);
    AtomicUsize: atomic("std::sync::atomic::AtomicUsize", IntTy::Usize);
    AtomicI8: atomic("std::sync::atomic::AtomicI8", IntTy::I8);
    AtomicI16: atomic("std::sync::atomic::AtomicI16", IntTy::I16);
    AtomicI32: atomic("std::sync::atomic::AtomicI32", IntTy::I32);
    AtomicI64: atomic("std::sync::atomic::AtomicI64", IntTy::I64);
    AtomicIsize: atomic("std::sync::atomic::AtomicIsize", IntTy::Isize);

    // Iterators that have their items from no other one.
    SliceIter: by_position("std::slice::Iter").shown(Left("slice", List::Slice));
    SliceIterMut: by_position("std::slice::IterMut").shown(Shown::Natively);
    Chunks: by_position("std::slice::Chunks");
    ChunksMut: by_position("std::slice::ChunksMut");
    ChunksExact: by_position("std::slice::ChunksExact");
    ChunksExactMut: by_position("std::slice::ChunksExactMut");
    RChunks: by_position("std::slice::RChunks");
    Windows: by_position("std::slice::Windows");
    VecDequeIter: by_position("std::collections::vec_deque::Iter");
    VecDequeIterMut: by_position("std::collections::vec_deque::IterMut");
    Bytes: by_position("std::str::Bytes").shown(Left("bytes", List::Bytes));
    Chars: row("std::str::Chars").shown(Left("text", List::Text));
    CharIndices: row("std::str::CharIndices").shown(Shown::Natively);
    Lines: row("std::str::Lines").shown(Shown::Natively);
    SplitWhitespace: row("std::str::SplitWhitespace").shown(Shown::Natively);
    VecIntoIter: counted("std::vec::IntoIter").shown(Left("items", List::Owned));
    VecDrain: counted("std::vec::Drain");
    ArrayIntoIter: counted("std::array::IntoIter");
    VecDequeIntoIter: counted("std::collections::vec_deque::IntoIter");
    OptionIter: counted("std::option::Iter");
    OptionIterMut: counted("std::option::IterMut");
    OptionIntoIter: counted("std::option::IntoIter");
    ResultIter: counted("std::result::Iter");
    ResultIterMut: counted("std::result::IterMut");
    ResultIntoIter: counted("std::result::IntoIter");
    Empty: counted("std::iter::Empty");
    Once: counted("std::iter::Once");
    OnceWith: counted("std::iter::OnceWith");
    Repeat: counted("std::iter::Repeat");
    RepeatN: counted("std::iter::RepeatN");
    RepeatWith: counted("std::iter::RepeatWith");
    FromFn: row("std::iter::FromFn").source(Source::Called);

    // Adaptors of iterators.
    Map: adaptor("std::iter::Map", Keeps::Positions, Fused::AsInside);
    Cloned: adaptor("std::iter::Cloned", Keeps::Positions, Fused::AsInside).shown(Shown::Natively);
    Copied: adaptor("std::iter::Copied", Keeps::Positions, Fused::AsInside).shown(Shown::Natively);
    Enumerate: adaptor("std::iter::Enumerate", Keeps::Positions, Fused::AsInside).shown(Shown::Natively);
    Fuse: adaptor("std::iter::Fuse", Keeps::Positions, Fused::Always).shown(Shown::Natively);
    Zip: row("std::iter::Zip").adapts(2, Keeps::Positions, Fused::AsInside);
    Rev: adaptor("std::iter::Rev", Keeps::Length, Fused::AsInside).shown(Shown::Natively);
    Take: adaptor("std::iter::Take", Keeps::Length, Fused::AsInside).shown(Shown::Natively);
    Peekable: adaptor("std::iter::Peekable", Keeps::Length, Fused::AsInside).shown(Shown::Natively);
    Chain: row("std::iter::Chain").adapts(2, Keeps::Length, Fused::AsInside);
    Filter: adaptor("std::iter::Filter", Keeps::Nothing, Fused::AsInside);
    FilterMap: adaptor("std::iter::FilterMap", Keeps::Nothing, Fused::AsInside);
    Inspect: adaptor("std::iter::Inspect", Keeps::Nothing, Fused::AsInside);
    Skip: adaptor("std::iter::Skip", Keeps::Nothing, Fused::AsInside).shown(Shown::Natively);
    SkipWhile: adaptor("std::iter::SkipWhile", Keeps::Nothing, Fused::AsInside);
    TakeWhile: adaptor("std::iter::TakeWhile", Keeps::Nothing, Fused::AsInside);
    FlatMap: adaptor("std::iter::FlatMap", Keeps::Nothing, Fused::Always);
    Flatten: adaptor("std::iter::Flatten", Keeps::Nothing, Fused::Always);
    Cycle: adaptor("std::iter::Cycle", Keeps::Nothing, Fused::Always);
    MapWhile: adaptor("std::iter::MapWhile", Keeps::Nothing, Fused::Never);
    Scan: adaptor("std::iter::Scan", Keeps::Nothing, Fused::Never);
    StepBy: adaptor("std::iter::StepBy", Keeps::Nothing, Fused::Never).shown(Shown::Natively);

    // Formatting, and errors.
    Formatter: row("std::fmt::Formatter").shown(Shown::Written);
    Arguments: row("std::fmt::Arguments");
    FmtArgument: row("std::fmt::rt::Argument");
    FmtPlaceholder: row("std::fmt::rt::Placeholder");
    FmtUnsafeArg: row("std::fmt::rt::UnsafeArg");
    ParseIntError: fields("std::num::ParseIntError");
    ParseFloatError: fields("std::num::ParseFloatError");
    FloatErrorKind: fields("std::num::FloatErrorKind");
    TryFromIntError: fields("std::num::TryFromIntError");
    ParseBoolError: fields("std::str::ParseBoolError");
    Utf8Error: fields("std::str::Utf8Error");
    FromUtf8Error: fields("std::string::FromUtf8Error");
    FromUtf16Error: debug("std::string::FromUtf16Error");
    CharTryFromError: fields("std::char::CharTryFromError");
    ParseCharError: fields("std::char::ParseCharError");
    CharErrorKind: fields("std::char::CharErrorKind");
    DecodeUtf16Error: debug("std::char::DecodeUtf16Error");
    TryFromSliceError: fields("std::array::TryFromSliceError");
    TryReserveError: debug("std::collections::TryReserveError");
    IoErrorKind: fields("std::io::ErrorKind");
    IoError: row("std::io::Error").shown(Shown::Natively);

    // Of the models alone: what stands for closures and hashers.
    Function: fields("std::stand_ins::Function");
    Recorder: fields("std::stand_ins::Recorder");
    Listener: fields("std::stand_ins::Listener");
    Hashes: fields("std::stand_ins::Hashes").plain();
    FixedHasher: fields("std::stand_ins::FixedHasher");

    // Allocators, which are left out.
    Global: row("std::alloc::Global");
}

impl KnownType {
    /// How values of the type are shown; none if nobody has looked.
    pub fn shown(self) -> Option<Shown> {
        self.row().shown
    }

    /// Whether several pointers of the type may lead to one content.
    pub fn is_shared(self) -> bool {
        matches!(self.row().beside, Beside::Aspects(aspects) if aspects.contains(&Sharing))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_shown_whole_says_so() {
        for ty in KnownType::ALL {
            let row = ty.row();
            let has = |aspect| matches!(row.beside, Beside::Aspects(aspects) if aspects.contains(&aspect));
            let is_unjudged = row.beside == Beside::Unjudged;
            match row.shown {
                Some(Unordered) => assert!(has(Order), "{}", row.path),
                Some(Shown::Cell(..)) => assert!(is_unjudged || has(Written), "{}", row.path),
                Some(Shown::Behind(Behind::Counted)) => assert!(has(Sharing), "{}", row.path),
                Some(Shown::Behind(_) | Text) => assert!(is_unjudged || has(Address), "{}", row.path),
                Some(Elements) => assert!(is_unjudged || has(Capacity), "{}", row.path),
                Some(Shown::Hidden | Debug | Left(..) | Shown::Natively | Shown::Written) | None => {
                    assert!(is_unjudged, "{}", row.path);
                }
                Some(Fields | Shown::NonZero | Shown::Ends | Parts(_) | Never) => {}
            }
        }
    }
}
