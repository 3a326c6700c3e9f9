//! What `Arc` and its `Weak` do.

use super::{Arc, Weak};
use crate::counted::counted_methods;

counted_methods!(Arc Weak "Arc");
