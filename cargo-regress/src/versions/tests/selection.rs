//! What is compared with what.

use super::scratch::{Scratch, defaults, revision, text};
use crate::args::ComparisonArgs;
use crate::versions::Versions;

/// `lib.rs` of the old and of the new version.
#[track_caller]
fn check_sources(versions: &Versions, old: &str, new: &str) {
    assert_eq!(text(&versions.old, "src/lib.rs").as_deref(), Some(old), "old: {}", versions.old.label);
    assert_eq!(text(&versions.new, "src/lib.rs").as_deref(), Some(new), "new: {}", versions.new.label);
}

/// Three commits: `fn f() { 1 }`, `2`, `3`.
fn three_commits() -> Scratch {
    let scratch = Scratch::with_package();
    for (number, message) in [(2, "second"), (3, "third")] {
        scratch.write("src/lib.rs", &format!("fn f() {{ {number} }}"));
        scratch.commit(message);
    }
    scratch
}

#[test]
fn a_clean_tree_compares_head_with_its_parent() {
    let scratch = three_commits();
    let versions = scratch.versions(&defaults());
    check_sources(&versions, "fn f() { 2 }", "fn f() { 3 }");
    let head = scratch.repository.head().unwrap().target().unwrap().to_string();
    assert_eq!(versions.new.oid.as_deref(), Some(head.as_str()));
    assert_eq!((versions.old.rev.as_str(), versions.new.rev.as_str()), ("HEAD~1", "HEAD"));
    assert_eq!(versions.new.label, format!("HEAD ({} third)", &head[..7]));
}

#[test]
fn a_dirty_tree_is_compared_with_head() {
    let scratch = three_commits();
    scratch.write("src/lib.rs", "fn f() { 4 }");
    let versions = scratch.versions(&defaults());
    check_sources(&versions, "fn f() { 3 }", "fn f() { 4 }");
    assert_eq!(versions.old.rev, "HEAD");
    assert_eq!((versions.new.rev.as_str(), &versions.new.oid), ("working tree", &None));
    assert!(versions.headline().starts_with("comparing HEAD ("), "{}", versions.headline());
    assert!(versions.headline().contains("with the working tree (uncommitted changes on "));
}

#[test]
fn a_staged_change_makes_the_tree_dirty() {
    let scratch = three_commits();
    scratch.write("src/lib.rs", "fn f() { 4 }");
    let mut index = scratch.repository.index().unwrap();
    index.add_path("src/lib.rs".as_ref()).unwrap();
    index.write().unwrap();
    check_sources(&scratch.versions(&defaults()), "fn f() { 3 }", "fn f() { 4 }");
}

#[test]
fn a_new_note_does_not_make_the_tree_dirty_but_a_new_source_does() {
    let scratch = three_commits();
    scratch.write("notes.txt", "to do");
    assert_eq!(scratch.versions(&defaults()).old.rev, "HEAD~1");
    scratch.write("src/bin/tool.rs", "fn main() {}");
    assert_eq!(scratch.versions(&defaults()).old.rev, "HEAD");
}

#[test]
fn a_revision_is_compared_with_the_newest_state() {
    let scratch = three_commits();
    check_sources(&scratch.versions(&revision("HEAD~2")), "fn f() { 1 }", "fn f() { 3 }");
    scratch.write("src/lib.rs", "fn f() { 4 }");
    check_sources(&scratch.versions(&revision("HEAD~2")), "fn f() { 1 }", "fn f() { 4 }");
}

#[test]
fn a_range_compares_two_commits_whatever_the_working_tree_holds() {
    let scratch = three_commits();
    scratch.write("src/lib.rs", "fn f() { 4 }");
    check_sources(&scratch.versions(&revision("HEAD~2..HEAD~1")), "fn f() { 1 }", "fn f() { 2 }");
    check_sources(&scratch.versions(&revision("HEAD~1..")), "fn f() { 2 }", "fn f() { 3 }");
    check_sources(&scratch.versions(&revision("..HEAD~2")), "fn f() { 3 }", "fn f() { 1 }");
}

/// `main` goes on from the second commit, HEAD (on `work`) too.
fn diverged() -> Scratch {
    let scratch = Scratch::with_package();
    scratch.write("src/lib.rs", "fn f() { 2 }");
    let second = scratch.commit("second");
    scratch.branch("base", second);
    scratch.branch("work", second);
    scratch.write("src/lib.rs", "fn f() { 30 }");
    let main = scratch.commit("on main");
    scratch.branch("main-line", main);
    scratch.check_out("refs/heads/work");
    scratch.write("src/lib.rs", "fn f() { 3 }");
    scratch.commit("on work");
    scratch
}

#[test]
fn merge_base_is_where_the_branches_parted() {
    let scratch = diverged();
    let arguments = ComparisonArgs { merge_base: Some("main-line".to_owned()), ..defaults() };
    let versions = scratch.versions(&arguments);
    check_sources(&versions, "fn f() { 2 }", "fn f() { 3 }");
    assert_eq!(versions.old.rev, "merge base of HEAD and main-line");
    check_sources(&scratch.versions(&revision("main-line...work")), "fn f() { 2 }", "fn f() { 3 }");
    check_sources(&scratch.versions(&revision("work...main-line")), "fn f() { 2 }", "fn f() { 30 }");
}

#[test]
fn a_detached_head_is_as_good_as_a_branch() {
    let scratch = three_commits();
    let head = scratch.repository.head().unwrap().target().unwrap();
    scratch.repository.set_head_detached(head).unwrap();
    check_sources(&scratch.versions(&defaults()), "fn f() { 2 }", "fn f() { 3 }");
}

#[test]
fn an_id_is_not_said_twice() {
    let scratch = three_commits();
    let id = scratch.repository.revparse_single("HEAD~1").unwrap().id().to_string();
    assert_eq!(scratch.versions(&revision(&id[..10])).old.label, format!("{} (second)", &id[..7]));
}

#[test]
fn a_tag_names_the_commit_it_is_put_on() {
    let scratch = three_commits();
    let target = scratch.repository.revparse_single("HEAD~2").unwrap();
    let tagger = git2::Signature::now("A", "a@example.org").unwrap();
    scratch.repository.tag("v1", &target, &tagger, "release", false).unwrap();
    check_sources(&scratch.versions(&revision("v1")), "fn f() { 1 }", "fn f() { 3 }");
}

#[test]
fn a_directory_serves_as_the_old_version() {
    let scratch = three_commits();
    let other = Scratch::with_package();
    let arguments = ComparisonArgs { baseline_root: Some(other.root.clone()), ..defaults() };
    let versions = scratch.versions(&arguments);
    check_sources(&versions, "fn f() { 1 }", "fn f() { 3 }");
    assert_eq!(versions.old.oid, None);
    assert!(!versions.old.root.join(".git").exists());
}

#[test]
fn a_directory_may_hold_the_package_alone() {
    let scratch = Scratch::unborn();
    scratch.write("Cargo.toml", "[workspace]\nmembers = [\"one\"]\n");
    scratch.write("one/Cargo.toml", super::scratch::PACKAGE).write("one/src/lib.rs", "new");
    scratch.commit("first");
    let other = Scratch::with_package();
    let arguments = ComparisonArgs { baseline_root: Some(other.root.clone()), ..defaults() };
    let place = scratch.place("one/src");
    let versions = crate::versions::resolve(&place, &arguments, &[], &crate::progress::Silent).unwrap();
    assert_eq!(versions.old.package_root, versions.old.root);
    assert_eq!(versions.new.package_root, versions.new.root.join("one"));
}

#[test]
fn the_package_is_the_nearest_above_the_user() {
    let scratch = Scratch::with_package();
    scratch.write("sub/Cargo.toml", "[package]\nname = \"sub\"\n").write("sub/src/deep/x.rs", "");
    scratch.commit("second");
    scratch.write("sub/src/deep/x.rs", "fn g() {}");
    scratch.commit("third");
    let versions =
        crate::versions::resolve(&scratch.place("sub/src/deep"), &defaults(), &[], &crate::progress::Silent)
            .unwrap();
    assert_eq!(versions.old.package_root, versions.old.root.join("sub"));
    assert_eq!(versions.new.package_root, versions.new.root.join("sub"));
}
