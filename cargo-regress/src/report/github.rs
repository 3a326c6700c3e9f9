//! Annotations for GitHub Actions: a workflow command for each difference, which GitHub shows beside the line.
//!
//! The commands are lines of the log (`::error file=…,line=…::…`). What GitHub takes for syntax in them is escaped as its own
//! toolkit does it (`@actions/core`, `command.ts`): `%`, CR and LF everywhere, `:` and `,` in properties too.

use super::finding::{self, Finding, Severity};
use super::{FunctionReport, Report, short};

/// A line for each difference that nobody has accepted. GitHub shows ten of each severity per step, and the worst come first here.
pub fn render(report: &Report) -> String {
    report.functions.iter().filter_map(|function| command(report, function)).collect()
}

fn command(report: &Report, function: &FunctionReport) -> Option<String> {
    let finding =
        Finding::of(function).filter(|finding| finding.is_difference() && *finding != Finding::Accepted)?;
    let command = match finding.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let mut properties = Vec::new();
    if let Some(place) = finding::place(function) {
        properties.push(("file", report.in_repository(&place.file)));
        properties.push(("line", place.line_start.to_string()));
        properties.push(("endLine", place.line_end.to_string()));
        if let Some((from, to)) = place.columns {
            properties.push(("col", from.to_string()));
            properties.push(("endColumn", to.to_string()));
        }
    }
    properties.push(("title", format!("{} {}", finding.id(), finding::title(function.standing()))));
    let properties: Vec<String> =
        properties.into_iter().map(|(name, value)| format!("{name}={}", property(&value))).collect();
    Some(format!("::{command} {}::{}\n", properties.join(","), data(&short::message(function))))
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
