//! Models of what changes texts, searches them from the end, and of `Cow`, against the real ones.

// The expressions are what the real operators and methods are called by; shorter ones would call others.
#![allow(clippy::all, deprecated)]

mod common;

use std::borrow::Cow;

use common::same;
use proptest::prelude::*;
use std_models::inherent::text::{CharEncodeMethods, StrBackMethods, StringRangeMethods};
use std_models::inherent::{CowMethods, StrMethods};
use std_models::iter::{self, DoubleEndedIterator as _, Iterator as _};
use std_models::{borrow, clone, cmp, convert, default, ops};

/// An iterator of `str`, collected.
macro_rules! listed {
    ($text:expr, $($method:ident($($arg:expr),*))*) => {$(
        same(
            (stringify!($method), $text, stringify!($($arg),*)),
            || iter::Iterator::collect::<Vec<_>>(StrBackMethods::$method($text, $($arg),*)),
            || std::iter::Iterator::collect::<Vec<_>>($text.$method($($arg),*)),
        );
    )*};
}

macro_rules! with_pattern {
    ($text:expr, $pattern:expr) => {
        listed!($text, rmatches($pattern) rmatch_indices($pattern) rsplit_terminator($pattern));
        same("trim", || StrBackMethods::trim_left_matches($text, $pattern), || $text.trim_left_matches($pattern));
        same("trim", || StrBackMethods::trim_right_matches($text, $pattern), || $text.trim_right_matches($pattern));
    };
}

proptest! {
    #[test]
    fn searching_from_the_end(
        text in "[ab\u{e9}\u{1F600}, ]{0,8}",
        needle in "[ab\u{e9},]{0,3}",
        c in prop::sample::select(vec!['a', ',', '\u{e9}', '\u{1F600}']),
        script in prop::collection::vec(any::<bool>(), 10),
    ) {
        let (text, needle) = (text.as_str(), needle.as_str());
        with_pattern!(text, needle);
        with_pattern!(text, c);
        with_pattern!(text, &['b', c][..]);
        with_pattern!(text, |x: char| x == c || x > 'b');
        listed!(text, encode_utf16());
        same(text, || StrBackMethods::trim_left(text), || text.trim_left());
        same(text, || StrBackMethods::trim_right(text), || text.trim_right());
        same(
            ("split_inclusive", text, &script),
            || {
                let mut iter = StrMethods::split_inclusive(text, c);
                script.iter().map(|&forward| if forward { iter.next() } else { iter.next_back() }).collect::<Vec<_>>()
            },
            || {
                use std::iter::{DoubleEndedIterator, Iterator};
                let mut iter = text.split_inclusive(c);
                let mut seen = Vec::new();
                for &forward in &script {
                    seen.push(if forward { Iterator::next(&mut iter) } else { DoubleEndedIterator::next_back(&mut iter) });
                }
                seen
            },
        );
    }

    #[test]
    fn ranges_of_strings(
        text in "[ab\u{e9}\u{1F600}]{0,5}",
        other in "[a\u{e9}]{0,2}",
        i in 0usize..12,
        j in 0usize..12,
        script in prop::collection::vec(any::<bool>(), 4),
    ) {
        macro_rules! range {
            ($model:expr, $real:expr) => {
                same(
                    ("drain", &text, &script),
                    || {
                        let mut s = text.clone();
                        let mut drain = StringRangeMethods::drain(&mut s, $model);
                        let out: Vec<_> = script.iter().map(|&forward| if forward { drain.next() } else { drain.next_back() }).collect();
                        let rest = drain.as_str().to_string();
                        (out, rest, drain.size_hint(), s)
                    },
                    || {
                        use std::iter::{DoubleEndedIterator, Iterator};
                        let mut s = text.clone();
                        let mut drain = s.drain($real);
                        let mut out = Vec::new();
                        for &forward in &script {
                            out.push(if forward { Iterator::next(&mut drain) } else { DoubleEndedIterator::next_back(&mut drain) });
                        }
                        let rest = drain.as_str().to_string();
                        let hint = Iterator::size_hint(&drain);
                        drop(drain);
                        (out, rest, hint, s)
                    },
                );
                same(
                    ("replace_range", &text),
                    || { let mut s = text.clone(); StringRangeMethods::replace_range(&mut s, $model, &other); s },
                    || { let mut s = text.clone(); s.replace_range($real, &other); s },
                );
            };
        }
        range!(i..j, i..j);
        range!(..j, ..j);
        range!(i.., i..);
        range!(.., ..);
        range!(ops::RangeInclusive::new(i, j), i..=j);
    }

    #[test]
    fn doubtful_bytes(bytes in prop::collection::vec(
        prop_oneof![any::<u8>(), prop::sample::select(vec![0x80u8, 0xBF, 0xC2, 0xE0, 0xA0, 0xED, 0x9F, 0xF0, 0x90, 0xF4, 0x8F, 0x41])], 0..7)
    ) {
        same(&bytes,
            || match <String as StringRangeMethods>::from_utf8_lossy(&bytes) { Cow::Borrowed(s) => (true, s.to_string()), Cow::Owned(s) => (false, s) },
            || match String::from_utf8_lossy(&bytes) { Cow::Borrowed(s) => (true, s.to_string()), Cow::Owned(s) => (false, s) });
    }

    #[test]
    fn characters(c: char, room in 0usize..6, number in prop_oneof![any::<u32>(), 0u32..0x11_0000]) {
        same(c,
            || { let mut dst = [0; 6]; let out = CharEncodeMethods::encode_utf8(c, &mut dst[..room]).to_string(); (out, dst) },
            || { let mut dst = [0; 6]; let out = c.encode_utf8(&mut dst[..room]).to_string(); (out, dst) });
        same(c,
            || { let mut dst = [0; 6]; let out = CharEncodeMethods::encode_utf16(c, &mut dst[..room]).to_vec(); (out, dst) },
            || { let mut dst = [0; 6]; let out = c.encode_utf16(&mut dst[..room]).to_vec(); (out, dst) });
        if let Some(real) = char::from_u32(number) {
            prop_assert_eq!(std_models::char::from_u32_unchecked(number), real);
        }
        prop_assert_eq!(CharEncodeMethods::is_ascii_octdigit(&c), matches!(c, '0'..='7'));
    }

    #[test]
    fn cows(a in "[ab]{0,3}", b in "[ab]{0,3}", a_owned: bool, b_owned: bool) {
        fn cow(text: &str, owned: bool) -> Cow<'_, str> {
            if owned { Cow::Owned(text.to_string()) } else { Cow::Borrowed(text) }
        }
        fn shown(cow: Cow<'_, str>) -> (bool, String) {
            (matches!(cow, Cow::Borrowed(_)), cow.into_owned())
        }
        let (x, y) = (cow(&a, a_owned), cow(&b, b_owned));
        same("eq", || cmp::PartialEq::eq(&x, &y), || x == y);
        same("eq", || cmp::PartialEq::eq(&x, b.as_str()), || x == *b.as_str());
        same("eq", || cmp::PartialEq::eq(&x, &b.as_str()), || x == b.as_str());
        same("eq", || cmp::PartialEq::eq(&x, &b), || x == b);
        same("eq", || cmp::PartialEq::eq(b.as_str(), &x), || *b.as_str() == x);
        same("eq", || cmp::PartialEq::eq(&b.as_str(), &x), || b.as_str() == x);
        same("eq", || cmp::PartialEq::eq(&b, &x), || b == x);
        same("cmp", || cmp::Ord::cmp(&x, &y), || Ord::cmp(&x, &y));
        same("cmp", || cmp::PartialOrd::partial_cmp(&x, &y), || PartialOrd::partial_cmp(&x, &y));
        same("clone", || shown(clone::Clone::clone(&x)), || shown(x.clone()));
        same("default", || shown(<Cow<'_, str> as default::Default>::default()), || shown(Default::default()));
        same("add", || shown(ops::Add::add(x.clone(), b.as_str())), || shown(x.clone() + b.as_str()));
        same("add", || { let mut z = x.clone(); ops::AddAssign::add_assign(&mut z, b.as_str()); shown(z) }, || { let mut z = x.clone(); z += b.as_str(); shown(z) });
        same("as_ref", || convert::AsRef::<str>::as_ref(&x).to_string(), || AsRef::<str>::as_ref(&x).to_string());
        same("borrow", || <Cow<'_, str> as borrow::Borrow<str>>::borrow(&x).to_string(), || std::borrow::Borrow::<str>::borrow(&x).to_string());
        same("from", || <String as convert::From<Cow<'_, str>>>::from(x.clone()), || String::from(x.clone()));
        same("from", || shown(convert::From::from(&a)), || shown(Cow::from(&a)));
        same("collect", || iter::FromIterator::from_iter([x.clone(), y.clone()]), || -> String { [x.clone(), y.clone()].into_iter().collect() });
        same("collect", || shown(iter::FromIterator::from_iter([a.as_str(), b.as_str()])), || shown([a.as_str(), b.as_str()].into_iter().collect()));
        let items = [1u8, 2];
        prop_assert_eq!(<Cow<'_, [u8]> as convert::From<&[u8]>>::from(&items[..]), Cow::Borrowed(&items[..]));
        prop_assert_eq!(<Vec<u8> as convert::From<Cow<'_, [u8]>>>::from(Cow::Borrowed(&items[..])), items.to_vec());
        let mut z = x.clone();
        CowMethods::to_mut(&mut z).push('q');
        prop_assert_eq!(shown(z), (false, a.clone() + "q"));
    }
}
