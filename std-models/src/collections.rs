//! `std::collections`, upon vectors.
//!
//! * `hash_map`, `hash_set`: entries in the order of their insertion. The order in which std would give them out is
//!   not known, so iteration over more than one entry is unmodelled.
//! * `btree_map`, `btree_set`: entries in the order of their keys
//! * `vec_deque`: a vector; where std's ring wraps around is not known, so `as_slices` is unmodelled
//! * `binary_heap`: the heap that std builds, as its order shows among elements that compare equal
//!
//! Limits: `Hash`, `Eq` and `Ord` of keys are taken to be total and pure, as std demands: how often they are called
//! may differ. That `Hash` and `Eq` agree is not taken for granted: what becomes of equal keys that feed a hasher other
//! bytes hangs on chance, and is unmodelled. Hashers other than std's own are not handled. Capacity is not kept.

pub mod binary_heap;
pub mod btree_map;
pub mod btree_set;
pub mod hash_map;
pub mod hash_set;
pub mod vec_deque;

/// Keeps what it is fed: hashes are taken to be equal when these bytes are.
struct Fed {
    bytes: Vec<u8>,
}

impl std::hash::Hasher for Fed {
    fn finish(&self) -> u64 {
        crate::intrinsics::unmodelled("the value of a hash")
    }
    fn write(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }
}

/// Whether a hash map takes the keys for the same.
fn is_same_key<K, Q>(stored: &K, key: &Q) -> bool
where
    K: std::borrow::Borrow<Q>,
    Q: ?Sized + std::cmp::Eq + std::hash::Hash,
{
    let stored = <K as std::borrow::Borrow<Q>>::borrow(stored);
    if !(*stored == *key) {
        return false;
    }
    if crate::intrinsics::hash_follows_eq::<Q>() {
        return true;
    }
    let mut left = Fed { bytes: Vec::new() };
    let mut right = Fed { bytes: Vec::new() };
    stored.hash(&mut left);
    key.hash(&mut right);
    if left.bytes != right.bytes {
        // Their hashes may still agree in the few bits that are looked at before the keys themselves are.
        crate::intrinsics::unmodelled("the place of equal keys with different hashes")
    }
    true
}

#[derive(Clone)]
pub struct HashMap<K, V> {
    entries: Vec<(K, V)>,
}

#[derive(Clone)]
pub struct HashSet<T> {
    items: Vec<T>,
}

#[derive(Clone)]
pub struct BTreeMap<K, V> {
    entries: Vec<(K, V)>,
}

#[derive(Clone)]
pub struct BTreeSet<T> {
    items: Vec<T>,
}

#[derive(Clone)]
pub struct VecDeque<T> {
    items: Vec<T>,
}

#[derive(Clone)]
pub struct BinaryHeap<T> {
    items: Vec<T>,
}
