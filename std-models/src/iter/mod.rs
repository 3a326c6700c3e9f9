//! `std::iter`: the iterator traits with their provided methods, the adaptors and the sources.
//!
//! * `adapters`, `flatten`: what `Map`, `Filter`, … do
//! * `sources`: `once`, `repeat`, `from_fn`, …
//! * `ranges`: integer and character ranges
//! * `collect`: `Sum`, `Product`, `FromIterator`, `Extend`
//!
//! Limits: specialisation is restated where it shows in what is called; `len` trusts `size_hint`.

mod adapters;
mod collect;
mod flatten;
mod ranges;
mod sources;

use std::cmp::Ordering;
use std::ops::ControlFlow;

use crate::ops::Try;

pub trait Iterator {
    type Item;
    fn next(&mut self) -> Option<Self::Item>;

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, None)
    }
    fn count(self) -> usize
    where
        Self: Sized,
    {
        let mut iter = self;
        let mut count: usize = 0;
        while let Some(_) = iter.next() {
            count += 1;
        }
        count
    }
    fn last(self) -> Option<Self::Item>
    where
        Self: Sized,
    {
        let mut iter = self;
        let mut last = None;
        while let Some(item) = iter.next() {
            last = Some(item);
        }
        last
    }
    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        let mut left = n;
        while left > 0 {
            if let None = self.next() {
                return None;
            }
            left = left.wrapping_sub(1);
        }
        self.next()
    }
    fn step_by(self, step: usize) -> StepBy<Self>
    where
        Self: Sized,
    {
        if step == 0 {
            panic!("assertion failed: step != 0");
        }
        StepBy { iter: self, step_minus_one: step.wrapping_sub(1), first_take: true }
    }
    fn chain<U>(self, other: U) -> Chain<Self, U::IntoIter>
    where
        Self: Sized,
        U: IntoIterator<Item = Self::Item>,
    {
        Chain { a: Some(self), b: Some(other.into_iter()) }
    }
    fn zip<U>(self, other: U) -> Zip<Self, U::IntoIter>
    where
        Self: Sized,
        U: IntoIterator,
    {
        Zip { a: self, b: other.into_iter() }
    }
    fn map<B, F>(self, f: F) -> Map<Self, F>
    where
        Self: Sized,
        F: FnMut(Self::Item) -> B,
    {
        Map { iter: self, f }
    }
    fn for_each<F>(self, f: F)
    where
        Self: Sized,
        F: FnMut(Self::Item),
    {
        let (mut iter, mut f) = (self, f);
        while let Some(item) = iter.next() {
            f(item);
        }
    }
    fn filter<P>(self, predicate: P) -> Filter<Self, P>
    where
        Self: Sized,
        P: FnMut(&Self::Item) -> bool,
    {
        Filter { iter: self, predicate }
    }
    fn filter_map<B, F>(self, f: F) -> FilterMap<Self, F>
    where
        Self: Sized,
        F: FnMut(Self::Item) -> Option<B>,
    {
        FilterMap { iter: self, f }
    }
    fn enumerate(self) -> Enumerate<Self>
    where
        Self: Sized,
    {
        Enumerate { iter: self, count: 0 }
    }
    fn peekable(self) -> Peekable<Self>
    where
        Self: Sized,
    {
        Peekable { iter: self, peeked: None }
    }
    fn skip_while<P>(self, predicate: P) -> SkipWhile<Self, P>
    where
        Self: Sized,
        P: FnMut(&Self::Item) -> bool,
    {
        SkipWhile { iter: self, done: false, predicate }
    }
    fn take_while<P>(self, predicate: P) -> TakeWhile<Self, P>
    where
        Self: Sized,
        P: FnMut(&Self::Item) -> bool,
    {
        TakeWhile { iter: self, done: false, predicate }
    }
    fn map_while<B, P>(self, predicate: P) -> MapWhile<Self, P>
    where
        Self: Sized,
        P: FnMut(Self::Item) -> Option<B>,
    {
        MapWhile { iter: self, predicate }
    }
    fn skip(self, n: usize) -> Skip<Self>
    where
        Self: Sized,
    {
        Skip { iter: self, n }
    }
    fn take(self, n: usize) -> Take<Self>
    where
        Self: Sized,
    {
        Take { iter: self, n }
    }
    fn scan<St, B, F>(self, initial_state: St, f: F) -> Scan<Self, St, F>
    where
        Self: Sized,
        F: FnMut(&mut St, Self::Item) -> Option<B>,
    {
        Scan { iter: self, f, state: initial_state }
    }
    fn flat_map<U, F>(self, f: F) -> FlatMap<Self, U, F>
    where
        Self: Sized,
        U: IntoIterator,
        F: FnMut(Self::Item) -> U,
    {
        FlatMap { iter: Fuse { iter: Some(self) }, f, front: None, back: None }
    }
    fn flatten(self) -> Flatten<Self>
    where
        Self: Sized,
        Self::Item: IntoIterator,
    {
        Flatten { iter: Fuse { iter: Some(self) }, front: None, back: None }
    }
    fn fuse(self) -> Fuse<Self>
    where
        Self: Sized,
    {
        Fuse { iter: Some(self) }
    }
    fn inspect<F>(self, f: F) -> Inspect<Self, F>
    where
        Self: Sized,
        F: FnMut(&Self::Item),
    {
        Inspect { iter: self, f }
    }
    fn by_ref(&mut self) -> &mut Self
    where
        Self: Sized,
    {
        self
    }
    fn collect<B: FromIterator<Self::Item>>(self) -> B
    where
        Self: Sized,
    {
        B::from_iter(self)
    }
    fn partition<B, F>(self, f: F) -> (B, B)
    where
        Self: Sized,
        B: Default + Extend<Self::Item>,
        F: FnMut(&Self::Item) -> bool,
    {
        let (mut iter, mut f) = (self, f);
        let mut left = B::default();
        let mut right = B::default();
        while let Some(item) = iter.next() {
            if f(&item) {
                left.extend(Some(item));
            } else {
                right.extend(Some(item));
            }
        }
        (left, right)
    }
    fn is_partitioned<P>(self, predicate: P) -> bool
    where
        Self: Sized,
        P: FnMut(Self::Item) -> bool,
    {
        let (mut iter, mut predicate) = (self, predicate);
        while let Some(item) = iter.next() {
            if !predicate(item) {
                while let Some(item) = iter.next() {
                    if predicate(item) {
                        return false;
                    }
                }
                return true;
            }
        }
        true
    }
    fn try_fold<B, F, R>(&mut self, init: B, f: F) -> R
    where
        Self: Sized,
        F: FnMut(B, Self::Item) -> R,
        R: Try<Output = B>,
    {
        let mut f = f;
        let mut acc = init;
        while let Some(item) = self.next() {
            match f(acc, item).branch() {
                ControlFlow::Continue(next) => acc = next,
                ControlFlow::Break(residual) => return R::from_residual(residual),
            }
        }
        R::from_output(acc)
    }
    fn try_for_each<F, R>(&mut self, f: F) -> R
    where
        Self: Sized,
        F: FnMut(Self::Item) -> R,
        R: Try<Output = ()>,
    {
        let mut f = f;
        while let Some(item) = self.next() {
            match f(item).branch() {
                ControlFlow::Continue(()) => {}
                ControlFlow::Break(residual) => return R::from_residual(residual),
            }
        }
        R::from_output(())
    }
    fn fold<B, F>(self, init: B, f: F) -> B
    where
        Self: Sized,
        F: FnMut(B, Self::Item) -> B,
    {
        let (mut iter, mut f) = (self, f);
        let mut acc = init;
        while let Some(item) = iter.next() {
            acc = f(acc, item);
        }
        acc
    }
    fn reduce<F>(self, f: F) -> Option<Self::Item>
    where
        Self: Sized,
        F: FnMut(Self::Item, Self::Item) -> Self::Item,
    {
        let (mut iter, mut f) = (self, f);
        let mut acc = match iter.next() {
            Some(first) => first,
            None => return None,
        };
        while let Some(item) = iter.next() {
            acc = f(acc, item);
        }
        Some(acc)
    }
    fn all<F>(&mut self, f: F) -> bool
    where
        Self: Sized,
        F: FnMut(Self::Item) -> bool,
    {
        let mut f = f;
        while let Some(item) = self.next() {
            if !f(item) {
                return false;
            }
        }
        true
    }
    fn any<F>(&mut self, f: F) -> bool
    where
        Self: Sized,
        F: FnMut(Self::Item) -> bool,
    {
        let mut f = f;
        while let Some(item) = self.next() {
            if f(item) {
                return true;
            }
        }
        false
    }
    fn find<P>(&mut self, predicate: P) -> Option<Self::Item>
    where
        Self: Sized,
        P: FnMut(&Self::Item) -> bool,
    {
        let mut predicate = predicate;
        while let Some(item) = self.next() {
            if predicate(&item) {
                return Some(item);
            }
        }
        None
    }
    fn find_map<B, F>(&mut self, f: F) -> Option<B>
    where
        Self: Sized,
        F: FnMut(Self::Item) -> Option<B>,
    {
        let mut f = f;
        while let Some(item) = self.next() {
            if let Some(found) = f(item) {
                return Some(found);
            }
        }
        None
    }
    fn position<P>(&mut self, predicate: P) -> Option<usize>
    where
        Self: Sized,
        P: FnMut(Self::Item) -> bool,
    {
        let mut predicate = predicate;
        let mut index: usize = 0;
        while let Some(item) = self.next() {
            if predicate(item) {
                return Some(index);
            }
            index += 1;
        }
        None
    }
    fn rposition<P>(&mut self, predicate: P) -> Option<usize>
    where
        P: FnMut(Self::Item) -> bool,
        Self: Sized + ExactSizeIterator + DoubleEndedIterator,
    {
        let mut predicate = predicate;
        let mut index = self.len();
        while let Some(item) = self.next_back() {
            index = index.wrapping_sub(1);
            if predicate(item) {
                return Some(index);
            }
        }
        None
    }
    fn max(self) -> Option<Self::Item>
    where
        Self: Sized,
        Self::Item: Ord,
    {
        let mut iter = self;
        let mut best = match iter.next() {
            Some(first) => first,
            None => return None,
        };
        while let Some(item) = iter.next() {
            if let Ordering::Greater = best.cmp(&item) {
            } else {
                best = item;
            }
        }
        Some(best)
    }
    fn min(self) -> Option<Self::Item>
    where
        Self: Sized,
        Self::Item: Ord,
    {
        let mut iter = self;
        let mut best = match iter.next() {
            Some(first) => first,
            None => return None,
        };
        while let Some(item) = iter.next() {
            if let Ordering::Greater = best.cmp(&item) {
                best = item;
            }
        }
        Some(best)
    }
    fn max_by_key<B: Ord, F>(self, f: F) -> Option<Self::Item>
    where
        Self: Sized,
        F: FnMut(&Self::Item) -> B,
    {
        let (mut iter, mut f) = (self, f);
        let mut best = match iter.next() {
            Some(first) => first,
            None => return None,
        };
        let mut best_key = f(&best);
        while let Some(item) = iter.next() {
            let key = f(&item);
            if let Ordering::Greater = best_key.cmp(&key) {
            } else {
                // The key goes before its item.
                best_key = key;
                best = item;
            }
        }
        Some(best)
    }
    fn max_by<F>(self, compare: F) -> Option<Self::Item>
    where
        Self: Sized,
        F: FnMut(&Self::Item, &Self::Item) -> Ordering,
    {
        let (mut iter, mut compare) = (self, compare);
        let mut best = match iter.next() {
            Some(first) => first,
            None => return None,
        };
        while let Some(item) = iter.next() {
            if let Ordering::Greater = compare(&best, &item) {
            } else {
                best = item;
            }
        }
        Some(best)
    }
    fn min_by_key<B: Ord, F>(self, f: F) -> Option<Self::Item>
    where
        Self: Sized,
        F: FnMut(&Self::Item) -> B,
    {
        let (mut iter, mut f) = (self, f);
        let mut best = match iter.next() {
            Some(first) => first,
            None => return None,
        };
        let mut best_key = f(&best);
        while let Some(item) = iter.next() {
            let key = f(&item);
            if let Ordering::Greater = best_key.cmp(&key) {
                best_key = key;
                best = item;
            }
        }
        Some(best)
    }
    fn min_by<F>(self, compare: F) -> Option<Self::Item>
    where
        Self: Sized,
        F: FnMut(&Self::Item, &Self::Item) -> Ordering,
    {
        let (mut iter, mut compare) = (self, compare);
        let mut best = match iter.next() {
            Some(first) => first,
            None => return None,
        };
        while let Some(item) = iter.next() {
            if let Ordering::Greater = compare(&best, &item) {
                best = item;
            }
        }
        Some(best)
    }
    fn rev(self) -> Rev<Self>
    where
        Self: Sized + DoubleEndedIterator,
    {
        Rev { iter: self }
    }
    fn unzip<A, B, FromA, FromB>(self) -> (FromA, FromB)
    where
        FromA: Default + Extend<A>,
        FromB: Default + Extend<B>,
        Self: Sized + Iterator<Item = (A, B)>,
    {
        let mut iter = self;
        let mut left = FromA::default();
        let mut right = FromB::default();
        collect::restricted_to_small_hints(&iter);
        while let Some((a, b)) = iter.next() {
            left.extend(Some(a));
            right.extend(Some(b));
        }
        (left, right)
    }
    fn copied<'a, T>(self) -> Copied<Self>
    where
        T: Copy + 'a,
        Self: Sized + Iterator<Item = &'a T>,
    {
        Copied { iter: self }
    }
    fn cloned<'a, T>(self) -> Cloned<Self>
    where
        T: Clone + 'a,
        Self: Sized + Iterator<Item = &'a T>,
    {
        Cloned { iter: self }
    }
    fn cycle(self) -> Cycle<Self>
    where
        Self: Sized + Clone,
    {
        Cycle { original: self.clone(), iter: self }
    }
    fn sum<S>(self) -> S
    where
        Self: Sized,
        S: Sum<Self::Item>,
    {
        S::sum(self)
    }
    fn product<P>(self) -> P
    where
        Self: Sized,
        P: Product<Self::Item>,
    {
        P::product(self)
    }
    fn cmp<I>(self, other: I) -> Ordering
    where
        I: IntoIterator<Item = Self::Item>,
        Self::Item: Ord,
        Self: Sized,
    {
        let (mut left, mut right) = (self, other.into_iter());
        loop {
            match (left.next(), right.next()) {
                (None, None) => return Ordering::Equal,
                (None, Some(_)) => return Ordering::Less,
                (Some(_), None) => return Ordering::Greater,
                (Some(a), Some(b)) => match a.cmp(&b) {
                    Ordering::Equal => {}
                    order => return order,
                },
            }
        }
    }
    fn partial_cmp<I>(self, other: I) -> Option<Ordering>
    where
        I: IntoIterator,
        Self::Item: PartialOrd<I::Item>,
        Self: Sized,
    {
        let (mut left, mut right) = (self, other.into_iter());
        loop {
            match (left.next(), right.next()) {
                (None, None) => return Some(Ordering::Equal),
                (None, Some(_)) => return Some(Ordering::Less),
                (Some(_), None) => return Some(Ordering::Greater),
                (Some(a), Some(b)) => match a.partial_cmp(&b) {
                    Some(Ordering::Equal) => {}
                    order => return order,
                },
            }
        }
    }
    fn eq<I>(self, other: I) -> bool
    where
        I: IntoIterator,
        Self::Item: PartialEq<I::Item>,
        Self: Sized,
    {
        let (mut left, mut right) = (self, other.into_iter());
        // Lengths that std trusts are compared before items are.
        if crate::intrinsics::compares_lengths::<Self, I::IntoIter>()
            && left.size_hint().0 != right.size_hint().0
        {
            return false;
        }
        loop {
            match (left.next(), right.next()) {
                (None, None) => return true,
                (Some(a), Some(b)) => {
                    if !(a == b) {
                        return false;
                    }
                }
                _ => return false,
            }
        }
    }
    fn ne<I>(self, other: I) -> bool
    where
        I: IntoIterator,
        Self::Item: PartialEq<I::Item>,
        Self: Sized,
    {
        !Iterator::eq(self, other)
    }
    fn lt<I>(self, other: I) -> bool
    where
        I: IntoIterator,
        Self::Item: PartialOrd<I::Item>,
        Self: Sized,
    {
        matches!(Iterator::partial_cmp(self, other), Some(Ordering::Less))
    }
    fn le<I>(self, other: I) -> bool
    where
        I: IntoIterator,
        Self::Item: PartialOrd<I::Item>,
        Self: Sized,
    {
        matches!(Iterator::partial_cmp(self, other), Some(Ordering::Less | Ordering::Equal))
    }
    fn gt<I>(self, other: I) -> bool
    where
        I: IntoIterator,
        Self::Item: PartialOrd<I::Item>,
        Self: Sized,
    {
        matches!(Iterator::partial_cmp(self, other), Some(Ordering::Greater))
    }
    fn ge<I>(self, other: I) -> bool
    where
        I: IntoIterator,
        Self::Item: PartialOrd<I::Item>,
        Self: Sized,
    {
        matches!(Iterator::partial_cmp(self, other), Some(Ordering::Greater | Ordering::Equal))
    }
    fn is_sorted(self) -> bool
    where
        Self: Sized,
        Self::Item: PartialOrd,
    {
        let mut iter = self;
        let mut last = match iter.next() {
            Some(first) => first,
            None => return true,
        };
        while let Some(item) = iter.next() {
            if !(last <= item) {
                return false;
            }
            last = item;
        }
        true
    }
}

include!("traits.rs");
include!("types.rs");
