//! Methods of floats: the models against the real ones.

mod common;

use std::num::FpCategory;

use common::same;
use std_models::inherent::FloatMethods as Model;

macro_rules! methods {
    ($($name:ident $ty:ident;)*) => {$(
        #[test]
        fn $name() {
            let samples: Vec<$ty> = vec![
                0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, 7.25, 0.1, 1e10, -1e10, $ty::MAX, $ty::MIN,
                $ty::MIN_POSITIVE, $ty::EPSILON, $ty::INFINITY, $ty::NEG_INFINITY, $ty::from_bits(1), $ty::NAN,
            ];
            // All NaNs are one, and their sign is nobody's business.
            let bits = |x: $ty| if x.is_nan() { $ty::NAN.to_bits() } else { x.to_bits() };
            for &x in &samples {
                same(x, || Model::is_nan(x), || x.is_nan());
                same(x, || Model::is_infinite(x), || x.is_infinite());
                same(x, || Model::is_finite(x), || x.is_finite());
                same(x, || Model::is_normal(x), || x.is_normal());
                same(x, || Model::is_subnormal(x), || x.is_subnormal());
                same(x, || Model::classify(x), || x.classify());
                let kinds = [FpCategory::Nan, FpCategory::Infinite, FpCategory::Zero, FpCategory::Subnormal, FpCategory::Normal];
                for kind in kinds {
                    same(x, || std_models::cmp::PartialEq::eq(&x.classify(), &kind), || x.classify() == kind);
                }
                same(x, || bits(Model::to_degrees(x)), || bits(x.to_degrees()));
                same(x, || bits(Model::to_radians(x)), || bits(x.to_radians()));
                same(x, || bits(Model::sin_cos(x).0), || bits(x.sin_cos().0));
                same(x, || bits(Model::sin_cos(x).1), || bits(x.sin_cos().1));
                same(x, || bits(Model::next_up(x)), || bits(x.next_up()));
                same(x, || bits(Model::next_down(x)), || bits(x.next_down()));
                same(x, || bits(Model::fract(x)), || bits(x.fract()));
                same(x, || bits(Model::recip(x)), || bits(x.recip()));
                same(x, || bits(Model::signum(x)), || bits(x.signum()));
                if !x.is_nan() {
                    same(x, || Model::is_sign_negative(x), || x.is_sign_negative());
                    same(x, || Model::is_sign_positive(x), || x.is_sign_positive());
                }
                for &y in &samples {
                    if x != y || x.to_bits() == y.to_bits() {
                        same((x, y), || bits(Model::max(x, y)), || bits(x.max(y)));
                        same((x, y), || bits(Model::min(x, y)), || bits(x.min(y)));
                    }
                    same((x, y), || bits(Model::rem_euclid(x, y)), || bits(x.rem_euclid(y)));
                    same((x, y), || bits(Model::div_euclid(x, y)), || bits(x.div_euclid(y)));
                    if !x.is_nan() && !y.is_nan() {
                        same((x, y), || Model::total_cmp(&x, &y), || x.total_cmp(&y));
                    }
                    if !y.is_nan() {
                        same((x, y), || bits(Model::copysign(x, y)), || bits(x.copysign(y)));
                    }
                    for &z in &samples {
                        same((x, y, z), || bits(Model::clamp(x, y, z)), || bits(x.clamp(y, z)));
                    }
                }
            }
        }
    )*};
}

methods! {
    of_32_bits f32;
    of_64_bits f64;
}

/// The model gives what std gives where the whole part fits, and nothing elsewhere.
macro_rules! whole_parts {
    ($float:ident: $($int:ident)*) => {$(
        let edges = [$int::MIN as $float, $int::MAX as $float];
        let near = edges.iter().flat_map(|edge| [edge.next_down(), *edge, edge.next_up(), edge - 0.75, edge + 0.75]);
        let all: Vec<$float> = near.chain([0.0, -0.0, -0.9, 0.9, 1.5, -1.5, 100.25, $float::NAN, $float::INFINITY]).collect();
        for x in all {
            let whole = x.trunc();
            // The greatest power of two is not in the type; below it every whole number is.
            let fits = whole >= $int::MIN as $float && whole / 2.0 < (1 as $int as $float) * ($int::MAX / 2 + 1) as $float;
            if fits {
                same(x, || unsafe { Model::to_int_unchecked::<$int>(x) }, || unsafe { x.to_int_unchecked::<$int>() });
                assert_eq!(std_models::convert::FloatToInt::<$int>::to_int(x), x as $int);
            } else {
                let model = std::panic::catch_unwind(|| unsafe { Model::to_int_unchecked::<$int>(x) });
                assert!(model.is_err(), "{x} as {}", stringify!($int));
            }
        }
    )*};
}

#[test]
fn integers_of_floats_that_fit() {
    whole_parts!(f32: u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
    whole_parts!(f64: u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
}

#[test]
fn texts_of_numbers() {
    use std_models::str::FromStr;
    use std_models::string::ToString;
    let check = |text: &str| {
        let bits = |x: f64| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() };
        let real = text.parse::<f64>().map(bits).map_err(|error| (error.to_string(), format!("{error:?}")));
        let model = <f64 as FromStr>::from_str(text).map(bits);
        let model = model.map_err(|error| (ToString::to_string(&error), format!("{error:?}")));
        assert_eq!(model, real, "{text:?}");
        let (real, model) = (text.parse::<f32>().is_ok(), <f32 as FromStr>::from_str(text).is_ok());
        assert_eq!(model, real, "{text:?}");
    };
    let letters: Vec<char> = "+-.eE05ifI \u{e9}".chars().collect();
    let mut texts = vec![String::new()];
    for _ in 0..4 {
        let longer =
            texts.iter().flat_map(|text| letters.iter().map(move |letter| format!("{text}{letter}")));
        let longer: Vec<String> = longer.collect();
        longer.iter().for_each(|text| check(text));
        texts = longer;
    }
    for text in [
        "",
        "inf",
        "-INF",
        "nan",
        "+NaN",
        "infinity",
        "-Infinity",
        "infinit",
        "1_0",
        "0x1",
        "1e400",
        "-1e-400",
        "1e+5",
        "00.10E-2",
        "N\u{c1}N",
    ] {
        check(text);
    }
}
