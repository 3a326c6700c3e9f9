//! Interior mutability: what is written through shared references.

use super::*;

const CELL: &str = "struct std::cell::UnsafeCell<T> { value: T }
    fn k::put(_1: &std::cell::UnsafeCell<u8>, _2: u8) -> () { let _3: &mut u8;
        bb0: { _3 = std::intrinsics::cell_mut::<u8>(copy _1) -> bb1; }
        bb1: { (*_3) = copy _2; return; } }";

fn with_cell(blocks: &str) -> String {
    format!(
        "fn f(_1: u8, _2: u8) -> u8 {{ let _3: std::cell::UnsafeCell<u8>; let _4: &std::cell::UnsafeCell<u8>; let _5: ();
            bb0: {{ _3 = <std::cell::UnsafeCell<u8>>::std::cell::UnsafeCell::new(copy _2) -> bb1; }}
            bb1: {{ _4 = &_3; goto -> bb2; }}
            {blocks} }} {CELL}"
    )
}

#[test]
fn a_cell_is_written_through_a_shared_reference() {
    let text = with_cell(
        "bb2: { _5 = k::put(copy _4, copy _1) -> bb3; }
         bb3: { _0 = <std::cell::UnsafeCell<u8>>::std::cell::UnsafeCell::into_inner(move _3) -> bb4; }
         bb4: { return; }",
    );
    check(&text, "7_u8, 1_u8", "7");
}

#[test]
fn an_arm_not_taken_may_have_written_the_cells_behind_what_it_lends() {
    let text = with_cell(
        "bb2: { switchInt(copy _1) -> [7: bb3, otherwise: bb4]; }
         bb3: { _5 = k::put(copy _4, copy _1) -> bb4; }
         bb4: { _0 = <std::cell::UnsafeCell<u8>>::std::cell::UnsafeCell::into_inner(move _3) -> bb5; }
         bb5: { return; }",
    );
    check(&text, "7_u8, 1_u8", "7");
    check(&text, "8_u8, 1_u8", "1");
    check_slice(&text, "8_u8, 1_u8", &["arg0 != 7"]);
}

#[test]
fn what_is_no_cell_stays_as_it_was_behind_a_shared_reference() {
    let text = format!(
        "fn f(_1: u8, _2: u8) -> u8 {{
            let _3: std::cell::UnsafeCell<u8>; let _4: (u8, std::cell::UnsafeCell<u8>); let _5: ();
            let _6: &(u8, std::cell::UnsafeCell<u8>);
            bb0: {{ _3 = <std::cell::UnsafeCell<u8>>::std::cell::UnsafeCell::new(copy _2) -> bb1; }}
            bb1: {{ _4 = (copy _2, move _3); switchInt(copy _1) -> [7: bb2, otherwise: bb3]; }}
            bb2: {{ _6 = &_4; _5 = k::put_second(copy _6, const 1_u8) -> bb3; }}
            bb3: {{ _0 = copy _4.0; return; }} }}
         fn k::put_second(_1: &(u8, std::cell::UnsafeCell<u8>), _2: u8) -> () {{ let _3: &std::cell::UnsafeCell<u8>;
            bb0: {{ _3 = &((*_1).1: std::cell::UnsafeCell<u8>); _0 = k::put(copy _3, copy _2) -> bb1; }}
            bb1: {{ return; }} }} {CELL}"
    );
    check_slice(&text, "7_u8, 2_u8", &[]);
    check_slice(&text, "8_u8, 2_u8", &[]);
}
