//! `cargo regress localize`: the lines behind a call or a test that does something else than before.

use std::process::Command;

use cargo_regress::report::localize::{CaseRecord, Document, Evidence, HunkStatus};
use regress_core::verdict::Version;
use regress_tests::cases::{LOCALIZED, fixtures_root};
use regress_tests::command::{Run, run};
use regress_tests::repository::Repository;
use regress_tests::shared::SharedTarget;

const MANIFEST: &str =
    "[package]\nname = \"located\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n";

/// `limit` and `share` changed, `twice` did not; `fee` is affected through `limit`.
const OLD: &str = r#"//! Small functions.

pub fn limit(x: i32) -> i32 {
    if x > 10 {
        return 10;
    }
    x
}

pub fn share(total: u32, parts: u32) -> Option<u32> {
    if parts == 0 {
        return None;
    }
    let each = total / parts;
    Some(each)
}

pub fn twice(x: u8) -> u16 {
    u16::from(x) * 2
}

pub fn fee(kind: &str, x: i32) -> i32 {
    if kind == "free" {
        return 0;
    }
    limit(x) + 1
}
"#;

fn new_source() -> String {
    OLD.replace("x > 10", "x >= 10")
        .replace("return 10;", "return 9;")
        .replace("total / parts", "total % parts")
}

fn repository(new: &str) -> Repository {
    let repository = Repository::new().expect("a repository");
    repository.write("Cargo.toml", MANIFEST).expect("writable");
    repository.write("src/lib.rs", OLD).expect("writable");
    repository.commit_all("old").expect("a commit");
    repository.write("src/lib.rs", new).expect("writable");
    repository.commit_all("new").expect("a commit");
    repository
}

fn localize(repository: &Repository, target: &SharedTarget, words: &[&str]) -> Run {
    let mut args = vec!["localize"];
    args.extend(words);
    args.extend(["--target-dir", target.text()]);
    run(repository.root(), &args)
}

fn document(run: &Run) -> Document {
    serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}{}", run.stdout, run.stderr))
}

#[track_caller]
fn only_case(run: &Run) -> CaseRecord {
    let mut document = document(run);
    assert_eq!(document.cases.len(), 1, "{document:?}");
    document.cases.remove(0)
}

fn json(repository: &Repository, target: &SharedTarget, words: &[&str]) -> Run {
    let mut words = words.to_vec();
    words.extend(["--message-format", "json"]);
    localize(repository, target, &words)
}

#[test]
fn the_line_behind_a_call_is_named_with_values() {
    let (repository, target) = (repository(&new_source()), SharedTarget::take());
    for with in ["rsc", "pc"] {
        let run = json(&repository, &target, &["--call", "limit(10)", "--with", with]);
        assert_eq!(run.code, Some(100), "{}", run.stderr);
        let case = only_case(&run);
        assert_eq!((case.call.as_deref(), case.method.as_deref()), (Some("limit(10)"), Some(with)));
        let first = &case.suspects[0];
        assert_eq!((first.version, first.file.as_str(), first.line), (Version::New, "src/lib.rs", 4));
        assert!(first.reason.contains("`x` = 10"), "{}", first.reason);
        assert!(first.reason.contains("`x >= 10`") && first.reason.contains("`x` = 9 "), "{}", first.reason);
        // The line of the old version stands in the same place.
        assert!(case.suspects.iter().all(|suspect| suspect.line == 4), "{case:?}");
    }
}

#[test]
fn where_the_conditions_agree_what_is_computed_is_told() {
    let (repository, target) = (repository(&new_source()), SharedTarget::take());
    let case = only_case(&json(&repository, &target, &["--call", "share(7, 2)"]));
    let first = &case.suspects[0];
    assert_eq!((first.version, first.line, first.evidence), (Version::New, 14, Evidence::Changed));
    assert!(
        first.reason.contains("total / parts") && first.reason.contains("total % parts"),
        "{}",
        first.reason
    );
    assert_eq!(
        (case.old.and_then(|old| old.value), case.new.and_then(|new| new.value)),
        (Some("Some(3)".into()), Some("Some(1)".into()))
    );
}

#[test]
fn a_caller_that_did_not_change_leads_to_the_line_that_did() {
    let (repository, target) = (repository(&new_source()), SharedTarget::take());
    let case = only_case(&json(&repository, &target, &["--call", "fee(\"paid\", 10)"]));
    assert_eq!((case.suspects[0].version, case.suspects[0].line), (Version::New, 4), "{case:?}");
    let text = localize(&repository, &target, &["--call", "fee(\"paid\", 10)", "--color", "never"]);
    assert!(
        text.stdout.contains("behaviour change: `fee(\"paid\", 10)` does something else than before"),
        "{}",
        text.stdout
    );
    assert!(
        text.stdout.contains(
            "suspect 1: only the new version treats `x` = 10 and `x` = 9 differently here (`x >= 10`)"
        ),
        "{}",
        text.stdout
    );
    assert!(text.stdout.contains("returned `11`, now returns `10`"), "{}", text.stdout);
}

#[test]
fn there_may_be_nothing_to_localize() {
    let (repository, target) = (repository(&new_source()), SharedTarget::take());
    let run = json(&repository, &target, &["--call", "limit(3)"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let case = only_case(&run);
    assert!(!case.located && case.suspects.is_empty());
    assert_eq!(case.reason.as_deref(), Some("it returns `3` in both versions"));
}

#[test]
fn calls_that_cannot_be_made_are_refused() {
    let (repository, target) = (repository(&new_source()), SharedTarget::take());
    for (call, complaint) in [
        ("limit", "is no call"),
        ("nowhere(1)", "there is no function `nowhere`"),
        ("limit(1, 2)", "takes 1 arguments, not 2"),
        ("limit(3000000000)", "is not read as a value of `i32`"),
        ("limit(x)", "is not read as a value of `i32`"),
    ] {
        let run = localize(&repository, &target, &["--call", call]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(101), ""), "{call}: {}", run.stderr);
        assert!(run.stderr.contains(complaint), "{call}: {}", run.stderr);
    }
}

const UNIT_TESTS: &str = r#"
#[cfg(test)]
mod tests {
    #[test]
    fn limits() {
        assert_eq!(super::limit(3), 3);
        assert_eq!(super::limit(10), 10);
    }

    #[test]
    fn doubles() {
        assert_eq!(super::twice(4), 8);
    }
}
"#;

/// Integration tests, by file. Those of `api.rs` and `fresh.rs` are in the new version only.
const PAID: &str = r#"
#[test]
fn paid() {
    assert_eq!(located::fee("free", 10), 0);
    assert_eq!(located::fee("paid", 10), 11);
}

#[test]
fn wrong_from_the_start() {
    assert_eq!(located::fee("free", 1), 1);
}

#[test]
fn now_and_then() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/count");
    let count: u32 = std::fs::read_to_string(path).ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    std::fs::write(path, (count + 1).to_string()).unwrap();
    assert_eq!(count % 2, 0);
}
"#;
const FRESH: &str = "#[test]\nfn above() {\n    assert_eq!(located::limit(11), 10);\n}\n";
const API: &str = "#[test]\nfn uses_what_is_new() {\n    assert_eq!(located::thrice(2), 6);\n}\n";

fn tested() -> Repository {
    let repository = Repository::new().expect("a repository");
    repository.write("Cargo.toml", MANIFEST).expect("writable");
    repository.write("src/lib.rs", &format!("{OLD}{UNIT_TESTS}")).expect("writable");
    repository.write("tests/paid.rs", PAID).expect("writable");
    repository.commit_all("old").expect("a commit");
    let thrice = "\npub fn thrice(x: u8) -> u16 {\n    u16::from(x) * 3\n}\n";
    repository.write("src/lib.rs", &format!("{}{thrice}{UNIT_TESTS}", new_source())).expect("writable");
    repository.write("tests/fresh.rs", FRESH).expect("writable");
    repository.write("tests/api.rs", API).expect("writable");
    repository.commit_all("new").expect("a commit");
    repository
}

#[test]
fn tests_lead_to_the_calls_that_they_make() {
    let (repository, target) = (tested(), SharedTarget::take());
    let before = repository.snapshot().expect("readable");
    let run = json(&repository, &target, &[]);
    assert_eq!(run.code, Some(100), "{}", run.stderr);
    let document = document(&run);
    let located: Vec<&CaseRecord> = document.cases.iter().filter(|case| case.located).collect();
    let told: Vec<_> = located
        .iter()
        .map(|case| {
            (case.test.as_deref(), case.call.as_deref(), case.suspects.first().map(|first| first.line))
        })
        .collect();
    assert_eq!(
        told,
        [
            (Some("tests::limits"), Some("limit(10)"), Some(4)),
            (Some("above"), Some("limit(11)"), Some(5)),
            (Some("paid"), Some("fee(\"paid\", 10)"), Some(4)),
        ],
        "{document:?}"
    );
    // Two lines that stand together, one further down, and a function more.
    for (case, lines) in located.iter().zip([(4, 5), (4, 5), (4, 5)]) {
        let hunks = case.hunks.as_ref().expect("they were told apart");
        assert_eq!((hunks.all, hunks.status, hunks.needed.len()), (3, HunkStatus::Minimal, 1), "{case:?}");
        let needed = &hunks.needed[0];
        assert_eq!((needed.file.as_str(), needed.new_lines), ("src/lib.rs", Some(lines)), "{case:?}");
        assert_eq!(needed.vanishes_without, Some(true), "{case:?}");
    }
    assert!(located.iter().all(|case| case.method.as_deref() == Some("rsc")), "{document:?}");
    assert!(
        document.notes.iter().any(|note| note.contains("tests of the old version do not build")),
        "{document:?}"
    );
    assert_eq!(repository.snapshot().expect("readable"), before);

    for (test, reason) in [
        ("tests::doubles", "it passes on both versions"),
        ("wrong_from_the_start", "it fails on both versions"),
        ("uses_what_is_new", "it does not build against the old version: cannot find function `thrice`"),
        ("now_and_then", "it is flaky: on the"),
    ] {
        let run = json(&repository, &target, &["--test", test]);
        assert_eq!(run.code, Some(0), "{test}: {}{}", run.stdout, run.stderr);
        let case = only_case(&run);
        assert!(case.reason.as_deref().is_some_and(|said| said.starts_with(reason)), "{test}: {case:?}");
    }
    let missing = json(&repository, &target, &["--test", "nowhere"]);
    assert_eq!((missing.code, missing.stdout.as_str()), (Some(101), ""), "{}", missing.stderr);
}

/// The source with examples in the documentation of `limit`, of which the last is told to expect something else.
fn with_examples(source: &str, expected: &str) -> String {
    let examples = format!(
        "/// At most ten.\n///\n/// ```\n/// assert_eq!(located::limit(3), 3);\n/// ```\n///\n\
         /// ```\n/// # use located::limit;\n/// assert_eq!(limit(10), 10);\n/// ```\n///\n\
         /// ```\n/// assert_eq!(located::limit(11), {expected});\n/// ```\n"
    );
    source.replace("pub fn limit", &format!("{examples}pub fn limit"))
}

#[test]
fn examples_in_documentation_are_tests() {
    let (repository, target) = (Repository::new().expect("a repository"), SharedTarget::take());
    repository.write("Cargo.toml", MANIFEST).expect("writable");
    repository.write("src/lib.rs", &with_examples(OLD, "10")).expect("writable");
    repository.commit_all("old").expect("a commit");
    let moved = with_examples(&new_source(), "11").replace("//! Small", "//! Few and\n//! small");
    repository.write("src/lib.rs", &moved).expect("writable");
    let second = repository.commit_all("new").expect("a commit");
    let run = json(&repository, &target, &["--emit-bisect"]);
    let document = document(&run);
    let [located, other] = document.cases.as_slice() else { panic!("{document:?}\n{}", run.stderr) };
    assert_eq!(located.test.as_deref(), Some("src/lib.rs - limit (line 10)"));
    assert_eq!((located.call.as_deref(), located.method.as_deref()), (Some("limit(10)"), Some("rsc")));
    assert_eq!(
        (located.suspects[0].file.as_str(), located.suspects[0].line),
        ("src/lib.rs", 19),
        "{located:?}"
    );
    let hunks = located.hunks.as_ref().expect("they were told apart");
    assert_eq!((hunks.status, hunks.needed.len()), (HunkStatus::Minimal, 1), "{hunks:?}");
    assert_eq!(hunks.needed[0].vanishes_without, Some(true), "{hunks:?}");
    // It fails, but the old version has another one in its place.
    assert_eq!(other.test.as_deref(), Some("src/lib.rs - limit (line 15)"));
    assert_eq!(other.reason.as_deref(), Some("the old version has no such test, or ignores it"));

    let named = json(&repository, &target, &["--test", "src/lib.rs - limit (line 6)"]);
    assert_eq!(only_case(&named).reason.as_deref(), Some("it passes on both versions"), "{}", named.stderr);

    let command = located.bisect.as_ref().expect("a command was asked for");
    let output = Command::new("sh")
        .args(["-c", command])
        .env("CARGO_TARGET_DIR", repository.root().join("target"))
        .current_dir(repository.root())
        .output()
        .expect("a shell can be run");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains(&format!("{second} is the first bad commit")), "{command}\n{text}");
}

/// Two commits of a library with one test.
fn step(old: &str, new: &str, test: &str) -> Repository {
    let repository = Repository::new().expect("a repository");
    repository.write("Cargo.toml", MANIFEST).expect("writable");
    repository.write("tests/only.rs", test).expect("writable");
    for (version, text) in [("old", old), ("new", new)] {
        repository.write("src/lib.rs", text).expect("writable");
        repository.commit_all(version).expect("a commit");
    }
    repository
}

/// Functions that take closures are not called by themselves. Of what changed the test executes one line.
#[test]
fn where_no_call_can_be_followed_what_is_executed_counts() {
    const OLD: &str = r#"pub fn end<F: Fn(u8) -> bool>(items: &[u8], back: bool, is_meant: F) -> Option<u8> {
    if back {
        return items.iter().rev().copied().find(|item| is_meant(*item));
    }
    items.iter().copied().find(|item| is_meant(*item))
}

pub fn swap<F: Fn(u8) -> u8>(pair: (u8, u8), with: F) -> (u8, u8) {
    (with(pair.1), with(pair.0))
}
"#;
    const TEST: &str =
        "#[test]\nfn the_front() {\n    assert_eq!(located::end(&[1, 2], false, |x| x > 0), Some(1));\n}\n";
    let new = OLD
        .replace("items.iter().rev().copied()", "items.iter().copied()")
        .replace(
            "items.iter().copied().find(|item| is_meant(*item))\n",
            "items.iter().copied().rev().find(|item| is_meant(*item))\n",
        )
        .replace("(with(pair.1), with(pair.0))", "(with(pair.0), with(pair.1))");
    let (repository, target) = (step(OLD, &new, TEST), SharedTarget::take());
    let case = only_case(&json(&repository, &target, &["--test", "the_front"]));
    assert_eq!(case.method.as_deref(), Some("coverage"), "{case:?}");
    let lines: Vec<_> = case.suspects.iter().map(|line| (line.version, line.line)).collect();
    assert_eq!(lines, [(Version::New, 5)], "{case:?}");
    assert!(case.suspects[0].reason.contains("left: Some(2)"), "{case:?}");
    let hunks = case.hunks.expect("they were told apart");
    // All, the one that is executed, and the others without it.
    assert_eq!((hunks.all, hunks.needed.len(), hunks.runs), (3, 1, 3), "{hunks:?}");
    let whole = only_case(&json(&repository, &target, &["--test", "the_front", "--hunk-time", "0"]));
    assert_eq!(whole.suspects[0].line, 5, "{whole:?}");
    assert!(whole.suspects.iter().all(|line| line.line != 3 && line.line != 9), "{whole:?}");
}

#[test]
fn calls_of_generic_functions_are_captured_at_their_types() {
    const OLD: &str = r#"pub fn nth<T: Copy>(items: &[T], at: usize) -> Option<T> {
    if at > items.len() {
        return None;
    }
    items.get(at).copied()
}

pub fn letters(text: impl AsRef<str>, least: usize) -> bool {
    text.as_ref().len() >= least
}
"#;
    const TESTS: &str = r#"
#[test]
fn the_second() {
    assert_eq!(located::nth(&[true, false], 0), Some(true));
    assert_eq!(located::nth(&[1u8, 2], 1), Some(2));
    assert_eq!(located::nth(&[3i64], 0), Some(3));
}

#[test]
fn three_letters() {
    assert!(located::letters(String::from("abc"), 3));
}
"#;
    let new = OLD.replace("at > items.len()", "at + 1 >= items.len()").replace(">= least", "> least");
    let (repository, target) = (step(OLD, &new, TESTS), SharedTarget::take());
    let run = json(&repository, &target, &[]);
    let document = document(&run);
    let told: Vec<_> = document
        .cases
        .iter()
        .map(|case| {
            let first = case.suspects.first().map(|line| (line.version, line.line));
            (case.test.as_deref(), case.call.as_deref(), case.method.as_deref(), first)
        })
        .collect();
    assert_eq!(
        told,
        [
            (Some("the_second"), Some("nth(&[1, 2], 1)"), Some("rsc"), Some((Version::New, 2))),
            (Some("three_letters"), Some("letters(\"abc\", 3)"), Some("rsc"), Some((Version::New, 9))),
        ],
        "{document:?}"
    );
}

/// A value that is shown by its `Debug`, which calls what changed.
#[test]
fn showing_an_argument_is_no_call_of_the_test() {
    const OLD: &str = r#"use std::fmt;

pub struct Account {
    cents: u32,
    _observer: Option<std::sync::mpsc::Sender<u32>>,
}

impl Account {
    pub fn of(cents: u32) -> Account {
        Account { cents, _observer: None }
    }

    pub fn worth(&self) -> u32 {
        fee(self.cents) + 1
    }
}

impl fmt::Debug for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", fee(self.cents))
    }
}

pub fn fee(cents: u32) -> u32 {
    if cents > 100 {
        return 1;
    }
    0
}
"#;
    const TEST: &str = "#[test]\nfn charged() {\n    assert!(located::Account::of(3).worth() > 0);\n    \
                        assert_eq!(located::fee(100), 0);\n}\n";
    let new = OLD.replace("cents > 100", "cents >= 100");
    let (repository, target) = (step(OLD, &new, TEST), SharedTarget::take());
    let case = only_case(&json(&repository, &target, &["--test", "charged"]));
    assert_eq!((case.call.as_deref(), case.method.as_deref()), (Some("fee(100)"), Some("rsc")), "{case:?}");
    assert_eq!(case.suspects[0].line, 25, "{case:?}");
}

#[test]
fn emitted_tests_hold_for_the_old_version_only() {
    let (repository, target) = (repository(&new_source()), SharedTarget::take());
    let file = repository.root().join("emitted.rs");
    let file_text = file.to_str().expect("a temporary path is text");
    for call in ["limit(10)", "share(7, 2)"] {
        let words = ["--call", call, "--emit-test", file_text, "--hunk-time", "0", "HEAD~1"];
        let run = localize(&repository, &target, &words);
        assert_eq!(run.code, Some(100), "{}", run.stderr);
        let emitted = std::fs::read_to_string(&file).expect("a test was written");
        for (source, passes) in [(OLD, true), (new_source().as_str(), false)] {
            repository.write("src/lib.rs", &format!("{source}\n{emitted}")).expect("writable");
            let output = Command::new("cargo")
                .args(["test", "--quiet", "--lib", "--target-dir"])
                .arg(repository.root().join("target"))
                .current_dir(repository.root())
                .output()
                .expect("cargo can be run");
            let text = String::from_utf8_lossy(&output.stdout);
            assert_eq!(output.status.success(), passes, "{text}\n{emitted}");
            assert!(text.contains("does_what_it_did") || text.contains("1 passed"), "{text}");
        }
        repository.write("src/lib.rs", &new_source()).expect("writable");
    }
}

#[test]
fn git_finds_the_commit_by_the_command_that_is_told() {
    let (repository, target) = (Repository::new().expect("a repository"), SharedTarget::take());
    repository.write("Cargo.toml", MANIFEST).expect("writable");
    let steps = [
        OLD.to_owned(),
        OLD.replace("u16::from(x) * 2", "u16::from(x) << 1"),
        OLD.replace("x > 10", "x >= 10").replace("return 10;", "return 9;"),
        new_source(),
        new_source().replace("//! Small functions.", "//! Functions."),
    ];
    let commits: Vec<_> = steps
        .iter()
        .map(|step| {
            repository.write("src/lib.rs", &format!("{step}{UNIT_TESTS}")).expect("writable");
            repository.commit_all("a step").expect("a commit")
        })
        .collect();
    let old = commits[0].to_string();
    let run =
        json(&repository, &target, &["--test", "tests::limits", "--hunk-time", "0", "--emit-bisect", &old]);
    let command = only_case(&run).bisect.expect("a command was asked for");
    let output = Command::new("sh")
        .args(["-c", &command])
        .env("CARGO_TARGET_DIR", repository.root().join("target"))
        .current_dir(repository.root())
        .output()
        .expect("a shell can be run");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains(&format!("{} is the first bad commit", commits[2])), "{command}\n{text}");
}

/// The fixture of a forgotten reset: a test fails, a method of several changed ones is to blame.
#[test]
fn the_line_is_found_among_many_changed_ones() {
    let root = fixtures_root().join(LOCALIZED).join("tokenizer");
    let (repository, target) = (Repository::new().expect("a repository"), SharedTarget::take());
    for version in ["old", "new"] {
        repository.commit_directory(&root.join(version), version).expect("a commit");
    }
    let test = std::fs::read_to_string(root.join("test")).expect("a subject has a test");
    let case = only_case(&json(&repository, &target, &["--test", test.trim()]));
    let first = case.suspects.first().expect("a line is told");
    let text = std::fs::read_to_string(repository.root().join(&first.file)).expect("readable");
    let line = text.lines().nth(first.line as usize - 1).expect("the line is there");
    assert!(first.version == Version::New && line.contains("//~ CAUSE"), "{line}: {case:?}");
    let hunks = case.hunks.expect("the hunks were told apart");
    assert!(hunks.all > 10 && hunks.needed.len() < 5, "{hunks:?}");
    assert!(hunks.needed.iter().any(|hunk| hunk.vanishes_without == Some(true)), "{hunks:?}");
}
