//! Relevant slices: on which conditions an output depends by data, control and potential dependence, and on which not.

use super::*;

/// A body over two bytes with three locals of them, and a pointer.
fn bytes(blocks: &str) -> String {
    format!(
        "fn f(_1: u8, _2: u8) -> u8 {{ let _3: u8; let _4: u8; let _5: bool; let _6: *mut u8; {blocks} }}
         fn k::set(_1: &mut u8) -> () {{ bb0: {{ (*_1) = const 9_u8; return; }} }}
         fn k::look(_1: &u8) -> () {{ bb0: {{ return; }} }}"
    )
}

#[test]
fn what_an_arm_writes_depends_on_the_branch() {
    let text = bytes(
        "bb0: { switchInt(copy _1) -> [7: bb1, otherwise: bb2]; }
         bb1: { _0 = const 1_u8; goto -> bb3; }
         bb2: { _0 = copy _2; goto -> bb3; }
         bb3: { return; }",
    );
    check_slice(&text, "7_u8, 0_u8", &["arg0 == 7"]);
    check_slice(&text, "8_u8, 0_u8", &["arg0 != 7"]);
    check(&text, "7_u8, 5_u8", "1");
    check(&text, "8_u8, 5_u8", "5");
}

#[test]
fn a_branch_that_writes_something_else_is_irrelevant() {
    let text = bytes(
        "bb0: { switchInt(copy _1) -> [7: bb1, otherwise: bb2]; }
         bb1: { _3 = const 1_u8; goto -> bb3; }
         bb2: { _3 = const 2_u8; goto -> bb3; }
         bb3: { _0 = copy _2; return; }",
    );
    check_slice(&text, "7_u8, 0_u8", &[]);
}

#[test]
fn an_arm_not_taken_that_would_have_written_counts() {
    let text = bytes(
        "bb0: { _0 = const 0_u8; switchInt(copy _1) -> [7: bb1, otherwise: bb2]; }
         bb1: { _0 = const 1_u8; goto -> bb2; }
         bb2: { return; }",
    );
    check_slice(&text, "8_u8, 0_u8", &["arg0 != 7"]);
}

#[test]
fn a_value_written_again_behind_the_branch_does_not_depend_on_it() {
    let text = bytes(
        "bb0: { _0 = const 0_u8; switchInt(copy _1) -> [7: bb1, otherwise: bb2]; }
         bb1: { _0 = const 1_u8; goto -> bb2; }
         bb2: { _0 = copy _2; return; }",
    );
    check_slice(&text, "7_u8, 0_u8", &[]);
    check_slice(&text, "8_u8, 0_u8", &[]);
}

#[test]
fn dependence_is_transitive() {
    // `_3` is decided by `_1`, and the branch on `_3` decides the result.
    let text = bytes(
        "bb0: { _3 = copy _2; switchInt(copy _1) -> [7: bb1, otherwise: bb2]; }
         bb1: { _3 = const 0_u8; goto -> bb2; }
         bb2: { switchInt(copy _3) -> [5: bb3, otherwise: bb4]; }
         bb3: { _0 = const 1_u8; goto -> bb5; }
         bb4: { _0 = const 2_u8; goto -> bb5; }
         bb5: { return; }",
    );
    check_slice(&text, "1_u8, 5_u8", &["arg0 != 7", "arg1 == 5"]);
    check_slice(&text, "7_u8, 5_u8", &["arg0 == 7"]);
}

#[test]
fn an_inner_branch_depends_on_the_outer() {
    let text = bytes(
        "bb0: { _0 = const 0_u8; switchInt(copy _1) -> [7: bb1, otherwise: bb3]; }
         bb1: { switchInt(copy _2) -> [5: bb2, otherwise: bb3]; }
         bb2: { _0 = const 1_u8; goto -> bb3; }
         bb3: { return; }",
    );
    check_slice(&text, "7_u8, 5_u8", &["arg0 == 7", "arg1 == 5"]);
    check_slice(&text, "7_u8, 6_u8", &["arg0 == 7", "arg1 != 5"]);
    check_slice(&text, "8_u8, 5_u8", &["arg0 != 7"]);
}

#[test]
fn the_arms_of_a_switch_are_a_chain_of_decisions() {
    let text = bytes(
        "bb0: { switchInt(copy _1) -> [1: bb1, 2: bb2, 3: bb1, otherwise: bb3]; }
         bb1: { _0 = const 10_u8; goto -> bb4; }
         bb2: { _0 = const 20_u8; goto -> bb4; }
         bb3: { _0 = const 30_u8; goto -> bb4; }
         bb4: { return; }",
    );
    let partitions =
        check_everywhere(&text, (0..=9).map(|a| vec![int(IntTy::U8, a), int(IntTy::U8, 0)]), |input| {
            Ok(vec![match bits(input)[0] {
                1 | 3 => 10,
                2 => 20,
                _ => 30,
            }])
        });
    assert_eq!(partitions, 3, "values that lead to one block are one arm");
}

#[test]
fn an_arm_that_cannot_be_reached_is_no_alternative() {
    let text = "fn f(_1: bool) -> u8 {
        bb0: { switchInt(copy _1) -> [0: bb1, 1: bb2, otherwise: bb3]; }
        bb1: { _0 = const 1_u8; goto -> bb4; }
        bb2: { _0 = const 2_u8; goto -> bb4; }
        bb3: { unreachable; }
        bb4: { return; } }";
    check_slice(text, "true", &["arg0"]);
    check_slice(text, "false", &["!arg0"]);
}

#[test]
fn everything_behind_a_check_depends_on_it() {
    let text = bytes(
        "bb0: { _5 = Eq(copy _2, const 0_u8); assert(!copy _5, division of copy _1 by zero) -> bb1; }
         bb1: { _0 = copy _1; return; }",
    );
    check_slice(&text, "1_u8, 5_u8", &["arg1 != 0"]);
    check_panic(&text, "1_u8, 0_u8", PanicKind::DivisionByZero);
    check_slice(&text, "1_u8, 0_u8", &["arg1 == 0"]);
    let assumed = run_with(&text, "1_u8, 5_u8", PanicPolicy::AssumeNone);
    assert_eq!(assumed.conditions, [] as [&str; 0], "checks are taken to hold");
}

#[test]
fn a_check_within_an_arm_keeps_the_branch_open() {
    // With `_1 == 7` the call may panic, whatever `_2` is otherwise.
    let text = bytes(
        "bb0: { switchInt(copy _1) -> [7: bb1, otherwise: bb2]; }
         bb1: { _5 = Lt(copy _2, const 9_u8); assert(copy _5, index copy _2 below const 9) -> bb2; }
         bb2: { _0 = const 3_u8; return; }",
    );
    check_slice(&text, "8_u8, 200_u8", &["arg0 != 7"]);
    check_panic(&text, "7_u8, 200_u8", PanicKind::IndexOutOfBounds);
}

#[test]
fn the_branch_of_a_loop_decides_whether_it_ends() {
    let text = bytes(
        "bb0: { _3 = const 0_u8; goto -> bb1; }
         bb1: { _5 = Lt(copy _3, copy _1); switchInt(move _5) -> [0: bb3, otherwise: bb2]; }
         bb2: { _3 = Add(copy _3, const 1_u8); goto -> bb1; }
         bb3: { _0 = copy _2; return; }",
    );
    check(&text, "3_u8, 5_u8", "5");
    check_slice(&text, "0_u8, 5_u8", &["arg0 == 0"]);
    let partitions = check_everywhere(
        &text,
        (0..10).flat_map(|a| [1, 2].map(|b| vec![int(IntTy::U8, a), int(IntTy::U8, b)])),
        |input| Ok(vec![bits(input)[1]]),
    );
    assert_eq!(partitions, 10, "one for each number of rounds");
}

#[test]
fn a_call_in_an_arm_writes_what_it_is_lent() {
    let text = bytes(
        "let _7: &mut u8; let _8: ();
         bb0: { _3 = const 0_u8; switchInt(copy _1) -> [7: bb1, otherwise: bb3]; }
         bb1: { _7 = &mut _3; _8 = k::set(move _7) -> bb2; }
         bb2: { goto -> bb3; }
         bb3: { _0 = copy _3; return; }",
    );
    check(&text, "7_u8, 0_u8", "9");
    check_slice(&text, "8_u8, 0_u8", &["arg0 != 7"]);
}

#[test]
fn a_call_in_an_arm_does_not_write_what_it_looks_at() {
    let text = bytes(
        "let _7: &u8; let _8: ();
         bb0: { _3 = const 0_u8; switchInt(copy _1) -> [7: bb1, otherwise: bb3]; }
         bb1: { _7 = &_3; _8 = k::look(move _7) -> bb2; }
         bb2: { goto -> bb3; }
         bb3: { _0 = copy _3; return; }",
    );
    check_slice(&text, "8_u8, 0_u8", &[]);
}

#[test]
fn a_store_through_a_chosen_pointer_depends_on_the_choice() {
    // `p = if a == 7 { &mut x } else { &mut y }; *p = 1; x`: on either side `x` depends on where `p` points.
    let text = "fn f(_1: u8) -> u8 { let _2: u8; let _3: u8; let _4: &mut u8;
        bb0: { _2 = const 0_u8; _3 = const 0_u8; switchInt(copy _1) -> [7: bb1, otherwise: bb2]; }
        bb1: { _4 = &mut _2; goto -> bb3; }
        bb2: { _4 = &mut _3; goto -> bb3; }
        bb3: { (*_4) = const 1_u8; _0 = copy _2; return; } }";
    check(text, "7_u8", "1");
    check(text, "8_u8", "0");
    check_slice(text, "7_u8", &["arg0 == 7"]);
    check_slice(text, "8_u8", &["arg0 != 7"]);
}

#[test]
fn one_field_is_written_and_the_other_is_not() {
    let text = "fn f(_1: u8, _2: u8) -> (u8, u8) {
        bb0: { _0 = (copy _2, copy _2); switchInt(copy _1) -> [7: bb1, otherwise: bb2]; }
        bb1: { _0.1 = const 1_u8; goto -> bb2; }
        bb2: { return; } }";
    check(text, "7_u8, 4_u8", "(4, 1)");
    check_slice(text, "8_u8, 4_u8", &["arg0 != 7"]);
    let first = "fn f(_1: u8, _2: u8) -> u8 { let _3: (u8, u8);
        bb0: { _3 = (copy _2, copy _2); switchInt(copy _1) -> [7: bb1, otherwise: bb2]; }
        bb1: { _3.1 = const 1_u8; goto -> bb2; }
        bb2: { _0 = copy _3.0; return; } }";
    check_slice(first, "8_u8, 4_u8", &[]);
}

#[test]
fn an_element_that_an_arm_would_write_may_be_any() {
    // `if a == 7 { v[i] = 1 }; v[0]`: with another `i` the arm not taken would have written the element.
    let text = "fn f(_1: u8, _2: usize) -> u8 { let _3: [u8; 4]; let _4: usize; let _5: bool;
        bb0: { _3 = [const 5_u8; 4]; _5 = Lt(copy _2, const 4); assert(copy _5, index copy _2 below const 4) -> bb1; }
        bb1: { switchInt(copy _1) -> [7: bb2, otherwise: bb3]; }
        bb2: { _3[_2] = const 1_u8; goto -> bb3; }
        bb3: { _0 = copy _3[0]; return; } }";
    check_slice(text, "8_u8, 2_usize", &["arg1 < 4", "arg0 != 7"]);
    check(text, "7_u8, 0_usize", "1");
    check(text, "7_u8, 1_usize", "5");
}

#[test]
fn a_branch_on_what_is_the_same_for_every_input_has_no_condition() {
    let text = bytes(
        "bb0: { _3 = const 3_u8; switchInt(copy _3) -> [3: bb1, otherwise: bb2]; }
         bb1: { _0 = const 1_u8; goto -> bb3; }
         bb2: { _0 = const 2_u8; goto -> bb3; }
         bb3: { return; }",
    );
    check_slice(&text, "0_u8, 0_u8", &[]);
}

#[test]
fn endless_loops_are_given_up() {
    let text = bytes(
        "bb0: { _5 = Eq(copy _1, const 7_u8); switchInt(move _5) -> [0: bb1, otherwise: bb0]; } bb1: { _0 = const 1_u8; return; }",
    );
    check(&text, "6_u8, 0_u8", "1");
    let ending = run(&text, "7_u8, 0_u8").ending;
    assert!(matches!(ending, Ending::Stopped(crate::exec::Stop::LoopBound { .. })), "{}", shown(&ending));
}
