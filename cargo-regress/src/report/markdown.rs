//! A summary in GitHub's Markdown: for a job's page (`$GITHUB_STEP_SUMMARY`) or a comment.
//!
//! Names, calls and messages come from the code that is compared, so each is a code span or has every character escaped that
//! Markdown or HTML could take for syntax.

use std::collections::BTreeMap;

use super::finding::{self, Finding};
use super::reasons;
use super::{FunctionReport, Report, Standing, human, wording};
use regress_core::value::Outcome;
use regress_core::verdict::Verdict;

/// Of at most a mebibyte that GitHub takes for a step. What is left out is said.
const MOST_BYTES: usize = 900_000;
/// Names listed per group of functions.
const NAMES: usize = 20;

/// The summary, with a line feed at its end.
pub fn render(report: &Report) -> String {
    let counts = report.counts();
    let words = counts.in_words();
    let title = if words.is_empty() { "no changed functions".to_owned() } else { words.join(", ") };
    let mut out = format!("## cargo regress: {title}\n\n{}\n", text(&report.headline()));
    let differences: Vec<&FunctionReport> = report
        .functions
        .iter()
        .filter(|function| Finding::of(function).is_some_and(Finding::is_difference))
        .collect();
    for (index, function) in differences.iter().enumerate() {
        let section = difference(report, function);
        if out.len() + section.len() > MOST_BYTES {
            let left = (differences.len() - index) as u64;
            let left = wording::count(left, "difference is", "differences are");
            out.push_str(&format!("\n{left} left out here for length.\n"));
            break;
        }
        out.push_str(&section);
    }
    let groups = quiet_groups(report);
    if !groups.is_empty() && out.len() < MOST_BYTES {
        out.push_str("\n| verdict | functions | why |\n|---|---|---|\n");
        for row in groups {
            if out.len() + row.len() > MOST_BYTES {
                out.push_str("\nMore is left out here for length.\n");
                break;
            }
            out.push_str(&row);
        }
    }
    let notes = report.all_notes();
    if !notes.is_empty() {
        out.push('\n');
        for note in &notes {
            out.push_str(&format!("* {}\n", text(note)));
        }
    }
    let unchanged =
        wording::count(counts.get(Standing::Unchanged), "function unchanged", "functions unchanged");
    out.push_str(&format!("\n{unchanged}, {:.1} s\n", report.duration.as_secs_f64()));
    out
}

fn difference(report: &Report, function: &FunctionReport) -> String {
    let id = Finding::of(function).map_or("", Finding::id);
    let title = finding::title(function.standing());
    let mut out = format!("\n### {title}: {} {}\n\n", code(&function.path), finding::claim(function));
    let place = finding::place(function);
    let place =
        place.map(|place| code(&format!("{}:{}", report.in_repository(&place.file), place.line_start)));
    out.push_str(&format!("{id}{}\n\n", place.map(|place| format!(", {place}")).unwrap_or_default()));
    let Verdict::Differs { witnesses, suspects, partitions, .. } = &function.verdict else { return out };
    out.push_str("| call | before | now |\n|---|---|---|\n");
    for witness in witnesses {
        let call = cell(&wording::printable(&function.call(witness)));
        let (before, now) = wording::ends(witness);
        let (before, now) =
            (outcome("returned", &before, &witness.old), outcome("returns", &now, &witness.new));
        out.push_str(&format!("| {call} | {before} | {now} |\n"));
    }
    out.push('\n');
    for suspect in suspects.iter().take(5) {
        if let Some(file) = function.files.name(suspect.version, suspect.span.file) {
            let place = code(&format!("{file}:{}", suspect.span.line_start));
            let version = wording::version(suspect.version);
            out.push_str(&format!(
                "{}. {place} ({version}): {}\n",
                suspect.rank,
                text(&reasons::suspicion(suspect))
            ));
        }
    }
    let mut notes = Vec::new();
    // What random runs alone found says nothing of partitions.
    if partitions.differing > 0 {
        let of = wording::count(partitions.explored, "explored partition", "explored partitions");
        let differ = if partitions.differing == 1 { "differs" } else { "differ" };
        notes.push(format!("{} of {of} of the inputs {differ}", partitions.differing));
    }
    notes.extend(function.outside.sentence());
    notes.extend(function.acceptance.sentences());
    notes.extend(function.sentences());
    if !notes.is_empty() {
        out.push('\n');
        for note in notes {
            out.push_str(&format!("* {}\n", text(&note)));
        }
    }
    out
}

/// A row for each reason: the functions that it is said of.
fn quiet_groups(report: &Report) -> Vec<String> {
    let mut groups: BTreeMap<(Standing, String), Vec<&str>> = BTreeMap::new();
    for function in &report.functions {
        if let Some(reason) = human::reason(function) {
            groups.entry((function.standing(), reason)).or_default().push(&function.path);
        }
    }
    let row = |((standing, reason), names): ((Standing, String), Vec<&str>)| {
        let mut listed: Vec<String> = names.iter().take(NAMES).map(|name| cell(name)).collect();
        if names.len() > NAMES {
            listed.push(format!("and {} more", names.len() - NAMES));
        }
        format!("| {} | {} | {} |\n", finding::title(standing), listed.join(", "), text(&reason))
    };
    groups.into_iter().map(row).collect()
}

/// How a call ended, as a cell of a table.
fn outcome(verb: &str, in_words: &str, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Returned { value, mutated } if mutated.is_empty() => {
            format!("{verb} {}", cell(&wording::printable(&value.to_string())))
        }
        _ => cell(&wording::printable(&plain(in_words))),
    }
}

/// Back quotes mark code elsewhere; here the whole is code.
fn plain(text: &str) -> String {
    text.replace('`', "")
}

/// A code span: between one more back quote than stand together in it, on one line.
fn code(text: &str) -> String {
    let text = text.replace(['\n', '\r'], "⏎");
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    // Spaces keep back quotes at the ends apart, and are taken off again; an empty span would be none.
    let is_open = text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) || text.is_empty();
    if is_open { format!("{fence} {text} {fence}") } else { format!("{fence}{text}{fence}") }
}

/// A code span in a table, where a bar ends the cell even within code.
fn cell(text: &str) -> String {
    code(text).replace('|', "\\|")
}

/// Text with nothing in it that Markdown or HTML reads, on one line.
fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\r' => out.push(' '),
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // A mention would notify somebody.
            '@' => out.push_str("&#64;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' | '~' | '!' | '$' => {
                out.push('\\');
                out.push(character);
            }
            character if character.is_control() => out.extend(character.escape_default()),
            character => out.push(character),
        }
    }
    out
}
