//! `std::alloc`: how large and how aligned something is. Nothing is allocated here.

use crate::fmt::{Display, Formatter, Result as Written};

#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    size: usize,
    align: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayoutError;

impl Layout {
    pub fn from_size_align(size: usize, align: usize) -> Result<Layout, LayoutError> {
        if !align.is_power_of_two() {
            return Err(LayoutError);
        }
        // Rounded up to the alignment it is no more than can be addressed.
        if size > (isize::MAX as usize).wrapping_add(1).wrapping_sub(align) {
            return Err(LayoutError);
        }
        Ok(Layout { size, align })
    }
    pub unsafe fn from_size_align_unchecked(size: usize, align: usize) -> Layout {
        match Layout::from_size_align(size, align) {
            Ok(layout) => layout,
            Err(_) => crate::intrinsics::unmodelled("undefined behaviour: a `Layout` that cannot be"),
        }
    }
    pub fn new<T>() -> Layout {
        Layout { size: std::mem::size_of::<T>(), align: std::mem::align_of::<T>() }
    }
    pub fn array<T>(n: usize) -> Result<Layout, LayoutError> {
        match std::mem::size_of::<T>().checked_mul(n) {
            Some(size) => Layout::from_size_align(size, std::mem::align_of::<T>()),
            None => Err(LayoutError),
        }
    }
    pub fn size(&self) -> usize {
        self.size
    }
    pub fn align(&self) -> usize {
        self.align
    }
}

impl Display for LayoutError {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        f.write_str("invalid parameters to Layout::from_size_align")
    }
}
