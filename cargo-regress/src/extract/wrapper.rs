//! The wrapper: this program, called by cargo in place of rustc.
//!
//! It runs what it was told to run, with lints capped (see [`with_capped_lints`]), and records the call if it compiles
//! a unit of this build. It prints nothing of its own unless it cannot do even that.

use std::ffi::OsString;
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Command, ExitCode, ExitStatus, Stdio};

use camino::{Utf8Path, Utf8PathBuf};
use mir_frontend::rustc::replay::{Call, Unit, classify, with_capped_lints};

use super::cache::write_json;
use super::error::ExtractError;
use super::record::{RecordedUnit, WRAPPER_VARIABLE, WrapperConfig, record_environment};

/// Exit code of a failed wrapper, the one that rustc uses for its own defects.
const FAILED: u8 = 101;

/// If cargo started this process as compiler wrapper, does that and returns the exit code. `main` calls it first.
pub fn run_as_wrapper_if_asked() -> Option<ExitCode> {
    let config_path = std::env::var_os(WRAPPER_VARIABLE)?;
    let call: Vec<OsString> = std::env::args_os().skip(1).collect();
    match run(config_path, call) {
        Ok(code) => Some(code),
        Err(message) => {
            eprintln!("cargo-regress as compiler wrapper: {message}");
            Some(ExitCode::from(FAILED))
        }
    }
}

fn run(config_path: OsString, call: Vec<OsString>) -> Result<ExitCode, String> {
    let config = read_config(config_path)?;
    let (called, arguments) = split_programs(call)?;
    let programs: Vec<OsString> = config.inner_wrapper.iter().map(OsString::from).chain(called).collect();
    // Cargo moves an over-long list into a file. Whatever cannot be read is passed on as it is, unrecorded; the
    // session notices that the record is missing.
    let prepared = match utf8(&arguments).map(expand_response_files) {
        Some(arguments) => prepare(&config, &programs, arguments).map_err(|error| error.to_string())?,
        None => Prepared { arguments, note: None },
    };
    let mut call = programs.into_iter().chain(prepared.arguments);
    let program = call.next().ok_or("called without a compiler")?;
    let mut command = Command::new(&program);
    command.args(call);
    let status = match prepared.note {
        Some(note) => status_noting(&mut command, &note),
        None => command.status(),
    };
    let status = status.map_err(|error| format!("cannot run {}: {error}", program.display()))?;
    // A compiler killed by a signal has no code.
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(FAILED)))
}

fn read_config(path: OsString) -> Result<WrapperConfig, String> {
    let path = Utf8PathBuf::try_from(std::path::PathBuf::from(path)).map_err(|error| error.to_string())?;
    let text = fs::read(&path).map_err(|error| format!("cannot read {path}: {error}"))?;
    serde_json::from_slice(&text).map_err(|error| format!("{path}: {error}"))
}

/// The programs to run (a workspace wrapper may stand before the compiler) and the arguments of the compiler.
///
/// Cargo's own calls begin with an option after the programs. Probes may not; they are run as they are either way.
fn split_programs(mut call: Vec<OsString>) -> Result<(Vec<OsString>, Vec<OsString>), String> {
    if call.is_empty() {
        return Err("called without a compiler".to_owned());
    }
    let is_option =
        |argument: &OsString| argument.as_encoded_bytes().first().is_some_and(|byte| b"-@".contains(byte));
    let programs = call.iter().skip(1).position(is_option).map_or(call.len(), |options| options + 1);
    let arguments = call.split_off(programs);
    Ok((call, arguments))
}

fn utf8(arguments: &[OsString]) -> Option<Vec<String>> {
    arguments.iter().map(|argument| argument.to_str().map(str::to_owned)).collect()
}

fn expand_response_files(arguments: Vec<String>) -> Vec<String> {
    let mut expanded = Vec::with_capacity(arguments.len());
    for argument in arguments {
        match argument.strip_prefix('@').and_then(|path| fs::read_to_string(path).ok()) {
            Some(text) => expanded.extend(text.lines().map(str::to_owned)),
            None => expanded.push(argument),
        }
    }
    expanded
}

/// How a call is run.
struct Prepared {
    arguments: Vec<OsString>,
    /// What is written once the compiler has accepted the crate.
    note: Option<Utf8PathBuf>,
}

/// Runs the compiler, hands its messages on, and writes the note when it says that it has written the metadata of the crate: then types
/// and borrows are checked, and code is generated.
fn status_noting(command: &mut Command, note: &Utf8Path) -> io::Result<ExitStatus> {
    let mut child = command.stderr(Stdio::piped()).spawn()?;
    let mut messages = BufReader::new(child.stderr.take().ok_or(io::ErrorKind::BrokenPipe)?);
    let mut line = Vec::new();
    while matches!(messages.read_until(b'\n', &mut line), Ok(1..)) {
        // If nobody listens any more, the compiler shall not notice.
        let _ = io::stderr().write_all(&line);
        if tells_of_metadata(&line) {
            // Without the note whoever waits for it waits for the end of the build.
            let _ = fs::write(note, "");
        }
        line.clear();
    }
    child.wait()
}

fn tells_of_metadata(line: &[u8]) -> bool {
    #[derive(serde::Deserialize)]
    struct Artifact {
        emit: String,
    }
    serde_json::from_slice::<Artifact>(line).is_ok_and(|artifact| artifact.emit == "metadata")
}

/// Records the call if it is a unit of this build; how it is to be run.
fn prepare(
    config: &WrapperConfig,
    programs: &[OsString],
    arguments: Vec<String>,
) -> Result<Prepared, ExtractError> {
    let mut note = None;
    let arguments = match classify(&arguments) {
        Call::Unit(unit) if Utf8Path::new(&unit.out_dir).starts_with(&config.target_dir) => {
            let mut adapted = with_capped_lints(&arguments);
            let directory = std::env::current_dir().ok().and_then(|path| Utf8PathBuf::try_from(path).ok());
            // A folder that is not UTF-8 is not below the root, which is: no unit of ours.
            let Some(directory) = directory else {
                return Ok(Prepared { arguments: strings(adapted), note });
            };
            if let (Some(linked), Some(rustc)) = (&config.linked, programs.last()) {
                let with = linked.arguments(rustc, &arguments, &directory)?;
                note = (!with.is_empty()).then(|| accepted_in(&config.units_dir));
                adapted.extend(with);
            }
            let before_rustc = programs.split_last().map_or(&[][..], |(_, wrappers)| wrappers);
            // Like a folder that is not UTF-8, such a wrapper leaves the call unrecorded.
            if let Some(wrappers) = utf8(before_rustc) {
                record(config, unit, wrappers, arguments, directory)?;
            }
            adapted
        }
        Call::Unit(_) | Call::Probe => arguments,
    };
    Ok(Prepared { arguments: strings(arguments), note })
}

/// The note that the compiler has accepted the crate that something is linked into, beside the records of a build.
pub fn accepted_in(units_dir: &Utf8Path) -> Utf8PathBuf {
    units_dir.join("accepted")
}

fn strings(arguments: Vec<String>) -> Vec<OsString> {
    arguments.into_iter().map(OsString::from).collect()
}

fn record(
    config: &WrapperConfig,
    unit: Unit,
    wrappers: Vec<String>,
    arguments: Vec<String>,
    directory: Utf8PathBuf,
) -> Result<(), ExtractError> {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let path = config.units_dir.join(format!("{}.json", unit.stem));
    let recorded = RecordedUnit {
        unit,
        wrappers,
        arguments,
        directory,
        environment: record_environment(&config.baseline, std::env::vars_os()),
        package_name: variable("CARGO_PKG_NAME"),
        package_version: variable("CARGO_PKG_VERSION"),
        manifest_dir: variable("CARGO_MANIFEST_DIR").into(),
    };
    write_json(&path, &recorded)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(call: &str, programs: &str, arguments: &str) {
        let list = |text: &str| text.split_whitespace().map(OsString::from).collect::<Vec<_>>();
        assert_eq!(split_programs(list(call)).unwrap(), (list(programs), list(arguments)), "{call}");
    }

    #[test]
    fn metadata_is_written_when_the_compiler_says_so() {
        let check =
            |line: &str, expected: bool| assert_eq!(tells_of_metadata(line.as_bytes()), expected, "{line}");
        check(r#"{"$message_type":"artifact","artifact":"/t/libk.rmeta","emit":"metadata"}"#, true);
        check(r#"{"$message_type":"artifact","artifact":"/t/k.d","emit":"dep-info"}"#, false);
        check(r#"{"$message_type":"diagnostic","message":"\"emit\":\"metadata\"","level":"error"}"#, false);
        check("warning: emit metadata", false);
    }

    #[test]
    #[cfg(unix)]
    fn messages_are_handed_on_and_the_note_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let note = Utf8Path::from_path(folder.path()).unwrap().join("accepted");
        let shell = |script: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            status_noting(&mut command, &note).unwrap().code()
        };
        assert_eq!((shell("exit 3"), note.is_file()), (Some(3), false));
        assert_eq!((shell(r#"echo '{"emit":"metadata"}' >&2"#), note.is_file()), (Some(0), true));
    }

    #[test]
    fn programs_before_the_options() {
        check("rustc -vV", "rustc", "-vV");
        check("clippy-driver rustc --crate-name a a.rs", "clippy-driver rustc", "--crate-name a a.rs");
        check("rustc @file", "rustc", "@file");
        check("rustc - --crate-name ___", "rustc", "- --crate-name ___");
        check("rustc", "rustc", "");
        assert!(split_programs(Vec::new()).is_err());
    }
}
