//! Models of what takes slices apart and of conversions of vectors against the real ones.

// The expressions are what the real operators and methods are called by; shorter ones would call others.
#![allow(clippy::all)]

mod common;

use common::same;
use proptest::prelude::*;
use std_models::inherent::SliceMethods;
use std_models::inherent::slices::{SlicePartMethods, VecRangeMethods};
use std_models::{convert, iter};

/// An iterator over parts, with what it says of what is left at each step.
macro_rules! listed {
    ($items:expr, $($trait:ident $method:ident($($arg:expr),*))*) => {$(
        same(
            (stringify!($method), $items),
            || {
                let mut parts = $trait::$method($items, $($arg),*);
                (0..12).map(|_| (iter::Iterator::size_hint(&parts), iter::Iterator::next(&mut parts))).collect::<Vec<_>>()
            },
            || {
                let mut parts = $items.$method($($arg),*);
                (0..12).map(|_| (parts.size_hint(), parts.next())).collect::<Vec<_>>()
            },
        );
    )*};
}

proptest! {
    #[test]
    fn parts(items in prop::collection::vec(0u8..4, 0..8), other in prop::collection::vec(0u8..4, 0..4), n in 0usize..5, script in prop::collection::vec(any::<bool>(), 6)) {
        let all = &items[..];
        listed!(all,
            SlicePartMethods rsplit(|x| *x == 0) SlicePartMethods splitn(n, |x| *x == 0)
            SlicePartMethods rsplitn(n, |x| *x == 0) SlicePartMethods split_inclusive(|x| *x == 0)
            SlicePartMethods chunk_by(|a, b| a <= b) SliceMethods split(|x| *x == 0));
        same("rsplit", || iter::Iterator::collect::<Vec<_>>(iter::Iterator::rev(SlicePartMethods::rsplit(all, |x| *x == 1))), || all.rsplit(|x| *x == 1).rev().collect::<Vec<_>>());
        same("strip_prefix", || SlicePartMethods::strip_prefix(all, &other[..]), || all.strip_prefix(&other[..]));
        same("strip_suffix", || SlicePartMethods::strip_suffix(all, &other[..]), || all.strip_suffix(&other[..]));
        same("strip_prefix", || SlicePartMethods::strip_prefix(all, &[1u8, 2]), || all.strip_prefix(&[1u8, 2]));
        same("sorted", || SlicePartMethods::is_sorted_by(all, |a, b| a < b), || all.is_sorted_by(|a, b| a < b));
        same("sorted", || SlicePartMethods::is_sorted_by_key(all, |a| *a / 2), || all.is_sorted_by_key(|a| *a / 2));
        same("chunk", || SlicePartMethods::split_last_chunk::<2>(all), || all.split_last_chunk::<2>());
        same("chunk", || SlicePartMethods::first_chunk_mut::<2>(&mut items.clone()[..]).map(|c| *c), || items.clone().first_chunk_mut::<2>().map(|c| *c));
        same("chunk", || SlicePartMethods::last_chunk_mut::<2>(&mut items.clone()[..]).map(|c| *c), || items.clone().last_chunk_mut::<2>().map(|c| *c));
        same("split", || SlicePartMethods::split_at_mut_checked(&mut items.clone()[..], n).map(|(a, b)| (a.to_vec(), b.to_vec())), || items.clone().split_at_mut_checked(n).map(|(a, b)| (a.to_vec(), b.to_vec())));
        macro_rules! ends {
            ($model:expr, $real:expr) => {
                same(
                    (stringify!($real), &items, n, &script),
                    || {
                        use iter::{DoubleEndedIterator, Iterator};
                        let mut of = items.clone();
                        let mut iter = $model(&mut of[..]);
                        script.iter().map(|&f| if f { Iterator::next(&mut iter) } else { DoubleEndedIterator::next_back(&mut iter) }.map(|c| c.to_vec())).collect::<Vec<_>>()
                    },
                    || {
                        let mut of = items.clone();
                        let mut iter = $real(&mut of[..]);
                        let mut seen = Vec::new();
                        for &f in &script {
                            seen.push(if f { iter.next() } else { iter.next_back() }.map(|c| c.to_vec()));
                        }
                        seen
                    },
                )
            };
        }
        ends!(|s| SlicePartMethods::chunks_exact_mut(s, n), |s| chunks_exact(s, n));
        ends!(|s| SliceMethods::chunks_mut(s, n), |s| chunks(s, n));
        ends!(|s| rchunks_model(s, n), |s| rchunks(s, n));
        if n > 0 {
            same("rest", || SlicePartMethods::chunks_exact_mut(&mut items.clone()[..], n).into_remainder().to_vec(), || items.clone().chunks_exact_mut(n).into_remainder().to_vec());
        }
    }

    #[test]
    fn vectors(items in prop::collection::vec(0u8..9, 0..6), i in 0usize..6, j in 0usize..6) {
        same("within", || { let mut v = items.clone(); VecRangeMethods::extend_from_within(&mut v, i..j); v }, || { let mut v = items.clone(); v.extend_from_within(i..j); v });
        same("array", || <[u8; 3] as convert::TryFrom<Vec<u8>>>::try_from(items.clone()), || <[u8; 3]>::try_from(items.clone()));
        same("from", || <Vec<u8> as convert::From<&[u8; 2]>>::from(&[1, 2]), || Vec::from(&[1, 2]));
        same("from", || <Vec<u8> as convert::From<&mut [u8]>>::from(&mut items.clone()[..]), || items.clone());
        same("as_ref", || <Vec<u8> as convert::AsRef<Vec<u8>>>::as_ref(&items).clone(), || items.clone());
    }
}

fn chunks_exact(slice: &mut [u8], n: usize) -> std::slice::ChunksExactMut<'_, u8> {
    slice.chunks_exact_mut(n)
}

fn chunks(slice: &mut [u8], n: usize) -> std::slice::ChunksMut<'_, u8> {
    slice.chunks_mut(n)
}

fn rchunks(slice: &mut [u8], n: usize) -> std::slice::RChunks<'_, u8> {
    slice.rchunks(n)
}

fn rchunks_model(slice: &mut [u8], n: usize) -> std_models::slice::RChunks<'_, u8> {
    SliceMethods::rchunks(slice, n)
}
