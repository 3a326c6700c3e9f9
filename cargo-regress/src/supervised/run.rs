//! One run of this program in a process of its own.

use std::ffi::OsString;
use std::future::Future;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use rustix::process::Pid;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, BufReader};
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::Mutex;
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use super::{line, session};
use crate::progress::Event;

/// How long a run that is to end may take to end by itself.
const GRACE: Duration = Duration::from_millis(500);
/// How long what an ended run has written is waited for: what it started may hold the line for ever.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Runs of one supervisor, one at a time.
#[derive(Clone, Debug)]
pub struct Runs {
    program: PathBuf,
    turn: Arc<Mutex<()>>,
}

/// How a run ended.
#[derive(Debug)]
pub struct Ended {
    pub status: ExitStatus,
    pub stdout: String,
    /// What it wrote to standard error, without its progress.
    pub stderr: String,
    /// What it wrote to the file for its report.
    pub report: Option<String>,
}

/// Why a run came to no end of its own.
#[derive(Debug, thiserror::Error)]
pub enum NoEnd {
    #[error("{0}")]
    NotAsked(anyhow::Error),
    #[error("the request was cancelled")]
    Cancelled,
    #[error("{} cannot be run: {source}", program.display())]
    NotRun { program: PathBuf, source: io::Error },
}

impl Runs {
    pub fn of_this_program() -> io::Result<Runs> {
        Ok(Runs { program: std::env::current_exe()?, turn: Arc::default() })
    }

    /// Waits until no run is going on.
    pub async fn over(&self) {
        drop(self.turn.lock().await);
    }

    /// Runs the program on `words`, which are told where a report may be written to, when it is its turn. Its progress goes to `told`.
    ///
    /// Once `cancelled` is done the run is ended, with all processes that it started and all files but those of `regress/`.
    pub async fn run(
        &self,
        words: impl FnOnce(&Path) -> anyhow::Result<Vec<OsString>>,
        told: UnboundedSender<Event>,
        cancelled: impl Future<Output = ()>,
    ) -> Result<Ended, NoEnd> {
        let mut cancelled = std::pin::pin!(cancelled);
        let _turn = match self.turn.try_lock() {
            Ok(turn) => turn,
            Err(_) => {
                // Whoever does not listen need not know.
                let _ = told.send(Event::Step("Waiting for an earlier request to end".to_owned()));
                either(self.turn.lock(), cancelled.as_mut()).await.ok_or(NoEnd::Cancelled)?
            }
        };
        let failed = |source| NoEnd::NotRun { program: self.program.clone(), source };
        // What the run keeps in the folder for temporary files goes with it, however it ends.
        let folder = tempfile::Builder::new().prefix("cargo-regress-run-").tempdir().map_err(failed)?;
        let report = folder.path().join("report.json");
        let mut command = Command::new(&self.program);
        command.arg(line::WORD).args(words(&report).map_err(NoEnd::NotAsked)?).env("TMPDIR", folder.path());
        let mut run = Run::start(command, folder, told).map_err(failed)?;
        let ended = either(run.child.wait(), cancelled).await;
        match ended {
            Some(status) => {
                let status = status.map_err(failed)?;
                let (stdout, stderr) = (words_of(run.stdout).await, words_of(run.stderr).await);
                Ok(Ended { status, stdout, stderr, report: std::fs::read_to_string(&report).ok() })
            }
            None => {
                run.end().await;
                Err(NoEnd::Cancelled)
            }
        }
    }
}

/// A run that goes on. It ends when this is dropped, for its standard input is closed then.
struct Run {
    child: Child,
    /// Its standard input. Waiting for a child would close what it has itself.
    line: Option<ChildStdin>,
    stdout: JoinHandle<String>,
    stderr: JoinHandle<String>,
    folder: TempDir,
}

impl Run {
    fn start(mut command: Command, folder: TempDir, told: UnboundedSender<Event>) -> io::Result<Run> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let (line, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        Ok(Run {
            child,
            line,
            stdout: tokio::spawn(whole(stdout)),
            stderr: tokio::spawn(without_events(stderr, told)),
            folder,
        })
    }

    /// Ends the run.
    async fn end(mut self) {
        let session = self.child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        // It ends when its standard input does, and all that it started with it.
        drop(self.line.take());
        if timeout(GRACE, self.child.wait()).await.is_err() {
            // It may be gone just now.
            let _ = self.child.start_kill();
        }
        if let Some(session) = session {
            session::kill(session);
            let gone = async {
                while !session::is_over(session) {
                    sleep(Duration::from_millis(5)).await;
                }
            };
            // What the kernel does not let go yet does so later.
            let _ = timeout(GRACE, gone).await;
        }
        let _ = self.child.wait().await;
        self.stdout.abort();
        self.stderr.abort();
        // What cannot be removed lies where such files are expected.
        let _ = self.folder.close();
    }
}

/// What `wanted` gives, or none if `cancelled` is done before.
async fn either<T>(wanted: impl Future<Output = T>, cancelled: impl Future<Output = ()>) -> Option<T> {
    tokio::select! {
        done = wanted => Some(done),
        () = cancelled => None,
    }
}

/// What a reader has read when its line is closed; nothing if it is not closed in time.
async fn words_of(mut reader: JoinHandle<String>) -> String {
    match timeout(LAST_WORDS, &mut reader).await {
        Ok(words) => words.unwrap_or_default(),
        Err(_) => {
            reader.abort();
            String::new()
        }
    }
}

async fn whole(from: Option<impl AsyncRead + Unpin>) -> String {
    let mut bytes = Vec::new();
    if let Some(mut from) = from {
        // What cannot be read any more is over.
        let _ = from.read_to_end(&mut bytes).await;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Tells the events among the lines; the other lines.
async fn without_events(from: Option<impl AsyncRead + Unpin>, told: UnboundedSender<Event>) -> String {
    let mut rest = String::new();
    let Some(from) = from else { return rest };
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    while matches!(from.read_until(b'\n', &mut line).await, Ok(1..)) {
        match serde_json::from_slice::<Event>(&line) {
            // Whoever does not listen need not know.
            Ok(event) => drop(told.send(event)),
            Err(_) => rest.push_str(&String::from_utf8_lossy(&line)),
        }
        line.clear();
    }
    rest
}
