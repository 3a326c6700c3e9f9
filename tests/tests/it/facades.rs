//! Crates of the tree that hand on what others define: a change behind them reaches whoever uses it through them.

use regress_tests::command::run;
use regress_tests::repository::Repository;
use regress_tests::runner::Report;
use regress_tests::shared::SharedTarget;

/// A crate of the tree: its name, what it depends on, its source.
struct Member<'m> {
    name: &'m str,
    dependencies: &'m [&'m str],
    source: &'m str,
}

/// A version of the package `user`, which depends on these crates; on `inner` only through others.
fn commit(repository: &Repository, user: &str, members: &[Member<'_>]) {
    let manifest = |name: &str, place: &str, dependencies: &[&str]| {
        let listed: String =
            dependencies.iter().map(|name| format!("{name} = {{ path = \"{place}{name}\" }}\n")).collect();
        format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\n{listed}"
        )
    };
    for member in members {
        let folder = format!("deps/{}", member.name);
        let text = manifest(member.name, "../", member.dependencies);
        repository.write(&format!("{folder}/Cargo.toml"), &text).unwrap();
        repository.write(&format!("{folder}/src/lib.rs"), member.source).unwrap();
    }
    let direct: Vec<&str> =
        members.iter().map(|member| member.name).filter(|name| *name != "inner").collect();
    repository.write(".gitignore", "/target\nCargo.lock\n").unwrap();
    repository.write("Cargo.toml", &(manifest("user", "deps/", &direct) + "\n[workspace]\n")).unwrap();
    repository.write("src/lib.rs", user).unwrap();
    repository.commit_all("a version").unwrap();
}

/// What is said of each function of `user`, in the order of their names: its kind of change and its verdict.
fn compare(
    user: [&str; 2],
    old: &[Member<'_>],
    new: &[Member<'_>],
) -> (Vec<(String, String, String)>, String) {
    let repository = Repository::new().unwrap();
    commit(&repository, user[0], old);
    commit(&repository, user[1], new);
    let target = SharedTarget::take();
    let run = run(repository.root(), &["HEAD~1", "--message-format", "json", "--target-dir", target.text()]);
    assert!(matches!(run.code, Some(0 | 100)), "{:?}: {}", run.code, run.stderr);
    let report: Report = serde_json::from_str(&run.stdout).unwrap();
    let of = |function: regress_tests::runner::Reported| (function.path, function.kind, function.verdict);
    let mut functions: Vec<_> = report.functions.into_iter().map(of).collect();
    functions.sort();
    (functions, run.stdout)
}

#[track_caller]
fn check(found: &(Vec<(String, String, String)>, String), expected: &[(&str, &str, &str)]) {
    let functions: Vec<(&str, &str, &str)> = (found.0.iter())
        .map(|(path, kind, verdict)| (path.as_str(), kind.as_str(), verdict.as_str()))
        .collect();
    assert_eq!(functions, expected, "{}", found.1);
}

const USER: &str = "
pub struct Holds { pub word: plain::Word }
pub fn behind(x: u32) -> u32 { facade::f(x) }
pub fn by_constant(x: u32) -> u32 { facade::C ^ x }
pub fn by_trait(x: u32) -> u32 { run(x) }
fn run<T: facade::Tr>(value: T) -> u32 { value.told() }
pub fn of_alias(x: usize) -> usize { std::mem::size_of::<Holds>() ^ x }
pub fn shadowed(x: u32) -> u32 { plain::all::q(x) }
pub fn the_same(x: u32) -> u32 { facade::same(x) }
";

/// `pub use inner::*;` names nothing, and rustc prints `facade::f` for `inner::f`; a field says `plain::Word`, and not what that is; and
/// what a module defines itself comes before what a glob hands on.
#[test]
fn what_a_facade_hands_on_is_followed() {
    let inner = |number: u8| {
        format!(
            "pub fn f(x: u32) -> u32 {{ x ^ {number} }}\npub const C: u32 = {number};\npub fn same(x: u32) -> u32 {{ x / 2 }}
             pub trait Tr {{ fn told(&self) -> u32 {{ {number} }} }}\nimpl Tr for u32 {{}}\n"
        )
    };
    let plain = |word: &str, own: &str| {
        format!(
            "pub type Word = {word};\npub mod all {{ mod p {{ pub fn q(x: u32) -> u32 {{ x ^ 1 }} }} pub use p::*; {own} }}\n"
        )
    };
    let (inner_1, inner_2) = (inner(1), inner(2));
    let (plain_1, plain_2) = (plain("u16", ""), plain("u64", "pub fn q(x: u32) -> u32 { x ^ 2 }"));
    let facade = || Member { name: "facade", dependencies: &["inner"], source: "pub use inner::*;\n" };
    let member = |name, source| Member { name, dependencies: &[], source };
    let found = compare(
        [USER, USER],
        &[member("inner", &inner_1), facade(), member("plain", &plain_1)],
        &[member("inner", &inner_2), facade(), member("plain", &plain_2)],
    );
    check(
        &found,
        &[
            ("behind", "affected", "differs"),
            ("by_constant", "affected", "differs"),
            ("by_trait", "affected", "differs"),
            ("of_alias", "affected", "differs"),
            ("run", "affected", "differs"),
            ("shadowed", "changed", "differs"),
            ("the_same", "unchanged", "unchanged"),
        ],
    );
}

/// What only functions of a dependency can make is made by them.
#[test]
fn values_of_types_of_dependencies_are_made_by_their_functions() {
    let user = |operator: &str| {
        format!(
            "pub fn is_long(way: &meter::Meter) -> bool {{ way.length() {operator} 3 }}\npub fn taken(ways: &[meter::Meter]) -> usize {{ ways.len() / 2 }}\n"
        )
    };
    let (old, new) = (user(">="), user(">").replace("/ 2", ">> 1"));
    let meter = || Member {
        name: "meter",
        dependencies: &[],
        source: "pub struct Meter { length: u16, ptr: *const u8 }
            impl Meter {
                pub fn new(length: u16) -> Meter { Meter { length, ptr: std::ptr::null() } }
                pub fn length(&self) -> u16 { if self.ptr.is_null() { self.length } else { 0 } }
            }
            ",
    };
    let found = compare([&old, &new], &[meter()], &[meter()]);
    let verdicts: Vec<(&str, &str)> =
        found.0.iter().map(|(path, _, verdict)| (path.as_str(), verdict.as_str())).collect();
    assert_eq!(verdicts[0], ("is_long", "differs"), "{}", found.1);
    assert!(found.1.contains("Meter::new(3)"), "{}", found.1);
    assert!(["equal", "equal_within"].contains(&verdicts[1].1), "{}", found.1);
}

/// `core::f` is an item of the library wherever it is printed.
#[test]
fn a_dependency_that_is_called_as_the_library_is_not_taken_for_it() {
    let user = "pub fn f(x: u32) -> u32 { ::core::f(x) }\n";
    let core = |source| Member { name: "core", dependencies: &[], source };
    let found = compare(
        [user, user],
        &[core("pub fn f(x: u32) -> u32 { x ^ 1 }\n")],
        &[core("pub fn f(x: u32) -> u32 { x ^ 2 }\n")],
    );
    let [(_, kind, verdict)] = found.0.as_slice() else { panic!("{}", found.1) };
    assert_eq!(kind, "affected", "{}", found.1);
    assert!(!["equal", "equal_within"].contains(&verdict.as_str()), "{}", found.1);
}

/// rustdoc, which sets `doc`, says that the field is a `u8`.
#[test]
fn types_that_rustdoc_sees_otherwise_prove_nothing() {
    let user = |kept: &str| {
        format!(
            "#[cfg(doc)]\npub type W = u8;\n#[cfg(not(doc))]\npub type W = u32;\npub struct S {{ pub w: W }}
             pub fn field(s: S, key: u32) -> u64 {{ if key.rotate_left(7) != 0x1234_5679 {{ return 0; }} s.w as u64{kept} }}\n"
        )
    };
    let (old, new) = (user(""), user(" & 255"));
    let found = compare([&old, &new], &[], &[]);
    let [(_, _, verdict)] = found.0.as_slice() else { panic!("{}", found.1) };
    assert!(!["equal", "equal_within"].contains(&verdict.as_str()), "{}", found.1);
}

/// The import is there for the links of documentation alone.
#[test]
fn what_only_documentation_imports_hinders_no_proof() {
    let user = |result: &str| {
        format!(
            "#[cfg(doc)]\nuse crate::m::S;\n/// See [`S`].\npub fn f(x: u32) -> u32 {{ {result} }}\npub mod m {{ pub struct S; }}\n"
        )
    };
    let found = compare([&user("x.wrapping_add(1)"), &user("x.wrapping_sub(u32::MAX)")], &[], &[]);
    let [(_, _, verdict)] = found.0.as_slice() else { panic!("{}", found.1) };
    assert_eq!(verdict, "equal", "{}", found.1);
}
