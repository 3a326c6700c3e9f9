//! Operators on integers, `bool` and `char`, against those of Rust.

use super::*;

/// `_1 op _2`, without checks.
fn operation(op: &str, ty: &str, output: &str) -> String {
    format!("fn f(_1: {ty}, _2: {ty}) -> {output} {{ bb0: {{ _0 = {op}(copy _1, copy _2); return; }} }}")
}

/// `_1 op _2` with the checks that rustc puts in front of divisions.
fn division(op: &str, check: &str, ty: &str, min: i128) -> String {
    format!(
        "fn f(_1: {ty}, _2: {ty}) -> {ty} {{
            let _3: bool; let _4: bool; let _5: bool; let _6: bool;
            bb0: {{ _3 = Eq(copy _2, const 0_{ty}); assert(!move _3, {check} of copy _1 by zero) -> bb1; }}
            bb1: {{
                _4 = Eq(copy _2, const -1_{ty}); _5 = Eq(copy _1, const {min}_{ty});
                _6 = BitAnd(move _4, move _5);
                assert(!move _6, overflow {op}(copy _1, copy _2)) -> bb2;
            }}
            bb2: {{ _0 = {op}(copy _1, copy _2); return; }}
        }}"
    )
}

/// Everything that Rust has for two numbers of one type.
macro_rules! check_type {
    ($ty:ident, $unsigned:ident, $int:expr) => {
        let name = stringify!($ty);
        let both = |input: &[Value]| (bits(input)[0] as $ty, bits(input)[1] as $ty);
        let bits_of = |value: $ty| value as $unsigned as u128;
        let check_pure = |op: &str, output: &str, rust: &dyn Fn($ty, $ty) -> u128| {
            let partitions = check_everywhere(&operation(op, name, output), pairs($int), |input| {
                let (a, b) = both(input);
                Ok(vec![rust(a, b)])
            });
            assert_eq!(partitions, 1, "{op} on {name} branches");
        };
        check_pure("Add", name, &|a, b| bits_of(a.wrapping_add(b)));
        check_pure("Sub", name, &|a, b| bits_of(a.wrapping_sub(b)));
        check_pure("Mul", name, &|a, b| bits_of(a.wrapping_mul(b)));
        check_pure("BitAnd", name, &|a, b| bits_of(a & b));
        check_pure("BitOr", name, &|a, b| bits_of(a | b));
        check_pure("BitXor", name, &|a, b| bits_of(a ^ b));
        check_pure("Eq", "bool", &|a, b| (a == b).into());
        check_pure("Ne", "bool", &|a, b| (a != b).into());
        check_pure("Lt", "bool", &|a, b| (a < b).into());
        check_pure("Le", "bool", &|a, b| (a <= b).into());
        check_pure("Gt", "bool", &|a, b| (a > b).into());
        check_pure("Ge", "bool", &|a, b| (a >= b).into());
        // MIR masks the amount to the width, as `wrapping_shl` does.
        check_pure("Shl", name, &|a, b| bits_of(a.wrapping_shl(b as u32)));
        check_pure("Shr", name, &|a, b| bits_of(a.wrapping_shr(b as u32)));
        let check_overflow = |op: &str, rust: &dyn Fn($ty, $ty) -> ($ty, bool)| {
            let pair = format!("({name}, bool)");
            check_everywhere(&operation(&format!("{op}WithOverflow"), name, &pair), pairs($int), |input| {
                let (a, b) = both(input);
                let (value, overflowed) = rust(a, b);
                Ok(vec![bits_of(value), overflowed.into()])
            });
        };
        check_overflow("Add", &|a, b| a.overflowing_add(b));
        check_overflow("Sub", &|a, b| a.overflowing_sub(b));
        check_overflow("Mul", &|a, b| a.overflowing_mul(b));
        let check_division = |op: &str, check: &str, rust: &dyn Fn($ty, $ty) -> Option<$ty>| {
            let is_signed = <$ty>::MIN != 0;
            let text = match is_signed {
                true => division(op, check, name, <$ty>::MIN as i128),
                false => format!(
                    "fn f(_1: {name}, _2: {name}) -> {name} {{ let _3: bool;
                        bb0: {{ _3 = Eq(copy _2, const 0_{name}); assert(!move _3, {check} of copy _1 by zero) -> bb1; }}
                        bb1: {{ _0 = {op}(copy _1, copy _2); return; }} }}"
                ),
            };
            let partitions = check_everywhere(&text, pairs($int), |input| {
                let (a, b) = both(input);
                match rust(a, b) {
                    Some(value) => Ok(vec![bits_of(value)]),
                    None if b == 0 => Err(PanicKind::DivisionByZero),
                    None => Err(PanicKind::Overflow),
                }
            });
            assert_eq!(partitions, if is_signed { 3 } else { 2 }, "{op} on {name}");
        };
        check_division("Div", "division", &|a, b| a.checked_div(b));
        check_division("Rem", "remainder", &|a, b| a.checked_rem(b));
    };
}

#[test]
fn bytes() {
    check_type!(u8, u8, IntTy::U8);
    check_type!(i8, u8, IntTy::I8);
}

#[test]
fn sixteen_bits() {
    check_type!(u16, u16, IntTy::U16);
    check_type!(i16, u16, IntTy::I16);
}

#[test]
fn thirty_two_bits() {
    check_type!(u32, u32, IntTy::U32);
    check_type!(i32, u32, IntTy::I32);
}

#[test]
fn sixty_four_bits() {
    check_type!(usize, usize, IntTy::Usize);
    check_type!(i64, u64, IntTy::I64);
}

#[test]
fn one_hundred_twenty_eight_bits() {
    check_type!(u128, u128, IntTy::U128);
    check_type!(i128, u128, IntTy::I128);
}

#[test]
fn unary_operators() {
    let text =
        |op: &str, ty: &str| format!("fn f(_1: {ty}) -> {ty} {{ bb0: {{ _0 = {op}(copy _1); return; }} }}");
    let all = |ty| (0..=255).map(move |number| vec![int(ty, number)]);
    check_everywhere(&text("Not", "u8"), all(IntTy::U8), |input| {
        Ok(vec![u128::from(!(bits(input)[0] as u8))])
    });
    check_everywhere(&text("Neg", "i8"), all(IntTy::I8), |input| {
        Ok(vec![u128::from((bits(input)[0] as u8 as i8).wrapping_neg() as u8)])
    });
    let both = [false, true].map(|value| vec![Value::Bool(value)]);
    check_everywhere(&text("Not", "bool"), both, |input| Ok(vec![1 - bits(input)[0]]));
}

#[test]
fn operators_on_bool() {
    let all = || [0, 1, 2, 3].map(|both| vec![Value::Bool(both & 1 != 0), Value::Bool(both & 2 != 0)]);
    let check = |op: &str, rust: fn(bool, bool) -> bool| {
        let partitions = check_everywhere(&operation(op, "bool", "bool"), all(), |input| {
            let found = bits(input);
            Ok(vec![rust(found[0] != 0, found[1] != 0).into()])
        });
        assert_eq!(partitions, 1, "{op}");
    };
    check("BitAnd", |a, b| a & b);
    check("BitOr", |a, b| a | b);
    check("BitXor", |a, b| a ^ b);
    check("Eq", |a, b| a == b);
    check("Ne", |a, b| a != b);
    check("Lt", |a, b| !a & b);
    check("Le", |a, b| a <= b);
    check("Gt", |a, b| a & !b);
    check("Ge", |a, b| a >= b);
}

#[test]
fn shift_amounts_of_another_type_are_masked_to_the_width_of_the_value() {
    let text = |value: &str, amount: &str, op: &str| {
        format!(
            "fn f(_1: {value}, _2: {amount}) -> {value} {{ bb0: {{ _0 = {op}(copy _1, copy _2); return; }} }}"
        )
    };
    let amounts = || [-128i128, -9, -8, -1, 0, 1, 7, 8, 9, 31, 32, 63, 64, 127];
    let inputs = |value: IntTy, amount: IntTy| {
        amounts().into_iter().map(move |by| vec![int(value, -0x1234_5678_9abc), int(amount, by)])
    };
    let amount = |input: &[Value]| bits(input)[1] as u8 as i8 as u32;
    check_everywhere(&text("u32", "i8", "Shl"), inputs(IntTy::U32, IntTy::I8), |input| {
        Ok(vec![(bits(input)[0] as u32).wrapping_shl(amount(input)).into()])
    });
    check_everywhere(&text("i8", "i8", "Shr"), inputs(IntTy::I8, IntTy::I8), |input| {
        Ok(vec![u128::from((bits(input)[0] as u8 as i8).wrapping_shr(amount(input)) as u8)])
    });
    check_everywhere(&text("i128", "i8", "Shr"), inputs(IntTy::I128, IntTy::I8), |input| {
        Ok(vec![(bits(input)[0] as i128).wrapping_shr(amount(input)) as u128])
    });
    check_everywhere(&text("u8", "u128", "Shl"), inputs(IntTy::U8, IntTy::U128), |input| {
        Ok(vec![(bits(input)[0] as u8).wrapping_shl(bits(input)[1] as u32).into()])
    });
}

#[test]
fn three_way_comparison_goes_by_sign() {
    let text = |ty: &str| {
        format!(
            "fn f(_1: {ty}, _2: {ty}) -> i8 {{ let _3: std::cmp::Ordering;
                bb0: {{ _3 = Cmp(copy _1, copy _2); _0 = discriminant(_3); return; }} }}
             #[repr(i8)] enum std::cmp::Ordering {{ Less = -1, Equal = 0, Greater = 1 }}"
        )
    };
    let order = |ordering: std::cmp::Ordering| Ok(vec![u128::from(ordering as i8 as u8)]);
    let partitions = check_everywhere(&text("i8"), pairs(IntTy::I8), |input| {
        order((bits(input)[0] as u8 as i8).cmp(&(bits(input)[1] as u8 as i8)))
    });
    assert_eq!(partitions, 1);
    check_everywhere(&text("u8"), pairs(IntTy::U8), |input| order(bits(input)[0].cmp(&bits(input)[1])));
}

#[test]
fn a_division_that_nothing_checked_is_refused() {
    check_unsupported(&operation("Div", "u8", "u8"), "1_u8, 0_u8");
    check_unsupported(&operation("Rem", "i32", "i32"), "1_i32, 0_i32");
}
