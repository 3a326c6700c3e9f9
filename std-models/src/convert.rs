//! `std::convert`: identity, integers, characters, and the blanket implementations.

use crate::num::TryFromIntError;

pub trait From<T>: Sized {
    fn from(value: T) -> Self;
}

pub trait Into<T>: Sized {
    fn into(self) -> T;
}

pub trait TryFrom<T>: Sized {
    type Error;
    fn try_from(value: T) -> Result<Self, Self::Error>;
}

pub trait TryInto<T>: Sized {
    type Error;
    fn try_into(self) -> Result<T, Self::Error>;
}

pub trait AsRef<T: ?Sized> {
    fn as_ref(&self) -> &T;
}

pub trait AsMut<T: ?Sized> {
    fn as_mut(&mut self) -> &mut T;
}

/// What `to_int_unchecked` gives.
pub trait FloatToInt<Int>: Sized {
    /// The whole part of a number that fits; of others std says nothing.
    fn to_int(self) -> Int;
}

pub fn identity<T>(x: T) -> T {
    x
}

impl<T> From<T> for T {
    fn from(value: T) -> T {
        value
    }
}

impl<T, U: From<T>> Into<U> for T {
    fn into(self) -> U {
        U::from(self)
    }
}

impl<T, U: Into<T>> TryFrom<U> for T {
    type Error = std::convert::Infallible;
    fn try_from(value: U) -> Result<Self, std::convert::Infallible> {
        Ok(U::into(value))
    }
}

impl<T, U: TryFrom<T>> TryInto<U> for T {
    type Error = U::Error;
    fn try_into(self) -> Result<U, U::Error> {
        U::try_from(self)
    }
}

impl<T: ?Sized + AsRef<U>, U: ?Sized> AsRef<U> for &T {
    fn as_ref(&self) -> &U {
        <T as AsRef<U>>::as_ref(*self)
    }
}

impl<T: ?Sized + AsRef<U>, U: ?Sized> AsRef<U> for &mut T {
    fn as_ref(&self) -> &U {
        <T as AsRef<U>>::as_ref(*self)
    }
}

impl<T: ?Sized + AsMut<U>, U: ?Sized> AsMut<U> for &mut T {
    fn as_mut(&mut self) -> &mut U {
        <T as AsMut<U>>::as_mut(*self)
    }
}

impl<T> AsRef<[T]> for [T] {
    fn as_ref(&self) -> &[T] {
        self
    }
}

impl<T> AsMut<[T]> for [T] {
    fn as_mut(&mut self) -> &mut [T] {
        self
    }
}

impl<T, const N: usize> AsRef<[T]> for [T; N] {
    fn as_ref(&self) -> &[T] {
        self
    }
}

impl<T, const N: usize> AsMut<[T]> for [T; N] {
    fn as_mut(&mut self) -> &mut [T] {
        self
    }
}

impl AsRef<str> for str {
    fn as_ref(&self) -> &str {
        self
    }
}

impl AsRef<[u8]> for str {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl<T> From<T> for Option<T> {
    fn from(value: T) -> Option<T> {
        Some(value)
    }
}

impl<'a, T> From<&'a Option<T>> for Option<&'a T> {
    fn from(value: &'a Option<T>) -> Option<&'a T> {
        match value {
            Some(value) => Some(value),
            None => None,
        }
    }
}

/// Conversions that `as` does without loss.
macro_rules! lossless {
    ($($from:ident => $($to:ident)*;)*) => {$($(
        impl From<$from> for $to {
            fn from(value: $from) -> $to {
                value as $to
            }
        }
    )*)*};
}

lossless! {
    bool => u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize;
    u8 => u16 u32 u64 u128 usize i16 i32 i64 i128 isize f32 f64 char;
    u16 => u32 u64 u128 usize i32 i64 i128 f32 f64;
    u32 => u64 u128 i64 i128 f64;
    u64 => u128 i128;
    i8 => i16 i32 i64 i128 isize f32 f64;
    i16 => i32 i64 i128 isize f32 f64;
    i32 => i64 i128 f64;
    i64 => i128;
    char => u32 u64 u128;
    f32 => f64;
}

/// Unsigned to unsigned or signed, where some values are too large.
macro_rules! checked_above {
    ($($from:ident => $($to:ident)*;)*) => {$($(
        impl TryFrom<$from> for $to {
            type Error = TryFromIntError;
            fn try_from(value: $from) -> Result<$to, TryFromIntError> {
                if value > <$to>::MAX as $from { Err(TryFromIntError(())) } else { Ok(value as $to) }
            }
        }
    )*)*};
}

/// Signed to unsigned of at least the same width: only negative values do not fit.
macro_rules! checked_below {
    ($($from:ident => $($to:ident)*;)*) => {$($(
        impl TryFrom<$from> for $to {
            type Error = TryFromIntError;
            fn try_from(value: $from) -> Result<$to, TryFromIntError> {
                if value < 0 { Err(TryFromIntError(())) } else { Ok(value as $to) }
            }
        }
    )*)*};
}

/// Signed to narrower.
macro_rules! checked_both {
    ($($from:ident => $($to:ident)*;)*) => {$($(
        impl TryFrom<$from> for $to {
            type Error = TryFromIntError;
            fn try_from(value: $from) -> Result<$to, TryFromIntError> {
                if value < <$to>::MIN as $from || value > <$to>::MAX as $from {
                    Err(TryFromIntError(()))
                } else {
                    Ok(value as $to)
                }
            }
        }
    )*)*};
}

/// Conversions to or from `usize` and `isize` that always fit on a 64-bit target and yet may fail in std's types.
macro_rules! always_fits {
    ($($from:ident => $($to:ident)*;)*) => {$($(
        impl TryFrom<$from> for $to {
            type Error = TryFromIntError;
            fn try_from(value: $from) -> Result<$to, TryFromIntError> {
                Ok(value as $to)
            }
        }
    )*)*};
}

checked_above! {
    u8 => i8;
    u16 => u8 i8 i16;
    u32 => u8 u16 i8 i16 i32;
    u64 => u8 u16 u32 i8 i16 i32 i64 isize;
    u128 => u8 u16 u32 u64 usize i8 i16 i32 i64 i128 isize;
    usize => u8 u16 u32 i8 i16 i32 i64 isize;
}

checked_below! {
    i8 => u8 u16 u32 u64 u128 usize;
    i16 => u16 u32 u64 u128 usize;
    i32 => u32 u64 u128 usize;
    i64 => u64 u128 usize;
    i128 => u128;
    isize => u64 u128 usize;
}

checked_both! {
    i16 => u8 i8;
    i32 => u8 u16 i8 i16;
    i64 => u8 u16 u32 i8 i16 i32;
    i128 => u8 u16 u32 u64 usize i8 i16 i32 i64 isize;
    isize => u8 u16 u32 i8 i16 i32;
}

always_fits! {
    u16 => isize;
    u32 => usize isize;
    u64 => usize;
    usize => u64 u128 i128;
    i32 => isize;
    i64 => isize;
    isize => i64 i128;
}

impl TryFrom<u32> for char {
    type Error = crate::char::CharTryFromError;
    fn try_from(value: u32) -> Result<char, crate::char::CharTryFromError> {
        if value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF) {
            Err(crate::char::CharTryFromError(()))
        } else {
            Ok(crate::intrinsics::char_of(value))
        }
    }
}

impl TryFrom<char> for u8 {
    type Error = crate::char::TryFromCharError;
    fn try_from(value: char) -> Result<u8, crate::char::TryFromCharError> {
        let code = value as u32;
        if code > 0xFF { Err(crate::char::TryFromCharError(())) } else { Ok(code as u8) }
    }
}

impl TryFrom<char> for u16 {
    type Error = crate::char::TryFromCharError;
    fn try_from(value: char) -> Result<u16, crate::char::TryFromCharError> {
        let code = value as u32;
        if code > 0xFFFF { Err(crate::char::TryFromCharError(())) } else { Ok(code as u16) }
    }
}

impl<T: Copy, const N: usize> TryFrom<&[T]> for [T; N] {
    type Error = crate::array::TryFromSliceError;
    fn try_from(slice: &[T]) -> Result<[T; N], crate::array::TryFromSliceError> {
        if slice.len() != N {
            return Err(crate::array::TryFromSliceError(()));
        }
        let mut items = crate::intrinsics::array_of_none::<T, N>();
        let mut index = 0;
        while index < N {
            items[index] = Some(slice[index]);
            index = index.wrapping_add(1);
        }
        Ok(crate::intrinsics::array_from_options(items))
    }
}

impl<'a, T, const N: usize> TryFrom<&'a [T]> for &'a [T; N] {
    type Error = crate::array::TryFromSliceError;
    fn try_from(slice: &'a [T]) -> Result<&'a [T; N], crate::array::TryFromSliceError> {
        if slice.len() == N {
            Ok(crate::intrinsics::array_ref(slice))
        } else {
            Err(crate::array::TryFromSliceError(()))
        }
    }
}

impl<'a, T, const N: usize> TryFrom<&'a mut [T]> for &'a mut [T; N] {
    type Error = crate::array::TryFromSliceError;
    fn try_from(slice: &'a mut [T]) -> Result<&'a mut [T; N], crate::array::TryFromSliceError> {
        if slice.len() == N {
            Ok(crate::intrinsics::array_mut(slice))
        } else {
            Err(crate::array::TryFromSliceError(()))
        }
    }
}
