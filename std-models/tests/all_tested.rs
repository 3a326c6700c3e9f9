//! No model without a test: each function that users of the standard library name has its name in one of the tests beside this one.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What stands in these files is no model of something that users name: primitives of the executor, stand-ins for parameters, and what
/// `format!` expands to.
const NOT_NAMED: &[&str] = &["intrinsics.rs", "stand_ins.rs", "rt.rs"];

/// Functions that derives and macros call, so that tests do not spell them; and what only other models use.
const CALLED_BY_MACROS: &[&str] = &[
    "debug_struct_fields_finish",
    "debug_tuple_fields_finish",
    "from_str_nonconst",
    "write_fmt",
    "utf8_error",
    "of_struct",
    "of_tuple",
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// The functions of a source, found by what begins them, that do something: what only says that there is no model is none.
fn models<'t>(text: &'t str, beginning: &str) -> BTreeSet<&'t str> {
    let mut found = BTreeSet::new();
    let mut rest = text;
    while let Some(at) = rest.find(beginning) {
        rest = &rest[at + beginning.trim_end_matches("fn ").len()..];
        let mut head = words(rest).take(4).skip_while(|word| ["const", "unsafe", "extern"].contains(word));
        if head.next() != Some("fn") {
            continue;
        }
        let Some(name) = head.next() else { continue };
        // What is only declared is implemented elsewhere.
        let body = rest.find(['{', ';']).map_or("", |open| &rest[open..]);
        let only_says_so = body.trim_start_matches(['{', ' ', '\n']).trim_start_matches("return ");
        let is_none = ["unmodelled(", "intrinsics::unmodelled(", "crate::intrinsics::unmodelled("]
            .iter()
            .any(|call| only_says_so.starts_with(call));
        if !is_none {
            found.insert(name);
        }
    }
    found
}

#[test]
fn every_model_is_tested() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tests: String =
        sources(&root.join("tests")).iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let tested: BTreeSet<&str> = words(&tests).collect();
    let (mut count, mut missing) = (0, Vec::new());
    for path in sources(&root.join("src")) {
        if NOT_NAMED.contains(&path.file_name().unwrap().to_str().unwrap()) {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        // Methods of the library's own types stand in traits there.
        let beginning = if path.starts_with(root.join("src/inherent")) || path.ends_with("inherent.rs") {
            " fn "
        } else {
            "pub "
        };
        for name in models(&text, beginning) {
            count += 1;
            if !tested.contains(name) && !CALLED_BY_MACROS.contains(&name) {
                missing.push(format!("{} of {}", name, path.strip_prefix(root).unwrap().display()));
            }
        }
    }
    assert!(count > 300, "{count} models were found");
    assert!(missing.is_empty(), "no test names {}", missing.join(", "));
}

#[test]
fn what_counts_as_a_model() {
    let text = "impl X {\n    pub fn one(&self) -> u8 { 1 }\n    pub const unsafe fn two() {\n        g()\n    }\n    \
                pub fn three() -> u8 {\n        crate::intrinsics::unmodelled(\"three\")\n    }\n    pub(crate) fn four() {}\n}";
    assert_eq!(models(text, "pub "), BTreeSet::from(["one", "two"]));
}
