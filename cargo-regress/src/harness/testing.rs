//! The tests of a version: built in a copy, run one at a time. Examples in documentation are built as they are run:
//! [`examples`].

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, Stdio};
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use cargo_metadata::Message;
use cargo_metadata::diagnostic::{Diagnostic, DiagnosticLevel};

use super::build::{cargo_tests, manifests};
use super::commands::{Kill, output_within};
use super::examples::{self, Example};
use super::foreign::source_in;
use super::instrument::WORKER_FILE;
use super::manifest::DevDependencies;
use super::request::{HarnessError, HarnessRequest};
use super::tree;

/// What a program of tests was made of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TestBinary {
    /// The tests within the library.
    Library,
    /// Those within a binary.
    Binary(String),
    /// A file under `tests/`.
    Integration(String),
}

/// A test that can be run on either version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    Compiled {
        binary: TestBinary,
        name: String,
    },
    /// In the documentation, where it has this name in the new version.
    Example {
        name: String,
        example: Example,
    },
}

impl Test {
    pub fn name(&self) -> &str {
        match self {
            Test::Compiled { name, .. } | Test::Example { name, .. } => name,
        }
    }
}

#[derive(Debug, Default)]
pub struct BuiltTests {
    pub programs: BTreeMap<TestBinary, Utf8PathBuf>,
    pub errors: Vec<Diagnostic>,
    /// In cargo's words, if it did not get as far as compiling.
    pub refused: String,
}

/// How the run of one test ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TestEnd {
    Passed,
    /// With what it wrote last, and the file and line of the panic.
    Failed {
        message: String,
        place: Option<(String, u32)>,
    },
    Hung,
    /// There is no such test, or it is ignored.
    Absent,
}

/// Makes a copy of the version in which its tests can be built, with some files replaced or added. Paths are relative to the
/// root of the source tree.
pub fn lay_out(
    request: &HarnessRequest,
    replaced: &BTreeMap<Utf8PathBuf, String>,
) -> Result<Utf8PathBuf, HarnessError> {
    let tree = tree::list(&request.source_root, &request.out_dir)?;
    let mut files = manifests(request, &tree, DevDependencies::Keep)?;
    // The manifests name a worker, which nobody starts here.
    let beside = request.root_file.parent().map(Utf8Path::to_owned).unwrap_or_default();
    files.insert(request.workspace_dir.join(beside).join(WORKER_FILE), "fn main() {}\n".to_owned());
    files.extend(replaced.iter().map(|(path, text)| (path.clone(), text.clone())));
    let copy = source_in(&request.out_dir);
    tree::write(&request.source_root, &copy, &tree, &files)?;
    Ok(copy)
}

/// Makes a copy of a source tree with some files replaced or added.
pub fn lay_mixture(
    source_root: &Utf8Path,
    to: &Utf8Path,
    replaced: &BTreeMap<Utf8PathBuf, String>,
) -> Result<(), HarnessError> {
    let tree = tree::list(source_root, to)?;
    tree::write(source_root, to, &tree, replaced)
}

/// The texts below a directory of a source tree, by path relative to its root.
pub fn texts_below(
    root: &Utf8Path,
    directory: &Utf8Path,
) -> Result<BTreeMap<Utf8PathBuf, String>, HarnessError> {
    let tree = tree::list(root, Utf8Path::new(""))?;
    let below = tree.files.into_iter().filter(|path| path.starts_with(directory));
    Ok(below
        .filter_map(|path| Some((path.clone(), std::fs::read_to_string(root.join(&path)).ok()?)))
        .collect())
}

/// Builds all test programs of the package that can be built.
pub fn build(request: &HarnessRequest, copy: &Utf8Path) -> Result<BuiltTests, HarnessError> {
    build_programs(request, copy, &["build", "--tests", "--keep-going"], &[])
}

/// Builds what one test needs.
pub fn build_one(request: &HarnessRequest, copy: &Utf8Path, test: &Test) -> Result<BuiltTests, HarnessError> {
    let target = match test {
        Test::Compiled { binary: TestBinary::Library, .. } => vec!["--lib"],
        Test::Compiled { binary: TestBinary::Binary(name), .. } => vec!["--bin", name],
        Test::Compiled { binary: TestBinary::Integration(name), .. } => vec!["--test", name],
        Test::Example { .. } => return build_programs(request, copy, &["build"], &["--lib"]),
    };
    build_programs(request, copy, &["test", "--no-run"], &target)
}

/// Runs a test in a copy in which this was built. None if what it needs was not.
pub fn run(
    request: &HarnessRequest,
    copy: &Utf8Path,
    built: &BuiltTests,
    test: &Test,
    env: &[(&str, &str)],
    limit: Duration,
) -> Result<Option<TestEnd>, HarnessError> {
    match test {
        Test::Compiled { binary, name } => {
            let Some(program) = built.programs.get(binary) else { return Ok(None) };
            let mut command = Command::new(program);
            command.envs(env.iter().copied());
            run_one(command, &package_directory(request, copy), name, limit).map(Some)
        }
        Test::Example { example, .. } => examples::run(request, copy, example, env, limit),
    }
}

fn build_programs(
    request: &HarnessRequest,
    copy: &Utf8Path,
    subcommand: &[&str],
    targets: &[&str],
) -> Result<BuiltTests, HarnessError> {
    let targets: Vec<&str> = targets.iter().copied().chain(["--package", &request.package]).collect();
    let output = cargo_tests(request, copy, subcommand, &targets)?;
    let mut built = BuiltTests::default();
    for message in Message::parse_stream(output.stdout.as_slice()) {
        match message {
            Ok(Message::CompilerMessage(message))
                if matches!(message.message.level, DiagnosticLevel::Error | DiagnosticLevel::Ice) =>
            {
                built.errors.push(message.message);
            }
            Ok(Message::CompilerArtifact(artifact)) if artifact.profile.test => {
                let kinds: Vec<String> = artifact.target.kind.iter().map(ToString::to_string).collect();
                let name = artifact.target.name.clone();
                let binary = match kinds.first().map(String::as_str) {
                    Some("test") => TestBinary::Integration(name),
                    Some("bin") => TestBinary::Binary(name),
                    Some("bench" | "example" | "custom-build") | None => continue,
                    Some(_) => TestBinary::Library,
                };
                if let Some(program) = artifact.executable {
                    built.programs.insert(binary, program);
                }
            }
            _ => {}
        }
    }
    if !output.status.success() && built.errors.is_empty() {
        built.refused = String::from_utf8_lossy(&output.stderr).into_owned();
    }
    Ok(built)
}

/// Where cargo would run the tests of the package.
pub fn package_directory(request: &HarnessRequest, copy: &Utf8Path) -> Utf8PathBuf {
    let manifest = copy.join(&request.manifest);
    manifest.parent().map_or_else(|| copy.to_owned(), Utf8Path::to_owned)
}

/// The names of the tests in a program.
pub fn list(program: &Utf8Path, directory: &Utf8Path) -> Result<BTreeSet<String>, HarnessError> {
    let output = Command::new(program)
        .args(["--list", "--format", "terse"])
        .current_dir(directory)
        .stdin(Stdio::null())
        .output()
        .map_err(|source| HarnessError::Spawn { program: program.to_string(), source })?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
}

/// Runs one test of the program that the command starts.
fn run_one(
    mut command: Command,
    directory: &Utf8Path,
    test: &str,
    limit: Duration,
) -> Result<TestEnd, HarnessError> {
    command
        .args([test, "--exact", "--test-threads=1"])
        .env("CARGO_MANIFEST_DIR", directory)
        .current_dir(directory)
        .stdin(Stdio::null());
    let ended = output_within(command, limit, Kill::Itself)?;
    let Some((status, text)) = ended else { return Ok(TestEnd::Hung) };
    Ok(match (status.success(), text.contains(&format!("test {test} ... ok"))) {
        (true, true) => TestEnd::Passed,
        // `#[should_panic]` has words between the name and the dots.
        (true, false) if text.contains(" 1 passed") => TestEnd::Passed,
        (true, false) => TestEnd::Absent,
        (false, _) => TestEnd::Failed { message: message(&text), place: place(&text) },
    })
}

/// Where a failing test panicked first: `… panicked at FILE:LINE:COLUMN:`.
pub(super) fn place(output: &str) -> Option<(String, u32)> {
    let line = output.lines().find(|line| line.contains(" panicked at "))?;
    let (_, place) = line.rsplit_once(" panicked at ")?;
    let (rest, _column) = place.trim_end_matches(':').rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    Some((file.to_owned(), line.parse().ok()?))
}

/// What a failing test said: the lines after the one that tells where it panicked.
pub(super) fn message(output: &str) -> String {
    let told: Vec<&str> = output
        .lines()
        .skip_while(|line| !line.contains(" panicked at "))
        .skip(1)
        .take_while(|line| {
            !["note: ", "stack backtrace:"].iter().any(|end| line.starts_with(end)) && !line.is_empty()
        })
        .take(4)
        .collect();
    if told.is_empty() { "no message".to_owned() } else { told.join("; ") }
}

#[cfg(test)]
mod tests {
    use super::{message, place};

    #[test]
    fn the_place_is_that_of_the_first_panic() {
        let output = "running 1 test\nthread 'a' (7) panicked at src/lib.rs:3:5:\nno\nthread 'a' panicked at b.rs:1:1:\n";
        assert_eq!(place(output), Some(("src/lib.rs".to_owned(), 3)));
        assert_eq!(place("test a ... FAILED\n"), None);
    }

    #[test]
    fn the_message_is_what_follows_the_panic() {
        let output = "running 1 test\ntest a ... FAILED\n\n---- a stdout ----\n\nthread 'a' (7) panicked at src/lib.rs:3:5:\n\
                      assertion `left == right` failed\n  left: 1\n right: 2\nnote: run with `RUST_BACKTRACE=1`\n\nfailures:\n";
        assert_eq!(message(output), "assertion `left == right` failed;   left: 1;  right: 2");
        let traced = "thread 'a' panicked at a.rs:1:1:\nno\nstack backtrace:\n   0: f\n";
        assert_eq!(message(traced), "no");
        assert_eq!(message("test a ... FAILED\n"), "no message");
    }
}
