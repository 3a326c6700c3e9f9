//! Bodies that several programs share and that are read when somebody looks at them.
//!
//! The models of the standard library are the same in both versions and of thousands of them a run needs a few. So a body is
//! shared by reference, and may be given as the work that makes it.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, LazyLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Body;

type Make = Box<dyn FnOnce() -> Body + Send>;

/// A [`Body`]; cheap to clone.
#[derive(Clone)]
pub struct SharedBody(Arc<LazyLock<Body, Make>>);

impl SharedBody {
    /// A body that `make` gives when it is first looked at.
    pub fn lazy(make: impl FnOnce() -> Body + Send + 'static) -> SharedBody {
        SharedBody(Arc::new(LazyLock::new(Box::new(make))))
    }

    /// Whether both are one, without looking at them.
    pub fn is_one_with(&self, other: &SharedBody) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Changes this body; others that shared it keep theirs.
    pub fn change(&mut self, change: impl FnOnce(&mut Body)) {
        let mut body = Body::clone(self);
        change(&mut body);
        *self = body.into();
    }
}

impl From<Body> for SharedBody {
    fn from(body: Body) -> SharedBody {
        let shared = SharedBody::lazy(|| body);
        LazyLock::force(&shared.0);
        shared
    }
}

impl Deref for SharedBody {
    type Target = Body;

    fn deref(&self) -> &Body {
        &self.0
    }
}

impl fmt::Debug for SharedBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl Serialize for SharedBody {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for SharedBody {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SharedBody, D::Error> {
        Body::deserialize(deserializer).map(SharedBody::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::idx::IdxVec;

    fn body(arg_count: usize) -> Body {
        Body { locals: IdxVec::new(), arg_count, blocks: IdxVec::new() }
    }

    #[test]
    fn a_body_is_made_once_and_only_if_it_is_looked_at() {
        let _never = SharedBody::lazy(|| unreachable!("nobody looks at it"));
        let shared = SharedBody::lazy(|| body(3));
        let other = shared.clone();
        assert!(shared.is_one_with(&other) && !shared.is_one_with(&body(3).into()));
        assert_eq!((shared.arg_count, other.arg_count), (3, 3));
    }

    #[test]
    fn a_change_is_seen_by_nobody_else() {
        let shared: SharedBody = body(3).into();
        let mut changed = shared.clone();
        changed.change(|body| body.arg_count = 4);
        assert_eq!((shared.arg_count, changed.arg_count), (3, 4));
    }
}
