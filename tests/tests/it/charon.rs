//! The Charon front end as its users meet it: files, the program, and what comes out.

use std::collections::BTreeMap;
use std::fs;

use mir_frontend::charon::{CharonError, lower, read};
use regress_core::ir::{FnBody, Program};
use regress_tests::charon::{FILES, fake_charon, models, pair, recorded, serving_the_pair, unpack};
use regress_tests::command::{Run, run, run_with};
use regress_tests::shared::SharedTarget;
use serde_json::Value;

/// How many functions each file has, and how many of them are lowered.
const TABLE: &[(&str, usize, usize)] = &[
    ("pair.old.poly.ullbc", 21, 21),
    ("pair.new.poly.ullbc", 23, 23),
    ("pair.old.mono.ullbc", 14, 14),
    ("pair.new.mono.ullbc", 16, 16),
    ("sample.0.1.208.poly.ullbc", 41, 41),
    ("sample.0.1.208.mono.ullbc", 13, 13),
    ("sample.0.1.240.poly.ullbc", 41, 41),
    ("sample.0.1.240.mono.ullbc", 33, 33),
    ("adler2-2.0.1.poly.ullbc", 19, 19),
    ("adler2-2.0.1.mono.ullbc", 13, 13),
    ("base64-0.22.1.mono.ullbc", 47, 47),
    ("hex-0.4.3.poly.ullbc", 183, 183),
    ("hex-0.4.3.mono.ullbc", 5, 5),
    ("itoa-1.0.18.poly.ullbc", 49, 49),
    ("smallvec-1.15.1.poly.ullbc", 175, 175),
];

#[test]
fn every_file_is_lowered_as_the_table_says() {
    assert_eq!(TABLE.len(), FILES.len());
    let models = models();
    let mut found = Vec::new();
    let mut reasons = BTreeMap::new();
    for (name, _, _) in TABLE {
        let document = read(&recorded(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let share = lower(&document, &models).unwrap_or_else(|error| panic!("{name}: {error}")).share;
        assert!(share.lowered * 100 >= share.local * 95, "{name}: {share:?}");
        found.push((*name, share.local, share.lowered));
        reasons.insert(*name, share.reasons);
    }
    assert_eq!(found, TABLE, "{reasons:#?}");
}

/// The functions of a program that end so and cannot be read.
fn unreadable(document: &mir_frontend::charon::Document, models: &Program, end: &str) -> Vec<String> {
    let program = lower(document, models).expect("a thread can be started").program;
    let functions = program.functions.iter().skip(models.functions.len());
    functions
        .filter(|function| function.path.as_str().ends_with(end))
        .filter(|function| matches!(function.body, FnBody::Unreadable { .. }))
        .map(|function| function.path.to_string())
        .collect()
}

#[test]
fn a_destructor_without_a_body_is_not_passed_over() {
    let models = models();
    for name in ["sample.0.1.208.poly.ullbc", "sample.0.1.240.poly.ullbc"] {
        let text = String::from_utf8(recorded(name)).expect("JSON is UTF-8");
        let whole = read(text.as_bytes()).expect("a document");
        assert!(unreadable(&whole, &models, " as std::ops::Drop>::drop").is_empty(), "{name}");
        // A body of another crate is not taken unless it is called by its path, and destructors are not.
        let declared = text.find(r#"{"Impl":{"Trait":4}},{"Ident":["drop",0]}],"span""#);
        let (before, after) = text.split_at(declared.expect("the destructor is declared"));
        let foreign = format!("{before}{}", after.replacen(r#""is_local":true"#, r#""is_local":false"#, 1));
        let without = read(foreign.as_bytes()).expect("a document");
        assert_eq!(
            unreadable(&without, &models, " as std::ops::Drop>::drop"),
            ["<sample::Guard as std::ops::Drop>::drop"],
            "{name}"
        );
    }
}

#[test]
fn where_charon_failed_no_default_stands_in_for_a_method_that_is_not_there() {
    let models = models();
    let text = String::from_utf8(recorded("sample.0.1.208.poly.ullbc")).expect("JSON is UTF-8");
    // The derived `Clone` has no `clone_from` of its own: Charon names the method and declares none.
    let end = " as std::clone::Clone>::clone_from";
    let whole = read(text.as_bytes()).expect("a document");
    assert!(unreadable(&whole, &models, end).is_empty());
    let failed = text.replacen(r#""has_errors":false"#, r#""has_errors":true"#, 1);
    let failed = read(failed.as_bytes()).expect("a document");
    let [rec, sq] = ["sample::Rec", "sample::shapes::Sq"].map(|ty| format!("<{ty}{end}"));
    assert_eq!(unreadable(&failed, &models, end), [rec, sq]);
}

#[test]
fn what_is_no_file_of_charons_is_told_apart() {
    let whole = recorded("pair.old.poly.ullbc");
    assert!(matches!(read(b" \n"), Err(CharonError::Empty)));
    assert!(matches!(read(b"\x28\xb5\x2f\xfd"), Err(CharonError::NotJson(_))));
    assert!(matches!(read(b"{\"a\": 1}"), Err(CharonError::NotCharon)));
    assert!(matches!(read(&whole[..whole.len() / 2]), Err(CharonError::Truncated(_))));
    assert!(matches!(read(&[b"{\"a\":".to_vec(), vec![b'['; 5000]].concat()), Err(CharonError::TooDeep(_))));
    assert!(matches!(read(&recorded("sample.0.1.240.llbc")), Err(CharonError::Structured)));
    let newer = String::from_utf8(whole).expect("JSON is UTF-8").replacen("0.1.240", "0.3.1", 1);
    let document = read(newer.as_bytes()).expect("newer versions are tried");
    assert_eq!(document.version, "0.3.1");
    let other_shape = newer.replacen("\"fun_decls\":[", "\"fun_decls\":[17,", 1);
    let error = read(other_shape.as_bytes()).expect_err("a function is no number").to_string();
    assert!(
        error.starts_with("written by Charon 0.3.1, and this program reads 0.1.208 to 0.1.240"),
        "{error}"
    );
}

/// Path, verdict and class of each function of a JSON report.
fn verdicts(run: &Run) -> BTreeMap<String, (String, String)> {
    let report: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}", run.stderr));
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let functions = report["functions"].as_array().expect("functions");
    let of = |function: &Value| {
        let path = text(&function["path"]);
        let path = path.strip_prefix("pair::").unwrap_or(&path).to_owned();
        (path, (text(&function["verdict"]), text(&function["class"])))
    };
    functions.iter().map(of).collect()
}

/// What is true of the recorded pair: function, verdicts any of which is right, class.
const TRUTH: &[(&str, &[&str], &str)] = &[
    ("partition", &["unchanged"], ""),
    // A loop in one version, a chain of iterators in the other: equal, where the sum can be followed.
    ("even_squares", &["equal", "equal_within", "not_analysed", "no_difference_found"], ""),
    // A busy machine may not give the solver the time it needs.
    ("is_power_of_two", &["equal", "no_difference_found"], ""),
    ("lookup", &["differs"], "regression"),
    ("parse_range", &["differs"], "regression"),
    ("clamp_all", &["differs"], "regression"),
    ("width_of", &["differs"], "regression"),
    ("removed_later", &["removed"], ""),
    ("added_now", &["added"], ""),
];

#[track_caller]
fn check_truth(found: &BTreeMap<String, (String, String)>) {
    for (path, verdicts, class) in TRUTH {
        let (verdict, found_class) =
            found.get(*path).unwrap_or_else(|| panic!("{path} is missing in {found:#?}"));
        assert!(verdicts.contains(&verdict.as_str()), "{path}: {verdict} in {found:#?}");
        assert_eq!(found_class, class, "{path}");
    }
}

#[track_caller]
fn check_files(kind: &str) -> BTreeMap<String, (String, String)> {
    let directory = tempfile::tempdir().expect("a directory");
    let [old, new] =
        ["old", "new"].map(|version| unpack(&format!("pair.{version}.{kind}.ullbc"), directory.path()));
    let target = SharedTarget::take();
    let (old, new) = (old.to_string_lossy(), new.to_string_lossy());
    let mut args =
        vec!["--from-llbc", &*old, &*new, "--message-format", "json", "--target-dir", target.text()];
    args.extend(["--max-len", "2", "--timeout", "30"]);
    let run = run(directory.path(), &args);
    let found = verdicts(&run);
    check_truth(&found);
    // Whether a tie or an overflow is found first, it differs through what it calls.
    assert_eq!(found["larger"].0, "differs", "{found:#?}");
    // Nothing was run natively, so nothing is confirmed.
    assert!(!run.stdout.contains("\"confirmed\": true"), "{}", run.stdout);
    assert!(run.stdout.contains("\"confirmed\": false"), "{}", run.stdout);
    found
}

#[test]
fn polymorphic_files_give_the_true_verdicts() {
    let found = check_files("poly");
    assert_eq!(found["Shape::bigger"].0, "differs", "{found:#?}");
    assert_eq!(
        found["<pair::Rect as pair::Shape>::area"],
        ("differs".into(), "regression".into()),
        "{found:#?}"
    );
}

#[test]
fn monomorphized_files_give_the_true_verdicts() {
    let found = check_files("mono");
    assert_eq!(
        found["<pair::Rect as pair::Shape>::area"],
        ("differs".into(), "regression".into()),
        "{found:#?}"
    );
}

/// What is said of the functions of a recorded file and of the same with one text replaced in it.
fn kinds_where(from: &str, to: &str) -> BTreeMap<String, String> {
    let directory = tempfile::tempdir().expect("a directory");
    let text = String::from_utf8(recorded("pair.old.poly.ullbc")).expect("JSON is UTF-8");
    assert!(text.contains(from), "{from}");
    for (name, text) in [("old", text.clone()), ("new", text.replacen(from, to, 1))] {
        fs::write(directory.path().join(name), text).expect("writable");
    }
    let target = SharedTarget::take();
    let args = [
        "--from-llbc",
        "old",
        "new",
        "--message-format",
        "json",
        "--timeout",
        "1",
        "--target-dir",
        target.text(),
    ];
    let run = run(directory.path(), &args);
    let report: Value =
        serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.stderr));
    let functions = report["functions"].as_array().expect("a list").iter();
    let text = |value: &Value| value.as_str().unwrap_or_default().replace("pair::", "");
    functions.map(|function| (text(&function["path"]), text(&function["kind"]))).collect()
}

#[test]
fn how_values_lie_in_memory_and_what_attributes_say_is_part_of_a_file() {
    let layout = r#""field_offsets":[0,4],"uninhabited":false,"tagger":[]}],"repr":{"repr_algo":"Rust""#;
    let as_it_was = kinds_where(layout, layout);
    assert!(as_it_was.values().all(|kind| kind == "unchanged"), "{as_it_was:#?}");
    let another = kinds_where(layout, &layout.replace("Rust", "C"));
    assert!(another.iter().any(|(path, kind)| path.contains("Rect") && kind != "unchanged"), "{another:#?}");
    assert_eq!(another["is_power_of_two"], "unchanged");
    // The attributes of the first function.
    let of_function = r#""name":[{"Ident":["pair",0]},{"Ident":["is_power_of_two",0]}],"#;
    let marked = |attributes: &str| {
        let text = String::from_utf8(recorded("pair.old.poly.ullbc")).expect("JSON is UTF-8");
        let start = text.find(of_function).expect("the function is there");
        let end = start
            + text[start..].find(r#""attributes":["#).expect("it has attributes")
            + r#""attributes":["#.len();
        let piece = &text[start..end];
        kinds_where(piece, &format!("{piece}{attributes}"))
    };
    let unknown = r#"{"Unknown":{"path":"from_tomorrow","args":null}},"#;
    assert_eq!(marked(unknown)["is_power_of_two"], "changed");
    let lint = r#"{"Unknown":{"path":"allow","args":"unused"}},"#;
    assert_eq!(marked(lint)["is_power_of_two"], "unchanged");
}

#[test]
fn files_that_are_none_are_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("a"), "{}").expect("writable");
    let target = SharedTarget::take();
    let run = run(directory.path(), &["--from-llbc", "a", "a", "--target-dir", target.text()]);
    assert_eq!(run.code, Some(101), "{}", run.stderr);
    assert!(run.stderr.contains("it has no `charon_version`"), "{}", run.stderr);
}

/// Runs the command on the recorded pair's sources with this `charon`.
fn run_on_pair(charon: Option<&std::path::Path>, further: &[&str]) -> Run {
    let repository = pair();
    let target = SharedTarget::take();
    let mut args = vec!["HEAD~1", "--target-dir", target.text()];
    args.extend(further);
    let charon = charon.map_or_else(|| "charon-that-is-not-there".into(), |path| path.as_os_str().to_owned());
    run_with(repository.root(), &args, &[("CHARON", &charon)])
}

#[test]
fn charon_on_the_sources_gives_the_verdicts_of_rustc_with_native_witnesses() {
    let directory = tempfile::tempdir().expect("a directory");
    let charon = fake_charon(directory.path(), "0.1.240", &serving_the_pair(directory.path()));
    // Whether the solver gets to a proof must not hang on how busy the machine is.
    let with = |frontend| ["--frontend", frontend, "--message-format", "json", "--timeout", "60"];
    let by_charon = run_on_pair(Some(&charon), &with("charon"));
    let by_rustc = run_on_pair(None, &with("rustc"));
    let (found, expected) = (verdicts(&by_charon), verdicts(&by_rustc));
    check_truth(&found);
    check_truth(&expected);
    assert!(by_charon.stdout.contains("\"confirmed\": true"), "{}", by_charon.stdout);
    for (path, verdict) in &expected {
        // Functions that only one of them names are compiler-made.
        if let Some(here) = found.get(path) {
            // Charon's files do not say enough of panics for a proof of the same steps.
            let is_bounded_only = (here.0.as_str(), verdict.0.as_str()) == ("equal_within", "equal");
            assert!(is_bounded_only || here == verdict, "{path}: {here:?} {verdict:?}");
        }
    }
    assert_eq!(found["Shape::bigger"].0, "differs", "{found:#?}");
    let common = expected.keys().filter(|path| found.contains_key(*path)).count();
    assert!(common >= 12, "{expected:#?} {found:#?}");
    let calls = fs::read_to_string(directory.path().join("calls")).expect("it was called");
    assert_eq!(calls.lines().count(), 2, "{calls}");
    for flag in ["--ullbc", "--precise-drops", "--consts values", "--lib", "--package pair"] {
        assert!(calls.lines().all(|call| call.contains(flag)), "{flag}: {calls}");
    }
}

/// For a run of which only the way to it is looked at.
const QUICK: [&str; 8] = ["--random-runs", "0", "--timeout", "1", "--max-len", "0", "--unwind", "1"];

#[test]
fn the_first_line_names_the_front_end() {
    let directory = tempfile::tempdir().expect("a directory");
    let charon = fake_charon(directory.path(), "0.1.240", &serving_the_pair(directory.path()));
    let first = |run: &Run| run.stdout.lines().next().unwrap_or_default().to_owned();
    let by_charon = run_on_pair(Some(&charon), &QUICK);
    assert!(first(&by_charon).ends_with("as read by Charon 0.1.240"), "{}", by_charon.stdout);
    let unknown = fake_charon(directory.path(), "0.9.0", "exit 1");
    let by_rustc = run_on_pair(Some(&unknown), &QUICK);
    assert!(first(&by_rustc).contains("as read by rustc "), "{}{}", by_rustc.stdout, by_rustc.stderr);
    // Another version than above, of which nothing is in the cache.
    let failing = fake_charon(directory.path(), "0.1.208", "echo 'error: hax panicked' >&2; exit 2");
    let instead = run_on_pair(Some(&failing), &QUICK);
    assert!(first(&instead).contains("as read by rustc "), "{}{}", instead.stdout, instead.stderr);
    assert!(instead.stdout.contains("read by rustc, since Charon failed"), "{}", instead.stdout);
}

#[test]
fn what_an_unknown_charon_writes_is_tried_and_explained() {
    let directory = tempfile::tempdir().expect("a directory");
    for version in ["0.1.57", "0.9.0"] {
        let script = format!(
            "echo '{{\"charon_version\": \"{version}\", \"translated\": {{\"fun_decls\": 7}}, \"has_errors\": \
             false}}' > \"$dest\""
        );
        let charon = fake_charon(directory.path(), version, &script);
        let run = run_on_pair(Some(&charon), &["--frontend", "charon"]);
        assert_eq!(run.code, Some(101), "{}", run.stderr);
        let told = format!("written by Charon {version}, and this program reads 0.1.208 to 0.1.240");
        assert!(run.stderr.contains(&told), "{}", run.stderr);
        assert!(run.stderr.contains("`--frontend rustc`"), "{}", run.stderr);
        assert!(run.stdout.is_empty(), "{}", run.stdout);
    }
}

#[test]
fn where_no_charon_is_installed_the_user_is_told_where_to_get_it() {
    let repository = pair();
    let target = SharedTarget::take();
    let tools = std::env::var_os("PATH").unwrap_or_default();
    let without = std::env::split_paths(&tools).filter(|path| !path.join("charon").exists());
    let path = std::env::join_paths(without).expect("paths that were joined before");
    let args = ["HEAD~1", "--target-dir", target.text(), "--frontend", "charon"];
    let run = run_with(repository.root(), &args, &[("PATH", &path), ("CHARON", "".as_ref())]);
    assert_eq!(run.code, Some(101), "{}", run.stderr);
    for part in
        ["Charon is not installed", "github.com/AeneasVerif/charon", "0.1.208 to 0.1.240", "`--charon`"]
    {
        assert!(run.stderr.contains(part), "{part}: {}", run.stderr);
    }
}

#[test]
fn a_charon_that_fails_or_is_not_there_is_explained() {
    let absent = run_on_pair(None, &["--frontend", "charon"]);
    assert_eq!(absent.code, Some(101), "{}", absent.stderr);
    assert!(absent.stderr.contains("charon-that-is-not-there version` does not work"), "{}", absent.stderr);

    let directory = tempfile::tempdir().expect("a directory");
    let charon = fake_charon(directory.path(), "0.1.240", "echo 'error: hax panicked' >&2; exit 2");
    let failing = run_on_pair(Some(&charon), &["--frontend", "charon"]);
    assert_eq!(failing.code, Some(101), "{}", failing.stderr);
    assert!(failing.stderr.contains("Charon could not translate the old version"), "{}", failing.stderr);
    for part in ["hax panicked", "charon cargo --ullbc", "--lib --package pair", "`--frontend rustc`"] {
        assert!(failing.stderr.contains(part), "{part}: {}", failing.stderr);
    }

    let charon = fake_charon(directory.path(), "0.1.240", "exit 0");
    let silent = run_on_pair(Some(&charon), &["--frontend", "charon"]);
    assert!(silent.stderr.contains("but wrote no file"), "{}", silent.stderr);

    let charon =
        fake_charon(directory.path(), "0.1.240", "echo '{\"charon_version\": \"0.1.240\", ' > \"$dest\"");
    let truncated = run_on_pair(Some(&charon), &["--frontend", "charon"]);
    assert!(truncated.stderr.contains("ends in the middle"), "{}", truncated.stderr);
}
