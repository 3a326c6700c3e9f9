//! What makes the command fail.

use regress_core::value::Outcome;
use regress_core::verdict::{ChangeKind, Class, Confirmation, Verdict, Witness};

use crate::args::FailOn;
use crate::report::testing::{differs, explored, function, ok, overflow, proof, report, witness};
use crate::report::{Cause, Note, PublicCaller, SeenFromOutside, Standing, exit_code};
use regress_core::verdict::not_analysed::{NotAnalysed, NotRun, Refused};

/// The exit codes for `never`, `regression`, `difference` and `unknown`.
#[track_caller]
fn check(kind: ChangeKind, verdict: Verdict, expected: [u8; 4]) {
    let standing = Standing::of(kind, &verdict);
    let levels = [FailOn::Never, FailOn::Regression, FailOn::Difference, FailOn::Unknown];
    assert_eq!(
        levels.map(|level| exit_code([Standing::Unchanged, standing], level)),
        expected,
        "{verdict:?}"
    );
}

fn unconfirmed() -> Witness {
    let confirmation = Confirmation::Unconfirmed { reason: NotRun::Said("no harness".to_owned()) };
    Witness { confirmation, ..witness(ok(1), Outcome::Hung) }
}

#[test]
fn confirmed_differences() {
    let (good, bad) = (|| ok(1), overflow);
    check(ChangeKind::Changed, differs(Class::Regression, vec![witness(good(), bad())]), [0, 100, 100, 100]);
    check(ChangeKind::Changed, differs(Class::Behaviour, vec![witness(good(), ok(2))]), [0, 0, 100, 100]);
    check(ChangeKind::Changed, differs(Class::Fix, vec![witness(bad(), good())]), [0, 0, 100, 100]);
}

#[test]
fn one_confirmed_witness_is_enough_and_none_is_not() {
    let seen = witness(ok(1), overflow());
    check(ChangeKind::Changed, differs(Class::Regression, vec![unconfirmed(), seen]), [0, 100, 100, 100]);
    check(ChangeKind::Changed, differs(Class::Regression, vec![unconfirmed()]), [0, 0, 0, 100]);
    check(ChangeKind::Changed, differs(Class::Regression, vec![]), [0, 0, 0, 100]);
}

#[test]
fn differences_on_values_that_no_function_makes_are_unconfirmed() {
    let mut function =
        function("f", ChangeKind::Changed, differs(Class::Regression, vec![witness(ok(1), overflow())]));
    function.notes.push(Note::NotAsMade);
    assert_eq!((function.standing(), function.counts_as()), (Standing::Regression, Standing::Unconfirmed));
    function.notes.clear();
    assert_eq!(function.counts_as(), Standing::Regression);
}

#[test]
fn differences_that_callers_do_not_show_are_unconfirmed() {
    let mut function =
        function("f", ChangeKind::Changed, differs(Class::Regression, vec![witness(ok(1), overflow())]));
    let caller = |was_tried| PublicCaller {
        path: "g".into(),
        standing: Standing::Equal,
        witness: None,
        was_tried,
        cause: Cause::NotKnown,
    };
    function.outside = SeenFromOutside::through(vec![caller(true), caller(true)]);
    assert_eq!((function.standing(), function.counts_as()), (Standing::Regression, Standing::Unconfirmed));
    function.outside = SeenFromOutside::through(vec![caller(true), caller(false)]);
    assert_eq!(function.counts_as(), Standing::Regression);
    function.outside = SeenFromOutside::through(Vec::new());
    assert_eq!(function.counts_as(), Standing::Regression);
}

#[test]
fn what_was_not_shown() {
    let ledger = Default::default();
    check(ChangeKind::Changed, Verdict::NoDifferenceFound { runs: 9, ledger }, [0, 0, 0, 100]);
    check(
        ChangeKind::Changed,
        Verdict::NotAnalysed { reason: NotAnalysed::Refused(Refused::NoBody) },
        [0, 0, 0, 100],
    );
    // This verdict contradicts the kind of change.
    check(ChangeKind::Affected, Verdict::Unchanged, [0, 0, 0, 100]);
}

#[test]
fn what_is_fine() {
    check(ChangeKind::Unchanged, Verdict::Unchanged, [0; 4]);
    check(ChangeKind::Changed, Verdict::Equal { proof: proof() }, [0; 4]);
    check(
        ChangeKind::Changed,
        Verdict::EqualWithin { proof: explored(), bounds: Default::default() },
        [0; 4],
    );
    check(ChangeKind::Added, Verdict::Added, [0; 4]);
    check(ChangeKind::Removed, Verdict::Removed, [0; 4]);
}

#[test]
fn an_empty_report_is_fine() {
    assert_eq!(exit_code([], FailOn::Unknown), 0);
}

/// A class is given by the worst witness that was seen natively, not by one that was not.
#[test]
fn the_class_rests_on_confirmed_witnesses() {
    let seen = witness(ok(1), ok(2));
    check(ChangeKind::Changed, differs(Class::Regression, vec![unconfirmed(), seen]), [0, 0, 100, 100]);
}

#[test]
fn all_is_in_the_order_of_the_report() {
    let mut sorted = Standing::ALL;
    sorted.sort();
    assert_eq!(sorted, Standing::ALL);
}

#[test]
fn what_debug_shows_comes_behind_what_else_differs() {
    let differing = |path: &str, class, new| {
        function(path, ChangeKind::Changed, differs(class, vec![witness(ok(1), new)]))
    };
    let shown = differing("<A as std::fmt::Debug>::fmt", Class::Behaviour, ok(2));
    let other = differing("z", Class::Behaviour, ok(2));
    let panics = differing("<B as std::fmt::Debug>::fmt", Class::Regression, overflow());
    let mut report = report(vec![shown, other, panics]);
    report.sort();
    let paths: Vec<&str> = report.functions.iter().map(|function| function.path.as_str()).collect();
    assert_eq!(paths, ["<B as std::fmt::Debug>::fmt", "z", "<A as std::fmt::Debug>::fmt"]);
}
