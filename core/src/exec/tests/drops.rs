//! Drop glue: what runs, in which order; and panics that clean-up may keep from leaving.

use super::*;

/// `k::Note` notes its number behind its reference when it is dropped: `*log = *log * 10 + number`.
const NOTE: &str = "struct k::Note { log: &mut u32, number: u32 }
    impl std::ops::Drop for k::Note { fn drop(_1: &mut k::Note) -> () { let _2: u32;
        bb0: { _2 = Mul(copy (*((*_1).0: &mut u32)), const 10_u32);
               (*((*_1).0: &mut u32)) = Add(copy _2, copy ((*_1).1: u32)); return; } } }";

/// A body with a log `_1`; `_2` is a reference to it, and `_3`, `_4` are notes.
fn with_notes(blocks: &str) -> String {
    format!(
        "fn f(_1: &mut u32) -> () {{ let _2: &mut u32; let _3: k::Note; let _4: k::Note; let _5: u32; {blocks} }} {NOTE}
         struct k::Both {{ first: k::Note, second: k::Note }}
         enum k::Maybe {{ No, Yes(k::Note) }}
         impl std::ops::Drop for k::Both {{ fn drop(_1: &mut k::Both) -> () {{
            bb0: {{ (*(((*_1).0: k::Note).0: &mut u32)) = const 7_u32; return; }} }} }}"
    )
}

#[test]
fn a_drop_runs_the_destructor() {
    let text = with_notes(
        "bb0: { _3 = k::Note { copy _1, const 3_u32 }; drop(_3) -> bb1; }
         bb1: { return; }",
    );
    check(&text, "&5_u32", "(); _1 = 53");
}

#[test]
fn a_struct_is_dropped_before_its_fields_and_these_in_order() {
    let text = with_notes(
        "let _6: k::Both;
         bb0: { _3 = k::Note { copy _1, const 1_u32 }; _4 = k::Note { copy _1, const 2_u32 };
                _6 = k::Both { move _3, move _4 }; drop(_6) -> bb1; }
         bb1: { return; }",
    );
    check(&text, "&5_u32", "(); _1 = 712");
}

#[test]
fn tuples_and_arrays_are_dropped_in_order() {
    let make = "_3 = k::Note { copy _1, const 1_u32 }; _4 = k::Note { copy _1, const 2_u32 };";
    let tuple = with_notes(&format!(
        "let _6: (k::Note, u8, k::Note); bb0: {{ {make} _6 = (move _3, const 0_u8, move _4); drop(_6) -> bb1; }} bb1: {{ return; }}"
    ));
    check(&tuple, "&0_u32", "(); _1 = 12");
    let array = with_notes(&format!(
        "let _6: [k::Note; 2]; bb0: {{ {make} _6 = [move _4, move _3]; drop(_6) -> bb1; }} bb1: {{ return; }}"
    ));
    check(&array, "&0_u32", "(); _1 = 21");
}

#[test]
fn of_an_enum_the_fields_of_its_variant_are_dropped() {
    let text = with_notes(
        "let _6: k::Maybe;
         bb0: { _3 = k::Note { copy _1, const 1_u32 }; _6 = k::Maybe::Yes(move _3); drop(_6) -> bb1; }
         bb1: { _6 = k::Maybe::No(); drop(_6) -> bb2; }
         bb2: { return; }",
    );
    check(&text, "&0_u32", "(); _1 = 1");
}

#[test]
fn a_box_drops_its_content_and_a_trait_object_what_it_is() {
    let make = "_3 = k::Note { copy _1, const 4_u32 };";
    let boxed = with_notes(&format!(
        "let _6: std::boxed::Box<k::Note>;
         bb0: {{ {make} _6 = <std::boxed::Box<k::Note>>::std::boxed::Box::new(move _3) -> bb1; }}
         bb1: {{ drop(_6) -> bb2; }} bb2: {{ return; }}"
    ));
    check(&boxed, "&0_u32", "(); _1 = 4");
    let object = with_notes(&format!(
        "let _6: std::boxed::Box<k::Note>; let _7: std::boxed::Box<dyn k::Any>;
         bb0: {{ {make} _6 = <std::boxed::Box<k::Note>>::std::boxed::Box::new(move _3) -> bb1; }}
         bb1: {{ _7 = move _6 as std::boxed::Box<dyn k::Any> (Unsize); drop(_7) -> bb2; }} bb2: {{ return; }}"
    ));
    check(&object, "&0_u32", "(); _1 = 4");
}

#[test]
fn what_is_wrapped_or_forgotten_is_not_dropped() {
    let wrapped = with_notes(
        "let _6: std::mem::ManuallyDrop<k::Note>;
         bb0: { _3 = k::Note { copy _1, const 4_u32 }; _6 = <std::mem::ManuallyDrop<k::Note>>::std::mem::ManuallyDrop::new(move _3) -> bb1; }
         bb1: { drop(_6) -> bb2; } bb2: { return; }",
    );
    check(&wrapped, "&5_u32", "(); _1 = 5");
    let forgotten = with_notes(
        "let _6: ();
         bb0: { _3 = k::Note { copy _1, const 4_u32 }; _6 = std::mem::forget::<k::Note>(move _3) -> bb1; }
         bb1: { return; }",
    );
    check(&forgotten, "&5_u32", "(); _1 = 5");
}

#[test]
fn a_drop_in_an_arm_not_taken_would_have_written() {
    let text = format!(
        "fn f(_1: &mut u32, _2: u8) -> () {{ let _3: k::Note;
            bb0: {{ _3 = k::Note {{ copy _1, const 1_u32 }}; switchInt(copy _2) -> [7: bb1, otherwise: bb2]; }}
            bb1: {{ drop(_3) -> bb2; }}
            bb2: {{ return; }} }} {NOTE}"
    );
    check_slice(&text, "&0_u32, 8_u8", &["arg1 != 7"]);
    check(&text, "&0_u32, 7_u8", "(); _1 = 1");
}

/// A call that panics, with a clean-up that drops a `k::Guard` whose destructor is `body`.
fn panicking(destructor: &str) -> String {
    format!(
        "fn f(_1: u8) -> u8 {{ let _2: k::Guard; let _3: bool;
            bb0: {{ _2 = k::Guard {{ const 1_u8 }}; _3 = Eq(copy _1, const 0_u8);
                    assert(!copy _3, division of const 1_u8 by zero) -> [return: bb1, unwind: bb3]; }}
            bb1: {{ drop(_2) -> bb2; }}
            bb2: {{ _0 = const 1_u8; return; }}
            bb3 (cleanup): {{ drop(_2) -> bb4; }}
            bb4 (cleanup): {{ resume; }} }}
         struct k::Guard(u8);
         impl std::ops::Drop for k::Guard {{ fn drop(_1: &mut k::Guard) -> () {{ let _2: bool; let _3: !; {destructor} }} }}"
    )
}

#[test]
fn a_panic_passes_a_destructor_that_returns() {
    let text = panicking("bb0: { ((*_1).0: u8) = const 0_u8; return; }");
    check(&text, "1_u8", "1");
    check_panic(&text, "0_u8", PanicKind::DivisionByZero);
}

#[test]
fn a_panic_may_not_pass_a_destructor_that_does_not_return() {
    // It would abort the process, or never end.
    check_unsupported(&panicking("bb0: { _3 = std::panicking::panic(const \"again\") -> !; }"), "0_u8");
    check_unsupported(&panicking("bb0: { goto -> bb0; }"), "0_u8");
}

#[test]
fn a_panic_does_not_pass_a_clean_up_that_aborts() {
    let text = "fn f(_1: u8) -> u8 { let _2: bool;
        bb0: { _2 = Eq(copy _1, const 0_u8); assert(!copy _2, \"no\") -> [return: bb1, unwind: bb2]; }
        bb1: { _0 = const 1_u8; return; }
        bb2 (cleanup): { abort; } }";
    check(text, "1_u8", "1");
    check_unsupported(text, "0_u8");
}
