//! `campaign conformance` and `campaign attack`: the engine and its proofs against native runs, over all fixtures and
//! the published crates; `campaign agreement`: rustc's text against Charon's files; `campaign identity`: published crates against themselves; `campaign releases`: their releases,
//! one against the next; `campaign mutants`: small changes to published crates; `campaign affected-tests`: which of their tests such changes can affect; `campaign merges`: merges of them that git makes without a conflict; `campaign solvers`: the same search with each solver. Exit code 1 if anything fell, 2 if a ground could not be run at all.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use cargo_regress::extract;
use cargo_regress::pipeline::campaign::{Campaign, SelfEnd};
use cargo_regress::report::reasons;
use cargo_regress::report::{Counts, FunctionReport, Standing, wording};
use clap::{Args, Parser, Subcommand};
use regress_core::verdict::Verdict;
use regress_tests::attack_grammar::{self, Class};
use regress_tests::campaign::{
    Ground, Grounds, SelfTotals, Target, Totals, agreement_totals, attack_totals, conformance_totals,
    disagreements, falls, grounds, mismatches,
};
use regress_tests::command::binary;
use regress_tests::gaps;
use regress_tests::identity_table;
use regress_tests::merges::{End, Label, MERGES};
use regress_tests::mutation::{Judged, MutantEnd, judge, sample, unconfirmed};
use regress_tests::selection::{median, tested};
use regress_tests::solvers::Sums;
use regress_tests::survey;
use regress_tests::yardstick::{against_themselves, steps};

#[derive(Parser)]
#[command(about = "The engine and its proofs against native runs")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Each function on random inputs, in the executor and natively
    Conformance {
        /// Inputs for each function
        #[arg(long, default_value_t = 1_000)]
        runs: u64,
        #[command(flatten)]
        common: Common,
    },
    /// Each function of the crates with recorded output of Charon, as rustc's text and as Charon's file has it
    Agreement {
        /// Inputs for each function
        #[arg(long, default_value_t = 1_000)]
        runs: u64,
        /// Only crates with this text in their name; may be repeated
        #[arg(long, value_name = "TEXT")]
        only: Vec<String>,
        /// Seed of the random inputs
        #[arg(long, default_value_t = 20_111)]
        seed: u64,
        /// Keep builds here; in a temporary directory by default
        #[arg(long, value_name = "DIR")]
        target_dir: Option<PathBuf>,
        /// Show each function
        #[arg(short, long)]
        verbose: bool,
    },
    /// Each proof of equality against native random inputs
    Attack {
        /// Crates from a grammar of attacks, against verdicts of equality of every kind, instead of fixtures and published crates
        #[arg(long, conflicts_with_all = ["fixtures", "recorded", "real", "yardstick"])]
        generated: bool,
        #[command(flatten)]
        grammar: Grammar,
        /// Inputs for each proof
        #[arg(long, default_value_t = 10_000)]
        runs: u64,
        #[command(flatten)]
        common: Common,
    },
    /// Each function of ten published crates against itself: how many get a verdict, and why not the others
    Identity {
        /// Only crates with this text in their name; may be repeated
        #[arg(long, value_name = "TEXT")]
        only: Vec<String>,
        /// Keep builds here; in a temporary directory by default
        #[arg(long, value_name = "DIR")]
        target_dir: Option<PathBuf>,
        /// Write the table of those without a verdict to this file
        #[arg(long, value_name = "FILE")]
        table: Option<PathBuf>,
        /// Fail unless each crate comes out as the table in this file tells
        #[arg(long, value_name = "FILE", conflicts_with = "table")]
        check: Option<PathBuf>,
        /// Seconds for each function
        #[arg(long, value_name = "SECONDS", default_value_t = 10)]
        timeout: u64,
        /// Show each function
        #[arg(short, long)]
        verbose: bool,
    },
    /// Each function that may differ, searched with each solver that is built in: what each answers, and the share of proofs
    Solvers {
        #[command(flatten)]
        common: Common,
    },
    /// Three steps from release to release of each of the same crates: what is found, and whether all is confirmed
    Releases {
        /// Only crates with this text in their name; may be repeated
        #[arg(long, value_name = "TEXT")]
        only: Vec<String>,
        /// Keep builds here; in a temporary directory by default
        #[arg(long, value_name = "DIR")]
        target_dir: Option<PathBuf>,
        /// Show each function that differs or is not analysed
        #[arg(short, long)]
        verbose: bool,
    },
    /// Steps from release to release of libraries that nobody tuned for: how many functions are run and get a statement, and why not the others
    Survey {
        /// Only crates with this text in their name; may be repeated
        #[arg(long, value_name = "TEXT")]
        only: Vec<String>,
        /// Seconds for each comparison
        #[arg(long, value_name = "SECONDS", default_value_t = 60)]
        total_timeout: u64,
        /// Write the table to this file
        #[arg(long, value_name = "FILE")]
        table: Option<PathBuf>,
    },
    /// The releases of the survey and of the yardstick: what their functions lead to that has no meaning here
    Gaps {
        /// Only crates with this text in their name; may be repeated
        #[arg(long, value_name = "TEXT")]
        only: Vec<String>,
        /// Directories of further packages, each in a repository of its own
        #[arg(value_name = "DIR")]
        packages: Vec<PathBuf>,
        /// Rows of the table at most
        #[arg(long, value_name = "N", default_value_t = 100)]
        rows: usize,
        /// Keep builds here; in a temporary directory by default
        #[arg(long, value_name = "DIR")]
        target_dir: Option<PathBuf>,
    },
    /// One-operator mutants of published crates with tests: whether `affected-tests` names all tests that fail, and how many it names
    AffectedTests {
        /// Mutants of each crate, spread over its sources
        #[arg(long, default_value_t = 20)]
        count: usize,
        /// Only crates with this text in their name; may be repeated
        #[arg(long, value_name = "TEXT")]
        only: Vec<String>,
        /// Keep builds here; in a temporary directory by default
        #[arg(long, value_name = "DIR")]
        target_dir: Option<PathBuf>,
    },
    /// Merges of published crates that git makes without a conflict: whether those that interact are told, and no others
    Merges {
        /// Only merges with this text in their name or that of their crate; may be repeated
        #[arg(long, value_name = "TEXT")]
        only: Vec<String>,
        /// Keep builds here; in a temporary directory by default
        #[arg(long, value_name = "DIR")]
        target_dir: Option<PathBuf>,
    },
    /// One-operator mutants of the same crates: how many are found, and whether any is called equal wrongly
    Mutants {
        /// Mutants of each crate, spread over its sources
        #[arg(long, default_value_t = 20)]
        count: usize,
        /// Native inputs against each proof of equality
        #[arg(long, default_value_t = 10_000)]
        runs: u64,
        /// Only crates with this text in their name; may be repeated
        #[arg(long, value_name = "TEXT")]
        only: Vec<String>,
        /// Keep builds here; in a temporary directory by default
        #[arg(long, value_name = "DIR")]
        target_dir: Option<PathBuf>,
    },
}

/// What is generated.
#[derive(Args)]
struct Grammar {
    /// Crates to make
    #[arg(long, default_value_t = 300, requires = "generated")]
    crates: u64,
    /// The number of the first of them
    #[arg(long, default_value_t = 0, requires = "generated")]
    first: u64,
    /// Functions to judge in each, at least
    #[arg(long, default_value_t = 17, requires = "generated")]
    pairs_per_crate: usize,
    /// Only attacks of this class; may be repeated
    #[arg(long, value_name = "NAME", requires = "generated")]
    class: Vec<String>,
    /// Keep crates that were judged wrongly here
    #[arg(long, value_name = "DIR", requires = "generated")]
    keep: Option<PathBuf>,
    /// Seconds for each function
    #[arg(long, value_name = "SECONDS", default_value_t = 2, requires = "generated")]
    timeout: u64,
}

#[derive(Args)]
struct Common {
    /// The fixtures; these and the published crates are the default
    #[arg(long)]
    fixtures: bool,

    /// Crates with recorded output of Charon, read from that
    #[arg(long, conflicts_with_all = ["fixtures", "real", "yardstick"])]
    recorded: bool,
    /// The published crates of which two releases are compared in the tests
    #[arg(long)]
    real: bool,
    /// The latest releases of the yardstick's ten crates
    #[arg(long)]
    yardstick: bool,
    /// Only grounds with this text in their name; may be repeated
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
    /// Seed of the random inputs, another one than the command's
    #[arg(long, default_value_t = 20_111)]
    seed: u64,
    /// Keep builds here; in a temporary directory by default
    #[arg(long, value_name = "DIR")]
    target_dir: Option<PathBuf>,
    /// Show each function
    #[arg(short, long)]
    verbose: bool,
}

fn main() -> ExitCode {
    if let Some(code) = extract::run_as_wrapper_if_asked() {
        return code;
    }
    match run(Cli::parse().command) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Identity { only, target_dir, table, check, timeout, verbose } => {
            let goal = match (table, check) {
                (Some(file), _) => TableGoal::Write(file),
                (None, Some(file)) => TableGoal::Check(std::fs::read_to_string(&file)?),
                (None, None) => TableGoal::None,
            };
            let grounds = against_themselves(&only)?.into_iter();
            let grounds: Vec<Ground> = grounds.map(|ground| ground.with_timeout(timeout)).collect();
            identity(&grounds, target_dir, &goal, verbose)
        }
        Command::Solvers { common } => solvers(common),
        Command::Survey { only, total_timeout, table } => survey(&only, total_timeout, table),
        Command::Releases { only, target_dir, verbose } => releases(&only, target_dir, verbose),
        Command::Mutants { count, runs, only, target_dir } => {
            let campaign = Campaign { runs, seed: MUTANT_SEED };
            mutants(&only, target_dir, count, campaign)
        }
        Command::Conformance { runs, common } => {
            each(&common, runs, "mismatches", |ground, target, campaign| {
                let functions = ground.conformance(target.path(), campaign)?;
                if common.verbose {
                    for function in &functions {
                        println!(
                            "    {:?} {}: {} runs, {} panics, not run {:?}",
                            function.version, function.path, function.runs, function.panics, function.not_run
                        );
                    }
                }
                Ok((conformance_totals(&functions, runs), mismatches(&ground.name, &functions)))
            })
        }
        Command::Agreement { runs, only, seed, target_dir, verbose } => {
            let common = Common {
                recorded: true,
                fixtures: false,
                real: false,
                yardstick: false,
                only,
                seed,
                target_dir,
                verbose,
            };
            each(&common, runs, "partings", |ground, target, campaign| {
                let functions = ground.agreement(target.path(), campaign)?;
                if common.verbose {
                    for function in &functions {
                        println!(
                            "    {:?} {}: {} runs, {} panics, not run {:?}",
                            function.reading, function.path, function.runs, function.panics, function.not_run
                        );
                    }
                }
                let totals = agreement_totals(&ground.name, &functions, runs);
                Ok((totals, disagreements(&ground.name, &functions)))
            })
        }
        Command::Gaps { only, packages, rows, target_dir } => gaps(&only, &packages, rows, target_dir),
        Command::AffectedTests { count, only, target_dir } => affected_tests(count, &only, target_dir),
        Command::Merges { only, target_dir } => merges(&only, target_dir),
        Command::Attack { generated: true, grammar, common, .. } => attack_generated(grammar, common),
        Command::Attack { runs, common, .. } => {
            each(&common, runs, "wrong proofs", |ground, target, campaign| {
                let functions = ground.attack(target.path(), campaign)?;
                if common.verbose {
                    for function in &functions {
                        println!(
                            "    {:?} {}: {} runs, {} outside, not run {:?}",
                            function.proof, function.path, function.runs, function.outside, function.not_run
                        );
                    }
                }
                Ok((attack_totals(&functions, runs), falls(&ground.name, &functions)))
            })
        }
    }
}

/// Pairs of crates from the grammar of attacks; exit code 1 if any verdict is wrong, 2 if a crate could not be judged.
fn attack_generated(grammar: Grammar, common: Common) -> anyhow::Result<ExitCode> {
    let of_name = |name: &String| {
        let found = Class::ALL.into_iter().find(|class| class.name() == name);
        let names = Class::ALL.map(Class::name).join(", ");
        found.ok_or_else(|| anyhow::anyhow!("no class `{name}`; there are {names}"))
    };
    let mut classes = grammar.class.iter().map(of_name).collect::<anyhow::Result<Vec<Class>>>()?;
    if classes.is_empty() {
        classes = Class::ALL.to_vec();
    }
    let target = Target::new(common.target_dir)?;
    let table = attack_grammar::run(&attack_grammar::Settings {
        seed: common.seed,
        crates: grammar.first..grammar.first + grammar.crates,
        pairs_per_crate: grammar.pairs_per_crate,
        classes,
        keep: grammar.keep,
        product: binary().to_path_buf(),
        target: target.path().to_path_buf(),
        timeout: grammar.timeout,
        verbose: common.verbose,
    })?;
    print!("{}", table.text());
    Ok(match (table.all().wrong, table.not_compiled + table.no_report) {
        (0, 0) => ExitCode::SUCCESS,
        (0, _) => ExitCode::from(2),
        _ => ExitCode::from(1),
    })
}

/// What to do with the table of functions without a verdict.
enum TableGoal {
    Write(PathBuf),
    /// The table as it is.
    Check(String),
    None,
}

/// Compares each crate of the yardstick with itself and tells what that comes to.
fn identity(
    grounds: &[Ground],
    target_dir: Option<PathBuf>,
    goal: &TableGoal,
    verbose: bool,
) -> anyhow::Result<ExitCode> {
    let target = Target::new(target_dir)?;
    let mut totals = SelfTotals::default();
    let mut sections = Vec::new();
    let mut failed = false;
    println!(
        "{:20} {:>9} {:>7} {:>8} {:>12} {:>4}",
        "", "functions", "proved", "compared", "not analysed", "s"
    );
    let row = |name: &str, sum: &SelfTotals, seconds: u64| {
        let [proved, compared, not_analysed] =
            [SelfEnd::Proved, SelfEnd::Compared, SelfEnd::NotAnalysed].map(|end| sum.count(end));
        println!("{name:20} {:>9} {proved:>7} {compared:>8} {not_analysed:>12} {seconds:>4}", sum.functions);
    };
    let started = Instant::now();
    for ground in grounds {
        let begun = Instant::now();
        let verdicts = match ground.identity(target.path()) {
            Ok(verdicts) => verdicts,
            Err(error) => {
                println!("{:20} {error:#}", ground.name);
                failed = true;
                continue;
            }
        };
        let sum = SelfTotals::of(&verdicts);
        row(&ground.name, &sum, begun.elapsed().as_secs());
        for verdict in &verdicts {
            if verbose || verdict.end == SelfEnd::Differs {
                println!("    {:?} {}: {}", verdict.end, verdict.path, verdict.reasons.join("; "));
            }
        }
        totals.add(sum);
        let section = identity_table::section(&ground.name, &verdicts);
        if let TableGoal::Check(table) = goal {
            let told = identity_table::find(table, &ground.name).unwrap_or_default();
            if told.trim_end() != section.trim_end() {
                println!("the table tells\n\n{told}\nbut what happens is\n\n{section}");
                failed = true;
            }
        }
        sections.push(section);
    }
    row("all", &totals, started.elapsed().as_secs());
    let mut reasons: Vec<_> = totals.reasons.iter().collect();
    reasons.sort_by_key(|((end, _), count)| (*end, std::cmp::Reverse(**count)));
    println!("\nFunctions, end, what stands in the way of more:");
    for ((end, reason), count) in reasons {
        println!("{count:>6}  {end:?}: {reason}");
    }
    if let TableGoal::Write(file) = goal {
        std::fs::write(file, identity_table::table(&sections))?;
    }
    Ok(if totals.count(SelfEnd::Differs) == 0 && !failed { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Searches the grounds with each solver. That one proves equal what another finds to differ is a failure.
fn solvers(common: Common) -> anyhow::Result<ExitCode> {
    let grounds = grounds(&kinds(&common), &common.only)?;
    let target = Target::new(common.target_dir)?;
    let mut sums = Sums::default();
    let mut failed = false;
    println!("{:36} {:>9} {:>6}", "", "functions", "s");
    for ground in &grounds {
        let begun = Instant::now();
        match ground.solvers(target.path()) {
            Ok(functions) => {
                println!("{:36} {:>9} {:>6}", ground.name, functions.len(), begun.elapsed().as_secs());
                sums.add(&functions);
            }
            Err(error) => {
                println!("{:36} {error:#}", ground.name);
                failed = true;
            }
        }
    }
    print!("\n{}", sums.table());
    for path in &sums.contradictions {
        println!("`{path}` is proved equal and found to differ");
    }
    Ok(if failed || !sums.contradictions.is_empty() { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// Compares each release of the yardstick's crates with the next and tells what that comes to. A difference that no
/// native run showed is a failure.
fn releases(only: &[String], target_dir: Option<PathBuf>, verbose: bool) -> anyhow::Result<ExitCode> {
    let is_shown = |standing: &Standing| !matches!(standing, Standing::Added | Standing::Removed);
    let shown: Vec<Standing> = Standing::ALL.into_iter().filter(is_shown).collect();
    let grounds = steps(only)?;
    let target = Target::new(target_dir)?;
    let mut failed = false;
    print!("{:34}", "");
    shown.iter().for_each(|standing| print!(" {:>10.10}", format!("{standing:?}")));
    println!(" {:>5}", "s");
    for ground in &grounds {
        let begun = Instant::now();
        let reports = match ground.compare(target.path()) {
            Ok(reports) => reports,
            Err(error) => {
                println!("{:34} {error:#}", ground.name);
                failed = true;
                continue;
            }
        };
        let counts = Counts::of(reports.iter().map(FunctionReport::standing));
        print!("{:34}", ground.name);
        shown.iter().for_each(|standing| print!(" {:>10}", counts.get(*standing)));
        println!(" {:>5}", begun.elapsed().as_secs());
        match unconfirmed(&reports) {
            0 => {}
            functions => {
                println!("    in {functions} functions a difference was not seen natively");
                failed = true;
            }
        }
        for report in &reports {
            if verbose && report.standing() < Standing::EqualWithin {
                println!("    {:?} {}: {}", report.standing(), report.path, detail(report));
            }
        }
    }
    Ok(if failed { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// Compares the survey's steps and tells what that comes to. A difference that no native run showed is a failure.
fn survey(only: &[String], total_timeout: u64, table: Option<PathBuf>) -> anyhow::Result<ExitCode> {
    let is_wanted = |name: &str| only.is_empty() || only.iter().any(|text| name.contains(text.as_str()));
    let mut surveyed = Vec::new();
    let mut failed = false;
    for step in survey::STEPS.into_iter().filter(|(name, ..)| is_wanted(name)) {
        match survey::survey(&step, total_timeout) {
            Ok(found) => {
                let (changed, affected) = (found.changed, found.affected);
                println!("{step:?}: changed {changed:?}, affected {affected:?}, {:.0} s", found.seconds);
                failed |= found.unconfirmed > 0;
                surveyed.push((step, found));
            }
            Err(error) => {
                println!("{step:?}: {error:#}");
                failed = true;
            }
        }
    }
    let text = survey::table(&surveyed);
    println!("\n{text}");
    if let Some(file) = table {
        std::fs::write(file, text)?;
    }
    Ok(if failed { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// Tells what the functions of published crates, or of the packages in these directories, lead to that has no meaning.
fn gaps(
    only: &[String],
    packages: &[PathBuf],
    rows: usize,
    target_dir: Option<PathBuf>,
) -> anyhow::Result<ExitCode> {
    let target = Target::new(target_dir)?;
    let mut sum = gaps::Sum::default();
    let mut failed = false;
    let mut add = |name: &str, ground: anyhow::Result<Ground>| match ground
        .and_then(|ground| ground.gaps(target.path()))
    {
        Ok(found) => {
            println!("{name}: {} functions, {} gaps", found.functions, found.found.len());
            sum.add(name, found);
        }
        Err(error) => {
            println!("{name}: {error:#}");
            failed = true;
        }
    };
    if packages.is_empty() {
        for (name, version) in gaps::releases(only) {
            add(name, gaps::ground((name, version)));
        }
    }
    for directory in packages {
        add(&directory.to_string_lossy(), gaps::ground_of(directory));
    }
    println!("\n{}", sum.table(rows));
    Ok(if failed { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// What shows a difference, or keeps a verdict from being a proof.
fn detail(report: &FunctionReport) -> String {
    match &report.verdict {
        Verdict::NotAnalysed { reason } => reasons::not_analysed(reason),
        Verdict::NoDifferenceFound { ledger, .. } => {
            let entries: Vec<String> = ledger.entries().iter().map(wording::approximation).collect();
            entries.join("; ")
        }
        _ => report.witnesses().iter().map(|witness| report.call(witness)).collect::<Vec<_>>().join("; "),
    }
}

/// Another seed than the command's own runs.
const MUTANT_SEED: u64 = 20_111;

/// Judges mutants of each crate of the yardstick and tells what that comes to.
fn mutants(
    only: &[String],
    target_dir: Option<PathBuf>,
    count: usize,
    campaign: Campaign,
) -> anyhow::Result<ExitCode> {
    let target = Target::new(target_dir)?;
    let mut all: Vec<Judged> = Vec::new();
    for ground in &against_themselves(only)? {
        for placed in sample(ground.root(), count)? {
            let judged = judge(ground, &placed, target.path(), campaign)?;
            println!(
                "{:20} {:?} {}:{}: `{}` -> `{}`{} ({:.1} s)",
                ground.name,
                judged.end,
                placed.file,
                placed.mutant.line,
                placed.mutant.from,
                placed.mutant.to,
                if judged.unconfirmed > 0 { ", unconfirmed" } else { "" },
                judged.time.as_secs_f64()
            );
            all.push(judged);
        }
    }
    let number = |end: MutantEnd| all.iter().filter(|judged| judged.end == end).count();
    for end in MutantEnd::ALL {
        println!("{:>6}  {end:?}", number(end));
    }
    let (found, missed) = (number(MutantEnd::Found), number(MutantEnd::Missed));
    let not_confirmed = all.iter().filter(|judged| judged.unconfirmed > 0).count();
    let mut times: Vec<_> = all.iter().map(|judged| judged.time).collect();
    times.sort();
    println!(
        "\nmutants {}, found {found} of {} analysed and not proved equal, unconfirmed {not_confirmed}, median {:.1} s",
        all.len(),
        found + missed,
        times.get(times.len() / 2).map_or(0.0, |time| time.as_secs_f64())
    );
    Ok(if number(MutantEnd::WronglyEqual) == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// What is asked for, or else the default.
fn kinds(common: &Common) -> Vec<Grounds> {
    let asked = [
        (common.fixtures, Grounds::Fixtures),
        (common.real, Grounds::RealCrates),
        (common.yardstick, Grounds::Yardstick),
        (common.recorded, Grounds::Recorded),
    ];
    let kinds: Vec<Grounds> = asked.into_iter().filter(|(wanted, _)| *wanted).map(|(_, kind)| kind).collect();
    if kinds.is_empty() { vec![Grounds::Fixtures, Grounds::RealCrates] } else { kinds }
}

/// Runs the campaign on one ground after the other and tells what it comes to.
fn each(
    common: &Common,
    runs: u64,
    failures: &str,
    one: impl Fn(&Ground, &Target, Campaign) -> anyhow::Result<(Totals, String)>,
) -> anyhow::Result<ExitCode> {
    let grounds = grounds(&kinds(common), &common.only)?;
    anyhow::ensure!(!grounds.is_empty(), "nothing has {:?} in its name", common.only);
    let target = Target::new(common.target_dir.clone())?;
    let campaign = Campaign { runs, seed: common.seed };
    let started = Instant::now();
    let mut totals = Totals::default();
    let mut broken = 0;
    println!("{:36} {:>9} {:>9} {:>8} {:>6} {:>6}", "", "functions", "runs", "panics", "failed", "s");
    for ground in &grounds {
        let begun = Instant::now();
        match one(ground, &target, campaign) {
            Ok((sum, text)) => {
                println!(
                    "{:36} {:>9} {:>9} {:>8} {:>6} {:>6}",
                    ground.name,
                    sum.functions,
                    sum.runs,
                    sum.panics,
                    sum.failures,
                    begun.elapsed().as_secs()
                );
                print!("{text}");
                totals.add(&sum);
            }
            Err(error) => {
                broken += 1;
                println!("{:36} could not be run: {error:#}", ground.name);
            }
        }
    }
    if !totals.not_run.is_empty() {
        println!("\nNot run (functions, reason):");
        for (reason, functions) in &totals.not_run {
            println!("{functions:>6}  {reason}");
        }
    }
    let panics = match totals.panics {
        0 => String::new(),
        panics => format!(", of them panics {panics}"),
    };
    println!(
        "\nfunctions {} ({} with all runs), runs {}{panics}, {failures} {}, not run {broken}, {} s",
        totals.functions,
        totals.full,
        totals.runs,
        totals.failures,
        started.elapsed().as_secs()
    );
    Ok(match (totals.failures, broken) {
        (0, 0) => ExitCode::SUCCESS,
        (0, _) => ExitCode::from(2),
        _ => ExitCode::from(1),
    })
}

fn affected_tests(count: usize, only: &[String], target_dir: Option<PathBuf>) -> anyhow::Result<ExitCode> {
    let target = Target::new(target_dir)?;
    let (mut shares, mut mutants, mut killed, mut left_out) = (Vec::new(), 0, 0, 0);
    for mut tested in tested(only)? {
        println!("{}", tested.name);
        let folder = target.path().join(tested.name);
        let judged = tested.judge(count, &folder, &mut |selection| {
            let (placed, missing) = (&selection.placed, selection.left_out());
            println!(
                "  {}:{} `{}` -> `{}`: {} of {} tests named, {} fail ({:.1} s)",
                placed.file,
                placed.mutant.line,
                placed.mutant.from,
                placed.mutant.to,
                selection.affected.len(),
                selection.all,
                selection.failing.len(),
                selection.time.as_secs_f64()
            );
            for (binary, test) in missing {
                println!("    LEFT OUT: {binary} {test}");
            }
        })?;
        mutants += judged.len();
        killed += judged.iter().filter(|selection| !selection.failing.is_empty()).count();
        left_out += judged.iter().map(|selection| selection.left_out().len()).sum::<usize>();
        let own: Vec<f64> = judged.iter().map(regress_tests::selection::Selection::share).collect();
        println!("  median share named: {:.0} %", 100.0 * median(own.clone()).unwrap_or_default());
        shares.extend(own);
    }
    println!(
        "{mutants} mutants, {killed} of which make tests fail; {left_out} failing tests left out; median share named: {:.0} %",
        100.0 * median(shares).unwrap_or_default()
    );
    Ok(if left_out == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn merges(only: &[String], target_dir: Option<PathBuf>) -> anyhow::Result<ExitCode> {
    let target = Target::new(target_dir)?;
    let (mut told, mut interacting, mut missed, mut wrong) = (0, 0, 0, 0);
    println!("| merge | of | expected | told | both bear on | inputs | seconds | |");
    println!("|---|---|---|---|---|---|---|---|");
    for merge in MERGES.iter().filter(|merge| merge.is_wanted(only)) {
        let found = merge.judge(target.path())?;
        let expected = match merge.label {
            Label::Interacts(function) => format!("`{function}`"),
            Label::DoesNotBuild => "does not compile".to_owned(),
            Label::Clean => "nothing".to_owned(),
        };
        let shown: Vec<String> = match (found.broken, found.interactions.is_empty()) {
            (true, _) => vec!["does not compile".to_owned()],
            (false, true) => vec!["nothing".to_owned()],
            (false, false) => {
                let inner = found.interactions.iter().filter(|found| !found.is_outer);
                inner.map(|found| format!("`{}`", found.path)).collect()
            }
        };
        let end = match found.end() {
            End::AsExpected => "",
            End::Missed => "MISSED",
            End::False => "FALSE",
        };
        println!(
            "| {} | {} {} | {expected} | {} | {} | {} | {:.1} | {end} |",
            merge.name,
            merge.of.0,
            merge.of.1,
            shown.join(", "),
            found.functions,
            found.inputs,
            found.time.as_secs_f64()
        );
        if found.end() != End::AsExpected {
            for told in &found.interactions {
                println!("    {}: {}", told.path, told.call);
            }
        }
        let outer = found.interactions.iter().filter(|found| found.is_outer).count();
        if outer > 0 {
            println!("    and so do {outer} that may run these");
        }
        if found.apart > 0 {
            println!("    without expectation: {}", found.apart);
        }
        for (path, why) in &found.open {
            println!("    not judged: {path}: {why}");
        }
        let interacts = merge.label != Label::Clean;
        interacting += usize::from(interacts);
        told += usize::from(interacts && found.end() == End::AsExpected);
        missed += usize::from(found.end() == End::Missed);
        wrong += usize::from(found.end() == End::False);
    }
    println!("{told} of {interacting} interacting merges told, {wrong} of the others told wrongly");
    Ok(if missed + wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
