//! Formatting: the model against `format!`, with every combination of options that a template can have.

use std::fmt::{self as real, Write as _};

use std_models::fmt as model;
use std_models::string::ToString as Model;

/// A writer that notes each piece it is given.
#[derive(Default)]
struct Pieces(Vec<String>);

impl model::Write for Pieces {
    fn write_str(&mut self, s: &str) -> model::Result {
        self.0.push(s.to_owned());
        Ok(())
    }
}

/// The options of one placeholder, in the encoding of a template.
#[derive(Clone, Copy, Default)]
struct Options {
    fill: Option<char>,
    align: Option<u32>,
    flags: u32,
    width: Option<u16>,
    precision: Option<u16>,
}

const PLUS: u32 = 1 << 21;
const ALTERNATE: u32 = 1 << 23;
const ZERO: u32 = 1 << 24;
const LOWER_HEX: u32 = 1 << 25;

fn template(options: Options) -> Vec<u8> {
    let mut flags = u32::from(options.fill.unwrap_or(' ')) | options.align.unwrap_or(3) << 29 | options.flags;
    flags |= u32::from(options.width.is_some()) << 27 | u32::from(options.precision.is_some()) << 28;
    let code = 0xc1 | u8::from(options.width.is_some()) << 1 | u8::from(options.precision.is_some()) << 2;
    let mut bytes = vec![code];
    bytes.extend(flags.to_le_bytes());
    options.width.into_iter().chain(options.precision).for_each(|count| bytes.extend(count.to_le_bytes()));
    bytes.push(0);
    bytes
}

/// What the model writes for one placeholder. A template is an array, so its length has to be known.
fn text(options: Options, argument: model::rt::Argument<'_>) -> String {
    let bytes = template(options);
    let args = [argument];
    macro_rules! of_length {
        ($($n:literal)*) => {
            match bytes.len() {
                $($n => model::format(model::Arguments::new::<$n, 1>(bytes[..].try_into().unwrap(), &args)),)*
                other => panic!("a template of {other} bytes"),
            }
        };
    }
    of_length!(6 8 10)
}

fn with(width: Option<u16>, precision: Option<u16>) -> Options {
    Options { width, precision, ..Options::default() }
}

const WIDTHS: [u16; 7] = [0, 1, 2, 3, 6, 9, 20];

macro_rules! integers {
    ($($ty:ident)*) => {
        #[test]
        fn integers_in_all_bases() {$(
            let samples = [$ty::MIN, $ty::MAX, 0, 1, 7, 9, 10, 99, 100, 127, $ty::MAX / 2, $ty::MAX / 10];
            for x in samples {
                assert_eq!(Model::to_string(&x), format!("{x}"));
                let show = |options| text(options, model::rt::Argument::new_display(&x));
                let lower = |options| text(options, model::rt::Argument::new_lower_hex(&x));
                let upper = |options| text(options, model::rt::Argument::new_upper_hex(&x));
                let octal = |options| text(options, model::rt::Argument::new_octal(&x));
                let binary = |options| text(options, model::rt::Argument::new_binary(&x));
                let debug = |options| text(options, model::rt::Argument::new_debug(&x));
                let hash = Options { flags: ALTERNATE, ..Options::default() };
                assert_eq!(lower(hash), format!("{x:#x}"));
                assert_eq!(upper(hash), format!("{x:#X}"));
                assert_eq!(octal(hash), format!("{x:#o}"));
                assert_eq!(binary(hash), format!("{x:#b}"));
                assert_eq!(debug(Options::default()), format!("{x:?}"));
                assert_eq!(debug(Options { flags: LOWER_HEX, ..Options::default() }), format!("{x:x?}"));
                for wide in WIDTHS {
                    let (w, options) = (usize::from(wide), with(Some(wide), None));
                    assert_eq!(show(options), format!("{x:w$}"));
                    assert_eq!(show(Options { flags: ZERO, ..options }), format!("{x:0w$}"));
                    assert_eq!(show(Options { flags: ZERO | PLUS, ..options }), format!("{x:+0w$}"));
                    assert_eq!(show(Options { flags: PLUS, align: Some(2), ..options }), format!("{x:^+w$}"));
                    assert_eq!(show(Options { align: Some(0), fill: Some('é'), ..options }), format!("{x:é<w$}"));
                    assert_eq!(show(Options { align: Some(1), fill: Some('*'), ..options }), format!("{x:*>w$}"));
                    assert_eq!(lower(Options { flags: ZERO | ALTERNATE, ..options }), format!("{x:#0w$x}"));
                    assert_eq!(binary(Options { align: Some(2), flags: ALTERNATE, ..options }), format!("{x:^#w$b}"));
                    assert_eq!(octal(Options { align: Some(0), ..options }), format!("{x:<w$o}"));
                    // A precision means nothing to integers.
                    assert_eq!(show(with(Some(wide), Some(1))), format!("{x:w$.1}"));
                }
            }
        )*}
    };
}

integers! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }

macro_rules! floats {
    ($($ty:ident)*) => {
        #[test]
        fn floats_in_all_notations() {$(
            let samples = [
                0.0, -0.0, 1.0, -1.5, 0.1, 1e7, 1e16, 1e-7, -123.456, $ty::MAX, $ty::MIN_POSITIVE, $ty::EPSILON,
                $ty::INFINITY, $ty::NEG_INFINITY, $ty::NAN,
            ];
            for x in samples {
                assert_eq!(Model::to_string(&x), format!("{x}"));
                let show = |options| text(options, model::rt::Argument::new_display(&x));
                let debug = |options| text(options, model::rt::Argument::new_debug(&x));
                let lower = |options| text(options, model::rt::Argument::new_lower_exp(&x));
                let upper = |options| text(options, model::rt::Argument::new_upper_exp(&x));
                assert_eq!(debug(Options::default()), format!("{x:?}"));
                assert_eq!(lower(Options::default()), format!("{x:e}"));
                assert_eq!(upper(Options::default()), format!("{x:E}"));
                for wide in WIDTHS {
                    let (w, options) = (usize::from(wide), with(Some(wide), Some(2)));
                    assert_eq!(show(with(Some(wide), None)), format!("{x:w$}"));
                    assert_eq!(show(options), format!("{x:w$.2}"));
                    assert_eq!(debug(options), format!("{x:w$.2?}"));
                    assert_eq!(lower(options), format!("{x:w$.2e}"));
                    assert_eq!(upper(options), format!("{x:w$.2E}"));
                    assert_eq!(show(Options { flags: ZERO, ..options }), format!("{x:0w$.2}"));
                    assert_eq!(show(Options { align: Some(0), fill: Some('é'), ..options }), format!("{x:é<w$.2}"));
                    assert_eq!(show(Options { align: Some(2), ..options }), format!("{x:^w$.2}"));
                    if !x.is_nan() {
                        assert_eq!(show(Options { flags: ZERO | PLUS, ..options }), format!("{x:+0w$.2}"));
                        assert_eq!(show(Options { flags: PLUS, align: Some(2), ..options }), format!("{x:^+w$.2}"));
                    }
                }
            }
        )*}
    };
}

floats! { f32 f64 }

#[test]
fn text_is_cut_and_filled() {
    for x in ["", "a", "abc", "é", "日本語", "a\u{301}b", "longer than that"] {
        assert_eq!(Model::to_string(x), x);
        for w in WIDTHS {
            for p in WIDTHS {
                let show = |options| text(options, model::rt::Argument::new_display(&x));
                let (wide, precise) = (usize::from(w), usize::from(p));
                let both = with(Some(w), Some(p));
                assert_eq!(show(both), format!("{x:wide$.precise$}"));
                assert_eq!(show(with(None, Some(p))), format!("{x:.precise$}"));
                assert_eq!(show(Options { align: Some(1), ..both }), format!("{x:>wide$.precise$}"));
                assert_eq!(
                    show(Options { align: Some(2), fill: Some('-'), ..both }),
                    format!("{x:-^wide$.precise$}")
                );
                assert_eq!(show(Options { flags: ZERO, ..both }), format!("{x:0wide$.precise$}"));
            }
        }
    }
}

#[test]
fn small_values() {
    for w in WIDTHS {
        let wide = usize::from(w);
        let options = Options { align: Some(1), ..with(Some(w), None) };
        for x in [true, false] {
            assert_eq!(text(options, model::rt::Argument::new_display(&x)), format!("{x:>wide$}"));
            assert_eq!(text(options, model::rt::Argument::new_debug(&x)), format!("{x:>wide$?}"));
        }
        for x in ['a', 'ß', '\u{1f600}'] {
            assert_eq!(text(options, model::rt::Argument::new_display(&x)), format!("{x:>wide$}"));
        }
        assert_eq!(text(options, model::rt::Argument::new_debug(&())), format!("{:>wide$?}", ()));
    }
}

#[test]
fn escapes() {
    let all: String = (0..128u8).map(char::from).collect();
    let debug = |x: &str| text(Options::default(), model::rt::Argument::new_debug(&x));
    assert_eq!(debug(&all), format!("{all:?}"));
    let beyond = ('\u{80}'..'\u{20000}').chain(('\u{20000}'..=char::MAX).step_by(61));
    for c in all.chars().chain(beyond) {
        let shown = text(Options::default(), model::rt::Argument::new_debug(&c));
        assert_eq!(shown, format!("{c:?}"));
    }
}

/// The same value through the model and the real library, on one line and indented, with and without a width.
macro_rules! debugged {
    ($($value:expr;)*) => {$({
        let value = $value;
        let show = |options| text(options, model::rt::Argument::new_debug(&value));
        assert_eq!(show(Options::default()), format!("{value:?}"));
        assert_eq!(show(Options { flags: ALTERNATE, ..Options::default() }), format!("{value:#?}"));
        assert_eq!(show(with(Some(4), None)), format!("{value:4?}"));
        assert_eq!(show(Options { flags: ALTERNATE | LOWER_HEX, ..Options::default() }), format!("{value:#x?}"));
    })*};
}

#[test]
fn compound_values() {
    debugged! {
        Some(1u8);
        None::<u8>;
        Ok::<u8, i8>(3);
        Err::<u8, i8>(-3);
        (1u8,);
        (1u8, "a\nb", 'c');
        ((1u8, 2u16), [Some(()), None]);
        [1i8, -1];
        Vec::<u8>::new();
        vec![vec![1u8], vec![], vec![2, 30]];
        1u8..3;
        std::cmp::Ordering::Less;
        std::cmp::Reverse(7u8);
        &&12u8;
        Box::new(Some("x"));
        String::from("two\nlines");
        std::fmt::Error;
    }
}

/// Builders written once and compiled against either library.
macro_rules! built {
    ($($name:ident: |$f:ident| $body:expr;)*) => {$({
        struct Shown;
        impl model::Debug for Shown {
            fn fmt(&self, $f: &mut model::Formatter<'_>) -> model::Result {
                $body
            }
        }
        impl std::fmt::Debug for Shown {
            fn fmt(&self, $f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                $body
            }
        }
        debugged! { Shown; vec![Some(Shown), None]; }
    })*};
}

#[test]
fn builders() {
    built! {
        empty_struct: |f| f.debug_struct("Name").finish();
        a_struct: |f| f.debug_struct("Name").field("a", &1u8).field("b", &Some("x\ny")).finish();
        partial: |f| f.debug_struct("Name").field("a", &1u8).finish_non_exhaustive();
        hidden: |f| f.debug_struct("Name").finish_non_exhaustive();
        empty_tuple: |f| f.debug_tuple("Name").finish();
        a_tuple: |f| f.debug_tuple("Name").field(&1u8).field(&Some(())).finish();
        nameless: |f| f.debug_tuple("").field(&1u8).finish();
        a_list: |f| f.debug_list().entry(&1u8).entries([Some(2u8), None]).finish();
        empty_list: |f| f.debug_list().finish();
        a_set: |f| f.debug_set().entries([1u8, 2]).entry(&'c').finish();
        a_map: |f| f.debug_map().entry(&1u8, &Some(2u8)).entries([("k", 3u8)]).finish();
        halves: |f| f.debug_map().key(&Some(1u8)).value(&"a\nb").finish();
        empty_map: |f| f.debug_map().finish();
    }
}

/// Shows what a formatter tells of its options, and what it makes of text and of digits with them.
struct Told {
    is_nonnegative: bool,
    digits: &'static str,
}

macro_rules! told {
    ($fmt:ident) => {
        impl $fmt::Display for Told {
            fn fmt(&self, f: &mut $fmt::Formatter<'_>) -> $fmt::Result {
                for flag in [f.sign_plus(), f.sign_minus(), f.alternate(), f.sign_aware_zero_pad()] {
                    f.write_str(if flag { "1" } else { "0" })?;
                }
                f.write_str("|")?;
                f.pad(self.digits)?;
                f.write_str("|")?;
                f.pad_integral(self.is_nonnegative, "0x", self.digits)
            }
        }
    };
}

told!(model);
told!(real);

#[test]
fn formatters_tell_their_options() {
    for (is_nonnegative, digits) in [(true, "0"), (false, "7"), (true, "12345"), (false, "123")] {
        let x = Told { is_nonnegative, digits };
        for (w, p) in WIDTHS.into_iter().zip(WIDTHS.into_iter().rev()) {
            let (wide, precise) = (usize::from(w), usize::from(p));
            macro_rules! with_flags {
                ($($flags:expr => $template:literal, $wide_template:literal;)*) => {$(
                    let shown = |options| text(Options { flags: $flags, ..options }, model::rt::Argument::new_display(&x));
                    assert_eq!(shown(with(None, Some(p))), format!($template));
                    assert_eq!(shown(with(Some(w), Some(p))), format!($wide_template));
                )*};
            }
            with_flags! {
                0 => "{x:.precise$}", "{x:wide$.precise$}";
                PLUS => "{x:+.precise$}", "{x:+wide$.precise$}";
                ALTERNATE => "{x:#.precise$}", "{x:#wide$.precise$}";
                ZERO => "{x:0.precise$}", "{x:0wide$.precise$}";
                PLUS | ALTERNATE => "{x:+#.precise$}", "{x:+#wide$.precise$}";
                PLUS | ZERO => "{x:+0.precise$}", "{x:+0wide$.precise$}";
                ALTERNATE | ZERO => "{x:#0.precise$}", "{x:#0wide$.precise$}";
                PLUS | ALTERNATE | ZERO => "{x:+#0.precise$}", "{x:+#0wide$.precise$}";
            }
        }
    }
}

#[test]
fn indices_and_long_literals() {
    // `{1}{0}{2:.*}` and a literal of 300 bytes, encoded by hand as rustc encodes them.
    let (a, b, c, precision) = (1u8, "two", "three", 2usize);
    let args = [
        model::rt::Argument::new_display(&a),
        model::rt::Argument::new_display(&b),
        model::rt::Argument::from_usize(&precision),
        model::rt::Argument::new_display(&c),
    ];
    let mut bytes = vec![0xc8, 1, 0, 0xc8, 0, 0, 0xed, 0x20, 0, 0, 0x70, 2, 0, 3, 0, 0x80, 44, 1];
    bytes.extend([b'x'; 300]);
    bytes.extend([1, b'y', 0]);
    let template: [u8; 321] = bytes.try_into().unwrap();
    let mut expected = String::new();
    write!(expected, "{1}{0}{2:.3$}{4}y", a, b, c, precision, "x".repeat(300)).unwrap();
    assert_eq!(model::format(model::Arguments::new::<321, 4>(&template, &args)), expected);
}

#[test]
fn errors_end_the_writing() {
    struct Fails;
    impl model::Display for Fails {
        fn fmt(&self, _: &mut model::Formatter<'_>) -> model::Result {
            Err(std::fmt::Error)
        }
    }
    let (fails, after) = (Fails, 1u8);
    let args = [model::rt::Argument::new_display(&fails), model::rt::Argument::new_display(&after)];
    let mut pieces = Pieces::default();
    let template = [1, b'a', 0xc0, 0xc0, 0];
    let result = model::write(&mut pieces, model::Arguments::new::<5, 2>(&template, &args));
    assert_eq!((result, pieces.0), (Err(std::fmt::Error), vec!["a".to_owned()]));
}

#[test]
fn pieces_come_as_from_the_library() {
    #[derive(Default)]
    struct Real(Vec<String>);
    impl std::fmt::Write for Real {
        fn write_str(&mut self, s: &str) -> std::fmt::Result {
            self.0.push(s.to_owned());
            Ok(())
        }
    }
    let (mut pieces, mut real) = (Pieces::default(), Real::default());
    let (number, text) = (-12i8, "ab");
    let args = [model::rt::Argument::new_display(&number), model::rt::Argument::new_display(&text)];
    let template = [2, b'x', b'=', 0xc0, 0xc0, 0];
    model::write(&mut pieces, model::Arguments::new::<6, 2>(&template, &args)).unwrap();
    write!(real, "x={number}{text}").unwrap();
    assert_eq!(pieces.0, real.0);
}

/// A value of the models and the real one, shown in a field of some width.
macro_rules! shown_alike {
    ($($model:expr, $real:expr;)*) => {$(
        for wide in WIDTHS {
            let options = Options { align: Some(1), ..with(Some(wide), None) };
            let wide = usize::from(wide);
            let (model, real) = (&$model, &$real);
            assert_eq!(text(options, model::rt::Argument::new_display(model)), format!("{real:>wide$}"));
        }
    )*};
}

#[test]
fn errors_say_what_is_wrong() {
    use std_models::convert::TryFrom as Narrow;
    use std_models::str::FromStr as Parse;
    for wrong in ["", "x", "300", "-129", "-"] {
        shown_alike! {
            <i8 as Parse>::from_str(wrong).unwrap_err(), wrong.parse::<i8>().unwrap_err();
            <bool as Parse>::from_str(wrong).unwrap_err(), wrong.parse::<bool>().unwrap_err();
        }
    }
    for wrong in ["", "xy"] {
        shown_alike! { <char as Parse>::from_str(wrong).unwrap_err(), wrong.parse::<char>().unwrap_err(); }
    }
    shown_alike! {
        <u8 as Narrow<u16>>::try_from(300).unwrap_err(), <u8 as std::convert::TryFrom<u16>>::try_from(300).unwrap_err();
        <char as Narrow<u32>>::try_from(0xD800).unwrap_err(), <char as std::convert::TryFrom<u32>>::try_from(0xD800).unwrap_err();
        <u8 as Narrow<char>>::try_from('\u{100}').unwrap_err(), <u8 as std::convert::TryFrom<char>>::try_from('\u{100}').unwrap_err();
        <[u8; 2] as Narrow<&[u8]>>::try_from(&[1]).unwrap_err(), <[u8; 2] as std::convert::TryFrom<&[u8]>>::try_from(&[1]).unwrap_err();
    }
    for wrong in [&[b'a', 0xFF, 1][..], &[0xE2, 0x82], &[b'a', 0xE2, 0x82, b'a']] {
        shown_alike! {
            std_models::str::from_utf8(wrong).unwrap_err(), std::str::from_utf8(wrong).unwrap_err();
            <String as std_models::inherent::StringMethods>::from_utf8(wrong.to_vec()).unwrap_err(),
                String::from_utf8(wrong.to_vec()).unwrap_err();
        }
    }
}

#[test]
fn numbers_that_are_not_zero() {
    let (model, real) =
        (std_models::num::NonZero::<i16>::new(-77).unwrap(), std::num::NonZero::new(-77i16).unwrap());
    shown_alike! { model, real; }
    let options = Options::default();
    assert_eq!(text(options, model::rt::Argument::new_debug(&model)), format!("{real:?}"));
    assert_eq!(text(options, model::rt::Argument::new_lower_hex(&model)), format!("{real:x}"));
    assert_eq!(text(options, model::rt::Argument::new_upper_hex(&model)), format!("{real:X}"));
    assert_eq!(text(options, model::rt::Argument::new_octal(&model)), format!("{real:o}"));
    assert_eq!(text(options, model::rt::Argument::new_binary(&model)), format!("{real:b}"));
}

#[test]
fn addresses_are_filled_up() {
    let (model, real) =
        (std_models::net::Ipv4Addr::new(10, 0, 200, 3), std::net::Ipv4Addr::new(10, 0, 200, 3));
    shown_alike! { model, real; }
    let options = Options { flags: PLUS, ..Options::default() };
    assert_eq!(text(options, model::rt::Argument::new_display(&model)), format!("{real:+}"));
    assert_eq!(text(with(None, Some(5)), model::rt::Argument::new_debug(&model)), format!("{real:.5?}"));
}
