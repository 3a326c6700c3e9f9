//! Characters, bytes, lines and words of a string.

use super::{
    Bytes, CharIndices, Chars, Lines, SplitAsciiWhitespace, SplitWhitespace, char_at, char_before, part,
};
use crate::iter::{DoubleEndedIterator, ExactSizeIterator, FusedIterator, Iterator};

impl<'a> Chars<'a> {
    pub fn as_str(&self) -> &'a str {
        part(self.text, self.front, self.back)
    }
}

impl<'a> Iterator for Chars<'a> {
    type Item = char;
    fn next(&mut self) -> Option<char> {
        if self.front < self.back {
            let (c, after) = char_at(self.text.as_bytes(), self.front);
            self.front = after;
            Some(c)
        } else {
            None
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.back.wrapping_sub(self.front);
        (len / 4 + if len % 4 > 0 { 1 } else { 0 }, Some(len))
    }
}

impl<'a> DoubleEndedIterator for Chars<'a> {
    fn next_back(&mut self) -> Option<char> {
        if self.front < self.back {
            let (c, at) = char_before(self.text.as_bytes(), self.back);
            self.back = at;
            Some(c)
        } else {
            None
        }
    }
}

impl<'a> FusedIterator for Chars<'a> {}

impl<'a> CharIndices<'a> {
    pub fn as_str(&self) -> &'a str {
        self.chars.as_str()
    }
    pub fn offset(&self) -> usize {
        self.front_offset
    }
}

impl<'a> Iterator for CharIndices<'a> {
    type Item = (usize, char);
    fn next(&mut self) -> Option<(usize, char)> {
        let at = self.front_offset;
        match self.chars.next() {
            Some(c) => {
                self.front_offset = self.chars.front;
                Some((at, c))
            }
            None => None,
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.chars.size_hint()
    }
}

impl<'a> DoubleEndedIterator for CharIndices<'a> {
    fn next_back(&mut self) -> Option<(usize, char)> {
        match self.chars.next_back() {
            Some(c) => Some((self.chars.back, c)),
            None => None,
        }
    }
}

impl<'a> FusedIterator for CharIndices<'a> {}

impl<'a> Iterator for Bytes<'a> {
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

impl<'a> DoubleEndedIterator for Bytes<'a> {
    fn next_back(&mut self) -> Option<u8> {
        if self.front < self.back {
            self.back = self.back.wrapping_sub(1);
            Some(self.bytes[self.back])
        } else {
            None
        }
    }
}

impl<'a> ExactSizeIterator for Bytes<'a> {}
impl<'a> FusedIterator for Bytes<'a> {}

/// A line without its end, which is `\n` or `\r\n`; a lone `\r` stays.
fn without_line_end(text: &str, from: usize, to: usize) -> &str {
    let bytes = text.as_bytes();
    if from < to && bytes[to.wrapping_sub(1)] == b'\n' {
        let end = to.wrapping_sub(1);
        if from < end && bytes[end.wrapping_sub(1)] == b'\r' {
            return part(text, from, end.wrapping_sub(1));
        }
        return part(text, from, end);
    }
    part(text, from, to)
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a str;
    fn next(&mut self) -> Option<&'a str> {
        if self.from >= self.to {
            return None;
        }
        let bytes = self.text.as_bytes();
        let from = self.from;
        let mut at = from;
        while at < self.to {
            let byte = bytes[at];
            at = at.wrapping_add(1);
            if byte == b'\n' {
                break;
            }
        }
        self.from = at;
        Some(without_line_end(self.text, from, at))
    }
}

impl<'a> DoubleEndedIterator for Lines<'a> {
    fn next_back(&mut self) -> Option<&'a str> {
        if self.from >= self.to {
            return None;
        }
        let bytes = self.text.as_bytes();
        let to = self.to;
        let mut at = to.wrapping_sub(1);
        while at > self.from && bytes[at.wrapping_sub(1)] != b'\n' {
            at = at.wrapping_sub(1);
        }
        self.to = at;
        Some(without_line_end(self.text, at, to))
    }
}

impl<'a> FusedIterator for Lines<'a> {}

impl<'a> Iterator for SplitWhitespace<'a> {
    type Item = &'a str;
    fn next(&mut self) -> Option<&'a str> {
        let bytes = self.text.as_bytes();
        while self.from < self.to {
            let (c, after) = char_at(bytes, self.from);
            if !c.is_whitespace() {
                break;
            }
            self.from = after;
        }
        if self.from >= self.to {
            return None;
        }
        let from = self.from;
        while self.from < self.to {
            let (c, after) = char_at(bytes, self.from);
            if c.is_whitespace() {
                break;
            }
            self.from = after;
        }
        Some(part(self.text, from, self.from))
    }
}

impl<'a> DoubleEndedIterator for SplitWhitespace<'a> {
    fn next_back(&mut self) -> Option<&'a str> {
        let bytes = self.text.as_bytes();
        while self.from < self.to {
            let (c, at) = char_before(bytes, self.to);
            if !c.is_whitespace() {
                break;
            }
            self.to = at;
        }
        if self.from >= self.to {
            return None;
        }
        let to = self.to;
        while self.from < self.to {
            let (c, at) = char_before(bytes, self.to);
            if c.is_whitespace() {
                break;
            }
            self.to = at;
        }
        Some(part(self.text, self.to, to))
    }
}

impl<'a> FusedIterator for SplitWhitespace<'a> {}

impl<'a> Iterator for SplitAsciiWhitespace<'a> {
    type Item = &'a str;
    fn next(&mut self) -> Option<&'a str> {
        let bytes = self.text.as_bytes();
        let len = bytes.len();
        while !self.finished {
            let from = self.from;
            let mut to = from;
            while to < len && !bytes[to].is_ascii_whitespace() {
                to = to.wrapping_add(1);
            }
            if to < len {
                self.from = to.wrapping_add(1);
            } else {
                self.finished = true;
            }
            if from < to {
                return Some(part(self.text, from, to));
            }
        }
        None
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        if self.finished {
            return (0, Some(0));
        }
        (0, Some(self.text.len().wrapping_sub(self.from).wrapping_add(1)))
    }
}
