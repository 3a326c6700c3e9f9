//! What belongs to an installation: whether the machine has all that is needed, completions, manual pages.

use std::process::Command;
use std::time::Duration;

use anyhow::Context;
use camino::{Utf8Path, Utf8PathBuf};
use clap_complete::Shell;
use regress_core::smt::{Answer, AnySolver, Backend, Solver, SolverLimits};
use regress_core::term::{Sort, TermPool};

use crate::args::install::tree;
use crate::exit::INCOMPLETE;
use crate::extract::{find_charon, find_toolchain};

/// What was found of something that is needed or of use.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Found {
    There(String),
    /// Nothing works without it.
    Missing(String),
    /// What does not work without it.
    Absent(String),
}

/// What there is and what is missing, and the exit code.
pub fn look() -> (String, u8) {
    say(&[
        ("rustc", rustc()),
        ("rustdoc", rustdoc()),
        (Backend::default().name(), solver()),
        ("git", optional("git", "no hooks; comparing does without it")),
        ("rustfmt", optional("rustfmt", "tests that `explore --emit-tests` writes are not formatted")),
        ("cargo-regress", on_path()),
        ("charon", charon()),
    ])
}

fn say(all: &[(&str, Found)]) -> (String, u8) {
    let mut text = String::new();
    for (name, found) in all {
        let (mark, what) = match found {
            Found::There(what) => ("ok", what),
            Found::Missing(what) => ("MISSING", what),
            Found::Absent(what) => ("-", what),
        };
        text.push_str(&format!("{name:<14} {mark:<8} {what}\n"));
    }
    let missing = all.iter().filter(|(_, found)| matches!(found, Found::Missing(_))).count();
    text.push_str(match missing {
        0 => "\nall that is needed is there\n",
        _ => "\nwhat is MISSING is needed\n",
    });
    (text, if missing == 0 { 0 } else { INCOMPLETE })
}

fn rustc() -> Found {
    match find_toolchain(&here()) {
        Ok(toolchain) => Found::There(format!("{} ({})", toolchain.release.text, toolchain.rustc)),
        Err(error) => Found::Missing(format!("{error}; https://rustup.rs installs it")),
    }
}

fn rustdoc() -> Found {
    let Ok(toolchain) = find_toolchain(&here()) else {
        return Found::Missing("it comes with rustc".to_owned());
    };
    match version(toolchain.rustdoc.as_str()) {
        Some(version) => Found::There(version),
        None => Found::Missing(format!("{} does not run; it comes with the toolchain", toolchain.rustdoc)),
    }
}

/// The solver is linked, so it is there if anything of this runs; whether it answers is another question.
fn solver() -> Found {
    let mut pool = TermPool::new();
    let x = pool.var("x", Sort::Bv(8));
    let square = pool.mul(x, x);
    let wanted = pool.bv_const(49, 8);
    let question = pool.eq(square, wanted);
    let note = Backend::default().note();
    match AnySolver::new().check(&pool, &[question], &SolverLimits::within(Duration::from_secs(20))) {
        Answer::Sat(_) => {
            Found::There(note.map_or("linked, and answers".to_owned(), |note| format!("answers; {note}")))
        }
        other => {
            let remedy = if note.is_none() { "; install another version of the Z3 library" } else { "" };
            Found::Missing(format!("linked, but x * x = 49 gives {other:?}{remedy}"))
        }
    }
}

fn charon() -> Found {
    let without = "stock rustc reads the crate";
    match find_charon(None) {
        Ok(charon) if charon.is_supported() => Found::There(charon.version),
        Ok(charon) => {
            Found::Absent(format!("{} is not a version that is known to work; {without}", charon.version))
        }
        Err(_) => Found::Absent(format!("not installed; {without}")),
    }
}

fn on_path() -> Found {
    match version("cargo-regress") {
        Some(version) => Found::There(version),
        None => {
            Found::Absent("not on the PATH: `cargo regress` is not found, and hooks check nothing".to_owned())
        }
    }
}

fn optional(program: &str, without: &str) -> Found {
    version(program).map_or_else(|| Found::Absent(format!("not installed: {without}")), Found::There)
}

/// The first line of what the program says of its version.
fn version(program: &str) -> Option<String> {
    let output = Command::new(program).arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    output.status.success().then(|| text.lines().next().unwrap_or_default().to_owned())
}

fn here() -> Utf8PathBuf {
    std::env::current_dir()
        .ok()
        .and_then(|here| Utf8PathBuf::from_path_buf(here).ok())
        .unwrap_or_else(|| ".".into())
}

/// The script that completes `cargo-regress` in that shell.
pub fn completions(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut tree(), "cargo-regress", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// Writes one manual page for each command.
pub fn write_pages(directory: &Utf8Path) -> anyhow::Result<()> {
    clap_mangen::generate_to(tree(), directory)
        .with_context(|| format!("the pages cannot be written to {directory}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_needed_fails() {
        let (there, absent) = (Found::There("1.0".into()), Found::Absent("not installed".into()));
        let (text, code) = say(&[("a", there.clone()), ("b", absent.clone())]);
        assert_eq!(code, 0);
        assert!(text.contains("all that is needed is there"), "{text}");
        let (text, code) = say(&[("a", there), ("b", absent), ("c", Found::Missing("too old".into()))]);
        assert_eq!(code, INCOMPLETE);
        assert!(text.contains("c              MISSING  too old"), "{text}");
    }

    #[test]
    fn this_machine_can_compare() {
        assert!(matches!(rustc(), Found::There(_)), "{:?}", rustc());
        assert!(matches!(rustdoc(), Found::There(_)), "{:?}", rustdoc());
        assert!(matches!(solver(), Found::There(_)), "{:?}", solver());
        assert_eq!(version("no-such-program"), None);
    }

    #[test]
    fn scripts_know_commands_and_options() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell, Shell::Elvish] {
            let script = completions(shell);
            for word in ["accept", "localize", "merge-base", "serve", "total-timeout"] {
                assert!(script.contains(word), "{word} for {shell}");
            }
        }
    }

    #[test]
    fn there_is_a_page_for_each_command() {
        let home = tempfile::TempDir::new().expect("a temporary directory");
        let directory = Utf8Path::from_path(home.path()).expect("UTF-8");
        write_pages(directory).expect("writable");
        for name in [
            "cargo-regress",
            "cargo-regress-explore",
            "cargo-regress-serve",
            "cargo-regress-watch",
            "cargo-regress-hook",
            "cargo-regress-hook-run",
        ] {
            let page = std::fs::read_to_string(directory.join(format!("{name}.1")))
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(page.starts_with(".ie") && page.contains(".TH"), "{page}");
        }
    }
}
