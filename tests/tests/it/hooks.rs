//! The pre-push hook under the real git.

use std::fs;

use regress_tests::clone::Clone;

const OLD: &str = "pub fn half(x: u8) -> u8 {\n    x / 2\n}\n";
const BAD: &str = "pub fn half(x: u8) -> u8 {\n    (x + 1) / 2\n}\n";

/// Git runs hooks of a linked worktree with `GIT_DIR` in the environment, and they lie in the main repository.
#[test]
fn a_worktree_is_checked_by_the_hook_of_the_repository() {
    let clone = Clone::of_package(OLD);
    let side = clone.home().join("side");
    clone.git(&["worktree", "add", "--quiet", "-b", "topic", side.to_str().unwrap()]);
    let installed = clone.regress(&["hook", "install"]);
    assert_eq!(installed.code, Some(0), "{}", installed.stderr);
    assert!(clone.root().join(".git/hooks/pre-push").is_file());
    fs::write(side.join("src/lib.rs"), BAD).unwrap();
    clone.git_in(&side, &["commit", "--quiet", "--all", "--message=Round"]);
    let pushed = clone.try_git_in(&side, &["push", "--quiet", "origin", "topic"]);
    assert_ne!(pushed.code, Some(0));
    assert!(pushed.stdout.contains("`half` panics on inputs it could take before"), "{}", pushed.stdout);
    assert!(pushed.stderr.contains("the push is stopped"), "{}", pushed.stderr);
    let branches = clone.git_in(&clone.home().join("remote.git"), &["branch", "--list"]);
    assert_eq!(branches.trim(), "* main");
    // What changes nothing passes, a new branch as well as its deletion.
    fs::write(side.join("src/lib.rs"), format!("// Halves.\n{OLD}")).unwrap();
    clone.git_in(&side, &["commit", "--quiet", "--all", "--amend", "--message=Explain"]);
    let pushed = clone.try_git_in(&side, &["push", "origin", "topic"]);
    assert_eq!(pushed.code, Some(0), "{}", pushed.stderr);
    assert!(pushed.stdout.contains("no changed functions"), "{}", pushed.stdout);
    let deleted = clone.try_git_in(&side, &["push", "origin", ":topic"]);
    assert_eq!(deleted.code, Some(0), "{}", deleted.stderr);
    assert!(
        deleted.stderr.contains("`refs/heads/topic` is not compared: it is deleted"),
        "{}",
        deleted.stderr
    );
}

/// The time is over before anything is built, so the push passes, and only `--strict` stops it.
#[test]
fn what_takes_too_long_is_named_and_passes() {
    let clone = Clone::of_package(OLD);
    // Takes longer than the time for the run, however fast the machine is.
    clone.write("build.rs", "fn main() { std::thread::sleep(std::time::Duration::from_secs(2)) }\n");
    clone.commit("Wait");
    let base = clone.head();
    clone.write("src/lib.rs", BAD);
    clone.commit("Round");
    let line = format!("refs/heads/main {} refs/heads/main {base}\n", clone.head());
    let hook = ["hook", "run", "pre-push", "origin", "url", "--total-timeout", "1"];
    let passed = clone.regress_with(&hook, &[], &line);
    assert_eq!(passed.code, Some(0), "{}", passed.stderr);
    let words = [
        "1 function is not compared to the end, for the time for the whole run (1 s) was over: `half`",
        "not stopped",
    ];
    assert!(words.iter().all(|words| passed.stderr.contains(words)), "{}", passed.stderr);
    let strict: Vec<&str> = hook.into_iter().chain(["--strict"]).collect();
    // The versions are built now; a remote that is unknown is another comparison all the same.
    let stopped = clone.regress_with(&strict, &[], &line);
    assert!(matches!(stopped.code, Some(100 | 101)), "{}", stopped.stderr);
    // With time enough the same push is stopped for what it does, as pre-commit asks too.
    let asked = [("PRE_COMMIT_FROM_REF", base.as_str()), ("PRE_COMMIT_TO_REF", "HEAD")];
    let found = clone.regress_with(&["hook", "run", "pre-push", "--total-timeout", "600"], &asked, "");
    assert_eq!(found.code, Some(100), "{}", found.stderr);
    assert!(found.stdout.contains("`half` panics"), "{}", found.stdout);
}

#[test]
fn a_version_that_does_not_build_stops_nobody_unless_asked() {
    let clone = Clone::of_package(OLD);
    let base = clone.head();
    clone.write("src/lib.rs", "pub fn half(x: u8) -> u8 {\n    x / two\n}\n");
    clone.commit("Break");
    let line = format!("refs/heads/main {} refs/heads/main {base}\n", clone.head());
    let passed = clone.regress_with(&["hook", "run", "pre-push", "origin"], &[], &line);
    assert_eq!(passed.code, Some(0), "{}", passed.stderr);
    assert!(passed.stderr.contains("`refs/heads/main` could not be compared"), "{}", passed.stderr);
    let stopped = clone.regress_with(&["hook", "run", "pre-push", "origin", "--strict"], &[], &line);
    assert_eq!(stopped.code, Some(101), "{}", stopped.stderr);
    let wrong = clone.regress_with(&["hook", "run", "pre-push"], &[], "what is this");
    assert_eq!(wrong.code, Some(101), "{}", wrong.stderr);
    let wrong = clone.regress_with(&["hook", "run", "pre-push", "--", "--no-such-flag"], &[], &line);
    assert_eq!(wrong.code, Some(2), "{}", wrong.stderr);
}

/// Where `core.hooksPath` leads, and a package that is not at the root.
#[test]
fn the_hook_lies_where_git_looks_and_knows_the_package() {
    let clone = Clone::of_package(OLD);
    clone.git(&["config", "core.hooksPath", "tools/hooks"]);
    fs::create_dir(clone.root().join("sub")).unwrap();
    for file in ["Cargo.toml", "src"] {
        clone.git(&["mv", file, &format!("sub/{file}")]);
    }
    let nowhere = clone.regress(&["hook", "install"]);
    assert_eq!(nowhere.code, Some(101));
    assert!(nowhere.stderr.contains("no Cargo.toml"), "{}", nowhere.stderr);
    let installed = clone.regress(&["hook", "install", "--manifest-path", "sub/Cargo.toml"]);
    assert_eq!(installed.code, Some(0), "{}", installed.stderr);
    let text = fs::read_to_string(clone.root().join("tools/hooks/pre-push")).unwrap();
    assert!(text.contains("-- --manifest-path sub/Cargo.toml"), "{text}");
    assert!(!clone.root().join(".git/hooks/pre-push").exists());
    let removed = clone.regress(&["hook", "uninstall"]);
    assert_eq!(removed.code, Some(0), "{}", removed.stderr);
    assert!(!clone.root().join("tools/hooks/pre-push").exists());
}

/// As with `git --git-dir`, or where another tool than git keeps the working tree.
#[test]
fn the_repository_may_be_named_by_the_environment() {
    let clone = Clone::of_package(OLD);
    let elsewhere = clone.home().join("elsewhere.git");
    fs::rename(clone.root().join(".git"), &elsewhere).unwrap();
    assert_eq!(clone.regress(&["hook", "status"]).code, Some(101));
    let root = clone.root();
    let named = [("GIT_DIR", elsewhere.to_str().unwrap()), ("GIT_WORK_TREE", root.to_str().unwrap())];
    let installed = clone.regress_with(&["hook", "install"], &named, "");
    assert_eq!(installed.code, Some(0), "{}", installed.stderr);
    assert!(elsewhere.join("hooks/pre-push").is_file());
    let compared = clone.regress_with(&[], &named, "");
    assert!(compared.stderr.contains("is the first commit of this repository"), "{}", compared.stderr);
    // A bare one has no package to compare.
    let remote = clone.home().join("remote.git");
    let bare = clone.regress_with(&["hook", "install"], &[("GIT_DIR", remote.to_str().unwrap())], "");
    assert_eq!(bare.code, Some(101));
    assert!(bare.stderr.contains("is bare"), "{}", bare.stderr);
}

/// What the framework reads of this repository's own file.
#[test]
fn the_file_for_pre_commit_names_our_command() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../.pre-commit-hooks.yaml");
    let text = fs::read_to_string(file).unwrap();
    for line in [
        "- id: cargo-regress",
        "  entry: cargo regress hook run pre-push",
        "  pass_filenames: false",
        "  stages: [pre-push]",
    ] {
        assert!(text.lines().any(|other| other == line), "{line}");
    }
}

/// A merge that git makes without a conflict is judged after it was made; one that only moves the branch is not.
#[test]
fn a_merge_is_judged_after_it_was_made() {
    let library = "fn unit() -> u8 {\n    1\n}\n\npub fn whole(x: u8) -> u8 {\n    (x / 2) / unit()\n}\n\n\
                   // Below is what others ask for.\n\npub fn none() -> u8 {\n    0\n}\n";
    let clone = Clone::of_package(library);
    let installed = clone.regress(&["hook", "install", "--post-merge"]);
    assert_eq!(installed.code, Some(0), "{}", installed.stderr);
    assert!(clone.root().join(".git/hooks/post-merge").is_file());
    assert!(!clone.root().join(".git/hooks/pre-push").exists());
    clone.git(&["checkout", "--quiet", "-b", "topic"]);
    clone.write("src/lib.rs", &library.replace("    0\n", "    unit() - 1\n"));
    clone.commit("Ask for the unit");
    clone.git(&["checkout", "--quiet", "main"]);
    let forward = clone.try_git(&["merge", "--quiet", "topic"]);
    assert_eq!((forward.code, forward.stdout.as_str()), (Some(0), ""), "{}", forward.stderr);
    clone.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
    clone.write(
        "src/lib.rs",
        &library.replace("    1\n", "    2\n").replace("(x / 2) / unit()", "x / unit()"),
    );
    clone.commit("Two to the unit");
    let merged = clone.try_git(&["merge", "--quiet", "--no-edit", "topic"]);
    assert_eq!(merged.code, Some(0), "{}{}", merged.stdout, merged.stderr);
    // Git shows both on standard error.
    let said = format!("{}{}", merged.stdout, merged.stderr);
    let words = [
        "interaction[REG0015]: `none` does what neither branch does",
        "`none()` returned `0` in the merge base",
        "the merge is made; see above how its branches interact",
    ];
    assert!(words.iter().all(|words| said.contains(words)), "{said}");
    assert_eq!(clone.git(&["rev-list", "--parents", "-n", "1", "HEAD"]).split_whitespace().count(), 3);
    let removed = clone.regress(&["hook", "uninstall", "--post-merge"]);
    assert_eq!(removed.code, Some(0), "{}", removed.stderr);
    assert!(!clone.root().join(".git/hooks/post-merge").exists());
}
