//! `std::hint`: what callers promise. Where they do not keep it the behaviour is undefined, which is refused. `black_box` and
//! `must_use` are the executor's own.

use crate::intrinsics::unmodelled;

pub unsafe fn unreachable_unchecked() -> ! {
    match unmodelled::<std::convert::Infallible>("undefined behaviour: `unreachable_unchecked` was reached") {}
}

pub unsafe fn assert_unchecked(cond: bool) {
    if !cond {
        unmodelled("undefined behaviour: what `assert_unchecked` asserts does not hold")
    }
}

pub fn spin_loop() {}
