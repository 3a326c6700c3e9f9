//! Times of day.

use super::{Duration, PER_SECOND, SystemTime, SystemTimeError};
use crate::error::Error;
use crate::ops::{Add, AddAssign, Sub, SubAssign};

impl SystemTime {
    pub const UNIX_EPOCH: SystemTime = SystemTime { secs: 0, nanos: 0 };

    pub fn duration_since(&self, earlier: SystemTime) -> Result<Duration, SystemTimeError> {
        match is_before(self, &earlier) {
            false => Ok(between(self, &earlier)),
            true => Err(SystemTimeError(between(&earlier, self))),
        }
    }
    pub fn checked_add(&self, duration: Duration) -> Option<SystemTime> {
        let nanos = self.nanos.wrapping_add(duration.nanos);
        match self.secs.checked_add_unsigned(duration.secs) {
            Some(secs) if nanos < PER_SECOND => Some(SystemTime { secs, nanos }),
            Some(secs) => match secs.checked_add(1) {
                Some(secs) => Some(SystemTime { secs, nanos: nanos.wrapping_sub(PER_SECOND) }),
                None => None,
            },
            None => None,
        }
    }
    pub fn checked_sub(&self, duration: Duration) -> Option<SystemTime> {
        match self.secs.checked_sub_unsigned(duration.secs) {
            Some(secs) if self.nanos >= duration.nanos => {
                Some(SystemTime { secs, nanos: self.nanos.wrapping_sub(duration.nanos) })
            }
            Some(secs) => match secs.checked_sub(1) {
                Some(secs) => Some(SystemTime {
                    secs,
                    nanos: self.nanos.wrapping_add(PER_SECOND).wrapping_sub(duration.nanos),
                }),
                None => None,
            },
            None => None,
        }
    }
}

fn is_before(time: &SystemTime, other: &SystemTime) -> bool {
    time.secs < other.secs || (time.secs == other.secs && time.nanos < other.nanos)
}

/// The difference, of which the caller knows that it is not negative. It has at most 2^64 - 1 seconds.
fn between(later: &SystemTime, earlier: &SystemTime) -> Duration {
    let secs = later.secs.wrapping_sub(earlier.secs) as u64;
    if later.nanos >= earlier.nanos {
        return Duration { secs, nanos: later.nanos.wrapping_sub(earlier.nanos) };
    }
    let nanos = later.nanos.wrapping_add(PER_SECOND).wrapping_sub(earlier.nanos);
    Duration { secs: secs.wrapping_sub(1), nanos }
}

impl Add<Duration> for SystemTime {
    type Output = SystemTime;
    fn add(self, rhs: Duration) -> SystemTime {
        match self.checked_add(rhs) {
            Some(time) => time,
            None => panic!("overflow when adding duration to instant"),
        }
    }
}

impl AddAssign<Duration> for SystemTime {
    fn add_assign(&mut self, rhs: Duration) {
        *self = Add::add(*self, rhs);
    }
}

impl Sub<Duration> for SystemTime {
    type Output = SystemTime;
    fn sub(self, rhs: Duration) -> SystemTime {
        match self.checked_sub(rhs) {
            Some(time) => time,
            None => panic!("overflow when subtracting duration from instant"),
        }
    }
}

impl SubAssign<Duration> for SystemTime {
    fn sub_assign(&mut self, rhs: Duration) {
        *self = Sub::sub(*self, rhs);
    }
}

impl SystemTimeError {
    pub fn duration(&self) -> Duration {
        self.0
    }
}

impl Error for SystemTimeError {
    fn description(&self) -> &str {
        "other time was not earlier than self"
    }
}
