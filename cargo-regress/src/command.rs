//! The frame of a run: arguments in, report and exit code out. What lies between (extraction, comparison) is given as a
//! function, so that the frame can be tested without it.

use std::ffi::OsString;
use std::io::Write;
use std::time::Instant;

use crate::accepted;
use crate::args::{
    self, AcceptOptions, ExploreOptions, HookAction, HookName, LocalizeOptions, MessageFormat, Options,
    Request,
};
use crate::bisect::{self, Localizing};
use crate::ci;
use crate::clean::clean;
use crate::comparison::{Analyse, code_of, compare, compared, loudness};
use crate::config;
use crate::delivery::{self, print, write_each};
use crate::emitted_crate;
use crate::error::{self, Error};
use crate::exit::INCOMPLETE;
use crate::hook::{self, Manage};
use crate::progress::{self, Progress};
use crate::report::affected::AffectedTests;
use crate::report::bisect::{CommitStanding, Ends};
use crate::report::list::{self, Listing};
use crate::report::localize::{self, LocalizeReport};
use crate::report::merge::MergeReport;
use crate::report::signature::{self, Signature};
use crate::report::{Report, WithSources};
use crate::rustfmt::format_source;
use crate::serve;
use crate::setup;
use crate::supervised;
use crate::versions::{self, MergeVersions, Place, Versions};
use crate::watch;

/// Runs the command; what it returns is the exit code of the process.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    mut analyse: impl FnMut(&Options, &Place, &Versions, &dyn Progress) -> anyhow::Result<WithSources<Report>>,
    listed: impl FnOnce(&Options, &Place, &Versions, &dyn Progress) -> anyhow::Result<Listing>,
    explore: impl FnOnce(&ExploreOptions, &Place, &Versions, &dyn Progress) -> anyhow::Result<Signature>,
    localizing: Localizing<
        impl FnOnce(
            &LocalizeOptions,
            &Place,
            &Versions,
            &dyn Progress,
        ) -> anyhow::Result<WithSources<LocalizeReport>>,
        impl FnOnce(&LocalizeOptions, &Place, &Versions, &dyn Progress) -> anyhow::Result<Ends>,
        impl FnMut(
            &LocalizeOptions,
            &Place,
            (&Versions, &Versions),
            &dyn Progress,
        ) -> anyhow::Result<CommitStanding>,
    >,
    affected_tests: impl FnOnce(&Options, &Place, &Versions, &dyn Progress) -> anyhow::Result<AffectedTests>,
    judge_merge: impl FnOnce(&Options, &Place, &MergeVersions, &dyn Progress) -> anyhow::Result<MergeReport>,
) -> u8 {
    let arguments = supervised::under_supervision(arguments.into_iter().collect());
    let request = match config::request(arguments) {
        Ok(request) => request,
        Err(error) => return failed(error),
    };
    let color = match &request {
        Request::Compare(options) => options.output.color,
        Request::Explore(options) => options.output.color,
        Request::Localize(options) => options.output.color,
        Request::Bisect(options) => options.output.color,
        Request::AffectedTests(options) => options.color,
        Request::Accept(options) => options.output.color,
        Request::Merge(options) => options.output.color,
        Request::Ci(options) => options.output.color,
        Request::Serve(_)
        | Request::Watch(_)
        | Request::Hook(_)
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
            None if options.merged.asked().is_some() => crate::merge::complete(&options, judge_merge),
            None if options.artefacts.list => complete_list(&options, listed).map(|()| 0),
            None => complete(*options, &mut analyse),
        },
        Request::Merge(options) => match &options.artefacts.explain {
            Some(id) => delivery::explain(id),
            None if options.artefacts.list => complete_list(&options.options(), listed).map(|()| 0),
            None => complete(options.options(), &mut analyse),
        },
        Request::Ci(options) => match &options.artefacts.explain {
            Some(id) => delivery::explain(id),
            None => ci::comparison(&options).and_then(|options| match options {
                Some(options) if options.artefacts.list => complete_list(&options, listed).map(|()| 0),
                Some(options) => complete(options, &mut analyse),
                None => Ok(0),
            }),
        },
        Request::Explore(options) => complete_exploration(&options, explore).map(|()| 0),
        Request::Localize(options) => complete_localization(&options, localizing.localize),
        Request::Bisect(options) => bisect::complete(&options, localizing),
        Request::AffectedTests(options) => crate::affected::complete(&options, affected_tests),
        Request::Accept(options) => complete_acceptance(&options, &mut analyse).map(|()| 0),
        Request::Serve(options) => serve::complete(&options).map(|()| 0),
        Request::Watch(options) => watch::complete(&options).map(|()| 0),
        Request::Clean(options) => clean(&options).and_then(|text| print(&text)).map(|()| 0),
        Request::Setup => {
            let (text, code) = setup::look();
            print(&text).map(|()| code)
        }
        Request::Completions(options) => print(&setup::completions(options.shell)).map(|()| 0),
        Request::Man(options) => setup::write_pages(&options.directory).map(|()| 0).map_err(Error::from),
        Request::Config(options) => config::inspect(&options).and_then(|text| print(&text)).map(|()| 0),
        Request::Hook(options) => match &options.action {
            HookAction::Run(run) => match run.hook {
                HookName::PrePush => hook::run(run, &mut analyse),
                HookName::PostMerge => hook::run_after_merge(run, judge_merge),
            },
            HookAction::Install(place) => {
                let manifest_path = place.manifest.manifest_path.as_deref();
                hook::manage(place.choice.hook(), Manage::Install { manifest_path })
            }
            HookAction::Uninstall(choice) => hook::manage(choice.hook(), Manage::Uninstall),
            HookAction::Status(choice) => hook::manage(choice.hook(), Manage::Status),
        },
    };
    done.unwrap_or_else(failed)
}

/// Says why; the exit code.
fn failed(error: Error) -> u8 {
    match error {
        Error::Output(error) if error.kind() == std::io::ErrorKind::BrokenPipe => INCOMPLETE,
        Error::Usage(error) => match error.print() {
            // The help is what was asked for; of what is wrong nobody can be told then.
            Err(source) if error.exit_code() == 0 => failed(Error::Output(source)),
            _ => u8::try_from(error.exit_code()).unwrap_or(2),
        },
        error => {
            let _ = writeln!(anstream::stderr(), "\x1b[1;31merror\x1b[0m: {error}");
            if let Some(remedy) = error::remedy(&error) {
                let _ = writeln!(anstream::stderr(), "\x1b[1;36mhelp\x1b[0m: {remedy}");
            }
            INCOMPLETE
        }
    }
}

fn complete(mut options: Options, analyse: &mut Analyse<'_>) -> Result<u8, Error> {
    options.budget.start(Instant::now());
    emitted_crate::check(&options)?;
    let (compared, place) = compare(&options, analyse)?;
    delivery::deliver(&options, &place, &compared.report, compared.sources.as_ref())?;
    Ok(code_of(&compared, &options.output))
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
    let (analysed, place) = compare(&options.options(), analyse)?;
    print(&accepted::command::accept(options, &place, &analysed.report)?)
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
    localize: impl FnOnce(
        &LocalizeOptions,
        &Place,
        &Versions,
        &dyn Progress,
    ) -> anyhow::Result<WithSources<LocalizeReport>>,
) -> Result<u8, Error> {
    let started = Instant::now();
    let common = options.options();
    let progress = progress::for_stderr(loudness(&common));
    let place = versions::locate(&common)?;
    let packages = &common.packages.workspace.package;
    let versions = versions::resolve(&place, &common.comparison, packages, progress.as_ref())?;
    let WithSources { mut report, sources } = localize(options, &place, &versions, progress.as_ref())?;
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
