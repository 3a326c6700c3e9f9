//! Implementations of operators, conversions, readers, writers and destructors that changed, and functions that come to run them by way of the standard library.

use std::borrow::Borrow;
use std::collections::*;
use std::fmt;
use std::hash::{BuildHasher, Hash, Hasher};
use std::io::{self, BufRead, Read, Write};
use std::ops::*;
fn odd(x: u8) -> bool {
    x == 7
}
macro_rules! k { ($($n:ident),*) => { $(#[derive(Debug)] pub struct $n(pub u8);)* } }
k!(
    KDisp, KAdd, KDef, KFrom, KAsRef, KDeref, KIndex, KStr, KErr, KDrop, KSum, KRead, KWrite, KHasher, KTry,
    KNot, KCloneFrom, KNe, KSource, KRange, KFmtW, KTryFold
);

impl fmt::Display for KDisp {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if odd(self.0) {
            changed!();
        }
        f.write_str("k")
    }
}
pub fn runs_to_string(x: u8) -> String {
    KDisp(x).to_string()
}
pub fn runs_format(x: u8) -> String {
    format!("{:>4}", KDisp(x))
}
pub fn runs_box_disp(x: u8) -> String {
    format!("{}", Box::new(&&KDisp(x)))
}
pub fn runs_panic_disp(x: u8) -> u8 {
    std::panic::catch_unwind(|| {
        let r: Result<u8, KDisp> = Err(KDisp(x));
        r.map_err(|e| e.to_string()).unwrap_or_default_len()
    })
    .unwrap_or(9)
}
trait L {
    fn unwrap_or_default_len(self) -> u8;
}
impl L for Result<u8, String> {
    fn unwrap_or_default_len(self) -> u8 {
        match self {
            Ok(x) => x,
            Err(s) => s.len() as u8,
        }
    }
}
impl Add for KAdd {
    type Output = KAdd;
    fn add(self, o: KAdd) -> KAdd {
        if odd(self.0) {
            changed!();
        }
        KAdd(self.0.wrapping_add(o.0))
    }
}
impl std::iter::Sum for KSum {
    fn sum<I: Iterator<Item = KSum>>(i: I) -> KSum {
        let n = i.count() as u8;
        if odd(n) {
            changed!();
        }
        KSum(n)
    }
}
pub fn runs_sum(x: u8) -> u8 {
    (0..x).map(KSum).sum::<KSum>().0
}
pub fn runs_fold_add(x: u8) -> u8 {
    [KAdd(x), KAdd(7)].into_iter().reduce(Add::add).unwrap().0
}
impl Default for KDef {
    fn default() -> Self {
        KDef(value!())
    }
}
pub fn runs_default(x: u8) -> u8 {
    Some(KDef(x)).filter(|k| k.0 > 3).unwrap_or_default().0
}
pub fn runs_take(x: u8) -> u8 {
    let mut k = KDef(x);
    std::mem::take(&mut k);
    k.0
}
pub fn runs_entry(x: u8) -> u8 {
    let mut m: BTreeMap<u8, KDef> = BTreeMap::new();
    m.entry(x).or_default().0
}
pub fn runs_hash_entry(x: u8) -> u8 {
    let mut m: HashMap<u8, KDef> = HashMap::new();
    m.entry(x).or_default().0
}
pub fn runs_def_tuple() -> u8 {
    <(u8, KDef)>::default().1 .0
}
pub fn runs_def_arr() -> u8 {
    <[KDef; 3]>::default()[1].0
}
impl From<u8> for KFrom {
    fn from(x: u8) -> Self {
        if odd(x) {
            changed!();
        }
        KFrom(x)
    }
}
pub fn runs_into(x: u8) -> u8 {
    let k: KFrom = x.into();
    k.0
}
pub fn runs_try_into(x: u8) -> u8 {
    let k: Result<KFrom, _> = x.try_into();
    k.unwrap().0
}
pub fn runs_question(x: u8) -> Result<u8, KFrom> {
    Err::<u8, u8>(x)?;
    Ok(1)
}
pub fn runs_map_into(x: u8) -> u8 {
    Some(x).map(KFrom::from).map(|k| k.0).unwrap()
}
impl AsRef<str> for KAsRef {
    fn as_ref(&self) -> &str {
        if odd(self.0) {
            changed!();
        }
        "k"
    }
}
pub fn runs_asref(x: u8) -> usize {
    std::path::Path::new(KAsRef(x).as_ref()).as_os_str().len()
}
pub fn runs_join(x: u8) -> String {
    [KBorrow2(x)].concat_it()
}
pub struct KBorrow2(u8);
impl Borrow<str> for KBorrow2 {
    fn borrow(&self) -> &str {
        if odd(self.0) {
            changed!();
        }
        "k"
    }
}
trait C {
    fn concat_it(&self) -> String;
}
impl C for [KBorrow2; 1] {
    fn concat_it(&self) -> String {
        self[..].join(",")
    }
}
impl Deref for KDeref {
    type Target = u8;
    fn deref(&self) -> &u8 {
        if odd(self.0) {
            changed!();
        }
        &self.0
    }
}
pub fn runs_deref(x: u8) -> u32 {
    KDeref(x).count_ones()
}
pub fn runs_as_deref(x: u8) -> u8 {
    *Some(KDeref(x)).as_deref().unwrap()
}
impl Index<usize> for KIndex {
    type Output = u8;
    fn index(&self, i: usize) -> &u8 {
        if i == 7 {
            changed!();
        }
        &self.0
    }
}
pub fn runs_index(x: u8) -> u8 {
    KIndex(1)[x as usize]
}
impl std::str::FromStr for KStr {
    type Err = ();
    fn from_str(s: &str) -> Result<Self, ()> {
        if s.len() == 1 {
            changed!();
        }
        Ok(KStr(s.len() as u8))
    }
}
pub fn runs_parse(x: u8) -> u8 {
    "a".repeat(x as usize % 4).parse::<KStr>().unwrap().0
}
impl fmt::Display for KErr {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if odd(self.0) {
            changed!();
        }
        f.write_str("k")
    }
}
impl std::error::Error for KErr {}
pub fn runs_dyn_err(x: u8) -> String {
    let e: Box<dyn std::error::Error> = Box::new(KErr(x));
    e.to_string()
}
pub fn runs_io_err(x: u8) -> String {
    io::Error::new(io::ErrorKind::Other, KErr(x)).to_string()
}
impl fmt::Display for KSource {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("k")
    }
}
impl std::error::Error for KSource {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        if odd(self.0) {
            changed!();
        }
        None
    }
}
pub fn runs_source(x: u8) -> bool {
    let e: Box<dyn std::error::Error> = Box::new(KSource(x));
    e.source().is_some()
}
thread_local! { static N: std::cell::Cell<u8> = const { std::cell::Cell::new(0) }; }
impl Drop for KDrop {
    fn drop(&mut self) {
        if odd(self.0) {
            changed!();
        }
        N.set(self.0)
    }
}
pub fn runs_drop_vec(x: u8) -> u8 {
    let mut v = vec![KDrop(x)];
    v.clear();
    N.get()
}
pub fn runs_truncate(x: u8) -> u8 {
    let mut v = vec![KDrop(x)];
    v.truncate(0);
    N.get()
}
pub fn runs_drop_map(x: u8) -> u8 {
    let mut m = BTreeMap::new();
    m.insert(1, KDrop(x));
    m.insert(1, KDrop(2));
    N.get()
}
pub fn runs_drop_rc(x: u8) -> u8 {
    drop(std::rc::Rc::new(KDrop(x)));
    N.get()
}
pub fn runs_drop_opt(x: u8) -> u8 {
    let mut o = Some(KDrop(x));
    o.take();
    N.get()
}
pub fn runs_drop_box_dyn(x: u8) -> u8 {
    let b: Box<dyn std::any::Any> = Box::new(KDrop(x));
    drop(b);
    N.get()
}
pub fn runs_drop_hash(x: u8) -> u8 {
    let mut m = HashMap::new();
    m.insert(1, KDrop(x));
    m.remove(&1);
    N.get()
}
pub fn runs_drop_iter(x: u8) -> u8 {
    let _ = vec![KDrop(x), KDrop(1)].into_iter().skip(1).count();
    N.get()
}
impl Read for KRead {
    fn read(&mut self, b: &mut [u8]) -> io::Result<usize> {
        if odd(self.0) {
            changed!();
        }
        if self.0 == 0 || b.is_empty() {
            return Ok(0);
        }
        self.0 -= 1;
        b[0] = 1;
        Ok(1)
    }
}
pub fn runs_read(x: u8) -> usize {
    let mut v = vec![];
    KRead(x).read_to_end(&mut v).unwrap();
    v.len()
}
pub fn runs_bufread(x: u8) -> usize {
    io::BufReader::new(KRead(x)).lines().count()
}
pub fn runs_take_read(x: u8) -> usize {
    let mut s = vec![];
    KRead(x).take(3).read_to_end(&mut s).unwrap()
}
impl Write for KWrite {
    fn write(&mut self, b: &[u8]) -> io::Result<usize> {
        if b.len() == 7 {
            changed!();
        }
        self.0 += 1;
        Ok(b.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
pub fn runs_write(x: u8) -> u8 {
    let mut w = KWrite(0);
    write!(w, "{}", "a".repeat(x as usize)).unwrap();
    w.0
}
pub fn runs_bufwrite(x: u8) -> u8 {
    let mut w = KWrite(0);
    {
        let mut b = io::BufWriter::new(&mut w);
        b.write_all(&vec![1; x as usize]).unwrap();
    }
    w.0
}
pub fn runs_copy(x: u8) -> u64 {
    io::copy(&mut KRead(x), &mut io::sink()).unwrap()
}
impl Hasher for KHasher {
    fn finish(&self) -> u64 {
        if odd(self.0) {
            changed!();
        }
        1
    }
    fn write(&mut self, b: &[u8]) {
        self.0 = b[0]
    }
}
#[derive(Default, Clone)]
pub struct KB;
impl BuildHasher for KB {
    type Hasher = KHasher;
    fn build_hasher(&self) -> KHasher {
        KHasher(0)
    }
}
pub fn runs_hasher(x: u8) -> usize {
    let mut m = HashMap::with_hasher(KB);
    m.insert(x, 1);
    m.len()
}
pub fn runs_hasher2(x: u8) -> u64 {
    let mut h = KHasher(0);
    x.hash(&mut h);
    h.finish()
}
impl Not for KNot {
    type Output = u8;
    fn not(self) -> u8 {
        if odd(self.0) {
            changed!();
        }
        !self.0
    }
}
pub fn runs_not(x: u8) -> u8 {
    Some(KNot(x)).map(Not::not).unwrap()
}
impl PartialEq for KNe {
    fn eq(&self, o: &Self) -> bool {
        self.0 == o.0
    }
    fn ne(&self, o: &Self) -> bool {
        if odd(self.0) {
            changed!();
        }
        self.0 != o.0
    }
}
pub fn runs_ne(x: u8) -> bool {
    [KNe(x)] != [KNe(1)]
}
pub fn runs_ne_opt(x: u8) -> bool {
    Some(KNe(x)) != Some(KNe(1))
}
pub fn runs_ne_ref(x: u8) -> bool {
    &&KNe(x) != &&KNe(1)
}
impl Clone for KCloneFrom {
    fn clone(&self) -> Self {
        KCloneFrom(self.0)
    }
    fn clone_from(&mut self, o: &Self) {
        if odd(o.0) {
            changed!();
        }
        self.0 = o.0
    }
}
pub fn runs_clone_from(x: u8) -> u8 {
    let mut v = vec![KCloneFrom(1)];
    v.clone_from(&vec![KCloneFrom(x)]);
    v[0].0
}
pub fn runs_clone_into(x: u8) -> u8 {
    let mut v = vec![KCloneFrom(1)];
    [KCloneFrom(x)][..].clone_into(&mut v);
    v[0].0
}
impl RangeBounds<usize> for KRange {
    fn start_bound(&self) -> Bound<&usize> {
        if odd(self.0) {
            changed!();
        }
        Bound::Unbounded
    }
    fn end_bound(&self) -> Bound<&usize> {
        Bound::Unbounded
    }
}
pub fn runs_drain(x: u8) -> usize {
    let mut v = vec![1, 2];
    v.drain(KRange(x)).count()
}
impl fmt::Write for KFmtW {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        if s.len() == 7 {
            changed!();
        }
        self.0 = self.0.wrapping_add(s.len() as u8);
        Ok(())
    }
}
pub fn runs_fmtw(x: u8) -> u8 {
    use fmt::Write;
    let mut w = KFmtW(0);
    write!(w, "{}", "a".repeat(x as usize)).unwrap();
    w.0
}
impl TryFrom<u8> for KTry {
    type Error = ();
    fn try_from(x: u8) -> Result<Self, ()> {
        if odd(x) {
            changed!();
        }
        Ok(KTry(x))
    }
}
pub fn runs_try(x: u8) -> u8 {
    let k: Result<KTry, ()> = x.try_into();
    k.unwrap().0
}
pub fn runs_try_q(x: u8) -> Option<u8> {
    Some(KTry::try_from(x).ok()?.0)
}
impl Iterator for KTryFold {
    type Item = u8;
    fn next(&mut self) -> Option<u8> {
        self.0 = self.0.checked_sub(1)?;
        Some(1)
    }
    fn count(self) -> usize {
        if odd(self.0) {
            changed!();
        }
        1
    }
    fn last(self) -> Option<u8> {
        if odd(self.0) {
            changed!();
        }
        None
    }
    fn for_each<F: FnMut(u8)>(self, _f: F) {
        if odd(self.0) {
            changed!();
        }
    }
}
pub fn runs_count(x: u8) -> usize {
    KTryFold(x).count()
}
pub fn runs_map_last(x: u8) -> Option<u8> {
    KTryFold(x).inspect(|_| ()).last()
}
pub fn runs_dyn_count(x: u8) -> usize {
    let b: Box<dyn Iterator<Item = u8>> = Box::new(KTryFold(x));
    b.count()
}
pub trait Shape {
    fn area(&self) -> u8;
    fn twice(&self) -> u8 {
        self.area().wrapping_mul(2)
    }
}
pub struct Sq(pub u8);
impl Shape for Sq {
    fn area(&self) -> u8 {
        if odd(self.0) {
            changed!();
        }
        self.0
    }
}
pub fn runs_dyn_shape(x: u8) -> u8 {
    let s: &dyn Shape = &Sq(x);
    s.twice()
}
pub fn runs_vec_dyn(x: u8) -> u8 {
    let s: Vec<Box<dyn Shape>> = vec![Box::new(Sq(x))];
    s.iter().map(|s| s.twice()).max().unwrap()
}
impl<T: Shape> Shape for Vec<T> {
    fn area(&self) -> u8 {
        self.iter().map(Shape::area).max().unwrap_or(0)
    }
}
pub fn runs_blanket(x: u8) -> u8 {
    vec![vec![Sq(x)]].twice()
}
pub fn runs_fnptr(x: u8) -> u8 {
    let f: fn(&Sq) -> u8 = Shape::twice;
    f(&Sq(x))
}
pub fn runs_closure(x: u8) -> u8 {
    let g = |s: &Sq| s.area();
    [Sq(x)].iter().map(g).next().unwrap()
}
pub fn runs_impl_ret(x: u8) -> u8 {
    fn mk(x: u8) -> impl Shape {
        Sq(x)
    }
    mk(x).twice()
}
pub trait Assoc {
    type S: Shape;
    fn s(&self) -> Self::S;
}
impl Assoc for u8 {
    type S = Sq;
    fn s(&self) -> Sq {
        Sq(*self)
    }
}
fn g_assoc<A: Assoc>(a: A) -> u8 {
    a.s().twice()
}
pub fn runs_assoc(x: u8) -> u8 {
    g_assoc(x)
}
pub trait Ext: Iterator {
    fn my(self) -> usize
    where
        Self: Sized,
    {
        self.count()
    }
}
impl<I: Iterator> Ext for I {}
pub fn runs_ext(x: u8) -> usize {
    KTryFold(x).my()
}
pub trait Cst {
    const K: u8;
}
impl Cst for Sq {
    const K: u8 = value!();
}
fn g_cst<T: Cst>() -> u8 {
    T::K
}
pub fn runs_cst() -> u8 {
    g_cst::<Sq>()
}
pub fn runs_cst_arr() -> usize {
    struct W<T>(T);
    impl<T: Cst> W<T> {
        const L: usize = T::K as usize;
    }
    W::<Sq>::L
}
static TABLE: [fn(u8) -> u8; 1] = [leaf];
fn leaf(x: u8) -> u8 {
    if odd(x) {
        changed!();
    }
    x
}
pub fn runs_table(x: u8) -> u8 {
    TABLE[0](x)
}
pub fn runs_lazy(x: u8) -> u8 {
    static L: std::sync::OnceLock<Box<dyn Fn(u8) -> u8 + Send + Sync>> = std::sync::OnceLock::new();
    L.get_or_init(|| Box::new(leaf))(x)
}
pub fn runs_thread(x: u8) -> u8 {
    std::thread::spawn(move || leaf(x)).join().unwrap_or(0)
}
pub fn runs_sort_closure(x: u8) -> u8 {
    let mut v = [x, 3];
    v.sort_by(|a, b| leaf(*a).cmp(b));
    v[0]
}
pub fn runs_retain(x: u8) -> usize {
    let mut v = vec![x, 3];
    v.retain(|a| leaf(*a) > 3);
    v.len()
}
pub fn runs_any(x: u8) -> u8 {
    let b: Box<dyn std::any::Any> = Box::new(Sq(x));
    b.downcast_ref::<Sq>().map_or(0, |s| s.area())
}
