//! Which functions a type that differs makes differ, and which an implementation that one version lacks.

use super::testing::{Build, adt, free, free_at, int, method, param, start, value_of};
use super::*;
use crate::ir::{GenericArg, Mutability, Ty, TyKind, parse};
use crate::verdict::ChangeKind;

const UNCHANGED: ChangeKind = ChangeKind::Unchanged;
const AFFECTED: ChangeKind = ChangeKind::Affected;

fn program(text: &str) -> Program {
    parse::program(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// What becomes of the first function.
#[track_caller]
fn check_programs(old: &Program, new: &Program, expected: ChangeKind, what: &str) {
    assert_eq!(align(old, new).pairs[0].kind, expected, "{what}");
    assert_eq!(align(new, old).pairs[0].kind, expected, "{what}, the other way");
    assert_eq!(align(old, old).pairs[0].kind, UNCHANGED, "{what}, against itself");
}

#[track_caller]
fn check(old: &str, new: &str, expected: ChangeKind) {
    check_programs(&program(old), &program(new), expected, &format!("{old}\nand\n{new}"));
}

/// A function that does `lines` with a value of `k::A`, which is a struct, a union `k::U` with one in it, and others that it may call.
fn with_struct(lines: &str, fields: &str) -> String {
    format!(
        "fn k::f() -> u8 {{
            let _1: k::A; let _2: &k::A; let _3: usize; let _4: *const k::A; let _5: *const u8; let _6: k::U; let _7: std::vec::Vec<k::A>;
            let _8: &u8; let _9: k::Holder; let _10: &k::A;
            bb0: {{ {lines} }}
            bb1: {{ return; }}
        }}
        struct k::A {{ {fields} }}
        struct k::Holder {{ inner: k::A, number: u8 }}
        struct k::Unlike {{ number: u8 }}
        union k::U {{ a: k::A, b: u8 }}
        fn k::lends(_1: &k::A) -> &k::A {{ bb0: {{ _0 = copy _1; return; }} }}
        fn k::identity<T>(_1: T) -> T {{ bb0: {{ _0 = move _1; return; }} }}
        fn k::size<T>() -> usize {{ bb0: {{ _0 = SizeOf(T); return; }} }}
        fn k::asks<T>() -> usize {{ bb0: {{ _0 = std::mem::size_of::<T>() -> bb1; }} bb1: {{ return; }} }}"
    )
}

#[test]
fn a_type_that_a_caller_chooses_counts_where_layouts_are_seen() {
    let version = |line: &str, fields: &str| {
        format!(
            "fn k::f<T>(_1: T, _2: &T) -> usize {{ let _3: *const T; let _4: *const u8; bb0: {{ {line} }} bb1: {{ return; }} }}
             fn k::size<T>() -> usize {{ bb0: {{ _0 = SizeOf(T); return; }} }}
             struct k::A {{ {fields} }}"
        )
    };
    let check = |line: &str, expected| {
        check(&version(line, "a: u8"), &version(line, "a: u8, b: u16"), expected);
    };
    check("_0 = SizeOf(T); return;", AFFECTED);
    check("_0 = k::size::<T>() -> bb1;", AFFECTED);
    check("_0 = std::mem::size_of::<T>() -> bb1;", AFFECTED);
    check("_4 = copy _3 as *const u8 (PtrToPtr); return;", AFFECTED);
    check("return;", UNCHANGED);
    check("_2 = &(*_2); return;", UNCHANGED);
}

#[test]
fn what_names_parts_or_relies_on_the_layout_depends_on_the_definition() {
    let lines = [
        "_0 = copy (_1.0: u8); goto -> bb1;",
        "_0 = copy ((*_2).0: u8); goto -> bb1;",
        "_8 = &((*_2).0: u8); goto -> bb1;",
        "_0 = copy ((_9.0: k::A).0: u8); goto -> bb1;",
        "(_1.0: u8) = const 1_u8; goto -> bb1;",
        "_1 = k::A { const 1_u8 }; goto -> bb1;",
        "_3 = SizeOf(k::A); goto -> bb1;",
        "_3 = AlignOf(k::Holder); goto -> bb1;",
        "_3 = std::mem::size_of::<k::A>() -> bb1;",
        "_3 = std::mem::align_of_val::<k::Holder>(copy _9) -> bb1;",
        "_3 = k::size::<k::A>() -> bb1;",
        "_3 = k::asks::<k::Holder>() -> bb1;",
        "_5 = copy _4 as *const u8 (PtrToPtr); goto -> bb1;",
        "_3 = copy _1 as usize (Transmute); goto -> bb1;",
        "_4 = Offset(copy _4, const 1); goto -> bb1;",
        "_0 = copy (_6.1: u8); goto -> bb1;",
        "_7 = std::vec::Vec::with_capacity::<k::A>(const 1) -> bb1;",
        "_3 = std::vec::Vec::capacity::<k::A>(copy _7) -> bb1;",
        "_4 = std::ptr::null::<k::A>() -> bb1;",
        "_0 = dep::looks::<k::A>(copy _2) -> bb1;",
        "_1 = <k::A as dep::Zeroed>::zeroed() -> bb1;",
    ];
    for line in lines {
        check(&with_struct(line, "a: u8"), &with_struct(line, "a: u8, b: u16"), AFFECTED);
    }
}

#[test]
fn variants_and_discriminants_are_parts() {
    let uses = |line: &str, variants: &str| {
        format!(
            "fn k::f() -> u8 {{ let _1: k::E; let _2: isize; let _3: &k::E; bb0: {{ {line} }} bb1: {{ return; }} }}
             enum k::E {{ {variants} }}"
        )
    };
    let lines = [
        "_2 = discriminant(_1); goto -> bb1;",
        "_2 = discriminant((*_3)); goto -> bb1;",
        "discriminant(_1) = 0; goto -> bb1;",
        "_0 = copy ((_1 as X).0: u8); goto -> bb1;",
        "_1 = k::E::X(const 1_u8); goto -> bb1;",
        "_2 = std::mem::discriminant::<k::E>(copy _3) -> bb1;",
    ];
    for line in lines {
        check(&uses(line, "X(u8), Y"), &uses(line, "X(u8), Z, Y"), AFFECTED);
    }
}

fn shared(ty: Ty) -> Ty {
    Ty::reference(Mutability::Shared, ty)
}

/// A generic function that hands its parameter to the library and calls a trait of the program, with one that may be meant.
fn dispatching() -> Build {
    start()
        .generic("k::f", 1, &[free_at("std::mem::take", &[param("T")]), method("k::Tr", param("T"), "m")])
        .adt("k::A", &[int()])
        .adt("k::B", &[int()])
        .implement("k::Tr", adt("k::A"), "m", 1, &[])
        .trait_with_default("k::Tr", "other", 1)
        .trait_with_default("k::Apart", "apart", 1)
}

#[track_caller]
fn check_built(old: Build, new: Build, expected: ChangeKind, what: &str) {
    check_programs(&old.done(), &new.done(), expected, what);
}

#[test]
fn an_implementation_that_takes_the_place_of_no_other_is_not_used_by_what_is_unchanged() {
    let added = |path: &str, ty: Ty| dispatching().implement(path, ty, "m", 2, &[]);
    let check = |path: &str, ty: Ty, expected| {
        check_built(dispatching(), added(path, ty.clone()), expected, &format!("{path} for {ty}"));
    };
    check("k::Tr", adt("k::B"), UNCHANGED);
    check("k::Apart", adt("k::A"), UNCHANGED);
    check("std::fmt::Display", adt("k::A"), UNCHANGED);
    check("std::convert::From", adt("k::A"), UNCHANGED);
    // The library has these for other types too, or goes by them.
    for path in
        ["std::string::ToString", "std::convert::Into", "std::marker::Copy", "std::iter::FusedIterator"]
    {
        check(path, adt("k::A"), AFFECTED);
    }
    check("std::hash::Hash", shared(adt("k::A")), AFFECTED);
    check("std::hash::Hash", Ty::adt("std::boxed::Box", vec![GenericArg::Ty(adt("k::A"))]), AFFECTED);
    // Nobody knows for which types a crate that is not read has one.
    check("dep::Tr", adt("k::A"), AFFECTED);
    // The drop of what a caller gives.
    check("std::ops::Drop", adt("k::A"), AFFECTED);
}

#[test]
fn an_implementation_in_the_place_of_one_for_all_types_counts() {
    let all = || dispatching().implement("k::Apart", param("T"), "apart", 1, &[]);
    let calls = |build: Build| {
        build.generic("k::g", 1, &[]).with(|function| {
            function.body = super::testing::body(1, &[method("k::Apart", param("T"), "apart")]);
        })
    };
    let (old, new) = (calls(all()), calls(all().implement("k::Apart", adt("k::A"), "apart", 2, &[])));
    let (old, new) = (old.done(), new.done());
    let kind = |path: &str| {
        let alignment = align(&old, &new);
        let pair =
            alignment.pairs.iter().find(|pair| pair.new.is_some_and(|id| new.functions[id].path == path));
        pair.map(|pair| pair.kind)
    };
    assert_eq!(kind("k::g"), Some(AFFECTED));
}

#[test]
fn the_library_calls_no_trait_of_the_program() {
    let hands = |callee: &str, result: i128, of: &str| {
        start()
            .func("k::f", 1, &[free_at(callee, &[adt("k::A")])])
            .adt("k::A", &[int()])
            .trait_with_default("k::Tr", "other", 1)
            .implement(of, adt("k::A"), "m", result, &[])
    };
    let check = |callee: &str, of: &str, expected| {
        check_built(
            hands(callee, 1, of),
            hands(callee, 2, of),
            expected,
            &format!("{of} handed to {callee}"),
        );
    };
    check("std::mem::take", "k::Tr", UNCHANGED);
    check("std::mem::take", "std::hash::Hash", AFFECTED);
    check("dep::takes", "k::Tr", AFFECTED);
    // Unknown traits are those of crates that are not read; they may be the library's under another name.
    check("std::mem::take", "dep::Tr", AFFECTED);
    // What it calls may call the program's.
    let through = |result| {
        start()
            .func("k::f", 1, &[free_at("std::mem::take", &[adt("k::A")])])
            .adt("k::A", &[int()])
            .trait_with_default("k::Tr", "other", 1)
            .implement("k::Tr", adt("k::A"), "m", result, &[])
            .implement("std::hash::Hash", adt("k::A"), "hash", 1, &[method("k::Tr", adt("k::A"), "m")])
    };
    check_built(through(1), through(2), AFFECTED, "through Hash");
}

#[test]
fn whatever_is_in_play_is_handed_to_the_library_by_a_generic_function() {
    let version = |of: &str, result| {
        start()
            .func("k::f", 1, &[free("k::generic"), value_of(adt("k::A"))])
            .generic("k::generic", 1, &[free_at("std::mem::take", &[param("T")])])
            .adt("k::A", &[])
            .trait_with_default("k::Tr", "other", 1)
            .implement(of, adt("k::A"), "m", result, &[])
    };
    check_built(version("std::hash::Hash", 1), version("std::hash::Hash", 2), AFFECTED, "of the library");
    check_built(version("k::Tr", 1), version("k::Tr", 2), UNCHANGED, "of the program");
    let object = Ty::new(TyKind::Dyn(Vec::new()));
    let handed = |result| {
        start()
            .func(
                "k::f",
                1,
                &[free_at("std::mem::take", std::slice::from_ref(&object)), value_of(adt("k::A"))],
            )
            .adt("k::A", &[])
            .implement("std::hash::Hash", adt("k::A"), "hash", result, &[])
    };
    check_built(handed(1), handed(2), UNCHANGED, "an object that nothing was turned into");
}

#[test]
fn what_formats_nothing_calls_no_trait_of_formatting() {
    let version = |callee: &str, of: &str, result| {
        start()
            .func("k::f", 1, &[free_at(callee, &[adt("k::A")])])
            .generic("k::generic", 1, &[free_at(callee, &[param("T")]), value_of(adt("k::A"))])
            .func("k::at_a", 1, &[free_at("k::generic", &[adt("k::A")])])
            .adt("k::A", &[int()])
            .implement(of, adt("k::A"), "m", result, &[])
    };
    let check = |callee: &str, of: &str, expected| {
        let (old, new) = (version(callee, of, 1).done(), version(callee, of, 2).done());
        let alignment = align(&old, &new);
        let kinds: Vec<ChangeKind> = alignment.pairs.iter().map(|pair| pair.kind).collect();
        assert_eq!(kinds[..3], [expected; 3], "{of} handed to {callee}");
    };
    for of in ["std::fmt::Display", "std::fmt::LowerHex"] {
        check("std::mem::take", of, UNCHANGED);
        check("std::vec::Vec::extend", of, UNCHANGED);
        check("std::fmt::format", of, AFFECTED);
        check("std::string::ToString::to_string", of, AFFECTED);
        check("std::result::Result::missing", of, AFFECTED);
        check("dep::takes", of, AFFECTED);
    }
    check("std::panicking::assert_failed", "std::fmt::Debug", AFFECTED);
    check("std::mem::take", "std::default::Default", AFFECTED);
    check("std::fmt::format", "std::default::Default", AFFECTED);
}

#[test]
fn a_default_that_is_not_known_may_call_whatever_is_implemented() {
    let version = |result: u8| {
        format!(
            "fn k::f() -> u8 {{ let _1: k::A; bb0: {{ _0 = <k::A as std::fmt::Write>::write_char(const 1_u8) -> bb1; }} bb1: {{ return; }} }}
             struct k::A;
             impl std::fmt::Write for k::A {{ fn write_str() -> u8 {{ bb0: {{ _0 = const {result}_u8; return; }} }} }}"
        )
    };
    check(&version(1), &version(2), AFFECTED);
}

#[test]
fn a_call_on_a_type_of_a_name_goes_to_what_is_implemented_for_that_name() {
    let version = |of: &str, result: u8| {
        let of_a = if of == "k::A<T>" { result } else { 1 };
        let of_b = if of == "k::B" { result } else { 1 };
        format!(
            "fn k::f<T>(_1: T) -> u8 {{ let _2: k::B; bb0: {{ _0 = <k::A<T> as std::ops::Add>::add(const 1_u8) -> bb1; }} bb1: {{ return; }} }}
             struct k::A<T> {{ a: T }}
             struct k::B;
             impl<T> std::ops::Add for k::A<T> {{ fn add() -> u8 {{ bb0: {{ _0 = const {of_a}_u8; return; }} }} }}
             impl std::ops::Add for k::B {{ fn add() -> u8 {{ bb0: {{ _0 = const {of_b}_u8; return; }} }} }}"
        )
    };
    check(&version("k::A<T>", 1), &version("k::A<T>", 2), AFFECTED);
    check(&version("k::B", 1), &version("k::B", 2), UNCHANGED);
}

#[test]
fn what_a_function_takes_and_gives_counts_whatever_it_does_with_it() {
    let version = |fields: &str| {
        format!(
            "fn k::f(_1: &k::Outer) -> &k::Outer {{ bb0: {{ _0 = copy _1; return; }} }}
             struct k::Outer {{ inner: k::A }}
             struct k::A {{ {fields} }}"
        )
    };
    check(&version("a: u8"), &version("a: u8, b: u16"), AFFECTED);
}

#[test]
fn a_vector_does_with_its_elements_what_is_asked_of_it() {
    let version = |holder: &str, lines: &str, result: u8| {
        format!(
            "fn k::f() -> u8 {{ let _1: {holder}; let _2: std::vec::Vec<k::A>; bb0: {{ {lines} }} bb1: {{ return; }} }}
             fn k::generic<T>(_1: T) -> u8 {{ bb0: {{ _0 = <T as std::clone::Clone>::clone(copy _1) -> bb1; }} bb1: {{ return; }} }}
             struct k::A;
             impl std::clone::Clone for k::A {{ fn clone() -> u8 {{ bb0: {{ _0 = const {result}_u8; return; }} }} }}
             impl std::ops::Drop for k::B {{ fn drop() -> u8 {{ bb0: {{ _0 = const {result}_u8; return; }} }} }}
             struct k::B;"
        )
    };
    let check = |holder: &str, lines: &str, expected| {
        check(&version(holder, lines, 1), &version(holder, lines, 2), expected);
    };
    check("std::vec::Vec<k::A>", "goto -> bb1;", UNCHANGED);
    check("std::boxed::Box<k::A>", "goto -> bb1;", UNCHANGED);
    check("std::vec::Vec<k::B>", "goto -> bb1;", AFFECTED);
    check("std::collections::Thing<k::A>", "goto -> bb1;", AFFECTED);
    check("u8", "_0 = <std::vec::Vec<k::A> as std::clone::Clone>::clone(copy _2) -> bb1;", AFFECTED);
    check("u8", "_0 = std::vec::Vec::dedup::<k::A>(copy _2) -> bb1;", AFFECTED);
    check("u8", "_0 = k::generic::<std::vec::Vec<k::A>>(copy _2) -> bb1;", AFFECTED);
    check(
        "std::boxed::Box<dyn std::clone::Clone>",
        "_1 = copy _2 as std::boxed::Box<dyn std::clone::Clone> (Unsize); goto -> bb1;",
        AFFECTED,
    );
}
