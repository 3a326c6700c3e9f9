//! The methods of `char` beyond ASCII.

use super::{ToLowercase, ToUppercase};
use crate::inherent::CharMethods;
use crate::inherent::text::CharEncodeMethods;
use crate::intrinsics;

impl CharMethods for char {
    fn from_u32(i: u32) -> Option<char> {
        super::from_u32(i)
    }
    fn from_digit(num: u32, radix: u32) -> Option<char> {
        super::from_digit(num, radix)
    }
    fn is_digit(self, radix: u32) -> bool {
        match self.to_digit(radix) {
            Some(_) => true,
            None => false,
        }
    }
    fn to_digit(self, radix: u32) -> Option<u32> {
        if radix < 2 || radix > 36 {
            panic!("to_digit: invalid radix -- radix must be in the range 2 to 36 inclusive");
        }
        let code = self as u32;
        let digit = if self.is_ascii_digit() {
            code.wrapping_sub('0' as u32)
        } else if self.is_ascii_lowercase() {
            code.wrapping_sub('a' as u32).wrapping_add(10)
        } else if self.is_ascii_uppercase() {
            code.wrapping_sub('A' as u32).wrapping_add(10)
        } else {
            return None;
        };
        if digit < radix { Some(digit) } else { None }
    }
    fn len_utf8(self) -> usize {
        let code = self as u32;
        if code < 0x80 {
            1
        } else if code < 0x800 {
            2
        } else if code < 0x10000 {
            3
        } else {
            4
        }
    }
    fn len_utf16(self) -> usize {
        if (self as u32) < 0x10000 { 1 } else { 2 }
    }
    fn is_alphabetic(self) -> bool {
        if self.is_ascii() {
            self.is_ascii_alphabetic()
        } else {
            intrinsics::unmodelled("char::is_alphabetic beyond ASCII")
        }
    }
    fn is_lowercase(self) -> bool {
        if self.is_ascii() {
            self.is_ascii_lowercase()
        } else {
            intrinsics::unmodelled("char::is_lowercase beyond ASCII")
        }
    }
    fn is_uppercase(self) -> bool {
        if self.is_ascii() {
            self.is_ascii_uppercase()
        } else {
            intrinsics::unmodelled("char::is_uppercase beyond ASCII")
        }
    }
    fn is_numeric(self) -> bool {
        if self.is_ascii() {
            self.is_ascii_digit()
        } else {
            intrinsics::unmodelled("char::is_numeric beyond ASCII")
        }
    }
    fn is_alphanumeric(self) -> bool {
        if self.is_ascii() {
            self.is_ascii_alphanumeric()
        } else {
            intrinsics::unmodelled("char::is_alphanumeric beyond ASCII")
        }
    }
    fn is_whitespace(self) -> bool {
        let code = self as u32;
        if code < 0x80 {
            code == 0x20 || (code >= 0x09 && code <= 0x0D)
        } else {
            code == 0x85
                || code == 0xA0
                || code == 0x1680
                || (code >= 0x2000 && code <= 0x200A)
                || code == 0x2028
                || code == 0x2029
                || code == 0x202F
                || code == 0x205F
                || code == 0x3000
        }
    }
    fn is_control(self) -> bool {
        let code = self as u32;
        code < 0x20 || (code >= 0x7F && code <= 0x9F)
    }
    fn to_uppercase(self) -> ToUppercase {
        if self.is_ascii() {
            ToUppercase { item: Some(self.to_ascii_uppercase()) }
        } else {
            intrinsics::unmodelled("char::to_uppercase beyond ASCII")
        }
    }
    fn to_lowercase(self) -> ToLowercase {
        if self.is_ascii() {
            ToLowercase { item: Some(self.to_ascii_lowercase()) }
        } else {
            intrinsics::unmodelled("char::to_lowercase beyond ASCII")
        }
    }
}

impl CharEncodeMethods for char {
    fn encode_utf8(self, dst: &mut [u8]) -> &mut str {
        let (bytes, len) = crate::str::encode(self);
        if dst.len() < len {
            panic!("encode_utf8: the buffer has too few bytes for the character");
        }
        let mut index = 0;
        while index < len {
            dst[index] = bytes[index];
            index = index.wrapping_add(1);
        }
        intrinsics::str_of_bytes_mut(intrinsics::subslice_mut(dst, 0, len))
    }
    fn encode_utf16(self, dst: &mut [u16]) -> &mut [u16] {
        let len = self.len_utf16();
        if dst.len() < len {
            panic!("encode_utf16: the buffer has too few units for the character");
        }
        let code = self as u32;
        if len == 1 {
            dst[0] = code as u16;
        } else {
            let above = code.wrapping_sub(0x10000);
            dst[0] = 0xD800 | above.wrapping_shr(10) as u16;
            dst[1] = 0xDC00 | (above & 0x3FF) as u16;
        }
        intrinsics::subslice_mut(dst, 0, len)
    }
    // A number that is no character is undefined behaviour in std.
    fn from_u32_unchecked(i: u32) -> char {
        match super::from_u32(i) {
            Some(c) => c,
            None => intrinsics::unmodelled("char::from_u32_unchecked of what is no character"),
        }
    }
    fn is_ascii_octdigit(&self) -> bool {
        *self >= '0' && *self <= '7'
    }
}
