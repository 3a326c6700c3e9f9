// ---------------------------------------------------------------------------------------------------------------
// Types of the standard library with private fields, which public calls build

use crate::__regress_std::mem::MaybeUninit;
use crate::__regress_std::time::{Duration, SystemTime, SystemTimeError, UNIX_EPOCH};

/// Each is made of numbers that go up to a last one; `exec::parts` has the same table for the engine. A random number that
/// is too large is brought within the limit.
macro_rules! __regress_made {
    ($($path:literal $ty:ident { $($name:literal $part:ident: $int:ident up to $last:expr),* } $make:expr, $parts:expr;)*) => {$(
        impl Build for $ty {
            fn build(source: &mut Source) -> Result<Self, Misfit> {
                let random = source.random().is_some();
                let nest = source.open_struct([$($name),*].len())?;
                $(
                    let mut $part: $int = source.build()?;
                    if $part > $last {
                        if !random {
                            return Err(Misfit(std::format!("{} is too large: {}", $name, $part)));
                        }
                        $part = $part % $int::saturating_add($last, 1);
                    }
                )*
                source.close(nest);
                let make: fn($($int),*) -> Option<$ty> = $make;
                make($($part),*).ok_or_else(|| Misfit(std::format!("{} cannot be made here", $path)))
            }
            fn shape(shape: &mut Shape) {
                shape.word($path);
            }
        }
        impl Show for $ty {
            fn show(&self, out: &mut String) {
                let parts: fn(&$ty) -> ($($int,)*) = $parts;
                let ($($part,)*) = parts(self);
                json_adt($path, "", "struct", &[$(($name, &$part)),*], out);
            }
        }
    )*};
}

__regress_made! {
    "std::time::Duration" Duration { "secs" secs: u64 up to std::u64::MAX, "nanos" nanos: u32 up to 999_999_999 }
        |secs, nanos| Some(Duration::new(secs, nanos)), |it| (it.as_secs(), it.subsec_nanos());
    "std::time::SystemTime" SystemTime { "secs" secs: i64 up to std::i64::MAX, "nanos" nanos: u32 up to 999_999_999 }
        system_time, since_epoch;
}

/// Seconds before the epoch are negative; nanoseconds always come on top.
fn system_time(secs: i64, nanos: u32) -> Option<SystemTime> {
    let whole = if secs < 0 {
        UNIX_EPOCH.checked_sub(Duration::new((secs as u64).wrapping_neg(), 0))
    } else {
        UNIX_EPOCH.checked_add(Duration::new(secs as u64, 0))
    };
    whole.and_then(|whole| whole.checked_add(Duration::new(0, nanos)))
}

fn since_epoch(time: &SystemTime) -> (i64, u32) {
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => (after.as_secs() as i64, after.subsec_nanos()),
        Err(error) => {
            let before = error.duration();
            let secs = before.as_secs().wrapping_neg() as i64;
            match before.subsec_nanos() {
                0 => (secs, 0),
                nanos => (secs.wrapping_sub(1), 1_000_000_000 - nanos),
            }
        }
    }
}

impl Show for SystemTimeError {
    fn show(&self, out: &mut String) {
        json_adt("std::time::SystemTimeError", "", "tuple", &[("0", &self.duration())], out);
    }
}

// Memory that need not be initialised. As an argument it holds a number that was put there, so the argument can be shown;
// of what a call hands back nobody knows whether there is anything to be looked at.

std::thread_local! {
    /// How many of the numbers that were put into arguments are still to be shown, while arguments are shown.
    static HELD: std::cell::Cell<usize> = std::cell::Cell::new(0);
    static ARGUMENTS: std::cell::Cell<bool> = std::cell::Cell::new(false);
    /// Whether what is behind a `&mut` is shown after a call that the parent knows to have written it.
    static LOOKING: std::cell::Cell<bool> = std::cell::Cell::new(false);
}

pub trait Number {}

/// Before arguments are made.
fn hold_nothing() {
    HELD.with(|held| held.set(0));
}

/// Shows an argument.
fn shown_argument<T: Show + ?Sized>(value: &T) -> String {
    ARGUMENTS.with(|arguments| arguments.set(true));
    let text = shown(value);
    ARGUMENTS.with(|arguments| arguments.set(false));
    text
}

impl<T: Build + Number> Build for MaybeUninit<T> {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let number = T::build(source)?;
        HELD.with(|held| held.set(held.get() + 1));
        Ok(MaybeUninit::new(number))
    }
    fn shape(shape: &mut Shape) {
        shape.word("MaybeUninit<");
        T::shape(shape);
        shape.word(">");
    }
}

impl<T> Show for MaybeUninit<T> {
    fn show(&self, out: &mut String) {
        let held = HELD.with(|held| held.get());
        if held > 0 && ARGUMENTS.with(|arguments| arguments.get()) && show_number(self, out) {
            HELD.with(|all| all.set(held - 1));
        } else if !LOOKING.with(|looking| looking.get()) || !show_number(self, out) {
            out.push_str("{\"opaque\":\"MaybeUninit\"}");
        }
    }
}

macro_rules! __regress_numbers {
    ($($ty:ident)*) => {
        $(impl Number for $ty {})*
        /// Shows the number that `place` holds, if its type is that of a number.
        fn show_number<T>(place: &MaybeUninit<T>, out: &mut String) -> bool {
            let name = std::any::type_name::<T>();
            $(if name == std::stringify!($ty) {
                unsafe { std::ptr::read_volatile(place.as_ptr() as *const $ty) }.show(out);
                return true;
            })*
            false
        }
    };
}

__regress_numbers! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }
