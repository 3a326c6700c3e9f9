//! The standard library's types and traits that are known by name: one table of each.
//!
//! A row says what the executor, the harness, the front ends and reports need to know of the item. Code asks for the variant
//! (`path == KnownType::Vec`, `match path.known_type()`), never for the text of a path: a [`Path`](super::Path) looks itself up once,
//! when it is made.
//!
//! * [`types`]: types, with how they are shown, copied, compared, iterated and declared
//! * [`traits`]: traits, with what stands for a parameter that is not named
//! * [`shown`]: the columns on how a value is shown, and what there is to it beside that
//! * [`iterates`]: the column on iterators
//!
//! What is said of whole modules (`std::ptr::…` tells addresses) is no row: it stands where it is asked.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

pub mod iterates;
pub mod shown;
pub mod traits;
pub mod types;

pub use traits::KnownTrait;
pub use types::KnownType;

/// An item that has a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    Type(KnownType),
    Trait(KnownTrait),
}

impl Known {
    /// The item of this canonical path.
    pub fn at(path: &str) -> Option<Known> {
        // Most items are those of crates.
        in_std(path).and_then(|_| BY_PATH.get(path).copied())
    }

    pub fn path(self) -> &'static str {
        match self {
            Known::Type(item) => item.path(),
            Known::Trait(item) => item.path(),
        }
    }
}

/// What stands behind `std::` in a canonical path of the standard library.
pub(super) fn in_std(path: &str) -> Option<&str> {
    path.strip_prefix("std::")
}

static BY_PATH: LazyLock<FxHashMap<&'static str, Known>> = LazyLock::new(|| {
    let types = KnownType::ALL.iter().map(|item| Known::Type(*item));
    let traits = KnownTrait::ALL.iter().map(|item| Known::Trait(*item));
    types.chain(traits).map(|item| (item.path(), item)).collect()
});

/// An enum of items, with a row for each.
macro_rules! table {
    ($(#[$meta:meta])* $name:ident of $row:ident: $($variant:ident: $columns:expr;)*) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum $name {
            $($variant,)*
        }

        impl $name {
            /// In the order of the table.
            pub const ALL: &[$name] = &[$($name::$variant,)*];

            pub const fn row(self) -> &'static $row {
                const ROWS: &[$row] = &[$($columns,)*];
                &ROWS[self as usize]
            }

            pub const fn path(self) -> &'static str {
                self.row().path
            }
        }
    };
}

use table;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_item_is_found_at_its_path() {
        assert_eq!(BY_PATH.len(), KnownType::ALL.len() + KnownTrait::ALL.len(), "no path stands twice");
        assert_eq!(Known::at("std::vec::Vec"), Some(Known::Type(KnownType::Vec)));
        assert_eq!(Known::at("std::ops::Drop"), Some(Known::Trait(KnownTrait::Drop)));
        for path in ["Vec", "k::Vec", "std::vec::Vec::push", "core::option::Option"] {
            assert_eq!(Known::at(path), None, "{path}");
        }
    }

    #[test]
    fn paths_are_canonical() {
        for path in BY_PATH.keys() {
            assert!(in_std(path).is_some(), "{path}");
        }
    }
}
