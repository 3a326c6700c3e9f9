use super::*;

#[test]
fn what_nobody_judged_looks() {
    let check = |path: &str, defined: Defined, expected: Sees| {
        assert_eq!(library_item(&Path::new(path), defined), expected, "{path}");
    };
    for path in ["std::vec::Vec::push", "std::fmt::Formatter::write_str", "std::io::_print", "str::len"] {
        check(path, Defined::Nowhere, Sees::Nothing);
    }
    for path in ["std::env::args", "std::thread::spawn", "std::os::fd::AsFd", "std::io::Write::write_all"] {
        check(path, Defined::Nowhere, Sees::Memory);
    }
    check("std::io::Write::write_all", Defined::Modelled, Sees::Nothing);
    for path in [
        "std::vec::Vec::capacity",
        "std::fmt::rt::Argument::new_pointer",
        "<T as std::fmt::Pointer>::fmt",
        "[T]::align_to",
        "std::rc::Rc::ptr_eq",
        "std::ptr::NonNull::from",
        "std::pin::Pin::new",
        "str::as_ptr",
    ] {
        check(path, Defined::Modelled, Sees::Memory);
        check(path, Defined::Nowhere, Sees::Memory);
    }
}
