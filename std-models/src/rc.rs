//! `std::rc`.

mod methods;

use crate::counted::counted_types;

counted_types!(Rc Weak);
