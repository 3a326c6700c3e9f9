//! Ranges of a vector that are replaced.

use super::{Drain, Splice, check_more, collect_by_hints, restricted_to_hints_of_std};
use crate::inherent::VecMethods;
use crate::inherent::slices::VecSpliceMethods;
use crate::intrinsics;
use crate::iter::{DoubleEndedIterator, ExactSizeIterator, IntoIterator, Iterator};
use crate::ops::RangeBounds;

impl<T> VecSpliceMethods<T> for Vec<T> {
    fn splice<R: RangeBounds<usize>, I: IntoIterator<Item = T>>(
        &mut self,
        range: R,
        replace_with: I,
    ) -> Splice<'_, I::IntoIter> {
        let drain = VecMethods::drain(self, range);
        Splice { drain, replace_with: replace_with.into_iter() }
    }
}

/// Puts so many items where the range was, if there are as many.
fn fill<T, I: Iterator<Item = T>>(drain: &mut Drain<'_, T>, count: usize, items: &mut I) -> bool {
    let mut filled: usize = 0;
    while filled < count {
        match items.next() {
            Some(item) => drain.vec.push(item),
            None => return false,
        }
        filled = filled.wrapping_add(1);
    }
    true
}

impl<'a, I: Iterator> Drop for Splice<'a, I> {
    fn drop(&mut self) {
        let removed = self.drain.taken.items.len();
        // What was not taken goes first.
        self.drain.taken.items = Vec::new();
        if self.drain.tail.len() == 0 {
            restricted_to_hints_of_std::<I>();
            while let Some(item) = self.replace_with.next() {
                self.drain.vec.push(item);
            }
            return;
        }
        if !fill(&mut self.drain, removed, &mut self.replace_with) {
            return;
        }
        // The tail makes room for as many as are promised, and then for the rest.
        let promised = self.replace_with.size_hint().0;
        if promised > 0 {
            check_more::<I::Item>(self.drain.vec.len().wrapping_add(self.drain.tail.len()), promised);
            if !fill(&mut self.drain, promised, &mut self.replace_with) {
                return;
            }
        }
        let mut rest = if intrinsics::hint_is_written::<I>() {
            collect_by_hints(&mut self.replace_with)
        } else {
            let mut rest = Vec::new();
            while let Some(item) = self.replace_with.next() {
                rest.push(item);
            }
            rest
        };
        self.drain.vec.append(&mut rest);
    }
}

impl<'a, I: Iterator> Iterator for Splice<'a, I> {
    type Item = I::Item;
    fn next(&mut self) -> Option<I::Item> {
        self.drain.next()
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.drain.size_hint()
    }
}

impl<'a, I: Iterator> DoubleEndedIterator for Splice<'a, I> {
    fn next_back(&mut self) -> Option<I::Item> {
        self.drain.next_back()
    }
}

impl<'a, I: Iterator> ExactSizeIterator for Splice<'a, I> {}
