//! What `u8` and `char` have in common: the ASCII properties, exact for every value.

use crate::inherent::AsciiMethods;

macro_rules! ascii_methods {
    ($($ty:ident)*) => {$(
        impl AsciiMethods for $ty {
            fn is_ascii(&self) -> bool {
                (*self as u32) < 0x80
            }
            fn is_ascii_alphabetic(&self) -> bool {
                self.is_ascii_lowercase() || self.is_ascii_uppercase()
            }
            fn is_ascii_uppercase(&self) -> bool {
                let code = *self as u32;
                code >= 'A' as u32 && code <= 'Z' as u32
            }
            fn is_ascii_lowercase(&self) -> bool {
                let code = *self as u32;
                code >= 'a' as u32 && code <= 'z' as u32
            }
            fn is_ascii_alphanumeric(&self) -> bool {
                self.is_ascii_digit() || self.is_ascii_alphabetic()
            }
            fn is_ascii_digit(&self) -> bool {
                let code = *self as u32;
                code >= '0' as u32 && code <= '9' as u32
            }
            fn is_ascii_hexdigit(&self) -> bool {
                let code = *self as u32;
                (code >= '0' as u32 && code <= '9' as u32)
                    || (code >= 'a' as u32 && code <= 'f' as u32)
                    || (code >= 'A' as u32 && code <= 'F' as u32)
            }
            fn is_ascii_punctuation(&self) -> bool {
                self.is_ascii_graphic() && !self.is_ascii_alphanumeric()
            }
            fn is_ascii_graphic(&self) -> bool {
                let code = *self as u32;
                code >= 0x21 && code <= 0x7E
            }
            fn is_ascii_whitespace(&self) -> bool {
                let code = *self as u32;
                code == 0x20 || code == 0x09 || code == 0x0A || code == 0x0C || code == 0x0D
            }
            fn is_ascii_control(&self) -> bool {
                let code = *self as u32;
                code < 0x20 || code == 0x7F
            }
            fn to_ascii_uppercase(&self) -> $ty {
                if self.is_ascii_lowercase() {
                    (*self as u8).wrapping_sub(32) as $ty
                } else {
                    *self
                }
            }
            fn to_ascii_lowercase(&self) -> $ty {
                if self.is_ascii_uppercase() {
                    (*self as u8).wrapping_add(32) as $ty
                } else {
                    *self
                }
            }
            fn eq_ignore_ascii_case(&self, other: &$ty) -> bool {
                self.to_ascii_lowercase() == other.to_ascii_lowercase()
            }
            fn make_ascii_uppercase(&mut self) {
                *self = self.to_ascii_uppercase();
            }
            fn make_ascii_lowercase(&mut self) {
                *self = self.to_ascii_lowercase();
            }
        }
    )*};
}

ascii_methods!(u8 char);
