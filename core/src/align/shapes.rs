//! Enums of which some variants hold types with nothing in common.
//!
//! *Idea.* An error type that wraps another one has values without it. Where the inner type has no values in both versions, the variants that hold it have none, and
//! the others have theirs.
//!
//! *Definition.* A type is *unlike* if the versions have no values of it in common: it is reshaped, a struct with a field of an unlike type that both
//! versions have, or an enum all of whose common variants have one. Of all other enums a variant with such a field is in part common: as an input it is not given,
//! and of a result the field is not compared.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::Differing;
use super::uses::Items;
use crate::ir::*;

/// Takes what is of unlike types out of the shapes of enums; an enum that both versions define alike has one from then on.
pub(super) fn leave_out_unlike(
    (old, in_old): (&Items<'_>, &Differing),
    (new, in_new): (&Items<'_>, &Differing),
    common: &mut CommonShapes,
) {
    let reshaped = |items: &Items<'_>, differing: &Differing| {
        differing.reshaped.iter().map(|id| items.program.adts[*id].path.clone()).collect::<Vec<Path>>()
    };
    let mut unlike: HashSet<Path> = reshaped(old, in_old).into_iter().chain(reshaped(new, in_new)).collect();
    if unlike.is_empty() {
        return;
    }
    let types: BTreeMap<&Path, AdtId> = (new.program.adts.iter_enumerated())
        .filter(|(_, adt)| old.adts_at(&adt.path).len() == 1 && new.adts_at(&adt.path).len() == 1)
        .map(|(id, adt)| (&adt.path, id))
        .collect();
    loop {
        let before = unlike.len();
        let mut shapes = Vec::new();
        for (path, id) in &types {
            if unlike.contains(*path) {
                continue;
            }
            let adt = &new.program.adts[*id];
            let shape = common.of(path).cloned().unwrap_or_else(|| whole(adt));
            let narrowed = narrowed(new, *id, &shape, &unlike);
            let is_left = |variant: &CommonVariant| variant.extent == Extent::Whole;
            match adt.kind {
                _ if narrowed == shape => {}
                AdtKind::Enum if narrowed.variants.iter().any(is_left) => {
                    shapes.push(((*path).clone(), narrowed));
                }
                AdtKind::Enum | AdtKind::Struct | AdtKind::Union => {
                    unlike.insert((*path).clone());
                }
            }
        }
        if unlike.len() == before {
            // Only now is it known what all of them leave out.
            shapes.into_iter().for_each(|(path, shape)| common.insert(path, shape));
            return;
        }
    }
}

/// Of a type that is the same in both versions.
fn whole(adt: &Adt) -> CommonShape {
    let variants = adt.variants.iter().enumerate().map(|(index, variant)| CommonVariant {
        old: index,
        new: index,
        name: (adt.kind == AdtKind::Enum).then(|| variant.name.clone()),
        fields: variant.fields.iter().map(|field| field.name.clone()).collect(),
        extent: Extent::Whole,
    });
    CommonShape { variants: variants.collect() }
}

/// The shape without fields of unlike types.
fn narrowed(new: &Items<'_>, id: AdtId, shape: &CommonShape, unlike: &HashSet<Path>) -> CommonShape {
    let is_unlike = |variant: usize, name: &Name| {
        let types: BTreeSet<AdtId> =
            new.adts_of_fields(id, |index, field| index == variant && field.name == *name);
        types.iter().any(|ty| unlike.contains(&new.program.adts[*ty].path))
    };
    let variants = shape.variants.iter().map(|variant| {
        let fields: Vec<Name> =
            variant.fields.iter().filter(|name| !is_unlike(variant.new, name)).cloned().collect();
        let extent = match variant.extent {
            Extent::Whole if fields.len() < variant.fields.len() => Extent::Part,
            extent => extent,
        };
        CommonVariant { fields, extent, ..variant.clone() }
    });
    CommonShape { variants: variants.collect() }
}
