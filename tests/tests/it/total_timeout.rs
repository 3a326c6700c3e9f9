//! The time for the whole run: what is not reached is said to be so, and never taken for something else.

use std::fs;
use std::path::Path;

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

/// Functions of which each search takes seconds: whether a guard ever holds is a question on three rounds of multiplication.
const HARD: [&str; 4] = ["mixed_1", "mixed_2", "mixed_3", "mixed_4"];

fn hard_and_easy(added: &str, step: u8) -> String {
    let hard = |name: &str| {
        let guard = |key: u64| {
            format!(
                "if scrambled(n ^ {key}) ^ scrambled(!n) == {} {{ return n{added} }}",
                key.wrapping_mul(0x0123_4567_89AB_CDEF)
            )
        };
        let guards: Vec<String> = (3..9).map(guard).collect();
        format!("pub fn {name}(n: u64) -> u64 {{ {} n }}\n", guards.join(" "))
    };
    let scrambled = "
fn scrambled(n: u64) -> u64 {
    let mut hash = n;
    for factor in [0x9E37_79B9_7F4A_7C15_u64, 0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB] {
        hash = (hash ^ (hash >> 29)).wrapping_mul(factor ^ n);
    }
    hash
}
";
    let easy = format!(
        "fn step(n: u8) -> u8 {{ n.wrapping_add({step}) }}
pub fn calls_step(n: u8) -> u8 {{ step(n) / 2 }}
"
    );
    HARD.map(hard).concat() + scrambled + &easy
}

/// What native runs show of a function does not wait for searches of others, and stands when the time is over.
#[test]
fn functions_that_take_long_keep_none_from_its_turn() {
    let repository = Repository::new().unwrap();
    repository.write("Cargo.toml", "[package]\nname = \"turns\"\nedition = \"2024\"\n").unwrap();
    for (source, version) in [(hard_and_easy("", 1), "old"), (hard_and_easy(" ^ 1", 2), "new")] {
        repository.write("src/lib.rs", &source).unwrap();
        repository.commit_all(version).unwrap();
    }
    let target = SharedTarget::take();
    let compare = |args: &[&str]| {
        let common = ["--target-dir", target.text(), "--message-format", "json", "--fresh", "HEAD~1"];
        run(repository.root(), &[&common, args].concat())
    };
    let cached = || {
        let folder = Path::new(target.text()).join("regress/reports");
        fs::read_dir(folder).into_iter().flatten().count()
    };
    // Builds both versions.
    let before = cached();
    compare(&["--timeout", "1"]);
    let whole = cached();
    assert_eq!(whole, before + 1);
    let found = compare(&["--timeout", "60", "--total-timeout", "12"]);
    // The next run is not to stop where this one did.
    assert_eq!(cached(), whole);
    let of = |path: &str| {
        let found = verdicts(&found).into_iter().find(|(name, _)| name == path);
        found.unwrap_or_else(|| panic!("no `{path}`")).1
    };
    assert_eq!(of("step"), "differs", "{}", found.stdout);
    assert_eq!(of("calls_step"), "differs", "{}", found.stdout);
    // Run natively, and no more is known.
    for name in HARD {
        assert_eq!(of(name), "no_difference_found", "{}", found.stdout);
    }
    let document: Value = serde_json::from_str(&found.stdout).unwrap();
    let unfinished: Vec<&str> =
        document["unfinished"].as_array().unwrap().iter().map(|path| path.as_str().unwrap()).collect();
    assert!(!unfinished.is_empty() && unfinished.iter().all(|path| HARD.contains(path)), "{unfinished:?}");
}

/// Of many functions cargo builds the last ones while the first are compared.
#[test]
fn functions_that_are_built_later_are_run_natively() {
    let repository = Repository::new().unwrap();
    repository.write("Cargo.toml", "[package]\nname = \"many\"\nedition = \"2024\"\n").unwrap();
    let callers: Vec<String> =
        (0..130).map(|n| format!("pub fn caller_{n}(x: u8) -> u8 {{ shared(x) ^ {n} }}\n")).collect();
    for (body, version) in [("x / 2", "old"), ("x >> 1", "new")] {
        let shared = format!("fn shared(x: u8) -> u8 {{ {body} }}\n");
        repository.write("src/lib.rs", &(shared + &callers.concat())).unwrap();
        repository.commit_all(version).unwrap();
    }
    let target = SharedTarget::take();
    let args = [
        "--target-dir",
        target.text(),
        "--message-format",
        "json",
        "--fresh",
        "--stats",
        "--total-timeout",
        "300",
    ];
    let found = run(repository.root(), &[&args[..], &["HEAD~1"]].concat());
    let document: Value = serde_json::from_str(&found.stdout).unwrap();
    let functions = document["functions"].as_array().unwrap();
    assert_eq!(functions.len(), 131);
    for function in functions {
        assert_eq!(function["verdict"], "equal", "{function}");
    }
    assert!(document["unfinished"].is_null(), "{}", document["unfinished"]);
    // A thousand for each; without the last ones it would be 121,000 at most.
    let counted = found.stderr.lines().find(|line| line.ends_with("random runs of both versions"));
    let runs =
        counted.and_then(|line| line.split_whitespace().next()).unwrap_or_else(|| panic!("{}", found.stderr));
    assert!(runs.parse::<u64>().unwrap() > 125_000, "{}", found.stderr);
}

/// What is done before cargo builds the harness looks at the time too.
#[test]
fn a_large_crate_ends_soon_after_its_time() {
    const FUNCTIONS: usize = 1_200;
    let repository = Repository::new().unwrap();
    repository.write("Cargo.toml", "[package]\nname = \"large\"\nedition = \"2024\"\n").unwrap();
    // Each leads to all others, and the change to the last one affects them all.
    let function = |number: usize, last: &str| {
        let call = |step: usize| format!("f_{}(x / 2)", (number + step) % FUNCTIONS);
        let value = if number + 1 == FUNCTIONS { last.to_owned() } else { format!("x ^ {number}") };
        let (one, other) = (call(1), call(7));
        format!("pub fn f_{number}(x: u32) -> u32 {{ if x < 2 {{ return {value} }} {one} ^ {other} }}\n")
    };
    for (last, version) in [("x", "old"), ("x + 1", "new")] {
        let source: String = (0..FUNCTIONS).map(|number| function(number, last)).collect();
        repository.write("src/lib.rs", &source).unwrap();
        repository.commit_all(version).unwrap();
    }
    let target = SharedTarget::take();
    let compare = |total: u64| {
        let args = ["--target-dir", target.text(), "--message-format", "json", "--fresh", "--stats"];
        let found =
            run(repository.root(), &[&args[..], &["--total-timeout", &total.to_string(), "HEAD~1"]].concat());
        let document: Value = serde_json::from_str(&found.stdout).unwrap();
        let late = verdicts(&found).iter().filter(|(_, verdict)| verdict == "not_analysed").count();
        let unfinished = document["unfinished"].as_array().map_or(0, Vec::len);
        assert_eq!(late, unfinished, "within {total} s");
        let seconds = |stage: &str| document["stats"]["seconds"][stage].as_f64().unwrap_or_default();
        let read: f64 = ["versions", "extraction", "reading"].into_iter().map(seconds).sum();
        (read, document["summary"]["duration_seconds"].as_f64().unwrap(), late)
    };
    // What is read is kept, so the last run is over while it builds.
    compare(1);
    let (read, ..) = compare(1);
    let total = read.ceil() as u64 + 2;
    let (read, whole, late) = compare(total);
    assert!(late > 0);
    // Reading goes on to its end.
    let most = read.max(total as f64) + 4.0;
    assert!(whole < most, "{whole} s of {total} s");
}
