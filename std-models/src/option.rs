//! `std::option`: the methods of `Option` and its iterators.

use crate::inherent::unchecked::OptionUncheckedMethods;
use crate::inherent::{
    OptionMethods, OptionMutMethods, OptionOptionMethods, OptionPairMethods, OptionRefMethods,
    OptionResultMethods,
};
use crate::iter::{DoubleEndedIterator, ExactSizeIterator, FromIterator, IntoIterator, Iterator};

impl<T> OptionMethods<T> for Option<T> {
    fn is_some(&self) -> bool {
        match self {
            Some(_) => true,
            None => false,
        }
    }
    fn is_some_and(self, f: impl FnOnce(T) -> bool) -> bool {
        match self {
            Some(value) => f(value),
            None => false,
        }
    }
    fn is_none(&self) -> bool {
        match self {
            Some(_) => false,
            None => true,
        }
    }
    fn is_none_or(self, f: impl FnOnce(T) -> bool) -> bool {
        match self {
            Some(value) => f(value),
            None => true,
        }
    }
    fn as_ref(&self) -> Option<&T> {
        match self {
            Some(value) => Some(value),
            None => None,
        }
    }
    fn as_mut(&mut self) -> Option<&mut T> {
        match self {
            Some(value) => Some(value),
            None => None,
        }
    }
    fn expect(self, msg: &str) -> T {
        match self {
            Some(value) => value,
            None => panic!("{}", msg),
        }
    }
    fn unwrap(self) -> T {
        match self {
            Some(value) => value,
            None => panic!("called `Option::unwrap()` on a `None` value"),
        }
    }
    fn unwrap_or(self, default: T) -> T {
        match self {
            Some(value) => value,
            None => default,
        }
    }
    fn unwrap_or_else<F: FnOnce() -> T>(self, f: F) -> T {
        match self {
            Some(value) => value,
            None => f(),
        }
    }
    fn unwrap_or_default(self) -> T
    where
        T: Default,
    {
        match self {
            Some(value) => value,
            None => T::default(),
        }
    }
    fn map<U, F: FnOnce(T) -> U>(self, f: F) -> Option<U> {
        match self {
            Some(value) => Some(f(value)),
            None => None,
        }
    }
    fn inspect<F: FnOnce(&T)>(self, f: F) -> Self {
        if let Some(value) = &self {
            f(value);
        }
        self
    }
    fn map_or<U, F: FnOnce(T) -> U>(self, default: U, f: F) -> U {
        match self {
            Some(value) => f(value),
            None => default,
        }
    }
    fn map_or_else<U, D: FnOnce() -> U, F: FnOnce(T) -> U>(self, default: D, f: F) -> U {
        match self {
            Some(value) => f(value),
            None => default(),
        }
    }
    fn ok_or<E>(self, err: E) -> Result<T, E> {
        match self {
            Some(value) => Ok(value),
            None => Err(err),
        }
    }
    fn ok_or_else<E, F: FnOnce() -> E>(self, err: F) -> Result<T, E> {
        match self {
            Some(value) => Ok(value),
            None => Err(err()),
        }
    }
    fn as_deref(&self) -> Option<&T::Target>
    where
        T: std::ops::Deref,
    {
        match self {
            Some(value) => Some(value.deref()),
            None => None,
        }
    }
    fn as_deref_mut(&mut self) -> Option<&mut T::Target>
    where
        T: std::ops::DerefMut,
    {
        match self {
            Some(value) => Some(value.deref_mut()),
            None => None,
        }
    }
    fn iter(&self) -> crate::option::Iter<'_, T> {
        Iter { item: self.as_ref() }
    }
    fn iter_mut(&mut self) -> crate::option::IterMut<'_, T> {
        IterMut { item: self.as_mut() }
    }
    fn and<U>(self, optb: Option<U>) -> Option<U> {
        match self {
            Some(_) => optb,
            None => None,
        }
    }
    fn and_then<U, F: FnOnce(T) -> Option<U>>(self, f: F) -> Option<U> {
        match self {
            Some(value) => f(value),
            None => None,
        }
    }
    fn filter<P: FnOnce(&T) -> bool>(self, predicate: P) -> Self {
        if let Some(value) = self {
            if predicate(&value) {
                return Some(value);
            }
        }
        None
    }
    fn or(self, optb: Option<T>) -> Option<T> {
        match self {
            Some(value) => Some(value),
            None => optb,
        }
    }
    fn or_else<F: FnOnce() -> Option<T>>(self, f: F) -> Option<T> {
        match self {
            Some(value) => Some(value),
            None => f(),
        }
    }
    fn xor(self, optb: Option<T>) -> Option<T> {
        match (self, optb) {
            (Some(a), None) => Some(a),
            (None, Some(b)) => Some(b),
            _ => None,
        }
    }
    fn insert(&mut self, value: T) -> &mut T {
        *self = Some(value);
        match self {
            Some(value) => value,
            None => unreachable!(),
        }
    }
    fn get_or_insert(&mut self, value: T) -> &mut T {
        if let None = self {
            *self = Some(value);
        }
        match self {
            Some(value) => value,
            None => unreachable!(),
        }
    }
    fn get_or_insert_with<F: FnOnce() -> T>(&mut self, f: F) -> &mut T {
        if let None = self {
            *self = Some(f());
        }
        match self {
            Some(value) => value,
            None => unreachable!(),
        }
    }
    fn take(&mut self) -> Option<T> {
        std::mem::replace(self, None)
    }
    fn take_if<P: FnOnce(&mut T) -> bool>(&mut self, predicate: P) -> Option<T> {
        let wanted = match self {
            Some(value) => predicate(value),
            None => false,
        };
        if wanted { std::mem::replace(self, None) } else { None }
    }
    fn replace(&mut self, value: T) -> Option<T> {
        std::mem::replace(self, Some(value))
    }
    fn zip<U>(self, other: Option<U>) -> Option<(T, U)> {
        match (self, other) {
            (Some(a), Some(b)) => Some((a, b)),
            _ => None,
        }
    }
}

impl<T> OptionUncheckedMethods<T> for Option<T> {
    unsafe fn unwrap_unchecked(self) -> T {
        match self {
            Some(value) => value,
            None => crate::intrinsics::unmodelled("undefined behaviour: `unwrap_unchecked` of `None`"),
        }
    }
}

impl<T> OptionRefMethods<T> for Option<&T> {
    fn copied(self) -> Option<T>
    where
        T: Copy,
    {
        match self {
            Some(value) => Some(*value),
            None => None,
        }
    }
    fn cloned(self) -> Option<T>
    where
        T: Clone,
    {
        match self {
            Some(value) => Some(value.clone()),
            None => None,
        }
    }
}

impl<T> OptionMutMethods<T> for Option<&mut T> {
    fn copied(self) -> Option<T>
    where
        T: Copy,
    {
        match self {
            Some(value) => Some(*value),
            None => None,
        }
    }
    fn cloned(self) -> Option<T>
    where
        T: Clone,
    {
        match self {
            Some(value) => Some((*value).clone()),
            None => None,
        }
    }
}

impl<T> OptionOptionMethods<T> for Option<Option<T>> {
    fn flatten(self) -> Option<T> {
        match self {
            Some(inner) => inner,
            None => None,
        }
    }
}

impl<T, U> OptionPairMethods<T, U> for Option<(T, U)> {
    fn unzip(self) -> (Option<T>, Option<U>) {
        match self {
            Some((a, b)) => (Some(a), Some(b)),
            None => (None, None),
        }
    }
}

impl<T, E> OptionResultMethods<T, E> for Option<Result<T, E>> {
    fn transpose(self) -> Result<Option<T>, E> {
        match self {
            Some(Ok(value)) => Ok(Some(value)),
            Some(Err(error)) => Err(error),
            None => Ok(None),
        }
    }
}

pub struct Iter<'a, A> {
    pub(crate) item: Option<&'a A>,
}

pub struct IterMut<'a, A> {
    pub(crate) item: Option<&'a mut A>,
}

#[derive(Clone)]
pub struct IntoIter<A> {
    pub(crate) item: Option<A>,
}

macro_rules! option_iterator {
    ([$($generics:tt)*] $ty:ty, $item:ty) => {
        impl<$($generics)*> Iterator for $ty {
            type Item = $item;
            fn next(&mut self) -> Option<$item> {
                std::mem::replace(&mut self.item, None)
            }
            fn size_hint(&self) -> (usize, Option<usize>) {
                match &self.item {
                    Some(_) => (1, Some(1)),
                    None => (0, Some(0)),
                }
            }
        }
        impl<$($generics)*> DoubleEndedIterator for $ty {
            fn next_back(&mut self) -> Option<$item> {
                std::mem::replace(&mut self.item, None)
            }
        }
        impl<$($generics)*> ExactSizeIterator for $ty {}
    };
}

option_iterator!(['a, A] Iter<'a, A>, &'a A);
option_iterator!(['a, A] IterMut<'a, A>, &'a mut A);
option_iterator!([A] IntoIter<A>, A);

impl<T> IntoIterator for Option<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;
    fn into_iter(self) -> IntoIter<T> {
        IntoIter { item: self }
    }
}

impl<'a, T> IntoIterator for &'a Option<T> {
    type Item = &'a T;
    type IntoIter = Iter<'a, T>;
    fn into_iter(self) -> Iter<'a, T> {
        Iter { item: self.as_ref() }
    }
}

impl<'a, T> IntoIterator for &'a mut Option<T> {
    type Item = &'a mut T;
    type IntoIter = IterMut<'a, T>;
    fn into_iter(self) -> IterMut<'a, T> {
        IterMut { item: self.as_mut() }
    }
}

/// Hands on the contents of an iterator of options until the first `None`, which it notes.
struct UntilNone<'n, I> {
    iter: I,
    met_none: &'n mut bool,
}

impl<'n, A, I: Iterator<Item = Option<A>>> Iterator for UntilNone<'n, I> {
    type Item = A;
    fn next(&mut self) -> Option<A> {
        if *self.met_none {
            return None;
        }
        match self.iter.next() {
            Some(Some(value)) => Some(value),
            Some(None) => {
                *self.met_none = true;
                None
            }
            None => None,
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        if *self.met_none { (0, Some(0)) } else { (0, self.iter.size_hint().1) }
    }
}

impl<A, V: FromIterator<A>> FromIterator<Option<A>> for Option<V> {
    fn from_iter<I: IntoIterator<Item = Option<A>>>(iter: I) -> Option<V> {
        let mut met_none = false;
        let collected = V::from_iter(UntilNone { iter: iter.into_iter(), met_none: &mut met_none });
        if met_none { None } else { Some(collected) }
    }
}

impl<T, U: crate::iter::Sum<T>> crate::iter::Sum<Option<T>> for Option<U> {
    fn sum<I: Iterator<Item = Option<T>>>(iter: I) -> Option<U> {
        let mut met_none = false;
        let total = U::sum(UntilNone { iter, met_none: &mut met_none });
        if met_none { None } else { Some(total) }
    }
}

impl<T, U: crate::iter::Product<T>> crate::iter::Product<Option<T>> for Option<U> {
    fn product<I: Iterator<Item = Option<T>>>(iter: I) -> Option<U> {
        let mut met_none = false;
        let total = U::product(UntilNone { iter, met_none: &mut met_none });
        if met_none { None } else { Some(total) }
    }
}
