//! Regressions localized by relevant slice conditions and by path conditions: lines reported, rank of the true line, time. The subjects
//! are those of `localized`: fixtures, slips seeded in published crates, regressions between published versions. Each is localized once
//! before it counts, so that both find the same built. Exit code 1 if by relevant slice conditions fewer than nine in ten true lines are
//! reported or fewer than seven in ten come first, if the median is more than three lines, or if any report is longer than by path conditions.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use cargo_regress::args::defaults::Defaults;
use cargo_regress::args::{self, Request};
use cargo_regress::progress::{self, Loudness};
use cargo_regress::report::human::Style;
use cargo_regress::report::localize::{self, CaseRecord};
use cargo_regress::{extract, pipeline, versions};
use clap::Parser;
use regress_tests::campaign::Target;
use regress_tests::localized::{Origin, Source, Subject, sources};

#[derive(Parser)]
#[command(about = "Localization by relevant slice conditions against path conditions, on known regressions")]
struct Cli {
    /// Only subjects with this text in their name; may be repeated
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
    /// Only by these conditions; by both by default
    #[arg(long, value_parser = ["rsc", "pc"])]
    by: Option<String>,
    /// Also print the reports
    #[arg(long)]
    reports: bool,
    /// Keep builds here; in a temporary directory by default
    #[arg(long, value_name = "DIR")]
    target_dir: Option<PathBuf>,
}

const METHODS: [&str; 2] = ["rsc", "pc"];

/// What one search for one subject gave.
struct Row {
    subject: String,
    origin: Origin,
    by: &'static str,
    case: CaseRecord,
    rank: Option<usize>,
    /// The whole command, where what it builds was built before.
    seconds: f64,
}

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
    println!(
        "| subject | by | method | conditions old, new | formulas | lines | rank of the true line | s | s in all | s cold |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let (mut rows, mut failed) = (Vec::new(), 0);
    for source in sources(&cli.only)? {
        let subject = source.lay()?;
        let started = Instant::now();
        // Whether it fails is told below.
        let _ = located(&subject, METHODS[0], &target, false);
        let cold = started.elapsed().as_secs_f64();
        for by in METHODS.into_iter().filter(|by| cli.by.as_deref().is_none_or(|only| only == *by)) {
            match located(&subject, by, &target, cli.reports) {
                Ok(row) => {
                    print_row(&source, &row, cold);
                    rows.push(row);
                }
                Err(error) => {
                    failed += 1;
                    println!("| {} | {by} | failed: {error:#} |", source.name());
                }
            }
        }
    }
    println!();
    let kinds = [
        ("fixtures", Some(Origin::Fixture)),
        ("seeded in published crates", Some(Origin::Seeded)),
        ("published regressions", Some(Origin::Historical)),
        ("all", None),
    ];
    for by in METHODS {
        for (kind, origin) in kinds {
            let of =
                rows.iter().filter(|row| row.by == by && origin.is_none_or(|origin| row.origin == origin));
            summarize(by, kind, &of.collect::<Vec<_>>());
        }
    }
    Ok(if failed == 0 && is_as_claimed(&rows) { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn print_row(source: &Source, row: &Row, cold: f64) {
    let case = &row.case;
    println!(
        "| {} | {} | {} | {}, {} | {} | {} | {} | {:.2} | {:.1} | {cold:.1} |",
        source.name(),
        row.by,
        case.method.as_deref().unwrap_or("none"),
        case.old_conditions,
        case.new_conditions,
        case.formulas,
        case.suspects.len(),
        row.rank.map_or_else(|| "none".to_owned(), |rank| rank.to_string()),
        case.seconds,
        row.seconds
    );
}

fn summarize(by: &str, kind: &str, rows: &[&Row]) {
    if rows.is_empty() {
        return;
    }
    let found = rows.iter().filter(|row| row.rank.is_some()).count();
    let first = rows.iter().filter(|row| row.rank == Some(1)).count();
    let by_conditions = rows.iter().filter(|row| row.case.method.as_deref() == Some(by)).count();
    let mut lines: Vec<usize> = rows.iter().map(|row| row.case.suspects.len()).collect();
    let mut seconds: Vec<f64> = rows.iter().map(|row| row.seconds).collect();
    lines.sort_unstable();
    seconds.sort_by(f64::total_cmp);
    println!(
        "{by}, {kind}: the true line is reported for {found} of {}, first for {first}; {} lines in the median, {} at most; by conditions \
         {by_conditions}; {:.1} s in the median, {:.1} s at most",
        rows.len(),
        lines[lines.len() / 2],
        lines[lines.len() - 1],
        seconds[seconds.len() / 2],
        seconds[seconds.len() - 1]
    );
}

/// What the project claims of relevant slice conditions, on these subjects.
fn is_as_claimed(rows: &[Row]) -> bool {
    let by = |method| rows.iter().filter(move |row| row.by == method);
    let all = by("rsc").count();
    let (told, first) = (
        by("rsc").filter(|row| row.rank.is_some()).count(),
        by("rsc").filter(|row| row.rank == Some(1)).count(),
    );
    let mut lines: Vec<usize> = by("rsc").map(|row| row.case.suspects.len()).collect();
    lines.sort_unstable();
    let is_longer = by("rsc").any(|slices| {
        let mut same = by("pc").filter(|paths| paths.subject == slices.subject);
        same.any(|paths| slices.case.suspects.len() > paths.case.suspects.len())
    });
    let median = lines.get(all / 2).copied().unwrap_or(0);
    told * 10 >= all * 9 && first * 10 >= all * 7 && median <= 3 && !is_longer
}

/// The case as reported, and the rank of the first line that is to blame.
fn located(subject: &Subject, by: &'static str, target: &Target, reports: bool) -> anyhow::Result<Row> {
    let started = Instant::now();
    let mut words: Vec<OsString> =
        ["cargo-regress", "localize", "--with", by].iter().map(OsString::from).collect();
    words.extend(subject.words.iter().map(OsString::from));
    let manifest = subject.repository.root().join("Cargo.toml");
    words.extend(["--manifest-path".into(), manifest.into_os_string()]);
    words.extend(["--target-dir".into(), target.path().as_os_str().to_owned()]);
    let Request::Localize(options) = args::request(words, &Defaults::default())? else {
        anyhow::bail!("localizing was asked for")
    };
    let (common, progress) = (options.options(), progress::for_stderr(Loudness::Quiet));
    let place = versions::locate(&common)?;
    let pair = versions::resolve(&place, &common.comparison, &[], progress.as_ref())?;
    let localized = pipeline::localize(&options, &place, &pair, progress.as_ref())
        .with_context(|| subject.name.clone())?;
    if reports {
        println!("{}", localize::human(&localized.report, localized.sources.as_ref(), Style::Plain));
    }
    // Several files may have a test of that name.
    let cases: Vec<CaseRecord> = localized.report.cases.iter().map(localize::record).collect();
    let is_located = cases.iter().position(|case| case.located).unwrap_or(0);
    let case = cases.into_iter().nth(is_located).context("a call or a test is a case")?;
    if let (false, Some(reason)) = (case.located, &case.reason) {
        anyhow::bail!("nothing to localize: {reason}");
    }
    let is_cause = |line: &&localize::LineRecord| {
        let same = |cause: &regress_tests::localized::Cause| {
            (cause.version, cause.file.as_str(), cause.line) == (line.version, line.file.as_str(), line.line)
        };
        subject.causes.iter().any(same)
    };
    let rank = case.suspects.iter().find(is_cause).map(|line| line.rank);
    Ok(Row {
        subject: subject.name.clone(),
        origin: subject.origin,
        by,
        case,
        rank,
        seconds: started.elapsed().as_secs_f64(),
    })
}
