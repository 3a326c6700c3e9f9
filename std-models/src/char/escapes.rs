//! Characters as escapes of source text.

use super::{EscapeDebug, EscapeDefault, EscapeUnicode};
use crate::fmt::{Display, Formatter, Result};
use crate::inherent::text::CharEscapeMethods;
use crate::intrinsics;
use crate::iter::{ExactSizeIterator, FusedIterator, Iterator};

/// What is left of up to ten characters.
#[derive(Clone)]
pub(crate) struct Left {
    chars: [char; 10],
    front: usize,
    back: usize,
}

fn one(c: char) -> Left {
    Left { chars: [c, '\0', '\0', '\0', '\0', '\0', '\0', '\0', '\0', '\0'], front: 0, back: 1 }
}

fn backslash(c: char) -> Left {
    Left { chars: ['\\', c, '\0', '\0', '\0', '\0', '\0', '\0', '\0', '\0'], front: 0, back: 2 }
}

/// `\u{…}` with as few digits as will do, and at least one.
fn unicode(c: char) -> Left {
    let code = c as u32;
    let mut left =
        Left { chars: ['\\', 'u', '{', '\0', '\0', '\0', '\0', '\0', '\0', '\0'], front: 0, back: 3 };
    let mut places: u32 = 4;
    while places < 24 && code >> places != 0 {
        places = places.wrapping_add(4);
    }
    while places > 0 {
        places = places.wrapping_sub(4);
        left.chars[left.back] = crate::ascii::hex_digit((code >> places) as u8 & 0xf) as char;
        left.back = left.back.wrapping_add(1);
    }
    left.chars[left.back] = '}';
    left.back = left.back.wrapping_add(1);
    left
}

impl CharEscapeMethods for char {
    fn escape_unicode(self) -> EscapeUnicode {
        EscapeUnicode { left: unicode(self) }
    }
    fn escape_debug(self) -> EscapeDebug {
        let left = match self {
            '\0' => backslash('0'),
            '\t' => backslash('t'),
            '\r' => backslash('r'),
            '\n' => backslash('n'),
            '\\' | '"' | '\'' => backslash(self),
            ' '..='~' => one(self),
            _ if self.is_ascii() => unicode(self),
            _ if intrinsics::is_shown_as_it_is(self) => one(self),
            _ => unicode(self),
        };
        EscapeDebug { left }
    }
    fn escape_default(self) -> EscapeDefault {
        let left = match self {
            '\t' => backslash('t'),
            '\r' => backslash('r'),
            '\n' => backslash('n'),
            '\\' | '"' | '\'' => backslash(self),
            ' '..='~' => one(self),
            _ => unicode(self),
        };
        EscapeDefault { left }
    }
}

macro_rules! escapes {
    ($($ty:ident)*) => {$(
        impl Iterator for $ty {
            type Item = char;
            fn next(&mut self) -> Option<char> {
                if self.left.front < self.left.back {
                    let c = self.left.chars[self.left.front];
                    self.left.front = self.left.front.wrapping_add(1);
                    Some(c)
                } else {
                    None
                }
            }
            fn size_hint(&self) -> (usize, Option<usize>) {
                let left = self.left.back.wrapping_sub(self.left.front);
                (left, Some(left))
            }
        }
        impl ExactSizeIterator for $ty {}
        impl FusedIterator for $ty {}
        /// In one piece, whatever the options are.
        impl Display for $ty {
            fn fmt(&self, f: &mut Formatter<'_>) -> Result {
                let mut text = String::new();
                let mut at = self.left.front;
                while at < self.left.back {
                    text.push(self.left.chars[at]);
                    at = at.wrapping_add(1);
                }
                f.write_str(text.as_str())
            }
        }
    )*};
}

escapes!(EscapeUnicode EscapeDebug EscapeDefault);
