//! Which command lines are understood, and as what.

use std::ffi::OsString;
use std::num::NonZeroU32;

use super::*;

fn request(words: impl IntoIterator<Item = OsString>) -> Result<Request, clap::Error> {
    super::request(words, &Defaults::default())
}

fn parse_line(line: &str) -> Result<Options, clap::Error> {
    parse(line.split_whitespace().map(OsString::from))
}

#[track_caller]
fn check_revision(line: &str, expected: Option<&str>) {
    let options = parse_line(line).expect("the line parses");
    assert_eq!(options.comparison.revision.as_deref(), expected, "{line}");
}

#[track_caller]
fn check_usage_error(line: &str) {
    let error = parse_line(line).expect_err("the line is refused");
    assert_eq!(error.exit_code(), 2, "{line}");
}

#[test]
fn the_definition_is_consistent() {
    use clap::CommandFactory;
    Options::command().debug_assert();
    MergeOptions::command().debug_assert();
    ExploreOptions::command().debug_assert();
    LocalizeOptions::command().debug_assert();
    BisectOptions::command().debug_assert();
    AffectedTestsOptions::command().debug_assert();
    AcceptOptions::command().debug_assert();
    CiOptions::command().debug_assert();
    ServeOptions::command().debug_assert();
    WatchOptions::command().debug_assert();
    HookOptions::command().debug_assert();
    ConfigOptions::command().debug_assert();
}

#[test]
fn the_subcommand_word_is_optional() {
    check_revision("cargo-regress regress HEAD~2", Some("HEAD~2"));
    check_revision("cargo-regress HEAD~2", Some("HEAD~2"));
    check_revision("cargo-regress regress", None);
    check_revision("cargo-regress", None);
    check_revision("cargo-regress regress regress", Some("regress"));
}

#[test]
fn a_function_can_be_explored() {
    for line in
        ["cargo-regress regress explore a::b --strategy dart", "cargo-regress explore a::b --strategy dart"]
    {
        match request(line.split_whitespace().map(OsString::from)) {
            Ok(Request::Explore(options)) => {
                assert_eq!((options.path.as_str(), options.search.strategy), ("a::b", Strategy::Dart));
            }
            other => panic!("{line}: {other:?}"),
        }
    }
    let missing = request(["cargo-regress", "explore"].map(OsString::from)).expect_err("a path is needed");
    assert_eq!(missing.exit_code(), 2);
    let branch = request(["cargo-regress", "regress", "heads/explore"].map(OsString::from));
    assert!(matches!(branch, Ok(Request::Compare(_))), "{branch:?}");
}

#[test]
fn a_call_or_a_test_can_be_localized() {
    let parsed = |words: &[&str]| request(words.iter().map(OsString::from));
    match parsed(&["cargo-regress", "regress", "localize", "--call", "a::b(1, -2)", "HEAD~3", "--with", "pc"])
    {
        Ok(Request::Localize(options)) => {
            assert_eq!((options.call.as_deref(), options.with), (Some("a::b(1, -2)"), With::Pc));
            assert_eq!(options.options().comparison.revision.as_deref(), Some("HEAD~3"));
        }
        other => panic!("{other:?}"),
    }
    assert!(matches!(parsed(&["cargo-regress", "localize"]), Ok(Request::Localize(_))));
    assert!(matches!(parsed(&["cargo-regress", "heads/localize"]), Ok(Request::Compare(_))));
    let both = parsed(&["cargo-regress", "localize", "--call", "f()", "--test", "t"]);
    assert_eq!(both.expect_err("one of them").exit_code(), 2);
}

#[test]
fn documented_defaults() {
    let options = parse_line("cargo-regress regress").expect("no arguments are fine");
    assert_eq!(options.search.timeout, 10);
    assert_eq!(options.search.max_len, 8);
    assert_eq!(options.search.unwind, 64);
    assert_eq!(options.search.random_runs, 1000);
    assert_eq!(options.search.strategy, Strategy::Rsc);
    assert_eq!(options.output.fail_on, FailOn::Regression);
    assert_eq!(options.output.reports, Reports::default());
}

#[test]
fn cargo_flags_are_understood() {
    let options = parse_line(
        "cargo-regress regress A..B -p one -p two --exclude three -F x,y --no-default-features \
         --manifest-path sub/Cargo.toml --frozen --target-dir out --release -j 2 -v",
    )
    .expect("the line parses");
    assert_eq!(options.packages.workspace.package, ["one", "two"]);
    assert_eq!(options.packages.workspace.exclude, ["three"]);
    assert_eq!(options.packages.manifest.manifest_path.as_deref(), Some("sub/Cargo.toml".as_ref()));
    assert!(options.packages.features.no_default_features && options.build.frozen && options.build.release);
    assert_eq!(options.build.jobs, NonZeroU32::new(2));
    assert_eq!(options.output.verbose, 1);
}

#[test]
fn at_most_one_baseline() {
    check_usage_error("cargo-regress HEAD~1 --merge-base main");
    check_usage_error("cargo-regress --baseline-root old --merge-base main");
    check_usage_error("cargo-regress one two");
}

#[test]
fn a_merge_may_be_named() {
    let merged = |line: &str| parse_line(line).expect("a valid command line").merged.merge;
    assert_eq!(merged("cargo-regress regress"), None);
    assert_eq!(merged("cargo-regress regress --merge"), Some(None));
    assert_eq!(merged("cargo-regress regress --merge topic"), Some(Some("topic".to_owned())));
    assert_eq!(merged("cargo-regress regress --merge -p one"), Some(None));
    check_usage_error("cargo-regress regress HEAD~1 --merge");
    check_usage_error("cargo-regress regress --merge topic --merge-base main");
    check_usage_error("cargo-regress regress --merge topic --list");
}

#[test]
fn two_files_take_the_place_of_versions() {
    let options = parse_line("cargo-regress --from-llbc a.ullbc b.ullbc").expect("the line parses");
    assert_eq!(options.frontend.files(), Some(("a.ullbc".into(), "b.ullbc".into())));
    assert_eq!(options.frontend.frontend, Frontend::Auto);
    check_usage_error("cargo-regress --from-llbc a.ullbc");
    check_usage_error("cargo-regress HEAD~1 --from-llbc a.ullbc b.ullbc");
    check_usage_error("cargo-regress --frontend charon --from-llbc a.ullbc b.ullbc");
}

#[test]
fn only_comparisons_have_findings_to_convert() {
    let code = |line: &str| {
        request(line.split_whitespace().map(OsString::from)).map_or_else(|error| error.exit_code(), |_| 0)
    };
    assert_eq!(code("cargo-regress --message-format sarif"), 0);
    assert_eq!(code("cargo-regress explore f --message-format sarif"), 2);
    assert_eq!(code("cargo-regress --merge topic --message-format sarif"), 2);
    assert_eq!(code("cargo-regress localize --message-format short"), 2);
    assert_eq!(code("cargo-regress --list --message-format junit"), 2);
    assert_eq!(code("cargo-regress --list --message-format json"), 0);
    assert_eq!(code("cargo-regress merge a.json --list --message-format cargo-json"), 2);
    assert_eq!(code("cargo-regress merge a.json --message-format cargo-json"), 0);
    assert_eq!(code("cargo-regress --list --stats"), 2);
    assert_eq!(code("cargo-regress accept --function f --reason r"), 0);
    assert_eq!(code("cargo-regress accept --function f --reason r --message-format json"), 2);
    assert_eq!(code("cargo-regress accept --function f --reason r --output-path a.txt"), 2);
}

#[test]
fn a_call_may_have_a_fraction_of_a_second() {
    let limit = |line: &str| parse_line(line).expect("a number").search.call_limits().call.as_millis();
    assert_eq!(limit("cargo-regress"), 500);
    assert_eq!(limit("cargo-regress --timeout 60"), 500);
    assert_eq!(limit("cargo-regress --timeout 1"), 50);
    assert_eq!(limit("cargo-regress --call-timeout 0.2"), 200);
    assert_eq!(limit("cargo-regress --call-timeout 3600"), 3_600_000);
}

#[test]
fn senseless_values_are_refused() {
    check_usage_error("cargo-regress --timeout 0");
    for seconds in ["0", "0.001", "3601", "-1", "nan", "inf", "1s"] {
        check_usage_error(&format!("cargo-regress --call-timeout={seconds}"));
    }
    check_usage_error("cargo-regress -j 0");
    check_usage_error("cargo-regress --strategy magic");
    check_usage_error("cargo-regress --fail-on sometimes");
    check_usage_error("cargo-regress -q -v");
    check_usage_error("cargo-regress --no-such-flag");
}

#[test]
fn every_command_is_named_in_the_help() {
    let help = Options::command().render_long_help().to_string();
    let (_, commands) = help.split_once("Commands").expect("they are listed");
    let of_findings = ["explore", "localize", "bisect", "affected-tests", "accept", "merge", "ci", "hook"];
    for name in of_findings.into_iter().chain(["config", "setup", "completions", "man", "clean"]) {
        assert!(commands.contains(&format!("  {name} ")), "{name} in: {commands}");
    }
}
