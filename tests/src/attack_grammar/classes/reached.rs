//! What is reached without being named: functions whose bodies stay as they are come to a changed one through trait objects, closures and pointers that are stored or made elsewhere, through code of
//! the standard library, through `Drop`, or by what a type consists of.

use crate::attack_grammar::rng::Rng;
use crate::attack_grammar::snippet::{Param, Snippet};

/// Items with `@V` where versions differ, and the body of a function of `a: u8` that returns `u64`.
const WAYS: [(&str, &str); 37] = [
    // Objects from constructors, registries and fields.
    (
        "pub trait Tr { fn m(&self) -> u64; } struct A(u8); impl Tr for A { fn m(&self) -> u64 { self.0 as u64 + @V } } fn make(a: u8) -> Box<dyn Tr> { Box::new(A(a)) }",
        "make(a).m()",
    ),
    (
        "pub trait Tr { fn m(&self) -> u64; } struct A; impl Tr for A { fn m(&self) -> u64 { @V } } struct B; impl Tr for B { fn m(&self) -> u64 { 7 } } static ALL: [&(dyn Tr + Sync); 2] = [&A, &B];",
        "ALL[(a % 2) as usize].m()",
    ),
    (
        "thread_local! { static HELD: std::cell::RefCell<Vec<Box<dyn Fn(u64) -> u64>>> = std::cell::RefCell::new(vec![Box::new(|x| x * @V)]); }",
        "HELD.with(|held| held.borrow()[0](a as u64))",
    ),
    (
        "static ONCE: std::sync::OnceLock<Box<dyn Fn(u64) -> u64 + Send + Sync>> = std::sync::OnceLock::new(); fn start() -> Box<dyn Fn(u64) -> u64 + Send + Sync> { Box::new(|x| x + @V) }",
        "ONCE.get_or_init(start)(a as u64)",
    ),
    (
        "fn one(x: u64) -> u64 { x + @V } fn two(x: u64) -> u64 { x } static TABLE: [fn(u64) -> u64; 2] = [one, two];",
        "TABLE[(a & 1) as usize](a as u64)",
    ),
    (
        "struct S { f: fn(u64) -> u64 } impl S { const fn new() -> S { S { f: Self::go } } fn go(x: u64) -> u64 { x ^ @V } } const HELD: S = S::new();",
        "(HELD.f)(a as u64)",
    ),
    (
        "struct S<F>(F); impl<F: Fn(u64) -> u64> S<F> { fn run(&self, x: u64) -> u64 { (self.0)(x) } } fn make() -> S<impl Fn(u64) -> u64> { S(|x| x + @V) }",
        "make().run(a as u64)",
    ),
    (
        "pub trait Up: std::fmt::Display {} struct A(u8); impl std::fmt::Display for A { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { write!(f, \"{}\", self.0 as u64 + @V) } } impl Up for A {} fn make(a: u8) -> Box<dyn Up> { Box::new(A(a)) }",
        "make(a).to_string().parse().unwrap()",
    ),
    (
        "struct A(u64); fn make(a: u8) -> Box<dyn std::any::Any> { Box::new(A(a as u64 + @V)) }",
        "make(a).downcast_ref::<A>().map_or(0, |x| x.0)",
    ),
    (
        "fn make(a: u8) -> Box<dyn Iterator<Item = u64>> { Box::new((0..a as u64 % 5).map(|x| x + @V)) }",
        "make(a).sum()",
    ),
    // An implementation for any type beside one that is for a type of its own.
    (
        "pub trait Make<U> { fn make() -> u64; } impl<V> Make<V> for V { fn make() -> u64 { 1 } } struct A; struct B; impl Make<A> for B { fn make() -> u64 { @V } } fn pick<X: Make<Y>, Y>() -> u64 { X::make() }",
        "pick::<B, A>() + pick::<u8, u8>() + a as u64",
    ),
    (
        "pub trait Make<U> { fn make() -> u64; } impl<V> Make<(V, [V; 2])> for V { fn make() -> u64 { @V } } struct A; struct B; impl Make<(A, A)> for B { fn make() -> u64 { 1 } } fn pick<X: Make<(X, Y)>, Y>() -> u64 { X::make() }",
        "pick::<B, [B; 2]>() + <B as Make<(A, A)>>::make() + a as u64",
    ),
    (
        "pub trait Make<U> { fn make() -> u64; } impl<I: Iterator> Make<I::Item> for I { fn make() -> u64 { @V } } fn pick<X: Make<Y>, Y>(_: &X, _: Y) -> u64 { X::make() }",
        "pick(&[1u16].into_iter(), 2u16) + a as u64",
    ),
    // The library calls.
    (
        "struct W(u64); impl std::fmt::Write for W { fn write_str(&mut self, s: &str) -> std::fmt::Result { self.0 += s.len() as u64 * @V; Ok(()) } }",
        "{ use std::fmt::Write; let mut w = W(0); let _ = write!(w, \"{}-{:?}\", a, a); w.0 }",
    ),
    (
        "struct W(u64); impl std::fmt::Write for W { fn write_str(&mut self, s: &str) -> std::fmt::Result { self.0 += s.len() as u64 * @V; Ok(()) } }",
        "{ use std::fmt::Write; let mut w = W(0); let _ = w.write_char(a as char); w.0 }",
    ),
    (
        "struct W(u64); impl std::io::Write for W { fn write(&mut self, s: &[u8]) -> std::io::Result<usize> { self.0 += s.len() as u64 * @V; Ok(s.len()) } fn flush(&mut self) -> std::io::Result<()> { Ok(()) } }",
        "{ use std::io::Write; let mut w = W(0); let _ = w.write_all(&[a; 3]); w.0 }",
    ),
    (
        "struct W(u64); impl std::fmt::Write for W { fn write_str(&mut self, s: &str) -> std::fmt::Result { self.0 += s.len() as u64 * @V; Ok(()) } } struct D(u8); impl std::fmt::Display for D { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.pad(\"ab\") } }",
        "{ use std::fmt::Write; let mut w = W(0); let _ = write!(w, \"{:5}\", D(a)); w.0 }",
    ),
    (
        "#[derive(Clone, Copy)] struct A(u8); impl PartialEq for A { fn eq(&self, o: &A) -> bool { self.0 % @V == o.0 % @V } }",
        "(vec![Some(A(a)), None] == vec![Some(A(a / 2)), None]) as u64",
    ),
    (
        "#[derive(PartialEq, Eq, Clone, Copy)] struct A(u8); impl PartialOrd for A { fn partial_cmp(&self, o: &A) -> Option<std::cmp::Ordering> { Some(self.cmp(o)) } } impl Ord for A { fn cmp(&self, o: &A) -> std::cmp::Ordering { (self.0 % @V).cmp(&(o.0 % @V)) } }",
        "{ let mut v = [A(a), A(3), A(a / 2), A(9)]; v.sort(); v[0].0 as u64 * 256 + v[3].0 as u64 }",
    ),
    (
        "struct A(u8); impl std::iter::Sum<A> for u64 { fn sum<I: Iterator<Item = A>>(i: I) -> u64 { i.map(|x| x.0 as u64 * @V).fold(0, |x, y| x + y) } }",
        "[A(a), A(1)].into_iter().sum()",
    ),
    (
        "#[derive(Clone)] struct A(u8); struct I(u8); impl Iterator for I { type Item = u64; fn next(&mut self) -> Option<u64> { self.0 = self.0.checked_sub(40)?; Some(self.0 as u64 * @V) } } impl IntoIterator for A { type Item = u64; type IntoIter = I; fn into_iter(self) -> I { I(self.0) } }",
        "{ let mut v: Vec<u64> = vec![]; v.extend(A(a)); v.iter().sum() }",
    ),
    (
        "struct E; impl From<std::num::ParseIntError> for E { fn from(_: std::num::ParseIntError) -> E { E } } impl E { fn code(&self) -> u64 { @V } } fn go(s: &str) -> Result<u64, E> { let x: u64 = s.parse()?; Ok(x) }",
        "go(if a > 100 { \"x\" } else { \"5\" }).unwrap_or_else(|e| e.code())",
    ),
    (
        "struct X(u64); impl From<u8> for X { fn from(a: u8) -> X { X(a as u64 * @V) } }",
        "{ let x: X = a.into(); x.0 }",
    ),
    (
        "struct X(u64); impl TryFrom<u8> for X { type Error = (); fn try_from(a: u8) -> Result<X, ()> { if a as u64 > @V { Err(()) } else { Ok(X(a as u64)) } } }",
        "{ let x: Result<X, _> = a.try_into(); x.map_or(999, |x| x.0) }",
    ),
    (
        "struct H; #[derive(Default)] struct S(u64); impl std::hash::Hasher for S { fn finish(&self) -> u64 { self.0 } fn write(&mut self, b: &[u8]) { for x in b { self.0 = self.0 * @V + *x as u64; } } } impl std::hash::BuildHasher for H { type Hasher = S; fn build_hasher(&self) -> S { S(0) } }",
        "{ use std::hash::BuildHasher; H.hash_one((a, 3u16)) }",
    ),
    // Drop.
    (
        "thread_local! { static N: std::cell::Cell<u64> = const { std::cell::Cell::new(0) }; } struct A(u8); impl Drop for A { fn drop(&mut self) { N.with(|n| n.set(n.get() + self.0 as u64 + @V)) } } fn make(a: u8) -> Box<dyn Send> { Box::new(A(a)) }",
        "{ N.with(|n| n.set(0)); drop(make(a)); N.with(|n| n.get()) }",
    ),
    (
        "thread_local! { static N: std::cell::Cell<u64> = const { std::cell::Cell::new(0) }; } struct D; impl Drop for D { fn drop(&mut self) { N.with(|n| n.set(n.get() + 1)) } } struct A { x: u8, ds: [D; @V as usize] } impl A { fn new(x: u8) -> A { A { x, ds: std::array::from_fn(|_| D) } } }",
        "{ N.with(|n| n.set(0)); let _ = Some(A::new(a)); N.with(|n| n.get()) }",
    ),
    // What a type consists of.
    (
        "#[derive(Clone, Copy)] struct A([u8; @V as usize]); fn make(a: u8) -> A { A([a; @V as usize]) } fn size<T>(_: &T) -> u64 { std::mem::size_of::<T>() as u64 }",
        "size(&make(a))",
    ),
    (
        "#[derive(Clone, Copy)] struct A([u8; @V as usize]); struct O { inner: A } fn make(a: u8) -> O { O { inner: A([a; @V as usize]) } }",
        "std::mem::size_of_val(&make(a)) as u64",
    ),
    (
        "#[allow(dead_code)] struct A([u8; @V as usize]); fn none<T>() -> Vec<T> { Vec::with_capacity(1) }",
        "{ let v = none::<(A, u8)>(); std::mem::size_of_val(unsafe { v.get_unchecked(..0) }) as u64 + std::mem::size_of::<A>() as u64 * a as u64 }",
    ),
    (
        "#[allow(dead_code)] struct A([u8; @V as usize]); trait Sized2 { fn size(&self) -> u64; } impl<T> Sized2 for Vec<T> { fn size(&self) -> u64 { std::mem::size_of::<T>() as u64 } } fn make() -> Box<dyn Sized2> { Box::new(Vec::<A>::new()) }",
        "make().size() + a as u64",
    ),
    (
        "#[allow(dead_code)] #[derive(Clone, Copy)] enum E { X = 1, Y = @V } fn make(a: u8) -> E { if a > 9 { E::X } else { E::Y } }",
        "make(a) as u64",
    ),
    (
        "#[allow(dead_code)] #[repr(u64)] #[derive(Clone, Copy)] enum E { X = 1, Y = @V } fn make(a: u8) -> E { if a > 9 { E::X } else { E::Y } } fn raw<T: Copy>(x: T) -> u64 { unsafe { std::mem::transmute_copy::<T, u64>(&x) } }",
        "raw(make(a))",
    ),
    // An implementation that one version has in the place of another.
    (
        "struct A; trait Tr { const V: u64 = 4; fn m(&self) -> u64 { Self::V } } impl Tr for A { const V: u64 = @V; } fn call<T: Tr>(x: &T) -> u64 { x.m() }",
        "call(&A) + a as u64",
    ),
    (
        "#[derive(Clone, Copy)] struct A(u8); impl std::ops::Add for A { type Output = u64; fn add(self, o: A) -> u64 { self.0 as u64 * @V + o.0 as u64 } } fn add<T: std::ops::Add<Output = u64> + Copy>(x: T) -> u64 { x + x }",
        "add(A(a))",
    ),
    (
        "struct A(u8); struct W<T>(T); trait Tr { fn m(&self) -> u64; } impl Tr for A { fn m(&self) -> u64 { self.0 as u64 + @V } } impl<T: Tr> Tr for W<T> { fn m(&self) -> u64 { self.0.m() } } impl<T: Tr> W<T> { fn go(&self) -> u64 { <W<T> as Tr>::m(self) } }",
        "W(W(A(a))).go()",
    ),
    (
        "struct A(u8); impl std::ops::Deref for A { type Target = [u8]; fn deref(&self) -> &[u8] { if self.0 as u64 > @V { &[1, 4] } else { &[3] } } } impl std::ops::Index<u64> for A { type Output = u8; fn index(&self, _: u64) -> &u8 { &self.0 } }",
        "A(a).iter().map(|x| *x as u64).sum::<u64>() + A(a)[0] as u64",
    ),
];

/// What else one version has, of no use to anybody: for types of other names, and for traits that nothing calls.
const BESIDE: [&str; 5] = [
    "",
    "pub struct Beside; impl std::fmt::Display for Beside { fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { Ok(()) } }",
    "pub struct Beside; impl Drop for Beside { fn drop(&mut self) {} }",
    "pub trait Idle {} impl<T> Idle for T {}",
    "pub struct Beside(pub u8); impl From<Beside> for [u8; 2] { fn from(x: Beside) -> [u8; 2] { [x.0; 2] } }",
];

pub fn snippet(rng: &mut Rng) -> Snippet {
    let (items, body) = rng.choose(&WAYS);
    // Sometimes nothing but what is beside changes.
    let (one, other) = (2 + rng.below(3), if rng.one_in(5) { None } else { Some(5 + rng.below(3)) });
    let beside = rng.pick(&BESIDE);
    let text = |value: u64| items.replace("@V", &value.to_string());
    let (old, new) = (text(one as u64), text(other.unwrap_or(one) as u64));
    let snippet = Snippet::new("reached without a name", old, format!("{new}\n{beside}"));
    snippet
        .common(&format!("pub fn target(a: u8) -> u64 {{ {body} }}"))
        .call("target", vec![Param::value("u8").special("0").special("1").special("6").special("200")])
}
