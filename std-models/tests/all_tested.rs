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

/// What in a signature says that the model calls code of its user.
const CALLS_USERS: &[&str] = &[
    "Fn",
    "FnMut",
    "FnOnce",
    "PartialEq",
    "PartialOrd",
    "Ord",
    "Clone",
    "Default",
    "Iterator",
    "IntoIterator",
    "Extend",
];

/// Models that call code of their user and are not held against std call by call, with the reason.
const UNTRACED: &[(&str, &[&str])] = &[
    ("they call one closure once", &["get_or_init", "map_split", "update", "map_break", "map_continue"]),
    ("no stable function of std: only models use them", &["is_partitioned", "entries", "method"]),
    ("atomics hold numbers, and the closure is called until it fits, which is once", &["fetch_update"]),
    ("what is Borrowed, Cow and counted pointers lead to is not touched", &["get_mut"]),
];

/// The functions of a source whose signatures say that they call code of their user.
fn calling_models(text: &str) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for (at, _) in text.match_indices("fn ") {
        let signature = &text[at + 3..];
        let end = signature.find(['{', ';']).unwrap_or(signature.len());
        let signature = &signature[..end];
        let starts_word = text[..at].ends_with([' ', '\n', '(']) || at == 0;
        if starts_word
            && words(signature).any(|word| CALLS_USERS.contains(&word))
            && let Some(name) = words(signature).next()
        {
            found.insert(name);
        }
    }
    found
}

#[test]
fn every_model_that_calls_its_user_is_traced() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let operations = fs::read_to_string(root.join("tests/trace/ops.rs")).unwrap();
    let traced: BTreeSet<&str> = words(&operations).collect();
    let excused: BTreeSet<&str> = UNTRACED.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    let (mut count, mut missing) = (0, BTreeSet::new());
    for path in sources(&root.join("src")) {
        let name = path.file_name().unwrap().to_str().unwrap();
        let is_public = path.starts_with(root.join("src/inherent")) || name == "inherent.rs";
        let text = fs::read_to_string(&path).unwrap();
        let public = models(&text, "pub ");
        for model in calling_models(&text) {
            if (is_public || public.contains(model) || path.ends_with("iter/mod.rs"))
                && !NOT_NAMED.contains(&name)
            {
                count += 1;
                if !traced.contains(model) && !excused.contains(model) {
                    missing.insert(model.to_string());
                }
            }
        }
    }
    assert!(count > 100, "{count} models were found");
    assert!(missing.is_empty(), "no operation of trace/ops.rs names {missing:?}");
    let idle: Vec<_> = excused.iter().filter(|name| traced.contains(*name)).collect();
    assert!(idle.is_empty(), "{idle:?} are traced, and excused as well");
}

#[test]
fn what_counts_as_a_model() {
    let text = "impl X {\n    pub fn one(&self) -> u8 { 1 }\n    pub const unsafe fn two() {\n        g()\n    }\n    \
                pub fn three() -> u8 {\n        crate::intrinsics::unmodelled(\"three\")\n    }\n    pub(crate) fn four() {}\n}";
    assert_eq!(models(text, "pub "), BTreeSet::from(["one", "two"]));
}
