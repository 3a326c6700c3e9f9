//! `Mutex` and `RwLock`: a cell with a state like that of `RefCell`, negative while it is held for writing.

use std::cell::UnsafeCell;

use super::{
    LockResult, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError,
    TryLockResult,
};
use crate::cell::Cell;
use crate::intrinsics::{cell_mut, unmodelled};
use crate::ops::{Deref, DerefMut};

impl<T> PoisonError<T> {
    pub fn new(data: T) -> PoisonError<T> {
        PoisonError { data }
    }
    pub fn into_inner(self) -> T {
        self.data
    }
    pub fn get_ref(&self) -> &T {
        &self.data
    }
    pub fn get_mut(&mut self) -> &mut T {
        &mut self.data
    }
}

impl<T> Mutex<T> {
    pub const fn new(value: T) -> Mutex<T> {
        Mutex { state: Cell::new(0), value: UnsafeCell::new(value) }
    }
    pub fn into_inner(self) -> LockResult<T> {
        Ok(self.value.into_inner())
    }
}

impl<T: ?Sized> Mutex<T> {
    pub fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
        if self.state.get() != 0 {
            return unmodelled("Mutex::lock of a thread that holds the lock");
        }
        self.state.set(-1);
        Ok(MutexGuard { value: cell_mut(&self.value), state: &self.state })
    }
    pub fn try_lock(&self) -> TryLockResult<MutexGuard<'_, T>> {
        if self.state.get() != 0 {
            return Err(TryLockError::WouldBlock);
        }
        self.state.set(-1);
        Ok(MutexGuard { value: cell_mut(&self.value), state: &self.state })
    }
    pub fn is_poisoned(&self) -> bool {
        false
    }
    pub fn clear_poison(&self) {}
    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        Ok(cell_mut(&self.value))
    }
}

impl<T> RwLock<T> {
    pub const fn new(value: T) -> RwLock<T> {
        RwLock { state: Cell::new(0), value: UnsafeCell::new(value) }
    }
    pub fn into_inner(self) -> LockResult<T> {
        Ok(self.value.into_inner())
    }
}

impl<T: ?Sized> RwLock<T> {
    pub fn read(&self) -> LockResult<RwLockReadGuard<'_, T>> {
        let state = self.state.get();
        // A second lock for reading may wait for a writer that waits for the first.
        if state != 0 {
            return unmodelled("RwLock::read of a thread that holds the lock");
        }
        self.state.set(1);
        Ok(RwLockReadGuard { value: cell_mut(&self.value), state: &self.state })
    }
    pub fn try_read(&self) -> TryLockResult<RwLockReadGuard<'_, T>> {
        let state = self.state.get();
        if state < 0 {
            return Err(TryLockError::WouldBlock);
        }
        self.state.set(state.wrapping_add(1));
        Ok(RwLockReadGuard { value: cell_mut(&self.value), state: &self.state })
    }
    pub fn write(&self) -> LockResult<RwLockWriteGuard<'_, T>> {
        if self.state.get() != 0 {
            return unmodelled("RwLock::write of a thread that holds the lock");
        }
        self.state.set(-1);
        Ok(RwLockWriteGuard { value: cell_mut(&self.value), state: &self.state })
    }
    pub fn try_write(&self) -> TryLockResult<RwLockWriteGuard<'_, T>> {
        if self.state.get() != 0 {
            return Err(TryLockError::WouldBlock);
        }
        self.state.set(-1);
        Ok(RwLockWriteGuard { value: cell_mut(&self.value), state: &self.state })
    }
    pub fn is_poisoned(&self) -> bool {
        false
    }
    pub fn clear_poison(&self) {}
    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        Ok(cell_mut(&self.value))
    }
}

impl<T: ?Sized> Drop for MutexGuard<'_, T> {
    fn drop(&mut self) {
        self.state.set(0);
    }
}

impl<T: ?Sized> Drop for RwLockReadGuard<'_, T> {
    fn drop(&mut self) {
        self.state.set(self.state.get().wrapping_sub(1));
    }
}

impl<T: ?Sized> Drop for RwLockWriteGuard<'_, T> {
    fn drop(&mut self) {
        self.state.set(0);
    }
}

impl<T: ?Sized> Deref for MutexGuard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.value
    }
}

impl<T: ?Sized> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.value
    }
}

impl<T: ?Sized> Deref for RwLockReadGuard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.value
    }
}

impl<T: ?Sized> Deref for RwLockWriteGuard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.value
    }
}

impl<T: ?Sized> DerefMut for RwLockWriteGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.value
    }
}

macro_rules! made_of_a_value {
    ($($lock:ident)*) => {$(
        impl<T: Default> crate::default::Default for $lock<T> {
            fn default() -> $lock<T> {
                $lock::new(T::default())
            }
        }
        impl<T> crate::convert::From<T> for $lock<T> {
            fn from(value: T) -> $lock<T> {
                $lock::new(value)
            }
        }
    )*};
}

made_of_a_value!(Mutex RwLock);

impl<T> crate::fmt::Debug for PoisonError<T> {
    fn fmt(&self, f: &mut crate::fmt::Formatter<'_>) -> crate::fmt::Result {
        f.write_str("PoisonError { .. }")
    }
}

impl<T> crate::fmt::Debug for TryLockError<T> {
    fn fmt(&self, f: &mut crate::fmt::Formatter<'_>) -> crate::fmt::Result {
        f.write_str(match self {
            TryLockError::Poisoned(_) => "Poisoned(..)",
            TryLockError::WouldBlock => "WouldBlock",
        })
    }
}
