//! What belongs to the user is left as it was, byte for byte, whatever state it is in.

use regress_tests::cases::fixtures_root;
use regress_tests::command::run;
use regress_tests::repository::Repository;
use regress_tests::shared::SharedTarget;

/// Two commits of a case, brought into a state by `prepare`; the command runs, and nothing has changed.
#[track_caller]
fn check(args: &[&str], prepare: impl Fn(&Repository)) {
    let case = fixtures_root().join("differ/boundary");
    let repository = Repository::new().unwrap();
    repository.commit_directory(&case.join("old"), "old").unwrap();
    repository.commit_directory(&case.join("new"), "new").unwrap();
    prepare(&repository);
    let before = repository.snapshot().unwrap();
    let target = SharedTarget::take();
    let mut all_args = vec!["--target-dir", target.text()];
    all_args.extend(args);
    let run = run(repository.root(), &all_args);
    let after = repository.snapshot().unwrap();
    assert!(matches!(run.code, Some(0 | 100)), "{:?}: {}", run.code, run.stderr);
    assert_eq!(after, before);
}

#[test]
fn a_clean_tree() {
    check(&["HEAD~1"], |_| {});
}

#[test]
fn a_dirty_tree_with_untracked_files() {
    check(&["HEAD~1"], |repository| {
        repository.write("src/lib.rs", "pub fn adult(age: u8) -> bool {\n    age >= 21\n}\n").unwrap();
        repository.write("notes.txt", "not for git\n").unwrap();
    });
}

#[test]
fn a_staged_change_that_is_changed_again() {
    check(&[], |repository| {
        repository.write("src/lib.rs", "pub fn adult(age: u8) -> bool {\n    age >= 21\n}\n").unwrap();
        let mut index = repository.git().index().unwrap();
        index.add_path("src/lib.rs".as_ref()).unwrap();
        index.write().unwrap();
        repository.write("src/lib.rs", "pub fn adult(age: u8) -> bool {\n    age >= 20\n}\n").unwrap();
    });
}

#[test]
fn a_detached_head() {
    check(&["HEAD~1"], |repository| {
        let head = repository.git().head().unwrap().target().unwrap();
        repository.git().set_head_detached(head).unwrap();
    });
}

/// As the user runs it: what the command keeps lies in the package's own target directory, but for the models of the standard library, which all
/// target directories share.
#[test]
fn the_packages_own_target_directory() {
    let case = fixtures_root().join("differ/boundary");
    let repository = Repository::new().unwrap();
    repository.commit_directory(&case.join("old"), "old").unwrap();
    repository.commit_directory(&case.join("new"), "new").unwrap();
    let before = repository.snapshot().unwrap();
    let run = run(repository.root(), &["HEAD~1"]);
    assert!(matches!(run.code, Some(0 | 100)), "{:?}: {}", run.code, run.stderr);
    assert_eq!(repository.snapshot().unwrap(), before);
    let kept: Vec<_> = std::fs::read_dir(repository.root().join("target")).unwrap().flatten().collect();
    assert!(kept.iter().all(|entry| entry.file_name() == "regress"), "{kept:?}");
    assert!(!repository.root().join("target/regress/cache/std-models").exists());
}

/// One of the stated exceptions: the file with expected differences, and no other.
#[test]
fn accepting_writes_one_file() {
    let case = fixtures_root().join("differ/boundary");
    let repository = Repository::new().unwrap();
    repository.commit_directory(&case.join("old"), "old").unwrap();
    repository.commit_directory(&case.join("new"), "new").unwrap();
    let before = repository.snapshot().unwrap();
    let target = SharedTarget::take();
    let args =
        ["accept", "--target-dir", target.text(), "--function", "adult", "--reason", "meant", "HEAD~1"];
    let run = run(repository.root(), &args);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let after = repository.snapshot().unwrap();
    let written: Vec<_> = after.files.keys().filter(|file| !before.files.contains_key(*file)).collect();
    assert_eq!(written, [std::path::Path::new(".config/regress-accepted.toml")]);
    assert!(before.files.iter().all(|(file, bytes)| after.files.get(file) == Some(bytes)));
    assert_eq!((after.index, after.head), (before.index, before.head));
}

#[test]
fn two_commits_named() {
    check(&["HEAD~1..HEAD"], |_| {});
}
