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
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::known::{self, Known, KnownTrait, KnownType};

/// The canonical path of an item; cheap to clone. One that stands in the tables of [`known`] is its row, so comparing it with one is
/// comparing two numbers.
#[derive(Clone, PartialEq, Eq)]
pub struct Path(Repr);

/// Invariant: a text that has a row is never [`Repr::Other`].
#[derive(Clone, PartialEq, Eq)]
enum Repr {
    Known(Known),
    Other(Arc<str>),
}

/// One identifier: a field, a variant, a generic parameter, a method. Tuple fields are `0`, `1`, ….
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Name(Arc<str>);

impl Path {
    pub fn new(text: impl AsRef<str>) -> Self {
        let text = text.as_ref();
        Path(Known::at(text).map_or_else(|| Repr::Other(Arc::from(text)), Repr::Known))
    }

    pub fn as_str(&self) -> &str {
        match &self.0 {
            Repr::Known(item) => item.path(),
            Repr::Other(text) => text,
        }
    }

    /// The type of the standard library that it names, if that has a row.
    pub fn known_type(&self) -> Option<KnownType> {
        match self.0 {
            Repr::Known(Known::Type(item)) => Some(item),
            _ => None,
        }
    }

    /// The trait of the standard library that it names, if that has a row.
    pub fn known_trait(&self) -> Option<KnownTrait> {
        match self.0 {
            Repr::Known(Known::Trait(item)) => Some(item),
            _ => None,
        }
    }

    /// The first segment: the crate, unless it is a method of an implementation (`<u8 as k::Tr>::m`).
    pub fn crate_name(&self) -> &str {
        self.as_str().split("::").next().unwrap_or_default()
    }

    /// The last segment: the item's own name.
    pub fn last(&self) -> &str {
        self.as_str().rsplit("::").next().unwrap_or_default()
    }

    /// Whether it is that of an item of the standard library. Methods of primitive types and items of implementations are none.
    pub fn is_of_std(&self) -> bool {
        matches!(self.0, Repr::Known(_)) || self.in_std().is_some()
    }

    /// What stands behind `std::`: `vec::Vec::push`.
    pub fn in_std(&self) -> Option<&str> {
        known::in_std(self.as_str())
    }

    /// Whether it is that of an item of the standard library whose path goes on so behind `std::`: `ptr::` has all of a module.
    pub fn begins_in_std(&self, with: &[&str]) -> bool {
        self.in_std().is_some_and(|path| with.iter().any(|start| path.starts_with(start)))
    }
}

// Like that of its text, by which paths are looked up.
impl Hash for Path {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl Ord for Path {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl PartialOrd for Path {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Serialize for Path {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Path {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Path::new)
    }
}

macro_rules! known_path {
    ($item:ident, $known_as:ident) => {
        impl From<$item> for Path {
            fn from(item: $item) -> Self {
                Path(Repr::Known(item.into()))
            }
        }
        impl From<$item> for Known {
            fn from(item: $item) -> Self {
                Known::$known_as(item)
            }
        }
        impl PartialEq<$item> for Path {
            fn eq(&self, other: &$item) -> bool {
                matches!(self.0, Repr::Known(Known::$known_as(item)) if item == *other)
            }
        }
        impl PartialEq<$item> for &Path {
            fn eq(&self, other: &$item) -> bool {
                **self == *other
            }
        }
    };
}

known_path!(KnownType, Type);
known_path!(KnownTrait, Trait);

impl Name {
    pub fn new(text: impl AsRef<str>) -> Self {
        Name(Arc::from(text.as_ref()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

macro_rules! text {
    ($name:ident) => {
        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                self.as_str()
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
                f.write_str(self.as_str())
            }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
        impl PartialEq<str> for $name {
            fn eq(&self, other: &str) -> bool {
                self.as_str() == other
            }
        }
        impl PartialEq<&str> for $name {
            fn eq(&self, other: &&str) -> bool {
                self.as_str() == *other
            }
        }
    };
}

text!(Path);
text!(Name);

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn paths_are_their_texts() {
        let texts = ["k::Vec", "std::vec::Vec", "std::vec::Vec::push", "std::ops::Drop", "u32::count_ones"];
        let by_path: BTreeMap<Path, usize> = texts.iter().map(Path::new).zip(0..).collect();
        let hash_of = |value: &dyn Fn(&mut rustc_hash::FxHasher)| {
            let mut hasher = rustc_hash::FxHasher::default();
            value(&mut hasher);
            hasher.finish()
        };
        for (at, text) in texts.iter().enumerate() {
            let path = Path::new(text);
            assert_eq!((path.as_str(), path.to_string().as_str()), (*text, *text));
            assert_eq!(by_path.get(*text), Some(&at), "{text}");
            assert_eq!(hash_of(&|state| path.hash(state)), hash_of(&|state| text.hash(state)), "{text}");
        }
    }

    #[test]
    fn well_known_items_are_told_by_number() {
        let vec = Path::new("std::vec::Vec");
        assert_eq!((vec.known_type(), vec.known_trait()), (Some(KnownType::Vec), None));
        assert_eq!(Path::from(KnownType::Vec), vec);
        assert!(vec == KnownType::Vec && vec != Path::new("k::Vec"));
        assert!(vec.is_of_std() && Path::new("std::vec::Vec::push").is_of_std());
        assert_eq!(Path::new("std::vec::Vec::push").in_std(), Some("vec::Vec::push"));
        assert!(
            vec.begins_in_std(&["str::", "vec::"]) && !Path::new("k::vec::Vec").begins_in_std(&["vec::"])
        );
        assert!(!Path::new("stdx::Vec").is_of_std() && !Path::new("str::len").is_of_std());
        assert_eq!(size_of::<Path>(), size_of::<Arc<str>>());
    }
}
