//! Raw pointers: the models against the real methods, on every place of small arrays.

#![allow(clippy::all)]

use std::mem::MaybeUninit;

use std_models::inherent::{ConstPtrMethods, MutPtrMethods, SliceMethods, StrMethods, VecMethods};
use std_models::{ptr, slice};

const ITEMS: [u16; 5] = [3, 1, 4, 1, 5];

#[test]
fn arithmetic_and_reads() {
    let items = ITEMS;
    let (model, real) = (SliceMethods::as_ptr(&items[..]), items.as_ptr());
    assert_eq!(model, real);
    for at in 0..=items.len() {
        let (p, q) = unsafe { (ConstPtrMethods::add(model, at), real.add(at)) };
        assert_eq!(p, q);
        assert_eq!(ConstPtrMethods::wrapping_add(model, at), q);
        assert_eq!(unsafe { ConstPtrMethods::offset(model, at as isize) }, q);
        assert_eq!(unsafe { ConstPtrMethods::sub(p, at) }, real);
        assert_eq!(ConstPtrMethods::wrapping_sub(p, at), real);
        assert_eq!(unsafe { ConstPtrMethods::offset_from(p, model) }, unsafe { q.offset_from(real) });
        if at < items.len() {
            assert_eq!(unsafe { ConstPtrMethods::read(p) }, items[at]);
            assert_eq!(unsafe { ptr::read(p) }, items[at]);
            assert_eq!(unsafe { ConstPtrMethods::as_ref(p) }, Some(&items[at]));
        }
        for len in 0..=items.len() - at {
            assert_eq!(unsafe { slice::from_raw_parts(p, len) }, &items[at..at + len]);
        }
    }
}

#[test]
fn writes_and_copies() {
    for from in 0..ITEMS.len() {
        for to in 0..ITEMS.len() {
            for count in 0..=ITEMS.len() - from.max(to) {
                let (mut left, mut right) = (ITEMS, ITEMS);
                let p = SliceMethods::as_mut_ptr(&mut left[..]);
                unsafe { ptr::copy(p.add(from), p.add(to), count) };
                right.copy_within(from..from + count, to);
                assert_eq!(left, right, "{from} {to} {count}");
            }
            let (mut left, mut right) = (ITEMS, ITEMS);
            let p = left.as_mut_ptr();
            unsafe { ptr::swap(p.add(from), p.add(to)) };
            right.swap(from, to);
            assert_eq!(left, right);
            let old = unsafe { MutPtrMethods::replace(p.add(to), 9) };
            assert_eq!(old, right[to]);
            unsafe { MutPtrMethods::write(p.add(from), 8) };
            right[to] = 9;
            right[from] = 8;
            assert_eq!(left, right);
        }
    }
}

#[test]
fn null_and_not() {
    let mut x = 7u8;
    assert!(ptr::null::<u8>().is_null() && ConstPtrMethods::is_null(ptr::null::<u8>()));
    assert!(ptr::null_mut::<u8>().is_null() && MutPtrMethods::is_null(ptr::null_mut::<u8>()));
    assert!(ptr::NonNull::new(ptr::null_mut::<u8>()).is_none());
    assert_eq!(unsafe { ConstPtrMethods::as_ref(ptr::null::<u8>()) }, None);
    let place = &raw mut x;
    assert!(!MutPtrMethods::is_null(place));
    let non_null = ptr::NonNull::new(place).expect("it is not null");
    assert_eq!(non_null.as_ptr(), place);
    assert_eq!(unsafe { *non_null.as_ref() }, 7);
    assert_eq!(unsafe { ptr::replace(non_null.as_ptr(), 5) }, 7);
    assert_eq!(x, 5);
}

#[test]
fn beginnings() {
    let (text, mut list) = ("text", vec![1u8, 2]);
    assert_eq!(StrMethods::as_ptr(text), text.as_ptr());
    assert_eq!(VecMethods::as_ptr(&list), list.as_ptr());
    assert_eq!(VecMethods::as_mut_ptr(&mut list), list.as_mut_ptr());
}

#[test]
fn values_are_dropped_once() {
    let shared = std::rc::Rc::new(());
    let mut place = MaybeUninit::new(shared.clone());
    unsafe { ptr::drop_in_place(place.as_mut_ptr()) };
    assert_eq!(std::rc::Rc::strong_count(&shared), 1);
    unsafe { ptr::write(place.as_mut_ptr(), shared.clone()) };
    assert_eq!(std::rc::Rc::strong_count(&shared), 2);
    drop(unsafe { ptr::read(place.as_ptr()) });
    assert_eq!(std::rc::Rc::strong_count(&shared), 1);
}
