//! Bytes cut into what is UTF-8 and what is not.

use super::{Utf8Chunk, Utf8Chunks, decode};
use crate::inherent::slices::SliceTextMethods;
use crate::intrinsics::{str_of_bytes, subslice};
use crate::iter::{FusedIterator, Iterator};

impl SliceTextMethods for [u8] {
    fn to_ascii_uppercase(&self) -> Vec<u8> {
        let mut bytes = self.to_vec();
        bytes.as_mut_slice().make_ascii_uppercase();
        bytes
    }
    fn to_ascii_lowercase(&self) -> Vec<u8> {
        let mut bytes = self.to_vec();
        bytes.as_mut_slice().make_ascii_lowercase();
        bytes
    }
    fn utf8_chunks(&self) -> Utf8Chunks<'_> {
        Utf8Chunks { source: self }
    }
}

impl<'a> Utf8Chunk<'a> {
    pub fn valid(&self) -> &'a str {
        self.valid
    }
    pub fn invalid(&self) -> &'a [u8] {
        self.invalid
    }
}

impl<'a> Iterator for Utf8Chunks<'a> {
    type Item = Utf8Chunk<'a>;
    fn next(&mut self) -> Option<Utf8Chunk<'a>> {
        let source = self.source;
        let len = source.len();
        if len == 0 {
            return None;
        }
        let (valid, end) = match decode::check(source) {
            Ok(()) => (len, len),
            Err(error) => match error.error_len() {
                Some(invalid) => (error.valid_up_to(), error.valid_up_to().wrapping_add(invalid)),
                None => (error.valid_up_to(), len),
            },
        };
        self.source = subslice(source, end, len);
        Some(Utf8Chunk {
            valid: str_of_bytes(subslice(source, 0, valid)),
            invalid: subslice(source, valid, end),
        })
    }
}

impl<'a> FusedIterator for Utf8Chunks<'a> {}
