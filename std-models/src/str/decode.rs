//! UTF-8: a character at a position, the character before it, the bytes of a character, validity.

use super::Utf8Error;
use crate::intrinsics::char_of;

/// The character that starts at `at` and the position after it. `at` is the border of a character and not the end.
pub(crate) fn char_at(bytes: &[u8], at: usize) -> (char, usize) {
    let first = bytes[at];
    if first < 0x80 {
        return (first as char, at.wrapping_add(1));
    }
    let second = (bytes[at.wrapping_add(1)] & 0x3F) as u32;
    if first < 0xE0 {
        return (char_of(((first & 0x1F) as u32).wrapping_shl(6) | second), at.wrapping_add(2));
    }
    let third = (bytes[at.wrapping_add(2)] & 0x3F) as u32;
    if first < 0xF0 {
        let code = ((first & 0x0F) as u32).wrapping_shl(12) | second.wrapping_shl(6) | third;
        return (char_of(code), at.wrapping_add(3));
    }
    let fourth = (bytes[at.wrapping_add(3)] & 0x3F) as u32;
    let code =
        ((first & 0x07) as u32).wrapping_shl(18) | second.wrapping_shl(12) | third.wrapping_shl(6) | fourth;
    (char_of(code), at.wrapping_add(4))
}

/// The character that ends before `at` and its position. `at` is the border of a character and not the start.
pub(crate) fn char_before(bytes: &[u8], at: usize) -> (char, usize) {
    let mut start = at.wrapping_sub(1);
    while bytes[start] >= 0x80 && bytes[start] < 0xC0 {
        start = start.wrapping_sub(1);
    }
    (char_at(bytes, start).0, start)
}

/// The bytes of a character, and how many of the four count.
pub(crate) fn encode(c: char) -> ([u8; 4], usize) {
    let code = c as u32;
    let tail = |shift: u32| (code.wrapping_shr(shift) & 0x3F) as u8 | 0x80;
    if code < 0x80 {
        ([code as u8, 0, 0, 0], 1)
    } else if code < 0x800 {
        ([code.wrapping_shr(6) as u8 | 0xC0, tail(0), 0, 0], 2)
    } else if code < 0x10000 {
        ([code.wrapping_shr(12) as u8 | 0xE0, tail(6), tail(0), 0], 3)
    } else {
        ([code.wrapping_shr(18) as u8 | 0xF0, tail(12), tail(6), tail(0)], 4)
    }
}

fn invalid(valid_up_to: usize, error_len: Option<u8>) -> Result<(), Utf8Error> {
    Err(Utf8Error { valid_up_to, error_len })
}

/// Whether the bytes are UTF-8, with std's account of the first error.
pub(crate) fn check(bytes: &[u8]) -> Result<(), Utf8Error> {
    let len = bytes.len();
    let mut at: usize = 0;
    while at < len {
        let first = bytes[at];
        if first < 0x80 {
            at = at.wrapping_add(1);
            continue;
        }
        // The range of the second byte excludes overlong forms, surrogates and what lies beyond U+10FFFF.
        let (width, low, high): (usize, u8, u8) = if first >= 0xC2 && first <= 0xDF {
            (2, 0x80, 0xBF)
        } else if first == 0xE0 {
            (3, 0xA0, 0xBF)
        } else if first == 0xED {
            (3, 0x80, 0x9F)
        } else if first >= 0xE1 && first <= 0xEF {
            (3, 0x80, 0xBF)
        } else if first == 0xF0 {
            (4, 0x90, 0xBF)
        } else if first >= 0xF1 && first <= 0xF3 {
            (4, 0x80, 0xBF)
        } else if first == 0xF4 {
            (4, 0x80, 0x8F)
        } else {
            return invalid(at, Some(1));
        };
        let mut next: usize = 1;
        while next < width {
            let place = at.wrapping_add(next);
            if place >= len {
                return invalid(at, None);
            }
            let byte = bytes[place];
            let fits = if next == 1 { byte >= low && byte <= high } else { byte >= 0x80 && byte <= 0xBF };
            if !fits {
                return invalid(at, Some(next as u8));
            }
            next = next.wrapping_add(1);
        }
        at = at.wrapping_add(width);
    }
    Ok(())
}
