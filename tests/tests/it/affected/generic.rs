//! Implementations that changed, and functions that come to run them, or others in their place, by way of generic code and objects.

use std::collections::*;
use std::fmt::{self, Debug, Display};
use std::marker::PhantomData;
use std::ops::*;
use std::rc::Rc;
fn odd(x: u8) -> bool {
    x == 7
}
pub trait Tr {
    type Out: Tr2;
    const C: u8;
    fn m(&self) -> u8;
    fn out(&self) -> Self::Out;
    fn make(x: u8) -> Self
    where
        Self: Sized;
    fn gen<T: Tr2>(&self, t: T) -> u8 {
        t.n().wrapping_add(self.m())
    }
}
pub trait Tr2 {
    fn n(&self) -> u8;
    fn dflt(&self) -> u8 {
        self.n()
    }
}
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct A(pub u8);
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct B(pub u8);
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Other(pub u8);
impl Tr2 for B {
    fn n(&self) -> u8 {
        if odd(self.0) {
            changed!();
        }
        self.0
    }
}
impl Tr2 for Other {
    fn n(&self) -> u8 {
        self.0
    }
}
impl Tr for A {
    type Out = B;
    const C: u8 = value!();
    fn m(&self) -> u8 {
        self.0
    }
    fn out(&self) -> B {
        B(self.0)
    }
    fn make(x: u8) -> A {
        A(x)
    }
}
impl Tr for Other {
    type Out = Other;
    const C: u8 = 1;
    fn m(&self) -> u8 {
        self.0
    }
    fn out(&self) -> Other {
        *self
    }
    fn make(x: u8) -> Other {
        Other(x)
    }
}
fn via_out<T: Tr>(t: &T) -> u8 {
    t.out().n()
}
pub fn runs_assoc_type(x: u8) -> u8 {
    via_out(&A(x))
}
pub fn spares_assoc_type(x: u8) -> u8 {
    via_out(&Other(x))
}
fn via_make<T: Tr>(x: u8) -> u8 {
    T::make(x).out().dflt()
}
pub fn runs_static_make(x: u8) -> u8 {
    via_make::<A>(x)
}
pub fn runs_const() -> u8 {
    fn g<T: Tr>() -> u8 {
        T::C
    }
    g::<A>()
}
pub fn runs_const_in_array() -> usize {
    struct W<T>(PhantomData<T>);
    impl<T: Tr> W<T> {
        const N: usize = T::C as usize;
        fn len(&self) -> usize {
            [0u8; 3].len() + Self::N
        }
    }
    W::<A>(PhantomData).len()
}
pub fn runs_generic_method(x: u8) -> u8 {
    Other(1).gen(B(x))
}
pub fn spares_generic_method(x: u8) -> u8 {
    Other(1).gen(Other(x))
}
pub struct Wrap<T>(pub T);
impl<T: Tr2> Tr2 for Wrap<T> {
    fn n(&self) -> u8 {
        self.0.n()
    }
}
impl<T: Tr2> Tr2 for Vec<T> {
    fn n(&self) -> u8 {
        self.iter().map(|t| t.n()).fold(0, u8::wrapping_add)
    }
}
impl<T: Tr2 + ?Sized> Tr2 for Box<T> {
    fn n(&self) -> u8 {
        (**self).n()
    }
}
impl<T: Tr2, U: Tr2> Tr2 for (T, U) {
    fn n(&self) -> u8 {
        self.0.n() ^ self.1.n()
    }
}
impl<T: Tr2> Tr2 for Option<T> {
    fn n(&self) -> u8 {
        self.as_ref().map_or(0, Tr2::n)
    }
}
impl<T: Tr2, const N: usize> Tr2 for [T; N] {
    fn n(&self) -> u8 {
        self.last().map_or(0, |t| t.n())
    }
}
impl<'a, T: Tr2 + ?Sized> Tr2 for &'a T {
    fn n(&self) -> u8 {
        (*self).n()
    }
}
pub fn runs_nested(x: u8) -> u8 {
    vec![Wrap(Some((Other(1), [B(x)])))].dflt()
}
pub fn runs_box_dyn(x: u8) -> u8 {
    let b: Box<dyn Tr2> = Box::new(Wrap(B(x)));
    b.dflt()
}
pub fn runs_ref_ref(x: u8) -> u8 {
    (&&B(x)).n()
}
pub fn runs_dyn_ref(x: u8) -> u8 {
    let v: [&dyn Tr2; 2] = [&Other(1), &B(x)];
    v.iter().map(|t| t.dflt()).sum::<u8>()
}
pub fn runs_rc_dyn(x: u8) -> u8 {
    let r: Rc<dyn Tr2> = Rc::new(B(x));
    r.n()
}
pub fn runs_map_dyn(x: u8) -> u8 {
    let mut m: BTreeMap<u8, Box<dyn Tr2>> = BTreeMap::new();
    m.insert(1, Box::new(B(x)));
    m[&1].n()
}
pub fn runs_impl_trait(x: u8) -> u8 {
    fn mk(x: u8) -> impl Tr2 {
        Wrap(B(x))
    }
    mk(x).dflt()
}
pub fn runs_closure_ret(x: u8) -> u8 {
    fn mk(b: B) -> impl Fn() -> u8 {
        move || b.n()
    }
    mk(B(x))()
}
pub fn runs_box_fn(x: u8) -> u8 {
    let f: Box<dyn Fn(u8) -> u8> = Box::new(|y| B(y).n());
    f(x)
}
pub fn runs_fn_ptr(x: u8) -> u8 {
    let f: fn(&B) -> u8 = <B as Tr2>::n;
    f(&B(x))
}
pub fn runs_fn_item(x: u8) -> u8 {
    Some(B(x)).as_ref().map(Tr2::dflt).unwrap()
}
pub struct Holder {
    f: fn(u8) -> u8,
}
fn leaf(x: u8) -> u8 {
    if odd(x) {
        changed!();
    }
    x
}
pub const H: Holder = Holder { f: leaf };
pub fn runs_const_fn(x: u8) -> u8 {
    (H.f)(x)
}
pub static TABLE: &[(&str, fn(u8) -> u8)] = &[("a", leaf)];
pub fn runs_static_table(x: u8) -> u8 {
    TABLE.iter().map(|(_, f)| f(x)).next().unwrap()
}
pub fn runs_apply(x: u8) -> u8 {
    fn ap<F: Fn(u8) -> R, R>(f: F, x: u8) -> R {
        f(x)
    }
    ap(leaf, x)
}
pub fn runs_apply_dyn(x: u8) -> u8 {
    fn ap(f: &dyn Fn(u8) -> u8, x: u8) -> u8 {
        f(x)
    }
    ap(&leaf, x)
}
pub fn runs_compose(x: u8) -> u8 {
    fn co<A, B, C>(f: impl Fn(A) -> B, g: impl Fn(B) -> C) -> impl Fn(A) -> C {
        move |a| g(f(a))
    }
    co(leaf, |x| x ^ 1)(x)
}
impl Deref for Wrap<B> {
    type Target = B;
    fn deref(&self) -> &B {
        &self.0
    }
}
pub fn runs_deref_method(x: u8) -> u8 {
    let w = Wrap(B(x));
    fn g(b: &B) -> u8 {
        b.dflt()
    }
    g(&w)
}
impl Add<B> for A {
    type Output = u8;
    fn add(self, b: B) -> u8 {
        b.n()
    }
}
impl<'a> Add<&'a B> for &'a A {
    type Output = u8;
    fn add(self, b: &B) -> u8 {
        b.n() ^ 1
    }
}
pub fn runs_op(x: u8) -> u8 {
    A(1) + B(x)
}
pub fn runs_op_ref(x: u8) -> u8 {
    fn g<'a, T>(t: &'a T, b: &'a B) -> u8
    where
        &'a T: Add<&'a B, Output = u8>,
    {
        t + b
    }
    g(&A(1), &B(x))
}
pub trait Visitor {
    type R;
    fn visit(&mut self, n: &Node) -> Self::R;
}
pub enum Node {
    Leaf(B),
    Two(Box<Node>, Box<Node>),
}
pub struct Sum;
impl Visitor for Sum {
    type R = u8;
    fn visit(&mut self, n: &Node) -> u8 {
        match n {
            Node::Leaf(b) => b.n(),
            Node::Two(a, b) => self.visit(a).wrapping_add(self.visit(b)),
        }
    }
}
impl Node {
    pub fn accept<V: Visitor>(&self, v: &mut V) -> V::R {
        v.visit(self)
    }
}
pub fn runs_visitor(x: u8) -> u8 {
    Node::Two(Box::new(Node::Leaf(B(1))), Box::new(Node::Leaf(B(x)))).accept(&mut Sum)
}
pub struct Bits<const N: usize>;
impl<const N: usize> Bits<N> {
    pub fn go(x: u8) -> u8 {
        if N == 3 {
            leaf(x)
        } else {
            x
        }
    }
}
pub fn runs_const_generic(x: u8) -> u8 {
    Bits::<3>::go(x)
}
pub trait State {
    fn next(self: Box<Self>, x: u8) -> Box<dyn State>;
    fn val(&self) -> u8;
}
pub struct S1;
pub struct S2(u8);
impl State for S1 {
    fn next(self: Box<Self>, x: u8) -> Box<dyn State> {
        Box::new(S2(x))
    }
    fn val(&self) -> u8 {
        0
    }
}
impl State for S2 {
    fn next(self: Box<Self>, _x: u8) -> Box<dyn State> {
        self
    }
    fn val(&self) -> u8 {
        B(self.0).n()
    }
}
pub fn runs_state(x: u8) -> u8 {
    let s: Box<dyn State> = Box::new(S1);
    s.next(x).next(x).val()
}
pub struct Tree<T> {
    v: T,
    kids: Vec<Tree<T>>,
}
impl<T: Tr2> Tree<T> {
    pub fn total(&self) -> u8 {
        self.kids.iter().map(Tree::total).fold(self.v.n(), u8::wrapping_add)
    }
}
pub fn runs_tree(x: u8) -> u8 {
    Tree { v: B(1), kids: vec![Tree { v: B(x), kids: vec![] }] }.total()
}
pub fn spares_tree(x: u8) -> u8 {
    Tree { v: Other(1), kids: vec![Tree { v: Other(x), kids: vec![] }] }.total()
}
impl Display for A {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if odd(self.0) {
            changed!();
        }
        write!(f, "a")
    }
}
pub fn runs_display_nested(x: u8) -> String {
    struct P<'a>(&'a dyn Display);
    impl Display for P<'_> {
        fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
            write!(f, "<{}>", self.0)
        }
    }
    P(&A(x)).to_string()
}
pub fn runs_debug_gen(x: u8) -> String {
    fn sh<T: Display>(t: T) -> String {
        let v: Vec<String> = vec![t].iter().map(T::to_string).collect();
        v.join(",")
    }
    sh(A(x))
}
pub trait Plugin {
    fn run(&self, x: u8) -> u8;
}
pub struct P1;
impl Plugin for P1 {
    fn run(&self, x: u8) -> u8 {
        leaf(x)
    }
}
pub fn registry() -> Vec<Box<dyn Plugin>> {
    vec![Box::new(P1)]
}
pub fn runs_registry(x: u8) -> u8 {
    registry().iter().map(|p| p.run(x)).sum()
}
pub trait Super {
    fn s(&self) -> u8;
}
pub trait Sub: Super {
    fn t(&self) -> u8 {
        self.s()
    }
}
impl Super for B {
    fn s(&self) -> u8 {
        self.n()
    }
}
impl Sub for B {}
pub fn runs_super(x: u8) -> u8 {
    let s: &dyn Sub = &B(x);
    s.t()
}
pub fn runs_upcast(x: u8) -> u8 {
    let s: &dyn Sub = &B(x);
    let u: &dyn Super = s;
    u.s()
}
pub trait IterExt: Iterator {
    fn ns(self) -> u8
    where
        Self: Sized,
        Self::Item: Tr2,
    {
        self.map(|t| t.n()).fold(0, u8::wrapping_add)
    }
}
impl<I: Iterator> IterExt for I {}
pub fn runs_iter_ext(x: u8) -> u8 {
    [B(x), B(1)].into_iter().ns()
}
pub struct Gen<F>(F);
impl<F: FnMut(u8) -> Option<B>> Iterator for Gen<F> {
    type Item = B;
    fn next(&mut self) -> Option<B> {
        (self.0)(1)
    }
}
pub fn runs_gen_iter(x: u8) -> u8 {
    let mut n = 2u8;
    Gen(move |d| {
        n = n.checked_sub(d)?;
        Some(B(x))
    })
    .map(|b| b.dflt())
    .max()
    .unwrap_or(0)
}
impl From<B> for u16 {
    fn from(b: B) -> u16 {
        b.n().into()
    }
}
pub fn runs_into_gen(x: u8) -> u16 {
    fn g<T: Into<u16>>(t: T) -> u16 {
        t.into()
    }
    g(B(x))
}
pub fn runs_question(x: u8) -> Result<u8, u16> {
    fn e(x: u8) -> Result<u8, B> {
        Err(B(x))
    }
    Ok(e(x)?)
}
pub trait Lend {
    type L<'a>: Tr2
    where
        Self: 'a;
    fn lend<'a>(&'a self) -> Self::L<'a>;
}
impl Lend for A {
    type L<'a> = Wrap<B>;
    fn lend<'a>(&'a self) -> Wrap<B> {
        Wrap(B(self.0))
    }
}
pub fn runs_gat(x: u8) -> u8 {
    fn g<T: Lend>(t: &T) -> u8 {
        t.lend().n()
    }
    g(&A(x))
}
pub struct Guard(u8);
thread_local!(static CELL: std::cell::Cell<u8> = const { std::cell::Cell::new(0) });
impl Drop for Guard {
    fn drop(&mut self) {
        CELL.set(leaf(self.0))
    }
}
pub fn runs_drop_generic(x: u8) -> u8 {
    fn eat<T>(t: T) -> usize {
        let v = vec![Some(t)];
        v.len()
    }
    eat(Wrap(Guard(x)));
    CELL.get()
}
pub fn runs_drop_closure(x: u8) -> u8 {
    let g = Guard(x);
    let f = move || g.0;
    drop(f);
    CELL.get()
}
pub fn runs_drop_dyn(x: u8) -> u8 {
    let b: Box<dyn Debug2> = Box::new(Guard(x));
    drop(b);
    CELL.get()
}
pub trait Debug2 {}
impl Debug2 for Guard {}
pub fn runs_once(x: u8) -> u8 {
    static O: std::sync::OnceLock<u8> = std::sync::OnceLock::new();
    *O.get_or_init(|| leaf(x))
}
pub fn runs_scan(x: u8) -> u8 {
    (0..3u8).scan(B(x), |b, _| Some(b.n())).last().unwrap()
}
pub fn runs_sort_cached(x: u8) -> u8 {
    let mut v = [B(x), B(1)];
    v.sort_by_cached_key(|b| b.n());
    v[0].0
}
pub fn runs_try_for(x: u8) -> Option<u8> {
    let mut n = 0;
    [B(x)].iter().try_for_each(|b| {
        n = b.n();
        Some(())
    })?;
    Some(n)
}
pub fn runs_entry_or(x: u8) -> u8 {
    *BTreeMap::new().entry(1).or_insert_with(|| leaf(x))
}
pub fn runs_lazy(x: u8) -> u8 {
    let l = std::cell::LazyCell::new(|| leaf(x));
    *l
}
pub fn runs_cow(x: u8) -> String {
    let c: std::borrow::Cow<str> = A(x).to_string().into();
    c.into_owned()
}
pub fn runs_array_from_fn(x: u8) -> u8 {
    std::array::from_fn::<u8, 2, _>(|i| leaf(x ^ i as u8))[0]
}
pub fn runs_successors(x: u8) -> usize {
    std::iter::successors(Some(x), |y| leaf(*y).checked_sub(1)).count()
}
pub fn runs_zip_map(x: u8) -> u8 {
    [x].iter().zip([B(x)].iter()).map(|(_, b)| b.n()).sum()
}
pub fn runs_then(x: u8) -> Option<u8> {
    (x > 3).then(|| leaf(x))
}
pub fn runs_replace_with(x: u8) -> u8 {
    let mut o = None;
    o.get_or_insert_with(|| B(x)).n()
}
pub fn runs_chunk_by(x: u8) -> usize {
    [x, 1].chunk_by(|a, _| leaf(*a) > 3).count()
}
pub fn runs_partition_point(x: u8) -> usize {
    [x, 1].partition_point(|a| leaf(*a) > 3)
}
pub fn runs_matches(x: u8) -> bool {
    "abc".contains(|c: char| leaf(x) > 3 && c == 'a')
}
pub fn runs_retain_map(x: u8) -> usize {
    let mut m = HashMap::from([(x, 1)]);
    m.retain(|k, _| leaf(*k) > 3);
    m.len()
}

/// What it gives is given by what it leads to, which may lead on without end.
pub trait Passed {
    type Error;

    fn pass(&self) -> Result<u8, Self::Error>;
}

impl<R> Passed for R
where
    R: std::ops::Deref,
    R::Target: Passed,
{
    type Error = <R::Target as Passed>::Error;

    fn pass(&self) -> Result<u8, Self::Error> {
        self.deref().pass()
    }
}

pub struct End(pub u8);

impl Passed for End {
    type Error = u8;

    fn pass(&self) -> Result<u8, u8> {
        Ok(value!())
    }
}

pub fn runs_what_pointers_pass_on(k: u8) -> u8 {
    (&&End(k)).pass().unwrap_or(0)
}

pub fn runs_what_anything_passes_on<R: Passed + ?Sized>(passed: &R) -> bool {
    passed.pass().is_ok()
}

pub struct Big(pub u64);

pub struct BigView(pub u64);

impl From<&Big> for BigView {
    fn from(big: &Big) -> BigView {
        BigView(big.0)
    }
}

impl Display for Big {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", value!())
    }
}

impl<T: Into<BigView>> std::ops::Sub<T> for BigView {
    type Output = u64;

    fn sub(self, other: T) -> u64 {
        self.0.wrapping_sub(other.into().0)
    }
}

impl std::ops::Sub<&u8> for BigView {
    type Output = u64;

    fn sub(self, other: &u8) -> u64 {
        assert_ne!(Some(*other), None);
        self.0.wrapping_sub(u64::from(*other))
    }
}

pub fn spares_display_where_numbers_are_subtracted(k: u8) -> u64 {
    (BigView(9) - &Big(3)).wrapping_add(BigView(9) - BigView(2)).wrapping_add(BigView(7) - &k)
}

pub fn runs_display_where_numbers_are_shown(k: u8) -> String {
    Big(BigView(9) - &k).to_string()
}
