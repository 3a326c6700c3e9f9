//! `std::string`, upon what the executor does itself: `String::{new, as_str, push_str}`.
//!
//! Limits: as for `Vec`, memory is taken to be unlimited and capacity is not kept.

mod edit;

use crate::borrow::{Borrow, ToOwned};
use crate::convert::{AsRef, From};
use crate::fmt::{Display, Formatter};
use crate::inherent::StringMethods;
use crate::intrinsics;
use crate::ops::{Add, AddAssign, Deref, Index};
use crate::slice::SliceIndex;
use crate::str::{FromStr, Utf8Error, char_at, char_before, encode, part};
use crate::vec::check_capacity;

pub trait ToString {
    fn to_string(&self) -> String;
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FromUtf8Error {
    pub(crate) bytes: Vec<u8>,
    pub(crate) error: Utf8Error,
}

impl FromUtf8Error {
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.as_slice()
    }
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
    pub fn utf8_error(&self) -> Utf8Error {
        self.error
    }
}

/// Yields what was taken out of a string; unlike in std it is out at once, which only shows if the iterator is leaked.
pub struct Drain<'a> {
    pub(crate) taken: String,
    pub(crate) front: usize,
    pub(crate) back: usize,
    pub(crate) marker: std::marker::PhantomData<&'a mut String>,
}

pub(crate) fn owned(text: &str) -> String {
    let mut copy = String::new();
    copy.push_str(text);
    copy
}

impl StringMethods for String {
    fn with_capacity(capacity: usize) -> String {
        check_capacity::<u8>(capacity);
        String::new()
    }
    fn capacity(&self) -> usize {
        intrinsics::unmodelled("String::capacity")
    }
    fn reserve(&mut self, additional: usize) {
        crate::vec::check_more::<u8>(self.as_str().len(), additional)
    }
    fn shrink_to_fit(&mut self) {}
    fn len(&self) -> usize {
        self.as_str().len()
    }
    fn is_empty(&self) -> bool {
        self.as_str().len() == 0
    }
    fn as_bytes(&self) -> &[u8] {
        self.as_str().as_bytes()
    }
    fn into_bytes(self) -> Vec<u8> {
        self.as_str().as_bytes().to_vec()
    }
    fn from_utf8(vec: Vec<u8>) -> Result<String, FromUtf8Error> {
        match crate::str::from_utf8(vec.as_slice()) {
            Ok(text) => Ok(owned(text)),
            Err(error) => Err(FromUtf8Error { bytes: vec, error }),
        }
    }
    fn from_utf8_unchecked(bytes: Vec<u8>) -> String {
        owned(intrinsics::str_of_bytes(bytes.as_slice()))
    }
    fn push(&mut self, ch: char) {
        let (bytes, len) = encode(ch);
        self.push_str(intrinsics::str_of_bytes(intrinsics::subslice(&bytes, 0, len)));
    }
    fn pop(&mut self) -> Option<char> {
        let text = self.as_str();
        let len = text.len();
        if len == 0 {
            return None;
        }
        let (c, at) = char_before(text.as_bytes(), len);
        *self = owned(part(text, 0, at));
        Some(c)
    }
    fn clear(&mut self) {
        *self = String::new();
    }
    fn truncate(&mut self, new_len: usize) {
        let text = self.as_str();
        if new_len <= text.len() {
            if !text.is_char_boundary(new_len) {
                panic!("assertion failed: self.is_char_boundary(new_len)");
            }
            *self = owned(part(text, 0, new_len));
        }
    }
    fn remove(&mut self, idx: usize) -> char {
        let text = self.as_str();
        let len = text.len();
        if !text.is_char_boundary(idx) {
            panic!("byte index is not a char boundary or out of bounds of the string");
        }
        if idx == len {
            panic!("cannot remove a char from the end of a string");
        }
        let (c, after) = char_at(text.as_bytes(), idx);
        let mut rest = owned(part(text, 0, idx));
        rest.push_str(part(text, after, len));
        *self = rest;
        c
    }
    fn insert(&mut self, idx: usize, ch: char) {
        let text = self.as_str();
        if !text.is_char_boundary(idx) {
            panic!("assertion failed: self.is_char_boundary(idx)");
        }
        let mut whole = owned(part(text, 0, idx));
        whole.push(ch);
        whole.push_str(part(text, idx, text.len()));
        *self = whole;
    }
    fn insert_str(&mut self, idx: usize, string: &str) {
        let text = self.as_str();
        if !text.is_char_boundary(idx) {
            panic!("assertion failed: self.is_char_boundary(idx)");
        }
        let mut whole = owned(part(text, 0, idx));
        whole.push_str(string);
        whole.push_str(part(text, idx, text.len()));
        *self = whole;
    }
    fn split_off(&mut self, at: usize) -> String {
        let text = self.as_str();
        if !text.is_char_boundary(at) {
            panic!("assertion failed: self.is_char_boundary(at)");
        }
        let behind = owned(part(text, at, text.len()));
        *self = owned(part(text, 0, at));
        behind
    }
    fn retain<F: FnMut(char) -> bool>(&mut self, f: F) {
        let mut f = f;
        let text = self.as_str();
        let bytes = text.as_bytes();
        let mut kept = String::new();
        let mut at: usize = 0;
        while at < bytes.len() {
            let (c, after) = char_at(bytes, at);
            if f(c) {
                kept.push_str(part(text, at, after));
            }
            at = after;
        }
        *self = kept;
    }
}

impl Deref for String {
    type Target = str;
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl<I: SliceIndex<str>> Index<I> for String {
    type Output = I::Output;
    fn index(&self, index: I) -> &I::Output {
        index.index(self.as_str())
    }
}

impl Add<&str> for String {
    type Output = String;
    fn add(self, other: &str) -> String {
        let mut whole = self;
        whole.push_str(other);
        whole
    }
}

impl AddAssign<&str> for String {
    fn add_assign(&mut self, other: &str) {
        self.push_str(other);
    }
}

impl crate::clone::Clone for String {
    fn clone(&self) -> String {
        owned(self.as_str())
    }
}

impl crate::default::Default for String {
    fn default() -> String {
        String::new()
    }
}

impl From<&str> for String {
    fn from(text: &str) -> String {
        owned(text)
    }
}

impl From<&mut str> for String {
    fn from(text: &mut str) -> String {
        owned(text)
    }
}

impl From<&String> for String {
    fn from(text: &String) -> String {
        owned(text.as_str())
    }
}

impl From<char> for String {
    fn from(c: char) -> String {
        let mut text = String::new();
        text.push(c);
        text
    }
}

impl From<String> for Vec<u8> {
    fn from(text: String) -> Vec<u8> {
        text.as_str().as_bytes().to_vec()
    }
}

impl FromStr for String {
    type Err = std::convert::Infallible;
    fn from_str(s: &str) -> Result<String, std::convert::Infallible> {
        Ok(owned(s))
    }
}

impl AsRef<str> for String {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<[u8]> for String {
    fn as_ref(&self) -> &[u8] {
        self.as_str().as_bytes()
    }
}

impl Borrow<str> for String {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl ToOwned for str {
    type Owned = String;
    fn to_owned(&self) -> String {
        owned(self)
    }
}

macro_rules! eq_with_string {
    ($($a:ty, $b:ty: |$left:ident, $right:ident| $eq:expr;)*) => {$(
        impl crate::cmp::PartialEq<$b> for $a {
            fn eq(&self, other: &$b) -> bool {
                let ($left, $right) = (self, other);
                $eq
            }
        }
    )*};
}

eq_with_string! {
    String, String: |left, right| *left.as_str() == *right.as_str();
    String, str: |left, right| *left.as_str() == *right;
    String, &str: |left, right| *left.as_str() == **right;
    str, String: |left, right| *left == *right.as_str();
    &str, String: |left, right| **left == *right.as_str();
}

impl crate::cmp::Eq for String {}

impl crate::cmp::PartialOrd for String {
    fn partial_cmp(&self, other: &String) -> Option<std::cmp::Ordering> {
        Some(std::cmp::Ord::cmp(self.as_str(), other.as_str()))
    }
}

impl crate::cmp::Ord for String {
    fn cmp(&self, other: &String) -> std::cmp::Ordering {
        std::cmp::Ord::cmp(self.as_str(), other.as_str())
    }
}

impl<T: Display + ?Sized> ToString for T {
    fn to_string(&self) -> String {
        let mut text = String::new();
        match self.fmt(&mut Formatter::plain(&mut text)) {
            Ok(()) => text,
            Err(_) => panic!("a Display implementation returned an error unexpectedly: Error"),
        }
    }
}
