//! The frame of a run: arguments in, report and exit code out. What lies between (extraction, comparison) is given as a
//! function, so that the frame can be tested without it.

use std::ffi::OsString;
use std::io::Write;
use std::time::Instant;

use crate::args::{self, MessageFormat, Options};
use crate::error::Error;
use crate::progress::{self, Loudness, Progress};
use crate::report::human::{self, Style};
use crate::report::{FunctionReport, Report, Sources, exit_code, json};
use crate::versions::{self, Place, Versions};

/// The command could not be completed.
pub const INCOMPLETE: u8 = 101;

/// What an analysis yields: the report, and where its spans are to be read.
pub struct Analysed {
    pub report: Report,
    pub sources: Box<dyn Sources>,
}

/// Runs the command; what it returns is the exit code of the process.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    analyse: impl FnOnce(&Options, &Place, &Versions, &dyn Progress) -> anyhow::Result<Analysed>,
) -> u8 {
    let options = match args::parse(arguments) {
        Ok(options) => options,
        Err(error) => {
            // Nothing can be done if not even this can be printed.
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    anstream::ColorChoice::from(options.output.color).write_global();
    match complete(&options, analyse) {
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
    let mut out = anstream::stdout();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Error::Output)?;
    Ok(exit_code(report.functions.iter().map(FunctionReport::standing), options.output.fail_on))
}

fn loudness(options: &Options) -> Loudness {
    match (options.output.quiet, options.output.verbose) {
        (true, _) => Loudness::Quiet,
        (false, 0) => Loudness::Normal,
        (false, _) => Loudness::Verbose,
    }
}
