//! The four versions of a merge.

use git2::Oid;

use super::scratch::{Scratch, defaults, snapshot, text};
use crate::args::Merged;
use crate::progress::Silent;
use crate::versions::{MergeVersions, VersionsError, resolve_merge};

const LINES: [&str; 9] = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];

/// A file in which the first or the last line has another text.
fn file(first: &str, last: &str) -> String {
    let mut lines = LINES;
    (lines[0], lines[8]) = (first, last);
    lines.join("\n") + "\n"
}

/// A base, `main` (HEAD) and `topic`, which both leave it, each with its text of `text.txt`.
fn branches(main: &str, topic: &str) -> (Scratch, Oid, Oid) {
    let scratch = Scratch::with_package();
    scratch.write("text.txt", &file("a", "i"));
    let base = scratch.commit("base");
    scratch.branch("main", base).branch("topic", base);
    scratch.check_out("refs/heads/topic").write("text.txt", topic);
    let topic = scratch.commit("on topic");
    scratch.check_out("refs/heads/main").write("text.txt", main);
    let main = scratch.commit("on main");
    (scratch, main, topic)
}

/// A commit of what git makes of both, with these parents, at HEAD.
fn commit_merge(scratch: &Scratch, content: &str, parents: &[Oid]) -> Oid {
    scratch.write("text.txt", content);
    let mut index = scratch.repository.index().unwrap();
    index.add_path("text.txt".as_ref()).unwrap();
    index.write().unwrap();
    let tree = scratch.repository.find_tree(index.write_tree().unwrap()).unwrap();
    let parents: Vec<_> = parents.iter().map(|id| scratch.repository.find_commit(*id).unwrap()).collect();
    let author = git2::Signature::now("A", "a@example.org").unwrap();
    let parents: Vec<_> = parents.iter().collect();
    scratch.repository.commit(Some("HEAD"), &author, &author, "merge", &tree, &parents).unwrap()
}

fn resolve(scratch: &Scratch, merged: Merged<'_>) -> Result<MergeVersions, VersionsError> {
    resolve_merge(&scratch.place(""), merged, &defaults(), &[], &Silent)
}

/// The texts of the base, of both sides and of the merge.
#[track_caller]
fn check(versions: &MergeVersions, expected: [(&str, &str); 4]) {
    let MergeVersions { base_ours, base_theirs, ours_merge, theirs_merge, .. } = versions;
    let trees = [&base_ours.old, &base_ours.new, &base_theirs.new, &ours_merge.new];
    let again = [&base_theirs.old, &ours_merge.old, &theirs_merge.old, &theirs_merge.new];
    for ((tree, again), (first, last)) in trees.into_iter().zip(again).zip(expected) {
        assert_eq!(text(tree, "text.txt"), Some(file(first, last)), "{}", tree.label);
        assert_eq!((&tree.tree_key, &tree.label), (&again.tree_key, &again.label));
    }
}

const MERGED: [(&str, &str); 4] = [("a", "i"), ("A", "i"), ("a", "I"), ("A", "I")];

#[test]
fn a_branch_is_merged_in_memory() {
    let (scratch, ..) = branches(&file("A", "i"), &file("a", "I"));
    let before = snapshot(&scratch.root, &["target"]);
    let versions = resolve(&scratch, Merged::Named("topic")).unwrap();
    check(&versions, MERGED);
    assert_eq!(versions.ours_merge.new.label, "the merge of topic into main");
    assert_eq!(versions.ours_merge.new.oid, None);
    assert_eq!(versions.notes, Vec::<String>::new());
    assert_eq!(
        (versions.base_ours.new.rev.as_str(), versions.base_theirs.new.rev.as_str()),
        ("main", "topic")
    );
    assert_eq!(snapshot(&scratch.root, &["target"]), before, "the objects are among what is left as it was");
    scratch.write("text.txt", &file("B", "i"));
    let versions = resolve(&scratch, Merged::Named("topic")).unwrap();
    check(&versions, MERGED);
    assert_eq!(versions.notes, ["uncommitted changes are left out, for the merge is one of commits"]);
}

#[test]
fn a_merge_commit_is_judged_as_it_was_made() {
    let (scratch, main, topic) = branches(&file("A", "i"), &file("a", "I"));
    let merge = commit_merge(&scratch, &file("A", "J"), &[main, topic]);
    let name = |versions: &MergeVersions| versions.base_ours.new.rev.clone();
    assert_eq!(name(&resolve(&scratch, Merged::Here).unwrap()), main.to_string()[..7]);
    let remote = scratch.repository.reference("refs/remotes/origin/main", main, true, "test").unwrap();
    assert_eq!(name(&resolve(&scratch, Merged::Here).unwrap()), "origin/main");
    drop(remote);
    let by_hand = [MERGED[0], MERGED[1], MERGED[2], ("A", "J")];
    check(&resolve(&scratch, Merged::Here).unwrap(), by_hand);
    check(&resolve(&scratch, Merged::Named(&merge.to_string())).unwrap(), by_hand);
    // A branch that ends at it, and is not merged yet, is merged.
    scratch.branch("other", main).check_out("refs/heads/other");
    scratch.write("text.txt", &file("A", "i").replace('e', "E"));
    scratch.commit("on other");
    let versions = resolve(&scratch, Merged::Named("main")).unwrap();
    assert_eq!(text(&versions.ours_merge.new, "text.txt"), Some(file("A", "J").replace('e', "E")));
}

#[test]
fn a_merge_in_progress_is_the_working_tree() {
    let (scratch, _, topic) = branches(&file("A", "i"), &file("a", "I"));
    let annotated = scratch.repository.find_annotated_commit(topic).unwrap();
    scratch.repository.merge(&[&annotated], None, None).unwrap();
    drop(annotated);
    let versions = resolve(&scratch, Merged::Here).unwrap();
    check(&versions, MERGED);
    assert_eq!(versions.ours_merge.new.label, "the merge in progress of topic into main");
}

#[track_caller]
fn check_failure(scratch: &Scratch, merged: Merged<'_>, expected: &str) {
    let error = resolve(scratch, merged).expect_err("an error").to_string();
    assert!(error.contains(expected), "{error}");
}

#[test]
fn where_there_is_no_merge_it_is_said_why() {
    let (scratch, main, topic) = branches(&file("A", "i"), &file("B", "i"));
    check_failure(&scratch, Merged::Here, "HEAD (");
    check_failure(&scratch, Merged::Named("topic"), "without a conflict in `text.txt`");
    check_failure(&scratch, Merged::Named("nowhere"), "there is no revision `nowhere`");
    let annotated = scratch.repository.find_annotated_commit(topic).unwrap();
    scratch.repository.merge(&[&annotated], None, None).unwrap();
    check_failure(&scratch, Merged::Here, "the merge in progress still has a conflict in `text.txt`");
    scratch.repository.cleanup_state().unwrap();
    drop(annotated);
    let base = scratch.repository.find_commit(main).unwrap().parent_id(0).unwrap();
    scratch.branch("behind", base);
    check_failure(&scratch, Merged::Named("behind"), "there is nothing to merge: main (");
    scratch.check_out("refs/heads/behind");
    check_failure(&scratch, Merged::Named("main"), "so the merge is main (");
}

#[test]
fn more_than_two_sides_are_not_judged() {
    let (scratch, main, topic) = branches(&file("A", "i"), &file("a", "I"));
    let base = scratch.repository.find_commit(main).unwrap().parent_id(0).unwrap();
    commit_merge(&scratch, &file("A", "I"), &[main, topic, base]);
    check_failure(&scratch, Merged::Here, "has 3 parents");
}

#[test]
fn of_several_merge_bases_one_is_taken_and_named() {
    let (scratch, main, topic) = branches(&file("A", "i"), &file("a", "I"));
    // Each side has merged the other once.
    commit_merge(&scratch, &file("A", "I"), &[main, topic]);
    scratch.check_out("refs/heads/topic");
    commit_merge(&scratch, &file("A", "I"), &[topic, main]);
    scratch.write("other.txt", "x");
    scratch.commit("more on topic");
    let versions = resolve(&scratch, Merged::Named("main")).unwrap();
    assert!(versions.notes[0].starts_with("the branches have 2 merge bases; "), "{:?}", versions.notes);
}
