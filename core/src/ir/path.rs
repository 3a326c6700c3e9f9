//! Names of items in one canonical spelling.
//!
//! * An item of a crate: `krate::module::item`, the crate's name always first (rustc prints none for local items).
//! * An inherent method: `krate::module::Type::method`, generic arguments dropped.
//! * An item of a trait implementation: `<SELF as TRAIT>::name`, SELF and TRAIT printed as [`super::Ty`] prints.
//! * A default method of a trait: `krate::module::Trait::method`.
//! * A closure: its parent's path, then `::{closure#N}`; a promoted constant: `::promoted[N]`.
//! * The standard library: `std::…`, whichever of `core`, `alloc`, `std` rustc happened to print.
//! * An inherent method of a primitive type: `u32::wrapping_add`, `str::len`, `char::to_digit`, `[T]::iter`,
//!   `[T; N]::map`, `*const T::add`, `*mut T::add`.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

macro_rules! interned_text {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
        #[serde(transparent)]
        pub struct $name(Arc<str>);
        impl $name {
            pub fn new(text: impl AsRef<str>) -> Self {
                $name(Arc::from(text.as_ref()))
            }
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }
        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }
        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self::new(text)
            }
        }
        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self::new(text)
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
        impl PartialEq<str> for $name {
            fn eq(&self, other: &str) -> bool {
                &*self.0 == other
            }
        }
        impl PartialEq<&str> for $name {
            fn eq(&self, other: &&str) -> bool {
                &*self.0 == *other
            }
        }
    };
}

interned_text! {
    /// The canonical path of an item; cheap to clone.
    Path
}
interned_text! {
    /// One identifier: a field, a variant, a generic parameter, a method. Tuple fields are `0`, `1`, ….
    Name
}
