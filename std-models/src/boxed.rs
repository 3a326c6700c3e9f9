//! `std::boxed`: what a `Box` does through its content. `Box::new`, dereferencing and dropping are the executor's own.

use crate::convert::{AsMut, AsRef, From};
use crate::iter::{FromIterator, IntoIterator};
use crate::ops::{Deref, DerefMut};

impl<T: ?Sized> Deref for Box<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &**self
    }
}

impl<T: ?Sized> DerefMut for Box<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut **self
    }
}

impl<T: ?Sized> AsRef<T> for Box<T> {
    fn as_ref(&self) -> &T {
        &**self
    }
}

impl<T: ?Sized> AsMut<T> for Box<T> {
    fn as_mut(&mut self) -> &mut T {
        &mut **self
    }
}

impl<T: Clone> crate::clone::Clone for Box<T> {
    fn clone(&self) -> Box<T> {
        Box::new((**self).clone())
    }
    fn clone_from(&mut self, source: &Box<T>) {
        (**self).clone_from(&**source);
    }
}

impl<T: Clone> crate::clone::Clone for Box<[T]> {
    fn clone(&self) -> Box<[T]> {
        (**self).to_vec().into_boxed_slice()
    }
    fn clone_from(&mut self, source: &Box<[T]>) {
        if (**self).len() == (**source).len() {
            (**self).clone_from_slice(&**source);
        } else {
            *self = (**source).to_vec().into_boxed_slice();
        }
    }
}

impl crate::clone::Clone for Box<str> {
    fn clone(&self) -> Box<str> {
        From::<&str>::from(&**self)
    }
}

impl<T> crate::default::Default for Box<[T]> {
    fn default() -> Box<[T]> {
        Vec::new().into_boxed_slice()
    }
}

impl crate::default::Default for Box<str> {
    fn default() -> Box<str> {
        String::new().into_boxed_str()
    }
}

impl<T: Default> crate::default::Default for Box<T> {
    fn default() -> Box<T> {
        Box::new(T::default())
    }
}

impl<T> From<T> for Box<T> {
    fn from(value: T) -> Box<T> {
        Box::new(value)
    }
}

impl From<&str> for Box<str> {
    fn from(text: &str) -> Box<str> {
        let mut owned = String::new();
        owned.push_str(text);
        owned.into_boxed_str()
    }
}

impl From<String> for Box<str> {
    fn from(text: String) -> Box<str> {
        text.into_boxed_str()
    }
}

impl<T: Clone> From<&[T]> for Box<[T]> {
    fn from(items: &[T]) -> Box<[T]> {
        items.to_vec().into_boxed_slice()
    }
}

impl<T> From<Vec<T>> for Box<[T]> {
    fn from(items: Vec<T>) -> Box<[T]> {
        items.into_boxed_slice()
    }
}

impl<T: ?Sized + PartialEq> crate::cmp::PartialEq for Box<T> {
    fn eq(&self, other: &Box<T>) -> bool {
        **self == **other
    }
    fn ne(&self, other: &Box<T>) -> bool {
        **self != **other
    }
}

impl<T: ?Sized + Eq> crate::cmp::Eq for Box<T> {}

impl<T: ?Sized + PartialOrd> crate::cmp::PartialOrd for Box<T> {
    fn partial_cmp(&self, other: &Box<T>) -> Option<std::cmp::Ordering> {
        (**self).partial_cmp(&**other)
    }
    fn lt(&self, other: &Box<T>) -> bool {
        **self < **other
    }
    fn le(&self, other: &Box<T>) -> bool {
        **self <= **other
    }
    fn gt(&self, other: &Box<T>) -> bool {
        **self > **other
    }
    fn ge(&self, other: &Box<T>) -> bool {
        **self >= **other
    }
}

impl<T: ?Sized + Ord> crate::cmp::Ord for Box<T> {
    fn cmp(&self, other: &Box<T>) -> std::cmp::Ordering {
        (**self).cmp(&**other)
    }
}

impl<I: crate::iter::Iterator + ?Sized> crate::iter::Iterator for Box<I> {
    type Item = I::Item;
    fn next(&mut self) -> Option<I::Item> {
        (**self).next()
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (**self).size_hint()
    }
    fn nth(&mut self, n: usize) -> Option<I::Item> {
        (**self).nth(n)
    }
}

impl<T> FromIterator<T> for Box<[T]> {
    fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> Box<[T]> {
        let items: Vec<T> = FromIterator::from_iter(iter);
        items.into_boxed_slice()
    }
}

macro_rules! boxed_text_from {
    ($([$($lifetime:lifetime)?] $ty:ty;)*) => {$(
        impl<$($lifetime)?> FromIterator<$ty> for Box<str> {
            fn from_iter<I: IntoIterator<Item = $ty>>(iter: I) -> Box<str> {
                let text: String = FromIterator::from_iter(iter);
                text.into_boxed_str()
            }
        }
    )*};
}

boxed_text_from! {
    [] char;
    ['a] &'a char;
    ['a] &'a str;
    [] String;
    [] Box<str>;
}

impl<T> IntoIterator for Box<[T]> {
    type Item = T;
    type IntoIter = crate::vec::IntoIter<T>;
    fn into_iter(self) -> crate::vec::IntoIter<T> {
        crate::vec::IntoIter::over(self.into_vec())
    }
}

impl<'a, T> IntoIterator for &'a Box<[T]> {
    type Item = &'a T;
    type IntoIter = crate::slice::Iter<'a, T>;
    fn into_iter(self) -> crate::slice::Iter<'a, T> {
        crate::slice::iter_of(&**self)
    }
}

impl<'a, T> IntoIterator for &'a mut Box<[T]> {
    type Item = &'a mut T;
    type IntoIter = crate::slice::IterMut<'a, T>;
    fn into_iter(self) -> crate::slice::IterMut<'a, T> {
        crate::slice::IterMut { slice: &mut **self }
    }
}

impl<T> From<Box<[T]>> for Vec<T> {
    fn from(items: Box<[T]>) -> Vec<T> {
        items.into_vec()
    }
}

impl<T, const N: usize> From<[T; N]> for Box<[T]> {
    fn from(items: [T; N]) -> Box<[T]> {
        let items: Vec<T> = From::from(items);
        items.into_boxed_slice()
    }
}
