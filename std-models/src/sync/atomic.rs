//! `std::sync::atomic`. With one thread every order of memory accesses is the order of the program; orders that std
//! refuses with a panic are refused here too.

use std::cell::UnsafeCell;
use std::sync::atomic::Ordering;

use crate::intrinsics::cell_mut;

fn check_load(order: Ordering) {
    match order {
        Ordering::Release => panic!("there is no such thing as a release load"),
        Ordering::AcqRel => panic!("there is no such thing as an acquire-release load"),
        _ => {}
    }
}

fn check_store(order: Ordering) {
    match order {
        Ordering::Acquire => panic!("there is no such thing as an acquire store"),
        Ordering::AcqRel => panic!("there is no such thing as an acquire-release store"),
        _ => {}
    }
}

fn check_failure(order: Ordering) {
    match order {
        Ordering::Release => panic!("there is no such thing as a release failure ordering"),
        Ordering::AcqRel => panic!("there is no such thing as an acquire-release failure ordering"),
        _ => {}
    }
}

pub fn fence(order: Ordering) {
    if let Ordering::Relaxed = order {
        panic!("there is no such thing as a relaxed fence");
    }
}

pub fn compiler_fence(order: Ordering) {
    if let Ordering::Relaxed = order {
        panic!("there is no such thing as a relaxed fence");
    }
}

macro_rules! accesses {
    ($name:ty, $ty:ty) => {
        pub const fn new(value: $ty) -> $name {
            Self { value: UnsafeCell::new(value) }
        }
        pub fn load(&self, order: Ordering) -> $ty {
            check_load(order);
            *cell_mut(&self.value)
        }
        pub fn store(&self, value: $ty, order: Ordering) {
            check_store(order);
            *cell_mut(&self.value) = value;
        }
        pub fn swap(&self, value: $ty, _order: Ordering) -> $ty {
            let place = cell_mut(&self.value);
            let old = *place;
            *place = value;
            old
        }
        pub fn compare_exchange(
            &self,
            current: $ty,
            new: $ty,
            _success: Ordering,
            failure: Ordering,
        ) -> Result<$ty, $ty> {
            check_failure(failure);
            let place = cell_mut(&self.value);
            let old = *place;
            if old == current {
                *place = new;
                Ok(old)
            } else {
                Err(old)
            }
        }
        pub fn compare_exchange_weak(
            &self,
            _current: $ty,
            _new: $ty,
            _success: Ordering,
            _failure: Ordering,
        ) -> Result<$ty, $ty> {
            crate::intrinsics::unmodelled("compare_exchange_weak, which may fail for no reason")
        }
        pub fn fetch_update<F: FnMut($ty) -> Option<$ty>>(
            &self,
            _set_order: Ordering,
            fetch_order: Ordering,
            mut f: F,
        ) -> Result<$ty, $ty> {
            check_load(fetch_order);
            let old = *cell_mut(&self.value);
            let new = f(old);
            if *cell_mut(&self.value) != old {
                return crate::intrinsics::unmodelled("an atomic that changes while it is updated");
            }
            match new {
                Some(value) => {
                    *cell_mut(&self.value) = value;
                    Ok(old)
                }
                None => Err(old),
            }
        }
        pub fn get_mut(&mut self) -> &mut $ty {
            cell_mut(&self.value)
        }
        pub fn into_inner(self) -> $ty {
            self.value.into_inner()
        }
        pub fn as_ptr(&self) -> *mut $ty {
            self.value.get()
        }
    };
}

macro_rules! fetches {
    ($ty:ty; $($method:ident |$old:ident, $value:ident| $new:expr;)*) => {$(
        pub fn $method(&self, $value: $ty, _order: Ordering) -> $ty {
            let place = cell_mut(&self.value);
            let $old = *place;
            *place = $new;
            $old
        }
    )*};
}

macro_rules! integers {
    ($($name:ident $ty:ident;)*) => {$(
        pub struct $name {
            value: UnsafeCell<$ty>,
        }

        impl $name {
            accesses!($name, $ty);
            fetches! { $ty;
                fetch_add |old, value| old.wrapping_add(value);
                fetch_sub |old, value| old.wrapping_sub(value);
                fetch_and |old, value| old & value;
                fetch_nand |old, value| !(old & value);
                fetch_or |old, value| old | value;
                fetch_xor |old, value| old ^ value;
                fetch_max |old, value| if old > value { old } else { value };
                fetch_min |old, value| if old < value { old } else { value };
            }
        }

        impl crate::default::Default for $name {
            fn default() -> $name {
                $name::new(0)
            }
        }

        impl crate::convert::From<$ty> for $name {
            fn from(value: $ty) -> $name {
                $name::new(value)
            }
        }
    )*};
}

integers! {
    AtomicU8 u8; AtomicU16 u16; AtomicU32 u32; AtomicU64 u64; AtomicUsize usize;
    AtomicI8 i8; AtomicI16 i16; AtomicI32 i32; AtomicI64 i64; AtomicIsize isize;
}

pub struct AtomicBool {
    value: UnsafeCell<bool>,
}

impl AtomicBool {
    accesses!(AtomicBool, bool);
    fetches! { bool;
        fetch_and |old, value| old & value;
        fetch_nand |old, value| !(old & value);
        fetch_or |old, value| old | value;
        fetch_xor |old, value| old ^ value;
    }
    pub fn fetch_not(&self, _order: Ordering) -> bool {
        let place = cell_mut(&self.value);
        let old = *place;
        *place = !old;
        old
    }
}

impl crate::default::Default for AtomicBool {
    fn default() -> AtomicBool {
        AtomicBool::new(false)
    }
}

impl crate::convert::From<bool> for AtomicBool {
    fn from(value: bool) -> AtomicBool {
        AtomicBool::new(value)
    }
}

pub struct AtomicPtr<T> {
    value: UnsafeCell<*mut T>,
}

impl<T> AtomicPtr<T> {
    accesses!(AtomicPtr<T>, *mut T);
}

impl<T> crate::default::Default for AtomicPtr<T> {
    fn default() -> AtomicPtr<T> {
        AtomicPtr::new(crate::ptr::null_mut())
    }
}

impl<T> crate::convert::From<*mut T> for AtomicPtr<T> {
    fn from(value: *mut T) -> AtomicPtr<T> {
        AtomicPtr::new(value)
    }
}
