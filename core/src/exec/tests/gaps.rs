//! What has no meaning, and what leads to it.

use crate::exec::gaps::{Followed, Gap, Gaps, gaps};
use crate::idx::Idx;
use crate::ir::{FnId, parse};

/// The gaps to which the first function leads, in the order of their kinds.
fn found(text: &str) -> Vec<Gap> {
    let program = parse::program(text).unwrap_or_else(|error| panic!("{error}"));
    let Gaps { found, followed } = gaps(&program, &[FnId::from_usize(0)]);
    assert_eq!(followed, Followed::ToTheEnd);
    found.into_keys().collect()
}

#[track_caller]
fn check(text: &str, expected: &[Gap]) {
    assert_eq!(found(text), expected, "{text}");
}

fn function(path: &str) -> Gap {
    Gap::Function(path.into())
}

#[test]
fn calls_are_followed_to_what_is_not_there() {
    let text = "fn f(_1: u8) -> u8 { bb0: { _0 = k::g(copy _1) -> bb1; } bb1: { return; } }
        fn k::g(_1: u8) -> u8 { bb0: { _0 = k::absent(copy _1) -> bb1; } bb1: { return; } }
        fn k::other(_1: u8) -> u8 { bb0: { _0 = k::never(copy _1) -> bb1; } bb1: { return; } }";
    check(text, &[function("k::absent")]);
    check(&text.replace("k::absent", "k::g"), &[]);
}

#[test]
fn a_method_is_looked_for_at_the_type_that_the_caller_gives() {
    let text = "fn f(_1: u8) -> u8 { bb0: { _0 = k::g::<u8>(copy _1) -> bb1; } bb1: { return; } }
        fn k::g<T>(_1: T) -> u8 { bb0: { _0 = <T as k::Tr>::number(copy _1) -> bb1; } bb1: { return; } }
        impl k::Tr for u16 { fn number(_1: u16) -> u8 { bb0: { _0 = const 7_u8; return; } } }";
    let gaps = found(text);
    let [Gap::Method { trait_ref, name }] = gaps.as_slice() else { panic!("{gaps:?}") };
    assert_eq!((trait_ref.to_string().as_str(), name.as_str()), ("<u8 as k::Tr>", "number"));
    check(&text.replace("for u16", "for u8").replace("_1: u16", "_1: u8"), &[]);
    // What a parameter stands for is not known.
    let generic = text.split_once('\n').map(|(_, rest)| rest).expect("there are lines");
    check(generic, &[]);
}

#[test]
fn constructors_need_no_body() {
    let text = "fn f(_1: u8) -> k::E { bb0: { _0 = k::E::B(copy _1) -> bb1; } bb1: { return; } }
        enum k::E { A, B(u8) }";
    check(text, &[]);
    check(&text.replace("k::E::B(copy _1) ->", "k::E::C(copy _1) ->"), &[function("k::E::C")]);
}

#[test]
fn types_and_constants_are_looked_for() {
    let text = "fn f() -> u8 { let _1: k::Absent; bb0: { _0 = const k::LIMIT; return; } }";
    check(text, &[Gap::Constant("k::LIMIT".into()), Gap::Type("k::Absent".into())]);
}
