//! How models are compared with the real standard library: same value, or a panic of the same kind.

use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

#[derive(Debug, PartialEq)]
pub enum Outcome<T> {
    Returned(T),
    Panicked(Kind),
}

/// The kinds that the tool tells apart, read off the message.
#[derive(Debug, PartialEq)]
pub enum Kind {
    Overflow,
    DivisionByZero,
    IndexOutOfBounds,
    Unwrap,
    Explicit,
}

fn kind_of(message: &str) -> Kind {
    if message.starts_with("attempt to divide by zero")
        || message.starts_with("attempt to calculate the remainder with a divisor of zero")
    {
        Kind::DivisionByZero
    } else if message.starts_with("attempt to ") && message.ends_with("overflow") {
        Kind::Overflow
    } else if message.starts_with("index out of bounds")
        || message.contains("out of range for slice")
        || message.starts_with("slice index starts at")
    {
        Kind::IndexOutOfBounds
    } else if message.starts_with("called `Option::unwrap()`")
        || message.starts_with("called `Result::unwrap")
    {
        Kind::Unwrap
    } else {
        Kind::Explicit
    }
}

pub fn outcome<T>(run: impl FnOnce() -> T) -> Outcome<T> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let loud = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            // Only a failed comparison is news; the panics that are compared are not.
            if info.payload_as_str().is_some_and(|text| text.starts_with("assertion `left == right`")) {
                loud(info);
            }
        }));
    });
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(value) => Outcome::Returned(value),
        Err(payload) => {
            let message = payload
                .downcast_ref::<&str>()
                .map(|text| text.to_string())
                .or_else(|| payload.downcast_ref::<String>().cloned())
                .unwrap_or_default();
            assert!(!message.starts_with("a model "), "{message}");
            Outcome::Panicked(kind_of(&message))
        }
    }
}

/// The model and the real function end alike.
#[track_caller]
pub fn same<T: PartialEq + Debug>(what: impl Debug, model: impl FnOnce() -> T, real: impl FnOnce() -> T) {
    assert_eq!(outcome(model), outcome(real), "{what:?}");
}
