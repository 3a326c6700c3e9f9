//! What values of a type have that is not compared.

use std::collections::BTreeSet;

use crate::ir::known::shown::{Aspect, Beside};
use crate::ir::{Adt, AdtKind, GenericArg, Mutability, Path, Program, Ty, TyKind};

/// What a type of the standard library adds to its arguments; none if nobody has looked.
fn of_library(path: &Path) -> Option<&'static [Aspect]> {
    match path.known_type()?.row().beside {
        Beside::Aspects(aspects) => Some(aspects),
        Beside::Unjudged => None,
    }
}

/// All that values of the type have and the comparison leaves out.
pub fn uncompared(program: &Program, ty: &Ty) -> BTreeSet<Aspect> {
    let mut found = BTreeSet::new();
    let mut open = vec![ty.clone()];
    // Each generic type is looked at once: its arguments are looked at whenever it is named.
    let mut seen: BTreeSet<Path> = BTreeSet::new();
    while let Some(ty) = open.pop() {
        match ty.kind() {
            TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Str | TyKind::Never => {}
            TyKind::Float(_) => {
                found.insert(Aspect::NanBits);
            }
            TyKind::Tuple(parts) => open.extend(parts.iter().cloned()),
            TyKind::Array(part, _) | TyKind::Slice(part) => open.push(part.clone()),
            TyKind::Ref(mutability, target) => {
                found.insert(Aspect::Address);
                found.insert(match mutability {
                    Mutability::Shared => Aspect::Lent,
                    Mutability::Mut => Aspect::Written,
                });
                open.push(target.clone());
            }
            TyKind::RawPtr(..) => found.extend([Aspect::Address, Aspect::Written]),
            TyKind::Closure(..)
            | TyKind::FnPtr { .. }
            | TyKind::FnDef(_)
            | TyKind::Dyn(_)
            | TyKind::Param(_)
            | TyKind::Projection { .. } => {
                found.insert(Aspect::Code);
            }
            TyKind::Unsupported(_) => {
                found.insert(Aspect::Unknown);
            }
            TyKind::Adt(path, args) => {
                open.extend(args.iter().filter_map(|arg| match arg {
                    GenericArg::Ty(ty) => Some(ty.clone()),
                    GenericArg::Const(_) => None,
                }));
                if let Some(aspects) = of_library(path) {
                    found.extend(aspects);
                } else if let Some(adt) = program.adt(path).filter(|adt| is_its_fields(program, adt)) {
                    if seen.insert(path.clone()) {
                        let variants = 0..adt.variants.len();
                        open.extend(variants.flat_map(|variant| adt.field_types(variant, args)));
                    }
                } else {
                    found.insert(Aspect::Unknown);
                }
            }
        }
    }
    found
}

/// Whether all there is to a value of the type is in its fields, as they are declared.
fn is_its_fields(program: &Program, adt: &Adt) -> bool {
    adt.kind != AdtKind::Union
        && !["std", "core", "alloc"].contains(&adt.origin_crate.as_str())
        && !program.is_ambiguous_adt(&adt.path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{FloatTy, IntTy, KnownType};

    #[test]
    fn each_kind_of_value_has_its_aspects() {
        use Aspect::*;
        let program = Program::default();
        let check = |ty: &Ty, expected: &[Aspect]| {
            assert_eq!(uncompared(&program, ty), expected.iter().copied().collect(), "{ty}");
        };
        let int = Ty::int(IntTy::U8);
        let of = |head: KnownType, ty: &Ty| Ty::adt(head, vec![GenericArg::Ty(ty.clone())]);
        check(&int, &[]);
        check(&of(KnownType::Option, &int), &[]);
        check(&of(KnownType::Vec, &int), &[Address, Capacity]);
        check(&of(KnownType::Option, &of(KnownType::Box, &int)), &[Address]);
        check(&Ty::reference(Mutability::Shared, int.clone()), &[Address, Lent]);
        check(&Ty::reference(Mutability::Mut, int.clone()), &[Address, Written]);
        check(&Ty::new(TyKind::Tuple(vec![int.clone(), Ty::new(TyKind::Float(FloatTy::F32))])), &[NanBits]);
        check(&of(KnownType::Rc, &int), &[Address, Sharing]);
        check(&Ty::new(TyKind::Dyn(Vec::new())), &[Code]);
        check(&Ty::adt("std::never::HeardOf", vec![GenericArg::Ty(int)]), &[Unknown]);
        check(&Ty::adt("other::Thing", Vec::new()), &[Unknown]);
    }
}
