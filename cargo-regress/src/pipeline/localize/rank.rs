//! Suspect lines in the light of the hunks that a failure needs.

use regress_core::verdict::Version;

use crate::pipeline::load::Loaded;
use crate::pipeline::suspects::{FEW, Ranked, file_name};
use crate::report::localize::{Evidence, Hunk, HunkStatus, Hunks, Line, LineText};
use crate::report::{Sources, reasons};

/// Lines told in all.
pub(super) const MOST: usize = 8;
/// Branches outside of the hunks that count: they show where the difference comes to light. Where a hunk of few lines alone
/// undoes the failure, that is known.
const MOST_TRACES: usize = 1;

/// Lines as they are told; those of files that have no name here are left out.
pub(super) fn lines(loaded: &Loaded, ranked: Vec<Ranked>) -> Vec<Line> {
    let line = |Ranked { version, span, evidence, text, reason }| {
        let file = file_name(loaded, version, span.file)?.to_owned();
        let (from, to) = ((span.line_start, span.col_start), (span.line_end, span.col_end));
        let reason = reasons::suspicion_of(version, &reason);
        Some(Line { version, file, from, to, evidence, text, reason })
    };
    ranked.into_iter().filter_map(line).collect()
}

/// Orders lines by what was seen natively: those in the hunks that the failure needs come first. If the set is minimal, the failure
/// shows without the other hunks, and lines of these are left out. A needed hunk in which no line was found is told where its absence makes
/// the failure vanish.
pub(super) fn with_needed_hunks(lines: &mut Vec<Line>, hunks: &Hunks, texts: &dyn Sources, computed: &str) {
    let in_needed = |line: &Line| hunks.needed.iter().any(|hunk| is_in(line, hunk));
    if hunks.status == HunkStatus::Minimal {
        let most = if hunks.needed.iter().any(points_to_few_lines) { 0 } else { MOST_TRACES };
        let mut traces = 0;
        lines.retain(|line| {
            let shows = matches!(line.evidence, Evidence::DecidesAlone | Evidence::Panics);
            let is_trace = shows && line.text == LineText::Same;
            traces += usize::from(is_trace);
            in_needed(line) || (is_trace && traces <= most)
        });
    }
    lines.sort_by_key(|line| !in_needed(line));
    // What decides says more than what merely changed, unless that is little.
    let changed = |line: &Line| in_needed(line) && line.evidence == Evidence::Changed;
    let decides = |line: &Line| in_needed(line) && line.evidence != Evidence::Changed;
    if lines.iter().any(decides) && lines.iter().filter(|line| changed(line)).count() > FEW {
        lines.retain(|line| !changed(line));
    }
    let known = lines.iter().filter(|line| in_needed(line)).count();
    // That the failure needs a hunk is known of all of them only where leaving out each was tried.
    let stands_for_all = known == 0 && hunks.status == HunkStatus::Minimal;
    let mut missing = Vec::new();
    for hunk in &hunks.needed {
        let decides = hunk.vanishes_without == Some(true);
        if lines.iter().any(|line| is_in(line, hunk)) || !(decides || stands_for_all) {
            continue;
        }
        missing.extend(line_of_hunk(hunk, texts, computed));
    }
    lines.splice(known..known, missing);
    // That one hunk alone undoes the failure says more than that it takes part in it.
    let undoes = |line: &Line| {
        let alone = |hunk: &Hunk| hunk.vanishes_without == Some(true) && is_in(line, hunk);
        hunks.needed.iter().any(alone)
    };
    lines.sort_by_key(|line| (!in_needed(line), !undoes(line)));
}

fn is_in(line: &Line, hunk: &Hunk) -> bool {
    let covers =
        |lines: Option<(u32, u32)>| lines.is_some_and(|(first, last)| (first..=last).contains(&line.from.0));
    hunk.file == line.file
        && match line.version {
            Version::Old => covers(hunk.old_lines),
            Version::New => covers(hunk.new_lines),
        }
}

fn points_to_few_lines(hunk: &Hunk) -> bool {
    let is_few = |lines: &Option<(u32, u32)>| lines.is_none_or(|(first, last)| last - first < FEW as u32);
    hunk.vanishes_without == Some(true) && is_few(&hunk.old_lines) && is_few(&hunk.new_lines)
}

/// The first line of a hunk that says something.
fn line_of_hunk(hunk: &Hunk, texts: &dyn Sources, computed: &str) -> Option<Line> {
    let says = |version, lines: Option<(u32, u32)>| {
        let (first, last) = lines?;
        let text = texts.text(version, &hunk.file).unwrap_or_default();
        let count = (last - first + 1) as usize;
        let mut lines = text.lines().zip(1..).skip(first as usize - 1).take(count);
        lines.find(|(line, _)| says_something(line)).map(|(_, number)| (version, number))
    };
    let place = says(Version::New, hunk.new_lines).or_else(|| says(Version::Old, hunk.old_lines));
    let (version, at) = place?;
    let verb = match version {
        Version::New => "came in",
        Version::Old => "was taken out",
    };
    let undone = match hunk.vanishes_without {
        Some(true) => "with that alone undone the failure vanishes",
        _ => "the failure does not show in the old version without it",
    };
    Some(Line {
        version,
        file: hunk.file.clone(),
        from: (at, 1),
        to: (at, u32::MAX),
        evidence: Evidence::TakenBack,
        text: LineText::Changed,
        reason: format!("this {verb}; {undone}; {computed}"),
    })
}

/// Braces, comments and attributes decide nothing.
fn says_something(line: &str) -> bool {
    let line = line.trim();
    let is_silent = ["//", "#[", "#!["].iter().any(|start| line.starts_with(start));
    !is_silent && line.chars().any(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Numbered;

    impl Sources for Numbered {
        fn text(&self, _: Version, _: &str) -> Option<String> {
            Some(
                (1..=50)
                    .map(|at| if at % 10 == 0 { "    }\n".into() } else { format!("line {at}\n") })
                    .collect(),
            )
        }
    }

    fn line(at: u32, evidence: Evidence, text: LineText) -> Line {
        Line {
            version: Version::New,
            file: "src/lib.rs".into(),
            from: (at, 5),
            to: (at, 9),
            evidence,
            text,
            reason: String::new(),
        }
    }

    fn hunk(
        new_lines: Option<(u32, u32)>,
        old_lines: Option<(u32, u32)>,
        vanishes_without: Option<bool>,
    ) -> Hunk {
        Hunk { file: "src/lib.rs".into(), new_lines, old_lines, vanishes_without }
    }

    /// Version and line of what is told.
    #[track_caller]
    fn check(status: HunkStatus, needed: Vec<Hunk>, expected: &[(Version, u32)]) -> Vec<Line> {
        let mut lines = vec![
            line(3, Evidence::Changed, LineText::Changed),
            line(20, Evidence::DecidesAlone, LineText::Same),
            line(7, Evidence::Changed, LineText::Changed),
            line(22, Evidence::NotImplied, LineText::Same),
        ];
        let hunks = Hunks { all: 4, needed, status, runs: 9 };
        with_needed_hunks(&mut lines, &hunks, &Numbered, "it was 1 and is 2");
        let told: Vec<_> = lines.iter().map(|line| (line.version, line.from.0)).collect();
        assert_eq!(told, expected);
        lines
    }

    #[test]
    fn what_the_failure_does_not_need_is_left_out() {
        use Version::{New, Old};
        let needed = vec![
            hunk(Some((6, 8)), None, Some(true)),
            hunk(None, Some((30, 32)), Some(true)),
            hunk(Some((40, 40)), None, None),
        ];
        let lines = check(HunkStatus::Minimal, needed, &[(New, 7), (Old, 31), (New, 20)]);
        assert!(
            lines[1].reason.starts_with("this was taken out; with that alone undone")
                && lines[1].reason.ends_with("it was 1 and is 2")
        );
    }

    #[test]
    fn where_one_line_undoes_it_no_branch_elsewhere_is_told() {
        use Version::New;
        let needed = vec![hunk(Some((7, 8)), None, Some(true))];
        check(HunkStatus::Minimal, needed, &[(New, 7)]);
    }

    #[test]
    fn while_fewer_hunks_may_do_nothing_is_left_out() {
        use Version::New;
        let needed = vec![hunk(Some((6, 8)), None, None)];
        check(HunkStatus::TimeOut, needed, &[(New, 7), (New, 3), (New, 20), (New, 22)]);
    }

    #[test]
    fn a_hunk_that_was_not_left_out_is_not_told_by_itself() {
        use Version::New;
        let needed = vec![hunk(Some((40, 41)), None, None), hunk(Some((45, 45)), None, Some(false))];
        check(HunkStatus::TimeOut, needed, &[(New, 3), (New, 20), (New, 7), (New, 22)]);
    }

    #[test]
    fn a_needed_hunk_without_lines_is_told_if_no_other_is() {
        let needed = vec![hunk(Some((40, 41)), None, None)];
        check(HunkStatus::Minimal, needed, &[(Version::New, 41), (Version::New, 20)]);
    }
}
