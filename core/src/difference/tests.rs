//! Rules of the product, one pair of small programs for each, and an attack with random pairs.

use std::collections::BTreeMap;

use super::{Limits, Obstacle, Pair, Unfollowed, aligned, no_new_panic};
use crate::align::align;
use crate::exec::{Image, PanicPolicy};
use crate::idx::Idx;
use crate::ir::{FnId, Program, parse};
use crate::random_programs::{Dialect, Expr, Random, Stmt, interpret, program as random_program};
use crate::smt::{AnySolver, Layered};

pub fn program(text: &str) -> Program {
    parse::program(text).unwrap_or_else(|error| panic!("{error}"))
}

pub fn outcome(old: &Program, new: &Program) -> Result<(), Obstacle> {
    let first = FnId::from_usize(0);
    let mut solver = Layered::new(AnySolver::new());
    let alignment = align(old, new);
    let pair = Pair { alignment: &alignment, old: (old, first), new: (new, first) };
    aligned(pair, &mut solver, Limits::default()).map(|_| ())
}

fn panics_nowhere_new(old: &Program, new: &Program) -> bool {
    let first = FnId::from_usize(0);
    let mut solver = Layered::new(AnySolver::new());
    let alignment = align(old, new);
    let pair = Pair { alignment: &alignment, old: (old, first), new: (new, first) };
    let image = Image::new(new, PanicPolicy::Outcomes);
    no_new_panic(pair, &image, &mut solver, Limits::default()).is_ok()
}

/// The first functions are aligned.
#[track_caller]
pub fn check_aligned(old: &str, new: &str) {
    assert_eq!(outcome(&program(old), &program(new)), Ok(()));
}

/// They are not, for this reason.
#[track_caller]
pub fn check_not(old: &str, new: &str, expected: Obstacle) {
    assert_eq!(outcome(&program(old), &program(new)), Err(expected));
}

const STRAIGHT: &str = "fn k::f(_1: u8, _2: u8) -> u8 {
    let _3: u8;
    let _4: u8;
    bb0: {
        _3 = Add(copy _1, const 1_u8);
        _4 = BitXor(copy _2, const 3_u8);
        _0 = BitAnd(move _3, move _4);
        return;
    }
}";

#[test]
fn constants_of_the_program_are_what_they_compute() {
    let version = |name: &str, value: &str, used: &str| {
        format!(
            "fn k::f(_1: u8) -> u8 {{ bb0: {{ _0 = Add(copy _1, const {used}); return; }} }}
             const k::{name}() -> u8 {{ let _1: u8; bb0: {{ _1 = const {value}; _0 = Add(copy _1, const 1_u8); return; }} }}"
        )
    };
    let old = version("A", "2_u8", "k::A");
    check_aligned(&old, &version("A", "2_u8", "3_u8"));
    check_aligned(&old, &version("B", "2_u8", "k::B"));
    check_not(&old, &version("B", "3_u8", "k::B"), Obstacle::Ends);
    check_not(&old, &version("A", "2_u8", "4_u8"), Obstacle::Ends);
}

#[test]
fn computations_may_be_named_ordered_and_split_otherwise() {
    let new = "fn k::f(_1: u8, _2: u8) -> u8 {
        let _3: u8;
        let _4: u8;
        let _5: u8;
        bb0: {
            _5 = BitXor(const 3_u8, copy _2);
            goto -> bb1;
        }
        bb1: {
            _4 = Sub(copy _1, const 255_u8);
            _3 = const 9_u8;
            _0 = BitAnd(move _5, move _4);
            return;
        }
    }";
    check_aligned(STRAIGHT, new);
}

#[test]
fn another_constant_is_another_result() {
    check_not(STRAIGHT, &STRAIGHT.replace("const 3_u8", "const 4_u8"), Obstacle::Ends);
}

/// Sums up `f(i)` for all `i` below the argument.
const LOOP: &str = "fn k::f(_1: u32) -> u32 {
    let _2: u32;
    let _3: u32;
    let _4: bool;
    let _5: u32;
    bb0: { _2 = const 0_u32; _3 = const 0_u32; goto -> bb1; }
    bb1: { _4 = Lt(copy _2, copy _1); switchInt(move _4) -> [0: bb4, otherwise: bb2]; }
    bb2: { _5 = k::g(copy _2) -> bb3; }
    bb3: { _3 = Add(copy _3, copy _5); _2 = Add(copy _2, const 1_u32); goto -> bb1; }
    bb4: { _0 = copy _3; return; }
}
fn k::g(_1: u32) -> u32;";

#[test]
fn loops_without_bound_are_aligned_by_what_is_equal_in_each_turn() {
    // The sum is kept behind the counter, the comparison is the other way round, and a value that nobody uses is carried along.
    let new = "fn k::f(_1: u32) -> u32 {
        let _2: u32;
        let _3: u32;
        let _4: bool;
        let _5: u32;
        let _6: u32;
        bb0: { _3 = const 0_u32; _2 = const 0_u32; _6 = const 7_u32; goto -> bb1; }
        bb1: { _4 = Ge(copy _3, copy _1); switchInt(move _4) -> [0: bb2, otherwise: bb4]; }
        bb2: { _6 = Mul(copy _6, const 3_u32); _5 = k::g(copy _3) -> bb3; }
        bb3: { _3 = Add(copy _3, const 1_u32); _2 = Add(copy _5, copy _2); goto -> bb1; }
        bb4: { _0 = copy _2; return; }
    }
    fn k::g(_1: u32) -> u32;";
    check_aligned(LOOP, new);
}

#[test]
fn a_loop_that_begins_or_ends_elsewhere_is_not_aligned() {
    check_not(LOOP, &LOOP.replace("_2 = const 0_u32", "_2 = const 1_u32"), Obstacle::Effects);
    check_not(LOOP, &LOOP.replace("_3 = const 0_u32", "_3 = const 1_u32"), Obstacle::Ends);
    check_not(LOOP, &LOOP.replace("Lt(", "Le("), Obstacle::Effects);
    check_not(
        LOOP,
        &LOOP.replace("_2 = Add(copy _2, const 1_u32)", "_2 = Add(copy _2, const 2_u32)"),
        Obstacle::Effects,
    );
}

/// Counts from 1 to the limit, or from 0 to the one before.
const COUNTED: &str = "fn k::f(_1: i32) -> i32 {
    let _2: i32;
    let _3: i32;
    let _4: bool;
    bb0: { _2 = const 1_i32; _3 = copy _1; goto -> bb1; }
    bb1: { _4 = Le(copy _2, const 100_i32); switchInt(move _4) -> [0: bb3, otherwise: bb2]; }
    bb2: { _3 = Mul(copy _3, const 3_i32); _2 = Add(copy _2, const 1_i32); goto -> bb1; }
    bb3: { _0 = copy _3; return; }
}";

#[test]
fn counters_may_begin_and_end_elsewhere() {
    let from_zero = COUNTED.replace("_2 = const 1_i32", "_2 = const 0_i32").replace("Le(", "Lt(");
    check_aligned(COUNTED, &from_zero);
    let until = from_zero.replace("Lt(", "Ne(");
    check_aligned(COUNTED, &until);
    let down = COUNTED
        .replace("_2 = const 1_i32;", "_2 = const 100_i32;")
        .replace("Le(copy _2, const 100_i32)", "Gt(copy _2, const 0_i32)")
        .replace("Add(copy _2, const 1_i32)", "Sub(copy _2, const 1_i32)");
    check_aligned(COUNTED, &down);
    check_not(COUNTED, &from_zero.replace("Lt(", "Le("), Obstacle::Ends);
    check_not(COUNTED, &down.replace("Gt(", "Ge("), Obstacle::Ends);
}

#[test]
fn a_flag_may_tell_that_the_last_round_was() {
    // As ranges do that include their end.
    let old = "fn k::f(_1: i32) -> i32 {
        let _2: i32;
        let _3: i32;
        let _4: bool;
        bb0: { _2 = const 1_i32; _3 = const 1_i32; switchInt(Lt(copy _1, const 100_i32)) -> [0: bb4, otherwise: bb1]; }
        bb1: { _4 = Le(copy _2, copy _1); switchInt(move _4) -> [0: bb3, otherwise: bb2]; }
        bb2: { _3 = Mul(copy _3, copy _2); _2 = Add(copy _2, const 1_i32); goto -> bb1; }
        bb3: { _0 = copy _3; return; }
        bb4: { _0 = const 0_i32; return; }
    }";
    let old = old.replace(
        "switchInt(Lt(copy _1, const 100_i32))",
        "_4 = Lt(copy _1, const 100_i32); switchInt(move _4)",
    );
    let new = "fn k::f(_1: i32) -> i32 {
        let _2: i32;
        let _3: i32;
        let _4: bool;
        let _5: bool;
        bb0: {
            _2 = const 1_i32; _3 = const 1_i32; _5 = const false;
            _4 = Lt(copy _1, const 100_i32); switchInt(move _4) -> [0: bb7, otherwise: bb1];
        }
        bb1: { switchInt(copy _5) -> [0: bb2, otherwise: bb6]; }
        bb2: { _4 = Gt(copy _2, copy _1); switchInt(move _4) -> [0: bb3, otherwise: bb6]; }
        bb3: { _3 = Mul(copy _3, copy _2); _4 = Lt(copy _2, copy _1); switchInt(move _4) -> [0: bb5, otherwise: bb4]; }
        bb4: { _2 = Add(copy _2, const 1_i32); goto -> bb1; }
        bb5: { _5 = const true; goto -> bb1; }
        bb6: { _0 = copy _3; return; }
        bb7: { _0 = const 0_i32; return; }
    }";
    check_aligned(&old, new);
    check_not(&old, &new.replace("_5 = const false", "_5 = const true"), Obstacle::Ends);
    check_not(
        &old,
        &new.replace("_5 = const true; goto", "_5 = const true; _3 = const 0_i32; goto"),
        Obstacle::Ends,
    );
}

#[test]
fn what_was_covered_by_a_state_that_is_forgotten_is_followed_again() {
    // Paths from before the loop and from within it meet at the return, and the state at the head of the loop is replaced after both were there.
    let old = "fn k::f(_1: i32, _2: i32, _3: i32, _4: i32, _5: u32) -> i32 {
        let _6: bool;
        let _7: u32;
        let _8: i32;
        bb0: { _6 = Gt(copy _1, const 0_i32); switchInt(move _6) -> [0: bb2, otherwise: bb1]; }
        bb1: { _6 = Gt(copy _2, const 0_i32); switchInt(move _6) -> [0: bb2, otherwise: bb4]; }
        bb2: { _6 = Lt(copy _1, const 0_i32); switchInt(move _6) -> [0: bb5, otherwise: bb3]; }
        bb3: { _6 = Lt(copy _2, const 0_i32); switchInt(move _6) -> [0: bb5, otherwise: bb4]; }
        bb4: { _0 = const -1_i32; goto -> bb12; }
        bb5: { _7 = const 0_u32; goto -> bb6; }
        bb6: { _6 = Lt(copy _7, copy _5); switchInt(move _6) -> [0: bb11, otherwise: bb7]; }
        bb7: { _8 = BitXor(copy _4, const 1_i32); _6 = Le(copy _3, copy _8); switchInt(move _6) -> [0: bb8, otherwise: bb9]; }
        bb8: { switchInt(copy _2) -> [0: bb9, otherwise: bb10]; }
        bb9: { _0 = copy _2; goto -> bb12; }
        bb10: { _7 = Add(copy _7, const 1_u32); goto -> bb6; }
        bb11: { _0 = copy _3; goto -> bb12; }
        bb12: { return; }
    }";
    let new = old
        .replace("let _8: i32;", "let _8: i32; let _9: i32;")
        .replace("_8 = BitXor(copy _4, const 1_i32);", "_9 = BitXor(copy _4, const 1_i32); _8 = copy _9;");
    check_aligned(old, &new);
    check_not(old, &new.replace("_8 = copy _9;", "_8 = copy _4;"), Obstacle::Ends);
}

#[test]
fn a_loop_that_goes_on_for_ever_is_not_one_that_ends() {
    let endless = LOOP.replace("_0 = copy _3; return;", "goto -> bb4;");
    assert!(outcome(&program(LOOP), &program(&endless)).is_err());
    assert!(outcome(&program(&endless), &program(LOOP)).is_err());
}

/// Two calls, one after the other.
const CALLS: &str = "fn k::f(_1: u8) -> u8 {
    let _2: u8;
    let _3: u8;
    bb0: { _2 = k::g(copy _1) -> bb1; }
    bb1: { _3 = k::h(copy _1) -> bb2; }
    bb2: { _0 = BitXor(copy _2, copy _3); return; }
}
fn k::g(_1: u8) -> u8;
fn k::h(_1: u8) -> u8;";

#[test]
fn calls_keep_their_order_and_their_number() {
    check_aligned(CALLS, &CALLS.replace("BitXor(copy _2, copy _3)", "BitXor(copy _3, copy _2)"));
    let swapped = CALLS
        .replace("k::g(copy", "k::x(copy")
        .replace("k::h(copy", "k::g(copy")
        .replace("k::x(copy", "k::h(copy");
    check_not(CALLS, &swapped, Obstacle::Effects);
    let one = CALLS.replace("_3 = k::h(copy _1) -> bb2;", "_3 = const 0_u8; goto -> bb2;");
    check_not(CALLS, &one, Obstacle::Effects);
    let twice = CALLS.replace("k::h(copy", "k::g(copy");
    check_not(CALLS, &twice, Obstacle::Effects);
}

/// What is called may write what it is lent.
const LENT: &str = "fn k::f(_1: u8) -> u8 {
    let _2: u8;
    let _3: &mut u8;
    let _4: ();
    bb0: { _2 = copy _1; _3 = &mut _2; _4 = k::g(copy _3) -> bb1; }
    bb1: { _0 = copy _2; return; }
}
fn k::g(_1: &mut u8) -> ();";

#[test]
fn what_is_lent_may_be_written() {
    check_aligned(LENT, LENT);
    check_not(LENT, &LENT.replace("_0 = copy _2", "_0 = copy _1"), Obstacle::Ends);
    check_not(LENT, &LENT.replace("_2 = copy _1;", "_2 = const 1_u8;"), Obstacle::Effects);
}

#[test]
fn a_write_through_a_reference_is_seen_by_the_caller() {
    let old = "fn k::f(_1: &mut u8, _2: u8) -> () {
        bb0: { (*_1) = Add(copy _2, const 1_u8); return; }
    }";
    check_aligned(old, &old.replace("(*_1) = Add", "(*_1) = const 4_u8; (*_1) = Add"));
    check_not(old, "fn k::f(_1: &mut u8, _2: u8) -> () { bb0: { return; } }", Obstacle::Ends);
}

#[test]
fn what_is_read_through_a_shared_reference_stays_as_it_is() {
    let old = "fn k::f(_1: &u8) -> u8 {
        let _2: u8;
        let _3: ();
        bb0: { _2 = copy (*_1); _3 = k::g() -> bb1; }
        bb1: { _0 = copy _2; return; }
    }
    fn k::g() -> ();";
    let later = old.replace("_0 = copy _2", "_0 = copy (*_1)");
    check_aligned(old, &later);
    let writable = |text: &str| text.replace("_1: &u8", "_1: &mut u8");
    check_not(&writable(old), &writable(&later), Obstacle::Ends);
}

/// A check, and a call before it.
const CHECKED: &str = "fn k::f(_1: u8, _2: u8) -> u8 {
    let _3: bool;
    let _4: ();
    bb0: { _4 = k::g() -> bb1; }
    bb1: { _3 = Eq(copy _2, const 0_u8); assert(!move _3, division of copy _1 by zero) -> bb2; }
    bb2: { _0 = Div(copy _1, copy _2); return; }
}
fn k::g() -> ();";

#[test]
fn a_panic_stays_behind_what_was_done_before() {
    check_aligned(CHECKED, CHECKED);
    let early = "fn k::f(_1: u8, _2: u8) -> u8 {
        let _3: bool;
        let _4: ();
        bb0: { _3 = Eq(copy _2, const 0_u8); assert(!move _3, division of copy _1 by zero) -> bb1; }
        bb1: { _4 = k::g() -> bb2; }
        bb2: { _0 = Div(copy _1, copy _2); return; }
    }
    fn k::g() -> ();";
    check_not(CHECKED, early, Obstacle::Effects);
    check_not(CHECKED, &CHECKED.replace("const 0_u8", "const 1_u8"), Obstacle::Ends);
}

#[test]
fn a_panic_is_the_same_if_its_message_is() {
    let index = "fn k::f(_1: &[u8], _2: usize) -> u8 {
        let _3: usize;
        let _4: bool;
        bb0: { _3 = PtrMetadata(copy _1); _4 = Lt(copy _2, copy _3); assert(copy _4, index copy _2 below copy _3) -> bb1; }
        bb1: { _0 = copy (*_1)[_2]; return; }
    }";
    check_aligned(index, index);
    check_not(index, &index.replace("index copy _2", "index const 9_usize"), Obstacle::Ends);
    let sum = "fn k::f(_1: u8) -> u8 {
        let _2: bool;
        bb0: { _2 = Eq(copy _1, const 0_u8); assert(!copy _2, division of copy _1 by zero) -> bb1; }
        bb1: { _0 = copy _1; return; }
    }";
    check_aligned(sum, sum);
    check_not(sum, &sum.replace("division of", "remainder of"), Obstacle::Ends);
}

/// A value of any type, lent to unknown code.
const GENERIC: &str = "fn k::f<T>(_1: T) -> bool {
    let _2: &T;
    bb0: { _2 = &_1; _0 = <T as k::Tell>::tell(copy _2) -> [return: bb1, unwind: bb3]; }
    bb1: { drop(_1) -> bb2; }
    bb2: { return; }
    bb3 (cleanup): { drop(_1) -> bb4; }
    bb4 (cleanup): { resume; }
}";

#[test]
fn drops_of_unknown_types_are_effects() {
    check_aligned(GENERIC, GENERIC);
    let kept = GENERIC.replace("bb1: { drop(_1) -> bb2; }", "bb1: { goto -> bb2; }");
    check_not(GENERIC, &kept, Obstacle::Effects);
}

#[test]
fn what_a_library_type_holds_may_be_of_an_associated_type() {
    let text = |ty: &str| {
        format!(
            "fn k::f(_1: {ty}) -> u8 {{
                bb0: {{ drop(_1) -> bb1; }}
                bb1: {{ _0 = k::g() -> bb2; }}
                bb2: {{ return; }}
            }}
            fn k::g() -> u8;
            struct k::Quiet {{ 0: u8 }}"
        )
    };
    let later = |ty: &str| {
        let moved = text(ty).replace("drop(_1) -> bb1", "goto -> bb1");
        moved.replace("bb2: { return; }", "bb2: { drop(_1) -> bb3; } bb3: { return; }")
    };
    for ty in
        ["std::iter::Peekable<std::vec::IntoIter<u8>>", "std::borrow::Cow<str>", "std::vec::Vec<k::Quiet>"]
    {
        check_aligned(&text(ty), &later(ty));
    }
    for ty in ["std::iter::Peekable<k::Quiet>", "std::borrow::Cow<k::Quiet>", "std::iter::Flatten<k::Quiet>"]
    {
        check_not(&text(ty), &later(ty), Obstacle::Effects);
    }
}

#[test]
fn an_allocator_of_its_own_sees_when_memory_is_given_back() {
    let outcome_of = |ty: &str| {
        let version = |blocks: &str| {
            let mut program = program(&format!(
                "fn k::f(_1: {ty}) -> u8 {{ {blocks} }} fn k::g() -> u8; fn k::_::__rust_alloc() -> u8;"
            ));
            let allocator = program.functions_at(&crate::ir::Path::new("k::_::__rust_alloc"))[0];
            program.declared.ambient.insert(allocator);
            program
        };
        let old = version("bb0: { drop(_1) -> bb1; } bb1: { _0 = k::g() -> bb2; } bb2: { return; }");
        let new = version("bb0: { _0 = k::g() -> bb1; } bb1: { drop(_1) -> bb2; } bb2: { return; }");
        outcome(&old, &new)
    };
    for ty in ["std::vec::Vec<u8>", "std::option::Option<std::string::String>", "std::borrow::Cow<str>"] {
        assert_eq!(outcome_of(ty), Err(Obstacle::Effects), "{ty}");
    }
    assert_eq!(outcome_of("std::option::Option<u8>"), Ok(()));
}

/// Values of the same bits and different types, behind `dyn`.
const UNSIZED: &str = "fn k::f(_1: u8) -> u32 {
    let _2: u8;
    let _3: &u8;
    let _4: &dyn k::Name;
    bb0: {
        _2 = copy _1 as u8 (IntToInt);
        _3 = &_2;
        _4 = copy _3 as &dyn k::Name (Unsize);
        _0 = <dyn k::Name as k::Name>::name(copy _4) -> bb1;
    }
    bb1: { return; }
}";

#[test]
fn a_pointer_to_dyn_goes_by_the_type_that_it_was_made_of() {
    check_aligned(UNSIZED, UNSIZED);
    let other = UNSIZED
        .replace("_2: u8", "_2: i8")
        .replace("_3: &u8", "_3: &i8")
        .replace("as u8 (IntToInt)", "as i8 (IntToInt)");
    check_not(UNSIZED, &other, Obstacle::Effects);
}

/// A check, and a destructor that runs whether it fails or not.
const CLEANED: &str = "fn k::f<T>(_1: T, _2: u8) -> u8 {
    let _3: bool;
    bb0: { _3 = Eq(copy _2, const 0_u8); assert(!move _3, division of copy _2 by zero) -> [return: bb1, unwind: bb3]; }
    bb1: { _0 = Div(const 9_u8, copy _2); drop(_1) -> bb2; }
    bb2: { return; }
    bb3 (cleanup): { drop(_1) -> bb4; }
    bb4 (cleanup): { resume; }
}";

#[test]
fn a_destructor_may_tell_whether_something_unwinds() {
    check_aligned(CLEANED, CLEANED);
    let early = "fn k::f<T>(_1: T, _2: u8) -> u8 {
        let _3: bool;
        bb0: { switchInt(copy _2) -> [0: bb1, otherwise: bb3]; }
        bb1: { drop(_1) -> bb2; }
        bb2: { assert(const false, division of copy _2 by zero) -> bb4; }
        bb3: { _0 = Div(const 9_u8, copy _2); drop(_1) -> bb4; }
        bb4: { return; }
    }";
    check_not(CLEANED, early, Obstacle::Effects);
}

#[test]
fn which_nan_comes_out_is_not_known() {
    let old = "fn k::f(_1: f64, _2: f64) -> u64 {
        let _3: f64;
        bb0: { _3 = Add(copy _1, copy _2); _0 = k::bits(copy _3) -> bb1; }
        bb1: { return; }
    }
    fn k::bits(_1: f64) -> u64;";
    let other = old.replace("Add(copy _1, copy _2)", "Add(copy _2, copy _1)");
    let body = " { bb0: { _0 = const 0_u64; return; } }";
    let (blind, seeing) = (body, " { bb0: { _0 = f64::to_bits(copy _1) -> bb1; } bb1: { return; } }");
    let with = |text: &str, bits: &str| {
        text.replace("bits(_1: f64) -> u64;", &format!("bits(_1: f64) -> u64{bits}"))
    };
    assert_eq!(holding(&with(old, blind), &with(&other, blind)), ["k::f"]);
    assert_eq!(holding(&with(old, seeing), &with(&other, seeing)), Vec::<String>::new());
    // What nobody has read may ask.
    assert_eq!(holding(old, &other), Vec::<String>::new());
    // As it is, the sum is the same to the bit.
    let renamed = old.replace("_3", "_4").replace("let _4: f64;", "let _3: u8; let _4: f64;");
    check_aligned(old, &renamed);
}

#[test]
fn two_references_to_equal_values_may_be_told_apart() {
    let old = "fn k::f(_1: u8) -> bool {
        let _2: u8;
        let _3: &u8;
        let _4: &u8;
        bb0: { _2 = copy _1; _3 = &_1; _4 = &_2; _0 = k::is_one_place(copy _3, copy _4) -> bb1; }
        bb1: { return; }
    }
    fn k::is_one_place(_1: &u8, _2: &u8) -> bool;";
    let one = old.replace("_4 = &_2", "_4 = &_1");
    check_not(old, &one, Obstacle::Unfollowed(Unfollowed::EqualReferences));
}

/// A function without and with a helper for part of what it does.
const WHOLE: &str = "fn k::f(_1: &mut u8, _2: u8) -> u8 {
    let _3: bool;
    let _4: u8;
    bb0: { _3 = Eq(copy _2, const 0_u8); assert(!move _3, division of copy _2 by zero) -> bb1; }
    bb1: { _4 = Div(const 100_u8, copy _2); (*_1) = copy _4; _0 = Add(copy _4, const 1_u8); return; }
}";

const WITH_HELPER: &str = "fn k::f(_1: &mut u8, _2: u8) -> u8 {
    let _3: u8;
    bb0: { _3 = k::helper::<u8>(copy _1, copy _2) -> bb1; }
    bb1: { _0 = Add(copy _3, const 1_u8); return; }
}
fn k::helper<T>(_1: &mut T, _2: u8) -> u8 {
    let _3: bool;
    bb0: { _3 = Eq(copy _2, const 0_u8); assert(!move _3, division of copy _2 by zero) -> bb1; }
    bb1: { _0 = Div(const 100_u8, copy _2); (*_1) = copy _0; return; }
}";

#[test]
fn a_helper_of_one_version_is_looked_into() {
    check_aligned(WHOLE, WITH_HELPER);
    check_aligned(WITH_HELPER, WHOLE);
    check_not(WHOLE, &WITH_HELPER.replace("(*_1) = copy _0;", ""), Obstacle::Ends);
    check_not(WHOLE, &WITH_HELPER.replace("const 100_u8", "const 101_u8"), Obstacle::Ends);
}

/// Which functions hold by those that are aligned.
fn holding(old: &str, new: &str) -> Vec<String> {
    let (old, new) = (program(old), program(new));
    let alignment = align(&old, &new);
    let mut solver = Layered::new(AnySolver::new());
    let is_aligned = |old_id, new_id, solver: &mut Layered<AnySolver>| {
        let pair = Pair { alignment: &alignment, old: (&old, old_id), new: (&new, new_id) };
        aligned(pair, solver, Limits::default()).ok()
    };
    let candidates = alignment.with_other_bodies(&old, &new);
    let aligned = candidates
        .into_iter()
        .filter_map(|(old, new)| Some((new, is_aligned(old, new, &mut solver)?.up_to())))
        .collect();
    let holding = alignment.hold_jointly(&old, &new, &aligned, [&BTreeMap::new(); 2]);
    holding.equal.keys().map(|id| new.functions[*id].path.to_string()).collect()
}

#[test]
fn equal_locals_lie_in_places_of_their_own() {
    let version = |second: &str, seen: &str| {
        format!(
            "fn k::f(_1: u8) -> usize {{
                let _2: u8; let _3: u8; let _4: &u8; let _5: &u8; let _6: usize;
                bb0: {{ _2 = copy _1; _3 = copy _1; _4 = &_2; _6 = k::g(copy _4) -> bb1; }}
                bb1: {{ _5 = {second}; _0 = k::g(copy _5) -> bb2; }}
                bb2: {{ return; }}
            }}
            fn k::g(_1: &u8) -> usize {{ {seen} }}"
        )
    };
    let holding = |seen: &str| holding(&version("&_2", seen), &version("&_3", seen));
    assert_eq!(holding("bb0: { _0 = copy (*_1) as usize (IntToInt); return; }"), ["k::f"]);
    let address = "let _2: *const u8; bb0: { _2 = &raw const (*_1); _0 = copy _2 as usize (ExposeProvenance); return; }";
    assert_eq!(holding(address), [""; 0]);
}

/// `f` calls `g`, which calls `f` again; `h` calls `f`.
const MUTUAL: &str = "fn k::f(_1: u8) -> u8 {
    let _2: u8;
    bb0: { switchInt(copy _1) -> [0: bb1, otherwise: bb2]; }
    bb1: { _0 = const 0_u8; return; }
    bb2: { _2 = Sub(copy _1, const 1_u8); _0 = k::g(copy _2) -> bb3; }
    bb3: { return; }
}
fn k::g(_1: u8) -> u8 {
    let _2: u8;
    bb0: { _2 = k::f(copy _1) -> bb1; }
    bb1: { _0 = Add(copy _2, const 1_u8); return; }
}
fn k::h(_1: u8) -> u8 {
    bb0: { _0 = k::f(copy _1) -> bb1; }
    bb1: { return; }
}";

#[test]
fn functions_that_call_each_other_hold_jointly() {
    // Both bodies change, and do the same as before.
    let new = MUTUAL
        .replace("_2 = Sub(copy _1, const 1_u8)", "_2 = Add(copy _1, const 255_u8)")
        .replace("_0 = Add(copy _2, const 1_u8)", "_0 = Sub(copy _2, const 255_u8)");
    assert_eq!(holding(MUTUAL, &new), ["k::f", "k::g", "k::h"]);
}

#[test]
fn one_that_differs_takes_all_that_run_it_with_it() {
    let new = MUTUAL
        .replace("_2 = Sub(copy _1, const 1_u8)", "_2 = Add(copy _1, const 255_u8)")
        .replace("_0 = Add(copy _2, const 1_u8)", "_0 = Add(copy _2, const 2_u8)");
    assert_eq!(holding(MUTUAL, &new), Vec::<String>::new());
}

/// Inputs near what random programs compare with.
pub const VALUES: [u8; 9] = [0, 1, 2, 3, 4, 76, 77, 78, 255];

type Source = (Vec<Stmt>, Expr);

/// Two random programs, of which the second has one change.
pub fn random_pair(dialect: Dialect, seed: u64) -> (Source, Source) {
    let mut random = Random::new(seed);
    let old = random.program();
    let mut new = old.clone();
    match random.below(3) {
        0 if new.0.len() > 1 => {
            let at = random.below(new.0.len() - 1);
            new.0.swap(at, at + 1);
        }
        1 => new.0.push(Stmt::Assign(random.below(4), Expr::Const(random.below(3) as u8))),
        _ => random.change(&mut new.0, 2, false),
    }
    (dialect.of(old), dialect.of(new))
}

/// Random pairs of which no new panic is said, held against the same interpreter: how many, and in how many of them results differ.
fn attack_on_panics(dialect: Dialect, seeds: std::ops::Range<u64>) -> (usize, usize) {
    let (mut said, mut different) = (0, 0);
    for seed in seeds {
        let (old, new) = random_pair(dialect, seed);
        if !panics_nowhere_new(&random_program(&old), &random_program(&new)) {
            continue;
        }
        said += 1;
        let mut differs = false;
        for input in VALUES.iter().flat_map(|x| VALUES.iter().flat_map(move |y| VALUES.map(|z| [*x, *y, z])))
        {
            let (before, after) = (interpret(&old, input), interpret(&new, input));
            differs |= before != after;
            assert!(
                before.is_err() || after.is_ok(),
                "seed {seed}, input {input:?}: {before:?}, {after:?}\n{old:?}\n{new:?}"
            );
        }
        different += usize::from(differs);
    }
    (said, different)
}

/// Random pairs that are said to be aligned, held against an interpreter that shares no code with the engine.
fn attack(dialect: Dialect, seeds: std::ops::Range<u64>) -> (usize, usize) {
    let (mut said, mut different) = (0, 0);
    for seed in seeds {
        let (old, new) = random_pair(dialect, seed);
        if outcome(&random_program(&old), &random_program(&new)).is_err() {
            continue;
        }
        said += 1;
        different += usize::from(format!("{old:?}") != format!("{new:?}"));
        let inputs = VALUES.iter().flat_map(|x| VALUES.iter().map(move |y| (*x, *y)));
        for (x, y) in inputs {
            for z in VALUES {
                let input = [x, y, z];
                assert_eq!(
                    interpret(&old, input),
                    interpret(&new, input),
                    "seed {seed}, input {input:?}\n{old:?}\n{new:?}"
                );
            }
        }
    }
    (said, different)
}

#[test]
fn random_pairs_that_are_aligned_do_the_same() {
    let (said, different) = attack(Dialect::Plain, 0..1_500);
    assert!(said > 300 && different > 100, "{said} of 1,500 aligned, of them {different} not of one text");
}

#[test]
fn random_pairs_with_lists_that_are_aligned_do_the_same() {
    let (said, different) = attack(Dialect::Lists, 0..1_500);
    assert!(said > 100 && different > 20, "{said} of 1,500 aligned, of them {different} not of one text");
}

#[test]
fn random_pairs_without_a_new_panic_have_none() {
    for dialect in [Dialect::Plain, Dialect::Lists] {
        let (said, different) = attack_on_panics(dialect, 0..700);
        // Calls of lists are effects, and few of them have the same operands where something changed.
        let (least, least_different) = if dialect == Dialect::Plain { (200, 30) } else { (50, 1) };
        assert!(
            said > least && different > least_different,
            "{dialect:?}: {said} of 700, results differ in {different}"
        );
    }
}

const DIVIDES: &str = "fn k::f(_1: u8, _2: u8) -> u8 {
    let _3: bool;
    let _4: u8;
    bb0: {
        _3 = Eq(copy _2, const 0_u8);
        assert(!copy _3, division of copy _1 by zero) -> bb1;
    }
    bb1: {
        _4 = Div(copy _1, copy _2);
        _0 = BitXor(move _4, const 1_u8);
        return;
    }
}";

/// Whether no new panic is said of the versions.
#[track_caller]
fn check_panics(old: &str, new: &str, none: bool) {
    assert_eq!(panics_nowhere_new(&program(old), &program(new)), none);
}

#[test]
fn another_result_is_no_panic() {
    check_panics(DIVIDES, &DIVIDES.replace("const 1_u8", "const 2_u8"), true);
}

#[test]
fn to_end_the_process_is_no_panic() {
    let ends = "fn k::f(_1: u8) -> u8 { let _2: bool; let _3: !; bb0: { _2 = Eq(copy _1, const 7_u8); switchInt(copy _2) -> [0: bb1, otherwise: bb2]; }
        bb1: { _0 = copy _1; return; } bb2: { _3 = std::process::exit(const 1_i32) -> !; } }";
    check_panics(ends, ends, true);
    check_panics(ends, &ends.replace("_0 = copy _1", "_0 = const 1_u8"), true);
    check_panics(
        ends,
        &ends.replace("_3 = std::process::exit(const 1_i32) -> !;", "_0 = const 2_u8; return;"),
        true,
    );
    check_panics(
        ends,
        &ends.replace(
            "_3 = std::process::exit(const 1_i32) -> !;",
            "assert(!copy _2, division of copy _1 by zero) -> bb1;",
        ),
        false,
    );
}

#[test]
fn a_check_of_another_value_may_fail() {
    check_panics(DIVIDES, &DIVIDES.replace("Eq(copy _2, const 0_u8)", "Eq(copy _1, const 0_u8)"), false);
    check_panics(DIVIDES, &DIVIDES.replace("Eq(copy _2, const 0_u8)", "Lt(copy _2, const 2_u8)"), false);
}

#[test]
fn a_check_that_is_gone_is_no_panic() {
    let without = "fn k::f(_1: u8, _2: u8) -> u8 {
        bb0: { _0 = const 7_u8; return; }
    }";
    check_panics(DIVIDES, without, true);
    check_panics(without, DIVIDES, false);
}

#[test]
fn a_call_that_the_old_version_does_not_make_may_panic() {
    let calls = |argument: &str| {
        format!(
            "fn k::f(_1: u8, _2: u8) -> u8 {{
                let _3: u8;
                bb0: {{ _3 = k::g(copy {argument}) -> bb1; }}
                bb1: {{ _0 = copy _1; return; }}
            }}
            fn k::g(_1: u8) -> u8 {{
                bb0: {{ _0 = k::other::h(copy _1) -> bb1; }}
                bb1: {{ return; }}
            }}"
        )
    };
    check_panics(&calls("_1"), &calls("_2"), false);
    check_panics(&calls("_1"), &calls("_1").replace("_0 = copy _1", "_0 = copy _2"), true);
    let without = calls("_1").replacen("_3 = k::g(copy _1) -> bb1", "_3 = copy _1; goto -> bb1", 1);
    check_panics(&calls("_1"), &without, true);
    check_panics(&without, &calls("_1"), false);
}

#[test]
#[ignore = "takes minutes"]
fn many_random_pairs_that_are_aligned_do_the_same() {
    let count = std::env::var("REGRESS_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(5000u64);
    let start = std::env::var("REGRESS_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1u64);
    for dialect in [Dialect::Plain, Dialect::Lists] {
        let (said, different) = attack(dialect, start..start + count);
        println!("{dialect:?}: {said} of {count} aligned, of them {different} not of one text, none wrong");
        let (said, different) = attack_on_panics(dialect, start..start + count);
        println!(
            "{dialect:?}: {said} of {count} without a new panic, results differ in {different}, none wrong"
        );
    }
}
