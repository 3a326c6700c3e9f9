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
