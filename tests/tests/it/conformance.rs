//! A slice of the campaigns: on a dozen fixtures the executor does what the compiler's code does, and proofs of equality
//! withstand native random inputs. The same for crates as Charon reads them, and both front ends say the same of these.

use std::process::Command;

use regress_tests::shared::SharedTarget;

/// Fixtures that between them have every kind of panic, sequence, enum, loop, call and `&mut`.
const CONFORMANCE: [&str; 13] = [
    "differ/casts",
    "differ/characters",
    "differ/division",
    "differ/errors",
    "differ/indexing",
    "differ/nested_enums",
    "differ/order_of_writes",
    "differ/overflow",
    "differ/recursion",
    "differ/wide_integers",
    "papers/cut_field_list",
    "refactor/cells",
    "refactor/generics",
];

const ATTACK: [&str; 6] = [
    "refactor/arrays",
    "refactor/bit_tricks",
    "refactor/mutable_references",
    "refactor/panics_kept",
    "refactor/slices",
    "refactor/wide_integers",
];

/// Crates with recorded output of Charon that are quickly built. The others are run by hand.
const RECORDED: [&str; 3] = ["pair", "adler2", "sample"];

/// Runs a campaign; nothing may fail, and no fewer functions may have all their runs.
#[track_caller]
fn check(command: &[&str], runs: &str, grounds: &[&str], least_functions: u64) {
    let mut campaign = Command::new(env!("CARGO_BIN_EXE_campaign"));
    let target = SharedTarget::take();
    campaign.args(command).args(["--runs", runs, "--target-dir", target.text()]);
    campaign.args(grounds.iter().flat_map(|name| ["--only", *name]));
    let output = campaign.output().expect("the campaign can be started");
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{:?}\n{text}\n{errors}", output.status.code());
    assert!(full_functions(&text) >= least_functions, "too few functions were run:\n{text}");
}

/// From the closing line: `functions 80 (76 with all runs), …`.
fn full_functions(text: &str) -> u64 {
    let closing = text.lines().rev().find(|line| line.starts_with("functions ")).unwrap_or_default();
    let number = closing.split(['(', ' ']).nth(3).unwrap_or_default();
    number.parse().unwrap_or_else(|_| panic!("no closing line:\n{text}"))
}

#[test]
fn the_executor_does_what_the_compilers_code_does() {
    check(&["conformance", "--fixtures"], "100", &CONFORMANCE, 80);
}

#[test]
fn proofs_of_equality_withstand_random_inputs() {
    check(&["attack", "--fixtures"], "2000", &ATTACK, 15);
}

#[test]
fn what_charon_reads_does_what_the_compilers_code_does() {
    // `sample::guarded` of two releases is refused: its panic may meet an overflow in a destructor.
    check(&["conformance", "--recorded"], "100", &RECORDED, 99);
}

#[test]
fn both_front_ends_say_the_same() {
    check(&["agreement"], "100", &RECORDED, 100);
}
