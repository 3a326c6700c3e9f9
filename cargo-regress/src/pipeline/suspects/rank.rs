//! Which lines are told, and in what order.
//!
//! Idea: what changed is the cause, what decides otherwise is the trace of it. So it goes: branches that changed and on the other side
//! of which the versions agree, which say it all; then statements that changed, if they are few; then other branches, changed
//! ones first; then the rest of what changed, behind a few branches at most whose text is the same. Of statements those come first whose own text changed: what the
//! compiler makes of the lines around them may be another, too; and of those again the lines on which the difference depends ([`super::depends`]). A changed condition that the other version implies decides nothing
//! and comes last. A line of the old version is left out where the line that took its place is told.

use std::collections::BTreeSet;

use regress_core::align::{Alignment, functions_reached};
use regress_core::ir::{FileId, FnBody, FnId, Span, TerminatorKind};
use regress_core::localize::{Blame, SuspectBranch};
use regress_core::value::Outcome;
use regress_core::verdict::suspicion::{Across, Changed, Effect, Suspicion};
use regress_core::verdict::{ChangeKind, Suspect, Version};

use super::changes::{self, Behind};
use super::depends::Depends;
use super::places::{Place, Text, Texts};
use crate::pipeline::load::Loaded;
use crate::report::localize::{Evidence, LineText};

/// So many changed statements are few: more of them would hide the branches.
pub(in crate::pipeline) const FEW: usize = 2;
/// So many branches whose text is the same come before changed statements: they show where a difference comes to light.
const MOST_TRACES: usize = 2;
/// Lines that are looked at before it is said which count.
const MOST_LOOKED_AT: usize = 64;

/// A line that may be to blame, and what speaks for that.
#[derive(Clone, Debug)]
pub(in crate::pipeline) struct Ranked {
    pub version: Version,
    pub span: Span,
    pub evidence: Evidence,
    pub text: LineText,
    pub reason: Suspicion,
}

/// The lines that may be to blame for a difference, best first. `effect` says what was computed otherwise, for lines that
/// have no condition to tell.
pub(in crate::pipeline) fn ranked(
    loaded: &Loaded,
    alignment: &Alignment,
    behind: &Behind,
    blame: Option<&Blame>,
    effect: &Effect,
    depends: impl FnOnce(&[Suspect]) -> Vec<Depends>,
) -> Vec<Ranked> {
    let mut texts = Texts::new(loaded);
    let mut branches: Vec<(&SuspectBranch, Standing)> = blame
        .iter()
        .flat_map(|blame| &blame.branches)
        .filter(|branch| changes::is_in_tree(loaded, branch.version, branch.span))
        .map(|branch| (branch, standing(&mut texts, branch)))
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
        0 => changed_lines(loaded, alignment, behind, &branches)
            .into_iter()
            .partition(|suspect| is_implied(suspect) && branches_at(loaded, suspect)),
        _ => (Vec::new(), Vec::new()),
    };
    let (mut changed, mut depended) = those_depended_on_first(changed, depends);
    if decisive == 0 {
        add_panic(&mut changed, loaded, effect, &mut texts);
        if let Some(first) = changed.first().filter(|_| !depended.is_empty()) {
            depended.insert(line_of(first));
        }
    }
    changed.sort_by_key(|suspect| texts.text(suspect.version, suspect.span));
    let of_branch = |(branch, _): &(&SuspectBranch, Standing)| {
        let evidence = match branch.decision.across {
            Across::Agree => Evidence::DecidesAlone,
            Across::Differ | Across::Unknown => Evidence::NotImplied,
        };
        (branch.version, branch.span, evidence, Suspicion::Decides(branch.decision.clone()))
    };
    let of_change = |suspect: &Suspect| {
        let reason = suspect.reason.clone().with_effect(effect);
        (suspect.version, suspect.span, Evidence::Changed, reason)
    };
    // Where it is known on which lines the difference depends, others do not count.
    let may_count = |suspect: &Suspect| depended.is_empty() || depended.contains(&line_of(suspect));
    let own = changed
        .iter()
        .filter(|suspect| may_count(suspect) && texts.text(suspect.version, suspect.span) == Text::Changed);
    let first = match own.count() {
        0 if changed.len() <= FEW => changed.len(),
        own if own <= FEW => own,
        _ => 0,
    };
    let with_own_text = |(_, standing): &&(&SuspectBranch, Standing)| standing.text == Text::Changed;
    let in_front = branches.iter().filter(with_own_text).count() + MOST_TRACES;
    let (in_front, behind) = branches.split_at(in_front.clamp(decisive, branches.len()));
    let ordered = in_front[..decisive]
        .iter()
        .map(of_branch)
        .chain(changed[..first].iter().map(of_change))
        .chain(in_front[decisive..].iter().map(of_branch))
        .chain(changed[first..].iter().map(of_change))
        .chain(behind.iter().map(of_branch))
        .chain(exonerated.iter().map(of_change));
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
            lines.push(Ranked { version, span, evidence, text, reason });
        }
    }
    lines
}

type Line = (Version, FileId, u32);

fn line_of(suspect: &Suspect) -> Line {
    (suspect.version, suspect.span.file, suspect.span.line_start)
}

/// Lines on which the difference depends before others, and which these are.
fn those_depended_on_first(
    lines: Vec<Suspect>,
    depends: impl FnOnce(&[Suspect]) -> Vec<Depends>,
) -> (Vec<Suspect>, BTreeSet<Line>) {
    if lines.len() < 2 {
        return (lines, BTreeSet::new());
    }
    let mut ranked: Vec<(Depends, Suspect)> = depends(&lines).into_iter().zip(lines).collect();
    ranked.sort_by_key(|(depends, _)| *depends);
    let depended = ranked.iter().filter(|(depends, _)| *depends <= Depends::OnCounterpart);
    let depended = depended.map(|(_, line)| line_of(line)).collect();
    (ranked.into_iter().map(|(_, line)| line).collect(), depended)
}

/// Puts the line at which one version alone panics before other changes, if its text changed. What a macro of the standard library expands
/// to stands in no file of the user's, but the panic says where it was.
fn add_panic(changed: &mut Vec<Suspect>, loaded: &Loaded, effect: &Effect, texts: &mut Texts<'_>) {
    let Effect::Outcomes { old, new } = effect else { return };
    let (version, program, panic) = match (old, new) {
        (Outcome::Returned { .. }, Outcome::Panicked(panic)) => (Version::New, &loaded.new.program, panic),
        (Outcome::Panicked(panic), Outcome::Returned { .. }) => (Version::Old, &loaded.old.program, panic),
        _ => return,
    };
    // `src/lib.rs:3:5`
    let place = panic.location.as_deref().and_then(|location| {
        let (line, column) = location.rsplit_once(':')?;
        let (file, line) = line.rsplit_once(':')?;
        Some((file, line.parse::<u32>().ok()?, column.parse::<u32>().ok()?))
    });
    let Some((file, line, column)) = place else { return };
    let Some((file, _)) = program.files.iter_enumerated().find(|(_, known)| known.path == file) else {
        return;
    };
    let span = Span { file, line_start: line, col_start: column, line_end: line, col_end: column };
    let what = match version {
        Version::New => Changed::Statement,
        Version::Old => Changed::FormerStatement,
    };
    if texts.text(version, span) == Text::Changed {
        changed
            .retain(|known| (known.version, known.span.file, known.span.line_start) != (version, file, line));
        changed
            .insert(0, Suspect { version, span, rank: 1, reason: Suspicion::Changed { what, effect: None } });
    }
}

/// Whether the program branches at the line of a suspect. Where it merely calls what branches inside, that these branches decide nothing says
/// nothing of the value that comes back.
fn branches_at(loaded: &Loaded, suspect: &Suspect) -> bool {
    let program = match suspect.version {
        Version::Old => &loaded.old.program,
        Version::New => &loaded.new.program,
    };
    let Span { file, line_start: line, .. } = suspect.span;
    program.functions.iter().any(|function| {
        let holds = function
            .span
            .is_some_and(|span| span.file == file && (span.line_start..=span.line_end).contains(&line));
        let FnBody::Present(body) = &function.body else { return false };
        holds
            && body.blocks.iter().any(|block| {
                let branches = matches!(
                    block.terminator.kind,
                    TerminatorKind::SwitchInt { .. } | TerminatorKind::Assert { .. }
                );
                branches && block.terminator.span.is_some_and(|span| span.line_start == line)
            })
    })
}

/// Changed statements, or changed text where there are none, that no branch names.
fn changed_lines(
    loaded: &Loaded,
    alignment: &Alignment,
    behind: &Behind,
    branches: &[(&SuspectBranch, Standing)],
) -> Vec<Suspect> {
    let known = branches.iter().zip(1..).map(|((branch, _), rank)| Suspect {
        version: branch.version,
        span: branch.span,
        rank,
        reason: Suspicion::Decides(branch.decision.clone()),
    });
    let mut all: Vec<Suspect> = known.collect();
    let before = all.len();
    changes::add_changes(&mut all, loaded, alignment, behind);
    let pair = behind.pair;
    let reached = functions_reached(&loaded.new.program, &[pair.1]);
    let is_reached = |new: &FnId| *new != pair.1 && reached.iter().any(|set| set.contains(new));
    for other in &alignment.pairs {
        if let (Some(old), Some(new), ChangeKind::Changed) = (other.old, other.new, other.kind)
            && is_reached(&new)
        {
            changes::add_changes(&mut all, loaded, alignment, &Behind::of(alignment, (old, new)));
        }
    }
    // In one order.
    for id in reached.into_iter().flatten().collect::<BTreeSet<FnId>>() {
        changes::add_constant(&mut all, loaded, id);
    }
    all.split_off(before)
}

/// Ordered: the most suspect first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Standing {
    text: Text,
    side: OtherSide,
    of: Of,
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

fn standing(texts: &mut Texts<'_>, branch: &SuspectBranch) -> Standing {
    Standing {
        text: texts.text(branch.version, branch.span),
        side: match branch.decision.across {
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

#[cfg(test)]
mod tests {
    use regress_core::idx::Idx;

    use super::*;

    #[test]
    fn lines_that_the_difference_depends_on_come_first() {
        use Depends::{NotSeen, OnCounterpart, OnIt, OnNothing};
        let line = |line: u32| Suspect {
            version: Version::New,
            span: Span {
                file: FileId::from_usize(0),
                line_start: line,
                col_start: 1,
                line_end: line,
                col_end: 9,
            },
            rank: line,
            reason: Suspicion::Changed { what: Changed::Statement, effect: None },
        };
        let check = |seen: [Depends; 4], expected: [u32; 4]| {
            let (lines, depended) = those_depended_on_first((1..=4).map(line).collect(), |_| seen.to_vec());
            assert_eq!(lines.iter().map(|line| line.span.line_start).collect::<Vec<_>>(), expected);
            assert_eq!(
                depended.len(),
                seen.iter().filter(|seen| [OnIt, OnCounterpart].contains(seen)).count()
            );
        };
        check([OnNothing, OnCounterpart, NotSeen, OnIt], [4, 2, 3, 1]);
        check([NotSeen; 4], [1, 2, 3, 4]);
        // Nobody asks about one.
        let asks = |_: &[Suspect]| -> Vec<Depends> { panic!("asked") };
        assert_eq!(those_depended_on_first(vec![line(1)], asks).0.len(), 1);
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
