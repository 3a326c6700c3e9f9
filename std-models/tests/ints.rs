//! Integer models against the real methods: exhaustively for eight bits, on edge values and random ones beyond.

// The expressions are what the real operators and methods are called by; shorter ones would call others.
#![allow(clippy::all)]

mod common;

use common::same;
use proptest::prelude::*;
use std_models::inherent::{
    DivisionMethods, IntBytes, IntMethods, ParseMethods, SignedMethods, UnsignedMethods,
};

/// Compares methods of two integers on all pairs.
macro_rules! binary {
    ($values:expr, $ty:ident, $trait:ident: $($method:ident)*) => {$(
        for &a in $values {
            for &b in $values {
                same(
                    (stringify!($method), a, b),
                    || <$ty as $trait<_>>::$method(a, b),
                    || a.$method(b),
                );
            }
        }
    )*};
    ($values:expr, $ty:ident, plain $trait:ident: $($method:ident)*) => {$(
        for &a in $values {
            for &b in $values {
                same((stringify!($method), a, b), || <$ty as $trait>::$method(a, b), || a.$method(b));
            }
        }
    )*};
}

/// Compares methods of an integer and an exponent or shift.
macro_rules! with_u32 {
    ($values:expr, $ty:ident: $($method:ident in $trait:ident)*) => {$(
        for &a in $values {
            for b in (0u32..=20).chain([31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, u32::MAX]) {
                same((stringify!($method), a, b), || <$ty as $trait>::$method(a, b), || a.$method(b));
            }
        }
    )*};
}

macro_rules! unary {
    ($values:expr, $ty:ident, $trait:ident: $($method:ident)*) => {$(
        for &a in $values {
            same((stringify!($method), a), || <$ty as $trait<_>>::$method(a), || a.$method());
        }
    )*};
    ($values:expr, $ty:ident, plain $trait:ident: $($method:ident)*) => {$(
        for &a in $values {
            same((stringify!($method), a), || <$ty as $trait>::$method(a), || a.$method());
        }
    )*};
}

macro_rules! common_methods {
    ($values:expr, $ty:ident) => {
        binary!($values, $ty, plain IntMethods: checked_add checked_sub checked_mul checked_ilog ilog);
        binary!($values, $ty, plain DivisionMethods:
            checked_div checked_rem wrapping_div wrapping_rem overflowing_div overflowing_rem div_euclid rem_euclid
            checked_div_euclid checked_rem_euclid wrapping_div_euclid wrapping_rem_euclid overflowing_div_euclid
            overflowing_rem_euclid saturating_add saturating_sub saturating_mul saturating_div);
        with_u32!($values, $ty:
            checked_shl in IntMethods checked_shr in IntMethods overflowing_shl in IntMethods
            overflowing_shr in IntMethods unbounded_shl in IntMethods unbounded_shr in DivisionMethods
            pow in IntMethods checked_pow in IntMethods wrapping_pow in IntMethods overflowing_pow in IntMethods
            saturating_pow in DivisionMethods rotate_left in IntMethods rotate_right in IntMethods);
        unary!($values, $ty, plain IntMethods:
            count_zeros leading_ones trailing_ones swap_bytes reverse_bits to_be to_le checked_ilog2 checked_ilog10
            ilog2 ilog10 isqrt);
        unary!($values, $ty, plain DivisionMethods: checked_neg overflowing_neg);
        unary!($values, $ty, IntBytes: to_le_bytes to_be_bytes to_ne_bytes);
        for &a in $values {
            same(("from_bytes", a), || <$ty as IntBytes<_>>::from_le_bytes(a.to_le_bytes()), || a);
            same(("from_bytes", a), || <$ty as IntBytes<_>>::from_be_bytes(a.to_be_bytes()), || a);
            same(("from_be", a), || <$ty as IntMethods>::from_be(a), || $ty::from_be(a));
        }
    };
}

macro_rules! signed_methods {
    ($values:expr, $unsigned_values:expr, $ty:ident) => {
        common_methods!($values, $ty);
        binary!($values, $ty, SignedMethods: abs_diff);
        unary!($values, $ty, SignedMethods:
            abs checked_abs wrapping_abs overflowing_abs saturating_abs saturating_neg unsigned_abs signum
            is_positive is_negative checked_isqrt cast_unsigned);
        for &a in $values {
            for &b in $unsigned_values {
                same(("add_unsigned", a, b), || SignedMethods::checked_add_unsigned(a, b), || a.checked_add_unsigned(b));
                same(("sub_unsigned", a, b), || SignedMethods::checked_sub_unsigned(a, b), || a.checked_sub_unsigned(b));
                same(("sat_add", a, b), || SignedMethods::saturating_add_unsigned(a, b), || a.saturating_add_unsigned(b));
                same(("sat_sub", a, b), || SignedMethods::saturating_sub_unsigned(a, b), || a.saturating_sub_unsigned(b));
            }
        }
    };
}

macro_rules! unsigned_methods {
    ($values:expr, $signed_values:expr, $ty:ident) => {
        common_methods!($values, $ty);
        binary!($values, $ty, UnsignedMethods:
            abs_diff div_ceil next_multiple_of checked_next_multiple_of is_multiple_of midpoint checked_signed_diff);
        unary!($values, $ty, UnsignedMethods:
            is_power_of_two next_power_of_two checked_next_power_of_two cast_signed);
        for &a in $values {
            for &b in $signed_values {
                same(("add_signed", a, b), || UnsignedMethods::checked_add_signed(a, b), || a.checked_add_signed(b));
                same(("sat", a, b), || UnsignedMethods::saturating_add_signed(a, b), || a.saturating_add_signed(b));
                same(("wrap", a, b), || UnsignedMethods::wrapping_add_signed(a, b), || a.wrapping_add_signed(b));
                same(("over", a, b), || UnsignedMethods::overflowing_add_signed(a, b), || a.overflowing_add_signed(b));
            }
        }
    };
}

#[test]
fn all_of_i8() {
    let signed: Vec<i8> = (i8::MIN..=i8::MAX).collect();
    let unsigned: Vec<u8> = (0..=u8::MAX).collect();
    signed_methods!(&signed, &unsigned, i8);
}

#[test]
fn all_of_u8() {
    let signed: Vec<i8> = (i8::MIN..=i8::MAX).collect();
    let unsigned: Vec<u8> = (0..=u8::MAX).collect();
    unsigned_methods!(&unsigned, &signed, u8);
}

/// Values around every power of two and both ends.
macro_rules! edges {
    ($ty:ident) => {{
        let mut values: Vec<$ty> =
            vec![<$ty>::MIN, <$ty>::MAX, <$ty>::MIN + 1, <$ty>::MAX - 1, 7, 10, 99, 100, 1000u16 as $ty];
        let mut shift = 0;
        while shift < <$ty>::BITS {
            let power = (1 as $ty) << shift;
            values.extend([power, power.wrapping_sub(1), power.wrapping_neg()]);
            shift += if <$ty>::BITS > 32 { 7 } else { 3 };
        }
        values.sort();
        values.dedup();
        values
    }};
}

macro_rules! edge_tests {
    ($($name:ident $signed:ident $unsigned:ident;)*) => {$(
        #[test]
        fn $name() {
            let signed = edges!($signed);
            let unsigned = edges!($unsigned);
            signed_methods!(&signed, &unsigned, $signed);
            unsigned_methods!(&unsigned, &signed, $unsigned);
        }
    )*};
}

edge_tests! {
    edges_of_16_bits i16 u16;
    edges_of_32_bits i32 u32;
    edges_of_64_bits i64 u64;
    edges_of_128_bits i128 u128;
    edges_of_pointer_width isize usize;
}

/// The kinds of error have the same names; the types differ.
fn parsed<T, E: std::fmt::Debug>(result: Result<T, E>) -> Result<T, String> {
    result.map_err(|error| format!("{error:?}"))
}

macro_rules! parses {
    ($text:expr, $radix:expr => $($ty:ident)*) => {$(
        same(
            ($text, $radix, stringify!($ty)),
            || parsed(<$ty as ParseMethods>::from_str_radix($text, $radix)),
            || parsed($ty::from_str_radix($text, $radix)),
        );
        if $radix == 10 {
            same(
                ($text, stringify!($ty)),
                || parsed(<$ty as std_models::str::FromStr>::from_str($text)),
                || parsed($text.parse::<$ty>()),
            );
        }
    )*};
}

proptest! {
    #[test]
    fn parsing_text_near_numbers(text in "[+-]?[0-9a-fA-FzZ_ é]{0,6}", radix in 0u32..40) {
        let text = text.as_str();
        parses!(text, radix => i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 isize usize);
    }

    #[test]
    fn parsing_decimal_numbers(text in "[+-]?[0-9]{0,4}([0-9]{17}|[0-9]{36})?[0-9]{0,4}") {
        let text = text.as_str();
        parses!(text, 10 => i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 isize usize);
    }

    #[test]
    fn random_64_bits(a: i64, b: i64, c: u64, d: u64) {
        let (signed, unsigned) = ([a, b], [c, d]);
        signed_methods!(&signed, &unsigned, i64);
        unsigned_methods!(&unsigned, &signed, u64);
    }
}

#[test]
fn parsing_the_extremes() {
    for text in [
        "-128",
        "-129",
        "127",
        "128",
        "255",
        "256",
        "-0",
        "+0",
        "0",
        "-",
        "+",
        "",
        "--1",
        "+-1",
        "00000000001",
    ] {
        parses!(text, 10 => i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 isize usize);
    }
}
