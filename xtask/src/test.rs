//! `cargo xtask test`: formatting, lints, the build of everything that is tested, all tests; at the end a table of where the time went, and what failed.

use std::io::{self, IsTerminal, Read, Write};
use std::num::NonZero;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::{cargo_program, succeed};

/// Tells the tests of the command that it was built with them, from the same features, so that they need not ask cargo for it: a build of
/// that package alone has other features of what it depends on, which would be built a second time.
const BUILT: (&str, &str) = ("REGRESS_TESTS_BUILT", "1");

/// How many tests run at the same time. Most wait for other processes now and then, so it is more than there are processors.
const THREADS: &str = "RUST_TEST_THREADS";

/// The seed of property tests. Here it is always the same, so that the same commit passes or fails each time; `cargo test` draws another
/// one each time, and what it finds becomes a test.
const SEED: (&str, &str) = ("PROPTEST_RNG_SEED", "20261126");

pub fn test() -> Result<(), String> {
    let mut times = Times::default();
    let ended = steps(&mut times);
    times.tell();
    ended
}

fn steps(times: &mut Times) -> Result<(), String> {
    times.step(&["fmt", "--all", "--", "--check"])?;
    times.step(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])?;
    // What is built without Z3 is the same code but for what asks Z3, so it is looked at and not tested.
    let without_z3 = ["clippy", "--package", "cargo-regress-core", "--no-default-features"];
    times.step(&[&without_z3[..], &["--", "-D", "warnings"]].concat())?;
    times.step(&["test", "--workspace", "--no-run"])?;
    times.programs(&["test", "--workspace", "--no-fail-fast"])
}

/// What was run, in order, and how long it took; and the tests that failed.
#[derive(Default)]
struct Times {
    steps: Vec<(String, Duration)>,
    failed: Vec<String>,
}

impl Times {
    fn step(&mut self, args: &[&str]) -> Result<(), String> {
        let begun = Instant::now();
        let ended = crate::cargo(args);
        self.steps.push((format!("cargo {}", args.join(" ")), begun.elapsed()));
        ended
    }

    /// Runs `cargo test`, and notes when it says that it begins with the next program.
    fn programs(&mut self, args: &[&str]) -> Result<(), String> {
        let name = format!("cargo {}", args.join(" "));
        eprintln!("+ {name}");
        let begun = Instant::now();
        let mut command = Command::new(cargo_program());
        command.args(args).env(BUILT.0, BUILT.1).stdout(Stdio::piped()).stderr(Stdio::piped());
        if std::env::var_os(THREADS).is_none() {
            let processors = thread::available_parallelism().map_or(1, NonZero::get);
            command.env(THREADS, (processors + processors.div_ceil(2)).to_string());
        }
        if std::env::var_os(SEED.0).is_none() {
            command.env(SEED.0, SEED.1);
        }
        if io::stderr().is_terminal() {
            command.env("CARGO_TERM_COLOR", "always");
        }
        let mut child = command.spawn().map_err(|error| format!("`{name}` could not be started: {error}"))?;
        let stdout = child.stdout.take().ok_or("cargo's standard output is not there")?;
        let stderr = child.stderr.take().ok_or("cargo's standard error is not there")?;
        let (sender, programs) = mpsc::channel();
        let (failing, failed) = mpsc::channel();
        // They are not waited for: what a test started and forgot may keep the pipes open.
        thread::spawn(move || {
            pass_on(stdout, io::stdout(), |line| {
                if let Some(test) = failed_test(line) {
                    let _ = failing.send(test.to_owned());
                }
            });
        });
        thread::spawn(move || {
            pass_on(stderr, io::stderr(), |line| {
                if let Some(next) = program(line) {
                    let _ = sender.send((next, Instant::now()));
                }
            });
        });
        let ended = child.wait();
        self.failed.extend(failed.try_iter());
        let mut running = (name.clone(), begun);
        for next in programs.try_iter() {
            let (last, since) = std::mem::replace(&mut running, next);
            self.steps.push((last, running.1 - since));
        }
        self.steps.push((running.0, running.1.elapsed()));
        succeed(&name, ended)
    }

    fn tell(&self) {
        let shown = |time: &Duration| time.as_secs() > 0;
        eprintln!("\nseconds");
        for (name, time) in self.steps.iter().filter(|(_, time)| shown(time)) {
            eprintln!("{:>7.1}  {name}", time.as_secs_f64());
        }
        let sum = |times: &mut dyn Iterator<Item = &Duration>| times.sum::<Duration>().as_secs_f64();
        let mut short = self.steps.iter().map(|(_, time)| time).filter(|time| !shown(time));
        eprintln!("{:>7.1}  all that took less than one", sum(&mut short));
        eprintln!("{:>7.1}  together", sum(&mut self.steps.iter().map(|(_, time)| time)));
        if !self.failed.is_empty() {
            eprintln!("\nfailed: {}", self.failed.join(", "));
        }
    }
}

/// Shows what cargo and the tests say, line by line or less, and hands over each line.
fn pass_on(mut from: impl Read, mut to: impl Write, mut each: impl FnMut(&str)) {
    let (mut line, mut read) = (Vec::new(), [0; 4096]);
    // What cannot be read or shown is not missed; how cargo ended is known without it.
    while let Ok(length @ 1..) = from.read(&mut read) {
        let _ = to.write_all(&read[..length]).and_then(|()| to.flush());
        for byte in &read[..length] {
            if *byte != b'\n' {
                line.push(*byte);
                continue;
            }
            each(&String::from_utf8_lossy(&line));
            line.clear();
        }
    }
}

/// The test that a line says failed.
fn failed_test(line: &str) -> Option<&str> {
    Some(line.strip_prefix("test ")?.strip_suffix("... FAILED")?.trim_end())
}

/// The test program, or the documentation, with which cargo says that it begins.
fn program(line: &str) -> Option<String> {
    let plain = without_colours(line);
    let (word, rest) = plain.trim_start().split_once(' ')?;
    match word {
        "Running" => {
            let (source, file) = rest.trim().split_once(" (")?;
            let file = file.trim_end_matches(')').rsplit(['/', '\\']).next()?;
            // Cargo puts a hash behind the name.
            let name = file.rsplit_once('-').map_or(file, |(name, _)| name);
            Some(format!("{name}: {source}"))
        }
        "Doc-tests" => Some(format!("{}: documentation", rest.trim())),
        _ => None,
    }
}

/// The text without what terminals take for colours.
fn without_colours(line: &str) -> String {
    let mut parts = line.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('m').map_or(part, |(_, rest)| rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: Option<&str>) {
        assert_eq!(program(line).as_deref(), expected);
    }

    #[test]
    fn what_cargo_begins_with_is_read_off_its_lines() {
        check(
            "     Running unittests src/lib.rs (target/debug/deps/a_b-0f)",
            Some("a_b: unittests src/lib.rs"),
        );
        check(
            "\u{1b}[1m\u{1b}[92m     Running\u{1b}[0m tests/it/main.rs (t/deps/it-1)",
            Some("it: tests/it/main.rs"),
        );
        check("   Doc-tests a_b", Some("a_b: documentation"));
        check("     Running nothing of the kind", None);
        check("    Finished `test` profile", None);
        check("", None);
    }

    #[test]
    fn a_failed_test_is_read_off_its_line() {
        assert_eq!(failed_test("test papers/seq ... FAILED"), Some("papers/seq"));
        assert_eq!(failed_test("test papers/seq     ... FAILED"), Some("papers/seq"));
        assert_eq!(failed_test("test papers/seq ... ok"), None);
        assert_eq!(failed_test("test result: FAILED. 1 passed; 1 failed"), None);
    }

    #[test]
    fn what_is_read_is_passed_on_as_it_is_and_line_by_line() {
        let (mut to, mut lines) = (Vec::new(), Vec::new());
        pass_on(&b"one\ntwo\nrest"[..], &mut to, |line| lines.push(line.to_owned()));
        assert_eq!(to, b"one\ntwo\nrest");
        assert_eq!(lines, ["one", "two"]);
    }
}
