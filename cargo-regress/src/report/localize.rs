//! The lines behind a failing call or test, for people and for programs.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use regress_core::value::Outcome;
use regress_core::verdict::{Class, Confirmation, Version, Witness, WitnessOrigin};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::human::{LineIndex, Style, place_in};
use super::json::{OutcomeRecord, outcome};
use super::{Sources, VersionInfo, wording};

/// Lines shown for one call; the JSON document has all.
const LINES: usize = 5;
/// Hunks listed.
const HUNKS: usize = 6;

/// What was found out about each call or test.
#[derive(Clone, Debug)]
pub struct LocalizeReport {
    pub old: VersionInfo,
    pub new: VersionInfo,
    pub front_end: Option<String>,
    pub cases: Vec<Case>,
    pub notes: Vec<String>,
    pub duration: std::time::Duration,
}

#[derive(Clone, Debug)]
pub struct Case {
    /// The call as given, or the name of the test.
    pub subject: Subject,
    pub finding: Finding,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    Call(String),
    Test(String),
}

#[derive(Clone, Debug)]
pub enum Finding {
    /// There is nothing to localize, and why.
    Nothing {
        reason: String,
    },
    Located(Box<Located>),
}

/// A difference that was seen natively, with the lines that may be to blame.
#[derive(Clone, Debug)]
pub struct Located {
    /// The call that shows it; none if only the test as a whole does.
    pub call: Option<Shown>,
    pub method: Method,
    /// Best first.
    pub lines: Vec<Line>,
    pub hunks: Option<Hunks>,
    /// A test of the call, if one was asked for; or why there is none.
    pub test: Option<Result<EmittedTest, String>>,
    /// How git finds the commit, if that was asked for.
    pub bisect: Option<String>,
    pub effort: Effort,
    /// What the answer was limited by.
    pub limits: Vec<String>,
}

/// A test of one call: it passes if the call gives what it gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmittedTest {
    /// The file that defines the function, where the test belongs.
    pub file: Option<String>,
    /// The function's name.
    pub function: String,
    pub attribute: String,
    pub body: String,
}

/// A call that was run natively on both versions.
#[derive(Clone, Debug)]
pub struct Shown {
    pub call: String,
    pub old: Outcome,
    pub new: Outcome,
}

/// What the lines were found by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Method {
    /// By relevant slice conditions or path conditions of the call, given or captured while the test ran.
    Conditions { with: &'static str, captured: Captured },
    /// By what changed and is executed by the test, since no call of it could be followed.
    Coverage { reason: String },
    /// By what changed, since the runs cannot be followed symbolically.
    Changes { reason: String },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Captured {
    Given,
    DuringTest,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub version: Version,
    pub file: String,
    /// Line and column, counted from 1; the end is exclusive.
    pub from: (u32, u32),
    pub to: (u32, u32),
    pub evidence: Evidence,
    pub text: LineText,
    pub reason: String,
}

/// Whether the line is part of the change as it was typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineText {
    Same,
    Changed,
}

/// Why a line is suspect, strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// The test fails with this hunk and does not without it, seen natively, and no condition tells more.
    TakenBack,
    /// The new version was seen to panic here.
    Panics,
    /// Only this version branches here, and on the other side of the branch both versions agree.
    DecidesAlone,
    /// Only this version branches here.
    NotImplied,
    /// A statement changed here.
    Changed,
}

/// The least set of hunks that shows the failure, all of them run natively.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Hunks {
    pub all: usize,
    pub needed: Vec<Hunk>,
    pub status: HunkStatus,
    /// Versions between old and new that were built and run.
    pub runs: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HunkStatus {
    /// Without any one of them the failure does not show.
    Minimal,
    /// Time ran out: fewer may do.
    TimeOut,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Hunk {
    pub file: String,
    /// First and last line; of the version in which the hunk has lines.
    pub new_lines: Option<(u32, u32)>,
    pub old_lines: Option<(u32, u32)>,
    /// Whether the failure vanishes if only this hunk is taken back from the new version.
    pub vanishes_without: Option<bool>,
}

impl Hunk {
    /// `src/lib.rs:14`, or `src/lib.rs:14-16`
    pub fn place(&self) -> String {
        match (self.new_lines, self.old_lines) {
            (Some((first, last)), _) if first == last => format!("{}:{first}", self.file),
            (Some((first, last)), _) => format!("{}:{first}-{last}", self.file),
            (None, Some((first, _))) => format!("{}:{first} (old version, taken out)", self.file),
            (None, None) => self.file.clone(),
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    pub old_conditions: usize,
    pub new_conditions: usize,
    pub formulas: u64,
    pub seconds: f64,
}

impl LocalizeReport {
    /// 100 if a difference was seen.
    pub fn exit_code(&self) -> u8 {
        let any = self.cases.iter().any(|case| matches!(case.finding, Finding::Located(_)));
        if any { 100 } else { 0 }
    }

    fn version(&self, version: Version) -> &VersionInfo {
        match version {
            Version::Old => &self.old,
            Version::New => &self.new,
        }
    }
}

/// The whole report, with a line feed at its end.
pub fn human(report: &LocalizeReport, sources: &dyn Sources, style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Colored => Renderer::styled(),
    }
    .decor_style(DecorStyle::Ascii);
    let front_end = report.front_end.as_ref().map(|name| format!(", as read by {name}")).unwrap_or_default();
    let mut out = vec![format!("localizing from {} to {}{front_end}\n", report.old.label, report.new.label)];
    for case in &report.cases {
        out.push(match &case.finding {
            Finding::Nothing { reason } => {
                let title = format!("{}: {reason}", name(&case.subject));
                renderer.render(&[Group::with_title(
                    Level::NOTE.with_name("nothing to localize").primary_title(title),
                )]) + "\n"
            }
            Finding::Located(located) => located_text(report, case, located, sources, &renderer),
        });
    }
    for note in &report.notes {
        out.push(renderer.render(&[Group::with_title(Level::NOTE.secondary_title(note))]) + "\n");
    }
    let located = report.cases.iter().filter(|case| matches!(case.finding, Finding::Located(_))).count();
    let of = wording::count(report.cases.len() as u64, "case", "cases");
    out.push(format!("summary: {located} of {of} localized ({:.1} s)\n", report.duration.as_secs_f64()));
    out.join("\n")
}

/// The call or test, as sentences have it.
pub(super) fn name(subject: &Subject) -> String {
    match subject {
        Subject::Call(call) => format!("`{}`", wording::printable(call)),
        Subject::Test(test) => format!("test `{test}`"),
    }
}

fn located_text(
    report: &LocalizeReport,
    case: &Case,
    located: &Located,
    sources: &dyn Sources,
    renderer: &Renderer,
) -> String {
    let claim = match &case.subject {
        Subject::Call(_) => format!("{} does something else than before", name(&case.subject)),
        Subject::Test(_) => {
            format!("{} passes on the old version and fails on the new one", name(&case.subject))
        }
    };
    let regression = match (&case.subject, &located.call) {
        (Subject::Test(_), _) => true,
        (_, Some(shown)) => Class::of(&shown.old, &shown.new) == Class::Regression,
        (_, None) => false,
    };
    let level = if regression {
        Level::ERROR.with_name("regression")
    } else {
        Level::WARNING.with_name("behaviour change")
    };
    let mut group = level.primary_title(claim).elements(Vec::<Origin<'_>>::new());
    for version in [Version::New, Version::Old] {
        let mut files: Vec<&str> = Vec::new();
        let shown = located.lines.iter().take(LINES).filter(|line| line.version == version);
        for line in shown {
            if !files.contains(&line.file.as_str()) {
                files.push(&line.file);
            }
        }
        for file in files {
            let place = place_in(&report.version(version).rev, version, file);
            let Some(text) = sources.text(version, file) else {
                group = group.element(Origin::path(place));
                continue;
            };
            let marks = marks(located, version, file, &LineIndex::new(&text));
            group = group.element(Snippet::source(text).line_start(1).path(place).annotations(marks));
        }
    }
    for note in notes(located) {
        group = group.element(Level::NOTE.message(note));
    }
    renderer.render(&[group]) + "\n"
}

fn marks(located: &Located, version: Version, file: &str, index: &LineIndex<'_>) -> Vec<Annotation<'static>> {
    let ranked = located.lines.iter().enumerate().take(LINES);
    ranked
        .filter(|(_, line)| line.version == version && line.file == file)
        .filter_map(|(rank, line)| {
            let kind = if rank == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
            let range = index.columns(line.from, line.to)?;
            Some(kind.span(range).label(format!(
                "suspect {}: {}",
                rank + 1,
                wording::printable(&line.reason)
            )))
        })
        .collect()
}

fn notes(located: &Located) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(shown) = &located.call {
        let witness = Witness {
            inputs: Vec::new(),
            old: shown.old.clone(),
            new: shown.new.clone(),
            confirmation: Confirmation::Native,
            origin: WitnessOrigin::Given,
        };
        notes.push(format!("`{}` {}", wording::printable(&shown.call), wording::change(&witness)));
    }
    notes.push(method_text(&located.method, &located.effort));
    if located.lines.len() > LINES {
        let more = (located.lines.len() - LINES) as u64;
        notes.push(format!("{} not shown", wording::count(more, "more suspect", "more suspects")));
    }
    if located.lines.is_empty() {
        notes.push("no line was found that may be to blame".to_owned());
    }
    notes.extend(located.hunks.as_ref().map(hunks_text));
    notes.extend(located.bisect.as_ref().map(|command| format!("to find the commit: {command}")));
    if !located.limits.is_empty() {
        notes.push(format!("limited: {}", located.limits.join("; ")));
    }
    notes
}

fn method_text(method: &Method, effort: &Effort) -> String {
    match method {
        Method::Conditions { with, captured } => {
            let of = match captured {
                Captured::Given => "the call",
                Captured::DuringTest => "this call, captured while the test ran",
            };
            let what = match *with {
                "pc" => "path conditions",
                _ => "relevant slice conditions",
            };
            format!(
                "found by the {what} of {of}: {} old, {} new, {} asked ({:.1} s)",
                effort.old_conditions,
                effort.new_conditions,
                wording::count(effort.formulas, "formula", "formulas"),
                effort.seconds
            )
        }
        Method::Coverage { reason } => {
            format!("found by what changed and is executed, not by conditions: {reason}")
        }
        Method::Changes { reason } => format!("found by what changed, not by conditions: {reason}"),
    }
}

fn hunks_text(hunks: &Hunks) -> String {
    let listed: Vec<String> = hunks.needed.iter().take(HUNKS).map(Hunk::place).collect();
    let more = if hunks.needed.len() > HUNKS { ", …" } else { "" };
    let needed = match (hunks.needed.len(), hunks.status) {
        (1, HunkStatus::Minimal) => "one is enough to show it".to_owned(),
        (several, HunkStatus::Minimal) => format!("{several} show it only together"),
        (several, HunkStatus::TimeOut) => format!("{several} show it; time ran out before fewer were tried"),
    };
    let alone: Vec<String> =
        hunks.needed.iter().filter(|hunk| hunk.vanishes_without == Some(true)).map(Hunk::place).collect();
    let taken_back = match alone.as_slice() {
        [] => String::new(),
        some => format!("; it vanishes if {} alone is taken back", some.join(" or ")),
    };
    format!(
        "of {}, {needed}: {}{more}{taken_back} ({} run natively)",
        wording::count(hunks.all as u64, "hunk", "hunks"),
        listed.join(", "),
        wording::count(hunks.runs, "mixture", "mixtures"),
    )
}

pub const SCHEMA_VERSION: u32 = 1;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Document {
    pub schema_version: u32,
    pub old: String,
    pub new: String,
    pub cases: Vec<CaseRecord>,
    pub notes: Vec<String>,
    pub seconds: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CaseRecord {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
    /// The call that was run natively on both versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    pub located: bool,
    /// Why there is nothing to localize.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<OutcomeRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<OutcomeRecord>,
    /// `rsc`, `pc` or `changes`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    pub suspects: Vec<LineRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hunks: Option<Hunks>,
    /// The command by which git finds the commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bisect: Option<String>,
    pub old_conditions: usize,
    pub new_conditions: usize,
    pub formulas: u64,
    /// Spent on conditions and formulas.
    pub seconds: f64,
    pub limits: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LineRecord {
    pub rank: usize,
    #[schemars(with = "String")]
    pub version: Version,
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub evidence: Evidence,
    pub reason: String,
}

/// The tests of the calls that were found: each in a module for the end of the file that defines the function, for only there
/// private functions and fields can be named.
pub fn tests(report: &LocalizeReport) -> String {
    let mut text = String::new();
    for (case, number) in report.cases.iter().zip(1..) {
        let Finding::Located(located) = &case.finding else { continue };
        match &located.test {
            Some(Ok(test)) => {
                let stem = test.function.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
                let file = test.file.as_deref().unwrap_or("the file that defines it");
                text.push_str(&format!(
                    "// For the end of {file}: {}.\n#[cfg(test)]\nmod {stem}_regression_{number} {{\n#[test]\n{}fn does_what_it_did() {{\n{}}}\n}}\n\n",
                    name(&case.subject).replace(['\n', '\r'], " "),
                    test.attribute,
                    test.body
                ));
            }
            Some(Err(reason)) => {
                let reason = reason.replace(['\n', '\r'], " ");
                text.push_str(&format!("// {} is left out: {reason}\n\n", name(&case.subject)));
            }
            None => {}
        }
    }
    text
}

/// The report as one JSON document; its fields are described in `docs/book/src/localize.md`.
pub fn json(report: &LocalizeReport) -> Result<String, serde_json::Error> {
    let document = Document {
        schema_version: SCHEMA_VERSION,
        old: report.old.label.clone(),
        new: report.new.label.clone(),
        cases: report.cases.iter().map(record).collect(),
        notes: report.notes.clone(),
        seconds: report.duration.as_secs_f64(),
    };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

/// One case as the document has it.
pub fn record(case: &Case) -> CaseRecord {
    let (test, given) = match &case.subject {
        Subject::Test(name) => (Some(name.clone()), None),
        Subject::Call(call) => (None, Some(call.clone())),
    };
    let empty = CaseRecord {
        test,
        call: given,
        located: false,
        reason: None,
        old: None,
        new: None,
        method: None,
        suspects: Vec::new(),
        hunks: None,
        bisect: None,
        old_conditions: 0,
        new_conditions: 0,
        formulas: 0,
        seconds: 0.0,
        limits: Vec::new(),
    };
    let located = match &case.finding {
        Finding::Nothing { reason } => return CaseRecord { reason: Some(reason.clone()), ..empty },
        Finding::Located(located) => located,
    };
    let line = |(index, line): (usize, &Line)| LineRecord {
        rank: index + 1,
        version: line.version,
        file: line.file.clone(),
        line: line.from.0,
        column: line.from.1,
        evidence: line.evidence,
        reason: line.reason.clone(),
    };
    let (method, reason) = match &located.method {
        Method::Conditions { with, .. } => ((*with).to_owned(), None),
        Method::Coverage { reason } => ("coverage".to_owned(), Some(reason.clone())),
        Method::Changes { reason } => ("changes".to_owned(), Some(reason.clone())),
    };
    CaseRecord {
        located: true,
        call: located.call.as_ref().map(|shown| shown.call.clone()).or(empty.call.clone()),
        reason,
        old: located.call.as_ref().map(|shown| outcome(&shown.old)),
        new: located.call.as_ref().map(|shown| outcome(&shown.new)),
        method: Some(method),
        suspects: located.lines.iter().enumerate().map(line).collect(),
        hunks: located.hunks.clone(),
        bisect: located.bisect.clone(),
        old_conditions: located.effort.old_conditions,
        new_conditions: located.effort.new_conditions,
        formulas: located.effort.formulas,
        seconds: located.effort.seconds,
        limits: located.limits.clone(),
        ..empty
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct OneFile;

    impl Sources for OneFile {
        fn text(&self, version: Version, _: &str) -> Option<String> {
            Some(match version {
                Version::Old => "fn f(x: u8) -> bool {\n    x > 1\n}\n".into(),
                Version::New => "fn f(x: u8) -> bool {\n    x > 2\n}\n".into(),
            })
        }
    }

    fn hunk(lines: (u32, u32), vanishes_without: Option<bool>) -> Hunk {
        Hunk { file: "src/lib.rs".into(), new_lines: Some(lines), old_lines: None, vanishes_without }
    }

    fn report() -> LocalizeReport {
        let version = |rev: &str| VersionInfo { rev: rev.into(), oid: None, label: rev.into() };
        let returned =
            |value| Outcome::Returned { value: regress_core::value::Value::Bool(value), mutated: Vec::new() };
        let located = Located {
            call: Some(Shown { call: "f(2)".into(), old: returned(true), new: returned(false) }),
            method: Method::Conditions { with: "rsc", captured: Captured::DuringTest },
            lines: vec![Line {
                version: Version::New,
                file: "src/lib.rs".into(),
                from: (2, 5),
                to: (2, 10),
                evidence: Evidence::DecidesAlone,
                text: LineText::Changed,
                reason: "here it is".into(),
            }],
            hunks: Some(Hunks {
                all: 4,
                needed: vec![hunk((2, 2), Some(true)), hunk((5, 7), Some(false))],
                status: HunkStatus::Minimal,
                runs: 6,
            }),
            test: Some(Ok(EmittedTest {
                file: Some("src/lib.rs".into()),
                function: "f".into(),
                attribute: String::new(),
                body: "let result = super::f(2);\nassert_eq!(result, true);\n".into(),
            })),
            bisect: Some("git bisect start b a".into()),
            effort: Effort { old_conditions: 1, new_conditions: 2, formulas: 1, seconds: 0.0 },
            limits: Vec::new(),
        };
        let nothing = Finding::Nothing { reason: "it is flaky".into() };
        LocalizeReport {
            old: version("v1"),
            new: version("HEAD"),
            front_end: None,
            cases: vec![
                Case { subject: Subject::Test("t".into()), finding: Finding::Located(Box::new(located)) },
                Case { subject: Subject::Test("u".into()), finding: nothing },
            ],
            notes: Vec::new(),
            duration: std::time::Duration::ZERO,
        }
    }

    #[test]
    fn people_see_lines_values_and_hunks() {
        let text = human(&report(), &OneFile, Style::Plain);
        for part in [
            "regression: test `t` passes on the old version and fails on the new one",
            "2 |     x > 2\n  |     ^^^^^ suspect 1: here it is",
            "`f(2)` returned `true`, now returns `false`",
            "relevant slice conditions of this call, captured while the test ran: 1 old, 2 new, 1 formula asked",
            "of 4 hunks, 2 show it only together: src/lib.rs:2, src/lib.rs:5-7; it vanishes if src/lib.rs:2 alone is taken back",
            "to find the commit: git bisect start b a",
            "nothing to localize: test `u`: it is flaky",
            "summary: 1 of 2 cases localized",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert_eq!(report().exit_code(), 100);
    }

    #[test]
    fn a_test_of_the_call_is_written() {
        let text = tests(&report());
        for part in
            ["// For the end of src/lib.rs: test `t`.", "mod f_regression_1 {", "assert_eq!(result, true);"]
        {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }

    #[test]
    fn the_document_is_read_as_it_was_written() {
        let text = json(&report()).expect("it can be written");
        let document: Document = serde_json::from_str(&text).expect("it can be read");
        let [located, nothing] = document.cases.as_slice() else { panic!("{document:?}") };
        assert_eq!((located.test.as_deref(), located.call.as_deref()), (Some("t"), Some("f(2)")));
        assert_eq!((located.suspects[0].line, located.suspects[0].evidence), (2, Evidence::DecidesAlone));
        assert_eq!((nothing.located, nothing.reason.as_deref()), (false, Some("it is flaky")));
    }
}
