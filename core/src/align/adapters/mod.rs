//! Functions whose signature changed so that callers need not notice: they are called as before. [`inherited`] has methods that one version alone writes,
//! [`re_exports`] functions under public names that came to stand for other ones.
//!
//! *Idea.* Where `&Vec<T>` became `&[T]`, `u16` became `u32` or `T` became `impl Into<T>`, a call that was written for one version does in the other
//! what it did, or is easily brought to it. So the versions can be compared on the arguments that the narrower signature takes.
//!
//! *Definition.* An *adapter* is a function that takes what one version's function takes, converts each argument ([`ConversionStep`]) and
//! hands it to the other version's. It stands in the program of the latter and is compared in its place.
//! A conversion is there for each parameter of the narrower signature, or the functions are not compared. A parameter that the other version alone has, by its
//! name or at the end, is given what most callers there pass, if that can be written anywhere ([`Fixed`]), or the default of a type that is made for it (options).
//! Parameters of type that one version alone has (`impl Into<T>`) stand for the type that the other has in this place.
//!
//! *Limits.* What is proved equal is the function as callers of the narrower signature call it. Callers themselves are compared with the function that they call,
//! so an adapter says nothing of these. What is lent and has to be dropped is dropped after the call and not within it; if the result may refer to it there is no adapter.

mod conversions;
mod fixed;
mod inherited;
mod re_exports;
#[cfg(test)]
mod tests;
mod writing;

use std::cmp::Ordering;
use std::collections::HashMap;

use self::conversions::Search;
pub use self::re_exports::{Reassigned, compare_re_exports};
use self::writing::Writing;
use crate::ir::canonical::{CanonicalSignature, Renames};
use crate::ir::*;

/// Adds adapters for functions of one path that take other types, to the version which takes more; and for methods of implementations that one version alone
/// writes, to the one that has them from the trait.
pub fn add_adapters(old: &mut Program, new: &mut Program) {
    let mut to_old = Vec::new();
    let mut to_new = Vec::new();
    for (new_id, function) in new.functions.iter_enumerated() {
        let Some(old_id) = only_function(old, &function.path) else { continue };
        if only_function(new, &function.path) != Some(new_id) || takes_the_same((old, old_id), (new, new_id))
        {
            continue;
        }
        match adapter((old, old_id), (new, new_id)) {
            Some(found) => to_new.push(found),
            None => to_old.extend(adapter((new, new_id), (old, old_id))),
        }
    }
    to_old.extend(inherited::inherited(new, old));
    to_new.extend(inherited::inherited(old, new));
    for (program, added) in [(old, to_old), (new, to_new)] {
        for (function, adapter) in added {
            let id = program.functions.push(function);
            program.adapters.insert(id, adapter);
        }
    }
}

/// The adapter of each function that has one for its signature.
pub(super) fn by_function(program: &Program) -> HashMap<FnId, FnId> {
    let adapters = program.adapters.iter();
    let for_signature = adapters.filter(|(_, adapter)| adapter.kind == AdapterKind::Signature);
    for_signature.map(|(id, adapter)| (adapter.function, *id)).collect()
}

/// What calls the trait's own method, by the path of the method that the other version's implementation has.
pub(super) fn of_inherited(program: &Program) -> HashMap<&Path, FnId> {
    let adapters = program.adapters.iter();
    let inherited = adapters.filter(|(_, adapter)| adapter.kind == AdapterKind::Inherited);
    inherited.map(|(id, _)| (&program.functions[*id].path, *id)).collect()
}

fn only_function(program: &Program, path: &Path) -> Option<FnId> {
    let [id] = program.functions_at(path) else { return None };
    let function = &program.functions[*id];
    let is_own = function.origin == Origin::Subject
        && function.kind == FunctionKind::Fn
        && !matches!(function.body, FnBody::Missing)
        && !matches!(function.owner, Owner::Within(_));
    is_own.then_some(*id)
}

fn takes_the_same((old, old_id): (&Program, FnId), (new, new_id): (&Program, FnId)) -> bool {
    let signature = |program, id| CanonicalSignature::of(program, id, &Renames::default());
    signature(old, old_id).takes_the_same(&signature(new, new_id))
}

/// A function that takes what `from` takes and calls `to`, for the program of the latter.
fn adapter(
    (from_program, from): (&Program, FnId),
    (program, to): (&Program, FnId),
) -> Option<(Function, Adapter)> {
    let taken = &from_program.functions[from];
    let called = &program.functions[to];
    if !same_owner((from_program, &taken.owner), (program, &called.owner)) {
        return None;
    }
    let in_scope = from_program.generics_in_scope(from);
    let is_own = |name: &Name| called.generics.iter().any(|param| param.name == *name);
    let outer: Vec<GenericParam> = in_scope.iter().filter(|param| !is_own(&param.name)).cloned().collect();
    let placings = placings(taken, called);
    // A parameter of type of the same name may mean the same, or else something of it (`&T` became `T`).
    let ways =
        [&in_scope, &outer].into_iter().flat_map(|same| placings.iter().map(move |places| (same, places)));
    let (args, arguments) = ways.into_iter().find_map(|(same, places)| {
        let args = Subst::from_params(same, &identity_args(same));
        let mut search = Search { program, args, refers: refers(&called.output) };
        let arguments = search.arguments(taken, called, places)?;
        let is_known = |param: &GenericParam| search.args.get(&param.name).is_some();
        called.generics.iter().all(is_known).then_some((search.args, arguments))
    })?;
    let own: GenericArgs =
        called.generics.iter().filter_map(|param| args.get(&param.name).cloned()).collect();
    let callee = callee(program, called, &own);
    let output = args.ty(&called.output);
    let types: Vec<Ty> = called.inputs.iter().map(|ty| args.ty(ty)).collect();
    let body = Writing::new(taken, output.clone()).whole(program, &arguments, &types, callee);
    let function = Function {
        kind: FunctionKind::Adapter,
        generics: taken.generics.clone(),
        bounds: taken.bounds.clone(),
        inputs: taken.inputs.clone(),
        output,
        body: FnBody::Present(body.into()),
        ..called.clone()
    };
    let kind = AdapterKind::Signature;
    Some((function, Adapter { kind, function: to, args: own, arguments }))
}

/// Where the callee has an argument from.
enum Place {
    /// This parameter of the caller's.
    Taken(usize),
    /// The other version has no such parameter.
    Added(Option<Name>),
}

/// In what ways parameters may correspond to each other: as many in order, by their names, or with those at the end added.
fn placings(taken: &Function, called: &Function) -> Vec<Vec<Place>> {
    let (few, many) = (taken.inputs.len(), called.inputs.len());
    let names = parameter_names(called);
    let added = |place: usize| Place::Added(names.get(place).cloned().flatten());
    let in_order = (0..few).map(Place::Taken).chain((few..many).map(added)).collect();
    match few.cmp(&many) {
        Ordering::Greater => Vec::new(),
        Ordering::Equal => vec![in_order],
        Ordering::Less => {
            by_names(&parameter_names(taken), &names, many).into_iter().chain([in_order]).collect()
        }
    }
}

fn by_names(taken: &[Option<Name>], called: &[Option<Name>], many: usize) -> Option<Vec<Place>> {
    let mut next = 0;
    let mut places = Vec::new();
    for name in called {
        if name.is_some() && taken.get(next) == Some(name) {
            places.push(Place::Taken(next));
            next += 1;
        } else if name.is_none() || taken.contains(name) {
            return None;
        } else {
            places.push(Place::Added(name.clone()));
        }
    }
    (next == taken.len() && places.len() == many).then_some(places)
}

/// As far as they have one.
fn parameter_names(function: &Function) -> Vec<Option<Name>> {
    match &function.body {
        FnBody::Present(body) => body.args().map(|local| body.locals[local].name.clone()).collect(),
        FnBody::Unreadable { .. } | FnBody::Missing => Vec::new(),
    }
}

/// Whether both stand in modules, or in implementations for the same types.
fn same_owner((a_program, a): (&Program, &Owner), (b_program, b): (&Program, &Owner)) -> bool {
    match (a, b) {
        (Owner::TraitImpl(a), Owner::TraitImpl(b)) => {
            let (a, b) = (&a_program.impls[*a], &b_program.impls[*b]);
            (&a.generics, &a.trait_ref) == (&b.generics, &b.trait_ref)
        }
        (Owner::Trait(_) | Owner::Within(_), _) => false,
        _ => a == b,
    }
}

fn callee(program: &Program, called: &Function, own: &[GenericArg]) -> FnRef {
    let (path, args) = (called.path.clone(), own.to_vec());
    match &called.owner {
        Owner::Inherent { self_ty, .. } => FnRef::Inherent { path, self_ty: self_ty.clone(), args },
        Owner::TraitImpl(id) => {
            let name = path.last();
            let trait_ref = program.impls[*id].trait_ref.clone();
            FnRef::Trait { trait_ref, method: Name::new(name), args }
        }
        Owner::Free | Owner::Trait(_) | Owner::Within(_) => FnRef::Free { path, args },
    }
}

/// Whether a value of the type may refer to what the call was lent.
fn refers(ty: &Ty) -> bool {
    let mut found = false;
    ty.each_part(&mut |part| {
        let is_owned = matches!(
            part.kind(),
            TyKind::Bool
                | TyKind::Char
                | TyKind::Int(_)
                | TyKind::Float(_)
                | TyKind::Never
                | TyKind::Tuple(_)
                | TyKind::Array(..)
        );
        found |= !is_owned
            && !matches!(part.known(), Some(KnownType::String | KnownType::Vec | KnownType::Option));
    });
    found
}
