//! Seeded regressions localized by relevant slice conditions and by path conditions: lines reported, rank of the true line,
//! time. The subjects are `fixtures/localize/<case>/{old,new}`, the call that shows each is beside them, and the true line
//! bears `//~ CAUSE`. Exit code 1 if a true line is not among those reported by relevant slice conditions.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use cargo_regress::args::defaults::Defaults;
use cargo_regress::args::{self, Request};
use cargo_regress::progress::{self, Loudness};
use cargo_regress::report::localize::{self, CaseRecord};
use cargo_regress::{extract, pipeline, versions};
use clap::Parser;
use regress_core::verdict::Version;
use regress_tests::campaign::Target;
use regress_tests::cases::{LOCALIZED, fixtures_root};
use regress_tests::repository::Repository;

#[derive(Parser)]
#[command(about = "Localization by relevant slice conditions against path conditions, on seeded regressions")]
struct Cli {
    /// Only cases with this text in their name; may be repeated
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
    /// Keep builds here; in a temporary directory by default
    #[arg(long, value_name = "DIR")]
    target_dir: Option<PathBuf>,
}

const CAUSE: &str = "//~ CAUSE";

fn main() -> ExitCode {
    if let Some(code) = extract::run_as_wrapper_if_asked() {
        return code;
    }
    match table(&Cli::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn table(cli: &Cli) -> anyhow::Result<ExitCode> {
    let target = Target::new(cli.target_dir.clone())?;
    println!("| subject | by | conditions old, new | formulas | lines | rank of the true line | s |");
    println!("|---|---|---|---|---|---|---|");
    let (mut cases, mut found, mut first, mut counts) = (0, 0, 0, Vec::new());
    for root in directories(&fixtures_root().join(LOCALIZED))? {
        let name = root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if !cli.only.is_empty() && !cli.only.iter().any(|text| name.contains(text.as_str())) {
            continue;
        }
        cases += 1;
        for with in ["rsc", "pc"] {
            let (case, rank) = located(&root, with, &target)?;
            let told = rank.map_or_else(|| "none".to_owned(), |rank| rank.to_string());
            println!(
                "| {name} | {} | {}, {} | {} | {} | {told} | {:.2} |",
                case.method.as_deref().unwrap_or("none").replace("changes", &format!("{with}: changes")),
                case.old_conditions,
                case.new_conditions,
                case.formulas,
                case.suspects.len(),
                case.seconds
            );
            if with == "rsc" {
                found += usize::from(rank.is_some());
                first += usize::from(rank == Some(1));
                counts.push(case.suspects.len());
            }
        }
    }
    counts.sort_unstable();
    let median = counts.get(counts.len() / 2).copied().unwrap_or(0);
    println!(
        "\nrsc: the true line is reported for {found} of {cases}, first for {first}; lines in the median: {median}"
    );
    Ok(if found == cases { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// The case as reported, and the rank of the first line that bears the mark.
fn located(root: &Path, with: &str, target: &Target) -> anyhow::Result<(CaseRecord, Option<usize>)> {
    let repository = Repository::new()?;
    repository.commit_directory(&root.join("old"), "old")?;
    repository.commit_directory(&root.join("new"), "new")?;
    let call = std::fs::read_to_string(root.join("call")).context("a subject has a call")?;
    let mut words: Vec<OsString> = ["cargo-regress", "localize", "--call", call.trim(), "--with", with]
        .iter()
        .map(OsString::from)
        .collect();
    words.extend(["--manifest-path".into(), repository.root().join("Cargo.toml").into_os_string()]);
    words.extend(["--target-dir".into(), target.path().as_os_str().to_owned()]);
    let Request::Localize(options) = args::request(words, &Defaults::default())? else {
        anyhow::bail!("localizing was asked for")
    };
    let (common, progress) = (options.options(), progress::for_stderr(Loudness::Quiet));
    let place = versions::locate(&common)?;
    let pair = versions::resolve(&place, &common.comparison, &[], progress.as_ref())?;
    let localized = pipeline::localize(&options, &place, &pair, progress.as_ref())
        .with_context(|| root.display().to_string())?;
    let case = localize::record(localized.report.cases.first().context("one call is one case")?);
    let causes = [(Version::Old, causes(&root.join("old"))?), (Version::New, causes(&root.join("new"))?)];
    anyhow::ensure!(
        causes.iter().any(|(_, lines)| !lines.is_empty()),
        "{}: no line is marked",
        root.display()
    );
    let is_cause = |version: Version, line: u32| {
        causes.iter().any(|(marked, lines)| *marked == version && lines.contains(&line))
    };
    let rank = case.suspects.iter().find(|line| is_cause(line.version, line.line)).map(|line| line.rank);
    Ok((case, rank))
}

/// The marked lines, counted from 1.
fn causes(version: &Path) -> anyhow::Result<Vec<u32>> {
    let text = std::fs::read_to_string(version.join("src/lib.rs"))?;
    let marked = text.lines().zip(1..).filter(|(line, _)| line.contains(CAUSE));
    Ok(marked.map(|(_, number)| number).collect())
}

fn directories(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(path).with_context(|| path.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
