//! A confined process whose memory is bounded, that writes no file and dumps no core.
//!
//! On Linux the limits are set from here as soon as the process has been started, before it is asked for anything. A shell that sets them
//! and then becomes the process would double what it takes to start one, and a difference is confirmed in dozens of new processes.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command};

use super::confine;

/// Starts the program; `own` is the folder that it may write to.
pub fn spawn(
    program: &Path,
    memory_mb: u64,
    own: &Path,
    prepare: &dyn Fn(&mut Command),
) -> io::Result<Child> {
    if cfg!(target_os = "linux") {
        let mut command = Command::new(program);
        // Functions may ask for it, and each version has a worker of its own.
        command.arg0("worker");
        prepare(&mut command);
        let mut child = confine::spawn(&mut command, own)?;
        if limit(&child, memory_mb).is_ok() {
            return Ok(child);
        }
        // Somebody forbids to set limits of other processes.
        child.kill()?;
        child.wait()?;
    }
    let script = format!(
        "ulimit -c 0 2>/dev/null; ulimit -f 0 2>/dev/null; ulimit -v {} 2>/dev/null; exec \"$0\"",
        memory_mb * 1024
    );
    let mut command = Command::new("/bin/sh");
    command.args(["-c", &script]).arg(program);
    prepare(&mut command);
    confine::spawn(&mut command, own)
}

#[cfg(target_os = "linux")]
fn limit(child: &Child, memory_mb: u64) -> io::Result<()> {
    use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};
    let process = Pid::from_child(child);
    for (resource, most) in [(Resource::Core, 0), (Resource::Fsize, 0), (Resource::As, memory_mb << 20)] {
        // What it has from this process may be less, and cannot be raised.
        let most = getrlimit(resource).maximum.map_or(most, |inherited| inherited.min(most));
        prlimit(Some(process), resource, Rlimit { current: Some(most), maximum: Some(most) })?;
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn limit(_child: &Child, _memory_mb: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::process::Stdio;

    use super::*;

    /// The process tells its limits after a line on standard input, which comes when they are set.
    #[cfg(target_os = "linux")]
    #[test]
    fn memory_files_and_dumps_are_limited() {
        let own = tempfile::TempDir::new().unwrap();
        let prepare = |command: &mut Command| {
            command.args(["-c", "read line; ulimit -c; ulimit -f; ulimit -v"]);
            command.stdin(Stdio::piped()).stdout(Stdio::piped());
        };
        let mut child = spawn(Path::new("/bin/sh"), 1000, own.path(), &prepare).unwrap();
        child.stdin.take().unwrap().write_all(b"\n").unwrap();
        let mut said = String::new();
        child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
        assert!(child.wait().unwrap().success());
        assert_eq!(said, "0\n0\n1024000\n");
    }
}
