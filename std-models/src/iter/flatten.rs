//! `FlatMap` and `Flatten`: an outer iterator with one inner iterator open at each end.

use super::*;

/// Takes the next item of an open inner iterator and closes it when it has none.
fn next_of<I: Iterator>(inner: &mut Option<I>) -> Option<I::Item> {
    match inner {
        Some(iter) => match iter.next() {
            Some(item) => Some(item),
            None => {
                *inner = None;
                None
            }
        },
        None => None,
    }
}

fn next_back_of<I: DoubleEndedIterator>(inner: &mut Option<I>) -> Option<I::Item> {
    match inner {
        Some(iter) => match iter.next_back() {
            Some(item) => Some(item),
            None => {
                *inner = None;
                None
            }
        },
        None => None,
    }
}

fn size_of_open<I: Iterator>(inner: &Option<I>) -> (usize, Option<usize>) {
    match inner {
        Some(iter) => iter.size_hint(),
        None => (0, Some(0)),
    }
}

/// Known once the outer iterator is over. Before that std's hint depends on the type of the inner one (arrays and
/// options have known sizes), which a model cannot see.
fn size_around<I: Iterator, U: Iterator>(
    outer: &I,
    front: &Option<U>,
    back: &Option<U>,
) -> (usize, Option<usize>) {
    if !matches!(outer.size_hint(), (0, Some(0))) {
        return crate::intrinsics::unmodelled("size_hint of a flattening iterator");
    }
    let (front_lower, front_upper) = size_of_open(front);
    let (back_lower, back_upper) = size_of_open(back);
    let upper = match (front_upper, back_upper) {
        (Some(front), Some(back)) => front.checked_add(back),
        _ => None,
    };
    (front_lower.saturating_add(back_lower), upper)
}

/// The last item of the inner iterator, or else what came before it.
fn last_of<I: Iterator>(inner: Option<I>, before: Option<I::Item>) -> Option<I::Item> {
    match inner {
        Some(inner) => match inner.last() {
            None => before,
            last => last,
        },
        None => before,
    }
}

impl<I: Iterator, U: IntoIterator, F: FnMut(I::Item) -> U> Iterator for FlatMap<I, U, F> {
    type Item = U::Item;
    fn next(&mut self) -> Option<U::Item> {
        loop {
            if let Some(item) = next_of(&mut self.front) {
                return Some(item);
            }
            match self.iter.next() {
                Some(outer) => self.front = Some((self.f)(outer).into_iter()),
                None => {
                    let kept = crate::intrinsics::is_fused::<I>() || !crate::intrinsics::needs_drop::<F>();
                    if !kept {
                        return crate::intrinsics::unmodelled("when the closure of `flat_map` is dropped");
                    }
                    return next_of(&mut self.back);
                }
            }
        }
    }
    fn last(self) -> Option<U::Item> {
        let (mut iter, mut f) = (self.iter, self.f);
        let mut last = last_of(self.front, None);
        while let Some(outer) = iter.next() {
            last = last_of(Some(f(outer).into_iter()), last);
        }
        last_of(self.back, last)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        size_around(&self.iter, &self.front, &self.back)
    }
}

impl<I, U, F> DoubleEndedIterator for FlatMap<I, U, F>
where
    I: DoubleEndedIterator,
    U: IntoIterator,
    U::IntoIter: DoubleEndedIterator,
    F: FnMut(I::Item) -> U,
{
    fn next_back(&mut self) -> Option<U::Item> {
        loop {
            if let Some(item) = next_back_of(&mut self.back) {
                return Some(item);
            }
            match self.iter.next_back() {
                Some(outer) => self.back = Some((self.f)(outer).into_iter()),
                None => {
                    let kept = crate::intrinsics::is_fused::<I>() || !crate::intrinsics::needs_drop::<F>();
                    if !kept {
                        return crate::intrinsics::unmodelled("when the closure of `flat_map` is dropped");
                    }
                    return next_back_of(&mut self.front);
                }
            }
        }
    }
}

impl<I: Iterator> Iterator for Flatten<I>
where
    I::Item: IntoIterator,
{
    type Item = <I::Item as IntoIterator>::Item;
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(item) = next_of(&mut self.front) {
                return Some(item);
            }
            match self.iter.next() {
                Some(outer) => self.front = Some(outer.into_iter()),
                None => return next_of(&mut self.back),
            }
        }
    }
    fn last(self) -> Option<Self::Item> {
        let mut last = last_of(self.front, None);
        let mut iter = self.iter;
        while let Some(outer) = iter.next() {
            last = last_of(Some(outer.into_iter()), last);
        }
        last_of(self.back, last)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        size_around(&self.iter, &self.front, &self.back)
    }
}

impl<I: DoubleEndedIterator> DoubleEndedIterator for Flatten<I>
where
    I::Item: IntoIterator,
    <I::Item as IntoIterator>::IntoIter: DoubleEndedIterator,
{
    fn next_back(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(item) = next_back_of(&mut self.back) {
                return Some(item);
            }
            match self.iter.next_back() {
                Some(outer) => self.back = Some(outer.into_iter()),
                None => return next_back_of(&mut self.front),
            }
        }
    }
}
