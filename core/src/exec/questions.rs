//! What models ask about the types that they are used with, so that they call code of the program as the standard library does, or
//! say that they do not know.
//!
//! The library is specialised: where it knows that a clone is a copy it copies memory instead of calling `clone`, where one is `Eq` it takes one pointer to be
//! equal to itself, and so on. And some models are exact for *plain* types only. One answer of each question is always right, and costs steps
//! or a proof; which one that is, the models' `intrinsics` say.

mod iterators;

use super::builtins::classify;
use super::cells::{Found, Holdings};
use super::intrinsics::Intrinsic;
use super::resolve::{find_impl, implements, needs_drop, normalize};
use crate::ir::known::types::{Compared, Copied};
use crate::ir::{
    Body, Callee, FnRef, GenericArg, KnownTrait, KnownType, Mutability, Name, Origin, Program, Subst,
    TerminatorKind, TraitRef, Ty, TyKind,
};
pub(crate) use iterators::{is_asked_by_next, is_iterator_of_std};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whether equal values are sure to have equal hashes.
    HashFollowsEq,
    NeedsDrop,
    IsCopy,
    IsEq,
    HasNoSize,
    /// Whether comparing, cloning and dropping is lawful, has no effects and always returns: all implementations are built-in, the library's or derived.
    IsPlain,
    /// Whether that, and borrowing the second type from the first as well.
    IsFoundPlainly,
    /// Whether nothing can be written through references to such values.
    IsUnseen,
    HintIsWritten,
    /// Whether `eq` of two iterators compares their lengths first, and somebody sees that.
    ComparesLengths,
    /// Whether `zip` takes the items of both by their positions, and somebody sees that.
    ZipsByIndex,
    /// Whether nobody sees it if an iterator is asked for one more item, or for one less; it never is sure that somebody does.
    AsksUnseen,
    /// Whether nobody sees it if what `skip` leaves out is not asked for, as it is not where items are taken by their positions.
    SkipsUnseen,
    /// Whether the library takes an iterator to stay at its end.
    IsFused,
}

/// The answer to the question that a call asks; none if it asks none, or not about closed types.
pub(crate) fn asked(program: &Program, fn_ref: &FnRef) -> Option<bool> {
    let (Some(Intrinsic::Asks(question)), FnRef::Free { args, .. }) = (classify(fn_ref), fn_ref) else {
        return None;
    };
    let types: Vec<Ty> = type_args(args).map(|ty| normalize(program, ty)).collect();
    let is_closed = types.iter().all(Ty::is_closed);
    is_closed.then(|| answer(program, question, &types.iter().collect::<Vec<_>>())).flatten()
}

/// The answer for closed types.
pub fn answer(program: &Program, question: Question, types: &[&Ty]) -> Option<bool> {
    Some(match (question, types) {
        (Question::HashFollowsEq, [ty]) => hash_follows_eq(ty),
        (Question::NeedsDrop, [ty]) => needs_drop(program, ty),
        (Question::IsCopy, [ty]) => is_of_std(ty) && is_copy(program, ty)?,
        (Question::IsEq, [ty]) => is_eq(program, ty)?,
        (Question::HasNoSize, [ty]) => has_no_size(program, ty, 0)?,
        (Question::IsPlain, [ty]) => is_plain(program, ty),
        (Question::IsFoundPlainly, [key, sought]) => {
            // A type of the program may be borrowed as itself by the library alone.
            key == sought && is_plain(program, key) || is_of_std_plainly(key) && is_of_std_plainly(sought)
        }
        (Question::IsUnseen, [ty]) => is_unseen(program, ty),
        (Question::HintIsWritten, [ty]) => has_written_hints(program) && hint_is_written(program, ty),
        (Question::ComparesLengths, [a, b]) => iterators::compares_lengths(program, a, b)?,
        (Question::ZipsByIndex, [a, b]) => iterators::zips_by_index(program, a, b)?,
        (Question::AsksUnseen, [ty]) => iterators::is_silent(program, ty).then_some(true)?,
        (Question::SkipsUnseen, [ty]) => {
            let is_unseen = !iterators::skips_what_is_seen(program, ty) || iterators::has_no_trusted_len(ty);
            is_unseen.then_some(true)?
        }
        (Question::IsFused, [ty]) => iterators::is_fused(program, ty)?,
        _ => return None,
    })
}

fn type_args(args: &[GenericArg]) -> impl Iterator<Item = &Ty> {
    args.iter().filter_map(|arg| match arg {
        GenericArg::Ty(ty) => Some(ty),
        GenericArg::Const(_) => None,
    })
}

/// Types whose `Hash` and `Eq` are the standard library's own. Those of other types may disagree, and then a map does not find
/// what it holds.
fn hash_follows_eq(ty: &Ty) -> bool {
    match ty.kind() {
        TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Str => true,
        TyKind::Ref(_, ty) | TyKind::Slice(ty) | TyKind::Array(ty, _) => hash_follows_eq(ty),
        TyKind::Tuple(tys) => tys.iter().all(hash_follows_eq),
        TyKind::Adt(path, args) => {
            matches!(
                path.known_type(),
                Some(KnownType::String | KnownType::Vec | KnownType::Option | KnownType::Box)
            ) && type_args(args).all(hash_follows_eq)
        }
        _ => false,
    }
}

/// Built-in, or among the library's types whose implementations all are plain if those of their parameters are.
fn is_of_std_plainly(ty: &Ty) -> bool {
    parts_are_plain(ty, &mut |_| false)
}

fn is_plain(program: &Program, ty: &Ty) -> bool {
    is_plain_within(program, ty, &mut Vec::new())
}

/// `around` are the types of the program that it is a part of.
fn is_plain_within(program: &Program, ty: &Ty, around: &mut Vec<Ty>) -> bool {
    parts_are_plain(ty, &mut |ty| {
        // Values are finite, so a type may be part of itself.
        if around.contains(ty) {
            return true;
        }
        let TyKind::Adt(path, args) = ty.kind() else { return false };
        let Some(id) = program.adt_id(path).filter(|_| !program.is_ambiguous_adt(path)) else { return false };
        let adt = &program.adts[id];
        let declared = &program.declared;
        let has = |of_trait: KnownTrait| implements(program, &implementation(of_trait, ty)) != Some(false);
        let is_left_alone = declared.compared_by_parts.contains(&id)
            && (declared.cloned_by_parts.contains(&id) || !has(KnownTrait::Clone))
            && !has(KnownTrait::Drop);
        if !is_left_alone || around.len() >= MOST_TYPES_AROUND {
            return false;
        }
        around.push(ty.clone());
        let fields = (0..adt.variants.len()).flat_map(|variant| adt.field_types(variant, args));
        let are_plain =
            fields.collect::<Vec<_>>().iter().all(|field| is_plain_within(program, field, around));
        around.pop();
        are_plain
    })
}

/// Types in types are followed so far.
const MOST_TYPES_AROUND: usize = 16;

/// Built-in and the library's types are plain if what they are made of is; `other` says so of types of the program.
fn parts_are_plain(ty: &Ty, other: &mut dyn FnMut(&Ty) -> bool) -> bool {
    match ty.kind() {
        TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Float(_) | TyKind::Str | TyKind::Never => true,
        TyKind::Ref(_, ty) | TyKind::Slice(ty) | TyKind::Array(ty, _) => parts_are_plain(ty, other),
        TyKind::Tuple(tys) => tys.iter().all(|ty| parts_are_plain(ty, other)),
        TyKind::Adt(path, args) if path.is_of_std() => {
            let compared = path.known_type().map(|ty| ty.row().compared);
            compared == Some(Compared::Plainly) && type_args(args).all(|ty| parts_are_plain(ty, other))
        }
        TyKind::Adt(..) => other(ty),
        _ => false,
    }
}

/// Whether no type of a program is part of it. The library (1.95) copies instead of cloning only what it knows to be cloned by copying, which
/// of types of the program are those that derive both: their `clone` does the same.
fn is_of_std(ty: &Ty) -> bool {
    match ty.kind() {
        TyKind::Adt(path, args) => path.is_of_std() && type_args(args).all(is_of_std),
        TyKind::Tuple(tys) => tys.iter().all(is_of_std),
        TyKind::Array(ty, _) => is_of_std(ty),
        TyKind::Closure(..) | TyKind::Param(_) | TyKind::Projection { .. } | TyKind::Unsupported(_) => false,
        _ => true,
    }
}

/// Whether values of the type are copied; none where it cannot be told.
pub(crate) fn is_copy(program: &Program, ty: &Ty) -> Option<bool> {
    match ty.kind() {
        TyKind::Bool
        | TyKind::Char
        | TyKind::Int(_)
        | TyKind::Float(_)
        | TyKind::Never
        | TyKind::Ref(Mutability::Shared, _)
        | TyKind::RawPtr(..)
        | TyKind::FnDef(_)
        | TyKind::FnPtr { .. } => Some(true),
        TyKind::Str | TyKind::Slice(_) | TyKind::Dyn(_) | TyKind::Ref(Mutability::Mut, _) => Some(false),
        TyKind::Array(ty, _) => is_copy(program, ty),
        TyKind::Tuple(tys) => all(tys.iter().map(|ty| is_copy(program, ty))),
        TyKind::Adt(path, args) if path.is_of_std() => match path.known_type().map(|ty| ty.row().copied) {
            Some(Copied::ByParts) => all(type_args(args).map(|ty| is_copy(program, ty))),
            Some(Copied::Always) => Some(true),
            Some(Copied::Never) | None => Some(false),
        },
        TyKind::Adt(path, _) => {
            program.adt(path)?;
            implements(program, &implementation(KnownTrait::Copy, ty))
        }
        TyKind::Closure(..) | TyKind::Param(_) | TyKind::Projection { .. } | TyKind::Unsupported(_) => None,
    }
}

/// None where it cannot be told.
fn is_eq(program: &Program, ty: &Ty) -> Option<bool> {
    match ty.kind() {
        TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Str | TyKind::Never | TyKind::RawPtr(..) => {
            Some(true)
        }
        TyKind::Float(_) | TyKind::Dyn(_) => Some(false),
        TyKind::Ref(_, ty) | TyKind::Slice(ty) | TyKind::Array(ty, _) => is_eq(program, ty),
        TyKind::Tuple(tys) => all(tys.iter().map(|ty| is_eq(program, ty))),
        TyKind::Adt(path, args) if path.is_of_std() => all(type_args(args).map(|ty| is_eq(program, ty))),
        TyKind::Adt(path, _) => {
            program.adt(path)?;
            implements(program, &implementation(KnownTrait::Eq, ty))
        }
        _ => None,
    }
}

/// None where it cannot be told.
fn has_no_size(program: &Program, ty: &Ty, depth: usize) -> Option<bool> {
    const MAX_DEPTH: usize = 16;
    let of = |ty: &Ty| has_no_size(program, ty, depth + 1);
    match ty.kind() {
        TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Float(_) => Some(false),
        TyKind::Ref(..) | TyKind::RawPtr(..) | TyKind::FnPtr { .. } => Some(false),
        TyKind::FnDef(_) => Some(true),
        TyKind::Tuple(tys) => all(tys.iter().map(of)),
        TyKind::Array(ty, len) => match len.as_index() {
            Some(0) => Some(true),
            Some(_) => of(ty),
            None => None,
        },
        TyKind::Adt(path, args) => match path.known_type() {
            Some(KnownType::PhantomData) => Some(true),
            Some(KnownType::Option | KnownType::Result) => match all(type_args(args).map(of)) {
                Some(false) => Some(false),
                _ => None,
            },
            _ if path.is_of_std() => Some(false),
            _ => {
                let adt = program.adt(path)?;
                match adt.variants.len() {
                    1 if depth < MAX_DEPTH => all(adt.field_types(0, args).iter().map(of)),
                    0 | 1 => None,
                    // A tag, unless all variants but one cannot be.
                    _ => Some(false),
                }
            }
        },
        _ => None,
    }
}

/// True if all are, none if one of them cannot be told and no other is false.
fn all(answers: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut known = Some(true);
    for answer in answers {
        match answer {
            Some(false) => return Some(false),
            Some(true) => {}
            None => known = None,
        }
    }
    known
}

fn implementation(of: KnownTrait, ty: &Ty) -> TraitRef {
    TraitRef { self_ty: ty.clone(), path: of.into(), args: Vec::new() }
}

fn is_unseen(program: &Program, ty: &Ty) -> bool {
    if is_of_std_plainly(ty) {
        return true;
    }
    let holdings = Holdings::of(program, ty);
    [holdings.cells, holdings.unknown, holdings.raw_pointers].iter().all(|found| *found == Found::No)
}

/// Whether any iterator that is no model says how many items it has.
fn has_written_hints(program: &Program) -> bool {
    program.impls_of(&KnownTrait::Iterator.into()).iter().any(|id| {
        let hint = program.impls[*id].methods.get(&Name::new("size_hint"));
        hint.is_some_and(|hint| program.functions[*hint].origin != Origin::StdModel)
    })
}

fn hint_is_written(program: &Program, ty: &Ty) -> bool {
    match ty.kind() {
        TyKind::Ref(_, inner) => hint_is_written(program, inner),
        TyKind::Adt(path, args) if path.is_of_std() => {
            type_args(args).any(|ty| !is_item(ty) && hint_is_written(program, ty))
        }
        TyKind::Adt(..) => {
            let iterator = implementation(KnownTrait::Iterator, ty);
            match find_impl(program, &iterator) {
                Some((item, _)) => item.methods.contains_key(&Name::new("size_hint")),
                None => implements(program, &iterator) != Some(false),
            }
        }
        TyKind::Dyn(_) | TyKind::Param(_) | TyKind::Projection { .. } | TyKind::Unsupported(_) => true,
        _ => false,
    }
}

/// What is no iterator for sure.
fn is_item(ty: &Ty) -> bool {
    matches!(ty.kind(), TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Float(_) | TyKind::Str)
}

/// Whether the body asks something that cannot be told of the types that are given.
pub(crate) fn asks_what_cannot_be_told(program: &Program, body: &Body, given: &Subst) -> bool {
    body.blocks.iter().any(|block| {
        let TerminatorKind::Call { callee: Callee::Fn(fn_ref), .. } = &block.terminator.kind else {
            return false;
        };
        matches!(classify(fn_ref), Some(Intrinsic::Asks(_)))
            && asked(program, &given.fn_ref(fn_ref)).is_none()
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::ir::{Adt, AdtKind, CtorKind, Field, IntTy, Path, TraitImpl, Variant, Visibility};

    pub(super) fn adt(path: impl Into<Path>, args: Vec<Ty>) -> Ty {
        Ty::adt(path, args.into_iter().map(GenericArg::Ty).collect())
    }

    pub(super) fn byte() -> Ty {
        Ty::int(IntTy::U8)
    }

    #[track_caller]
    pub(super) fn check(question: Question, types: &[&Ty], expected: Option<bool>) {
        assert_eq!(answer(&Program::default(), question, types), expected, "{question:?} of {types:?}");
    }

    #[test]
    fn types_of_the_program_are_not_plain() {
        check(Question::IsPlain, &[&byte()], Some(true));
        check(
            Question::IsPlain,
            &[&adt(KnownType::Option, vec![adt(KnownType::Vec, vec![byte()])])],
            Some(true),
        );
        check(Question::IsPlain, &[&adt("k::Key", vec![])], Some(false));
        check(Question::IsPlain, &[&adt(KnownType::Vec, vec![adt("k::Key", vec![])])], Some(false));
        check(
            Question::IsPlain,
            &[&Ty::new(TyKind::Closure("k::f::{closure#0}".into(), Default::default()))],
            Some(false),
        );
    }

    /// A program with `k::Key`, which holds a byte and a `k::Deep`, and `k::Deep`, which holds keys.
    fn of_keys() -> Program {
        let field = |ty| Field { name: Name::new("x"), ty, visibility: Visibility::Private };
        let holds = |path: &str, tys: Vec<Ty>| Adt {
            path: Path::new(path),
            kind: AdtKind::Struct,
            generics: Vec::new(),
            bounds: Vec::new(),
            variants: vec![Variant {
                name: Name::new("K"),
                ctor: CtorKind::Tuple,
                fields: tys.into_iter().map(field).collect(),
                discriminant: 0,
            }],
            discriminant_ty: IntTy::Isize,
            visibility: Visibility::Public,
            origin_crate: Name::new("k"),
            span: None,
        };
        let mut program = Program::default();
        program.adts.push(holds("k::Key", vec![byte(), adt("k::Deep", vec![])]));
        program.adts.push(holds("k::Deep", vec![adt(KnownType::Vec, vec![adt("k::Key", vec![])])]));
        program.build_index();
        program
    }

    #[test]
    fn types_that_derive_all_are_plain_if_their_parts_are() {
        let mut program = of_keys();
        let [key, deep] = ["k::Key", "k::Deep"].map(|path| program.adt_id(&Path::new(path)).unwrap());
        let (key_ty, byte) = (adt("k::Key", vec![]), byte());
        let ask = |program: &Program, question, types: &[&Ty]| answer(program, question, types);
        program.declared.compared_by_parts.insert(key);
        assert_eq!(ask(&program, Question::IsPlain, &[&key_ty]), Some(false), "`Deep` is not");
        program.declared.compared_by_parts.insert(deep);
        assert_eq!(ask(&program, Question::IsPlain, &[&key_ty]), Some(true));
        assert_eq!(ask(&program, Question::IsFoundPlainly, &[&key_ty, &key_ty]), Some(true));
        assert_eq!(
            ask(&program, Question::IsFoundPlainly, &[&key_ty, &byte]),
            Some(false),
            "borrowed by the crate"
        );
        assert_eq!(ask(&program, Question::IsFoundPlainly, &[&byte, &byte]), Some(true));
        for of_trait in [KnownTrait::Clone, KnownTrait::Drop] {
            let mut other = program.clone();
            other.impls.push(TraitImpl {
                generics: Vec::new(),
                trait_ref: implementation(of_trait, &key_ty),
                bounds: Vec::new(),
                equalities: Vec::new(),
                methods: BTreeMap::new(),
                consts: BTreeMap::new(),
                types: BTreeMap::new(),
            });
            other.build_index();
            assert_eq!(ask(&other, Question::IsPlain, &[&key_ty]), Some(false), "{of_trait:?}");
            other.declared.cloned_by_parts.insert(key);
            let is_plain = of_trait == KnownTrait::Clone;
            assert_eq!(ask(&other, Question::IsPlain, &[&key_ty]), Some(is_plain), "{of_trait:?}");
        }
    }

    #[test]
    fn what_is_not_known_is_not_answered() {
        check(Question::IsCopy, &[&adt("k::Key", vec![])], Some(false));
        check(Question::IsEq, &[&adt("k::Key", vec![])], None);
        check(Question::IsEq, &[&Ty::new(TyKind::Tuple(vec![byte(), adt("k::Key", vec![])]))], None);
        check(
            Question::IsCopy,
            &[&Ty::new(TyKind::Tuple(vec![adt("k::Key", vec![]), adt(KnownType::Vec, vec![byte()])]))],
            Some(false),
        );
        check(Question::IsUnseen, &[&adt("k::Key", vec![])], Some(false));
        check(Question::IsUnseen, &[&Ty::new(TyKind::RawPtr(Mutability::Mut, byte()))], Some(false));
        check(Question::IsUnseen, &[&byte()], Some(true));
    }
}
