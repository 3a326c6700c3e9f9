//! Functions that are equal because what differs of all that they may run is aligned ([`crate::difference`]).
//!
//! *Idea.* A product of two bodies takes it that calls of one function with equal arguments end alike. That is so of functions that are the same, and of all functions of
//! a set that are aligned with each other's help: whatever one of them does in so many steps the other does too, by induction over calls.
//!
//! *Definition.* Let `C` be functions whose bodies differ and are aligned. Functions hold jointly by `C` if nothing differs of all that they may run but functions that are in the
//! largest part of `C` of which the same is true, and such as only one version has. The latter are named by nothing that is the same in both versions; so what calls them has its body changed, and is
//! aligned only if their bodies, in the place of the calls, are.
//!
//! A function that is aligned up to which NaN a float is, and all that reach it, must not reach what asks which it is ([`super::told`]).
//! One that hands over references to equal values, in calls that follow each other, must not reach what asks where they lie.
//!
//! Bodies that are aligned make the same calls, with the same values, in the same order: so, unlike what was proved by exploration ([`super::congruence`]), there is nothing that a caller
//! may tell apart, be it memory, panics or effects.
//!
//! *Limits.* Conditions are on all that a function may reach, not on the calls that it makes.
//!
//! *Source.* B. Godlin, O. Strichman: Regression verification, DAC 2009, with its mutual assumption.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use fixedbitset::FixedBitSet;

use super::declarations::same_declaration;
use super::reach::Reach;
use super::told::{Addresses, Asked, Floats, UpTo, asks};
use super::uses::Items;
use super::{Alignment, Differing};
use crate::idx::Idx;
use crate::ir::canonical::{CanonicalSignature, Renames, root_of};
use crate::ir::*;
use crate::verdict::Version;

impl Alignment {
    /// Pairs of functions whose bodies differ, or that have a constant within that does, and nothing else that belongs to them.
    pub fn with_other_bodies(&self, old: &Program, new: &Program) -> Vec<(FnId, FnId)> {
        let differing = self
            .differing
            .new
            .functions
            .iter()
            .chain(self.differing.old.functions.iter().filter_map(|id| self.to_new.get(*id)?.as_ref()));
        let of_old = self.differing.old.functions.iter();
        let of_old = of_old.filter_map(|id| self.to_new(owner_of_constant(old, *id)?));
        let owners: BTreeSet<FnId> =
            differing.map(|id| owner_of_constant(new, *id).unwrap_or(*id)).chain(of_old).collect();
        let candidates = owners.into_iter().filter_map(|new_id| Some((self.to_old(new_id)?, new_id)));
        candidates.filter(|(old_id, new_id)| self.only_body_differs((old, *old_id), (new, *new_id))).collect()
    }

    fn only_body_differs(&self, (old, old_id): (&Program, FnId), (new, new_id): (&Program, FnId)) -> bool {
        let has_body = |program: &Program, id: FnId| {
            let function = &program.functions[id];
            matches!(function.body, FnBody::Present(_))
                && matches!(function.kind, FunctionKind::Fn | FunctionKind::Closure | FunctionKind::Const)
        };
        has_body(old, old_id)
            && has_body(new, new_id)
            && !self.differing.new.telling_places.contains(&new_id)
            && !self.differing.old.telling_places.contains(&old_id)
            && same_declaration(old, old_id, new, new_id)
            && CanonicalSignature::of(old, old_id, &self.renames)
                == CanonicalSignature::of(new, new_id, &Renames::default())
    }

    /// Whether the body of a function of this version can stand in the place of its calls: it does not matter where it is called from.
    pub fn is_anywhere(&self, version: Version, id: FnId) -> bool {
        !self.differing.of(version).telling_places.contains(&id)
    }

    /// Whether only this version has the function, so that nothing in the other one can name it.
    pub fn is_only_in(&self, version: Version, (old, new): (&Program, &Program), id: FnId) -> bool {
        match version {
            Version::Old => self.to_new(id).is_none() && is_unnamed_in(old, id, new),
            Version::New => self.to_old(id).is_none() && is_unnamed_in(new, id, old),
        }
    }

    /// Whether the function of this version, and all constants within, are the same in the other one.
    pub fn is_same(&self, version: Version, program: &Program, id: FnId) -> bool {
        let functions = &self.differing.of(version).functions;
        let is_constant = |within: &&FnId| owner_of_constant(program, **within).is_some();
        let mut constants = program.functions_within(id).iter().filter(is_constant);
        !functions.contains(&id) && constants.all(|id| !functions.contains(id))
    }

    /// Which changed and affected functions of the new version hold jointly by those that are `aligned`, each with those of them that it rests on.
    pub fn hold_jointly(
        &self,
        old: &Program,
        new: &Program,
        aligned: &BTreeMap<FnId, UpTo>,
    ) -> BTreeMap<FnId, Vec<FnId>> {
        if aligned.is_empty() {
            return BTreeMap::new();
        }
        let (old_items, new_items) = (Items::new(old), Items::new(new));
        let without_functions =
            |differing: &Differing| Differing { functions: HashSet::new(), ..differing.clone() };
        let (in_old, in_new) =
            (without_functions(&self.differing.old), without_functions(&self.differing.new));
        let sides = Sides {
            alignment: self,
            old,
            new,
            in_old: Reach::new(&old_items, &in_old),
            in_new: Reach::new(&new_items, &in_new),
        };
        let mut reached: HashMap<FnId, Option<[FixedBitSet; 2]>> = HashMap::new();
        let mut asking: HashMap<(FnId, Asked), bool> = HashMap::new();
        let mut members: BTreeSet<FnId> = aligned.keys().copied().collect();
        loop {
            let open = sides.still_differing(&members);
            let up_to_nan: Vec<FnId> =
                members.iter().copied().filter(|id| aligned[id].floats == Floats::UpToNan).collect();
            let untold =
                |id: &FnId| aligned.get(id).is_some_and(|up_to| up_to.addresses == Addresses::Untold);
            let mut fails = |id: &FnId, reached: &mut HashMap<FnId, Option<[FixedBitSet; 2]>>| {
                let reached = reached.entry(*id).or_insert_with(|| sides.reached(*id));
                let Some(reached) = reached.as_ref() else { return true };
                let [in_old, in_new] = reached;
                if !in_old.is_disjoint(&open[0]) || !in_new.is_disjoint(&open[1]) {
                    return true;
                }
                // Nobody who is given one NaN for another may ask which it is, and what is handed references in one call after the other may not keep where they lead.
                let mut asks =
                    |what| *asking.entry((*id, what)).or_insert_with(|| sides.asks(what, *id, reached));
                up_to_nan.iter().any(|id| in_new.contains(id.index())) && asks(Asked::WhichNan)
                    || untold(id) && asks(Asked::Addresses)
            };
            let failing: Vec<FnId> = members.iter().copied().filter(|id| fails(id, &mut reached)).collect();
            if failing.is_empty() {
                let pairs = self.pairs.iter().filter(|pair| pair.kind.is_compared());
                let pairs = pairs.filter_map(|pair| pair.new.filter(|_| pair.old.is_some()));
                let pairs = pairs.filter(|id| self.results(*id) == ResultTypes::Same);
                let holding: Vec<FnId> = pairs.filter(|id| !fails(id, &mut reached)).collect();
                let rests_on = |id: &FnId| {
                    let reached = reached[id].as_ref().map(|[_, in_new]| in_new);
                    let is_reached = |other: &FnId| reached.is_some_and(|set| set.contains(other.index()));
                    members.iter().copied().filter(|other| other != id && is_reached(other)).collect()
                };
                return holding.iter().map(|id| (*id, rests_on(id))).collect();
            }
            failing.iter().for_each(|id| {
                members.remove(id);
            });
        }
    }
}

/// Both versions, with what their functions reach if no function is said to differ.
struct Sides<'s, 'a> {
    alignment: &'s Alignment,
    old: &'s Program,
    new: &'s Program,
    in_old: Reach<'s, 'a>,
    in_new: Reach<'s, 'a>,
}

impl Sides<'_, '_> {
    /// The functions that a function of the new version, and its counterpart, may come to run; none if something else differs that they may use.
    fn reached(&self, new: FnId) -> Option<[FixedBitSet; 2]> {
        let old = self.alignment.to_old(new)?;
        Some([self.in_old.functions_if_same(old).ok()?, self.in_new.functions_if_same(new).ok()?])
    }

    /// Whether one version of a function, which reaches these, may ask.
    fn asks(&self, what: Asked, new: FnId, [in_old, in_new]: &[FixedBitSet; 2]) -> bool {
        let Some(old) = self.alignment.to_old(new) else { return true };
        asks(what, self.old, (&self.in_old, old), in_old) || asks(what, self.new, (&self.in_new, new), in_new)
    }

    /// What differs in each version and is not among the members.
    fn still_differing(&self, members: &BTreeSet<FnId>) -> [FixedBitSet; 2] {
        let alignment = self.alignment;
        let old_members: BTreeSet<FnId> = members.iter().filter_map(|id| alignment.to_old(*id)).collect();
        let of = |program: &Program,
                  differing: &Differing,
                  reach: &Reach<'_, '_>,
                  members: &BTreeSet<FnId>,
                  is_alone: &dyn Fn(FnId) -> bool| {
            let mut open = FixedBitSet::with_capacity(program.functions.len());
            let functions = differing.functions.iter().filter(|id| !reach.is_unused(**id));
            // Constants within a member were looked at where it uses them.
            // What only one version has is reached by what differs, where it was put in the place of its calls: there is no other way to come to it.
            let is_covered = |id: FnId| {
                is_alone(id)
                    || members.contains(&id)
                    || owner_of_constant(program, id).is_some_and(|owner| members.contains(&owner))
            };
            functions.filter(|id| !is_covered(**id)).for_each(|id| open.insert(id.index()));
            open
        };
        [
            of(self.old, &alignment.differing.old, &self.in_old, &old_members, &|id| {
                alignment.is_only_in(Version::Old, (self.old, self.new), id)
            }),
            of(self.new, &alignment.differing.new, &self.in_new, members, &|id| {
                alignment.is_only_in(Version::New, (self.old, self.new), id)
            }),
        ]
    }
}

/// Whether the other version has nothing by the name of the function, which is called by its name alone.
fn is_unnamed_in(program: &Program, id: FnId, other: &Program) -> bool {
    let function = &program.functions[id];
    let root = &program.functions[root_of(program, id)];
    let is_by_name = matches!(root.owner, Owner::Free | Owner::Inherent { .. });
    let is_run = |function: &Function| {
        !matches!(function.kind, FunctionKind::Static | FunctionKind::StaticMut | FunctionKind::Constructor)
    };
    // A closure is made where it is written and by nobody else.
    if function.kind == FunctionKind::Closure {
        return other.functions_at(&function.path).is_empty();
    }
    is_by_name
        && is_run(function)
        && is_run(root)
        && other.functions_at(&function.path).is_empty()
        && other.functions_at(&root.path).is_empty()
}

/// What a promoted or inline constant stands in; none for another function.
fn owner_of_constant(program: &Program, id: FnId) -> Option<FnId> {
    let function = &program.functions[id];
    let Owner::Within(owner) = function.owner else { return None };
    matches!(function.kind, FunctionKind::Promoted | FunctionKind::Const).then_some(owner)
}
