//! `BTreeSet`: its items in their order.

use std::borrow::Borrow;
use std::cmp::Ordering;

use super::BTreeSet;
use crate::cmp::{Eq, Ord, PartialEq, PartialOrd};
use crate::convert::From;
use crate::default::Default;
use crate::hash::{Hash, Hasher};
use crate::intrinsics::subslice;
use crate::iter::{
    DoubleEndedIterator, ExactSizeIterator, Extend, FromIterator, FusedIterator, IntoIterator, Iterator,
};
use crate::ops::{BitAnd, BitOr, BitXor, RangeBounds, Sub};
use crate::slice::iter_of;
use crate::slice::order::{insertion_sort, restricted_to_plain};

/// Where the value is among the items, or where it belongs.
fn search<T: Borrow<Q>, Q: ?Sized + std::cmp::Ord>(items: &[T], value: &Q) -> Result<usize, usize> {
    search_from(items, value, 0)
}

fn search_from<T: Borrow<Q>, Q: ?Sized + std::cmp::Ord>(
    items: &[T],
    value: &Q,
    from: usize,
) -> Result<usize, usize> {
    let len = items.len();
    super::restricted_to_one_node_or_plain::<T, Q>(len);
    let mut index = from;
    while index < len {
        match value.cmp(<T as Borrow<Q>>::borrow(&items[index])) {
            Ordering::Greater => {}
            Ordering::Equal => return Ok(index),
            Ordering::Less => return Err(index),
        }
        index = index.wrapping_add(1);
    }
    Err(len)
}

impl<T> BTreeSet<T> {
    pub const fn new() -> BTreeSet<T> {
        BTreeSet { items: Vec::new() }
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
        Iter { items: iter_of(self.items.as_slice()) }
    }
    pub fn first(&self) -> Option<&T> {
        self.items.as_slice().first()
    }
    pub fn last(&self) -> Option<&T> {
        self.items.as_slice().last()
    }
    pub fn pop_first(&mut self) -> Option<T> {
        if self.items.len() > 0 { Some(self.items.remove(0)) } else { None }
    }
    pub fn pop_last(&mut self) -> Option<T> {
        self.items.pop()
    }
    pub fn retain<F: FnMut(&T) -> bool>(&mut self, f: F) {
        self.items.retain(f);
    }
}

impl<T: std::cmp::Ord> BTreeSet<T> {
    pub fn insert(&mut self, value: T) -> bool {
        match search::<T, T>(self.items.as_slice(), &value) {
            Ok(_) => false,
            Err(index) => {
                super::restricted_to_one_node::<T>(self.items.len().wrapping_add(1));
                self.items.insert(index, value);
                true
            }
        }
    }
    pub fn replace(&mut self, value: T) -> Option<T> {
        match search::<T, T>(self.items.as_slice(), &value) {
            Ok(index) => Some(std::mem::replace(&mut self.items.as_mut_slice()[index], value)),
            Err(index) => {
                super::restricted_to_one_node::<T>(self.items.len().wrapping_add(1));
                self.items.insert(index, value);
                None
            }
        }
    }
    pub fn contains<Q: ?Sized + std::cmp::Ord>(&self, value: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        match search(self.items.as_slice(), value) {
            Ok(_) => true,
            Err(_) => false,
        }
    }
    pub fn get<Q: ?Sized + std::cmp::Ord>(&self, value: &Q) -> Option<&T>
    where
        T: Borrow<Q>,
    {
        match search(self.items.as_slice(), value) {
            Ok(index) => Some(&self.items.as_slice()[index]),
            Err(_) => None,
        }
    }
    pub fn remove<Q: ?Sized + std::cmp::Ord>(&mut self, value: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        match search(self.items.as_slice(), value) {
            Ok(index) => {
                self.items.remove(index);
                true
            }
            Err(_) => false,
        }
    }
    pub fn take<Q: ?Sized + std::cmp::Ord>(&mut self, value: &Q) -> Option<T>
    where
        T: Borrow<Q>,
    {
        match search(self.items.as_slice(), value) {
            Ok(index) => Some(self.items.remove(index)),
            Err(_) => None,
        }
    }
    pub fn split_off<Q: ?Sized + std::cmp::Ord>(&mut self, value: &Q) -> BTreeSet<T>
    where
        T: Borrow<Q>,
    {
        let at = match search(self.items.as_slice(), value) {
            Ok(index) | Err(index) => index,
        };
        BTreeSet { items: self.items.split_off(at) }
    }
    pub fn is_subset(&self, other: &BTreeSet<T>) -> bool {
        let (items, others) = (self.items.as_slice(), other.items.as_slice());
        let (len, other_len) = (items.len(), others.len());
        if len > other_len {
            return false;
        }
        if len == 0 {
            return true;
        }
        // The ends first, then what lies between them side by side.
        let (mut from, mut to) = (0, len);
        match items[0].cmp(&others[0]) {
            Ordering::Less => return false,
            Ordering::Equal => from = 1,
            Ordering::Greater => {}
        }
        match items[len.wrapping_sub(1)].cmp(&others[other_len.wrapping_sub(1)]) {
            Ordering::Greater => return false,
            Ordering::Equal => to = len.wrapping_sub(1),
            Ordering::Less => {}
        }
        let mut at: usize = 1;
        while from < to {
            if at >= other_len.wrapping_sub(1) {
                return false;
            }
            match others[at].cmp(&items[from]) {
                Ordering::Greater => return false,
                Ordering::Equal => from = from.wrapping_add(1),
                Ordering::Less => {}
            }
            at = at.wrapping_add(1);
        }
        true
    }
    pub fn is_superset(&self, other: &BTreeSet<T>) -> bool {
        other.is_subset(self)
    }
    pub fn is_disjoint(&self, other: &BTreeSet<T>) -> bool {
        let mut both = self.intersection(other);
        matches!(both.next(), None)
    }
    pub fn range<K: ?Sized + std::cmp::Ord, R: RangeBounds<K>>(&self, range: R) -> Range<'_, T>
    where
        T: Borrow<K>,
    {
        let items = self.items.as_slice();
        let (from, to) =
            super::range_of::<K, R, _>(items.len(), &range, |value, from| search_from(items, value, from));
        Range { items: iter_of(subslice(items, from, to)) }
    }
    pub fn union<'a>(&'a self, other: &'a BTreeSet<T>) -> Union<'a, T> {
        Union { merge: Merge { left: self.items.as_slice(), right: other.items.as_slice(), is_whole: false } }
    }
    pub fn intersection<'a>(&'a self, other: &'a BTreeSet<T>) -> Intersection<'a, T> {
        let (items, others) = (self.items.as_slice(), other.items.as_slice());
        let (len, nothing) = (items.len(), subslice(others, 0, 0));
        let (left, right, is_whole) = match ends(items, others) {
            Ends::Apart => (subslice(items, 0, 0), nothing, false),
            Ends::FirstIsLast => (subslice(items, 0, 1), nothing, true),
            Ends::LastIsFirst => (subslice(items, len.wrapping_sub(1), len), nothing, true),
            Ends::Overlap => (items, others, false),
        };
        Intersection { merge: Merge { left, right, is_whole } }
    }
    pub fn difference<'a>(&'a self, other: &'a BTreeSet<T>) -> Difference<'a, T> {
        let (items, others) = (self.items.as_slice(), other.items.as_slice());
        let (len, nothing) = (items.len(), subslice(others, 0, 0));
        let (left, right) = match ends(items, others) {
            Ends::Apart => (items, nothing),
            Ends::FirstIsLast => (subslice(items, 1, len), nothing),
            Ends::LastIsFirst => (subslice(items, 0, len.wrapping_sub(1)), nothing),
            Ends::Overlap => (items, others),
        };
        Difference { merge: Merge { left, right, is_whole: false } }
    }
    pub fn symmetric_difference<'a>(&'a self, other: &'a BTreeSet<T>) -> SymmetricDifference<'a, T> {
        SymmetricDifference {
            merge: Merge { left: self.items.as_slice(), right: other.items.as_slice(), is_whole: false },
        }
    }
}

/// How the ends of two sets lie, which is looked at before anything else is.
enum Ends {
    Apart,
    /// The first item of the one is the last of the other.
    FirstIsLast,
    LastIsFirst,
    Overlap,
}

fn ends<T: std::cmp::Ord>(items: &[T], others: &[T]) -> Ends {
    let (len, other_len) = (items.len(), others.len());
    if len == 0 || other_len == 0 {
        return Ends::Apart;
    }
    let first = items[0].cmp(&others[other_len.wrapping_sub(1)]);
    let last = items[len.wrapping_sub(1)].cmp(&others[0]);
    match (first, last) {
        (Ordering::Greater, _) | (_, Ordering::Less) => Ends::Apart,
        (Ordering::Equal, _) => Ends::FirstIsLast,
        (_, Ordering::Equal) => Ends::LastIsFirst,
        _ => Ends::Overlap,
    }
}

/// What is left of two sets that are gone through side by side.
struct Merge<'a, T> {
    left: &'a [T],
    right: &'a [T],
    /// What is left on the left stands for both sides.
    is_whole: bool,
}

impl<'a, T: std::cmp::Ord> Merge<'a, T> {
    /// The smallest item that is left, of one set or of both.
    fn step(&mut self) -> (Option<&'a T>, Option<&'a T>) {
        match (self.left.split_first(), self.right.split_first()) {
            (None, None) => (None, None),
            (Some((item, rest)), None) => {
                self.left = rest;
                (Some(item), if self.is_whole { Some(item) } else { None })
            }
            (None, Some((item, rest))) => {
                self.right = rest;
                (None, Some(item))
            }
            (Some((a, behind_a)), Some((b, behind_b))) => match a.cmp(b) {
                Ordering::Less => {
                    self.left = behind_a;
                    (Some(a), None)
                }
                Ordering::Greater => {
                    self.right = behind_b;
                    (None, Some(b))
                }
                Ordering::Equal => {
                    self.left = behind_a;
                    self.right = behind_b;
                    (Some(a), Some(b))
                }
            },
        }
    }
}

pub struct Union<'a, T> {
    merge: Merge<'a, T>,
}

pub struct Intersection<'a, T> {
    merge: Merge<'a, T>,
}

pub struct Difference<'a, T> {
    merge: Merge<'a, T>,
}

pub struct SymmetricDifference<'a, T> {
    merge: Merge<'a, T>,
}

/// Which of the steps an operation on two sets keeps. How many are left is not modelled.
macro_rules! set_operations {
    ($($ty:ident $keeps:pat => $item:expr;)*) => {$(
        impl<'a, T: std::cmp::Ord> Iterator for $ty<'a, T> {
            type Item = &'a T;
            fn next(&mut self) -> Option<&'a T> {
                loop {
                    let step = self.merge.step();
                    if let (None, None) = step {
                        return None;
                    }
                    if let $keeps = step {
                        return Some($item);
                    }
                }
            }
            fn size_hint(&self) -> (usize, Option<usize>) {
                crate::intrinsics::unmodelled("the size hint of an operation on two sets")
            }
        }
        impl<'a, T: std::cmp::Ord> FusedIterator for $ty<'a, T> {}
    )*};
}

// The item is named in the pattern and used in the expression, which hygiene would keep apart if one were fixed here.
set_operations! {
    Union (Some(item), _) | (None, Some(item)) => item;
    Intersection (Some(item), Some(_)) => item;
    Difference (Some(item), None) => item;
    SymmetricDifference (Some(item), None) | (None, Some(item)) => item;
}

macro_rules! operators {
    ($($trait:ident $method:ident $set_method:ident;)*) => {$(
        impl<T: std::cmp::Ord + std::clone::Clone> $trait<&BTreeSet<T>> for &BTreeSet<T> {
            type Output = BTreeSet<T>;
            fn $method(self, other: &BTreeSet<T>) -> BTreeSet<T> {
                let both = Iterator::cloned(self.$set_method(other));
                let items = super::without_repetitions(both, |item, next| *item != *next);
                super::restricted_to_one_node::<T>(items.len());
                BTreeSet { items }
            }
        }
    )*};
}

operators! {
    BitOr bitor union;
    BitAnd bitand intersection;
    BitXor bitxor symmetric_difference;
    Sub sub difference;
}

pub struct Iter<'a, T> {
    items: crate::slice::Iter<'a, T>,
}

pub struct IntoIter<T> {
    items: crate::vec::IntoIter<T>,
}

pub struct Range<'a, T> {
    items: crate::slice::Iter<'a, T>,
}

impl<'a, T> std::clone::Clone for Iter<'a, T> {
    fn clone(&self) -> Self {
        Iter { items: std::clone::Clone::clone(&self.items) }
    }
}

macro_rules! both_ends {
    ($([$($generics:tt)*] $ty:ty: $item:ty;)*) => {$(
        impl<$($generics)* T> Iterator for $ty {
            type Item = $item;
            fn next(&mut self) -> Option<$item> {
                self.items.next()
            }
            fn size_hint(&self) -> (usize, Option<usize>) {
                self.items.size_hint()
            }
        }
        impl<$($generics)* T> DoubleEndedIterator for $ty {
            fn next_back(&mut self) -> Option<$item> {
                self.items.next_back()
            }
        }
        impl<$($generics)* T> ExactSizeIterator for $ty {}
        impl<$($generics)* T> FusedIterator for $ty {}
    )*};
}

both_ends! {
    ['a,] Iter<'a, T>: &'a T;
    [] IntoIter<T>: T;
}

/// Unlike the other iterators, ranges do not say how many they are.
impl<'a, T> Iterator for Range<'a, T> {
    type Item = &'a T;
    fn next(&mut self) -> Option<&'a T> {
        self.items.next()
    }
}

impl<'a, T> DoubleEndedIterator for Range<'a, T> {
    fn next_back(&mut self) -> Option<&'a T> {
        self.items.next_back()
    }
}

impl<T> IntoIterator for BTreeSet<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;
    fn into_iter(self) -> IntoIter<T> {
        IntoIter { items: crate::vec::IntoIter::over(self.items) }
    }
}

impl<'a, T> IntoIterator for &'a BTreeSet<T> {
    type Item = &'a T;
    type IntoIter = Iter<'a, T>;
    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<T: std::cmp::Ord> Extend<T> for BTreeSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, iter: I) {
        let mut iter = iter.into_iter();
        while let Some(item) = iter.next() {
            self.insert(item);
        }
    }
}

impl<'a, T: 'a + std::cmp::Ord + Copy> Extend<&'a T> for BTreeSet<T> {
    fn extend<I: IntoIterator<Item = &'a T>>(&mut self, iter: I) {
        let mut iter = iter.into_iter();
        while let Some(item) = iter.next() {
            self.insert(crate::clone::duplicate(item));
        }
    }
}

impl<T: std::cmp::Ord> FromIterator<T> for BTreeSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> BTreeSet<T> {
        let mut items: Vec<T> = FromIterator::from_iter(iter);
        restricted_to_plain::<T>(items.len());
        insertion_sort(items.as_mut_slice(), |a, b| *a < *b);
        // Built in one piece, a set keeps the last of equal items.
        let items =
            super::without_repetitions(crate::vec::IntoIter::over(items), |item, next| *item != *next);
        super::restricted_to_one_node::<T>(items.len());
        BTreeSet { items }
    }
}

impl<T: std::cmp::Ord, const N: usize> From<[T; N]> for BTreeSet<T> {
    fn from(items: [T; N]) -> BTreeSet<T> {
        FromIterator::from_iter(items)
    }
}

impl<T> Default for BTreeSet<T> {
    fn default() -> BTreeSet<T> {
        BTreeSet { items: Vec::new() }
    }
}

impl<T: std::cmp::PartialEq> PartialEq for BTreeSet<T> {
    fn eq(&self, other: &BTreeSet<T>) -> bool {
        let len = self.items.len();
        if len != other.items.len() {
            return false;
        }
        let mut index: usize = 0;
        while index < len {
            if !(self.items.as_slice()[index] == other.items.as_slice()[index]) {
                return false;
            }
            index = index.wrapping_add(1);
        }
        true
    }
}

impl<T: std::cmp::Eq> Eq for BTreeSet<T> {}

impl<T: std::cmp::PartialOrd> PartialOrd for BTreeSet<T> {
    fn partial_cmp(&self, other: &BTreeSet<T>) -> Option<Ordering> {
        std::cmp::PartialOrd::partial_cmp(self.items.as_slice(), other.items.as_slice())
    }
}

impl<T: std::cmp::Ord> Ord for BTreeSet<T> {
    fn cmp(&self, other: &BTreeSet<T>) -> Ordering {
        std::cmp::Ord::cmp(self.items.as_slice(), other.items.as_slice())
    }
}

impl<T: Hash> Hash for BTreeSet<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.items.len());
        let mut index: usize = 0;
        while index < self.items.len() {
            self.items.as_slice()[index].hash(state);
            index = index.wrapping_add(1);
        }
    }
}
