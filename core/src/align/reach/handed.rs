//! What unknown code may call of values that it is handed: what is implemented for their types, at the arguments that these have.
//!
//! *Idea.* `assert_failed::<usize, Option<usize>>` may run `Debug` of `Option<usize>`, not of every `Option<T>` of the program.
//!
//! *Definition.* An implementation counts for a type `A<X>` that is part of a type that was handed on if `A` stands in its header and may be `A<X>` there; its parameters are
//! then what the header tells by that, and whatever is there where it does not tell. What is handed on comes with what its associated types are: an iterator with its items.

use std::collections::HashSet;

use super::{Node, Reach};
use crate::align::types::{each_ty, may_match};
use crate::align::uses::Unknown;
use crate::ir::{FnId, ImplId, Subst, Ty, TyKind};

/// An implementation that unknown code may call, with what its parameters stand for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Handed {
    pub id: ImplId,
    pub subst: Subst,
    pub to: Unknown,
}

impl Reach<'_, '_> {
    /// What is implemented for the parts of a type, and may be called by code that is handed a value of it.
    pub(super) fn handed_with(&self, ty: &Ty, to: Unknown) -> Vec<Handed> {
        let mut found = Vec::new();
        for part in named_types(ty) {
            let TyKind::Adt(path, _) = part.kind() else { continue };
            for adt in self.items.adts_at(path) {
                for id in self.impls_for(*adt, to) {
                    let substs = self.substs_by_part(id, &part).into_iter();
                    found.extend(substs.map(|subst| Handed { id, subst, to }));
                }
            }
        }
        found
    }

    /// What the parameters of the implementation stand for where a type in its header is this one, for each that may be.
    fn substs_by_part(&self, id: ImplId, part: &Ty) -> HashSet<Subst> {
        let header = &self.items.program.impls[id].trait_ref;
        let mut types = named_types(&header.self_ty);
        each_ty(&header.args, &mut |ty| types.extend(named_types(ty)));
        let may_be = types.iter().filter(|ty| is_same_head(ty, part) && may_match(ty, part));
        let subst = |ty| {
            let mut known = Subst::new();
            let known = if known.unify(ty, part) { known } else { Subst::new() };
            self.items.handed_impl(id, &known)
        };
        may_be.map(subst).collect()
    }

    pub(super) fn functions_of_handed(&self, handed: &Handed) -> Vec<(FnId, Subst)> {
        let functions = self.functions_of_impl(Node::Impl(handed.id)).filter(|id| !self.unused.contains(id));
        functions.map(|id| (id, self.items.handed_function(id, &handed.subst))).collect()
    }

    /// What is handed on with it: values of its associated types.
    pub(super) fn handed_by(&self, handed: &Handed) -> Vec<Handed> {
        let types = self.items.types_of_impl(handed.id, &handed.subst);
        types.iter().flat_map(|ty| self.handed_with(ty, handed.to)).collect()
    }
}

/// The type and all its parts that have a name and arguments.
fn named_types(ty: &Ty) -> Vec<Ty> {
    let mut found = Vec::new();
    ty.each_part(&mut |part| {
        if matches!(part.kind(), TyKind::Adt(..)) {
            found.push(part.clone());
        }
    });
    found
}

fn is_same_head(a: &Ty, b: &Ty) -> bool {
    matches!((a.kind(), b.kind()), (TyKind::Adt(a, _), TyKind::Adt(b, _)) if a == b)
}
