//! Searching from the end only, old names of trimming, UTF-16.

use super::pattern::Pattern;
use super::split::{Search, Trailing};
use super::{
    Chars, EncodeUtf16, RMatchIndices, RMatches, RSplitTerminator, SplitTerminator, char_before, part,
};
use crate::inherent::text::StrBackMethods;
use crate::iter::{DoubleEndedIterator, Iterator};

impl StrBackMethods for str {
    fn rmatches<P: Pattern>(&self, pat: P) -> RMatches<'_, P> {
        RMatches { indices: RMatchIndices { text: self, pattern: pat, next_back: Some(self.len()) } }
    }
    fn rmatch_indices<P: Pattern>(&self, pat: P) -> RMatchIndices<'_, P> {
        RMatchIndices { text: self, pattern: pat, next_back: Some(self.len()) }
    }
    fn rsplit_terminator<P: Pattern>(&self, pat: P) -> RSplitTerminator<'_, P> {
        RSplitTerminator { split: SplitTerminator { search: Search::new(self, pat, Trailing::Dropped) } }
    }
    fn trim_left(&self) -> &str {
        self.trim_start()
    }
    fn trim_right(&self) -> &str {
        self.trim_end()
    }
    fn trim_left_matches<P: Pattern>(&self, pat: P) -> &str {
        crate::inherent::StrMethods::trim_start_matches(self, pat)
    }
    fn trim_right_matches<P: Pattern>(&self, pat: P) -> &str {
        crate::inherent::StrMethods::trim_end_matches(self, pat)
    }
    fn encode_utf16(&self) -> EncodeUtf16<'_> {
        EncodeUtf16 { chars: Chars { text: self, front: 0, back: self.len() }, second: 0 }
    }
}

impl<'a, P: Pattern> Iterator for RMatchIndices<'a, P> {
    type Item = (usize, &'a str);
    fn next(&mut self) -> Option<(usize, &'a str)> {
        match self.next_back {
            Some(to) => match self.pattern.rfind_within(self.text, 0, to) {
                Some((start, end)) => {
                    self.next_back = if start < end {
                        Some(start)
                    } else if start == 0 {
                        None
                    } else {
                        Some(char_before(self.text.as_bytes(), start).1)
                    };
                    Some((start, part(self.text, start, end)))
                }
                None => {
                    self.next_back = None;
                    None
                }
            },
            None => None,
        }
    }
}

impl<'a, P: Pattern> Iterator for RMatches<'a, P> {
    type Item = &'a str;
    fn next(&mut self) -> Option<&'a str> {
        match self.indices.next() {
            Some((_, found)) => Some(found),
            None => None,
        }
    }
}

impl<'a, P: Pattern> Iterator for RSplitTerminator<'a, P> {
    type Item = &'a str;
    fn next(&mut self) -> Option<&'a str> {
        self.split.next_back()
    }
}

impl<'a> Iterator for EncodeUtf16<'a> {
    type Item = u16;
    fn next(&mut self) -> Option<u16> {
        if self.second != 0 {
            let second = self.second;
            self.second = 0;
            return Some(second);
        }
        match self.chars.next() {
            Some(c) => {
                let code = c as u32;
                if code < 0x10000 {
                    Some(code as u16)
                } else {
                    let above = code.wrapping_sub(0x10000);
                    self.second = 0xDC00 | (above & 0x3FF) as u16;
                    Some(0xD800 | above.wrapping_shr(10) as u16)
                }
            }
            None => None,
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.chars.back.wrapping_sub(self.chars.front);
        // A unit takes one to three bytes; of four bytes there are two units.
        let least = len / 3 + if len % 3 > 0 { 1 } else { 0 };
        let left: usize = if self.second == 0 { 0 } else { 1 };
        (least.wrapping_add(left), Some(len.wrapping_add(left)))
    }
}
