//! The frame of a run: arguments in, report and exit code out. What lies between (extraction, comparison) is given as a
//! function, so that the frame can be tested without it.

use std::ffi::OsString;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Instant;

use camino::Utf8Path;

use crate::args::{
    self, Annotations, ExploreOptions, LocalizeOptions, MessageFormat, Options, Reports, Request,
};
use crate::error::Error;
use crate::progress::{self, Loudness, Progress};
use crate::report::human::{self, Style};
use crate::report::list::{self, Listing};
use crate::report::localize::{self, LocalizeReport};
use crate::report::signature::{self, Signature};
use crate::report::{
    EmittedTests, Finding, FunctionReport, Report, Sources, exit_code, github, html, json, junit, markdown,
    sarif, short,
};
use crate::stats::Stage;
use crate::versions::{self, Place, Versions};

/// The command could not be completed.
pub const INCOMPLETE: u8 = 101;

/// What an analysis yields: the report, and where its spans are to be read.
pub struct Analysed {
    pub report: Report,
    pub sources: Box<dyn Sources>,
}

/// What localizing yields, and where its lines are to be read.
pub struct Localized {
    pub report: LocalizeReport,
    pub sources: Box<dyn Sources>,
}

/// Runs the command; what it returns is the exit code of the process.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    analyse: impl FnOnce(&Options, &Place, &Versions, &dyn Progress) -> anyhow::Result<Analysed>,
    listed: impl FnOnce(&Options, &Place, &Versions, &dyn Progress) -> anyhow::Result<Listing>,
    explore: impl FnOnce(&ExploreOptions, &Place, &Versions, &dyn Progress) -> anyhow::Result<Signature>,
    localize: impl FnOnce(&LocalizeOptions, &Place, &Versions, &dyn Progress) -> anyhow::Result<Localized>,
) -> u8 {
    let request = match args::request(arguments) {
        Ok(request) => request,
        Err(error) => {
            // Nothing can be done if not even this can be printed.
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    if let Request::Compare(options) = &request
        && let Some(id) = &options.artefacts.explain
    {
        return explain(id);
    }
    let output = match &request {
        Request::Compare(options) => &options.output,
        Request::Explore(options) => &options.output,
        Request::Localize(options) => &options.output,
    };
    anstream::ColorChoice::from(output.color).write_global();
    let done = match &request {
        Request::Compare(options) if options.artefacts.list => complete_list(options, listed).map(|()| 0),
        Request::Compare(options) => complete(options, analyse),
        Request::Explore(options) => complete_exploration(options, explore).map(|()| 0),
        Request::Localize(options) => complete_localization(options, localize),
    };
    match done {
        Ok(code) => code,
        Err(Error::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => INCOMPLETE,
        Err(error) => {
            let _ = writeln!(anstream::stderr(), "\x1b[1;31merror\x1b[0m: {error}");
            INCOMPLETE
        }
    }
}

fn complete(
    options: &Options,
    analyse: impl FnOnce(&Options, &Place, &Versions, &dyn Progress) -> anyhow::Result<Analysed>,
) -> Result<u8, Error> {
    let started = Instant::now();
    let progress = progress::for_stderr(loudness(options));
    let (place, versions) = compared(options, progress.as_ref())?;
    let laid_out = started.elapsed();
    let Analysed { mut report, sources } = analyse(options, &place, &versions, progress.as_ref())?;
    report.sort();
    report.duration = started.elapsed();
    report.stats.add(Stage::Versions, laid_out);
    // The bar goes before the report comes.
    drop(progress);
    write_reports(options, &report, sources.as_ref())?;
    annotate(options, &report)?;
    if options.artefacts.stats {
        let _ = write!(anstream::stderr(), "\n{}", report.stats.table(report.duration));
    }
    Ok(exit_code(report.functions.iter().map(FunctionReport::standing), options.output.fail_on))
}

/// The versions that a comparison is of, laid out.
fn compared(options: &Options, progress: &dyn Progress) -> Result<(Place, Versions), Error> {
    if let Some((old, new)) = options.frontend.files() {
        return Ok(versions::of_files(old, new, options.build.target_dir.as_deref())?);
    }
    let place = versions::locate(options)?;
    let versions = versions::resolve(&place, &options.comparison, &options.workspace.package, progress)?;
    Ok((place, versions))
}

fn complete_list(
    options: &Options,
    listed: impl FnOnce(&Options, &Place, &Versions, &dyn Progress) -> anyhow::Result<Listing>,
) -> Result<(), Error> {
    let progress = progress::for_stderr(loudness(options));
    let (place, versions) = compared(options, progress.as_ref())?;
    let listing = listed(options, &place, &versions, progress.as_ref())?;
    drop(progress);
    write_each(&options.output.reports, |format, _| {
        Ok(match format {
            MessageFormat::Json => list::json(&listing)?,
            _ => list::human(&listing),
        })
    })
}

fn write_reports(options: &Options, report: &Report, sources: &dyn Sources) -> Result<(), Error> {
    if let Some(directory) = &options.artefacts.html {
        write_file(&directory.join("index.html"), html::render(report, sources))?;
    }
    if let Some(directory) = &options.artefacts.emit_tests {
        write_tests(directory, &report.tests)?;
    }
    write_each(&options.output.reports, |format, style| {
        Ok(match format {
            MessageFormat::Human => human::render(report, sources, style),
            MessageFormat::Short => short::render(report),
            MessageFormat::Json if options.artefacts.stats => json::render_with_stats(report)?,
            MessageFormat::Json => json::render(report)?,
            MessageFormat::Sarif => sarif::render(report)?,
            MessageFormat::Junit => junit::render(report, options.output.fail_on),
            MessageFormat::Github => github::render(report),
            MessageFormat::Markdown => markdown::render(report),
        })
    })
}

/// Writes what goes to files, then what goes to standard output, which so stays empty if a file cannot be written.
fn write_each(
    reports: &Reports,
    render: impl Fn(MessageFormat, Style) -> Result<String, Error>,
) -> Result<(), Error> {
    for request in &reports.requests {
        if let Some(path) = &request.path {
            write_file(path, &render(request.format, Style::Plain)?)?;
        }
    }
    match reports.on_stdout() {
        Some(format) => print(&render(format, Style::Colored)?),
        None => Ok(()),
    }
}

/// Writes a file of tests for each function, and inputs for fuzzers.
fn write_tests(directory: &Utf8Path, all: &[EmittedTests]) -> Result<(), Error> {
    for tests in all {
        write_file(&directory.join(format!("{}.rs", tests.name)), &format_source(&tests.text)?)?;
        for (index, input) in tests.corpus.iter().enumerate() {
            let entry = directory.join("corpus").join(&tests.name).join(format!("witness-{}", index + 1));
            write_file(&entry, input)?;
        }
    }
    Ok(())
}

/// Writes a file, with the directories that it is to lie in.
fn write_file(path: &Utf8Path, content: impl AsRef<[u8]>) -> Result<(), Error> {
    let written = match path.parent().filter(|parent| !parent.as_str().is_empty()) {
        Some(parent) => std::fs::create_dir_all(parent),
        None => Ok(()),
    };
    written
        .and_then(|()| std::fs::write(path, content))
        .map_err(|error| anyhow::anyhow!("{path} cannot be written: {error}").into())
}

/// What GitHub Actions shows where it runs this: annotations among a report for people, which nothing parses, and a summary.
fn annotate(options: &Options, report: &Report) -> Result<(), Error> {
    let is_github = std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true");
    if !is_github || options.artefacts.annotations == Annotations::Never {
        return Ok(());
    }
    let requests = &options.output.reports.requests;
    let is_asked_for = requests.iter().any(|request| request.format == MessageFormat::Github);
    let is_for_people =
        matches!(options.output.reports.on_stdout(), Some(MessageFormat::Human | MessageFormat::Short));
    if is_for_people && !is_asked_for {
        print(&github::render(report))?;
    }
    if let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()) {
        let file = std::fs::OpenOptions::new().append(true).create(true).open(&path);
        let written = file.and_then(|mut file| file.write_all(markdown::render(report).as_bytes()));
        if let Err(error) = written {
            // The comparison is done and told; a summary that is missing does not undo it.
            let path = path.display();
            let _ = writeln!(anstream::stderr(), "warning: the summary cannot be written to {path}: {error}");
        }
    }
    Ok(())
}

/// Prints what a kind of finding means.
fn explain(id: &str) -> u8 {
    if let Some(finding) = Finding::named(id) {
        return match print(finding.explanation()) {
            Ok(()) => 0,
            Err(_) => INCOMPLETE,
        };
    }
    let known: Vec<String> =
        Finding::ALL.iter().map(|finding| format!("  {}  {}", finding.id(), finding.summary())).collect();
    let _ = writeln!(
        anstream::stderr(),
        "\x1b[1;31merror\x1b[0m: there is no kind of finding `{id}`; there are\n{}",
        known.join("\n")
    );
    2
}

fn complete_exploration(
    options: &ExploreOptions,
    explore: impl FnOnce(&ExploreOptions, &Place, &Versions, &dyn Progress) -> anyhow::Result<Signature>,
) -> Result<(), Error> {
    let common = options.options();
    let progress = progress::for_stderr(loudness(&common));
    let place = versions::locate(&common)?;
    let versions = versions::current(&place, &common.workspace.package, progress.as_ref())?;
    let signature = explore(options, &place, &versions, progress.as_ref())?;
    drop(progress);
    match options.emit_tests.as_deref() {
        Some(file) if file == "-" => return print(&tests_text(&signature)?),
        Some(file) => {
            let text = tests_text(&signature)?;
            std::fs::write(file, text)
                .map_err(|error| anyhow::anyhow!("the tests cannot be written to {file}: {error}"))?;
        }
        None => {}
    }
    write_each(&options.output.reports, |format, _| {
        Ok(match format {
            MessageFormat::Json => signature::json(&signature)?,
            _ => signature::human(&signature),
        })
    })
}

fn complete_localization(
    options: &LocalizeOptions,
    localize: impl FnOnce(&LocalizeOptions, &Place, &Versions, &dyn Progress) -> anyhow::Result<Localized>,
) -> Result<u8, Error> {
    let started = Instant::now();
    let common = options.options();
    let progress = progress::for_stderr(loudness(&common));
    let place = versions::locate(&common)?;
    let packages = &common.workspace.package;
    let versions = versions::resolve(&place, &common.comparison, packages, progress.as_ref())?;
    let Localized { mut report, sources } = localize(options, &place, &versions, progress.as_ref())?;
    report.duration = started.elapsed();
    drop(progress);
    write_each(&options.output.reports, |format, style| {
        Ok(match format {
            MessageFormat::Json => localize::json(&report)?,
            _ => localize::human(&report, sources.as_ref(), style),
        })
    })?;
    Ok(report.exit_code())
}

fn tests_text(signature: &Signature) -> Result<String, Error> {
    Ok(format_source(&signature.tests)?)
}

fn print(text: &str) -> Result<(), Error> {
    let mut out = anstream::stdout();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Error::Output)
}

/// The source as rustfmt writes it; as it is where there is no rustfmt.
fn format_source(source: &str) -> anyhow::Result<String> {
    let child = Command::new("rustfmt")
        .args(["--edition", "2024", "--emit", "stdout"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = child else { return Ok(source.to_owned()) };
    if let Some(mut input) = child.stdin.take() {
        // A rustfmt that does not read to the end says so by its exit code.
        let _ = input.write_all(source.as_bytes());
    }
    let done = child.wait_with_output()?;
    let formatted =
        String::from_utf8(done.stdout).ok().filter(|text| done.status.success() && !text.is_empty());
    Ok(formatted.unwrap_or_else(|| source.to_owned()))
}

fn loudness(options: &Options) -> Loudness {
    match (options.output.quiet, options.output.verbose) {
        (true, _) => Loudness::Quiet,
        (false, 0) => Loudness::Normal,
        (false, _) => Loudness::Verbose,
    }
}
