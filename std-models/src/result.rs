//! `std::result`: the methods of `Result` and its iterators.
//!
//! Limit: the messages of `unwrap` and `expect` do not show the error, because formatting is not run here.

use crate::inherent::unchecked::ResultUncheckedMethods;
use crate::inherent::{
    ResultMethods, ResultMutMethods, ResultOptionMethods, ResultRefMethods, ResultResultMethods,
};
use crate::iter::{DoubleEndedIterator, ExactSizeIterator, FromIterator, IntoIterator, Iterator};

impl<T, E> ResultMethods<T, E> for Result<T, E> {
    fn is_ok(&self) -> bool {
        match self {
            Ok(_) => true,
            Err(_) => false,
        }
    }
    fn is_ok_and(self, f: impl FnOnce(T) -> bool) -> bool {
        match self {
            Ok(value) => f(value),
            Err(_) => false,
        }
    }
    fn is_err(&self) -> bool {
        match self {
            Ok(_) => false,
            Err(_) => true,
        }
    }
    fn is_err_and(self, f: impl FnOnce(E) -> bool) -> bool {
        match self {
            Ok(_) => false,
            Err(error) => f(error),
        }
    }
    fn ok(self) -> Option<T> {
        match self {
            Ok(value) => Some(value),
            Err(_) => None,
        }
    }
    fn err(self) -> Option<E> {
        match self {
            Ok(_) => None,
            Err(error) => Some(error),
        }
    }
    fn as_ref(&self) -> Result<&T, &E> {
        match self {
            Ok(value) => Ok(value),
            Err(error) => Err(error),
        }
    }
    fn as_mut(&mut self) -> Result<&mut T, &mut E> {
        match self {
            Ok(value) => Ok(value),
            Err(error) => Err(error),
        }
    }
    fn map<U, F: FnOnce(T) -> U>(self, op: F) -> Result<U, E> {
        match self {
            Ok(value) => Ok(op(value)),
            Err(error) => Err(error),
        }
    }
    fn map_or<U, F: FnOnce(T) -> U>(self, default: U, f: F) -> U {
        match self {
            Ok(value) => f(value),
            Err(_) => default,
        }
    }
    fn map_or_else<U, D: FnOnce(E) -> U, F: FnOnce(T) -> U>(self, default: D, f: F) -> U {
        match self {
            Ok(value) => f(value),
            Err(error) => default(error),
        }
    }
    fn map_err<F, O: FnOnce(E) -> F>(self, op: O) -> Result<T, F> {
        match self {
            Ok(value) => Ok(value),
            Err(error) => Err(op(error)),
        }
    }
    fn inspect<F: FnOnce(&T)>(self, f: F) -> Self {
        if let Ok(value) = &self {
            f(value);
        }
        self
    }
    fn inspect_err<F: FnOnce(&E)>(self, f: F) -> Self {
        if let Err(error) = &self {
            f(error);
        }
        self
    }
    fn as_deref(&self) -> Result<&T::Target, &E>
    where
        T: std::ops::Deref,
    {
        match self {
            Ok(value) => Ok(value.deref()),
            Err(error) => Err(error),
        }
    }
    fn as_deref_mut(&mut self) -> Result<&mut T::Target, &mut E>
    where
        T: std::ops::DerefMut,
    {
        match self {
            Ok(value) => Ok(value.deref_mut()),
            Err(error) => Err(error),
        }
    }
    fn iter(&self) -> crate::result::Iter<'_, T> {
        match self {
            Ok(value) => Iter { item: Some(value) },
            Err(_) => Iter { item: None },
        }
    }
    fn iter_mut(&mut self) -> crate::result::IterMut<'_, T> {
        match self {
            Ok(value) => IterMut { item: Some(value) },
            Err(_) => IterMut { item: None },
        }
    }
    fn expect(self, msg: &str) -> T {
        match self {
            Ok(value) => value,
            Err(_) => panic!("{}", msg),
        }
    }
    fn unwrap(self) -> T {
        match self {
            Ok(value) => value,
            Err(_) => panic!("called `Result::unwrap()` on an `Err` value"),
        }
    }
    fn unwrap_or_default(self) -> T
    where
        T: Default,
    {
        match self {
            Ok(value) => value,
            Err(_) => T::default(),
        }
    }
    fn expect_err(self, msg: &str) -> E {
        match self {
            Ok(_) => panic!("{}", msg),
            Err(error) => error,
        }
    }
    fn unwrap_err(self) -> E {
        match self {
            Ok(_) => panic!("called `Result::unwrap_err()` on an `Ok` value"),
            Err(error) => error,
        }
    }
    fn and<U>(self, res: Result<U, E>) -> Result<U, E> {
        match self {
            Ok(_) => res,
            Err(error) => Err(error),
        }
    }
    fn and_then<U, F: FnOnce(T) -> Result<U, E>>(self, op: F) -> Result<U, E> {
        match self {
            Ok(value) => op(value),
            Err(error) => Err(error),
        }
    }
    fn or<F>(self, res: Result<T, F>) -> Result<T, F> {
        match self {
            Ok(value) => Ok(value),
            Err(_) => res,
        }
    }
    fn or_else<F, O: FnOnce(E) -> Result<T, F>>(self, op: O) -> Result<T, F> {
        match self {
            Ok(value) => Ok(value),
            Err(error) => op(error),
        }
    }
    fn unwrap_or(self, default: T) -> T {
        match self {
            Ok(value) => value,
            Err(_) => default,
        }
    }
    fn unwrap_or_else<F: FnOnce(E) -> T>(self, op: F) -> T {
        match self {
            Ok(value) => value,
            Err(error) => op(error),
        }
    }
}

impl<T, E> ResultUncheckedMethods<T, E> for Result<T, E> {
    unsafe fn unwrap_unchecked(self) -> T {
        match self {
            Ok(value) => value,
            Err(_) => crate::intrinsics::unmodelled("undefined behaviour: `unwrap_unchecked` of `Err`"),
        }
    }
    unsafe fn unwrap_err_unchecked(self) -> E {
        match self {
            Ok(_) => crate::intrinsics::unmodelled("undefined behaviour: `unwrap_err_unchecked` of `Ok`"),
            Err(error) => error,
        }
    }
}

impl<T, E> ResultRefMethods<T, E> for Result<&T, E> {
    fn copied(self) -> Result<T, E>
    where
        T: Copy,
    {
        match self {
            Ok(value) => Ok(*value),
            Err(error) => Err(error),
        }
    }
    fn cloned(self) -> Result<T, E>
    where
        T: Clone,
    {
        match self {
            Ok(value) => Ok(value.clone()),
            Err(error) => Err(error),
        }
    }
}

impl<T, E> ResultMutMethods<T, E> for Result<&mut T, E> {
    fn copied(self) -> Result<T, E>
    where
        T: Copy,
    {
        match self {
            Ok(value) => Ok(*value),
            Err(error) => Err(error),
        }
    }
    fn cloned(self) -> Result<T, E>
    where
        T: Clone,
    {
        match self {
            Ok(value) => Ok((*value).clone()),
            Err(error) => Err(error),
        }
    }
}

impl<T, E> ResultOptionMethods<T, E> for Result<Option<T>, E> {
    fn transpose(self) -> Option<Result<T, E>> {
        match self {
            Ok(Some(value)) => Some(Ok(value)),
            Ok(None) => None,
            Err(error) => Some(Err(error)),
        }
    }
}

impl<T, E> ResultResultMethods<T, E> for Result<Result<T, E>, E> {
    fn flatten(self) -> Result<T, E> {
        match self {
            Ok(inner) => inner,
            Err(error) => Err(error),
        }
    }
}

pub struct Iter<'a, T> {
    pub(crate) item: Option<&'a T>,
}

pub struct IterMut<'a, T> {
    pub(crate) item: Option<&'a mut T>,
}

#[derive(Clone)]
pub struct IntoIter<T> {
    pub(crate) item: Option<T>,
}

macro_rules! result_iterator {
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

result_iterator!(['a, T] Iter<'a, T>, &'a T);
result_iterator!(['a, T] IterMut<'a, T>, &'a mut T);
result_iterator!([T] IntoIter<T>, T);

impl<T, E> IntoIterator for Result<T, E> {
    type Item = T;
    type IntoIter = IntoIter<T>;
    fn into_iter(self) -> IntoIter<T> {
        match self {
            Ok(value) => IntoIter { item: Some(value) },
            Err(_) => IntoIter { item: None },
        }
    }
}

impl<'a, T, E> IntoIterator for &'a Result<T, E> {
    type Item = &'a T;
    type IntoIter = Iter<'a, T>;
    fn into_iter(self) -> Iter<'a, T> {
        Iter { item: self.as_ref().ok() }
    }
}

impl<'a, T, E> IntoIterator for &'a mut Result<T, E> {
    type Item = &'a mut T;
    type IntoIter = IterMut<'a, T>;
    fn into_iter(self) -> IterMut<'a, T> {
        IterMut { item: self.as_mut().ok() }
    }
}

/// Hands on the values of an iterator of results until the first error, which it keeps.
struct UntilErr<'n, I, E> {
    iter: I,
    error: &'n mut Option<E>,
}

impl<'n, A, E, I: Iterator<Item = Result<A, E>>> Iterator for UntilErr<'n, I, E> {
    type Item = A;
    fn next(&mut self) -> Option<A> {
        if let Some(_) = self.error {
            return None;
        }
        match self.iter.next() {
            Some(Ok(value)) => Some(value),
            Some(Err(error)) => {
                *self.error = Some(error);
                None
            }
            None => None,
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        match self.error {
            Some(_) => (0, Some(0)),
            None => (0, self.iter.size_hint().1),
        }
    }
}

impl<A, E, V: FromIterator<A>> FromIterator<Result<A, E>> for Result<V, E> {
    fn from_iter<I: IntoIterator<Item = Result<A, E>>>(iter: I) -> Result<V, E> {
        let mut error = None;
        let collected = V::from_iter(UntilErr { iter: iter.into_iter(), error: &mut error });
        match error {
            Some(error) => Err(error),
            None => Ok(collected),
        }
    }
}

impl<T, E, U: crate::iter::Sum<T>> crate::iter::Sum<Result<T, E>> for Result<U, E> {
    fn sum<I: Iterator<Item = Result<T, E>>>(iter: I) -> Result<U, E> {
        let mut error = None;
        let total = U::sum(UntilErr { iter, error: &mut error });
        match error {
            Some(error) => Err(error),
            None => Ok(total),
        }
    }
}

impl<T, E, U: crate::iter::Product<T>> crate::iter::Product<Result<T, E>> for Result<U, E> {
    fn product<I: Iterator<Item = Result<T, E>>>(iter: I) -> Result<U, E> {
        let mut error = None;
        let total = U::product(UntilErr { iter, error: &mut error });
        match error {
            Some(error) => Err(error),
            None => Ok(total),
        }
    }
}
