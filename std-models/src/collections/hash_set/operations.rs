//! Two sets together. As their items come in no order that is known, there may be one at most wherever one set is gone through.

use std::hash::Hash;

use super::{Difference, Intersection, SymmetricDifference, Union};
use crate::collections::HashSet;
use crate::iter::{FromIterator, FusedIterator, Iterator};
use crate::ops::{BitAnd, BitOr, BitXor, Sub};

impl<T: std::cmp::Eq + Hash> HashSet<T> {
    pub fn difference<'a>(&'a self, other: &'a HashSet<T>) -> Difference<'a, T> {
        Difference { iter: self.iter(), other }
    }
    pub fn symmetric_difference<'a>(&'a self, other: &'a HashSet<T>) -> SymmetricDifference<'a, T> {
        SymmetricDifference { first: self.difference(other), second: other.difference(self) }
    }
    pub fn intersection<'a>(&'a self, other: &'a HashSet<T>) -> Intersection<'a, T> {
        if self.len() <= other.len() {
            Intersection { iter: self.iter(), other }
        } else {
            Intersection { iter: other.iter(), other: self }
        }
    }
    pub fn union<'a>(&'a self, other: &'a HashSet<T>) -> Union<'a, T> {
        if self.len() >= other.len() {
            Union { iter: self.iter(), rest: other.difference(self) }
        } else {
            Union { iter: other.iter(), rest: self.difference(other) }
        }
    }
}

impl<'a, T: std::cmp::Eq + Hash> Iterator for Difference<'a, T> {
    type Item = &'a T;
    fn next(&mut self) -> Option<&'a T> {
        while let Some(item) = self.iter.next() {
            if !self.other.contains(item) {
                return Some(item);
            }
        }
        None
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let (_, most) = self.iter.size_hint();
        (0, most)
    }
}

impl<'a, T: std::cmp::Eq + Hash> Iterator for Intersection<'a, T> {
    type Item = &'a T;
    fn next(&mut self) -> Option<&'a T> {
        while let Some(item) = self.iter.next() {
            if self.other.contains(item) {
                return Some(item);
            }
        }
        None
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let (_, most) = self.iter.size_hint();
        (0, most)
    }
}

/// What two iterators promise one after the other.
fn together(first: (usize, Option<usize>), second: (usize, Option<usize>)) -> (usize, Option<usize>) {
    let most = match (first.1, second.1) {
        (Some(first), Some(second)) => first.checked_add(second),
        _ => None,
    };
    (first.0.saturating_add(second.0), most)
}

impl<'a, T: std::cmp::Eq + Hash> Iterator for Union<'a, T> {
    type Item = &'a T;
    fn next(&mut self) -> Option<&'a T> {
        match self.iter.next() {
            Some(item) => Some(item),
            None => self.rest.next(),
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        together(self.iter.size_hint(), self.rest.size_hint())
    }
}

impl<'a, T: std::cmp::Eq + Hash> Iterator for SymmetricDifference<'a, T> {
    type Item = &'a T;
    fn next(&mut self) -> Option<&'a T> {
        match self.first.next() {
            Some(item) => Some(item),
            None => self.second.next(),
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        together(self.first.size_hint(), self.second.size_hint())
    }
}

macro_rules! cloned_iterators {
    ($($ty:ident $($field:ident)*;)*) => {$(
        impl<'a, T> std::clone::Clone for $ty<'a, T> {
            fn clone(&self) -> Self {
                $ty { $($field: self.$field.clone()),* }
            }
        }
        impl<'a, T: std::cmp::Eq + Hash> FusedIterator for $ty<'a, T> {}
    )*};
}

cloned_iterators! {
    Union iter rest;
    SymmetricDifference first second;
}

macro_rules! cloned_with_other {
    ($($ty:ident)*) => {$(
        impl<'a, T> std::clone::Clone for $ty<'a, T> {
            fn clone(&self) -> Self {
                $ty { iter: self.iter.clone(), other: self.other }
            }
        }
        impl<'a, T: std::cmp::Eq + Hash> FusedIterator for $ty<'a, T> {}
    )*};
}

cloned_with_other!(Difference Intersection);

macro_rules! set_operators {
    ($($operator:ident $method:ident $of_set:ident;)*) => {$(
        impl<T: std::cmp::Eq + Hash + Clone> $operator<&HashSet<T>> for &HashSet<T> {
            type Output = HashSet<T>;
            fn $method(self, other: &HashSet<T>) -> HashSet<T> {
                FromIterator::from_iter(self.$of_set(other).cloned())
            }
        }
    )*};
}

set_operators! {
    BitAnd bitand intersection;
    BitOr bitor union;
    BitXor bitxor symmetric_difference;
    Sub sub difference;
}
