//! Methods of the library's types that no other test has use for, against the real ones on random values.

#![allow(clippy::all, unused_unsafe)]

use proptest::prelude::*;
use std_models::inherent::slices::VecRangeMethods;
use std_models::inherent::text::StringRangeMethods;
use std_models::inherent::*;

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..9)
}

proptest! {
    #[test]
    fn ends_of_slices(items in bytes(), by: u8, mid in 0..9usize) {
        let (mut left, mut right) = (items.clone(), items.clone());
        let (model, real) = (SliceMethods::first_mut(&mut left[..]), right.first_mut());
        prop_assert_eq!(model.map(|x| { *x ^= by; *x }), real.map(|x| { *x ^= by; *x }));
        let model = SliceMethods::split_first_mut(&mut left[..]);
        let real = right.split_first_mut();
        prop_assert_eq!(model.map(|(x, rest)| { *x ^= by; rest.to_vec() }), real.map(|(x, rest)| { *x ^= by; rest.to_vec() }));
        let model = SliceMethods::split_last_mut(&mut left[..]);
        let real = right.split_last_mut();
        prop_assert_eq!(model.map(|(x, rest)| { *x ^= by; rest.to_vec() }), real.map(|(x, rest)| { *x ^= by; rest.to_vec() }));
        prop_assert_eq!(&left, &right);
        let at = mid % (items.len() + 1);
        let (model, real) = (SliceMethods::split_at_mut(&mut left[..], at), right.split_at_mut(at));
        prop_assert_eq!(model, real);
        if at < items.len() {
            unsafe {
                prop_assert_eq!(SliceMethods::get_unchecked(&left[..], at), right.get_unchecked(at));
                *SliceMethods::get_unchecked_mut(&mut left[..], at) ^= by;
                *right.get_unchecked_mut(at) ^= by;
            }
        }
        prop_assert_eq!(left, right);
    }

    #[test]
    fn whole_slices(items in bytes(), others in bytes(), key: u8) {
        let (mut left, mut right) = (items.clone(), items.clone());
        let (mut a, mut b) = (0u8, 0u8);
        SliceMethods::fill_with(&mut left[..], || { a = a.wrapping_add(key); a });
        right.fill_with(|| { b = b.wrapping_add(key); b });
        prop_assert_eq!(&left, &right);
        let len = items.len().min(others.len());
        let (mut left_others, mut right_others) = (others.clone(), others);
        SliceMethods::swap_with_slice(&mut left[..len], &mut left_others[..len]);
        right[..len].swap_with_slice(&mut right_others[..len]);
        prop_assert_eq!((&left, left_others), (&right, right_others));
        SliceBytesMethods::make_ascii_lowercase(&mut left[..]);
        right.make_ascii_lowercase();
        prop_assert_eq!(left, right);
    }

    #[test]
    fn orders(items in bytes(), wanted: u8) {
        let (mut left, mut right) = (items.clone(), items.clone());
        SliceOrderMethods::sort_by_cached_key(&mut left[..], |x| x % 7);
        right.sort_by_cached_key(|x| x % 7);
        prop_assert_eq!(&left, &right);
        // Of equal keys nobody knows the order, so all is the key.
        SliceOrderMethods::sort_unstable_by(&mut left[..], |a, b| b.cmp(a));
        right.sort_unstable_by(|a, b| b.cmp(a));
        prop_assert_eq!(&left, &right);
        SliceOrderMethods::sort_unstable_by_key(&mut left[..], |x| *x);
        right.sort_unstable_by_key(|x| *x);
        prop_assert_eq!(&left, &right);
        right.dedup();
        let model = SliceOrderMethods::binary_search_by(&right[..], |x| x.cmp(&wanted));
        prop_assert_eq!(model, right.binary_search_by(|x| x.cmp(&wanted)));
    }

    #[test]
    fn arrays_and_options(mut items: [u16; 4], text in ".{0,4}", by: u16) {
        let mut real = items;
        prop_assert_eq!(ArrayMethods::each_ref(&items), real.each_ref());
        ArrayMethods::as_mut_slice(&mut items)[1] ^= by;
        real.as_mut_slice()[1] ^= by;
        prop_assert_eq!(items, real);
        for some in [Some(text.clone()), None] {
            let (mut left, mut right) = (some.clone(), some);
            prop_assert_eq!(OptionMethods::as_deref_mut(&mut left), right.as_deref_mut());
        }
        for result in [Ok(text.clone()), Err(by)] {
            let (mut left, mut right) = (result.clone(), result.clone());
            prop_assert_eq!(ResultMethods::as_deref_mut(&mut left), right.as_deref_mut());
            let (mut seen, mut expected) = (None, None);
            let left = ResultMethods::inspect_err(result.clone(), |error| seen = Some(*error));
            let right = result.inspect_err(|error| expected = Some(*error));
            prop_assert_eq!((left, seen), (right, expected));
        }
    }

    #[test]
    fn numbers(x: u32, y: i16, by: u16) {
        prop_assert_eq!(<u32 as IntMethods>::from_le(x), u32::from_le(x));
        prop_assert_eq!(<u32 as IntBytes<4>>::from_ne_bytes(x.to_ne_bytes()), x);
        prop_assert_eq!(<i16 as IntMethods>::max_value(), i16::max_value());
        prop_assert_eq!(<i16 as IntMethods>::min_value(), i16::min_value());
        prop_assert_eq!(SignedMethods::wrapping_add_unsigned(y, by), y.wrapping_add_unsigned(by));
        prop_assert_eq!(SignedMethods::wrapping_sub_unsigned(y, by), y.wrapping_sub_unsigned(by));
    }

    #[test]
    fn room(text in ".{0,5}", items in bytes(), room in 0..20usize) {
        let (mut model, real) = (text.clone(), text);
        StringRangeMethods::reserve_exact(&mut model, room);
        StringRangeMethods::shrink_to(&mut model, room);
        prop_assert_eq!(model, real);
        let (mut model, real) = (items.clone(), items);
        VecMethods::reserve_exact(&mut model, room);
        VecRangeMethods::shrink_to(&mut model, room);
        prop_assert_eq!(model, real);
    }

    #[test]
    fn copies_by_pointer(items in prop::collection::vec(any::<u16>(), 4..9), from in 0..9usize, to in 0..9usize, way in 0..6u8) {
        let (half, len) = (items.len() / 2, items.len());
        // Halves do not overlap.
        let (from, to) = (from % half, half + to % (len - half));
        let count = (half - from).min(len - to);
        let (mut model, mut real) = (items.clone(), items);
        macro_rules! copy {
            ($const_methods:ident, $mut_methods:ident, $p:expr) => {{
                let p: *mut u16 = $p;
                unsafe {
                    let (source, place) = (p.add(from), p.add(to));
                    match way {
                        0 => $const_methods::copy_to(source as *const u16, place, count),
                        1 => $const_methods::copy_to_nonoverlapping(source as *const u16, place, count),
                        2 => $mut_methods::copy_from(place, source as *const u16, count),
                        3 => $mut_methods::copy_from_nonoverlapping(place, source as *const u16, count),
                        4 => $mut_methods::copy_to(source, place, count),
                        _ => $mut_methods::copy_to_nonoverlapping(source, place, count),
                    }
                }
            }};
        }
        copy!(ConstPtrMethods, MutPtrMethods, model.as_mut_ptr());
        let p = real.as_mut_ptr();
        unsafe { std::ptr::copy(p.add(from), p.add(to), count) };
        prop_assert_eq!(&model, &real);
        let (start, by) = (model.as_mut_ptr(), from as isize);
        prop_assert_eq!(MutPtrMethods::wrapping_offset(start, by), start.wrapping_offset(by));
        prop_assert_eq!(MutPtrMethods::cast_const(start), start.cast_const());
        prop_assert_eq!(ConstPtrMethods::cast_mut(start.cast_const()), start);
        prop_assert_eq!(ConstPtrMethods::wrapping_offset(start.cast_const(), by), start.cast_const().wrapping_offset(by));
    }
}
