//! `cargo regress affected-tests`: the tests that a change can affect, printed or run.

use std::io::Write;
use std::process::Command;
use std::time::Instant;

use crate::args::{AffectedFormat, AffectedTestsOptions, Options, Runner};
use crate::comparison::{compared, loudness};
use crate::delivery::print;
use crate::error::Error;
use crate::exit::INCOMPLETE;
use crate::extract::TestTargetKind;
use crate::progress::{self, Progress};
use crate::report::affected::{self, AffectedTests, BinaryOfTests, Chosen};
use crate::versions::{self, Place, Versions};

/// Finds the tests, prints them, and runs them if that is asked for; the exit code.
pub fn complete(
    options: &AffectedTestsOptions,
    find: impl FnOnce(&Options, &Place, &Versions, &dyn Progress) -> anyhow::Result<AffectedTests>,
) -> Result<u8, Error> {
    let mut common = options.options();
    if common.frontend.files().is_some() {
        return Err(anyhow::anyhow!("`--from-llbc` has no sources, and so no tests").into());
    }
    common.budget.start(Instant::now());
    let progress = progress::for_stderr(loudness(&common));
    let (place, versions) = compared(&common, progress.as_ref())?;
    if options.run.is_some() {
        let current = versions::current(&place, &common.packages.workspace.package, progress.as_ref())?;
        if current.new.tree_key != versions.new.tree_key {
            let message = "`--run` runs the tests of the working tree, and the new version is another one";
            return Err(anyhow::anyhow!("{message}; leave it out, or name only the old version").into());
        }
    }
    let report = find(&common, &place, &versions, progress.as_ref())?;
    drop(progress);
    if !options.quiet {
        // Nothing can be done if standard error is closed.
        let mut said = anstream::stderr();
        let notes = report.notes.iter().map(|note| format!("note: {note}\n"));
        let _ = writeln!(said, "{}{}", notes.collect::<String>(), report.summary());
    }
    match (options.message_format, options.run) {
        (None, Some(_)) => {}
        (Some(AffectedFormat::Names) | None, _) => print(&affected::names(&report))?,
        (Some(AffectedFormat::Nextest), _) => print(&(affected::nextest(&report) + "\n"))?,
        (Some(AffectedFormat::Json), _) => print(&affected::json(&report)?)?,
    }
    match options.run {
        Some(runner) => run(options, &place, &report, runner),
        None => Ok(0),
    }
}

/// Runs the tests one binary after the other, whether or not those before pass. The exit code is the first that is not 0.
fn run(
    options: &AffectedTestsOptions,
    place: &Place,
    report: &AffectedTests,
    runner: Runner,
) -> Result<u8, Error> {
    let mut commands = Vec::new();
    let is_of_nextest =
        |binary: &&BinaryOfTests| runner == Runner::Nextest && binary.kind != TestTargetKind::Documentation;
    if report.binaries.iter().filter(is_of_nextest).any(|binary| binary.chosen() != Chosen::Nothing) {
        let mut words = vec!["nextest", "run"].into_iter().map(str::to_owned).collect::<Vec<_>>();
        words.extend(build_arguments(options, runner));
        words.extend(["-E".to_owned(), affected::nextest(report)]);
        commands.push(words);
    }
    for binary in report.binaries.iter().filter(|binary| !is_of_nextest(binary)) {
        let names = match binary.chosen() {
            Chosen::Nothing => continue,
            Chosen::Everything => Vec::new(),
            Chosen::Named(names) => names,
        };
        let mut words = vec!["test".to_owned()];
        words.extend(build_arguments(options, Runner::Cargo));
        words.extend(binary.target_arguments().into_iter().map(str::to_owned));
        if !names.is_empty() {
            words.extend(["--", "--exact"].map(str::to_owned));
            words.extend(names.into_iter().map(str::to_owned));
        }
        commands.push(words);
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut code = 0;
    for words in commands {
        let status = Command::new(&cargo).args(&words).current_dir(place.start.directory()).status();
        let status = status.map_err(|error| anyhow::anyhow!("cannot run cargo: {error}"))?;
        let this = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(INCOMPLETE);
        code = if code == 0 { this } else { code };
    }
    Ok(code)
}

/// What the user said of how the package is built.
fn build_arguments(options: &AffectedTestsOptions, runner: Runner) -> Vec<String> {
    let (build, features) = (&options.build, &options.packages.features);
    let release = match runner {
        Runner::Cargo => "--release",
        Runner::Nextest => "--cargo-profile=release",
    };
    let flags = [
        (build.release, release),
        (build.locked, "--locked"),
        (build.offline, "--offline"),
        (build.frozen, "--frozen"),
        (features.all_features, "--all-features"),
        (features.no_default_features, "--no-default-features"),
    ];
    let mut words: Vec<String> =
        flags.into_iter().filter(|(is_given, _)| *is_given).map(|(_, flag)| flag.to_owned()).collect();
    if !features.features.is_empty() {
        words.push(format!("--features={}", features.features.join(",")));
    }
    if let Some(jobs) = build.jobs {
        words.push(format!("--jobs={jobs}"));
    }
    words
}
