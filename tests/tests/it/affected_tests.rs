//! `cargo regress affected-tests`: which tests a change can affect, and which not.

use std::collections::BTreeSet;
use std::path::Path;

use regress_tests::command::{Run, run};
use regress_tests::repository::Repository;
use regress_tests::shared::SharedTarget;
use serde_json::Value as Json;

const MANIFEST: &str =
    "[package]\nname = \"chosen\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n";

const LIBRARY: &str = r#"//! Small functions, each with a test.

pub const LIMIT: u32 = 100;
pub static GREETING: &str = "hello";

/// Nobody but a test names it.
pub const ONLY_IN_A_TEST: u8 = 1;

pub fn limited(x: u32) -> u32 {
    if x > LIMIT { LIMIT } else { x }
}

pub fn doubled(x: u8) -> u16 {
    u16::from(x) * 2
}

pub fn largest<T: PartialOrd + Copy>(all: &[T]) -> Option<T> {
    let mut largest = *all.first()?;
    for one in all {
        if *one > largest {
            largest = *one;
        }
    }
    Some(largest)
}

pub trait Shape {
    fn area(&self) -> u32;

    fn name(&self) -> String {
        "shape".to_owned()
    }
}

pub struct Square(pub u32);
pub struct Strip(pub u32);

impl Shape for Square {
    fn area(&self) -> u32 {
        self.0 * self.0
    }
}

impl From<Strip> for String {
    fn from(strip: Strip) -> String {
        strip.name()
    }
}

impl Shape for Strip {
    fn area(&self) -> u32 {
        self.0
    }
}

pub fn total(shapes: &[Box<dyn Shape>]) -> u32 {
    shapes.iter().map(|shape| shape.area()).sum()
}

pub fn applied(f: impl Fn(u32) -> u32, x: u32) -> u32 {
    f(x)
}

pub fn in_thread(x: u32) -> u32 {
    std::thread::spawn(move || worked(x)).join().unwrap_or(0)
}

fn worked(x: u32) -> u32 {
    x + 7
}

pub fn table() -> &'static str {
    include_str!("table.txt")
}

#[macro_export]
macro_rules! three {
    () => {
        3
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn helper() -> u32 {
        5
    }

    #[test]
    fn of_limit() {
        assert_eq!(limited(200), 100);
    }

    #[test]
    fn of_doubled() {
        assert_eq!(doubled(4), 8);
    }

    #[test]
    fn of_helper() {
        assert_eq!(helper(), 5);
    }

    #[test]
    fn of_worked() {
        assert_eq!(worked(1), 8);
    }

    #[test]
    #[should_panic]
    fn of_panic() {
        assert_eq!(doubled(1), 3);
    }

    #[test]
    fn of_nothing() {
        assert_eq!(2 + 2, 4);
    }
}
"#;

const INTEGRATION: &str = r#"use chosen::*;

mod common;

#[test]
fn of_constant() {
    assert!(ONLY_IN_A_TEST < 100);
}

#[test]
fn of_static() {
    assert_eq!(GREETING.len(), 5);
}

#[test]
fn of_generic() {
    assert_eq!(largest(&[1, 3, 2]), Some(3));
}

#[test]
fn of_dyn() {
    let shapes: Vec<Box<dyn Shape>> = vec![Box::new(Square(2))];
    assert_eq!(total(&shapes), 4);
}

#[test]
fn of_strip() {
    assert_eq!(Strip(3).area(), 3);
}

#[test]
fn of_closure() {
    assert_eq!(applied(|x| doubled(x as u8).into(), 2), 4);
}

#[test]
fn of_thread() {
    assert_eq!(in_thread(1), 8);
}

#[test]
fn of_table() {
    assert_eq!(table().trim(), "1 2 3");
}

#[test]
fn of_macro() {
    assert_eq!(three!(), 3);
}

#[test]
fn of_common() {
    assert_eq!(common::shared(), 1);
}

#[test]
fn of_file() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data.txt")).unwrap();
    assert_eq!(text.trim(), "data");
}

#[test]
fn of_nothing() {
    assert_eq!(2 + 2, 4);
}
"#;

const FILES: [(&str, &str); 8] = [
    ("Cargo.toml", MANIFEST),
    ("src/lib.rs", LIBRARY),
    ("src/table.txt", "1 2 3\n"),
    ("tests/it.rs", INTEGRATION),
    ("tests/common/mod.rs", "pub fn shared() -> u8 {\n    1\n}\n"),
    ("tests/other.rs", "#[test]\nfn of_nothing() {\n    assert!(true);\n}\n"),
    ("tests/data.txt", "data\n"),
    ("NOTES.md", "notes\n"),
];

/// What any change affects: it may read any file.
const READS_FILES: &str = "chosen::it of_file";

/// All tests there are.
const ALL: [&str; 19] = [
    "chosen tests::of_limit",
    "chosen tests::of_doubled",
    "chosen tests::of_helper",
    "chosen tests::of_worked",
    "chosen tests::of_panic",
    "chosen tests::of_nothing",
    "chosen::it of_constant",
    "chosen::it of_static",
    "chosen::it of_generic",
    "chosen::it of_dyn",
    "chosen::it of_strip",
    "chosen::it of_closure",
    "chosen::it of_thread",
    "chosen::it of_table",
    "chosen::it of_macro",
    "chosen::it of_common",
    "chosen::it of_file",
    "chosen::it of_nothing",
    "chosen::other of_nothing",
];

fn repository() -> Repository {
    let repository = Repository::new().expect("a repository");
    for (path, text) in FILES {
        repository.write(path, text).expect("writable");
    }
    repository.commit_all("old").expect("a commit");
    repository
}

fn affected(repository: &Repository, target: &SharedTarget, words: &[&str]) -> Run {
    let mut args = vec!["affected-tests"];
    args.extend(words);
    args.extend(["--timeout", "5", "--target-dir", target.text()]);
    run(repository.root(), &args)
}

/// The names of the tests that are printed, documentation apart.
fn named(run: &Run) -> BTreeSet<String> {
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run.stdout.lines().filter(|line| !line.ends_with("::doc")).map(str::to_owned).collect()
}

fn text_of(root: &Path, path: &str) -> String {
    std::fs::read_to_string(root.join(path)).expect("a file of the package")
}

/// Which tests are affected if in this file this text is another, besides those that any change affects.
#[track_caller]
fn check(changes: &[(&str, &str, &str)], expected: &[&str]) {
    let (repository, target) = (repository(), SharedTarget::take());
    check_in(&repository, &target, changes, expected);
}

#[track_caller]
fn check_in(
    repository: &Repository,
    target: &SharedTarget,
    changes: &[(&str, &str, &str)],
    expected: &[&str],
) {
    let before: Vec<(&str, String)> =
        changes.iter().map(|(path, ..)| (*path, text_of(repository.root(), path))).collect();
    for (path, from, to) in changes {
        let text = text_of(repository.root(), path);
        assert!(text.contains(from), "{path} has no {from}");
        repository.write(path, &text.replacen(from, to, 1)).expect("writable");
    }
    let run = affected(repository, target, &["HEAD"]);
    let expected: BTreeSet<String> =
        expected.iter().chain([&READS_FILES]).map(|name| (*name).to_owned()).collect();
    assert_eq!(named(&run), expected, "{changes:?}\n{}", run.stderr);
    for (path, text) in before {
        repository.write(path, &text).expect("writable");
    }
}

#[test]
fn a_changed_function_affects_the_tests_that_may_run_it() {
    let (repository, target) = (repository(), SharedTarget::take());
    let library = "src/lib.rs";
    let check = |from: &str, to: &str, expected: &[&str]| {
        check_in(&repository, &target, &[(library, from, to)], expected);
    };
    check(
        "u16::from(x) * 2",
        "u16::from(x) * 3",
        &["chosen tests::of_doubled", "chosen tests::of_panic", "chosen::it of_closure"],
    );
    // Generic, and behind a closure of the library.
    check("if *one > largest {", "if *one < largest {", &["chosen::it of_generic"]);
    // In another thread.
    check("x + 7", "x + 8", &["chosen tests::of_worked", "chosen::it of_thread"]);
    // Behind `dyn`.
    check("self.0 * self.0", "self.0 + self.0", &["chosen::it of_dyn"]);
}

#[test]
fn what_is_no_function_affects_the_tests_that_use_it() {
    let (repository, target) = (repository(), SharedTarget::take());
    let library = "src/lib.rs";
    let check = |from: &str, to: &str, expected: &[&str]| {
        check_in(&repository, &target, &[(library, from, to)], expected);
    };
    check("ONLY_IN_A_TEST: u8 = 1", "ONLY_IN_A_TEST: u8 = 200", &["chosen::it of_constant"]);
    check("LIMIT: u32 = 100", "LIMIT: u32 = 101", &["chosen tests::of_limit"]);
    check("\"hello\"", "\"good day\"", &["chosen::it of_static"]);
    check("        3\n    };", "        4\n    };", &["chosen::it of_macro"]);
}

#[test]
fn code_of_tests_affects_the_tests_that_use_it() {
    let (repository, target) = (repository(), SharedTarget::take());
    let check = |path: &str, from: &str, to: &str, expected: &[&str]| {
        check_in(&repository, &target, &[(path, from, to)], expected);
    };
    check("src/lib.rs", "        5\n    }", "        6\n    }", &["chosen tests::of_helper"]);
    check("tests/common/mod.rs", "    1\n", "    2\n", &["chosen::it of_common"]);
    check("tests/it.rs", "GREETING.len(), 5", "GREETING.len(), 6", &["chosen::it of_static"]);
    check("src/lib.rs", "#[should_panic]\n", "#[should_panic]\n    #[ignore]\n", &["chosen tests::of_panic"]);
    // New ones, and one of a new name.
    check("tests/it.rs", "fn of_macro", "fn of_three", &["chosen::it of_three"]);
    check(
        "tests/other.rs",
        "fn of_nothing",
        "#[test]\nfn more() {}\n#[test]\nfn of_nothing",
        &["chosen::other more"],
    );
}

#[test]
fn what_is_proved_equal_affects_no_test() {
    check(&[("src/lib.rs", "if x > LIMIT { LIMIT } else { x }", "if LIMIT < x { LIMIT } else { x }")], &[]);
    // Nor what is only written otherwise.
    check(&[("src/lib.rs", "    x + 7\n", "    // More.\n    x   + 7\n")], &[]);
}

#[test]
fn a_method_that_comes_to_be_called_affects_the_test() {
    // The test now calls another function although its text is the same.
    let own = "impl Strip {\n    pub fn area(&self) -> u32 {\n        4\n    }\n}\n\npub fn total(";
    check(&[("src/lib.rs", "pub fn total(", own)], &["chosen::it of_strip"]);
}

#[test]
fn a_file_affects_the_tests_that_may_read_it() {
    let (repository, target) = (repository(), SharedTarget::take());
    let check = |path: &str, from: &str, to: &str, expected: &[&str]| {
        check_in(&repository, &target, &[(path, from, to)], expected);
    };
    // When it is compiled, and while it runs.
    check("src/table.txt", "2", "two", &["chosen::it of_table"]);
    check("tests/data.txt", "data", "other data", &[]);
    check("NOTES.md", "notes", "more notes", &[]);
}

#[test]
fn what_every_build_depends_on_affects_all_tests() {
    let everything: Vec<&str> = ALL.to_vec();
    check(&[("Cargo.toml", "0.1.0", "0.1.1")], &everything);
}

#[test]
fn nothing_is_affected_if_nothing_differs() {
    let (repository, target) = (repository(), SharedTarget::take());
    repository.write("NOTES.md", "notes\n").expect("writable");
    let run = affected(&repository, &target, &["HEAD..HEAD"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{}", run.stderr);
    assert!(run.stderr.contains("0 of 19 tests can be affected"), "{}", run.stderr);
}

#[test]
fn the_tests_are_told_with_reasons_and_run() {
    let (repository, target) = (repository(), SharedTarget::take());
    let changed = LIBRARY.replace("u16::from(x) * 2", "u16::from(x) * 3");
    repository.write("src/lib.rs", &changed).expect("writable");

    let json = affected(&repository, &target, &["--message-format", "json"]);
    let document: Json = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(document["counts"]["tests"], 19);
    assert_eq!(document["counts"]["affected"], 4);
    let of_doubled = &document["binaries"][0]["tests"][1];
    assert_eq!(of_doubled["name"], "tests::of_doubled");
    assert_eq!(of_doubled["reason"]["text"], "it may run or use `doubled`");
    assert!(json.stderr.contains("4 of 19 tests can be affected"), "{}", json.stderr);

    let nextest = affected(&repository, &target, &["--message-format", "nextest", "--quiet"]);
    assert_eq!(
        nextest.stdout,
        "(binary_id(=chosen) & (test(=tests::of_doubled) | test(=tests::of_panic))) | \
         (binary_id(=chosen::it) & (test(=of_closure) | test(=of_file)))\n"
    );
    assert_eq!(nextest.stderr, "");

    let run = affected(&repository, &target, &["--run"]);
    assert_ne!(run.code, Some(0), "{}", run.stdout);
    for line in ["test tests::of_doubled ... FAILED", "test of_closure ... FAILED", "test of_file ... ok"] {
        assert!(run.stdout.contains(line), "{line}: {}{}", run.stdout, run.stderr);
    }
    assert!(!run.stdout.contains("of_limit"), "{}", run.stdout);

    repository.commit_all("new").expect("a commit");
    let refused = affected(&repository, &target, &["HEAD..HEAD~1", "--run"]);
    assert_eq!(refused.code, Some(101));
    assert!(refused.stderr.contains("runs the tests of the working tree"), "{}", refused.stderr);
}

#[test]
fn a_harness_of_its_own_is_run_as_a_whole() {
    let (repository, target) = (repository(), SharedTarget::take());
    let manifest = format!("{MANIFEST}\n[[test]]\nname = \"own\"\nharness = false\n");
    repository.write("Cargo.toml", &manifest).expect("writable");
    repository.write("tests/own.rs", "fn main() {}\n").expect("writable");
    repository.commit_all("own harness").expect("a commit");
    repository.write("src/lib.rs", &LIBRARY.replace("x + 7", "x + 8")).expect("writable");
    let run = affected(&repository, &target, &[]);
    assert!(named(&run).contains("chosen::own"), "{}", run.stdout);
    assert!(run.stderr.contains("all of `chosen::own`"), "{}", run.stderr);
}

#[test]
fn all_tests_are_affected_if_those_of_the_old_version_do_not_build() {
    let (repository, target) = (repository(), SharedTarget::take());
    repository.write("tests/other.rs", "#[test]\nfn of_nothing() {\n    absent();\n}\n").expect("writable");
    repository.commit_all("broken").expect("a commit");
    repository.write("tests/other.rs", FILES[5].1).expect("writable");
    let run = affected(&repository, &target, &[]);
    assert_eq!(named(&run), ALL.iter().map(|name| (*name).to_owned()).collect(), "{}", run.stderr);
    assert!(run.stderr.contains("all tests count as affected"), "{}", run.stderr);
}

/// A package of which these are the library and its integration tests, if any.
fn small(library: &str, integration: &str) -> Repository {
    let repository = Repository::new().expect("a repository");
    repository.write("Cargo.toml", MANIFEST).expect("writable");
    repository.write("src/lib.rs", library).expect("writable");
    if !integration.is_empty() {
        repository.write("tests/it.rs", integration).expect("writable");
    }
    repository.commit_all("old").expect("a commit");
    repository
}

/// The tests that are affected if the file has this content, none read files.
#[track_caller]
fn check_small(repository: &Repository, target: &SharedTarget, path: &str, text: &str, expected: &[&str]) {
    let before = text_of(repository.root(), path);
    repository.write(path, text).expect("writable");
    let run = affected(repository, target, &["HEAD"]);
    let expected: BTreeSet<String> = expected.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(named(&run), expected, "{text}\n{}", run.stderr);
    repository.write(path, &before).expect("writable");
}

#[test]
fn a_proof_does_not_hold_for_who_reads_messages() {
    let library = "pub fn checked(x: u8) -> u8 {\n    if x > 5 { panic!(\"too large\") }\n    x\n}\n";
    let integration = "use chosen::checked;\n\n\
        #[test]\n#[should_panic(expected = \"large\")]\nfn message() {\n    checked(6);\n}\n\n\
        #[test]\n#[should_panic]\nfn panics() {\n    checked(6);\n}\n\n\
        #[test]\nfn caught() {\n    let caught = std::panic::catch_unwind(|| checked(6));\n    \
        assert_eq!(caught.unwrap_err().downcast_ref::<&str>(), Some(&\"too large\"));\n}\n";
    let (repository, target) = (small(library, integration), SharedTarget::take());
    let changed = library.replace("too large", "too big");
    check_small(&repository, &target, "src/lib.rs", &changed, &["chosen::it caught", "chosen::it message"]);
}

#[test]
fn a_proof_of_the_library_does_not_hold_for_another_build_of_it() {
    // Proved equal without `cfg(test)`, and not so with it.
    let library = "#[cfg(test)]\nfn step() -> u32 {\n    2\n}\n\n#[cfg(not(test))]\nfn step() -> u32 {\n    1\n}\n\n\
        pub fn next(x: u32) -> u32 {\n    x.wrapping_add(step())\n}\n\n\
        #[cfg(test)]\nmod tests {\n    #[test]\n    fn of_next() {\n        assert_eq!(super::next(1), 3);\n    }\n}\n";
    let integration = "#[test]\nfn of_next() {\n    assert_eq!(chosen::next(1), 2);\n}\n";
    let (repository, target) = (small(library, integration), SharedTarget::take());
    let changed = library.replace("x.wrapping_add(step())", "x.wrapping_add(1)");
    check_small(&repository, &target, "src/lib.rs", &changed, &["chosen tests::of_next"]);
}

#[test]
fn a_proof_within_bounds_is_none() {
    let library = "pub fn sum(all: &[u32]) -> u32 {\n    let mut sum = 0u32;\n    for one in all {\n        sum = sum.wrapping_add(*one);\n    }\n    sum\n}\n";
    let integration = "#[test]\nfn of_sum() {\n    assert_eq!(chosen::sum(&[1; 100]), 100);\n}\n";
    let (repository, target) = (small(library, integration), SharedTarget::take());
    let changed = library.replace("    sum\n}", "    if all.len() > 90 { 0 } else { sum }\n}");
    check_small(&repository, &target, "src/lib.rs", &changed, &["chosen::it of_sum"]);
    // The other way round: the sum is the same, and the steps are not.
    let equal = library.replace("in all {", "in all.iter().rev() {");
    check_small(&repository, &target, "src/lib.rs", &equal, &["chosen::it of_sum"]);
}

#[test]
fn a_test_that_starts_a_program_is_affected_by_what_the_program_runs() {
    let library = "pub fn answer() -> u32 {\n    42\n}\n\npub fn other() -> u32 {\n    1\n}\n";
    let integration = "use std::process::Command;\n\n#[test]\nfn of_program() {\n    \
        let output = Command::new(env!(\"CARGO_BIN_EXE_chosen\")).output().unwrap();\n    \
        assert_eq!(output.stdout, b\"42\\n\");\n}\n\n\
        #[test]\nfn of_other() {\n    assert_eq!(chosen::other(), 1);\n}\n";
    let repository = small(library, integration);
    let main = "fn main() {\n    println!(\"{}\", shown());\n}\n\nfn shown() -> u32 {\n    chosen::answer()\n}\n\n\
        #[cfg(test)]\nmod tests {\n    #[test]\n    fn of_shown() {\n        assert_eq!(super::shown(), 42);\n    }\n\n    \
        #[test]\n    fn of_nothing() {}\n}\n";
    repository.write("src/main.rs", main).expect("writable");
    repository.commit_all("program").expect("a commit");
    let target = SharedTarget::take();
    let changed = library.replace("42", "43");
    let expected = ["chosen::bin/chosen tests::of_shown", "chosen::it of_program"];
    check_small(&repository, &target, "src/lib.rs", &changed, &expected);
}

#[test]
fn crates_of_the_workspace_are_followed() {
    let repository = Repository::new().expect("a repository");
    let package = |name: &str, rest: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n{rest}")
    };
    let users = "[dependencies]\nhelper = { path = \"../helper\" }\nwords = { path = \"../words\" }\n";
    let files = [
        ("Cargo.toml", "[workspace]\nresolver = \"2\"\nmembers = [\"user\", \"helper\", \"words\"]\n".to_owned()),
        ("user/Cargo.toml", package("user", users)),
        ("helper/Cargo.toml", package("helper", "")),
        ("words/Cargo.toml", package("words", "[lib]\nproc-macro = true\n")),
        (
            "words/src/lib.rs",
            "use proc_macro::TokenStream;\n\n#[proc_macro]\npub fn answer(_: TokenStream) -> TokenStream {\n    \
             \"42\".parse().unwrap()\n}\n"
                .to_owned(),
        ),
        (
            "helper/src/lib.rs",
            "pub fn helped(x: u32) -> u32 {\n    x ^ 1\n}\n\n#[test]\nfn of_helped() {\n    assert_eq!(helped(2), 3);\n}\n"
                .to_owned(),
        ),
        (
            "user/src/lib.rs",
            "#[cfg(test)]\nmod tests {\n    #[test]\n    fn of_helper() {\n        assert_eq!(helper::helped(4), 5);\n    }\n\n    \
             #[test]\n    fn of_words() {\n        assert_eq!(words::answer!(), 42);\n    }\n\n    \
             #[test]\n    fn of_nothing() {}\n}\n"
                .to_owned(),
        ),
    ];
    for (path, text) in &files {
        repository.write(path, text).expect("writable");
    }
    repository.write(".gitignore", "/target\n").expect("writable");
    repository.commit_all("old").expect("a commit");
    let target = SharedTarget::take();
    let changed = files[5].1.replace("x ^ 1", "x ^ 3");
    check_small(&repository, &target, files[5].0, &changed, &["helper of_helped", "user tests::of_helper"]);
    let changed = files[4].1.replace("42", "43");
    check_small(&repository, &target, files[4].0, &changed, &["user tests::of_words"]);
}

/// `rare` is entered for 0 only.
const RARE: &str = "pub fn pick(x: u32) -> u32 {\n    if x == 0 { rare(x) } else { 1 }\n}\n\nfn rare(x: u32) -> u32 {\n    x + 5\n}\n";
const OF_RARE: &str = "use chosen::pick;\n\n#[test]\nfn enters() {\n    assert_eq!(pick(0), 5);\n}\n\n\
    #[test]\nfn passes_by() {\n    assert_eq!(pick(3), 1);\n}\n\n\
    #[test]\nfn in_thread() {\n    assert_eq!(std::thread::spawn(|| pick(3)).join().unwrap(), 1);\n}\n\n\
    #[test]\nfn by_hash() {\n    let all: std::collections::HashSet<u32> = [0, 1].into_iter().collect();\n    \
    assert_eq!(all.into_iter().map(|x| pick(x + 1)).sum::<u32>(), 2);\n}\n\n\
    #[test]\n#[ignore]\nfn ignored() {\n    assert_eq!(pick(3), 1);\n}\n";

#[test]
fn a_test_that_does_not_enter_what_changed_is_left_out() {
    let (repository, target) = (small(RARE, OF_RARE), SharedTarget::take());
    // What hangs on chance may enter it the next time, and what is not run may always do so.
    let expected = ["chosen::it by_hash", "chosen::it enters", "chosen::it ignored", "chosen::it in_thread"];
    let changed = RARE.replace("x + 5", "x + 6");
    check_small(&repository, &target, "src/lib.rs", &changed, &expected);
    // By what is kept of these runs.
    check_small(&repository, &target, "src/lib.rs", &changed, &expected);
}

#[test]
fn what_tells_of_no_entry_counts_as_entered() {
    let all = [
        "chosen::it by_hash",
        "chosen::it enters",
        "chosen::it ignored",
        "chosen::it in_thread",
        "chosen::it passes_by",
    ];
    let target = SharedTarget::take();
    let compiled = RARE.replace("fn rare", "const fn rare");
    let made = RARE.replace("fn rare(x: u32) -> u32 {\n    x + 5\n}", "macro_rules! made {\n    () => {\n        fn rare(x: u32) -> u32 {\n            x + 5\n        }\n    };\n}\nmade!();");
    for library in [compiled, made] {
        let repository = small(&library, OF_RARE);
        check_small(&repository, &target, "src/lib.rs", &library.replace("x + 5", "x + 6"), &all);
    }
}
