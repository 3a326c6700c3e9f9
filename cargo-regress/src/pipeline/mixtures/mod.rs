//! Versions between the old and the new one: some of the hunks of the change, without the others.
//!
//! * [`change`]: the hunks, and the texts of a mixture
//! * [`calls`]: how calls end in a mixture
//! * [`least`]: the least set of hunks that shows a failure

mod calls;
mod change;
mod least;

pub(super) use self::calls::{MixedCall, MixedCalls, MixedEnd};
pub(super) use self::change::{Change, Grain, Texts};
pub(super) use self::least::{Shown, least, minimize};
