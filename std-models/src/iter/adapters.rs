//! Adaptors: one step forward, one step back, the size hint, and what else differs from the provided methods.

use super::*;

impl<I: Iterator + ?Sized> Iterator for &mut I {
    type Item = I::Item;
    fn next(&mut self) -> Option<I::Item> {
        (**self).next()
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (**self).size_hint()
    }
    fn nth(&mut self, n: usize) -> Option<I::Item> {
        (**self).nth(n)
    }
}

impl<I: DoubleEndedIterator + ?Sized> DoubleEndedIterator for &mut I {
    fn next_back(&mut self) -> Option<I::Item> {
        (**self).next_back()
    }
    fn nth_back(&mut self, n: usize) -> Option<I::Item> {
        (**self).nth_back(n)
    }
}

impl<I: ExactSizeIterator + ?Sized> ExactSizeIterator for &mut I {
    fn len(&self) -> usize {
        (**self).len()
    }
}

impl<B, I: Iterator, F: FnMut(I::Item) -> B> Iterator for Map<I, F> {
    type Item = B;
    fn next(&mut self) -> Option<B> {
        match self.iter.next() {
            Some(item) => Some((self.f)(item)),
            None => None,
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.iter.size_hint()
    }
}

impl<B, I: DoubleEndedIterator, F: FnMut(I::Item) -> B> DoubleEndedIterator for Map<I, F> {
    fn next_back(&mut self) -> Option<B> {
        match self.iter.next_back() {
            Some(item) => Some((self.f)(item)),
            None => None,
        }
    }
}

impl<B, I: ExactSizeIterator, F: FnMut(I::Item) -> B> ExactSizeIterator for Map<I, F> {
    fn len(&self) -> usize {
        self.iter.len()
    }
}

impl<I: Iterator, P: FnMut(&I::Item) -> bool> Iterator for Filter<I, P> {
    type Item = I::Item;
    fn next(&mut self) -> Option<I::Item> {
        while let Some(item) = self.iter.next() {
            if (self.predicate)(&item) {
                return Some(item);
            }
        }
        None
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, self.iter.size_hint().1)
    }
    fn count(self) -> usize {
        let (mut iter, mut predicate) = (self.iter, self.predicate);
        if crate::intrinsics::hint_is_written::<I>() {
            let _at_most = iter.size_hint();
        }
        let mut count: usize = 0;
        while let Some(item) = iter.next() {
            if predicate(&item) {
                count += 1;
            }
        }
        count
    }
}

impl<I: DoubleEndedIterator, P: FnMut(&I::Item) -> bool> DoubleEndedIterator for Filter<I, P> {
    fn next_back(&mut self) -> Option<I::Item> {
        while let Some(item) = self.iter.next_back() {
            if (self.predicate)(&item) {
                return Some(item);
            }
        }
        None
    }
}

impl<B, I: Iterator, F: FnMut(I::Item) -> Option<B>> Iterator for FilterMap<I, F> {
    type Item = B;
    fn next(&mut self) -> Option<B> {
        while let Some(item) = self.iter.next() {
            if let Some(mapped) = (self.f)(item) {
                return Some(mapped);
            }
        }
        None
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, self.iter.size_hint().1)
    }
}

impl<B, I: DoubleEndedIterator, F: FnMut(I::Item) -> Option<B>> DoubleEndedIterator for FilterMap<I, F> {
    fn next_back(&mut self) -> Option<B> {
        while let Some(item) = self.iter.next_back() {
            if let Some(mapped) = (self.f)(item) {
                return Some(mapped);
            }
        }
        None
    }
}

impl<I: Iterator> Iterator for Enumerate<I> {
    type Item = (usize, I::Item);
    fn next(&mut self) -> Option<(usize, I::Item)> {
        match self.iter.next() {
            Some(item) => {
                let index = self.count;
                self.count += 1;
                Some((index, item))
            }
            None => None,
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.iter.size_hint()
    }
}

impl<I: ExactSizeIterator + DoubleEndedIterator> DoubleEndedIterator for Enumerate<I> {
    fn next_back(&mut self) -> Option<(usize, I::Item)> {
        match self.iter.next_back() {
            Some(item) => {
                let left = self.iter.len();
                Some((self.count + left, item))
            }
            None => None,
        }
    }
}

impl<I: ExactSizeIterator> ExactSizeIterator for Enumerate<I> {
    fn len(&self) -> usize {
        self.iter.len()
    }
}

impl<I: DoubleEndedIterator> Iterator for Rev<I> {
    type Item = I::Item;
    fn next(&mut self) -> Option<I::Item> {
        self.iter.next_back()
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.iter.size_hint()
    }
    fn nth(&mut self, n: usize) -> Option<I::Item> {
        self.iter.nth_back(n)
    }
}

impl<I: DoubleEndedIterator> DoubleEndedIterator for Rev<I> {
    fn next_back(&mut self) -> Option<I::Item> {
        self.iter.next()
    }
    fn nth_back(&mut self, n: usize) -> Option<I::Item> {
        self.iter.nth(n)
    }
}

impl<I: ExactSizeIterator + DoubleEndedIterator> ExactSizeIterator for Rev<I> {
    fn len(&self) -> usize {
        self.iter.len()
    }
}

impl<A: Iterator, B: Iterator> Iterator for Zip<A, B> {
    type Item = (A::Item, B::Item);
    fn next(&mut self) -> Option<(A::Item, B::Item)> {
        if crate::intrinsics::zips_by_index::<A, B>()
            && (self.a.size_hint().0 == 0 || self.b.size_hint().0 == 0)
        {
            return None;
        }
        match self.a.next() {
            Some(left) => match self.b.next() {
                Some(right) => Some((left, right)),
                None => None,
            },
            None => None,
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let (a_lower, a_upper) = self.a.size_hint();
        let (b_lower, b_upper) = self.b.size_hint();
        let lower = if a_lower < b_lower { a_lower } else { b_lower };
        let upper = match (a_upper, b_upper) {
            (Some(a), Some(b)) => Some(if a < b { a } else { b }),
            (Some(a), None) => Some(a),
            (None, b) => b,
        };
        (lower, upper)
    }
}

impl<A, B> DoubleEndedIterator for Zip<A, B>
where
    A: DoubleEndedIterator + ExactSizeIterator,
    B: DoubleEndedIterator + ExactSizeIterator,
{
    fn next_back(&mut self) -> Option<(A::Item, B::Item)> {
        crate::intrinsics::asks_unseen::<A>();
        crate::intrinsics::asks_unseen::<B>();
        let mut a_len = self.a.len();
        let mut b_len = self.b.len();
        while a_len > b_len {
            self.a.next_back();
            a_len = a_len.wrapping_sub(1);
        }
        while b_len > a_len {
            self.b.next_back();
            b_len = b_len.wrapping_sub(1);
        }
        match (self.a.next_back(), self.b.next_back()) {
            (Some(left), Some(right)) => Some((left, right)),
            _ => None,
        }
    }
}

impl<A: ExactSizeIterator, B: ExactSizeIterator> ExactSizeIterator for Zip<A, B> {}

impl<A: Iterator, B: Iterator<Item = A::Item>> Iterator for Chain<A, B> {
    type Item = A::Item;
    fn next(&mut self) -> Option<A::Item> {
        if let Some(a) = &mut self.a {
            match a.next() {
                None => self.a = None,
                item => return item,
            }
        }
        match &mut self.b {
            Some(b) => b.next(),
            None => None,
        }
    }
    fn last(self) -> Option<A::Item> {
        let of_a = match self.a {
            Some(a) => a.last(),
            None => None,
        };
        let of_b = match self.b {
            Some(b) => b.last(),
            None => None,
        };
        match of_b {
            None => of_a,
            last => last,
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let (a_lower, a_upper) = match &self.a {
            Some(a) => a.size_hint(),
            None => (0, Some(0)),
        };
        let (b_lower, b_upper) = match &self.b {
            Some(b) => b.size_hint(),
            None => (0, Some(0)),
        };
        let upper = match (a_upper, b_upper) {
            (Some(a), Some(b)) => a.checked_add(b),
            _ => None,
        };
        (a_lower.saturating_add(b_lower), upper)
    }
}

impl<A: DoubleEndedIterator, B: DoubleEndedIterator<Item = A::Item>> DoubleEndedIterator for Chain<A, B> {
    fn next_back(&mut self) -> Option<A::Item> {
        if let Some(b) = &mut self.b {
            match b.next_back() {
                None => self.b = None,
                item => return item,
            }
        }
        match &mut self.a {
            Some(a) => a.next_back(),
            None => None,
        }
    }
}

impl<I: Iterator> Iterator for Take<I> {
    type Item = I::Item;
    fn next(&mut self) -> Option<I::Item> {
        // Consumers take items by their positions, where these are had.
        crate::intrinsics::skips_unseen::<I>();
        if self.n == 0 {
            return None;
        }
        self.n = self.n.wrapping_sub(1);
        self.iter.next()
    }
    fn nth(&mut self, n: usize) -> Option<I::Item> {
        if self.n > n {
            self.n = self.n.wrapping_sub(n).wrapping_sub(1);
            self.iter.nth(n)
        } else {
            if self.n > 0 {
                self.iter.nth(self.n.wrapping_sub(1));
                self.n = 0;
            }
            None
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        if self.n == 0 {
            return (0, Some(0));
        }
        let (lower, upper) = self.iter.size_hint();
        let lower = if lower < self.n { lower } else { self.n };
        let upper = match upper {
            Some(upper) if upper < self.n => Some(upper),
            _ => Some(self.n),
        };
        (lower, upper)
    }
}

impl<I: DoubleEndedIterator + ExactSizeIterator> DoubleEndedIterator for Take<I> {
    fn nth_back(&mut self, n: usize) -> Option<I::Item> {
        let len = self.iter.len();
        if self.n > n {
            let behind = len.saturating_sub(self.n).wrapping_add(n);
            self.n = self.n.wrapping_sub(n).wrapping_sub(1);
            self.iter.nth_back(behind)
        } else {
            if len > 0 {
                self.iter.nth_back(len.wrapping_sub(1));
            }
            None
        }
    }
    fn next_back(&mut self) -> Option<I::Item> {
        if self.n == 0 {
            return None;
        }
        let n = self.n;
        self.n = n.wrapping_sub(1);
        let len = self.iter.len();
        if len > n { self.iter.nth_back(len.wrapping_sub(n)) } else { self.iter.next_back() }
    }
}

impl<I: ExactSizeIterator> ExactSizeIterator for Take<I> {}

impl<I: Iterator> Iterator for Skip<I> {
    type Item = I::Item;
    fn next(&mut self) -> Option<I::Item> {
        if self.n > 0 {
            let n = std::mem::replace(&mut self.n, 0);
            self.iter.nth(n)
        } else {
            self.iter.next()
        }
    }
    fn last(self) -> Option<I::Item> {
        let mut iter = self.iter;
        if self.n > 0 {
            if let None = iter.nth(self.n.wrapping_sub(1)) {
                return None;
            }
        }
        iter.last()
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let (lower, upper) = self.iter.size_hint();
        let upper = match upper {
            Some(upper) => Some(upper.saturating_sub(self.n)),
            None => None,
        };
        (lower.saturating_sub(self.n), upper)
    }
}

impl<I: DoubleEndedIterator + ExactSizeIterator> DoubleEndedIterator for Skip<I> {
    fn next_back(&mut self) -> Option<I::Item> {
        if self.len() > 0 { self.iter.next_back() } else { None }
    }
    fn nth_back(&mut self, n: usize) -> Option<I::Item> {
        let len = self.len();
        if n < len {
            self.iter.nth_back(n)
        } else {
            if len > 0 {
                self.iter.nth_back(len.wrapping_sub(1));
            }
            None
        }
    }
}

impl<I: ExactSizeIterator> ExactSizeIterator for Skip<I> {}

impl<I: Iterator, P: FnMut(&I::Item) -> bool> Iterator for TakeWhile<I, P> {
    type Item = I::Item;
    fn next(&mut self) -> Option<I::Item> {
        if self.done {
            return None;
        }
        match self.iter.next() {
            Some(item) => {
                if (self.predicate)(&item) {
                    Some(item)
                } else {
                    self.done = true;
                    None
                }
            }
            None => None,
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        if self.done { (0, Some(0)) } else { (0, self.iter.size_hint().1) }
    }
}

impl<I: Iterator, P: FnMut(&I::Item) -> bool> Iterator for SkipWhile<I, P> {
    type Item = I::Item;
    fn next(&mut self) -> Option<I::Item> {
        while let Some(item) = self.iter.next() {
            if self.done || !(self.predicate)(&item) {
                self.done = true;
                return Some(item);
            }
        }
        None
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, self.iter.size_hint().1)
    }
}

impl<B, I: Iterator, P: FnMut(I::Item) -> Option<B>> Iterator for MapWhile<I, P> {
    type Item = B;
    fn next(&mut self) -> Option<B> {
        match self.iter.next() {
            Some(item) => (self.predicate)(item),
            None => None,
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, self.iter.size_hint().1)
    }
}

impl<B, I: Iterator, St, F: FnMut(&mut St, I::Item) -> Option<B>> Iterator for Scan<I, St, F> {
    type Item = B;
    fn next(&mut self) -> Option<B> {
        match self.iter.next() {
            Some(item) => (self.f)(&mut self.state, item),
            None => None,
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, self.iter.size_hint().1)
    }
}

impl<I: Iterator> Iterator for StepBy<I> {
    type Item = I::Item;
    fn next(&mut self) -> Option<I::Item> {
        if self.first_take {
            self.first_take = false;
            self.iter.next()
        } else {
            self.iter.nth(self.step_minus_one)
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let (lower, upper) = self.iter.size_hint();
        let upper = match upper {
            Some(upper) => Some(steps(upper, self.step_minus_one, self.first_take)),
            None => None,
        };
        (steps(lower, self.step_minus_one, self.first_take), upper)
    }
    fn nth(&mut self, n: usize) -> Option<I::Item> {
        let mut n = n;
        if self.first_take {
            self.first_take = false;
            let first = self.iter.next();
            if n == 0 {
                return first;
            }
            n = n.wrapping_sub(1);
        }
        let steps = n.checked_add(1).map_or(None, |n| n.checked_mul(self.step_minus_one.wrapping_add(1)));
        match steps {
            Some(steps) if steps > 0 => self.iter.nth(steps.wrapping_sub(1)),
            _ => crate::intrinsics::unmodelled("a step beyond all numbers"),
        }
    }
}

impl<I: ExactSizeIterator> StepBy<I> {
    fn behind(&self) -> usize {
        let step = self.step_minus_one.wrapping_add(1);
        let len = self.iter.len();
        // How many items at the end belong to no step. A step of 2^64 wraps to 0 and takes the first item only.
        if self.first_take {
            if len == 0 {
                0
            } else if step == 0 {
                len.wrapping_sub(1)
            } else {
                len.wrapping_sub(1) % step
            }
        } else if step == 0 {
            len
        } else {
            len % step
        }
    }
}

impl<I: DoubleEndedIterator + ExactSizeIterator> DoubleEndedIterator for StepBy<I> {
    fn next_back(&mut self) -> Option<I::Item> {
        self.iter.nth_back(self.behind())
    }
    fn nth_back(&mut self, n: usize) -> Option<I::Item> {
        let step = match self.step_minus_one.checked_add(1) {
            Some(step) => step,
            None => usize::MAX,
        };
        let behind = n.saturating_mul(step).saturating_add(self.behind());
        self.iter.nth_back(behind)
    }
}

impl<I: ExactSizeIterator> ExactSizeIterator for StepBy<I> {}

/// How many of `left` items a `StepBy` still yields.
fn steps(left: usize, step_minus_one: usize, first_take: bool) -> usize {
    if first_take {
        if left == 0 {
            0
        } else if step_minus_one == usize::MAX {
            1
        } else {
            (left.wrapping_sub(1) / step_minus_one.wrapping_add(1)).wrapping_add(1)
        }
    } else if step_minus_one == usize::MAX {
        0
    } else {
        left / step_minus_one.wrapping_add(1)
    }
}

impl<I: Iterator> Peekable<I> {
    pub fn peek(&mut self) -> Option<&I::Item> {
        if let None = self.peeked {
            self.peeked = Some(self.iter.next());
        }
        match &self.peeked {
            Some(Some(item)) => Some(item),
            _ => None,
        }
    }
    pub fn peek_mut(&mut self) -> Option<&mut I::Item> {
        if let None = self.peeked {
            self.peeked = Some(self.iter.next());
        }
        match &mut self.peeked {
            Some(Some(item)) => Some(item),
            _ => None,
        }
    }
    pub fn next_if(&mut self, func: impl FnOnce(&I::Item) -> bool) -> Option<I::Item> {
        match self.next() {
            Some(item) => {
                if func(&item) {
                    Some(item)
                } else {
                    self.peeked = Some(Some(item));
                    None
                }
            }
            None => {
                self.peeked = Some(None);
                None
            }
        }
    }
    pub fn next_if_eq<T>(&mut self, expected: &T) -> Option<I::Item>
    where
        T: ?Sized,
        I::Item: PartialEq<T>,
    {
        match self.next() {
            Some(item) => {
                if item == *expected {
                    Some(item)
                } else {
                    self.peeked = Some(Some(item));
                    None
                }
            }
            None => {
                self.peeked = Some(None);
                None
            }
        }
    }
}

impl<I: Iterator> Iterator for Peekable<I> {
    type Item = I::Item;
    fn count(self) -> usize {
        // What was peeked at lives until the rest is counted.
        match self.peeked {
            Some(None) => 0,
            Some(Some(_peeked)) => 1 + self.iter.count(),
            None => self.iter.count(),
        }
    }
    fn last(self) -> Option<I::Item> {
        let peeked = match self.peeked {
            Some(None) => return None,
            Some(peeked) => peeked,
            None => None,
        };
        match self.iter.last() {
            None => peeked,
            last => last,
        }
    }
    fn nth(&mut self, n: usize) -> Option<I::Item> {
        match std::mem::replace(&mut self.peeked, None) {
            Some(None) => None,
            Some(Some(peeked)) => {
                if n == 0 {
                    return Some(peeked);
                }
                self.iter.nth(n.wrapping_sub(1))
            }
            None => self.iter.nth(n),
        }
    }
    fn next(&mut self) -> Option<I::Item> {
        match std::mem::replace(&mut self.peeked, None) {
            Some(item) => item,
            None => self.iter.next(),
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let extra = match &self.peeked {
            Some(None) => return (0, Some(0)),
            Some(Some(_)) => 1,
            None => 0,
        };
        let (lower, upper) = self.iter.size_hint();
        let upper = match upper {
            Some(upper) => upper.checked_add(extra),
            None => None,
        };
        (lower.saturating_add(extra), upper)
    }
}

impl<I: DoubleEndedIterator> DoubleEndedIterator for Peekable<I> {
    fn next_back(&mut self) -> Option<I::Item> {
        match &self.peeked {
            Some(None) => None,
            Some(Some(_)) => match self.iter.next_back() {
                Some(item) => Some(item),
                // It stays known that nothing follows.
                None => match std::mem::replace(&mut self.peeked, Some(None)) {
                    Some(item) => item,
                    None => None,
                },
            },
            None => self.iter.next_back(),
        }
    }
}

impl<I: ExactSizeIterator> ExactSizeIterator for Peekable<I> {}

impl<I: Iterator> Fuse<I> {
    /// The item. If there is none, nothing is asked again, and what may yet give something is dropped.
    fn ended_by(&mut self, item: Option<I::Item>) -> Option<I::Item> {
        if item.is_none() && !crate::intrinsics::is_fused::<I>() {
            self.iter = None;
        }
        item
    }
}

impl<I: Iterator> Iterator for Fuse<I> {
    type Item = I::Item;
    fn next(&mut self) -> Option<I::Item> {
        let item = match &mut self.iter {
            Some(iter) => iter.next(),
            None => None,
        };
        self.ended_by(item)
    }
    fn nth(&mut self, n: usize) -> Option<I::Item> {
        let item = match &mut self.iter {
            Some(iter) => iter.nth(n),
            None => None,
        };
        self.ended_by(item)
    }
    fn last(self) -> Option<I::Item> {
        match self.iter {
            Some(iter) => iter.last(),
            None => None,
        }
    }
    fn count(self) -> usize {
        match self.iter {
            Some(iter) => iter.count(),
            None => 0,
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.iter {
            Some(iter) => iter.size_hint(),
            None => (0, Some(0)),
        }
    }
}

impl<I: DoubleEndedIterator> DoubleEndedIterator for Fuse<I> {
    fn next_back(&mut self) -> Option<I::Item> {
        let item = match &mut self.iter {
            Some(iter) => iter.next_back(),
            None => None,
        };
        self.ended_by(item)
    }
}

impl<I: ExactSizeIterator> ExactSizeIterator for Fuse<I> {
    fn len(&self) -> usize {
        match &self.iter {
            Some(iter) => iter.len(),
            None => 0,
        }
    }
}

impl<I: Iterator, F: FnMut(&I::Item)> Iterator for Inspect<I, F> {
    type Item = I::Item;
    fn next(&mut self) -> Option<I::Item> {
        let item = self.iter.next();
        if let Some(item) = &item {
            (self.f)(item);
        }
        item
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.iter.size_hint()
    }
}

impl<I: DoubleEndedIterator, F: FnMut(&I::Item)> DoubleEndedIterator for Inspect<I, F> {
    fn next_back(&mut self) -> Option<I::Item> {
        let item = self.iter.next_back();
        if let Some(item) = &item {
            (self.f)(item);
        }
        item
    }
}

impl<I: ExactSizeIterator, F: FnMut(&I::Item)> ExactSizeIterator for Inspect<I, F> {
    fn len(&self) -> usize {
        self.iter.len()
    }
}

impl<'a, I: Iterator<Item = &'a T>, T: 'a + Copy> Iterator for Copied<I> {
    type Item = T;
    fn next(&mut self) -> Option<T> {
        match self.iter.next() {
            Some(item) => Some(*item),
            None => None,
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.iter.size_hint()
    }
    fn nth(&mut self, n: usize) -> Option<T> {
        match self.iter.nth(n) {
            Some(item) => Some(*item),
            None => None,
        }
    }
}

impl<'a, I: DoubleEndedIterator<Item = &'a T>, T: 'a + Copy> DoubleEndedIterator for Copied<I> {
    fn next_back(&mut self) -> Option<T> {
        match self.iter.next_back() {
            Some(item) => Some(*item),
            None => None,
        }
    }
}

impl<'a, I: ExactSizeIterator<Item = &'a T>, T: 'a + Copy> ExactSizeIterator for Copied<I> {
    fn len(&self) -> usize {
        self.iter.len()
    }
}

impl<'a, I: Iterator<Item = &'a T>, T: 'a + Clone> Iterator for Cloned<I> {
    type Item = T;
    fn next(&mut self) -> Option<T> {
        match self.iter.next() {
            Some(item) => Some(item.clone()),
            None => None,
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.iter.size_hint()
    }
}

impl<'a, I: DoubleEndedIterator<Item = &'a T>, T: 'a + Clone> DoubleEndedIterator for Cloned<I> {
    fn next_back(&mut self) -> Option<T> {
        match self.iter.next_back() {
            Some(item) => Some(item.clone()),
            None => None,
        }
    }
}

impl<'a, I: ExactSizeIterator<Item = &'a T>, T: 'a + Clone> ExactSizeIterator for Cloned<I> {
    fn len(&self) -> usize {
        self.iter.len()
    }
}

impl<I: Clone + Iterator> Iterator for Cycle<I> {
    type Item = I::Item;
    fn next(&mut self) -> Option<I::Item> {
        match self.iter.next() {
            None => {
                self.iter = self.original.clone();
                self.iter.next()
            }
            item => item,
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        match self.original.size_hint() {
            (0, Some(0)) => (0, Some(0)),
            (0, _) => (0, None),
            _ => (usize::MAX, None),
        }
    }
}
