//! `std::mem`. `swap`, `replace`, `forget` and `size_of` are the executor's own.

/// Leaves the default in place of the value.
pub fn take<T: Default>(dest: &mut T) -> T {
    std::mem::replace(dest, T::default())
}

pub fn drop<T>(value: T) {
    let _dropped_at_the_end_of_this_body = value;
}

/// What the size of a value hangs on: its type, and how many elements it has. What is behind a `dyn` has a size that no type tells, and the executor
/// does not know the size of such a type.
pub trait Sizes {
    fn size(&self) -> usize;
}

impl<T> Sizes for T {
    fn size(&self) -> usize {
        std::mem::size_of::<T>()
    }
}

impl<T> Sizes for [T] {
    fn size(&self) -> usize {
        self.len().wrapping_mul(std::mem::size_of::<T>())
    }
}

impl Sizes for str {
    fn size(&self) -> usize {
        self.len()
    }
}

pub fn size_of_val<T: ?Sized + Sizes>(val: &T) -> usize {
    <T as Sizes>::size(val)
}

/// # Safety
/// As std's. Where the types are not the same in memory, the executor refuses.
pub unsafe fn transmute_copy<Src, Dst>(src: &Src) -> Dst {
    if std::mem::size_of::<Src>() < std::mem::size_of::<Dst>() {
        panic!("cannot transmute_copy if Dst is larger than Src");
    }
    unsafe { crate::intrinsics::ptr_read(src as *const Src as *const Dst) }
}
