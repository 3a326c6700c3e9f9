//! Which parameter is chosen first.
//!
//! What is called, and what yields elements, is put together of the types that a bound names: `F: FnMut(u8) -> Option<T>`, `I: Iterator<Item = T>`. If
//! these are parameters, they are chosen before, wherever they stand.

use crate::ir::{Bound, GenericArg, GenericParam, KnownTrait, Ty, TyKind};

use super::is_open;

/// The places of the parameters, in the order in which they are chosen.
pub(super) struct Order(Vec<usize>);

pub(super) fn of_choice(params: &[GenericParam], bounds: &[Bound]) -> Order {
    let needs = |param: &GenericParam, other: &GenericParam| {
        let of_param = TyKind::Param(param.name.clone());
        let on_param = bounds.iter().filter(|bound| *bound.trait_ref.self_ty.kind() == of_param);
        on_param.filter(|bound| is_put_together(bound)).any(|bound| {
            let named = bound.assoc_types.iter().map(|(_, ty)| ty);
            let args = bound.trait_ref.args.iter().filter_map(|arg| match arg {
                GenericArg::Ty(ty) => Some(ty),
                GenericArg::Const(_) => None,
            });
            named.chain(args).any(|ty| names(ty, other))
        })
    };
    let mut left: Vec<usize> = (0..params.len()).collect();
    let mut order = Vec::new();
    while !left.is_empty() {
        let is_free = |at: &usize| {
            let others = left.iter().filter(|other| *other != at);
            !others.into_iter().any(|other| needs(&params[*at], &params[*other]))
        };
        // Parameters that need each other keep their order.
        let next = left.iter().position(is_free).unwrap_or(0);
        order.push(left.remove(next));
    }
    Order(order)
}

/// Whether candidates for what has such a bound are made of the types that the bound names.
fn is_put_together(bound: &Bound) -> bool {
    let known = bound.trait_ref.path.known_trait();
    known.is_some_and(KnownTrait::is_call)
        || bound.assoc_types.iter().any(|(name, _)| name == "Item")
        || matches!(known, Some(KnownTrait::FromIterator | KnownTrait::Extend))
}

/// Whether the type is known only once the parameter is.
fn names(ty: &Ty, param: &GenericParam) -> bool {
    if !is_open(ty) {
        return false;
    }
    match ty.kind() {
        TyKind::Param(name) => *name == param.name,
        TyKind::Ref(_, inner) | TyKind::RawPtr(_, inner) | TyKind::Slice(inner) | TyKind::Array(inner, _) => {
            names(inner, param)
        }
        TyKind::Tuple(tys) => tys.iter().any(|ty| names(ty, param)),
        TyKind::Adt(_, args) => args.iter().any(|arg| matches!(arg, GenericArg::Ty(ty) if names(ty, param))),
        TyKind::Projection { trait_ref, .. } => {
            *trait_ref.self_ty.kind() == TyKind::Param(param.name.clone())
        }
        _ => false,
    }
}

impl Order {
    /// What goes by the places of the parameters, in the order in which they are chosen.
    pub(super) fn put<T>(&self, by_place: Vec<T>) -> Vec<T> {
        let mut by_place: Vec<Option<T>> = by_place.into_iter().map(Some).collect();
        self.0.iter().filter_map(|at| by_place.get_mut(*at)?.take()).collect()
    }

    /// What goes by the order in which parameters are chosen, by their places.
    pub(super) fn undo<T>(&self, chosen: Vec<T>) -> Vec<T> {
        let mut placed: Vec<(usize, T)> = self.0.iter().copied().zip(chosen).collect();
        placed.sort_by_key(|(at, _)| *at);
        placed.into_iter().map(|(_, of_param)| of_param).collect()
    }
}
