//! `HashSet`: its items in the order of their insertion, which nothing may show.

use std::borrow::Borrow;
use std::marker::PhantomData;

use super::{HashSet, hashes_again, is_same_key};
use crate::cmp::{Eq, PartialEq};
use crate::convert::From;
use crate::default::Default;
use crate::intrinsics::unmodelled;
use crate::iter::{ExactSizeIterator, Extend, FromIterator, FusedIterator, IntoIterator, Iterator};
use crate::vec::check_table;

mod operations;

/// Where the value is among the items.
fn find<T: Borrow<Q>, Q: ?Sized + std::cmp::Eq + std::hash::Hash>(items: &[T], value: &Q) -> Option<usize> {
    super::restricted_to_unseen_calls::<T, Q>(value);
    let len = items.len();
    let mut index: usize = 0;
    while index < len {
        if is_same_key(&items[index], value) {
            return Some(index);
        }
        index = index.wrapping_add(1);
    }
    None
}

/// The number of items, if there is only one order they can be in.
fn in_any_order(len: usize, what: &'static str) -> usize {
    if len > 1 { unmodelled(what) } else { len }
}

impl<T> HashSet<T> {
    pub fn new() -> HashSet<T> {
        HashSet { items: Vec::new() }
    }
    pub fn with_capacity(capacity: usize) -> HashSet<T> {
        check_table::<T>(capacity);
        HashSet { items: Vec::new() }
    }
    pub fn len(&self) -> usize {
        self.items.len()
    }
    pub fn is_empty(&self) -> bool {
        self.items.len() == 0
    }
    pub fn clear(&mut self) {
        self.items = Vec::new();
    }
    pub fn iter(&self) -> Iter<'_, T> {
        let back = in_any_order(self.items.len(), "HashSet::iter");
        Iter { items: self.items.as_slice(), front: 0, back }
    }
    pub fn drain(&mut self) -> Drain<'_, T> {
        in_any_order(self.items.len(), "HashSet::drain");
        let item = self.items.pop();
        Drain { item, marker: PhantomData }
    }
    pub fn retain<F: FnMut(&T) -> bool>(&mut self, f: F) {
        let mut f = f;
        in_any_order(self.items.len(), "HashSet::retain");
        if let Some(item) = self.items.pop() {
            if f(&item) {
                self.items.push(item);
            }
        }
    }
}

impl<T: std::cmp::Eq + std::hash::Hash> HashSet<T> {
    pub fn reserve(&mut self, additional: usize) {
        match self.items.len().checked_add(additional) {
            Some(capacity) => check_table::<T>(capacity),
            None => panic!("capacity overflow"),
        }
        hashes_again::<T>(self.items.len());
    }
    pub fn shrink_to_fit(&mut self) {
        hashes_again::<T>(self.items.len());
    }
    pub fn insert(&mut self, value: T) -> bool {
        match find::<T, T>(self.items.as_slice(), &value) {
            Some(_) => false,
            None => {
                self.items.push(value);
                true
            }
        }
    }
    pub fn replace(&mut self, value: T) -> Option<T> {
        match find::<T, T>(self.items.as_slice(), &value) {
            Some(index) => Some(std::mem::replace(&mut self.items.as_mut_slice()[index], value)),
            None => {
                self.items.push(value);
                None
            }
        }
    }
    pub fn contains<Q: ?Sized + std::cmp::Eq + std::hash::Hash>(&self, value: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        match find(self.items.as_slice(), value) {
            Some(_) => true,
            None => false,
        }
    }
    pub fn get<Q: ?Sized + std::cmp::Eq + std::hash::Hash>(&self, value: &Q) -> Option<&T>
    where
        T: Borrow<Q>,
    {
        match find(self.items.as_slice(), value) {
            Some(index) => Some(&self.items.as_slice()[index]),
            None => None,
        }
    }
    pub fn remove<Q: ?Sized + std::cmp::Eq + std::hash::Hash>(&mut self, value: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        match find(self.items.as_slice(), value) {
            Some(index) => {
                self.items.remove(index);
                true
            }
            None => false,
        }
    }
    pub fn take<Q: ?Sized + std::cmp::Eq + std::hash::Hash>(&mut self, value: &Q) -> Option<T>
    where
        T: Borrow<Q>,
    {
        match find(self.items.as_slice(), value) {
            Some(index) => Some(self.items.remove(index)),
            None => None,
        }
    }
    pub fn is_subset(&self, other: &HashSet<T>) -> bool {
        let len = self.items.len();
        if len > other.items.len() {
            return false;
        }
        let mut index: usize = 0;
        while index < len {
            if let None = find::<T, T>(other.items.as_slice(), &self.items.as_slice()[index]) {
                return false;
            }
            index = index.wrapping_add(1);
        }
        true
    }
    pub fn is_superset(&self, other: &HashSet<T>) -> bool {
        other.is_subset(self)
    }
    pub fn is_disjoint(&self, other: &HashSet<T>) -> bool {
        let len = self.items.len();
        let mut index: usize = 0;
        while index < len {
            if let Some(_) = find::<T, T>(other.items.as_slice(), &self.items.as_slice()[index]) {
                return false;
            }
            index = index.wrapping_add(1);
        }
        true
    }
}

pub struct Iter<'a, T> {
    items: &'a [T],
    front: usize,
    back: usize,
}

/// What is in the first and not in the second.
pub struct Difference<'a, T> {
    iter: Iter<'a, T>,
    other: &'a HashSet<T>,
}

pub struct Intersection<'a, T> {
    iter: Iter<'a, T>,
    other: &'a HashSet<T>,
}

/// All of one, and what of the other is not in it.
pub struct Union<'a, T> {
    iter: Iter<'a, T>,
    rest: Difference<'a, T>,
}

pub struct SymmetricDifference<'a, T> {
    first: Difference<'a, T>,
    second: Difference<'a, T>,
}

pub struct IntoIter<T> {
    item: Option<T>,
}

pub struct Drain<'a, T> {
    item: Option<T>,
    marker: PhantomData<&'a mut HashSet<T>>,
}

impl<'a, T> Iterator for Iter<'a, T> {
    type Item = &'a T;
    fn next(&mut self) -> Option<&'a T> {
        if self.front < self.back {
            let item = &self.items[self.front];
            self.front = self.front.wrapping_add(1);
            Some(item)
        } else {
            None
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.back.wrapping_sub(self.front);
        (left, Some(left))
    }
}

impl<'a, T> std::clone::Clone for Iter<'a, T> {
    fn clone(&self) -> Self {
        Iter { items: self.items, front: self.front, back: self.back }
    }
}

macro_rules! last_item {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        impl<$($generics)* T> Iterator for $ty {
            type Item = T;
            fn next(&mut self) -> Option<T> {
                std::mem::replace(&mut self.item, None)
            }
            fn size_hint(&self) -> (usize, Option<usize>) {
                match self.item {
                    Some(_) => (1, Some(1)),
                    None => (0, Some(0)),
                }
            }
        }
        impl<$($generics)* T> ExactSizeIterator for $ty {}
        impl<$($generics)* T> FusedIterator for $ty {}
    )*};
}

last_item! {
    [] IntoIter<T>;
    ['a,] Drain<'a, T>;
}

impl<'a, T> ExactSizeIterator for Iter<'a, T> {}
impl<'a, T> FusedIterator for Iter<'a, T> {}

impl<T> IntoIterator for HashSet<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;
    fn into_iter(self) -> IntoIter<T> {
        in_any_order(self.items.len(), "HashSet::into_iter");
        let mut items = self.items;
        IntoIter { item: items.pop() }
    }
}

impl<'a, T> IntoIterator for &'a HashSet<T> {
    type Item = &'a T;
    type IntoIter = Iter<'a, T>;
    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<T: std::cmp::Eq + std::hash::Hash> Extend<T> for HashSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, iter: I) {
        let mut iter = iter.into_iter();
        super::restricted_to_small_tables(&iter);
        while let Some(item) = iter.next() {
            self.insert(item);
        }
    }
}

impl<'a, T: 'a + std::cmp::Eq + std::hash::Hash + Copy> Extend<&'a T> for HashSet<T> {
    fn extend<I: IntoIterator<Item = &'a T>>(&mut self, iter: I) {
        let mut iter = iter.into_iter();
        super::restricted_to_small_tables(&iter);
        while let Some(item) = iter.next() {
            self.insert(crate::clone::duplicate(item));
        }
    }
}

impl<T: std::cmp::Eq + std::hash::Hash> FromIterator<T> for HashSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> HashSet<T> {
        let mut set = HashSet { items: Vec::new() };
        Extend::extend(&mut set, iter);
        set
    }
}

impl<T: std::cmp::Eq + std::hash::Hash, const N: usize> From<[T; N]> for HashSet<T> {
    fn from(items: [T; N]) -> HashSet<T> {
        let mut set = HashSet { items: Vec::new() };
        Extend::<T>::extend(&mut set, items);
        set
    }
}

impl<T> Default for HashSet<T> {
    fn default() -> HashSet<T> {
        HashSet { items: Vec::new() }
    }
}

impl<T: std::cmp::Eq + std::hash::Hash> PartialEq for HashSet<T> {
    fn eq(&self, other: &HashSet<T>) -> bool {
        self.items.len() == other.items.len() && self.is_subset(other)
    }
}

impl<T: std::cmp::Eq + std::hash::Hash> Eq for HashSet<T> {}
