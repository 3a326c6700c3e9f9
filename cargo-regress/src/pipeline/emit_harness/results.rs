//! What of a result a harness can compare.

use std::collections::BTreeSet;

use regress_core::ir::{GenericArg, KnownTrait, KnownType, Path, Program, Ty, TyKind};

/// Types of the standard library whose `Debug` shows all there is, in one order. `HashMap` shows its entries in another order in each run.
const SHOWN: [KnownType; 14] = [
    KnownType::Option,
    KnownType::Result,
    KnownType::Ordering,
    KnownType::Box,
    KnownType::Rc,
    KnownType::Arc,
    KnownType::Cow,
    KnownType::String,
    KnownType::Vec,
    KnownType::VecDeque,
    KnownType::BTreeMap,
    KnownType::BTreeSet,
    KnownType::Duration,
    KnownType::NonZero,
];

/// Whether the `Debug` text of a value of the type is there and says the same of equal values in each version; the error says why not.
pub(super) fn shown(program: &Program, ty: &Ty) -> Result<(), String> {
    Shown { program, seen: BTreeSet::new() }.ty(ty)
}

struct Shown<'a> {
    program: &'a Program,
    /// Types of the crate that are being looked into.
    seen: BTreeSet<Path>,
}

impl Shown<'_> {
    fn ty(&mut self, ty: &Ty) -> Result<(), String> {
        match ty.kind() {
            TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Float(_) | TyKind::Str => Ok(()),
            TyKind::Tuple(tys) if tys.len() > 12 => {
                Err("tuples of more than 12 values have no `Debug`".into())
            }
            TyKind::Tuple(tys) => tys.iter().try_for_each(|ty| self.ty(ty)),
            TyKind::Array(inner, _) | TyKind::Slice(inner) | TyKind::Ref(_, inner) => self.ty(inner),
            TyKind::Adt(path, args) => {
                self.args(args)?;
                match path {
                    path if SHOWN.iter().any(|known| path == *known) => Ok(()),
                    path if path.is_of_std() => Err(not_shown(ty)),
                    path => self.own(path, args, ty),
                }
            }
            _ => Err(not_shown(ty)),
        }
    }

    fn args(&mut self, args: &[GenericArg]) -> Result<(), String> {
        args.iter().try_for_each(|arg| match arg {
            GenericArg::Ty(ty) => self.ty(ty),
            GenericArg::Const(_) => Ok(()),
        })
    }

    /// A type of the crate, and what it holds.
    fn own(&mut self, path: &Path, args: &[GenericArg], ty: &Ty) -> Result<(), String> {
        if !self.seen.insert(path.clone()) {
            return Ok(());
        }
        let is_of = |id: &_| {
            let implementation: &regress_core::ir::TraitImpl = &self.program.impls[*id];
            matches!(implementation.trait_ref.self_ty.kind(), TyKind::Adt(of, _) if of == path)
        };
        if !self.program.impls_of(&KnownTrait::Debug.into()).iter().any(is_of) {
            return Err(not_shown(ty));
        }
        let Some(adt) = self.program.adt(path) else { return Err(not_shown(ty)) };
        (0..adt.variants.len())
            .flat_map(|variant| adt.field_types(variant, args))
            .try_for_each(|ty| self.ty(&ty))
    }
}

fn not_shown(ty: &Ty) -> String {
    format!("`{ty}` in its result has no `Debug` that is known to be the same for equal values")
}

/// Whether results of both versions are of one type that has `==`, by which every value equals itself; the error says why not.
pub(super) fn comparable(ty: &Ty) -> Result<(), String> {
    match ty.kind() {
        TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Str => Ok(()),
        TyKind::Float(_) => Err("its result holds a float, which may not be equal to itself".into()),
        TyKind::Tuple(tys) if tys.len() > 12 => Err("tuples of more than 12 values have no `==`".into()),
        TyKind::Tuple(tys) => tys.iter().try_for_each(comparable),
        TyKind::Array(inner, _) | TyKind::Slice(inner) | TyKind::Ref(_, inner) => comparable(inner),
        TyKind::Adt(path, args) if path.is_of_std() && SHOWN.iter().any(|known| path == *known) => {
            args.iter().try_for_each(|arg| match arg {
                GenericArg::Ty(ty) => comparable(ty),
                GenericArg::Const(_) => Ok(()),
            })
        }
        _ => Err(format!("`{ty}` in its result is another type in each version, or has no `==`")),
    }
}

/// Whether a value of the type may borrow.
pub(super) fn borrows(ty: &Ty) -> bool {
    match ty.kind() {
        TyKind::Ref(..) => true,
        TyKind::Tuple(tys) => tys.iter().any(borrows),
        TyKind::Array(inner, _) | TyKind::Slice(inner) => borrows(inner),
        TyKind::Adt(path, args) => {
            path == KnownType::Cow || args.iter().any(|arg| matches!(arg, GenericArg::Ty(ty) if borrows(ty)))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use regress_core::ir::{FloatTy, IntTy, Mutability};

    use super::*;

    fn adt(path: &str, args: &[Ty]) -> Ty {
        Ty::new(TyKind::Adt(Path::new(path), args.iter().cloned().map(GenericArg::Ty).collect()))
    }

    #[track_caller]
    fn check(ty: &Ty, is_shown: bool, is_comparable: bool) {
        let found = (shown(&Program::default(), ty).is_ok(), comparable(ty).is_ok());
        assert_eq!(found, (is_shown, is_comparable), "{ty}");
    }

    #[test]
    fn values_are_shown_and_compared_by_their_types() {
        let int = Ty::int(IntTy::U8);
        let float = Ty::new(TyKind::Float(FloatTy::F32));
        let text = Ty::new(TyKind::Ref(Mutability::Shared, Ty::new(TyKind::Str)));
        check(&int, true, true);
        check(&float, true, false);
        check(&text, true, true);
        check(&adt("std::option::Option", std::slice::from_ref(&text)), true, true);
        check(&adt("std::vec::Vec", &[float]), true, false);
        check(&adt("std::collections::HashMap", &[int.clone(), int.clone()]), false, false);
        check(&adt("k::Own", &[]), false, false);
        check(&Ty::new(TyKind::RawPtr(Mutability::Mut, int.clone())), false, false);
        check(&Ty::new(TyKind::Never), false, false);
        assert!(borrows(&adt("std::vec::Vec", &[text])) && !borrows(&int));
    }
}
