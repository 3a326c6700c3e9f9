//! Which types hold values of themselves.

use std::collections::BTreeSet;

use super::super::resolve::normalize;
use crate::ir::{GenericArg, Program, Ty, TyKind};

/// Types that are looked at. Parameters may be nested in each other without end.
const MOST_TYPES: usize = 300;

/// Whether a value of the type, which may hold values of these, may hold another one. If too much would have to be looked at it is taken to.
pub(super) fn holds_itself(held: &BTreeSet<Ty>, ty: &Ty) -> bool {
    held.contains(ty) || held.len() >= MOST_TYPES
}

/// The types of values that a value of the type may hold, however deep; not all if there are too many.
pub(super) fn held(program: &Program, ty: &Ty) -> BTreeSet<Ty> {
    let mut seen: BTreeSet<Ty> = BTreeSet::new();
    let mut open = parts(program, ty);
    while let Some(part) = open.pop().filter(|_| seen.len() < MOST_TYPES) {
        if seen.insert(part.clone()) {
            open.extend(parts(program, &part));
        }
    }
    seen
}

/// The types that stand in this one, and in the fields of what it is.
fn parts(program: &Program, ty: &Ty) -> Vec<Ty> {
    match ty.kind() {
        TyKind::Ref(_, inner) | TyKind::RawPtr(_, inner) | TyKind::Slice(inner) | TyKind::Array(inner, _) => {
            vec![inner.clone()]
        }
        TyKind::Tuple(tys) => tys.clone(),
        TyKind::Adt(path, args) => {
            let of_args = args.iter().filter_map(|arg| match arg {
                GenericArg::Ty(ty) => Some(ty.clone()),
                GenericArg::Const(_) => None,
            });
            // What a type of std holds is what it is given.
            let own = program.adt(path).filter(|_| !path.is_of_std());
            let of_fields = own.into_iter().flat_map(|adt| {
                let fields = (0..adt.variants.len()).flat_map(|variant| adt.field_types(variant, args));
                fields.map(|ty| normalize(program, &ty)).collect::<Vec<_>>()
            });
            of_args.chain(of_fields).collect()
        }
        _ => Vec::new(),
    }
}
