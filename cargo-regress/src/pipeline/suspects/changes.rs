//! Suspect lines beyond those that conditions name.
//!
//! Where conditions do not tell the versions apart (another value is computed on the same path), what changed on the way is
//! what is left: the statements of the function itself, or of the item that it is affected through. Where none of the
//! suspects is part of the change as it was typed (an arm is gone, a constant is another), the changed lines of text say
//! where it was.

use std::collections::{BTreeMap, BTreeSet};

use camino::Utf8Path;
use regress_core::align::{Alignment, Cause, DifferentItem};
use regress_core::compare::FunctionPair;
use regress_core::ir::{FileId, FnBody, FnId, FunctionKind, Origin, Program, Span};
use regress_core::verdict::suspicion::{Changed, Suspicion};
use regress_core::verdict::{Suspect, Version};
use similar::{DiffTag, TextDiff};

use crate::pipeline::load::{Loaded, LoadedVersion};

/// Changed lines of text added to one difference.
const MOST_LINES: usize = 4;

/// A pair of functions, and what it is affected through if it did not change itself.
pub(in crate::pipeline) struct Behind {
    pub pair: (FnId, FnId),
    cause: Option<Cause>,
}

impl Behind {
    pub fn of(alignment: &Alignment, pair: (FnId, FnId)) -> Behind {
        Behind { pair, cause: alignment.cause(pair.1).cloned() }
    }

    /// Where the pair's types stand for its parameters.
    pub fn at_types(loaded: &Loaded, alignment: &Alignment, functions: &FunctionPair) -> Behind {
        let FunctionPair { old, new, instantiation, .. } = functions;
        if instantiation.is_empty() {
            return Behind::of(alignment, (*old, *new));
        }
        let (old_side, new_side) = (
            (&loaded.old.program, *old, &instantiation.old),
            (&loaded.new.program, *new, &instantiation.new),
        );
        Behind { pair: (*old, *new), cause: alignment.cause_at(old_side, new_side) }
    }
}

/// Adds the changes behind a difference of the pair, ranked after the suspects that are there.
pub(in crate::pipeline) fn add_changes(
    suspects: &mut Vec<Suspect>,
    loaded: &Loaded,
    alignment: &Alignment,
    behind: &Behind,
) {
    // What a macro of the standard library expands to is not where the user looks.
    suspects.retain(|suspect| is_in_tree(loaded, suspect.version, suspect.span));
    for (rank, suspect) in suspects.iter_mut().enumerate() {
        suspect.rank = rank as u32 + 1;
    }
    let changed = changed_functions(loaded, alignment, behind);
    for (old, new) in &changed {
        add_statements(suspects, loaded, alignment, *old, *new);
    }
    let mut spans: Vec<Span> =
        changed.iter().filter_map(|(_, new)| loaded.new.program.functions[*new].span).collect();
    if let Some(cause) = behind.cause.as_ref().filter(|cause| !is_of_models(loaded, cause)) {
        spans.extend(item_spans(&loaded.new.program, alignment, cause));
    }
    let lines: Vec<Span> = spans
        .into_iter()
        .flat_map(|span| {
            let at = move |line| Span { line_start: line, line_end: line, col_start: 1, col_end: 1, ..span };
            changed_text(loaded, span).into_iter().map(at)
        })
        .collect();
    let names_a_change = |suspect: &Suspect| {
        let is_at =
            |line: &Span| line.file == suspect.span.file && line.line_start == suspect.span.line_start;
        suspect.version == Version::New && lines.iter().any(is_at)
    };
    if !suspects.iter().any(names_a_change) {
        for line in lines.into_iter().take(MOST_LINES) {
            add(suspects, Version::New, line, Changed::Line);
        }
    }
}

/// Adds the lines of a constant or static of the new version that the old one does not have: one of another type is no pair of functions.
pub(super) fn add_constant(suspects: &mut Vec<Suspect>, loaded: &Loaded, id: FnId) {
    let item = &loaded.new.program.functions[id];
    let is_constant = matches!(item.kind, FunctionKind::Const | FunctionKind::Static);
    let Some(span) = item.span.filter(|_| is_constant && item.origin == Origin::Subject) else { return };
    for line in changed_text(loaded, span).into_iter().take(MOST_LINES) {
        let at = Span { line_start: line, line_end: line, col_start: 1, col_end: 1, ..span };
        if is_in_tree(loaded, Version::New, at) {
            add(suspects, Version::New, at, Changed::Line);
        }
    }
}

/// Whether the function is affected through a model of the standard library, which stands in no file of the user's: the versions are built otherwise.
fn is_of_models(loaded: &Loaded, cause: &Cause) -> bool {
    let program = match cause.version {
        Version::Old => &loaded.old.program,
        Version::New => &loaded.new.program,
    };
    matches!(cause.item, DifferentItem::Function(id) if program.functions[id].origin == Origin::StdModel)
}

/// The function itself if it changed, else the one it is affected through.
fn changed_functions(loaded: &Loaded, alignment: &Alignment, behind: &Behind) -> Vec<(FnId, FnId)> {
    let (old, new) = behind.pair;
    let Some(cause) = &behind.cause else {
        return vec![(loaded.old.program.in_sources(old), loaded.new.program.in_sources(new))];
    };
    if is_of_models(loaded, cause) {
        return Vec::new();
    }
    let pair = match (&cause.item, cause.version) {
        (DifferentItem::Function(new), Version::New) => alignment.to_old(*new).map(|old| (old, *new)),
        (DifferentItem::Function(old), Version::Old) => alignment.to_new(*old).map(|new| (*old, new)),
        _ => None,
    };
    pair.into_iter().collect()
}

/// Where the item that a function is affected through stands in the new version; of an implementation, all its members.
fn item_spans(program: &Program, alignment: &Alignment, cause: &Cause) -> Vec<Span> {
    let span_of = |id: FnId| program.functions[id].span;
    match (&cause.item, cause.version) {
        (DifferentItem::Function(id), Version::New) => span_of(*id).into_iter().collect(),
        (DifferentItem::Function(id), Version::Old) => {
            alignment.to_new(*id).and_then(span_of).into_iter().collect()
        }
        (DifferentItem::Type(id), Version::New) => program.adts[*id].span.into_iter().collect(),
        (DifferentItem::Implementation(id), Version::New) => {
            let item = &program.impls[*id];
            item.methods.values().chain(item.consts.values()).copied().filter_map(span_of).collect()
        }
        _ => Vec::new(),
    }
}

fn add_statements(suspects: &mut Vec<Suspect>, loaded: &Loaded, alignment: &Alignment, old: FnId, new: FnId) {
    let (old_program, new_program) = (&loaded.old.program, &loaded.new.program);
    let Some(diff) = alignment.statements((old_program, old), (new_program, new)) else { return };
    let sides = [
        (Version::New, new_program, new, &diff.new_changed, Changed::Statement),
        (Version::Old, old_program, old, &diff.old_changed, Changed::FormerStatement),
    ];
    let mut gone: BTreeMap<FileId, BTreeSet<u32>> = BTreeMap::new();
    for (version, program, function, changed, what) in sides {
        let FnBody::Present(body) = &program.functions[function].body else { continue };
        for (block, index) in changed {
            let block = &body.blocks[*block];
            let span = block.statements.get(*index).map_or(block.terminator.span, |statement| statement.span);
            let Some(span) = span.filter(|span| is_in_tree(loaded, version, *span)) else { continue };
            // What the new version has is where the user looks; lines of the old one only where nothing took their place.
            let is_told = version == Version::New
                || diff.new_changed.is_empty()
                || gone
                    .entry(span.file)
                    .or_insert_with(|| gone_lines(loaded, span.file))
                    .contains(&span.line_start);
            if is_told {
                add(suspects, version, span, what);
            }
        }
    }
}

/// Lines of a file of the old version that were taken out, with no line in their place.
fn gone_lines(loaded: &Loaded, file: FileId) -> BTreeSet<u32> {
    let name = loaded.old.program.files.get(file).map(|file| &file.path);
    let text = |version: &LoadedVersion| std::fs::read_to_string(version.directory.join(name?)).ok();
    let (Some(old), Some(new)) = (text(&loaded.old), text(&loaded.new)) else { return BTreeSet::new() };
    let diff = TextDiff::from_lines(&old, &new);
    let taken_out = diff.ops().iter().filter(|op| op.tag() == DiffTag::Delete);
    taken_out.flat_map(similar::DiffOp::old_range).map(|index| index as u32 + 1).collect()
}

/// Whether the span lies in a file of the version; the compiler names files from elsewhere by absolute paths.
pub(super) fn is_in_tree(loaded: &Loaded, version: Version, span: Span) -> bool {
    let program = match version {
        Version::Old => &loaded.old.program,
        Version::New => &loaded.new.program,
    };
    program.files.get(span.file).is_some_and(|file| !Utf8Path::new(&file.path).is_absolute())
}

fn add(suspects: &mut Vec<Suspect>, version: Version, span: Span, what: Changed) {
    let is_known = |known: &Suspect| {
        known.version == version && known.span.file == span.file && known.span.line_start == span.line_start
    };
    if !suspects.iter().any(is_known) {
        let rank = suspects.len() as u32 + 1;
        suspects.push(Suspect { version, span, rank, reason: Suspicion::Changed { what, effect: None } });
    }
}

/// Lines within the span whose text the old version does not have, or next to which it had more.
fn changed_text(loaded: &Loaded, span: Span) -> BTreeSet<u32> {
    let (Some(old), Some(new)) =
        (text(&loaded.old, &loaded.new, span.file), text(&loaded.new, &loaded.new, span.file))
    else {
        return BTreeSet::new();
    };
    let diff = TextDiff::from_lines(&old, &new);
    diff.ops()
        .iter()
        .filter(|op| op.tag() != DiffTag::Equal)
        .flat_map(|op| {
            let range = op.new_range();
            // Where lines were only taken away, the one that follows marks the place.
            range.start..range.end.max(range.start + 1)
        })
        .map(|index| index as u32 + 1)
        .filter(|line| (span.line_start..=span.line_end).contains(line))
        .collect()
}

/// The text of a file, named as in the new version's program.
fn text(version: &LoadedVersion, naming: &LoadedVersion, file: FileId) -> Option<String> {
    let name = &naming.program.files.get(file)?.path;
    std::fs::read_to_string(version.directory.join(name)).ok()
}
