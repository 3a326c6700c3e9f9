//! What `Rc` and its `Weak` do.

use super::{Rc, Weak};
use crate::counted::counted_methods;

counted_methods!(Rc Weak "Rc");
