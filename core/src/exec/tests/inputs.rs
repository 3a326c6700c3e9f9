//! Inputs and outputs: the variables that arguments are made of, and what of a call is looked at.

use super::*;

/// Gives its argument back.
fn identity(ty: &str, items: &str) -> String {
    format!("fn f(_1: {ty}) -> {ty} {{ bb0: {{ _0 = move _1; return; }} }} {items}")
}

#[test]
fn every_kind_of_input_comes_back_as_it_was() {
    let check_same = |ty: &str, input: &str, shown: &str| check(&identity(ty, ""), input, shown);
    check_same("bool", "true", "true");
    check_same("char", "'é'", "'é'");
    check_same(
        "i128",
        "-170141183460469231731687303715884105728_i128",
        "-170141183460469231731687303715884105728",
    );
    check_same("f64", "-0.0f64", "-0.0");
    check_same("(u8, (bool,))", "(1_u8, (true,))", "(1, (true,))");
    check_same("[u8; 0]", "[]", "[]");
    check_same("[u16; 2]", "[1_u16, 2_u16]", "[1, 2]");
    check_same("&[i8]", "&[-1_i8, 2_i8]", "&[-1, 2]");
    check_same("&str", "\"ab\"", "\"ab\"");
    check_same("std::string::String", "\"ab\"", "\"ab\"");
    check_same("std::vec::Vec<u8>", "[1_u8, 2_u8]", "[1, 2]");
    check_same("std::boxed::Box<u8>", "&1_u8", "&1");
}

#[test]
fn structs_and_variants_come_back_as_they_were() {
    let items = "struct k::S<T> { x: T, y: u8 } enum k::E { A, B(u8), C { x: bool } }";
    check(&identity("k::S<bool>", items), "k::S { true, 2_u8 }", "S { x: true, y: 2 }");
    check(&identity("k::E", items), "k::E::A()", "E::A");
    check(&identity("k::E", items), "k::E::B(3_u8)", "E::B(3)");
    check(&identity("k::E", items), "k::E::C(true)", "E::C { x: true }");
    // Which variant it is has to be known for the value to be shown.
    check_slice(&identity("k::E", items), "k::E::A()", &["arg0.tag == 0"]);
}

#[test]
fn the_length_of_a_slice_is_an_input_and_no_branch_by_itself() {
    let text = "fn f(_1: &[u8]) -> usize { bb0: { _0 = PtrMetadata(copy _1); return; } }";
    let lists = (0..5).map(|len| vec![Value::Ref(Box::new(Value::Seq(vec![int(IntTy::U8, 9); len])))]);
    let partitions = check_everywhere(text, lists, |input| Ok(vec![bits(input).len() as u128]));
    assert_eq!(partitions, 1);
}

#[test]
fn an_element_behind_a_bounds_check_is_that_of_every_input() {
    let text = "fn f(_1: &[u8], _2: usize) -> u8 { let _3: usize; let _4: bool;
        bb0: { _3 = PtrMetadata(copy _1); _4 = Lt(copy _2, copy _3); assert(copy _4, index copy _2 below copy _3) -> bb1; }
        bb1: { _0 = copy (*_1)[_2]; return; } }";
    let list = |len: u8| {
        Value::Ref(Box::new(Value::Seq((0..len).map(|n| int(IntTy::U8, (10 + n).into())).collect())))
    };
    // The longest list first: the variables of its elements are then known.
    let inputs =
        (0..=4).rev().flat_map(|len| (0..6).map(move |index| vec![list(len), int(IntTy::Usize, index)]));
    let partitions = check_everywhere(text, inputs, |input| {
        let (index, elements) =
            bits(input).split_last().map(|(last, rest)| (*last, rest.to_vec())).expect("two");
        elements.get(index as usize).map(|element| vec![*element]).ok_or(PanicKind::IndexOutOfBounds)
    });
    assert_eq!(partitions, 2);
}

#[test]
fn what_mutable_references_lead_to_is_an_output() {
    let text = "fn f(_1: &mut u8, _2: &mut u8, _3: &u8) -> () { bb0: { (*_1) = copy (*_3); return; } }";
    check(text, "&1_u8, &2_u8, &3_u8", "(); _1 = 3; _2 = 2");
}

#[test]
fn a_branch_that_decides_what_is_behind_a_reference_is_relevant() {
    let text = "fn f(_1: &mut u8, _2: u8) -> () {
        bb0: { switchInt(copy _2) -> [7: bb1, otherwise: bb2]; }
        bb1: { (*_1) = const 1_u8; goto -> bb2; }
        bb2: { return; } }";
    check_slice(text, "&0_u8, 8_u8", &["arg1 != 7"]);
}

#[test]
fn the_other_end_of_a_reference_in_the_result_is_looked_at() {
    let text = "fn f(_1: &[u8; 2], _2: bool) -> &u8 {
        bb0: { switchInt(copy _2) -> [0: bb1, otherwise: bb2]; }
        bb1: { _0 = &(*_1)[0]; goto -> bb3; }
        bb2: { _0 = &(*_1)[1]; goto -> bb3; }
        bb3: { return; } }";
    check(text, "&[5_u8, 6_u8], true", "&6");
    check_slice(text, "&[5_u8, 6_u8], true", &["arg1"]);
}

#[test]
fn texts_are_cut_where_their_bytes_say() {
    let text = "fn f(_1: &str) -> (usize, u8) { let _2: usize; let _3: &[u8]; let _4: u8; let _5: bool;
        bb0: { _2 = <str>::str::len(copy _1) -> bb1; }
        bb1: { _3 = <str>::str::as_bytes(copy _1) -> bb2; }
        bb2: { _5 = Lt(const 0, copy _2); assert(copy _5, index const 0 below copy _2) -> bb3; }
        bb3: { _4 = copy (*_3)[0]; _0 = (copy _2, copy _4); return; } }";
    check(text, "\"ab\"", "(2, 97)");
    check_panic(text, "\"\"", PanicKind::IndexOutOfBounds);
}

#[test]
fn a_type_that_holds_a_list_of_itself_ends_at_the_bound() {
    let items = "struct k::Node { x: u8, below: std::vec::Vec<k::Node> }";
    check(
        &identity("k::Node", items),
        "k::Node { 1_u8, [k::Node { 2_u8, [] }, k::Node { 3_u8, [] }] }",
        "Node { x: 1, below: [Node { x: 2, below: [] }, Node { x: 3, below: [] }] }",
    );
    let text = identity("k::Node", items);
    let program = program(&text);
    let image = Image::new(&program, PanicPolicy::Outcomes);
    let callee = Resolved { function: FnId::from_usize(0), subst: Subst::default() };
    let mut function = Function::new(&image, callee, options(PanicPolicy::Outcomes)).expect("it can be run");
    visit(&mut function, Model::new());
    // One for the length of each list, down to those that are empty.
    assert_eq!(function.inputs.space.constraints.len(), 1 + 8 + 8 * 8 + 8 * 8 * 8);
    let notes = format!("{:?}", function.inputs.space.ledger);
    assert!(notes.contains("InputDepth"), "{notes}");
}

/// The types between a value and those in it are no levels: else a tree of such nodes would have no node in another.
#[test]
fn a_type_that_holds_itself_through_others_has_two_levels_at_least() {
    let items = "enum k::Node { Leaf(u8), Fork(k::Fork) }
        struct k::Fork { at: u8, below: k::Below }
        struct k::Below { mask: u8, list: std::vec::Vec<k::Node> }";
    check(
        &identity("k::Node", items),
        "k::Node::Fork(k::Fork { 1_u8, k::Below { 2_u8, [k::Node::Leaf(3_u8), k::Node::Leaf(4_u8)] } })",
        "Node::Fork(Fork { at: 1, below: Below { mask: 2, list: [Node::Leaf(3), Node::Leaf(4)] } })",
    );
}

#[test]
fn the_levels_that_are_told_are_those_of_values_in_each_other() {
    let levels = |ty: &str, items: &str| {
        let program = program(&identity(ty, items));
        let image = Image::new(&program, PanicPolicy::Outcomes);
        let callee = Resolved { function: FnId::from_usize(0), subst: Subst::default() };
        let mut function =
            Function::new(&image, callee, options(PanicPolicy::Outcomes)).expect("it can be run");
        visit(&mut function, Model::new());
        format!("{:?}", function.inputs.space.ledger)
    };
    let direct = levels("k::Node", "struct k::Node { below: std::vec::Vec<k::Node> }");
    assert!(direct.contains("InputDepth { max_depth: 4 }"), "{direct}");
    let through = "struct k::Node { fork: k::Fork } struct k::Fork { below: k::Below }
        struct k::Below { list: std::vec::Vec<k::Node> }";
    let through = levels("k::Node", through);
    assert!(through.contains("InputDepth { max_depth: 2 }"), "{through}");
    // Trees in trees of another kind have levels of their own.
    let two_kinds =
        "struct k::Outer { at: (u8, k::Mid) } struct k::Mid { of: k::Rest } struct k::Rest { x: k::Last }
        struct k::Last { first: k::Tree } struct k::Tree { below: std::vec::Vec<k::Tree> }";
    let two_kinds = levels("k::Outer", two_kinds);
    assert!(two_kinds.contains("InputDepth { max_depth: 2 }"), "{two_kinds}");
}
