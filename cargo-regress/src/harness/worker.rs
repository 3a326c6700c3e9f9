//! The process that runs functions, and its life: started when needed, killed when a run takes too long, started again.

mod guided;
mod listing;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use regress_core::idx::{Idx, IdxVec};
use regress_core::value::{Outcome, Value};

use super::bounded;
use super::confine;
use super::executable::Executable;
use super::literals::Literals;
use super::request::{Availability, HarnessError, SubjectId};
use super::wire::{self, Reply};

/// What one run may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time of one call. One that takes longer counts as not ending only if [`super::confirm`] says so.
    pub call: Duration,
    /// Address space of the worker.
    pub memory_mb: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { call: Duration::from_secs(2), memory_mb: 4096 }
    }
}

/// How long a worker may take for what runs no function of the crate; only a busy machine makes it wait.
const PATIENCE: Duration = Duration::from_secs(30);
/// What a worker may take for a batch of digests. It answers after a tenth of that, if its last call does not take long.
const MOST_AT_ONCE: Duration = Duration::from_millis(500);

/// So many times a limit are waited for a process that had no processor.
const MOST_PATIENCE: u32 = 10;

/// Which random inputs are tried. Equal plans give equal inputs to functions of equal shape.
#[derive(Clone, Debug)]
pub struct RandomPlan {
    pub seed: u64,
    /// Runs `first..first + count`; each input depends on the seed and its own number only.
    pub first: u64,
    pub count: u64,
    /// Elements of one sequence, at most.
    pub max_len: u64,
    pub lengths: Lengths,
    pub numbers: Numbers,
    /// Recursive types nest no deeper.
    pub max_depth: u64,
    pub states: States,
    pub literals: Literals,
    /// After so many endless loops the rest is not tried.
    pub most_hangs: u32,
    /// After so many deaths of the process neither.
    pub most_crashes: u32,
}

/// How long the sequences of an input are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lengths {
    Bounded,
    /// Some are longer than the bound, mostly by little.
    Long,
}

/// How large the integers of an input are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    Any,
    /// Near zero, or constants of the versions that are not large.
    Small,
}

/// Elements of all sequences of one input that are longer than the bound, at most.
const LONG: u64 = 512;

/// Which values of a type with private fields are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum States {
    /// Those that functions of the crate make, where there are such functions.
    AsMade,
    /// Any that the fields can hold, where all fields can be built.
    AnyFields,
}

impl RandomPlan {
    /// What a worker is told, to begin with run `first`.
    fn command(&self, word: &str, subject: SubjectId, first: u64) -> String {
        format!(
            "{word} {} {} {first} {} {} {} {} {} {}",
            subject.index(),
            self.seed,
            self.first + self.count,
            self.max_len,
            self.max_depth,
            u8::from(self.states == States::AsMade),
            if self.lengths == Lengths::Long { LONG } else { 0 },
            u8::from(self.numbers == Numbers::Small)
        )
    }

    pub fn new(seed: u64, count: u64) -> RandomPlan {
        RandomPlan {
            seed,
            first: 0,
            count,
            max_len: 8,
            lengths: Lengths::Bounded,
            numbers: Numbers::Any,
            max_depth: 4,
            states: States::AsMade,
            literals: Literals::default(),
            most_hangs: 3,
            most_crashes: 100,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomRun {
    pub index: u64,
    pub inputs: Vec<Value>,
    pub outcome: Outcome,
}

/// A run as it came over the wire, to be parsed if it matters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RawRun {
    pub index: u64,
    pub inputs: String,
    pub end: RawEnd,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RawEnd {
    /// JSON of the outcome.
    Told(String),
    /// The worker did not live to tell.
    Seen(Outcome),
}

impl RawRun {
    pub fn outcome(&self) -> Result<Outcome, HarnessError> {
        match &self.end {
            RawEnd::Told(json) => wire::outcome(json),
            RawEnd::Seen(outcome) => Ok(outcome.clone()),
        }
    }
}

/// Runs functions of one version. Not shared between threads; a harness gives as many workers as are wanted.
#[derive(Debug)]
pub struct Worker {
    executable: Option<Arc<Executable>>,
    availability: IdxVec<SubjectId, Availability>,
    limits: Limits,
    process: Option<Process>,
}

#[derive(Debug)]
struct Process {
    child: Child,
    stream: BufReader<UnixStream>,
    line: Vec<u8>,
    complaints: Complaints,
    /// An empty working directory, in case a function writes after all.
    _dir: tempfile::TempDir,
}

/// The end of what the worker wrote to its standard error.
#[derive(Debug)]
struct Complaints {
    text: Arc<Mutex<Vec<u8>>>,
    reader: Option<JoinHandle<()>>,
}

pub(super) use guided::Batch;
pub(super) use listing::{Decisions, Went};

/// What a worker tells of a batch of runs by digests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Digests {
    /// Of the first runs of the batch. Where those of both versions are equal, inputs and outcomes are: inputs that are drawn are told by
    /// how much was drawn, as both draw in the same way.
    Told(Vec<u64>),
    /// The process ended in one of them.
    Died,
    /// One of the first ones does not end, or takes long.
    Silent,
}

enum Heard {
    Reply(Reply),
    /// Nothing within the time limit.
    Silence,
    /// The process ended.
    Death,
}

impl Worker {
    pub(super) fn new(
        executable: Option<Arc<Executable>>,
        availability: IdxVec<SubjectId, Availability>,
        limits: Limits,
    ) -> Worker {
        Worker { executable, availability, limits, process: None }
    }

    pub fn availability(&self, subject: SubjectId) -> &Availability {
        &self.availability[subject]
    }

    /// Runs the function once. `inputs` has a value for each parameter; for a reference it is a [`Value::Ref`].
    pub fn call(&mut self, subject: SubjectId, inputs: &[Value]) -> Result<Outcome, HarnessError> {
        self.call_as("call", subject, inputs)
    }

    /// Runs the function once and shows the numbers in each `MaybeUninit` behind its `&mut` parameters. Only for inputs on which
    /// it is known which of them are initialised: the others must not be believed.
    pub(super) fn look_within(
        &mut self,
        subject: SubjectId,
        inputs: &[Value],
        limit: Duration,
    ) -> Result<Outcome, HarnessError> {
        self.within(limit, |worker| worker.call_as("look", subject, inputs))
    }

    /// [`Worker::call`] with a time limit of its own.
    pub(super) fn call_within(
        &mut self,
        subject: SubjectId,
        inputs: &[Value],
        limit: Duration,
    ) -> Result<Outcome, HarnessError> {
        self.within(limit, |worker| worker.call(subject, inputs))
    }

    fn within<T>(&mut self, limit: Duration, call: impl FnOnce(&mut Worker) -> T) -> T {
        let usual = std::mem::replace(&mut self.limits.call, limit);
        let ended = call(self);
        self.limits.call = usual;
        ended
    }

    /// Wall-clock time of one call.
    pub fn call_limit(&self) -> Duration {
        self.limits.call
    }

    fn call_as(&mut self, word: &str, subject: SubjectId, inputs: &[Value]) -> Result<Outcome, HarnessError> {
        self.require(subject)?;
        let command = format!("{word} {}{}", subject.index(), wire::tokens(inputs)?);
        self.say(&command)?;
        let mut told = None;
        loop {
            match self.hear()? {
                Heard::Reply(Reply::Begin { .. }) => {}
                Heard::Reply(Reply::Outcome(json)) => told = Some(wire::outcome(&json)?),
                Heard::Reply(Reply::Misfit(reason)) => {
                    self.until_done()?;
                    return Err(HarnessError::Misfit { subject, reason });
                }
                Heard::Reply(Reply::Done) => {
                    return told.ok_or_else(|| HarnessError::Protocol("a call without outcome".to_string()));
                }
                Heard::Reply(other) => return Err(HarnessError::Protocol(format!("{other:?}"))),
                Heard::Silence => {
                    self.kill();
                    return Ok(Outcome::Hung);
                }
                Heard::Death => return Ok(self.ending()),
            }
        }
    }

    /// Runs the function on random inputs. Inputs that could not be made are left out.
    pub fn random(&mut self, subject: SubjectId, plan: &RandomPlan) -> Result<Vec<RandomRun>, HarnessError> {
        let runs = self.random_raw(subject, plan, None)?;
        runs.into_iter()
            .map(|run| {
                Ok(RandomRun {
                    index: run.index,
                    inputs: wire::values(&run.inputs)?,
                    outcome: run.outcome()?,
                })
            })
            .collect()
    }

    /// The same, as they came; no run begins after `until`.
    pub(super) fn random_raw(
        &mut self,
        subject: SubjectId,
        plan: &RandomPlan,
        until: Option<Instant>,
    ) -> Result<Vec<RawRun>, HarnessError> {
        self.require(subject)?;
        let end = plan.first + plan.count;
        let mut next = plan.first;
        let (mut hangs, mut crashes, mut unmade) = (0, 0, 0);
        let mut runs: Vec<RawRun> = Vec::new();
        let in_time = || until.is_none_or(|until| Instant::now() <= until);
        let is_worth_it = |hangs, crashes, unmade| {
            hangs < plan.most_hangs && crashes < plan.most_crashes && unmade < MOST_UNMADE
        };
        while next < end && is_worth_it(hangs, crashes, unmade) && in_time() {
            self.say(&wire::dictionary(&plan.literals))?;
            self.until_done()?;
            self.say(&plan.command("random", subject, next))?;
            let mut begun: Option<(u64, String)> = None;
            loop {
                match self.hear()? {
                    Heard::Reply(Reply::Begin { index, inputs }) => begun = Some((index, inputs)),
                    Heard::Reply(Reply::Outcome(json)) => {
                        let (index, inputs) =
                            begun.take().ok_or_else(|| HarnessError::Protocol(json.clone()))?;
                        next = index + 1;
                        runs.push(RawRun { index, inputs, end: RawEnd::Told(json) });
                        if !in_time() {
                            // It is on its way through the others.
                            self.kill();
                            return Ok(runs);
                        }
                    }
                    Heard::Reply(Reply::Misfit(_)) => next += 1,
                    Heard::Reply(Reply::Done) => {
                        next = end;
                        break;
                    }
                    Heard::Reply(other) => return Err(HarnessError::Protocol(format!("{other:?}"))),
                    stopped @ (Heard::Silence | Heard::Death) => {
                        let outcome = if matches!(stopped, Heard::Silence) {
                            self.kill();
                            Outcome::Hung
                        } else {
                            self.ending()
                        };
                        match begun.take() {
                            Some((index, inputs)) => {
                                next = index + 1;
                                *(if outcome == Outcome::Hung { &mut hangs } else { &mut crashes }) += 1;
                                runs.push(RawRun { index, inputs, end: RawEnd::Seen(outcome) });
                            }
                            // It stopped while it made the input.
                            None if outcome == Outcome::Hung => (next, hangs) = (next + 1, hangs + 1),
                            None => (next, unmade) = (next + 1, unmade + 1),
                        }
                        break;
                    }
                }
            }
        }
        Ok(runs)
    }

    /// Digests of the first of these runs; the worker says when it has done enough at once. How a call ends that does not return or panic,
    /// [`Worker::random_raw`] tells.
    pub(super) fn digests(&mut self, subject: SubjectId, plan: &RandomPlan) -> Result<Digests, HarnessError> {
        self.require(subject)?;
        self.say(&wire::dictionary(&plan.literals))?;
        self.until_done()?;
        self.say(&plan.command("digests", subject, plan.first))?;
        let mut digests = Vec::new();
        loop {
            match self.hear_within(MOST_AT_ONCE)? {
                Heard::Reply(Reply::Digests(told)) => digests = told,
                Heard::Reply(Reply::Done) => return Ok(Digests::Told(digests)),
                Heard::Reply(other) => return Err(HarnessError::Protocol(format!("{other:?}"))),
                stopped @ (Heard::Silence | Heard::Death) => {
                    self.kill();
                    return Ok(if matches!(stopped, Heard::Death) { Digests::Died } else { Digests::Silent });
                }
            }
        }
    }

    /// The subjects that were compiled in, with their shapes.
    pub(super) fn shapes(&mut self) -> Result<BTreeMap<usize, Availability>, HarnessError> {
        self.say("shapes")?;
        let mut shapes = BTreeMap::new();
        loop {
            match self.hear_within(PATIENCE)? {
                Heard::Reply(Reply::Shape { subject, inputs, shape }) => {
                    shapes.insert(subject, Availability::Ready { shape, inputs });
                }
                Heard::Reply(Reply::Done) => return Ok(shapes),
                Heard::Reply(other) => return Err(HarnessError::Protocol(format!("{other:?}"))),
                Heard::Silence => {
                    self.kill();
                    return Err(HarnessError::NoWorker("it did not answer".to_string()));
                }
                Heard::Death => return Err(HarnessError::NoWorker(self.post_mortem())),
            }
        }
    }

    fn require(&self, subject: SubjectId) -> Result<(), HarnessError> {
        match self.availability.get(subject) {
            Some(Availability::Ready { .. }) => Ok(()),
            Some(Availability::Unavailable { reason }) => {
                Err(HarnessError::Unavailable { subject, reason: reason.clone() })
            }
            None => Err(HarnessError::Unavailable { subject, reason: "it was not asked for".to_string() }),
        }
    }

    fn say(&mut self, command: &str) -> Result<(), HarnessError> {
        let line = format!("{command}\n");
        for attempt in 0..2 {
            let process = match &mut self.process {
                Some(process) => process,
                None => self.process.insert(Process::start(self.executable.as_deref(), self.limits)?),
            };
            match process.stream.get_mut().write_all(line.as_bytes()) {
                Ok(()) => return Ok(()),
                // It may have died since the last command, of a thread that a function left behind.
                Err(_) if attempt == 0 => self.kill(),
                Err(error) => return Err(HarnessError::NoWorker(error.to_string())),
            }
        }
        Err(HarnessError::NoWorker("it ended before it was told what to do".to_string()))
    }

    /// The next reply while a function runs.
    fn hear(&mut self) -> Result<Heard, HarnessError> {
        self.hear_within(self.limits.call)
    }

    fn hear_within(&mut self, limit: Duration) -> Result<Heard, HarnessError> {
        match &mut self.process {
            Some(process) => process.hear(limit),
            None => Ok(Heard::Death),
        }
    }

    fn until_done(&mut self) -> Result<(), HarnessError> {
        loop {
            match self.hear_within(PATIENCE)? {
                Heard::Reply(Reply::Done) => return Ok(()),
                Heard::Reply(_) => {}
                Heard::Silence => {
                    self.kill();
                    return Err(HarnessError::NoWorker("it did not answer".to_string()));
                }
                Heard::Death => return Err(HarnessError::NoWorker(self.post_mortem())),
            }
        }
    }

    /// Lets the next call happen in a new process, which knows nothing of earlier calls.
    pub fn restart(&mut self) {
        self.kill();
    }

    fn kill(&mut self) {
        self.process = None;
    }

    /// What a process died of.
    /// How the process that died ended the call.
    fn ending(&mut self) -> Outcome {
        match self.process.take() {
            Some(mut process) => process.ending(),
            None => Outcome::Aborted("it was not running".to_string()),
        }
    }

    fn post_mortem(&mut self) -> String {
        last_words(self.ending())
    }
}

impl Process {
    fn start(executable: Option<&Executable>, limits: Limits) -> Result<Process, HarnessError> {
        let executable =
            executable.ok_or_else(|| HarnessError::NoWorker("nothing was built".to_string()))?.path();
        let trouble = |error: std::io::Error| HarnessError::NoWorker(error.to_string());
        let dir = tempfile::Builder::new().prefix("cargo-regress-").tempdir().map_err(trouble)?;
        let socket = dir.path().join("worker");
        let listener = UnixListener::bind(&socket).map_err(trouble)?;
        listener.set_nonblocking(true).map_err(trouble)?;
        let prepare = |command: &mut Command| {
            command
                .env("CARGO_REGRESS_WORKER", &socket)
                .env("RUST_BACKTRACE", "0")
                .current_dir(dir.path())
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::piped());
            match confine::here().files {
                true => command.env("CARGO_REGRESS_FILES_ARE_SAFE", "1"),
                false => command.env_remove("CARGO_REGRESS_FILES_ARE_SAFE"),
            };
        };
        let mut child = bounded::spawn(executable.as_std_path(), limits.memory_mb, dir.path(), &prepare)
            .map_err(|source| HarnessError::Spawn { program: executable.to_string(), source })?;
        let complaints = Complaints::of(child.stderr.take());
        let started = Instant::now();
        let stream = loop {
            match listener.accept() {
                Ok((stream, _)) => break stream,
                Err(error) if error.kind() != ErrorKind::WouldBlock => return Err(trouble(error)),
                Err(_) => {}
            }
            if let Ok(Some(status)) = child.try_wait() {
                return Err(HarnessError::NoWorker(last_words(death(status, &complaints.end()))));
            }
            if started.elapsed() > PATIENCE {
                let _ = child.kill();
                let _ = child.wait();
                return Err(HarnessError::NoWorker("it did not call back within 30 seconds".to_string()));
            }
            // It takes about a millisecond, unless the machine is busy.
            std::thread::sleep(Duration::from_micros(if started.elapsed().as_millis() < 5 {
                200
            } else {
                2000
            }));
        };
        stream.set_nonblocking(false).map_err(trouble)?;
        // One that no longer reads must not be waited for.
        stream.set_write_timeout(Some(PATIENCE)).map_err(trouble)?;
        Ok(Process { child, stream: BufReader::new(stream), line: Vec::new(), complaints, _dir: dir })
    }

    fn hear(&mut self, limit: Duration) -> Result<Heard, HarnessError> {
        let began = Instant::now();
        let mut deadline = began + limit;
        self.line.clear();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                if began.elapsed() < limit * MOST_PATIENCE && self.is_starved(limit) {
                    deadline += limit / 4 + Duration::from_millis(1);
                    continue;
                }
                return Ok(Heard::Silence);
            }
            if self.stream.buffer().is_empty() && self.stream.get_ref().set_read_timeout(Some(left)).is_err()
            {
                return Ok(Heard::Death);
            }
            match self.stream.read_until(b'\n', &mut self.line) {
                Ok(_) if self.line.last() == Some(&b'\n') => {
                    let line = String::from_utf8_lossy(&self.line[..self.line.len() - 1]);
                    return wire::reply(&line).map(Heard::Reply);
                }
                Ok(_) => return Ok(Heard::Death),
                // The time is over, or nearly.
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Ok(Heard::Death),
            }
        }
    }

    /// Whether a thread of it waits for a processor, and the whole process had less of one than the limit since it began: the
    /// machine is busy. Only where the system tells (Linux).
    fn is_starved(&self, limit: Duration) -> bool {
        /// Of the clock in which the system tells it.
        const TICKS_PER_SECOND: u64 = 100;
        let process = format!("/proc/{}", self.child.id());
        // After the name in brackets: the state first, user and system time as the 12th and 13th.
        let fields = |file: &std::path::Path| {
            let text = std::fs::read_to_string(file).ok()?;
            let (_, rest) = text.rsplit_once(')')?;
            Some(rest.split_whitespace().map(str::to_owned).collect::<Vec<String>>())
        };
        let Some(whole) = fields(&std::path::Path::new(&process).join("stat")) else { return false };
        let ticks = |at: usize| whole.get(at).and_then(|ticks| ticks.parse::<u64>().ok());
        let Some(used) = ticks(11).zip(ticks(12)).map(|(user, system)| user + system) else { return false };
        let Ok(threads) = std::fs::read_dir(format!("{process}/task")) else { return false };
        let waits = |stat: Vec<String>| stat.first().is_some_and(|state| state == "R");
        let mut threads = threads.flatten().filter_map(|thread| fields(&thread.path().join("stat")));
        Duration::from_millis(used * 1000 / TICKS_PER_SECOND) < limit && threads.any(waits)
    }

    fn ending(&mut self) -> Outcome {
        // The socket closes a moment before the process is gone.
        let started = Instant::now();
        while started.elapsed() < Duration::from_secs(5) {
            if let Ok(Some(status)) = self.child.try_wait() {
                self.complaints.wait();
                return death(status, &self.complaints.end());
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        Outcome::Aborted("it closed its connection".to_string())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Complaints {
    fn of(stderr: Option<std::process::ChildStderr>) -> Complaints {
        const KEPT: usize = 4096;
        let text = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::clone(&text);
        let reader = stderr.map(|mut stderr| {
            std::thread::spawn(move || {
                let mut chunk = [0; 4096];
                while let Ok(read @ 1..) = stderr.read(&mut chunk) {
                    let Ok(mut text) = shared.lock() else { return };
                    text.extend_from_slice(&chunk[..read]);
                    let surplus = text.len().saturating_sub(KEPT);
                    text.drain(..surplus);
                }
            })
        });
        Complaints { text, reader }
    }

    /// Waits for the last words of a process that has ended, unless one of its children still holds the line.
    fn wait(&mut self) {
        let Some(reader) = self.reader.take() else { return };
        let started = Instant::now();
        while !reader.is_finished() && started.elapsed() < Duration::from_millis(200) {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn end(&self) -> String {
        self.text.lock().map(|text| String::from_utf8_lossy(&text).into_owned()).unwrap_or_default()
    }
}

/// A process may end so often while it makes an input: `with_capacity` of a number that nobody has memory for.
const MOST_UNMADE: u32 = 200;

/// What a process died of, without what differs from run to run (thread ids, addresses).
fn death(status: ExitStatus, complaints: &str) -> Outcome {
    if complaints.contains("has overflowed its stack") {
        return Outcome::Aborted("stack overflow".to_string());
    }
    if let Some(bytes) = refused_allocation(complaints) {
        // What the machine has not is refused without the limit of the process as well.
        return match machine_memory() {
            Some(memory) if bytes > memory => Outcome::Aborted("out of memory".to_string()),
            _ => Outcome::OutOfMemory,
        };
    }
    Outcome::Aborted(match (status.signal(), status.code()) {
        (Some(6), _) => "abort".to_string(),
        (Some(11), _) => "segmentation fault".to_string(),
        (Some(signal), _) => format!("signal {signal}"),
        (None, Some(code)) => format!("the process ended itself with exit code {code}"),
        (None, None) => "it ended".to_string(),
    })
}

/// What is said of a process that died while it was asked for no call.
fn last_words(ending: Outcome) -> String {
    match ending {
        Outcome::Aborted(cause) => cause,
        _ => "out of memory".to_string(),
    }
}

/// How many bytes std was refused, as `alloc::handle_alloc_error` says it.
fn refused_allocation(complaints: &str) -> Option<u64> {
    let (_, after) = complaints.split_once("memory allocation of ")?;
    let (bytes, _) = after.split_once(" bytes failed")?;
    bytes.parse().ok()
}

/// Bytes of memory and swap of this machine, of which Linux refuses to give more than there are in one piece.
fn machine_memory() -> Option<u64> {
    static MEMORY: OnceLock<Option<u64>> = OnceLock::new();
    *MEMORY.get_or_init(|| memory_and_swap(&std::fs::read_to_string("/proc/meminfo").ok()?))
}

fn memory_and_swap(meminfo: &str) -> Option<u64> {
    let kilobytes = |name: &str| {
        let line = meminfo.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().strip_suffix(" kB")?.parse::<u64>().ok()
    };
    Some((kilobytes("MemTotal:")? + kilobytes("SwapTotal:").unwrap_or(0)) * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_allocation_within_the_memory_of_the_machine_ran_into_the_limit_of_the_process() {
        let killed = ExitStatus::from_raw(6);
        let ended = |bytes: u64| death(killed, &format!("memory allocation of {bytes} bytes failed\n"));
        assert_eq!(ended(1 << 20), Outcome::OutOfMemory);
        assert_eq!(ended(1 << 62), Outcome::Aborted("out of memory".to_string()));
        assert_eq!(death(killed, ""), Outcome::Aborted("abort".to_string()));
    }

    #[test]
    fn memory_is_that_of_the_machine_with_its_swap() {
        let told = "MemTotal:       1000 kB\nMemFree:  5 kB\nSwapTotal:  24 kB\n";
        assert_eq!(memory_and_swap(told), Some(1024 * 1024));
        assert_eq!(memory_and_swap("MemTotal: 1 kB"), Some(1024));
        assert_eq!(memory_and_swap(""), None);
    }
}
