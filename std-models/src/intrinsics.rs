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
