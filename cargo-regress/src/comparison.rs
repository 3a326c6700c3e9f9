//! One comparison of two versions, for all commands that make one.

use std::time::Instant;

use crate::accepted::Accepted;
use crate::args::{Options, OutputArgs};
use crate::error::Error;
use crate::progress::{self, Loudness, Progress};
use crate::report::{FunctionReport, Report, WithSources, exit_code};
use crate::stats::Stage;
use crate::versions::{self, Place, Versions};

/// Finds out what differs between two versions.
pub type Analyse<'a> =
    dyn FnMut(&Options, &Place, &Versions, &dyn Progress) -> anyhow::Result<WithSources<Report>> + 'a;

/// Finds the versions and compares them. The time that the options allow has begun before.
pub(crate) fn compare(
    options: &Options,
    analyse: &mut Analyse<'_>,
) -> Result<(WithSources<Report>, Place), Error> {
    let started = Instant::now();
    let progress = progress::for_stderr(loudness(options));
    let (place, versions) = compared(options, progress.as_ref())?;
    // Before the comparison, which may take long: a file that cannot be read is an error at once. Files of Charon's have no sources, and so
    // none in which anything is accepted.
    let accepted = match options.frontend.files() {
        None => Accepted::read(&place, &versions)?,
        Some(_) => Accepted::default(),
    };
    let laid_out = started.elapsed();
    let mut analysed = analyse(options, &place, &versions, progress.as_ref())?;
    accepted.mark(&mut analysed.report);
    if !options.parts.is_whole() {
        // Nothing is known of entries for functions that were not compared.
        let report = &mut analysed.report;
        report.stale.retain(|entry| report.functions.iter().any(|f| f.canonical == entry.function));
    }
    analysed.report.sort();
    analysed.report.duration = started.elapsed();
    analysed.report.stats.add(Stage::Versions, laid_out);
    Ok((analysed, place))
}

/// The versions that a comparison is of, laid out.
pub(crate) fn compared(options: &Options, progress: &dyn Progress) -> Result<(Place, Versions), Error> {
    if let Some((old, new)) = options.frontend.files() {
        return Ok(versions::of_files(old, new, options.build.target_dir.as_deref())?);
    }
    let place = versions::locate(options)?;
    let packages = &options.packages.workspace.package;
    let versions = versions::resolve(&place, &options.comparison, packages, progress)?;
    Ok((place, versions))
}

/// 0, or [`crate::exit::FINDING`] if something was found that makes the command fail.
pub(crate) fn code_of(analysed: &WithSources<Report>, output: &OutputArgs) -> u8 {
    exit_code(analysed.report.functions.iter().map(FunctionReport::counts_as), output.fail_on)
}

pub(crate) fn loudness(options: &Options) -> Loudness {
    match (options.output.quiet, options.output.verbose) {
        (true, _) => Loudness::Quiet,
        (false, 0) => Loudness::Normal,
        (false, _) => Loudness::Verbose,
    }
}
