//! `std::borrow`: `Borrow`, `ToOwned` and what `Cow` does with them.

use std::borrow::Cow;

use crate::convert::{AsRef, From};
use crate::inherent::CowMethods;
use crate::ops::Deref;

pub trait Borrow<Borrowed: ?Sized> {
    fn borrow(&self) -> &Borrowed;
}

pub trait BorrowMut<Borrowed: ?Sized>: Borrow<Borrowed> {
    fn borrow_mut(&mut self) -> &mut Borrowed;
}

pub trait ToOwned {
    type Owned;
    fn to_owned(&self) -> Self::Owned;
}

impl<T: ?Sized> Borrow<T> for T {
    fn borrow(&self) -> &T {
        self
    }
}

impl<T: ?Sized> BorrowMut<T> for T {
    fn borrow_mut(&mut self) -> &mut T {
        self
    }
}

impl<T: ?Sized> Borrow<T> for &T {
    fn borrow(&self) -> &T {
        *self
    }
}

impl<T> Borrow<[T]> for Vec<T> {
    fn borrow(&self) -> &[T] {
        self.as_slice()
    }
}

impl<T: Clone> ToOwned for T {
    type Owned = T;
    fn to_owned(&self) -> T {
        self.clone()
    }
}

impl<T: Clone> ToOwned for [T] {
    type Owned = Vec<T>;
    fn to_owned(&self) -> Vec<T> {
        self.to_vec()
    }
}

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
