//! Compares the command's report with the expectations on a case's lines.
//!
//! A function of the report belongs to the function of the fixture that has its name and its lines. Whatever the
//! report has beyond those (derived implementations) must be unchanged or proved equal:
//! silence is tested too.

use std::fmt;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use crate::cases::{Case, SOURCE};
use crate::command::{Run, run};
use crate::expectations::{Expectation, ExpectedKind, Function, Marked, NewPanics, Tag};
use crate::repository::Repository;
use crate::shared::SharedTarget;

/// The command's JSON document, as far as it is compared.
#[derive(Clone, Debug, Deserialize)]
pub struct Report {
    pub functions: Vec<Reported>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Reported {
    pub path: String,
    pub kind: String,
    pub verdict: String,
    #[serde(default)]
    pub class: Option<String>,
    #[serde(default)]
    pub span: Option<Span>,
    /// A count, or an object that has one as `explored`.
    #[serde(default)]
    pub partitions: Value,
    #[serde(default)]
    pub witnesses: Vec<Witness>,
    #[serde(default)]
    pub suspects: Vec<Suspect>,
    #[serde(default)]
    pub ledger: Value,
    #[serde(default)]
    pub reason: Option<String>,
    #[serde(default)]
    pub interaction: Option<Interaction>,
    /// `none` if that is proved.
    #[serde(default)]
    pub new_panics: Option<String>,
    pub affected_when: Option<String>,
}

/// Which of several changes a difference takes.
#[derive(Clone, Debug, Deserialize)]
pub struct Interaction {
    pub kind: String,
    pub changes: Vec<NumberedChange>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct NumberedChange {
    pub hunk: Hunk,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Hunk {
    pub new_lines: Option<(u32, u32)>,
    pub old_lines: Option<(u32, u32)>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Span {
    pub file: String,
    pub line_start: u32,
    pub line_end: u32,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Witness {
    #[serde(default)]
    pub call: String,
    #[serde(default)]
    pub old: Value,
    #[serde(default)]
    pub new: Value,
    #[serde(default)]
    pub confirmed: bool,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Suspect {
    /// `old` or `new`
    pub version: String,
    pub file: String,
    pub line: u32,
}

/// An expectation that was not met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    pub case: String,
    pub version: &'static str,
    pub line: u32,
    pub function: String,
    pub expected: String,
    pub found: String,
}

/// In the look of a compiler's error.
impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mismatch { case, version, line, function, expected, found } = self;
        writeln!(f, "error: `{function}`: expected {expected}, found {found}")?;
        write!(f, "  --> fixtures/{case}/{version}/{SOURCE}:{line}")
    }
}

/// Leaves out what tells changes apart.
pub const NOT_ASKED: [&str; 2] = ["--interaction-time", "0"];

/// Lays the case as two commits, runs the command and tells what is not as expected.
pub fn check_case(case: &Case) -> Vec<Mismatch> {
    let at_case = |expected: &str, found: String| Mismatch {
        case: case.name.clone(),
        version: "new",
        line: 1,
        function: "(the whole case)".to_string(),
        expected: expected.to_string(),
        found,
    };
    let repository = match two_commits(&case.root) {
        Ok(repository) => repository,
        Err(error) => return vec![at_case("two commits", error.to_string())],
    };
    let target = SharedTarget::take();
    // Versions with some of the changes are built only where something is said of them.
    let is_asked = expectations(case).any(|(_, expectation)| expectation.takes.is_some());
    let changes: &[&str] = if is_asked { &[] } else { &NOT_ASKED };
    let report = |further: &[&str]| {
        let given = case.args.iter().map(String::as_str);
        let args: Vec<&str> = given.chain(changes.iter().copied()).chain(further.iter().copied()).collect();
        report_in(&target, repository.root(), &args)
    };
    let mut mismatches = match report(&[]) {
        Ok(report) => compare(case, &report),
        Err(found) => return vec![at_case("a report", found)],
    };
    let mut strategies: Vec<&str> = expectations(case)
        .flat_map(|(_, expectation)| &expectation.partitions)
        .map(|partitions| partitions.strategy.as_str())
        .collect();
    strategies.sort_unstable();
    strategies.dedup();
    for strategy in strategies {
        match report(&["--strategy", strategy, "--discharge", "off"]) {
            Ok(report) => mismatches.extend(compare_partitions(case, &report, strategy)),
            Err(found) => mismatches.push(at_case("a report", found)),
        }
    }
    mismatches
}

/// The case's old and new version as commits of one repository.
pub fn two_commits(root: &Path) -> Result<Repository, crate::repository::RepositoryError> {
    let repository = Repository::new()?;
    repository.commit_directory(&root.join("old"), "old")?;
    repository.commit_directory(&root.join("new"), "new")?;
    Ok(repository)
}

/// Compares the last commit with the one before.
pub fn report(repository: &Path, further: &[&str]) -> Result<Report, String> {
    report_in(&SharedTarget::take(), repository, further)
}

fn report_in(target: &SharedTarget, repository: &Path, further: &[&str]) -> Result<Report, String> {
    let common = ["HEAD~1", "--message-format", "json", "--target-dir", target.text()];
    read_report(&run(repository, &[&common, further].concat()))
}

fn read_report(run: &Run) -> Result<Report, String> {
    // 0 and 100 are answers; everything else means that there is none.
    if !matches!(run.code, Some(0 | 100)) {
        return Err(format!("exit code {:?}: {}", run.code, run.stderr.trim()));
    }
    serde_json::from_str(&run.stdout).map_err(|error| format!("no such document: {error}"))
}

/// The functions of the new version with what is expected of them.
fn expectations(case: &Case) -> impl Iterator<Item = (&Function, &Expectation)> {
    case.new.functions.iter().filter_map(|function| Some((function, function.expectation.as_ref()?)))
}

/// What of the report is not as expected.
pub fn compare(case: &Case, report: &Report) -> Vec<Mismatch> {
    let mut matched = vec![false; report.functions.len()];
    let mut mismatches = Vec::new();
    for (version, functions) in [("old", &case.old.functions), ("new", &case.new.functions)] {
        for function in functions {
            let Some(expectation) = &function.expectation else { continue };
            let mismatch = |expected: String, found: String| Mismatch {
                case: case.name.clone(),
                version,
                line: function.first_line,
                function: function.path.clone(),
                expected,
                found,
            };
            match find(function, version, report) {
                None => {
                    mismatches.push(mismatch(wanted(expectation), "nothing: it is not in the report".into()))
                }
                Some(index) => {
                    matched[index] = true;
                    let reported = &report.functions[index];
                    let faults = faults(case, function, expectation, reported);
                    mismatches.extend(faults.into_iter().map(|(expected, found)| mismatch(expected, found)));
                }
            }
        }
    }
    for (reported, matched) in report.functions.iter().zip(matched) {
        if !matched && reported.verdict != "unchanged" && reported.verdict != "equal" {
            mismatches.push(Mismatch {
                case: case.name.clone(),
                version: "new",
                line: reported.span.as_ref().map_or(1, |span| span.line_start),
                function: reported.path.clone(),
                expected: "nothing, or UNCHANGED, or EQUAL".to_string(),
                found: told(reported),
            });
        }
    }
    mismatches
}

/// What of the counts of partitions under a strategy is not as expected.
pub fn compare_partitions(case: &Case, report: &Report, strategy: &str) -> Vec<Mismatch> {
    let mut mismatches = Vec::new();
    for (function, expectation) in expectations(case) {
        let Some(expected) = expectation.partitions.iter().find(|part| part.strategy == strategy) else {
            continue;
        };
        let reported = find(function, "new", report).map(|index| &report.functions[index]);
        let found = reported.and_then(explored);
        if found != Some(expected.count) {
            mismatches.push(Mismatch {
                case: case.name.clone(),
                version: "new",
                line: function.first_line,
                function: function.path.clone(),
                expected: format!("{} partitions with --strategy {strategy}", expected.count),
                found: match (found, reported) {
                    (Some(count), _) => count.to_string(),
                    (None, Some(reported)) => told(reported),
                    (None, None) => "nothing: it is not in the report".to_string(),
                },
            });
        }
    }
    mismatches
}

fn explored(reported: &Reported) -> Option<u64> {
    let partitions = &reported.partitions;
    partitions.as_u64().or_else(|| partitions.get("explored")?.as_u64())
}

/// The entry of the report that has the function's name and lines.
fn find(function: &Function, version: &str, report: &Report) -> Option<usize> {
    report.functions.iter().position(|reported| {
        let in_version = (version == "old") == (reported.kind == "removed");
        let same_name = reported.path.rsplit("::").next() == Some(function.name.as_str());
        let same_lines = reported.span.as_ref().is_some_and(|span| {
            span.file.ends_with(SOURCE)
                && span.line_start <= function.header_end
                && span.line_end >= function.first_line
        });
        in_version && same_name && same_lines
    })
}

/// Pairs of what was expected and what was found instead.
fn faults(
    case: &Case,
    function: &Function,
    expectation: &Expectation,
    reported: &Reported,
) -> Vec<(String, String)> {
    if !expectation.verdicts.iter().any(|&tag| meets(tag, reported)) {
        return vec![(wanted(expectation), told(reported))];
    }
    let mut faults = Vec::new();
    if expectation.kind == ExpectedKind::Affected && reported.kind != "affected" {
        faults.push(("AFFECTED".to_string(), format!("kind {}", reported.kind)));
    }
    if expectation.affected_when.is_some() && expectation.affected_when != reported.affected_when {
        let told = |condition: &Option<String>| {
            format!("AFFECTED_WHEN {}", condition.as_deref().unwrap_or("anything"))
        };
        faults.push((told(&expectation.affected_when), told(&reported.affected_when)));
    }
    match (expectation.new_panics, &reported.new_panics) {
        (NewPanics::ProvedNone, None) => {
            faults.push(("NO_NEW_PANIC".to_owned(), "no proof of that".to_owned()));
        }
        (_, Some(_)) if expectation.verdicts.contains(&Tag::Regression) => {
            faults.push(("nothing said of new panics".to_owned(), "that there are none".to_owned()));
        }
        _ => {}
    }
    if reported.verdict == "differs" {
        if !reported.witnesses.iter().any(|witness| witness.confirmed) {
            faults.push(("a witness that was replayed".to_string(), told(reported)));
        }
        let marked = marked_suspects(case, function, expectation);
        let named = reported.suspects.iter().any(|suspect| {
            suspect.file.ends_with(SOURCE) && marked.contains(&(suspect.version.as_str(), suspect.line))
        });
        if !marked.is_empty() && !named {
            let lines: Vec<(&str, u32)> =
                reported.suspects.iter().map(|suspect| (suspect.version.as_str(), suspect.line)).collect();
            faults.push((format!("one of the lines {marked:?} as SUSPECT"), format!("the lines {lines:?}")));
        }
        if let Some(kind) = &expectation.takes {
            faults.extend(interaction_fault(case, function, kind, reported.interaction.as_ref()));
        }
    }
    faults
}

/// Each change that is told has to hold a line that is needed, and each such line has to be in a change that is told.
fn interaction_fault(
    case: &Case,
    function: &Function,
    kind: &str,
    told: Option<&Interaction>,
) -> Option<(String, String)> {
    let of = |marked: &Marked| -> Vec<u32> {
        let needed = marked.needed.iter().filter(|needed| needed.of.contains(&function.path));
        needed.map(|needed| needed.line).collect()
    };
    let (old, new) = (of(&case.old), of(&case.new));
    let expected = format!("TAKES {kind} of the old lines {old:?} and the new lines {new:?}");
    let Some(told) = told else { return Some((expected, "nothing of changes".to_owned())) };
    let holds = |lines: Option<(u32, u32)>, line: &u32| {
        lines.is_some_and(|(first, last)| (first..=last).contains(line))
    };
    let is_needed = |change: &NumberedChange| {
        old.iter().any(|line| holds(change.hunk.old_lines, line))
            || new.iter().any(|line| holds(change.hunk.new_lines, line))
    };
    let is_told = |lines: &dyn Fn(&Hunk) -> Option<(u32, u32)>, line: &u32| {
        told.changes.iter().any(|change| holds(lines(&change.hunk), line))
    };
    let fits = told.kind == kind
        && told.changes.iter().all(is_needed)
        && old.iter().all(|line| is_told(&|hunk| hunk.old_lines, line))
        && new.iter().all(|line| is_told(&|hunk| hunk.new_lines, line));
    let lines = |change: &NumberedChange| (change.hunk.old_lines, change.hunk.new_lines);
    let found = told.changes.iter().map(lines).collect::<Vec<_>>();
    (!fits).then(|| (expected, format!("{} of {found:?}", told.kind)))
}

/// The lines of which one must be named: those marked in the function, in either version; for an affected function,
/// whose own lines are innocent, those marked anywhere.
fn marked_suspects(case: &Case, function: &Function, expectation: &Expectation) -> Vec<(&'static str, u32)> {
    let before = case.old.functions.iter().filter(|old| old.path == function.path);
    let own: Vec<(&str, u32)> = before
        .flat_map(|old| &old.suspects)
        .map(|&line| ("old", line))
        .chain(function.suspects.iter().map(|&line| ("new", line)))
        .collect();
    if !own.is_empty() || expectation.kind != ExpectedKind::Affected {
        return own;
    }
    [("old", &case.old), ("new", &case.new)]
        .into_iter()
        .flat_map(|(version, marked)| {
            let in_functions = marked.functions.iter().flat_map(|function| &function.suspects);
            marked.loose_suspects.iter().chain(in_functions).map(move |&line| (version, line))
        })
        .collect()
}

/// Whether the report's entry is what the tag stands for. An unchanged body is as good as one proved equal.
fn meets(tag: Tag, reported: &Reported) -> bool {
    let differs = |class: &str| reported.verdict == "differs" && reported.class.as_deref() == Some(class);
    match tag {
        Tag::Equal => matches!(reported.verdict.as_str(), "equal" | "unchanged"),
        Tag::EqualWithin => reported.verdict == "equal_within",
        Tag::NoDifference => reported.verdict == "no_difference_found",
        Tag::NotAnalysed => reported.verdict == "not_analysed",
        Tag::Regression => differs("regression"),
        Tag::Fix => differs("fix"),
        Tag::Behaviour => differs("behaviour"),
        Tag::Differs => reported.verdict == "differs",
        Tag::Unchanged => reported.verdict == "unchanged" && reported.kind == "unchanged",
        Tag::Added => reported.kind == "added",
        Tag::Removed => reported.kind == "removed",
        Tag::Signature => reported.kind == "signature_changed",
    }
}

fn wanted(expectation: &Expectation) -> String {
    expectation.verdicts.iter().map(|tag| tag.name()).collect::<Vec<_>>().join(" or ")
}

fn told(reported: &Reported) -> String {
    let mut text = format!("{} ({})", reported.verdict, reported.kind);
    if let Some(class) = &reported.class {
        text.push_str(&format!(", {class}"));
    }
    if let Some(reason) = &reported.reason {
        text.push_str(&format!(": {reason}"));
    }
    for witness in &reported.witnesses {
        let seen = if witness.confirmed { "replayed" } else { "not replayed" };
        text.push_str(&format!("\n  = note: {} ({seen}): {} / {}", witness.call, witness.old, witness.new));
    }
    if !reported.ledger.is_null() {
        text.push_str(&format!("\n  = note: ledger {}", reported.ledger));
    }
    text
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::expectations::parse;

    /// A case of these texts; `(expected, found)` of each mismatch begins with the given pair.
    #[track_caller]
    fn check(old: &str, new: &str, report: &str, expected: &[(&str, &str)]) {
        let case = Case {
            name: "topic/case".to_string(),
            root: PathBuf::new(),
            old: parse(old).unwrap(),
            new: parse(new).unwrap(),
            args: Vec::new(),
        };
        let report: Report = serde_json::from_str(report).unwrap();
        let found = compare(&case, &report);
        let agree = found.len() == expected.len()
            && found.iter().zip(expected).all(|(mismatch, (expected, found))| {
                mismatch.expected.starts_with(expected) && mismatch.found.starts_with(found)
            });
        assert!(agree, "{found:#?}");
    }

    /// A report of one function `f` on lines 1 to 3.
    fn report(fields: &str) -> String {
        let span = r#"{"file": "src/lib.rs", "line_start": 1, "line_end": 3}"#;
        format!(r#"{{"functions": [{{"path": "f", "span": {span}, {fields}}}]}}"#)
    }

    const EQUAL: &str = "fn f() { //~ EQUAL\n    1;\n}\n";
    const REGRESSION: &str = "fn f() { //~ REGRESSION\n    1; //~ SUSPECT\n}\n";

    #[test]
    fn the_expected_verdict_is_silent() {
        check("", EQUAL, &report(r#""kind": "changed", "verdict": "equal""#), &[]);
        check("", EQUAL, &report(r#""kind": "unchanged", "verdict": "unchanged""#), &[]);
    }

    #[test]
    fn another_verdict_is_told() {
        let within = report(r#""kind": "changed", "verdict": "equal_within""#);
        check("", EQUAL, &within, &[("EQUAL", "equal_within (changed)")]);
        let gone = r#"{"functions": []}"#;
        check("", EQUAL, gone, &[("EQUAL", "nothing")]);
    }

    #[test]
    fn a_difference_needs_its_class_a_replayed_witness_and_a_suspect() {
        let differs = |class: &str, confirmed: bool, line: u32| {
            report(&format!(
                r#""kind": "changed", "verdict": "differs", "class": "{class}",
                "witnesses": [{{"call": "f()", "confirmed": {confirmed}}}],
                "suspects": [{{"version": "new", "file": "src/lib.rs", "line": {line}}}]"#
            ))
        };
        check("", REGRESSION, &differs("regression", true, 2), &[]);
        check("", REGRESSION, &differs("behaviour", true, 2), &[("REGRESSION", "differs")]);
        check("", REGRESSION, &differs("regression", false, 2), &[("a witness", "differs")]);
        check(
            "",
            REGRESSION,
            &differs("regression", true, 3),
            &[("one of the lines [(\"new\", 2)]", "the lines [(\"new\", 3)]")],
        );
    }

    #[test]
    fn functions_beyond_the_expected_must_be_unchanged() {
        let function = |verdict: &str| {
            format!(
                r#"{{"functions": [{{"path": "<S as Clone>::clone", "kind": "x", "verdict": "{verdict}"}}]}}"#
            )
        };
        check("", "", &function("unchanged"), &[]);
        check("", "", &function("equal"), &[]);
        let expected = "nothing, or UNCHANGED, or EQUAL";
        check("", "", &function("no_difference_found"), &[(expected, "no_difference_found (x)")]);
    }

    #[test]
    fn removed_functions_are_sought_in_the_old_version() {
        let removed = report(r#""kind": "removed", "verdict": "removed""#);
        check("fn f() { //~ REMOVED\n    1;\n}\n", "", &removed, &[]);
        let kept = report(r#""kind": "unchanged", "verdict": "unchanged""#);
        check("fn f() { //~ REMOVED\n    1;\n}\n", "", &kept, &[("REMOVED", "nothing")]);
    }

    #[test]
    fn an_affected_function_must_be_told_as_such() {
        let new = "fn f() { //~ EQUAL, AFFECTED\n    1;\n}\n";
        check("", new, &report(r#""kind": "affected", "verdict": "equal""#), &[]);
        check("", new, &report(r#""kind": "changed", "verdict": "equal""#), &[("AFFECTED", "kind changed")]);
    }

    #[test]
    fn partitions_are_counts_or_objects() {
        let new = "fn f() { //~ EQUAL, PARTITIONS rsc=3\n    1;\n}\n";
        let count = |partitions: &str| {
            let fields = format!(r#""kind": "changed", "verdict": "equal", "partitions": {partitions}"#);
            let report: Report = serde_json::from_str(&report(&fields)).unwrap();
            let case = Case {
                name: "topic/case".to_string(),
                root: PathBuf::new(),
                old: parse("").unwrap(),
                new: parse(new).unwrap(),
                args: Vec::new(),
            };
            compare_partitions(&case, &report, "rsc").len()
        };
        assert_eq!((count("3"), count(r#"{"explored": 3}"#)), (0, 0));
        assert_eq!((count("8"), count("null")), (1, 1));
    }

    #[test]
    fn a_mismatch_looks_like_a_compiler_error() {
        let mismatch = Mismatch {
            case: "topic/case".into(),
            version: "new",
            line: 7,
            function: "f".into(),
            expected: "EQUAL".into(),
            found: "differs".into(),
        };
        assert_eq!(
            mismatch.to_string(),
            "error: `f`: expected EQUAL, found differs\n  --> fixtures/topic/case/new/src/lib.rs:7"
        );
    }
}
