//! Both versions, ready to be judged.

use regress_core::align::{Alignment, Pair};
use regress_core::verdict::ChangeKind;

use super::discharge::Discharged;
use super::load::Loaded;
use super::native::Harnesses;
use super::test_calls::TestCalls;

/// Both versions, read and aligned, and what runs them natively.
pub(super) struct Aligned {
    pub loaded: Loaded,
    pub alignment: Alignment,
    pub harnesses: Harnesses,
    pub discharged: Discharged,
    pub test_calls: TestCalls,
}

/// Whether the function is executed, natively or symbolically.
pub(super) fn needs_work(pair: &Pair) -> bool {
    matches!(pair.kind, ChangeKind::Changed | ChangeKind::Affected)
}
