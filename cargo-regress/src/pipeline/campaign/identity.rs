//! Every function of a version against itself, through the whole machinery: the yardstick of how much of real code
//! the engine follows.
//!
//! The short cut for unchanged bodies is taken away by calling every pair changed. A difference is then a defect, and what
//! is not analysed says why.

use regress_core::verdict::{ChangeKind, Ledger, ProofStrength, Verdict};

use super::super::Session;
use super::super::load::Running;
use crate::args::Options;
use crate::progress::Progress;
use crate::report::wording;
use crate::versions::{Place, Versions};

/// What comparing a function with itself came to.
#[derive(Clone, Debug)]
pub struct SelfVerdict {
    pub path: String,
    pub end: SelfEnd,
    /// What keeps the verdict from being a proof, or from being one at all.
    pub reasons: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SelfEnd {
    /// Proved equal, perhaps within bounds.
    Proved,
    /// Compared, natively at least, but not proved.
    Compared,
    NotAnalysed,
    /// A defect of this program.
    Differs,
}

/// Compares each function that both versions have with itself; the versions must be the same.
pub fn identity(
    options: &Options,
    place: &Place,
    versions: &Versions,
    progress: &dyn Progress,
) -> anyhow::Result<Vec<SelfVerdict>> {
    Session::with(options, place, versions, progress, |session| {
        let (loaded, mut alignment) = session.load(Running::All)?;
        for pair in &mut alignment.pairs {
            let path = pair.new.map(|id| loaded.new.program.functions[id].path.to_string());
            anyhow::ensure!(
                pair.kind == ChangeKind::Unchanged,
                "the versions are not the same: {} is {:?}",
                path.unwrap_or_default(),
                pair.kind
            );
            pair.kind = ChangeKind::Changed;
        }
        let harnesses = session.build_harnesses(&loaded, &alignment)?;
        let reports = session.judge(&loaded, &alignment, &harnesses);
        Ok(reports
            .into_iter()
            .map(|report| {
                let (end, reasons) = end(&report.verdict);
                SelfVerdict { path: report.path, end, reasons }
            })
            .collect())
    })
}

fn end(verdict: &Verdict) -> (SelfEnd, Vec<String>) {
    match verdict {
        Verdict::Unchanged | Verdict::Equal { .. } | Verdict::EqualWithin { .. } => {
            (SelfEnd::Proved, Vec::new())
        }
        Verdict::NoDifferenceFound { ledger, .. } => (SelfEnd::Compared, obstacles(ledger)),
        Verdict::NotAnalysed { reason } => (SelfEnd::NotAnalysed, vec![reason.clone()]),
        Verdict::Differs { witnesses, .. } => {
            (SelfEnd::Differs, witnesses.iter().map(|witness| format!("{:?}", witness.inputs)).collect())
        }
        Verdict::Added | Verdict::Removed => (SelfEnd::Differs, vec!["it has no partner".into()]),
    }
}

/// What in the ledger forbids a proof.
fn obstacles(ledger: &Ledger) -> Vec<String> {
    let void = ledger.entries().iter().filter(|entry| entry.leaves() == ProofStrength::Void);
    let mut reasons: Vec<String> = void.map(wording::approximation).collect();
    if reasons.is_empty() {
        reasons.push("coverage of the inputs is not proved".into());
    }
    reasons
}
