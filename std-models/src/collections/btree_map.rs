//! `BTreeMap`: its entries in the order of their keys.

use std::borrow::Borrow;
use std::cmp::Ordering;

use super::BTreeMap;
use crate::cmp::{Eq, Ord, PartialEq, PartialOrd};
use crate::convert::From;
use crate::default::Default;
use crate::hash::{Hash, Hasher};
use crate::intrinsics::{subslice, subslice_mut};
use crate::iter::{
    DoubleEndedIterator, ExactSizeIterator, Extend, FromIterator, FusedIterator, IntoIterator, Iterator,
};
use crate::ops::{Index, RangeBounds};
use crate::slice::order::{insertion_sort, restricted_to_plain};

/// Where the key is among the entries, or where it belongs.
pub(crate) fn search<K: Borrow<Q>, V, Q: ?Sized + std::cmp::Ord>(
    entries: &[(K, V)],
    key: &Q,
) -> Result<usize, usize> {
    search_from(entries, key, 0)
}

fn search_from<K: Borrow<Q>, V, Q: ?Sized + std::cmp::Ord>(
    entries: &[(K, V)],
    key: &Q,
    from: usize,
) -> Result<usize, usize> {
    let len = entries.len();
    super::restricted_to_one_node_or_plain::<K, Q>(len);
    let mut index = from;
    while index < len {
        match key.cmp(<K as Borrow<Q>>::borrow(&entries[index].0)) {
            Ordering::Greater => {}
            Ordering::Equal => return Ok(index),
            Ordering::Less => return Err(index),
        }
        index = index.wrapping_add(1);
    }
    Err(len)
}

/// The positions that a range of keys selects.
fn bounds_of<K, V, T, R>(entries: &[(K, V)], range: &R) -> (usize, usize)
where
    K: Borrow<T>,
    T: ?Sized + std::cmp::Ord,
    R: RangeBounds<T>,
{
    let len = entries.len();
    super::range_of::<T, R, _>(len, range, |key, from| search_from(entries, key, from))
}

impl<K, V> BTreeMap<K, V> {
    pub const fn new() -> BTreeMap<K, V> {
        BTreeMap { entries: Vec::new() }
    }
    pub fn len(&self) -> usize {
        self.entries.len()
    }
    pub fn is_empty(&self) -> bool {
        self.entries.len() == 0
    }
    pub fn clear(&mut self) {
        self.entries = Vec::new();
    }
    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter { entries: self.entries.as_slice() }
    }
    pub fn iter_mut(&mut self) -> IterMut<'_, K, V> {
        IterMut { entries: self.entries.as_mut_slice() }
    }
    pub fn keys(&self) -> Keys<'_, K, V> {
        Keys { iter: self.iter() }
    }
    pub fn values(&self) -> Values<'_, K, V> {
        Values { iter: self.iter() }
    }
    pub fn values_mut(&mut self) -> ValuesMut<'_, K, V> {
        ValuesMut { iter: self.iter_mut() }
    }
    pub fn into_keys(self) -> IntoKeys<K, V> {
        IntoKeys { iter: IntoIterator::into_iter(self) }
    }
    pub fn into_values(self) -> IntoValues<K, V> {
        IntoValues { iter: IntoIterator::into_iter(self) }
    }
    pub fn first_key_value(&self) -> Option<(&K, &V)> {
        match self.entries.as_slice().first() {
            Some(entry) => Some((&entry.0, &entry.1)),
            None => None,
        }
    }
    pub fn last_key_value(&self) -> Option<(&K, &V)> {
        match self.entries.as_slice().last() {
            Some(entry) => Some((&entry.0, &entry.1)),
            None => None,
        }
    }
    pub fn pop_first(&mut self) -> Option<(K, V)> {
        if self.entries.len() > 0 { Some(self.entries.remove(0)) } else { None }
    }
    pub fn pop_last(&mut self) -> Option<(K, V)> {
        self.entries.pop()
    }
    pub fn retain<F: FnMut(&K, &mut V) -> bool>(&mut self, f: F) {
        let mut f = f;
        self.entries.retain_mut(|entry| f(&entry.0, &mut entry.1));
    }
}

impl<K: std::cmp::Ord, V> BTreeMap<K, V> {
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match search::<K, V, K>(self.entries.as_slice(), &key) {
            Ok(index) => Some(std::mem::replace(&mut self.entries.as_mut_slice()[index].1, value)),
            Err(index) => {
                super::restricted_to_one_node::<K>(self.entries.len().wrapping_add(1));
                self.entries.insert(index, (key, value));
                None
            }
        }
    }
    pub fn contains_key<Q: ?Sized + std::cmp::Ord>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        match search(self.entries.as_slice(), key) {
            Ok(_) => true,
            Err(_) => false,
        }
    }
    pub fn get<Q: ?Sized + std::cmp::Ord>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        match search(self.entries.as_slice(), key) {
            Ok(index) => Some(&self.entries.as_slice()[index].1),
            Err(_) => None,
        }
    }
    pub fn get_key_value<Q: ?Sized + std::cmp::Ord>(&self, key: &Q) -> Option<(&K, &V)>
    where
        K: Borrow<Q>,
    {
        match search(self.entries.as_slice(), key) {
            Ok(index) => {
                let entry = &self.entries.as_slice()[index];
                Some((&entry.0, &entry.1))
            }
            Err(_) => None,
        }
    }
    pub fn get_mut<Q: ?Sized + std::cmp::Ord>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        match search(self.entries.as_slice(), key) {
            Ok(index) => Some(&mut self.entries.as_mut_slice()[index].1),
            Err(_) => None,
        }
    }
    pub fn remove<Q: ?Sized + std::cmp::Ord>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        match search(self.entries.as_slice(), key) {
            Ok(index) => Some(self.entries.remove(index).1),
            Err(_) => None,
        }
    }
    pub fn remove_entry<Q: ?Sized + std::cmp::Ord>(&mut self, key: &Q) -> Option<(K, V)>
    where
        K: Borrow<Q>,
    {
        match search(self.entries.as_slice(), key) {
            Ok(index) => Some(self.entries.remove(index)),
            Err(_) => None,
        }
    }
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        match search::<K, V, K>(self.entries.as_slice(), &key) {
            Ok(index) => Entry::Occupied(OccupiedEntry { entries: &mut self.entries, index }),
            Err(index) => Entry::Vacant(VacantEntry { entries: &mut self.entries, index, key }),
        }
    }
    pub fn append(&mut self, other: &mut BTreeMap<K, V>) {
        if other.entries.len() == 0 {
            return;
        }
        if self.entries.len() == 0 {
            std::mem::swap(&mut self.entries, &mut other.entries);
            return;
        }
        let mut left = crate::vec::IntoIter::over(std::mem::replace(&mut self.entries, Vec::new()));
        let mut right = crate::vec::IntoIter::over(std::mem::replace(&mut other.entries, Vec::new()));
        let (mut mine, mut theirs) = (left.next(), right.next());
        loop {
            let order = match (&mine, &theirs) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(mine), Some(theirs)) => mine.0.cmp(&theirs.0),
            };
            match order {
                Ordering::Less => {
                    if let Some(entry) = std::mem::replace(&mut mine, left.next()) {
                        self.entries.push(entry);
                    }
                }
                Ordering::Greater => {
                    if let Some(entry) = std::mem::replace(&mut theirs, right.next()) {
                        self.entries.push(entry);
                    }
                }
                Ordering::Equal => {
                    // The key stays, the value is the newer one.
                    let (old, new) = (mine, theirs);
                    if let (Some((key, _)), Some((_, value))) = (old, new) {
                        self.entries.push((key, value));
                    }
                    mine = left.next();
                    theirs = right.next();
                }
            }
        }
        super::restricted_to_one_node::<K>(self.entries.len());
    }
    pub fn split_off<Q: ?Sized + std::cmp::Ord>(&mut self, key: &Q) -> BTreeMap<K, V>
    where
        K: Borrow<Q>,
    {
        let at = match search(self.entries.as_slice(), key) {
            Ok(index) | Err(index) => index,
        };
        BTreeMap { entries: self.entries.split_off(at) }
    }
    pub fn range<T: ?Sized + std::cmp::Ord, R: RangeBounds<T>>(&self, range: R) -> Range<'_, K, V>
    where
        K: Borrow<T>,
    {
        let (from, to) = bounds_of(self.entries.as_slice(), &range);
        Range { iter: Iter { entries: subslice(self.entries.as_slice(), from, to) } }
    }
    pub fn range_mut<T: ?Sized + std::cmp::Ord, R: RangeBounds<T>>(&mut self, range: R) -> RangeMut<'_, K, V>
    where
        K: Borrow<T>,
    {
        let (from, to) = bounds_of(self.entries.as_slice(), &range);
        RangeMut { iter: IterMut { entries: subslice_mut(self.entries.as_mut_slice(), from, to) } }
    }
}

pub enum Entry<'a, K, V> {
    Vacant(VacantEntry<'a, K, V>),
    Occupied(OccupiedEntry<'a, K, V>),
}

pub struct OccupiedEntry<'a, K, V> {
    entries: &'a mut Vec<(K, V)>,
    index: usize,
}

pub struct VacantEntry<'a, K, V> {
    entries: &'a mut Vec<(K, V)>,
    index: usize,
    key: K,
}

impl<'a, K: std::cmp::Ord, V> Entry<'a, K, V> {
    pub fn or_insert(self, default: V) -> &'a mut V {
        match self {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(default),
        }
    }
    pub fn or_insert_with<F: FnOnce() -> V>(self, default: F) -> &'a mut V {
        match self {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(default()),
        }
    }
    pub fn or_insert_with_key<F: FnOnce(&K) -> V>(self, default: F) -> &'a mut V {
        match self {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let value = default(&entry.key);
                entry.insert(value)
            }
        }
    }
    pub fn or_default(self) -> &'a mut V
    where
        V: std::default::Default,
    {
        match self {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(std::default::Default::default()),
        }
    }
    pub fn and_modify<F: FnOnce(&mut V)>(self, f: F) -> Self {
        match self {
            Entry::Occupied(entry) => {
                let mut entry = entry;
                f(entry.get_mut());
                Entry::Occupied(entry)
            }
            Entry::Vacant(entry) => Entry::Vacant(entry),
        }
    }
    pub fn key(&self) -> &K {
        match self {
            Entry::Occupied(entry) => entry.key(),
            Entry::Vacant(entry) => entry.key(),
        }
    }
}

impl<'a, K: std::cmp::Ord, V> OccupiedEntry<'a, K, V> {
    pub fn key(&self) -> &K {
        &self.entries.as_slice()[self.index].0
    }
    pub fn get(&self) -> &V {
        &self.entries.as_slice()[self.index].1
    }
    pub fn get_mut(&mut self) -> &mut V {
        &mut self.entries.as_mut_slice()[self.index].1
    }
    pub fn into_mut(self) -> &'a mut V {
        &mut self.entries.as_mut_slice()[self.index].1
    }
    pub fn insert(&mut self, value: V) -> V {
        std::mem::replace(&mut self.entries.as_mut_slice()[self.index].1, value)
    }
    pub fn remove(self) -> V {
        self.entries.remove(self.index).1
    }
    pub fn remove_entry(self) -> (K, V) {
        self.entries.remove(self.index)
    }
}

impl<'a, K: std::cmp::Ord, V> VacantEntry<'a, K, V> {
    pub fn key(&self) -> &K {
        &self.key
    }
    pub fn into_key(self) -> K {
        self.key
    }
    pub fn insert(self, value: V) -> &'a mut V {
        super::restricted_to_one_node::<K>(self.entries.len().wrapping_add(1));
        self.entries.insert(self.index, (self.key, value));
        &mut self.entries.as_mut_slice()[self.index].1
    }
}

/// Yields the entries of what is left.
pub struct Iter<'a, K, V> {
    entries: &'a [(K, V)],
}

pub struct IterMut<'a, K, V> {
    entries: &'a mut [(K, V)],
}

pub struct IntoIter<K, V> {
    entries: crate::vec::IntoIter<(K, V)>,
}

pub struct Range<'a, K, V> {
    iter: Iter<'a, K, V>,
}

pub struct RangeMut<'a, K, V> {
    iter: IterMut<'a, K, V>,
}

pub struct Keys<'a, K, V> {
    iter: Iter<'a, K, V>,
}

pub struct Values<'a, K, V> {
    iter: Iter<'a, K, V>,
}

pub struct ValuesMut<'a, K, V> {
    iter: IterMut<'a, K, V>,
}

pub struct IntoKeys<K, V> {
    iter: IntoIter<K, V>,
}

pub struct IntoValues<K, V> {
    iter: IntoIter<K, V>,
}

impl<'a, K, V> Iterator for Iter<'a, K, V> {
    type Item = (&'a K, &'a V);
    fn next(&mut self) -> Option<(&'a K, &'a V)> {
        match self.entries.split_first() {
            Some((entry, rest)) => {
                self.entries = rest;
                Some((&entry.0, &entry.1))
            }
            None => None,
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.entries.len(), Some(self.entries.len()))
    }
}

impl<'a, K, V> DoubleEndedIterator for Iter<'a, K, V> {
    fn next_back(&mut self) -> Option<(&'a K, &'a V)> {
        match self.entries.split_last() {
            Some((entry, rest)) => {
                self.entries = rest;
                Some((&entry.0, &entry.1))
            }
            None => None,
        }
    }
}

impl<'a, K, V> std::clone::Clone for Iter<'a, K, V> {
    fn clone(&self) -> Self {
        Iter { entries: self.entries }
    }
}

impl<'a, K, V> Iterator for IterMut<'a, K, V> {
    type Item = (&'a K, &'a mut V);
    fn next(&mut self) -> Option<(&'a K, &'a mut V)> {
        let entries = std::mem::replace(&mut self.entries, &mut []);
        match entries.split_first_mut() {
            Some((entry, rest)) => {
                self.entries = rest;
                Some((&entry.0, &mut entry.1))
            }
            None => None,
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.entries.len(), Some(self.entries.len()))
    }
}

impl<'a, K, V> DoubleEndedIterator for IterMut<'a, K, V> {
    fn next_back(&mut self) -> Option<(&'a K, &'a mut V)> {
        let entries = std::mem::replace(&mut self.entries, &mut []);
        match entries.split_last_mut() {
            Some((entry, rest)) => {
                self.entries = rest;
                Some((&entry.0, &mut entry.1))
            }
            None => None,
        }
    }
}

impl<K, V> Iterator for IntoIter<K, V> {
    type Item = (K, V);
    fn next(&mut self) -> Option<(K, V)> {
        self.entries.next()
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.entries.size_hint()
    }
}

impl<K, V> DoubleEndedIterator for IntoIter<K, V> {
    fn next_back(&mut self) -> Option<(K, V)> {
        self.entries.next_back()
    }
}

/// What another iterator yields, or one half of it.
macro_rules! parts {
    ($([$($generics:tt)*] $ty:ty: |$entry:ident| $part:expr, $item:ty;)*) => {$(
        impl<$($generics)* K, V> Iterator for $ty {
            type Item = $item;
            fn next(&mut self) -> Option<$item> {
                match self.iter.next() {
                    Some($entry) => Some($part),
                    None => None,
                }
            }
            fn size_hint(&self) -> (usize, Option<usize>) {
                self.iter.size_hint()
            }
        }
        impl<$($generics)* K, V> DoubleEndedIterator for $ty {
            fn next_back(&mut self) -> Option<$item> {
                match self.iter.next_back() {
                    Some($entry) => Some($part),
                    None => None,
                }
            }
        }
        impl<$($generics)* K, V> FusedIterator for $ty {}
    )*};
}

parts! {
    ['a,] Keys<'a, K, V>: |entry| entry.0, &'a K;
    ['a,] Values<'a, K, V>: |entry| entry.1, &'a V;
    ['a,] ValuesMut<'a, K, V>: |entry| entry.1, &'a mut V;
    [] IntoKeys<K, V>: |entry| entry.0, K;
    [] IntoValues<K, V>: |entry| entry.1, V;
}

macro_rules! exact_sizes {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        impl<$($generics)* K, V> ExactSizeIterator for $ty {}
    )*};
}

exact_sizes! {
    ['a,] Iter<'a, K, V>;
    ['a,] IterMut<'a, K, V>;
    [] IntoIter<K, V>;
    ['a,] Keys<'a, K, V>;
    ['a,] Values<'a, K, V>;
    ['a,] ValuesMut<'a, K, V>;
    [] IntoKeys<K, V>;
    [] IntoValues<K, V>;
}

/// Unlike the other iterators, ranges do not say how many they are.
macro_rules! ranges {
    ($($ty:ident $value:ty;)*) => {$(
        impl<'a, K, V> Iterator for $ty<'a, K, V> {
            type Item = (&'a K, $value);
            fn next(&mut self) -> Option<(&'a K, $value)> {
                self.iter.next()
            }
        }
        impl<'a, K, V> DoubleEndedIterator for $ty<'a, K, V> {
            fn next_back(&mut self) -> Option<(&'a K, $value)> {
                self.iter.next_back()
            }
        }
    )*};
}

ranges! {
    Range &'a V;
    RangeMut &'a mut V;
}

impl<K, V> IntoIterator for BTreeMap<K, V> {
    type Item = (K, V);
    type IntoIter = IntoIter<K, V>;
    fn into_iter(self) -> IntoIter<K, V> {
        IntoIter { entries: crate::vec::IntoIter::over(self.entries) }
    }
}

impl<'a, K, V> IntoIterator for &'a BTreeMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, K, V>;
    fn into_iter(self) -> Iter<'a, K, V> {
        self.iter()
    }
}

impl<'a, K, V> IntoIterator for &'a mut BTreeMap<K, V> {
    type Item = (&'a K, &'a mut V);
    type IntoIter = IterMut<'a, K, V>;
    fn into_iter(self) -> IterMut<'a, K, V> {
        self.iter_mut()
    }
}

impl<K: std::cmp::Ord, V> Extend<(K, V)> for BTreeMap<K, V> {
    fn extend<T: IntoIterator<Item = (K, V)>>(&mut self, iter: T) {
        let mut iter = iter.into_iter();
        while let Some((key, value)) = iter.next() {
            self.insert(key, value);
        }
    }
}

impl<K: std::cmp::Ord, V> FromIterator<(K, V)> for BTreeMap<K, V> {
    fn from_iter<T: IntoIterator<Item = (K, V)>>(iter: T) -> BTreeMap<K, V> {
        let mut entries: Vec<(K, V)> = FromIterator::from_iter(iter);
        restricted_to_plain::<K>(entries.len());
        insertion_sort(entries.as_mut_slice(), |a, b| matches!(a.0.cmp(&b.0), Ordering::Less));
        // Built in one piece, a map keeps the last of equal keys whole.
        let entries =
            super::without_repetitions(crate::vec::IntoIter::over(entries), |entry, next| entry.0 != next.0);
        super::restricted_to_one_node::<K>(entries.len());
        BTreeMap { entries }
    }
}

impl<K: std::cmp::Ord, V, const N: usize> From<[(K, V); N]> for BTreeMap<K, V> {
    fn from(entries: [(K, V); N]) -> BTreeMap<K, V> {
        FromIterator::from_iter(entries)
    }
}

impl<K, V> Default for BTreeMap<K, V> {
    fn default() -> BTreeMap<K, V> {
        BTreeMap { entries: Vec::new() }
    }
}

impl<K: Borrow<Q> + std::cmp::Ord, Q: ?Sized + std::cmp::Ord, V> Index<&Q> for BTreeMap<K, V> {
    type Output = V;
    fn index(&self, key: &Q) -> &V {
        match search(self.entries.as_slice(), key) {
            Ok(index) => &self.entries.as_slice()[index].1,
            Err(_) => panic!("no entry found for key"),
        }
    }
}

impl<K: std::cmp::PartialEq, V: std::cmp::PartialEq> PartialEq for BTreeMap<K, V> {
    fn eq(&self, other: &BTreeMap<K, V>) -> bool {
        let len = self.entries.len();
        if len != other.entries.len() {
            return false;
        }
        let mut index: usize = 0;
        while index < len {
            let (left, right) = (&self.entries.as_slice()[index], &other.entries.as_slice()[index]);
            if !(left.0 == right.0 && left.1 == right.1) {
                return false;
            }
            index = index.wrapping_add(1);
        }
        true
    }
}

impl<K: std::cmp::Eq, V: std::cmp::Eq> Eq for BTreeMap<K, V> {}

impl<K: std::cmp::PartialOrd, V: std::cmp::PartialOrd> PartialOrd for BTreeMap<K, V> {
    fn partial_cmp(&self, other: &BTreeMap<K, V>) -> Option<Ordering> {
        std::cmp::PartialOrd::partial_cmp(self.entries.as_slice(), other.entries.as_slice())
    }
}

impl<K: std::cmp::Ord, V: std::cmp::Ord> Ord for BTreeMap<K, V> {
    fn cmp(&self, other: &BTreeMap<K, V>) -> Ordering {
        std::cmp::Ord::cmp(self.entries.as_slice(), other.entries.as_slice())
    }
}

impl<K: Hash, V: Hash> Hash for BTreeMap<K, V> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.entries.len());
        let mut index: usize = 0;
        while index < self.entries.len() {
            let entry = &self.entries.as_slice()[index];
            entry.0.hash(state);
            entry.1.hash(state);
            index = index.wrapping_add(1);
        }
    }
}
