//! Reports as short texts for a model: what the command prints, and what its JSON says beyond that.

use std::fmt::Write;

use serde::Serialize;

use crate::report::{affected, json};

/// So many lines of a report in short form are shown: the worst come first.
const SHOWN: usize = 60;

/// What was compared, the report in short form, and the notes, which that leaves out.
pub fn comparison(document: &json::Document, short: &str) -> String {
    let mut text = format!("comparing {} with {}\n", document.old.label, document.new.label);
    let findings: Vec<&str> = short.lines().collect();
    let (findings, summary) = findings.split_at(findings.len().saturating_sub(1));
    for finding in findings.iter().take(SHOWN) {
        line(&mut text, finding);
    }
    if let Some(more @ 1..) = findings.len().checked_sub(SHOWN) {
        line(
            &mut text,
            &format!("… and {more} more, which the document has; `explain_function` tells of each"),
        );
    }
    for last in summary {
        line(&mut text, last);
    }
    for note in &document.notes {
        line(&mut text, &format!("note: {note}"));
    }
    text
}

/// All that is said of the functions.
pub fn explanation(document: &json::Document, human: &str) -> String {
    let mut text = String::new();
    for function in &document.functions {
        let at = function.span.as_ref().map(|span| format!(" at {}:{}", span.file, span.line_start));
        let class = function.class.map(|class| format!(" ({})", word(&class))).unwrap_or_default();
        line(
            &mut text,
            &format!(
                "`{}`{}: {}, verdict {}{class}",
                function.path,
                at.unwrap_or_default(),
                word(&function.kind),
                word(&function.verdict)
            ),
        );
    }
    line(&mut text, &format!("\n{}", human.trim_end()));
    for function in &document.functions {
        let reason = function.reason.iter().map(|reason| ("reason", reason.as_str()));
        let ledger = function.ledger.iter().map(|entry| ("approximation", entry.text.as_str()));
        let notes = function.notes.iter().map(|note| ("note", note.as_str()));
        let new: Vec<_> =
            reason.chain(ledger).chain(notes).filter(|(_, said)| !human.contains(said)).collect();
        if !new.is_empty() {
            line(&mut text, &format!("\nmore on `{}`:", function.path));
        }
        for (kind, said) in new {
            line(&mut text, &format!("  {kind}: {said}"));
        }
    }
    text
}

/// What the command says, and a line for each affected test with its reason.
pub fn affected_tests(document: &affected::Document, said: &str) -> String {
    let mut text = said.to_owned();
    for binary in &document.binaries {
        if let Some(reason) = &binary.whole {
            line(&mut text, &format!("{}: {}", binary.id, reason.text));
        }
        for test in binary.tests.iter().flatten() {
            if let Some(reason) = &test.reason {
                line(&mut text, &format!("{} {}: {}", binary.id, test.name, reason.text));
            }
        }
    }
    text
}

fn line(text: &mut String, line: &str) {
    // Writing to a `String` cannot fail.
    let _ = writeln!(text, "{line}");
}

/// The word by which JSON calls it.
fn word(value: &impl Serialize) -> String {
    let word = serde_json::to_value(value).ok();
    word.and_then(|word| word.as_str().map(|word| word.replace('_', " "))).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::testing::report;

    #[test]
    fn a_long_report_is_cut_and_keeps_its_summary() {
        let document = json::document(&report(Vec::new()));
        let short = |findings: usize| {
            (0..findings).map(|n| format!("finding {n}\n")).collect::<String>() + "summary\n"
        };
        let told = comparison(&document, &short(SHOWN));
        assert!(told.ends_with("finding 59\nsummary\n"), "{told}");
        let told = comparison(&document, &short(SHOWN + 2));
        let end =
            "finding 59\n… and 2 more, which the document has; `explain_function` tells of each\nsummary\n";
        assert!(told.ends_with(end), "{told}");
        assert!(comparison(&document, &short(0)).ends_with("\nsummary\n"));
    }
}
