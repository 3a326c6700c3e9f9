//! Ranges of integers and characters as iterators.
//!
//! Written out per type rather than over a `Step` trait: a step then costs no calls but one comparison.

use std::ops::{Range, RangeFrom};

use super::*;
use crate::ops::RangeInclusive;

macro_rules! int_ranges {
    ($($ty:ident $unsigned:ident;)*) => {$(
        impl Iterator for Range<$ty> {
            type Item = $ty;
            fn next(&mut self) -> Option<$ty> {
                if self.start < self.end {
                    let item = self.start;
                    self.start = item.wrapping_add(1);
                    Some(item)
                } else {
                    None
                }
            }
            fn size_hint(&self) -> (usize, Option<usize>) {
                if self.start < self.end {
                    count_of(self.end.wrapping_sub(self.start) as $unsigned as u128)
                } else {
                    (0, Some(0))
                }
            }
            fn nth(&mut self, n: usize) -> Option<$ty> {
                if self.start < self.end
                    && (n as u128) < self.end.wrapping_sub(self.start) as $unsigned as u128
                {
                    let item = self.start.wrapping_add(n as $ty);
                    self.start = item.wrapping_add(1);
                    return Some(item);
                }
                self.start = self.end;
                None
            }
        }

        impl DoubleEndedIterator for Range<$ty> {
            fn next_back(&mut self) -> Option<$ty> {
                if self.start < self.end {
                    self.end = self.end.wrapping_sub(1);
                    Some(self.end)
                } else {
                    None
                }
            }
            fn nth_back(&mut self, n: usize) -> Option<$ty> {
                if self.start < self.end
                    && (n as u128) < self.end.wrapping_sub(self.start) as $unsigned as u128
                {
                    self.end = self.end.wrapping_sub(n as $ty).wrapping_sub(1);
                    return Some(self.end);
                }
                self.end = self.start;
                None
            }
        }

        impl ExactSizeIterator for Range<$ty> {}

        impl Iterator for RangeInclusive<$ty> {
            type Item = $ty;
            fn next(&mut self) -> Option<$ty> {
                if self.exhausted || self.start > self.end {
                    return None;
                }
                let item = self.start;
                if item < self.end {
                    self.start = item.wrapping_add(1);
                } else {
                    self.exhausted = true;
                }
                Some(item)
            }
            fn size_hint(&self) -> (usize, Option<usize>) {
                if self.exhausted || self.start > self.end {
                    return (0, Some(0));
                }
                let between = self.end.wrapping_sub(self.start) as $unsigned as u128;
                match between.checked_add(1) {
                    Some(count) => count_of(count),
                    None => (usize::MAX, None),
                }
            }
        }

        impl DoubleEndedIterator for RangeInclusive<$ty> {
            fn next_back(&mut self) -> Option<$ty> {
                if self.exhausted || self.start > self.end {
                    return None;
                }
                let item = self.end;
                if self.start < item {
                    self.end = item.wrapping_sub(1);
                } else {
                    self.exhausted = true;
                }
                Some(item)
            }
        }

        impl ExactSizeIterator for RangeInclusive<$ty> {}

        impl Iterator for RangeFrom<$ty> {
            type Item = $ty;
            fn next(&mut self) -> Option<$ty> {
                let item = self.start;
                self.start = item + 1;
                Some(item)
            }
            fn size_hint(&self) -> (usize, Option<usize>) {
                (usize::MAX, None)
            }
        }
    )*};
}

/// The size hint for an exact count, which may exceed `usize`.
fn count_of(count: u128) -> (usize, Option<usize>) {
    if count > usize::MAX as u128 { (usize::MAX, None) } else { (count as usize, Some(count as usize)) }
}

int_ranges! {
    i8 u8;
    i16 u16;
    i32 u32;
    i64 u64;
    i128 u128;
    isize usize;
    u8 u8;
    u16 u16;
    u32 u32;
    u64 u64;
    u128 u128;
    usize usize;
}

/// The next character, over the gap of the surrogates. Not to be asked of `char::MAX`.
fn char_after(c: char) -> char {
    let code = c as u32;
    crate::intrinsics::char_of(if code == 0xD7FF { 0xE000 } else { code.wrapping_add(1) })
}

/// The character before, over the gap of the surrogates. Not to be asked of `'\0'`.
fn char_before(c: char) -> char {
    let code = c as u32;
    crate::intrinsics::char_of(if code == 0xE000 { 0xD7FF } else { code.wrapping_sub(1) })
}

/// How many steps lead from `start` to `end`, if it does not lie before.
fn chars_between(start: char, end: char) -> usize {
    let (start, end) = (start as u32, end as u32);
    if start > end {
        return 0;
    }
    let distance = end.wrapping_sub(start) as usize;
    if start < 0xD800 && end >= 0xE000 { distance.wrapping_sub(0x800) } else { distance }
}

impl Iterator for Range<char> {
    type Item = char;
    fn next(&mut self) -> Option<char> {
        if self.start < self.end {
            let item = self.start;
            self.start = char_after(item);
            Some(item)
        } else {
            None
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = chars_between(self.start, self.end);
        (count, Some(count))
    }
}

impl DoubleEndedIterator for Range<char> {
    fn next_back(&mut self) -> Option<char> {
        if self.start < self.end {
            self.end = char_before(self.end);
            Some(self.end)
        } else {
            None
        }
    }
}

impl Iterator for RangeInclusive<char> {
    type Item = char;
    fn next(&mut self) -> Option<char> {
        if self.exhausted || self.start > self.end {
            return None;
        }
        let item = self.start;
        if item < self.end {
            self.start = char_after(item);
        } else {
            self.exhausted = true;
        }
        Some(item)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        if self.exhausted || self.start > self.end {
            return (0, Some(0));
        }
        let count = chars_between(self.start, self.end).wrapping_add(1);
        (count, Some(count))
    }
}

impl DoubleEndedIterator for RangeInclusive<char> {
    fn next_back(&mut self) -> Option<char> {
        if self.exhausted || self.start > self.end {
            return None;
        }
        let item = self.end;
        if self.start < item {
            self.end = char_before(item);
        } else {
            self.exhausted = true;
        }
        Some(item)
    }
}
