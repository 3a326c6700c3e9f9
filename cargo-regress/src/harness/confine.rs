//! What a process that runs functions of the crate may do to the machine.
//!
//! A thread of ours restricts itself and then starts the process, which inherits the restrictions and cannot get rid of
//! them. So no program has to stand between, and other threads stay free.
//!
//! * Files: [Landlock](https://docs.kernel.org/userspace-api/landlock.html), Linux 5.13 and later. Nothing is created, written, renamed or removed, but in the folder
//!   of the process. Everything can be read. Files can be shortened before Linux 6.2.
//! * Network: [seccomp](https://docs.kernel.org/userspace-api/seccomp_filter.html). Sockets can be made of the kind that has a path only (`AF_UNIX`), which the process is talked to
//!   by. Landlock keeps off those without a path, and signals to other processes, from Linux 6.12 on.
//!
//! Limits: nothing on other systems, nor where the kernel was built without these; [`statement`] says so in the report. What listens at a path can be
//! reached.

use std::io;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::OnceLock;

/// What holds for a process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Confinement {
    /// It writes to its own folder alone.
    pub files: bool,
    /// It reaches no network.
    pub network: bool,
}

/// Starts the process with what can be had of the restrictions; `own` is the folder that it may write to.
pub fn spawn(command: &mut Command, own: &Path) -> io::Result<Child> {
    std::thread::scope(|scope| {
        let starter = std::thread::Builder::new().name("starter".into());
        let started = starter.spawn_scoped(scope, || {
            restrict(own);
            command.spawn()
        })?;
        started.join().unwrap_or_else(|_| Err(io::Error::other("the thread that starts it failed")))
    })
}

/// What holds here; tried once, on a thread that ends.
pub fn here() -> Confinement {
    static HERE: OnceLock<Confinement> = OnceLock::new();
    *HERE.get_or_init(|| {
        let tried = std::thread::Builder::new().spawn(|| restrict(&std::env::temp_dir()));
        tried.ok().and_then(|thread| thread.join().ok()).unwrap_or_default()
    })
}

/// What the report says of it; nothing if processes are confined.
pub fn statement(confinement: Confinement) -> Option<&'static str> {
    match (confinement.files, confinement.network) {
        (true, true) => None,
        (true, false) => Some(
            "this system cannot keep functions that are run off the network; those whose names or dependencies tell of effects are not run",
        ),
        (false, true) => Some(
            "this system cannot keep functions that are run from writing files; those whose names or dependencies tell of effects are not run",
        ),
        (false, false) => Some(
            "this system cannot keep functions that are run from writing files or off the network; those whose names or dependencies tell of effects are not run",
        ),
    }
}

#[cfg(target_os = "linux")]
fn restrict(own: &Path) -> Confinement {
    // In this order: the filter lets through what Landlock needs, but it is simpler to rely on nothing.
    Confinement { files: linux::restrict_files(own), network: linux::restrict_network() }
}

#[cfg(not(target_os = "linux"))]
fn restrict(_own: &Path) -> Confinement {
    Confinement::default()
}

#[cfg(target_os = "linux")]
mod linux {
    use std::path::Path;

    use landlock::{
        ABI, AccessFs, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
        RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
    };

    /// The newest that is asked for; of an older kernel, what it has.
    const KNOWN: ABI = ABI::V6;

    pub fn restrict_files(own: &Path) -> bool {
        // What is written there is lost.
        const SINKS: [&str; 2] = ["/dev/null", "/dev/zero"];
        let restrict = || -> Result<RulesetStatus, RulesetError> {
            let mut ruleset = Ruleset::default()
                .set_compatibility(CompatLevel::BestEffort)
                .handle_access(AccessFs::from_write(KNOWN))?
                .scope(Scope::AbstractUnixSocket | Scope::Signal)?
                .create()?;
            if let Ok(folder) = PathFd::new(own) {
                ruleset = ruleset.add_rule(PathBeneath::new(folder, AccessFs::from_write(KNOWN)))?;
            }
            for sink in SINKS {
                if let Ok(sink) = PathFd::new(sink) {
                    let access = AccessFs::WriteFile | AccessFs::Truncate;
                    ruleset = ruleset.add_rule(PathBeneath::new(sink, access))?;
                }
            }
            Ok(ruleset.restrict_self()?.ruleset)
        };
        matches!(restrict(), Ok(RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced))
    }

    #[cfg(all(target_endian = "little", any(target_arch = "x86_64", target_arch = "aarch64")))]
    pub fn restrict_network() -> bool {
        use seccompiler::{
            BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
            SeccompRule,
        };
        let restrict = || -> Result<(), seccompiler::Error> {
            let family = u64::from(libc::AF_UNIX.unsigned_abs());
            let other = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, family)?;
            let rules = [
                (libc::SYS_socket, vec![SeccompRule::new(vec![other])?]),
                // Rings make sockets without the call above.
                (libc::SYS_io_uring_setup, Vec::new()),
            ];
            let refused = SeccompAction::Errno(libc::EACCES.unsigned_abs());
            let arch = std::env::consts::ARCH.try_into()?;
            let filter =
                SeccompFilter::new(rules.into_iter().collect(), SeccompAction::Allow, refused, arch)?;
            seccompiler::apply_filter(&BpfProgram::try_from(filter)?)
        };
        restrict().is_ok()
    }

    #[cfg(not(all(target_endian = "little", any(target_arch = "x86_64", target_arch = "aarch64"))))]
    pub fn restrict_network() -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::net::{TcpListener, UdpSocket};
    use std::process::Stdio;

    use super::*;

    /// Has a shell run the script as a process that is confined to `own`; whether it succeeds.
    fn succeeds(own: &Path, program: &str, arguments: &[&str]) -> bool {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = spawn(&mut command, own).unwrap();
        child.wait().unwrap().success()
    }

    #[test]
    fn files_are_written_in_the_own_folder_only() {
        let (own, other) = (tempfile::TempDir::new().unwrap(), tempfile::TempDir::new().unwrap());
        let kept = other.path().join("kept");
        fs::write(&kept, "text").unwrap();
        let (new, kept_name) = (other.path().join("new"), kept.to_str().unwrap());
        let inside = own.path().join("new");
        let shell = |script: &str| succeeds(own.path(), "/bin/sh", &["-c", script]);
        assert!(shell(&format!("echo text > {}", inside.display())));
        assert!(shell(&format!("cat {kept_name} > /dev/null")));
        if !here().files {
            return;
        }
        assert!(!shell(&format!("echo text > {}", new.display())));
        assert!(!shell(&format!("echo more >> {kept_name}")));
        assert!(!shell(&format!("rm {kept_name}")));
        assert!(!shell(&format!("mkdir {}", new.display())));
        assert!(!shell(&format!("mv {kept_name} {}", inside.display())));
        assert_eq!(fs::read_to_string(&kept).unwrap(), "text");
        // This process goes on as it was.
        fs::write(&new, "text").unwrap();
    }

    /// The process is this test program, asked to run the test below only.
    #[test]
    fn there_is_no_network() {
        let own = tempfile::TempDir::new().unwrap();
        let program = std::env::current_exe().unwrap();
        let arguments = ["--ignored", "--exact", "harness::confine::tests::opens_sockets"];
        assert!(TcpListener::bind("127.0.0.1:0").is_ok());
        let has_network = succeeds(own.path(), program.to_str().unwrap(), &arguments);
        assert_eq!(has_network, !here().network);
    }

    #[test]
    #[ignore = "run by the test above in a process of its own"]
    fn opens_sockets() {
        std::os::unix::net::UnixStream::pair().unwrap();
        assert!(TcpListener::bind("127.0.0.1:0").is_ok() || UdpSocket::bind("127.0.0.1:0").is_ok());
    }

    #[test]
    fn what_does_not_hold_is_said() {
        let check = |files, network, says: &[&str]| {
            let text = statement(Confinement { files, network }).unwrap_or_default();
            assert_eq!(["files", "network"].iter().filter(|word| text.contains(*word)).count(), says.len());
            assert!(says.iter().all(|word| text.contains(word)), "{text}");
        };
        check(true, true, &[]);
        check(true, false, &["network"]);
        check(false, true, &["files"]);
        check(false, false, &["files", "network"]);
    }
}
