//! `std::ascii`: bytes as escapes of source text.

use crate::fmt::{Display, Formatter, Result};
use crate::inherent::text::ByteEscapeMethods;
use crate::intrinsics;
use crate::iter::{DoubleEndedIterator, ExactSizeIterator, FusedIterator, Iterator};

/// Yields what is left of up to four bytes.
#[derive(Clone)]
pub struct EscapeDefault {
    bytes: [u8; 4],
    front: usize,
    back: usize,
}

pub(crate) fn hex_digit(digit: u8) -> u8 {
    b"0123456789abcdef"[digit as usize]
}

pub fn escape_default(c: u8) -> EscapeDefault {
    let letter = match c {
        b'\t' => b't',
        b'\r' => b'r',
        b'\n' => b'n',
        b'\\' | b'\'' | b'"' => c,
        b' '..=b'~' => return EscapeDefault { bytes: [c, 0, 0, 0], front: 0, back: 1 },
        _ => {
            let bytes = [b'\\', b'x', hex_digit(c >> 4), hex_digit(c & 0xf)];
            return EscapeDefault { bytes, front: 0, back: 4 };
        }
    };
    EscapeDefault { bytes: [b'\\', letter, 0, 0], front: 0, back: 2 }
}

impl ByteEscapeMethods for u8 {
    fn escape_ascii(self) -> EscapeDefault {
        escape_default(self)
    }
}

impl Iterator for EscapeDefault {
    type Item = u8;
    fn next(&mut self) -> Option<u8> {
        if self.front < self.back {
            let byte = self.bytes[self.front];
            self.front = self.front.wrapping_add(1);
            Some(byte)
        } else {
            None
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.back.wrapping_sub(self.front);
        (left, Some(left))
    }
}

impl DoubleEndedIterator for EscapeDefault {
    fn next_back(&mut self) -> Option<u8> {
        if self.front < self.back {
            self.back = self.back.wrapping_sub(1);
            Some(self.bytes[self.back])
        } else {
            None
        }
    }
}

impl ExactSizeIterator for EscapeDefault {}
impl FusedIterator for EscapeDefault {}

/// In one piece, whatever the options are.
impl Display for EscapeDefault {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(intrinsics::str_of_bytes(intrinsics::subslice(&self.bytes, self.front, self.back)))
    }
}
