//! String models against the real ones, on short strings over few characters of one to four bytes.

// The expressions are what the real operators and methods are called by; shorter ones would call others.
#![allow(clippy::all)]

mod common;

use common::same;
use proptest::prelude::*;
use std_models::inherent::text::StrBackMethods;
use std_models::inherent::{StrMethods, StrOwnedMethods};
use std_models::iter as model;
use std_models::ops::RangeInclusive;
use std_models::slice::SliceIndex;

/// A method of `str` on the model's and the real side.
macro_rules! method {
    ($text:expr, $($method:ident($($arg:expr),*))*) => {$(
        same((stringify!($method), $text, stringify!($($arg),*)), || StrMethods::$method($text, $($arg),*), || $text.$method($($arg),*));
    )*};
}

/// An iterator of `str`, collected.
macro_rules! listed {
    ($text:expr, $($method:ident($($arg:expr),*))*) => {$(
        same(
            (stringify!($method), $text, stringify!($($arg),*)),
            || model::Iterator::collect::<Vec<_>>(StrMethods::$method($text, $($arg),*)),
            || $text.$method($($arg),*).collect(),
        );
    )*};
}

/// An iterator of `str`, stepped from both ends.
macro_rules! stepped {
    ($text:expr, $script:expr, $($method:ident($($arg:expr),*))*) => {$(
        same(
            (stringify!($method), $text, $script),
            || {
                use model::{DoubleEndedIterator, Iterator};
                let mut iter = StrMethods::$method($text, $($arg),*);
                let mut seen = Vec::new();
                for &forward in $script {
                    seen.push((Iterator::size_hint(&iter), if forward { Iterator::next(&mut iter) } else { DoubleEndedIterator::next_back(&mut iter) }));
                }
                (seen, all_asked())
            },
            || {
                let mut iter = $text.$method($($arg),*);
                let mut seen = Vec::new();
                for &forward in $script {
                    seen.push((iter.size_hint(), if forward { iter.next() } else { iter.next_back() }));
                }
                (seen, all_asked())
            },
        );
    )*};
}

/// An iterator of `str`, with what it says of what is left at each step.
macro_rules! hinted {
    ($text:expr, $($trait:ident $method:ident())*) => {$(
        same(
            (stringify!($method), $text),
            || {
                let mut iter = $trait::$method($text);
                (0..12).map(|_| (model::Iterator::size_hint(&iter), model::Iterator::next(&mut iter))).collect::<Vec<_>>()
            },
            || {
                let mut iter = $text.$method();
                (0..12).map(|_| (iter.size_hint(), iter.next())).collect::<Vec<_>>()
            },
        );
    )*};
}

std::thread_local! {
    /// The characters that patterns were asked about.
    static ASKED: std::cell::RefCell<Vec<char>> = const { std::cell::RefCell::new(Vec::new()) };
}

/// A pattern that writes down what it is asked about.
fn noted(c: char) -> impl FnMut(char) -> bool {
    move |asked| {
        ASKED.with(|all| all.borrow_mut().push(asked));
        asked == c
    }
}

fn all_asked() -> Vec<char> {
    ASKED.with(|all| all.take())
}

/// Everything that takes a pattern searchable from both ends but not symmetrically (`&str`).
macro_rules! with_pattern {
    ($text:expr, $n:expr, $pattern:expr) => {
        method!($text,
            contains($pattern) starts_with($pattern) ends_with($pattern) find($pattern) rfind($pattern)
            split_once($pattern) rsplit_once($pattern) trim_start_matches($pattern) trim_end_matches($pattern)
            strip_prefix($pattern) strip_suffix($pattern));
        listed!($text,
            split($pattern) rsplit($pattern) split_terminator($pattern) split_inclusive($pattern)
            splitn($n, $pattern) rsplitn($n, $pattern) matches($pattern) match_indices($pattern));
    };
}

const TEXT: &str = "[ab\u{e9}\u{4e00}\u{1F600} \n\r\t,]{0,8}";

proptest! {
    #[test]
    fn searching_and_splitting(
        text in "[ab\u{e9}\u{1F600},]{0,8}",
        needle in "[ab\u{e9},]{0,3}",
        c in prop::sample::select(vec!['a', ',', '\u{e9}', '\u{1F600}']),
        n in 0usize..4,
        script in prop::collection::vec(any::<bool>(), 10),
    ) {
        let (text, needle, script) = (text.as_str(), needle.as_str(), &script[..]);
        with_pattern!(text, n, needle);
        with_pattern!(text, n, &needle.to_string());
        with_pattern!(text, n, c);
        with_pattern!(text, n, ['a', c]);
        with_pattern!(text, n, &['b', c]);
        with_pattern!(text, n, &['b', c][..]);
        with_pattern!(text, n, |x: char| x == c || x > 'b');
        macro_rules! replaced {
            ($pattern:expr) => {
                same(("replace", text), || StrOwnedMethods::replace(text, $pattern, "-a"), || text.replace($pattern, "-a"));
                same(("replacen", text), || StrOwnedMethods::replacen(text, $pattern, "-a", n), || text.replacen($pattern, "-a", n));
            };
        }
        replaced!(needle);
        replaced!(c);
        replaced!(|x: char| x == c);
        same("repeat", || StrOwnedMethods::repeat(text, n), || text.repeat(n));
        same("upper", || StrOwnedMethods::to_ascii_uppercase(text), || text.to_ascii_uppercase());
        let ascii = text.replace(|c: char| !c.is_ascii(), "Q");
        same("upper", || StrOwnedMethods::to_uppercase(ascii.as_str()), || ascii.to_uppercase());
        same("lower", || StrOwnedMethods::to_lowercase(ascii.as_str()), || ascii.to_lowercase());
        method!(text, trim_matches(c) trim_matches(&['a', 'b'][..]) trim_matches(char::is_alphabetic as fn(char) -> bool));
        stepped!(text, script, split(c) split(['a', ',']) rsplit(c) split_terminator(c) split_terminator(|x| x == 'a'));
        stepped!(text, script, split(noted(c)) rsplit(noted(c)) split_terminator(noted(c)) split_inclusive(noted(c)));
        macro_rules! asked {
            ($($method:ident)*) => {$(
                same(
                    (stringify!($method), text, c),
                    || (format!("{:?}", StrMethods::$method(text, noted(c))), all_asked()),
                    || (format!("{:?}", text.$method(noted(c))), all_asked()),
                );
            )*};
        }
        asked!(trim_matches trim_start_matches trim_end_matches find rfind contains split_once rsplit_once strip_prefix strip_suffix);
    }

    #[test]
    fn plain_methods(text in TEXT, other in TEXT, script in prop::collection::vec(any::<bool>(), 10), i in 0usize..12, j in 0usize..12) {
        let (text, script) = (text.as_str(), &script[..]);
        method!(text,
            is_empty() trim() trim_start() trim_end() is_ascii() trim_ascii() trim_ascii_start() trim_ascii_end()
            is_char_boundary(i) split_at(i) split_at_checked(i) eq_ignore_ascii_case(&other));
        stepped!(text, script, chars() char_indices() bytes() lines() split_whitespace());
        listed!(text, chars() char_indices() bytes() lines() split_whitespace() split_ascii_whitespace());
        hinted!(text, StrMethods split_ascii_whitespace() StrBackMethods encode_utf16());
        // How far it is can be asked when nothing is left, too.
        let (mut restated, mut real) = (StrMethods::char_indices(text), text.char_indices());
        for front in &script[..] {
            match front {
                true => prop_assert_eq!(model::Iterator::next(&mut restated), real.next()),
                false => prop_assert_eq!(model::DoubleEndedIterator::next_back(&mut restated), real.next_back()),
            }
            prop_assert_eq!(restated.offset(), real.offset());
        }
        let upper = text.to_ascii_uppercase();
        method!(text, eq_ignore_ascii_case(&upper));
        for j in [j, usize::MAX] {
            macro_rules! range {
                ($model:expr, $real:expr) => {
                    same(("get", text, $real), || StrMethods::get(text, $model), || text.get($real));
                    same(("index", text, $real), || SliceIndex::index($model, text), || &text[$real]);
                };
            }
            range!(i..j, i..j);
            range!(..j, ..j);
            range!(i.., i..);
            range!(.., ..);
            range!(RangeInclusive::new(i, j), i..=j);
            range!(..=j, ..=j);
        }
        let mut chars = StrMethods::chars(text);
        let mut real = text.chars();
        for _ in 0..i.min(3) {
            model::Iterator::next(&mut chars);
            real.next();
        }
        prop_assert_eq!(chars.as_str(), real.as_str());
    }

    #[test]
    fn validity(bytes in prop::collection::vec(
        prop_oneof![any::<u8>(), prop::sample::select(vec![0x80u8, 0xBF, 0xC2, 0xE0, 0xA0, 0xED, 0x9F, 0xF0, 0x90, 0xF4, 0x8F, 0x41])], 0..7)
    ) {
        same(&bytes,
            || std_models::str::from_utf8(&bytes).map_err(|e| (e.valid_up_to(), e.error_len())),
            || std::str::from_utf8(&bytes).map_err(|e| (e.valid_up_to(), e.error_len())));
    }

    #[test]
    fn parsing(text in "(true|false|True||a|\u{e9}|ab|tru)") {
        let text = text.as_str();
        same(text, || StrMethods::parse::<bool>(text).ok(), || text.parse::<bool>().ok());
        same(text, || StrMethods::parse::<char>(text).ok(), || text.parse::<char>().ok());
    }
}

#[test]
fn every_character_decodes() {
    for c in '\0'..=char::MAX {
        let text = c.to_string();
        let mut chars = StrMethods::chars(text.as_str());
        assert_eq!(model::Iterator::next(&mut chars), Some(c));
        assert_eq!(model::Iterator::next(&mut chars), None);
        let mut chars = StrMethods::chars(text.as_str());
        assert_eq!(model::DoubleEndedIterator::next_back(&mut chars), Some(c));
        assert_eq!(StrMethods::find(text.as_str(), c), Some(0));
        assert!(std_models::str::from_utf8(text.as_bytes()).is_ok());
    }
}
