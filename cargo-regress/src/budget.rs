//! The time that a whole run may take.
//!
//! Cargo is ended while it builds what runs functions natively; what it does to read the versions runs to its end. Functions that have begun get
//! what is left, and those that have not are reported as not analysed.

use crate::report::wording;
use std::time::{Duration, Instant};

/// When a run has to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    started: Instant,
    seconds: u64,
    /// How much of them is kept for what comes later.
    kept: Duration,
}

impl Deadline {
    pub fn after(started: Instant, seconds: u64) -> Deadline {
        Deadline { started, seconds, kept: Duration::ZERO }
    }

    /// The same for work after which another step shall still have time.
    pub fn for_all_but(self, later: Duration) -> Deadline {
        Deadline { kept: later, ..self }
    }

    fn length(self) -> Duration {
        Duration::from_secs(self.seconds).saturating_sub(self.kept)
    }

    pub fn is_over(self) -> bool {
        self.remaining().is_zero()
    }

    pub fn remaining(self) -> Duration {
        self.length().saturating_sub(self.started.elapsed())
    }

    /// When it is over.
    pub fn end(self) -> Instant {
        self.started + self.length()
    }

    /// How long the run has been going on.
    pub fn elapsed(self) -> Duration {
        self.started.elapsed()
    }

    /// From the start to the end of the whole run.
    pub fn seconds(self) -> u64 {
        self.seconds
    }

    /// `the time for the whole run (60 s)`.
    pub fn name(self) -> String {
        wording::whole_run(self.seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_over_when_the_seconds_have_passed() {
        let now = Instant::now();
        assert!(!Deadline::after(now, 600).is_over());
        assert!(Deadline::after(now, 600).remaining() <= Duration::from_secs(600));
        let Some(earlier) = now.checked_sub(Duration::from_secs(5)) else { return };
        assert!(Deadline::after(earlier, 5).is_over());
        assert!(!Deadline::after(earlier, 60).is_over());
        assert!(Deadline::after(earlier, 60).remaining() <= Duration::from_secs(55));
    }

    #[test]
    fn what_is_kept_for_later_is_no_time_of_what_comes_before() {
        let now = Instant::now();
        let whole = Deadline::after(now, 60);
        let before = whole.for_all_but(Duration::from_secs(6));
        assert_eq!(whole.end() - before.end(), Duration::from_secs(6));
        assert!(before.remaining() <= Duration::from_secs(54));
        assert!(whole.for_all_but(Duration::from_secs(60)).is_over());
        assert_eq!(before.name(), whole.name());
    }
}
