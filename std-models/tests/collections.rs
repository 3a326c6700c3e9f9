//! Models of `Vec`, `String`, `Box` and `Cow` against the real ones: each operation on a copy of the same value.

// The expressions are what the real operators and methods are called by; shorter ones would call others.
#![allow(clippy::all, unused_mut)]

mod common;

use std::borrow::Cow;

use common::same;
use proptest::prelude::*;
use std_models::inherent::*;
use std_models::{borrow, cmp, convert, iter, ops, string};

/// An operation on a vector: what it gives and what it leaves behind.
macro_rules! on_copy {
    ($value:expr, $trait:ident: $($method:ident($($arg:expr),*))*) => {$(
        same(
            (stringify!($method), &$value),
            || { let mut v = $value.clone(); let out = $trait::$method(&mut v, $($arg),*); (out, v) },
            || { let mut v = $value.clone(); let out = v.$method($($arg),*); (out, v) },
        );
    )*};
}

proptest! {
    #[test]
    fn vectors(items in prop::collection::vec(0u8..5, 0..7), other in prop::collection::vec(0u8..5, 0..4), i in 0usize..8, j in 0usize..8) {
        on_copy!(items, VecMethods:
            clear() truncate(i) insert(i, 9) remove(i) swap_remove(i) pop_if(|x| *x > 2) retain(|x| *x > 2)
            retain_mut(|x| { *x += 1; *x > 2 }) dedup_by(|a, b| *a / 2 == *b / 2) dedup_by_key(|x| *x / 2)
            append(&mut other.clone()) split_off(i) resize_with(i, || 7) reserve(9) is_empty());
        on_copy!(items, VecCloneMethods: extend_from_slice(&other) resize(i, 7));
        on_copy!(items, VecEqMethods: dedup());
        macro_rules! drained {
            ($model:expr, $real:expr) => {
                same(("drain", &items, $real),
                    || { let mut v = items.clone(); let out: Vec<u8> = iter::Iterator::collect(VecMethods::drain(&mut v, $model)); (out, v) },
                    || { let mut v = items.clone(); let out: Vec<u8> = v.drain($real).collect(); (out, v) })
            };
        }
        drained!(i..j, i..j);
        drained!(..j, ..j);
        drained!(i.., i..);
        drained!(.., ..);
        drained!(ops::RangeInclusive::new(i, j), i..=j);
        prop_assert_eq!(iter::Iterator::collect::<Vec<u8>>(iter::IntoIterator::into_iter(items.clone())), items.clone());
        prop_assert_eq!(
            iter::Iterator::collect::<Vec<u8>>(iter::Iterator::rev(iter::IntoIterator::into_iter(items.clone()))),
            items.iter().rev().copied().collect::<Vec<u8>>()
        );
        prop_assert_eq!(std_models::vec::from_elem('x', i), vec!['x'; i]);
        same("index", || *<Vec<u8> as ops::Index<usize>>::index(&items, i), || items[i]);
        same("range", || <Vec<u8> as ops::Index<_>>::index(&items, i..).to_vec(), || items[i..].to_vec());
        same("eq", || cmp::PartialEq::eq(&items, &other), || items == other);
        same("eq", || cmp::PartialEq::eq(&items, &other[..]), || items == other[..]);
        same("cmp", || cmp::Ord::cmp(&items, &other), || Ord::cmp(&items, &other));
        same("clone", || std_models::clone::Clone::clone(&items), || items.clone());
        same("from", || <Vec<u8> as convert::From<[u8; 2]>>::from([1, 2]), || vec![1, 2]);
        same("extend",
            || { let mut v = items.clone(); iter::Extend::extend(&mut v, SliceMethods::iter(&other[..])); v },
            || { let mut v = items.clone(); v.extend(other.iter()); v });
    }

    #[test]
    fn strings(text in "[ab\u{e9}\u{1F600}]{0,6}", other in "[ab\u{e9}]{0,3}", i in 0usize..12, bytes: Vec<u8>) {
        on_copy!(text, StringMethods:
            clear() truncate(i) remove(i) insert(i, '\u{e9}') insert_str(i, &other) split_off(i) retain(|c| c != 'a')
            push('\u{1F600}') push('a') pop() len() is_empty());
        same("as_bytes", || StringMethods::as_bytes(&text).to_vec(), || text.as_bytes().to_vec());
        same("from_utf8",
            || <String as StringMethods>::from_utf8(bytes.clone()).map_err(|e| e.into_bytes()),
            || String::from_utf8(bytes.clone()).map_err(|e| e.into_bytes()));
        same("add", || ops::Add::add(text.clone(), other.as_str()), || text.clone() + &other);
        same("index", || <String as ops::Index<_>>::index(&text, i..).to_string(), || text[i..].to_string());
        same("eq", || cmp::PartialEq::eq(&text, &other), || text == other);
        same("eq", || cmp::PartialEq::eq(&text, other.as_str()), || text == *other.as_str());
        same("cmp", || cmp::Ord::cmp(&text, &other), || Ord::cmp(&text, &other));
        same("from", || <String as convert::From<&str>>::from(&text), || String::from(text.as_str()));
        same("cow", || CowMethods::into_owned(Cow::Borrowed(text.as_str())), || text.clone());
        let mut cow = Cow::Borrowed(text.as_str());
        CowMethods::to_mut(&mut cow).push('x');
        prop_assert_eq!(cow, text.clone() + "x");
        prop_assert_eq!(borrow::ToOwned::to_owned(text.as_str()), text);
    }

    #[test]
    fn to_string(a: i8, b: i64, c: i128, d: u128, e: char) {
        prop_assert_eq!(string::ToString::to_string(&a), a.to_string());
        prop_assert_eq!(string::ToString::to_string(&b), b.to_string());
        prop_assert_eq!(string::ToString::to_string(&c), c.to_string());
        prop_assert_eq!(string::ToString::to_string(&d), d.to_string());
        prop_assert_eq!(string::ToString::to_string(&e), e.to_string());
    }
}

#[test]
fn extremes_to_string() {
    assert_eq!(string::ToString::to_string(&i128::MIN), i128::MIN.to_string());
    assert_eq!(string::ToString::to_string(&u128::MAX), u128::MAX.to_string());
    assert_eq!(string::ToString::to_string(&0), "0");
    assert_eq!(string::ToString::to_string(&i8::MIN), "-128");
    assert_eq!(string::ToString::to_string(&true), "true");
}

#[test]
fn boxes() {
    assert!(cmp::PartialEq::eq(&Box::new(1), &Box::new(1)));
    assert!(cmp::PartialEq::ne(&Box::new(1), &Box::new(2)));
    assert_eq!(*<Box<u8> as ops::Deref>::deref(&Box::new(3)), 3);
    assert_eq!(*std_models::clone::Clone::clone(&Box::new(3)), 3);
    assert_eq!(*<Box<u8> as convert::From<u8>>::from(3), 3);
    assert_eq!(&*<Box<str> as convert::From<&str>>::from("äb"), "äb");
    assert_eq!(&*<Box<str> as convert::From<String>>::from("äb".to_owned()), "äb");
    assert_eq!(*<Box<[u8]> as convert::From<&[u8]>>::from(&[1, 2]), [1, 2]);
    assert_eq!(*<Box<[u8]> as convert::From<Vec<u8>>>::from(vec![1, 2]), [1, 2]);
}

proptest! {
    #[test]
    fn joining(parts in prop::collection::vec("[ab]{0,3}", 0..4), lists in prop::collection::vec(prop::collection::vec(0u8..9, 0..3), 0..4)) {
        same(&parts, || SliceJoinMethods::join(&parts[..], ", "), || parts.join(", "));
        same(&parts, || SliceJoinMethods::concat::<str>(&parts[..]), || parts.concat());
        same(&lists, || SliceJoinMethods::join(&lists[..], &7u8), || lists.join(&7u8));
        same(&lists, || SliceJoinMethods::concat::<u8>(&lists[..]), || lists.concat());
    }

    #[test]
    fn hashing(a: i8, b: u64, c: char, text in "[a\u{e9}]{0,4}", items: Vec<u8>, wide: Vec<u16>, option: Option<i32>) {
        let value = ((a, b, c), text.as_str(), (items, wide), option);
        let mut model = Recorder::default();
        std_models::hash::Hash::hash(&value, &mut model);
        let mut real = Recorder::default();
        std::hash::Hash::hash(&value, &mut real);
        prop_assert_eq!((model.bytes, model.pieces), (real.bytes, real.pieces));
    }
}

/// A hasher that keeps what it is fed and in which pieces, for both traits.
#[derive(Default)]
struct Recorder {
    bytes: Vec<u8>,
    pieces: Vec<usize>,
}

impl std_models::hash::Hasher for Recorder {
    fn finish(&self) -> u64 {
        self.bytes.len() as u64
    }
    fn write(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.pieces.push(bytes.len());
    }
}

impl std::hash::Hasher for Recorder {
    fn finish(&self) -> u64 {
        self.bytes.len() as u64
    }
    fn write(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.pieces.push(bytes.len());
    }
}

#[test]
fn non_zero() {
    type Model = std_models::num::NonZero<i8>;
    for n in i8::MIN..=i8::MAX {
        assert_eq!(Model::new(n).map(|n| n.get()), std::num::NonZero::new(n).map(|n| n.get()));
        for m in [1i8, 2, -1, i8::MIN] {
            assert_eq!(
                Model::new(n).and_then(|n| n.checked_mul(Model::new(m)?)).map(|n| n.get()),
                std::num::NonZero::new(n)
                    .and_then(|n| n.checked_mul(std::num::NonZero::new(m)?))
                    .map(|n| n.get()),
            );
        }
    }
}

#[test]
fn slices_to_arrays() {
    let mut items = [1, 2, 3];
    assert_eq!(<&[u8; 3] as convert::TryFrom<&[u8]>>::try_from(&items).ok(), Some(&[1, 2, 3]));
    assert!(<&[u8; 2] as convert::TryFrom<&[u8]>>::try_from(&items).is_err());
    let array = <&mut [u8; 3] as convert::TryFrom<&mut [u8]>>::try_from(&mut items).ok().unwrap();
    array[0] = 9;
    assert_eq!(items, [9, 2, 3]);
}

#[test]
fn what_cannot_be_addressed() {
    const HALF: usize = isize::MAX as usize + 1;
    for capacity in [0, 5, HALF, usize::MAX] {
        same(
            capacity,
            || <Vec<u8> as VecMethods<u8>>::with_capacity(capacity),
            || Vec::with_capacity(capacity),
        );
        same(
            capacity,
            || <Vec<()> as VecMethods<()>>::with_capacity(capacity),
            || Vec::with_capacity(capacity),
        );
        same(
            capacity,
            || <String as StringMethods>::with_capacity(capacity),
            || String::with_capacity(capacity),
        );
        same(capacity, || VecMethods::reserve(&mut vec![1u8], capacity), || vec![1u8].reserve(capacity));
        same(capacity, || VecMethods::reserve(&mut vec![()], capacity), || vec![()].reserve(capacity));
        same(
            capacity,
            || StringMethods::reserve(&mut String::from("x"), capacity),
            || String::from("x").reserve(capacity),
        );
    }
    for capacity in [0, HALF / 2, HALF] {
        same(
            capacity,
            || <Vec<u32> as VecMethods<u32>>::with_capacity(capacity),
            || Vec::with_capacity(capacity),
        );
    }
    same("repeat", || StrOwnedMethods::repeat("ab", HALF), || "ab".repeat(HALF));
    same("repeat", || StrOwnedMethods::repeat("ab", HALF / 2), || "ab".repeat(HALF / 2));
    same("repeat", || SliceMethods::repeat(&[1u16][..], HALF / 2), || [1u16].repeat(HALF / 2));
}
