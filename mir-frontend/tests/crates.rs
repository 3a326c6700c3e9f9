//! Several crates in one program: dependencies under other names, and the mirror of the standard library.

mod common;

use common::{CORNERS, DEP, MIRROR, USER, body, function, id_of, program, unreadable};
use mir_frontend::rustc::{CrateDump, FrontendError, Rustdoc, build_program};
use regress_core::ir::{
    AggregateKind, Callee, FnRef, Namespace, Origin, Owner, Path, Program, Rvalue, StatementKind,
    TerminatorKind, TyKind,
};

fn callees(program: &Program, path: &str) -> Vec<FnRef> {
    let blocks = body(program, path).blocks.iter();
    blocks
        .filter_map(|block| match &block.terminator.kind {
            TerminatorKind::Call { callee: Callee::Fn(callee), .. } => Some(callee.clone()),
            _ => None,
        })
        .collect()
}

#[test]
fn re_exported_items_are_found_where_they_are_defined() {
    let program = program(&[USER, DEP]);
    assert_eq!(unreadable(&program), []);
    let names: Vec<String> = callees(&program, "user::make").iter().map(ToString::to_string).collect();
    assert_eq!(names, ["dep::inner::helper", "dep::inner::Thing::new"]);
    for path in ["dep::inner::helper", "dep::inner::Thing::new", "dep::inner::Thing::len"] {
        assert_eq!(function(&program, path).origin, Origin::Dependency);
    }
    let public = |path: &str| program.public_names.get(&Path::from(path)).map(Path::as_str);
    assert_eq!(public("dep::inner::Thing"), Some("dep::Thing"));
    assert_eq!(public("dep::inner::helper"), Some("dep::assist"));
    let re_exported = |namespace, name: &str| {
        program.re_exports.get(&(namespace, Path::from(name))).map(|item| item.definition.as_str())
    };
    assert_eq!(re_exported(Namespace::Types, "dep::Thing"), Some("dep::inner::Thing"));
    assert_eq!(re_exported(Namespace::Values, "dep::assist"), Some("dep::inner::helper"));
    // What has no other name, or whose own leads through public modules.
    assert_eq!(public("user::Holder"), None);
    // `Thing` alone is `Thing<u8>`, in signatures and in fields.
    assert_eq!(function(&program, "user::make").output.to_string(), "dep::inner::Thing<u8>");
    let holder = program.adt(&Path::from("user::Holder")).expect("the type");
    assert_eq!(holder.variants[0].fields[0].ty.to_string(), "dep::inner::Thing<u8>");
    let thing = program.adt(&Path::from("dep::inner::Thing")).expect("the type");
    assert_eq!(thing.variants[0].fields[1].ty.to_string(), "[u8; 3]");
    let [FnRef::Trait { trait_ref, method, .. }, _] = &callees(&program, "user::show")[..] else {
        panic!("{:?}", callees(&program, "user::show"))
    };
    assert_eq!(
        (trait_ref.to_string().as_str(), method.as_str()),
        ("<dep::inner::Thing<u16> as dep::inner::Shown>", "twice")
    );
    let shown = program.trait_(&Path::from("dep::inner::Shown")).expect("the trait");
    assert!(shown.default_methods.contains_key("twice"));
}

#[test]
fn the_mirror_gives_the_standard_library_bodies() {
    let program = program(&[MIRROR]);
    assert_eq!(unreadable(&program), []);
    assert_eq!(function(&program, "std::mem::swap").origin, Origin::StdModel);
    let range = function(&program, "<std::ops::Range<A> as std::iter::Iterator>::next");
    let Owner::TraitImpl(id) = range.owner else { panic!("{:?}", range.owner) };
    assert_eq!(program.impls_of(&Path::from("std::iter::Iterator")).first(), Some(&id));
    assert_eq!(program.impls[id].types["Item"].to_string(), "A");
    let iterator = program.trait_(&Path::from("std::iter::Iterator")).expect("the trait");
    assert!(iterator.default_methods.contains_key("count"));
    assert!(program.adt(&Path::from("std::iter::Map")).is_some());
}

#[test]
fn methods_that_the_mirror_states_through_traits_are_inherent() {
    let program = program(&[MIRROR]);
    let check = |path: &str, self_ty: &str, generics: &[&str]| {
        let id = id_of(&program, path);
        let Owner::Inherent { self_ty: found, .. } = &program.functions[id].owner else { panic!("{path}") };
        assert_eq!(found.to_string(), self_ty);
        let names: Vec<String> =
            program.generics_in_scope(id).iter().map(|param| param.name.to_string()).collect();
        assert_eq!(names, generics, "{path}");
    };
    check("std::option::Option::unwrap_or", "std::option::Option<T>", &["T"]);
    check("std::option::Option::map_or", "std::option::Option<T>", &["T", "U", "F"]);
    check("[T]::is_empty", "[T]", &["T"]);
    check("u32::double", "u32", &[]);
    check("u32::WIDTH", "u32", &[]);
    assert!(program.impls_of(&Path::from("std::inherent::OptionMethods")).is_empty());
}

#[test]
fn closures_in_implementations_bind_parameters_of_bounds() {
    let program = program(&[MIRROR]);
    let check = |path: &str, args: &[&str]| {
        let closures = body(&program, path).blocks.iter().flat_map(|block| &block.statements);
        let found: Vec<(String, Vec<String>)> = closures
            .filter_map(|statement| match &statement.kind {
                StatementKind::Assign(_, Rvalue::Aggregate(AggregateKind::Closure { path, args }, _)) => {
                    Some((path.to_string(), args.iter().map(ToString::to_string).collect()))
                }
                _ => None,
            })
            .collect();
        let args = args.iter().map(ToString::to_string).collect();
        assert_eq!(found, [(format!("{path}::{{closure#0}}"), args)]);
        assert!(!program.functions_at(&Path::from(format!("{path}::{{closure#0}}"))).is_empty());
    };
    check("std::option::Option::map_or", &["T", "U", "F"]);
    // `B` stands in the bounds only.
    check("<std::iter::Map<I, F> as std::iter::Iterator>::next", &["B", "I", "F"]);
}

#[test]
fn without_rustdoc_the_bodies_are_still_read() {
    let program = program(&[CrateDump { rustdoc: None, ..DEP }]);
    let clone = "<dep::inner::Thing<T> as std::clone::Clone>::clone";
    let id = id_of(&program, clone);
    let names: Vec<String> =
        program.generics_in_scope(id).iter().map(|param| param.name.to_string()).collect();
    assert_eq!(names, ["T"]);
    assert_eq!(unreadable(&program), []);
}

/// A type that nobody lists must not pass for a parameter: its implementation would be one for all types.
#[test]
fn without_rustdoc_a_type_is_no_parameter() {
    let program = program(&[CrateDump { rustdoc: None, ..CORNERS }]);
    let of_enum = |path: &str| {
        let derived =
            program.impls_of(&Path::from(path)).iter().map(|id| &program.impls[*id].trait_ref.self_ty);
        let types: Vec<String> = derived.map(ToString::to_string).collect();
        assert!(types.contains(&"corners::Lvl".to_owned()), "{path}: {types:?}");
    };
    // `#[derive(PartialEq, PartialOrd)] enum Lvl`, at the root of the crate.
    of_enum("std::cmp::PartialEq");
    of_enum("std::cmp::PartialOrd");
    let blanket = program.impls.iter().find(|item| matches!(item.trait_ref.self_ty.kind(), TyKind::Param(_)));
    assert!(blanket.is_none(), "{blanket:?}");
}

#[test]
fn dumps_that_are_none_are_refused() {
    let not_mir = CrateDump { mir: "what is this\nno MIR\n", ..DEP };
    assert!(matches!(build_program(&[not_mir]), Err(FrontendError::NotADump { lines: 2, .. })));
    let not_json = CrateDump { rustdoc: Some(Rustdoc::Json("{")), ..DEP };
    assert!(matches!(build_program(&[not_json]), Err(FrontendError::RustdocSyntax { .. })));
    let other_json = CrateDump { rustdoc: Some(Rustdoc::Json("{\"index\": 3}")), ..DEP };
    assert!(matches!(
        build_program(&[other_json]),
        Err(FrontendError::RustdocShape { missing: "index", .. })
    ));
    assert!(matches!(build_program(&[DEP, USER, DEP]), Err(FrontendError::DuplicateCrate { .. })));
}
