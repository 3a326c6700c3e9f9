//! Iterator and slice models against the real ones, on random sequences.

// The expressions are what the real operators and methods are called by; shorter ones would call others.
#![allow(clippy::all)]

mod common;

use common::same;
use proptest::prelude::*;
use std_models::inherent::{ArrayMethods, SliceBytesMethods, SliceMethods, SliceOrderMethods};
use std_models::iter as model;
use std_models::iter::{DoubleEndedIterator as _, ExactSizeIterator as _, Iterator as _};
use std_models::ops::RangeInclusive;
use std_models::slice::SliceIndex;

/// Runs an iterator by a script of `next` (true) and `next_back` (false), with the size hint before each step.
macro_rules! steps {
    ($trait_path:path, $back_path:path, $iter:expr, $script:expr) => {{
        let mut iter = $iter;
        let mut seen = Vec::new();
        for &forward in $script {
            let hint = <_ as $trait_path>::size_hint(&iter);
            let item = if forward {
                <_ as $trait_path>::next(&mut iter)
            } else {
                <_ as $back_path>::next_back(&mut iter)
            };
            seen.push((hint, item));
        }
        seen
    }};
}

/// The same adaptor chain over the model's and the real iterator, stepped from both ends. Size hints are compared
/// too: `len` and `collect` of std rest on them.
macro_rules! both_ends {
    ($items:expr, $script:expr, |$it:ident| $chain:expr) => {
        same(
            stringify!($chain),
            || {
                let $it = SliceMethods::iter($items);
                steps!(model::Iterator, model::DoubleEndedIterator, $chain, $script)
            },
            || {
                let $it = $items.iter();
                steps!(std::iter::Iterator, std::iter::DoubleEndedIterator, $chain, $script)
            },
        )
    };
}

/// Like `both_ends`, but never asks for the size.
macro_rules! without_hints {
    ($items:expr, $script:expr, |$it:ident| $chain:expr) => {
        same(
            stringify!($chain),
            || {
                let $it = SliceMethods::iter($items);
                let mut iter = $chain;
                $script
                    .iter()
                    .map(|&forward| if forward { iter.next() } else { iter.next_back() })
                    .collect::<Vec<_>>()
            },
            || {
                use std::iter::{DoubleEndedIterator, Iterator};
                let $it = $items.iter();
                let mut iter = $chain;
                let mut seen = Vec::new();
                for &forward in $script {
                    seen.push(if forward {
                        Iterator::next(&mut iter)
                    } else {
                        DoubleEndedIterator::next_back(&mut iter)
                    });
                }
                seen
            },
        )
    };
}

/// Like `both_ends`, from the front only, hints included.
macro_rules! forward {
    ($items:expr, |$it:ident| $chain:expr) => {
        same(
            stringify!($chain),
            || {
                let $it = SliceMethods::iter($items);
                let mut iter = $chain;
                let mut seen = Vec::new();
                for _ in 0..30 {
                    seen.push((model::Iterator::size_hint(&iter), model::Iterator::next(&mut iter)));
                }
                seen
            },
            || {
                let $it = $items.iter();
                let mut iter = $chain;
                let mut seen = Vec::new();
                for _ in 0..30 {
                    seen.push((std::iter::Iterator::size_hint(&iter), std::iter::Iterator::next(&mut iter)));
                }
                seen
            },
        )
    };
}

/// The same consumer on both.
macro_rules! consumed {
    ($items:expr, |$it:ident| $consumer:expr) => {
        same(
            stringify!($consumer),
            || {
                #[allow(unused_mut)]
                let mut $it = SliceMethods::iter($items);
                $consumer
            },
            || {
                #[allow(unused_mut)]
                let mut $it = $items.iter();
                $consumer
            },
        )
    };
}

proptest! {
    #[test]
    fn adaptors_from_both_ends(
        items in prop::collection::vec(any::<u8>(), 0..9),
        script in prop::collection::vec(any::<bool>(), 12),
        n in 0usize..6,
    ) {
        let (items, script) = (&items[..], &script[..]);
        both_ends!(items, script, |it| it);
        both_ends!(items, script, |it| it.map(|x| x.wrapping_mul(3)));
        both_ends!(items, script, |it| it.filter(|x| **x % 2 == 0));
        both_ends!(items, script, |it| it.filter_map(|x| x.checked_add(100)));
        both_ends!(items, script, |it| it.enumerate());
        both_ends!(items, script, |it| it.rev());
        both_ends!(items, script, |it| it.copied());
        both_ends!(items, script, |it| it.cloned());
        both_ends!(items, script, |it| it.inspect(|_| ()));
        both_ends!(items, script, |it| it.fuse());
        both_ends!(items, script, |it| it.peekable());
        both_ends!(items, script, |it| it.skip(n));
        both_ends!(items, script, |it| it.take(n));
        both_ends!(items, script, |it| it.step_by(n));
        both_ends!(items, script, |it| it.skip(1).step_by(n).rev().enumerate());
        both_ends!(items, script, |it| it.clone().chain(it));
        both_ends!(items, script, |it| it.clone().zip(it.skip(n)));
        without_hints!(items, script, |it| it.clone().flat_map(|x| x.checked_sub(100)));
        without_hints!(items, script, |it| it.map(|x| if *x > 100 { Some(x) } else { None }).flatten());
        without_hints!(items, script, |it| it.flat_map(|x| [*x; 2]));
    }

    #[test]
    fn adaptors_from_the_front(items in prop::collection::vec(0u8..20, 0..9), n in 0usize..6) {
        let items = &items[..];
        forward!(items, |it| it.take_while(|x| **x < 15));
        forward!(items, |it| it.skip_while(|x| **x < 5));
        forward!(items, |it| it.map_while(|x| x.checked_sub(3)));
        forward!(items, |it| it.scan(0u8, |sum, x| { *sum += *x; if *sum > 50 { None } else { Some(*sum) } }));
        forward!(items, |it| it.cycle());
        forward!(items, |it| it.cycle().skip(n).step_by(3));
        forward!(items, |it| it.clone().zip(it.cycle()).take(n));
    }

    #[test]
    fn consumers(items in prop::collection::vec(0u8..20, 0..9), other in prop::collection::vec(0u8..20, 0..9), n in 0usize..9) {
        let items = &items[..];
        consumed!(items, |it| it.count());
        consumed!(items, |it| it.last());
        consumed!(items, |it| (it.nth(n), it.next()));
        consumed!(items, |it| (it.nth_back(n), it.next_back(), it.next()));
        consumed!(items, |it| it.sum::<u8>());
        consumed!(items, |it| it.copied().sum::<u8>());
        consumed!(items, |it| it.product::<u8>());
        consumed!(items, |it| it.map(|x| *x as i64 - 10).product::<i64>());
        consumed!(items, |it| it.max());
        consumed!(items, |it| it.min());
        consumed!(items, |it| it.enumerate().max_by_key(|(_, x)| **x % 4));
        consumed!(items, |it| it.enumerate().min_by_key(|(_, x)| **x % 4));
        consumed!(items, |it| it.enumerate().max_by(|a, b| (a.1 % 4).cmp(&(b.1 % 4))));
        consumed!(items, |it| it.enumerate().min_by(|a, b| (a.1 % 4).cmp(&(b.1 % 4))));
        consumed!(items, |it| (it.all(|x| *x < 15), it.next()));
        consumed!(items, |it| (it.any(|x| *x > 15), it.next()));
        consumed!(items, |it| (it.find(|x| **x > 15), it.next()));
        consumed!(items, |it| (it.rfind(|x| **x > 15), it.next_back()));
        consumed!(items, |it| (it.find_map(|x| x.checked_sub(15)), it.next()));
        consumed!(items, |it| (it.position(|x| *x > 15), it.next()));
        consumed!(items, |it| (it.rposition(|x| *x > 15), it.next()));
        consumed!(items, |it| it.fold(1u32, |acc, x| acc.wrapping_mul(31) + *x as u32));
        consumed!(items, |it| it.rfold(1u32, |acc, x| acc.wrapping_mul(31) + *x as u32));
        consumed!(items, |it| it.copied().reduce(|a, b| a.wrapping_mul(3) ^ b));
        consumed!(items, |it| it.partition::<Vec<&u8>, _>(|x| **x % 2 == 0));
        consumed!(items, |it| it.map(|x| (*x, x % 3)).unzip::<u8, u8, Vec<u8>, Vec<u8>>());
        consumed!(items, |it| it.is_sorted());
        consumed!(items, |it| it.map(|x| x.checked_sub(2)).collect::<Option<Vec<u8>>>());
        consumed!(items, |it| it.map(|x| x.checked_sub(2).ok_or(*x)).collect::<Result<Vec<u8>, u8>>());
        consumed!(items, |it| it.map(|x| x.checked_sub(2)).sum::<Option<u8>>());
        consumed!(items, |it| it.map(|x| x.checked_sub(2).ok_or(*x)).product::<Result<u8, u8>>());
        consumed!(items, |it| it.map(|x| (b'a' + x) as char).collect::<String>());
        consumed!(items, |it| it.by_ref().take(n).count() + it.len());
        consumed!(items, |it| it.as_slice().len() + it.as_slice().iter().len());
        let mut seen = Vec::new();
        SliceMethods::iter(items).for_each(|x| seen.push(*x));
        prop_assert_eq!(&seen[..], items);
        let (a, b) = (items, &other[..]);
        prop_assert_eq!(model::Iterator::cmp(SliceMethods::iter(a), SliceMethods::iter(b)), a.cmp(b));
        prop_assert_eq!(model::Iterator::partial_cmp(SliceMethods::iter(a), SliceMethods::iter(b)), a.partial_cmp(b));
        prop_assert_eq!(model::Iterator::eq(SliceMethods::iter(a), SliceMethods::iter(b)), a == b);
        prop_assert_eq!(model::Iterator::ne(SliceMethods::iter(a), SliceMethods::iter(b)), a != b);
        prop_assert_eq!(model::Iterator::lt(SliceMethods::iter(a), SliceMethods::iter(b)), a < b);
        prop_assert_eq!(model::Iterator::le(SliceMethods::iter(a), SliceMethods::iter(b)), a <= b);
        prop_assert_eq!(model::Iterator::gt(SliceMethods::iter(a), SliceMethods::iter(b)), a > b);
        prop_assert_eq!(model::Iterator::ge(SliceMethods::iter(a), SliceMethods::iter(b)), a >= b);
    }

    #[test]
    fn folds_that_stop(items in prop::collection::vec(0u8..60, 0..9)) {
        let mut iter = SliceMethods::iter(&items[..]);
        let mut real = items.iter();
        prop_assert_eq!(
            (iter.try_fold(0u8, |sum, x| sum.checked_add(*x)), iter.next()),
            (std::iter::Iterator::try_fold(&mut real, 0u8, |sum, x| sum.checked_add(*x)), std::iter::Iterator::next(&mut real))
        );
        let mut iter = SliceMethods::iter(&items[..]);
        let mut real = items.iter();
        prop_assert_eq!(
            (iter.try_rfold(0u8, |sum, x| sum.checked_add(*x)), iter.next()),
            (std::iter::DoubleEndedIterator::try_rfold(&mut real, 0u8, |sum, x| sum.checked_add(*x)), std::iter::Iterator::next(&mut real))
        );
        let mut iter = SliceMethods::iter(&items[..]);
        let mut real = items.iter();
        prop_assert_eq!(
            (iter.try_for_each(|x| if *x > 40 { Err(*x) } else { Ok(()) }), iter.next()),
            (std::iter::Iterator::try_for_each(&mut real, |x| if *x > 40 { Err(*x) } else { Ok(()) }), std::iter::Iterator::next(&mut real))
        );
    }

    #[test]
    fn peeking(items in prop::collection::vec(0u8..9, 0..6), script in prop::collection::vec(0u8..5, 12)) {
        let mut a = SliceMethods::iter(&items[..]).peekable();
        let mut b = std::iter::Iterator::peekable(items.iter());
        for step in script {
            match step {
                0 => prop_assert_eq!(a.peek(), b.peek()),
                1 => prop_assert_eq!(a.next_if(|x| **x > 4), b.next_if(|x| **x > 4)),
                2 => prop_assert_eq!(a.next_if_eq(&&3), b.next_if_eq(&&3)),
                3 => prop_assert_eq!(a.peek_mut(), b.peek_mut()),
                _ => prop_assert_eq!(a.next(), std::iter::Iterator::next(&mut b)),
            }
            prop_assert_eq!(a.size_hint(), std::iter::Iterator::size_hint(&b));
        }
    }

    #[test]
    fn ranges(start in -4i8..4, end in -4i8..4, far: i8, script in prop::collection::vec(any::<bool>(), 12), n in 0usize..300) {
        let script = &script[..];
        for (start, end) in [(start, end), (far, far.wrapping_add(end)), (i8::MAX - 2, i8::MAX), (i8::MIN, far)] {
            same((start, end),
                || steps!(model::Iterator, model::DoubleEndedIterator, start..end, script),
                || steps!(std::iter::Iterator, std::iter::DoubleEndedIterator, start..end, script));
            same((start, end),
                || steps!(model::Iterator, model::DoubleEndedIterator, RangeInclusive::new(start, end), script),
                || steps!(std::iter::Iterator, std::iter::DoubleEndedIterator, start..=end, script));
            same((start, end, n), || { let mut r = start..end; (model::Iterator::nth(&mut r, n), r) },
                || { let mut r = start..end; (std::iter::Iterator::nth(&mut r, n), r) });
            same((start, end, n), || { let mut r = start..end; (model::DoubleEndedIterator::nth_back(&mut r, n), r) },
                || { let mut r = start..end; (std::iter::DoubleEndedIterator::nth_back(&mut r, n), r) });
            same((start, n), || model::Iterator::nth(&mut (start..), n), || std::iter::Iterator::nth(&mut (start..), n));
            prop_assert_eq!(RangeInclusive::new(start, end).contains(&far), (start..=end).contains(&far));
            prop_assert_eq!(RangeInclusive::new(start, end).is_empty(), (start..=end).is_empty());
        }
        for (start, end) in [('\u{D7FE}', '\u{E002}'), ('a', 'd'), ('d', 'a'), ('\u{10FFFE}', char::MAX)] {
            same((start, end),
                || steps!(model::Iterator, model::DoubleEndedIterator, start..end, script),
                || steps!(std::iter::Iterator, std::iter::DoubleEndedIterator, start..end, script));
            same((start, end),
                || steps!(model::Iterator, model::DoubleEndedIterator, RangeInclusive::new(start, end), script),
                || steps!(std::iter::Iterator, std::iter::DoubleEndedIterator, start..=end, script));
        }
        same("u128", || model::Iterator::size_hint(&(0..u128::MAX)), || std::iter::Iterator::size_hint(&(0..u128::MAX)));
        same("u64", || model::Iterator::size_hint(&RangeInclusive::new(0, u64::MAX)), || std::iter::Iterator::size_hint(&(0..=u64::MAX)));
    }

    #[test]
    fn sources(n in 0usize..6) {
        let collect = |items: Vec<u8>| items;
        prop_assert_eq!(model::repeat_n(7u8, n).collect::<Vec<u8>>(), vec![7; n]);
        prop_assert_eq!(model::repeat(7u8).take(n).collect::<Vec<u8>>(), collect(vec![7; n]));
        prop_assert_eq!(model::once(3).chain(model::empty()).collect::<Vec<u8>>(), vec![3]);
        prop_assert_eq!(model::once_with(|| 3).collect::<Vec<u8>>(), vec![3]);
        prop_assert_eq!(model::repeat_with(|| 3).take(n).count(), n);
        let mut left = n;
        prop_assert_eq!(model::from_fn(|| { left = left.checked_sub(1)?; Some(left) }).count(), n);
        prop_assert_eq!(
            model::successors(Some(1u8), |x| x.checked_mul(4)).collect::<Vec<_>>(),
            std::iter::Iterator::collect::<Vec<_>>(std::iter::successors(Some(1u8), |x| x.checked_mul(4)))
        );
        prop_assert_eq!(model::zip([1, 2], [3, 4, 5]).collect::<Vec<_>>(), vec![(1, 3), (2, 4)]);
    }

    #[test]
    fn slice_iterators(
        items in prop::collection::vec(0u8..6, 0..9),
        script in prop::collection::vec(any::<bool>(), 12),
        n in 0usize..5,
    ) {
        let (items, script) = (&items[..], &script[..]);
        macro_rules! method {
            ($method:ident) => {
                same((stringify!($method), items, n),
                    || steps!(model::Iterator, model::DoubleEndedIterator, SliceMethods::$method(items, n), script),
                    || steps!(std::iter::Iterator, std::iter::DoubleEndedIterator, items.$method(n), script))
            };
        }
        method!(windows);
        method!(chunks);
        method!(chunks_exact);
        same("rchunks", || SliceMethods::rchunks(items, n).collect::<Vec<_>>(), || items.rchunks(n).collect());
        same("remainder", || SliceMethods::chunks_exact(items, n).remainder(), || items.chunks_exact(n).remainder());
        same("split", || SliceMethods::split(items, |x| *x == 0).collect::<Vec<_>>(), || items.split(|x| *x == 0).collect());
        same("rsplit", || SliceMethods::split(items, |x| *x == 0).rev().collect::<Vec<_>>(), || items.rsplit(|x| *x == 0).collect());
        let (mut a, mut b) = (items.to_vec(), items.to_vec());
        same("chunks_mut",
            || { let mut c = SliceMethods::chunks_mut(&mut a[..], n); while let Some(x) = c.next() { x[0] += 10; } a },
            || { for x in b.chunks_mut(n) { x[0] += 10; } b });
        let mut a = items.to_vec();
        let mut c = SliceMethods::iter_mut(&mut a[..]);
        let mut step = 0;
        while let Some(x) = if script[step % 12] { c.next() } else { c.next_back() } {
            *x += 10;
            step += 1;
        }
        prop_assert_eq!(a, items.iter().map(|x| x + 10).collect::<Vec<_>>());
    }

    #[test]
    fn slice_methods(items in prop::collection::vec(0u8..6, 0..7), other in prop::collection::vec(0u8..6, 0..4), i in 0usize..8, j in 0usize..8) {
        let (items, other) = (&items[..], &other[..]);
        macro_rules! method {
            ($trait:ident::$method:ident($($arg:expr),*)) => {
                same((stringify!($method), items, other, i, j), || $trait::$method(items, $($arg),*), || items.$method($($arg),*))
            };
        }
        macro_rules! changed {
            ($trait:ident::$method:ident($($arg:expr),*)) => {
                same((stringify!($method), items, other, i, j),
                    || { let mut v = items.to_vec(); $trait::$method(&mut v[..], $($arg),*); v },
                    || { let mut v = items.to_vec(); v[..].$method($($arg),*); v })
            };
        }
        method!(SliceMethods::is_empty());
        method!(SliceMethods::first());
        method!(SliceMethods::last());
        method!(SliceMethods::split_first());
        method!(SliceMethods::split_last());
        method!(SliceMethods::split_at(i));
        method!(SliceMethods::split_at_checked(i));
        method!(SliceMethods::contains(&3));
        method!(SliceMethods::starts_with(other));
        method!(SliceMethods::ends_with(other));
        method!(SliceMethods::to_vec());
        method!(SliceMethods::repeat(i));
        method!(SliceBytesMethods::is_ascii());
        method!(SliceOrderMethods::binary_search(&3));
        method!(SliceOrderMethods::binary_search_by_key(&1, |x| x / 2));
        method!(SliceOrderMethods::partition_point(|x| *x < 3));
        method!(SliceOrderMethods::is_sorted());
        changed!(SliceMethods::swap(i, j));
        changed!(SliceMethods::reverse());
        changed!(SliceMethods::rotate_left(i));
        changed!(SliceMethods::rotate_right(i));
        changed!(SliceMethods::fill(9));
        changed!(SliceMethods::copy_from_slice(other));
        changed!(SliceMethods::clone_from_slice(other));
        changed!(SliceOrderMethods::sort());
        changed!(SliceOrderMethods::sort_unstable());
        changed!(SliceOrderMethods::sort_by(|a, b| b.cmp(a)));
        same("sort_by_key",
            || { let mut v: Vec<_> = items.iter().enumerate().collect(); SliceOrderMethods::sort_by_key(&mut v[..], |(_, x)| **x / 2); v },
            || { let mut v: Vec<_> = items.iter().enumerate().collect(); v.sort_by_key(|(_, x)| **x / 2); v });
        let mut sorted = items.to_vec();
        sorted.sort();
        for x in 0..6 {
            prop_assert_eq!(SliceOrderMethods::binary_search(&sorted[..], &x), sorted.binary_search(&x));
        }
        for i in [i, usize::MAX] {
            for j in [j, usize::MAX] {
                macro_rules! range {
                    ($model:expr, $real:expr) => {
                        same(("get", items, $real), || SliceMethods::get(items, $model), || items.get($real));
                        same(("index", items, $real), || SliceIndex::index($model, items), || &items[$real]);
                        same(("index_mut", items, $real),
                            || SliceIndex::index_mut($model, &mut items.to_vec()[..]).to_vec(),
                            || (&mut items.to_vec()[$real]).to_vec());
                    };
                }
                range!(i..j, i..j);
                range!(..j, ..j);
                range!(i.., i..);
                range!(.., ..);
                range!(RangeInclusive::new(i, j), i..=j);
                range!(..=j, ..=j);
            }
        }
        same("first_chunk", || SliceMethods::first_chunk::<3>(items), || items.first_chunk::<3>());
        same("last_chunk", || SliceMethods::last_chunk::<3>(items), || items.last_chunk::<3>());
        same("split_first_chunk", || SliceMethods::split_first_chunk::<3>(items), || items.split_first_chunk::<3>());
        for dest in 0..8 {
            same(("copy_within", items, i, j, dest),
                || { let mut v = items.to_vec(); SliceMethods::copy_within(&mut v[..], i..j, dest); v },
                || { let mut v = items.to_vec(); v[..].copy_within(i..j, dest); v });
        }
        same("get", || SliceMethods::get(items, i), || items.get(i));
        same("index", || SliceIndex::index(i, items), || &items[i]);
    }

    #[test]
    fn slices_of_bytes(a: Vec<u8>, b in "[a-cA-C \t]{0,5}", c in "[a-cA-C \t]{0,5}") {
        prop_assert_eq!(SliceBytesMethods::is_ascii(&a[..]), a.is_ascii());
        let (b, c) = (b.as_bytes(), c.as_bytes());
        prop_assert_eq!(SliceBytesMethods::eq_ignore_ascii_case(b, c), b.eq_ignore_ascii_case(c));
        prop_assert_eq!(SliceBytesMethods::eq_ignore_ascii_case(b, &b.to_ascii_uppercase()[..]), true);
        prop_assert_eq!(SliceBytesMethods::trim_ascii(b), b.trim_ascii());
        let mut upper = a.clone();
        SliceBytesMethods::make_ascii_uppercase(&mut upper[..]);
        prop_assert_eq!(upper, a.to_ascii_uppercase());
    }

    #[test]
    fn arrays(items: [u8; 5], script in prop::collection::vec(any::<bool>(), 8)) {
        same("into_iter",
            || steps!(model::Iterator, model::DoubleEndedIterator, model::IntoIterator::into_iter(items), &script),
            || steps!(std::iter::Iterator, std::iter::DoubleEndedIterator, items.into_iter(), &script));
        prop_assert_eq!(ArrayMethods::map(items, |x| x as u16 + 1), items.map(|x| x as u16 + 1));
        prop_assert_eq!(std_models::array::from_fn::<_, 5, _>(|i| i), [0, 1, 2, 3, 4]);
        prop_assert_eq!(std_models::clone::Clone::clone(&items), items);
    }
}

/// What is left of iterators, as slices, and iterators over nothing.
#[test]
fn iterators_as_slices() {
    use std_models::convert::AsRef as View;
    use std_models::default::Default as Nothing;
    use std_models::iter::Iterator as Steps;
    let mut items = [1u8, 2, 3];
    let mut iter = SliceMethods::iter(&items[..]);
    Steps::next(&mut iter);
    let rest: &[u8] = View::as_ref(&iter);
    assert_eq!(rest, [2, 3]);
    let mut iter = SliceMethods::iter_mut(&mut items[..]);
    Steps::next(&mut iter).map(|first| *first = 9);
    assert_eq!(iter.as_slice(), [2, 3]);
    let rest: &[u8] = View::as_ref(&iter);
    assert_eq!(rest, [2, 3]);
    assert_eq!(items, [9, 2, 3]);
    let mut nothing: std_models::slice::Iter<'_, u8> = Nothing::default();
    assert_eq!(Steps::next(&mut nothing), None);
    let mut nothing: std_models::slice::IterMut<'_, u8> = Nothing::default();
    assert_eq!(Steps::next(&mut nothing), None);
    let mut nothing: std_models::vec::IntoIter<u8> = Nothing::default();
    assert_eq!((Steps::size_hint(&nothing), Steps::next(&mut nothing)), ((0, Some(0)), None));
}
