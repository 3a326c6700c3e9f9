//! A JUnit document, which most CI services read: a test case for each function that may have changed.
//!
//! There is no one standard; the elements used are those of the Ant schema that all readers know. A case fails where
//! `--fail-on` makes the run fail, so that the document and the exit code agree; other differences are told in the case's
//! output. What was not shown to be equal, and does not fail, is a skipped case: nothing was tested.

use std::fmt::Write as _;

use super::finding::{self, Finding};
use super::reasons;
use super::{FunctionReport, Report, Standing, human, short, wording};
use crate::args::FailOn;

/// The document, with a line feed at its end.
pub fn render(report: &Report, fail_on: FailOn) -> String {
    let cases: Vec<(Outcome, String)> = report
        .functions
        .iter()
        .filter(|function| function.standing() != Standing::Unchanged)
        .map(|function| case(report, function, fail_on))
        .collect();
    let number = |outcome: Outcome| cases.iter().filter(|(of_case, _)| *of_case == outcome).count();
    let counts = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{:.3}\"",
        cases.len(),
        number(Outcome::Failed),
        number(Outcome::Skipped),
        report.duration.as_secs_f64()
    );
    let name = attribute(&report.headline());
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(text, "<testsuites name=\"cargo-regress\" {counts}>");
    let _ = writeln!(text, "  <testsuite name=\"{name}\" {counts}>");
    for (_, case) in &cases {
        text.push_str(case);
    }
    text.push_str("  </testsuite>\n</testsuites>\n");
    text
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Passed,
    Failed,
    Skipped,
}

fn case(report: &Report, function: &FunctionReport, fail_on: FailOn) -> (Outcome, String) {
    let standing = function.standing();
    let outcome = match standing {
        _ if function.counts_as().fails(fail_on) => Outcome::Failed,
        Standing::NotAnalysed | Standing::NoDifferenceFound | Standing::Unconfirmed => Outcome::Skipped,
        _ => Outcome::Passed,
    };
    let (module, name) = split(&function.path);
    let mut text = format!("    <testcase classname=\"{}\" name=\"{}\"", attribute(module), attribute(name));
    if let Some(place) = finding::place(function) {
        let file = attribute(&report.in_repository(&place.file));
        let _ = write!(text, " file=\"{file}\" line=\"{}\"", place.line_start);
    }
    let id = Finding::of(function).map_or("", Finding::id);
    let message = attribute(&short::one_line(&short::message(function)));
    let details = details(function);
    match outcome {
        Outcome::Failed => {
            let _ = writeln!(
                text,
                ">\n      <failure type=\"{id}\" message=\"{message}\">{}</failure>",
                content(&details)
            );
            text.push_str("    </testcase>\n");
        }
        Outcome::Skipped => {
            let _ = writeln!(text, ">\n      <skipped message=\"{message}\"/>\n    </testcase>");
        }
        Outcome::Passed => {
            let _ =
                writeln!(text, ">\n      <system-out>{}</system-out>\n    </testcase>", content(&details));
        }
    }
    (outcome, text)
}

/// The verdict in words: for a difference each witness and suspect, a line each.
fn details(function: &FunctionReport) -> String {
    use regress_core::verdict::Verdict;
    let mut lines = vec![finding::title(function.standing()).to_owned()];
    if let Verdict::Differs { witnesses, suspects, .. } = &function.verdict {
        lines[0] = format!("{}: `{}` {}", lines[0], function.path, finding::claim(function));
        for witness in witnesses {
            let call = wording::printable(&function.call(witness));
            lines.push(format!("`{call}` {}", wording::change(witness)));
        }
        for suspect in suspects {
            if let Some(file) = function.files.name(suspect.version, suspect.span.file) {
                let version = wording::version(suspect.version);
                let line = suspect.span.line_start;
                lines.push(format!(
                    "suspect {}: {file}:{line} ({version}): {}",
                    suspect.rank,
                    reasons::suspicion(suspect)
                ));
            }
        }
        lines.extend(function.outside.sentence());
        lines.extend(function.acceptance.sentences());
    } else if let Some(reason) = human::reason(function).filter(|reason| !reason.is_empty()) {
        lines[0] = format!("{}: {reason}", lines[0]);
    }
    lines.extend(function.sentences());
    lines.join("\n")
}

/// The module or type, and the name in it. A `::` within `<…>` separates nothing.
fn split(path: &str) -> (&str, &str) {
    let mut depth = 0_i32;
    let mut last = None;
    for (at, character) in path.char_indices() {
        match character {
            '<' | '{' => depth += 1,
            '>' | '}' => depth -= 1,
            ':' if depth == 0 && path[at..].starts_with("::") => last = Some(at),
            _ => {}
        }
    }
    last.map_or(("", path), |at| (&path[..at], &path[at + 2..]))
}

/// Text between tags, as it is; the end of a section within it is cut in two.
fn content(text: &str) -> String {
    format!("<![CDATA[{}]]>", valid(text).replace("]]>", "]]]]><![CDATA[>"))
}

/// The value of an attribute; a parser would make spaces of line breaks as they are.
fn attribute(text: &str) -> String {
    let text =
        valid(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    text.replace('\n', "&#10;").replace('\t', "&#9;")
}

/// Characters that no XML 1.0 document may hold, not even as references, written as Rust escapes them.
fn valid(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\t' => out.push(character),
            '\u{fffe}' | '\u{ffff}' => out.extend(character.escape_unicode()),
            character if character.is_control() => out.extend(character.escape_default()),
            character => out.push(character),
        }
    }
    out
}
