//! `std::mem`. `swap`, `replace`, `forget` and `size_of` are the executor's own.

/// Leaves the default in place of the value.
pub fn take<T: Default>(dest: &mut T) -> T {
    std::mem::replace(dest, T::default())
}

pub fn drop<T>(value: T) {
    let _dropped_at_the_end_of_this_body = value;
}
