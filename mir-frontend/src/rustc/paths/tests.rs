use super::super::testing::{with_parser, with_shapes};
use regress_core::ir::{GenericParamKind, Mutability};

use super::*;

fn check_fn(text: &str, expected: FnRef) {
    assert_eq!(with_parser(text, |parser| parser.fn_ref()), Ok(expected), "{text}");
}

fn ty(text: &str) -> Ty {
    with_parser(text, |parser| parser.ty()).expect(text)
}

fn arg(text: &str) -> GenericArg {
    GenericArg::Ty(ty(text))
}

fn inherent(path: &str, self_ty: &str, args: &[&str]) -> FnRef {
    FnRef::Inherent {
        path: path.into(),
        self_ty: ty(self_ty),
        args: args.iter().map(|text| arg(text)).collect(),
    }
}

fn free(path: &str, args: &[&str]) -> FnRef {
    FnRef::Free { path: path.into(), args: args.iter().map(|text| arg(text)).collect() }
}

#[test]
fn functions_methods_and_constructors() {
    check_fn("f::<u8>", free("krate::f", &["u8"]));
    check_fn("std::mem::swap::<&mut T>", free("std::mem::swap", &["&mut T"]));
    check_fn(
        "std::option::Option::<u8>::unwrap",
        inherent("std::option::Option::unwrap", "std::option::Option<u8>", &[]),
    );
    check_fn(
        "std::option::Option::<u8>::map::<u16, fn(u8) -> u16>",
        inherent("std::option::Option::map", "std::option::Option<u8>", &["u16", "fn(u8) -> u16"]),
    );
    check_fn("std::option::Option::<u8>::Some", free("std::option::Option::Some", &["u8"]));
    check_fn("data::Shape::Circle", free("krate::data::Shape::Circle", &[]));
    check_fn(
        "unknown_crate::Thing::<T>::go",
        inherent("krate::unknown_crate::Thing::go", "unknown_crate::Thing<T>", &[]),
    );
    check_fn("data::Point::area::inner", free("krate::data::Point::area::inner", &[]));
}

#[test]
fn implementations_named_in_place() {
    check_fn("core::num::<impl u32>::wrapping_add", inherent("u32::wrapping_add", "u32", &[]));
    check_fn("core::slice::<impl [u8]>::iter", inherent("[T]::iter", "[u8]", &[]));
    check_fn("std::char::methods::<impl char>::to_digit", inherent("char::to_digit", "char", &[]));
    check_fn("std::ptr::const_ptr::<impl *const u8>::add", inherent("*const T::add", "*const u8", &[]));
    check_fn(
        "core::array::<impl [u8; 4]>::map::<T, fn(u8) -> T>",
        inherent("[T; N]::map", "[u8; 4]", &["T", "fn(u8) -> T"]),
    );
    check_fn("a::<impl data::Point>::area", inherent("krate::data::Point::area", "data::Point", &[]));
    check_fn(
        "core::slice::<impl [<T as Animal>::Food]>::get_mut::<usize>",
        inherent("[T]::get_mut", "[<T as Animal>::Food]", &["usize"]),
    );
    // A synthetic parameter handed on is an argument.
    check_fn("run::<impl FnOnce() -> u8>", free("krate::run", &["impl FnOnce() -> u8"]));
}

/// The result of another function, as its signature says it, is the argument of a type.
#[test]
fn an_opaque_argument_of_a_type_is_no_implementation() {
    for text in ["impl Animal", "impl std::marker::Send + std::iter::Iterator<Item = u8>"] {
        let path = format!("std::option::Option::<{text}>::None");
        let segments = with_parser(&path, |parser| match parser.item_path()? {
            ItemPath::Plain(segments) => Ok(segments.len()),
            _ => Ok(0),
        });
        assert_eq!(segments, Ok(4), "{text}");
    }
}

#[test]
fn methods_of_traits() {
    let of_trait = |self_ty: &str, path: &str, args: &[&str], method: &str| FnRef::Trait {
        trait_ref: TraitRef {
            self_ty: ty(self_ty),
            path: path.into(),
            args: args.iter().map(|text| arg(text)).collect(),
        },
        method: method.into(),
        args: Vec::new(),
    };
    check_fn("<T as Animal>::name", of_trait("T", "krate::Animal", &[], "name"));
    check_fn("<&u8 as std::cmp::PartialEq>::eq", of_trait("&u8", "std::cmp::PartialEq", &["&u8"], "eq"));
    check_fn("<u32 as core::ops::Add<&u32>>::add", of_trait("u32", "std::ops::Add", &["&u32"], "add"));
    check_fn("m::<impl Animal for [u8]>::name", of_trait("[u8]", "krate::Animal", &[], "name"));
    check_fn(
        "<impl FnOnce() -> u8 as std::ops::FnOnce<()>>::call_once",
        of_trait("impl FnOnce() -> u8", "std::ops::FnOnce", &["()"], "call_once"),
    );
    let FnRef::Trait { mut trait_ref, method, args } = of_trait("T", "krate::Animal", &[], "name") else {
        panic!()
    };
    trait_ref.self_ty = Ty::new(TyKind::Param("Self".into()));
    check_fn("Animal::name", FnRef::Trait { trait_ref, method, args });
}

#[test]
fn constructors_of_values() {
    let check = |text: &str, expected: &str, variant: Option<&str>| {
        let found = with_parser(text, |parser| {
            let path = parser.item_path()?;
            parser.resolve_constructor(&path)
        });
        let variant = variant.map(|name| VariantRef::Name(name.into()));
        assert_eq!(found, Ok((ty(expected), variant)), "{text}");
    };
    check("data::Point", "data::Point", None);
    check("data::Shape::Empty", "data::Shape", Some("Empty"));
    check("std::result::Result::<(), T>::Err", "std::result::Result<(), T>", Some("Err"));
    check("f::Local", "f::Local", None);
    check("f::Local::Variant", "f::Local", Some("Variant"));
    let wrong = with_parser("data::Shape::Square", |parser| {
        let path = parser.item_path()?;
        parser.resolve_constructor(&path)
    });
    assert!(wrong.is_err());
}

#[test]
fn closures_of_unknown_functions_take_all_arguments() {
    let check = |text: &str, path: &str, args: &[&str]| {
        let args: GenericArgs = args.iter().map(|text| arg(text)).collect();
        assert_eq!(with_parser(text, |parser| parser.closure_path()), Ok((path.into(), args)), "{text}");
    };
    check("f::{closure#0}", "krate::f::{closure#0}", &[]);
    check("f::<'_, T, u8>::{closure#1}::{closure#0}", "krate::f::{closure#1}::{closure#0}", &["T", "u8"]);
    check("f<T>::{closure#1}", "krate::f::{closure#1}", &["T"]);
    check("<T as Animal>::name::{closure#0}", "krate::Animal::name::{closure#0}", &["T"]);
    check("<T as Animal>::name::g::<u8>::{closure#0}", "<T as krate::Animal>::name::g::{closure#0}", &["u8"]);
}

#[test]
fn closures_are_those_of_the_most_special_implementation() {
    let param = |name: &str| Ty::new(TyKind::Param(name.into()));
    let shape = |path: &str, generics: &[&str], self_ty: Ty, of: Ty| {
        let args = vec![GenericArg::Ty(of)];
        let pattern = TraitRef { path: "std::convert::TryFrom".into(), self_ty, args };
        let kind = GenericParamKind::Type;
        let owner_generics =
            generics.iter().map(|name| GenericParam { name: (*name).into(), kind }).collect();
        FnShape { path: path.into(), owner_generics, pattern: ShapePattern::Trait(pattern) }
    };
    let slice_of = |ty: Ty| Ty::reference(Mutability::Shared, Ty::new(TyKind::Slice(ty)));
    let of_all = ("try_from", shape("all::try_from", &["A", "B"], param("A"), param("B")));
    let of_slices = ("try_from", shape("slices::try_from", &["E"], ty("data::Point"), slice_of(param("E"))));
    let of_bytes = ("try_from", shape("bytes::try_from", &[], ty("data::Point"), ty("&[u8]")));
    let check = |text: &str, path: &str, args: &[&str]| {
        let args: GenericArgs = args.iter().map(|text| arg(text)).collect();
        let shapes = [of_all.clone(), of_slices.clone(), of_bytes.clone()];
        let found = with_shapes(text, &shapes, |parser| parser.closure_path());
        assert_eq!(found, Ok((path.into(), args)), "{text}");
    };
    let closure = |of: &str| format!("<data::Point as std::convert::TryFrom<{of}>>::try_from::{{closure#0}}");
    check(&closure("&[u8]"), "bytes::try_from::{closure#0}", &[]);
    check(&closure("&[char]"), "slices::try_from::{closure#0}", &["char"]);
    check(&closure("u8"), "all::try_from::{closure#0}", &["data::Point", "u8"]);
}
