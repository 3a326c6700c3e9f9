use std::fmt;
pub struct W<T>(pub T);
pub trait Tr { const A: u8; const B: usize = 7; type O; fn m(&self) -> u8 { static S: u8 = 5; const C: u8 = 6; fn helper<U>(u: U) -> u8 { let f = move || { let _ = &u; 3u8 }; f() } helper(1u16) + S + C } }
impl<T: Clone> Tr for W<T> { const A: u8 = 1; type O = Vec<T>; fn m(&self) -> u8 { static S: [u8; 2] = [5, 6]; const C: u8 = 6 + 1; struct L { q: u8 } impl L { fn g(&self) -> u8 { self.q } } impl Clone for L { fn clone(&self) -> L { L { q: self.q } } } fn helper<U: Clone>(u: U) -> U { let f = || u.clone(); f() } helper(L { q: S[0] }).clone().g() + S[1] + C } }
impl<T> W<T> { pub const LIMIT: usize = 10; pub fn go(&self) -> u8 { static COUNT: std::sync::atomic::AtomicU8 = std::sync::atomic::AtomicU8::new(0); fn inner(x: u8) -> u8 { (|y: u8| y + x)(1) } enum E { A, B(u8) } let e = if inner(1) > 0 { E::A } else { E::B(2) }; match e { E::A => COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed), E::B(x) => x } } }
macro_rules! only_consts { ($($t:ty = $v:expr),*) => { $(impl K for $t { const V: u8 = $v; })* } }
pub trait K { const V: u8; }
only_consts!(u8 = 1, u16 = 2, W<u8> = 3);
impl K for bool { const V: u8 = 4; }
impl K for char { const V: u8 = 4 + 1; }
pub fn ks() -> u8 { u8::V + u16::V + <W<u8>>::V + bool::V + W::<u8>::LIMIT as u8 }
mod far { use super::*; impl fmt::Display for W<bool> { fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, "{}", self.0) } } impl<'a> From<&'a str> for Box<dyn K2> { fn from(_: &'a str) -> Self { Box::new(W(1u8)) } } pub trait K2 { fn k(&self) -> u8 { 2 } } impl<T> K2 for W<T> {} }
pub struct Arr<T, const N: usize = 3>(pub [T; N]);
impl<T, const N: usize> Arr<T, N> { pub fn len(&self) -> usize { N } pub fn conv<const M: usize>(self) -> [u8; M] { [N as u8; M] } }
pub fn arr(a: Arr<u8>) -> [u8; 2] { let b: Arr<u8, 5> = Arr([0; 5]); let _ = b.len(); a.conv::<2>() }
pub struct Neg<const I: i8, const B: bool, const C: char>;
impl<const I: i8, const B: bool, const C: char> Neg<I, B, C> { pub fn v(&self) -> (i8, bool, char) { (I, B, C) } }
pub fn negs() -> (i8, bool, char) { Neg::<-3, true, 'x'>.v() }
pub fn make_adder(n: i32) -> impl Fn(i32) -> i32 { move |x| x + n }
pub fn use_adder() -> i32 { make_adder(3)(4) }
pub fn boxed() -> Box<dyn FnMut(u8) -> u8> { let mut c = 0; Box::new(move |x| { c += x; c }) }
impl<T: Clone> W<T> { pub fn mk(&self) -> impl Fn() -> T + '_ { || self.0.clone() } }
pub fn use_mk(w: &W<u8>) -> u8 { w.mk()() }
impl<T: Clone> Iterator for W<Option<T>> { type Item = T; fn next(&mut self) -> Option<T> { self.0.take() } }
impl<T: Clone> Tr for Option<T> { const A: u8 = 2; type O = T; fn m(&self) -> u8 { self.as_ref().map_or(0, |_| 1) } }
pub fn maps() -> Vec<String> { [1u8, 2].iter().map(ToString::to_string).map(Some).map(Option::unwrap).collect() }
pub fn tls() -> u8 { thread_local!(static T: std::cell::Cell<u8> = const { std::cell::Cell::new(1) }); T.with(|c| c.get()) }
pub fn inline_const() -> u8 { const { 1 + 2 } }
pub fn lazy() -> &'static [&'static str] { &["a", "b"] }
pub fn nested(v: Vec<Vec<u8>>) -> Vec<u8> { v.into_iter().flat_map(|x| x.into_iter().map(|y| y + 1)).collect() }
pub fn lets(x: Option<u8>) -> u8 { let Some(y) = x else { return 0 }; y }
pub fn strs(s: &str) -> bool { match s { "abc" => true, "d" | "e" => false, _ => s.len() > 3 } }
pub fn sl(x: &[u8]) -> u8 { match x { [] => 0, [a] => *a, [a, b] => a + b, [a, .., b] => a ^ b } }
pub unsafe extern "C" fn ext(x: *const u8) -> u8 { unsafe { *x } }
extern "C" { fn foreign(x: u8) -> u8; }
pub fn callf() -> u8 { unsafe { foreign(3) } }
pub fn gen_default<T: Default + Into<u64>>() -> u64 { T::default().into() }
pub fn range_in(x: u8) -> bool { (1..=5).contains(&x) || matches!(x, 7..=9) }
pub fn catch<F>(f: F) -> Result<u8, u8> where F: Fn(u8) -> Result<u8, u8> { let a = f(1)?; Ok(a + f(2).map_err(|e| e + 1)?) }
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)] #[repr(u16)] pub enum Lvl { #[default] Lo = 1, Hi = 0xFFFF }
pub fn lv(x: Lvl) -> u16 { x as u16 }
pub fn i128s(x: i128) -> u128 { (x as u128).wrapping_mul(u128::MAX) ^ (i128::MIN as u128) }
pub fn floats(x: f64) -> f64 { (x.sqrt() * f64::consts_pi()).max(1e300).min(-0.0) }
trait P { fn consts_pi() -> f64; } impl P for f64 { fn consts_pi() -> f64 { std::f64::consts::PI } }
