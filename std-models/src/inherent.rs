//! Inherent methods of the real standard types, as traits.
//!
//! The front end makes an implementation of one of these traits (which stands beside the other models of the type)
//! a set of inherent methods of the self type: `impl<T> OptionMethods<T> for Option<T>` gives
//! `std::option::Option::map` and so on. The traits themselves mean nothing; generic parameters of a method are in
//! std's order.

pub mod numbers;
pub mod slices;
pub mod text;
pub mod unchecked;

use std::cmp::Ordering;
use std::num::FpCategory;
use std::ops::ControlFlow;

use crate::char::{ToLowercase, ToUppercase};
use crate::convert::FloatToInt;
use crate::num::ParseIntError;
use crate::ops::RangeBounds;
use crate::slice::{
    Chunks, ChunksExact, ChunksMut, Concat, Iter, IterMut, Join, RChunks, SliceIndex, Split, Windows,
};
use crate::str::pattern::Pattern;
use crate::str::{
    Bytes, CharIndices, Chars, FromStr, Lines, MatchIndices, Matches, RSplit, RSplitN, SplitAsciiWhitespace,
    SplitInclusive, SplitN, SplitTerminator, SplitWhitespace,
};
use crate::string::FromUtf8Error;
use crate::vec::Drain;

/// Methods of `[T; N]`.
pub trait ArrayMethods<T, const N: usize>: Sized {
    fn map<F: FnMut(T) -> U, U>(self, f: F) -> [U; N];
    fn as_slice(&self) -> &[T];
    fn as_mut_slice(&mut self) -> &mut [T];
    fn each_ref(&self) -> [&T; N];
}

/// Methods of `f32` and `f64`.
pub trait FloatMethods: Sized {
    fn is_nan(self) -> bool;
    fn is_infinite(self) -> bool;
    fn is_finite(self) -> bool;
    fn is_normal(self) -> bool;
    fn is_subnormal(self) -> bool;
    fn classify(self) -> FpCategory;
    fn to_degrees(self) -> Self;
    fn to_radians(self) -> Self;
    fn sin_cos(self) -> (Self, Self);
    fn next_up(self) -> Self;
    fn next_down(self) -> Self;
    fn is_sign_negative(self) -> bool;
    fn is_sign_positive(self) -> bool;
    fn max(self, other: Self) -> Self;
    fn min(self, other: Self) -> Self;
    fn clamp(self, min: Self, max: Self) -> Self;
    fn copysign(self, sign: Self) -> Self;
    fn signum(self) -> Self;
    fn fract(self) -> Self;
    fn recip(self) -> Self;
    fn rem_euclid(self, rhs: Self) -> Self;
    fn div_euclid(self, rhs: Self) -> Self;
    fn total_cmp(&self, other: &Self) -> Ordering;
    unsafe fn to_int_unchecked<Int>(self) -> Int
    where
        Self: FloatToInt<Int>;
}

/// Methods of `Cow<'a, B>`.
pub trait CowMethods<'a, B: ?Sized + std::borrow::ToOwned>: Sized {
    fn into_owned(self) -> B::Owned;
    fn to_mut(&mut self) -> &mut B::Owned;
}

/// Methods of `integer types`.
pub trait AsciiMethods: Sized {
    fn is_ascii(&self) -> bool;
    fn is_ascii_alphabetic(&self) -> bool;
    fn is_ascii_uppercase(&self) -> bool;
    fn is_ascii_lowercase(&self) -> bool;
    fn is_ascii_alphanumeric(&self) -> bool;
    fn is_ascii_digit(&self) -> bool;
    fn is_ascii_hexdigit(&self) -> bool;
    fn is_ascii_punctuation(&self) -> bool;
    fn is_ascii_graphic(&self) -> bool;
    fn is_ascii_whitespace(&self) -> bool;
    fn is_ascii_control(&self) -> bool;
    fn to_ascii_uppercase(&self) -> Self;
    fn to_ascii_lowercase(&self) -> Self;
    fn eq_ignore_ascii_case(&self, other: &Self) -> bool;
    fn make_ascii_uppercase(&mut self);
    fn make_ascii_lowercase(&mut self);
}

/// Methods of `char`.
pub trait CharMethods: Sized {
    fn from_u32(i: u32) -> Option<char>;
    fn from_digit(num: u32, radix: u32) -> Option<char>;
    fn is_digit(self, radix: u32) -> bool;
    fn to_digit(self, radix: u32) -> Option<u32>;
    fn len_utf8(self) -> usize;
    fn len_utf16(self) -> usize;
    fn is_alphabetic(self) -> bool;
    fn is_lowercase(self) -> bool;
    fn is_uppercase(self) -> bool;
    fn is_numeric(self) -> bool;
    fn is_alphanumeric(self) -> bool;
    fn is_whitespace(self) -> bool;
    fn is_control(self) -> bool;
    fn to_uppercase(self) -> ToUppercase;
    fn to_lowercase(self) -> ToLowercase;
}

/// Methods of `Ordering`.
pub trait OrderingMethods: Sized {
    fn is_eq(self) -> bool;
    fn is_ne(self) -> bool;
    fn is_lt(self) -> bool;
    fn is_gt(self) -> bool;
    fn is_le(self) -> bool;
    fn is_ge(self) -> bool;
    fn reverse(self) -> Ordering;
    fn then(self, other: Ordering) -> Ordering;
    fn then_with<F: FnOnce() -> Ordering>(self, f: F) -> Ordering;
}

/// Methods of `integer types`.
pub trait IntMethods: Sized {
    fn checked_add(self, rhs: Self) -> Option<Self>;
    fn checked_sub(self, rhs: Self) -> Option<Self>;
    fn checked_mul(self, rhs: Self) -> Option<Self>;
    fn checked_shl(self, rhs: u32) -> Option<Self>;
    fn checked_shr(self, rhs: u32) -> Option<Self>;
    fn overflowing_shl(self, rhs: u32) -> (Self, bool);
    fn overflowing_shr(self, rhs: u32) -> (Self, bool);
    fn unbounded_shl(self, rhs: u32) -> Self;
    fn pow(self, exp: u32) -> Self;
    fn checked_pow(self, exp: u32) -> Option<Self>;
    fn wrapping_pow(self, exp: u32) -> Self;
    fn overflowing_pow(self, exp: u32) -> (Self, bool);
    fn count_zeros(self) -> u32;
    fn leading_ones(self) -> u32;
    fn trailing_ones(self) -> u32;
    fn rotate_left(self, n: u32) -> Self;
    fn rotate_right(self, n: u32) -> Self;
    fn swap_bytes(self) -> Self;
    fn reverse_bits(self) -> Self;
    fn to_be(self) -> Self;
    fn to_le(self) -> Self;
    fn from_be(x: Self) -> Self;
    fn from_le(x: Self) -> Self;
    fn min_value() -> Self;
    fn max_value() -> Self;
    fn checked_ilog2(self) -> Option<u32>;
    fn checked_ilog10(self) -> Option<u32>;
    fn checked_ilog(self, base: Self) -> Option<u32>;
    fn ilog2(self) -> u32;
    fn ilog10(self) -> u32;
    fn ilog(self, base: Self) -> u32;
    fn isqrt(self) -> Self;
}

/// Methods of `integer types`.
pub trait IntBytes<const N: usize>: Sized {
    fn to_le_bytes(self) -> [u8; N];
    fn to_be_bytes(self) -> [u8; N];
    fn to_ne_bytes(self) -> [u8; N];
    fn from_le_bytes(bytes: [u8; N]) -> Self;
    fn from_be_bytes(bytes: [u8; N]) -> Self;
    fn from_ne_bytes(bytes: [u8; N]) -> Self;
}

/// Methods of `integer types`.
pub trait ParseMethods: Sized {
    fn from_str_radix(src: &str, radix: u32) -> Result<Self, ParseIntError>;
}

/// Methods of `integer types`.
pub trait DivisionMethods: Sized {
    fn checked_div(self, rhs: Self) -> Option<Self>;
    fn checked_rem(self, rhs: Self) -> Option<Self>;
    fn wrapping_div(self, rhs: Self) -> Self;
    fn wrapping_rem(self, rhs: Self) -> Self;
    fn overflowing_div(self, rhs: Self) -> (Self, bool);
    fn overflowing_rem(self, rhs: Self) -> (Self, bool);
    fn div_euclid(self, rhs: Self) -> Self;
    fn rem_euclid(self, rhs: Self) -> Self;
    fn checked_div_euclid(self, rhs: Self) -> Option<Self>;
    fn checked_rem_euclid(self, rhs: Self) -> Option<Self>;
    fn wrapping_div_euclid(self, rhs: Self) -> Self;
    fn wrapping_rem_euclid(self, rhs: Self) -> Self;
    fn overflowing_div_euclid(self, rhs: Self) -> (Self, bool);
    fn overflowing_rem_euclid(self, rhs: Self) -> (Self, bool);
    fn saturating_add(self, rhs: Self) -> Self;
    fn saturating_sub(self, rhs: Self) -> Self;
    fn saturating_mul(self, rhs: Self) -> Self;
    fn saturating_div(self, rhs: Self) -> Self;
    fn saturating_pow(self, exp: u32) -> Self;
    fn checked_neg(self) -> Option<Self>;
    fn overflowing_neg(self) -> (Self, bool);
    fn unbounded_shr(self, rhs: u32) -> Self;
}

/// Methods of `integer types`.
pub trait SignedMethods<U>: Sized {
    fn abs(self) -> Self;
    fn checked_abs(self) -> Option<Self>;
    fn wrapping_abs(self) -> Self;
    fn overflowing_abs(self) -> (Self, bool);
    fn saturating_abs(self) -> Self;
    fn saturating_neg(self) -> Self;
    fn unsigned_abs(self) -> U;
    fn cast_unsigned(self) -> U;
    fn abs_diff(self, other: Self) -> U;
    fn signum(self) -> Self;
    fn is_positive(self) -> bool;
    fn is_negative(self) -> bool;
    fn checked_isqrt(self) -> Option<Self>;
    fn checked_add_unsigned(self, rhs: U) -> Option<Self>;
    fn checked_sub_unsigned(self, rhs: U) -> Option<Self>;
    fn saturating_add_unsigned(self, rhs: U) -> Self;
    fn saturating_sub_unsigned(self, rhs: U) -> Self;
    fn wrapping_add_unsigned(self, rhs: U) -> Self;
    fn wrapping_sub_unsigned(self, rhs: U) -> Self;
}

/// Methods of `integer types`.
pub trait UnsignedMethods<U>: Sized {
    fn abs_diff(self, other: Self) -> Self;
    fn is_power_of_two(self) -> bool;
    fn next_power_of_two(self) -> Self;
    fn checked_next_power_of_two(self) -> Option<Self>;
    fn div_ceil(self, rhs: Self) -> Self;
    fn next_multiple_of(self, rhs: Self) -> Self;
    fn checked_next_multiple_of(self, rhs: Self) -> Option<Self>;
    fn is_multiple_of(self, rhs: Self) -> bool;
    fn midpoint(self, rhs: Self) -> Self;
    fn cast_signed(self) -> U;
    fn checked_add_signed(self, rhs: U) -> Option<Self>;
    fn saturating_add_signed(self, rhs: U) -> Self;
    fn wrapping_add_signed(self, rhs: U) -> Self;
    fn overflowing_add_signed(self, rhs: U) -> (Self, bool);
    fn checked_signed_diff(self, rhs: Self) -> Option<U>;
}

/// Methods of `Range<Idx>`.
pub trait RangeMethods<Idx>: Sized {
    fn contains<U>(&self, item: &U) -> bool
    where
        Idx: PartialOrd<U>,
        U: ?Sized + PartialOrd<Idx>;
    fn is_empty(&self) -> bool;
}

/// Methods of `RangeFrom<Idx>`.
pub trait RangeFromMethods<Idx>: Sized {
    fn contains<U>(&self, item: &U) -> bool
    where
        Idx: PartialOrd<U>,
        U: ?Sized + PartialOrd<Idx>;
}

/// Methods of `RangeTo<Idx>`.
pub trait RangeToMethods<Idx>: Sized {
    fn contains<U>(&self, item: &U) -> bool
    where
        Idx: PartialOrd<U>,
        U: ?Sized + PartialOrd<Idx>;
}

/// Methods of `RangeToInclusive<Idx>`.
pub trait RangeToInclusiveMethods<Idx>: Sized {
    fn contains<U>(&self, item: &U) -> bool
    where
        Idx: PartialOrd<U>,
        U: ?Sized + PartialOrd<Idx>;
}

/// Methods of `ControlFlow<B, C>`.
pub trait ControlFlowMethods<B, C>: Sized {
    fn is_break(&self) -> bool;
    fn is_continue(&self) -> bool;
    fn break_value(self) -> Option<B>;
    fn continue_value(self) -> Option<C>;
    fn map_break<T, F: FnOnce(B) -> T>(self, f: F) -> ControlFlow<T, C>;
    fn map_continue<T, F: FnOnce(C) -> T>(self, f: F) -> ControlFlow<B, T>;
}

/// Methods of `Option<T>`.
pub trait OptionMethods<T>: Sized {
    fn is_some(&self) -> bool;
    fn is_some_and(self, f: impl FnOnce(T) -> bool) -> bool;
    fn is_none(&self) -> bool;
    fn is_none_or(self, f: impl FnOnce(T) -> bool) -> bool;
    fn as_ref(&self) -> Option<&T>;
    fn as_mut(&mut self) -> Option<&mut T>;
    fn expect(self, msg: &str) -> T;
    fn unwrap(self) -> T;
    fn unwrap_or(self, default: T) -> T;
    fn unwrap_or_else<F: FnOnce() -> T>(self, f: F) -> T;
    fn unwrap_or_default(self) -> T
    where
        T: Default;
    fn map<U, F: FnOnce(T) -> U>(self, f: F) -> Option<U>;
    fn inspect<F: FnOnce(&T)>(self, f: F) -> Self;
    fn map_or<U, F: FnOnce(T) -> U>(self, default: U, f: F) -> U;
    fn map_or_else<U, D: FnOnce() -> U, F: FnOnce(T) -> U>(self, default: D, f: F) -> U;
    fn ok_or<E>(self, err: E) -> Result<T, E>;
    fn ok_or_else<E, F: FnOnce() -> E>(self, err: F) -> Result<T, E>;
    fn as_deref(&self) -> Option<&T::Target>
    where
        T: std::ops::Deref;
    fn as_deref_mut(&mut self) -> Option<&mut T::Target>
    where
        T: std::ops::DerefMut;
    fn iter(&self) -> crate::option::Iter<'_, T>;
    fn iter_mut(&mut self) -> crate::option::IterMut<'_, T>;
    fn and<U>(self, optb: Option<U>) -> Option<U>;
    fn and_then<U, F: FnOnce(T) -> Option<U>>(self, f: F) -> Option<U>;
    fn filter<P: FnOnce(&T) -> bool>(self, predicate: P) -> Self;
    fn or(self, optb: Option<T>) -> Option<T>;
    fn or_else<F: FnOnce() -> Option<T>>(self, f: F) -> Option<T>;
    fn xor(self, optb: Option<T>) -> Option<T>;
    fn insert(&mut self, value: T) -> &mut T;
    fn get_or_insert(&mut self, value: T) -> &mut T;
    fn get_or_insert_with<F: FnOnce() -> T>(&mut self, f: F) -> &mut T;
    fn take(&mut self) -> Option<T>;
    fn take_if<P: FnOnce(&mut T) -> bool>(&mut self, predicate: P) -> Option<T>;
    fn replace(&mut self, value: T) -> Option<T>;
    fn zip<U>(self, other: Option<U>) -> Option<(T, U)>;
}

/// Methods of `Option<&T>`.
pub trait OptionRefMethods<T>: Sized {
    fn copied(self) -> Option<T>
    where
        T: Copy;
    fn cloned(self) -> Option<T>
    where
        T: Clone;
}

/// Methods of `Option<&mut T>`.
pub trait OptionMutMethods<T>: Sized {
    fn copied(self) -> Option<T>
    where
        T: Copy;
    fn cloned(self) -> Option<T>
    where
        T: Clone;
}

/// Methods of `Option<Option<T>>`.
pub trait OptionOptionMethods<T>: Sized {
    fn flatten(self) -> Option<T>;
}

/// Methods of `Option<(T, U)>`.
pub trait OptionPairMethods<T, U>: Sized {
    fn unzip(self) -> (Option<T>, Option<U>);
}

/// Methods of `Option<Result<T, E>>`.
pub trait OptionResultMethods<T, E>: Sized {
    fn transpose(self) -> Result<Option<T>, E>;
}

/// Methods of `Result<T, E>`.
pub trait ResultMethods<T, E>: Sized {
    fn is_ok(&self) -> bool;
    fn is_ok_and(self, f: impl FnOnce(T) -> bool) -> bool;
    fn is_err(&self) -> bool;
    fn is_err_and(self, f: impl FnOnce(E) -> bool) -> bool;
    fn ok(self) -> Option<T>;
    fn err(self) -> Option<E>;
    fn as_ref(&self) -> Result<&T, &E>;
    fn as_mut(&mut self) -> Result<&mut T, &mut E>;
    fn map<U, F: FnOnce(T) -> U>(self, op: F) -> Result<U, E>;
    fn map_or<U, F: FnOnce(T) -> U>(self, default: U, f: F) -> U;
    fn map_or_else<U, D: FnOnce(E) -> U, F: FnOnce(T) -> U>(self, default: D, f: F) -> U;
    fn map_err<F, O: FnOnce(E) -> F>(self, op: O) -> Result<T, F>;
    fn inspect<F: FnOnce(&T)>(self, f: F) -> Self;
    fn inspect_err<F: FnOnce(&E)>(self, f: F) -> Self;
    fn as_deref(&self) -> Result<&T::Target, &E>
    where
        T: std::ops::Deref;
    fn as_deref_mut(&mut self) -> Result<&mut T::Target, &mut E>
    where
        T: std::ops::DerefMut;
    fn iter(&self) -> crate::result::Iter<'_, T>;
    fn iter_mut(&mut self) -> crate::result::IterMut<'_, T>;
    fn expect(self, msg: &str) -> T;
    fn unwrap(self) -> T;
    fn unwrap_or_default(self) -> T
    where
        T: Default;
    fn expect_err(self, msg: &str) -> E;
    fn unwrap_err(self) -> E;
    fn and<U>(self, res: Result<U, E>) -> Result<U, E>;
    fn and_then<U, F: FnOnce(T) -> Result<U, E>>(self, op: F) -> Result<U, E>;
    fn or<F>(self, res: Result<T, F>) -> Result<T, F>;
    fn or_else<F, O: FnOnce(E) -> Result<T, F>>(self, op: O) -> Result<T, F>;
    fn unwrap_or(self, default: T) -> T;
    fn unwrap_or_else<F: FnOnce(E) -> T>(self, op: F) -> T;
}

/// Methods of `Result<&T, E>`.
pub trait ResultRefMethods<T, E>: Sized {
    fn copied(self) -> Result<T, E>
    where
        T: Copy;
    fn cloned(self) -> Result<T, E>
    where
        T: Clone;
}

/// Methods of `Result<&mut T, E>`.
pub trait ResultMutMethods<T, E>: Sized {
    fn copied(self) -> Result<T, E>
    where
        T: Copy;
    fn cloned(self) -> Result<T, E>
    where
        T: Clone;
}

/// Methods of `Result<Option<T>, E>`.
pub trait ResultOptionMethods<T, E>: Sized {
    fn transpose(self) -> Option<Result<T, E>>;
}

/// Methods of `Result<Result<T, E>, E>`.
pub trait ResultResultMethods<T, E>: Sized {
    fn flatten(self) -> Result<T, E>;
}

/// Methods of `[T]`.
pub trait SliceJoinMethods<T> {
    fn concat<Item: ?Sized>(&self) -> <Self as Concat<Item>>::Output
    where
        Self: Concat<Item>;
    fn join<Separator>(&self, sep: Separator) -> <Self as Join<Separator>>::Output
    where
        Self: Join<Separator>;
}

/// Methods of `[T]`.
pub trait SliceMethods<T> {
    fn is_empty(&self) -> bool;
    fn first(&self) -> Option<&T>;
    fn first_mut(&mut self) -> Option<&mut T>;
    fn last(&self) -> Option<&T>;
    fn last_mut(&mut self) -> Option<&mut T>;
    fn split_first(&self) -> Option<(&T, &[T])>;
    fn split_last(&self) -> Option<(&T, &[T])>;
    fn split_first_mut(&mut self) -> Option<(&mut T, &mut [T])>;
    fn split_last_mut(&mut self) -> Option<(&mut T, &mut [T])>;
    fn get<I: SliceIndex<[T]>>(&self, index: I) -> Option<&I::Output>;
    fn get_mut<I: SliceIndex<[T]>>(&mut self, index: I) -> Option<&mut I::Output>;
    fn as_ptr(&self) -> *const T;
    fn as_mut_ptr(&mut self) -> *mut T;
    fn get_unchecked<I: SliceIndex<[T]>>(&self, index: I) -> &I::Output;
    fn get_unchecked_mut<I: SliceIndex<[T]>>(&mut self, index: I) -> &mut I::Output;
    fn first_chunk<const N: usize>(&self) -> Option<&[T; N]>;
    fn last_chunk<const N: usize>(&self) -> Option<&[T; N]>;
    fn split_first_chunk<const N: usize>(&self) -> Option<(&[T; N], &[T])>;
    fn copy_within<R: RangeBounds<usize>>(&mut self, src: R, dest: usize)
    where
        T: Copy;
    fn swap(&mut self, a: usize, b: usize);
    fn reverse(&mut self);
    fn iter(&self) -> Iter<'_, T>;
    fn iter_mut(&mut self) -> IterMut<'_, T>;
    fn windows(&self, size: usize) -> Windows<'_, T>;
    fn chunks(&self, chunk_size: usize) -> Chunks<'_, T>;
    fn chunks_mut(&mut self, chunk_size: usize) -> ChunksMut<'_, T>;
    fn chunks_exact(&self, chunk_size: usize) -> ChunksExact<'_, T>;
    fn rchunks(&self, chunk_size: usize) -> RChunks<'_, T>;
    fn split_at(&self, mid: usize) -> (&[T], &[T]);
    fn split_at_checked(&self, mid: usize) -> Option<(&[T], &[T])>;
    fn split_at_mut(&mut self, mid: usize) -> (&mut [T], &mut [T]);
    fn split<F: FnMut(&T) -> bool>(&self, pred: F) -> Split<'_, T, F>;
    fn contains(&self, x: &T) -> bool
    where
        T: PartialEq;
    fn starts_with(&self, needle: &[T]) -> bool
    where
        T: PartialEq;
    fn ends_with(&self, needle: &[T]) -> bool
    where
        T: PartialEq;
    fn rotate_left(&mut self, mid: usize);
    fn rotate_right(&mut self, k: usize);
    fn fill(&mut self, value: T)
    where
        T: Clone;
    fn fill_with<F: FnMut() -> T>(&mut self, f: F);
    fn copy_from_slice(&mut self, src: &[T])
    where
        T: Copy;
    fn clone_from_slice(&mut self, src: &[T])
    where
        T: Clone;
    fn swap_with_slice(&mut self, other: &mut [T]);
    fn to_vec(&self) -> Vec<T>
    where
        T: Clone;
    fn repeat(&self, n: usize) -> Vec<T>
    where
        T: Copy;
}

/// Methods of `[u8]`.
pub trait SliceBytesMethods {
    fn is_ascii(&self) -> bool;
    fn eq_ignore_ascii_case(&self, other: &[u8]) -> bool;
    fn make_ascii_uppercase(&mut self);
    fn make_ascii_lowercase(&mut self);
    fn trim_ascii_start(&self) -> &[u8];
    fn trim_ascii_end(&self) -> &[u8];
    fn trim_ascii(&self) -> &[u8];
}

/// Methods of `[T]`.
pub trait SliceOrderMethods<T> {
    fn binary_search(&self, x: &T) -> Result<usize, usize>
    where
        T: Ord;
    fn binary_search_by<'a, F: FnMut(&'a T) -> Ordering>(&'a self, f: F) -> Result<usize, usize>
    where
        T: 'a;
    fn binary_search_by_key<'a, B: Ord, F: FnMut(&'a T) -> B>(&'a self, b: &B, f: F) -> Result<usize, usize>
    where
        T: 'a;
    fn partition_point<P: FnMut(&T) -> bool>(&self, pred: P) -> usize;
    fn sort(&mut self)
    where
        T: Ord;
    fn sort_by<F: FnMut(&T, &T) -> Ordering>(&mut self, compare: F);
    fn sort_by_key<K: Ord, F: FnMut(&T) -> K>(&mut self, f: F);
    fn sort_by_cached_key<K: Ord, F: FnMut(&T) -> K>(&mut self, f: F);
    fn sort_unstable(&mut self)
    where
        T: Ord;
    fn sort_unstable_by<F: FnMut(&T, &T) -> Ordering>(&mut self, compare: F);
    fn sort_unstable_by_key<K: Ord, F: FnMut(&T) -> K>(&mut self, f: F);
    fn is_sorted(&self) -> bool
    where
        T: PartialOrd;
}

/// Methods of `str`.
pub trait StrMethods {
    fn as_ptr(&self) -> *const u8;
    fn as_mut_ptr(&mut self) -> *mut u8;
    fn is_empty(&self) -> bool;
    fn is_char_boundary(&self, index: usize) -> bool;
    fn chars(&self) -> Chars<'_>;
    fn char_indices(&self) -> CharIndices<'_>;
    fn bytes(&self) -> Bytes<'_>;
    fn lines(&self) -> Lines<'_>;
    fn split_whitespace(&self) -> SplitWhitespace<'_>;
    fn split_ascii_whitespace(&self) -> SplitAsciiWhitespace<'_>;
    fn get<I: SliceIndex<str>>(&self, i: I) -> Option<&I::Output>;
    fn split_at(&self, mid: usize) -> (&str, &str);
    fn split_at_checked(&self, mid: usize) -> Option<(&str, &str)>;
    fn contains<P: Pattern>(&self, pat: P) -> bool;
    fn starts_with<P: Pattern>(&self, pat: P) -> bool;
    fn ends_with<P: Pattern>(&self, pat: P) -> bool;
    fn find<P: Pattern>(&self, pat: P) -> Option<usize>;
    fn rfind<P: Pattern>(&self, pat: P) -> Option<usize>;
    fn split<P: Pattern>(&self, pat: P) -> crate::str::Split<'_, P>;
    fn rsplit<P: Pattern>(&self, pat: P) -> RSplit<'_, P>;
    fn split_terminator<P: Pattern>(&self, pat: P) -> SplitTerminator<'_, P>;
    fn split_inclusive<P: Pattern>(&self, pat: P) -> SplitInclusive<'_, P>;
    fn splitn<P: Pattern>(&self, n: usize, pat: P) -> SplitN<'_, P>;
    fn rsplitn<P: Pattern>(&self, n: usize, pat: P) -> RSplitN<'_, P>;
    fn split_once<P: Pattern>(&self, delimiter: P) -> Option<(&str, &str)>;
    fn rsplit_once<P: Pattern>(&self, delimiter: P) -> Option<(&str, &str)>;
    fn matches<P: Pattern>(&self, pat: P) -> Matches<'_, P>;
    fn match_indices<P: Pattern>(&self, pat: P) -> MatchIndices<'_, P>;
    fn trim(&self) -> &str;
    fn trim_start(&self) -> &str;
    fn trim_end(&self) -> &str;
    fn trim_matches<P: Pattern>(&self, pat: P) -> &str;
    fn trim_start_matches<P: Pattern>(&self, pat: P) -> &str;
    fn trim_end_matches<P: Pattern>(&self, pat: P) -> &str;
    fn strip_prefix<P: Pattern>(&self, prefix: P) -> Option<&str>;
    fn strip_suffix<P: Pattern>(&self, suffix: P) -> Option<&str>;
    fn parse<F: FromStr>(&self) -> Result<F, F::Err>;
    fn is_ascii(&self) -> bool;
    fn eq_ignore_ascii_case(&self, other: &str) -> bool;
    fn trim_ascii(&self) -> &str;
    fn trim_ascii_start(&self) -> &str;
    fn trim_ascii_end(&self) -> &str;
}

/// Methods of `str`.
pub trait StrOwnedMethods {
    fn to_ascii_uppercase(&self) -> String;
    fn to_ascii_lowercase(&self) -> String;
    fn to_uppercase(&self) -> String;
    fn to_lowercase(&self) -> String;
    fn repeat(&self, n: usize) -> String;
    fn replace<P: Pattern>(&self, from: P, to: &str) -> String;
    fn replacen<P: Pattern>(&self, pat: P, to: &str, count: usize) -> String;
}

/// Methods of `String`.
pub trait StringMethods: Sized {
    fn with_capacity(capacity: usize) -> String;
    fn capacity(&self) -> usize;
    fn reserve(&mut self, additional: usize);
    fn shrink_to_fit(&mut self) {}
    fn len(&self) -> usize;
    fn is_empty(&self) -> bool;
    fn as_bytes(&self) -> &[u8];
    fn into_bytes(self) -> Vec<u8>;
    fn from_utf8(vec: Vec<u8>) -> Result<String, FromUtf8Error>;
    fn from_utf8_unchecked(bytes: Vec<u8>) -> String;
    fn push(&mut self, ch: char);
    fn pop(&mut self) -> Option<char>;
    fn clear(&mut self);
    fn truncate(&mut self, new_len: usize);
    fn remove(&mut self, idx: usize) -> char;
    fn insert(&mut self, idx: usize, ch: char);
    fn insert_str(&mut self, idx: usize, string: &str);
    fn split_off(&mut self, at: usize) -> String;
    fn retain<F: FnMut(char) -> bool>(&mut self, f: F);
}

/// Methods of `Vec<T>`.
pub trait VecMethods<T>: Sized {
    fn as_ptr(&self) -> *const T;
    fn as_mut_ptr(&mut self) -> *mut T;
    fn with_capacity(capacity: usize) -> Vec<T>;
    fn capacity(&self) -> usize;
    fn reserve(&mut self, additional: usize);
    fn reserve_exact(&mut self, additional: usize);
    fn shrink_to_fit(&mut self) {}
    fn is_empty(&self) -> bool;
    fn clear(&mut self);
    fn truncate(&mut self, len: usize);
    fn insert(&mut self, index: usize, element: T);
    fn remove(&mut self, index: usize) -> T;
    fn swap_remove(&mut self, index: usize) -> T;
    fn pop_if(&mut self, predicate: impl FnOnce(&mut T) -> bool) -> Option<T>;
    fn retain<F: FnMut(&T) -> bool>(&mut self, f: F);
    fn retain_mut<F: FnMut(&mut T) -> bool>(&mut self, f: F);
    fn dedup_by<F: FnMut(&mut T, &mut T) -> bool>(&mut self, same_bucket: F);
    fn dedup_by_key<F: FnMut(&mut T) -> K, K: PartialEq>(&mut self, key: F);
    fn append(&mut self, other: &mut Vec<T>);
    fn split_off(&mut self, at: usize) -> Vec<T>;
    fn drain<R: RangeBounds<usize>>(&mut self, range: R) -> Drain<'_, T>;
    fn resize_with<F: FnMut() -> T>(&mut self, new_len: usize, f: F);
}

/// Methods of `Vec<T>`.
pub trait VecCloneMethods<T>: Sized {
    fn extend_from_slice(&mut self, other: &[T]);
    fn resize(&mut self, new_len: usize, value: T);
}

/// Methods of `Vec<T>`.
pub trait VecEqMethods<T>: Sized {
    fn dedup(&mut self);
}

/// Methods of `*const T`.
pub trait ConstPtrMethods<T>: Sized {
    unsafe fn add(self, count: usize) -> *const T;
    unsafe fn sub(self, count: usize) -> *const T;
    unsafe fn offset(self, count: isize) -> *const T;
    fn wrapping_add(self, count: usize) -> *const T;
    fn wrapping_sub(self, count: usize) -> *const T;
    fn wrapping_offset(self, count: isize) -> *const T;
    unsafe fn offset_from(self, origin: *const T) -> isize;
    fn is_null(self) -> bool;
    fn cast<U>(self) -> *const U;
    fn cast_mut(self) -> *mut T;
    unsafe fn read(self) -> T;
    unsafe fn read_unaligned(self) -> T;
    unsafe fn as_ref<'a>(self) -> Option<&'a T>;
    unsafe fn copy_to(self, dest: *mut T, count: usize);
    unsafe fn copy_to_nonoverlapping(self, dest: *mut T, count: usize);
}

/// Methods of `*mut T`.
pub trait MutPtrMethods<T>: Sized {
    unsafe fn add(self, count: usize) -> *mut T;
    unsafe fn sub(self, count: usize) -> *mut T;
    unsafe fn offset(self, count: isize) -> *mut T;
    fn wrapping_add(self, count: usize) -> *mut T;
    fn wrapping_sub(self, count: usize) -> *mut T;
    fn wrapping_offset(self, count: isize) -> *mut T;
    unsafe fn offset_from(self, origin: *const T) -> isize;
    fn is_null(self) -> bool;
    fn cast<U>(self) -> *mut U;
    fn cast_const(self) -> *const T;
    unsafe fn read(self) -> T;
    unsafe fn read_unaligned(self) -> T;
    unsafe fn write(self, val: T);
    unsafe fn write_unaligned(self, val: T);
    unsafe fn replace(self, src: T) -> T;
    unsafe fn swap(self, with: *mut T);
    unsafe fn drop_in_place(self);
    unsafe fn as_ref<'a>(self) -> Option<&'a T>;
    unsafe fn as_mut<'a>(self) -> Option<&'a mut T>;
    unsafe fn copy_to(self, dest: *mut T, count: usize);
    unsafe fn copy_to_nonoverlapping(self, dest: *mut T, count: usize);
    unsafe fn copy_from(self, src: *const T, count: usize);
    unsafe fn copy_from_nonoverlapping(self, src: *const T, count: usize);
}
