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

/// Whether dropping values of the type runs code. To say yes is always right, and costs that the order is kept.
pub const fn needs_drop<T: ?Sized>() -> bool {
    std::mem::needs_drop::<T>()
}

/// Whether std knows that a clone of the type is a copy, and copies memory in places where it would otherwise call `clone`. To say no is right
/// for all types whose `clone` does nothing else.
pub fn is_copy<T>() -> bool {
    // Arrays are cloned by copying where their elements can be, so that the elements are not asked.
    struct Probe<'a, T>(&'a std::cell::Cell<bool>, std::marker::PhantomData<T>);
    impl<T> Clone for Probe<'_, T> {
        fn clone(&self) -> Self {
            self.0.set(false);
            Probe(self.0, std::marker::PhantomData)
        }
    }
    impl<T: Copy> Copy for Probe<'_, T> {}
    let copied = std::cell::Cell::new(true);
    let _ = [Probe::<T>(&copied, std::marker::PhantomData)].clone();
    copied.get()
}

/// Whether values of the type take no room in memory.
pub const fn has_no_size<T>() -> bool {
    std::mem::size_of::<T>() == 0
}

/// A copy of what the caller knows to be `Copy`, whatever its `clone` does.
pub fn copy_of<T>(item: &T) -> T {
    assert!(is_copy::<T>(), "a model copied what is not copied by std");
    unsafe { std::ptr::read(item) }
}

/// Whether the type is `Eq`: std then takes one counted pointer to be equal to itself without asking.
pub fn is_eq<T: ?Sized>() -> bool {
    struct Probe<'a, T: ?Sized>(&'a std::cell::Cell<bool>, std::marker::PhantomData<T>);
    impl<T: ?Sized> PartialEq for Probe<'_, T> {
        fn eq(&self, _other: &Self) -> bool {
            self.0.set(false);
            true
        }
    }
    impl<T: ?Sized + Eq> Eq for Probe<'_, T> {}
    let unasked = std::cell::Cell::new(true);
    let one = std::rc::Rc::new(Probe::<T>(&unasked, std::marker::PhantomData));
    let _ = one == one.clone();
    unasked.get()
}

/// Whether to compare, clone and drop values of the type is lawful, has no effects and always returns: the type and all that it is made of are
/// built-in, std's own or derive it. Models that do it otherwise than std does are *restricted* to such types. To say no is always right; natively, types that
/// derive are not known.
pub fn is_plain<T: ?Sized>() -> bool {
    let name = std::any::type_name::<T>();
    let mut paths = name.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
    paths.all(|path| {
        !path.contains("::") || ["core::", "alloc::", "std::"].iter().any(|root| path.starts_with(root))
    })
}

/// Whether that holds for both, and for borrowing the second from the first as well. To say no is always right.
pub fn is_found_plainly<K: ?Sized, Q: ?Sized>() -> bool {
    is_plain::<K>() && is_plain::<Q>()
}

/// Whether what methods of `&self` of the type do cannot be seen: values of it lead to nothing that can be written through them. To
/// say no is always right. Native tests look at results only where they use models that ask.
pub fn is_unseen<T: ?Sized>() -> bool {
    true
}

/// Whether an iterator's `size_hint` may be code of the program, so that it matters when it is called. To say yes is
/// right for all iterators, and costs the calls.
pub fn hint_is_written<I: ?Sized>() -> bool {
    fn is_written(name: &str) -> bool {
        let name = name.trim_start_matches("&mut ");
        let head = name.split('<').next().unwrap_or(name);
        let is_of_std =
            ["core::", "alloc::", "std::", "std_models::"].iter().any(|root| head.starts_with(root));
        // The iterator is the first argument of an adaptor, where it is not the item that is.
        let is_adaptor = head.contains("::iter::") || head.contains("::Until");
        !is_of_std || (is_adaptor && name.len() > head.len() && is_written(&name[head.len() + 1..]))
    }
    is_written(std::any::type_name::<I>())
}

/// Whether std's `eq` compares the lengths of both before it asks for items.
pub fn compares_lengths<A, B>() -> bool {
    let is_trusted = |name| {
        is_layered(
            name,
            &["slice::Iter", "slice::IterMut", "vec::IntoIter", "array::IntoIter"],
            &["iter::Map", "iter::Cloned", "iter::Copied", "iter::Enumerate", "iter::Rev", "iter::Take"],
        )
    };
    is_trusted(std::any::type_name::<A>()) && is_trusted(std::any::type_name::<B>())
}

/// Whether std's `zip` takes the items of both by their positions, and one of the iterators calls code of the program. Then no item of the longer
/// one is asked for in vain.
pub fn zips_by_index<A, B>() -> bool {
    let by_index = |name| {
        is_layered(
            name,
            &["slice::Iter", "slice::IterMut"],
            &["iter::Map", "iter::Cloned", "iter::Copied", "iter::Enumerate"],
        )
    };
    by_index(std::any::type_name::<A>()) && by_index(std::any::type_name::<B>())
}

/// Whether nobody sees it if an iterator is asked for one more item, or for one less: where that cannot be told, nothing is proved.
pub fn asks_unseen<I>() -> bool {
    true
}

/// Whether nobody sees it if what `skip` leaves out is not asked for: where that cannot be told, nothing is proved.
pub fn skips_unseen<I>() -> bool {
    true
}

/// Whether std takes an iterator to stay at its end, so that `fuse` has nothing to do.
pub fn is_fused<I>() -> bool {
    is_layered(
        std::any::type_name::<I>(),
        &[
            "slice::Iter",
            "slice::IterMut",
            "vec::IntoIter",
            "array::IntoIter",
            "option::IntoIter",
            "iter::Empty",
            "iter::Once",
        ],
        &["iter::Map", "iter::Cloned", "iter::Copied", "iter::Enumerate", "iter::Rev", "iter::Take"],
    )
}

/// Whether a type's name is that of one of `sources`, or of an adaptor around such an iterator.
fn is_layered(name: &str, sources: &[&str], adaptors: &[&str]) -> bool {
    let Some(name) = name.strip_prefix("std_models::") else { return false };
    let head = name.split('<').next().unwrap_or(name);
    if sources.contains(&head) {
        return true;
    }
    // The iterator is the first argument.
    adaptors.contains(&head) && is_layered(&name[head.len() + 1..], sources, adaptors)
}

/// The number that a text is; the caller knows it to be one.
pub fn f32_of_text(text: &str) -> f32 {
    match text.parse() {
        Ok(number) => number,
        Err(_) => panic!("a model took a text for a number that is none"),
    }
}

/// As [`f32_of_text`].
pub fn f64_of_text(text: &str) -> f64 {
    match text.parse() {
        Ok(number) => number,
        Err(_) => panic!("a model took a text for a number that is none"),
    }
}

/// Whether what is written to is a `String`, as it is in tests.
pub fn is_text(_: &dyn crate::fmt::Write) -> bool {
    true
}

/// What `{}`, `{:?}`, `{:e}` or `{:E}` shows, in this order, with so many digits behind the point unless these are `usize::MAX`.
pub fn digits_of_f32(number: f32, notation: u8, precision: usize) -> &'static str {
    digits_of(&number, notation, precision)
}

/// As [`digits_of_f32`].
pub fn digits_of_f64(number: f64, notation: u8, precision: usize) -> &'static str {
    digits_of(&number, notation, precision)
}

fn digits_of<T>(number: &T, notation: u8, precision: usize) -> &'static str
where
    T: std::fmt::Display + std::fmt::Debug + std::fmt::LowerExp + std::fmt::UpperExp,
{
    let text = match (notation, precision) {
        (0, usize::MAX) => format!("{number}"),
        (0, _) => format!("{number:.precision$}"),
        (1, usize::MAX) => format!("{number:?}"),
        (1, _) => format!("{number:.precision$?}"),
        (2, usize::MAX) => format!("{number:e}"),
        (2, _) => format!("{number:.precision$e}"),
        (_, usize::MAX) => format!("{number:E}"),
        (..) => format!("{number:.precision$E}"),
    };
    Box::leak(text.into_boxed_str())
}

/// Whether `{:?}` shows a character beyond ASCII as it is. The executor knows the tables of one version of Unicode, and
/// says so.
pub fn is_shown_as_it_is(c: char) -> bool {
    let mut shown = c.escape_debug();
    shown.next() == Some(c) && shown.next().is_none()
}

/// The end of what a model covers: the executor stops, and the report says that the model leaves this open. `what` is a noun or an
/// indirect question.
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

/// The value there, wherever it begins.
///
/// # Safety
/// As for `pointer::read_unaligned`.
pub unsafe fn ptr_read_unaligned<T>(pointer: *const T) -> T {
    unsafe { pointer.read_unaligned() }
}

/// Puts the value there, wherever that is.
///
/// # Safety
/// As for `pointer::write_unaligned`.
pub unsafe fn ptr_write_unaligned<T>(pointer: *mut T, value: T) {
    unsafe { pointer.write_unaligned(value) }
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
