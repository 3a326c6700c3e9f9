//! Additions and subtractions with a carry. Any carry but zero counts as one.

macro_rules! carries {
    ($($add:ident $sub:ident $ty:ident;)*) => {$(
        pub unsafe fn $add(c_in: u8, a: $ty, b: $ty, out: &mut $ty) -> u8 {
            let (sum, first) = a.overflowing_add(b);
            let (sum, second) = sum.overflowing_add((c_in != 0) as $ty);
            *out = sum;
            (first | second) as u8
        }
        pub unsafe fn $sub(c_in: u8, a: $ty, b: $ty, out: &mut $ty) -> u8 {
            let (difference, first) = a.overflowing_sub(b);
            let (difference, second) = difference.overflowing_sub((c_in != 0) as $ty);
            *out = difference;
            (first | second) as u8
        }
    )*};
}

carries! {
    _addcarry_u32 _subborrow_u32 u32;
    _addcarry_u64 _subborrow_u64 u64;
}
