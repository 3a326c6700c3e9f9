//! `OnceCell` and `LazyCell`.

use std::cell::UnsafeCell;

use super::{Lazy, LazyCell, OnceCell};
use crate::intrinsics::{cell_mut, unmodelled};
use crate::ops::Deref;

impl<T> OnceCell<T> {
    pub const fn new() -> OnceCell<T> {
        OnceCell { value: UnsafeCell::new(None) }
    }
    pub fn get(&self) -> Option<&T> {
        cell_mut(&self.value).as_ref()
    }
    pub fn get_mut(&mut self) -> Option<&mut T> {
        cell_mut(&self.value).as_mut()
    }
    pub fn set(&self, value: T) -> Result<(), T> {
        let place = cell_mut(&self.value);
        match place {
            Some(_) => Err(value),
            None => {
                *place = Some(value);
                Ok(())
            }
        }
    }
    pub fn get_or_init<F: FnOnce() -> T>(&self, f: F) -> &T {
        if let Some(value) = cell_mut(&self.value) {
            return value;
        }
        let value = f();
        let place = cell_mut(&self.value);
        match place {
            Some(_) => panic!("reentrant init"),
            None => place.insert(value),
        }
    }
    pub fn into_inner(self) -> Option<T> {
        self.value.into_inner()
    }
    pub fn take(&mut self) -> Option<T> {
        std::mem::replace(cell_mut(&self.value), None)
    }
}

impl<T: Clone> crate::clone::Clone for OnceCell<T> {
    fn clone(&self) -> OnceCell<T> {
        match cell_mut(&self.value) {
            Some(value) => OnceCell { value: UnsafeCell::new(Some(T::clone(value))) },
            None => OnceCell::new(),
        }
    }
}

impl<T> crate::default::Default for OnceCell<T> {
    fn default() -> OnceCell<T> {
        OnceCell::new()
    }
}

impl<T> crate::convert::From<T> for OnceCell<T> {
    fn from(value: T) -> OnceCell<T> {
        OnceCell { value: UnsafeCell::new(Some(value)) }
    }
}

impl<T: PartialEq> crate::cmp::PartialEq for OnceCell<T> {
    fn eq(&self, other: &OnceCell<T>) -> bool {
        *cell_mut(&self.value) == *cell_mut(&other.value)
    }
    fn ne(&self, other: &OnceCell<T>) -> bool {
        *cell_mut(&self.value) != *cell_mut(&other.value)
    }
}

impl<T: Eq> crate::cmp::Eq for OnceCell<T> {}

impl<T, F: FnOnce() -> T> LazyCell<T, F> {
    pub const fn new(f: F) -> LazyCell<T, F> {
        LazyCell { lazy: UnsafeCell::new(Lazy::NotYet(f)) }
    }
    pub fn force(this: &LazyCell<T, F>) -> &T {
        if let Lazy::Made(value) = cell_mut(&this.lazy) {
            return value;
        }
        match std::mem::replace(cell_mut(&this.lazy), Lazy::BeingMade) {
            Lazy::NotYet(f) => {
                let value = f();
                *cell_mut(&this.lazy) = Lazy::Made(value);
            }
            _ => panic!("LazyCell instance has previously been poisoned"),
        }
        match cell_mut(&this.lazy) {
            Lazy::Made(value) => value,
            _ => unmodelled("LazyCell::force"),
        }
    }
}

impl<T, F: FnOnce() -> T> Deref for LazyCell<T, F> {
    type Target = T;
    fn deref(&self) -> &T {
        LazyCell::force(self)
    }
}
