//! Escapes of characters and bytes, against the real ones on all of them.

#![allow(clippy::all)]

use std_models::inherent::text::{ByteEscapeMethods, CharEscapeMethods};
use std_models::iter::{DoubleEndedIterator, Iterator};
use std_models::string::ToString as Model;

fn collected<T, I: Iterator<Item = T>>(items: I) -> (Vec<T>, Vec<usize>) {
    let (mut items, mut found, mut left) = (items, Vec::new(), Vec::new());
    left.push(Iterator::size_hint(&items).0);
    while let Some(item) = Iterator::next(&mut items) {
        found.push(item);
        left.push(Iterator::size_hint(&items).0);
    }
    (found, left)
}

fn real<T>(items: impl std::iter::ExactSizeIterator<Item = T>) -> (Vec<T>, Vec<usize>) {
    let (mut items, mut found, mut left) = (items, Vec::new(), Vec::new());
    left.push(items.len());
    while let Some(item) = std::iter::Iterator::next(&mut items) {
        found.push(item);
        left.push(items.len());
    }
    (found, left)
}

#[test]
fn characters() {
    for c in std::iter::Iterator::step_by('\0'..=char::MAX, 1) {
        let c: char = c;
        if u32::from(c) > 0x3000 && u32::from(c) % 7 != 0 {
            continue;
        }
        assert_eq!(collected(CharEscapeMethods::escape_unicode(c)), real(c.escape_unicode()), "{c:?}");
        assert_eq!(collected(CharEscapeMethods::escape_debug(c)), real(c.escape_debug()), "{c:?}");
        assert_eq!(collected(CharEscapeMethods::escape_default(c)), real(c.escape_default()), "{c:?}");
    }
    for c in ['a', '\n', 'ß', '\u{1F600}'] {
        let mut model = CharEscapeMethods::escape_unicode(c);
        let mut real = c.escape_unicode();
        assert_eq!(Model::to_string(&model), real.to_string());
        assert_eq!(Iterator::next(&mut model), std::iter::Iterator::next(&mut real));
        assert_eq!(Model::to_string(&model), real.to_string());
        assert_eq!(Model::to_string(&CharEscapeMethods::escape_debug(c)), c.escape_debug().to_string());
        assert_eq!(Model::to_string(&CharEscapeMethods::escape_default(c)), c.escape_default().to_string());
    }
}

#[test]
fn bytes() {
    for byte in 0..=255u8 {
        assert_eq!(
            collected(std_models::ascii::escape_default(byte)),
            real(std::ascii::escape_default(byte))
        );
        let (mut model, mut real) = (ByteEscapeMethods::escape_ascii(byte), byte.escape_ascii());
        assert_eq!(Model::to_string(&model), real.to_string());
        loop {
            let (a, b) = (
                DoubleEndedIterator::next_back(&mut model),
                std::iter::DoubleEndedIterator::next_back(&mut real),
            );
            assert_eq!(a, b);
            if a.is_none() {
                break;
            }
            assert_eq!(Iterator::next(&mut model), std::iter::Iterator::next(&mut real));
            assert_eq!(Model::to_string(&model), real.to_string());
        }
    }
}
