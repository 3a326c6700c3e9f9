//! Dependencies from registries and git: what they do is executed, what they are is not reported.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use regress_tests::command::run;
use regress_tests::repository::Repository;
use regress_tests::runner::{Report, Reported};
use regress_tests::shared::SharedTarget;

/// A version of the package `user`: what it depends on, and its source.
fn commit(repository: &Repository, dependencies: &str, source: &str) {
    let manifest = format!(
        "[package]\nname = \"user\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n\n[dependencies]\n{dependencies}"
    );
    repository.write(".gitignore", "/target\n").unwrap();
    repository.write("Cargo.toml", &manifest).unwrap();
    repository.write("src/lib.rs", source).unwrap();
    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .arg("generate-lockfile")
        .current_dir(repository.root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    repository.commit_all("a version").unwrap();
}

/// The comparison of two versions; each is the dependencies and the source.
fn compare(old: (&str, &str), new: (&str, &str)) -> Compared {
    let repository = Repository::new().unwrap();
    commit(&repository, old.0, old.1);
    commit(&repository, new.0, new.1);
    compare_last(&repository, &SharedTarget::take())
}

/// The comparison of the last two commits.
fn compare_last(repository: &Repository, target: &SharedTarget) -> Compared {
    let args = ["HEAD~1", "--message-format", "json", "--target-dir", target.text()];
    let run = run(repository.root(), &args);
    assert!(matches!(run.code, Some(0 | 100)), "{:?}: {}", run.code, run.stderr);
    let read = |krate: &str| {
        let dumped = Path::new(target.text()).join("regress/cache/dependencies");
        dumped.is_dir() && walk(&dumped).iter().any(|name| name.starts_with(&format!("{krate}-")))
    };
    let read = ["fnv", "hex", "served"].into_iter().filter(|krate| read(krate)).collect();
    Compared { report: serde_json::from_str(&run.stdout).unwrap(), text: run.stdout, read }
}

/// The names of the files below a folder.
fn walk(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in folder.read_dir().unwrap().map(Result::unwrap) {
        match entry.file_type().unwrap().is_dir() {
            true => names.extend(walk(&entry.path())),
            false => names.push(entry.file_name().to_string_lossy().into_owned()),
        }
    }
    names
}

struct Compared {
    report: Report,
    text: String,
    /// Which of the dependencies are in the cache of dumps.
    read: Vec<&'static str>,
}

impl Compared {
    #[track_caller]
    fn function(&self, path: &str) -> &Reported {
        let mut found = self.report.functions.iter().filter(|function| function.path == path);
        let function = found.next().unwrap_or_else(|| panic!("{path} is not reported: {}", self.text));
        assert!(found.next().is_none(), "{path} is reported twice");
        function
    }

    /// `expected` is a function, its kind of change and its verdict on each line; there are no other functions.
    #[track_caller]
    fn check(&self, expected: &[(&str, &str, &str)]) {
        for (path, kind, verdict) in expected {
            let found = self.function(path);
            let reason = found.reason.as_deref().unwrap_or_default();
            assert_eq!(
                (found.kind.as_str(), found.verdict.as_str()),
                (*kind, *verdict),
                "{path}: {reason} {}",
                found.ledger
            );
        }
        assert_eq!(self.report.functions.len(), expected.len(), "{}", self.text);
    }
}

const FNV: &str = "fnv = \"=1.0.7\"\n";

const HASHES: &str = "use std::hash::Hasher;
pub fn at_once(data: [u8; 2]) -> u64 {
    let mut hasher = fnv::FnvHasher::default();
    hasher.write(&data);
    hasher.finish()
}
pub fn in_order(a: u8, b: u8) -> u64 {
    let mut hasher = fnv::FnvHasher::with_key(7);
    hasher.write(&[a, b]);
    hasher.finish()
}
pub fn alone(a: u8) -> bool {
    a > 3
}
";

const REWRITTEN: &str = "use std::hash::Hasher;
pub fn at_once(data: [u8; 2]) -> u64 {
    let mut hasher = fnv::FnvHasher::default();
    hasher.write(&data[..1]);
    hasher.write(&data[1..]);
    hasher.finish()
}
pub fn in_order(a: u8, b: u8) -> u64 {
    let mut hasher = fnv::FnvHasher::with_key(7);
    hasher.write(&[b, a]);
    hasher.finish()
}
pub fn alone(a: u8) -> bool {
    a >= 4
}
";

#[test]
fn what_a_registry_dependency_does_is_executed() {
    let compared = compare((FNV, HASHES), (FNV, REWRITTEN));
    compared.check(&[
        ("at_once", "changed", "equal"),
        ("in_order", "changed", "differs"),
        ("alone", "changed", "equal"),
    ]);
    assert!(compared.read.contains(&"fnv"));
}

#[test]
fn a_renamed_dependency_is_executed() {
    let manifest = "hash = { package = \"fnv\", version = \"=1.0.7\" }\n";
    let (old, new) = (HASHES.replace("fnv::", "hash::"), REWRITTEN.replace("fnv::", "hash::"));
    compare((manifest, &old), (manifest, &new)).check(&[
        ("at_once", "changed", "equal"),
        ("in_order", "changed", "differs"),
        ("alone", "changed", "equal"),
    ]);
}

#[test]
fn functions_that_reach_an_updated_release_are_compared() {
    let compared = compare(("fnv = \"=1.0.6\"\n", HASHES), (FNV, HASHES));
    assert_eq!(compared.function("alone").verdict, "unchanged");
    for path in ["at_once", "in_order"] {
        let found = compared.function(path);
        assert!(["unchanged", "equal"].contains(&found.verdict.as_str()), "{path}: {}", found.verdict);
    }
}

#[test]
fn two_releases_of_one_name_are_not_mixed_up() {
    let both = "hex = \"=0.4.3\"\nolder = { package = \"hex\", version = \"=0.3.2\" }\n";
    let source = |data: &str| {
        format!(
            "pub fn text(data: &[u8]) -> (String, String) {{ (hex::encode({data}), older::encode(data)) }}"
        )
    };
    let compared = compare((both, &source("data")), (both, &source("&data[..]")));
    let found = compared.function("text");
    assert!(!["equal", "equal_within"].contains(&found.verdict.as_str()), "{}", found.verdict);
    let note = "the dependency `hex` is not executed: the program contains it more than once";
    assert!(compared.text.contains(note), "{}", compared.text);
}

#[test]
fn what_need_not_be_run_is_not_read() {
    let unused = "pub fn text(data: &[u8]) -> String { hex::encode(data) }
        pub fn half(of: u8) -> u8 { of / 2 }";
    let compared =
        compare(("hex = \"=0.4.3\"\n", unused), ("hex = \"=0.4.3\"\n", &unused.replace("of / 2", "of >> 1")));
    compared.check(&[("text", "unchanged", "unchanged"), ("half", "changed", "equal")]);
    assert!(!compared.read.contains(&"hex"), "{:?}", compared.read);
}

/// The package `served` in a repository of its own, and the dependency on the commit.
fn serve(repository: &Repository, source: &str) -> String {
    let manifest = "[package]\nname = \"served\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    repository.write("Cargo.toml", manifest).unwrap();
    repository.write("src/lib.rs", source).unwrap();
    let commit = repository.commit_all("served").unwrap();
    format!("served = {{ git = \"file://{}\", rev = \"{commit}\" }}\n", repository.root().display())
}

#[test]
fn what_a_git_dependency_does_is_executed() {
    let serving = Repository::new().unwrap();
    let library = "pub trait Price { fn price(&self) -> u32; }
        impl Price for u8 { fn price(&self) -> u32 { *self as u32 * 3 } }
        pub fn total<P: Price>(prices: &[P; 2]) -> u32 { prices[0].price() + prices[1].price() }
        pub fn fee(of: u8) -> u32 { if of > 100 { 2 } else { 1 } }";
    let old = serve(&serving, library);
    let new = serve(&serving, &library.replace("of > 100", "of >= 100"));
    let before = "pub fn both(a: u8, b: u8) -> u32 { served::total(&[a, b]) }
        pub fn fee(of: u8) -> u32 { served::fee(of) }
        pub fn own(of: u8) -> u32 { of as u32 }";
    let after = before.replace("served::total(&[a, b])", "a as u32 * 3 + served::Price::price(&b)");
    compare((&old, before), (&old, &after)).check(&[
        ("both", "changed", "equal"),
        ("fee", "unchanged", "unchanged"),
        ("own", "unchanged", "unchanged"),
    ]);
    compare((&old, before), (&new, before)).check(&[
        ("both", "unchanged", "unchanged"),
        ("fee", "affected", "differs"),
        ("own", "unchanged", "unchanged"),
    ]);
}

/// The compiler's usual view of a closure drops captures of parts of one variable; they are read from another view.
#[test]
fn closures_of_dependencies_have_all_their_captures() {
    let serving = Repository::new().unwrap();
    let library = "pub struct Parts { pub a: u32, pub b: u32 }
        pub fn sum(parts: &Parts, more: Option<u32>) -> Option<u32> {
            more.map(|more| parts.a.wrapping_add(parts.b).wrapping_add(more))
        }";
    let dependency = serve(&serving, library);
    let before = "pub fn sum(a: u32, b: u32, more: u32) -> Option<u32> {
            served::sum(&served::Parts { a, b }, Some(more))
        }";
    let after = before.replace("Parts { a, b }", "Parts { a: b, b: a }");
    compare((&dependency, before), (&dependency, &after)).check(&[("sum", "changed", "equal")]);
}

#[test]
fn what_an_earlier_run_linked_is_found_again() {
    let serving = Repository::new().unwrap();
    let library = "pub struct Parts { pub a: u32, pub b: u32 }
        pub fn sum(parts: &Parts, more: Option<u32>) -> Option<u32> {
            more.map(|more| parts.a.wrapping_add(parts.b).wrapping_add(more))
        }";
    let first = serve(&serving, library);
    let second = serve(&serving, &library.replace("(parts.b).wrapping_add", "(parts.b).wrapping_sub"));
    let source = |given: &str| {
        format!(
            "pub fn sum(a: u32, b: u32, more: u32) -> Option<u32> {{
                served::sum(&served::Parts {{ {given} }}, Some(more))
            }}"
        )
    };
    let repository = Repository::new().unwrap();
    let target = SharedTarget::take();
    let foundations = Path::new(target.text()).join("regress/cache/foundations");
    let _ = fs::remove_dir_all(&foundations);
    commit(&repository, &first, &source("a, b"));
    let check = |dependency: &str, given: &str, expected: (&str, &str), kept: usize| {
        commit(&repository, dependency, &source(given));
        compare_last(&repository, &target).check(&[("sum", expected.0, expected.1)]);
        assert_eq!(walk(&foundations).len(), kept, "after {given}");
    };
    check(&first, "a: b, b: a", ("changed", "equal"), 1);
    check(&first, "a: b ^ a, b: a", ("changed", "differs"), 1);
    check(&first, "a, b: b ^ a", ("changed", "equal"), 1);
    // It is not the same in both versions.
    check(&second, "a, b: b ^ a", ("affected", "differs"), 1);
    check(&second, "b: b ^ a, a", ("changed", "equal"), 2);
}
