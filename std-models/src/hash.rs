//! `std::hash`: how values feed a hasher. No hasher is modelled, so what `DefaultHasher` computes is not known here.

pub trait Hasher {
    fn finish(&self) -> u64;
    fn write(&mut self, bytes: &[u8]);
    fn write_u8(&mut self, i: u8) {
        self.write(&[i]);
    }
    fn write_u16(&mut self, i: u16) {
        self.write(&i.to_ne_bytes());
    }
    fn write_u32(&mut self, i: u32) {
        self.write(&i.to_ne_bytes());
    }
    fn write_u64(&mut self, i: u64) {
        self.write(&i.to_ne_bytes());
    }
    fn write_u128(&mut self, i: u128) {
        self.write(&i.to_ne_bytes());
    }
    fn write_usize(&mut self, i: usize) {
        self.write(&i.to_ne_bytes());
    }
    fn write_i8(&mut self, i: i8) {
        self.write_u8(i as u8);
    }
    fn write_i16(&mut self, i: i16) {
        self.write_u16(i as u16);
    }
    fn write_i32(&mut self, i: i32) {
        self.write_u32(i as u32);
    }
    fn write_i64(&mut self, i: i64) {
        self.write_u64(i as u64);
    }
    fn write_i128(&mut self, i: i128) {
        self.write_u128(i as u128);
    }
    fn write_isize(&mut self, i: isize) {
        self.write_usize(i as usize);
    }
}

pub trait BuildHasher {
    type Hasher: Hasher;
    fn build_hasher(&self) -> Self::Hasher;
    fn hash_one<T: Hash>(&self, x: T) -> u64
    where
        Self: Sized,
        Self::Hasher: Hasher,
    {
        let mut hasher = self.build_hasher();
        x.hash(&mut hasher);
        hasher.finish()
    }
}

pub trait Hash {
    fn hash<H: Hasher>(&self, state: &mut H);
    fn hash_slice<H: Hasher>(data: &[Self], state: &mut H)
    where
        Self: Sized,
    {
        let len = data.len();
        let mut index = 0;
        while index < len {
            data[index].hash(state);
            index = index.wrapping_add(1);
        }
    }
}

macro_rules! hasher_behind {
    ($($ty:ty),*) => {$(
        impl<H: Hasher + ?Sized> Hasher for $ty {
            fn finish(&self) -> u64 {
                (**self).finish()
            }
            fn write(&mut self, bytes: &[u8]) {
                (**self).write(bytes);
            }
            fn write_u8(&mut self, i: u8) {
                (**self).write_u8(i);
            }
            fn write_u16(&mut self, i: u16) {
                (**self).write_u16(i);
            }
            fn write_u32(&mut self, i: u32) {
                (**self).write_u32(i);
            }
            fn write_u64(&mut self, i: u64) {
                (**self).write_u64(i);
            }
            fn write_u128(&mut self, i: u128) {
                (**self).write_u128(i);
            }
            fn write_usize(&mut self, i: usize) {
                (**self).write_usize(i);
            }
            fn write_i8(&mut self, i: i8) {
                (**self).write_i8(i);
            }
            fn write_i16(&mut self, i: i16) {
                (**self).write_i16(i);
            }
            fn write_i32(&mut self, i: i32) {
                (**self).write_i32(i);
            }
            fn write_i64(&mut self, i: i64) {
                (**self).write_i64(i);
            }
            fn write_i128(&mut self, i: i128) {
                (**self).write_i128(i);
            }
            fn write_isize(&mut self, i: isize) {
                (**self).write_isize(i);
            }
        }
    )*};
}

hasher_behind!(&mut H, Box<H>);

macro_rules! hash_of_ints {
    ($($ty:ident $write:ident;)*) => {$(
        impl Hash for $ty {
            fn hash<H: Hasher>(&self, state: &mut H) {
                state.$write(*self);
            }
            /// In one piece.
            fn hash_slice<H: Hasher>(data: &[$ty], state: &mut H) {
                let mut bytes = Vec::new();
                let len = data.len();
                let mut index = 0;
                while index < len {
                    bytes.extend_from_slice(&data[index].to_ne_bytes());
                    index = index.wrapping_add(1);
                }
                state.write(&bytes);
            }
        }
    )*};
}

hash_of_ints! {
    i8 write_i8;
    i16 write_i16;
    i32 write_i32;
    i64 write_i64;
    i128 write_i128;
    isize write_isize;
    u8 write_u8;
    u16 write_u16;
    u32 write_u32;
    u64 write_u64;
    u128 write_u128;
    usize write_usize;
}

impl Hash for bool {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u8(*self as u8);
    }
}

impl Hash for char {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u32(*self as u32);
    }
}

impl Hash for str {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write(self.as_bytes());
        state.write_u8(0xFF);
    }
}

impl Hash for String {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write(self.as_str().as_bytes());
        state.write_u8(0xFF);
    }
}

impl Hash for () {
    fn hash<H: Hasher>(&self, _state: &mut H) {}
}

impl<T: ?Sized + Hash> Hash for &T {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl<T: ?Sized + Hash> Hash for &mut T {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl<T: ?Sized + Hash> Hash for Box<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

/// What stands in a row in memory as plain numbers reaches the hasher in one piece.
impl<T: Hash> Hash for [T] {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.len());
        T::hash_slice(self, state);
    }
}

impl<T: Hash, const N: usize> Hash for [T; N] {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let slice: &[T] = self;
        slice.hash(state);
    }
}

impl<T: Hash> Hash for Vec<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_slice().hash(state);
    }
}

impl<T: Hash> Hash for Option<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            None => state.write_isize(0),
            Some(value) => {
                state.write_isize(1);
                value.hash(state);
            }
        }
    }
}

impl<T: Hash, E: Hash> Hash for Result<T, E> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Ok(value) => {
                state.write_isize(0);
                value.hash(state);
            }
            Err(error) => {
                state.write_isize(1);
                error.hash(state);
            }
        }
    }
}

impl Hash for std::fmt::Error {
    fn hash<H: Hasher>(&self, _state: &mut H) {}
}

macro_rules! hash_of_tuple {
    ($($name:ident $index:tt)*) => {
        impl<$($name: Hash),*> Hash for ($($name,)*) {
            fn hash<S: Hasher>(&self, state: &mut S) {
                $(self.$index.hash(state);)*
            }
        }
    };
}

hash_of_tuple!(A 0);
hash_of_tuple!(A 0 B 1);
hash_of_tuple!(A 0 B 1 C 2);
hash_of_tuple!(A 0 B 1 C 2 D 3);
