//! Replaying one recorded call so that it prints what we want to know.

use std::fs;
use std::process::{Command, Stdio};

use camino::{Utf8Path, Utf8PathBuf};
use mir_frontend::rustc::replay::{MirView, mir_arguments, rustdoc_arguments};
use rayon::prelude::*;

use super::cfg_doc::is_another_for_doc;
use super::error::ExtractError;
use super::record::{RecordedEnvironment, RecordedUnit, SESSION_VARIABLES};
use super::request::{DumpFile, Spans};
use super::toolchain::Toolchain;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View {
    Mir(MirView),
    Rustdoc,
}

/// What is dumped of every crate.
fn eager_views(spans: Spans) -> [View; 5] {
    let bodies = match spans {
        Spans::Included => MirView::Bodies,
        Spans::Left => MirView::PlainBodies,
    };
    let expanded = [MirView::Expanded, MirView::ExpandedForDoc].map(View::Mir);
    [View::Rustdoc, View::Mir(bodies), View::Mir(MirView::Graphs), expanded[0], expanded[1]]
}

impl View {
    pub(super) fn extension(self) -> &'static str {
        match self {
            View::Mir(MirView::Bodies) => "spans.mir",
            View::Mir(MirView::PlainBodies) => "mir",
            View::Mir(MirView::Graphs) => "cfg",
            View::Mir(MirView::Stable) => "smir",
            View::Mir(MirView::Expanded) => "expanded.rs",
            View::Mir(MirView::ExpandedForDoc) => "expanded-for-doc.rs",
            View::Rustdoc => "rustdoc.json",
        }
    }
}

/// What is needed to compile a crate once more.
pub(super) struct Replay<'a> {
    pub crate_name: &'a str,
    /// Start of the names of the files.
    pub stem: &'a str,
    pub wrappers: &'a [String],
    pub arguments: &'a [String],
    pub directory: &'a Utf8Path,
    pub environment: &'a RecordedEnvironment,
    pub spans: Spans,
}

impl<'a> Replay<'a> {
    pub(super) fn new(recorded: &'a RecordedUnit, spans: Spans) -> Replay<'a> {
        Replay {
            crate_name: &recorded.unit.crate_name,
            stem: &recorded.unit.stem,
            wrappers: &recorded.wrappers,
            arguments: &recorded.arguments,
            directory: &recorded.directory,
            environment: &recorded.environment,
            spans,
        }
    }
}

/// The dumps of one crate, in the order of the fields of a `CrateDumpFiles`.
pub(super) struct EagerDumps {
    pub mir: DumpFile,
    pub cfg: DumpFile,
    pub rustdoc: DumpFile,
    pub expanded: DumpFile,
    /// Whether `rustdoc` may be of another program than the others.
    pub asks_for_doc: bool,
}

/// Writes these dumps of each crate into `folder`, all at once as far as the processor allows.
pub(super) fn dump_all(
    replays: &[Replay<'_>],
    toolchain: &Toolchain,
    folder: &Utf8Path,
) -> Result<Vec<EagerDumps>, ExtractError> {
    let tasks: Vec<(&Replay<'_>, View)> =
        replays.iter().flat_map(|replay| eager_views(replay.spans).map(|view| (replay, view))).collect();
    let dumps: Vec<DumpFile> = tasks
        .par_iter()
        .map(|(replay, view)| dump(replay, *view, toolchain, folder))
        .collect::<Result<_, _>>()?;
    let of_crates = dumps.par_chunks(eager_views(Spans::Left).len());
    let eager = of_crates.map(|dumps| {
        let [rustdoc, mir, cfg, expanded, for_doc] = dumps else { unreachable!("a dump for each view") };
        let asks_for_doc = is_another_for_doc(expanded, for_doc)?;
        let [rustdoc, mir, cfg, expanded] = [rustdoc, mir, cfg, expanded].map(DumpFile::clone);
        Ok(EagerDumps { mir, cfg, rustdoc, expanded, asks_for_doc })
    });
    eager.collect()
}

/// Writes one view of a crate into `folder`. A compiler that refuses is no error here: the reason becomes the dump.
pub(super) fn dump(
    replay: &Replay<'_>,
    view: View,
    toolchain: &Toolchain,
    folder: &Utf8Path,
) -> Result<DumpFile, ExtractError> {
    let destination = folder.join(format!("{}.{}", replay.stem, view.extension()));
    // rustdoc wants a folder of its own; rustc is given a file there, so that both can be renamed when complete.
    let scratch = folder.join(format!(".{}.{}.tmp", replay.stem, view.extension()));
    super::cache::remove_folder(&scratch)?;
    fs::create_dir_all(&scratch).map_err(ExtractError::file("create", &scratch))?;
    let result = if let [first, ..] = replay.environment.unreadable.as_slice() {
        Err(format!("the environment variable {first} of the call is not UTF-8"))
    } else {
        run(replay, view, toolchain, &scratch)
    };
    let outcome = match result {
        Ok(written) => {
            fs::rename(&written, &destination).map_err(ExtractError::file("rename", &written))?;
            DumpFile::Written(destination)
        }
        Err(message) => {
            let report = Utf8PathBuf::from(format!("{destination}.err"));
            super::cache::write_atomically(&report, message.as_bytes())?;
            DumpFile::Failed { report, summary: first_error(&message) }
        }
    };
    super::cache::remove_folder(&scratch)?;
    Ok(outcome)
}

/// Runs the compiler; the file it wrote, or all it said.
fn run(
    replay: &Replay<'_>,
    view: View,
    toolchain: &Toolchain,
    scratch: &Utf8Path,
) -> Result<Utf8PathBuf, String> {
    let (program, arguments, written) = match view {
        View::Mir(view) => {
            let written = scratch.join("dump");
            (&toolchain.rustc, mir_arguments(replay.arguments, view, written.as_str()), written)
        }
        View::Rustdoc => {
            let written = scratch.join(format!("{}.json", replay.crate_name));
            (&toolchain.rustdoc, rustdoc_arguments(replay.arguments, scratch.as_str()), written)
        }
    };
    let wrappers = match view {
        // Cargo runs rustdoc by itself. What it is told must be what the build is, so this view shows what rustdoc sees.
        View::Rustdoc | View::Mir(MirView::ExpandedForDoc) => &[],
        View::Mir(_) => replay.wrappers,
    };
    let mut programs = wrappers.iter().map(String::as_str).chain([program.as_str()]);
    let mut command = Command::new(programs.next().unwrap_or(program.as_str()));
    command.args(programs).args(&arguments).current_dir(replay.directory).stdin(Stdio::null());
    for name in SESSION_VARIABLES.iter().copied().chain(replay.environment.removed.iter().map(String::as_str))
    {
        command.env_remove(name);
    }
    // The dumps are unstable features. Only this process may know: build scripts that look for a nightly compiler
    // would compile another program.
    command.envs(&replay.environment.set).env("RUSTC_BOOTSTRAP", "1");
    let said = |outcome: String, stderr: &[u8]| {
        let stderr = String::from_utf8_lossy(stderr);
        format!("{outcome}\ncommand: {program} {}\nin: {}\n\n{stderr}", arguments.join(" "), replay.directory)
    };
    let output = command.output().map_err(|error| said(format!("cannot run {program}: {error}"), &[]))?;
    if !output.status.success() {
        return Err(said(format!("{program} failed ({})", output.status), &output.stderr));
    }
    if !written.is_file() {
        return Err(said(format!("{program} ended well but wrote no {written}"), &output.stderr));
    }
    Ok(written)
}

/// The first line of a report that says what went wrong.
fn first_error(report: &str) -> String {
    let error = report.lines().find(|line| line.starts_with("error") || line.contains("panicked at"));
    error.or_else(|| report.lines().next()).unwrap_or_default().to_owned()
}
