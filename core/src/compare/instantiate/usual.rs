//! What is tried for parameters whatever is asked of them.

use super::CONSTANT;
use crate::ir::{
    Const, ConstTy, FloatTy, GenericArg, IntTy, KnownTrait, KnownType, Mutability, Path, Ty, TyKind,
};

/// What the constant parameter at a place stands for where nobody says it. Characters differ from place to place: two that are told apart
/// by what they are for hardly are the same.
pub(super) fn usual_constant(ty: ConstTy, place: usize) -> Const {
    match ty {
        ConstTy::Int(ty) => Const::int(CONSTANT, ty),
        ConstTy::Bool => Const::Bool(true),
        ConstTy::Char => Const::Char(('a'..='z').cycle().nth(place).unwrap_or('a')),
    }
}

/// Types that both the engine and native runs can make values of, the simplest first.
pub(super) fn usual_types() -> Vec<Ty> {
    let int = |ty| Ty::int(ty);
    let shared = |kind| Ty::reference(Mutability::Shared, Ty::new(kind));
    let vec = |elem| Ty::adt(KnownType::Vec, vec![GenericArg::Ty(elem)]);
    vec![
        int(IntTy::I32),
        int(IntTy::U8),
        int(IntTy::Usize),
        int(IntTy::U64),
        Ty::new(TyKind::Char),
        Ty::new(TyKind::Bool),
        shared(TyKind::Slice(int(IntTy::U8))),
        shared(TyKind::Str),
        Ty::adt(KnownType::String, Vec::new()),
        vec(int(IntTy::I32)),
        vec(int(IntTy::U8)),
        // What is read and sought in.
        Ty::adt(KnownType::Cursor, vec![GenericArg::Ty(vec(int(IntTy::U8)))]),
        Ty::new(TyKind::Float(FloatTy::F64)),
        Ty::unit(),
    ]
}

/// Elements of sequences of which nothing is asked.
pub(super) fn usual_elements() -> [Ty; 4] {
    let text = Ty::reference(Mutability::Shared, Ty::new(TyKind::Str));
    let of_system = Ty::reference(Mutability::Shared, Ty::adt(KnownType::OsStr, Vec::new()));
    [Ty::int(IntTy::I32), text, Ty::adt(KnownType::String, Vec::new()), of_system]
}

/// Sequences of these elements that have a trait of iteration.
pub(super) fn sequences(path: &Path, elems: Vec<Ty>) -> Vec<Ty> {
    let Some(head) = sequence(path) else { return Vec::new() };
    elems.into_iter().map(|elem| Ty::adt(head, vec![GenericArg::Ty(elem)])).collect()
}

/// What is a sequence that has the trait.
pub(super) fn sequence(path: &Path) -> Option<KnownType> {
    match path.known_trait()? {
        KnownTrait::IntoIterator | KnownTrait::FromIterator | KnownTrait::Extend => Some(KnownType::Vec),
        KnownTrait::Iterator | KnownTrait::DoubleEndedIterator | KnownTrait::ExactSizeIterator => {
            Some(KnownType::VecIntoIter)
        }
        _ => None,
    }
}
