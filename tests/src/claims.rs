//! Everything that the suite checks, as lines that can be held against those of another state of the repository: each test with a digest of what
//! it does, what stands around tests (helpers, tables), each fixture and each expectation in it, each fact that is claimed of native runs.
//!
//! A test that was only moved to another program keeps its line. Where a digest is another, the claim has to be looked at.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, anyhow};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The program that has most integration tests as modules; they are named without it.
const TOGETHER: &str = "it";

/// The package all of whose code is there to check something.
const OF_TESTS: &str = "regress-tests";

/// The claims of the repository at `root`, sorted.
pub fn claims(root: &Path) -> anyhow::Result<Vec<String>> {
    let mut found = BTreeSet::new();
    for package in directories(root)? {
        let Some(name) = package_name(&package.join("Cargo.toml")) else { continue };
        for folder in ["src", "tests"] {
            for file in files(&package.join(folder))? {
                if file.extension().is_some_and(|extension| extension == "rs") {
                    let place = Place { package: &name, module: module(&package, &file) };
                    of_source(&place, &read(&file)?, &mut found)
                        .with_context(|| file.display().to_string())?;
                }
            }
        }
    }
    of_fixtures(&root.join("fixtures"), &mut found)?;
    Ok(found.into_iter().collect())
}

/// Where something stands, whatever program it belongs to.
struct Place<'a> {
    package: &'a str,
    module: Vec<String>,
}

impl Place<'_> {
    fn named(&self, name: &str) -> String {
        let path: Vec<&str> = self.module.iter().map(String::as_str).chain([name]).collect();
        format!("{} {}", self.package, path.join("::"))
    }
}

fn of_source(place: &Place<'_>, text: &str, found: &mut BTreeSet<String>) -> anyhow::Result<()> {
    let tokens: TokenStream = text.parse().map_err(|error| anyhow!("no Rust: {error}"))?;
    let has_tests = of_module(place, &tokens, found);
    if has_tests == HasTests::No && place.package == OF_TESTS {
        found.insert(format!("around {} {}", place.named("*"), digest(&tokens.to_string())));
    }
    facts(place, &tokens, found);
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum HasTests {
    Yes,
    No,
}

/// The tests of a module, and what stands around them if there are any.
fn of_module(place: &Place<'_>, tokens: &TokenStream, found: &mut BTreeSet<String>) -> HasTests {
    let mut around = String::new();
    let mut has_tests = HasTests::No;
    items(place, tokens, &mut around, &mut has_tests, found);
    if has_tests == HasTests::Yes {
        found.insert(format!("around {} {}", place.named("*"), digest(&around)));
    }
    has_tests
}

/// Goes through items, also through those that macros are given (`proptest!`): tests become lines, everything else is added to `around`.
fn items(
    place: &Place<'_>,
    tokens: &TokenStream,
    around: &mut String,
    has_tests: &mut HasTests,
    found: &mut BTreeSet<String>,
) {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let mut at = 0;
    while at < trees.len() {
        if let Some(test) = test_at(&trees[at..]) {
            *has_tests = HasTests::Yes;
            let text: TokenStream = trees[at..at + test.length].iter().cloned().collect();
            found.insert(format!("test {} {}", place.named(&test.name), digest(&text.to_string())));
            at += test.length;
            continue;
        }
        match &trees[at..] {
            [TokenTree::Ident(word), TokenTree::Ident(name), TokenTree::Group(body), ..]
                if word == "mod" && body.delimiter() == Delimiter::Brace =>
            {
                let module = place.module.iter().cloned().chain([name.to_string()]).collect();
                of_module(&Place { package: place.package, module }, &body.stream(), found);
                around.push_str(&format!("mod {name} "));
                at += 3;
            }
            [TokenTree::Group(group), ..] if group.delimiter() == Delimiter::Brace => {
                around.push('{');
                items(place, &group.stream(), around, has_tests, found);
                around.push('}');
                at += 1;
            }
            [tree, ..] => {
                around.push_str(&tree.to_string());
                around.push(' ');
                at += 1;
            }
            [] => {}
        }
    }
}

struct Test {
    name: String,
    /// In token trees, from the first attribute to the body.
    length: usize,
}

/// The test that begins here with its attributes.
fn test_at(trees: &[TokenTree]) -> Option<Test> {
    let mut at = 0;
    let mut is_test = false;
    while let [TokenTree::Punct(hash), TokenTree::Group(attribute), ..] = &trees[at..]
        && hash.as_char() == '#'
        && attribute.delimiter() == Delimiter::Bracket
    {
        is_test |= attribute.stream().to_string() == "test";
        at += 2;
    }
    if !is_test {
        return None;
    }
    let after = &trees[at..];
    let function = after.iter().position(|tree| matches!(tree, TokenTree::Ident(word) if word == "fn"))?;
    let name = after.get(function + 1)?.to_string();
    let body = after[function..]
        .iter()
        .position(|tree| matches!(tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace))?;
    Some(Test { name, length: at + function + body + 1 })
}

/// What is claimed of native runs: `same "name"`, `differs "name" Class`, `hangs "name" Class`, as macro or as function.
fn facts(place: &Place<'_>, tokens: &TokenStream, found: &mut BTreeSet<String>) {
    if !place.module.iter().any(|part| part == "fixtures_native") {
        return;
    }
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    for (at, tree) in trees.iter().enumerate() {
        let TokenTree::Group(group) = tree else { continue };
        facts(place, &group.stream(), found);
        let inner: Vec<TokenTree> = group.stream().into_iter().collect();
        for (number, tree) in inner.iter().enumerate() {
            let TokenTree::Ident(word) = tree else { continue };
            if !["same", "differs", "hangs"].iter().any(|claim| word == claim) {
                continue;
            }
            // As a function it has its arguments in parentheses; in the macro it ends with a semicolon.
            let length = match inner.get(number + 1) {
                Some(TokenTree::Group(_)) => 2,
                _ => inner[number..].iter().take_while(|tree| !is_semicolon(tree)).count(),
            };
            let rest: TokenStream = inner[number..].iter().take(length).cloned().collect();
            // The case is named before: as the first argument of the macro, or beside the list.
            let case = inner.iter().chain(&trees[..at]).find_map(case_name).unwrap_or_default();
            let rest = rest.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
            found.insert(format!("fact {} {case} {rest}", place.named("*")));
        }
    }
}

fn is_semicolon(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Punct(point) if point.as_char() == ';')
}

fn case_name(tree: &TokenTree) -> Option<String> {
    let TokenTree::Literal(literal) = tree else { return None };
    let text = literal.to_string();
    text.contains('/').then_some(text)
}

/// Each version of each fixture as a digest of all its files, and each marked line.
fn of_fixtures(root: &Path, found: &mut BTreeSet<String>) -> anyhow::Result<()> {
    for file in files(root)? {
        let bytes = fs::read(&file).with_context(|| file.display().to_string())?;
        let text = String::from_utf8_lossy(&bytes);
        let name = file.strip_prefix(root)?.display();
        found.insert(format!("fixture {name} {}", digest(&text)));
        let is_source = file.extension().is_some_and(|extension| extension == "rs");
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| is_source && line.contains("//~")) {
            found.insert(format!("expectation {name}:{number:04} {}", line.trim()));
        }
    }
    Ok(())
}

/// The parts of the path, as of a module: `src::smt::tests`, `tests::hooks`.
fn module(package: &Path, file: &Path) -> Vec<String> {
    let path = file.strip_prefix(package).unwrap_or(file).with_extension("");
    let parts = path.components().filter_map(|part| match part {
        Component::Normal(part) => Some(part.to_string_lossy().into_owned()),
        Component::Prefix(_) | Component::RootDir | Component::CurDir | Component::ParentDir => None,
    });
    parts.filter(|part| !["main", "mod", "lib", TOGETHER].contains(&part.as_str())).collect()
}

fn package_name(manifest: &Path) -> Option<String> {
    let text = fs::read_to_string(manifest).ok()?;
    let name = text.lines().find_map(|line| line.strip_prefix("name = "))?;
    Some(name.trim_matches('"').to_owned())
}

fn directories(root: &Path) -> anyhow::Result<Vec<PathBuf>> {
    Ok(entries(root)?.into_iter().filter(|path| path.is_dir()).collect())
}

/// All files below a folder, or none if there is no such folder. What is built is left out.
fn files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    if !folder.is_dir() {
        return Ok(found);
    }
    for entry in entries(folder)? {
        if !entry.is_dir() {
            found.push(entry);
        } else if !entry.ends_with("target") {
            found.extend(files(&entry)?);
        }
    }
    Ok(found)
}

fn entries(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    entries.map(|entry| Ok(entry?.path())).collect()
}

fn read(path: &Path) -> anyhow::Result<String> {
    fs::read_to_string(path).with_context(|| path.display().to_string())
}

fn digest(text: &str) -> String {
    let id =
        git2::Oid::hash_object(git2::ObjectType::Blob, text.as_bytes()).expect("text is hashed in memory");
    id.to_string()[..16].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(source: &str) -> Vec<String> {
        let mut found = BTreeSet::new();
        let place = Place { package: "p", module: vec!["tests".into()] };
        of_source(&place, source, &mut found).unwrap();
        found.into_iter().collect()
    }

    /// The names, without digests.
    #[track_caller]
    fn check(source: &str, expected: &[&str]) {
        let found = of(source);
        let names: Vec<&str> =
            found.iter().map(|line| line.rsplit_once(' ').expect("a digest comes last").0).collect();
        assert_eq!(names, expected);
    }

    #[test]
    fn tests_are_found_in_modules_and_in_macros() {
        check("fn f() {}", &[]);
        check("#[test] fn f() {}", &["around p tests::*", "test p tests::f"]);
        check(
            "mod inner { #[ignore = \"long\"] #[test] fn g() -> Result<(), ()> { Ok(()) } }",
            &["around p tests::inner::*", "test p tests::inner::g"],
        );
        check(
            "proptest! { #![config] #[test] fn h(x in 0..3) {} #[test] fn i(x in 0..3) {} }",
            &["around p tests::*", "test p tests::h", "test p tests::i"],
        );
    }

    #[test]
    fn a_changed_check_changes_its_own_line_only() {
        let [one, other] = ["3", "4"].map(|number| {
            of(&format!(
                "fn help() {{}} #[test] fn f() {{ assert_eq!(1 + 2, {number}); }} #[test] fn g() {{}}"
            ))
        });
        let changed: Vec<&String> = one.iter().filter(|line| !other.contains(line)).collect();
        assert!(matches!(changed[..], [line] if line.starts_with("test p tests::f ")), "{changed:?}");
        let [one, other] =
            ["1", "2"].map(|number| of(&format!("fn help() {{ {number}; }} #[test] fn f() {{ help() }}")));
        let changed: Vec<&String> = one.iter().filter(|line| !other.contains(line)).collect();
        assert!(matches!(changed[..], [line] if line.starts_with("around p tests::* ")), "{changed:?}");
    }

    #[test]
    fn the_program_is_no_part_of_a_tests_name() {
        let of = |file: &str| module(Path::new("tests"), Path::new(file)).join("::");
        assert_eq!(of("tests/tests/hooks.rs"), "tests::hooks");
        assert_eq!(of("tests/tests/it/hooks.rs"), "tests::hooks");
        assert_eq!(of("tests/tests/fixtures_native/main.rs"), "tests::fixtures_native");
        assert_eq!(of("tests/src/lib.rs"), "src");
    }

    #[test]
    fn this_repository_is_read() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let claims = claims(&root).unwrap();
        let own = "test regress-tests src::claims::tests::this_repository_is_read ";
        let count = |start: &str| claims.iter().filter(|line| line.starts_with(start)).count();
        assert_eq!(count(own), 1);
        // Their targets are not built for tests.
        assert_eq!(count("test regress-tests src::bin::"), 0);
        let at_root = |line: &&String| {
            line.strip_prefix("test cargo-regress src::").is_some_and(|rest| !rest.contains("::"))
        };
        assert_eq!(claims.iter().find(at_root), None);
        for (kind, least) in [("test ", 1000), ("expectation ", 1000), ("fact ", 500), ("fixture ", 200)] {
            assert!(count(kind) >= least, "{kind}{}", count(kind));
        }
    }
}
