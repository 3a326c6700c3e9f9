//! Comparison of references, sequences and std's enums and structs.

use std::cmp::Ordering;
use std::ops::{Bound, ControlFlow, Range, RangeFrom, RangeFull, RangeTo, RangeToInclusive};

use super::{Eq, Ord, PartialEq, PartialOrd};

impl<A: ?Sized + std::cmp::PartialEq<B>, B: ?Sized> PartialEq<&B> for &A {
    fn eq(&self, other: &&B) -> bool {
        **self == **other
    }
    fn ne(&self, other: &&B) -> bool {
        **self != **other
    }
}

impl<A: ?Sized + std::cmp::PartialEq<B>, B: ?Sized> PartialEq<&mut B> for &mut A {
    fn eq(&self, other: &&mut B) -> bool {
        **self == **other
    }
    fn ne(&self, other: &&mut B) -> bool {
        **self != **other
    }
}

impl<A: ?Sized + std::cmp::PartialEq<B>, B: ?Sized> PartialEq<&mut B> for &A {
    fn eq(&self, other: &&mut B) -> bool {
        **self == **other
    }
    fn ne(&self, other: &&mut B) -> bool {
        **self != **other
    }
}

impl<A: ?Sized + std::cmp::PartialEq<B>, B: ?Sized> PartialEq<&B> for &mut A {
    fn eq(&self, other: &&B) -> bool {
        **self == **other
    }
    fn ne(&self, other: &&B) -> bool {
        **self != **other
    }
}

impl<A: ?Sized + std::cmp::Eq> Eq for &A {}
impl<A: ?Sized + std::cmp::Eq> Eq for &mut A {}

macro_rules! order_of_reference {
    ($([$($generics:tt)*] $a:ty, $b:ty;)*) => {$(
        impl<$($generics)*> PartialOrd<$b> for $a {
            fn partial_cmp(&self, other: &$b) -> Option<Ordering> {
                (**self).partial_cmp(&**other)
            }
            fn lt(&self, other: &$b) -> bool {
                **self < **other
            }
            fn le(&self, other: &$b) -> bool {
                **self <= **other
            }
            fn gt(&self, other: &$b) -> bool {
                **self > **other
            }
            fn ge(&self, other: &$b) -> bool {
                **self >= **other
            }
        }
    )*};
}

order_of_reference! {
    [A: ?Sized + std::cmp::PartialOrd<B>, B: ?Sized] &A, &B;
    [A: ?Sized + std::cmp::PartialOrd<B>, B: ?Sized] &mut A, &mut B;
}

impl<A: ?Sized + std::cmp::Ord> Ord for &A {
    fn cmp(&self, other: &Self) -> Ordering {
        (**self).cmp(&**other)
    }
}

impl<A: ?Sized + std::cmp::Ord> Ord for &mut A {
    fn cmp(&self, other: &Self) -> Ordering {
        (**self).cmp(&**other)
    }
}

impl<A: std::cmp::PartialEq<B>, B> PartialEq<[B]> for [A] {
    fn eq(&self, other: &[B]) -> bool {
        let len = self.len();
        if len != other.len() {
            return false;
        }
        let mut index = 0;
        while index < len {
            if self[index] != other[index] {
                return false;
            }
            index = index.wrapping_add(1);
        }
        true
    }
}

impl<A: std::cmp::Eq> Eq for [A] {}

impl<A: std::cmp::PartialOrd> PartialOrd for [A] {
    fn partial_cmp(&self, other: &[A]) -> Option<Ordering> {
        let (left, right) = (self.len(), other.len());
        let mut index = 0;
        while index < left && index < right {
            match self[index].partial_cmp(&other[index]) {
                Some(Ordering::Equal) => {}
                order => return order,
            }
            index = index.wrapping_add(1);
        }
        Some(std::cmp::Ord::cmp(&left, &right))
    }
}

impl<A: std::cmp::Ord> Ord for [A] {
    fn cmp(&self, other: &[A]) -> Ordering {
        let (left, right) = (self.len(), other.len());
        let mut index = 0;
        while index < left && index < right {
            match self[index].cmp(&other[index]) {
                Ordering::Equal => {}
                order => return order,
            }
            index = index.wrapping_add(1);
        }
        std::cmp::Ord::cmp(&left, &right)
    }
}

/// Sequences of which at least one is an array, compared as slices.
macro_rules! eq_as_slices {
    ($([$($generics:tt)*] $a:ty, $b:ty;)*) => {$(
        impl<T: std::cmp::PartialEq<U>, U, $($generics)*> PartialEq<$b> for $a {
            fn eq(&self, other: &$b) -> bool {
                let left: &[T] = self;
                let right: &[U] = other;
                *left == *right
            }
        }
    )*};
}

eq_as_slices! {
    [const N: usize] [T; N], [U; N];
    [const N: usize] [T; N], [U];
    [const N: usize] [T], [U; N];
    [const N: usize] [T; N], &[U];
    [const N: usize] &[T], [U; N];
    [const N: usize] [T; N], &mut [U];
    [const N: usize] &mut [T], [U; N];
}

impl<T: std::cmp::Eq, const N: usize> Eq for [T; N] {}

impl<T: std::cmp::PartialOrd, const N: usize> PartialOrd for [T; N] {
    fn partial_cmp(&self, other: &[T; N]) -> Option<Ordering> {
        let left: &[T] = self;
        let right: &[T] = other;
        std::cmp::PartialOrd::partial_cmp(left, right)
    }
}

impl<T: std::cmp::Ord, const N: usize> Ord for [T; N] {
    fn cmp(&self, other: &[T; N]) -> Ordering {
        let left: &[T] = self;
        let right: &[T] = other;
        std::cmp::Ord::cmp(left, right)
    }
}

impl PartialEq for str {
    fn eq(&self, other: &str) -> bool {
        *self.as_bytes() == *other.as_bytes()
    }
}

impl Eq for str {}

impl PartialOrd for str {
    fn partial_cmp(&self, other: &str) -> Option<Ordering> {
        Some(std::cmp::Ord::cmp(self.as_bytes(), other.as_bytes()))
    }
}

impl Ord for str {
    fn cmp(&self, other: &str) -> Ordering {
        std::cmp::Ord::cmp(self.as_bytes(), other.as_bytes())
    }
}

impl<T: std::cmp::PartialEq> PartialEq for Option<T> {
    fn eq(&self, other: &Option<T>) -> bool {
        match (self, other) {
            (Some(a), Some(b)) => *a == *b,
            (None, None) => true,
            _ => false,
        }
    }
}

impl<T: std::cmp::Eq> Eq for Option<T> {}

impl<T: std::cmp::PartialOrd> PartialOrd for Option<T> {
    fn partial_cmp(&self, other: &Option<T>) -> Option<Ordering> {
        match (self, other) {
            (Some(a), Some(b)) => a.partial_cmp(b),
            (Some(_), None) => Some(Ordering::Greater),
            (None, Some(_)) => Some(Ordering::Less),
            (None, None) => Some(Ordering::Equal),
        }
    }
}

impl<T: std::cmp::Ord> Ord for Option<T> {
    fn cmp(&self, other: &Option<T>) -> Ordering {
        match (self, other) {
            (Some(a), Some(b)) => a.cmp(b),
            (Some(_), None) => Ordering::Greater,
            (None, Some(_)) => Ordering::Less,
            (None, None) => Ordering::Equal,
        }
    }
}

impl<T: std::cmp::PartialEq, E: std::cmp::PartialEq> PartialEq for Result<T, E> {
    fn eq(&self, other: &Result<T, E>) -> bool {
        match (self, other) {
            (Ok(a), Ok(b)) => *a == *b,
            (Err(a), Err(b)) => *a == *b,
            _ => false,
        }
    }
}

impl<T: std::cmp::Eq, E: std::cmp::Eq> Eq for Result<T, E> {}

impl<T: std::cmp::PartialOrd, E: std::cmp::PartialOrd> PartialOrd for Result<T, E> {
    fn partial_cmp(&self, other: &Result<T, E>) -> Option<Ordering> {
        match (self, other) {
            (Ok(a), Ok(b)) => a.partial_cmp(b),
            (Err(a), Err(b)) => a.partial_cmp(b),
            (Ok(_), Err(_)) => Some(Ordering::Less),
            (Err(_), Ok(_)) => Some(Ordering::Greater),
        }
    }
}

impl<T: std::cmp::Ord, E: std::cmp::Ord> Ord for Result<T, E> {
    fn cmp(&self, other: &Result<T, E>) -> Ordering {
        match (self, other) {
            (Ok(a), Ok(b)) => a.cmp(b),
            (Err(a), Err(b)) => a.cmp(b),
            (Ok(_), Err(_)) => Ordering::Less,
            (Err(_), Ok(_)) => Ordering::Greater,
        }
    }
}

impl<T: std::cmp::PartialEq> PartialEq for Bound<T> {
    fn eq(&self, other: &Bound<T>) -> bool {
        match (self, other) {
            (Bound::Included(a), Bound::Included(b)) => *a == *b,
            (Bound::Excluded(a), Bound::Excluded(b)) => *a == *b,
            (Bound::Unbounded, Bound::Unbounded) => true,
            _ => false,
        }
    }
}

impl<B: std::cmp::PartialEq, C: std::cmp::PartialEq> PartialEq for ControlFlow<B, C> {
    fn eq(&self, other: &ControlFlow<B, C>) -> bool {
        match (self, other) {
            (ControlFlow::Continue(a), ControlFlow::Continue(b)) => *a == *b,
            (ControlFlow::Break(a), ControlFlow::Break(b)) => *a == *b,
            _ => false,
        }
    }
}

impl<T: std::cmp::PartialEq> PartialEq for Range<T> {
    fn eq(&self, other: &Range<T>) -> bool {
        self.start == other.start && self.end == other.end
    }
}

impl<T: std::cmp::PartialEq> PartialEq for RangeFrom<T> {
    fn eq(&self, other: &RangeFrom<T>) -> bool {
        self.start == other.start
    }
}

impl<T: std::cmp::PartialEq> PartialEq for RangeTo<T> {
    fn eq(&self, other: &RangeTo<T>) -> bool {
        self.end == other.end
    }
}

impl<T: std::cmp::PartialEq> PartialEq for RangeToInclusive<T> {
    fn eq(&self, other: &RangeToInclusive<T>) -> bool {
        self.end == other.end
    }
}

impl PartialEq for RangeFull {
    fn eq(&self, _other: &RangeFull) -> bool {
        true
    }
}

impl<T: ?Sized> PartialEq for std::marker::PhantomData<T> {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

impl<T: ?Sized> PartialOrd for std::marker::PhantomData<T> {
    fn partial_cmp(&self, _other: &Self) -> Option<Ordering> {
        Some(Ordering::Equal)
    }
}

impl PartialEq for std::convert::Infallible {
    fn eq(&self, _other: &Self) -> bool {
        match *self {}
    }
}
