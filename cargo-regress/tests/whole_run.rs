//! A run from arguments to exit code, with findings made by hand in place of an analysis.

use std::ffi::OsString;
use std::path::Path;

use cargo_regress::args::{ExploreOptions, LocalizeOptions, Options};
use cargo_regress::bisect::Localizing;
use cargo_regress::command::run;
use cargo_regress::progress::Progress;
use cargo_regress::report::affected::AffectedTests;
use cargo_regress::report::bisect::{CommitStanding, Ends};
use cargo_regress::report::list::Listing;
use cargo_regress::report::localize::LocalizeReport;
use cargo_regress::report::merge::MergeReport;
use cargo_regress::report::signature::Signature;
use cargo_regress::report::{ChangedLines, Files, FunctionReport, Report, TreeSources, WithSources};
use cargo_regress::versions::{MergeVersions, Place, Versions};
use regress_core::value::{Outcome, Panic, PanicKind, Value};
use regress_core::verdict::{
    ChangeKind, Class, Confirmation, Ledger, PartitionCount, Verdict, Witness, WitnessOrigin,
};

/// A package with two commits and `extra` in its working tree.
fn repository() -> tempfile::TempDir {
    let home = tempfile::TempDir::new().expect("a temporary directory");
    let repository = git2::Repository::init(home.path()).expect("a repository");
    let manifest = "[package]\nname = \"one\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    std::fs::create_dir(home.path().join("src")).expect("writable");
    for (source, message) in [("fn f() {}", "first"), ("fn f() { g() } fn g() {}", "second")] {
        std::fs::write(home.path().join("Cargo.toml"), manifest).expect("writable");
        std::fs::write(home.path().join("src/lib.rs"), source).expect("writable");
        let mut index = repository.index().expect("an index");
        index.add_all(["*"], git2::IndexAddOption::DEFAULT, None).expect("addable");
        index.write().expect("writable");
        let tree = repository.find_tree(index.write_tree().expect("writable")).expect("written");
        let author = git2::Signature::now("A", "a@example.org").expect("valid");
        let parent = repository.head().ok().map(|head| head.peel_to_commit().expect("a commit"));
        let parents: Vec<_> = parent.iter().collect();
        repository.commit(Some("HEAD"), &author, &author, message, &tree, &parents).expect("committable");
    }
    home
}

fn analysed(versions: &Versions, verdict: Verdict) -> WithSources<Report> {
    let mut report = Report::on(versions);
    report.functions.push(FunctionReport {
        path: "f".to_owned(),
        canonical: "one::f".to_owned(),
        unshown: Vec::new(),
        acceptance: Default::default(),
        kind: ChangeKind::Changed,
        verdict,
        old_span: None,
        new_span: None,
        changed_lines: ChangedLines::default(),
        files: Files::default(),
        outside: cargo_regress::report::SeenFromOutside::Open,
        reach: Default::default(),
        notes: Vec::new(),
    });
    let sources = TreeSources::new(versions.old.package_root.clone(), versions.new.package_root.clone());
    WithSources { report, sources: Box::new(sources) }
}

fn regression() -> Verdict {
    let panic = Panic { kind: PanicKind::Explicit, message: None, location: None };
    Verdict::Differs {
        class: Class::Regression,
        witnesses: vec![Witness {
            inputs: Vec::new(),
            old: Outcome::Returned { value: Value::unit(), mutated: Vec::new() },
            new: Outcome::Panicked(panic),
            confirmation: Confirmation::Native,
            origin: WitnessOrigin::Random,
        }],
        suspects: Vec::new(),
        partitions: PartitionCount::default(),
        ledger: Ledger::default(),
    }
}

fn unlisted(_: &Options, _: &Place, _: &Versions, _: &dyn Progress) -> anyhow::Result<Listing> {
    panic!("a comparison was asked for")
}

fn unexplored(_: &ExploreOptions, _: &Place, _: &Versions, _: &dyn Progress) -> anyhow::Result<Signature> {
    panic!("a comparison was asked for")
}

fn unlocalized(
    _: &LocalizeOptions,
    _: &Place,
    _: &Versions,
    _: &dyn Progress,
) -> anyhow::Result<WithSources<LocalizeReport>> {
    panic!("a comparison was asked for")
}

fn unselected(_: &Options, _: &Place, _: &Versions, _: &dyn Progress) -> anyhow::Result<AffectedTests> {
    panic!("a comparison was asked for")
}

type Question<T> = fn(&LocalizeOptions, &Place, &Versions, &dyn Progress) -> anyhow::Result<T>;
type OfCommit =
    fn(&LocalizeOptions, &Place, (&Versions, &Versions), &dyn Progress) -> anyhow::Result<CommitStanding>;

fn unbisected() -> Localizing<Question<WithSources<LocalizeReport>>, Question<Ends>, OfCommit> {
    Localizing {
        localize: unlocalized,
        history_ends: |_, _, _, _| panic!("a comparison was asked for"),
        commit_standing: |_, _, _, _| panic!("a comparison was asked for"),
    }
}

fn unjudged(_: &Options, _: &Place, _: &MergeVersions, _: &dyn Progress) -> anyhow::Result<MergeReport> {
    panic!("a comparison was asked for")
}

#[track_caller]
fn check(directory: &Path, arguments: &[&str], verdict: Verdict, code: u8) {
    let manifest = directory.join("Cargo.toml").into_os_string();
    let words = ["cargo-regress", "regress", "--manifest-path"].map(OsString::from);
    let words = words.into_iter().chain([manifest]).chain(arguments.iter().map(OsString::from));
    let mut calls = 0;
    let actual = run(
        words,
        |_, _, versions, _| {
            calls += 1;
            assert!(versions.old.package_root.join("Cargo.toml").is_file());
            assert!(versions.new.root.starts_with(&versions.new.package_root));
            Ok(analysed(versions, verdict.clone()))
        },
        unlisted,
        unexplored,
        unbisected(),
        unselected,
        unjudged,
    );
    assert_eq!((actual, calls), (code, 1), "{arguments:?}");
}

#[test]
fn the_exit_code_follows_from_the_findings() {
    let home = repository();
    check(home.path(), &[], regression(), 100);
    check(home.path(), &["--message-format", "json"], regression(), 100);
    check(home.path(), &["--fail-on", "never"], regression(), 0);
    check(home.path(), &["HEAD~1..HEAD"], Verdict::Added, 0);
}

#[test]
fn several_reports_are_written_at_once() {
    let home = repository();
    let out = tempfile::TempDir::new().expect("a temporary directory");
    let file = |name: &str| out.path().join("deep").join(name).into_os_string().into_string().expect("UTF-8");
    let (sarif, junit, human) = (file("r.sarif"), file("r.xml"), file("r.txt"));
    let arguments = [
        ["--message-format", "sarif", "--output-path", &sarif],
        ["--message-format", "junit", "--output-path", &junit],
        ["--message-format", "human", "--output-path", &human],
        ["--message-format", "short", "--fail-on", "never"],
    ];
    check(home.path(), arguments.as_flattened(), regression(), 0);
    let text = |name: &str| std::fs::read_to_string(name).expect("it is written");
    assert!(text(&sarif).contains("\"ruleId\": \"REG0001\""));
    assert!(text(&junit).starts_with("<?xml"));
    assert!(text(&human).contains("regression[REG0001]: `f` panics") && !text(&human).contains('\u{1b}'));
}

#[test]
fn a_report_that_cannot_be_written_is_an_error() {
    let home = repository();
    let directory = home.path().to_str().expect("UTF-8");
    check(home.path(), &["--message-format", "json", "--output-path", directory], regression(), 101);
}

#[test]
fn a_failed_analysis_is_not_completed() {
    let home = repository();
    let manifest = home.path().join("Cargo.toml").into_os_string();
    let words = [OsString::from("cargo-regress"), OsString::from("--manifest-path"), manifest];
    let code = run(
        words,
        |_, _, _, _| anyhow::bail!("the old version does not compile"),
        unlisted,
        unexplored,
        unbisected(),
        unselected,
        unjudged,
    );
    assert_eq!(code, 101);
}

#[test]
fn everything_is_written_below_the_target_directory() {
    let home = repository();
    let target = tempfile::TempDir::new().expect("a temporary directory");
    let before = std::fs::read_dir(home.path()).expect("readable").count();
    let directory = target.path().to_str().expect("UTF-8");
    check(home.path(), &["--target-dir", directory], Verdict::Added, 0);
    assert_eq!(std::fs::read_dir(home.path()).expect("readable").count(), before);
    let written: Vec<_> = std::fs::read_dir(target.path()).expect("readable").collect();
    assert_eq!(written.len(), 1, "{written:?}");
    assert!(target.path().join("regress").is_dir());
}
