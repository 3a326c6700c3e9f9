//! Changes that a difference may take: which statements they are, and on which of them a call depends.

use std::collections::BTreeSet;

use camino::Utf8Path;
use regress_core::align::{Alignment, functions_reached};
use regress_core::exec::{ChangeId, Changes};
use regress_core::explore::Options;
use regress_core::idx::Idx;
use regress_core::ir::{AdapterKind, Body, FnBody, FnId, Position, Program, Span};
use regress_core::verdict::Version;

use crate::pipeline::load::Loaded;
use crate::pipeline::mixtures::Change;
use crate::pipeline::suspects::{Asked, DifferingCall, OF_WITNESS, positions, span_at};

/// The hunks of a change, and the statements of both versions that belong to each.
pub(super) struct Map<'m> {
    loaded: &'m Loaded,
    alignment: &'m Alignment,
    old: Side,
    new: Side,
}

/// What there is of the change in one version.
#[derive(Default)]
struct Side {
    changes: Changes,
    /// By function, which hunks lie in it or in its counterpart. Those that no statement of either version belongs to (comments) are left out.
    functions: Vec<(FnId, BTreeSet<usize>)>,
}

impl<'m> Map<'m> {
    /// `inside` is where both versions' sources lie in their trees.
    pub fn new(
        loaded: &'m Loaded,
        alignment: &'m Alignment,
        change: &Change,
        inside: [&Utf8Path; 2],
    ) -> Map<'m> {
        let mut map = Map { loaded, alignment, old: Side::default(), new: Side::default() };
        let hunks_of = |version, span: Span| {
            let (program, base) = match version {
                Version::Old => (&loaded.old.program, inside[0]),
                Version::New => (&loaded.new.program, inside[1]),
            };
            let lines = span.line_start..=span.line_end;
            change
                .at(version, &base.join(&program.files[span.file].path), &lines)
                .collect::<BTreeSet<usize>>()
        };
        let mut of_statements: BTreeSet<usize> = BTreeSet::new();
        for version in [Version::Old, Version::New] {
            let (own, other) = map.programs(version);
            let in_sources = own.functions.ids().filter(|id| !own.adapters.contains_key(id));
            for id in in_sources {
                let (FnBody::Present(body), Some(span)) = (&own.functions[id].body, own.functions[id].span)
                else {
                    continue;
                };
                let counterpart = map.counterpart(version, id);
                let there = counterpart.and_then(|id| other.functions[id].span);
                let here = hunks_of(version, span);
                let there = there.map(|span| hunks_of(version.other(), span)).unwrap_or_default();
                if here.is_empty() && there.is_empty() {
                    continue;
                }
                let gone: BTreeSet<usize> = there.difference(&here).copied().collect();
                for position in map.changed_positions(version, id, counterpart, body) {
                    let at = span_at(body, position).map(|span| hunks_of(version, span)).unwrap_or_default();
                    // What changed for the sake of lines that only the other version has belongs to these.
                    let at = if at.is_empty() { &gone } else { &at };
                    map.side(version).add(id, position, at);
                    of_statements.extend(at);
                }
                map.side(version).functions.push((id, here.union(&there).copied().collect()));
            }
        }
        for version in [Version::Old, Version::New] {
            let (own, _) = map.programs(version);
            for (_, hunks) in &mut map.side(version).functions {
                hunks.retain(|hunk| of_statements.contains(hunk));
            }
            // A statement on a changed line belongs to the change, even if the other version has one like it: there it may be reached otherwise.
            for (id, hunks) in map.side(version).functions.clone() {
                let FnBody::Present(body) = &own.functions[id].body else { continue };
                for position in positions(body) {
                    let Some(span) = span_at(body, position) else { continue };
                    let begins = Span { line_end: span.line_start, ..span };
                    let at = hunks_of(version, begins).intersection(&hunks).copied().collect();
                    map.side(version).add(id, position, &at);
                }
            }
        }
        map
    }

    /// The version's program, and the other one's.
    fn programs(&self, version: Version) -> (&'m Program, &'m Program) {
        match version {
            Version::Old => (&self.loaded.old.program, &self.loaded.new.program),
            Version::New => (&self.loaded.new.program, &self.loaded.old.program),
        }
    }

    /// The function of the other version's sources that it is paired with, maybe by adapters.
    fn counterpart(&self, version: Version, id: FnId) -> Option<FnId> {
        let (own, other) = self.programs(version);
        let adapter = own
            .adapters
            .iter()
            .find(|(_, adapter)| adapter.kind == AdapterKind::Signature && adapter.function == id);
        let paired = adapter.map_or(id, |(adapter, _)| *adapter);
        let counterpart = match version {
            Version::Old => self.alignment.to_new(paired),
            Version::New => self.alignment.to_old(paired),
        };
        counterpart.map(|id| other.in_sources(id))
    }

    fn side(&mut self, version: Version) -> &mut Side {
        match version {
            Version::Old => &mut self.old,
            Version::New => &mut self.new,
        }
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
            None => positions(body).collect(),
        }
    }

    /// The hunks in functions that a call may come to run.
    pub fn reached(&self, (old, new): (FnId, FnId)) -> BTreeSet<usize> {
        let of = |program, start, side: &Side| -> BTreeSet<usize> {
            let reached = functions_reached(program, &[start]).pop().unwrap_or_default();
            let within = side.functions.iter().filter(|(id, _)| reached.contains(id));
            within.flat_map(|(_, hunks)| hunks.iter().copied()).collect()
        };
        let mut reached = of(&self.loaded.old.program, old, &self.old);
        reached.extend(of(&self.loaded.new.program, new, &self.new));
        reached
    }

    /// The hunks that the outputs of a call depend on; if these are more than `most`, those that what differs depends on. None if the engine does
    /// not see the call end as it does natively.
    pub fn behind(&self, call: DifferingCall<'_>, options: Options, most: usize) -> Option<BTreeSet<usize>> {
        let options = call.options(options, OF_WITNESS);
        let asked = Asked { loaded: self.loaded, alignment: self.alignment, call, options };
        let found = asked.dependence([&self.old.changes, &self.new.changes])?;
        // Without a change that no difference depends on, something else may come out differently.
        let changes = if found.of_all_outputs.len() <= most { found.of_all_outputs } else { found.changes };
        Some(changes.into_iter().map(Idx::index).collect())
    }
}

impl Side {
    fn add(&mut self, function: FnId, position: Position, hunks: &BTreeSet<usize>) {
        hunks.iter().for_each(|hunk| self.changes.add(function, position, ChangeId::from_usize(*hunk)));
    }
}
