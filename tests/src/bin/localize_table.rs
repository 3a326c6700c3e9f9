//! Regressions localized by relevant slice conditions and by path conditions: lines reported, rank of the true line, time. The subjects
//! are those of `localized`: fixtures, slips seeded in published crates, regressions between published versions. Each is localized once
//! before it counts, so that both find the same built. Exit code 1 if by relevant slice conditions fewer than nine in ten true lines are
//! reported or fewer than seven in ten come first, if the median is more than three lines, or if any report is longer or takes longer than by
//! path conditions.

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
use clap::{Parser, ValueEnum};
use regress_tests::campaign::Target;
use regress_tests::localized::{Origin, Source, Subject, sources};

#[derive(Parser)]
#[command(about = "Localization by relevant slice conditions against path conditions, on known regressions")]
struct Cli {
    /// Only subjects with this text in their name; may be repeated
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
    /// Only by these conditions; by both by default
    #[arg(long)]
    by: Option<Method>,
    /// How often the conditions are held against each other, by either method in turn; the shortest time counts
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Also print the reports
    #[arg(long)]
    reports: bool,
    /// Keep builds here; in a temporary directory by default
    #[arg(long, value_name = "DIR")]
    target_dir: Option<PathBuf>,
}

/// The conditions that are held against each other, named as on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Method {
    Rsc,
    Pc,
}

impl Method {
    fn name(self) -> &'static str {
        match self {
            Method::Rsc => "rsc",
            Method::Pc => "pc",
        }
    }
}

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Aim {
    /// The report as a user gets it.
    Report,
    /// How long conditions take; the hunks are left out.
    Timing,
}

/// Shares of times that the clock cannot tell apart on a machine that does other work as well, and seconds of them.
const CLOCK: (f64, f64) = (0.05, 0.02);

/// What one search for one subject gave.
struct Row {
    subject: String,
    origin: Origin,
    by: Method,
    case: CaseRecord,
    rank: Option<usize>,
    report: String,
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
        let _ = located(&subject, Method::Rsc, &target, Aim::Report);
        let cold = started.elapsed().as_secs_f64();
        let methods = Method::value_variants().iter().filter(|by| cli.by.is_none_or(|only| only == **by));
        let mut found: Vec<(Method, anyhow::Result<Row>)> =
            methods.map(|by| (*by, located(&subject, *by, &target, Aim::Report))).collect();
        for _ in 1..cli.rounds {
            for (by, row) in &mut found {
                if let Ok(row) = row
                    && let Ok(again) = located(&subject, *by, &target, Aim::Timing)
                {
                    row.case.seconds = row.case.seconds.min(again.case.seconds);
                }
            }
        }
        for (by, row) in found {
            match row {
                Ok(row) => {
                    print_row(&source, &row, cold);
                    if cli.reports {
                        println!("{}", row.report);
                    }
                    rows.push(row);
                }
                Err(error) => {
                    failed += 1;
                    println!("| {} | {} | failed: {error:#} |", source.name(), by.name());
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
    for by in Method::value_variants().iter().copied() {
        for (kind, origin) in kinds {
            let of =
                rows.iter().filter(|row| row.by == by && origin.is_none_or(|origin| row.origin == origin));
            summarize(by, kind, &of.collect::<Vec<_>>());
        }
        let seconds: f64 = rows.iter().filter(|row| row.by == by).map(|row| row.case.seconds).sum();
        println!("{}: {seconds:.1} s for conditions in all", by.name());
    }
    Ok(if failed == 0 && is_as_claimed(&rows) { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn print_row(source: &Source, row: &Row, cold: f64) {
    let case = &row.case;
    println!(
        "| {} | {} | {} | {}, {} | {} | {} | {} | {:.2} | {:.1} | {cold:.1} |",
        source.name(),
        row.by.name(),
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

fn summarize(by: Method, kind: &str, rows: &[&Row]) {
    if rows.is_empty() {
        return;
    }
    let found = rows.iter().filter(|row| row.rank.is_some()).count();
    let first = rows.iter().filter(|row| row.rank == Some(1)).count();
    let by_conditions = rows.iter().filter(|row| row.case.method.as_deref() == Some(by.name())).count();
    let mut lines: Vec<usize> = rows.iter().map(|row| row.case.suspects.len()).collect();
    let mut seconds: Vec<f64> = rows.iter().map(|row| row.seconds).collect();
    lines.sort_unstable();
    seconds.sort_by(f64::total_cmp);
    println!(
        "{}, {kind}: the true line is reported for {found} of {}, first for {first}; {} lines in the median, {} at most; by conditions \
         {by_conditions}; {:.1} s in the median, {:.1} s at most",
        by.name(),
        rows.len(),
        lines[lines.len() / 2],
        lines[lines.len() - 1],
        seconds[seconds.len() / 2],
        seconds[seconds.len() - 1]
    );
}

/// What the project claims of relevant slice conditions, on these subjects.
fn is_as_claimed(rows: &[Row]) -> bool {
    let by = |method| rows.iter().filter(move |row: &&Row| row.by == method);
    let all = by(Method::Rsc).count();
    let told = by(Method::Rsc).filter(|row| row.rank.is_some()).count();
    let first = by(Method::Rsc).filter(|row| row.rank == Some(1)).count();
    let mut lines: Vec<usize> = by(Method::Rsc).map(|row| row.case.suspects.len()).collect();
    lines.sort_unstable();
    let pairs = || {
        by(Method::Rsc).flat_map(|slices| {
            by(Method::Pc).filter(|paths| paths.subject == slices.subject).map(move |paths| (slices, paths))
        })
    };
    let is_longer = pairs().any(|(slices, paths)| slices.case.suspects.len() > paths.case.suspects.len());
    let slower = pairs()
        .filter(|(slices, paths)| slices.case.seconds > paths.case.seconds * (1.0 + CLOCK.0) + CLOCK.1);
    let slower: Vec<&str> = slower.map(|(slices, _)| slices.subject.as_str()).collect();
    if !slower.is_empty() {
        println!("slower by relevant slice conditions: {}", slower.join(", "));
    }
    let median = lines.get(all / 2).copied().unwrap_or(0);
    told * 10 >= all * 9 && first * 10 >= all * 7 && median <= 3 && !is_longer && slower.is_empty()
}

/// The case as reported, and the rank of the first line that is to blame.
fn located(subject: &Subject, by: Method, target: &Target, aim: Aim) -> anyhow::Result<Row> {
    let started = Instant::now();
    let mut words: Vec<OsString> =
        ["cargo-regress", "localize", "--with", by.name()].iter().map(OsString::from).collect();
    words.extend(subject.words.iter().map(OsString::from));
    let manifest = subject.repository.root().join("Cargo.toml");
    words.extend(["--manifest-path".into(), manifest.into_os_string()]);
    words.extend(["--target-dir".into(), target.path().as_os_str().to_owned()]);
    if aim == Aim::Timing {
        words.extend(["--hunk-time".into(), "0".into()]);
    }
    let Request::Localize(options) = args::request(words, &Defaults::default())? else {
        anyhow::bail!("localizing was asked for")
    };
    let (common, progress) = (options.options(), progress::for_stderr(Loudness::Quiet));
    let place = versions::locate(&common)?;
    let pair = versions::resolve(&place, &common.comparison, &[], progress.as_ref())?;
    let localized = pipeline::localize(&options, &place, &pair, progress.as_ref())
        .with_context(|| subject.name.clone())?;
    let report = localize::human(&localized.report, localized.sources.as_ref(), Style::Plain);
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
        report,
        seconds: started.elapsed().as_secs_f64(),
    })
}
