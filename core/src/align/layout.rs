//! What of a type's definition is seen without naming its parts: how large it is, where its fields lie, what is run when a value is dropped.
//!
//! *Idea.* Code that only moves values, lends them and hands them on does the same whatever the values consist of. So a type whose definition differs
//! makes those functions differ that reach a body which depends on the definition: by naming fields, variants or discriminants
//! ([`super::uses::Uses::shaped`]), by asking for the layout or relying on it (this module), or by dropping a value ([`differing_glue`]).
//!
//! *Definition.* A body relies on the layout of a type if it casts or transmutes pointers to it, does arithmetic on them, reads a union that it
//! is in, hands it to code of other languages, or calls what [`sees_layout`] of it. For a closed type that is a dependence on the type and all that its fields name. For a parameter, a
//! `dyn` type or what is not known it is one on every type that is in play ([`Layout::OfAllInPlay`]).
//!
//! The *drop glue* of a type is the same if for each variant that both versions have the fields whose drop may run code are of the same types in the same order. A
//! value of a variant that one version lacks can be made only by a body that differs.
//!
//! *Limits.* Memory is taken to suffice: that a stack or a heap is exhausted sooner is not a difference.

use std::collections::HashSet;

use super::outside::names_library_only;
use super::uses::{Items, is_drop, last_segment};
use crate::ir::*;
use crate::observable::looks::{self, Defined, Sees};

/// Whose layout something depends on, besides that of closed types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Layout {
    #[default]
    OfNamed,
    /// That of whatever a parameter stands for, or of what is not known.
    OfAllInPlay,
}

/// Last names of items of the library that show sizes, discriminants or whether there is something to drop; those of allocations do by when they fail.
const ASKS: &[&str] = &[
    "discriminant",
    "discriminant_value",
    "from_elem",
    "needs_drop",
    "repeat",
    "reserve",
    "reserve_exact",
    "resize",
    "resize_with",
    "try_reserve",
    "try_reserve_exact",
    "variant_count",
    "with_capacity",
];

/// Whether what the path names may do other things for a type of another layout. Nothing that has not been judged is taken not to.
pub(super) fn sees_layout(path: &Path) -> bool {
    let last = last_segment(path);
    ASKS.contains(&last)
        || last.contains("size_of")
        || last.contains("align_of")
        || path.as_str().contains("ptr::")
        || !names_library_only(path)
        || looks::library_item(path, Defined::Nowhere) == Sees::Memory
}

/// Standard types that do nothing when they are dropped but drop what they hold.
const HOLDERS: &[&str] = &[
    "std::boxed::Box",
    "std::marker::PhantomData",
    "std::ops::Range",
    "std::ops::RangeInclusive",
    "std::option::Option",
    "std::result::Result",
    "std::string::String",
    "std::vec::Vec",
];

/// Whether dropping values of a type runs the same in both versions, as far as fields go; whether a type implements `Drop` is compared elsewhere.
pub(super) fn same_glue(old: (&Items<'_>, AdtId), new: (&Items<'_>, AdtId)) -> bool {
    let (old_adt, new_adt) = (&old.0.program.adts[old.1], &new.0.program.adts[new.1]);
    if old_adt.kind != new_adt.kind || old_adt.kind == AdtKind::Union || old_adt.generics != new_adt.generics
    {
        return false;
    }
    let is_enum = new_adt.kind == AdtKind::Enum;
    new_adt.variants.iter().all(|variant| {
        let other = old_adt.variants.iter().find(|other| !is_enum || other.name == variant.name);
        let Some(other) = other else { return true };
        running_fields(old.0, other).eq(running_fields(new.0, variant))
    })
}

/// Whether dropping a value of the type may run code.
pub(super) fn runs_when_dropped(items: &Items<'_>, id: AdtId) -> bool {
    let mut seen = HashSet::from([id]);
    adt_runs(items, id, &mut seen)
}

/// The types of the fields whose drop may run code, in the order in which they are dropped.
fn running_fields<'p>(items: &'p Items<'_>, variant: &'p Variant) -> impl Iterator<Item = &'p Ty> {
    variant.fields.iter().map(|field| &field.ty).filter(|ty| ty_runs(items, ty, &mut HashSet::new()))
}

fn adt_runs(items: &Items<'_>, id: AdtId, seen: &mut HashSet<AdtId>) -> bool {
    let program = items.program;
    let has_drop = |item: &ImplId| is_drop(&program.impls[*item].trait_ref.path);
    let fields = program.adts[id].variants.iter().flat_map(|variant| &variant.fields);
    items.impls_of_adt(id).iter().any(has_drop)
        || fields.into_iter().any(|field| ty_runs(items, &field.ty, seen))
}

fn ty_runs(items: &Items<'_>, ty: &Ty, seen: &mut HashSet<AdtId>) -> bool {
    let any_of_args = |args: &[GenericArg], seen: &mut HashSet<AdtId>| {
        args.iter().any(|arg| match arg {
            GenericArg::Ty(ty) => ty_runs(items, ty, seen),
            GenericArg::Const(_) => false,
        })
    };
    match ty.kind() {
        TyKind::Adt(path, args) if HOLDERS.contains(&path.as_str()) => any_of_args(args, seen),
        TyKind::Adt(path, args) => {
            let adts = items.adts_at(path);
            path.is_of_std()
                || adts.is_empty()
                || adts.iter().any(|id| seen.insert(*id) && adt_runs(items, *id, seen))
                || any_of_args(args, seen)
        }
        TyKind::Tuple(tys) => tys.iter().any(|ty| ty_runs(items, ty, seen)),
        TyKind::Array(ty, _) | TyKind::Slice(ty) => ty_runs(items, ty, seen),
        TyKind::Ref(..)
        | TyKind::RawPtr(..)
        | TyKind::FnPtr { .. }
        | TyKind::FnDef(_)
        | TyKind::Bool
        | TyKind::Char
        | TyKind::Int(_)
        | TyKind::Float(_)
        | TyKind::Str
        | TyKind::Never => false,
        TyKind::Closure(..)
        | TyKind::Projection { .. }
        | TyKind::Dyn(_)
        | TyKind::Param(_)
        | TyKind::Unsupported(_) => true,
    }
}
