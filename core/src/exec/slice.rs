//! Interned sets of branch instances: the slice that every scalar carries.
//!
//! A set is a sorted array behind a small id; unions are memoised, so carrying slices costs little where values
//! flow without new branches. Ids are meaningful within one run only.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::changes::ChangeId;
use crate::idx::{Idx, IdxVec};

crate::define_ids! {
    /// One execution of a branch in one run; ids grow in execution order.
    InstanceId = "b";
    /// An interned set of branch instances.
    SliceId = "s";
}

/// All sets of one run.
#[derive(Debug)]
pub struct Slices {
    sets: IdxVec<SliceId, Rc<[InstanceId]>>,
    ids: FxHashMap<Rc<[InstanceId]>, SliceId>,
    unions: FxHashMap<(SliceId, SliceId), SliceId>,
    tokens: usize,
}

/// Beyond any number of branch instances.
const FIRST_TOKEN: usize = 1 << 30;
/// Beyond any number of tokens.
const FIRST_CHANGE: usize = 1 << 31;

impl Default for SliceId {
    fn default() -> Self {
        SliceId::empty()
    }
}

impl SliceId {
    /// The empty set, in every run.
    pub fn empty() -> SliceId {
        SliceId::from_usize(0)
    }
}

impl Default for Slices {
    fn default() -> Self {
        let mut slices = Slices {
            sets: IdxVec::new(),
            ids: FxHashMap::default(),
            unions: FxHashMap::default(),
            tokens: 0,
        };
        let empty = slices.intern(Rc::from([]));
        debug_assert_eq!(empty, SliceId::empty());
        slices
    }
}

impl Slices {
    pub fn get(&self, slice: SliceId) -> &[InstanceId] {
        &self.sets[slice]
    }

    pub fn contains(&self, slice: SliceId, instance: InstanceId) -> bool {
        self.sets[slice].binary_search(&instance).is_ok()
    }

    pub fn with(&mut self, slice: SliceId, instance: InstanceId) -> SliceId {
        let single = self.intern(Rc::from([instance]));
        self.union(slice, single)
    }

    pub fn union(&mut self, a: SliceId, b: SliceId) -> SliceId {
        if a == b || b == SliceId::empty() {
            return a;
        }
        if a == SliceId::empty() {
            return b;
        }
        let key = if a < b { (a, b) } else { (b, a) };
        if let Some(&known) = self.unions.get(&key) {
            return known;
        }
        let merged = merge(&self.sets[a], &self.sets[b]);
        let id = self.intern(merged.into());
        self.unions.insert(key, id);
        id
    }

    /// Whether every branch of `part` is in `whole`.
    pub fn is_subset(&mut self, part: SliceId, whole: SliceId) -> bool {
        self.union(whole, part) == whole
    }

    /// A set of one number that belongs to no branch instance: it tells one region from another.
    pub fn token(&mut self) -> SliceId {
        self.tokens += 1;
        self.intern(Rc::from([InstanceId::from_usize(FIRST_TOKEN + self.tokens)]))
    }

    /// A set of these changes.
    pub fn of_changes(&mut self, changes: &[ChangeId]) -> SliceId {
        let member = |slice, change: &ChangeId| {
            self.with(slice, InstanceId::from_usize(FIRST_CHANGE + change.index()))
        };
        changes.iter().fold(SliceId::empty(), member)
    }

    /// The changes in a set.
    pub fn changes(&self, slice: SliceId) -> impl Iterator<Item = ChangeId> {
        let number = |member: &InstanceId| member.index().checked_sub(FIRST_CHANGE);
        self.get(slice).iter().filter_map(number).map(ChangeId::from_usize)
    }

    fn intern(&mut self, set: Rc<[InstanceId]>) -> SliceId {
        if let Some(&id) = self.ids.get(&set) {
            return id;
        }
        let id = self.sets.push(set.clone());
        self.ids.insert(set, id);
        id
    }
}

fn merge(a: &[InstanceId], b: &[InstanceId]) -> Vec<InstanceId> {
    let mut merged = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        let next = a[i].min(b[j]);
        i += usize::from(a[i] == next);
        j += usize::from(b[j] == next);
        merged.push(next);
    }
    merged.extend_from_slice(&a[i..]);
    merged.extend_from_slice(&b[j..]);
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(slices: &mut Slices, members: &[usize]) -> SliceId {
        members.iter().fold(SliceId::empty(), |acc, &m| slices.with(acc, InstanceId::from_usize(m)))
    }

    #[test]
    fn equal_sets_have_equal_ids() {
        let mut slices = Slices::default();
        assert_eq!(set(&mut slices, &[1, 2, 3]), set(&mut slices, &[3, 1, 2, 1]));
    }

    #[test]
    fn union_holds_what_either_holds() {
        let mut slices = Slices::default();
        let (a, b) = (set(&mut slices, &[1, 4]), set(&mut slices, &[2, 4, 9]));
        let union = slices.union(a, b);
        let members: Vec<usize> = slices.get(union).iter().map(|m| m.index()).collect();
        assert_eq!(members, [1, 2, 4, 9]);
        assert_eq!(slices.union(union, SliceId::empty()), union);
    }
}
