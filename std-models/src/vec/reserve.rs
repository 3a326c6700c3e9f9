//! Room that may not be had, and lengths that the caller vouches for.

use super::SURE_TO_BE_THERE;
use crate::collections::{TryReserveError, TryReserveErrorKind};
use crate::inherent::slices::{StringReserveMethods, VecReserveMethods};
use crate::inherent::unchecked::VecUncheckedMethods;
use crate::intrinsics;

/// Whether there can be so many elements more; whether there is memory for more than a gibibyte is left open.
pub(crate) fn try_more<T>(len: usize, additional: usize) -> Result<(), TryReserveError> {
    let overflow = Err(TryReserveError { kind: TryReserveErrorKind::CapacityOverflow });
    let Some(capacity) = len.checked_add(additional) else { return overflow };
    // So few are there whatever the size is, which is not known of all types.
    if capacity <= 1 << 10 {
        return Ok(());
    }
    let size = std::mem::size_of::<T>();
    if size != 0 && capacity > SURE_TO_BE_THERE / size {
        if capacity > isize::MAX as usize / size {
            return overflow;
        }
        return intrinsics::unmodelled("an allocation of more than a gibibyte");
    }
    Ok(())
}

impl<T> VecReserveMethods<T> for Vec<T> {
    fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        try_more::<T>(self.len(), additional)
    }
    fn try_reserve_exact(&mut self, additional: usize) -> Result<(), TryReserveError> {
        try_more::<T>(self.len(), additional)
    }
}

impl StringReserveMethods for String {
    fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        try_more::<u8>(self.as_str().len(), additional)
    }
    fn try_reserve_exact(&mut self, additional: usize) -> Result<(), TryReserveError> {
        try_more::<u8>(self.as_str().len(), additional)
    }
}

impl<T> VecUncheckedMethods<T> for Vec<T> {
    unsafe fn set_len(&mut self, new_len: usize) {
        if new_len > self.len() {
            return intrinsics::unmodelled(
                "what stands behind the end of a vector that `set_len` makes longer",
            );
        }
        while self.len() > new_len {
            std::mem::forget(self.pop());
        }
    }
}
