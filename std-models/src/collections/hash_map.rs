//! `HashMap`: its entries in the order of their insertion, which nothing may show.

use std::borrow::Borrow;
use std::marker::PhantomData;

use super::{HashMap, hashes_again, is_same_key};
use crate::cmp::{Eq, PartialEq};
use crate::convert::From;
use crate::default::Default;
use crate::intrinsics::unmodelled;
use crate::iter::{ExactSizeIterator, Extend, FromIterator, FusedIterator, IntoIterator, Iterator};
use crate::ops::Index;
use crate::vec::check_table;

/// Where the key is among the entries.
fn find<K: Borrow<Q>, V, Q: ?Sized + std::cmp::Eq + std::hash::Hash>(
    entries: &[(K, V)],
    key: &Q,
) -> Option<usize> {
    super::restricted_to_unseen_calls::<K, Q>(key);
    let len = entries.len();
    let mut index: usize = 0;
    while index < len {
        if is_same_key(&entries[index].0, key) {
            return Some(index);
        }
        index = index.wrapping_add(1);
    }
    None
}

/// The number of entries, if there is only one order they can be in.
fn in_any_order(len: usize, what: &'static str) -> usize {
    if len > 1 { unmodelled(what) } else { len }
}

impl<K, V> HashMap<K, V> {
    pub fn new() -> HashMap<K, V> {
        HashMap { entries: Vec::new() }
    }
    pub fn with_capacity(capacity: usize) -> HashMap<K, V> {
        check_table::<(K, V)>(capacity);
        HashMap { entries: Vec::new() }
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
        let back = in_any_order(self.entries.len(), "HashMap::iter");
        Iter { entries: self.entries.as_slice(), front: 0, back }
    }
    pub fn iter_mut(&mut self) -> IterMut<'_, K, V> {
        in_any_order(self.entries.len(), "HashMap::iter_mut");
        IterMut { entry: self.entries.as_mut_slice().first_mut() }
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
    pub fn drain(&mut self) -> Drain<'_, K, V> {
        in_any_order(self.entries.len(), "HashMap::drain");
        let entry = self.entries.pop();
        Drain { entry, marker: PhantomData }
    }
    pub fn retain<F: FnMut(&K, &mut V) -> bool>(&mut self, f: F) {
        let mut f = f;
        in_any_order(self.entries.len(), "HashMap::retain");
        if let Some((key, value)) = self.entries.pop() {
            let mut value = value;
            if f(&key, &mut value) {
                self.entries.push((key, value));
            }
        }
    }
}

impl<K: std::cmp::Eq + std::hash::Hash, V> HashMap<K, V> {
    pub fn reserve(&mut self, additional: usize) {
        match self.entries.len().checked_add(additional) {
            Some(capacity) => check_table::<(K, V)>(capacity),
            None => panic!("capacity overflow"),
        }
        hashes_again::<K>(self.entries.len());
    }
    pub fn shrink_to_fit(&mut self) {
        hashes_again::<K>(self.entries.len());
    }
    pub fn insert(&mut self, k: K, v: V) -> Option<V> {
        match find::<K, V, K>(self.entries.as_slice(), &k) {
            Some(index) => Some(std::mem::replace(&mut self.entries.as_mut_slice()[index].1, v)),
            None => {
                self.entries.push((k, v));
                None
            }
        }
    }
    pub fn contains_key<Q: ?Sized + std::cmp::Eq + std::hash::Hash>(&self, k: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        match find(self.entries.as_slice(), k) {
            Some(_) => true,
            None => false,
        }
    }
    pub fn get<Q: ?Sized + std::cmp::Eq + std::hash::Hash>(&self, k: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        match find(self.entries.as_slice(), k) {
            Some(index) => Some(&self.entries.as_slice()[index].1),
            None => None,
        }
    }
    pub fn get_key_value<Q: ?Sized + std::cmp::Eq + std::hash::Hash>(&self, k: &Q) -> Option<(&K, &V)>
    where
        K: Borrow<Q>,
    {
        match find(self.entries.as_slice(), k) {
            Some(index) => {
                let entry = &self.entries.as_slice()[index];
                Some((&entry.0, &entry.1))
            }
            None => None,
        }
    }
    pub fn get_mut<Q: ?Sized + std::cmp::Eq + std::hash::Hash>(&mut self, k: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        match find(self.entries.as_slice(), k) {
            Some(index) => Some(&mut self.entries.as_mut_slice()[index].1),
            None => None,
        }
    }
    pub fn remove<Q: ?Sized + std::cmp::Eq + std::hash::Hash>(&mut self, k: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        match find(self.entries.as_slice(), k) {
            Some(index) => Some(self.entries.remove(index).1),
            None => None,
        }
    }
    pub fn remove_entry<Q: ?Sized + std::cmp::Eq + std::hash::Hash>(&mut self, k: &Q) -> Option<(K, V)>
    where
        K: Borrow<Q>,
    {
        match find(self.entries.as_slice(), k) {
            Some(index) => Some(self.entries.remove(index)),
            None => None,
        }
    }
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        match find::<K, V, K>(self.entries.as_slice(), &key) {
            Some(index) => Entry::Occupied(OccupiedEntry { entries: &mut self.entries, index }),
            None => Entry::Vacant(VacantEntry { entries: &mut self.entries, key }),
        }
    }
}

pub enum Entry<'a, K, V> {
    Occupied(OccupiedEntry<'a, K, V>),
    Vacant(VacantEntry<'a, K, V>),
}

pub struct OccupiedEntry<'a, K, V> {
    entries: &'a mut Vec<(K, V)>,
    index: usize,
}

pub struct VacantEntry<'a, K, V> {
    entries: &'a mut Vec<(K, V)>,
    key: K,
}

impl<'a, K, V> Entry<'a, K, V> {
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
    pub fn insert_entry(self, value: V) -> OccupiedEntry<'a, K, V> {
        match self {
            Entry::Occupied(entry) => {
                let mut entry = entry;
                entry.insert(value);
                entry
            }
            Entry::Vacant(entry) => entry.insert_entry(value),
        }
    }
    pub fn key(&self) -> &K {
        match self {
            Entry::Occupied(entry) => entry.key(),
            Entry::Vacant(entry) => entry.key(),
        }
    }
}

impl<'a, K, V> OccupiedEntry<'a, K, V> {
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

impl<'a, K, V> VacantEntry<'a, K, V> {
    pub fn key(&self) -> &K {
        &self.key
    }
    pub fn into_key(self) -> K {
        self.key
    }
    pub fn insert(self, value: V) -> &'a mut V {
        let index = self.entries.len();
        self.entries.push((self.key, value));
        &mut self.entries.as_mut_slice()[index].1
    }
    pub fn insert_entry(self, value: V) -> OccupiedEntry<'a, K, V> {
        let index = self.entries.len();
        self.entries.push((self.key, value));
        OccupiedEntry { entries: self.entries, index }
    }
}

pub struct Iter<'a, K, V> {
    entries: &'a [(K, V)],
    front: usize,
    back: usize,
}

pub struct IterMut<'a, K, V> {
    entry: Option<&'a mut (K, V)>,
}

pub struct IntoIter<K, V> {
    entry: Option<(K, V)>,
}

pub struct Drain<'a, K, V> {
    entry: Option<(K, V)>,
    marker: PhantomData<&'a mut HashMap<K, V>>,
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
        if self.front < self.back {
            let entry = &self.entries[self.front];
            self.front = self.front.wrapping_add(1);
            Some((&entry.0, &entry.1))
        } else {
            None
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.back.wrapping_sub(self.front);
        (left, Some(left))
    }
}

impl<'a, K, V> std::clone::Clone for Iter<'a, K, V> {
    fn clone(&self) -> Self {
        Iter { entries: self.entries, front: self.front, back: self.back }
    }
}

impl<'a, K, V> Iterator for IterMut<'a, K, V> {
    type Item = (&'a K, &'a mut V);
    fn next(&mut self) -> Option<(&'a K, &'a mut V)> {
        match std::mem::replace(&mut self.entry, None) {
            Some(entry) => Some((&entry.0, &mut entry.1)),
            None => None,
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        match self.entry {
            Some(_) => (1, Some(1)),
            None => (0, Some(0)),
        }
    }
}

macro_rules! last_entry {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        impl<$($generics)* K, V> Iterator for $ty {
            type Item = (K, V);
            fn next(&mut self) -> Option<(K, V)> {
                std::mem::replace(&mut self.entry, None)
            }
            fn size_hint(&self) -> (usize, Option<usize>) {
                match self.entry {
                    Some(_) => (1, Some(1)),
                    None => (0, Some(0)),
                }
            }
        }
    )*};
}

last_entry! {
    [] IntoIter<K, V>;
    ['a,] Drain<'a, K, V>;
}

/// One half of what another iterator yields.
macro_rules! halves {
    ($([$($generics:tt)*] $ty:ty: $half:tt $item:ty;)*) => {$(
        impl<$($generics)* K, V> Iterator for $ty {
            type Item = $item;
            fn next(&mut self) -> Option<$item> {
                match self.iter.next() {
                    Some(entry) => Some(entry.$half),
                    None => None,
                }
            }
            fn size_hint(&self) -> (usize, Option<usize>) {
                self.iter.size_hint()
            }
        }
        impl<$($generics)* K, V> ExactSizeIterator for $ty {}
        impl<$($generics)* K, V> FusedIterator for $ty {}
    )*};
}

halves! {
    ['a,] Keys<'a, K, V>: 0 &'a K;
    ['a,] Values<'a, K, V>: 1 &'a V;
    ['a,] ValuesMut<'a, K, V>: 1 &'a mut V;
    [] IntoKeys<K, V>: 0 K;
    [] IntoValues<K, V>: 1 V;
}

impl<'a, K, V> std::clone::Clone for Keys<'a, K, V> {
    fn clone(&self) -> Self {
        Keys { iter: self.iter.clone() }
    }
}

impl<'a, K, V> std::clone::Clone for Values<'a, K, V> {
    fn clone(&self) -> Self {
        Values { iter: self.iter.clone() }
    }
}

impl<'a, K, V> ExactSizeIterator for Iter<'a, K, V> {}
impl<'a, K, V> ExactSizeIterator for IterMut<'a, K, V> {}
impl<K, V> ExactSizeIterator for IntoIter<K, V> {}

impl<K, V> IntoIterator for HashMap<K, V> {
    type Item = (K, V);
    type IntoIter = IntoIter<K, V>;
    fn into_iter(self) -> IntoIter<K, V> {
        in_any_order(self.entries.len(), "HashMap::into_iter");
        let mut entries = self.entries;
        IntoIter { entry: entries.pop() }
    }
}

impl<'a, K, V> IntoIterator for &'a HashMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, K, V>;
    fn into_iter(self) -> Iter<'a, K, V> {
        self.iter()
    }
}

impl<'a, K, V> IntoIterator for &'a mut HashMap<K, V> {
    type Item = (&'a K, &'a mut V);
    type IntoIter = IterMut<'a, K, V>;
    fn into_iter(self) -> IterMut<'a, K, V> {
        self.iter_mut()
    }
}

impl<K: std::cmp::Eq + std::hash::Hash, V> Extend<(K, V)> for HashMap<K, V> {
    fn extend<T: IntoIterator<Item = (K, V)>>(&mut self, iter: T) {
        let mut iter = iter.into_iter();
        super::restricted_to_small_tables(&iter);
        while let Some((key, value)) = iter.next() {
            self.insert(key, value);
        }
    }
}

impl<'a, K: std::cmp::Eq + std::hash::Hash + Copy, V: Copy> Extend<(&'a K, &'a V)> for HashMap<K, V> {
    fn extend<T: IntoIterator<Item = (&'a K, &'a V)>>(&mut self, iter: T) {
        let mut iter = iter.into_iter();
        super::restricted_to_small_tables(&iter);
        while let Some((key, value)) = iter.next() {
            self.insert(*key, *value);
        }
    }
}

impl<K: std::cmp::Eq + std::hash::Hash, V> FromIterator<(K, V)> for HashMap<K, V> {
    fn from_iter<T: IntoIterator<Item = (K, V)>>(iter: T) -> HashMap<K, V> {
        let mut map = HashMap { entries: Vec::new() };
        Extend::extend(&mut map, iter);
        map
    }
}

impl<K: std::cmp::Eq + std::hash::Hash, V, const N: usize> From<[(K, V); N]> for HashMap<K, V> {
    fn from(entries: [(K, V); N]) -> HashMap<K, V> {
        let mut map = HashMap { entries: Vec::new() };
        Extend::extend(&mut map, entries);
        map
    }
}

impl<K, V> Default for HashMap<K, V> {
    fn default() -> HashMap<K, V> {
        HashMap { entries: Vec::new() }
    }
}

impl<K: std::cmp::Eq + std::hash::Hash + Borrow<Q>, Q: ?Sized + std::cmp::Eq + std::hash::Hash, V> Index<&Q>
    for HashMap<K, V>
{
    type Output = V;
    fn index(&self, key: &Q) -> &V {
        match find(self.entries.as_slice(), key) {
            Some(index) => &self.entries.as_slice()[index].1,
            None => panic!("no entry found for key"),
        }
    }
}

impl<K: std::cmp::Eq + std::hash::Hash, V: std::cmp::PartialEq> PartialEq for HashMap<K, V> {
    fn eq(&self, other: &HashMap<K, V>) -> bool {
        let len = self.entries.len();
        if len != other.entries.len() {
            return false;
        }
        let mut index: usize = 0;
        while index < len {
            let entry = &self.entries.as_slice()[index];
            match find::<K, V, K>(other.entries.as_slice(), &entry.0) {
                Some(at) if entry.1 == other.entries.as_slice()[at].1 => {}
                _ => return false,
            }
            index = index.wrapping_add(1);
        }
        true
    }
}

impl<K: std::cmp::Eq + std::hash::Hash, V: std::cmp::Eq> Eq for HashMap<K, V> {}
