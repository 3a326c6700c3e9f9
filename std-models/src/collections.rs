//! `std::collections`, upon vectors.
//!
//! * `hash_map`, `hash_set`: entries in the order of their insertion. The order in which std would give them out is
//!   not known, so iteration over more than one entry is unmodelled.
//! * `btree_map`, `btree_set`: entries in the order of their keys
//! * `vec_deque`: a vector; where std's ring wraps around is not known, so `as_slices` is unmodelled
//! * `binary_heap`: the heap that std builds, as its order shows among elements that compare equal
//!
//! Limits: `Hash`, `Eq` and `Ord` of keys are taken to be total, pure and of one mind, as std demands: how often they
//! are called may differ, and `Hash` is not called at all. Hashers other than std's own are not handled. Capacity is
//! not kept.

pub mod binary_heap;
pub mod btree_map;
pub mod btree_set;
pub mod hash_map;
pub mod hash_set;
pub mod vec_deque;

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
