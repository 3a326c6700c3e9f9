//! Runs that share the work: what they find, put together, is what one run reports.

use regress_tests::clone::Clone;
use regress_tests::command::Run;
use serde_json::Value;

const OLD: &str = "\
pub fn half(x: u8) -> u8 { x / 2 }
pub fn is_even(x: u8) -> bool { x % 2 == 0 }
pub fn third(x: u8) -> u8 { x / 3 }
pub fn least(a: u8, b: u8) -> u8 { if a < b { a } else { b } }
fn is_open(text: &str) -> bool { text == \"open sesame\" }
pub fn enter(text: &str) -> Option<usize> { if is_open(text) { Some(text.len()) } else { None } }
pub fn same(x: u8) -> u8 { x }
pub fn evens(items: &[u8]) -> usize { items.iter().filter(|item| is_even(**item)).count() }
pub fn any_even(items: &[u8]) -> bool { evens(items) > 0 }
";

const NEW: &str = "\
pub fn half(x: u8) -> u8 { (x + 1) / 2 }
pub fn is_even(x: u8) -> bool { x & 1 == 0 }
pub fn third(x: u8) -> u8 { if x == 77 { 1 } else { x / 3 } }
pub fn least(a: u8, b: u8) -> u8 { if b <= a { b } else { a } }
fn is_open(text: &str) -> bool { text == \"open sesam\" }
pub fn enter(text: &str) -> Option<usize> { if is_open(text) { Some(text.len()) } else { None } }
pub fn same(x: u8) -> u8 { x }
pub fn evens(items: &[u8]) -> usize { items.iter().filter(|item| is_even(**item)).count() }
pub fn any_even(items: &[u8]) -> bool { evens(items) > 0 }
";

fn repository() -> Clone {
    let clone = Clone::of_package(OLD);
    clone.write("src/lib.rs", NEW);
    clone.commit("Change");
    clone
}

/// The document, without how long the run took.
#[track_caller]
fn document(run: &Run) -> Value {
    assert_eq!(run.code, Some(100), "{}", run.stderr);
    let mut document: Value = serde_json::from_str(&run.stdout).unwrap();
    document["summary"].as_object_mut().unwrap().remove("duration_seconds");
    document
}

#[test]
fn parts_put_together_are_the_whole() {
    let clone = repository();
    let whole = document(&clone.regress(&["--fresh", "--message-format", "json", "HEAD~1"]));
    let mut judged = 0;
    for part in ["hash:1/3", "hash:2/3", "hash:3/3"] {
        let file = format!("target/found-{}.json", &part[5..6]);
        let run = clone.regress(&[
            "--partition",
            part,
            "--findings",
            &file,
            "--fail-on",
            "never",
            "--message-format",
            "json",
            "HEAD~1",
        ]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let document: Value = serde_json::from_str(&run.stdout).unwrap();
        let functions = document["functions"].as_array().unwrap();
        judged += functions.len();
        for function in functions.iter().filter(|function| function["verdict"] == "equal") {
            let of_whole = whole["functions"].as_array().unwrap().iter();
            let mut same = of_whole.filter(|other| other["path"] == function["path"]);
            assert!(same.all(|other| other["verdict"] == "equal"), "{function}");
        }
    }
    assert_eq!(judged, whole["functions"].as_array().unwrap().len());
    let files = ["target/found-1.json", "target/found-2.json", "target/found-3.json"];
    let merge = |files: &[&str], more: &[&str]| {
        clone.regress(&[&["merge"], files, &["--rev", "HEAD~1", "--message-format", "json"], more].concat())
    };
    assert_eq!(document(&merge(&files, &[])), whole);
    // What does not belong together is not put together.
    for (run, reason) in [
        (merge(&files[..2], &[]), "what was found in hash:3/3 is missing"),
        (merge(&[files[0], files[0]], &[]), "are the same part, 1 of 3"),
        (merge(&files, &["--seed", "5"]), "was found with other options"),
        (merge(&[files[0], "no-such-file.json"], &[]), "there is no file no-such-file.json"),
        (merge(&["Cargo.toml"], &[]), "has no findings that can be read"),
    ] {
        assert_eq!(run.code, Some(101), "{}", run.stdout);
        assert!(run.stderr.contains(reason), "{}", run.stderr);
    }
}

#[test]
fn functions_that_are_named_are_compared_alone() {
    let clone = repository();
    let compare =
        |more: &[&str]| {
            document(&clone.regress(
                &[&["--fail-on", "difference", "--message-format", "json", "HEAD~1"], more].concat(),
            ))
        };
    let names = ["--function", "third", "--function", "tour::is_even"];
    // Of these alone, of all, and of these again, as a run on all has found them.
    let alone = compare(&[&names[..], &["--fresh"]].concat());
    let whole = compare(&["--fresh"]);
    let again = compare(&names);
    let of = |document: &Value| {
        let functions = document["functions"].as_array().unwrap().iter();
        let verdicts = functions
            .map(|function| (function["path"].as_str().unwrap().to_owned(), function["verdict"].clone()));
        verdicts.collect::<std::collections::BTreeMap<_, _>>()
    };
    let expected = [("third".to_owned(), "differs".into()), ("is_even".to_owned(), "equal".into())];
    assert_eq!(of(&alone), expected.into());
    assert_eq!(of(&again), of(&alone));
    assert!(of(&alone).iter().all(|(path, verdict)| of(&whole)[path] == *verdict), "{whole}");
    for document in [&alone, &again] {
        let notes = document["notes"].as_array().unwrap();
        let said = format!(
            "only `is_even`, `third` of {} functions were compared, as `--function` asks for",
            of(&whole).len()
        );
        assert!(notes.iter().any(|note| *note == said), "{notes:?}");
        assert_eq!(document["summary"]["behaviour_changes"], 1);
    }
    // Nothing is known of what is accepted of other functions.
    let accepted = clone.regress(&["accept", "--function", "enter", "--reason", "meant", "HEAD~1"]);
    assert_eq!(accepted.code, Some(0), "{}", accepted.stderr);
    let document = compare(&["--function", "third"]);
    assert_eq!(document.get("stale"), None, "{document}");
}
