//! The methods of `[T]` that order elements: sorting, searching, deduction of order.

use std::cmp::Ordering;

use crate::inherent::SliceOrderMethods;

impl<T> SliceOrderMethods<T> for [T] {
    fn binary_search(&self, x: &T) -> Result<usize, usize>
    where
        T: Ord,
    {
        let mut size = self.len();
        if size == 0 {
            return Err(0);
        }
        let mut base: usize = 0;
        while size > 1 {
            let half = size / 2;
            let mid = base.wrapping_add(half);
            match self[mid].cmp(x) {
                Ordering::Greater => {}
                _ => base = mid,
            }
            size = size.wrapping_sub(half);
        }
        match self[base].cmp(x) {
            Ordering::Equal => Ok(base),
            Ordering::Less => Err(base.wrapping_add(1)),
            Ordering::Greater => Err(base),
        }
    }
    fn binary_search_by<'a, F: FnMut(&'a T) -> Ordering>(&'a self, f: F) -> Result<usize, usize>
    where
        T: 'a,
    {
        let mut f = f;
        let mut size = self.len();
        if size == 0 {
            return Err(0);
        }
        let mut base: usize = 0;
        while size > 1 {
            let half = size / 2;
            let mid = base.wrapping_add(half);
            match f(&self[mid]) {
                Ordering::Greater => {}
                _ => base = mid,
            }
            size = size.wrapping_sub(half);
        }
        match f(&self[base]) {
            Ordering::Equal => Ok(base),
            Ordering::Less => Err(base.wrapping_add(1)),
            Ordering::Greater => Err(base),
        }
    }
    fn binary_search_by_key<'a, B: Ord, F: FnMut(&'a T) -> B>(&'a self, b: &B, f: F) -> Result<usize, usize>
    where
        T: 'a,
    {
        let mut f = f;
        self.binary_search_by(|item| f(item).cmp(b))
    }
    fn partition_point<P: FnMut(&T) -> bool>(&self, pred: P) -> usize {
        let mut pred = pred;
        let found = self.binary_search_by(|item| if pred(item) { Ordering::Less } else { Ordering::Greater });
        match found {
            Ok(index) => index,
            Err(index) => index,
        }
    }
    fn sort(&mut self)
    where
        T: Ord,
    {
        restricted_to_plain::<T>(self.len());
        insertion_sort(self, |a, b| *a < *b);
    }
    fn sort_by<F: FnMut(&T, &T) -> Ordering>(&mut self, compare: F) {
        restricted_to_plain::<F>(self.len());
        let mut compare = compare;
        insertion_sort(self, |a, b| matches!(compare(a, b), Ordering::Less));
    }
    fn sort_by_key<K: Ord, F: FnMut(&T) -> K>(&mut self, f: F) {
        restricted_to_plain::<F>(self.len());
        let mut f = f;
        insertion_sort(self, |a, b| f(a) < f(b));
    }
    fn sort_by_cached_key<K: Ord, F: FnMut(&T) -> K>(&mut self, f: F) {
        let len = self.len();
        if len < 2 {
            return;
        }
        restricted_to_plain::<K>(len);
        let mut f = f;
        let mut keys: Vec<(K, usize)> = Vec::new();
        let mut index: usize = 0;
        while index < len {
            keys.push((f(&self[index]), index));
            index = index.wrapping_add(1);
        }
        insertion_sort(keys.as_mut_slice(), |a, b| match a.0.partial_cmp(&b.0) {
            Some(Ordering::Equal) => a.1 < b.1,
            order => matches!(order, Some(Ordering::Less)),
        });
        index = 0;
        while index < len {
            // Where the item that belongs here was brought by earlier exchanges.
            let mut from = keys.as_slice()[index].1;
            while from < index {
                from = keys.as_slice()[from].1;
            }
            keys.as_mut_slice()[index].1 = from;
            self.swap(index, from);
            index = index.wrapping_add(1);
        }
    }
    fn sort_unstable(&mut self)
    where
        T: Ord,
    {
        restricted_to_plain::<T>(self.len());
        insertion_sort(self, |a, b| *a < *b);
    }
    fn sort_unstable_by<F: FnMut(&T, &T) -> Ordering>(&mut self, compare: F) {
        restricted_to_plain::<F>(self.len());
        let mut compare = compare;
        insertion_sort(self, |a, b| matches!(compare(a, b), Ordering::Less));
    }
    fn sort_unstable_by_key<K: Ord, F: FnMut(&T) -> K>(&mut self, f: F) {
        restricted_to_plain::<F>(self.len());
        let mut f = f;
        insertion_sort(self, |a, b| f(a) < f(b));
    }
    fn is_sorted(&self) -> bool
    where
        T: PartialOrd,
    {
        let len = self.len();
        let mut index: usize = 1;
        // Whole chunks are compared to their ends, whatever the first comparisons say.
        while len.wrapping_sub(index).wrapping_add(1) > SORTED_CHUNK {
            let end = index.wrapping_add(SORTED_CHUNK).wrapping_sub(1);
            let mut is_sorted = true;
            while index < end {
                is_sorted &= self[index.wrapping_sub(1)] <= self[index];
                index = index.wrapping_add(1);
            }
            if !is_sorted {
                return false;
            }
        }
        while index < len {
            if !(self[index.wrapping_sub(1)] <= self[index]) {
                return false;
            }
            index = index.wrapping_add(1);
        }
        true
    }
}

/// The length of the chunks, which overlap in one element.
const SORTED_CHUNK: usize = 33;

/// Up to this length std sorts by insertion, comparing as is done here.
const SORTED_BY_INSERTION: usize = 20;

/// Above it, what is compared with what is not known; it cannot be told if comparing is plain.
pub(crate) fn restricted_to_plain<T: ?Sized>(len: usize) {
    if len > SORTED_BY_INSERTION && !crate::intrinsics::is_plain::<T>() {
        crate::intrinsics::unmodelled("in which order more than twenty elements are compared to be sorted")
    }
}

/// Nothing is compared where elements have no size.
pub(crate) fn insertion_sort<T, F: FnMut(&T, &T) -> bool>(slice: &mut [T], less: F) {
    if crate::intrinsics::has_no_size::<T>() {
        return;
    }
    let mut less = less;
    let len = slice.len();
    let mut sorted: usize = 1;
    while sorted < len {
        let mut place = sorted;
        while place > 0 && less(&slice[place], &slice[place.wrapping_sub(1)]) {
            slice.swap(place, place.wrapping_sub(1));
            place = place.wrapping_sub(1);
        }
        sorted = sorted.wrapping_add(1);
    }
}
