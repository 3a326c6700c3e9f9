//! The ten subjects explored by relevant slice conditions and by paths: what either costs, whether they agree, how fast the
//! executor is. Exit code 1 if they disagree, or if a condition was missed where both finished.

use std::path::PathBuf;
use std::process::ExitCode;

use cargo_regress::extract;
use clap::Parser;
use regress_core::explore::{Completeness, Effort};
use regress_tests::campaign::Target;
use regress_tests::contrast::{
    FIXED, SUBJECTS, answers_row, coverage, explore_subjects, gains, gains_head, gains_row, head, plot,
    read_subjects, row, short, speed_row,
};

#[derive(Parser)]
#[command(about = "Exploration by relevant slice conditions against exploration by paths, on ten subjects")]
struct Cli {
    /// Seconds for each exploration
    #[arg(long, default_value_t = 60)]
    timeout: u64,
    /// Take panics for outcomes; by default checks are taken to hold, as the papers do
    #[arg(long)]
    panics: bool,
    /// Only subjects with this text in their name; may be repeated
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
    /// Also explore with each economy left out, to show what it gains
    #[arg(long)]
    gains: bool,
    /// Write the plots here
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
    /// Keep builds here; in a temporary directory by default
    #[arg(long, value_name = "DIR")]
    target_dir: Option<PathBuf>,
}

fn main() -> ExitCode {
    if let Some(code) = extract::run_as_wrapper_if_asked() {
        return code;
    }
    match run(&Cli::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(cli: &Cli) -> anyhow::Result<ExitCode> {
    let target = Target::new(cli.target_dir.clone())?;
    let mut words = vec![format!("--timeout={}", cli.timeout)];
    if !cli.panics {
        words.push("--assume-no-panic".into());
    }
    if let Some(plots) = &cli.plots {
        std::fs::create_dir_all(plots)?;
    }
    let wanted = |path: &str| cli.only.is_empty() || cli.only.iter().any(|text| path.contains(text.as_str()));
    let paths: Vec<&str> = SUBJECTS.into_iter().filter(|path| wanted(path)).chain([FIXED]).collect();
    let mut efforts: Vec<(String, Effort)> = Vec::new();
    let mut failures = Vec::new();
    println!("{}", head());
    explore_subjects(target.path(), &paths, &words, |contrast| {
        let name = short(&contrast.path).to_owned();
        if name == FIXED {
            efforts.push((format!("{name} (no terms)"), contrast.rsc.effort.clone()));
            return;
        }
        println!("{}", row(contrast));
        efforts.push((format!("{name} rsc"), contrast.rsc.effort.clone()));
        efforts.push((format!("{name} dart"), contrast.dart.effort.clone()));
        let finished = |completeness| completeness != Completeness::Partial;
        if finished(contrast.rsc.completeness)
            && finished(contrast.dart.completeness)
            && coverage(contrast) < 100.0
        {
            failures.push(format!("{name}: a condition was missed"));
        }
        let against = contrast.agreement.iter().flat_map(|agreement| &agreement.disagreements);
        failures.extend(against.map(|disagreement| format!("{name}: {disagreement:?}")));
        if let Some(plots) = &cli.plots {
            let file = plots.join(format!("{}.svg", name.replace("::", "_")));
            if let Err(error) = std::fs::write(&file, plot(contrast)) {
                failures.push(format!("{}: {error}", file.display()));
            }
        }
    })?;
    println!(
        "\n{:34} {:>9} {:>12} {:>12} {:>12} {:>10}",
        "", "steps", "steps/s", "executing", "solving", "in Z3"
    );
    for (name, effort) in &efforts {
        println!("{}", speed_row(name, effort));
    }
    println!(
        "\n{:34} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "answered by",
        "questions",
        "folding",
        "cache",
        "models",
        "intervals",
        "values",
        "guesses",
        "Z3",
        "ms longest"
    );
    for (name, effort) in &efforts {
        println!("{}", answers_row(name, effort));
    }
    if cli.gains {
        let subjects: Vec<&str> = paths.into_iter().filter(|path| *path != FIXED).collect();
        let costs = gains(&read_subjects(target.path(), &subjects, &words)?)?;
        println!("\n{}", gains_head());
        for cost in &costs {
            println!("{}", gains_row(cost, &costs[0]));
        }
    }
    for failure in &failures {
        println!("{failure}");
    }
    Ok(if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
