//! What a model cannot say in safe Rust or what the executor should do in one step.
//!
//! The executor handles these by path (`std::intrinsics::NAME`, this crate being the mirror of `std`) and never
//! runs the bodies below. The bodies serve the native tests and define the meaning. Each is total on the
//! arguments that models pass; a panic here is a defect of the model that called it.

/// `&slice[from..to]`, with `from <= to <= slice.len()` already checked by the caller.
pub fn subslice<T>(slice: &[T], from: usize, to: usize) -> &[T] {
    &slice[from..to]
}

/// `&mut slice[from..to]`, with `from <= to <= slice.len()` already checked by the caller.
pub fn subslice_mut<T>(slice: &mut [T], from: usize, to: usize) -> &mut [T] {
    &mut slice[from..to]
}

/// Two disjoint parts of a slice, with `mid <= slice.len()` already checked by the caller.
pub fn split_mut<T>(slice: &mut [T], mid: usize) -> (&mut [T], &mut [T]) {
    slice.split_at_mut(mid)
}

/// The element a reference points to as a slice of one.
pub fn slice_of_one<T>(item: &T) -> &[T] {
    std::slice::from_ref(item)
}

/// The same bytes as a `str`; the caller knows that they are UTF-8.
pub fn str_of_bytes(bytes: &[u8]) -> &str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => panic!("a model took bytes for a str that are not UTF-8"),
    }
}

/// The same bytes as a `str`; the caller knows that they are UTF-8.
pub fn str_of_bytes_mut(bytes: &mut [u8]) -> &mut str {
    match std::str::from_utf8_mut(bytes) {
        Ok(text) => text,
        Err(_) => panic!("a model took bytes for a str that are not UTF-8"),
    }
}

/// The character of a code point that the caller knows to be one (`u32` to `char` by transmutation).
pub fn char_of(code: u32) -> char {
    match std::char::from_u32(code) {
        Some(c) => c,
        None => panic!("a model took a number for a char that is none"),
    }
}

/// Every element wrapped in `Some`: how models take elements out of an array one by one.
pub fn array_to_options<T, const N: usize>(array: [T; N]) -> [Option<T>; N] {
    array.map(Some)
}

/// The inverse of [`array_to_options`]; the caller knows that no element is `None`.
pub fn array_from_options<T, const N: usize>(array: [Option<T>; N]) -> [T; N] {
    array.map(|item| match item {
        Some(item) => item,
        None => panic!("a model built an array with a missing element"),
    })
}

/// `[None; N]` for any element type.
pub fn array_of_none<T, const N: usize>() -> [Option<T>; N] {
    [const { None }; N]
}

/// Whether equal values of the type are known to have equal hashes. To say no is always right, and costs a comparison
/// of hashes.
pub fn hash_follows_eq<T: ?Sized>() -> bool {
    false
}

/// Whether `{:?}` shows a character beyond ASCII as it is. The executor knows the tables of one version of Unicode, and
/// says so.
pub fn is_shown_as_it_is(c: char) -> bool {
    let mut shown = c.escape_debug();
    shown.next() == Some(c) && shown.next().is_none()
}

/// The end of what a model covers: the executor takes it as a call of unknown meaning, so whatever rests on the
/// result is reported as not understood.
pub fn unmodelled<T>(what: &'static str) -> T {
    panic!("not modelled: {what}")
}

/// Every element wrapped in `Some`: how models take elements out of a vector one by one.
pub fn vec_to_options<T>(items: Vec<T>) -> Vec<Option<T>> {
    items.into_iter().map(Some).collect()
}

/// The inverse of [`vec_to_options`], except that `None`s are left out.
pub fn vec_from_options<T>(items: Vec<Option<T>>) -> Vec<T> {
    items.into_iter().flatten().collect()
}

/// A slice as a reference to an array; the caller knows that it has `N` elements.
pub fn array_ref<T, const N: usize>(slice: &[T]) -> &[T; N] {
    match slice.first_chunk() {
        Some(array) => array,
        None => panic!("a model took a slice for a longer array"),
    }
}

/// A slice as a reference to an array; the caller knows that it has `N` elements.
pub fn array_mut<T, const N: usize>(slice: &mut [T]) -> &mut [T; N] {
    match slice.first_chunk_mut() {
        Some(array) => array,
        None => panic!("a model took a slice for a longer array"),
    }
}

/// `pointer` moved by so many elements; both it and the result point into one allocation, or to its end.
///
/// # Safety
/// As for `pointer::offset`.
pub unsafe fn ptr_offset<T>(pointer: *const T, count: isize) -> *const T {
    unsafe { pointer.offset(count) }
}

/// `pointer` moved by so many elements, wherever that leads.
pub fn ptr_wrapping_offset<T>(pointer: *const T, count: isize) -> *const T {
    pointer.wrapping_offset(count)
}

/// How many elements `to` is behind `from`; both point into one allocation.
///
/// # Safety
/// As for `pointer::offset_from`.
pub unsafe fn ptr_distance<T>(to: *const T, from: *const T) -> isize {
    unsafe { to.offset_from(from) }
}

pub fn ptr_is_null<T>(pointer: *const T) -> bool {
    pointer.is_null()
}

/// The value there, which stays there.
///
/// # Safety
/// As for `pointer::read`.
pub unsafe fn ptr_read<T>(pointer: *const T) -> T {
    unsafe { pointer.read() }
}

/// Puts the value there and drops nothing.
///
/// # Safety
/// As for `pointer::write`.
pub unsafe fn ptr_write<T>(pointer: *mut T, value: T) {
    unsafe { pointer.write(value) }
}

/// Copies elements between places that may overlap.
///
/// # Safety
/// As for `ptr::copy`.
pub unsafe fn ptr_copy<T>(from: *const T, to: *mut T, count: usize) {
    unsafe { std::ptr::copy(from, to, count) }
}

/// Copies elements between places that do not overlap.
///
/// # Safety
/// As for `ptr::copy_nonoverlapping`.
pub unsafe fn ptr_copy_nonoverlapping<T>(from: *const T, to: *mut T, count: usize) {
    unsafe { std::ptr::copy_nonoverlapping(from, to, count) }
}

/// Drops the value there.
///
/// # Safety
/// As for `ptr::drop_in_place`.
pub unsafe fn ptr_drop<T>(pointer: *mut T) {
    unsafe { std::ptr::drop_in_place(pointer) }
}

/// The slice of `len` elements from `pointer` on.
///
/// # Safety
/// As for `slice::from_raw_parts`.
pub unsafe fn slice_of_raw<'a, T>(pointer: *const T, len: usize) -> &'a [T] {
    unsafe { std::slice::from_raw_parts(pointer, len) }
}

/// The slice of `len` elements from `pointer` on.
///
/// # Safety
/// As for `slice::from_raw_parts_mut`.
pub unsafe fn slice_of_raw_mut<'a, T>(pointer: *mut T, len: usize) -> &'a mut [T] {
    unsafe { std::slice::from_raw_parts_mut(pointer, len) }
}

/// What is in the cell, for writing too. The executor takes no notice of how many such references there are; a model holds none
/// while code that it does not know runs, except for guards.
pub fn cell_mut<T: ?Sized>(cell: &std::cell::UnsafeCell<T>) -> &mut T {
    unsafe { &mut *cell.get() }
}

/// The same pointer once more. The model that asks sees to it that the content is dropped once.
pub fn same_box<T: ?Sized>(content: &std::mem::ManuallyDrop<Box<T>>) -> std::mem::ManuallyDrop<Box<T>> {
    unsafe { std::ptr::read(content) }
}

/// Whether two boxes are one allocation, of a type that is not empty. Neither may have been freed.
pub fn same_allocation<T>(
    left: &std::mem::ManuallyDrop<Box<T>>,
    right: &std::mem::ManuallyDrop<Box<T>>,
) -> bool {
    let (left, right): (&T, &T) = (left, right);
    std::ptr::eq(left, right)
}
