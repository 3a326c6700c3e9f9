//! A whole crate's dumps become the program that its source (`data/sample.rs`) says.

mod common;

use std::sync::LazyLock;

use common::{SAMPLE, body, function, program, unreadable};
use mir_frontend::rustc::CrateDump;
use regress_core::ir::{
    AdtKind, AggregateKind, Callee, Check, Const, CtorKind, FnRef, FunctionKind, IntTy, Operand, Owner, Path,
    Program, Rvalue, StatementKind, TerminatorKind, Ty, TyKind, Visibility,
};

static PROGRAM: LazyLock<Program> = LazyLock::new(|| program(&[SAMPLE]));

fn adt(path: &str) -> &'static regress_core::ir::Adt {
    PROGRAM.adt(&Path::from(path)).unwrap_or_else(|| panic!("no type {path}"))
}

/// All values assigned in a body.
fn values(path: &str) -> impl Iterator<Item = &'static Rvalue> {
    body(&PROGRAM, path).blocks.iter().flat_map(|block| &block.statements).filter_map(|statement| {
        match &statement.kind {
            StatementKind::Assign(_, value) => Some(value),
            _ => None,
        }
    })
}

fn callees(path: &str) -> Vec<&'static FnRef> {
    let blocks = body(&PROGRAM, path).blocks.iter();
    blocks
        .filter_map(|block| match &block.terminator.kind {
            TerminatorKind::Call { callee: Callee::Fn(callee), .. } => Some(callee),
            _ => None,
        })
        .collect()
}

fn constants(path: &str) -> Vec<&'static Const> {
    let mut found = Vec::new();
    for value in values(path) {
        match value {
            Rvalue::Use(Operand::Const(value)) => found.push(value),
            Rvalue::Aggregate(_, operands) => {
                found.extend(operands.iter().filter_map(|operand| match operand {
                    Operand::Const(value) => Some(value),
                    _ => None,
                }));
            }
            _ => {}
        }
    }
    found
}

#[test]
fn everything_but_the_coroutine_is_readable() {
    let unreadable = unreadable(&PROGRAM);
    assert_eq!(unreadable.len(), 1, "{unreadable:?}");
    assert_eq!(unreadable[0].0, "sample::asy");
    assert!(unreadable[0].1.contains("coroutine"));
}

#[test]
fn signatures() {
    let check = |path: &str, expected: &str| {
        let function = function(&PROGRAM, path);
        let inputs: Vec<String> = function.inputs.iter().map(Ty::to_string).collect();
        assert_eq!(format!("({}) -> {}", inputs.join(", "), function.output), expected, "{path}");
    };
    check("sample::tab", "(usize) -> u8");
    check("sample::wrapk", "(u32) -> u32");
    check("sample::res", "(&str) -> std::result::Result<i32, std::boxed::Box<dyn std::error::Error>>");
    check("sample::gens::Stack::push", "(&mut sample::gens::Stack<T, N>, T) -> std::result::Result<(), T>");
    check("<&T as sample::gens::Animal>::make", "() -> &T");
    check("sample::gens::Animal::twice", "(&Self) -> u8");
    check("sample::imp", "(impl FnOnce(u8) -> u8, impl Into<u32>) -> u32");
    check("sample::fmt", "(&sample::a::P, u32) -> std::string::String");
    check("<sample::a::P as std::cmp::PartialEq>::eq", "(&sample::a::P, &sample::a::P) -> bool");
    check("sample::gens::Guard", "(&mut u32) -> sample::gens::Guard");
    check("sample::inner::In::g", "(&sample::inner::In) -> u8");
    check("sample::K", "() -> &[u16]");
}

#[test]
fn generics_in_scope() {
    let check = |path: &str, expected: &[&str]| {
        let id = common::id_of(&PROGRAM, path);
        let names: Vec<String> =
            PROGRAM.generics_in_scope(id).iter().map(|param| param.name.to_string()).collect();
        assert_eq!(names, expected, "{path}");
    };
    check("sample::gens::Stack::push", &["T", "N"]);
    check("sample::gens::Stack::total", &[]);
    check("sample::a::W::apply", &["T", "F"]);
    check("sample::a::W::apply::{closure#0}", &["T", "F"]);
    check("sample::a::Shape::dbl", &["Self", "K", "Q"]);
    check("sample::a::Shape::dbl::{closure#0}", &["Self", "K", "Q"]);
    check("<[T; M] as sample::a::Shape<u16>>::area", &["T", "M"]);
    check("<sample::a::P as std::hash::Hash>::hash", &["__H"]);
    check("sample::imp", &["impl FnOnce(u8) -> u8", "impl Into<u32>"]);
    check("sample::gat", &["T", "I"]);
    check("sample::gens::use_it", &["A"]);
}

#[test]
fn kinds_and_owners() {
    let kind = |path: &str| function(&PROGRAM, path).kind;
    assert_eq!(kind("sample::tab"), FunctionKind::Fn);
    assert_eq!(kind("sample::TABLE"), FunctionKind::Static);
    assert_eq!(kind("sample::K"), FunctionKind::Const);
    assert_eq!(kind("sample::K::promoted[0]"), FunctionKind::Promoted);
    assert_eq!(kind("sample::v::{closure#1}"), FunctionKind::Closure);
    assert_eq!(kind("sample::gens::Dog::Big"), FunctionKind::Constructor);
    assert_eq!(kind("sample::gens::Guard"), FunctionKind::Constructor);
    // The copies for compile-time evaluation are no further functions, which `function` checks.
    let owner = |path: &str| &function(&PROGRAM, path).owner;
    assert!(
        matches!(owner("sample::a::W::apply"), Owner::Inherent { self_ty, .. } if self_ty.to_string() == "sample::a::W<T>")
    );
    // An implementation in another module than its type.
    assert!(matches!(owner("sample::Priv::secret"), Owner::Inherent { generics, .. } if generics.is_empty()));
    assert!(
        matches!(owner("sample::gens::Animal::twice"), Owner::Trait(path) if path == "sample::gens::Animal")
    );
    let parent = common::id_of(&PROGRAM, "sample::v");
    assert_eq!(owner("sample::v::{closure#1}"), &Owner::Within(parent));
    assert_eq!(owner("sample::inner::h"), &Owner::Free);
}

#[test]
fn tests_are_marked() {
    let ids = PROGRAM.functions_at(&Path::from("sample::tests::adds"));
    assert!(!ids.is_empty());
    assert!(ids.iter().all(|id| PROGRAM.functions[*id].kind == FunctionKind::Test));
    assert_eq!(function(&PROGRAM, "sample::neg").kind, FunctionKind::Fn);
}

#[test]
fn visibility_is_that_from_outside() {
    let check = |path: &str, expected| assert_eq!(function(&PROGRAM, path).visibility, expected, "{path}");
    check("sample::tab", Visibility::Public);
    check("sample::gens::Stack::push", Visibility::Public);
    check("sample::tests_like::p", Visibility::Private);
    check("sample::tests_like::Z::new", Visibility::Private);
    check("sample::Priv::secret", Visibility::Private);
    check("<sample::tests_like::Z as std::default::Default>::default", Visibility::Private);
    check("<sample::a::P as std::clone::Clone>::clone", Visibility::Public);
    check("sample::v::{closure#0}", Visibility::Private);
    assert_eq!(adt("sample::a::P").visibility, Visibility::Public);
    assert_eq!(adt("sample::Priv").visibility, Visibility::Private);
}

#[test]
fn types_with_fields_and_discriminants() {
    let dog = adt("sample::gens::Dog");
    assert_eq!((dog.kind, dog.discriminant_ty), (AdtKind::Enum, IntTy::I8));
    let variants: Vec<(&str, CtorKind, i128)> =
        dog.variants.iter().map(|v| (v.name.as_str(), v.ctor, v.discriminant)).collect();
    let expected = [("Small", CtorKind::Unit, -3), ("Big", CtorKind::Tuple, 7), ("Odd", CtorKind::Struct, 9)];
    assert_eq!(variants, expected);
    let fields: Vec<String> =
        dog.variants[2].fields.iter().map(|field| format!("{}: {}", field.name, field.ty)).collect();
    assert_eq!(fields, ["a: i64", "b: (u8, bool)"]);
    let stack = adt("sample::gens::Stack");
    assert_eq!(stack.variants[0].fields[0].ty.to_string(), "[T; N]");
    let visibilities: Vec<Visibility> =
        stack.variants[0].fields.iter().map(|field| field.visibility).collect();
    assert_eq!(visibilities, [Visibility::Public, Visibility::Private]);
    assert_eq!(adt("sample::a::U").kind, AdtKind::Union);
    let tree = adt("sample::Tree");
    assert_eq!(tree.variants[1].fields[0].ty.to_string(), "std::boxed::Box<sample::Tree<T>>");
    assert_eq!(adt("std::option::Option").variants.len(), 2);
}

#[test]
fn implementations_know_their_members() {
    let find = |trait_path: &str, self_ty: &str| {
        let ids = PROGRAM.impls_of(&Path::from(trait_path));
        let found =
            ids.iter().map(|id| &PROGRAM.impls[*id]).find(|of| of.trait_ref.self_ty.to_string() == self_ty);
        found.unwrap_or_else(|| panic!("{self_ty} does not implement {trait_path}"))
    };
    let names = |map: &std::collections::BTreeMap<regress_core::ir::Name, regress_core::ir::FnId>| {
        map.keys().map(ToString::to_string).collect::<Vec<_>>()
    };
    let dog = find("sample::gens::Animal", "sample::gens::Dog");
    assert_eq!(
        (names(&dog.methods), names(&dog.consts)),
        (vec!["make".into(), "name".into()], vec!["LEGS".into()])
    );
    assert_eq!(dog.types["Food"], Ty::int(IntTy::U8));
    let reference = find("sample::gens::Animal", "&T");
    assert_eq!(reference.types["Food"].to_string(), "<T as sample::gens::Animal>::Food");
    assert_eq!(reference.bounds.len(), 1);
    assert_eq!(reference.bounds[0].to_string(), "<T as sample::gens::Animal>");
    let array = find("sample::a::Shape", "[T; M]");
    let bounds: Vec<String> = array.bounds.iter().map(ToString::to_string).collect();
    assert_eq!(bounds, ["<T as std::marker::Copy>", "<T as std::convert::Into<u32>>"]);
    // Three implementations by one macro share their place in the source.
    for (ty, int) in [("u8", "u8"), ("u16", "u16"), ("i32", "i32")] {
        let of = find("sample::Tr", ty);
        assert_eq!((names(&of.methods), names(&of.consts)), (vec!["tr".into()], vec!["K".into()]));
        let method = &PROGRAM.functions[of.methods["tr"]];
        assert_eq!(method.inputs[0].to_string(), int);
    }
    // A marker without members.
    assert!(find("std::marker::Copy", "sample::gens::Dog").methods.is_empty());
    // Where the compiler leaves out a defaulted argument, the implementation has it.
    let eq = find("std::cmp::PartialEq", "sample::gens::Dog");
    assert_eq!(eq.trait_ref.args.len(), 1);
}

#[test]
fn traits_know_their_defaults() {
    let shape = PROGRAM.trait_(&Path::from("sample::a::Shape")).expect("the trait");
    assert_eq!(shape.generics.len(), 1);
    assert!(shape.default_methods.contains_key("dbl") && shape.default_consts.contains_key("N"));
    assert!(!shape.default_methods.contains_key("area"));
    let tr = PROGRAM.trait_(&Path::from("sample::Tr")).expect("the trait");
    assert_eq!(
        tr.supertraits.iter().map(|bound| bound.path.to_string()).collect::<Vec<_>>(),
        ["std::marker::Copy"]
    );
}

#[test]
fn calls_name_what_they_call() {
    let check = |path: &str, expected: &[&str]| {
        let names: Vec<String> = callees(path).iter().map(ToString::to_string).collect();
        assert_eq!(names, expected, "{path}");
    };
    check(
        "sample::gens::go",
        &["sample::gens::use_it::<sample::gens::Dog>", "sample::gens::use_it::<&sample::gens::Dog>"],
    );
    check("sample::gens::use_it", &["<A as sample::gens::Animal>::twice"]);
    check("sample::imp2", &["sample::imp::<{closure@sample::imp2::{closure#0}}, u8>"]);
    check("sample::inner", &["sample::inner::In::g", "sample::inner::h"]);
    check("<T as sample::Named>::nm", &["<T as std::convert::AsRef<str>>::as_ref"]);
    check(
        "sample::wrapk",
        &[
            "u32::wrapping_add",
            "u32::rotate_left",
            "u32::pow",
            "u32::leading_zeros",
            "i32::from_str_radix",
            "std::result::Result::unwrap",
            "u32::checked_sub",
            "std::option::Option::unwrap_or",
        ],
    );
    check(
        "<sample::gens::Dog as std::cmp::PartialEq>::eq",
        &[
            "<&i64 as std::cmp::PartialEq<&i64>>::eq",
            "<&u8 as std::cmp::PartialEq<&u8>>::eq",
            "<&(u8, bool) as std::cmp::PartialEq<&(u8, bool)>>::eq",
        ],
    );
}

#[test]
fn constants_have_values_or_names() {
    let check = |path: &str, expected: &[&str]| {
        let values: Vec<String> = constants(path).iter().map(ToString::to_string).collect();
        assert_eq!(values, expected, "{path}");
    };
    check(
        "sample::konst",
        &[
            &u32::MAX.to_string(),
            "-128",
            "2.220446049250313e-16f64",
            r"'\u{10ffff}'",
            &u128::MAX.to_string(),
            "NaNf32",
        ],
    );
    check("sample::cnt", &["&sample::COUNT", "&sample::COUNT"]);
    check("sample::tab", &["&sample::TABLE", "sample::K"]);
    check("sample::gens::Stack::CAP", &["N"]);
    check("<&T as sample::gens::Animal>::LEGS", &["<T as sample::gens::Animal>::LEGS"]);
    check("<sample::gens::Dog as sample::gens::Animal>::LEGS", &["4"]);
    check("sample::K", &["sample::K::promoted[0]"]);
}

/// rustc prints two of the four captures, and the wrong names for them.
#[test]
fn closures_have_all_their_captures() {
    let captures = |path: &str| -> Vec<usize> {
        values(path)
            .filter_map(|value| match value {
                Rvalue::Aggregate(AggregateKind::Closure { .. }, operands) => Some(operands.len()),
                _ => None,
            })
            .collect()
    };
    assert_eq!(captures("sample::closure_caps"), [4, 2]);
    let without = program(&[CrateDump { stable_mir: None, ..SAMPLE }]);
    let lost = unreadable(&without).into_iter().find(|(path, _)| path == "sample::closure_caps");
    assert!(lost.is_some_and(|(_, reason)| reason.contains("captures")));
    // Without graphs the closure's body still shows what it uses.
    let alone = program(&[CrateDump { stable_mir: None, cfg: "", ..SAMPLE }]);
    let lost = unreadable(&alone).into_iter().find(|(path, _)| path == "sample::closure_caps");
    assert!(lost.is_some_and(|(_, reason)| reason.contains("captures")));
}

#[test]
fn closures_name_their_bodies_with_all_generics() {
    let closures = |path: &str| -> Vec<(String, usize)> {
        values(path)
            .filter_map(|value| match value {
                Rvalue::Aggregate(AggregateKind::Closure { path, args }, _) => {
                    Some((path.to_string(), args.len()))
                }
                _ => None,
            })
            .collect()
    };
    assert_eq!(closures("sample::a::W::apply"), [("sample::a::W::apply::{closure#0}".to_owned(), 2)]);
    assert_eq!(closures("sample::a::Shape::dbl"), [("sample::a::Shape::dbl::{closure#0}".to_owned(), 3)]);
    let from = "<sample::a::W<T> as std::convert::From<T>>::from";
    assert_eq!(closures(from), [(format!("{from}::{{closure#0}}"), 1)]);
    for function in PROGRAM.functions.iter().filter(|function| function.kind == FunctionKind::Closure) {
        assert!(matches!(function.owner, Owner::Within(_)), "{}", function.path);
    }
}

#[test]
fn checks_are_told_apart() {
    let checks: Vec<&Check> = body(&PROGRAM, "sample::neg")
        .blocks
        .iter()
        .filter_map(|block| match &block.terminator.kind {
            TerminatorKind::Assert { check, .. } => Some(check),
            _ => None,
        })
        .collect();
    assert!(matches!(
        checks[..],
        [Check::OverflowNeg(_), Check::OverflowShift(regress_core::ir::BinOp::Shl, _)]
    ));
}

#[test]
fn boxes_stand_for_their_pointers() {
    let of_box = values("sample::b").filter(|value| {
        matches!(value, Rvalue::Cast(regress_core::ir::CastKind::Transmute, Operand::Copy(place), to)
            if place.projection.is_empty() && matches!(to.kind(), TyKind::RawPtr(..)))
    });
    assert_eq!(of_box.count(), 3);
}

#[test]
fn names_and_places_in_the_source() {
    let body = body(&PROGRAM, "sample::inner::h");
    assert_eq!(body.locals.iter().nth(1).and_then(|local| local.name.clone()), Some("x".into()));
    let line = |path: &str| function(&PROGRAM, path).span.map(|span| (span.line_start, span.line_end));
    assert_eq!(line("sample::tab"), line_of("pub fn tab("));
    assert_eq!(line("sample::gens::Stack::push"), line_of("pub fn push(&mut self"));
    assert_eq!(line("sample::inner::h"), line_of("pub fn inner("));
    let span = function(&PROGRAM, "sample::tab").span.expect("a span");
    assert_eq!(PROGRAM.files[span.file].path, "src/lib.rs");
}

/// The line of the source that holds `text`, twice.
fn line_of(text: &str) -> Option<(u32, u32)> {
    let source = include_str!("data/sample.rs");
    let line = source.lines().position(|line| line.contains(text))? as u32 + 1;
    Some((line, line))
}

/// Every reference within the crate must lead somewhere.
#[test]
fn nothing_local_is_left_dangling() {
    for function in PROGRAM.functions.iter() {
        let path = function.path.as_str();
        // The harness's entry and descriptions call into the `test` crate.
        if unreadable(&PROGRAM).iter().any(|(unreadable, _)| unreadable == path)
            || path.contains("::tests::")
            || path == "sample::main"
        {
            continue;
        }
        for callee in callees_of(function) {
            if let FnRef::Free { path, .. } | FnRef::Inherent { path, .. } = callee
                && path.as_str().starts_with("sample::")
            {
                assert!(!PROGRAM.functions_at(path).is_empty(), "{} calls {path}", function.path);
            }
        }
    }
}

fn callees_of(function: &'static regress_core::ir::Function) -> Vec<&'static FnRef> {
    match &function.body {
        regress_core::ir::FnBody::Present(body) => body
            .blocks
            .iter()
            .filter_map(|block| match &block.terminator.kind {
                TerminatorKind::Call { callee: Callee::Fn(callee), .. } => Some(callee),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}
