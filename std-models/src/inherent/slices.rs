//! More methods of slices, vectors and arrays.

use crate::collections::TryReserveError;
use crate::iter::IntoIterator;
use crate::ops::RangeBounds;
use crate::slice::{ChunkBy, ChunksExactMut, RSplit, RSplitN, SlicePattern, SplitInclusive, SplitN};
use crate::str::Utf8Chunks;
use crate::vec::Splice;

/// Methods of `[T]`.
pub trait SlicePartMethods<T> {
    fn rsplit<F: FnMut(&T) -> bool>(&self, pred: F) -> RSplit<'_, T, F>;
    fn splitn<F: FnMut(&T) -> bool>(&self, n: usize, pred: F) -> SplitN<'_, T, F>;
    fn rsplitn<F: FnMut(&T) -> bool>(&self, n: usize, pred: F) -> RSplitN<'_, T, F>;
    fn split_inclusive<F: FnMut(&T) -> bool>(&self, pred: F) -> SplitInclusive<'_, T, F>;
    fn chunk_by<F: FnMut(&T, &T) -> bool>(&self, pred: F) -> ChunkBy<'_, T, F>;
    fn chunks_exact_mut(&mut self, chunk_size: usize) -> ChunksExactMut<'_, T>;
    fn split_at_mut_checked(&mut self, mid: usize) -> Option<(&mut [T], &mut [T])>;
    fn split_last_chunk<const N: usize>(&self) -> Option<(&[T], &[T; N])>;
    fn first_chunk_mut<const N: usize>(&mut self) -> Option<&mut [T; N]>;
    fn last_chunk_mut<const N: usize>(&mut self) -> Option<&mut [T; N]>;
    fn strip_prefix<P: SlicePattern<Item = T> + ?Sized>(&self, prefix: &P) -> Option<&[T]>
    where
        T: PartialEq;
    fn strip_suffix<P: SlicePattern<Item = T> + ?Sized>(&self, suffix: &P) -> Option<&[T]>
    where
        T: PartialEq;
    fn is_sorted_by<'a, F: FnMut(&'a T, &'a T) -> bool>(&'a self, compare: F) -> bool
    where
        T: 'a;
    fn is_sorted_by_key<'a, F: FnMut(&'a T) -> K, K: PartialOrd>(&'a self, f: F) -> bool
    where
        T: 'a;
}

/// Methods of `[u8]`.
pub trait SliceTextMethods {
    fn to_ascii_uppercase(&self) -> Vec<u8>;
    fn to_ascii_lowercase(&self) -> Vec<u8>;
    fn utf8_chunks(&self) -> Utf8Chunks<'_>;
}

/// Methods of `Vec<T>`.
pub trait VecRangeMethods<T>: Sized {
    fn extend_from_within<R: RangeBounds<usize>>(&mut self, src: R)
    where
        T: Clone;
    fn shrink_to(&mut self, min_capacity: usize);
}

/// Methods of `Vec<T>`.
pub trait VecSpliceMethods<T>: Sized {
    fn splice<R: RangeBounds<usize>, I: IntoIterator<Item = T>>(
        &mut self,
        range: R,
        replace_with: I,
    ) -> Splice<'_, I::IntoIter>;
}

/// Methods of `Vec<T>`.
pub trait VecReserveMethods<T>: Sized {
    fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError>;
    fn try_reserve_exact(&mut self, additional: usize) -> Result<(), TryReserveError>;
}

/// Methods of `String`.
pub trait StringReserveMethods: Sized {
    fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError>;
    fn try_reserve_exact(&mut self, additional: usize) -> Result<(), TryReserveError>;
}
