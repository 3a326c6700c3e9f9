//! Casts between integers, `bool` and `char`, transmutes, against `as` and `to_ne_bytes` of Rust.

use super::*;

fn cast(from: &str, to: &str, kind: &str) -> String {
    format!("fn f(_1: {from}) -> {to} {{ bb0: {{ _0 = copy _1 as {to} ({kind}); return; }} }}")
}

/// The first numbers of the pairs of a type.
fn numbers(ty: IntTy) -> Vec<Vec<Value>> {
    let mut numbers: Vec<Vec<Value>> = pairs(ty).into_iter().map(|pair| vec![pair[0].clone()]).collect();
    numbers.dedup();
    numbers
}

macro_rules! check_casts {
    ($from:ident => $($to:ident: $unsigned:ident),*) => {$(
        let (from, to) = (stringify!($from), stringify!($to));
        let ty = IntTy::from_name(from).expect("a type");
        let partitions = check_everywhere(&cast(from, to, "IntToInt"), numbers(ty), |input| {
            Ok(vec![bits(input)[0] as $from as $to as $unsigned as u128])
        });
        assert_eq!(partitions, 1);
    )*};
}

macro_rules! check_casts_from {
    ($($from:ident),*) => {$(
        check_casts!($from => u8: u8, i8: u8, u16: u16, i16: u16, u32: u32, i32: u32, u64: u64, i64: u64,
            u128: u128, i128: u128, usize: u64, isize: u64);
    )*};
}

#[test]
fn integers_are_cut_off_or_extended_by_the_sign_of_the_source() {
    check_casts_from!(u8, i8, u16, i16, u32, i32, u64, i64, u128, i128, usize, isize);
}

#[test]
fn characters_and_truth_values_are_numbers() {
    let chars = ['\0', 'a', 'ÿ', 'Ā', '\u{10ffff}'].map(|c| vec![Value::Char(c)]);
    check_everywhere(&cast("char", "u32", "IntToInt"), chars.clone(), |input| Ok(bits(input)));
    check_everywhere(&cast("char", "u8", "IntToInt"), chars, |input| Ok(vec![bits(input)[0] & 0xff]));
    let bytes = (0..=255).map(|byte| vec![int(IntTy::U8, byte)]);
    check_everywhere(&cast("u8", "char", "IntToInt"), bytes, |input| Ok(bits(input)));
    let both = [false, true].map(|value| vec![Value::Bool(value)]);
    check_everywhere(&cast("bool", "i64", "IntToInt"), both, |input| Ok(bits(input)));
}

#[test]
fn transmutes_keep_the_bits_in_the_order_of_the_machine() {
    let text = |from: &str, to: &str| cast(from, to, "Transmute");
    check(&text("u32", "[u8; 4]"), "287454020_u32", "[68, 51, 34, 17]");
    check(&text("[u8; 4]", "u32"), "[68_u8, 51_u8, 34_u8, 17_u8]", "287454020");
    check(&text("i16", "u16"), "-2_i16", "65534");
    check(&text("[u16; 2]", "i32"), "[65534_u16, 65535_u16]", "-2");
    check(&text("f32", "u32"), "1.0f32", "1065353216");
    check(&text("u64", "f64"), "4607182418800017408_u64", "1.0");
    let words = numbers(IntTy::U32);
    check_everywhere(&text("u32", "[u8; 4]"), words, |input| {
        Ok((bits(input)[0] as u32).to_le_bytes().map(u128::from).to_vec())
    });
}

#[test]
fn a_transmute_to_another_size_is_refused() {
    check_unsupported(&cast("u32", "u16", "Transmute"), "1_u32");
    check_unsupported(&cast("[u8; 3]", "u32", "Transmute"), "[1_u8, 2_u8, 3_u8]");
    check_unsupported(&cast("u8", "bool", "Transmute"), "1_u8");
}

#[test]
fn a_transmute_to_a_character_that_is_none_is_refused() {
    let text = cast("u32", "char", "Transmute");
    check(&text, "97_u32", "'a'");
    check_unsupported(&text, "55296_u32");
    assert!(!run(&text, "97_u32").conditions.is_empty(), "that it is a character is a condition");
}

#[test]
fn the_address_of_something_is_no_number() {
    let text = "fn f(_1: &u8) -> usize { let _2: *const u8;
        bb0: { _2 = &raw const (*_1); _0 = copy _2 as usize (ExposeProvenance); return; } }";
    check_unsupported(text, "&1_u8");
}
