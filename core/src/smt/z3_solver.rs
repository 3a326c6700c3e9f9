//! Z3 as a [`Solver`], asked through a [`helper`](super::helper).
//!
//! No question takes longer than its time and a little, whatever Z3 does: the helper is interrupted when the time is
//! up, and given up if that is of no use. Z3's own `timeout` is never set: the timers that it starts deadlock in
//! versions that are in use (4.8.10 to 4.8.12, <https://github.com/Z3Prover/z3/pull/5371>).
//!
//! What a question costs is limited by Z3's own count of work; the clock is a guard.

use std::sync::LazyLock;
use std::time::Duration;

use super::helper::{Desk, Reply, Staff};
use super::z3_engine::{self, Question, Stage};
use super::{Answer, Solver, SolverLimits, UnknownReason};
use crate::term::{Mark, TermId, TermPool};

/// What an attempt that may gain nothing gets of the limits: one of so many parts.
const ATTEMPT_SHARE: u32 = 4;
/// Less time than this is none.
const LEAST_TIME: Duration = Duration::from_millis(1);

pub(super) type Z3Staff = Staff<Question, Option<Answer>>;

static Z3: LazyLock<Z3Staff> = LazyLock::new(|| Staff::new(z3_engine::serve));

/// Z3, in a context of its own as long as this value lives.
pub struct Z3Solver {
    desk: Desk<Question, Option<Answer>>,
    /// How much of the pool the helper has.
    mark: Mark,
}

/// Threads that hang in Z3 and were given up.
pub fn stuck_threads() -> usize {
    Z3.stuck()
}

impl Default for Z3Solver {
    fn default() -> Self {
        Self::new()
    }
}

impl Z3Solver {
    pub fn new() -> Self {
        #[cfg(test)]
        if let Some(staff) = testing::STAFF.get() {
            return Self::of(staff);
        }
        Self::of(&Z3)
    }

    fn of(staff: &'static Z3Staff) -> Self {
        Z3Solver { desk: Desk::new(staff), mark: Mark::default() }
    }

    fn ask(
        &mut self,
        pool: &TermPool,
        assertions: &[TermId],
        stage: Stage,
        limits: &SolverLimits,
    ) -> Reply<Option<Answer>> {
        let mark = &mut self.mark;
        let question = |another_helper| {
            if another_helper {
                *mark = Mark::default();
            }
            Question {
                addition: mark.advance(pool),
                stage,
                assertions: assertions.to_vec(),
                resources: limits.resources,
            }
        };
        self.desk.ask(question, limits.time)
    }
}

impl Solver for Z3Solver {
    fn check(&mut self, pool: &TermPool, assertions: &[TermId], limits: &SolverLimits) -> Answer {
        if limits.time < LEAST_TIME {
            return Answer::Unknown(UnknownReason::Timeout);
        }
        let mut integers_tell = true;
        for attempt in z3_engine::attempts(pool, assertions) {
            let of_integers = matches!(attempt, Stage::Integers(_));
            if of_integers && !integers_tell {
                continue;
            }
            match self.ask(pool, assertions, attempt, &limits.share(ATTEMPT_SHARE)) {
                Reply::Answered(Some(answer @ (Answer::Sat(_) | Answer::Unsat)))
                | Reply::Late(Some(answer @ (Answer::Sat(_) | Answer::Unsat))) => return answer,
                Reply::GivenUp => return Answer::Unknown(UnknownReason::GivenUp),
                // Another arithmetic would tell no more.
                Reply::Answered(None) if of_integers => integers_tell = false,
                Reply::Answered(_) | Reply::Late(_) | Reply::Interrupted | Reply::NoHelper => {}
            }
        }
        match self.ask(pool, assertions, Stage::Exact, limits) {
            Reply::Answered(Some(answer)) => answer,
            Reply::Late(Some(answer @ (Answer::Sat(_) | Answer::Unsat))) => answer,
            Reply::Late(_) | Reply::Interrupted => Answer::Unknown(UnknownReason::Timeout),
            Reply::GivenUp => Answer::Unknown(UnknownReason::GivenUp),
            Reply::Answered(None) | Reply::NoHelper => {
                Answer::Unknown(UnknownReason::Other("the system gives no thread for it".to_string()))
            }
        }
    }
}

/// Other solvers in Z3's place.
#[cfg(test)]
pub(crate) mod testing {
    use std::cell::Cell;

    use super::Z3Staff;

    thread_local! {
        pub(super) static STAFF: Cell<Option<&'static Z3Staff>> = const { Cell::new(None) };
    }

    /// As long as `work` runs, solvers that are made on this thread never answer, interrupted or not.
    pub fn with_a_stuck_solver<T>(work: impl FnOnce() -> T) -> T {
        let staff: &'static Z3Staff = Box::leak(Box::new(Z3Staff::new(|line| {
            line.serve(
                || {},
                |_, _| loop {
                    std::thread::park();
                },
            );
        })));
        STAFF.set(Some(staff));
        let result = work();
        STAFF.set(None);
        result
    }
}
