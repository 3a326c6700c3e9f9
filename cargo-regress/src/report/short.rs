//! A line for each finding, as compilers print them in short form: for editors, `grep` and terminals that are small.

use regress_core::verdict::{Class, Witness};

use super::finding::{self, Finding};
use super::standing::Standing;
use super::{FunctionReport, Report, human, wording};

/// A line for each function that there is something to say of, and the summary.
pub fn render(report: &Report) -> String {
    let mut out = String::new();
    for function in &report.functions {
        if let Some(finding) = Finding::of(function) {
            out.push_str(&line(function, finding));
            out.push('\n');
        }
    }
    for stale in &report.stale {
        out.push_str(&one_line(&format!("warning: {}", stale.sentence())));
        out.push('\n');
    }
    out.push_str(&human::summary(report));
    out.push('\n');
    out
}

fn line(function: &FunctionReport, finding: Finding) -> String {
    let place = match finding::place(function) {
        Some(place) => match place.columns {
            Some((column, _)) => format!("{}:{}:{column}: ", place.file, place.line_start),
            None => format!("{}:{}: ", place.file, place.line_start),
        },
        None => String::new(),
    };
    let title = finding::title(function.standing());
    one_line(&format!("{place}{title}[{}]: {}", finding.id(), message(function)))
}

/// A line for a difference of which the rest of the report is not known yet.
pub fn found(class: Class, call: &str, witness: &Witness) -> String {
    let title = finding::title(Standing::from(class));
    one_line(&format!("{title}: `{}` {}", wording::printable(call), wording::change(witness)))
}

/// What is said of a function in one sentence: the claim and the call that shows it, or the reason.
pub(super) fn message(function: &FunctionReport) -> String {
    match finding::example(function) {
        Some(witness) => {
            let call = wording::printable(&function.call(witness));
            let claim = finding::claim(function);
            format!("`{}` {claim}: `{call}` {}", function.path, wording::change(witness))
        }
        None => match human::reason(function) {
            Some(reason) if !reason.is_empty() => {
                format!("`{}`: {}", function.path, wording::printable(&reason))
            }
            _ => format!("`{}`", function.path),
        },
    }
}

/// On one line and without what would drive a terminal.
pub(super) fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.replace("\r\n", " ").chars() {
        match character {
            '\n' | '\r' | '\t' => out.push(' '),
            character if character.is_control() => out.extend(character.escape_default()),
            character => out.push(character),
        }
    }
    out
}
