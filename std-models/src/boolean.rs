//! The methods of `bool`.

use crate::inherent::numbers::BoolMethods;

impl BoolMethods for bool {
    fn then_some<T>(self, t: T) -> Option<T> {
        if self { Some(t) } else { None }
    }
    fn then<T, F: FnOnce() -> T>(self, f: F) -> Option<T> {
        if self { Some(f()) } else { None }
    }
}
