//! Consumers by type: sums and products of numbers, collecting into std's collections.

use super::*;

macro_rules! sums {
    ($zero:expr, $one:expr => $($ty:ident)*) => {$(
        impl Sum for $ty {
            fn sum<I: Iterator<Item = $ty>>(iter: I) -> $ty {
                let mut iter = iter;
                let mut total: $ty = $zero;
                while let Some(item) = iter.next() {
                    total = total + item;
                }
                total
            }
        }
        impl<'a> Sum<&'a $ty> for $ty {
            fn sum<I: Iterator<Item = &'a $ty>>(iter: I) -> $ty {
                let mut iter = iter;
                let mut total: $ty = $zero;
                while let Some(item) = iter.next() {
                    total = total + *item;
                }
                total
            }
        }
        impl Product for $ty {
            fn product<I: Iterator<Item = $ty>>(iter: I) -> $ty {
                let mut iter = iter;
                let mut total: $ty = $one;
                while let Some(item) = iter.next() {
                    total = total * item;
                }
                total
            }
        }
        impl<'a> Product<&'a $ty> for $ty {
            fn product<I: Iterator<Item = &'a $ty>>(iter: I) -> $ty {
                let mut iter = iter;
                let mut total: $ty = $one;
                while let Some(item) = iter.next() {
                    total = total * *item;
                }
                total
            }
        }
    )*};
}

sums!(0, 1 => i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);
// The empty sum of floats is negative zero, the neutral element of their addition.
sums!(-0.0, 1.0 => f32 f64);

/// Two collections reserve what an iterator promises. What that does with a great number is theirs.
pub(crate) fn restricted_to_small_hints<I: Iterator>(iter: &I) {
    if crate::intrinsics::hint_is_written::<I>() && iter.size_hint().0 > 1 << 20 {
        crate::intrinsics::unmodelled("a promise of more than a million items")
    }
}

impl FromIterator<()> for () {
    fn from_iter<T: IntoIterator<Item = ()>>(iter: T) {
        let mut iter = iter.into_iter();
        while let Some(()) = iter.next() {}
    }
}

impl<A, B, X: Extend<A>, Y: Extend<B>> Extend<(A, B)> for (X, Y) {
    fn extend<T: IntoIterator<Item = (A, B)>>(&mut self, iter: T) {
        let mut iter = iter.into_iter();
        restricted_to_small_hints(&iter);
        while let Some((a, b)) = iter.next() {
            self.0.extend(Some(a));
            self.1.extend(Some(b));
        }
    }
}

impl<A, B, X: Default + Extend<A>, Y: Default + Extend<B>> FromIterator<(A, B)> for (X, Y) {
    fn from_iter<T: IntoIterator<Item = (A, B)>>(iter: T) -> (X, Y) {
        let mut both = (X::default(), Y::default());
        both.extend(iter);
        both
    }
}

impl<A> FromIterator<A> for Vec<A> {
    fn from_iter<T: IntoIterator<Item = A>>(iter: T) -> Vec<A> {
        let mut iter = iter.into_iter();
        if crate::intrinsics::hint_is_written::<T::IntoIter>() {
            return crate::vec::collect_by_hints(iter);
        }
        let mut items = Vec::new();
        while let Some(item) = iter.next() {
            items.push(item);
        }
        items
    }
}

impl<A> Extend<A> for Vec<A> {
    fn extend<T: IntoIterator<Item = A>>(&mut self, iter: T) {
        let mut iter = iter.into_iter();
        crate::vec::restricted_to_hints_of_std::<T::IntoIter>();
        while let Some(item) = iter.next() {
            self.push(item);
        }
    }
}

// Std clones what the references lead to, `Copy` or not.
impl<'a, A: Copy + 'a> Extend<&'a A> for Vec<A> {
    fn extend<T: IntoIterator<Item = &'a A>>(&mut self, iter: T) {
        let mut iter = iter.into_iter();
        crate::vec::restricted_to_hints_of_std::<T::IntoIter>();
        while let Some(item) = iter.next() {
            self.push(crate::clone::duplicate(item));
        }
    }
}

impl FromIterator<char> for String {
    fn from_iter<T: IntoIterator<Item = char>>(iter: T) -> String {
        let mut iter = iter.into_iter();
        let mut text = String::new();
        crate::vec::reserve_by_hint::<u8, T::IntoIter>(0, &iter);
        while let Some(c) = iter.next() {
            text.push(c);
        }
        text
    }
}

impl<'a> FromIterator<&'a char> for String {
    fn from_iter<T: IntoIterator<Item = &'a char>>(iter: T) -> String {
        let mut iter = iter.into_iter();
        let mut text = String::new();
        crate::vec::reserve_by_hint::<u8, T::IntoIter>(0, &iter);
        while let Some(c) = iter.next() {
            text.push(*c);
        }
        text
    }
}

impl<'a> FromIterator<&'a str> for String {
    fn from_iter<T: IntoIterator<Item = &'a str>>(iter: T) -> String {
        let mut iter = iter.into_iter();
        let mut text = String::new();
        while let Some(part) = iter.next() {
            text.push_str(part);
        }
        text
    }
}

impl FromIterator<String> for String {
    fn from_iter<T: IntoIterator<Item = String>>(iter: T) -> String {
        let mut iter = iter.into_iter();
        let mut text = String::new();
        while let Some(part) = iter.next() {
            text.push_str(part.as_str());
        }
        text
    }
}

impl Extend<char> for String {
    fn extend<T: IntoIterator<Item = char>>(&mut self, iter: T) {
        let mut iter = iter.into_iter();
        crate::vec::reserve_by_hint::<u8, T::IntoIter>(self.len(), &iter);
        while let Some(c) = iter.next() {
            self.push(c);
        }
    }
}

impl<'a> Extend<&'a str> for String {
    fn extend<T: IntoIterator<Item = &'a str>>(&mut self, iter: T) {
        let mut iter = iter.into_iter();
        while let Some(part) = iter.next() {
            self.push_str(part);
        }
    }
}
