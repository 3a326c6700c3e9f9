//! Statics, constants and promoted values.

use super::*;

#[test]
fn a_static_has_the_value_of_its_body() {
    let text = "fn f() -> u8 { let _1: &u8; bb0: { _1 = const &static k::S; _0 = copy (*_1); return; } }
        static k::S() -> u8 { bb0: { _0 = const 5_u8; return; } }";
    check(text, "", "5");
}

#[test]
fn a_static_that_can_be_written_is_refused() {
    let text = |kind: &str, ty: &str, make: &str| {
        format!(
            "fn f(_1: u8) -> u8 {{ let _2: &{ty}; bb0: {{ _2 = const &static k::S; _0 = copy _1; return; }} }}
             {kind} k::S() -> {ty} {{ {make} }}
             struct std::cell::UnsafeCell<T> {{ value: T }}"
        )
    };
    check(&text("static", "u8", "bb0: { _0 = const 5_u8; return; }"), "1_u8", "1");
    check_unsupported(&text("static mut", "u8", "bb0: { _0 = const 5_u8; return; }"), "1_u8");
    let cell = "std::cell::UnsafeCell<u8>";
    let make = format!(
        "bb0: {{ _0 = <{cell}>::std::cell::UnsafeCell::new(const 5_u8) -> bb1; }} bb1: {{ return; }}"
    );
    check_unsupported(&text("static", cell, &make), "1_u8");
}

#[test]
fn an_arm_that_would_touch_a_mutable_static_has_to_be_run() {
    let text = "fn f(_1: u8) -> u8 { let _2: *mut u8;
            bb0: { _0 = const 1_u8; switchInt(copy _1) -> [7: bb1, otherwise: bb2]; }
            bb1: { _2 = const &static k::S; goto -> bb2; }
            bb2: { return; } }
        static mut k::S() -> u8 { bb0: { _0 = const 5_u8; return; } }";
    check_slice(text, "8_u8", &["arg0 != 7"]);
    check_unsupported(text, "7_u8");
}

#[test]
fn constants_are_what_their_bodies_give() {
    let text = "fn f() -> (u8, u8, u8, &u8) { let _1: u8; let _2: u8; let _3: u8; let _4: &u8;
            bb0: { _1 = const k::LIMIT; _2 = const <u16 as k::Has>::N; _3 = const f::{constant#0}; _4 = const f::promoted[0];
                   _0 = (copy _1, copy _2, copy _3, copy _4); return; } }
        const k::LIMIT() -> u8 { bb0: { _0 = Add(const 1_u8, const 2_u8); return; } }
        const f::{constant#0}() -> u8 { bb0: { _0 = const 9_u8; return; } }
        promoted f::promoted[0]() -> &u8 { let _1: u8; bb0: { _1 = const 6_u8; _0 = &_1; return; } }
        impl k::Has for u8 { const N() -> u8 { bb0: { _0 = const 7_u8; return; } } }
        impl k::Has for u16 { const N() -> u8 { bb0: { _0 = const 8_u8; return; } } }";
    check(text, "", "(3, 8, 9, &6)");
}

#[test]
fn a_constant_does_not_depend_on_the_branches_around_it() {
    let text = "fn f(_1: u8) -> u8 { let _2: u8; let _3: u8;
            bb0: { switchInt(copy _1) -> [7: bb1, otherwise: bb2]; }
            bb1: { _2 = const k::LIMIT; goto -> bb2; }
            bb2: { _0 = const k::LIMIT; return; } }
        const k::LIMIT() -> u8 { bb0: { _0 = const 3_u8; return; } }";
    check_slice(text, "7_u8", &[]);
}

#[test]
fn of_several_constants_of_one_path_it_is_known_what_all_of_them_are() {
    let text = |second: u8| {
        format!(
            "fn f() -> u8 {{ bb0: {{ _0 = const f::MAX; return; }} }}
             const f::MAX() -> u8 {{ bb0: {{ _0 = Add(const 3_u8, const 4_u8); return; }} }}
             const f::MAX() -> u8 {{ bb0: {{ _0 = const {second}_u8; return; }} }}"
        )
    };
    check(&text(7), "", "7");
    check_unsupported(&text(8), "");
}
