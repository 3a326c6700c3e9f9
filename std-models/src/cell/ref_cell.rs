//! `RefCell`: how often it is borrowed is a number, negative while it is borrowed mutably.

use std::cell::UnsafeCell;
use std::cmp::Ordering;

use super::{BorrowError, BorrowMutError, Cell, Exclusive, Ref, RefCell, RefMut, Shared};
use crate::intrinsics::{cell_mut, unmodelled};
use crate::ops::{Deref, DerefMut};

impl<'b> Drop for Shared<'b> {
    fn drop(&mut self) {
        self.state.set(self.state.get().wrapping_sub(1));
    }
}

impl<'b> Drop for Exclusive<'b> {
    fn drop(&mut self) {
        self.state.set(self.state.get().wrapping_add(1));
    }
}

impl<'b> Shared<'b> {
    fn again(&self) -> Shared<'b> {
        self.state.set(self.state.get().wrapping_add(1));
        Shared { state: self.state }
    }
}

impl<'b> Exclusive<'b> {
    fn again(&self) -> Exclusive<'b> {
        self.state.set(self.state.get().wrapping_sub(1));
        Exclusive { state: self.state }
    }
}

impl<T> RefCell<T> {
    pub const fn new(value: T) -> RefCell<T> {
        RefCell { state: Cell::new(0), value: UnsafeCell::new(value) }
    }
    pub fn into_inner(self) -> T {
        self.value.into_inner()
    }
    pub fn replace(&self, value: T) -> T {
        let mut place = self.borrow_mut();
        std::mem::replace(DerefMut::deref_mut(&mut place), value)
    }
    pub fn replace_with<F: FnOnce(&mut T) -> T>(&self, f: F) -> T {
        let mut guard = self.borrow_mut();
        let place = DerefMut::deref_mut(&mut guard);
        let value = f(place);
        std::mem::replace(place, value)
    }
    pub fn swap(&self, other: &RefCell<T>) {
        let mut left = self.borrow_mut();
        let mut right = other.borrow_mut();
        std::mem::swap(DerefMut::deref_mut(&mut left), DerefMut::deref_mut(&mut right));
    }
}

impl<T: Default> RefCell<T> {
    pub fn take(&self) -> T {
        self.replace(T::default())
    }
}

impl<T: ?Sized> RefCell<T> {
    pub fn borrow(&self) -> Ref<'_, T> {
        match self.try_borrow() {
            Ok(guard) => guard,
            Err(_) => panic!("RefCell already mutably borrowed"),
        }
    }
    pub fn try_borrow(&self) -> Result<Ref<'_, T>, BorrowError> {
        let state = self.state.get();
        if state < 0 {
            return Err(BorrowError(()));
        }
        self.state.set(state.wrapping_add(1));
        Ok(Ref { value: cell_mut(&self.value), borrow: Shared { state: &self.state } })
    }
    pub fn borrow_mut(&self) -> RefMut<'_, T> {
        match self.try_borrow_mut() {
            Ok(guard) => guard,
            Err(_) => panic!("RefCell already borrowed"),
        }
    }
    pub fn try_borrow_mut(&self) -> Result<RefMut<'_, T>, BorrowMutError> {
        if self.state.get() != 0 {
            return Err(BorrowMutError(()));
        }
        self.state.set(-1);
        Ok(RefMut { value: cell_mut(&self.value), borrow: Exclusive { state: &self.state } })
    }
    pub fn as_ptr(&self) -> *mut T {
        self.value.get()
    }
    pub fn get_mut(&mut self) -> &mut T {
        cell_mut(&self.value)
    }
    pub fn try_borrow_unguarded(&self) -> Result<&T, BorrowError> {
        if self.state.get() < 0 { Err(BorrowError(())) } else { Ok(cell_mut(&self.value)) }
    }
}

impl<'b, T: ?Sized> Ref<'b, T> {
    pub fn clone(orig: &Ref<'b, T>) -> Ref<'b, T> {
        Ref { value: orig.value, borrow: orig.borrow.again() }
    }
    pub fn map<U: ?Sized, F: FnOnce(&T) -> &U>(orig: Ref<'b, T>, f: F) -> Ref<'b, U> {
        Ref { value: f(orig.value), borrow: orig.borrow }
    }
    pub fn filter_map<U: ?Sized, F: FnOnce(&T) -> Option<&U>>(
        orig: Ref<'b, T>,
        f: F,
    ) -> Result<Ref<'b, U>, Ref<'b, T>> {
        match f(orig.value) {
            Some(value) => Ok(Ref { value, borrow: orig.borrow }),
            None => Err(orig),
        }
    }
    pub fn map_split<U: ?Sized, V: ?Sized, F: FnOnce(&T) -> (&U, &V)>(
        orig: Ref<'b, T>,
        f: F,
    ) -> (Ref<'b, U>, Ref<'b, V>) {
        let (left, right) = f(orig.value);
        let borrow = orig.borrow.again();
        (Ref { value: left, borrow }, Ref { value: right, borrow: orig.borrow })
    }
}

impl<'b, T: ?Sized> RefMut<'b, T> {
    pub fn map<U: ?Sized, F: FnOnce(&mut T) -> &mut U>(orig: RefMut<'b, T>, f: F) -> RefMut<'b, U> {
        RefMut { value: f(orig.value), borrow: orig.borrow }
    }
    pub fn filter_map<U: ?Sized, F: FnOnce(&mut T) -> Option<&mut U>>(
        _orig: RefMut<'b, T>,
        _f: F,
    ) -> Result<RefMut<'b, U>, RefMut<'b, T>> {
        unmodelled("RefMut::filter_map")
    }
    pub fn map_split<U: ?Sized, V: ?Sized, F: FnOnce(&mut T) -> (&mut U, &mut V)>(
        orig: RefMut<'b, T>,
        f: F,
    ) -> (RefMut<'b, U>, RefMut<'b, V>) {
        let borrow = orig.borrow.again();
        let (left, right) = f(orig.value);
        (RefMut { value: left, borrow }, RefMut { value: right, borrow: orig.borrow })
    }
}

impl<T: ?Sized> Deref for Ref<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.value
    }
}

impl<T: ?Sized> Deref for RefMut<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.value
    }
}

impl<T: ?Sized> DerefMut for RefMut<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.value
    }
}

impl<T: Clone> crate::clone::Clone for RefCell<T> {
    fn clone(&self) -> RefCell<T> {
        let guard = self.borrow();
        RefCell::new(Deref::deref(&guard).clone())
    }
    fn clone_from(&mut self, source: &RefCell<T>) {
        let guard = source.borrow();
        self.get_mut().clone_from(Deref::deref(&guard));
    }
}

impl<T: Default> crate::default::Default for RefCell<T> {
    fn default() -> RefCell<T> {
        RefCell::new(T::default())
    }
}

impl<T> crate::convert::From<T> for RefCell<T> {
    fn from(value: T) -> RefCell<T> {
        RefCell::new(value)
    }
}

impl<T: ?Sized + PartialEq> crate::cmp::PartialEq for RefCell<T> {
    fn eq(&self, other: &RefCell<T>) -> bool {
        let (left, right) = (self.borrow(), other.borrow());
        *Deref::deref(&left) == *Deref::deref(&right)
    }
    fn ne(&self, other: &RefCell<T>) -> bool {
        !crate::cmp::PartialEq::eq(self, other)
    }
}

impl<T: ?Sized + Eq> crate::cmp::Eq for RefCell<T> {}

impl<T: ?Sized + PartialOrd> crate::cmp::PartialOrd for RefCell<T> {
    fn partial_cmp(&self, other: &RefCell<T>) -> Option<Ordering> {
        let (left, right) = (self.borrow(), other.borrow());
        Deref::deref(&left).partial_cmp(Deref::deref(&right))
    }
    fn lt(&self, other: &RefCell<T>) -> bool {
        let (left, right) = (self.borrow(), other.borrow());
        *Deref::deref(&left) < *Deref::deref(&right)
    }
    fn le(&self, other: &RefCell<T>) -> bool {
        let (left, right) = (self.borrow(), other.borrow());
        *Deref::deref(&left) <= *Deref::deref(&right)
    }
    fn gt(&self, other: &RefCell<T>) -> bool {
        let (left, right) = (self.borrow(), other.borrow());
        *Deref::deref(&left) > *Deref::deref(&right)
    }
    fn ge(&self, other: &RefCell<T>) -> bool {
        let (left, right) = (self.borrow(), other.borrow());
        *Deref::deref(&left) >= *Deref::deref(&right)
    }
}

impl<T: ?Sized + Ord> crate::cmp::Ord for RefCell<T> {
    fn cmp(&self, other: &RefCell<T>) -> Ordering {
        let (left, right) = (self.borrow(), other.borrow());
        Deref::deref(&left).cmp(Deref::deref(&right))
    }
}

macro_rules! shown_as_their_content {
    ($($trait_name:ident)*) => {$(
        impl<T: ?Sized + crate::fmt::$trait_name> crate::fmt::$trait_name for Ref<'_, T> {
            fn fmt(&self, f: &mut crate::fmt::Formatter<'_>) -> crate::fmt::Result {
                crate::fmt::$trait_name::fmt(self.value, f)
            }
        }
        impl<T: ?Sized + crate::fmt::$trait_name> crate::fmt::$trait_name for RefMut<'_, T> {
            fn fmt(&self, f: &mut crate::fmt::Formatter<'_>) -> crate::fmt::Result {
                crate::fmt::$trait_name::fmt(&*self.value, f)
            }
        }
    )*};
}

shown_as_their_content!(Debug Display);

impl crate::fmt::Debug for BorrowError {
    fn fmt(&self, f: &mut crate::fmt::Formatter<'_>) -> crate::fmt::Result {
        f.write_str("BorrowError")
    }
}

impl crate::fmt::Debug for BorrowMutError {
    fn fmt(&self, f: &mut crate::fmt::Formatter<'_>) -> crate::fmt::Result {
        f.write_str("BorrowMutError")
    }
}

impl crate::fmt::Display for BorrowError {
    fn fmt(&self, f: &mut crate::fmt::Formatter<'_>) -> crate::fmt::Result {
        f.write_str("RefCell already mutably borrowed")
    }
}

impl crate::fmt::Display for BorrowMutError {
    fn fmt(&self, f: &mut crate::fmt::Formatter<'_>) -> crate::fmt::Result {
        f.write_str("RefCell already borrowed")
    }
}
