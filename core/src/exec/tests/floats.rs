//! Floats, against those of Rust. All NaNs are one.

use super::*;

const NUMBERS: [f64; 22] = [
    0.0,
    -0.0,
    0.5,
    -0.5,
    1.0,
    1.5,
    2.5,
    -2.5,
    3.7,
    -3.7,
    127.9,
    128.0,
    255.5,
    256.0,
    -129.0,
    1e10,
    -1e19,
    1e39,
    1e-310,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
];

type Unary = fn(f64) -> f64;
type Binary = fn(f64, f64) -> f64;

fn one_nan(value: f64) -> u128 {
    if value.is_nan() { f64::NAN.to_bits().into() } else { value.to_bits().into() }
}

fn one_nan_32(value: f32) -> u128 {
    if value.is_nan() { f32::NAN.to_bits().into() } else { value.to_bits().into() }
}

fn of_bits(bits: u128) -> f64 {
    f64::from_bits(bits as u64)
}

fn pairs_of_floats() -> Vec<Vec<Value>> {
    let all = || NUMBERS.iter().map(|number| Value::F64(number.to_bits()));
    all().flat_map(|a| all().map(move |b| vec![a.clone(), b])).collect()
}

fn singles() -> Vec<Vec<Value>> {
    NUMBERS.iter().map(|number| vec![Value::F64(number.to_bits())]).collect()
}

#[test]
fn arithmetic_and_comparison() {
    let text = |op: &str, output: &str| {
        format!("fn f(_1: f64, _2: f64) -> {output} {{ bb0: {{ _0 = {op}(copy _1, copy _2); return; }} }}")
    };
    let arithmetic = |op: &str, rust: fn(f64, f64) -> f64| {
        let partitions = check_everywhere(&text(op, "f64"), pairs_of_floats(), |input| {
            Ok(vec![one_nan(rust(of_bits(bits(input)[0]), of_bits(bits(input)[1])))])
        });
        assert_eq!(partitions, 1, "{op}");
    };
    arithmetic("Add", |a, b| a + b);
    arithmetic("Sub", |a, b| a - b);
    arithmetic("Mul", |a, b| a * b);
    arithmetic("Div", |a, b| a / b);
    arithmetic("Rem", |a, b| a % b);
    let comparison = |op: &str, rust: fn(f64, f64) -> bool| {
        check_everywhere(&text(op, "bool"), pairs_of_floats(), |input| {
            Ok(vec![rust(of_bits(bits(input)[0]), of_bits(bits(input)[1])).into()])
        });
    };
    comparison("Eq", |a, b| a == b);
    comparison("Ne", |a, b| a != b);
    comparison("Lt", |a, b| a < b);
    comparison("Le", |a, b| a <= b);
    comparison("Gt", |a, b| a > b);
    comparison("Ge", |a, b| a >= b);
}

#[test]
fn negation_turns_the_sign_of_zero_too() {
    let text = "fn f(_1: f64) -> f64 { bb0: { _0 = Neg(copy _1); return; } }";
    check_everywhere(text, singles(), |input| Ok(vec![one_nan(-of_bits(bits(input)[0]))]));
}

#[test]
fn casts_to_integers_saturate_and_nan_is_zero() {
    let text = |to: &str| {
        format!("fn f(_1: f64) -> {to} {{ bb0: {{ _0 = copy _1 as {to} (FloatToInt); return; }} }}")
    };
    check_everywhere(&text("u8"), singles(), |input| Ok(vec![(of_bits(bits(input)[0]) as u8).into()]));
    check_everywhere(&text("i8"), singles(), |input| {
        Ok(vec![u128::from(of_bits(bits(input)[0]) as i8 as u8)])
    });
    check_everywhere(&text("u64"), singles(), |input| Ok(vec![(of_bits(bits(input)[0]) as u64).into()]));
    check_everywhere(&text("i128"), singles(), |input| Ok(vec![of_bits(bits(input)[0]) as i128 as u128]));
}

#[test]
fn casts_from_integers_round_to_the_nearest() {
    let text = |from: &str, to: &str| {
        format!("fn f(_1: {from}) -> {to} {{ bb0: {{ _0 = copy _1 as {to} (IntToFloat); return; }} }}")
    };
    let numbers = |ty| pairs(ty).into_iter().map(|pair| vec![pair[0].clone()]);
    check_everywhere(&text("i64", "f64"), numbers(IntTy::I64), |input| {
        Ok(vec![one_nan(bits(input)[0] as u64 as i64 as f64)])
    });
    check_everywhere(&text("u64", "f32"), numbers(IntTy::U64), |input| {
        Ok(vec![one_nan_32(bits(input)[0] as u64 as f32)])
    });
    check_everywhere(&text("i8", "f32"), numbers(IntTy::I8), |input| {
        Ok(vec![one_nan_32((bits(input)[0] as u8 as i8).into())])
    });
}

#[test]
fn casts_between_floats() {
    let narrow = "fn f(_1: f64) -> f32 { bb0: { _0 = copy _1 as f32 (FloatToFloat); return; } }";
    check_everywhere(narrow, singles(), |input| Ok(vec![one_nan_32(of_bits(bits(input)[0]) as f32)]));
    let wide = "fn f(_1: f32) -> f64 { bb0: { _0 = copy _1 as f64 (FloatToFloat); return; } }";
    let inputs = NUMBERS.map(|number| vec![Value::F32((number as f32).to_bits())]);
    check_everywhere(wide, inputs, |input| Ok(vec![one_nan(f32::from_bits(bits(input)[0] as u32).into())]));
}

#[test]
fn methods_round_as_those_of_rust() {
    let check = |method: &str, rust: fn(f64) -> f64| {
        let text = format!(
            "fn f(_1: f64) -> f64 {{ bb0: {{ _0 = <f64>::f64::{method}(copy _1) -> bb1; }} bb1: {{ return; }} }}"
        );
        check_everywhere(&text, singles(), |input| Ok(vec![one_nan(rust(of_bits(bits(input)[0])))]));
    };
    check("floor", f64::floor);
    check("ceil", f64::ceil);
    check("trunc", f64::trunc);
    check("round", f64::round);
    check("round_ties_even", f64::round_ties_even);
    check("sqrt", f64::sqrt);
    check("abs", f64::abs);
}

/// Method by method, on every sample that is a number of the kind it takes.
#[test]
fn functions_of_no_fixed_precision_are_those_of_this_machine() {
    let text = |method: &str, second: &str| {
        let (parameter, operand) = match second {
            "" => (String::new(), ""),
            ty => (format!(", _2: {ty}"), ", copy _2"),
        };
        format!(
            "fn f(_1: f64{parameter}) -> f64 {{ bb0: {{ _0 = <f64>::f64::{method}(copy _1{operand}) -> bb1; }} bb1: {{ return; }} }}"
        )
    };
    let unary: [(&str, Unary); 20] = [
        ("acos", f64::acos),
        ("acosh", f64::acosh),
        ("asin", f64::asin),
        ("asinh", f64::asinh),
        ("atan", f64::atan),
        ("atanh", f64::atanh),
        ("cbrt", f64::cbrt),
        ("cos", f64::cos),
        ("cosh", f64::cosh),
        ("exp", f64::exp),
        ("exp2", f64::exp2),
        ("exp_m1", f64::exp_m1),
        ("ln", f64::ln),
        ("ln_1p", f64::ln_1p),
        ("log10", f64::log10),
        ("log2", f64::log2),
        ("sin", f64::sin),
        ("sinh", f64::sinh),
        ("tan", f64::tan),
        ("tanh", f64::tanh),
    ];
    for (method, rust) in unary {
        check_everywhere(&text(method, ""), singles(), |input| {
            Ok(vec![one_nan(rust(of_bits(bits(input)[0])))])
        });
    }
    let binary: [(&str, Binary); 4] =
        [("atan2", f64::atan2), ("hypot", f64::hypot), ("log", f64::log), ("powf", f64::powf)];
    for (method, rust) in binary {
        check_everywhere(&text(method, "f64"), pairs_of_floats(), |input| {
            let operands = bits(input);
            Ok(vec![one_nan(rust(of_bits(operands[0]), of_bits(operands[1])))])
        });
    }
    let powers = singles()
        .into_iter()
        .flat_map(|input| [-3, -1, 0, 1, 2, 7].map(|power| vec![input[0].clone(), int(IntTy::I32, power)]));
    check_everywhere(&text("powi", "i32"), powers, |input| {
        let operands = bits(input);
        Ok(vec![one_nan(of_bits(operands[0]).powi(operands[1] as u32 as i32))])
    });
    let narrow = "fn f(_1: f32) -> f32 { bb0: { _0 = <f32>::f32::sin(copy _1) -> bb1; } bb1: { return; } }";
    let inputs = NUMBERS.map(|number| vec![Value::F32((number as f32).to_bits())]);
    check_everywhere(narrow, inputs, |input| {
        Ok(vec![one_nan_32(f32::from_bits(bits(input)[0] as u32).sin())])
    });
}

#[test]
fn mul_add_rounds_once() {
    let text = "fn f(_1: f64, _2: f64, _3: f64) -> f64 {
        bb0: { _0 = <f64>::f64::mul_add(copy _1, copy _2, copy _3) -> bb1; } bb1: { return; } }";
    let exact = 0.1f64.mul_add(10.0, -1.0);
    assert_ne!(exact, 0.1 * 10.0 - 1.0, "rounding twice loses it");
    check(text, "0.1f64, 10.0f64, -1.0f64", &format!("{exact:?}"));
}

#[test]
fn the_bits_of_a_nan_are_not_known() {
    let text = "fn f(_1: f64) -> u64 { bb0: { _0 = <f64>::f64::to_bits(copy _1) -> bb1; } bb1: { return; } }";
    check(text, "-2.0f64", &(-2.0f64).to_bits().to_string());
    check_unsupported(text, "0x7ff8000000000000_f64");
    assert_eq!(run(text, "1.5f64").conditions.len(), 1, "that it is a number is a condition");
}
