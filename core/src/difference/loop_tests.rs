//! Loops of which the versions are a round, a width, a direction or a flag apart.

use super::Obstacle;
use super::tests::{check_aligned, check_not, outcome, program};

/// Goes on until a value is met; the body comes first.
const UNTIL: &str = "fn k::f(_1: f64, _2: u32) -> f64 {
    let _3: bool;
    bb0: { goto -> bb1; }
    bb1: { _1 = Mul(copy _1, copy _1); _2 = BitXor(copy _2, const 77_u32); _3 = Eq(copy _2, const 3_u32); switchInt(copy _3) -> [0: bb1, otherwise: bb2]; }
    bb2: { _0 = copy _1; return; }
}";

#[test]
fn the_body_may_stand_before_the_loop_and_at_its_end() {
    let new = "fn k::f(_1: f64, _2: u32) -> f64 {
        let _3: bool;
        bb0: { _1 = Mul(copy _1, copy _1); _2 = BitXor(const 77_u32, copy _2); goto -> bb1; }
        bb1: { _3 = Ne(copy _2, const 3_u32); switchInt(copy _3) -> [0: bb3, otherwise: bb2]; }
        bb2: { _1 = Mul(copy _1, copy _1); _2 = BitXor(copy _2, const 77_u32); goto -> bb1; }
        bb3: { _0 = copy _1; return; }
    }";
    check_aligned(UNTIL, new);
    // The second number is one of two: a version that meets its end in neither goes on for ever, and is followed until that is too much.
    let once_less = new.replace("bb0: { _1 = Mul(copy _1, copy _1);", "bb0: {");
    assert!(outcome(&program(UNTIL), &program(&once_less)).is_err());
    let until_four = new.replace("Ne(copy _2, const 3_u32)", "Ne(copy _2, const 4_u32)");
    assert!(outcome(&program(UNTIL), &program(&until_four)).is_err());
}

/// A power of the second argument.
const POWER: &str = "fn k::f(_1: u16, _2: u32) -> u32 {
    let _3: u16;
    let _4: bool;
    bb0: { _3 = const 0_u16; goto -> bb1; }
    bb1: { _4 = Lt(copy _3, copy _1); switchInt(copy _4) -> [0: bb3, otherwise: bb2]; }
    bb2: { _2 = Mul(copy _2, const 5_u32); _3 = Add(copy _3, const 1_u16); goto -> bb1; }
    bb3: { _0 = copy _2; return; }
}";

#[test]
fn counters_may_be_of_other_widths() {
    let new = POWER
        .replace("let _3: u16;", "let _3: u32;")
        .replace("let _4: bool;", "let _4: bool; let _5: u32;")
        .replace("_3 = const 0_u16;", "_3 = const 0_u32; _5 = copy _1 as u32 (IntToInt);")
        .replace("Lt(copy _3, copy _1)", "Lt(copy _3, copy _5)")
        .replace("const 1_u16", "const 1_u32");
    check_aligned(POWER, &new);
    check_not(POWER, &new.replace("_3 = const 0_u32", "_3 = const 1_u32"), Obstacle::Ends);
    check_not(POWER, &new.replace("_5 = copy _1 as u32 (IntToInt)", "_5 = copy _2"), Obstacle::Ends);
}

#[test]
fn a_wide_counter_may_go_down() {
    let down = POWER
        .replace("let _3: u16;", "let _3: u32;")
        .replace("_3 = const 0_u16", "_3 = copy _1 as u32 (IntToInt)")
        .replace("Lt(copy _3, copy _1)", "Gt(copy _3, const 0_u32)")
        .replace("Add(copy _3, const 1_u16)", "Sub(copy _3, const 1_u32)");
    check_aligned(POWER, &down);
    check_not(POWER, &down.replace("Gt(copy _3, const 0_u32)", "Gt(copy _3, const 1_u32)"), Obstacle::Ends);
}

#[test]
fn a_counter_from_one_need_not_be_within_its_limit_when_it_begins() {
    let from_one = POWER.replace("_3 = const 0_u16", "_3 = const 1_u16").replace("Lt(", "Le(");
    let down = POWER
        .replace("_3 = const 0_u16", "_3 = copy _1")
        .replace("Lt(copy _3, copy _1)", "Ne(copy _3, const 0_u16)")
        .replace("Add(copy _3", "Sub(copy _3");
    // Both go on for ever, or not, where the limit is the greatest number.
    check_not(&from_one, &down, Obstacle::Ends);
    let stops = from_one
        .replace(
            "_3 = Add(copy _3, const 1_u16); goto -> bb1;",
            "_4 = Lt(copy _3, copy _1); switchInt(copy _4) -> [0: bb4, otherwise: bb3];",
        )
        .replace("bb3: {", "bb3: { _3 = Add(copy _3, const 1_u16); goto -> bb1; } bb4: {")
        .replace(
            "switchInt(copy _4) -> [0: bb3, otherwise: bb2]",
            "switchInt(copy _4) -> [0: bb4, otherwise: bb2]",
        );
    check_aligned(&stops, &down);
    check_not(&stops.replace("_3 = const 1_u16", "_3 = const 2_u16"), &down, Obstacle::Ends);
}

#[test]
fn the_first_round_may_stand_before_the_loop() {
    let peeled = "fn k::f(_1: u16, _2: u32) -> u32 {
        let _3: u16;
        let _4: bool;
        bb0: { _3 = const 0_u16; _4 = Lt(copy _3, copy _1); switchInt(copy _4) -> [0: bb4, otherwise: bb1]; }
        bb1: { _2 = Mul(copy _2, const 5_u32); _3 = Add(copy _3, const 1_u16); goto -> bb2; }
        bb2: { _4 = Lt(copy _3, copy _1); switchInt(copy _4) -> [0: bb4, otherwise: bb3]; }
        bb3: { _2 = Mul(copy _2, const 5_u32); _3 = Add(copy _3, const 1_u16); goto -> bb2; }
        bb4: { _0 = copy _2; return; }
    }";
    check_aligned(POWER, peeled);
    check_not(POWER, &peeled.replacen("const 5_u32", "const 4_u32", 1), Obstacle::Ends);
}

#[test]
fn a_flag_may_be_set_in_an_arm_or_compared() {
    let in_arm = "fn k::f(_1: i32, _2: u32) -> bool {
        let _3: u32;
        let _4: bool;
        let _5: bool;
        bb0: { _5 = const false; _4 = Lt(copy _1, const 0_i32); switchInt(copy _4) -> [0: bb2, otherwise: bb1]; }
        bb1: { _5 = const true; goto -> bb2; }
        bb2: { _3 = const 0_u32; goto -> bb3; }
        bb3: { _4 = Lt(copy _3, copy _2); switchInt(copy _4) -> [0: bb5, otherwise: bb4]; }
        bb4: { _5 = Not(copy _5); _3 = Add(copy _3, const 1_u32); goto -> bb3; }
        bb5: { _0 = copy _5; return; }
    }";
    let compared = "fn k::f(_1: i32, _2: u32) -> bool {
        let _3: u32;
        let _4: bool;
        let _5: bool;
        bb0: { _5 = Lt(copy _1, const 0_i32); _3 = const 0_u32; goto -> bb1; }
        bb1: { _4 = Lt(copy _3, copy _2); switchInt(copy _4) -> [0: bb3, otherwise: bb2]; }
        bb2: { _5 = Not(copy _5); _3 = Add(copy _3, const 1_u32); goto -> bb1; }
        bb3: { _0 = copy _5; return; }
    }";
    check_aligned(in_arm, compared);
    check_not(in_arm, &compared.replacen("Lt(copy _1", "Gt(copy _1", 1), Obstacle::Ends);
}

#[test]
fn floats_of_equal_numbers_are_equal() {
    let old = "fn k::f(_1: u8) -> f64 {
        let _2: u8;
        bb0: { _2 = Rem(copy _1, const 4_u8); _0 = copy _2 as f64 (IntToFloat); return; }
    }";
    let new = old.replace("Rem(copy _1, const 4_u8)", "Sub(copy _1, copy _3)").replace(
        "bb0: {",
        "let _3: u8; bb0: { _3 = Div(copy _1, const 4_u8); _3 = Mul(copy _3, const 4_u8);",
    );
    check_aligned(old, &new);
    check_not(old, &new.replace("Mul(copy _3, const 4_u8)", "Mul(copy _3, const 2_u8)"), Obstacle::Ends);
}

#[test]
fn a_reference_that_is_kept_is_not_one_to_a_copy_of_each_round() {
    let kept = "fn k::f(_1: u8, _2: u8) -> () {
        let _3: &u8;
        let _4: u8;
        bb0: { _3 = &_1; goto -> bb1; }
        bb1: { _4 = k::g(copy _3) -> bb2; }
        bb2: { switchInt(copy _4) -> [0: bb4, 1: bb1, otherwise: bb3]; }
        bb3: { _3 = &_2; goto -> bb1; }
        bb4: { return; }
    }
    fn k::g(_1: &u8) -> u8;";
    let copied = "fn k::f(_1: u8, _2: u8) -> () {
        let _3: &u8;
        let _4: u8;
        let _5: u8;
        let _6: u8;
        bb0: { _5 = copy _1; goto -> bb1; }
        bb1: { _6 = copy _5; _3 = &_6; _4 = k::g(copy _3) -> bb2; }
        bb2: { switchInt(copy _4) -> [0: bb4, 1: bb1, otherwise: bb3]; }
        bb3: { _5 = copy _2; goto -> bb1; }
        bb4: { return; }
    }
    fn k::g(_1: &u8) -> u8;";
    check_aligned(kept, kept);
    check_aligned(copied, copied);
    check_not(kept, copied, Obstacle::Effects);
}

/// Looks for elements that are not zero in a loop of its own, within the loop that adds them up.
const FILTERED: &str = "fn k::f(_1: u32, _2: u32) -> u32 {
    let _3: bool;
    let _4: bool;
    bb0: { _0 = const 0_u32; goto -> bb1; }
    bb1: { goto -> bb2; }
    bb2: { _3 = Eq(copy _1, const 0_u32); switchInt(copy _3) -> [0: bb3, otherwise: bb5]; }
    bb3: { _1 = Sub(copy _1, const 1_u32); _4 = k::keep(copy _1) -> bb4; }
    bb4: { switchInt(copy _4) -> [0: bb2, otherwise: bb6]; }
    bb5: { return; }
    bb6: { _0 = Add(copy _0, copy _2); goto -> bb1; }
}
fn k::keep(_1: u32) -> bool;";

#[test]
fn an_inner_loop_may_look_for_what_the_outer_one_takes() {
    let at_once = FILTERED
        .replace(
            "goto -> bb2; }",
            "_3 = Eq(copy _1, const 0_u32); switchInt(copy _3) -> [0: bb3, otherwise: bb5]; }",
        )
        .replace(
            "bb2: { _3 = Eq(copy _1, const 0_u32); switchInt(copy _3) -> [0: bb3, otherwise: bb5]; }",
            "bb2: { unreachable; }",
        );
    let at_once = at_once.replace("[0: bb2, otherwise: bb6]", "[0: bb1, otherwise: bb6]");
    check_aligned(FILTERED, &at_once);
    check_aligned(&at_once, FILTERED);
    check_not(
        FILTERED,
        &at_once.replace("[0: bb1, otherwise: bb6]", "[0: bb6, otherwise: bb1]"),
        Obstacle::Ends,
    );
    // One that goes round without looking at the next number does not come to an end.
    let for_ever = FILTERED.replace("bb1: { goto -> bb2; }", "bb1: { goto -> bb1; }");
    assert!(outcome(&program(FILTERED), &program(&for_ever)).is_err());
    assert!(outcome(&program(&at_once), &program(&for_ever)).is_err());
    let inner_for_ever = FILTERED.replace("[0: bb2, otherwise: bb6]", "[0: bb1, otherwise: bb1]");
    assert!(outcome(&program(&at_once), &program(&inner_for_ever)).is_err());
}
