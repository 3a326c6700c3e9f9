//! The frame of a run: arguments in, report and exit code out. What lies between (extraction, comparison) is given as a
//! function, so that the frame can be tested without it.

use std::ffi::OsString;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::accepted;
use crate::args::{
    self, AcceptOptions, ExploreOptions, HookAction, LocalizeOptions, MessageFormat, Options, OutputArgs,
    Request,
};
use crate::clean::clean;
use crate::config;
use crate::delivery::{self, print, write_each};
use crate::error::Error;
use crate::hook::{self, Manage};
use crate::progress::{self, Loudness, Progress};
use crate::report::list::{self, Listing};
use crate::report::localize::{self, LocalizeReport};
use crate::report::signature::{self, Signature};
use crate::report::{FunctionReport, Report, Sources, exit_code};
use crate::setup;
use crate::stats::Stage;
use crate::versions::{self, Place, Versions};

/// Something was found that `--fail-on` asks for.
pub const FINDING: u8 = 100;
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

/// Finds out what differs between two versions.
pub type Analyse<'a> = dyn FnMut(&Options, &Place, &Versions, &dyn Progress) -> anyhow::Result<Analysed> + 'a;

/// Runs the command; what it returns is the exit code of the process.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    mut analyse: impl FnMut(&Options, &Place, &Versions, &dyn Progress) -> anyhow::Result<Analysed>,
    listed: impl FnOnce(&Options, &Place, &Versions, &dyn Progress) -> anyhow::Result<Listing>,
    explore: impl FnOnce(&ExploreOptions, &Place, &Versions, &dyn Progress) -> anyhow::Result<Signature>,
    localize: impl FnOnce(&LocalizeOptions, &Place, &Versions, &dyn Progress) -> anyhow::Result<Localized>,
) -> u8 {
    let request = match config::request(arguments.into_iter().collect()) {
        Ok(request) => request,
        Err(error) => return failed(error),
    };
    let color = match &request {
        Request::Compare(options) => options.output.color,
        Request::Explore(options) => options.output.color,
        Request::Localize(options) => options.output.color,
        Request::Accept(options) => options.output.color,
        Request::Merge(options) => options.output.color,
        Request::Hook(_)
        | Request::Config(_)
        | Request::Setup
        | Request::Completions(_)
        | Request::Man(_)
        | Request::Clean(_) => args::Color::Auto,
    };
    anstream::ColorChoice::from(color).write_global();
    let done = match request {
        Request::Compare(options) => match &options.artefacts.explain {
            Some(id) => delivery::explain(id),
            None if options.artefacts.list => complete_list(&options, listed).map(|()| 0),
            None => complete(*options, &mut analyse),
        },
        Request::Merge(options) => complete(options.options(), &mut analyse),
        Request::Explore(options) => complete_exploration(&options, explore).map(|()| 0),
        Request::Localize(options) => complete_localization(&options, localize),
        Request::Accept(options) => complete_acceptance(&options, &mut analyse).map(|()| 0),
        Request::Clean(options) => clean(&options).and_then(|text| print(&text)).map(|()| 0),
        Request::Setup => {
            let (text, code) = setup::look();
            print(&text).map(|()| code)
        }
        Request::Completions(options) => print(&setup::completions(options.shell)).map(|()| 0),
        Request::Man(options) => setup::write_pages(&options.directory).map(|()| 0).map_err(Error::from),
        Request::Config(options) => config::inspect(&options).and_then(|text| print(&text)).map(|()| 0),
        Request::Hook(options) => match &options.action {
            HookAction::Run(run) => hook::run(run, &mut analyse),
            HookAction::Install(place) => {
                hook::manage(Manage::Install { manifest_path: place.manifest.manifest_path.as_deref() })
            }
            HookAction::Uninstall => hook::manage(Manage::Uninstall),
            HookAction::Status => hook::manage(Manage::Status),
        },
    };
    done.unwrap_or_else(failed)
}

/// Says why; the exit code.
fn failed(error: Error) -> u8 {
    match error {
        Error::Output(error) if error.kind() == std::io::ErrorKind::BrokenPipe => INCOMPLETE,
        Error::Usage(error) => {
            // Nothing can be done if not even this can be printed.
            let _ = error.print();
            u8::try_from(error.exit_code()).unwrap_or(2)
        }
        error => {
            let _ = writeln!(anstream::stderr(), "\x1b[1;31merror\x1b[0m: {error}");
            INCOMPLETE
        }
    }
}

fn complete(mut options: Options, analyse: &mut Analyse<'_>) -> Result<u8, Error> {
    options.budget.start(Instant::now());
    let compared = compare(&options, analyse)?;
    delivery::deliver(&options, &compared.report, compared.sources.as_ref())?;
    Ok(code_of(&compared, &options.output))
}

/// Finds the versions and compares them. The time that the options allow has begun before.
pub fn compare(options: &Options, analyse: &mut Analyse<'_>) -> Result<Analysed, Error> {
    Ok(compare_at(options, analyse)?.0)
}

fn compare_at(options: &Options, analyse: &mut Analyse<'_>) -> Result<(Analysed, Place), Error> {
    let started = Instant::now();
    let progress = progress::for_stderr(loudness(options));
    let (place, versions) = compared(options, progress.as_ref())?;
    let laid_out = started.elapsed();
    let mut analysed = analyse(options, &place, &versions, progress.as_ref())?;
    // Files of Charon's have no sources, and so none in which anything is accepted.
    if options.frontend.files().is_none() {
        accepted::mark(&place, &versions, &mut analysed.report)?;
    }
    analysed.report.sort();
    analysed.report.duration = started.elapsed();
    analysed.report.stats.add(Stage::Versions, laid_out);
    Ok((analysed, place))
}

/// The versions that a comparison is of, laid out.
fn compared(options: &Options, progress: &dyn Progress) -> Result<(Place, Versions), Error> {
    if let Some((old, new)) = options.frontend.files() {
        return Ok(versions::of_files(old, new, options.build.target_dir.as_deref())?);
    }
    let place = versions::locate(options)?;
    let packages = &options.packages.workspace.package;
    let versions = versions::resolve(&place, &options.comparison, packages, progress)?;
    Ok((place, versions))
}

fn complete_list(
    options: &Options,
    listed: impl FnOnce(&Options, &Place, &Versions, &dyn Progress) -> anyhow::Result<Listing>,
) -> Result<(), Error> {
    let progress = progress::for_stderr(loudness(options));
    let (place, versions) = compared(options, progress.as_ref())?;
    let listing = listed(options, &place, &versions, progress.as_ref())?;
    // The bar goes before the report comes.
    drop(progress);
    write_each(&options.output.reports, |format, _| {
        Ok(match format {
            MessageFormat::Json => list::json(&listing)?,
            _ => list::human(&listing),
        })
    })
}

fn complete_acceptance(options: &AcceptOptions, analyse: &mut Analyse<'_>) -> Result<(), Error> {
    if options.frontend.files().is_some() {
        return Err(anyhow::anyhow!(
            "nothing runs natively with `--from-llbc`, so there is nothing to accept"
        )
        .into());
    }
    let (analysed, place) = compare_at(&options.options(), analyse)?;
    print(&accepted::command::accept(options, &place, &analysed.report)?)
}

/// 0, or [`FINDING`] if something was found that makes the command fail.
pub fn code_of(analysed: &Analysed, output: &OutputArgs) -> u8 {
    exit_code(analysed.report.functions.iter().map(FunctionReport::counts_as), output.fail_on)
}

fn complete_exploration(
    options: &ExploreOptions,
    explore: impl FnOnce(&ExploreOptions, &Place, &Versions, &dyn Progress) -> anyhow::Result<Signature>,
) -> Result<(), Error> {
    let common = options.options();
    let progress = progress::for_stderr(loudness(&common));
    let place = versions::locate(&common)?;
    let versions = versions::current(&place, &common.packages.workspace.package, progress.as_ref())?;
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
    let packages = &common.packages.workspace.package;
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

/// The source as rustfmt writes it; as it is where there is no rustfmt.
pub(crate) fn format_source(source: &str) -> anyhow::Result<String> {
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
