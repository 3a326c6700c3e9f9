//! From the name in a call to the body that runs: inherent methods by unification, trait methods by the
//! implementation that matches, default methods, closures.
//!
//! Limits: overlapping implementations are told apart by the bounds the front end knows; specialisation is not
//! modelled. A call that no body matches is unresolved, never guessed.

use super::layout;
use crate::ir::stand_ins;
use crate::ir::{
    FnBody, FnId, FnRef, GenericArg, KnownTrait, KnownType, Mutability, Name, Origin, Owner, Path, Program,
    Subst, TraitImpl, TraitRef, Ty, TyKind,
};

/// How deep bounds of implementations are followed before a match is given up.
const MAX_BOUND_DEPTH: usize = 6;

/// A body with what its generic parameters stand for.
#[derive(Clone, Debug)]
pub struct Resolved {
    pub function: FnId,
    pub subst: Subst,
}

/// Finds the body of a closed function reference; none if there is none to be had.
pub fn resolve(program: &Program, callee: &FnRef) -> Option<Resolved> {
    match callee {
        FnRef::Free { path, args } => {
            let candidates = runnable(program, path).map(|function| {
                let subst = Subst::from_params(&program.functions[function].generics, args);
                Resolved { function, subst }
            });
            only(program, candidates)
        }
        FnRef::Inherent { path, self_ty, args } => {
            let candidates = runnable(program, path).filter_map(|function| {
                let mut subst = Subst::new();
                if let Owner::Inherent { self_ty: pattern, .. } = &program.functions[function].owner
                    && !subst.unify(pattern, self_ty)
                {
                    return None;
                }
                subst.extend(&Subst::from_params(&program.functions[function].generics, args));
                Some(Resolved { function, subst })
            });
            only(program, candidates)
        }
        FnRef::Trait { trait_ref, method, args } => resolve_method(program, trait_ref, method, args),
    }
}

/// The one candidate, or the first where the others come from elsewhere: the crate under comparison goes before models.
/// Items in different blocks of one function may share a path; which of them is meant cannot be told.
fn only(program: &Program, mut candidates: impl Iterator<Item = Resolved>) -> Option<Resolved> {
    let first = candidates.next()?;
    let origin = |resolved: &Resolved| program.functions[resolved.function].origin;
    match candidates.any(|other| origin(&other) == origin(&first)) {
        true => None,
        false => Some(first),
    }
}

fn runnable<'p>(program: &'p Program, path: &Path) -> impl Iterator<Item = FnId> + use<'p> {
    let has_body = |id: &FnId| !matches!(program.functions[*id].body, FnBody::Missing);
    program.functions_at(path).iter().copied().filter(has_body)
}

fn resolve_method(
    program: &Program,
    trait_ref: &TraitRef,
    method: &Name,
    args: &[GenericArg],
) -> Option<Resolved> {
    let (function, mut subst) = match find_impl(program, trait_ref) {
        Some((item, subst)) => match item.methods.get(method) {
            Some(function) => (*function, subst),
            None => default_method(program, trait_ref, method)?,
        },
        // The type that stands behind an open or dynamic one may override the default.
        None if is_undecided(&trait_ref.self_ty) => return None,
        None => default_method(program, trait_ref, method)?,
    };
    subst.extend(&Subst::from_params(&program.functions[function].generics, args));
    Some(Resolved { function, subst })
}

/// Whether values of the type may belong to different implementations: trait objects, and types with parameters or
/// projections that nothing was put in for yet.
pub(super) fn is_undecided(ty: &Ty) -> bool {
    match ty.kind() {
        TyKind::Dyn(_) | TyKind::Param(_) | TyKind::Projection { .. } | TyKind::Unsupported(_) => true,
        TyKind::Ref(_, inner) | TyKind::RawPtr(_, inner) | TyKind::Slice(inner) | TyKind::Array(inner, _) => {
            !matches!(inner.kind(), TyKind::Dyn(_)) && is_undecided(inner)
        }
        TyKind::Tuple(tys) => tys.iter().any(is_undecided),
        TyKind::Adt(_, args) | TyKind::Closure(_, args) => args.iter().any(|arg| match arg {
            GenericArg::Ty(ty) => !matches!(ty.kind(), TyKind::Dyn(_)) && is_undecided(ty),
            GenericArg::Const(_) => false,
        }),
        _ => false,
    }
}

/// A default method, `Self` and the trait's parameters bound.
fn default_method(program: &Program, trait_ref: &TraitRef, method: &Name) -> Option<(FnId, Subst)> {
    let item = program.trait_(&trait_ref.path)?;
    let function = *item.default_methods.get(method)?;
    if may_be_overridden_unseen(program, method) {
        return None;
    }
    Some((function, trait_subst(program, trait_ref)))
}

/// The body of an associated constant, of the implementation or else the trait's own.
pub fn assoc_const(program: &Program, trait_ref: &TraitRef, name: &Name) -> Option<Resolved> {
    let of_impl =
        find_impl(program, trait_ref).and_then(|(item, subst)| Some((*item.consts.get(name)?, subst)));
    let (function, subst) = of_impl.or_else(|| {
        let default = *program.trait_(&trait_ref.path)?.default_consts.get(name)?;
        (!may_be_overridden_unseen(program, name)).then(|| (default, trait_subst(program, trait_ref)))
    })?;
    Some(Resolved { function, subst })
}

/// Whether an implementation that nobody could tell has an item of the name: it may be the one that is asked for.
fn may_be_overridden_unseen(program: &Program, name: &Name) -> bool {
    program.declared.unidentified.contains_key(name)
}

/// What `Self` and a trait's parameters stand for in its default items.
pub fn trait_subst(program: &Program, trait_ref: &TraitRef) -> Subst {
    let mut subst = program
        .trait_(&trait_ref.path)
        .map(|item| Subst::from_params(&item.generics, &trait_ref.args))
        .unwrap_or_default();
    subst.insert(Name::new("Self"), GenericArg::Ty(trait_ref.self_ty.clone()));
    subst
}

/// The implementation for a closed trait reference and what its parameters stand for. Implementations of the crate
/// under comparison come before models.
pub fn find_impl<'p>(program: &'p Program, trait_ref: &TraitRef) -> Option<(&'p TraitImpl, Subst)> {
    find_impl_at(program, trait_ref, 0)
}

fn find_impl_at<'p>(
    program: &'p Program,
    trait_ref: &TraitRef,
    depth: usize,
) -> Option<(&'p TraitImpl, Subst)> {
    let mut found: Option<(&TraitImpl, Subst)> = None;
    for id in program.impls_of(&trait_ref.path) {
        let item = &program.impls[*id];
        let Some(subst) = match_impl(program, item, trait_ref, depth) else { continue };
        // A concrete self type is more specific than a blanket `impl<T> … for T`.
        let blanket = matches!(item.trait_ref.self_ty.kind(), TyKind::Param(_));
        match &found {
            Some((other, _)) if blanket || !matches!(other.trait_ref.self_ty.kind(), TyKind::Param(_)) => {}
            _ => found = Some((item, subst)),
        }
    }
    found
}

fn match_impl(program: &Program, item: &TraitImpl, trait_ref: &TraitRef, depth: usize) -> Option<Subst> {
    let mut subst = Subst::new();
    if !subst.unify(&item.trait_ref.self_ty, &trait_ref.self_ty) {
        return None;
    }
    // An argument that is not printed is the parameter's default, which is `Self` wherever the standard library has
    // one. Taking it for anything would choose `impl PartialEq<str>` for a comparison of equals.
    let count = item.trait_ref.args.len().max(trait_ref.args.len());
    let full = |of: &TraitRef| {
        let mut args = of.args.clone();
        args.resize(count, GenericArg::Ty(of.self_ty.clone()));
        args
    };
    if !subst.unify_args(&full(&item.trait_ref), &full(trait_ref)) {
        return None;
    }
    for (known, pattern) in &item.equalities {
        bind_by_equality(program, &mut subst, known, pattern, depth);
    }
    let bounds_hold = depth >= MAX_BOUND_DEPTH
        || item.bounds.iter().all(|bound| holds(program, &subst.trait_ref(bound), depth + 1));
    bounds_hold.then_some(subst)
}

/// Binds the parameters that stand in an implementation's bounds only: the `B` of `F: FnMut(A) -> B`. An equality that
/// does not fit was not understood, and binds nothing; whether it holds is for rustc to say.
fn bind_by_equality(program: &Program, subst: &mut Subst, known: &Ty, pattern: &Ty, depth: usize) {
    let known = normalize_at(program, &subst.ty(known), depth);
    let mut bound = subst.clone();
    if !is_undecided(&known) && bound.unify(pattern, &known) {
        *subst = bound;
    }
}

/// Whether a bound holds, as far as the program knows the trait: bounds on traits without any implementation here
/// (markers, `Sized`, `Fn`), and on those that types have by what they are made of, are taken to hold, as rustc has checked them for the one implementation it chose.
fn holds(program: &Program, bound: &TraitRef, depth: usize) -> bool {
    match bound.self_ty.kind() {
        TyKind::Param(_) | TyKind::Projection { .. } => true,
        TyKind::Closure(..) | TyKind::FnDef(_) | TyKind::FnPtr { .. } | TyKind::Dyn(_) => true,
        _ if bound.path == KnownTrait::Copy => is_copy(program, bound, depth),
        _ if bound.path.known_trait().is_some_and(KnownTrait::is_auto) => true,
        _ => program.impls_of(&bound.path).is_empty() || find_impl_at(program, bound, depth).is_some(),
    }
}

/// Whether values of the bound's type are copied. No implementation stands anywhere for what the compiler builds in, and those
/// of the standard library are not modelled: there the compiler's word is taken.
fn is_copy(program: &Program, bound: &TraitRef, depth: usize) -> bool {
    let of = |ty: &Ty| holds(program, &TraitRef { self_ty: ty.clone(), ..bound.clone() }, depth);
    match bound.self_ty.kind() {
        TyKind::Str | TyKind::Slice(_) | TyKind::Ref(Mutability::Mut, _) => false,
        TyKind::Tuple(tys) => tys.iter().all(of),
        TyKind::Array(elem, _) => of(elem),
        TyKind::Adt(path, _) => {
            let is_unknown = path.is_of_std() || program.adt(path).is_none();
            is_unknown || find_impl_at(program, bound, depth).is_some()
        }
        _ => true,
    }
}

/// Rewrites `<T as Trait>::Name` wherever the implementation is known. What cannot be rewritten stays.
pub fn normalize(program: &Program, ty: &Ty) -> Ty {
    normalize_at(program, ty, 0)
}

fn normalize_at(program: &Program, ty: &Ty, depth: usize) -> Ty {
    if depth > MAX_BOUND_DEPTH {
        return ty.clone();
    }
    ty.map(
        &mut |ty| match ty.kind() {
            TyKind::Projection { trait_ref, name } => match projection(program, trait_ref, name) {
                Some(known) => normalize_at(program, &known, depth + 1),
                None => ty,
            },
            _ => ty,
        },
        &mut |constant| constant,
    )
}

fn projection(program: &Program, trait_ref: &TraitRef, name: &Name) -> Option<Ty> {
    if name == "Output"
        && let Some(output) = output_of_callable(program, &trait_ref.self_ty)
    {
        return Some(output);
    }
    if let Some((_, answer)) = stand_ins::as_function(&trait_ref.self_ty)
        && name == "Output"
    {
        return Some(answer.clone());
    }
    match find_impl(program, trait_ref) {
        Some((item, subst)) if item.types.contains_key(name) => Some(subst.ty(&item.types[name])),
        _ => {
            let default = program.trait_(&trait_ref.path)?.default_types.get(name)?;
            Some(trait_subst(program, trait_ref).ty(default))
        }
    }
}

/// What a closure, function or function pointer returns. These implement no operator of `std::ops` but the calls.
fn output_of_callable(program: &Program, ty: &Ty) -> Option<Ty> {
    match ty.kind() {
        TyKind::Closure(path, args) => {
            let function = program.functions_at(path).first()?;
            let subst = Subst::from_params(&program.generics_in_scope(*function), args);
            Some(subst.ty(&program.functions[*function].output))
        }
        TyKind::FnPtr { output, .. } => Some(output.clone()),
        TyKind::FnDef(fn_ref) => {
            let resolved = resolve(program, fn_ref)?;
            Some(resolved.subst.ty(&program.functions[resolved.function].output))
        }
        TyKind::Ref(_, callable)
            if matches!(
                callable.kind(),
                TyKind::Closure(..) | TyKind::FnPtr { .. } | TyKind::FnDef(_) | TyKind::Ref(..)
            ) =>
        {
            output_of_callable(program, callable)
        }
        _ => None,
    }
}

/// What a type itself runs when a value of it is dropped, before its fields are.
pub enum Destructor {
    None,
    Runs(Resolved),
    /// There is one, but the program does not have it.
    Absent,
}

/// The `Drop::drop` of an ADT, if its type implements it.
pub fn destructor(program: &Program, ty: &Ty) -> Destructor {
    let trait_ref = TraitRef { self_ty: ty.clone(), path: Path::from(KnownTrait::Drop), args: Vec::new() };
    match find_impl(program, &trait_ref) {
        None => Destructor::None,
        Some((item, subst)) => match item.methods.get("drop") {
            Some(function) => Destructor::Runs(Resolved { function: *function, subst }),
            None => Destructor::Absent,
        },
    }
}

/// Whether dropping a value of the type may run code of the program.
pub fn needs_drop(program: &Program, ty: &Ty) -> bool {
    needs_drop_at(program, ty, 0)
}

fn needs_drop_at(program: &Program, ty: &Ty, depth: usize) -> bool {
    if depth > MAX_BOUND_DEPTH {
        return true;
    }
    match ty.kind() {
        TyKind::Bool
        | TyKind::Char
        | TyKind::Int(_)
        | TyKind::Float(_)
        | TyKind::Str
        | TyKind::Never
        | TyKind::Ref(..)
        | TyKind::RawPtr(..)
        | TyKind::FnDef(_)
        | TyKind::FnPtr { .. } => false,
        // Their contents are dropped by hand.
        TyKind::Adt(path, _) if layout::is_wrapper(path) => false,
        TyKind::Tuple(tys) => tys.iter().any(|ty| needs_drop_at(program, ty, depth + 1)),
        TyKind::Array(ty, _) | TyKind::Slice(ty) => needs_drop_at(program, ty, depth + 1),
        // Library types that own nothing but their elements.
        TyKind::Adt(path, args)
            if matches!(
                path.known_type(),
                Some(KnownType::Box | KnownType::Vec | KnownType::String | KnownType::Option)
            ) =>
        {
            args.iter().any(|arg| matches!(arg, GenericArg::Ty(ty) if needs_drop_at(program, ty, depth + 1)))
        }
        TyKind::Adt(path, args) => {
            let has_impl = program
                .impls_of(&KnownTrait::Drop.into())
                .iter()
                .any(|id| matches!(program.impls[*id].trait_ref.self_ty.kind(), TyKind::Adt(other, _) if other == path));
            has_impl
                || match program.adt(path) {
                    Some(adt) => (0..adt.variants.len()).any(|variant| {
                        adt.field_types(variant, args).iter().any(|ty| needs_drop_at(program, ty, depth + 1))
                    }),
                    // A foreign type that the program knows nothing of may run anything it was given.
                    None => true,
                }
        }
        TyKind::Param(_)
        | TyKind::Projection { .. }
        | TyKind::Closure(..)
        | TyKind::Dyn(_)
        | TyKind::Unsupported(_) => true,
    }
}

/// Whether the function belongs to the standard library's models.
pub fn is_model(program: &Program, function: FnId) -> bool {
    program.functions[function].origin == Origin::StdModel
}
