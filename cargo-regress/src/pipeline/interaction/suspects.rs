//! Suspect lines in the light of which changes a difference takes: what was seen natively to make it counts more than what conditions tell.

use regress_core::idx::IdxVec;
use regress_core::ir::{FileId, SourceFile, Span};
use regress_core::verdict::suspicion::{Changed, Suspicion};
use regress_core::verdict::{Suspect, Version};

use crate::pipeline::load::Loaded;
use crate::report::interaction::{Interaction, InteractionKind};
use crate::report::localize::Hunk;

/// Puts lines of changes without which there is no difference before all others, and the first line of such a change in front if none of it is told.
/// Where no build says which changes these are, those come first on which the result depends.
pub(super) fn put_needed_first(suspects: &mut Vec<Suspect>, interaction: &Interaction, loaded: &Loaded) {
    put_first(suspects, interaction, [&loaded.old.files, &loaded.new.files]);
}

/// Of so many changes on which the result depends lines are told, where no other line of them is.
const MOST_UNTOLD: usize = 4;

type Files = IdxVec<FileId, SourceFile>;

fn put_first(suspects: &mut Vec<Suspect>, interaction: &Interaction, [old, new]: [&Files; 2]) {
    if matches!(interaction.kind, InteractionKind::Either { .. } | InteractionKind::Masked { .. }) {
        return;
    }
    let needed: Vec<&Hunk> = interaction.changes.iter().map(|change| &change.hunk).collect();
    let is_in = |suspect: &Suspect, hunk: &Hunk| {
        let (files, lines) = match suspect.version {
            Version::Old => (old, hunk.old_lines),
            Version::New => (new, hunk.new_lines),
        };
        let covers = |(first, last): (u32, u32)| (first..=last).contains(&suspect.span.line_start);
        files.get(suspect.span.file).is_some_and(|file| file.path == hunk.file) && lines.is_some_and(covers)
    };
    let is_needed = |suspect: &Suspect| needed.iter().any(|hunk| is_in(suspect, hunk));
    suspects.sort_by_key(|suspect| !is_needed(suspect));
    let is_seen = interaction.kind != InteractionKind::Depends;
    // Behind what is told already where dependence alone speaks for them.
    let mut place = if is_seen { 0 } else { suspects.iter().filter(|suspect| is_needed(suspect)).count() };
    // A result may depend on much that has no part in its difference.
    let untold = if is_seen || needed.len() <= MOST_UNTOLD { needed.as_slice() } else { &[] };
    for hunk in untold {
        if !suspects.iter().any(|suspect| is_in(suspect, hunk))
            && let Some(suspect) = of_hunk(hunk, [old, new])
        {
            suspects.insert(place, suspect);
            place += 1;
        }
    }
    for (suspect, rank) in suspects.iter_mut().zip(1..) {
        suspect.rank = rank;
    }
}

/// The first line of a change; of what was only taken out, that of the old version.
fn of_hunk(hunk: &Hunk, [old, new]: [&Files; 2]) -> Option<Suspect> {
    let (version, files, (line, _)) = match (hunk.new_lines, hunk.old_lines) {
        (Some(lines), _) => (Version::New, new, lines),
        (None, Some(lines)) => (Version::Old, old, lines),
        (None, None) => return None,
    };
    let (file, _) = files.iter_enumerated().find(|(_, file)| file.path == hunk.file)?;
    let span = Span { file, line_start: line, col_start: 1, line_end: line, col_end: 1 };
    Some(Suspect { version, span, rank: 1, reason: Suspicion::Changed { what: Changed::Line, effect: None } })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::interaction::NumberedChange;

    fn files() -> Files {
        ["src/lib.rs", "src/table.rs"].map(|path| SourceFile { path: path.to_owned() }).into_iter().collect()
    }

    fn suspect(line: u32) -> Suspect {
        let (file, _) = files().iter_enumerated().next().expect("there is one");
        let span = Span { file, line_start: line, col_start: 5, line_end: line, col_end: 9 };
        Suspect {
            version: Version::New,
            span,
            rank: 9,
            reason: Suspicion::Changed { what: Changed::Statement, effect: None },
        }
    }

    /// The change of these lines is needed; what is told of which line in the end, as `src/lib.rs:3`.
    #[track_caller]
    fn check(hunks: &[(&str, u32)], told: &[u32], expected: &[&str]) {
        let kind = InteractionKind::Together { without: Vec::new() };
        check_of(kind, hunks, told, expected);
    }

    #[track_caller]
    fn check_of(kind: InteractionKind, hunks: &[(&str, u32)], told: &[u32], expected: &[&str]) {
        let hunk = |(file, line): &(&str, u32)| Hunk {
            file: (*file).to_owned(),
            new_lines: Some((*line, line + 1)),
            old_lines: None,
            vanishes_without: None,
        };
        let interaction = Interaction {
            changes: hunks
                .iter()
                .zip(1..)
                .map(|(of, number)| NumberedChange { number, hunk: hunk(of) })
                .collect(),
            of: 5,
            kind,
            builds: 2,
        };
        let mut suspects: Vec<Suspect> = told.iter().map(|line| suspect(*line)).collect();
        let files = files();
        put_first(&mut suspects, &interaction, [&files, &files]);
        let place =
            |suspect: &Suspect| format!("{}:{}", files[suspect.span.file].path, suspect.span.line_start);
        assert_eq!(suspects.iter().map(place).collect::<Vec<_>>(), expected);
        let ranks: Vec<u32> = suspects.iter().map(|suspect| suspect.rank).collect();
        assert_eq!(ranks, (1..=suspects.len() as u32).collect::<Vec<_>>());
    }

    #[test]
    fn lines_of_changes_that_are_needed_come_first() {
        check(&[("src/lib.rs", 7)], &[3, 8, 5], &["src/lib.rs:8", "src/lib.rs:3", "src/lib.rs:5"]);
        check(&[("src/lib.rs", 3)], &[3, 8], &["src/lib.rs:3", "src/lib.rs:8"]);
    }

    #[test]
    fn lines_of_changes_on_which_the_result_depends_come_first() {
        let check = |hunks: &[(&str, u32)], told: &[u32], expected: &[&str]| {
            check_of(InteractionKind::Depends, hunks, told, expected);
        };
        let [three, eight, nine] = ["src/lib.rs:3", "src/lib.rs:8", "src/lib.rs:9"];
        check(&[("src/lib.rs", 7), ("src/table.rs", 4)], &[3, 8], &[eight, "src/table.rs:4", three]);
        check(&[("src/table.rs", 4)], &[3, 9], &["src/table.rs:4", three, nine]);
        let many: Vec<(&str, u32)> = (20..30).map(|line| ("src/lib.rs", line * 10)).collect();
        check(&many, &[3], &[three]);
    }

    #[test]
    fn a_change_of_which_nothing_is_told_is_told_by_its_first_line() {
        check(&[("src/table.rs", 4)], &[3], &["src/table.rs:4", "src/lib.rs:3"]);
        check(
            &[("src/lib.rs", 2), ("src/table.rs", 4)],
            &[9, 3],
            &["src/table.rs:4", "src/lib.rs:3", "src/lib.rs:9"],
        );
        check(&[("src/unknown.rs", 4)], &[3], &["src/lib.rs:3"]);
    }
}
