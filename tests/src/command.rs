//! Runs `cargo-regress` as built from this workspace.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// How a run of the command ended.
#[derive(Clone, Debug)]
pub struct Run {
    /// None if a signal ended it.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// `<target>/<profile>` of this test, which is `<target>/<profile>/deps/<test>`, or of this program.
fn profile_directory() -> PathBuf {
    let program = env::current_exe().expect("a running program has a path");
    let folder = program.parent().expect("a program lies in a folder");
    // Programs that are no tests lie beside `deps`.
    let profile = if folder.ends_with("deps") { folder.parent() } else { Some(folder) };
    profile.expect("tests are built into <target>/<profile>/deps").to_path_buf()
}

/// The target directory of this test.
pub fn target_directory() -> PathBuf {
    let profile = profile_directory();
    profile.parent().expect("a profile's directory lies in the target directory").to_path_buf()
}

/// Set by who has built the whole workspace with its tests, and so the command (`cargo xtask test`).
const BUILT: &str = "REGRESS_TESTS_BUILT";

/// The command's binary beside this test's. Unless somebody vouches for it, it is built first: `cargo test -p` of one crate does not build
/// the binaries of another, and a stale one would be worse than none.
pub fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        let profile = profile_directory();
        let program = profile.join(format!("cargo-regress{}", env::consts::EXE_SUFFIX));
        if env::var_os(BUILT).is_some() && program.is_file() {
            return program;
        }
        let target = target_directory();
        let mut build = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        build
            .args([
                "build",
                "--quiet",
                "--package",
                "cargo-regress",
                "--bin",
                "cargo-regress",
                "--target-dir",
            ])
            .arg(target)
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
        if profile.ends_with("release") {
            build.arg("--release");
        }
        let output = build.output().expect("cargo can be run");
        assert!(
            output.status.success(),
            "cargo-regress cannot be built:\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
        program
    })
}

/// Runs the command in the directory. It sees the user's environment, but for what would lead it out of the
/// directory.
pub fn run<S: AsRef<OsStr>>(directory: &Path, args: &[S]) -> Run {
    run_with(directory, args, &[])
}

/// The same with these variables.
pub fn run_with<S: AsRef<OsStr>>(directory: &Path, args: &[S], variables: &[(&str, &OsStr)]) -> Run {
    run_program(binary(), directory, args, variables)
}

/// The same of another build of the command.
pub fn run_program<S: AsRef<OsStr>>(
    program: &Path,
    directory: &Path,
    args: &[S],
    variables: &[(&str, &OsStr)],
) -> Run {
    let output = Command::new(program)
        // What a test builds is built once; keeping what the next build could use costs a quarter of the time.
        .env("CARGO_INCREMENTAL", "0")
        .args(args)
        .current_dir(directory)
        // What GitHub Actions is shown is asked for where it is tested.
        .env_remove("GITHUB_ACTIONS")
        .env_remove("GITHUB_STEP_SUMMARY")
        .env_remove("CARGO_TARGET_DIR")
        .env_remove("CARGO_BUILD_TARGET_DIR")
        .envs(variables.iter().copied())
        .output()
        .unwrap_or_else(|error| panic!("{} cannot be run: {error}", program.display()));
    Run::of(&output)
}

impl Run {
    pub(crate) fn of(output: &Output) -> Run {
        Run {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}
