//! `std::error::Error`, and errors in boxes.

use crate::convert::From;
use crate::fmt::{Debug, Display, Formatter, Result};

pub trait Error: Debug + Display {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        None
    }
    fn description(&self) -> &str {
        "description() is deprecated; use Display"
    }
    fn cause(&self) -> Option<&dyn Error> {
        self.source()
    }
}

impl Error for std::fmt::Error {}

impl Error for std::convert::Infallible {}

/// A message that was put into a box as an error.
struct StringError(String);

impl Display for StringError {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        Display::fmt(self.0.as_str(), f)
    }
}

impl Debug for StringError {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        Debug::fmt(self.0.as_str(), f)
    }
}

impl Error for StringError {}

impl<'a, E: Error + 'a> From<E> for Box<dyn Error + 'a> {
    fn from(error: E) -> Box<dyn Error + 'a> {
        Box::new(error)
    }
}

impl<'a, E: Error + Send + Sync + 'a> From<E> for Box<dyn Error + Send + Sync + 'a> {
    fn from(error: E) -> Box<dyn Error + Send + Sync + 'a> {
        Box::new(error)
    }
}

macro_rules! from_text {
    ($($ty:ty: |$text:ident| $owned:expr;)*) => {$(
        impl<'a> From<$ty> for Box<dyn Error + 'a> {
            fn from($text: $ty) -> Box<dyn Error + 'a> {
                Box::new(StringError($owned))
            }
        }
        impl<'a> From<$ty> for Box<dyn Error + Send + Sync + 'a> {
            fn from($text: $ty) -> Box<dyn Error + Send + Sync + 'a> {
                Box::new(StringError($owned))
            }
        }
    )*};
}

from_text! {
    String: |text| text;
    &str: |text| <String as crate::convert::From<&str>>::from(text);
}

macro_rules! error_behind {
    ($($generics:ident $(?$sized:ident)?, $ty:ty;)*) => {$(
        impl<'a, $generics: Error $(+ ?$sized)?> Error for $ty {
            fn source(&self) -> Option<&(dyn Error + 'static)> {
                (**self).source()
            }
            fn description(&self) -> &str {
                (**self).description()
            }
            fn cause(&self) -> Option<&dyn Error> {
                (**self).cause()
            }
        }
    )*};
}

error_behind! {
    T, Box<T>;
    T ?Sized, &'a T;
}
