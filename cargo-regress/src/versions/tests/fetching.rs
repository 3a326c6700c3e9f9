//! `--fetch`, from a bare repository on this machine.

use git2::{Oid, Repository};

use super::scratch::{PACKAGE, Scratch, fetching, revision, text};
use crate::versions::VersionsError;

/// A clone of one commit, whose remote has gone on: one more commit on `feature`, one that no branch holds.
struct Cloned {
    clone: Scratch,
    _upstream: Scratch,
    on_branch: Oid,
}

fn cloned() -> Cloned {
    let upstream = Scratch::with_package();
    let clone = Scratch::unborn();
    let bare = clone.root.parent().unwrap().join("upstream.git");
    Repository::init_bare(&bare).unwrap();
    let first = upstream.repository.head().unwrap().target().unwrap();
    upstream.branch("trunk", first);
    let push = |from: &str| {
        let mut remote = upstream.repository.remote_anonymous(bare.as_str()).unwrap();
        remote.push(&[format!("{from}:{from}")], None).unwrap();
    };
    push("refs/heads/trunk");
    clone.repository.remote("origin", bare.as_str()).unwrap();
    clone.repository.find_remote("origin").unwrap().fetch(&["trunk"], None, None).unwrap();
    clone.branch("work", first);
    clone.check_out("refs/heads/work");
    upstream.write("src/lib.rs", "fn f() { 2 }");
    let on_branch = upstream.commit("later");
    upstream.branch("feature", on_branch);
    push("refs/heads/feature");
    Cloned { clone, _upstream: upstream, on_branch }
}

#[track_caller]
fn check_fetched(revision_of: impl FnOnce(&Cloned) -> String) {
    let cloned = cloned();
    let wanted = revision_of(&cloned);
    let without = cloned.clone.failure(&revision(&wanted));
    assert!(matches!(without, VersionsError::UnknownRevision { .. }), "{without:?}");
    let versions = cloned.clone.versions(&fetching(&wanted));
    assert_eq!(text(&versions.old, "src/lib.rs").as_deref(), Some("fn f() { 2 }"));
    assert_eq!(versions.old.oid, Some(cloned.on_branch.to_string()));
}

#[test]
fn a_remote_branch() {
    check_fetched(|_| "origin/feature".to_owned());
}

#[test]
fn a_branch_that_only_the_remote_has() {
    check_fetched(|_| "feature".to_owned());
}

#[test]
fn a_commit_by_its_id() {
    check_fetched(|cloned| cloned.on_branch.to_string());
}

#[test]
fn the_index_and_the_working_tree_stay() {
    let cloned = cloned();
    let root = &cloned.clone.root;
    let before = super::scratch::snapshot(
        root,
        &[".git/objects", ".git/refs", ".git/FETCH_HEAD", ".git/logs", "target"],
    );
    cloned.clone.versions(&fetching("feature"));
    let after = super::scratch::snapshot(
        root,
        &[".git/objects", ".git/refs", ".git/FETCH_HEAD", ".git/logs", "target"],
    );
    assert_eq!(after, before);
}

#[test]
fn what_the_remote_does_not_have_either() {
    let error = cloned().clone.failure(&fetching("nowhere"));
    assert!(matches!(error, VersionsError::UnknownAfterFetch { .. }), "{error:?}");
    assert!(error.to_string().contains("origin"), "{error}");
}

#[test]
fn no_remote_to_fetch_from() {
    let scratch = Scratch::with_package();
    let error = scratch.failure(&fetching("nowhere"));
    assert!(matches!(error, VersionsError::NoRemote { .. }), "{error:?}");
}

#[test]
fn a_remote_that_is_gone() {
    let scratch = Scratch::unborn();
    scratch.write("Cargo.toml", PACKAGE);
    scratch.commit("first");
    scratch.repository.remote("origin", scratch.root.join("gone.git").as_str()).unwrap();
    let error = scratch.failure(&fetching("nowhere"));
    assert!(matches!(error, VersionsError::Fetch { .. }), "{error:?}");
    assert!(error.to_string().contains("gone.git"), "{error}");
}

#[cfg(not(any(feature = "https", feature = "ssh")))]
#[test]
fn a_transport_that_was_not_built_in() {
    #[track_caller]
    fn check(url: &str, expected: &str) {
        let scratch = Scratch::with_package();
        scratch.repository.remote("origin", url).unwrap();
        match scratch.failure(&fetching("nowhere")) {
            VersionsError::NoTransport { transport, .. } => assert_eq!(transport, expected),
            other => panic!("{other:?}"),
        }
    }
    check("https://example.invalid/one.git", "https");
    check("ssh://git@example.invalid/one.git", "ssh");
    check("git@example.invalid:one.git", "ssh");
}
