//! Selecting packages, and running `cargo check` with the wrapper in place.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;

use camino::{Utf8Path, Utf8PathBuf};
use cargo_metadata::{Metadata, Package, Target};

use super::cache::write_json;
use super::error::ExtractError;
use super::linked::LinkedCrate;
use super::messages::{Messages, read_messages};
use super::record::{WRAPPER_VARIABLE, WrapperConfig, baseline_of};
use super::request::{
    BaseFeatures, ExtractRequest, LockPolicy, PackageChoice, Profile, Targets, TestTargetKind,
};
use crate::progress::Progress;
use crate::standing::Standing;

/// A package whose targets are wanted.
#[derive(Clone, Debug)]
pub(super) struct SelectedPackage {
    pub id: String,
    pub name: String,
    pub targets: Vec<SelectedTarget>,
    pub tested: Vec<TestedTarget>,
}

/// A target that `cargo test` runs.
#[derive(Clone, Debug)]
pub(super) struct TestedTarget {
    pub name: String,
    pub kind: TestTargetKind,
    pub source: Utf8PathBuf,
    pub required_features: Vec<String>,
}

#[derive(Clone, Debug)]
pub(super) struct SelectedTarget {
    pub name: String,
    pub kind: SelectedKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SelectedKind {
    Library,
    ProcMacro,
    Binary { required_features: Vec<String> },
}

/// The packages that the request means, and which of their targets can be dumped.
pub(super) fn select_packages(request: &ExtractRequest) -> Result<Vec<SelectedPackage>, ExtractError> {
    let metadata = read_metadata(request)?;
    let packages: Vec<SelectedPackage> = choose(request, &metadata)?.into_iter().map(read_package).collect();
    if packages.iter().all(|package| package.targets.is_empty()) {
        let names: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
        return Err(ExtractError::NoTargets { label: request.label.clone(), packages: names.join(", ") });
    }
    Ok(packages)
}

fn read_metadata(request: &ExtractRequest) -> Result<Metadata, ExtractError> {
    let cargo = &request.toolchain.cargo;
    let mut command = cargo_command(request, "metadata");
    command.args(["--format-version=1", "--no-deps"]);
    let output = command.output().map_err(|source| ExtractError::Spawn { program: cargo.clone(), source })?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(ExtractError::CargoFailed { label: request.label.clone(), message });
    }
    serde_json::from_slice(&output.stdout).map_err(|error| ExtractError::UnknownCargoOutput {
        label: request.label.clone(),
        message: error.to_string(),
    })
}

fn choose<'a>(request: &ExtractRequest, metadata: &'a Metadata) -> Result<Vec<&'a Package>, ExtractError> {
    let members = metadata.workspace_packages();
    let absent = |spec: &String| {
        let mut names: Vec<&str> = members.iter().map(|package| package.name.as_str()).collect();
        names.sort_unstable();
        let available = names.join(", ");
        ExtractError::NoSuchPackage { label: request.label.clone(), spec: spec.clone(), available }
    };
    match &request.selection.packages {
        PackageChoice::Default => Ok(metadata.workspace_default_packages()),
        PackageChoice::Named(specs) => {
            if let Some(spec) =
                specs.iter().find(|spec| !members.iter().any(|package| matches_spec(package, spec)))
            {
                return Err(absent(spec));
            }
            let wanted = |package: &&Package| specs.iter().any(|spec| matches_spec(package, spec));
            Ok(members.into_iter().filter(wanted).collect())
        }
        PackageChoice::Workspace { exclude } => Ok(members
            .into_iter()
            .filter(|package| !exclude.iter().any(|spec| matches_spec(package, spec)))
            .collect()),
    }
}

/// Does `spec`, in one of the forms that cargo takes for `--package`, mean this package?
fn matches_spec(package: &Package, spec: &str) -> bool {
    let id = &package.id.repr;
    if *id == spec || id.split_once('+').is_some_and(|(_, url)| url == spec) {
        return true;
    }
    let version = package.version.to_string();
    let (name, wanted_version) = match spec.split_once('@').or_else(|| spec.split_once(':')) {
        Some((name, wanted)) => (name, Some(wanted)),
        None => (spec, None),
    };
    // `1` and `1.2` are short for any version that begins so.
    let version_fits = wanted_version.is_none_or(|wanted| {
        version == wanted || version.strip_prefix(wanted).is_some_and(|rest| rest.starts_with('.'))
    });
    version_fits && matches_pattern(package.name.as_str().as_bytes(), name.as_bytes())
}

/// `*` stands for any characters, `?` for one.
fn matches_pattern(name: &[u8], pattern: &[u8]) -> bool {
    match (pattern, name) {
        ([], []) => true,
        ([b'*', rest @ ..], _) => {
            matches_pattern(name, rest)
                || name.split_first().is_some_and(|(_, name)| matches_pattern(name, pattern))
        }
        ([b'?', rest @ ..], [_, name @ ..]) => matches_pattern(name, rest),
        ([wanted, rest @ ..], [first, name @ ..]) => wanted == first && matches_pattern(name, rest),
        _ => false,
    }
}

fn read_package(package: &Package) -> SelectedPackage {
    SelectedPackage {
        id: package.id.repr.clone(),
        name: package.name.to_string(),
        targets: package.targets.iter().filter_map(read_target).collect(),
        tested: {
            let tested = package.targets.iter().filter(|target| target.test).filter_map(read_tested);
            let documented = package.targets.iter().filter(|target| target.doctest && target.is_lib());
            let documented = documented.filter_map(read_tested);
            tested
                .chain(
                    documented.map(|target| TestedTarget { kind: TestTargetKind::Documentation, ..target }),
                )
                .collect()
        },
    }
}

fn read_target(target: &Target) -> Option<SelectedTarget> {
    use cargo_metadata::TargetKind as Kind;
    let library =
        |kind: &Kind| matches!(kind, Kind::Lib | Kind::RLib | Kind::DyLib | Kind::CDyLib | Kind::StaticLib);
    let kind = if target.kind.contains(&Kind::ProcMacro) {
        SelectedKind::ProcMacro
    } else if target.kind.iter().any(library) {
        SelectedKind::Library
    } else if target.kind.contains(&Kind::Bin) {
        SelectedKind::Binary { required_features: target.required_features.clone() }
    } else {
        return None;
    };
    Some(SelectedTarget { name: target.name.clone(), kind })
}

fn read_tested(target: &Target) -> Option<TestedTarget> {
    use cargo_metadata::TargetKind as Kind;
    let kind = match target.kind.first()? {
        Kind::Bin => TestTargetKind::Binary,
        Kind::Test => TestTargetKind::Integration,
        Kind::Example => TestTargetKind::Example,
        Kind::Bench => TestTargetKind::Benchmark,
        Kind::CustomBuild => return None,
        _ => TestTargetKind::Library,
    };
    let (name, source) = (target.name.clone(), target.src_path.clone());
    Some(TestedTarget { name, kind, source, required_features: target.required_features.clone() })
}

/// Runs `cargo check` on the libraries and binaries of `packages`; what it compiled, or why it could not.
pub(super) fn check(
    request: &ExtractRequest,
    packages: &[SelectedPackage],
    units_dir: &Utf8Path,
    progress: &dyn Progress,
) -> Result<Messages, ExtractError> {
    let recording = recording(&request.wrapper_program, units_dir, &request.target_dir, None)?;
    let mut command = cargo_command(request, "check");
    match request.selection.targets {
        Targets::Program => add_targets(&mut command, packages),
        Targets::Tests => {
            command.arg("--tests");
        }
    }
    command
        .args(["--message-format=json", "--color=never", "--target-dir"])
        .arg(&request.target_dir)
        .envs(recording)
        .env("RUSTC", &request.toolchain.rustc)
        // A build directory set by the user's configuration could be shared by both versions.
        .env("CARGO_BUILD_BUILD_DIR", &request.target_dir)
        // Only pays when the same target is compiled again and again.
        .env("CARGO_INCREMENTAL", "0");
    let result = run(request, command, progress);
    // Of no use after the session.
    let _ = fs::remove_file(units_dir.join(SESSION));
    let (status, messages, stderr) = result?;
    if status.success() {
        return Ok(messages);
    }
    let label = request.label.clone();
    if messages.errors.is_empty() {
        Err(ExtractError::CargoFailed { label, message: stderr.trim().to_owned() })
    } else {
        Err(ExtractError::DoesNotCompile {
            label,
            diagnostics: messages.errors.concat().trim_end().to_owned(),
        })
    }
}

/// What makes cargo's calls of the compiler in `target_dir` go through the wrapper, which records them in `units_dir` and links in what is to be.
pub fn recording(
    wrapper_program: &Utf8Path,
    units_dir: &Utf8Path,
    target_dir: &Utf8Path,
    linked: Option<LinkedCrate>,
) -> Result<[(String, String); 2], ExtractError> {
    fs::create_dir_all(units_dir).map_err(ExtractError::file("create", units_dir))?;
    let session = units_dir.join(SESSION);
    write_json(&session, &wrapper_config(target_dir, units_dir, linked))?;
    Ok([
        (WRAPPER_VARIABLE.to_owned(), session.into_string()),
        ("RUSTC_WRAPPER".to_owned(), wrapper_program.to_string()),
    ])
}

/// One name for all sessions, of which the lock of the target directory admits one at a time.
const SESSION: &str = "session";

fn wrapper_config(target_dir: &Utf8Path, units_dir: &Utf8Path, linked: Option<LinkedCrate>) -> WrapperConfig {
    let inner =
        ["RUSTC_WRAPPER", "CARGO_BUILD_RUSTC_WRAPPER"].iter().find_map(|name| std::env::var(name).ok());
    WrapperConfig {
        units_dir: units_dir.to_owned(),
        target_dir: target_dir.to_owned(),
        linked,
        inner_wrapper: inner.filter(|wrapper| !wrapper.is_empty()),
        baseline: baseline_of(std::env::vars_os()),
    }
}

/// `cargo COMMAND` with what all commands share.
fn cargo_command(request: &ExtractRequest, subcommand: &str) -> Command {
    let mut command = Command::new(&request.toolchain.cargo);
    let directory = request.manifest_path.parent().unwrap_or(&request.root);
    command.arg(subcommand).stdin(Stdio::null());
    let standing = Standing::of(&request.root, directory, request.above.as_deref());
    standing.apply(&mut command);
    if standing.hands_files_over() {
        command.arg("--config").arg(format!("build.build-dir={:?}", request.target_dir.as_str()));
    }
    command.arg("--manifest-path").arg(&request.manifest_path);
    command.args(match request.lock {
        LockPolicy::Free => None,
        LockPolicy::Locked => Some("--locked"),
        LockPolicy::Offline => Some("--offline"),
        LockPolicy::Frozen => Some("--frozen"),
    });
    let features = &request.selection.features;
    command.args(match features.base {
        BaseFeatures::Default => None,
        BaseFeatures::None => Some("--no-default-features"),
        BaseFeatures::All => Some("--all-features"),
    });
    if !features.named.is_empty() {
        command.arg("--features").arg(features.named.join(","));
    }
    if subcommand == "check" {
        add_check_options(&mut command, request);
    }
    command
}

fn add_check_options(command: &mut Command, request: &ExtractRequest) {
    match &request.selection.packages {
        PackageChoice::Default => {}
        PackageChoice::Named(specs) => {
            command.args(specs.iter().flat_map(|spec| ["--package", spec]));
        }
        PackageChoice::Workspace { exclude } => {
            command.arg("--workspace").args(exclude.iter().flat_map(|spec| ["--exclude", spec]));
        }
    }
    if request.selection.profile == Profile::Release {
        command.arg("--release");
    }
    if let Some(jobs) = request.jobs {
        command.arg("--jobs").arg(jobs.to_string());
    }
}

/// Cargo rejects `--lib` where no package has a library.
fn add_targets(command: &mut Command, packages: &[SelectedPackage]) {
    let mut kinds = packages.iter().flat_map(|package| &package.targets).map(|target| &target.kind);
    if kinds.clone().any(|kind| !matches!(kind, SelectedKind::Binary { .. })) {
        command.arg("--lib");
    }
    if kinds.any(|kind| matches!(kind, SelectedKind::Binary { .. })) {
        command.arg("--bins");
    }
}

/// Runs cargo: its exit status, its messages, and what it said to the user.
fn run(
    request: &ExtractRequest,
    mut command: Command,
    progress: &dyn Progress,
) -> Result<(ExitStatus, Messages, String), ExtractError> {
    let program = request.toolchain.cargo.clone();
    let spawn_error = |source| ExtractError::Spawn { program: program.clone(), source };
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(spawn_error)?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let (messages, said) = thread::scope(|scope| {
        let listener = scope.spawn(|| {
            let mut said = String::new();
            for line in stderr
                .into_iter()
                .flat_map(|stderr| BufReader::new(stderr).split(b'\n'))
                .map_while(Result::ok)
            {
                let line = String::from_utf8_lossy(&line).into_owned();
                if is_status_line(&line) {
                    progress.step(&format!("{}: {}", request.label, line.trim()));
                } else {
                    said.push_str(&line);
                    said.push('\n');
                }
            }
            said
        });
        let messages =
            stdout.map_or_else(|| Ok(Messages::default()), |stdout| read_messages(BufReader::new(stdout)));
        (messages, listener.join().unwrap_or_default())
    });
    let status = child.wait().map_err(spawn_error)?;
    let messages = messages
        .map_err(|message| ExtractError::UnknownCargoOutput { label: request.label.clone(), message })?;
    Ok((status, messages, said))
}

/// Cargo says what it does with a verb set flush right in twelve columns: `   Compiling x v1.0.0`.
fn is_status_line(line: &str) -> bool {
    let text = line.trim_start_matches(' ');
    let verb = text.split(' ').next().unwrap_or_default();
    line.len() - text.len() + verb.len() == 12 && verb.starts_with(|first: char| first.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        let check = |name: &str, pattern: &str, expected: bool| {
            assert_eq!(matches_pattern(name.as_bytes(), pattern.as_bytes()), expected, "{name} {pattern}");
        };
        check("serde", "serde", true);
        check("serde", "serd", false);
        check("serde", "serde_", false);
        check("serde-derive", "serde*", true);
        check("serde", "s?rde", true);
        check("srde", "s?rde", false);
        check("a-b-c", "*b*", true);
        check("", "*", true);
    }

    #[test]
    fn status_lines() {
        assert!(is_status_line("   Compiling a v0.1.0 (/x)"));
        assert!(is_status_line("    Checking a v0.1.0 (/x)"));
        assert!(!is_status_line("error: no such command"));
        assert!(!is_status_line("  failed to parse"));
        assert!(!is_status_line("  Some text of a build script"));
        assert!(!is_status_line(""));
    }
}
