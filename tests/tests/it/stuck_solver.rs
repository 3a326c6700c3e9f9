//! A solver that hangs does not make the run hang: the library is given a `Z3_solver_check` that never returns, whatever it is told.
//!
//! It takes the place of Z3's by `LD_PRELOAD`, so this is of Linux, with the system's Z3.

#![cfg(target_os = "linux")]

use std::process::Command;
use std::time::{Duration, Instant};

use regress_tests::command::{binary, run_with};
use regress_tests::repository::Repository;
use regress_tests::shared::SharedTarget;
use serde_json::Value;

const HANGS: &str = r#"
#[unsafe(no_mangle)]
pub extern "C" fn Z3_solver_check(_context: *mut (), _solver: *mut ()) -> i32 {
    loop {
        std::thread::park();
    }
}
"#;

const MANIFEST: &str = "[package]\nname = \"sums\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n";

/// Equal, which only the solver can tell; there are too many inputs to try all.
const OLD: &str = "pub fn sum(x: u64, y: u64) -> u64 {\n    x.wrapping_add(y)\n}\n";
const NEW: &str = "pub fn sum(x: u64, y: u64) -> u64 {\n    (x ^ y).wrapping_add((x & y) << 1)\n}\n";

#[test]
fn a_run_whose_solver_hangs_ends_with_a_report() {
    let repository = Repository::new().unwrap();
    repository.write("Cargo.toml", MANIFEST).unwrap();
    repository.write("src/lib.rs", OLD).unwrap();
    repository.commit_all("old").unwrap();
    repository.write("src/lib.rs", NEW).unwrap();
    repository.commit_all("new").unwrap();
    let directory = tempfile::TempDir::new().unwrap();
    let (source, library) = (directory.path().join("hangs.rs"), directory.path().join("hangs.so"));
    std::fs::write(&source, HANGS).unwrap();
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition", "2024", "--crate-type", "cdylib", "-o"]).args([&library, &source]);
    assert!(rustc.status().unwrap().success());
    let target = SharedTarget::take();
    let arguments = [
        "--target-dir",
        target.text(),
        "--message-format",
        "json",
        "--fresh",
        "--total-timeout",
        "600",
        "HEAD~1",
    ];
    // What is waited for is the run, not that it is built.
    binary();
    let start = Instant::now();
    let run = run_with(repository.root(), &arguments, &[("LD_PRELOAD", library.as_os_str())]);
    assert!(start.elapsed() < Duration::from_secs(300), "{:?}", start.elapsed());
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let sum = &report["functions"][0];
    assert_eq!(sum["verdict"], "no_difference_found", "{}", run.stdout);
    assert!(sum.to_string().contains("did not answer an interrupt and was given up"), "{sum}");
}
