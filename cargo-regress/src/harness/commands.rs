//! Commands that may take only so long, cargo and programs of tests among them.

use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid};

use super::confine;
use super::request::HarnessError;

/// What is killed of a command that does not end in time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kill {
    Itself,
    /// What it started as well. An interrupt at the terminal does not reach it.
    All,
}

/// How long what an ended command has written is waited for.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// What a command writes to its standard output. None if it does not end in time.
pub(super) fn output_within(
    mut command: Command,
    limit: Duration,
    kill: Kill,
) -> Result<Option<(ExitStatus, String)>, HarnessError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let failed = |source| HarnessError::Spawn { program: program.clone(), source };
    if kill == Kill::All {
        command.process_group(0);
    }
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().map_err(failed)?;
    // What it writes is read while it runs, lest it wait for a reader.
    let mut stdout = child.stdout.take();
    let (written, text) = channel();
    std::thread::spawn(move || {
        let mut chunk = [0; 1 << 16];
        while let Some(Ok(read @ 1..)) = stdout.as_mut().map(|stdout| stdout.read(&mut chunk)) {
            if written.send(chunk[..read].to_vec()).is_err() {
                return;
            }
        }
    });
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait().map_err(failed)? {
            let mut all = Vec::new();
            // What it started may hold the line for ever.
            let until = Instant::now() + LAST_WORDS;
            while let Ok(chunk) = text.recv_timeout(until.saturating_duration_since(Instant::now())) {
                all.extend(chunk);
            }
            return Ok(Some((status, String::from_utf8_lossy(&all).into_owned())));
        }
        if started.elapsed() > limit {
            if kill == Kill::All {
                let _ = kill_process_group(Pid::from_child(&child), Signal::KILL);
            }
            let _ = child.kill();
            let _ = child.wait();
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Runs a command that may write to this folder only and reaches no network, and ends it with all that it started if it takes longer.
pub(super) fn end_within(mut command: Command, limit: Duration, own: &Path) -> Result<(), HarnessError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let failed = |source| HarnessError::Spawn { program: program.clone(), source };
    command.process_group(0);
    let mut child = confine::spawn(&mut command, own).map_err(failed)?;
    let process = Pid::from_child(&child);
    // Its number is its own until it is waited for.
    let is_over = || {
        let how = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(process), how), Ok(None))
    };
    let started = Instant::now();
    while !is_over() && started.elapsed() <= limit {
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = kill_process_group(process, Signal::KILL);
    child.wait().map(|_| ()).map_err(failed)
}

/// Tells a command that nobody waits for it any more.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    pub fn now(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn is_asked_for(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// How often a command that may be stopped is looked after.
const LOOK: Duration = Duration::from_millis(50);

/// What a command writes to both of its outputs. None if it does not end in time, or is stopped: then it is killed, where it has a time to keep with all that it started.
/// Without one an interrupt at the terminal reaches it.
pub(super) fn output_until(
    mut command: Command,
    until: Option<Instant>,
    stop: Option<&Stop>,
) -> io::Result<Option<Output>> {
    if until.is_none() && stop.is_none() {
        return command.output().map(Some);
    }
    if until.is_some() {
        command.process_group(0);
    }
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let process = Pid::from_child(&child);
    let (ended, wait_for_end) = channel::<()>();
    let stop = stop.cloned();
    let watch = std::thread::spawn(move || {
        loop {
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            let look = if stop.is_some() { LOOK } else { Duration::MAX };
            let is_late = left == Some(Duration::ZERO) || stop.as_ref().is_some_and(Stop::is_asked_for);
            if is_late {
                let _ = match until {
                    Some(_) => kill_process_group(process, Signal::KILL),
                    None => kill_process(process, Signal::KILL),
                };
                return true;
            }
            let wait = left.unwrap_or(Duration::MAX).min(look);
            if wait_for_end.recv_timeout(wait) != Err(RecvTimeoutError::Timeout) {
                return false;
            }
        }
    });
    let output = child.wait_with_output();
    drop(ended);
    let is_late = watch.join().unwrap_or(false);
    output.map(|output| (!is_late).then_some(output))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_confined_ends_in_time_and_writes_where_it_may() {
        let (own, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let mut command = Command::new("sh");
        let elsewhere = other.path().join("told");
        command.arg("-c").arg("echo told > told; echo told > \"$0\"; sleep 60").arg(&elsewhere);
        command.current_dir(own.path()).stderr(Stdio::null());
        let started = Instant::now();
        end_within(command, Duration::from_secs(2), own.path()).expect("a shell can be run");
        assert!(started.elapsed() < Duration::from_secs(40));
        assert!(own.path().join("told").is_file());
        assert_eq!(elsewhere.is_file(), !confine::here().files);
    }

    #[test]
    fn what_a_command_leaves_behind_is_not_waited_for() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo said; sleep 60 &"]);
        let started = std::time::Instant::now();
        let ended =
            output_within(command, Duration::from_secs(50), Kill::Itself).expect("a shell can be run");
        assert_eq!(ended.map(|(_, text)| text).as_deref(), Some("said\n"));
        assert!(started.elapsed() < Duration::from_secs(40));
    }

    #[test]
    fn what_does_not_end_is_killed_with_all_that_it_started() {
        // The inner shell would go on writing if it lived.
        let directory = tempfile::tempdir().expect("a directory");
        let script = "sh -c 'while :; do echo >> alive; sleep 0.02; done' & wait";
        let mut command = Command::new("sh");
        command.args(["-c", script]).current_dir(directory.path());
        let ended = output_within(command, Duration::from_secs(2), Kill::All).expect("a shell can be run");
        assert!(ended.is_none());
        std::thread::sleep(Duration::from_millis(100));
        let length = || std::fs::metadata(directory.path().join("alive")).map(|data| data.len()).unwrap_or(0);
        let then = length();
        assert!(then > 0, "it was started");
        std::thread::sleep(Duration::from_millis(200));
        assert_eq!(length(), then);
    }

    #[test]
    fn what_ends_tells_what_it_wrote() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo told; exit 3"]);
        let (status, text) = output_within(command, Duration::from_secs(60), Kill::Itself)
            .expect("a shell can be run")
            .expect("it ends");
        assert_eq!((status.code(), text.as_str()), (Some(3), "told\n"));
    }

    #[test]
    fn what_goes_on_beyond_its_time_is_ended() {
        let shell = |script: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            command
        };
        let within = |seconds| Some(Instant::now() + Duration::from_secs(seconds));
        let started = Instant::now();
        assert!(
            output_until(shell("sleep 60 & wait"), within(1), None).expect("a shell can be run").is_none()
        );
        assert!(started.elapsed() < Duration::from_secs(30));
        for until in [None, within(60)] {
            let ended = output_until(shell("echo told; echo complained >&2; exit 3"), until, None);
            let output = ended.expect("a shell can be run").expect("it ends");
            assert_eq!(
                (output.status.code(), &*output.stdout, &*output.stderr),
                (Some(3), &b"told\n"[..], &b"complained\n"[..])
            );
        }
    }

    #[test]
    fn what_nobody_waits_for_any_more_is_ended() {
        let started = Instant::now();
        // Without a time to keep it is ended alone.
        for (script, until) in
            [("exec sleep 60", None), ("sleep 60 & wait", Some(started + Duration::from_secs(60)))]
        {
            let stop = Stop::default();
            let asked = stop.clone();
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            let running = std::thread::spawn(move || output_until(command, until, Some(&asked)));
            std::thread::sleep(Duration::from_millis(100));
            assert!(!running.is_finished());
            stop.now();
            assert!(running.join().expect("no panic").expect("a shell can be run").is_none());
        }
        assert!(started.elapsed() < Duration::from_secs(30));
    }
}
