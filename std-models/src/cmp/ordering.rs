//! The methods of `Ordering` and what compares by it.

use std::cmp::Ordering;
use std::cmp::Reverse;

use super::{Eq, Ord, PartialEq, PartialOrd};
use crate::inherent::OrderingMethods;

impl OrderingMethods for Ordering {
    fn is_eq(self) -> bool {
        matches!(self, Ordering::Equal)
    }
    fn is_ne(self) -> bool {
        !matches!(self, Ordering::Equal)
    }
    fn is_lt(self) -> bool {
        matches!(self, Ordering::Less)
    }
    fn is_gt(self) -> bool {
        matches!(self, Ordering::Greater)
    }
    fn is_le(self) -> bool {
        !matches!(self, Ordering::Greater)
    }
    fn is_ge(self) -> bool {
        !matches!(self, Ordering::Less)
    }
    fn reverse(self) -> Ordering {
        match self {
            Ordering::Less => Ordering::Greater,
            Ordering::Equal => Ordering::Equal,
            Ordering::Greater => Ordering::Less,
        }
    }
    fn then(self, other: Ordering) -> Ordering {
        match self {
            Ordering::Equal => other,
            _ => self,
        }
    }
    fn then_with<F: FnOnce() -> Ordering>(self, f: F) -> Ordering {
        match self {
            Ordering::Equal => f(),
            _ => self,
        }
    }
}

impl PartialEq for Ordering {
    fn eq(&self, other: &Ordering) -> bool {
        (*self as i8) == (*other as i8)
    }
}

impl Eq for Ordering {}

impl PartialOrd for Ordering {
    fn partial_cmp(&self, other: &Ordering) -> Option<Ordering> {
        Some(Ord::cmp(self, other))
    }
}

impl Ord for Ordering {
    fn cmp(&self, other: &Ordering) -> Ordering {
        let (a, b) = (*self as i8, *other as i8);
        if a < b {
            Ordering::Less
        } else if a == b {
            Ordering::Equal
        } else {
            Ordering::Greater
        }
    }
}

impl<T: std::cmp::PartialEq> PartialEq for Reverse<T> {
    fn eq(&self, other: &Reverse<T>) -> bool {
        self.0 == other.0
    }
}

impl<T: std::cmp::Eq> Eq for Reverse<T> {}

impl<T: std::cmp::PartialOrd> PartialOrd for Reverse<T> {
    fn partial_cmp(&self, other: &Reverse<T>) -> Option<Ordering> {
        other.0.partial_cmp(&self.0)
    }
    fn lt(&self, other: &Self) -> bool {
        other.0 < self.0
    }
    fn le(&self, other: &Self) -> bool {
        other.0 <= self.0
    }
    fn gt(&self, other: &Self) -> bool {
        other.0 > self.0
    }
    fn ge(&self, other: &Self) -> bool {
        other.0 >= self.0
    }
}

impl<T: std::cmp::Ord> Ord for Reverse<T> {
    fn cmp(&self, other: &Reverse<T>) -> Ordering {
        other.0.cmp(&self.0)
    }
}
