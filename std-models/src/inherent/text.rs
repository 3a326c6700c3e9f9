//! More methods of text: what changes ranges of a `String`, searching a `str` from its end, characters as bytes.

use std::borrow::Cow;

use crate::char::{EscapeDebug, EscapeDefault, EscapeUnicode};
use crate::ops::RangeBounds;
use crate::slice::SliceIndex;
use crate::str::pattern::Pattern;
use crate::str::{EncodeUtf16, RMatchIndices, RMatches, RSplitTerminator};
use crate::string::Drain;

/// Methods of `String`.
pub trait StringRangeMethods: Sized {
    fn reserve_exact(&mut self, additional: usize);
    fn shrink_to(&mut self, min_capacity: usize);
    fn drain<R: RangeBounds<usize>>(&mut self, range: R) -> Drain<'_>;
    fn replace_range<R: RangeBounds<usize>>(&mut self, range: R, replace_with: &str);
    fn from_utf8_lossy(v: &[u8]) -> Cow<'_, str>;
}

/// Methods of `str`.
pub trait StrBackMethods {
    fn rmatches<P: Pattern>(&self, pat: P) -> RMatches<'_, P>;
    fn rmatch_indices<P: Pattern>(&self, pat: P) -> RMatchIndices<'_, P>;
    fn rsplit_terminator<P: Pattern>(&self, pat: P) -> RSplitTerminator<'_, P>;
    fn trim_left(&self) -> &str;
    fn trim_right(&self) -> &str;
    fn trim_left_matches<P: Pattern>(&self, pat: P) -> &str;
    fn trim_right_matches<P: Pattern>(&self, pat: P) -> &str;
    fn encode_utf16(&self) -> EncodeUtf16<'_>;
}

/// Methods of `char`.
pub trait CharEncodeMethods: Sized {
    fn encode_utf8(self, dst: &mut [u8]) -> &mut str;
    fn encode_utf16(self, dst: &mut [u16]) -> &mut [u16];
    fn from_u32_unchecked(i: u32) -> char;
    fn is_ascii_octdigit(&self) -> bool;
}

/// Methods of `str`.
pub trait StrMutMethods {
    fn get_mut<I: SliceIndex<str>>(&mut self, i: I) -> Option<&mut I::Output>;
    fn make_ascii_uppercase(&mut self);
    fn make_ascii_lowercase(&mut self);
}

/// Methods of `char`.
pub trait CharEscapeMethods: Sized {
    fn escape_unicode(self) -> EscapeUnicode;
    fn escape_debug(self) -> EscapeDebug;
    fn escape_default(self) -> EscapeDefault;
}

/// Methods of `u8`.
pub trait ByteEscapeMethods: Sized {
    fn escape_ascii(self) -> crate::ascii::EscapeDefault;
}
