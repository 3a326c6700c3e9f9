//! What a run costs, stage by stage, on published steps of real crates: seconds by the clock, of a cold run and of the same run again,
//! beside two cold `cargo check`s. The models of the standard library, which are dumped once for each compiler, are there before.
//! To be run alone, in a release build:
//!
//! ```text
//! cargo run --release -p regress-tests --bin run_cost
//! ```
//!
//! With `--fixtures`: a cold run on each fixture, and the same run again. Exit code 1 if that takes more than a second on any.

use std::env;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use anyhow::{Context, ensure};
use clap::Parser;
use regress_tests::cases;
use regress_tests::command::run;
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
const STAGES: [(&str, &str); 8] = [
    ("versions", "lay out"),
    ("extraction", "extract"),
    ("reading", "read"),
    ("harness", "harness"),
    ("comparing", "compare"),
    ("prepass", "(random)"),
    ("search", "(search)"),
    ("replay", "(replay)"),
];

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
    /// Seconds for each function of a step; the command's own time by default
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<String>,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let measured = if cli.fixtures {
        measure_fixtures(&cli.only)
    } else {
        measure_steps(&cli.only, cli.timeout.as_deref())
    };
    match measured {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Each fixture cold, and the same run again.
fn measure_fixtures(only: &str) -> anyhow::Result<()> {
    let target = TempDir::new()?;
    let target = target.path().to_str().context("the temporary folder is not UTF-8")?;
    println!("{:<34} {:>8} {:>8}", "fixture", "whole", "again");
    let (mut longest, mut count) = (0.0f64, 0);
    for case in cases::all()?.into_iter().filter(|case| case.name.contains(only)) {
        let repository = two_commits(&case.root)?;
        let further: Vec<&str> = case.args.iter().map(String::as_str).collect();
        let (whole, first) = compare(repository.root(), target, &further)?;
        let (again, second) = compare(repository.root(), target, &further)?;
        ensure!(first["functions"] == second["functions"], "{}: another answer the second time", case.name);
        println!("{:<34} {whole:>8.2} {again:>8.2}", case.name);
        (longest, count) = (longest.max(again), count + 1);
    }
    println!("{count} fixtures; again: {longest:.2} s at most");
    ensure!(longest <= AT_ONCE, "the same run again took more than {AT_ONCE} s");
    Ok(())
}

fn measure_steps(only: &str, timeout: Option<&str>) -> anyhow::Result<()> {
    let further: Vec<&str> = timeout.map(|seconds| ["--timeout", seconds]).into_iter().flatten().collect();
    print!("{:<34} {:>8}", "step", "2 checks");
    for (_, head) in STAGES {
        print!(" {head:>8}");
    }
    println!(" {:>8} {:>8} {:>13}", "whole", "again", "extract/check");
    let target = TempDir::new()?;
    let target = target.path().to_str().context("the temporary folder is not UTF-8")?;
    let (name, versions) = STEPS[0];
    // Only for the models.
    compare(step(name, versions)?.root(), target, &[])?;
    for (name, versions) in STEPS.into_iter().filter(|(name, _)| name.contains(only)) {
        measure(name, versions, target, &further)?;
    }
    println!(
        "What is in parentheses lies within `compare`, on several threads at once; its times are added up."
    );
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

fn measure(name: &str, versions: [&str; 2], target: &str, further: &[&str]) -> anyhow::Result<()> {
    let mut checks = 0.0;
    for version in versions {
        let repository = Repository::new()?;
        lay(&repository, &published(&[(name, version)])?[name])?;
        checks += check(repository.root())?;
    }
    forget_runs(Path::new(target));
    let repository = step(name, versions)?;
    let (whole, document) = compare(repository.root(), target, further)?;
    let (again, _) = compare(repository.root(), target, further)?;
    let seconds = |stage: &str| document["stats"]["seconds"][stage].as_f64().unwrap_or(0.0);
    print!("{:<34} {checks:>8.2}", format!("{name} {} to {}", versions[0], versions[1]));
    for (stage, _) in STAGES {
        print!(" {:>8.2}", seconds(stage));
    }
    println!(" {whole:>8.2} {again:>8.2} {:>13.2}", seconds("extraction") / checks);
    Ok(())
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

/// Seconds of a run, and its document.
fn compare(root: &Path, target: &str, further: &[&str]) -> anyhow::Result<(f64, Value)> {
    let common = ["--target-dir", target, "--message-format", "json", "--stats", "HEAD~1"];
    let started = Instant::now();
    let run = run(root, &[&common, further].concat());
    let time = started.elapsed().as_secs_f64();
    ensure!(matches!(run.code, Some(0 | 100)), "{}", run.stderr);
    Ok((time, serde_json::from_str(&run.stdout)?))
}
