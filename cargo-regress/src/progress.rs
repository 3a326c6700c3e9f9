//! Progress on standard error, for a person who waits, or for a program that started this one to tell others. Nothing is drawn where nobody
//! looks: in a pipe, in CI, or under `--quiet`.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::{Deserialize, Serialize};

/// Told by the parts of a run how far they are. All methods may be called from several threads.
pub trait Progress: Sync {
    /// What is being done from now on: a verb and its object, as cargo says it (`Building HEAD~1`).
    fn step(&self, message: &str);
    /// The step has that many parts; 0 if their number is not known.
    fn set_total(&self, _n: u64) {}
    /// One part is done.
    fn advance(&self) {}
    /// Something was found that the report will tell in its place.
    fn found(&self, _line: &str) {}
}

/// Says nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn step(&self, _message: &str) {}
}

/// One line per step on standard error, as `--verbose` asks for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lines;

impl Progress for Lines {
    fn step(&self, message: &str) {
        anstream::eprintln!("{message}");
    }

    fn found(&self, line: &str) {
        anstream::eprintln!("{line}");
    }
}

/// What a run tells of its progress, for a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    Step(String),
    Total(u64),
    Advance,
    Found(String),
}

/// An [`Event`] a line on standard error, as JSON.
#[derive(Clone, Copy, Debug, Default)]
pub struct Events;

impl Events {
    fn tell(event: &Event) {
        // Nothing can be done if nobody reads.
        let _ = serde_json::to_string(event).map(|line| writeln!(std::io::stderr().lock(), "{line}"));
    }
}

impl Progress for Events {
    fn step(&self, message: &str) {
        Self::tell(&Event::Step(message.to_owned()));
    }

    fn set_total(&self, n: u64) {
        Self::tell(&Event::Total(n));
    }

    fn advance(&self) {
        Self::tell(&Event::Advance);
    }

    fn found(&self, line: &str) {
        Self::tell(&Event::Found(line.to_owned()));
    }
}

/// A line with a bar, redrawn in place and gone at the end. What is found stays above it.
#[derive(Debug)]
pub struct Bar {
    bar: ProgressBar,
}

impl Bar {
    pub fn new() -> Self {
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
        bar.set_style(style("{spinner} {msg} [{elapsed}]"));
        bar.enable_steady_tick(Duration::from_millis(120));
        Bar { bar }
    }
}

impl Default for Bar {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Bar {
    fn step(&self, message: &str) {
        self.set_total(0);
        self.bar.set_message(message.to_owned());
    }

    fn set_total(&self, n: u64) {
        self.bar.set_position(0);
        self.bar.set_length(n);
        let template =
            if n == 0 { "{spinner} {msg} [{elapsed}]" } else { "{spinner} {msg} [{bar:25}] {pos}/{len}" };
        self.bar.set_style(style(template));
    }

    fn advance(&self) {
        self.bar.inc(1);
    }

    fn found(&self, line: &str) {
        self.bar.println(line);
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner())
}

/// How much a run says on standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loudness {
    Quiet,
    Normal,
    Verbose,
}

/// Whether a program reads standard error.
static READ_BY_PROGRAM: AtomicBool = AtomicBool::new(false);

/// From now on progress is told to a program, as [`Events`].
pub fn tell_program() {
    READ_BY_PROGRAM.store(true, Ordering::Relaxed);
}

/// The progress that suits where standard error goes.
pub fn for_stderr(loudness: Loudness) -> Box<dyn Progress> {
    if READ_BY_PROGRAM.load(Ordering::Relaxed) {
        return Box::new(Events);
    }
    let in_ci = std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false");
    match loudness {
        Loudness::Quiet => Box::new(Silent),
        Loudness::Verbose => Box::new(Lines),
        Loudness::Normal if std::io::stderr().is_terminal() && !in_ci => Box::new(Bar::new()),
        Loudness::Normal => Box::new(Silent),
    }
}
