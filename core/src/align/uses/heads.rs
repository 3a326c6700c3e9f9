//! Implementations of a trait by the head of the type that they are for, as a table: most calls are held against few of them.
//!
//! *Invariant.* Two types that may be one ([`may_match`](crate::align::types::may_match)) have the same head, or one of them has none.

use rustc_hash::FxHashMap;

use crate::ir::*;

/// What a type is without its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Head {
    Adt(Path),
    Closure(Path),
    Tuple(usize),
    Array,
    Slice,
    FnPtr(usize),
    FnDef,
    Dyn,
    Ref(Mutability, Box<Head>),
    RawPtr(Mutability, Box<Head>),
    /// One that has no arguments.
    Whole(TyKind),
}

impl Head {
    /// None if it depends on what stands for parameters.
    fn of(ty: &Ty) -> Option<Head> {
        Some(match ty.kind() {
            TyKind::Param(_) | TyKind::Projection { .. } | TyKind::Unsupported(_) => return None,
            TyKind::Adt(path, _) => Head::Adt(path.clone()),
            TyKind::Closure(path, _) => Head::Closure(path.clone()),
            TyKind::Tuple(tys) => Head::Tuple(tys.len()),
            TyKind::Array(..) => Head::Array,
            TyKind::Slice(_) => Head::Slice,
            TyKind::FnPtr { inputs, .. } => Head::FnPtr(inputs.len()),
            TyKind::FnDef(_) => Head::FnDef,
            TyKind::Dyn(_) => Head::Dyn,
            TyKind::Ref(mutability, inner) => Head::Ref(*mutability, Box::new(Head::of(inner)?)),
            TyKind::RawPtr(mutability, inner) => Head::RawPtr(*mutability, Box::new(Head::of(inner)?)),
            whole @ (TyKind::Bool
            | TyKind::Char
            | TyKind::Int(_)
            | TyKind::Float(_)
            | TyKind::Str
            | TyKind::Never) => Head::Whole(whole.clone()),
        })
    }
}

/// The implementations of one trait. Each list is in the order of the program.
#[derive(Debug, Default)]
pub(super) struct ByHead {
    by_head: FxHashMap<Head, Vec<usize>>,
    /// For types without a head.
    open: Vec<usize>,
}

impl ByHead {
    pub fn new(program: &Program, of_trait: &[ImplId]) -> ByHead {
        let mut table = ByHead::default();
        for (place, id) in of_trait.iter().enumerate() {
            match Head::of(&program.impls[*id].trait_ref.self_ty) {
                Some(head) => table.by_head.entry(head).or_default().push(place),
                None => table.open.push(place),
            }
        }
        table
    }

    /// The places of those that may be for the type; none if that may be any.
    pub fn places(&self, ty: &Ty) -> Option<Vec<usize>> {
        let head = Head::of(ty)?;
        let mut places = self.open.clone();
        places.extend(self.by_head.get(&head).into_iter().flatten());
        places.sort_unstable();
        Some(places)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::types::may_match;

    /// Types of each kind, with and without parameters in them.
    fn types() -> Vec<Ty> {
        let (int, text) = (Ty::int(IntTy::U8), Ty::new(TyKind::Str));
        let param = Ty::new(TyKind::Param(Name::new("T")));
        let adt = |path: &str, arg: &Ty| Ty::adt(Path::new(path), vec![GenericArg::Ty(arg.clone())]);
        let inner = [int.clone(), text.clone(), param.clone(), adt("k::A", &int), adt("k::A", &param)];
        let around = |inner: &Ty| {
            let pointer = |inputs: Vec<Ty>| Ty::new(TyKind::FnPtr { inputs, output: inner.clone() });
            let shared = Ty::reference(Mutability::Shared, inner.clone());
            [
                inner.clone(),
                adt("k::B", inner),
                Ty::reference(Mutability::Mut, inner.clone()),
                Ty::reference(Mutability::Shared, shared.clone()),
                shared,
                Ty::new(TyKind::RawPtr(Mutability::Shared, inner.clone())),
                Ty::new(TyKind::Slice(inner.clone())),
                Ty::new(TyKind::Tuple(vec![inner.clone()])),
                pointer(vec![inner.clone()]),
                pointer(Vec::new()),
            ]
        };
        inner.iter().flat_map(around).collect()
    }

    #[test]
    fn types_that_may_be_one_have_one_head_or_none() {
        let types = types();
        for a in &types {
            for b in types.iter().filter(|b| may_match(a, b)) {
                let heads = (Head::of(a), Head::of(b));
                assert!(matches!(&heads, (None, _) | (_, None)) || heads.0 == heads.1, "{a} {b}");
            }
        }
    }
}
