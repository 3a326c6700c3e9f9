//! `std::vec`, upon what the executor does itself: `Vec::{new, push, pop, len, as_slice, as_mut_slice}`.
//!
//! Limits: whether there is memory for more than a gibibyte in one piece is unmodelled, and capacity is not kept (`capacity` is
//! unmodelled); raw parts and memory beyond the length are not handled.

mod reserve;
mod splice;

use std::ops::Bound;

use crate::convert::{AsMut, AsRef, From};
use crate::inherent::slices::VecRangeMethods;
use crate::inherent::{VecCloneMethods, VecEqMethods, VecMethods};
use crate::intrinsics;
use crate::iter::{DoubleEndedIterator, ExactSizeIterator, FusedIterator, IntoIterator, Iterator};
use crate::ops::{Deref, DerefMut, Index, IndexMut, RangeBounds};
use crate::slice::SliceIndex;

pub fn from_elem<T: Clone>(elem: T, n: usize) -> Vec<T> {
    let mut items = Vec::with_capacity(n);
    if n == 0 {
        return items;
    }
    let mut count: usize = 1;
    while count < n {
        items.push(elem.clone());
        count = count.wrapping_add(1);
    }
    items.push(elem);
    items
}

/// The bytes that any machine is taken to have in one piece. Where more are asked for, one machine goes on and another aborts.
const SURE_TO_BE_THERE: usize = 1 << 30;

/// Panics where std does because that many elements cannot be addressed.
pub(crate) fn check_capacity<T>(capacity: usize) {
    // So few are there whatever the size is, which is not known of all types.
    if capacity <= 1 << 10 {
        return;
    }
    let size = std::mem::size_of::<T>();
    if size != 0 && capacity > SURE_TO_BE_THERE / size {
        if capacity > isize::MAX as usize / size {
            panic!("capacity overflow");
        }
        intrinsics::unmodelled("an allocation of more than a gibibyte")
    }
}

/// The same of a hash table, which has more places than it is asked for.
pub(crate) fn check_table<T>(capacity: usize) {
    if capacity <= 1 << 10 {
        return;
    }
    let size = std::mem::size_of::<T>();
    if capacity > SURE_TO_BE_THERE / 4 || (size != 0 && capacity > SURE_TO_BE_THERE / 4 / size) {
        intrinsics::unmodelled("a hash table of more than a gibibyte")
    }
}

/// Panics where std does because there cannot be so many elements more.
pub(crate) fn check_more<T>(len: usize, additional: usize) {
    match len.checked_add(additional) {
        Some(capacity) => check_capacity::<T>(capacity),
        None => panic!("capacity overflow"),
    }
}

/// When a sequence that is there already asks an iterator for its hint depends on its capacity.
pub(crate) fn restricted_to_hints_of_std<I>() {
    if intrinsics::hint_is_written::<I>() {
        intrinsics::unmodelled("how often a sequence that grows asks for the size hint")
    }
}

/// Asks for the hint that `reserve` is called with before anything is taken.
pub(crate) fn reserve_by_hint<T, I: Iterator>(len: usize, iter: &I) {
    if intrinsics::hint_is_written::<I>() {
        check_more::<T>(len, iter.size_hint().0);
    }
}

/// The capacity of the first allocation of a vector that grows.
fn least_capacity<T>() -> usize {
    match std::mem::size_of::<T>() {
        1 => 8,
        size if size <= 1024 => 4,
        _ => 1,
    }
}

/// Puts what an iterator yields into a new vector, and asks for its hint when std does: behind the first item and whenever the vector is full.
pub(crate) fn collect_by_hints<T, I: Iterator<Item = T>>(iter: I) -> Vec<T> {
    let mut iter = iter;
    let mut items = Vec::new();
    match iter.next() {
        Some(first) => items.push(first),
        None => return items,
    }
    let is_empty_type = intrinsics::has_no_size::<T>();
    let wanted = iter.size_hint().0.saturating_add(1);
    let least = least_capacity::<T>();
    let mut capacity = if wanted < least { least } else { wanted };
    check_capacity::<T>(capacity);
    while let Some(item) = iter.next() {
        let len = items.len();
        if len == capacity && !is_empty_type {
            let more = iter.size_hint().0.saturating_add(1);
            check_more::<T>(len, more);
            let doubled = capacity.wrapping_mul(2);
            let needed = len.wrapping_add(more);
            capacity = if needed < doubled { doubled } else { needed };
        }
        items.push(item);
    }
    items
}

/// The positions a range selects of a sequence of that length.
pub(crate) fn bounds_of<R: RangeBounds<usize>>(range: &R, len: usize) -> (usize, usize) {
    let start = match range.start_bound() {
        Bound::Included(start) => *start,
        Bound::Excluded(start) => match start.checked_add(1) {
            Some(start) => start,
            None => panic!("range start index out of range for slice of length"),
        },
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(end) => match end.checked_add(1) {
            Some(end) => end,
            None => panic!("range end index out of range for slice of length"),
        },
        Bound::Excluded(end) => *end,
        Bound::Unbounded => len,
    };
    if start > end {
        panic!("slice index starts at a position after its end");
    }
    if end > len {
        panic!("range end index out of range for slice of length");
    }
    (start, end)
}

impl<T> VecMethods<T> for Vec<T> {
    fn as_ptr(&self) -> *const T {
        self.as_slice() as *const [T] as *const T
    }
    fn as_mut_ptr(&mut self) -> *mut T {
        self.as_mut_slice() as *mut [T] as *mut T
    }
    fn with_capacity(capacity: usize) -> Vec<T> {
        check_capacity::<T>(capacity);
        Vec::new()
    }
    fn capacity(&self) -> usize {
        intrinsics::unmodelled("Vec::capacity")
    }
    fn reserve(&mut self, additional: usize) {
        check_more::<T>(self.len(), additional);
    }
    fn reserve_exact(&mut self, additional: usize) {
        check_more::<T>(self.len(), additional);
    }
    fn shrink_to_fit(&mut self) {}
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    fn clear(&mut self) {
        *self = Vec::new();
    }
    fn truncate(&mut self, len: usize) {
        if intrinsics::needs_drop::<T>() {
            // The first is dropped first.
            if self.len() > len {
                let _behind = self.split_off(len);
            }
            return;
        }
        while self.len() > len {
            self.pop();
        }
    }
    fn insert(&mut self, index: usize, element: T) {
        let len = self.len();
        if index > len {
            panic!("insertion index (is too large) should be <= len");
        }
        self.push(element);
        let mut place = len;
        while place > index {
            self.as_mut_slice().swap(place, place.wrapping_sub(1));
            place = place.wrapping_sub(1);
        }
    }
    fn remove(&mut self, index: usize) -> T {
        let len = self.len();
        if index >= len {
            panic!("removal index (is too large) should be < len");
        }
        let mut place = index;
        while place < len.wrapping_sub(1) {
            self.as_mut_slice().swap(place, place.wrapping_add(1));
            place = place.wrapping_add(1);
        }
        match self.pop() {
            Some(item) => item,
            None => unreachable!(),
        }
    }
    fn swap_remove(&mut self, index: usize) -> T {
        let len = self.len();
        if index >= len {
            panic!("swap_remove index (is too large) should be < len");
        }
        self.as_mut_slice().swap(index, len.wrapping_sub(1));
        match self.pop() {
            Some(item) => item,
            None => unreachable!(),
        }
    }
    fn pop_if(&mut self, predicate: impl FnOnce(&mut T) -> bool) -> Option<T> {
        let wanted = match self.as_mut_slice().last_mut() {
            Some(last) => predicate(last),
            None => false,
        };
        if wanted { self.pop() } else { None }
    }
    fn retain<F: FnMut(&T) -> bool>(&mut self, f: F) {
        let mut f = f;
        let mut old = IntoIter::over(std::mem::replace(self, Vec::new()));
        while let Some(item) = old.next() {
            if f(&item) {
                self.push(item);
            }
        }
    }
    fn retain_mut<F: FnMut(&mut T) -> bool>(&mut self, f: F) {
        let mut f = f;
        let mut old = IntoIter::over(std::mem::replace(self, Vec::new()));
        while let Some(item) = old.next() {
            let mut item = item;
            if f(&mut item) {
                self.push(item);
            }
        }
    }
    fn dedup_by<F: FnMut(&mut T, &mut T) -> bool>(&mut self, same_bucket: F) {
        let mut same_bucket = same_bucket;
        let mut old = IntoIter::over(std::mem::replace(self, Vec::new()));
        while let Some(item) = old.next() {
            let mut item = item;
            let repeated = match self.as_mut_slice().last_mut() {
                Some(last) => same_bucket(&mut item, last),
                None => false,
            };
            if !repeated {
                self.push(item);
            }
        }
    }
    fn dedup_by_key<F: FnMut(&mut T) -> K, K: PartialEq>(&mut self, key: F) {
        let mut key = key;
        self.dedup_by(|a, b| key(a) == key(b));
    }
    fn append(&mut self, other: &mut Vec<T>) {
        let mut items = IntoIter::over(std::mem::replace(other, Vec::new()));
        while let Some(item) = items.next() {
            self.push(item);
        }
    }
    fn split_off(&mut self, at: usize) -> Vec<T> {
        let len = self.len();
        if at > len {
            panic!("`at` split index (is too large) should be <= len");
        }
        let mut items = IntoIter::over(std::mem::replace(self, Vec::new()));
        let mut behind = Vec::new();
        let mut index: usize = 0;
        while let Some(item) = items.next() {
            if index < at {
                self.push(item);
            } else {
                behind.push(item);
            }
            index = index.wrapping_add(1);
        }
        behind
    }
    fn drain<R: RangeBounds<usize>>(&mut self, range: R) -> Drain<'_, T> {
        let (start, end) = bounds_of(&range, self.len());
        let mut old = IntoIter::over(std::mem::replace(self, Vec::new()));
        let mut taken = Vec::new();
        let mut tail = Vec::new();
        let mut index: usize = 0;
        while let Some(item) = old.next() {
            if index < start {
                self.push(item);
            } else if index < end {
                taken.push(item);
            } else {
                tail.push(item);
            }
            index = index.wrapping_add(1);
        }
        Drain { taken: IntoIter::over(taken), tail, vec: self }
    }
    fn resize_with<F: FnMut() -> T>(&mut self, new_len: usize, f: F) {
        let mut f = f;
        let len = self.len();
        if new_len <= len {
            self.truncate(new_len);
            return;
        }
        check_capacity::<T>(new_len);
        while self.len() < new_len {
            self.push(f());
        }
    }
}

impl<T: Clone> VecCloneMethods<T> for Vec<T> {
    fn extend_from_slice(&mut self, other: &[T]) {
        let len = other.len();
        let mut index = 0;
        if intrinsics::is_copy::<T>() {
            while index < len {
                self.push(crate::intrinsics::copy_of(&other[index]));
                index = index.wrapping_add(1);
            }
            return;
        }
        while index < len {
            self.push(other[index].clone());
            index = index.wrapping_add(1);
        }
    }
    fn resize(&mut self, new_len: usize, value: T) {
        if new_len <= self.len() {
            self.truncate(new_len);
        } else {
            check_capacity::<T>(new_len);
            while self.len() < new_len.wrapping_sub(1) {
                self.push(value.clone());
            }
            self.push(value);
        }
    }
}

impl<T: PartialEq> VecEqMethods<T> for Vec<T> {
    fn dedup(&mut self) {
        self.dedup_by(|a, b| *a == *b);
    }
}

/// Yields what is left of a vector; what was handed out is `None`.
#[derive(Clone)]
pub struct IntoIter<T> {
    items: Vec<Option<T>>,
    front: usize,
    back: usize,
}

/// Until it is dropped, the vector has only what stands in front of the range.
pub struct Drain<'a, T> {
    taken: IntoIter<T>,
    tail: Vec<T>,
    vec: &'a mut Vec<T>,
}

impl<'a, T> Drop for Drain<'a, T> {
    fn drop(&mut self) {
        // What was not taken goes first.
        self.taken.items = Vec::new();
        self.vec.append(&mut self.tail);
    }
}

/// What a range is replaced with goes in when this is dropped.
pub struct Splice<'a, I: Iterator + 'a> {
    drain: Drain<'a, I::Item>,
    replace_with: I,
}

impl<T> IntoIter<T> {
    pub(crate) fn over(items: Vec<T>) -> IntoIter<T> {
        let back = items.len();
        IntoIter { items: intrinsics::vec_to_options(items), front: 0, back }
    }
}

impl<T> Iterator for IntoIter<T> {
    type Item = T;
    fn next(&mut self) -> Option<T> {
        if self.front < self.back {
            let index = self.front;
            self.front = index.wrapping_add(1);
            std::mem::replace(&mut self.items.as_mut_slice()[index], None)
        } else {
            None
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.back.wrapping_sub(self.front);
        (left, Some(left))
    }
}

impl<T> DoubleEndedIterator for IntoIter<T> {
    fn next_back(&mut self) -> Option<T> {
        if self.front < self.back {
            self.back = self.back.wrapping_sub(1);
            std::mem::replace(&mut self.items.as_mut_slice()[self.back], None)
        } else {
            None
        }
    }
    // What is passed over is dropped from the front to the back.
    fn nth_back(&mut self, n: usize) -> Option<T> {
        let left = self.back.wrapping_sub(self.front);
        let end = self.back;
        self.back = end.wrapping_sub(if n < left { n } else { left });
        let mut at = self.back;
        while at < end {
            self.items.as_mut_slice()[at] = None;
            at = at.wrapping_add(1);
        }
        self.next_back()
    }
}

impl<T> crate::default::Default for IntoIter<T> {
    fn default() -> IntoIter<T> {
        IntoIter::over(Vec::new())
    }
}

impl<T> ExactSizeIterator for IntoIter<T> {}
impl<T> FusedIterator for IntoIter<T> {}

impl<'a, T> Iterator for Drain<'a, T> {
    type Item = T;
    fn next(&mut self) -> Option<T> {
        self.taken.next()
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.taken.size_hint()
    }
}

impl<'a, T> DoubleEndedIterator for Drain<'a, T> {
    fn next_back(&mut self) -> Option<T> {
        self.taken.next_back()
    }
}

impl<'a, T> ExactSizeIterator for Drain<'a, T> {}

impl<T> IntoIterator for Vec<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;
    fn into_iter(self) -> IntoIter<T> {
        IntoIter::over(self)
    }
}

impl<'a, T> IntoIterator for &'a Vec<T> {
    type Item = &'a T;
    type IntoIter = crate::slice::Iter<'a, T>;
    fn into_iter(self) -> crate::slice::Iter<'a, T> {
        crate::slice::iter_of(self.as_slice())
    }
}

impl<'a, T> IntoIterator for &'a mut Vec<T> {
    type Item = &'a mut T;
    type IntoIter = crate::slice::IterMut<'a, T>;
    fn into_iter(self) -> crate::slice::IterMut<'a, T> {
        crate::slice::IterMut { slice: self.as_mut_slice() }
    }
}

impl<T> Deref for Vec<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        self.as_slice()
    }
}

impl<T> DerefMut for Vec<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.as_mut_slice()
    }
}

impl<T, I: SliceIndex<[T]>> Index<I> for Vec<T> {
    type Output = I::Output;
    fn index(&self, index: I) -> &I::Output {
        index.index(self.as_slice())
    }
}

impl<T, I: SliceIndex<[T]>> IndexMut<I> for Vec<T> {
    fn index_mut(&mut self, index: I) -> &mut I::Output {
        index.index_mut(self.as_mut_slice())
    }
}

impl<T> AsRef<[T]> for Vec<T> {
    fn as_ref(&self) -> &[T] {
        self.as_slice()
    }
}

impl<T> AsMut<[T]> for Vec<T> {
    fn as_mut(&mut self) -> &mut [T] {
        self.as_mut_slice()
    }
}

impl<T: Clone> crate::clone::Clone for Vec<T> {
    fn clone(&self) -> Vec<T> {
        self.as_slice().to_vec()
    }
    fn clone_from(&mut self, source: &Vec<T>) {
        self.truncate(source.len());
        let (again, more) = source.as_slice().split_at(self.len());
        self.as_mut_slice().clone_from_slice(again);
        self.extend_from_slice(more);
    }
}

impl<T> crate::default::Default for Vec<T> {
    fn default() -> Vec<T> {
        Vec::new()
    }
}

impl<T: Clone> From<&[T]> for Vec<T> {
    fn from(items: &[T]) -> Vec<T> {
        items.to_vec()
    }
}

impl<T, const N: usize> From<[T; N]> for Vec<T> {
    fn from(array: [T; N]) -> Vec<T> {
        let mut from = intrinsics::array_to_options(array);
        let mut items = Vec::new();
        let mut index = 0;
        while index < N {
            if let Some(item) = std::mem::replace(&mut from[index], None) {
                items.push(item);
            }
            index = index.wrapping_add(1);
        }
        items
    }
}

impl From<&str> for Vec<u8> {
    fn from(text: &str) -> Vec<u8> {
        text.as_bytes().to_vec()
    }
}

impl<T: Clone, const N: usize> From<&[T; N]> for Vec<T> {
    fn from(items: &[T; N]) -> Vec<T> {
        let items: &[T] = items;
        items.to_vec()
    }
}

impl<T: Clone> From<&mut [T]> for Vec<T> {
    fn from(items: &mut [T]) -> Vec<T> {
        items.to_vec()
    }
}

impl<T, const N: usize> crate::convert::TryFrom<Vec<T>> for [T; N] {
    type Error = Vec<T>;
    fn try_from(items: Vec<T>) -> Result<[T; N], Vec<T>> {
        if items.len() != N {
            return Err(items);
        }
        let mut from = IntoIter::over(items);
        let mut to = intrinsics::array_of_none::<T, N>();
        let mut index = 0;
        while index < N {
            to[index] = from.next();
            index = index.wrapping_add(1);
        }
        Ok(intrinsics::array_from_options(to))
    }
}

impl<T> AsRef<Vec<T>> for Vec<T> {
    fn as_ref(&self) -> &Vec<T> {
        self
    }
}

impl<T> AsMut<Vec<T>> for Vec<T> {
    fn as_mut(&mut self) -> &mut Vec<T> {
        self
    }
}

impl<T> VecRangeMethods<T> for Vec<T> {
    fn extend_from_within<R: RangeBounds<usize>>(&mut self, src: R)
    where
        T: Clone,
    {
        let (start, end) = bounds_of(&src, self.len());
        let mut index = start;
        while index < end {
            let item = crate::clone::duplicate(&self.as_slice()[index]);
            self.push(item);
            index = index.wrapping_add(1);
        }
    }
    fn shrink_to(&mut self, _min_capacity: usize) {}
}

/// Vectors beside other sequences, compared as slices.
macro_rules! eq_with_vec {
    ($([$($generics:tt)*] $a:ty, $b:ty;)*) => {$(
        impl<T: PartialEq<U>, U, $($generics)*> crate::cmp::PartialEq<$b> for $a {
            fn eq(&self, other: &$b) -> bool {
                let left: &[T] = &**self;
                let right: &[U] = &**other;
                *left == *right
            }
        }
    )*};
}

eq_with_vec! {
    [] Vec<T>, Vec<U>;
    [] Vec<T>, &[U];
    [] Vec<T>, &mut [U];
    [] &[T], Vec<U>;
    [] &mut [T], Vec<U>;
}

impl<T: PartialEq<U>, U> crate::cmp::PartialEq<[U]> for Vec<T> {
    fn eq(&self, other: &[U]) -> bool {
        *self.as_slice() == *other
    }
}

impl<T: PartialEq<U>, U> crate::cmp::PartialEq<Vec<U>> for [T] {
    fn eq(&self, other: &Vec<U>) -> bool {
        *self == *other.as_slice()
    }
}

impl<T: PartialEq<U>, U, const N: usize> crate::cmp::PartialEq<[U; N]> for Vec<T> {
    fn eq(&self, other: &[U; N]) -> bool {
        let right: &[U] = other;
        *self.as_slice() == *right
    }
}

impl<T: PartialEq<U>, U, const N: usize> crate::cmp::PartialEq<&[U; N]> for Vec<T> {
    fn eq(&self, other: &&[U; N]) -> bool {
        let right: &[U] = *other;
        *self.as_slice() == *right
    }
}

impl<T: Eq> crate::cmp::Eq for Vec<T> {}

impl<T: PartialOrd> crate::cmp::PartialOrd for Vec<T> {
    fn partial_cmp(&self, other: &Vec<T>) -> Option<std::cmp::Ordering> {
        std::cmp::PartialOrd::partial_cmp(self.as_slice(), other.as_slice())
    }
}

impl<T: Ord> crate::cmp::Ord for Vec<T> {
    fn cmp(&self, other: &Vec<T>) -> std::cmp::Ordering {
        std::cmp::Ord::cmp(self.as_slice(), other.as_slice())
    }
}
