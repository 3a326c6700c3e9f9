//! `Cow`: either a reference or an owned value.

use std::borrow::Cow;

use crate::borrow::Borrow;
use crate::convert::{AsRef, From};
use crate::hash::{Hash, Hasher};
use crate::inherent::CowMethods;
use crate::iter::{Extend, FromIterator, IntoIterator, Iterator};
use crate::ops::{Add, AddAssign, Deref};

impl<'a, B: ?Sized + std::borrow::ToOwned> CowMethods<'a, B> for Cow<'a, B> {
    fn into_owned(self) -> B::Owned {
        match self {
            Cow::Borrowed(borrowed) => borrowed.to_owned(),
            Cow::Owned(owned) => owned,
        }
    }
    fn to_mut(&mut self) -> &mut B::Owned {
        if let Cow::Borrowed(borrowed) = self {
            *self = Cow::Owned(borrowed.to_owned());
        }
        match self {
            Cow::Owned(owned) => owned,
            Cow::Borrowed(_) => unreachable!(),
        }
    }
}

impl<'a, B: ?Sized + std::borrow::ToOwned> Deref for Cow<'a, B>
where
    B::Owned: std::borrow::Borrow<B>,
{
    type Target = B;
    fn deref(&self) -> &B {
        match self {
            Cow::Borrowed(borrowed) => borrowed,
            Cow::Owned(owned) => std::borrow::Borrow::borrow(owned),
        }
    }
}

impl<'a, B: ?Sized + std::borrow::ToOwned> AsRef<B> for Cow<'a, B> {
    fn as_ref(&self) -> &B {
        match self {
            Cow::Borrowed(borrowed) => borrowed,
            Cow::Owned(owned) => std::borrow::Borrow::borrow(owned),
        }
    }
}

impl<'a> From<&'a str> for Cow<'a, str> {
    fn from(text: &'a str) -> Cow<'a, str> {
        Cow::Borrowed(text)
    }
}

impl<'a> From<String> for Cow<'a, str> {
    fn from(text: String) -> Cow<'a, str> {
        Cow::Owned(text)
    }
}

impl<'a> From<&'a String> for Cow<'a, str> {
    fn from(text: &'a String) -> Cow<'a, str> {
        Cow::Borrowed(text.as_str())
    }
}

impl<'a, T: Clone> From<&'a [T]> for Cow<'a, [T]> {
    fn from(items: &'a [T]) -> Cow<'a, [T]> {
        Cow::Borrowed(items)
    }
}

impl<'a, T: Clone, const N: usize> From<&'a [T; N]> for Cow<'a, [T]> {
    fn from(items: &'a [T; N]) -> Cow<'a, [T]> {
        Cow::Borrowed(items)
    }
}

impl<'a, T: Clone> From<Vec<T>> for Cow<'a, [T]> {
    fn from(items: Vec<T>) -> Cow<'a, [T]> {
        Cow::Owned(items)
    }
}

impl<'a, T: Clone> From<&'a Vec<T>> for Cow<'a, [T]> {
    fn from(items: &'a Vec<T>) -> Cow<'a, [T]> {
        Cow::Borrowed(items.as_slice())
    }
}

impl<'a> From<Cow<'a, str>> for String {
    fn from(text: Cow<'a, str>) -> String {
        text.into_owned()
    }
}

impl<'a, T: Clone> From<Cow<'a, [T]>> for Vec<T> {
    fn from(items: Cow<'a, [T]>) -> Vec<T> {
        items.into_owned()
    }
}

impl<'a, B: ?Sized + std::borrow::ToOwned> Borrow<B> for Cow<'a, B> {
    fn borrow(&self) -> &B {
        match self {
            Cow::Borrowed(borrowed) => borrowed,
            Cow::Owned(owned) => std::borrow::Borrow::borrow(owned),
        }
    }
}

impl<'a, B: ?Sized + std::borrow::ToOwned> crate::clone::Clone for Cow<'a, B> {
    fn clone(&self) -> Cow<'a, B> {
        match self {
            Cow::Borrowed(borrowed) => Cow::Borrowed(*borrowed),
            Cow::Owned(owned) => {
                let borrowed: &B = std::borrow::Borrow::borrow(owned);
                Cow::Owned(borrowed.to_owned())
            }
        }
    }
    fn clone_from(&mut self, source: &Self) {
        match (self, source) {
            (Cow::Owned(to), Cow::Owned(from)) => {
                let borrowed: &B = std::borrow::Borrow::borrow(from);
                borrowed.clone_into(to);
            }
            (to, from) => *to = crate::clone::Clone::clone(from),
        }
    }
}

impl<'a, B: ?Sized + std::borrow::ToOwned> crate::default::Default for Cow<'a, B>
where
    B::Owned: std::default::Default,
{
    fn default() -> Cow<'a, B> {
        Cow::Owned(std::default::Default::default())
    }
}

impl<'a, 'b, B, C> crate::cmp::PartialEq<Cow<'b, C>> for Cow<'a, B>
where
    B: ?Sized + std::cmp::PartialEq<C> + std::borrow::ToOwned,
    C: ?Sized + std::borrow::ToOwned,
{
    fn eq(&self, other: &Cow<'b, C>) -> bool {
        **self == **other
    }
}

impl<'a, B: ?Sized + std::cmp::Eq + std::borrow::ToOwned> crate::cmp::Eq for Cow<'a, B> {}

impl<'a, B: ?Sized + std::cmp::PartialOrd + std::borrow::ToOwned> crate::cmp::PartialOrd for Cow<'a, B> {
    fn partial_cmp(&self, other: &Cow<'a, B>) -> Option<std::cmp::Ordering> {
        (**self).partial_cmp(&**other)
    }
}

impl<'a, B: ?Sized + std::cmp::Ord + std::borrow::ToOwned> crate::cmp::Ord for Cow<'a, B> {
    fn cmp(&self, other: &Cow<'a, B>) -> std::cmp::Ordering {
        (**self).cmp(&**other)
    }
}

impl<'a, B: ?Sized + Hash + std::borrow::ToOwned> Hash for Cow<'a, B> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Hash::hash(&**self, state);
    }
}

/// A `Cow` of text beside other text.
macro_rules! eq_with_cow {
    ($([$($generics:tt)*] $a:ty, $b:ty: |$left:ident, $right:ident| $eq:expr;)*) => {$(
        impl<$($generics)*> crate::cmp::PartialEq<$b> for $a {
            fn eq(&self, other: &$b) -> bool {
                let ($left, $right) = (self, other);
                $eq
            }
        }
    )*};
}

eq_with_cow! {
    ['a] Cow<'a, str>, str: |left, right| **left == *right;
    ['a, 'b] Cow<'a, str>, &'b str: |left, right| **left == **right;
    ['a] Cow<'a, str>, String: |left, right| **left == *right.as_str();
    ['a] str, Cow<'a, str>: |left, right| *left == **right;
    ['a, 'b] &'b str, Cow<'a, str>: |left, right| **left == **right;
    ['a] String, Cow<'a, str>: |left, right| *left.as_str() == **right;
}

impl<'a> Add<&'a str> for Cow<'a, str> {
    type Output = Cow<'a, str>;
    fn add(self, other: &'a str) -> Cow<'a, str> {
        let mut whole = self;
        append(&mut whole, other);
        whole
    }
}

impl<'a> AddAssign<&'a str> for Cow<'a, str> {
    fn add_assign(&mut self, other: &'a str) {
        append(self, other);
    }
}

/// Nothing is copied where one of the texts is empty.
fn append<'a>(whole: &mut Cow<'a, str>, other: &'a str) {
    if whole.len() == 0 {
        *whole = Cow::Borrowed(other);
    } else if other.len() > 0 {
        whole.to_mut().push_str(other);
    }
}

impl<'a> FromIterator<Cow<'a, str>> for String {
    fn from_iter<T: IntoIterator<Item = Cow<'a, str>>>(iter: T) -> String {
        let mut text = String::new();
        Extend::extend(&mut text, iter);
        text
    }
}

impl<'a> Extend<Cow<'a, str>> for String {
    fn extend<T: IntoIterator<Item = Cow<'a, str>>>(&mut self, iter: T) {
        let mut iter = iter.into_iter();
        while let Some(part) = iter.next() {
            self.push_str(&*part);
        }
    }
}

macro_rules! collect_text_into_cow {
    ($([$($generics:tt)*] $item:ty;)*) => {$(
        impl<'a, $($generics)*> FromIterator<$item> for Cow<'a, str> {
            fn from_iter<T: IntoIterator<Item = $item>>(iter: T) -> Cow<'a, str> {
                Cow::Owned(FromIterator::from_iter(iter))
            }
        }
    )*};
}

collect_text_into_cow! {
    [] char;
    ['b] &'b str;
    [] String;
}
