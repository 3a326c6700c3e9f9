//! Bad input gives one clear paragraph and exit code 101 (2 for wrong usage), and leaves everything as it was.

use regress_tests::cases::fixtures_root;
use regress_tests::command::run;
use regress_tests::repository::Repository;
use regress_tests::shared::SharedTarget;

/// The command fails with this code and says all of `says`, without a panic's message, and writes no report.
#[track_caller]
fn check(repository: &Repository, args: &[&str], code: i32, says: &[&str]) {
    let before = repository.snapshot().unwrap();
    let target = SharedTarget::take();
    let mut all_args = vec!["--target-dir", target.text()];
    all_args.extend(args);
    let run = run(repository.root(), &all_args);
    assert_eq!(run.code, Some(code), "{}{}", run.stdout, run.stderr);
    assert!(!run.stderr.contains("panicked at"), "{}", run.stderr);
    for text in says {
        assert!(run.stderr.contains(text), "`{text}` is not in:\n{}", run.stderr);
    }
    assert_eq!(run.stdout, "");
    assert_eq!(repository.snapshot().unwrap(), before);
}

fn two_commits() -> Repository {
    let case = fixtures_root().join("differ/boundary");
    let repository = Repository::new().unwrap();
    repository.commit_directory(&case.join("old"), "old").unwrap();
    repository.commit_directory(&case.join("new"), "new").unwrap();
    repository
}

#[test]
fn an_unknown_revision_is_named() {
    check(&two_commits(), &["no-such-branch"], 101, &["no-such-branch"]);
}

#[test]
fn an_unknown_option_is_wrong_usage() {
    check(&two_commits(), &["--no-such-option"], 2, &["--no-such-option"]);
}

#[test]
fn an_unborn_repository() {
    let repository = Repository::new().unwrap();
    repository.lay(&fixtures_root().join("differ/boundary/new")).unwrap();
    check(&repository, &[], 101, &["commit"]);
}

#[test]
fn only_one_commit() {
    let repository = Repository::new().unwrap();
    repository.commit_directory(&fixtures_root().join("differ/boundary/new"), "only").unwrap();
    check(&repository, &["HEAD~1"], 101, &["HEAD~1"]);
}

#[test]
fn a_version_that_does_not_compile_is_told_with_the_compilers_error() {
    let repository = two_commits();
    repository.write("src/lib.rs", "pub fn broken() -> u32 {\n    \"text\"\n}\n").unwrap();
    repository.commit_all("broken").unwrap();
    check(&repository, &["HEAD~1"], 101, &["mismatched types", "new"]);
    repository.write("src/lib.rs", "pub fn whole() -> u32 {\n    1\n}\n").unwrap();
    repository.commit_all("whole again").unwrap();
    check(&repository, &["HEAD~1"], 101, &["mismatched types", "old"]);
}

#[test]
fn no_package_at_that_commit() {
    let repository = Repository::new().unwrap();
    repository.write("README", "nothing yet\n").unwrap();
    repository.commit_all("no package").unwrap();
    repository.commit_directory(&fixtures_root().join("differ/boundary/new"), "package").unwrap();
    check(&repository, &["HEAD~1"], 101, &["Cargo.toml"]);
}

#[test]
fn a_package_that_only_one_version_has() {
    let repository = two_commits();
    check(&repository, &["HEAD~1", "-p", "no-such-package"], 101, &["no-such-package"]);
}

#[test]
fn not_a_repository() {
    let directory = tempfile::TempDir::new().unwrap();
    let run = run(directory.path(), &["HEAD~1"]);
    assert_eq!(run.code, Some(101), "{}{}", run.stdout, run.stderr);
    assert!(run.stderr.contains("repository") && !run.stderr.contains("panicked at"), "{}", run.stderr);
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
}

/// A pair whose newer, and then whose older version has this file; each time the error says all of this.
#[track_caller]
fn check_file(file: &str, text: &str, [in_new, in_old]: [&[&str]; 2]) {
    let repository = two_commits();
    let whole = std::fs::read_to_string(repository.root().join(file)).ok();
    repository.write(file, text).unwrap();
    repository.commit_all("with what is wrong").unwrap();
    check(&repository, &["HEAD~1"], 101, in_new);
    match whole {
        Some(whole) => repository.write(file, &whole).unwrap(),
        None => std::fs::remove_file(repository.root().join(file)).unwrap(),
    }
    repository.commit_all("without it").unwrap();
    check(&repository, &["HEAD~1"], 101, in_old);
}

#[test]
fn a_manifest_that_does_not_parse_is_told_with_its_place() {
    check_file(
        "Cargo.toml",
        "[package]\nname = \"boundary\nversion = \"0.1.0\"\n",
        // In the working tree it is read first of all, for the settings in it.
        [&["Cargo.toml:2", "invalid basic string"], &["old version", "Cargo.toml", "name = \"boundary"]],
    );
}

#[test]
fn a_build_script_that_fails_is_told_with_what_it_says() {
    check_file(
        "build.rs",
        "fn main() {\n    eprintln!(\"the header is missing\");\n    std::process::exit(3);\n}\n",
        [
            &["new version", "custom build command", "the header is missing"],
            &["old version", "custom build command", "the header is missing"],
        ],
    );
}

#[test]
fn a_configuration_of_cargo_that_does_not_parse_is_told_with_its_place() {
    let says = |version| ["config.toml", "[build", version];
    check_file(".cargo/config.toml", "[build\njobs = 2\n", [&says("new"), &says("old")]);
}
