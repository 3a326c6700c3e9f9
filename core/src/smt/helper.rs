//! Work on threads that can be given up.
//!
//! *Problem.* A call into a foreign library may never come back: a deadlock in it, or work that it does not interrupt. A thread cannot be
//! ended from outside, so whoever makes such a call may wait for ever.
//!
//! *Means.* The call is made by a *helper*, a thread that shares nothing with the one that asks: questions and answers are
//! sent. Who asks waits until the time is up, has the helper interrupted, waits for [`GRACE`], and then gives it up. A
//! helper that was given up is never asked again and is counted until its thread has ended after all. [`MOST_STUCK`] of them
//! at once, and no more are made.
//!
//! Each helper has a second thread that interrupts it, as an interrupt may block as well. It interrupts only while the
//! question is being worked on, so that the next question is never met by it; and again and again, as one that comes
//! between two calls is lost. A helper that was interrupted is not asked again either: what state it is in is not
//! known.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How long an interrupt may go unanswered.
pub(super) const GRACE: Duration = Duration::from_secs(2);
/// How many helpers may be stuck before none are made any more.
pub(super) const MOST_STUCK: usize = 16;
/// From one interrupt to the next.
const AGAIN: Duration = Duration::from_millis(50);
/// Of a helper's stack, in bytes. Solvers recurse along the depth of formulas.
const STACK: usize = 64 << 20;

/// Helpers of one kind: questions `Q` are answered by `A`.
pub(super) struct Staff<Q, A> {
    /// What a helper does: it is to call [`Line::serve`].
    work: fn(Line<Q, A>),
    idle: Mutex<Vec<Helper<Q, A>>>,
    stuck: Arc<AtomicUsize>,
}

/// What became of a question.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reply<A> {
    Answered(A),
    /// The time was up, but there was an answer yet.
    Late(A),
    /// The time was up, and the work was broken off.
    Interrupted,
    /// The interrupt was not answered, or so many helpers are stuck that none was asked.
    GivenUp,
    /// There is no helper: the system gives no thread.
    NoHelper,
}

/// A thread that answers.
struct Helper<Q, A> {
    questions: Sender<(u64, Q)>,
    answers: Receiver<(u64, thread::Result<A>)>,
    /// Questions to be broken off.
    orders: Sender<u64>,
    asked: u64,
    standing: Arc<Standing>,
}

/// What a helper and those who ask it know of each other.
#[derive(Default)]
struct Standing {
    /// The question that is being worked on.
    running: Mutex<Option<u64>>,
    /// Whether it is to be broken off.
    stop: AtomicBool,
    state: Mutex<State>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    AtWork,
    GivenUp,
    Ended,
}

/// A helper's end of the line.
pub(super) struct Line<Q, A> {
    questions: Receiver<(u64, Q)>,
    answers: Sender<(u64, thread::Result<A>)>,
    orders: Receiver<u64>,
    standing: Arc<Standing>,
}

/// A place at which one helper after the other answers.
pub(super) struct Desk<Q: 'static, A: 'static> {
    staff: &'static Staff<Q, A>,
    helper: Option<Helper<Q, A>>,
    /// A helper was given up here.
    given_up: bool,
}

impl Standing {
    /// Returns what it was.
    fn becomes(&self, state: State) -> State {
        std::mem::replace(&mut *lock(&self.state), state)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<Q: Send + 'static, A: Send + 'static> Staff<Q, A> {
    pub fn new(work: fn(Line<Q, A>)) -> Self {
        Staff { work, idle: Mutex::default(), stuck: Arc::default() }
    }

    /// Threads that were given up and have not ended since.
    pub fn stuck(&self) -> usize {
        self.stuck.load(Ordering::SeqCst)
    }

    fn hire(&self) -> Option<Helper<Q, A>> {
        let idle = lock(&self.idle).pop();
        if idle.is_some() {
            return idle;
        }
        let (questions, to_answer) = channel();
        let (answered, answers) = channel();
        let (orders, to_obey) = channel();
        let standing = Arc::<Standing>::default();
        let line = Line {
            questions: to_answer,
            answers: answered,
            orders: to_obey,
            standing: Arc::clone(&standing),
        };
        let leaving = Leaving { standing: Arc::clone(&standing), stuck: Arc::clone(&self.stuck) };
        let work = self.work;
        let started = thread::Builder::new().name("solver".into()).stack_size(STACK).spawn(move || {
            let _leaving = leaving;
            work(line);
        });
        started.is_ok().then_some(Helper { questions, answers, orders, asked: 0, standing })
    }

    fn give_up(&self, helper: Helper<Q, A>) {
        self.stuck.fetch_add(1, Ordering::SeqCst);
        if helper.standing.becomes(State::GivenUp) == State::Ended {
            self.stuck.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// Dropped as the thread ends.
struct Leaving {
    standing: Arc<Standing>,
    stuck: Arc<AtomicUsize>,
}

impl Drop for Leaving {
    fn drop(&mut self) {
        if self.standing.becomes(State::Ended) == State::GivenUp {
            self.stuck.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

impl<Q: Send + 'static, A: Send + 'static> Desk<Q, A> {
    pub fn new(staff: &'static Staff<Q, A>) -> Self {
        Desk { staff, helper: None, given_up: false }
    }

    /// Asks the helper that is here. `question` is told whether it is another one than the last time.
    ///
    /// Returns after `time` and [`GRACE`] at the latest. Once a helper was given up here, nothing is asked here any more.
    pub fn ask(&mut self, question: impl FnOnce(bool) -> Q, time: Duration) -> Reply<A> {
        if self.given_up || self.staff.stuck() >= MOST_STUCK {
            return Reply::GivenUp;
        }
        let known = self.helper.take();
        let question = question(known.is_none());
        let Some(mut helper) = known.or_else(|| self.staff.hire()) else { return Reply::NoHelper };
        helper.asked += 1;
        let number = helper.asked;
        if helper.questions.send((number, question)).is_err() {
            return Reply::NoHelper;
        }
        match helper.answers.recv_timeout(time) {
            Ok((_, Ok(answer))) => {
                self.helper = Some(helper);
                return Reply::Answered(answer);
            }
            Ok((_, Err(panic))) => resume_unwind(panic),
            Err(RecvTimeoutError::Disconnected) => return Reply::NoHelper,
            Err(RecvTimeoutError::Timeout) => {}
        }
        helper.standing.stop.store(true, Ordering::SeqCst);
        // If there is nobody to interrupt, there is nobody who works.
        let _ = helper.orders.send(number);
        match helper.answers.recv_timeout(GRACE) {
            Ok((_, Ok(answer))) => Reply::Late(answer),
            // Foreign code that is interrupted may fail anywhere.
            Ok((_, Err(_))) | Err(RecvTimeoutError::Disconnected) => Reply::Interrupted,
            Err(RecvTimeoutError::Timeout) => {
                self.staff.give_up(helper);
                self.given_up = true;
                Reply::GivenUp
            }
        }
    }
}

impl<Q: 'static, A: 'static> Drop for Desk<Q, A> {
    fn drop(&mut self) {
        if let Some(helper) = self.helper.take() {
            lock(&self.staff.idle).push(helper);
        }
    }
}

impl<Q: Send, A: Send> Line<Q, A> {
    /// Answers until nobody is left to ask. `interrupt` is called on another thread, only while `answer` runs; `answer` is given a flag that
    /// says that it is to come to an end.
    pub fn serve(self, interrupt: impl Fn() + Send, mut answer: impl FnMut(Q, &AtomicBool) -> A) {
        let Line { questions, answers, orders, standing } = self;
        thread::scope(|scope| {
            let watched = Arc::clone(&standing);
            let watch = thread::Builder::new().name("interrupts".into());
            if watch.spawn_scoped(scope, move || obey(&orders, &watched, interrupt)).is_err() {
                return;
            }
            for (number, question) in questions {
                *lock(&standing.running) = Some(number);
                let answered = catch_unwind(AssertUnwindSafe(|| answer(question, &standing.stop)));
                *lock(&standing.running) = None;
                let failed = answered.is_err();
                if answers.send((number, answered)).is_err() || failed {
                    break;
                }
            }
        });
    }
}

/// Interrupts what is to be broken off until it is.
fn obey(orders: &Receiver<u64>, standing: &Standing, interrupt: impl Fn()) {
    while let Ok(number) = orders.recv() {
        loop {
            {
                let running = lock(&standing.running);
                if *running != Some(number) {
                    break;
                }
                interrupt();
            }
            match orders.recv_timeout(AGAIN) {
                Err(RecvTimeoutError::Timeout) => {}
                Ok(_) | Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }
}

#[cfg(test)]
#[path = "helper_tests.rs"]
mod tests;
