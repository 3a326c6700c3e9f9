//! What keeps a function from being pure, each at one line of a program's text.

use super::*;
use crate::ir::parse;

fn judged(text: &str) -> Result<Pure, Impure> {
    let program = parse::program(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    pure_function(&program, program.functions_at(&Path::new("k::f"))[0])
}

/// A function that calls another, in a block of its own.
fn calling(callee: &str) -> String {
    format!(
        "fn k::f(_1: u8) -> u8 {{ let _2: u8; bb0: {{ _2 = {callee}(copy _1) -> bb1; }} bb1: {{ _0 = copy _2; return; }} }}"
    )
}

#[track_caller]
fn check_call(callee: &str, is_pure: bool) {
    assert_eq!(judged(&calling(callee)).is_ok(), is_pure, "{callee}");
}

#[test]
fn numbers_are_computed_of_numbers() {
    let text = "fn k::f(_1: u8) -> u8 { bb0: { _0 = Add(copy _1, copy _1); return; } }";
    assert!(judged(text).is_ok());
}

#[test]
fn what_the_library_computes_is_pure() {
    for callee in [
        "std::num::u8::wrapping_add",
        "u8::leading_zeros",
        "f64::sqrt",
        "std::vec::Vec::push",
        "std::option::Option::unwrap",
        "std::char::to_uppercase",
        "std::collections::BTreeMap::new",
        "std::panicking::panic",
        "core::panicking::panic",
        "std::mem::swap",
    ] {
        check_call(callee, true);
    }
}

#[test]
fn what_does_more_than_compute_is_not() {
    for callee in [
        "std::io::_print",
        "std::env::var",
        "std::time::Instant::now",
        "std::time::SystemTime::now",
        "std::thread::sleep",
        "std::thread::LocalKey::with",
        "std::cell::Cell::get",
        "std::sync::atomic::AtomicU8::load",
        "std::sync::Mutex::lock",
        "std::fs::read",
        "std::process::id",
        "std::panic::Location::caller",
        "std::panic::catch_unwind",
        "std::any::type_name",
        "std::hash::RandomState::new",
        "std::collections::HashMap::new",
        "std::collections::hash_map::HashMap::new",
        "std::ptr::read",
        "std::mem::transmute",
        "core::intrinsics::caller_location",
        "std::intrinsics::volatile_load",
        "alloc::alloc::alloc",
        "std::num::u8::unchecked_add",
        "std::vec::Vec::capacity",
        "std::vec::Vec::set_len",
        "std::vec::Vec::as_ptr",
        // Precision is not fixed.
        "f64::sin",
        "std::f64::powf",
        // Nobody has read it.
        "other::helper",
        "std::never::heard_of",
    ] {
        check_call(callee, false);
    }
}

#[test]
fn what_is_reached_counts() {
    let through = |leaf: &str| format!("{}\n{leaf}", calling("k::g"));
    let pure = "fn k::g(_1: u8) -> u8 { bb0: { _0 = copy _1; return; } }";
    assert!(judged(&through(pure)).is_ok());
    let prints = calling("std::io::_print").replace("k::f", "k::g");
    assert_eq!(judged(&through(&prints)), Err(Impure::Unjudged(Path::new("std::io::_print"))));
    // Called in an arm that may never be taken.
    let text = format!(
        "fn k::f(_1: u8) -> u8 {{ bb0: {{ switchInt(copy _1) -> [7: bb1, otherwise: bb2]; }}
         bb1: {{ _0 = k::g(copy _1) -> bb2; }} bb2: {{ _0 = const 1_u8; return; }} }} {prints}"
    );
    assert!(judged(&text).is_err());
}

#[test]
fn statics_that_can_change_are_state() {
    let with = |item: &str| {
        format!(
            "fn k::f(_1: u8) -> u8 {{ let _2: &u8; bb0: {{ _2 = const &static k::S; _0 = copy (*_2); return; }} }} {item}"
        )
    };
    let body = "{ bb0: { _0 = const 1_u8; return; } }";
    assert!(judged(&with(&format!("static k::S() -> u8 {body}"))).is_ok());
    assert_eq!(
        judged(&with(&format!("static mut k::S() -> u8 {body}"))),
        Err(Impure::State(Path::new("k::S")))
    );
    let cell = "static k::S() -> std::cell::UnsafeCell<u8> { bb0: { return; } } struct std::cell::UnsafeCell<T> { value: T }";
    assert_eq!(judged(&with(cell)), Err(Impure::State(Path::new("k::S"))));
    // Declared elsewhere.
    assert!(judged(&with("")).is_err());
}

#[test]
fn memory_that_is_looked_at_is_not_defined_by_values() {
    let with = |local: &str| {
        format!("fn k::f(_1: u8) -> u8 {{ let _2: {local}; bb0: {{ _0 = copy _1; return; }} }}")
    };
    assert!(judged(&with("(u8, &u8)")).is_ok());
    assert_eq!(judged(&with("*const u8")), Err(Impure::Memory(Path::new("k::f"))));
    assert!(judged(&with("std::cell::Cell<u8>")).is_err());
    assert!(judged(&with("std::collections::HashMap<u8, u8>")).is_err());
    assert!(judged(&with("other::Type")).is_err());
}

#[test]
fn what_is_given_has_to_be_compared_whole() {
    let giving = |ty: &str| {
        format!("fn k::f(_1: u8) -> {ty} {{ bb0: {{ return; }} }} struct k::P {{ x: u8, y: f32 }}")
    };
    assert!(judged(&giving("(k::P, &u8, bool)")).is_ok());
    assert_eq!(judged(&giving("&mut u8")), Err(Impure::NotCompared(Aspect::Written)));
    assert_eq!(judged(&giving("std::rc::Rc<u8>")), Err(Impure::NotCompared(Aspect::Sharing)));
    assert_eq!(judged(&giving("other::Type")), Err(Impure::NotCompared(Aspect::Unknown)));
    assert_eq!(judged(&giving("fn() -> u8")), Err(Impure::NotCompared(Aspect::Code)));
    let behind = |ty: &str| format!("fn k::f(_1: &mut {ty}) -> u8 {{ bb0: {{ return; }} }}");
    assert!(judged(&behind("u8")).is_ok());
    assert_eq!(judged(&behind("std::rc::Rc<u8>")), Err(Impure::NotCompared(Aspect::Sharing)));
    assert_eq!(judged("fn k::f<T>(_1: u8) -> u8 { bb0: { _0 = copy _1; return; } }"), Err(Impure::Generic));
}
