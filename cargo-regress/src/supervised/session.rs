//! All processes that a run has started: those of its session.
//!
//! Some are leaders of process groups of their own, so a group does not have them all; and once their parent is gone, they cannot be told by
//! their parents either. They stay in the session, unless they leave it on their own, as daemons do.

use std::collections::HashSet;

use rustix::process::{Pid, Signal, getpid, kill_process};

/// Whether a process runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Life {
    Running,
    /// Dead, and there until its parent asks for it. Threads of it may run all the same, where the first one has ended.
    Dead,
}

/// Kills all processes of the session but this one.
///
/// A process that is sent the signal starts no other any more. So once no process is found that was not sent it, there is none.
pub fn kill(session: Pid) {
    let mut told = HashSet::from([getpid()]);
    loop {
        let found = members(session).into_iter().map(|(pid, _)| pid).filter(|pid| told.insert(*pid));
        let found: Vec<Pid> = found.collect();
        if found.is_empty() {
            return;
        }
        for pid in found {
            // It may be gone by itself.
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

/// Whether no process of the session runs any more.
pub fn is_over(session: Pid) -> bool {
    members(session).iter().all(|(_, life)| *life == Life::Dead)
}

/// The processes of the session.
#[cfg(target_os = "linux")]
fn members(session: Pid) -> Vec<(Pid, Life)> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| pid(entry.file_name().to_str()?));
    let member = |pid: Pid| {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
        let (own, life) = session_in(&stat)?;
        (own == session).then_some((pid, life))
    };
    pids.filter_map(member).collect()
}

/// The session that `/proc/PID/stat` names; none for what the kernel started (`proc(5)`). Behind the name of the program, which may hold anything,
/// stand state, parent, group and session.
#[cfg(target_os = "linux")]
fn session_in(stat: &str) -> Option<(Pid, Life)> {
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace();
    let life = if matches!(fields.next()?, "Z" | "X") { Life::Dead } else { Life::Running };
    Some((pid(fields.nth(2)?)?, life))
}

/// The processes of the session.
#[cfg(not(target_os = "linux"))]
fn members(session: Pid) -> Vec<(Pid, Life)> {
    let listed = std::process::Command::new("ps").args(["-A", "-o", "pid=,state="]).output();
    let text = listed.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let member = |line: &str| {
        let (number, state) = line.trim().split_once(' ')?;
        let pid = pid(number)?;
        let life = if state.trim().starts_with('Z') { Life::Dead } else { Life::Running };
        (rustix::process::getsid(Some(pid)) == Ok(session)).then_some((pid, life))
    };
    text.lines().filter_map(member).collect()
}

fn pid(text: &str) -> Option<Pid> {
    Pid::from_raw(text.parse().ok()?)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    use super::*;

    #[track_caller]
    fn check(stat: &str, expected: Option<(i32, Life)>) {
        let found = session_in(stat).map(|(pid, life)| (pid.as_raw_nonzero().get(), life));
        assert_eq!(found, expected, "{stat}");
    }

    #[test]
    fn a_program_may_have_any_name() {
        check("12 (sh) S 1 12 7 34816 12 4194304", Some((7, Life::Running)));
        check("12 (a) S 5 (b) c) R 1 12 9 0 -1 4194304", Some((9, Life::Running)));
        check("12 (sh) Z 1 12 7 0 -1 4194304", Some((7, Life::Dead)));
        check("2 (kthreadd) S 0 0 0 0 -1 2129984", None);
        check("", None);
    }

    /// A session is begun for it: the one that the test runs in may have been begun where it cannot be seen from here, as in containers.
    #[test]
    fn a_session_has_its_processes_until_they_are_dead() {
        let mut leader = Command::new("setsid");
        leader.args(["sh", "-c", "sleep 60 & echo $!; wait"]).stdout(Stdio::piped());
        let mut leader = leader.spawn().expect("`setsid` is there");
        let mut told = String::new();
        let stdout = leader.stdout.take().expect("it is piped");
        BufReader::new(stdout).read_line(&mut told).expect("it tells the process that it has started");
        let started = pid(told.trim()).expect("a number");
        let session = Pid::from_child(&leader);
        let life =
            |pid: Pid| members(session).into_iter().find(|(member, _)| *member == pid).map(|(_, life)| life);
        assert_eq!((life(session), life(started)), (Some(Life::Running), Some(Life::Running)));
        assert_eq!(life(getpid()), None);
        assert!(!is_over(session));
        kill(session);
        while !is_over(session) {
            std::thread::yield_now();
        }
        assert_ne!(life(started), Some(Life::Running));
        // Until it is asked for it is there.
        assert_eq!(life(session), Some(Life::Dead));
        leader.wait().expect("it ends");
        assert_eq!(life(session), None);
    }
}
