//! What a comparison leaves behind beside its report: files in several forms, a page, tests, and what GitHub Actions is shown.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

use cargo_metadata::Message;
use cargo_metadata::diagnostic::DiagnosticLevel;
use regress_tests::command::{run, run_with};
use regress_tests::repository::Repository;
use regress_tests::shared::SharedTarget;
use serde_json::Value;

const MANIFEST: &str = "[package]\nname = \"one\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n";

/// One function for each way to differ, and one that only calls another.
const OLD: &str = r#"
pub fn middle(a: u32, b: u32) -> u32 { ((a as u64 + b as u64) / 2) as u32 }

pub fn fee(amount: u16) -> u16 { if amount > 1000 { amount / 100 } else { 7 } }

pub fn last(v: &[u8]) -> Option<u8> { Some(v[v.len() - 1]) }

pub fn halve(v: &mut [i8]) { for x in v { *x /= 2; } }

pub fn first_word(s: &str) -> String { s.split(' ').next().unwrap_or_default().to_string() }

pub fn first(v: &[u8]) -> u8 { v[0] }

#[derive(Debug, PartialEq)]
pub struct Even { half: u8 }

impl Even {
    pub fn new(x: u8) -> Option<Even> { (x % 2 == 0).then(|| Even { half: x / 2 }) }
    pub fn whole(&self) -> u8 { self.half * 2 }
    pub fn is_big(&self) -> bool { self.whole() > 128 }
}
"#;

const CHANGES: [(&str, &str); 7] = [
    ("((a as u64 + b as u64) / 2) as u32", "(a + b) / 2"),
    ("amount > 1000", "amount > 1200"),
    ("Some(v[v.len() - 1])", "v.last().copied()"),
    ("*x /= 2", "*x >>= 1"),
    ("split(' ')", "split('_')"),
    ("{ v[0] }", "{ *v.first().unwrap() }"),
    ("self.half * 2 }", "self.half * 2 + self.half / 64 }"),
];

fn new_source() -> String {
    CHANGES.iter().fold(OLD.to_owned(), |source, (old, new)| {
        assert_eq!(source.matches(old).count(), 1, "{old}");
        source.replace(old, new)
    })
}

/// A package below the root of its repository, in two versions.
fn repository() -> Repository {
    let repository = Repository::new().expect("a repository");
    for source in [OLD, &new_source()] {
        repository.write("crates/one/Cargo.toml", MANIFEST).expect("writable");
        repository.write("crates/one/src/lib.rs", source).expect("writable");
        repository.commit_all("a version").expect("a commit");
    }
    repository
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Whether each test of the emitted files passes with these sources.
fn outcomes(directory: &Path, source: &str, emitted: &BTreeMap<String, String>) -> BTreeMap<String, bool> {
    let all: String = emitted.values().map(|tests| format!("\n{tests}")).collect();
    fs::create_dir_all(directory.join("src")).expect("writable");
    fs::write(directory.join("Cargo.toml"), MANIFEST).expect("writable");
    fs::write(directory.join("src/lib.rs"), format!("{source}\n{all}")).expect("writable");
    let output = Command::new("cargo")
        .args(["test", "--lib", "--offline", "--target-dir"])
        .arg(directory.join("out"))
        .env("CARGO_TERM_COLOR", "never")
        .current_dir(directory)
        .output()
        .expect("cargo can be run");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let of_line = |line: &str| {
        let (name, outcome) = line.strip_prefix("test ")?.split_once(" ... ")?;
        Some((name.to_owned(), outcome == "ok"))
    };
    let found: BTreeMap<String, bool> = printed.lines().filter_map(of_line).collect();
    assert!(!found.is_empty(), "{printed}\n{}\n{all}", String::from_utf8_lossy(&output.stderr));
    found
}

/// The lines are those of cargo, their spans those of the user's file, and each function is marked within its line.
fn check_diagnostics(package: &Path, lines: &str) {
    let source = text(&package.join("src/lib.rs"));
    let mut marked = BTreeMap::new();
    let mut finished = None;
    for message in Message::parse_stream(lines.as_bytes()) {
        match message.expect("it can be read") {
            Message::CompilerMessage(told) => {
                assert_eq!((told.target.name.as_str(), told.target.is_lib()), ("one", true));
                assert_eq!(
                    fs::canonicalize(&told.target.src_path).ok(),
                    fs::canonicalize(package.join("src/lib.rs")).ok()
                );
                let primary: Vec<_> = told.message.spans.iter().filter(|span| span.is_primary).collect();
                let [span] = primary.as_slice() else { panic!("{told:?}") };
                assert_eq!(span.file_name, "src/lib.rs");
                for span in &told.message.spans {
                    let line = source.lines().nth(span.line_start - 1).expect("the line");
                    let columns = span.column_start - 1..span.column_end - 1;
                    assert_eq!(
                        &source[span.byte_start as usize..span.byte_end as usize],
                        &line[columns],
                        "{span:?}"
                    );
                    assert_eq!(span.text[0].text, line);
                }
                let code = told.message.code.expect("a code").code;
                let name = told.message.message.split('`').nth(1).expect("a name").to_owned();
                marked.insert(name, (told.message.level, code, span.line_start));
            }
            Message::BuildFinished(end) => finished = Some(end.success),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(finished, Some(false), "as the exit code says");
    let line = |of: &str| source.lines().position(|line| line.contains(of)).expect("it is there") + 1;
    for (name, of, level, code) in [
        ("middle", "(a + b) / 2", DiagnosticLevel::Error, "REG0001"),
        ("fee", "amount > 1200", DiagnosticLevel::Warning, "REG0004"),
        ("last", "v.last()", DiagnosticLevel::Warning, "REG0006"),
        ("first", "first().unwrap()", DiagnosticLevel::Warning, "REG0005"),
    ] {
        assert_eq!(marked.get(name), Some(&(level, code.to_owned(), line(of))), "{name}");
    }
}

#[test]
fn everything_that_is_asked_for_is_left_behind() {
    let (repository, target) = (repository(), SharedTarget::take());
    let out = tempfile::TempDir::new().expect("a temporary directory");
    let at = |name: &str| out.path().join(name);
    let summary = at("summary.md");
    fs::write(&summary, "before\n").expect("writable");
    let (sarif, json, page, tests) = (at("r.sarif"), at("r.json"), at("page"), at("tests"));
    let diagnostics = at("r.jsonl");
    let mut args: Vec<&OsStr> =
        ["HEAD~1", "--fresh", "--stats", "--message-format", "human"].map(OsStr::new).to_vec();
    args.extend([OsStr::new("--message-format"), "sarif".as_ref(), "--output-path".as_ref(), sarif.as_ref()]);
    args.extend([OsStr::new("--message-format"), "json".as_ref(), "--output-path".as_ref(), json.as_ref()]);
    args.extend([OsStr::new("--message-format"), "cargo-json".as_ref(), "--output-path".as_ref()]);
    args.push(diagnostics.as_ref());
    args.extend([OsStr::new("--html"), page.as_ref(), "--emit-tests".as_ref(), tests.as_ref()]);
    args.extend([OsStr::new("--target-dir"), target.text().as_ref()]);
    let github = [("GITHUB_ACTIONS", OsStr::new("true")), ("GITHUB_STEP_SUMMARY", summary.as_os_str())];
    let run = run_with(&repository.root().join("crates/one"), &args, &github);
    assert_eq!(run.code, Some(100), "{}", run.stderr);

    assert!(run.stdout.contains("regression[REG0001]: `middle` panics"), "{}", run.stdout);
    let commands: Vec<&str> = run.stdout.lines().filter(|line| line.starts_with("::")).collect();
    assert!(commands[0].starts_with("::error file=crates/one/src/lib.rs,line=2,"), "{commands:?}");
    let summary = text(&summary);
    assert!(summary.starts_with("before\n## cargo regress: 1 regression, "), "{summary}");

    let document: Value = serde_json::from_str(&text(&json)).expect("it is JSON");
    let of = |path: &str| {
        let functions = document["functions"].as_array().expect("functions");
        functions.iter().find(|function| function["path"] == path).unwrap_or_else(|| panic!("{path}"))
    };
    for (path, id) in [("middle", "REG0001"), ("fee", "REG0004"), ("last", "REG0006"), ("first", "REG0005")] {
        assert_eq!(of(path)["id"], id, "{path}");
    }
    assert_eq!(of("Even::is_big")["kind"], "affected");
    for stage in ["extraction", "harness", "comparing", "prepass", "search", "replay"] {
        assert!(document["stats"]["seconds"][stage].as_f64().is_some_and(|time| time > 0.0), "{stage}");
    }
    for count in ["searches", "random_runs", "symbolic_runs", "partitions", "solver_queries", "replays"] {
        assert!(document["stats"]["counts"][count].as_u64().is_some_and(|count| count > 0), "{count}");
    }
    assert!(run.stderr.contains(" s  the whole run"), "{}", run.stderr);

    let log: Value = serde_json::from_str(&text(&sarif)).expect("it is JSON");
    let uri = log.pointer("/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri");
    assert_eq!(uri.and_then(Value::as_str), Some("crates/one/src/lib.rs"));

    check_diagnostics(&repository.root().join("crates/one"), &text(&diagnostics));

    // `fee` is alike up to 1000 and from 1201 on, and the page says so to the number: it gave the hundredth part from 1001 on.
    let page = text(&page.join("index.html"));
    let range = |from: &str, to: &str| format!("<td><code>{from}</code></td><td><code>{to}</code></td>");
    for (from, to) in [("0", "1000"), ("1001", "1200"), ("1201", "65535")] {
        assert!(page.contains(&range(from, to)), "{from} to {to}");
    }
    assert!(page.contains("<title>Even::is_big: "), "the graph names it");

    let emitted: BTreeMap<String, String> = fs::read_dir(&tests)
        .expect("the tests were written")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .map(|path| (path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), text(&path)))
        .collect();
    let names: Vec<&str> = emitted.keys().map(String::as_str).collect();
    let expected = ["Even__is_big", "Even__whole", "fee", "first", "first_word", "halve", "last", "middle"];
    assert_eq!(names, expected);
    assert!(
        emitted["first"].contains("There is no test of this: neither version returns."),
        "{}",
        emitted["first"]
    );
    let corpus = fs::read(tests.join("corpus/first_word/witness-1")).expect("an entry");
    assert!(corpus.contains(&b' ') || corpus.contains(&b'_'), "{corpus:?}");

    // A run that finds what an earlier one found leaves the same behind.
    let (page_again, tests_again) = (at("page again"), at("tests again"));
    let mut args: Vec<&OsStr> = ["HEAD~1", "--target-dir", target.text(), "--html"].map(OsStr::new).to_vec();
    args.extend([page_again.as_os_str(), "--emit-tests".as_ref(), tests_again.as_ref()]);
    let again = run_with(&repository.root().join("crates/one"), &args, &[]);
    assert_eq!(again.code, Some(100), "{}", again.stderr);
    for (name, file) in &emitted {
        assert_eq!(&text(&tests_again.join(format!("{name}.rs"))), file);
    }
    assert!(text(&page_again.join("index.html")).contains(&range("1001", "1200")));

    let (old, new) = (outcomes(&at("old"), OLD, &emitted), outcomes(&at("new"), &new_source(), &emitted));
    for (name, file) in &emitted {
        let of_file: Vec<&String> = old
            .keys()
            .filter(|test| {
                test.starts_with(&format!("{}_changes::", name.rsplit("__").next().unwrap_or(name)))
            })
            .collect();
        assert_eq!(of_file.is_empty(), name == "first", "{name}: {file}");
        for test in of_file {
            // What was mended is kept, everything else is as it was before.
            assert_eq!((old[test], new[test]), (name != "last", name == "last"), "{test}: {file}");
        }
    }
}

#[test]
fn a_list_executes_nothing() {
    let (repository, target) = (repository(), SharedTarget::take());
    let args = ["HEAD~1", "--list", "--target-dir", target.text()];
    let listed = run(&repository.root().join("crates/one"), &args);
    assert_eq!(listed.code, Some(0), "{}", listed.stderr);
    let line = |name: &str| {
        let mut lines = listed.stdout.lines();
        lines
            .find(|line| line.split_whitespace().nth(1) == Some(name))
            .unwrap_or_else(|| panic!("{}", listed.stdout))
    };
    assert!(line("fee").starts_with("changed "), "{}", listed.stdout);
    assert!(line("Even::is_big").starts_with("affected "), "{}", listed.stdout);
    assert!(line("Even::is_big").ends_with("through `Even::whole`"), "{}", listed.stdout);
    // `Even::new` and what is derived for `Even`.
    assert!(listed.stdout.ends_with("3 functions unchanged\n"), "{}", listed.stdout);
}

/// `at` counts up to the length: nothing makes a value in which it is greater, and that the new version cannot take.
#[test]
fn states_that_no_function_makes_do_not_decide_the_exit_code() {
    let old = "pub struct Bytes<'a> { all: &'a [u8], at: usize }\n\
               pub fn bytes(all: &[u8]) -> Bytes<'_> { Bytes { all, at: 0 } }\n\
               impl<'a> Iterator for Bytes<'a> {\n    type Item = u8;\n    fn next(&mut self) -> Option<u8> {\n\
               \x20       let byte = *self.all.get(self.at)?;\n        self.at += 1;\n        Some(byte)\n    }\n}\n";
    let new = old.replace("let byte", "assert!(self.at <= self.all.len());\n        let byte");
    let repository = Repository::new().unwrap();
    for source in [old, &new] {
        repository.write("Cargo.toml", MANIFEST).unwrap();
        repository.write("src/lib.rs", source).unwrap();
        repository.commit_all("a version").unwrap();
    }
    let target = SharedTarget::take();
    for (level, code) in [("regression", 0), ("difference", 0), ("unknown", 100)] {
        let args = ["HEAD~1", "--fail-on", level, "--color", "never", "--target-dir", target.text()];
        let run = run(repository.root(), &args);
        assert_eq!(run.code, Some(code), "{}{}", run.stdout, run.stderr);
        assert!(
            run.stdout.contains("regression[REG0001]: `<Bytes as std::iter::Iterator>::next`"),
            "{}",
            run.stdout
        );
        assert!(run.stdout.contains("counts as unconfirmed for the exit code"), "{}", run.stdout);
    }
}
