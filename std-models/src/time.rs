//! `std::time`: durations as whole seconds and nanoseconds below one second, and times as the same since the epoch.
//!
//! The executor makes inputs of these fields by their names and within these limits (`exec::parts`).
//!
//! Limits: durations are not made of floating-point numbers; clocks are not read, so there is no `Instant`. The bounds of
//! `SystemTime` are those of 64-bit Unix.

mod system;
mod text;

use crate::iter::{Iterator, Sum};
use crate::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Sub, SubAssign};

const PER_SECOND: u32 = 1_000_000_000;

/// Seconds since the epoch, before it negative, and the nanoseconds that come on top.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SystemTime {
    secs: i64,
    nanos: u32,
}

pub const UNIX_EPOCH: SystemTime = SystemTime { secs: 0, nanos: 0 };

/// By how much the second time is later than the first.
#[derive(Clone)]
pub struct SystemTimeError(Duration);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Duration {
    secs: u64,
    nanos: u32,
}

impl Duration {
    pub const ZERO: Duration = Duration { secs: 0, nanos: 0 };
    pub const MAX: Duration = Duration { secs: u64::MAX, nanos: 999_999_999 };

    pub const fn new(secs: u64, nanos: u32) -> Duration {
        if nanos < PER_SECOND {
            return Duration { secs, nanos };
        }
        match secs.checked_add((nanos / PER_SECOND) as u64) {
            Some(secs) => Duration { secs, nanos: nanos % PER_SECOND },
            None => panic!("overflow in Duration::new"),
        }
    }
    pub const fn from_secs(secs: u64) -> Duration {
        Duration { secs, nanos: 0 }
    }
    pub const fn from_millis(millis: u64) -> Duration {
        Duration { secs: millis / 1_000, nanos: ((millis % 1_000) as u32).wrapping_mul(1_000_000) }
    }
    pub const fn from_micros(micros: u64) -> Duration {
        Duration { secs: micros / 1_000_000, nanos: ((micros % 1_000_000) as u32).wrapping_mul(1_000) }
    }
    pub const fn from_nanos(nanos: u64) -> Duration {
        Duration { secs: nanos / PER_SECOND as u64, nanos: (nanos % PER_SECOND as u64) as u32 }
    }
    pub const fn is_zero(&self) -> bool {
        self.secs == 0 && self.nanos == 0
    }
    pub const fn as_secs(&self) -> u64 {
        self.secs
    }
    pub const fn subsec_millis(&self) -> u32 {
        self.nanos / 1_000_000
    }
    pub const fn subsec_micros(&self) -> u32 {
        self.nanos / 1_000
    }
    pub const fn subsec_nanos(&self) -> u32 {
        self.nanos
    }
    pub const fn as_millis(&self) -> u128 {
        (self.secs as u128).wrapping_mul(1_000).wrapping_add((self.nanos / 1_000_000) as u128)
    }
    pub const fn as_micros(&self) -> u128 {
        (self.secs as u128).wrapping_mul(1_000_000).wrapping_add((self.nanos / 1_000) as u128)
    }
    pub const fn as_nanos(&self) -> u128 {
        (self.secs as u128).wrapping_mul(PER_SECOND as u128).wrapping_add(self.nanos as u128)
    }
    pub const fn as_secs_f64(&self) -> f64 {
        self.secs as f64 + self.nanos as f64 / PER_SECOND as f64
    }
    pub const fn as_secs_f32(&self) -> f32 {
        self.secs as f32 + self.nanos as f32 / PER_SECOND as f32
    }
    pub const fn abs_diff(self, other: Duration) -> Duration {
        match self.checked_sub(other) {
            Some(difference) => difference,
            None => match other.checked_sub(self) {
                Some(difference) => difference,
                None => panic!("of two durations neither is the longer one"),
            },
        }
    }
    pub const fn checked_add(self, rhs: Duration) -> Option<Duration> {
        let nanos = self.nanos.wrapping_add(rhs.nanos);
        match self.secs.checked_add(rhs.secs) {
            Some(secs) if nanos < PER_SECOND => Some(Duration { secs, nanos }),
            Some(secs) => match secs.checked_add(1) {
                Some(secs) => Some(Duration { secs, nanos: nanos.wrapping_sub(PER_SECOND) }),
                None => None,
            },
            None => None,
        }
    }
    pub const fn saturating_add(self, rhs: Duration) -> Duration {
        match self.checked_add(rhs) {
            Some(sum) => sum,
            None => Duration { secs: u64::MAX, nanos: 999_999_999 },
        }
    }
    pub const fn checked_sub(self, rhs: Duration) -> Option<Duration> {
        match self.secs.checked_sub(rhs.secs) {
            Some(secs) if self.nanos >= rhs.nanos => {
                Some(Duration { secs, nanos: self.nanos.wrapping_sub(rhs.nanos) })
            }
            Some(secs) => match secs.checked_sub(1) {
                Some(secs) => Some(Duration {
                    secs,
                    nanos: self.nanos.wrapping_add(PER_SECOND).wrapping_sub(rhs.nanos),
                }),
                None => None,
            },
            None => None,
        }
    }
    pub const fn saturating_sub(self, rhs: Duration) -> Duration {
        match self.checked_sub(rhs) {
            Some(difference) => difference,
            None => Duration { secs: 0, nanos: 0 },
        }
    }
    pub const fn checked_mul(self, rhs: u32) -> Option<Duration> {
        let nanos = (self.nanos as u64).wrapping_mul(rhs as u64);
        match self.secs.checked_mul(rhs as u64) {
            Some(secs) => match secs.checked_add(nanos / PER_SECOND as u64) {
                Some(secs) => Some(Duration { secs, nanos: (nanos % PER_SECOND as u64) as u32 }),
                None => None,
            },
            None => None,
        }
    }
    pub const fn saturating_mul(self, rhs: u32) -> Duration {
        match self.checked_mul(rhs) {
            Some(product) => product,
            None => Duration { secs: u64::MAX, nanos: 999_999_999 },
        }
    }
    pub const fn checked_div(self, rhs: u32) -> Option<Duration> {
        if rhs == 0 {
            return None;
        }
        let by = rhs as u64;
        // The rest of the seconds goes to the nanoseconds: below 2^32 * 10^9, so nothing overflows.
        let rest = (self.secs % by).wrapping_mul(PER_SECOND as u64).wrapping_add(self.nanos as u64);
        Some(Duration { secs: self.secs / by, nanos: (rest / by) as u32 })
    }
}

impl Add for Duration {
    type Output = Duration;
    fn add(self, rhs: Duration) -> Duration {
        match self.checked_add(rhs) {
            Some(sum) => sum,
            None => panic!("overflow when adding durations"),
        }
    }
}

impl AddAssign for Duration {
    fn add_assign(&mut self, rhs: Duration) {
        *self = Add::add(*self, rhs);
    }
}

impl Sub for Duration {
    type Output = Duration;
    fn sub(self, rhs: Duration) -> Duration {
        match self.checked_sub(rhs) {
            Some(difference) => difference,
            None => panic!("overflow when subtracting durations"),
        }
    }
}

impl SubAssign for Duration {
    fn sub_assign(&mut self, rhs: Duration) {
        *self = Sub::sub(*self, rhs);
    }
}

impl Mul<u32> for Duration {
    type Output = Duration;
    fn mul(self, rhs: u32) -> Duration {
        match self.checked_mul(rhs) {
            Some(product) => product,
            None => panic!("overflow when multiplying duration by scalar"),
        }
    }
}

impl Mul<Duration> for u32 {
    type Output = Duration;
    fn mul(self, rhs: Duration) -> Duration {
        Mul::mul(rhs, self)
    }
}

impl MulAssign<u32> for Duration {
    fn mul_assign(&mut self, rhs: u32) {
        *self = Mul::mul(*self, rhs);
    }
}

impl Div<u32> for Duration {
    type Output = Duration;
    fn div(self, rhs: u32) -> Duration {
        match self.checked_div(rhs) {
            Some(quotient) => quotient,
            None => panic!("divide by zero error when dividing duration by scalar"),
        }
    }
}

impl DivAssign<u32> for Duration {
    fn div_assign(&mut self, rhs: u32) {
        *self = Div::div(*self, rhs);
    }
}

impl Sum for Duration {
    fn sum<I: Iterator<Item = Duration>>(iter: I) -> Duration {
        let mut iter = iter;
        let mut total = Duration { secs: 0, nanos: 0 };
        while let Some(item) = iter.next() {
            match total.checked_add(item) {
                Some(sum) => total = sum,
                None => panic!("overflow in iter::sum over durations"),
            }
        }
        total
    }
}

impl<'a> Sum<&'a Duration> for Duration {
    fn sum<I: Iterator<Item = &'a Duration>>(iter: I) -> Duration {
        let mut iter = iter;
        let mut total = Duration { secs: 0, nanos: 0 };
        while let Some(item) = iter.next() {
            match total.checked_add(*item) {
                Some(sum) => total = sum,
                None => panic!("overflow in iter::sum over durations"),
            }
        }
        total
    }
}
