// One text, included twice: over std and over its models. Whatever differs between the two is a name from the prelude. Each operation
// gets a length and a seed, and gives what it shows of its result.

use std::cmp::Ordering;
use std::fmt::Debug;

use crate::log::*;

type Op = (&'static str, fn(usize, u64) -> String);

fn shown<T: Debug>(value: T) -> String {
    format!("{value:?}")
}

fn drained<T: Debug, I: Iterator<Item = T>>(iter: I) -> String {
    let mut iter = iter;
    let mut text = String::new();
    while let Some(item) = iter.next() {
        text.push_str(&format!("{item:?} "));
        note("took", 0, 0);
    }
    text
}

/// An iterator whose every call is noted, and whose hints are as the seed says.
struct It {
    items: std::vec::IntoIter<E>,
    lie: u64,
}

fn it(count: usize, seed: u64) -> It {
    It { items: std::iter::IntoIterator::into_iter(elements(count, seed)), lie: seed }
}

impl Iterator for It {
    type Item = E;
    fn next(&mut self) -> Option<E> {
        note("next", 0, 0);
        std::iter::Iterator::next(&mut self.items)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        note("size_hint", 0, 0);
        let left = self.items.as_slice().len();
        match self.lie % 3 {
            0 => (left, Some(left)),
            1 => (left / 2, None),
            _ => (0, Some(left + 3)),
        }
    }
}

/// Exact, and open at both ends.
struct Exact {
    items: std::vec::IntoIter<E>,
}

fn exact(count: usize, seed: u64) -> Exact {
    Exact { items: std::iter::IntoIterator::into_iter(elements(count, seed)) }
}

impl Iterator for Exact {
    type Item = E;
    fn next(&mut self) -> Option<E> {
        note("next", 1, 0);
        std::iter::Iterator::next(&mut self.items)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        note("size_hint", 1, 0);
        let left = self.items.as_slice().len();
        (left, Some(left))
    }
}

impl DoubleEndedIterator for Exact {
    fn next_back(&mut self) -> Option<E> {
        note("next_back", 1, 0);
        std::iter::DoubleEndedIterator::next_back(&mut self.items)
    }
}

impl ExactSizeIterator for Exact {
    fn len(&self) -> usize {
        note("len", 1, 0);
        self.items.as_slice().len()
    }
}

/// Ends early now and then, and goes on afterwards.
struct Gaps {
    exact: Exact,
    calls: u64,
}

fn gaps(count: usize, seed: u64) -> Gaps {
    Gaps { exact: exact(count, seed), calls: seed }
}

impl Gaps {
    fn is_gap(&mut self) -> bool {
        self.calls += 1;
        self.calls % 3 == 0
    }
}

impl Iterator for Gaps {
    type Item = E;
    fn next(&mut self) -> Option<E> {
        if self.is_gap() { None } else { Iterator::next(&mut self.exact) }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        note("size_hint", 2, 0);
        (1, Some(3))
    }
}

impl DoubleEndedIterator for Gaps {
    fn next_back(&mut self) -> Option<E> {
        if self.is_gap() { None } else { DoubleEndedIterator::next_back(&mut self.exact) }
    }
}

impl ExactSizeIterator for Gaps {}

/// Asks from both ends, beyond the first end.
fn insisted<T: Debug, I: DoubleEndedIterator<Item = T>>(iter: I) -> String {
    let mut iter = iter;
    let mut text = String::new();
    let mut left = 9;
    while left > 0 {
        left -= 1;
        text.push_str(&format!("{:?} ", if left % 4 == 1 { iter.next_back() } else { iter.next() }));
        note("took", 0, 0);
    }
    text
}

/// As above, from the front.
fn insisted_front<T: Debug, I: Iterator<Item = T>>(iter: I) -> String {
    let mut iter = iter;
    let mut text = String::new();
    let mut left = 9;
    while left > 0 {
        left -= 1;
        text.push_str(&format!("{:?} ", iter.next()));
        note("took", 0, 0);
    }
    text
}

/// A hasher that writes down what it is fed.
struct Fed;

impl hash_m::Hasher for Fed {
    fn finish(&self) -> u64 {
        0
    }
    fn write(&mut self, bytes: &[u8]) {
        note("write", bytes.len() as u32, sum_of(bytes));
    }
    fn write_u8(&mut self, i: u8) {
        note("write_u8", i as u32, 0);
    }
    fn write_u16(&mut self, i: u16) {
        note("write_u16", i as u32, 0);
    }
    fn write_u32(&mut self, i: u32) {
        note("write_u32", i as u32, 0);
    }
    fn write_u64(&mut self, i: u64) {
        note("write_u64", i as u32, 0);
    }
    fn write_u128(&mut self, i: u128) {
        note("write_u128", i as u32, 0);
    }
    fn write_usize(&mut self, i: usize) {
        note("write_usize", i as u32, 0);
    }
    fn write_i8(&mut self, i: i8) {
        note("write_i8", i as u32, 0);
    }
    fn write_i16(&mut self, i: i16) {
        note("write_i16", i as u32, 0);
    }
    fn write_i32(&mut self, i: i32) {
        note("write_i32", i as u32, 0);
    }
    fn write_i64(&mut self, i: i64) {
        note("write_i64", i as u32, 0);
    }
    fn write_i128(&mut self, i: i128) {
        note("write_i128", i as u32, 0);
    }
    fn write_isize(&mut self, i: isize) {
        note("write_isize", i as u32, 0);
    }
}

impl hash_m::Hash for E {
    fn hash<H: hash_m::Hasher>(&self, state: &mut H) {
        note("hash", self.id, 0);
        hash_m::Hasher::write_u8(state, self.key);
    }
}

fn even(item: &E) -> bool {
    note("even", item.id, 0);
    item.key % 2 == 0
}


fn set_of(items: Vec<E>) -> BTreeSet<E> {
    let mut set = BTreeSet::new();
    for item in items {
        set.insert(item);
    }
    set
}

fn map_of(items: Vec<E>) -> BTreeMap<E, u32> {
    let mut map = BTreeMap::new();
    for item in items {
        let id = item.id;
        map.insert(item, id);
    }
    map
}

macro_rules! vec_ops {
    ($($name:ident |$v:ident, $n:ident, $s:ident| $run:expr;)*) => {&[$(
        (stringify!($name), |count, seed| {
            let ($n, $s) = (count, seed as usize);
            let mut $v: Vec<E> = elements(count, seed);
            taken();
            #[allow(unused_variables, unused_mut)]
            let result = shown($run);
            note("over", 0, 0);
            let left = shown(&$v);
            format!("{result} {left}")
        }),
    )*]};
}

/// Upon a vector of elements in no order.
pub const VECS: &[Op] = vec_ops! {
    truncate |v, n, s| VecM::truncate(&mut v, n / 2);
    truncate_to_none |v, n, s| VecM::truncate(&mut v, 0);
    clear |v, n, s| VecM::clear(&mut v);
    splice |v, n, s| { v.push(e(1, 700)); drained(VecSpliceM::splice(&mut v, n / 4..n / 4 * 3, it(s % 7, s as u64))) };
    splice_more |v, n, s| { v.push(e(1, 700)); drained(VecSpliceM::splice(&mut v, n / 4..n / 2, it(n + s, s as u64))) };
    splice_dropped |v, n, s| { v.push(e(1, 700)); drop(VecSpliceM::splice(&mut v, n / 4..n / 4 * 3, exact(s % 7 + n / 3, s as u64))) };
    splice_ends |v, n, s| {
        v.push(e(1, 700));
        let mut splice = VecSpliceM::splice(&mut v, n / 4..n / 4 * 3, it(s % 7, s as u64));
        shown((splice.next_back(), splice.size_hint(), splice.next()))
    };
    splice_end |v, n, s| drained(VecSpliceM::splice(&mut v, n / 2.., IntoIterator::into_iter(elements(s % 5, 1)).map(|item| { note("map", item.id, 0); item })));
    splice_leaked |v, n, s| {
        v.push(e(1, 700));
        let mut splice = VecSpliceM::splice(&mut v, n / 4..n / 4 * 3, it(s % 7, s as u64));
        let first = splice.next();
        std::mem::forget(splice);
        first
    };
    set_len |v, n, s| unsafe { VecUncheckedM::set_len(&mut v, n / 2) };
    boxed_clone |v, n, s| { let boxed = std::mem::take(&mut v).into_boxed_slice(); (clone_m::Clone::clone(&boxed), boxed) };
    boxed_clone_from |v, n, s| { let mut boxed = std::mem::take(&mut v).into_boxed_slice(); clone_m::Clone::clone_from(&mut boxed, &elements(n + s % 2, 3).into_boxed_slice()); boxed };
    boxed_into_iter |v, n, s| { let mut iter = IntoIterator::into_iter(std::mem::take(&mut v).into_boxed_slice()); shown((iter.next(), iter.next_back(), iter.size_hint())) };
    boxed_iter |v, n, s| { let boxed = std::mem::take(&mut v).into_boxed_slice(); drained(IntoIterator::into_iter(&boxed)) };
    boxed_copied_clone |v, n, s| clone_m::Clone::clone(&cs(n).into_boxed_slice());
    resize_with |v, n, s| VecM::resize_with(&mut v, s % 9, || { note("made", 0, 0); E { key: 1, id: 500 } });
    resize |v, n, s| VecCloneM::resize(&mut v, s % 9, E { key: 1, id: 500 });
    resize_same |v, n, s| VecCloneM::resize(&mut v, n, E { key: 1, id: 500 });
    insert |v, n, s| VecM::insert(&mut v, n / 2, E { key: 1, id: 500 });
    remove |v, n, s| VecM::remove(&mut v, n / 2);
    swap_remove |v, n, s| VecM::swap_remove(&mut v, n / 3);
    pop_if |v, n, s| VecM::pop_if(&mut v, |item| even(item));
    retain |v, n, s| VecM::retain(&mut v, even);
    retain_mut |v, n, s| VecM::retain_mut(&mut v, |item| { item.id += 1; even(item) });
    dedup |v, n, s| VecEqM::dedup(&mut v);
    dedup_by |v, n, s| VecM::dedup_by(&mut v, |a, b| { note("same", a.id, b.id); a.key / 2 == b.key / 2 });
    dedup_by_key |v, n, s| VecM::dedup_by_key(&mut v, |item| { note("key", item.id, 0); E { key: item.key, id: item.id + 50 } });
    append |v, n, s| VecM::append(&mut v, &mut elements(3, 1));
    split_off |v, n, s| VecM::split_off(&mut v, n / 2);
    drain_all |v, n, s| drained(VecM::drain(&mut v, ..));
    drain_some |v, n, s| {
        let mut drain = VecM::drain(&mut v, n / 4..n / 4 * 3);
        shown((drain.next(), drain.next_back()))
    };
    drain_leaked |v, n, s| {
        let mut drain = VecM::drain(&mut v, n / 4..n / 4 * 3);
        let first = drain.next();
        std::mem::forget(drain);
        first
    };
    extend_from_slice |v, n, s| VecCloneM::extend_from_slice(&mut v, &elements(4, 3));
    extend_from_within |v, n, s| VecRangeM::extend_from_within(&mut v, n / 2..);
    clone |v, n, s| clone_m::Clone::clone(&v);
    clone_from_longer |v, n, s| clone_m::Clone::clone_from(&mut v, &elements(n + 3, 3));
    clone_from_shorter |v, n, s| clone_m::Clone::clone_from(&mut v, &elements(n / 2, 3));
    into_iter_dropped |v, n, s| {
        let mut iter = IntoIterator::into_iter(std::mem::take(&mut v));
        shown((iter.next(), iter.next_back(), iter.size_hint()))
    };
    into_iter_nth |v, n, s| {
        let mut iter = IntoIterator::into_iter(std::mem::take(&mut v));
        shown((iter.nth(2), iter.next()))
    };
    extend |v, n, s| Extend::extend(&mut v, IntoIterator::into_iter(elements(5, 1)));
    from_array |v, n, s| { let made: Vec<E> = convert_m::From::from([E { key: 1, id: 2 }, E { key: 3, id: 4 }]); made };
    into_array |v, n, s| { let made: Result<[E; 3], Vec<E>> = convert_m::TryFrom::try_from(std::mem::take(&mut v)); made.is_ok() };
    from_elem |v, n, s| from_elem(E { key: 1, id: 5 }, n);
    fill |v, n, s| SliceM::<E>::fill(&mut v[..], E { key: 1, id: 500 });
    fill_with |v, n, s| SliceM::<E>::fill_with(&mut v[..], || { note("made", 0, 0); E { key: 1, id: 500 } });
    clone_from_slice |v, n, s| SliceM::<E>::clone_from_slice(&mut v[..], &elements(n, 3));
    to_vec |v, n, s| SliceM::<E>::to_vec(&v[..]);
    swap |v, n, s| SliceM::<E>::swap(&mut v[..], 0, n / 2);
    reverse |v, n, s| SliceM::<E>::reverse(&mut v[..]);
    rotate_left |v, n, s| SliceM::<E>::rotate_left(&mut v[..], n / 3);
    rotate_right |v, n, s| SliceM::<E>::rotate_right(&mut v[..], n / 3);
    contains |v, n, s| SliceM::<E>::contains(&v[..], &E { key: 4, id: 500 });
    starts_with |v, n, s| SliceM::<E>::starts_with(&v[..], &elements(n / 2, s as u64));
    ends_with |v, n, s| SliceM::<E>::ends_with(&v[..], &elements(n / 2, s as u64));
    strip_prefix |v, n, s| SlicePartM::<E>::strip_prefix(&v[..], &elements(n / 2, s as u64)[..]).is_some();
    strip_suffix |v, n, s| SlicePartM::<E>::strip_suffix(&v[..], &elements(n / 2, s as u64)[..]).is_some();
    split |v, n, s| drained(SliceM::<E>::split(&v[..], even));
    split_back |v, n, s| { let mut iter = SliceM::<E>::split(&v[..], even); shown((iter.next_back(), iter.next(), iter.next_back())) };
    rsplit |v, n, s| drained(SlicePartM::<E>::rsplit(&v[..], even));
    splitn |v, n, s| drained(SlicePartM::<E>::splitn(&v[..], 3, even));
    rsplitn |v, n, s| drained(SlicePartM::<E>::rsplitn(&v[..], 3, even));
    split_inclusive |v, n, s| drained(SlicePartM::<E>::split_inclusive(&v[..], even));
    chunk_by |v, n, s| drained(SlicePartM::<E>::chunk_by(&v[..], |a, b| a <= b));
    concat |v, n, s| SliceJoinM::<Vec<E>>::concat(&[elements(n, 1), elements(2, 2), elements(3, 3)][..]);
    join |v, n, s| SliceJoinM::<Vec<E>>::join(&[elements(n, 1), elements(2, 2), elements(3, 3)][..], &E { key: 3, id: 600 });
    binary_search |v, n, s| SliceOrderM::<E>::binary_search(&v[..], &E { key: 3, id: 600 });
    binary_search_by |v, n, s| SliceOrderM::<E>::binary_search_by(&v[..], |item| { note("by", item.id, 0); order_of(item.key, 3) });
    binary_search_by_key |v, n, s| SliceOrderM::<E>::binary_search_by_key(&v[..], &E { key: 3, id: 600 }, |item| E { key: item.key, id: item.id + 50 });
    partition_point |v, n, s| SliceOrderM::<E>::partition_point(&v[..], even);
    is_sorted |v, n, s| SliceOrderM::<E>::is_sorted(&in_order(n, s as u64)[..]);
    is_sorted_of_any |v, n, s| SliceOrderM::<E>::is_sorted(&v[..]);
    is_sorted_by |v, n, s| SlicePartM::<E>::is_sorted_by(&in_order(n, s as u64)[..], |a, b| a <= b);
    is_sorted_by_key |v, n, s| SlicePartM::<E>::is_sorted_by_key(&in_order(n, s as u64)[..], |item| E { key: item.key, id: item.id + 50 });
    sort |v, n, s| SliceOrderM::<E>::sort(&mut v[..]);
    sort_in_order |v, n, s| { v = in_order(n, s as u64); SliceOrderM::<E>::sort(&mut v[..]) };
    sort_by |v, n, s| SliceOrderM::<E>::sort_by(&mut v[..], |a, b| b.cmp(a));
    sort_by_no_order |v, n, s| SliceOrderM::<E>::sort_by(&mut v[..], |a, b| { note("by", a.id, b.id); if (a.id + b.id) % 3 == 0 { Ordering::Less } else { Ordering::Greater } });
    sort_by_key |v, n, s| SliceOrderM::<E>::sort_by_key(&mut v[..], |item| E { key: item.key, id: item.id + 50 });
    sort_by_cached_key |v, n, s| SliceOrderM::<E>::sort_by_cached_key(&mut v[..], |item| E { key: item.key, id: item.id + 50 });
    sort_unstable |v, n, s| SliceOrderM::<E>::sort_unstable(&mut v[..]);
    sort_unstable_by |v, n, s| SliceOrderM::<E>::sort_unstable_by(&mut v[..], |a, b| b.cmp(a));
    sort_unstable_by_key |v, n, s| SliceOrderM::<E>::sort_unstable_by_key(&mut v[..], |item| E { key: item.key, id: item.id + 50 });
    eq |v, n, s| cmp_m::PartialEq::eq(&v, &elements(n, s as u64));
    ne |v, n, s| cmp_m::PartialEq::ne(&v, &elements(n, s as u64));
    eq_slices |v, n, s| cmp_m::PartialEq::eq(&v[..], &elements(n, s as u64 + 1)[..]);
    partial_cmp |v, n, s| cmp_m::PartialOrd::partial_cmp(&v, &elements(n + 1, s as u64));
    lt |v, n, s| cmp_m::PartialOrd::lt(&v, &elements(n + 1, s as u64));
    ge |v, n, s| cmp_m::PartialOrd::ge(&v, &elements(n / 2, s as u64));
    cmp |v, n, s| cmp_m::Ord::cmp(&v, &elements(n + 1, s as u64));
    hash |v, n, s| hash_m::Hash::hash(&v, &mut Fed);
    copied_clone |v, n, s| { let items: Vec<C> = cs(n); clone_m::Clone::clone(&items) };
    copied_to_vec |v, n, s| { let items: Vec<C> = cs(n); SliceM::<C>::to_vec(&items[..]) };
    copied_fill |v, n, s| { let mut items: Vec<C> = cs(n); SliceM::<C>::fill(&mut items[..], C(9)); items };
    copied_clone_from_slice |v, n, s| { let mut items: Vec<C> = cs(n); let other = [C(9), C(8), C(7)]; let cut = at_most(n, 3); SliceM::<C>::clone_from_slice(&mut items[..cut], &other[..cut]); items };
    copied_extend |v, n, s| { let mut items: Vec<C> = vec![]; VecCloneM::extend_from_slice(&mut items, &[C(9), C(8)]); VecCloneM::resize(&mut items, n, C(4)); VecRangeM::extend_from_within(&mut items, ..n / 2); items };
    copied_from_elem |v, n, s| from_elem(C(5), n);
    copied_repeat |v, n, s| SliceM::<C>::repeat(&[C(5), C(6)][..], n);
    copied_concat |v, n, s| SliceJoinM::<[C; 2]>::concat(&[[C(1), C(2)], [C(3), C(4)]][..]);
    array_clone |v, n, s| clone_m::Clone::clone(&[E { key: 1, id: 1 }, E { key: 2, id: 2 }]);
    array_clone_from |v, n, s| { let mut to = [E { key: 1, id: 1 }, E { key: 2, id: 2 }]; clone_m::Clone::clone_from(&mut to, &[E { key: 1, id: 3 }, E { key: 2, id: 4 }]); to };
    array_copied_clone |v, n, s| clone_m::Clone::clone(&[C(1), C(2)]);
    array_map |v, n, s| ArrayM::<E, 2>::map([E { key: 1, id: 1 }, E { key: 2, id: 2 }], |item| { note("map", item.id, 0); item.key });
    array_cmp |v, n, s| (cmp_m::PartialEq::eq(&[E { key: 1, id: 1 }], &[E { key: 1, id: 2 }]), cmp_m::PartialEq::ne(&[E { key: 1, id: 1 }], &[E { key: 1, id: 2 }]), cmp_m::PartialOrd::lt(&[E { key: 1, id: 1 }], &[E { key: 1, id: 2 }]), cmp_m::PartialOrd::partial_cmp(&[E { key: 1, id: 1 }], &[E { key: 1, id: 2 }]));
    array_into_iter |v, n, s| { let mut iter = IntoIterator::into_iter([E { key: 1, id: 1 }, E { key: 2, id: 2 }, E { key: 2, id: 3 }]); shown((iter.next(), iter.next_back())) };
    array_hash |v, n, s| hash_m::Hash::hash(&[E { key: 1, id: 1 }, E { key: 2, id: 2 }], &mut Fed);
};

fn deque_of(items: Vec<E>) -> VecDeque<E> {
    let mut deque = VecDeque::new();
    for item in items {
        deque.push_back(item);
    }
    deque
}

fn heap_of(items: Vec<E>) -> BinaryHeap<E> {
    convert_m::From::from(items)
}

macro_rules! ops {
    ($($name:ident |$n:ident, $s:ident| $run:expr;)*) => {&[$(
        (stringify!($name), |$n, $s| {
            #[allow(unused_variables, unused_mut)]
            let result = shown($run);
            result
        }),
    )*]};
}

/// Upon the collections.
pub const COLLECTIONS: &[Op] = ops! {
    deque_truncate |n, s| { let mut d = deque_of(elements(n, s)); d.truncate(n / 2); drained(IntoIterator::into_iter(d)) };
    deque_clear |n, s| { let mut d = deque_of(elements(n, s)); d.clear(); };
    deque_resize |n, s| { let mut d = deque_of(elements(n, s)); d.resize(5, E { key: 1, id: 500 }); drained(IntoIterator::into_iter(d)) };
    deque_resize_with |n, s| { let mut d = deque_of(elements(n, s)); d.resize_with(5, || { note("made", 0, 0); E { key: 1, id: 500 } }); drained(IntoIterator::into_iter(d)) };
    deque_retain |n, s| { let mut d = deque_of(elements(n, s)); d.retain(even); drained(IntoIterator::into_iter(d)) };
    deque_retain_mut |n, s| { let mut d = deque_of(elements(n, s)); d.retain_mut(|item| even(item)); drained(IntoIterator::into_iter(d)) };
    deque_contains |n, s| deque_of(elements(n, s)).contains(&E { key: 3, id: 500 });
    deque_remove |n, s| { let mut d = deque_of(elements(n, s)); (d.remove(n / 2), d.swap_remove_back(0), d.swap_remove_front(n / 2)) };
    deque_drain |n, s| { let mut d = deque_of(elements(n, s)); shown(d.drain(n / 4..n / 2).next()) };
    deque_append |n, s| { let mut d = deque_of(elements(n, s)); d.append(&mut deque_of(elements(3, 4))); drained(IntoIterator::into_iter(d)) };
    deque_split_off |n, s| { let mut d = deque_of(elements(n, s)); drained(IntoIterator::into_iter(d.split_off(n / 2))) };
    deque_clone |n, s| drained(IntoIterator::into_iter(std::clone::Clone::clone(&deque_of(elements(n, s)))));
    deque_eq |n, s| (cmp_m::PartialEq::eq(&deque_of(elements(n, s)), &deque_of(elements(n, s + 1))), cmp_m::PartialEq::ne(&deque_of(elements(n, 1)), &deque_of(elements(n, 1))));
    deque_eq_vec |n, s| cmp_m::PartialEq::eq(&deque_of(elements(n, s)), &elements(n, s));
    deque_cmp |n, s| (cmp_m::PartialOrd::partial_cmp(&deque_of(elements(n, s)), &deque_of(elements(n, s))), cmp_m::Ord::cmp(&deque_of(elements(n, s)), &deque_of(elements(n + 1, s))), cmp_m::PartialOrd::lt(&deque_of(elements(n, s)), &deque_of(elements(n + 1, s))));
    deque_hash |n, s| hash_m::Hash::hash(&deque_of(elements(n, s)), &mut Fed);
    deque_search |n, s| (deque_of(in_order(n, s)).binary_search(&E { key: 3, id: 500 }), deque_of(in_order(n, s)).partition_point(even));
    deque_from_iter |n, s| { let d: VecDeque<E> = FromIterator::from_iter(it(n, s)); d.len() };
    heap_push_pop |n, s| {
        let mut heap = BinaryHeap::new();
        for item in elements(n, s) { heap.push(item); }
        let first = heap.pop();
        shown((first, heap.peek().map(|item| item.id), heap.into_vec()))
    };
    heap_peek_mut |n, s| {
        let mut heap = heap_of(elements(n, s));
        if let Some(mut top) = heap.peek_mut() {
            ops_m::DerefMut::deref_mut(&mut top).key = (s % 7) as u8;
            ops_m::DerefMut::deref_mut(&mut top).id += 1;
        }
        heap.into_vec()
    };
    heap_peek_mut_kept |n, s| {
        let mut heap = heap_of(elements(n, s));
        let top = heap.peek_mut().map(|top| ops_m::Deref::deref(&top).id);
        shown((top, heap.into_vec()))
    };
    heap_peek_mut_pop |n, s| {
        let mut heap = heap_of(elements(n, s));
        let first = heap.peek_mut().map(PeekMut::pop);
        let second = heap.peek_mut().map(|mut top| {
            ops_m::DerefMut::deref_mut(&mut top).key = (s % 7) as u8;
            PeekMut::pop(top)
        });
        shown((first, second, heap.into_vec()))
    };
    heap_peek_mut_leaked |n, s| {
        let mut heap = heap_of(elements(n, s));
        if let Some(mut top) = heap.peek_mut() {
            ops_m::DerefMut::deref_mut(&mut top).key = (s % 7) as u8;
            std::mem::forget(top);
        }
        heap.into_vec()
    };
    heap_from |n, s| heap_of(elements(n, s)).into_vec();
    heap_sorted |n, s| heap_of(elements(n, s)).into_sorted_vec();
    heap_collect |n, s| { let heap: BinaryHeap<E> = FromIterator::from_iter(IntoIterator::into_iter(elements(n, s))); heap.into_vec() };
    heap_pop_all |n, s| { let mut heap = heap_of(elements(n, s)); let mut got = vec![]; while let Some(item) = heap.pop() { got.push(item); } got };
    map_insert |n, s| { let mut map = map_of(elements(n, s)); (map.insert(E { key: 3, id: 500 }, 9), map.insert(E { key: 3, id: 501 }, 9), drained(map.iter())) };
    map_get |n, s| { let map = map_of(elements(n, s)); (map.get(&E { key: 3, id: 500 }).copied(), map.contains_key(&E { key: 1, id: 500 }), map.get_key_value(&E { key: 2, id: 500 }).map(|pair| pair.0.id)) };
    map_remove |n, s| { let mut map = map_of(elements(n, s)); (map.remove(&E { key: 3, id: 500 }), map.remove_entry(&E { key: 1, id: 500 }), map.pop_first(), map.pop_last()) };
    map_entry |n, s| { let mut map = map_of(elements(n, s)); let a = *map.entry(E { key: 3, id: 500 }).or_insert(4); let b = *map.entry(E { key: 200, id: 501 }).or_insert_with(|| { note("made", 0, 0); 7 }); (a, b, *map.entry(E { key: 201, id: 502 }).or_insert_with_key(|key| key.id)) };
    map_entry_modify |n, s| { let mut map = map_of(elements(n, s)); map.entry(E { key: 0, id: 500 }).and_modify(|value| *value += 1).or_default(); drained(map.values()) };
    map_append |n, s| { let mut map = map_of(elements(n, s)); map.append(&mut map_of(elements(n / 2, s + 4))); drained(map.iter()) };
    map_append_to_none |n, s| { let mut map = BTreeMap::new(); map.append(&mut map_of(elements(n, s))); drained(map.iter()) };
    map_append_none |n, s| { let mut map = map_of(elements(n, s)); map.append(&mut BTreeMap::new()); drained(map.iter()) };
    map_split_off |n, s| { let mut map = map_of(elements(n, s)); drained(map.split_off(&E { key: 2, id: 500 }).iter()) };
    map_range |n, s| { let map = map_of(elements(at_least_one(n), s)); drained(map.range(E { key: 1, id: 500 }..E { key: 3, id: 501 })) };
    map_range_from |n, s| { let map = map_of(elements(at_least_one(n), s)); drained(map.range(E { key: 1, id: 500 }..)) };
    map_range_to |n, s| { let map = map_of(elements(at_least_one(n), s)); drained(map.range(..E { key: 4, id: 500 })) };
    map_range_backward |n, s| { let map = map_of(elements(at_least_one(n), s)); drained(map.range(E { key: 3, id: 500 }..E { key: 1, id: 501 })) };
    map_range_mut |n, s| { let mut map = map_of(elements(at_least_one(n), s)); drained(map.range_mut(E { key: 1, id: 500 }..)) };
    map_retain |n, s| { let mut map = map_of(elements(n, s)); map.retain(|key, _| even(key)); drained(map.iter()) };
    map_from_iter |n, s| { let map: BTreeMap<E, u32> = FromIterator::from_iter(IntoIterator::into_iter(elements(n, s)).map(|item| (item, 1))); drained(map.iter()) };
    map_from_array |n, s| { let map: BTreeMap<E, u32> = convert_m::From::from([(E { key: 2, id: 1 }, 1), (E { key: 1, id: 2 }, 2), (E { key: 2, id: 3 }, 3), (E { key: 2, id: 4 }, 4)]); drained(map.iter()) };
    map_extend |n, s| { let mut map = map_of(elements(n / 2, s)); Extend::extend(&mut map, IntoIterator::into_iter(elements(n / 2, s + 1)).map(|item| (item, 1))); drained(map.iter()) };
    map_eq |n, s| (cmp_m::PartialEq::eq(&map_of(elements(n, s)), &map_of(elements(n, s))), cmp_m::PartialEq::ne(&map_of(elements(n, s)), &map_of(elements(n, s + 4))));
    map_cmp |n, s| (cmp_m::PartialOrd::partial_cmp(&map_of(elements(n, s)), &map_of(elements(n, s + 4))), cmp_m::Ord::cmp(&map_of(elements(n, s)), &map_of(elements(n, s))), cmp_m::PartialOrd::lt(&map_of(elements(n, s)), &map_of(elements(n, s))));
    map_hash |n, s| hash_m::Hash::hash(&map_of(elements(n, s)), &mut Fed);
    map_clone |n, s| drained(std::clone::Clone::clone(&map_of(elements(n, s))).iter());
    map_clear |n, s| { let mut map = map_of(elements(n, s)); map.clear(); };
    map_into_iter |n, s| { let mut iter = IntoIterator::into_iter(map_of(elements(n, s))); shown((iter.next(), iter.next_back())) };
    map_into_keys |n, s| { let mut iter = map_of(elements(n, s)).into_keys(); shown((iter.next(), iter.next_back())) };
    map_into_values |n, s| { let mut iter = map_of(elements(n, s)).into_values(); shown((iter.next(), iter.next_back())) };
    set_insert |n, s| { let mut set = set_of(elements(n, s)); (set.insert(E { key: 3, id: 500 }), set.replace(E { key: 3, id: 501 }), set.get(&E { key: 3, id: 502 }).map(|item| item.id), set.take(&E { key: 3, id: 503 }), set.remove(&E { key: 1, id: 503 }), drained(set.iter())) };
    set_from_iter |n, s| { let set: BTreeSet<E> = FromIterator::from_iter(IntoIterator::into_iter(elements(n, s))); drained(set.iter()) };
    set_from_array |n, s| { let set: BTreeSet<E> = convert_m::From::from([E { key: 2, id: 1 }, E { key: 1, id: 2 }, E { key: 2, id: 3 }, E { key: 2, id: 4 }]); drained(set.iter()) };
    set_extend |n, s| { let mut set = set_of(elements(n / 2, s)); Extend::extend(&mut set, IntoIterator::into_iter(elements(n / 2, s + 4))); drained(set.iter()) };
    set_is_subset |n, s| set_of(elements(n / 2, s)).is_subset(&set_of(elements(n, s)));
    set_is_superset |n, s| set_of(elements(n, s)).is_superset(&set_of(elements(n / 3, s + 4)));
    set_is_disjoint |n, s| (set_of(elements(n, s)).is_disjoint(&set_of(elements(n / 3, s + 1))), set_of(vec![E { key: 250, id: 1 }]).is_disjoint(&set_of(elements(n, s))));
    set_union |n, s| { let (a, b) = (set_of(elements(n / 2, s)), set_of(elements(n / 3, s + 1))); drained(a.union(&b)) };
    set_intersection |n, s| { let (a, b) = (set_of(elements(n / 2, s)), set_of(elements(n / 3, s + 1))); drained(a.intersection(&b)) };
    set_intersection_small |n, s| { let (a, b) = (set_of(elements(n, s)), set_of(elements(1, s + 1))); drained(a.intersection(&b)) };
    set_difference |n, s| { let (a, b) = (set_of(elements(n / 2, s)), set_of(elements(n / 3, s + 1))); drained(a.difference(&b)) };
    set_difference_small |n, s| { let (a, b) = (set_of(elements(1, s)), set_of(elements(n, s + 1))); drained(a.difference(&b)) };
    set_symmetric_difference |n, s| { let (a, b) = (set_of(elements(n / 2, s)), set_of(elements(n / 3, s + 1))); drained(a.symmetric_difference(&b)) };
    set_bitor |n, s| { let (a, b) = (set_of(elements(n / 2, s)), set_of(elements(n / 3, s + 1))); drained(operator_bitor(&a, &b).iter()) };
    set_sub |n, s| { let (a, b) = (set_of(elements(n / 2, s)), set_of(elements(n / 3, s + 1))); drained(operator_sub(&a, &b).iter()) };
    set_bitand |n, s| { let (a, b) = (set_of(elements(n / 2, s)), set_of(elements(n / 3, s + 1))); drained(operator_bitand(&a, &b).iter()) };
    set_bitxor |n, s| { let (a, b) = (set_of(elements(n / 2, s)), set_of(elements(n / 3, s + 1))); drained(operator_bitxor(&a, &b).iter()) };
    set_range |n, s| { let set = set_of(elements(at_least_one(n), s)); drained(set.range(E { key: 1, id: 500 }..E { key: 3, id: 501 })) };
    set_split_off |n, s| { let mut set = set_of(elements(n, s)); drained(set.split_off(&E { key: 2, id: 500 }).iter()) };
    set_eq |n, s| (cmp_m::PartialEq::eq(&set_of(elements(n, s)), &set_of(elements(n, s))), cmp_m::PartialOrd::partial_cmp(&set_of(elements(n, s)), &set_of(elements(n, s))), cmp_m::Ord::cmp(&set_of(elements(n, s)), &set_of(elements(n, s + 4))));
    set_hash |n, s| hash_m::Hash::hash(&set_of(elements(n, s)), &mut Fed);
    set_retain |n, s| { let mut set = set_of(elements(n, s)); set.retain(even); drained(IntoIterator::into_iter(set)) };
    set_pop |n, s| { let mut set = set_of(elements(n, s)); (set.pop_first(), set.pop_last(), set.first().map(|item| item.id), set.last().map(|item| item.id)) };
};

fn plus(a: E, b: E) -> E {
    note("plus", a.id, b.id);
    E { key: a.key ^ b.key, id: a.id + 3 }
}

fn key_of(item: &E) -> E {
    note("key_of", item.id, 0);
    E { key: item.key, id: item.id + 50 }
}

/// Upon iterators.
pub const ITERATORS: &[Op] = ops! {
    gaps_step_by |n, s| insisted(gaps(n, s).step_by(3));
    gaps_chain |n, s| insisted(gaps(n, s).chain(gaps(2, s)));
    gaps_zip |n, s| insisted(gaps(n, s).zip(gaps(5, s)));
    gaps_map |n, s| insisted(gaps(n, s).map(|item| item.key));
    gaps_filter |n, s| insisted(gaps(n, s).filter(even));
    gaps_filter_map |n, s| insisted(gaps(n, s).filter_map(|item| if even(&item) { Some(item) } else { None }));
    gaps_enumerate |n, s| insisted(gaps(n, s).enumerate());
    gaps_peekable |n, s| insisted(gaps(n, s).peekable());
    gaps_skip |n, s| insisted(gaps(n, s).skip(2));
    gaps_take |n, s| insisted(gaps(n, s).take(3));
    gaps_fuse |n, s| insisted(gaps(n, s).fuse());
    gaps_fuse_mapped |n, s| insisted(gaps(n, s).map(|item| item.key).fuse());
    gaps_inspect |n, s| insisted(gaps(n, s).inspect(|item| note("seen", item.id, 0)));
    gaps_rev |n, s| insisted(gaps(n, s).rev());
    gaps_flat_map |n, s| insisted(gaps(n, s).flat_map(|item| { note("open", item.id, 0); gaps(2, 1) }));
    gaps_flatten |n, s| insisted(gaps(n, s).map(|item| Some(item)).flatten());
    gaps_skip_while |n, s| insisted_front(gaps(n, s).skip_while(even));
    gaps_take_while |n, s| insisted_front(gaps(n, s).take_while(even));
    gaps_map_while |n, s| insisted_front(gaps(n, s).map_while(|item| if even(&item) { Some(item.id) } else { None }));
    gaps_scan |n, s| insisted_front(gaps(n, s).scan(E { key: 0, id: 700 }, |state, item| { state.id += 1; if item.key < 30 { Some(item) } else { None } }));
    exact_len |n, s| exact(n, s).len();
    gaps_len |n, s| gaps(n, s).len();
    exact_len_map |n, s| exact(n, s).map(|item| item.key).len();
    gaps_len_map |n, s| gaps(n, s).map(|item| item.key).len();
    exact_len_enumerate |n, s| exact(n, s).enumerate().len();
    gaps_len_enumerate |n, s| gaps(n, s).enumerate().len();
    exact_len_rev |n, s| exact(n, s).rev().len();
    gaps_len_rev |n, s| gaps(n, s).rev().len();
    exact_len_fuse |n, s| exact(n, s).fuse().len();
    gaps_len_fuse |n, s| gaps(n, s).fuse().len();
    exact_len_inspect |n, s| exact(n, s).inspect(|_| ()).len();
    gaps_len_inspect |n, s| gaps(n, s).inspect(|_| ()).len();
    exact_len_zip |n, s| exact(n, s).zip(exact(3, s)).len();
    gaps_len_zip |n, s| gaps(n, s).zip(exact(3, s)).len();
    exact_len_take |n, s| exact(n, s).take(2).len();
    gaps_len_take |n, s| gaps(n, s).take(2).len();
    exact_len_skip |n, s| exact(n, s).skip(2).len();
    gaps_len_skip |n, s| gaps(n, s).skip(2).len();
    exact_len_step_by |n, s| exact(n, s).step_by(2).len();
    gaps_len_step_by |n, s| gaps(n, s).step_by(2).len();
    exact_len_peekable |n, s| exact(n, s).peekable().len();
    gaps_len_peekable |n, s| gaps(n, s).peekable().len();
    len_by_ref |n, s| { let mut iter = exact(n, s); (iter.by_ref().len(), iter.by_ref().nth_back(1), iter.by_ref().nth(1), iter.by_ref().size_hint()) };
    len_boxed |n, s| { let mut iter = Box::new(exact(n, s)); (Iterator::nth(&mut iter, 1), Iterator::size_hint(&iter), Iterator::next(&mut iter)) };
    gaps_rposition |n, s| exact(n, s).rposition(|item| even(&item));
    gaps_sum |n, s| gaps(n, s).map(|item| wide(item.key)).sum::<u32>();
    gaps_collect |n, s| gaps(n, s).collect::<Vec<E>>();
    gaps_last |n, s| gaps(n, s).last();
    gaps_count |n, s| gaps(n, s).count();
    gaps_max |n, s| gaps(n, s).max();
    gaps_cmp |n, s| gaps(n, s).cmp(gaps(n, s + 1));
    gaps_eq |n, s| gaps(n, s).eq(gaps(n, s + 1));
    gaps_partial_cmp |n, s| gaps(n, s).partial_cmp(gaps(n, s + 1));
    gaps_reduce |n, s| gaps(n, s).reduce(plus);
    gaps_cycle |n, s| { let items = elements(n, s); insisted_front(SliceM::<E>::iter(&items[..]).map(|item| item.id).cycle()) };
    gaps_nth |n, s| { let mut iter = gaps(n, s); (iter.nth(1), iter.nth(2), iter.nth(0), iter.nth_back(2), iter.nth(1)) };
    gaps_skip_nth |n, s| { let mut iter = gaps(n, s).skip(2); (iter.nth(1), iter.next(), iter.nth(0), iter.next()) };
    gaps_step_nth |n, s| { let mut iter = gaps(n, s).step_by(2); (iter.nth(1), iter.next(), iter.nth(0), iter.next()) };
    step_by_nth_back |n, s| { let mut iter = exact(n, s).step_by(2); (iter.nth_back(1), iter.nth_back(0), iter.next(), iter.nth_back(2)) };
    gaps_peek |n, s| { let mut iter = gaps(n, s).peekable(); let a = iter.peek().map(|item| item.id); let b = iter.nth(1); let c = iter.peek().map(|item| item.id); let d = iter.peek().map(|item| item.id); (a, b, c, d, iter.next(), iter.next_if(even), iter.next(), iter.size_hint()) };
    hash_u8 |n, s| { hash_m::Hash::hash(&(n as u8), &mut Fed); hash_m::Hash::hash(&(n as u8), &mut &mut Fed); hash_m::Hash::hash(&[n as u8, 3], &mut Box::new(Fed)); };
    hash_u16 |n, s| { hash_m::Hash::hash(&(n as u16), &mut Fed); hash_m::Hash::hash(&(n as u16), &mut &mut Fed); hash_m::Hash::hash(&[n as u16, 3], &mut Box::new(Fed)); };
    hash_u32 |n, s| { hash_m::Hash::hash(&(n as u32), &mut Fed); hash_m::Hash::hash(&(n as u32), &mut &mut Fed); hash_m::Hash::hash(&[n as u32, 3], &mut Box::new(Fed)); };
    hash_u64 |n, s| { hash_m::Hash::hash(&(n as u64), &mut Fed); hash_m::Hash::hash(&(n as u64), &mut &mut Fed); hash_m::Hash::hash(&[n as u64, 3], &mut Box::new(Fed)); };
    hash_u128 |n, s| { hash_m::Hash::hash(&(n as u128), &mut Fed); hash_m::Hash::hash(&(n as u128), &mut &mut Fed); hash_m::Hash::hash(&[n as u128, 3], &mut Box::new(Fed)); };
    hash_usize |n, s| { hash_m::Hash::hash(&(n as usize), &mut Fed); hash_m::Hash::hash(&(n as usize), &mut &mut Fed); hash_m::Hash::hash(&[n as usize, 3], &mut Box::new(Fed)); };
    hash_i8 |n, s| { hash_m::Hash::hash(&(n as i8), &mut Fed); hash_m::Hash::hash(&(n as i8), &mut &mut Fed); hash_m::Hash::hash(&[n as i8, 3], &mut Box::new(Fed)); };
    hash_i16 |n, s| { hash_m::Hash::hash(&(n as i16), &mut Fed); hash_m::Hash::hash(&(n as i16), &mut &mut Fed); hash_m::Hash::hash(&[n as i16, 3], &mut Box::new(Fed)); };
    hash_i32 |n, s| { hash_m::Hash::hash(&(n as i32), &mut Fed); hash_m::Hash::hash(&(n as i32), &mut &mut Fed); hash_m::Hash::hash(&[n as i32, 3], &mut Box::new(Fed)); };
    hash_i64 |n, s| { hash_m::Hash::hash(&(n as i64), &mut Fed); hash_m::Hash::hash(&(n as i64), &mut &mut Fed); hash_m::Hash::hash(&[n as i64, 3], &mut Box::new(Fed)); };
    hash_i128 |n, s| { hash_m::Hash::hash(&(n as i128), &mut Fed); hash_m::Hash::hash(&(n as i128), &mut &mut Fed); hash_m::Hash::hash(&[n as i128, 3], &mut Box::new(Fed)); };
    hash_isize |n, s| { hash_m::Hash::hash(&(n as isize), &mut Fed); hash_m::Hash::hash(&(n as isize), &mut &mut Fed); hash_m::Hash::hash(&[n as isize, 3], &mut Box::new(Fed)); };
    count |n, s| it(n, s).count();
    last |n, s| it(n, s).last();
    nth |n, s| { let mut iter = it(n, s); (iter.nth(2), iter.nth(0), iter.nth(n)) };
    nth_back |n, s| { let mut iter = exact(n, s); (iter.nth_back(2), iter.nth_back(0), iter.nth_back(n)) };
    step_by |n, s| drained(it(n, s).step_by(3));
    step_by_back |n, s| { let mut iter = exact(n, s).step_by(3); (iter.next_back(), iter.next(), iter.next_back(), iter.size_hint()) };
    chain |n, s| drained(it(n, s).chain(it(2, s)));
    chain_back |n, s| { let mut iter = exact(n, s).chain(exact(2, s)); (iter.next_back(), iter.next(), iter.next_back(), iter.next_back(), iter.size_hint()) };
    zip |n, s| drained(it(n, s).zip(it(5, s)));
    zip_back |n, s| { let mut iter = exact(n, s).zip(exact(5, s)); (iter.next_back(), iter.next(), iter.next_back(), iter.size_hint()) };
    zip_slices |n, s| { let (a, b) = (elements(n, s), elements(5, s)); drained(SliceM::<E>::iter(&a[..]).map(|x| { note("a", x.id, 0); x.id }).zip(SliceM::<E>::iter(&b[..]).map(|x| { note("b", x.id, 0); x.id }))) };
    map |n, s| drained(it(n, s).map(|item| { note("map", item.id, 0); item.key }));
    map_back |n, s| { let mut iter = exact(n, s).map(|item| item.key); (iter.next_back(), iter.next(), iter.len()) };
    for_each |n, s| it(n, s).for_each(|item| note("each", item.id, 0));
    filter |n, s| drained(it(n, s).filter(even));
    filter_back |n, s| { let mut iter = exact(n, s).filter(even); (iter.next_back(), iter.next(), iter.size_hint()) };
    filter_count |n, s| it(n, s).filter(even).count();
    filter_map |n, s| drained(it(n, s).filter_map(|item| if even(&item) { Some(item) } else { None }));
    filter_map_back |n, s| { let mut iter = exact(n, s).filter_map(|item| if even(&item) { Some(item) } else { None }); (iter.next_back(), iter.next()) };
    enumerate |n, s| drained(it(n, s).enumerate());
    enumerate_back |n, s| { let mut iter = exact(n, s).enumerate(); (iter.next_back(), iter.next(), iter.next_back()) };
    peekable |n, s| { let mut iter = it(n, s).peekable(); let first = iter.peek().map(|item| item.id); (first, iter.next_if(even), iter.next_if_eq(&E { key: 1, id: 500 }), iter.next(), iter.peek_mut().map(|item| item.id), iter.size_hint()) };
    peekable_back |n, s| { let mut iter = exact(n, s).peekable(); iter.peek(); (iter.next_back(), iter.next_back(), iter.next_back()) };
    peekable_count |n, s| { let mut iter = it(n, s).peekable(); iter.peek(); iter.count() };
    peekable_last |n, s| { let mut iter = it(n, s).peekable(); iter.peek(); iter.last() };
    peekable_nth |n, s| { let mut iter = it(n, s).peekable(); iter.peek(); iter.nth(2) };
    skip_while |n, s| drained(it(n, s).skip_while(even));
    take_while |n, s| { let mut iter = it(n, s); (drained(iter.by_ref().take_while(even)), iter.next()) };
    map_while |n, s| { let mut iter = it(n, s); (drained(iter.by_ref().map_while(|item| if even(&item) { Some(item.id) } else { None })), iter.next()) };
    skip |n, s| drained(it(n, s).skip(3));
    skip_nth |n, s| { let mut iter = it(n, s).skip(2); (iter.nth(1), iter.size_hint(), iter.next()) };
    skip_count |n, s| it(n, s).skip(3).count();
    skip_last |n, s| it(n, s).skip(3).last();
    skip_back |n, s| { let mut iter = exact(n, s).skip(2); (iter.next_back(), iter.next(), iter.next_back(), iter.len()) };
    skip_nth_back |n, s| { let mut iter = exact(n, s).skip(2); (iter.nth_back(1), iter.nth_back(9), iter.next()) };
    take |n, s| { let mut iter = it(n, s); (drained(iter.by_ref().take(3)), iter.next()) };
    take_nth |n, s| { let mut iter = it(n, s).take(4); (iter.nth(1), iter.size_hint(), iter.nth(5), iter.next()) };
    take_back |n, s| { let mut iter = exact(n, s).take(4); (iter.next_back(), iter.next(), iter.next_back()) };
    take_nth_back |n, s| { let mut iter = exact(n, s).take(4); (iter.nth_back(1), iter.nth_back(7), iter.next()) };
    scan |n, s| drained(it(n, s).scan(E { key: 0, id: 700 }, |state, item| { note("scan", state.id, item.id); state.id += 1; if item.key < 30 { Some(item) } else { None } }));
    flat_map |n, s| drained(it(n, s).flat_map(|item| { note("open", item.id, 0); it(2, 1) }));
    flat_map_back |n, s| { let mut iter = exact(n, s).flat_map(|item| { note("open", item.id, 0); exact(2, 1) }); (iter.next_back(), iter.next(), iter.next_back(), iter.next_back()) };
    flatten |n, s| drained(it(n, s).map(|item| Some(item)).flatten());
    fuse |n, s| { let mut iter = it(n, s).fuse(); (iter.next(), iter.nth(n), iter.next(), iter.size_hint()) };
    inspect |n, s| drained(it(n, s).inspect(|item| note("seen", item.id, 0)));
    rev |n, s| drained(exact(n, s).rev());
    rev_nth |n, s| { let mut iter = exact(n, s).rev(); (iter.nth(1), iter.next_back(), iter.len()) };
    cloned |n, s| { let items = elements(n, s); drained(SliceM::<E>::iter(&items[..]).cloned()) };
    cloned_copy |n, s| drained(SliceM::<C>::iter(&[C(1), C(2)][..]).cloned());
    cloned_collect |n, s| { let items = elements(n, s); SliceM::<E>::iter(&items[..]).cloned().collect::<Vec<E>>() };
    cycle |n, s| { let items = elements(n, s); let mut iter = SliceM::<E>::iter(&items[..]).cycle().take(7); let mut got = vec![]; while let Some(item) = iter.next() { got.push(item.id); } got };
    collect_vec |n, s| it(n, s).collect::<Vec<E>>();
    collect_exact |n, s| exact(n, s).collect::<Vec<E>>();
    collect_mapped |n, s| it(n, s).map(|item| item.id).collect::<Vec<u32>>();
    collect_filtered |n, s| it(n, s).filter(even).collect::<Vec<E>>();
    collect_option |n, s| it(n, s).map(|item| if item.key < 30 { Some(item) } else { None }).collect::<Option<Vec<E>>>();
    collect_result |n, s| it(n, s).map(|item| if item.key < 30 { Ok(item) } else { Err(item) }).collect::<Result<Vec<E>, E>>();
    collect_string |n, s| it(n, s).map(|item| letter(item.key)).collect::<String>();
    collect_in_place |n, s| IntoIterator::into_iter(elements(n, s)).filter(even).take(2).collect::<Vec<E>>();
    collect_mapped_in_place |n, s| IntoIterator::into_iter(elements(n, s)).map(|item| { note("map", item.id, 0); item.id }).take(3).collect::<Vec<u32>>();
    collect_pair |n, s| it(n, s).map(|item| (item.id, item)).collect::<(Vec<u32>, Vec<E>)>();
    extend_vec |n, s| { let mut items: Vec<E> = Vec::new(); Extend::extend(&mut items, IntoIterator::into_iter(elements(n, s)).map(|item| { note("map", item.id, 0); item })); items };
    collect_boxed |n, s| { let items: Box<[E]> = FromIterator::from_iter(it(n, s)); items };
    collect_boxed_str |n, s| { let text: Box<str> = FromIterator::from_iter(it(n, s).map(|item| letter(item.key))); text };
    extend_string |n, s| { let mut text = String::new(); Extend::extend(&mut text, it(n, s).map(|item| letter(item.key))); text };
    partition |n, s| { let both: (Vec<E>, Vec<E>) = IntoIterator::into_iter(elements(n, s)).partition(even); both };
    unzip |n, s| { let both: (Vec<u32>, Vec<E>) = it(n, s).map(|item| (item.id, item)).unzip(); both };
    try_fold |n, s| it(n, s).try_fold(0u32, |sum, item| { note("fold", sum, item.id); if item.key < 30 { Some(sum + 1) } else { None } });
    try_for_each |n, s| it(n, s).try_for_each(|item| if even(&item) { Ok(()) } else { Err(item) });
    fold |n, s| it(n, s).fold(E { key: 0, id: 800 }, plus);
    rfold |n, s| exact(n, s).rfold(E { key: 0, id: 800 }, plus);
    try_rfold |n, s| exact(n, s).try_rfold(0u32, |sum, item| if item.key < 30 { Some(sum + 1) } else { None });
    rfind |n, s| exact(n, s).rfind(even);
    reduce |n, s| it(n, s).reduce(plus);
    all |n, s| { let mut iter = it(n, s); (iter.all(|item| even(&item)), iter.next()) };
    any |n, s| { let mut iter = it(n, s); (iter.any(|item| even(&item)), iter.next()) };
    find |n, s| { let mut iter = it(n, s); (iter.find(even), iter.next()) };
    find_map |n, s| it(n, s).find_map(|item| if even(&item) { Some(item.id) } else { None });
    position |n, s| it(n, s).position(|item| even(&item));
    rposition |n, s| exact(n, s).rposition(|item| even(&item));
    max |n, s| it(n, s).max();
    min |n, s| it(n, s).min();
    max_by |n, s| it(n, s).max_by(|a, b| { note("by", a.id, b.id); order_of(a.key, b.key) });
    min_by |n, s| it(n, s).min_by(|a, b| { note("by", a.id, b.id); order_of(a.key, b.key) });
    max_by_key |n, s| it(n, s).max_by_key(key_of);
    min_by_key |n, s| it(n, s).min_by_key(key_of);
    sum |n, s| it(n, s).map(|item| wide(item.key)).sum::<u32>();
    product |n, s| it(n, s).map(|item| wide(item.key % 2)).product::<u32>();
    sum_option |n, s| it(n, s).map(|item| if item.key < 30 { Some(wide(item.key)) } else { None }).sum::<Option<u32>>();
    cmp |n, s| Iterator::cmp(it(n, s), it(n, s));
    partial_cmp |n, s| Iterator::partial_cmp(it(n, s), it(n / 2, s));
    eq |n, s| Iterator::eq(it(n, s), it(n, s));
    eq_other |n, s| Iterator::eq(it(n, s), it(n + 2, s));
    eq_shorter |n, s| Iterator::eq(it(n, s), it(n / 2, s));
    ne |n, s| Iterator::ne(it(n, s), it(n, s));
    lt |n, s| (Iterator::lt(it(n, s), it(n, s)), Iterator::le(it(n, s), it(n, s)), Iterator::gt(it(n, s), it(n, s)), Iterator::ge(it(n, s), it(n + 1, s)));
    eq_slices |n, s| { let (a, b) = (elements(n, s), elements(n + 1, s)); Iterator::eq(SliceM::<E>::iter(&a[..]), SliceM::<E>::iter(&b[..])) };
    eq_same_slices |n, s| { let (a, b) = (elements(n, s), elements(n, s)); Iterator::eq(SliceM::<E>::iter(&a[..]), SliceM::<E>::iter(&b[..])) };
    is_sorted |n, s| it(n, s).is_sorted();
    repeat |n, s| drained(iter_m::repeat(E { key: 1, id: 1 }).take(at_most(n, 5)));
    repeat_n |n, s| drained(iter_m::repeat_n(E { key: 1, id: 1 }, at_most(n, 5)));
    repeat_with |n, s| drained(iter_m::repeat_with(|| { note("made", 0, 0); 1 }).take(at_most(n, 5)));
    successors |n, s| drained(iter_m::successors(Some(E { key: 1, id: 1 }), |item| if item.id < 6 { Some(E { key: 1, id: item.id + 1 }) } else { None }));
    from_fn |n, s| { let mut left = n; drained(iter_m::from_fn(|| { note("from_fn", 0, 0); if left > 0 { left -= 1; Some(left) } else { None } })) };
    once_with |n, s| drained(iter_m::once_with(|| { note("once", 0, 0); 1 }));
};

fn some(n: usize, id: u32) -> Option<E> {
    if n % 2 == 0 { Some(E { key: (n % 5) as u8, id }) } else { None }
}

fn ok(n: usize, id: u32) -> Result<E, E> {
    if n % 2 == 0 { Ok(E { key: (n % 5) as u8, id }) } else { Err(E { key: 9, id: id + 100 }) }
}

fn e(key: u8, id: u32) -> E {
    E { key, id }
}

/// Upon values of one or two elements; a length tells which.
pub const VALUES: &[Op] = ops! {
    option_map |n, s| OptionM::map(some(n, 1), |item| { note("map", item.id, 0); item.key });
    option_inspect |n, s| OptionM::inspect(some(n, 1), |item| note("seen", item.id, 0));
    option_map_or |n, s| OptionM::map_or(some(n, 1), e(3, 5), |item| e(1, item.id + 20));
    option_map_or_else |n, s| OptionM::map_or_else(some(n, 1), || e(3, 5), |item| e(1, item.id + 20));
    option_ok_or |n, s| OptionM::ok_or(some(n, 1), e(3, 5));
    option_ok_or_else |n, s| OptionM::ok_or_else(some(n, 1), || e(3, 5));
    option_and |n, s| OptionM::and(some(n, 1), some(n / 2, 2));
    option_and_then |n, s| OptionM::and_then(some(n, 1), |item| some(n / 2, item.id + 4));
    option_filter |n, s| OptionM::filter(some(n, 1), even);
    option_or |n, s| OptionM::or(some(n, 1), some(n / 2, 2));
    option_or_else |n, s| OptionM::or_else(some(n, 1), || some(n / 2, 2));
    option_xor |n, s| OptionM::xor(some(n, 1), some(n / 2, 2));
    option_insert |n, s| { let mut slot = some(n, 1); OptionM::insert(&mut slot, e(2, 2)).id };
    option_get_or_insert |n, s| { let mut slot = some(n, 1); OptionM::get_or_insert(&mut slot, e(2, 2)).id };
    option_get_or_insert_with |n, s| { let mut slot = some(n, 1); OptionM::get_or_insert_with(&mut slot, || e(2, 2)).id };
    option_take_if |n, s| { let mut slot = some(n, 1); (OptionM::take_if(&mut slot, |item| even(item)), slot) };
    option_replace |n, s| { let mut slot = some(n, 1); (OptionM::replace(&mut slot, e(2, 2)), slot) };
    option_zip |n, s| OptionM::zip(some(n, 1), some(n / 2, 2));
    option_unwrap_or |n, s| OptionM::unwrap_or(some(n, 1), e(2, 2));
    option_unwrap_or_else |n, s| OptionM::unwrap_or_else(some(n, 1), || e(2, 2));
    option_unwrap_or_default |n, s| OptionM::unwrap_or_default(some(n, 1));
    option_is_some_and |n, s| (OptionM::is_some_and(some(n, 1), |item| even(&item)), OptionM::is_none_or(some(n, 1), |item| even(&item)));
    option_cloned |n, s| option_cloned(&some(n, 1));
    option_clone |n, s| clone_m::Clone::clone(&some(n, 1));
    option_clone_from |n, s| { let mut to = some(n, 1); clone_m::Clone::clone_from(&mut to, &some(n / 2, 2)); to };
    option_eq |n, s| (cmp_m::PartialEq::eq(&some(n, 1), &some(n / 2, 2)), cmp_m::PartialEq::ne(&some(n, 1), &some(n / 2, 2)));
    option_cmp |n, s| (cmp_m::PartialOrd::partial_cmp(&some(n, 1), &some(n / 2, 2)), cmp_m::PartialOrd::lt(&some(n, 1), &some(n / 2, 2)), cmp_m::PartialOrd::le(&some(n, 1), &some(n / 2, 2)), cmp_m::PartialOrd::ge(&some(n, 1), &some(n / 2, 2)), cmp_m::Ord::cmp(&some(n, 1), &some(n / 2, 2)));
    option_max |n, s| (cmp_m::Ord::max(some(n, 1), some(n / 2, 2)), cmp_m::Ord::min(some(n, 1), some(n / 2, 2)));
    option_unwrap_unchecked |n, s| unsafe { OptionUncheckedM::unwrap_unchecked(Some(e(1, 1))) };
    option_hash |n, s| hash_m::Hash::hash(&some(n, 1), &mut Fed);
    result_map |n, s| ResultM::map(ok(n, 1), |item| { note("map", item.id, 0); item.key });
    result_map_err |n, s| ResultM::map_err(ok(n, 1), |item| { note("map", item.id, 0); item.key });
    result_map_or |n, s| ResultM::map_or(ok(n, 1), e(3, 5), |item| e(1, item.id + 20));
    result_map_or_else |n, s| ResultM::map_or_else(ok(n, 1), |error| e(2, error.id + 20), |item| e(1, item.id + 20));
    result_and |n, s| ResultM::and(ok(n, 1), ok(n / 2, 2));
    result_and_then |n, s| ResultM::and_then(ok(n, 1), |item| ok(n / 2, item.id + 5));
    result_or |n, s| { let other: Result<E, u8> = if n % 3 == 0 { Ok(e(1, 2)) } else { Err(3) }; ResultM::or(ok(n, 1), other) };
    result_or_else |n, s| ResultM::or_else(ok(n, 1), |error| ok(n / 2, error.id + 5));
    result_unwrap_or |n, s| ResultM::unwrap_or(ok(n, 1), e(4, 6));
    result_unwrap_or_else |n, s| ResultM::unwrap_or_else(ok(n, 1), |error| e(4, error.id + 6));
    result_unwrap_or_default |n, s| ResultM::unwrap_or_default(ok(n, 1));
    result_inspect |n, s| (ResultM::inspect(ok(n, 1), |item| note("seen", item.id, 0)), ResultM::inspect_err(ok(n, 1), |item| note("err", item.id, 0)));
    result_ok |n, s| (ResultM::ok(ok(n, 1)), ResultM::err(ok(n, 1)));
    result_is_ok_and |n, s| (ResultM::is_ok_and(ok(n, 1), |item| even(&item)), ResultM::is_err_and(ok(n, 1), |item| even(&item)));
    result_clone |n, s| clone_m::Clone::clone(&ok(n, 1));
    result_clone_from |n, s| { let mut to = ok(n, 1); clone_m::Clone::clone_from(&mut to, &ok(n / 2, 2)); to };
    result_eq |n, s| (cmp_m::PartialEq::eq(&ok(n, 1), &ok(n / 2, 2)), cmp_m::PartialEq::ne(&ok(n, 1), &ok(n / 2, 2)));
    result_hash |n, s| hash_m::Hash::hash(&ok(n, 1), &mut Fed);
    result_unwrap_unchecked |n, s| unsafe { let (good, bad): (Result<E, E>, Result<E, E>) = (Ok(e(1, 1)), Err(e(1, 2))); (ResultUncheckedM::unwrap_unchecked(good), ResultUncheckedM::unwrap_err_unchecked(bad)) };
    result_cmp |n, s| (cmp_m::PartialOrd::partial_cmp(&ok(n, 1), &ok(n / 2, 2)), cmp_m::PartialOrd::lt(&ok(n, 1), &ok(n / 2, 2)), cmp_m::Ord::cmp(&ok(n, 1), &ok(n / 2, 2)));
    tuple_eq |n, s| (cmp_m::PartialEq::eq(&(e(1, 1), e(2, 2)), &(e(1, 3), e((n % 3) as u8, 4))), cmp_m::PartialEq::ne(&(e(1, 1), e(2, 2)), &(e(1, 3), e((n % 3) as u8, 4))));
    tuple_partial_cmp |n, s| cmp_m::PartialOrd::partial_cmp(&(e(1, 1), e(2, 2)), &(e((n % 2) as u8, 3), e((n % 5) as u8, 4)));
    tuple_lt |n, s| (cmp_m::PartialOrd::lt(&(e(1, 1), e(2, 2)), &(e((n % 2) as u8, 3), e((n % 5) as u8, 4))), cmp_m::PartialOrd::le(&(e(1, 1), e(2, 2)), &(e((n % 2) as u8, 3), e((n % 5) as u8, 4))));
    tuple_gt |n, s| (cmp_m::PartialOrd::gt(&(e(1, 1), e(2, 2)), &(e((n % 2) as u8, 3), e((n % 5) as u8, 4))), cmp_m::PartialOrd::ge(&(e(1, 1), e(2, 2)), &(e((n % 2) as u8, 3), e((n % 5) as u8, 4))));
    tuple_cmp |n, s| cmp_m::Ord::cmp(&(e(1, 1), e(2, 2)), &(e((n % 2) as u8, 3), e((n % 5) as u8, 4)));
    tuple_of_one |n, s| (cmp_m::PartialOrd::lt(&(e(1, 1),), &(e((n % 3) as u8, 3),)), cmp_m::PartialEq::ne(&(e(1, 1),), &(e((n % 3) as u8, 3),)));
    tuple_of_tuples |n, s| cmp_m::PartialOrd::lt(&((e(1, 1), e(2, 5)), e(2, 2)), &((e(1, 6), e((n % 4) as u8, 7)), e((n % 3) as u8, 3)));
    tuple_of_options |n, s| cmp_m::PartialOrd::lt(&(some(n, 1), e(2, 2)), &(some(n / 2, 6), e((n % 3) as u8, 3)));
    tuple_clone |n, s| clone_m::Clone::clone(&(e(1, 1), e(2, 2)));
    tuple_clone_from |n, s| { let mut to = (e(1, 1), e(2, 2)); clone_m::Clone::clone_from(&mut to, &(e(1, 5), e(2, 6))); to };
    tuple_hash |n, s| hash_m::Hash::hash(&(e(1, 1), e(2, 2)), &mut Fed);
    tuple_default |n, s| { let made: (E, E) = default_m::Default::default(); made };
    reference_eq |n, s| (cmp_m::PartialEq::eq(&&e(1, 1), &&e(1, 2)), cmp_m::PartialEq::ne(&&e(1, 1), &&e(1, 2)), cmp_m::PartialOrd::lt(&&e(1, 1), &&e(1, 2)), cmp_m::PartialOrd::partial_cmp(&&e(1, 1), &&e(1, 2)), cmp_m::Ord::cmp(&&e(1, 1), &&e(1, 2)));
    reverse |n, s| (cmp_m::PartialEq::eq(&std::cmp::Reverse(e(1, 1)), &std::cmp::Reverse(e(1, 2))), cmp_m::PartialEq::ne(&std::cmp::Reverse(e(1, 1)), &std::cmp::Reverse(e(1, 2))), cmp_m::PartialOrd::lt(&std::cmp::Reverse(e(1, 1)), &std::cmp::Reverse(e(1, 2))), cmp_m::Ord::cmp(&std::cmp::Reverse(e(1, 1)), &std::cmp::Reverse(e(1, 2))));
    reverse_clone_from |n, s| { let mut to = std::cmp::Reverse(e(1, 1)); clone_m::Clone::clone_from(&mut to, &std::cmp::Reverse(e(1, 2))); to };
    ord_max |n, s| (cmp_m::max(e(1, 1), e((n % 3) as u8, 2)), cmp_m::min(e(1, 1), e((n % 3) as u8, 2)));
    ord_max_by |n, s| (cmp_m::max_by(e(1, 1), e(1, 2), |a, b| a.cmp(b)), cmp_m::min_by(e(1, 1), e(1, 2), |a, b| a.cmp(b)));
    ord_max_by_key |n, s| (cmp_m::max_by_key(e(1, 1), e((n % 3) as u8, 2), key_of), cmp_m::min_by_key(e(1, 1), e((n % 3) as u8, 2), key_of));
    bool_then |n, s| (BoolM::then(n % 2 == 0, || e(1, 1)), BoolM::then_some(n % 2 == 0, e(1, 2)));
    once |n, s| {
        let once = Once::new();
        let before = once.is_completed();
        once.call_once(|| note("first", 0, 0));
        once.call_once(|| note("second", 0, 0));
        let other = Once::new();
        other.call_once_force(|state| note("forced", u32::from(state.is_poisoned()), 0));
        shown((before, once.is_completed()))
    };
    ordering_then_with |n, s| OrderingM::then_with(if n % 2 == 0 { Ordering::Equal } else { Ordering::Less }, || { note("then", 0, 0); Ordering::Greater });
    box_eq |n, s| (cmp_m::PartialEq::eq(&Box::new(e(1, 1)), &Box::new(e(1, 2))), cmp_m::PartialEq::ne(&Box::new(e(1, 1)), &Box::new(e(1, 2))), cmp_m::PartialOrd::partial_cmp(&Box::new(e(1, 1)), &Box::new(e(1, 2))), cmp_m::PartialOrd::lt(&Box::new(e(1, 1)), &Box::new(e(1, 2))), cmp_m::PartialOrd::ge(&Box::new(e(1, 1)), &Box::new(e(1, 2))), cmp_m::Ord::cmp(&Box::new(e(1, 1)), &Box::new(e(1, 2))));
    box_clone |n, s| clone_m::Clone::clone(&Box::new(e(1, 1)));
    box_clone_from |n, s| { let mut to = Box::new(e(1, 1)); clone_m::Clone::clone_from(&mut to, &Box::new(e(1, 2))); to };
    rc_eq |n, s| { let (a, b) = (Rc::new(e(1, 1)), Rc::new(e(1, 2))); (cmp_m::PartialEq::eq(&a, &b), cmp_m::PartialEq::ne(&a, &b), cmp_m::PartialEq::eq(&a, &clone_m::Clone::clone(&a)), cmp_m::PartialEq::ne(&a, &clone_m::Clone::clone(&a)), cmp_m::PartialOrd::lt(&a, &b), cmp_m::PartialOrd::partial_cmp(&a, &b), cmp_m::Ord::cmp(&a, &b)) };
    rc_partial_eq |n, s| { let a = Rc::new(P(e(1, 1))); (cmp_m::PartialEq::eq(&a, &clone_m::Clone::clone(&a)), cmp_m::PartialEq::ne(&a, &clone_m::Clone::clone(&a))) };
    rc_make_mut |n, s| { let mut a = Rc::new(e(1, 1)); let other = if n % 2 == 0 { Some(clone_m::Clone::clone(&a)) } else { None }; Rc::make_mut(&mut a).key = 4; (other.is_some(), Rc::unwrap_or_clone(a)) };
    rc_drop |n, s| { let a = Rc::new(e(1, 1)); let b = clone_m::Clone::clone(&a); drop(a); note("between", 0, 0); drop(b); };
    cell_replace |n, s| { let cell = Cell::new(e(1, 1)); let old = cell.replace(e(2, 2)); cell.set(e(3, 3)); (old, cell.take(), cell.into_inner()) };
    refcell_clone |n, s| { let cell = RefCell::new(e(1, 1)); let other = clone_m::Clone::clone(&cell); (cmp_m::PartialEq::eq(&cell, &other), cmp_m::PartialEq::ne(&cell, &other), cmp_m::PartialOrd::partial_cmp(&cell, &other), cmp_m::PartialOrd::lt(&cell, &other), cmp_m::Ord::cmp(&cell, &other)); };
    refcell_clone_from |n, s| { let mut cell = RefCell::new(e(1, 1)); clone_m::Clone::clone_from(&mut cell, &RefCell::new(e(2, 2))); };
    refcell_replace |n, s| { let cell = RefCell::new(e(1, 1)); (cell.replace(e(2, 2)), cell.replace_with(|item| { note("with", item.id, 0); e(3, 3) }), cell.take(), cell.into_inner()) };
    range_eq |n, s| (cmp_m::PartialEq::eq(&(e(1, 1)..e(2, 2)), &(e(1, 3)..e(2, 4))), cmp_m::PartialEq::ne(&(e(1, 1)..e(2, 2)), &(e(1, 3)..e(2, 4))));
    str_closures |n, s| { let text = "ab,cd;ef,gh"; let mut seen = 0; (StrM::find(text, |c: char| { note("find", c as u32, 0); c == ';' }), StrM::rfind(text, |c: char| { note("rfind", c as u32, 0); c == ';' }), drained(StrM::split(text, |c: char| { note("split", c as u32, 0); seen += 1; c == ',' })), StrM::trim_matches(text, |c: char| { note("trim", c as u32, 0); c < 'c' }), StrM::contains(text, |c: char| { note("contains", c as u32, 0); c == 'd' }), StrM::starts_with(text, |c: char| { note("starts", c as u32, 0); c == 'd' })) };
    str_split_closures |n, s| { let text = "ab,cd;ef,gh"; (drained(StrM::splitn(text, 2, |c: char| { note("splitn", c as u32, 0); c == ',' })), drained(StrM::rsplit(text, |c: char| { note("rsplit", c as u32, 0); c == ',' })), StrM::split_once(text, |c: char| { note("once", c as u32, 0); c == ',' }), drained(StrM::matches(text, |c: char| { note("matches", c as u32, 0); c == ',' }))) };
    string_retain |n, s| { let mut text = abcdef(); StringM::retain(&mut text, |c| { note("retain", c as u32, 0); c != 'c' }); text };
    mem_take |n, s| { let mut item = e(1, 1); std::mem::take(&mut item) };
};
