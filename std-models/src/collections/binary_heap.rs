//! `BinaryHeap`: each item is at least as great as those at twice its position plus one and two.
//!
//! Items that compare equal come out in an order that depends on how the heap was built, so it is built as std's is.

use super::BinaryHeap;
use crate::convert::From;
use crate::default::Default;
use crate::iter::{DoubleEndedIterator, FromIterator, IntoIterator, Iterator};
use crate::ops::{Deref, DerefMut};

impl<T> BinaryHeap<T> {
    pub fn len(&self) -> usize {
        self.items.len()
    }
    pub fn is_empty(&self) -> bool {
        self.items.len() == 0
    }
    pub fn clear(&mut self) {
        self.items = Vec::new();
    }
    pub fn peek(&self) -> Option<&T> {
        self.items.as_slice().first()
    }
    pub fn as_slice(&self) -> &[T] {
        self.items.as_slice()
    }
    pub fn into_vec(self) -> Vec<T> {
        self.items
    }
    pub fn iter(&self) -> Iter<'_, T> {
        Iter { items: crate::slice::iter_of(self.items.as_slice()) }
    }
}

impl<T: std::cmp::Ord> BinaryHeap<T> {
    pub fn peek_mut(&mut self) -> Option<PeekMut<'_, T>> {
        if self.items.len() == 0 { None } else { Some(PeekMut { heap: self, rest: Vec::new() }) }
    }
    pub fn new() -> BinaryHeap<T> {
        BinaryHeap { items: Vec::new() }
    }
    pub fn with_capacity(capacity: usize) -> BinaryHeap<T> {
        crate::vec::check_capacity::<T>(capacity);
        BinaryHeap { items: Vec::new() }
    }
    pub fn push(&mut self, item: T) {
        let place = self.items.len();
        self.items.push(item);
        rise(self.items.as_mut_slice(), 0, place);
    }
    pub fn pop(&mut self) -> Option<T> {
        match self.items.pop() {
            Some(last) => {
                let mut item = last;
                if self.items.len() > 0 {
                    std::mem::swap(&mut item, &mut self.items.as_mut_slice()[0]);
                    sink_and_rise(self.items.as_mut_slice());
                }
                Some(item)
            }
            None => None,
        }
    }
    pub fn into_sorted_vec(self) -> Vec<T> {
        let mut items = self.items;
        let mut end = items.len();
        while end > 1 {
            end = end.wrapping_sub(1);
            items.as_mut_slice().swap(0, end);
            sink(items.as_mut_slice(), 0, end);
        }
        items
    }
}

/// Moves the item at `place` towards `start` past all that are less.
fn rise<T: std::cmp::Ord>(items: &mut [T], start: usize, place: usize) {
    let mut place = place;
    while place > start {
        let parent = place.wrapping_sub(1) / 2;
        if items[place] <= items[parent] {
            break;
        }
        items.swap(place, parent);
        place = parent;
    }
}

/// Moves the item at `place` away from the front, below `end`, past all that are greater.
fn sink<T: std::cmp::Ord>(items: &mut [T], place: usize, end: usize) {
    let mut place = place;
    let mut child = place.wrapping_mul(2).wrapping_add(1);
    while child <= end.saturating_sub(2) {
        if items[child] <= items[child.wrapping_add(1)] {
            child = child.wrapping_add(1);
        }
        if items[place] >= items[child] {
            return;
        }
        items.swap(place, child);
        place = child;
        child = place.wrapping_mul(2).wrapping_add(1);
    }
    if child == end.wrapping_sub(1) && items[place] < items[child] {
        items.swap(place, child);
    }
}

/// Moves the first item to the bottom along the greater children, and from there up to its place.
fn sink_and_rise<T: std::cmp::Ord>(items: &mut [T]) {
    let end = items.len();
    let mut place: usize = 0;
    let mut child: usize = 1;
    while child <= end.saturating_sub(2) {
        if items[child] <= items[child.wrapping_add(1)] {
            child = child.wrapping_add(1);
        }
        items.swap(place, child);
        place = child;
        child = place.wrapping_mul(2).wrapping_add(1);
    }
    if child == end.wrapping_sub(1) {
        items.swap(place, child);
        place = child;
    }
    rise(items, 0, place);
}

/// Makes any sequence a heap.
fn rebuild<T: std::cmp::Ord>(items: &mut [T]) {
    let mut place = items.len() / 2;
    while place > 0 {
        place = place.wrapping_sub(1);
        sink(items, place, items.len());
    }
}

pub struct Iter<'a, T> {
    items: crate::slice::Iter<'a, T>,
}

impl<'a, T> Iterator for Iter<'a, T> {
    type Item = &'a T;
    fn next(&mut self) -> Option<&'a T> {
        self.items.next()
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.items.size_hint()
    }
}

impl<'a, T> DoubleEndedIterator for Iter<'a, T> {
    fn next_back(&mut self) -> Option<&'a T> {
        self.items.next_back()
    }
}

pub struct IntoIter<T> {
    items: crate::vec::IntoIter<T>,
}

impl<T> Iterator for IntoIter<T> {
    type Item = T;
    fn next(&mut self) -> Option<T> {
        self.items.next()
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.items.size_hint()
    }
}

impl<T> DoubleEndedIterator for IntoIter<T> {
    fn next_back(&mut self) -> Option<T> {
        self.items.next_back()
    }
}

impl<T> IntoIterator for BinaryHeap<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;
    fn into_iter(self) -> IntoIter<T> {
        IntoIter { items: crate::vec::IntoIter::over(self.items) }
    }
}

impl<'a, T> IntoIterator for &'a BinaryHeap<T> {
    type Item = &'a T;
    type IntoIter = Iter<'a, T>;
    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<T: std::cmp::Ord> FromIterator<T> for BinaryHeap<T> {
    fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> BinaryHeap<T> {
        let items: Vec<T> = FromIterator::from_iter(iter);
        From::from(items)
    }
}

impl<T: std::cmp::Ord> From<Vec<T>> for BinaryHeap<T> {
    fn from(items: Vec<T>) -> BinaryHeap<T> {
        let mut items = items;
        rebuild(items.as_mut_slice());
        BinaryHeap { items }
    }
}

impl<T: std::cmp::Ord, const N: usize> From<[T; N]> for BinaryHeap<T> {
    fn from(items: [T; N]) -> BinaryHeap<T> {
        From::<Vec<T>>::from(From::from(items))
    }
}

impl<T> From<BinaryHeap<T>> for Vec<T> {
    fn from(heap: BinaryHeap<T>) -> Vec<T> {
        heap.items
    }
}

impl<T: std::cmp::Ord> Default for BinaryHeap<T> {
    fn default() -> BinaryHeap<T> {
        BinaryHeap { items: Vec::new() }
    }
}

/// The greatest item. From when it may be changed until this is dropped, the heap has only that one.
pub struct PeekMut<'a, T: 'a + std::cmp::Ord> {
    heap: &'a mut BinaryHeap<T>,
    /// The other items meanwhile.
    rest: Vec<T>,
}

impl<'a, T: std::cmp::Ord> PeekMut<'a, T> {
    pub fn pop(this: PeekMut<'a, T>) -> T {
        let mut this = this;
        this.heap.items.append(&mut this.rest);
        match this.heap.pop() {
            Some(item) => item,
            None => unreachable!(),
        }
    }
}

impl<T: std::cmp::Ord> Drop for PeekMut<'_, T> {
    fn drop(&mut self) {
        if self.rest.len() > 0 {
            self.heap.items.append(&mut self.rest);
            let end = self.heap.items.len();
            sink(self.heap.items.as_mut_slice(), 0, end);
        }
    }
}

impl<T: std::cmp::Ord> Deref for PeekMut<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.heap.items.as_slice()[0]
    }
}

impl<T: std::cmp::Ord> DerefMut for PeekMut<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        if self.heap.items.len() > 1 {
            self.rest = self.heap.items.split_off(1);
        }
        &mut self.heap.items.as_mut_slice()[0]
    }
}
