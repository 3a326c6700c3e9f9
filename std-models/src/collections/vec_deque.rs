//! `VecDeque`: a vector whose front is cheap to reach here as well.

use std::cmp::Ordering;

use super::VecDeque;
use crate::cmp::{Eq, Ord, PartialEq, PartialOrd};
use crate::convert::From;
use crate::default::Default;
use crate::hash::{Hash, Hasher};
use crate::intrinsics::unmodelled;
use crate::iter::{
    DoubleEndedIterator, ExactSizeIterator, Extend, FromIterator, FusedIterator, IntoIterator, Iterator,
};
use crate::ops::{Index, IndexMut, RangeBounds};
use crate::slice::iter_of;
use crate::vec::check_capacity;

impl<T> VecDeque<T> {
    pub fn new() -> VecDeque<T> {
        VecDeque { items: Vec::new() }
    }
    pub fn with_capacity(capacity: usize) -> VecDeque<T> {
        check_capacity::<T>(capacity);
        VecDeque { items: Vec::new() }
    }
    pub fn reserve(&mut self, additional: usize) {
        match self.items.len().checked_add(additional) {
            Some(capacity) => check_capacity::<T>(capacity),
            None => panic!("capacity overflow"),
        }
    }
    pub fn shrink_to_fit(&mut self) {}
    pub fn len(&self) -> usize {
        self.items.len()
    }
    pub fn is_empty(&self) -> bool {
        self.items.len() == 0
    }
    pub fn clear(&mut self) {
        self.items = Vec::new();
    }
    pub fn truncate(&mut self, len: usize) {
        self.items.truncate(len);
    }
    pub fn push_back(&mut self, value: T) {
        self.items.push(value);
    }
    pub fn push_front(&mut self, value: T) {
        self.items.insert(0, value);
    }
    pub fn pop_back(&mut self) -> Option<T> {
        self.items.pop()
    }
    pub fn pop_front(&mut self) -> Option<T> {
        if self.items.len() > 0 { Some(self.items.remove(0)) } else { None }
    }
    pub fn front(&self) -> Option<&T> {
        self.items.as_slice().first()
    }
    pub fn front_mut(&mut self) -> Option<&mut T> {
        self.items.as_mut_slice().first_mut()
    }
    pub fn back(&self) -> Option<&T> {
        self.items.as_slice().last()
    }
    pub fn back_mut(&mut self) -> Option<&mut T> {
        self.items.as_mut_slice().last_mut()
    }
    pub fn get(&self, index: usize) -> Option<&T> {
        if index < self.items.len() { Some(&self.items.as_slice()[index]) } else { None }
    }
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        if index < self.items.len() { Some(&mut self.items.as_mut_slice()[index]) } else { None }
    }
    pub fn swap(&mut self, i: usize, j: usize) {
        if i >= self.items.len() || j >= self.items.len() {
            panic!("assertion failed: i < self.len()");
        }
        self.items.as_mut_slice().swap(i, j);
    }
    pub fn insert(&mut self, index: usize, value: T) {
        if index > self.items.len() {
            panic!("index out of bounds");
        }
        self.items.insert(index, value);
    }
    pub fn remove(&mut self, index: usize) -> Option<T> {
        if index < self.items.len() { Some(self.items.remove(index)) } else { None }
    }
    pub fn swap_remove_back(&mut self, index: usize) -> Option<T> {
        if index < self.items.len() { Some(self.items.swap_remove(index)) } else { None }
    }
    pub fn swap_remove_front(&mut self, index: usize) -> Option<T> {
        if index < self.items.len() {
            self.items.as_mut_slice().swap(0, index);
            Some(self.items.remove(0))
        } else {
            None
        }
    }
    pub fn contains(&self, x: &T) -> bool
    where
        T: std::cmp::PartialEq,
    {
        self.items.as_slice().contains(x)
    }
    pub fn append(&mut self, other: &mut VecDeque<T>) {
        self.items.append(&mut other.items);
    }
    pub fn split_off(&mut self, at: usize) -> VecDeque<T> {
        if at > self.items.len() {
            panic!("`at` out of bounds");
        }
        VecDeque { items: self.items.split_off(at) }
    }
    pub fn retain<F: FnMut(&T) -> bool>(&mut self, f: F) {
        let mut f = f;
        self.retain_mut(|item| f(item));
    }
    pub fn retain_mut<F: FnMut(&mut T) -> bool>(&mut self, f: F) {
        // Unlike in a vector, what goes is dropped in the end.
        let mut f = f;
        let len = self.items.len();
        let mut kept: usize = 0;
        let mut index: usize = 0;
        while index < len {
            if f(&mut self.items.as_mut_slice()[index]) {
                self.items.as_mut_slice().swap(kept, index);
                kept = kept.wrapping_add(1);
            }
            index = index.wrapping_add(1);
        }
        if kept != len {
            self.items.truncate(kept);
        }
    }
    pub fn resize(&mut self, new_len: usize, value: T)
    where
        T: std::clone::Clone,
    {
        self.items.resize(new_len, value);
    }
    pub fn resize_with(&mut self, new_len: usize, generator: impl FnMut() -> T) {
        self.items.resize_with(new_len, generator);
    }
    pub fn rotate_left(&mut self, n: usize) {
        if n > self.items.len() {
            panic!("assertion failed: n <= self.len()");
        }
        self.items.as_mut_slice().rotate_left(n);
    }
    pub fn rotate_right(&mut self, n: usize) {
        if n > self.items.len() {
            panic!("assertion failed: n <= self.len()");
        }
        self.items.as_mut_slice().rotate_right(n);
    }
    pub fn make_contiguous(&mut self) -> &mut [T] {
        self.items.as_mut_slice()
    }
    pub fn as_slices(&self) -> (&[T], &[T]) {
        unmodelled("VecDeque::as_slices")
    }
    pub fn iter(&self) -> Iter<'_, T> {
        Iter { items: iter_of(self.items.as_slice()) }
    }
    pub fn iter_mut(&mut self) -> IterMut<'_, T> {
        IterMut { items: crate::slice::IterMut { slice: self.items.as_mut_slice() } }
    }
    pub fn range<R: RangeBounds<usize>>(&self, range: R) -> Iter<'_, T> {
        let (start, end) = crate::vec::bounds_of(&range, self.items.len());
        Iter { items: iter_of(crate::intrinsics::subslice(self.items.as_slice(), start, end)) }
    }
    pub fn drain<R: RangeBounds<usize>>(&mut self, range: R) -> Drain<'_, T> {
        Drain { items: crate::inherent::VecMethods::drain(&mut self.items, range) }
    }
    pub fn binary_search(&self, x: &T) -> Result<usize, usize>
    where
        T: std::cmp::Ord,
    {
        // The library searches the two parts of the ring, of which nothing is known here.
        let items = self.items.as_slice();
        let len = items.len();
        if len > 1 && !crate::intrinsics::is_plain::<T>() {
            crate::intrinsics::unmodelled::<()>("which elements `VecDeque::binary_search` compares");
        }
        let mut index: usize = 1;
        while index < len {
            if !(items[index.wrapping_sub(1)] < items[index]) {
                crate::intrinsics::unmodelled::<()>(
                    "which of equal elements `VecDeque::binary_search` finds",
                );
            }
            index = index.wrapping_add(1);
        }
        items.binary_search(x)
    }
    pub fn partition_point<P: FnMut(&T) -> bool>(&self, pred: P) -> usize {
        if self.items.len() > 1 {
            crate::intrinsics::unmodelled::<()>("which elements `VecDeque::partition_point` asks about");
        }
        self.items.as_slice().partition_point(pred)
    }
}

pub struct Iter<'a, T> {
    items: crate::slice::Iter<'a, T>,
}

pub struct IterMut<'a, T> {
    items: crate::slice::IterMut<'a, T>,
}

pub struct IntoIter<T> {
    items: crate::vec::IntoIter<T>,
}

pub struct Drain<'a, T> {
    items: crate::vec::Drain<'a, T>,
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
    ['a,] IterMut<'a, T>: &'a mut T;
    [] IntoIter<T>: T;
    ['a,] Drain<'a, T>: T;
}

impl<T> IntoIterator for VecDeque<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;
    fn into_iter(self) -> IntoIter<T> {
        IntoIter { items: crate::vec::IntoIter::over(self.items) }
    }
}

impl<'a, T> IntoIterator for &'a VecDeque<T> {
    type Item = &'a T;
    type IntoIter = Iter<'a, T>;
    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut VecDeque<T> {
    type Item = &'a mut T;
    type IntoIter = IterMut<'a, T>;
    fn into_iter(self) -> IterMut<'a, T> {
        self.iter_mut()
    }
}

impl<T> Extend<T> for VecDeque<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, iter: I) {
        let mut iter = iter.into_iter();
        crate::vec::restricted_to_hints_of_std::<I::IntoIter>();
        while let Some(item) = iter.next() {
            self.items.push(item);
        }
    }
}

impl<'a, T: 'a + Copy> Extend<&'a T> for VecDeque<T> {
    fn extend<I: IntoIterator<Item = &'a T>>(&mut self, iter: I) {
        let mut iter = iter.into_iter();
        crate::vec::restricted_to_hints_of_std::<I::IntoIter>();
        while let Some(item) = iter.next() {
            self.items.push(*item);
        }
    }
}

impl<T> FromIterator<T> for VecDeque<T> {
    fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> VecDeque<T> {
        VecDeque { items: FromIterator::from_iter(iter) }
    }
}

impl<T> From<Vec<T>> for VecDeque<T> {
    fn from(items: Vec<T>) -> VecDeque<T> {
        VecDeque { items }
    }
}

impl<T> From<VecDeque<T>> for Vec<T> {
    fn from(deque: VecDeque<T>) -> Vec<T> {
        deque.items
    }
}

impl<T, const N: usize> From<[T; N]> for VecDeque<T> {
    fn from(items: [T; N]) -> VecDeque<T> {
        VecDeque { items: From::from(items) }
    }
}

impl<T> Default for VecDeque<T> {
    fn default() -> VecDeque<T> {
        VecDeque { items: Vec::new() }
    }
}

impl<T> Index<usize> for VecDeque<T> {
    type Output = T;
    fn index(&self, index: usize) -> &T {
        match self.get(index) {
            Some(item) => item,
            None => panic!("Out of bounds access"),
        }
    }
}

impl<T> IndexMut<usize> for VecDeque<T> {
    fn index_mut(&mut self, index: usize) -> &mut T {
        match self.get_mut(index) {
            Some(item) => item,
            None => panic!("Out of bounds access"),
        }
    }
}

impl<T: std::cmp::PartialEq> PartialEq for VecDeque<T> {
    fn eq(&self, other: &VecDeque<T>) -> bool {
        *self.items.as_slice() == *other.items.as_slice()
    }
}

impl<T: std::cmp::PartialEq<U>, U> PartialEq<Vec<U>> for VecDeque<T> {
    fn eq(&self, other: &Vec<U>) -> bool {
        *self.items.as_slice() == *other.as_slice()
    }
}

impl<T: std::cmp::PartialEq<U>, U, const N: usize> PartialEq<[U; N]> for VecDeque<T> {
    fn eq(&self, other: &[U; N]) -> bool {
        let right: &[U] = other;
        *self.items.as_slice() == *right
    }
}

impl<T: std::cmp::Eq> Eq for VecDeque<T> {}

impl<T: std::cmp::PartialOrd> PartialOrd for VecDeque<T> {
    fn partial_cmp(&self, other: &VecDeque<T>) -> Option<Ordering> {
        std::cmp::PartialOrd::partial_cmp(self.items.as_slice(), other.items.as_slice())
    }
}

impl<T: std::cmp::Ord> Ord for VecDeque<T> {
    fn cmp(&self, other: &VecDeque<T>) -> Ordering {
        std::cmp::Ord::cmp(self.items.as_slice(), other.items.as_slice())
    }
}

/// Item by item, unlike a slice, as std's halves need not be cut alike.
impl<T: Hash> Hash for VecDeque<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.items.len());
        let mut index: usize = 0;
        while index < self.items.len() {
            self.items.as_slice()[index].hash(state);
            index = index.wrapping_add(1);
        }
    }
}
