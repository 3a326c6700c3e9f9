//! Comparison of primitives and tuples.

use std::cmp::Ordering;

use super::{Eq, Ord, PartialEq, PartialOrd};

macro_rules! partial_order_of_primitive {
    ($($ty:ty)*) => {$(
        impl PartialEq for $ty {
            fn eq(&self, other: &$ty) -> bool {
                *self == *other
            }
            fn ne(&self, other: &$ty) -> bool {
                *self != *other
            }
        }
        impl PartialOrd for $ty {
            fn partial_cmp(&self, other: &$ty) -> Option<Ordering> {
                if *self < *other {
                    Some(Ordering::Less)
                } else if *self == *other {
                    Some(Ordering::Equal)
                } else if *self > *other {
                    Some(Ordering::Greater)
                } else {
                    None
                }
            }
            fn lt(&self, other: &$ty) -> bool {
                *self < *other
            }
            fn le(&self, other: &$ty) -> bool {
                *self <= *other
            }
            fn gt(&self, other: &$ty) -> bool {
                *self > *other
            }
            fn ge(&self, other: &$ty) -> bool {
                *self >= *other
            }
        }
    )*};
}

macro_rules! order_of_primitive {
    ($($ty:ty)*) => {$(
        impl PartialEq for $ty {
            fn eq(&self, other: &$ty) -> bool {
                *self == *other
            }
            fn ne(&self, other: &$ty) -> bool {
                *self != *other
            }
        }
        impl Eq for $ty {}
        impl PartialOrd for $ty {
            fn partial_cmp(&self, other: &$ty) -> Option<Ordering> {
                Some(Ord::cmp(self, other))
            }
            fn lt(&self, other: &$ty) -> bool {
                *self < *other
            }
            fn le(&self, other: &$ty) -> bool {
                *self <= *other
            }
            fn gt(&self, other: &$ty) -> bool {
                *self > *other
            }
            fn ge(&self, other: &$ty) -> bool {
                *self >= *other
            }
        }
        impl Ord for $ty {
            fn cmp(&self, other: &$ty) -> Ordering {
                if *self < *other {
                    Ordering::Less
                } else if *self == *other {
                    Ordering::Equal
                } else {
                    Ordering::Greater
                }
            }
            fn max(self, other: $ty) -> $ty {
                if other < self { self } else { other }
            }
            fn min(self, other: $ty) -> $ty {
                if other < self { other } else { self }
            }
            fn clamp(self, min: $ty, max: $ty) -> $ty {
                if min > max {
                    panic!("assertion failed: min <= max");
                }
                if self < min {
                    min
                } else if self > max {
                    max
                } else {
                    self
                }
            }
        }
    )*};
}

partial_order_of_primitive!(f32 f64);
order_of_primitive!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize bool char);

impl PartialEq for () {
    fn eq(&self, _other: &()) -> bool {
        true
    }
}

impl Eq for () {}

impl PartialOrd for () {
    fn partial_cmp(&self, _other: &()) -> Option<Ordering> {
        Some(Ordering::Equal)
    }
}

impl Ord for () {
    fn cmp(&self, _other: &()) -> Ordering {
        Ordering::Equal
    }
}

/// Tuples compare by their first difference. The operators `<` and so on ask the elements for `partial_cmp`, but the last one for the operator
/// itself.
macro_rules! order_of_tuple {
    ($($name:ident $index:tt)*; $last_name:ident $last:tt) => {
        impl<$($name: std::cmp::PartialEq,)* $last_name: std::cmp::PartialEq> PartialEq for ($($name,)* $last_name,) {
            fn eq(&self, other: &Self) -> bool {
                $(self.$index == other.$index &&)* self.$last == other.$last
            }
            fn ne(&self, other: &Self) -> bool {
                $(self.$index != other.$index ||)* self.$last != other.$last
            }
        }
        impl<$($name: std::cmp::Eq,)* $last_name: std::cmp::Eq> Eq for ($($name,)* $last_name,) {}
        impl<$($name: std::cmp::PartialOrd,)* $last_name: std::cmp::PartialOrd> PartialOrd for ($($name,)* $last_name,) {
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                $(
                    match self.$index.partial_cmp(&other.$index) {
                        Some(Ordering::Equal) => {}
                        order => return order,
                    }
                )*
                self.$last.partial_cmp(&other.$last)
            }
            fn lt(&self, other: &Self) -> bool {
                $(
                    match self.$index.partial_cmp(&other.$index) {
                        Some(Ordering::Equal) => {}
                        order => return matches!(order, Some(Ordering::Less)),
                    }
                )*
                self.$last < other.$last
            }
            fn le(&self, other: &Self) -> bool {
                $(
                    match self.$index.partial_cmp(&other.$index) {
                        Some(Ordering::Equal) => {}
                        order => return matches!(order, Some(Ordering::Less)),
                    }
                )*
                self.$last <= other.$last
            }
            fn gt(&self, other: &Self) -> bool {
                $(
                    match self.$index.partial_cmp(&other.$index) {
                        Some(Ordering::Equal) => {}
                        order => return matches!(order, Some(Ordering::Greater)),
                    }
                )*
                self.$last > other.$last
            }
            fn ge(&self, other: &Self) -> bool {
                $(
                    match self.$index.partial_cmp(&other.$index) {
                        Some(Ordering::Equal) => {}
                        order => return matches!(order, Some(Ordering::Greater)),
                    }
                )*
                self.$last >= other.$last
            }
        }
        impl<$($name: std::cmp::Ord,)* $last_name: std::cmp::Ord> Ord for ($($name,)* $last_name,) {
            fn cmp(&self, other: &Self) -> Ordering {
                $(
                    match self.$index.cmp(&other.$index) {
                        Ordering::Equal => {}
                        order => return order,
                    }
                )*
                self.$last.cmp(&other.$last)
            }
        }
    };
}

order_of_tuple!(; A 0);
order_of_tuple!(A 0; B 1);
order_of_tuple!(A 0 B 1; C 2);
order_of_tuple!(A 0 B 1 C 2; D 3);
order_of_tuple!(A 0 B 1 C 2 D 3; E 4);
order_of_tuple!(A 0 B 1 C 2 D 3 E 4; F 5);
