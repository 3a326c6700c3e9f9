//! The methods of `str` and parsing of `bool` and `char`.

use super::pattern::Pattern;
use super::split::{Search, Trailing};
use super::*;
use crate::inherent::text::StrMutMethods;
use crate::inherent::unchecked::StrUncheckedMethods;
use crate::inherent::{StrMethods, StrOwnedMethods};
use crate::iter::Iterator;
use crate::slice::SliceIndex;

impl StrMethods for str {
    fn as_ptr(&self) -> *const u8 {
        self as *const str as *const u8
    }
    fn as_mut_ptr(&mut self) -> *mut u8 {
        self as *mut str as *mut u8
    }
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    fn is_char_boundary(&self, index: usize) -> bool {
        if index == 0 {
            return true;
        }
        let bytes = self.as_bytes();
        let len = bytes.len();
        if index >= len { index == len } else { bytes[index] < 0x80 || bytes[index] >= 0xC0 }
    }
    fn chars(&self) -> Chars<'_> {
        Chars { text: self, front: 0, back: self.len() }
    }
    fn char_indices(&self) -> CharIndices<'_> {
        CharIndices { front_offset: 0, chars: Chars { text: self, front: 0, back: self.len() } }
    }
    fn bytes(&self) -> Bytes<'_> {
        Bytes { bytes: self.as_bytes(), front: 0, back: self.len() }
    }
    fn lines(&self) -> Lines<'_> {
        Lines { text: self, from: 0, to: self.len() }
    }
    fn split_whitespace(&self) -> SplitWhitespace<'_> {
        SplitWhitespace { text: self, from: 0, to: self.len() }
    }
    fn split_ascii_whitespace(&self) -> SplitAsciiWhitespace<'_> {
        SplitAsciiWhitespace { text: self, from: 0, finished: false }
    }
    fn get<I: SliceIndex<str>>(&self, i: I) -> Option<&I::Output> {
        i.get(self)
    }
    fn split_at(&self, mid: usize) -> (&str, &str) {
        if !self.is_char_boundary(mid) {
            panic!("failed to slice string");
        }
        (part(self, 0, mid), part(self, mid, self.len()))
    }
    fn split_at_checked(&self, mid: usize) -> Option<(&str, &str)> {
        if self.is_char_boundary(mid) {
            Some((part(self, 0, mid), part(self, mid, self.len())))
        } else {
            None
        }
    }
    fn contains<P: Pattern>(&self, pat: P) -> bool {
        let mut pat = pat;
        match pat.find_within(self, 0, self.len()) {
            Some(_) => true,
            None => false,
        }
    }
    fn starts_with<P: Pattern>(&self, pat: P) -> bool {
        let mut pat = pat;
        match pat.prefix_end(self, 0) {
            Some(_) => true,
            None => false,
        }
    }
    fn ends_with<P: Pattern>(&self, pat: P) -> bool {
        let mut pat = pat;
        match pat.suffix_start(self, self.len()) {
            Some(_) => true,
            None => false,
        }
    }
    fn find<P: Pattern>(&self, pat: P) -> Option<usize> {
        let mut pat = pat;
        match pat.find_within(self, 0, self.len()) {
            Some((start, _)) => Some(start),
            None => None,
        }
    }
    fn rfind<P: Pattern>(&self, pat: P) -> Option<usize> {
        let mut pat = pat;
        match pat.rfind_within(self, 0, self.len()) {
            Some((start, _)) => Some(start),
            None => None,
        }
    }
    fn split<P: Pattern>(&self, pat: P) -> crate::str::Split<'_, P> {
        Split { search: Search::new(self, pat, Trailing::Kept) }
    }
    fn rsplit<P: Pattern>(&self, pat: P) -> RSplit<'_, P> {
        RSplit { search: Search::new(self, pat, Trailing::Kept) }
    }
    fn split_terminator<P: Pattern>(&self, pat: P) -> SplitTerminator<'_, P> {
        SplitTerminator { search: Search::new(self, pat, Trailing::Dropped) }
    }
    fn split_inclusive<P: Pattern>(&self, pat: P) -> SplitInclusive<'_, P> {
        SplitInclusive { search: Search::new(self, pat, Trailing::Dropped) }
    }
    fn splitn<P: Pattern>(&self, n: usize, pat: P) -> SplitN<'_, P> {
        SplitN { search: Search::new(self, pat, Trailing::Kept), left: n }
    }
    fn rsplitn<P: Pattern>(&self, n: usize, pat: P) -> RSplitN<'_, P> {
        RSplitN { search: Search::new(self, pat, Trailing::Kept), left: n }
    }
    fn split_once<P: Pattern>(&self, delimiter: P) -> Option<(&str, &str)> {
        let mut delimiter = delimiter;
        match delimiter.find_within(self, 0, self.len()) {
            Some((start, end)) => Some((part(self, 0, start), part(self, end, self.len()))),
            None => None,
        }
    }
    fn rsplit_once<P: Pattern>(&self, delimiter: P) -> Option<(&str, &str)> {
        let mut delimiter = delimiter;
        match delimiter.rfind_within(self, 0, self.len()) {
            Some((start, end)) => Some((part(self, 0, start), part(self, end, self.len()))),
            None => None,
        }
    }
    fn matches<P: Pattern>(&self, pat: P) -> Matches<'_, P> {
        Matches { indices: MatchIndices { text: self, pattern: pat, next: Some(0) } }
    }
    fn match_indices<P: Pattern>(&self, pat: P) -> MatchIndices<'_, P> {
        MatchIndices { text: self, pattern: pat, next: Some(0) }
    }
    fn trim(&self) -> &str {
        self.trim_start().trim_end()
    }
    fn trim_start(&self) -> &str {
        let bytes = self.as_bytes();
        let len = bytes.len();
        let mut from = 0;
        while from < len {
            let (c, after) = char_at(bytes, from);
            if !c.is_whitespace() {
                break;
            }
            from = after;
        }
        part(self, from, len)
    }
    fn trim_end(&self) -> &str {
        let bytes = self.as_bytes();
        let mut to = bytes.len();
        while to > 0 {
            let (c, at) = char_before(bytes, to);
            if !c.is_whitespace() {
                break;
            }
            to = at;
        }
        part(self, 0, to)
    }
    fn trim_matches<P: Pattern>(&self, pat: P) -> &str {
        let mut pat = pat;
        let mut from = 0;
        while from < self.len() {
            match pat.prefix_end(self, from) {
                Some(end) if end > from => from = end,
                _ => {
                    // What was refused from the front is not asked about from the back.
                    let refused = char_at(self.as_bytes(), from).1;
                    let mut to = self.len();
                    while to > refused {
                        match pat.suffix_start(self, to) {
                            Some(start) if start < to => to = start,
                            _ => break,
                        }
                    }
                    return part(self, from, to);
                }
            }
        }
        part(self, 0, 0)
    }
    fn trim_start_matches<P: Pattern>(&self, pat: P) -> &str {
        let mut pat = pat;
        let len = self.len();
        let mut from = 0;
        while from < len {
            match pat.prefix_end(self, from) {
                Some(end) if end > from => from = end,
                _ => break,
            }
        }
        part(self, from, len)
    }
    fn trim_end_matches<P: Pattern>(&self, pat: P) -> &str {
        let mut pat = pat;
        let mut to = self.len();
        while to > 0 {
            match pat.suffix_start(self, to) {
                Some(start) if start < to => to = start,
                _ => break,
            }
        }
        part(self, 0, to)
    }
    fn strip_prefix<P: Pattern>(&self, prefix: P) -> Option<&str> {
        let mut prefix = prefix;
        match prefix.prefix_end(self, 0) {
            Some(end) => Some(part(self, end, self.len())),
            None => None,
        }
    }
    fn strip_suffix<P: Pattern>(&self, suffix: P) -> Option<&str> {
        let mut suffix = suffix;
        match suffix.suffix_start(self, self.len()) {
            Some(start) => Some(part(self, 0, start)),
            None => None,
        }
    }
    fn parse<F: FromStr>(&self) -> Result<F, F::Err> {
        F::from_str(self)
    }
    fn is_ascii(&self) -> bool {
        self.as_bytes().is_ascii()
    }
    fn eq_ignore_ascii_case(&self, other: &str) -> bool {
        self.as_bytes().eq_ignore_ascii_case(other.as_bytes())
    }
    fn trim_ascii(&self) -> &str {
        crate::intrinsics::str_of_bytes(self.as_bytes().trim_ascii())
    }
    fn trim_ascii_start(&self) -> &str {
        crate::intrinsics::str_of_bytes(self.as_bytes().trim_ascii_start())
    }
    fn trim_ascii_end(&self) -> &str {
        crate::intrinsics::str_of_bytes(self.as_bytes().trim_ascii_end())
    }
}

impl StrUncheckedMethods for str {
    unsafe fn get_unchecked<I: SliceIndex<str>>(&self, i: I) -> &I::Output {
        match i.get(self) {
            Some(part) => part,
            None => {
                crate::intrinsics::unmodelled("undefined behaviour: `str::get_unchecked` of what is no part")
            }
        }
    }
    unsafe fn get_unchecked_mut<I: SliceIndex<str>>(&mut self, i: I) -> &mut I::Output {
        match i.get_mut(self) {
            Some(part) => part,
            None => crate::intrinsics::unmodelled(
                "undefined behaviour: `str::get_unchecked_mut` of what is no part",
            ),
        }
    }
    unsafe fn from_utf8_unchecked(v: &[u8]) -> &str {
        crate::intrinsics::str_of_bytes(v)
    }
    unsafe fn from_utf8_unchecked_mut(v: &mut [u8]) -> &mut str {
        crate::intrinsics::str_of_bytes_mut(v)
    }
    fn from_utf8(v: &[u8]) -> Result<&str, Utf8Error> {
        super::from_utf8(v)
    }
    fn from_utf8_mut(v: &mut [u8]) -> Result<&mut str, Utf8Error> {
        super::from_utf8_mut(v)
    }
}

impl StrMutMethods for str {
    fn get_mut<I: SliceIndex<str>>(&mut self, i: I) -> Option<&mut I::Output> {
        i.get_mut(self)
    }
    fn make_ascii_uppercase(&mut self) {
        // Bytes of other characters than those of ASCII stay.
        let bytes = unsafe { self.as_bytes_mut() };
        bytes.make_ascii_uppercase();
    }
    fn make_ascii_lowercase(&mut self) {
        let bytes = unsafe { self.as_bytes_mut() };
        bytes.make_ascii_lowercase();
    }
}

impl StrOwnedMethods for str {
    fn to_ascii_uppercase(&self) -> String {
        mapped(self, |c| c.to_ascii_uppercase())
    }
    fn to_ascii_lowercase(&self) -> String {
        mapped(self, |c| c.to_ascii_lowercase())
    }
    fn to_uppercase(&self) -> String {
        if !self.is_ascii() {
            return crate::intrinsics::unmodelled("str::to_uppercase beyond ASCII");
        }
        mapped(self, |c| c.to_ascii_uppercase())
    }
    fn to_lowercase(&self) -> String {
        if !self.is_ascii() {
            return crate::intrinsics::unmodelled("str::to_lowercase beyond ASCII");
        }
        mapped(self, |c| c.to_ascii_lowercase())
    }
    fn repeat(&self, n: usize) -> String {
        let mut whole = match self.len().checked_mul(n) {
            Some(capacity) => String::with_capacity(capacity),
            None => panic!("capacity overflow"),
        };
        let mut count: usize = 0;
        while count < n && self.len() > 0 {
            whole.push_str(self);
            count = count.wrapping_add(1);
        }
        whole
    }
    fn replace<P: Pattern>(&self, from: P, to: &str) -> String {
        let mut indices = MatchIndices { text: self, pattern: from, next: Some(0) };
        let mut whole = String::new();
        let mut last: usize = 0;
        while let Some((start, found)) = indices.next() {
            whole.push_str(part(self, last, start));
            whole.push_str(to);
            last = start.wrapping_add(found.len());
        }
        whole.push_str(part(self, last, self.len()));
        whole
    }
    fn replacen<P: Pattern>(&self, pat: P, to: &str, count: usize) -> String {
        let mut indices = MatchIndices { text: self, pattern: pat, next: Some(0) };
        let mut whole = String::new();
        let mut last: usize = 0;
        let mut left = count;
        while left > 0 {
            match indices.next() {
                Some((start, found)) => {
                    whole.push_str(part(self, last, start));
                    whole.push_str(to);
                    last = start.wrapping_add(found.len());
                }
                None => break,
            }
            left = left.wrapping_sub(1);
        }
        whole.push_str(part(self, last, self.len()));
        whole
    }
}

/// Each character replaced by another.
fn mapped<F: FnMut(char) -> char>(text: &str, f: F) -> String {
    let mut f = f;
    let bytes = text.as_bytes();
    let len = bytes.len();
    let mut whole = String::new();
    let mut at: usize = 0;
    while at < len {
        let (c, after) = char_at(bytes, at);
        whole.push(f(c));
        at = after;
    }
    whole
}

impl FromStr for bool {
    type Err = ParseBoolError;
    fn from_str(s: &str) -> Result<bool, ParseBoolError> {
        if s == "true" {
            Ok(true)
        } else if s == "false" {
            Ok(false)
        } else {
            Err(ParseBoolError)
        }
    }
}

impl FromStr for char {
    type Err = crate::char::ParseCharError;
    fn from_str(s: &str) -> Result<char, crate::char::ParseCharError> {
        let len = s.len();
        if len == 0 {
            return Err(crate::char::ParseCharError { kind: crate::char::CharErrorKind::EmptyString });
        }
        let (c, after) = char_at(s.as_bytes(), 0);
        if after == len {
            Ok(c)
        } else {
            Err(crate::char::ParseCharError { kind: crate::char::CharErrorKind::TooManyChars })
        }
    }
}
