//! `demo [CRATE OLD NEW [ARGUMENTS…]]`: two published versions of a crate as two commits, compared by `cargo regress HEAD~1 ARGUMENTS…`.
//!
//! The sources come through cargo, so a mirror or a filled cache serves as well as the registry. The repository is laid
//! under the target directory and stays there, to be looked at and tried further.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use regress_tests::real_crates::{SourceError, lay, published};
use regress_tests::repository::{Repository, RepositoryError};
use thiserror::Error;

/// A parser that stopped taking `+0` for a number of seconds. Its longest valid input has 33 bytes, and random inputs
/// do not come near a valid one.
const DEFAULT: [&str; 5] = ["httpdate", "1.0.1", "1.0.2", "--max-len", "33"];

/// What `cargo regress` exits with if `--fail-on` is met: the report is complete, and worth reading.
const FOUND: i32 = 100;

#[derive(Debug, Error)]
enum DemoError {
    #[error("expected CRATE OLD NEW [ARGUMENTS of cargo regress…], as in `{}`", DEFAULT.join(" "))]
    Usage,
    #[error("{0} is missing; build it with `cargo build --package cargo-regress`")]
    NotBuilt(PathBuf),
    #[error("the demo's own path does not lie in a target directory")]
    Astray,
    #[error("cannot start {program}: {source}")]
    Start { program: PathBuf, source: std::io::Error },
    #[error("the comparison was not completed ({0})")]
    Incomplete(std::process::ExitStatus),
    #[error(transparent)]
    Sources(#[from] SourceError),
    #[error(transparent)]
    Repository(#[from] RepositoryError),
}

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match demo(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn demo(args: &[&str]) -> Result<(), DemoError> {
    let args = if args.is_empty() { &DEFAULT } else { args };
    let &[name, old, new, ref further @ ..] = args else { return Err(DemoError::Usage) };
    let profile = profile_directory()?;
    let program = profile.join(format!("cargo-regress{}", env::consts::EXE_SUFFIX));
    if !program.is_file() {
        return Err(DemoError::NotBuilt(program));
    }
    let directory = profile.with_file_name("demo").join(format!("{name}-{old}-{new}"));
    let repository = Repository::anew_at(&directory)?;
    println!("Laying {name} {old} and {name} {new} as two commits in {}", directory.display());
    for version in [old, new] {
        let place = published(&[(name, version)])?;
        lay(&repository, &place[name])?;
        repository.commit_all(&format!("{name} {version}"))?;
    }
    compare(&program, &directory, further)?;
    println!("\nTo try more: cd {}", directory.display());
    Ok(())
}

/// Runs the command as a user in the directory would; what it reports goes straight to the terminal.
fn compare(program: &Path, directory: &Path, further: &[&str]) -> Result<(), DemoError> {
    let args = [&["regress", "HEAD~1"], further].concat();
    println!("+ cd {}\n+ cargo {}\n", directory.display(), args.join(" "));
    let status = Command::new(program)
        .args(args)
        .current_dir(directory)
        .env_remove("CARGO_TARGET_DIR")
        .env_remove("CARGO_BUILD_TARGET_DIR")
        .status()
        .map_err(|source| DemoError::Start { program: program.to_path_buf(), source })?;
    match status.code() {
        Some(0 | FOUND) => Ok(()),
        _ => Err(DemoError::Incomplete(status)),
    }
}

/// `<target>/<profile>`, where cargo puts the binaries of the workspace.
fn profile_directory() -> Result<PathBuf, DemoError> {
    let own = env::current_exe().map_err(|_| DemoError::Astray)?;
    own.parent().map(Path::to_path_buf).ok_or(DemoError::Astray)
}
