//! Who sees how large types are and where their fields lie, without naming them.
//!
//! *Idea.* A type that differs makes those functions differ that reach it, and it is reached where it is named. A generic function names no type that its
//! caller chooses, and yet may do something else for one whose layout is another: where it, or what it runs, relies on the layout of its parameters.
//!
//! *Definition.* A body relies on the layout of a type if it casts or transmutes pointers to it, does arithmetic on them, reads a union that it
//! is in, hands it to code of other languages, or calls what [`sees_layout`] of it. For a parameter, a `dyn` type or what is not known that is the layout of every
//! type that is in play ([`Layout::OfAllInPlay`]).
//!
//! *Limits.* Memory is taken to suffice: that a stack or a heap is exhausted sooner is not a difference.

use super::outside::names_library_only;
use super::uses::last_segment;
use crate::ir::*;
use crate::observable::looks::{self, Defined, Sees};

/// Whose layout something depends on, besides that of closed types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Layout {
    #[default]
    OfNamed,
    /// That of whatever a parameter stands for, or of what is not known.
    OfAllInPlay,
}

/// Last names of items of the library that show sizes, discriminants or whether there is something to drop; those of allocations do by when they fail.
const ASKS: &[&str] = &[
    "discriminant",
    "discriminant_value",
    "from_elem",
    "needs_drop",
    "repeat",
    "reserve",
    "reserve_exact",
    "resize",
    "resize_with",
    "try_reserve",
    "try_reserve_exact",
    "variant_count",
    "with_capacity",
];

/// Whether what the path names may do other things for a type of another layout. Nothing that has not been judged is taken not to.
pub(super) fn sees_layout(path: &Path) -> bool {
    let last = last_segment(path);
    ASKS.contains(&last)
        || last.contains("size_of")
        || last.contains("align_of")
        || path.as_str().contains("ptr::")
        || !names_library_only(path)
        || looks::library_item(path, Defined::Nowhere) == Sees::Memory
}
