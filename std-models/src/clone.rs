//! `std::clone`. The executor clones `Copy` primitives, shared references, function pointers and closures itself;
//! the implementations for primitives here are for generic code that names them.

use std::ops::{Bound, ControlFlow, Range, RangeFrom, RangeFull, RangeTo, RangeToInclusive};

pub trait Clone: Sized {
    fn clone(&self) -> Self;
    fn clone_from(&mut self, source: &Self) {
        *self = source.clone();
    }
}

/// A copy where the type is `Copy`, else a clone.
pub(crate) fn duplicate<T: std::clone::Clone>(item: &T) -> T {
    if crate::intrinsics::is_copy::<T>() { crate::intrinsics::copy_of(item) } else { item.clone() }
}

macro_rules! clone_of_copy {
    ($($ty:ty)*) => {$(
        impl Clone for $ty {
            fn clone(&self) -> Self {
                *self
            }
        }
    )*};
}

clone_of_copy!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 bool char RangeFull);
clone_of_copy!(std::cmp::Ordering std::convert::Infallible);

impl Clone for () {
    fn clone(&self) {}
}

impl<T: ?Sized> Clone for &T {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Clone for std::marker::PhantomData<T> {
    fn clone(&self) -> Self {
        std::marker::PhantomData
    }
}

macro_rules! clone_of_tuple {
    ($($name:ident $index:tt)*) => {
        impl<$($name: std::clone::Clone),*> Clone for ($($name,)*) {
            fn clone(&self) -> Self {
                ($(self.$index.clone(),)*)
            }
        }
    };
}

clone_of_tuple!(A 0);
clone_of_tuple!(A 0 B 1);
clone_of_tuple!(A 0 B 1 C 2);
clone_of_tuple!(A 0 B 1 C 2 D 3);
clone_of_tuple!(A 0 B 1 C 2 D 3 E 4);
clone_of_tuple!(A 0 B 1 C 2 D 3 E 4 F 5);

impl<T: std::clone::Clone, const N: usize> Clone for [T; N] {
    fn clone(&self) -> Self {
        let mut items = crate::intrinsics::array_of_none::<T, N>();
        let mut index = 0;
        while index < N {
            items[index] = Some(duplicate(&self[index]));
            index = index.wrapping_add(1);
        }
        crate::intrinsics::array_from_options(items)
    }
    fn clone_from(&mut self, source: &Self) {
        let (to, from): (&mut [T], &[T]) = (self, source);
        to.clone_from_slice(from);
    }
}

impl<T: std::clone::Clone> Clone for Option<T> {
    fn clone(&self) -> Self {
        match self {
            Some(value) => Some(value.clone()),
            None => None,
        }
    }
    fn clone_from(&mut self, source: &Self) {
        match (self, source) {
            (Some(to), Some(from)) => to.clone_from(from),
            (to, from) => *to = Clone::clone(from),
        }
    }
}

impl<T: std::clone::Clone, E: std::clone::Clone> Clone for Result<T, E> {
    fn clone(&self) -> Self {
        match self {
            Ok(value) => Ok(value.clone()),
            Err(error) => Err(error.clone()),
        }
    }
    fn clone_from(&mut self, source: &Self) {
        match (self, source) {
            (Ok(to), Ok(from)) => to.clone_from(from),
            (Err(to), Err(from)) => to.clone_from(from),
            (to, from) => *to = Clone::clone(from),
        }
    }
}

impl<T: std::clone::Clone> Clone for Bound<T> {
    fn clone(&self) -> Self {
        match self {
            Bound::Included(value) => Bound::Included(value.clone()),
            Bound::Excluded(value) => Bound::Excluded(value.clone()),
            Bound::Unbounded => Bound::Unbounded,
        }
    }
}

impl<B: std::clone::Clone, C: std::clone::Clone> Clone for ControlFlow<B, C> {
    fn clone(&self) -> Self {
        match self {
            ControlFlow::Continue(value) => ControlFlow::Continue(value.clone()),
            ControlFlow::Break(value) => ControlFlow::Break(value.clone()),
        }
    }
}

impl<T: std::clone::Clone> Clone for Range<T> {
    fn clone(&self) -> Self {
        Range { start: self.start.clone(), end: self.end.clone() }
    }
}

impl<T: std::clone::Clone> Clone for RangeFrom<T> {
    fn clone(&self) -> Self {
        RangeFrom { start: self.start.clone() }
    }
}

impl<T: std::clone::Clone> Clone for RangeTo<T> {
    fn clone(&self) -> Self {
        RangeTo { end: self.end.clone() }
    }
}

impl<T: std::clone::Clone> Clone for RangeToInclusive<T> {
    fn clone(&self) -> Self {
        RangeToInclusive { end: self.end.clone() }
    }
}

impl<T: std::clone::Clone> Clone for std::cmp::Reverse<T> {
    fn clone(&self) -> Self {
        std::cmp::Reverse(self.0.clone())
    }
    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0)
    }
}
