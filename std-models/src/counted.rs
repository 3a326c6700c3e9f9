//! `Rc` and `Arc`: one text for both, as only one thread is looked at.
//!
//! The content and its counts are two allocations, so that a pointer to the content is like that of a box: of the size, and
//! with the methods, of what it points to. The executor makes and shows a counted pointer by these two fields.

macro_rules! counted_types {
    ($name:ident $weak:ident) => {
        pub struct $name<T: ?Sized> {
            value: std::mem::ManuallyDrop<Box<T>>,
            counts: std::mem::ManuallyDrop<Box<crate::counted::Counts>>,
        }

        /// None for one that was never attached to anything.
        pub struct $weak<T: ?Sized> {
            target:
                Option<(std::mem::ManuallyDrop<Box<T>>, std::mem::ManuallyDrop<Box<crate::counted::Counts>>)>,
        }
    };
}

macro_rules! counted_methods {
    ($name:ident $weak:ident $what:literal) => {
        use std::cmp::Ordering;
        use std::mem::ManuallyDrop;

        use crate::counted::Counts;
        use crate::intrinsics::{is_eq, same_allocation, same_box, unmodelled};
        use crate::ops::Deref;

        impl<T> $name<T> {
            pub fn new(value: T) -> $name<T> {
                $name {
                    value: ManuallyDrop::new(Box::new(value)),
                    counts: ManuallyDrop::new(Counts::fresh()),
                }
            }
            pub fn new_cyclic<F: FnOnce(&$weak<T>) -> T>(_data_fn: F) -> $name<T> {
                unmodelled(concat!($what, "::new_cyclic"))
            }
            pub fn try_unwrap(this: $name<T>) -> Result<T, $name<T>> {
                if this.counts.strong.get() == 1 { Ok($name::take(this)) } else { Err(this) }
            }
            pub fn into_inner(this: $name<T>) -> Option<T> {
                if this.counts.strong.get() == 1 { Some($name::take(this)) } else { None }
            }
            pub fn from_raw(_pointer: *const T) -> $name<T> {
                unmodelled(concat!($what, "::from_raw"))
            }
            /// The content of the only pointer to it.
            fn take(mut this: $name<T>) -> T {
                this.counts.strong.set(0);
                let content = unsafe { ManuallyDrop::take(&mut this.value) };
                std::mem::forget(this);
                *content
            }
        }

        impl<T: Clone> $name<T> {
            pub fn unwrap_or_clone(this: $name<T>) -> T {
                if this.counts.strong.get() == 1 { $name::take(this) } else { T::clone(&**this.value) }
            }
            pub fn make_mut(this: &mut $name<T>) -> &mut T {
                if this.counts.strong.get() != 1 {
                    let copy = $name::new(T::clone(&**this.value));
                    *this = copy;
                } else if this.counts.weak.get() != 0 {
                    // Weak pointers lose their target, which goes on with counts of its own.
                    let old = std::mem::replace(&mut this.counts, ManuallyDrop::new(Counts::fresh()));
                    old.strong.set(0);
                }
                &mut **this.value
            }
        }

        impl<T: ?Sized> $name<T> {
            pub fn strong_count(this: &$name<T>) -> usize {
                this.counts.strong.get()
            }
            pub fn weak_count(this: &$name<T>) -> usize {
                this.counts.weak.get()
            }
            pub fn ptr_eq(this: &$name<T>, other: &$name<T>) -> bool {
                same_allocation(&this.counts, &other.counts)
            }
            pub fn get_mut(this: &mut $name<T>) -> Option<&mut T> {
                if this.counts.strong.get() == 1 && this.counts.weak.get() == 0 {
                    Some(&mut **this.value)
                } else {
                    None
                }
            }
            pub fn downgrade(this: &$name<T>) -> $weak<T> {
                this.counts.weak.set(this.counts.weak.get().wrapping_add(1));
                $weak { target: Some((same_box(&this.value), same_box(&this.counts))) }
            }
            pub fn as_ptr(_this: &$name<T>) -> *const T {
                unmodelled(concat!($what, "::as_ptr"))
            }
            pub fn into_raw(_this: $name<T>) -> *const T {
                unmodelled(concat!($what, "::into_raw"))
            }
        }

        impl<T> $weak<T> {
            pub const fn new() -> $weak<T> {
                $weak { target: None }
            }
        }

        impl<T: ?Sized> $weak<T> {
            pub fn upgrade(&self) -> Option<$name<T>> {
                match &self.target {
                    Some((value, counts)) if counts.strong.get() != 0 => {
                        counts.strong.set(counts.strong.get().wrapping_add(1));
                        Some($name { value: same_box(value), counts: same_box(counts) })
                    }
                    _ => None,
                }
            }
            pub fn strong_count(&self) -> usize {
                match &self.target {
                    Some((_, counts)) => counts.strong.get(),
                    None => 0,
                }
            }
            pub fn weak_count(&self) -> usize {
                match &self.target {
                    Some((_, counts)) if counts.strong.get() != 0 => counts.weak.get(),
                    _ => 0,
                }
            }
            pub fn ptr_eq(&self, other: &$weak<T>) -> bool {
                match (&self.target, &other.target) {
                    (Some((_, left)), Some((_, right))) => same_allocation(left, right),
                    (None, None) => true,
                    _ => false,
                }
            }
        }

        impl<T: ?Sized> Drop for $name<T> {
            fn drop(&mut self) {
                let strong = self.counts.strong.get().wrapping_sub(1);
                self.counts.strong.set(strong);
                if strong == 0 {
                    unsafe { ManuallyDrop::drop(&mut self.value) }
                }
            }
        }

        impl<T: ?Sized> Drop for $weak<T> {
            fn drop(&mut self) {
                if let Some((_, counts)) = &self.target {
                    counts.weak.set(counts.weak.get().wrapping_sub(1));
                }
            }
        }

        impl<T: ?Sized> Deref for $name<T> {
            type Target = T;
            fn deref(&self) -> &T {
                &**self.value
            }
        }

        impl<T: ?Sized> crate::convert::AsRef<T> for $name<T> {
            fn as_ref(&self) -> &T {
                &**self.value
            }
        }

        impl<T: ?Sized> crate::borrow::Borrow<T> for $name<T> {
            fn borrow(&self) -> &T {
                &**self.value
            }
        }

        impl<T: ?Sized> crate::clone::Clone for $name<T> {
            fn clone(&self) -> $name<T> {
                self.counts.strong.set(self.counts.strong.get().wrapping_add(1));
                $name { value: same_box(&self.value), counts: same_box(&self.counts) }
            }
        }

        impl<T: ?Sized> crate::clone::Clone for $weak<T> {
            fn clone(&self) -> $weak<T> {
                match &self.target {
                    Some((value, counts)) => {
                        counts.weak.set(counts.weak.get().wrapping_add(1));
                        $weak { target: Some((same_box(value), same_box(counts))) }
                    }
                    None => $weak { target: None },
                }
            }
        }

        impl<T: Default> crate::default::Default for $name<T> {
            fn default() -> $name<T> {
                $name::new(T::default())
            }
        }

        impl<T> crate::default::Default for $weak<T> {
            fn default() -> $weak<T> {
                $weak { target: None }
            }
        }

        impl<T> crate::convert::From<T> for $name<T> {
            fn from(value: T) -> $name<T> {
                $name::new(value)
            }
        }

        impl<T: ?Sized> crate::convert::From<Box<T>> for $name<T> {
            fn from(value: Box<T>) -> $name<T> {
                $name { value: ManuallyDrop::new(value), counts: ManuallyDrop::new(Counts::fresh()) }
            }
        }

        impl<T> crate::convert::From<Vec<T>> for $name<[T]> {
            fn from(items: Vec<T>) -> $name<[T]> {
                let value = ManuallyDrop::new(items.into_boxed_slice());
                $name { value, counts: ManuallyDrop::new(Counts::fresh()) }
            }
        }

        impl<T: Clone> crate::convert::From<&[T]> for $name<[T]> {
            fn from(items: &[T]) -> $name<[T]> {
                let value = ManuallyDrop::new(items.to_vec().into_boxed_slice());
                $name { value, counts: ManuallyDrop::new(Counts::fresh()) }
            }
        }

        impl crate::convert::From<&str> for $name<str> {
            fn from(text: &str) -> $name<str> {
                let mut owned = String::new();
                owned.push_str(text);
                let value = ManuallyDrop::new(owned.into_boxed_str());
                $name { value, counts: ManuallyDrop::new(Counts::fresh()) }
            }
        }

        impl crate::convert::From<String> for $name<str> {
            fn from(text: String) -> $name<str> {
                let value = ManuallyDrop::new(text.into_boxed_str());
                $name { value, counts: ManuallyDrop::new(Counts::fresh()) }
            }
        }

        impl<T> crate::iter::FromIterator<T> for $name<[T]> {
            fn from_iter<I: crate::iter::IntoIterator<Item = T>>(items: I) -> $name<[T]> {
                let items: Vec<T> = crate::iter::FromIterator::from_iter(items);
                crate::convert::From::from(items)
            }
        }

        // Where both are one pointer, std does not ask whether its content is equal to itself if it is `Eq`.
        impl<T: ?Sized + PartialEq> crate::cmp::PartialEq for $name<T> {
            fn eq(&self, other: &$name<T>) -> bool {
                (is_eq::<T>() && $name::ptr_eq(self, other)) || **self.value == **other.value
            }
            fn ne(&self, other: &$name<T>) -> bool {
                !(is_eq::<T>() && $name::ptr_eq(self, other)) && **self.value != **other.value
            }
        }

        impl<T: ?Sized + Eq> crate::cmp::Eq for $name<T> {}

        impl<T: ?Sized + PartialOrd> crate::cmp::PartialOrd for $name<T> {
            fn partial_cmp(&self, other: &$name<T>) -> Option<Ordering> {
                (**self.value).partial_cmp(&**other.value)
            }
            fn lt(&self, other: &$name<T>) -> bool {
                **self.value < **other.value
            }
            fn le(&self, other: &$name<T>) -> bool {
                **self.value <= **other.value
            }
            fn gt(&self, other: &$name<T>) -> bool {
                **self.value > **other.value
            }
            fn ge(&self, other: &$name<T>) -> bool {
                **self.value >= **other.value
            }
        }

        impl<T: ?Sized + Ord> crate::cmp::Ord for $name<T> {
            fn cmp(&self, other: &$name<T>) -> Ordering {
                (**self.value).cmp(&**other.value)
            }
        }

        impl<T: ?Sized + crate::hash::Hash> crate::hash::Hash for $name<T> {
            fn hash<H: crate::hash::Hasher>(&self, state: &mut H) {
                crate::hash::Hash::hash(&**self.value, state);
            }
        }

        impl<T: ?Sized + crate::fmt::Debug> crate::fmt::Debug for $name<T> {
            fn fmt(&self, f: &mut crate::fmt::Formatter<'_>) -> crate::fmt::Result {
                crate::fmt::Debug::fmt(&**self.value, f)
            }
        }

        impl<T: ?Sized + crate::fmt::Display> crate::fmt::Display for $name<T> {
            fn fmt(&self, f: &mut crate::fmt::Formatter<'_>) -> crate::fmt::Result {
                crate::fmt::Display::fmt(&**self.value, f)
            }
        }

        impl<T: ?Sized> crate::fmt::Debug for $weak<T> {
            fn fmt(&self, f: &mut crate::fmt::Formatter<'_>) -> crate::fmt::Result {
                f.write_str("(Weak)")
            }
        }
    };
}

pub(crate) use {counted_methods, counted_types};

use crate::cell::Cell;

/// How many pointers there are. Unlike in std, the strong ones do not count as a weak one.
pub struct Counts {
    pub(crate) strong: Cell<usize>,
    pub(crate) weak: Cell<usize>,
}

impl Counts {
    /// Those of the first pointer.
    pub(crate) fn fresh() -> Box<Counts> {
        Box::new(Counts { strong: Cell::new(1), weak: Cell::new(0) })
    }
}
