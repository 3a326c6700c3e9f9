//! Slices taken apart in further ways.

use super::*;
use crate::inherent::slices::SlicePartMethods;
use crate::intrinsics::{array_mut, array_ref, split_mut, subslice, subslice_mut};
use crate::iter::{DoubleEndedIterator, ExactSizeIterator, FusedIterator, Iterator};

impl<T> SlicePartMethods<T> for [T] {
    fn rsplit<F: FnMut(&T) -> bool>(&self, pred: F) -> RSplit<'_, T, F> {
        RSplit { split: Split { slice: self, pred, finished: false } }
    }
    fn splitn<F: FnMut(&T) -> bool>(&self, n: usize, pred: F) -> SplitN<'_, T, F> {
        SplitN { split: Split { slice: self, pred, finished: false }, left: n }
    }
    fn rsplitn<F: FnMut(&T) -> bool>(&self, n: usize, pred: F) -> RSplitN<'_, T, F> {
        RSplitN { split: Split { slice: self, pred, finished: false }, left: n }
    }
    fn split_inclusive<F: FnMut(&T) -> bool>(&self, pred: F) -> SplitInclusive<'_, T, F> {
        SplitInclusive { slice: self, pred }
    }
    fn chunk_by<F: FnMut(&T, &T) -> bool>(&self, pred: F) -> ChunkBy<'_, T, F> {
        ChunkBy { slice: self, pred }
    }
    fn chunks_exact_mut(&mut self, chunk_size: usize) -> ChunksExactMut<'_, T> {
        if chunk_size == 0 {
            panic!("chunk size must be non-zero");
        }
        let len = self.len();
        let whole = len.wrapping_sub(len % chunk_size);
        let (slice, rest) = split_mut(self, whole);
        ChunksExactMut { slice, rest, size: chunk_size }
    }
    fn split_at_mut_checked(&mut self, mid: usize) -> Option<(&mut [T], &mut [T])> {
        if mid <= self.len() { Some(split_mut(self, mid)) } else { None }
    }
    fn split_last_chunk<const N: usize>(&self) -> Option<(&[T], &[T; N])> {
        let len = self.len();
        if len < N {
            return None;
        }
        let at = len.wrapping_sub(N);
        Some((subslice(self, 0, at), array_ref(subslice(self, at, len))))
    }
    fn first_chunk_mut<const N: usize>(&mut self) -> Option<&mut [T; N]> {
        if self.len() < N { None } else { Some(array_mut(subslice_mut(self, 0, N))) }
    }
    fn last_chunk_mut<const N: usize>(&mut self) -> Option<&mut [T; N]> {
        let len = self.len();
        if len < N { None } else { Some(array_mut(subslice_mut(self, len.wrapping_sub(N), len))) }
    }
    fn strip_prefix<P: SlicePattern<Item = T> + ?Sized>(&self, prefix: &P) -> Option<&[T]>
    where
        T: PartialEq,
    {
        let prefix = prefix.as_slice();
        let (len, cut) = (self.len(), prefix.len());
        if cut <= len && *subslice(self, 0, cut) == *prefix { Some(subslice(self, cut, len)) } else { None }
    }
    fn strip_suffix<P: SlicePattern<Item = T> + ?Sized>(&self, suffix: &P) -> Option<&[T]>
    where
        T: PartialEq,
    {
        let suffix = suffix.as_slice();
        let (len, cut) = (self.len(), suffix.len());
        if cut > len {
            return None;
        }
        let at = len.wrapping_sub(cut);
        if *subslice(self, at, len) == *suffix { Some(subslice(self, 0, at)) } else { None }
    }
    fn is_sorted_by<'a, F: FnMut(&'a T, &'a T) -> bool>(&'a self, compare: F) -> bool
    where
        T: 'a,
    {
        let mut compare = compare;
        let len = self.len();
        let mut index: usize = 1;
        while index < len {
            if !compare(&self[index.wrapping_sub(1)], &self[index]) {
                return false;
            }
            index = index.wrapping_add(1);
        }
        true
    }
    fn is_sorted_by_key<'a, F: FnMut(&'a T) -> K, K: PartialOrd>(&'a self, f: F) -> bool
    where
        T: 'a,
    {
        let mut f = f;
        let len = self.len();
        if len == 0 {
            return true;
        }
        let mut last = f(&self[0]);
        let mut index: usize = 1;
        while index < len {
            let key = f(&self[index]);
            if !(last <= key) {
                return false;
            }
            last = key;
            index = index.wrapping_add(1);
        }
        true
    }
}

impl<T> SlicePattern for [T] {
    type Item = T;
    fn as_slice(&self) -> &[T] {
        self
    }
}

impl<T, const N: usize> SlicePattern for [T; N] {
    type Item = T;
    fn as_slice(&self) -> &[T] {
        self
    }
}

impl<'a, T, P: FnMut(&T) -> bool> Iterator for RSplit<'a, T, P> {
    type Item = &'a [T];
    fn next(&mut self) -> Option<&'a [T]> {
        self.split.next_back()
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.split.size_hint()
    }
}

impl<'a, T, P: FnMut(&T) -> bool> DoubleEndedIterator for RSplit<'a, T, P> {
    fn next_back(&mut self) -> Option<&'a [T]> {
        self.split.next()
    }
}

/// The last of a number of parts is all that is left.
macro_rules! limited {
    ($($ty:ident $next:ident;)*) => {$(
        impl<'a, T, P: FnMut(&T) -> bool> Iterator for $ty<'a, T, P> {
            type Item = &'a [T];
            fn next(&mut self) -> Option<&'a [T]> {
                match self.left {
                    0 => None,
                    1 => {
                        self.left = 0;
                        if self.split.finished {
                            return None;
                        }
                        self.split.finished = true;
                        Some(self.split.slice)
                    }
                    _ => {
                        self.left = self.left.wrapping_sub(1);
                        self.split.$next()
                    }
                }
            }
            fn size_hint(&self) -> (usize, Option<usize>) {
                let (least, most) = self.split.size_hint();
                let most = match most {
                    Some(most) if most < self.left => most,
                    _ => self.left,
                };
                (if least < self.left { least } else { self.left }, Some(most))
            }
        }
    )*};
}

limited! {
    SplitN next;
    RSplitN next_back;
}

impl<'a, T, P: FnMut(&T) -> bool> Iterator for SplitInclusive<'a, T, P> {
    type Item = &'a [T];
    fn next(&mut self) -> Option<&'a [T]> {
        let slice = self.slice;
        let len = slice.len();
        if len == 0 {
            return None;
        }
        let mut end: usize = 0;
        while end < len {
            end = end.wrapping_add(1);
            if (self.pred)(&slice[end.wrapping_sub(1)]) {
                break;
            }
        }
        self.slice = subslice(slice, end, len);
        Some(subslice(slice, 0, end))
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.slice.len();
        if len == 0 { (0, Some(0)) } else { (1, Some(len)) }
    }
}

impl<'a, T, P: FnMut(&T, &T) -> bool> Iterator for ChunkBy<'a, T, P> {
    type Item = &'a [T];
    fn next(&mut self) -> Option<&'a [T]> {
        let slice = self.slice;
        let len = slice.len();
        if len == 0 {
            return None;
        }
        let mut end: usize = 1;
        while end < len && (self.pred)(&slice[end.wrapping_sub(1)], &slice[end]) {
            end = end.wrapping_add(1);
        }
        self.slice = subslice(slice, end, len);
        Some(subslice(slice, 0, end))
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.slice.len();
        if len == 0 { (0, Some(0)) } else { (1, Some(len)) }
    }
}

impl<'a, T> ChunksExactMut<'a, T> {
    pub fn into_remainder(self) -> &'a mut [T] {
        self.rest
    }
}

impl<'a, T> Iterator for ChunksExactMut<'a, T> {
    type Item = &'a mut [T];
    fn next(&mut self) -> Option<&'a mut [T]> {
        if self.slice.len() < self.size {
            return None;
        }
        let slice = std::mem::replace(&mut self.slice, &mut []);
        let (chunk, rest) = split_mut(slice, self.size);
        self.slice = rest;
        Some(chunk)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.slice.len() / self.size;
        (left, Some(left))
    }
}

impl<'a, T> DoubleEndedIterator for ChunksExactMut<'a, T> {
    fn next_back(&mut self) -> Option<&'a mut [T]> {
        let len = self.slice.len();
        if len < self.size {
            return None;
        }
        let slice = std::mem::replace(&mut self.slice, &mut []);
        let (rest, chunk) = split_mut(slice, len.wrapping_sub(self.size));
        self.slice = rest;
        Some(chunk)
    }
}

impl<'a, T> ExactSizeIterator for ChunksExactMut<'a, T> {}
impl<'a, T> FusedIterator for ChunksExactMut<'a, T> {}

impl<'a, T> DoubleEndedIterator for ChunksMut<'a, T> {
    fn next_back(&mut self) -> Option<&'a mut [T]> {
        let len = self.slice.len();
        if len == 0 {
            return None;
        }
        // Only the last chunk may be short.
        let short = len % self.size;
        let cut = if short == 0 { self.size } else { short };
        let slice = std::mem::replace(&mut self.slice, &mut []);
        let (rest, chunk) = split_mut(slice, len.wrapping_sub(cut));
        self.slice = rest;
        Some(chunk)
    }
}

impl<'a, T> DoubleEndedIterator for RChunks<'a, T> {
    fn next_back(&mut self) -> Option<&'a [T]> {
        let len = self.slice.len();
        if len == 0 {
            return None;
        }
        // Only the first chunk may be short.
        let short = len % self.size;
        let cut = if short == 0 { self.size } else { short };
        let chunk = subslice(self.slice, 0, cut);
        self.slice = subslice(self.slice, cut, len);
        Some(chunk)
    }
}
