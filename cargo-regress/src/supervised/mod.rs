//! Runs of this program in processes of their own, which can be ended at any time.
//!
//! A comparison starts many processes and threads, some of which cannot be interrupted. So what has to end one (a server whose client cancels a request, a
//! watcher that sees a file change) runs this program once more, and ends that process with all that it has started.
//!
//! * [`run`]: such a run, as who started it sees it
//! * [`line`](mod@line): what the process of the run does: it ends with who started it, and tells its progress
//! * [`session`]: all processes that a run has started

mod line;
mod run;
mod session;

pub use line::{leave_to_ending, under_supervision};
pub use run::{Ended, NoEnd, Runs};
