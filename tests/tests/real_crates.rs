//! Published crates: two successive versions are compared to the end, and a crate is unchanged against itself, however
//! it is formatted.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use regress_tests::command::run;
use regress_tests::real_crates::{REAL_CRATES, Side, lay, sources};
use regress_tests::repository::Repository;
use regress_tests::runner::Report;

/// The report on the last two commits.
#[track_caller]
fn report(repository: &Repository, name: &str) -> Report {
    let run = run(repository.root(), &["HEAD~1", "--message-format", "json"]);
    assert!(matches!(run.code, Some(0 | 100)), "{name}: {:?}: {}", run.code, run.stderr);
    assert!(!run.stderr.contains("panicked at"), "{name}: {}", run.stderr);
    let report: Report = serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(!report.functions.is_empty(), "{name}: no function in the report");
    report
}

fn places(side: Side) -> BTreeMap<&'static str, PathBuf> {
    sources(side).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn two_versions_are_compared_and_every_difference_was_replayed() {
    let (old, new) = (places(Side::Old), places(Side::New));
    for real in REAL_CRATES {
        let repository = Repository::new().unwrap();
        for place in [&old[real.name], &new[real.name]] {
            lay(&repository, place).unwrap_or_else(|error| panic!("{error}"));
            repository.commit_all("a version").unwrap();
        }
        for function in report(&repository, real.name).functions {
            let at = format!("{}: {}", real.name, function.path);
            match function.verdict.as_str() {
                "differs" => {
                    assert!(!function.witnesses.is_empty(), "{at}: no witness");
                    assert!(function.witnesses.iter().all(|witness| witness.confirmed), "{at}: not replayed");
                }
                "not_analysed" => {
                    assert!(function.reason.is_some_and(|reason| !reason.is_empty()), "{at}: no reason");
                }
                "unchanged" | "equal" | "equal_within" | "no_difference_found" | "added" | "removed" => {}
                other => panic!("{at}: there is no verdict `{other}`"),
            }
        }
    }
}

#[test]
fn a_crate_is_unchanged_against_itself_in_another_style() {
    let places = places(Side::New);
    for real in REAL_CRATES {
        let repository = Repository::new().unwrap();
        lay(&repository, &places[real.name]).unwrap_or_else(|error| panic!("{error}"));
        let before = repository.commit_all("as published").unwrap();
        let style = "max_width=70,tab_spaces=3,use_small_heuristics=Off,newline_style=Unix";
        let formatted = Command::new("cargo")
            .args(["fmt", "--", "--config", style])
            .current_dir(repository.root())
            .output()
            .unwrap();
        assert!(formatted.status.success(), "{}", String::from_utf8_lossy(&formatted.stderr));
        let after = repository.commit_all("in another style").unwrap();
        let tree = |commit| repository.git().find_commit(commit).unwrap().tree_id();
        assert_ne!(tree(before), tree(after), "{}: nothing was formatted", real.name);
        for function in report(&repository, real.name).functions {
            assert_eq!(function.verdict, "unchanged", "{}: {}", real.name, function.path);
        }
    }
}
