//! A run that a server has started: it tells its progress to the server, and ends with it.
//!
//! Standard input is the line to the server. When the server closes it, or is gone, however it ended, the run ends at once, with all that it
//! has started.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::os::fd::AsFd;

use rustix::process::setsid;
use rustix::stdio::dup2_stdin;

use super::session;
use crate::exit::INCOMPLETE;
use crate::progress;

/// The first word of the command line of such a run. The server alone says it.
pub(super) const WORD: &str = "--under-server";

/// Sets this process up as such a run if its command line says so; the command line without that.
pub fn under_server(mut arguments: Vec<OsString>) -> Vec<OsString> {
    if arguments.get(1).is_some_and(|word| word == WORD) {
        arguments.remove(1);
        progress::tell_program();
        end_with_server();
    }
    arguments
}

fn end_with_server() {
    // A process that leads a group cannot; then it was no server that started it, and what else is in the session is not this run's.
    let own = setsid().ok();
    let Ok(line) = std::io::stdin().as_fd().try_clone_to_owned() else { return };
    // Nothing that the run starts shall wait for words of the server.
    if let Ok(nothing) = File::open("/dev/null") {
        let _ = dup2_stdin(nothing);
    }
    std::thread::spawn(move || {
        let mut line = File::from(line);
        // Nothing is ever said: it ends.
        while matches!(line.read(&mut [0; 64]), Ok(1..)) {}
        if let Some(session) = own {
            session::kill(session);
        }
        signal_hook::low_level::exit(i32::from(INCOMPLETE))
    });
}
