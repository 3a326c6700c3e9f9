//! Campaigns over fixtures and published crates: what to run them on, and how their results are told.
//!
//! Everything happens in this process, with the command's own pipeline; the program that runs a campaign must
//! therefore also serve as the compiler wrapper that the extraction calls.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context;
use cargo_regress::args::{self, Options};
use cargo_regress::pipeline::analyse;
use cargo_regress::pipeline::campaign::{
    AttackedFunction, AttackedProof, BySolvers, Campaign, FunctionAgreement, FunctionConformance, Gaps,
    Reading, SelfEnd, SelfVerdict, agreement, attack, conformance, gaps_of, identity, solvers,
};
use cargo_regress::progress::{Loudness, for_stderr};
use cargo_regress::report::FunctionReport;
use cargo_regress::versions::{self, Place, Versions};
use regress_core::verdict::Version;

use crate::cases;
use crate::charon;
use crate::real_crates::{REAL_CRATES, Side, lay, published, sources};
use crate::repository::Repository;
use crate::together::groups;
use crate::yardstick;

/// Two versions to run a campaign on, or one.
pub struct Ground {
    pub name: String,
    repository: Repository,
    args: Vec<String>,
    sides: Sides,
    /// Who serves Charon's output for it, for as long as the ground is there.
    _served: Option<charon::Served>,
}

/// What of a ground's repository is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sides {
    /// The two latest commits.
    Two,
    /// The working tree.
    One,
}

/// Which grounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grounds {
    Fixtures,
    RealCrates,
    /// The latest releases of the yardstick's crates.
    Yardstick,
    /// Crates of which Charon's output is recorded, read from that.
    Recorded,
}

/// All grounds whose name contains one of the texts; all if there is no text. Small fixtures are one ground together.
pub fn grounds(kinds: &[Grounds], only: &[String]) -> anyhow::Result<Vec<Ground>> {
    let wanted = |name: &str| only.is_empty() || only.iter().any(|text| name.contains(text.as_str()));
    let mut grounds = Vec::new();
    if kinds.contains(&Grounds::Fixtures) {
        let cases = cases::all()?.into_iter().filter(|case| wanted(&case.name)).collect();
        for group in groups(cases) {
            let repository = group.two_commits()?;
            let [first, others @ ..] = group.cases.as_slice() else { continue };
            let name = match others.len() {
                0 => first.name.clone(),
                number => format!("{} and {number} more", first.name),
            };
            // Cases with arguments are alone.
            let args = group.cases.iter().flat_map(|case| case.args.clone()).collect();
            grounds.push(Ground { args, ..Ground::new(name, repository) });
        }
    }
    if kinds.contains(&Grounds::RealCrates) && REAL_CRATES.iter().any(|real| wanted(real.name)) {
        let (old, new) = (sources(Side::Old)?, sources(Side::New)?);
        for real in REAL_CRATES.iter().filter(|real| wanted(real.name)) {
            let repository = Repository::new()?;
            for place in [&old[real.name], &new[real.name]] {
                lay(&repository, place)?;
                repository.commit_all("a version")?;
            }
            grounds.push(Ground::new(real.name.to_owned(), repository));
        }
    }
    if kinds.contains(&Grounds::Yardstick) {
        grounds.extend(yardstick::against_themselves(only)?);
    }
    if kinds.contains(&Grounds::Recorded) {
        grounds.extend(recorded(&wanted)?);
    }
    Ok(grounds)
}

/// Published crates of which there is polymorphic output of Charon.
const TRANSLATED: [(&str, &str); 4] =
    [("adler2", "2.0.1"), ("hex", "0.4.3"), ("itoa", "1.0.18"), ("smallvec", "1.15.1")];

/// The crates with recorded output of Charon, which a fake `charon` serves.
fn recorded(wanted: &dyn Fn(&str) -> bool) -> anyhow::Result<Vec<Ground>> {
    let mut grounds = Vec::new();
    if wanted("pair") {
        grounds.push(Ground::served("pair", charon::pair(), Sides::Two, charon::Served::new("pair")));
    }
    for recording in charon::SAMPLES.into_iter().filter(|name| wanted(name)) {
        let served = charon::Served::new(recording);
        grounds.push(Ground::served(recording, charon::sample(recording), Sides::One, served));
    }
    let crates: Vec<_> = TRANSLATED.into_iter().filter(|(name, _)| wanted(name)).collect();
    let places = if crates.is_empty() { BTreeMap::new() } else { published(&crates)? };
    for (name, version) in crates {
        let repository = Repository::new()?;
        lay(&repository, &places[name])?;
        repository.commit_all("a version")?;
        let served = charon::Served::new(&format!("{name}-{version}"));
        grounds.push(Ground::served(name, repository, Sides::One, served));
    }
    Ok(grounds)
}

/// What one ground's versions are made of.
struct Laid {
    options: Options,
    place: Place,
    versions: Versions,
}

impl Ground {
    /// The two latest commits of the repository, compared as a user does who gives no option.
    pub fn new(name: String, repository: Repository) -> Ground {
        Ground { name, repository, args: Vec::new(), sides: Sides::Two, _served: None }
    }

    /// The latest commit alone.
    pub fn alone(name: String, repository: Repository) -> Ground {
        Ground { sides: Sides::One, ..Ground::new(name, repository) }
    }

    /// A crate that is read from what the fake Charon serves.
    fn served(name: &str, repository: Repository, sides: Sides, served: charon::Served) -> Ground {
        let program = served.program().to_string_lossy();
        let args = ["--frontend", "charon", "--charon", &program].map(String::from).to_vec();
        Ground { args, sides, _served: Some(served), ..Ground::new(name.into(), repository) }
    }

    /// With so many seconds for each function.
    pub fn with_timeout(mut self, seconds: u64) -> Ground {
        self.args.push(format!("--timeout={seconds}"));
        self
    }

    fn lay(&self, target: &Path) -> anyhow::Result<Laid> {
        let mut fixed = vec![OsString::from("cargo-regress")];
        if self.sides == Sides::Two {
            fixed.push("HEAD~1".into());
        }
        fixed.push("--manifest-path".into());
        let manifest = self.repository.root().join("Cargo.toml").into_os_string();
        let target = [OsString::from("--target-dir"), target.as_os_str().to_owned()];
        let further = self.args.iter().map(OsString::from);
        let options = args::parse(fixed.into_iter().chain([manifest]).chain(target).chain(further))?;
        let quiet = for_stderr(Loudness::Quiet);
        let place = versions::locate(&options)?;
        let versions = match self.sides {
            Sides::Two => versions::resolve(&place, &options.comparison, &[], quiet.as_ref())?,
            Sides::One => versions::current(&place, &[], quiet.as_ref())?,
        };
        Ok(Laid { options, place, versions })
    }

    pub fn conformance(&self, target: &Path, campaign: Campaign) -> anyhow::Result<Vec<FunctionConformance>> {
        let Laid { options, place, versions } = self.lay(target)?;
        conformance(&options, &place, &versions, for_stderr(Loudness::Quiet).as_ref(), campaign)
            .with_context(|| self.name.clone())
    }

    pub fn agreement(&self, target: &Path, campaign: Campaign) -> anyhow::Result<Vec<FunctionAgreement>> {
        let Laid { options, place, versions } = self.lay(target)?;
        agreement(&options, &place, &versions, for_stderr(Loudness::Quiet).as_ref(), campaign)
            .with_context(|| self.name.clone())
    }

    /// The repository's working tree.
    pub fn root(&self) -> &Path {
        self.repository.root()
    }

    /// The command's report on the working tree, with what was changed in it, against the older of the commits.
    pub fn compare(&self, target: &Path) -> anyhow::Result<Vec<FunctionReport>> {
        let Laid { options, place, versions } = self.lay(target)?;
        let analysed = analyse(&options, &place, &versions, for_stderr(Loudness::Quiet).as_ref())?;
        Ok(analysed.report.functions)
    }

    pub fn identity(&self, target: &Path) -> anyhow::Result<Vec<SelfVerdict>> {
        let Laid { options, place, versions } = self.lay(target)?;
        identity(&options, &place, &versions, for_stderr(Loudness::Quiet).as_ref())
            .with_context(|| self.name.clone())
    }

    /// What the functions of the latest commit lead to that has no meaning.
    pub fn gaps(&self, target: &Path) -> anyhow::Result<Gaps> {
        let Laid { options, place, versions } = self.lay(target)?;
        gaps_of(&options, &place, &versions, for_stderr(Loudness::Quiet).as_ref())
            .with_context(|| self.name.clone())
    }

    pub fn solvers(&self, target: &Path) -> anyhow::Result<Vec<BySolvers>> {
        let Laid { options, place, versions } = self.lay(target)?;
        solvers(&options, &place, &versions, for_stderr(Loudness::Quiet).as_ref())
            .with_context(|| self.name.clone())
    }

    pub fn attack(&self, target: &Path, campaign: Campaign) -> anyhow::Result<Vec<AttackedFunction>> {
        let Laid { options, place, versions } = self.lay(target)?;
        attack(&options, &place, &versions, for_stderr(Loudness::Quiet).as_ref(), campaign)
            .with_context(|| self.name.clone())
    }
}

/// How many of a crate's functions came to which end when compared with themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SelfTotals {
    pub functions: u64,
    pub ends: BTreeMap<SelfEnd, u64>,
    /// By how much they stand in the way of, and the reason.
    pub reasons: BTreeMap<(SelfEnd, String), u64>,
}

impl SelfTotals {
    pub fn of(verdicts: &[SelfVerdict]) -> SelfTotals {
        let mut totals = SelfTotals::default();
        for verdict in verdicts {
            totals.functions += 1;
            *totals.ends.entry(verdict.end).or_default() += 1;
            for reason in &verdict.reasons {
                *totals.reasons.entry((verdict.end, reason.clone())).or_default() += 1;
            }
        }
        totals
    }

    pub fn add(&mut self, other: SelfTotals) {
        self.functions += other.functions;
        for (end, count) in other.ends {
            *self.ends.entry(end).or_default() += count;
        }
        for (reason, count) in other.reasons {
            *self.reasons.entry(reason).or_default() += count;
        }
    }

    pub fn count(&self, end: SelfEnd) -> u64 {
        self.ends.get(&end).copied().unwrap_or_default()
    }
}

/// What a campaign comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// With at least one run.
    pub functions: u64,
    /// With all runs that were wanted.
    pub full: u64,
    pub runs: u64,
    pub panics: u64,
    /// Mismatches, or proofs that fell.
    pub failures: u64,
    pub not_run: BTreeMap<String, u64>,
}

impl Totals {
    pub fn add(&mut self, other: &Totals) {
        self.functions += other.functions;
        self.full += other.full;
        self.runs += other.runs;
        self.panics += other.panics;
        self.failures += other.failures;
        for (reason, times) in &other.not_run {
            *self.not_run.entry(reason.clone()).or_default() += times;
        }
    }
}

/// The sum of one ground's conformance. A reason counts once for each function.
pub fn conformance_totals(functions: &[FunctionConformance], wanted: u64) -> Totals {
    let mut totals = Totals::default();
    for function in functions {
        totals.functions += u64::from(function.runs > 0);
        totals.full += u64::from(function.runs >= wanted);
        totals.runs += function.runs;
        totals.panics += function.panics;
        totals.failures += function.mismatches.len() as u64;
        for reason in function.not_run.keys() {
            *totals.not_run.entry(reason.clone()).or_default() += 1;
        }
    }
    totals
}

pub fn attack_totals(functions: &[AttackedFunction], wanted: u64) -> Totals {
    let mut totals = Totals::default();
    for function in functions {
        totals.functions += u64::from(function.runs > 0);
        totals.full += u64::from(function.runs >= wanted);
        totals.runs += function.runs;
        totals.failures += function.falls.len() as u64;
        for reason in function.not_run.keys() {
            *totals.not_run.entry(reason.clone()).or_default() += 1;
        }
    }
    totals
}

/// The sum of one ground's agreement. Where functions or signatures are not the same, this counts as a failure like a
/// disagreement on an input, and so does an input that only one of the programs answers.
pub fn agreement_totals(ground: &str, functions: &[FunctionAgreement], wanted: u64) -> Totals {
    let mut totals = Totals::default();
    for function in functions {
        totals.functions += u64::from(function.runs > 0);
        totals.full += u64::from(function.runs >= wanted);
        totals.runs += function.runs;
        totals.panics += function.panics;
        totals.failures += function.disagreements.len() as u64
            + u64::from(function.reading != Reading::Both && !is_known(ground, function))
            + u64::from(!function.only_rustc_runs.is_empty())
            + u64::from(!function.only_charon_runs.is_empty());
        for reason in function.not_run.keys() {
            *totals.not_run.entry(reason.clone()).or_default() += 1;
        }
    }
    totals
}

/// Everything in which the front ends part, in full.
pub fn disagreements(ground: &str, functions: &[FunctionAgreement]) -> String {
    let mut text = String::new();
    for function in functions {
        let path = &function.path;
        let known = if is_known(ground, function) { ", as is known" } else { "" };
        let _ = match &function.reading {
            Reading::Both => Ok(()),
            Reading::OnlyRustc => writeln!(text, "ONLY RUSTC {ground}: {path}{known}"),
            Reading::OnlyCharon => writeln!(text, "ONLY CHARON {ground}: {path}{known}"),
            Reading::Signatures { rustc, charon } => {
                writeln!(text, "SIGNATURES {ground}: {path}\n  rustc:  {rustc}\n  charon: {charon}")
            }
        };
        for disagreement in &function.disagreements {
            let _ = writeln!(text, "DISAGREEMENT {ground}: {}", disagreement.call);
            let _ = writeln!(text, "  rustc:  {}\n  charon: {}", disagreement.rustc, disagreement.charon);
        }
        for (who, reasons) in [("rustc", &function.only_rustc_runs), ("charon", &function.only_charon_runs)] {
            for (reason, times) in reasons {
                let _ = writeln!(text, "ONLY BY {who} {ground}: {path}, {times} times: {reason}");
            }
        }
    }
    text
}

/// Functions that bear another name by either front end, and cannot be compared. A derive brings its crate into an unnamed
/// constant, and rustc prints the trait by the name that it has there; Charon knows where it is defined.
const KNOWN: [(Reading, &str); 2] = [
    (Reading::OnlyRustc, "<sample::Rec as sample::_::_serde::Serialize>::serialize"),
    (Reading::OnlyCharon, "<sample::Rec as serde_core::ser::Serialize>::serialize"),
];

fn is_known(ground: &str, function: &FunctionAgreement) -> bool {
    let is_it = |(reading, path): &(Reading, &str)| *reading == function.reading && *path == function.path;
    charon::SAMPLES.contains(&ground) && KNOWN.iter().any(is_it)
}

/// Every mismatch, in full.
pub fn mismatches(ground: &str, functions: &[FunctionConformance]) -> String {
    let mut text = String::new();
    for function in functions {
        for mismatch in &function.mismatches {
            let version = version_name(function.version);
            let _ = writeln!(text, "MISMATCH {ground} ({version}): {}", mismatch.call);
            let _ = writeln!(text, "  native: {}\n  engine: {}", mismatch.native, mismatch.engine);
        }
    }
    text
}

/// Every proof that fell, in full.
pub fn falls(ground: &str, functions: &[AttackedFunction]) -> String {
    let mut text = String::new();
    for function in functions {
        for fall in &function.falls {
            let proof = match function.proof {
                AttackedProof::Equal => "equal",
                AttackedProof::EqualWithin => "equal within bounds",
                AttackedProof::Unchanged => "unchanged",
            };
            let _ = writeln!(text, "WRONG PROOF {ground} ({proof}): {}", fall.call);
            let _ = writeln!(text, "  old: {}\n  new: {}", fall.old, fall.new);
        }
    }
    text
}

fn version_name(version: Version) -> &'static str {
    match version {
        Version::Old => "old",
        Version::New => "new",
    }
}

/// A directory for builds that the grounds share one after the other: given, or gone at the end.
pub enum Target {
    Given(PathBuf),
    Temporary(tempfile::TempDir),
}

impl Target {
    pub fn new(given: Option<PathBuf>) -> anyhow::Result<Target> {
        Ok(match given {
            Some(path) => Target::Given(std::path::absolute(path)?),
            None => Target::Temporary(tempfile::TempDir::new()?),
        })
    }

    pub fn path(&self) -> &Path {
        match self {
            Target::Given(path) => path,
            Target::Temporary(directory) => directory.path(),
        }
    }
}
