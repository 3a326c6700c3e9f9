//! Types that stand for generic parameters which no ordinary type can stand for: closures, hashers and what makes hashers.
//!
//! They are declared in the models of the standard library and once more in the harness. A closure is taken for a pure
//! function that gives one answer for all arguments but two: few enough for a solver, and enough to tell arguments apart. What
//! closures keep, and what they do besides answering, is left out, so a proof with them says with which it holds.

use super::{FnRef, GenericArg, KnownType, Mutability, Path, Ty, TyKind};

/// The stand-in for closures that take these arguments (a tuple) and give such an answer, if there is one. What
/// only has effects has none: a pure function would leave nothing of it. What it is lent to change it only looks at.
pub fn function(arguments: &Ty, answer: &Ty) -> Option<Ty> {
    let TyKind::Tuple(parameters) = arguments.kind() else { return None };
    let parameters: Vec<Ty> = parameters.iter().map(looked_at).collect();
    let is_plain = parameters.len() <= MOST_PARAMETERS && parameters.iter().all(can_be_compared);
    let says_something = *answer != Ty::unit() && can_be_answer(answer);
    let args = vec![GenericArg::Ty(Ty::new(TyKind::Tuple(parameters))), GenericArg::Ty(answer.clone())];
    (is_plain && says_something).then(|| Ty::adt(KnownType::Function, args))
}

/// Whether a stand-in with these parameters can be called with such arguments.
pub fn takes(parameters: &[Ty], arguments: &[Ty]) -> bool {
    arguments.iter().map(looked_at).eq(parameters.iter().cloned())
}

/// The parameter of a stand-in in the place of one of this type.
fn looked_at(parameter: &Ty) -> Ty {
    match parameter.kind() {
        TyKind::Ref(Mutability::Mut, inner) => Ty::reference(Mutability::Shared, inner.clone()),
        _ => parameter.clone(),
    }
}

/// As many as the harness has a way to call with.
const MOST_PARAMETERS: usize = 3;

fn can_be_compared(ty: &Ty) -> bool {
    match ty.kind() {
        TyKind::Ref(Mutability::Shared, inner) => {
            matches!(inner.kind(), TyKind::Str) || can_be_compared(inner)
        }
        TyKind::Slice(elem) => can_be_compared(elem),
        _ => can_be_answer(ty),
    }
}

fn can_be_answer(ty: &Ty) -> bool {
    match ty.kind() {
        TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Float(_) => true,
        TyKind::Tuple(tys) => tys.iter().all(can_be_answer),
        TyKind::Array(elem, _) => can_be_answer(elem),
        TyKind::Adt(_, args) => args.iter().all(|arg| match arg {
            GenericArg::Ty(ty) => can_be_answer(ty),
            GenericArg::Const(_) => true,
        }),
        _ => false,
    }
}

/// The types of the parameters and of the answer, if the type stands for closures.
pub fn as_function(ty: &Ty) -> Option<(&[Ty], &Ty)> {
    match ty.kind() {
        TyKind::Adt(path, args) if path == KnownType::Function => match args.as_slice() {
            [GenericArg::Ty(arguments), GenericArg::Ty(answer)] => match arguments.kind() {
                TyKind::Tuple(parameters) => Some((parameters, answer)),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// What runs where a stand-in of this type is called; it takes a reference to it and the arguments as a tuple.
pub fn answer(ty: Ty) -> FnRef {
    let path = Path::new(format!("{}::answer", KnownType::Function.path()));
    FnRef::Inherent { path, self_ty: ty, args: Vec::new() }
}

/// Whether the type is the hasher that keeps what it is fed.
pub fn is_recorder(ty: &Ty) -> bool {
    ty.known() == Some(KnownType::Recorder)
}

/// What the type stands for, in words.
pub fn described(ty: &Ty) -> Option<String> {
    match ty.known() {
        Some(KnownType::Recorder) => return Some("a hasher that keeps what it is fed".into()),
        Some(KnownType::Hashes) => return Some("hashes of one fixed function".into()),
        _ => {}
    }
    let (parameters, answer) = as_function(ty)?;
    let parameters: Vec<String> = parameters.iter().map(ToString::to_string).collect();
    let signature = format!("({}) -> {answer}", parameters.join(", "));
    Some(format!("a pure closure {signature} with one answer to all arguments but two"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::IntTy;

    fn tuple(tys: &[Ty]) -> Ty {
        Ty::new(TyKind::Tuple(tys.to_vec()))
    }

    #[test]
    fn closures_that_answer_have_a_stand_in() {
        let (byte, truth) = (Ty::int(IntTy::U8), Ty::new(TyKind::Bool));
        let text = Ty::reference(Mutability::Shared, Ty::new(TyKind::Str));
        let found = function(&tuple(&[text.clone(), byte.clone()]), &truth);
        let (parameters, answer) = found.as_ref().and_then(as_function).expect("there is one");
        assert_eq!((parameters, answer), (&[text, byte.clone()][..], &truth));
        let words = described(&function(&tuple(std::slice::from_ref(&byte)), &truth).expect("there is one"));
        let expected = "a pure closure (u8) -> bool with one answer to all arguments but two";
        assert_eq!(words.as_deref(), Some(expected));
    }

    #[test]
    fn what_closures_are_lent_to_change_their_stand_ins_look_at() {
        let byte = Ty::int(IntTy::U8);
        let [lent, seen] = [Mutability::Mut, Mutability::Shared].map(|way| Ty::reference(way, byte.clone()));
        let found = function(&tuple(std::slice::from_ref(&lent)), &byte);
        let (parameters, _) = found.as_ref().and_then(as_function).expect("there is one");
        assert_eq!(parameters, std::slice::from_ref(&seen));
        assert!(takes(parameters, &[lent]) && takes(parameters, &[seen]) && !takes(parameters, &[byte]));
    }

    #[test]
    fn what_a_pure_function_cannot_stand_for_has_none() {
        let byte = Ty::int(IntTy::U8);
        let none = |parameters: &[Ty], answer: &Ty| assert_eq!(function(&tuple(parameters), answer), None);
        none(std::slice::from_ref(&byte), &Ty::unit());
        let lent = |ty: &Ty| Ty::reference(Mutability::Mut, ty.clone());
        none(&[lent(&lent(&byte))], &byte);
        none(std::slice::from_ref(&byte), &Ty::reference(Mutability::Shared, byte.clone()));
        none(&[Ty::new(TyKind::Param("T".into()))], &byte);
        none(&vec![byte.clone(); 4], &byte);
    }
}
