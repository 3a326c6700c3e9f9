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

/// Writes an ASCII character as it is or as an escape; `quote` is the quotation mark that has to be escaped.
fn escaped(f: &mut Formatter<'_>, code: u8, quote: u8) -> Result {
    if code < 0x20 || code == 0x7f || code == quote || code == b'\\' {
        let letter = match code {
            0 => b'0',
            b'\t' => b't',
            b'\n' => b'n',
            b'\r' => b'r',
            b'\'' | b'"' | b'\\' => code,
            _ => {
                f.buf.write_str("\\u{")?;
                if code >= 0x10 {
                    f.buf.write_char(hex(code >> 4))?;
                }
                f.buf.write_char(hex(code & 0xf))?;
                return f.buf.write_char('}');
            }
        };
        f.buf.write_char('\\')?;
        return f.buf.write_char(letter as char);
    }
    f.buf.write_char(code as char)
}

/// Writes a character beyond ASCII as an escape: of two to six digits.
fn escaped_wide(f: &mut Formatter<'_>, code: u32) -> Result {
    f.buf.write_str("\\u{")?;
    let mut places: u32 = 8;
    while places < 24 && code >> places != 0 {
        places = places.wrapping_add(4);
    }
    while places > 0 {
        places = places.wrapping_sub(4);
        f.buf.write_char(hex((code >> places) as u8 & 0xf))?;
    }
    f.buf.write_char('}')
}

fn hex(digit: u8) -> char {
    b"0123456789abcdef"[digit as usize] as char
}

impl Debug for char {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let code = *self as u32;
        f.buf.write_char('\'')?;
        if code < 0x80 {
            escaped(f, code as u8, b'\'')?;
        } else if intrinsics::is_shown_as_it_is(*self) {
            f.buf.write_char(*self)?;
        } else {
            escaped_wide(f, code)?;
        }
        f.buf.write_char('\'')
    }
}

impl Debug for str {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.buf.write_char('"')?;
        let bytes = self.as_bytes();
        let mut at: usize = 0;
        while at < bytes.len() {
            let byte = bytes[at];
            if byte >= 0x80 {
                return intrinsics::unmodelled("`{:?}` of text beyond ASCII");
            }
            escaped(f, byte, b'"')?;
            at = at.wrapping_add(1);
        }
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
