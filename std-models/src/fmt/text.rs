//! Text and characters, `bool`, `()` and `!`.

use super::{Debug, Display, Formatter, HAS_PRECISION, HAS_WIDTH, Pointer, Result};
use crate::intrinsics;

impl Display for str {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.pad(self)
    }
}

impl Display for String {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.pad(self.as_str())
    }
}

impl Debug for String {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        Debug::fmt(self.as_str(), f)
    }
}

impl Display for bool {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.pad(if *self { "true" } else { "false" })
    }
}

impl Debug for bool {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.pad(if *self { "true" } else { "false" })
    }
}

impl Display for char {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if f.flags & (HAS_WIDTH | HAS_PRECISION) == 0 {
            return f.buf.write_char(*self);
        }
        let (bytes, len) = crate::str::encode(*self);
        f.pad(intrinsics::str_of_bytes(intrinsics::subslice(&bytes, 0, len)))
    }
}

/// Whether an ASCII character is shown as an escape; `quote` is the quotation mark that has to be escaped.
fn is_escaped(code: u8, quote: u8) -> bool {
    code < 0x20 || code == 0x7f || code == quote || code == b'\\'
}

/// Writes an ASCII character that is shown as an escape, at once.
fn escaped(f: &mut Formatter<'_>, code: u8) -> Result {
    let letter = match code {
        0 => b'0',
        b'\t' => b't',
        b'\n' => b'n',
        b'\r' => b'r',
        b'\'' | b'"' | b'\\' => code,
        _ => return escaped_number(f, code as u32),
    };
    f.buf.write_str(intrinsics::str_of_bytes(&[b'\\', letter]))
}

/// Writes a character as `\u{…}`, with as many digits as it takes, at once.
fn escaped_number(f: &mut Formatter<'_>, code: u32) -> Result {
    let mut text = *b"\\u{\0\0\0\0\0\0\0";
    let mut places: u32 = 4;
    while places < 24 && code >> places != 0 {
        places = places.wrapping_add(4);
    }
    let mut len: usize = 3;
    while places > 0 {
        places = places.wrapping_sub(4);
        text[len] = b"0123456789abcdef"[((code >> places) as u8 & 0xf) as usize];
        len = len.wrapping_add(1);
    }
    text[len] = b'}';
    f.buf.write_str(intrinsics::str_of_bytes(intrinsics::subslice(&text, 0, len.wrapping_add(1))))
}

impl Debug for char {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let code = *self as u32;
        f.buf.write_char('\'')?;
        if code < 0x80 && is_escaped(code as u8, b'\'') {
            escaped(f, code as u8)?;
        } else if code < 0x80 || intrinsics::is_shown_as_it_is(*self) {
            f.buf.write_char(*self)?;
        } else {
            escaped_number(f, code)?;
        }
        f.buf.write_char('\'')
    }
}

impl Debug for str {
    /// What is shown as it is, is written in runs: before each escape, and at the end, even if they are empty.
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.buf.write_char('"')?;
        let bytes = self.as_bytes();
        let (mut start, mut at): (usize, usize) = (0, 0);
        while at < bytes.len() {
            let byte = bytes[at];
            if byte >= 0x80 {
                return intrinsics::unmodelled("`{:?}` of text beyond ASCII");
            }
            // A single quotation mark needs none between double ones.
            if is_escaped(byte, b'"') {
                f.buf.write_str(intrinsics::str_of_bytes(intrinsics::subslice(bytes, start, at)))?;
                escaped(f, byte)?;
                start = at.wrapping_add(1);
            }
            at = at.wrapping_add(1);
        }
        f.buf.write_str(intrinsics::str_of_bytes(intrinsics::subslice(bytes, start, at)))?;
        f.buf.write_char('"')
    }
}

impl Debug for () {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.pad("()")
    }
}

impl<T: ?Sized> Pointer for &T {
    fn fmt(&self, _: &mut Formatter<'_>) -> Result {
        intrinsics::unmodelled("the text of an address")
    }
}

impl<T: ?Sized> Pointer for *const T {
    fn fmt(&self, _: &mut Formatter<'_>) -> Result {
        intrinsics::unmodelled("the text of an address")
    }
}
