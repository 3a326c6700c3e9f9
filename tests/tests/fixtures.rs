//! The command's report on every fixture is what its lines say.
//!
//! `REGRESS_CASES=papers/` restricts the run to the cases whose name contains the text.

use std::env;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use regress_tests::cases::{self, Case};
use regress_tests::runner::check_case;

#[test]
fn reports_are_as_expected() {
    let wanted = env::var("REGRESS_CASES").unwrap_or_default();
    let cases = cases::all().unwrap_or_else(|error| panic!("{error}"));
    let cases: Vec<Case> = cases.into_iter().filter(|case| case.name.contains(&wanted)).collect();
    assert!(!cases.is_empty(), "no case has `{wanted}` in its name");
    let (times, mismatches): (Vec<(Duration, &Case)>, Vec<Vec<_>>) = cases
        .par_iter()
        .map(|case| {
            let begun = Instant::now();
            let mismatches = check_case(case);
            ((begun.elapsed(), case), mismatches)
        })
        .unzip();
    tell_slowest(times);
    let mismatches: Vec<String> = mismatches.iter().flatten().map(ToString::to_string).collect();
    assert!(
        mismatches.is_empty(),
        "{}\n\n{} mismatches in {} cases",
        mismatches.join("\n\n"),
        mismatches.len(),
        cases.len()
    );
}

/// The cases that the run as a whole waits for, on the terminal even if the test passes.
fn tell_slowest(mut times: Vec<(Duration, &Case)>) {
    const TOLD: usize = 10;
    times.sort_by_key(|(time, _)| std::cmp::Reverse(*time));
    let told: Vec<String> =
        times.iter().take(TOLD).map(|(time, case)| format!("{} {} s", case.name, time.as_secs())).collect();
    // What cannot be told is not missed.
    let _ = writeln!(io::stderr(), "the slowest cases: {}", told.join(", "));
}
