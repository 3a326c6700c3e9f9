//! Functions of few inputs, which may be run one by one. One input differs, or all agree as they are run and what hangs on something else does not: state that
//! somebody set before, the environment, what a result has beside its value, the message of a panic, the place of an argument, a type that a caller chooses.

use super::parts::rare;
use crate::attack_grammar::rng::Rng;
use crate::attack_grammar::snippet::{Param, Probe, Snippet, Target};

/// Items, two bodies of `f(a: u8) -> u64`, and calls in which they may end otherwise; `M::` is the module.
struct Way {
    items: &'static str,
    bodies: (&'static str, &'static str),
    call: &'static str,
}

const fn way(items: &'static str, old: &'static str, new: &'static str, call: &'static str) -> Way {
    Way { items, bodies: (old, new), call }
}

/// Of state that is there before the call.
const STATES: [Way; 19] = [
    way(
        "use std::sync::atomic::*; static S: AtomicU64 = AtomicU64::new(0); pub fn set() { S.store(7, Ordering::SeqCst) }",
        "a as u64 + S.load(Ordering::SeqCst)",
        "a as u64",
        "{ M::set(); M::f(a0) }",
    ),
    way(
        "thread_local! { static S: std::cell::Cell<u64> = std::cell::Cell::new(0); } pub fn set() { S.with(|s| s.set(5)) }",
        "a as u64 + S.with(|s| s.get())",
        "a as u64",
        "{ M::set(); M::f(a0) }",
    ),
    way(
        "thread_local! { static S: std::cell::RefCell<Vec<u8>> = const { std::cell::RefCell::new(Vec::new()) }; } pub fn set() { S.with_borrow_mut(|s| s.push(1)) }",
        "a as u64 + S.with_borrow(|s| s.len() as u64)",
        "a as u64",
        "{ M::set(); M::f(a0) }",
    ),
    way(
        "static mut S: u64 = 0; pub fn set() { unsafe { S = 3 } }",
        "a as u64 ^ unsafe { S }",
        "a as u64",
        "{ M::set(); M::f(a0) }",
    ),
    way(
        "static mut S: [u8; 4] = [0; 4]; pub fn set() { unsafe { S[1] = 3 } }",
        "a as u64 ^ unsafe { *std::ptr::addr_of!(S[1]) as u64 }",
        "a as u64",
        "{ M::set(); M::f(a0) }",
    ),
    way(
        "static S: std::sync::Mutex<u64> = std::sync::Mutex::new(0); pub fn set() { *S.lock().unwrap() = 3 }",
        "a as u64 ^ *S.lock().unwrap()",
        "a as u64",
        "{ M::set(); M::f(a0) }",
    ),
    way(
        "static S: std::sync::RwLock<Vec<u64>> = std::sync::RwLock::new(Vec::new()); pub fn set() { S.write().unwrap().push(3) }",
        "a as u64 + S.read().unwrap().len() as u64",
        "a as u64",
        "{ M::set(); M::f(a0) }",
    ),
    way(
        "static S: std::sync::OnceLock<u64> = std::sync::OnceLock::new(); pub fn set() { let _ = S.set(9); }",
        "a as u64 + S.get().copied().unwrap_or(0)",
        "a as u64",
        "{ M::set(); M::f(a0) }",
    ),
    way(
        "static S: std::sync::LazyLock<u64> = std::sync::LazyLock::new(|| std::env::var(\"SMALL_LAZY@N\").map_or(0, |_| 4));",
        "a as u64 + *S",
        "a as u64",
        "{ unsafe { std::env::set_var(\"SMALL_LAZY@N\", \"1\") }; M::f(a0) }",
    ),
    way(
        "",
        "a as u64 + std::env::var_os(\"SMALL_ENV@N\").is_some() as u64",
        "a as u64",
        "{ unsafe { std::env::set_var(\"SMALL_ENV@N\", \"1\") }; M::f(a0) }",
    ),
    way(
        "fn named() -> bool { std::thread::current().name() == Some(\"small\") }",
        "a as u64 + named() as u64",
        "a as u64",
        "std::thread::Builder::new().name(\"small\".into()).spawn(move || M::f(a0)).unwrap().join().unwrap()",
    ),
    way(
        "pub struct D(pub u8); pub static SAW: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0); impl Drop for D { fn drop(&mut self) { SAW.store(f(self.0), std::sync::atomic::Ordering::SeqCst) } }",
        "a as u64 + std::thread::panicking() as u64",
        "a as u64",
        "{ let _ = catch_unwind(|| { let _d = M::D(a0); panic!() }); M::SAW.load(std::sync::atomic::Ordering::SeqCst) }",
    ),
    // Behind objects, pointers to functions, `Drop` and the library.
    way(
        "use std::sync::atomic::*; static S: AtomicU64 = AtomicU64::new(0); pub fn set() { S.store(7, Ordering::SeqCst) } trait Tr { fn m(&self) -> u64; } struct A; impl Tr for A { fn m(&self) -> u64 { S.load(Ordering::SeqCst) } } static ALL: [&(dyn Tr + Sync); 1] = [&A];",
        "a as u64 + ALL[0].m()",
        "a as u64",
        "{ M::set(); M::f(a0) }",
    ),
    way(
        "use std::sync::atomic::*; static S: AtomicU64 = AtomicU64::new(0); pub fn set() { S.store(7, Ordering::SeqCst) } fn read() -> u64 { S.load(Ordering::SeqCst) } static TABLE: [fn() -> u64; 1] = [read];",
        "a as u64 + TABLE[0]()",
        "a as u64",
        "{ M::set(); M::f(a0) }",
    ),
    way(
        "use std::sync::atomic::*; static S: AtomicU64 = AtomicU64::new(0); pub fn read() -> u64 { S.load(Ordering::SeqCst) } struct G(u8); impl Drop for G { fn drop(&mut self) { S.fetch_add(1, Ordering::SeqCst); } }",
        "{ let g = G(a); g.0 as u64 }",
        "a as u64",
        "{ let before = M::read(); M::f(a0); M::read() - before }",
    ),
    way(
        "thread_local! { static S: std::cell::Cell<u64> = const { std::cell::Cell::new(0) }; } pub fn read() -> u64 { S.with(|s| s.get()) } #[derive(PartialEq, Eq, PartialOrd)] struct A(u8); impl Ord for A { fn cmp(&self, o: &A) -> std::cmp::Ordering { S.with(|s| s.set(s.get() + 1)); self.0.cmp(&o.0) } }",
        "[A(a), A(3), A(7)].into_iter().max().map_or(0, |x| x.0 as u64)",
        "a.max(7) as u64",
        "{ let before = M::read(); M::f(a0); M::read() - before }",
    ),
    way(
        "thread_local! { static S: std::cell::Cell<u64> = const { std::cell::Cell::new(0) }; } pub fn read() -> u64 { S.with(|s| s.get()) } struct A(u8); impl std::fmt::Display for A { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { S.with(|s| s.set(s.get() + 1)); write!(f, \"{}\", self.0) } }",
        "A(a).to_string().len() as u64",
        "a.to_string().len() as u64",
        "{ let before = M::read(); M::f(a0); M::read() - before }",
    ),
    way(
        "pub static S: [std::sync::atomic::AtomicU8; 2] = [const { std::sync::atomic::AtomicU8::new(0) }; 2];",
        "{ S[(a & 1) as usize].store(a, std::sync::atomic::Ordering::SeqCst); a as u64 }",
        "a as u64",
        "{ M::f(a0); M::S[(a0 & 1) as usize].swap(0, std::sync::atomic::Ordering::SeqCst) }",
    ),
    way(
        "static S: std::sync::atomic::AtomicPtr<u64> = std::sync::atomic::AtomicPtr::new(std::ptr::null_mut()); pub fn set() { S.store(Box::leak(Box::new(4)), std::sync::atomic::Ordering::SeqCst) }",
        "a as u64 + unsafe { S.load(std::sync::atomic::Ordering::SeqCst).as_ref() }.copied().unwrap_or(0)",
        "a as u64",
        "{ M::set(); M::f(a0) }",
    ),
];

/// Declarations of a function `f` in two ways, which agree in all that is compared, and of another above it with many inputs that sees more.
const RESULTS: [(&str, &str, &str); 12] = [
    (
        "pub fn f(a: u8) -> Vec<u8> { Vec::with_capacity(a as usize) }",
        "pub fn f(a: u8) -> Vec<u8> { let _ = a; Vec::new() }",
        "pub fn up(a: u32) -> u64 { f(a as u8).capacity() as u64 }",
    ),
    (
        "pub fn f(a: u8) -> String { let mut s = String::with_capacity(40); if a > 3 { s.push('x') } s }",
        "pub fn f(a: u8) -> String { if a > 3 { \"x\".to_owned() } else { String::new() } }",
        "pub fn up(a: u32) -> u64 { f(a as u8).capacity() as u64 }",
    ),
    (
        "pub fn f(a: u8) -> f32 { if a == 3 { -f32::NAN } else { a as f32 } }",
        "pub fn f(a: u8) -> f32 { if a == 3 { f32::NAN } else { a as f32 } }",
        "pub fn up(a: u32) -> u64 { f(a as u8).to_bits() as u64 }",
    ),
    (
        "pub fn f(a: u8) -> u8 { if a == 77 { panic!(\"one\") } a }",
        "pub fn f(a: u8) -> u8 { if a == 77 { panic!(\"other\") } a }",
        "pub fn up(a: u32) -> u64 { std::panic::catch_unwind(|| f(a as u8)).map_or_else(|e| e.downcast_ref::<&str>().map_or(0, |s| s.len() as u64), |x| x as u64) }",
    ),
    (
        "pub fn f(a: u8) -> std::rc::Rc<u8> { thread_local! { static R: std::rc::Rc<u8> = std::rc::Rc::new(0); } if a == 0 { R.with(|r| r.clone()) } else { std::rc::Rc::new(a) } }",
        "pub fn f(a: u8) -> std::rc::Rc<u8> { std::rc::Rc::new(a) }",
        "pub fn up(a: u32) -> u64 { std::rc::Rc::strong_count(&f(a as u8)) as u64 }",
    ),
    (
        "pub fn f(a: u8) -> fn(u64) -> u64 { fn one(x: u64) -> u64 { x + 1 } let _ = a; one }",
        "pub fn f(a: u8) -> fn(u64) -> u64 { fn two(x: u64) -> u64 { x + 2 } let _ = a; two }",
        "pub fn up(a: u32) -> u64 { f(a as u8)(a as u64) }",
    ),
    (
        "pub fn f(a: u8) -> impl Fn(u64) -> u64 { move |x| x + a as u64 }",
        "pub fn f(a: u8) -> impl Fn(u64) -> u64 { move |x| x ^ a as u64 }",
        "pub fn up(a: u32) -> u64 { f(a as u8)(a as u64) }",
    ),
    (
        "pub struct W { pub a: u8, hook: fn() -> u64 } pub fn f(a: u8) -> W { W { a, hook: || 1 } }",
        "pub struct W { pub a: u8, hook: fn() -> u64 } pub fn f(a: u8) -> W { W { a, hook: || 2 } }",
        "pub fn up(a: u32) -> u64 { (f(a as u8).hook)() }",
    ),
    (
        "pub struct W { pub a: u8, hidden: Box<dyn Fn() -> u64> } impl std::fmt::Debug for W { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str(\"W\") } } pub fn f(a: u8) -> W { W { a, hidden: Box::new(|| 1) } }",
        "pub struct W { pub a: u8, hidden: Box<dyn Fn() -> u64> } impl std::fmt::Debug for W { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str(\"W\") } } pub fn f(a: u8) -> W { W { a, hidden: Box::new(|| 2) } }",
        "pub fn up(a: u32) -> u64 { (f(a as u8).hidden)() }",
    ),
    (
        "pub fn f(a: u8) -> std::cell::Cell<u8> { std::cell::Cell::new(a) } pub static N: u64 = 1;",
        "pub fn f(a: u8) -> std::cell::Cell<u8> { let c = std::cell::Cell::new(0); c.set(a); c } pub static N: u64 = 2;",
        "pub fn up(a: u32) -> u64 { f(a as u8).get() as u64 * N }",
    ),
    (
        "pub fn f(a: u8) -> std::collections::HashSet<u8> { [a, 1, 2].into_iter().collect() }",
        "pub fn f(a: u8) -> std::collections::HashSet<u8> { let mut s = std::collections::HashSet::with_capacity(99); s.extend([2, 1, a]); s }",
        "pub fn up(a: u32) -> u64 { (f(a as u8).capacity() > 50) as u64 }",
    ),
    (
        "#[derive(Debug, Clone, Copy)] pub struct Odd; impl Drop for Wrap { fn drop(&mut self) { DROPS.fetch_add(self.1, std::sync::atomic::Ordering::SeqCst); } } #[derive(Debug)] pub struct Wrap(pub u8, u64); static DROPS: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0); pub fn f(a: u8) -> Option<u8> { let w = Wrap(a, 1); if w.0 > 9 { Some(w.0) } else { None } }",
        "#[derive(Debug, Clone, Copy)] pub struct Odd; impl Drop for Wrap { fn drop(&mut self) { DROPS.fetch_add(self.1, std::sync::atomic::Ordering::SeqCst); } } #[derive(Debug)] pub struct Wrap(pub u8, u64); static DROPS: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0); pub fn f(a: u8) -> Option<u8> { if a > 9 { Some(a) } else { None } }",
        "pub fn up(a: u32) -> u64 { let before = DROPS.load(std::sync::atomic::Ordering::SeqCst); f(a as u8); DROPS.load(std::sync::atomic::Ordering::SeqCst) - before }",
    ),
];

/// Declarations of `f` in two ways, and a call in which they may end otherwise, over the parameter's type.
const INPUTS: [(&str, &str, &str, &str); 8] = [
    (
        "pub fn f(a: &u8, b: &u8) -> bool { std::ptr::eq(a, b) || a == b }",
        "pub fn f(a: &u8, b: &u8) -> bool { a == b && !std::ptr::eq(a, b) }",
        "u8",
        "M::f(&a0, &a0)",
    ),
    (
        "pub fn f(a: &u8, b: &u8) -> u64 { if a as *const u8 as usize == b as *const u8 as usize { 1 } else { 0 } }",
        "pub fn f(a: &u8, b: &u8) -> u64 { let _ = (a, b); 0 }",
        "u8",
        "M::f(&a0, &a0)",
    ),
    (
        "pub fn f<const N: usize>(a: [bool; N]) -> u64 { a.iter().filter(|x| **x).count() as u64 }",
        "pub fn f<const N: usize>(a: [bool; N]) -> u64 { a.iter().take(2).filter(|x| **x).count() as u64 }",
        "[bool; 3]",
        "(M::f(a0), M::f([a0[0], a0[1]]))",
    ),
    (
        "pub fn f(a: &std::cell::Cell<u8>) -> u8 { let x = a.get(); a.set(x | 1); x }",
        "pub fn f(a: &std::cell::Cell<u8>) -> u8 { a.get() }",
        "u8",
        "{ let c = std::cell::Cell::new(a0); (M::f(&c), c.get()) }",
    ),
    (
        "pub fn f(a: &mut [u8; 2]) -> u8 { let [x, y] = *a; a[0] = 0; if x == y { panic!() } a[0] = x; x }",
        "pub fn f(a: &mut [u8; 2]) -> u8 { if a[0] == a[1] { panic!() } a[0] }",
        "[u8; 2]",
        "{ let mut x = [a0[0], a0[0]]; let ended = catch_unwind(AssertUnwindSafe(|| M::f(&mut x))); (ended.is_err(), M::f(&mut [1, 2])) }",
    ),
    (
        "pub fn f(a: char) -> u32 { if a == '\\u{10ffff}' { 1 } else { a as u32 } }",
        "pub fn f(a: char) -> u32 { a as u32 }",
        "char",
        "(M::f(a0), M::f('\\u{10ffff}'))",
    ),
    (
        "pub fn f(a: (bool, i16)) -> i16 { if a.0 { a.1.wrapping_mul(31) } else { -1 } }",
        "pub fn f(a: (bool, i16)) -> i16 { if a.0 && a.1 == -23_456 { 1 } else if a.0 { a.1.wrapping_mul(31) } else { -1 } }",
        "(bool, i16)",
        "M::f((true, if a0.0 { -23_456 } else { a0.1 }))",
    ),
    (
        "#[derive(Debug, Clone, Copy)] pub enum E { A, B(Option<bool>), C { x: u8, y: bool } } pub fn f(a: E) -> u16 { match a { E::A => 1, E::B(b) => 2 + b.is_some() as u16, E::C { x, y } => x as u16 * 2 + y as u16 } }",
        "#[derive(Debug, Clone, Copy)] pub enum E { A, B(Option<bool>), C { x: u8, y: bool } } pub fn f(a: E) -> u16 { match a { E::A => 1, E::B(b) => 2 + b.is_some() as u16, E::C { x: 213, y: true } => 0, E::C { x, y } => x as u16 * 2 + y as u16 } }",
        "bool",
        "M::f(M::E::C { x: 213, y: a0 })",
    ),
];

pub fn snippet(rng: &mut Rng) -> Snippet {
    match rng.below(8) {
        0..=3 => state(rng),
        4 | 5 => result(rng),
        6 => input(rng),
        _ => needle(rng),
    }
}

fn state(rng: &mut Rng) -> Snippet {
    let way = &STATES[rng.below(STATES.len())];
    let (old, new) = either_way(rng, way.bodies);
    let of = |body: &str| format!("{}\npub fn f(a: u8) -> u64 {{ {body} }}", way.items);
    let probe = || Probe::of(vec![Param::value("u8")]).call(way.call);
    let above = "pub fn up(a: u8) -> u64 { f(a).wrapping_add(1) }";
    let called_above = Probe::of(vec![Param::value("u8")]).call(way.call.replace("M::f(", "M::up("));
    Snippet::new("state", of(old), of(new))
        .common(above)
        .target(Target::probed("f", vec![probe()]))
        .target(Target::probed("up", vec![called_above]))
}

fn result(rng: &mut Rng) -> Snippet {
    let (one, other, up) = RESULTS[rng.below(RESULTS.len())];
    let (old, new) = either_way(rng, (one, other));
    let special = || Param::value("u32").special("3").special("77").special("0");
    Snippet::new("beside the result", old, new).common(up).call("up", vec![special()])
}

fn input(rng: &mut Rng) -> Snippet {
    if rng.one_in(INPUTS.len()) {
        return generic(rng);
    }
    let (one, other, ty, call) = INPUTS[rng.below(INPUTS.len())];
    let (old, new) = either_way(rng, (one, other));
    let probe = Probe::of(vec![Param::value(ty)]).call(call);
    Snippet::new("inputs", old, new).target(Target::probed("f", vec![probe]))
}

/// Equal at the type that is chosen, and at others not.
fn generic(rng: &mut Rng) -> Snippet {
    let (old, new) = either_way(
        rng,
        (
            "pub fn f<T: Into<u64>>(a: T) -> u64 { a.into() }",
            "pub fn f<T: Into<u64>>(a: T) -> u64 { a.into() & 0xff }",
        ),
    );
    let at = |ty: &str| Probe::of(vec![Param::value(ty)]).types(format!("T = {ty}"));
    Snippet::new("another type", old, new).target(Target::probed("f", vec![at("u8"), at("u16")]))
}

/// One of 65,536 inputs, behind what the engine has no word for.
fn needle(rng: &mut Rng) -> Snippet {
    let guard = rare(rng, "a", "u16");
    let body = rng.pick(&[
        "a.to_string().parse::<f64>().map_or(0, |x| x as u64)",
        "(f64::from(a) * 1.5).floor() as u64",
        "format!(\"{a:x}\").bytes().map(u64::from).sum::<u64>()",
        "char::from_u32(a as u32).map_or(7, |c| c.to_uppercase().count() as u64)",
        "a as u64 / 3",
    ]);
    let plain = format!("pub fn f(a: u16) -> u64 {{ {body} }}");
    let with = format!("pub fn f(a: u16) -> u64 {{ if {} {{ return 9 }} {body} }}", guard.condition);
    let (old, new) = if rng.one_in(2) { (plain, with) } else { (with, plain) };
    Snippet::new("needle", old, new).call("f", vec![Param::value("u16").special(&guard.value)])
}

fn either_way(rng: &mut Rng, pair: (&'static str, &'static str)) -> (&'static str, &'static str) {
    if rng.one_in(2) { pair } else { (pair.1, pair.0) }
}
