//! Implementations of comparisons, hashes and copies that changed, and functions that come to run them by way of the standard library.

use std::borrow::Cow;
use std::cmp::{Ordering, Reverse};
use std::collections::*;
use std::fmt;
use std::hash::{BuildHasher, Hash, Hasher};
use std::ops::*;
fn odd(x: u8) -> bool {
    x == 7
}
macro_rules! k { ($($n:ident),*) => { $(#[derive(Debug)] pub struct $n(pub u8);)* } }
k!(KHash, KEq, KOrd, KPOrd, KClone);

impl Hash for KHash {
    fn hash<H: Hasher>(&self, h: &mut H) {
        if odd(self.0) {
            changed!();
        }
        h.write_u8(self.0)
    }
}
impl PartialEq for KHash {
    fn eq(&self, o: &Self) -> bool {
        self.0 == o.0
    }
}
impl Eq for KHash {}
pub fn runs_hashmap(x: u8) -> usize {
    let mut m = HashMap::new();
    m.insert(KHash(x), 1);
    m.len()
}
pub fn runs_hashset(x: u8) -> bool {
    let mut m = HashSet::new();
    m.insert(KHash(x))
}
pub fn runs_hash_vec(x: u8) -> usize {
    let mut m = HashMap::new();
    m.insert(vec![KHash(x)], 1);
    m.len()
}
pub fn runs_hash_opt(x: u8) -> usize {
    let mut m = HashSet::new();
    m.insert((Some(KHash(x)), 3));
    m.len()
}
pub fn runs_hash_one(x: u8) -> u64 {
    std::collections::hash_map::RandomState::new().hash_one(KHash(x)) & 0
}
impl PartialEq for KEq {
    fn eq(&self, o: &Self) -> bool {
        if odd(self.0) {
            changed!();
        }
        self.0 == o.0
    }
}
impl Eq for KEq {}
impl Hash for KEq {
    fn hash<H: Hasher>(&self, h: &mut H) {
        h.write_u8(0)
    }
}
pub fn runs_contains(x: u8) -> bool {
    [KEq(x)].contains(&KEq(7))
}
pub fn runs_dedup(x: u8) -> usize {
    let mut v = vec![KEq(x), KEq(7)];
    v.dedup();
    v.len()
}
pub fn runs_eq_opt(x: u8) -> bool {
    Some(KEq(x)) == Some(KEq(7))
}
pub fn runs_eq_tuple(x: u8) -> bool {
    (1, KEq(x)) == (1, KEq(7))
}
pub fn runs_eq_box(x: u8) -> bool {
    Box::new(KEq(x)) == Box::new(KEq(7))
}
pub fn runs_eq_rc(x: u8) -> bool {
    std::rc::Rc::new(KEq(x)) == std::rc::Rc::new(KEq(7))
}
pub fn runs_eq_slice(x: u8) -> bool {
    vec![KEq(x)] == vec![KEq(7)]
}
pub fn runs_starts(x: u8) -> bool {
    [KEq(x), KEq(1)].starts_with(&[KEq(7)])
}
pub fn runs_hash_eq(x: u8) -> usize {
    let mut m = HashMap::new();
    m.insert(KEq(x), 1);
    m.insert(KEq(7), 2);
    m.len()
}
pub fn runs_iter_eq(x: u8) -> bool {
    [KEq(x)].iter().eq([KEq(7)].iter())
}
pub fn runs_position(x: u8) -> Option<usize> {
    [KEq(x)].iter().position(|k| *k == KEq(7))
}
impl PartialEq for KOrd {
    fn eq(&self, o: &Self) -> bool {
        self.0 == o.0
    }
}
impl Eq for KOrd {}
impl PartialOrd for KOrd {
    fn partial_cmp(&self, o: &Self) -> Option<Ordering> {
        Some(self.0.cmp(&o.0))
    }
}
impl Ord for KOrd {
    fn cmp(&self, o: &Self) -> Ordering {
        if odd(self.0) {
            changed!();
        }
        self.0.cmp(&o.0)
    }
}
pub fn runs_btree(x: u8) -> usize {
    let mut m = BTreeMap::new();
    m.insert(KOrd(x), 1);
    m.insert(KOrd(3), 1);
    m.len()
}
pub fn runs_btreeset(x: u8) -> usize {
    let mut m = BTreeSet::new();
    m.insert(KOrd(x));
    m.insert(KOrd(3));
    m.len()
}
pub fn runs_heap(x: u8) -> u8 {
    let mut m = BinaryHeap::new();
    m.push(KOrd(3));
    m.push(KOrd(x));
    m.pop().unwrap().0
}
pub fn runs_max(x: u8) -> u8 {
    [KOrd(x), KOrd(7)].into_iter().max().unwrap().0
}
pub fn runs_cmp_max(x: u8) -> u8 {
    std::cmp::max(KOrd(7), KOrd(x)).0
}
pub fn runs_bsearch(x: u8) -> bool {
    [KOrd(x), KOrd(9)].binary_search(&KOrd(8)).is_ok()
}
pub fn runs_rev(x: u8) -> Ordering {
    Reverse(KOrd(x)).cmp(&Reverse(KOrd(7)))
}
pub fn runs_min_by_key(x: u8) -> u8 {
    [x, 7].into_iter().min_by_key(|x| KOrd(*x)).unwrap()
}
pub fn runs_sort_by_key(x: u8) -> u8 {
    let mut v = [x, 7];
    v.sort_by_key(|x| KOrd(*x));
    v[0]
}
pub fn runs_cmp_vec(x: u8) -> Ordering {
    vec![KOrd(x)].cmp(&vec![KOrd(7)])
}
pub fn runs_clamp(x: u8) -> u8 {
    KOrd(x).clamp(KOrd(1), KOrd(9)).0
}
impl PartialEq for KPOrd {
    fn eq(&self, o: &Self) -> bool {
        self.0 == o.0
    }
}
impl Eq for KPOrd {}
impl PartialOrd for KPOrd {
    fn partial_cmp(&self, o: &Self) -> Option<Ordering> {
        if odd(self.0) {
            changed!();
        }
        Some(self.0.cmp(&o.0))
    }
}
impl Ord for KPOrd {
    fn cmp(&self, o: &Self) -> Ordering {
        self.0.cmp(&o.0)
    }
}
pub fn runs_sort_lt(x: u8) -> u8 {
    let mut v = vec![KPOrd(x), KPOrd(7)];
    v.sort();
    v[0].0
}
pub fn runs_unstable(x: u8) -> u8 {
    let mut v = vec![KPOrd(7), KPOrd(x)];
    v.sort_unstable();
    v[0].0
}
pub fn runs_heap_le(x: u8) -> u8 {
    let mut m = BinaryHeap::new();
    m.push(KPOrd(x));
    m.push(KPOrd(7));
    m.pop().unwrap().0
}
pub fn runs_lt_tuple(x: u8) -> bool {
    (KPOrd(x), 1) < (KPOrd(7), 2)
}
pub fn runs_lt_vec(x: u8) -> bool {
    vec![KPOrd(x)] < vec![KPOrd(7)]
}
pub fn runs_is_sorted(x: u8) -> bool {
    [KPOrd(x), KPOrd(7)].is_sorted()
}
pub fn runs_range_contains(x: u8) -> bool {
    (KPOrd(1)..KPOrd(9)).contains(&KPOrd(x))
}
pub fn runs_cmp_min(x: u8) -> u8 {
    std::cmp::min(KPOrd(7), KPOrd(x)).0
}
impl Clone for KClone {
    fn clone(&self) -> Self {
        if odd(self.0) {
            changed!();
        }
        KClone(self.0)
    }
}
pub fn runs_vec_macro(x: u8) -> usize {
    vec![KClone(x); 2].len()
}
pub fn runs_clone_vec(x: u8) -> usize {
    vec![KClone(x)].clone().len()
}
pub fn runs_cloned(x: u8) -> u8 {
    Some(&KClone(x)).cloned().unwrap().0
}
pub fn runs_to_vec(x: u8) -> usize {
    [KClone(x)].to_vec().len()
}
pub fn runs_iter_cloned(x: u8) -> u8 {
    [KClone(x)].iter().cloned().next().unwrap().0
}
pub fn runs_arr_clone(x: u8) -> u8 {
    [KClone(x)].clone()[0].0
}
pub fn runs_box_clone(x: u8) -> u8 {
    Box::new(KClone(x)).clone().0
}
pub fn runs_cow(x: u8) -> u8 {
    let k = KClone(x);
    Cow::Borrowed(&k).into_owned().0
}
pub fn runs_make_mut(x: u8) -> u8 {
    let a = std::rc::Rc::new(KClone(x));
    let mut b = a.clone();
    std::rc::Rc::make_mut(&mut b).0
}
pub fn runs_resize(x: u8) -> usize {
    let mut v = Vec::new();
    v.resize(3, KClone(x));
    v.len()
}
pub fn runs_repeat(x: u8) -> usize {
    std::iter::repeat(KClone(x)).take(2).count()
}
pub fn runs_extend_slice(x: u8) -> usize {
    let mut v = vec![];
    v.extend_from_slice(&[KClone(x)]);
    v.len()
}
pub fn runs_fill(x: u8) -> usize {
    let mut v = [KClone(1), KClone(2)];
    v.fill(KClone(x));
    v.len()
}
pub fn runs_cycle(x: u8) -> usize {
    vec![KClone(x)].into_iter().cycle().take(2).count()
}
