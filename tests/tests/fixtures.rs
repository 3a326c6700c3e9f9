//! The command's report on every fixture is what its lines say: a trial for each case.
//!
//! `cargo test -p regress-tests --test fixtures papers/` takes the cases whose name contains the text; `-- --list` names them.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Failed, Trial};
use regress_tests::cases::{self, Case};
use regress_tests::runner::check_case;

/// How long each case took.
type Times = Arc<Mutex<Vec<(Duration, String)>>>;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let cases = cases::all().unwrap_or_else(|error| panic!("{error}"));
    let times = Times::default();
    let trial = |case: Case| {
        let times = times.clone();
        Trial::test(case.name.clone(), move || check(&case, &times))
    };
    let conclusion = libtest_mimic::run(&arguments, cases.into_iter().map(trial).collect());
    tell_slowest(&times);
    conclusion.exit_code()
}

fn check(case: &Case, times: &Times) -> Result<(), Failed> {
    let begun = Instant::now();
    let mismatches = check_case(case);
    // Whoever panicked with the lock held left the list whole.
    let mut times = times.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    times.push((begun.elapsed(), case.name.clone()));
    match mismatches.as_slice() {
        [] => Ok(()),
        some => Err(some.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n\n").into()),
    }
}

/// The cases that the run as a whole waits for.
fn tell_slowest(times: &Times) {
    const TOLD: usize = 10;
    let mut times = times.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    times.sort_by_key(|(time, _)| std::cmp::Reverse(*time));
    let told: Vec<String> =
        times.iter().take(TOLD).map(|(time, name)| format!("{name} {} s", time.as_secs())).collect();
    if !told.is_empty() {
        // What cannot be told is not missed.
        let _ = writeln!(io::stderr(), "the slowest cases: {}", told.join(", "));
    }
}
