//! Closures: what they capture makes their type, and is dropped with them.

use super::Obstacle;
use super::tests::{check_aligned, check_not};

/// The size of a closure that captures the first local.
const SIZE: &str = "fn k::f() -> usize {
    let _1: u8;
    let _2: {closure@k::f::{closure#0}};
    bb0: { _1 = const 1_u8; _2 = {closure@k::f::{closure#0}} {copy _1}; _0 = SizeOf({closure@k::f::{closure#0}}); return; }
}
closure k::f::{closure#0}(_1: &{closure@k::f::{closure#0}}) -> () { bb0: { return; } }";

#[test]
fn a_closure_that_captures_other_types_is_of_another_type() {
    let by_another_name = SIZE
        .replacen("bb0: {", "let _3: u8; bb0: {", 1)
        .replace("_1 = const 1_u8;", "_3 = const 1_u8; _1 = copy _3;");
    check_aligned(SIZE, &by_another_name);
    // Numbers have no types: both capture the same one.
    let signed = SIZE.replace("u8", "i8");
    check_not(SIZE, &signed, Obstacle::Ends);
    let two = SIZE.replace("{copy _1}", "{copy _1, copy _1}");
    check_not(SIZE, &two, Obstacle::Ends);
}

#[test]
fn so_is_one_that_captures_such_a_closure() {
    let outer = |ty: &str| {
        SIZE.replace("u8", ty)
            .replace(
                "_0 = SizeOf({closure@k::f::{closure#0}})",
                "_3 = {closure@k::f::{closure#1}} {copy _2}; _0 = SizeOf({closure@k::f::{closure#1}})",
            )
            .replace("bb0: { _1", "let _3: {closure@k::f::{closure#1}}; bb0: { _1")
            + "\nclosure k::f::{closure#1}(_1: &{closure@k::f::{closure#1}}) -> () { bb0: { return; } }"
    };
    check_aligned(&outer("u8"), &outer("u8"));
    check_not(&outer("u8"), &outer("i8"), Obstacle::Ends);
}

/// A closure that is never called.
const DROPPED: &str = "fn k::f(_1: u8, _2: k::Guard) -> u8 {
    let _3: {closure@k::f::{closure#0}};
    bb0: { _3 = {closure@k::f::{closure#0}} {copy _1}; drop(_3) -> bb1; }
    bb1: { _0 = copy _1; return; }
}
closure k::f::{closure#0}(_1: &{closure@k::f::{closure#0}}) -> () { bb0: { return; } }";

#[test]
fn a_closure_is_dropped_silently_if_what_it_captures_is() {
    let without = DROPPED.replace("drop(_3) -> bb1;", "goto -> bb1;");
    check_aligned(DROPPED, &without);
    let capture_guard = |text: &str| text.replace("{copy _1}", "{move _2}");
    check_not(&capture_guard(DROPPED), &capture_guard(&without), Obstacle::Effects);
}
