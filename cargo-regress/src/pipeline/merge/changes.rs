//! What either side changed of what a function reaches.

use std::collections::HashSet;

use regress_core::align::{Alignment, Pair, functions_reached};
use regress_core::ir::{FnId, Program};
use regress_core::verdict::ChangeKind;

use super::functions::{Function, Link, Steps};
use super::judge::Step;
use crate::pipeline::aligned::Aligned;
use crate::pipeline::list::describe;
use crate::pipeline::load::{Loaded, LoadedVersion};
use crate::pipeline::naming::display_path;
use crate::report::merge::{Change, Side};

/// The changes of both sides in what the function reaches, in the merge or in the side itself.
pub(super) fn changes(aligned: &Steps<Aligned>, function: &Function) -> Vec<Change> {
    Side::BOTH.into_iter().flat_map(|side| changes_of(aligned, function, side)).collect()
}

fn changes_of(aligned: &Steps<Aligned>, function: &Function, side: Side) -> Vec<Change> {
    let to_merge = &aligned.of(Step::to_merge(side)).loaded;
    let mut reached = names_reached(&aligned.ours_merge.loaded.new.program, function.merge);
    if let Link::Same { old, .. } | Link::Differs { old, .. } = *function.links.of(Step::to_merge(side)) {
        reached.extend(names_reached(&to_merge.old.program, old));
    }
    let Aligned { loaded, alignment, .. } = aligned.of(Step::from_base(side));
    let program = &loaded.new.program;
    let is_reached =
        |pair: &&Pair| pair.new.is_some_and(|id| reached.contains(program.functions[id].path.as_str()));
    let of_kind = |kind: ChangeKind| -> Vec<Change> {
        let pairs = alignment.pairs.iter().filter(|pair| pair.kind == kind).filter(is_reached);
        pairs.filter_map(|pair| change(loaded, alignment, pair, side)).collect()
    };
    for kind in [ChangeKind::Changed, ChangeKind::Added, ChangeKind::SignatureChanged] {
        let found = of_kind(kind);
        if !found.is_empty() {
            return found;
        }
    }
    // A type, a constant, a trait's implementation.
    let cause = match *function.links.of(Step::from_base(side)) {
        Link::Differs { new, .. } => alignment.cause(new),
        Link::Same { .. } | Link::Other | Link::Absent => None,
    };
    let item = cause.map(|cause| describe(loaded, cause));
    item.map(|item| Change { side, item, file: None, lines: Vec::new() }).into_iter().collect()
}

/// The paths of what a function may come to run, its own among them.
fn names_reached(program: &Program, function: FnId) -> HashSet<String> {
    let name = |id: FnId| program.functions[id].path.to_string();
    let reached = functions_reached(program, &[function]).into_iter().flatten();
    reached.chain([function]).map(name).collect()
}

/// A function that a side changed, with its changed lines; of another one, or if lines are only gone, its first.
fn change(loaded: &Loaded, alignment: &Alignment, pair: &Pair, side: Side) -> Option<Change> {
    let new = pair.new?;
    let program = &loaded.new.program;
    let span = program.functions[new].span?;
    let file = program.files.get(span.file)?.path.clone();
    let text = std::fs::read_to_string(loaded.new.directory.join(&file)).unwrap_or_default();
    let mut lines =
        pair.old.map(|old| lines_of_statements(loaded, alignment, (old, new))).unwrap_or_default();
    if lines.is_empty() {
        // What stands in a closure is no statement of the function.
        let other = pair.old.and_then(|old| text_of(&loaded.old, old)).unwrap_or_default();
        lines = other_lines(&other, &text_of(&loaded.new, new)?, span.line_start);
    }
    if lines.is_empty() || pair.old.is_none() {
        lines = vec![span.line_start];
    }
    let of_line =
        |line: u32| text.lines().nth(line.saturating_sub(1) as usize).unwrap_or_default().to_owned();
    Some(Change {
        side,
        item: format!("`{}`", display_path(program, new, loaded.only_crate())),
        file: Some(file),
        lines: lines.into_iter().map(|line| (line, of_line(line))).collect(),
    })
}

fn lines_of_statements(loaded: &Loaded, alignment: &Alignment, (old, new): (FnId, FnId)) -> Vec<u32> {
    let (old_program, program) = (&loaded.old.program, &loaded.new.program);
    let file = program.functions[new].span.map(|span| span.file);
    let diff = alignment.statements((old_program, old), (program, new));
    let changed = diff.map(|diff| diff.new_lines).unwrap_or_default();
    changed.into_iter().filter(|(of, _)| Some(*of) == file).map(|(_, line)| line).collect()
}

/// The lines of a function as they are written.
fn text_of(version: &LoadedVersion, function: FnId) -> Option<String> {
    let span = version.program.functions[function].span?;
    let file = &version.program.files.get(span.file)?.path;
    let text = std::fs::read_to_string(version.directory.join(file)).ok()?;
    let (first, last) = (span.line_start.saturating_sub(1) as usize, span.line_end as usize);
    let lines = text.lines().take(last).skip(first);
    Some(lines.flat_map(|line| [line, "\n"]).collect())
}

/// The numbers of lines that the new text alone has, of which the first has this one.
fn other_lines(old: &str, new: &str, first: u32) -> Vec<u32> {
    let diff = similar::TextDiff::from_lines(old, new);
    let added = diff.iter_all_changes().filter(|change| change.tag() == similar::ChangeTag::Insert);
    added.filter_map(|change| Some(first + u32::try_from(change.new_index()?).ok()?)).collect()
}

#[cfg(test)]
mod tests {
    use super::other_lines;

    #[test]
    fn lines_that_are_new_are_numbered_from_the_first() {
        assert_eq!(other_lines("fn f() {\n    1\n}\n", "fn f() {\n    2\n    3\n}\n", 10), [11, 12]);
        assert_eq!(other_lines("a\nb\n", "a\n", 1), Vec::<u32>::new());
    }
}
