//! Types that are declared in bodies (of functions, constants and `const _`), which rustdoc does not list.
//!
//! Kinds, names, parameters and discriminants are as declared. The type of a field is told only where it can be read without knowing what names mean: types of the language, parameters, and
//! a few types of the prelude that nothing in the crate shares its name with. The others show in bodies ([`super::super::types_in_bodies`]).

use proc_macro2::TokenStream;
use regress_core::ir::{
    AdtKind, Const, ConstTy, CtorKind, GenericArg, GenericParam, GenericParamKind, IntTy, KnownType,
    Mutability, Path, Ty, TyKind,
};
use syn::{Fields, GenericParam as Param, Item as Source, Type};

use super::super::types::primitive;
use super::ImplHeader;

/// A declaration.
#[derive(Clone, Debug)]
pub struct TypeInBody {
    /// The names around, from the crate's root to the item in whose body it stands; implementations have none.
    pub around: Vec<String>,
    /// Of the implementation in which that item is, if it is in one.
    pub(super) header: Option<ImplHeader>,
    pub name: String,
    pub kind: AdtKind,
    pub generics: Vec<GenericParam>,
    pub variants: Vec<VariantInBody>,
    pub discriminant_ty: IntTy,
}

#[derive(Clone, Debug, PartialEq)]
pub struct VariantInBody {
    pub name: String,
    pub ctor: CtorKind,
    pub fields: Vec<FieldInBody>,
    pub discriminant: i128,
}

#[derive(Clone, Debug, PartialEq)]
pub struct FieldInBody {
    pub name: String,
    pub ty: Option<Ty>,
}

impl TypeInBody {
    /// Whether both are known to be made of the same.
    pub fn is_like(&self, other: &TypeInBody) -> bool {
        let is_read =
            self.variants.iter().flat_map(|variant| &variant.fields).all(|field| field.ty.is_some());
        let same = |of: &TypeInBody| (of.kind, of.generics.clone(), of.variants.clone(), of.discriminant_ty);
        is_read && same(self) == same(other)
    }
}

/// Reads a declaration. `repr` is the integer of `#[repr(…)]`; none if the declaration says something that is not understood.
pub(super) fn read(tokens: TokenStream, repr: Option<IntTy>) -> Option<TypeInBody> {
    let (name, kind, generics, variants) = match syn::parse2(tokens).ok()? {
        Source::Struct(item) => {
            let generics = params(&item.generics)?;
            let variants = vec![variant(&item.ident.to_string(), &item.fields, 0, &generics)];
            (item.ident, AdtKind::Struct, generics, variants)
        }
        Source::Enum(item) => {
            let generics = params(&item.generics)?;
            let mut next = 0i128;
            let mut variants = Vec::new();
            for declared in &item.variants {
                if let Some((_, value)) = &declared.discriminant {
                    next = number(value)?;
                }
                variants.push(variant(&declared.ident.to_string(), &declared.fields, next, &generics));
                next = next.checked_add(1)?;
            }
            (item.ident, AdtKind::Enum, generics, variants)
        }
        Source::Union(item) => {
            let generics = params(&item.generics)?;
            let fields = Fields::Named(item.fields);
            let variants = vec![variant(&item.ident.to_string(), &fields, 0, &generics)];
            (item.ident, AdtKind::Union, generics, variants)
        }
        _ => return None,
    };
    Some(TypeInBody {
        around: Vec::new(),
        header: None,
        name: name.to_string(),
        kind,
        generics,
        variants,
        discriminant_ty: repr.unwrap_or(IntTy::Isize),
    })
}

/// Takes back what was read of fields whose types have a name that is also that of something else.
pub(super) fn forget_ambiguous(declared: &mut TypeInBody, is_taken: &dyn Fn(&str) -> bool) {
    for field in declared.variants.iter_mut().flat_map(|variant| &mut variant.fields) {
        let is_ambiguous = field.ty.as_ref().is_some_and(|ty| {
            PRELUDE.iter().any(|(name, known)| is_taken(name) && holds(ty, &Path::from(*known)))
                || is_taken(PHANTOM) && holds(ty, &phantom())
        });
        if is_ambiguous {
            field.ty = None;
        }
    }
}

fn holds(ty: &Ty, wanted: &Path) -> bool {
    match ty.kind() {
        TyKind::Adt(path, args) => {
            let is_within = |arg: &GenericArg| matches!(arg, GenericArg::Ty(ty) if holds(ty, wanted));
            path == wanted || args.iter().any(is_within)
        }
        TyKind::Ref(_, part) | TyKind::RawPtr(_, part) | TyKind::Array(part, _) | TyKind::Slice(part) => {
            holds(part, wanted)
        }
        TyKind::Tuple(parts) => parts.iter().any(|part| holds(part, wanted)),
        _ => false,
    }
}

/// Type and const parameters; lifetimes are erased.
pub(super) fn params(generics: &syn::Generics) -> Option<Vec<GenericParam>> {
    let mut found = Vec::new();
    for param in &generics.params {
        let (name, kind) = match param {
            Param::Type(param) if param.default.is_none() => (&param.ident, GenericParamKind::Type),
            Param::Const(param) if param.default.is_none() => {
                let Type::Path(ty) = &param.ty else { return None };
                let ty = ConstTy::from_name(&ty.path.get_ident()?.to_string())?;
                (&param.ident, GenericParamKind::Const(ty))
            }
            Param::Lifetime(_) => continue,
            _ => return None,
        };
        found.push(GenericParam { name: name.to_string().into(), kind });
    }
    Some(found)
}

fn variant(name: &str, fields: &Fields, discriminant: i128, generics: &[GenericParam]) -> VariantInBody {
    let ctor = match fields {
        Fields::Named(_) => CtorKind::Struct,
        Fields::Unnamed(_) => CtorKind::Tuple,
        Fields::Unit => CtorKind::Unit,
    };
    let field = |(number, field): (usize, &syn::Field)| FieldInBody {
        name: field.ident.as_ref().map_or(number.to_string(), ToString::to_string),
        ty: ty(&field.ty, generics),
    };
    VariantInBody {
        name: name.to_owned(),
        ctor,
        fields: fields.iter().enumerate().map(field).collect(),
        discriminant,
    }
}

fn number(value: &syn::Expr) -> Option<i128> {
    match value {
        syn::Expr::Lit(literal) => match &literal.lit {
            syn::Lit::Int(int) => int.base10_parse().ok(),
            _ => None,
        },
        syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => Some(-number(expr)?),
        _ => None,
    }
}

/// Types of the prelude by their names, which take as many types as the program's own have parameters.
const PRELUDE: [(&str, KnownType); 4] = [
    ("String", KnownType::String),
    ("Vec", KnownType::Vec),
    ("Option", KnownType::Option),
    ("Box", KnownType::Box),
];

/// Whatever it is for, it holds nothing.
const PHANTOM: &str = "PhantomData";

fn phantom() -> Path {
    Path::new("std::marker::PhantomData")
}

fn ty(source: &Type, generics: &[GenericParam]) -> Option<Ty> {
    let at = |source: &Type| ty(source, generics);
    let mutability = |is_mut| if is_mut { Mutability::Mut } else { Mutability::Shared };
    Some(match source {
        Type::Never(_) => Ty::new(TyKind::Never),
        Type::Paren(inner) => at(&inner.elem)?,
        Type::Group(inner) => at(&inner.elem)?,
        Type::Reference(to) => Ty::reference(mutability(to.mutability.is_some()), at(&to.elem)?),
        Type::Ptr(to) => {
            let is_mut = matches!(to.mutability, syn::PointerMutability::Mut(_));
            Ty::new(TyKind::RawPtr(mutability(is_mut), at(&to.elem)?))
        }
        Type::Tuple(parts) => Ty::new(TyKind::Tuple(parts.elems.iter().map(at).collect::<Option<_>>()?)),
        Type::Slice(of) => Ty::new(TyKind::Slice(at(&of.elem)?)),
        Type::Array(of) => {
            let len = number(&of.len).and_then(|len| u64::try_from(len).ok())?;
            Ty::new(TyKind::Array(at(&of.elem)?, Const::int(len.into(), IntTy::Usize)))
        }
        Type::Path(named) if named.qself.is_none() => {
            let last = named.path.segments.last()?;
            let name = last.ident.to_string();
            let args = match &last.arguments {
                syn::PathArguments::None => Vec::new(),
                syn::PathArguments::AngleBracketed(args) => args
                    .args
                    .iter()
                    .map(|arg| match arg {
                        syn::GenericArgument::Type(arg) => at(arg).map(GenericArg::Ty),
                        _ => None,
                    })
                    .collect::<Option<Vec<_>>>()
                    // What a `PhantomData` is for may be left open.
                    .or_else(|| (name == PHANTOM).then(|| vec![GenericArg::Ty(Ty::unit())]))?,
                syn::PathArguments::Parenthesized(_) => return None,
            };
            if name == PHANTOM && args.len() == 1 {
                return Some(Ty::new(TyKind::Adt(phantom(), args)));
            }
            if named.path.segments.len() > 1 || named.path.leading_colon.is_some() {
                return None;
            }
            if args.is_empty() {
                if let Some(param) = generics.iter().find(|param| param.name == *name) {
                    return (param.kind == GenericParamKind::Type)
                        .then(|| Ty::new(TyKind::Param(param.name.clone())));
                }
                if let Some(primitive) = primitive(&name) {
                    return Some(primitive);
                }
            }
            let (_, known) = PRELUDE.iter().find(|(known, _)| *known == name)?;
            let takes = usize::from(*known != KnownType::String);
            (args.len() == takes).then(|| Ty::adt(*known, args))?
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, expected: &str) {
        let found = read(source.parse().unwrap(), None);
        let told = found.map(|found| {
            let variants = found.variants.iter().map(|variant| {
                let field = |field: &FieldInBody| {
                    format!("{}: {}", field.name, field.ty.as_ref().map_or("?".to_owned(), Ty::to_string))
                };
                let fields: Vec<String> = variant.fields.iter().map(field).collect();
                format!("{} = {} ({})", variant.name, variant.discriminant, fields.join(", "))
            });
            variants.collect::<Vec<_>>().join(", ")
        });
        assert_eq!(told.as_deref().unwrap_or("nothing"), expected, "{source}");
    }

    #[test]
    fn declarations_are_read_as_far_as_names_need_not_be_known() {
        check(
            "enum E { A, B = 4, C(u8, [T; 2]), D { x: &'static str } }",
            "A = 0 (), B = 4 (), C = 5 (0: u8, 1: ?), D = 6 (x: &str)",
        );
        check("enum E { A = -1, B }", "A = -1 (), B = 0 ()");
        check("enum E { A = X, B }", "nothing");
        check("struct S<'a, T, const N: usize>(&'a mut T, [T; N]);", "S = 0 (0: &mut T, 1: ?)");
        check("struct S<T = u8>(T);", "nothing");
        check(
            "struct V<'de> { marker: _serde::__private::PhantomData<Config>, lifetime: PhantomData<&'de ()> }",
            "V = 0 (marker: std::marker::PhantomData<()>, lifetime: std::marker::PhantomData<&()>)",
        );
        check(
            "struct S { x: Vec<Option<String>>, y: other::Vec<u8>, z: Box<dyn Fn()> }",
            "S = 0 (x: std::vec::Vec<std::option::Option<std::string::String>>, y: ?, z: ?)",
        );
        check("struct Void;", "Void = 0 ()");
    }

    #[test]
    fn a_name_of_the_prelude_may_be_taken() {
        let mut found = read("struct S { x: &'a [Option<u8>], y: Vec<u8> }".parse().unwrap(), None).unwrap();
        forget_ambiguous(&mut found, &|name| name == "Option");
        let known: Vec<bool> = found.variants[0].fields.iter().map(|field| field.ty.is_some()).collect();
        assert_eq!(known, [false, true]);
    }
}
