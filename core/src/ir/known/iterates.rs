//! What an iterator of the standard library is made of, and what the library takes it for because of that.

/// The column of [`super::types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Iterates {
    /// It is no iterator, or nobody has looked.
    Unknown,
    Source(Source),
    Adaptor {
        /// How many of its first type arguments are the iterators that it adapts.
        of: usize,
        keeps: Keeps,
        fused: Fused,
    },
}

/// An iterator that has its items from no other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// It has an item at each position; its length is trusted.
    ByPosition,
    /// Its length is trusted (`TrustedLen`).
    Counted,
    /// A closure says what is next, and may do so behind the end.
    Called,
}

/// What an adaptor leaves as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    /// An item at each position where there was one, and so the length.
    Positions,
    /// That the length is trusted.
    Length,
    Nothing,
}

/// Whether an adaptor stays at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fused {
    Always,
    Never,
    AsInside,
}
