//! The command's report on every fixture is what its lines say.
//!
//! `REGRESS_CASES=papers/` restricts the run to the cases whose name contains the text.

use std::env;

use rayon::prelude::*;
use regress_tests::cases::{self, Case};
use regress_tests::runner::{check_case, clean_up};

#[test]
fn reports_are_as_expected() {
    let wanted = env::var("REGRESS_CASES").unwrap_or_default();
    let cases = cases::all().unwrap_or_else(|error| panic!("{error}"));
    let cases: Vec<Case> = cases.into_iter().filter(|case| case.name.contains(&wanted)).collect();
    assert!(!cases.is_empty(), "no case has `{wanted}` in its name");
    let mismatches: Vec<String> =
        cases.par_iter().flat_map(check_case).map(|mismatch| mismatch.to_string()).collect();
    clean_up();
    assert!(
        mismatches.is_empty(),
        "{}\n\n{} mismatches in {} cases",
        mismatches.join("\n\n"),
        mismatches.len(),
        cases.len()
    );
}
