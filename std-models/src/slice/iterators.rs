//! What the iterators over slices do.

use super::*;
use crate::convert::AsRef;
use crate::default::Default;
use crate::intrinsics::{split_mut, subslice};
use crate::iter::{DoubleEndedIterator, ExactSizeIterator, FusedIterator, IntoIterator, Iterator};

impl<'a, T> Clone for Iter<'a, T> {
    fn clone(&self) -> Self {
        Iter { slice: self.slice, front: self.front, back: self.back }
    }
}

impl<'a, T> Iter<'a, T> {
    pub fn as_slice(&self) -> &'a [T] {
        subslice(self.slice, self.front, self.back)
    }
}

impl<'a, T> Iterator for Iter<'a, T> {
    type Item = &'a T;
    fn next(&mut self) -> Option<&'a T> {
        if self.front < self.back {
            let index = self.front;
            self.front = index.wrapping_add(1);
            let slice = self.slice;
            Some(&slice[index])
        } else {
            None
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.back.wrapping_sub(self.front);
        (left, Some(left))
    }
    fn nth(&mut self, n: usize) -> Option<&'a T> {
        if n < self.back.wrapping_sub(self.front) {
            let index = self.front.wrapping_add(n);
            self.front = index.wrapping_add(1);
            let slice = self.slice;
            Some(&slice[index])
        } else {
            self.front = self.back;
            None
        }
    }
}

impl<'a, T> DoubleEndedIterator for Iter<'a, T> {
    fn next_back(&mut self) -> Option<&'a T> {
        if self.front < self.back {
            self.back = self.back.wrapping_sub(1);
            let slice = self.slice;
            Some(&slice[self.back])
        } else {
            None
        }
    }
    fn nth_back(&mut self, n: usize) -> Option<&'a T> {
        if n < self.back.wrapping_sub(self.front) {
            self.back = self.back.wrapping_sub(n).wrapping_sub(1);
            let slice = self.slice;
            Some(&slice[self.back])
        } else {
            self.back = self.front;
            None
        }
    }
}

impl<'a, T> ExactSizeIterator for Iter<'a, T> {}
impl<'a, T> FusedIterator for Iter<'a, T> {}

impl<'a, T> AsRef<[T]> for Iter<'a, T> {
    fn as_ref(&self) -> &[T] {
        self.as_slice()
    }
}

impl<'a, T> AsRef<[T]> for IterMut<'a, T> {
    fn as_ref(&self) -> &[T] {
        &*self.slice
    }
}

impl<'a, T> Default for Iter<'a, T> {
    fn default() -> Iter<'a, T> {
        super::iter_of(&[])
    }
}

impl<'a, T> Default for IterMut<'a, T> {
    fn default() -> IterMut<'a, T> {
        IterMut { slice: &mut [] }
    }
}

impl<'a, T> IterMut<'a, T> {
    pub fn into_slice(self) -> &'a mut [T] {
        self.slice
    }
    pub fn as_slice(&self) -> &[T] {
        &*self.slice
    }
}

impl<'a, T> Iterator for IterMut<'a, T> {
    type Item = &'a mut T;
    fn next(&mut self) -> Option<&'a mut T> {
        match std::mem::replace(&mut self.slice, &mut []) {
            [] => None,
            [first, rest @ ..] => {
                self.slice = rest;
                Some(first)
            }
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.slice.len(), Some(self.slice.len()))
    }
}

impl<'a, T> DoubleEndedIterator for IterMut<'a, T> {
    fn next_back(&mut self) -> Option<&'a mut T> {
        match std::mem::replace(&mut self.slice, &mut []) {
            [] => None,
            [rest @ .., last] => {
                self.slice = rest;
                Some(last)
            }
        }
    }
}

impl<'a, T> ExactSizeIterator for IterMut<'a, T> {}

impl<'a, T> Iterator for Windows<'a, T> {
    type Item = &'a [T];
    fn next(&mut self) -> Option<&'a [T]> {
        let len = self.slice.len();
        if self.size > len {
            return None;
        }
        let window = subslice(self.slice, 0, self.size);
        self.slice = subslice(self.slice, 1, len);
        Some(window)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.slice.len();
        let left = if self.size > len { 0 } else { len.wrapping_sub(self.size).wrapping_add(1) };
        (left, Some(left))
    }
}

impl<'a, T> DoubleEndedIterator for Windows<'a, T> {
    fn next_back(&mut self) -> Option<&'a [T]> {
        let len = self.slice.len();
        if self.size > len {
            return None;
        }
        let window = subslice(self.slice, len.wrapping_sub(self.size), len);
        self.slice = subslice(self.slice, 0, len.wrapping_sub(1));
        Some(window)
    }
}

impl<'a, T> ExactSizeIterator for Windows<'a, T> {}

/// How many chunks of at most `size` elements `len` elements make; `size` is not zero.
fn chunk_count(len: usize, size: usize) -> usize {
    if len == 0 { 0 } else { (len.wrapping_sub(1) / size).wrapping_add(1) }
}

impl<'a, T> Iterator for Chunks<'a, T> {
    type Item = &'a [T];
    fn next(&mut self) -> Option<&'a [T]> {
        let len = self.slice.len();
        if len == 0 {
            return None;
        }
        let cut = if len < self.size { len } else { self.size };
        let chunk = subslice(self.slice, 0, cut);
        self.slice = subslice(self.slice, cut, len);
        Some(chunk)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = chunk_count(self.slice.len(), self.size);
        (left, Some(left))
    }
}

impl<'a, T> DoubleEndedIterator for Chunks<'a, T> {
    fn next_back(&mut self) -> Option<&'a [T]> {
        let len = self.slice.len();
        if len == 0 {
            return None;
        }
        let odd = len % self.size;
        let cut = len.wrapping_sub(if odd == 0 { self.size } else { odd });
        let chunk = subslice(self.slice, cut, len);
        self.slice = subslice(self.slice, 0, cut);
        Some(chunk)
    }
}

impl<'a, T> ExactSizeIterator for Chunks<'a, T> {}

impl<'a, T> Iterator for ChunksMut<'a, T> {
    type Item = &'a mut [T];
    fn next(&mut self) -> Option<&'a mut [T]> {
        let slice = std::mem::replace(&mut self.slice, &mut []);
        let len = slice.len();
        if len == 0 {
            return None;
        }
        let cut = if len < self.size { len } else { self.size };
        let (chunk, rest) = split_mut(slice, cut);
        self.slice = rest;
        Some(chunk)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = chunk_count(self.slice.len(), self.size);
        (left, Some(left))
    }
}

impl<'a, T> ExactSizeIterator for ChunksMut<'a, T> {}

impl<'a, T> ChunksExact<'a, T> {
    pub fn remainder(&self) -> &'a [T] {
        self.rest
    }
}

impl<'a, T> Iterator for ChunksExact<'a, T> {
    type Item = &'a [T];
    fn next(&mut self) -> Option<&'a [T]> {
        let len = self.slice.len();
        if len < self.size {
            return None;
        }
        let chunk = subslice(self.slice, 0, self.size);
        self.slice = subslice(self.slice, self.size, len);
        Some(chunk)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.slice.len() / self.size;
        (left, Some(left))
    }
}

impl<'a, T> DoubleEndedIterator for ChunksExact<'a, T> {
    fn next_back(&mut self) -> Option<&'a [T]> {
        let len = self.slice.len();
        if len < self.size {
            return None;
        }
        let cut = len.wrapping_sub(self.size);
        let chunk = subslice(self.slice, cut, len);
        self.slice = subslice(self.slice, 0, cut);
        Some(chunk)
    }
}

impl<'a, T> ExactSizeIterator for ChunksExact<'a, T> {}

impl<'a, T> Iterator for RChunks<'a, T> {
    type Item = &'a [T];
    fn next(&mut self) -> Option<&'a [T]> {
        let len = self.slice.len();
        if len == 0 {
            return None;
        }
        let cut = len.saturating_sub(self.size);
        let chunk = subslice(self.slice, cut, len);
        self.slice = subslice(self.slice, 0, cut);
        Some(chunk)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = chunk_count(self.slice.len(), self.size);
        (left, Some(left))
    }
}

impl<'a, T> ExactSizeIterator for RChunks<'a, T> {}

impl<'a, T, P: FnMut(&T) -> bool> Iterator for Split<'a, T, P> {
    type Item = &'a [T];
    fn next(&mut self) -> Option<&'a [T]> {
        if self.finished {
            return None;
        }
        let slice = self.slice;
        let len = slice.len();
        let mut index = 0;
        while index < len {
            if (self.pred)(&slice[index]) {
                self.slice = subslice(slice, index.wrapping_add(1), len);
                return Some(subslice(slice, 0, index));
            }
            index = index.wrapping_add(1);
        }
        self.finished = true;
        Some(slice)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        if self.finished { (0, Some(0)) } else { (1, Some(self.slice.len().wrapping_add(1))) }
    }
}

impl<'a, T, P: FnMut(&T) -> bool> DoubleEndedIterator for Split<'a, T, P> {
    fn next_back(&mut self) -> Option<&'a [T]> {
        if self.finished {
            return None;
        }
        let slice = self.slice;
        let len = slice.len();
        let mut index = len;
        while index > 0 {
            index = index.wrapping_sub(1);
            if (self.pred)(&slice[index]) {
                self.slice = subslice(slice, 0, index);
                return Some(subslice(slice, index.wrapping_add(1), len));
            }
        }
        self.finished = true;
        Some(slice)
    }
}

impl<'a, T> IntoIterator for &'a [T] {
    type Item = &'a T;
    type IntoIter = Iter<'a, T>;
    fn into_iter(self) -> Iter<'a, T> {
        iter_of(self)
    }
}

impl<'a, T> IntoIterator for &'a mut [T] {
    type Item = &'a mut T;
    type IntoIter = IterMut<'a, T>;
    fn into_iter(self) -> IterMut<'a, T> {
        IterMut { slice: self }
    }
}
