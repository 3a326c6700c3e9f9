//! Each kind of bad input has its own error, and the error says what to do.

use std::fs;

use git2::{Oid, Repository};

use super::scratch::{PACKAGE, Scratch, defaults, revision, snapshot};
use crate::args::ComparisonArgs;
use crate::progress::Silent;
use crate::versions::{Place, Start, VersionsError, resolve};

/// The error is of that kind, one paragraph, and holds all these words.
macro_rules! check_error {
    ($error:expr, $kind:pat, $($word:expr),+) => {{
        let error = $error;
        let text = error.to_string();
        assert!(matches!(error, $kind), "{error:?}");
        assert!(!text.contains('\n'), "one paragraph: {text}");
        $(assert!(text.contains($word), "`{}` in: {text}", $word);)+
    }};
}

#[test]
fn unknown_revision() {
    let scratch = Scratch::with_package();
    check_error!(
        scratch.failure(&revision("nowhere")),
        VersionsError::UnknownRevision { .. },
        "`nowhere`",
        "--fetch"
    );
    check_error!(
        scratch.failure(&revision("HEAD..nowhere")),
        VersionsError::UnknownRevision { .. },
        "`nowhere`"
    );
    check_error!(scratch.failure(&revision("HEAD~7")), VersionsError::UnknownRevision { .. }, "`HEAD~7`");
    let merge_base = ComparisonArgs { merge_base: Some("nowhere".to_owned()), ..defaults() };
    check_error!(scratch.failure(&merge_base), VersionsError::UnknownRevision { .. }, "`nowhere`");
}

#[test]
fn malformed_revision() {
    let scratch = Scratch::with_package();
    check_error!(
        scratch.failure(&revision("HEAD^{")),
        VersionsError::InvalidRevision { .. },
        "`HEAD^{`",
        "git help"
    );
}

#[test]
fn revision_of_something_else() {
    let scratch = Scratch::with_package();
    check_error!(scratch.failure(&revision("HEAD:src")), VersionsError::NotACommit { .. }, "directory");
    check_error!(scratch.failure(&revision("HEAD:src/lib.rs")), VersionsError::NotACommit { .. }, "file");
}

#[test]
fn not_a_repository() {
    let home = tempfile::TempDir::new().unwrap();
    let root = camino::Utf8Path::from_path(home.path()).unwrap();
    fs::write(root.join("Cargo.toml"), PACKAGE).unwrap();
    let place = Place {
        start: Start::SearchFrom(root.to_owned()),
        workspace_root: None,
        packages: Vec::new(),
        target_dir: root.join("target"),
    };
    let error = resolve(&place, &defaults(), &[], &Silent).unwrap_err();
    check_error!(error, VersionsError::NotARepository { .. }, "--baseline-root");
    assert!(!root.join("target").exists(), "nothing is written");
}

#[test]
fn bare_repository() {
    let home = tempfile::TempDir::new().unwrap();
    let root = camino::Utf8Path::from_path(home.path()).unwrap();
    Repository::init_bare(root).unwrap();
    let place = Place {
        start: Start::SearchFrom(root.to_owned()),
        workspace_root: None,
        packages: Vec::new(),
        target_dir: root.join("target"),
    };
    let error = resolve(&place, &defaults(), &[], &Silent).unwrap_err();
    check_error!(error, VersionsError::BareRepository { .. }, "bare");
}

#[test]
fn repository_without_a_commit() {
    let scratch = Scratch::unborn();
    scratch.write("Cargo.toml", PACKAGE);
    check_error!(scratch.failure(&defaults()), VersionsError::UnbornHead { .. }, "no commit");
    check_error!(scratch.failure(&revision("main")), VersionsError::UnbornHead { .. }, "no commit");
}

#[test]
fn first_commit() {
    let scratch = Scratch::with_package();
    check_error!(
        scratch.failure(&defaults()),
        VersionsError::FirstCommit { .. },
        "first commit",
        "--baseline-root"
    );
}

#[test]
fn shallow_clone() {
    let scratch = Scratch::with_package();
    scratch.write("src/lib.rs", "fn f() { 2 }");
    let head = scratch.commit("second");
    fs::write(scratch.root.join(".git/shallow"), format!("{head}\n")).unwrap();
    check_error!(scratch.failure(&defaults()), VersionsError::ShallowClone { .. }, "HEAD~1", "--fetch");
    check_error!(
        scratch.failure(&revision("HEAD~3")),
        VersionsError::ShallowClone { .. },
        "HEAD~3",
        "--fetch"
    );
}

#[test]
fn no_common_commit() {
    let scratch = Scratch::with_package();
    let tree = scratch.repository.head().unwrap().peel_to_tree().unwrap();
    let author = git2::Signature::now("A", "a@example.org").unwrap();
    let orphan = scratch.repository.commit(None, &author, &author, "orphan", &tree, &[]).unwrap();
    scratch.branch("orphan", orphan);
    check_error!(scratch.failure(&revision("orphan...HEAD")), VersionsError::NoMergeBase { .. }, "`orphan`");
}

#[test]
fn no_package_at_all() {
    let scratch = Scratch::unborn();
    scratch.write("readme.txt", "1");
    scratch.commit("first");
    scratch.write("readme.txt", "2");
    scratch.commit("second");
    check_error!(scratch.failure(&defaults()), VersionsError::NoPackage { .. }, "--manifest-path", "HEAD~1");
}

#[test]
fn no_manifest_where_one_was_named() {
    let scratch = Scratch::with_package();
    let mut place = scratch.place("");
    place.start = Start::Package(scratch.root.join("elsewhere"));
    let error = resolve(&place, &revision("HEAD"), &[], &Silent).unwrap_err();
    check_error!(error, VersionsError::NoManifest { .. }, "elsewhere/Cargo.toml", "--manifest-path");
}

#[test]
fn package_in_one_version_only() {
    let scratch = Scratch::unborn();
    scratch.write("readme.txt", "1");
    scratch.commit("before the package");
    scratch.write("Cargo.toml", PACKAGE);
    scratch.commit("with the package");
    check_error!(
        scratch.failure(&defaults()),
        VersionsError::PackageInOneVersion { .. },
        "before the package",
        "with the package"
    );
    check_error!(
        scratch.failure(&revision("HEAD..HEAD~1")),
        VersionsError::PackageInOneVersion { .. },
        "only in HEAD ("
    );
}

#[test]
fn named_package_in_one_version_only() {
    let scratch = Scratch::with_package();
    scratch.write("two/Cargo.toml", "[package]\nname = \"two\"\n");
    scratch.commit("second package");
    let fail =
        |name: &str| resolve(&scratch.place(""), &defaults(), &[name.to_owned()], &Silent).unwrap_err();
    check_error!(
        fail("two"),
        VersionsError::NamedPackageInOneVersion { .. },
        "`two`",
        "only in HEAD (",
        "HEAD~1"
    );
    check_error!(fail("three"), VersionsError::NoSuchPackage { .. }, "`three`");
    resolve(&scratch.place(""), &defaults(), &["one@0.1.0".to_owned()], &Silent).expect("it is in both");
}

/// A commit whose tree holds a submodule at that path besides what the working tree holds.
fn commit_with_submodule(scratch: &Scratch, path: &str) {
    scratch.commit("files");
    let mut index = scratch.repository.index().unwrap();
    let mut entry = index.get(0).unwrap();
    entry.path = path.as_bytes().to_vec();
    entry.mode = 0o160000;
    entry.id = Oid::from_str("1111111111111111111111111111111111111111").unwrap();
    entry.flags = 0;
    index.add(&entry).unwrap();
    let tree = index.write_tree().unwrap();
    index.write().unwrap();
    scratch.commit_tree("with a submodule", tree);
}

#[test]
fn package_in_a_submodule() {
    let scratch = Scratch::with_package();
    commit_with_submodule(&scratch, "vendor/dep");
    let error = resolve(&scratch.place("vendor/dep"), &revision("HEAD..HEAD"), &[], &Silent).unwrap_err();
    check_error!(error, VersionsError::PackageInSubmodule { .. }, "`vendor/dep`", "inside the submodule");
}

#[test]
fn dependency_in_a_submodule() {
    let scratch = Scratch::with_package();
    let manifest =
        format!("{PACKAGE}[target.'cfg(unix)'.dev-dependencies]\ndep = {{ path = \"vendor/dep/inner\" }}\n");
    scratch.write("Cargo.toml", &manifest);
    commit_with_submodule(&scratch, "vendor/dep");
    check_error!(
        scratch.failure(&revision("HEAD..HEAD")),
        VersionsError::DependencyInSubmodule { .. },
        "`vendor/dep/inner`",
        "submodule `vendor/dep`"
    );
}

#[test]
fn submodule_that_nobody_needs() {
    let scratch = Scratch::with_package();
    commit_with_submodule(&scratch, "docs/theme");
    let versions = scratch.versions(&revision("HEAD..HEAD"));
    assert!(versions.notes.iter().any(|note| note.contains("`docs/theme`")), "{:?}", versions.notes);
}

#[test]
fn dependency_outside_the_repository() {
    let scratch = Scratch::with_package();
    scratch.write("Cargo.toml", &format!("{PACKAGE}[dependencies]\nx = {{ path = \"../../x\" }}\n"));
    scratch.commit("second");
    check_error!(
        scratch.failure(&defaults()),
        VersionsError::DependencyOutside { .. },
        "`../../x`",
        "outside"
    );
}

#[test]
fn workspace_outside_the_repository() {
    let scratch = Scratch::with_package();
    scratch.commit("second");
    let mut place = scratch.place("");
    place.workspace_root = scratch.root.parent().map(camino::Utf8Path::to_owned);
    let error = resolve(&place, &defaults(), &[], &Silent).unwrap_err();
    check_error!(error, VersionsError::WorkspaceOutside { .. }, "workspace");
}

#[cfg(target_os = "linux")]
mod non_utf8 {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    fn write_latin1(scratch: &Scratch, directory: &str) {
        let directory = scratch.root.join(directory);
        fs::create_dir_all(&directory).unwrap();
        fs::write(directory.as_std_path().join(OsStr::from_bytes(b"caf\xe9.rs")), "").unwrap();
    }

    #[test]
    fn path_in_the_package() {
        let scratch = Scratch::with_package();
        write_latin1(&scratch, "src");
        check_error!(
            scratch.failure(&defaults()),
            VersionsError::NonUtf8Path { .. },
            "working tree",
            "src/caf\u{fffd}.rs"
        );
        scratch.commit("second");
        check_error!(
            scratch.failure(&defaults()),
            VersionsError::NonUtf8Path { .. },
            "HEAD (",
            "src/caf\u{fffd}.rs"
        );
    }

    #[test]
    fn path_in_a_baseline_directory() {
        let (scratch, other) = (Scratch::with_package(), Scratch::with_package());
        write_latin1(&other, "src");
        let arguments = ComparisonArgs { baseline_root: Some(other.root.clone()), ..defaults() };
        check_error!(scratch.failure(&arguments), VersionsError::NonUtf8Path { .. }, "src/caf\u{fffd}.rs");
    }

    #[test]
    fn path_elsewhere() {
        let scratch = Scratch::unborn();
        scratch.write("one/Cargo.toml", PACKAGE).write("one/src/lib.rs", "");
        write_latin1(&scratch, "letters");
        scratch.commit("first");
        scratch.write("one/src/lib.rs", "fn f() {}");
        let versions = resolve(&scratch.place("one"), &defaults(), &[], &Silent).unwrap();
        assert!(versions.notes.iter().any(|note| note.contains("letters/caf")), "{:?}", versions.notes);
    }
}

#[test]
fn unsafe_names_in_a_tree() {
    let scratch = Scratch::with_package();
    let blob = scratch.repository.blob(b"[core]").unwrap();
    // Neither git nor libgit2 writes such a tree; a hostile server may.
    let mut bytes = b"100644 ..\0".to_vec();
    bytes.extend_from_slice(blob.as_bytes());
    let tree = scratch.repository.odb().unwrap().write(git2::ObjectType::Tree, &bytes).unwrap();
    scratch.commit_tree("hostile", tree);
    check_error!(scratch.failure(&revision("HEAD..HEAD")), VersionsError::UnsafePath { .. }, "`..`");
}

#[test]
fn baseline_that_is_no_directory() {
    let scratch = Scratch::with_package();
    let missing = ComparisonArgs { baseline_root: Some("no/such/place".into()), ..defaults() };
    check_error!(scratch.failure(&missing), VersionsError::BaselineRoot { .. }, "no/such/place");
}

#[test]
fn damaged_repository() {
    let scratch = Scratch::with_package();
    scratch.write("src/lib.rs", "fn f() { 2 }");
    scratch.commit("second");
    let blob = scratch.repository.revparse_single("HEAD~1:src/lib.rs").unwrap().id().to_string();
    let object = scratch.root.join(".git/objects").join(&blob[..2]).join(&blob[2..]);
    fs::remove_file(object).unwrap();
    check_error!(scratch.failure(&defaults()), VersionsError::IncompleteCommit { .. }, "git fsck");
}

#[test]
fn a_failed_run_leaves_everything_as_it_was() {
    let scratch = Scratch::with_package();
    let before = snapshot(&scratch.root, &[]);
    scratch.failure(&defaults());
    scratch.failure(&revision("nowhere"));
    assert_eq!(snapshot(&scratch.root, &[]), before);
}

#[test]
fn a_target_directory_that_cannot_be_made() {
    let scratch = Scratch::with_package();
    scratch.write("src/lib.rs", "pub fn changed() {}\n");
    let mut place = scratch.place("");
    // A file is in the way, which also stops who may write everywhere.
    scratch.write("in-the-way", "");
    place.target_dir = scratch.root.join("in-the-way");
    let error = resolve(&place, &defaults(), &[], &Silent).unwrap_err();
    check_error!(error, VersionsError::TargetDirectory { .. }, "--target-dir", "in-the-way/regress");
}
