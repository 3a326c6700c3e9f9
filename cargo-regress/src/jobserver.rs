//! The jobserver of a `make` or a cargo that started this program: a pipe that holds a byte for each job that may yet begin.
//!
//! Cargo and rustc, which this program starts, find it on their own. What is done on threads of this program takes a token
//! for each job but one, for which the token is that of the program itself.
//!
//! Limits: a token that is held when the program is killed is lost, as with every client. On Windows, where a jobserver is a
//! semaphore, none is found.
//!
//! Protocol: "Sharing Job Slots with GNU make", section 13.1 of the manual of GNU make. (The `jobserver` crate can connect to one
//! only by an unsafe function.)

use std::env;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, ensure};

/// Where tokens are to be had; without a jobserver there is one for everybody.
#[derive(Debug, Default)]
pub struct Jobserver {
    pipe: Option<Pipe>,
    /// Whether a job has the token of the program itself.
    own_is_taken: AtomicBool,
}

#[derive(Debug)]
struct Pipe {
    read: File,
    write: File,
}

/// Leave to do one job, for as long as it is held.
#[derive(Debug)]
pub struct Token<'j> {
    server: &'j Jobserver,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// There is no jobserver, or it is gone.
    Unlimited,
    Own,
    /// The byte that goes back.
    Taken(u8),
}

impl Jobserver {
    /// The one that the environment names, if it can be used: a rule of a makefile without `+` names one that it does not pass on.
    pub fn from_env() -> Jobserver {
        let named = ["CARGO_MAKEFLAGS", "MAKEFLAGS", "MFLAGS"].into_iter().filter_map(env::var_os);
        Jobserver {
            pipe: named.filter_map(address).find_map(|address| Pipe::open(&address).ok()),
            ..Jobserver::default()
        }
    }

    /// Waits until one more job may begin.
    pub fn token(&self) -> Token<'_> {
        let kind = match &self.pipe {
            None => Kind::Unlimited,
            Some(_) if !self.own_is_taken.swap(true, Ordering::AcqRel) => Kind::Own,
            Some(pipe) => pipe.take().map_or(Kind::Unlimited, Kind::Taken),
        };
        Token { server: self, kind }
    }
}

impl Drop for Token<'_> {
    fn drop(&mut self) {
        match self.kind {
            Kind::Unlimited => {}
            Kind::Own => self.server.own_is_taken.store(false, Ordering::Release),
            Kind::Taken(byte) => {
                // Without a jobserver to give it back to, nobody waits for it.
                let _ = self.server.pipe.as_ref().map(|pipe| pipe.give(byte));
            }
        }
    }
}

/// The two ends of a jobserver's pipe, which may be one named pipe.
#[derive(Debug, PartialEq, Eq)]
struct Address {
    read: PathBuf,
    write: PathBuf,
}

/// What follows the last `--jobserver-auth=`, or `--jobserver-fds=` of older versions of make.
fn address(flags: OsString) -> Option<Address> {
    let flags = flags.into_string().ok()?;
    let auth = flags.split_whitespace().rev().find_map(|flag| {
        flag.strip_prefix("--jobserver-auth=").or_else(|| flag.strip_prefix("--jobserver-fds="))
    })?;
    if let Some(path) = auth.strip_prefix("fifo:") {
        return Some(Address { read: path.into(), write: path.into() });
    }
    let (read, write) = auth.split_once(',')?;
    // Negative numbers say that there is none.
    let end =
        |number: &str| number.parse::<u32>().ok().map(|number| PathBuf::from(format!("/dev/fd/{number}")));
    Some(Address { read: end(read)?, write: end(write)? })
}

impl Pipe {
    fn open(Address { read, write }: &Address) -> anyhow::Result<Pipe> {
        for end in [read, write] {
            ensure!(is_pipe(end)?, "{} is no pipe", end.display());
        }
        // A named pipe that nobody else has open would keep whoever opens one end of it waiting.
        let mut options = OpenOptions::new();
        options.read(true).write(read == write);
        Ok(Pipe { read: options.open(read)?, write: OpenOptions::new().write(true).open(write)? })
    }

    fn take(&self) -> anyhow::Result<u8> {
        let mut byte = [0];
        (&self.read).read_exact(&mut byte).context("the jobserver is gone")?;
        Ok(byte[0])
    }

    fn give(&self, byte: u8) -> std::io::Result<()> {
        (&self.write).write_all(&[byte])
    }
}

#[cfg(unix)]
fn is_pipe(path: &Path) -> std::io::Result<bool> {
    use std::os::unix::fs::FileTypeExt;
    Ok(fs::metadata(path)?.file_type().is_fifo())
}

#[cfg(not(unix))]
fn is_pipe(path: &Path) -> std::io::Result<bool> {
    fs::metadata(path).map(|_| false)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    #[track_caller]
    fn check(flags: &str, expected: Option<(&str, &str)>) {
        let expected = expected.map(|(read, write)| Address { read: read.into(), write: write.into() });
        assert_eq!(address(flags.into()), expected);
    }

    #[test]
    fn addresses_are_those_that_make_writes() {
        check(" -j4 --jobserver-auth=3,4", Some(("/dev/fd/3", "/dev/fd/4")));
        check(
            "-j --jobserver-fds=3,4 --jobserver-auth=fifo:/tmp/GMfifo1",
            Some(("/tmp/GMfifo1", "/tmp/GMfifo1")),
        );
        check("s -j4 --jobserver-auth=-2,-2", None);
        check("-j4", None);
    }

    #[test]
    fn what_is_no_pipe_is_no_jobserver() {
        let file = tempfile::NamedTempFile::new().expect("writable");
        let path = file.path().to_path_buf();
        assert!(Pipe::open(&Address { read: path.clone(), write: path }).is_err());
    }

    #[test]
    fn without_a_jobserver_nobody_waits() {
        let server = Jobserver::default();
        let _both = (server.token(), server.token());
    }

    #[cfg(unix)]
    #[test]
    fn jobs_beyond_the_first_wait_for_tokens_and_give_them_back() {
        let folder = tempfile::tempdir().expect("writable");
        let path = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&path).status().expect("it is there");
        assert!(made.success());
        let pipe = Pipe::open(&Address { read: path.clone(), write: path }).expect("a pipe");
        pipe.give(b'+').expect("there is room");
        let server = &Jobserver { pipe: Some(pipe), ..Jobserver::default() };
        let (first, second) = (server.token(), server.token());
        std::thread::scope(|scope| {
            let (send, began) = mpsc::channel();
            scope.spawn(move || {
                let _third = server.token();
                send.send(()).expect("somebody listens");
            });
            assert!(began.recv_timeout(Duration::from_millis(100)).is_err());
            drop(second);
            began.recv_timeout(Duration::from_secs(60)).expect("a token was given back");
        });
        drop(first);
        let _one_more = (server.token(), server.token());
    }
}
