//! Times as the claims make them: of numbers.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

pub fn duration(secs: u64, nanos: u32) -> Duration {
    Duration::new(secs, nanos % 1_000_000_000)
}

pub fn time(secs: i64, nanos: u32) -> SystemTime {
    let whole = Duration::from_secs(secs.unsigned_abs());
    let whole = if secs < 0 { UNIX_EPOCH - whole } else { UNIX_EPOCH + whole };
    whole + duration(0, nanos)
}
