//! `cargo regress explore` on functions of published crates: the signatures say what the sources say, and the emitted tests
//! compile and pass where they belong.

use std::fs;
use std::path::Path;
use std::process::Command;

use regress_tests::command::run;
use regress_tests::real_crates::{lay, published};
use regress_tests::repository::Repository;
use regress_tests::shared::SharedTarget;
use serde_json::Value;

/// A function, and what its source says of it.
struct Explored {
    path: &'static str,
    /// One for each way in which the source makes its result, panics among them.
    partitions: usize,
    /// Conditions and output that some partition is to have, as texts.
    among: &'static [(&'static [&'static str], &'static str)],
}

/// The published tests need packages that `lay` leaves out.
fn without_published_tests(directory: &Path) {
    for entry in fs::read_dir(directory).expect("a folder of sources can be read") {
        let path = entry.expect("an entry can be read").path();
        if path.is_dir() {
            without_published_tests(&path);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("sources are text");
            fs::write(&path, text.replace("#[cfg(test)]", "#[cfg(any())]")).expect("a copy can be written");
        }
    }
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().expect("a list").iter().filter_map(Value::as_str).collect()
}

/// Explores the functions of one crate, puts the emitted tests at the ends of the files and runs them.
#[track_caller]
fn check(name: &str, version: &str, functions: &[Explored]) {
    let places = published(&[(name, version)]).unwrap_or_else(|error| panic!("{error}"));
    let repository = Repository::new().expect("a repository");
    lay(&repository, &places[name]).unwrap_or_else(|error| panic!("{error}"));
    let root = repository.root().to_owned();
    without_published_tests(&root.join("src"));
    repository.commit_all("as published").expect("a commit");
    let target = SharedTarget::take();
    let mut emitted = Vec::new();
    for function in functions {
        let at = format!("{name}: {}", function.path);
        let explore = |words: &[&str]| {
            let common = ["explore", function.path, "--max-len", "3", "--target-dir", target.text()];
            let run = run(&root, &[&common, words].concat());
            assert_eq!(run.code, Some(0), "{at}: {}", run.stderr);
            run.stdout
        };
        let text = explore(&["--message-format", "json"]);
        let signature: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{at}: {error}"));
        let partitions = signature["partitions"].as_array().expect("partitions");
        assert_eq!(signature["completeness"], "proved", "{at}: {text}");
        assert_eq!(partitions.len(), function.partitions, "{at}: {text}");
        for (conditions, output) in function.among {
            let is_there = partitions.iter().any(|partition| {
                texts(&partition["conditions"]) == *conditions && texts(&partition["output"]) == [*output]
            });
            assert!(is_there, "{at}: {conditions:?} gives {output} is not in {text}");
        }
        let (file, _) =
            signature["place"].as_str().and_then(|place| place.rsplit_once(':')).expect("a place");
        emitted.push((root.join(file), explore(&["--emit-tests", "-"])));
    }
    let mut expected = 0;
    for (file, tests) in emitted {
        assert!(!tests.contains("left out"), "{name}: {tests}");
        expected += tests.matches("#[test]").count();
        let source = fs::read_to_string(&file).expect("the file of the function can be read");
        fs::write(&file, format!("{source}\n{tests}")).expect("a copy can be written");
    }
    assert_eq!(expected, functions.iter().map(|function| function.partitions).sum::<usize>());
    let output = Command::new("cargo")
        .args(["test", "--quiet", "--lib", "partitions", "--target-dir"])
        .arg(root.join("out"))
        .current_dir(&root)
        .output()
        .expect("cargo can be run");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{name}: {text}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains(&format!("{expected} passed")), "{name}: {text}");
}

/// Three ranges, and what lies before, between and behind them.
#[test]
fn hex_digits() {
    const ERROR: &str = "Err(FromHexError::InvalidHexCharacter { c: c as char, index: idx })";
    check(
        "hex",
        "0.4.3",
        &[Explored {
            path: "val",
            partitions: 7,
            among: &[
                (&["(48..=57).contains(&c)"], "Ok(c - 48)"),
                (&["(65..=70).contains(&c)"], "Ok(c - 55)"),
                (&["(97..=102).contains(&c)"], "Ok(c - 87)"),
                (&["c < 48"], ERROR),
                (&["c >= 103"], ERROR),
            ],
        }],
    );
}

/// Years that end a century are decided by 400, others by 4. A character is a digit or lies elsewhere: before the digits,
/// among the letters that other bases take for digits, or before, between or behind these; the second one counts only
/// behind a digit.
#[test]
fn leap_years_and_two_digits() {
    const ELSEWHERE: usize = 6;
    check(
        "humantime",
        "2.4.0",
        &[
            Explored {
                path: "is_leap_year",
                partitions: 3,
                among: &[
                    (&["y % 100 == 0"], "y % 400 == 0"),
                    (&["y & 0x3 == 0", "y % 100 != 0"], "true"),
                    (&["y & 0x3 != 0"], "false"),
                ],
            },
            Explored {
                path: "two_digits",
                partitions: ELSEWHERE + ELSEWHERE + 1,
                among: &[
                    (&["b1 < 48"], "Err(Error::InvalidDigit)"),
                    (
                        &["(48..=57).contains(&(b1 as u32))", "(48..=57).contains(&(b2 as u32))"],
                        "Ok((10 * b1 as u32 + b2 as u32 - 528) as u64)",
                    ),
                ],
            },
        ],
    );
}

/// Nothing, something else, or one of three characters with none, one or two behind it.
#[test]
fn wildcards_of_version_requirements() {
    check(
        "semver",
        "1.0.28",
        &[Explored {
            path: "parse::wildcard",
            partitions: 2 + 3 * 3,
            among: &[
                (&["input.len() == 0"], "None"),
                (&["input.as_bytes()[0] == b'x'", "input.len() == 1"], "Some(('x', \"\"))"),
                (&["input.as_bytes()[0] == b'*'", "input.len() == 3"], "Some(('*', input[1..3]))"),
            ],
        }],
    );
}
