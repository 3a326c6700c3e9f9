//! Types of which a harness can make values without either version: plain data.

use regress_core::ir::{Const, FloatTy, GenericArg, IntTy, KnownType, Mutability, Ty, TyKind};

/// A type as a value of it is held by the harness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Plain {
    Bool,
    Char,
    Int(IntTy),
    Float(FloatTy),
    Text,
    List(Box<Plain>),
    Array(Box<Plain>, u64),
    Tuple(Vec<Plain>),
    Option(Box<Plain>),
    Result(Box<Plain>, Box<Plain>),
    Boxed(Box<Plain>),
}

/// How an argument is made of the value that the harness holds. The texts are written behind the name of the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    Value,
    /// `&x`, or a view of it: `x.as_str()`.
    Shared(View),
    /// `&mut x` of a copy, or a view of that.
    Mutable(View),
}

/// What of a value a reference is to. The exact type is written where a type parameter may take it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View {
    Whole,
    Text,
    Slice,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parameter {
    pub name: String,
    pub ty: Plain,
    pub pass: Pass,
}

impl Plain {
    /// The type as plain data; none if it is no plain data. What is behind references is not, but for whole parameters.
    pub fn of(ty: &Ty) -> Option<Plain> {
        let inside = |ty: &Ty| Plain::of(ty).map(Box::new);
        Some(match ty.kind() {
            TyKind::Bool => Plain::Bool,
            TyKind::Char => Plain::Char,
            TyKind::Int(int) => Plain::Int(*int),
            TyKind::Float(float) => Plain::Float(*float),
            TyKind::Tuple(tys) => Plain::Tuple(tys.iter().map(Plain::of).collect::<Option<_>>()?),
            TyKind::Array(elem, Const::Int(length, _)) => {
                Plain::Array(inside(elem)?, u64::try_from(*length).ok()?)
            }
            TyKind::Adt(path, args) => {
                let arg = |index: usize| match args.get(index) {
                    Some(GenericArg::Ty(ty)) => inside(ty),
                    _ => None,
                };
                match path {
                    path if path == KnownType::String => Plain::Text,
                    path if path == KnownType::Vec => Plain::List(arg(0)?),
                    path if path == KnownType::Option => Plain::Option(arg(0)?),
                    path if path == KnownType::Result => Plain::Result(arg(0)?, arg(1)?),
                    path if path == KnownType::Box => Plain::Boxed(arg(0)?),
                    _ => return None,
                }
            }
            _ => return None,
        })
    }

    /// What the harness holds for a parameter of the type, and how it is passed.
    pub fn of_parameter(ty: &Ty) -> Option<(Plain, Pass)> {
        let TyKind::Ref(mutability, pointee) = ty.kind() else {
            return Some((Plain::of(ty)?, Pass::Value));
        };
        let (held, view) = match pointee.kind() {
            TyKind::Str => (Plain::Text, View::Text),
            TyKind::Slice(elem) => (Plain::List(Box::new(Plain::of(elem)?)), View::Slice),
            _ => (Plain::of(pointee)?, View::Whole),
        };
        match (mutability, view) {
            (Mutability::Shared, view) => Some((held, Pass::Shared(view))),
            (Mutability::Mut, View::Text) => None,
            (Mutability::Mut, view) => Some((held, Pass::Mutable(view))),
        }
    }

    /// Whether the type and all types in it are so.
    pub fn all(&self, is_so: &dyn Fn(&Plain) -> bool) -> bool {
        is_so(self)
            && match self {
                Plain::Bool | Plain::Char | Plain::Int(_) | Plain::Float(_) | Plain::Text => true,
                Plain::List(inner) | Plain::Array(inner, _) | Plain::Option(inner) | Plain::Boxed(inner) => {
                    inner.all(is_so)
                }
                Plain::Tuple(parts) => parts.iter().all(|part| part.all(is_so)),
                Plain::Result(ok, err) => ok.all(is_so) && err.all(is_so),
            }
    }

    pub fn is_copy(&self) -> bool {
        self.all(&|ty| !matches!(ty, Plain::Text | Plain::List(_) | Plain::Boxed(_)))
    }

    /// The type in Rust.
    pub fn name(&self) -> String {
        match self {
            Plain::Bool => "bool".into(),
            Plain::Char => "char".into(),
            Plain::Int(int) => int.name().into(),
            Plain::Float(FloatTy::F32) => "f32".into(),
            Plain::Float(FloatTy::F64) => "f64".into(),
            Plain::Text => "String".into(),
            Plain::List(inner) => format!("Vec<{}>", inner.name()),
            Plain::Array(inner, length) => format!("[{}; {length}]", inner.name()),
            Plain::Tuple(parts) => tuple(parts.iter().map(Plain::name)),
            Plain::Option(inner) => format!("Option<{}>", inner.name()),
            Plain::Result(ok, err) => format!("Result<{}, {}>", ok.name(), err.name()),
            Plain::Boxed(inner) => format!("Box<{}>", inner.name()),
        }
    }
}

impl Parameter {
    /// The argument of a call. A mutable one is of a variable of the same name that the call has for itself.
    pub fn argument(&self) -> String {
        let name = &self.name;
        match self.pass {
            Pass::Value if self.ty.is_copy() => name.clone(),
            Pass::Value => format!("{name}.clone()"),
            Pass::Shared(View::Whole) => format!("&{name}"),
            Pass::Shared(View::Text) => format!("{name}.as_str()"),
            Pass::Shared(View::Slice) => format!("{name}.as_slice()"),
            Pass::Mutable(View::Slice) => format!("{name}.as_mut_slice()"),
            Pass::Mutable(View::Whole | View::Text) => format!("&mut {name}"),
        }
    }

    pub fn is_mutable(&self) -> bool {
        matches!(self.pass, Pass::Mutable(_))
    }

    /// A copy of the value.
    pub fn copy(&self) -> String {
        if self.ty.is_copy() { self.name.clone() } else { format!("{}.clone()", self.name) }
    }
}

/// `(a, b)`, and `(a,)` of one.
pub(super) fn tuple(parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.collect();
    match parts.as_slice() {
        [only] => format!("({only},)"),
        parts => format!("({})", parts.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use regress_core::ir::Path;

    use super::*;

    fn int() -> Ty {
        Ty::int(IntTy::U8)
    }

    fn adt(path: &str, args: &[Ty]) -> Ty {
        Ty::new(TyKind::Adt(Path::new(path), args.iter().cloned().map(GenericArg::Ty).collect()))
    }

    fn borrowed(mutability: Mutability, ty: Ty) -> Ty {
        Ty::new(TyKind::Ref(mutability, ty))
    }

    #[track_caller]
    fn check(ty: &Ty, held: &str, argument: &str) {
        let (ty, pass) = Plain::of_parameter(ty).expect("is plain");
        let parameter = Parameter { name: "x".into(), ty, pass };
        assert_eq!((parameter.ty.name().as_str(), parameter.argument().as_str()), (held, argument));
    }

    #[test]
    fn plain_data_is_held_by_value() {
        check(&int(), "u8", "x");
        check(&adt("std::string::String", &[]), "String", "x.clone()");
        check(&Ty::new(TyKind::Tuple(vec![int()])), "(u8,)", "x");
        check(&adt("std::option::Option", &[adt("std::vec::Vec", &[int()])]), "Option<Vec<u8>>", "x.clone()");
        check(&adt("std::boxed::Box", &[int()]), "Box<u8>", "x.clone()");
        check(&Ty::new(TyKind::Array(int(), Const::Int(3, IntTy::Usize))), "[u8; 3]", "x");
    }

    #[test]
    fn references_are_to_what_is_held() {
        check(&borrowed(Mutability::Shared, Ty::new(TyKind::Str)), "String", "x.as_str()");
        check(&borrowed(Mutability::Shared, Ty::new(TyKind::Slice(int()))), "Vec<u8>", "x.as_slice()");
        check(&borrowed(Mutability::Mut, Ty::new(TyKind::Slice(int()))), "Vec<u8>", "x.as_mut_slice()");
        check(&borrowed(Mutability::Mut, int()), "u8", "&mut x");
        check(&borrowed(Mutability::Shared, adt("std::vec::Vec", &[int()])), "Vec<u8>", "&x");
    }

    #[test]
    fn what_is_not_plain_is_none() {
        for ty in [
            adt("k::Order", &[]),
            adt("std::boxed::Box", &[Ty::new(TyKind::Str)]),
            borrowed(Mutability::Mut, Ty::new(TyKind::Str)),
            adt("std::option::Option", &[borrowed(Mutability::Shared, int())]),
            Ty::new(TyKind::Param("T".into())),
        ] {
            assert_eq!(Plain::of_parameter(&ty), None, "{ty}");
        }
    }
}
