//! Both versions, ready to be judged.

use regress_core::align::{Alignment, Pair};
use regress_core::verdict::ChangeKind;

use super::discharge::Discharged;
use super::load::Loaded;
use super::native::Harnesses;
use super::other_types::OtherTypes;
use super::test_calls::TestCalls;

/// Both versions, read and aligned, and what runs them natively.
pub(super) struct Aligned {
    pub loaded: Loaded,
    pub alignment: Alignment,
    pub harnesses: Harnesses,
    pub discharged: Discharged,
    pub test_calls: TestCalls,
    pub other_types: OtherTypes,
}

impl Aligned {
    /// With nothing that is found out while functions are judged.
    pub fn new(
        loaded: Loaded,
        alignment: Alignment,
        harnesses: Harnesses,
        discharged: Discharged,
    ) -> Aligned {
        let (test_calls, other_types) = Default::default();
        Aligned { loaded, alignment, harnesses, discharged, test_calls, other_types }
    }
}

/// Whether the function is executed, natively or symbolically.
pub(super) fn needs_work(pair: &Pair) -> bool {
    matches!(pair.kind, ChangeKind::Changed | ChangeKind::Affected)
}
