//! `std::str::pattern`: characters, strings, sets of characters and predicates on characters.

use super::{char_at, char_before, encode};

/// Unlike std's, which goes through searchers: where the pattern matches first or last.
pub trait Pattern: Sized {
    /// The first match within `from..to`, as its start and end.
    fn find_within(&mut self, text: &str, from: usize, to: usize) -> Option<(usize, usize)>;
    /// The last match within `from..to`.
    fn rfind_within(&mut self, text: &str, from: usize, to: usize) -> Option<(usize, usize)>;
    /// The end of a match that starts at `from`.
    fn prefix_end(&mut self, text: &str, from: usize) -> Option<usize>;
    /// The start of a match that ends at `to`.
    fn suffix_start(&mut self, text: &str, to: usize) -> Option<usize>;
}

/// Patterns of one character by what they say of it.
macro_rules! char_pattern {
    ([$($generics:tt)*] $ty:ty, |$self:ident, $c:ident| $matches:expr) => {
        impl<$($generics)*> Pattern for $ty {
            fn find_within(&mut $self, text: &str, from: usize, to: usize) -> Option<(usize, usize)> {
                let bytes = text.as_bytes();
                let mut at = from;
                while at < to {
                    let ($c, after) = char_at(bytes, at);
                    if $matches {
                        return Some((at, after));
                    }
                    at = after;
                }
                None
            }
            fn rfind_within(&mut $self, text: &str, from: usize, to: usize) -> Option<(usize, usize)> {
                let bytes = text.as_bytes();
                let mut end = to;
                while end > from {
                    let ($c, at) = char_before(bytes, end);
                    if $matches {
                        return Some((at, end));
                    }
                    end = at;
                }
                None
            }
            fn prefix_end(&mut $self, text: &str, from: usize) -> Option<usize> {
                let bytes = text.as_bytes();
                if from < bytes.len() {
                    let ($c, after) = char_at(bytes, from);
                    if $matches {
                        return Some(after);
                    }
                }
                None
            }
            fn suffix_start(&mut $self, text: &str, to: usize) -> Option<usize> {
                if to > 0 {
                    let ($c, at) = char_before(text.as_bytes(), to);
                    if $matches {
                        return Some(at);
                    }
                }
                None
            }
        }
    };
}

fn is_among(c: char, set: &[char]) -> bool {
    let len = set.len();
    let mut index = 0;
    while index < len {
        if set[index] == c {
            return true;
        }
        index = index.wrapping_add(1);
    }
    false
}

char_pattern!(['b] &'b [char], |self, c| is_among(c, *self));
char_pattern!([const N: usize] [char; N], |self, c| is_among(c, &*self));
char_pattern!(['b, const N: usize] &'b [char; N], |self, c| is_among(c, *self));
char_pattern!([F: FnMut(char) -> bool] F, |self, c| (*self)(c));

/// Whether `needle[..len]` stands in the text at `at`, where `at + len` is within it.
fn stands_at(bytes: &[u8], at: usize, needle: &[u8], len: usize) -> bool {
    let mut index = 0;
    while index < len {
        if bytes[at.wrapping_add(index)] != needle[index] {
            return false;
        }
        index = index.wrapping_add(1);
    }
    true
}

/// Whether a character may start at this byte; an empty pattern matches only there and at the end.
fn is_border(bytes: &[u8], at: usize) -> bool {
    at == bytes.len() || bytes[at] < 0x80 || bytes[at] >= 0xC0
}

fn find_bytes(text: &str, from: usize, to: usize, needle: &[u8], len: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    if len > to {
        return None;
    }
    let mut at = from;
    while at <= to.wrapping_sub(len) {
        if is_border(bytes, at) && stands_at(bytes, at, needle, len) {
            return Some((at, at.wrapping_add(len)));
        }
        at = at.wrapping_add(1);
    }
    None
}

fn rfind_bytes(text: &str, from: usize, to: usize, needle: &[u8], len: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    if from > to || len > to.wrapping_sub(from) {
        return None;
    }
    let mut at = to.wrapping_sub(len);
    loop {
        if is_border(bytes, at) && stands_at(bytes, at, needle, len) {
            return Some((at, at.wrapping_add(len)));
        }
        if at == from {
            return None;
        }
        at = at.wrapping_sub(1);
    }
}

fn prefix_bytes(text: &str, from: usize, needle: &[u8], len: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    if len <= bytes.len().wrapping_sub(from) && stands_at(bytes, from, needle, len) {
        Some(from.wrapping_add(len))
    } else {
        None
    }
}

fn suffix_bytes(text: &str, to: usize, needle: &[u8], len: usize) -> Option<usize> {
    if len <= to && stands_at(text.as_bytes(), to.wrapping_sub(len), needle, len) {
        Some(to.wrapping_sub(len))
    } else {
        None
    }
}

impl Pattern for char {
    fn find_within(&mut self, text: &str, from: usize, to: usize) -> Option<(usize, usize)> {
        let (needle, len) = encode(*self);
        find_bytes(text, from, to, &needle, len)
    }
    fn rfind_within(&mut self, text: &str, from: usize, to: usize) -> Option<(usize, usize)> {
        let (needle, len) = encode(*self);
        rfind_bytes(text, from, to, &needle, len)
    }
    fn prefix_end(&mut self, text: &str, from: usize) -> Option<usize> {
        let (needle, len) = encode(*self);
        prefix_bytes(text, from, &needle, len)
    }
    fn suffix_start(&mut self, text: &str, to: usize) -> Option<usize> {
        let (needle, len) = encode(*self);
        suffix_bytes(text, to, &needle, len)
    }
}

macro_rules! str_pattern {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        impl<$($generics)*> Pattern for $ty {
            fn find_within(&mut self, text: &str, from: usize, to: usize) -> Option<(usize, usize)> {
                let needle = self.as_bytes();
                find_bytes(text, from, to, needle, needle.len())
            }
            fn rfind_within(&mut self, text: &str, from: usize, to: usize) -> Option<(usize, usize)> {
                let needle = self.as_bytes();
                rfind_bytes(text, from, to, needle, needle.len())
            }
            fn prefix_end(&mut self, text: &str, from: usize) -> Option<usize> {
                let needle = self.as_bytes();
                prefix_bytes(text, from, needle, needle.len())
            }
            fn suffix_start(&mut self, text: &str, to: usize) -> Option<usize> {
                let needle = self.as_bytes();
                suffix_bytes(text, to, needle, needle.len())
            }
        }
    )*};
}

str_pattern! {
    ['b] &'b str;
    ['b] &'b String;
    ['b, 'c] &'c &'b str;
}
