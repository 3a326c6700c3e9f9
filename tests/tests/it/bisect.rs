//! `cargo regress bisect`: the first commit at which a call or test does something else.

use std::process::Command;

use cargo_regress::report::bisect::{By, Document, StandingRecord};
use regress_tests::command::{Run, run};
use regress_tests::repository::Repository;
use regress_tests::shared::SharedTarget;

const MANIFEST: &str =
    "[package]\nname = \"bisected\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n";

/// `limit` is what the calls ask about; the other function changes beside it.
fn source(limit: &str, other: u8) -> String {
    format!(
        "pub fn limit(x: i32) -> i32 {{\n    {limit}\n}}\n\npub fn other(x: u8) -> u8 {{\n    x ^ {other}\n}}\n\n\
         #[cfg(test)]\nmod tests {{\n    #[test]\n    fn ten() {{\n        assert_eq!(super::limit(10), 10);\n    }}\n}}\n"
    )
}

const AS_EVER: &str = "if x > 10 { 10 } else { x }";
const WRITTEN_ANEW: &str = "if x >= 11 { 10 } else { x }";
const WRONG: &str = "if x >= 10 { 9 } else { x }";

/// A history with a commit for each source, named by its number.
fn history(sources: &[String]) -> Repository {
    let repository = Repository::new().expect("a repository");
    repository.write("Cargo.toml", MANIFEST).expect("writable");
    for (number, source) in sources.iter().enumerate() {
        repository.write("src/lib.rs", source).expect("writable");
        repository.commit_all(&format!("commit {number}")).expect("a commit");
    }
    repository
}

fn bisect(repository: &Repository, target: &SharedTarget, words: &[&str]) -> Run {
    let mut args = vec!["bisect"];
    args.extend(words);
    args.extend(["--hunk-time", "0", "--target-dir", target.text()]);
    run(repository.root(), &args)
}

fn document(run: &Run) -> Document {
    serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}{}", run.stdout, run.stderr))
}

fn first_bad(document: &Document) -> &str {
    let commit = document.first_bad.as_ref().unwrap_or_else(|| panic!("{document:?}"));
    commit.label.split_once(' ').map_or("", |(_, subject)| subject)
}

#[test]
fn the_commit_and_its_line_are_named() {
    let limits = [AS_EVER, AS_EVER, AS_EVER, WRITTEN_ANEW, WRITTEN_ANEW, WRONG, WRONG, WRONG];
    let sources: Vec<String> =
        limits.iter().zip(0u8..).map(|(limit, number)| source(limit, number)).collect();
    let (repository, target) = (history(&sources), SharedTarget::take());
    let before = repository.snapshot().expect("readable");
    let call = ["HEAD~7..HEAD", "--call", "limit(10)", "--message-format", "json"];
    let run = bisect(&repository, &target, &call);
    assert_eq!(run.code, Some(100), "{}", run.stderr);
    let found = document(&run);
    assert_eq!((first_bad(&found), found.commits), ("commit 5", 7));
    let localized = found.localized.expect("it is localized");
    assert_eq!((localized.suspects[0].line, localized.located), (2, true));
    // Of the other function's commits, those before `limit` was written anew and those after the slip need no run.
    let by_alignment = |standing| {
        found.judged.iter().filter(|judged| judged.by == By::Alignment && judged.standing == standing).count()
    };
    let run_of: Vec<_> = found.judged.iter().filter(|judged| judged.by == By::Run).collect();
    assert!(by_alignment(StandingRecord::Bad) >= 1, "{:?}", found.judged);
    assert_eq!(run_of.len(), 1, "{:?}", found.judged);
    assert_eq!(run_of[0].how.as_deref(), Some("returns `10`"));

    let test = ["HEAD~7..HEAD", "--test", "tests::ten", "--message-format", "json"];
    let found = document(&bisect(&repository, &target, &test));
    assert_eq!(first_bad(&found), "commit 5");
    assert!(found.judged.iter().all(|judged| judged.by == By::Run), "{:?}", found.judged);

    let text = bisect(&repository, &target, &["HEAD~7", "--call", "limit(10)", "--color", "never"]).stdout;
    assert!(text.contains("commit 5 ("), "{text}");
    assert!(text.contains("`limit(10)` returns `10` before it, and returns `9` from it on"), "{text}");
    assert!(text.contains("suspect 1: only the new version treats `x` = 10"), "{text}");
    assert_eq!(repository.snapshot().expect("readable"), before);
}

#[test]
fn commits_that_do_not_build_are_passed_over_or_named() {
    let broken = "this is no Rust".to_owned();
    let of = |limit| source(limit, 0);
    // Beside the first bad commit stands nothing that cannot be judged.
    let passed = [of(AS_EVER), broken.clone(), of(WRITTEN_ANEW), of(WRONG), of(WRONG)];
    let (repository, target) = (history(&passed), SharedTarget::take());
    let call = ["HEAD~4..HEAD", "--call", "limit(10)", "--message-format", "json"];
    assert_eq!(first_bad(&document(&bisect(&repository, &target, &call))), "commit 3");

    let between = [of(AS_EVER), broken, of(WRONG)];
    let repository = history(&between);
    let call = ["HEAD~2..HEAD", "--call", "limit(10)", "--message-format", "json"];
    let run = bisect(&repository, &target, &call);
    assert_eq!(run.code, Some(101), "{}", run.stderr);
    let found = document(&run);
    assert_eq!((found.one_of.len(), found.first_bad), (2, None));
    assert!(
        found.judged[0].how.as_deref().is_some_and(|how| how.contains("does not compile")),
        "{:?}",
        found.judged
    );
}

#[test]
fn what_is_no_search_is_said() {
    let (repository, target) = (history(&[source(AS_EVER, 0), source(AS_EVER, 1)]), SharedTarget::take());
    let run = bisect(&repository, &target, &["HEAD~1", "--call", "limit(3)"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("nothing to find: `limit(3)` returns `3` at both ends"), "{}", run.stdout);
    for (words, code, says) in [
        (vec!["HEAD..HEAD~1", "--call", "limit(3)"], 101, "`HEAD` is not an ancestor of `HEAD~1`"),
        (vec!["HEAD..HEAD", "--call", "limit(3)"], 101, "are the same commit"),
        (vec!["HEAD~1", "--call", "limits(3)"], 101, "limits"),
        (vec!["HEAD~1"], 2, "--call"),
        (vec!["HEAD~1", "--call", "limit(3)", "--test", "ten"], 2, "cannot be used with"),
    ] {
        let run = bisect(&repository, &target, &words);
        assert_eq!((run.code, run.stderr.contains(says)), (Some(code), true), "{words:?}\n{}", run.stderr);
    }
}

/// The wrong commit is on the branch that was merged.
#[test]
fn branches_are_searched() {
    let (repository, target) = (history(&[source(AS_EVER, 0)]), SharedTarget::take());
    let git = |words: &[&str]| {
        let identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
        let done = Command::new("git").args(identity).args(words).current_dir(repository.root()).output();
        let done = done.expect("git can be run");
        assert!(done.status.success(), "{words:?}: {}", String::from_utf8_lossy(&done.stderr));
    };
    git(&["checkout", "-q", "-b", "side"]);
    repository.write("src/lib.rs", &source(WRONG, 0)).expect("writable");
    repository.commit_all("the slip").expect("a commit");
    git(&["checkout", "-q", "-"]);
    repository.write("notes.txt", "beside it").expect("writable");
    repository.commit_all("notes").expect("a commit");
    git(&["merge", "-q", "--no-ff", "-m", "merged", "side"]);
    let call = ["HEAD~2..HEAD", "--call", "limit(10)", "--message-format", "json"];
    assert_eq!(first_bad(&document(&bisect(&repository, &target, &call))), "the slip");
}
