//! Code that is not known, by what it may call of the types of values that it is handed.
//!
//! *Idea.* Generic code calls of its parameters only what its bounds say; the standard library chooses among implementations of its own by few traits besides
//! (`Copy`, `TrustedLen`), never by those of formatting. So `mem::swap::<T>` prints nothing, whatever `T` is. The bounds of functions that are not read are not known,
//! but of most modules of the library it is known that nothing in them formats a value of a caller's type.

use super::super::outside::names_library_only;
use crate::ir::Path;

/// Whose code is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in super::super) enum Unknown {
    /// Code of the standard library that formats nothing.
    Library,
    /// Other code of the standard library.
    Formatter,
    Anyone,
}

/// Modules of the standard library in which nothing formats a value of a type that a caller chooses, but for implementations of the formatting traits,
/// whose paths are in `std::fmt`.
const WITHOUT_FORMATTING: [&str; 22] = [
    "alloc",
    "array",
    "borrow",
    "boxed",
    "cell",
    "char",
    "clone",
    "cmp",
    "collections",
    "convert",
    "default",
    "hash",
    "iter",
    "marker",
    "mem",
    "num",
    "ops",
    "option",
    "ptr",
    "slice",
    "str",
    "vec",
];

/// The traits of formatting.
const FORMATTING: [&str; 9] =
    ["Binary", "Debug", "Display", "LowerExp", "LowerHex", "Octal", "Pointer", "UpperExp", "UpperHex"];

impl Unknown {
    /// Of the item at a path.
    pub(super) fn at(path: &Path) -> Unknown {
        if !names_library_only(path) {
            return Unknown::Anyone;
        }
        let module = path.as_str().strip_prefix("std::").and_then(|rest| rest.split("::").next());
        match module.is_some_and(|module| WITHOUT_FORMATTING.contains(&module)) {
            true => Unknown::Library,
            false => Unknown::Formatter,
        }
    }
}

/// The traits that a function of the standard library, whose body is not known, may call of its type parameters, where its bounds are known: none but these and `Drop`. What an
/// assertion shows is known so, since otherwise whoever asserts that two numbers are equal would run all that is implemented for numbers.
pub(super) fn traits_called_by(path: &Path) -> Option<&'static [&'static str]> {
    match path.as_str() {
        "std::panicking::assert_failed" => Some(&["std::fmt::Debug"]),
        "std::rt::panic_display" | "std::panicking::panic_display" => Some(&["std::fmt::Display"]),
        "std::vec::Vec::from_raw_parts" => Some(&[]),
        _ => None,
    }
}

/// Whether it is a trait of the standard library that is called to format a value.
pub(in super::super) fn is_formatting(path: &Path) -> bool {
    path.as_str().strip_prefix("std::fmt::").is_some_and(|name| FORMATTING.contains(&name))
}
