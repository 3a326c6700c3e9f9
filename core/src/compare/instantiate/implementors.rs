//! Types that implement a trait: what may stand for a parameter of which the trait is asked.
//!
//! Of a generic implementation (`impl<T, const N: usize> Tr for [T; N]`) one type is taken, of parameters with bounds one that meets these.
//! An implementation for all types that have another trait (`impl<P: Point> Object for P`) is one for each of those.

use crate::ir::{
    Adt, GenericArg, GenericParam, GenericParamKind, ImplId, IntTy, Path, Program, Subst, TraitImpl,
    TraitRef, Ty, TyKind, Visibility,
};

use super::usual::usual_constant;
use super::{CONSTANT, is_common, is_open};

/// Implementations for all that have another trait are followed so far.
const MOST_BLANKETS: usize = 3;

/// The types, those of implementations without parameters first. Arguments of the traits that are known say what parameters of implementations stand for.
pub(super) fn of_traits(program: &Program, asked: impl Iterator<Item = TraitRef>) -> Vec<Ty> {
    let mut found = Found::default();
    for TraitRef { path, args, .. } in asked {
        found.add(program, (&path, &args), MOST_BLANKETS);
    }
    // An order among elements shall matter.
    let is_short = |ty: &Ty| match ty.kind() {
        TyKind::Array(_, len) => len.as_index().is_some_and(|len| i128::from(len) < CONSTANT),
        _ => false,
    };
    found.of_generic.sort_by_key(is_short);
    found.closed.append(&mut found.of_generic);
    found.closed
}

#[derive(Default)]
struct Found {
    closed: Vec<Ty>,
    of_generic: Vec<Ty>,
}

impl Found {
    fn add(&mut self, program: &Program, (path, args): (&Path, &[GenericArg]), depth: usize) {
        for id in program.impls_of(path) {
            let item = &program.impls[*id];
            let ty = &item.trait_ref.self_ty;
            if is_of_models(program, ty) || is_unread(ty) || is_in_a_constant(ty) {
                continue;
            }
            if !is_open(ty) {
                self.closed.push(ty.clone());
                continue;
            }
            let bounds = match ty.kind() {
                TyKind::Param(_) if depth > 0 => telling_bounds(program, item, ty),
                _ => Vec::new(),
            };
            if bounds.is_empty() {
                let mut subst = chosen(program, item, depth);
                let mut given = Subst::new();
                let is_known = !args.iter().any(|arg| matches!(arg, GenericArg::Ty(ty) if is_open(ty)));
                if is_known && given.unify_args(&item.trait_ref.args, args) {
                    subst.extend(&given);
                }
                self.of_generic.push(subst.ty(ty));
            }
            for bound in bounds {
                self.add(program, (bound, &[]), depth - 1);
            }
        }
    }
}

/// Whether the type stands in `const _: () = { … }`, where alone it has a name.
fn is_in_a_constant(ty: &Ty) -> bool {
    matches!(ty.kind(), TyKind::Adt(path, _) if path.as_str().contains("::_::"))
}

/// A type that implements the traits, as far as is told without looking into generic implementations: the first of
/// an implementation without parameters, if there is one.
fn first(program: &Program, paths: &[&Path], depth: usize) -> Option<Ty> {
    let (path, others) = paths.split_first()?;
    let of = |id: &ImplId| &program.impls[*id].trait_ref.self_ty;
    let has = |ty: &Ty, path: &Path| {
        program
            .impls_of(path)
            .iter()
            .map(of)
            .any(|other| other == ty || matches!(other.kind(), TyKind::Param(_)))
    };
    let is_candidate = |ty: &Ty| !is_of_models(program, ty) && !is_in_a_constant(ty);
    let known: Vec<&ImplId> = program.impls_of(path).iter().filter(|id| is_candidate(of(id))).collect();
    let mut closed = known.iter().map(|id| of(id)).filter(|ty| !is_open(ty));
    if let Some(ty) = closed.find(|ty| others.iter().all(|path| has(ty, path))) {
        return Some(ty.clone());
    }
    let item = known.iter().find(|id| is_open(of(id))).map(|id| &program.impls[**id])?;
    Some(chosen(program, item, depth).ty(&item.trait_ref.self_ty))
}

/// A type or constant for each parameter of the implementation.
fn chosen(program: &Program, item: &TraitImpl, depth: usize) -> Subst {
    let choose = |ty: Ty| {
        let bounds = if depth == 0 { Vec::new() } else { telling_bounds(program, item, &ty) };
        let found = first(program, &bounds, depth.saturating_sub(1));
        found.unwrap_or_else(|| Ty::int(IntTy::I32))
    };
    let of_param = |(place, param): (usize, &GenericParam)| match param.kind {
        GenericParamKind::Type => GenericArg::Ty(choose(Ty::new(TyKind::Param(param.name.clone())))),
        GenericParamKind::Const(ty) => GenericArg::Const(usual_constant(ty, place)),
    };
    let args: Vec<GenericArg> = item.generics.iter().enumerate().map(of_param).collect();
    Subst::from_params(&item.generics, &args)
}

/// The traits that the implementation asks of the type and that few types have.
fn telling_bounds<'p>(program: &Program, item: &'p TraitImpl, ty: &Ty) -> Vec<&'p Path> {
    let of_type = item.bounds.iter().filter(|bound| bound.self_ty == *ty).map(|bound| &bound.path);
    of_type.filter(|path| !is_common(path) && !program.impls_of(path).is_empty()).collect()
}

/// Whether the front end could not read the type: one that stands inside a function has no name elsewhere.
fn is_unread(ty: &Ty) -> bool {
    let mut unread = false;
    let mut look = |part: Ty| {
        unread |= matches!(part.kind(), TyKind::Unsupported(_));
        part
    };
    ty.map(&mut look, &mut |constant| constant);
    unread
}

/// Whether only the models have the type: the real standard library does not know their private ones.
fn is_of_models(program: &Program, ty: &Ty) -> bool {
    let TyKind::Adt(path, _) = ty.kind() else { return false };
    let is_private = |adt: &Adt| adt.visibility == Visibility::Private;
    path.is_of_std() && program.adt(path).is_some_and(is_private)
}
