//! Indexing of slices and strings by positions and ranges.

use std::ops::{Range, RangeFrom, RangeFull, RangeTo, RangeToInclusive};

use super::SliceIndex;
use crate::intrinsics;
use crate::ops::RangeInclusive;

impl<T> SliceIndex<[T]> for usize {
    type Output = T;
    fn get(self, slice: &[T]) -> Option<&T> {
        if self < slice.len() { Some(&slice[self]) } else { None }
    }
    fn get_mut(self, slice: &mut [T]) -> Option<&mut T> {
        if self < slice.len() { Some(&mut slice[self]) } else { None }
    }
    fn index(self, slice: &[T]) -> &T {
        &slice[self]
    }
    fn index_mut(self, slice: &mut [T]) -> &mut T {
        &mut slice[self]
    }
}

/// What a range selects of a slice of that length, as half-open positions not yet checked against each other;
/// `None` if an inclusive end has no successor.
trait Bounds {
    fn bounds(self, len: usize) -> Option<(usize, usize)>;
}

impl Bounds for Range<usize> {
    fn bounds(self, _len: usize) -> Option<(usize, usize)> {
        Some((self.start, self.end))
    }
}

impl Bounds for RangeTo<usize> {
    fn bounds(self, _len: usize) -> Option<(usize, usize)> {
        Some((0, self.end))
    }
}

impl Bounds for RangeFrom<usize> {
    fn bounds(self, len: usize) -> Option<(usize, usize)> {
        Some((self.start, len))
    }
}

impl Bounds for RangeFull {
    fn bounds(self, len: usize) -> Option<(usize, usize)> {
        Some((0, len))
    }
}

impl Bounds for RangeInclusive<usize> {
    fn bounds(self, _len: usize) -> Option<(usize, usize)> {
        if self.end == usize::MAX {
            return None;
        }
        let end = self.end.wrapping_add(1);
        Some((if self.exhausted { end } else { self.start }, end))
    }
}

impl Bounds for RangeToInclusive<usize> {
    fn bounds(self, _len: usize) -> Option<(usize, usize)> {
        if self.end == usize::MAX { None } else { Some((0, self.end.wrapping_add(1))) }
    }
}

/// Checks bounds like slice indexing does, with its panics.
fn checked(bounds: Option<(usize, usize)>, len: usize) -> (usize, usize) {
    match bounds {
        None => panic!("range end index out of range for slice of length"),
        Some((start, end)) => {
            // Which of the two is named where both apply differs between versions of std; the kind is the same.
            if start > end {
                panic!("slice index starts at a position after its end");
            }
            if end > len {
                panic!("range end index out of range for slice of length");
            }
            (start, end)
        }
    }
}

/// Positions of a `str` must lie within it and on the borders of characters.
fn on_borders(text: &str, start: usize, end: usize) -> bool {
    start <= end && text.is_char_boundary(start) && text.is_char_boundary(end)
}

/// `text[start..end]`, on borders of characters that the caller knows.
fn part_mut(text: &mut str, start: usize, end: usize) -> &mut str {
    let bytes = unsafe { text.as_bytes_mut() };
    intrinsics::str_of_bytes_mut(intrinsics::subslice_mut(bytes, start, end))
}

macro_rules! range_index {
    ($($range:ty)*) => {$(
        impl<T> SliceIndex<[T]> for $range {
            type Output = [T];
            fn get(self, slice: &[T]) -> Option<&[T]> {
                match self.bounds(slice.len()) {
                    Some((start, end)) if start <= end && end <= slice.len() => {
                        Some(intrinsics::subslice(slice, start, end))
                    }
                    _ => None,
                }
            }
            fn get_mut(self, slice: &mut [T]) -> Option<&mut [T]> {
                match self.bounds(slice.len()) {
                    Some((start, end)) if start <= end && end <= slice.len() => {
                        Some(intrinsics::subslice_mut(slice, start, end))
                    }
                    _ => None,
                }
            }
            fn index(self, slice: &[T]) -> &[T] {
                let len = slice.len();
                let (start, end) = checked(self.bounds(len), len);
                intrinsics::subslice(slice, start, end)
            }
            fn index_mut(self, slice: &mut [T]) -> &mut [T] {
                let len = slice.len();
                let (start, end) = checked(self.bounds(len), len);
                intrinsics::subslice_mut(slice, start, end)
            }
        }

        impl SliceIndex<str> for $range {
            type Output = str;
            fn get(self, text: &str) -> Option<&str> {
                match self.bounds(text.len()) {
                    Some((start, end)) if on_borders(text, start, end) => {
                        Some(intrinsics::str_of_bytes(intrinsics::subslice(text.as_bytes(), start, end)))
                    }
                    _ => None,
                }
            }
            fn get_mut(self, text: &mut str) -> Option<&mut str> {
                match self.bounds(text.len()) {
                    Some((start, end)) if on_borders(text, start, end) => Some(part_mut(text, start, end)),
                    _ => None,
                }
            }
            fn index(self, text: &str) -> &str {
                match self.bounds(text.len()) {
                    Some((start, end)) if on_borders(text, start, end) => {
                        intrinsics::str_of_bytes(intrinsics::subslice(text.as_bytes(), start, end))
                    }
                    Some(_) => panic!("byte index is not a char boundary or out of bounds of the string"),
                    None => panic!("attempted to index str up to maximum usize"),
                }
            }
            fn index_mut(self, text: &mut str) -> &mut str {
                match self.bounds(text.len()) {
                    Some((start, end)) if on_borders(text, start, end) => part_mut(text, start, end),
                    Some(_) => panic!("byte index is not a char boundary or out of bounds of the string"),
                    None => panic!("attempted to index str up to maximum usize"),
                }
            }
        }
    )*};
}

range_index!(Range<usize> RangeTo<usize> RangeFrom<usize> RangeFull RangeInclusive<usize> RangeToInclusive<usize>);
