//! Which cargo, rustc and rustdoc the user's project is compiled with.
//!
//! `CARGO`, `RUSTC` and `RUSTDOC` are obeyed, as cargo does. Otherwise `rustc` is asked, in the folder of the package,
//! where it lives: behind the name may be rustup, which decides by folder. From then on the programs of that toolchain
//! are called by path, so both versions are compiled by one compiler whatever toolchain file they contain.

use std::io;
use std::process::Command;

use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The oldest compiler whose dumps are understood.
pub const OLDEST_MINOR: u32 = 85;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Toolchain {
    pub cargo: Utf8PathBuf,
    pub rustc: Utf8PathBuf,
    pub rustdoc: Utf8PathBuf,
    pub sysroot: Utf8PathBuf,
    /// All that `rustc -vV` says; names the compiler in keys of the cache.
    pub version_text: String,
    pub release: Release,
    pub host: String,
}

/// A compiler release, as in `1.85.1` or `1.97.0-nightly`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Release {
    pub major: u32,
    pub minor: u32,
    pub text: String,
}

#[derive(Debug, Error)]
pub enum ToolchainError {
    #[error("cannot run `{program}` in {directory}: {source}; is Rust installed and on the PATH?")]
    Spawn { program: Utf8PathBuf, directory: Utf8PathBuf, source: io::Error },
    #[error("`{program} {arguments}` failed in {directory}:\n{stderr}")]
    Failed { program: Utf8PathBuf, arguments: String, directory: Utf8PathBuf, stderr: String },
    #[error("`{program} -vV` does not say which release it is; it says:\n{output}")]
    NoRelease { program: Utf8PathBuf, output: String },
    #[error("{program} is version {release}; at least 1.{OLDEST_MINOR} is needed")]
    TooOld { program: Utf8PathBuf, release: String },
}

/// Finds the toolchain that compiles packages in `directory`.
pub fn find_toolchain(directory: &Utf8Path) -> Result<Toolchain, ToolchainError> {
    let named =
        |variable: &str| std::env::var(variable).ok().filter(|v| !v.is_empty()).map(Utf8PathBuf::from);
    let chosen_rustc = named("RUSTC").or_else(|| named("CARGO_BUILD_RUSTC"));
    let asked = chosen_rustc.clone().unwrap_or_else(|| "rustc".into());
    let version_text = ask(&asked, &["-vV"], directory)?;
    let (release, host) = parse_version(&asked, &version_text)?;
    let sysroot = Utf8PathBuf::from(ask(&asked, &["--print", "sysroot"], directory)?.trim());
    let inside = |name: &str| {
        let path = sysroot.join("bin").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
        path.is_file().then_some(path)
    };
    // The program behind the name, if it is there and the very same; never in place of one that the user named.
    let rustc = chosen_rustc
        .or_else(|| {
            inside("rustc")
                .filter(|path| ask(path, &["-vV"], directory).is_ok_and(|text| text == version_text))
        })
        .unwrap_or(asked);
    let cargo = named("CARGO").or_else(|| inside("cargo")).unwrap_or_else(|| "cargo".into());
    let rustdoc = named("RUSTDOC").or_else(|| inside("rustdoc")).unwrap_or_else(|| "rustdoc".into());
    Ok(Toolchain { cargo, rustc, rustdoc, sysroot, version_text, release, host })
}

/// The release of the compiler that rustup takes in this folder, whatever it was told to take now. Nothing is installed for the answer.
pub fn asked_release(directory: &Utf8Path) -> Result<String, ToolchainError> {
    let program = Utf8Path::new("rustc");
    let mut command = Command::new(program);
    command.env_remove("RUSTUP_TOOLCHAIN").env("RUSTUP_AUTO_INSTALL", "0");
    let output = said_by(&mut command, program, &["-vV"], directory)?;
    Ok(parse_version(program, &output)?.0.text)
}

fn ask(program: &Utf8Path, arguments: &[&str], directory: &Utf8Path) -> Result<String, ToolchainError> {
    said_by(&mut Command::new(program), program, arguments, directory)
}

fn said_by(
    command: &mut Command,
    program: &Utf8Path,
    arguments: &[&str],
    directory: &Utf8Path,
) -> Result<String, ToolchainError> {
    let output = command.args(arguments).current_dir(directory).output().map_err(|source| {
        ToolchainError::Spawn { program: program.to_owned(), directory: directory.to_owned(), source }
    })?;
    if !output.status.success() {
        return Err(ToolchainError::Failed {
            program: program.to_owned(),
            arguments: arguments.join(" "),
            directory: directory.to_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).trim().to_owned(),
        });
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn parse_version(program: &Utf8Path, output: &str) -> Result<(Release, String), ToolchainError> {
    let unknown =
        || ToolchainError::NoRelease { program: program.to_owned(), output: output.trim().to_owned() };
    let line = |name: &str| output.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    let text = line("release:").ok_or_else(unknown)?;
    let mut numbers = text.split(['.', '-']).map(str::parse::<u32>);
    let (Some(Ok(major)), Some(Ok(minor))) = (numbers.next(), numbers.next()) else { return Err(unknown()) };
    if (major, minor) < (1, OLDEST_MINOR) {
        return Err(ToolchainError::TooOld { program: program.to_owned(), release: text.to_owned() });
    }
    let host = line("host:").ok_or_else(unknown)?;
    Ok((Release { major, minor, text: text.to_owned() }, host.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(release: &str, expected: Result<(u32, u32), &str>) {
        let output =
            format!("rustc 1.0.0 (abc 2026-01-01)\nbinary: rustc\nhost: some-host\nrelease: {release}\n");
        match (parse_version("rustc".into(), &output), expected) {
            (Ok((found, host)), Ok(wanted)) => {
                assert_eq!((found.major, found.minor), wanted);
                assert_eq!(host, "some-host");
            }
            (Err(error), Err(part)) => assert!(error.to_string().contains(part), "{error}"),
            (found, wanted) => panic!("{release}: {found:?}, expected {wanted:?}"),
        }
    }

    #[test]
    fn releases() {
        check("1.85.0", Ok((1, 85)));
        check("1.97.0-nightly", Ok((1, 97)));
        check("2.0.0", Ok((2, 0)));
        check("1.84.1", Err("at least 1.85"));
        check("1.63.0", Err("1.63.0"));
        check("unknown", Err("does not say which release"));
    }

    #[test]
    fn missing_folder_is_an_error() {
        let error = find_toolchain(Utf8Path::new("/no/such/folder")).unwrap_err();
        assert!(error.to_string().contains("/no/such/folder"), "{error}");
    }
}
