//! `std::cmp`: the comparison traits, `Ordering`, `min` and `max`.
//!
//! * `prims`: integers, `bool`, `char`, floats, unit, tuples
//! * `compound`: references, slices, arrays, `str`, `Option`, `Result` and other std types
//! * `ordering`: the methods of `Ordering`

mod compound;
mod ordering;
mod prims;

use std::cmp::Ordering;

pub trait PartialEq<Rhs: ?Sized = Self> {
    fn eq(&self, other: &Rhs) -> bool;
    fn ne(&self, other: &Rhs) -> bool {
        !self.eq(other)
    }
}

pub trait Eq: PartialEq<Self> {}

pub trait PartialOrd<Rhs: ?Sized = Self>: PartialEq<Rhs> {
    fn partial_cmp(&self, other: &Rhs) -> Option<Ordering>;
    fn lt(&self, other: &Rhs) -> bool {
        match self.partial_cmp(other) {
            Some(Ordering::Less) => true,
            _ => false,
        }
    }
    fn le(&self, other: &Rhs) -> bool {
        match self.partial_cmp(other) {
            Some(Ordering::Less) | Some(Ordering::Equal) => true,
            _ => false,
        }
    }
    fn gt(&self, other: &Rhs) -> bool {
        match self.partial_cmp(other) {
            Some(Ordering::Greater) => true,
            _ => false,
        }
    }
    fn ge(&self, other: &Rhs) -> bool {
        match self.partial_cmp(other) {
            Some(Ordering::Greater) | Some(Ordering::Equal) => true,
            _ => false,
        }
    }
}

pub trait Ord: Eq + PartialOrd<Self> {
    fn cmp(&self, other: &Self) -> Ordering;
    fn max(self, other: Self) -> Self
    where
        Self: Sized,
    {
        if PartialOrd::lt(&other, &self) { self } else { other }
    }
    fn min(self, other: Self) -> Self
    where
        Self: Sized,
    {
        if PartialOrd::lt(&other, &self) { other } else { self }
    }
    fn clamp(self, min: Self, max: Self) -> Self
    where
        Self: Sized,
    {
        if !PartialOrd::le(&min, &max) {
            panic!("assertion failed: min <= max");
        }
        if PartialOrd::lt(&self, &min) {
            min
        } else if PartialOrd::gt(&self, &max) {
            max
        } else {
            self
        }
    }
}

pub fn min<T: std::cmp::Ord>(v1: T, v2: T) -> T {
    v1.min(v2)
}

pub fn max<T: std::cmp::Ord>(v1: T, v2: T) -> T {
    v1.max(v2)
}

pub fn min_by<T, F: FnOnce(&T, &T) -> Ordering>(v1: T, v2: T, compare: F) -> T {
    match compare(&v1, &v2) {
        Ordering::Greater => v2,
        _ => v1,
    }
}

pub fn max_by<T, F: FnOnce(&T, &T) -> Ordering>(v1: T, v2: T, compare: F) -> T {
    match compare(&v1, &v2) {
        Ordering::Greater => v1,
        _ => v2,
    }
}

pub fn min_by_key<T, F: FnMut(&T) -> K, K: std::cmp::Ord>(v1: T, v2: T, mut f: F) -> T {
    let second = f(&v2);
    let first = f(&v1);
    if second < first { v2 } else { v1 }
}

pub fn max_by_key<T, F: FnMut(&T) -> K, K: std::cmp::Ord>(v1: T, v2: T, mut f: F) -> T {
    let second = f(&v2);
    let first = f(&v1);
    if second < first { v1 } else { v2 }
}
