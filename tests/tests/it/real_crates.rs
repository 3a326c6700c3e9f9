//! Published crates: two successive versions are compared to the end, and a crate is unchanged against itself, however
//! it is formatted.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use rayon::prelude::*;
use regress_tests::command::run;
use regress_tests::real_crates::{REAL_CRATES, RealCrate, Side, lay, sources};
use regress_tests::repository::Repository;
use regress_tests::runner::{Report, Reported};
use regress_tests::shared::SharedTarget;

/// The report of a comparison that was carried through.
#[track_caller]
fn report(repository: &Repository, real: &RealCrate, revisions: &str) -> Report {
    let name = real.name;
    let target = SharedTarget::take();
    let args = [revisions, "--timeout", "1", "--message-format", "json", "--target-dir", target.text()];
    let run = run(repository.root(), &args);
    assert!(matches!(run.code, Some(0 | 100)), "{name}: {:?}: {}", run.code, run.stderr);
    assert!(!run.stderr.contains("panicked at"), "{name}: {}", run.stderr);
    let report: Report = serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{name}: {error}"));
    for path in real.functions {
        let count = report.functions.iter().filter(|function| function.path == *path).count();
        assert_eq!(count, 1, "{name}: {path} is to be reported once");
    }
    report
}

fn places(side: Side) -> BTreeMap<&'static str, PathBuf> {
    sources(side).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn check_unchanged(repository: &Repository, real: &RealCrate, revisions: &str) {
    for function in report(repository, real, revisions).functions {
        assert_eq!(function.verdict, "unchanged", "{} {revisions}: {}", real.name, function.path);
    }
}

/// A difference comes with a confirmed witness, and what was not analysed with a reason that is no defect.
#[track_caller]
fn check_evidence(name: &str, function: &Reported) {
    let at = format!("{name}: {}", function.path);
    match function.verdict.as_str() {
        "differs" => {
            assert!(!function.witnesses.is_empty(), "{at}: no witness");
            assert!(function.witnesses.iter().all(|witness| witness.confirmed), "{at}: not replayed");
        }
        "not_analysed" => {
            let reason = function.reason.as_deref().unwrap_or_default();
            assert!(!reason.is_empty(), "{at}: no reason");
            assert!(!reason.contains("internal error"), "{at}: {reason}");
        }
        "unchanged" | "equal" | "equal_within" | "no_difference_found" | "added" | "removed" => {}
        other => panic!("{at}: there is no verdict `{other}`"),
    }
}

#[test]
fn two_versions_are_compared_and_every_difference_was_replayed() {
    let (old, new) = (places(Side::Old), places(Side::New));
    REAL_CRATES.par_iter().for_each(|real| {
        let repository = Repository::new().unwrap();
        for place in [&old[real.name], &new[real.name]] {
            lay(&repository, place).unwrap_or_else(|error| panic!("{error}"));
            repository.commit_all("a version").unwrap();
        }
        let report = report(&repository, real, "HEAD~1");
        report.functions.iter().for_each(|function| check_evidence(real.name, function));
    });
}

#[test]
fn a_crate_is_unchanged_against_itself_and_against_itself_in_another_style() {
    let places = places(Side::New);
    REAL_CRATES.par_iter().for_each(|real| {
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
        check_unchanged(&repository, real, "HEAD~1");
        check_unchanged(&repository, real, "HEAD..HEAD");
    });
}
