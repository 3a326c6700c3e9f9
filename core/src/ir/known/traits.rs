//! Traits of the standard library.

pub struct TraitRow {
    pub path: &'static str,
    pub parameter: Parameter,
}

/// What stands for the trait's own parameter where a program names none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// It has none, or one without a default.
    Named,
    /// `Self`, as in `a: Add`, which is `Add<Self>`.
    DefaultsToSelf,
}

const fn row(path: &'static str) -> TraitRow {
    TraitRow { path, parameter: Parameter::Named }
}

/// A trait with one parameter, which is `Self` if none is named.
const fn of_self(path: &'static str) -> TraitRow {
    TraitRow { path, parameter: Parameter::DefaultsToSelf }
}

super::table! {
    /// A trait of the standard library that has a row.
    KnownTrait of TraitRow:

    Clone: row("std::clone::Clone");
    Copy: row("std::marker::Copy");
    Eq: row("std::cmp::Eq");
    Ord: row("std::cmp::Ord");
    Hash: row("std::hash::Hash");
    Hasher: row("std::hash::Hasher");
    BuildHasher: row("std::hash::BuildHasher");
    Debug: row("std::fmt::Debug");
    Display: row("std::fmt::Display");
    FmtWrite: row("std::fmt::Write");
    Default: row("std::default::Default");
    From: row("std::convert::From");
    TryFrom: row("std::convert::TryFrom");
    FromStr: row("std::str::FromStr");
    ToOwned: row("std::borrow::ToOwned");
    Error: row("std::error::Error");
    Drop: row("std::ops::Drop");
    Deref: row("std::ops::Deref");
    DerefMut: row("std::ops::DerefMut");
    Fn: row("std::ops::Fn");
    FnMut: row("std::ops::FnMut");
    FnOnce: row("std::ops::FnOnce");
    RangeBounds: row("std::ops::RangeBounds");
    Iterator: row("std::iter::Iterator");
    DoubleEndedIterator: row("std::iter::DoubleEndedIterator");
    ExactSizeIterator: row("std::iter::ExactSizeIterator");
    FusedIterator: row("std::iter::FusedIterator");
    IntoIterator: row("std::iter::IntoIterator");
    FromIterator: row("std::iter::FromIterator");
    Extend: row("std::iter::Extend");
    Read: row("std::io::Read");
    BufRead: row("std::io::BufRead");
    Write: row("std::io::Write");
    Seek: row("std::io::Seek");
    Wake: row("std::task::Wake");
    Sized: row("std::marker::Sized");
    MetaSized: row("std::marker::MetaSized");
    PointeeSized: row("std::marker::PointeeSized");
    Destruct: row("std::marker::Destruct");
    Tuple: row("std::marker::Tuple");
    Send: row("std::marker::Send");
    Sync: row("std::marker::Sync");
    Unpin: row("std::marker::Unpin");
    UnwindSafe: row("std::panic::UnwindSafe");
    RefUnwindSafe: row("std::panic::RefUnwindSafe");

    PartialEq: of_self("std::cmp::PartialEq");
    PartialOrd: of_self("std::cmp::PartialOrd");
    Add: of_self("std::ops::Add");
    Sub: of_self("std::ops::Sub");
    Mul: of_self("std::ops::Mul");
    Div: of_self("std::ops::Div");
    Rem: of_self("std::ops::Rem");
    BitAnd: of_self("std::ops::BitAnd");
    BitOr: of_self("std::ops::BitOr");
    BitXor: of_self("std::ops::BitXor");
    Shl: of_self("std::ops::Shl");
    Shr: of_self("std::ops::Shr");
    AddAssign: of_self("std::ops::AddAssign");
    SubAssign: of_self("std::ops::SubAssign");
    MulAssign: of_self("std::ops::MulAssign");
    DivAssign: of_self("std::ops::DivAssign");
    RemAssign: of_self("std::ops::RemAssign");
    BitAndAssign: of_self("std::ops::BitAndAssign");
    BitOrAssign: of_self("std::ops::BitOrAssign");
    BitXorAssign: of_self("std::ops::BitXorAssign");
    ShlAssign: of_self("std::ops::ShlAssign");
    ShrAssign: of_self("std::ops::ShrAssign");
    Sum: of_self("std::iter::Sum");
    Product: of_self("std::iter::Product");
}

impl KnownTrait {
    /// Whether types have the trait by what they are made of: implementations that are written are the exceptions.
    pub fn is_auto(self) -> bool {
        use KnownTrait::*;
        matches!(self, Send | Sync | Unpin | UnwindSafe | RefUnwindSafe)
    }

    /// Whether what has the trait can be called.
    pub fn is_call(self) -> bool {
        matches!(self, KnownTrait::Fn | KnownTrait::FnMut | KnownTrait::FnOnce)
    }
}
