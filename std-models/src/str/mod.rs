//! `std::str`: strings as their UTF-8 bytes.
//!
//! Limit: see [`crate::char`] for Unicode properties.

pub trait FromStr: Sized {
    type Err;
    fn from_str(s: &str) -> Result<Self, Self::Err>;
}
