//! The methods of `[T]` that do not compare elements by order.

use super::*;
use crate::inherent::{SliceBytesMethods, SliceMethods};
use crate::intrinsics::{array_ref, split_mut, subslice, subslice_mut, unmodelled};
use crate::ops::RangeBounds;

impl<T> SliceMethods<T> for [T] {
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    fn first(&self) -> Option<&T> {
        if self.len() > 0 { Some(&self[0]) } else { None }
    }
    fn first_mut(&mut self) -> Option<&mut T> {
        if self.len() > 0 { Some(&mut self[0]) } else { None }
    }
    fn last(&self) -> Option<&T> {
        let len = self.len();
        if len > 0 { Some(&self[len.wrapping_sub(1)]) } else { None }
    }
    fn last_mut(&mut self) -> Option<&mut T> {
        let len = self.len();
        if len > 0 { Some(&mut self[len.wrapping_sub(1)]) } else { None }
    }
    fn split_first(&self) -> Option<(&T, &[T])> {
        let len = self.len();
        if len > 0 { Some((&self[0], subslice(self, 1, len))) } else { None }
    }
    fn split_last(&self) -> Option<(&T, &[T])> {
        let len = self.len();
        if len > 0 {
            let last = len.wrapping_sub(1);
            Some((&self[last], subslice(self, 0, last)))
        } else {
            None
        }
    }
    fn split_first_mut(&mut self) -> Option<(&mut T, &mut [T])> {
        match self {
            [] => None,
            [first, rest @ ..] => Some((first, rest)),
        }
    }
    fn split_last_mut(&mut self) -> Option<(&mut T, &mut [T])> {
        match self {
            [] => None,
            [rest @ .., last] => Some((last, rest)),
        }
    }
    fn get<I: SliceIndex<[T]>>(&self, index: I) -> Option<&I::Output> {
        index.get(self)
    }
    fn get_mut<I: SliceIndex<[T]>>(&mut self, index: I) -> Option<&mut I::Output> {
        index.get_mut(self)
    }
    fn as_ptr(&self) -> *const T {
        self as *const [T] as *const T
    }
    fn as_mut_ptr(&mut self) -> *mut T {
        self as *mut [T] as *mut T
    }
    // An index out of bounds is undefined behaviour in std, which nothing is said about.
    fn get_unchecked<I: SliceIndex<[T]>>(&self, index: I) -> &I::Output {
        match index.get(self) {
            Some(part) => part,
            None => unmodelled("undefined behaviour: `get_unchecked` out of bounds"),
        }
    }
    fn get_unchecked_mut<I: SliceIndex<[T]>>(&mut self, index: I) -> &mut I::Output {
        match index.get_mut(self) {
            Some(part) => part,
            None => unmodelled("undefined behaviour: `get_unchecked_mut` out of bounds"),
        }
    }
    fn first_chunk<const N: usize>(&self) -> Option<&[T; N]> {
        if self.len() < N { None } else { Some(array_ref(subslice(self, 0, N))) }
    }
    fn last_chunk<const N: usize>(&self) -> Option<&[T; N]> {
        let len = self.len();
        if len < N { None } else { Some(array_ref(subslice(self, len.wrapping_sub(N), len))) }
    }
    fn split_first_chunk<const N: usize>(&self) -> Option<(&[T; N], &[T])> {
        let len = self.len();
        if len < N { None } else { Some((array_ref(subslice(self, 0, N)), subslice(self, N, len))) }
    }
    fn copy_within<R: RangeBounds<usize>>(&mut self, src: R, dest: usize)
    where
        T: Copy,
    {
        let len = self.len();
        let (start, end) = crate::vec::bounds_of(&src, len);
        let count = end.wrapping_sub(start);
        if dest > len.wrapping_sub(count) {
            panic!("dest is out of bounds");
        }
        let mut index: usize = 0;
        while index < count {
            // Away from where the source still has to be read.
            let step = if dest < start { index } else { count.wrapping_sub(1).wrapping_sub(index) };
            self[dest.wrapping_add(step)] = self[start.wrapping_add(step)];
            index = index.wrapping_add(1);
        }
    }
    fn swap(&mut self, a: usize, b: usize) {
        let len = self.len();
        if a >= len || b >= len {
            panic!("index out of bounds");
        }
        if a == b {
            return;
        }
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        let (left, right) = split_mut(self, high);
        std::mem::swap(&mut left[low], &mut right[0]);
    }
    fn reverse(&mut self) {
        let len = self.len();
        let mut index = 0;
        while index < len / 2 {
            self.swap(index, len.wrapping_sub(1).wrapping_sub(index));
            index = index.wrapping_add(1);
        }
    }
    fn iter(&self) -> Iter<'_, T> {
        iter_of(self)
    }
    fn iter_mut(&mut self) -> IterMut<'_, T> {
        IterMut { slice: self }
    }
    fn windows(&self, size: usize) -> Windows<'_, T> {
        if size == 0 {
            panic!("window size must be non-zero");
        }
        Windows { slice: self, size }
    }
    fn chunks(&self, chunk_size: usize) -> Chunks<'_, T> {
        if chunk_size == 0 {
            panic!("chunk size must be non-zero");
        }
        Chunks { slice: self, size: chunk_size }
    }
    fn chunks_mut(&mut self, chunk_size: usize) -> ChunksMut<'_, T> {
        if chunk_size == 0 {
            panic!("chunk size must be non-zero");
        }
        ChunksMut { slice: self, size: chunk_size }
    }
    fn chunks_exact(&self, chunk_size: usize) -> ChunksExact<'_, T> {
        if chunk_size == 0 {
            panic!("chunk size must be non-zero");
        }
        let len = self.len();
        let cut = len.wrapping_sub(len % chunk_size);
        ChunksExact { slice: subslice(self, 0, cut), rest: subslice(self, cut, len), size: chunk_size }
    }
    fn rchunks(&self, chunk_size: usize) -> RChunks<'_, T> {
        if chunk_size == 0 {
            panic!("chunk size must be non-zero");
        }
        RChunks { slice: self, size: chunk_size }
    }
    fn split_at(&self, mid: usize) -> (&[T], &[T]) {
        let len = self.len();
        if mid > len {
            panic!("mid > len");
        }
        (subslice(self, 0, mid), subslice(self, mid, len))
    }
    fn split_at_checked(&self, mid: usize) -> Option<(&[T], &[T])> {
        let len = self.len();
        if mid > len { None } else { Some((subslice(self, 0, mid), subslice(self, mid, len))) }
    }
    fn split_at_mut(&mut self, mid: usize) -> (&mut [T], &mut [T]) {
        if mid > self.len() {
            panic!("mid > len");
        }
        split_mut(self, mid)
    }
    fn split<F: FnMut(&T) -> bool>(&self, pred: F) -> Split<'_, T, F> {
        Split { slice: self, pred, finished: false }
    }
    fn contains(&self, x: &T) -> bool
    where
        T: PartialEq,
    {
        let len = self.len();
        let mut index = 0;
        while index < len {
            if self[index] == *x {
                return true;
            }
            index = index.wrapping_add(1);
        }
        false
    }
    fn starts_with(&self, needle: &[T]) -> bool
    where
        T: PartialEq,
    {
        let len = needle.len();
        self.len() >= len && *needle == *subslice(self, 0, len)
    }
    fn ends_with(&self, needle: &[T]) -> bool
    where
        T: PartialEq,
    {
        let (whole, part) = (self.len(), needle.len());
        whole >= part && *needle == *subslice(self, whole.wrapping_sub(part), whole)
    }
    fn rotate_left(&mut self, mid: usize) {
        let len = self.len();
        if mid > len {
            panic!("assertion failed: mid <= self.len()");
        }
        subslice_mut(self, 0, mid).reverse();
        subslice_mut(self, mid, len).reverse();
        self.reverse();
    }
    fn rotate_right(&mut self, k: usize) {
        let len = self.len();
        if k > len {
            panic!("assertion failed: k <= self.len()");
        }
        self.rotate_left(len.wrapping_sub(k));
    }
    fn fill(&mut self, value: T)
    where
        T: Clone,
    {
        let len = self.len();
        if len == 0 {
            return;
        }
        let last = len.wrapping_sub(1);
        let mut index = 0;
        while index < last {
            match crate::intrinsics::is_copy::<T>() {
                true => self[index] = crate::intrinsics::copy_of(&value),
                false => self[index].clone_from(&value),
            }
            index = index.wrapping_add(1);
        }
        self[last] = value;
    }
    fn fill_with<F: FnMut() -> T>(&mut self, f: F) {
        let mut f = f;
        let len = self.len();
        let mut index = 0;
        while index < len {
            self[index] = f();
            index = index.wrapping_add(1);
        }
    }
    fn copy_from_slice(&mut self, src: &[T])
    where
        T: Copy,
    {
        let len = self.len();
        if len != src.len() {
            panic!("copy_from_slice: source slice length does not match destination slice length");
        }
        let mut index = 0;
        while index < len {
            self[index] = src[index];
            index = index.wrapping_add(1);
        }
    }
    fn clone_from_slice(&mut self, src: &[T])
    where
        T: Clone,
    {
        let len = self.len();
        if len != src.len() {
            panic!("destination and source slices have different lengths");
        }
        let mut index = 0;
        while index < len {
            match crate::intrinsics::is_copy::<T>() {
                true => self[index] = crate::intrinsics::copy_of(&src[index]),
                false => self[index].clone_from(&src[index]),
            }
            index = index.wrapping_add(1);
        }
    }
    fn swap_with_slice(&mut self, other: &mut [T]) {
        let len = self.len();
        if len != other.len() {
            panic!("destination and source slices have different lengths");
        }
        let mut index = 0;
        while index < len {
            std::mem::swap(&mut self[index], &mut other[index]);
            index = index.wrapping_add(1);
        }
    }
    fn to_vec(&self) -> Vec<T>
    where
        T: Clone,
    {
        let len = self.len();
        let mut items = Vec::new();
        let mut index = 0;
        while index < len {
            items.push(crate::clone::duplicate(&self[index]));
            index = index.wrapping_add(1);
        }
        items
    }
    fn repeat(&self, n: usize) -> Vec<T>
    where
        T: Copy,
    {
        let len = self.len();
        let mut items = match len.checked_mul(n) {
            Some(capacity) => Vec::with_capacity(capacity),
            None => panic!("capacity overflow"),
        };
        let mut round = 0;
        while round < n && len > 0 {
            let mut index = 0;
            while index < len {
                // The first round clones, the others copy memory.
                items.push(if round == 0 { self[index].clone() } else { self[index] });
                index = index.wrapping_add(1);
            }
            round = round.wrapping_add(1);
        }
        items
    }
}

impl SliceBytesMethods for [u8] {
    fn is_ascii(&self) -> bool {
        let len = self.len();
        let mut index = 0;
        while index < len {
            if self[index] >= 0x80 {
                return false;
            }
            index = index.wrapping_add(1);
        }
        true
    }
    fn eq_ignore_ascii_case(&self, other: &[u8]) -> bool {
        let len = self.len();
        if len != other.len() {
            return false;
        }
        let mut index = 0;
        while index < len {
            if self[index].to_ascii_lowercase() != other[index].to_ascii_lowercase() {
                return false;
            }
            index = index.wrapping_add(1);
        }
        true
    }
    fn make_ascii_uppercase(&mut self) {
        let len = self.len();
        let mut index = 0;
        while index < len {
            self[index] = self[index].to_ascii_uppercase();
            index = index.wrapping_add(1);
        }
    }
    fn make_ascii_lowercase(&mut self) {
        let len = self.len();
        let mut index = 0;
        while index < len {
            self[index] = self[index].to_ascii_lowercase();
            index = index.wrapping_add(1);
        }
    }
    fn trim_ascii_start(&self) -> &[u8] {
        let len = self.len();
        let mut from = 0;
        while from < len && self[from].is_ascii_whitespace() {
            from = from.wrapping_add(1);
        }
        subslice(self, from, len)
    }
    fn trim_ascii_end(&self) -> &[u8] {
        let mut to = self.len();
        while to > 0 && self[to.wrapping_sub(1)].is_ascii_whitespace() {
            to = to.wrapping_sub(1);
        }
        subslice(self, 0, to)
    }
    fn trim_ascii(&self) -> &[u8] {
        self.trim_ascii_start().trim_ascii_end()
    }
}
