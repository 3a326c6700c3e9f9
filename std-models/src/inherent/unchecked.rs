//! Methods whose callers vouch for something. Where it does not hold the behaviour is undefined, and the models refuse.

use crate::slice::SliceIndex;
use crate::str::Utf8Error;

/// Methods of `Option<T>`.
pub trait OptionUncheckedMethods<T>: Sized {
    unsafe fn unwrap_unchecked(self) -> T;
}

/// Methods of `Result<T, E>`.
pub trait ResultUncheckedMethods<T, E>: Sized {
    unsafe fn unwrap_unchecked(self) -> T;
    unsafe fn unwrap_err_unchecked(self) -> E;
}

/// Methods of `str`.
pub trait StrUncheckedMethods {
    unsafe fn get_unchecked<I: SliceIndex<str>>(&self, i: I) -> &I::Output;
    unsafe fn get_unchecked_mut<I: SliceIndex<str>>(&mut self, i: I) -> &mut I::Output;
    unsafe fn from_utf8_unchecked(v: &[u8]) -> &str;
    unsafe fn from_utf8_unchecked_mut(v: &mut [u8]) -> &mut str;
    fn from_utf8(v: &[u8]) -> Result<&str, Utf8Error>;
    fn from_utf8_mut(v: &mut [u8]) -> Result<&mut str, Utf8Error>;
}

/// Methods of `Vec<T>`.
pub trait VecUncheckedMethods<T>: Sized {
    unsafe fn set_len(&mut self, new_len: usize);
}

/// Methods of `*mut T`.
pub trait MutPtrBytesMethods<T>: Sized {
    unsafe fn write_bytes(self, val: u8, count: usize);
}
