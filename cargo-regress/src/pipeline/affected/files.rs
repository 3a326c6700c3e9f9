//! Which files differ between the trees, and which tests may read them while they run.
//!
//! What a file says when the tests are compiled (`include_str!`, files that build scripts and macros read) is in the bodies that are compared. What a test reads
//! while it runs is not, nor is what programs do that it starts: binaries of the package, or cargo. So a test that may come to name what opens files or
//! starts processes is affected as soon as any file differs, whichever it may be.
//!
//! What is reached of crates that were not read is known by the crate: if its source, or that of a crate it uses, has a word of [`WORDS`], it may do anything.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use mir_frontend::rustc::replay::extern_stems;
use regress_core::align::{names_in_code, names_reached};
use regress_core::ir::{FnBody, FnId, Function, Origin, Owner, Path, Program};

use crate::extract::{DependencyInvocation, Extraction};
use crate::harness::list_tree;
use crate::pipeline::load::Loaded;
use crate::versions::Versions;

/// The files that one version does not have, or has with other contents. Relative to the roots of the trees.
pub(super) fn differing(versions: &Versions) -> anyhow::Result<Vec<Utf8PathBuf>> {
    let nothing = Utf8Path::new("");
    let (old, new) = (list_tree(&versions.old.root, nothing)?, list_tree(&versions.new.root, nothing)?);
    let content = |root: &Utf8Path, path: &Utf8Path| fs::read(root.join(path)).ok();
    let all: BTreeSet<&Utf8PathBuf> = old.files.iter().chain(&new.files).collect();
    let differs = |path: &&Utf8PathBuf| {
        let (was, is) = (content(&versions.old.root, path), content(&versions.new.root, path));
        // Cargo writes a lock file where there is none. What it chooses is seen in the crates that are compared.
        let is_made = path.file_name() == Some(LOCK_FILE) && (was.is_none() || is.is_none());
        !is_made && (was.is_none() || was != is)
    };
    let mut found: Vec<Utf8PathBuf> = all.into_iter().filter(differs).cloned().collect();
    let links: BTreeSet<&Utf8PathBuf> = old.links.keys().chain(new.links.keys()).collect();
    found.extend(links.into_iter().filter(|path| old.links.get(*path) != new.links.get(*path)).cloned());
    Ok(found)
}

const LOCK_FILE: &str = "Cargo.lock";

/// Names of files that decide on how everything is built.
const OF_BUILDS: [&str; 5] =
    ["Cargo.toml", "Cargo.lock", "build.rs", "rust-toolchain", "rust-toolchain.toml"];

/// Whether the file decides on how everything is built.
pub(super) fn bears_on_everything(file: &Utf8Path) -> bool {
    file.file_name().is_some_and(|name| OF_BUILDS.contains(&name))
        || file.components().any(|part| part.as_str() == ".cargo")
}

/// Words of source files with which code gets at files and processes, or at what may.
const WORDS: [&str; 15] = [
    "fs::",
    "::fs",
    "fs,",
    "File",
    "process::",
    "Command",
    "extern \"",
    "libc",
    "::net",
    "::os::",
    "nix::",
    "rustix",
    "windows_sys",
    "syscall",
    "asm!",
];

/// Paths of the standard library that do.
const OF_STD: [&str; 9] = [
    "backtrace::",
    "fs::",
    "process::Command",
    "process::Child",
    "net::",
    "os::",
    "env::current_exe",
    "env::set_current_dir",
    "sys::",
];

/// Paths of the standard library by which another run may be another.
const OF_CHANCE: [&str; 8] = [
    "env::",
    "process::id",
    "sync::Barrier",
    "sync::Condvar",
    "sync::mpsc",
    "thread::",
    "time::Instant",
    "time::SystemTime",
];

/// The crates of the standard library.
const LIBRARY: [&str; 3] = ["std", "core", "alloc"];

const PRIMITIVES: [&str; 17] = [
    "bool", "char", "str", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
    "isize", "f32", "f64",
];

/// Methods of paths that look at files.
const OF_PATHS: [&str; 10] = [
    "canonicalize",
    "exists",
    "is_dir",
    "is_file",
    "is_symlink",
    "metadata",
    "read_dir",
    "read_link",
    "symlink_metadata",
    "try_exists",
];

/// What tests may use besides code.
pub(super) struct Uses {
    /// Tests that may read files or start programs, each with what it may do so by.
    pub files: HashMap<FnId, String>,
    /// Tests that may do something else in their next run.
    pub chance: HashSet<FnId>,
}

impl Uses {
    /// Of some functions of the new version.
    pub fn of(tests: &[FnId], loaded: &Loaded, extraction: &Extraction) -> Uses {
        let program = &loaded.new.program;
        let crates = Crates::of(program, extraction);
        let mut uses = Uses { files: HashMap::new(), chance: HashSet::new() };
        for (test, names) in tests.iter().zip(names_reached(program, tests)) {
            if let Some(by) = names.iter().find(|path| crates.may_read(program, path)) {
                uses.files.insert(*test, by.to_string());
            }
        }
        // Models have hash tables among their parts, which nobody may use.
        for (test, names) in tests.iter().zip(names_in_code(program, tests)) {
            if names.iter().any(|path| parts(path.as_str()).filter_map(in_std).any(hangs_on_chance)) {
                uses.chance.insert(*test);
            }
        }
        uses
    }
}

/// The crates that names may begin with.
struct Crates {
    /// Those that the program has.
    read: BTreeSet<String>,
    /// The others: whether they may read files.
    others: BTreeMap<String, bool>,
}

impl Crates {
    fn of(program: &Program, extraction: &Extraction) -> Crates {
        let of_program = program.functions.iter().filter(|function| function.origin != Origin::StdModel);
        let roots = of_program.filter_map(|function| {
            let (root, _) = parts(function.path.as_str()).next()?.split_once("::")?;
            Some(root.to_owned())
        });
        let read: BTreeSet<String> = roots.collect();
        let by_stem: BTreeMap<&str, &DependencyInvocation> = extraction
            .dependencies
            .iter()
            .map(|dependency| (dependency.invocation.unit.stem.as_str(), dependency))
            .collect();
        let mut others = BTreeMap::new();
        for dependency in &extraction.dependencies {
            if !read.contains(&dependency.crate_name) {
                let may_read = may_read(dependency, &by_stem);
                *others.entry(dependency.crate_name.clone()).or_insert(false) |= may_read;
            }
        }
        Crates { read, others }
    }

    /// Whether who comes to what the path names may read files by it.
    fn may_read(&self, program: &Program, path: &Path) -> bool {
        if parts(path.as_str()).filter_map(in_std).any(reads_of_std)
            || program.declared.foreign.contains_key(path)
        {
            return true;
        }
        let functions = program.functions_at(path);
        if !functions.is_empty() {
            return functions.iter().any(|id| is_hidden(&program.functions[*id]));
        }
        // A crate that nobody knows may do anything.
        let is_known = |root: &str| {
            LIBRARY.contains(&root)
                || PRIMITIVES.contains(&root)
                || self.read.contains(root)
                || self.others.get(root) == Some(&false)
        };
        !parts(path.as_str()).all(|part| part.split_once("::").is_none_or(|(root, _)| is_known(root)))
    }
}

/// Whether nobody has read what the function does.
fn is_hidden(function: &Function) -> bool {
    match function.body {
        FnBody::Present(_) => false,
        FnBody::Unreadable { .. } => true,
        // What implements a required method is reached by itself.
        FnBody::Missing => function.origin != Origin::StdModel && !matches!(function.owner, Owner::Trait(_)),
    }
}

/// Whether files or processes are got at by what stands behind `std::`.
fn reads_of_std(path: &str) -> bool {
    let method = path.rsplit("::").next().unwrap_or_default();
    OF_STD.iter().any(|start| path.starts_with(start))
        || path.starts_with("path::") && OF_PATHS.contains(&method)
}

/// Whether what stands behind `std::` may be another with each run.
fn hangs_on_chance(path: &str) -> bool {
    OF_CHANCE.iter().any(|start| path.starts_with(start))
        || ["HashMap", "HashSet", "hash_map", "hash_set", "RandomState"]
            .iter()
            .any(|name| path.contains(name))
}

/// What stands behind the name of a crate of the standard library.
fn in_std(part: &str) -> Option<&str> {
    LIBRARY.iter().find_map(|root| part.strip_prefix(root)?.strip_prefix("::"))
}

/// The maximal pieces of a path that are names joined by `::`.
fn parts(path: &str) -> impl Iterator<Item = &str> {
    let is_of_name = |character: char| character.is_alphanumeric() || character == '_' || character == ':';
    path.split(move |character| !is_of_name(character))
        .filter(|part| !part.starts_with(':'))
        .map(|part| part.trim_end_matches(':'))
        .filter(|part| !part.is_empty())
}

/// Whether the crate, or one that it uses, may read files.
fn may_read(start: &DependencyInvocation, by_stem: &BTreeMap<&str, &DependencyInvocation>) -> bool {
    let mut open = vec![start];
    let mut seen = BTreeSet::new();
    while let Some(dependency) = open.pop() {
        if !seen.insert(dependency.invocation.unit.stem.as_str()) {
            continue;
        }
        if has_words(&dependency.invocation.manifest_dir) {
            return true;
        }
        let used = extern_stems(&dependency.invocation.arguments);
        open.extend(used.iter().filter_map(|stem| by_stem.get(stem.as_str()).copied()));
    }
    false
}

/// Whether a source file of the package has one of the words. A package that cannot be looked at has.
fn has_words(package: &Utf8Path) -> bool {
    let mut open = vec![package.to_owned()];
    let mut seen_any = false;
    while let Some(folder) = open.pop() {
        let Ok(entries) = folder.read_dir_utf8() else { return true };
        for entry in entries.flatten() {
            let path = entry.path();
            let is_aside = ["tests", "benches", "examples", "target"].contains(&entry.file_name());
            if path.is_dir() && !is_aside {
                open.push(path.to_owned());
            } else if path.extension() == Some("rs") {
                seen_any = true;
                let Ok(text) = fs::read_to_string(path) else { return true };
                if WORDS.iter().any(|word| text.contains(word)) {
                    return true;
                }
            }
        }
    }
    !seen_any
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_build_bear_on_everything() {
        let check = |file: &str, expected: bool| {
            assert_eq!(bears_on_everything(Utf8Path::new(file)), expected, "{file}");
        };
        check("Cargo.toml", true);
        check("members/a/Cargo.toml", true);
        check("build.rs", true);
        check(".cargo/config.toml", true);
        check("rust-toolchain.toml", true);
        check("src/lib.rs", false);
        check("src/Cargo.toml.rs", false);
    }

    #[test]
    fn of_the_library_what_gets_at_files_counts() {
        for path in
            ["fs::read", "fs::File::open", "process::Command::new", "path::Path::exists", "env::current_exe"]
        {
            assert!(reads_of_std(path), "{path}");
        }
        for path in ["process::abort", "path::Path::join", "env::var", "fmt::Debug::fmt", "io::Read::read"] {
            assert!(!reads_of_std(path), "{path}");
        }
        assert_eq!(
            parts("<a::B<c::D> as std::fs::E>::f").collect::<Vec<_>>(),
            ["a::B", "c::D", "as", "std::fs::E"]
        );
    }

    #[test]
    fn a_package_may_read_files_if_its_source_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let package = Utf8Path::from_path(folder.path()).unwrap();
        assert!(has_words(package), "nothing to look at");
        fs::create_dir_all(package.join("src/deep")).unwrap();
        fs::write(package.join("src/lib.rs"), "pub fn f() -> u8 { 1 }\n").unwrap();
        assert!(!has_words(package));
        fs::write(package.join("src/deep/mod.rs"), "use std::fs::read;\n").unwrap();
        assert!(has_words(package));
    }
}
