//! Calls: which body runs, what it gets and gives back, and what calls leave in slices.

use std::time::Duration;

use super::*;
use crate::exec::{Stop, resolve};
use crate::ir::{Const, FnRef, GenericArg, Name, Trait, TraitRef, Ty, Visibility};

#[test]
fn arguments_are_passed_in_order_and_results_come_back() {
    let text =
        "fn f(_1: u8, _2: u8) -> u8 { bb0: { _0 = k::sub(copy _2, copy _1) -> bb1; } bb1: { return; } }
        fn k::sub(_1: u8, _2: u8) -> u8 { bb0: { _0 = Sub(copy _1, copy _2); return; } }";
    check(text, "3_u8, 10_u8", "7");
}

#[test]
fn a_branch_in_a_callee_ends_with_it() {
    // The callee's branch decides its own result, and nothing of what the caller does behind it.
    let text = "fn f(_1: u8, _2: u8) -> u8 { let _3: u8;
            bb0: { _3 = k::is_seven(copy _1) -> bb1; } bb1: { _0 = copy _2; return; } }
        fn k::is_seven(_1: u8) -> u8 {
            bb0: { switchInt(copy _1) -> [7: bb1, otherwise: bb2]; }
            bb1: { _0 = const 1_u8; goto -> bb3; }
            bb2: { _0 = const 0_u8; goto -> bb3; }
            bb3: { return; } }";
    check_slice(text, "7_u8, 1_u8", &[]);
    let used = text.replace("_0 = copy _2", "_0 = copy _3");
    check_slice(&used, "7_u8, 1_u8", &["arg0 == 7"]);
}

#[test]
fn recursion_goes_as_deep_as_the_input_says() {
    let text = "fn f(_1: u8) -> u8 { let _2: u8; let _3: u8;
        bb0: { switchInt(copy _1) -> [0: bb1, otherwise: bb2]; }
        bb1: { _0 = const 0_u8; goto -> bb4; }
        bb2: { _2 = Sub(copy _1, const 1_u8); _3 = f(copy _2) -> bb3; }
        bb3: { _0 = Add(copy _3, const 2_u8); goto -> bb4; }
        bb4: { return; } }";
    check(text, "5_u8", "10");
    let ending = run(text, "250_u8").ending;
    assert!(matches!(ending, Ending::Stopped(Stop::CallDepth { .. })), "{}", shown(&ending));
}

#[test]
fn a_run_ends_with_the_time_of_its_exploration() {
    let text = "fn f(_1: u8) -> u8 { let _2: u64; bb0: { _2 = const 0_u64; goto -> bb1; }
        bb1: { _2 = Add(copy _2, const 1_u64); switchInt(copy _2) -> [1000000000000: bb2, otherwise: bb1]; }
        bb2: { _0 = copy _1; return; } }";
    let program = program(text);
    let image = Image::new(&program, PanicPolicy::Outcomes);
    let callee = Resolved { function: FnId::from_usize(0), subst: Subst::default() };
    let limits = Limits { max_steps: u64::MAX, ..Limits::default() };
    let options = Options { limits, timeout: Duration::from_millis(100), ..Options::default() };
    let mut function = Function::new(&image, callee, options).expect("it can be run");
    let model = function.inputs.model(&arguments(&program, "5_u8")).expect("these are arguments");
    let ending = visit(&mut function, model).ending;
    assert!(matches!(ending, Ending::Stopped(Stop::TimeBudget { seconds: 1 })), "{}", shown(&ending));
}

#[test]
fn generic_arguments_choose_the_body() {
    let text = "fn f(_1: u8, _2: k::S) -> (u8, u8, u8) { let _3: u8; let _4: u8; let _5: u8; let _6: &[u8; 2]; let _7: [u8; 2];
            bb0: { _3 = k::name::<u8>(copy _1) -> bb1; }
            bb1: { _4 = k::name::<k::S>(copy _2) -> bb2; }
            bb2: { _5 = k::len::<const 2>() -> bb3; }
            bb3: { _0 = (copy _3, copy _4, copy _5); return; } }
        struct k::S;
        fn k::name<T>(_1: T) -> u8 { let _2: &T; bb0: { _2 = &_1; _0 = <T as k::Named>::name(copy _2) -> bb1; } bb1: { return; } }
        fn k::len<const N>() -> u8 { let _1: usize; bb0: { _1 = const N; _0 = copy _1 as u8 (IntToInt); return; } }
        impl<T> k::Named for T { fn name(_1: &T) -> u8 { bb0: { _0 = const 1_u8; return; } } }
        impl k::Named for k::S { fn name(_1: &k::S) -> u8 { bb0: { _0 = const 2_u8; return; } } }";
    check(text, "0_u8, k::S {}", "(1, 2, 2)");
}

#[test]
fn a_trait_object_calls_what_was_made_into_it() {
    let text =
        "fn f(_1: bool, _2: k::A, _3: k::B) -> u8 { let _4: &dyn k::Named; let _5: &k::A; let _6: &k::B;
            bb0: { switchInt(copy _1) -> [0: bb1, otherwise: bb2]; }
            bb1: { _5 = &_2; _4 = copy _5 as &dyn k::Named (Unsize); goto -> bb3; }
            bb2: { _6 = &_3; _4 = copy _6 as &dyn k::Named (Unsize); goto -> bb3; }
            bb3: { _0 = <dyn k::Named as k::Named>::name(copy _4) -> bb4; }
            bb4: { return; } }
        struct k::A; struct k::B;
        impl k::Named for k::A { fn name(_1: &k::A) -> u8 { bb0: { _0 = const 1_u8; return; } } }
        impl k::Named for k::B { fn name(_1: &k::B) -> u8 { bb0: { _0 = const 2_u8; return; } } }";
    check(text, "false, k::A {}, k::B {}", "1");
    check(text, "true, k::A {}, k::B {}", "2");
    check_slice(text, "true, k::A {}, k::B {}", &["arg0"]);
}

#[test]
fn a_trait_that_an_object_is_not_of_is_not_that_of_what_was_made_into_it() {
    let text = |called: &str| {
        format!(
            "fn f(_1: k::A) -> u8 {{ let _2: &dyn k::Named; let _3: &k::A;
                bb0: {{ _3 = &_1; _2 = copy _3 as &dyn k::Named (Unsize); _0 = <dyn k::Named as {called}>::show(copy _2) -> bb1; }}
                bb1: {{ return; }} }}
            struct k::A;
            impl k::Shown for k::A {{ fn show(_1: &k::A) -> u8 {{ bb0: {{ _0 = const 1_u8; return; }} }} }}
            impl k::Named for k::A {{ fn show(_1: &k::A) -> u8 {{ bb0: {{ _0 = const 2_u8; return; }} }} }}"
        )
    };
    check(&text("k::Named"), "k::A {}", "2");
    let ending = run(&text("k::Shown"), "k::A {}").ending;
    assert!(matches!(ending, Ending::Stopped(Stop::OpaqueCall { .. })), "{}", shown(&ending));
}

#[test]
fn which_function_a_pointer_is_depends_on_who_chose_it() {
    let text = "fn f(_1: bool) -> u8 { let _2: fn() -> u8;
            bb0: { switchInt(copy _1) -> [0: bb1, otherwise: bb2]; }
            bb1: { _2 = const fn {k::one} as fn() -> u8 (ReifyFnPointer); goto -> bb3; }
            bb2: { _2 = const fn {k::two} as fn() -> u8 (ReifyFnPointer); goto -> bb3; }
            bb3: { _0 = (copy _2)() -> bb4; }
            bb4: { return; } }
        fn k::one() -> u8 { bb0: { _0 = const 1_u8; return; } }
        fn k::two() -> u8 { bb0: { _0 = const 2_u8; return; } }";
    check(text, "false", "1");
    check(text, "true", "2");
    check_slice(text, "false", &["!arg0"]);
}

#[test]
fn a_closure_has_what_it_captured() {
    let text = "fn f(_1: u8, _2: u8) -> u8 { let _3: {closure@f::{closure#0}}; let _4: &{closure@f::{closure#0}}; let _5: (u8,);
            bb0: { _3 = {closure@f::{closure#0}} {copy _1}; _4 = &_3; _5 = (copy _2,);
                   _0 = <{closure@f::{closure#0}} as std::ops::Fn<(u8,)>>::call(copy _4, copy _5) -> bb1; }
            bb1: { return; } }
        closure f::{closure#0}(_1: &{closure@f::{closure#0}}, _2: u8) -> u8 {
            bb0: { _0 = Sub(copy ((*_1).0: u8), copy _2); return; } }";
    check(text, "9_u8, 2_u8", "7");
}

#[test]
fn a_call_of_what_has_no_body_is_opaque() {
    let text =
        "fn f() -> u8 { bb0: { _0 = k::elsewhere() -> bb1; } bb1: { return; } } fn k::elsewhere() -> u8;";
    let ending = run(text, "").ending;
    assert!(matches!(ending, Ending::Stopped(Stop::OpaqueCall { .. })), "{}", shown(&ending));
}

#[test]
fn of_two_bodies_with_one_path_none_is_taken() {
    let text = "fn f() -> u8 { bb0: { _0 = k::g() -> bb1; } bb1: { return; } }
        fn k::g() -> u8 { bb0: { _0 = const 1_u8; return; } }
        fn k::g() -> u8 { bb0: { _0 = const 2_u8; return; } }";
    let ending = run(text, "").ending;
    assert!(matches!(ending, Ending::Stopped(Stop::OpaqueCall { .. })), "{}", shown(&ending));
}

#[test]
fn a_call_with_too_few_arguments_is_refused() {
    let text = "fn f() -> u8 { bb0: { _0 = k::g() -> bb1; } bb1: { return; } }
        fn k::g(_1: u8) -> u8 { bb0: { _0 = copy _1; return; } }";
    check_unsupported(text, "");
}

#[test]
fn a_panic_in_a_callee_is_the_outcome() {
    let text = "fn f(_1: u8) -> u8 { bb0: { _0 = k::g(copy _1) -> bb1; } bb1: { _0 = const 0_u8; return; } }
        fn k::g(_1: u8) -> u8 { let _2: !; let _3: bool;
            bb0: { _3 = Lt(copy _1, const 10_u8); switchInt(move _3) -> [0: bb1, otherwise: bb2]; }
            bb1: { _2 = std::panicking::panic(const \"no\") -> !; }
            bb2: { _0 = copy _1; return; } }";
    check_panic(text, "10_u8", PanicKind::Explicit);
    check(text, "9_u8", "0");
    check_slice(text, "9_u8", &["arg0 < 10"]);
}

#[test]
fn a_constructor_without_a_body_builds() {
    let text = "fn f(_1: u8) -> k::E { bb0: { _0 = k::E::B(copy _1) -> bb1; } bb1: { return; } }
        enum k::E { A = 0, B(u8) = 1 }";
    let literal = text.replace("k::E::B(copy _1) -> bb1; } bb1: {", "k::E::B(copy _1);");
    assert_eq!(shown(&run(text, "3_u8").ending), shown(&run(&literal, "3_u8").ending));
    assert!(!shown(&run(text, "3_u8").ending).starts_with("stopped"));
    let no_function = text.replace("B(u8)", "B { x: u8 }");
    assert!(shown(&run(&no_function, "3_u8").ending).starts_with("stopped"));
}

#[test]
fn an_auto_trait_is_asked_of_nothing_that_is_written() {
    let text = "fn f(_1: u8) -> u8 { bb0: { _0 = <u8 as k::Tr>::number(copy _1) -> bb1; } bb1: { return; } }
        struct k::S;
        impl<T> k::Tr for T { fn number(_1: T) -> u8 { bb0: { _0 = const 7_u8; return; } } }
        impl BOUND for k::S { fn unused() -> u8 { bb0: { _0 = const 1_u8; return; } } }";
    let check = |bound: &str, expected: bool| {
        let mut program = program(&text.replace("BOUND", bound));
        let asked =
            TraitRef { self_ty: Ty::new(TyKind::Param("T".into())), path: bound.into(), args: Vec::new() };
        let with_bound = program.impls.iter_mut().find(|item| item.trait_ref.path.as_str() == "k::Tr");
        with_bound.expect("it is there").bounds.push(asked);
        let of =
            TraitRef { self_ty: Ty::new(TyKind::Int(IntTy::U8)), path: "k::Tr".into(), args: Vec::new() };
        assert_eq!(resolve::find_impl(&program, &of).is_some(), expected, "{bound}");
    };
    // A crate says of some type that it can be sent, which no other needs.
    check("std::marker::Send", true);
    check("std::panic::UnwindSafe", true);
    check("k::Marker", false);
}

#[test]
fn an_implementation_of_the_library_that_has_no_model_is_not_taken_for_the_default() {
    let mut program = program("fn f(_1: u8) -> u8 { bb0: { _0 = copy _1; return; } } struct k::S;");
    for path in ["std::iter::Iterator", "k::Tr"] {
        program.traits.push(Trait {
            path: path.into(),
            visibility: Visibility::Public,
            generics: Vec::new(),
            default_methods: [(Name::new("m"), FnId::from_usize(0))].into(),
            default_consts: Default::default(),
            default_types: Default::default(),
            supertraits: Vec::new(),
        });
    }
    program.build_index();
    let check = |self_ty: Ty, path: &str, expected: bool| {
        let trait_ref = TraitRef { self_ty: self_ty.clone(), path: path.into(), args: Vec::new() };
        let method = FnRef::Trait { trait_ref, method: Name::new("m"), args: Vec::new() };
        assert_eq!(resolve::resolve(&program, &method).is_some(), expected, "{self_ty}: {path}");
    };
    let byte = Ty::new(TyKind::Int(IntTy::U8));
    check(Ty::adt("std::str::Lines", Vec::new()), "std::iter::Iterator", false);
    check(byte.clone(), "std::iter::Iterator", false);
    check(Ty::adt("k::S", Vec::new()), "std::iter::Iterator", true);
    check(byte, "k::Tr", true);
}

/// Which implementation is meant, by the text of its header; none where that cannot be told.
#[test]
fn an_implementation_is_chosen_if_no_other_may_be_meant() {
    let text = "fn f(_1: u8) -> u8 { bb0: { _0 = copy _1; return; } }
        struct k::A; struct k::B; struct k::W<T>(T);
        impl k::Ty for k::A { type Out = u8; }
        impl k::Ty for k::B { type Out = u16; }
        const k::N() -> usize { bb0: { _0 = const 1_usize; return; } }
        impl k::Tr for ONE { fn m() -> u8 { bb0: { _0 = const 1_u8; return; } } }
        impl k::Tr for OTHER { fn m() -> u8 { bb0: { _0 = const 2_u8; return; } } }";
    let check = |asked: Ty, one: &str, other: &str, bound: Option<&str>, expected: Option<&str>| {
        for [one, other] in [[one, other], [other, one]] {
            let text = text.replace("ONE", one).replace("OTHER", other);
            let text = text.replace("impl k::Tr for k::W<T>", "impl<T> k::Tr for k::W<T>");
            let mut program = program(&text);
            for item in program.impls.iter_mut() {
                if item.trait_ref.self_ty.to_string() == "k::W<T>" {
                    let self_ty = Ty::new(TyKind::Param("T".into()));
                    let bound = bound.map(|path| TraitRef { self_ty, path: path.into(), args: Vec::new() });
                    item.bounds.extend(bound);
                }
            }
            let of = TraitRef { self_ty: asked.clone(), path: "k::Tr".into(), args: Vec::new() };
            let found = resolve::find_impl(&program, &of);
            let found = found.map(|(item, _)| item.trait_ref.self_ty.to_string());
            assert_eq!(found.as_deref(), expected, "{one} and {other} for {asked}");
            let is_left_open = expected.is_none() && one != "k::W<u8>" && other != "k::W<u8>";
            let implements = (!is_left_open).then_some(expected.is_some());
            assert_eq!(resolve::implements(&program, &of), implements, "{one} and {other} for {asked}");
        }
    };
    let (u8_ty, u16_ty) = (Ty::new(TyKind::Int(IntTy::U8)), Ty::new(TyKind::Int(IntTy::U16)));
    let wrapped = |ty: Ty| Ty::adt("k::W", vec![GenericArg::Ty(ty)]);
    let of = |name: &str| format!("<k::{name} as k::Ty>::Out");
    check(u16_ty.clone(), &of("A"), &of("B"), None, Some(&of("B")));
    check(
        wrapped(u8_ty.clone()),
        &format!("k::W<{}>", of("A")),
        "k::W<u16>",
        None,
        Some(&format!("k::W<{}>", of("A"))),
    );
    // What can be called is made by the compiler; of a trait that nothing here implements only rustc knows.
    check(wrapped(u8_ty.clone()), "k::W<T>", "k::W<u8>", Some("std::ops::Fn"), Some("k::W<u8>"));
    check(wrapped(u8_ty.clone()), "k::W<T>", "k::W<u8>", Some("k::Unknown"), Some("k::W<u8>"));
    check(wrapped(u8_ty.clone()), "k::W<T>", "k::W<[u8; k::N]>", Some("k::Unknown"), Some("k::W<T>"));
    let array = Ty::new(TyKind::Array(u8_ty, Const::Int(1, IntTy::Usize)));
    check(wrapped(array.clone()), "k::W<T>", "k::W<[u8; k::N]>", Some("k::Unknown"), None);
    check(wrapped(array.clone()), "k::W<u8>", "k::W<[u8; k::N]>", None, Some("k::W<[u8; k::N]>"));
    check(wrapped(array), "k::W<u16>", "k::W<u8>", None, None);
}

/// A loop in a loop: `_1` rounds of `_2` rounds each.
const NESTED: &str = "fn f(_1: u8, _2: u8) -> u8 { let _3: u8; let _4: u8; let _5: bool;
        bb0: { _0 = const 0_u8; _3 = const 0_u8; goto -> bb1; }
        bb1: { _5 = Lt(copy _3, copy _1); switchInt(move _5) -> [0: bb5, otherwise: bb2]; }
        bb2: { _3 = Add(copy _3, const 1_u8); _4 = const 0_u8; goto -> bb3; }
        bb3: { _5 = Lt(copy _4, copy _2); switchInt(move _5) -> [0: bb1, otherwise: bb4]; }
        bb4: { _4 = Add(copy _4, const 1_u8); _0 = Add(copy _0, const 1_u8); goto -> bb3; }
        bb5: { return; } }";

#[test]
fn as_many_rounds_of_a_loop_as_are_told_are_gone_through() {
    let limit = Limits::default().max_unwind;
    let half = limit / 2;
    let is_given_up =
        |inputs: &str| matches!(run(NESTED, inputs).ending, Ending::Stopped(Stop::LoopBound { .. }));
    check(NESTED, &format!("1_u8, {limit}_u8"), &limit.to_string());
    check(NESTED, &format!("2_u8, {half}_u8"), &(2 * half).to_string());
    check(NESTED, &format!("{limit}_u8, 0_u8"), "0");
    check(NESTED, &format!("{limit}_u8, 1_u8"), &limit.to_string());
    assert!(is_given_up(&format!("1_u8, {}_u8", limit + 1)));
    assert!(is_given_up(&format!("{}_u8, 0_u8", limit + 1)));
    assert!(is_given_up(&format!("3_u8, {half}_u8")));
}
