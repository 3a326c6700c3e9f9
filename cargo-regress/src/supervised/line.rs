//! What a supervised run does: it tells its progress to who started it, and ends with it.
//!
//! Standard input is the line between both. When the supervisor closes it, or is gone, however it ended, the run ends at once, with all that it
//! has started.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::os::fd::AsFd;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::setsid;
use rustix::stdio::dup2_stdin;

use super::session;
use crate::exit::INCOMPLETE;
use crate::progress;

/// The first word of the command line of such a run. No user says it.
pub(super) const WORD: &str = "--under-supervision";

/// Sets this process up as such a run if its command line says so; the command line without that.
pub fn under_supervision(mut arguments: Vec<OsString>) -> Vec<OsString> {
    if arguments.get(1).is_some_and(|word| word == WORD) {
        arguments.remove(1);
        progress::tell_program();
        end_with_supervisor();
    }
    arguments
}

/// Held by who ends the run.
static ENDING: Mutex<()> = Mutex::new(());

fn lock() -> MutexGuard<'static, ()> {
    ENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does not return if the run is being ended, which has the process exit once all that it started is killed. Who comes to an end because a
/// program that it waits for was killed would be earlier, and leave the rest behind.
pub fn leave_to_ending() {
    drop(lock());
}

fn end_with_supervisor() {
    // A process that leads a group cannot; then no supervisor started it, and what else is in the session is not this run's.
    let own = setsid().ok();
    let Ok(line) = std::io::stdin().as_fd().try_clone_to_owned() else { return };
    // Nothing that the run starts shall wait for words of the supervisor.
    if let Ok(nothing) = File::open("/dev/null") {
        let _ = dup2_stdin(nothing);
    }
    std::thread::spawn(move || {
        let mut line = File::from(line);
        // Nothing is ever said: it ends.
        while matches!(line.read(&mut [0; 64]), Ok(1..)) {}
        let _ending = lock();
        if let Some(session) = own {
            session::kill(session);
        }
        signal_hook::low_level::exit(i32::from(INCOMPLETE))
    });
}
