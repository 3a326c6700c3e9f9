//! `cargo regress explore`: what it says can be read, and the tests that it writes compile and pass.

use std::process::Command;

use regress_tests::command::{Run, run};
use regress_tests::repository::Repository;
use regress_tests::shared::SharedTarget;
use serde_json::Value;

const MANIFEST: &str =
    "[package]\nname = \"explored\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n";

const SOURCE: &str = r#"//! Small functions of many shapes.

/// Figure 1 of the 2011 paper.
pub fn figure(x: i32, y: i32, z: i32) -> i32 {
    let a = if x > y { x } else { y };
    let mut b = 2;
    if x.wrapping_add(y) > 10 {
        b = a;
    }
    if z.wrapping_mul(z) > 3 {
        std::hint::black_box(z);
    }
    b
}

pub fn thirds(x: u8, parts: u8) -> u8 {
    x / (parts - 3)
}

pub fn first_digit(s: &str) -> Option<u8> {
    let bytes = s.as_bytes();
    if bytes.len() == 1 && bytes[0] >= b'0' && bytes[0] <= b'9' { Some(bytes[0] - b'0') } else { None }
}

pub struct Point {
    x: i16,
    pub y: i16,
}

pub enum Side {
    Left,
    Right(i16),
}

fn side(point: &Point) -> Side {
    if point.x < 0 { Side::Left } else { Side::Right(point.y) }
}

pub fn settle(point: &mut Point, limit: Option<i16>) {
    if let Some(limit) = limit {
        if point.y > limit {
            point.y = limit;
        }
    }
    let _ = side(point);
}

pub fn fill(xs: &mut [u8], with: u8) -> usize {
    if xs.len() > 1 {
        xs[0] = with;
    }
    xs.len()
}
"#;

fn repository() -> Repository {
    let repository = Repository::new().expect("a repository");
    repository.write("Cargo.toml", MANIFEST).expect("writable");
    repository.write("src/lib.rs", SOURCE).expect("writable");
    repository.commit_all("a version").expect("a commit");
    repository
}

fn explore(repository: &Repository, target: &SharedTarget, words: &[&str]) -> Run {
    let mut args = vec!["explore"];
    args.extend(words);
    args.extend(["--max-len", "2", "--target-dir", target.text()]);
    run(repository.root(), &args)
}

fn document(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}", run.stderr))
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().expect("a list").iter().filter_map(Value::as_str).collect()
}

/// Conditions and outputs, sorted by the output.
fn rows(document: &Value) -> Vec<(Vec<&str>, Vec<&str>)> {
    let partitions = document["partitions"].as_array().expect("partitions");
    let mut rows: Vec<_> = partitions
        .iter()
        .map(|partition| (strings(&partition["conditions"]), strings(&partition["output"])))
        .collect();
    rows.sort_by(|a, b| a.1.cmp(&b.1));
    rows
}

#[test]
fn signatures_read_like_the_source() {
    let (repository, target) = (repository(), SharedTarget::take());
    let figure = document(&explore(&repository, &target, &["figure", "--message-format", "json"]));
    assert_eq!(figure["completeness"], "proved");
    assert_eq!(
        rows(&figure),
        [
            (vec!["x + y <= 10"], vec!["2"]),
            (vec!["x > y", "x + y > 10"], vec!["x"]),
            (vec!["x <= y", "x + y > 10"], vec!["y"]),
        ]
    );
    let paths = document(&explore(
        &repository,
        &target,
        &["figure", "--strategy", "dart", "--message-format", "json"],
    ));
    assert_eq!(paths["partitions"].as_array().map(Vec::len), Some(8));
    let human = explore(&repository, &target, &["thirds", "--color", "never"]).stdout;
    for part in
        ["fn thirds(x: u8, parts: u8) -> u8", "x / (parts - 3)", "panics: ", "parts == 3", "these are all"]
    {
        assert!(human.contains(part), "{part} is not in\n{human}");
    }
    let digit = document(&explore(&repository, &target, &["first_digit", "--message-format", "json"]));
    let some = rows(&digit).into_iter().find(|(_, output)| output[0] != "None").expect("a digit is found");
    assert!(some.0.contains(&"s.len() == 1"), "{some:?}");
    assert!(some.0.contains(&"(b'0'..=b'9').contains(&s.as_bytes()[0])"), "{some:?}");
    assert_eq!(some.1, ["Some(s.as_bytes()[0] - b'0')"]);
    let settle = document(&explore(&repository, &target, &["settle", "--message-format", "json"]));
    let cut =
        rows(&settle).into_iter().find(|(conditions, _)| conditions.len() == 2).expect("a limit may cut");
    assert_eq!(cut.0, ["limit.is_some()", "point.y > limit.Some.0"]);
    assert_eq!(cut.1, ["*point = Point { x: point.x, y: limit.Some.0 }"]);
}

#[test]
fn emitted_tests_compile_and_pass() {
    let (repository, target) = (repository(), SharedTarget::take());
    let mut source = SOURCE.to_owned();
    let mut expected = 0;
    for function in ["figure", "thirds", "first_digit", "side", "settle", "fill"] {
        let file = repository.root().join("partitions.rs");
        let file_text = file.to_str().expect("a temporary path is text");
        let run = explore(&repository, &target, &[function, "--emit-tests", file_text]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let tests = std::fs::read_to_string(&file).expect("the tests were written");
        assert!(!tests.contains("left out"), "{tests}");
        let formatted = explore(&repository, &target, &[function, "--emit-tests", "-"]).stdout;
        assert_eq!(tests, formatted);
        expected += tests.matches("#[test]").count();
        source.push('\n');
        source.push_str(&tests);
    }
    assert!(expected >= 15, "{expected} tests are too few for six functions");
    repository.write("src/lib.rs", &source).expect("writable");
    let output = Command::new("cargo")
        .args(["test", "--quiet", "--target-dir"])
        .arg(repository.root().join("out"))
        .current_dir(repository.root())
        .output()
        .expect("cargo can be run");
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}\n{errors}\n{source}");
    assert!(text.contains(&format!("{expected} passed")), "{text}");
}

#[test]
fn a_function_that_is_not_there_is_an_error() {
    let (repository, target) = (repository(), SharedTarget::take());
    let missing = explore(&repository, &target, &["nowhere"]);
    assert_eq!(missing.code, Some(101));
    assert!(missing.stderr.contains("there is no function `nowhere`"), "{}", missing.stderr);
}

/// The campaign of all ten takes long; these are its quick ones. It fails by itself where the strategies disagree, or where a
/// relevant slice condition of some path was not reached.
#[test]
fn slices_and_paths_agree_on_some_subjects() {
    let mut table = Command::new(env!("CARGO_BIN_EXE_explore_table"));
    let target = SharedTarget::take();
    table.args(["--target-dir", target.text()]);
    for subject in ["search_tree", "disjoint_set", "date"] {
        table.args(["--only", subject]);
    }
    let output = table.output().expect("the table can be started");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(text.matches("0 undecided, 0 against").count(), 3, "{text}");
}
