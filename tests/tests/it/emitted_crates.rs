//! `--emit-proptest` and `--emit-kani`: crates that call both versions. The one for proptest is run, the other is compiled against a stand-in
//! for Kani's crate.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use regress_tests::command::run;
use regress_tests::repository::Repository;
use regress_tests::shared::SharedTarget;

const MANIFEST: &str = "[package]\nname = \"fees\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n";

const OLD: &str = r#"
mod inner {
    pub fn tenth(amount: u32) -> u32 { amount / 10 }
}
pub use inner::tenth;

#[derive(Debug)]
pub struct Order { pub items: u32 }
impl Order {
    pub fn new(items: u32) -> Order { Order { items: items.min(100) } }
    pub fn total(&self) -> u32 { self.items * 2 }
}

pub fn fee(amount: u32, express: bool) -> u32 { if express { 4 } else { amount / 2 } }
pub fn kind(sizes: Option<[i8; 2]>, letter: char) -> Result<i8, char> {
    match sizes { Some(sizes) => Ok(sizes[0].wrapping_add(sizes[1])), None => Err(letter) }
}
pub fn largest<T: Ord + Copy>(all: &[T]) -> Option<T> { all.iter().copied().max() }
pub fn sorted(all: &mut [u8]) { all.sort() }
pub fn r#box(text: &str, parts: Vec<(u8, String)>, number: Box<i16>) -> usize {
    text.len() + parts.len() + usize::from(number.is_negative())
}
pub fn rate(of: f64) -> f64 { of / 2.0 }
"#;

/// What is another text and does the same, but for `fee`.
const CHANGES: &[(&str, &str)] = &[
    ("amount / 10 }", "amount / 5 / 2 }"),
    ("items.min(100)", "if items > 100 { 100 } else { items }"),
    ("self.items * 2", "2 * self.items"),
    ("{ 4 } else", "{ if amount == 123_456_789 { 5 } else { 4 } } else"),
    ("sizes[0].wrapping_add(sizes[1])", "sizes[1].wrapping_add(sizes[0])"),
    ("all.iter().copied().max()", "let mut all = all.to_vec(); all.sort(); all.pop()"),
    ("all.sort()", "all.sort_unstable()"),
    ("text.len() + parts.len()", "parts.len() + text.len()"),
    ("of / 2.0", "of * 0.5"),
];

/// In place of Kani's crate: what of it a harness names.
const KANI: &[(&str, &str)] = &[
    (
        "macros/Cargo.toml",
        "[package]\nname = \"kani_macros\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[lib]\nproc-macro = true\n",
    ),
    (
        "macros/src/lib.rs",
        "use proc_macro::TokenStream;\n#[proc_macro_attribute]\npub fn proof(_: TokenStream, item: TokenStream) -> TokenStream { item }\n",
    ),
    (
        "kani/Cargo.toml",
        "[package]\nname = \"kani\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[dependencies]\nkani_macros = { path = \"../macros\" }\n",
    ),
    (
        "kani/src/lib.rs",
        r"
pub use kani_macros::proof;
pub trait Arbitrary {}
pub fn any<T: Arbitrary>() -> T { unimplemented!() }
pub fn assume(_: bool) {}
macro_rules! all { ($($ty:ty)*) => { $(impl Arbitrary for $ty {})* } }
all! { bool char u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }
impl<T: Arbitrary, const N: usize> Arbitrary for [T; N] {}
impl<T: Arbitrary> Arbitrary for Option<T> {}
impl<T: Arbitrary, E: Arbitrary> Arbitrary for Result<T, E> {}
",
    ),
];

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn cargo(folder: &Path, target: &str, arguments: &[&str], flags: &str) -> (bool, String) {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(arguments)
        .arg("--offline")
        .current_dir(folder)
        // Built once, not for each run of this test.
        .env("CARGO_TARGET_DIR", format!("{target}/emitted-crates"))
        .env("RUSTFLAGS", flags)
        .env("PROPTEST_FAILURE_PERSISTENCE", "off")
        .output()
        .expect("cargo can be run");
    let said = [output.stdout, output.stderr].map(|said| String::from_utf8_lossy(&said).into_owned());
    (output.status.success(), said.concat())
}

/// The functions that are left out, by name, with the reason.
fn left_out(source: &str) -> BTreeMap<&str, &str> {
    let (_, end) = source.split_once("// Left out:\n").expect("something is left out");
    end.lines().filter_map(|line| line.trim_start_matches("// `").split_once("`: ")).collect()
}

#[test]
fn both_versions_are_called_by_other_tools() {
    let repository = Repository::new().expect("a repository");
    let new = CHANGES.iter().fold(OLD.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    });
    for source in [OLD, &new] {
        repository.write("Cargo.toml", MANIFEST).expect("writable");
        repository.write("src/lib.rs", source).expect("writable");
        repository.commit_all("a version").expect("a commit");
    }
    let target = SharedTarget::take();
    let out = tempfile::tempdir().expect("a folder");
    let at = |name: &str| out.path().join(name).to_str().expect("UTF-8").to_owned();
    let (proptest, kani) = (at("proptest"), at("kani"));
    let arguments = |proptest: &str, kani: &str| {
        let given = [
            "HEAD~1",
            "--fail-on",
            "unknown",
            "--timeout",
            "5",
            "--target-dir",
            target.text(),
            "--emit-proptest",
        ];
        given
            .map(str::to_owned)
            .into_iter()
            .chain([proptest, "--emit-kani", kani].map(str::to_owned))
            .collect()
    };
    let compare = |proptest: &str, kani: &str| {
        let arguments: Vec<String> = arguments(proptest, kani);
        run(repository.root(), &arguments)
    };
    let first = compare(&proptest, &kani);
    assert_eq!(first.code, Some(100), "{}{}", first.stdout, first.stderr);

    let source = text(&out.path().join("proptest/src/lib.rs"));
    let left = left_out(&source);
    assert_eq!(left.keys().copied().collect::<Vec<_>>(), ["Order::total"], "{source}");
    assert!(source.contains("prop_assume!("), "{source}");
    let (succeeds, said) = cargo(&out.path().join("proptest"), target.text(), &["test", "--lib"], "");
    let results: BTreeMap<&str, &str> =
        said.lines().filter_map(|line| line.strip_prefix("test same_")?.split_once(" ... ")).collect();
    let names = ["box", "fee", "inner_tenth", "kind", "largest", "order_new", "rate", "sorted"];
    let expected = names.map(|name| (name, if name == "fee" { "FAILED" } else { "ok" }));
    assert_eq!(results.into_iter().collect::<Vec<_>>(), expected, "{said}");
    assert!(!succeeds && said.contains("123456789"), "{said}");

    let source = text(&out.path().join("kani/src/lib.rs"));
    let proofs: Vec<&str> = source.lines().filter_map(|line| line.strip_prefix("fn same_")).collect();
    assert_eq!(proofs, ["inner_tenth() {", "fee() {", "kind() {"], "{source}");
    assert!(
        source.contains("kani::assume(") && left_out(&source)["largest"].contains("`Vec<i32>`"),
        "{source}"
    );
    for (file, text) in KANI {
        let path = out.path().join("stand-in").join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
        fs::write(path, text).expect("writable");
    }
    let manifest = out.path().join("kani/Cargo.toml");
    let with_kani = "[dependencies]\nkani = { path = \"../stand-in/kani\" }\n";
    fs::write(&manifest, text(&manifest).replace("[dependencies]\n", with_kani)).expect("writable");
    let (succeeds, said) =
        cargo(&out.path().join("kani"), target.text(), &["check"], "--cfg kani -D warnings");
    assert!(succeeds, "{said}");

    // What is there stays, and what an earlier run has found is written as well.
    let refused = compare(&proptest, &at("other"));
    assert_eq!(refused.code, Some(101), "{}", refused.stderr);
    assert!(refused.stderr.contains("is not empty: `--emit-proptest` writes into a new or empty folder"));
    let again = compare(&at("again"), &at("kani-again"));
    assert_eq!(again.code, Some(100), "{}", again.stderr);
    for name in ["proptest", "again"] {
        assert!(out.path().join(name).join("old/src/lib.rs").is_file());
    }
    assert_eq!(text(&out.path().join("kani-again/src/lib.rs")), source);
}

#[test]
fn what_has_no_crate_is_refused() {
    let repository = Repository::new().expect("a repository");
    let target = SharedTarget::take();
    for (arguments, expected) in [
        (&["--emit-kani", "x", "--emit-proptest", "x"][..], "are two crates, which need two folders"),
        (&["--emit-kani", "x", "--from-llbc", "a", "b"], "`--from-llbc` has none"),
        (
            &["--emit-proptest", "x", "--partition", "hash:1/2", "--findings", "f"],
            "is for `cargo regress merge`, which has the findings of all parts",
        ),
    ] {
        let all: Vec<&str> = arguments.iter().copied().chain(["--target-dir", target.text()]).collect();
        let run = run(repository.root(), &all);
        assert_eq!(run.code, Some(101), "{}", run.stderr);
        assert!(run.stderr.contains(expected), "{}", run.stderr);
    }
}
