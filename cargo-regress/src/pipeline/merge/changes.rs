//! What either side changed of what a function reaches.

use std::collections::{BTreeSet, HashSet};

use regress_core::align::{Alignment, Pair, functions_reached};
use regress_core::ir::{FileId, FnId, Program};
use regress_core::verdict::ChangeKind;

use super::functions::{Function, Link, Steps};
use super::judge::Step;
use crate::pipeline::aligned::Aligned;
use crate::pipeline::list::describe;
use crate::pipeline::load::Loaded;
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

/// A function that a side changed, with its changed lines; those of another one are its first.
fn change(loaded: &Loaded, alignment: &Alignment, pair: &Pair, side: Side) -> Option<Change> {
    let new = pair.new?;
    let program = &loaded.new.program;
    let span = program.functions[new].span?;
    let changed: BTreeSet<(FileId, u32)> = match pair.old {
        Some(old) => {
            let diff = alignment.statements((&loaded.old.program, old), (program, new));
            diff.map(|diff| diff.new_lines).unwrap_or_default()
        }
        None => BTreeSet::new(),
    };
    let mut lines: Vec<u32> =
        changed.into_iter().filter(|(file, _)| *file == span.file).map(|(_, line)| line).collect();
    if lines.is_empty() {
        lines.push(span.line_start);
    }
    let file = program.files.get(span.file)?.path.clone();
    let text = std::fs::read_to_string(loaded.new.directory.join(&file)).unwrap_or_default();
    let of_line =
        |line: u32| text.lines().nth(line.saturating_sub(1) as usize).unwrap_or_default().to_owned();
    Some(Change {
        side,
        item: format!("`{}`", display_path(program, new, loaded.only_crate())),
        file: Some(file),
        lines: lines.into_iter().map(|line| (line, of_line(line))).collect(),
    })
}
