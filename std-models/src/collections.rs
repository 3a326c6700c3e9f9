//! `std::collections`, upon vectors.
//!
//! * `hash_map`, `hash_set`: entries in the order of their insertion. The order in which std would give them out is
//!   not known, so iteration over more than one entry is unmodelled.
//! * `btree_map`, `btree_set`: entries in the order of their keys
//! * `vec_deque`: a vector; where std's ring wraps around is not known, so `as_slices` is unmodelled
//! * `binary_heap`: the heap that std builds, as its order shows among elements that compare equal
//!
//! Limits: how often `Hash` and `Eq` of keys in hash tables are called hangs on chance, so these are restricted to keys where nobody sees it. That `Hash` and `Eq` agree is not taken for granted: what becomes of equal keys that feed a hasher other
//! bytes hangs on chance, and is unmodelled. Hashers other than std's own are not handled. Capacity is not kept.

pub mod binary_heap;
pub mod btree_map;
pub mod btree_set;
pub mod hash_map;
pub mod hash_set;
pub mod vec_deque;

/// Up to so many entries a B-tree is one node, in which keys are looked for from the first one on, as in a list.
const ENTRIES_OF_ONE_NODE: usize = 11;

/// In larger trees, which keys are compared is not known; it cannot be told if comparing is plain. Since a tree that shrinks may keep its nodes,
/// none of other keys ever becomes larger.
fn restricted_to_one_node<K>(entries: usize) {
    if entries > ENTRIES_OF_ONE_NODE && !crate::intrinsics::is_plain::<K>() {
        crate::intrinsics::unmodelled("which of more than eleven keys of a B-tree are compared")
    }
}

/// How a key of another type is borrowed and compared shows in larger trees as well.
fn restricted_to_one_node_or_plain<K, Q: ?Sized>(entries: usize) {
    if entries > ENTRIES_OF_ONE_NODE && !crate::intrinsics::is_found_plainly::<K, Q>() {
        crate::intrinsics::unmodelled("which of more than eleven keys of a B-tree are compared")
    }
}

/// The positions that a range of keys selects in a tree of so many. `search` looks for a key from a position on.
fn range_of<Q, R, F>(len: usize, range: &R, search: F) -> (usize, usize)
where
    Q: ?Sized + std::cmp::Ord,
    R: crate::ops::RangeBounds<Q>,
    F: Fn(&Q, usize) -> Result<usize, usize>,
{
    use std::ops::Bound;
    let (start, end) = (range.start_bound(), range.end_bound());
    match (start, end) {
        (Bound::Unbounded, _) | (_, Bound::Unbounded) => {}
        // Where nothing was ever inserted std does not look at the range; where all was removed again it does.
        _ if len == 0 && !crate::intrinsics::is_plain::<Q>() => {
            crate::intrinsics::unmodelled("whether the bounds of a range of an empty B-tree are compared")
        }
        (Bound::Excluded(from), Bound::Excluded(to)) if *from == *to => bad_range(len),
        (Bound::Included(from) | Bound::Excluded(from), Bound::Included(to) | Bound::Excluded(to)) => {
            if *from > *to {
                bad_range(len);
            }
        }
    }
    let from = match start {
        Bound::Unbounded => 0,
        Bound::Included(key) => match search(key, 0) {
            Ok(index) | Err(index) => index,
        },
        Bound::Excluded(key) => match search(key, 0) {
            Ok(index) => index.wrapping_add(1),
            Err(index) => index,
        },
    };
    let to = match end {
        Bound::Unbounded => len,
        Bound::Included(key) => match search(key, from) {
            Ok(index) => index.wrapping_add(1),
            Err(index) => index,
        },
        Bound::Excluded(key) => match search(key, from) {
            Ok(index) | Err(index) => index,
        },
    };
    if from > to {
        panic!("Ord is ill-defined in BTreeMap range");
    }
    (from, to)
}

fn bad_range(len: usize) {
    if len == 0 {
        crate::intrinsics::unmodelled("a range whose start is behind its end, of an empty B-tree")
    } else {
        panic!("range start is behind or at the range end")
    }
}

/// Of sorted items, the last of each row of equal ones: equal by `==`, whatever they were sorted by.
fn without_repetitions<T, I, F>(items: I, mut differ: F) -> Vec<T>
where
    I: crate::iter::Iterator<Item = T>,
    F: FnMut(&T, &T) -> bool,
{
    let mut items = items;
    let mut kept = Vec::new();
    let mut ahead = items.next();
    while let Some(item) = ahead {
        ahead = items.next();
        match &ahead {
            Some(next) => {
                if differ(&item, next) {
                    kept.push(item);
                }
            }
            None => kept.push(item),
        }
    }
    kept
}

/// How often keys are compared and hashed is not known. Hashing happens at least once where the table is not empty, and may panic.
fn restricted_to_unseen_calls<K, Q: ?Sized + std::hash::Hash>(key: &Q) {
    if !crate::intrinsics::is_unseen::<K>() || !crate::intrinsics::is_unseen::<Q>() {
        crate::intrinsics::unmodelled("how often keys of a hash table that can write are compared")
    }
    if !crate::intrinsics::hash_follows_eq::<Q>() {
        let mut fed = Fed { bytes: Vec::new() };
        key.hash(&mut fed);
    }
}

/// A hash table makes room for what an iterator promises.
fn restricted_to_small_tables<I: crate::iter::Iterator>(iter: &I) {
    if crate::intrinsics::hint_is_written::<I>() && iter.size_hint().0 > 1 << 20 {
        crate::intrinsics::unmodelled("a promise of more than a million items")
    }
}

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

/// A table that gets another size hashes again what is in it.
fn hashes_again<K: std::hash::Hash>(keys: usize) {
    if keys > 0 && !crate::intrinsics::is_unseen::<K>() {
        crate::intrinsics::unmodelled("hashing again what is in a table")
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

/// Why there is no room: more than can be addressed. That there is no memory is not modelled.
#[derive(Clone, PartialEq, Eq)]
pub struct TryReserveError {
    pub(crate) kind: TryReserveErrorKind,
}

#[derive(Clone, PartialEq, Eq)]
pub(crate) enum TryReserveErrorKind {
    CapacityOverflow,
}

impl crate::fmt::Display for TryReserveError {
    fn fmt(&self, f: &mut crate::fmt::Formatter<'_>) -> crate::fmt::Result {
        f.write_str("memory allocation failed")?;
        f.write_str(" because the computed capacity exceeded the collection's maximum")
    }
}

impl crate::fmt::Debug for TryReserveError {
    fn fmt(&self, f: &mut crate::fmt::Formatter<'_>) -> crate::fmt::Result {
        f.debug_struct("TryReserveError").field("kind", &self.kind).finish()
    }
}

impl crate::fmt::Debug for TryReserveErrorKind {
    fn fmt(&self, f: &mut crate::fmt::Formatter<'_>) -> crate::fmt::Result {
        match self {
            TryReserveErrorKind::CapacityOverflow => f.write_str("CapacityOverflow"),
        }
    }
}

impl crate::error::Error for TryReserveError {}
