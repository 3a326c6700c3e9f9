//! Whether all values of a type there can be come from its makers.
//!
//! *Definition.* A type is closed under its makers if all its fields are private, nothing in them can be written through
//! a shared reference, what is cloned is cloned field by field, the makers give such values in no other way (as an `Err` that hands back what was refused), and, outside of these functions and of its `Clone`, no function of the crate puts a value of it
//! together, writes into one, holds a `&mut` or raw pointer to one, or makes one of other bits. Other crates cannot do any of this to private fields without undefined behaviour.
//!
//! What is not understood counts as a way to make a value: a state that is wrongly taken for impossible would hide a
//! difference, one that is wrongly taken for possible costs a note.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use super::instantiate::{Used, used_items};
use crate::exec::resolve::implements;
use crate::exec::{Maker, Makers};
use crate::ir::{
    AdtKind, AggregateKind, Body, Callee, CastKind, FnBody, FnId, FnRef, Function, FunctionKind, GenericArg,
    KnownTrait, KnownType, Mutability, Origin, Owner, Path, Place, Program, Projection, Rvalue,
    StatementKind, TerminatorKind, TraitRef, Ty, TyKind, Visibility,
};

/// Whether both versions make values of the type by its makers only. Of a generic type that is not known.
pub fn only_made(old: &Program, new: &Program, makers: &Makers, ty: &Path) -> bool {
    // Of steps only so many are tried in a row, which are not all values that there can be.
    let made = makers.without_steps(&Ty::adt(ty.as_str(), Vec::new()));
    // What a function with parameters of its own makes for other types is not looked at.
    let of =
        |id: fn(&Maker) -> FnId| made.iter().filter(|maker| !maker.is_chosen).map(id).collect::<Vec<_>>();
    !made.is_empty()
        && is_closed(old, ty, &of(|maker| maker.old))
        && is_closed(new, ty, &of(|maker| maker.new))
}

fn is_closed(program: &Program, ty: &Path, makers: &[FnId]) -> bool {
    let all_private = program.adt(ty).is_some_and(|adt| {
        let mut fields = adt.variants.iter().flat_map(|variant| &variant.fields);
        fields.all(|field| field.visibility == Visibility::Private)
    });
    all_private
        && makers.iter().all(|maker| gives_nothing_else(program, &program.functions[*maker], ty))
        && is_plain(program, ty)
        && !program.is_ambiguous_adt(ty)
        && !in_a_union(program, ty)
        && program.functions.iter_enumerated().all(|(id, function)| {
            function.origin != Origin::Subject
                || is_allowed(program, id, ty, makers)
                || makes_none(program, function, ty)
        })
}

/// Whether the maker gives values of the type only as what it makes.
fn gives_nothing_else(program: &Program, maker: &Function, ty: &Path) -> bool {
    let TyKind::Adt(path, args) = maker.output.kind() else { return true };
    path != KnownType::Result
        || args.iter().skip(1).all(|arg| !matches!(arg, GenericArg::Ty(error) if may_be(program, error, ty)))
}

/// Whether a clone of such a value is made of clones of its fields, if there are any clones.
fn is_cloned_by_parts(program: &Program, path: &Path, ty: &Ty) -> bool {
    let of_clone = TraitRef { self_ty: ty.clone(), path: KnownTrait::Clone.into(), args: Vec::new() };
    program.adt_id(path).is_some_and(|id| program.declared.cloned_by_parts.contains(&id))
        || implements(program, &of_clone) == Some(false)
}

/// Whether values of the type are made of what only their owner can change, no cells, locks or pointers, and cloned as they are.
fn is_plain(program: &Program, ty: &Path) -> bool {
    let mut open = vec![Ty::adt(ty.as_str(), Vec::new())];
    let mut seen: Vec<Ty> = Vec::new();
    while let Some(ty) = open.pop() {
        if seen.contains(&ty) {
            continue;
        }
        seen.push(ty.clone());
        match ty.kind() {
            TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Float(_) | TyKind::Str => {}
            TyKind::Tuple(tys) => open.extend(tys.iter().cloned()),
            TyKind::Array(elem, _) | TyKind::Slice(elem) | TyKind::Ref(Mutability::Shared, elem) => {
                open.push(elem.clone());
            }
            TyKind::Adt(path, args) => {
                open.extend(args.iter().filter_map(|arg| match arg {
                    GenericArg::Ty(ty) => Some(ty.clone()),
                    GenericArg::Const(_) => None,
                }));
                match program.adt(path) {
                    _ if path.known_type().is_some_and(|ty| PLAIN.contains(&ty)) => {}
                    Some(adt) if !path.is_of_std() && is_cloned_by_parts(program, path, &ty) => {
                        open.extend((0..adt.variants.len()).flat_map(|index| adt.field_types(index, args)));
                    }
                    _ => return false,
                }
            }
            _ => return false,
        }
    }
    true
}

/// Types of the standard library that own what they hold.
const PLAIN: [KnownType; 8] = [
    KnownType::Option,
    KnownType::Result,
    KnownType::Box,
    KnownType::Vec,
    KnownType::String,
    KnownType::PhantomData,
    KnownType::Ordering,
    KnownType::Duration,
];

/// Makers, what stands within them, and the clone of a value that there is.
fn is_allowed(program: &Program, id: FnId, ty: &Path, makers: &[FnId]) -> bool {
    let function = &program.functions[id];
    match &function.owner {
        _ if makers.contains(&id) => true,
        // Who uses a constructor as a function is looked at instead.
        _ if function.kind == FunctionKind::Constructor => true,
        Owner::Within(parent) => is_allowed(program, *parent, ty, makers),
        Owner::TraitImpl(id) => {
            let trait_ref = &program.impls[*id].trait_ref;
            trait_ref.path == KnownTrait::Clone && is(&trait_ref.self_ty, ty)
        }
        _ => false,
    }
}

fn is(of: &Ty, ty: &Path) -> bool {
    matches!(of.kind(), TyKind::Adt(path, _) if path == ty)
}

/// Whether bits of something else can be read as a value of the type. `MaybeUninit` is read by functions of its own, which count
/// where they are called.
fn in_a_union(program: &Program, ty: &Path) -> bool {
    let unions = program.adts.iter().filter(|adt| adt.kind == AdtKind::Union && !is_of_std(&adt.path));
    let mut fields = unions.flat_map(|adt| adt.variants.iter().flat_map(|variant| &variant.fields));
    fields.any(|field| may_be(program, &field.ty, ty))
}

/// Whether the type is, holds or stands for the one asked for; a parameter and an object stand for any.
fn may_be(program: &Program, of: &Ty, ty: &Path) -> bool {
    let mut open = vec![of.clone()];
    let mut seen: BTreeSet<Ty> = BTreeSet::new();
    while let Some(next) = open.pop() {
        if !seen.insert(next.clone()) {
            continue;
        }
        let mut found = false;
        next.each_part(&mut |part| {
            found |= is(part, ty)
                || matches!(
                    part.kind(),
                    TyKind::Param(_) | TyKind::Projection { .. } | TyKind::Unsupported(_) | TyKind::Dyn(_)
                );
            if let TyKind::Adt(path, args) = part.kind()
                && !is_of_std(path)
                && let Some(adt) = program.adt(path)
            {
                open.extend((0..adt.variants.len()).flat_map(|index| adt.field_types(index, args)));
            }
        });
        if found {
            return true;
        }
    }
    false
}

/// Functions of the standard library that make values of bits that are something else.
const REINTERPRETING: [&str; 9] = [
    "align_to",
    "align_to_mut",
    "read",
    "read_unaligned",
    "read_volatile",
    "transmute",
    "transmute_copy",
    "uninitialized",
    "zeroed",
];

fn is_of_std(path: &Path) -> bool {
    path.is_of_std() || ["core::", "alloc::"].iter().any(|root| path.as_str().starts_with(root))
}

/// Whether the function is neither read here nor the standard library's: with a type that it is given or gives, it may make values of bits.
fn is_foreign(program: &Program, fn_ref: &FnRef) -> bool {
    let is_known = |path: &Path| {
        let own = program.functions_at(path);
        is_of_std(path)
            || (!own.is_empty() && own.iter().all(|id| program.functions[*id].origin == Origin::Subject))
    };
    match fn_ref {
        FnRef::Free { path, .. } | FnRef::Inherent { path, .. } => {
            // A constructor is looked at where it makes something.
            let is_type = path.as_str().rsplit_once("::").is_some_and(|(owner, _)| {
                program.adt(&Path::new(owner)).is_some() || program.adt(path).is_some()
            });
            !is_known(path) && !is_type
        }
        FnRef::Trait { trait_ref, .. } => {
            program.trait_(&trait_ref.path).is_none() && !is_of_std(&trait_ref.path)
        }
    }
}

fn is_given(fn_ref: &FnRef, ty: &Path) -> bool {
    match fn_ref {
        FnRef::Free { args, .. } | FnRef::Inherent { args, .. } => args.iter().any(|arg| mentions(arg, ty)),
        FnRef::Trait { trait_ref, .. } => mentions(&GenericArg::Ty(trait_ref.self_ty.clone()), ty),
    }
}

fn makes_none(program: &Program, function: &Function, ty: &Path) -> bool {
    let body = match &function.body {
        FnBody::Present(body) => body,
        FnBody::Missing => return true,
        FnBody::Unreadable { .. } => return false,
    };
    let reaches_in = body.locals.iter().any(|local| match local.ty.kind() {
        TyKind::Ref(Mutability::Mut, pointee) => is(pointee, ty),
        // Of whatever it is cast from; a slice, an array or a struct around the type will do.
        TyKind::RawPtr(_, pointee) => may_be(program, pointee, ty),
        _ => false,
    });
    let statement = |kind: &StatementKind| match kind {
        StatementKind::Assign(place, rvalue) => {
            writes_into(body, place, ty) || makes(program, body, rvalue, ty)
        }
        StatementKind::SetDiscriminant(place, _) => writes_into(body, place, ty),
        StatementKind::Nop => false,
    };
    let in_blocks = body.blocks.iter().any(|block| {
        block.statements.iter().any(|of| statement(&of.kind))
            || matches!(&block.terminator.kind, TerminatorKind::Call { destination, .. }
                if writes_into(body, destination, ty))
            || matches!(&block.terminator.kind, TerminatorKind::Call { callee: Callee::Fn(callee), destination, .. }
                if is_foreign(program, callee)
                    && mentions(&GenericArg::Ty(body.locals[destination.local].ty.clone()), ty))
    });
    let by_name = used_items(body).into_iter().any(|used| match used {
        Used::Fn(fn_ref) if is_foreign(program, fn_ref) && is_given(fn_ref, ty) => true,
        Used::Fn(FnRef::Free { path, args } | FnRef::Inherent { path, args, .. }) => {
            let name = path.last();
            let handles = path.begins_in_std(&["mem::", "ptr::", "intrinsics::"]);
            // In a generic function the type may stand behind a parameter.
            let reinterprets = (REINTERPRETING.contains(&name) || name.starts_with("assume_init"))
                && args.iter().any(|arg| matches!(arg, GenericArg::Ty(arg) if may_be(program, arg, ty)));
            *path == *ty || reinterprets || handles && args.iter().any(|arg| mentions(arg, ty))
        }
        Used::Fn(FnRef::Trait { .. }) | Used::Const(_) => false,
    });
    !(reaches_in || in_blocks || by_name)
}

fn makes(program: &Program, body: &Body, rvalue: &Rvalue, ty: &Path) -> bool {
    match rvalue {
        Rvalue::Aggregate(AggregateKind::Adt { ty: made, .. }, _) => is(made, ty),
        Rvalue::Cast(CastKind::Transmute, _, to) => may_be(program, to, ty),
        Rvalue::Ref(Mutability::Mut, place) | Rvalue::RawPtr(_, place) => writes_into(body, place, ty),
        _ => false,
    }
}

fn mentions(arg: &GenericArg, ty: &Path) -> bool {
    let GenericArg::Ty(arg) = arg else { return false };
    let mut found = false;
    arg.each_part(&mut |part| found |= is(part, ty));
    found
}

/// Whether the place lies within a value of the type.
fn writes_into(body: &Body, place: &Place, ty: &Path) -> bool {
    let mut current = Some(body.locals[place.local].ty.clone());
    for projection in &place.projection {
        current = match (projection, &current) {
            // A type that is not known might be the one.
            (Projection::Field(..), None) => return true,
            (Projection::Field(..), Some(of)) if is(of, ty) => return true,
            (Projection::Field(_, field), _) => field.clone(),
            (Projection::Deref, of) => of.as_ref().and_then(|of| of.pointee().cloned()),
            (Projection::Downcast(_) | Projection::Subslice { .. }, of) => of.clone(),
            (Projection::Index(_) | Projection::ConstantIndex { .. }, of) => {
                match of.as_ref().map(Ty::kind) {
                    Some(TyKind::Array(elem, _) | TyKind::Slice(elem)) => Some(elem.clone()),
                    _ => None,
                }
            }
        };
    }
    false
}
