//! `std::default`.

pub trait Default: Sized {
    fn default() -> Self;
}

macro_rules! default_of_primitives {
    ($($value:expr => $($ty:ty)*;)*) => {$($(
        impl Default for $ty {
            fn default() -> Self {
                $value
            }
        }
    )*)*};
}

default_of_primitives! {
    0 => i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize;
    0.0 => f32 f64;
    false => bool;
    '\0' => char;
    () => ();
    "" => &str;
}

macro_rules! default_of_tuple {
    ($($name:ident)*) => {
        impl<$($name: std::default::Default),*> Default for ($($name,)*) {
            fn default() -> Self {
                ($($name::default(),)*)
            }
        }
    };
}

default_of_tuple!(A);
default_of_tuple!(A B);
default_of_tuple!(A B C);
default_of_tuple!(A B C D);
default_of_tuple!(A B C D E);
default_of_tuple!(A B C D E F);

/// Unlike std's, one implementation for every length.
impl<T: std::default::Default, const N: usize> Default for [T; N] {
    fn default() -> Self {
        let mut items = crate::intrinsics::array_of_none::<T, N>();
        let mut index = 0;
        while index < N {
            items[index] = Some(T::default());
            index = index.wrapping_add(1);
        }
        crate::intrinsics::array_from_options(items)
    }
}

impl<T> Default for &[T] {
    fn default() -> Self {
        &[]
    }
}

impl<T> Default for &mut [T] {
    fn default() -> Self {
        &mut []
    }
}

impl<T> Default for Option<T> {
    fn default() -> Self {
        None
    }
}

impl<T: ?Sized> Default for std::marker::PhantomData<T> {
    fn default() -> Self {
        std::marker::PhantomData
    }
}

impl<T: std::default::Default> Default for std::ops::Range<T> {
    fn default() -> Self {
        std::ops::Range { start: T::default(), end: T::default() }
    }
}
