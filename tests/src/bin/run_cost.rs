//! What a run costs, stage by stage, on published steps of real crates: seconds by the clock, of a cold run and of the same run again,
//! beside two cold `cargo check`s. The models of the standard library, which are dumped once for each compiler, are there before.
//! To be run alone, in a release build:
//!
//! ```text
//! cargo run --release -p regress-tests --bin run_cost
//! ```
//!
//! With `--fixtures`: a cold run on each fixture, and the same run again. Exit code 1 if that takes more than a second on any.
//!
//! Either way, the end says how many of the functions whose meaning may have changed were proved equal, and on what grounds; and which part of the
//! time for comparing went into native confirmations of differences and attacks on proofs. `--tool` measures another build of the command.

use std::collections::BTreeMap;
use std::env;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use anyhow::{Context, ensure};
use clap::Parser;
use regress_tests::cases;
use regress_tests::command::{run, run_program};
use regress_tests::real_crates::{lay, published};
use regress_tests::repository::Repository;
use regress_tests::runner::two_commits;
use regress_tests::shared::forget_runs;
use serde_json::Value;
use tempfile::TempDir;

const STEPS: [(&str, [&str; 2]); 5] = [
    ("httpdate", ["1.0.1", "1.0.2"]),
    ("itoa", ["1.0.17", "1.0.18"]),
    ("hex", ["0.4.2", "0.4.3"]),
    ("semver", ["1.0.27", "1.0.28"]),
    ("percent-encoding", ["2.3.1", "2.3.2"]),
];

/// Stages of the report's `stats`, with the heads of their columns.
const STAGES: [(&str, &str); 9] = [
    ("versions", "lay out"),
    ("extraction", "extract"),
    ("reading", "read"),
    ("harness", "harness"),
    ("comparing", "compare"),
    ("prepass", "(random)"),
    ("search", "(search)"),
    ("replay", "(replay)"),
    ("attack", "(attack)"),
];

/// Stages that share the time of comparing, on several threads.
const OF_COMPARING: [&str; 4] = ["prepass", "search", "replay", "attack"];
/// Of these, what is run natively to be sure.
const TO_BE_SURE: [&str; 2] = ["replay", "attack"];

/// What the same run again may take on a fixture, in seconds.
const AT_ONCE: f64 = 1.0;

#[derive(Parser)]
#[command(about = "What a run costs, and the same run again")]
struct Cli {
    /// On the fixtures, instead of published crates
    #[arg(long)]
    fixtures: bool,
    /// Only what has this text in its name
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Seconds for each function; the command's own time by default
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<String>,
    /// Another build of the command
    #[arg(long, value_name = "PROGRAM")]
    tool: Option<PathBuf>,
}

/// What runs proved, and what it took to be sure of it.
#[derive(Default)]
struct Proofs {
    /// Functions that exist in both versions and were not the same at once.
    judged: u64,
    /// Of these, by grounds.
    by_term: u64,
    by_solver: u64,
    following: u64,
    /// Of all proofs, those within bounds.
    bounded: u64,
    seconds: BTreeMap<&'static str, f64>,
}

impl Proofs {
    fn add(&mut self, document: &Value) {
        let kinds = ["changed", "affected"];
        let functions = document["functions"].as_array().into_iter().flatten();
        for function in functions.filter(|function| kinds.iter().any(|kind| function["kind"] == *kind)) {
            self.judged += 1;
            if function["verdict"] != "equal" && function["verdict"] != "equal_within" {
                continue;
            }
            self.bounded += u64::from(function["verdict"] == "equal_within");
            let proof = &function["proof"];
            match (proof["solved"].as_u64(), proof["by"].is_array()) {
                (_, true) => self.following += 1,
                (Some(0), false) => self.by_term += 1,
                (_, false) => self.by_solver += 1,
            }
        }
        for stage in OF_COMPARING {
            *self.seconds.entry(stage).or_default() += seconds(document, stage);
        }
    }
}

impl fmt::Display for Proofs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Proofs { judged, by_term, by_solver, following, bounded, .. } = self;
        let proved = by_term + by_solver + following;
        writeln!(
            f,
            "{proved} of {judged} functions proved equal ({:.1} %), {bounded} of them within bounds: {by_term} by equal terms, {by_solver} by the solver, {following} from other proofs",
            percent(proved as f64, *judged as f64),
        )?;
        let sum = |stages: &[&str]| stages.iter().filter_map(|stage| self.seconds.get(stage)).sum::<f64>();
        let whole = sum(&OF_COMPARING);
        let part = |stage: &str| percent(sum(&[stage]), whole);
        write!(
            f,
            "{:.1} s on all threads: {:.1} % native confirmations, {:.1} % attacks on proofs, together {:.1} %",
            whole,
            part("replay"),
            part("attack"),
            percent(sum(&TO_BE_SURE), whole),
        )
    }
}

fn percent(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { 100.0 * part / whole }
}

fn seconds(document: &Value, stage: &str) -> f64 {
    document["stats"]["seconds"][stage].as_f64().unwrap_or(0.0)
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let measured = if cli.fixtures { measure_fixtures(&cli) } else { measure_steps(&cli) };
    match measured {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Each fixture cold, and the same run again.
fn measure_fixtures(cli: &Cli) -> anyhow::Result<()> {
    let mut proofs = Proofs::default();
    let target = TempDir::new()?;
    let target = target.path().to_str().context("the temporary folder is not UTF-8")?;
    println!("{:<34} {:>8} {:>8}", "fixture", "whole", "again");
    let (mut longest, mut count) = (0.0f64, 0);
    for case in cases::all()?.into_iter().filter(|case| case.name.contains(&cli.only)) {
        let repository = two_commits(&case.root)?;
        let further: Vec<&str> = case.args.iter().map(String::as_str).chain(cli.limit()).collect();
        let (whole, first) = cli.compare(repository.root(), target, &further)?;
        let (again, second) = cli.compare(repository.root(), target, &further)?;
        proofs.add(&first);
        ensure!(first["functions"] == second["functions"], "{}: another answer the second time", case.name);
        println!("{:<34} {whole:>8.2} {again:>8.2}", case.name);
        (longest, count) = (longest.max(again), count + 1);
    }
    println!("{count} fixtures; again: {longest:.2} s at most");
    println!("{proofs}");
    ensure!(longest <= AT_ONCE, "the same run again took more than {AT_ONCE} s");
    Ok(())
}

fn measure_steps(cli: &Cli) -> anyhow::Result<()> {
    let mut proofs = Proofs::default();
    print!("{:<34} {:>8}", "step", "2 checks");
    for (_, head) in STAGES {
        print!(" {head:>8}");
    }
    println!(" {:>8} {:>8} {:>13}", "whole", "again", "extract/check");
    let target = TempDir::new()?;
    let target = target.path().to_str().context("the temporary folder is not UTF-8")?;
    let (name, versions) = STEPS[0];
    // Only for the models.
    cli.compare(step(name, versions)?.root(), target, &[])?;
    for (name, versions) in STEPS.into_iter().filter(|(name, _)| name.contains(&cli.only)) {
        proofs.add(&measure(cli, name, versions, target)?);
    }
    println!(
        "What is in parentheses lies within `compare`, on several threads at once; its times are added up."
    );
    println!("{proofs}");
    Ok(())
}

/// A repository with both releases as commits.
fn step(name: &str, versions: [&str; 2]) -> anyhow::Result<Repository> {
    let repository = Repository::new()?;
    for version in versions {
        lay(&repository, &published(&[(name, version)])?[name])?;
        repository.commit_all(version)?;
    }
    Ok(repository)
}

fn measure(cli: &Cli, name: &str, versions: [&str; 2], target: &str) -> anyhow::Result<Value> {
    let mut checks = 0.0;
    for version in versions {
        let repository = Repository::new()?;
        lay(&repository, &published(&[(name, version)])?[name])?;
        checks += check(repository.root())?;
    }
    forget_runs(Path::new(target));
    let repository = step(name, versions)?;
    let further: Vec<&str> = cli.limit().collect();
    let (whole, document) = cli.compare(repository.root(), target, &further)?;
    let (again, _) = cli.compare(repository.root(), target, &further)?;
    print!("{:<34} {checks:>8.2}", format!("{name} {} to {}", versions[0], versions[1]));
    for (stage, _) in STAGES {
        print!(" {:>8.2}", seconds(&document, stage));
    }
    println!(" {whole:>8.2} {again:>8.2} {:>13.2}", seconds(&document, "extraction") / checks);
    Ok(document)
}

/// Seconds for a cold `cargo check`.
fn check(root: &Path) -> anyhow::Result<f64> {
    let started = Instant::now();
    let status = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["check", "--quiet", "--target-dir", "target/check"])
        .current_dir(root)
        .stderr(Stdio::null())
        .status()?;
    ensure!(status.success(), "{} does not compile", root.display());
    Ok(started.elapsed().as_secs_f64())
}

impl Cli {
    /// The limit for each function, as arguments of the command.
    fn limit(&self) -> impl Iterator<Item = &str> {
        self.timeout.as_deref().map(|seconds| ["--timeout", seconds]).into_iter().flatten()
    }

    /// Seconds of a run, and its document.
    fn compare(&self, root: &Path, target: &str, further: &[&str]) -> anyhow::Result<(f64, Value)> {
        let common = ["--target-dir", target, "--message-format", "json", "--stats", "HEAD~1"];
        let args = [&common, further].concat();
        let started = Instant::now();
        let run = match &self.tool {
            Some(tool) => run_program(tool, root, &args, &[]),
            None => run(root, &args),
        };
        let time = started.elapsed().as_secs_f64();
        ensure!(matches!(run.code, Some(0 | 100)), "{}", run.stderr);
        Ok((time, serde_json::from_str(&run.stdout)?))
    }
}
