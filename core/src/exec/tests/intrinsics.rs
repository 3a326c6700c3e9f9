//! What the machine does itself instead of running a body, against the functions of Rust.

use super::*;

/// `f(_1, …) = callee(_1, …)`
fn calling(inputs: &[&str], output: &str, callee: &str) -> String {
    let params: Vec<String> =
        (1..).zip(inputs).map(|(index, ty): (u32, _)| format!("_{index}: {ty}")).collect();
    let args: Vec<String> = (1..).zip(inputs).map(|(index, _): (u32, _)| format!("copy _{index}")).collect();
    format!(
        "fn f({}) -> {output} {{ bb0: {{ _0 = {callee}({}) -> bb1; }} bb1: {{ return; }} }}",
        params.join(", "),
        args.join(", ")
    )
}

macro_rules! check_int_methods {
    ($ty:ident, $unsigned:ident, $int:expr) => {
        let name = stringify!($ty);
        let single = |method: &str, rust: &dyn Fn($ty) -> u32| {
            let text = calling(&[name], "u32", &format!("<{name}>::{name}::{method}"));
            let inputs = pairs($int).into_iter().map(|pair| vec![pair[0].clone()]);
            let partitions =
                check_everywhere(&text, inputs, |input| Ok(vec![rust(bits(input)[0] as $ty).into()]));
            assert_eq!(partitions, 1, "{method}");
        };
        single("leading_zeros", &|a| a.leading_zeros());
        single("trailing_zeros", &|a| a.trailing_zeros());
        single("count_ones", &|a| a.count_ones());
        let pair = |method: &str, rust: &dyn Fn($ty, $ty) -> ($ty, Option<bool>)| {
            let output =
                if method.starts_with("overflowing") { format!("({name}, bool)") } else { name.to_string() };
            let text = calling(&[name, name], &output, &format!("<{name}>::{name}::{method}"));
            check_everywhere(&text, pairs($int), |input| {
                let (value, overflowed) = rust(bits(input)[0] as $ty, bits(input)[1] as $ty);
                Ok(std::iter::once(value as $unsigned as u128).chain(overflowed.map(u128::from)).collect())
            });
        };
        pair("wrapping_add", &|a, b| (a.wrapping_add(b), None));
        pair("wrapping_sub", &|a, b| (a.wrapping_sub(b), None));
        pair("wrapping_mul", &|a, b| (a.wrapping_mul(b), None));
        let with_flag = |(value, overflowed)| (value, Some(overflowed));
        pair("overflowing_add", &|a, b| with_flag(a.overflowing_add(b)));
        pair("overflowing_sub", &|a, b| with_flag(a.overflowing_sub(b)));
        pair("overflowing_mul", &|a, b| with_flag(a.overflowing_mul(b)));
    };
}

#[test]
fn methods_of_integers() {
    check_int_methods!(u8, u8, IntTy::U8);
    check_int_methods!(i8, u8, IntTy::I8);
    check_int_methods!(i32, u32, IntTy::I32);
    check_int_methods!(u64, u64, IntTy::U64);
    check_int_methods!(i128, u128, IntTy::I128);
}

#[test]
fn shifts_that_wrap_take_their_amount_modulo_the_width() {
    let amounts = [0, 1, 7, 8, 9, 31, 32, 33, 255, -1];
    let inputs = || amounts.map(|by| vec![int(IntTy::I8, -77), int(IntTy::U32, by)]);
    let check = |method: &str, rust: fn(i8, u32) -> i8| {
        let text = calling(&["i8", "u32"], "i8", &format!("<i8>::i8::{method}"));
        check_everywhere(&text, inputs(), |input| {
            Ok(vec![u128::from(rust(bits(input)[0] as i8, bits(input)[1] as u32) as u8)])
        });
    };
    check("wrapping_shl", i8::wrapping_shl);
    check("wrapping_shr", i8::wrapping_shr);
}

#[test]
fn swap_and_replace() {
    let swap = calling(&["&mut u8", "&mut u8"], "()", "std::mem::swap::<u8>");
    check(&swap, "&1_u8, &2_u8", "(); _1 = 2; _2 = 1");
    let replace = calling(&["&mut u8", "u8"], "u8", "std::mem::replace::<u8>");
    check(&replace, "&1_u8, 2_u8", "1; _1 = 2");
}

#[test]
fn vectors_grow_and_shrink_at_their_end() {
    let list = "&mut std::vec::Vec<u8>";
    let push = calling(&[list, "u8"], "()", "<std::vec::Vec<u8>>::std::vec::Vec::push");
    check(&push, "&[1_u8, 2_u8], 3_u8", "(); _1 = [1, 2, 3]");
    let option = "enum std::option::Option<T> { None, Some(T) }";
    let pop = calling(&[list], "std::option::Option<u8>", "<std::vec::Vec<u8>>::std::vec::Vec::pop");
    check(&format!("{pop} {option}"), "&[1_u8, 2_u8]", "Some(2); _1 = [1]");
    check(&format!("{pop} {option}"), "&[]", "None; _1 = []");
    let len = calling(&["&std::vec::Vec<u8>"], "usize", "<std::vec::Vec<u8>>::std::vec::Vec::len");
    check(&len, "&[1_u8, 2_u8]", "2");
    let new = calling(&[], "std::vec::Vec<u8>", "<std::vec::Vec<u8>>::std::vec::Vec::new");
    check(&new, "", "[]");
}

#[test]
fn a_text_grows_by_a_text() {
    let push = calling(
        &["&mut std::string::String", "&str"],
        "()",
        "<std::string::String>::std::string::String::push_str",
    );
    check(&push, "&\"ab\", \"cd\"", "(); _1 = \"abcd\"");
}

#[test]
fn a_clone_of_what_is_copied_is_a_copy() {
    check(
        &calling(&["&(u8, bool)"], "(u8, bool)", "<(u8, bool) as std::clone::Clone>::clone"),
        "&(1_u8, true)",
        "(1, true)",
    );
}

/// `panic` with a message.
fn saying(callee: &str, message: &str) -> String {
    format!("fn f() -> () {{ let _1: !; bb0: {{ _1 = {callee}(const {message:?}) -> !; }} }}")
}

#[test]
fn a_panic_is_of_the_kind_that_the_library_says() {
    let said = |callee: &str, message: &str| match run(&saying(callee, message), "").ending {
        Ending::Panicked { kind, message, .. } => (kind, message),
        other => panic!("{}", shown(&other)),
    };
    assert_eq!(said("std::panicking::panic", "no"), (PanicKind::Explicit, Some("no".into())));
    let divided = said("std::panicking::panic", "attempt to divide by zero");
    assert_eq!(divided.0, PanicKind::DivisionByZero);
    assert_eq!(said("std::option::unwrap_failed", "").0, PanicKind::Unwrap);
    assert_eq!(said("std::panicking::panic_bounds_check", "").0, PanicKind::IndexOutOfBounds);
}

#[test]
fn what_a_model_leaves_out_is_a_restriction_of_it() {
    let text = saying("std::intrinsics::unmodelled", "some rare thing");
    let ending = run(&text, "").ending;
    let Ending::Stopped(crate::exec::Stop::RestrictedModel { on }) = &ending else {
        panic!("{}", shown(&ending))
    };
    assert_eq!(on, "some rare thing");
}

#[test]
fn a_part_of_a_slice_has_the_elements_between_its_ends() {
    let text = calling(&["&[u8]", "usize", "usize"], "&[u8]", "std::intrinsics::subslice::<u8>");
    check(&text, "&[1_u8, 2_u8, 3_u8], 1_usize, 3_usize", "&[2, 3]");
    check(&text, "&[1_u8, 2_u8, 3_u8], 2_usize, 2_usize", "&[]");
}

#[test]
fn a_mutable_slice_is_split_in_two() {
    let text = "fn f(_1: &mut [u8], _2: usize) -> () { let _3: (&mut [u8], &mut [u8]);
        bb0: { _3 = std::intrinsics::split_mut::<u8>(copy _1, copy _2) -> bb1; }
        bb1: { (*(_3.0: &mut [u8]))[0] = const 8_u8; (*(_3.1: &mut [u8]))[0] = const 9_u8; return; } }";
    check(text, "&[1_u8, 2_u8, 3_u8], 1_usize", "(); _1 = [8, 9, 3]");
    check(text, "&[1_u8, 2_u8, 3_u8], 2_usize", "(); _1 = [8, 2, 9]");
}
