//! `std::ptr` and the methods of raw pointers, for pointers to sized types.
//!
//! Limits: addresses are not numbers here, so whatever asks for one, or for alignment, is left out. Places are always
//! aligned, so an unaligned read is a read.

use crate::convert::From;
use crate::inherent::unchecked::MutPtrBytesMethods;
use crate::inherent::{ConstPtrMethods, MutPtrMethods};
use crate::intrinsics;

pub const fn null<T>() -> *const T {
    0 as *const T
}

pub const fn null_mut<T>() -> *mut T {
    0 as *mut T
}

pub unsafe fn read<T>(src: *const T) -> T {
    unsafe { intrinsics::ptr_read(src) }
}

pub unsafe fn read_unaligned<T>(src: *const T) -> T {
    unsafe { intrinsics::ptr_read_unaligned(src) }
}

pub unsafe fn read_volatile<T>(src: *const T) -> T {
    unsafe { intrinsics::ptr_read(src) }
}

pub unsafe fn write<T>(dst: *mut T, src: T) {
    unsafe { intrinsics::ptr_write(dst, src) }
}

pub unsafe fn write_unaligned<T>(dst: *mut T, src: T) {
    unsafe { intrinsics::ptr_write_unaligned(dst, src) }
}

pub unsafe fn write_volatile<T>(dst: *mut T, src: T) {
    unsafe { intrinsics::ptr_write(dst, src) }
}

pub unsafe fn copy<T>(src: *const T, dst: *mut T, count: usize) {
    unsafe { intrinsics::ptr_copy(src, dst, count) }
}

pub unsafe fn copy_nonoverlapping<T>(src: *const T, dst: *mut T, count: usize) {
    unsafe { intrinsics::ptr_copy_nonoverlapping(src, dst, count) }
}

pub unsafe fn swap<T>(a: *mut T, b: *mut T) {
    unsafe {
        let first = intrinsics::ptr_read(a);
        let second = intrinsics::ptr_read(b);
        intrinsics::ptr_write(a, second);
        intrinsics::ptr_write(b, first);
    }
}

/// # Safety
/// As std's. Where the parts overlap, the executor refuses.
pub unsafe fn swap_nonoverlapping<T>(x: *mut T, y: *mut T, count: usize) {
    let mut kept = Vec::new();
    let mut index: usize = 0;
    unsafe {
        while index < count {
            kept.push(intrinsics::ptr_read(intrinsics::ptr_offset(x as *const T, index as isize)));
            index = index.wrapping_add(1);
        }
        intrinsics::ptr_copy_nonoverlapping(y as *const T, x, count);
        while let Some(item) = kept.pop() {
            index = index.wrapping_sub(1);
            intrinsics::ptr_write(intrinsics::ptr_offset(y as *const T, index as isize) as *mut T, item);
        }
    }
}

/// # Safety
/// As std's. What other bytes than zeros are of a type that is no byte is left open.
pub unsafe fn write_bytes<T>(dst: *mut T, val: u8, count: usize) {
    let mut index: usize = 0;
    while index < count {
        unsafe {
            let place = intrinsics::ptr_offset(dst as *const T, index as isize) as *mut T;
            let value = if val == 0 {
                std::mem::zeroed::<T>()
            } else if std::mem::size_of::<T>() == 1 {
                intrinsics::ptr_read(&val as *const u8 as *const T)
            } else {
                return intrinsics::unmodelled("`write_bytes` to what is larger than a byte");
            };
            intrinsics::ptr_write(place, value);
        }
        index = index.wrapping_add(1);
    }
}

pub unsafe fn replace<T>(dst: *mut T, src: T) -> T {
    unsafe {
        let old = intrinsics::ptr_read(dst);
        intrinsics::ptr_write(dst, src);
        old
    }
}

pub unsafe fn drop_in_place<T>(to_drop: *mut T) {
    unsafe { intrinsics::ptr_drop(to_drop) }
}

pub fn eq<T>(a: *const T, b: *const T) -> bool {
    a == b
}

impl<T> ConstPtrMethods<T> for *const T {
    unsafe fn add(self, count: usize) -> *const T {
        unsafe { intrinsics::ptr_offset(self, count as isize) }
    }
    unsafe fn sub(self, count: usize) -> *const T {
        unsafe { intrinsics::ptr_offset(self, (count as isize).wrapping_neg()) }
    }
    unsafe fn offset(self, count: isize) -> *const T {
        unsafe { intrinsics::ptr_offset(self, count) }
    }
    fn wrapping_add(self, count: usize) -> *const T {
        intrinsics::ptr_wrapping_offset(self, count as isize)
    }
    fn wrapping_sub(self, count: usize) -> *const T {
        intrinsics::ptr_wrapping_offset(self, (count as isize).wrapping_neg())
    }
    fn wrapping_offset(self, count: isize) -> *const T {
        intrinsics::ptr_wrapping_offset(self, count)
    }
    unsafe fn offset_from(self, origin: *const T) -> isize {
        unsafe { intrinsics::ptr_distance(self, origin) }
    }
    fn is_null(self) -> bool {
        intrinsics::ptr_is_null(self)
    }
    fn cast<U>(self) -> *const U {
        self as *const U
    }
    fn cast_mut(self) -> *mut T {
        self as *mut T
    }
    unsafe fn read(self) -> T {
        unsafe { intrinsics::ptr_read(self) }
    }
    unsafe fn read_unaligned(self) -> T {
        unsafe { intrinsics::ptr_read_unaligned(self) }
    }
    unsafe fn as_ref<'a>(self) -> Option<&'a T> {
        if intrinsics::ptr_is_null(self) { None } else { Some(unsafe { &*self }) }
    }
    unsafe fn copy_to(self, dest: *mut T, count: usize) {
        unsafe { intrinsics::ptr_copy(self, dest, count) }
    }
    unsafe fn copy_to_nonoverlapping(self, dest: *mut T, count: usize) {
        unsafe { intrinsics::ptr_copy_nonoverlapping(self, dest, count) }
    }
}

impl<T> MutPtrMethods<T> for *mut T {
    unsafe fn add(self, count: usize) -> *mut T {
        unsafe { intrinsics::ptr_offset(self as *const T, count as isize) as *mut T }
    }
    unsafe fn sub(self, count: usize) -> *mut T {
        unsafe { intrinsics::ptr_offset(self as *const T, (count as isize).wrapping_neg()) as *mut T }
    }
    unsafe fn offset(self, count: isize) -> *mut T {
        unsafe { intrinsics::ptr_offset(self as *const T, count) as *mut T }
    }
    fn wrapping_add(self, count: usize) -> *mut T {
        intrinsics::ptr_wrapping_offset(self as *const T, count as isize) as *mut T
    }
    fn wrapping_sub(self, count: usize) -> *mut T {
        intrinsics::ptr_wrapping_offset(self as *const T, (count as isize).wrapping_neg()) as *mut T
    }
    fn wrapping_offset(self, count: isize) -> *mut T {
        intrinsics::ptr_wrapping_offset(self as *const T, count) as *mut T
    }
    unsafe fn offset_from(self, origin: *const T) -> isize {
        unsafe { intrinsics::ptr_distance(self as *const T, origin) }
    }
    fn is_null(self) -> bool {
        intrinsics::ptr_is_null(self as *const T)
    }
    fn cast<U>(self) -> *mut U {
        self as *mut U
    }
    fn cast_const(self) -> *const T {
        self as *const T
    }
    unsafe fn read(self) -> T {
        unsafe { intrinsics::ptr_read(self as *const T) }
    }
    unsafe fn read_unaligned(self) -> T {
        unsafe { intrinsics::ptr_read_unaligned(self as *const T) }
    }
    unsafe fn write(self, val: T) {
        unsafe { intrinsics::ptr_write(self, val) }
    }
    unsafe fn write_unaligned(self, val: T) {
        unsafe { intrinsics::ptr_write_unaligned(self, val) }
    }
    unsafe fn replace(self, src: T) -> T {
        unsafe { replace(self, src) }
    }
    unsafe fn swap(self, with: *mut T) {
        unsafe { swap(self, with) }
    }
    unsafe fn drop_in_place(self) {
        unsafe { intrinsics::ptr_drop(self) }
    }
    unsafe fn as_ref<'a>(self) -> Option<&'a T> {
        if intrinsics::ptr_is_null(self as *const T) { None } else { Some(unsafe { &*self }) }
    }
    unsafe fn as_mut<'a>(self) -> Option<&'a mut T> {
        if intrinsics::ptr_is_null(self as *const T) { None } else { Some(unsafe { &mut *self }) }
    }
    unsafe fn copy_to(self, dest: *mut T, count: usize) {
        unsafe { intrinsics::ptr_copy(self as *const T, dest, count) }
    }
    unsafe fn copy_to_nonoverlapping(self, dest: *mut T, count: usize) {
        unsafe { intrinsics::ptr_copy_nonoverlapping(self as *const T, dest, count) }
    }
    unsafe fn copy_from(self, src: *const T, count: usize) {
        unsafe { intrinsics::ptr_copy(src, self, count) }
    }
    unsafe fn copy_from_nonoverlapping(self, src: *const T, count: usize) {
        unsafe { intrinsics::ptr_copy_nonoverlapping(src, self, count) }
    }
}

impl<T> MutPtrBytesMethods<T> for *mut T {
    unsafe fn write_bytes(self, val: u8, count: usize) {
        unsafe { write_bytes(self, val, count) }
    }
}

/// Pointers are compared by where they lead, which the executor knows within one allocation.
macro_rules! compared_pointers {
    ($($ty:ty)*) => {$(
        #[allow(ambiguous_wide_pointer_comparisons)]
        impl<T: ?Sized> crate::cmp::PartialEq for $ty {
            fn eq(&self, other: &$ty) -> bool {
                *self == *other
            }
        }
        impl<T: ?Sized> crate::cmp::Eq for $ty {}
        #[allow(ambiguous_wide_pointer_comparisons)]
        impl<T: ?Sized> crate::cmp::PartialOrd for $ty {
            fn partial_cmp(&self, other: &$ty) -> Option<std::cmp::Ordering> {
                Some(std::cmp::Ord::cmp(self, other))
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
        #[allow(ambiguous_wide_pointer_comparisons)]
        impl<T: ?Sized> crate::cmp::Ord for $ty {
            fn cmp(&self, other: &$ty) -> std::cmp::Ordering {
                if *self < *other {
                    std::cmp::Ordering::Less
                } else if *self == *other {
                    std::cmp::Ordering::Equal
                } else {
                    std::cmp::Ordering::Greater
                }
            }
        }
    )*};
}

compared_pointers!(*const T *mut T);

/// A pointer that is never null; methods are there for sized types only.
pub struct NonNull<T: ?Sized> {
    pointer: *const T,
}

impl<T: ?Sized> Clone for NonNull<T> {
    fn clone(&self) -> NonNull<T> {
        *self
    }
}

impl<T: ?Sized> Copy for NonNull<T> {}

impl<T: ?Sized> NonNull<T> {
    pub const unsafe fn new_unchecked(ptr: *mut T) -> NonNull<T> {
        NonNull { pointer: ptr as *const T }
    }
    pub const fn as_ptr(self) -> *mut T {
        self.pointer as *mut T
    }
    pub unsafe fn as_ref<'a>(&self) -> &'a T {
        unsafe { &*self.pointer }
    }
    pub unsafe fn as_mut<'a>(&mut self) -> &'a mut T {
        unsafe { &mut *(self.pointer as *mut T) }
    }
}

impl<T> NonNull<T> {
    pub fn new(ptr: *mut T) -> Option<NonNull<T>> {
        if intrinsics::ptr_is_null(ptr as *const T) {
            None
        } else {
            Some(NonNull { pointer: ptr as *const T })
        }
    }
    pub fn dangling() -> NonNull<T> {
        NonNull { pointer: std::mem::align_of::<T>() as *const T }
    }
    pub fn cast<U>(self) -> NonNull<U> {
        NonNull { pointer: self.pointer as *const U }
    }
    pub unsafe fn add(self, count: usize) -> NonNull<T> {
        NonNull { pointer: unsafe { intrinsics::ptr_offset(self.pointer, count as isize) } }
    }
    pub unsafe fn sub(self, count: usize) -> NonNull<T> {
        NonNull { pointer: unsafe { intrinsics::ptr_offset(self.pointer, (count as isize).wrapping_neg()) } }
    }
    pub unsafe fn offset(self, count: isize) -> NonNull<T> {
        NonNull { pointer: unsafe { intrinsics::ptr_offset(self.pointer, count) } }
    }
    pub unsafe fn read(self) -> T {
        unsafe { intrinsics::ptr_read(self.pointer) }
    }
    pub unsafe fn write(self, val: T) {
        unsafe { intrinsics::ptr_write(self.pointer as *mut T, val) }
    }
}

impl<T: ?Sized> From<&mut T> for NonNull<T> {
    fn from(reference: &mut T) -> NonNull<T> {
        NonNull { pointer: reference as *mut T as *const T }
    }
}

impl<T: ?Sized> From<&T> for NonNull<T> {
    fn from(reference: &T) -> NonNull<T> {
        NonNull { pointer: reference as *const T }
    }
}

impl<T> crate::cmp::PartialEq for NonNull<T> {
    fn eq(&self, other: &NonNull<T>) -> bool {
        self.pointer == other.pointer
    }
    fn ne(&self, other: &NonNull<T>) -> bool {
        self.pointer != other.pointer
    }
}

impl<T> crate::cmp::Eq for NonNull<T> {}
