//! `std::cell`. `UnsafeCell` is the executor's own: memory in it may be written through shared references.
//!
//! Types with a state (borrowed, and how often) keep it in a `Cell<isize>` called `state`, and the content in `value`: by
//! these fields the executor makes and shows them.

mod lazy;
mod ref_cell;

use std::cell::UnsafeCell;

use crate::intrinsics::cell_mut;

pub struct Cell<T: ?Sized> {
    value: UnsafeCell<T>,
}

pub struct RefCell<T: ?Sized> {
    state: Cell<isize>,
    value: UnsafeCell<T>,
}

pub struct BorrowError(());
pub struct BorrowMutError(());

/// One shared borrow, given back when it is dropped.
struct Shared<'b> {
    state: &'b Cell<isize>,
}

/// The mutable borrow, given back when its last part is dropped.
struct Exclusive<'b> {
    state: &'b Cell<isize>,
}

// What a guard guards is its first field: the executor shows it by that.

pub struct Ref<'b, T: ?Sized> {
    value: &'b T,
    borrow: Shared<'b>,
}

pub struct RefMut<'b, T: ?Sized> {
    value: &'b mut T,
    borrow: Exclusive<'b>,
}

pub struct OnceCell<T> {
    value: UnsafeCell<Option<T>>,
}

pub struct LazyCell<T, F = fn() -> T> {
    lazy: UnsafeCell<Lazy<T, F>>,
}

/// What a lazy value is before and after it is first asked for.
pub(crate) enum Lazy<T, F> {
    Made(T),
    NotYet(F),
    BeingMade,
}

impl<T> Cell<T> {
    pub const fn new(value: T) -> Cell<T> {
        Cell { value: UnsafeCell::new(value) }
    }
    pub fn set(&self, value: T) {
        let _old = self.replace(value);
    }
    pub fn swap(&self, other: &Cell<T>) {
        std::mem::swap(cell_mut(&self.value), cell_mut(&other.value));
    }
    pub fn replace(&self, value: T) -> T {
        std::mem::replace(cell_mut(&self.value), value)
    }
    pub fn into_inner(self) -> T {
        self.value.into_inner()
    }
}

impl<T: Copy> Cell<T> {
    pub fn get(&self) -> T {
        *cell_mut(&self.value)
    }
    pub fn update(&self, f: impl FnOnce(T) -> T) {
        let old = self.get();
        self.set(f(old));
    }
}

impl<T: Default> Cell<T> {
    pub fn take(&self) -> T {
        self.replace(T::default())
    }
}

impl<T: ?Sized> Cell<T> {
    pub fn as_ptr(&self) -> *mut T {
        self.value.get()
    }
    pub fn get_mut(&mut self) -> &mut T {
        cell_mut(&self.value)
    }
    pub fn from_mut(_t: &mut T) -> &Cell<T> {
        crate::intrinsics::unmodelled("Cell::from_mut")
    }
}

impl<T> Cell<[T]> {
    pub fn as_slice_of_cells(&self) -> &[Cell<T>] {
        crate::intrinsics::unmodelled("Cell::as_slice_of_cells")
    }
}

impl<T: Copy> crate::clone::Clone for Cell<T> {
    fn clone(&self) -> Cell<T> {
        Cell::new(self.get())
    }
}

impl<T: Default> crate::default::Default for Cell<T> {
    fn default() -> Cell<T> {
        Cell::new(T::default())
    }
}

impl<T> crate::convert::From<T> for Cell<T> {
    fn from(value: T) -> Cell<T> {
        Cell::new(value)
    }
}

impl<T: PartialEq + Copy> crate::cmp::PartialEq for Cell<T> {
    fn eq(&self, other: &Cell<T>) -> bool {
        self.get() == other.get()
    }
    fn ne(&self, other: &Cell<T>) -> bool {
        self.get() != other.get()
    }
}

impl<T: Eq + Copy> crate::cmp::Eq for Cell<T> {}

impl<T: PartialOrd + Copy> crate::cmp::PartialOrd for Cell<T> {
    fn partial_cmp(&self, other: &Cell<T>) -> Option<std::cmp::Ordering> {
        self.get().partial_cmp(&other.get())
    }
}

impl<T: Ord + Copy> crate::cmp::Ord for Cell<T> {
    fn cmp(&self, other: &Cell<T>) -> std::cmp::Ordering {
        self.get().cmp(&other.get())
    }
}
