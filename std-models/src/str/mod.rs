//! `std::str`: strings as their UTF-8 bytes.
//!
//! * `back`: searching from the end only, UTF-16
//! * `chunks`: what is UTF-8 of bytes and what is not
//! * `decode`: characters from bytes and back
//! * `iterators`: `Chars`, `CharIndices`, `Bytes`, `Lines`, `SplitWhitespace`
//! * `pattern`: what can be searched for
//! * `split`: `Split` and its kin, `Matches`, `MatchIndices`
//! * `methods`: the methods of `str`
//!
//! Limits: see [`crate::char`] for Unicode properties; searching is naive (same matches as std's, other cost);
//! formatting is not here.

mod back;
mod chunks;
mod decode;
mod iterators;
mod methods;
pub mod pattern;
mod split;

pub(crate) use decode::{char_at, char_before, encode};

pub trait FromStr: Sized {
    type Err;
    fn from_str(s: &str) -> Result<Self, Self::Err>;
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Utf8Error {
    pub(crate) valid_up_to: usize,
    pub(crate) error_len: Option<u8>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseBoolError;

/// Yields the characters of `text[front..back]`.
#[derive(Clone)]
pub struct Chars<'a> {
    pub(crate) text: &'a str,
    pub(crate) front: usize,
    pub(crate) back: usize,
}

/// Like [`Chars`], each with its position. How far it is can be asked of one that has nothing left, which is all that is seen of its characters.
#[derive(Clone)]
pub struct CharIndices<'a> {
    pub(crate) front_offset: usize,
    pub(crate) chars: Chars<'a>,
}

#[derive(Clone)]
pub struct Bytes<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) front: usize,
    pub(crate) back: usize,
}

/// The parts between separators.
#[derive(Clone)]
pub struct Split<'a, P> {
    pub(crate) search: split::Search<'a, P>,
}

#[derive(Clone)]
pub struct RSplit<'a, P> {
    pub(crate) search: split::Search<'a, P>,
}

#[derive(Clone)]
pub struct SplitTerminator<'a, P> {
    pub(crate) search: split::Search<'a, P>,
}

#[derive(Clone)]
pub struct SplitInclusive<'a, P> {
    pub(crate) search: split::Search<'a, P>,
}

#[derive(Clone)]
pub struct SplitN<'a, P> {
    pub(crate) search: split::Search<'a, P>,
    pub(crate) left: usize,
}

#[derive(Clone)]
pub struct RSplitN<'a, P> {
    pub(crate) search: split::Search<'a, P>,
    pub(crate) left: usize,
}

#[derive(Clone)]
pub struct Matches<'a, P> {
    pub(crate) indices: MatchIndices<'a, P>,
}

#[derive(Clone)]
pub struct MatchIndices<'a, P> {
    pub(crate) text: &'a str,
    pub(crate) pattern: P,
    pub(crate) next: Option<usize>,
}

#[derive(Clone)]
pub struct Lines<'a> {
    pub(crate) text: &'a str,
    pub(crate) from: usize,
    pub(crate) to: usize,
}

#[derive(Clone)]
pub struct SplitWhitespace<'a> {
    pub(crate) text: &'a str,
    pub(crate) from: usize,
    pub(crate) to: usize,
}

#[derive(Clone)]
pub struct SplitAsciiWhitespace<'a> {
    pub(crate) text: &'a str,
    /// Behind the last separator.
    pub(crate) from: usize,
    pub(crate) finished: bool,
}

#[derive(Clone)]
pub struct RSplitTerminator<'a, P> {
    pub(crate) split: SplitTerminator<'a, P>,
}

#[derive(Clone)]
pub struct RMatches<'a, P> {
    pub(crate) indices: RMatchIndices<'a, P>,
}

#[derive(Clone)]
pub struct RMatchIndices<'a, P> {
    pub(crate) text: &'a str,
    pub(crate) pattern: P,
    /// Where the next match may end; none when there can be none.
    pub(crate) next_back: Option<usize>,
}

/// The text's characters as UTF-16; `second` is the other half of a pair.
#[derive(Clone)]
pub struct EncodeUtf16<'a> {
    pub(crate) chars: Chars<'a>,
    pub(crate) second: u16,
}

/// What is valid of bytes, and what is not behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Utf8Chunk<'a> {
    pub(crate) valid: &'a str,
    pub(crate) invalid: &'a [u8],
}

#[derive(Clone)]
pub struct Utf8Chunks<'a> {
    pub(crate) source: &'a [u8],
}

/// `text[from..to]`, on borders of characters that the caller knows.
pub(crate) fn part(text: &str, from: usize, to: usize) -> &str {
    crate::intrinsics::str_of_bytes(crate::intrinsics::subslice(text.as_bytes(), from, to))
}

pub fn from_utf8(v: &[u8]) -> Result<&str, Utf8Error> {
    match decode::check(v) {
        Ok(()) => Ok(crate::intrinsics::str_of_bytes(v)),
        Err(error) => Err(error),
    }
}

/// # Safety
/// As std's: the bytes are UTF-8. The model does not check it.
pub fn from_utf8_unchecked(v: &[u8]) -> &str {
    crate::intrinsics::str_of_bytes(v)
}

/// # Safety
/// As std's: the bytes are UTF-8. The model does not check it.
pub unsafe fn from_utf8_unchecked_mut(v: &mut [u8]) -> &mut str {
    crate::intrinsics::str_of_bytes_mut(v)
}

pub fn from_utf8_mut(v: &mut [u8]) -> Result<&mut str, Utf8Error> {
    match decode::check(v) {
        Ok(()) => Ok(crate::intrinsics::str_of_bytes_mut(v)),
        Err(error) => Err(error),
    }
}

impl Utf8Error {
    pub fn valid_up_to(&self) -> usize {
        self.valid_up_to
    }
    pub fn error_len(&self) -> Option<usize> {
        match self.error_len {
            Some(len) => Some(len as usize),
            None => None,
        }
    }
}
