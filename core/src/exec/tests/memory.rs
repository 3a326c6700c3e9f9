//! Places: fields, elements, references, variants; what is read back is what was written.

use super::*;

#[test]
fn a_tuple_may_be_written_field_by_field() {
    let text = "fn f(_1: u8) -> (u8, bool, u16) {
        bb0: { (_0.2: u16) = const 3_u16; (_0.0: u8) = copy _1; (_0.1: bool) = const true; return; } }";
    check(text, "7_u8", "(7, true, 3)");
}

#[test]
fn a_write_through_a_reference_is_seen_behind_it() {
    let text = "fn f(_1: &mut (u8, u8)) -> u8 { let _2: &mut u8; let _3: &mut u8;
        bb0: {
            _2 = &mut ((*_1).1: u8); _3 = &mut (*_2);
            (*_3) = Add(copy (*_3), const 1_u8);
            _0 = copy ((*_1).0: u8);
            return; } }";
    check(text, "&(4_u8, 9_u8)", "4; _1 = (4, 10)");
}

#[test]
fn a_shared_reference_is_not_written_through() {
    let text = "fn f(_1: &u8) -> () { bb0: { (*_1) = const 1_u8; return; } }";
    check_unsupported(text, "&0_u8");
}

#[test]
fn what_was_never_written_is_not_read() {
    check_unsupported(
        "fn f(_1: u8) -> u8 { let _2: (u8, u8); bb0: { _2.0 = copy _1; _0 = copy _2.1; return; } }",
        "1_u8",
    );
    check_unsupported("fn f(_1: u8) -> u8 { bb0: { return; } }", "1_u8");
}

#[test]
fn structs_are_made_of_their_fields() {
    let text = "struct k::Point { x: u8, y: u16 }
        fn f(_1: k::Point) -> k::Point {
        bb0: { _0 = k::Point { copy (_1.0: u8), const 5_u16 }; return; } }";
    check(text, "k::Point { 1_u8, 2_u16 }", "Point { x: 1, y: 5 }");
}

const SHAPES: &str = "#[repr(i8)] enum k::Shape { Dot = -3, Line(u8) = 4, Box { w: u8, h: u8 } = 1 }";

#[test]
fn variants_have_the_discriminants_of_their_declaration() {
    let text = format!("fn f(_1: k::Shape) -> i8 {{ bb0: {{ _0 = discriminant(_1); return; }} }} {SHAPES}");
    check(&text, "k::Shape::Dot()", "-3");
    check(&text, "k::Shape::Line(1_u8)", "4");
    check(&text, "k::Shape::Box(1_u8, 2_u8)", "1");
    check_slice(&text, "k::Shape::Line(1_u8)", &[]);
}

#[test]
fn fields_are_those_of_the_variant() {
    let text = format!(
        "fn f(_1: k::Shape) -> u8 {{ let _2: i8;
            bb0: {{ _2 = discriminant(_1); switchInt(move _2) -> [253: bb1, 4: bb2, 1: bb3, otherwise: bb4]; }}
            bb1: {{ _0 = const 0_u8; goto -> bb5; }}
            bb2: {{ _0 = copy ((_1 as Line).0: u8); goto -> bb5; }}
            bb3: {{ _0 = Add(copy ((_1 as Box).0: u8), copy ((_1 as Box).1: u8)); goto -> bb5; }}
            bb4: {{ unreachable; }}
            bb5: {{ return; }} }} {SHAPES}"
    );
    check(&text, "k::Shape::Dot()", "0");
    check(&text, "k::Shape::Line(9_u8)", "9");
    check(&text, "k::Shape::Box(1_u8, 2_u8)", "3");
}

#[test]
fn setting_the_discriminant_changes_the_variant() {
    let text = format!(
        "fn f(_1: k::Shape) -> k::Shape {{
            bb0: {{ _0 = move _1; discriminant(_0) = 2; ((_0 as Box).0: u8) = const 1_u8; ((_0 as Box).1: u8) = const 2_u8; return; }} }} {SHAPES}"
    );
    check(&text, "k::Shape::Dot()", "Shape::Box { w: 1, h: 2 }");
}

#[test]
fn an_index_that_depends_on_the_input_is_no_branch() {
    let text = "fn f(_1: [u8; 4], _2: usize) -> u8 { let _3: usize;
        bb0: { _3 = BitAnd(copy _2, const 3); _0 = copy _1[_3]; return; } }";
    let array = [10, 20, 30, 40].map(|element| int(IntTy::U8, element)).to_vec();
    let inputs = (0..8).map(|index| vec![Value::Seq(array.clone()), int(IntTy::Usize, index)]);
    let partitions = check_everywhere(text, inputs, |input| Ok(vec![10 * (bits(input)[4] % 4 + 1)]));
    assert_eq!(partitions, 1);
}

#[test]
fn a_store_at_an_index_that_depends_on_the_input_is_no_branch() {
    let text = "fn f(_1: [u8; 4], _2: usize, _3: u8) -> [u8; 4] { let _4: usize;
        bb0: { _4 = BitAnd(copy _2, const 3); _1[_4] = copy _3; _0 = copy _1; return; } }";
    let array = [10, 20, 30, 40].map(|element| int(IntTy::U8, element)).to_vec();
    let inputs =
        (0..8).map(|index| vec![Value::Seq(array.clone()), int(IntTy::Usize, index), int(IntTy::U8, 7)]);
    let partitions = check_everywhere(text, inputs, |input| {
        let mut elements = vec![10, 20, 30, 40];
        elements[bits(input)[4] as usize % 4] = 7;
        Ok(elements)
    });
    assert_eq!(partitions, 1);
}

#[test]
fn an_element_of_an_element() {
    let text = "fn f(_1: [[u8; 2]; 2], _2: usize, _3: usize) -> u8 {
        bb0: { _2 = BitAnd(copy _2, const 1); _3 = BitAnd(copy _3, const 1); _0 = copy _1[_2][_3]; return; } }";
    let row = |a, b| Value::Seq(vec![int(IntTy::U8, a), int(IntTy::U8, b)]);
    let rows = Value::Seq(vec![row(1, 2), row(3, 4)]);
    let inputs = (0..4).map(|n| vec![rows.clone(), int(IntTy::Usize, n / 2), int(IntTy::Usize, n % 2)]);
    check_everywhere(text, inputs, |input| Ok(vec![1 + bits(input)[4] * 2 + bits(input)[5]]));
}

#[test]
fn constant_indices_count_from_either_end() {
    let text = "fn f(_1: &[u8]) -> (u8, u8, usize) { let _2: u8; let _3: u8; let _4: usize;
        bb0: { _2 = copy (*_1)[0]; _3 = copy (*_1)[-1]; _4 = Len((*_1)); _0 = (copy _2, copy _3, copy _4); return; } }";
    check(text, "&[5_u8, 6_u8, 7_u8]", "(5, 7, 3)");
}

#[test]
fn a_part_of_a_slice_begins_and_ends_where_it_is_said() {
    let text = "fn f(_1: &[u8]) -> (&[u8], &[u8]) { let _2: &[u8]; let _3: &[u8];
        bb0: { _2 = &(*_1)[1..3]; _3 = &(*_1)[1..-1]; _0 = (copy _2, copy _3); return; } }";
    check(text, "&[5_u8, 6_u8, 7_u8, 8_u8, 9_u8]", "(&[6, 7], &[6, 7, 8])");
}

#[test]
fn an_array_behind_a_reference_is_a_slice_of_its_length() {
    let text = "fn f(_1: &[u8; 3]) -> usize { let _2: &[u8];
        bb0: { _2 = copy _1 as &[u8] (Unsize); _0 = PtrMetadata(copy _2); return; } }";
    check(text, "&[5_u8, 6_u8, 7_u8]", "3");
}

#[test]
fn repeated_elements_are_separate() {
    let text = "fn f(_1: u8) -> [u8; 3] { bb0: { _0 = [copy _1; 3]; _0[1] = const 0_u8; return; } }";
    check(text, "4_u8", "[4, 0, 4]");
}

#[test]
fn elements_of_different_variants_are_told_apart_by_branches() {
    let text = "fn f(_1: usize) -> k::E { let _2: [k::E; 2];
        bb0: { _1 = BitAnd(copy _1, const 1); _2 = [const k::E::A(3_u8), const k::E::B()]; _0 = copy _2[_1]; return; } }
        enum k::E { A(u8), B }";
    check(text, "0_usize", "E::A(3)");
    check(text, "3_usize", "E::B");
    assert_eq!(run(text, "3_usize").conditions.len(), 1);
}

#[test]
fn what_a_reference_led_to_is_seen_when_another_stands_in_its_place() {
    let text = "struct k::Slot { to: &mut u8 }
     fn f(_1: &mut k::Slot, _2: &mut u8) -> () { let _3: &mut u8;
        bb0: {
            _3 = move ((*_1).0: &mut u8); (*_3) = const 1_u8;
            ((*_1).0: &mut u8) = move _2;
            return; } }";
    check(text, "&k::Slot { &7_u8 }, &9_u8", "(); _1 = (&Slot { to: &9 }, Slot { to: &1 }); _2 = 9");
}

/// Elements of other variants have nothing there.
#[test]
fn a_field_of_a_variant_is_read_and_written_in_the_element_that_an_input_names() {
    let read = format!(
        "fn f(_1: &[k::Shape], _2: usize) -> u8 {{ let _3: &k::Shape;
            bb0: {{ _3 = &(*_1)[_2]; _0 = copy (((*_3) as Line).0: u8); return; }} }} {SHAPES}"
    );
    check(&read, "&[k::Shape::Dot(), k::Shape::Line(9_u8), k::Shape::Box(1_u8, 2_u8)], 1_usize", "9");
    check_unsupported(&read, "&[k::Shape::Dot(), k::Shape::Line(9_u8)], 0_usize");
    let written = format!(
        "fn f(_1: &mut [k::Shape], _2: usize) -> () {{
            bb0: {{ (((*_1)[_2] as Line).0: u8) = const 4_u8; return; }} }} {SHAPES}"
    );
    check(
        &written,
        "&[k::Shape::Dot(), k::Shape::Line(9_u8)], 1_usize",
        "(); _1 = [Shape::Dot, Shape::Line(4)]",
    );
}
