//! Reports on their way out: to standard output, to files, to GitHub Actions.

use std::io::Write;

use camino::Utf8Path;

use crate::args::{Annotations, MessageFormat, Options, Reports};
use crate::emitted_crate;
use crate::error::Error;
use crate::report::human::{self, Style};
use crate::report::{
    EmittedTests, Finding, Report, Sources, cargo_json, github, html, json, junit, markdown, sarif, short,
};
use crate::rustfmt::format_source;
use crate::versions::Place;

/// Writes all that the options ask for of a comparison.
pub fn deliver(
    options: &Options,
    place: &Place,
    report: &Report,
    sources: &dyn Sources,
) -> Result<(), Error> {
    if let Some(directory) = &options.artefacts.html {
        write_file(&directory.join("index.html"), html::render(report, sources))?;
    }
    if let Some(directory) = &options.artefacts.emit_tests {
        write_tests(directory, &report.tests)?;
    }
    emitted_crate::write_all(options, &report.harness)?;
    write_each(&options.output.reports, |format, style| {
        Ok(match format {
            MessageFormat::Human => human::render(report, sources, style),
            MessageFormat::Short => short::render(report),
            MessageFormat::Json if options.artefacts.stats => json::render_with_stats(report)?,
            MessageFormat::Json => json::render(report)?,
            MessageFormat::CargoJson => {
                let workspace_root = place.workspace_root.as_deref();
                let at_hand = cargo_json::AtHand { workspace_root, packages: &place.packages };
                cargo_json::render(report, sources, at_hand, options.output.fail_on)?
            }
            MessageFormat::Sarif => sarif::render(report)?,
            MessageFormat::Junit => junit::render(report, options.output.fail_on),
            MessageFormat::Github => github::render(report),
            MessageFormat::Markdown => markdown::render(report),
        })
    })?;
    annotate(options, report)?;
    if options.artefacts.stats {
        // Nothing can be done if standard error is closed.
        let _ = write!(anstream::stderr(), "\n{}", report.stats.table(report.duration));
    }
    Ok(())
}

/// Writes what goes to files, then what goes to standard output, which so stays empty if a file cannot be written.
pub fn write_each(
    reports: &Reports,
    render: impl Fn(MessageFormat, Style) -> Result<String, Error>,
) -> Result<(), Error> {
    for request in &reports.requests {
        if let Some(path) = &request.path {
            write_file(path, render(request.format, Style::Plain)?)?;
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
        write_file(&directory.join(format!("{}.rs", tests.name)), format_source(&tests.text)?)?;
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

/// Prints what a kind of finding means; the exit code.
pub fn explain(id: &str) -> Result<u8, Error> {
    if let Some(finding) = Finding::named(id) {
        return print(finding.explanation()).map(|()| 0);
    }
    let known: Vec<String> =
        Finding::ALL.iter().map(|finding| format!("  {}  {}", finding.id(), finding.summary())).collect();
    let _ = writeln!(
        anstream::stderr(),
        "\x1b[1;31merror\x1b[0m: there is no kind of finding `{id}`; there are\n{}",
        known.join("\n")
    );
    Ok(2)
}

pub fn print(text: &str) -> Result<(), Error> {
    let mut out = anstream::stdout();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Error::Output)
}

/// For the person at the terminal, among what git or a CI service says.
pub fn say(text: &str) {
    // Nothing can be done if standard error is closed.
    let _ = writeln!(anstream::stderr(), "cargo regress: {text}");
}
