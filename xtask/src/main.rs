//! `cargo xtask demo` and `cargo xtask test`: set-up and work in one command each.
//!
//! This crate has no dependencies, so it builds on a bare machine; it looks for what the others need (a C compiler, the
//! Z3 library) and installs it where it may before it lets cargo build them.

mod setup;
mod test;

use std::ffi::OsString;
use std::process::{Command, ExitCode, ExitStatus};

const USAGE: &str = "\
usage: cargo xtask COMMAND

  setup     install what the build needs, if it is missing
  demo      set-up, then compare two published versions of a real crate
  test      set-up and a browser, then formatting, lints and all tests
";

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let command = args.next();
    let rest: Vec<String> = args.collect();
    let done = match command.as_deref() {
        Some("setup") => setup::ensure(),
        Some("demo") => setup::ensure().and_then(|()| demo(&rest)),
        Some("test") => setup::ensure().and_then(|()| {
            setup::offer_browser();
            test::test()
        }),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn demo(args: &[String]) -> Result<(), String> {
    cargo(&["build", "--package", "cargo-regress"])?;
    let mut command = vec!["run", "--quiet", "--package", "regress-tests", "--bin", "demo", "--"];
    command.extend(args.iter().map(String::as_str));
    cargo(&command)
}

pub(crate) fn cargo(args: &[&str]) -> Result<(), String> {
    eprintln!("+ cargo {}", args.join(" "));
    succeed(&format!("cargo {}", args.join(" ")), Command::new(cargo_program()).args(args).status())
}

pub(crate) fn cargo_program() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

pub(crate) fn succeed(what: &str, status: std::io::Result<ExitStatus>) -> Result<(), String> {
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{what}` failed ({status})")),
        Err(error) => Err(format!("`{what}` could not be started: {error}")),
    }
}
