//! `Once`, `OnceLock` and `LazyLock`.

use std::cell::UnsafeCell;

use super::{LazyLock, Once, OnceLock, OnceState, Progress};
use crate::cell::Lazy;
use crate::intrinsics::{cell_mut, unmodelled};
use crate::ops::Deref;

impl Once {
    pub const fn new() -> Once {
        Once { done: UnsafeCell::new(Progress::NotYet) }
    }
    pub fn call_once<F: FnOnce()>(&self, f: F) {
        self.do_once(|_| f())
    }
    pub fn call_once_force<F: FnOnce(&OnceState)>(&self, f: F) {
        self.do_once(f)
    }
    pub fn is_completed(&self) -> bool {
        match cell_mut(&self.done) {
            Progress::Done => true,
            Progress::NotYet | Progress::Running => false,
        }
    }
    fn do_once<F: FnOnce(&OnceState)>(&self, f: F) {
        match cell_mut(&self.done) {
            Progress::Done => return,
            // It would wait for itself.
            Progress::Running => return unmodelled("Once::call_once from within itself"),
            Progress::NotYet => {}
        }
        *cell_mut(&self.done) = Progress::Running;
        f(&OnceState(()));
        *cell_mut(&self.done) = Progress::Done;
    }
}

impl OnceState {
    pub fn is_poisoned(&self) -> bool {
        false
    }
}

impl<T> OnceLock<T> {
    pub const fn new() -> OnceLock<T> {
        OnceLock { value: UnsafeCell::new(None) }
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
            Some(_) => unmodelled("OnceLock::get_or_init from within its own initialisation"),
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

impl<T: Clone> crate::clone::Clone for OnceLock<T> {
    fn clone(&self) -> OnceLock<T> {
        match cell_mut(&self.value) {
            Some(value) => OnceLock { value: UnsafeCell::new(Some(T::clone(value))) },
            None => OnceLock::new(),
        }
    }
}

impl<T> crate::default::Default for OnceLock<T> {
    fn default() -> OnceLock<T> {
        OnceLock::new()
    }
}

impl<T> crate::convert::From<T> for OnceLock<T> {
    fn from(value: T) -> OnceLock<T> {
        OnceLock { value: UnsafeCell::new(Some(value)) }
    }
}

impl<T: PartialEq> crate::cmp::PartialEq for OnceLock<T> {
    fn eq(&self, other: &OnceLock<T>) -> bool {
        *cell_mut(&self.value) == *cell_mut(&other.value)
    }
    fn ne(&self, other: &OnceLock<T>) -> bool {
        *cell_mut(&self.value) != *cell_mut(&other.value)
    }
}

impl<T: Eq> crate::cmp::Eq for OnceLock<T> {}

impl<T, F: FnOnce() -> T> LazyLock<T, F> {
    pub const fn new(f: F) -> LazyLock<T, F> {
        LazyLock { lazy: UnsafeCell::new(Lazy::NotYet(f)) }
    }
    pub fn force(this: &LazyLock<T, F>) -> &T {
        if let Lazy::Made(value) = cell_mut(&this.lazy) {
            return value;
        }
        match std::mem::replace(cell_mut(&this.lazy), Lazy::BeingMade) {
            Lazy::NotYet(f) => {
                let value = f();
                *cell_mut(&this.lazy) = Lazy::Made(value);
            }
            // It would wait for itself.
            _ => return unmodelled("LazyLock::force from within its own initialisation"),
        }
        match cell_mut(&this.lazy) {
            Lazy::Made(value) => value,
            _ => unmodelled("LazyLock::force"),
        }
    }
}

impl<T, F: FnOnce() -> T> Deref for LazyLock<T, F> {
    type Target = T;
    fn deref(&self) -> &T {
        LazyLock::force(self)
    }
}
