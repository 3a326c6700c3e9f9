//! Functions whose outcome has places in the source in it.
//!
//! `Location::caller()` gives the place of a call, in the nearest function that is not `#[track_caller]`. Places are in no body: a function that was
//! only moved is the same text. So where a call may be asked for its place, the places of the function's calls have to be the same.
//!
//! A call may be asked if it goes to `Location::caller`, or by name to a function with `#[track_caller]` while the program has something that asks.
//! What the standard library is told goes into messages of panics, which are no outcome. But a panic hook is told as well, and a backtrace has all places: what
//! names one of these is the same only if all places of the program are. A call that a macro made stands outside of its function's text; its
//! place is the macro's use, which is not known, so it is the same as no other. To a hook and to a backtrace it is the same if the function stands where it
//! stood, line by line, for there the use is.
//!
//! Limits: crates that are not read.

use std::collections::{BTreeSet, HashMap};

use super::matching::{Pairing, Parts, parts};
use super::uses::{Items, last_segment};
use crate::ir::canonical::root_of;
use crate::ir::{FnBody, FnId, ImplId, Name, Origin, Path, Program, Span, TerminatorKind, TraitImpl};

/// A place, with the name of its file.
type Place = (String, u32, u32);

/// Where a call is, as far as that is known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Whereabouts {
    place: Place,
    /// If it is a place in a macro: where the function stands in which the macro is used, and what its lines are.
    used: Option<(Place, Vec<u64>)>,
}

/// The functions of each version whose places are asked for and are not those of the other version.
pub(super) fn differing(
    old: &Items<'_>,
    new: &Items<'_>,
    pairing: &Pairing,
) -> (BTreeSet<FnId>, BTreeSet<FnId>) {
    let (old_side, new_side) = (Side::new(old), Side::new(new));
    let mut found = (BTreeSet::new(), BTreeSet::new());
    for id in new.program.functions.ids() {
        let other = pairing.to_old[id];
        let sensitive = new_side.is_asked(id) || other.is_some_and(|other| old_side.is_asked(other));
        if !sensitive {
            continue;
        }
        let places = (other.and_then(|other| old_side.places(other)), new_side.places(id));
        if let (Some(before), Some(after)) = &places
            && before == after
        {
            continue;
        }
        found.0.extend(other);
        found.1.insert(id);
    }
    let (old_lookers, new_lookers) = (old_side.lookers(), new_side.lookers());
    if !(old_lookers.is_empty() && new_lookers.is_empty()) {
        let (before, after) = (old_side.all_places(), new_side.all_places());
        if before.is_none() || before != after {
            found.0.extend(old_lookers);
            found.1.extend(new_lookers);
        }
    }
    found
}

/// The functions that tell others where they call them, or are told: which call is which matters to them.
pub(super) fn telling(items: &Items<'_>) -> BTreeSet<FnId> {
    let side = Side::new(items);
    side.naming_told
}

/// Whether this shows where the program panics or where it is, whatever it calls.
fn looks_around(path: &Path) -> bool {
    let text = path.as_str();
    let is_of_std = || text.contains("std::panic::") || text.contains("std::panicking::");
    (matches!(last_segment(path), "set_hook" | "update_hook" | "location") && is_of_std())
        || text.contains("Backtrace")
}

/// Paths that are looked for, and what of the program has one. Each path of it is looked at once, not with each function that names it.
struct Named<'h> {
    holds: &'h dyn Fn(&Path) -> bool,
    functions: BTreeSet<FnId>,
    /// Those with such a method.
    impls: BTreeSet<ImplId>,
}

impl<'h> Named<'h> {
    fn new(program: &Program, holds: &'h dyn Fn(&Path) -> bool) -> Named<'h> {
        let functions = program.functions.iter_enumerated().filter(|(_, function)| holds(&function.path));
        let functions: BTreeSet<FnId> = functions.map(|(id, _)| id).collect();
        let has_one = |item: &TraitImpl| item.methods.values().any(|id| functions.contains(id));
        let impls = program.impls.iter_enumerated().filter(|(_, item)| has_one(item));
        let impls = impls.map(|(id, _)| id).collect();
        Named { holds, functions, impls }
    }
}

struct Side<'s, 'a> {
    items: &'s Items<'a>,
    program: &'a Program,
    parts: Parts,
    /// Functions that name one that is told where it is called, by its last name.
    naming_told: BTreeSet<FnId>,
}

/// Whether this is `std::panic::Location::caller`, however it is spelled.
pub(super) fn asks(path: &Path) -> bool {
    let text = path.as_str();
    text.contains("Location") && last_segment(path) == "caller"
}

impl<'s, 'a> Side<'s, 'a> {
    fn new(items: &'s Items<'a>) -> Self {
        let program = items.program;
        let mut side = Side { items, program, parts: HashMap::new(), naming_told: BTreeSet::new() };
        let asked = Named::new(program, &asks);
        if program.functions.ids().any(|id| side.names(id, &asked)) {
            let mut told: BTreeSet<&str> = program.declared.told.iter().map(Name::as_str).collect();
            told.insert("caller");
            let is_told = |path: &Path| told.contains(last_segment(path));
            let told = Named::new(program, &is_told);
            side.naming_told = program.functions.ids().filter(|id| side.names(*id, &told)).collect();
            side.parts = parts(program);
        }
        side
    }

    /// Whether the function names one of these, or a call on a trait in it may mean such.
    fn names(&self, id: FnId, named: &Named<'_>) -> bool {
        if self.program.functions[id].origin == Origin::StdModel {
            return false;
        }
        let uses = self.items.uses_of_function(id);
        named.functions.iter().any(|id| uses.functions.contains(id))
            || named.impls.iter().any(|id| uses.is_possible(*id))
            || uses.unknown.iter().any(named.holds)
    }

    /// Functions that name what shows places of others.
    fn lookers(&self) -> Vec<FnId> {
        let named = Named::new(self.program, &looks_around);
        self.program.functions.ids().filter(|id| self.names(*id, &named)).collect()
    }

    /// Where anything is called, checked or dropped. None if that is not known of all.
    fn all_places(&self) -> Option<BTreeSet<Whereabouts>> {
        let mut found = BTreeSet::new();
        for (id, function) in self.program.functions.iter_enumerated() {
            let (false, FnBody::Present(body)) = (function.origin == Origin::StdModel, &function.body) else {
                continue;
            };
            let whole = self.program.functions[root_of(self.program, id)].span;
            for block in &body.blocks {
                if matches!(
                    block.terminator.kind,
                    TerminatorKind::Call { .. } | TerminatorKind::Assert { .. } | TerminatorKind::Drop { .. }
                ) {
                    found.insert(self.whereabouts(&block.terminator.span?, whole.as_ref())?);
                }
            }
        }
        Some(found)
    }

    /// Where this is, in a function that is there as a whole.
    fn whereabouts(&self, span: &Span, whole: Option<&Span>) -> Option<Whereabouts> {
        let (whole, place) = (whole?, self.place(span)?);
        if is_within(span, whole) {
            return Some(Whereabouts { place, used: None });
        }
        let lines = self.program.lines.get(&whole.file)?;
        let (first, last) = (whole.line_start.checked_sub(1)? as usize, whole.line_end as usize);
        Some(Whereabouts { place, used: Some((self.place(whole)?, lines.get(first..last)?.to_vec())) })
    }

    /// Whether the places of the function's calls can be in an outcome. A function that is told its caller's passes that on.
    fn is_asked(&self, id: FnId) -> bool {
        !self.program.declared.tracked.contains(&id) && self.naming_told.contains(&id)
    }

    /// Where the function stands, and where its calls and those of what is within it do. None if that is not known for all.
    fn places(&self, id: FnId) -> Option<Vec<Place>> {
        let root = root_of(self.program, id);
        let whole = self.program.functions[root].span?;
        let within: Vec<FnId> = match root == id {
            true => self.parts.get(&id).map_or(vec![id], |parts| parts.values().copied().collect()),
            false => vec![id],
        };
        let mut found = vec![self.place(&whole)?];
        // As a value, such a function is told where it stands itself.
        let named = within.iter().flat_map(|part| &self.items.uses_of_function(*part).functions);
        for tracked in named.filter(|id| self.program.declared.tracked.contains(id)) {
            found.push(self.place(&self.program.functions[*tracked].span?)?);
        }
        for part in within {
            let FnBody::Present(body) = &self.program.functions[part].body else { return None };
            for block in &body.blocks {
                if let TerminatorKind::Call { .. } = block.terminator.kind {
                    let span = block.terminator.span?;
                    if !is_within(&span, &whole) {
                        return None;
                    }
                    found.push(self.place(&span)?);
                }
            }
        }
        Some(found)
    }

    fn place(&self, span: &Span) -> Option<Place> {
        let file = self.program.files.get(span.file)?;
        Some((file.path.to_string(), span.line_start, span.col_start))
    }
}

fn is_within(inner: &Span, outer: &Span) -> bool {
    inner.file == outer.file
        && (outer.line_start, outer.col_start) <= (inner.line_start, inner.col_start)
        && (inner.line_end, inner.col_end) <= (outer.line_end, outer.col_end)
}
