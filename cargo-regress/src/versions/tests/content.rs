//! What is laid out, and what is left alone.

use std::fs;

use super::scratch::{PACKAGE, Scratch, defaults, revision, snapshot, text};

#[test]
fn the_key_of_a_commit_is_its_tree_id() {
    let scratch = Scratch::with_package();
    scratch.write("src/a/b.rs", "").write("src/a.rs", "mod b;").write("src/a-b.rs", "");
    scratch.commit("names that sort differently as directories");
    scratch.write("src/lib.rs", "mod a;");
    let tree = scratch.repository.head().unwrap().peel_to_tree().unwrap().id();
    let versions = scratch.versions(&defaults());
    assert_eq!(versions.old.tree_key, tree.to_string());
    assert_ne!(versions.new.tree_key, versions.old.tree_key);
}

#[test]
fn equal_content_has_equal_keys_wherever_it_is_from() {
    let scratch = Scratch::with_package();
    scratch.write("src/lib.rs", "fn f() { 2 }");
    let uncommitted = scratch.versions(&defaults()).new;
    scratch.commit("second");
    let committed = scratch.versions(&defaults()).new;
    assert_eq!(uncommitted.tree_key, committed.tree_key);
    assert_eq!(uncommitted.root, committed.root);
    assert!(scratch.versions(&revision("HEAD..HEAD")).are_identical());
}

#[test]
fn the_working_tree_is_what_git_would_take() {
    let scratch = Scratch::with_package();
    scratch.write("src/gone.rs", "").write(".gitignore", "/target\n*.log\n");
    scratch.commit("second");
    scratch.write("src/lib.rs", "mod new;").write("src/new.rs", "fresh").write("build.log", "noise");
    scratch.write("target/debug/output.rs", "noise").remove("src/gone.rs");
    let new = scratch.versions(&defaults()).new;
    assert_eq!(text(&new, "src/lib.rs").as_deref(), Some("mod new;"));
    assert_eq!(text(&new, "src/new.rs").as_deref(), Some("fresh"));
    for absent in ["src/gone.rs", "build.log", "target", ".git"] {
        assert!(!new.root.join(absent).exists(), "{absent}");
    }
}

#[test]
fn build_output_is_left_out_even_where_it_is_not_ignored() {
    let scratch = Scratch::with_package();
    scratch.remove(".gitignore");
    scratch.commit("nothing is ignored");
    scratch.write("target/debug/made.rs", "").write("src/lib.rs", "fn f() { 2 }");
    scratch.write("elsewhere/CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n");
    scratch.write("elsewhere/made.rs", "");
    let new = scratch.versions(&defaults()).new;
    assert!(!new.root.join("target").exists());
    assert!(!new.root.join("elsewhere").exists());
    // What this run wrote is hidden from git, too.
    let statuses =
        scratch.repository.statuses(Some(git2::StatusOptions::new().include_untracked(true))).unwrap();
    let ours = statuses.iter().any(|entry| entry.path_bytes().starts_with(b"target/regress"));
    assert!(!ours);
}

#[test]
fn nothing_of_the_user_is_touched() {
    let scratch = Scratch::with_package();
    scratch.write("Cargo.lock", "# lock").write("src/lib.rs", "fn f() { 2 }");
    scratch.commit("second");
    scratch.write("src/lib.rs", "fn f() { 3 }").write("src/new.rs", "").write("note.txt", "");
    let before = snapshot(&scratch.root, &["target"]);
    scratch.versions(&defaults());
    scratch.versions(&revision("HEAD~1..HEAD"));
    assert_eq!(snapshot(&scratch.root, &["target"]), before);
    assert_eq!(snapshot(&scratch.root, &["target/regress"]).len(), before.len());
}

#[cfg(unix)]
#[test]
fn links_and_executables_stay_what_they_are() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = Scratch::with_package();
    scratch.write("run.sh", "#!/bin/sh");
    fs::set_permissions(scratch.root.join("run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    std::os::unix::fs::symlink("lib.rs", scratch.root.join("src/same.rs")).unwrap();
    scratch.commit("second");
    scratch.write("src/lib.rs", "fn f() { 2 }");
    let versions = scratch.versions(&defaults());
    for tree in [&versions.old, &versions.new] {
        let mode = fs::metadata(tree.root.join("run.sh")).unwrap().permissions().mode();
        assert_eq!(mode & 0o111, 0o111, "{}", tree.label);
        assert_eq!(fs::read_link(tree.root.join("src/same.rs")).unwrap().to_str(), Some("lib.rs"));
    }
    assert_eq!(text(&versions.new, "src/same.rs").as_deref(), Some("fn f() { 2 }"));
}

#[cfg(unix)]
#[test]
fn a_directory_that_became_a_link_is_only_a_link() {
    let scratch = Scratch::with_package();
    scratch.write("src/inner/x.rs", "inside").write("outside/x.rs", "outside");
    scratch.commit("second");
    fs::remove_dir_all(scratch.root.join("src/inner")).unwrap();
    std::os::unix::fs::symlink("../outside", scratch.root.join("src/inner")).unwrap();
    let new = scratch.versions(&defaults()).new;
    assert!(new.root.join("src/inner").is_symlink());
    assert_eq!(text(&new, "outside/x.rs").as_deref(), Some("outside"));
}

#[test]
fn a_file_left_out_by_a_sparse_checkout_is_not_deleted() {
    let scratch = Scratch::with_package();
    scratch.write("src/far.rs", "kept");
    scratch.commit("second");
    let mut index = scratch.repository.index().unwrap();
    let mut entry = index.get_path("src/far.rs".as_ref(), 0).unwrap();
    entry.flags |= git2::IndexEntryFlag::EXTENDED.bits();
    entry.flags_extended |= git2::IndexEntryExtendedFlag::SKIP_WORKTREE.bits();
    index.add(&entry).unwrap();
    index.write().unwrap();
    scratch.remove("src/far.rs").write("src/lib.rs", "mod far;");
    assert_eq!(text(&scratch.versions(&defaults()).new, "src/far.rs").as_deref(), Some("kept"));
}

#[test]
fn a_lock_file_that_is_not_committed_serves_both_versions() {
    let scratch = Scratch::with_package();
    scratch.write(".gitignore", "/target\nCargo.lock\n").write("src/lib.rs", "fn f() { 2 }");
    scratch.commit("second");
    scratch.write("Cargo.lock", "# lock");
    let versions = scratch.versions(&defaults());
    assert_eq!(text(&versions.old, "Cargo.lock").as_deref(), Some("# lock"));
    assert_eq!(text(&versions.new, "Cargo.lock").as_deref(), Some("# lock"));
    assert_eq!(versions.notes, ["`Cargo.lock` is not committed, so the one in the working tree is used"]);
}

#[test]
fn a_committed_lock_file_stays_that_of_its_commit() {
    let scratch = Scratch::with_package();
    scratch.write("Cargo.lock", "# old lock");
    scratch.commit("second");
    scratch.write("Cargo.lock", "# new lock");
    let versions = scratch.versions(&defaults());
    assert_eq!(text(&versions.old, "Cargo.lock").as_deref(), Some("# old lock"));
    assert_eq!(text(&versions.new, "Cargo.lock").as_deref(), Some("# new lock"));
}

#[test]
fn a_lock_file_that_one_version_lacks_is_said_to_be_taken() {
    let scratch = Scratch::with_package();
    scratch.write("Cargo.lock", "# lock");
    scratch.commit("second");
    let versions = scratch.versions(&defaults());
    assert_eq!(text(&versions.old, "Cargo.lock").as_deref(), Some("# lock"));
    assert_eq!(versions.notes.len(), 1);
    assert!(versions.notes[0].ends_with(&format!("(in {})", versions.old.label)), "{}", versions.notes[0]);
}

#[test]
fn path_dependencies_come_from_the_same_commit() {
    let scratch = Scratch::unborn();
    scratch.write("one/Cargo.toml", &format!("{PACKAGE}[dependencies]\ntwo = {{ path = \"../two\" }}\n"));
    scratch.write("two/Cargo.toml", "[package]\nname = \"two\"\n").write("two/src/lib.rs", "old");
    scratch.commit("first");
    scratch.write("two/src/lib.rs", "new");
    scratch.commit("second");
    let versions =
        crate::versions::resolve(&scratch.place("one"), &defaults(), &[], &crate::progress::Silent).unwrap();
    assert_eq!(text(&versions.old, "two/src/lib.rs").as_deref(), Some("old"));
    assert_eq!(text(&versions.new, "two/src/lib.rs").as_deref(), Some("new"));
    assert_eq!(versions.old.package_root, versions.old.root.join("one"));
}

#[test]
fn a_whole_tree_is_used_again_and_a_broken_one_is_not() {
    let scratch = Scratch::with_package();
    scratch.write("src/lib.rs", "fn f() { 2 }");
    scratch.commit("second");
    let first = scratch.versions(&defaults());
    let written = |path: &str| fs::metadata(first.old.root.join(path)).unwrap().modified().unwrap();
    assert_eq!(written("src/lib.rs"), written("Cargo.toml"), "times say nothing about the content");

    fs::write(first.old.root.join("left-by-a-build"), "").unwrap();
    let again = scratch.versions(&defaults());
    assert_eq!(again.old, first.old);
    assert!(again.old.root.join("left-by-a-build").exists(), "it was not written anew");

    fs::remove_file(first.old.root.parent().unwrap().join("complete")).unwrap();
    fs::remove_file(first.old.root.join("src/lib.rs")).unwrap();
    let repaired = scratch.versions(&defaults());
    assert_eq!(text(&repaired.old, "src/lib.rs").as_deref(), Some("fn f() { 1 }"));
    assert!(!repaired.old.root.join("left-by-a-build").exists());
}

#[test]
fn no_temporary_directory_stays() {
    let scratch = Scratch::with_package();
    scratch.write("src/lib.rs", "fn f() { 2 }");
    let new = scratch.versions(&defaults()).new;
    let trees = new.root.parent().unwrap().parent().unwrap();
    let names: Vec<String> =
        trees.read_dir_utf8().unwrap().map(|item| item.unwrap().file_name().to_owned()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(names.iter().all(|name| name.len() == 40), "{names:?}");
}

#[test]
fn cargo_sees_a_copy_as_its_own_workspace() {
    // The copy lies below a workspace that does not list it: without a barrier, cargo refuses.
    let scratch = Scratch::with_package();
    scratch.write("Cargo.toml", &format!("{PACKAGE}[workspace]\n"));
    let versions = scratch.versions(&defaults());
    let metadata = cargo_metadata::MetadataCommand::new()
        .manifest_path(versions.old.root.join("Cargo.toml"))
        .no_deps()
        .exec()
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(metadata.workspace_root, versions.old.root);
}

#[test]
fn runs_at_the_same_time_agree() {
    let scratch = Scratch::with_package();
    for number in 0..50 {
        scratch.write(&format!("src/m{number}.rs"), &format!("const N: u32 = {number};"));
    }
    let place = scratch.place("");
    let resolve = || {
        let resolved = crate::versions::resolve(&place, &defaults(), &[], &crate::progress::Silent);
        resolved.unwrap_or_else(|error| panic!("{error}"))
    };
    let root = resolve().new.root;
    // All of them find the same broken tree.
    fs::remove_file(root.parent().unwrap().join("complete")).unwrap();
    let results: Vec<_> = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..8).map(|_| scope.spawn(resolve)).collect();
        runs.into_iter().map(|run| run.join().expect("it does not panic")).collect()
    });
    for versions in &results {
        assert_eq!((&versions.old, &versions.new), (&results[0].old, &results[0].new));
        assert_eq!(text(&versions.new, "src/m49.rs").as_deref(), Some("const N: u32 = 49;"));
    }
}
