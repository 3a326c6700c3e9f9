//! Every function of a version against itself, through the whole machinery: the yardstick of how much of real code
//! the engine follows.
//!
//! The short cut for unchanged bodies is taken away by calling every pair changed. A difference is then a defect, and what
//! is not analysed says why.

use std::collections::HashMap;

use regress_core::align::{Cause, DifferentItem, Pair};
use regress_core::ir::canonical::{CanonicalBody, Renames};
use regress_core::ir::{FnBody, FnId, Program};
use regress_core::verdict::{ChangeKind, Ledger, ProofStrength, Verdict, Version};

use super::super::Session;
use super::super::aligned::Aligned;
use super::super::load::{Loaded, Running};
use super::super::naming::display_path;
use super::super::subject::Judgement;
use crate::args::Options;
use crate::progress::Progress;
use crate::report::reasons;
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
        let causes: HashMap<FnId, Cause> = alignment
            .pairs
            .iter()
            .filter_map(|pair| Some((pair.new?, alignment.cause(pair.new?)?.clone())))
            .collect();
        for pair in &mut alignment.pairs {
            // Of what cannot be read it is not known that it is the same; what may run it counts as affected.
            anyhow::ensure!(
                matches!(pair.kind, ChangeKind::Unchanged | ChangeKind::Affected),
                "the versions are not the same: {}",
                what_differs(&loaded, pair, pair.new.and_then(|new| causes.get(&new)))
            );
            pair.kind = ChangeKind::Changed;
        }
        let harnesses = session.build_harnesses(&loaded, &alignment)?;
        let discharged = crate::pipeline::discharge::discharge(session, &loaded, &alignment);
        let aligned = Aligned::new(loaded, alignment, harnesses, discharged);
        let pairs: Vec<&Pair> = aligned.alignment.pairs.iter().collect();
        let verdict = |(pair, judgement): (&Pair, Judgement)| {
            let program = &aligned.loaded.new.program;
            let (end, reasons) = end(&judgement.verdict);
            let path = pair.new.map(|id| display_path(program, id, aligned.loaded.only_crate()));
            SelfVerdict { path: path.unwrap_or_default(), end, reasons }
        };
        Ok(aligned.judge(session, &pairs).functions.into_iter().map(verdict).collect())
    })
}

/// A pair that is not unchanged, and what of it the front end or the alignment could not tell to be the same.
fn what_differs(loaded: &Loaded, pair: &Pair, cause: Option<&Cause>) -> String {
    let new = &loaded.new.program;
    let path = pair.new.map(|id| new.functions[id].path.to_string()).unwrap_or_default();
    let Some(cause) = cause else {
        let why = pair.new.map(|id| doubt(new, id)).unwrap_or_default();
        return format!("{path} is {:?}{why}", pair.kind);
    };
    let program = if cause.version == Version::New { new } else { &loaded.old.program };
    let item = match &cause.item {
        DifferentItem::Function(id) => format!("{}{}", program.functions[*id].path, doubt(program, *id)),
        DifferentItem::Type(id) => program.adts[*id].path.to_string(),
        DifferentItem::Implementation(id) => program.impls[*id].trait_ref.to_string(),
        DifferentItem::Trait(path)
        | DifferentItem::OfChangedCrate(path)
        | DifferentItem::Foreign(path)
        | DifferentItem::Names(path) => path.to_string(),
        DifferentItem::Frame(name) => name.to_string(),
        DifferentItem::Build(what) => what.clone(),
    };
    format!("{path} is {:?} through {item}", pair.kind)
}

/// Why a function may not even count as the same as itself.
fn doubt(program: &Program, function: FnId) -> String {
    if let FnBody::Unreadable { reason, .. } = &program.functions[function].body {
        return format!(" (its MIR cannot be read: {reason})");
    }
    match CanonicalBody::of(program, function, &Renames::default()) {
        Some(body) if !body.undetermined().is_empty() => {
            format!(" (what is meant by {} is not known)", body.undetermined().join(", "))
        }
        _ => String::new(),
    }
}

fn end(verdict: &Verdict) -> (SelfEnd, Vec<String>) {
    match verdict {
        Verdict::Unchanged | Verdict::Equal { .. } | Verdict::EqualWithin { .. } => {
            (SelfEnd::Proved, Vec::new())
        }
        Verdict::NoDifferenceFound { ledger, .. } => (SelfEnd::Compared, obstacles(ledger)),
        Verdict::NotAnalysed { reason } => (SelfEnd::NotAnalysed, vec![reasons::not_analysed(reason)]),
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
