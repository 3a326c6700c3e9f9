//! Iterators and collections that changed, and functions that come to run them by way of the standard library.

use std::collections::*;
use std::fmt;
use std::ops::*;
fn odd(x: u8) -> bool {
    x == 7
}
macro_rules! k { ($($n:ident),*) => { $(#[derive(Debug)] pub struct $n(pub u8);)* } }
k!(KIter, KBack, KHint, KExtend, KColl, KNth, KLen, KRFold);

impl Iterator for KIter {
    type Item = u8;
    fn next(&mut self) -> Option<u8> {
        if odd(self.0) {
            changed!();
        }
        self.0 = self.0.checked_sub(1)?;
        Some(self.0)
    }
}
pub fn runs_collect(x: u8) -> Vec<u8> {
    KIter(x).collect()
}
pub fn runs_zip(x: u8) -> usize {
    KIter(x).zip(0..3).count()
}
pub fn runs_flat(x: u8) -> usize {
    [x].into_iter().flat_map(KIter).count()
}
pub fn runs_extend(x: u8) -> usize {
    let mut v = vec![1];
    v.extend(KIter(x));
    v.len()
}
pub fn runs_string_ext(x: u8) -> usize {
    KIter(x).map(|b| b as char).collect::<String>().len()
}
pub fn runs_by_ref(x: u8) -> usize {
    let mut i = KIter(x);
    i.by_ref().take(2).count()
}
pub fn runs_dyn_iter(x: u8) -> usize {
    let b: Box<dyn Iterator<Item = u8>> = Box::new(KIter(x));
    b.count()
}
pub fn runs_peek(x: u8) -> Option<u8> {
    KIter(x).peekable().peek().copied()
}
pub fn runs_unzip(x: u8) -> usize {
    KIter(x).map(|b| (b, b)).unzip::<u8, u8, Vec<u8>, Vec<u8>>().0.len()
}
pub fn runs_btree_from(x: u8) -> usize {
    KIter(x).map(|b| (b, b)).collect::<BTreeMap<_, _>>().len()
}
pub fn runs_res_collect(x: u8) -> usize {
    KIter(x).map(Ok::<u8, ()>).collect::<Result<Vec<_>, _>>().unwrap().len()
}
impl Iterator for KBack {
    type Item = u8;
    fn next(&mut self) -> Option<u8> {
        self.0 = self.0.checked_sub(1)?;
        Some(1)
    }
}
impl DoubleEndedIterator for KBack {
    fn next_back(&mut self) -> Option<u8> {
        if odd(self.0) {
            changed!();
        }
        self.next()
    }
}
pub fn runs_rev_iter(x: u8) -> usize {
    KBack(x).rev().count()
}
pub fn runs_rfind(x: u8) -> Option<u8> {
    KBack(x).rfind(|x| *x > 3)
}
impl Iterator for KRFold {
    type Item = u8;
    fn next(&mut self) -> Option<u8> {
        self.0 = self.0.checked_sub(1)?;
        Some(1)
    }
}
impl DoubleEndedIterator for KRFold {
    fn next_back(&mut self) -> Option<u8> {
        self.next()
    }
    fn rfold<B, F: FnMut(B, u8) -> B>(self, b: B, _f: F) -> B {
        if odd(self.0) {
            changed!();
        }
        b
    }
}
pub fn runs_rfold(x: u8) -> u8 {
    KRFold(x).rev().fold(3, |a, b| a + b)
}
impl Iterator for KNth {
    type Item = u8;
    fn next(&mut self) -> Option<u8> {
        self.0 = self.0.checked_sub(1)?;
        Some(1)
    }
    fn nth(&mut self, n: usize) -> Option<u8> {
        if n == 2 {
            changed!();
        }
        for _ in 0..n {
            self.next()?;
        }
        self.next()
    }
}
pub fn runs_skip_nth(x: u8) -> Option<u8> {
    KNth(x).skip(2).next()
}
pub fn runs_step(x: u8) -> usize {
    KNth(x).step_by(3).count()
}
impl Iterator for KHint {
    type Item = u8;
    fn next(&mut self) -> Option<u8> {
        self.0 = self.0.checked_sub(1)?;
        Some(1)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        if odd(self.0) {
            changed!();
        }
        (0, None)
    }
}
pub fn runs_hint(x: u8) -> usize {
    KHint(x).collect::<Vec<u8>>().len()
}
pub fn runs_chain_hint(x: u8) -> usize {
    KHint(x).chain(KHint(1)).map(|x| x + 1).collect::<Vec<u8>>().len()
}
impl Iterator for KLen {
    type Item = u8;
    fn next(&mut self) -> Option<u8> {
        self.0 = self.0.checked_sub(1)?;
        Some(1)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0 as usize, Some(self.0 as usize))
    }
}
impl ExactSizeIterator for KLen {
    fn len(&self) -> usize {
        if odd(self.0) {
            changed!();
        }
        self.0 as usize
    }
}
pub fn runs_len(x: u8) -> usize {
    KLen(x).enumerate().len()
}
impl Extend<u8> for KExtend {
    fn extend<I: IntoIterator<Item = u8>>(&mut self, i: I) {
        let n = i.into_iter().count() as u8;
        if odd(n) {
            changed!();
        }
        self.0 += n
    }
}
impl Default for KExtend {
    fn default() -> Self {
        KExtend(0)
    }
}
pub fn runs_partition(x: u8) -> u8 {
    let (a, b): (KExtend, KExtend) = (0..x % 20).partition(|x| x % 2 == 0);
    a.0 + b.0
}
impl FromIterator<u8> for KColl {
    fn from_iter<I: IntoIterator<Item = u8>>(i: I) -> Self {
        let n = i.into_iter().count() as u8;
        if odd(n) {
            changed!();
        }
        KColl(n)
    }
}
pub fn runs_collect_own(x: u8) -> u8 {
    (0..x).collect::<KColl>().0
}
pub fn runs_collect_opt(x: u8) -> u8 {
    (0..x).map(Some).collect::<Option<KColl>>().unwrap().0
}
