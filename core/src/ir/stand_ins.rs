//! Types that stand for generic parameters which no ordinary type can stand for: closures, hashers and what makes hashers.
//!
//! They are declared in the models of the standard library and once more in the harness. A closure is taken for a pure
//! function that gives one answer for all arguments but two: few enough for a solver, and enough to tell arguments apart. What
//! closures keep, and what they do besides answering, is left out, so a proof with them says with which it holds.
//!
//! What a pure function cannot stand for, and what has a trait that nothing in the crate implements, has a listener: it notes how it is called, and
//! answers one of three values in turn. A trait of users that types of the crate implement as well has an *answerer* beside those: what its methods
//! with `&self` answer follows from their arguments, and who calls these leaves no trace. Native runs alone have those.

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

/// The listener for closures that take these arguments (a tuple) and give such an answer, if there is one.
pub fn listening_closure(arguments: &Ty, answer: &Ty) -> Option<Ty> {
    let TyKind::Tuple(parameters) = arguments.kind() else { return None };
    let is_answer = *answer == Ty::unit() || can_be_answer(answer);
    let signature = || TyKind::FnPtr { inputs: parameters.clone(), output: answer.clone() };
    let heard = parameters.len() <= MOST_HEARD && is_answer;
    heard.then(|| Ty::adt(KnownType::Listener, vec![GenericArg::Ty(Ty::new(signature()))]))
}

/// As many as a listener's call has names for.
const MOST_HEARD: usize = 8;

/// The types of the parameters and of the answer, if the type is a listener for closures.
pub fn as_listening_closure(ty: &Ty) -> Option<(&[Ty], &Ty)> {
    let TyKind::Adt(path, args) = ty.kind() else { return None };
    let [GenericArg::Ty(signature)] = args.as_slice() else { return None };
    match signature.kind() {
        TyKind::FnPtr { inputs, output } if path == KnownType::Listener => Some((inputs, output)),
        _ => None,
    }
}

/// How the name of a listener begins that is declared beside its trait.
pub const LISTENER: &str = "__regress_listener_";

/// The same of an answerer.
pub const ANSWERER: &str = "__regress_answerer_";

/// The field of such a listener that tells it from others.
pub const LISTENER_NUMBER: &str = "__regress_number";

/// The listener that has this trait. The harness declares it where the trait stands.
pub fn listener(trait_path: &Path) -> Ty {
    Ty::adt(beside(trait_path, LISTENER), Vec::new())
}

/// The answerer that has this trait. The harness declares it where the trait stands.
pub fn answerer(trait_path: &Path) -> Ty {
    Ty::adt(beside(trait_path, ANSWERER), Vec::new())
}

fn beside(trait_path: &Path, start: &str) -> Path {
    let (module, name) = trait_path.as_str().rsplit_once("::").unwrap_or(("", trait_path.as_str()));
    Path::new(format!("{module}::{start}{name}"))
}

/// The trait that the listener or the answerer of this path has, if it is one.
pub fn listened_to(path: &str) -> Option<Path> {
    let (module, name) = path.rsplit_once("::")?;
    let name = name.strip_prefix(LISTENER).or_else(|| name.strip_prefix(ANSWERER))?;
    Some(Path::new(format!("{module}::{name}")))
}

/// Whether the type of this path is an answerer.
pub fn is_answerer(path: &str) -> bool {
    path.rsplit("::").next().is_some_and(|name| name.starts_with(ANSWERER))
}

/// How the name of the type begins that is each of the types that have a trait.
pub const OBJECT: &str = "__regress_object_";

/// The type of which trait objects of this trait are made, if something in the crate implements it. The harness declares it where the trait stands.
pub fn object(trait_path: &Path) -> Path {
    beside(trait_path, OBJECT)
}

/// The trait of whose objects the type of this path is made, if it is one.
pub fn object_of(path: &str) -> Option<Path> {
    let (module, name) = path.rsplit_once("::")?;
    Some(Path::new(format!("{module}::{}", name.strip_prefix(OBJECT)?)))
}

/// Whether the type is a listener, or holds one.
pub fn has_listener(ty: &Ty) -> bool {
    let mut found = false;
    let mut look = |part: Ty| {
        found |= match part.kind() {
            TyKind::Adt(path, _) => path == KnownType::Listener || listened_to(path.as_str()).is_some(),
            _ => false,
        };
        part
    };
    ty.map(&mut look, &mut |constant| constant);
    found
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
    let signature = |(parameters, answer): (&[Ty], &Ty)| {
        let parameters: Vec<String> = parameters.iter().map(ToString::to_string).collect();
        let answer = if *answer == Ty::unit() { String::new() } else { format!(" -> {answer}") };
        format!("({}){answer}", parameters.join(", "))
    };
    if let Some(closure) = as_listening_closure(ty) {
        return Some(format!("a closure {} that notes its calls", signature(closure)));
    }
    if let TyKind::Adt(path, _) = ty.kind()
        && let Some(heard) = listened_to(path.as_str())
    {
        return Some(match is_answerer(path.as_str()) {
            true => format!("a type whose {heard} answers one of three values"),
            false => format!("a type that notes the calls of {heard}"),
        });
    }
    let signature = signature(as_function(ty)?);
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
    fn closures_that_only_have_effects_are_listened_to() {
        let byte = Ty::int(IntTy::U8);
        let lent = Ty::reference(Mutability::Mut, byte.clone());
        let found = listening_closure(&tuple(&[lent, byte]), &Ty::unit()).expect("there is one");
        assert!(has_listener(&Ty::reference(Mutability::Mut, found.clone())));
        assert_eq!(described(&found).as_deref(), Some("a closure (&mut u8, u8) that notes its calls"));
    }

    #[test]
    fn the_listener_of_a_trait_is_known_by_its_name() {
        let found = listener(&Path::new("k::m::Handler"));
        let TyKind::Adt(path, _) = found.kind() else { panic!("{found}") };
        assert_eq!(listened_to(path.as_str()), Some(Path::new("k::m::Handler")));
        assert_eq!(listened_to("k::m::Handler"), None);
        assert_eq!(described(&found).as_deref(), Some("a type that notes the calls of k::m::Handler"));
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
