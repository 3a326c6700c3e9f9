//! Small parts of models that no other test has use for, each against the real one on inputs that reach all of it.

// What is unsafe in the library need not be in its model.
#![allow(clippy::all, unused_unsafe)]

use proptest::prelude::*;
use std_models::inherent::{ConstPtrMethods, MutPtrMethods, StringMethods, VecMethods};

/// The same text for the model and for the real one.
macro_rules! both {
    ($name:ident ($($arg:ident: $ty:ty),*) -> $result:ty, [$($real:path => $model:path as $alias:ident),+], $body:block) => {
        mod $name {
            pub fn real($($arg: $ty),*) -> $result {
                $(use $real as $alias;)+
                $body
            }
            pub fn model($($arg: $ty),*) -> $result {
                $(use $model as $alias;)+
                $body
            }
        }
    };
}

both! { deque(items: &[u8]) -> (Option<u8>, usize, Vec<u8>),
    [std::collections::VecDeque => std_models::collections::VecDeque as Deque],
    {
        let mut deque = Deque::new();
        items.iter().for_each(|item| deque.push_back(*item));
        if let Some(last) = deque.back_mut() {
            *last = last.wrapping_add(3);
        }
        let (last, len, mut all) = (deque.pop_back(), deque.len(), Vec::new());
        while let Some(first) = deque.pop_front() {
            all.push(first);
        }
        (last, len, all)
    }
}

both! { hash_entries(keys: &[u8]) -> Vec<u16>,
    [
        std::collections::HashMap => std_models::collections::HashMap as Map,
        std::collections::hash_map::Entry => std_models::collections::hash_map::Entry as Entry
    ],
    {
        let mut map = Map::new();
        let mut seen = Vec::new();
        for (at, key) in keys.iter().enumerate() {
            seen.push(match map.entry(*key % 8) {
                Entry::Occupied(entry) if at % 3 == 0 => {
                    let value: &mut u16 = entry.into_mut();
                    *value += 1;
                    *value
                }
                Entry::Occupied(mut entry) => entry.insert(at as u16),
                Entry::Vacant(entry) if at % 4 == 0 => u16::from(entry.into_key()),
                Entry::Vacant(entry) => *entry.insert_entry(u16::from(*key)).get(),
            });
        }
        seen
    }
}

both! { tree_entries(keys: &[u8]) -> Vec<u16>,
    [
        std::collections::BTreeMap => std_models::collections::BTreeMap as Map,
        std::collections::btree_map::Entry => std_models::collections::btree_map::Entry as Entry
    ],
    {
        let mut map = Map::new();
        let mut seen = Vec::new();
        for (at, key) in keys.iter().enumerate() {
            seen.push(match map.entry(*key % 8) {
                Entry::Occupied(entry) => {
                    let value: &mut u16 = entry.into_mut();
                    *value += 1;
                    *value
                }
                Entry::Vacant(entry) if at % 4 == 0 => u16::from(entry.into_key()),
                Entry::Vacant(entry) => *entry.insert(u16::from(*key)),
            });
        }
        seen
    }
}

both! { borrowed(state: u8, value: i32) -> (bool, Option<i32>),
    [std::cell::RefCell => std_models::cell::RefCell as RefCell],
    {
        let cell = RefCell::new(value);
        let _reading = (state % 3 == 1).then(|| cell.borrow());
        let writing = (state % 3 == 2).then(|| cell.borrow_mut());
        let seen = unsafe { cell.try_borrow_unguarded() }.ok().copied();
        (writing.is_some(), seen)
    }
}

both! { locks(value: u8) -> (bool, bool, u8, u8),
    [
        std::sync::Mutex => std_models::sync::Mutex as Mutex,
        std::sync::RwLock => std_models::sync::RwLock as RwLock
    ],
    {
        let (mutex, lock) = (Mutex::new(value), RwLock::new(value));
        mutex.clear_poison();
        lock.clear_poison();
        let poisoned = (mutex.is_poisoned(), lock.is_poisoned());
        let (a, b) = (mutex.into_inner().ok(), lock.into_inner().ok());
        (poisoned.0, poisoned.1, a.unwrap_or(0), b.unwrap_or(0))
    }
}

both! { positions(bytes: &[u8], at: u64, limit: u64) -> (u64, u64, Vec<u8>),
    [
        std::io::Cursor => std_models::io::Cursor as Cursor,
        std::io::Read => std_models::io::Read as Read
    ],
    {
        let mut cursor = Cursor::new(bytes);
        cursor.set_position(at);
        let position = cursor.position();
        let mut taken = Read::take(cursor, 0);
        taken.set_limit(limit);
        let limit = taken.limit();
        let mut read = Vec::new();
        let mut piece = [0u8; 3];
        while let Ok(count) = Read::read(&mut taken, &mut piece) {
            if count == 0 {
                break;
            }
            read.extend_from_slice(&piece[..count]);
        }
        (position, limit, read)
    }
}

both! { error_number(text: &str) -> Option<i32>,
    [std::io::Error => std_models::io::Error as Error],
    { Error::other(text).raw_os_error() }
}

#[test]
fn numbers_of_errors_and_orders_of_fences() {
    use std::sync::atomic::Ordering;
    assert_eq!(error_number::model("no reason"), error_number::real("no reason"));
    for order in [Ordering::Relaxed, Ordering::Acquire, Ordering::Release, Ordering::AcqRel, Ordering::SeqCst]
    {
        let model = std::panic::catch_unwind(|| std_models::sync::atomic::compiler_fence(order)).is_ok();
        let real = std::panic::catch_unwind(|| std::sync::atomic::compiler_fence(order)).is_ok();
        assert_eq!(model, real, "{order:?}");
    }
}

proptest! {
    #[test]
    fn ends_of_deques(items in prop::collection::vec(any::<u8>(), 0..12)) {
        prop_assert_eq!(deque::model(&items), deque::real(&items));
    }

    #[test]
    fn entries_of_maps(keys in prop::collection::vec(any::<u8>(), 0..30)) {
        prop_assert_eq!(hash_entries::model(&keys), hash_entries::real(&keys));
        prop_assert_eq!(tree_entries::model(&keys), tree_entries::real(&keys));
    }

    #[test]
    fn states_of_cells_and_locks(state: u8, value: i32) {
        prop_assert_eq!(borrowed::model(state, value), borrowed::real(state, value));
        prop_assert_eq!(locks::model(state), locks::real(state));
    }

    #[test]
    fn positions_and_limits(
        bytes in prop::collection::vec(any::<u8>(), 0..9),
        at in 0..12u64,
        limit in 0..12u64,
    ) {
        prop_assert_eq!(positions::model(&bytes, at, limit), positions::real(&bytes, at, limit));
    }

    #[test]
    fn zeros_of_numbers(x: u32, y: i64) {
        if let (Some(model), Some(real)) = (std_models::num::NonZero::<u32>::new(x), std::num::NonZero::new(x)) {
            prop_assert_eq!(model.leading_zeros(), real.leading_zeros());
            prop_assert_eq!(model.trailing_zeros(), real.trailing_zeros());
            prop_assert_eq!(unsafe { std_models::num::NonZero::<u32>::new_unchecked(x) }.get(), real.get());
        }
        if let (Some(model), Some(real)) = (std_models::num::NonZero::<i64>::new(y), std::num::NonZero::new(y)) {
            prop_assert_eq!(model.leading_zeros(), real.leading_zeros());
            prop_assert_eq!(model.trailing_zeros(), real.trailing_zeros());
        }
        prop_assert_eq!(std_models::convert::identity(y), std::convert::identity(y));
    }

    #[test]
    fn raw_places(mut items in prop::collection::vec(any::<u16>(), 2..9), at in 0..8usize, value: u16) {
        let at = at % items.len();
        let mut expected = items.clone();
        let (from, to) = (items.as_ptr().wrapping_add(at), items.as_mut_ptr());
        // One of each way to read a place, and to write to it.
        unsafe {
            prop_assert_eq!(std_models::ptr::read_unaligned(from), expected[at]);
            prop_assert_eq!(std_models::ptr::read_volatile(from), expected[at]);
            prop_assert_eq!(ConstPtrMethods::read_unaligned(from), expected[at]);
            prop_assert_eq!(MutPtrMethods::read_unaligned(to), expected[0]);
            std_models::ptr::write_unaligned(to, value);
            prop_assert_eq!(*to, value);
            std_models::ptr::write_volatile(to, value.wrapping_add(1));
            prop_assert_eq!(*to, value.wrapping_add(1));
            MutPtrMethods::write_unaligned(to, value.wrapping_add(2));
            prop_assert_eq!(*to, value.wrapping_add(2));
            expected[0] = value.wrapping_add(2);
            if at > 0 {
                std_models::ptr::copy_nonoverlapping(from, to, 1);
                let one = expected[at];
                std::ptr::copy_nonoverlapping(&one, expected.as_mut_ptr(), 1);
            }
            std_models::slice::from_raw_parts_mut(to, items.len())[at] ^= 5;
            expected[at] ^= 5;
            let place = std_models::ptr::NonNull::new_unchecked(to);
            prop_assert_eq!(place.as_ptr(), to);
            prop_assert_eq!(*place.cast::<[u16; 1]>().as_ref(), [expected[0]]);
        }
        prop_assert_eq!(ConstPtrMethods::cast::<u8>(from), from.cast::<u8>());
        prop_assert_eq!(MutPtrMethods::cast::<u8>(to), to.cast::<u8>());
        prop_assert_eq!(
            std_models::ptr::NonNull::<u64>::dangling().as_ptr(),
            std::ptr::NonNull::<u64>::dangling().as_ptr()
        );
        prop_assert_eq!(std_models::slice::from_ref(&items[at]), std::slice::from_ref(&expected[at]));
        prop_assert_eq!(items, expected);
    }

    #[test]
    fn the_rest_of_an_iterator_is_a_slice(items in prop::collection::vec(any::<u8>(), 0..7), skipped in 0..9usize) {
        let (mut left, mut right) = (items.clone(), items);
        let mut model = std_models::inherent::SliceMethods::iter_mut(&mut left[..]);
        let mut real = right.iter_mut();
        for _ in 0..skipped {
            let next = std_models::iter::Iterator::next(&mut model).map(|item| *item);
            prop_assert_eq!(next, real.next().map(|item| *item));
        }
        prop_assert_eq!(model.into_slice(), real.into_slice());
    }

    #[test]
    fn memory_that_is_given_back(text in ".{0,6}", items in prop::collection::vec(any::<u8>(), 0..6)) {
        let (mut model, mut real) = (text.clone(), text.clone());
        StringMethods::shrink_to_fit(&mut model);
        real.shrink_to_fit();
        prop_assert_eq!(model, real);
        let (mut model, mut real) = (items.clone(), items);
        VecMethods::shrink_to_fit(&mut model);
        real.shrink_to_fit();
        prop_assert_eq!(model, real);
        let bytes = text.into_bytes();
        let model = <String as StringMethods>::from_utf8_unchecked(bytes.clone());
        prop_assert_eq!(model, unsafe { String::from_utf8_unchecked(bytes) });
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn additions_and_subtractions_with_a_carry() {
    use std::arch::x86_64 as real;
    use std_models::arch::x86_64 as model;
    macro_rules! check {
        ($ty:ident: $($function:ident)*) => {$(
            for c_in in [0, 1, 2, 255] {
                for a in [0, 1, 5, $ty::MAX / 2, $ty::MAX - 1, $ty::MAX] {
                    for b in [0, 1, 6, $ty::MAX / 2 + 1, $ty::MAX - 1, $ty::MAX] {
                        let (mut left, mut right) = (9, 9);
                        #[allow(unused_unsafe)]
                        let carries = unsafe { (model::$function(c_in, a, b, &mut left), real::$function(c_in, a, b, &mut right)) };
                        assert_eq!((carries.0, left), (carries.1, right), "{} {c_in} {a} {b}", stringify!($function));
                    }
                }
            }
        )*};
    }
    check!(u32: _addcarry_u32 _subborrow_u32);
    check!(u64: _addcarry_u64 _subborrow_u64);
}

#[test]
fn separators() {
    for c in (0..=255u8).map(char::from).chain(['\u{2044}', '\u{ff0f}']) {
        assert_eq!(std_models::path::is_separator(c), std::path::is_separator(c), "{c:?}");
    }
}

#[test]
fn layouts() {
    use std::alloc::Layout as Real;
    use std_models::alloc::Layout as Model;
    const MOST: usize = isize::MAX as usize;
    let of_model = |layout: &Model| (layout.size(), layout.align());
    let of_real = |layout: &Real| (layout.size(), layout.align());
    for size in [0, 1, 7, 4096, MOST - 4096, MOST - 7, MOST - 1, MOST, MOST + 1, usize::MAX] {
        for align in [0, 1, 2, 3, 8, 4096, 4097, 1 << 62, 1 << 63, usize::MAX] {
            let model = Model::from_size_align(size, align);
            let real = Real::from_size_align(size, align);
            assert_eq!(model.as_ref().ok().map(of_model), real.as_ref().ok().map(of_real), "{size} {align}");
            match (model, real) {
                (Err(model), Err(real)) => {
                    assert_eq!(std_models::string::ToString::to_string(&model), real.to_string());
                }
                _ => {
                    let model = unsafe { Model::from_size_align_unchecked(size, align) };
                    assert_eq!(of_model(&model), (size, align));
                }
            }
        }
        let (model, real) = (Model::array::<u32>(size), Real::array::<u32>(size));
        assert_eq!(model.as_ref().ok().map(of_model), real.as_ref().ok().map(of_real), "{size}");
        assert_eq!(Model::array::<()>(size).is_ok(), Real::array::<()>(size).is_ok());
    }
    assert!(Model::new::<u64>() == Model::array::<u64>(1).unwrap() && Model::new::<u64>().size() == 8);
}
