//! Both versions, ready to be judged.

use std::collections::BTreeMap;

use regress_core::align::{Alignment, Pair};
use regress_core::verdict::ChangeKind;

use super::discharge::Discharged;
use super::load::Loaded;
use super::native::Harnesses;
use super::other_types::OtherTypes;
use super::test_calls::TestCalls;
use crate::report::FunctionReport;

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

    /// The reports with their pairs. They are parallel to those of the alignment, unless the run is for functions that are named.
    pub fn with_pairs<'a>(&'a self, reports: &'a [FunctionReport]) -> Vec<(&'a Pair, &'a FunctionReport)> {
        let pairs = &self.alignment.pairs;
        if pairs.len() == reports.len() {
            return pairs.iter().zip(reports).collect();
        }
        let [old, new] = [&self.loaded.old.program, &self.loaded.new.program];
        let path = |pair: &Pair| match (pair.new, pair.old) {
            (Some(id), _) => Some(new.functions[id].path.as_str()),
            (None, id) => id.map(|id| old.functions[id].path.as_str()),
        };
        let mut by_path: BTreeMap<&str, Vec<&Pair>> = BTreeMap::new();
        for pair in pairs {
            by_path.entry(path(pair).unwrap_or_default()).or_default().push(pair);
        }
        // Which of several functions of one path a report is on is not told from here.
        let only = |report: &'a FunctionReport| match by_path.get(report.canonical.as_str())?.as_slice() {
            [pair] => Some((*pair, report)),
            _ => None,
        };
        reports.iter().filter_map(only).collect()
    }
}

/// Whether the function is executed, natively or symbolically.
pub(super) fn needs_work(pair: &Pair) -> bool {
    matches!(pair.kind, ChangeKind::Changed | ChangeKind::Affected)
}
