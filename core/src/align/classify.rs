//! What a function of both versions is by its own bodies and signatures, and what it leads to in each.
//!
//! The two questions are asked one after the other: the first looks at both versions at once, the second at one version for all functions, so that
//! the versions are followed at the same time on two threads.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::matching::{self, Pairing, Parts};
use super::reach::Reach;
use super::uses::{Items, SignaturePart};
use super::{DifferentItem, Differing, adapters, is_reported};
use crate::ir::canonical::{CanonicalSignature, Renames};
use crate::ir::{AdtId, CommonShapes, FnId, ImplId, ResultTypes};
use crate::verdict::{ChangeKind, Version};

/// One version with what the comparison of bodies and signatures needs to know of it.
pub(super) struct Side<'s, 'a> {
    version: Version,
    items: &'s Items<'a>,
    differing: &'s Differing,
    common: &'s CommonShapes,
    parts: Parts,
}

impl<'s, 'a> Side<'s, 'a> {
    pub(super) fn new(
        version: Version,
        items: &'s Items<'a>,
        differing: &'s Differing,
        common: &'s CommonShapes,
    ) -> Self {
        let parts = matching::parts(items.program);
        Side { version, items, differing, common, parts }
    }

    /// Whether a type in this part of the signature has no values in common with that of the other version, or so has one in a field
    /// that both have.
    fn types_differ(&self, id: FnId, part: SignaturePart) -> bool {
        let uses = self.items.uses_of_signature_part(id, part);
        // One for a type that the other version has not is for none with which both can be called.
        let is_for_both = |id: ImplId| {
            let mut adts = self.items.adts_of_impl(id);
            adts.all(|adt| self.differing.common_adts.contains(&adt))
        };
        if uses.impls.iter().any(|id| self.differing.impls.contains(id) && is_for_both(*id)) {
            return true;
        }
        let mut seen: BTreeSet<AdtId> = BTreeSet::new();
        let mut open: Vec<AdtId> = uses.adts.into_iter().collect();
        while let Some(adt) = open.pop() {
            if self.differing.reshaped.contains(&adt) {
                return true;
            }
            if seen.insert(adt) {
                open.extend(self.adts_of_common_fields(adt));
            }
        }
        false
    }

    /// The types of the fields that are in both versions.
    fn adts_of_common_fields(&self, id: AdtId) -> BTreeSet<AdtId> {
        let shape = self.common.of(&self.items.program.adts[id].path);
        self.items.adts_of_fields(id, |variant, field| {
            shape.is_none_or(|shape| {
                let common = shape.variant_at(self.version, variant);
                common.is_some_and(|common| common.fields.contains(&field.name))
            })
        })
    }

    /// Whether the body of the function, or of something within it, is another.
    fn some_part_differs(&self, id: FnId) -> bool {
        self.parts
            .get(&id)
            .is_some_and(|parts| parts.values().any(|part| self.differing.functions.contains(part)))
    }
}

/// A function of both versions, as it is called in each.
pub(super) struct Compared {
    pub(super) itself: Itself,
    pub(super) old: FnId,
    pub(super) new: FnId,
}

/// What a matched pair is by its own bodies and signatures.
pub(super) enum Itself {
    OtherSignature,
    Changed(ResultTypes),
    Same(ResultTypes),
}

impl Itself {
    pub(super) fn results(&self) -> ResultTypes {
        match self {
            Itself::OtherSignature => ResultTypes::Same,
            Itself::Changed(results) | Itself::Same(results) => *results,
        }
    }

    /// What is to be found out besides, in each version.
    pub(super) fn asks(&self) -> Option<Asked> {
        match self {
            Itself::OtherSignature => None,
            Itself::Changed(_) => Some(Asked::OfValuesGiven),
            Itself::Same(_) => Some(Asked::OfAllReached),
        }
    }

    /// What the pair turned out to be, where it is known whether it may come to run something that differs.
    pub(super) fn kind(&self, leads_to_difference: bool) -> ChangeKind {
        match self {
            Itself::OtherSignature => ChangeKind::SignatureChanged,
            Itself::Changed(_) => ChangeKind::Changed,
            Itself::Same(_) if leads_to_difference => ChangeKind::Affected,
            Itself::Same(ResultTypes::Other) => ChangeKind::Changed,
            Itself::Same(ResultTypes::Same) => ChangeKind::Unchanged,
        }
    }
}

/// Which difference is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Asked {
    /// In what a caller may call on what the function gives.
    OfValuesGiven,
    /// There, and in what the function may come to run.
    OfAllReached,
}

/// What a function of one version leads to.
#[derive(Debug, Default)]
pub(super) struct LeadsTo {
    pub(super) different: Option<DifferentItem>,
    pub(super) gives_other_methods: bool,
}

/// Of each of the functions what it leads to.
pub(super) fn leads_to(
    items: &mut Items<'_>,
    differing: &Differing,
    starts: &BTreeMap<FnId, Asked>,
) -> HashMap<FnId, LeadsTo> {
    if differing.is_nothing() {
        return HashMap::new();
    }
    let reach = Reach::new(items, differing);
    let of_start = |(start, asked): (&FnId, &Asked)| {
        let different = match asked {
            Asked::OfValuesGiven => None,
            Asked::OfAllReached => reach.only_same(*start).err(),
        };
        // What is the same was asked for that as well.
        let is_open = different.is_some() || *asked == Asked::OfValuesGiven;
        let gives_other_methods = is_open && reach.difference_in_hidden(*start).is_some();
        (*start, LeadsTo { different, gives_other_methods })
    };
    starts.iter().map(of_start).collect()
}

/// The functions of the new version that the old one has as well, compared by themselves: through adapters where they are called in another way.
pub(super) fn compare_pairs(
    old: &Side<'_, '_>,
    new: &Side<'_, '_>,
    pairing: &Pairing,
) -> HashMap<FnId, Compared> {
    let (in_old, in_new) = (old.items.program, new.items.program);
    let (old_adapters, new_adapters) = (adapters::by_function(in_old), adapters::by_function(in_new));
    let compare = |old_id, new_id| {
        let itself = compare_itself(old, old_id, new, new_id, &pairing.renames);
        Compared { itself, old: old_id, new: new_id }
    };
    let compared = |new_id| {
        let old_id = pairing.to_old[new_id].filter(|id| is_reported(in_old, *id))?;
        let as_called = (old_adapters.get(&old_id), new_adapters.get(&new_id));
        let found = match compare(old_id, new_id) {
            Compared { itself: Itself::OtherSignature, .. } if as_called != (None, None) => {
                compare(*as_called.0.unwrap_or(&old_id), *as_called.1.unwrap_or(&new_id))
            }
            found => found,
        };
        Some((new_id, found))
    };
    in_new.functions.ids().filter(|id| is_reported(in_new, *id)).filter_map(compared).collect()
}

fn compare_itself(
    old: &Side<'_, '_>,
    old_id: FnId,
    new: &Side<'_, '_>,
    new_id: FnId,
    renames: &Renames,
) -> Itself {
    let old_signature = CanonicalSignature::of(old.items.program, old_id, renames);
    let new_signature = CanonicalSignature::of(new.items.program, new_id, &Renames::default());
    let differ = |part| old.types_differ(old_id, part) || new.types_differ(new_id, part);
    if !old_signature.takes_the_same(&new_signature) || differ(SignaturePart::Inputs) {
        return Itself::OtherSignature;
    }
    let results = match old_signature != new_signature || differ(SignaturePart::Output) {
        true => ResultTypes::Other,
        false => ResultTypes::Same,
    };
    match old.some_part_differs(old_id) || new.some_part_differs(new_id) {
        true => Itself::Changed(results),
        false => Itself::Same(results),
    }
}
