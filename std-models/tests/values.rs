//! Models of options, results, comparison, conversion, operators, `?` and characters against the real ones.

// The expressions are what the real operators and methods are called by; shorter ones would call others.
#![allow(clippy::all)]

mod common;

use std::cmp::Ordering;
use std::convert::Infallible;
use std::ops::ControlFlow;

use common::same;
use proptest::prelude::*;
use std_models::inherent::*;
use std_models::{cmp, convert, iter, ops};

/// A method of `Option` or `Result` on the model's and the real side.
macro_rules! method {
    ($trait:ident, $value:expr, $method:ident($($arg:expr),*)) => {
        same((stringify!($method), $value), || $trait::$method($value.clone(), $($arg),*), || $value.clone().$method($($arg),*))
    };
}

#[test]
fn options() {
    for value in [None, Some(0u8), Some(7), Some(200)] {
        same("is_some", || OptionMethods::is_some(&value), || value.is_some());
        same("is_none", || OptionMethods::is_none(&value), || value.is_none());
        method!(OptionMethods, value, is_some_and(|x| x > 5));
        method!(OptionMethods, value, is_none_or(|x| x > 5));
        method!(OptionMethods, value, unwrap());
        method!(OptionMethods, value, expect("there"));
        method!(OptionMethods, value, unwrap_or(3));
        method!(OptionMethods, value, unwrap_or_else(|| 3));
        method!(OptionMethods, value, unwrap_or_default());
        method!(OptionMethods, value, map(|x| x as u32 * 2));
        method!(OptionMethods, value, map_or(9, |x| x + 1));
        method!(OptionMethods, value, map_or_else(|| 9, |x| x + 1));
        method!(OptionMethods, value, ok_or("none"));
        method!(OptionMethods, value, ok_or_else(|| "none"));
        method!(OptionMethods, value, and(Some('x')));
        method!(OptionMethods, value, and_then(|x| x.checked_add(100)));
        method!(OptionMethods, value, filter(|x| *x > 5));
        method!(OptionMethods, value, or(Some(1)));
        method!(OptionMethods, value, or_else(|| Some(1)));
        method!(OptionMethods, value, xor(None));
        method!(OptionMethods, value, xor(Some(1)));
        method!(OptionMethods, value, zip(Some('x')));
        method!(OptionMethods, value, zip(None::<char>));
        same("as_ref", || OptionMethods::as_ref(&value), || value.as_ref());
        same("copied", || OptionRefMethods::copied(value.as_ref()), || value.as_ref().copied());
        same("cloned", || OptionRefMethods::cloned(value.as_ref()), || value.as_ref().cloned());
        same(
            "iter",
            || iter::Iterator::collect::<Vec<_>>(OptionMethods::iter(&value)),
            || value.iter().collect(),
        );
        let change = |by: &dyn Fn(&mut Option<u8>) -> Option<u8>| {
            let mut value = value;
            (by(&mut value), value)
        };
        same("take", || change(&|v| OptionMethods::take(v)), || change(&|v| v.take()));
        same(
            "take_if",
            || change(&|v| OptionMethods::take_if(v, |x| *x > 5)),
            || change(&|v| v.take_if(|x| *x > 5)),
        );
        same("replace", || change(&|v| OptionMethods::replace(v, 1)), || change(&|v| v.replace(1)));
        same(
            "insert",
            || change(&|v| Some(*OptionMethods::insert(v, 1))),
            || change(&|v| Some(*v.insert(1))),
        );
        same(
            "get",
            || change(&|v| Some(*OptionMethods::get_or_insert(v, 1))),
            || change(&|v| Some(*v.get_or_insert(1))),
        );
        same(
            "with",
            || change(&|v| Some(*OptionMethods::get_or_insert_with(v, || 1))),
            || change(&|v| Some(*v.get_or_insert_with(|| 1))),
        );
        same(
            "as_mut",
            || {
                change(&|v| {
                    OptionMethods::as_mut(v).map(|x| {
                        *x /= 2;
                        *x
                    })
                })
            },
            || {
                change(&|v| {
                    v.as_mut().map(|x| {
                        *x /= 2;
                        *x
                    })
                })
            },
        );
    }
    for value in [None, Some(None), Some(Some(1))] {
        method!(OptionOptionMethods, value, flatten());
    }
    for value in [None, Some(Ok(1)), Some(Err('e'))] {
        method!(OptionResultMethods, value, transpose());
    }
    for value in [None, Some((1, 'b'))] {
        method!(OptionPairMethods, value, unzip());
    }
    for value in [None, Some("abc".to_string())] {
        same("as_deref", || OptionMethods::as_deref(&value), || value.as_deref());
    }
}

#[test]
fn results() {
    for value in [Ok(1u8), Ok(200), Err('e'), Err('f')] {
        same("is_ok", || ResultMethods::is_ok(&value), || value.is_ok());
        same("is_err", || ResultMethods::is_err(&value), || value.is_err());
        method!(ResultMethods, value, is_ok_and(|x| x > 5));
        method!(ResultMethods, value, is_err_and(|x| x == 'e'));
        method!(ResultMethods, value, ok());
        method!(ResultMethods, value, err());
        method!(ResultMethods, value, map(|x| x as u32 * 2));
        method!(ResultMethods, value, map_or(9, |x| x + 1));
        method!(ResultMethods, value, map_or_else(|e| e as u8, |x| x + 1));
        method!(ResultMethods, value, map_err(|e| e as u32));
        method!(ResultMethods, value, unwrap());
        method!(ResultMethods, value, expect("there"));
        method!(ResultMethods, value, unwrap_err());
        method!(ResultMethods, value, expect_err("there"));
        method!(ResultMethods, value, unwrap_or(3));
        method!(ResultMethods, value, unwrap_or_else(|e| e as u8));
        method!(ResultMethods, value, unwrap_or_default());
        method!(ResultMethods, value, and(Ok::<&str, char>("x")));
        method!(ResultMethods, value, and_then(|x| x.checked_add(100).ok_or('o')));
        method!(ResultMethods, value, or(Err::<u8, &str>("x")));
        method!(ResultMethods, value, or_else(|e| if e == 'e' { Ok(0) } else { Err("x") }));
        same("as_ref", || ResultMethods::as_ref(&value), || value.as_ref());
        same("copied", || ResultRefMethods::copied(value.as_ref()), || value.as_ref().copied());
        same(
            "iter",
            || iter::Iterator::collect::<Vec<_>>(ResultMethods::iter(&value)),
            || value.iter().collect(),
        );
    }
    for value in [Ok(Some(1)), Ok(None), Err('e')] {
        method!(ResultOptionMethods, value, transpose());
    }
}

#[test]
fn question_mark() {
    let branch = |value: Option<u8>| ops::Try::branch(value);
    assert_eq!(branch(Some(1)), ControlFlow::Continue(1));
    assert_eq!(branch(None), ControlFlow::Break(None));
    assert_eq!(ops::Try::branch(Ok::<u8, char>(1)), ControlFlow::Continue(1));
    assert_eq!(ops::Try::branch(Err::<u8, char>('e')), ControlFlow::Break(Err('e')));
    assert_eq!(
        ops::Try::branch(ControlFlow::<u8, char>::Break(1)),
        ControlFlow::Break(ControlFlow::Break(1))
    );
    for flow in [ControlFlow::Break(1u8), ControlFlow::Continue('c')] {
        assert_eq!(ControlFlowMethods::is_break(&flow), flow.is_break());
        assert_eq!(ControlFlowMethods::is_continue(&flow), flow.is_continue());
        assert_eq!(ControlFlowMethods::break_value(flow), flow.break_value());
        assert_eq!(ControlFlowMethods::continue_value(flow), flow.continue_value());
        assert_eq!(ControlFlowMethods::map_break(flow, |b| b + 1), flow.map_break(|b| b + 1));
        assert_eq!(ControlFlowMethods::map_continue(flow, |c| c as u32), flow.map_continue(|c| c as u32));
    }
    let residual: Result<Infallible, u8> = Err(7);
    assert_eq!(<Result<(), u32> as ops::FromResidual<_>>::from_residual(residual), Err(7u32));
    assert_eq!(<Option<u8> as ops::FromResidual<_>>::from_residual(None::<Infallible>), None);
    assert_eq!(<Option<u8> as ops::Try>::from_output(4), Some(4));
}

/// All comparisons of a pair, by the model and by the real traits.
fn compares<T>(a: &T, b: &T)
where
    T: Ord + cmp::Ord + Clone + std::fmt::Debug,
{
    let what = (a, b);
    same(what, || cmp::PartialEq::eq(a, b), || a == b);
    same(what, || cmp::PartialEq::ne(a, b), || a != b);
    same(what, || cmp::PartialOrd::lt(a, b), || a < b);
    same(what, || cmp::PartialOrd::le(a, b), || a <= b);
    same(what, || cmp::PartialOrd::gt(a, b), || a > b);
    same(what, || cmp::PartialOrd::ge(a, b), || a >= b);
    same(what, || cmp::PartialOrd::partial_cmp(a, b), || PartialOrd::partial_cmp(a, b));
    same(what, || cmp::Ord::cmp(a, b), || Ord::cmp(a, b));
    same(what, || cmp::Ord::max(a.clone(), b.clone()), || Ord::max(a.clone(), b.clone()));
    same(what, || cmp::Ord::min(a.clone(), b.clone()), || Ord::min(a.clone(), b.clone()));
    same(what, || cmp::max(a.clone(), b.clone()), || std::cmp::max(a.clone(), b.clone()));
    same(what, || cmp::min(a.clone(), b.clone()), || std::cmp::min(a.clone(), b.clone()));
    same(
        what,
        || cmp::Ord::clamp(a.clone(), b.clone(), a.clone()),
        || Ord::clamp(a.clone(), b.clone(), a.clone()),
    );
}

proptest! {
    #[test]
    fn comparison(
        a: i8, b: i8, c: char, d: char, e: bool, f: bool,
        u in prop::collection::vec(0u8..3, 0..4), v in prop::collection::vec(0u8..3, 0..4),
        s in "[ab\u{e9}]{0,3}", t in "[ab\u{e9}]{0,3}",
        p in (0u8..2, 0u8..2, 0u8..2), q in (0u8..2, 0u8..2, 0u8..2),
    ) {
        compares(&a, &b);
        compares(&c, &d);
        compares(&e, &f);
        compares(&(), &());
        compares(&p, &q);
        compares(&[p.0, p.1, p.2], &[q.0, q.1, q.2]);
        compares(&Some(a), &Some(b));
        compares(&Some(a), &None);
        compares(&Ok::<i8, char>(a), &Err(c));
        compares(&Err::<i8, char>(d), &Err(c));
        compares(&a.cmp(&b), &b.cmp(&0));
        compares(&std::cmp::Reverse(a), &std::cmp::Reverse(b));
        compares(&&u[..], &&v[..]);
        compares(&s.as_str(), &t.as_str());
        same((&u, &v), || cmp::PartialEq::eq(&u[..], &v[..]), || u == v);
        same((&u, &p), || cmp::PartialEq::eq(&u[..], &[p.0, p.1]), || u[..] == [p.0, p.1]);
        same((&u, &p), || cmp::PartialEq::eq(&[p.0, p.1], &u[..]), || u[..] == [p.0, p.1]);
        same((&a, &b), || cmp::PartialEq::eq(&(a..b), &(b..a)), || (a..b) == (b..a));
        same((&a, &b), || cmp::min_by(a, b, |x, y| (x / 2).cmp(&(y / 2))), || std::cmp::min_by(a, b, |x, y| (x / 2).cmp(&(y / 2))));
        same((&a, &b), || cmp::max_by_key(a, b, |x| x / 2), || std::cmp::max_by_key(a, b, |x| x / 2));
    }

    #[test]
    fn floats_compare(a: f64, b: f64) {
        for (a, b) in [(a, b), (a, a), (a, f64::NAN), (0.0, -0.0)] {
            same((a, b), || cmp::PartialOrd::partial_cmp(&a, &b), || a.partial_cmp(&b));
            same((a, b), || cmp::PartialEq::eq(&a, &b), || a == b);
            same((a, b), || cmp::PartialOrd::le(&a, &b), || a <= b);
        }
    }

    #[test]
    fn operators_on_references(a: i8, b: i8, shift in 0u32..12) {
        same((a, b), || ops::Add::add(&a, &b), || &a + &b);
        same((a, b), || ops::Sub::sub(&a, b), || &a - b);
        same((a, b), || ops::Mul::mul(a, &b), || a * &b);
        same((a, b), || ops::Div::div(&a, &b), || &a / &b);
        same((a, b), || ops::Rem::rem(&a, &b), || &a % &b);
        same((a, b), || ops::BitXor::bitxor(&a, &b), || &a ^ &b);
        same((a, b), || ops::Shl::shl(&a, &shift), || &a << &shift);
        same((a, b), || ops::Shr::shr(&a, &shift), || &a >> &shift);
        same((a, b), || ops::Neg::neg(&a), || -&a);
        same((a, b), || ops::Not::not(&a), || !&a);
        same((a, b), || { let mut x = a; ops::AddAssign::add_assign(&mut x, &b); x }, || { let mut x = a; x += &b; x });
        same((a, b), || { let mut x = a; ops::ShlAssign::shl_assign(&mut x, shift); x }, || { let mut x = a; x <<= shift; x });
    }

    #[test]
    fn integers_convert(a: i128, small in -300i128..70000, shift in 0u32..128) {
        macro_rules! pairs {
            ($value:expr => $($from:ident: $($to:ident)*;)*) => {$($(
                let value = $value as $from;
                same(
                    (stringify!($from), stringify!($to), value),
                    || <$to as convert::TryFrom<$from>>::try_from(value).ok(),
                    || <$to as TryFrom<$from>>::try_from(value).ok(),
                );
            )*)*};
        }
        for value in [a, a >> shift, small, (1i128 << shift).wrapping_sub(1), -(1i128 << (shift % 127))] {
            pairs!(value =>
                i8: i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize;
                i16: i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize;
                i32: i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize;
                i64: i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize;
                i128: i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize;
                isize: i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize;
                u8: i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize char;
                u16: i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize;
                u32: i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize char;
                u64: i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize;
                u128: i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize;
                usize: i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize;
            );
        }
    }
}

#[test]
fn conversions() {
    assert_eq!(<i64 as convert::From<u32>>::from(u32::MAX), i64::from(u32::MAX));
    assert_eq!(<u8 as convert::From<bool>>::from(true), 1);
    assert_eq!(<u16 as convert::Into<u16>>::into(5), 5);
    assert_eq!(<Option<u8> as convert::From<u8>>::from(5), Some(5));
    assert_eq!(<[u8; 2] as convert::TryFrom<&[u8]>>::try_from(&[1, 2]).ok(), Some([1, 2]));
    assert!(<[u8; 2] as convert::TryFrom<&[u8]>>::try_from(&[1]).is_err());
    assert_eq!(<str as convert::AsRef<[u8]>>::as_ref("ab"), b"ab");
    for c in ['a', '\u{ff}', '\u{100}', '\u{ffff}', '\u{10000}'] {
        same(c, || <u8 as convert::TryFrom<char>>::try_from(c).ok(), || u8::try_from(c).ok());
        same(c, || <u16 as convert::TryFrom<char>>::try_from(c).ok(), || u16::try_from(c).ok());
    }
}

#[test]
fn orderings() {
    for a in [Ordering::Less, Ordering::Equal, Ordering::Greater] {
        assert_eq!(OrderingMethods::is_eq(a), a.is_eq());
        assert_eq!(OrderingMethods::is_ne(a), a.is_ne());
        assert_eq!(OrderingMethods::is_lt(a), a.is_lt());
        assert_eq!(OrderingMethods::is_gt(a), a.is_gt());
        assert_eq!(OrderingMethods::is_le(a), a.is_le());
        assert_eq!(OrderingMethods::is_ge(a), a.is_ge());
        assert_eq!(OrderingMethods::reverse(a), a.reverse());
        for b in [Ordering::Less, Ordering::Equal, Ordering::Greater] {
            assert_eq!(OrderingMethods::then(a, b), a.then(b));
            assert_eq!(OrderingMethods::then_with(a, || b), a.then_with(|| b));
        }
    }
}

/// Methods without arguments on one value, taken by reference or by value as std does.
macro_rules! of_char {
    ($c:expr, $trait:ident: $($method:ident)*) => {
        $(assert_eq!($trait::$method($c), (*$c).$method(), concat!(stringify!($method), " of {:?}"), $c);)*
    };
}

#[test]
fn every_character() {
    for code in 0..=0x110000u32 {
        assert_eq!(std_models::char::from_u32(code), char::from_u32(code));
        let Some(c) = char::from_u32(code) else { continue };
        of_char!(&c, AsciiMethods:
            is_ascii is_ascii_alphabetic is_ascii_uppercase is_ascii_lowercase is_ascii_alphanumeric is_ascii_digit
            is_ascii_hexdigit is_ascii_punctuation is_ascii_graphic is_ascii_whitespace is_ascii_control
            to_ascii_uppercase to_ascii_lowercase);
        assert_eq!(CharMethods::is_whitespace(c), c.is_whitespace(), "{c:?}");
        assert_eq!(CharMethods::is_control(c), c.is_control(), "{c:?}");
        assert_eq!(CharMethods::len_utf8(c), c.len_utf8(), "{c:?}");
        assert_eq!(CharMethods::len_utf16(c), c.len_utf16(), "{c:?}");
        assert_eq!(CharMethods::to_digit(c, 36), c.to_digit(36), "{c:?}");
        assert_eq!(CharMethods::to_digit(c, 11), c.to_digit(11), "{c:?}");
        if c.is_ascii() {
            assert_eq!(CharMethods::is_alphabetic(c), c.is_alphabetic());
            assert_eq!(CharMethods::is_alphanumeric(c), c.is_alphanumeric());
            assert_eq!(CharMethods::is_numeric(c), c.is_numeric());
            assert_eq!(CharMethods::is_lowercase(c), c.is_lowercase());
            assert_eq!(CharMethods::is_uppercase(c), c.is_uppercase());
            assert_eq!(
                iter::Iterator::collect::<String>(CharMethods::to_uppercase(c)),
                c.to_uppercase().to_string()
            );
            assert_eq!(
                iter::Iterator::collect::<String>(CharMethods::to_lowercase(c)),
                c.to_lowercase().to_string()
            );
        } else if code < 0x1000 {
            // Beyond ASCII nothing is answered, rather than something wrong.
            assert!(std::panic::catch_unwind(|| CharMethods::is_alphabetic(c)).is_err());
            assert!(std::panic::catch_unwind(|| CharMethods::to_uppercase(c)).is_err());
        }
    }
    for byte in 0..=u8::MAX {
        of_char!(&byte, AsciiMethods:
            is_ascii is_ascii_alphabetic is_ascii_uppercase is_ascii_lowercase is_ascii_alphanumeric is_ascii_digit
            is_ascii_hexdigit is_ascii_punctuation is_ascii_graphic is_ascii_whitespace is_ascii_control
            to_ascii_uppercase to_ascii_lowercase);
        for other in 0..=u8::MAX {
            assert_eq!(AsciiMethods::eq_ignore_ascii_case(&byte, &other), byte.eq_ignore_ascii_case(&other));
        }
    }
}

#[test]
fn digits() {
    for radix in 0..40 {
        for num in 0..40 {
            same((num, radix), || std_models::char::from_digit(num, radix), || char::from_digit(num, radix));
        }
        same(radix, || CharMethods::to_digit('7', radix), || '7'.to_digit(radix));
        same(radix, || CharMethods::is_digit('b', radix), || 'b'.is_digit(radix));
    }
}

#[test]
fn ranges_as_sets() {
    for start in 0..4u8 {
        for end in 0..4 {
            assert_eq!(RangeMethods::is_empty(&(start..end)), (start..end).is_empty());
            for x in 0..5 {
                assert_eq!(RangeMethods::contains(&(start..end), &x), (start..end).contains(&x));
                assert_eq!(RangeFromMethods::contains(&(start..), &x), (start..).contains(&x));
                assert_eq!(RangeToMethods::contains(&(..end), &x), (..end).contains(&x));
                assert_eq!(RangeToInclusiveMethods::contains(&(..=end), &x), (..=end).contains(&x));
                assert_eq!(
                    ops::RangeBounds::contains(&ops::RangeInclusive::new(start, end), &x),
                    (start..=end).contains(&x)
                );
            }
        }
    }
}
