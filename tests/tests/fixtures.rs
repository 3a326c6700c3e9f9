//! The command's report on every fixture is what its lines say: a trial for each case. Small cases are compared together.
//!
//! `cargo test -p regress-tests --test fixtures papers/` takes the cases whose name contains the text, each alone; `-- --list` names them.

use std::cmp::Reverse;
use std::env;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Failed, Trial};
use regress_tests::cases::{self, Case};
use regress_tests::runner::check_case;
use regress_tests::together::{Group, groups};

/// How long each case took.
type Times = Arc<Mutex<Vec<(Duration, String)>>>;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // As other test programs do; but a case waits for processes of its own most of the time.
    let threads = || env::var("RUST_TEST_THREADS").ok()?.parse::<usize>().ok();
    arguments.test_threads =
        arguments.test_threads.or_else(|| threads().map(|threads| threads + threads / 2));
    let cases = cases::all().unwrap_or_else(|error| panic!("{error}"));
    let times = Times::default();
    let trial = |(case, group): (Case, Option<Arc<Group>>)| {
        let times = times.clone();
        Trial::test(case.name.clone(), move || check(&case, group.as_deref(), &times))
    };
    let ordered = match arguments.filter {
        Some(_) => cases.into_iter().map(|case| (case, None)).collect(),
        None => in_groups(cases),
    };
    let conclusion = libtest_mimic::run(&arguments, ordered.into_iter().map(trial).collect());
    tell_slowest(&times);
    conclusion.exit_code()
}

/// The cases with their groups: first one of each group, which runs it, those of large groups before others; then those that find theirs done.
fn in_groups(cases: Vec<Case>) -> Vec<(Case, Option<Arc<Group>>)> {
    let mut groups: Vec<Arc<Group>> = groups(cases).into_iter().map(Arc::new).collect();
    groups.sort_by_key(|group| Reverse(group.cases.len()));
    let cases = groups.iter().flat_map(|group| group.cases.iter().enumerate().map(move |of| (group, of)));
    let mut ordered: Vec<_> = cases.collect();
    ordered.sort_by_key(|(_, (number, _))| *number > 0);
    ordered.into_iter().map(|(group, (_, case))| (case.clone(), Some(group.clone()))).collect()
}

fn check(case: &Case, group: Option<&Group>, times: &Times) -> Result<(), Failed> {
    let begun = Instant::now();
    let mismatches = group.map_or_else(|| check_case(case), |group| group.check(case));
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
    times.sort_by_key(|(time, _)| Reverse(*time));
    let told: Vec<String> =
        times.iter().take(TOLD).map(|(time, name)| format!("{name} {} s", time.as_secs())).collect();
    if !told.is_empty() {
        // What cannot be told is not missed.
        let _ = writeln!(io::stderr(), "the slowest cases: {}", told.join(", "));
    }
}
