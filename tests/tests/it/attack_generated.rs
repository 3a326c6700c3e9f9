//! A slice of `campaign attack --generated`, and the campaign itself: it must see what is wrong.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;

use regress_tests::attack_grammar::{Class, Settings, generate, run};
use regress_tests::command::binary;
use regress_tests::shared::SharedTarget;
use serde_json::json;

const SEED: u64 = 20_111;

#[test]
fn no_verdict_on_a_slice_of_the_generated_attacks_is_wrong() {
    let target = SharedTarget::take();
    let table = run(&Settings {
        seed: SEED,
        crates: 0..2,
        pairs_per_crate: 12,
        classes: SLICE.to_vec(),
        keep: None,
        product: binary().to_path_buf(),
        target: target.text().into(),
        timeout: 2,
        verbose: true,
    })
    .expect("the campaign runs");
    let all = table.all();
    assert_eq!((table.not_compiled, table.no_report, all.wrong), (0, 0, 0), "{}", table.text());
    assert!(all.pairs >= 24 && all.differ > 0, "{}", table.text());
}

/// Classes of which the whole campaign takes too long for a test.
const SLICE: [Class; 4] = [Class::Address, Class::General, Class::Guards, Class::Names];

/// A product that calls everything equal is wrong wherever native runs differ, and nowhere else.
#[test]
fn a_product_that_calls_everything_equal_is_found_out() {
    let (number, pairs) = (3, 12);
    let made = generate(SEED, number, pairs, &Class::ALL);
    let functions: Vec<_> = made
        .pairs
        .iter()
        .map(|pair| json!({ "path": pair.path, "verdict": "equal", "ledger": [] }))
        .collect();
    let home = tempfile::TempDir::new().expect("a temporary folder");
    let (report, product) = (home.path().join("report.json"), home.path().join("product"));
    fs::write(&report, json!({ "functions": functions }).to_string()).expect("a file is written");
    fs::write(&product, format!("#!/bin/sh\ncat '{}'\n", report.display())).expect("a file is written");
    fs::set_permissions(&product, fs::Permissions::from_mode(0o755)).expect("it is ours");
    let table = run(&Settings {
        seed: SEED,
        crates: number..number + 1,
        pairs_per_crate: pairs,
        classes: Class::ALL.to_vec(),
        keep: Some(home.path().join("kept")),
        product,
        target: home.path().join("target"),
        timeout: 1,
        verbose: false,
    })
    .expect("the campaign runs");
    let all = table.all();
    assert_eq!(table.not_compiled, 0);
    assert!(all.differ > 0 && all.differ < all.pairs, "{}", table.text());
    assert_eq!(all.wrong, all.differ, "{}", table.text());
    assert!(home.path().join("kept").join(&made.name).join("WRONG").is_file());
}
