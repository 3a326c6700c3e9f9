//! Runs on real crates, many in a row and on a machine that is busy: each must end within its time, with a report.
//!
//! ```text
//! cargo run --release -p regress-tests --bin endurance -- --runs 100
//! ```
//!
//! Each run compares one step between releases of the yardstick's crates, without earlier results (`--fresh`) but with what was built before, with `--total-timeout`.
//! Beside it, threads without work of their own keep the processors busy. A run that is not done after its time and the grace is
//! killed and counts as stuck; so does one whose report cannot be read. Exit code 1 if there is one.
//!
//! What happens before the comparison begins is not cut short by `--total-timeout`, so a step's first run, which builds, is not
//! measured.

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Parser;
use regress_tests::campaign::Ground;
use regress_tests::command::{binary, run};
use regress_tests::yardstick::steps;
use serde_json::Value;
use tempfile::TempDir;
use wait_timeout::ChildExt;

#[derive(Parser)]
#[command(about = "Many runs on real crates, each of which must end in time")]
struct Cli {
    /// How many runs
    #[arg(long, default_value_t = 100)]
    runs: usize,
    /// Seconds that each run is given
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    total_timeout: u64,
    /// Seconds that a run may take beyond its time: for builds that turn out to be up to date, reading, and the report
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    grace: u64,
    /// Threads that keep processors busy
    #[arg(long, default_value_t = 2)]
    load: usize,
    /// Only crates with this text in their name; may be repeated
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
}

/// How a run ended.
enum End {
    /// With a report, after so long.
    Reported(Duration),
    Stuck(String),
}

fn main() -> ExitCode {
    match endure(&Cli::parse()) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// How many runs were stuck.
fn endure(cli: &Cli) -> anyhow::Result<usize> {
    let grounds = steps(&cli.only)?;
    let target = TempDir::new()?;
    for ground in &grounds {
        // Builds both versions.
        run(ground.root(), &arguments(target.path(), cli.total_timeout)?);
        eprintln!("{} is built", ground.name);
    }
    let over = Arc::new(AtomicBool::new(false));
    let load: Vec<_> = (0..cli.load).map(|_| spin_until(over.clone())).collect();
    let mut times = Vec::new();
    let mut stuck = 0;
    for (number, ground) in grounds.iter().cycle().take(cli.runs).enumerate() {
        match once(ground, target.path(), cli)? {
            End::Reported(time) => {
                println!("{:>4} {:<34} {:>7.1} s", number + 1, ground.name, time.as_secs_f64());
                times.push(time);
            }
            End::Stuck(how) => {
                println!("{:>4} {:<34} STUCK: {how}", number + 1, ground.name);
                stuck += 1;
            }
        }
    }
    over.store(true, Ordering::Relaxed);
    load.into_iter().for_each(|thread| thread.join().expect("a thread that spins does not panic"));
    times.sort();
    let at = |share: usize| times.get(times.len() * share / 100).or(times.last());
    if let (Some(median), Some(most)) = (at(50), times.last()) {
        let seconds = [median, most].map(Duration::as_secs_f64);
        println!(
            "{} runs with a report: median {:.1} s, at most {:.1} s; {stuck} stuck",
            times.len(),
            seconds[0],
            seconds[1]
        );
    }
    Ok(stuck)
}

fn spin_until(over: Arc<AtomicBool>) -> std::thread::JoinHandle<()> {
    std::thread::spawn(move || {
        while !over.load(Ordering::Relaxed) {
            std::hint::spin_loop();
        }
    })
}

fn arguments(target: &Path, total_timeout: u64) -> anyhow::Result<Vec<String>> {
    let target = target.to_str().context("the temporary folder is not UTF-8")?;
    let total = total_timeout.to_string();
    let args =
        ["--target-dir", target, "--message-format", "json", "--fresh", "--total-timeout", &total, "HEAD~1"];
    Ok(args.map(str::to_owned).to_vec())
}

fn once(ground: &Ground, target: &Path, cli: &Cli) -> anyhow::Result<End> {
    let report = tempfile::NamedTempFile::new()?;
    let started = Instant::now();
    let mut child = Command::new(binary())
        .args(arguments(target, cli.total_timeout)?)
        .current_dir(ground.root())
        .env_remove("CARGO_TARGET_DIR")
        .stdout(report.reopen()?)
        .stderr(Stdio::null())
        .spawn()?;
    let Some(status) = child.wait_timeout(Duration::from_secs(cli.total_timeout + cli.grace))? else {
        child.kill()?;
        child.wait()?;
        return Ok(End::Stuck(format!("not done after {} s", started.elapsed().as_secs())));
    };
    let time = started.elapsed();
    let document: Result<Value, _> = serde_json::from_reader(std::fs::File::open(report.path())?);
    Ok(match document {
        Ok(document) if document["functions"].is_array() => End::Reported(time),
        _ => End::Stuck(format!("no report ({status})")),
    })
}
