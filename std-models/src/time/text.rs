//! How durations and times are shown.

use super::{Duration, SystemTime, SystemTimeError};
use crate::fmt::{Debug, Display, Formatter, Result};
use crate::intrinsics;

impl Debug for Duration {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if f.width().is_some() || f.precision().is_some() {
            return intrinsics::unmodelled("a duration with a width or a precision");
        }
        f.write_str(if f.sign_plus() { "+" } else { "" })?;
        let nanos = self.nanos;
        if self.secs > 0 {
            decimal(f, self.secs, nanos, 100_000_000, "s")
        } else if nanos >= 1_000_000 {
            decimal(f, (nanos / 1_000_000) as u64, nanos % 1_000_000, 100_000, "ms")
        } else if nanos >= 1_000 {
            decimal(f, (nanos / 1_000) as u64, nanos % 1_000, 100, "\u{b5}s")
        } else {
            decimal(f, nanos as u64, 0, 1, "ns")
        }
    }
}

/// A number, as many of the digits behind its point as are not zero at the end, and a unit. `place` is what the first
/// of these digits is worth in `rest`.
fn decimal(f: &mut Formatter<'_>, whole: u64, rest: u32, place: u32, unit: &str) -> Result {
    Display::fmt(&whole, &mut Formatter::plain(&mut *f.buf))?;
    let (mut rest, mut place) = (rest, place);
    let mut digits = [0u8; 9];
    let mut count: usize = 0;
    while rest > 0 {
        digits[count] = ((rest / place) as u8).wrapping_add(b'0');
        rest %= place;
        place /= 10;
        count = count.wrapping_add(1);
    }
    if count > 0 {
        f.write_str(".")?;
        f.write_str(intrinsics::str_of_bytes(intrinsics::subslice(&digits, 0, count)))?;
    }
    f.write_str(unit)
}

impl Debug for SystemTime {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.debug_struct("SystemTime").field("tv_sec", &self.secs).field("tv_nsec", &self.nanos).finish()
    }
}

impl Debug for SystemTimeError {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.debug_tuple("SystemTimeError").field(&self.0).finish()
    }
}

impl Display for SystemTimeError {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str("second time provided was later than self")
    }
}
