//! Of which types of dependencies nobody outside can have values.
//!
//! A type of a dependency can be written down if it is public, all that it consists of is, and so on within. Others only their own crate makes,
//! and functions that take them as arguments cannot be run natively. So such a type is the last to be chosen for a parameter.

use std::collections::HashSet;

use crate::ir::{AdtKind, GenericArg, Name, Origin, Path, Program, Ty, TyKind, Visibility};

/// The crates that are compared.
pub(super) fn own_crates(program: &Program) -> HashSet<Name> {
    let subjects = program.functions.iter().filter(|function| function.origin == Origin::Subject);
    // A method of an implementation for a trait begins with its type.
    subjects
        .filter(|function| !function.path.as_str().starts_with('<'))
        .map(|function| Name::new(function.path.crate_name()))
        .collect()
}

/// Whether values of the type may be had outside of the crates of the types in it.
pub(super) fn is_open(program: &Program, own: &HashSet<Name>, ty: &Ty) -> bool {
    Looking { program, own, seen: HashSet::new() }.is_open(ty)
}

struct Looking<'p> {
    program: &'p Program,
    own: &'p HashSet<Name>,
    /// Types that are being looked at, or were.
    seen: HashSet<Path>,
}

impl Looking<'_> {
    fn is_open(&mut self, ty: &Ty) -> bool {
        match ty.kind() {
            TyKind::Ref(_, inner)
            | TyKind::RawPtr(_, inner)
            | TyKind::Slice(inner)
            | TyKind::Array(inner, _) => self.is_open(inner),
            TyKind::Tuple(tys) => tys.iter().all(|ty| self.is_open(ty)),
            TyKind::Adt(path, args) => {
                let of_args = args.iter().all(|arg| match arg {
                    GenericArg::Ty(ty) => self.is_open(ty),
                    GenericArg::Const(_) => true,
                });
                of_args && self.is_declared_open(path)
            }
            _ => true,
        }
    }

    fn is_declared_open(&mut self, path: &Path) -> bool {
        if path.is_of_std() || self.own.contains(&Name::new(path.crate_name())) {
            return true;
        }
        // What stands in the body of a function is in no list.
        let Some(adt) = self.program.adt(path) else { return false };
        if !self.seen.insert(path.clone()) {
            return true;
        }
        let is_public = |visibility: Visibility| match adt.kind {
            AdtKind::Enum => true,
            AdtKind::Struct | AdtKind::Union => visibility == Visibility::Public,
        };
        // What macros of the dependency need is public, too, and nobody else is to name it.
        let name = self.program.public_name(path);
        if name.as_str().split("::").any(|segment| segment.starts_with("__")) {
            return false;
        }
        let mut fields = adt.variants.iter().flat_map(|variant| &variant.fields);
        adt.visibility == Visibility::Public
            && fields.all(|field| is_public(field.visibility) && self.is_open(&field.ty))
    }
}
