//! Raw pointers: arithmetic within a sequence, comparison, casts. What is undefined behaviour stops the run.

use super::*;

/// A body over four bytes behind `_1` and an offset `_2`; `_3` points to the first byte, `_4` is it moved by `_2`.
fn moved(ends: &str) -> String {
    format!(
        "fn f(_1: &mut [u8; 4], _2: isize) -> u8 {{ let _3: *mut u8; let _4: *mut u8; let _5: isize; let _6: bool;
            bb0: {{ _3 = &raw mut (*_1)[0]; _4 = Offset(copy _3, copy _2); goto -> bb1; }}
            {ends} }}"
    )
}

const BYTES: &str = "&[10_u8, 20_u8, 30_u8, 40_u8]";

#[test]
fn a_pointer_moves_by_elements() {
    let read = moved("bb1: { _0 = copy (*_4); return; }");
    check(&read, &format!("{BYTES}, 0_isize"), "10; _1 = [10, 20, 30, 40]");
    check(&read, &format!("{BYTES}, 3_isize"), "40; _1 = [10, 20, 30, 40]");
    let write = moved("bb1: { (*_4) = const 7_u8; _0 = copy (*_3); return; }");
    check(&write, &format!("{BYTES}, 2_isize"), "10; _1 = [10, 20, 7, 40]");
}

#[test]
fn a_pointer_may_stand_behind_the_last_element_and_is_not_read_there() {
    let unread = moved("bb1: { _0 = copy (*_3); return; }");
    check(&unread, &format!("{BYTES}, 4_isize"), "10; _1 = [10, 20, 30, 40]");
    check_unsupported(&unread, &format!("{BYTES}, 5_isize"));
    check_unsupported(&unread, &format!("{BYTES}, -1_isize"));
    check_unsupported(&moved("bb1: { _0 = copy (*_4); return; }"), &format!("{BYTES}, 4_isize"));
}

#[test]
fn that_a_pointer_is_within_bounds_is_a_condition() {
    let read = moved("bb1: { _0 = copy (*_4); return; }");
    let bytes = Value::Ref(Box::new(Value::Seq([10, 20, 30, 40].map(|byte| int(IntTy::U8, byte)).to_vec())));
    let inputs = (0..4).map(|by| vec![bytes.clone(), int(IntTy::Isize, by)]);
    let partitions = check_everywhere(&read, inputs, |input| {
        let all = bits(input);
        Ok(vec![all[all[4] as usize], all[0], all[1], all[2], all[3]])
    });
    assert_eq!(partitions, 1);
    assert!(!run(&read, &format!("{BYTES}, 1_isize")).conditions.is_empty());
}

#[test]
fn the_distance_of_two_pointers_is_in_elements() {
    let text = moved(
        "bb1: { _5 = std::intrinsics::ptr_distance::<u8>(copy _4, copy _3) -> bb2; }
         bb2: { _0 = copy _5 as u8 (IntToInt); return; }",
    );
    check(&text, &format!("{BYTES}, 3_isize"), "3; _1 = [10, 20, 30, 40]");
}

#[test]
fn pointers_into_one_sequence_are_compared_by_place() {
    let compared = |op: &str| {
        moved(&format!("bb1: {{ _6 = {op}(copy _3, copy _4); _0 = copy _6 as u8 (IntToInt); return; }}"))
    };
    let rest = "; _1 = [10, 20, 30, 40]";
    check(&compared("Eq"), &format!("{BYTES}, 0_isize"), &format!("1{rest}"));
    check(&compared("Eq"), &format!("{BYTES}, 1_isize"), &format!("0{rest}"));
    check(&compared("Lt"), &format!("{BYTES}, 1_isize"), &format!("1{rest}"));
    check(&compared("Ge"), &format!("{BYTES}, 1_isize"), &format!("0{rest}"));
}

#[test]
fn what_comes_from_a_shared_reference_is_not_written() {
    let text = "fn f(_1: &u8) -> () { let _2: *const u8; let _3: *mut u8;
        bb0: { _2 = &raw const (*_1); _3 = copy _2 as *mut u8 (PtrToPtr); (*_3) = const 1_u8; return; } }";
    check_unsupported(text, "&0_u8");
}

#[test]
fn memory_is_not_read_as_another_type() {
    let text = "fn f(_1: &mut u32) -> u8 { let _2: *mut u32; let _3: *mut u8;
        bb0: { _2 = &raw mut (*_1); _3 = copy _2 as *mut u8 (PtrToPtr); _0 = copy (*_3); return; } }";
    check_unsupported(text, "&1_u32");
    let there_and_back = "fn f(_1: &mut u32) -> u32 { let _2: *mut u32; let _3: *mut u8;
        bb0: { _2 = &raw mut (*_1); _3 = copy _2 as *mut u8 (PtrToPtr); _2 = copy _3 as *mut u32 (PtrToPtr); _0 = copy (*_2); return; } }";
    check(there_and_back, "&1_u32", "1; _1 = 1");
}

#[test]
fn null_is_a_number_and_points_to_nothing() {
    let make = "_1 = const 0 as *const u8 (WithExposedProvenance);";
    let text = format!(
        "fn f() -> bool {{ let _1: *const u8; bb0: {{ {make} _0 = std::intrinsics::ptr_is_null::<u8>(copy _1) -> bb1; }} bb1: {{ return; }} }}"
    );
    check(&text, "", "true");
    check_unsupported(
        &format!("fn f() -> u8 {{ let _1: *const u8; bb0: {{ {make} _0 = copy (*_1); return; }} }}"),
        "",
    );
}

#[test]
fn elements_are_copied_as_if_at_once() {
    let text = "fn f(_1: &mut [u8; 4]) -> () { let _2: *mut u8; let _3: *mut u8;
        bb0: { _2 = &raw mut (*_1)[0]; _3 = &raw mut (*_1)[1];
               _0 = std::intrinsics::ptr_copy::<u8>(copy _2, copy _3, const 3) -> bb1; }
        bb1: { return; } }";
    check(text, BYTES, "(); _1 = [10, 10, 20, 30]");
    // Overlapping memory is undefined behaviour there.
    check_unsupported(&text.replace("ptr_copy", "ptr_copy_nonoverlapping"), BYTES);
}

#[test]
fn the_bytes_of_a_number_are_copied_into_it_and_out_of_it() {
    let into = "fn f(_1: &mut [u8; 4], _2: u16) -> u16 { let _3: *mut u8; let _4: *mut u16; let _5: *mut u8; let _6: ();
        bb0: { _3 = &raw mut (*_1)[1]; _4 = &raw mut _2; _5 = copy _4 as *mut u8 (PtrToPtr);
               _6 = std::intrinsics::ptr_copy_nonoverlapping::<u8>(copy _3, copy _5, const 2) -> bb1; }
        bb1: { _0 = copy _2; return; } }";
    // The first byte is the lowest one.
    check(into, &format!("{BYTES}, 1_u16"), &format!("{}; _1 = [10, 20, 30, 40]", 20 + (30 << 8)));
    // A part of a number is none.
    check_unsupported(&into.replace("const 2", "const 1"), &format!("{BYTES}, 1_u16"));
    let out = into.replace("(copy _3, copy _5,", "(copy _5, copy _3,");
    check(&out, &format!("{BYTES}, 258_u16"), "258; _1 = [10, 2, 1, 40]");
}

#[test]
fn a_number_among_bytes_is_read_and_written_where_nothing_is_said_of_its_place() {
    let read = "fn f(_1: &mut [u8; 4]) -> u32 { let _2: *mut u8; let _3: *mut u32;
        bb0: { _2 = &raw mut (*_1)[0]; _3 = copy _2 as *mut u32 (PtrToPtr);
               _0 = std::intrinsics::ptr_read_unaligned::<u32>(copy _3) -> bb1; }
        bb1: { return; } }";
    let number = 10 + (20 << 8) + (30 << 16) + (40 << 24);
    check(read, BYTES, &format!("{number}; _1 = [10, 20, 30, 40]"));
    check_unsupported(&read.replace("[0]", "[1]"), BYTES);
    check_unsupported(&read.replace("ptr_read_unaligned", "ptr_read"), BYTES);
    let write = "fn f(_1: &mut [u8; 4]) -> () { let _2: *mut u8; let _3: *mut u16;
        bb0: { _2 = &raw mut (*_1)[1]; _3 = copy _2 as *mut u16 (PtrToPtr);
               _0 = std::intrinsics::ptr_write_unaligned::<u16>(copy _3, const 513_u16) -> bb1; }
        bb1: { return; } }";
    check(write, BYTES, "(); _1 = [10, 1, 2, 40]");
    check_unsupported(&write.replace("[1]", "[3]"), BYTES);
}
