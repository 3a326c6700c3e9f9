//! The JUnit document, read by a reader that is not ours.

use junit_parser::{TestCase, TestStatus, TestSuites, from_reader};

use crate::args::FailOn;
use crate::report::Report;
use crate::report::junit::render;
use crate::report::testing::{accepted, nasty, one_of_each, report};

fn parsed(report: &Report, fail_on: FailOn) -> TestSuites {
    let text = render(report, fail_on);
    from_reader(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn failed(suites: &TestSuites) -> Vec<&str> {
    let cases = suites.suites.iter().flat_map(|suite| &suite.cases);
    let failed = cases.filter(|case| matches!(case.status, TestStatus::Failure(_)));
    failed.map(|case| case.original_name.as_str()).collect()
}

fn case<'s>(suites: &'s TestSuites, name: &str) -> &'s TestCase {
    let mut cases = suites.suites.iter().flat_map(|suite| &suite.cases);
    cases.find(|case| case.original_name == name).unwrap_or_else(|| panic!("{name} is there"))
}

#[test]
fn cases_fail_where_the_run_does() {
    let report = one_of_each();
    assert!(failed(&parsed(&report, FailOn::Never)).is_empty());
    assert_eq!(failed(&parsed(&report, FailOn::Regression)), ["parse", "stops", "waits"]);
    let difference = parsed(&report, FailOn::Difference);
    assert_eq!(failed(&difference), ["parse", "stops", "waits", "fails", "fee", "fixed"]);
    let unknown = parsed(&report, FailOn::Unknown);
    assert_eq!(
        failed(&unknown),
        ["parse", "stops", "waits", "fails", "fee", "fixed", "perhaps", "other", "run", "reads"]
    );
}

#[test]
fn every_function_that_may_have_changed_is_a_case() {
    let suites = parsed(&one_of_each(), FailOn::Regression);
    assert_eq!((suites.tests, suites.failures, suites.errors, suites.skipped), (14, 3, 0, 4));
    assert_eq!(suites.suites.len(), 1);
    assert_eq!(suites.suites[0].cases.len(), 14);
    assert_eq!(case(&suites, "fee").classname.as_deref(), Some("module::Type"));
    let TestStatus::Failure(failure) = &case(&suites, "parse").status else { panic!("it fails") };
    assert_eq!(failure.failure_type, "REG0001");
    assert!(failure.message.contains("now panics: attempt to subtract with overflow"), "{failure:?}");
    assert!(failure.text.contains("suspect 1: src/lib.rs:3 (new)"), "{failure:?}");
    assert!(matches!(case(&suites, "reads").status, TestStatus::Skipped(_)));
    assert!(matches!(case(&suites, "proved").status, TestStatus::Success));
}

#[test]
fn what_is_accepted_does_not_fail() {
    for level in [FailOn::Regression, FailOn::Difference, FailOn::Unknown] {
        assert!(failed(&parsed(&accepted(), level)).is_empty());
    }
    assert!(render(&accepted(), FailOn::Regression).contains("accepted: as agreed (a.toml:3)"));
}

#[test]
fn nothing_in_a_text_is_taken_for_markup() {
    let suites = parsed(&nasty(), FailOn::Regression);
    let cases = &suites.suites[0].cases;
    assert_eq!(cases.len(), 2);
    let TestStatus::Failure(failure) = &cases[0].status else { panic!("it fails") };
    assert!(failure.message.contains("a|b,c:d%e`f``g]](h){0}<i>&amp;\""), "{failure:?}");
    assert!(failure.text.contains("<i>&amp;"), "{failure:?}");
    // These are in no XML document, not even as references.
    let text = render(&nasty(), FailOn::Regression);
    assert!(!text.contains(['\u{1b}', '\u{7}', '\u{ffff}']) && text.contains("\\u{1b}"), "{text}");
    assert_eq!(parsed(&report(Vec::new()), FailOn::Regression).tests, 0);
}
