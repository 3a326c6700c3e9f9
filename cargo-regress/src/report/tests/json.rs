//! The document, field by field, as `docs/book/src/report-json.md` promises it.

use regress_core::value::Outcome;
use regress_core::verdict::{
    Approximation, ChangeKind, Class, Confirmation, Exhausted, Proof, Verdict, Version, Witness,
    WitnessOrigin,
};
use serde_json::{Value as Json, json};

use crate::report::json::{Document, document, render};
use crate::report::testing::{
    differs, explored, function, ledger, ok, overflow, proof, report, suspect, witness,
};
use crate::report::{Acceptance, AcceptedBy, FunctionReport, Report, StaleEntry};
use regress_core::verdict::not_analysed::{NotAnalysed, NotRun, Refused};

fn parsed(report: &Report) -> Json {
    serde_json::from_str(&render(report).expect("it renders")).expect("it is JSON")
}

/// The only function of the document has at least these fields with these values.
#[track_caller]
fn check(function: FunctionReport, expected: Json) {
    let document = parsed(&report(vec![function]));
    let record = &document["functions"][0];
    for (name, value) in expected.as_object().expect("an object") {
        assert_eq!(&record[name], value, "{name}");
    }
}

#[test]
fn versions_and_summary() {
    let document = parsed(&report(vec![
        function("a", ChangeKind::Unchanged, Verdict::Unchanged),
        function("b", ChangeKind::Changed, differs(Class::Regression, vec![witness(ok(1), overflow())])),
        function(
            "c",
            ChangeKind::Changed,
            Verdict::NotAnalysed { reason: NotAnalysed::Refused(Refused::NoBody) },
        ),
    ]));
    assert_eq!(document["schema_version"], 1);
    assert_eq!(document["old"]["rev"], "HEAD~1");
    assert_eq!(document["old"]["oid"], "1a2b3c4000000000000000000000000000000000");
    assert_eq!(document["new"]["rev"], "working tree");
    assert_eq!(document["new"]["oid"], Json::Null);
    let expected = json!({
        "functions": 3, "unchanged": 1, "equal": 0, "equal_within": 0, "no_difference_found": 0, "regressions": 1,
        "behaviour_changes": 0, "fixes": 0, "unconfirmed": 0, "accepted": 0, "not_analysed": 1, "added": 0, "removed": 0,
        "duration_seconds": 1.25,
    });
    assert_eq!(document["summary"], expected);
}

#[test]
fn every_verdict_has_its_name() {
    let bounds = ledger([Approximation::InputLength { max_len: 8 }]);
    let change = |verdict| function("f", ChangeKind::Changed, verdict);
    check(
        function("f", ChangeKind::Unchanged, Verdict::Unchanged),
        json!({ "path": "f", "kind": "unchanged", "verdict": "unchanged", "witnesses": [], "suspects": [], "ledger": [] }),
    );
    check(
        change(Verdict::Equal { proof: proof() }),
        json!({ "verdict": "equal", "kind": "changed", "partitions": { "explored": 3, "differing": 0 } }),
    );
    let by = vec!["g".to_owned()];
    check(
        function("f", ChangeKind::Affected, Verdict::Equal { proof: Proof::Congruent { by } }),
        json!({ "verdict": "equal", "kind": "affected", "proof": { "by": ["g"] } }),
    );
    let listed = Proof::Exhaustive(Exhausted { inputs: 65_536, panicking: 1 });
    check(
        change(Verdict::Equal { proof: listed }),
        json!({ "verdict": "equal", "proof": { "exhaustive": 65_536 }, "partitions": null }),
    );
    check(
        change(Verdict::EqualWithin { proof: explored(), bounds: bounds.clone() }),
        json!({ "verdict": "equal_within", "ledger": [
            { "kind": "input_length", "max_len": 8, "text": "sequences of at most 8 elements" },
        ] }),
    );
    check(
        change(Verdict::NoDifferenceFound { runs: 1000, ledger: bounds }),
        json!({ "verdict": "no_difference_found", "runs": 1000 }),
    );
    check(
        function(
            "f",
            ChangeKind::SignatureChanged,
            Verdict::NotAnalysed { reason: NotAnalysed::Refused(Refused::NoBody) },
        ),
        json!({ "verdict": "not_analysed", "kind": "signature_changed", "reason": "it has no body" }),
    );
    check(
        function("f", ChangeKind::Affected, Verdict::Equal { proof: proof() }),
        json!({ "kind": "affected" }),
    );
}

#[test]
fn added_and_removed_have_the_span_of_the_version_they_are_in() {
    let span = json!({ "file": "src/lib.rs", "line_start": 1, "line_end": 5 });
    check(
        function("f", ChangeKind::Added, Verdict::Added),
        json!({ "kind": "added", "verdict": "added", "span": span, "old_span": null }),
    );
    check(
        function("f", ChangeKind::Removed, Verdict::Removed),
        json!({ "kind": "removed", "verdict": "removed", "span": span, "old_span": span }),
    );
}

#[test]
fn a_difference_carries_its_evidence() {
    let mut verdict = differs(Class::Regression, vec![witness(ok(1), overflow())]);
    if let Verdict::Differs { suspects, .. } = &mut verdict {
        suspects.push(suspect(Version::New, 1, 3, (15, 30), 1));
    }
    check(
        function("parse", ChangeKind::Changed, verdict),
        json!({
            "verdict": "differs",
            "class": "regression",
            "partitions": { "explored": 7, "differing": 2 },
            "witnesses": [{
                "call": "parse(\"0\")",
                "inputs": [{ "name": "s", "value": "\"0\"", "structure": { "str": "0" } }],
                "old": { "outcome": "returned", "value": "Ok(1)" },
                "new": { "outcome": "panicked", "panic": {
                    "kind": "overflow",
                    "message": "attempt to subtract with overflow",
                    "location": "src/lib.rs:3:15",
                } },
                "confirmed": true,
                "origin": "random",
            }],
            "suspects": [
                { "version": "new", "file": "src/helper.rs", "line": 3, "rank": 1, "reason": "this line changed" },
            ],
        }),
    );
}

#[test]
fn what_an_input_is_from_is_one_word() {
    let origins = [
        (WitnessOrigin::Exhaustive, "exhaustive"),
        (WitnessOrigin::Corpus, "corpus"),
        (WitnessOrigin::Fuzzing, "fuzzing"),
        (WitnessOrigin::Divergence, "divergence"),
        (WitnessOrigin::Search, "search"),
        (WitnessOrigin::Test { name: "parses_rfc850".to_owned() }, "test:parses_rfc850"),
    ];
    for (origin, word) in origins {
        let shown = Witness { origin, ..witness(ok(1), ok(2)) };
        let changed = function("f", ChangeKind::Changed, differs(Class::Behaviour, vec![shown]));
        assert_eq!(parsed(&report(vec![changed]))["functions"][0]["witnesses"][0]["origin"], word);
    }
}

#[test]
fn other_outcomes_and_other_classes() {
    let mut shown = witness(Outcome::Hung, Outcome::Aborted("stack overflow".to_owned()));
    shown.confirmation = Confirmation::Unconfirmed { reason: NotRun::Said("no harness".to_owned()) };
    let changed = function("f", ChangeKind::Changed, differs(Class::Behaviour, vec![shown]));
    let document = parsed(&report(vec![changed]));
    let witness = &document["functions"][0]["witnesses"][0];
    assert_eq!(document["functions"][0]["class"], "behaviour");
    assert_eq!(witness["call"], "f(\"0\")");
    assert_eq!(witness["old"], json!({ "outcome": "hung" }));
    assert_eq!(witness["new"], json!({ "outcome": "aborted", "cause": "stack overflow" }));
    assert_eq!(witness["confirmed"], false);
    assert_eq!(document["summary"]["unconfirmed"], 1);
    assert_eq!(document["summary"]["behaviour_changes"], 0);
    check(
        function("f", ChangeKind::Changed, differs(Class::Fix, vec![])),
        json!({ "class": "fix", "verdict": "differs" }),
    );
}

#[test]
fn a_document_can_be_read_again() {
    let report = report(vec![
        function("b", ChangeKind::Changed, differs(Class::Regression, vec![witness(ok(1), overflow())])),
        function(
            "c",
            ChangeKind::Changed,
            Verdict::NoDifferenceFound {
                runs: 3,
                ledger: ledger([Approximation::NoPanicAssumed, Approximation::TimeBudget { seconds: 10 }]),
            },
        ),
    ]);
    let text = render(&report).expect("it renders");
    let read: Document = serde_json::from_str(&text).expect("it can be read");
    assert_eq!(read, document(&report));
}

#[test]
fn every_field_is_documented() {
    fn names(value: &Json, found: &mut std::collections::BTreeSet<String>) {
        match value {
            Json::Object(fields) => {
                for (name, value) in fields {
                    found.insert(name.clone());
                    // The structure of values and the details of approximations are described as wholes.
                    if name != "structure" {
                        names(value, found);
                    }
                }
            }
            Json::Array(items) => items.iter().for_each(|item| names(item, found)),
            _ => {}
        }
    }
    let mut shown = witness(ok(1), Outcome::Aborted("signal 11".to_owned()));
    shown.confirmation = Confirmation::Unconfirmed { reason: NotRun::Said("no harness".to_owned()) };
    shown.old = Outcome::Returned {
        value: regress_core::value::Value::unit(),
        mutated: vec![(0, regress_core::value::Value::Bool(true))],
    };
    let mut verdict = differs(Class::Regression, vec![shown, witness(ok(1), overflow())]);
    if let Verdict::Differs { suspects, ledger: entries, .. } = &mut verdict {
        suspects.push(suspect(Version::New, 0, 3, (15, 30), 1));
        entries.note(Approximation::NoPanicAssumed);
    }
    let by =
        AcceptedBy { reason: "meant".into(), place: "x.toml:1".into(), condition: Some("s == \"\"".into()) };
    let meant = differs(Class::Behaviour, vec![witness(ok(1), ok(2))]);
    let meant =
        FunctionReport { acceptance: Acceptance::By(vec![by]), ..function("e", ChangeKind::Changed, meant) };
    let mut report = report(vec![
        meant,
        function("a", ChangeKind::Changed, verdict),
        function("b", ChangeKind::Changed, Verdict::Equal { proof: proof() }),
        function(
            "c",
            ChangeKind::Changed,
            Verdict::NotAnalysed { reason: NotAnalysed::Refused(Refused::NoBody) },
        ),
        function(
            "d",
            ChangeKind::Changed,
            Verdict::NoDifferenceFound { runs: 1, ledger: Default::default() },
        ),
    ]);
    report.unfinished.push("d".into());
    report.stale.push(StaleEntry {
        function: "f".into(),
        place: "x.toml:3".into(),
        why: "it is gone".into(),
    });
    let document = parsed(&report);
    let mut found = Default::default();
    names(&document, &mut found);
    let documentation = include_str!("../../../docs/report-json.md");
    let missing: Vec<&String> =
        found.iter().filter(|name| !documentation.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "not in docs/report-json.md: {missing:?}");
    assert!(found.len() > 40, "the sample shows the whole document: {found:?}");
}
