//! Types whose implementations write down that they were called.

use std::cell::RefCell;
use std::cmp::Ordering;

/// What was called, and on which elements.
pub type Entry = (&'static str, u32, u32);

thread_local! {
    static LOG: RefCell<Vec<Entry>> = const { RefCell::new(Vec::new()) };
}

pub fn note(what: &'static str, a: u32, b: u32) {
    LOG.with(|log| log.borrow_mut().push((what, a, b)));
}

pub fn taken() -> Vec<Entry> {
    LOG.with(|log| log.take())
}

/// Equal and ordered by `key`, told apart by `id`. A clone's id says so.
pub struct E {
    pub key: u8,
    pub id: u32,
}

pub const CLONED: u32 = 1000;

impl std::fmt::Debug for E {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.key, self.id)
    }
}

impl Drop for E {
    fn drop(&mut self) {
        note("drop", self.id, 0);
    }
}

impl Clone for E {
    fn clone(&self) -> E {
        note("clone", self.id, 0);
        E { key: self.key, id: self.id + CLONED }
    }
    fn clone_from(&mut self, source: &E) {
        note("clone_from", self.id, source.id);
        (self.key, self.id) = (source.key, source.id + 2 * CLONED);
    }
}

impl Default for E {
    fn default() -> E {
        note("default", 0, 0);
        E { key: 7, id: 999 }
    }
}

impl PartialEq for E {
    fn eq(&self, other: &E) -> bool {
        note("eq", self.id, other.id);
        self.key == other.key
    }
    fn ne(&self, other: &E) -> bool {
        note("ne", self.id, other.id);
        self.key != other.key
    }
}

impl Eq for E {}

impl PartialOrd for E {
    fn partial_cmp(&self, other: &E) -> Option<Ordering> {
        note("partial_cmp", self.id, other.id);
        Some(self.key.cmp(&other.key))
    }
    fn lt(&self, other: &E) -> bool {
        note("lt", self.id, other.id);
        self.key < other.key
    }
    fn le(&self, other: &E) -> bool {
        note("le", self.id, other.id);
        self.key <= other.key
    }
    fn gt(&self, other: &E) -> bool {
        note("gt", self.id, other.id);
        self.key > other.key
    }
    fn ge(&self, other: &E) -> bool {
        note("ge", self.id, other.id);
        self.key >= other.key
    }
}

impl Ord for E {
    fn cmp(&self, other: &E) -> Ordering {
        note("cmp", self.id, other.id);
        self.key.cmp(&other.key)
    }
}

/// As `E`, but only partially equal: std has ways of its own for `Eq`.
pub struct P(pub E);

impl PartialEq for P {
    fn eq(&self, other: &P) -> bool {
        self.0 == other.0
    }
    fn ne(&self, other: &P) -> bool {
        self.0 != other.0
    }
}

impl std::fmt::Debug for P {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// What is copied has a `Clone` that says that it was called all the same.
#[derive(Copy, Debug, PartialEq)]
pub struct C(pub u32);

impl Clone for C {
    fn clone(&self) -> C {
        note("clone", self.0, 0);
        *self
    }
}

/// `count` elements whose keys repeat.
pub fn elements(count: usize, seed: u64) -> Vec<E> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let different = [2, 5, 40, 200][(seed % 4) as usize];
    (0..count as u32)
        .map(|id| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            E { key: ((state >> 40) % different) as u8, id }
        })
        .collect()
}

/// As many, in the order of their keys.
pub fn in_order(count: usize, seed: u64) -> Vec<E> {
    let mut items = elements(count, seed);
    items.sort_by_key(|item| item.key);
    taken();
    items
}

// Small things whose names would mean two things where the models' traits are in scope.

pub fn cs(count: usize) -> Vec<C> {
    (0..count as u32).map(C).collect()
}

pub fn at_most(count: usize, most: usize) -> usize {
    count.min(most)
}

pub fn at_least_one(count: usize) -> usize {
    count.max(1)
}

pub fn sum_of(bytes: &[u8]) -> u32 {
    bytes.iter().map(|byte| u32::from(*byte)).sum()
}

pub fn wide(key: u8) -> u32 {
    key.into()
}

pub fn letter(key: u8) -> char {
    char::from(b'a' + key % 20)
}

pub fn order_of(a: u8, b: u8) -> Ordering {
    a.cmp(&b)
}

pub fn abcdef() -> String {
    "abcdef".to_string()
}
