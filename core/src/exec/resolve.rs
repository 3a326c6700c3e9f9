//! From the name in a call to the body that runs: inherent methods by unification, trait methods by the
//! implementation that matches, default methods, closures.
//!
//! Limits: overlapping implementations are told apart by the bounds the front end knows; specialisation is not
//! modelled. A call that no body matches is unresolved, never guessed.

use std::cell::Cell;
use std::mem::discriminant;

use super::layout;
use crate::ir::stand_ins;
use crate::ir::{
    FnBody, FnId, FnRef, GenericArg, KnownTrait, KnownType, Mutability, Name, Origin, Owner, Path, Program,
    Subst, TraitImpl, TraitRef, Ty, TyKind, TyPart,
};

/// How deep bounds of implementations are followed before a match is given up.
const MAX_BOUND_DEPTH: usize = 6;

/// So many implementations whose headers match are looked at for one question. Bounds on parameters that nothing else decides can be followed without end.
const MOST_LOOKED_AT: usize = 4_000;

/// Where a question stands: how deep in bounds, and how many implementations may still be looked at for it.
#[derive(Clone, Copy)]
struct At<'q> {
    depth: usize,
    left: &'q Cell<usize>,
}

impl At<'_> {
    fn deeper(self) -> Self {
        At { depth: self.depth + 1, ..self }
    }

    /// What a projection is, is a question that is as deep as it is by itself.
    fn anew(self) -> Self {
        At { depth: 0, ..self }
    }
}

/// Asks a question of its own.
fn asking<T>(question: impl FnOnce(At<'_>) -> T) -> T {
    let left = Cell::new(MOST_LOOKED_AT);
    question(At { depth: 0, left: &left })
}

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
    let (function, mut subst) = match asking(|at| choose_impl(program, trait_ref, at)) {
        Choice::One { item, subst, .. } => match item.methods.get(method) {
            Some(function) => (*function, subst),
            None => default_method(program, trait_ref, method)?,
        },
        Choice::Several => return None,
        Choice::None if may_be_implemented_unseen(program, trait_ref) || is_of_library(trait_ref) => {
            return None;
        }
        Choice::None => default_method(program, trait_ref, method)?,
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
    let of_impl = match asking(|at| choose_impl(program, trait_ref, at)) {
        Choice::One { item, subst, .. } => item.consts.get(name).map(|function| (*function, subst)),
        Choice::None if may_be_implemented_unseen(program, trait_ref) => return None,
        Choice::None => None,
        Choice::Several => return None,
    };
    let (function, subst) = of_impl.or_else(|| {
        let default = *program.trait_(&trait_ref.path)?.default_consts.get(name)?;
        (!may_be_overridden_unseen(program, name)).then(|| (default, trait_subst(program, trait_ref)))
    })?;
    Some(Resolved { function, subst })
}

/// Whether there may be an implementation although none is known: the type that stands behind an open or dynamic one may have one, and one that
/// is not defined in the program.
fn may_be_implemented_unseen(program: &Program, trait_ref: &TraitRef) -> bool {
    let is_elsewhere = |ty: &Ty| match ty.kind() {
        TyKind::Adt(path, _) => !path.is_of_std() && program.adt(path).is_none(),
        _ => false,
    };
    trait_ref.find(&mut |part| matches!(part, TyPart::Ty(ty) if is_elsewhere(ty)))
        || is_undecided(&trait_ref.self_ty)
}

/// Whether both the trait and the type are the library's, which has implementations without a model.
fn is_of_library(trait_ref: &TraitRef) -> bool {
    let mut ty = &trait_ref.self_ty;
    while let TyKind::Ref(_, inner) = ty.kind() {
        ty = inner;
    }
    let is_own = match ty.kind() {
        TyKind::Adt(path, _) => !path.is_of_std(),
        TyKind::Closure(..) | TyKind::FnDef(_) => true,
        _ => false,
    };
    trait_ref.path.is_of_std() && !is_own
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

/// The implementation for a closed trait reference and what its parameters stand for; none where several may be meant, too.
pub fn find_impl<'p>(program: &'p Program, trait_ref: &TraitRef) -> Option<(&'p TraitImpl, Subst)> {
    match asking(|at| choose_impl(program, trait_ref, at)) {
        Choice::One { item, subst, .. } => Some((item, subst)),
        Choice::None | Choice::Several => None,
    }
}

/// Whether the trait is implemented; none where there are, or may be, implementations of which it cannot be told whether they are for this.
pub fn implements(program: &Program, trait_ref: &TraitRef) -> Option<bool> {
    match asking(|at| choose_impl(program, trait_ref, at)) {
        Choice::One { .. } => Some(true),
        Choice::None => (!may_be_implemented_unseen(program, trait_ref)).then_some(false),
        Choice::Several => None,
    }
}

/// Which implementation is meant.
enum Choice<'p> {
    None,
    /// More than one may be, and nothing that is known here tells which.
    Several,
    One {
        item: &'p TraitImpl,
        subst: Subst,
        fit: Fit,
    },
}

/// How far it is known that an implementation is for what is asked for, or that a bound holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    No,
    /// Rustc knows it.
    Unknown,
    Yes,
}

/// Of two implementations that are for one type, rustc would have refused one: what is certain excludes what is not. Where several are certain, they
/// differ in what is not read here. Then one for a type goes before one for any.
fn choose_impl<'p>(program: &'p Program, trait_ref: &TraitRef, at: At<'_>) -> Choice<'p> {
    let is_blanket = |item: &TraitImpl| matches!(item.trait_ref.self_ty.kind(), TyKind::Param(_));
    let mut found = Choice::None;
    for id in program.impls_of(&trait_ref.path) {
        // What is not looked at may be it.
        if at.left.get() == 0 {
            return Choice::Several;
        }
        let item = &program.impls[*id];
        let Some((subst, fit)) = match_impl(program, item, trait_ref, at) else {
            if !matches!(found, Choice::One { fit: Fit::Yes, .. })
                && !is_comparable(&item.trait_ref, trait_ref)
            {
                found = Choice::Several;
            }
            continue;
        };
        let this = Choice::One { item, subst, fit };
        found = match &found {
            Choice::None => this,
            Choice::One { fit: Fit::Yes, item: other, .. } => {
                match fit == Fit::Yes && is_blanket(other) && !is_blanket(item) {
                    true => this,
                    false => continue,
                }
            }
            Choice::Several | Choice::One { .. } => match fit {
                Fit::Yes => this,
                Fit::Unknown | Fit::No => Choice::Several,
            },
        };
    }
    found
}

/// Whether it is certain that a header which does not match is not the one that is asked for: types that are known by their text alone have several.
fn is_comparable(header: &TraitRef, asked: &TraitRef) -> bool {
    let is_any =
        |ty: &Ty| matches!(ty.kind(), TyKind::Param(_) | TyKind::Projection { .. } | TyKind::Unsupported(_));
    let is_other = match (header.self_ty.kind(), asked.self_ty.kind()) {
        (TyKind::Adt(one, _), TyKind::Adt(other, _)) => one != other,
        (one, other) => {
            !is_any(&header.self_ty) && !is_any(&asked.self_ty) && discriminant(one) != discriminant(other)
        }
    };
    let hides = |of: &TraitRef| {
        of.find(&mut |part| matches!(part, TyPart::Ty(ty) if matches!(ty.kind(), TyKind::Unsupported(_))))
    };
    is_other || !(hides(header) || hides(asked))
}

/// What the parameters of the implementation stand for if it may be for what is asked for.
fn match_impl(program: &Program, item: &TraitImpl, trait_ref: &TraitRef, at: At<'_>) -> Option<(Subst, Fit)> {
    let mut subst = Subst::new();
    if !subst.unify(&item.trait_ref.self_ty, &trait_ref.self_ty) {
        return None;
    }
    // An argument that is not printed is the parameter's default, which is `Self` wherever the standard library has
    // one. Taking it for anything would choose `impl PartialEq<str>` for a comparison of equals.
    let count = item.trait_ref.args.len().max(trait_ref.args.len());
    let full = |of: &TraitRef| {
        let mut full = of.clone();
        full.args.resize(count, GenericArg::Ty(of.self_ty.clone()));
        full
    };
    let (header, asked) = (full(&item.trait_ref), full(trait_ref));
    if !subst.unify_args(&header.args, &asked.args) {
        return None;
    }
    at.left.set(at.left.get().saturating_sub(1));
    let mut fit = Fit::Yes;
    for (known, pattern) in &item.equalities {
        fit = fit.min(bind_by_equality(program, &mut subst, known, pattern, at));
    }
    fit = fit.min(fit_of_header(program, &header, &subst, &asked, at));
    for bound in &item.bounds {
        if fit == Fit::No {
            return None;
        }
        fit = fit.min(holds(program, &subst.trait_ref(bound), at.deeper()));
    }
    (fit != Fit::No).then_some((subst, fit))
}

/// Whether the header is for what is asked for where unification took its projections and constants for anything. Both have all arguments.
fn fit_of_header(program: &Program, header: &TraitRef, subst: &Subst, asked: &TraitRef, at: At<'_>) -> Fit {
    let (mut has_projection, mut has_constant) = (false, false);
    header.find(&mut |part| {
        match part {
            TyPart::Ty(ty) => has_projection |= matches!(ty.kind(), TyKind::Projection { .. }),
            TyPart::Const(constant) => has_constant |= constant.stands_elsewhere(),
        }
        false
    });
    if has_constant {
        return Fit::Unknown;
    }
    if !has_projection {
        return Fit::Yes;
    }
    let header = subst.trait_ref(header);
    let mut same = Subst::new();
    let args = header.args.iter().zip(&asked.args).filter_map(|pair| match pair {
        (GenericArg::Ty(of_header), GenericArg::Ty(asked)) => Some((of_header, asked)),
        _ => None,
    });
    let fit_of = |(of_header, asked): (&Ty, &Ty)| {
        let of_header = normalize_at(program, of_header, at.deeper());
        let is_same = same.unify(&of_header, asked);
        match is_undecided(&of_header) || is_undecided(asked) {
            true => Fit::Unknown,
            false if is_same => Fit::Yes,
            false => Fit::No,
        }
    };
    args.chain([(&header.self_ty, &asked.self_ty)]).map(fit_of).min().unwrap_or(Fit::Yes)
}

/// Binds the parameters that stand in an implementation's bounds only: the `B` of `F: FnMut(A) -> B`. An equality that
/// does not fit may not have been understood, and binds nothing; whether it holds is for rustc to say.
fn bind_by_equality(program: &Program, subst: &mut Subst, known: &Ty, pattern: &Ty, at: At<'_>) -> Fit {
    let known = normalize_at(program, &subst.ty(known), at);
    let mut bound = subst.clone();
    if is_undecided(&known) || !bound.unify(pattern, &known) {
        return Fit::Unknown;
    }
    *subst = bound;
    Fit::Yes
}

/// Whether a bound holds, as far as the program knows the trait.
fn holds(program: &Program, bound: &TraitRef, at: At<'_>) -> Fit {
    let known = bound.path.known_trait();
    if at.depth > MAX_BOUND_DEPTH
        || is_undecided(&bound.self_ty) && !matches!(bound.self_ty.kind(), TyKind::Dyn(_))
    {
        return Fit::Unknown;
    }
    if known.is_some_and(KnownTrait::is_call) {
        return is_callable(program, bound);
    }
    // Those that types have by what they are made of are for rustc to check.
    if known.is_some_and(KnownTrait::is_auto) || program.impls_of(&bound.path).is_empty() {
        return Fit::Unknown;
    }
    if bound.path == KnownTrait::Copy {
        return is_copy(program, bound, at);
    }
    match (choose_impl(program, bound, at), bound.self_ty.kind()) {
        (Choice::One { fit, .. }, _) => fit,
        (Choice::Several, _) => Fit::Unknown,
        // What the compiler builds in is implemented nowhere.
        (Choice::None, TyKind::Closure(..) | TyKind::FnDef(_) | TyKind::FnPtr { .. } | TyKind::Dyn(_)) => {
            Fit::Unknown
        }
        (Choice::None, _) => Fit::No,
    }
}

/// Whether values of the bound's type can be called with what the bound says. Only what the compiler or the standard library makes can.
fn is_callable(program: &Program, bound: &TraitRef) -> Fit {
    let inputs = match bound.self_ty.kind() {
        TyKind::FnPtr { inputs, .. } => inputs.clone(),
        TyKind::Ref(_, inner) => {
            return is_callable(program, &TraitRef { self_ty: inner.clone(), ..bound.clone() })
                .min(Fit::Unknown);
        }
        TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Float(_) | TyKind::Str | TyKind::Never => {
            return Fit::No;
        }
        TyKind::Tuple(_) | TyKind::Array(..) | TyKind::Slice(_) => return Fit::No,
        TyKind::Adt(path, _) if !path.is_of_std() && program.adt(path).is_some() => return Fit::No,
        _ => return Fit::Unknown,
    };
    match bound.args.as_slice() {
        [GenericArg::Ty(args)] if *args == Ty::new(TyKind::Tuple(inputs)) => Fit::Yes,
        _ => Fit::Unknown,
    }
}

/// Whether values of the bound's type are copied. No implementation stands anywhere for what the compiler builds in, and those
/// of the standard library are not modelled: there the compiler's word is taken.
fn is_copy(program: &Program, bound: &TraitRef, at: At<'_>) -> Fit {
    let of = |ty: &Ty| holds(program, &TraitRef { self_ty: ty.clone(), ..bound.clone() }, at);
    match bound.self_ty.kind() {
        TyKind::Str | TyKind::Slice(_) | TyKind::Ref(Mutability::Mut, _) => Fit::No,
        TyKind::Tuple(tys) => tys.iter().map(of).min().unwrap_or(Fit::Yes),
        TyKind::Array(elem, _) => of(elem),
        TyKind::Adt(path, _) if path.is_of_std() || program.adt(path).is_none() => Fit::Unknown,
        TyKind::Adt(..) => match choose_impl(program, bound, at) {
            Choice::One { fit, .. } => fit,
            Choice::Several => Fit::Unknown,
            Choice::None => Fit::No,
        },
        TyKind::Closure(..) | TyKind::Dyn(_) | TyKind::Unsupported(_) => Fit::Unknown,
        _ => Fit::Yes,
    }
}

/// Rewrites `<T as Trait>::Name` wherever the implementation is known. What cannot be rewritten stays.
pub fn normalize(program: &Program, ty: &Ty) -> Ty {
    asking(|at| normalize_at(program, ty, at))
}

fn normalize_at(program: &Program, ty: &Ty, at: At<'_>) -> Ty {
    if at.depth > MAX_BOUND_DEPTH || at.left.get() == 0 {
        return ty.clone();
    }
    ty.map(
        &mut |ty| match ty.kind() {
            TyKind::Projection { trait_ref, name } => match projection(program, trait_ref, name, at) {
                Some(known) => normalize_at(program, &known, at.deeper()),
                None => ty,
            },
            _ => ty,
        },
        &mut |constant| constant,
    )
}

fn projection(program: &Program, trait_ref: &TraitRef, name: &Name, at: At<'_>) -> Option<Ty> {
    if name == "Output"
        && let Some(output) = output_of_callable(program, &trait_ref.self_ty)
    {
        return Some(output);
    }
    let closure = stand_ins::as_function(&trait_ref.self_ty);
    if let Some((_, answer)) = closure.or_else(|| stand_ins::as_listening_closure(&trait_ref.self_ty))
        && name == "Output"
    {
        return Some(answer.clone());
    }
    match choose_impl(program, trait_ref, at.anew()) {
        Choice::One { item, subst, .. } if item.types.contains_key(name) => Some(subst.ty(&item.types[name])),
        Choice::Several => None,
        Choice::None if may_be_implemented_unseen(program, trait_ref) => None,
        Choice::One { .. } | Choice::None => {
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
    match asking(|at| choose_impl(program, &trait_ref, at)) {
        Choice::None => Destructor::None,
        Choice::Several => Destructor::Absent,
        Choice::One { item, subst, .. } => match item.methods.get("drop") {
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
