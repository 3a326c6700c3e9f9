//! The lines of a function in both versions, side by side.

use std::collections::BTreeSet;

use maud::{Markup, html};
use regress_core::verdict::{Suspect, Verdict, Version};
use similar::{DiffOp, TextDiff};

use super::super::{FunctionReport, Report, Sources, reasons, wording};

/// Lines shown around what changed or is suspect.
const CONTEXT: usize = 4;
/// Lines of a function at most; the diff is not looked for in more.
const MOST_LINES: usize = 4_000;

/// A row: a line of each version, or of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// Counted from 0 within the function.
    pub old: Option<usize>,
    pub new: Option<usize>,
    pub is_equal: bool,
}

/// A table with the lines of both versions, or nothing where no source is to be had.
pub(super) fn table(report: &Report, sources: &dyn Sources, function: &FunctionReport) -> Markup {
    let side = |version: Version| Side::of(sources, function, version);
    let (Some(old), Some(new)) = (side(Version::Old), side(Version::New)) else { return html! {} };
    let rows = rows(&old.lines, &new.lines);
    let shown = shown(&rows, &old, &new);
    let rows: Vec<(Row, bool)> = rows.into_iter().zip(shown).collect();
    html! {
        div.sides tabindex="0" role="region" aria-label="source of both versions" {
            table.source {
                colgroup { col.number; col; col.number; col; }
                thead {
                    tr {
                        th colspan="2" scope="colgroup" {
                            "before " span.place { (report.old.rev) " " (old.file) ":" (old.first + 1) }
                        }
                        th colspan="2" scope="colgroup" {
                            "now " span.place { (new.file) ":" (new.first + 1) }
                        }
                    }
                }
                tbody {
                    @for part in rows.chunk_by(|(_, one), (_, next)| one == next) {
                        @if part[0].1 {
                            @for (row, _) in part {
                                tr {
                                    (old.cells(row.old, if row.is_equal { "" } else { "old" }))
                                    (new.cells(row.new, if row.is_equal { "" } else { "new" }))
                                }
                            }
                        } @else {
                            @let lines = wording::count(part.len() as u64, "line", "lines");
                            tr.gap { td colspan="4" { (lines) " alike" } }
                        }
                    }
                }
            }
        }
    }
}

/// Whether a suspect line is among those that [`table`] shows.
pub(super) fn is_shown(sources: &dyn Sources, function: &FunctionReport, suspect: &Suspect) -> bool {
    let has = |version: Version| Side::of(sources, function, version);
    let (Some(old), Some(new)) = (has(Version::Old), has(Version::New)) else { return false };
    let side = match suspect.version {
        Version::Old => old,
        Version::New => new,
    };
    let line = (suspect.span.line_start as usize).checked_sub(side.first + 1);
    let is_in_file = side.suspects.contains(&suspect);
    is_in_file && line.is_some_and(|line| line < side.lines.len())
}

/// One version of the function.
struct Side<'f> {
    file: String,
    /// The first line in the file, counted from 0.
    first: usize,
    lines: Vec<String>,
    suspects: Vec<&'f Suspect>,
}

impl<'f> Side<'f> {
    fn of(sources: &dyn Sources, function: &'f FunctionReport, version: Version) -> Option<Side<'f>> {
        let span = function.span_in(version)?;
        let text = sources.text(version, &span.file)?;
        let first = (span.line_start as usize).checked_sub(1)?;
        let number = (span.line_end as usize).saturating_sub(first);
        let lines: Vec<String> =
            text.lines().skip(first).take(number.min(MOST_LINES)).map(str::to_owned).collect();
        let all = match &function.verdict {
            Verdict::Differs { suspects, .. } => suspects.as_slice(),
            _ => &[],
        };
        let is_here = |suspect: &&Suspect| {
            suspect.version == version && function.files.name(version, suspect.span.file) == Some(&span.file)
        };
        let suspects = all.iter().filter(is_here).collect();
        (!lines.is_empty()).then(|| Side { file: span.file.clone(), first, lines, suspects })
    }

    /// The most suspect thing on a line.
    fn suspect(&self, line: usize) -> Option<&'f Suspect> {
        let number = self.first + line + 1;
        let on_line = self.suspects.iter().filter(|suspect| {
            let (from, to) = (suspect.span.line_start as usize, suspect.span.line_end as usize);
            (from..=to.max(from)).contains(&number)
        });
        on_line.min_by_key(|suspect| suspect.rank).copied()
    }

    /// The number of a line and its text; `change` is the class of a line that the other version has not.
    fn cells(&self, line: Option<usize>, change: &str) -> Markup {
        let Some((line, text)) = line.and_then(|line| Some((line, self.lines.get(line)?))) else {
            return html! { td.number {} td.none {} };
        };
        let number = self.first + line + 1;
        let suspect = self.suspect(line);
        let mark = if suspect.is_some() { " suspect" } else { "" };
        // It is said where it begins.
        let begins = suspect.filter(|suspect| suspect.span.line_start as usize == number);
        html! {
            td.number { (number) }
            td class={ "line " (change) (mark) } {
                code { (text) }
                @if let Some(suspect) = begins {
                    span.why { "suspect " (suspect.rank) ": " (wording::printable(&reasons::suspicion(suspect))) }
                }
            }
        }
    }
}

/// Lines that are equal stand beside each other, as do those that took each other's place.
pub(super) fn rows(old: &[String], new: &[String]) -> Vec<Row> {
    let (old, new): (Vec<&str>, Vec<&str>) =
        (old.iter().map(String::as_str).collect(), new.iter().map(String::as_str).collect());
    let diff = TextDiff::from_slices(&old, &new);
    let mut rows = Vec::new();
    for op in diff.ops() {
        let (from, to) = (op.old_range(), op.new_range());
        let is_equal = matches!(op, DiffOp::Equal { .. });
        for index in 0..from.len().max(to.len()) {
            rows.push(Row { old: from.clone().nth(index), new: to.clone().nth(index), is_equal });
        }
    }
    rows
}

/// Which rows are near enough to something that is to be seen. A gap of one line is none.
fn shown(rows: &[Row], old: &Side<'_>, new: &Side<'_>) -> Vec<bool> {
    let is_marked = |row: &Row| {
        !row.is_equal
            || row.old.is_some_and(|line| old.suspect(line).is_some())
            || row.new.is_some_and(|line| new.suspect(line).is_some())
    };
    let marked: BTreeSet<usize> = (0..rows.len()).filter(|at| is_marked(&rows[*at])).collect();
    let is_near = |at: usize| {
        // The head tells the parameters; where nothing is marked, the beginning has to do.
        at < CONTEXT || marked.range(at.saturating_sub(CONTEXT)..=at + CONTEXT).next().is_some()
    };
    let mut shown: Vec<bool> = (0..rows.len()).map(is_near).collect();
    for at in 1..shown.len().saturating_sub(1) {
        if !shown[at] && shown[at - 1] && shown[at + 1] {
            shown[at] = true;
        }
    }
    shown
}
