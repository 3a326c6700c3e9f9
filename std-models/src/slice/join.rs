//! `concat` and `join` of slices of strings and of slices of slices.

use std::borrow::Borrow;

use super::{Concat, Join};
use crate::inherent::SliceJoinMethods;

impl<T> SliceJoinMethods<T> for [T] {
    fn concat<Item: ?Sized>(&self) -> <Self as Concat<Item>>::Output
    where
        Self: Concat<Item>,
    {
        <[T] as Concat<Item>>::concat(self)
    }
    fn join<Separator>(&self, sep: Separator) -> <Self as Join<Separator>>::Output
    where
        Self: Join<Separator>,
    {
        <[T] as Join<Separator>>::join(self, sep)
    }
}

impl<S: Borrow<str>> Concat<str> for [S] {
    type Output = String;
    fn concat(slice: &[S]) -> String {
        let len = slice.len();
        let mut whole = String::new();
        let mut index = 0;
        while index < len {
            whole.push_str(slice[index].borrow());
            index = index.wrapping_add(1);
        }
        whole
    }
}

impl<S: Borrow<str>> Join<&str> for [S] {
    type Output = String;
    fn join(slice: &[S], sep: &str) -> String {
        let len = slice.len();
        let mut whole = String::new();
        let mut index = 0;
        while index < len {
            if index > 0 {
                whole.push_str(sep);
            }
            whole.push_str(slice[index].borrow());
            index = index.wrapping_add(1);
        }
        whole
    }
}

fn push_all<T: Clone>(items: &mut Vec<T>, more: &[T]) {
    let len = more.len();
    let mut index = 0;
    while index < len {
        items.push(crate::clone::duplicate(&more[index]));
        index = index.wrapping_add(1);
    }
}

impl<T: Clone, V: Borrow<[T]>> Concat<T> for [V] {
    type Output = Vec<T>;
    fn concat(slice: &[V]) -> Vec<T> {
        let len = slice.len();
        let mut whole = Vec::new();
        let mut index = 0;
        while index < len {
            push_all(&mut whole, slice[index].borrow());
            index = index.wrapping_add(1);
        }
        whole
    }
}

impl<T: Clone, V: Borrow<[T]>> Join<&T> for [V] {
    type Output = Vec<T>;
    fn join(slice: &[V], sep: &T) -> Vec<T> {
        let len = slice.len();
        let mut whole = Vec::new();
        let mut index = 0;
        while index < len {
            if index > 0 {
                whole.push(sep.clone());
            }
            push_all(&mut whole, slice[index].borrow());
            index = index.wrapping_add(1);
        }
        whole
    }
}
