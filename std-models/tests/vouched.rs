//! What callers vouch for, and room that may not be had: models against the real ones where the promise is kept, and refused where it is not.

#![allow(clippy::all, unused_unsafe)]

use std::collections::TryReserveError as Real;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};

use proptest::prelude::*;
use std_models::collections::TryReserveError as Model;
use std_models::inherent::numbers::UncheckedMethods;
use std_models::inherent::slices::{SliceTextMethods, StringReserveMethods, VecReserveMethods};
use std_models::inherent::text::StrMutMethods;
use std_models::inherent::unchecked::*;
use std_models::ops::IndexMut;
use std_models::string::ToString as ModelText;
use std_models::{hint, mem, ptr, str as text};

/// The model says that it does not know.
#[track_caller]
fn refused<T>(model: impl FnOnce() -> T) {
    let payload = catch_unwind(AssertUnwindSafe(model)).err().expect("the model answers");
    let message = payload.downcast_ref::<String>().expect("a message");
    assert!(message.starts_with("not modelled: "), "{message}");
}

#[test]
fn promises_that_are_broken() {
    refused(|| unsafe { OptionUncheckedMethods::unwrap_unchecked(None::<u8>) });
    refused(|| unsafe { ResultUncheckedMethods::<u8, u8>::unwrap_unchecked(Err(1)) });
    refused(|| unsafe { ResultUncheckedMethods::<u8, u8>::unwrap_err_unchecked(Ok(1)) });
    refused(|| unsafe { hint::assert_unchecked(false) });
    refused(|| -> u8 { unsafe { hint::unreachable_unchecked() } });
    refused(|| unsafe { UncheckedMethods::unchecked_add(200u8, 56) });
    refused(|| unsafe { UncheckedMethods::unchecked_sub(-128i8, 1) });
    refused(|| unsafe { UncheckedMethods::unchecked_mul(16u8, 16) });
    refused(|| unsafe { std_models::num::NonZero::<u8>::new_unchecked(0) });
    refused(|| unsafe { VecUncheckedMethods::set_len(&mut vec![1u8], 2) });
    refused(|| unsafe { StrUncheckedMethods::get_unchecked("ä", 0..1).len() });
    refused(|| unsafe { StrUncheckedMethods::get_unchecked("a", 0..2).len() });
    refused(|| unsafe { StrUncheckedMethods::get_unchecked_mut("ä".to_owned().as_mut_str(), 1..).len() });
    refused(|| unsafe { MutPtrBytesMethods::write_bytes(&raw mut *Box::new(0u16), 1, 1) });
}

#[test]
fn promises_that_are_kept() {
    unsafe { hint::assert_unchecked(true) };
    hint::spin_loop();
    let (mut left, mut right) = (vec![1u8, 2, 3], vec![1u8, 2, 3]);
    for len in [3, 2, 0] {
        unsafe {
            VecUncheckedMethods::set_len(&mut left, len);
            right.set_len(len);
        }
        assert_eq!(left, right);
    }
}

/// Parts of texts, among them none.
#[test]
fn parts_of_texts_for_writing() {
    let whole = "aß\u{1F600}z";
    for from in 0..=whole.len() + 1 {
        for to in 0..=whole.len() + 1 {
            let (mut left, mut right) = (whole.to_owned(), whole.to_owned());
            let model = StrMutMethods::get_mut(left.as_mut_str(), from..to);
            let real = right.get_mut(from..to);
            assert_eq!(model, real, "{from} {to}");
            if let (Some(model), Some(real)) = (model, real) {
                StrMutMethods::make_ascii_uppercase(model);
                real.make_ascii_uppercase();
                assert_eq!(left, right);
                unsafe {
                    assert_eq!(
                        StrUncheckedMethods::get_unchecked(whole, from..to),
                        whole.get_unchecked(from..to)
                    );
                    StrMutMethods::make_ascii_lowercase(StrUncheckedMethods::get_unchecked_mut(
                        left.as_mut_str(),
                        from..to,
                    ));
                    right.get_unchecked_mut(from..to).make_ascii_lowercase();
                }
                assert_eq!(left, right);
                assert_eq!(IndexMut::index_mut(&mut left, from..to), &mut right[from..to]);
            } else {
                let panics = |run: &mut dyn FnMut()| catch_unwind(AssertUnwindSafe(run)).is_err();
                assert!(panics(&mut || _ = IndexMut::index_mut(&mut left, from..to)));
                assert!(panics(&mut || _ = &mut right[from..to]));
            }
        }
    }
}

fn right_text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn chunks(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    bytes.utf8_chunks().map(|chunk| (chunk.valid().to_owned(), chunk.invalid().to_vec())).collect()
}

proptest! {
    #[test]
    fn bytes_as_text(bytes in prop::collection::vec(prop_oneof![any::<u8>(), Just(0xE2), Just(0x82), Just(0xAC), Just(b'a')], 0..9)) {
        let mut found = Vec::new();
        let mut model = SliceTextMethods::utf8_chunks(&bytes[..]);
        while let Some(chunk) = std_models::iter::Iterator::next(&mut model) {
            found.push((chunk.valid().to_owned(), chunk.invalid().to_vec()));
        }
        prop_assert_eq!(found, chunks(&bytes));
        prop_assert_eq!(SliceTextMethods::to_ascii_uppercase(&bytes[..]), bytes.to_ascii_uppercase());
        prop_assert_eq!(SliceTextMethods::to_ascii_lowercase(&bytes[..]), bytes.to_ascii_lowercase());
        let (mut left, mut right) = (bytes.clone(), bytes.clone());
        let model = text::from_utf8_mut(&mut left).map_err(|error| error.valid_up_to());
        let real = std::str::from_utf8_mut(&mut right).map_err(|error| error.valid_up_to());
        prop_assert_eq!(&model, &real);
        prop_assert_eq!(<str as StrUncheckedMethods>::from_utf8(&bytes).ok(), std::str::from_utf8(&bytes).ok());
        prop_assert_eq!(<str as StrUncheckedMethods>::from_utf8_mut(&mut bytes.clone()).is_ok(), model.is_ok());
        if model.is_ok() {
            unsafe {
                prop_assert_eq!(text::from_utf8_unchecked_mut(&mut left), std::str::from_utf8_unchecked_mut(&mut right));
                prop_assert_eq!(<str as StrUncheckedMethods>::from_utf8_unchecked(&bytes), &*right_text(&bytes));
                prop_assert_eq!(<str as StrUncheckedMethods>::from_utf8_unchecked_mut(&mut left), &*right_text(&bytes));
            }
        }
    }
}

#[test]
fn room_that_may_not_be_had() {
    const MOST: usize = isize::MAX as usize;
    fn plain<T>(result: Result<(), T>) -> bool {
        result.is_ok()
    }
    let (mut model, mut real) = (vec![1u16, 2], vec![1u16, 2]);
    for additional in [0, 5, 5000, MOST / 2, MOST / 2 + 1, MOST, usize::MAX - 2, usize::MAX - 1, usize::MAX] {
        if additional == MOST / 2 {
            // Two more than can be addressed.
            assert!(
                VecReserveMethods::try_reserve(&mut model, additional).is_err()
                    && real.try_reserve(additional).is_err()
            );
        }
        assert_eq!(
            plain(VecReserveMethods::try_reserve(&mut model, additional)),
            plain(real.try_reserve(additional)),
            "{additional}"
        );
        assert_eq!(
            plain(VecReserveMethods::try_reserve_exact(&mut model, additional)),
            plain(real.try_reserve_exact(additional)),
            "{additional}"
        );
        let (mut model, mut real) = ("ab".to_owned(), "ab".to_owned());
        if additional > MOST || additional < 9999 {
            assert_eq!(
                plain(StringReserveMethods::try_reserve(&mut model, additional)),
                plain(real.try_reserve(additional)),
                "{additional}"
            );
            assert_eq!(
                plain(StringReserveMethods::try_reserve_exact(&mut model, additional)),
                plain(real.try_reserve_exact(additional)),
                "{additional}"
            );
        }
        let (mut model, mut real) = (vec![(), ()], vec![(), ()]);
        assert_eq!(
            plain(VecReserveMethods::try_reserve(&mut model, additional)),
            plain(real.try_reserve(additional)),
            "{additional}"
        );
    }
    refused(|| VecReserveMethods::try_reserve(&mut model, 1 << 40).is_ok());
    let model: Model = VecReserveMethods::try_reserve(&mut model, usize::MAX).unwrap_err();
    let real: Real = real.try_reserve(usize::MAX).unwrap_err();
    assert_eq!(ModelText::to_string(&model), real.to_string());
    assert_eq!(debug(&model), format!("{real:?}"));
    assert!(std_models::cmp::PartialEq::eq(&std::fmt::Error, &std::fmt::Error) && model.clone() == model);
}

/// What `{:?}` shows of a value of the models.
fn debug(value: &dyn std_models::fmt::Debug) -> String {
    let args = [std_models::fmt::rt::Argument::new_debug(&value)];
    std_models::fmt::format(std_models::fmt::Arguments::new::<2, 1>(&[0xc0, 0], &args))
}

#[test]
fn sizes_of_values() {
    assert_eq!(mem::size_of_val(&7u32), std::mem::size_of_val(&7u32));
    assert_eq!(mem::size_of_val(&[7u32, 8][..]), std::mem::size_of_val(&[7u32, 8][..]));
    assert_eq!(mem::size_of_val("text"), std::mem::size_of_val("text"));
    assert_eq!(mem::size_of_val(&[7u16, 8, 9]), std::mem::size_of_val(&[7u16, 8, 9]));
}

#[test]
fn bytes_written_and_copied() {
    for len in 0..5 {
        let (mut left, mut right) = ([1u8, 2, 3, 4, 5], [1u8, 2, 3, 4, 5]);
        unsafe {
            MutPtrBytesMethods::write_bytes(left.as_mut_ptr(), 9, len);
            right.as_mut_ptr().write_bytes(9, len);
            assert_eq!(left, right);
            let mut wide = [1u32, 2, 3, 4, 5];
            ptr::write_bytes(wide.as_mut_ptr(), 0, len);
            assert!(wide[..len].iter().all(|item| *item == 0) && wide[len..].iter().all(|item| *item > 0));
        }
        let (mut left, mut right) = ([1u8, 2, 3, 4, 5, 6, 7, 8, 9], [1u8, 2, 3, 4, 5, 6, 7, 8, 9]);
        unsafe {
            let (x, y) = (left.as_mut_ptr(), right.as_mut_ptr());
            ptr::swap_nonoverlapping(x, x.add(4), len);
            std::ptr::swap_nonoverlapping(y, y.add(4), len);
        }
        assert_eq!(left, right);
    }
    let place = MaybeUninit::new(5u16);
    unsafe {
        assert_eq!(
            mem::transmute_copy::<MaybeUninit<u16>, u16>(&place),
            std::mem::transmute_copy::<_, u16>(&place)
        );
        assert_eq!(mem::transmute_copy::<u32, [u8; 2]>(&1), std::mem::transmute_copy::<u32, [u8; 2]>(&1));
    }
    let model = catch_unwind(|| unsafe { mem::transmute_copy::<u8, u16>(&1) }).unwrap_err();
    let real = catch_unwind(|| unsafe { std::mem::transmute_copy::<u8, u16>(&1) }).unwrap_err();
    assert_eq!(model.downcast_ref::<&str>(), real.downcast_ref::<&str>());
}

#[test]
fn pointers_are_compared() {
    use std_models::cmp;
    let mut items = [1u8, 2, 3];
    let first = items.as_mut_ptr();
    for a in 0..3 {
        for b in 0..3 {
            let (x, y) = (first.wrapping_add(a), first.wrapping_add(b));
            let (p, q) = (x.cast_const(), y.cast_const());
            assert_eq!(cmp::PartialEq::eq(&p, &q), p == q);
            assert_eq!(cmp::PartialEq::ne(&x, &y), x != y);
            assert_eq!(cmp::Ord::cmp(&p, &q), p.cmp(&q));
            assert_eq!(cmp::PartialOrd::partial_cmp(&x, &y), x.partial_cmp(&y));
            assert_eq!(cmp::PartialOrd::lt(&p, &q), p < q);
            assert_eq!(cmp::PartialOrd::le(&p, &q), p <= q);
            assert_eq!(cmp::PartialOrd::gt(&x, &y), x > y);
            assert_eq!(cmp::PartialOrd::ge(&x, &y), x >= y);
        }
    }
    let (whole, part): (*const [u8], *const [u8]) = (&items, &items[..2]);
    assert_eq!(cmp::PartialEq::eq(&whole, &part), std::ptr::eq(whole, part));
}

/// All ranges that are made of bounds select what the real ones do.
#[test]
fn ranges_of_bounds() {
    use std::ops::Bound;
    fn model<R: std_models::ops::RangeBounds<u8>>(range: &R) -> (Bound<&u8>, Bound<&u8>) {
        (range.start_bound(), range.end_bound())
    }
    fn real<R: std::ops::RangeBounds<u8>>(range: &R) -> (Bound<&u8>, Bound<&u8>) {
        (range.start_bound(), range.end_bound())
    }
    let bounds = [Bound::Included(1), Bound::Excluded(2), Bound::Unbounded];
    for from in bounds {
        for to in bounds {
            assert_eq!(model(&(from, to)), real(&(from, to)));
            let referring = (from.as_ref(), to.as_ref());
            assert_eq!(model(&referring), real(&referring));
        }
    }
    let (from, to) = (1, 2);
    assert_eq!(model(&(&from..&to)), real(&(&from..&to)));
    assert_eq!(model(&(&from..)), real(&(&from..)));
    assert_eq!(model(&(..&to)), real(&(..&to)));
    assert_eq!(model(&(..=&to)), real(&(..=&to)));
    let inclusive = std_models::ops::RangeInclusive::new(&from, &to);
    assert_eq!(model(&inclusive), real(&(&from..=&to)));
}
