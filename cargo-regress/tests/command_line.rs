//! The program as it is started: words, exit codes, where its output goes.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const PROGRAM: &str = env!("CARGO_BIN_EXE_cargo-regress");

fn run_in(directory: &Path, arguments: &[&str]) -> Output {
    let output =
        Command::new(PROGRAM).args(arguments).current_dir(directory).env_remove("CARGO_TERM_COLOR").output();
    output.expect("the program can be started")
}

/// The program fails in that way, says so on standard error only, and writes nothing.
#[track_caller]
fn check_failure(directory: &Path, arguments: &[&str], code: i32, words: &str) {
    let before = names(directory);
    let output = run_in(directory, arguments);
    let errors = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(code), "{errors}");
    assert!(errors.contains(words), "`{words}` in: {errors}");
    assert!(!errors.contains('\u{1b}'), "no colors in a pipe: {errors}");
    assert!(output.stdout.is_empty(), "{:?}", String::from_utf8_lossy(&output.stdout));
    assert_eq!(names(directory), before);
}

fn names(directory: &Path) -> Vec<PathBuf> {
    let mut names: Vec<PathBuf> =
        std::fs::read_dir(directory).expect("readable").map(|item| item.expect("readable").path()).collect();
    names.sort();
    names
}

fn package() -> tempfile::TempDir {
    let home = tempfile::TempDir::new().expect("a temporary directory");
    let manifest = "[package]\nname = \"one\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    std::fs::write(home.path().join("Cargo.toml"), manifest).expect("writable");
    std::fs::create_dir(home.path().join("src")).expect("writable");
    std::fs::write(home.path().join("src/lib.rs"), "").expect("writable");
    home
}

#[test]
fn what_cannot_be_completed_ends_with_101() {
    let home = package();
    check_failure(home.path(), &["regress"], 101, "error: ");
    check_failure(home.path(), &["regress"], 101, "not inside a git repository");
    check_failure(home.path(), &["HEAD~1"], 101, "not inside a git repository");
    check_failure(home.path(), &["--baseline-root", "nowhere"], 101, "`nowhere`");
    git2::Repository::init(home.path()).expect("a repository");
    check_failure(home.path(), &["regress"], 101, "no commit yet");
}

#[test]
fn wrong_usage_ends_with_2() {
    let home = package();
    check_failure(home.path(), &["regress", "--no-such-flag"], 2, "--no-such-flag");
    check_failure(home.path(), &["--fail-on", "sometimes"], 2, "regression");
    check_failure(home.path(), &["--message-format", "json", "--message-format", "sarif"], 2, "only one");
    check_failure(home.path(), &["explore", "f", "--message-format", "sarif"], 2, "human");
}

#[test]
fn kinds_of_findings_are_explained_anywhere() {
    let home = tempfile::TempDir::new().expect("a temporary directory");
    let output = run_in(home.path(), &["regress", "--explain", "reg0003"]);
    let text = String::from_utf8(output.stdout).expect("text");
    assert_eq!(output.status.code(), Some(0));
    assert!(text.starts_with("# REG0003: "), "{text}");
    check_failure(home.path(), &["--explain", "REG9999"], 2, "REG0001");
}

fn configured(text: &str) -> tempfile::TempDir {
    let home = package();
    git2::Repository::init(home.path()).expect("a repository");
    std::fs::create_dir(home.path().join(".config")).expect("writable");
    std::fs::write(home.path().join(".config/regress.toml"), text).expect("writable");
    home
}

#[test]
fn a_wrong_configuration_is_an_error_with_its_place() {
    let home = configured("seed = 1\ntimout = 3\n");
    let words = ".config/regress.toml:2: unknown key `timout`; did you mean `timeout`?";
    for arguments in [&["regress"][..], &["explore", "f"], &["localize"], &["hook", "run", "pre-push"]] {
        check_failure(home.path(), arguments, 101, words);
    }
    check_failure(home.path(), &["--no-config"], 101, "no commit yet");
    check_failure(home.path(), &["--no-such-flag"], 2, "--no-such-flag");
}

#[test]
fn what_is_configured_is_shown_with_its_place() {
    let home = configured("seed = 1\n[hook]\nstrict = true\n");
    let manifest = home.path().join("Cargo.toml");
    let text = std::fs::read_to_string(&manifest).expect("readable");
    std::fs::write(&manifest, text + "[package.metadata.regress]\nseed = 2\nunwind = 9\n").expect("writable");
    let output = Command::new(PROGRAM)
        .args(["config", "show"])
        .current_dir(home.path())
        .env("CARGO_REGRESS_UNWIND", "7")
        .output()
        .expect("the program can be started");
    let text = String::from_utf8(output.stdout).expect("text");
    let has = |value: &str, place: &str| {
        let line = text.lines().find(|line| line.starts_with(&format!("{value} ")));
        assert!(
            line.is_some_and(|line| line.ends_with(&format!("# {place}"))),
            "{value} from {place} in: {text}"
        );
    };
    has("seed = 2", "Cargo.toml:6");
    has("unwind = 7", "CARGO_REGRESS_UNWIND");
    has("strict = true", ".config/regress.toml:3");
    has("timeout = 10", "default");
}

#[test]
fn help_is_not_an_error() {
    let home = package();
    for arguments in [&["regress", "--help"][..], &["--help"]] {
        let output = run_in(home.path(), arguments);
        let text = String::from_utf8(output.stdout).expect("text");
        assert_eq!(output.status.code(), Some(0));
        assert!(text.contains("Usage: cargo regress"), "{text}");
        for flag in [
            "--merge-base",
            "--baseline-root",
            "--fetch",
            "--fail-on",
            "--message-format",
            "--output-path",
            "--html",
        ] {
            assert!(text.contains(flag), "{flag} in: {text}");
        }
        assert!(text.contains("101"), "exit codes are explained: {text}");
    }
}

#[test]
fn cargo_finds_it_as_a_subcommand() {
    let home = package();
    let directory = Path::new(PROGRAM).parent().expect("it lies in a directory");
    let mut path = vec![directory.to_owned()];
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["regress", "--version"])
        .env("PATH", std::env::join_paths(path).expect("joinable"))
        .current_dir(home.path())
        .output()
        .expect("cargo can be started");
    let text = String::from_utf8(output.stdout).expect("text");
    assert_eq!(text.lines().next(), Some(concat!("cargo-regress ", env!("CARGO_PKG_VERSION"))));
}
