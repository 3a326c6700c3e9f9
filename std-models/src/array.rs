//! `std::array`: arrays by value.

use crate::inherent::ArrayMethods;
use crate::intrinsics;
use crate::iter::{DoubleEndedIterator, ExactSizeIterator, IntoIterator, Iterator};

#[derive(Clone, Copy, Debug)]
pub struct TryFromSliceError(pub(crate) ());

#[derive(Clone)]
pub struct IntoIter<T, const N: usize> {
    items: [Option<T>; N],
    front: usize,
    back: usize,
}

impl<T, const N: usize> Iterator for IntoIter<T, N> {
    type Item = T;
    fn next(&mut self) -> Option<T> {
        if self.front < self.back {
            let index = self.front;
            self.front = index.wrapping_add(1);
            std::mem::replace(&mut self.items[index], None)
        } else {
            None
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.back.wrapping_sub(self.front);
        (left, Some(left))
    }
}

impl<T, const N: usize> DoubleEndedIterator for IntoIter<T, N> {
    fn next_back(&mut self) -> Option<T> {
        if self.front < self.back {
            self.back = self.back.wrapping_sub(1);
            std::mem::replace(&mut self.items[self.back], None)
        } else {
            None
        }
    }
}

impl<T, const N: usize> ExactSizeIterator for IntoIter<T, N> {}

impl<T, const N: usize> IntoIterator for [T; N] {
    type Item = T;
    type IntoIter = IntoIter<T, N>;
    fn into_iter(self) -> IntoIter<T, N> {
        IntoIter { items: intrinsics::array_to_options(self), front: 0, back: N }
    }
}

impl<'a, T, const N: usize> IntoIterator for &'a [T; N] {
    type Item = &'a T;
    type IntoIter = crate::slice::Iter<'a, T>;
    fn into_iter(self) -> crate::slice::Iter<'a, T> {
        crate::slice::iter_of(self)
    }
}

impl<'a, T, const N: usize> IntoIterator for &'a mut [T; N] {
    type Item = &'a mut T;
    type IntoIter = crate::slice::IterMut<'a, T>;
    fn into_iter(self) -> crate::slice::IterMut<'a, T> {
        crate::slice::IterMut { slice: self }
    }
}

impl<T, const N: usize> ArrayMethods<T, N> for [T; N] {
    fn map<F: FnMut(T) -> U, U>(self, f: F) -> [U; N] {
        let mut f = f;
        let mut from = intrinsics::array_to_options(self);
        let mut to = intrinsics::array_of_none::<U, N>();
        let mut index = 0;
        while index < N {
            if let Some(item) = std::mem::replace(&mut from[index], None) {
                to[index] = Some(f(item));
            }
            index = index.wrapping_add(1);
        }
        intrinsics::array_from_options(to)
    }
    fn as_slice(&self) -> &[T] {
        self
    }
    fn as_mut_slice(&mut self) -> &mut [T] {
        self
    }
    fn each_ref(&self) -> [&T; N] {
        let mut to = intrinsics::array_of_none::<&T, N>();
        let mut index = 0;
        while index < N {
            to[index] = Some(&self[index]);
            index = index.wrapping_add(1);
        }
        intrinsics::array_from_options(to)
    }
}

pub fn from_fn<T, const N: usize, F: FnMut(usize) -> T>(f: F) -> [T; N] {
    let mut f = f;
    let mut to = intrinsics::array_of_none::<T, N>();
    let mut index = 0;
    while index < N {
        to[index] = Some(f(index));
        index = index.wrapping_add(1);
    }
    intrinsics::array_from_options(to)
}
