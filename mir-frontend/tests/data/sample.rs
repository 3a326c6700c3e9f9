use std::collections::HashMap;
pub mod a {
    pub struct W<T>(pub T);
    impl<T: Clone + PartialOrd> W<T> {
        pub fn apply<F: Fn(&T) -> bool>(&self, f: F, y: &T) -> bool { let g = |x: &T| f(x) && *x < *y; g(&self.0) }
    }
    impl<T: Clone> From<T> for W<T> { fn from(t: T) -> Self { let f = move || t.clone(); W(f()) } }
    pub trait Shape<K = u8> { type Out; const N: usize = 3; fn area(&self) -> Self::Out; fn dbl<Q: Into<u64>>(&self, q: Q) -> u64 { let c = |z: u64| z + 1; c(q.into()) + Self::N as u64 } }
    impl<T, const M: usize> Shape<u16> for [T; M] where T: Copy + Into<u32> { type Out = u32; const N: usize = M + 1; fn area(&self) -> u32 { let mut s = 0; for x in self { s += (*x).into(); } s } }
    pub fn uses<S: Shape<u16, Out = u32>>(s: &S) -> u32 { s.area() + s.dbl(7u8) as u32 + S::N as u32 }
    impl W<u8> { pub fn inc(&mut self) { self.0 += 1; } pub const Z: u8 = 9; }
    impl super::Priv { fn secret(self) -> u8 { match self { Self::A => 0, Self::B(x) => x, Self::C { y, .. } => y } } }
    pub enum Never {}
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
    pub struct P { pub x: i32, pub(crate) y: i32 }
    pub union U { pub a: u32, pub b: f32 }
}
enum Priv { A, B(u8), C { y: u8, z: i16 } }
pub use a::P as Point;
pub fn imp(f: impl FnOnce(u8) -> u8, n: impl Into<u32>) -> u32 { f(3) as u32 + n.into() }
pub fn imp2() -> u32 { imp(|q| q + 1, 3u8) }
pub fn fmt(p: &Point, n: u32) -> String { let w = 5; format!("{:?} {n:>w$.2} {{}}\n\u{e9}//;->", p) }
pub fn map(m: &mut HashMap<String, Vec<u8>>, k: &str) -> Option<u8> { m.entry(k.to_string()).or_default().push(4); m.get(k)?.first().copied() }
pub fn b(x: Box<[u8; 2]>, y: Box<dyn Fn(u8) -> u8>) -> u8 { let z = Box::new(3u8); x[1] + y(*z) + *x.first().unwrap() }
pub fn v() -> Vec<u32> { let mut v = vec![1, 2, 3]; v.extend([4u32; 4].iter().map(|x| x * 2)); v.sort_by(|a, b| b.cmp(a)); v }
pub fn ptrs(f: fn(u8) -> u8, p: *const u8, q: *mut u16) -> u8 { let g: fn(u8) -> u8 = |x| x; unsafe { f(*p) + g(*p.add(1)) + (*q.cast::<u8>()) } }
pub fn konst() -> (u32, i8, f64, char, u128, f32, usize) { (u32::MAX, i8::MIN, f64::EPSILON, char::MAX, u128::MAX, f32::NAN, usize::BITS as usize) }
pub fn consts2() -> (&'static str, &'static [u8], [u8; 2], Option<(u8, bool)>, Point, std::cmp::Ordering) { const P: Point = Point { x: 1, y: -2 }; const O: Option<(u8,bool)> = Some((3, true)); ("h\"i\n{}\u{1F600}", b"\x00ab\"", *b"xy", O, P, std::cmp::Ordering::Less) }
pub fn wrapk(x: u32) -> u32 { x.wrapping_add(1).rotate_left(3).pow(2).leading_zeros() + i32::from_str_radix("3", 10).unwrap() as u32 + x.checked_sub(1).unwrap_or(0) }
pub fn slices(a: &[u8], s: &mut [u16]) -> u8 { if let [f, rest @ .., l] = a { if let [x, y] = rest { return *x + *y } return *f + *l; } s.swap(0, 1); s[1..].reverse(); a.iter().sum::<u8>() + a.len() as u8 }
pub fn closure_caps(p: (i32, (i32, i32)), mut q: Point) -> i32 { let c = || p.0 + p.1.0 + p.1.1 + q.x; let r = c(); let mut d = || { q.x += 1; q.y += 1; }; d(); r + q.x }
pub fn inner(x: u8) -> u8 { struct In { a: u8 } impl In { fn g(&self) -> u8 { self.a } } fn h(x: u8) -> u8 { x + 1 } static S: u8 = 3; const CC: u8 = 4; h(In { a: x }.g()) + S + CC }
pub fn casts(x: i64, f: f32) -> (u8, f64, i32, char, u32, usize) { (x as u8, x as f64, f as i32, 65u8 as char, 'c' as u32, &x as *const i64 as usize) }
pub fn dynamic(d: &dyn std::fmt::Debug, e: &mut dyn Iterator<Item = u8>, x: &(dyn Fn(u8, &str) -> u8 + Send)) -> Option<u8> { let _ = d; let s: Box<dyn std::error::Error + Send + Sync> = "q".into(); drop(s); x(1, "a"); e.next() }
pub fn res(s: &str) -> Result<i32, Box<dyn std::error::Error>> { let x: i32 = s.parse()?; if x > 3 { return Err("big".into()); } Ok(x) }
pub async fn asy(x: u8) -> u8 { x }
pub fn it(v: Vec<u8>) -> impl Iterator<Item = u8> { v.into_iter().filter(|x| *x > 2).rev() }
pub fn lab(n: u32) -> u32 { let mut i = 0; 'o: loop { loop { if i > n { break 'o i; } i += 1; if i % 3 == 0 { continue 'o; } } } }
mod tests_like { pub(super) fn p<T>(t: T) -> T where T: ?Sized + Sized { t } pub struct Z; impl Z { pub fn new() -> Self { Z } } impl Default for Z { fn default() -> Z { Z } } }
pub fn neg(x: i8, y: u32) -> i8 { -x << y }
pub fn rng(a: u8) -> u32 { let mut t = 0; for i in (0..=a).rev().step_by(2) { t += i as u32 } tests_like::p(t); let _z = tests_like::Z::new(); t }
pub fn un(mut u: a::U) -> f32 { u.b = 1.5; unsafe { u.b } }
pub fn st(s: &mut String) { s.push('é'); s.push_str("x"); *s += "y"; for (i, c) in s.char_indices() { let _ = (i, c); } }
pub trait Named { fn nm(&self) -> &str; }
impl<T: ?Sized + AsRef<str>> Named for T { fn nm(&self) -> &str { self.as_ref() } }
macro_rules! imp { ($($t:ty),*) => { $(impl Tr for $t { const K: u8 = 1; fn tr(self) -> u64 { self as u64 + Self::K as u64 } })* } }
pub trait Tr: Copy { const K: u8; fn tr(self) -> u64; }
imp!(u8, u16, i32);
pub fn gat<'a, T, I>(i: I) -> usize where I: IntoIterator<Item = &'a T>, T: 'a + PartialEq { i.into_iter().skip_while(|x| **x == **x).map(|y| y).count() }
#[derive(Clone, Debug)] pub enum Tree<T> { Leaf, Node(Box<Tree<T>>, T, Box<Tree<T>>) }
impl<T: Ord> Tree<T> { pub fn insert(self, t: T) -> Tree<T> { match self { Tree::Leaf => Tree::Node(Box::new(Tree::Leaf), t, Box::new(Tree::Leaf)), Tree::Node(l, x, r) => if t < x { Tree::Node(Box::new(l.insert(t)), x, r) } else { Tree::Node(l, x, Box::new(r.insert(t))) } } } }
pub mod gens {
    pub struct Stack<T, const N: usize> { pub items: [T; N], len: usize }
    impl<T: Copy + Default, const N: usize> Stack<T, N> {
        pub const CAP: usize = N;
        pub fn new() -> Self { Stack { items: [T::default(); N], len: 0 } }
        pub fn push(&mut self, t: T) -> Result<(), T> { if self.len == Self::CAP { return Err(t); } self.items[self.len] = t; self.len += 1; Ok(()) }
    }
    impl Stack<u8, 4> { pub fn total(&self) -> u32 { let mut s = 0; for i in 0..self.len { s += self.items[i] as u32; } s } }
    pub trait Animal { type Food; const LEGS: u8; fn name(&self) -> u8; fn twice(&self) -> u8 { self.name() * 2 } fn make() -> Self where Self: Sized; }
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    #[repr(i8)] pub enum Dog { Small = -3, Big(u8) = 7, Odd { a: i64, b: (u8, bool) } = 9 }
    impl Animal for Dog { type Food = u8; const LEGS: u8 = 4; fn name(&self) -> u8 { match self { Dog::Small => 1, Dog::Big(x) => *x, Dog::Odd{a,..} => *a as u8 } } fn make() -> Self { Dog::Big(3) } }
    impl<'a, T: Animal> Animal for &'a T { type Food = T::Food; const LEGS: u8 = T::LEGS; fn name(&self) -> u8 { (**self).name() } fn make() -> Self { panic!("no {}", 1) } }
    pub fn use_it<A: Animal>(a: A) -> u8 { a.twice() + A::LEGS }
    pub fn go(d: Dog) -> u8 { use_it(d) + use_it(&d) }
    impl Drop for Guard<'_> { fn drop(&mut self) { *self.0 += 1; } }
    pub struct Guard<'a>(pub &'a mut u32);
    pub fn guarded(x: &mut u32, k: u32) -> u32 { let g = Guard(x); if k > 3 { return k; } let h = g; *h.0 }
}
static TABLE: [u8; 4] = [1, 2, 3, 4];
static mut COUNT: u32 = 0;
const K: &[u16] = &[1, 2];
pub fn tab(i: usize) -> u8 { TABLE[i] + K[i & 1] as u8 }
pub fn cnt() -> u32 { unsafe { COUNT += 1; COUNT } }
pub fn m(c: char, t: (u8, i8)) -> bool { match (c, t.1) { ('a'..='z', 0) => true, ('é', -5) => false, _ => t.0 > 3 } }
#[cfg(test)] mod tests { #[test] fn adds() { assert_eq!(super::neg(1, 0), -1); } }
