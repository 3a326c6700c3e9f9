//! Where the user stands.

use std::ffi::OsString;

use super::scratch::{PACKAGE, Scratch};
use crate::args::parse;
use crate::versions::{Place, Start, locate};

fn located(words: &[&str]) -> Place {
    let words = ["cargo-regress"].iter().chain(words).map(OsString::from);
    locate(&parse(words).expect("the line parses")).expect("the place is found")
}

#[test]
fn a_member_has_the_target_directory_of_its_workspace_or_the_one_given() {
    let scratch = Scratch::unborn();
    scratch.write("Cargo.toml", "[workspace]\nmembers = [\"one\"]\nresolver = \"3\"\n");
    scratch.write("one/Cargo.toml", PACKAGE).write("one/src/lib.rs", "");
    let manifest = scratch.root.join("one/Cargo.toml");
    let output = scratch.root.join("not/yet/there");
    let place = located(&["--manifest-path", manifest.as_str(), "--target-dir", output.as_str()]);
    assert_eq!(place.start.directory(), scratch.root.join("one"));
    assert_eq!(place.workspace_root.as_ref(), Some(&scratch.root));
    assert_eq!(place.target_dir, output);
    assert!(!output.exists() && !scratch.root.join("Cargo.lock").exists(), "asking writes nothing");
}

#[cfg(unix)]
#[test]
fn a_path_through_a_link_is_the_place_itself() {
    let scratch = Scratch::with_package();
    let link = scratch.root.parent().unwrap().join("link");
    std::os::unix::fs::symlink(&scratch.root, &link).unwrap();
    let place = located(&["--manifest-path", link.join("./src/../Cargo.toml").as_str()]);
    assert_eq!(place.start.directory(), scratch.root);
    assert_eq!(place.workspace_root.as_ref(), Some(&scratch.root));
}

#[test]
fn what_only_another_commit_has_is_a_place_too() {
    let scratch = Scratch::with_package();
    let gone = scratch.root.join("gone");
    let place = located(&["--manifest-path", gone.join("Cargo.toml").as_str()]);
    assert!(matches!(&place.start, Start::Package(directory) if *directory == gone), "{:?}", place.start);
    assert_eq!(place.workspace_root, None);
}
