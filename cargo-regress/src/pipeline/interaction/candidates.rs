//! Changes that a difference may take: which statements they are, and on which of them a call depends.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use camino::{Utf8Path, Utf8PathBuf};
use regress_core::align::{Alignment, functions_reached};
use regress_core::compare::FunctionPair;
use regress_core::exec::{ChangeId, Changes, Image};
use regress_core::explore::Options;
use regress_core::idx::Idx;
use regress_core::ir::{Body, FnBody, FnId, Position, Program, Span, TerminatorKind};
use regress_core::localize;
use regress_core::observable::same_outcome;
use regress_core::verdict::Version;

use crate::pipeline::load::Loaded;
use crate::pipeline::mixtures::Change;
use crate::pipeline::suspects::{DifferingCall, RunLimits};

/// A witness is mostly short.
const RUN_LIMITS: RunLimits = RunLimits { steps: 400_000, rounds: 1000 };

/// The hunks of a change, and the statements of both versions that belong to each.
pub(super) struct Map<'m> {
    loaded: &'m Loaded,
    alignment: &'m Alignment,
    old: Changes,
    new: Changes,
    /// By function, which hunks lie in it.
    old_functions: Vec<(FnId, BTreeSet<usize>)>,
    new_functions: Vec<(FnId, BTreeSet<usize>)>,
}

impl<'m> Map<'m> {
    /// `inside` is where both versions' sources lie in their trees.
    pub fn new(
        loaded: &'m Loaded,
        alignment: &'m Alignment,
        change: &Change,
        inside: [&Utf8Path; 2],
    ) -> Map<'m> {
        let mut map = Map {
            loaded,
            alignment,
            old: Changes::default(),
            new: Changes::default(),
            old_functions: Vec::new(),
            new_functions: Vec::new(),
        };
        let [old_inside, new_inside] = inside;
        let hunks_of = |version, program: &Program, span: Span| {
            let base = if version == Version::Old { old_inside } else { new_inside };
            hunks_within(change, version, &base.join(&program.files[span.file].path), span)
        };
        for version in [Version::Old, Version::New] {
            let (own, other, counterpart): (_, _, &dyn Fn(FnId) -> Option<FnId>) = match version {
                Version::Old => (&loaded.old.program, &loaded.new.program, &|id| alignment.to_new(id)),
                Version::New => (&loaded.new.program, &loaded.old.program, &|id| alignment.to_old(id)),
            };
            for id in own.functions.ids() {
                let FnBody::Present(body) = &own.functions[id].body else { continue };
                let Some(span) = own.functions[id].span else { continue };
                let counterpart = counterpart(id);
                let there = counterpart.and_then(|id| other.functions[id].span);
                let mut whole = hunks_of(version, own, span);
                whole.extend(there.into_iter().flat_map(|span| hunks_of(version.other(), other, span)));
                if whole.is_empty() {
                    continue;
                }
                let positions = map.changed_positions(version, id, counterpart, body);
                for position in positions {
                    // What changed for the sake of lines that are gone belongs to all changes of the function.
                    let here = span_at(body, position).map(|span| hunks_of(version, own, span));
                    let hunks = here.filter(|hunks| !hunks.is_empty()).unwrap_or_else(|| whole.clone());
                    let changes = if version == Version::Old { &mut map.old } else { &mut map.new };
                    hunks.iter().for_each(|hunk| changes.add(id, position, ChangeId::from_usize(*hunk)));
                }
                let functions =
                    if version == Version::Old { &mut map.old_functions } else { &mut map.new_functions };
                functions.push((id, whole));
            }
        }
        map
    }

    fn changed_positions(
        &self,
        version: Version,
        id: FnId,
        counterpart: Option<FnId>,
        body: &Body,
    ) -> Vec<Position> {
        let (old, new) = (&self.loaded.old.program, &self.loaded.new.program);
        let diff = counterpart.and_then(|other| match version {
            Version::Old => self.alignment.statements((old, id), (new, other)).map(|diff| diff.old_changed),
            Version::New => self.alignment.statements((old, other), (new, id)).map(|diff| diff.new_changed),
        });
        match diff {
            Some(changed) => changed.into_iter().collect(),
            None => all_positions(body),
        }
    }

    /// The hunks in functions that a call may come to run.
    pub fn reached(&self, (old, new): (FnId, FnId)) -> BTreeSet<usize> {
        let of = |program, start, functions: &[(FnId, BTreeSet<usize>)]| -> BTreeSet<usize> {
            let reached = functions_reached(program, &[start]).pop().unwrap_or_default();
            let within = functions.iter().filter(|(id, _)| reached.contains(id));
            within.flat_map(|(_, hunks)| hunks.iter().copied()).collect()
        };
        let mut reached = of(&self.loaded.old.program, old, &self.old_functions);
        reached.extend(of(&self.loaded.new.program, new, &self.new_functions));
        reached
    }

    /// The hunks that the outputs of a call depend on; if these are more than `most`, those that what differs depends on. None if the engine does
    /// not see the call end as it does natively.
    pub fn behind(&self, call: DifferingCall<'_>, options: Options, most: usize) -> Option<BTreeSet<usize>> {
        let options = call.options(options, RUN_LIMITS);
        let common = self.alignment.common_for(call.functions.new);
        let image = |program, changes| {
            Image::new(program, options.limits.panics).with_common(&common).with_changes(changes)
        };
        let old = image(&self.loaded.old.program, &self.old);
        let new = image(&self.loaded.new.program, &self.new);
        let functions: &FunctionPair = call.functions;
        let found = localize::dependence(&old, &new, functions, &options, call.arguments).ok()?;
        let agrees =
            |engine: &Option<_>, native| engine.as_ref().is_some_and(|engine| same_outcome(engine, native));
        let agree = agrees(&found.old, call.old) && agrees(&found.new, call.new);
        // Without a change that no difference depends on, something else may come out differently.
        let changes = if found.of_all_outputs.len() <= most { found.of_all_outputs } else { found.changes };
        agree.then(|| changes.into_iter().map(Idx::index).collect())
    }
}

/// Statements and terminators but jumps: those only say where what is there goes on.
fn all_positions(body: &Body) -> Vec<Position> {
    let mut positions = Vec::new();
    for block in body.blocks.ids() {
        let content = &body.blocks[block];
        positions.extend((0..content.statements.len()).map(|index| (block, index)));
        if !matches!(content.terminator.kind, TerminatorKind::Goto(_)) {
            positions.push((block, content.statements.len()));
        }
    }
    positions
}

fn span_at(body: &Body, (block, index): Position) -> Option<Span> {
    let content = &body.blocks[block];
    content.statements.get(index).map_or(content.terminator.span, |statement| statement.span)
}

fn hunks_within(change: &Change, version: Version, file: &Utf8PathBuf, span: Span) -> BTreeSet<usize> {
    let lines: RangeInclusive<u32> = span.line_start..=span.line_end;
    change.at(version, file, &lines).collect()
}
