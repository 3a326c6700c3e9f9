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
//! That a function panics on no new input ([`crate::difference::no_new_panic`]) holds under the same conditions, and if it does not run itself: it is not equal, so its own calls are
//! not to be taken for alike. So does that it does the same on some inputs ([`crate::difference::affected_when`]).
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

    /// Which changed and affected functions of the new version hold jointly by those that are `aligned`. Of the others, which end as their bodies say where what
    /// they run is the same: without new panics, or alike on some inputs.
    pub fn hold_jointly(
        &self,
        old: &Program,
        new: &Program,
        aligned: &BTreeMap<FnId, UpTo>,
        [without_new_panics, alike_on_some]: [&BTreeMap<FnId, UpTo>; 2],
    ) -> Holding {
        if aligned.is_empty() && without_new_panics.is_empty() && alike_on_some.is_empty() {
            return Holding::default();
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
        let mut members: BTreeSet<FnId> = aligned.keys().copied().collect();
        let mut known = Known::default();
        loop {
            let rest = Rest { open: sides.still_differing(&members), members: &members, aligned };
            let failing: Vec<FnId> =
                members.iter().copied().filter(|id| known.fails(&sides, &rest, *id)).collect();
            if failing.is_empty() {
                break;
            }
            failing.iter().for_each(|id| {
                members.remove(id);
            });
        }
        let rest = Rest { open: sides.still_differing(&members), members: &members, aligned };
        let pairs = self.pairs.iter().filter(|pair| pair.kind.is_compared());
        let pairs = pairs.filter_map(|pair| pair.new.filter(|_| pair.old.is_some()));
        let pairs = pairs.filter(|id| self.results(*id) == ResultTypes::Same);
        let holding: Vec<FnId> = pairs.filter(|id| !known.fails(&sides, &rest, *id)).collect();
        let equal = holding.iter().map(|id| (*id, known.reached_members(&members, *id))).collect();
        // Each by itself: what it returns is not the same, so nothing that it runs may run it.
        let mut each_alone = |bodies: &BTreeMap<FnId, UpTo>| -> BTreeMap<FnId, Vec<FnId>> {
            let mut found = BTreeMap::new();
            for (id, up_to) in bodies.iter().filter(|(id, _)| !holding.contains(id)) {
                let with_itself: BTreeSet<FnId> = members.iter().copied().chain([*id]).collect();
                let mut all = aligned.clone();
                all.insert(*id, *up_to);
                let open = sides.still_differing(&with_itself);
                let rest = Rest { open, members: &with_itself, aligned: &all };
                if !known.fails(&sides, &rest, *id) && !sides.may_run_itself(*id) {
                    found.insert(*id, known.reached_members(&members, *id));
                }
            }
            found
        };
        let (no_new_panics, alike_on_some) = (each_alone(without_new_panics), each_alone(alike_on_some));
        Holding { equal, no_new_panics, alike_on_some }
    }
}

/// What follows from what is known of bodies, each function with the aligned ones that it rests on.
#[derive(Clone, Debug, Default)]
pub struct Holding {
    /// Functions that are equal.
    pub equal: BTreeMap<FnId, Vec<FnId>>,
    /// Functions that panic on no input on which they did not before.
    pub no_new_panics: BTreeMap<FnId, Vec<FnId>>,
    /// Functions that do the same on the inputs that their bodies say.
    pub alike_on_some: BTreeMap<FnId, Vec<FnId>>,
}

/// What is taken to be the same, and what is not.
struct Rest<'r> {
    open: [FixedBitSet; 2],
    members: &'r BTreeSet<FnId>,
    aligned: &'r BTreeMap<FnId, UpTo>,
}

/// What was found out of functions of the new version.
#[derive(Default)]
struct Known {
    reached: HashMap<FnId, Option<[FixedBitSet; 2]>>,
    asking: HashMap<(FnId, Asked), bool>,
}

impl Known {
    /// Whether something differs of what the function may run, or somebody may ask for what its proof leaves open.
    fn fails(&mut self, sides: &Sides<'_, '_>, rest: &Rest<'_>, id: FnId) -> bool {
        let reached = self.reached.entry(id).or_insert_with(|| sides.reached(id));
        let Some(reached) = reached.as_ref() else { return true };
        let [in_old, in_new] = reached;
        if !in_old.is_disjoint(&rest.open[0]) || !in_new.is_disjoint(&rest.open[1]) {
            return true;
        }
        // Nobody who is given one NaN for another may ask which it is, and what is handed references in one call after the other may not keep where they lead.
        let asking = &mut self.asking;
        let mut asks = |what| *asking.entry((id, what)).or_insert_with(|| sides.asks(what, id, reached));
        let is_up_to_nan =
            |id: &FnId| rest.aligned[id].floats == Floats::UpToNan && in_new.contains(id.index());
        let is_untold = rest.aligned.get(&id).is_some_and(|up_to| up_to.addresses == Addresses::Untold);
        rest.members.iter().any(is_up_to_nan) && asks(Asked::WhichNan) || is_untold && asks(Asked::Addresses)
    }

    /// The members, but itself, that a function may run.
    fn reached_members(&self, members: &BTreeSet<FnId>, id: FnId) -> Vec<FnId> {
        let reached = self.reached.get(&id).and_then(Option::as_ref);
        let is_reached = |other: &FnId| reached.is_some_and(|[_, in_new]| in_new.contains(other.index()));
        members.iter().copied().filter(|other| *other != id && is_reached(other)).collect()
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

    /// Whether one version of a function may come to run itself.
    fn may_run_itself(&self, new: FnId) -> bool {
        let Some(old) = self.alignment.to_old(new) else { return true };
        runs_itself(self.old, &self.in_old, old) || runs_itself(self.new, &self.in_new, new)
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

/// More functions are not looked through for one that leads back.
const MOST_LOOKED_THROUGH: usize = 2_000;

/// Whether the function, or something that it may run, may run it.
fn runs_itself(program: &Program, reach: &Reach<'_, '_>, id: FnId) -> bool {
    let function = &program.functions[id];
    let name = function.path.last();
    // Calls by a trait lead to whatever implements it, and a drop has no name at all.
    let is_by_trait = matches!(function.owner, Owner::TraitImpl(_) | Owner::Trait(_));
    let mentions = |path: &Path| {
        *path == function.path || is_by_trait && path.as_str().rsplit("::").next() == Some(name)
    };
    if is_by_trait && name == "drop" || reach.named_by(id).any(mentions) {
        return true;
    }
    let Ok(reached) = reach.functions_if_same(id) else { return true };
    let others = reached.ones().map(FnId::from_usize).filter(|other| *other != id);
    // The library knows the crate's functions by traits and by what it is given.
    let may_lead_back = |other: &FnId| is_by_trait || program.functions[*other].origin != Origin::StdModel;
    let others: Vec<FnId> = others.filter(may_lead_back).collect();
    let leads_back =
        |other: FnId| reach.functions_if_same(other).map_or(true, |reached| reached.contains(id.index()));
    others.len() > MOST_LOOKED_THROUGH || others.into_iter().any(leads_back)
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
