//! On which of the lines that changed the difference of a call depends.
//!
//! *Idea.* Lines are the changes of [`localize::dependence`]: each line that may be told is a change of its own, and slices say which of them
//! what differs depends on. So of the arms of a `match` that all changed, that one counts which the call takes.
//!
//! *Limits.* Nothing is said of a call that the engine does not see end as it does natively. Dependence is an order of lines and nothing else: a line
//! that was taken out has no part in the new version's slices, and the line in its place may have none either.

use std::collections::{BTreeMap, BTreeSet};

use regress_core::align::Alignment;
use regress_core::exec::{ChangeId, Changes, Image};
use regress_core::explore::Options;
use regress_core::idx::Idx;
use regress_core::ir::{Body, FileId, FnBody, Owner, Position, Program, Span, TerminatorKind};
use regress_core::localize::{self, Dependence};
use regress_core::observable::same_outcome;
use regress_core::verdict::{Suspect, Version};

use super::DifferingCall;
use super::places::{Texts, file_name};
use crate::pipeline::load::Loaded;

/// How the difference of a call depends on a line. Ordered: the closest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::pipeline) enum Depends {
    OnIt,
    /// On what is in its place in the other version.
    OnCounterpart,
    NotSeen,
    /// It is in a function that is proved to do the same.
    OnNothing,
}

/// A call that is asked about.
pub(in crate::pipeline) struct Asked<'c> {
    pub loaded: &'c Loaded,
    pub alignment: &'c Alignment,
    pub call: DifferingCall<'c>,
    /// Those of the call.
    pub options: Options,
}

impl Asked<'_> {
    /// The changes behind the difference, with the statements of either version that belong to each; none if the engine does not see the call end as
    /// it does natively.
    pub fn dependence(&self, [old, new]: [&Changes; 2]) -> Option<Dependence> {
        let common = self.alignment.common_for(self.call.functions.new);
        let image = |program, changes| {
            Image::new(program, self.options.limits.panics).with_common(&common).with_changes(changes)
        };
        let old = image(&self.loaded.old.program, old);
        let new = image(&self.loaded.new.program, new);
        let call = self.call;
        let found = localize::dependence(&old, &new, call.functions, &self.options, call.arguments).ok()?;
        let agrees =
            |engine: &Option<_>, native| engine.as_ref().is_some_and(|engine| same_outcome(engine, native));
        (agrees(&found.old, call.old) && agrees(&found.new, call.new)).then_some(found)
    }

    /// How the difference depends on each of these lines.
    pub fn on_lines(&self, lines: &[Suspect]) -> Vec<Depends> {
        let seen = self.seen_on_lines(lines).into_iter().zip(lines);
        seen.map(|(seen, line)| if self.is_proved_equal(line) { Depends::OnNothing } else { seen }).collect()
    }

    /// Whether the line stands in a function of the new version that is proved to do what it did.
    fn is_proved_equal(&self, line: &Suspect) -> bool {
        let Some(discharged) = self.call.discharged.filter(|_| line.version == Version::New) else {
            return false;
        };
        let Span { file, line_start, .. } = line.span;
        let functions = &self.loaded.new.program.functions;
        discharged
            .functions()
            // What holds a closure on the same line may differ.
            .filter(|id| !matches!(functions[*id].owner, Owner::Within(_)))
            .filter_map(|id| functions[id].span)
            .any(|span| span.file == file && (span.line_start..=span.line_end).contains(&line_start))
    }

    fn seen_on_lines(&self, lines: &[Suspect]) -> Vec<Depends> {
        let mut texts = Texts::new(self.loaded);
        let sides = [Version::Old, Version::New].map(|version| self.changes(version, lines, &mut texts));
        let Some(found) = self.dependence([&sides[0], &sides[1]]) else {
            return none_seen(lines);
        };
        let is_behind = |id: usize| found.changes.contains(&ChangeId::from_usize(id));
        let of_line = |line: usize| match () {
            () if is_behind(line) => Depends::OnIt,
            () if is_behind(lines.len() + line) => Depends::OnCounterpart,
            () => Depends::NotSeen,
        };
        (0..lines.len()).map(of_line).collect()
    }

    /// The statements of a version that stand on the lines, numbered as these, and those in the place of lines of the other version, numbered on from there.
    fn changes(&self, version: Version, lines: &[Suspect], texts: &mut Texts<'_>) -> Changes {
        let program = program(self.loaded, version);
        let mut at_line: BTreeMap<(FileId, u32), Vec<ChangeId>> = BTreeMap::new();
        let places: Vec<_> = lines.iter().map(|line| texts.place(line.version, line.span)).collect();
        let mut ids_at = |span: Span| {
            let known = at_line.entry((span.file, span.line_start)).or_insert_with(|| {
                let place = texts.place(version, span);
                let is_it = |of: &Suspect| {
                    (of.version, of.span.file, of.span.line_start) == (version, span.file, span.line_start)
                };
                let own = (0..lines.len()).filter(|id| is_it(&lines[*id]));
                let is_counterpart =
                    |id: &usize| lines[*id].version != version && place.is_some() && places[*id] == place;
                let others = (0..lines.len()).filter(is_counterpart).map(|id| lines.len() + id);
                own.chain(others).map(ChangeId::from_usize).collect()
            });
            known.clone()
        };
        let name = |version, span: Span| file_name(self.loaded, version, span.file);
        let files: BTreeSet<&str> = lines.iter().filter_map(|line| name(line.version, line.span)).collect();
        let is_near = |span: &Span| name(version, *span).is_some_and(|file| files.contains(file));
        let mut changes = Changes::default();
        for (id, function) in program.functions.iter_enumerated() {
            let FnBody::Present(body) = &function.body else { continue };
            if !function.span.as_ref().is_some_and(is_near) {
                continue;
            }
            for position in positions(body) {
                let ids = span_at(body, position).map(&mut ids_at).unwrap_or_default();
                ids.into_iter().for_each(|change| changes.add(id, position, change));
            }
        }
        changes
    }
}

/// Of lines of which nothing is known.
pub(in crate::pipeline) fn none_seen(lines: &[Suspect]) -> Vec<Depends> {
    vec![Depends::NotSeen; lines.len()]
}

fn program(loaded: &Loaded, version: Version) -> &Program {
    match version {
        Version::Old => &loaded.old.program,
        Version::New => &loaded.new.program,
    }
}

/// Statements and terminators but jumps: those only say where what is there goes on.
pub(in crate::pipeline) fn positions(body: &Body) -> impl Iterator<Item = Position> {
    body.blocks.iter_enumerated().flat_map(|(block, content)| {
        let jumps = matches!(content.terminator.kind, TerminatorKind::Goto(_));
        let end = content.statements.len() + usize::from(!jumps);
        (0..end).map(move |index| (block, index))
    })
}

pub(in crate::pipeline) fn span_at(body: &Body, (block, index): Position) -> Option<Span> {
    let content = &body.blocks[block];
    content.statements.get(index).map_or(content.terminator.span, |statement| statement.span)
}
