//! What is asked of types: whether a part of one is such and such, and whether an implementation may be for what a call asks for.

use rustc_hash::FxHashMap;

use crate::ir::*;

pub(super) fn each_ty(args: &[GenericArg], on_ty: &mut dyn FnMut(&Ty)) {
    for arg in args {
        if let GenericArg::Ty(ty) = arg {
            on_ty(ty);
        }
    }
}

/// Whether the type is that of the pointer within a box.
pub(super) fn is_non_null(ty: &Ty) -> bool {
    matches!(ty.kind(), TyKind::Adt(path, _) if path.as_str() == "std::ptr::NonNull")
}

/// Whether which type this is depends on what stands for parameters, or on the value at run time.
pub(super) fn is_open(ty: &Ty) -> bool {
    holds(ty, &|part| {
        matches!(part, TyKind::Param(_) | TyKind::Projection { .. } | TyKind::Dyn(_) | TyKind::Unsupported(_))
    })
}

/// Whether only the type of the value at run time is known, or known to the function that gives it.
pub(super) fn is_hidden(part: &TyKind) -> bool {
    matches!(part, TyKind::Dyn(_) | TyKind::Unsupported(_))
}

/// Whether some part of the type is an object.
pub(super) fn holds_object(ty: &Ty) -> bool {
    holds(ty, &|part| matches!(part, TyKind::Dyn(_)))
}

/// Whether some part of the type, or the type itself, is such.
pub(super) fn holds(ty: &Ty, is_such: &dyn Fn(&TyKind) -> bool) -> bool {
    ty.has_part(is_such)
}

/// Whether two types may be one once parameters on either side are filled in. Errs towards yes.
pub(super) fn may_match(a: &Ty, b: &Ty) -> bool {
    use TyKind::*;
    match (a.kind(), b.kind()) {
        (Param(_) | Projection { .. } | Unsupported(_), _)
        | (_, Param(_) | Projection { .. } | Unsupported(_)) => true,
        (Adt(p, ps), Adt(q, qs)) | (Closure(p, ps), Closure(q, qs)) => p == q && may_match_args(ps, qs),
        (Tuple(ps), Tuple(qs)) => ps.len() == qs.len() && ps.iter().zip(qs).all(|(p, q)| may_match(p, q)),
        // Lengths are not looked at.
        (Array(p, _), Array(q, _)) | (Slice(p), Slice(q)) => may_match(p, q),
        (Ref(m, p), Ref(n, q)) | (RawPtr(m, p), RawPtr(n, q)) => m == n && may_match(p, q),
        (FnPtr { inputs: pi, .. }, FnPtr { inputs: qi, .. }) => pi.len() == qi.len(),
        (FnDef(_), FnDef(_)) => true,
        (Dyn(ps), Dyn(qs)) => ps.iter().any(|p| qs.iter().any(|q| p.path == q.path)),
        (p, q) => p == q,
    }
}

/// Whether a function that takes or gives the one type may be called as one with the other: scalars are passed as scalars of their size, pointers as pointers. Of other types
/// nothing is said.
///
/// *Source.* The documentation of `fn` pointers in std, "ABI compatibility".
pub(super) fn may_be_passed_as(a: &Ty, b: &Ty) -> bool {
    #[derive(PartialEq, Eq)]
    enum Passed {
        Pointer,
        Bits(u32),
        Float(FloatTy),
    }
    let passed = |ty: &Ty| match ty.kind() {
        TyKind::Ref(..) | TyKind::RawPtr(..) | TyKind::FnPtr { .. } => Some(Passed::Pointer),
        TyKind::Bool => Some(Passed::Bits(8)),
        TyKind::Char => Some(Passed::Bits(32)),
        TyKind::Int(ty) => Some(Passed::Bits(ty.bits())),
        TyKind::Float(ty) => Some(Passed::Float(*ty)),
        _ => None,
    };
    match (passed(a), passed(b)) {
        // That is not defined, and works.
        (Some(Passed::Pointer), Some(Passed::Bits(bits)))
        | (Some(Passed::Bits(bits)), Some(Passed::Pointer)) => {
            matches!(bits, 32 | 64)
        }
        (Some(a), Some(b)) => a == b,
        _ => true,
    }
}

/// Missing arguments are defaulted ones, so they match.
fn may_match_args(a: &[GenericArg], b: &[GenericArg]) -> bool {
    a.iter().zip(b).all(|pair| match pair {
        (GenericArg::Ty(a), GenericArg::Ty(b)) => may_match(a, b),
        _ => true,
    })
}

/// Whether an implementation may be for what is asked for, once parameters on either side are filled in. A parameter of the implementation stands for
/// one type, wherever it occurs. Errs towards yes.
pub(super) fn may_implement(implemented: &TraitRef, asked: &TraitRef) -> bool {
    if !may_match(&implemented.self_ty, &asked.self_ty) || !may_match_args(&implemented.args, &asked.args) {
        return false;
    }
    let mut bound: FxHashMap<&Name, Vec<&Ty>> = FxHashMap::default();
    bind(&implemented.self_ty, &asked.self_ty, &mut bound);
    bind_args(&implemented.args, &asked.args, &mut bound);
    bound.values().all(|tys| {
        tys.iter().enumerate().all(|(index, ty)| tys[..index].iter().all(|other| may_match(ty, other)))
    })
}

/// Notes the types that stand where the first type has parameters.
fn bind<'t>(open: &'t Ty, given: &'t Ty, bound: &mut FxHashMap<&'t Name, Vec<&'t Ty>>) {
    use TyKind::*;
    match (open.kind(), given.kind()) {
        (Param(name), _) => bound.entry(name).or_default().push(given),
        (Adt(_, open), Adt(_, given)) | (Closure(_, open), Closure(_, given)) => {
            bind_args(open, given, bound);
        }
        (Tuple(open), Tuple(given)) => {
            open.iter().zip(given).for_each(|(open, given)| bind(open, given, bound));
        }
        (Array(open, _), Array(given, _))
        | (Slice(open), Slice(given))
        | (Ref(_, open), Ref(_, given))
        | (RawPtr(_, open), RawPtr(_, given)) => bind(open, given, bound),
        _ => {}
    }
}

fn bind_args<'t>(
    open: &'t [GenericArg],
    given: &'t [GenericArg],
    bound: &mut FxHashMap<&'t Name, Vec<&'t Ty>>,
) {
    for pair in open.iter().zip(given) {
        if let (GenericArg::Ty(open), GenericArg::Ty(given)) = pair {
            bind(open, given, bound);
        }
    }
}
