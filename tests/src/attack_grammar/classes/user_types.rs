//! The standard library on types of the user's: how often, in which order and with which values it calls `Clone`, `Drop`, `PartialEq`, `PartialOrd`, `Ord`, `Hash`, `size_hint` and
//! closures is seen by implementations that write a log, or that disagree with each other.

use crate::attack_grammar::rng::Rng;
use crate::attack_grammar::snippet::{Param, Snippet};

/// A type whose implementations write into a log of the thread; its order is that of the first part only.
const LOGGED: &str = "use std::cell::{Cell, RefCell};
use std::collections::*;
use std::cmp::Ordering;
use std::rc::Rc;
thread_local! { static LOG: Cell<u64> = const { Cell::new(0) }; }
pub fn log(x: u64) { LOG.with(|l| l.set(l.get().wrapping_mul(31).wrapping_add(x))) }
pub fn take() -> u64 { LOG.with(|l| l.replace(0)) }";

const USER: &str = "
#[derive(Debug)] pub struct U<'a>(pub u8, pub &'a Cell<u64>);
impl U<'_> { fn log(&self, x: u64) { self.1.set(self.1.get().wrapping_mul(31).wrapping_add(x)) } }
impl Clone for U<'_> { fn clone(&self) -> Self { self.log(1 + self.0 as u64); U(self.0, self.1) } }
impl Drop for U<'_> { fn drop(&mut self) { self.log(300 + self.0 as u64) } }
impl PartialEq for U<'_> { fn eq(&self, o: &Self) -> bool { self.log(600 + self.0 as u64 * 7 + o.0 as u64); self.0 / 2 == o.0 / 2 } }
impl Eq for U<'_> {}
impl PartialOrd for U<'_> { fn partial_cmp(&self, o: &Self) -> Option<Ordering> { self.log(5000 + self.0 as u64 * 3 + o.0 as u64); (o.0 % 4).partial_cmp(&(self.0 % 4)) } }
impl Ord for U<'_> { fn cmp(&self, o: &Self) -> Ordering { self.log(9000 + self.0 as u64 * 5 + o.0 as u64); (self.0 / 2).cmp(&(o.0 / 2)) } }
impl std::hash::Hash for U<'_> { fn hash<H: std::hash::Hasher>(&self, h: &mut H) { self.log(12000 + self.0 as u64); h.write_u8(self.0 / 2) } }
fn us<'a>(xs: &[u8], l: &'a Cell<u64>) -> Vec<U<'a>> { xs.iter().map(|x| U(*x, l)).collect() }
fn sum(v: &[U]) -> u64 { v.iter().fold(7, |s, u| s * 31 % 1_000_003 + u.0 as u64) }";

/// Two ways over `v: Vec<U>`, `w: Vec<U>` and `l: &Cell<u64>` to a number; what was logged is part of what the function returns.
const WAYS: [(&str, &str); 30] = [
    ("v.sort(); sum(&v)", "v.sort_by(|a, b| a.cmp(b)); sum(&v)"),
    ("v.sort(); sum(&v)", "v.sort_by(|a, b| a.partial_cmp(b).unwrap()); sum(&v)"),
    ("v.sort_unstable(); sum(&v)", "v.sort(); sum(&v)"),
    ("v.sort_by_key(|u| u.0 / 2); sum(&v)", "v.sort_by_cached_key(|u| u.0 / 2); sum(&v)"),
    (
        "v.sort_by_key(|u| { l.set(l.get() + 1); u.0 % 4 }); sum(&v)",
        "v.sort_by_cached_key(|u| { l.set(l.get() + 1); u.0 % 4 }); sum(&v)",
    ),
    ("v.dedup(); sum(&v)", "v.dedup_by(|a, b| a == b); sum(&v)"),
    ("v.dedup(); sum(&v)", "v.dedup_by_key(|u| u.0 / 2); sum(&v)"),
    ("v.truncate(2); sum(&v)", "while v.len() > 2 { v.pop(); } sum(&v)"),
    ("v.clear(); 1", "while let Some(u) = v.pop() {} 1"),
    (
        "v.resize(5, U(9, l)); sum(&v)",
        "while v.len() > 5 { v.pop(); } while v.len() < 5 { v.push(U(9, l)); } sum(&v)",
    ),
    (
        "v.resize_with(4, || U(9, l)); sum(&v)",
        "v.truncate(4); while v.len() < 4 { v.push(U(9, l)); } sum(&v)",
    ),
    ("v.fill(U(3, l)); sum(&v)", "for u in v.iter_mut() { *u = U(3, l); } sum(&v)"),
    ("v.clone_from(&w); sum(&v)", "v = w.clone(); sum(&v)"),
    (
        "{ let n = v.len().min(w.len()); v[..n].clone_from_slice(&w[..n]); sum(&v) }",
        "{ let n = v.len().min(w.len()); for i in 0..n { v[i] = w[i].clone(); } sum(&v) }",
    ),
    ("(v == w) as u64", "(v.iter().eq(w.iter())) as u64"),
    ("(v < w) as u64", "(v.cmp(&w) == Ordering::Less) as u64"),
    ("(v.partial_cmp(&w) == Some(Ordering::Less)) as u64", "(v < w) as u64"),
    (
        "v.iter().max().map_or(0, |u| u.0 as u64)",
        "v.iter().fold(None, |m: Option<&U>, u| match m { Some(x) if x > u => Some(x), _ => Some(u) }).map_or(0, |u| u.0 as u64)",
    ),
    (
        "v.iter().min().map_or(0, |u| u.0 as u64)",
        "v.iter().min_by(|a, b| a.cmp(b)).map_or(0, |u| u.0 as u64)",
    ),
    ("v.contains(&U(4, l)) as u64", "v.iter().any(|u| *u == U(4, l)) as u64"),
    (
        "v.into_iter().collect::<BTreeSet<_>>().len() as u64",
        "{ let mut s = BTreeSet::new(); for u in v { s.insert(u); } s.len() as u64 }",
    ),
    (
        "v.into_iter().map(|u| (u, 1)).collect::<BTreeMap<_, _>>().keys().next().map_or(0, |u| u.0 as u64)",
        "{ let mut s = BTreeMap::new(); for u in v { s.insert(u, 1); } s.keys().next().map_or(0, |u| u.0 as u64) }",
    ),
    (
        "{ let mut a: BTreeMap<_, _> = v.into_iter().map(|u| (u, 1)).collect(); let mut b: BTreeMap<_, _> = w.into_iter().map(|u| (u, 2)).collect(); a.append(&mut b); a.iter().fold(0, |s, (u, x)| s * 31 % 65_537 + u.0 as u64 + x) }",
        "{ let mut a: BTreeMap<_, _> = v.into_iter().map(|u| (u, 1)).collect(); let b: BTreeMap<_, _> = w.into_iter().map(|u| (u, 2)).collect(); a.extend(b); a.iter().fold(0, |s, (u, x)| s * 31 % 65_537 + u.0 as u64 + x) }",
    ),
    (
        "v.iter().zip(w.iter()).filter(|(a, b)| a == b).count() as u64",
        "{ let mut n = 0; for i in 0..v.len().min(w.len()) { if v[i] == w[i] { n += 1; } } n }",
    ),
    (
        "v.retain(|u| u.0 % 2 == 0); sum(&v)",
        "v = std::mem::take(&mut v).into_iter().filter(|u| u.0 % 2 == 0).collect(); sum(&v)",
    ),
    (
        "v.drain(..).map(|u| u.0 as u64).sum()",
        "{ let mut s = 0; for u in std::mem::take(&mut v) { s += u.0 as u64; } s }",
    ),
    (
        "v.into_iter().collect::<VecDeque<_>>().drain(..).map(|u| u.0 as u64).sum()",
        "v.into_iter().map(|u| u.0 as u64).sum()",
    ),
    (
        "{ let mut q: VecDeque<_> = v.into(); q.truncate(1); q.len() as u64 }",
        "{ v.truncate(1); v.len() as u64 }",
    ),
    ("v.binary_search(&U(4, l)).unwrap_or_else(|i| i) as u64", "v.partition_point(|u| u < &U(4, l)) as u64"),
    (
        "{ let (a, b): (Vec<U>, Vec<U>) = v.into_iter().partition(|u| u.0 > 5); sum(&a) ^ sum(&b) }",
        "{ let mut a = vec![]; let mut b = vec![]; for u in v { if u.0 > 5 { a.push(u) } else { b.push(u) } } sum(&a) ^ sum(&b) }",
    ),
];

/// Two ways over `a: u8`, `b: u8` and `l: &Cell<u64>`.
const SMALL: [(&str, &str); 14] = [
    ("(Rc::new(U(a, l)) == Rc::new(U(b, l))) as u64", "(U(a, l) == U(b, l)) as u64"),
    (
        "{ let r = Rc::new(U(a, l)); (r == r.clone()) as u64 }",
        "{ let r = Rc::new(U(a, l)); (*r == *r.clone()) as u64 }",
    ),
    (
        "{ struct N; let r = Rc::new(f32::from_bits(a as u32 * 0x1010101)); (r == r.clone()) as u64 }",
        "{ let r = f32::from_bits(a as u32 * 0x1010101); (r == r) as u64 }",
    ),
    ("((U(a, l), 1) < (U(b, l), 2)) as u64", "((U(a, l), 1).cmp(&(U(b, l), 2)) == Ordering::Less) as u64"),
    (
        "((U(a, l), U(b, l)) != (U(b, l), U(a, l))) as u64",
        "!((U(a, l), U(b, l)) == (U(b, l), U(a, l))) as u64",
    ),
    ("(Some(U(a, l)) <= Some(U(b, l))) as u64", "(U(a, l) <= U(b, l)) as u64"),
    ("(U(a, l).max(U(b, l))).0 as u64", "(std::cmp::max(U(a, l), U(b, l))).0 as u64"),
    (
        "(U(a, l).max(U(b, l))).0 as u64",
        "{ let (x, y) = (U(a, l), U(b, l)); if x > y { x.0 as u64 } else { y.0 as u64 } }",
    ),
    (
        "U(a, l).clamp(U(2, l), U(9, l)).0 as u64",
        "{ let (x, lo, hi) = (U(a, l), U(2, l), U(9, l)); if x < lo { lo.0 as u64 } else if x > hi { hi.0 as u64 } else { x.0 as u64 } }",
    ),
    ("(Some(U(a, l)) == None) as u64", "Some(U(a, l)).is_none() as u64"),
    (
        "{ let mut x = Some(U(a, l)); x.replace(U(b, l)); x.get_or_insert(U(3, l)).0 as u64 }",
        "{ let mut x = Some(U(a, l)); x = Some(U(b, l)); x.get_or_insert_with(|| U(3, l)).0 as u64 }",
    ),
    (
        "Some(U(a, l)).or(Some(U(b, l))).map_or(0, |u| u.0 as u64)",
        "Some(U(a, l)).or_else(|| Some(U(b, l))).map_or(0, |u| u.0 as u64)",
    ),
    (
        "{ let x = [U(a, l), U(b, l)]; let y = x.clone(); (x == y) as u64 }",
        "{ let x = vec![U(a, l), U(b, l)]; let y = x.clone(); (x == y) as u64 }",
    ),
    (
        "{ let mut x = U(a, l); std::mem::replace(&mut x, U(b, l)).0 as u64 + x.0 as u64 }",
        "{ let mut x = U(a, l); let o = x.0; x = U(b, l); o as u64 + x.0 as u64 }",
    ),
];

/// Derives that disagree: `PartialOrd` is derived and `Ord` is not.
const ODD: &str =
    "#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Hash)] pub struct O(pub u8, pub u8);
impl Ord for O { fn cmp(&self, o: &O) -> std::cmp::Ordering { o.0.cmp(&self.0) } }
fn os(xs: &[u8]) -> Vec<O> { xs.iter().map(|x| O(x % 5, x / 5)).collect() }
fn total(v: &[O]) -> u64 { v.iter().fold(7, |s, o| s * 31 % 1_000_003 + o.0 as u64 * 256 + o.1 as u64) }
use std::collections::*;";

const ODD_WAYS: [(&str, &str); 14] = [
    ("v.sort(); total(&v)", "v.sort_by(|a, b| a.cmp(b)); total(&v)"),
    ("v.sort(); total(&v)", "v.sort_by(|a, b| a.partial_cmp(b).unwrap()); total(&v)"),
    ("v.sort_by_key(|o| *o); total(&v)", "v.sort_by(|a, b| a.cmp(b)); total(&v)"),
    (
        "v.sort_unstable(); v.dedup(); total(&v)",
        "v.into_iter().collect::<BTreeSet<_>>().into_iter().fold(7, |s, o| s * 31 % 1_000_003 + o.0 as u64 * 256 + o.1 as u64)",
    ),
    (
        "v.iter().max().map_or(0, |o| o.1 as u64)",
        "v.iter().reduce(|a, b| if a > b { a } else { b }).map_or(0, |o| o.1 as u64)",
    ),
    (
        "v.iter().min().map_or(0, |o| o.1 as u64)",
        "v.iter().min_by(|a, b| a.cmp(b)).map_or(0, |o| o.1 as u64)",
    ),
    (
        "v.iter().copied().collect::<BTreeSet<O>>().len() as u64",
        "{ let mut s = BTreeSet::new(); for o in &v { s.insert(*o); } s.len() as u64 }",
    ),
    (
        "v.iter().copied().collect::<BinaryHeap<O>>().pop().map_or(0, |o| o.1 as u64)",
        "v.iter().copied().max().map_or(0, |o| o.1 as u64)",
    ),
    ("v.is_sorted() as u64", "v.windows(2).all(|w| w[0] <= w[1]) as u64"),
    ("v.iter().max_by_key(|o| **o).map_or(0, |o| o.1 as u64)", "v.iter().max().map_or(0, |o| o.1 as u64)"),
    (
        "v.iter().map(|o| (*o, o.1)).collect::<BTreeMap<_, _>>().values().fold(1, |s, x| s * 7 % 65_537 + *x as u64)",
        "{ let mut m = BTreeMap::new(); for o in &v { m.insert(*o, o.1); } m.values().fold(1, |s, x| s * 7 % 65_537 + *x as u64) }",
    ),
    ("v.binary_search(&O(2, 0)).is_ok() as u64", "v.contains(&O(2, 0)) as u64"),
    ("v.dedup(); total(&v)", "v.dedup_by(|a, b| a.cmp(&b).is_eq()); total(&v)"),
    (
        "v.iter().partial_cmp(v.iter().rev()).map_or(3, |o| o as i8 as u64)",
        "v.iter().cmp(v.iter().rev()) as i8 as u64",
    ),
];

/// Closures that count how often they are called.
const COUNTED: [(&str, &str); 12] = [
    (
        "xs.iter().map(|x| hit(&n, *x)).take(3).sum::<u32>()",
        "xs.iter().take(3).map(|x| hit(&n, *x)).sum::<u32>()",
    ),
    (
        "xs.iter().map(|x| hit(&n, *x)).filter(|x| x % 2 == 0).count() as u32",
        "xs.iter().filter(|x| hit(&n, **x) % 2 == 0).count() as u32",
    ),
    (
        "xs.iter().any(|x| hit(&n, *x) > 100) as u32",
        "(xs.iter().filter(|x| hit(&n, **x) > 100).count() > 0) as u32",
    ),
    (
        "xs.iter().map(|x| hit(&n, *x)).zip(0..2).map(|(x, _)| x).sum::<u32>()",
        "(0..2).zip(xs.iter().map(|x| hit(&n, *x))).map(|(_, x)| x).sum::<u32>()",
    ),
    (
        "xs.iter().map(|x| hit(&n, *x)).skip(2).sum::<u32>()",
        "xs.iter().skip(2).map(|x| hit(&n, *x)).sum::<u32>()",
    ),
    ("xs.iter().map(|x| hit(&n, *x)).last().unwrap_or(0)", "xs.last().map_or(0, |x| hit(&n, *x))"),
    ("xs.iter().map(|x| hit(&n, *x)).count() as u32", "xs.len() as u32"),
    ("xs.iter().map(|x| hit(&n, *x)).nth(1).unwrap_or(0)", "xs.get(1).map_or(0, |x| hit(&n, *x))"),
    (
        "xs.iter().position(|x| hit(&n, *x) == 3).unwrap_or(9) as u32",
        "xs.iter().rposition(|x| hit(&n, *x) == 3).unwrap_or(9) as u32",
    ),
    (
        "xs.iter().max_by_key(|x| hit(&n, **x)).map_or(0, |x| *x as u32)",
        "xs.iter().max_by(|a, b| hit(&n, **a).cmp(&hit(&n, **b))).map_or(0, |x| *x as u32)",
    ),
    (
        "xs.iter().map(|x| hit(&n, *x)).rev().next().unwrap_or(0)",
        "xs.iter().rev().map(|x| hit(&n, *x)).next().unwrap_or(0)",
    ),
    (
        "xs.iter().step_by(2).map(|x| hit(&n, *x)).sum::<u32>()",
        "xs.iter().map(|x| hit(&n, *x)).step_by(2).sum::<u32>()",
    ),
];

pub fn snippet(rng: &mut Rng) -> Snippet {
    let swap = rng.one_in(2);
    let two = |(old, new): (&'static str, &'static str)| if swap { (new, old) } else { (old, new) };
    match rng.below(5) {
        0 | 1 => {
            let (old, new) = two(rng.choose(&WAYS));
            let of = |way: &str| {
                format!(
                    "{LOGGED}{USER}\npub fn f@N(xs: &[u8], ys: &[u8]) -> (u64, u64) {{ let c = Cell::new(0); let l = &c; let r: u64 = {{ let mut v = us(xs, l); let mut w = us(ys, l); {way} }}; (r, c.get()) }}"
                )
            };
            Snippet::new("logged implementations", of(old), of(new))
                .common("pub fn up@N(xs: &[u8]) -> u64 { let (a, b) = f@N(xs, &[4, 5, 1]); a ^ b }")
                .call("f@N", vec![Param::reference("Vec<u8>"), Param::reference("Vec<u8>")])
                .call("up@N", vec![Param::reference("Vec<u8>")])
        }
        2 => {
            let (old, new) = two(rng.choose(&SMALL));
            let of = |way: &str| {
                format!(
                    "{LOGGED}{USER}\npub fn f@N(a: u8, b: u8) -> (u64, u64) {{ let c = Cell::new(0); let l = &c; let r: u64 = {way}; (r, c.get()) }}"
                )
            };
            Snippet::new("logged implementations of few values", of(old), of(new))
                .call("f@N", vec![Param::value("u8"), Param::value("u8").special("4")])
        }
        3 => {
            let (old, new) = two(rng.choose(&ODD_WAYS));
            let of =
                |way: &str| format!("{ODD}\npub fn f@N(xs: &[u8]) -> u64 {{ let mut v = os(xs); {way} }}");
            Snippet::new("orders that disagree", of(old), of(new))
                .common("pub fn up@N(xs: &[u8]) -> u64 { if xs.len() < 2 { 0 } else { f@N(&xs[1..]) } }")
                .call("f@N", vec![Param::reference("Vec<u8>")])
                .call("up@N", vec![Param::reference("Vec<u8>")])
        }
        _ => {
            let (old, new) = two(rng.choose(&COUNTED));
            let of = |way: &str| {
                format!(
                    "use std::cell::Cell;\nfn hit(n: &Cell<u32>, x: u8) -> u32 {{ n.set(n.get() + 1); x as u32 }}\npub fn f@N(xs: &[u8]) -> (u32, u32) {{ let n = Cell::new(0); let r: u32 = {way}; (r, n.get()) }}"
                )
            };
            Snippet::new("closures that count", of(old), of(new))
                .call("f@N", vec![Param::reference("Vec<u8>")])
        }
    }
}
