//! What changes a range of a string, and conversions of doubtful bytes.

use std::borrow::Cow;

use super::{Drain, owned};
use crate::convert::{AsMut, From};
use crate::inherent::text::StringRangeMethods;
use crate::intrinsics;
use crate::iter::{DoubleEndedIterator, Extend, FromIterator, FusedIterator, IntoIterator, Iterator};
use crate::ops::{DerefMut, IndexMut, RangeBounds};
use crate::slice::SliceIndex;
use crate::str::{char_at, char_before, part};
use crate::vec::bounds_of;

/// The positions a range selects, both on the borders of characters.
fn char_bounds<R: RangeBounds<usize>>(range: &R, text: &str) -> (usize, usize) {
    let (start, end) = bounds_of(range, text.len());
    if !text.is_char_boundary(start) {
        panic!("assertion failed: self.is_char_boundary(start)");
    }
    if !text.is_char_boundary(end) {
        panic!("assertion failed: self.is_char_boundary(end)");
    }
    (start, end)
}

impl StringRangeMethods for String {
    fn reserve_exact(&mut self, additional: usize) {
        crate::vec::check_more::<u8>(self.as_str().len(), additional)
    }
    fn shrink_to(&mut self, _min_capacity: usize) {}
    fn drain<R: RangeBounds<usize>>(&mut self, range: R) -> Drain<'_> {
        let text = self.as_str();
        let (start, end) = char_bounds(&range, text);
        let taken = owned(part(text, start, end));
        let mut rest = owned(part(text, 0, start));
        rest.push_str(part(text, end, text.len()));
        *self = rest;
        let back = taken.as_str().len();
        Drain { taken, front: 0, back, marker: std::marker::PhantomData }
    }
    fn replace_range<R: RangeBounds<usize>>(&mut self, range: R, replace_with: &str) {
        let text = self.as_str();
        let (start, end) = char_bounds(&range, text);
        let mut whole = owned(part(text, 0, start));
        whole.push_str(replace_with);
        whole.push_str(part(text, end, text.len()));
        *self = whole;
    }
    fn from_utf8_lossy(v: &[u8]) -> Cow<'_, str> {
        let mut text = String::new();
        let mut rest = v;
        loop {
            match crate::str::from_utf8(rest) {
                Ok(valid) => {
                    if rest.len() == v.len() {
                        return Cow::Borrowed(valid);
                    }
                    text.push_str(valid);
                    return Cow::Owned(text);
                }
                Err(error) => {
                    let valid = error.valid_up_to();
                    text.push_str(intrinsics::str_of_bytes(intrinsics::subslice(rest, 0, valid)));
                    text.push_str("\u{FFFD}");
                    match error.error_len() {
                        Some(len) => {
                            rest = intrinsics::subslice(rest, valid.wrapping_add(len), rest.len());
                        }
                        None => return Cow::Owned(text),
                    }
                }
            }
        }
    }
}

impl<'a> Drain<'a> {
    pub fn as_str(&self) -> &str {
        part(self.taken.as_str(), self.front, self.back)
    }
}

impl<'a> Iterator for Drain<'a> {
    type Item = char;
    fn next(&mut self) -> Option<char> {
        if self.front < self.back {
            let (c, after) = char_at(self.taken.as_str().as_bytes(), self.front);
            self.front = after;
            Some(c)
        } else {
            None
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.back.wrapping_sub(self.front);
        (left.wrapping_add(3) / 4, Some(left))
    }
}

impl<'a> DoubleEndedIterator for Drain<'a> {
    fn next_back(&mut self) -> Option<char> {
        if self.front < self.back {
            let (c, at) = char_before(self.taken.as_str().as_bytes(), self.back);
            self.back = at;
            Some(c)
        } else {
            None
        }
    }
}

impl<'a> FusedIterator for Drain<'a> {}

impl DerefMut for String {
    fn deref_mut(&mut self) -> &mut str {
        self.as_mut_str()
    }
}

impl<I: SliceIndex<str>> IndexMut<I> for String {
    fn index_mut(&mut self, index: I) -> &mut I::Output {
        index.index_mut(self.as_mut_str())
    }
}

impl AsMut<str> for String {
    fn as_mut(&mut self) -> &mut str {
        self.as_mut_str()
    }
}

impl From<Box<str>> for String {
    fn from(text: Box<str>) -> String {
        owned(&*text)
    }
}

impl<'a> Extend<&'a char> for String {
    fn extend<T: IntoIterator<Item = &'a char>>(&mut self, iter: T) {
        let mut iter = iter.into_iter();
        while let Some(c) = iter.next() {
            self.push(*c);
        }
    }
}

impl Extend<String> for String {
    fn extend<T: IntoIterator<Item = String>>(&mut self, iter: T) {
        let mut iter = iter.into_iter();
        while let Some(part) = iter.next() {
            self.push_str(part.as_str());
        }
    }
}

impl FromIterator<Box<str>> for String {
    fn from_iter<T: IntoIterator<Item = Box<str>>>(iter: T) -> String {
        let mut iter = iter.into_iter();
        let mut text = String::new();
        while let Some(part) = iter.next() {
            text.push_str(&*part);
        }
        text
    }
}
