//! The time for the whole run: what is not reached is said to be so, and never taken for something else.

use regress_tests::cases::fixtures_root;
use regress_tests::command::{Run, run};
use regress_tests::repository::Repository;
use regress_tests::shared::SharedTarget;
use serde_json::Value;

/// Takes longer than the shortest time for a run, however fast the machine is.
const SLOW_BUILD: &str = "fn main() { std::thread::sleep(std::time::Duration::from_secs(2)) }\n";

fn compare(args: &[&str]) -> Run {
    let case = fixtures_root().join("differ/boundary");
    let repository = Repository::new().unwrap();
    for version in ["old", "new"] {
        repository.commit_directory(&case.join(version), version).unwrap();
        repository.write("build.rs", SLOW_BUILD).unwrap();
        repository.commit_all("with a build script").unwrap();
    }
    let target = SharedTarget::take();
    let mut all_args = vec!["--target-dir", target.text(), "--message-format", "json", "--fresh", "HEAD~2"];
    all_args.extend(args);
    run(repository.root(), &all_args)
}

fn verdicts(run: &Run) -> Vec<(String, String)> {
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let functions = document["functions"].as_array().unwrap();
    functions.iter().map(|function| (text(&function["path"]), text(&function["verdict"]))).collect()
}

/// Not even the versions can be built within a second, so nothing is compared; every function is there all the same.
#[test]
fn what_is_not_reached_is_not_analysed() {
    // First the one that must find nothing built.
    let none = compare(&["--total-timeout", "1"]);
    let all = compare(&["--total-timeout", "600"]);
    let names = |run: &Run| {
        let mut names: Vec<String> = verdicts(run).into_iter().map(|(path, _)| path).collect();
        names.sort();
        names
    };
    assert!(verdicts(&all).iter().any(|(_, verdict)| verdict == "differs"), "{}", all.stdout);
    assert!(!all.stdout.contains("unfinished"), "{}", all.stdout);
    assert_eq!(names(&none), names(&all));
    let late = |(_, verdict): &(String, String)| ["not_analysed", "unchanged"].contains(&verdict.as_str());
    assert!(verdicts(&none).iter().all(late), "{}", none.stdout);
    assert_eq!(none.code, Some(0), "{}", none.stderr);
    let document: Value = serde_json::from_str(&none.stdout).unwrap();
    let unfinished = document["unfinished"].as_array().unwrap().len();
    assert_eq!(unfinished, verdicts(&none).iter().filter(|(_, verdict)| verdict == "not_analysed").count());
    assert!(unfinished > 0);
    let notes = document["notes"].to_string();
    assert!(
        notes.contains("the time for the whole run (1 s) was over before the comparison began"),
        "{notes}"
    );
    assert_eq!(compare(&["--total-timeout", "1", "--fail-on", "unknown"]).code, Some(100));
}
