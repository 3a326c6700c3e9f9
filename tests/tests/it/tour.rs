//! A newcomer's way through the tool, with real repositories, a real remote and the real git: clone, run, install the hook, have a bad
//! push stopped, accept what is meant, push.

use std::fs;

use regress_tests::clone::Clone;
use regress_tests::command::Run;
use serde_json::Value;

const START: &str = "\
/// Every tenth item is free.
pub fn fee(items: u32) -> u32 {
    let items = if items > 1000 { 1000 } else { items };
    (items - items / 10) * 5
}

pub fn average(a: u32, b: u32) -> u32 {
    ((a as u64 + b as u64) / 2) as u32
}
";

/// The discount goes, which is meant; the average overflows, which is not.
const CHANGED: &str = "\
pub fn fee(items: u32) -> u32 {
    let items = if items > 1000 { 1000 } else { items };
    items * 5
}

pub fn average(a: u32, b: u32) -> u32 {
    (a + b) / 2
}
";

const MENDED: &str = "\
pub fn fee(items: u32) -> u32 {
    let items = if items > 1000 { 1000 } else { items };
    items * 5
}

pub fn average(a: u32, b: u32) -> u32 {
    a / 2 + b / 2 + (a & b & 1)
}
";

/// Another difference of the function whose first one was accepted.
const FURTHER: &str = "\
pub fn fee(items: u32) -> u32 {
    let items = if items > 1000 { 1000 } else { items };
    items * 6
}

pub fn average(a: u32, b: u32) -> u32 {
    a / 2 + b / 2 + (a & b & 1)
}
";

const FAIL_ON: &str = "fail-on = \"difference\"\n";

#[track_caller]
fn has(run: &Run, words: &[&str]) {
    let all = format!("{}{}", run.stdout, run.stderr);
    for words in words {
        assert!(all.contains(words), "`{words}` in: {all}");
    }
}

#[track_caller]
fn ends(run: &Run, code: i32) {
    assert_eq!(run.code, Some(code), "{}{}", run.stdout, run.stderr);
}

/// Verdict, class and reasons of acceptance of a function.
#[track_caller]
fn standing(run: &Run, path: &str) -> (String, String, Vec<String>) {
    let document: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}", run.stderr));
    let functions = document["functions"].as_array().expect("functions");
    let function = functions.iter().find(|function| function["path"] == path).expect("is reported");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let accepted = function["accepted"].as_array().map_or(&[][..], Vec::as_slice);
    let reasons = accepted.iter().map(|entry| text(&entry["reason"])).collect();
    (text(&function["verdict"]), text(&function["class"]), reasons)
}

#[test]
fn from_a_clone_to_a_clean_push() {
    // A clone, and a first run: nothing has changed yet, and there is no older version.
    let clone = Clone::of_package(START);
    let first = clone.regress(&[]);
    ends(&first, 101);
    has(&first, &["is the first commit of this repository"]);

    // The hook.
    ends(&clone.regress(&["hook", "install"]), 0);
    has(&clone.regress(&["hook", "status"]), &["installed: "]);
    fs::create_dir(clone.root().join(".config")).expect("writable");
    clone.write(".config/regress.toml", FAIL_ON);
    has(&clone.regress(&["config", "show"]), &["fail-on = \"difference\"", "# .config/regress.toml:1"]);

    // A change, looked at before it is committed.
    clone.write("src/lib.rs", CHANGED);
    let found = clone.regress(&[]);
    ends(&found, 100);
    has(
        &found,
        &[
            "comparing HEAD",
            "regression[REG0001]: `average` panics",
            "behaviour change[REG0004]: `fee` returns a different result",
        ],
    );

    // A push without thinking is stopped, and the remote is as it was.
    let before = clone.remote("main");
    clone.commit("Simplify");
    let stopped = clone.try_git(&["push", "origin", "main"]);
    assert_ne!(stopped.code, Some(0));
    has(&stopped, &["regression[REG0001]: `average` panics", "the push is stopped"]);
    assert_eq!(clone.remote("main"), before);

    // The regression is mended, the other difference accepted. Without a reason it is not.
    clone.write("src/lib.rs", MENDED);
    clone.commit("Average without overflow");
    ends(&clone.regress(&["accept", "--function", "fee", "origin/main"]), 2);
    let nothing = clone.regress(&["accept", "--function", "average", "--reason", "why not", "origin/main"]);
    ends(&nothing, 101);
    has(&nothing, &["`average` was not seen to differ"]);
    assert!(!clone.root().join(".config/regress-accepted.toml").exists());
    let narrow = ["accept", "--function", "fee", "--reason", "x", "--when", "items < 3", "origin/main"];
    ends(&clone.regress(&narrow), 101);
    let accepted = clone.regress(&[
        "accept",
        "--function",
        "fee",
        "--reason",
        "The discount ends",
        "--when",
        "items >= 10",
        "origin/main",
    ]);
    ends(&accepted, 0);
    let file = fs::read_to_string(clone.root().join(".config/regress-accepted.toml")).expect("written");
    for line in [
        "function = \"tour::fee\"",
        "class = \"behaviour\"",
        "reason = \"The discount ends\"",
        "when = \"items >= 10\"",
    ] {
        assert!(file.lines().any(|other| other == line), "{line} in: {file}");
    }
    assert!(file.contains(&format!("commit = \"{before}\"")), "{file}");

    // It counts where it was written, and in a push only once it is committed.
    let compared = clone.regress(&["origin/main", "--message-format", "json"]);
    ends(&compared, 0);
    let reasons = vec!["The discount ends".to_owned()];
    assert_eq!(standing(&compared, "fee"), ("differs".to_owned(), "behaviour".to_owned(), reasons));
    has(
        &clone.regress(&["origin/main"]),
        &["accepted[REG0014]: `fee`", "The discount ends", "1 accepted difference"],
    );
    assert_ne!(clone.try_git(&["push", "origin", "main"]).code, Some(0));
    clone.commit("The discount ends");
    let pushed = clone.try_git(&["push", "origin", "main"]);
    ends(&pushed, 0);
    has(&pushed, &["accepted[REG0014]: `fee`"]);
    assert_eq!(clone.remote("main"), clone.head());

    // What was accepted once does not cover what comes later, and is said to be stale.
    clone.write("src/lib.rs", FURTHER);
    clone.commit("Dearer");
    let again = clone.try_git(&["push", "origin", "main"]);
    assert_ne!(again.code, Some(0));
    has(&again, &["behaviour change[REG0004]: `fee`", "is stale: the old version has it already"]);

    // Accepted anew, the old entry goes.
    ends(&clone.regress(&["accept", "--all-functions", "--reason", "Dearer", "origin/main"]), 0);
    let file = fs::read_to_string(clone.root().join(".config/regress-accepted.toml")).expect("written");
    assert!(file.contains("reason = \"Dearer\""), "{file}");
    clone.commit("Dearer, as decided");
    ends(&clone.try_git(&["push", "origin", "main"]), 0);
    ends(&clone.regress(&["hook", "uninstall"]), 0);
    assert!(!clone.root().join(".git/hooks/pre-push").exists());
}
