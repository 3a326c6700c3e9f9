//! Runs that are killed, and runs at the same time, leave nothing behind that makes the next answer another one.
//!
//! `REGRESS_KILLS=50 cargo test -p regress-tests --test it killed::` is the long form.

use std::path::Path;
use std::time::{Duration, Instant};

use regress_tests::clone::Clone;
use regress_tests::shared::forget_runs;

const OLD: &str =
    "pub fn half(x: u8) -> u8 {\n    x / 2\n}\n\npub fn is_even(x: u8) -> bool {\n    x % 2 == 0\n}\n";
const NEW: &str =
    "pub fn half(x: u8) -> u8 {\n    (x + 1) / 2\n}\n\npub fn is_even(x: u8) -> bool {\n    x & 1 == 0\n}\n";

/// A repository with uncommitted changes, and nothing built or kept of it.
fn cold() -> Clone {
    let clone = Clone::of_package(OLD);
    clone.write("src/lib.rs", NEW);
    forget(&clone);
    clone
}

fn forget(clone: &Clone) {
    forget_runs(Path::new(clone.target()));
}

const COMPARISON: [&str; 2] = ["--message-format", "short"];

/// The report without how long it took.
fn told(stdout: &str) -> String {
    stdout[..stdout.rfind(" (").expect("the time comes last")].to_owned()
}

#[track_caller]
fn answer(clone: &Clone) -> String {
    let run = clone.regress(&COMPARISON);
    assert_eq!(run.code, Some(100), "{}", run.stderr);
    told(&run.stdout)
}

#[test]
fn a_killed_run_changes_no_later_answer() {
    let kills: u32 = std::env::var("REGRESS_KILLS").map_or(3, |text| text.parse().expect("a number"));
    let clone = cold();
    let started = Instant::now();
    let expected = answer(&clone);
    let whole = started.elapsed();
    assert!(expected.contains("regression[REG0001]: `half`"), "{expected}");
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    for kill in 0..kills {
        // Every other time from the start; else on what earlier runs have left.
        if kill % 2 == 0 {
            forget(&clone);
        }
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let moment = whole.mul_f64((state % 1000) as f64 / 1000.0);
        let mut child = clone.start(&[&COMPARISON[..], &["--fresh"]].concat());
        std::thread::sleep(moment.max(Duration::from_millis(5)));
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        assert_eq!(answer(&clone), expected, "killed after {moment:?}");
    }
}

#[test]
fn two_runs_at_once_give_the_same_answer() {
    let clone = cold();
    let both = [clone.start(&COMPARISON), clone.start(&COMPARISON)];
    let outputs = both.map(|child| child.wait_with_output().expect("it ends"));
    let told = outputs.map(|output| {
        assert_eq!(output.status.code(), Some(100), "{}", String::from_utf8_lossy(&output.stderr));
        told(&String::from_utf8_lossy(&output.stdout))
    });
    assert_eq!(told[0], told[1]);
    assert_eq!(answer(&clone), told[0]);
}
