//! Sizes and alignments, where the language or every compiler so far fixes them; and questions that models ask.

use super::*;

const ITEMS: &str =
    "enum std::option::Option<T> { None, Some(T) } struct k::S { x: u8 } struct k::Tail<T> { x: u8, tail: T }
    impl std::ops::Drop for k::S { fn drop(_1: &mut k::S) -> () { bb0: { return; } } }";

fn size_and_align(ty: &str) -> String {
    format!(
        "fn f() -> (usize, usize) {{ let _1: usize; let _2: usize;
            bb0: {{ _1 = SizeOf({ty}); _2 = AlignOf({ty}); _0 = (copy _1, copy _2); return; }} }} {ITEMS}"
    )
}

#[track_caller]
fn check_layout<T>(ty: &str) {
    check(&size_and_align(ty), "", &format!("({}, {})", size_of::<T>(), align_of::<T>()));
}

#[test]
fn sizes_are_those_of_rust() {
    check_layout::<u8>("u8");
    check_layout::<bool>("bool");
    check_layout::<char>("char");
    check_layout::<u128>("u128");
    check_layout::<f64>("f64");
    check_layout::<usize>("usize");
    check_layout::<()>("()");
    check_layout::<(u16, u16)>("(u16, u16)");
    check_layout::<[u32; 3]>("[u32; 3]");
    check_layout::<&u8>("&u8");
    check_layout::<&[u8]>("&[u8]");
    check_layout::<*const str>("*const str");
    check_layout::<&dyn Send>("&dyn std::marker::Send");
    check_layout::<Option<&u8>>("std::option::Option<&u8>");
    check_layout::<Option<Box<u8>>>("std::option::Option<std::boxed::Box<u8>>");
    check_layout::<Vec<u8>>("std::vec::Vec<u8>");
    check_layout::<fn() -> u8>("fn() -> u8");
    check_layout::<std::mem::MaybeUninit<u64>>("std::mem::MaybeUninit<u64>");
    check_layout::<std::marker::PhantomData<u64>>("std::marker::PhantomData<u64>");
}

#[test]
fn structs_without_repr_are_their_fields_where_no_order_needs_padding() {
    #[expect(dead_code, reason = "only its size is asked for")]
    struct Even(u16, u16);
    let size = |ty: &str, declared: &[&str]| {
        let mut program = program("struct k::Even(u16, u16); struct k::Odd(u8, u16);");
        for path in declared {
            let id = program.adt_id(&crate::ir::Path::new(*path)).unwrap();
            program.declared.without_repr.insert(id);
        }
        super::super::layout::layout(&program, &crate::ir::Ty::adt(ty, Vec::new()))
            .map(|layout| (layout.size, layout.align))
    };
    let expected = (size_of::<Even>() as u64, align_of::<Even>() as u64);
    assert_eq!(size("k::Even", &["k::Even"]), Some(expected));
    assert_eq!(size("k::Even", &[]), None);
    assert_eq!(size("k::Odd", &["k::Odd"]), None);
}

#[test]
fn what_the_compiler_chooses_is_not_known() {
    for ty in ["(u8, u16)", "k::S", "std::option::Option<u8>", "&k::Tail<str>"] {
        check_unsupported(&size_and_align(ty), "");
    }
}

#[test]
fn zeroed_memory_is_zero() {
    let text = "fn f() -> (u8, [u16; 2], bool) { bb0: { _0 = std::mem::zeroed::<(u8, [u16; 2], bool)>() -> bb1; } bb1: { return; } }";
    check(text, "", "(0, [0, 0], false)");
    check_unsupported(
        "fn f() -> &u8 { bb0: { _0 = std::mem::zeroed::<&u8>() -> bb1; } bb1: { return; } }",
        "",
    );
}

#[track_caller]
fn check_needs_drop(ty: &str, expected: bool) {
    let text = format!(
        "fn f() -> bool {{ bb0: {{ _0 = std::mem::needs_drop::<{ty}>() -> bb1; }} bb1: {{ return; }} }} {ITEMS}"
    );
    check(&text, "", &expected.to_string());
}

#[test]
fn what_owns_something_needs_to_be_dropped() {
    check_needs_drop("u8", false);
    check_needs_drop("&k::S", false);
    check_needs_drop("k::S", true);
    check_needs_drop("(u8, k::S)", true);
    check_needs_drop("[k::S; 0]", false);
    check_needs_drop("k::Tail<u8>", false);
    check_needs_drop("k::Tail<k::S>", true);
    check_needs_drop("std::vec::Vec<u8>", true);
    check_needs_drop("std::mem::ManuallyDrop<k::S>", false);
    check_needs_drop("std::option::Option<u8>", false);
}
