// ---------------------------------------------------------------------------------------------------------------
// Types of the standard library with private fields, which public calls build

use crate::__regress_std::ffi::{CStr, CString, OsStr, OsString};
use crate::__regress_std::io::Cursor;
use crate::__regress_std::mem::MaybeUninit;
use crate::__regress_std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use crate::__regress_std::path::{Path, PathBuf};
use crate::__regress_std::collections::hash_map::RandomState;
use crate::__regress_std::time::{Duration, Instant, SystemTime, SystemTimeError, UNIX_EPOCH};

/// Each is made of numbers that go up to a last one; `exec::parts` has the same table for the engine. A random number that
/// is too large is brought within the limit.
macro_rules! __regress_made {
    ($($ty:ident { $($name:literal $part:ident: $int:ident up to $last:expr),* } $make:expr, $parts:expr;)*) => {$(
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
                make($($part),*).ok_or_else(|| Misfit(std::format!("{} cannot be made here", paths::$ty)))
            }
            fn shape(shape: &mut Shape) {
                shape.word(paths::$ty);
            }
        }
        impl Show for $ty {
            fn show(&self, out: &mut String) {
                let parts: fn(&$ty) -> ($($int,)*) = $parts;
                let ($($part,)*) = parts(self);
                json_adt(paths::$ty, "", "struct", &[$(($name, &$part)),*], out);
            }
        }
    )*};
}

__regress_made! {
    Duration { "secs" secs: u64 up to std::u64::MAX, "nanos" nanos: u32 up to 999_999_999 }
        |secs, nanos| Some(Duration::new(secs, nanos)), |it| (it.as_secs(), it.subsec_nanos());
    SystemTime { "secs" secs: i64 up to std::i64::MAX, "nanos" nanos: u32 up to 999_999_999 }
        system_time, since_epoch;
    Instant { "secs" secs: i64 up to std::i64::MAX, "nanos" nanos: u32 up to 999_999_999 }
        instant, since_start;
}

/// Each is another one.
impl Build for RandomState {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let nest = source.open_struct(0)?;
        source.close(nest);
        Ok(RandomState::new())
    }
    fn shape(shape: &mut Shape) {
        shape.word(paths::RandomState);
    }
}

impl Show for RandomState {
    fn show(&self, out: &mut String) {
        json_adt(paths::RandomState, "", "struct", &[], out);
    }
}

/// The point in time that `Instant::now()` stands for in what is shown.
fn start() -> Instant {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    *START.get_or_init(Instant::now)
}

/// As a time since the start, of which that before the start is negative; nanoseconds always come on top.
fn instant(secs: i64, nanos: u32) -> Option<Instant> {
    let whole = if secs < 0 {
        start().checked_sub(Duration::new((secs as u64).wrapping_neg(), 0))
    } else {
        start().checked_add(Duration::new(secs as u64, 0))
    };
    whole.and_then(|whole| whole.checked_add(Duration::new(0, nanos)))
}

fn since_start(time: &Instant) -> (i64, u32) {
    match time.checked_duration_since(start()) {
        Some(after) => (after.as_secs() as i64, after.subsec_nanos()),
        None => before(start().duration_since(*time)),
    }
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
        Err(error) => before(error.duration()),
    }
}

fn before(time: Duration) -> (i64, u32) {
    let secs = time.as_secs().wrapping_neg() as i64;
    match time.subsec_nanos() {
        0 => (secs, 0),
        nanos => (secs.wrapping_sub(1), 1_000_000_000 - nanos),
    }
}

impl Show for SystemTimeError {
    fn show(&self, out: &mut String) {
        json_adt(paths::SystemTimeError, "", "tuple", &[("0", &self.duration())], out);
    }
}

impl<T: Build> Build for Cursor<T> {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let random = source.random().is_some();
        let nest = source.open_struct(2)?;
        let mut cursor = Cursor::new(source.build()?);
        let drawn: u64 = source.build()?;
        // Most begin at the start, and one far behind the end tells no more than one just behind it.
        cursor.set_position(match (random, drawn % 4) {
            (false, _) => drawn,
            (true, 1) => (drawn >> 2) & 7,
            (true, _) => 0,
        });
        source.close(nest);
        Ok(cursor)
    }
    fn shape(shape: &mut Shape) {
        shape.word("Cursor<");
        T::shape(shape);
        shape.word(">");
    }
}

impl<T: Show> Show for Cursor<T> {
    fn show(&self, out: &mut String) {
        json_adt(paths::Cursor, "", "struct", &[("inner", self.get_ref()), ("pos", &self.position())], out);
    }
}

/// Texts that the system understands: a struct of the text. One that is no UTF-8 is shown as `Debug` does.
macro_rules! __regress_system_texts {
    ($($owned:ident $borrowed:ident;)*) => {$(
        impl Build for $owned {
            fn build(source: &mut Source) -> Result<Self, Misfit> {
                files_are_safe()?;
                let nest = source.open_struct(1)?;
                let text = source.text()?;
                source.close(nest);
                Ok($owned::from(text))
            }
            fn shape(shape: &mut Shape) {
                shape.word(paths::$owned);
            }
        }
        impl Build for &'static $borrowed {
            fn build(source: &mut Source) -> Result<Self, Misfit> {
                source.open_ref()?;
                let owned: &'static $owned = Box::leak(Box::new($owned::build(source)?));
                Ok(owned)
            }
            fn shape(shape: &mut Shape) {
                shape.shares = true;
                shape.word("&");
                shape.word(paths::$borrowed);
            }
        }
        impl Show for $owned {
            fn show(&self, out: &mut String) {
                show_system_text(paths::$owned, self.as_ref(), out);
            }
        }
        impl Show for $borrowed {
            fn show(&self, out: &mut String) {
                show_system_text(paths::$borrowed, self.as_ref(), out);
            }
        }
    )*};
}

__regress_system_texts! {
    PathBuf Path;
    OsString OsStr;
}

/// A path may lead anywhere, and what a dependency does with it is not known.
fn files_are_safe() -> Result<(), Misfit> {
    match std::env::var_os("CARGO_REGRESS_FILES_ARE_SAFE") {
        Some(_) => Ok(()),
        None => Err(Misfit(String::from("nothing keeps a function from writing to the path"))),
    }
}

fn show_system_text(path: &str, text: &OsStr, out: &mut String) {
    match text.to_str() {
        Some(text) => json_adt(path, "", "tuple", &[("0", &String::from(text))], out),
        None => opaque(text, out),
    }
}

/// Addresses: a struct of their numbers.
macro_rules! __regress_addresses {
    ($($ty:ident $parts:ident $($name:literal $part:ident)*;)*) => {$(
        impl Build for $ty {
            fn build(source: &mut Source) -> Result<Self, Misfit> {
                let nest = source.open_struct([$($name),*].len())?;
                $(let $part = source.build()?;)*
                source.close(nest);
                Ok($ty::new($($part),*))
            }
            fn shape(shape: &mut Shape) {
                shape.word(paths::$ty);
            }
        }
        impl Show for $ty {
            fn show(&self, out: &mut String) {
                let [$($part),*] = self.$parts();
                json_adt(paths::$ty, "", "tuple", &[$(($name, &$part)),*], out);
            }
        }
    )*};
}

__regress_addresses! {
    Ipv4Addr octets "0" a "1" b "2" c "3" d;
    Ipv6Addr segments "0" a "1" b "2" c "3" d "4" e "5" f "6" g "7" h;
}

impl Build for IpAddr {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let (variant, nest) = source.open_variant(&[("V4", false), ("V6", false)])?;
        let address = match variant {
            "V4" => IpAddr::V4(source.build()?),
            _ => IpAddr::V6(source.build()?),
        };
        source.close(nest);
        Ok(address)
    }
    fn shape(shape: &mut Shape) {
        shape.word(paths::IpAddr);
    }
}

impl Show for IpAddr {
    fn show(&self, out: &mut String) {
        match *self {
            IpAddr::V4(ref address) => json_adt(paths::IpAddr, "V4", "tuple", &[("0", address)], out),
            IpAddr::V6(ref address) => json_adt(paths::IpAddr, "V6", "tuple", &[("0", address)], out),
        }
    }
}

/// The two numbers that addresses of the sixth version alone have are always there.
impl Build for SocketAddr {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let nest = source.open_struct(4)?;
        let mut address = SocketAddr::new(source.build()?, source.build()?);
        let (flow, scope): (u32, u32) = (source.build()?, source.build()?);
        match address {
            SocketAddr::V6(ref mut address) => {
                address.set_flowinfo(flow);
                address.set_scope_id(scope);
            }
            SocketAddr::V4(_) if source.random().is_some() || (flow, scope) == (0, 0) => {}
            SocketAddr::V4(_) => return Err(Misfit(String::from("an IPv4 address has neither flow nor scope"))),
        }
        source.close(nest);
        Ok(address)
    }
    fn shape(shape: &mut Shape) {
        shape.word(paths::SocketAddr);
    }
}

impl Show for SocketAddr {
    fn show(&self, out: &mut String) {
        let (flow, scope) = match *self {
            SocketAddr::V4(_) => (0, 0),
            SocketAddr::V6(ref address) => (address.flowinfo(), address.scope_id()),
        };
        let fields: [(&str, &dyn Show); 4] =
            [("ip", &self.ip()), ("port", &self.port()), ("flowinfo", &flow), ("scope_id", &scope)];
        json_adt(paths::SocketAddr, "", "struct", &fields, out);
    }
}

impl Build for CString {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        let random = source.random().is_some();
        let nest = source.open_struct(1)?;
        let mut bytes: Vec<u8> = source.build()?;
        if random {
            bytes.retain(|byte| *byte != 0);
        }
        source.close(nest);
        CString::new(bytes).map_err(|_| Misfit(String::from("a zero within a C string")))
    }
    fn shape(shape: &mut Shape) {
        shape.word(paths::CString);
    }
}

impl Build for &'static CStr {
    fn build(source: &mut Source) -> Result<Self, Misfit> {
        source.open_ref()?;
        Ok(Box::leak(source.build::<CString>()?.into_boxed_c_str()))
    }
    fn shape(shape: &mut Shape) {
        shape.shares = true;
        shape.word("&CStr");
    }
}

impl Show for CStr {
    fn show(&self, out: &mut String) {
        json_adt(paths::CStr, "", "struct", &[("bytes", &Items(self.to_bytes()))], out);
    }
}

impl Show for CString {
    fn show(&self, out: &mut String) {
        json_adt(paths::CString, "", "struct", &[("bytes", &Items(self.as_bytes()))], out);
    }
}

/// With nothing in the buffer; what is there after a call is shown.
macro_rules! __regress_buffered {
    ($($ty:ident $bound:ident;)*) => {$(
        impl<T: Build + std::io::$bound> Build for $ty<T> {
            fn build(source: &mut Source) -> Result<Self, Misfit> {
                let random = source.random().is_some();
                let nest = source.open_struct(2)?;
                let beneath: T = source.build()?;
                if !random && !source.build::<Vec<u8>>()?.is_empty() {
                    return Err(Misfit(String::from("a buffer cannot be filled")));
                }
                source.close(nest);
                Ok($ty::new(beneath))
            }
            fn shape(shape: &mut Shape) {
                shape.word(paths::$ty);
                shape.field::<T>("");
            }
        }

        impl<T: Show + std::io::$bound> Show for $ty<T> {
            fn show(&self, out: &mut String) {
                let fields: [(&str, &dyn Show); 2] = [("beneath", self.get_ref()), ("buffered", &Items(self.buffer()))];
                json_adt(paths::$ty, "", "struct", &fields, out);
            }
        }
    )*};
}

__regress_buffered! {
    BufReader Read;
    BufWriter Write;
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
        if held > 0 && ARGUMENTS.with(|arguments| arguments.get()) && show_number(self.as_ptr(), out) {
            HELD.with(|all| all.set(held - 1));
        } else if !LOOKING.with(|looking| looking.get()) || !show_number(self.as_ptr(), out) {
            out.push_str("{\"opaque\":\"MaybeUninit\"}");
        }
    }
}

/// What it holds may have been moved out of it. A number is there all the same.
impl<T> Show for ManuallyDrop<T> {
    fn show(&self, out: &mut String) {
        if !show_number::<T>(&**self, out) {
            out.push_str("{\"opaque\":\"ManuallyDrop\"}");
        }
    }
}

macro_rules! __regress_numbers {
    ($($ty:ident)*) => {
        $(impl Number for $ty {})*
        /// Shows the number that stands there, if the type is that of a number.
        fn show_number<T>(place: *const T, out: &mut String) -> bool {
            let name = std::any::type_name::<T>();
            $(if name == std::stringify!($ty) {
                unsafe { std::ptr::read_volatile(place as *const $ty) }.show(out);
                return true;
            })*
            false
        }
    };
}

__regress_numbers! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }
