//! `std::sync`, as one thread alone sees it: nobody else holds a lock, and no lock is poisoned, for a run ends with its first
//! panic. What waits for another thread is unmodelled.

pub mod atomic;

mod arc;
mod lock;
mod once;

use std::cell::UnsafeCell;

use crate::cell::{Cell, Lazy};
use crate::counted::counted_types;

pub struct Mutex<T: ?Sized> {
    state: Cell<isize>,
    value: UnsafeCell<T>,
}

pub struct RwLock<T: ?Sized> {
    state: Cell<isize>,
    value: UnsafeCell<T>,
}

pub struct PoisonError<T> {
    data: T,
}

pub enum TryLockError<T> {
    Poisoned(PoisonError<T>),
    WouldBlock,
}

pub type LockResult<T> = Result<T, PoisonError<T>>;
pub type TryLockResult<T> = Result<T, TryLockError<T>>;

// What a guard guards is its first field: the executor shows it by that.

pub struct MutexGuard<'a, T: ?Sized> {
    value: &'a mut T,
    state: &'a Cell<isize>,
}

pub struct RwLockReadGuard<'a, T: ?Sized> {
    value: &'a T,
    state: &'a Cell<isize>,
}

pub struct RwLockWriteGuard<'a, T: ?Sized> {
    value: &'a mut T,
    state: &'a Cell<isize>,
}

pub struct OnceLock<T> {
    value: UnsafeCell<Option<T>>,
}

/// Whether something was done.
pub struct Once {
    done: UnsafeCell<Progress>,
}

enum Progress {
    NotYet,
    Running,
    Done,
}

/// What stands before [`Once::call_once_force`]: no panic, for a run ends with its first.
pub struct OnceState(());

pub const ONCE_INIT: Once = Once::new();

pub struct LazyLock<T, F = fn() -> T> {
    lazy: UnsafeCell<Lazy<T, F>>,
}

counted_types!(Arc Weak);
