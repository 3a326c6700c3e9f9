//! Which lines are told, and in what order.
//!
//! Idea: what changed is the cause, what decides otherwise is the trace of it. So it goes: branches that changed and on the other side
//! of which the versions agree, which say it all; then statements that changed, if they are few; then other branches, changed
//! ones first; then the rest of what changed. A changed condition that the other version implies decides nothing and comes
//! last. A line of the old version is left out where the line that took its place is told.

use std::collections::BTreeMap;

use regress_core::align::{Alignment, functions_reached};
use regress_core::blame::{Across, Blame, SuspectBranch};
use regress_core::ir::{FileId, FnId, Span};
use regress_core::verdict::{ChangeKind, Suspect, Version};
use similar::{DiffTag, TextDiff};

use crate::pipeline::load::Loaded;
use crate::pipeline::suspects;
use crate::report::Sources;
use crate::report::localize::{Evidence, Hunk, HunkStatus, Hunks, Line, LineText};

/// So many changed statements are few: more of them would hide the branches.
const FEW: usize = 2;
/// Lines told in all.
pub(super) const MOST: usize = 8;
/// Lines that are looked at before hunks say which count.
const MOST_LOOKED_AT: usize = 64;
/// Branches outside of the hunks that count: they show where the difference comes to light. Where a hunk of few lines alone
/// undoes the failure, that is known.
const MOST_TRACES: usize = 1;

/// The lines that may be to blame for a difference, best first. `computed` says what was computed otherwise, for lines that
/// have no condition to tell.
pub(super) fn lines(
    loaded: &Loaded,
    alignment: &Alignment,
    pair: (FnId, FnId),
    blame: Option<&Blame>,
    computed: &str,
) -> Vec<Line> {
    let mut texts = Texts { loaded, maps: BTreeMap::new() };
    let mut branches: Vec<(&SuspectBranch, Standing)> = blame
        .iter()
        .flat_map(|blame| &blame.branches)
        .filter(|branch| suspects::is_in_tree(loaded, branch.version, branch.span))
        .map(|branch| (branch, texts.standing(branch)))
        .collect();
    // Stable: among equals the order of the conditions stays.
    branches.sort_by_key(|(_, standing)| *standing);
    let says_it_all = |(_, standing): &&(&SuspectBranch, Standing)| {
        standing.text == Text::Changed && standing.side == OtherSide::Agrees
    };
    let decisive = branches.iter().filter(says_it_all).count();
    let is_implied = |suspect: &Suspect| {
        blame.is_some_and(|blame| {
            let same =
                |span: &Span| (span.file, span.line_start) == (suspect.span.file, suspect.span.line_start);
            blame.implied.iter().any(|(version, span)| *version == suspect.version && same(span))
        })
    };
    let (exonerated, changed): (Vec<Suspect>, Vec<Suspect>) = match decisive {
        0 => changes(loaded, alignment, pair, &branches).into_iter().partition(is_implied),
        _ => (Vec::new(), Vec::new()),
    };
    let of_branch = |(branch, _): &(&SuspectBranch, Standing)| {
        let evidence = match branch.across {
            Across::Agree => Evidence::DecidesAlone,
            Across::Differ | Across::Unknown => Evidence::NotImplied,
        };
        (branch.version, branch.span, evidence, branch.reason())
    };
    let of_change = |suspect: &Suspect| {
        (suspect.version, suspect.span, Evidence::Changed, format!("{}; {computed}", suspect.reason))
    };
    let first = if changed.len() <= FEW { changed.len() } else { 0 };
    let ordered = branches[..decisive]
        .iter()
        .map(of_branch)
        .chain(changed[..first].iter().map(of_change))
        .chain(branches[decisive..].iter().map(of_branch))
        .chain(changed[first..].iter().chain(&exonerated).map(of_change));
    let mut told: Vec<Place> = Vec::new();
    let mut lines = Vec::new();
    for (version, span, evidence, reason) in ordered {
        let Some(place) = texts.place(version, span) else { continue };
        if lines.len() < MOST_LOOKED_AT && !told.contains(&place) {
            let text = match place.at.text {
                Text::Same => LineText::Same,
                Text::Changed => LineText::Changed,
            };
            told.push(place);
            lines.extend(line(loaded, version, span, evidence, text, reason));
        }
    }
    lines
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

/// Changed statements, or changed text where there are none, that no branch names.
fn changes(
    loaded: &Loaded,
    alignment: &Alignment,
    pair: (FnId, FnId),
    branches: &[(&SuspectBranch, Standing)],
) -> Vec<Suspect> {
    let known = branches.iter().zip(1..).map(|((branch, _), rank)| Suspect {
        version: branch.version,
        span: branch.span,
        rank,
        reason: String::new(),
    });
    let mut all: Vec<Suspect> = known.collect();
    let before = all.len();
    suspects::add_changes(&mut all, loaded, alignment, pair);
    let reached = functions_reached(&loaded.new.program, &[pair.1]);
    let is_reached = |new: &FnId| *new != pair.1 && reached.iter().any(|set| set.contains(new));
    for other in &alignment.pairs {
        if let (Some(old), Some(new), ChangeKind::Changed) = (other.old, other.new, other.kind)
            && is_reached(&new)
        {
            suspects::add_changes(&mut all, loaded, alignment, (old, new));
        }
    }
    all.split_off(before)
}

fn line(
    loaded: &Loaded,
    version: Version,
    span: Span,
    evidence: Evidence,
    text: LineText,
    reason: String,
) -> Option<Line> {
    Some(Line {
        version,
        file: file_name(loaded, version, span.file)?.to_owned(),
        from: (span.line_start, span.col_start),
        to: (span.line_end, span.col_end),
        evidence,
        text,
        reason,
    })
}

fn file_name(loaded: &Loaded, version: Version, file: FileId) -> Option<&str> {
    let files = match version {
        Version::Old => &loaded.old.files,
        Version::New => &loaded.new.files,
    };
    files.get(file).map(|file| file.path.as_str())
}

/// Ordered: the most suspect first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Standing {
    text: Text,
    side: OtherSide,
    of: Of,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Text {
    Changed,
    Same,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum OtherSide {
    Agrees,
    Unknown,
    Differs,
}

/// The new version is what the user has at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Of {
    New,
    Old,
}

/// A place in both versions.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    file: String,
    at: At,
}

/// A line by the operation of the diff that it is part of, and by its number in it, where both versions have as many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct At {
    operation: usize,
    line: Option<usize>,
    text: Text,
}

/// How the lines of the files correspond.
struct Texts<'l> {
    loaded: &'l Loaded,
    maps: BTreeMap<String, Option<TextMap>>,
}

/// By line of either version.
struct TextMap {
    old: Vec<At>,
    new: Vec<At>,
}

impl TextMap {
    fn of(old: &str, new: &str) -> TextMap {
        let diff = TextDiff::from_lines(old, new);
        let mut map = TextMap { old: Vec::new(), new: Vec::new() };
        for (operation, op) in diff.ops().iter().enumerate() {
            let text = if op.tag() == DiffTag::Equal { Text::Same } else { Text::Changed };
            let (old, new) = (op.old_range().len(), op.new_range().len());
            let at = |line| At { operation, line: (old == new).then_some(line), text };
            map.old.extend((0..old).map(at));
            map.new.extend((0..new).map(at));
        }
        map
    }

    /// Where a line, counted from 1, is.
    fn at(&self, version: Version, line: u32) -> Option<At> {
        let lines = match version {
            Version::Old => &self.old,
            Version::New => &self.new,
        };
        lines.get((line as usize).checked_sub(1)?).copied()
    }
}

impl Texts<'_> {
    fn place(&mut self, version: Version, span: Span) -> Option<Place> {
        let file = file_name(self.loaded, version, span.file)?.to_owned();
        let loaded = self.loaded;
        let map = self.maps.entry(file.clone()).or_insert_with(|| {
            let read = |directory: &camino::Utf8Path| std::fs::read_to_string(directory.join(&file)).ok();
            Some(TextMap::of(&read(&loaded.old.directory)?, &read(&loaded.new.directory)?))
        });
        let at = match map {
            Some(map) => map.at(version, span.line_start)?,
            // A file of one version only is new or gone as a whole.
            None => At { operation: 0, line: Some(span.line_start as usize), text: Text::Changed },
        };
        Some(Place { file, at })
    }

    fn standing(&mut self, branch: &SuspectBranch) -> Standing {
        let place = self.place(branch.version, branch.span);
        Standing {
            text: place.map_or(Text::Same, |place| place.at.text),
            side: match branch.across {
                Across::Agree => OtherSide::Agrees,
                Across::Unknown => OtherSide::Unknown,
                Across::Differ => OtherSide::Differs,
            },
            of: match branch.version {
                Version::New => Of::New,
                Version::Old => Of::Old,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::localize::HunkStatus;

    #[test]
    fn a_replaced_line_is_one_place_in_both_versions() {
        let map = TextMap::of("a\nb\nc\n", "a\nx\nc\nd\n");
        let text = |version, line| map.at(version, line).map(|at| at.text);
        assert_eq!(map.at(Version::Old, 2), map.at(Version::New, 2));
        assert_eq!(map.at(Version::Old, 3), map.at(Version::New, 3));
        assert_eq!((text(Version::Old, 2), text(Version::Old, 3)), (Some(Text::Changed), Some(Text::Same)));
        assert_eq!((text(Version::New, 4), text(Version::New, 5)), (Some(Text::Changed), None));
        assert_eq!(map.at(Version::New, 0), None);
        let pair = TextMap::of("a\nb\n", "x\ny\n");
        assert_eq!(pair.at(Version::Old, 2), pair.at(Version::New, 2));
        assert!(pair.at(Version::Old, 1) != pair.at(Version::New, 2));
    }

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

    #[test]
    fn changed_and_decisive_comes_first() {
        let standing = |text, side, of| Standing { text, side, of };
        let order = [
            standing(Text::Changed, OtherSide::Agrees, Of::New),
            standing(Text::Changed, OtherSide::Agrees, Of::Old),
            standing(Text::Changed, OtherSide::Differs, Of::New),
            standing(Text::Same, OtherSide::Agrees, Of::New),
            standing(Text::Same, OtherSide::Differs, Of::Old),
        ];
        assert!(order.is_sorted());
    }
}
