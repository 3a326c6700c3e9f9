//! Iterators that start from nothing: `empty`, `once`, `repeat`, `from_fn`, `successors`.

use super::*;

impl<T> Iterator for Empty<T> {
    type Item = T;
    fn next(&mut self) -> Option<T> {
        None
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(0))
    }
}

impl<T> DoubleEndedIterator for Empty<T> {
    fn next_back(&mut self) -> Option<T> {
        None
    }
}

impl<T> ExactSizeIterator for Empty<T> {}

impl<T> Iterator for Once<T> {
    type Item = T;
    fn next(&mut self) -> Option<T> {
        std::mem::replace(&mut self.item, None)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.item {
            Some(_) => (1, Some(1)),
            None => (0, Some(0)),
        }
    }
}

impl<T> DoubleEndedIterator for Once<T> {
    fn next_back(&mut self) -> Option<T> {
        std::mem::replace(&mut self.item, None)
    }
}

impl<T> ExactSizeIterator for Once<T> {}

impl<A, F: FnOnce() -> A> Iterator for OnceWith<F> {
    type Item = A;
    fn next(&mut self) -> Option<A> {
        match std::mem::replace(&mut self.make, None) {
            Some(make) => Some(make()),
            None => None,
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.make {
            Some(_) => (1, Some(1)),
            None => (0, Some(0)),
        }
    }
}

impl<A: Clone> Iterator for Repeat<A> {
    type Item = A;
    fn next(&mut self) -> Option<A> {
        Some(self.element.clone())
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (usize::MAX, None)
    }
    fn nth(&mut self, _n: usize) -> Option<A> {
        Some(self.element.clone())
    }
}

impl<A: Clone> DoubleEndedIterator for Repeat<A> {
    fn next_back(&mut self) -> Option<A> {
        Some(self.element.clone())
    }
    fn nth_back(&mut self, _n: usize) -> Option<A> {
        Some(self.element.clone())
    }
}

impl<A: Clone> Iterator for RepeatN<A> {
    type Item = A;
    fn next(&mut self) -> Option<A> {
        if self.count == 0 {
            return None;
        }
        self.count = self.count.wrapping_sub(1);
        if self.count == 0 {
            return std::mem::replace(&mut self.element, None);
        }
        match &self.element {
            Some(element) => Some(element.clone()),
            None => None,
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.count, Some(self.count))
    }
    // What is passed over is not cloned.
    fn nth(&mut self, n: usize) -> Option<A> {
        if n >= self.count {
            self.count = 0;
            self.element = None;
            return None;
        }
        self.count = self.count.wrapping_sub(n);
        self.next()
    }
    fn last(self) -> Option<A> {
        self.element
    }
    fn count(self) -> usize {
        self.count
    }
}

impl<A: Clone> DoubleEndedIterator for RepeatN<A> {
    fn next_back(&mut self) -> Option<A> {
        self.next()
    }
    fn nth_back(&mut self, n: usize) -> Option<A> {
        self.nth(n)
    }
}

impl<A: Clone> ExactSizeIterator for RepeatN<A> {}

impl<A, F: FnMut() -> A> Iterator for RepeatWith<F> {
    type Item = A;
    fn next(&mut self) -> Option<A> {
        Some((self.repeater)())
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (usize::MAX, None)
    }
}

impl<T, F: FnMut() -> Option<T>> Iterator for FromFn<F> {
    type Item = T;
    fn next(&mut self) -> Option<T> {
        (self.f)()
    }
}

impl<T, F: FnMut(&T) -> Option<T>> Iterator for Successors<T, F> {
    type Item = T;
    fn next(&mut self) -> Option<T> {
        match std::mem::replace(&mut self.next, None) {
            Some(item) => {
                self.next = (self.succ)(&item);
                Some(item)
            }
            None => None,
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.next {
            Some(_) => (1, None),
            None => (0, Some(0)),
        }
    }
}
