//! What is one value on a path, though it is computed otherwise, and branches of one version alone.

use super::tests::{check_aligned, check_not, outcome, program};
use super::{Limits, Obstacle, Pair, aligned};
use crate::align::align;
use crate::idx::Idx;
use crate::ir::FnId;
use crate::smt::{AnySolver, Layered};

/// Folds the bits of a number.
const HALVED: &str = "fn k::f(_1: i32) -> i32 {
    let _2: i32;
    let _3: bool;
    bb0: { _2 = const 0_i32; goto -> bb1; }
    bb1: { _3 = Gt(copy _1, const 0_i32); switchInt(copy _3) -> [0: bb3, otherwise: bb2]; }
    bb2: { _2 = BitXor(copy _2, copy _1); _1 = Div(copy _1, const 2_i32); goto -> bb1; }
    bb3: { _0 = copy _2; return; }
}";

#[test]
fn what_a_condition_makes_equal_stays_so_in_the_rounds_that_follow() {
    let shifted = HALVED.replace("Div(copy _1, const 2_i32)", "Shr(copy _1, const 1_i32)");
    check_aligned(HALVED, &shifted);
    // Of negative numbers half is not what a shift gives.
    let of_all = |text: &str| text.replace("Gt(copy _1, const 0_i32)", "Ne(copy _1, const 0_i32)");
    assert!(outcome(&program(&of_all(HALVED)), &program(&of_all(&shifted))).is_err());
    let once_more = shifted.replace("const 1_i32", "const 2_i32");
    check_not(HALVED, &once_more, Obstacle::Ends);
}

#[test]
fn a_float_that_is_no_number_goes_through_either_arm() {
    let old = "fn k::f(_1: f64) -> f64 {
        let _2: bool;
        let _3: f64;
        bb0: { _3 = Mul(copy _1, const 3.5f64); _2 = Ge(copy _3, const 0f64); switchInt(copy _2) -> [0: bb2, otherwise: bb1]; }
        bb1: { _0 = Mul(copy _3, copy _3); return; }
        bb2: { _0 = Add(copy _3, const 1f64); return; }
    }";
    let turned = old.replace("Ge(", "Lt(").replace("[0: bb2, otherwise: bb1]", "[0: bb1, otherwise: bb2]");
    check_aligned(old, &turned);
    // A constant is none.
    let constant = |text: &str| text.replace("Add(copy _3, const 1f64)", "const 1f64");
    check_not(&constant(old), &constant(&turned), Obstacle::Ends);
}

#[test]
fn zeros_of_either_sign_are_told_apart() {
    let added = |first: &str, second: &str| {
        format!(
            "fn k::f(_1: f64) -> f64 {{ let _2: f64; bb0: {{ _2 = Add(copy _1, {first}); _0 = Add(copy _2, {second}); return; }} }}"
        )
    };
    let once = "fn k::f(_1: f64) -> f64 { bb0: { _0 = Add(copy _1, const 1f64); return; } }";
    check_aligned(&added("const 0f64", "const 1f64"), once);
    check_aligned(&added("const -0f64", "const 1f64"), once);
    let same = "fn k::f(_1: f64) -> f64 { bb0: { _0 = copy _1; return; } }";
    check_aligned(&added("const -0f64", "const -0f64"), same);
    check_not(&added("const 0f64", "const -0f64"), same, Obstacle::Ends);
}

#[test]
fn an_array_may_be_filled_where_it_is_made() {
    let filled = "fn k::f(_1: u8) -> [u8; 3] {
        let _2: usize;
        bb0: { _0 = [const 7_u8; 3]; _2 = const 1_usize; _0[_2] = copy _1; return; }
    }";
    let made = "fn k::f(_1: u8) -> [u8; 3] { bb0: { _0 = [const 7_u8, copy _1, const 7_u8]; return; } }";
    check_aligned(filled, made);
    check_not(filled, &made.replace("[const 7_u8, copy _1", "[copy _1, const 7_u8"), Obstacle::Ends);
}

/// So many branches in a row, each of which may change the result, behind what comes first.
fn in_a_row(count: usize, first: &str) -> String {
    let mut text = format!(
        "fn k::f(_1: u32, _2: u32) -> u32 {{ let _3: bool; let _4: u32; {first} bb2: {{ _0 = copy _1; goto -> bb3; }}"
    );
    for index in 0..count {
        let (at, then, next) = (3 + 2 * index, 4 + 2 * index, 5 + 2 * index);
        text += &format!(
            " bb{at}: {{ _4 = BitXor(copy _0, const {index}_u32); _3 = Lt(copy _4, copy _2); switchInt(copy _3) -> [0: bb{next}, otherwise: bb{then}]; }}
              bb{then}: {{ _0 = Mul(copy _0, const 3_u32); goto -> bb{next}; }}"
        );
    }
    text + &format!(" bb{}: {{ return; }} }}", 3 + 2 * count)
}

#[test]
fn a_branch_of_one_version_alone_comes_first() {
    let old = in_a_row(8, "bb0: { goto -> bb1; } bb1: { goto -> bb2; }");
    let asked = "bb0: { _3 = Eq(copy _2, const 77_u32); switchInt(copy _3) -> [0: bb2, otherwise: bb1]; } bb1: { goto -> bb2; }";
    let new = in_a_row(8, asked);
    let (old, new) = (program(&old), program(&new));
    let alignment = align(&old, &new);
    let first = FnId::from_usize(0);
    let pair = Pair { alignment: &alignment, old: (&old, first), new: (&new, first) };
    // Each way through the old version with each through the new one would be 65,536.
    let limits = Limits { steps: 200, ..Limits::default() };
    assert!(aligned(pair, &mut Layered::new(AnySolver::new()), limits).is_ok());
}
