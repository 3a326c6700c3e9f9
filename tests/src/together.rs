//! Several small cases as one crate: each becomes a module of it, so that one run of the command compiles and compares them all.
//!
//! Most of what a run on a small crate takes is the compiler's start, and rustdoc's above all.
//!
//! What is said of a module must be what the lines of its case say. If it is not, the case is run alone, and that counts: what other modules
//! implement may be within reach of generic code. So no expectation is weaker than for a case alone.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use crate::cases::{Case, SOURCE};
use crate::repository::{Repository, RepositoryError};
use crate::runner::{Mismatch, NOT_ASKED, Report, check_case, compare, report, two_commits};

/// As many cases as one run compares at most: enough that the compiler's start does not count, few enough that all processors have work.
const MOST: usize = 13;

/// Topics whose cases are about functions. Those of `attack` are about crates; the others have few.
const TOPICS: [&str; 3] = ["differ/", "refactor/", "unchanged/"];

/// What hangs on being the root of a crate, or counts for a whole crate.
const OF_CRATES: [&str; 9] = [
    "#![",
    "crate::",
    "$crate",
    "macro_export",
    "extern ",
    "no_mangle",
    "export_name",
    "static mut",
    "thread_local!",
];

/// Cases that are compared by one run.
pub struct Group {
    pub cases: Vec<Case>,
    report: OnceLock<Result<Report, String>>,
}

/// All cases, in groups that can be compared one by one.
pub fn groups(cases: Vec<Case>) -> Vec<Group> {
    let mut by_topic: BTreeMap<&str, Vec<Case>> = BTreeMap::new();
    let mut groups = Vec::new();
    for case in cases {
        match TOPICS.iter().find(|topic| case.name.starts_with(**topic)) {
            Some(topic) if fits(&case) => by_topic.entry(topic).or_default().push(case),
            _ => groups.push(Group::new(vec![case])),
        }
    }
    for cases in by_topic.into_values() {
        let number = cases.len().div_ceil(MOST);
        groups.extend(cases.chunks(cases.len().div_ceil(number)).map(|cases| Group::new(cases.to_vec())));
    }
    groups
}

impl Group {
    fn new(cases: Vec<Case>) -> Group {
        Group { cases, report: OnceLock::new() }
    }

    /// What is not as expected of one of its cases. The first call runs the command, others wait for it.
    pub fn check(&self, case: &Case) -> Vec<Mismatch> {
        if self.cases.len() == 1 {
            return check_case(case);
        }
        match self.report.get_or_init(|| self.run()) {
            Ok(report) if compare(case, &of_module(report, module(case))).is_empty() => Vec::new(),
            Ok(_) | Err(_) => {
                eprintln!("{} is run alone", case.name);
                check_case(case)
            }
        }
    }

    fn run(&self) -> Result<Report, String> {
        let repository = self.two_commits().map_err(|error| error.to_string())?;
        report(repository.root(), &NOT_ASKED)
    }

    /// The old and the new version of all cases as commits of one repository; a case that is alone stays as it is.
    pub fn two_commits(&self) -> Result<Repository, RepositoryError> {
        if let [case] = self.cases.as_slice() {
            return two_commits(&case.root);
        }
        let repository = Repository::new()?;
        for version in ["old", "new"] {
            let modules: String =
                self.cases.iter().map(|case| format!("pub mod {};\n", module(case))).collect();
            let files = self.cases.iter().map(|case| (file(module(case)), source(case, version)));
            for (path, text) in files.chain([(SOURCE.to_owned(), modules)]) {
                repository.write(&path, &text)?;
            }
            repository.write("Cargo.toml", &manifest("together"))?;
            repository.write(".gitignore", "/target\n/Cargo.lock\n")?;
            repository.commit_all(version)?;
        }
        Ok(repository)
    }
}

/// Whether the case says the same as a module of another crate.
fn fits(case: &Case) -> bool {
    let plain = |version: &str| {
        let root = case.root.join(version);
        let text = source(case, version);
        files(&root) == 1
            && files(&root.join("src")) == 1
            && fs::read_to_string(root.join("Cargo.toml")).is_ok_and(|text| text == manifest(module(case)))
            && !OF_CRATES.iter().any(|word| text.contains(word))
    };
    let counts = case.new.functions.iter().flat_map(|function| &function.expectation);
    case.args.is_empty()
        && counts.flat_map(|e| &e.partitions).next().is_none()
        && plain("old")
        && plain("new")
}

/// The manifest of a package with nothing special.
fn manifest(name: &str) -> String {
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\npublish = false\n\n[workspace]\n"
    )
}

/// How many files lie in the folder itself; 0 if it cannot be read.
fn files(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(|entry| entry.path().is_file()).count()
}

fn source(case: &Case, version: &str) -> String {
    let path = case.root.join(version).join(SOURCE);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The case's name without its topic.
fn module(case: &Case) -> &str {
    case.name.rsplit('/').next().unwrap_or_default()
}

fn file(module: &str) -> String {
    format!("src/{module}.rs")
}

/// What is said of the module, as if it were a crate of its own. What has no place is said of every module.
fn of_module(report: &Report, module: &str) -> Report {
    let file = file(module);
    let mut functions = report.functions.clone();
    functions.retain(|function| function.span.as_ref().is_none_or(|span| span.file.ends_with(&file)));
    for function in &mut functions {
        let places = function.suspects.iter_mut().map(|suspect| &mut suspect.file);
        for place in places.chain(function.span.as_mut().map(|span| &mut span.file)) {
            // Lines of other modules are none of this one.
            if place.ends_with(&file) {
                *place = SOURCE.to_owned();
            }
        }
    }
    Report { functions }
}
