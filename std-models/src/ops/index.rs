//! `Index` and `IndexMut` of slices, arrays and `str`: all go through `slice::SliceIndex`.

use super::{Index, IndexMut};
use crate::slice::SliceIndex;

impl<T, I: SliceIndex<[T]>> Index<I> for [T] {
    type Output = I::Output;
    fn index(&self, index: I) -> &I::Output {
        index.index(self)
    }
}

impl<T, I: SliceIndex<[T]>> IndexMut<I> for [T] {
    fn index_mut(&mut self, index: I) -> &mut I::Output {
        index.index_mut(self)
    }
}

impl<T, I: SliceIndex<[T]>, const N: usize> Index<I> for [T; N] {
    type Output = I::Output;
    fn index(&self, index: I) -> &I::Output {
        let slice: &[T] = self;
        index.index(slice)
    }
}

impl<T, I: SliceIndex<[T]>, const N: usize> IndexMut<I> for [T; N] {
    fn index_mut(&mut self, index: I) -> &mut I::Output {
        let slice: &mut [T] = self;
        index.index_mut(slice)
    }
}

impl<I: SliceIndex<str>> Index<I> for str {
    type Output = I::Output;
    fn index(&self, index: I) -> &I::Output {
        index.index(self)
    }
}
