//! References, and the structs and enums of the library that hold other values.

use super::{Binary, Debug, Display, Formatter, LowerHex, Octal, Result, UpperHex};

macro_rules! through_references {
    ($($which:ident)*) => {$(
        impl<T: $which + ?Sized> $which for &T {
            fn fmt(&self, f: &mut Formatter<'_>) -> Result {
                $which::fmt(&**self, f)
            }
        }
        impl<T: $which + ?Sized> $which for &mut T {
            fn fmt(&self, f: &mut Formatter<'_>) -> Result {
                $which::fmt(&**self, f)
            }
        }
    )*};
}

through_references! { Display Debug LowerHex UpperHex Octal Binary }

impl<T: Display + ?Sized> Display for Box<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        Display::fmt(&**self, f)
    }
}

impl<T: Debug + ?Sized> Debug for Box<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        Debug::fmt(&**self, f)
    }
}

impl<T: Debug> Debug for Option<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Some(value) => f.debug_tuple_field1_finish("Some", &value),
            None => f.write_str("None"),
        }
    }
}

impl<T: Debug, E: Debug> Debug for std::result::Result<T, E> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Ok(value) => f.debug_tuple_field1_finish("Ok", &value),
            Err(error) => f.debug_tuple_field1_finish("Err", &error),
        }
    }
}

impl Debug for std::cmp::Ordering {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            std::cmp::Ordering::Less => "Less",
            std::cmp::Ordering::Equal => "Equal",
            std::cmp::Ordering::Greater => "Greater",
        })
    }
}

impl Debug for std::convert::Infallible {
    fn fmt(&self, _: &mut Formatter<'_>) -> Result {
        match *self {}
    }
}

impl Display for std::convert::Infallible {
    fn fmt(&self, _: &mut Formatter<'_>) -> Result {
        match *self {}
    }
}

impl<T: Debug> Debug for [T] {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let mut list = f.debug_list();
        let mut at: usize = 0;
        while at < self.len() {
            list.entry(&&self[at]);
            at = at.wrapping_add(1);
        }
        list.finish()
    }
}

impl<T: Debug, const N: usize> Debug for [T; N] {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let items: &[T] = self;
        Debug::fmt(items, f)
    }
}

impl<T: Debug> Debug for Vec<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        Debug::fmt(self.as_slice(), f)
    }
}

impl<T: Debug> Debug for std::ops::Range<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        Debug::fmt(&self.start, f)?;
        f.write_str("..")?;
        Debug::fmt(&self.end, f)
    }
}

impl<T: Debug> Debug for std::cmp::Reverse<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.debug_tuple_field1_finish("Reverse", &&self.0)
    }
}

macro_rules! tuples {
    ($($($param:ident $at:tt)*;)*) => {$(
        impl<$($param: Debug),*> Debug for ($($param,)*) {
            fn fmt(&self, f: &mut Formatter<'_>) -> Result {
                let mut builder = f.debug_tuple("");
                $(builder.field(&&self.$at);)*
                builder.finish()
            }
        }
    )*};
}

tuples! {
    A 0;
    A 0 B 1;
    A 0 B 1 C 2;
    A 0 B 1 C 2 D 3;
    A 0 B 1 C 2 D 3 E 4;
    A 0 B 1 C 2 D 3 E 4 F 5;
}

impl<B: ?Sized + Debug + ToOwned> Debug for std::borrow::Cow<'_, B>
where
    B::Owned: Debug,
{
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            std::borrow::Cow::Borrowed(value) => Debug::fmt(*value, f),
            std::borrow::Cow::Owned(value) => Debug::fmt(value, f),
        }
    }
}

impl<B: ?Sized + Display + ToOwned> Display for std::borrow::Cow<'_, B>
where
    B::Owned: Display,
{
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            std::borrow::Cow::Borrowed(value) => Display::fmt(*value, f),
            std::borrow::Cow::Owned(value) => Display::fmt(value, f),
        }
    }
}
