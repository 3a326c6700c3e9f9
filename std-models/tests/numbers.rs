//! Models of `Wrapping`, `Saturating`, `NonZero`, `Duration`, `SystemTime` and of integers with mixed signs against the real ones.

// The expressions are what the real operators and methods are called by; shorter ones would call others.
#![allow(clippy::all)]

mod common;

use std::num::{Saturating, Wrapping};
use std::time::{Duration as Real, SystemTime, UNIX_EPOCH};

use common::same;
use proptest::prelude::*;
use std_models::inherent::numbers::{SignedMixedMethods, UncheckedMethods, UnsignedMixedMethods};
use std_models::time::{self, Duration as Model};
use std_models::{clone, cmp, default, iter, num, ops};

macro_rules! operators {
    ($a:expr, $b:expr, $($trait:ident $method:ident $op:tt $assign:ident $assign_method:ident $assign_op:tt;)*) => {$(
        same(stringify!($trait), || ops::$trait::$method($a, $b), || $a $op $b);
        same(stringify!($trait), || ops::$trait::$method($a, &$b), || $a $op &$b);
        same(stringify!($assign), || { let mut x = $a; ops::$assign::$assign_method(&mut x, $b); x }, || { let mut x = $a; x $assign_op $b; x });
        same(stringify!($assign), || { let mut x = $a; ops::$assign::$assign_method(&mut x, $b.0); x }, || { let mut x = $a; x $assign_op $b.0; x });
    )*};
}

macro_rules! wrapping {
    ($a:expr, $b:expr, $n:expr) => {{
        let (a, b, n) = (Wrapping($a), Wrapping($b), $n);
        operators!(a, b,
            Add add + AddAssign add_assign +=; Sub sub - SubAssign sub_assign -=; Mul mul * MulAssign mul_assign *=;
            Div div / DivAssign div_assign /=; Rem rem % RemAssign rem_assign %=;
            BitAnd bitand & BitAndAssign bitand_assign &=; BitOr bitor | BitOrAssign bitor_assign |=;
            BitXor bitxor ^ BitXorAssign bitxor_assign ^=;);
        same("shl", || ops::Shl::shl(a, n), || a << n);
        same("shr", || ops::Shr::shr(a, n), || a >> n);
        same("shl", || { let mut x = a; ops::ShlAssign::shl_assign(&mut x, n); x }, || { let mut x = a; x <<= n; x });
        same("shr", || { let mut x = a; ops::ShrAssign::shr_assign(&mut x, n); x }, || { let mut x = a; x >>= n; x });
        same("neg", || ops::Neg::neg(a), || -a);
        same("not", || ops::Not::not(a), || !a);
        same("cmp", || (cmp::PartialEq::eq(&a, &b), cmp::Ord::cmp(&a, &b), cmp::PartialOrd::partial_cmp(&a, &b)), || (a == b, a.cmp(&b), a.partial_cmp(&b)));
        same("clone", || (clone::Clone::clone(&a), <Wrapping<u8> as default::Default>::default()), || (a.clone(), Wrapping::<u8>::default()));
        let (a, b) = (Saturating($a), Saturating($b));
        operators!(a, b, Add add + AddAssign add_assign +=; Sub sub - SubAssign sub_assign -=; Mul mul * MulAssign mul_assign *=;);
    }};
}

/// Small and extreme numbers come up often.
fn secs() -> impl Strategy<Value = u64> {
    prop_oneof![0u64..5, any::<u64>(), (0u64..5).prop_map(|n| u64::MAX - n)]
}

fn nanos() -> impl Strategy<Value = u32> {
    prop_oneof![0u32..5, 0u32..1_000_000_000, (1u32..5).prop_map(|n| 1_000_000_000 - n), any::<u32>()]
}

fn shown(d: Model) -> (u64, u32) {
    (d.as_secs(), d.subsec_nanos())
}

fn told(d: Real) -> (u64, u32) {
    (d.as_secs(), d.subsec_nanos())
}

proptest! {
    #[test]
    fn wrapping(a: i8, b: i8, c: u32, d: u32, n in 0usize..200) {
        wrapping!(a, b, n);
        wrapping!(c, d, n);
        wrapping!(i8::MIN, b, n);
        wrapping!(c, 0u32, n);
    }

    #[test]
    fn mixed_signs(a: i8, b: u8, c: i8, d: u8, e: i128, f: u128) {
        macro_rules! signed {
            ($a:expr, $b:expr, $c:expr) => {
                same("add", || SignedMixedMethods::overflowing_add_unsigned($a, $b), || $a.overflowing_add_unsigned($b));
                same("sub", || SignedMixedMethods::overflowing_sub_unsigned($a, $b), || $a.overflowing_sub_unsigned($b));
            };
        }
        signed!(a, b, c);
        signed!(e, f, e);
        same(("midpoint", a, c), || SignedMixedMethods::midpoint(a, c), || a.midpoint(c));
        let exact = i16::from(d) - i16::from(c);
        let fits = u8::try_from(exact).ok();
        same("sub", || UnsignedMixedMethods::checked_sub_signed(d, c), || fits);
        same("sub", || UnsignedMixedMethods::wrapping_sub_signed(d, c), || exact as u8);
        same("sub", || UnsignedMixedMethods::overflowing_sub_signed(d, c), || (exact as u8, fits.is_none()));
        same("sub", || UnsignedMixedMethods::saturating_sub_signed(d, c), || exact.clamp(0, 255) as u8);
        if let Some(sum) = a.checked_add(c) {
            prop_assert_eq!(unsafe { UncheckedMethods::unchecked_add(a, c) }, sum);
        }
        if let Some(difference) = b.checked_sub(d) {
            prop_assert_eq!(unsafe { UncheckedMethods::unchecked_sub(b, d) }, difference);
        }
        if let Some(product) = a.checked_mul(c) {
            prop_assert_eq!(unsafe { UncheckedMethods::unchecked_mul(a, c) }, product);
        }
    }

    #[test]
    fn non_zero(a in 1u8.., b: u8, c in 1i8.., e in 0u32..9) {
        let (m, r) = (num::NonZero::<u8>::new(a).unwrap(), std::num::NonZero::<u8>::new(a).unwrap());
        same("add", || m.checked_add(b).map(|n| n.get()), || r.checked_add(b).map(|n| n.get()));
        same("add", || m.saturating_add(b).get(), || r.saturating_add(b).get());
        same("pow", || m.checked_pow(e).map(|n| n.get()), || r.checked_pow(e).map(|n| n.get()));
        same("log", || (m.is_power_of_two(), m.ilog2(), m.ilog10()), || (r.is_power_of_two(), r.ilog2(), r.ilog10()));
        let (m, r) = (num::NonZero::<i8>::new(c).unwrap(), std::num::NonZero::<i8>::new(c).unwrap());
        same("mul", || m.saturating_mul(m).get(), || r.saturating_mul(r).get());
    }

    #[test]
    fn durations(s in secs(), n in nanos(), t in secs(), o in nanos(), by in prop_oneof![0u32..5, any::<u32>()]) {
        same("new", || shown(Model::new(s, n)), || told(Real::new(s, n)));
        same("from", || [Model::from_secs(s), Model::from_millis(s), Model::from_micros(s), Model::from_nanos(s)].map(shown),
            || [Real::from_secs(s), Real::from_millis(s), Real::from_micros(s), Real::from_nanos(s)].map(told));
        let (n, o) = (n % 1_000_000_000, o % 1_000_000_000);
        let (a, b) = (Model::new(s, n), Model::new(t, o));
        let (c, d) = (Real::new(s, n), Real::new(t, o));
        same("parts", || (a.is_zero(), a.subsec_millis(), a.subsec_micros(), a.as_millis(), a.as_micros(), a.as_nanos()),
            || (c.is_zero(), c.subsec_millis(), c.subsec_micros(), c.as_millis(), c.as_micros(), c.as_nanos()));
        same("checked", || (a.checked_add(b).map(shown), a.checked_sub(b).map(shown), a.checked_mul(by).map(shown), a.checked_div(by).map(shown)),
            || (c.checked_add(d).map(told), c.checked_sub(d).map(told), c.checked_mul(by).map(told), c.checked_div(by).map(told)));
        same("saturating", || [a.saturating_add(b), a.saturating_sub(b), a.saturating_mul(by), a.abs_diff(b)].map(shown),
            || [c.saturating_add(d), c.saturating_sub(d), c.saturating_mul(by), c.abs_diff(d)].map(told));
        same("add", || shown(ops::Add::add(a, b)), || told(c + d));
        same("sub", || shown(ops::Sub::sub(a, b)), || told(c - d));
        same("mul", || shown(ops::Mul::mul(a, by)), || told(c * by));
        same("mul", || shown(ops::Mul::mul(by, a)), || told(by * c));
        same("div", || shown(ops::Div::div(a, by)), || told(c / by));
        same("add", || { let mut x = a; ops::AddAssign::add_assign(&mut x, b); shown(x) }, || { let mut x = c; x += d; told(x) });
        same("sub", || { let mut x = a; ops::SubAssign::sub_assign(&mut x, b); shown(x) }, || { let mut x = c; x -= d; told(x) });
        same("mul", || { let mut x = a; ops::MulAssign::mul_assign(&mut x, by); shown(x) }, || { let mut x = c; x *= by; told(x) });
        same("div", || { let mut x = a; ops::DivAssign::div_assign(&mut x, by); shown(x) }, || { let mut x = c; x /= by; told(x) });
        same("cmp", || (a == b, a.cmp(&b)), || (c == d, c.cmp(&d)));
        same("sum", || shown(iter::Iterator::sum(iter::IntoIterator::into_iter([a, b]))), || told([c, d].into_iter().sum()));
        same("sum", || shown(iter::Sum::sum(std_models::inherent::SliceMethods::iter(&[a, b][..]))), || told([c, d].iter().sum()));
    }
}

proptest! {
    #[test]
    fn system_times(s in times(), n in 0u32..1_000_000_000, t in times(), o in 0u32..1_000_000_000, by in secs(), rest in nanos()) {
        let rest = rest % 1_000_000_000;
        let (a, b, d) = (model_time(s, n), model_time(t, o), Model::new(by, rest));
        let (c, e, f) = (real_time(s, n), real_time(t, o), Real::new(by, rest));
        same("parts", || parts(a), || (s, n));
        same("since", || a.duration_since(b).map(shown).map_err(|error| shown(error.duration())),
            || c.duration_since(e).map(told).map_err(|error| told(error.duration())));
        same("checked", || [a.checked_add(d), a.checked_sub(d)].map(|time| time.map(parts)),
            || [c.checked_add(f), c.checked_sub(f)].map(|time| time.map(real_parts)));
        same("add", || parts(ops::Add::add(a, d)), || real_parts(c + f));
        same("sub", || parts(ops::Sub::sub(a, d)), || real_parts(c - f));
        same("add", || { let mut x = a; ops::AddAssign::add_assign(&mut x, d); parts(x) }, || { let mut x = c; x += f; real_parts(x) });
        same("sub", || { let mut x = a; ops::SubAssign::sub_assign(&mut x, d); parts(x) }, || { let mut x = c; x -= f; real_parts(x) });
        same("cmp", || (a == b, a.cmp(&b)), || (c == e, c.cmp(&e)));
        same("debug", || debug(&a), || format!("{c:?}"));
        if let (Err(m), Err(r)) = (a.duration_since(b), c.duration_since(e)) {
            same("error", || (debug(&m), display(&m)), || (format!("{r:?}"), format!("{r}")));
        }
    }

    #[test]
    fn durations_are_shown(s in secs(), n in nanos(), zeros in 0u32..9) {
        let n = n % 1_000_000_000 / 10u32.pow(zeros) * 10u32.pow(zeros % 2);
        for (s, n) in [(s, n), (0, n), (0, n % 1_000_000), (0, n % 1_000), (s, 0)] {
            same("debug", || debug(&Model::new(s, n)), || format!("{:?}", Real::new(s, n)));
        }
    }

    #[test]
    fn durations_as_floats(s in secs(), n in nanos()) {
        let n = n % 1_000_000_000;
        let (m, r) = (Model::new(s, n), Real::new(s, n));
        same("floats", || (m.as_secs_f64(), m.as_secs_f32()), || (r.as_secs_f64(), r.as_secs_f32()));
    }
}

fn times() -> impl Strategy<Value = i64> {
    prop_oneof![-3i64..4, any::<i64>(), Just(i64::MIN), Just(i64::MAX), Just(i64::MIN + 1)]
}

/// Before the epoch, seconds are taken off and nanoseconds put on.
fn real_time(secs: i64, nanos: u32) -> SystemTime {
    let whole = if secs < 0 {
        UNIX_EPOCH - Real::new(secs.unsigned_abs(), 0)
    } else {
        UNIX_EPOCH + Real::new(secs.unsigned_abs(), 0)
    };
    whole + Real::new(0, nanos)
}

fn model_time(secs: i64, nanos: u32) -> time::SystemTime {
    let by = Model::new(secs.unsigned_abs(), 0);
    let whole = match secs < 0 {
        true => time::SystemTime::UNIX_EPOCH.checked_sub(by),
        false => time::UNIX_EPOCH.checked_add(by),
    };
    whole.unwrap().checked_add(Model::new(0, nanos)).unwrap()
}

fn real_parts(time: SystemTime) -> (i64, u32) {
    let (negative, by) = match time.duration_since(UNIX_EPOCH) {
        Ok(by) => (false, by),
        Err(error) => (true, error.duration()),
    };
    floor(negative, by.as_secs(), by.subsec_nanos())
}

fn parts(time: time::SystemTime) -> (i64, u32) {
    let (negative, by) = match time.duration_since(time::UNIX_EPOCH) {
        Ok(by) => (false, by),
        Err(error) => (true, error.duration()),
    };
    floor(negative, by.as_secs(), by.subsec_nanos())
}

/// Whole seconds rounded down, and the nanoseconds on top of them.
fn floor(negative: bool, secs: u64, nanos: u32) -> (i64, u32) {
    let total = i128::from(secs) * 1_000_000_000 + i128::from(nanos);
    let total = if negative { -total } else { total };
    (total.div_euclid(1_000_000_000) as i64, total.rem_euclid(1_000_000_000) as u32)
}

struct Text(String);

impl std_models::fmt::Write for Text {
    fn write_str(&mut self, s: &str) -> std_models::fmt::Result {
        self.0.push_str(s);
        Ok(())
    }
}

fn debug(value: &impl std_models::fmt::Debug) -> String {
    written(std_models::fmt::rt::Argument::new_debug(value))
}

fn display(value: &impl std_models::fmt::Display) -> String {
    written(std_models::fmt::rt::Argument::new_display(value))
}

fn written(argument: std_models::fmt::rt::Argument<'_>) -> String {
    let mut text = Text(String::new());
    let args = [argument];
    std_models::fmt::write(&mut text, std_models::fmt::Arguments::new::<2, 1>(&[0xc0, 0], &args)).unwrap();
    text.0
}

#[test]
fn constants() {
    assert_eq!((shown(Model::ZERO), shown(Model::MAX)), (told(Real::ZERO), told(Real::MAX)));
}
