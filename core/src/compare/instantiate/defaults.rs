//! What the definitions of types say their parameters are where nobody says it: `struct Heap<T, C = Max>`.

use crate::ir::{FnId, GenericArg, Name, Owner, Path, Program, Ty, TyKind};

/// The defaults of the types that the function belongs to, takes or returns, where the parameter stands in the place of one that has a default.
/// Of the standard library these are integers alone: a hasher with random keys ends otherwise from run to run.
pub(super) fn of_param(program: &Program, function: FnId, param: &Name) -> Vec<Ty> {
    let item = &program.functions[function];
    let own = match &item.owner {
        Owner::Inherent { self_ty, .. } => Some(self_ty),
        Owner::TraitImpl(id) => Some(&program.impls[*id].trait_ref.self_ty),
        Owner::Free | Owner::Trait(_) | Owner::Within(_) => None,
    };
    let of_param = GenericArg::Ty(Ty::new(TyKind::Param(param.clone())));
    let mut found: Vec<Ty> = Vec::new();
    let mut note = |path: &Path, args: &[GenericArg]| {
        let Some(defaults) = program.param_defaults.get(path) else { return };
        for (default, arg) in defaults.iter().zip(args) {
            if let Some(default) = default
                && *arg == of_param
                && is_tried(default)
                && !found.contains(default)
            {
                found.push(default.clone());
            }
        }
    };
    for ty in own.into_iter().chain(&item.inputs).chain([&item.output]) {
        let mut look = |part: Ty| {
            if let TyKind::Adt(path, args) = part.kind() {
                note(path, args);
            }
            part
        };
        ty.map(&mut look, &mut |constant| constant);
    }
    found
}

fn is_tried(default: &Ty) -> bool {
    match default.kind() {
        TyKind::Int(_) => true,
        TyKind::Adt(path, args) => !path.is_of_std() && args.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::IntTy;

    #[test]
    fn defaults_that_nobody_but_the_standard_library_defines_are_not_tried() {
        let adt = |path: &str| Ty::adt(Path::new(path), Vec::new());
        assert!(is_tried(&Ty::int(IntTy::U32)));
        assert!(is_tried(&adt("k::Max")));
        assert!(!is_tried(&adt("std::hash::RandomState")));
        assert!(!is_tried(&Ty::new(TyKind::Param(Name::new("T")))));
    }
}
