//! What becomes of a function when one line of a program's text is another: every part of a body counts, how it is
//! written down does not, and whatever a body can refer to is found.

use super::*;
use crate::idx::Idx as _;
use crate::ir::{GenericArg, Span, Subst, Ty, TyKind, parse};
use crate::verdict::ChangeKind;

const UNCHANGED: ChangeKind = ChangeKind::Unchanged;
const CHANGED: ChangeKind = ChangeKind::Changed;
const AFFECTED: ChangeKind = ChangeKind::Affected;

fn program(text: &str) -> Program {
    parse::program(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// What becomes of the first function.
fn kind(old: &str, new: &str) -> ChangeKind {
    let (old, new) = (program(old), program(new));
    align(&old, &new).pairs[0].kind
}

#[track_caller]
fn check(old: &str, new: &str, expected: ChangeKind) {
    assert_eq!(kind(old, new), expected, "{old}\nand\n{new}");
    assert_eq!(kind(new, old), expected, "{new}\nand\n{old}");
    assert_eq!((kind(old, old), kind(new, new)), (UNCHANGED, UNCHANGED), "against themselves");
}

/// A function with locals of several types and `lines` in its first block, before a return; `bb1` and `bb2` are there to be
/// gone to, `bb3` to unwind to.
fn body(lines: &str) -> String {
    let end = if lines.trim_end().ends_with('!') { "" } else { "return;" };
    let lines = lines.trim_end_matches('!');
    format!(
        "fn k::f<T, const N>(_1: u8, _2: u8) -> u8 {{
            let _3: u8; let _4: bool; let _5: (u8, u8); let _6: &u8; let _7: *mut u8; let _8: [u8; 4]; let _9: usize;
            let _10: (u8, bool); let _11: k::E; let _12: &[u8]; let _13: u16; let _14: i8; let _15: fn() -> u8;
            let _16: {{closure@k::f::{{closure#0}}}};
            bb0: {{ {lines} {end} }}
            bb1: {{ _0 = const 1_u8; return; }}
            bb2: {{ _0 = const 2_u8; return; }}
            bb3 (cleanup): {{ _0 = const 3_u8; resume; }}
            bb4 (cleanup): {{ resume; }}
        }}
        fn k::g(_1: u8) -> u8 {{ bb0: {{ _0 = copy _1; return; }} }}
        fn k::h(_1: u8) -> u8 {{ bb0: {{ _0 = Not(copy _1); return; }} }}
        enum k::E {{ A(u8, u8), B(u8, u8) }}"
    )
}

#[test]
fn every_part_of_a_statement_counts() {
    let differ = [
        ["_0 = copy _1;", "_0 = copy _2;"],
        ["_0 = copy _1;", "_0 = const 1_u8;"],
        ["_0 = const 1_u8;", "_0 = const 2_u8;"],
        ["_0 = Add(copy _1, copy _2);", "_0 = Sub(copy _1, copy _2);"],
        ["_0 = Sub(copy _1, copy _2);", "_0 = Sub(copy _2, copy _1);"],
        ["_10 = AddWithOverflow(copy _1, copy _2);", "_10 = SubWithOverflow(copy _1, copy _2);"],
        ["_0 = Not(copy _1);", "_0 = Neg(copy _1);"],
        ["_4 = Lt(copy _1, copy _2);", "_4 = Le(copy _1, copy _2);"],
        ["_5.0 = copy _1;", "_5.1 = copy _1;"],
        ["_5 = (copy _1, copy _2);", "_5 = (copy _2, copy _1);"],
        ["_6 = &_1;", "_6 = &_2;"],
        ["_7 = &raw mut _1;", "_7 = &raw const _1;"],
        ["_0 = copy (*_6);", "_0 = copy (*_7);"],
        ["_8 = [copy _1; 4];", "_8 = [copy _2; 4];"],
        ["_0 = copy _8[_9];", "_0 = copy _8[0];"],
        ["_0 = copy _8[0];", "_0 = copy _8[1];"],
        ["_0 = copy _8[1];", "_0 = copy _8[-1];"],
        ["_12 = &_8[1..3];", "_12 = &_8[1..2];"],
        ["_12 = &_8[1..3];", "_12 = &_8[1..-3];"],
        ["_9 = Len((*_12));", "_9 = PtrMetadata(copy _12);"],
        ["_11 = k::E::A(copy _1, copy _2);", "_11 = k::E::B(copy _1, copy _2);"],
        ["_0 = copy ((_11 as A).0: u8);", "_0 = copy ((_11 as B).0: u8);"],
        ["discriminant(_11) = 0;", "discriminant(_11) = 1;"],
        ["_13 = copy _14 as u16 (IntToInt);", "_13 = copy _1 as u16 (IntToInt);"],
        ["_7 = copy _7 as *mut u8 (PtrToPtr);", "_7 = copy _7 as *mut u8 (Transmute);"],
        ["_9 = SizeOf(u8);", "_9 = SizeOf(u16);"],
        ["_9 = SizeOf(u8);", "_9 = AlignOf(u8);"],
        ["_9 = SizeOf(T);", "_9 = SizeOf(k::E);"],
        ["_9 = const N;", "_9 = const 4;"],
        ["_15 = const fn {k::g};", "_15 = const fn {k::h};"],
        ["_3 = copy _1; _0 = copy _3;", "_3 = copy _1; _0 = copy _1;"],
    ];
    for [old, new] in differ {
        check(&body(old), &body(new), CHANGED);
    }
}

#[test]
fn every_part_of_a_terminator_counts() {
    let differ = [
        ["goto -> bb1;!", "goto -> bb2;!"],
        [
            "switchInt(copy _1) -> [7: bb1, otherwise: bb2];!",
            "switchInt(copy _1) -> [8: bb1, otherwise: bb2];!",
        ],
        [
            "switchInt(copy _1) -> [7: bb1, otherwise: bb2];!",
            "switchInt(copy _1) -> [7: bb2, otherwise: bb1];!",
        ],
        [
            "switchInt(copy _1) -> [7: bb1, otherwise: bb2];!",
            "switchInt(copy _2) -> [7: bb1, otherwise: bb2];!",
        ],
        ["return;!", "unreachable;!"],
        ["_0 = k::g(copy _1) -> bb1;!", "_0 = k::h(copy _1) -> bb1;!"],
        ["_0 = k::g(copy _1) -> bb1;!", "_0 = k::g(copy _2) -> bb1;!"],
        ["_0 = k::g(copy _1) -> bb1;!", "_3 = k::g(copy _1) -> bb1;!"],
        ["_0 = k::g(copy _1) -> bb1;!", "_0 = k::g(copy _1) -> !;!"],
        ["_0 = k::g(copy _1) -> bb1;!", "_0 = k::g(copy _1) -> [return: bb1, unwind: bb3];!"],
        ["_0 = k::g(copy _1) -> bb1;!", "_0 = (copy _15)(copy _1) -> bb1;!"],
        ["_0 = k::o::<u8>(copy _1) -> bb1;!", "_0 = k::o::<u16>(copy _1) -> bb1;!"],
        ["_0 = k::o::<const 1_u8>(copy _1) -> bb1;!", "_0 = k::o::<const 2_u8>(copy _1) -> bb1;!"],
        ["_0 = <u8>::k::S::o(copy _1) -> bb1;!", "_0 = <u16>::k::S::o(copy _1) -> bb1;!"],
        ["_0 = <u8 as k::Tr>::o(copy _1) -> bb1;!", "_0 = <u16 as k::Tr>::o(copy _1) -> bb1;!"],
        ["_0 = <u8 as k::Tr<u8>>::o(copy _1) -> bb1;!", "_0 = <u8 as k::Tr<u16>>::o(copy _1) -> bb1;!"],
        ["assert(copy _4, \"no\") -> bb1;!", "assert(!copy _4, \"no\") -> bb1;!"],
        [
            "assert(copy _4, overflow Add(copy _1, copy _2)) -> bb1;!",
            "assert(copy _4, division of copy _1 by zero) -> bb1;!",
        ],
        ["assert(copy _4, \"no\") -> bb1;!", "goto -> bb1;!"],
        ["drop(_11) -> bb1;!", "goto -> bb1;!"],
        ["drop(_11) -> bb1;!", "drop(_5) -> bb1;!"],
        ["unsupported(\"asm\");!", "return;!"],
    ];
    for [old, new] in differ {
        let unsupported = [old, new].iter().any(|lines| lines.starts_with("unsupported"));
        match unsupported {
            // Nothing that is not understood is the same as anything, itself included.
            true => assert_eq!(kind(&body(old), &body(new)), CHANGED),
            false => check(&body(old), &body(new), CHANGED),
        }
    }
}

#[test]
fn how_a_body_is_written_down_does_not_count() {
    let old = "fn k::f(_1: u8) -> u8 { let _2: u8; let _3: bool; debug x => _1;
        bb0: { _2 = Add(copy _1, const 1_u8); _3 = Eq(copy _2, const 0_u8); switchInt(copy _3) -> [0: bb1, otherwise: bb2]; }
        bb1: { _0 = copy _2; goto -> bb3; }
        bb2: { _0 = const 9_u8; goto -> bb3; }
        bb3: { return; } }";
    // Other names, other numbers of locals and blocks, a block cut in two, a local and a block that nothing uses.
    let new = "fn k::f(_1: u8) -> u8 { let _2: bool; let _3: u16; let _4: u8; debug y => _1;
        bb0: { nop; _4 = Add(copy _1, const 1_u8); goto -> bb5; }
        bb1: { return; }
        bb2: { _0 = const 9_u8; goto -> bb1; }
        bb3: { _0 = copy _4; goto -> bb1; }
        bb4: { _3 = const 1_u16; return; }
        bb5: { _2 = Eq(copy _4, const 0_u8); switchInt(copy _2) -> [0: bb3, otherwise: bb2]; } }";
    check(old, new, UNCHANGED);
}

/// A caller of what may change, which is `k::leaf`, in all ways that a body has.
fn mentions(locals: &str, lines: &str, leaf: &str) -> String {
    format!(
        "fn k::f() -> u8 {{ let _1: u8; let _2: bool; {locals} bb0: {{ {lines} }} bb1: {{ return; }} }}
         {leaf}
         fn k::other() -> u8 {{ bb0: {{ _0 = const 0_u8; return; }} }}"
    )
}

#[test]
fn whatever_refers_to_a_function_is_affected_by_it() {
    let refer = [
        ("", "_1 = k::leaf() -> bb1;"),
        ("", "_1 = k::other::<fn {k::leaf}>() -> bb1;"),
        ("", "_1 = (const fn {k::leaf})() -> bb1;"),
        ("", "_1 = k::other(const fn {k::leaf}) -> bb1;"),
        ("let _3: fn {k::leaf};", "goto -> bb1;"),
        ("let _3: (u8, &[fn {k::leaf}]);", "goto -> bb1;"),
        ("let _3: [u8; k::leaf];", "goto -> bb1;"),
        ("", "_1 = const k::leaf; goto -> bb1;"),
        ("", "_1 = const <u8>::k::leaf; goto -> bb1;"),
        ("", "_1 = const &static k::leaf; goto -> bb1;"),
        ("", "_1 = const (1_u8, [&k::leaf]); goto -> bb1;"),
        ("", "_1 = const k::S {k::leaf}; goto -> bb1;"),
        ("", "_1 = const ZeroSized: fn {k::leaf}; goto -> bb1;"),
        ("", "_1 = Add(copy _1, const k::leaf); goto -> bb1;"),
        ("", "_1 = Not(const k::leaf); goto -> bb1;"),
        ("", "_1 = [const 0_u8; k::leaf]; goto -> bb1;"),
        ("", "_1 = (const k::leaf,); goto -> bb1;"),
        ("", "_1 = const k::leaf as u8 (IntToInt); goto -> bb1;"),
        ("", "_1 = const 1_u8 as fn {k::leaf} (Transmute); goto -> bb1;"),
        ("", "_1 = SizeOf(fn {k::leaf}); goto -> bb1;"),
        ("", "_1 = *const [u8] from (const k::leaf, const 1); goto -> bb1;"),
        ("", "_1.0 = const 1_u8; (_1.0: fn {k::leaf}) = const 1_u8; goto -> bb1;"),
        ("", "switchInt(const k::leaf) -> [0: bb1, otherwise: bb1];"),
        ("", "assert(const k::leaf, \"no\") -> bb1;"),
        ("", "assert(copy _2, index const k::leaf below const 1) -> bb1;"),
        ("", "drop((_1.0: fn {k::leaf})) -> bb1;"),
    ];
    let leaf = |value: u8| format!("fn k::leaf() -> u8 {{ bb0: {{ _0 = const {value}_u8; return; }} }}");
    for (locals, lines) in refer {
        let text = |value| mentions(locals, lines, &leaf(value));
        check(&text(1), &text(2), AFFECTED);
    }
    let apart = |value| mentions("let _3: fn {k::other};", "_1 = k::other() -> bb1;", &leaf(value));
    check(&apart(1), &apart(2), UNCHANGED);
}

#[test]
fn what_a_definition_says_counts_and_how_it_is_said_does_not() {
    let uses = |adt: &str| {
        format!(
            "fn k::f(_1: &u8) -> u8 {{ let _2: k::A<u8>; let _3: isize; bb0: {{ _3 = discriminant(_2); return; }} }} {adt}"
        )
    };
    let base = "#[repr(u8)] enum k::A<T> { X = 1, Y(u8, T) = 2 }";
    let check = |other: &str, expected| check(&uses(base), &uses(other), expected);
    check("#[repr(u8)] pub enum k::A<U> { X = 1, Y(pub u8, U) = 2 }", UNCHANGED);
    check("#[repr(u8)] enum k::A<T> { X = 1, Y(u8, T) = 3 }", AFFECTED);
    check("#[repr(u16)] enum k::A<T> { X = 1, Y(u8, T) = 2 }", AFFECTED);
    check("#[repr(u8)] enum k::A<T> { Y(u8, T) = 2, X = 1 }", AFFECTED);
    check("#[repr(u8)] enum k::A<T> { X = 1, Y(T, u8) = 2 }", AFFECTED);
    check("#[repr(u8)] enum k::A<T> { X = 1, Y { a: u8, b: T } = 2 }", AFFECTED);
    check("#[repr(u8)] enum k::A<T> { X = 1, Y(u8, T) = 2, Z = 3 }", AFFECTED);
    check("struct k::A<T>(u8, T);", AFFECTED);
}

#[test]
fn an_implementation_counts_by_what_it_has() {
    let calls = |implementation: &str| {
        format!(
            "fn k::f() -> u8 {{ bb0: {{ _0 = <u8 as k::Tr<bool>>::m() -> bb1; }} bb1: {{ return; }} }} {implementation}
             fn k::other() -> u8 {{ bb0: {{ _0 = const 0_u8; return; }} }}"
        )
    };
    let base =
        "impl k::Tr<bool> for u8 { type Out = u8; fn m() -> u8 { bb0: { _0 = const 1_u8; return; } } }";
    let check = |other: &str, expected| check(&calls(base), &calls(other), expected);
    check(&base.replace("const 1_u8", "const 2_u8"), AFFECTED);
    check(&base.replace("Out = u8", "Out = u16"), AFFECTED);
    // One that the call cannot mean beside it.
    let beside = "impl k::Tr<char> for u8 { fn m() -> u8 { bb0: { _0 = const 9_u8; return; } } }";
    check(&format!("{base} {beside}"), UNCHANGED);
}

/// A type in a body that is not told from another of its name is not defined in the program.
#[test]
fn a_destructor_of_a_type_without_definition_counts() {
    let drops = |value: &str| {
        format!(
            "fn k::f() -> () {{ let _1: k::f::D; bb0: {{ drop(_1) -> bb1; }} bb1: {{ return; }} }}
             fn k::other() -> u8 {{ bb0: {{ _0 = const 1_u8; return; }} }}
             impl std::ops::Drop for k::f::D {{ fn drop(_1: &mut k::f::D) -> () {{ let _2: u8; bb0: {{ _2 = const {value}; return; }} }} }}"
        )
    };
    check(&drops("1_u8"), &drops("1_u8"), UNCHANGED);
    check(&drops("1_u8"), &drops("2_u8"), AFFECTED);
}

/// Which of several implementations a call means, constants and types in their headers decide.
#[test]
fn what_decides_on_an_implementation_counts_where_it_may_be_meant() {
    let program = |call: &str, header: &str, [length, named]: [&str; 2]| {
        format!(
            "fn k::f() -> u8 {{ bb0: {{ _0 = {call}() -> bb1; }} bb1: {{ return; }} }}
             const k::N() -> usize {{ bb0: {{ _0 = const {length}_usize; return; }} }}
             struct k::A; struct k::W<T>(T);
             impl k::Ty for k::A {{ type Out = {named}; }}
             impl{header} {{ fn m() -> u8 {{ bb0: {{ _0 = const 1_u8; return; }} }} }}"
        )
    };
    let by_argument = "<k::A as k::Tr<k::W<[u8; 1]>>>::m";
    let by_self_type = "<k::W<[u8; 1]> as k::Tr>::m";
    let changes = [["2", "u8"], ["1", "u16"]];
    let cases = [("[u8; k::N]", [AFFECTED, UNCHANGED]), ("[<k::A as k::Ty>::Out; 1]", [UNCHANGED, AFFECTED])];
    // A parameter is not the constant of its name.
    let others = [("[u8; 1]", [UNCHANGED; 2]), ("[u8; N]", [UNCHANGED; 2])];
    for (named, expected) in cases.into_iter().chain(others) {
        for (change, expected) in changes.into_iter().zip(expected) {
            let generics = if named.contains("; N]") { "<const N>" } else { "" };
            let argument = format!("{generics} k::Tr<k::W<{named}>> for k::A");
            let self_type = format!("{generics} k::Tr for k::W<{named}>");
            for (call, header) in [(by_argument, argument), (by_self_type, self_type)] {
                check(&program(call, &header, ["1", "u8"]), &program(call, &header, change), expected);
            }
        }
    }
}

/// A generic function is told by an implementation which type it is about, and says nothing of that itself.
#[test]
fn the_type_that_an_implementation_names_counts_where_a_generic_function_is_called() {
    let program = |size_of: &str, called: &str, named: &str| {
        format!(
            "fn k::f() -> usize {{ bb0: {{ _0 = k::g::<{called}>() -> bb1; }} bb1: {{ return; }} }}
             fn k::g<T>() -> usize {{ bb0: {{ {size_of} }} bb1: {{ return; }} }}
             fn k::h<U>() -> usize {{ bb0: {{ _0 = SizeOf(U); return; }} }}
             struct k::A; struct k::B; struct k::W<T>(T);
             impl k::Tr for k::A {{ type Out = {named}; }}
             impl k::Tr for k::B {{ type Out = u8; }}
             impl<T> k::Tr for k::W<T> {{ type Out = <T as k::Tr>::Out; }}"
        )
    };
    let asks = [
        "_0 = SizeOf(<T as k::Tr>::Out); return;",
        "_0 = k::h::<<T as k::Tr>::Out>() -> bb1;",
        "_0 = std::mem::size_of::<(<T as k::Tr>::Out, u8)>() -> bb1;",
    ];
    for ask in asks {
        let check = |called, expected| {
            check(&program(ask, called, "u8"), &program(ask, called, "u16"), expected);
        };
        check("k::A", AFFECTED);
        check("k::W<k::W<k::A>>", AFFECTED);
        check("k::B", UNCHANGED);
        check("k::W<k::B>", UNCHANGED);
    }
}

/// A constant of an implementation that could not be told may be any constant of its name that is defined nowhere.
#[test]
fn an_unidentified_item_counts_where_its_name_is_used() {
    let program = |name: &str, value: u8| {
        let mut program = program(&format!(
            "fn k::f() -> u8 {{ bb0: {{ _0 = const k::B::{name}; return; }} }}
             fn k::unknown() -> u8 {{ bb0: {{ _0 = const {value}_u8; return; }} }}"
        ));
        let unknown = program.functions_at(&Path::new("k::unknown")).iter().copied().collect();
        program.declared.unidentified.insert(Name::new("LIMIT"), unknown);
        program
    };
    let kind = |name, old, new| align(&program(name, old), &program(name, new)).pairs[0].kind;
    assert_eq!(kind("LIMIT", 1, 2), AFFECTED);
    assert_eq!(kind("LIMIT", 1, 1), UNCHANGED);
    assert_eq!(kind("OTHER", 1, 2), UNCHANGED);
}

/// A constant without a name is meant where it stands, and so in its own crate.
#[test]
fn an_unidentified_constant_without_a_name_is_of_its_crate() {
    let program = |of: &str, value: u8| {
        let mut program = program(&format!(
            "fn k::f() -> u8 {{ bb0: {{ _0 = const {of}::{{constant#0}}; return; }} }}
             fn k::unknown() -> u8 {{ bb0: {{ _0 = const {value}_u8; return; }} }}
             fn other::g() -> u8 {{ bb0: {{ _0 = const 1_u8; return; }} }}"
        ));
        let unknown = program.functions_at(&Path::new("k::unknown")).iter().copied().collect();
        program.declared.unidentified.insert(Name::new("{constant#0}"), unknown);
        program
    };
    let kind = |of, old, new| align(&program(of, old), &program(of, new)).pairs[0].kind;
    assert_eq!(kind("k::B", 1, 2), AFFECTED);
    assert_eq!(kind("k::B", 1, 1), UNCHANGED);
    assert_eq!(kind("other::B", 1, 2), UNCHANGED);
    // Of a path that begins with no crate nobody knows.
    assert_eq!(kind("inner::B", 1, 2), AFFECTED);
}

/// What a caller chooses for the parameter is implemented in both versions, and by what is for any type only where both are one.
#[test]
fn an_implementation_for_any_type_is_for_one_type_at_a_time() {
    let calls = |more: &str| {
        format!(
            "fn k::f<T>(_1: T) -> u8 {{ bb0: {{ _0 = <T as std::convert::From<T>>::from(copy _1) -> bb1; }} bb1: {{ return; }} }}
             struct k::A; struct k::B;
             impl<V> std::convert::From<V> for V {{ fn from(_1: u8) -> u8 {{ bb0: {{ _0 = const 1_u8; return; }} }} }} {more}"
        )
    };
    let check = |of: &str, expected| {
        let more = format!("impl{of} {{ fn from(_1: u8) -> u8 {{ bb0: {{ _0 = const 2_u8; return; }} }} }}");
        check(&calls(""), &calls(&more), expected);
    };
    check(" std::convert::From<k::A> for k::B", UNCHANGED);
    check(" std::convert::From<(k::A, u8)> for (k::B, u8)", UNCHANGED);
    check(" std::convert::From<k::B> for k::B", AFFECTED);
    check("<T> std::convert::From<T> for k::B", AFFECTED);
    check("<T> std::convert::From<(T, u8)> for (k::B, u8)", AFFECTED);
}

/// A caller may choose a type of which what changed is run. At other types nothing differs.
#[test]
fn types_that_were_chosen_run_less_than_those_of_a_caller() {
    let calls = |value: &str| {
        program(&format!(
            "fn k::f<T>(_1: T) -> u8 {{ bb0: {{ _0 = <T as k::Tr>::m() -> bb1; }} bb1: {{ return; }} }}
             struct k::A;
             impl k::Tr for k::A {{ fn m() -> u8 {{ bb0: {{ _0 = const {value}_u8; return; }} }} }}
             impl k::Tr for bool {{ fn m() -> u8 {{ bb0: {{ _0 = const 3_u8; return; }} }} }}"
        ))
    };
    let (old, new) = (calls("1"), calls("2"));
    let alignment = align(&old, &new);
    assert_eq!(alignment.pairs[0].kind, AFFECTED);
    let (Some(in_old), Some(in_new)) = (alignment.pairs[0].old, alignment.pairs[0].new) else {
        panic!("both versions have it")
    };
    let same_at = |ty: Option<Ty>| {
        let args: Vec<GenericArg> = ty.into_iter().map(GenericArg::Ty).collect();
        let subst = Subst::from_params(&new.functions[in_new].generics, &args);
        alignment.same_at(&old, &new, &[(in_old, in_new, &subst)])[0]
    };
    assert!(same_at(Some(Ty::new(TyKind::Bool))));
    assert!(!same_at(Some(Ty::adt("k::A", Vec::new()))));
    assert!(!same_at(None), "what stands for the parameter is left open");
}

#[test]
fn types_that_were_chosen_say_which_change_is_run() {
    let calls = |value: &str| {
        program(&format!(
            "fn k::f<T>(_1: T) -> u8 {{ bb0: {{ _0 = <T as k::Tr>::m() -> bb1; }} bb1: {{ return; }} }}
             struct k::A; struct k::B;
             impl k::Tr for k::A {{ fn m() -> u8 {{ bb0: {{ _0 = const {value}_u8; return; }} }} }}
             impl k::Tr for k::B {{ fn m() -> u8 {{ bb0: {{ _0 = const 1{value}_u8; return; }} }} }}
             impl k::Tr for bool {{ fn m() -> u8 {{ bb0: {{ _0 = const 3_u8; return; }} }} }}"
        ))
    };
    let (old, new) = (calls("1"), calls("2"));
    let alignment = align(&old, &new);
    let (Some(in_old), Some(in_new)) = (alignment.pairs[0].old, alignment.pairs[0].new) else {
        panic!("both versions have it")
    };
    let cause_at = |ty: Ty| {
        let args = [GenericArg::Ty(ty)];
        let subst = Subst::from_params(&new.functions[in_new].generics, &args);
        let cause =
            alignment.cause_at((&old, in_old, &subst), (&new, in_new, &subst)).expect("it is affected");
        match cause.item {
            DifferentItem::Function(id) => new.functions[id].path.to_string(),
            other => panic!("{other:?} is no function"),
        }
    };
    assert_eq!(cause_at(Ty::adt("k::A", Vec::new())), "<k::A as k::Tr>::m");
    assert_eq!(cause_at(Ty::adt("k::B", Vec::new())), "<k::B as k::Tr>::m");
}

#[test]
fn what_implements_the_trait_of_a_hidden_result_counts() {
    let gives = |value: u8| {
        format!(
            "fn k::f() -> k::A {{ bb0: {{ _0 = k::A(const 1_u8); return; }} }}
             struct k::A(u8);
             impl k::Tr for k::A {{ fn m() -> u8 {{ bb0: {{ _0 = const {value}_u8; return; }} }} }}"
        )
    };
    let kind_of = |names: &[&str], old: u8, new: u8| {
        let hidden = |value: u8| {
            let mut program = program(&gives(value));
            let names = names.iter().map(|name| Name::new(*name)).collect();
            program.declared.hidden_results.insert(FnId::from_usize(0), names);
            program
        };
        let aligned = align(&hidden(old), &hidden(new));
        (aligned.pairs[0].kind, aligned.gives_other_methods(FnId::from_usize(0)))
    };
    assert_eq!(kind_of(&["Tr"], 1, 2), (AFFECTED, true));
    assert_eq!(kind_of(&["Tr"], 1, 1), (UNCHANGED, false));
    // A name that is no trait's may be an alias of any.
    assert_eq!(kind_of(&["X"], 1, 2), (AFFECTED, true));
    // Where the type is told, so is what is called on it.
    check(&gives(1), &gives(2), UNCHANGED);
}

/// A function from line 1 on, with `gap` in front of the call that asks where it is.
fn asking(gap: &str) -> Program {
    let text = format!(
        "fn k::f() -> u8 {{ let _1: &u8; bb0: {{ {gap}_1 = std::panic::Location::caller() -> bb1; }} bb1: {{ _0 = const 1_u8; return; }} }}"
    );
    let mut program = program(&text);
    let file = crate::idx::Idx::from_usize(0);
    for function in program.functions.iter_mut() {
        function.span = Some(Span { file, line_start: 1, col_start: 1, line_end: 9, col_end: 1 });
    }
    program
}

#[test]
fn a_call_that_asks_for_its_place_is_another_one_elsewhere() {
    let kind = |old: &str, new: &str| align(&asking(old), &asking(new)).pairs[0].kind;
    assert_eq!(kind("", ""), UNCHANGED);
    assert_ne!(kind("", "\n"), UNCHANGED);
    assert_ne!(kind("", " "), UNCHANGED);
    // Of what does not ask, the place does not count.
    let plain = |gap: &str| {
        format!(
            "fn k::f() -> u8 {{ bb0: {{ {gap}_0 = k::g() -> bb1; }} bb1: {{ return; }} }}
                 fn k::g() -> u8 {{ bb0: {{ _0 = const 1_u8; return; }} }}"
        )
    };
    check(&plain(""), &plain("\n\n"), UNCHANGED);
}

/// What becomes of `k::f`, with a parameter `T` and this type for what it is lent, if `Hash` changes of a type that it never names.
#[track_caller]
fn check_lent(lent: &str, call: &str, expected: ChangeKind) {
    let text = |hashed: u8| {
        format!(
            "fn k::f<T>(_1: &{lent}) -> () {{ let _2: &T; bb0: {{ {call} }} bb1: {{ return; }} }}
             struct k::A(u8);
             impl std::hash::Hash for k::A {{ fn hash(_1: &k::A) -> u8 {{ bb0: {{ _0 = const {hashed}_u8; return; }} }} }}"
        )
    };
    check(&text(1), &text(2), expected);
}

#[test]
fn types_of_std_that_only_hold_a_value_run_nothing_of_it() {
    let deref = |ty: &str| format!("_2 = <{ty} as std::ops::Deref>::deref(copy _1) -> bb1;");
    for ty in ["std::mem::ManuallyDrop<T>", "std::boxed::Box<T>"] {
        check_lent(ty, &deref(ty), UNCHANGED);
    }
    for ty in ["std::cell::UnsafeCell<T>", "std::marker::PhantomData<T>", "std::ptr::NonNull<T>"] {
        check_lent(ty, "return;", UNCHANGED);
    }
    // Nothing is known of others.
    check_lent("std::k::Held<T>", "return;", AFFECTED);
    check_lent("std::k::Held<T>", &deref("std::k::Held<T>"), AFFECTED);
    check_lent("k::Held<T>", &deref("k::Held<T>"), AFFECTED);
}

#[test]
fn what_hashes_counts_where_a_table_has_it() {
    let map = "struct std::collections::HashMap<K, V>(K, V);";
    let text = |hasher: &str, value: u8| {
        format!(
            "fn k::f<T>(_1: &std::collections::HashMap<u8, u8, {hasher}>) -> () {{ bb0: {{ return; }} }}
             {map} struct k::S(u8); struct k::Other(u8);
             impl std::hash::BuildHasher for k::S {{ fn m(_1: &k::S) -> u8 {{ bb0: {{ _0 = const {value}_u8; return; }} }} }}"
        )
    };
    for (hasher, expected) in [("k::S", AFFECTED), ("T", AFFECTED), ("k::Other", UNCHANGED)] {
        check(&text(hasher, 1), &text(hasher, 2), expected);
    }
}

/// `Rc::make_mut` clones slices.
#[test]
fn where_a_slice_is_cloned_its_items_are() {
    let clone = |ty: &str| format!("_2 = <{ty} as std::clone::Clone>::clone(copy _1) -> bb1;");
    check_lent("[T]", &clone("[T]"), UNCHANGED);
    check_lent("std::k::Held<T>", &clone("std::k::Held<T>"), AFFECTED);
    let of_clone = |value: u8| {
        format!(
            "fn k::f(_1: &[k::A]) -> () {{ bb0: {{ _0 = <[k::A] as std::clone::Clone>::clone(copy _1) -> bb1; }} bb1: {{ return; }} }}
             struct k::A(u8);
             impl std::clone::Clone for k::A {{ fn clone(_1: &k::A) -> u8 {{ bb0: {{ _0 = const {value}_u8; return; }} }} }}"
        )
    };
    check(&of_clone(1), &of_clone(2), AFFECTED);
}

/// What becomes of `k::f`, with parameters `T` and `P`, which makes this call, if what `k::A` has of this trait changes.
#[track_caller]
fn check_handed(call: &str, of_trait: &str, expected: ChangeKind) {
    let text = |value: u8| {
        format!(
            "fn k::f<T, P>(_1: &T, _2: P) -> T {{ bb0: {{ _0 = {call} -> bb1; }} bb1: {{ return; }} }}
             struct k::A(u8);
             impl {of_trait} for k::A {{ fn m(_1: &k::A) -> u8 {{ bb0: {{ _0 = const {value}_u8; return; }} }} }}"
        )
    };
    check(&text(1), &text(2), expected);
}

#[test]
fn who_is_handed_a_parameter_calls_its_bounds() {
    let collect = "<T as std::iter::FromIterator<u8>>::from_iter::<P>(move _2)";
    for of_trait in ["std::iter::Iterator", "std::iter::IntoIterator", "std::hash::Hash", "std::cmp::Ord"] {
        check_handed(collect, of_trait, AFFECTED);
    }
    for of_trait in ["std::str::FromStr", "std::ops::Index<u8>", "std::ops::Add<u8>"] {
        check_handed(collect, of_trait, UNCHANGED);
    }
    let hash = "<T as std::hash::Hash>::hash::<P>(copy _1, move _2)";
    check_handed(hash, "std::hash::Hasher", AFFECTED);
    check_handed(hash, "std::hash::Hash", AFFECTED);
    check_handed(hash, "std::iter::Iterator", UNCHANGED);
    let of_library = "<std::k::Address as std::hash::Hash>::hash::<P>(copy _1, move _2)";
    check_handed(of_library, "std::hash::Hasher", AFFECTED);
    check_handed(of_library, "std::iter::Iterator", UNCHANGED);
    // Of other traits of std the bounds are not known, and of others nothing.
    for unknown in ["std::k::Tr", "k::Tr"] {
        check_handed(&format!("<T as {unknown}>::m::<P>(move _2)"), "std::iter::Iterator", AFFECTED);
    }
}

/// A parameter may be a type of the library that calls other traits of what it holds.
#[test]
fn types_of_the_library_call_more_than_the_trait_by_which_they_are_called() {
    let called = [
        ("<T as std::hash::BuildHasher>::build_hasher(copy _1)", "std::default::Default"),
        ("<T as std::cmp::PartialEq>::eq(copy _1, copy _1)", "std::hash::BuildHasher"),
        ("<T as std::cmp::PartialEq>::eq(copy _1, copy _1)", "std::ops::Deref"),
        ("<T as std::cmp::Ord>::cmp(copy _1, copy _1)", "std::ops::Deref"),
        ("<T as std::ops::Index<P>>::index(copy _1, move _2)", "std::hash::Hasher"),
        ("<T as std::iter::Iterator>::next(copy _1)", "std::hash::BuildHasher"),
        ("<T as std::iter::Iterator>::next(copy _1)", "std::io::BufRead"),
        ("<T as std::process::Termination>::report(copy _1)", "std::fmt::Debug"),
    ];
    for (call, of_trait) in called {
        check_handed(call, of_trait, AFFECTED);
        check_handed(call, "std::str::FromStr", UNCHANGED);
    }
}

/// Sets and maps compare what hashes or has an order, and whoever asks for an order calls nothing of types without one.
#[test]
fn values_are_compared_by_what_their_types_have() {
    let check_of = |call: &str, of_trait: &str, beside: &str, expected: ChangeKind| {
        let text = |value: u8| {
            format!(
                "fn k::f<T, P>(_1: &T, _2: P) -> T {{ bb0: {{ _0 = {call} -> bb1; }} bb1: {{ return; }} }}
                 struct k::A(u8);
                 impl {beside} {{ fn other(_1: &k::A) -> u8 {{ bb0: {{ _0 = const 7_u8; return; }} }} }}
                 impl {of_trait} for k::A {{ fn m(_1: &k::A) -> u8 {{ bb0: {{ _0 = const {value}_u8; return; }} }} }}"
            )
        };
        check(&text(1), &text(2), expected);
    };
    let debug = "<T as std::fmt::Debug>::fmt(copy _1)";
    let next = "<T as std::iter::Iterator>::next(copy _1)";
    let is_less = "<T as std::cmp::PartialOrd>::lt(copy _1, copy _1)";
    let is_equal = "<T as std::cmp::PartialEq>::eq(copy _1, copy _1)";
    let cases = [
        (debug, "std::cmp::PartialEq", "std::hash::Hash", AFFECTED),
        (debug, "std::cmp::PartialEq", "std::cmp::Ord", AFFECTED),
        (debug, "std::cmp::PartialEq", "std::fmt::Debug", UNCHANGED),
        (next, "std::cmp::PartialOrd", "std::cmp::Ord", AFFECTED),
        (next, "std::cmp::PartialEq", "std::cmp::PartialOrd", UNCHANGED),
        (is_less, "std::cmp::PartialEq", "std::cmp::PartialOrd", AFFECTED),
        (is_less, "std::cmp::Ord", "std::cmp::PartialOrd", AFFECTED),
        (is_less, "std::cmp::PartialEq", "std::hash::Hash", UNCHANGED),
        (is_equal, "std::cmp::PartialEq", "std::fmt::Debug", AFFECTED),
        (is_equal, "std::hash::Hash", "std::fmt::Debug", AFFECTED),
        (is_equal, "std::cmp::PartialOrd", "std::cmp::PartialEq", UNCHANGED),
        (debug, "std::iter::Iterator", "std::fmt::Debug", UNCHANGED),
    ];
    for (call, of_trait, beside, expected) in cases {
        check_of(call, of_trait, &format!("{beside} for k::A"), expected);
    }
    check_of(debug, "std::cmp::PartialEq", "std::hash::Hash for &k::A", AFFECTED);
    check_of(debug, "std::cmp::PartialEq", "std::hash::Hash for std::boxed::Box<k::A>", AFFECTED);
}

/// A conversion that a bound asks for is one to what it says.
#[test]
fn implementations_for_other_arguments_are_not_called() {
    let check_of = |implemented: &str, expected: ChangeKind| {
        let text = |value: u8| {
            format!(
                "fn k::f<T>(_1: T) -> u64 {{ bb0: {{ _0 = <T as k::To<u64>>::to(move _1) -> bb1; }} bb1: {{ return; }} }}
                 struct k::A(u8);
                 {implemented} {{ fn to(_1: &k::A) -> u8 {{ bb0: {{ _0 = const {value}_u8; return; }} }} }}"
            )
        };
        check(&text(1), &text(2), expected);
    };
    check_of("impl k::To<u64> for k::A", AFFECTED);
    check_of("impl<U> k::To<U> for k::A", AFFECTED);
    check_of("impl<T, U> k::To<U> for T", AFFECTED);
    check_of("impl<T> k::To<T> for T", AFFECTED);
    check_of("impl k::To<u32> for k::A", UNCHANGED);
    check_of("impl<T> k::To<[T]> for std::vec::Vec<T>", UNCHANGED);
}

/// What nothing tells apart in a crate that both versions use is the same, if it stands in the same order.
#[test]
fn functions_of_one_name_in_a_common_crate_are_matched_in_order() {
    let of_crate = |origin: Origin, first: u8, second: u8| {
        let mut program = program(&format!(
            "fn k::f() -> u8 {{ bb0: {{ _0 = d::g() -> bb1; }} bb1: {{ return; }} }}
             fn d::g() -> u8 {{ bb0: {{ _0 = const {first}_u8; return; }} }}
             fn d::g() -> u8 {{ bb0: {{ _0 = const {second}_u8; return; }} }}"
        ));
        for id in program.functions.ids().skip(1).collect::<Vec<_>>() {
            program.functions[id].origin = origin;
        }
        program
    };
    let check = |origin: Origin, old: (u8, u8), new: (u8, u8), expected: ChangeKind| {
        let (old, new) = (of_crate(origin, old.0, old.1), of_crate(origin, new.0, new.1));
        assert_eq!(align(&old, &new).pairs[0].kind, expected, "{origin:?}");
    };
    check(Origin::CommonDependency, (1, 2), (1, 2), UNCHANGED);
    check(Origin::StdModel, (1, 2), (1, 2), UNCHANGED);
    // Elsewhere what is meant may have moved from one to the other.
    check(Origin::Dependency, (1, 2), (1, 2), AFFECTED);
    check(Origin::Subject, (1, 2), (1, 2), AFFECTED);
}
