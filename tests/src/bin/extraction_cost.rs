//! What it costs to get a published crate's dumps, against `cargo check` of the same crate: processor time of both, cold.
//! Linux only, where the kernel tells the time of child processes. To be run alone, in a release build:
//!
//! ```text
//! cargo run --release -p regress-tests --bin extraction_cost [RUNS]
//! ```

use std::env;
use std::fs;
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, ensure};
use camino::Utf8PathBuf;
use cargo_regress::extract::{
    ExtractRequest, LockPolicy, Selection, extract, find_toolchain, run_as_wrapper_if_asked,
};
use cargo_regress::progress::Silent;
use regress_tests::real_crates::{lay, published};
use regress_tests::repository::Repository;

const CRATES: [(&str, [&str; 2]); 4] = [
    ("itoa", ["1.0.17", "1.0.18"]),
    ("hex", ["0.4.2", "0.4.3"]),
    ("semver", ["1.0.27", "1.0.28"]),
    ("regex-syntax", ["0.8.7", "0.8.8"]),
];

fn main() -> ExitCode {
    if let Some(code) = run_as_wrapper_if_asked() {
        return code;
    }
    let runs = env::args().nth(1).and_then(|runs| runs.parse().ok()).unwrap_or(3);
    match measure_all(runs) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn measure_all(runs: u32) -> anyhow::Result<()> {
    println!("{:<22} {:>9} {:>9} {:>6}", "crate", "check (s)", "ours (s)", "ratio");
    for (name, versions) in CRATES {
        for version in versions {
            let (mut check, mut ours) = (f64::INFINITY, f64::INFINITY);
            // The fastest of several runs is the one that was disturbed least.
            for _ in 0..runs.max(1) {
                let (one_check, one_ours) = measure(name, version)?;
                (check, ours) = (check.min(one_check), ours.min(one_ours));
            }
            println!("{:<22} {check:>9.2} {ours:>9.2} {:>6.2}", format!("{name} {version}"), ours / check);
        }
    }
    Ok(())
}

/// Seconds of processor time for `cargo check`, and for the check and the dumps.
fn measure(name: &str, version: &str) -> anyhow::Result<(f64, f64)> {
    let sources = published(&[(name, version)])?;
    let repository = Repository::new()?;
    lay(&repository, &sources[name])?;
    let root = repository.root().canonicalize()?;

    let before = processor_time()?;
    let status = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["check", "--quiet", "--target-dir"])
        .arg(root.join("target/check"))
        .current_dir(&root)
        .stderr(Stdio::null())
        .status()?;
    ensure!(status.success(), "{name} {version} does not compile");
    let check = processor_time()? - before;

    let path =
        |below: &str| Utf8PathBuf::try_from(root.join(below)).context("the temporary folder is not UTF-8");
    fs::create_dir_all(root.join("target/ours"))?;
    let request = ExtractRequest {
        label: format!("{name} {version}"),
        root: path("")?,
        above: None,
        tree_key: version.to_owned(),
        manifest_path: path("Cargo.toml")?,
        seed: None,
        target_dir: path("target/ours/build")?,
        cache_dir: path("target/ours/cache")?,
        selection: Selection::default(),
        lock: LockPolicy::Free,
        jobs: None,
        toolchain: find_toolchain(&path("")?)?,
        wrapper_program: env::current_exe()?.try_into().context("this program's path is not UTF-8")?,
    };
    let before = processor_time()?;
    extract(&request, &Silent)?;
    Ok((check, processor_time()? - before))
}

/// Seconds that this process and its ended children have been on a processor.
fn processor_time() -> anyhow::Result<f64> {
    let text = fs::read_to_string("/proc/self/stat").context("only Linux tells the time of children")?;
    // The program's name, in parentheses, may hold anything.
    let (_, fields) = text.rsplit_once(") ").context("/proc/self/stat is not in the known form")?;
    let ticks = |index: usize| fields.split(' ').nth(index).and_then(|field| field.parse::<u32>().ok());
    let user_and_system = [11, 12, 13, 14].map(ticks);
    let sum: u32 =
        user_and_system.into_iter().sum::<Option<u32>>().context("/proc/self/stat is too short")?;
    // The kernel counts in hundredths for programs, whatever it does within.
    Ok(f64::from(sum) / 100.0)
}
