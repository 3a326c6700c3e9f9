//! Cells, locks and atomics: the models against the real ones, by long sequences of operations on both.

mod common;

use std::sync::atomic::Ordering;

use common::same;
use std_models::{cell, ops, sync};

/// Numbers that look random.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 >> 33
    }
}

#[test]
fn cells() {
    let (model, real) = (cell::Cell::new(1u8), std::cell::Cell::new(1u8));
    let (model_2, real_2) = (cell::Cell::new(9u8), std::cell::Cell::new(9u8));
    let mut numbers = Numbers(1);
    for _ in 0..1000 {
        let x = numbers.next() as u8;
        match numbers.next() % 6 {
            0 => {
                model.set(x);
                real.set(x);
            }
            1 => assert_eq!(model.replace(x), real.replace(x)),
            2 => assert_eq!(model.take(), real.take()),
            3 => {
                model.swap(&model_2);
                real.swap(&real_2);
            }
            4 => {
                model.update(|old| old.wrapping_mul(x));
                real.update(|old| old.wrapping_mul(x));
            }
            _ => assert_eq!(std_models::cmp::PartialEq::eq(&model, &model_2), real == real_2),
        }
        assert_eq!((model.get(), model_2.get()), (real.get(), real_2.get()));
    }
}

/// Both kinds of guards at once, taken and given back in any order.
macro_rules! borrowing {
    ($module:ident $($path:ident)::*, $($ops:ident)::*) => {
        mod $module {
            use super::*;
            type RefCell<T> = $($path)::*::RefCell<T>;

            pub fn run(seed: u64) -> Vec<(u64, i64)> {
                #[allow(unused_imports)]
                use $($ops)::*::{Deref as _, DerefMut as _};
                let cell: RefCell<(u8, u8)> = RefCell::new((1, 2));
                let (mut shared, mut exclusive) = (Vec::new(), Vec::new());
                let mut numbers = Numbers(seed);
                let mut seen = Vec::new();
                for _ in 0..300 {
                    let what = numbers.next() % 9;
                    let at = numbers.next() as usize;
                    let result = match what {
                        0 => cell.try_borrow().map(|guard| shared.push($($path)::*::Ref::map(guard, |pair| &pair.0))).is_ok() as i64,
                        1 => cell.try_borrow_mut().map(|guard| exclusive.push($($path)::*::RefMut::map(guard, |pair| &mut pair.1))).is_ok() as i64,
                        2 if !shared.is_empty() => { shared.swap_remove(at % shared.len()); 2 }
                        3 if !exclusive.is_empty() => { exclusive.pop(); 3 }
                        4 => shared.last().map_or(-1, |guard| i64::from(*guard.deref())),
                        5 => exclusive.last_mut().map_or(-1, |guard| { *(*guard).deref_mut() = at as u8; i64::from(*(*guard).deref()) }),
                        6 if !shared.is_empty() => {
                            let again = $($path)::*::Ref::clone(&shared[at % shared.len()]);
                            shared.push(again);
                            6
                        }
                        7 => cell.try_borrow().map_or(-1, |guard| {
                            let (left, right) = $($path)::*::Ref::map_split(guard, |pair| (&pair.0, &pair.1));
                            let result = i64::from(*left.deref()) * 256 + i64::from(*right.deref());
                            shared.push(left);
                            result
                        }),
                        _ => cell.try_borrow_mut().map_or(-1, |guard| {
                            let (mut left, right) = $($path)::*::RefMut::map_split(guard, |pair| (&mut pair.0, &mut pair.1));
                            *left.deref_mut() = at as u8;
                            drop(left);
                            let held = cell.try_borrow().is_ok();
                            drop(right);
                            held as i64
                        }),
                    };
                    seen.push((what, result));
                }
                seen
            }
        }
    };
}

borrowing!(model std_models::cell, std_models::ops);
borrowing!(real std::cell, std::ops);

#[test]
fn borrows_of_ref_cells() {
    for seed in 0..200 {
        assert_eq!(model::run(seed), real::run(seed), "{seed}");
    }
}

#[test]
fn ref_cells_that_are_borrowed_panic() {
    same(
        "borrow_mut",
        || {
            let cell = cell::RefCell::new(1);
            let _guard = cell.borrow();
            cell.replace(2)
        },
        || {
            let cell = std::cell::RefCell::new(1);
            let _guard = cell.borrow();
            cell.replace(2)
        },
    );
    same(
        "borrow",
        || {
            let cell = cell::RefCell::new(1u8);
            let _guard = cell.borrow_mut();
            *ops::Deref::deref(&cell.borrow())
        },
        || {
            let cell = std::cell::RefCell::new(1u8);
            let _guard = cell.borrow_mut();
            *cell.borrow()
        },
    );
    same(
        "swap with itself",
        || {
            let cell = cell::RefCell::new(1u8);
            cell.swap(&cell);
            cell.into_inner()
        },
        || {
            let cell = std::cell::RefCell::new(1u8);
            cell.swap(&cell);
            cell.into_inner()
        },
    );
    let (model, real) = (cell::RefCell::new(3u8), std::cell::RefCell::new(3u8));
    assert_eq!(model.replace_with(|x| *x + 1), real.replace_with(|x| *x + 1));
    assert_eq!(model.take(), real.take());
    assert_eq!(model.take(), real.take());
}

#[test]
fn once() {
    for preset in [None, Some(3u8)] {
        let (model, real) = (cell::OnceCell::new(), std::cell::OnceCell::new());
        let (model_lock, real_lock) = (sync::OnceLock::new(), std::sync::OnceLock::new());
        if let Some(value) = preset {
            assert_eq!(model.set(value), real.set(value));
            assert_eq!(model_lock.set(value), real_lock.set(value));
        }
        assert_eq!((model.get(), model_lock.get()), (real.get(), real_lock.get()));
        assert_eq!(model.get_or_init(|| 5), real.get_or_init(|| 5));
        assert_eq!(model_lock.get_or_init(|| 5), real_lock.get_or_init(|| 5));
        assert_eq!(model.set(7), real.set(7));
        assert_eq!(model_lock.set(7), real_lock.set(7));
        let (mut model, mut real) = (model, real);
        assert_eq!(model.get_mut(), real.get_mut());
        assert_eq!(model.take(), real.take());
        assert_eq!(
            (model.into_inner(), model_lock.into_inner()),
            (real.into_inner(), real_lock.into_inner())
        );
    }
    same(
        "an initialisation within itself",
        || {
            let cell = cell::OnceCell::new();
            *cell.get_or_init(|| {
                let _ = cell.set(1);
                2
            })
        },
        || {
            let cell = std::cell::OnceCell::new();
            *cell.get_or_init(|| {
                let _ = cell.set(1);
                2
            })
        },
    );
    let calls = std::cell::Cell::new(0);
    let lazy = cell::LazyCell::new(|| calls.replace(calls.get() + 1));
    assert_eq!((*cell::LazyCell::force(&lazy), *ops::Deref::deref(&lazy), calls.get()), (0, 0, 1));
    let lazy = sync::LazyLock::new(|| calls.replace(calls.get() + 1));
    assert_eq!((*sync::LazyLock::force(&lazy), *ops::Deref::deref(&lazy), calls.get()), (1, 1, 2));
}

#[test]
fn locks() {
    let (model, real) = (sync::Mutex::new(1u8), std::sync::Mutex::new(1u8));
    {
        let (mut left, mut right) = (model.lock().ok().unwrap(), real.lock().unwrap());
        *ops::DerefMut::deref_mut(&mut left) = 4;
        *right = 4;
        assert!(matches!(model.try_lock(), Err(sync::TryLockError::WouldBlock)));
        assert!(matches!(real.try_lock(), Err(std::sync::TryLockError::WouldBlock)));
    }
    assert!(model.try_lock().is_ok() && real.try_lock().is_ok());
    assert_eq!(model.into_inner().ok(), real.into_inner().ok());

    let (model, real) = (sync::RwLock::new(1u8), std::sync::RwLock::new(1u8));
    for readers in 0..3 {
        let model_guards: Vec<_> = (0..readers).map(|_| model.try_read().ok().unwrap()).collect();
        let real_guards: Vec<_> = (0..readers).map(|_| real.try_read().unwrap()).collect();
        assert_eq!(model_guards.len(), real_guards.len());
        assert_eq!(model.try_write().is_ok(), real.try_write().is_ok());
    }
    let (model_guard, real_guard) = (model.try_write().ok().unwrap(), real.try_write().unwrap());
    assert_eq!(*ops::Deref::deref(&model_guard), *real_guard);
    assert_eq!(model.try_read().is_ok(), real.try_read().is_ok());
}

macro_rules! atomics {
    ($($atomic:ident $ty:ident $($fetch:ident)*;)*) => {$(
        let mut numbers = Numbers(7);
        for _ in 0..300 {
            let (start, x) = (numbers.next() as $ty, numbers.next() as $ty);
            let (model, real) = (sync::atomic::$atomic::new(start), std::sync::atomic::$atomic::new(start));
            $(
                assert_eq!(model.$fetch(x, Ordering::SeqCst), real.$fetch(x, Ordering::SeqCst));
                assert_eq!(model.load(Ordering::SeqCst), real.load(Ordering::SeqCst), stringify!($fetch));
            )*
            assert_eq!(model.swap(start, Ordering::SeqCst), real.swap(start, Ordering::SeqCst));
            for current in [start, x] {
                assert_eq!(
                    model.compare_exchange(current, x, Ordering::SeqCst, Ordering::SeqCst),
                    real.compare_exchange(current, x, Ordering::SeqCst, Ordering::SeqCst)
                );
            }
            let update = |old: $ty| if old % 2 == 0 { Some(old / 2) } else { None };
            assert_eq!(
                model.fetch_update(Ordering::SeqCst, Ordering::SeqCst, update),
                real.fetch_update(Ordering::SeqCst, Ordering::SeqCst, update)
            );
            model.store(x, Ordering::Release);
            real.store(x, Ordering::Release);
            assert_eq!(model.into_inner(), real.into_inner());
        }
    )*};
}

#[test]
fn atomics() {
    atomics! {
        AtomicU8 u8 fetch_add fetch_sub fetch_and fetch_nand fetch_or fetch_xor fetch_max fetch_min;
        AtomicI16 i16 fetch_add fetch_sub fetch_and fetch_nand fetch_or fetch_xor fetch_max fetch_min;
        AtomicU64 u64 fetch_add fetch_sub fetch_and fetch_nand fetch_or fetch_xor fetch_max fetch_min;
        AtomicIsize isize fetch_add fetch_sub fetch_and fetch_nand fetch_or fetch_xor fetch_max fetch_min;
    }
    for start in [false, true] {
        for x in [false, true] {
            let (model, real) =
                (sync::atomic::AtomicBool::new(start), std::sync::atomic::AtomicBool::new(start));
            assert_eq!(model.fetch_and(x, Ordering::Relaxed), real.fetch_and(x, Ordering::Relaxed));
            assert_eq!(model.fetch_nand(x, Ordering::Relaxed), real.fetch_nand(x, Ordering::Relaxed));
            assert_eq!(model.fetch_xor(x, Ordering::Relaxed), real.fetch_xor(x, Ordering::Relaxed));
            assert_eq!(model.fetch_not(Ordering::Relaxed), real.fetch_not(Ordering::Relaxed));
            assert_eq!(model.fetch_or(x, Ordering::Relaxed), real.fetch_or(x, Ordering::Relaxed));
            assert_eq!(model.load(Ordering::Relaxed), real.load(Ordering::Relaxed));
        }
    }
}

#[test]
#[allow(invalid_atomic_ordering)]
fn orders_that_do_not_exist() {
    let orders =
        [Ordering::Relaxed, Ordering::Acquire, Ordering::Release, Ordering::AcqRel, Ordering::SeqCst];
    for order in orders {
        let (model, real) = (sync::atomic::AtomicU8::new(1), std::sync::atomic::AtomicU8::new(1));
        same(("load", order), || model.load(order), || real.load(order));
        same(("store", order), || model.store(2, order), || real.store(2, order));
        same(
            ("exchange", order),
            || model.compare_exchange(2, 3, Ordering::SeqCst, order),
            || real.compare_exchange(2, 3, Ordering::SeqCst, order),
        );
        same(
            ("update", order),
            || model.fetch_update(Ordering::SeqCst, order, |_| None),
            || real.fetch_update(Ordering::SeqCst, order, |_| None),
        );
        same(("fence", order), || sync::atomic::fence(order), || std::sync::atomic::fence(order));
    }
}

#[test]
fn atomic_pointers() {
    let (mut first, mut second) = (1u8, 2u8);
    let places = [&raw mut first, &raw mut second, std::ptr::null_mut()];
    for from in places {
        for to in places {
            let (model, real) = (sync::atomic::AtomicPtr::new(from), std::sync::atomic::AtomicPtr::new(from));
            let order = Ordering::SeqCst;
            assert_eq!(model.load(order), real.load(order));
            assert_eq!(
                model.compare_exchange(places[0], to, order, order),
                real.compare_exchange(places[0], to, order, order)
            );
            assert_eq!(model.swap(to, order), real.swap(to, order));
            model.store(from, order);
            real.store(from, order);
            assert_eq!(model.into_inner(), real.into_inner());
        }
    }
    assert!(<sync::atomic::AtomicPtr<u8> as std_models::default::Default>::default().into_inner().is_null());
}
