//! `std::slice`: the iterator types over slices and the indexing trait.
//!
//! * `index`: `SliceIndex` for positions and ranges, of slices and of `str`
//! * `iterators`: `Iter`, `IterMut`, `Chunks`, `Windows`, `Split`, …
//! * `join`: `concat` and `join`
//! * `methods`, `order`, `parts`: the methods of `[T]`
//!
//! Limits: sorting is insertion sort (the same result as std's for every total order, other calls of the
//! comparison; unstable sorts are stable here).

mod index;
mod iterators;
mod join;
mod methods;
pub(crate) mod order;
mod parts;

pub trait SliceIndex<T: ?Sized> {
    type Output: ?Sized;
    fn get(self, slice: &T) -> Option<&Self::Output>;
    fn get_mut(self, slice: &mut T) -> Option<&mut Self::Output>;
    fn index(self, slice: &T) -> &Self::Output;
    fn index_mut(self, slice: &mut T) -> &mut Self::Output;
}

/// Yields `slice[front..back]`.
pub struct Iter<'a, T> {
    pub(crate) slice: &'a [T],
    pub(crate) front: usize,
    pub(crate) back: usize,
}

/// Yields the elements of what is left.
pub struct IterMut<'a, T> {
    pub(crate) slice: &'a mut [T],
}

#[derive(Clone)]
pub struct Windows<'a, T> {
    pub(crate) slice: &'a [T],
    pub(crate) size: usize,
}

#[derive(Clone)]
pub struct Chunks<'a, T> {
    pub(crate) slice: &'a [T],
    pub(crate) size: usize,
}

pub struct ChunksMut<'a, T> {
    pub(crate) slice: &'a mut [T],
    pub(crate) size: usize,
}

#[derive(Clone)]
pub struct ChunksExact<'a, T> {
    pub(crate) slice: &'a [T],
    pub(crate) rest: &'a [T],
    pub(crate) size: usize,
}

#[derive(Clone)]
pub struct RChunks<'a, T> {
    pub(crate) slice: &'a [T],
    pub(crate) size: usize,
}

pub struct Split<'a, T, P> {
    pub(crate) slice: &'a [T],
    pub(crate) pred: P,
    pub(crate) finished: bool,
}

pub struct RSplit<'a, T, P> {
    pub(crate) split: Split<'a, T, P>,
}

pub struct SplitN<'a, T, P> {
    pub(crate) split: Split<'a, T, P>,
    pub(crate) left: usize,
}

pub struct RSplitN<'a, T, P> {
    pub(crate) split: Split<'a, T, P>,
    pub(crate) left: usize,
}

pub struct SplitInclusive<'a, T, P> {
    pub(crate) slice: &'a [T],
    pub(crate) pred: P,
}

pub struct ChunkBy<'a, T, P> {
    pub(crate) slice: &'a [T],
    pub(crate) pred: P,
}

pub struct ChunksExactMut<'a, T> {
    pub(crate) slice: &'a mut [T],
    pub(crate) rest: &'a mut [T],
    pub(crate) size: usize,
}

/// What the start or the end of a slice is compared with.
pub trait SlicePattern {
    type Item;
    fn as_slice(&self) -> &[Self::Item];
}

pub(crate) fn iter_of<T>(slice: &[T]) -> Iter<'_, T> {
    Iter { slice, front: 0, back: slice.len() }
}

/// # Safety
/// As in std.
pub unsafe fn from_raw_parts<'a, T>(data: *const T, len: usize) -> &'a [T] {
    unsafe { crate::intrinsics::slice_of_raw(data, len) }
}

/// # Safety
/// As in std.
pub unsafe fn from_raw_parts_mut<'a, T>(data: *mut T, len: usize) -> &'a mut [T] {
    unsafe { crate::intrinsics::slice_of_raw_mut(data, len) }
}

pub fn from_ref<T>(s: &T) -> &[T] {
    crate::intrinsics::slice_of_one(s)
}

/// What a slice of sequences is put together to.
pub trait Concat<Item: ?Sized> {
    type Output;
    fn concat(slice: &Self) -> Self::Output;
}

/// What a slice of sequences is put together to, with something between them.
pub trait Join<Separator> {
    type Output;
    fn join(slice: &Self, sep: Separator) -> Self::Output;
}
