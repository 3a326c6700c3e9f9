//! The frame of a run: arguments in, report and exit code out. What lies between (extraction, comparison) is given as a
//! function, so that the frame can be tested without it.

use std::ffi::OsString;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::args::{self, ExploreOptions, LocalizeOptions, MessageFormat, Options, Request};
use crate::error::Error;
use crate::progress::{self, Loudness, Progress};
use crate::report::human::{self, Style};
use crate::report::localize::{self, LocalizeReport};
use crate::report::signature::{self, Signature};
use crate::report::{FunctionReport, Report, Sources, exit_code, json};
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
    let output = match &request {
        Request::Compare(options) => &options.output,
        Request::Explore(options) => &options.output,
        Request::Localize(options) => &options.output,
    };
    anstream::ColorChoice::from(output.color).write_global();
    let done = match &request {
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
    let (place, versions) = match options.frontend.files() {
        Some((old, new)) => versions::of_files(old, new, options.build.target_dir.as_deref())?,
        None => {
            let place = versions::locate(options)?;
            let packages = &options.workspace.package;
            let versions = versions::resolve(&place, &options.comparison, packages, progress.as_ref())?;
            (place, versions)
        }
    };
    let Analysed { mut report, sources } = analyse(options, &place, &versions, progress.as_ref())?;
    report.sort();
    report.duration = started.elapsed();
    // The bar goes before the report comes.
    drop(progress);
    let text = match options.output.message_format {
        MessageFormat::Human => human::render(&report, sources.as_ref(), Style::Colored),
        MessageFormat::Json => json::render(&report)?,
    };
    print(&text)?;
    Ok(exit_code(report.functions.iter().map(FunctionReport::standing), options.output.fail_on))
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
    print(&match options.output.message_format {
        MessageFormat::Human => signature::human(&signature),
        MessageFormat::Json => signature::json(&signature)?,
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
    if let Some(file) = options.emit_test.as_deref() {
        let text = format_source(&localize::tests(&report))?;
        if file == "-" {
            print(&text)?;
            return Ok(report.exit_code());
        }
        std::fs::write(file, text)
            .map_err(|error| anyhow::anyhow!("the tests cannot be written to {file}: {error}"))?;
    }
    print(&match options.output.message_format {
        MessageFormat::Human => localize::human(&report, sources.as_ref(), Style::Colored),
        MessageFormat::Json => localize::json(&report)?,
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
