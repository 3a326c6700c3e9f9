//! The mutation yardstick: small changes to published crates, each compared with the crate as it was.
//!
//! A mutant counts as found if a difference was seen natively. One that was proved equal is attacked with native random
//! inputs; a proof that falls is the worst that can happen. Whether a mutant that was neither found nor proved equal
//! differs at all is not known, so it counts as missed.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context;
use cargo_regress::extract::ExtractError;
use cargo_regress::pipeline::campaign::Campaign;
use cargo_regress::report::{FunctionReport, Standing};
use regress_core::verdict::{Approximation, ChangeKind, Verdict};

use crate::campaign::Ground;
use crate::mutants::{Mutant, mutants};

/// A mutant of one file of a crate.
#[derive(Clone, Debug)]
pub struct Placed {
    /// Relative to the crate.
    pub file: String,
    pub mutant: Mutant,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MutantEnd {
    /// A difference was seen natively.
    Found,
    /// Proved equal, perhaps within bounds, and the proof withstood random inputs.
    ProvedEqual,
    /// A proof of equality fell.
    WronglyEqual,
    /// Compared without a difference or a proof.
    Missed,
    /// The changed function was not analysed.
    NotAnalysed,
    /// Nothing that is compiled has changed.
    NotCompiled,
    /// The change does not compile; a lint that is an error unless said otherwise suffices for that.
    Refused,
}

impl MutantEnd {
    pub const ALL: [MutantEnd; 7] = [
        MutantEnd::Found,
        MutantEnd::ProvedEqual,
        MutantEnd::WronglyEqual,
        MutantEnd::Missed,
        MutantEnd::NotAnalysed,
        MutantEnd::NotCompiled,
        MutantEnd::Refused,
    ];
}

/// What became of one mutant.
#[derive(Clone, Debug)]
pub struct Judged {
    pub placed: Placed,
    pub end: MutantEnd,
    /// Differences that the engine believes in and no native run showed.
    pub unconfirmed: u64,
    pub time: Duration,
}

/// Up to `count` mutants of the crate at `root`, spread evenly over its sources.
pub fn sample(root: &Path, count: usize) -> anyhow::Result<Vec<Placed>> {
    let mut all = Vec::new();
    for file in source_files(root)? {
        let source = fs::read_to_string(root.join(&file)).with_context(|| file.clone())?;
        let placed = |mutant| Placed { file: file.clone(), mutant };
        all.extend(mutants(&source).into_iter().map(placed));
    }
    let step = (all.len() as f64 / count.max(1) as f64).max(1.0);
    let chosen = (0..count).map(|index| ((index as f64 + 0.5) * step) as usize);
    Ok(chosen.filter_map(|index| all.get(index).cloned()).collect())
}

/// Paths of the Rust files below `src`, sorted.
fn source_files(root: &Path) -> anyhow::Result<Vec<String>> {
    let mut files = Vec::new();
    let mut folders = vec!["src".to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder)).with_context(|| folder.clone())? {
            let entry = entry?;
            let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else if path.ends_with(".rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Makes the change in the ground's working tree, judges it, and takes it back.
pub fn judge(ground: &Ground, placed: &Placed, target: &Path, campaign: Campaign) -> anyhow::Result<Judged> {
    let file = ground.root().join(&placed.file);
    let source = fs::read_to_string(&file)?;
    fs::write(&file, placed.mutant.apply(&source))?;
    let judged = judge_changed(ground, placed, target, campaign);
    fs::write(&file, source)?;
    judged
}

fn judge_changed(
    ground: &Ground,
    placed: &Placed,
    target: &Path,
    campaign: Campaign,
) -> anyhow::Result<Judged> {
    let started = Instant::now();
    if !compiles(ground.root(), target)? {
        let end = MutantEnd::Refused;
        return Ok(Judged { placed: placed.clone(), end, unconfirmed: 0, time: started.elapsed() });
    }
    let reports = ground.compare(target);
    let time = started.elapsed();
    let (mut end, unconfirmed) = match reports {
        Ok(reports) => (end(&reports), unconfirmed(&reports)),
        Err(error) => match error.downcast_ref() {
            Some(ExtractError::DoesNotCompile { .. }) => (MutantEnd::Refused, 0),
            _ => return Err(error),
        },
    };
    if end == MutantEnd::ProvedEqual {
        let attacked = ground.attack(target, campaign)?;
        if attacked.iter().any(|function| !function.falls.is_empty()) {
            end = MutantEnd::WronglyEqual;
        }
    }
    Ok(Judged { placed: placed.clone(), end, unconfirmed, time })
}

/// Whether it is a program at all, by the lints that its author has.
fn compiles(root: &Path, target: &Path) -> anyhow::Result<bool> {
    let mut check = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    check.args(["check", "--quiet", "--target-dir"]).arg(target.join("check")).current_dir(root);
    Ok(check.stderr(Stdio::null()).status()?.success())
}

fn end(reports: &[FunctionReport]) -> MutantEnd {
    let stands = |standing: Standing| reports.iter().any(|report| report.standing() == standing);
    if reports.iter().any(|report| report.standing().is_difference()) {
        return MutantEnd::Found;
    }
    // What is not `Changed` stands or falls with what is.
    let mut changed = reports.iter().filter(|report| report.kind == ChangeKind::Changed).peekable();
    if changed.peek().is_none() {
        // A constant, say: only what uses it is left to tell.
        return match reports.iter().all(|report| report.verdict == Verdict::Unchanged) {
            true => MutantEnd::NotCompiled,
            false if stands(Standing::NoDifferenceFound) => MutantEnd::Missed,
            false if stands(Standing::NotAnalysed) => MutantEnd::NotAnalysed,
            false => MutantEnd::ProvedEqual,
        };
    }
    let standings: Vec<Standing> = changed.map(FunctionReport::standing).collect();
    if standings.contains(&Standing::NotAnalysed) {
        MutantEnd::NotAnalysed
    } else if standings.iter().all(|standing| matches!(standing, Standing::Equal | Standing::EqualWithin)) {
        MutantEnd::ProvedEqual
    } else {
        MutantEnd::Missed
    }
}

/// Functions with a difference that the engine believes in and no native run showed.
pub fn unconfirmed(reports: &[FunctionReport]) -> u64 {
    let of = |report: &FunctionReport| {
        let ledger = match &report.verdict {
            Verdict::NoDifferenceFound { ledger, .. } | Verdict::Differs { ledger, .. } => ledger,
            _ => return 0,
        };
        let is_unconfirmed = |entry: &Approximation| {
            matches!(entry, Approximation::Unconfirmed { .. } | Approximation::EngineMismatch { .. })
        };
        u64::from(ledger.entries().iter().any(is_unconfirmed))
    };
    reports.iter().map(of).sum()
}
